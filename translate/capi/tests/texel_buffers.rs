//! Raw and structured buffers that the layer binds as texel buffers.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first problem"
)]

mod session;

use dxil_jit::compat::types::*;
use session::*;

/// Translates a shader whose SRVs are in set 1 and whose UAVs are in set 2, all texel buffers, in
/// heaps or not.
fn translated(name: &str, use_heap: Bool, descriptor_type: u32) -> String {
    let mut session = Session::of(name);
    let texels = |set| VulkanBinding {
        set,
        bindless: Bindless {
            heap_root_offset: 0,
            use_heap,
        },
        descriptor_type,
        ..VulkanBinding::default()
    };
    session.answers().srv.buffer_binding = texels(1);
    session.answers().uav.buffer_binding = texels(2);
    session.answers().uav.counter_binding = texels(3);
    session.remap();
    session.text()
}

#[test]
fn every_word_is_a_texel() {
    for (name, atomics) in [
        ("buffers/raw_load_store", 0),
        ("buffers/raw_templates", 0),
        ("buffers/structured_rows", 0),
        ("buffers/structured_stride_12", 0),
        // Min-precision values are words, too.
        ("buffers/min_precision", 0),
        ("buffers/append_consume", 2),
        ("atomics/raw", 1),
        ("atomics/structured", 1),
    ] {
        for (use_heap, descriptor) in [
            (0, DESCRIPTOR_TEXEL_BUFFER),
            (1, DESCRIPTOR_TEXEL_BUFFER),
            (1, DESCRIPTOR_IDENTITY),
        ] {
            let text = translated(name, use_heap, descriptor);
            assert!(!text.contains("StorageBuffer"), "{name}: {text}");
            assert!(has(&text, &["OpTypeImage", "Buffer"]), "{name}: {text}");
            assert!(
                has(&text, &["OpImageWrite"]) || atomics > 0,
                "{name}: {text}"
            );
            assert!(
                lines(&text, &["OpImageTexelPointer"]) >= atomics,
                "{name}: {text}"
            );
        }
    }
}

#[test]
fn native_halves_are_read_from_words_and_stored_by_atomics() {
    let text = translated("sixteen/buffers", 0, DESCRIPTOR_TEXEL_BUFFER);
    assert!(!text.contains("StorageBuffer"), "{text}");
    // A half and the other half of its word are stored by different threads: 6 halves of an
    // element and 4 of the raw buffer, each by one atomic that clears and one that sets.
    assert_eq!(lines(&text, &["OpAtomicAnd"]), 10, "{text}");
    assert_eq!(lines(&text, &["OpAtomicOr"]), 10, "{text}");
}

#[test]
fn sizes_are_those_of_the_elements() {
    let text = translated("buffers/dimensions", 0, DESCRIPTOR_TEXEL_BUFFER);
    assert!(has(&text, &["OpImageQuerySize"]), "{text}");
    assert!(!text.contains("OpArrayLength"), "{text}");
}

#[test]
fn atomics_of_64_bits_need_a_storage_buffer() {
    let mut session = Session::of("atomics/wide");
    let texels = VulkanBinding {
        descriptor_type: DESCRIPTOR_TEXEL_BUFFER,
        ..VulkanBinding::default()
    };
    session.answers().srv.buffer_binding = texels;
    session.answers().uav.buffer_binding = texels;
    session.remap();
    assert_eq!(session.run(), ERROR_UNSUPPORTED_FEATURE);
}
