//! A thread group: its waves, which take turns, and the memory that they share.

use std::cell::{Cell, RefCell};

use super::budget::Budget;
use super::events::Events;
#[cfg(feature = "native")]
use super::group_code::CodeOfGroup;
use super::node_memory::NodeMemory;
use super::raster_memory::RasterMemory;
use super::shared::{GroupMemory, Limits, Shared};
use super::wave::{Status, Wave};
use crate::check::{AccessKind, Checker, Finding, Subject, WordAccess};
use crate::decode::Kernel;
use crate::error::{Error, Result};
use crate::schedule::stack::Mask;

/// Steps of a wave before the next one runs: a wave that waits for another one in a loop must not
/// keep it from running.
const TURN: u32 = 1 << 10;

/// A group, used again for every group of a dispatch.
pub(crate) struct Group {
    waves: Vec<Wave>,
    memory: GroupMemory,
    first_lanes: Vec<Mask>,
    #[cfg(feature = "native")]
    code: CodeOfGroup,
}

impl Group {
    /// Returns the memory for the groups of a kernel, within the limits.
    pub(crate) fn new(kernel: &Kernel, limits: &Limits<'_>) -> Result<Self> {
        let limit = limits.memory;
        let threads: u32 = kernel.num_threads().iter().product();
        let lanes = kernel.wave_size();
        let count = threads.div_ceil(lanes);
        let entry = &kernel.functions[0];
        // Only the entry point's frame is counted; waves count the frames of calls.
        let per_lane = u64::from(entry.narrow_slots) * 4
            + u64::from(entry.wide_slots) * 8
            + (u64::from(entry.private_words) + kernel.first_statics(0).len() as u64) * 4;
        // Registers come in chunks of eight lanes, so that a smaller wave takes as much as one of
        // eight.
        let need = per_lane * u64::from(lanes.max(8)) * u64::from(count)
            + u64::from(kernel.shared_words) * 4;
        if need > limit {
            return Err(Error::Memory {
                what: "a thread group",
                need,
                limit,
            });
        }
        let mut waves = Vec::with_capacity(count as usize);
        let mut first_lanes = Vec::with_capacity(count as usize);
        for number in 0..count {
            let first = number * lanes;
            let active = (threads - first).min(lanes);
            first_lanes.push(Mask::MAX >> (128 - active));
            waves.push(Wave::new(kernel, first, limit / u64::from(count.max(1))));
        }
        Ok(Group {
            waves,
            memory: GroupMemory {
                words: vec![Cell::new(0); kernel.shared_words as usize],
                id: [0; 3],
                number: 0,
                checker: None,
                node: None,
                raster: None,
                events: Cell::default(),
            },
            first_lanes,
            #[cfg(feature = "native")]
            code: CodeOfGroup::new(limits),
        })
    }

    /// Gives the groups records of a node.
    pub(crate) fn set_node(&mut self, node: NodeMemory) {
        self.memory.node = Some(node);
    }

    /// Returns the records of the node.
    pub(crate) fn node(&mut self) -> Option<&mut NodeMemory> {
        self.memory.node.as_mut()
    }

    /// Gives the groups memory of a stage of a draw.
    pub(crate) fn set_raster(&mut self, raster: RasterMemory) {
        self.memory.raster = Some(raster);
    }

    /// Returns the memory of a stage of a draw.
    pub(crate) fn raster(&mut self) -> Option<&mut RasterMemory> {
        self.memory.raster.as_mut()
    }

    /// Runs a group to its end.
    pub(crate) fn run(
        &mut self,
        id: [u32; 3],
        number: u32,
        shared: &Shared<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<()> {
        (self.memory.id, self.memory.number) = (id, number);
        if let Some(checker) = &mut self.memory.checker {
            checker.get_mut().begin_group(number, id);
        }
        #[cfg(feature = "native")]
        self.code.begin_group(shared.kernel);
        match self.native_groupshared() {
            Some(words) => fill_groupshared(words, shared.kernel),
            None => fill_groupshared(&self.memory.words, shared.kernel),
        }
        for number in 0..self.waves.len() {
            let lanes = self.lanes_of(number, shared);
            let wave = &mut self.waves[number];
            #[cfg(feature = "native")]
            if let Some(mut native) = self.code.native(shared.kernel, number) {
                wave.start_native(shared, shared.entry(), lanes, &mut native)?;
                continue;
            }
            wave.start(shared.kernel, shared.entry(), lanes)?;
        }
        self.finish(shared, budget)?;
        #[cfg(feature = "native")]
        self.code.end_group();
        Ok(())
    }

    /// Returns groupshared memory where it lies in the memory of native code.
    fn native_groupshared(&mut self) -> Option<&[Cell<u32>]> {
        #[cfg(feature = "native")]
        if let Some(words) = self.code.groupshared() {
            return Some(words);
        }
        None
    }

    /// Returns the lanes of a wave that a group begins with.
    fn lanes_of(&self, wave: usize, shared: &Shared<'_>) -> Mask {
        let lanes = self.first_lanes[wave];
        // The last wave of a dispatch of rays may have more lanes than rays are left.
        match (shared.rays, &self.memory.node) {
            (_, Some(node)) => lanes & node.lanes(),
            (Some(rays), None) => {
                let left = rays.total - self.memory.number * shared.kernel.wave_size();
                lanes & (Mask::MAX >> (128 - left.min(128)))
            }
            (None, None) => lanes,
        }
    }

    /// Begins a group of one wave, of which those lanes run; its memory may be written then.
    pub(crate) fn begin_wave(
        &mut self,
        number: u32,
        shared: &Shared<'_>,
        lanes: Mask,
    ) -> Result<&Wave> {
        (self.memory.id, self.memory.number) = ([number, 0, 0], number);
        if let Some(checker) = &mut self.memory.checker {
            checker.get_mut().begin_group(number, [number, 0, 0]);
        }
        #[cfg(feature = "native")]
        self.code.interpret();
        self.waves[0].start(shared.kernel, shared.entry(), lanes)?;
        Ok(&self.waves[0])
    }

    /// Returns the first wave.
    pub(crate) fn first_wave(&self) -> &Wave {
        &self.waves[0]
    }

    /// Runs waves that have begun to their end.
    pub(crate) fn finish(&mut self, shared: &Shared<'_>, budget: &mut Budget<'_>) -> Result<()> {
        loop {
            let mut running = false;
            for number in 0..self.waves.len() {
                if self.waves[number].status() == Status::Running {
                    self.run_wave(number, shared, budget)?;
                    running |= self.waves[number].status() == Status::Running;
                }
            }
            if running {
                continue;
            }
            // All waves that are left stand at a barrier. A wave that has ended is not waited for.
            self.check_barrier(shared);
            let mut waiting = false;
            for wave in &mut self.waves {
                waiting |= wave.pass_barrier();
            }
            if !waiting {
                return Ok(());
            }
        }
    }

    /// Gives a wave its turn.
    fn run_wave(
        &mut self,
        number: usize,
        shared: &Shared<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<()> {
        let wave = &mut self.waves[number];
        #[cfg(feature = "native")]
        if let Some(mut native) = self.code.native(shared.kernel, number) {
            return wave.run_native(TURN, shared, &self.memory, budget, &mut native);
        }
        wave.run(TURN, shared, &self.memory, budget)
    }

    /// Starts to check what groups do.
    pub(crate) fn check_with(&mut self, checker: Checker) {
        self.memory.checker = Some(RefCell::new(checker));
    }

    /// Returns the events that every run counts.
    pub(crate) fn events(&self) -> Events {
        self.memory.events.get()
    }

    /// Continues with the counts of an earlier run.
    pub(crate) fn set_events(&mut self, events: Events) {
        self.memory.events.set(events);
    }

    /// Returns the findings of the checks, and what every run counts.
    pub(crate) fn into_results(self, budget: &mut Budget<'_>) -> (Vec<Finding>, Events) {
        let events = self.events();
        let Some(checker) = self.memory.checker else {
            return (Vec::new(), events);
        };
        let mut checker = checker.into_inner();
        if let Some((place, steps, limit)) = budget.near_limit() {
            checker.near_step_limit(*place, steps, limit);
        }
        (checker.into_findings(), events)
    }

    /// Checks that the waves that are left wait at one barrier, which is the barrier of all waves.
    fn check_barrier(&mut self, shared: &Shared<'_>) {
        let mut waiting = self.waves.iter().filter_map(Wave::waits_at);
        let first = waiting.next();
        let mut count = usize::from(first.is_some());
        let mut is_one = true;
        let mut fence = first.map(|(_, _, fence)| fence).unwrap_or_default();
        for (_, other, with) in waiting {
            count += 1;
            is_one &= first.is_some_and(|(_, site, _)| site == other);
            fence.groupshared &= with.groupshared;
            fence.uavs &= with.uavs;
        }
        let is_divergent = first.is_some() && (!is_one || count != self.waves.len());
        if is_divergent {
            let count = |events: &mut Events| events.divergent_barriers += 1;
            self.memory.notice(count);
        }
        let Some(checker) = &mut self.memory.checker else {
            return;
        };
        let checker = checker.get_mut();
        let subject = Subject {
            kernel: shared.kernel,
            table: shared.table,
        };
        let Some((thread, site, _)) = first else {
            checker.end_interval(subject);
            return;
        };
        if is_divergent {
            let access = WordAccess {
                kind: AccessKind::Wait,
                thread,
                site,
                bytes: 0,
                value: 0,
            };
            checker.divergent_barrier(subject, access);
        }
        checker.pass_barrier(subject, fence);
    }
}

/// Gives groupshared memory what a group begins with.
fn fill_groupshared(words: &[Cell<u32>], kernel: &Kernel) {
    // D3D12 leaves groupshared memory without initializer undefined; zeros make the run repeatable.
    for word in words {
        word.set(0);
    }
    for contents in &kernel.shared_contents {
        let words = words.get(contents.place.start as usize..);
        for (word, &first) in words.unwrap_or_default().iter().zip(&contents.words) {
            word.set(first);
        }
    }
}
