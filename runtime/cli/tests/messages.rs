//! Help on one screen, and messages that name the file that they are about.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const RUN: &str = env!("CARGO_BIN_EXE_dxil-run");
const DIS: &str = env!("CARGO_BIN_EXE_dxil-dis");
const VAL: &str = env!("CARGO_BIN_EXE_dxil-val");
const SIGN: &str = env!("CARGO_BIN_EXE_dxil-sign");
const DEBUG: &str = env!("CARGO_BIN_EXE_dxil-debug");
const EDIT: &str = env!("CARGO_BIN_EXE_dxil-edit");
const AS: &str = env!("CARGO_BIN_EXE_dxil-as");
const UPGRADE: &str = env!("CARGO_BIN_EXE_dxbc2dxil");
const OPT: &str = env!("CARGO_BIN_EXE_dxil-opt");

/// Lines and columns of a screen that the short help must fit.
const SCREEN: (usize, usize) = (45, 100);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn call(command: &str, arguments: &[&str]) -> Output {
    Command::new(command)
        .args(arguments)
        .current_dir(root())
        .env("COLUMNS", SCREEN.1.to_string())
        .output()
        .unwrap()
}

#[test]
fn the_short_help_of_every_command_is_one_screen() {
    for command in [RUN, DIS, VAL, SIGN, EDIT, AS, DEBUG] {
        let short = call(command, &["-h"]);
        let short = String::from_utf8(short.stdout).unwrap();
        let lines: Vec<&str> = short.lines().collect();
        assert!(lines.len() <= SCREEN.0, "{} lines\n{short}", lines.len());
        let wide = lines.iter().find(|line| line.chars().count() > SCREEN.1);
        assert_eq!(wide, None, "{command}");
        let long = call(command, &["--help"]);
        let long = String::from_utf8(long.stdout).unwrap();
        assert!(long.lines().count() > lines.len(), "{command}");
    }
}

#[test]
fn options_of_the_short_help_stand_in_groups() {
    for (command, headings) in [
        (
            RUN,
            &["What to do:", "Inputs:", "Outputs:", "Device:", "Help:"][..],
        ),
        (DIS, &["What to print:", "How to print:", "Help:"]),
    ] {
        let short = call(command, &["-h"]);
        let short = String::from_utf8(short.stdout).unwrap();
        let found: Vec<&str> = short
            .lines()
            .filter(|line| headings.contains(line))
            .collect();
        assert_eq!(found, headings, "{short}");
    }
}

#[test]
fn an_unknown_entry_point_of_a_draw_lists_those_of_each_file() {
    let files = [
        "runtime/tests/data/triangle_vs.dxil",
        "runtime/tests/data/triangle_ps.dxil",
    ];
    let arguments = ["--draw", "3", "--entry", "other"];
    let output = call(RUN, &[&files[..], &arguments].concat());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    let lists = format!("{} has main, {} has main", files[0], files[1]);
    let expected = format!("error: there is no entry point other; {lists}\n");
    assert!(said.starts_with(&expected), "{said}");
}

#[test]
fn no_rows_are_shown_without_names_of_columns() {
    let arguments = "runtime/tests/data/named.dxil --dispatch 1 --backend cpu --quiet --rows 0";
    let output = call(RUN, &arguments.split(' ').collect::<Vec<_>>());
    let said = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    let heading = lines.iter().position(|line| line.starts_with("u0 "));
    let next = lines[heading.unwrap() + 1];
    assert_eq!(next.trim(), "and 16 more row(s)", "{said}");
}

#[test]
fn an_error_names_the_file_of_its_stage() {
    // It reads b0, which the root signature does not have.
    let needy = "runtime/tests/data/mesh_vs.dxil";
    let pixels = [
        "hwtests/shaders/draw/uv_ps.dxil",
        "runtime/tests/data/triangle_ps.dxil",
    ];
    // Stages are linked first, so each vertex shader has a pixel shader that reads its outputs.
    for (files, wrong) in [
        (["hwtests/shaders/draw/place_vs.dxil", pixels[0]], pixels[0]),
        ([needy, pixels[1]], needy),
    ] {
        let arguments = ["--draw", "3", "--root-signature", "UAV(u7)"];
        let output = call(RUN, &[&files[..], &arguments].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success());
        assert!(said.starts_with(&format!("error: {wrong}: ")), "{said}");
    }
}

#[test]
fn a_pdb_file_without_program_says_what_to_give_instead() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("messages");
    std::fs::create_dir_all(&folder).unwrap();
    let mut pdb = std::fs::read(root().join("frontend/tests/data/pdb/tinted.pdb")).unwrap();
    // The parts of the program get names that nobody knows.
    for name in [*b"DXIL", *b"ILDB"] {
        let places: Vec<usize> = (0..pdb.len())
            .filter(|at| pdb[*at..].starts_with(&name))
            .collect();
        for at in places {
            pdb[at..at + 4].copy_from_slice(b"NONE");
        }
    }
    let file = folder.join("sources_only.pdb");
    std::fs::write(&file, pdb).unwrap();
    let file = file.to_str().unwrap();
    let output = call(RUN, &[file, "--emit", "spv"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("this PDB file holds no program, only its sources and names (dxc -Zs)"),
        "{said}"
    );
    // What it has can be listed.
    let output = call(DIS, &[file]);
    let listed = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && listed.contains("SRCI"),
        "{listed}"
    );
}

#[test]
fn options_about_running_are_refused_where_nothing_runs() {
    let shader = "runtime/tests/data/named.dxil";
    let refused = |options: &[&str], message: &str| {
        let output = call(RUN, &[&[shader, "--emit", "spvasm"], options].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{options:?}: {said}");
        assert!(output.stdout.is_empty(), "{options:?}");
        assert!(said.contains(message), "{options:?}: {said}");
    };
    let alone = "--emit alone runs nothing, and";
    refused(
        &["--bind", "Sim.dt=0.1"],
        &format!("{alone} --bind would change nothing: leave it out, or run the shader too"),
    );
    refused(
        &["--size", "u0=64", "--backend", "cpu", "--time", "5"],
        &format!("{alone} --size, --time and --backend would change nothing: leave them out"),
    );
    refused(&["--out", "u0=x.npy"], "-o FILE says where --emit writes");
    refused(&["--validate=layer"], &format!("{alone} --validate=layer"));
    // Values that are the defaults count too.
    refused(&["--device", "0"], &format!("{alone} --device"));
    refused(&["--draw", "3"], "cannot be used with");
    refused(&["--vertices", "mesh.obj"], "cannot be used with");
    // What a translation looks at, and what runs as well.
    for options in [
        &[
            "--target",
            "vulkan1.1",
            "--validate=dxil",
            "--entry",
            "main",
        ][..],
        &["--quiet", "--no-cache"],
        &[
            "--dispatch",
            "1",
            "--backend",
            "cpu",
            "--bind",
            "Sim.dt=0.1",
        ],
    ] {
        let output = call(RUN, &[&[shader, "--emit", "spvasm"], options].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{options:?}: {said}");
        let code = String::from_utf8(output.stdout).unwrap();
        assert!(code.contains("OpEntryPoint GLCompute"), "{code}");
    }
}

/// Returns the command lines of the examples of a help text.
fn examples(name: &str, help: &str) -> Vec<Vec<String>> {
    let start = format!("  {name} ");
    let lines = help.lines().filter_map(|line| line.strip_prefix(&start));
    lines
        .map(|line| {
            // After the arguments are words on what it does, or where the output goes.
            let end = ["  ", " | ", " > "]
                .iter()
                .filter_map(|mark| line.find(mark));
            let line = &line[..end.min().unwrap_or(line.len())];
            let words = line
                .split(' ')
                .map(|word| word.trim_matches('\'').to_owned());
            words.collect()
        })
        .collect()
}

#[test]
fn the_examples_of_the_help_are_command_lines() {
    // The files are not there: a command line that is wrong ends before it is found out.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("messages");
    std::fs::create_dir_all(&folder).unwrap();
    for (command, name) in [
        (RUN, "dxil-run"),
        (DIS, "dxil-dis"),
        (VAL, "dxil-val"),
        (SIGN, "dxil-sign"),
        (EDIT, "dxil-edit"),
        (AS, "dxil-as"),
        (UPGRADE, "dxbc2dxil"),
        (OPT, "dxil-opt"),
    ] {
        for option in ["-h", "--help"] {
            // Wide, so that no example is wrapped.
            let help = Command::new(command)
                .arg(option)
                .env("COLUMNS", "200")
                .output();
            let help = String::from_utf8(help.unwrap().stdout).unwrap();
            let examples = examples(name, &help);
            assert!(examples.len() >= 3, "{help}");
            for example in examples {
                let mut command = Command::new(command);
                let output = command
                    .args(&example)
                    .current_dir(&folder)
                    .output()
                    .unwrap();
                let said = String::from_utf8_lossy(&output.stderr);
                let code = output.status.code();
                let needs_none = example == ["--rules"] || example[0].starts_with("--ops=");
                let needs_none = code == Some(0) && needs_none;
                assert!(
                    code == Some(9) || needs_none,
                    "{example:?}: {code:?} {said}"
                );
            }
        }
    }
}

#[test]
fn sizes_and_formats_of_what_has_none_are_refused() {
    let named = "runtime/tests/data/named.dxil";
    for (options, message) in [
        (
            &["--size", "t9=4"][..],
            "--size t9: this is no buffer, texture or render target of the job; there are t0 u0",
        ),
        (&["--size", "b0=7"], "--size b0: this is no buffer"),
        (&["--format", "t9=R32_UINT"], "--format t9: this is no"),
        (&["--size", "rt0=4x4"], "--size rt0: this is no"),
        (&["--format", "heap3=R32_UINT"], "--format heap3: this is"),
        (
            &["--format", "src=R32_UINT"],
            "--format t0: StructuredBuffer has no texel format",
        ),
    ] {
        let run = ["--dispatch", "1", "--backend", "cpu"];
        let output = call(RUN, &[&[named], options, &run].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{options:?}: {said}");
        assert!(said.contains(message), "{options:?}: {said}");
    }
}

#[test]
fn options_of_another_backend_or_job_do_not_pass_silently() {
    let named = "runtime/tests/data/named.dxil";
    let on_cpu = |options: &[&str]| {
        let run = [named, "--dispatch", "1", "--backend", "cpu"];
        let output = call(RUN, &[&run, options].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), said)
    };
    for options in [
        &["--portable"][..],
        &["--no-robustness2"],
        &["--descriptor-heaps"],
        &["--target", "vulkan1.1"],
    ] {
        let (code, said) = on_cpu(options);
        assert_eq!(code, Some(0), "{options:?}: {said}");
        let warning = format!("warning: {} does nothing on the backend cpu", options[0]);
        assert!(said.contains(&warning), "{options:?}: {said}");
    }
    let (code, said) = on_cpu(&["--wave-size", "8", "--threads", "1"]);
    assert_eq!((code, said.as_str()), (Some(0), ""));
    let (code, said) = on_cpu(&["--validate=layer"]);
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("--validate=dxil checks the shader"), "{said}");
    // What is about work graphs, without one.
    for option in ["--records", "--record-count", "--record-stride"] {
        let (code, said) = on_cpu(&[option, "node=1"]);
        assert_eq!(code, Some(2), "{option}: {said}");
    }
}

#[test]
fn what_keeps_a_result_from_being_written_is_said_before_the_run() {
    let shader = "hwtests/shaders/flow/collatz.dxil";
    let run = |extra: &[&str]| {
        let mut arguments = vec![shader, "--dispatch", "1", "--backend", "cpu"];
        arguments.extend(extra);
        call(RUN, &arguments)
    };
    let folder = std::env::temp_dir().join(format!("dxil-jit-out-{}", std::process::id()));
    let picture = folder.join("x.png").to_str().unwrap().to_owned();
    let nowhere = run(&["--out", &format!("u0={picture}"), "--size", "u0=8x8"]);
    assert_eq!(nowhere.status.code(), Some(9), "there is no such folder");
    assert!(nowhere.stdout.is_empty(), "nothing has run");
    // A folder that takes no files, from anybody.
    #[cfg(target_os = "linux")]
    {
        let refused = run(&["--out", "u0=/proc/x.npy"]);
        assert_eq!(refused.status.code(), Some(9));
        assert!(refused.stdout.is_empty(), "nothing has run");
    }
    std::fs::create_dir(&folder).unwrap();
    let folder_itself = run(&["--out", &format!("u0={}", folder.display())]);
    assert!(folder_itself.stdout.is_empty() && !folder_itself.status.success());
    let out = format!("u0={picture}");
    let refused = run(&["--out", &out]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.stdout.is_empty(), "nothing has run");
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("--size u0=WIDTHxHEIGHT"), "{message}");
    let text = run(&["--out", "u0=x.txt"]);
    assert!(text.stdout.is_empty() && text.status.code() == Some(2));

    // 64 elements.
    let written = run(&["--out", &out, "--size", "u0=8x8"]);
    assert_eq!(written.status.code(), Some(0));
    let bytes = std::fs::read(&picture).unwrap();
    // PNG 1.2, 11.2.2: width and height stand in the first chunk.
    assert_eq!(bytes[16..24], [0, 0, 0, 8, 0, 0, 0, 8]);
    std::fs::remove_dir_all(&folder).unwrap();
}
