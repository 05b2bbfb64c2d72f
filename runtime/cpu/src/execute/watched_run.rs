//! Runs a dispatch of which one wave is watched.
//!
//! The executor gives the same values each time, so a wave that begins anew comes through the same
//! moments: a debugger goes back by running again up to an earlier one. What groups write is kept
//! from before the watched group ran, so that those before it need not run again.

use std::sync::atomic::Ordering;

use dxil_frontend::dxil::ShaderKind;

use super::budget::{Budget, Watching};
use super::group::Group;
use super::moment::{Moment, Next, Watch, WatchedWave};
use super::noticed::Noticed;
use super::shared::{Limits, Shared};
use super::{Dispatch, Outcome, group_ids};
use crate::check::Checker;
use crate::error::{Error, Result};

/// Contents of memory before a group ran.
struct Before {
    group: [u32; 3],
    /// Words of the storages that the shader may write to.
    storages: Vec<Option<Vec<u32>>>,
    counters: Vec<u32>,
    /// The steps and the events of the groups before it.
    steps: u64,
    noticed: Noticed,
}

impl Before {
    fn new(group: [u32; 3], shared: &Shared<'_>, (steps, noticed): (u64, Noticed)) -> Before {
        let storages = shared.storages.iter().enumerate();
        let storages = storages.map(|(number, storage)| {
            let is_written = shared.table.is_written(number);
            is_written.then(|| storage.bytes.words())
        });
        let counters = shared.counters.iter();
        Before {
            group,
            storages: storages.collect(),
            counters: counters.map(|c| c.load(Ordering::Relaxed)).collect(),
            steps,
            noticed,
        }
    }

    fn restore(&self, shared: &Shared<'_>) {
        for (storage, words) in shared.storages.iter().zip(&self.storages) {
            if let Some(words) = words {
                storage.bytes.set_words(words);
            }
        }
        for (counter, &value) in shared.counters.iter().zip(&self.counters) {
            counter.store(value, Ordering::Relaxed);
        }
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
                "only dispatches of compute shaders are watched".into(),
            ));
        }
        if self.kernel.globals.is_none() {
            return Err(Error::BadInput(
                "the shader was not decoded to be watched".into(),
            ));
        }
        let counters = self.first_counters();
        let shared = self.shared(&counters, limits);
        let start = Before::new([0; 3], &shared, Default::default());
        let mut before: Option<Before> = None;
        loop {
            let wave = watch.wave();
            self.check_wave(groups, wave)?;
            // The checks compare what all groups do.
            let known = before
                .take()
                .filter(|before| before.group == wave.group && self.kernel.checks.is_empty());
            known.as_ref().unwrap_or(&start).restore(&shared);
            let mut asked = Asked {
                watch: &mut *watch,
                answer: Next::Go,
            };
            let from = known.is_some();
            let kept = &mut before;
            *kept = known;
            let done = run_once(&shared, groups, limits, (wave, &mut asked), (from, kept));
            let answer = asked.answer;
            match (done, answer) {
                (Err(Error::Stopped { .. }), Next::Again) => {}
                (Err(error), _) => return Err(error),
                (Ok(outcome), _) => match watch.ended() {
                    Next::Again => {}
                    Next::Go | Next::Stop => return Ok(self.with_counters(outcome, &counters)),
                },
            }
        }
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
                let done = (budget.taken(), group.noticed());
                *kept = Some(Before::new(id, shared, done));
            } else if let Some(before) = kept.as_ref().filter(|_| from_kept) {
                group.set_noticed(before.noticed);
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
