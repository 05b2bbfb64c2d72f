//! State that the waves of a dispatch share: the caller's limits, descriptors and memory.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use super::code_choice::CodeChoice;
use super::events::Events;
use super::node_memory::NodeMemory;
use super::ownership::{Access, Ownership};
use super::raster_memory::RasterMemory;
use super::recorder::Recorder;
use crate::check::Checker;
use crate::decode::Kernel;
use crate::resources::{
    AccelerationStructure, Descriptor, NO_LOCALS, ResolvedTables, ShaderReference, Storage, Table,
};

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
    /// How arithmetic is executed. The results do not depend on it.
    pub code: CodeChoice,
    /// Called every so often; the dispatch stops once it returns true.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Records the wave of an invocation of a draw's stage.
    pub recorder: Option<&'a Recorder<'a>>,
}

impl Default for Limits<'_> {
    /// Returns limits of 2^40 steps, 1 GiB, as many threads as the machine runs at once, native
    /// code where it pays, no callback.
    fn default() -> Self {
        Limits {
            steps: 1 << 40,
            memory: 1 << 30,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            code: CodeChoice::Auto,
            stop: None,
            recorder: None,
        }
    }
}

/// The state that all waves of a dispatch share.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) storages: &'a [Storage],
    pub(crate) table: &'a Table,
    pub(crate) counters: &'a [AtomicU32],
    /// The group that uses each part of memory, while groups run in parallel.
    pub(crate) ownership: Option<&'a Ownership>,
    /// The additional state of a dispatch of rays.
    pub(crate) rays: Option<&'a RayRun<'a>>,
    /// The function that others begin with.
    pub(crate) first_function: u32,
    /// [`Limits::stop`].
    pub(crate) stop: Option<&'a (dyn Fn() -> bool + Sync)>,
}

/// A dispatch of rays.
pub(crate) struct RayRun<'a> {
    pub(crate) size: [u32; 3],
    /// Number of rays.
    pub(crate) total: u32,
    pub(crate) tables: &'a ResolvedTables,
}

impl<'a> Shared<'a> {
    /// Returns an acceleration structure by its number.
    pub(super) fn structure(&self, number: Option<usize>) -> Option<&'a AccelerationStructure> {
        self.table.structures.get(number?).map(|found| &**found)
    }

    /// Returns the function that a wave begins with.
    pub(crate) fn entry(&self) -> ShaderReference {
        match self.rays {
            Some(rays) => rays.tables.generation,
            None => ShaderReference {
                function: self.first_function,
                locals: NO_LOCALS,
            },
        }
    }

    /// Returns the first descriptor of a range and their number: those of the record, or else those
    /// of all shaders.
    pub(crate) fn range(&self, range: u32, locals: u32) -> (u32, u32) {
        let own = self.table.locals.get(locals as usize);
        let own = own.and_then(|ranges| *ranges.get(range as usize)?);
        own.unwrap_or_else(|| self.table.ranges[range as usize])
    }

    /// Returns the memory behind a descriptor.
    pub(crate) fn storage(&self, number: usize) -> &Storage {
        match self.storages.get(number) {
            Some(storage) => storage,
            // Constants that the job binds as bytes are numbered after its storages.
            None => &self.table.constants[number - self.storages.len()],
        }
    }

    /// Returns the resource of a handle.
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

/// Groupshared memory and state of the group that its waves share.
pub(crate) struct GroupMemory {
    pub(crate) words: Vec<Cell<u32>>,
    pub(crate) id: [u32; 3],
    /// Number of the group in the order in which groups run.
    pub(crate) number: u32,
    /// The checks of the dispatch, if it has any.
    pub(crate) checker: Option<RefCell<Checker>>,
    /// Records, of a node of a work graph.
    pub(crate) node: Option<NodeMemory>,
    /// The additional state of a stage of a draw.
    pub(crate) raster: Option<RasterMemory>,
    /// Counts that were made without checks.
    pub(crate) events: Cell<Events>,
}

impl GroupMemory {
    /// Counts a defect.
    pub(crate) fn notice(&self, count: impl FnOnce(&mut Events)) {
        let mut events = self.events.get();
        count(&mut events);
        self.events.set(events);
    }
}

/// The shared state of threads that run groups in parallel.
#[derive(Default)]
pub(crate) struct Progress {
    /// Steps taken, except for those that threads have not told yet.
    pub(crate) steps: AtomicU64,
    /// Another thread has failed.
    pub(crate) failed: AtomicBool,
}
