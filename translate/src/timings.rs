//! The duration of each step of a translation, measured if
//! [`Options::timings`](crate::Options::timings) is set.

use std::time::{Duration, Instant};

/// A step of [`translate`](crate::translate()), in the order in which they run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Step {
    /// The entry point, and the functions that it calls.
    ChooseEntry,
    /// Calls of functions that take objects are inlined.
    Inline,
    /// Native vectors become scalars and arrays.
    Scalarize,
    /// The control-flow graph of each function.
    BuildGraph,
    /// Loops that the compiler rotated are unrotated.
    UnrotateLoops,
    /// Graphs become structured control flow.
    Structurize,
    /// Facts about memory, ray queries, inputs and records of the functions are collected.
    Analyze,
    /// Each resource gets a location.
    Plan,
    /// Instructions become SPIR-V's.
    Lower,
    /// Instructions that naga does not take are rewritten (portable style).
    Legalize,
    /// Sections become words.
    Assemble,
}

impl Step {
    /// All of them, in order.
    pub const ALL: [Step; 11] = [
        Step::ChooseEntry,
        Step::Inline,
        Step::Scalarize,
        Step::BuildGraph,
        Step::UnrotateLoops,
        Step::Structurize,
        Step::Analyze,
        Step::Plan,
        Step::Lower,
        Step::Legalize,
        Step::Assemble,
    ];

    /// Returns the name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Step::ChooseEntry => "choose entry",
            Step::Inline => "inline",
            Step::Scalarize => "scalarize vectors",
            Step::BuildGraph => "build graph",
            Step::UnrotateLoops => "unrotate loops",
            Step::Structurize => "structurize",
            Step::Analyze => "analyses",
            Step::Plan => "plan the interface",
            Step::Lower => "lower",
            Step::Legalize => "legalize for naga",
            Step::Assemble => "assemble",
        }
    }
}

/// The duration of each step, all functions together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Timings {
    spent: [Duration; Step::ALL.len()],
}

impl Timings {
    /// Returns the duration of a step.
    pub fn of(&self, step: Step) -> Duration {
        self.spent[step as usize]
    }

    /// Returns all steps with their times, in order.
    pub fn steps(&self) -> impl Iterator<Item = (Step, Duration)> {
        Step::ALL.into_iter().map(|step| (step, self.of(step)))
    }

    /// Returns all steps together.
    pub fn total(&self) -> Duration {
        self.spent.iter().sum()
    }
}

/// Measures steps, or only runs them.
pub(crate) struct Clock(Option<Timings>);

impl Clock {
    /// Returns a clock that measures, or one that costs nothing.
    pub(crate) fn new(measures: bool) -> Self {
        Clock(measures.then(Timings::default))
    }

    /// Runs a step, or one function's part of it.
    pub(crate) fn time<T>(&mut self, step: Step, run: impl FnOnce() -> T) -> T {
        let Some(timings) = &mut self.0 else {
            return run();
        };
        let start = Instant::now();
        let result = run();
        timings.spent[step as usize] += start.elapsed();
        result
    }

    /// Returns the measured times.
    pub(crate) fn finish(self) -> Option<Timings> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_measures_knows_all_steps_and_another_none() {
        let mut clock = Clock::new(true);
        for step in Step::ALL {
            assert_eq!(clock.time(step, || step.name()), step.name());
        }
        let timings = clock.finish().unwrap();
        assert_eq!(
            timings.steps().map(|(step, _)| step).collect::<Vec<_>>(),
            Step::ALL
        );
        let sum: Duration = timings.steps().map(|(_, time)| time).sum();
        assert_eq!(timings.total(), sum);

        let mut clock = Clock::new(false);
        assert_eq!(clock.time(Step::Lower, || 7), 7);
        assert_eq!(clock.finish(), None);
    }
}
