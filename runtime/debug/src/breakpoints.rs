//! Breakpoints: on lines, functions, instructions and data.

use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::ir::{FuncId, InstId, MdId};
use dxil_frontend::tables::HashMap;

use crate::expression::{Evaluated, Expression, ExpressionError, Scope, evaluate, parse};
use crate::program::{Program, Site};
use crate::stack::StackFrame;
use crate::value::Value;

/// Where a breakpoint is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BreakAt {
    /// A line of a file, by the file's number.
    Line(u32, u32),
    /// The start of a function of that name.
    Function(String),
    /// An instruction.
    Instruction(FuncId, InstId),
    /// Calls of an operation of DXIL.
    Operation(Opcode),
}

/// How often a breakpoint is passed before it stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitCondition {
    /// It stops at this hit alone.
    Equal(u64),
    /// It stops from this hit on.
    AtLeast(u64),
    /// It stops before this hit.
    Less(u64),
    /// It stops at every n-th hit.
    Every(u64),
}

impl HitCondition {
    /// Reads `5`, `==5`, `>5`, `>=5`, `<5`, `<=5` or `%5`.
    ///
    /// # Errors
    ///
    /// For other texts.
    pub fn parse(text: &str) -> Result<HitCondition, ExpressionError> {
        let text = text.trim();
        let signs = [">=", "<=", "==", ">", "<", "=", "%", ""];
        let sign = signs.into_iter().find(|sign| text.starts_with(sign));
        let sign = sign.unwrap_or_default();
        let number = text
            .get(sign.len()..)
            .unwrap_or_default()
            .trim()
            .parse::<u64>();
        let Ok(number) = number else {
            return Err(ExpressionError(format!(
                "{text} is no count: write 5, >=5 or %5"
            )));
        };
        Ok(match sign {
            ">=" => HitCondition::AtLeast(number),
            ">" => HitCondition::AtLeast(number.saturating_add(1)),
            "<=" => HitCondition::Less(number.saturating_add(1)),
            "<" => HitCondition::Less(number),
            "%" => HitCondition::Every(number.max(1)),
            _ => HitCondition::Equal(number),
        })
    }

    fn holds(self, hits: u64) -> bool {
        match self {
            HitCondition::Equal(number) => hits == number,
            HitCondition::AtLeast(number) => hits >= number,
            HitCondition::Less(number) => hits < number,
            HitCondition::Every(number) => hits.is_multiple_of(number),
        }
    }
}

/// A breakpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct Breakpoint {
    /// Its number, from 1.
    pub id: u32,
    /// Where it is.
    pub at: BreakAt,
    /// It stops lanes in which this holds.
    pub condition: Option<Expression>,
    /// The hits at which it stops.
    pub hit: Option<HitCondition>,
    /// It prints this instead of stopping; expressions are in braces.
    pub log: Option<String>,
    /// Times that it was reached, and its condition held.
    pub hits: u64,
}

/// An expression whose changes stop.
#[derive(Debug, Clone)]
pub struct DataBreakpoint {
    /// Its number, from 1.
    pub id: u32,
    /// Its text.
    pub text: String,
    expression: Expression,
    /// The call whose names it has: the name of the function and where it was inlined.
    frame: Option<(String, Option<MdId>)>,
    last: Option<Value>,
}

impl DataBreakpoint {
    /// Returns the breakpoint of a number on what a [`data_id`] names.
    pub(crate) fn new(number: u32, id: &str) -> Result<DataBreakpoint, ExpressionError> {
        let mut parts = id.splitn(3, '\u{1f}');
        let text = parts.next().unwrap_or_default();
        let name = parts.next();
        let inlined_at = parts.next().and_then(|number| number.parse().ok());
        Ok(DataBreakpoint {
            id: number,
            text: text.to_owned(),
            expression: parse(text)?,
            frame: name.map(|name| (name.to_owned(), inlined_at.map(MdId::from_u32))),
            last: None,
        })
    }

    /// Returns the value in the call that the breakpoint is about; none where the lane is not in
    /// it.
    pub(crate) fn value(&self, scope: Scope<'_, '_>, stack: &[StackFrame]) -> Option<Value> {
        let frame = match &self.frame {
            Some((name, inlined_at)) => {
                let is_it =
                    |frame: &&StackFrame| (&frame.name, &frame.inlined_at) == (name, inlined_at);
                Some(stack.iter().find(is_it)?)
            }
            None => stack.first(),
        };
        match evaluate(Scope { frame, ..scope }, &self.expression) {
            Ok(Evaluated::Value(value)) => Some(value),
            Ok(Evaluated::Resource(_)) | Err(_) => None,
        }
    }
}

/// Returns how a value has changed, in words; none where it has not.
pub(crate) fn change(text: &str, old: &Value, new: &Value) -> Option<String> {
    let known = |value: &Value| -> Vec<_> { value.leaves.iter().map(|leaf| leaf.known).collect() };
    (known(old) != known(new))
        .then(|| format!("{text}: {} -> {}", old.text(false), new.text(false)))
}

/// All breakpoints.
#[derive(Debug, Default)]
pub struct Breakpoints {
    all: Vec<Breakpoint>,
    by_place: HashMap<BreakAt, Vec<usize>>,
    data: Vec<DataBreakpoint>,
    next: u32,
    /// Whether findings of the checks stop.
    pub on_findings: bool,
    /// Whether `DebugBreak` does not stop.
    pub skips_debug_break: bool,
}

/// Returns a name for the data that an expression is in a call, which holds in later stops too: the
/// expression, the function and the place where it was inlined.
pub fn data_id(text: &str, frame: Option<&StackFrame>) -> String {
    let Some(frame) = frame else {
        return text.to_owned();
    };
    let inlined_at = frame.inlined_at.map(|id| id.as_u32().to_string());
    let inlined_at = inlined_at.unwrap_or_default();
    format!("{text}\u{1f}{}\u{1f}{inlined_at}", frame.name)
}

/// Calls a function with the scope of a lane.
pub(crate) type ScopeOf<'f> = &'f dyn Fn(usize, &mut dyn FnMut(Scope<'_, '_>));

/// What happens at a breakpoint.
pub(crate) enum Hit {
    Stops { id: u32, lane: usize },
    Logs(String),
}

impl Breakpoints {
    /// Adds a breakpoint; returns its number.
    pub fn add(
        &mut self,
        at: BreakAt,
        condition: Option<Expression>,
        hit: Option<HitCondition>,
        log: Option<String>,
    ) -> u32 {
        self.next += 1;
        self.all.push(Breakpoint {
            id: self.next,
            at,
            condition,
            hit,
            log,
            hits: 0,
        });
        self.index();
        self.next
    }

    /// Watches an expression in a call; returns the number.
    ///
    /// # Errors
    ///
    /// What is wrong with the expression.
    pub fn watch(
        &mut self,
        text: &str,
        frame: Option<&StackFrame>,
    ) -> Result<u32, ExpressionError> {
        self.watch_data(&data_id(text, frame))
    }

    /// Watches what a [`data_id`] names; returns the number.
    ///
    /// # Errors
    ///
    /// What is wrong with the expression.
    pub fn watch_data(&mut self, id: &str) -> Result<u32, ExpressionError> {
        let data = DataBreakpoint::new(self.next + 1, id)?;
        self.next += 1;
        self.data.push(data);
        Ok(self.next)
    }

    /// Returns all breakpoints on code.
    pub fn iter(&self) -> impl Iterator<Item = &Breakpoint> {
        self.all.iter()
    }

    /// Returns all breakpoints on data.
    pub fn data(&self) -> &[DataBreakpoint] {
        &self.data
    }

    /// Keeps the breakpoints on code that `keep` wants.
    pub fn retain(&mut self, keep: impl FnMut(&Breakpoint) -> bool) {
        self.all.retain(keep);
        self.index();
    }

    /// Removes a breakpoint of any kind; returns whether there was one.
    pub fn remove(&mut self, id: u32) -> bool {
        let before = self.all.len() + self.data.len();
        self.all.retain(|breakpoint| breakpoint.id != id);
        self.data.retain(|data| data.id != id);
        self.index();
        self.all.len() + self.data.len() < before
    }

    /// Removes all breakpoints on data.
    pub fn clear_data(&mut self) {
        self.data.clear();
    }

    fn index(&mut self) {
        self.by_place.clear();
        for (number, breakpoint) in self.all.iter().enumerate() {
            let places = self.by_place.entry(breakpoint.at.clone()).or_default();
            places.push(number);
        }
    }

    /// Forgets hits and values, as the wave begins anew.
    pub(crate) fn begin(&mut self) {
        for breakpoint in &mut self.all {
            breakpoint.hits = 0;
        }
        for data in &mut self.data {
            data.last = None;
        }
    }

    /// Returns whether there is a breakpoint on code.
    pub(crate) fn has_code(&self) -> bool {
        !self.all.is_empty()
    }

    /// Returns whether there are breakpoints on an instruction, or on the operation that it calls.
    pub(crate) fn are_at(&self, program: &Program<'_>, (function, inst): (FuncId, InstId)) -> bool {
        let has = |at: &BreakAt| self.by_place.contains_key(at);
        let operation = program.operation(function, inst);
        has(&BreakAt::Instruction(function, inst))
            || operation.is_some_and(|opcode| has(&BreakAt::Operation(opcode)))
    }

    /// Returns what the breakpoints at a place do. `active` lanes execute it, `lines` of them come
    /// to its line, and `enters` of them begin a function.
    pub(crate) fn reached(
        &mut self,
        program: &Program<'_>,
        site: Option<&Site>,
        inst: (FuncId, InstId),
        (active, lines, enters): (&[usize], &[usize], &[usize]),
        scope_of: ScopeOf<'_>,
    ) -> Vec<Hit> {
        let mut found: Vec<(usize, &[usize])> = Vec::new();
        let mut look = |at: BreakAt, lanes| {
            let numbers = self.by_place.get(&at);
            let numbers = numbers.into_iter().flatten();
            found.extend(numbers.map(|number| (*number, lanes)));
        };
        if let Some(site) = site.filter(|_| !lines.is_empty()) {
            look(BreakAt::Line(site.file, site.line), lines);
        }
        look(BreakAt::Instruction(inst.0, inst.1), active);
        if let Some(opcode) = program.operation(inst.0, inst.1) {
            look(BreakAt::Operation(opcode), active);
        }
        if let Some(site) = site.filter(|_| !enters.is_empty()) {
            let function = program.debug.zip(site.scope);
            let function = function.and_then(|(debug, scope)| debug.function_of(scope));
            let name = match function {
                Some((_, function)) => function.name,
                None => program.function_name(inst.0),
            };
            look(BreakAt::Function(name.to_owned()), enters);
        }
        let mut hits = Vec::new();
        for (number, lanes) in found {
            let Some(breakpoint) = self.all.get_mut(number) else {
                continue;
            };
            let chosen = lanes.iter().copied().find(|&lane| {
                let Some(condition) = &breakpoint.condition else {
                    return true;
                };
                let mut holds = false;
                scope_of(lane, &mut |scope| holds = is_true(scope, condition));
                holds
            });
            let Some(lane) = chosen else {
                continue;
            };
            breakpoint.hits += 1;
            if breakpoint
                .hit
                .is_some_and(|hit| !hit.holds(breakpoint.hits))
            {
                continue;
            }
            match &breakpoint.log {
                Some(log) => {
                    scope_of(lane, &mut |scope| hits.push(Hit::Logs(message(scope, log))));
                }
                None => hits.push(Hit::Stops {
                    id: breakpoint.id,
                    lane,
                }),
            }
        }
        hits
    }

    /// Returns the data that has changed, with the text of the old and of the new value.
    pub(crate) fn changed(
        &mut self,
        scope: Scope<'_, '_>,
        stack: &[StackFrame],
    ) -> Option<(u32, String)> {
        let mut found = None;
        for data in &mut self.data {
            let Some(value) = data.value(scope, stack) else {
                continue;
            };
            let how = data
                .last
                .as_ref()
                .and_then(|last| change(&data.text, last, &value));
            if found.is_none() {
                found = how.map(|how| (data.id, how));
            }
            data.last = Some(value);
        }
        found
    }
}

/// Returns whether a condition holds; one without a value does not.
fn is_true(scope: Scope<'_, '_>, condition: &Expression) -> bool {
    match evaluate(scope, condition) {
        Ok(Evaluated::Value(value)) => value.number(0).is_ok_and(|number| number.is_true()),
        Ok(Evaluated::Resource(_)) | Err(_) => false,
    }
}

/// Returns a message with the values of the expressions in its braces.
fn message(scope: Scope<'_, '_>, text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        out.push_str(before);
        let Some((expression, after)) = behind.split_once('}') else {
            out.push('{');
            rest = behind;
            continue;
        };
        let value = parse(expression).and_then(|parsed| evaluate(scope, &parsed));
        match value {
            Ok(Evaluated::Value(value)) => out.push_str(&value.text(false)),
            Ok(Evaluated::Resource(resource)) => out.push_str(&resource.name()),
            Err(error) => out.push_str(&format!("<{error}>")),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_conditions_hold_as_they_say() {
        for (text, wanted) in [
            ("3", "3"),
            ("== 3", "3"),
            (">3", "456"),
            (">=3", "3456"),
            ("<3", "12"),
            ("<= 3", "123"),
            ("%3", "36"),
        ] {
            let condition = HitCondition::parse(text).unwrap();
            let holds = (1..=6).filter(|hits| condition.holds(*hits));
            assert_eq!(
                holds.map(|n| n.to_string()).collect::<String>(),
                wanted,
                "{text}"
            );
        }
        assert!(HitCondition::parse("x").is_err());
    }
}
