//! The course of a connection: what the client asks for before, while and after the wave runs.

use std::io::{BufReader, Read, Write};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use serde_json::{Value, json};

use super::inspect::{Inspector, frame_of};
use super::points;
use super::wire::{Request, Writer, read};
use crate::breakpoints::Breakpoints;
use crate::program::Program;
use crate::reason::Reason;
use crate::session::{Front, Poll, Resume, Step};
use crate::stopped::Stopped;
use crate::target::Target;
use crate::terminal::{picked, writer_of};

/// What the client launches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Launch {
    /// The command line, as `dxil-run` takes it.
    pub args: Vec<String>,
    /// The folder that file names count from.
    pub folder: Option<String>,
    /// Whether the wave stops before its first instruction.
    pub stops_on_entry: bool,
    /// What to debug, where the launch says it: its `target`, or `group` and `thread`.
    pub target: Option<Target>,
    /// Whether the shader runs without stops.
    pub is_plain_run: bool,
}

/// A connection with a client.
pub struct Adapter {
    requests: Receiver<Value>,
    writer: Writer,
    inspector: Inspector,
    launch: Option<Request>,
    /// Threads as they were at the last stop.
    threads: Vec<Value>,
    is_over: bool,
}

impl Adapter {
    /// Returns a connection. A thread of its own reads requests, so that the client can interrupt
    /// the shader.
    pub fn new(input: impl Read + Send + 'static, output: impl Write + 'static) -> Self {
        let (sender, requests) = channel();
        std::thread::spawn(move || {
            let mut input = BufReader::new(input);
            // A broken stream ends the session as its end does.
            while let Ok(Some(message)) = read(&mut input) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Adapter {
            requests,
            writer: Writer::new(Box::new(output)),
            inspector: Inspector::default(),
            launch: None,
            threads: Vec::new(),
            is_over: false,
        }
    }

    /// Returns the next request; none once the client is gone.
    fn next(&mut self) -> Option<Request> {
        loop {
            match self.requests.recv() {
                Ok(message) => {
                    if let Some(request) = Request::of(&message) {
                        return Some(request);
                    }
                }
                Err(_) => {
                    self.is_over = true;
                    return None;
                }
            }
        }
    }

    /// Waits for what the client launches; none if it leaves before.
    pub fn wait_for_launch(&mut self) -> Option<Launch> {
        loop {
            let request = self.next()?;
            match request.command.as_str() {
                "initialize" => {
                    self.inspector.initialize(&request);
                    self.writer.respond(&request, Ok(capabilities()));
                }
                "launch" => match launch_of(&request) {
                    Ok(launch) => {
                        self.launch = Some(request);
                        return Some(launch);
                    }
                    Err(error) => self.writer.respond(&request, Err(error)),
                },
                "attach" => {
                    let error = "there is nothing to attach to: launch a shader";
                    self.writer.respond(&request, Err(error.into()));
                }
                "disconnect" | "terminate" => {
                    self.writer.respond(&request, Ok(json!({})));
                    self.is_over = true;
                    return None;
                }
                _ => self
                    .writer
                    .respond(&request, Err("launch a shader first".into())),
            }
        }
    }

    /// Tells the client that its launch has failed; returns whether it still waits for that.
    pub fn refuses(&mut self, error: &str) -> bool {
        let request = self.launch.take();
        if let Some(request) = &request {
            self.writer.respond(request, Err(error.to_owned()));
        }
        request.is_some()
    }

    /// Takes breakpoints until the client is done with them; none if it leaves before.
    pub fn configure(&mut self, program: &Program<'_>) -> Option<Breakpoints> {
        if let Some(request) = self.launch.take() {
            self.writer.respond(&request, Ok(json!({})));
        }
        self.inspector.begin(program);
        self.threads = vec![json!({ "id": 1, "name": "lane 0" })];
        self.writer.event("initialized", json!({}));
        let mut breakpoints = Breakpoints::default();
        loop {
            let request = self.next()?;
            match request.command.as_str() {
                "configurationDone" => {
                    self.writer.respond(&request, Ok(json!({})));
                    return Some(breakpoints);
                }
                "disconnect" | "terminate" => {
                    self.writer.respond(&request, Ok(json!({})));
                    self.is_over = true;
                    return None;
                }
                _ => {
                    let done = self.without_stop(&request, program, &mut breakpoints);
                    let done = done.unwrap_or_else(|| Err("the shader does not run yet".into()));
                    self.writer.respond(&request, done);
                }
            }
        }
    }

    /// Answers requests that need no stopped wave; none for others.
    fn without_stop(
        &mut self,
        request: &Request,
        program: &Program<'_>,
        breakpoints: &mut Breakpoints,
    ) -> Option<Result<Value, String>> {
        let inspector = &mut self.inspector;
        Some(match request.command.as_str() {
            "setBreakpoints" => points::on_lines(request, program, breakpoints, inspector),
            "setFunctionBreakpoints" => points::on_functions(request, program, breakpoints),
            "setInstructionBreakpoints" => points::on_instructions(request, program, breakpoints),
            "setExceptionBreakpoints" => Ok(points::on_exceptions(request, breakpoints)),
            "setDataBreakpoints" => points::on_data(request, breakpoints),
            "breakpointLocations" => points::locations(request, program, inspector),
            "threads" => Ok(json!({ "threads": self.threads })),
            "source" => inspector.source(request, program),
            "loadedSources" => Ok(inspector.sources(program)),
            "disassemble" => inspector.disassemble(request, program),
            _ => return None,
        })
    }

    /// Answers a request while the wave is stopped; returns how the session goes on, if it does.
    fn while_stopped(
        &mut self,
        request: &Request,
        stopped: &mut Stopped<'_, '_>,
    ) -> Option<Resume> {
        if let Some(resume) = resume_of(request) {
            choose_lane(request, stopped);
            let body = match request.command.as_str() {
                "continue" | "reverseContinue" => json!({ "allThreadsContinued": true }),
                _ => json!({}),
            };
            self.writer.respond(request, Ok(body));
            return Some(resume);
        }
        match asked_in_words(request, stopped) {
            Some(Ok(resume)) => {
                let body = json!({ "result": "", "variablesReference": 0 });
                self.writer.respond(request, Ok(body));
                return Some(resume);
            }
            Some(Err(error)) => {
                self.writer.respond(request, Err(error));
                return None;
            }
            None => {}
        }
        let done = self.without_stop(request, stopped.program, stopped.breakpoints);
        let done = done.or_else(|| self.inspector.answer(request, stopped));
        let done = done.unwrap_or_else(|| Err(format!("{} is not supported", request.command)));
        self.writer.respond(request, done);
        None
    }

    fn output_of(&mut self, category: &str, text: &str) {
        let text = format!("{}\n", text.trim_end());
        self.writer
            .event("output", json!({ "category": category, "output": text }));
    }

    /// Tells the client that the session is over, shows it the results, and waits until it leaves.
    pub fn finish(&mut self, result: Result<&str, &str>) {
        match result {
            Ok("") => {}
            Ok(text) => self.output_of("stdout", text),
            Err(error) => self.output_of("stderr", error),
        }
        if self.is_over {
            return;
        }
        let code = i32::from(result.is_err());
        self.writer.event("exited", json!({ "exitCode": code }));
        self.writer.event("terminated", json!({}));
        while let Some(request) = self.next() {
            let is_last = matches!(request.command.as_str(), "disconnect" | "terminate");
            let done = match request.command.as_str() {
                "threads" => Ok(json!({ "threads": [] })),
                _ if is_last => Ok(json!({})),
                _ => Err("the shader has ended".to_owned()),
            };
            self.writer.respond(&request, done);
            if request.command == "disconnect" {
                return;
            }
        }
    }
}

impl Front for Adapter {
    fn stopped(&mut self, stopped: &mut Stopped<'_, '_>) -> Resume {
        self.inspector.stop();
        self.threads = threads_of(stopped);
        let (reason, text) = match &stopped.reason {
            Reason::Entry => ("entry", None),
            Reason::Step | Reason::Back | Reason::Resumed => ("step", None),
            Reason::Breakpoint(_) => ("breakpoint", None),
            Reason::Data(_, text) => ("data breakpoint", Some(text.clone())),
            Reason::Finding(text) => ("exception", Some(text.clone())),
            Reason::DebugBreak => ("exception", Some("DebugBreak".to_owned())),
            Reason::Writes(_) | Reason::WritesMeanwhile(_) | Reason::NoWriter(_) => {
                ("step", stopped.reason.words())
            }
            Reason::Pause => ("pause", None),
        };
        let mut body = json!({
            "reason": reason,
            "threadId": stopped.lane + 1,
            "allThreadsStopped": true,
        });
        if let Some(text) = text {
            body["text"] = json!(text);
            body["description"] = json!(text);
        }
        if let Reason::Breakpoint(id) | Reason::Data(id, _) = &stopped.reason {
            body["hitBreakpointIds"] = json!([id]);
        }
        self.writer.event("stopped", body);
        loop {
            let Some(request) = self.next() else {
                return Resume::Quit;
            };
            if let Some(resume) = self.while_stopped(&request, stopped) {
                if resume == Resume::Quit {
                    self.is_over = request.command == "disconnect";
                }
                return resume;
            }
        }
    }

    fn output(&mut self, text: &str) {
        self.output_of("console", text);
    }

    fn poll(&mut self, program: &Program<'_>, breakpoints: &mut Breakpoints) -> Poll {
        loop {
            let message = match self.requests.try_recv() {
                Ok(message) => message,
                Err(TryRecvError::Empty) => return Poll::None,
                Err(TryRecvError::Disconnected) => {
                    self.is_over = true;
                    return Poll::Quit;
                }
            };
            let Some(request) = Request::of(&message) else {
                continue;
            };
            match request.command.as_str() {
                "pause" => {
                    self.writer.respond(&request, Ok(json!({})));
                    return Poll::Pause;
                }
                "disconnect" | "terminate" => {
                    self.writer.respond(&request, Ok(json!({})));
                    self.is_over = request.command == "disconnect";
                    return Poll::Quit;
                }
                _ => {
                    let done = self.without_stop(&request, program, breakpoints);
                    let done = done.unwrap_or_else(|| Err("the shader runs".into()));
                    self.writer.respond(&request, done);
                }
            }
        }
    }

    fn ended(&mut self) -> Resume {
        Resume::Continue
    }
}

/// What the adapter can do ("Capabilities").
fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsDataBreakpoints": true,
        "supportsInstructionBreakpoints": true,
        "supportsSteppingGranularity": true,
        "supportsStepBack": true,
        "supportsSetVariable": true,
        "supportsSetExpression": true,
        "supportsEvaluateForHovers": true,
        "supportsDisassembleRequest": true,
        "supportsLoadedSourcesRequest": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsRestartRequest": true,
        "supportsTerminateRequest": true,
        "supportsExceptionInfoRequest": true,
        "supportsValueFormattingOptions": true,
        "exceptionBreakpointFilters": [{
            "filter": "findings",
            "label": "Findings of the checks",
            "description": "Stops at defects that \"check\" looks for: accesses out of bounds, data races, values that nothing wrote, NaN",
            "default": true,
        }, {
            "filter": "debugBreak",
            "label": "DebugBreak",
            "description": "Stops where the shader calls DebugBreak (shader model 6.10)",
            "default": true,
        }],
    })
}

/// Returns the launch of a request: `args` as `dxil-run` takes them, or `program` with them.
fn launch_of(request: &Request) -> Result<Launch, String> {
    let mut args = Vec::new();
    if let Some(program) = request.text("program") {
        args.push(program.to_owned());
    }
    for value in request.list("args") {
        match value.as_str() {
            Some(text) => args.push(text.to_owned()),
            None => return Err(format!("args: {value} is no text")),
        }
    }
    if args.is_empty() {
        return Err("the launch has no program, like \"program\": \"cs.dxil\"".into());
    }
    if request.arguments["check"] == json!(true) {
        args.push("--check".to_owned());
    }
    let target = match request.text("target") {
        Some(text) => Some(text.parse().map_err(|error| format!("target: {error}"))?),
        None => thread_of(request),
    };
    Ok(Launch {
        args,
        folder: request.text("cwd").map(str::to_owned),
        stops_on_entry: request.arguments["stopOnEntry"] == json!(true),
        target,
        is_plain_run: request.arguments["noDebug"] == json!(true),
    })
}

/// Returns the thread that a launch names by `group` and `thread`.
fn thread_of(request: &Request) -> Option<Target> {
    let number = |value: &Value| value.as_u64().and_then(|n| u32::try_from(n).ok());
    let mut group = [0; 3];
    let given = request.list("group");
    for (at, value) in group.iter_mut().zip(given) {
        *at = number(value).unwrap_or(0);
    }
    let thread = request.number("thread");
    let thread = thread.and_then(|n| u32::try_from(n).ok());
    (!given.is_empty() || thread.is_some()).then_some(Target::Thread { group, thread })
}

/// Returns how a request makes the session go on.
fn resume_of(request: &Request) -> Option<Resume> {
    let is_instruction = request.text("granularity") == Some("instruction");
    let step = |step| {
        Resume::Step(if is_instruction {
            Step::Instruction
        } else {
            step
        })
    };
    Some(match request.command.as_str() {
        "continue" => Resume::Continue,
        "next" => step(Step::Over),
        "stepIn" => step(Step::In),
        "stepOut" => Resume::Step(Step::Out),
        "stepBack" if is_instruction => Resume::BackInstruction,
        "stepBack" => Resume::Back,
        "reverseContinue" => Resume::BackContinue,
        "restart" => Resume::Restart,
        "disconnect" | "terminate" => Resume::Quit,
        _ => return None,
    })
}

/// Makes the lane of a request's thread the chosen one.
fn choose_lane(request: &Request, stopped: &mut Stopped<'_, '_>) {
    if let Some(thread) = request.number("threadId") {
        stopped.lane = (thread.saturating_sub(1) as usize).min(stopped.moment.lanes() - 1);
    }
}

/// Returns how a request of the adapter's own, or a line in the console, makes the session go on;
/// none for others.
fn asked_in_words(
    request: &Request,
    stopped: &mut Stopped<'_, '_>,
) -> Option<Result<Resume, String>> {
    let frame = frame_of(request, stopped);
    let who = |stopped: &mut Stopped<'_, '_>, text: &str| {
        stopped.lane = frame.0;
        writer_of(stopped, (text, frame.1))
    };
    let step = |word: &str| match word {
        "wave" => Some(Resume::Step(Step::Wave)),
        "barrier" => Some(Resume::Step(Step::Barrier)),
        _ => None,
    };
    Some(match request.command.as_str() {
        "dxil/pick" => pick_of(request, stopped).map(Resume::Pick),
        "dxil/step" => {
            choose_lane(request, stopped);
            step(request.text("to").unwrap_or_default())
                .ok_or_else(|| "to: write wave or barrier".to_owned())
        }
        "dxil/who" => who(stopped, request.text("expression").unwrap_or_default()),
        "evaluate" if request.text("context") == Some("repl") => {
            let text = request.text("expression").unwrap_or_default().trim();
            match text.split_once(char::is_whitespace) {
                Some(("who", rest)) => who(stopped, rest.trim()),
                _ if is_pick(text) => picked(stopped, text).map(Resume::Pick),
                _ => {
                    let resume = step(text)?;
                    // A variable of that name is meant.
                    if stopped.evaluate(text, frame.1, frame.0).is_ok() {
                        return None;
                    }
                    stopped.lane = frame.0;
                    Ok(resume)
                }
            }
        }
        _ => return None,
    })
}

/// Returns what `dxil/pick` asks for: a `target` as text, or `group` and `lane`.
fn pick_of(request: &Request, stopped: &Stopped<'_, '_>) -> Result<Target, String> {
    if let Some(text) = request.text("target") {
        return picked(stopped, text);
    }
    let mut group = [0; 3];
    for (at, value) in group.iter_mut().zip(request.list("group")) {
        let number = value.as_u64().and_then(|n| u32::try_from(n).ok());
        *at = number.ok_or_else(|| format!("{value} is no group"))?;
    }
    let lane = request.number("lane").unwrap_or(0);
    let [x, y, z] = group;
    picked(stopped, &format!("{x},{y},{z}:{lane}"))
}

/// Returns whether a text in the console asks for another wave.
fn is_pick(text: &str) -> bool {
    const NAMES: [&str; 10] = [
        "group",
        "ray",
        "vertex",
        "control-point",
        "patch",
        "domain-point",
        "primitive",
        "pixel",
        "mesh",
        "amplification",
    ];
    let mut words = text.split_whitespace();
    let name = words.next().unwrap_or_default();
    let number = words.next().unwrap_or_default();
    if name == "node" && !number.is_empty() {
        return true;
    }
    NAMES.contains(&name) && number.starts_with(|c: char| c.is_ascii_digit())
}

fn threads_of(stopped: &Stopped<'_, '_>) -> Vec<Value> {
    let mut lanes = stopped.lanes();
    // The chosen lane comes first.
    lanes.sort_by_key(|lane| (*lane != stopped.lane, *lane));
    let thread = |lane: usize| {
        let name = stopped.name(lane);
        let waits = if stopped.moment.active() >> lane & 1 == 0 {
            ", waits"
        } else {
            ""
        };
        json!({ "id": lane + 1, "name": format!("{name} (lane {lane}{waits})") })
    };
    lanes.into_iter().map(thread).collect()
}
