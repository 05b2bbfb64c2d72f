//! Tessellation factors, which both signatures of a patch may hold.

use dxil_frontend::dxil::SemanticKind;

use crate::lower::context::Context;
use crate::lower::type_map::Scalar;
use crate::spirv::{GLOp, Id};

/// Returns a tessellation factor, clamped to the caller's maximum.
pub(super) fn limited_factor(cx: &mut Context<'_>, element: u32, scalar: Scalar, id: Id) -> Id {
    let Some(max) = cx.input.options.workarounds.max_tessellation else {
        return id;
    };
    let mut constants = cx.input.entry.patch_constants.iter();
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
    let float = cx.b.f32();
    let max = cx.b.const_f32(max as f32);
    cx.b.glsl(GLOp::NMin, float, &[id, max])
}

/// Returns whether the semantic is a tessellation factor.
pub(super) fn is_tessellation_factor(semantic: SemanticKind) -> bool {
    matches!(
        semantic,
        SemanticKind::TessFactor | SemanticKind::InsideTessFactor
    )
}
