//! Earlier runs: files that a run is compared with, and the file that keeps all runs.
//!
//! A file of `--history` has one run on each line, as JSON; a run that ends is appended. A file of
//! `--json` has one run, and both kinds are read alike.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use anyhow::Context;
use serde_json::Deserializer;

use crate::failure::Malformed;
use crate::results::Run;

/// Reads all runs of a file, which has at least one.
///
/// # Errors
///
/// If the file cannot be read or contains something other than runs.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Run>> {
    let text = std::fs::read(path).with_context(|| path.display().to_string())?;
    let no_run = || format!("{}: this is no run of dxil-bench --json", path.display());
    let runs = Deserializer::from_slice(&text).into_iter::<Run>();
    let runs = runs.collect::<Result<Vec<Run>, _>>();
    let runs = runs.with_context(no_run)?;
    if runs.is_empty() {
        return Err(Malformed(no_run()).into());
    }
    Ok(runs)
}

/// Orders runs by date; those of one day stay in their order.
pub(crate) fn sort(runs: &mut [Run]) {
    runs.sort_by(|a, b| a.date.cmp(&b.date));
}

/// Returns those of the runs that have the device and the size of `run`. Drivers and commits may
/// differ, since a history shows their effect.
pub(crate) fn comparable(run: &Run, mut runs: Vec<Run>) -> Vec<Run> {
    runs.retain(|earlier| earlier.device == run.device && earlier.size == run.size);
    runs
}

/// The file that a run is appended to.
pub(crate) struct Journal {
    file: File,
    /// The runs that it had.
    pub(crate) runs: Vec<Run>,
}

impl Journal {
    /// Opens a file, and makes it if it is missing.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened for writing or contains something other than runs.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.with_context(|| path.display().to_string())?;
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        let runs = if length == 0 { Vec::new() } else { read(path)? };
        Ok(Journal { file, runs })
    }

    /// Appends a run.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(crate) fn append(&mut self, run: &Run) -> anyhow::Result<()> {
        let mut line = serde_json::to_string(run)?;
        line.push('\n');
        // One call: two runs that end together do not mix.
        self.file
            .write_all(line.as_bytes())
            .context("writing the history")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(size: &str, date: &str) -> Run {
        let mut run = Run::for_test(size);
        run.date = date.into();
        run
    }

    #[test]
    fn runs_are_appended_and_found_again() {
        let name = format!("dxil-bench-history-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        for (size, date) in [("small", "1"), ("large", "2"), ("small", "3")] {
            let mut journal = Journal::open(&path).unwrap();
            journal.append(&run(size, date)).unwrap();
        }
        let journal = Journal::open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let all = comparable(&run("small", "4"), journal.runs);
        let dates: Vec<&str> = all.iter().map(|run| run.date.as_str()).collect();
        assert_eq!(dates, ["1", "3"]);
    }
}
