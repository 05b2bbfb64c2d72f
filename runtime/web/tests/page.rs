//! The page in a headless Chromium: a reader opens shaders, looks at all views, runs and compares.
//!
//! Without a browser (`tools/setup-vulkan.sh browser`) or without the target
//! `wasm32-unknown-unknown`, the test says so and checks nothing. Accessibility is checked if
//! axe-core is in the cache folder (`tools/setup-vulkan.sh axe`).

#![allow(
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise and says what it leaves out"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use dxil_checkout::{files, root, shaders};
use dxil_hwtests::browser::{self, Site};
use serde_json::Value;

/// Every shader whose number in the list of all is a multiple of this goes through every tab: a few
/// dozen of all groups, since modules for tests are slow. `DXIL_JIT_PAGE_ALL=1` takes all shaders,
/// and `DXIL_JIT_PAGE` names a page that `tools/build-web.sh` has built.
const STEP: usize = 12;

/// Returns the number of shaders of which one goes through every tab.
fn step() -> usize {
    if std::env::var_os("DXIL_JIT_PAGE_ALL").is_some() {
        1
    } else {
        STEP
    }
}

/// Builds the page; `None` if the machine lacks what that needs.
fn built() -> Option<PathBuf> {
    if let Some(page) = std::env::var_os("DXIL_JIT_PAGE") {
        return Some(root().join(page));
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let page = folder.join("page");
    let output = Command::new("bash")
        .arg(root().join("tools/build-web.sh"))
        .arg("--quick")
        .arg(&page)
        .env("CARGO_TARGET_DIR", folder)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(3) {
        eprintln!("not checked: {stderr}");
        return None;
    }
    assert!(output.status.success(), "{stderr}");
    Some(page)
}

/// Returns axe-core's script, if it is there.
fn axe() -> Option<Vec<u8>> {
    let cache = std::env::var_os("DXIL_JIT_CACHE").map(PathBuf::from);
    let cache =
        cache.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cache/dxil-jit")));
    fs::read(cache?.join("axe/axe.min.js")).ok()
}

/// Returns steps and largest value of the Collatz sequence of a number, as the example counts them.
fn collatz(start: u64) -> [u64; 2] {
    let (mut value, mut steps, mut largest) = (start, 0, start);
    while value > 1 {
        value = if value.is_multiple_of(2) {
            value / 2
        } else {
            3 * value + 1
        };
        largest = largest.max(value);
        steps += 1;
    }
    [steps, largest]
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0, |word, index| {
            word << 8 | u32::from(chunk.get(index).copied().unwrap_or(0))
        });
        for index in 0..4 {
            if index <= chunk.len() {
                text.push(DIGITS[(word >> (18 - 6 * index)) as usize & 63].into());
            } else {
                text.push('=');
            }
        }
    }
    text
}

/// Returns the page, the test's driver and the shaders.
fn site(page: &Path) -> (Site, Vec<String>) {
    let mut site = Site::default();
    let driver = include_bytes!("driver.html").to_vec();
    site.files.insert("/".to_owned(), driver);
    for extension in ["html", "css", "js", "wasm", "dxil"] {
        for file in files(page, extension) {
            let name = file.strip_prefix(page).unwrap().display().to_string();
            site.files
                .insert(format!("/page/{name}"), fs::read(&file).unwrap());
        }
    }
    if let Some(axe) = axe() {
        site.files.insert("/axe.js".to_owned(), axe);
    }
    let mut all = shaders();
    all.extend(
        files(&root().join("hwtests/shaders"), "dxbc")
            .into_iter()
            .step_by(if step() == 1 { 1 } else { 3 }),
    );
    all.push(root().join("runtime/tests/data/saxpy.spv"));
    let chosen = all.iter().step_by(step()).chain(all.last());
    let mut list = Vec::new();
    for (number, file) in chosen.enumerate() {
        let name = format!("{number}-{}", file.file_name().unwrap().display());
        site.files
            .insert(format!("/shaders/{name}"), fs::read(file).unwrap());
        list.push(name);
    }
    let endless = root().join("runtime/tests/data/infinite_loop.dxil");
    site.files.insert(
        "/shaders/infinite_loop.dxil".to_owned(),
        fs::read(endless).unwrap(),
    );
    let steps = root().join("runtime/debug/tests/data/steps.dxil");
    site.files
        .insert("/shaders/steps.dxil".to_owned(), fs::read(steps).unwrap());
    let triangle = fs::read(root().join("runtime/tests/data/triangle_vs.dxil")).unwrap();
    site.files
        .insert("/pasted".to_owned(), base64(&triangle).into_bytes());
    let names = serde_json::to_vec(&list).unwrap();
    site.files.insert("/list".to_owned(), names);
    (site, list)
}

/// Checks a session with `steps.hlsl`, whose thread 7 of group 1 calls `sum(3)`: that adds 2, 4, 6.
fn debugging(answer: &Value) {
    let status = |answer: &Value| answer["status"].as_str().unwrap().to_owned();
    let locals = |answer: &Value| {
        let of = |name: &str| answer["locals"][name].as_str().unwrap_or("").to_owned();
        (of("i"), of("total"))
    };
    let round = |i: u32, total: u32| (i.to_string(), total.to_string());
    for (at, thread) in [("first", "thread 0,0,0 "), ("chosen", "thread 39,0,0 ")] {
        let status = status(&answer[at]);
        assert!(
            status.starts_with("start of the wave: steps.hlsl:") && status.contains(thread),
            "{status}"
        );
    }
    let points = answer["points"].as_array().unwrap();
    assert_eq!(points.len(), 1, "{points:?}");
    assert!(points[0].as_str().unwrap().starts_with('●'), "{points:?}");
    let loops = answer["loops"].as_array().unwrap();
    for (at, wanted) in loops.iter().zip([round(0, 0), round(1, 2), round(2, 6)]) {
        let status = status(at);
        assert!(
            status.starts_with("breakpoint 1: steps.hlsl:25 in sum, thread 39,0,0 (lane 7; "),
            "{status}"
        );
        assert_eq!(locals(at), wanted);
        assert_eq!(at["failures"], serde_json::json!([]));
    }
    let back = answer["back"].as_array().unwrap();
    assert_eq!(locals(&back[0]), round(1, 2));
    // The line before is the loop's, in the same round.
    assert!(
        status(&back[1]).contains("steps.hlsl:23 in sum"),
        "{}",
        back[1]
    );
    assert_eq!(locals(&back[2]), round(1, 2));
    assert_eq!(locals(&back[3]), round(2, 6));
    assert!(status(&answer["into"]).contains(" in twice, "), "{answer}");
    assert!(status(&answer["out"]).contains(" in sum, "), "{answer}");
    // Back at the breakpoint in the last round, where only lanes that call `sum(3)` are active.
    let lanes = answer["lanes"].as_array().unwrap();
    assert_eq!(lanes.len(), 32);
    for (number, lane) in lanes.iter().enumerate() {
        assert_eq!(lane[0], number.to_string(), "{lane}");
        assert_eq!(lane[1], format!("thread {},0,0", 32 + number));
        assert_eq!(lane[2] == "active", number % 4 == 3, "{lane}");
    }
    assert_eq!(lanes[7][3], "3");
    assert_eq!(answer["watched"], "18");
    let changed = answer["changed"].as_array().unwrap();
    assert_eq!(locals(&changed[0]).1, "1000");
    // The line adds twice(3).
    assert_eq!(locals(&changed[1]).1, "1006");
    assert_eq!(answer["removed"], 0);
    assert_eq!(status(&answer["ended"]), "The group has ended.");
    let refused = answer["refused"].as_array().unwrap();
    assert!(
        refused[0].as_str().unwrap().contains("no_function"),
        "{refused:?}"
    );
    assert!(status(&answer["again"]).contains(" in main, "), "{answer}");
}

#[test]
fn a_reader_sees_everything_of_shaders() {
    let Some(command) = browser::find() else {
        eprintln!("not checked: there is no Chromium (tools/setup-vulkan.sh browser brings one)");
        return;
    };
    let Some(page) = built() else {
        return;
    };
    let (site, list) = site(&page);
    let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join("profile");
    let answers = site
        .visit(
            &command,
            &profile,
            Duration::from_secs(500 + list.len() as u64 * 4),
        )
        .unwrap();
    let answers = answers
        .iter()
        .map(|answer| serde_json::from_slice(answer).unwrap());
    let answers: Vec<Value> = answers.collect();
    for answer in &answers {
        assert!(answer["problem"].is_null(), "{answer}");
        assert!(
            answer["errors"].as_array().is_none_or(Vec::is_empty),
            "{answer}"
        );
    }
    let answer = |key: &str| {
        let found = answers.iter().find(|answer| answer.get(key).is_some());
        &found.unwrap_or_else(|| panic!("no answer about {key}"))[key]
    };

    let first = answer("first").as_str().unwrap();
    assert!(
        first.starts_with("collatz.dxil cs_6_0, 3,636 bytes"),
        "{first}"
    );
    // The number of an element, then what the shader computes of it. 0 and 1 take no steps.
    for row in answer("rows").as_array().unwrap() {
        let row: Vec<u64> = row
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap())
            .collect();
        assert_eq!(row[1..], collatz(row[0]), "{row:?}");
    }
    assert_eq!(answer("rows").as_array().unwrap().len(), 64);
    for (row, start) in answer("given")
        .as_array()
        .unwrap()
        .iter()
        .zip([27, 97, 871])
    {
        let [steps, largest] = collatz(start);
        assert_eq!(
            (row[1].as_u64(), row[2].as_u64()),
            (Some(steps), Some(largest)),
            "{start}"
        );
    }
    let comparison = answer("comparison").as_str().unwrap();
    assert!(
        comparison.contains("all 64 elements are equal"),
        "{comparison}"
    );

    // A line of the listing marks the SPIR-V that it became.
    let marks = answer("marks").as_array().unwrap();
    for (line, becomes) in [
        ("BufferLoad", "OpLoad"),
        ("mul", "OpIMul"),
        ("BufferStore", "OpStore"),
    ] {
        let texts = marks
            .iter()
            .filter(|mark| mark[0].as_str().unwrap().contains(line));
        let mut texts = texts.flat_map(|mark| mark[1].as_array().unwrap());
        let is_there = texts.any(|text| text.as_str().unwrap().contains(becomes));
        assert!(is_there, "{line} marks no {becomes}: {marks:?}");
    }
    assert!(
        answer("shared")
            .as_str()
            .unwrap()
            .starts_with("collatz.dxil cs_6_0")
    );
    assert!(
        answer("pasted").as_str().unwrap().contains("vs_6_0"),
        "{}",
        answer("pasted")
    );
    assert_eq!(answer("endless")[0], "Stopped: you stopped it");
    assert_eq!(answer("again"), 1);
    debugging(answer("debugging"));
    match answer("axe") {
        Value::Null => eprintln!("accessibility is not checked: tools/setup-vulkan.sh axe"),
        found => assert_eq!(found.as_array().unwrap(), &Vec::<Value>::new()),
    }

    let looked_at = answers
        .iter()
        .filter(|answer| answer.get("shader").is_some());
    let looked_at: Vec<&Value> = looked_at.collect();
    assert_eq!(looked_at.len(), list.len());
    let failures = looked_at.iter().flat_map(|answer| {
        let texts = answer["failures"].as_array().unwrap().iter();
        texts.map(|text| (answer["shader"].as_str().unwrap(), text.as_str().unwrap()))
    });
    // What the target or the language lacks is no failure of the page.
    let surprises: Vec<_> = failures
        .filter(|(_, text)| !text.contains(": Not supported: "))
        // The executor calls a module with recursion malformed; the translator does not support it.
        .filter(|(_, text)| !text.contains("Malformed input: main b0: recursion"))
        .collect();
    assert!(surprises.is_empty(), "{surprises:#?}");
}
