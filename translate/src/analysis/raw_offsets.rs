//! Byte offsets into raw buffers, taken apart: a value times a constant, plus a constant. What the
//! constants are multiples of tells which vectors of words an access may take as a whole.

use dxil_frontend::ir::{BinaryOp, FuncView, Inst, ValueDef, ValueId};

/// Maximum number of definitions that are followed.
const MAX_STEPS: u32 = 8;

/// Factors up to here are exact: their product with a few more constants does not wrap around.
const MAX_TIMES: u64 = 1 << 24;

/// A byte offset: `factor * times + plus`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawOffset {
    /// The value; `None` where the offset is a constant.
    pub(crate) factor: Option<ValueId>,
    /// The constant that it is multiplied with.
    pub(crate) times: u32,
    /// The constant that is added.
    pub(crate) plus: i32,
    /// Number of lower bits of `factor * times` that are known to be 0.
    pub(crate) zeros: u32,
}

impl RawOffset {
    /// Takes an offset apart. As everywhere in raw buffers, `x * n + m` counts as not wrapping
    /// around 32 bits.
    pub(crate) fn of(view: FuncView<'_>, offset: ValueId) -> RawOffset {
        let (mut value, mut times, mut plus) = (offset, 1_u64, 0_i64);
        for _ in 0..MAX_STEPS {
            if let Some(constant) = view.constant_int(value) {
                let constant = i64::from(constant as u32 as i32);
                return RawOffset {
                    factor: None,
                    times: 0,
                    plus: (plus + constant * times as i64) as i32,
                    zeros: 32,
                };
            }
            let Some((op, lhs, rhs)) = binary_of(view, value) else {
                break;
            };
            let Some(constant) = view.constant_int(rhs) else {
                break;
            };
            let constant = constant as u32;
            let sum = plus + i64::from(constant as i32) * times as i64;
            let product = match op {
                BinaryOp::Mul => times * u64::from(constant),
                BinaryOp::Shl if constant < 24 => times << constant,
                // DXC writes `or` for `add` where no bit can carry.
                BinaryOp::Add if i32::try_from(sum).is_ok() => {
                    (value, plus) = (lhs, sum);
                    continue;
                }
                BinaryOp::Or if constant >> zeros_of(view, lhs, MAX_STEPS).min(31) == 0 => {
                    (value, plus) = (lhs, sum);
                    continue;
                }
                _ => break,
            };
            if product == 0 || product > MAX_TIMES {
                break;
            }
            (value, times) = (lhs, product);
        }
        RawOffset {
            factor: Some(value),
            times: times as u32,
            plus: plus as i32,
            zeros: zeros_of(view, value, MAX_STEPS) + times.trailing_zeros(),
        }
    }

    /// Returns whether the offset is known to be a multiple of 8 bytes.
    pub(crate) fn is_multiple_of_8(self) -> bool {
        self.zeros >= 3 && self.plus % 8 == 0
    }

    /// Returns whether a row of so many words may begin at the offset or a few words before it, so
    /// that all rows are at multiples of their size.
    pub(crate) fn has_rows(self, words: u32) -> bool {
        self.factor.is_none() || has_rows(self.times, self.zeros, words * 4)
    }
}

/// Returns whether a product with `times`, whose lower bits are known to be 0, is a multiple of so
/// many bytes.
pub(crate) fn has_rows(times: u32, zeros: u32, bytes: u32) -> bool {
    times.is_multiple_of(bytes) || bytes.is_power_of_two() && zeros >= bytes.trailing_zeros()
}

/// Returns how many of the lower bits of a value are known to be 0.
fn zeros_of(view: FuncView<'_>, value: ValueId, steps: u32) -> u32 {
    if let Some(constant) = view.constant_int(value) {
        return (constant as u32).trailing_zeros();
    }
    let Some((steps, (op, lhs, rhs))) = steps.checked_sub(1).zip(binary_of(view, value)) else {
        return 0;
    };
    let left = || zeros_of(view, lhs, steps / 2);
    let right = || zeros_of(view, rhs, steps / 2);
    match op {
        BinaryOp::And => left().max(right()),
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Or | BinaryOp::Xor => left().min(right()),
        BinaryOp::Mul => (left() + right()).min(32),
        BinaryOp::Shl => match view.constant_int(rhs) {
            Some(shift) if shift < 32 => (left() + shift as u32).min(32),
            _ => 0,
        },
        _ => 0,
    }
}

fn binary_of(view: FuncView<'_>, value: ValueId) -> Option<(BinaryOp, ValueId, ValueId)> {
    let ValueDef::Inst(inst) = view.value(value)?.def else {
        return None;
    };
    match view.function.insts.get(inst)?.inst {
        // `-Od` leaves constants on the left.
        Inst::Binary { op, lhs, rhs, .. }
            if is_commutative(op) && view.constant_int(lhs).is_some() =>
        {
            Some((op, rhs, lhs))
        }
        Inst::Binary { op, lhs, rhs, .. } => Some((op, lhs, rhs)),
        _ => None,
    }
}

fn is_commutative(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor
    )
}
