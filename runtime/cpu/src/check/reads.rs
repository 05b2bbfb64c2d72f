//! Reads of what is not there, until their values are used.
//!
//! Compilers read early: `i > 0 && tile[i - 1] > x` reads before it looks at `i`, and a `select`
//! drops the value. Such a read is not a defect. It is kept with its thread, and reported once a
//! value that depends on it decides something.

use dxil_frontend::tables::{HashMap, HashSet};

use super::kinds::FindingKind;
use super::report::Report;
use super::words::WordAccess;

/// The reason why there is nothing to read.
#[derive(Debug)]
pub(crate) enum Missing {
    /// The place lies outside, or there is no view.
    Outside(FindingKind, Report),
    /// Nothing has written this word of groupshared memory so far.
    Unwritten(u32),
}

/// A read without a value.
#[derive(Debug)]
pub(super) struct EarlyRead {
    pub(super) what: Missing,
    pub(super) access: WordAccess,
}

/// Reads without a value whose results are unused so far, of the group that runs.
#[derive(Debug, Default)]
pub(super) struct EarlyReads {
    /// Those of the instruction that is executed.
    now: Vec<EarlyRead>,
    /// The last of each instruction, by the number of its origin, and thread.
    waiting: HashMap<(u32, u32), EarlyRead>,
    /// Origins that are reported.
    reported: HashSet<u32>,
}

impl EarlyReads {
    /// Forgets what is waiting: values do not outlive their group.
    pub(super) fn clear(&mut self) {
        self.now.clear();
        self.waiting.clear();
    }

    pub(super) fn push(&mut self, what: Missing, access: WordAccess) {
        self.now.push(EarlyRead { what, access });
    }

    /// Ends the instruction with this origin.
    pub(super) fn end_instruction(&mut self, origin: u32) {
        // Of several scalars of a thread the first is kept.
        for read in self.now.drain(..).rev() {
            self.waiting.insert((origin, read.access.thread), read);
        }
    }

    /// Takes the read that a value comes from when a thread uses it, unless it has been taken.
    pub(super) fn take(&mut self, origin: u32, thread: u32) -> Option<EarlyRead> {
        let mut found = self.waiting.remove(&(origin, thread));
        // The value may come from another lane.
        if found.is_none() && !self.reported.contains(&origin) {
            #[expect(clippy::disallowed_methods, reason = "a minimum")]
            let key = self
                .waiting
                .keys()
                .filter(|key| key.0 == origin)
                .min()
                .copied();
            found = key.and_then(|key| self.waiting.remove(&key));
        }
        if found.is_some() {
            self.reported.insert(origin);
        }
        found
    }

    /// Looks at reads of unwritten words at the end of an interval: `still` says whether nothing
    /// has written the word, and makes the report.
    pub(super) fn end_interval(&mut self, mut still: impl FnMut(u32) -> Option<Report>) {
        self.waiting.retain(|_, read| {
            let Missing::Unwritten(address) = read.what else {
                return true;
            };
            match still(address) {
                Some(report) => {
                    read.what = Missing::Outside(FindingKind::UninitializedRead, report);
                    true
                }
                None => false,
            }
        });
    }
}
