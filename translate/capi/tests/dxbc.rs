//! Shaders of shader models 4.0 to 5.1 (DXBC) through the compatible ABI: what a layer is asked,
//! and where its answers end up in the module.
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

use std::ffi::{CStr, c_void};

use dxil_frontend::FourCc;
use dxil_frontend::container::{Signing, write_container};
use dxil_frontend::dxbc::{Components, File, Opcode, Operand, Program};
use dxil_frontend::dxil::ShaderKind;
use dxil_jit::compat::option_shapes::*;
use dxil_jit::compat::types::*;
use dxil_jit::compat::*;
use dxil_jit::native::{
    DxilJitClassInstance, DxilJitCode, DxilJitError, dxil_jit_translate_linked,
    dxil_jit_translation_free, dxil_jit_translation_words,
};
use session::*;

/// Returns the bytes of the DXBC form of one of the test shaders that run.
fn dxbc(name: &str) -> Vec<u8> {
    let here = env!("CARGO_MANIFEST_DIR");
    let path = format!("{here}/../../hwtests/shaders/{name}.dxbc");
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn register(file: File, indices: &[u32]) -> Operand {
    Operand::register(file, indices)
}

fn declared(file: File, indices: &[u32]) -> Operand {
    register(file, indices).with(Components::None)
}

fn temp(component: u8) -> Operand {
    register(File::Temp, &[0]).with(Components::Mask(1 << component))
}

fn number(value: u32) -> Operand {
    Operand::immediate([value; 4])
}

/// Return types of a resource: four times unsigned integer, four times float.
const UINT: u32 = 0x4444;
const FLOAT: u32 = 0x5555;
const STRUCTURED_HAS_COUNTER: u32 = 1 << 23;
/// The dimensions of `dcl_resource`, where the token has them.
const BUFFER: u32 = 1 << 11;
const TEXTURE_2D: u32 = 3 << 11;

/// Returns a shader of shader model 5.0: a register each, all in space 0.
fn registers_of_5_0() -> Vec<u8> {
    use File::{ConstantBuffer as B, Resource as T, Sampler as S, UnorderedAccessView as U};
    use Opcode as O;
    let mut program = Program::new(ShaderKind::Compute, (5, 0));
    let mut push = |opcode, controls, operands: &[Operand], words: &[u32]| {
        program.push(opcode, controls, operands, words).unwrap();
    };
    push(O::DclGlobalFlags, 1 << 11, &[], &[]);
    push(O::DclConstantBuffer, 0, &[register(B, &[3, 2])], &[]);
    push(O::DclSampler, 0, &[declared(S, &[2])], &[]);
    push(O::DclResourceStructured, 0, &[declared(T, &[0])], &[12]);
    push(O::DclResource, TEXTURE_2D, &[declared(T, &[1])], &[FLOAT]);
    push(O::DclResource, BUFFER, &[declared(T, &[4])], &[UINT]);
    push(O::DclResourceRaw, 0, &[declared(T, &[5])], &[]);
    let counted = declared(U, &[0]);
    push(
        O::DclUavStructured,
        STRUCTURED_HAS_COUNTER,
        &[counted],
        &[4],
    );
    push(O::DclUavRaw, 0, &[declared(U, &[1])], &[]);
    push(O::DclTemps, 0, &[], &[1]);
    push(O::DclThreadGroup, 0, &[], &[8, 2, 1]);
    push(O::ImmAtomicAlloc, 0, &[temp(0), counted], &[]);
    let element = register(File::Temp, &[0]).with(Components::Select(0));
    let t0 = register(T, &[0]).with(Components::Swizzle([0; 4]));
    push(O::LdStructured, 0, &[temp(1), element, number(8), t0], &[]);
    push(O::Ld, 0, &[temp(2), number(0), register(T, &[4])], &[]);
    let color = [
        temp(3),
        number(0),
        register(T, &[1]),
        register(S, &[2]),
        number(0),
    ];
    push(O::SampleL, 0, &color, &[]);
    let sum = register(File::Temp, &[0]).with(Components::Select(1));
    let texel = register(File::Temp, &[0]).with(Components::Select(2));
    push(O::Iadd, 0, &[temp(1), sum, texel], &[]);
    let constant = register(B, &[3, 1]).with(Components::Select(1));
    push(O::Iadd, 0, &[temp(1), sum, constant], &[]);
    let to_counted = register(U, &[0]).with(Components::Mask(1));
    push(
        O::StoreStructured,
        0,
        &[to_counted, element, number(0), sum],
        &[],
    );
    let t5 = register(T, &[5]).with(Components::Swizzle([0; 4]));
    push(O::LdRaw, 0, &[temp(2), number(4), t5], &[]);
    let to_bytes = register(U, &[1]).with(Components::Mask(1));
    push(O::StoreRaw, 0, &[to_bytes, number(0), texel], &[]);
    let filtered = register(File::Temp, &[0]).with(Components::Select(3));
    push(O::StoreRaw, 0, &[to_bytes, number(4), filtered], &[]);
    push(O::Ret, 0, &[], &[]);
    program.to_container().unwrap()
}

/// Returns a shader of shader model 5.1: ranges with spaces, one of them unbounded.
fn ranges_of_5_1() -> Vec<u8> {
    use File::{ConstantBuffer as B, Resource as T, UnorderedAccessView as U};
    use Opcode as O;
    let mut program = Program::new(ShaderKind::Compute, (5, 1));
    let mut push = |opcode, controls, operands: &[Operand], words: &[u32]| {
        program.push(opcode, controls, operands, words).unwrap();
    };
    push(O::DclGlobalFlags, 1 << 11, &[], &[]);
    push(O::DclConstantBuffer, 0, &[register(B, &[0, 5, 5])], &[1, 2]);
    push(
        O::DclResource,
        TEXTURE_2D,
        &[register(T, &[0, 7, u32::MAX])],
        &[FLOAT, 3],
    );
    push(
        O::DclResource,
        BUFFER,
        &[register(T, &[1, 4, 6])],
        &[UINT, 0],
    );
    push(O::DclUavStructured, 0, &[register(U, &[0, 1, 1])], &[4, 9]);
    push(O::DclTemps, 0, &[], &[1]);
    push(O::DclThreadGroup, 0, &[], &[1, 1, 1]);
    push(O::Ld, 0, &[temp(0), number(0), register(T, &[0, 12])], &[]);
    push(O::Ld, 0, &[temp(1), number(0), register(T, &[1, 5])], &[]);
    let [x, y] = [0, 1].map(|c| register(File::Temp, &[0]).with(Components::Select(c)));
    let constant = register(B, &[0, 5, 0]).with(Components::Select(3));
    push(O::Ftou, 0, &[temp(0), x], &[]);
    push(O::Iadd, 0, &[temp(0), x, y], &[]);
    push(O::Iadd, 0, &[temp(0), x, constant], &[]);
    let out = register(U, &[0, 1]).with(Components::Mask(1));
    push(O::StoreStructured, 0, &[out, number(0), number(0), x], &[]);
    push(O::Ret, 0, &[], &[]);
    program.to_container().unwrap()
}

/// The questions that a layer is asked, field by field.
#[derive(Default)]
struct Ranges(Vec<String>);

fn note(user: *mut c_void, letter: char, asked: &D3dBinding, counter: bool) {
    let D3dBinding {
        register_space: space,
        register_index: first,
        range_size: count,
        kind,
        alignment,
        stage,
        ..
    } = *asked;
    let count = match count {
        u32::MAX => "unbounded".to_owned(),
        count => count.to_string(),
    };
    let counter = if counter { " counted" } else { "" };
    let line = format!(
        "{letter}{first} space{space} count {count} kind {kind} align {alignment} stage {stage}{counter}"
    );
    unsafe { (*user.cast::<Ranges>()).0.push(line) };
}

unsafe extern "C" fn note_srv(
    user: *mut c_void,
    asked: *const D3dBinding,
    place: *mut SrvVulkanBinding,
) -> Bool {
    unsafe {
        note(user, 't', &*asked, false);
        (*place).buffer_binding = VulkanBinding {
            set: (*asked).register_space,
            binding: (*asked).register_index,
            ..VulkanBinding::default()
        };
    }
    1
}

unsafe extern "C" fn note_uav(
    user: *mut c_void,
    asked: *const D3dUavBinding,
    place: *mut UavVulkanBinding,
) -> Bool {
    unsafe {
        let binding = &(*asked).d3d_binding;
        note(user, 'u', binding, (*asked).has_counter != 0);
        (*place).buffer_binding = VulkanBinding {
            set: 1,
            binding: binding.register_index,
            descriptor_type: DESCRIPTOR_SSBO,
            ..VulkanBinding::default()
        };
        (*place).counter_binding = VulkanBinding {
            set: 2,
            ..(*place).buffer_binding
        };
    }
    1
}

unsafe extern "C" fn note_cbv(
    user: *mut c_void,
    asked: *const D3dBinding,
    place: *mut CbvVulkanBinding,
) -> Bool {
    unsafe {
        note(user, 'b', &*asked, false);
        (*place).push_constant = 1;
        (*place).uniform_binding = VulkanBinding::default();
    }
    1
}

unsafe extern "C" fn note_sampler(
    user: *mut c_void,
    asked: *const D3dBinding,
    place: *mut VulkanBinding,
) -> Bool {
    unsafe {
        note(user, 's', &*asked, false);
        *place = VulkanBinding {
            set: 3,
            binding: (*asked).register_index,
            ..VulkanBinding::default()
        };
    }
    1
}

/// Translates with callbacks that note what they are asked; returns that and the module's text.
fn translated(bytes: &[u8]) -> (Vec<String>, String) {
    let mut session = Session::new(bytes);
    let mut ranges = Ranges::default();
    let user = (&raw mut ranges).cast();
    let converter = session.handle();
    unsafe {
        dxil_spv_converter_set_srv_remapper(converter, Some(note_srv), user);
        dxil_spv_converter_set_uav_remapper(converter, Some(note_uav), user);
        dxil_spv_converter_set_cbv_remapper(converter, Some(note_cbv), user);
        dxil_spv_converter_set_sampler_remapper(converter, Some(note_sampler), user);
        dxil_spv_converter_set_root_constant_word_count(converter, 8);
    }
    let text = session.text();
    (ranges.0, text)
}

/// Returns whether a variable of a storage class has that set and binding.
fn is_bound(text: &str, class: &str, set: u32, binding: u32) -> bool {
    let has_decoration = |id: &str, word: &str, value: u32| {
        let line = format!("OpDecorate {id} {word} {value}");
        text.lines().any(|other| other == line)
    };
    text.lines().any(|line| {
        let id = line.split_whitespace().next().unwrap_or_default();
        line.contains("OpVariable")
            && line.contains(class)
            && has_decoration(id, "DescriptorSet", set)
            && has_decoration(id, "Binding", binding)
    })
}

#[test]
fn registers_of_shader_model_5_0_are_asked_about_as_ranges_of_one_in_space_0() {
    let (asked, text) = translated(&registers_of_5_0());
    assert_eq!(
        asked,
        [
            // Kinds are DXIL's: 12 structured, 2 texture, 10 typed, 11 raw, 13 constants, 14
            // sampler.
            "t0 space0 count 1 kind 12 align 4 stage 6",
            "t1 space0 count 1 kind 2 align 0 stage 6",
            "t4 space0 count 1 kind 10 align 0 stage 6",
            "t5 space0 count 1 kind 11 align 16 stage 6",
            "u0 space0 count 1 kind 12 align 4 stage 6 counted",
            "u1 space0 count 1 kind 11 align 16 stage 6",
            "b3 space0 count 1 kind 13 align 0 stage 6",
            "s2 space0 count 1 kind 14 align 0 stage 6",
        ]
    );
    assert!(is_bound(&text, "UniformConstant", 0, 1), "texture\n{text}");
    assert!(is_bound(&text, "UniformConstant", 0, 4), "typed\n{text}");
    assert!(is_bound(&text, "UniformConstant", 3, 2), "sampler\n{text}");
    assert!(is_bound(&text, "StorageBuffer", 1, 0), "counted\n{text}");
    assert!(is_bound(&text, "StorageBuffer", 2, 0), "counter\n{text}");
    assert!(is_bound(&text, "StorageBuffer", 1, 1), "raw\n{text}");
    assert!(text.contains("PushConstant"), "root constants\n{text}");
}

#[test]
fn ranges_of_shader_model_5_1_keep_their_spaces_and_counts() {
    let (asked, text) = translated(&ranges_of_5_1());
    assert_eq!(
        asked,
        [
            "t7 space3 count unbounded kind 2 align 0 stage 6",
            "t4 space0 count 3 kind 10 align 0 stage 6",
            "u1 space9 count 1 kind 12 align 4 stage 6",
            "b5 space2 count 1 kind 13 align 0 stage 6",
        ]
    );
    assert!(is_bound(&text, "UniformConstant", 3, 7), "{text}");
    assert!(has(&text, &["OpTypeRuntimeArray"]), "{text}");
    // Registers are counted from the start of their range.
    assert!(has(&text, &["OpConstant", "5"]), "{text}");
}

#[test]
fn a_blob_of_dxbc_has_one_entry_point_text_and_no_bitcode() {
    let session = Session::new(&registers_of_5_0());
    let blob = session.blob();
    let (mut count, mut index) = (0, 7);
    let (mut name, mut text) = (std::ptr::null(), std::ptr::null());
    let (mut data, mut size) = (std::ptr::null(), 0);
    unsafe {
        let code = dxil_spv_parsed_blob_get_num_entry_points(blob, &raw mut count);
        assert_eq!((code, count), (SUCCESS, 1));
        let code = dxil_spv_parsed_blob_get_entry_point_name(blob, 0, &raw mut name);
        assert_eq!((code, CStr::from_ptr(name)), (SUCCESS, c"main"));
        let code = dxil_spv_parsed_blob_get_entry_point_demangled_name(blob, 0, &raw mut name);
        assert_eq!((code, CStr::from_ptr(name)), (SUCCESS, c"main"));
        let code =
            dxil_spv_parsed_blob_get_entry_index_by_name(blob, c"main".as_ptr(), &raw mut index);
        assert_eq!((code, index), (SUCCESS, 0));
        assert_eq!(dxil_spv_parsed_blob_get_shader_stage(blob), 6);
        assert_eq!(dxil_spv_parsed_blob_get_num_rdat_subobjects(blob), 0);
        let code = dxil_spv_parsed_blob_get_disassembled_ir(blob, &raw mut text);
        assert_eq!(code, SUCCESS);
        let text = CStr::from_ptr(text).to_str().unwrap();
        assert!(text.contains("@main") && text.contains("dx.op."), "{text}");
        let code = dxil_spv_parsed_blob_get_raw_ir(blob, &raw mut data, &raw mut size);
        assert_eq!((code, data.is_null()), (ERROR_GENERIC, true));
    }
}

#[test]
fn dxbc_has_no_reflection_module() {
    let bytes = dxbc("bindings/spaces");
    let mut blob = std::ptr::null_mut();
    let code = unsafe {
        dxil_spv_parse_reflection_dxil_blob(bytes.as_ptr().cast(), bytes.len(), &raw mut blob)
    };
    assert_eq!((code, blob.is_null()), (ERROR_NO_DATA, true));
}

#[test]
fn scanning_asks_about_every_declaration() {
    let session = Session::new(&ranges_of_5_1());
    let mut ranges = Ranges::default();
    let user = (&raw mut ranges).cast();
    let code = unsafe {
        dxil_spv_parsed_blob_scan_resources(
            session.blob(),
            Some(note_srv),
            Some(note_sampler),
            Some(note_cbv),
            Some(note_uav),
            user,
        )
    };
    assert_eq!(code, SUCCESS);
    let letters: String = ranges
        .0
        .iter()
        .filter_map(|line| line.chars().next())
        .collect();
    assert_eq!(letters, "ttub");
}

#[test]
fn every_stage_is_known_by_its_number() {
    let stages = [
        ("draw/place_vs", 1),
        ("tess/few_hs", 2),
        ("tess/few_ds", 3),
        ("streams/triangle_gs", 4),
        ("draw/color_ps", 5),
        ("bindings/spaces", 6),
    ];
    for (name, stage) in stages {
        let mut session = Session::new(&dxbc(name));
        let found = unsafe { dxil_spv_parsed_blob_get_shader_stage(session.blob()) };
        assert_eq!(found, stage, "{name}");
        session.text();
    }
}

#[test]
fn a_heap_serves_ranges_of_dxbc() {
    let mut session = Session::new(&ranges_of_5_1());
    let heap = VulkanBinding {
        set: 4,
        root_constant_index: 2,
        bindless: Bindless {
            heap_root_offset: 3,
            use_heap: 1,
        },
        ..VulkanBinding::default()
    };
    session.answers().srv.buffer_binding = heap;
    session.answers().uav.buffer_binding = VulkanBinding {
        descriptor_type: DESCRIPTOR_SSBO,
        ..heap
    };
    session.answers().cbv.uniform_binding = heap;
    session.remap();
    unsafe { dxil_spv_converter_set_root_constant_word_count(session.handle(), 4) };
    let text = session.text();
    assert_eq!(session.answers().asked, ["t7", "t4", "u1", "b5"]);
    assert!(is_bound(&text, "UniformConstant", 4, 0), "{text}");
    assert!(is_bound(&text, "StorageBuffer", 4, 0), "{text}");
    assert!(is_bound(&text, "Uniform", 4, 0), "{text}");
}

unsafe extern "C" fn note_vertex_input(
    user: *mut c_void,
    asked: *const D3dVertexInput,
    place: *mut VulkanVertexInput,
) -> Bool {
    unsafe {
        let asked = &*asked;
        let name = CStr::from_ptr(asked.semantic).to_str().unwrap();
        let line = format!("{name}{} row {}", asked.semantic_index, asked.start_row);
        (*user.cast::<Ranges>()).0.push(line);
        (*place).location = asked.start_row + 10;
    }
    1
}

#[test]
fn vertex_inputs_are_placed_by_their_remapper() {
    let mut session = Session::new(&dxbc("raster/packed_vs"));
    let mut ranges = Ranges::default();
    let user = (&raw mut ranges).cast();
    unsafe {
        let remapper = Some(note_vertex_input as _);
        dxil_spv_converter_set_vertex_input_remapper(session.handle(), remapper, user);
    }
    let text = session.text();
    let reference = {
        let mut session = Session::of("raster/packed_vs");
        let mut ranges = Ranges::default();
        let user = (&raw mut ranges).cast();
        unsafe {
            let remapper = Some(note_vertex_input as _);
            dxil_spv_converter_set_vertex_input_remapper(session.handle(), remapper, user);
        }
        session.text();
        ranges.0
    };
    assert_eq!(ranges.0, reference);
    assert!(
        reference.is_empty() || has(&text, &["Location", "10"]),
        "{text}"
    );
}

unsafe extern "C" fn stream_everything(
    user: *mut c_void,
    asked: *const D3dStreamOutput,
    place: *mut VulkanStreamOutput,
) -> Bool {
    unsafe {
        let ranges = &mut *user.cast::<Ranges>();
        let name = CStr::from_ptr((*asked).semantic).to_str().unwrap();
        ranges.0.push(name.to_ascii_uppercase());
        place.write(VulkanStreamOutput {
            offset: 16 * (ranges.0.len() as u32 - 1),
            stride: 64,
            buffer_index: 1,
            enable: 1,
        });
    }
    1
}

#[test]
fn outputs_are_streamed_where_the_remapper_says() {
    let asked = |bytes: &[u8]| {
        let mut session = Session::new(bytes);
        let mut ranges = Ranges::default();
        let user = (&raw mut ranges).cast();
        unsafe {
            let remapper = Some(stream_everything as _);
            dxil_spv_converter_set_stream_output_remapper(session.handle(), remapper, user);
        }
        let text = session.text();
        assert!(has(&text, &["OpCapability", "TransformFeedback"]), "{text}");
        assert!(has(&text, &["XfbBuffer", "1"]), "{text}");
        assert!(has(&text, &["XfbStride", "64"]), "{text}");
        // DXBC lists each row of an array as an element.
        ranges.0.dedup();
        ranges.0
    };
    for name in ["draw/place_vs", "tess/few_ds", "streams/triangle_gs"] {
        let of_dxil = asked(&shader(name));
        assert!(!of_dxil.is_empty());
        assert_eq!(asked(&dxbc(name)), of_dxil, "{name}");
    }
}

#[test]
fn patch_constants_of_hull_and_domain_shader_meet() {
    let mut hull = Session::new(&dxbc("tess/few_hs"));
    let hull_text = hull.text();
    let mut of_dxil = Session::of("tess/few_hs");
    of_dxil.text();
    for query in [
        dxil_spv_converter_get_patch_vertex_count as unsafe extern "C" fn(_, _) -> _,
        dxil_spv_converter_get_patch_location_offset,
    ] {
        assert_eq!(hull.number(query), of_dxil.number(query));
    }
    let offset = hull.number(dxil_spv_converter_get_patch_location_offset);
    let mut domain = Session::new(&dxbc("tess/few_ds"));
    unsafe { dxil_spv_converter_set_patch_location_offset(domain.handle(), offset) };
    let domain_text = domain.text();
    let patch_constants = |text: &str| {
        let mut all: Vec<u32> = text
            .lines()
            .filter(|line| line.contains(" Location "))
            .filter_map(|line| line.split_whitespace().last()?.parse().ok())
            .filter(|&location| location >= offset)
            .collect();
        all.sort_unstable();
        all
    };
    assert_eq!(patch_constants(&hull_text), patch_constants(&domain_text));
    assert!(!patch_constants(&hull_text).is_empty());
}

#[test]
fn thread_groups_of_dxbc_are_told() {
    let mut session = Session::new(&registers_of_5_0());
    session.text();
    let mut size = [0; 3];
    let [x, y, z] = &mut size;
    let code =
        unsafe { dxil_spv_converter_get_compute_workgroup_dimensions(session.handle(), x, y, z) };
    assert_eq!((code, size), (SUCCESS, [8, 2, 1]));
    assert_eq!(session.entry_name(), "main");
}

#[test]
fn names_are_written_for_tools() {
    let mut session = Session::new(&registers_of_5_0());
    session.option(Flag(OptionBase { number: 48 }, 1));
    let text = session.text();
    assert!(text.contains("OpName"), "{text}");
}

#[test]
fn a_damaged_program_is_an_error_of_the_parser() {
    let bytes = registers_of_5_0();
    let mut blob = std::ptr::null_mut();
    for length in (1..bytes.len()).step_by(13) {
        let code =
            unsafe { dxil_spv_parse_dxil_blob(bytes.as_ptr().cast(), length, &raw mut blob) };
        assert_eq!(
            (code, blob.is_null()),
            (ERROR_PARSER, true),
            "{length} bytes"
        );
    }
}

/// Returns a hull shader of patch constants alone, whose control points are passed through.
fn hull_without_control_point_phase() -> Vec<u8> {
    use Opcode as O;
    let mut program = Program::new(ShaderKind::Hull, (5, 0));
    let mut push = |opcode, controls, operands: &[Operand], words: &[u32]| {
        program.push(opcode, controls, operands, words).unwrap();
    };
    push(O::HsDecls, 0, &[], &[]);
    push(O::DclInputControlPointCount, 3 << 11, &[], &[]);
    push(O::DclOutputControlPointCount, 3 << 11, &[], &[]);
    push(O::DclTessDomain, 2 << 11, &[], &[]);
    push(O::DclTessPartitioning, 1 << 11, &[], &[]);
    push(O::DclTessOutputPrimitive, 3 << 11, &[], &[]);
    // The factors of the three edges (numbers 17 to 19) and of the inside (20).
    for (register, factor) in (0..).zip(17..=20) {
        let output = Operand::register(File::Output, &[register]).with(Components::Mask(1));
        push(O::HsForkPhase, 0, &[], &[]);
        push(O::DclOutputSiv, 0, &[output], &[factor]);
        push(O::Mov, 0, &[output, number(2.0_f32.to_bits())], &[]);
        push(O::Ret, 0, &[], &[]);
    }
    let bytes =
        |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    // Name, index, system value (13 and 14 of D3D_NAME), float, register, mask.
    let names = 8 + 4 * 24;
    let mut signature = vec![4, 8];
    for index in 0..4 {
        let (name, index_of_name, system_value) = match index {
            3 => (names + 14, 0, 14),
            edge => (names, edge, 13),
        };
        signature.extend([name, index_of_name, system_value, 3, index, 1]);
    }
    let mut signature = bytes(&signature);
    signature.extend_from_slice(b"SV_TessFactor\0SV_InsideTessFactor\0\0\0");
    let code = bytes(&program.to_tokens().unwrap());
    let parts = [(FourCc::PCSG, &signature[..]), (FourCc::SHEX, &code[..])];
    write_container(&parts, Signing::Digest).unwrap()
}

#[test]
fn a_hull_shader_without_control_point_phase_is_an_entry_point() {
    let mut session = Session::new(&hull_without_control_point_phase());
    let mut name = std::ptr::null();
    let code = unsafe {
        dxil_spv_parsed_blob_get_entry_point_demangled_name(session.blob(), 0, &raw mut name)
    };
    assert_eq!(code, SUCCESS);
    let text = session.text();
    assert!(has(&text, &["TessellationControl"]), "{text}");
    assert_eq!(session.number(dxil_spv_converter_get_patch_vertex_count), 3);
}

/// Calls the native function with an interface slot bound to a function table, or without; returns
/// the words of the module, or the message of the error.
fn translated_with(bytes: &[u8], instances: &[DxilJitClassInstance]) -> Result<Vec<u32>, String> {
    let mut translation = std::ptr::null_mut();
    let mut error = std::mem::MaybeUninit::<DxilJitError>::zeroed();
    unsafe {
        let code = dxil_jit_translate_linked(
            bytes.as_ptr(),
            bytes.len(),
            std::ptr::null(),
            std::ptr::null(),
            0,
            instances.as_ptr(),
            instances.len(),
            std::ptr::null(),
            &raw mut translation,
            error.as_mut_ptr(),
        );
        if code != DxilJitCode::Ok {
            let message = CStr::from_ptr((*error.as_ptr()).message.as_ptr());
            return Err(message.to_str().unwrap().to_owned());
        }
        let mut count = 0;
        let words = dxil_jit_translation_words(translation, &raw mut count);
        let words = std::slice::from_raw_parts(words, count).to_vec();
        dxil_jit_translation_free(translation);
        Ok(words)
    }
}

#[test]
fn class_instances_select_the_functions_of_interfaces() {
    let mut program = Program::new(ShaderKind::Compute, (5, 0));
    let mut push = |opcode, operands: &[Operand], words: &[u32]| {
        program.push(opcode, 0, operands, words).unwrap();
    };
    push(
        Opcode::DclUavRaw,
        &[declared(File::UnorderedAccessView, &[0])],
        &[],
    );
    push(Opcode::DclTemps, &[], &[1]);
    push(Opcode::DclThreadGroup, &[], &[1, 1, 1]);
    push(Opcode::DclFunctionTable, &[], &[0, 1, 0]);
    push(Opcode::DclFunctionTable, &[], &[1, 1, 1]);
    push(Opcode::DclInterface, &[], &[0, 1, 1 << 16 | 2, 0, 1]);
    push(
        Opcode::InterfaceCall,
        &[declared(File::Interface, &[0, 0])],
        &[0],
    );
    let place = register(File::UnorderedAccessView, &[0]).with(Components::Mask(1));
    let first = number(0).with(Components::One);
    push(
        Opcode::StoreRaw,
        &[place, first, register(File::Temp, &[0])],
        &[],
    );
    push(Opcode::Ret, &[], &[]);
    // Numbers that are nowhere else in the module.
    const RESULTS: [u32; 2] = [0x1357_9bdf, 0x2468_ace0];
    for (body, result) in (0..).zip(RESULTS) {
        push(Opcode::Label, &[declared(File::FunctionBody, &[body])], &[]);
        push(Opcode::Mov, &[temp(0), number(result)], &[]);
        push(Opcode::Ret, &[], &[]);
    }
    let bytes = program.to_container().unwrap();
    let instance = |slot, function_table| DxilJitClassInstance {
        instance_name: std::ptr::null(),
        class_name: std::ptr::null(),
        slot,
        function_table,
        constant_buffer: 0,
        constant_offset: 0,
        texture: 0,
        sampler: 0,
    };
    for (bound, own) in (0..).zip(RESULTS) {
        let words = translated_with(&bytes, &[instance(0, bound)]).unwrap();
        for result in RESULTS {
            assert_eq!(words.contains(&result), result == own, "table {bound}");
        }
    }
    let error = translated_with(&bytes, &[instance(0, 7)]).unwrap_err();
    assert!(
        error.contains("function table 7 cannot be bound"),
        "{error}"
    );
    let error = translated_with(&bytes, &[instance(300, 0)]).unwrap_err();
    assert!(error.contains("interface slot 300"), "{error}");
    let named = DxilJitClassInstance {
        instance_name: c"sun".as_ptr(),
        ..instance(0, 0)
    };
    let error = translated_with(&bytes, &[named]).unwrap_err();
    assert!(error.contains("no class instance sun"), "{error}");
}
