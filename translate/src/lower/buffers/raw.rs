//! Raw and structured buffers (and tbuffers): words of storage buffers, or of texel buffers where
//! the caller binds those.
//!
//! 32-bit values are words. 64-bit values go through a variable of 64-bit words where the target
//! has 64-bit integers and every such access is aligned to 8 bytes, and are two words otherwise.
//! 16-bit values go through a variable of 16-bit words where the target has that, and are extracted
//! from words otherwise. Min-precision values are 32-bit values in memory. Out-of-bounds reads give
//! zero and such writes are dropped: by the device's robustness, or by code where the options ask
//! for it.

use dxil_frontend::dxil::ResourceKind;
use dxil_frontend::dxil::ops::calls;
use dxil_frontend::ir::{TypeId, ValueId};
use smallvec::SmallVec;

use crate::analysis::raw_offsets::RawOffset;
use crate::lower::buffers::rows::RowWord;
use crate::lower::buffers::words::Address;
use crate::lower::buffers::{min_precision, raw_vectors, rows, words};
use crate::lower::context::Context;
use crate::lower::instrument::assumptions;
use crate::lower::numbers::word_pairs;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::resources::state::Leaf;
use crate::lower::resources::{handle_values, leaves, pointers, texel_access};
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::values::{Call, LoweredValue, StructMember};
use crate::lower::{blocks, types};
use crate::spirv::{Builder, Id, Op, Scope};
use crate::{Assumption, Error, Result};

/// Returns the address of an access.
pub(in crate::lower) fn buffer_address<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    index: ValueId,
    element_offset: Option<ValueId>,
) -> Result<Address> {
    let offset = index;
    let index = cx.id(index)?;
    let stride = match handle.view.declared_kind() {
        ResourceKind::StructuredBuffer => {
            // A stride of 0 comes from damaged metadata and would divide by zero.
            let stride = handle.view.stride.max(1);
            assumptions::assume_at_most(cx, index, u32::MAX / stride, Assumption::StructuredOffset);
            stride
        }
        // A tbuffer is made of rows like a constant buffer.
        ResourceKind::TBuffer => 16,
        _ => {
            assumptions::assume_raw_offset(cx, offset)?;
            // The element offset of a raw buffer is unused by HLSL; later parts of a long vector
            // put a constant there.
            let ahead = element_offset.and_then(|offset| cx.function.constant_int(offset));
            let ahead = ahead.unwrap_or(0) as u32;
            let RawOffset {
                factor,
                times,
                plus,
                zeros,
            } = RawOffset::of(cx.function.view, offset);
            // Whole halves, or whole words behind an address of which nothing is known. What is
            // between them is cut off together with the product's.
            let in_halves = times.is_multiple_of(2) && plus % 2 == 0;
            if let Some(factor) = factor
                && (in_halves || times == 1 && plus != 0 && plus % 4 == 0)
                && cx.input.consumer().compact_code
            {
                let factor = cx.id(factor)?;
                let plus = plus.wrapping_add_unsigned(ahead) as u32;
                return Ok(Address {
                    element: Some((factor, times)),
                    offset: cx.b.const_u32(plus),
                    ahead: 0,
                    zeros,
                });
            }
            return Ok(Address {
                element: None,
                offset: index,
                ahead,
                // Those of the whole, as its constant stays inside.
                zeros: if plus == 0 { zeros } else { 0 },
            });
        }
    };
    if let Some(offset) = element_offset
        && let Some(address) = element_of_element(cx, (index, stride), offset)?
    {
        return Ok(address);
    }
    let offset = match element_offset {
        Some(offset) => cx.id(offset)?,
        None => cx.b.const_u32(0),
    };
    Ok(Address {
        element: Some((index, stride)),
        offset,
        ahead: 0,
        zeros: 0,
    })
}

/// Returns the address of an access with a computed offset in the element of a structured buffer,
/// as that of an element of an array: whole units of both parts are added. An offset that wraps
/// around is beyond the element, where D3D12 leaves the result open (D3D11.3 functional
/// specification, `ld_structured`).
fn element_of_element(
    cx: &mut Context<'_>,
    (index, stride): (Id, u32),
    offset: ValueId,
) -> Result<Option<Address>> {
    let RawOffset {
        factor: Some(factor),
        times,
        plus,
        zeros,
    } = RawOffset::of(cx.function.view, offset)
    else {
        return Ok(None);
    };
    let is_whole = times.is_multiple_of(4) && plus % 4 == 0 && stride.is_multiple_of(times.max(1));
    if !is_whole || !cx.input.consumer().compact_code {
        return Ok(None);
    }
    let factor = cx.id(factor)?;
    let base = cx.b.u32_mul(index, stride / times);
    let index = cx.b.u32_add(base, factor);
    Ok(Some(Address {
        element: Some((index, times)),
        offset: cx.b.const_u32(plus as u32),
        ahead: 0,
        zeros: zeros.min(stride.trailing_zeros()),
    }))
}

/// Lowers `rawBufferLoad`.
pub(super) fn load(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::RawBufferLoad,
) -> Result<LoweredValue> {
    let handle = handle_values::handle_of(cx, op.buffer)?;
    let address = buffer_address(cx, &handle, op.index, op.element_offset.expand())?;
    load_struct(cx, call, &handle, address)
}

/// Returns the four members and the status of a buffer load, as far as they are used.
pub(super) fn load_struct<'a>(
    cx: &mut Context<'a>,
    call: &Call,
    handle: &ResourceHandle<'a>,
    address: Address,
) -> Result<LoweredValue> {
    let Some(result) = call.result else {
        return Ok(LoweredValue::Unset);
    };
    let fields = types::fields(&cx.input, call.ty)?;
    let (status, members) = fields
        .split_last()
        .ok_or_else(|| Error::malformed("a buffer load gives an empty struct"))?;
    // The status is the last member, and a word; without it the members would be counted wrong.
    if types::scalar(cx, *status)? != Scalar::U32 {
        return Err(Error::malformed("a buffer load gives no status"));
    }
    let used = cx.function.used_members(result);
    let mut parts = [StructMember::Id(Id::NONE); 8];
    let scalar = types::scalar(cx, *members.first().unwrap_or(status))?;
    let mask = u32::from(used) & !(u32::MAX << members.len().min(7));
    let in_memory = min_precision::in_memory(cx, scalar);
    let ids = load_values(cx, handle, address, in_memory, mask)?;
    for (part, id) in parts.iter_mut().zip(ids) {
        let narrows = in_memory != scalar && !id.is_none();
        *part = StructMember::Id(if narrows {
            min_precision::from_memory(cx, id, NumericShape::scalar(scalar))?
        } else {
            id
        });
    }
    let count = members.len().min(7);
    if let Some(part) = parts.get_mut(count) {
        // Vulkan has no residency feedback for storage buffers, so the status says "mapped".
        *part = StructMember::Id(cx.b.const_u32(1));
    }
    fill_unused(cx, &mut parts, fields)?;
    Ok(cx
        .function
        .values
        .parts(parts.iter().copied().take(fields.len())))
}

/// Gives unused members an id, which the composite needs where the whole is used.
pub(super) fn fill_unused(
    cx: &mut Context<'_>,
    parts: &mut [StructMember],
    fields: &[TypeId],
) -> Result<()> {
    // The members that values come in are of one type.
    let mut last = None;
    for (part, &field) in parts.iter_mut().zip(fields) {
        if matches!(part, StructMember::Id(id) if id.is_none()) {
            let undef = match last {
                Some((ty, undef)) if ty == field => undef,
                _ => {
                    let ty = types::lower(cx, field)?;
                    cx.b.undef(ty)
                }
            };
            last = Some((field, undef));
            *part = StructMember::Id(undef);
        }
    }
    Ok(())
}

/// Returns the values at consecutive places from `address` on; the ones outside of `mask` stay
/// [`Id::NONE`].
fn load_values<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    address: Address,
    scalar: Scalar,
    mask: u32,
) -> Result<[Id; 8]> {
    let mut ids = [Id::NONE; 8];
    if mask == 0 {
        return Ok(ids);
    }
    // A buffer of rows has no single words in its variable, so all accesses go by rows.
    if let Some(row_address) = rows::row_address(&mut cx.b, &cx.input, handle, address) {
        return rows::load(cx, handle, row_address, scalar, mask);
    }
    let mut mask = mask;
    if has_vectors_of(cx, handle, scalar) {
        mask &= !raw_vectors::load(cx, handle, address, (mask, scalar), &mut ids)?;
        if mask == 0 {
            return Ok(ids);
        }
    }
    let places = (0..8).filter(|i| mask >> i & 1 != 0);
    let loaded = load_at(cx, handle, address, scalar, places)?;
    for ((_, slot), id) in selected(&mut ids, mask).zip(loaded) {
        *slot = id;
    }
    Ok(ids)
}

/// Returns whether a buffer may have rows of such values besides its words.
fn has_vectors_of<'a>(cx: &Context<'a>, handle: &ResourceHandle<'a>, scalar: Scalar) -> bool {
    let options = cx.input.options;
    let has_words = match scalar.bits() {
        32 => true,
        16 => leaves::has_16bit_words(options, handle.view),
        _ => false,
    };
    has_words && leaves::has_vectors(options, handle.view)
}

/// Returns the values at places of a buffer without rows, counted from `address` on.
pub(super) fn load_at<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    address: Address,
    scalar: Scalar,
    places: impl Iterator<Item = u32>,
) -> Result<SmallVec<[Id; 8]>> {
    let mut ids = SmallVec::new();
    match scalar.bits() {
        32 | 1 => {
            let base = words::address_in_units(&mut cx.b, address, 2);
            for i in places {
                let word = words::load_word(cx, handle, Leaf::U32, base, i)?;
                let word = words::words_as(cx, handle, word, 1, words::word_of_value(scalar));
                ids.push(words::from_word(&mut cx.b, word, scalar)?);
            }
        }
        64 if leaves::has_64bit_words(cx.input.options, handle.view) => {
            let base = words::address_in_units(&mut cx.b, address, 3);
            let ty = types::scalar_ty(cx, scalar)?;
            let is_word = ty == cx.b.uint(64);
            for i in places {
                let wide = words::load_word(cx, handle, Leaf::U64, base, i)?;
                ids.push(if is_word {
                    wide
                } else {
                    cx.b.bitcast(ty, wide)
                });
            }
        }
        64 => {
            let base = words::address_in_units(&mut cx.b, address, 2);
            for i in places {
                let low = words::load_word(cx, handle, Leaf::U32, base, 2 * i)?;
                let high = words::load_word(cx, handle, Leaf::U32, base, 2 * i + 1)?;
                ids.push(word_pairs::join_words(cx, low, high, scalar)?);
            }
        }
        16 if leaves::has_16bit_words(cx.input.options, handle.view) => {
            let base = words::address_in_units(&mut cx.b, address, 1);
            for i in places {
                let half = words::load_word(cx, handle, Leaf::U16, base, i)?;
                ids.push(words::from_short(&mut cx.b, half, scalar)?);
            }
        }
        16 => {
            let base = words::address_in_units(&mut cx.b, address, 1);
            for i in places {
                let i = cx.b.const_u32(i);
                let half = cx.b.u32_add(base, i);
                let index = cx.b.u32_shr(half, 1);
                let word = words::load_word(cx, handle, Leaf::U32, index, 0)?;
                let bits = words::shift_to_low_half(&mut cx.b, word, half, Op::ShiftRightLogical);
                ids.push(words::from_half_word(&mut cx.b, bits, scalar)?);
            }
        }
        bits => {
            return Err(Error::unsupported(format!(
                "{bits}-bit accesses to a buffer"
            )));
        }
    }
    Ok(ids)
}

/// Lowers `rawBufferStore`.
pub(super) fn store(cx: &mut Context<'_>, op: &calls::RawBufferStore) -> Result<LoweredValue> {
    let handle = handle_values::handle_of(cx, op.buffer)?;
    let address = buffer_address(cx, &handle, op.index, op.element_offset.expand())?;
    store_masked(cx, &handle, address, op.values, op.mask)?;
    Ok(LoweredValue::Unset)
}

/// Stores the values in the mask at consecutive places.
pub(super) fn store_masked<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    address: Address,
    values: [ValueId; 4],
    mask: u8,
) -> Result<()> {
    let shape = NumericShape::scalar(types::scalar(cx, cx.function.type_of(values[0])?)?);
    let scalar = min_precision::in_memory(cx, shape.scalar);
    let row_address = rows::row_address(&mut cx.b, &cx.input, handle, address);
    let mut stored: SmallVec<[(u32, Id); 4]> = SmallVec::new();
    for (i, value) in (0..).zip(values) {
        // DXC pads the four operands with `undef`, which must not overwrite memory.
        if mask >> i & 1 == 0 || cx.function.is_undef(value) {
            continue;
        }
        let mut id = cx.id(value)?;
        if scalar != shape.scalar {
            id = min_precision::to_memory(cx, handle, (value, id), shape)?;
        }
        stored.push((i, id));
    }
    match row_address {
        Some(row_address) => {
            let mut words: SmallVec<[RowWord; 8]> = SmallVec::new();
            for (i, id) in stored {
                rows::words_of(&mut cx.b, id, scalar, i, &mut words)?;
            }
            rows::store_row_words(cx, handle, row_address, &words)
        }
        None => {
            if stored.len() > 1 && has_vectors_of(cx, handle, scalar) {
                let mut words: SmallVec<[(u32, Id); 4]> = SmallVec::new();
                for &(i, id) in &stored {
                    let word = match scalar.bits() {
                        16 => short_of(&mut cx.b, id, scalar)?,
                        _ => words::stored_word(cx, handle, id, scalar)?,
                    };
                    words.push((i, word));
                }
                let bytes = scalar.bits() / 8;
                let done = raw_vectors::store(cx, handle, address, &words, bytes)?;
                stored.retain(|(i, _)| done >> *i & 1 == 0);
                if stored.is_empty() {
                    return Ok(());
                }
            }
            store_at(cx, handle, address, scalar, stored.into_iter())
        }
    }
}

/// Stores values at places of a buffer without rows, counted from `address` on.
pub(super) fn store_at<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    address: Address,
    scalar: Scalar,
    values: impl Iterator<Item = (u32, Id)>,
) -> Result<()> {
    match scalar.bits() {
        32 | 1 => {
            let base = words::address_in_units(&mut cx.b, address, 2);
            for (i, value) in values {
                let word = words::stored_word(cx, handle, value, scalar)?;
                words::store_word(cx, handle, Leaf::U32, base, i, word)?;
            }
        }
        64 if leaves::has_64bit_words(cx.input.options, handle.view) => {
            let base = words::address_in_units(&mut cx.b, address, 3);
            let ty = cx.b.uint(64);
            for (i, value) in values {
                let wide = match scalar {
                    Scalar::Int { .. } => value,
                    _ => cx.b.bitcast(ty, value),
                };
                words::store_word(cx, handle, Leaf::U64, base, i, wide)?;
            }
        }
        64 => {
            let base = words::address_in_units(&mut cx.b, address, 2);
            for (i, value) in values {
                for (part, half) in (0..).zip(word_pairs::split_words(&mut cx.b, value)) {
                    words::store_word(cx, handle, Leaf::U32, base, 2 * i + part, half)?;
                }
            }
        }
        16 if leaves::has_16bit_words(cx.input.options, handle.view) => {
            let base = words::address_in_units(&mut cx.b, address, 1);
            for (i, value) in values {
                let short = short_of(&mut cx.b, value, scalar)?;
                words::store_word(cx, handle, Leaf::U16, base, i, short)?;
            }
        }
        16 => {
            let base = words::address_in_units(&mut cx.b, address, 1);
            for (i, value) in values {
                let i = cx.b.const_u32(i);
                let half = cx.b.u32_add(base, i);
                let word = words::to_half_word(&mut cx.b, value, scalar)?;
                store_half_of_word(cx, handle, half, word)?;
            }
        }
        bits => {
            return Err(Error::unsupported(format!(
                "{bits}-bit accesses to a buffer"
            )));
        }
    }
    Ok(())
}

/// Returns a 16-bit value as a 16-bit word.
fn short_of(b: &mut Builder, value: Id, scalar: Scalar) -> Result<Id> {
    let ty = b.uint(16);
    Ok(match scalar {
        Scalar::Float { width: 16, .. } => b.bitcast(ty, value),
        Scalar::Int { width: 16, .. } => value,
        _ => {
            let word = words::to_half_word(b, value, scalar)?;
            b.emit(Op::UConvert, ty, &[word])
        }
    })
}

/// Stores 16 bits into a word whose other half other lanes may store: two atomics, each of which
/// preserves the other half.
fn store_half_of_word<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    half: Id,
    bits: Id,
) -> Result<()> {
    let mask = cx.b.const_u32(0xffff);
    let mask = words::shift_to_low_half(&mut cx.b, mask, half, Op::ShiftLeftLogical);
    let bits = words::shift_to_low_half(&mut cx.b, bits, half, Op::ShiftLeftLogical);
    let index = cx.b.u32_shr(half, 1);
    store_bits(cx, handle, index, mask, bits)
}

/// Replaces the bits in the mask of a word.
pub(super) fn store_bits<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    index: Id,
    mask: Id,
    bits: Id,
) -> Result<()> {
    let word = cx.b.u32();
    // The bounds check is for both atomics together.
    let (pointer, merge) = if handle.view.words_of.is_some() {
        let image = pointers::object_pointer(cx, handle)?;
        texel_access::begin(cx, handle, (image, index), word)?
    } else {
        let guard = words::in_bounds(cx, handle, Leaf::U32, index)?;
        let merge = guard.map(|ok| blocks::begin_if(cx, ok));
        let pointer = pointers::element_pointer(cx, handle, Leaf::U32, index, None)?;
        (pointer, merge)
    };
    let keep = cx.b.emit(Op::Not, word, &[mask]);
    // Atomics on device scope, because other groups may store the other half.
    let scope = cx.b.const_u32(Scope::Device as u32);
    let relaxed = cx.b.const_u32(0);
    // First clear, then set: a lane that reads between sees zeros instead of stale bits, as with
    // any racing store.
    cx.b.emit(Op::AtomicAnd, word, &[pointer, scope, relaxed, keep]);
    cx.b.emit(Op::AtomicOr, word, &[pointer, scope, relaxed, bits]);
    if let Some(merge) = merge {
        blocks::end_if(cx, merge);
    }
    Ok(())
}

/// Returns the slots whose bit is in the mask, with their number.
fn selected(ids: &mut [Id; 8], mask: u32) -> impl Iterator<Item = (u32, &mut Id)> {
    (0..).zip(ids).filter(move |(i, _)| mask >> i & 1 != 0)
}
