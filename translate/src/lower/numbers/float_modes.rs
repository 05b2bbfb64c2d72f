//! Execution modes of floats: denormals, signed zeros, infinities and NaN as D3D has them, where
//! the target has the extension (SPV_KHR_float_controls, or SPV_KHR_float_controls2, which excludes
//! the modes of the former except those for denormals).

use dxil_frontend::ir::FuncId;

use crate::DenormalMode;
use crate::lower::context::{Context, Input};
use crate::options::Features;
use crate::spirv::{Builder, Capability, Decoration, ExecutionMode, FPFastMathMode, Id};

/// Modes of one width.
struct Width {
    bits: u32,
    /// Whether the module has floats of this width.
    used: bool,
    /// Treatment of denormals that the shader requires.
    denormals: Option<DenormalMode>,
    preserve: Features,
    flush: Features,
    signed_zero_inf_nan: Features,
}

/// Declares the modes of the entry point.
///
/// 32-bit denormals follow the function's attribute `fp32-denorm-mode`; with `any`, or without it,
/// the device decides. Those of 16 and 64 bits are always preserved (D3D11.3 functional
/// specification, 3.1.4 and 3.1.5).
pub(in crate::lower) fn declare(cx: &mut Context<'_>, main: FuncId, function: Id) {
    let features = cx.input.options.target.features;
    // Without the attribute the device may choose, which is fastest.
    let asked = match cx
        .function
        .view
        .module
        .function_attribute(main, "fp32-denorm-mode")
    {
        Some("preserve") => Some(DenormalMode::Preserve),
        Some("ftz") => Some(DenormalMode::Flush),
        _ => None,
    };
    let uses = |capability| cx.b.capabilities().contains(&capability);
    let widths = [
        Width {
            bits: 16,
            used: uses(Capability::Float16),
            denormals: Some(DenormalMode::Preserve),
            preserve: Features::DENORM_PRESERVE_F16,
            flush: Features::empty(),
            signed_zero_inf_nan: Features::SIGNED_ZERO_INF_NAN_F16,
        },
        Width {
            bits: 32,
            // HLSL computes in 32-bit floats everywhere, even if the code of a shader has none.
            used: true,
            denormals: asked,
            preserve: Features::DENORM_PRESERVE_F32,
            flush: Features::DENORM_FLUSH_F32,
            signed_zero_inf_nan: Features::SIGNED_ZERO_INF_NAN_F32,
        },
        Width {
            bits: 64,
            used: uses(Capability::Float64),
            denormals: Some(DenormalMode::Preserve),
            preserve: Features::DENORM_PRESERVE_F64,
            flush: Features::empty(),
            signed_zero_inf_nan: Features::SIGNED_ZERO_INF_NAN_F64,
        },
    ];
    for width in widths.into_iter().filter(|width| width.used) {
        match width.denormals {
            Some(DenormalMode::Preserve) if features.contains(width.preserve) => {
                let mode = ExecutionMode::DenormPreserve;
                declare_mode(
                    &mut cx.b,
                    function,
                    Capability::DenormPreserve,
                    mode,
                    width.bits,
                );
            }
            Some(DenormalMode::Flush) if features.contains(width.flush) => {
                let mode = ExecutionMode::DenormFlushToZero;
                declare_mode(
                    &mut cx.b,
                    function,
                    Capability::DenormFlushToZero,
                    mode,
                    width.bits,
                );
            }
            // A mode that the device lacks must not be declared; the shader then runs with the
            // device's behaviour. D3D leaves denormals of halves and doubles to no shader, so
            // nobody asked for those.
            Some(mode) if width.bits == 32 => {
                cx.losses.denormals = Some(mode);
            }
            _ => {}
        }
        // Compilers may take for granted that there are no signed zeros, infinities and NaN, and
        // then make 0 of `x * 0`, or `x` of `x + 0`. The mode forbids that for all operations of a
        // width, at the cost of these simplifications. D3D's compilers simplify the same unless an
        // operation is `precise` (D3D11.3 functional specification, 3.1.3 and
        // "refactoringAllowed"), so the mode is for shaders with such operations and for those that
        // ask for the class of a number. Instructions that D3D defines for NaN (`min`, `max`,
        // `saturate`, comparisons) are defined in SPIR-V too, with or without it.
        // SPV_KHR_float_controls2 deprecates SignedZeroInfNanPreserve and NoContraction, and
        // forbids NoContraction beside its own default.
        if !cx.module.special_floats {
            continue;
        }
        if says_fast_math(&cx.input) {
            fast_math_default(&mut cx.b, function, width.bits);
        } else if features.contains(width.signed_zero_inf_nan) {
            let capability = Capability::SignedZeroInfNanPreserve;
            let mode = ExecutionMode::SignedZeroInfNanPreserve;
            declare_mode(&mut cx.b, function, capability, mode, width.bits);
        }
    }
    if cx.module.types.packing_rounds_toward_zero {
        let capability = Capability::RoundingModeRTZ;
        declare_mode(
            &mut cx.b,
            function,
            capability,
            ExecutionMode::RoundingModeRTZ,
            16,
        );
    }
}

/// Returns whether the modes apply to operations instead of widths (SPV_KHR_float_controls2).
fn says_fast_math(input: &Input<'_>) -> bool {
    let features = input.options.target.features;
    features.contains(Features::FLOAT_CONTROLS2)
        // A device that has the older modes gets them, because more drivers implement them well.
        && !features.contains(Features::SIGNED_ZERO_INF_NAN_F32)
}

/// Declares that the module says what operations allow.
fn fast_math(b: &mut Builder) {
    b.capability(Capability::FloatControls2);
    b.extension("SPV_KHR_float_controls2");
}

/// Declares that operations without a decoration may be fused, as without this mode, and nothing
/// else.
fn fast_math_default(b: &mut Builder, function: Id, bits: u32) {
    fast_math(b);
    let ty = b.float(bits);
    // The default applies to operations without a decoration of their own; `forbid_fusing`
    // decorates the others.
    let fusing = b.const_u32(FPFastMathMode::ALLOW_CONTRACT.bits());
    let mode = ExecutionMode::FPFastMathDefault as u32;
    b.execution_mode_id(function, mode, &[ty, fusing]);
}

/// Forbids the driver to fuse an operation with its neighbours.
pub(super) fn forbid_fusing(b: &mut Builder, input: &Input<'_>, id: Id) {
    if says_fast_math(input) {
        fast_math(b);
        let nothing = FPFastMathMode::empty().bits();
        b.decorate(id, Decoration::FPFastMathMode, &[nothing]);
    } else {
        b.decorate(id, Decoration::NoContraction, &[])
    }
}

fn declare_mode(
    b: &mut Builder,
    function: Id,
    capability: Capability,
    mode: ExecutionMode,
    bits: u32,
) {
    b.capability(capability);
    b.extension_before(0x0001_0400, "SPV_KHR_float_controls");
    b.execution_mode(function, mode, &[bits]);
}
