//! The effect of each function of the compatible ABI on a module.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first problem"
)]
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "every call is to the ABI, with handles and places that live"
)]

mod session;

use dxil_jit::compat::option_shapes::*;
use dxil_jit::compat::types::*;
use dxil_jit::compat::*;
use session::*;

/// Kinds of meta descriptors.
const UNIFORM_WORD: u32 = 3;
const UNIFORM_ADDRESS: u32 = 4;
const STORAGE_BUFFER: u32 = 5;

fn base(number: u32) -> OptionBase {
    OptionBase { number }
}

/// Returns a converter whose resources all come from a heap in set 2.
fn heap_session(name: &str) -> Session {
    let mut session = Session::of(name);
    let heap = VulkanBinding {
        set: 2,
        bindless: Bindless {
            heap_root_offset: 0,
            use_heap: 1,
        },
        descriptor_type: DESCRIPTOR_SSBO,
        ..VulkanBinding::default()
    };
    session.answers().srv.buffer_binding = heap;
    session.answers().uav.buffer_binding = heap;
    session.answers().uav.counter_binding = VulkanBinding { set: 3, ..heap };
    session.answers().uav.counter_binding.descriptor_type = DESCRIPTOR_IDENTITY;
    session.answers().cbv.push_constant = 1;
    session.remap();
    unsafe { dxil_spv_converter_set_root_constant_word_count(session.handle(), 4) };
    session
}

/// Returns whether a variable of a storage class has that set and binding.
fn is_bound(text: &str, class: &str, set: u32, binding: u32) -> bool {
    let decorated = |word: &str, value: u32| -> Vec<String> {
        text.lines()
            .filter(|line| line.ends_with(&format!("{word} {value}")))
            .filter_map(|line| line.split_whitespace().nth(1))
            .map(str::to_owned)
            .collect()
    };
    let bound = decorated("Binding", binding);
    decorated("DescriptorSet", set)
        .iter()
        .filter(|id| bound.contains(id))
        .any(|id| {
            text.lines()
                .any(|line| line.starts_with(&format!("{id} = ")) && line.contains(class))
        })
}

#[test]
fn heap_indices_end_with_the_heap_whose_size_is_a_constant() {
    let mut plain = heap_session("bindings/heap_buffers");
    assert!(!has(&plain.text(), &["UMin"]));
    let mut session = heap_session("bindings/heap_buffers");
    session.flag(35);
    assert_eq!(session.meta(0, UNIFORM_WORD, 9, 4), SUCCESS);
    let text = session.text();
    assert_eq!(lines(&text, &["UMin"]), 3);
    assert!(is_bound(&text, "Uniform", 9, 4));
}

#[test]
fn heap_indices_end_with_the_heap_whose_raw_view_has_that_length() {
    let mut session = heap_session("bindings/heap_buffers");
    session.flag(35);
    // Two addresses per descriptor.
    session.option(Numbers2(base(24), 2, 0));
    assert_eq!(session.meta(1, STORAGE_BUFFER, 9, 5), SUCCESS);
    let text = session.text();
    assert_eq!(lines(&text, &["OpArrayLength"]), 3);
    assert!(has(&text, &["OpDecorate", "ArrayStride", "16"]));
    assert!(is_bound(&text, "StorageBuffer", 9, 5));
}

#[test]
fn without_a_meta_descriptor_the_remapper_shows_the_raw_view() {
    let mut session = heap_session("bindings/heap_buffers");
    session.flag(35);
    let text = session.text();
    assert_eq!(lines(&text, &["OpArrayLength"]), 3);
    // An acceleration structure of the heap.
    assert!(session.answers().kinds.contains(&16));
    // An address gives no length.
    let mut session = heap_session("bindings/heap_buffers");
    session.flag(35);
    assert_eq!(session.meta(1, UNIFORM_ADDRESS, 9, 5), SUCCESS);
    assert_eq!(session.run(), ERROR_INVALID_ARGUMENT);
}

#[test]
fn counters_of_a_heap_lie_behind_a_table_or_behind_its_address() {
    let mut session = heap_session("bindings/heap_counters");
    session.flag(7);
    let text = session.text();
    assert!(is_bound(&text, "StorageBuffer", 3, 0));
    assert!(!is_bound(&text, "Uniform", 9, 6));
    let mut session = heap_session("bindings/heap_counters");
    session.flag(7);
    session.option(Numbers2(base(24), 4, 1));
    assert_eq!(session.meta(1, UNIFORM_ADDRESS, 9, 6), SUCCESS);
    let text = session.text();
    assert!(!is_bound(&text, "StorageBuffer", 3, 0));
    assert!(is_bound(&text, "Uniform", 9, 6));
    assert!(has(&text, &["OpLoad", "Aligned", "8"]));
}

#[test]
fn meta_descriptors_that_are_none_are_refused() {
    let mut session = Session::of("bindings/heap_buffers");
    assert_eq!(session.meta(4, UNIFORM_WORD, 0, 0), ERROR_INVALID_ARGUMENT);
    assert_eq!(session.meta(0, 6, 0, 0), ERROR_INVALID_ARGUMENT);
    assert_eq!(session.meta(0, 0, 0, 0), SUCCESS);
}

/// Returns the options of view instancing: the last stage, with or without multiview.
fn views(name: &str, index_constant: u32) -> Session {
    let mut session = Session::of(name);
    session.option(MultiviewOption(base(49), 1, 1, index_constant, 8));
    session
}

fn is_multiview_compatible(session: &Session) -> bool {
    let mut compatible = 9;
    let code = unsafe {
        dxil_spv_converter_is_multiview_compatible(session.handle(), &raw mut compatible)
    };
    assert_eq!(code, SUCCESS);
    compatible == 1
}

#[test]
fn with_multiview_a_table_says_which_view_instance_a_view_is() {
    let mut session = views("raster/views_vs", 7);
    // Layers do not matter then.
    session.meta(2, UNIFORM_WORD, 4, 0);
    let text = session.text();
    assert!(is_multiview_compatible(&session));
    assert!(has(&text, &["OpCapability", "MultiView"]));
    assert!(has(&text, &["SpecId", "7"]) && has(&text, &["SpecId", "8"]));
    assert!(has(&text, &["BuiltIn", "ViewportIndex"]) && !has(&text, &["BuiltIn", "Layer"]));
    assert!(!is_bound(&text, "Uniform", 4, 0));
    // Without view instancing there is one view.
    let mut session = Session::of("raster/views_vs");
    let text = session.text();
    assert!(!is_multiview_compatible(&session) && !has(&text, &["OpCapability", "MultiView"]));
}

#[test]
fn without_multiview_a_word_says_which_view_instance_is_drawn() {
    let mut session = views("raster/views_vs", u32::MAX);
    session.meta(2, UNIFORM_WORD, 4, 0);
    session.meta(3, UNIFORM_WORD, 4, 1);
    let text = session.text();
    assert!(!is_multiview_compatible(&session));
    assert!(!has(&text, &["OpCapability", "MultiView"]));
    assert!(is_bound(&text, "Uniform", 4, 0) && is_bound(&text, "Uniform", 4, 1));
    assert!(has(&text, &["BuiltIn", "Layer"]));
    // The mask is asked by an entry point around the shader.
    assert_eq!(lines(&text, &["OpFunction"]), 2);
    assert!(has(&text, &["OpFunctionCall"]));
    // A buffer it has to be.
    let mut session = views("raster/views_vs", u32::MAX);
    session.meta(2, STORAGE_BUFFER, 4, 0);
    assert_eq!(session.run(), ERROR_INVALID_ARGUMENT);
}

#[test]
fn a_shader_that_chooses_layers_is_drawn_once_per_view() {
    let mut session = views("draw/layer_vs", 7);
    session.meta(2, UNIFORM_WORD, 4, 0);
    let text = session.text();
    assert!(!is_multiview_compatible(&session));
    // The view's own layer is added to the shader's.
    assert!(is_bound(&text, "Uniform", 4, 0) && !has(&text, &["OpCapability", "MultiView"]));
}

#[test]
fn mesh_shaders_put_all_their_primitives_where_the_view_goes() {
    let mut session = views("mesh/strip_ms", u32::MAX);
    session.meta(2, UNIFORM_WORD, 4, 0);
    session.meta(3, UNIFORM_WORD, 4, 1);
    let text = session.text();
    assert!(has(&text, &["BuiltIn", "Layer"]) && has(&text, &["BuiltIn", "ViewportIndex"]));
    // The mask's other branch emits nothing.
    assert_eq!(lines(&text, &["OpSetMeshOutputsEXT"]), 2);
}

/// Returns the example's shader: root constants `b0` and one structured buffer `u0`.
fn squares() -> Session {
    let path = format!("{}/examples/squares.dxil", env!("CARGO_MANIFEST_DIR"));
    Session::new(&std::fs::read(path).unwrap())
}

/// Returns a session whose `b0` is root constants behind two root descriptors, and whose `u0` is
/// the second of these.
fn squares_with_roots() -> Session {
    let mut session = squares();
    session.flag(7);
    session.answers().cbv.push_constant = 1;
    session.answers().uav.buffer_binding = VulkanBinding {
        root_constant_index: 1,
        descriptor_type: DESCRIPTOR_DEVICE_ADDRESS,
        ..VulkanBinding::default()
    };
    session.remap();
    unsafe {
        dxil_spv_converter_set_root_descriptor_count(session.handle(), 2);
        dxil_spv_converter_set_root_constant_word_count(session.handle(), 1);
    }
    session
}

#[test]
fn root_descriptors_are_addresses_in_front_of_root_constants() {
    let mut session = squares_with_roots();
    let text = session.text();
    assert_eq!(session.answers().asked, ["u0", "b0"]);
    assert!(has(&text, &["PhysicalStorageBuffer64"]));
    assert!(has(&text, &["OpVariable", "PushConstant"]));
    // Two addresses and a word.
    assert!(has(&text, &["%uint_5"]) || has(&text, &["OpConstant", "5"]));
}

#[test]
fn root_constants_live_in_an_inline_uniform_block_if_asked() {
    let mut session = squares_with_roots();
    session.option(Numbers2Flag(base(5), 6, 2, 1));
    let text = session.text();
    assert!(!has(&text, &["OpVariable", "PushConstant"]));
    assert!(is_bound(&text, "Uniform", 6, 2));
}

#[test]
fn tools_are_told_where_root_parameters_lie_and_what_the_layer_says() {
    let root_signature = [1_u8, 2, 3, 4, 5, 6];
    let say = |session: &Session| unsafe {
        let converter = session.handle();
        dxil_spv_converter_add_root_parameter_mapping(converter, 3, 8);
        dxil_spv_converter_add_root_parameter_mapping(converter, 4, 16);
        dxil_spv_converter_add_non_semantic_debug_info(
            converter,
            c"RootSignature".as_ptr(),
            root_signature.as_ptr().cast(),
            root_signature.len(),
        );
    };
    // Nothing of it is written unless option 48 asks.
    let mut session = squares_with_roots();
    say(&session);
    assert!(!session.text().contains("NonSemantic"));
    let mut session = squares_with_roots();
    say(&session);
    session.flag(48);
    let text = session.text();
    assert!(text.contains("OpExtension \"SPV_KHR_non_semantic_info\""));
    assert!(text.contains("OpExtInstImport \"NonSemantic.dxil-spirv.signature\""));
    for tag in ["\"UAV\"", "\"Constant\"", "\"RootSignature\""] {
        assert!(has(&text, &["OpString", tag]), "{tag}");
    }
    let words = session.words();
    // The bytes, the last word filled up.
    let first = u32::from_le_bytes([1, 2, 3, 4]);
    assert!(words.contains(&first) && words.contains(&u32::from_le_bytes([5, 6, 0, 0])));
    // Names are for the same readers.
    assert!(has(&text, &["OpName"]));
}

#[test]
fn tools_are_told_of_constant_buffers_with_a_descriptor_of_their_own() {
    let mut session = squares();
    session.answers().cbv.uniform_binding = VulkanBinding {
        set: 5,
        binding: 9,
        ..VulkanBinding::default()
    };
    session.answers().uav.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
    session.remap();
    session.flag(48);
    unsafe { dxil_spv_converter_add_root_descriptor_mapping(session.handle(), 2, 5, 9) };
    let text = session.text();
    assert!(has(&text, &["OpString", "\"PushCBV\""]));
}

/// Puts everything at a location 20 above where it was, and notes the semantic.
unsafe extern "C" fn move_stage_io(
    user: *mut std::ffi::c_void,
    asked: *const D3dStageIo,
    place: *mut VulkanStageIo,
) -> Bool {
    unsafe {
        let semantic = std::ffi::CStr::from_ptr((*asked).semantic);
        let name = format!(
            "{}{} at {}, {} rows",
            semantic.to_str().unwrap(),
            (*asked).semantic_index,
            (*asked).start_row,
            (*asked).rows
        );
        (*user.cast::<Answers>()).asked.push(name);
        (*place).location += 20;
    }
    1
}

unsafe extern "C" fn refuse_stage_io(
    _: *mut std::ffi::c_void,
    _: *const D3dStageIo,
    _: *mut VulkanStageIo,
) -> Bool {
    0
}

#[test]
fn stage_inputs_and_outputs_go_where_the_remappers_say() {
    let mut session = Session::of("draw/place_vs");
    let user_data = session.user();
    unsafe {
        dxil_spv_converter_set_stage_output_remapper(
            session.handle(),
            Some(move_stage_io),
            user_data,
        );
    }
    let text = session.text();
    assert_eq!(session.answers().asked, ["COLOR0 at 1, 1 rows"]);
    assert!(has(&text, &["Location", "21"]));
    let mut session = Session::of("draw/color_ps");
    let user_data = session.user();
    unsafe {
        dxil_spv_converter_set_stage_input_remapper(
            session.handle(),
            Some(move_stage_io),
            user_data,
        );
    }
    assert!(has(&session.text(), &["Location", "21"]));
    unsafe {
        dxil_spv_converter_set_stage_input_remapper(
            session.handle(),
            Some(refuse_stage_io),
            std::ptr::null_mut(),
        );
    }
    assert_eq!(session.run(), ERROR_GENERIC);
}

unsafe extern "C" fn place_vertex_input(
    user: *mut std::ffi::c_void,
    asked: *const D3dVertexInput,
    place: *mut VulkanVertexInput,
) -> Bool {
    unsafe {
        let semantic = std::ffi::CStr::from_ptr((*asked).semantic);
        let name = semantic.to_str().unwrap().to_owned();
        (*place).location = if name == "POSITION" { 11 } else { 12 };
        (*user.cast::<Answers>()).asked.push(name);
    }
    1
}

#[test]
fn vertex_inputs_go_where_the_remapper_says() {
    let mut session = Session::of("draw/place_vs");
    let user_data = session.user();
    unsafe {
        dxil_spv_converter_set_vertex_input_remapper(
            session.handle(),
            Some(place_vertex_input),
            user_data,
        );
    }
    let text = session.text();
    assert_eq!(session.answers().asked, ["POSITION", "COLOR"]);
    assert!(has(&text, &["Location", "11"]) && has(&text, &["Location", "12"]));
}

unsafe extern "C" fn stream_color(
    user: *mut std::ffi::c_void,
    asked: *const D3dStreamOutput,
    place: *mut VulkanStreamOutput,
) -> Bool {
    unsafe {
        let semantic = std::ffi::CStr::from_ptr((*asked).semantic);
        let name = semantic.to_str().unwrap().to_owned();
        if name == "COLOR" {
            place.write(VulkanStreamOutput {
                offset: 12,
                stride: 32,
                buffer_index: 2,
                enable: 1,
            });
        }
        (*user.cast::<Answers>()).asked.push(name);
    }
    1
}

#[test]
fn outputs_are_streamed_where_the_remapper_says() {
    let mut session = Session::of("draw/place_vs");
    let user_data = session.user();
    unsafe {
        dxil_spv_converter_set_stream_output_remapper(
            session.handle(),
            Some(stream_color),
            user_data,
        );
    }
    let text = session.text();
    assert_eq!(session.answers().asked, ["SV_Position", "COLOR"]);
    assert!(has(&text, &["OpCapability", "TransformFeedback"]));
    assert!(has(&text, &["Xfb"]) && has(&text, &["XfbBuffer", "2"]));
    assert!(has(&text, &["XfbStride", "32"]) && has(&text, &["Offset", "12"]));
}

#[test]
fn a_domain_shader_finds_patch_constants_where_its_hull_shader_has_them() {
    let mut hull = Session::of("tess/few_hs");
    let hull_text = hull.text();
    assert_eq!(hull.number(dxil_spv_converter_get_patch_vertex_count), 1);
    let offset = hull.number(dxil_spv_converter_get_patch_location_offset);
    // The hull shader's control points have three rows, the domain shader declares one of them.
    assert_eq!(offset, 3);
    let locations = |text: &str| {
        let mut all: Vec<u32> = text
            .lines()
            .filter(|line| line.contains(" Location "))
            .filter_map(|line| line.split_whitespace().last()?.parse().ok())
            .collect();
        all.sort_unstable();
        all
    };
    let mut alone = Session::of("tess/few_ds");
    let alone = locations(&alone.text());
    let mut domain = Session::of("tess/few_ds");
    unsafe { dxil_spv_converter_set_patch_location_offset(domain.handle(), offset) };
    let with_hull = locations(&domain.text());
    assert_ne!(alone, with_hull);
    // Two patch constants: where the hull shader writes them.
    let hull = locations(&hull_text);
    let behind = |all: &[u32]| -> Vec<u32> { all.iter().copied().filter(|&l| l >= 3).collect() };
    assert_eq!(behind(&hull), behind(&with_hull));
    assert_eq!(behind(&with_hull).len(), 2);
}

fn wave_sizes(session: &Session) -> [u32; 3] {
    let mut sizes = [9; 3];
    let [minimum, maximum, preferred] = &mut sizes;
    let code = unsafe {
        dxil_spv_converter_get_compute_wave_size_range(
            session.handle(),
            minimum,
            maximum,
            preferred,
        )
    };
    assert_eq!(code, SUCCESS);
    sizes
}

#[test]
fn wave_size_queries_say_what_the_shader_asks_for() {
    let mut fixed = Session::of("waves/wave_size");
    fixed.answers().uav.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
    fixed.remap();
    fixed.text();
    assert_eq!(wave_sizes(&fixed), [8, 0, 0]);
    assert_eq!(
        fixed.number(dxil_spv_converter_get_compute_required_wave_size),
        8
    );
    assert!(unsafe { dxil_spv_converter_uses_subgroup_size(fixed.handle()) } == 1);
    let mut range = Session::of("newer/wavesize_range");
    range.answers().uav.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
    range.answers().srv.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
    range.remap();
    range.text();
    assert_eq!(wave_sizes(&range), [4, 64, 32]);
    let mut size = 5;
    let code =
        unsafe { dxil_spv_converter_get_compute_required_wave_size(range.handle(), &raw mut size) };
    assert_eq!(code, ERROR_GENERIC);
    // Reads from any lane are slow in wide waves; a size that is said leaves nothing to guess.
    let mut reads = Session::of("waves/reads");
    reads.answers().uav.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
    reads.answers().srv.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
    reads.remap();
    reads.text();
    let maximum = dxil_spv_converter_get_compute_heuristic_max_wave_size;
    assert_eq!((reads.number(maximum), range.number(maximum)), (32, 0));
    reads.option(NumberFlag(base(25), 16, 0));
    reads.text();
    assert_eq!(reads.number(maximum), 0);
    assert_eq!(
        reads.number(dxil_spv_converter_get_compute_heuristic_min_wave_size),
        0
    );
    // Without waves there is nothing to say.
    let mut plain = squares_with_roots();
    plain.text();
    assert_eq!((plain.number(maximum), wave_sizes(&plain)), (0, [0; 3]));
}

#[test]
fn hints_say_which_wave_sizes_a_shader_takes_for_granted() {
    let hints = |shader: &str| {
        let mut session = Session::of(shader);
        session.answers().uav.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
        session.answers().srv.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
        session.remap();
        session.text();
        [
            session.number(dxil_spv_converter_get_compute_heuristic_min_wave_size),
            session.number(dxil_spv_converter_get_compute_heuristic_max_wave_size),
        ]
    };
    // 32 threads that are meant to be a wave: what is combined depends on their numbers, or the
    // numbers of lanes are cut off at 32.
    assert_eq!(hints("waves/sum_of_32"), [32, 32]);
    assert_eq!(hints("waves/lane_of_32"), [32, 32]);
    // Groups of 64: one reads the word of a ballot that has 32 lanes, the others two words, or no
    // ballot.
    assert_eq!(hints("waves/low_ballot"), [0, 32]);
    assert_eq!(hints("waves/votes"), [0, 0]);
    assert_eq!(hints("waves/reductions"), [0, 0]);
}

#[test]
fn the_entry_point_is_main_and_the_group_has_its_size() {
    let mut session = squares_with_roots();
    session.text();
    assert_eq!(session.entry_name(), "main");
    let mut size = [0; 3];
    let [x, y, z] = &mut size;
    let code =
        unsafe { dxil_spv_converter_get_compute_workgroup_dimensions(session.handle(), x, y, z) };
    assert_eq!((code, size), (SUCCESS, [16, 1, 1]));
    session.set_entry("nobody");
    assert_eq!(session.run(), ERROR_INVALID_ARGUMENT);
    session.set_entry("main");
    assert_eq!(session.run(), SUCCESS);
}

#[test]
fn native_16_bit_operations_are_told_of() {
    let mut session = Session::of("sixteen/int16_arithmetic");
    session.answers().uav.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
    session.answers().srv.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
    session.remap();
    session.text();
    let feature = |session: &Session, number| unsafe {
        dxil_spv_converter_uses_shader_feature(session.handle(), number)
    };
    assert_eq!((feature(&session, 0), feature(&session, 1)), (1, 0));
    let mut plain = squares_with_roots();
    plain.text();
    assert_eq!(feature(&plain, 0), 0);
}

#[test]
fn groupshared_memory_without_a_barrier_is_suspicious() {
    let warnings = |session: &Session| unsafe {
        let text = dxil_spv_converter_get_analysis_warnings(session.handle());
        (!text.is_null()).then(|| std::ffi::CStr::from_ptr(text).to_str().unwrap().to_owned())
    };
    let translated = |bytes: &[u8]| {
        let mut session = Session::new(bytes);
        session.answers().uav.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
        session.answers().srv.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
        session.remap();
        // Before a run there is nothing to say.
        assert_eq!(warnings(&session), None);
        assert_eq!(session.run(), SUCCESS);
        session
    };
    let here = env!("CARGO_MANIFEST_DIR");
    let careless = std::fs::read(format!("{here}/tests/shaders/careless.dxil")).unwrap();
    let said = warnings(&translated(&careless)).unwrap();
    assert!(said.starts_with("- ") && said.ends_with('\n') && said.contains("barrier"));
    assert_eq!(warnings(&translated(&shader("sixteen/groupshared"))), None);
}

#[test]
fn operations_of_ags_are_translated_without_asking_where_their_uav_is() {
    let mut session = Session::of("vendor/ags_lanes");
    session.answers().uav.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
    session.answers().srv.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
    session.remap();
    let text = session.text();
    assert_eq!(session.answers().asked, ["t0", "u0"]);
    assert!(has(&text, &["OpGroupNonUniformBallot"]));
    assert!(!has(&text, &["OpAtomicCompareExchange"]));
}

#[test]
fn operations_of_ags_that_cannot_be_had_give_zero() {
    let mut session = Session::new(&container("translate/filetests/vendor/ags_missing"));
    session.answers().uav.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
    session.remap();
    let text = session.text();
    assert!(has(&text, &["OpStore"]));
    assert!(!has(&text, &["OpAtomicCompareExchange"]));
}

#[test]
fn matrices_of_ags_need_no_option() {
    for (name, natively) in [
        ("ags_matrices", 0),
        ("ags_float8_matrices", 0),
        ("ags_float8_matrices", 1),
    ] {
        let mut session = Session::of(&format!("vendor/{name}"));
        session.answers().uav.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
        session.remap();
        session.option(Flags2(OptionBase { number: 46 }, natively, 0));
        let text = session.text();
        assert!(has(&text, &["OpMemoryModel", "Logical", "Vulkan"]));
        assert!(has(&text, &["OpCooperativeMatrixMulAddKHR"]));
        assert_eq!(has(&text, &["Float8EXT"]), natively == 1, "{name}");
    }
}

#[test]
fn operations_of_nvapi_go_through_the_uav_that_the_option_names() {
    let run = |enabled| {
        let mut session = Session::of("vendor/nvapi_lanes");
        session.answers().uav.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
        session.answers().srv.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
        session.remap();
        session.option(FlagNumbers2(OptionBase { number: 47 }, enabled, 127, 1));
        let text = session.text();
        let asked = session.answers().asked.clone();
        (asked, has(&text, &["OpGroupNonUniformShuffle"]))
    };
    let named = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(run(1), (named(&["t0", "u0"]), true));
    assert_eq!(run(0), (named(&["t0", "u127", "u0"]), false));
}

#[test]
fn hit_objects_of_nvapi_are_those_of_the_extension_that_layers_enable() {
    let mut session = Session::new(&container("translate/filetests/vendor/nvapi_make_hit"));
    session.answers().uav.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
    session.remap();
    session.option(FlagNumbers2(OptionBase { number: 47 }, 1, 127, 1));
    let text = session.text();
    assert!(has(&text, &["ShaderInvocationReorderNV"]));
    assert!(has(&text, &["OpHitObjectRecordHitNV"]));
    assert!(has(&text, &["OpHitObjectRecordHitWithIndexNV"]));
    assert!(has(&text, &["OpHitObjectGetClusterIdNV"]));
}

#[test]
fn what_is_no_operation_of_nvapi_is_refused() {
    // Which UAV is NVAPI's is the caller's word: without it, it is a buffer.
    let run = |enabled, register, space| {
        let mut session = Session::of("buffers/raw_load_store");
        session.option(FlagNumbers2(
            OptionBase { number: 47 },
            enabled,
            register,
            space,
        ));
        session.run()
    };
    assert_eq!(run(0, 0, 0), SUCCESS);
    assert_eq!(run(1, 7, 0), SUCCESS);
    assert_eq!(run(1, 0, 0), ERROR_UNSUPPORTED_FEATURE);
}
