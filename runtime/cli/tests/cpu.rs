//! `dxil-run` on machines without a Vulkan device, and with `--backend cpu`. These tests need no
//! driver.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod outcome;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use outcome::{fails, good, text};

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn collatz() -> PathBuf {
    file("../../hwtests/shaders/flow/collatz.dxil")
}

/// Runs the command where the loader finds no driver.
fn run(shader: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .arg(shader)
        .args(arguments)
        .env("VK_DRIVER_FILES", "/nonexistent/driver.json")
        .env("VK_ICD_FILENAMES", "/nonexistent/driver.json")
        .output()
        .unwrap()
}

/// Returns the lines about resources, which hold no times.
fn results(stdout: &str) -> Vec<&str> {
    let lines = stdout.lines();
    lines
        .filter(|line| line.starts_with('u') || line.starts_with("  "))
        .collect()
}

#[test]
fn a_dispatch_without_a_device_runs_on_the_cpu_and_says_so() {
    let output = run(&collatz(), &["--dispatch", "1,1,1"]);
    let stdout = good(&output);
    assert_eq!(
        text(&output.stderr),
        "no Vulkan device: running on the CPU\n"
    );
    assert!(
        stdout.starts_with("main: 1x1x1 groups on CPU (cpu)\n"),
        "{stdout}"
    );
    // Start value 7: 16 steps, the largest value on the way is 52.
    assert!(stdout.contains("       7  16  52\n"), "{stdout}");
    let chosen = run(&collatz(), &["--dispatch", "1,1,1", "--backend", "cpu"]);
    assert_eq!(results(good(&chosen)), results(stdout));
    assert_eq!(text(&chosen.stderr), "");
}

#[test]
fn pipeline_files_and_draws_run_on_the_cpu_as_well() {
    let data = |name: &str| {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../tests/data")
            .join(name)
    };
    let line = "no Vulkan device: running on the CPU\n";
    let (vs, ps) = (data("triangle_vs.dxil"), data("triangle_ps.dxil"));
    let output = run(&vs, &["--draw", "3"]);
    assert!(good(&output).contains("SV_Position.x"));
    assert_eq!(text(&output.stderr), line);
    // The triangle covers the target; red goes from left to right, green from the bottom to the
    // top.
    let ps = ps.to_str().unwrap();
    let size = ["--size", "rt0=4x2", "--format", "rt0=R32G32B32A32_FLOAT"];
    let output = run(&vs, &[&[ps, "--draw", "3", "--json"], &size[..]].concat());
    assert_eq!(text(&output.stderr), line);
    let found: serde_json::Value = serde_json::from_str(good(&output)).unwrap();
    let outputs = found["outputs"].as_array().unwrap();
    let target = outputs
        .iter()
        .find(|output| output["place"] == "rt0")
        .unwrap();
    let texels = target["elements"].as_array().unwrap();
    assert_eq!(texels.len(), 8);
    for (number, texel) in (0u32..).zip(texels) {
        let wanted = [
            (f64::from(number % 4) + 0.5) / 4.0,
            1.0 - (f64::from(number / 4) + 0.5) / 2.0,
            0.0,
            1.0,
        ];
        for (part, wanted) in texel.as_array().unwrap().iter().zip(wanted) {
            assert!((part.as_f64().unwrap() - wanted).abs() < 1e-6, "{texel}");
        }
    }
    let output = run(&vs, &["--vertices", "36"]);
    fails(&output, 2, "--draw 36 draws 36 generated vertices");

    let pipelines = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hwtests/pipelines");
    let file = pipelines.join("square.yaml");
    let arguments = ["--pipeline", file.to_str().unwrap()];
    let output = run(&pipelines.join("square.dxil"), &arguments);
    assert!(good(&output).contains("\nok      "));
    assert_eq!(text(&output.stderr), line);
}

#[test]
fn text_that_is_emitted_before_a_dispatch_appears_once() {
    let output = run(&collatz(), &["--dispatch", "1", "--emit", "spvasm"]);
    let stdout = good(&output);
    assert_eq!(stdout.matches("OpEntryPoint").count(), 1);
    assert!(stdout.contains("groups on CPU (cpu)"), "{stdout}");
}

#[test]
fn a_backend_that_is_asked_for_is_not_replaced() {
    for backend in ["vulkan", "wgpu"] {
        let output = run(&collatz(), &["--dispatch", "1", "--backend", backend]);
        fails(&output, 5, "Vulkan");
        assert_eq!(text(&output.stdout), "");
    }
    fails(
        &run(&collatz(), &["--dispatch", "1", "--device", "1"]),
        5,
        "",
    );
}

#[test]
fn without_a_driver_the_cpu_is_listed() {
    let output = run(Path::new("--list-devices"), &[]);
    let stdout = good(&output);
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(
        matches!(lines.as_slice(), [line] if line.starts_with("--backend cpu --device 0  CPU  ")),
        "{stdout}"
    );
}

#[test]
fn what_lone_stages_lack_names_what_has_it() {
    let shader = file("../../hwtests/shaders/mesh/strip_ms.dxil");
    let arguments = ["--draw", "1", "--indirect", "u32:1,1,1", "--backend", "cpu"];
    fails(&run(&shader, &arguments), 4, "whole draws have them");
}

#[test]
fn waves_have_the_size_that_is_asked_for() {
    let shader = file("../../hwtests/shaders/waves/lanes.dxil");
    for size in ["4", "128"] {
        good(&run(
            &shader,
            &["--dispatch", "1", "--backend", "cpu", "--wave-size", size],
        ));
    }
    let odd = ["--dispatch", "1", "--backend", "cpu", "--wave-size", "12"];
    fails(&run(&shader, &odd), 1, "4, 8, 16, 32, 64 or 128");
}

#[test]
fn an_infinite_loop_ends_with_its_line() {
    let shader = file("tests/data/endless_lines.dxil");
    let loops =
        |stderr: &str| (6..=9).any(|n| stderr.contains(&format!("endless_lines.hlsl:{n}:")));
    let limits: [(&[&str], &str); 2] = [
        (&["--timeout", "0.2"], "did not end within 200ms"),
        (
            &["--max-steps", "100000"],
            "has not ended after 100000 steps",
        ),
    ];
    for (limit, message) in limits {
        let mut arguments = vec!["--dispatch", "1", "--backend", "cpu"];
        arguments.extend_from_slice(limit);
        let output = run(&shader, &arguments);
        fails(&output, 6, message);
        assert!(loops(text(&output.stderr)), "{}", text(&output.stderr));
        // The same where the CPU stands in for a device.
        let mut arguments = vec!["--dispatch", "1"];
        arguments.extend_from_slice(limit);
        let output = run(&shader, &arguments);
        fails(&output, 6, message);
        assert!(loops(text(&output.stderr)), "{}", text(&output.stderr));
    }
}

#[test]
fn memory_is_limited() {
    let arguments = ["--dispatch", "1", "--backend", "cpu", "--max-memory", "0"];
    fails(&run(&collatz(), &arguments), 6, "a thread group needs");
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    for shader in [
        "flow/collatz.dxil",
        // Groups that use the same memory: in order that of their numbers.
        "atomics/lock_loop.dxil",
        "atomics/raw.dxil",
        "buffers/append_consume.dxil",
        "buffers/raw_load_store.dxil",
    ] {
        let path = file("../../hwtests/shaders").join(shader);
        let with = |threads| {
            let arguments = [
                "--dispatch",
                "40,3,2",
                "--backend",
                "cpu",
                "--threads",
                threads,
            ];
            good(&run(&path, &arguments)).to_owned()
        };
        let expected = with("1");
        for threads in ["2", "7"] {
            let found = with(threads);
            assert_eq!(results(&found), results(&expected), "{shader}, {threads}");
        }
    }
}

#[test]
fn checks_name_defects_with_their_lines_and_have_an_exit_code() {
    let shader = |variant| {
        file(&format!(
            "../cpu/tests/check/missing_barrier.{variant}.dxil"
        ))
    };
    let output = run(&shader("defect"), &["--dispatch", "2", "--check"]);
    fails(&output, 8, "1 defect found");
    let stdout = text(&output.stdout);
    assert!(
        stdout.contains("groupshared-race: data race on tile"),
        "{stdout}"
    );
    assert!(stdout.contains("missing_barrier.hlsl:7:"), "{stdout}");
    assert!(
        stdout.contains("    missing_barrier.hlsl:7: tile[i] = id * 3;\n"),
        "{stdout}"
    );
    assert!(stdout.contains("missing_barrier.hlsl:11:"), "{stdout}");
    for arguments in [
        &["--dispatch", "2", "--check=bounds,barriers"][..],
        &["--dispatch", "2"],
    ] {
        good(&run(&shader("defect"), arguments));
    }
    let output = run(&shader("fixed"), &["--dispatch", "2", "--check"]);
    assert!(good(&output).ends_with("\ncheck: no defects found\n"));
    let output = run(
        &shader("fixed"),
        &["--dispatch", "2", "--check", "--backend", "vulkan"],
    );
    fails(&output, 2, "--check runs on the CPU");
}

#[test]
fn findings_are_json_and_sarif() {
    let shader = file("../cpu/tests/check/missing_barrier.defect.dxil");
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.sarif");
    let log_name = log.to_str().unwrap();
    let arguments = ["--dispatch", "2", "--check", "--json", "--sarif", log_name];
    let output = run(&shader, &arguments);
    fails(&output, 8, "1 defect found");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let finding = &report["findings"][0];
    assert_eq!(finding["kind"], "groupshared-race");
    assert_eq!(
        (&finding["check"], &finding["resource"]),
        (&"races".into(), &"tile".into())
    );
    let lines = [&finding["first"], &finding["second"]].map(|p| p["source"]["line"].as_u64());
    assert!(
        lines.contains(&Some(7)) && lines.contains(&Some(11)),
        "{finding}"
    );
    assert!(finding["first"]["source"]["text"].is_string(), "{finding}");
    let log: serde_json::Value = serde_json::from_slice(&std::fs::read(&log).unwrap()).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "groupshared-race");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "missing_barrier.hlsl");
}

#[test]
fn comments_and_files_suppress_findings() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("known.txt");
    let shader = file("../cpu/tests/check/missing_barrier.defect.dxil");
    let with = |text: &str| {
        std::fs::write(&list, text).unwrap();
        let arguments = [
            "--dispatch",
            "2",
            "--check",
            "--suppress",
            list.to_str().unwrap(),
        ];
        run(&shader, &arguments)
    };
    let output = with("# known\nraces tile missing_barrier.hlsl:11\n");
    assert!(good(&output).ends_with("check: no defects found, 1 suppressed\n"));
    fails(
        &with("races tile missing_barrier.hlsl:12\n"),
        8,
        "1 defect found",
    );
    fails(&with("bounds\n"), 8, "1 defect found");
    fails(
        &with("racing\n"),
        1,
        "racing is neither a check nor a kind of finding",
    );
    let shader = file("tests/data/suppressed.dxil");
    let output = run(&shader, &["--dispatch", "2", "--check"]);
    assert!(good(&output).ends_with("check: no defects found, 1 suppressed\n"));
}

#[test]
fn a_run_without_checks_says_what_it_has_noticed() {
    let shader = file("../cpu/tests/check/structured_read_behind.defect.dxil");
    let output = run(&shader, &["--dispatch", "4"]);
    good(&output);
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("accesses out of bounds; --check tells where"),
        "{stderr}"
    );
}

/// A sum of a denormal and zero: 2^-149 is the smallest.
#[test]
fn denormals_are_flushed_where_the_shader_leaves_it_open() {
    let sums = |shader: &str, keeps: bool| {
        let mut arguments = vec!["--dispatch", "1", "--backend", "cpu", "--json"];
        arguments.extend(["--bind", "t0=f32:1e-40,0,1,1"]);
        arguments.extend(keeps.then_some("--keep-denormals"));
        let output = run(
            &file(&format!("../../hwtests/shaders/numbers/{shader}.dxil")),
            &arguments,
        );
        let json: serde_json::Value = serde_json::from_str(good(&output)).unwrap();
        json["outputs"][0]["elements"][0].as_f64().unwrap()
    };
    // `-denorm` any, ftz and preserve.
    assert_eq!(sums("binary", false), 0.0);
    assert!(sums("binary", true) > 0.0);
    assert_eq!(sums("binary_flush", true), 0.0);
    assert!(sums("binary_preserve", false) > 0.0);
}

/// The process may have less address space than the job asks for.
#[cfg(target_os = "linux")]
#[test]
fn resources_beyond_the_memory_are_an_error() {
    let shader = file("../tests/data/saxpy.dxil");
    for megabytes in [6_000, 12_000, 20_000] {
        let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes * 1000);
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_dxil-run")])
            .arg(&shader)
            .args(["--dispatch", "1", "--backend", "cpu", "--no-cache", "-q"])
            .args(["--bind", "u0=zeros:8000000000", "--rows", "0"])
            .output()
            .unwrap();
        fails(&output, 6, "out of host memory");
    }
}
