//! Every checked-in shader is asked about everything, without a browser.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

use std::collections::BTreeSet;
use std::fs;

use dxil_checkout::{root, shaders};
use dxil_web::{Message, answer};
use serde_json::{Value, json};

fn ask(head: Value, bytes: &[u8]) -> Message {
    answer(&Message::with(head, vec![bytes.to_vec()]))
}

fn read(path: &str) -> Vec<u8> {
    fs::read(root().join(path)).unwrap()
}

/// Returns the text of an answered line.
fn text(line: &Value) -> String {
    let runs = line["runs"].as_array().unwrap().iter();
    let texts = runs.map(|run| run.as_str().or_else(|| run[1].as_str()).unwrap());
    texts.collect()
}

#[test]
fn every_shader_is_shown_and_no_answer_is_an_internal_error() {
    let questions = [
        json!({ "ask": "overview" }),
        json!({ "ask": "code", "form": "listing" }),
        json!({ "ask": "code", "form": "llvm" }),
        json!({ "ask": "code", "form": "source" }),
        json!({ "ask": "flow" }),
        json!({ "ask": "check" }),
    ];
    let (mut count, mut translated) = (0, 0);
    for path in shaders().iter().step_by(3) {
        let bytes = fs::read(path).unwrap();
        let opened = ask(json!({ "ask": "open" }), &bytes);
        assert_eq!(
            opened.payloads,
            std::slice::from_ref(&bytes),
            "{}: {}",
            path.display(),
            opened.head
        );
        for question in &questions {
            let answered = ask(question.clone(), &bytes);
            assert!(
                answered.head["error"].is_null(),
                "{}: {}",
                path.display(),
                answered.head
            );
        }
        let spirv = ask(json!({ "ask": "spirv" }), &bytes);
        assert_ne!(
            spirv.head["error"]["kind"],
            "internal",
            "{}",
            path.display()
        );
        if spirv.head["error"].is_null() {
            translated += 1;
            // All words are of some kind.
            let kinds = spirv.head["statistics"]["kinds"].as_array().unwrap().iter();
            let words: u64 = kinds.map(|kind| kind[2].as_u64().unwrap()).sum();
            assert_eq!(
                words as usize * 4,
                spirv.payloads[0].len(),
                "{}",
                path.display()
            );
        }
        count += 1;
    }
    assert!(
        count > 100 && translated * 10 > count * 9,
        "{translated} of {count}"
    );
}

#[test]
fn spirv_comes_from_lines_of_the_listing() {
    let bytes = read("hwtests/shaders/flow/collatz.dxil");
    let listing = ask(json!({ "ask": "code", "form": "listing" }), &bytes).head;
    let spirv = ask(json!({ "ask": "spirv" }), &bytes).head;
    let line_of = |origin: &Value| {
        let mut lines = listing["lines"].as_array().unwrap().iter();
        text(lines.find(|line| line["origin"] == *origin).unwrap())
    };
    let mut linked = BTreeSet::new();
    for line in spirv["lines"].as_array().unwrap() {
        if line["origin"].is_null() {
            continue;
        }
        let (from, to) = (line_of(&line["origin"]), text(line));
        linked.insert(line["origin"].as_u64().unwrap());
        // What one instruction can only come from.
        for (instruction, origin) in [("OpPhi", "phi"), ("OpStore", "Store")] {
            assert!(
                !to.contains(instruction) || from.contains(origin),
                "{to} from {from}"
            );
        }
    }
    assert!(linked.len() > 10, "{linked:?}");
}

#[test]
fn listings_are_those_of_the_library_behind_dxil_dis() {
    let bytes = read("hwtests/shaders/flow/nested_ifs.dxil");
    let listing = ask(json!({ "ask": "code", "form": "listing" }), &bytes).head;
    let lines = listing["lines"].as_array().unwrap().iter();
    let texts: Vec<String> = lines.map(text).collect();
    let choice = dxil_inspect::contents::Choice::default();
    let document = dxil_inspect::contents::describe(&choice, "x".to_owned(), &bytes, None);
    let code = document
        .sections
        .iter()
        .find(|section| section.key == "code")
        .unwrap();
    let code = anstream::adapter::strip_str(code.text.as_deref().unwrap()).to_string();
    assert_eq!(texts, code.lines().map(str::to_owned).collect::<Vec<_>>());
}

#[test]
fn texts_become_shaders_and_other_files_get_the_message_of_the_commands() {
    let assembly = read("hwtests/shaders/groupshared/initial_values_restored.ll");
    let bytes = read("hwtests/shaders/flow/collatz.dxil");
    let llvm = ask(json!({ "ask": "code", "form": "llvm" }), &bytes).head;
    let lines = llvm["lines"].as_array().unwrap().iter();
    let written: Vec<String> = lines.map(text).collect();
    for text in [assembly, written.join("\n").into_bytes()] {
        let opened = ask(json!({ "ask": "open" }), &text);
        assert_eq!(opened.head["kind"], "container", "{}", opened.head);
        let checked = ask(json!({ "ask": "overview" }), &opened.payloads[0]);
        assert_eq!(checked.head["errors"], json!([]));
    }
    for (text, words) in [
        (
            &b"[numthreads(1,1,1)] void main() {}"[..],
            "this is HLSL source",
        ),
        (b"", "the file is empty"),
        (b"\x7fELF", "this is a program for a CPU"),
    ] {
        let error = &ask(json!({ "ask": "open" }), text).head["error"];
        assert_eq!(error["kind"], "malformed");
        assert!(
            error["message"].as_str().unwrap().contains(words),
            "{error}"
        );
    }
}

#[test]
fn differences_are_those_of_dxil_dis() {
    let [first, second] =
        ["dxil", "dxbc"].map(|kind| read(&format!("hwtests/shaders/groupshared/reverse.{kind}")));
    let compare = |a: &[u8], b: &[u8]| {
        let head = json!({ "ask": "compare", "a": "a", "b": "b" });
        answer(&Message::with(head, vec![a.to_vec(), b.to_vec()])).head
    };
    assert_eq!(compare(&first, &first)["differences"], 0);
    let found = compare(&first, &second);
    let lines = found["lines"].as_array().unwrap();
    assert!(found["differences"].as_u64().unwrap() > 0);
    assert_eq!(text(&lines[0]), "--- a");
}

#[test]
fn hostile_bytes_get_answers() {
    let bytes = read("hwtests/shaders/flow/collatz.dxil");
    let questions = [
        "open", "overview", "code", "flow", "spirv", "check", "portable", "nothing",
    ];
    for length in (0..bytes.len()).step_by(97) {
        for question in questions {
            let answered = ask(
                json!({ "ask": question, "language": "wgsl" }),
                &bytes[..length],
            );
            assert_ne!(
                answered.head["error"]["kind"], "internal",
                "{question} {length}"
            );
        }
    }
}
