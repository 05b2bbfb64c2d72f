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
    let found = texts_of(&["rs", "md"]);
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

/// Maximum length of a line of a comment, in characters; that of rustfmt's code.
const MAX_COLUMNS: usize = 100;

#[test]
fn comments_have_lines_that_can_be_read() {
    let mut problems = String::new();
    for file in texts_of(&["rs"]) {
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            let comment = line.trim_start();
            // Tables, commands and pictures are as wide as they are.
            let words = comment.trim_start_matches(['/', '!']).trim_start();
            let is_drawn = words.starts_with(['|', '$']) || words.contains("   ");
            let is_usage = words.starts_with("dxil-");
            let is_long = line.chars().count() > MAX_COLUMNS;
            if comment.starts_with("//") && is_long && !is_drawn && !is_usage {
                let file = file.strip_prefix(root()).unwrap().display();
                let _ = writeln!(problems, "{file}:{}: {line}", number + 1);
            }
        }
    }
    assert!(
        problems.is_empty(),
        "over {MAX_COLUMNS} characters:\n{problems}"
    );
}

/// Names of files that say nothing of what is in them.
const EMPTY_NAMES: [&str; 14] = [
    "common", "helpers", "kept", "leave", "misc", "noticed", "notes", "other", "pages", "pinned",
    "spread", "stuff", "whole", "written",
];

#[test]
fn names_of_files_say_what_is_in_them() {
    let files = texts_of(&["rs"]);
    let stem = |file: &PathBuf| file.file_stem().unwrap().to_str().unwrap().to_owned();
    let empty: Vec<&PathBuf> = files
        .iter()
        .filter(|file| EMPTY_NAMES.contains(&stem(file).as_str()))
        .collect();
    assert!(empty.is_empty(), "{empty:?}");
}

/// Returns the files with these extensions that are ours, but this one, which names what others may
/// not have.
fn texts_of(extensions: &[&str]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for extension in extensions {
        let folders = FOLDERS.iter().map(|folder| root().join(folder));
        found.extend(folders.flat_map(|folder| files(&folder, extension)));
    }
    let beside = std::fs::read_dir(root()).unwrap();
    let beside = beside.map(|entry| entry.unwrap().path());
    let is_wanted = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|found| extensions.contains(&found))
    };
    found.extend(beside.filter(is_wanted));
    // What builds leave is not ours.
    let is_made = |path: &Path| {
        path.iter()
            .any(|part| MADE.iter().any(|made| part == *made))
    };
    found.retain(|file| !is_made(file.strip_prefix(root()).unwrap()));
    found.retain(|file| !file.ends_with("wording.rs"));
    found
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
