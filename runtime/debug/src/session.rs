//! The course of a debugging session: when the wave stops, and how it goes on.

use dxil_cpu::watch::{Moment, Next, Watch, WatchedWave};
use dxil_frontend::dxil::ops::{OpFlags, Opcode};
use dxil_frontend::ir::{FuncId, InstId};

use crate::breakpoints::{Breakpoints, Hit};
use crate::expression::Scope;
use crate::lanes::{Lanes, wave_of_ray, wave_of_thread};
use crate::program::Program;
use crate::reason::Reason;
use crate::stack::{StackFrame, stack_of};
use crate::stopped::{Edit, Stopped};
use crate::target::Target;
use crate::track::{Arrivals, Tracks};
use crate::writer::Search;

/// Instructions between two looks at what the user asks for meanwhile.
const POLL: u64 = 1 << 10;

/// How far a step goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// To the next line, also of a function that is called.
    In,
    /// To the next line of the function, or of the one that called it.
    Over,
    /// To the function that called this one.
    Out,
    /// To the next instruction of the module.
    Instruction,
    /// To the next operation that exchanges values between the lanes of the wave or a quad.
    Wave,
    /// To the next barrier.
    Barrier,
}

impl Step {
    /// Returns whether an operation is one that the step goes to; none where it goes by lines or
    /// instructions.
    fn is_to(self, opcode: Option<Opcode>) -> Option<bool> {
        let has = |flag| opcode.is_some_and(|opcode| opcode.flags().contains(flag));
        match self {
            // The lane's number and the wave's size are no values of other lanes.
            Step::Wave => Some(
                has(OpFlags::WAVE)
                    && !matches!(
                        opcode,
                        Some(Opcode::WaveGetLaneIndex | Opcode::WaveGetLaneCount)
                    ),
            ),
            Step::Barrier => Some(has(OpFlags::BARRIER)),
            Step::In | Step::Over | Step::Out | Step::Instruction => None,
        }
    }
}

/// How a session goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resume {
    /// To the next breakpoint.
    Continue,
    /// A step of the chosen lane.
    Step(Step),
    /// Back to the line before.
    Back,
    /// Back to the instruction before.
    BackInstruction,
    /// Back to the breakpoint before.
    BackContinue,
    /// Back to the instruction that changed what a [`data_id`](crate::data_id) names last.
    BackWrite(String),
    /// To the start of the wave.
    Restart,
    /// To the start of another wave.
    Pick(Target),
    /// To the end of the dispatch, without a stop.
    Finish,
    /// The session ends at once.
    Quit,
}

/// What the user asks for while the wave runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Poll {
    /// Nothing.
    None,
    /// To stop.
    Pause,
    /// To end the session.
    Quit,
}

/// Shows a session to a user or a program, and asks how it goes on.
pub trait Front {
    /// Shows where the wave has stopped; returns how it goes on.
    fn stopped(&mut self, stopped: &mut Stopped<'_, '_>) -> Resume;
    /// Shows a text: the message of a breakpoint.
    fn output(&mut self, text: &str);
    /// Returns what the user asks for meanwhile. Is called every so often while the wave runs.
    fn poll(&mut self, program: &Program<'_>, breakpoints: &mut Breakpoints) -> Poll;
    /// Is told that the dispatch has ended; returns how the session goes on from there. `Continue`
    /// ends it.
    fn ended(&mut self) -> Resume;
}

/// What a search for an earlier moment looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sought {
    /// A line of the lane, no deeper in calls.
    Line {
        lane: usize,
        depth: usize,
    },
    Instruction {
        lane: usize,
    },
    Breakpoint,
    /// The instruction that changes what [`Session::search`] is about.
    Write,
}

/// What the session does.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mode {
    Run,
    Step {
        step: Step,
        lane: usize,
        depth: usize,
    },
    /// Runs up to a moment, by its time.
    Until(u64, Reason),
    /// Looks for the last wanted moment before a time.
    Seek {
        before: u64,
        wanted: Sought,
        best: Option<(u64, Reason, usize)>,
    },
    Finish,
}

/// Where an earlier session has stopped: another one goes on from there, since the wave comes
/// through the same moments. So a front end that cannot wait ends the session at each stop.
#[derive(Debug, Clone, Default)]
pub struct Resumption {
    /// [`Stopped::time`]; none where the wave had ended.
    pub time: Option<u64>,
    /// The chosen lane.
    pub lane: usize,
    /// [`Stopped::findings`].
    pub findings: u64,
    /// The changes that were made on the way.
    pub edits: Vec<Edit>,
}

/// A session.
pub struct Session<'s, 'a> {
    program: &'s Program<'a>,
    front: &'s mut dyn Front,
    /// Breakpoints.
    pub breakpoints: Breakpoints,
    wave: WatchedWave,
    lane: usize,
    /// The invocation of a draw, or the group of a node, that the user wants to see in the place of
    /// this one.
    pub picked: Option<Target>,
    /// Whether only the chosen lane stops at breakpoints.
    follows: bool,
    mode: Mode,
    /// Number of the moment, from 0.
    time: u64,
    tracks: Tracks,
    edits: Vec<Edit>,
    /// Findings that were shown, or that were met before the session stopped.
    findings: u64,
    /// Who wrote a value, while that is looked for.
    search: Option<Search>,
}

impl<'s, 'a> Session<'s, 'a> {
    /// Returns a session of a wave, of which a lane is chosen. It stops at the start of the wave if
    /// `stops_on_entry`; only the chosen lane stops at breakpoints if it `follows` it.
    pub fn new(
        program: &'s Program<'a>,
        front: &'s mut dyn Front,
        breakpoints: Breakpoints,
        (wave, lane): (WatchedWave, usize),
        (stops_on_entry, follows): (bool, bool),
    ) -> Session<'s, 'a> {
        Session {
            program,
            front,
            breakpoints,
            wave,
            lane,
            picked: None,
            follows,
            mode: if stops_on_entry {
                Mode::Until(0, Reason::Entry)
            } else {
                Mode::Run
            },
            time: 0,
            tracks: Tracks::default(),
            edits: Vec::new(),
            findings: 0,
            search: None,
        }
    }

    /// Lets the session begin where an earlier one has stopped, with [`Reason::Resumed`].
    pub fn resume(&mut self, at: Resumption) {
        self.mode = Mode::Until(at.time.unwrap_or(u64::MAX), Reason::Resumed);
        (self.lane, self.findings, self.edits) = (at.lane, at.findings, at.edits);
    }

    /// Begins the wave anew.
    fn again(&mut self, mode: Mode) -> Next {
        self.mode = mode;
        Next::Again
    }

    /// Makes the changes that were made at this moment before.
    fn edit(&self, moment: &Moment<'_>, time: u64) {
        for edit in self.edits.iter().filter(|edit| edit.time == time) {
            let stack = stack_of(self.program, moment, edit.lane);
            let scope = Scope {
                program: self.program,
                moment,
                frame: stack.get(edit.frame),
                lane: edit.lane,
                time,
            };
            // It could be done the first time, and the moment is the same.
            let _ = edit.make(scope);
        }
    }

    /// Returns the breakpoint that stops here, if one does.
    fn at_breakpoint(
        &mut self,
        moment: &Moment<'_>,
        (function, inst): (FuncId, InstId),
        arrivals: &Arrivals,
        (time, logs): (u64, bool),
    ) -> Option<(Reason, usize)> {
        if !self.breakpoints.has_code() {
            return None;
        }
        let only = self.follows.then_some(self.lane);
        // The chosen lane comes first.
        let order = |lanes: &[usize]| -> Vec<usize> {
            let mut lanes: Vec<usize> = lanes.to_vec();
            lanes.retain(|lane| only.is_none_or(|only| only == *lane));
            lanes.sort_by_key(|lane| (*lane != self.lane, *lane));
            lanes
        };
        let (lines, enters) = (order(&arrivals.lines), order(&arrivals.enters));
        let program = self.program;
        // All active lanes matter to breakpoints on instructions alone.
        let active = if self.breakpoints.are_at(program, (function, inst)) {
            let active = moment.active();
            let lanes = (0..moment.lanes()).filter(|lane| active >> lane & 1 != 0);
            order(&lanes.collect::<Vec<_>>())
        } else {
            Vec::new()
        };
        let scope_of = |lane: usize, with: &mut dyn FnMut(Scope<'_, '_>)| {
            let stack = stack_of(program, moment, lane);
            with(Scope {
                program,
                moment,
                frame: stack.first(),
                lane,
                time,
            });
        };
        let site = program.site(function, inst);
        let inst = (function, inst);
        let hits =
            self.breakpoints
                .reached(program, site, inst, (&active, &lines, &enters), &scope_of);
        let mut stop = None;
        for hit in hits {
            match hit {
                Hit::Logs(text) if logs => self.front.output(&text),
                Hit::Logs(_) => {}
                Hit::Stops { id, lane } => {
                    stop = stop.or(Some((Reason::Breakpoint(id), lane)));
                }
            }
        }
        stop
    }

    /// Returns the lane in which the instruction asks for a debugger to stop, if it does so in one
    /// that may.
    fn at_debug_break(
        &self,
        moment: &Moment<'_>,
        (function, inst): (FuncId, InstId),
    ) -> Option<usize> {
        let is_break = self.program.operation(function, inst) == Some(Opcode::DebugBreak);
        if !is_break || self.breakpoints.skips_debug_break {
            return None;
        }
        if moment.active() >> self.lane & 1 != 0 {
            return Some(self.lane);
        }
        (!self.follows).then(|| moment.active().trailing_zeros() as usize)
    }

    /// Returns the scope of names in the chosen lane's innermost call.
    fn scope<'f>(&self, moment: &'f Moment<'f>, stack: &'f [StackFrame], time: u64) -> Scope<'f, 'a>
    where
        's: 'f,
    {
        Scope {
            program: self.program,
            moment,
            frame: stack.first(),
            lane: self.lane,
            time,
        }
    }

    fn at_data(&mut self, moment: &Moment<'_>, time: u64) -> Option<Reason> {
        if self.breakpoints.data().is_empty() {
            return None;
        }
        let stack = stack_of(self.program, moment, self.lane);
        let scope = self.scope(moment, &stack, time);
        let (id, text) = self.breakpoints.changed(scope, &stack)?;
        Some(Reason::Data(id, text))
    }

    /// Returns the finding that the last instruction of the wave made.
    fn at_finding(&mut self, moment: &Moment<'_>) -> Option<Reason> {
        let met = moment.findings_met();
        if met <= self.findings || !self.breakpoints.on_findings {
            return None;
        }
        self.findings = met;
        let finding = moment.last_finding()?;
        let own = |lane: usize| {
            moment.started() >> lane & 1 != 0 && moment.thread(lane) == finding.second.thread
        };
        // Another wave of the group may have run between.
        let lane = (0..moment.lanes()).find(|lane| own(*lane))?;
        (finding.second.group == moment.group()).then(|| {
            self.lane = lane;
            Reason::Finding(finding.to_string())
        })
    }

    /// Returns how the last instruction has changed the value whose writer is looked for.
    fn written(&mut self, moment: &Moment<'_>, time: u64) -> Option<String> {
        let mut search = self.search.take()?;
        let stack = stack_of(self.program, moment, self.lane);
        let how = search.changed(self.scope(moment, &stack, time), &stack);
        self.search = Some(search);
        how
    }

    fn is_step_done(
        &self,
        (arrivals, opcode): (Option<&Arrivals>, Option<Opcode>),
        moment: &Moment<'_>,
    ) -> bool {
        let Mode::Step { step, lane, depth } = self.mode else {
            return false;
        };
        if moment.active() >> lane & 1 == 0 {
            return false;
        }
        if let Some(is_there) = step.is_to(opcode) {
            return is_there;
        }
        let Some(arrivals) = arrivals else {
            return step == Step::Instruction;
        };
        let is_new = arrivals.lines.contains(&lane);
        match step {
            Step::In => is_new,
            Step::Over => is_new && arrivals.depth <= depth,
            Step::Out => arrivals.depth < depth,
            Step::Instruction | Step::Wave | Step::Barrier => true,
        }
    }

    /// Shows the moment, and goes on as the front end says.
    fn stop(&mut self, moment: &Moment<'_>, reason: Reason) -> Next {
        let time = self.time - 1;
        // What was changed later was changed in a course of the wave that is no more.
        self.edits.retain(|edit| edit.time <= time);
        if !matches!(reason, Reason::Finding(_) | Reason::Resumed) {
            self.findings = moment.findings_met();
        }
        let mut stopped = Stopped {
            program: self.program,
            moment,
            reason,
            lane: self.lane,
            time,
            findings: self.findings,
            breakpoints: &mut self.breakpoints,
            edits: &mut self.edits,
        };
        let resume = self.front.stopped(&mut stopped);
        self.lane = stopped.lane;
        let lane = self.lane;
        let depth = || stack_of(self.program, moment, lane).len();
        let seek = |wanted| Mode::Seek {
            before: time,
            wanted,
            best: None,
        };
        match resume {
            Resume::Continue => self.mode = Mode::Run,
            Resume::Finish => self.mode = Mode::Finish,
            Resume::Step(step) => {
                self.mode = Mode::Step {
                    step,
                    lane,
                    depth: depth(),
                };
            }
            Resume::Back => {
                let depth = depth();
                return self.again(seek(Sought::Line { lane, depth }));
            }
            Resume::BackInstruction => return self.again(seek(Sought::Instruction { lane })),
            Resume::BackContinue => return self.again(seek(Sought::Breakpoint)),
            Resume::BackWrite(id) => {
                let stack = stack_of(self.program, moment, lane);
                self.search = Search::new(&id, self.scope(moment, &stack, time), &stack).ok();
                return self.again(seek(Sought::Write));
            }
            Resume::Restart => {
                self.edits.clear();
                return self.again(Mode::Until(0, Reason::Entry));
            }
            Resume::Pick(target) => return self.pick(target, moment.lanes() as u32),
            Resume::Quit => return Next::Stop,
        }
        // The front end may have changed what is watched.
        self.at_data(moment, time);
        Next::Go
    }

    fn pick(&mut self, target: Target, lanes: u32) -> Next {
        let place = match target {
            Target::Thread { group, thread } => {
                Some(wave_of_thread(group, thread.unwrap_or(0), lanes))
            }
            Target::Ray(ray) => match self.program.lanes {
                Lanes::Rays(size) => wave_of_ray(size, ray, lanes),
                Lanes::Threads | Lanes::Node(..) | Lanes::Invocations(..) => None,
            },
            // Its wave is recorded first.
            Target::Invocation(_) | Target::Node { .. } => {
                self.picked = Some(target);
                return Next::Stop;
            }
        };
        let Some((wave, lane)) = place else {
            return Next::Go;
        };
        self.edits.clear();
        (self.wave, self.lane, self.follows) = (wave, lane, true);
        self.again(Mode::Until(0, Reason::Entry))
    }

    /// Looks for the moment to go back to; returns how to go on at the end of the search.
    fn seek(
        &mut self,
        moment: &Moment<'_>,
        (time, arrivals): (u64, Option<&Arrivals>),
        (breakpoint, written): (Option<(Reason, usize)>, Option<String>),
    ) -> Next {
        let Mode::Seek {
            before,
            wanted,
            best,
        } = &mut self.mode
        else {
            return Next::Go;
        };
        if let (Sought::Write, Some(how)) = (*wanted, written)
            && let Some(writer) = time.checked_sub(1)
        {
            *best = Some((writer, Reason::Writes(how), self.lane));
        }
        if time >= *before {
            if *wanted == Sought::Write && best.is_none() {
                let text = self.search.take().map(Search::into_text);
                let reason = Reason::NoWriter(text.unwrap_or_default());
                *best = Some((*before, reason, self.lane));
            }
            let (time, reason, lane) = best.take().unwrap_or((0, Reason::Entry, self.lane));
            self.lane = lane;
            return self.again(Mode::Until(time, reason));
        }
        let is_active = |lane: usize| moment.active() >> lane & 1 != 0;
        match *wanted {
            Sought::Line { lane, depth } => {
                let comes = |arrivals: &&Arrivals| {
                    arrivals.lines.contains(&lane) && arrivals.depth <= depth
                };
                if arrivals.filter(comes).is_some() {
                    *best = Some((time, Reason::Back, lane));
                }
            }
            Sought::Instruction { lane } if is_active(lane) => {
                *best = Some((time, Reason::Back, lane));
            }
            Sought::Instruction { .. } | Sought::Write => {}
            Sought::Breakpoint => {
                if let Some((reason, lane)) = breakpoint {
                    *best = Some((time, reason, lane));
                }
            }
        }
        Next::Go
    }
}

impl Watch for Session<'_, '_> {
    fn wave(&mut self) -> WatchedWave {
        self.time = 0;
        self.tracks.begin();
        self.breakpoints.begin();
        self.wave
    }

    fn before(&mut self, moment: &Moment<'_>) -> Next {
        let time = self.time;
        self.time += 1;
        if self.mode == Mode::Finish {
            return Next::Go;
        }
        self.edit(moment, time);
        let Some(frame) = moment
            .depth()
            .checked_sub(1)
            .and_then(|at| moment.frame(at))
        else {
            return Next::Go;
        };
        let inst = (frame.function, frame.inst);
        if time == 0 && moment.started() >> self.lane & 1 == 0 {
            self.lane = moment.started().trailing_zeros() as usize;
        }
        let site = self.program.site(inst.0, inst.1);
        let arrivals = site.map(|site| self.tracks.follow(self.program, moment, site, inst));
        let is_running = matches!(self.mode, Mode::Run | Mode::Step { .. });
        let nothing = Arrivals::default();
        let here = arrivals.as_ref().unwrap_or(&nothing);
        // Hits are counted in every course of the wave.
        let breakpoint = self.at_breakpoint(moment, inst, here, (time, is_running));
        match &self.mode {
            Mode::Finish => Next::Go,
            Mode::Seek { .. } => {
                // What stops a run stops a search for breakpoints, too.
                let data = self.at_data(moment, time).map(|reason| (reason, self.lane));
                let asked = self.at_debug_break(moment, inst);
                let asked = asked.map(|lane| (Reason::DebugBreak, lane));
                let breakpoint = breakpoint.or(data).or(asked);
                let written = self.written(moment, time);
                self.seek(moment, (time, arrivals.as_ref()), (breakpoint, written))
            }
            Mode::Until(until, reason) => {
                if time < *until {
                    return Next::Go;
                }
                let mut reason = reason.clone();
                self.at_data(moment, time);
                if let (Reason::Writes(how), Some(search)) = (&reason, self.search.take()) {
                    let opcode = self.program.operation(inst.0, inst.1);
                    match search.writer(self.program, moment) {
                        Some(lane) => self.lane = lane,
                        None if Step::Barrier.is_to(opcode) == Some(true) => {
                            reason = Reason::WritesMeanwhile(how.clone());
                        }
                        None => {}
                    }
                }
                self.stop(moment, reason)
            }
            Mode::Run | Mode::Step { .. } => {
                if let Some(reason) = self.at_finding(moment)
                    && let Some(before) = time.checked_sub(1)
                {
                    // The instruction before has made it.
                    return self.again(Mode::Until(before, reason));
                }
                let data = self.at_data(moment, time);
                if let Some((reason, lane)) = breakpoint {
                    self.lane = lane;
                    return self.stop(moment, reason);
                }
                if let Some(reason) = data {
                    return self.stop(moment, reason);
                }
                if let Some(lane) = self.at_debug_break(moment, inst) {
                    self.lane = lane;
                    return self.stop(moment, Reason::DebugBreak);
                }
                let opcode = self.program.operation(inst.0, inst.1);
                if self.is_step_done((arrivals.as_ref(), opcode), moment) {
                    return self.stop(moment, Reason::Step);
                }
                if time.is_multiple_of(POLL) {
                    match self.front.poll(self.program, &mut self.breakpoints) {
                        Poll::None => {}
                        Poll::Pause => return self.stop(moment, Reason::Pause),
                        Poll::Quit => return Next::Stop,
                    }
                }
                Next::Go
            }
        }
    }

    fn ended(&mut self) -> Next {
        let last = self.time.saturating_sub(1);
        // The wave may end before the moment that is looked for: then the last one is it.
        if let Mode::Seek { best, .. } = &mut self.mode
            && let Some((time, reason, lane)) = best.take()
        {
            self.lane = lane;
            return self.again(Mode::Until(time, reason));
        }
        match self.front.ended() {
            Resume::Back | Resume::BackInstruction => self.again(Mode::Until(last, Reason::Back)),
            Resume::BackContinue => self.again(Mode::Seek {
                before: last,
                wanted: Sought::Breakpoint,
                best: None,
            }),
            Resume::Restart => {
                self.edits.clear();
                self.again(Mode::Until(0, Reason::Entry))
            }
            Resume::Continue
            | Resume::Step(_)
            | Resume::Finish
            | Resume::BackWrite(_)
            | Resume::Pick(_) => Next::Go,
            Resume::Quit => Next::Stop,
        }
    }
}
