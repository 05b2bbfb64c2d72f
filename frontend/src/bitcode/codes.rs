//! LLVM's numbers for operators, predicates and memory orders.

use crate::error::{Error, ErrorKind, Result};
use crate::ir::{AtomicOrdering, AtomicRmwOp, BinaryOp, CastOp, CmpPredicate, FastMath, Linkage};

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

/// Returns the code of an arithmetic operation.
pub(super) fn binary_code(op: BinaryOp) -> u64 {
    match op {
        BinaryOp::Add | BinaryOp::FAdd => 0,
        BinaryOp::Sub | BinaryOp::FSub => 1,
        BinaryOp::Mul | BinaryOp::FMul => 2,
        BinaryOp::UDiv => 3,
        BinaryOp::SDiv | BinaryOp::FDiv => 4,
        BinaryOp::URem => 5,
        BinaryOp::SRem | BinaryOp::FRem => 6,
        BinaryOp::Shl => 7,
        BinaryOp::LShr => 8,
        BinaryOp::AShr => 9,
        BinaryOp::And => 10,
        BinaryOp::Or => 11,
        BinaryOp::Xor => 12,
    }
}

/// Returns the code of a conversion. The enumeration has LLVM's order.
pub(super) fn cast_code(op: CastOp) -> u64 {
    op as u64
}

/// Returns the code of a comparison. The enumeration has LLVM's order.
pub(super) fn predicate_code(predicate: CmpPredicate) -> u64 {
    let number = predicate as u64;
    if predicate.is_float() {
        number
    } else {
        // Integers begin at 32.
        number - CmpPredicate::IEq as u64 + 32
    }
}

/// Returns the code of an `atomicrmw` operation. The enumeration has LLVM's order.
pub(super) fn atomic_code(op: AtomicRmwOp) -> u64 {
    op as u64
}

/// Returns the code of a memory order. The enumeration has LLVM's order.
pub(super) fn ordering_code(ordering: AtomicOrdering) -> u64 {
    ordering as u64
}

/// Returns the code of a linkage.
pub(super) fn linkage_code(linkage: Linkage) -> u64 {
    match linkage {
        Linkage::External => 0,
        Linkage::Internal => 3,
        Linkage::Other(code) => u64::from(code),
    }
}

/// Returns a calling convention; numbers that LLVM 3.7 does not have count as C's.
pub(super) fn convention(code: u64) -> u16 {
    // `CallingConv::MaxID`.
    u16::try_from(code)
        .ok()
        .filter(|code| *code < 1024)
        .unwrap_or(0)
}

/// Returns the code of an alignment in bytes: see [`alignment`].
///
/// # Errors
///
/// If it is no power of two, or larger than LLVM's maximum.
pub(super) fn alignment_code(bytes: u32) -> Result<u64> {
    match bytes {
        0 => Ok(0),
        _ if bytes.is_power_of_two() && bytes <= 1 << 29 => {
            Ok(u64::from(bytes.trailing_zeros()) + 1)
        }
        _ => Err(Error::new(ErrorKind::BadValue {
            what: "alignment",
            value: u64::from(bytes),
            rule: "it is a power of two, at most 2^29 bytes",
        })),
    }
}

/// The flags that integer operations have, each with its bit in the record.
fn integer_flag_bits(op: BinaryOp) -> &'static [(u64, FastMath)] {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => &[
            (1, FastMath::NO_UNSIGNED_WRAP),
            (2, FastMath::NO_SIGNED_WRAP),
        ],
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::LShr | BinaryOp::AShr => {
            &[(1, FastMath::EXACT)]
        }
        _ => &[],
    }
}

/// Returns the flags of an integer operation; bits that it does not have are dropped.
pub(super) fn integer_flags(op: BinaryOp, code: u64) -> FastMath {
    if code == 0 {
        return FastMath::empty();
    }
    let bits = integer_flag_bits(op).iter();
    bits.filter(|(bit, _)| code & bit != 0)
        .map(|(_, flag)| *flag)
        .collect()
}

/// Returns the flags that an operation can have.
pub(crate) fn flags_of(op: BinaryOp) -> FastMath {
    match op {
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            FastMath::FLOATING_POINT
        }
        _ => integer_flag_bits(op)
            .iter()
            .map(|(_, flag)| *flag)
            .collect(),
    }
}

/// Returns the code of an operation's flags, 0 for none.
pub(super) fn arithmetic_flags(op: BinaryOp, flags: FastMath) -> u64 {
    match op {
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            u64::from((flags & FastMath::FLOATING_POINT).bits())
        }
        _ => {
            let bits = integer_flag_bits(op).iter();
            bits.filter(|(_, flag)| flags.contains(*flag))
                .map(|(bit, _)| *bit)
                .sum()
        }
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
    fn codes_of_what_was_read_are_the_codes_that_were_read() {
        for code in 0..64 {
            for is_float in [false, true] {
                let op = binary_op(code, is_float);
                assert!(op.is_none_or(|op| binary_code(op) == code), "{op:?}");
            }
            assert!(cast_op(code).is_none_or(|op| cast_code(op) == code));
            assert!(predicate(code).is_none_or(|op| predicate_code(op) == code));
            assert!(atomic_op(code).is_none_or(|op| atomic_code(op) == code));
            assert!(alignment(code).is_none_or(|bytes| alignment_code(bytes) == Ok(code)));
            if code < 7 {
                assert_eq!(ordering_code(ordering(code)), code);
            }
            // Obsolete numbers become those that mean the same.
            if ![5, 6, 9].contains(&code) {
                assert_eq!(linkage_code(linkage(code)), code);
            }
        }
        assert!(alignment_code(3).is_err());
        for op in [BinaryOp::Add, BinaryOp::Shl] {
            assert_eq!(arithmetic_flags(op, integer_flags(op, 3)), 3);
        }
        assert_eq!(
            arithmetic_flags(BinaryOp::UDiv, integer_flags(BinaryOp::UDiv, 1)),
            1
        );
        assert_eq!(
            arithmetic_flags(BinaryOp::And, integer_flags(BinaryOp::And, 3)),
            0
        );
        assert_eq!(arithmetic_flags(BinaryOp::FAdd, FastMath::all()), 31);
    }

    #[test]
    fn rotated_signs_come_back() {
        for value in [0i64, 1, -1, 5, -5, i64::MAX, -i64::MAX] {
            assert_eq!(unrotate_sign(rotate_sign(value)), value as u64);
        }
        assert_eq!(unrotate_sign(1), i64::MIN as u64);
    }
}
