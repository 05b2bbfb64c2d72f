//! Tessellation factors among the patch constants.

use dxil_frontend::dxil::SemanticKind;

use crate::lower::context::Input;
use crate::lower::type_map::Scalar;
use crate::spirv::{Builder, GLOp, Id};

/// Returns a tessellation factor, clamped to the caller's maximum.
pub(super) fn limited_factor(
    b: &mut Builder,
    input: &Input<'_>,
    element: u32,
    scalar: Scalar,
    id: Id,
) -> Id {
    let Some(max) = input.options.workarounds.max_tessellation else {
        return id;
    };
    let mut constants = input.entry.patch_constants.iter();
    let is_factor = constants.any(|e| {
        e.id == element
            && matches!(
                e.semantic,
                SemanticKind::TessFactor | SemanticKind::InsideTessFactor
            )
    });
    if !is_factor || scalar != Scalar::F32 {
        return id;
    }
    let float = b.f32();
    let max = b.const_f32(max as f32);
    // HLSL clamps to a declared maximum with such a minimum, too (D3D11.3 functional specification,
    // 10.13).
    b.glsl(GLOp::NMin, float, &[id, max])
}

/// Returns whether the semantic is a tessellation factor.
pub(super) fn is_tessellation_factor(semantic: SemanticKind) -> bool {
    matches!(
        semantic,
        SemanticKind::TessFactor | SemanticKind::InsideTessFactor
    )
}
