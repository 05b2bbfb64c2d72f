//! The time that work takes, where the platform has a clock.

use std::time::{Duration, Instant};

/// A running clock. On `wasm32-unknown-unknown`, which has none, no time passes: its host ends
/// work that takes too long.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stopwatch(Option<Instant>);

impl Stopwatch {
    /// Starts a clock.
    pub(super) fn start() -> Self {
        // `Instant::now` panics there.
        let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
        Stopwatch(has_clock.then(Instant::now))
    }

    /// Returns the time since the start.
    pub(super) fn elapsed(self) -> Duration {
        self.0.map_or(Duration::ZERO, |start| start.elapsed())
    }
}
