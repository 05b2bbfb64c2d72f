//! What the waves of a dispatch share: the caller's limits, descriptors and memory.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::ownership::{Access, Ownership};
use crate::check::Checker;
use crate::decode::Kernel;
use crate::error::{CodeLocation, Error, Result};
use crate::resources::{Descriptor, Storage, Table};

/// Limits of a dispatch.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Limits<'a> {
    /// Maximum number of steps: blocks that waves enter.
    pub steps: u64,
    /// Maximum number of bytes of registers, private and groupshared memory, and of the copies
    /// that running in parallel takes.
    pub memory: u64,
    /// Maximum number of threads. The results do not depend on it.
    pub threads: usize,
    /// Called every so often; the dispatch stops once it returns true.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
}

impl Default for Limits<'_> {
    /// 2^40 steps, 1 GiB, as many threads as the machine runs at once, no callback.
    fn default() -> Self {
        Limits {
            steps: 1 << 40,
            memory: 1 << 30,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            stop: None,
        }
    }
}

/// What all waves of a dispatch look at.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) storages: &'a [Storage],
    pub(crate) table: &'a Table,
    pub(crate) counters: &'a [AtomicU32],
    /// Which group uses which memory, while groups run in parallel.
    pub(crate) ownership: Option<&'a Ownership>,
}

impl Shared<'_> {
    /// Returns the memory behind a descriptor.
    pub(crate) fn storage(&self, number: usize) -> &Storage {
        match self.storages.get(number) {
            Some(storage) => storage,
            // Constants that the job binds as bytes are numbered behind its storages.
            None => &self.table.constants[number - self.storages.len()],
        }
    }

    /// Returns what a handle stands for.
    pub(crate) fn descriptor(&self, handle: u32) -> &Descriptor {
        self.table
            .descriptors
            .get(handle as usize)
            .unwrap_or(&Descriptor::Null)
    }

    /// Notes an access of a group to bytes of a storage.
    #[inline]
    pub(crate) fn touch(&self, group: u32, storage: usize, at: usize, bytes: u32, access: Access) {
        if let Some(ownership) = self.ownership {
            ownership.touch(group, storage, at, bytes, access);
        }
    }
}

/// Groupshared memory and what every wave knows of its group.
pub(crate) struct GroupMemory {
    pub(crate) words: Vec<Cell<u32>>,
    pub(crate) id: [u32; 3],
    /// Number of the group in the order in which groups run.
    pub(crate) number: u32,
    /// The checks of the dispatch, if it has any.
    pub(crate) checker: Option<RefCell<Checker>>,
}

/// What threads that run groups in parallel tell each other.
#[derive(Default)]
pub(crate) struct Progress {
    /// Steps taken, except for those that threads have not told yet.
    pub(crate) steps: AtomicU64,
    /// Another thread has failed.
    pub(crate) failed: AtomicBool,
}

/// Steps between two looks at the callback and at the other threads.
const STEPS_PER_LOOK: u64 = 1 << 12;

/// Counts the steps of a thread, and says when to stop.
pub(crate) struct Budget<'a> {
    limits: &'a Limits<'a>,
    taken: u64,
    progress: Option<(&'a Progress, &'a Ownership)>,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(
        limits: &'a Limits<'a>,
        progress: Option<(&'a Progress, &'a Ownership)>,
    ) -> Self {
        Budget {
            limits,
            taken: 0,
            progress,
        }
    }

    /// Returns the steps that this thread has taken.
    pub(crate) fn taken(&self) -> u64 {
        self.taken
    }

    /// Takes a step.
    pub(crate) fn step(&mut self, place: impl Fn() -> Box<CodeLocation>) -> Result<()> {
        self.taken += 1;
        if self.taken > self.limits.steps {
            return Err(Error::Steps {
                steps: self.limits.steps,
                place: place(),
            });
        }
        // A look costs more than a step.
        if self.taken.is_multiple_of(STEPS_PER_LOOK) {
            if self.limits.stop.is_some_and(|stop| stop()) {
                return Err(Error::Stopped { place: place() });
            }
            if let Some((progress, ownership)) = self.progress {
                let all = progress.steps.fetch_add(STEPS_PER_LOOK, Ordering::Relaxed);
                if all > self.limits.steps
                    || ownership.has_conflict()
                    || progress.failed.load(Ordering::Relaxed)
                {
                    // Only a signal to end: the groups then run again in order, and the first error
                    // is reported.
                    return Err(Error::Steps {
                        steps: self.limits.steps,
                        place: place(),
                    });
                }
            }
        }
        Ok(())
    }
}
