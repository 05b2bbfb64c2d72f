//! The group that uses each word of memory.
//!
//! Groups that run at the same time give the result of running one after the other as long as no
//! group sees what another one does: each word is used by one group, or only read, or only changed
//! by atomic operations of one kind that commute and whose results nobody reads. A word that is
//! used otherwise is a conflict. A word's state only ever moves towards a conflict, so that the
//! second of two accesses that do not go together finds the first one, whichever comes first.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use dxil_frontend::dxil::ops::AtomicOp;

/// The kind of a use of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
    /// An atomic operation on 32 bits whose result is unused.
    Commutative(AtomicOp),
}

impl Access {
    /// Returns the access of an atomic operation.
    pub(crate) fn of_atomic(op: AtomicOp, bytes: u32, result_is_read: bool) -> Access {
        match op {
            // An exchange does not commute: the last one decides.
            AtomicOp::Exchange => Access::Write,
            // A 64-bit operation is two words here, which are not changed at once (see
            // `Bytes::update`).
            op if bytes == 4 && !result_is_read => Access::Commutative(op),
            _ => Access::Write,
        }
    }
}

const UNTOUCHED: u32 = 0;
/// Several groups have read it.
const READ: u32 = 1;
/// Changed by the operation of that number, from here on.
const COMMUTATIVE: u32 = 2;
/// Read (even) or written (odd) by a single group, from here on.
const SINGLE: u32 = 32;

/// Maximum number of groups that states can tell apart.
pub(crate) const MAX_GROUPS: u64 = (u32::MAX as u64 - SINGLE as u64) / 2;

fn code(op: AtomicOp) -> u32 {
    COMMUTATIVE
        + match op {
            AtomicOp::Add => 0,
            AtomicOp::And => 1,
            AtomicOp::Or => 2,
            AtomicOp::Xor => 3,
            AtomicOp::IMin => 4,
            AtomicOp::IMax => 5,
            AtomicOp::UMin => 6,
            AtomicOp::UMax => 7,
            AtomicOp::Exchange => 8,
        }
}

/// Returns the state of a word after an access; `None` is a conflict.
fn next(state: u32, group: u32, access: Access) -> Option<u32> {
    let read = SINGLE + 2 * group;
    let written = read + 1;
    match (access, state) {
        // The group that wrote a word may do anything with it: no other group sees it.
        (_, state) if state == written => Some(written),
        (Access::Read, UNTOUCHED) => Some(read),
        (Access::Read, state) if state == read || state == READ => Some(state),
        (Access::Read, state) if state >= SINGLE && state.is_multiple_of(2) => Some(READ),
        (Access::Write, state) if state == UNTOUCHED || state == read => Some(written),
        (Access::Commutative(op), UNTOUCHED) => Some(code(op)),
        (Access::Commutative(op), state) if state == code(op) => Some(state),
        (Access::Commutative(_), state) if state == read => Some(written),
        _ => None,
    }
}

/// The states of the words of all storages that the shader may write to.
#[derive(Debug)]
pub(crate) struct Ownership {
    /// By number of the storage; empty for those that are only read.
    words: Vec<Box<[AtomicU32]>>,
    conflict: AtomicBool,
}

impl Ownership {
    /// States for storages of the given sizes in bytes; 0 for those that are only read.
    pub(crate) fn new(bytes: impl Iterator<Item = usize>) -> Ownership {
        let words = bytes.map(|bytes| {
            (0..bytes.div_ceil(4))
                .map(|_| AtomicU32::new(UNTOUCHED))
                .collect()
        });
        Ownership {
            words: words.collect(),
            conflict: AtomicBool::new(false),
        }
    }

    /// Returns whether groups have used memory in a way that depends on their order.
    pub(crate) fn has_conflict(&self) -> bool {
        self.conflict.load(Ordering::Relaxed)
    }

    /// Returns whether the shader may write to a storage, so that accesses to it are noted.
    #[inline]
    pub(crate) fn tracks(&self, storage: usize) -> bool {
        self.words
            .get(storage)
            .is_some_and(|words| !words.is_empty())
    }

    /// Notes an access.
    pub(crate) fn touch(&self, group: u32, storage: usize, at: usize, bytes: u32, access: Access) {
        let Some(words) = self.words.get(storage).filter(|words| !words.is_empty()) else {
            return;
        };
        let last = (at + bytes.max(1) as usize - 1) / 4;
        for state in words.get(at / 4..=last).unwrap_or_default() {
            // A group mostly comes back to its own words: those need no atomic update.
            let known = state.load(Ordering::Relaxed);
            if next(known, group, access) == Some(known) {
                continue;
            }
            let update = |old| next(old, group, access);
            if state
                // Relaxed is enough: each word's state is decided by itself, and the flag is read
                // after the threads have been joined.
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, update)
                .is_err()
            {
                self.conflict.store(true, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conflicts(accesses: &[(u32, Access)]) -> bool {
        let ownership = Ownership::new([8].into_iter());
        for (group, access) in accesses {
            ownership.touch(*group, 0, 4, 4, *access);
        }
        ownership.has_conflict()
    }

    #[test]
    fn a_conflict_is_found_whichever_access_comes_first() {
        use Access::{Read, Write};
        let add = Access::Commutative(AtomicOp::Add);
        let or = Access::Commutative(AtomicOp::Or);
        for (first, second, expected) in [
            (Read, Read, false),
            (Read, Write, true),
            (Write, Write, true),
            (add, add, false),
            (add, or, true),
            (add, Read, true),
            (add, Write, true),
        ] {
            assert_eq!(conflicts(&[(1, first), (2, second)]), expected);
            assert_eq!(conflicts(&[(1, second), (2, first)]), expected);
        }
    }

    #[test]
    fn a_group_may_do_anything_with_its_own_words() {
        use Access::{Read, Write};
        let add = Access::Commutative(AtomicOp::Add);
        assert!(!conflicts(&[(7, Read), (7, Write), (7, add), (7, Read)]));
        // Its order of an addition and a read is fixed, but others may have added before.
        assert!(conflicts(&[(7, add), (8, add), (7, Read)]));
        let ownership = Ownership::new([0, 16].into_iter());
        ownership.touch(1, 0, 0, 4, Write);
        ownership.touch(2, 0, 0, 4, Write);
        ownership.touch(1, 1, 0, 8, Write);
        ownership.touch(2, 1, 8, 8, Write);
        assert!(!ownership.has_conflict(), "other words");
        ownership.touch(2, 1, 6, 4, Write);
        assert!(ownership.has_conflict());
    }
}
