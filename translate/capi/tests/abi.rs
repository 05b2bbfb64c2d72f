//! What the functions of the compatible ABI do to a module, one by one.
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

/// A converter whose resources all come from a heap in set 2.
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
    session.answers.srv.buffer_binding = heap;
    session.answers.uav.buffer_binding = heap;
    session.answers.uav.counter_binding = VulkanBinding { set: 3, ..heap };
    session.answers.uav.counter_binding.descriptor_type = DESCRIPTOR_IDENTITY;
    session.answers.cbv.push_constant = 1;
    session.remap();
    unsafe { dxil_spv_converter_set_root_constant_word_count(session.handle(), 4) };
    session
}

/// Whether a variable of a storage class has that set and binding.
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
    assert!(session.answers.kinds.contains(&16));
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

/// View instancing: the last stage, with or without multiview.
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
