//! One table of exit codes for all commands, each code provoked as a user would.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use dxil_jit::exit::{Exit, TABLE};

const RUN: &str = env!("CARGO_BIN_EXE_dxil-run");
const DIS: &str = env!("CARGO_BIN_EXE_dxil-dis");
const VAL: &str = env!("CARGO_BIN_EXE_dxil-val");
const SIGN: &str = env!("CARGO_BIN_EXE_dxil-sign");
const DEBUG: &str = env!("CARGO_BIN_EXE_dxil-debug");
const EDIT: &str = env!("CARGO_BIN_EXE_dxil-edit");
const AS: &str = env!("CARGO_BIN_EXE_dxil-as");
const UPGRADE: &str = env!("CARGO_BIN_EXE_dxbc2dxil");
const OPT: &str = env!("CARGO_BIN_EXE_dxil-opt");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn call(command: &str, arguments: &[&str]) -> Output {
    Command::new(command)
        .args(arguments)
        .current_dir(root())
        .env("VK_DRIVER_FILES", "/nonexistent")
        .output()
        .unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn ends(command: &str, arguments: &[&str], exit: Exit, message: &str) {
    let output = call(command, arguments);
    let said = format!(
        "{command} {arguments:?}: {}{}",
        stderr(&output),
        String::from_utf8_lossy(&output.stdout)
    );
    assert_eq!(output.status.code(), Some(exit.code().into()), "{said}");
    assert!(said.contains(message), "{said}");
}

const SHADER: &str = "hwtests/shaders/flow/collatz.dxil";

/// Returns a file with these bytes in the folder for scratch files.
fn file(name: &str, bytes: &[u8]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exit_codes");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Returns the arguments with which each command reads a shader.
fn readers() -> [(&'static str, Vec<&'static str>); 5] {
    let out = concat!(env!("CARGO_TARGET_TMPDIR"), "/never.dxil");
    [
        (RUN, vec!["--emit", "spv"]),
        (DIS, vec![]),
        (VAL, vec![]),
        (SIGN, vec!["-o", out]),
        (EDIT, vec!["-o", out]),
    ]
}

#[test]
fn every_command_prints_the_same_table() {
    for command in [RUN, DIS, VAL, SIGN, EDIT, AS] {
        let help = call(command, &["--help"]);
        assert_eq!(help.status.code(), Some(0));
        let help = String::from_utf8(help.stdout).unwrap();
        // Long lines are wrapped.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&help).contains(&words(TABLE)), "{command}: {help}");
    }
}

#[test]
fn a_missing_file_ends_with_9_everywhere() {
    for (command, options) in readers() {
        let mut arguments = vec!["no/such.dxil"];
        arguments.extend(options);
        ends(command, &arguments, Exit::File, "no/such.dxil: ");
    }
    ends(
        RUN,
        &[
            SHADER,
            "--backend",
            "cpu",
            "--dispatch",
            "1",
            "--out",
            "u0=/no/such/folder/x.bin",
        ],
        Exit::File,
        "/no/such/folder/x.bin: ",
    );
    ends(
        RUN,
        &["--pipeline", "no/such.yaml", SHADER],
        Exit::File,
        "no/such.yaml: ",
    );
    ends(
        RUN,
        &[
            SHADER,
            "--backend",
            "cpu",
            "--dispatch",
            "1",
            "--bind",
            "u0=no/such.npy",
        ],
        Exit::File,
        "no/such.npy",
    );
}

#[test]
fn a_wrong_command_line_ends_with_2_everywhere() {
    for command in [RUN, DIS, VAL, SIGN, EDIT, AS] {
        ends(command, &["--nonsense"], Exit::Usage, "--nonsense");
        ends(command, &[], Exit::Usage, "required");
    }
    ends(RUN, &[SHADER], Exit::Usage, "nothing to do");
}

#[test]
fn malformed_input_ends_with_3_and_unsupported_input_with_4() {
    let cut = file("cut.dxil", b"DXBC\0\0\0\0");
    for (command, options) in [&readers()[..2], &readers()[3..]].concat() {
        let mut arguments = vec![cut.as_str()];
        arguments.extend(options);
        ends(command, &arguments, Exit::Malformed, "byte 0x4");
    }
    // For the validator a malformed container is a broken rule.
    ends(VAL, &[&cut], Exit::Mismatch, "cut.dxil");
    ends(
        RUN,
        &["hwtests/shaders/linking/caller.dxil", "--emit", "spv"],
        Exit::Unsupported,
        "undefined function",
    );
}

#[test]
fn a_missing_device_ends_with_5() {
    for backend in ["vulkan", "wgpu"] {
        ends(
            RUN,
            &[SHADER, "--dispatch", "1", "--backend", backend],
            Exit::NoDevice,
            "mesa-vulkan-drivers",
        );
    }
}

#[test]
fn infinite_loops_end_with_6() {
    ends(
        RUN,
        &[
            "runtime/tests/data/infinite_loop.dxil",
            "--dispatch",
            "1",
            "--backend",
            "cpu",
            "--timeout",
            "0.5",
        ],
        Exit::Stopped,
        "did not end within",
    );
}

#[test]
fn what_does_not_hold_ends_with_1() {
    ends(SIGN, &["--check", SHADER], Exit::Mismatch, "not signed");
}

#[test]
fn several_files_end_with_the_highest_code() {
    let cut = file("several.dxil", b"DXBC\0\0\0\0");
    ends(
        DIS,
        &[&cut, "no/such.dxil", SHADER],
        Exit::File,
        "several.dxil",
    );
    ends(DIS, &[SHADER, &cut], Exit::Malformed, "several.dxil");
}

#[test]
fn what_is_no_shader_is_told_by_name_with_what_to_do() {
    let hlsl = file("source.hlsl", b"[numthreads(8, 8, 1)]\nvoid main() {}\n");
    let spirv = file("module.spv", &[3, 2, 0x23, 7, 0, 0, 1, 0]);
    let empty = file("empty.dxil", b"");
    for (command, options) in &readers()[..2] {
        for (file, message) in [
            (
                &hlsl,
                "this is HLSL source; compile it: dxc -T cs_6_6 -E main",
            ),
            (&spirv, "this is SPIR-V, not DXIL"),
            (&empty, "the file is empty"),
        ] {
            let mut arguments = vec![file.as_str()];
            arguments.extend(options);
            ends(command, &arguments, Exit::Malformed, message);
        }
    }
}

#[test]
fn standard_input_is_a_file_named_by_a_dash() {
    let bytes = std::fs::read(root().join(SHADER)).unwrap();
    for (command, arguments) in [
        (RUN, &["-", "--emit", "spvasm"][..]),
        (DIS, &["-"]),
        (VAL, &["-"]),
        (SIGN, &["--check", "-"]),
    ] {
        let mut child = Command::new(command)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&bytes).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(
            matches!(output.status.code(), Some(0 | 1)) && !output.stdout.is_empty(),
            "{command}: {}",
            stderr(&output)
        );
        assert!(
            !stderr(&output).contains("No such file"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn man_pages_and_completions_come_from_every_command() {
    for (command, name) in [
        (RUN, "dxil-run"),
        (DIS, "dxil-dis"),
        (VAL, "dxil-val"),
        (SIGN, "dxil-sign"),
        (EDIT, "dxil-edit"),
        (AS, "dxil-as"),
        (UPGRADE, "dxbc2dxil"),
        (OPT, "dxil-opt"),
        (DEBUG, "dxil-debug"),
    ] {
        let man = call(command, &["--man"]);
        assert!(man.status.success(), "{}", stderr(&man));
        let man = String::from_utf8(man.stdout).unwrap();
        assert!(man.contains(&format!(".TH {name}")), "{man}");
        assert!(man.contains(".SH OPTIONS"), "{man}");
        for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
            let script = call(command, &["--completions", shell]);
            assert!(script.status.success(), "{}", stderr(&script));
            let script = String::from_utf8(script.stdout).unwrap();
            assert!(script.contains(name), "{shell}: {script}");
        }
    }
}
