//! Runs a shader of a draw's stage for a list of invocations: the caller gives the inputs of each
//! and gets its outputs, in words (see [`Kernel::inputs`](crate::Kernel::inputs)).

use dxil_frontend::dxil::ShaderKind;

use super::budget::{Budget, Watching};
use super::group::Group;
use super::invocation::Invocation;
use super::kept_memory::KeptMemory;
use super::moment::Watch;
use super::raster_memory::{Emission, RasterMemory};
use super::recorder::{LaneInputs, Phase, Recorded};
use super::shared::{Limits, Shared};
use super::{Dispatch, Outcome};
use crate::check::Checker;
use crate::decode::SystemValues;
use crate::error::{Error, Result};
use crate::schedule::stack::Mask;

/// The inputs and outputs of the invocations of a run.
pub trait Invocations {
    /// Returns how many invocations the next wave runs, at most `lanes`; none ends the run. `first`
    /// is the number of its first one.
    fn wave(&mut self, _first: u64, lanes: u64) -> u64 {
        lanes
    }
    /// Writes the inputs of an invocation; they are zero before. Those of a primitive's or patch's
    /// vertices lie side by side ([`Kernel::input_vertices`](crate::Kernel::input_vertices)).
    fn inputs(&mut self, number: u64, words: &mut [u32]);
    /// Returns the system values of an invocation that are not inputs.
    fn system_values(&mut self, _number: u64) -> SystemValues {
        SystemValues::default()
    }
    /// Writes the control points that a hull shader has made, for its patch constant function.
    fn control_points(&mut self, _number: u64, _words: &mut [u32]) {}
    /// Writes the patch constants that a domain shader gets.
    fn patch_constants(&mut self, _number: u64, _words: &mut [u32]) {}
    /// Returns whether an invocation of a pixel shader is a helper lane.
    fn is_helper(&mut self, _number: u64) -> bool {
        false
    }
    /// Takes the outputs of an invocation; a helper lane has none.
    fn outputs(&mut self, number: u64, words: &[u32]);
    /// Returns what an invocation is of, for [`Recorder`](super::Recorder); none is not recorded.
    fn invocation(&mut self, _number: u64) -> Option<Invocation> {
        None
    }
    /// Takes a vertex that an invocation of a geometry shader adds to a stream, or none where it
    /// ends the strip; those of an invocation come in its order, before its outputs.
    fn emit(&mut self, _number: u64, _stream: u32, _vertex: Option<&[u32]>) {}
}

/// A run of invocations.
pub(super) struct PhaseRun<'a> {
    pub(super) phase: Phase,
    pub(super) count: u64,
    /// Hidden counters begin with these values.
    pub(super) memory: Option<&'a KeptMemory>,
    /// Watches the first wave.
    pub(super) watch: Option<&'a mut dyn Watch>,
}

impl PhaseRun<'_> {
    fn new(phase: Phase, count: u64) -> Self {
        PhaseRun {
            phase,
            count,
            memory: None,
            watch: None,
        }
    }
}

impl Dispatch<'_> {
    /// Runs that many invocations, in waves of invocations that follow each other. Four of a pixel
    /// shader are a quad: left and right of its upper row, then of its lower row.
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
        self.run_phase(PhaseRun::new(Phase::Main, count), invocations, limits)
    }

    /// Runs the patch constant function of a hull shader for that many patches. Its outputs are
    /// the patch constants.
    ///
    /// # Errors
    ///
    /// Those of [`Dispatch::run`], and [`Error::BadInput`] where there is no such function.
    pub fn run_patch_constants(
        &self,
        count: u64,
        invocations: &mut dyn Invocations,
        limits: &Limits<'_>,
    ) -> Result<Outcome> {
        if !self.kernel.has_patch_constants {
            let problem = "the shader has no patch constant function";
            return Err(Error::BadInput(problem.into()));
        }
        self.run_phase(
            PhaseRun::new(Phase::PatchConstants, count),
            invocations,
            limits,
        )
    }

    pub(super) fn run_phase(
        &self,
        PhaseRun {
            phase,
            count,
            memory: kept,
            watch,
        }: PhaseRun<'_>,
        invocations: &mut dyn Invocations,
        limits: &Limits<'_>,
    ) -> Result<Outcome> {
        let counters = self.first_counters();
        if let Some(kept) = kept {
            kept.restore_counters(&counters);
        }
        let shared = Shared {
            first_function: match phase {
                Phase::PatchConstants if !self.kernel.passes_control_points() => 1,
                Phase::PatchConstants | Phase::Main => 0,
            },
            ..self.shared(&counters, limits)
        };
        let memory = &self.kernel.signature;
        let mut budget = Budget::new(limits, None);
        let mut group = Group::new(self.kernel, limits)?;
        if !self.kernel.checks.is_empty() {
            let waves = count.div_ceil(u64::from(self.kernel.wave_size()));
            budget.watch_limit();
            group.check_with(Checker::new(self.kernel, [waves as u32, 1, 1]));
        }
        budget.watch(watch.map(|watch| Watching {
            watch,
            group: [0; 3],
            first_thread: 0,
        }));
        group.set_raster(RasterMemory::default());
        let zeros = |words: u32| vec![0; words as usize];
        // The blocks of a pixel shader that it does not read are left out.
        let blocks = match self.kernel.stage() {
            Some(ShaderKind::Pixel) if !memory.reads_blocks => 1,
            _ => memory.input_vertices,
        };
        let mut inputs = zeros(memory.input_words * blocks);
        let mut points = zeros(memory.output_words * memory.output_control_points);
        let mut constants = zeros(memory.patch_constant_words);
        let (outputs_at, output_words) = match phase {
            Phase::Main => (memory.outputs_at, memory.output_words),
            Phase::PatchConstants => (memory.patch_constants_at, memory.patch_constant_words),
        };
        let mut outputs = zeros(output_words);
        let lanes = u64::from(self.kernel.wave_size());
        let mut first = 0;
        while first < count {
            let here = (count - first).min(lanes);
            let here = invocations.wave(first, here).min(here);
            if here == 0 {
                break;
            }
            let mask = Mask::MAX >> (Mask::BITS - here as u32);
            let mut helpers = 0;
            for lane in 0..here {
                helpers |= Mask::from(invocations.is_helper(first + lane)) << lane;
            }
            if let Some(raster) = group.raster() {
                raster.begin_wave(lanes as usize, helpers);
            }
            let wanted = wanted_lane((first, here), helpers, invocations, limits);
            let mut recorded = Vec::new();
            let wave = group.begin_wave((first / lanes) as u32, &shared, mask)?;
            for lane in 0..here {
                let (number, at) = (first + lane, lane as usize);
                inputs.fill(0);
                invocations.inputs(number, &mut inputs);
                wave.write_private(at, memory.inputs_at, &inputs);
                if memory.reads_system_values {
                    let system = invocations.system_values(number).words(memory.view);
                    wave.write_private(at, memory.system_at, &system);
                }
                match phase {
                    Phase::Main if constants.is_empty() => {}
                    Phase::Main => {
                        constants.fill(0);
                        invocations.patch_constants(number, &mut constants);
                        wave.write_private(at, memory.patch_constants_at, &constants);
                    }
                    Phase::PatchConstants => {
                        points.fill(0);
                        invocations.control_points(number, &mut points);
                        wave.write_private(at, memory.control_points_at, &points);
                    }
                }
                if wanted.is_some() {
                    recorded.push(LaneInputs {
                        inputs: inputs.clone(),
                        system: invocations.system_values(number),
                        patch: match phase {
                            Phase::Main => constants.clone(),
                            Phase::PatchConstants => points.clone(),
                        },
                    });
                }
            }
            if let (Some(lane), Some(recorder)) = (wanted, limits.recorder) {
                let all = (first..first + here).map_while(|n| invocations.invocation(n));
                let all = (all.collect(), lane as usize);
                let run = (phase, recorded, helpers);
                let kept = KeptMemory::of(shared.storages, shared.counters, |_| true);
                recorder.found(Recorded::of_wave(run, all, (kept, memory.view)));
            }
            group.finish(&shared, &mut budget)?;
            let helpers = group.raster().map_or(0, |raster| raster.helpers.get());
            for lane in (0..here).filter(|lane| helpers >> lane & 1 == 0) {
                if let Some(raster) = group.raster() {
                    hand_over(raster, memory.output_words, (lane, first), invocations);
                }
                let wave = group.first_wave();
                wave.read_private(lane as usize, outputs_at, &mut outputs);
                invocations.outputs(first + lane, &outputs);
            }
            first += here;
        }
        let outcome = Outcome::of(group, &mut budget);
        Ok(self.with_counters(outcome, &counters))
    }
}

/// Returns the lane of a wave that is to be recorded.
fn wanted_lane(
    (first, count): (u64, u64),
    helpers: Mask,
    invocations: &mut dyn Invocations,
    limits: &Limits<'_>,
) -> Option<u64> {
    let recorder = limits.recorder?;
    let mut lanes = (0..count).filter(|lane| helpers >> lane & 1 == 0);
    lanes.find(|lane| {
        let invocation = invocations.invocation(first + lane);
        invocation.is_some_and(|invocation| recorder.wants(&invocation))
    })
}

/// Hands the vertices over that a lane has emitted.
fn hand_over(
    raster: &mut RasterMemory,
    vertex_words: u32,
    (lane, first): (u64, u64),
    invocations: &mut dyn Invocations,
) {
    let emitted = raster.emitted.get_mut();
    let own = |emission: &&Emission| u64::from(emission.lane) == lane;
    for emission in emitted.all.iter().filter(own) {
        let vertex = emission.first.and_then(|at| {
            let end = at + vertex_words as usize;
            emitted.words.get(at..end)
        });
        invocations.emit(first + lane, emission.stream, vertex);
    }
}
