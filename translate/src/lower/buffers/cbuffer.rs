//! Constant buffers: rows of 16 bytes in a uniform buffer, root constants, or memory behind a root
//! descriptor's address. Reads beyond the end give zero.

use dxil_frontend::dxil::ops::calls;
use dxil_frontend::ir::{TypeId, ValueId};

use crate::analysis::constant_copies::CopiedWords;
use crate::analysis::raw_offsets::RawOffset;
use crate::interface::Representation;
use crate::lower::buffers::{min_precision, raw, words};
use crate::lower::context::Context;
use crate::lower::instrument::assumptions;
use crate::lower::numbers::{integers, word_pairs};
use crate::lower::resources::resource_variables::{MAX_CONSTANT_ROWS, ResourceHandle};
use crate::lower::resources::state::Leaf;
use crate::lower::resources::{handle_values, leaves, pointers, root_arguments};
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::lower::values::{Call, LoweredValue, StructMember};
use crate::spirv::{Builder, Id, Op};
use crate::{Assumption, Error, Location, Quirks, Result};

/// A row of a constant buffer, loaded as a whole or word by word.
#[derive(Clone, Copy)]
struct LoadedRow {
    register: Id,
    /// The four words as one vector, where more than one is wanted.
    vector: Option<Id>,
    words: [Id; 4],
}

/// Lowers `cbufferLoadLegacy`: a row as 4 32-bit, 2 64-bit or 8 16-bit values.
pub(super) fn load_legacy(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::CBufferLoadLegacy,
) -> Result<LoweredValue> {
    let Some(result) = call.result else {
        return Ok(LoweredValue::Unset);
    };
    let handle = handle_values::handle_of(cx, op.buffer)?;
    let register = cx.id(op.register)?;
    let fields = types::fields(&cx.input, call.ty)?;
    let Some(&first) = fields.first() else {
        return Err(Error::malformed("a constant buffer load gives nothing"));
    };
    let scalar = types::scalar(cx, first)?;
    let used = u32::from(cx.function.used_members(result));
    // 16-bit values come eight to a row if they are the program's own; min-precision values take 32
    // bits, four to a row.
    let packed = scalar.bits() == 16 && fields.len() > 4;
    let mut words = 0;
    // Only the words that are used are loaded: drivers do not always remove the others from a row.
    for i in (0..fields.len().min(8) as u32).filter(|i| used >> i & 1 != 0) {
        words |= match (scalar.bits(), packed) {
            (64, _) => 3 << (2 * i),
            (_, true) => 1 << (i / 2),
            (_, false) => 1 << i,
        };
    }
    // The buffer's variable may hold floats or integers; asking for the type of the result saves a
    // cast.
    let want = match (scalar, packed) {
        (Scalar::Float { bits: 16 | 32, .. }, false) => Scalar::F32,
        _ => Scalar::U32,
    };
    let row = load_row(cx, &handle, register, words & 0xf, want)?;
    let mut parts = [StructMember::Id(Id::NONE); 8];
    for (i, part) in (0..fields.len() as u32).zip(parts.iter_mut()) {
        if used >> i & 1 == 0 {
            continue;
        }
        let word = |n: u32| row.words.get(n as usize).copied().unwrap_or(Id::NONE);
        let id = match (scalar.bits(), packed) {
            (64, _) => word_pairs::join_words(cx, word(2 * i), word(2 * i + 1), scalar)?,
            (16, true) => words::half_of_word(cx, word(i / 2), i % 2, scalar)?,
            (16, false) => min_precision::from_memory(cx, word(i), NumericShape::scalar(scalar))?,
            _ => words::from_word(&mut cx.b, word(i), scalar)?,
        };
        *part = StructMember::Id(id);
    }
    raw::fill_unused(cx, &mut parts, fields)?;
    Ok(cx
        .function
        .values
        .parts(parts.iter().copied().take(fields.len())))
}

/// Lowers `cbufferLoad`: one value at a byte offset.
pub(super) fn load(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::CBufferLoad,
) -> Result<LoweredValue> {
    let handle = handle_values::handle_of(cx, op.buffer)?;
    let offset = cx.id(op.byte_offset)?;
    let scalar = types::scalar(cx, call.ty)?;
    let index = word_of_offset(cx, op.byte_offset)?;
    let want = match scalar {
        Scalar::Float { bits: 32, .. } => Scalar::F32,
        _ => Scalar::U32,
    };
    let low = load_constant_word(cx, &handle, index, want)?;
    let id = match scalar.bits() {
        64 => {
            let one = cx.b.const_u32(1);
            let next = cx.b.u32_add(index, one);
            let high = load_constant_word(cx, &handle, next, want)?;
            word_pairs::join_words(cx, low, high, scalar)?
        }
        16 => {
            let byte = cx.b.u32_and(offset, 2);
            let amount = cx.b.u32_shl(byte, 3);
            let half = if cx.b.literal(amount) == Some(0) {
                low
            } else {
                let ty = cx.b.u32();
                cx.b.emit(Op::ShiftRightLogical, ty, &[low, amount])
            };
            words::from_half_word(&mut cx.b, half, scalar)?
        }
        _ => words::from_word(&mut cx.b, low, scalar)?,
    };
    Ok(LoweredValue::Id(id))
}

/// Returns the word at a byte offset. The constant in it stays apart, so that drivers find
/// neighbouring words.
fn word_of_offset(cx: &mut Context<'_>, offset: ValueId) -> Result<Id> {
    match RawOffset::of(cx.function.view, offset) {
        RawOffset {
            factor: Some(factor),
            times,
            plus,
            ..
        } if times.is_multiple_of(4) && plus % 4 == 0 && cx.input.consumer().compact_code => {
            let factor = cx.id(factor)?;
            let words = cx.b.u32_mul(factor, times / 4);
            let plus = cx.b.const_u32((plus / 4) as u32);
            Ok(cx.b.u32_add(words, plus))
        }
        _ => {
            let offset = cx.id(offset)?;
            Ok(cx.b.u32_shr(offset, 2))
        }
    }
}

/// Returns an element of a local array that is a copy of words of a constant buffer.
pub(in crate::lower) fn load_copied(
    cx: &mut Context<'_>,
    copy: CopiedWords,
    index: ValueId,
    ty: TypeId,
) -> Result<Id> {
    let handle = handle_values::handle_of(cx, copy.handle)?;
    let scalar = types::scalar(cx, ty)?;
    let want = words::word_of_value(scalar);
    let index = integers::index_of(cx, index)?;
    let is_root = matches!(handle.view.location, Location::PushConstants { .. });
    let word = if copy.step.is_multiple_of(4) && !is_root {
        let row = cx.b.u32_mul(index, copy.step / 4);
        let first = cx.b.const_u32(copy.first.div_euclid(4) as u32);
        let row = cx.b.u32_add(row, first);
        let component = copy.first.rem_euclid(4) as u32;
        load_row(cx, &handle, row, 1 << component, want)?.words[component as usize]
    } else {
        let word = cx.b.u32_mul(index, copy.step);
        let first = cx.b.const_u32(copy.first as u32);
        let word = cx.b.u32_add(word, first);
        load_constant_word(cx, &handle, word, want)?
    };
    words::from_word(&mut cx.b, word, scalar)
}

/// Returns the words of a row that are in the mask, as integers or floats.
fn load_row<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    register: Id,
    mask: u32,
    want: Scalar,
) -> Result<LoadedRow> {
    let mut row = LoadedRow {
        register,
        vector: None,
        words: [Id::NONE; 4],
    };
    let wanted = mask.count_ones();
    let plain = !matches!(handle.view.location, Location::PushConstants { .. });
    if handle.view.representation != Representation::Constants {
        return Err(Error::malformed(format!(
            "{} is read as a constant buffer",
            handle.view.describe()
        )));
    }
    // One load of the row serves all of its words, those of later loads among them: drivers leave
    // out what nobody uses. Root constants are words without rows.
    let by_words = cx.b.literal(register).is_none()
        && leaves::has_constant_words_only(cx.input.options, handle.view);
    if plain && !by_words && (wanted > 1 || cx.input.consumer().compact_code) {
        let loaded = load_whole_row(cx, handle, register)?;
        row.vector = Some(words::words_as(cx, handle, loaded, 4, want));
    }
    let word_ty = if want == Scalar::F32 {
        cx.b.f32()
    } else {
        cx.b.u32()
    };
    for i in (0..4).filter(|i| mask >> i & 1 != 0) {
        let id = match row.vector {
            Some(vector) => cx.b.extract(word_ty, vector, i),
            None => {
                let base = cx.b.u32_shl(row.register, 2);
                let i = cx.b.const_u32(i);
                let index = cx.b.u32_add(base, i);
                load_constant_word(cx, handle, index, want)?
            }
        };
        if let Some(word) = row.words.get_mut(i as usize) {
            *word = id;
        }
    }
    Ok(row)
}

fn load_whole_row<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    register: Id,
) -> Result<Id> {
    let known = cx.b.literal(register);
    if let Some(id) =
        known.and_then(|row| cx.function.early_rows.loaded(handle.id, handle.index, row))
    {
        return Ok(id);
    }
    let word = words::word_type(cx, handle);
    let row_ty = cx.b.vector(word, 4);
    let (register, outside) = clamp_row(cx, handle, register);
    // A constant row outside reads as 0 without an access: as a constant index it could be invalid.
    if outside == Outside::Always {
        return Ok(cx.b.const_null(row_ty));
    }
    let pointer = pointers::element_pointer(cx, handle, Leaf::Row, register, None)?;
    let loaded = words::load_aligned(&mut cx.b, &cx.input, handle, row_ty, pointer, 16);
    for row in (cx.function.early_rows).take(handle.id, cx.block.label) {
        let register = cx.b.const_u32(row);
        let early = load_whole_row(cx, handle, register)?;
        (cx.function.early_rows).add(handle.id, handle.index, row, early);
    }
    Ok(match outside {
        Outside::Unless(inside) => {
            let zero = cx.b.const_null(row_ty);
            select_vector(&mut cx.b, row_ty, inside, loaded, zero)
        }
        _ => loaded,
    })
}

/// Returns a select of vectors by one condition: before SPIR-V 1.4 the condition is a vector too.
fn select_vector(b: &mut Builder, ty: Id, condition: Id, if_true: Id, if_false: Id) -> Id {
    // Before SPIR-V 1.4 the condition of a select of vectors has to be a vector.
    let bool_ty = b.bool();
    let vector_ty = b.vector(bool_ty, 4);
    let condition = b.construct(vector_ty, &[condition; 4]);
    b.select(ty, condition, if_true, if_false)
}

/// Returns one word of a constant buffer as an integer or a float.
fn load_constant_word<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    index: Id,
    want: Scalar,
) -> Result<Id> {
    if let Location::PushConstants { first_word, words } = handle.view.location {
        let loaded = load_root_constant(cx, handle, first_word, words, index)?;
        return Ok(words::words_as(cx, handle, loaded, 1, want));
    }
    let word = words::word_type(cx, handle);
    if cx.b.literal(index).is_none() && leaves::has_constant_words(cx.input.options, handle.view) {
        let pointer = pointers::element_pointer(cx, handle, Leaf::U32, index, None)?;
        let loaded = words::load_aligned(&mut cx.b, &cx.input, handle, word, pointer, 4);
        return Ok(words::words_as(cx, handle, loaded, 1, want));
    }
    let row = cx.b.u32_shr(index, 2);
    let (row, outside) = clamp_row(cx, handle, row);
    if outside == Outside::Always {
        let zero = words::zero_word(cx, handle);
        return Ok(words::words_as(cx, handle, zero, 1, want));
    }
    let component = cx.b.u32_and(index, 3);
    let pointer = pointers::element_pointer(cx, handle, Leaf::Row, row, Some(component))?;
    let loaded = words::load_aligned(&mut cx.b, &cx.input, handle, word, pointer, 4);
    let loaded = match outside {
        Outside::Unless(inside) => {
            let zero = words::zero_word(cx, handle);
            cx.b.select(word, inside, loaded, zero)
        }
        _ => loaded,
    };
    Ok(words::words_as(cx, handle, loaded, 1, want))
}

fn load_root_constant<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    first_word: u32,
    words: u32,
    index: Id,
) -> Result<Id> {
    let word = cx.b.u32();
    let zero = cx.b.const_u32(0);
    let first = cx.b.const_u32(first_word);
    // A constant index outside needs no code, and the push constant block may end there.
    if let Some(value) = cx.b.literal(index) {
        if value >= words {
            return Ok(zero);
        }
        let index = cx.b.u32_add(index, first);
        return root_arguments::root_word(cx, handle.view, index);
    }
    // Push constants have no bounds check in the device.
    let count = cx.b.const_u32(words);
    let bool_ty = cx.b.bool();
    let inside = cx.b.emit(Op::ULessThan, bool_ty, &[index, count]);
    // The address is clamped as well as the result: the load itself must stay inside.
    let safe = cx.b.select(word, inside, index, zero);
    let safe = cx.b.u32_add(safe, first);
    let loaded = root_arguments::root_word(cx, handle.view, safe)?;
    Ok(cx.b.select(word, inside, loaded, zero))
}

/// Keeps a row inside of the declared array. A constant row outside reads as zero without an
/// access; a computed one is checked where the device does not check it.
fn clamp_row<'a>(cx: &mut Context<'a>, handle: &ResourceHandle<'a>, row: Id) -> (Id, Outside) {
    // Sizes need not be multiples of a row, but the last row exists as a whole.
    let rows = handle.view.cbuffer_size.div_ceil(16).max(1);
    // Root descriptors have no size in D3D12, so only its maximum is known.
    if matches!(handle.view.location, Location::DeviceAddress { .. }) {
        assumptions::assume_at_most(cx, row, MAX_CONSTANT_ROWS - 1, Assumption::InRootConstants);
    }
    if let Some(value) = cx.b.literal(row) {
        let outside = if value < rows {
            Outside::Never
        } else {
            Outside::Always
        };
        return (row, outside);
    }
    // No device knows the size of the memory at an address.
    let address = matches!(handle.view.location, Location::DeviceAddress { .. })
        && cx.input.has_quirk(Quirks::ROBUST_ADDRESSES);
    if !cx.input.checks_bounds() && !address {
        return (row, Outside::Never);
    }
    let count = cx.b.const_u32(rows);
    let bool_ty = cx.b.bool();
    let inside = cx.b.emit(Op::ULessThan, bool_ty, &[row, count]);
    let word = cx.b.u32();
    let zero = cx.b.const_u32(0);
    let safe = cx.b.select(word, inside, row, zero);
    (safe, Outside::Unless(inside))
}

/// Whether an access lies beyond the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outside {
    Never,
    Always,
    Unless(Id),
}
