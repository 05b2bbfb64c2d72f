//! Runs a dispatch of which one wave is watched.
//!
//! The executor gives the same values each time, so a wave that begins anew comes through the same
//! moments: a debugger goes back by running again up to an earlier one. What groups write is kept
//! from before the watched group ran, so that those before it need not run again.

use dxil_frontend::dxil::ShaderKind;

use super::budget::{Budget, Watching};
use super::events::Events;
use super::group::Group;
use super::kept_memory::KeptMemory;
use super::moment::{Moment, Next, Watch, WatchedWave};
use super::recorder::Recorded;
use super::shared::{Limits, RayRun, Shared};
use super::{Dispatch, Outcome, group_ids};
use crate::check::Checker;
use crate::error::{Error, Result};

/// Memory and counts before a group ran.
struct Before {
    group: [u32; 3],
    memory: KeptMemory,
    /// The steps and the events of the groups before it.
    steps: u64,
    events: Events,
}

impl Before {
    fn new(group: [u32; 3], shared: &Shared<'_>, (steps, events): (u64, Events)) -> Before {
        Before {
            group,
            memory: KeptMemory::of(shared.storages, shared.counters, |number| {
                shared.table.is_written(number)
            }),
            steps,
            events,
        }
    }

    fn restore(&self, shared: &Shared<'_>) {
        self.memory.restore(shared.storages);
        self.memory.restore_counters(shared.counters);
    }
}

/// Passes moments on, and keeps the last answer.
struct Asked<'a> {
    watch: &'a mut dyn Watch,
    answer: Next,
}

impl Watch for Asked<'_> {
    fn wave(&mut self) -> WatchedWave {
        self.watch.wave()
    }

    fn before(&mut self, moment: &Moment<'_>) -> Next {
        self.answer = self.watch.before(moment);
        self.answer
    }
}

/// Runs until the watcher is content with the end of a run.
pub(super) fn run_watched(
    watch: &mut dyn Watch,
    mut run: impl FnMut(WatchedWave, &mut dyn Watch) -> Result<Outcome>,
) -> Result<Outcome> {
    loop {
        let wave = watch.wave();
        let mut asked = Asked {
            watch: &mut *watch,
            answer: Next::Go,
        };
        let done = run(wave, &mut asked);
        match (done, asked.answer) {
            (Err(Error::Stopped { .. }), Next::Again) => {}
            (Err(error), _) => return Err(error),
            (Ok(outcome), _) => match watch.ended() {
                Next::Again => {}
                Next::Go | Next::Stop => return Ok(outcome),
            },
        }
    }
}

impl Dispatch<'_> {
    /// Runs that many groups one after the other, and shows a wave of them before each instruction.
    /// The results are those of [`Dispatch::run`].
    ///
    /// # Errors
    ///
    /// Those of [`Dispatch::run`]; [`Error::Stopped`] where the watcher says so;
    /// [`Error::BadInput`] for code that was not decoded to be watched
    /// ([`Options::watched`](crate::Options::watched)), and for a wave that the dispatch does not
    /// have.
    pub fn run_watched(
        &self,
        groups: [u32; 3],
        limits: &Limits<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Outcome> {
        if self.kernel.stage() != Some(ShaderKind::Compute) {
            return Err(Error::BadInput(
                "this is no dispatch of a compute shader".into(),
            ));
        }
        self.watch_groups((groups, None), limits, watch)
    }

    /// Generates that many rays one wave after the other, and shows a wave of them before each
    /// instruction, with all shaders that its rays run. The waves are groups of one wave, and rays
    /// follow each other along x, y and z. The results are those of [`Dispatch::run_rays`].
    ///
    /// # Errors
    ///
    /// Those of [`Dispatch::run_rays`] and of [`Dispatch::run_watched`].
    pub fn run_rays_watched(
        &self,
        size: [u32; 3],
        limits: &Limits<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Outcome> {
        let run = self.ray_run(size)?;
        let waves = run.total.div_ceil(self.kernel.wave_size());
        self.watch_groups(([waves, 1, 1], Some(run)), limits, watch)
    }

    /// Runs the groups of a dispatch before one of them, and records that one with memory as it is
    /// then: [`Dispatch::run_recorded`] runs it again by itself, however many groups there are.
    ///
    /// # Errors
    ///
    /// Those of [`Dispatch::run`], and [`Error::BadInput`] for a group that the dispatch does not
    /// have.
    pub fn record_group(
        &self,
        groups: [u32; 3],
        wanted: [u32; 3],
        limits: &Limits<'_>,
    ) -> Result<Recorded> {
        self.check_wave(
            groups,
            WatchedWave {
                group: wanted,
                wave: 0,
            },
        )?;
        let counters = self.first_counters();
        let shared = self.shared(&counters, limits);
        let mut budget = Budget::new(limits, None);
        let mut group = Group::new(self.kernel, limits)?;
        for (number, id) in group_ids(groups).take_while(|(_, id)| *id != wanted) {
            group.run(id, number, &shared, &mut budget)?;
        }
        let kept = KeptMemory::of(shared.storages, shared.counters, |number| {
            shared.table.is_written(number)
        });
        let own = self.group_invocation(wanted);
        Ok(Recorded::of_group((groups, &[]), own, (kept, 0)))
    }

    fn watch_groups(
        &self,
        (groups, rays): ([u32; 3], Option<RayRun<'_>>),
        limits: &Limits<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Outcome> {
        self.check_watched()?;
        let counters = self.first_counters();
        let shared = Shared {
            rays: rays.as_ref(),
            ..self.shared(&counters, limits)
        };
        let start = Before::new([0; 3], &shared, Default::default());
        let mut before: Option<Before> = None;
        let done = run_watched(watch, |wave, watch| {
            self.check_wave(groups, wave)?;
            // The checks compare what all groups do.
            before = before
                .take()
                .filter(|before| before.group == wave.group && self.kernel.checks.is_empty());
            before.as_ref().unwrap_or(&start).restore(&shared);
            let from = before.is_some();
            run_once(&shared, groups, limits, (wave, watch), (from, &mut before))
        })?;
        Ok(self.with_counters(done, &counters))
    }

    /// Checks that the code can be watched.
    pub(super) fn check_watched(&self) -> Result<()> {
        if self.kernel.globals.is_none() {
            return Err(Error::BadInput(
                "the shader was not decoded to be watched".into(),
            ));
        }
        Ok(())
    }

    fn check_wave(&self, groups: [u32; 3], wave: WatchedWave) -> Result<()> {
        let threads: u32 = self.kernel.num_threads().iter().product();
        let is_group = wave.group.iter().zip(groups).all(|(at, count)| *at < count);
        if !is_group {
            return Err(Error::BadInput(format!(
                "the dispatch has no group {:?}",
                wave.group
            )));
        }
        if wave.wave >= threads.div_ceil(self.kernel.wave_size()) {
            return Err(Error::BadInput(format!(
                "a group has no wave {}",
                wave.wave
            )));
        }
        Ok(())
    }
}

/// Runs all groups, or those from the watched one on, whose memory is kept.
fn run_once(
    shared: &Shared<'_>,
    groups: [u32; 3],
    limits: &Limits<'_>,
    (wave, watch): (WatchedWave, &mut dyn Watch),
    (from_kept, kept): (bool, &mut Option<Before>),
) -> Result<Outcome> {
    let mut budget = Budget::new(limits, None);
    let mut group = Group::new(shared.kernel, limits)?;
    if !shared.kernel.checks.is_empty() {
        budget.watch_limit();
        group.check_with(Checker::new(shared.kernel, groups));
    }
    budget.watch(Some(Watching {
        watch,
        group: wave.group,
        first_thread: wave.wave * shared.kernel.wave_size(),
    }));
    let (mut skips, mut skipped) = (from_kept, 0);
    for (number, id) in group_ids(groups) {
        if id == wave.group {
            skips = false;
            if kept.is_none() {
                let done = (budget.taken(), group.events());
                *kept = Some(Before::new(id, shared, done));
            } else if let Some(before) = kept.as_ref().filter(|_| from_kept) {
                group.set_events(before.events);
                skipped = before.steps;
            }
        }
        if !skips {
            group.run(id, number, shared, &mut budget)?;
        }
    }
    let mut outcome = Outcome::of(group, &mut budget);
    outcome.steps += skipped;
    Ok(outcome)
}
