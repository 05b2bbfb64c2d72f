//! Dispatches as the page asks for them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use serde_json::{Value, json};

use dxil_web_executor::{Message, answer};

fn read(path: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    std::fs::read(root.join(path)).unwrap()
}

fn ask(head: Value, payloads: Vec<Vec<u8>>) -> Message {
    answer(&Message::with(head, payloads))
}

fn rows(table: &Value) -> Vec<Vec<f64>> {
    let rows = table["rows"].as_array().unwrap().iter();
    let numbers = |row: &Value| {
        let cells = row.as_array().unwrap().iter();
        cells
            .map(|cell| cell.as_str().unwrap().parse().unwrap())
            .collect()
    };
    rows.map(numbers).collect()
}

#[test]
fn registers_have_sizes_that_follow_the_threads() {
    let shader = read("hwtests/shaders/flow/collatz.dxil");
    let planned = ask(json!({ "ask": "plan", "groups": [2, 1, 1] }), vec![shader]).head;
    assert_eq!(planned["group_size"], json!([64, 1, 1]));
    let registers = planned["registers"].as_array().unwrap();
    let sizes: Vec<_> = registers
        .iter()
        .map(|r| (&r["register"], &r["size"], &r["stride"]))
        .collect();
    let [one, two] = [json!([128]), json!([128])];
    assert_eq!(
        sizes,
        [
            (&json!("t0"), &one, &json!(4)),
            (&json!("u0"), &two, &json!(8))
        ]
    );
}

#[test]
fn contents_are_numbers_bytes_and_patterns() {
    let shader = read("hwtests/shaders/flow/collatz.dxil");
    let starts = [27_u32, 6, 1];
    let bytes: Vec<u8> = starts
        .iter()
        .flat_map(|start| start.to_le_bytes())
        .collect();
    let run = |given: Value, more: Vec<Vec<u8>>| {
        let head = json!({ "ask": "run", "groups": [1, 1, 1], "registers": [given] });
        let payloads = std::iter::once(shader.clone()).chain(more).collect();
        let answered = ask(head, payloads);
        assert!(answered.head["error"].is_null(), "{}", answered.head);
        rows(&answered.head["results"][0])
    };
    // Steps and largest values of 27, 6 and 1 (OEIS A006577 and A025586).
    let expected = [[111.0, 9232.0], [8.0, 16.0], [0.0, 1.0]];
    let numbers = run(
        json!({ "register": "t0", "fill": "numbers", "text": "27, 0x6\n1" }),
        vec![],
    );
    let file = run(
        json!({ "register": "t0", "fill": "file", "payload": 1 }),
        vec![bytes],
    );
    assert_eq!(numbers[..3], expected);
    assert_eq!(file, numbers);
    let pattern = run(json!({ "register": "t0", "fill": "pattern" }), vec![]);
    assert_eq!(
        (&pattern[27][..], &pattern[6][..]),
        (&expected[0][..], &expected[1][..])
    );
}

#[test]
fn what_cannot_run_says_why() {
    let vertex = read("runtime/tests/data/triangle_vs.dxil");
    let error = ask(json!({ "ask": "run" }), vec![vertex]).head["error"].clone();
    assert_eq!(error["kind"], "unsupported");
    let compute = read("hwtests/shaders/flow/collatz.dxil");
    let wrong = json!({ "register": "t0", "fill": "numbers", "text": "1 two" });
    let head = json!({ "ask": "run", "registers": [wrong] });
    let error = ask(head, vec![compute.clone()]).head["error"].clone();
    assert_eq!(error["message"], "t0: `two` is not a number");
    let error =
        ask(json!({ "ask": "run", "groups": [70000] }), vec![compute]).head["error"].clone();
    assert!(error["message"].as_str().unwrap().contains("65535"));
}
