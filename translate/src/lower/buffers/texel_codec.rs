//! Texels in code: typed buffers that are bound as storage buffers, for targets without texel
//! buffers. The conversions are D3D's (functional specification, "Data conversion rules").

use crate::lower::buffers::raw;
use crate::lower::context::Context;
use crate::lower::resources::resource_variables::Handle;
use crate::lower::resources::state::Leaf;
use crate::spirv::{GLOp, Id, Op};
use crate::{ComponentBits, Numeric, Result, TexelFormat};

/// Reads the texel; components as `f32` or `u32` bits by the format's class, only those in the
/// mask, the missing ones as D3D fills them (0, 0, 0, 1). A 64-bit component gives two words.
pub(super) fn load_texel<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    format: TexelFormat,
    index: Id,
    mask: u32,
) -> Result<[Id; 4]> {
    let bytes = format.bytes();
    let mut ids = [Id::NONE; 4];
    let components = format.components();
    let mut words = [Id::NONE; 4];
    for (i, id) in (0..4_u32).zip(&mut ids) {
        if mask >> i & 1 == 0 {
            continue;
        }
        let Some(&place) = components.get(i as usize) else {
            *id = missing_component(cx, format, i);
            continue;
        };
        let n = usize::from(place.offset / 32);
        if let Some(word) = words.get_mut(n)
            && word.is_none()
        {
            *word = load_texel_word(cx, handle, index, bytes, n as u32)?;
        }
        let word = words.get(n).copied().unwrap_or_default();
        *id = decode_component(cx, format.numeric(), place, word);
    }
    Ok(ids)
}

/// The n-th word of a texel; a texel narrower than a word is shifted down.
fn load_texel_word<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    index: Id,
    bytes: u32,
    n: u32,
) -> Result<Id> {
    if bytes >= 4 {
        let base = cx.b.u32_mul(index, bytes / 4);
        return raw::load_word(cx, handle, Leaf::U32, base, n);
    }
    let (word_index, shift) = narrow_place(cx, index, bytes);
    let word = raw::load_word(cx, handle, Leaf::U32, word_index, 0)?;
    let ty = cx.b.u32();
    Ok(cx.b.emit(Op::ShiftRightLogical, ty, &[word, shift]))
}

/// Word index and bit shift of a texel of one or two bytes.
fn narrow_place(cx: &mut Context<'_>, index: Id, bytes: u32) -> (Id, Id) {
    let per_word = 4 / bytes.max(1);
    let word_index = cx.b.u32_shr(index, per_word.trailing_zeros());
    let part = cx.b.u32_and(index, per_word - 1);
    let shift = cx.b.u32_mul(part, bytes * 8);
    (word_index, shift)
}

fn missing_component(cx: &mut Context<'_>, format: TexelFormat, i: u32) -> Id {
    let one = i == 3;
    match format.numeric() {
        Numeric::Uint | Numeric::Sint => cx.b.const_u32(u32::from(one)),
        _ => cx.b.const_f32(if one { 1.0 } else { 0.0 }),
    }
}

fn decode_component(cx: &mut Context<'_>, numeric: Numeric, place: ComponentBits, word: Id) -> Id {
    let offset = u32::from(place.offset % 32);
    let width = u32::from(place.width).min(32);
    let f32_ty = cx.b.f32();
    match numeric {
        Numeric::Uint => unsigned_bits(cx, word, offset, width),
        Numeric::Sint => signed_bits(cx, word, offset, width),
        Numeric::Unorm => {
            let bits = unsigned_bits(cx, word, offset, width);
            let value = cx.b.emit(Op::ConvertUToF, f32_ty, &[bits]);
            let scale = cx.b.const_f32(unsigned_max(width));
            cx.b.emit(Op::FDiv, f32_ty, &[value, scale])
        }
        Numeric::Snorm => {
            let bits = signed_bits(cx, word, offset, width);
            let int_ty = cx.b.int(32);
            let bits = cx.b.bitcast(int_ty, bits);
            let value = cx.b.emit(Op::ConvertSToF, f32_ty, &[bits]);
            let scale = cx.b.const_f32(unsigned_max(width - 1));
            let value = cx.b.emit(Op::FDiv, f32_ty, &[value, scale]);
            let least = cx.b.const_f32(-1.0);
            cx.b.glsl(GLOp::FMax, f32_ty, &[value, least])
        }
        Numeric::Float if width == 32 => cx.b.bitcast(f32_ty, word),
        Numeric::Float => {
            let bits = unsigned_bits(cx, word, offset, width);
            // 11- and 10-bit floats are halves without sign and with fewer mantissa bits.
            let half = match width {
                11 => cx.b.u32_shl(bits, 4),
                10 => cx.b.u32_shl(bits, 5),
                _ => bits,
            };
            raw::unpack_half(cx, half)
        }
    }
}

fn unsigned_bits(cx: &mut Context<'_>, word: Id, offset: u32, width: u32) -> Id {
    let shifted = cx.b.u32_shr(word, offset);
    if offset + width == 32 || width >= 32 {
        return shifted;
    }
    cx.b.u32_and(shifted, (1 << width) - 1)
}

fn signed_bits(cx: &mut Context<'_>, word: Id, offset: u32, width: u32) -> Id {
    if width >= 32 {
        return word;
    }
    let up = cx.b.u32_shl(word, 32 - offset - width);
    let ty = cx.b.u32();
    let down = cx.b.const_u32(32 - width);
    cx.b.emit(Op::ShiftRightArithmetic, ty, &[up, down])
}

/// Writes a texel. Components are `f32` or `u32` by the format's class.
pub(super) fn store_texel<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    format: TexelFormat,
    index: Id,
    components: [Id; 4],
) -> Result<()> {
    let bytes = format.bytes();
    let mut words = [Id::NONE; 4];
    let word_ty = cx.b.u32();
    for (&place, value) in format.components().iter().zip(components) {
        let bits = encode_component(cx, format.numeric(), place, value);
        let bits = cx.b.u32_shl(bits, u32::from(place.offset % 32));
        let n = usize::from(place.offset / 32);
        if let Some(word) = words.get_mut(n) {
            *word = if word.is_none() {
                bits
            } else {
                cx.b.emit(Op::BitwiseOr, word_ty, &[*word, bits])
            };
        }
    }
    if bytes >= 4 {
        let base = cx.b.u32_mul(index, bytes / 4);
        for (n, word) in (0..bytes / 4).zip(words) {
            raw::store_word(cx, handle, Leaf::U32, base, n, word)?;
        }
        return Ok(());
    }
    // Neighbours share the word: two atomics, each of which leaves the other texels alone.
    let (word_index, shift) = narrow_place(cx, index, bytes);
    let mask = cx.b.const_u32((1 << (bytes * 8)) - 1);
    let mask = cx.b.emit(Op::ShiftLeftLogical, word_ty, &[mask, shift]);
    let bits = cx.b.emit(Op::ShiftLeftLogical, word_ty, &[words[0], shift]);
    raw::store_bits(cx, handle, word_index, mask, bits)
}

/// A component's bits in the low end of a word; all others are zero.
fn encode_component(cx: &mut Context<'_>, numeric: Numeric, place: ComponentBits, value: Id) -> Id {
    let width = u32::from(place.width).min(32);
    let f32_ty = cx.b.f32();
    let word_ty = cx.b.u32();
    match numeric {
        Numeric::Uint if width == 32 => value,
        Numeric::Uint => {
            let most = cx.b.const_u32((1 << width) - 1);
            cx.b.glsl(GLOp::UMin, word_ty, &[value, most])
        }
        Numeric::Sint if width == 32 => value,
        Numeric::Sint => {
            let int_ty = cx.b.int(32);
            let value = cx.b.bitcast(int_ty, value);
            let most = (1_u32 << (width - 1)) - 1;
            let least = cx.b.const_u32(!most);
            let most = cx.b.const_u32(most);
            let least = cx.b.bitcast(int_ty, least);
            let most = cx.b.bitcast(int_ty, most);
            let value = cx.b.glsl(GLOp::SClamp, int_ty, &[value, least, most]);
            let value = cx.b.bitcast(word_ty, value);
            cx.b.u32_and(value, (1 << width) - 1)
        }
        Numeric::Unorm => {
            let scaled = scale_normal(cx, value, 0.0, unsigned_max(width));
            cx.b.emit(Op::ConvertFToU, word_ty, &[scaled])
        }
        Numeric::Snorm => {
            let scaled = scale_normal(cx, value, -1.0, unsigned_max(width - 1));
            let int_ty = cx.b.int(32);
            let value = cx.b.emit(Op::ConvertFToS, int_ty, &[scaled]);
            let value = cx.b.bitcast(word_ty, value);
            cx.b.u32_and(value, (1 << width) - 1)
        }
        Numeric::Float if width == 32 => cx.b.bitcast(word_ty, value),
        Numeric::Float => {
            let signed = width == 16;
            let value = if signed {
                value
            } else {
                // No sign: negative numbers become 0.
                let zero = cx.b.const_f32(0.0);
                cx.b.glsl(GLOp::FMax, f32_ty, &[value, zero])
            };
            let pair_ty = cx.b.vector(f32_ty, 2);
            let zero = cx.b.const_f32(0.0);
            let pair = cx.b.construct(pair_ty, &[value, zero]);
            let half = cx.b.glsl(GLOp::PackHalf2x16, word_ty, &[pair]);
            match width {
                11 => cx.b.u32_shr(half, 4),
                10 => cx.b.u32_shr(half, 5),
                _ => half,
            }
        }
    }
}

/// Clamps (NaN to 0), scales and rounds a normalised component.
fn scale_normal(cx: &mut Context<'_>, value: Id, least: f32, scale: f32) -> Id {
    let f32_ty = cx.b.f32();
    let bool_ty = cx.b.bool();
    let zero = cx.b.const_f32(0.0);
    let is_number = cx.b.emit(Op::FOrdEqual, bool_ty, &[value, value]);
    let value = cx.b.select(f32_ty, is_number, value, zero);
    let least = cx.b.const_f32(least);
    let most = cx.b.const_f32(1.0);
    let value = cx.b.glsl(GLOp::FClamp, f32_ty, &[value, least, most]);
    let scale = cx.b.const_f32(scale);
    let value = cx.b.emit(Op::FMul, f32_ty, &[value, scale]);
    cx.b.glsl(GLOp::RoundEven, f32_ty, &[value])
}

/// Largest integer of that many bits.
fn unsigned_max(width: u32) -> f32 {
    ((1_u64 << width) - 1) as f32
}
