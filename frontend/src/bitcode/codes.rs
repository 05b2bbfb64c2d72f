//! LLVM's numbers for operators, predicates and memory orders.

use crate::ir::{AtomicOrdering, AtomicRmwOp, BinaryOp, CastOp, CmpPredicate, Linkage};

/// Returns the arithmetic operation of a code; floats share the numbers of the signed integer
/// operations.
pub(super) fn binary_op(code: u64, is_float: bool) -> Option<BinaryOp> {
    Some(match (code, is_float) {
        (0, false) => BinaryOp::Add,
        (1, false) => BinaryOp::Sub,
        (2, false) => BinaryOp::Mul,
        (3, false) => BinaryOp::UDiv,
        (4, false) => BinaryOp::SDiv,
        (5, false) => BinaryOp::URem,
        (6, false) => BinaryOp::SRem,
        (7, false) => BinaryOp::Shl,
        (8, false) => BinaryOp::LShr,
        (9, false) => BinaryOp::AShr,
        (10, false) => BinaryOp::And,
        (11, false) => BinaryOp::Or,
        (12, false) => BinaryOp::Xor,
        (0, true) => BinaryOp::FAdd,
        (1, true) => BinaryOp::FSub,
        (2, true) => BinaryOp::FMul,
        (4, true) => BinaryOp::FDiv,
        (6, true) => BinaryOp::FRem,
        _ => return None,
    })
}

/// Returns the conversion of a code.
pub(super) fn cast_op(code: u64) -> Option<CastOp> {
    Some(match code {
        0 => CastOp::Trunc,
        1 => CastOp::ZExt,
        2 => CastOp::SExt,
        3 => CastOp::FpToUi,
        4 => CastOp::FpToSi,
        5 => CastOp::UiToFp,
        6 => CastOp::SiToFp,
        7 => CastOp::FpTrunc,
        8 => CastOp::FpExt,
        9 => CastOp::PtrToInt,
        10 => CastOp::IntToPtr,
        11 => CastOp::Bitcast,
        12 => CastOp::AddrSpaceCast,
        _ => return None,
    })
}

/// Returns the comparison of a code: floats 0 to 15, integers 32 to 41.
pub(super) fn predicate(code: u64) -> Option<CmpPredicate> {
    use CmpPredicate::*;
    const FLOATS: [CmpPredicate; 16] = [
        FFalse, FOeq, FOgt, FOge, FOlt, FOle, FOne, FOrd, FUno, FUeq, FUgt, FUge, FUlt, FUle, FUne,
        FTrue,
    ];
    const INTEGERS: [CmpPredicate; 10] = [IEq, INe, IUgt, IUge, IUlt, IUle, ISgt, ISge, ISlt, ISle];
    let code = usize::try_from(code).ok()?;
    FLOATS
        .get(code)
        .or_else(|| INTEGERS.get(code.checked_sub(32)?))
        .copied()
}

/// Returns the `atomicrmw` operation of a code.
pub(super) fn atomic_op(code: u64) -> Option<AtomicRmwOp> {
    use AtomicRmwOp::*;
    const ALL: [AtomicRmwOp; 11] = [Xchg, Add, Sub, And, Nand, Or, Xor, Max, Min, UMax, UMin];
    ALL.get(usize::try_from(code).ok()?).copied()
}

/// Returns the memory order of a code. As in LLVM's reader, an unknown one is the strongest: some
/// producers write 7, LLVM's number in memory.
pub(super) fn ordering(code: u64) -> AtomicOrdering {
    use AtomicOrdering::*;
    const ALL: [AtomicOrdering; 7] = [
        NotAtomic, Unordered, Monotonic, Acquire, Release, AcqRel, SeqCst,
    ];
    let known = usize::try_from(code).ok().and_then(|code| ALL.get(code));
    known.copied().unwrap_or(SeqCst)
}

/// Returns the linkage of a code; private symbols count as internal, dllimport and dllexport as
/// external.
pub(super) fn linkage(code: u64) -> Linkage {
    match code {
        // dllimport (5) and dllexport (6) are obsolete; LLVM's reader maps them the
        // same way.
        0 | 5 | 6 => Linkage::External,
        3 | 9 => Linkage::Internal,
        _ => Linkage::Other(u8::try_from(code).unwrap_or(u8::MAX)),
    }
}

/// Undoes the rotation that keeps small negative numbers short: the sign is the lowest bit.
pub(super) fn unrotate_sign(value: u64) -> u64 {
    match (value & 1, value >> 1) {
        (0, magnitude) => magnitude,
        // "-0" stands for the one number whose magnitude does not fit.
        (_, 0) => 1 << 63,
        (_, magnitude) => magnitude.wrapping_neg(),
    }
}

/// Returns the alignment in bytes from its code, the binary logarithm plus one. Code 0, where none
/// is stated, gives 0.
pub(super) fn alignment(code: u64) -> Option<u32> {
    match code {
        0 => Some(0),
        // LLVM's maximum alignment is 2^29 bytes.
        1..=30 => Some(1 << (code - 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitcode::bit_writer::rotate_sign;

    #[test]
    fn rotated_signs_come_back() {
        for value in [0i64, 1, -1, 5, -5, i64::MAX, -i64::MAX] {
            assert_eq!(unrotate_sign(rotate_sign(value)), value as u64);
        }
        assert_eq!(unrotate_sign(1), i64::MIN as u64);
    }
}
