//! A defect that checks have found.

use std::fmt;

use super::kinds::FindingKind;
use crate::error::CodeLocation;

/// The kind of a memory access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// An atomic operation.
    Atomic,
    /// It waits at a barrier.
    Wait,
    /// It uses a value, or computes one.
    Use,
}

impl AccessKind {
    /// Returns the name in reports of machines.
    pub fn name(self) -> &'static str {
        match self {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic",
            AccessKind::Wait => "wait",
            AccessKind::Use => "use",
        }
    }
}

/// A thread and the instruction that it executes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// `SV_GroupID`.
    pub group: [u32; 3],
    /// `SV_GroupThreadID`.
    pub thread: [u32; 3],
    /// The operation of the instruction.
    pub access: AccessKind,
    /// The location in the code.
    pub place: CodeLocation,
}

impl fmt::Display for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.thread;
        let [gx, gy, gz] = self.group;
        let verb = match self.access {
            AccessKind::Read => "reads",
            AccessKind::Write => "writes",
            AccessKind::Atomic => "has an atomic operation",
            AccessKind::Wait => "waits",
            AccessKind::Use => "is",
        };
        let place = &self.place;
        write!(
            f,
            "thread {x},{y},{z} of group {gx},{gy},{gz} {verb} at {place}"
        )
    }
}

/// A defect. Equal ones are counted together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Its kind.
    pub kind: FindingKind,
    /// The resource, by its name in HLSL or by its register, or the variable; empty where there is
    /// none.
    pub resource: String,
    /// Byte in the view of the buffer or in the variable.
    pub byte: Option<u64>,
    /// Coordinates in the texture, as the shader gives them.
    pub texel: Option<[i64; 3]>,
    /// More about it, like `index 9 of 8`; may be empty.
    pub detail: String,
    /// The earlier access of a race.
    pub first: Option<Participant>,
    /// The access, the use of the value, or the thread that waits.
    pub second: Participant,
    /// The instruction that made the value undefined.
    pub origin: Option<CodeLocation>,
    /// Number of findings with the same instructions, resource and kind.
    pub count: u64,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.title())?;
        let (before, resource) = match self.kind {
            FindingKind::OutOfBounds => (" of ", &self.resource),
            _ => (" on ", &self.resource),
        };
        if !resource.is_empty() {
            write!(f, "{before}{resource}")?;
        }
        if let Some(byte) = self.byte {
            write!(f, ", byte {byte}")?;
        }
        if let Some([x, y, z]) = self.texel {
            write!(f, ", texel {x},{y},{z}")?;
        }
        if !self.detail.is_empty() {
            write!(f, ", {}", self.detail)?;
        }
        f.write_str(": ")?;
        if let Some(first) = &self.first {
            write!(f, "{first}, ")?;
        }
        write!(f, "{}", self.second)?;
        if let Some(origin) = &self.origin {
            write!(f, "; the value comes from {origin}")?;
        }
        match self.count {
            0 | 1 => Ok(()),
            count => write!(f, " ({count} times)"),
        }
    }
}
