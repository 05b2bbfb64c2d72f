//! Runs a shader of a raster stage for a list of invocations: the caller gives the inputs of each
//! and gets its outputs, in words (see [`Kernel::inputs`](crate::Kernel::inputs)).

use super::group::Group;
use super::shared::{Budget, Limits, Shared};
use super::{Dispatch, Outcome};
use crate::check::Checker;
use crate::error::Result;
use crate::schedule::stack::Mask;

/// What the invocations of a run get and give.
pub trait Invocations {
    /// Writes the inputs of an invocation; they are zero before.
    fn inputs(&mut self, number: u64, words: &mut [u32]);
    /// Takes the outputs of an invocation.
    fn outputs(&mut self, number: u64, words: &[u32]);
}

impl Dispatch<'_> {
    /// Runs that many invocations, in waves of invocations that follow each other.
    ///
    /// # Errors
    ///
    /// Those of [`Dispatch::run`].
    pub fn run_invocations(
        &self,
        count: u64,
        invocations: &mut dyn Invocations,
        limits: &Limits<'_>,
    ) -> Result<Outcome> {
        let counters = self.first_counters();
        let shared = Shared {
            kernel: self.kernel,
            storages: self.storages,
            table: &self.table,
            counters: &counters,
            ownership: None,
            rays: None,
        };
        let memory = &self.kernel.signature;
        let mut budget = Budget::new(limits, None);
        let mut group = Group::new(self.kernel, limits.memory)?;
        if !self.kernel.checks.is_empty() {
            let waves = count.div_ceil(u64::from(self.kernel.wave_size()));
            group.check_with(Checker::new(self.kernel, [waves as u32, 1, 1]));
        }
        let mut inputs = vec![0; memory.input_words as usize];
        let mut outputs = vec![0; memory.output_words as usize];
        let lanes = u64::from(self.kernel.wave_size());
        let mut first = 0;
        while first < count {
            let here = (count - first).min(lanes);
            let mask = Mask::MAX >> (Mask::BITS - here as u32);
            let wave = group.begin_wave((first / lanes) as u32, &shared, mask)?;
            for lane in 0..here {
                inputs.fill(0);
                invocations.inputs(first + lane, &mut inputs);
                wave.write_private(lane as usize, memory.inputs_at, &inputs);
            }
            group.finish(&shared, &mut budget)?;
            let wave = group.first_wave();
            for lane in 0..here {
                wave.read_private(lane as usize, memory.outputs_at, &mut outputs);
                invocations.outputs(first + lane, &outputs);
            }
            first += here;
        }
        let steps = budget.taken();
        let (findings, noticed) = group.into_results(&mut budget);
        let outcome = Outcome {
            steps,
            findings,
            noticed,
            ..Outcome::default()
        };
        Ok(self.with_counters(outcome, &counters))
    }
}
