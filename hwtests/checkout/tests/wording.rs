//! Words that readers stumble over, and how many lines may still have them. The numbers only fall:
//! a text that needs such a word takes the place of another.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use dxil_checkout::{files, root};

/// Folders with code and documents.
const FOLDERS: [&str; 8] = [
    "bench",
    "docs",
    "frontend",
    "fuzz",
    "hwtests",
    "runtime",
    "tools",
    "translate",
];

/// Names of folders that commands make.
const MADE: [&str; 2] = ["target", "node_modules"];

/// A phrase, the number of lines that may have it, and what to write in its place.
const PHRASES: [(&str, usize, &str); 5] = [
    ("behind", 190, "`after` or `past`, unless something hides"),
    ("of its own", 100, "`own`, or nothing"),
    ("of no kind", 0, "what is wrong with it"),
    ("ought to", 0, "`must`, `should` or the fact"),
    ("in the stead of", 0, "`instead of`"),
];

#[test]
fn phrases_that_readers_stumble_over_become_fewer() {
    let mut found: Vec<PathBuf> = Vec::new();
    for extension in ["rs", "md"] {
        let folders = FOLDERS.iter().map(|folder| root().join(folder));
        found.extend(folders.flat_map(|folder| files(&folder, extension)));
    }
    let beside = std::fs::read_dir(root()).unwrap();
    let beside = beside.map(|entry| entry.unwrap().path());
    found.extend(beside.filter(|path| path.extension().is_some_and(|found| found == "md")));
    // What builds leave is not ours, and this file names the phrases.
    let is_made = |path: &Path| {
        path.iter()
            .any(|part| MADE.iter().any(|made| part == *made))
    };
    found.retain(|file| !is_made(file.strip_prefix(root()).unwrap()));
    found.retain(|file| !file.ends_with("wording.rs"));
    let read = |file: &PathBuf| std::fs::read_to_string(file).unwrap();
    let texts: Vec<String> = found.iter().map(read).collect();
    let mut problems = String::new();
    for (phrase, most, better) in PHRASES {
        let lines = texts.iter().flat_map(|text| text.lines());
        let found = lines.filter(|line| has(line, phrase)).count();
        if found > most {
            let _ = writeln!(
                problems,
                "'{phrase}' is in {found} lines, {most} are allowed; write {better}"
            );
        }
    }
    assert!(problems.is_empty(), "{problems}");
}

/// Returns whether a line has the phrase as words.
fn has(line: &str, phrase: &str) -> bool {
    let line = line.to_lowercase();
    line.match_indices(phrase).any(|(at, _)| {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let before = line[..at].chars().next_back();
        let after = line[at + phrase.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}
