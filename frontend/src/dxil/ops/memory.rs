//! [`Memory`]: what an operation does to memory.

use crate::ir::Attribute;

/// Effects of an operation on memory and control flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Memory {
    /// Neither reads nor writes; equal operands give equal results.
    ReadNone,
    /// Reads.
    ReadOnly,
    /// Reads and writes, or depends on which lanes are active.
    ReadWrite,
    /// Like [`Memory::ReadWrite`], and must not be duplicated.
    NoDuplicate,
    /// Like [`Memory::ReadWrite`], and does not return.
    NoReturn,
    /// Accesses only what its pointer operands point to.
    ArgMemOnly,
}

impl Memory {
    /// Returns the attribute that DXC gives to declarations of such operations, LLVM's number.
    pub(crate) fn attribute(self) -> Option<u64> {
        match self {
            Memory::ReadNone => Some(Attribute::READ_NONE),
            Memory::ReadOnly => Some(Attribute::READ_ONLY),
            Memory::NoDuplicate => Some(Attribute::NO_DUPLICATE),
            Memory::ReadWrite | Memory::NoReturn | Memory::ArgMemOnly => None,
        }
    }
}
