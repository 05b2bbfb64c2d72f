//! Instructions.

use bitflags::bitflags;
use cranelift_entity::packed_option::PackedOption;

use super::{BlockId, List, TypeId, ValueId};

/// An instruction with its result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InstData {
    /// Its operation.
    pub inst: Inst,
    /// Type of the result; `void` if there is none.
    pub ty: TypeId,
    /// The value it defines, if its type is not `void`.
    pub result: PackedOption<ValueId>,
}

/// An instruction. The types of pointer operands determine the type that is loaded, stored or
/// indexed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Inst {
    /// Integer or floating-point arithmetic.
    Binary {
        /// The operation.
        op: BinaryOp,
        /// Floating-point relaxations.
        fast_math: FastMath,
        /// Left operand.
        lhs: ValueId,
        /// Right operand.
        rhs: ValueId,
    },
    /// A conversion to the instruction's type.
    Cast {
        /// The conversion.
        op: CastOp,
        /// The value to convert.
        value: ValueId,
    },
    /// A comparison; the result is `i1` or a vector of them.
    Cmp {
        /// The comparison.
        predicate: CmpPredicate,
        /// Floating-point relaxations.
        fast_math: FastMath,
        /// Left operand.
        lhs: ValueId,
        /// Right operand.
        rhs: ValueId,
    },
    /// `condition ? if_true : if_false`.
    Select {
        /// An `i1`.
        condition: ValueId,
        /// Value if true.
        if_true: ValueId,
        /// Value if false.
        if_false: ValueId,
    },
    /// One value per predecessor.
    Phi {
        /// Pairs: value and predecessor.
        incoming: List<(ValueId, BlockId)>,
    },
    /// A call: of a DXIL operation (`dx.op.*`) or of a function of the module.
    Call {
        /// The function, usually a [`super::ValueDef::Function`].
        callee: ValueId,
        /// Arguments.
        args: List<ValueId>,
        /// Floating-point relaxations.
        fast_math: FastMath,
    },
    /// Stack memory; the result is a pointer.
    Alloca {
        /// Type of one element.
        allocated: TypeId,
        /// Number of elements, nearly always the constant 1.
        count: ValueId,
        /// Alignment in bytes, 0 if not stated.
        align: u32,
    },
    /// Loads the instruction's type.
    Load {
        /// From where.
        pointer: ValueId,
        /// Alignment in bytes, 0 if not stated.
        align: u32,
        /// Whether it is volatile.
        volatile: bool,
    },
    /// Stores a value.
    Store {
        /// To where.
        pointer: ValueId,
        /// The stored value.
        value: ValueId,
        /// Alignment in bytes, 0 if not stated.
        align: u32,
        /// Whether it is volatile.
        volatile: bool,
    },
    /// Address arithmetic.
    Gep {
        /// Whether `inbounds` is set.
        inbounds: bool,
        /// Base pointer, then indices.
        operands: List<ValueId>,
    },
    /// Takes a member of a struct or array.
    ExtractValue {
        /// From what.
        aggregate: ValueId,
        /// Constant indices, outermost first.
        indices: List<u32>,
    },
    /// Replaces a member of a struct or array.
    InsertValue {
        /// In what.
        aggregate: ValueId,
        /// The new member.
        value: ValueId,
        /// Constant indices, outermost first.
        indices: List<u32>,
    },
    /// Takes an element of a vector.
    ExtractElement {
        /// From what.
        vector: ValueId,
        /// The index of the element.
        index: ValueId,
    },
    /// Replaces an element of a vector.
    InsertElement {
        /// In what.
        vector: ValueId,
        /// The new element.
        value: ValueId,
        /// The index of the element.
        index: ValueId,
    },
    /// Picks elements of two vectors.
    ShuffleVector {
        /// First vector.
        a: ValueId,
        /// Second vector.
        b: ValueId,
        /// Constant vector of indices.
        mask: ValueId,
    },
    /// Atomic read-modify-write. Returns the old value.
    AtomicRmw {
        /// The operation.
        op: AtomicRmwOp,
        /// The address.
        pointer: ValueId,
        /// Operand.
        value: ValueId,
        /// Memory order.
        ordering: AtomicOrdering,
        /// Whether it is volatile.
        volatile: bool,
    },
    /// Atomic compare-exchange. Returns `{ old value, i1 success }`.
    CmpXchg {
        /// The address.
        pointer: ValueId,
        /// Expected value.
        compare: ValueId,
        /// New value.
        value: ValueId,
        /// Memory order.
        ordering: AtomicOrdering,
        /// Whether it is volatile.
        volatile: bool,
    },
    /// A memory fence.
    Fence {
        /// Memory order.
        ordering: AtomicOrdering,
    },
    /// Returns.
    Ret {
        /// The result, if the function has one.
        value: PackedOption<ValueId>,
    },
    /// Jumps.
    Br {
        /// To where.
        target: BlockId,
    },
    /// Jumps by a condition.
    CondBr {
        /// An `i1`.
        condition: ValueId,
        /// If true.
        if_true: BlockId,
        /// If false.
        if_false: BlockId,
    },
    /// Jumps by a value.
    Switch {
        /// An integer of at most 64 bits.
        value: ValueId,
        /// If no case matches.
        default: BlockId,
        /// Pairs: constant and target.
        cases: List<(ValueId, BlockId)>,
    },
    /// Never reached.
    Unreachable,
}

impl Inst {
    /// Shows `each` the operands that are in the instruction itself, to be replaced if need be;
    /// those in the function's pools (arguments, indices, incoming values of phis) are not.
    #[inline]
    pub fn for_each_own_operand(&mut self, mut each: impl FnMut(&mut ValueId)) {
        match self {
            Inst::Binary { lhs, rhs, .. } | Inst::Cmp { lhs, rhs, .. } => {
                each(lhs);
                each(rhs);
            }
            Inst::Cast { value, .. } | Inst::Switch { value, .. } => each(value),
            Inst::Select {
                condition,
                if_true,
                if_false,
            } => {
                each(condition);
                each(if_true);
                each(if_false);
            }
            Inst::Call { callee, .. } => each(callee),
            Inst::Alloca { count, .. } => each(count),
            Inst::Load { pointer, .. } => each(pointer),
            Inst::Store { pointer, value, .. } | Inst::AtomicRmw { pointer, value, .. } => {
                each(pointer);
                each(value);
            }
            Inst::ExtractValue { aggregate, .. } => each(aggregate),
            Inst::InsertValue {
                aggregate, value, ..
            } => {
                each(aggregate);
                each(value);
            }
            Inst::ExtractElement { vector, index } => {
                each(vector);
                each(index);
            }
            Inst::InsertElement {
                vector,
                value,
                index,
            } => {
                each(vector);
                each(value);
                each(index);
            }
            Inst::ShuffleVector { a, b, mask } => {
                each(a);
                each(b);
                each(mask);
            }
            Inst::CmpXchg {
                pointer,
                compare,
                value,
                ..
            } => {
                each(pointer);
                each(compare);
                each(value);
            }
            Inst::Ret { value } => {
                // A packed option stores no `ValueId` that could be lent out, so the result is
                // written back.
                if let Some(mut inner) = value.expand() {
                    each(&mut inner);
                    *value = PackedOption::from(inner);
                }
            }
            Inst::CondBr { condition, .. } => each(condition),
            Inst::Phi { .. }
            | Inst::Gep { .. }
            | Inst::Fence { .. }
            | Inst::Br { .. }
            | Inst::Unreachable => {}
        }
    }
}

impl Inst {
    /// Returns whether it ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Inst::Ret { .. }
                | Inst::Br { .. }
                | Inst::CondBr { .. }
                | Inst::Switch { .. }
                | Inst::Unreachable
        )
    }
}

/// Arithmetic, in LLVM's names, which distinguish integers from floats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "LLVM's own names")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

/// Conversions, in LLVM's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "LLVM's own names")]
pub enum CastOp {
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
}

/// Comparisons: floats (ordered and unordered), then integers, in LLVM's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "LLVM's own names")]
pub enum CmpPredicate {
    FFalse,
    FOeq,
    FOgt,
    FOge,
    FOlt,
    FOle,
    FOne,
    FOrd,
    FUno,
    FUeq,
    FUgt,
    FUge,
    FUlt,
    FUle,
    FUne,
    FTrue,
    IEq,
    INe,
    IUgt,
    IUge,
    IUlt,
    IUle,
    ISgt,
    ISge,
    ISlt,
    ISle,
}

impl CmpPredicate {
    /// Returns whether it compares floating-point values.
    pub fn is_float(self) -> bool {
        // The floating-point predicates come first in the enumeration.
        self as u8 <= CmpPredicate::FTrue as u8
    }

    /// Returns the predicate of the negated comparison.
    pub fn negated(self) -> CmpPredicate {
        use CmpPredicate::*;
        match self {
            FFalse => FTrue,
            FTrue => FFalse,
            FOeq => FUne,
            FUne => FOeq,
            FOgt => FUle,
            FUle => FOgt,
            FOge => FUlt,
            FUlt => FOge,
            FOlt => FUge,
            FUge => FOlt,
            FOle => FUgt,
            FUgt => FOle,
            FOne => FUeq,
            FUeq => FOne,
            FOrd => FUno,
            FUno => FOrd,
            IEq => INe,
            INe => IEq,
            IUgt => IUle,
            IUle => IUgt,
            IUge => IUlt,
            IUlt => IUge,
            ISgt => ISle,
            ISle => ISgt,
            ISge => ISlt,
            ISlt => ISge,
        }
    }

    /// Returns the comparison with its sides swapped.
    pub fn swapped(self) -> CmpPredicate {
        use CmpPredicate::*;
        match self {
            FOgt => FOlt,
            FOlt => FOgt,
            FOge => FOle,
            FOle => FOge,
            FUgt => FUlt,
            FUlt => FUgt,
            FUge => FUle,
            FUle => FUge,
            IUgt => IUlt,
            IUlt => IUgt,
            IUge => IUle,
            IUle => IUge,
            ISgt => ISlt,
            ISlt => ISgt,
            ISge => ISle,
            ISle => ISge,
            other => other,
        }
    }
}

/// `atomicrmw` operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "LLVM's own names")]
pub enum AtomicRmwOp {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
}

/// Memory orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "LLVM's own names")]
pub enum AtomicOrdering {
    NotAtomic,
    Unordered,
    Monotonic,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl AtomicOrdering {
    /// Returns the strongest order that a compare-exchange with this order may have where it fails
    /// (LLVM language reference, "'cmpxchg' Instruction"): it does not write then, so it does not
    /// release.
    pub fn on_failure(self) -> Self {
        match self {
            AtomicOrdering::Release => AtomicOrdering::Monotonic,
            AtomicOrdering::AcqRel => AtomicOrdering::Acquire,
            other => other,
        }
    }
}

bitflags! {
    /// Relaxations of arithmetic: the low five bits of floating-point operations, LLVM 3.7's, the
    /// others of integer operations. DXC marks `precise` by the absence of `FAST`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct FastMath: u8 {
        /// All of them.
        const FAST = 1 << 0;
        /// No NaNs.
        const NO_NANS = 1 << 1;
        /// No infinities.
        const NO_INFS = 1 << 2;
        /// The sign of zero does not matter.
        const NO_SIGNED_ZEROS = 1 << 3;
        /// A reciprocal may be used.
        const ALLOW_RECIPROCAL = 1 << 4;
        /// `nuw`: an unsigned result that does not fit is undefined.
        const NO_UNSIGNED_WRAP = 1 << 5;
        /// `nsw`: a signed result that does not fit is undefined.
        const NO_SIGNED_WRAP = 1 << 6;
        /// `exact`: a division or shift with remainder is undefined.
        const EXACT = 1 << 7;
    }
}

impl FastMath {
    /// The flags of floating-point operations and comparisons.
    pub const FLOATING_POINT: FastMath = FastMath::FAST
        .union(FastMath::NO_NANS)
        .union(FastMath::NO_INFS)
        .union(FastMath::NO_SIGNED_ZEROS)
        .union(FastMath::ALLOW_RECIPROCAL);
}
