//! Runs the groups of a dispatch.
//!
//! Groups run one after the other in the order of their numbers, so that a run gives the same bytes
//! each time whatever the shader does with memory that groups share. Within a group, waves take
//! turns.

mod buffers;
mod dimensions;
mod float;
mod group;
mod integer;
mod lanes;
mod memory;
mod reduce;
mod sample;
mod textures;
mod wave;

use std::sync::atomic::{AtomicU32, Ordering};

use crate::decode::Kernel;
use crate::error::{Error, Place, Result};
use crate::resources::{Bindings, Descriptor, Register, Storage, Table};
use group::Group;

/// Limits of a dispatch.
pub struct Limits<'a> {
    /// Maximum number of steps: blocks that waves enter.
    pub steps: u64,
    /// Maximum number of bytes of registers, private and groupshared memory.
    pub memory: u64,
    /// Is asked every so often whether to stop.
    pub stop: Option<&'a dyn Fn() -> bool>,
}

impl Default for Limits<'_> {
    /// 2^40 steps, 1 GiB, nobody to ask.
    fn default() -> Self {
        Limits {
            steps: 1 << 40,
            memory: 1 << 30,
            stop: None,
        }
    }
}

/// A dispatch that is ready to run.
pub struct Dispatch<'a> {
    kernel: &'a Kernel,
    storages: &'a [Storage],
    table: Table,
}

/// What a dispatch leaves besides memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Hidden counters of UAVs, by register.
    pub counters: Vec<(Register, u32)>,
    /// Hidden counters of the UAVs in the heap, by slot.
    pub heap_counters: Vec<(u32, u32)>,
    /// Steps taken: blocks that waves entered.
    pub steps: u64,
}

/// What all waves of a dispatch look at.
pub(crate) struct Shared<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) storages: &'a [Storage],
    pub(crate) table: &'a Table,
    pub(crate) counters: &'a [AtomicU32],
}

impl Shared<'_> {
    /// The memory behind a descriptor.
    pub(crate) fn storage(&self, number: usize) -> &Storage {
        match self.storages.get(number) {
            Some(storage) => storage,
            None => &self.table.constants[number - self.storages.len()],
        }
    }

    /// What a handle stands for.
    pub(crate) fn descriptor(&self, handle: u32) -> &Descriptor {
        self.table
            .descriptors
            .get(handle as usize)
            .unwrap_or(&Descriptor::Null)
    }
}

/// Steps between questions whether to stop.
const STEPS_PER_QUESTION: u64 = 1 << 12;

/// Counts steps, and asks whether to go on.
pub(crate) struct Budget<'a> {
    limits: &'a Limits<'a>,
    taken: u64,
}

impl Budget<'_> {
    /// Takes a step.
    pub(crate) fn step(&mut self, place: impl Fn() -> Box<Place>) -> Result<()> {
        self.taken += 1;
        if self.taken > self.limits.steps {
            return Err(Error::Steps {
                steps: self.limits.steps,
                place: place(),
            });
        }
        if self.taken.is_multiple_of(STEPS_PER_QUESTION)
            && self.limits.stop.is_some_and(|stop| stop())
        {
            return Err(Error::Stopped { place: place() });
        }
        Ok(())
    }
}

impl<'a> Dispatch<'a> {
    /// Resolves what a kernel's handles stand for.
    ///
    /// # Errors
    ///
    /// [`Error::BadInput`] for views that do not fit their storages.
    pub fn new(
        kernel: &'a Kernel,
        bindings: &Bindings,
        storages: &'a [Storage],
    ) -> Result<Dispatch<'a>> {
        Ok(Dispatch {
            kernel,
            storages,
            table: Table::new(kernel, bindings, storages)?,
        })
    }

    /// Runs that many groups. What they write is in the storages afterwards.
    ///
    /// # Errors
    ///
    /// [`Error::Steps`], [`Error::Stopped`] and [`Error::Memory`] when a limit is reached; storages
    /// then hold what was written so far.
    pub fn run(&self, groups: [u32; 3], limits: &Limits<'_>) -> Result<Outcome> {
        let first_values = self.table.counters.iter();
        let counters: Vec<AtomicU32> = first_values
            .map(|(_, value)| AtomicU32::new(*value))
            .collect();
        let shared = Shared {
            kernel: self.kernel,
            storages: self.storages,
            table: &self.table,
            counters: &counters,
        };
        let mut budget = Budget { limits, taken: 0 };
        let mut group = Group::new(self.kernel, limits.memory)?;
        for z in 0..groups[2] {
            for y in 0..groups[1] {
                for x in 0..groups[0] {
                    group.run([x, y, z], &shared, &mut budget)?;
                }
            }
        }
        let mut outcome = Outcome {
            steps: budget.taken,
            ..Outcome::default()
        };
        for ((of, _), counter) in self.table.counters.iter().zip(&counters) {
            let value = counter.load(Ordering::Relaxed);
            match *of {
                crate::resources::CounterOf::Register(register) => {
                    outcome.counters.push((register, value));
                }
                crate::resources::CounterOf::HeapSlot(slot) => {
                    outcome.heap_counters.push((slot, value));
                }
            }
        }
        Ok(outcome)
    }
}
