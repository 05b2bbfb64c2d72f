//! Values: what a [`ValueId`] stands for, and constants.

use super::{
    BinaryOp, CastOp, CmpPredicate, FuncId, GlobalId, InstId, List, MdId, TypeId, ValueId,
};

/// A value: its type and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueData {
    /// Type of the value.
    pub ty: TypeId,
    /// Origin.
    pub def: ValueDef,
}

/// The definition of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ValueDef {
    /// Address of a global variable.
    Global(GlobalId),
    /// Address of a function.
    Function(FuncId),
    /// A constant.
    Constant(Constant),
    /// The n-th argument of the function.
    Argument(u32),
    /// Result of an instruction.
    Inst(InstId),
    /// A metadata operand (`llvm.dbg.value` and its like). If the node is a value of the function,
    /// that need not be defined before this use.
    Metadata(MdId),
}

/// A constant. Lists refer to the pool of the table the value lies in (module or function):
/// use [`super::FuncView::constant_elements`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    /// All zero bits, of any type (`zeroinitializer`, `null`, `0`).
    Null,
    /// `undef`.
    Undef,
    /// An integer of at most 64 bits, zero-extended.
    Int(u64),
    /// Bits of a `half`, `float` or `double`.
    Float(u64),
    /// A struct, array or vector of other constants.
    Aggregate(List<ValueId>),
    /// An array or vector of scalars, one raw value each (float bits or integers); strings too.
    Data(List<u64>),
    /// An expression.
    Expr(ConstantExpr),
}

/// A constant expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ConstantExpr {
    /// `getelementptr`; the list is the base pointer and then the indices.
    Gep {
        /// Whether `inbounds` is set.
        inbounds: bool,
        /// Base pointer, then indices.
        operands: List<ValueId>,
    },
    /// A cast.
    Cast {
        /// The cast.
        op: CastOp,
        /// The value to cast.
        value: ValueId,
    },
    /// Arithmetic.
    Binary {
        /// The operation.
        op: BinaryOp,
        /// Left operand.
        lhs: ValueId,
        /// Right operand.
        rhs: ValueId,
    },
    /// A comparison.
    Cmp {
        /// The comparison.
        predicate: CmpPredicate,
        /// Left operand.
        lhs: ValueId,
        /// Right operand.
        rhs: ValueId,
    },
    /// `select`.
    Select {
        /// An `i1`.
        condition: ValueId,
        /// Value if true.
        if_true: ValueId,
        /// Value if false.
        if_false: ValueId,
    },
}

impl Constant {
    /// Calls `each` with the constants that this one is made of; `pool` is the value pool of the
    /// table that it lies in.
    pub fn for_each_operand(&self, pool: &[ValueId], mut each: impl FnMut(ValueId)) {
        match *self {
            Constant::Aggregate(list)
            | Constant::Expr(ConstantExpr::Gep { operands: list, .. }) => {
                let elements = pool.get(list.range()).unwrap_or_default();
                elements.iter().copied().for_each(each);
            }
            Constant::Expr(mut expression) => {
                expression.for_each_own_operand(|value| each(*value));
            }
            Constant::Null
            | Constant::Undef
            | Constant::Int(_)
            | Constant::Float(_)
            | Constant::Data(_) => {}
        }
    }
}

impl ConstantExpr {
    /// Shows `each` the operands that are in the expression itself, to be replaced if need be;
    /// those of an address are in the pool.
    pub fn for_each_own_operand(&mut self, mut each: impl FnMut(&mut ValueId)) {
        match self {
            ConstantExpr::Gep { .. } => {}
            ConstantExpr::Cast { value, .. } => each(value),
            ConstantExpr::Binary { lhs, rhs, .. } | ConstantExpr::Cmp { lhs, rhs, .. } => {
                each(lhs);
                each(rhs);
            }
            ConstantExpr::Select {
                condition,
                if_true,
                if_false,
            } => {
                each(condition);
                each(if_true);
                each(if_false);
            }
        }
    }
}
