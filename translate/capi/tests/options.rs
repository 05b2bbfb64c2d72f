//! Options and quirks through the ABI: what each of them changes in the module.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first problem"
)]

mod session;

use std::ffi::{CStr, c_char, c_uint, c_void};
use std::path::Path;
use std::ptr::null_mut;

use dxil_jit::compat::option_shapes::OptionBase;
use dxil_jit::compat::types::{
    Bool, CbvVulkanBinding, CompiledSpirv, D3dBinding, DESCRIPTOR_DEVICE_ADDRESS,
};
use dxil_jit::compat::*;
use dxil_validator::{Environment, Rules, validate};

/// An option as a caller says it.
#[derive(Clone, Copy)]
enum Say {
    Quirk(c_uint),
    Flag(c_uint, bool),
    Flags2(c_uint, bool, bool),
    Flags3(c_uint, [bool; 3]),
    Number(c_uint, c_uint),
    LaneCount(c_uint),
    /// Unroll, don't unroll, flatten, branch; the shader's own hints are passed on if the first is
    /// true.
    Hints(bool, [bool; 4]),
}

use Say::*;

const DEMOTE: c_uint = 1;
const ADDRESSES: c_uint = 7;
const ROBUST_CBV: c_uint = 22;
const RELAXED: c_uint = 23;
const NATIVE_16_BIT: c_uint = 16;
const DRIVER: c_uint = 39;
const LANES: c_uint = 25;
const DENORMS: c_uint = 26;
const STRICT_HELPERS: c_uint = 27;
const PRECISE: c_uint = 30;
const HINTS: c_uint = 33;
const NV_DERIVATIVES: c_uint = 36;
const DERIVATIVES: c_uint = 40;
const QUIRK: c_uint = 42;
const MAX_TESSELLATION: c_uint = 44;
const QUAD_DERIVATIVES: c_uint = 51;
const ADDRESSING: c_uint = 52;
const FLOAT_CONTROLS_2: c_uint = 54;
const ABORT: c_uint = 55;
const FMA: c_uint = 56;

/// The lines of a translation.
struct Lines(Vec<String>);

impl Lines {
    fn count(&self, word: &str) -> usize {
        let has = |line: &&String| line.split_whitespace().any(|other| other == word);
        self.0.iter().filter(has).count()
    }

    fn having(&self, words: &str) -> usize {
        let has = |line: &&String| words.split(' ').all(|word| line.contains(word));
        self.0.iter().filter(has).count()
    }
}

/// Returns the option's structure, as bytes with room after it.
fn structure(say: Say) -> [u8; 64] {
    let mut bytes = [0; 64];
    let mut word = |at: usize, value: c_uint| {
        bytes[at..at + 4].copy_from_slice(&value.to_ne_bytes());
    };
    match say {
        Quirk(quirk) => {
            word(0, QUIRK);
            word(4, quirk);
        }
        Number(option, value) => {
            word(0, option);
            word(4, value);
        }
        LaneCount(count) => {
            word(0, LANES);
            word(4, count);
        }
        Flag(option, flag) => {
            word(0, option);
            bytes[4] = flag.into();
        }
        Flags2(option, first, second) => {
            word(0, option);
            bytes[4..6].copy_from_slice(&[first.into(), second.into()]);
        }
        Flags3(option, flags) => {
            word(0, option);
            bytes[4..7].copy_from_slice(&flags.map(u8::from));
        }
        Hints(own, forced) => {
            word(0, HINTS);
            bytes[4] = own.into();
            bytes[5..9].copy_from_slice(&forced.map(u8::from));
        }
    }
    bytes
}

/// The structure where C would have it.
#[repr(align(8))]
struct Aligned([u8; 64]);

/// Prints the messages of the library, which help to find the reason of a failure.
#[allow(clippy::print_stderr, reason = "a test's output")]
unsafe extern "C" fn show(_: *mut c_void, _: c_uint, message: *const c_char) {
    // SAFETY: messages are strings.
    eprintln!("{}", unsafe { CStr::from_ptr(message) }.to_string_lossy());
}

/// Puts constant buffers behind device addresses.
unsafe extern "C" fn behind_address(
    _: *mut c_void,
    _: *const D3dBinding,
    place: *mut CbvVulkanBinding,
) -> Bool {
    // SAFETY: the library's structure.
    let place = unsafe { &mut (*place).uniform_binding };
    place.descriptor_type = DESCRIPTOR_DEVICE_ADDRESS;
    1
}

/// Translates a shader of the repository; the path begins at its root.
fn translate(shader: &str, options: &[Say]) -> Lines {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let bytes = std::fs::read(root.join(shader)).unwrap();
    let words: Vec<u32> = {
        let (mut blob, mut converter) = (null_mut(), null_mut());
        let mut compiled = CompiledSpirv {
            data: null_mut(),
            size: 0,
        };
        // SAFETY: the bytes outlive the blob, and all handles are alive.
        unsafe {
            let (data, size) = (bytes.as_ptr().cast(), bytes.len());
            dxil_spv_set_thread_log_callback(Some(show), null_mut());
            assert_eq!(dxil_spv_parse_dxil_blob(data, size, &raw mut blob), 0);
            assert_eq!(dxil_spv_create_converter(blob, &raw mut converter), 0);
            for &option in [Flag(DEMOTE, true)].iter().chain(options) {
                let option = Aligned(structure(option));
                let option = (&raw const option.0).cast::<OptionBase>();
                assert_eq!(dxil_spv_converter_add_option(converter, option), 0);
            }
            if options
                .iter()
                .any(|say| matches!(say, Flag(ADDRESSES, true)))
            {
                dxil_spv_converter_set_cbv_remapper(converter, Some(behind_address), null_mut());
                dxil_spv_converter_set_root_descriptor_count(converter, 1);
            }
            assert_eq!(dxil_spv_converter_run(converter), 0);
            let got = dxil_spv_converter_get_compiled_spirv(converter, &raw mut compiled);
            assert_eq!(got, 0);
            let data = compiled.data.cast::<u32>();
            let words = std::slice::from_raw_parts(data, compiled.size / 4).to_vec();
            dxil_spv_converter_free(converter);
            dxil_spv_parsed_blob_free(blob);
            words
        }
    };
    let environment = match words[1] {
        0x0001_0300 => Environment::Vulkan1_1,
        _ => Environment::Vulkan1_2,
    };
    validate(&words, Rules::strict(environment)).unwrap();
    let text = session::text_of(&words);
    Lines(text.lines().map(str::to_owned).collect())
}

fn quirks(options: &[Say]) -> Lines {
    translate("translate/capi/tests/shaders/quirks.dxil", options)
}

#[test]
fn precise_can_be_forced() {
    let plain = quirks(&[]);
    let forced = quirks(&[Flags2(PRECISE, true, true)]);
    // The one multiply-add that the shader marks.
    assert_eq!(plain.count("NoContraction"), 2);
    assert!(forced.count("NoContraction") > 8);
    assert_eq!(quirks(&[Flags2(PRECISE, false, true)]).0, plain.0);
}

#[test]
fn a_precise_multiply_add_can_be_fused() {
    assert_eq!(quirks(&[]).count("Fma"), 0);
    let fused = quirks(&[Quirk(13)]);
    assert_eq!((fused.count("Fma"), fused.count("NoContraction")), (1, 0));
}

#[test]
fn a_fused_multiply_add_is_exact_where_the_device_has_it() {
    let doubles = "hwtests/shaders/wide/double_arithmetic.dxil";
    let plain = translate(doubles, &[]);
    let (loose, exact) = (plain.count("Fma"), plain.count("OpFmaKHR"));
    assert!(loose > 0);
    assert_eq!(exact, 0);
    let others = translate(doubles, &[Flags3(FMA, [true, true, false])]);
    assert_eq!(others.0, plain.0);
    let fused = translate(doubles, &[Flags3(FMA, [false, false, true])]);
    assert_eq!((fused.count("Fma"), fused.count("OpFmaKHR")), (0, loose));
    assert_eq!(fused.having("OpExtension \"SPV_KHR_fma\""), 1);

    let single = [Quirk(13), Flags3(FMA, [false, true, false])];
    let single = quirks(&single);
    assert_eq!((single.count("Fma"), single.count("OpFmaKHR")), (0, 1));
}

#[test]
fn denormal_halves_can_be_kept_from_the_driver() {
    let shader = "hwtests/shaders/arith/half_packing.dxil";
    let plain = translate(shader, &[]);
    let unpacked = plain.count("UnpackHalf2x16");
    assert!(unpacked > 0);
    let exact = translate(shader, &[Quirk(17)]);
    assert_eq!(exact.count("UnpackHalf2x16"), 0);
    // A driver that keeps them by itself needs no help.
    let kept = translate(shader, &[Quirk(17), Flags2(DENORMS, true, false)]);
    assert_eq!(kept.count("UnpackHalf2x16"), unpacked);
}

#[test]
fn conversions_are_the_devices_unless_it_is_a_processor() {
    let shader = "hwtests/shaders/draw/int_ps.dxil";
    // RADV (3) and an unknown driver convert as D3D does; SwiftShader (10) and lavapipe (13) do
    // not.
    for own in [&[][..], &[Number(DRIVER, 3)], &[Number(DRIVER, 1000)]] {
        let lines = translate(shader, own);
        assert!(lines.count("OpConvertFToS") > 0);
        assert_eq!(lines.count("OpIsNan") + lines.count("NClamp"), 0);
    }
    for processor in [10, 13] {
        let lines = translate(shader, &[Number(DRIVER, processor)]);
        let conversions = lines.count("OpConvertFToS");
        assert!(conversions > 0);
        assert_eq!(lines.count("OpIsNan"), conversions);
        assert_eq!(lines.count("NClamp"), conversions);
    }
}

#[test]
fn halves_are_packed_toward_zero_where_the_driver_has_the_mode() {
    let shader = "hwtests/shaders/numbers/f32tof16.dxil";
    let packed = |options: &[Say]| {
        let lines = translate(shader, options);
        let counts = ["PackHalf2x16", "RoundingModeRTZ", "OpConvertFToU"];
        counts.map(|word| lines.count(word))
    };
    assert_eq!(packed(&[]), [1, 0, 0]);
    // A capability and a mode. Devices that compute in halves keep their denormals.
    let radv = Number(DRIVER, 3);
    assert_eq!(packed(&[radv, Flags2(DENORMS, true, true)]), [1, 2, 0]);
    let native = Flag(NATIVE_16_BIT, true);
    assert_eq!(
        packed(&[radv, Flags2(DENORMS, true, true), native]),
        [1, 2, 0]
    );
    assert_eq!(packed(&[radv, Flags2(DENORMS, false, true)]), [1, 0, 0]);
    assert_eq!(packed(&[Number(DRIVER, 13)]), [0, 0, 1]);
}

#[test]
fn shaders_never_abort() {
    assert_eq!(quirks(&[Flag(ABORT, true)]).0, quirks(&[]).0);
}

#[test]
fn hints_can_be_forced() {
    assert_eq!(quirks(&[]).having("OpLoopMerge DontUnroll"), 1);
    let none = quirks(&[Hints(false, [false; 4])]);
    assert_eq!(none.having("OpLoopMerge DontUnroll"), 0);
    let unrolled = quirks(&[Hints(false, [true, false, false, false])]);
    assert_eq!(unrolled.having("OpLoopMerge DontUnroll"), 0);
    assert_eq!(unrolled.having("OpLoopMerge Unroll"), 1);
    // The shader's own hint goes first where it counts.
    let own = quirks(&[Hints(true, [true, false, true, false])]);
    assert_eq!(own.having("OpLoopMerge DontUnroll"), 1);
    assert!(own.having("OpSelectionMerge Flatten") > 0);
    let branches = quirks(&[Hints(false, [false, false, false, true])]);
    assert_eq!(
        branches.having("OpSelectionMerge DontFlatten"),
        branches.count("OpSelectionMerge")
    );
}

#[test]
fn indices_can_be_non_uniform_without_a_mark() {
    assert_eq!(quirks(&[]).count("NonUniform"), 0);
    for quirk in [5, 16] {
        let marked = quirks(&[Quirk(quirk)]);
        assert!(marked.count("NonUniform") > 0);
        assert_eq!(marked.count("StorageBufferArrayNonUniformIndexing"), 1);
    }
}

/// Returns the lines with the constants of the memory semantics of the group's barriers.
fn semantics(shader: &str, options: &[Say]) -> Vec<String> {
    let lines = translate(shader, options).0;
    let barriers = lines
        .iter()
        .filter(|line| line.contains("OpControlBarrier"));
    let value = |id: &str| {
        let constant = format!("{id} = OpConstant ");
        let line = lines.iter().find(|line| line.contains(&constant)).unwrap();
        line.split_whitespace().next_back().unwrap().to_owned()
    };
    barriers
        .map(|line| value(line.split_whitespace().next_back().unwrap()))
        .collect()
}

#[test]
fn barriers_of_a_group_can_order_uavs() {
    // Acquire and release of workgroup memory; with uniform and image memory.
    let (group, uavs, all) = ("264", "2120", "2376");
    let plain = "translate/capi/tests/shaders/quirks.dxil";
    assert_eq!(semantics(plain, &[]), [group]);
    assert_eq!(semantics(plain, &[Quirk(7)]), [all]);
    // There is nothing to catch.
    assert_eq!(semantics(plain, &[Quirk(1)]), [group]);
    assert_eq!(semantics(plain, &[]), [group]);
    assert_eq!(semantics(plain, &[Quirk(7)]), [all]);
    // There is nothing to catch.
    assert_eq!(semantics(plain, &[Quirk(1)]), [group]);
    let mixed = "translate/capi/tests/shaders/orders.dxil";
    assert_eq!(semantics(mixed, &[]), [uavs, group]);
    for quirk in [1, 7] {
        assert_eq!(semantics(mixed, &[Quirk(quirk)])[1], all);
    }
    // What the threads of a group see of each other's writes has to be coherent.
    assert_eq!(translate(mixed, &[]).count("Coherent"), 1);
    assert_eq!(quirks(&[]).count("Coherent"), 0);
    assert_eq!(quirks(&[Quirk(7)]).count("Coherent"), 1);
}

#[test]
fn lanes_can_walk_in_step() {
    let shader = "translate/capi/tests/shaders/lockstep.dxil";
    assert_eq!(translate(shader, &[]).count("OpControlBarrier"), 1);
    // After the stores, before the load; after the load, before the stores of the next round;
    // before the atomic. After the shader's own barrier there is nothing to order.
    let ordered = translate(shader, &[Quirk(8)]);
    assert_eq!(ordered.count("OpControlBarrier"), 1 + 3);
    assert_eq!(quirks(&[Quirk(8)]).count("OpControlBarrier"), 1);
}

#[test]
fn loops_can_begin_with_zero() {
    let plain = quirks(&[]);
    let zero = quirks(&[Quirk(9)]);
    // The phi names a constant instead.
    assert_eq!(
        zero.count("OpConstantNull"),
        plain.count("OpConstantNull") + 1
    );
}

#[test]
fn reciprocal_roots_can_be_finite() {
    let plain = quirks(&[]);
    assert_eq!((plain.count("Sqrt"), plain.count("InverseSqrt")), (1, 1));
    let finite = quirks(&[Quirk(10)]);
    assert_eq!(finite.count("InverseSqrt"), 2);
    assert_eq!(finite.count("NMin"), plain.count("NMin") + 2);
}

#[test]
fn what_inactive_lanes_of_a_quad_hold_can_be_zero() {
    assert_eq!(quirks(&[]).count("OpGroupNonUniformBallotBitExtract"), 0);
    let checked = quirks(&[Quirk(12)]);
    // The lane that is read, and the two that a derivative is of.
    assert_eq!(checked.count("OpGroupNonUniformBallotBitExtract"), 3);
}

#[test]
fn a_module_declares_the_derivative_groups_that_the_device_has() {
    // Groups of eight by eight threads, whose quads are two by two.
    let translate = |options: &[Say]| {
        let lines = translate("hwtests/shaders/textures/level_of_detail.dxil", options);
        let declared = ["Quads", "Linear"].map(|form| {
            let capability = lines.count(&format!("ComputeDerivativeGroup{form}KHR"));
            let mode = lines.count(&format!("DerivativeGroup{form}KHR"));
            assert_eq!(capability, mode, "{:?}", lines.0);
            capability == 1
        });
        let extensions =
            ["KHR", "NV"].map(|of| lines.having(&format!("SPV_{of}_compute_shader_derivatives")));
        let is_wide = lines.having("LocalSize 16 4 1") == 1;
        assert_eq!(is_wide, lines.having("LocalSize 8 8 1") == 0);
        (declared, extensions, is_wide, lines)
    };
    let (khr, nv) = ([1, 0], [0, 1]);
    for (options, declared, extension) in [
        (
            &[
                Flags2(DERIVATIVES, false, true),
                Flag(QUAD_DERIVATIVES, true),
            ][..],
            [true, false],
            khr,
        ),
        (
            &[
                Flags2(DERIVATIVES, true, true),
                Flag(QUAD_DERIVATIVES, false),
            ],
            [false, true],
            khr,
        ),
        (&[Flags2(DERIVATIVES, false, true)], [false, true], khr),
        (&[Flags2(DERIVATIVES, true, false)], [false, true], nv),
        (&[Flag(NV_DERIVATIVES, true)], [false, true], nv),
        (
            &[
                Flag(QUAD_DERIVATIVES, true),
                Flags2(DERIVATIVES, false, false),
            ],
            [false, false],
            [0, 0],
        ),
    ] {
        let (got, extensions, is_wide, lines) = translate(options);
        assert_eq!((got, extensions), (declared, extension), "{:?}", lines.0);
        assert_eq!(is_wide, !declared[0], "{:?}", lines.0);
        let native = declared != [false, false];
        assert_eq!(lines.count("OpImageSampleImplicitLod") == 1, native);
        assert_eq!(lines.having("OpImageSampleExplicitLod Grad") == 0, native);
    }
}

#[test]
fn the_lane_count_can_be_cut_down_or_forced() {
    assert_eq!(quirks(&[]).count("UMin"), 0);
    assert_eq!(quirks(&[Quirk(14)]).count("UMin"), 1);
    let forced = quirks(&[LaneCount(1)]);
    assert_eq!(forced.count("SubgroupSize"), 0);
}

#[test]
fn without_demotion_a_discarded_lane_ends() {
    let shader = "hwtests/shaders/corners/helper_discard_ps.dxil";
    assert_eq!(
        translate(shader, &[]).count("OpDemoteToHelperInvocation"),
        1
    );
    let ends = translate(shader, &[Flag(DEMOTE, false)]);
    assert_eq!(ends.count("OpKill"), 1);
    assert_eq!(ends.having("Demote"), 0);
}

#[test]
fn constants_behind_an_address_can_end() {
    let shader = "translate/capi/tests/shaders/dynamic_rows.dxil";
    let plain = translate(shader, &[Flag(ADDRESSES, true)]);
    assert_eq!(plain.count("OpULessThan"), 0);
    for say in [Quirk(3), Quirk(6), Flag(ROBUST_CBV, true)] {
        let checked = translate(shader, &[Flag(ADDRESSES, true), say]);
        assert_eq!(checked.count("OpULessThan"), 1);
    }
}

#[test]
fn small_mips_of_cubes_can_be_avoided() {
    assert_eq!(quirks(&[]).count("OpImageQuerySizeLod"), 0);
    assert_eq!(quirks(&[Quirk(2)]).count("OpImageQuerySizeLod"), 1);
}

#[test]
fn counts_of_a_mesh_can_be_checked() {
    let shader = "hwtests/shaders/mesh/lines_ms.dxil";
    let plain = translate(shader, &[]);
    let checked = translate(shader, &[Quirk(4)]);
    assert_eq!(
        checked.count("OpULessThanEqual"),
        plain.count("OpULessThanEqual") + 2
    );
    assert!(checked.count("UMin") > plain.count("UMin"));
}

#[test]
fn the_shading_rate_can_be_left_out() {
    let shader = "translate/filetests/vertex/shading_rate.dxil";
    assert!(translate(shader, &[]).having("PrimitiveShadingRateKHR") > 0);
    let without = translate(shader, &[Quirk(11)]);
    assert_eq!(without.having("ShadingRate"), 0);
}

#[test]
fn tessellation_can_be_limited() {
    let shader = "hwtests/shaders/tess/few_hs.dxil";
    let plain = translate(shader, &[]);
    let limited = translate(shader, &[Number(MAX_TESSELLATION, 7)]);
    assert!(limited.count("NMin") > plain.count("NMin"));
    assert!(limited.having("OpConstant 1088421888") > plain.having("OpConstant 1088421888"));
}

#[test]
fn min_precision_is_relaxed_where_the_caller_takes_it() {
    let shader = "translate/capi/tests/shaders/min_precision.dxil";
    assert_eq!(translate(shader, &[]).count("RelaxedPrecision"), 0);
    let relaxed = translate(shader, &[Flag(RELAXED, true)]);
    assert!(relaxed.count("RelaxedPrecision") > 0);
}

#[test]
fn denormals_are_kept_as_d3d_has_them() {
    let shader = "translate/capi/tests/shaders/halves.dxil";
    let plain = translate(shader, &[]);
    assert_eq!(plain.having("OpExecutionMode DenormPreserve 16"), 0);
    // The shader asks for that of its own floats.
    assert_eq!(plain.having("OpExecutionMode DenormFlushToZero 32"), 1);
    let kept = translate(shader, &[Flags2(DENORMS, true, true)]);
    assert_eq!(kept.having("OpExecutionMode DenormPreserve 16"), 1);
    assert_eq!(kept.having("OpExecutionMode DenormPreserve 64"), 0);
}

#[test]
fn helper_lanes_can_be_left_to_the_device() {
    let shader = "hwtests/shaders/corners/helper_waves_ps.dxil";
    let strict = translate(shader, &[]);
    assert!(strict.count("OpIsHelperInvocationEXT") > 0);
    let loose = translate(shader, &[Flag(STRICT_HELPERS, false)]);
    assert_eq!(loose.count("OpIsHelperInvocationEXT"), 0);
}

#[test]
fn what_may_be_done_to_floats_can_be_said_of_operations() {
    let plain = quirks(&[]);
    assert_eq!(plain.having("FPFastMath"), 0);
    let said = quirks(&[Flag(FLOAT_CONTROLS_2, true)]);
    assert_eq!(said.having("OpExecutionModeId FPFastMathDefault"), 1);
    assert_eq!(said.count("NoContraction"), 0);
    assert_eq!(
        said.having("OpDecorate FPFastMathMode"),
        plain.count("NoContraction")
    );
}

#[test]
fn drivers_can_be_told_that_groups_wait_for_each_other() {
    let has = |lines: &Lines| lines.having("NonSemantic.dxil-spirv.quirks");
    assert_eq!(has(&quirks(&[])), 0);
    assert_eq!(has(&quirks(&[Quirk(15)])), 1);
}

#[test]
fn addresses_wrap_whatever_the_device_does() {
    // Bytes are counted in 32 bits before they become an element's number.
    let shader = "hwtests/shaders/buffers/raw_load_store.dxil";
    let plain = translate(shader, &[]);
    assert_eq!(
        translate(shader, &[Flags2(ADDRESSING, true, true)]).0,
        plain.0
    );
}

#[test]
fn hit_objects_are_there() {
    let shader = "translate/filetests/hit_objects/needs_invocation_reorder.dxil";
    let module = translate(shader, &[]);
    assert_eq!(module.count("ShaderInvocationReorderEXT"), 1);
    assert_eq!(module.having("OpReorderThreadWith"), 1);
}
