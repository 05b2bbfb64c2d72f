//! Words of buffers: their addresses, and loads and stores of one of them.

use crate::interface::Representation;
use crate::lower::blocks;
use crate::lower::context::{Context, Input};
use crate::lower::images::texel_buffers;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::resources::state::Leaf;
use crate::lower::resources::{heap_tables, leaves, pointers};
use crate::lower::type_map::Scalar;
use crate::spirv::{Builder, Id, MemoryAccess, Op, Scope};
use crate::{Location, Result};

/// A byte address in a buffer, kept in parts so that division by the unit is exact and constants
/// fold.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Address {
    /// Element of a structured buffer and bytes per element.
    pub(super) element: Option<(Id, u32)>,
    /// Byte offset in the element or the buffer.
    pub(super) offset: Id,
    /// Bytes after that place of a raw buffer, for the later parts of a long vector.
    pub(super) ahead: u32,
    /// Lower bits that are known to be 0 of the part of a raw address that is no constant.
    pub(super) zeros: u32,
}

/// Returns the address in units of `1 << log2` bytes, rounded down.
pub(in crate::lower) fn address_in_units(b: &mut Builder, address: Address, log2: u32) -> Id {
    let Address {
        element,
        offset,
        ahead,
        zeros: _,
    } = address;
    match element {
        // Offset and the constant part are shifted apart: DXC aligns both.
        None => {
            let unit = b.u32_shr(offset, log2);
            let ahead = b.const_u32(ahead >> log2);
            b.u32_add(unit, ahead)
        }
        // The stride divides by the unit exactly, so the shift moves into the constant factor.
        Some((index, stride)) if stride.is_multiple_of(1 << log2) => {
            let base = b.u32_mul(index, stride >> log2);
            let offset = match b.literal(offset) {
                // Raw addresses may begin before the product.
                Some(constant) => b.const_u32((constant as i32 >> log2) as u32),
                None => b.u32_shr(offset, log2),
            };
            b.u32_add(base, offset)
        }
        // Otherwise only the whole byte address is known to be a multiple of the unit. Whole units
        // after it stay apart, so that drivers find neighbouring accesses.
        Some((index, stride)) => {
            let base = b.u32_mul(index, stride);
            match b.literal(offset) {
                Some(constant) if constant.is_multiple_of(1 << log2) => {
                    let base = b.u32_shr(base, log2);
                    let units = b.const_u32((constant as i32 >> log2) as u32);
                    b.u32_add(base, units)
                }
                _ => {
                    let bytes = b.u32_add(base, offset);
                    b.u32_shr(bytes, log2)
                }
            }
        }
    }
}

/// Shifts the addressed half of a word to or from the low half.
pub(super) fn shift_to_low_half(b: &mut Builder, word: Id, half: Id, shift: Op) -> Id {
    let odd = b.u32_and(half, 1);
    let amount = b.u32_shl(odd, 4);
    if b.literal(amount) == Some(0) {
        return word;
    }
    let ty = b.u32();
    b.emit(shift, ty, &[word, amount])
}

/// Returns a 32-bit value from the word that [`word_of_value`] returns.
pub(super) fn from_word(b: &mut Builder, word: Id, scalar: Scalar) -> Result<Id> {
    Ok(match scalar {
        Scalar::Bool => {
            let zero = b.const_u32(0);
            let ty = b.bool();
            b.emit(Op::INotEqual, ty, &[word, zero])
        }
        Scalar::Int { .. } | Scalar::Float { .. } => word,
    })
}

/// Returns the scalar that the 32-bit words of a buffer are in the module.
pub(super) fn word_scalar<'a>(cx: &Context<'a>, handle: &ResourceHandle<'a>) -> Scalar {
    leaves::word_scalar(cx, handle.view)
}

/// Returns the type of the 32-bit words of a buffer.
pub(super) fn word_type<'a>(cx: &mut Context<'a>, handle: &ResourceHandle<'a>) -> Id {
    leaves::word_type(cx, handle.view)
}

/// Returns zero as a word of a buffer.
pub(super) fn zero_word<'a>(cx: &mut Context<'a>, handle: &ResourceHandle<'a>) -> Id {
    if word_scalar(cx, handle) == Scalar::F32 {
        cx.b.const_f32(0.0)
    } else {
        cx.b.const_u32(0)
    }
}

/// Returns words of a buffer, or a vector of `count` of them, as unsigned integers or floats.
pub(super) fn words_as<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    loaded: Id,
    count: u32,
    want: Scalar,
) -> Id {
    if word_scalar(cx, handle) == want {
        return loaded;
    }
    let word = if want == Scalar::F32 {
        cx.b.f32()
    } else {
        cx.b.u32()
    };
    let ty = if count > 1 {
        cx.b.vector(word, count)
    } else {
        word
    };
    cx.b.emit_once(Op::Bitcast, ty, &[loaded])
}

/// Returns the kind of words that a 32-bit value is made from without a further cast.
pub(super) fn word_of_value(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::Float { .. } => Scalar::F32,
        Scalar::Int { .. } | Scalar::Bool => Scalar::U32,
    }
}

/// Returns a 32-bit value as a word of the buffer.
pub(super) fn stored_word<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    value: Id,
    scalar: Scalar,
) -> Result<Id> {
    // The buffer's words are floats if all accesses are; then no cast is needed.
    if word_scalar(cx, handle) == Scalar::F32 && matches!(scalar, Scalar::Float { .. }) {
        return Ok(value);
    }
    to_word(&mut cx.b, value, scalar)
}

/// Returns a 16-bit word as a 16-bit value in its representation.
pub(super) fn from_short(b: &mut Builder, short: Id, scalar: Scalar) -> Result<Id> {
    Ok(match scalar {
        Scalar::Float { width: 16, .. } => {
            let ty = b.float(16);
            b.bitcast(ty, short)
        }
        // Without native 16-bit types the value is widened as the representation wants.
        Scalar::Float { .. } | Scalar::Int { width: 32, .. } => {
            let ty = b.u32();
            let word = b.emit(Op::UConvert, ty, &[short]);
            from_half_word(b, word, scalar)?
        }
        _ => short,
    })
}

/// Returns the low half of a word as a 16-bit value in its representation; the upper half is
/// undefined.
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

/// Returns half 0 (the low one) or 1 of a word as a 16-bit value in its representation.
pub(super) fn half_of_word(
    cx: &mut Context<'_>,
    word: Id,
    half: u32,
    scalar: Scalar,
) -> Result<Id> {
    let is_native = cx.input.consumer().all_of_spirv && scalar.width() == 16;
    let b = &mut cx.b;
    if is_native {
        // Drivers compute with the halves of a register in place, but do not find them behind
        // shifts.
        let ty = match scalar {
            Scalar::Float { .. } => b.float(16),
            _ => b.uint(16),
        };
        let pair_ty = b.vector(ty, 2);
        let pair = b.emit_once(Op::Bitcast, pair_ty, &[word]);
        return Ok(b.extract(ty, pair, half));
    }
    let low = b.u32_shr(word, 16 * half);
    from_half_word(b, low, scalar)
}

/// Returns the low half of a word, a half-precision float, as 32-bit float.
pub(super) fn unpack_half(b: &mut Builder, word: Id) -> Id {
    let f32_ty = b.f32();
    let pair_ty = b.vector(f32_ty, 2);
    let pair = b.glsl(crate::spirv::GLOp::UnpackHalf2x16, pair_ty, &[word]);
    b.extract(f32_ty, pair, 0)
}

/// Returns a 32-bit value as a word.
pub(super) fn to_word(b: &mut Builder, value: Id, scalar: Scalar) -> Result<Id> {
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

/// Returns a 16-bit value as the low half of a word whose upper half is zero.
pub(super) fn to_half_word(b: &mut Builder, value: Id, scalar: Scalar) -> Result<Id> {
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
    handle: &ResourceHandle<'a>,
    leaf: Leaf,
    base: Id,
    add: u32,
) -> Result<Id> {
    let add = cx.b.const_u32(add);
    let mut index = cx.b.u32_add(base, add);
    if handle.view.words_of.is_some() {
        return texel_buffers::load_word(cx, handle, index);
    }
    let guard = match in_bounds(cx, handle, leaf, index)? {
        Some(ok) => {
            let word = cx.b.u32();
            let zero = cx.b.const_u32(0);
            // The index is clamped to a place that exists; the select below drops what was read
            // there.
            index = cx.b.select(word, ok, index, zero);
            Some(ok)
        }
        None => None,
    };
    let pointer = pointers::element_pointer(cx, handle, leaf, index, None)?;
    let (ty, align) = match leaf {
        Leaf::U16 => (cx.b.uint(16), 2),
        Leaf::U64 => (cx.b.uint(64), 8),
        _ => (word_type(cx, handle), 4),
    };
    let loaded = load_aligned(&mut cx.b, &cx.input, handle, ty, pointer, align);
    Ok(match guard {
        Some(ok) => {
            let zero = cx.b.const_null(ty);
            cx.b.select(ty, ok, loaded, zero)
        }
        None => loaded,
    })
}

/// Loads from a pointer; a device address needs an explicit alignment.
pub(super) fn load_aligned<'a>(
    b: &mut Builder,
    input: &Input<'a>,
    handle: &ResourceHandle<'a>,
    ty: Id,
    pointer: Id,
    align: u32,
) -> Id {
    let id = if let Some(align) = address_alignment(handle, align) {
        let access = MemoryAccess::ALIGNED.bits();
        b.emit(Op::Load, ty, &[pointer.0, access, align])
    } else if is_atomic_access(input, handle, align) {
        let scope = b.const_u32(Scope::Device as u32);
        let relaxed = b.const_u32(0);
        b.emit(Op::AtomicLoad, ty, &[pointer, scope, relaxed])
    } else {
        b.load(ty, pointer)
    };
    pointers::mark_non_uniform(b, input, handle, id);
    id
}

/// Returns the alignment of an access to a device address, which has to name one
/// (VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708). `align` is that of an access to a bound
/// buffer. Root descriptors of raw and structured buffers begin at multiples of 4 bytes
/// (`SetComputeRootShaderResourceView`), and so do their vectors.
fn address_alignment(handle: &ResourceHandle<'_>, align: u32) -> Option<u32> {
    matches!(handle.view.location, Location::DeviceAddress { .. }).then_some({
        match handle.view.representation {
            Representation::Constants => align,
            // Rows of three begin at multiples of their words only.
            _ => (1 << align.trailing_zeros()).min(4),
        }
    })
}

/// Returns whether an atomic has to replace an access to memory that other groups share.
fn is_atomic_access<'a>(input: &Input<'a>, handle: &ResourceHandle<'a>, align: u32) -> bool {
    !input.consumer().coherent_memory && handle.view.coherent && align == 4
}

/// Returns whether the element exists, where the code has to check because the device does not or
/// cannot.
pub(in crate::lower) fn in_bounds<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    leaf: Leaf,
    index: Id,
) -> Result<Option<Id>> {
    // At a device address there is no length to compare with.
    if !cx.input.checks_bounds() || matches!(handle.view.location, Location::DeviceAddress { .. }) {
        return Ok(None);
    }
    // A range table's end is always checked.
    if heap_tables::range_length(cx, handle).is_some() {
        return Ok(None);
    }
    let length = array_length(cx, handle, leaf)?;
    // The comparison is unsigned, so negative offsets are outside, too.
    let ty = cx.b.bool();
    Ok(Some(cx.b.emit(Op::ULessThan, ty, &[index, length])))
}

/// Returns the number of elements that are bound.
pub(in crate::lower) fn array_length<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    leaf: Leaf,
) -> Result<Id> {
    let block = pointers::block_pointer(cx, handle, leaf)?;
    let ty = cx.b.u32();
    let id = cx.b.emit(Op::ArrayLength, ty, &[block.0, 0]);
    // The descriptor may differ between lanes, and so does its length.
    pointers::mark_non_uniform(&mut cx.b, &cx.input, handle, id);
    Ok(id)
}

/// Stores element `base + add`.
pub(super) fn store_word<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    leaf: Leaf,
    base: Id,
    add: u32,
    value: Id,
) -> Result<()> {
    let add = cx.b.const_u32(add);
    let index = cx.b.u32_add(base, add);
    if handle.view.words_of.is_some() {
        return texel_buffers::store_word(cx, handle, index, value);
    }
    let guard = in_bounds(cx, handle, leaf, index)?;
    // A store cannot be undone, so it is skipped, not redirected.
    let merge = guard.map(|ok| blocks::begin_if(cx, ok));
    let pointer = pointers::element_pointer(cx, handle, leaf, index, None)?;
    store_aligned(
        &mut cx.b,
        &cx.input,
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

/// Stores through a pointer; a device address needs an explicit alignment.
pub(super) fn store_aligned<'a>(
    b: &mut Builder,
    input: &Input<'a>,
    handle: &ResourceHandle<'a>,
    pointer: Id,
    value: Id,
    align: u32,
) {
    if let Some(align) = address_alignment(handle, align) {
        let access = MemoryAccess::ALIGNED.bits();
        b.emit_void(Op::Store, &[pointer.0, value.0, access, align]);
    } else if is_atomic_access(input, handle, align) {
        let scope = b.const_u32(Scope::Device as u32);
        let relaxed = b.const_u32(0);
        let words = [pointer, scope, relaxed, value];
        b.emit_void(Op::AtomicStore, &words);
    } else {
        b.store(pointer, value);
    }
}
