//! What checks find.

use std::fmt;

use crate::error::CodeLocation;

/// What to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Checks {
    /// Data races in groupshared memory and in UAVs.
    pub races: bool,
    /// Accesses out of bounds of buffers, textures and groupshared memory.
    pub bounds: bool,
    /// Reads of groupshared memory that no thread of the group has written.
    pub uninitialized: bool,
    /// Barriers that not all threads of a group reach.
    pub barriers: bool,
}

impl Checks {
    /// All of them.
    pub const ALL: Checks = Checks {
        races: true,
        bounds: true,
        uninitialized: true,
        barriers: true,
    };
}

/// Kind of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FindingKind {
    /// Two threads of a group access groupshared memory without a barrier between them.
    GroupsharedRace,
    /// Two threads of a group access a UAV without a barrier between them.
    UavRace,
    /// Threads of two groups access a UAV. No barrier orders groups.
    CrossGroupRace,
    /// An access out of bounds.
    OutOfBounds,
    /// A read of groupshared memory that no thread of the group has written.
    UninitializedRead,
    /// A barrier that not all threads of the group reach.
    DivergentBarrier,
}

impl FindingKind {
    /// Returns a stable name, for scripts.
    pub fn code(self) -> &'static str {
        match self {
            FindingKind::GroupsharedRace => "groupshared-race",
            FindingKind::UavRace => "uav-race",
            FindingKind::CrossGroupRace => "cross-group-race",
            FindingKind::OutOfBounds => "out-of-bounds",
            FindingKind::UninitializedRead => "uninitialized-read",
            FindingKind::DivergentBarrier => "divergent-barrier",
        }
    }
}

/// How a thread uses memory.
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
}

/// A thread and the instruction that it executes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// `SV_GroupID`.
    pub group: [u32; 3],
    /// `SV_GroupThreadID`.
    pub thread: [u32; 3],
    /// What the instruction does.
    pub access: AccessKind,
    /// Where it stands.
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
    /// What it is.
    pub kind: FindingKind,
    /// The resource, by its name in HLSL or by its register; `groupshared` for groupshared memory,
    /// empty for barriers.
    pub resource: String,
    /// Byte in the view of the resource or in groupshared memory; for textures 0.
    pub byte: u64,
    /// The earlier access of a race.
    pub first: Option<Participant>,
    /// The access, or the thread that waits.
    pub second: Participant,
    /// How often instructions, resource and kind were the same.
    pub count: u64,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding {
            resource,
            byte,
            second,
            ..
        } = self;
        match self.kind {
            FindingKind::GroupsharedRace | FindingKind::UavRace | FindingKind::CrossGroupRace => {
                write!(f, "data race on {resource}, byte {byte}: ")?;
            }
            FindingKind::OutOfBounds => write!(f, "out of bounds of {resource}, byte {byte}: ")?,
            FindingKind::UninitializedRead => {
                write!(f, "uninitialized read of {resource}, byte {byte}: ")?;
            }
            FindingKind::DivergentBarrier => f.write_str("not all threads reach a barrier: ")?,
        }
        if let Some(first) = &self.first {
            write!(f, "{first}, ")?;
        }
        write!(f, "{second}")?;
        match self.count {
            0 | 1 => Ok(()),
            count => write!(f, " ({count} times)"),
        }
    }
}
