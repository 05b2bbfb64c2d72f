//! Of two NaNs arithmetic keeps the first one, quiet.
//!
//! IEEE 754 (6.2.3) leaves open which one, and so does Rust, whose compiler may change the places
//! of operands, in some lanes and not in others. Results that are NaN are therefore made once more,
//! so that the same shader gives the same bits in every build, and as native code.

use super::float;
use crate::decode::lane_ops::LaneOp;

/// Returns whether the compiler may change the places of an operation's operands.
pub(super) const fn is_commutative(op: LaneOp) -> bool {
    matches!(
        op,
        LaneOp::FAdd
            | LaneOp::FMul
            | LaneOp::FMad
            | LaneOp::FAddFlush
            | LaneOp::FMulFlush
            | LaneOp::FMadFlush
            | LaneOp::DAdd
            | LaneOp::DMul
            | LaneOp::DMad
    )
}

/// Returns the result of such an operation.
#[cold]
pub(super) fn result(op: LaneOp, [a, b, c]: [u64; 3]) -> u64 {
    let [x, y, z] = [a, b, c].map(|bits| f32::from_bits(bits as u32));
    let [u, v, w] = [a, b, c].map(f64::from_bits);
    let single = |value: f32| u64::from(value.to_bits());
    let flushed = |value: f32| u64::from(float::flush32(value.to_bits()));
    match op {
        LaneOp::FAdd => single(first(x, y, x + y)),
        LaneOp::FMul => single(first(x, y, x * y)),
        LaneOp::FMad => {
            let product = first(x, y, x * y);
            single(first(product, z, product + z))
        }
        LaneOp::FAddFlush => flushed(first(x, y, x + y)),
        LaneOp::FMulFlush => flushed(first(x, y, x * y)),
        LaneOp::FMadFlush => {
            let product = float::flushed(first(x, y, x * y));
            flushed(first(product, z, product + z))
        }
        LaneOp::DAdd => first_wide(u, v, u + v).to_bits(),
        LaneOp::DMul => first_wide(u, v, u * v).to_bits(),
        _ => {
            let product = first_wide(u, v, u * v);
            first_wide(product, w, product + w).to_bits()
        }
    }
}

fn first(a: f32, b: f32, result: f32) -> f32 {
    const QUIET: u32 = 1 << 22;
    match (a.is_nan(), b.is_nan()) {
        (true, _) => f32::from_bits(a.to_bits() | QUIET),
        (_, true) => f32::from_bits(b.to_bits() | QUIET),
        _ => result,
    }
}

fn first_wide(a: f64, b: f64, result: f64) -> f64 {
    const QUIET: u64 = 1 << 51;
    match (a.is_nan(), b.is_nan()) {
        (true, _) => f64::from_bits(a.to_bits() | QUIET),
        (_, true) => f64::from_bits(b.to_bits() | QUIET),
        _ => result,
    }
}
