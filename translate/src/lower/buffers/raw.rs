//! Raw and structured buffers (and tbuffers): words of storage buffers.
//!
//! 32-bit values are words, 64-bit values two of them, so no access needs more than word alignment.
//! 16-bit values go through a variable of 16-bit words where the target has that, and are cut
//! out of words otherwise. Out-of-bounds reads give zero and such writes are dropped: by the
//! device's robustness, or by code where the options ask for it.

use dxil_frontend::dxil::ResourceKind;
use dxil_frontend::dxil::ops::calls;
use dxil_frontend::ir::{TypeId, ValueId};
use smallvec::SmallVec;

use crate::lower::buffers::rows;
use crate::lower::context::{Context, Input};
use crate::lower::instrument::assumptions;
use crate::lower::resources::resource_variables::{self, Handle};
use crate::lower::resources::state::Leaf;
use crate::lower::resources::{heap_tables, pointers};
use crate::lower::type_map::Scalar;
use crate::lower::values::{Call, Part, Value};
use crate::lower::{blocks, types};
use crate::options::{Features, Style};
use crate::spirv::{Builder, Id, MemoryAccess, Op, Scope};
use crate::{Assumption, Error, Location, Result};

/// A byte address in a buffer, kept in its parts so that division by the unit stays exact and
/// constants fold.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Address {
    /// Element of a structured buffer and bytes per element.
    pub(in crate::lower) element: Option<(Id, u32)>,
    /// Byte offset in the element or the buffer.
    pub(in crate::lower) offset: Id,
    /// Bytes behind that place of a raw buffer, for the later parts of a long vector.
    pub(super) ahead: u32,
}

/// Where an access lies.
pub(in crate::lower) fn buffer_address<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    index: ValueId,
    element_offset: Option<ValueId>,
) -> Result<Address> {
    let offset = index;
    let index = cx.id(index)?;
    let stride = match handle.view.kind {
        ResourceKind::StructuredBuffer => {
            let stride = handle.view.stride.max(1);
            assumptions::assume_at_most(cx, index, u32::MAX / stride, Assumption::StructuredOffset);
            stride
        }
        ResourceKind::TBuffer => 16,
        _ => {
            assumptions::assume_raw_offset(cx, offset)?;
            let ahead = element_offset.and_then(|offset| cx.function.constant_int(offset));
            return Ok(Address {
                element: None,
                offset: index,
                ahead: ahead.unwrap_or(0) as u32,
            });
        }
    };
    let offset = match element_offset {
        Some(offset) => cx.id(offset)?,
        None => cx.b.const_u32(0),
    };
    Ok(Address {
        element: Some((index, stride)),
        offset,
        ahead: 0,
    })
}

/// The address in units of `1 << log2` bytes, rounded down.
pub(in crate::lower) fn address_in_units(b: &mut Builder, address: Address, log2: u32) -> Id {
    let Address {
        element,
        offset,
        ahead,
    } = address;
    match element {
        None => {
            let unit = b.u32_shr(offset, log2);
            let ahead = b.const_u32(ahead >> log2);
            b.u32_add(unit, ahead)
        }
        Some((index, stride)) if stride.is_multiple_of(1 << log2) => {
            let base = b.u32_mul(index, stride >> log2);
            let offset = b.u32_shr(offset, log2);
            b.u32_add(base, offset)
        }
        Some((index, stride)) => {
            let base = b.u32_mul(index, stride);
            let bytes = b.u32_add(base, offset);
            b.u32_shr(bytes, log2)
        }
    }
}

/// `rawBufferLoad`.
pub(in crate::lower) fn load(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::RawBufferLoad,
) -> Result<Value> {
    let handle = resource_variables::handle_of(cx, op.buffer)?;
    let address = buffer_address(cx, &handle, op.index, op.element_offset.expand())?;
    load_struct(cx, call, &handle, address)
}

/// The four members and the status of a buffer load, as far as they are used.
pub(super) fn load_struct<'a>(
    cx: &mut Context<'a>,
    call: &Call,
    handle: &Handle<'a>,
    address: Address,
) -> Result<Value> {
    let Some(result) = call.result else {
        return Ok(Value::Unset);
    };
    let fields = types::fields(&cx.input, call.ty)?;
    let (status, members) = fields
        .split_last()
        .ok_or_else(|| Error::malformed("a buffer load gives an empty struct"))?;
    if types::scalar(cx, *status)? != Scalar::U32 {
        return Err(Error::malformed("a buffer load gives no status"));
    }
    let used = cx.function.used_members(result);
    let mut parts = [Part::Id(Id::NONE); 8];
    let scalar = types::scalar(cx, *members.first().unwrap_or(status))?;
    let mask = u32::from(used) & !(u32::MAX << members.len().min(7));
    let ids = load_values(cx, handle, address, scalar, mask)?;
    for (part, id) in parts.iter_mut().zip(ids) {
        *part = Part::Id(id);
    }
    let count = members.len().min(7);
    if let Some(part) = parts.get_mut(count) {
        *part = Part::Id(cx.b.const_u32(1));
    }
    fill_unused(cx, &mut parts, &fields)?;
    Ok(cx
        .function
        .values
        .parts(parts.iter().copied().take(fields.len())))
}

/// Members that nobody takes still need an id if somebody takes the whole.
pub(super) fn fill_unused(
    cx: &mut Context<'_>,
    parts: &mut [Part],
    fields: &[TypeId],
) -> Result<()> {
    for (part, &field) in parts.iter_mut().zip(fields) {
        if matches!(part, Part::Id(id) if id.is_none()) {
            let ty = types::lower(cx, field)?;
            *part = Part::Id(cx.b.undef(ty));
        }
    }
    Ok(())
}

/// Values at consecutive places from `address` on; the ones outside of `mask` stay
/// [`Id::NONE`].
fn load_values<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    address: Address,
    scalar: Scalar,
    mask: u32,
) -> Result<[Id; 8]> {
    let mut ids = [Id::NONE; 8];
    if mask == 0 {
        return Ok(ids);
    }
    if let Some(place) = rows::row_address(cx, handle, address) {
        return rows::load(cx, handle, place, scalar, mask);
    }
    match scalar.bits() {
        32 | 1 => {
            let base = address_in_units(&mut cx.b, address, 2);
            for (i, id) in selected(&mut ids, mask) {
                let word = load_word(cx, handle, Leaf::U32, base, i)?;
                *id = from_word(&mut cx.b, word, scalar)?;
            }
        }
        64 => {
            let base = address_in_units(&mut cx.b, address, 2);
            for (i, id) in selected(&mut ids, mask) {
                let low = load_word(cx, handle, Leaf::U32, base, 2 * i)?;
                let high = load_word(cx, handle, Leaf::U32, base, 2 * i + 1)?;
                *id = join_words(cx, low, high, scalar)?;
            }
        }
        16 if has_16bit_storage(&cx.input, handle) => {
            let base = address_in_units(&mut cx.b, address, 1);
            for (i, id) in selected(&mut ids, mask) {
                let half = load_word(cx, handle, Leaf::U16, base, i)?;
                *id = from_short(&mut cx.b, half, scalar)?;
            }
        }
        16 => {
            let base = address_in_units(&mut cx.b, address, 1);
            for (i, id) in selected(&mut ids, mask) {
                let i = cx.b.const_u32(i);
                let half = cx.b.u32_add(base, i);
                let index = cx.b.u32_shr(half, 1);
                let word = load_word(cx, handle, Leaf::U32, index, 0)?;
                let bits = shift_to_low_half(&mut cx.b, word, half, Op::ShiftRightLogical);
                *id = from_half_word(&mut cx.b, bits, scalar)?;
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

/// Whether 16-bit accesses go through a variable of 16-bit words.
pub(in crate::lower) fn has_16bit_storage<'a>(input: &Input<'a>, handle: &Handle<'a>) -> bool {
    let constants = handle.view.shape == crate::interface::ViewShape::Constants;
    !constants
        && input.options.target.style == Style::Native
        && input.has(Features::STORAGE_16BIT | Features::INT16)
}

/// Shifts the addressed half of a word to or from the low half.
fn shift_to_low_half(b: &mut Builder, word: Id, half: Id, shift: Op) -> Id {
    let odd = b.u32_and(half, 1);
    let amount = b.u32_shl(odd, 4);
    if b.literal(amount) == Some(0) {
        return word;
    }
    let ty = b.u32();
    b.emit(shift, ty, &[word, amount])
}

/// A word as a 32-bit value.
pub(super) fn from_word(b: &mut Builder, word: Id, scalar: Scalar) -> Result<Id> {
    Ok(match scalar {
        Scalar::Float { .. } => {
            let ty = b.f32();
            b.bitcast(ty, word)
        }
        Scalar::Bool => {
            let zero = b.const_u32(0);
            let ty = b.bool();
            b.emit(Op::INotEqual, ty, &[word, zero])
        }
        Scalar::Int { .. } => word,
    })
}

/// Two words as a 64-bit value.
pub(in crate::lower) fn join_words(
    cx: &mut Context<'_>,
    low: Id,
    high: Id,
    scalar: Scalar,
) -> Result<Id> {
    let ty = types::scalar_ty(cx, scalar)?;
    if cx.input.options.target.style == Style::Portable {
        // naga casts no vectors to wider scalars.
        let wide = cx.b.uint(64);
        let low = cx.b.emit(Op::UConvert, wide, &[low]);
        let high = cx.b.emit(Op::UConvert, wide, &[high]);
        let shift = cx.b.const_u32(32);
        let high = cx.b.emit(Op::ShiftLeftLogical, wide, &[high, shift]);
        let bits = cx.b.emit(Op::BitwiseOr, wide, &[low, high]);
        return Ok(match scalar {
            Scalar::Float { .. } => cx.b.bitcast(ty, bits),
            _ => bits,
        });
    }
    let word = cx.b.u32();
    let pair_ty = cx.b.vector(word, 2);
    let pair = cx.b.construct(pair_ty, &[low, high]);
    Ok(cx.b.bitcast(ty, pair))
}

/// A 64-bit value as two words, the low one first.
pub(in crate::lower) fn split_words(cx: &mut Context<'_>, value: Id, scalar: Scalar) -> [Id; 2] {
    let word = cx.b.u32();
    if cx.input.options.target.style == Style::Portable {
        let wide = cx.b.uint(64);
        let bits = match scalar {
            Scalar::Float { .. } => cx.b.bitcast(wide, value),
            _ => value,
        };
        let shift = cx.b.const_u32(32);
        let high = cx.b.emit(Op::ShiftRightLogical, wide, &[bits, shift]);
        return [bits, high].map(|half| cx.b.emit(Op::UConvert, word, &[half]));
    }
    let pair_ty = cx.b.vector(word, 2);
    let pair = cx.b.bitcast(pair_ty, value);
    [0, 1].map(|part| cx.b.extract(word, pair, part))
}

/// A 16-bit word as a 16-bit value in its representation.
fn from_short(b: &mut Builder, short: Id, scalar: Scalar) -> Result<Id> {
    Ok(match scalar {
        Scalar::Float { width: 16, .. } => {
            let ty = b.float(16);
            b.bitcast(ty, short)
        }
        Scalar::Float { .. } | Scalar::Int { width: 32, .. } => {
            let ty = b.u32();
            let word = b.emit(Op::UConvert, ty, &[short]);
            from_half_word(b, word, scalar)?
        }
        _ => short,
    })
}

/// The low half of a word as a 16-bit value in its representation; the upper half may be
/// anything.
pub(super) fn from_half_word(b: &mut Builder, word: Id, scalar: Scalar) -> Result<Id> {
    Ok(match scalar {
        Scalar::Float { width: 16, .. } => {
            let short_ty = b.uint(16);
            let short = b.emit(Op::UConvert, short_ty, &[word]);
            let ty = b.float(16);
            b.bitcast(ty, short)
        }
        Scalar::Float { .. } => unpack_half(b, word),
        Scalar::Int { width: 16, .. } => {
            let ty = b.uint(16);
            b.emit(Op::UConvert, ty, &[word])
        }
        _ => word,
    })
}

/// The low half of a word, a half-precision float, as 32-bit float.
pub(super) fn unpack_half(b: &mut Builder, word: Id) -> Id {
    let f32_ty = b.f32();
    let pair_ty = b.vector(f32_ty, 2);
    let pair = b.glsl(crate::spirv::GLOp::UnpackHalf2x16, pair_ty, &[word]);
    b.extract(f32_ty, pair, 0)
}

/// A 32-bit value as a word.
fn to_word(b: &mut Builder, value: Id, scalar: Scalar) -> Result<Id> {
    let word = b.u32();
    Ok(match scalar {
        Scalar::Float { .. } => b.bitcast(word, value),
        Scalar::Bool => {
            let one = b.const_u32(1);
            let zero = b.const_u32(0);
            b.select(word, value, one, zero)
        }
        Scalar::Int { .. } => value,
    })
}

/// A 16-bit value as the low half of a word whose upper half is zero.
fn to_half_word(b: &mut Builder, value: Id, scalar: Scalar) -> Result<Id> {
    let word = b.u32();
    Ok(match scalar {
        Scalar::Float { width: 16, .. } => {
            let short_ty = b.uint(16);
            let short = b.bitcast(short_ty, value);
            b.emit(Op::UConvert, word, &[short])
        }
        Scalar::Float { .. } => {
            let f32_ty = b.f32();
            let pair_ty = b.vector(f32_ty, 2);
            let zero = b.const_f32(0.0);
            let pair = b.construct(pair_ty, &[value, zero]);
            b.glsl(crate::spirv::GLOp::PackHalf2x16, word, &[pair])
        }
        Scalar::Int { width: 16, .. } => b.emit(Op::UConvert, word, &[value]),
        _ => b.u32_and(value, 0xffff),
    })
}

/// Loads element `base + add`.
pub(super) fn load_word<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    leaf: Leaf,
    base: Id,
    add: u32,
) -> Result<Id> {
    let add = cx.b.const_u32(add);
    let mut index = cx.b.u32_add(base, add);
    let guard = match in_bounds(cx, handle, leaf, index)? {
        Some(ok) => {
            let word = cx.b.u32();
            let zero = cx.b.const_u32(0);
            index = cx.b.select(word, ok, index, zero);
            Some(ok)
        }
        None => None,
    };
    let pointer = pointers::element_pointer(cx, handle, leaf, index, None)?;
    let (ty, align) = match leaf {
        Leaf::U16 => (cx.b.uint(16), 2),
        Leaf::U64 => (cx.b.uint(64), 8),
        _ => (cx.b.u32(), 4),
    };
    let loaded = load_aligned(cx, handle, ty, pointer, align);
    Ok(match guard {
        Some(ok) => {
            let zero = cx.b.const_null(ty);
            cx.b.select(ty, ok, loaded, zero)
        }
        None => loaded,
    })
}

/// Loads; an address in physical memory needs its alignment said.
pub(super) fn load_aligned<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    ty: Id,
    pointer: Id,
    align: u32,
) -> Id {
    let id = if matches!(handle.view.location, Location::DeviceAddress { .. }) {
        let access = MemoryAccess::ALIGNED.bits();
        cx.b.emit(Op::Load, ty, &[pointer.0, access, align])
    } else if is_atomic_access(&cx.input, handle, align) {
        let scope = cx.b.const_u32(Scope::Device as u32);
        let relaxed = cx.b.const_u32(0);
        cx.b.emit(Op::AtomicLoad, ty, &[pointer, scope, relaxed])
    } else {
        cx.b.load(ty, pointer)
    };
    pointers::mark_non_uniform(cx, handle, id);
    id
}

/// naga has no word for "globally coherent"; atomics see what other groups wrote.
fn is_atomic_access<'a>(input: &Input<'a>, handle: &Handle<'a>, align: u32) -> bool {
    input.is_portable() && handle.view.coherent && align == 4
}

/// Whether the element exists, where the code has to check: the device does not, or cannot.
pub(in crate::lower) fn in_bounds<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    leaf: Leaf,
    index: Id,
) -> Result<Option<Id>> {
    if !cx.input.checks_bounds() || matches!(handle.view.location, Location::DeviceAddress { .. }) {
        return Ok(None);
    }
    // A range table's end is always checked.
    if heap_tables::range_length(cx, handle).is_some() {
        return Ok(None);
    }
    let length = array_length(cx, handle, leaf)?;
    let ty = cx.b.bool();
    Ok(Some(cx.b.emit(Op::ULessThan, ty, &[index, length])))
}

/// Number of elements that are bound.
pub(in crate::lower) fn array_length<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    leaf: Leaf,
) -> Result<Id> {
    let block = pointers::block_pointer(cx, handle, leaf)?;
    let ty = cx.b.u32();
    let id = cx.b.emit(Op::ArrayLength, ty, &[block.0, 0]);
    pointers::mark_non_uniform(cx, handle, id);
    Ok(id)
}

/// `rawBufferStore`.
pub(in crate::lower) fn store(cx: &mut Context<'_>, op: &calls::RawBufferStore) -> Result<Value> {
    let handle = resource_variables::handle_of(cx, op.buffer)?;
    let address = buffer_address(cx, &handle, op.index, op.element_offset.expand())?;
    store_masked(cx, &handle, address, op.values, op.mask)?;
    Ok(Value::Unset)
}

/// Stores the values in the mask at consecutive places.
pub(super) fn store_masked<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    address: Address,
    values: [ValueId; 4],
    mask: u8,
) -> Result<()> {
    let scalar = types::scalar(cx, cx.function.type_of(values[0])?)?;
    let place = rows::row_address(cx, handle, address);
    let mut words: SmallVec<[(u32, Id); 8]> = SmallVec::new();
    for (i, value) in (0..).zip(values) {
        if mask >> i & 1 == 0 || cx.function.is_undef(value) {
            continue;
        }
        let id = cx.id(value)?;
        match place {
            Some(_) => words_of(cx, id, scalar, i, &mut words)?,
            None => store_value(cx, handle, address, scalar, i, id)?,
        }
    }
    match place {
        Some(place) => rows::store_row_words(cx, handle, place, &words),
        None => Ok(()),
    }
}

/// Appends the words of the i-th of consecutive values with their numbers.
fn words_of(
    cx: &mut Context<'_>,
    value: Id,
    scalar: Scalar,
    i: u32,
    words: &mut SmallVec<[(u32, Id); 8]>,
) -> Result<()> {
    if scalar.bits() == 64 {
        words.extend((2 * i..).zip(split_words(cx, value, scalar)));
    } else {
        words.push((i, to_word(&mut cx.b, value, scalar)?));
    }
    Ok(())
}

/// Stores the i-th of consecutive values.
fn store_value<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    address: Address,
    scalar: Scalar,
    i: u32,
    value: Id,
) -> Result<()> {
    if let Some(place) = rows::row_address(cx, handle, address) {
        let mut words = SmallVec::new();
        words_of(cx, value, scalar, i, &mut words)?;
        return rows::store_row_words(cx, handle, place, &words);
    }
    match scalar.bits() {
        32 | 1 => {
            let base = address_in_units(&mut cx.b, address, 2);
            let word = to_word(&mut cx.b, value, scalar)?;
            store_word(cx, handle, Leaf::U32, base, i, word)
        }
        64 => {
            let base = address_in_units(&mut cx.b, address, 2);
            for (part, half) in (0..).zip(split_words(cx, value, scalar)) {
                store_word(cx, handle, Leaf::U32, base, 2 * i + part, half)?;
            }
            Ok(())
        }
        16 if has_16bit_storage(&cx.input, handle) => {
            let base = address_in_units(&mut cx.b, address, 1);
            let short = match scalar {
                Scalar::Float { width: 16, .. } => {
                    let ty = cx.b.uint(16);
                    cx.b.bitcast(ty, value)
                }
                Scalar::Int { width: 16, .. } => value,
                _ => {
                    let word = to_half_word(&mut cx.b, value, scalar)?;
                    let ty = cx.b.uint(16);
                    cx.b.emit(Op::UConvert, ty, &[word])
                }
            };
            store_word(cx, handle, Leaf::U16, base, i, short)
        }
        16 => {
            let base = address_in_units(&mut cx.b, address, 1);
            let i = cx.b.const_u32(i);
            let half = cx.b.u32_add(base, i);
            let word = to_half_word(&mut cx.b, value, scalar)?;
            store_half_of_word(cx, handle, half, word)
        }
        bits => Err(Error::unsupported(format!(
            "{bits}-bit accesses to a buffer"
        ))),
    }
}

/// Stores element `base + add`.
pub(super) fn store_word<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    leaf: Leaf,
    base: Id,
    add: u32,
    value: Id,
) -> Result<()> {
    let add = cx.b.const_u32(add);
    let index = cx.b.u32_add(base, add);
    let guard = in_bounds(cx, handle, leaf, index)?;
    let merge = guard.map(|ok| blocks::begin_if(cx, ok));
    let pointer = pointers::element_pointer(cx, handle, leaf, index, None)?;
    store_aligned(
        cx,
        handle,
        pointer,
        value,
        match leaf {
            Leaf::U16 => 2,
            Leaf::U64 => 8,
            _ => 4,
        },
    );
    if let Some(merge) = merge {
        blocks::end_if(cx, merge);
    }
    Ok(())
}

fn store_aligned<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    pointer: Id,
    value: Id,
    align: u32,
) {
    if matches!(handle.view.location, Location::DeviceAddress { .. }) {
        let access = MemoryAccess::ALIGNED.bits();
        cx.b.emit_void(Op::Store, &[pointer.0, value.0, access, align]);
    } else if is_atomic_access(&cx.input, handle, align) {
        let scope = cx.b.const_u32(Scope::Device as u32);
        let relaxed = cx.b.const_u32(0);
        let words = [pointer, scope, relaxed, value];
        cx.b.emit_void(Op::AtomicStore, &words);
    } else {
        cx.b.store(pointer, value);
    }
}

/// Stores 16 bits into a word that other lanes may store the other half of: two atomics, each
/// of which leaves the other half alone.
fn store_half_of_word<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    half: Id,
    bits: Id,
) -> Result<()> {
    let mask = cx.b.const_u32(0xffff);
    let mask = shift_to_low_half(&mut cx.b, mask, half, Op::ShiftLeftLogical);
    let bits = shift_to_low_half(&mut cx.b, bits, half, Op::ShiftLeftLogical);
    let index = cx.b.u32_shr(half, 1);
    store_bits(cx, handle, index, mask, bits)
}

/// Replaces the bits in the mask of a word.
pub(super) fn store_bits<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    index: Id,
    mask: Id,
    bits: Id,
) -> Result<()> {
    let guard = in_bounds(cx, handle, Leaf::U32, index)?;
    let merge = guard.map(|ok| blocks::begin_if(cx, ok));
    let pointer = pointers::element_pointer(cx, handle, Leaf::U32, index, None)?;
    let word = cx.b.u32();
    let keep = cx.b.emit(Op::Not, word, &[mask]);
    let scope = cx.b.const_u32(Scope::Device as u32);
    let relaxed = cx.b.const_u32(0);
    cx.b.emit(Op::AtomicAnd, word, &[pointer, scope, relaxed, keep]);
    cx.b.emit(Op::AtomicOr, word, &[pointer, scope, relaxed, bits]);
    if let Some(merge) = merge {
        blocks::end_if(cx, merge);
    }
    Ok(())
}

/// `checkAccessFullyMapped`: loads give their status as 0 or 1.
pub(in crate::lower) fn check_access_fully_mapped(
    cx: &mut Context<'_>,
    op: &calls::CheckAccessFullyMapped,
) -> Result<Value> {
    let status = cx.id(op.status)?;
    let id = match cx.b.literal(status) {
        Some(value) => cx.b.const_bool(value != 0),
        None => {
            let zero = cx.b.const_u32(0);
            let ty = cx.b.bool();
            cx.b.emit(Op::INotEqual, ty, &[status, zero])
        }
    };
    Ok(Value::Id(id))
}

/// The slots whose bit is in the mask, with their number.
fn selected(ids: &mut [Id; 8], mask: u32) -> impl Iterator<Item = (u32, &mut Id)> {
    (0..).zip(ids).filter(move |(i, _)| mask >> i & 1 != 0)
}
