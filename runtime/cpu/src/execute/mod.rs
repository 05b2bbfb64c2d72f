//! Runs the groups of a dispatch.
//!
//! A run gives the same bytes each time, whatever the shader does with memory that groups share:
//! those of running the groups one after the other in the order of their numbers. Where groups do
//! not interfere with each other, they run in parallel (`parallel`). Within a group, waves take
//! turns.

mod block_end;
mod budget;
mod buffer_words;
mod buffers;
mod checks;
mod code_choice;
mod context;
mod dimensions;
mod events;
mod feedback;
mod first_nan;
mod float;
mod footprint;
mod frame;
mod group;
#[cfg(feature = "native")]
mod group_code;
mod hit_objects;
mod instructions;
mod integer;
mod invocation;
mod invocations;
mod kept_memory;
mod lanes;
mod matrices;
mod matrix_numbers;
mod memory;
mod memory_chunks;
mod mesh_run;
mod moment;
mod moment_resources;
#[cfg(feature = "native")]
mod native_wave;
mod node_memory;
mod node_run;
mod nodes;
mod ownership;
mod parallel;
mod probes;
mod raster;
mod raster_memory;
mod ray_pipeline;
mod ray_query;
mod rays;
mod recorded_run;
mod recorder;
mod records;
mod reduce;
mod sample;
mod sampled_view;
mod shared;
mod table_call;
mod texture_chunks;
mod textures;
mod uniform;
mod watched_run;
mod wave;

use std::sync::atomic::{AtomicU32, Ordering};

use dxil_frontend::dxil::ShaderKind;

use crate::check::{Checker, Finding};
use crate::decode::Kernel;
use crate::error::{Error, Result};
use crate::resources::{Bindings, CounterOf, RayTables, Register, ResolvedTables, Storage, Table};
use budget::Budget;
pub use code_choice::CodeChoice;
pub use dimensions::sample_place;
pub use events::Events;
use group::Group;
pub use invocation::Invocation;
pub use invocations::Invocations;
#[cfg(all(test, feature = "native"))]
pub(crate) use lanes::{Lanes, Registers, execute};
#[cfg(feature = "native")]
pub(crate) use lanes::{Narrow, WIDTH, Wide};
pub use moment::{Bound, Frame, LanePlace, Moment, Next, Scalar, Watch, WatchedWave};
pub use node_run::{NodeGroup, NodeOutput, NodeRun, SentRecords};
pub use nodes::NodeOutcome;
pub use raster_memory::{MeshDispatch, MeshGroup};
pub use recorder::{Recorded, Recorder};
pub use shared::Limits;
use shared::{RayRun, Shared};

/// A dispatch that is ready to run.
pub struct Dispatch<'a> {
    kernel: &'a Kernel,
    storages: &'a [Storage],
    table: Table,
    rays: Option<ResolvedTables>,
}

/// The results of a dispatch except for memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Hidden counters of UAVs, by register.
    pub counters: Vec<(Register, u32)>,
    /// Hidden counters of the UAVs in the heap, by slot.
    pub heap_counters: Vec<(u32, u32)>,
    /// Steps taken: blocks that waves entered.
    pub steps: u64,
    /// The findings of the checks that the kernel was decoded with.
    pub findings: Vec<Finding>,
    /// Counts that are made without checks.
    pub events: Events,
}

impl Outcome {
    /// Returns the outcome of a group after its last run, except for the hidden counters.
    fn of(group: Group, budget: &mut Budget<'_>) -> Outcome {
        let steps = budget.taken();
        let (findings, events) = group.into_results(budget);
        Outcome {
            steps,
            findings,
            events,
            ..Outcome::default()
        }
    }
}

impl<'a> Dispatch<'a> {
    /// Resolves the resources of a kernel's handles.
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
            rays: None,
        })
    }

    /// Resolves the resources of a ray tracing pipeline's handles, and its shader tables.
    ///
    /// # Errors
    ///
    /// [`Error::BadInput`] for views that do not fit their storages, and for records of shaders
    /// that the kernel does not have.
    pub fn of_rays(
        kernel: &'a Kernel,
        bindings: &Bindings,
        storages: &'a [Storage],
        tables: &RayTables,
    ) -> Result<Dispatch<'a>> {
        let mut dispatch = Dispatch::new(kernel, bindings, storages)?;
        let tables = ResolvedTables::new(tables, kernel, &mut dispatch.table, storages)?;
        dispatch.rays = Some(tables);
        Ok(dispatch)
    }

    /// Generates that many rays in each dimension: `DispatchRays`.
    ///
    /// # Errors
    ///
    /// Those of [`Dispatch::run`], and [`Error::BadInput`] for a dispatch that is not of rays or of
    /// more than 2^30 of them.
    pub fn run_rays(&self, size: [u32; 3], limits: &Limits<'_>) -> Result<Outcome> {
        let run = self.ray_run(size)?;
        let waves = run.total.div_ceil(self.kernel.wave_size());
        self.execute([waves, 1, 1], limits, Some(run))
    }

    /// Returns the additional state of a dispatch of rays.
    fn ray_run(&self, size: [u32; 3]) -> Result<RayRun<'_>> {
        let Some(tables) = &self.rays else {
            return Err(Error::BadInput("a dispatch without shader tables".into()));
        };
        let total = size
            .iter()
            .fold(1_u64, |all, &n| all.saturating_mul(u64::from(n)));
        // The limit of DispatchRays (DirectX Raytracing specification, "DispatchRays").
        if total > 1 << 30 {
            return Err(Error::BadInput(format!(
                "{total} rays; 2^30 is the maximum"
            )));
        }
        Ok(RayRun {
            size,
            total: total as u32,
            tables,
        })
    }

    /// Runs that many groups. What they write is in the storages afterwards. A kernel that was
    /// decoded with checks runs its groups one after the other: [`Outcome::findings`].
    ///
    /// The result does not depend on the number of threads: it is that of running the groups one
    /// after the other in the order of their numbers.
    ///
    /// # Errors
    ///
    /// [`Error::Steps`], [`Error::Stopped`] and [`Error::Memory`] when a limit is reached; storages
    /// then hold what was written so far. [`Error::BadInput`] for a shader that is not a compute
    /// shader: a node of a work graph ([`Dispatch::run_node`]), a stage of a draw
    /// ([`Dispatch::run_invocations`], [`Dispatch::run_mesh`]) or a ray tracing pipeline.
    pub fn run(&self, groups: [u32; 3], limits: &Limits<'_>) -> Result<Outcome> {
        match self.kernel.stage() {
            Some(ShaderKind::Compute) => {}
            Some(stage) => {
                let problem = format!("a dispatch of a {} shader", stage.prefix());
                return Err(Error::BadInput(problem));
            }
            None => return Err(Error::BadInput("a dispatch of ray tracing shaders".into())),
        }
        self.execute(groups, limits, None)
    }

    fn execute(
        &self,
        groups: [u32; 3],
        limits: &Limits<'_>,
        rays: Option<RayRun<'_>>,
    ) -> Result<Outcome> {
        let counters = self.first_counters();
        let shared = Shared {
            rays: rays.as_ref(),
            ..self.shared(&counters, limits)
        };
        // The checks compare accesses in the order of the groups, so groups then run one after the
        // other.
        let parallel = if self.kernel.checks.is_empty() {
            parallel::run(&shared, groups, limits)?
        } else {
            None
        };
        // No result means that groups interfered with each other, or that a limit was reached: the
        // memory was restored, and the run begins anew in order.
        let outcome = match parallel {
            Some((steps, events)) => Outcome {
                steps,
                events,
                ..Outcome::default()
            },
            None => run_in_order(&shared, groups, limits)?,
        };
        Ok(self.with_counters(outcome, &counters))
    }

    /// Returns the state that the waves of a compute dispatch share while groups run in order.
    fn shared<'s>(&'s self, counters: &'s [AtomicU32], limits: &Limits<'s>) -> Shared<'s> {
        Shared {
            kernel: self.kernel,
            storages: self.storages,
            table: &self.table,
            counters,
            ownership: None,
            rays: None,
            first_function: 0,
            stop: limits.stop,
        }
    }

    /// Returns the hidden counters with their first values.
    fn first_counters(&self) -> Vec<AtomicU32> {
        let values = self.table.counters.iter();
        values.map(|(_, value)| AtomicU32::new(*value)).collect()
    }

    fn with_counters(&self, mut outcome: Outcome, counters: &[AtomicU32]) -> Outcome {
        for ((of, _), counter) in self.table.counters.iter().zip(counters) {
            let value = counter.load(Ordering::Relaxed);
            match *of {
                CounterOf::Register(register) => outcome.counters.push((register, value)),
                CounterOf::HeapSlot(slot) => outcome.heap_counters.push((slot, value)),
            }
        }
        outcome
    }
}

/// Runs the groups one after the other.
fn run_in_order(shared: &Shared<'_>, groups: [u32; 3], limits: &Limits<'_>) -> Result<Outcome> {
    let mut budget = Budget::new(limits, None);
    let mut group = Group::new(shared.kernel, limits)?;
    if !shared.kernel.checks.is_empty() {
        budget.watch_limit();
        group.check_with(Checker::new(shared.kernel, groups));
    }
    for (number, id) in group_ids(groups) {
        group.run(id, number, shared, &mut budget)?;
    }
    Ok(Outcome::of(group, &mut budget))
}

/// Returns the numbers and ids of the groups of a dispatch in their order: x runs fastest. Numbers
/// start again at 0 after 2^32 groups.
fn group_ids([width, height, depth]: [u32; 3]) -> impl Iterator<Item = (u32, [u32; 3])> {
    let rows = (0..depth).flat_map(move |z| (0..height).map(move |y| (y, z)));
    let ids = rows.flat_map(move |(y, z)| (0..width).map(move |x| [x, y, z]));
    let mut next = 0_u32;
    ids.map(move |id| {
        let number = next;
        next = next.wrapping_add(1);
        (number, id)
    })
}
