//! Matrices of 8-bit floats on targets without them.
//!
//! They are matrices of bytes. A function for each pair of formats converts them element by
//! element: the loop runs over what the lane has. Numbers have 32 bits in between, which hold all
//! of the other formats' numbers as normal ones.
//!
//! Formats are those of the OCP 8-bit Floating Point Specification (OFP8), revision 1.0, and of
//! IEEE 754: E4M3 has no infinity, and one NaN.

use super::types::LoweredMatrixType;
use crate::lower::context::Context;
use crate::lower::waves::state::{Conversion, ConvertedType};
use crate::pseudo::matrix::Format;
use crate::spirv::{Builder, Id, Op, StorageClass};

/// A format of fewer than 32 bits with a sign, an exponent and a mantissa.
#[derive(Clone, Copy)]
struct Small {
    /// Bits of the mantissa.
    mantissa: u32,
    /// The exponent's bias.
    bias: u32,
    /// Number of bits.
    bits: u32,
    /// Bits of the largest finite number.
    largest: u32,
    /// What a number beyond it becomes: infinity, or NaN where there is none.
    beyond: u32,
}

const E4M3: Small = Small {
    mantissa: 3,
    bias: 7,
    bits: 8,
    largest: 0x7e,
    beyond: 0x7f,
};
const E5M2: Small = Small {
    mantissa: 2,
    bias: 15,
    bits: 8,
    largest: 0x7b,
    beyond: 0x7c,
};
const HALF: Small = Small {
    mantissa: 10,
    bias: 15,
    bits: 16,
    largest: 0x7bff,
    beyond: 0x7c00,
};

const NAN: u32 = 0x7fc0_0000;
const INFINITY: u32 = 0x7f80_0000;

/// Returns a tile in another format, by a call.
pub(super) fn converted(
    cx: &mut Context<'_>,
    [from, to]: [LoweredMatrixType; 2],
    saturates: bool,
    tile: Id,
) -> Id {
    let [from, to] = [from, to].map(|ty| ConvertedType {
        format: ty.format,
        tile: ty.tile,
        component: ty.component,
    });
    let mut all = cx.module.matrices.conversions.iter();
    let known = all.find(|it| (it.from, it.to, it.saturates) == (from, to, saturates));
    let function = match known {
        Some(known) => known.function,
        None => {
            let function = cx.b.fresh();
            cx.module.matrices.conversions.push(Conversion {
                from,
                to,
                saturates,
                function,
            });
            function
        }
    };
    cx.b.emit(Op::FunctionCall, to.tile, &[function, tile])
}

/// Writes the functions that were called.
pub(in crate::lower) fn write_functions(cx: &mut Context<'_>) {
    for conversion in std::mem::take(&mut cx.module.matrices.conversions) {
        write(&mut cx.b, &conversion);
    }
}

fn write(b: &mut Builder, conversion: &Conversion) {
    let Conversion {
        from,
        to,
        saturates,
        function,
    } = *conversion;
    let function_ty = b.function_type(to.tile, &[from.tile]);
    let begun = b.begin_function(function, to.tile, function_ty);
    let given = b.parameter(from.tile);
    let [entry, body, end, number, next] = std::array::from_fn(|_| b.fresh());
    b.entry_label(entry);
    let [old, new] = [from, to].map(|ty| {
        let pointer = b.pointer(StorageClass::Function, ty.tile);
        b.local_variable(pointer, None)
    });
    b.store(old, given);
    let word = b.u32();
    let length = b.emit(Op::CooperativeMatrixLengthKHR, word, &[from.tile]);
    b.emit_void(Op::Branch, &[body]);

    b.label(body);
    let zero = b.const_u32(0);
    b.emit_as(Op::Phi, word, number, &[zero, entry, next, body]);
    let pointer = b.pointer(StorageClass::Function, from.component);
    let place = b.access_chain(pointer, old, &[number]);
    let element = b.load(from.component, place);
    let element = converted_element(b, [from, to], saturates, element);
    let pointer = b.pointer(StorageClass::Function, to.component);
    let place = b.access_chain(pointer, new, &[number]);
    b.store(place, element);
    let one = b.const_u32(1);
    b.emit_as(Op::IAdd, word, next, &[number, one]);
    let bool_ty = b.bool();
    let is_more = b.emit(Op::ULessThan, bool_ty, &[next, length]);
    b.emit_void(Op::LoopMerge, &[end.0, body.0, 0]);
    b.emit_void(Op::BranchConditional, &[is_more, body, end]);

    b.label(end);
    let result = b.load(to.tile, new);
    b.emit_void(Op::ReturnValue, &[result]);
    b.end_function(begun);
}

/// Returns an element in another format.
fn converted_element(
    b: &mut Builder,
    [from, to]: [ConvertedType; 2],
    saturates: bool,
    element: Id,
) -> Id {
    let bits = bits_of(b, from, element);
    // A half with fewer bits of mantissa.
    if (from.format, to.format) == (Format::Bf8, Format::F16) {
        let half = b.u32_shl(bits, 8);
        return of_bits(b, to, half);
    }
    let float = match from.format {
        Format::Fp8 => widened(b, E4M3, bits),
        Format::Bf8 => widened(b, E5M2, bits),
        Format::F16 => widened(b, HALF, bits),
        Format::Bf16 => b.u32_shl(bits, 16),
        _ => bits,
    };
    let bits = match to.format {
        Format::Fp8 => narrowed(b, E4M3, float, saturates),
        Format::Bf8 => narrowed(b, E5M2, float, saturates),
        // Numbers of 8 bits are numbers of these formats as well.
        Format::F16 => {
            let (float_ty, half_ty) = (b.f32(), b.float(16));
            let float = b.bitcast(float_ty, float);
            return b.emit(Op::FConvert, half_ty, &[float]);
        }
        Format::Bf16 => b.u32_shr(float, 16),
        _ => float,
    };
    of_bits(b, to, bits)
}

/// Returns the bits of a component as a word, with zeros above them.
fn bits_of(b: &mut Builder, ty: ConvertedType, component: Id) -> Id {
    let word = b.u32();
    match ty.format.bits() {
        8 => b.emit(Op::UConvert, word, &[component]),
        16 => {
            let pair_ty = b.vector(ty.component, 2);
            let zero = b.const_null(ty.component);
            let pair = b.construct(pair_ty, &[component, zero]);
            b.bitcast(word, pair)
        }
        _ => b.bitcast(word, component),
    }
}

/// Returns the component with the bits of a word.
fn of_bits(b: &mut Builder, ty: ConvertedType, bits: Id) -> Id {
    match ty.format.bits() {
        8 => b.emit(Op::UConvert, ty.component, &[bits]),
        16 => {
            let pair_ty = b.vector(ty.component, 2);
            let pair = b.bitcast(pair_ty, bits);
            b.extract(ty.component, pair, 0)
        }
        _ => b.bitcast(ty.component, bits),
    }
}

/// Returns the bits of a number as those of a float of 32 bits.
fn widened(b: &mut Builder, from: Small, bits: Id) -> Id {
    let (word, float_ty, bool_ty) = (b.u32(), b.f32(), b.bool());
    let sign_bit = 1 << (from.bits - 1);
    let magnitude = b.u32_and(bits, sign_bit - 1);
    let normal = b.u32_shl(magnitude, 23 - from.mantissa);
    let biases = b.const_u32((127 - from.bias) << 23);
    let normal = b.u32_add(normal, biases);
    // Numbers without an exponent count the smallest one.
    let smallest = f32::from_bits((128 - from.bias - from.mantissa) << 23);
    let count = b.emit(Op::ConvertUToF, float_ty, &[magnitude]);
    let smallest = b.const_f32(smallest);
    let subnormal = b.emit(Op::FMul, float_ty, &[count, smallest]);
    let subnormal = b.bitcast(word, subnormal);
    let first_normal = b.const_u32(1 << from.mantissa);
    let is_subnormal = b.emit(Op::ULessThan, bool_ty, &[magnitude, first_normal]);
    let mut result = b.select(word, is_subnormal, subnormal, normal);
    let last_number = b.const_u32(from.largest);
    let is_special = b.emit(Op::UGreaterThan, bool_ty, &[magnitude, last_number]);
    let nan = b.const_u32(NAN);
    let special = if from.beyond == (sign_bit - 1) {
        nan
    } else {
        let infinity = b.const_u32(from.beyond);
        let is_infinite = b.emit(Op::IEqual, bool_ty, &[magnitude, infinity]);
        let infinity = b.const_u32(INFINITY);
        b.select(word, is_infinite, infinity, nan)
    };
    result = b.select(word, is_special, special, result);
    let sign = b.u32_and(bits, sign_bit);
    let sign = b.u32_shl(sign, 32 - from.bits);
    b.emit(Op::BitwiseOr, word, &[result, sign])
}

/// Returns the bits of a float as those of a number of 8 bits, rounded to nearest, ties to even.
fn narrowed(b: &mut Builder, to: Small, bits: Id, saturates: bool) -> Id {
    let (word, float_ty, bool_ty) = (b.u32(), b.f32(), b.bool());
    let magnitude = b.u32_and(bits, 0x7fff_ffff);
    // Half a unit of the last place, less one if that place is even, carries into it; the
    // difference of the biases is taken off the exponent.
    let dropped = 23 - to.mantissa;
    let last = b.u32_shr(magnitude, dropped);
    let odd = b.u32_and(last, 1);
    let half = b.const_u32((1 << (dropped - 1)) - 1);
    let carry = b.u32_add(half, odd);
    let rounded = b.u32_add(magnitude, carry);
    let rounded = b.u32_shr(rounded, dropped);
    let biases = b.const_u32((127 - to.bias) << to.mantissa);
    let normal = b.u32_sub(rounded, biases);
    // A sum with the float whose last place is the smallest number rounds as it should, and its
    // last bits count the smallest numbers.
    let base = (127 + 24 - to.bias - to.mantissa) << 23;
    let base_float = b.const_f32(f32::from_bits(base));
    let number = b.bitcast(float_ty, magnitude);
    let sum = b.emit(Op::FAdd, float_ty, &[number, base_float]);
    let sum = b.bitcast(word, sum);
    let base = b.const_u32(base);
    let subnormal = b.u32_sub(sum, base);
    let smallest_normal = b.const_u32((128 - to.bias) << 23);
    let is_subnormal = b.emit(Op::ULessThan, bool_ty, &[magnitude, smallest_normal]);
    let rounded = b.select(word, is_subnormal, subnormal, normal);
    let largest = b.const_u32(to.largest);
    let beyond = if saturates {
        largest
    } else {
        b.const_u32(to.beyond)
    };
    let is_beyond = b.emit(Op::UGreaterThan, bool_ty, &[rounded, largest]);
    let finite = b.select(word, is_beyond, beyond, rounded);
    let infinity = b.const_u32(INFINITY);
    let nan = b.const_u32(0x7f);
    let is_nan = b.emit(Op::UGreaterThan, bool_ty, &[magnitude, infinity]);
    let result = b.select(word, is_nan, nan, finite);
    let sign = b.u32_shr(bits, 24);
    let sign = b.u32_and(sign, 0x80);
    b.emit(Op::BitwiseOr, word, &[result, sign])
}
