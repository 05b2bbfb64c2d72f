//! Sessions: where they stop, and what the variables are then. The expected values are computed
//! here from the thread's number.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "for tests, which stop at the first surprise"
)]

use std::path::{Path, PathBuf};

use dxil_cpu::resources::{Bindings, Register, ResourceView, Storage};
use dxil_cpu::watch::WatchedWave;
use dxil_cpu::{Dispatch, Kernel, Limits, Options};
use dxil_debug::{
    BreakAt, Breakpoints, Evaluated, Front, Globals, Poll, Program, Reason, Resume, Session, Step,
    Stopped, data_id,
};
use dxil_frontend::dxil::debug::Sources;
use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::dxil::{Shader, read_shader_with_debug_info};
use dxil_frontend::reflection::Reflection;

/// Threads of a group, and groups.
const THREADS: u32 = 32;
const GROUPS: u32 = 2;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// A front end that does what a closure says.
struct Script<F> {
    stop: F,
    said: Vec<String>,
    stops: u32,
    has_ended: bool,
}

impl<F: FnMut(&mut Stopped<'_, '_>) -> Resume> Front for Script<F> {
    fn stopped(&mut self, stopped: &mut Stopped<'_, '_>) -> Resume {
        self.stops += 1;
        (self.stop)(stopped)
    }

    fn output(&mut self, text: &str) {
        self.said.push(text.to_owned());
    }

    fn poll(&mut self, _: &Program<'_>, _: &mut Breakpoints) -> Poll {
        Poll::None
    }

    fn ended(&mut self) -> Resume {
        self.has_ended = true;
        Resume::Continue
    }
}

/// The results of a session.
struct Done {
    out: Vec<u32>,
    seen: Vec<u32>,
    said: Vec<String>,
    stops: u32,
    has_ended: bool,
}

struct Debuggee {
    shader: Shader,
    reflection: Reflection,
    kernel: Kernel,
}

impl Debuggee {
    fn read(name: &str) -> Debuggee {
        let bytes = std::fs::read(file(name)).unwrap();
        let shader = read_shader_with_debug_info(&bytes).unwrap();
        let reflection = Reflection::read(&shader, &bytes);
        let mut options = Options::default();
        options.watched = true;
        options.preview = true;
        let kernel = Kernel::decode(&shader, &options).unwrap();
        Debuggee {
            shader,
            reflection,
            kernel,
        }
    }

    fn program(&self) -> Program<'_> {
        let sources = Sources::default();
        Program::new(&self.shader, &self.reflection, &self.kernel, sources)
    }

    /// Debugs a wave; `stop` is asked at each stop.
    fn debug(
        &self,
        (breakpoints, group, lane): (Breakpoints, u32, usize),
        flags: (bool, bool),
        stop: impl FnMut(&mut Stopped<'_, '_>) -> Resume,
    ) -> Done {
        let program = self.program();
        let mut script = Script {
            stop,
            said: Vec::new(),
            stops: 0,
            has_ended: false,
        };
        let wave = WatchedWave {
            group: [group, 0, 0],
            wave: 0,
        };
        let mut session = Session::new(&program, &mut script, breakpoints, (wave, lane), flags);
        let storages = storages();
        let bindings = bindings();
        let dispatch = Dispatch::new(&self.kernel, &bindings, &storages).unwrap();
        let _ = dispatch.run_watched([GROUPS, 1, 1], &Limits::default(), &mut session);
        Done {
            out: words(&storages[0]),
            seen: words(&storages[1]),
            said: script.said,
            stops: script.stops,
            has_ended: script.has_ended,
        }
    }
}

fn storages() -> [Storage; 2] {
    let bytes = |count: u32| vec![0; 4 * count as usize];
    let threads = THREADS * GROUPS;
    [
        Storage::buffer(&bytes(threads)),
        Storage::buffer(&bytes(threads * 4)),
    ]
}

fn bindings() -> Bindings {
    let mut bindings = Bindings::default();
    for (storage, words) in [(0, 1), (1, 4)] {
        let view = ResourceView::Buffer {
            storage,
            offset: 0,
            size: u64::from(words * 4 * THREADS * GROUPS),
            format: None,
            counter: 0,
        };
        bindings
            .registers
            .push((Register::uav(storage as u32), view));
    }
    bindings
}

fn words(storage: &Storage) -> Vec<u32> {
    let bytes = storage.to_bytes();
    let words = bytes.as_chunks::<4>().0.iter();
    words.map(|word| u32::from_le_bytes(*word)).collect()
}

/// Returns the line of the source with this text.
fn line_of(name: &str, text: &str) -> u32 {
    let source = std::fs::read_to_string(file(name)).unwrap();
    let line = source.lines().position(|line| line.contains(text));
    line.unwrap() as u32 + 1
}

fn at_line(debuggee: &Debuggee, source: &str, text: &str) -> Breakpoints {
    let program = debuggee.program();
    let file = program.file_named(source).unwrap();
    let line = line_of(source, text);
    assert_eq!(program.line_with_code(file, line), Some(line), "{text}");
    let mut breakpoints = Breakpoints::default();
    breakpoints.add(BreakAt::Line(file, line), None, None, None);
    breakpoints
}

fn value(stopped: &Stopped<'_, '_>, text: &str, lane: usize) -> String {
    match stopped.evaluate(text, 0, lane) {
        Ok(Evaluated::Value(value)) => value.text(false),
        Ok(Evaluated::Resource(resource)) => resource.summary(stopped.moment),
        Err(error) => error.to_string(),
    }
}

fn line(stopped: &Stopped<'_, '_>) -> u32 {
    stopped.position().unwrap().1
}

/// What `sum(count)` of the shader gives: the sum of 2 (i + 1).
fn sum(count: u32) -> u32 {
    (0..count).map(|i| 2 * (i + 1)).sum()
}

/// What the shader writes to `totals`.
fn total(lane: u32) -> u32 {
    sum(lane & 3) + if lane & 1 == 1 { 100 } else { 200 }
}

/// What the shader writes to `Out`.
fn result(thread: u32) -> u32 {
    let lane = thread % THREADS;
    let square = (thread + (lane & 3)).pow(2);
    let column = if lane & 1 == 1 { thread } else { 3 };
    let calls = lane & 3;
    total(lane) + square + (2 * thread + column) + thread + total(31 - lane) + calls
}

#[test]
fn variables_have_the_values_of_their_thread() {
    let debuggee = Debuggee::read("steps.dxil");
    let breakpoints = at_line(&debuggee, "steps.hlsl", "totals[lane] = result");
    let done = debuggee.debug((breakpoints, 1, 5), (false, false), |stopped| {
        assert!(matches!(stopped.reason, Reason::Breakpoint(1)));
        assert_eq!(stopped.lane, 5);
        assert_eq!(stopped.name(5), "thread 37,0,0");
        let stack = stopped.stack(5);
        let locals = stopped.locals(&stack[0], 5);
        let names: Vec<&str> = locals.iter().map(|local| local.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "id", "lane", "ball", "squares", "grid", "odd", "result", "other"
            ]
        );
        for lane in 0..32_u32 {
            let id = 32 + lane;
            let at = |text: &str| value(stopped, text, lane as usize);
            assert_eq!(at("lane"), lane.to_string());
            assert_eq!(at("id.x"), id.to_string());
            assert_eq!(at("id.y"), "optimized out");
            assert_eq!(at("ball.place.y"), "0.5");
            assert_eq!(at("ball.place.z"), (2 * id).to_string());
            assert_eq!(at("ball.cell"), format!("(-{id}, 7)"));
            let squares = [0, 1, 2, 3].map(|k| ((id + k) * (id + k)).to_string());
            assert_eq!(at("squares"), format!("{{{}}}", squares.join(", ")));
            assert_eq!(at("grid"), format!("{{(1, 2, 3), (4, 5, {id})}}"));
            assert_eq!(at("grid[1].z"), id.to_string());
            assert_eq!(at("grid._m01_m10"), "(2, 4)");
            assert_eq!(at("odd"), (lane & 1 == 1).to_string());
            assert_eq!(at("result"), total(lane).to_string());
            assert_eq!(at("calls"), (lane & 3).to_string());
            assert_eq!(at("other"), "not assigned yet");
            assert_eq!(at("result * 2 + squares[1] % 7 == 0 ? -1 : 1 << 3"), {
                let value = total(lane) * 2 + (id + 1).pow(2) % 7;
                if value == 0 { "-1" } else { "8" }.to_owned()
            });
        }
        // The group before has run.
        assert_eq!(value(stopped, "Out[31]", 0), result(31).to_string());
        assert_eq!(value(stopped, "Out[32]", 0), "0");
        assert_eq!(value(stopped, "Out[999]", 0), "out of bounds");
        Resume::Continue
    });
    assert_eq!((done.stops, done.has_ended), (1, true));
    let expected: Vec<u32> = (0..THREADS * GROUPS).map(result).collect();
    assert_eq!(done.out, expected);
}

#[test]
fn steps_follow_the_lines_of_the_source() {
    let debuggee = Debuggee::read("steps.dxil");
    let line_of = |text: &str| line_of("steps.hlsl", text);
    let (assign, call) = (line_of("result = value * 2"), line_of("total += twice"));
    let (count, back, test) = (
        line_of("calls += 1"),
        line_of("return result"),
        line_of("for (uint i"),
    );
    let breakpoints = at_line(&debuggee, "steps.hlsl", "total += twice");
    let mut seen = Vec::new();
    let mut resumes = [
        Resume::Step(Step::In),
        Resume::Step(Step::Over),
        Resume::Step(Step::Over),
        Resume::Step(Step::Out),
        // The breakpoint is after it; over the test of the loop to the next round, and back.
        Resume::Step(Step::Over),
        Resume::Step(Step::Over),
        Resume::Back,
        Resume::Back,
        Resume::Step(Step::Out),
    ]
    .into_iter();
    debuggee.debug((breakpoints, 0, 7), (false, true), |stopped| {
        let stack = stopped.stack(stopped.lane);
        let names: Vec<&str> = stack.iter().map(|frame| frame.name.as_str()).collect();
        seen.push((line(stopped), names.join(" < ")));
        resumes.next().unwrap_or(Resume::Finish)
    });
    let wanted = [
        (call, "sum < main"),
        (assign, "twice < sum < main"),
        (count, "twice < sum < main"),
        (back, "twice < sum < main"),
        (call, "sum < main"),
        (test, "sum < main"),
        (call, "sum < main"),
        (test, "sum < main"),
        // The call before, without the lines of what it calls.
        (call, "sum < main"),
    ];
    assert_eq!(seen.split_off(9).first().map(|(line, _)| *line), Some(call));
    let wanted: Vec<(u32, String)> = wanted
        .map(|(line, stack)| (line, stack.to_owned()))
        .to_vec();
    assert_eq!(seen, wanted);
}

#[test]
fn values_at_stops_are_those_that_an_instrumented_shader_writes() {
    let traced = Debuggee::read("traced.dxil");
    let nothing = Breakpoints::default();
    let written = traced.debug((nothing, 0, 0), (false, false), |_| Resume::Continue);
    let debuggee = Debuggee::read("steps.dxil");
    let line = line_of("steps.hlsl", "for (uint i");
    for lane in 0..THREADS as usize {
        let program = debuggee.program();
        let file = program.file_named("steps.hlsl").unwrap();
        let mut breakpoints = Breakpoints::default();
        // It prints at each test of the loop, of which the first comes before a round.
        let log = Some("{i} {total}".to_owned());
        breakpoints.add(BreakAt::Line(file, line), None, None, log);
        let done = debuggee.debug((breakpoints, 0, lane), (false, true), |_| Resume::Continue);
        let rounds = lane & 3;
        let first = (32 + lane) * 4;
        let seen = written.seen[first..first + rounds].iter();
        let seen: Vec<String> = seen.map(u32::to_string).collect();
        let said: Vec<&str> = done
            .said
            .iter()
            .filter_map(|text| text.split_once(' '))
            .map(|(_, total)| total)
            .collect();
        assert_eq!(done.stops, 0);
        // The loop's variable is not assigned when the first test begins.
        assert_eq!(said.len(), rounds + 1, "{:?}", done.said);
        assert_eq!(said[1..], seen, "lane {lane}: {:?}", done.said);
    }
}

#[test]
fn going_back_gives_the_same_values_again() {
    let debuggee = Debuggee::read("steps.dxil");
    let breakpoints = at_line(&debuggee, "steps.hlsl", "total += twice");
    let mut course = Vec::new();
    let mut resumes = [
        Resume::Continue,
        Resume::Continue,
        Resume::BackContinue,
        Resume::BackContinue,
        Resume::Continue,
        Resume::Back,
        Resume::BackInstruction,
        Resume::Restart,
        Resume::Finish,
    ]
    .into_iter();
    let mut last = None;
    let done = debuggee.debug((breakpoints, 1, 3), (false, true), |stopped| {
        let lane = stopped.lane;
        course.push((line(stopped), value(stopped, "total", lane), stopped.time));
        let resume = resumes.next().unwrap();
        if resume == Resume::BackInstruction {
            last = Some(stopped.time);
        }
        resume
    });
    let totals: Vec<&str> = course.iter().map(|(_, total, _)| total.as_str()).collect();
    assert_eq!(totals[..5], ["0", "2", "6", "2", "0"]);
    assert_eq!(totals[5], "2");
    let times: Vec<u64> = course.iter().map(|(.., time)| *time).collect();
    assert_eq!(times[1], times[3], "the same moment");
    assert_eq!(times[0], times[4]);
    assert_eq!(times[1], times[5]);
    assert!(times[6] < times[5]);
    assert_eq!(course[6].0, line_of("steps.hlsl", "for (uint i"));
    assert_eq!(times[7], last.unwrap() - 1);
    assert_eq!(times[8], 0);
    // What was run again leaves no traces.
    let expected: Vec<u32> = (0..THREADS * GROUPS).map(result).collect();
    assert_eq!(done.out, expected);
}

#[test]
fn diverged_lanes_stop_where_they_are() {
    let debuggee = Debuggee::read("steps.dxil");
    let (odd, even) = ("result += 100", "result += 200");
    for (text, lane, parity) in [(odd, 0, 1), (even, 0, 0)] {
        let breakpoints = at_line(&debuggee, "steps.hlsl", text);
        let done = debuggee.debug((breakpoints, 0, lane), (false, false), |stopped| {
            assert_eq!(stopped.lane as u32 & 1, parity, "{text}");
            let rows = stopped.table("result");
            assert_eq!(rows.len(), 32);
            for row in rows {
                let is_here = row.lane as u32 & 1 == parity;
                assert_eq!(row.is_active, is_here, "{text}, lane {}", row.lane);
                if is_here {
                    assert_eq!(row.value, Ok(sum(row.lane as u32 & 3).to_string()));
                }
            }
            Resume::Continue
        });
        assert_eq!(done.stops, 1, "{text}");
    }
    // A lane that is followed does not stop where others are.
    let breakpoints = at_line(&debuggee, "steps.hlsl", odd);
    let done = debuggee.debug((breakpoints, 0, 2), (false, true), |_| Resume::Continue);
    assert_eq!((done.stops, done.has_ended), (0, true));
}

#[test]
fn conditions_counts_and_functions_stop() {
    let debuggee = Debuggee::read("steps.dxil");
    let program = debuggee.program();
    let file = program.file_named("steps.hlsl").unwrap();
    let call = line_of("steps.hlsl", "total += twice");
    let stops = |breakpoints: Breakpoints, expression: &str| {
        let mut found = Vec::new();
        debuggee.debug((breakpoints, 0, 0), (false, false), |stopped| {
            found.push((stopped.lane, value(stopped, expression, stopped.lane)));
            Resume::Continue
        });
        found
    };
    let mut breakpoints = Breakpoints::default();
    let condition = dxil_debug::condition("i == 1 && lanes_of_three == 3 || total == 2").ok();
    assert!(condition.is_some());
    breakpoints.add(BreakAt::Line(file, call), condition, None, None);
    // The name does not exist, so the condition holds nowhere; where it is not asked for, it does.
    assert_eq!(stops(breakpoints, "i"), []);
    let mut breakpoints = Breakpoints::default();
    let condition = dxil_debug::condition("total == 2").unwrap();
    breakpoints.add(BreakAt::Line(file, call), Some(condition), None, None);
    assert_eq!(stops(breakpoints, "i"), [(2, "1".to_owned())]);
    let mut breakpoints = Breakpoints::default();
    let every = dxil_debug::HitCondition::parse(">=2").unwrap();
    breakpoints.add(BreakAt::Line(file, call), None, Some(every), None);
    let found = stops(breakpoints, "i");
    assert_eq!(found, [(2, "1".to_owned()), (3, "2".to_owned())]);
    let mut breakpoints = Breakpoints::default();
    breakpoints.add(BreakAt::Function("twice".into()), None, None, None);
    let found = stops(breakpoints, "value");
    let values: Vec<&str> = found.iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(values, ["1", "2", "3"]);
}

#[test]
fn data_stops_where_it_changes() {
    let debuggee = Debuggee::read("steps.dxil");
    let breakpoints = at_line(&debuggee, "steps.hlsl", "total += twice");
    let mut changes = Vec::new();
    debuggee.debug((breakpoints, 0, 3), (false, true), |stopped| {
        match &stopped.reason {
            Reason::Data(_, text) => changes.push(text.clone()),
            _ if changes.is_empty() && stopped.breakpoints.data().is_empty() => {
                let stack = stopped.stack(3);
                stopped.breakpoints.watch("total", stack.first()).unwrap();
                stopped.breakpoints.remove(1);
            }
            reason => panic!("{reason:?}"),
        }
        Resume::Continue
    });
    assert_eq!(
        changes,
        ["total: 0 -> 2", "total: 2 -> 6", "total: 6 -> 12"]
    );
}

#[test]
fn a_search_back_finds_who_wrote_a_value() {
    let debuggee = Debuggee::read("steps.dxil");
    let breakpoints = at_line(&debuggee, "steps.hlsl", "totals[lane] = result");
    let mut seen = Vec::new();
    debuggee.debug((breakpoints, 0, 3), (false, true), |stopped| {
        if stopped.breakpoints.data().is_empty() {
            // The function that the variable is in has returned; its result is this one.
            let stack = stopped.stack(3);
            stopped.breakpoints.watch("result", stack.first()).unwrap();
            stopped.breakpoints.remove(1);
            return Resume::BackContinue;
        }
        seen.push((stopped.reason.clone(), line(stopped)));
        if seen.len() == 3 {
            return Resume::Finish;
        }
        Resume::BackContinue
    });
    // Lane 3 is odd: 12 of the three rounds, and 100.
    let Some((Reason::Data(_, last), _)) = seen.first() else {
        panic!("{seen:?}");
    };
    assert_eq!(last, "result: 12 -> 112");
    // Before that the call gave it its first value.
    let Reason::Data(_, first) = &seen[1].0 else {
        panic!("{seen:?}");
    };
    assert_eq!(first, "result: not assigned yet -> 12");
    // And before that there is only the start of the wave.
    assert_eq!(seen[2].0, Reason::Entry);
}

#[test]
fn debug_break_stops_and_operations_have_breakpoints() {
    let debuggee = Debuggee::read("breaks.dxil");
    let stores = debuggee.program().operations_named("RAWBUFFERSTORE");
    assert_eq!(stores, [Opcode::RawBufferStore]);
    let with_store = || {
        let mut breakpoints = Breakpoints::default();
        breakpoints.add(BreakAt::Operation(stores[0]), None, None, None);
        breakpoints
    };
    let mut stops = Vec::new();
    let done = debuggee.debug((with_store(), 0, 0), (false, false), |stopped| {
        let active = stopped.moment.active();
        stops.push((stopped.reason.clone(), stopped.lane, active));
        Resume::Continue
    });
    // Odd lanes ask for a stop, the first of which is 1; then all lanes store.
    let odd = 0xAAAA_AAAA;
    assert_eq!(
        stops,
        [
            (Reason::DebugBreak, 1, odd),
            (Reason::Breakpoint(1), 1, 0xFFFF_FFFF)
        ]
    );
    // Each thread of a group stores whether it is debugged.
    assert_eq!(done.out[..THREADS as usize], [1; THREADS as usize]);
    // A search back from the store finds the break.
    let mut back = Vec::new();
    debuggee.debug((with_store(), 0, 1), (false, true), |stopped| {
        back.push((stopped.reason.clone(), stopped.lane));
        match back.len() {
            1 => Resume::Continue,
            2 => Resume::BackContinue,
            _ => Resume::Finish,
        }
    });
    let stops = [
        Reason::DebugBreak,
        Reason::Breakpoint(1),
        Reason::DebugBreak,
    ];
    assert_eq!(back, stops.map(|reason| (reason, 1)));
    // An even thread is followed: it alone stops, and only at the store.
    let mut reasons = Vec::new();
    debuggee.debug((with_store(), 0, 4), (false, true), |stopped| {
        reasons.push((stopped.reason.clone(), stopped.lane));
        Resume::Continue
    });
    assert_eq!(reasons, [(Reason::Breakpoint(1), 4)]);
    let mut skips = Breakpoints::default();
    skips.skips_debug_break = true;
    let done = debuggee.debug((skips, 0, 0), (false, false), |_| Resume::Continue);
    assert_eq!(done.stops, 0);
}

#[test]
fn changed_variables_change_the_result() {
    let debuggee = Debuggee::read("steps.dxil");
    let breakpoints = at_line(&debuggee, "steps.hlsl", "totals[lane] = result");
    let mut went_back = false;
    let done = debuggee.debug((breakpoints, 0, 4), (false, true), |stopped| {
        if stopped.reason == Reason::Back {
            return Resume::Continue;
        }
        if !went_back {
            let text = stopped
                .assign("result", "7 + lane", 0, 4)
                .unwrap()
                .text(false);
            assert_eq!(text, "11");
            stopped.assign("squares[0]", "1000", 0, 4).unwrap();
            let refused = stopped.assign("id.y", "1", 0, 4).unwrap_err();
            assert_eq!(refused.to_string(), "optimized out");
            let refused = stopped.assign("grid[0].x", "1", 0, 4).unwrap_err();
            assert!(refused.to_string().contains("constant"), "{refused}");
        }
        went_back = true;
        Resume::Continue
    });
    let mut expected: Vec<u32> = (0..THREADS * GROUPS).map(result).collect();
    // Its own result and square, and what the lane opposite reads of it.
    expected[4] = expected[4] - total(4) + 11 - 16 + 1000;
    expected[27] = expected[27] - total(4) + 11;
    assert_eq!(done.out, expected);
}

#[test]
fn optimized_code_and_code_without_debug_information_can_be_debugged() {
    let debuggee = Debuggee::read("optimized.dxil");
    let breakpoints = at_line(&debuggee, "optimized.hlsl", "totals[lane] = result");
    let done = debuggee.debug((breakpoints, 0, 6), (false, false), |stopped| {
        for lane in 0..32 {
            assert_eq!(
                value(stopped, "result", lane),
                total(lane as u32).to_string()
            );
        }
        Resume::Continue
    });
    assert_eq!(done.stops, 1);
    let plain = Debuggee::read("plain.dxil");
    let program = plain.program();
    assert!(program.debug.is_none());
    let text = program.files[program.listing_file() as usize].text.clone();
    let text = text.unwrap();
    let barrier = text.lines().position(|line| line.contains("dx.op.barrier"));
    let barrier = barrier.unwrap() as u32 + 1;
    let mut breakpoints = Breakpoints::default();
    let at = BreakAt::Line(program.listing_file(), barrier);
    breakpoints.add(at, None, None, None);
    let mut lines = Vec::new();
    let done = plain.debug((breakpoints, 0, 0), (false, false), |stopped| {
        lines.push(line(stopped));
        // What was stored before the barrier.
        let totals = stopped.globals(Globals::Shared, 0);
        let wanted: Vec<String> = (0..32).map(|lane| total(lane).to_string()).collect();
        assert_eq!(
            totals[0].value.text(false),
            format!("{{{}}}", wanted.join(", "))
        );
        let stack = stopped.stack(0);
        assert!(!stopped.registers(&stack[0], 0).is_empty());
        Resume::Step(Step::Over)
    });
    assert!(done.stops > 1 && done.has_ended);
    assert!(lines[0] == barrier && lines.is_sorted(), "{lines:?}");
    let expected: Vec<u32> = (0..THREADS * GROUPS).map(result).collect();
    assert_eq!(done.out, expected);
}

/// Returns what a session says of the writers of values, asked for in `lane` of the first wave
/// where it comes to a line of `exchange.hlsl`.
fn writers(lane: usize, text: &str, asked: &[&str]) -> Vec<(Option<String>, u32, usize)> {
    let debuggee = Debuggee::read("exchange.dxil");
    let breakpoints = at_line(&debuggee, "exchange.hlsl", text);
    let mut asked = asked.iter();
    let mut found = Vec::new();
    debuggee.debug((breakpoints, 0, lane), (false, true), |stopped| {
        if matches!(stopped.reason, Reason::Breakpoint(_)) {
            stopped.lane = lane;
        } else {
            found.push((stopped.reason.words(), line(stopped), stopped.lane));
        }
        match (&stopped.reason, asked.next()) {
            // Back to the breakpoint, from which the next one is asked for.
            (Reason::Breakpoint(_), Some(text)) => {
                let stack = stopped.stack(lane);
                Resume::BackWrite(data_id(text, stack.first()))
            }
            (_, Some(text)) => panic!("{text}: {:?}", stopped.reason),
            (_, None) => Resume::Finish,
        }
    });
    found
}

#[test]
fn who_wrote_a_value_is_found_with_its_lane() {
    let source = "exchange.hlsl";
    let shared = line_of(source, "slots[63 - thread] = mine");
    let barrier = line_of(source, "GroupMemoryBarrier");
    let first = line_of(source, "Out[thread ^ 5] =");
    let atomic = line_of(source, "InterlockedAdd");
    let last = "Out[thread] += lanes";
    let written = |text: &str| Some(format!("written here: {text}"));
    // Thread 63 - 40 writes 3 times its number.
    assert_eq!(
        writers(0, last, &["slots[40]"]),
        [(written("slots[40]: 0 -> 69"), shared, 23)]
    );
    // Thread 9 ^ 5 = 12 writes 3 * 31, the most of its wave, and what thread 63 - 12 left for it.
    assert_eq!(
        writers(0, last, &["Out[9]"]),
        [(written("Out[9]: 0 -> 246"), first, 12)]
    );
    // The index names the same element wherever the lane is.
    assert_eq!(
        writers(9, last, &["Out[thread]"]),
        [(written("Out[thread]: 0 -> 246"), first, 12)]
    );
    // Thread 8 adds to the slot of thread 9, in which thread 63 - 9 has put 162.
    assert_eq!(
        writers(1, last, &["slots[9]"]),
        [(written("slots[9]: 162 -> 1162"), atomic, 8)]
    );
    // Before that another wave of the group has written it.
    let meanwhile = "another wave has written it meanwhile: slots[10]: 0 -> 159";
    assert_eq!(
        writers(4, last, &["slots[10]"]),
        [(Some(meanwhile.to_owned()), barrier, 4)]
    );
    // Registers are the lane's own.
    let mine = line_of(source, "uint mine =");
    let [(Some(text), line, 7)] = &writers(7, last, &["mine"])[..] else {
        panic!("no writer of `mine`");
    };
    assert_eq!(text, "written here: mine: not assigned yet -> 21");
    assert!((mine..=shared).contains(line), "{line}");
    // Nobody writes a difference of equal values.
    let place = line_of(source, last);
    assert_eq!(
        writers(7, last, &["slots[3] - slots[3]"]),
        [(
            Some("this wave has not changed slots[3] - slots[3] before".to_owned()),
            place,
            7
        )]
    );
}

#[test]
fn steps_go_to_what_lanes_do_together() {
    let debuggee = Debuggee::read("exchange.dxil");
    let source = "exchange.hlsl";
    let wave = line_of(source, "WaveActiveMax");
    let barrier = line_of(source, "GroupMemoryBarrier");
    let all = line_of(source, "AllMemoryBarrier");
    for (step, operation, lines) in [
        (Step::Wave, Opcode::WaveActiveOp, vec![wave]),
        (Step::Barrier, Opcode::Barrier, vec![barrier, all]),
    ] {
        let mut stops = Vec::new();
        let breakpoints = Breakpoints::default();
        let done = debuggee.debug((breakpoints, 0, 3), (true, true), |stopped| {
            let (function, inst) = stopped.stack(3)[0].inst;
            stops.push((stopped.program.operation(function, inst), line(stopped)));
            assert_eq!(stopped.lane, 3);
            Resume::Step(step)
        });
        // After the start of the wave, these operations, and then the end.
        let lines = lines.into_iter().map(|line| (Some(operation), line));
        assert_eq!(stops[1..], lines.collect::<Vec<_>>(), "{step:?}");
        assert!(done.has_ended);
    }
}
