//! Min-precision values in buffers: each is a 32-bit value in memory (DXIL document, "Memory access
//! granularity"), whatever represents it in the code.

use dxil_frontend::ir::{Inst, ValueDef, ValueId};

use crate::Result;
use crate::interface::DescriptorOrigin;
use crate::lower::context::Context;
use crate::lower::images::texels;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::spirv::{Id, Op};

/// Returns the scalar that a value is in the memory of a buffer: itself, or the one of 32 bits.
pub(super) fn in_memory(cx: &Context<'_>, scalar: Scalar) -> Scalar {
    match scalar {
        _ if cx.module.types.strict_16bit => scalar,
        Scalar::Float { bits: 16, .. } => Scalar::F32,
        Scalar::Int { bits: 16, .. } => Scalar::U32,
        _ => scalar,
    }
}

/// Returns min-precision values from their 32 bits in memory, which [`in_memory`] describes.
pub(super) fn from_memory(cx: &mut Context<'_>, loaded: Id, shape: NumericShape) -> Result<Id> {
    let op = match shape.scalar {
        Scalar::Float { width: 16, .. } => Op::FConvert,
        Scalar::Int { width: 16, .. } => Op::UConvert,
        // A relaxed float is a whole one, and the upper bits of a widened integer do not count.
        _ => return Ok(loaded),
    };
    let ty = types::shape_ty(cx, shape)?;
    Ok(cx.b.emit(op, ty, &[loaded]))
}

/// Returns min-precision values as [`in_memory`] describes them. `stored`: the value in the shader
/// and in the module.
pub(super) fn to_memory<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    stored: (ValueId, Id),
    shape: NumericShape,
) -> Result<Id> {
    let (value, id) = stored;
    let (bits, width) = match shape.scalar {
        Scalar::Float { width: 16, .. } => {
            let ty = types::shape_ty(cx, shape.with(Scalar::F32))?;
            return Ok(cx.b.emit(Op::FConvert, ty, &[id]));
        }
        Scalar::Int { bits, width } => (bits, width),
        _ => return Ok(id),
    };
    // What was loaded goes back with all of its bits: they need no sign.
    if width == 32 && is_loaded(cx, value) {
        return Ok(id);
    }
    let shader = cx.input.shader;
    let declared = match handle.view.origin {
        DescriptorOrigin::Declared(key) => shader.resources.find(key.class, key.id),
        _ => None,
    };
    let signed = shader.is_stored_signed(cx.function.view, declared, value);
    if shape.count == 1 {
        return Ok(texels::extend_to_word(&mut cx.b, id, bits, width, signed));
    }
    let element_ty = types::scalar_ty(cx, shape.scalar)?;
    let mut words = Vec::with_capacity(shape.count as usize);
    for i in 0..shape.count {
        let element = cx.b.extract(element_ty, id, i);
        words.push(texels::extend_to_word(
            &mut cx.b, element, bits, width, signed,
        ));
    }
    let ty = types::shape_ty(cx, shape.with(Scalar::U32))?;
    Ok(cx.b.construct(ty, &words))
}

/// Returns whether a value is a member of what a call gave: a buffer's min-precision integers come
/// in no other way, and other calls that give several give none of 16 bits.
fn is_loaded(cx: &Context<'_>, value: ValueId) -> bool {
    let view = cx.function.view;
    let Some(ValueDef::Inst(inst)) = view.value(value).map(|data| data.def) else {
        return false;
    };
    let inst = view.function.insts.get(inst).map(|data| &data.inst);
    matches!(inst, Some(Inst::ExtractValue { .. }))
}
