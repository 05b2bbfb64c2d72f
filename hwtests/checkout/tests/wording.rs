//! Words that readers stumble over, and how many lines may still have them. The numbers only fall:
//! a text that needs such a word takes the place of another.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

use std::fmt::Write as _;

use dxil_checkout::{files, root};

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
    let mut texts = Vec::new();
    for extension in ["rs", "md"] {
        for file in files(&root(), extension) {
            // This file names them.
            if !file.ends_with("wording.rs") {
                texts.push(std::fs::read_to_string(&file).unwrap());
            }
        }
    }
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
