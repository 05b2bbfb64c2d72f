//! Values that a graph adds to those of the IR, and what can stand as an operand of a phi or exit.

use dxil_frontend::ir::ValueId;

/// A value that only the structured form has (a selector, a repaired phi).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SyntheticId(pub u32);

/// An operand of a phi or terminator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A value of the function.
    Value(ValueId),
    /// The result of a `StructuredPhi`.
    Synthetic(SyntheticId),
    /// A 32-bit constant (selectors).
    Selector(u32),
    /// A boolean constant.
    Bool(bool),
    /// An arbitrary value: it is never used on this path.
    Undef,
}

/// The result of a phi.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PhiResult {
    /// A phi of the IR.
    Value(ValueId),
    /// A new value with the type of that IR value.
    SyntheticLike(SyntheticId, ValueId),
    /// A new 32-bit selector.
    SyntheticSelector(SyntheticId),
    /// A new boolean.
    SyntheticBool(SyntheticId),
}
