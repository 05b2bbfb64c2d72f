//! [`IndexValue`]: an index of an operand as code.

use crate::ir::ValueId;

/// An index that code computes: a constant, or an `i32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IndexValue {
    /// A constant.
    Known(u32),
    /// Any number.
    Value(ValueId),
}
