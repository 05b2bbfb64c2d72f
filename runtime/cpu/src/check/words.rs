//! The accesses to a word of memory, as far as the detection of races needs them.

use super::finding::AccessKind;

/// An instruction: the number of its function, and its own among those that do more than compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Site {
    pub(crate) function: u32,
    pub(crate) index: u32,
}

/// An access of a thread to a word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WordAccess {
    pub(crate) kind: AccessKind,
    /// Number of the thread in its group.
    pub(crate) thread: u32,
    pub(crate) site: Site,
    /// The bytes of the word, a bit each.
    pub(crate) bytes: u8,
    /// The contents of the word after a write.
    pub(crate) value: u32,
}

/// What two accesses that nothing orders do to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conflict {
    /// The result depends on their order.
    Race,
    /// Both write the same value: whichever comes last, the result is the same.
    SameValue,
}

impl WordAccess {
    /// Returns the conflict of two accesses that nothing orders.
    fn conflict_with(&self, other: &WordAccess) -> Option<Conflict> {
        use AccessKind::{Atomic, Read, Write};
        if self.bytes & other.bytes == 0 {
            return None;
        }
        match (self.kind, other.kind) {
            (Read, Read) | (Atomic, Atomic) => None,
            (Write, Write) if self.value == other.value => Some(Conflict::SameValue),
            _ => Some(Conflict::Race),
        }
    }
}

/// Returns the first race; without one, the first write of the same value.
fn worst<T>(found: impl Iterator<Item = (Conflict, T)>) -> Option<(Conflict, T)> {
    let mut same = None;
    for (conflict, what) in found {
        match conflict {
            Conflict::Race => return Some((conflict, what)),
            Conflict::SameValue => same = same.or(Some((conflict, what))),
        }
    }
    same
}

/// Accesses of threads of one group between two barriers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Interval {
    epoch: u32,
    write: Option<WordAccess>,
    atomic: Option<WordAccess>,
    /// Of two different threads.
    reads: [Option<WordAccess>; 2],
}

impl Interval {
    /// Notes an access; returns an earlier one that it conflicts with.
    pub(super) fn note(
        &mut self,
        epoch: u32,
        access: WordAccess,
    ) -> Option<(Conflict, WordAccess)> {
        // A barrier has passed, which orders what was before it.
        if self.epoch != epoch {
            *self = Interval {
                epoch,
                ..Interval::default()
            };
        }
        let earlier = [self.write, self.atomic, self.reads[0], self.reads[1]];
        let earlier = earlier.into_iter().flatten();
        // The accesses of one thread are in order.
        let others = earlier.filter(|other| other.thread != access.thread);
        let other = worst(others.filter_map(|other| Some((other.conflict_with(&access)?, other))));
        // Few accesses are kept, so that a race may be missed, but no false race is reported.
        match access.kind {
            AccessKind::Write => self.write = Some(access),
            AccessKind::Atomic => self.atomic = Some(access),
            AccessKind::Read => match self.reads {
                [None, _] => self.reads[0] = Some(access),
                [Some(first), None] if first.thread != access.thread => {
                    self.reads[1] = Some(access);
                }
                _ => {}
            },
            AccessKind::Wait | AccessKind::Use => {}
        }
        other
    }
}

/// A word of groupshared memory.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct GroupsharedWord {
    pub(super) is_written: bool,
    /// A read before any write. It is a race if a write follows before the next barrier.
    pub(super) early_read: Option<WordAccess>,
    /// Whether the value of that read has been used.
    pub(super) is_used: bool,
    pub(super) interval: Interval,
}

/// The last accesses of each kind of a group, whatever the barriers.
#[derive(Debug, Clone, Copy, Default)]
struct Latest {
    write: Option<(u32, WordAccess)>,
    atomic: Option<(u32, WordAccess)>,
    read: Option<(u32, WordAccess)>,
}

/// A word of a UAV.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MemoryWord {
    group: Option<u32>,
    interval: Interval,
    now: Latest,
    earlier: Latest,
    /// Whether the dispatch has written it, or a read before that is reported.
    is_written: bool,
}

/// An access that another one conflicts with.
#[derive(Debug, Clone, Copy)]
pub(super) enum Other {
    InGroup(WordAccess),
    /// With the number of the other group.
    AcrossGroups(u32, WordAccess),
}

impl MemoryWord {
    /// Returns whether the dispatch has written it.
    pub(super) fn is_written(&self) -> bool {
        self.is_written
    }

    /// Counts it as written from now on.
    pub(super) fn set_written(&mut self) {
        self.is_written = true;
    }

    /// Notes an access of a group; groups come one after the other.
    pub(super) fn note(
        &mut self,
        group: u32,
        epoch: u32,
        is_coherent: bool,
        access: WordAccess,
    ) -> Option<(Conflict, Other)> {
        // Groups run one after the other, so what the last group did is now earlier.
        if self.group != Some(group) {
            let merged = |new: Option<(u32, WordAccess)>, old| new.or(old);
            self.earlier = Latest {
                write: merged(self.now.write, self.earlier.write),
                atomic: merged(self.now.atomic, self.earlier.atomic),
                read: merged(self.now.read, self.earlier.read),
            };
            self.now = Latest::default();
            self.interval = Interval::default();
            self.group = Some(group);
        }
        let in_group = self.interval.note(epoch, access);
        let in_group = in_group.map(|(conflict, other)| (conflict, Other::InGroup(other)));
        let entry = Some((group, access));
        self.is_written |= matches!(access.kind, AccessKind::Write | AccessKind::Atomic);
        match access.kind {
            AccessKind::Write => self.now.write = entry,
            AccessKind::Atomic => self.now.atomic = entry,
            AccessKind::Read => self.now.read = entry,
            AccessKind::Wait | AccessKind::Use => {}
        }
        // Coherent UAVs are there for groups to tell each other something.
        let earlier = [self.earlier.write, self.earlier.atomic, self.earlier.read];
        let earlier = earlier.into_iter().flatten().filter(|_| !is_coherent);
        let across = earlier.filter_map(|(group, other)| {
            let conflict = other.conflict_with(&access)?;
            Some((conflict, Other::AcrossGroups(group, other)))
        });
        worst(in_group.into_iter().chain(across))
    }
}
