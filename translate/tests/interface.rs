//! The reflection that goes with a module: what it binds, and nothing else.

use dxil_frontend::dxil::ResourceClass;
use dxil_translate::{
    BindingMap, BindingUse, DenormalMode, DescriptorKind, DescriptorSlot, ErrorKind, Features,
    Interface, Location, Options, ResourceKey, TexelFormat, Warning, translate_bytes,
};

/// Translates a file test's container with everything the target can have.
fn interface(name: &str, bindings: BindingMap) -> Result<Interface, dxil_translate::Error> {
    let path = format!("{}/filetests/{name}.dxil", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).expect("the file test's container");
    let mut options = Options::default();
    options.bindings = bindings;
    options.target.features = Features::all();
    translate_bytes(&bytes, &options).map(|translation| translation.interface)
}

fn key(class: ResourceClass, id: u32) -> ResourceKey {
    ResourceKey { class, id }
}

fn slot(set: u32, binding: u32) -> DescriptorSlot {
    DescriptorSlot { set, binding }
}

fn row(rows: &[BindingUse], at: DescriptorSlot) -> &BindingUse {
    let mut found = rows.iter().filter(|row| row.slot == at);
    let first = found.next().expect("a row at the slot");
    assert!(found.next().is_none(), "two rows at {at:?}");
    first
}

#[test]
fn rows_come_in_order_and_say_what_is_written() {
    let interface = interface("buffers/raw_words", BindingMap::new()).unwrap();
    let slots: Vec<_> = interface.bindings.iter().map(|row| row.slot).collect();
    assert_eq!(slots, [slot(0, 1000), slot(0, 3000)]);
    assert_eq!(
        interface
            .bindings
            .iter()
            .map(|row| (row.kind, row.writable, row.stride))
            .collect::<Vec<_>>(),
        [
            (DescriptorKind::StorageBuffer, false, 4),
            (DescriptorKind::StorageBuffer, true, 4)
        ]
    );
    assert_eq!(interface.push_constant_bytes, 0);
}

#[test]
fn a_thread_group_has_the_size_that_its_stage_allows() {
    let path = format!(
        "{}/filetests/buffers/raw_words.dxil",
        env!("CARGO_MANIFEST_DIR")
    );
    let bytes = std::fs::read(&path).expect("the file test's container");
    let mut shader = dxil_frontend::dxil::read_shader(&bytes).unwrap();
    for threads in [[64, 0, 1], [1, 1, 65], [1024, 2, 1]] {
        shader.entry_points[0].num_threads = Some(threads);
        let error = dxil_translate::translate(&shader, &Options::default()).unwrap_err();
        assert_eq!(error.category(), dxil_translate::Category::Malformed);
        assert!(error.to_string().contains("a thread group of"), "{error}");
    }
    // Groups of mesh shaders are deeper, and smaller in total.
    let mut options = Options::default();
    options.target.features = dxil_translate::Features::all();
    let path = path.replace("buffers/raw_words", "mesh/outputs");
    let mut shader = dxil_frontend::dxil::read_shader(&std::fs::read(path).unwrap()).unwrap();
    shader.entry_points[0].num_threads = Some([1, 1, 128]);
    dxil_translate::translate(&shader, &options).unwrap();
    shader.entry_points[0].num_threads = Some([129, 1, 1]);
    dxil_translate::translate(&shader, &options).unwrap_err();
}

#[test]
fn a_hidden_counter_is_a_row_of_its_own() {
    let interface = interface("buffers/counters", BindingMap::new()).unwrap();
    let counter = row(&interface.bindings, slot(0, 4000));
    assert!(counter.is_counter && counter.writable);
    assert_eq!(counter.resource, key(ResourceClass::Uav, 0));
    assert_eq!(counter.kind, DescriptorKind::StorageBuffer);
    assert!(!row(&interface.bindings, slot(0, 3000)).is_counter);
}

#[test]
fn a_counter_without_a_place_is_unbound() {
    let mut bindings = BindingMap::new();
    bindings.insert(
        key(ResourceClass::Uav, 0),
        Location::Descriptor {
            slot: slot(0, 0),
            first_index: 0,
            counter: None,
            format: None,
        },
    );
    let error = interface("buffers/counters", bindings).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unbound(_)), "{error}");
}

#[test]
fn ranges_of_one_heap_are_one_unbounded_row() {
    let mut bindings = BindingMap::new();
    for (id, offset, table_word) in [(0, 100, Some(5)), (1, 7, None)] {
        bindings.insert(
            key(ResourceClass::Srv, id),
            Location::Heap {
                slot: slot(3, 1),
                table_word,
                offset,
                counter: None,
                ranges: None,
            },
        );
    }
    let interface = interface("handles/heap_ranges", bindings).unwrap();
    let heap = row(&interface.bindings, slot(3, 1));
    assert_eq!(
        (heap.kind, heap.count),
        (DescriptorKind::SampledImage, None)
    );
    assert_eq!(interface.push_constant_bytes, 24);
}

#[test]
fn structures_bind_a_descriptor_or_a_table_of_addresses() {
    let mut bindings = BindingMap::new();
    bindings.insert(
        key(ResourceClass::Srv, 1),
        Location::DeviceAddress { first_word: 2 },
    );
    bindings.insert(
        key(ResourceClass::Srv, 2),
        Location::AddressTable {
            slot: slot(4, 5),
            table_word: Some(6),
            offset: 100,
            stride: 3,
            first: 1,
        },
    );
    let interface = interface("ray_queries/structure_places", bindings).unwrap();
    let own = row(&interface.bindings, slot(0, 1000));
    let (kind, count) = (own.kind, own.count);
    assert_eq!(
        (kind, count),
        (DescriptorKind::AccelerationStructure, Some(1))
    );
    let array = row(&interface.bindings, slot(1, 1000));
    let (kind, count) = (array.kind, array.count);
    assert_eq!(
        (kind, count),
        (DescriptorKind::AccelerationStructure, Some(4))
    );
    let table = row(&interface.bindings, slot(4, 5));
    assert_eq!(
        (table.kind, table.stride),
        (DescriptorKind::StorageBuffer, 8)
    );
    assert!(!table.writable && table.resource == key(ResourceClass::Srv, 2));
    // Three of structures, one of the result; the address binds nothing.
    assert_eq!(interface.bindings.len(), 4);
    assert_eq!(interface.push_constant_bytes, 28);
}

#[test]
fn root_constants_and_addresses_bind_no_descriptor() {
    let mut bindings = BindingMap::new();
    bindings.insert(
        key(ResourceClass::Cbv, 0),
        Location::PushConstants {
            first_word: 2,
            words: 6,
        },
    );
    bindings.insert(
        key(ResourceClass::Uav, 0),
        Location::DeviceAddress { first_word: 8 },
    );
    let interface = interface("cbuffers/root_constants", bindings).unwrap();
    assert!(interface.bindings.is_empty());
    assert_eq!(interface.push_constant_bytes, 40);
}

#[test]
fn atomics_name_the_format_that_the_view_must_have() {
    let interface = interface("textures/atomics", BindingMap::new()).unwrap();
    let formats: Vec<_> = interface
        .bindings
        .iter()
        .map(|row| (row.kind, row.format))
        .collect();
    assert_eq!(
        formats,
        [
            (DescriptorKind::StorageImage, Some(TexelFormat::R32Uint)),
            (DescriptorKind::StorageImage, Some(TexelFormat::R32Sint)),
            (
                DescriptorKind::StorageTexelBuffer,
                Some(TexelFormat::R32Uint)
            ),
        ]
    );
}

#[test]
fn arrays_tell_how_many_descriptors_they_take() {
    let interface = interface("handles/non_uniform_index", BindingMap::new()).unwrap();
    assert_eq!(row(&interface.bindings, slot(2, 1005)).count, None);
    assert_eq!(row(&interface.bindings, slot(0, 2000)).count, Some(8));
    assert_eq!(row(&interface.bindings, slot(0, 2)).count, Some(3));
}

#[test]
fn precise_that_gets_lost_is_a_warning() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let path = format!("{folder}/../hwtests/shaders/arith/precise.dxil");
    let bytes = std::fs::read(path).expect("a shader");
    let mut options = Options::default();
    let native = translate_bytes(&bytes, &options).unwrap();
    assert_eq!(native.warnings, []);
    options.target.style = dxil_translate::Style::Portable;
    let portable = translate_bytes(&bytes, &options).unwrap();
    let [Warning::PreciseLost { operations }] = portable.warnings[..] else {
        unreachable!("{:?}", portable.warnings);
    };
    // As many as NoContraction (42) decorates natively: OpDecorate is opcode 71 with three words.
    let decorations = native
        .words
        .windows(3)
        .filter(|words| words[0] == 3 << 16 | 71 && words[2] == 42);
    assert_eq!(operations as usize, decorations.count());
    assert!(operations > 0);
}

#[test]
fn a_denormal_mode_that_the_target_lacks_is_a_warning() {
    let folder = env!("CARGO_MANIFEST_DIR");
    for (name, feature, mode) in [
        (
            "denormals_preserved",
            Features::DENORM_PRESERVE_F32,
            DenormalMode::Preserve,
        ),
        (
            "denormals_flushed",
            Features::DENORM_FLUSH_F32,
            DenormalMode::Flush,
        ),
    ] {
        let path = format!("{folder}/filetests/floats/{name}.dxil");
        let bytes = std::fs::read(path).expect("a shader");
        let mut options = Options::default();
        let ignored = translate_bytes(&bytes, &options).unwrap();
        assert_eq!(ignored.warnings, [Warning::DenormalModeIgnored { mode }]);
        options.target.features = feature;
        let declared = translate_bytes(&bytes, &options).unwrap();
        assert_eq!(declared.warnings, []);
    }
}

#[test]
fn steps_are_measured_for_who_asks_and_change_no_word() {
    let path = format!(
        "{}/filetests/buffers/raw_words.dxil",
        env!("CARGO_MANIFEST_DIR")
    );
    let bytes = std::fs::read(path).unwrap();
    let mut options = Options::default();
    options.target.features = Features::all();
    let plain = translate_bytes(&bytes, &options).unwrap();
    assert!(plain.timings.is_none());
    options.timings = true;
    let measured = translate_bytes(&bytes, &options).unwrap();
    assert_eq!(measured.words, plain.words);
    let timings = measured.timings.expect("times of the steps");
    assert_eq!(timings.steps().count(), dxil_translate::Step::ALL.len());
    assert!(!timings.total().is_zero());
}
