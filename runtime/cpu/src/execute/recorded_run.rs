//! Runs a recorded wave of a draw's stage again, by itself.

use super::invocations::{Invocations, PhaseRun};
use super::moment::Watch;
use super::recorder::{LaneInputs, Recorded, RecordedRun};
use super::shared::Limits;
use super::watched_run::run_watched;
use super::{Dispatch, Outcome};
use crate::decode::SystemValues;
use crate::error::Result;
use crate::schedule::stack::Mask;

/// The lanes of a recorded wave, whose outputs nobody takes.
struct Replay<'a> {
    lanes: &'a [LaneInputs],
    helpers: Mask,
}

fn copy(from: Option<&Vec<u32>>, to: &mut [u32]) {
    let from = from.map(Vec::as_slice).unwrap_or_default();
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}

impl Invocations for Replay<'_> {
    fn inputs(&mut self, number: u64, words: &mut [u32]) {
        copy(self.lanes.get(number as usize).map(|l| &l.inputs), words);
    }

    fn system_values(&mut self, number: u64) -> SystemValues {
        let lane = self.lanes.get(number as usize);
        lane.map(|lane| lane.system).unwrap_or_default()
    }

    fn control_points(&mut self, number: u64, words: &mut [u32]) {
        copy(self.lanes.get(number as usize).map(|l| &l.patch), words);
    }

    fn patch_constants(&mut self, number: u64, words: &mut [u32]) {
        self.control_points(number, words);
    }

    fn is_helper(&mut self, number: u64) -> bool {
        self.helpers >> number & 1 != 0
    }

    fn outputs(&mut self, _number: u64, _words: &[u32]) {}
}

impl Dispatch<'_> {
    /// Runs a recorded wave or group again, with memory as it was, and shows a wave before each
    /// instruction: that of the recorded invocations is wave 0 of group 0, a recorded group keeps
    /// its number. What it writes stays in the storages.
    ///
    /// # Errors
    ///
    /// Those of [`Dispatch::run_watched`].
    pub fn run_recorded(
        &self,
        recorded: &Recorded,
        limits: &Limits<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Outcome> {
        self.check_watched()?;
        let limits = &Limits {
            recorder: None,
            ..*limits
        };
        run_watched(watch, |wave, watch| {
            recorded.memory.restore(self.storages);
            match &recorded.run {
                RecordedRun::Wave {
                    phase,
                    lanes,
                    helpers,
                } => {
                    let mut replay = Replay {
                        lanes,
                        helpers: *helpers,
                    };
                    let run = PhaseRun {
                        phase: *phase,
                        count: lanes.len() as u64,
                        memory: Some(&recorded.memory),
                        watch: Some(watch),
                    };
                    self.run_phase(run, &mut replay, limits)
                }
                RecordedRun::Node { run, number } => {
                    self.run_node_again((run, *number), (wave, watch), &recorded.memory, limits)
                }
                RecordedRun::Group { groups, payload } => self.run_group_again(
                    (*groups, payload),
                    (wave, watch),
                    &recorded.memory,
                    limits,
                ),
            }
        })
    }
}
