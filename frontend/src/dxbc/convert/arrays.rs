//! Variables that stand for indexable registers and group-shared memory.

use crate::ir::ValueId;

/// A local array of registers.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalArray {
    pub(super) pointer: ValueId,
    /// Registers; one more is there for writes beyond.
    pub(super) count: u32,
}

/// A variable of group-shared memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupArray {
    pub(super) pointer: ValueId,
    /// Bytes of an element; `None` for raw memory.
    pub(super) stride: Option<u32>,
}
