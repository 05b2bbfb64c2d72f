//! A spinner for long work, on a terminal only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Shows what is being done once it takes a while.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Starts; nothing is drawn unless standard error is a terminal.
    pub(crate) fn start(what: &'static str) -> Self {
        let bar = ProgressBar::new_spinner().with_message(what);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        // The first tick after a quarter of a second: short work shows nothing.
        bar.enable_steady_tick(Duration::from_millis(250));
        Progress(bar)
    }

    /// Shows the current activity.
    pub(crate) fn say(&self, what: &'static str) {
        self.0.set_message(what);
    }

    /// Clears the line.
    pub(crate) fn finish(self) {
        self.0.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
