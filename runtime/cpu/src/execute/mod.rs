//! Runs the groups of a dispatch.
//!
//! A run gives the same bytes each time, whatever the shader does with memory that groups share:
//! those of running the groups one after the other in the order of their numbers. Where groups do
//! not interfere with each other, they run in parallel (`parallel`). Within a group, waves take
//! turns.

mod buffers;
mod checks;
mod dimensions;
mod float;
mod group;
mod integer;
mod lanes;
mod memory;
mod ownership;
mod parallel;
mod ray_query;
mod rays;
mod reduce;
mod sample;
mod shared;
mod textures;
mod wave;

use std::sync::atomic::{AtomicU32, Ordering};

use crate::check::{Checker, Checks, Finding};
use crate::decode::Kernel;
use crate::error::Result;
use crate::resources::{Bindings, CounterOf, Register, Storage, Table};
use group::Group;
pub use shared::Limits;
use shared::{Budget, Shared};

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
    /// Returns the findings of the checks.
    pub findings: Vec<Finding>,
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
    /// The result does not depend on the number of threads: it is that of running the groups one
    /// after the other in the order of their numbers.
    ///
    /// # Errors
    ///
    /// [`Error::Steps`], [`Error::Stopped`] and [`Error::Memory`] when a limit is reached; storages
    /// then hold what was written so far.
    pub fn run(&self, groups: [u32; 3], limits: &Limits<'_>) -> Result<Outcome> {
        self.run_checked(groups, limits, Checks::default())
    }

    /// Runs that many groups one after the other, and looks for defects: [`Outcome::findings`].
    /// Without any check this is [`Dispatch::run`].
    ///
    /// # Errors
    ///
    /// Those of [`Dispatch::run`].
    pub fn run_checked(
        &self,
        groups: [u32; 3],
        limits: &Limits<'_>,
        checks: Checks,
    ) -> Result<Outcome> {
        let first_values = self.table.counters.iter();
        let counters: Vec<AtomicU32> = first_values
            .map(|(_, value)| AtomicU32::new(*value))
            .collect();
        let shared = Shared {
            kernel: self.kernel,
            storages: self.storages,
            table: &self.table,
            counters: &counters,
            ownership: None,
        };
        // The checks compare accesses in the order of the groups, so groups then run one after the
        // other.
        let parallel = if checks == Checks::default() {
            parallel::run(&shared, groups, limits)?
        } else {
            None
        };
        // No result means that groups interfered with each other, or that a limit was reached: the
        // memory was restored, and the run begins anew in order.
        let (steps, findings) = match parallel {
            Some(steps) => (steps, Vec::new()),
            None => run_in_order(&shared, groups, limits, checks)?,
        };
        let mut outcome = Outcome {
            steps,
            findings,
            ..Outcome::default()
        };
        for ((of, _), counter) in self.table.counters.iter().zip(&counters) {
            let value = counter.load(Ordering::Relaxed);
            match *of {
                CounterOf::Register(register) => outcome.counters.push((register, value)),
                CounterOf::HeapSlot(slot) => outcome.heap_counters.push((slot, value)),
            }
        }
        Ok(outcome)
    }
}

/// Runs the groups one after the other; returns the steps that they took, and what checks found.
fn run_in_order(
    shared: &Shared<'_>,
    groups: [u32; 3],
    limits: &Limits<'_>,
    checks: Checks,
) -> Result<(u64, Vec<Finding>)> {
    let mut budget = Budget::new(limits, None);
    let mut group = Group::new(shared.kernel, limits.memory)?;
    if checks != Checks::default() {
        group.check_with(Checker::new(checks, shared.kernel, groups));
    }
    let mut number = 0;
    for z in 0..groups[2] {
        for y in 0..groups[1] {
            for x in 0..groups[0] {
                group.run([x, y, z], number, shared, &mut budget)?;
                number = number.wrapping_add(1);
            }
        }
    }
    Ok((budget.taken(), group.into_findings()))
}
