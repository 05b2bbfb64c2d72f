//! The steps of a thread, and who watches them.

use std::sync::atomic::Ordering;

use super::moment::{Moment, Next, Watch};
use super::ownership::Ownership;
use super::shared::{Limits, Progress};
use crate::error::{CodeLocation, Error, Result};

/// Steps between two looks at the callback and at the other threads.
const STEPS_PER_LOOK: u64 = 1 << 12;

/// Counts the steps of a thread, and says when to stop.
pub(crate) struct Budget<'a> {
    limits: &'a Limits<'a>,
    taken: u64,
    /// Number of steps at which the budget is looked at next.
    mark: u64,
    /// The location where the run came near the limit.
    near: Option<Box<CodeLocation>>,
    progress: Option<(&'a Progress, &'a Ownership)>,
    watching: Option<Watching<'a>>,
}

/// A wave that is watched.
pub(crate) struct Watching<'a> {
    pub(crate) watch: &'a mut dyn Watch,
    pub(crate) group: [u32; 3],
    /// Number of its first thread in the group.
    pub(crate) first_thread: u32,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(
        limits: &'a Limits<'a>,
        progress: Option<(&'a Progress, &'a Ownership)>,
    ) -> Self {
        Budget {
            limits,
            taken: 0,
            mark: limits.steps,
            near: None,
            progress,
            watching: None,
        }
    }

    /// Watches a wave.
    pub(crate) fn watch(&mut self, watching: Option<Watching<'a>>) {
        self.watching = watching;
    }

    /// Returns whether a wave is watched.
    pub(crate) fn watches(&self, group: [u32; 3], first_thread: u32) -> bool {
        let watching = self.watching.as_ref();
        watching.is_some_and(|watching| {
            watching.group == group && watching.first_thread == first_thread
        })
    }

    /// Shows the instruction that comes next in the wave that is watched.
    pub(crate) fn before(&mut self, moment: &Moment<'_>) -> Result<()> {
        let next = match &mut self.watching {
            Some(watching) => watching.watch.before(moment),
            None => Next::Go,
        };
        match next {
            Next::Go => Ok(()),
            Next::Again | Next::Stop => Err(Error::Stopped {
                place: moment.place(),
            }),
        }
    }

    /// Returns the steps that this thread has taken.
    pub(crate) fn taken(&self) -> u64 {
        self.taken
    }

    /// Notes the location if the run comes near the limit: within a tenth of it.
    pub(crate) fn watch_limit(&mut self) {
        self.mark = self.limits.steps - self.limits.steps / 10;
    }

    /// Returns the location where the run came near the limit, with the steps taken and the limit.
    pub(crate) fn near_limit(&mut self) -> Option<(Box<CodeLocation>, u64, u64)> {
        let place = self.near.take()?;
        Some((place, self.taken, self.limits.steps))
    }

    #[cold]
    fn reach_mark(&mut self, place: Box<CodeLocation>) -> Result<()> {
        if self.taken > self.limits.steps {
            return Err(Error::Steps {
                steps: self.limits.steps,
                place,
            });
        }
        self.mark = self.limits.steps;
        self.near = Some(place);
        Ok(())
    }

    /// Returns how many steps may be taken without a look at anything.
    #[cfg(feature = "native")]
    pub(crate) fn free_steps(&self) -> u64 {
        let to_look = STEPS_PER_LOOK - 1 - self.taken % STEPS_PER_LOOK;
        to_look.min(self.mark.saturating_sub(self.taken))
    }

    /// Takes that many free steps.
    #[cfg(feature = "native")]
    pub(crate) fn take_free(&mut self, steps: u64) {
        self.taken += steps;
    }

    /// Takes steps for work within instructions, as far as they make up whole looks, and returns
    /// the others.
    pub(crate) fn charge(&mut self, work: u64) -> u64 {
        let rest = work % STEPS_PER_LOOK;
        self.taken += work - rest;
        if let Some((progress, _)) = self.progress
            && work != rest
        {
            progress.steps.fetch_add(work - rest, Ordering::Relaxed);
        }
        rest
    }

    /// Takes a step.
    pub(crate) fn step(&mut self, place: impl Fn() -> Box<CodeLocation>) -> Result<()> {
        self.taken += 1;
        if self.taken > self.mark {
            self.reach_mark(place())?;
        }
        // A look costs more than a step.
        if self.taken.is_multiple_of(STEPS_PER_LOOK) {
            if self.limits.stop.is_some_and(|stop| stop()) {
                return Err(Error::Stopped { place: place() });
            }
            if let Some((progress, ownership)) = self.progress {
                let all = progress.steps.fetch_add(STEPS_PER_LOOK, Ordering::Relaxed);
                if all > self.limits.steps
                    || ownership.has_conflict()
                    || progress.failed.load(Ordering::Relaxed)
                {
                    // Only a signal to end: the groups then run again in order, and the first error
                    // is reported.
                    return Err(Error::Steps {
                        steps: self.limits.steps,
                        place: place(),
                    });
                }
            }
        }
        Ok(())
    }
}
