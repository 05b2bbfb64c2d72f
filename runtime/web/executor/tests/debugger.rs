//! Dispatches in the debugger, as the page asks for them: each question goes on from the answer
//! before.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use serde_json::{Value, json};

use dxil_web_executor::{Message, answer};

fn shader() -> Vec<u8> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../debug/tests/data");
    std::fs::read(data.join("steps.dxil")).unwrap()
}

fn ask(head: Value) -> Value {
    let mut question = json!({ "ask": "debug", "groups": [2, 1, 1], "group": [1, 0, 0] });
    let fields = question.as_object_mut().unwrap();
    fields.extend(head.as_object().unwrap().clone());
    let answered = answer(&Message::with(question, vec![shader()])).head;
    assert!(answered["error"].is_null(), "{answered}");
    answered
}

/// Returns where an answer has stopped, for the next question.
fn place(answer: &Value) -> Value {
    let stop = &answer["stop"];
    json!({
        "time": stop["time"],
        // The end is no lane's: the chosen one stays.
        "lane": if stop["ended"] == true { json!(7) } else { stop["lane"].clone() },
        "findings": stop["findings"],
        "ended": stop["ended"],
    })
}

fn line(answer: &Value) -> u64 {
    answer["stop"]["frames"][0]["line"].as_u64().unwrap()
}

fn local(answer: &Value, name: &str) -> String {
    let groups = answer["stop"]["groups"].as_array().unwrap();
    let locals = groups.iter().find(|group| group["title"] == "Locals");
    let values = locals.unwrap()["values"].as_array().unwrap().iter();
    let mut found = values.filter(|value| value["name"] == name);
    found.next().unwrap()["text"].as_str().unwrap().to_owned()
}

/// The line of the source with this text.
fn line_of(files: &Value, text: &str) -> u64 {
    let source = files[0]["text"].as_str().unwrap();
    let line = source.lines().position(|line| line.contains(text));
    line.unwrap() as u64 + 1
}

#[test]
fn a_wave_stops_steps_and_goes_back() {
    let start = ask(json!({ "thread": 7, "files": true }));
    assert_eq!(start["stop"]["reason"], "start of the wave");
    // Groups have 32 threads: thread 7 of group 1 is thread 39 of the dispatch.
    assert_eq!(start["stop"]["name"], "thread 39,0,0");
    let adds = line_of(&start["files"], "total += twice(i + 1);");
    let points = json!([{ "place": adds.to_string() }]);
    let go = |at: &Value, go: &str| {
        ask(
            json!({ "thread": 7, "at": place(at), "go": go, "breakpoints": points,
            "watches": ["total + 2 * (i + 1)"], "lanes": "count" }),
        )
    };
    // `sum(3)` adds 2, 4 and 6.
    let mut at = start;
    for (i, total) in [(0, 0), (1, 2), (2, 6)] {
        at = go(&at, "continue");
        assert_eq!(at["stop"]["reason"], "breakpoint 1");
        assert_eq!(at["breakpoints"][0]["line"], adds);
        assert_eq!(line(&at), adds);
        assert_eq!(
            (local(&at, "i"), local(&at, "total")),
            (format!("{i}"), format!("{total}"))
        );
        let watch = &at["stop"]["watches"][0]["text"];
        assert_eq!(watch, &json!((total + 2 * (i + 1)).to_string()));
    }
    // The threads call `sum(id & 3)`.
    let lanes = at["stop"]["lanes"].as_array().unwrap();
    for (lane, row) in lanes.iter().enumerate().filter(|(lane, _)| lane & 3 == 3) {
        assert_eq!(row["value"], "3", "{lane}");
    }
    let names: Vec<&str> = at["stop"]["frames"]
        .as_array()
        .unwrap()
        .iter()
        .map(|frame| frame["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["sum", "main"]);

    // Back through both loops, and forwards to the same place.
    let before = go(&at, "rcontinue");
    assert_eq!((line(&before), local(&before, "i")), (adds, "1".to_owned()));
    let again = go(&before, "continue");
    assert_eq!(place(&again), place(&at));
    assert_eq!(local(&again, "total"), "6");
    let back = go(&at, "back");
    assert!(back["stop"]["time"].as_u64().unwrap() < at["stop"]["time"].as_u64().unwrap());
    let out = go(&at, "out");
    assert_eq!(out["stop"]["frames"][0]["name"], "main");
    let ended = go(&out, "continue");
    assert_eq!(ended["stop"]["ended"], true);
    let last = go(&ended, "rcontinue");
    assert_eq!(place(&last), place(&at));
}

#[test]
fn what_is_changed_stays_changed_on_the_way_on() {
    let start = ask(json!({ "thread": 7, "files": true }));
    let adds = line_of(&start["files"], "total += twice(i + 1);");
    let points = json!([{ "place": adds.to_string() }]);
    let first =
        ask(json!({ "thread": 7, "at": place(&start), "go": "continue", "breakpoints": points }));
    let changed = ask(
        json!({ "thread": 7, "at": place(&first), "breakpoints": points,
        "set": { "target": "total", "value": "1000 + i" } }),
    );
    assert_eq!(local(&changed, "total"), "1000");
    let edits = json!([changed["stop"]["edit"]]);
    let next = ask(
        json!({ "thread": 7, "at": place(&changed), "go": "continue",
        "breakpoints": points, "edits": edits }),
    );
    assert_eq!(local(&next, "total"), "1002");
    let refused = ask(
        json!({ "thread": 7, "at": place(&first), "set": { "target": "nothing", "value": "1" } }),
    );
    let problem = refused["stop"]["edit"]["problem"].as_str().unwrap();
    assert!(problem.contains("nothing"), "{problem}");
}

#[test]
fn data_messages_conditions_and_resources_are_those_of_the_debugger() {
    let start = ask(json!({ "thread": 7, "files": true }));
    let adds = line_of(&start["files"], "total += twice(i + 1);");
    let points = json!([
        { "place": adds.to_string(), "log": "i is {i}" },
        { "place": adds.to_string(), "condition": "i == 2" },
        { "place": "no_function" },
    ]);
    let at =
        ask(json!({ "thread": 7, "at": place(&start), "go": "continue", "breakpoints": points }));
    assert_eq!(at["output"], json!(["i is 0", "i is 1", "i is 2"]));
    assert_eq!(local(&at, "i"), "2");
    assert!(
        at["breakpoints"][2]["problem"]
            .as_str()
            .unwrap()
            .contains("no_function")
    );

    // Who wrote this element? Back from the end to its last change.
    let data = json!([{ "data": "totals[7]" }]);
    let ended = ask(json!({ "thread": 7, "at": place(&start), "go": "continue" }));
    assert_eq!(ended["stop"]["ended"], true);
    let written = ask(json!({ "thread": 7, "at": place(&ended), "go": "rcontinue",
        "breakpoints": data, "parts": { "Out": 32 } }));
    // `sum(3)` is 12, and odd threads add 100.
    assert_eq!(written["stop"]["reason"], "watch 1: totals[7]: 0 -> 112");
    let resources = written["stop"]["resources"].as_array().unwrap();
    let out = resources.iter().find(|resource| resource["name"] == "Out");
    let out = out.unwrap();
    assert_eq!(out["count"], 64);
    assert_eq!(out["parts"][7]["name"], "[39]");
    // The group has not written its results yet, the one before it has.
    assert_eq!(out["parts"][7]["text"], "0");
    let before = ask(json!({ "thread": 7, "at": place(&written), "parts": { "Out": 0 } }));
    let resources = before["stop"]["resources"].as_array().unwrap();
    assert_ne!(resources[0]["parts"][0]["text"], "0");
}
