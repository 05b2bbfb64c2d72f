//! A wave that has stopped: what a front end can look at and change.

use dxil_cpu::watch::{LanePlace, Moment};

use crate::breakpoints::Breakpoints;
use crate::expression::{Evaluated, Expression, ExpressionError, Scope, assign, evaluate, parse};
use crate::program::Program;
use crate::reason::Reason;
use crate::registers;
use crate::resources::{self, Resource};
use crate::stack::{StackFrame, stack_of};
use crate::value::Value;
use crate::variables::{self, Globals, Variable};

/// Maximum number of changes that a session remembers.
const MAX_EDITS: usize = 1 << 12;

/// A change of a variable, which is made again when the wave runs again.
#[derive(Debug, Clone)]
pub struct Edit {
    pub(crate) time: u64,
    pub(crate) lane: usize,
    pub(crate) frame: usize,
    pub(crate) target: Expression,
    /// Has the same value each time, since the wave comes through the same moment.
    pub(crate) value: Expression,
}

impl Edit {
    /// Returns a change at a moment of the wave, in a call of a lane.
    ///
    /// # Errors
    ///
    /// What is wrong with one of the expressions.
    pub fn new(
        time: u64,
        (lane, frame): (usize, usize),
        (target, value): (&str, &str),
    ) -> Result<Edit, ExpressionError> {
        Ok(Edit {
            time,
            lane,
            frame,
            target: parse(target)?,
            value: parse(value)?,
        })
    }

    /// Makes the change; returns the new value.
    pub(crate) fn make(&self, scope: Scope<'_, '_>) -> Result<Value, ExpressionError> {
        match evaluate(scope, &self.value)? {
            Evaluated::Value(value) => assign(scope, &self.target, &value),
            Evaluated::Resource(resource) => {
                let name = resource.name();
                Err(ExpressionError(format!("{name} is a resource")))
            }
        }
    }
}

/// A wave that has stopped before an instruction.
pub struct Stopped<'s, 'a> {
    /// The code.
    pub program: &'s Program<'a>,
    /// The state.
    pub moment: &'s Moment<'s>,
    /// Why it has stopped.
    pub reason: Reason,
    /// The chosen lane; the front end may choose another one.
    pub lane: usize,
    /// Instructions that the wave has executed since it began.
    pub time: u64,
    /// Findings that have been shown or passed: [`Resumption::findings`](crate::Resumption).
    pub findings: u64,
    /// Breakpoints.
    pub breakpoints: &'s mut Breakpoints,
    pub(crate) edits: &'s mut Vec<Edit>,
}

/// A lane beside the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneRow {
    /// Its number.
    pub lane: usize,
    /// Its thread in the group.
    pub thread: [u32; 3],
    /// What it is: [`Lanes::name`](crate::Lanes::name).
    pub name: String,
    /// Whether it executes the instruction.
    pub is_active: bool,
    /// The line where it is or waits; none once it has ended.
    pub position: Option<(u32, u32)>,
    /// The value of the expression, or why it has none.
    pub value: Result<String, String>,
}

impl<'s, 'a> Stopped<'s, 'a> {
    /// Returns the calls that a lane is in, the innermost first.
    pub fn stack(&self, lane: usize) -> Vec<StackFrame> {
        stack_of(self.program, self.moment, lane)
    }

    /// Returns the lanes that have threads.
    pub fn lanes(&self) -> Vec<usize> {
        let started = self.moment.started();
        let all = 0..self.moment.lanes();
        all.filter(|lane| started >> lane & 1 != 0).collect()
    }

    /// Returns the name of a lane: its thread among all of the dispatch, its ray, or what its
    /// invocation is of.
    pub fn name(&self, lane: usize) -> String {
        self.program.lanes.name(self.moment, lane)
    }

    /// Returns the local variables of a call.
    pub fn locals(&self, frame: &StackFrame, lane: usize) -> Vec<Variable> {
        variables::locals(self.program, self.moment, frame, lane)
    }

    /// Returns the variables outside of functions.
    pub fn globals(&self, which: Globals, lane: usize) -> Vec<Variable> {
        variables::globals(self.program, self.moment, which, lane)
    }

    /// Returns all resources but samplers and acceleration structures.
    pub fn resources(&self) -> impl Iterator<Item = Resource<'a>> + use<'a> {
        resources::all(self.program)
    }

    /// Returns the values of the module that were computed before the instruction of a call.
    pub fn registers(&self, frame: &StackFrame, lane: usize) -> Vec<(String, Value)> {
        registers::all(self.program, self.moment, frame, lane)
    }

    /// Returns the scope of a call's names in a lane.
    fn scope<'f>(&self, frame: Option<&'f StackFrame>, lane: usize) -> Scope<'f, 'a>
    where
        's: 'f,
    {
        Scope {
            program: self.program,
            moment: self.moment,
            frame,
            lane,
            time: self.time,
        }
    }

    /// Returns what an expression names in a call of a lane; 0 is the innermost call.
    ///
    /// # Errors
    ///
    /// Why it has no value.
    pub fn evaluate(
        &self,
        text: &str,
        frame: usize,
        lane: usize,
    ) -> Result<Evaluated<'a>, ExpressionError> {
        let expression = parse(text)?;
        let stack = self.stack(lane);
        evaluate(self.scope(stack.get(frame), lane), &expression)
    }

    /// Changes what an expression names, to the value of another one; returns the new value. The
    /// change is made again when the wave runs again through this moment.
    ///
    /// # Errors
    ///
    /// Why it cannot be changed.
    pub fn assign(
        &mut self,
        target: &str,
        value: &str,
        frame: usize,
        lane: usize,
    ) -> Result<Value, ExpressionError> {
        let edit = Edit::new(self.time, (lane, frame), (target, value))?;
        let stack = self.stack(lane);
        let new = edit.make(self.scope(stack.get(frame), lane))?;
        if self.edits.len() < MAX_EDITS {
            self.edits.push(edit);
        }
        Ok(new)
    }

    /// Returns the lanes side by side, each with the value of an expression in its innermost call.
    pub fn table(&self, text: &str) -> Vec<LaneRow> {
        let row = |lane: usize| {
            let stack = self.stack(lane);
            let position = stack.first().and_then(|frame| frame.position);
            let value = match self.evaluate(text, 0, lane) {
                Ok(Evaluated::Value(value)) => Ok(value.text(false)),
                Ok(Evaluated::Resource(resource)) => Ok(resource.summary(self.moment)),
                Err(error) => Err(error.to_string()),
            };
            LaneRow {
                lane,
                thread: self.moment.thread(lane),
                name: self.name(lane),
                is_active: self.moment.place_of(lane) == LanePlace::Active,
                position: position.map(|(file, line, _)| (file, line)),
                value,
            }
        };
        self.lanes().into_iter().map(row).collect()
    }

    /// Returns the line of the chosen lane's innermost call.
    pub fn position(&self) -> Option<(u32, u32)> {
        let stack = self.stack(self.lane);
        let (file, line, _) = stack.first()?.position?;
        Some((file, line))
    }
}
