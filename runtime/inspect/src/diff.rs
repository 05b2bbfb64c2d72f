//! `--diff`: the differences of two shaders, instruction by instruction.
//!
//! Compilers number values in order, so one more instruction changes every number after it. Lines
//! are therefore aligned without their numbers. Aligned lines map values of the first shader to
//! values of the second. An aligned line whose operands contradict this map counts as a difference.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use dxil_frontend::escape::escaped;
use dxil_frontend::tables::HashMap;
use serde_json::Value;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::document::{Document, Section};
use crate::text;

const HEADING: Style = AnsiColor::Cyan.on_default().bold();
const REMOVED: Style = AnsiColor::Red.on_default();
const ADDED: Style = AnsiColor::Green.on_default();

/// Number of equal lines around a difference.
const CONTEXT: usize = 3;

/// Time limit of one alignment, since the search is quadratic in the number of differences. After
/// it, a coarser alignment is taken.
const DEADLINE: Duration = Duration::from_secs(5);

/// Sections that change with every compilation or repeat others.
const LEFT_OUT: [&str; 11] = [
    "container",
    "bitcode",
    "program",
    "debug_program",
    "reflection_program",
    "hash",
    "compiler",
    "debug_name",
    "runtime_data",
    "sources",
    "pdb",
];

/// A line of a listing.
struct Line {
    /// Its text.
    text: String,
    /// The text without the numbers of values and blocks.
    key: String,
    /// The numbers, in order: `%12`, `b3`.
    ids: Vec<String>,
}

impl Line {
    /// Returns a line of code. Its numbers denote values and blocks.
    fn code(text: String) -> Self {
        let (key, ids) = without_ids(&text);
        Line { text, key, ids }
    }

    fn plain(text: &str) -> Self {
        Line {
            text: text.to_owned(),
            key: text.to_owned(),
            ids: Vec::new(),
        }
    }
}

/// The change of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Same,
    Removed,
    Added,
}

/// The differences as text, and the number of different lines.
pub struct Difference {
    /// Hunks with their headings, with ANSI styles.
    pub text: String,
    /// Number of lines that only one of the shaders has.
    pub lines: usize,
}

/// Returns the differences between two shaders.
pub fn between(a: &Document, b: &Document) -> Difference {
    let mut out = Difference {
        text: String::new(),
        lines: 0,
    };
    let _ = writeln!(out.text, "{REMOVED}--- {}{REMOVED:#}", escaped(&a.file));
    let _ = writeln!(out.text, "{ADDED}+++ {}{ADDED:#}", escaped(&b.file));
    for (name, [a, b]) in units(a, b) {
        out.add(&name, &a, &b);
    }
    out
}

impl Difference {
    fn add(&mut self, name: &str, a: &[Line], b: &[Line]) {
        let changes = aligned(a, b);
        let is_changed = |(change, _): &(Change, &Line)| *change != Change::Same;
        let count = changes.iter().filter(|change| is_changed(change)).count();
        if count == 0 {
            return;
        }
        self.lines += count;
        let mut last = None;
        for (index, (change, line)) in changes.iter().enumerate() {
            let near = changes
                .iter()
                .take(index + CONTEXT + 1)
                .skip(index.saturating_sub(CONTEXT))
                .any(is_changed);
            if !near {
                continue;
            }
            // Between two hunks, and in front of the first line.
            if last != index.checked_sub(1) || last.is_none() {
                let _ = writeln!(self.text, "{HEADING}@@ {} @@{HEADING:#}", escaped(name));
            }
            last = Some(index);
            let text = escaped(&line.text);
            let _ = match change {
                Change::Same => writeln!(self.text, "  {text}"),
                Change::Removed => writeln!(self.text, "{REMOVED}- {text}{REMOVED:#}"),
                Change::Added => writeln!(self.text, "{ADDED}+ {text}{ADDED:#}"),
            };
        }
    }
}

/// Returns named lists of lines of both shaders: the sections, and the functions by name.
fn units(a: &Document, b: &Document) -> Vec<(String, [Vec<Line>; 2])> {
    let mut units: Vec<(String, [Vec<Line>; 2])> = Vec::new();
    for (side, document) in [a, b].into_iter().enumerate() {
        let sections = document.sections.iter();
        let sections = sections.filter(|section| !LEFT_OUT.contains(&section.key));
        for (name, lines) in sections.flat_map(lines_of) {
            match units.iter_mut().find(|(other, _)| *other == name) {
                Some((_, sides)) => sides[side].extend(lines),
                None => {
                    let mut sides = [Vec::new(), Vec::new()];
                    sides[side] = lines;
                    units.push((name, sides));
                }
            }
        }
    }
    units
}

fn lines_of(section: &Section) -> Vec<(String, Vec<Line>)> {
    if section.key != "code" {
        let text = text::section(section);
        // Equal lines must not differ in styles.
        let text = anstream::adapter::strip_str(&text).to_string();
        let lines = text.lines().map(Line::plain).collect();
        return vec![(text::title(section.key), lines)];
    }
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let functions = list(&section.value["functions"]);
    let functions = functions.iter().map(|function| {
        let parameters: Vec<String> = list(&function["parameters"]).iter().map(word).collect();
        let name = word(&function["name"]);
        let mut lines = vec![Line::code(format!(
            "function {} ({})",
            word(&function["result"]),
            parameters.join(", ")
        ))];
        for block in list(&function["blocks"]) {
            lines.push(Line::code(format!("{}:", word(&block["name"]))));
            let instructions = list(&block["instructions"]);
            let texts = instructions.iter().map(|inst| word(&inst["text"]));
            lines.extend(texts.map(Line::code));
        }
        (format!("@{name}"), lines)
    });
    functions.collect()
}

/// Returns the lines of both listings in one order, with their changes.
fn aligned<'a>(a: &'a [Line], b: &'a [Line]) -> Vec<(Change, &'a Line)> {
    let keys = |lines: &'a [Line]| -> Vec<&'a str> {
        lines.iter().map(|line| line.key.as_str()).collect()
    };
    // `wasm32-unknown-unknown` has no clock: its host ends work that takes too long.
    let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
    let now = has_clock.then(Instant::now);
    let deadline = now.and_then(|now| now.checked_add(DEADLINE));
    let ops = capture_diff_slices_deadline(Algorithm::Myers, &keys(a), &keys(b), deadline);
    let mut pairs: Vec<[Option<&Line>; 2]> = Vec::new();
    for op in &ops {
        let (old, new) = (op.old_range(), op.new_range());
        let old = a.get(old).unwrap_or_default();
        let new = b.get(new).unwrap_or_default();
        if let DiffOp::Equal { .. } = op {
            let both = old.iter().zip(new);
            pairs.extend(both.map(|(old, new)| [Some(old), Some(new)]));
        } else {
            pairs.extend(old.iter().map(|line| [Some(line), None]));
            pairs.extend(new.iter().map(|line| [None, Some(line)]));
        }
    }
    let names = Correspondence::of(&pairs);
    let mut changes = Vec::with_capacity(pairs.len());
    for pair in pairs {
        match pair {
            [Some(old), Some(new)] if names.hold(old, new) => changes.push((Change::Same, old)),
            [old, new] => {
                changes.extend(old.map(|line| (Change::Removed, line)));
                changes.extend(new.map(|line| (Change::Added, line)));
            }
        }
    }
    changes
}

/// The map from values and blocks of one function to those of the other.
struct Correspondence<'a> {
    forward: HashMap<&'a str, &'a str>,
    backward: HashMap<&'a str, &'a str>,
}

impl<'a> Correspondence<'a> {
    /// Collects the definitions in aligned lines: results of instructions, labels of blocks, and
    /// parameters.
    fn of(pairs: &[[Option<&'a Line>; 2]]) -> Self {
        let mut names = Correspondence {
            forward: HashMap::default(),
            backward: HashMap::default(),
        };
        for pair in pairs {
            let [Some(old), Some(new)] = pair else {
                continue;
            };
            // The line of a function defines its parameters. In other lines only the first number
            // is a definition; the rest are uses.
            let count = if old.key.starts_with("function ") {
                old.ids.len()
            } else {
                usize::from(old.key.starts_with("% = ") || old.key == "b:")
            };
            for (old, new) in old.ids.iter().zip(&new.ids).take(count) {
                names.forward.insert(old, new);
                names.backward.insert(new, old);
            }
        }
        names
    }

    /// Returns whether the operands of two aligned lines agree with the map. A value whose own line
    /// differs is shown there, and not again where it is used.
    fn hold(&self, old: &Line, new: &Line) -> bool {
        let holds = |old: &String, new: &String| {
            let to = self.forward.get(old.as_str());
            let from = self.backward.get(new.as_str());
            // In both directions, so that the map is one-to-one.
            to.is_none_or(|to| to == new) && from.is_none_or(|from| from == old)
        };
        let mut ids = old.ids.iter().zip(&new.ids);
        ids.all(|(old, new)| holds(old, new))
    }
}

/// Returns a line without the numbers of values (`%12`) and blocks (`b3`), and the numbers.
fn without_ids(text: &str) -> (String, Vec<String>) {
    let mut key = String::with_capacity(text.len());
    let mut ids = Vec::new();
    let mut rest = text;
    let mut is_inside_word = false;
    let mut is_quoted = false;
    while let Some(first) = rest.chars().next() {
        let digits = |from: usize| {
            let after = rest.get(from..).unwrap_or_default();
            after.bytes().take_while(u8::is_ascii_digit).count()
        };
        let count = digits(1);
        let end = 1 + count;
        let follows = rest.get(end..).and_then(|rest| rest.chars().next());
        let ends = follows.is_none_or(|c| !is_word(c));
        // Quoted text is skipped: names in the file may look like values.
        if !is_quoted && !is_inside_word && matches!(first, '%' | 'b') && count > 0 && ends {
            key.push(first);
            ids.push(rest.get(..end).unwrap_or_default().to_owned());
            rest = rest.get(end..).unwrap_or_default();
            is_inside_word = true;
            continue;
        }
        is_quoted ^= first == '"';
        is_inside_word = is_word(first);
        key.push(first);
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
    }
    (key, ids)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '@')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[&str]) -> Vec<Line> {
        texts
            .iter()
            .map(|text| Line::code((*text).to_owned()))
            .collect()
    }

    fn changes(a: &[&str], b: &[&str]) -> Vec<String> {
        let (a, b) = (lines(a), lines(b));
        let changes = aligned(&a, &b);
        let changed = changes.iter().filter(|(change, _)| *change != Change::Same);
        changed
            .map(|(change, line)| format!("{change:?} {}", line.text))
            .collect()
    }

    #[test]
    fn numbers_of_values_and_blocks_are_left_out_of_keys() {
        let (key, ids) = without_ids("br %12, b3, b14");
        assert_eq!(
            (key.as_str(), ids),
            ("br %, b, b", vec!["%12".into(), "b3".into(), "b14".into()])
        );
        let (key, ids) = without_ids("%1 = Op(b = %2 \"b3 %4\", x = b2b, ty %struct.S)");
        assert_eq!(key, "% = Op(b = % \"b3 %4\", x = b2b, ty %struct.S)");
        assert_eq!(ids, ["%1", "%2"]);
    }

    #[test]
    fn an_instruction_more_changes_no_line_behind_it() {
        let a = ["%1 = load x", "%2 = fmul %1, 2.0", "store %2"];
        let b = [
            "%1 = load x",
            "%2 = load y",
            "%3 = fmul %1, 2.0",
            "store %3",
        ];
        assert_eq!(changes(&a, &b), ["Added %2 = load y"]);
    }

    #[test]
    fn another_operand_is_a_difference_although_the_line_reads_the_same() {
        let a = ["%1 = load x", "%2 = load y", "%3 = fsub %1, %2"];
        let b = ["%1 = load x", "%2 = load y", "%3 = fsub %2, %1"];
        assert_eq!(
            changes(&a, &b),
            ["Removed %3 = fsub %1, %2", "Added %3 = fsub %2, %1"]
        );
    }
}
