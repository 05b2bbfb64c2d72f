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
    session.answers().uav.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
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

/// Numbers of micromaps that rspirv and the validator do not know yet.
const MICROMAP_MODE: u32 = 6031;
const MICROMAP_MODE_CAPABILITY: u32 = 6032;

/// Returns whether the module has an instruction that begins with these words, apart from its
/// length.
fn has_instruction(words: &[u32], opcode: u32, operands: &[u32]) -> bool {
    let mut rest = &words[5..];
    while let Some(&first) = rest.first() {
        let (instruction, next) = rest.split_at((first >> 16) as usize);
        if first & 0xffff == opcode && instruction[1..].starts_with(operands) {
            return true;
        }
        rest = next;
    }
    false
}

fn has_capability(words: &[u32], number: u32) -> bool {
    has_instruction(words, 17, &[number])
}

/// Returns whether the entry point has an execution mode whose operands are ids.
fn has_mode(words: &[u32], number: u32) -> bool {
    let entry = words.windows(3).position(|w| w[0] & 0xffff == 15).unwrap();
    has_instruction(words, 331, &[words[entry + 2], number])
}

fn micromaps() -> Session {
    let here = env!("CARGO_MANIFEST_DIR");
    let path = format!("{here}/../filetests/ray_queries/opacity_micromap.dxil");
    Session::new(&std::fs::read(path).unwrap())
}

#[test]
fn queries_that_ask_for_micromaps_meet_them() {
    let mut session = micromaps();
    assert_eq!(session.run(), SUCCESS);
    let words = session.words();
    assert!(words[1] >= 0x0001_0400);
    assert!(has_capability(&words, MICROMAP_MODE_CAPABILITY));
    assert!(has_mode(&words, MICROMAP_MODE));
    // The older extension has no such mode, and is said by an option of its own.
    let mut session = micromaps();
    session.flag(32);
    let text = session.text();
    assert!(has(&text, &["RayTracingOpacityMicromapEXT"]));
    assert!(has(&text, &["\"SPV_EXT_opacity_micromap\""]));
}

#[test]
fn older_queries_can_be_made_to_meet_micromaps() {
    let run = |forced| {
        let mut session = Session::of("rays/root");
        session.option(Flags2(base(53), 0, forced));
        session.remap();
        assert_eq!(session.run(), SUCCESS);
        session.words()
    };
    assert!(!has_mode(&run(0), MICROMAP_MODE));
    assert_eq!(run(0)[1], 0x0001_0300);
    let forced = run(1);
    assert!(has_mode(&forced, MICROMAP_MODE));
    assert!(has_capability(&forced, MICROMAP_MODE_CAPABILITY));
    assert!(forced[1] >= 0x0001_0400);
}
