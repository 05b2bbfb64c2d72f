//! `dxil-debug` as an editor uses it: a client of the Debug Adapter Protocol over a pipe. The
//! expected values follow from the thread's number (`runtime/debug/tests/data/steps.hlsl`).

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "for tests, which stop at the first surprise"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn data(name: &str) -> String {
    let path = root().join("runtime/debug/tests/data").join(name);
    path.canonicalize().unwrap().to_str().unwrap().to_owned()
}

/// Returns the line of the source with this text.
fn line_of(text: &str) -> u64 {
    let source = std::fs::read_to_string(data("steps.hlsl")).unwrap();
    let line = source.lines().position(|line| line.contains(text));
    line.unwrap() as u64 + 1
}

/// A client of the protocol.
struct Client {
    child: Option<Child>,
    input: Box<dyn Write>,
    output: Box<dyn BufRead>,
    next: u64,
    /// Events that were not waited for.
    events: Vec<Value>,
}

impl Client {
    fn start() -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_dxil-debug"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Client {
            input: Box::new(child.stdin.take().unwrap()),
            output: Box::new(BufReader::new(child.stdout.take().unwrap())),
            child: Some(child),
            next: 0,
            events: Vec::new(),
        }
    }

    fn message(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(
                self.output.read_line(&mut line).unwrap(),
                0,
                "the adapter is gone"
            );
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            length = line
                .strip_prefix("Content-Length: ")
                .unwrap()
                .parse()
                .unwrap();
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    fn send(&mut self, command: &str, arguments: Value) -> u64 {
        self.next += 1;
        let message = json!({
            "seq": self.next,
            "type": "request",
            "command": command,
            "arguments": arguments,
        });
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        self.input.flush().unwrap();
        self.next
    }

    /// Sends a request and returns the response.
    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let seq = self.send(command, arguments);
        loop {
            let message = self.message();
            if message["type"] == "event" {
                self.events.push(message);
                continue;
            }
            assert_eq!(message["request_seq"], seq, "{message}");
            assert_eq!(message["command"], command);
            return message;
        }
    }

    /// Sends a request that succeeds, and returns the body of the response.
    #[track_caller]
    fn get(&mut self, command: &str, arguments: Value) -> Value {
        let response = self.ask(command, arguments);
        assert_eq!(response["success"], true, "{response}");
        response["body"].clone()
    }

    /// Sends a request that fails, and returns the message.
    #[track_caller]
    fn refused(&mut self, command: &str, arguments: Value) -> String {
        let response = self.ask(command, arguments);
        assert_eq!(response["success"], false, "{response}");
        response["message"].as_str().unwrap().to_owned()
    }

    /// Waits for an event.
    fn event(&mut self, name: &str) -> Value {
        if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
            return self.events.remove(at)["body"].clone();
        }
        loop {
            let message = self.message();
            assert_eq!(message["type"], "event", "{message}");
            if message["event"] == name {
                return message["body"].clone();
            }
            self.events.push(message);
        }
    }

    /// Launches a shader; breakpoints come next.
    fn launch(&mut self, shader: &str, more: Value) -> Value {
        let capabilities = self.get("initialize", json!({ "adapterID": "dxil" }));
        let mut arguments = json!({ "program": shader, "args": ["--dispatch", "2"] });
        for (name, value) in more.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        self.get("launch", arguments);
        self.event("initialized");
        capabilities
    }

    fn break_at(&mut self, breakpoints: Value) -> Value {
        let arguments = json!({
            "source": { "path": data("steps.hlsl") },
            "breakpoints": breakpoints,
        });
        self.get("setBreakpoints", arguments)["breakpoints"].clone()
    }

    /// Returns the line of the innermost call of a thread.
    fn line(&mut self, thread: u64) -> u64 {
        let frames = self.get("stackTrace", json!({ "threadId": thread }));
        frames["stackFrames"][0]["line"].as_u64().unwrap()
    }

    fn evaluate(&mut self, expression: &str, thread: u64) -> String {
        let frames = self.get("stackTrace", json!({ "threadId": thread }));
        let frame = frames["stackFrames"][0]["id"].clone();
        let arguments = json!({ "expression": expression, "frameId": frame, "context": "watch" });
        let value = self.get("evaluate", arguments);
        value["result"].as_str().unwrap().to_owned()
    }

    /// Goes on to the end; returns what the shader wrote.
    fn finish(mut self) -> String {
        self.event("terminated");
        let outputs = self
            .events
            .iter()
            .filter(|event| event["event"] == "output");
        let text = outputs.map(|event| event["body"]["output"].as_str().unwrap());
        let text: String = text.collect();
        self.get("disconnect", json!({}));
        if let Some(child) = &mut self.child {
            assert!(child.wait().unwrap().success());
        }
        text
    }
}

/// What `sum(count)` of the shader gives: the sum of 2 (i + 1).
fn sum(count: u64) -> u64 {
    (0..count).map(|i| 2 * (i + 1)).sum()
}

#[test]
fn a_shader_stops_at_breakpoints_and_shows_its_variables() {
    let mut client = Client::start();
    let capabilities = client.launch(&data("steps.dxil"), json!({ "group": [1, 0, 0] }));
    for ability in [
        "supportsStepBack",
        "supportsConditionalBreakpoints",
        "supportsDataBreakpoints",
    ] {
        assert_eq!(capabilities[ability], true);
    }
    let call = line_of("total += twice");
    // A line without code is moved to the next one with code.
    let set = client.break_at(json!([{ "line": call - 1 }, { "line": 10_000 }]));
    assert_eq!(set[0]["verified"], true);
    assert_eq!(set[0]["line"], call);
    assert_eq!(set[1]["verified"], false);
    client.get("configurationDone", json!({}));
    let stop = client.event("stopped");
    assert_eq!(stop["reason"], "breakpoint");
    assert_eq!(stop["hitBreakpointIds"], json!([set[0]["id"]]));
    // Lane 0 has no round, so that lane 1 is the first to stop.
    assert_eq!(stop["threadId"], 2);
    let threads = client.get("threads", json!({}));
    assert_eq!(threads["threads"].as_array().unwrap().len(), 32);
    assert_eq!(threads["threads"][0]["name"], "thread 33,0,0 (lane 1)");
    let frames = client.get("stackTrace", json!({ "threadId": 4 }))["stackFrames"].clone();
    assert_eq!(frames[0]["name"], "sum");
    assert_eq!(frames[1]["name"], "main");
    assert_eq!(frames[0]["source"]["path"], data("steps.hlsl"));
    assert_eq!(frames[1]["line"], line_of("uint result = sum"));
    // Lane 0 waits after the loop.
    let waits = client.get("stackTrace", json!({ "threadId": 1 }))["stackFrames"].clone();
    assert!(
        waits[0]["name"].as_str().unwrap().ends_with("(waits)"),
        "{waits}"
    );
    let scopes = client.get("scopes", json!({ "frameId": frames[1]["id"] }))["scopes"].clone();
    let names: Vec<&str> = scopes
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "Locals",
            "Static variables",
            "Groupshared",
            "Resources",
            "Registers"
        ]
    );
    let reference = scopes[0]["variablesReference"].clone();
    let locals = client.get("variables", json!({ "variablesReference": reference }));
    let local = |name: &str| {
        let all = locals["variables"].as_array().unwrap().iter();
        all.clone()
            .find(|local| local["name"] == name)
            .unwrap()
            .clone()
    };
    // Thread 4 is lane 3, whose dispatch thread is 35.
    assert_eq!(local("ball")["type"], "Ball");
    assert_eq!(local("odd")["value"], "true");
    assert_eq!(local("result")["value"], "not assigned yet");
    let ball = local("ball")["variablesReference"].clone();
    let ball = client.get("variables", json!({ "variablesReference": ball }));
    assert_eq!(ball["variables"][0]["name"], "place");
    assert_eq!(ball["variables"][1]["value"], "(-35, 7)");
    assert_eq!(ball["variables"][1]["type"], "int2");
    assert_eq!(ball["variables"][1]["evaluateName"], "ball.cell");
    assert_eq!(client.evaluate("i + count", 4), "3");
    let hex = json!({ "expression": "$lane + 254", "frameId": frames[0]["id"], "format": { "hex": true } });
    assert_eq!(client.get("evaluate", hex)["result"], "0x00000101");
    let wrong = json!({ "expression": "nothing", "frameId": frames[0]["id"] });
    assert_eq!(
        client.refused("evaluate", wrong),
        "there is no nothing here"
    );
    client.get("continue", json!({ "threadId": 4 }));
    client.event("stopped");
    assert_eq!(client.evaluate("total", 4), "2");
    client.break_at(json!([]));
    client.get("continue", json!({ "threadId": 4 }));
    let text = client.finish();
    assert!(
        text.contains("u0  RWStructuredBuffer Out: 64 of 4 bytes"),
        "{text}"
    );
}

#[test]
fn steps_go_forwards_and_back() {
    let mut client = Client::start();
    client.launch(&data("steps.dxil"), json!({ "thread": 3 }));
    let call = line_of("total += twice");
    client.break_at(json!([{ "line": call, "condition": "i == 1" }]));
    client.get("configurationDone", json!({}));
    assert_eq!(client.event("stopped")["threadId"], 4);
    assert_eq!(client.evaluate("total", 4), "2");
    for (request, line) in [
        ("stepIn", line_of("result = value * 2")),
        ("next", line_of("calls += 1")),
        ("stepOut", call),
        ("next", line_of("for (uint i")),
        ("next", call),
        ("stepBack", line_of("for (uint i")),
        ("stepBack", call),
    ] {
        client.get(request, json!({ "threadId": 4 }));
        client.event("stopped");
        assert_eq!(client.line(4), line, "{request}");
    }
    let pointer = |client: &mut Client| {
        let frames = client.get("stackTrace", json!({ "threadId": 4 }));
        frames["stackFrames"][0]["instructionPointerReference"].clone()
    };
    let before = pointer(&mut client);
    client.get(
        "stepIn",
        json!({ "threadId": 4, "granularity": "instruction" }),
    );
    client.event("stopped");
    assert_ne!(pointer(&mut client), before);
    client.get(
        "stepBack",
        json!({ "threadId": 4, "granularity": "instruction" }),
    );
    client.event("stopped");
    assert_eq!(pointer(&mut client), before);
    // To the start of the wave: the condition held nowhere before.
    client.get("reverseContinue", json!({ "threadId": 4 }));
    assert_eq!(client.event("stopped")["reason"], "entry");
    client.break_at(json!([]));
    client.get("continue", json!({ "threadId": 4 }));
    client.finish();
}

#[test]
fn variables_are_changed_and_watched() {
    let mut client = Client::start();
    client.launch(&data("steps.dxil"), json!({ "thread": 3 }));
    client.break_at(json!([{ "line": line_of("total += twice") }]));
    client.get("configurationDone", json!({}));
    client.event("stopped");
    let frames = client.get("stackTrace", json!({ "threadId": 4 }));
    let frame = frames["stackFrames"][0]["id"].clone();
    let scopes = client.get("scopes", json!({ "frameId": frame }))["scopes"].clone();
    let locals = scopes[0]["variablesReference"].clone();
    let info = json!({ "variablesReference": locals, "name": "total" });
    let data_id = client.get("dataBreakpointInfo", info)["dataId"].clone();
    let points = json!({ "breakpoints": [{ "dataId": data_id }] });
    assert_eq!(
        client.get("setDataBreakpoints", points)["breakpoints"][0]["verified"],
        true
    );
    let points = json!([{ "line": line_of("totals[lane] = result") }]);
    client.break_at(points);
    // `total` of a thread with three rounds: 2, 6, 12.
    let mut before = 0;
    for round in 1..=3 {
        client.get("continue", json!({ "threadId": 4 }));
        let stop = client.event("stopped");
        assert_eq!(stop["reason"], "data breakpoint");
        assert_eq!(stop["text"], format!("total: {before} -> {}", sum(round)));
        before = sum(round);
    }
    client.get("setDataBreakpoints", json!({ "breakpoints": [] }));
    client.get("continue", json!({ "threadId": 4 }));
    client.event("stopped");
    assert_eq!(client.evaluate("result", 4), (sum(3) + 100).to_string());
    let frames = client.get("stackTrace", json!({ "threadId": 4 }));
    let frame = frames["stackFrames"][0]["id"].clone();
    let scopes = client.get("scopes", json!({ "frameId": frame }))["scopes"].clone();
    let locals = scopes[0]["variablesReference"].clone();
    let set = json!({ "variablesReference": locals, "name": "result", "value": "5 * 1000" });
    assert_eq!(client.get("setVariable", set)["value"], "5000");
    let set = json!({ "expression": "squares[2]", "value": "1", "frameId": frame });
    assert_eq!(client.get("setExpression", set)["value"], "1");
    client.get("continue", json!({ "threadId": 4 }));
    client.event("terminated");
    client.get("disconnect", json!({}));
}

#[test]
fn other_breakpoints_stop_too() {
    let mut client = Client::start();
    client.launch(
        &data("steps.dxil"),
        json!({ "thread": 2, "stopOnEntry": true }),
    );
    let function = json!({ "breakpoints": [{ "name": "twice" }, { "name": "thrice" }] });
    let set = client.get("setFunctionBreakpoints", function)["breakpoints"].clone();
    assert_eq!(
        (set[0]["verified"].clone(), set[1]["verified"].clone()),
        (json!(true), json!(false))
    );
    let log = json!([{ "line": line_of("total += twice"), "logMessage": "round {i}: {total}" }]);
    client.break_at(log);
    client.get("configurationDone", json!({}));
    assert_eq!(client.event("stopped")["reason"], "entry");
    for value in ["1", "2"] {
        client.get("continue", json!({ "threadId": 3 }));
        client.event("stopped");
        assert_eq!(client.evaluate("value", 3), value);
    }
    let said = [client.event("output"), client.event("output")];
    let said = said.map(|output| output["output"].clone());
    assert_eq!(said, ["round 0: 0\n", "round 1: 2\n"]);
    // The barrier, by its address in the disassembly.
    let frames = client.get("stackTrace", json!({ "threadId": 3 }));
    let pointer = frames["stackFrames"][0]["instructionPointerReference"].clone();
    let code =
        json!({ "memoryReference": pointer, "instructionOffset": 0, "instructionCount": 60 });
    let code = client.get("disassemble", code)["instructions"].clone();
    let code = code.as_array().unwrap();
    assert_eq!(code.len(), 60);
    let is_barrier = |row: &&Value| {
        row["instruction"]
            .as_str()
            .unwrap()
            .contains("dx.op.barrier")
    };
    let barrier = code.iter().find(is_barrier).unwrap();
    assert_eq!(barrier["line"], line_of("GroupMemoryBarrierWithGroupSync"));
    let point = json!({ "breakpoints": [{ "instructionReference": barrier["address"] }] });
    client.get("setInstructionBreakpoints", point);
    client.get("setFunctionBreakpoints", json!({ "breakpoints": [] }));
    client.get("continue", json!({ "threadId": 3 }));
    client.event("stopped");
    assert_eq!(client.line(3), line_of("GroupMemoryBarrierWithGroupSync"));
    // The lanes side by side: the total of each is known.
    let lanes = client.get("dxil/lanes", json!({ "expression": "totals[$lane]" }))["lanes"].clone();
    for (lane, row) in lanes.as_array().unwrap().iter().enumerate() {
        let lane = lane as u64;
        let more = if lane & 1 == 1 { 100 } else { 200 };
        assert_eq!(row["value"], (sum(lane & 3) + more).to_string());
        assert_eq!(row["active"], true);
    }
    // Another group, which begins anew.
    client.get("dxil/pick", json!({ "group": [1, 0, 0], "lane": 9 }));
    let stop = client.event("stopped");
    assert_eq!(
        (stop["reason"].clone(), stop["threadId"].clone()),
        (json!("entry"), json!(10))
    );
    assert_eq!(client.evaluate("$group.x * 100 + $lane", 10), "109");
    client.get("setInstructionBreakpoints", json!({ "breakpoints": [] }));
    client.get("continue", json!({ "threadId": 10 }));
    client.finish();
}

#[test]
fn lanes_meet_and_writers_are_found() {
    let line_of = |text: &str| {
        let source = std::fs::read_to_string(data("exchange.hlsl")).unwrap();
        let line = source.lines().position(|line| line.contains(text));
        line.unwrap() as u64 + 1
    };
    let mut client = Client::start();
    let launch = json!({ "thread": 5, "stopOnEntry": true });
    client.launch(&data("exchange.dxil"), launch);
    client.get("configurationDone", json!({}));
    client.event("stopped");
    for (to, text) in [
        ("wave", "WaveActiveMax"),
        ("barrier", "GroupMemoryBarrier"),
        ("barrier", "AllMemoryBarrier"),
    ] {
        client.get("dxil/step", json!({ "to": to, "threadId": 6 }));
        assert_eq!(client.event("stopped")["reason"], "step");
        assert_eq!(client.line(6), line_of(text));
    }
    let refused = client.refused("dxil/step", json!({ "to": "the moon", "threadId": 6 }));
    assert!(refused.contains("wave or barrier"), "{refused}");
    // Thread 40 ^ 5 = 45 is in the other wave; thread 9 ^ 5 = 12 wrote 3 * 31 and 3 * (63 - 12).
    client.get("dxil/who", json!({ "expression": "Out[9]" }));
    let stop = client.event("stopped");
    assert_eq!(stop["text"], "written here: Out[9]: 0 -> 246");
    assert_eq!(stop["threadId"], 12 + 1);
    assert_eq!(client.line(13), line_of("Out[thread ^ 5] ="));
    // In the console, too.
    let typed = json!({ "expression": "barrier", "context": "repl" });
    client.get("evaluate", typed);
    client.event("stopped");
    assert_eq!(client.line(13), line_of("AllMemoryBarrier"));
    let typed = json!({ "expression": "who slots[10]", "context": "repl" });
    client.get("evaluate", typed);
    let text = client.event("stopped")["text"].clone();
    assert_eq!(
        text,
        "another wave has written it meanwhile: slots[10]: 0 -> 159"
    );
    let refused = client.refused("dxil/who", json!({ "expression": "Out" }));
    assert!(refused.contains("element"), "{refused}");
    client.get("continue", json!({ "threadId": 13 }));
    client.finish();
}

#[test]
fn findings_stop_at_their_instruction() {
    let shader = root().join("runtime/cpu/tests/check/structured_write_behind.defect.dxil");
    let shader = shader.canonicalize().unwrap();
    let mut client = Client::start();
    // Thread 56 of group 1 is the first whose element, 64 + 56 + 8, is after the 128 of the buffer.
    let launch = json!({ "check": true, "group": [1, 0, 0], "thread": 40 });
    client.launch(shader.to_str().unwrap(), launch);
    client.get(
        "setExceptionBreakpoints",
        json!({ "filters": ["findings"] }),
    );
    client.get("configurationDone", json!({}));
    let stop = client.event("stopped");
    assert_eq!(stop["reason"], "exception");
    let text = stop["text"].as_str().unwrap();
    assert!(text.contains("out of bounds"), "{text}");
    let thread = stop["threadId"].as_u64().unwrap();
    // Threads 32 to 63 are the lanes of the second wave.
    assert_eq!(thread, 56 - 32 + 1);
    assert_eq!(client.evaluate("id + 8", thread), "128");
    // The line that the tests of the checks name.
    assert_eq!(client.line(thread), 7);
    let info = client.get("exceptionInfo", json!({ "threadId": thread }));
    assert_eq!(info["description"], text);
    client.get("terminate", json!({}));
    client.event("terminated");
    client.get("disconnect", json!({}));
}

#[test]
fn sources_come_from_the_shader() {
    let mut client = Client::start();
    client.launch(&data("plain.dxil"), json!({ "stopOnEntry": true }));
    client.get("configurationDone", json!({}));
    client.event("stopped");
    // Without debug information the listing is the source.
    let frames = client.get("stackTrace", json!({ "threadId": 1 }))["stackFrames"].clone();
    let source = frames[0]["source"].clone();
    let text = client.get(
        "source",
        json!({ "source": source, "sourceReference": source["sourceReference"] }),
    );
    let line = frames[0]["line"].as_u64().unwrap() as usize - 1;
    let text = text["content"].as_str().unwrap().to_owned();
    assert!(
        text.lines()
            .nth(line)
            .unwrap()
            .contains("dx.op.createHandle")
    );
    client.get("disconnect", json!({}));
    // With it, the text is in the shader, also where the file is not there.
    let mut client = Client::start();
    client.launch(
        &data("steps.dxil"),
        json!({ "cwd": std::env::temp_dir(), "stopOnEntry": true }),
    );
    client.get("configurationDone", json!({}));
    client.event("stopped");
    let frames = client.get("stackTrace", json!({ "threadId": 1 }))["stackFrames"].clone();
    let source = frames[0]["source"].clone();
    assert!(source["sourceReference"].as_u64().unwrap() > 0);
    let text = client.get(
        "source",
        json!({ "sourceReference": source["sourceReference"] }),
    );
    let wanted = std::fs::read_to_string(data("steps.hlsl")).unwrap();
    assert_eq!(text["content"], wanted);
    client.get("disconnect", json!({}));
}

#[test]
fn what_is_wrong_is_said_and_can_be_put_right() {
    let mut client = Client::start();
    assert_eq!(
        client.refused("threads", json!({})),
        "launch a shader first"
    );
    client.get("initialize", json!({}));
    for (arguments, wrong) in [
        (json!({}), "the launch has no program"),
        (
            json!({ "program": "nowhere.dxil", "args": ["--dispatch", "1"] }),
            "nowhere.dxil",
        ),
        (json!({ "program": data("steps.dxil") }), "--dispatch"),
        (
            json!({ "program": data("steps.dxil"), "args": ["--dispatsch", "1"] }),
            "--dispatsch",
        ),
        (
            json!({ "program": data("steps.dxil"), "args": ["--dispatch", "1", "--backend", "vulkan"] }),
            "on the CPU",
        ),
    ] {
        let message = client.refused("launch", arguments);
        assert!(message.contains(wrong), "{message}");
    }
    client.launch(&data("steps.dxil"), json!({ "stopOnEntry": true }));
    client.get("configurationDone", json!({}));
    client.event("stopped");
    assert!(client.refused("goto", json!({})).contains("not supported"));
    for request in ["variables", "setVariable"] {
        let arguments = json!({ "variablesReference": 77, "name": "x", "value": "1" });
        assert!(
            client.refused(request, arguments).contains("no more"),
            "{request}"
        );
    }
    client.get(
        "evaluate",
        json!({ "expression": "$lane", "frameId": u64::MAX }),
    );
    client.get("stackTrace", json!({ "threadId": u64::MAX }));
    client.get("disconnect", json!({}));
    // A group that the dispatch does not have ends the session with its error.
    let mut client = Client::start();
    client.launch(&data("steps.dxil"), json!({ "group": [9, 0, 0] }));
    client.get("configurationDone", json!({}));
    assert!(
        client.event("output")["output"]
            .as_str()
            .unwrap()
            .contains("no group")
    );
    assert_eq!(client.event("exited")["exitCode"], 1);
}

#[test]
fn a_port_serves_one_client_after_the_other() {
    // A port that was free a moment ago.
    let port = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let mut server = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .arg(format!("--debug-adapter={port}"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let stdout = server.stdout.take().unwrap();
    BufReader::new(stdout).read_line(&mut said).unwrap();
    assert_eq!(said, format!("listening at 127.0.0.1:{port}\n"));
    for lane in [4, 5] {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let mut client = Client {
            child: None,
            input: Box::new(stream.try_clone().unwrap()),
            output: Box::new(BufReader::new(stream)),
            next: 0,
            events: Vec::new(),
        };
        client.launch(
            &data("steps.dxil"),
            json!({ "thread": lane, "stopOnEntry": true }),
        );
        client.get("configurationDone", json!({}));
        assert_eq!(client.event("stopped")["threadId"], lane + 1);
        client.get("disconnect", json!({}));
    }
    server.kill().unwrap();
    server.wait().unwrap();
}
