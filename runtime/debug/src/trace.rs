//! The lines that a lane executes, with the variables that each of them changes.

use std::ops::RangeInclusive;

use serde_json::{Value as Json, json};

use crate::breakpoints::Breakpoints;
use crate::program::Program;
use crate::session::{Front, Poll, Resume, Step};
use crate::stopped::Stopped;

/// Maximum number of lines of a trace.
const MAX_ROWS: usize = 1 << 20;

/// A line that was executed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TraceRow {
    /// Name of the lane: [`Lanes::name`](crate::Lanes::name).
    pub lane: String,
    /// Calls around it.
    pub depth: usize,
    /// The function.
    pub function: String,
    /// The file, and the line from 1; empty and 0 where debug information has no place.
    pub place: (String, u32),
    /// The text of the line, where the source is known.
    pub text: String,
    /// Variables of the function that have other values after it, with these values. The last line
    /// of a function has none: its variables end with it.
    pub changed: Vec<(String, String)>,
}

impl TraceRow {
    /// Returns the row as one line of a table.
    pub fn line(&self) -> String {
        let (file, line) = &self.place;
        let file = file.rsplit(['/', '\\']).next().unwrap_or_default();
        let code = format!("{}{}", "  ".repeat(self.depth), self.text.trim());
        let start = format!("{file}:{line}");
        let changed: Vec<String> = self
            .changed
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let row = format!("{start:<20} {code:<48} {}", changed.join(", "));
        row.trim_end().to_owned()
    }

    /// Returns the row as a JSON object.
    pub fn json(&self) -> Json {
        let changed = self.changed.iter().cloned();
        let changed = changed.map(|(name, value)| (name, Json::String(value)));
        json!({
            "lane": self.lane,
            "depth": self.depth,
            "function": self.function,
            "file": self.place.0,
            "line": self.place.1,
            "text": self.text.trim(),
            "changed": changed.collect::<serde_json::Map<_, _>>(),
        })
    }
}

/// The variables of a call, as they were last.
#[derive(Debug, Default)]
struct Call {
    function: String,
    values: Vec<(String, String)>,
}

/// A line whose changes are not known yet: calls in it go deeper, or it has just begun.
#[derive(Debug)]
struct Open {
    depth: usize,
    function: String,
    line: (u32, u32),
    /// Its row, if it is kept.
    row: Option<usize>,
}

/// A front end that steps from line to line, and keeps what it sees.
#[derive(Debug, Default)]
pub struct Tracer {
    /// Lines that are kept; all where there are none.
    lines: Option<RangeInclusive<u32>>,
    /// The lines, in the order in which they were executed.
    pub rows: Vec<TraceRow>,
    /// Whether there were more lines than a trace keeps.
    pub is_cut: bool,
    stops: u64,
    calls: Vec<Call>,
    /// The lines that are being executed, the outermost first.
    open: Vec<Open>,
}

impl Tracer {
    /// Returns a trace of some lines, or of all.
    pub fn new(lines: Option<RangeInclusive<u32>>) -> Self {
        Tracer {
            lines,
            ..Tracer::default()
        }
    }

    /// Keeps a row if it is to be kept; returns its number.
    fn keep(&mut self, row: TraceRow) -> Option<usize> {
        let lines = self.lines.as_ref();
        if lines.is_some_and(|lines| !lines.contains(&row.place.1)) {
            return None;
        }
        if self.rows.len() >= MAX_ROWS {
            self.is_cut = true;
            return None;
        }
        self.rows.push(row);
        Some(self.rows.len() - 1)
    }

    /// Updates the variables of a call; returns those that changed.
    fn changes(
        &mut self,
        (depth, function): (usize, &str),
        values: Vec<(String, String)>,
    ) -> Vec<(String, String)> {
        self.calls.resize_with(depth + 1, Call::default);
        let Some(call) = self.calls.last_mut() else {
            return Vec::new();
        };
        if call.function != function {
            *call = Call {
                function: function.to_owned(),
                values: Vec::new(),
            };
        }
        let is_new = |value: &&(String, String)| !call.values.contains(value);
        let changed = values.iter().filter(is_new).cloned().collect();
        call.values = values;
        changed
    }

    /// Ends the lines that are no longer executed at a stop; the one of the same call has the
    /// changes.
    fn close(&mut self, (depth, function): (usize, &str), changed: Vec<(String, String)>) {
        let mut changed = Some(changed);
        while let Some(last) = self.open.pop_if(|last| last.depth >= depth) {
            let is_it = last.depth == depth && last.function == function;
            let row = last.row.filter(|_| is_it);
            if let (Some(row), Some(changed)) = (row, changed.take_if(|_| is_it)) {
                self.rows[row].changed = changed;
            }
        }
    }
}

impl Front for Tracer {
    fn stopped(&mut self, stopped: &mut Stopped<'_, '_>) -> Resume {
        let lane = stopped.lane;
        let stack = stopped.stack(lane);
        let Some(frame) = stack.first() else {
            return Resume::Step(Step::In);
        };
        let depth = stack.len() - 1;
        let at = frame
            .position
            .map_or((0, 0), |(file, line, _)| (file, line));
        self.stops += 1;
        // The wave stops before its first instruction, and again where its first line begins.
        let is_again = self.stops == 2 && self.open.last().is_some_and(|last| last.line == at);
        if is_again {
            return Resume::Step(Step::In);
        }
        let locals = stopped.locals(frame, lane).into_iter();
        let known = locals.filter(|variable| variable.value.is_known());
        let values: Vec<(String, String)> = known
            .map(|variable| (variable.name, variable.value.text(false)))
            .collect();
        let changed = self.changes((depth, &frame.name), values);
        self.close((depth, &frame.name), changed);
        let program = stopped.program;
        let (file, line) = at;
        let name = program.files.get(file as usize).filter(|_| line > 0);
        let row = self.keep(TraceRow {
            lane: stopped.name(lane),
            depth,
            function: frame.name.clone(),
            place: (name.map(|file| file.name.clone()).unwrap_or_default(), line),
            text: program.line_text(file, line).unwrap_or_default().to_owned(),
            changed: Vec::new(),
        });
        self.open.push(Open {
            depth,
            function: frame.name.clone(),
            line: at,
            row,
        });
        Resume::Step(Step::In)
    }

    fn output(&mut self, _text: &str) {}

    fn poll(&mut self, _program: &Program<'_>, _breakpoints: &mut Breakpoints) -> Poll {
        Poll::None
    }

    fn ended(&mut self) -> Resume {
        Resume::Continue
    }
}

/// Returns the number of the first row in which two traces differ: another line, or other values. A
/// trace that ends before the other one differs there.
pub fn first_difference(a: &[TraceRow], b: &[TraceRow]) -> Option<usize> {
    let is_same = |a: &TraceRow, b: &TraceRow| {
        (&a.function, a.place.1, a.text.trim(), &a.changed)
            == (&b.function, b.place.1, b.text.trim(), &b.changed)
    };
    let rows = a.iter().zip(b);
    let same = rows.take_while(|(a, b)| is_same(a, b)).count();
    (same < a.len().max(b.len())).then_some(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(line: u32, total: u32) -> TraceRow {
        TraceRow {
            function: "sum".into(),
            place: ("a.hlsl".into(), line),
            text: "    total += 1;".into(),
            changed: vec![("total".into(), total.to_string())],
            ..TraceRow::default()
        }
    }

    #[test]
    fn the_first_difference_is_a_line_a_value_or_the_end() {
        let a = [row(1, 5), row(2, 6), row(3, 7)];
        assert_eq!(first_difference(&a, &a), None);
        assert_eq!(first_difference(&a, &a[..2]), Some(2));
        assert_eq!(first_difference(&a, &[row(1, 5), row(2, 9)]), Some(1));
        assert_eq!(first_difference(&a, &[row(4, 5)]), Some(0));
        assert_eq!(first_difference(&[], &[]), None);
    }

    #[test]
    fn rows_are_one_line_each() {
        let row = row(2, 6);
        assert_eq!(
            row.line(),
            format!("{:<20} {:<48} total = 6", "a.hlsl:2", "total += 1;")
        );
        assert_eq!(row.json()["changed"]["total"], "6");
    }
}
