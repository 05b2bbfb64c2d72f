//! Common parts of cross-lane operations: their scope, and values that move between lanes.

use dxil_frontend::ir::ValueId;

use crate::lower::context::{Context, Input};
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::options::Features;
use crate::spirv::{Builder, Capability, Id, Op, Scope};
use crate::{Error, ErrorKind, Result};

/// Declares that the module uses waves, and returns the scope operand of their instructions.
pub(in crate::lower) fn subgroup_scope(cx: &mut Context<'_>) -> Id {
    // Lanes that exchange values must have met again.
    cx.module.stage_io.convergent |= cx.function.flow.has_branched();
    cx.b.capability(Capability::GroupNonUniform);
    cx.b.const_u32(Scope::Subgroup as u32)
}

pub(super) fn has_extended_types(input: &Input<'_>) -> bool {
    input
        .options
        .target
        .features
        .contains(Features::SUBGROUP_EXTENDED_TYPES)
}

pub(super) fn operand(cx: &mut Context<'_>, value: ValueId) -> Result<(NumericShape, Id)> {
    let shape = types::shape_of(cx, value)?;
    Ok((shape, cx.id(value)?))
}

/// Refuses arithmetic on types that need shaderSubgroupExtendedTypes.
pub(super) fn require_extended(input: &Input<'_>, shape: NumericShape) -> Result<()> {
    // These are the types of VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures. Doubles, booleans
    // and 32-bit types need no feature.
    let extended = match shape.scalar {
        Scalar::Int { width, .. } => width != 32,
        Scalar::Float { width, .. } => width == 16,
        Scalar::Bool => false,
    };
    if extended && !has_extended_types(input) {
        return Err(Error::new(ErrorKind::TargetLacks {
            feature: "shaderSubgroupExtendedTypes",
            user: "a wave operation on 16- or 64-bit integers or halves".to_owned(),
        }));
    }
    Ok(())
}

/// Moves a value between lanes: `read` writes the instruction for a type that every target
/// moves (booleans and 32-bit values, and vectors of them).
pub(super) fn cross_lane_read(
    cx: &mut Context<'_>,
    value: ValueId,
    mut read: impl FnMut(&mut Context<'_>, Id, Id) -> Id,
) -> Result<Id> {
    let (shape, id) = operand(cx, value)?;
    let ty = types::shape_ty(cx, shape)?;
    let width = shape.scalar.width();
    let direct = match shape.scalar {
        Scalar::Bool => true,
        // Doubles are part of the basic types wherever the device has them.
        Scalar::Float { width: 64, .. } => true,
        _ => width == 32,
    };
    // Without the feature the bits travel as words: moving does not look at the type.
    if direct || has_extended_types(&cx.input) {
        return Ok(read(cx, ty, id));
    }
    if shape.count != 1 {
        return Err(Error::unsupported("a wave operation on a vector"));
    }
    let bits = cx.b.uint(width);
    let is_float = matches!(shape.scalar, Scalar::Float { .. });
    let raw = if is_float { cx.b.bitcast(bits, id) } else { id };
    let word = cx.b.u32();
    let moved = if width == 64 {
        let pair = cx.b.vector(word, 2);
        let raw = cx.b.bitcast(pair, raw);
        let moved = read(cx, pair, raw);
        cx.b.bitcast(bits, moved)
    } else {
        let raw = cx.b.emit(Op::UConvert, word, &[raw]);
        let moved = read(cx, word, raw);
        cx.b.emit(Op::UConvert, bits, &[moved])
    };
    Ok(if is_float {
        cx.b.bitcast(ty, moved)
    } else {
        moved
    })
}

/// Returns the type of masks of lanes.
pub(super) fn mask_ty(b: &mut Builder) -> Id {
    let word = b.u32();
    b.vector(word, 4)
}
