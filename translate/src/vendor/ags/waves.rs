//! Operations that exchange values between lanes.

use dxil_frontend::dxil::ops::{Opcode, Sign, WaveOp as WaveOpKind};
use dxil_frontend::ir::{BinaryOp, CastOp, CmpPredicate, TypeId, ValueId};

use crate::Result;
use crate::pseudo::PseudoCall;
use crate::vendor::writer::FunctionWriter;

pub(super) fn read_lane(
    w: &mut FunctionWriter<'_, '_, '_>,
    value: ValueId,
    lane: ValueId,
) -> Result<ValueId> {
    let ty = w.int_ty(32);
    w.operation(Opcode::WaveReadLaneAt, Some(ty), ty, &[value, lane])
}

fn lane_index(w: &mut FunctionWriter<'_, '_, '_>) -> Result<ValueId> {
    let ty = w.int_ty(32);
    w.operation(Opcode::WaveGetLaneIndex, None, ty, &[])
}

/// Reads the lane that the pattern of `ds_swizzle_b32` names (AMD's instruction set manuals, "LDS
/// instructions"): with bit 15, a permutation of each four lanes; without, `((lane & and) | or) ^
/// xor` in each 32.
pub(super) fn swizzle(
    w: &mut FunctionWriter<'_, '_, '_>,
    value: ValueId,
    pattern: u32,
) -> Result<ValueId> {
    let lane = lane_index(w)?;
    let lane = if pattern & 0x8000 != 0 {
        let three = w.word(3);
        let one = w.word(1);
        let in_quad = w.binary(BinaryOp::And, 32, lane, three)?;
        let shift = w.binary(BinaryOp::Shl, 32, in_quad, one)?;
        let lanes = w.word(pattern & 0xff);
        let chosen = w.binary(BinaryOp::LShr, 32, lanes, shift)?;
        let chosen = w.binary(BinaryOp::And, 32, chosen, three)?;
        let quads = w.word(!3);
        let quad = w.binary(BinaryOp::And, 32, lane, quads)?;
        w.binary(BinaryOp::Or, 32, quad, chosen)?
    } else {
        // Lanes beyond the first 32 stay among themselves.
        let [and, or, xor] = [0, 5, 10].map(|shift| pattern >> shift & 0x1f);
        let mut lane = lane;
        for (op, mask, nothing) in [
            (BinaryOp::And, and | !0x1f, !0),
            (BinaryOp::Or, or, 0),
            (BinaryOp::Xor, xor, 0),
        ] {
            if mask != nothing {
                let mask = w.word(mask);
                lane = w.binary(op, 32, lane, mask)?;
            }
        }
        lane
    };
    read_lane(w, value, lane)
}

/// Returns the number of set bits of a mask of 64 lanes that lie below this lane.
pub(super) fn masked_bit_count(
    w: &mut FunctionWriter<'_, '_, '_>,
    low: ValueId,
    high: ValueId,
) -> Result<ValueId> {
    let ty = w.int_ty(32);
    let lane = lane_index(w)?;
    let [zero, one, all, half] = [0, 1, !0, 32].map(|number| w.word(number));
    // A shift by 32 or more is one by its lowest five bits.
    let bit = w.binary(BinaryOp::Shl, 32, one, lane)?;
    let below = w.binary(BinaryOp::Sub, 32, bit, one)?;
    let is_low = w.compare(CmpPredicate::IUlt, lane, half)?;
    let low_mask = w.select(is_low, below, all)?;
    let high_mask = w.select(is_low, zero, below)?;
    let mut counts = [zero; 2];
    for (count, (bits, mask)) in counts.iter_mut().zip([(low, low_mask), (high, high_mask)]) {
        let bits = w.binary(BinaryOp::And, 32, bits, mask)?;
        *count = w.operation(Opcode::Countbits, Some(ty), ty, &[bits])?;
    }
    w.binary(BinaryOp::Add, 32, counts[0], counts[1])
}

/// An operation of reductions and scans, in DXIL's terms.
struct WaveOp {
    /// `WaveOpKind`, or `WaveBitOpKind`.
    kind: u8,
    is_bitwise: bool,
    is_float: bool,
    is_unsigned: bool,
}

/// Returns `AmdExtD3DShaderIntrinsicsWaveOp`: sums, products, minima and maxima of floats, signed
/// and unsigned integers, then bits.
fn wave_op(number: u32) -> Option<WaveOp> {
    let (kind, is_bitwise) = match number {
        1..=3 => (0, false),
        4..=6 => (1, false),
        7..=9 => (2, false),
        10..=12 => (3, false),
        13..=15 => (number - 13, true),
        _ => return None,
    };
    let of_type = (number - 1) % 3;
    Some(WaveOp {
        kind: kind as u8,
        is_bitwise,
        is_float: !is_bitwise && of_type == 0,
        is_unsigned: is_bitwise || of_type == 2,
    })
}

/// Returns a word as a number of the operation's type, and that type.
fn as_number(
    w: &mut FunctionWriter<'_, '_, '_>,
    value: ValueId,
    op: &WaveOp,
) -> Result<(ValueId, TypeId)> {
    if !op.is_float {
        return Ok((value, w.int_ty(32)));
    }
    let ty = w.float_ty();
    Ok((w.cast(CastOp::Bitcast, value, ty)?, ty))
}

fn as_word(w: &mut FunctionWriter<'_, '_, '_>, value: ValueId, op: &WaveOp) -> Result<ValueId> {
    let ty = w.int_ty(32);
    if op.is_float {
        w.cast(CastOp::Bitcast, value, ty)
    } else {
        Ok(value)
    }
}

/// Returns a reduction over the wave.
pub(super) fn reduce(
    w: &mut FunctionWriter<'_, '_, '_>,
    value: ValueId,
    immediate: u32,
) -> Result<Option<ValueId>> {
    let Some(op) = wave_op(immediate & 0xff) else {
        return Ok(None);
    };
    let (number, ty) = as_number(w, value, &op)?;
    let kind = w.int(8, u64::from(op.kind));
    let reduced = if op.is_bitwise {
        w.operation(Opcode::WaveActiveBit, Some(ty), ty, &[number, kind])?
    } else {
        let sign = w.int(8, u64::from(op.is_unsigned));
        w.operation(Opcode::WaveActiveOp, Some(ty), ty, &[number, kind, sign])?
    };
    as_word(w, reduced, &op).map(Some)
}

/// Returns a scan over the wave: bit 8 of the immediate says that the lane's own value counts, bit
/// 9 that it does not.
pub(super) fn scan(
    w: &mut FunctionWriter<'_, '_, '_>,
    value: ValueId,
    immediate: u32,
) -> Result<Option<ValueId>> {
    let inclusive = match immediate >> 8 {
        1 => true,
        2 => false,
        _ => return Ok(None),
    };
    let Some(op) = wave_op(immediate & 0xff).filter(|op| !op.is_bitwise) else {
        return Ok(None);
    };
    let Some(kind) = WaveOpKind::from_number(u64::from(op.kind)) else {
        return Ok(None);
    };
    let sign = if op.is_unsigned {
        Sign::Unsigned
    } else {
        Sign::Signed
    };
    let (value, ty) = as_number(w, value, &op)?;
    let call = PseudoCall::WaveScan {
        value,
        op: kind,
        sign,
        inclusive,
    };
    let scanned = w.pseudo(&call, ty)?;
    as_word(w, scanned, &op).map(Some)
}
