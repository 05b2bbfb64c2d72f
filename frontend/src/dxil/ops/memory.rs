//! [`Memory`]: what an operation does to memory.

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
