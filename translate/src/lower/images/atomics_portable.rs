//! Atomics on images as pseudo-operations: stores that `pseudo_atomics` describes.

use dxil_frontend::dxil::ops::{AtomicOp, calls};
use dxil_frontend::ir::ValueId;

use super::image_types::{TexelClass, dimensions, texel_scalar};
use super::texel_bounds::{self, Texel};
use crate::interface::Representation;
use crate::lower::blocks;
use crate::lower::context::{Context, Input};
use crate::lower::images::texture;
use crate::lower::resources::pointers;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::values::Value;
use crate::options::Features;
use crate::pseudo_atomics::{MARK, PseudoAtomic};
use crate::spirv::{Builder, Id, Op};
use crate::{Error, Result};

/// Returns whether atomics on this resource become marked stores.
pub(in crate::lower) fn uses_pseudo_atomics<'a>(
    input: &Input<'a>,
    handle: &ResourceHandle<'a>,
) -> bool {
    input.is_portable()
        && handle.view.representation == Representation::Image
        && input.has(Features::PSEUDO_IMAGE_ATOMICS)
}

/// Lowers `atomicBinOp` on an image. There is no result: uses of `result` are refused.
pub(in crate::lower) fn pseudo_atomic_bin_op<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    op: &calls::AtomicBinOp,
    result: Option<ValueId>,
) -> Result<Value> {
    let texels = texel_scalar(handle.view);
    let signed = match texels.class {
        TexelClass::Sint => true,
        TexelClass::Uint => false,
        TexelClass::Float => return Err(refused(handle)),
    };
    let multisampled = dimensions(handle.view.kind).is_none_or(|(_, _, samples)| samples);
    if texels.bits != 32 || multisampled {
        return Err(refused(handle));
    }
    // The order of numbers comes from the image's format, so a signed minimum of an unsigned image
    // cannot be expressed.
    let atomic = match (op.op, signed) {
        (AtomicOp::Add, _) => PseudoAtomic::Add,
        (AtomicOp::And, _) => PseudoAtomic::And,
        (AtomicOp::Or, _) => PseudoAtomic::Or,
        (AtomicOp::Xor, _) => PseudoAtomic::Xor,
        (AtomicOp::IMin, true) | (AtomicOp::UMin, false) => PseudoAtomic::Min,
        (AtomicOp::IMax, true) | (AtomicOp::UMax, false) => PseudoAtomic::Max,
        _ => return Err(refused(handle)),
    };
    let value = cx.id(op.value)?;
    let coords = texture::integer_coords(cx, handle, op.coords)?;
    let (image, _) = pointers::load_object(cx, handle)?;
    let inside = texel_bounds::is_inside(&mut cx.b, &cx.input, handle, &Texel::at(image, coords))?;
    let guard = inside.map(|inside| blocks::begin_if(cx, inside));
    pseudo_store(&mut cx.b, image, coords, value, atomic, signed);
    if let Some(guard) = guard {
        blocks::end_if(cx, guard);
    }
    // The result's value does not exist; `constants::lower` refuses its uses.
    cx.module.resources.without_result.extend(result);
    Ok(Value::Unset)
}

/// Emits the store.
pub(super) fn pseudo_store(
    b: &mut Builder,
    image: Id,
    coords: Id,
    value: Id,
    atomic: PseudoAtomic,
    signed: bool,
) {
    let (mut value, mut ty) = (value, b.u32());
    // The marks are the other components of the texel, which the format does not store.
    let mut marks = [MARK[0], MARK[1], atomic as u32].map(|word| b.const_u32(word));
    if signed {
        ty = b.int(32);
        value = b.bitcast(ty, value);
        marks = [MARK[0], MARK[1], atomic as u32].map(|word| b.const_i32(word as i32));
    }
    let texel_ty = b.vector(ty, 4);
    let [first, second, number] = marks;
    let texel = b.construct(texel_ty, &[value, first, second, number]);
    b.emit_void(Op::ImageWrite, &[image, coords, texel]);
}

fn refused(handle: &ResourceHandle<'_>) -> Error {
    Error::unsupported(format!(
        "this atomic on {} in portable SPIR-V",
        handle.view.describe()
    ))
}
