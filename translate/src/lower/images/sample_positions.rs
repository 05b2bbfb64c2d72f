//! Standard sample positions.

use crate::lower::context::Context;
use crate::lower::values::{LoweredValue, StructMember};
use crate::spirv::{Id, Op};

/// Returns a standard sample position as the struct of two floats, from -0.5 to 0.5; (0, 0) where
/// the sample does not exist.
pub(in crate::lower) fn standard_sample_position(
    cx: &mut Context<'_>,
    samples: Id,
    index: Id,
) -> LoweredValue {
    // One table for all counts: 1 sample lies at entry 1, 2 samples at 2 and 3, 4 at 4 to 7, 16 at
    // 16 to 31.
    let word = cx.b.u32();
    let f32_ty = cx.b.f32();
    let bool_ty = cx.b.bool();
    let exists = cx.b.emit(Op::ULessThan, bool_ty, &[index, samples]);
    // Sums of count and index are unique, because counts are powers of two.
    let entry = cx.b.u32_add(samples, index);
    let zero_index = cx.b.const_u32(0);
    let entry = cx.b.select(word, exists, entry, zero_index);
    // A count above 16 has no standard pattern.
    let max = cx.b.const_u32(31);
    let entry = cx.b.glsl(crate::spirv::GLOp::UMin, word, &[entry, max]);
    let mut parts = [StructMember::Id(Id::NONE); 2];
    for (axis, part) in parts.iter_mut().enumerate() {
        // Eight positions of four bits fit a word: sixteenths of a pixel, biased by 8.
        let mut packed = [0_u32; 4];
        for (n, position) in SAMPLE_POSITIONS.iter().enumerate() {
            let value = (position[axis] + 8) as u32 & 0xf;
            if let Some(word) = packed.get_mut(n / 8) {
                *word |= value << (4 * (n % 8));
            }
        }
        let which = cx.b.u32_shr(entry, 3);
        let mut bits = cx.b.const_u32(packed[3]);
        for (n, &value) in packed.iter().enumerate().take(3).rev() {
            let n = cx.b.const_u32(n as u32);
            let value = cx.b.const_u32(value);
            let here = cx.b.emit(Op::IEqual, bool_ty, &[which, n]);
            bits = cx.b.select(word, here, value, bits);
        }
        let nibble = cx.b.u32_and(entry, 7);
        let shift = cx.b.u32_shl(nibble, 2);
        let bits = cx.b.emit(Op::ShiftRightLogical, word, &[bits, shift]);
        let bits = cx.b.u32_and(bits, 0xf);
        let value = cx.b.emit(Op::ConvertUToF, f32_ty, &[bits]);
        let scale = cx.b.const_f32(1.0 / 16.0);
        let value = cx.b.emit(Op::FMul, f32_ty, &[value, scale]);
        let half = cx.b.const_f32(0.5);
        *part = StructMember::Id(cx.b.emit(Op::FSub, f32_ty, &[value, half]));
    }
    cx.function.values.parts(parts)
}

/// D3D's standard sample patterns in sixteenths of a pixel (D3D11.3 functional specification,
/// 19.2.4): entry `samples + index`; unused entries are the centre.
const SAMPLE_POSITIONS: [[i32; 2]; 32] = [
    [0, 0],
    [0, 0],
    [4, 4],
    [-4, -4],
    [-2, -6],
    [6, -2],
    [-6, 2],
    [2, 6],
    [1, -3],
    [-1, 3],
    [5, 1],
    [-3, -5],
    [-5, 5],
    [-7, -1],
    [3, 7],
    [7, -7],
    [1, 1],
    [-1, -3],
    [-3, 2],
    [4, -1],
    [-5, -2],
    [2, 5],
    [5, 3],
    [3, -5],
    [-2, 6],
    [0, -7],
    [-4, -6],
    [-6, 4],
    [-8, 0],
    [7, -4],
    [6, 7],
    [-7, -8],
];

#[cfg(test)]
mod tests {
    use super::SAMPLE_POSITIONS;

    #[test]
    fn standard_positions_are_distinct_and_inside_of_the_pixel() {
        for samples in [2_usize, 4, 8, 16] {
            let pattern = &SAMPLE_POSITIONS[samples..2 * samples];
            for (n, a) in pattern.iter().enumerate() {
                assert!(a.iter().all(|v| (-8..8).contains(v)));
                assert!(!pattern[..n].contains(a));
            }
        }
    }
}
