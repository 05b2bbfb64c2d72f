//! Variables that stand for indexable registers and group-shared memory.

use crate::ir::ValueId;

/// A local array of registers.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalArray {
    pub(super) pointer: ValueId,
    /// Registers; one more is there for writes beyond.
    pub(super) count: u32,
    /// The components that it has; others are named nowhere.
    pub(super) components: u8,
}

impl LocalArray {
    /// Returns the words of a register.
    pub(super) fn stride(self) -> u32 {
        self.components.count_ones()
    }

    /// Returns the word of a register that a component is.
    pub(super) fn place(self, component: u8) -> u32 {
        let before = (1_u8 << (component & 3)) - 1;
        (self.components & before).count_ones()
    }
}

/// A variable of group-shared memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupArray {
    pub(super) pointer: ValueId,
    /// Bytes of an element; `None` for raw memory.
    pub(super) stride: Option<u32>,
}
