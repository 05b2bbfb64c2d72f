//! The lines that a lane executes, with the variables that each of them changes.

use std::ops::RangeInclusive;

use dxil_frontend::ir::MdId;
use serde_json::{Value as Json, json};

use crate::breakpoints::Breakpoints;
use crate::program::Program;
use crate::session::{Front, Poll, Resume, Step};
use crate::stack::StackFrame;
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
    /// Variables of the function that have other values after it, with these values; at the first
    /// line of a function its parameters, too. The last line has none: the variables end with it.
    pub changed: Vec<Named>,
    /// All variables in scope that have a value after it.
    pub values: Vec<Named>,
}

/// A name and a value.
pub type Named = (String, String);

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
        let object = |all: &[Named]| {
            let all = all.iter().cloned();
            let all = all.map(|(name, value)| (name, Json::String(value)));
            Json::Object(all.collect())
        };
        json!({
            "lane": self.lane,
            "depth": self.depth,
            "function": self.function,
            "file": self.place.0,
            "line": self.place.1,
            "text": self.text.trim(),
            "changed": object(&self.changed),
            "values": object(&self.values),
        })
    }
}

/// A line whose changes are not known yet: calls in it go deeper, or it has just begun.
#[derive(Debug)]
struct Open {
    depth: usize,
    function: String,
    line: (u32, u32),
    /// The scope of its names, and their values before it.
    scope: Option<MdId>,
    values: Vec<Named>,
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

    /// Ends the lines that are no longer executed at a stop in a call. The one of the same call
    /// gets its values: `values_in` returns those of the variables in a scope.
    fn close(
        &mut self,
        (depth, function): (usize, &str),
        values_in: impl FnOnce(Option<MdId>) -> Vec<Named>,
    ) {
        while let Some(last) = self.open.pop_if(|last| last.depth >= depth) {
            if last.depth != depth || last.function != function {
                continue;
            }
            // The next line may be in another scope: the variables of a block end with it.
            let values = values_in(last.scope);
            if let Some(row) = last.row.and_then(|row| self.rows.get_mut(row)) {
                let is_new = |value: &&Named| !last.values.contains(value);
                row.changed.extend(values.iter().filter(is_new).cloned());
                row.values = values;
            }
            return;
        }
    }
}

/// Returns the variables of a call that have a value; of some only the parameters.
fn values_in(stopped: &Stopped<'_, '_>, frame: &StackFrame, parameters: bool) -> Vec<Named> {
    let locals = stopped.locals(frame, stopped.lane).into_iter();
    let known = locals
        .filter(|variable| variable.value.is_known() && (variable.parameter > 0 || !parameters));
    known
        .map(|variable| (variable.name, variable.value.text(false)))
        .collect()
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
        let is_begun = |open: &Open| open.depth == depth && open.function == frame.name;
        let enters = !self.open.iter().any(is_begun);
        self.close((depth, &frame.name), |scope| {
            let frame = StackFrame {
                scope,
                ..frame.clone()
            };
            values_in(stopped, &frame, false)
        });
        let program = stopped.program;
        let (file, line) = at;
        let name = program.files.get(file as usize).filter(|_| line > 0);
        let row = self.keep(TraceRow {
            lane: stopped.name(lane),
            depth,
            function: frame.name.clone(),
            place: (name.map(|file| file.name.clone()).unwrap_or_default(), line),
            text: program.line_text(file, line).unwrap_or_default().to_owned(),
            // A call begins with its parameters.
            changed: if enters {
                values_in(stopped, frame, true)
            } else {
                Vec::new()
            },
            values: Vec::new(),
        });
        self.open.push(Open {
            depth,
            function: frame.name.clone(),
            line: at,
            scope: frame.scope,
            values: values_in(stopped, frame, false),
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
