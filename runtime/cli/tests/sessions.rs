//! Recorded sessions of the debugger: each file of `tests/sessions` has a command line, what was
//! typed, and what the debugger said, and says at its top why that is right.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "for tests, which stop at the first surprise"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use dxil_checkout::root;

/// Number of sessions that the debugger is to have at least.
const SESSIONS: usize = 20;

fn sessions() -> Vec<PathBuf> {
    let folder = root().join("runtime/cli/tests/sessions");
    let files = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// Repeats a session; returns what is different.
fn repeat(file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).unwrap();
    let (why, rest) = text.split_once("\n$ dxil-run ").unwrap();
    assert!(why.lines().all(|line| line.starts_with("# ")), "{why}");
    let (line, recorded) = rest.split_once('\n').unwrap();
    let typed = recorded
        .lines()
        .filter_map(|line| line.strip_prefix("(dxil) "));
    let typed = typed.collect::<Vec<_>>().join("; ");
    let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .args(line.split_whitespace())
        .args(["--debug-commands", &typed])
        .current_dir(root())
        .env("VK_DRIVER_FILES", "/nonexistent")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    // Times are those of the machine.
    let is_time = |line: &str| {
        line.starts_with("translated in ") || line.starts_with("translation from the cache in ")
    };
    let same = |line: &&str| !is_time(line);
    let (said, recorded): (Vec<_>, Vec<_>) = (
        said.lines().filter(same).collect(),
        recorded.lines().filter(same).collect(),
    );
    for (number, (said, recorded)) in said.iter().zip(&recorded).enumerate() {
        if said != recorded {
            return Err(format!(
                "line {number} after the command: {recorded:?}, now {said:?}"
            ));
        }
    }
    if said.len() != recorded.len() {
        let (now, then) = (said.len(), recorded.len());
        return Err(format!("{then} lines, now {now}: {stderr}"));
    }
    // Nothing but what the shader lacks is warned of.
    let mut warnings = stderr.lines().filter(|line| !line.is_empty());
    match warnings.find(|line| !line.contains("the shader has no debug information")) {
        Some(other) => Err(other.to_owned()),
        None => Ok(()),
    }
}

#[test]
fn recorded_sessions_are_repeated() {
    let all = sessions();
    assert!(all.len() >= SESSIONS, "{}", all.len());
    let problems = all.iter().filter_map(|file| {
        let name = file.file_stem().unwrap().display();
        repeat(file)
            .err()
            .map(|problem| format!("{name}: {problem}"))
    });
    let problems: Vec<String> = problems.collect();
    assert!(problems.is_empty(), "{problems:#?}");
}
