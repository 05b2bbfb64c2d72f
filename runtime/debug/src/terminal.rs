//! The front end for a terminal: a prompt with commands.

use std::io::{BufRead, Write};

use dxil_frontend::escape::message;

use crate::breakpoints::{BreakAt, Breakpoints, data_id};
use crate::expression::{Evaluated, parse};
use crate::lanes::{Lanes, wave_of_ray};
use crate::program::Program;
use crate::session::{Front, Poll, Resume, Step};
use crate::stack::StackFrame;
use crate::stopped::Stopped;
use crate::target::Target;
use crate::value::Value;
use crate::variables::Globals;

/// The commands.
pub const HELP: &str = "\
break [FILE:]LINE [if CONDITION]  stop at a line; break FUNCTION at a function,
                                  break #N at an instruction of `disassemble`,
                                  break op NAME at calls of an operation of DXIL
watch EXPRESSION                  stop where a value changes
delete N                          remove a breakpoint; breakpoints lists them
continue, next, step, out         go on: to a breakpoint, the next line, into or out of functions
stepi, finish                     one instruction; to the end of the dispatch without a stop
wave, barrier                     to the next operation between lanes, to the next barrier
back, backi, rcontinue            back: to the line before, an instruction, to a breakpoint
who EXPRESSION                    back to the instruction and the lane that wrote the value
restart                           back to the start of the wave
print EXPRESSION                  in HLSL's syntax: scene.box.low.x, In[3].position, limit + 1;
                                  also %12 (a register), $lane, $thread, $group
set EXPRESSION = EXPRESSION       change a variable
locals, globals, registers        variables of the function, outside of functions, and values of the
                                  module
lanes [EXPRESSION]                all lanes of the wave side by side
lane N, group X,Y,Z [lane N]      choose another lane, or a lane of another group
pixel X,Y[,PRIMITIVE], vertex N   another invocation of the stage, also control-point, patch,
                                  domain-point, primitive, mesh and amplification; ray X,Y;
                                  node NAME,GROUP[:THREAD] of a work graph
where, frame N                    the calls; choose one of them
list [LINE], disassemble          the source and the code around
quit                              end
An empty line repeats the last command; the first letters of a command are enough.
";

/// All commands, in the order in which the first letters choose.
const COMMANDS: [&str; 40] = [
    "break",
    "continue",
    "next",
    "step",
    "print",
    "list",
    "quit",
    "where",
    "help",
    "out",
    "delete",
    "registers",
    "back",
    "backi",
    "breakpoints",
    "disassemble",
    "finish",
    "frame",
    "globals",
    "group",
    "lanes",
    "lane",
    "locals",
    "rcontinue",
    "restart",
    "set",
    "stepi",
    "ray",
    "vertex",
    "control-point",
    "patch",
    "domain-point",
    "primitive",
    "pixel",
    "mesh",
    "amplification",
    "node",
    "wave",
    "barrier",
    "who",
];

/// What is shown where a command is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// A prompt, after which the user types.
    Prompt,
    /// A prompt and the command, which comes from elsewhere.
    Commands,
    /// Nothing.
    Nothing,
}

/// A terminal, or a script of commands.
pub struct Terminal<I, O> {
    input: I,
    output: O,
    shows: Shows,
    last: String,
    /// The chosen call; 0 is the innermost.
    frame: usize,
    shown: Option<(u32, u32)>,
    /// What ends with the wave.
    whole: &'static str,
}

impl<I: BufRead, O: Write> Terminal<I, O> {
    /// Returns a terminal that reads commands from `input`.
    pub fn new(input: I, output: O, shows: Shows) -> Self {
        Terminal {
            input,
            output,
            shows,
            last: String::new(),
            frame: 0,
            shown: None,
            whole: "dispatch",
        }
    }

    fn say(&mut self, text: &str) {
        // Nobody is left to be told where the terminal is gone.
        let _ = writeln!(self.output, "{}", message(text));
    }

    /// Returns the next command; none at the end of the input.
    fn command(&mut self) -> Option<String> {
        if self.shows == Shows::Prompt {
            let _ = write!(self.output, "(dxil) ");
        }
        let _ = self.output.flush();
        let mut line = String::new();
        match self.input.read_line(&mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => {
                let line = line.trim();
                if !line.is_empty() {
                    line.clone_into(&mut self.last);
                }
                if self.shows == Shows::Commands {
                    let text = format!("(dxil) {}", self.last);
                    self.say(&text);
                }
                Some(self.last.clone())
            }
        }
    }

    fn show_stop(&mut self, stopped: &Stopped<'_, '_>) {
        if let Some(why) = stopped.reason.words() {
            self.say(&why);
        }
        self.show_place(stopped);
    }

    fn show_place(&mut self, stopped: &Stopped<'_, '_>) {
        let stack = stopped.stack(stopped.lane);
        let lane = stopped.lane;
        let Some(frame) = stack.get(self.frame) else {
            self.say(&format!("lane {lane} has ended"));
            return;
        };
        let place = place(stopped.program, frame);
        let name = stopped.name(lane);
        let active = stopped.moment.active().count_ones();
        let started = stopped.moment.started().count_ones();
        let waits = if stopped.moment.active() >> lane & 1 == 0 {
            ", waits"
        } else {
            ""
        };
        self.say(&format!(
            "{place} in {}, {name} (lane {lane}{waits}; {active} of {started} lanes)",
            frame.name
        ));
        if let Some((file, line, _)) = frame.position {
            self.shown = Some((file, line));
            if let Some(text) = stopped.program.line_text(file, line) {
                self.say(&format!("{line:>5}  {}", text.trim_end()));
            }
        }
    }

    fn variables(&mut self, variables: impl IntoIterator<Item = (String, Value)>, what: &str) {
        let mut any = false;
        for (name, value) in variables {
            any = true;
            self.say(&format!("{} {name} = {}", value.ty.name, value.text(false)));
        }
        if !any {
            self.say(&format!("no {what} here"));
        }
    }

    fn list(&mut self, stopped: &Stopped<'_, '_>, argument: &str) {
        let Some((file, line)) = self.shown else {
            self.say("no place");
            return;
        };
        let line = argument.parse().unwrap_or(line);
        let first = line.saturating_sub(5).max(1);
        for number in first..first + 11 {
            let Some(text) = stopped.program.line_text(file, number) else {
                if number == first {
                    self.say("the source is not in the shader: compile it with -Qembed_debug");
                }
                return;
            };
            let mark = if self.shown == Some((file, number)) {
                "->"
            } else {
                "  "
            };
            self.say(&format!("{mark}{number:>4}  {text}"));
        }
        // The next list goes on from here.
        self.shown = self.shown.map(|(file, _)| (file, first + 11 + 5));
    }

    fn disassemble(&mut self, stopped: &Stopped<'_, '_>) {
        let stack = stopped.stack(stopped.lane);
        let program = stopped.program;
        let at = stack.get(self.frame).map(|frame| frame.inst);
        let line = at.and_then(|(function, inst)| program.listing_line(function, inst));
        let Some(line) = line else {
            self.say("no place");
            return;
        };
        let first = line.saturating_sub(6).max(1);
        for number in first..first + 13 {
            if let Some(text) = program.line_text(program.listing_file(), number) {
                let mark = if number == line { "->" } else { "  " };
                self.say(&format!("{mark}{text}"));
            }
        }
    }

    fn break_at(
        &mut self,
        stopped: &mut Stopped<'_, '_>,
        argument: &str,
    ) -> Result<String, String> {
        let (place, condition) = match argument.split_once(" if ") {
            Some((place, condition)) => (place.trim(), Some(condition)),
            None => (argument.trim(), None),
        };
        let condition = condition
            .map(parse)
            .transpose()
            .map_err(|e| e.to_string())?;
        let program = stopped.program;
        let shown = self.shown.map_or(0, |(file, _)| file);
        let at = break_place(program, place, shown)?;
        let text = match &at {
            BreakAt::Line(file, line) => {
                let name = program
                    .files
                    .get(*file as usize)
                    .map(|file| file.name.as_str());
                format!("{}:{line}", name.unwrap_or_default())
            }
            BreakAt::Function(name) => name.clone(),
            BreakAt::Instruction(_, inst) => format!("#{}", inst.as_u32()),
            BreakAt::Operation(opcode) => format!("op {}", opcode.name()),
        };
        let id = stopped.breakpoints.add(at, condition, None, None);
        Ok(format!("breakpoint {id} at {text}"))
    }

    /// Does what a command says; returns how the session goes on, if it does.
    fn perform(&mut self, stopped: &mut Stopped<'_, '_>, line: &str) -> Option<Resume> {
        let (word, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let argument = argument.trim();
        let word = match word {
            "c" | "cont" => "continue",
            "bt" => "where",
            "si" => "stepi",
            "rc" => "rcontinue",
            "watch" => "watch",
            word => {
                let mut known = COMMANDS.iter().filter(|name| name.starts_with(word));
                let exact = COMMANDS.iter().find(|name| **name == word);
                exact.or_else(|| known.next()).copied().unwrap_or("")
            }
        };
        let said: Result<(), String> = match word {
            "continue" => return Some(Resume::Continue),
            "next" => return Some(Resume::Step(Step::Over)),
            "step" => return Some(Resume::Step(Step::In)),
            "out" => return Some(Resume::Step(Step::Out)),
            "stepi" => return Some(Resume::Step(Step::Instruction)),
            "wave" => return Some(Resume::Step(Step::Wave)),
            "barrier" => return Some(Resume::Step(Step::Barrier)),
            "who" => match writer_of(stopped, (argument, self.frame)) {
                Ok(resume) => return Some(resume),
                Err(error) => Err(error),
            },
            "finish" => return Some(Resume::Finish),
            "back" => return Some(Resume::Back),
            "backi" => return Some(Resume::BackInstruction),
            "rcontinue" => return Some(Resume::BackContinue),
            "restart" => return Some(Resume::Restart),
            "quit" => return Some(Resume::Quit),
            "group" | "ray" | "vertex" | "control-point" | "patch" | "domain-point"
            | "primitive" | "pixel" | "mesh" | "amplification" | "node" => {
                match picked(stopped, &format!("{word} {argument}")) {
                    Ok(target) => return Some(Resume::Pick(target)),
                    Err(error) => Err(error),
                }
            }
            "break" => self.break_at(stopped, argument).map(|text| self.say(&text)),
            _ => self.look(stopped, (word, line), argument),
        };
        if let Err(error) = said {
            self.say(&error);
        }
        None
    }

    /// Does what a command says that only looks at the wave, or changes a variable.
    fn look(
        &mut self,
        stopped: &mut Stopped<'_, '_>,
        (word, line): (&str, &str),
        argument: &str,
    ) -> Result<(), String> {
        let lane = stopped.lane;
        let stack = stopped.stack(lane);
        let frame = stack.get(self.frame);
        match word {
            "watch" => {
                let id = stopped.breakpoints.watch(argument, frame);
                let id = id.map_err(|error| error.to_string())?;
                self.say(&format!("watch {id}: {argument}"));
            }
            "delete" => {
                let id = argument.parse().map_err(|_| "which breakpoint?")?;
                if !stopped.breakpoints.remove(id) {
                    return Err(format!("there is no breakpoint {id}"));
                }
            }
            "breakpoints" => self.list_breakpoints(stopped),
            "print" => {
                let value = stopped.evaluate(argument, self.frame, lane);
                match value.map_err(|error| error.to_string())? {
                    Evaluated::Value(value) => self.say(&value.text(false)),
                    Evaluated::Resource(resource) => {
                        self.say(&resource.summary(stopped.moment));
                    }
                }
            }
            "set" => {
                let (target, value) = argument.split_once('=').ok_or("set NAME = VALUE")?;
                let value = stopped.assign(target, value, self.frame, lane);
                let value = value.map_err(|error| error.to_string())?;
                self.say(&value.text(false));
            }
            "locals" => {
                let locals = frame.map(|frame| stopped.locals(frame, lane));
                let locals = locals.unwrap_or_default().into_iter();
                self.variables(locals.map(|v| (v.name, v.value)), "variables");
            }
            "globals" => {
                let mut all = stopped.globals(Globals::Static, lane);
                all.extend(stopped.globals(Globals::Shared, lane));
                let all = all.into_iter().map(|v| (v.name, v.value));
                self.variables(all, "variables outside of functions");
                for resource in crate::resources::all(stopped.program) {
                    let summary = resource.summary(stopped.moment);
                    self.say(&format!("{} {summary}", resource.name()));
                }
            }
            "registers" => {
                let registers = frame.map(|frame| stopped.registers(frame, lane));
                self.variables(registers.unwrap_or_default(), "values");
            }
            "lanes" => self.show_lanes(stopped, argument),
            "lane" => {
                let wanted = argument
                    .parse()
                    .ok()
                    .filter(|n| stopped.lanes().contains(n));
                stopped.lane = wanted.ok_or("there is no such lane")?;
                self.frame = 0;
                self.show_place(stopped);
            }
            "where" => {
                for (number, frame) in stack.iter().enumerate() {
                    let mark = if number == self.frame { "*" } else { " " };
                    let place = place(stopped.program, frame);
                    let inlined = if frame.is_inlined { ", inlined" } else { "" };
                    self.say(&format!(
                        "{mark}{number}  {} at {place}{inlined}",
                        frame.name
                    ));
                }
            }
            "frame" => {
                let number = argument.parse().ok().filter(|n| *n < stack.len());
                self.frame = number.ok_or("there is no such call")?;
                self.show_place(stopped);
            }
            "list" => self.list(stopped, argument),
            "disassemble" => self.disassemble(stopped),
            "help" => {
                let _ = write!(self.output, "{HELP}");
            }
            _ => return Err(format!("{line}: help lists the commands")),
        }
        Ok(())
    }

    fn list_breakpoints(&mut self, stopped: &Stopped<'_, '_>) {
        let program = stopped.program;
        let code = stopped.breakpoints.iter().map(|breakpoint| {
            let at = match &breakpoint.at {
                BreakAt::Line(file, line) => {
                    let file = program.files.get(*file as usize);
                    format!("{}:{line}", file.map_or("", |file| &file.name))
                }
                BreakAt::Function(name) => name.clone(),
                BreakAt::Instruction(_, inst) => format!("#{}", inst.as_u32()),
                BreakAt::Operation(opcode) => format!("op {}", opcode.name()),
            };
            format!("{} at {at}, {} hits", breakpoint.id, breakpoint.hits)
        });
        let data = stopped.breakpoints.data().iter();
        let data = data.map(|data| format!("{} watch {}", data.id, data.text));
        let lines: Vec<String> = code.chain(data).collect();
        if lines.is_empty() {
            self.say("no breakpoints");
        }
        for line in lines {
            self.say(&line);
        }
    }

    fn show_lanes(&mut self, stopped: &Stopped<'_, '_>, argument: &str) {
        let expression = if argument.is_empty() {
            "$thread"
        } else {
            argument
        };
        for row in stopped.table(expression) {
            let mark = if row.lane == stopped.lane { "*" } else { " " };
            let at = match (row.is_active, row.position) {
                (true, _) => "active".to_owned(),
                (false, Some((_, line))) => format!("waits at {line}"),
                (false, None) => "ended".to_owned(),
            };
            let value = row.value.unwrap_or_else(|error| format!("<{error}>"));
            self.say(&format!("{mark}{:>3}  {at:<14} {value}", row.lane));
        }
    }
}

/// Returns a file and a line.
fn place(program: &Program<'_>, frame: &StackFrame) -> String {
    match frame.position {
        Some((file, line, _)) => {
            let file = program.files.get(file as usize);
            format!("{}:{line}", file.map_or("", |file| &file.name))
        }
        None => "an unknown line".to_owned(),
    }
}

/// Returns the place of a breakpoint that names a function, or an operation (`op NAME`, with DXIL's
/// or HLSL's name).
///
/// # Errors
///
/// For names that the code does not have.
pub(crate) fn function_place(program: &Program<'_>, text: &str) -> Result<BreakAt, String> {
    if let Some(name) = text.strip_prefix("op ") {
        return match program.operations_named(name.trim()).as_slice() {
            [] => Err(format!("the code calls no operation {name}")),
            [one] => Ok(BreakAt::Operation(*one)),
            several => {
                let names: Vec<&str> = several.iter().map(|opcode| opcode.name()).collect();
                Err(format!("there are several: {}", names.join(" ")))
            }
        };
    }
    if program.has_function(text) {
        return Ok(BreakAt::Function(text.to_owned()));
    }
    Err(format!(
        "no code of the shader comes from a function {text}"
    ))
}

/// Returns where a breakpoint is, as a command line gives it; lines without a file are of `shown`.
///
/// # Errors
///
/// For places without code.
pub fn break_place(program: &Program<'_>, text: &str, shown: u32) -> Result<BreakAt, String> {
    if let Some(number) = text.strip_prefix('#') {
        let number: u32 = number
            .parse()
            .map_err(|_| format!("{text} is no instruction"))?;
        let found = program.instruction(number);
        let (function, inst) = found.ok_or_else(|| format!("there is no instruction {text}"))?;
        return Ok(BreakAt::Instruction(function, inst));
    }
    let (file, line) = match text.rsplit_once(':') {
        Some((file, line)) => (Some(file), line),
        None => (None, text),
    };
    let Ok(line) = line.parse::<u32>() else {
        return function_place(program, text);
    };
    let file = match file {
        Some(name) => program
            .file_named(name)
            .ok_or_else(|| format!("there is no file {name}"))?,
        None => shown,
    };
    let found = program.line_with_code(file, line);
    let line = found.ok_or_else(|| format!("there is no code at line {line} or behind it"))?;
    Ok(BreakAt::Line(file, line))
}

/// Returns how the session goes back to the instruction that wrote what an expression names in a
/// call of the chosen lane.
///
/// # Errors
///
/// Why the expression has no value that something could have written.
pub(crate) fn writer_of(
    stopped: &Stopped<'_, '_>,
    (text, frame): (&str, usize),
) -> Result<Resume, String> {
    match stopped.evaluate(text, frame, stopped.lane) {
        Ok(Evaluated::Value(_)) => {
            let stack = stopped.stack(stopped.lane);
            Ok(Resume::BackWrite(data_id(text, stack.get(frame))))
        }
        Ok(Evaluated::Resource(_)) => Err("choose an element of the resource".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Reads what the user wants to see in the place of this wave: `group X,Y,Z [lane N]`, `ray X,Y`,
/// or an invocation of the stage that is debugged.
///
/// # Errors
///
/// For texts that name nothing, and for what this run does not have.
pub(crate) fn picked(stopped: &Stopped<'_, '_>, text: &str) -> Result<Target, String> {
    let text = match text.strip_prefix("group ") {
        Some(group) => group.replacen(" lane ", ":", 1).replace(' ', ""),
        None => text.to_owned(),
    };
    let target = text.parse()?;
    match (&stopped.program.lanes, target) {
        (Lanes::Threads, target @ Target::Thread { group, thread }) => {
            let has_group = stopped.program.groups.is_none_or(|groups| {
                let mut sides = group.iter().zip(groups);
                sides.all(|(at, count)| *at < count)
            });
            let threads: u32 = stopped.moment.kernel().num_threads().iter().product();
            let [x, y, z] = group;
            match thread {
                _ if !has_group => Err(format!("the dispatch has no group {x},{y},{z}")),
                Some(thread) if thread >= threads => Err(format!("a group has no thread {thread}")),
                _ => Ok(target),
            }
        }
        (Lanes::Node(..), target @ Target::Node { .. }) => Ok(target),
        (Lanes::Node(name, _), Target::Thread { group, thread }) => Ok(Target::Node {
            name: name.clone(),
            group: group[0],
            thread: thread.unwrap_or(0),
        }),
        (Lanes::Rays(size), Target::Ray(ray)) => {
            match wave_of_ray(*size, ray, stopped.moment.lanes() as u32) {
                Some(_) => Ok(Target::Ray(ray)),
                None => Err(format!("the dispatch has no ray {ray:?}")),
            }
        }
        (_, Target::Invocation(wanted))
            if stopped.moment.kernel().stage() == Some(wanted.stage()) =>
        {
            Ok(Target::Invocation(wanted))
        }
        (_, Target::Invocation(_)) => Err("this is another stage: debug it by itself".to_owned()),
        _ => Err("this run has no such thing".to_owned()),
    }
}

impl<I: BufRead, O: Write> Front for Terminal<I, O> {
    fn stopped(&mut self, stopped: &mut Stopped<'_, '_>) -> Resume {
        self.frame = 0;
        self.whole = stopped.program.lanes.whole();
        self.show_stop(stopped);
        loop {
            let Some(line) = self.command() else {
                return Resume::Finish;
            };
            if line.is_empty() {
                continue;
            }
            if let Some(resume) = self.perform(stopped, &line) {
                return resume;
            }
        }
    }

    fn output(&mut self, text: &str) {
        self.say(text);
    }

    fn poll(&mut self, _program: &Program<'_>, _breakpoints: &mut Breakpoints) -> Poll {
        Poll::None
    }

    fn ended(&mut self) -> Resume {
        self.say(&format!("the {} has ended", self.whole));
        loop {
            let Some(line) = self.command() else {
                return Resume::Continue;
            };
            match line.as_str() {
                "" => {}
                "back" => return Resume::Back,
                "backi" => return Resume::BackInstruction,
                "rcontinue" | "rc" => return Resume::BackContinue,
                "restart" => return Resume::Restart,
                "quit" | "q" | "finish" | "continue" | "c" => return Resume::Continue,
                _ => self.say(&format!(
                    "the {} has ended: back, rcontinue, restart or quit",
                    self.whole
                )),
            }
        }
    }
}
