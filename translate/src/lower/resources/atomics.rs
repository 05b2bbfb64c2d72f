//! Atomics on resources, and hidden UAV counters. D3D's atomics have relaxed memory order.

use dxil_frontend::dxil::ResourceKind;
use dxil_frontend::dxil::ops::{AtomicOp, calls};
use dxil_frontend::ir::ValueId;

use super::resource_variables::ResourceHandle;
use crate::interface::Representation;
use crate::lower::blocks::{self, If};
use crate::lower::buffers::{raw, words};
use crate::lower::context::Context;
use crate::lower::images::image_types::{TexelClass, dimensions, texel_scalar};
use crate::lower::images::texture;
use crate::lower::resources::state::Leaf;
use crate::lower::resources::{counters, handle_values, pointers, texel_access};
use crate::lower::type_map::Scalar;
use crate::lower::types;
use crate::lower::values::{Call, LoweredValue};
use crate::options::Features;
use crate::spirv::{Builder, Capability, GLOp, Id, Op, Scope};
use crate::{Error, Result};

/// The memory or texel that an atomic accesses.
pub(super) struct AtomicTarget {
    pub(super) pointer: Id,
    /// Integer type there.
    pub(super) ty: Id,
    /// The operand's type, if it differs (signed images).
    bits: u32,
    signed: bool,
    /// The bounds check around the atomic.
    guard: Option<If>,
    /// naga's atomics on images return nothing.
    has_no_result: bool,
}

/// Lowers `bufferUpdateCounter`: an increment returns the old value, a decrement the new one.
pub(super) fn update_counter(
    cx: &mut Context<'_>,
    op: &calls::BufferUpdateCounter,
) -> Result<LoweredValue> {
    let handle = handle_values::handle_of(cx, op.buffer)?;
    Ok(LoweredValue::Id(counters::count(
        cx,
        &handle,
        op.increment >= 0,
    )?))
}

/// Lowers `atomicBinOp`.
pub(super) fn bin_op(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::AtomicBinOp,
) -> Result<LoweredValue> {
    let handle = handle_values::handle_of(cx, op.resource)?;
    let value = cx.id(op.value)?;
    let scalar = types::scalar(cx, cx.function.type_of(op.value)?)?;
    let target = atomic_target(cx, &handle, op.coords, scalar)?;
    let instruction = match op.op {
        AtomicOp::Add => Op::AtomicIAdd,
        AtomicOp::And => Op::AtomicAnd,
        AtomicOp::Or => Op::AtomicOr,
        AtomicOp::Xor => Op::AtomicXor,
        AtomicOp::IMin => Op::AtomicSMin,
        AtomicOp::IMax => Op::AtomicSMax,
        AtomicOp::UMin => Op::AtomicUMin,
        AtomicOp::UMax => Op::AtomicUMax,
        AtomicOp::Exchange => Op::AtomicExchange,
    };
    let value = to_texel_sign(&mut cx.b, &target, value);
    let scope = cx.b.const_u32(Scope::Device as u32);
    let relaxed = cx.b.const_u32(0);
    let words = [target.pointer, scope, relaxed, value];
    if target.has_no_result {
        // The rule `image_atomics` of the legalization replaces it.
        cx.b.emit(instruction, target.ty, &words);
        cx.module.resources.without_result.extend(call.result);
        return Ok(LoweredValue::Unset);
    }
    let old = lower_atomic(cx, instruction, target.ty, words);
    atomic_result(cx, target, old)
}

/// Returns an atomic instruction that combines: pointer, scope, semantics, value. Where the
/// consumer lacks signed extremes, values are exchanged until one holds.
pub(in crate::lower) fn lower_atomic(cx: &mut Context<'_>, op: Op, ty: Id, words: [Id; 4]) -> Id {
    let is_exchanged = !cx.input.consumer().signed_atomics;
    let extreme = match op {
        Op::AtomicSMin if is_exchanged => GLOp::SMin,
        Op::AtomicSMax if is_exchanged => GLOp::SMax,
        _ => return cx.b.emit(op, ty, &words),
    };
    let [pointer, scope, relaxed, value] = words;
    exchange_until_unchanged(cx, ty, [pointer, scope, relaxed], |b, old| {
        b.glsl(extreme, ty, &[old, value])
    })
}

/// Replaces a value in memory by what `combine` makes of it, in a loop around a compare-exchange,
/// which every device has; returns the old value. `memory`: pointer, scope, semantics.
pub(super) fn exchange_until_unchanged(
    cx: &mut Context<'_>,
    ty: Id,
    memory: [Id; 3],
    combine: impl FnOnce(&mut Builder, Id) -> Id,
) -> Id {
    let [pointer, scope, relaxed] = memory;
    // The first load only begins the loop; the exchange checks the value again.
    let first = cx.b.emit(Op::AtomicLoad, ty, &memory);
    let found = cx.b.fresh();
    let (round, [expected]) = blocks::begin_loop(cx, [(ty, first, found)]);
    let wanted = combine(&mut cx.b, expected);
    let words = [pointer, scope, relaxed, relaxed, wanted, expected];
    cx.b.emit_as(Op::AtomicCompareExchange, ty, found, &words);
    let bool_ty = cx.b.bool();
    let done = cx.b.emit(Op::IEqual, bool_ty, &[found, expected]);
    blocks::end_loop(cx, round, done);
    found
}

/// Lowers `atomicCompareExchange`. Floats come as their bits.
pub(super) fn compare_exchange(
    cx: &mut Context<'_>,
    op: &calls::AtomicCompareExchange,
) -> Result<LoweredValue> {
    let handle = handle_values::handle_of(cx, op.resource)?;
    let [compare, value] = cx.ids([op.compare, op.value])?;
    let scalar = types::scalar(cx, cx.function.type_of(op.value)?)?;
    let target = atomic_target(cx, &handle, op.coords, scalar)?;
    let compare = to_texel_sign(&mut cx.b, &target, compare);
    let value = to_texel_sign(&mut cx.b, &target, value);
    let scope = cx.b.const_u32(Scope::Device as u32);
    let relaxed = cx.b.const_u32(0);
    let old = cx.b.emit(
        Op::AtomicCompareExchange,
        target.ty,
        &[target.pointer, scope, relaxed, relaxed, value, compare],
    );
    atomic_result(cx, target, old)
}

fn to_texel_sign(b: &mut Builder, target: &AtomicTarget, value: Id) -> Id {
    if target.signed {
        b.bitcast(target.ty, value)
    } else {
        value
    }
}

/// Returns the old value, as unsigned integer; 0 where the place is out of bounds.
pub(super) fn atomic_result(
    cx: &mut Context<'_>,
    target: AtomicTarget,
    old: Id,
) -> Result<LoweredValue> {
    let ty = cx.b.uint(target.bits);
    let mut id = old;
    if target.signed {
        id = cx.b.bitcast(ty, id);
    }
    if let Some(guard) = target.guard {
        let zero = cx.b.const_null(ty);
        id = blocks::end_if_with(cx, guard, ty, id, zero);
    }
    Ok(LoweredValue::Id(id))
}

pub(super) fn atomic_target<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    coords: [ValueId; 3],
    scalar: Scalar,
) -> Result<AtomicTarget> {
    let Scalar::Int { bits, width } = scalar else {
        return Err(Error::unsupported("atomics on floats"));
    };
    // An atomic on a widened integer would change bits beside it.
    if bits != width || bits < 32 {
        return Err(Error::unsupported(format!("atomics on i{bits}")));
    }
    match handle.view.representation {
        Representation::Words | Representation::ConvertedTexels(_) => {
            buffer_atomic_target(cx, handle, coords, bits)
        }
        Representation::Image | Representation::TexelBuffer => {
            image_atomic_target(cx, handle, coords, bits)
        }
        Representation::Constants
        | Representation::Attachment(_)
        | Representation::Sampler
        | Representation::AccelerationStructure => Err(Error::malformed(format!(
            "an atomic on {}",
            handle.view.describe()
        ))),
    }
}

fn buffer_atomic_target<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    coords: [ValueId; 3],
    bits: u32,
) -> Result<AtomicTarget> {
    let leaf = if bits == 64 {
        cx.input.need_feature(
            Features::BUFFER_INT64_ATOMICS,
            "shaderBufferInt64Atomics",
            || handle.view.describe(),
        )?;
        cx.b.capability(Capability::Int64Atomics);
        Leaf::U64
    } else {
        Leaf::U32
    };
    let index = match handle.view.representation {
        Representation::ConvertedTexels(format) => {
            // The texel has to be one word as a whole: the codec cannot convert under an atomic.
            if format.bytes() * 8 != bits {
                return Err(Error::unsupported(format!(
                    "a {bits}-bit atomic on texels of format {format:?}"
                )));
            }
            cx.id(coords[0])?
        }
        _ => memory_unit(cx, handle, coords, if bits == 64 { 3 } else { 2 })?,
    };
    let guard = words::in_bounds(cx, handle, leaf, index)?.map(|ok| blocks::begin_if(cx, ok));
    let pointer = pointers::element_pointer(cx, handle, leaf, index, None)?;
    Ok(AtomicTarget {
        pointer,
        ty: cx.b.uint(bits),
        bits,
        signed: false,
        guard,
        has_no_result: false,
    })
}

/// Returns the place of an atomic on a raw or structured buffer, in units of `1 << log2` bytes.
fn memory_unit<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    coords: [ValueId; 3],
    log2: u32,
) -> Result<Id> {
    let offset = (handle.view.declared_kind() == ResourceKind::StructuredBuffer)
        .then_some(coords[1])
        .filter(|&offset| !cx.function.is_undef(offset));
    let address = raw::buffer_address(cx, handle, coords[0], offset)?;
    Ok(words::address_in_units(&mut cx.b, address, log2))
}

fn image_atomic_target<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    coords: [ValueId; 3],
    bits: u32,
) -> Result<AtomicTarget> {
    let texels = texel_scalar(handle.view);
    // A texel of a raw or structured buffer is half of a value of 64 bits.
    let is_half = bits == 64 && handle.view.words_of.is_some();
    if is_half || texels.bits != bits || texels.class == TexelClass::Float {
        return Err(Error::unsupported(format!(
            "a {bits}-bit atomic on {}",
            handle.view.describe()
        )));
    }
    if bits == 64 {
        cx.input.need_feature(
            Features::IMAGE_INT64_ATOMICS,
            "shaderImageInt64Atomics",
            || handle.view.describe(),
        )?;
        cx.b.capability(Capability::Int64Atomics);
    }
    let Some((_, _, false)) = dimensions(handle.view.kind) else {
        return Err(Error::unsupported("atomics on multisampled images"));
    };
    let image = pointers::object_pointer(cx, handle)?;
    let coords = if handle.view.words_of.is_some() {
        memory_unit(cx, handle, coords, 2)?
    } else {
        texture::integer_coords(cx, handle, coords)?
    };
    let signed = texels.class == TexelClass::Sint;
    let ty = if signed {
        cx.b.int(bits)
    } else {
        cx.b.uint(bits)
    };
    let (pointer, guard) = texel_access::begin(cx, handle, (image, coords), ty)?;
    Ok(AtomicTarget {
        pointer,
        ty,
        bits,
        signed,
        guard,
        has_no_result: !cx.input.consumer().image_atomic_results,
    })
}
