//! LLVM's words for operators, as numbers of the IR.

use crate::ir::{AtomicOrdering, AtomicRmwOp, BinaryOp, CastOp, CmpPredicate, FastMath, Linkage};

pub(super) fn binary_op(word: &str) -> Option<BinaryOp> {
    use BinaryOp::*;
    const ALL: [BinaryOp; 18] = [
        Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor, FAdd, FSub, FMul,
        FDiv, FRem,
    ];
    ALL.into_iter()
        .find(|op| crate::ir::print::binary_name(*op) == word)
}

pub(super) fn cast_op(word: &str) -> Option<CastOp> {
    use CastOp::*;
    const ALL: [CastOp; 13] = [
        Trunc,
        ZExt,
        SExt,
        FpToUi,
        FpToSi,
        UiToFp,
        SiToFp,
        FpTrunc,
        FpExt,
        PtrToInt,
        IntToPtr,
        Bitcast,
        AddrSpaceCast,
    ];
    ALL.into_iter()
        .find(|op| crate::ir::print::cast_name(*op) == word)
}

/// Returns a comparison from the words of instruction and predicate.
pub(super) fn predicate(instruction: &str, word: &str) -> Option<CmpPredicate> {
    use CmpPredicate::*;
    const ALL: [CmpPredicate; 26] = [
        FFalse, FOeq, FOgt, FOge, FOlt, FOle, FOne, FOrd, FUno, FUeq, FUgt, FUge, FUlt, FUle, FUne,
        FTrue, IEq, INe, IUgt, IUge, IUlt, IUle, ISgt, ISge, ISlt, ISle,
    ];
    ALL.into_iter()
        .find(|it| crate::ir::print::predicate_name(*it) == (instruction, word))
}

pub(super) fn atomic_op(word: &str) -> Option<AtomicRmwOp> {
    use AtomicRmwOp::*;
    const ALL: [AtomicRmwOp; 11] = [Xchg, Add, Sub, And, Nand, Or, Xor, Max, Min, UMax, UMin];
    ALL.into_iter()
        .find(|op| crate::ir::print::atomic_name(*op) == word)
}

pub(super) fn ordering(word: &str) -> Option<AtomicOrdering> {
    use AtomicOrdering::*;
    const ALL: [AtomicOrdering; 7] = [
        NotAtomic, Unordered, Monotonic, Acquire, Release, AcqRel, SeqCst,
    ];
    ALL.into_iter()
        .find(|it| crate::ir::print::ordering_name(*it) == word)
}

/// Returns a flag of an arithmetic instruction or comparison.
pub(super) fn flag(word: &str) -> Option<FastMath> {
    Some(match word {
        // `fast` implies all the others, and LLVM sets them.
        "fast" => FastMath::FLOATING_POINT,
        "nnan" => FastMath::NO_NANS,
        "ninf" => FastMath::NO_INFS,
        "nsz" => FastMath::NO_SIGNED_ZEROS,
        "arcp" => FastMath::ALLOW_RECIPROCAL,
        "nuw" => FastMath::NO_UNSIGNED_WRAP,
        "nsw" => FastMath::NO_SIGNED_WRAP,
        "exact" => FastMath::EXACT,
        _ => return None,
    })
}

/// Returns a linkage; the numbers are LLVM 3.7's of bitcode.
pub(super) fn linkage(word: &str) -> Option<Linkage> {
    Some(match word {
        "external" => Linkage::External,
        "internal" | "private" => Linkage::Internal,
        "appending" => Linkage::Other(2),
        "extern_weak" => Linkage::Other(7),
        "common" => Linkage::Other(8),
        "available_externally" => Linkage::Other(12),
        "weak" => Linkage::Other(16),
        "weak_odr" => Linkage::Other(17),
        "linkonce" => Linkage::Other(18),
        "linkonce_odr" => Linkage::Other(19),
        _ => return None,
    })
}
