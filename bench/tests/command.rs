//! `dxil-bench` as a user types it: lists, pipes and exit codes. Nothing is measured.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output, Stdio};

use dxil_commands::exit::Exit;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dxil-bench"));
    command
        .args(arguments)
        // Some options make files.
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .env("VK_DRIVER_FILES", "/nonexistent");
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

#[track_caller]
fn ends(arguments: &[&str], exit: Exit, message: &str) {
    let output = run(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(exit.code().into()), "{stderr}");
    assert!(stderr.contains(message), "{stderr}");
}

#[test]
fn the_list_may_be_cut_by_its_reader() {
    let mut child = command(&["--list"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // `| head -0`: the reader leaves before anything is written.
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn errors_have_the_exit_codes_of_the_other_commands() {
    ends(&["--nonsense"], Exit::Usage, "--nonsense");
    ends(&["no-such-kernel"], Exit::Usage, "there are: ");
    ends(
        &["--json", "/no/such/folder/x.json"],
        Exit::File,
        "/no/such/folder/x.json",
    );
    ends(&["corpus", "/no/such/folder"], Exit::File, "No such file");
    ends(&["peer", "/no/such/library.so"], Exit::File, "library.so");
    ends(&[], Exit::NoDevice, "mesa-vulkan-drivers");
}

#[test]
fn help_has_the_table_of_exit_codes() {
    let output = run(&["--help"]);
    let help = String::from_utf8_lossy(&output.stdout);
    assert!(help.contains(dxil_commands::exit::TABLE), "{help}");
}

#[test]
fn the_short_help_is_one_screen_in_groups() {
    let output = command(&["-h"]).env("COLUMNS", "100").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = help.lines().collect();
    assert!(lines.len() <= 45, "{} lines\n{help}", lines.len());
    assert_eq!(lines.iter().find(|line| line.chars().count() > 100), None);
    for heading in [
        "Commands:",
        "What to measure:",
        "Results:",
        "Help:",
        "Examples:",
    ] {
        assert!(lines.contains(&heading), "{heading}\n{help}");
    }
}

#[test]
fn a_history_that_holds_something_else_is_refused_before_anything_runs() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-history.jsonl");
    std::fs::write(&file, "{}\n").unwrap();
    let path = file.to_str().unwrap();
    ends(&["--history", path], Exit::Malformed, "no-history.jsonl");
    std::fs::write(&file, "").unwrap();
    ends(&["--history", path], Exit::NoDevice, "mesa-vulkan-drivers");
    assert_eq!(std::fs::read(&file).unwrap(), b"");
    ends(
        &["--history", "/no/such/folder/runs.jsonl"],
        Exit::File,
        "/no/such/folder/runs.jsonl",
    );
}

#[test]
fn the_examples_of_the_help_name_kernels() {
    let help = String::from_utf8(run(&["-h"]).stdout).unwrap();
    let examples = help
        .lines()
        .filter_map(|line| line.strip_prefix("  dxil-bench "));
    let examples: Vec<&str> = examples.collect();
    assert!(examples.len() >= 3, "{help}");
    for example in examples {
        // Words on what it does stand after the arguments.
        let arguments = example.trim_start().split("  ").next().unwrap();
        let alone = example.starts_with(' ');
        let arguments: Vec<&str> = if alone {
            vec![]
        } else {
            arguments.split(' ').collect()
        };
        ends(&arguments, Exit::NoDevice, "mesa-vulkan-drivers");
    }
}

#[test]
fn the_second_start_translates_nothing() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("startup.json");
    let json = path.to_str().unwrap();
    let size = ["--shaders", "60", "--threads", "2"];
    let output = run(&[&["startup", "--json", json][..], &size].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let text = std::fs::read_to_string(&path).unwrap();
    let results: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(results["shaders"], 60);
    assert_eq!(results["threads"], 2);
    let starts = results["starts"].as_array().unwrap();
    let counts: Vec<_> = starts
        .iter()
        .map(|start| {
            let count = |name: &str| start[name].as_u64().unwrap();
            (
                start["start"].as_str().unwrap(),
                count("made"),
                count("found"),
            )
        })
        .collect();
    let expected = [("no cache", 60, 0), ("cold", 60, 0), ("cached", 0, 60)];
    assert_eq!(counts, expected);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("60 distinct shaders"), "{table}");
    ends(
        &["startup", "/no/such/folder"],
        Exit::File,
        "/no/such/folder",
    );
}
