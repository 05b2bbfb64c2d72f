//! Texels in code: typed buffers that are bound as storage buffers, for targets without texel
//! buffers. The conversions are D3D's (functional specification, "Data conversion rules").

use crate::lower::buffers::{raw, words};
use crate::lower::context::Context;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::resources::state::Leaf;
use crate::spirv::{Builder, GLOp, Id, Op};
use crate::{ComponentBits, Numeric, Result, TexelFormat};

/// Reads the texel; components as `f32` or `u32` bits by the format's class, only those in the
/// mask, the missing ones as D3D fills them (0, 0, 0, 1). A 64-bit component gives two words.
pub(super) fn load_texel<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
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
        // Components that the format lacks read as 0, 0, 0, 1.
        let Some(&field) = components.get(i as usize) else {
            *id = missing_component(&mut cx.b, format, i);
            continue;
        };
        let n = usize::from(field.offset / 32);
        if let Some(word) = words.get_mut(n)
            && word.is_none()
        {
            *word = load_texel_word(cx, handle, index, bytes, n as u32)?;
        }
        let word = words.get(n).copied().unwrap_or_default();
        *id = decode_component(&mut cx.b, format.numeric(), field, word);
    }
    Ok(ids)
}

/// Returns the n-th word of a texel; a texel narrower than a word is shifted down.
fn load_texel_word<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    index: Id,
    bytes: u32,
    n: u32,
) -> Result<Id> {
    if bytes >= 4 {
        let base = cx.b.u32_mul(index, bytes / 4);
        return words::load_word(cx, handle, Leaf::U32, base, n);
    }
    let (word_index, shift) = narrow_position(&mut cx.b, index, bytes);
    // A narrow texel is a part of a word: storage of 8 and 16 bits would need features.
    let word = words::load_word(cx, handle, Leaf::U32, word_index, 0)?;
    let ty = cx.b.u32();
    Ok(cx.b.emit(Op::ShiftRightLogical, ty, &[word, shift]))
}

/// Returns the word index and bit shift of a texel of one or two bytes.
fn narrow_position(b: &mut Builder, index: Id, bytes: u32) -> (Id, Id) {
    let per_word = 4 / bytes.max(1);
    let word_index = b.u32_shr(index, per_word.trailing_zeros());
    let part = b.u32_and(index, per_word - 1);
    let shift = b.u32_mul(part, bytes * 8);
    (word_index, shift)
}

fn missing_component(b: &mut Builder, format: TexelFormat, i: u32) -> Id {
    let one = i == 3;
    match format.numeric() {
        Numeric::Uint | Numeric::Sint => b.const_u32(u32::from(one)),
        _ => b.const_f32(if one { 1.0 } else { 0.0 }),
    }
}

fn decode_component(b: &mut Builder, numeric: Numeric, field: ComponentBits, word: Id) -> Id {
    let offset = u32::from(field.offset % 32);
    let width = u32::from(field.width).min(32);
    let f32_ty = b.f32();
    match numeric {
        Numeric::Uint => unsigned_bits(b, word, offset, width),
        Numeric::Sint => signed_bits(b, word, offset, width),
        Numeric::Unorm => {
            let bits = unsigned_bits(b, word, offset, width);
            // An unsigned normalized number is divided by its maximum (D3D11.3 functional
            // specification, 3.2.3.5); a product with the reciprocal would not give 1.0 exactly.
            let value = b.emit(Op::ConvertUToF, f32_ty, &[bits]);
            let scale = b.const_f32(unsigned_max(width));
            b.emit(Op::FDiv, f32_ty, &[value, scale])
        }
        Numeric::Snorm => {
            let bits = signed_bits(b, word, offset, width);
            let int_ty = b.int(32);
            let bits = b.bitcast(int_ty, bits);
            let value = b.emit(Op::ConvertSToF, f32_ty, &[bits]);
            let scale = b.const_f32(unsigned_max(width - 1));
            let value = b.emit(Op::FDiv, f32_ty, &[value, scale]);
            let min = b.const_f32(-1.0);
            // Two codes mean -1.0 (D3D11.3 functional specification, 3.2.3.3).
            b.glsl(GLOp::FMax, f32_ty, &[value, min])
        }
        Numeric::Float if width == 32 => b.bitcast(f32_ty, word),
        Numeric::Float => {
            let bits = unsigned_bits(b, word, offset, width);
            // 11- and 10-bit floats are halves without sign and with fewer mantissa bits.
            let half = match width {
                11 => b.u32_shl(bits, 4),
                10 => b.u32_shl(bits, 5),
                _ => bits,
            };
            words::unpack_half(b, half)
        }
    }
}

fn unsigned_bits(b: &mut Builder, word: Id, offset: u32, width: u32) -> Id {
    let shifted = b.u32_shr(word, offset);
    // The top field needs no mask, because the shift has filled with zeros.
    if offset + width == 32 || width >= 32 {
        return shifted;
    }
    b.u32_and(shifted, (1 << width) - 1)
}

fn signed_bits(b: &mut Builder, word: Id, offset: u32, width: u32) -> Id {
    if width >= 32 {
        return word;
    }
    let up = b.u32_shl(word, 32 - offset - width);
    let ty = b.u32();
    let down = b.const_u32(32 - width);
    b.emit(Op::ShiftRightArithmetic, ty, &[up, down])
}

/// Writes a texel. Components are `f32` or `u32` by the format's class.
pub(super) fn store_texel<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    format: TexelFormat,
    index: Id,
    components: [Id; 4],
) -> Result<()> {
    let bytes = format.bytes();
    let mut words = [Id::NONE; 4];
    let word_ty = cx.b.u32();
    for (&field, value) in format.components().iter().zip(components) {
        // The fields are encoded one by one and joined with "or", so each has to be zero outside of
        // its bits.
        let bits = encode_component(&mut cx.b, format.numeric(), field, value);
        let bits = cx.b.u32_shl(bits, u32::from(field.offset % 32));
        let n = usize::from(field.offset / 32);
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
            words::store_word(cx, handle, Leaf::U32, base, n, word)?;
        }
        return Ok(());
    }
    // Neighbours share the word: two atomics, each of which preserves the other texels.
    let (word_index, shift) = narrow_position(&mut cx.b, index, bytes);
    let mask = cx.b.const_u32((1 << (bytes * 8)) - 1);
    let mask = cx.b.emit(Op::ShiftLeftLogical, word_ty, &[mask, shift]);
    let bits = cx.b.emit(Op::ShiftLeftLogical, word_ty, &[words[0], shift]);
    raw::store_bits(cx, handle, word_index, mask, bits)
}

/// Returns a component's bits in the low end of a word; all others are zero.
fn encode_component(b: &mut Builder, numeric: Numeric, field: ComponentBits, value: Id) -> Id {
    let width = u32::from(field.width).min(32);
    let f32_ty = b.f32();
    let word_ty = b.u32();
    match numeric {
        Numeric::Uint if width == 32 => value,
        Numeric::Uint => {
            // Values outside of the range clamp (D3D11.3 functional specification, 3.2.3.13).
            let max = b.const_u32((1 << width) - 1);
            b.glsl(GLOp::UMin, word_ty, &[value, max])
        }
        Numeric::Sint if width == 32 => value,
        Numeric::Sint => {
            let int_ty = b.int(32);
            // The clamp is signed in naga only if its operands are.
            let value = b.bitcast(int_ty, value);
            let max = (1_u32 << (width - 1)) - 1;
            let min = b.const_u32(!max);
            let max = b.const_u32(max);
            let min = b.bitcast(int_ty, min);
            let max = b.bitcast(int_ty, max);
            let value = b.glsl(GLOp::SClamp, int_ty, &[value, min, max]);
            let value = b.bitcast(word_ty, value);
            // The sign has filled the upper bits, where other components lie.
            b.u32_and(value, (1 << width) - 1)
        }
        Numeric::Unorm => {
            let scaled = scale_normal(b, value, 0.0, unsigned_max(width));
            b.emit(Op::ConvertFToU, word_ty, &[scaled])
        }
        Numeric::Snorm => {
            let scaled = scale_normal(b, value, -1.0, unsigned_max(width - 1));
            let int_ty = b.int(32);
            let value = b.emit(Op::ConvertFToS, int_ty, &[scaled]);
            let value = b.bitcast(word_ty, value);
            b.u32_and(value, (1 << width) - 1)
        }
        Numeric::Float if width == 32 => b.bitcast(word_ty, value),
        Numeric::Float => {
            let signed = width == 16;
            let value = if signed {
                value
            } else {
                // No sign: negative numbers become 0, and NaN stays NaN.
                let zero = b.const_f32(0.0);
                let bool_ty = b.bool();
                let is_negative = b.emit(Op::FOrdLessThan, bool_ty, &[value, zero]);
                b.select(f32_ty, is_negative, zero, value)
            };
            let pair_ty = b.vector(f32_ty, 2);
            let zero = b.const_f32(0.0);
            let pair = b.construct(pair_ty, &[value, zero]);
            // The pack rounds to a half; the smaller floats cut its mantissa off.
            let half = b.glsl(GLOp::PackHalf2x16, word_ty, &[pair]);
            match width {
                11 => b.u32_shr(half, 4),
                10 => b.u32_shr(half, 5),
                _ => half,
            }
        }
    }
}

/// Clamps (NaN to 0), scales and rounds a normalised component.
fn scale_normal(b: &mut Builder, value: Id, min: f32, scale: f32) -> Id {
    let f32_ty = b.f32();
    let bool_ty = b.bool();
    let zero = b.const_f32(0.0);
    // FClamp of NaN is undefined, and D3D turns NaN into 0 (D3D11.3 functional specification,
    // 3.2.3.4 and 3.2.3.6).
    let is_number = b.emit(Op::FOrdEqual, bool_ty, &[value, value]);
    let value = b.select(f32_ty, is_number, value, zero);
    let min = b.const_f32(min);
    let max = b.const_f32(1.0);
    let value = b.glsl(GLOp::FClamp, f32_ty, &[value, min, max]);
    let scale = b.const_f32(scale);
    let value = b.emit(Op::FMul, f32_ty, &[value, scale]);
    // D3D adds a half and drops the fraction, within 0.6 ULP (D3D11.3 functional specification,
    // 3.2.3.6), so ties may also go to the even number.
    b.glsl(GLOp::RoundEven, f32_ty, &[value])
}

/// Returns the largest integer of that many bits.
fn unsigned_max(width: u32) -> f32 {
    ((1_u64 << width) - 1) as f32
}
