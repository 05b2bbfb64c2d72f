//! Acceleration structures and ray queries through the ABI.
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

/// `DXIL_SPV_RESOURCE_KIND_RT_ACCELERATION_STRUCTURE`.
const STRUCTURE: u32 = 16;

fn base(number: u32) -> OptionBase {
    OptionBase { number }
}

#[test]
fn structures_are_descriptors_unless_somebody_says_otherwise() {
    let mut session = Session::of("rays/root");
    session.remap();
    let text = session.text();
    assert_eq!(session.answers().kinds, [STRUCTURE]);
    assert!(has(&text, &["OpTypeAccelerationStructureKHR"]));
    assert!(!has(&text, &["OpConvertUToAccelerationStructureKHR"]));
}

#[test]
fn structures_of_root_descriptors_are_addresses() {
    let mut session = Session::of("rays/root");
    session.flag(7);
    session.answers().srv.buffer_binding = VulkanBinding {
        root_constant_index: 1,
        descriptor_type: DESCRIPTOR_DEVICE_ADDRESS,
        ..VulkanBinding::default()
    };
    session.remap();
    unsafe { dxil_spv_converter_set_root_descriptor_count(session.handle(), 2) };
    let text = session.text();
    assert_eq!(lines(&text, &["OpConvertUToAccelerationStructureKHR"]), 1);
    // No memory is read through the address.
    assert!(!has(&text, &["PhysicalStorageBuffer64"]));
}

#[test]
fn structures_of_tables_lie_in_the_table_of_addresses() {
    let mut session = Session::of("rays/several");
    session.answers().srv.buffer_binding = VulkanBinding {
        set: 2,
        binding: 5,
        root_constant_index: 1,
        bindless: Bindless {
            heap_root_offset: 3,
            use_heap: 1,
        },
        descriptor_type: DESCRIPTOR_SSBO,
    };
    session.answers().cbv.push_constant = 1;
    session.remap();
    unsafe { dxil_spv_converter_set_root_constant_word_count(session.handle(), 4) };
    // Two addresses per descriptor, of which the second one counts.
    session.option(Numbers2(base(24), 2, 1));
    let text = session.text();
    assert_eq!(lines(&text, &["OpConvertUToAccelerationStructureKHR"]), 1);
    assert!(has(&text, &["OpDecorate", "ArrayStride", "8"]));
    assert!(has(&text, &["OpDecorate", "Binding", "5"]));
    assert!(!has(&text, &["UniformConstant"]));
}

#[test]
fn structures_straight_from_the_heap_lie_there_too() {
    let mut session = Session::of("rays/heap");
    session.answers().srv.buffer_binding = VulkanBinding {
        set: 2,
        bindless: Bindless {
            heap_root_offset: 0,
            use_heap: 1,
        },
        descriptor_type: DESCRIPTOR_SSBO,
        ..VulkanBinding::default()
    };
    session.remap();
    let text = session.text();
    assert_eq!(session.answers().asked, ["t heap", "u0"]);
    assert!(has(&text, &["OpConvertUToAccelerationStructureKHR"]));
    // Or descriptors lie there.
    let mut session = Session::of("rays/heap");
    session.answers().srv.buffer_binding = VulkanBinding {
        set: 2,
        bindless: Bindless {
            heap_root_offset: 0,
            use_heap: 1,
        },
        ..VulkanBinding::default()
    };
    session.remap();
    let text = session.text();
    assert!(!has(&text, &["OpConvertUToAccelerationStructureKHR"]));
    assert!(has(&text, &["OpTypeRuntimeArray"]));
}

#[test]
fn micromaps_are_an_option() {
    let here = env!("CARGO_MANIFEST_DIR");
    let path = format!("{here}/../filetests/ray_queries/opacity_micromap.dxil");
    let bytes = std::fs::read(path).unwrap();
    let mut session = Session::new(&bytes);
    assert_eq!(session.run(), ERROR_UNSUPPORTED_FEATURE);
    session.flag(32);
    assert!(has(&session.text(), &["RayTracingOpacityMicromapEXT"]));
}
