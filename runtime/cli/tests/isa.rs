//! `--isa` as it is typed, with the driver that `tools/setup-vulkan.sh` always brings: RADV, which
//! compiles for GPUs without one.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first problem"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use dxil_runtime::isa::{Compiler, Request, Selection, Settings};
use serde_json::Value;

fn shader(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../hwtests/shaders")
        .join(name)
}

fn run(program: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(arguments).output().unwrap()
}

fn dxil_run(arguments: &[&str]) -> Output {
    run(env!("CARGO_BIN_EXE_dxil-run"), arguments)
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns a statistic of the first executable of the n-th shader on the first GPU.
fn statistic(json: &Value, shader: usize, name: &str) -> u64 {
    let executable = &json[0]["results"][shader]["executables"][0];
    let statistics = executable["statistics"].as_array().unwrap();
    let found = statistics.iter().find(|s| s["name"] == name);
    found.unwrap()["value"].as_u64().unwrap()
}

#[test]
fn a_compute_shader_has_the_memory_operations_of_its_source() {
    // It loads x[i] and y[i] and stores y[i].
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/saxpy.dxil");
    let file = file.to_str().unwrap();
    let output = dxil_run(&[file, "--isa", "navi31@radv-null,navi21@radv-null", "--json"]);
    let json: Value = serde_json::from_str(&text(&output)).unwrap();
    assert_eq!(statistic(&json, 0, "VMEM"), 3);
    assert_eq!(json[1]["gpu"], "navi21@radv-null");
    let table = text(&dxil_run(&[file, "--isa", "navi31@radv-null", "-S"]));
    assert!(table.contains("\ncs "), "{table}");
    assert_eq!(table.matches("buffer_load_b32").count(), 2, "{table}");
    assert_eq!(table.matches("buffer_store_b32").count(), 1, "{table}");
}

#[test]
fn stages_are_compiled_alone_and_as_a_pipeline() {
    let [vs, ps] = ["draw/place_vs.dxil", "draw/color_ps.dxil"].map(shader);
    let [vs, ps] = [&vs, &ps].map(|path| path.to_str().unwrap());
    for (files, stages) in [
        (&[vs][..], &["vs"][..]),
        (&[ps], &["ps"]),
        (&[vs, ps], &["vs", "ps"]),
    ] {
        let arguments = [files, &["--isa", "navi31@radv-null", "--json"]].concat();
        let json: Value = serde_json::from_str(&text(&dxil_run(&arguments))).unwrap();
        let executables = json[0]["results"][0]["executables"].as_array().unwrap();
        let found: Vec<_> = executables
            .iter()
            .map(|e| e["stages"][0].as_str().unwrap())
            .collect();
        assert_eq!(found, stages);
    }
}

/// Returns the stages of the executables of the first answer.
fn stages(json: &Value) -> Vec<&str> {
    let executables = json[0]["results"][0]["executables"].as_array().unwrap();
    let stages = executables
        .iter()
        .flat_map(|e| e["stages"].as_array().unwrap());
    stages.map(|stage| stage.as_str().unwrap()).collect()
}

#[test]
fn a_stage_that_needs_others_is_compiled_by_itself() {
    // RDNA 3 merges vertex and hull shader, and the stages before a geometry shader.
    for (file, stage) in [
        ("tess/lines_hs.dxil", "hs"),
        ("tess/lines_ds.dxil", "ds"),
        ("streams/triangle_gs.dxil", "gs"),
        ("mesh/tiles_as.dxil", "as"),
        ("mesh/tiles_ms.dxil", "ms"),
    ] {
        let file = shader(file);
        let arguments = [
            file.to_str().unwrap(),
            "--isa",
            "navi31@radv-null",
            "--json",
        ];
        let json: Value = serde_json::from_str(&text(&dxil_run(&arguments))).unwrap();
        let found = stages(&json);
        assert!(found.contains(&stage), "{file:?}: {found:?}");
        // The stage that was made for it is left out, but where both are one.
        assert!(
            found.iter().all(|one| *one == stage || *one == "vs"),
            "{file:?}: {found:?}"
        );
        assert_eq!(
            json[0]["results"][0]["executables"]
                .as_array()
                .unwrap()
                .len(),
            1
        );
    }
}

#[test]
fn class_instances_take_the_place_of_switches() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hwtests/pipelines");
    let [shader, yaml] =
        ["dxbc", "yaml"].map(|kind| folder.join(format!("class_instances.{kind}")));
    let [shader, yaml] = [&shader, &yaml].map(|path| path.to_str().unwrap());
    let instances = |chosen| ["--class-instance", "0=chosen", "--class-instance", chosen];
    let isa = |more: &[&str]| {
        let gpu = ["--isa", "navi31@radv-null", "--json"];
        dxil_run(&[&[shader], more, &gpu].concat())
    };
    let instructions = |more: &[&str]| {
        let json: Value = serde_json::from_str(&text(&isa(more))).unwrap();
        statistic(&json, 0, "Instructions")
    };
    // Without instances each call is a switch over the table of functions.
    let switches = instructions(&[]);
    let linked = instructions(&instances("1=Multiplies"));
    assert!(linked < switches, "{linked} {switches}");
    let of_file = instructions(&["--pipeline", yaml]);
    assert!(of_file < switches, "{of_file} {switches}");
    let wrong = isa(&instances("1=Adds"));
    let said = String::from_utf8(wrong.stderr).unwrap();
    assert!(said.contains("which takes Multiplies, Negates"), "{said}");
}

#[test]
fn a_pipeline_file_is_a_pipeline() {
    let [file, vs, ps] = ["quadrants.yaml", "quadrants_vs.dxil", "quadrants_ps.dxil"]
        .map(|name| shader("../pipelines").join(name));
    let [file, vs, ps] = [&file, &vs, &ps].map(|path| path.to_str().unwrap());
    let arguments = [
        "--pipeline",
        file,
        vs,
        ps,
        "--isa",
        "navi31@radv-null",
        "--json",
    ];
    let json: Value = serde_json::from_str(&text(&dxil_run(&arguments))).unwrap();
    assert_eq!(stages(&json), ["vs", "ps"]);
    let wrong = ["--pipeline", file, vs, "--isa", "navi31@radv-null"];
    let message = String::from_utf8_lossy(&dxil_run(&wrong).stderr).into_owned();
    assert!(message.contains("stages Pixel, Vertex"), "{message}");
    // A ray tracing pipeline has the groups of its file.
    let [file, library] = ["rays.yaml", "rays.dxil"].map(|name| shader("../pipelines").join(name));
    let [file, library] = [&file, &library].map(|path| path.to_str().unwrap());
    let arguments = [
        "--pipeline",
        file,
        library,
        "--isa",
        "navi31@radv-null",
        "--json",
    ];
    let json: Value = serde_json::from_str(&text(&dxil_run(&arguments))).unwrap();
    assert!(stages(&json).len() > 2, "{json:#}");
}

#[test]
fn source_lines_are_asked_for_and_a_driver_without_them_is_named() {
    let file = shader("debug/inlined.dxil");
    let arguments = [
        file.to_str().unwrap(),
        "--isa",
        "navi31@radv-null",
        "-S=source",
    ];
    let shown = text(&dxil_run(&arguments));
    // Mesa 25 keeps none.
    assert!(
        shown.contains("navi31@radv-null: no source lines"),
        "{shown}"
    );
    assert!(shown.contains("s_endpgm"), "{shown}");
    // Mesa 26 does, where it is.
    if "navi31@radv".parse::<Selection>().unwrap().is_available() {
        let arguments = [file.to_str().unwrap(), "--isa", "navi31@radv", "-S=source"];
        let shown = text(&dxil_run(&arguments));
        let line = "inlined.hlsl:28: Item item = In[id.x];\n";
        assert_eq!(shown.matches(line).count(), 1, "{shown}");
    }
}

#[test]
fn spirv_with_debug_information_is_compiled() {
    let folder = tempfile::tempdir().unwrap();
    let [dxil, spirv] = [
        shader("debug/inlined.dxil"),
        folder.path().join("inlined.spv"),
    ];
    let [dxil, spirv] = [&dxil, &spirv].map(|path| path.to_str().unwrap());
    text(&dxil_run(&[
        dxil,
        "--debug-info",
        "--emit",
        "spv",
        "-o",
        spirv,
    ]));
    let table = text(&dxil_run(&[spirv, "--isa", "navi31@radv-null"]));
    assert!(table.contains("\ncs "), "{table}");
}

#[test]
fn hlsl_is_compared_with_the_spirv_that_dxc_makes_of_it() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/kernels/saxpy.hlsl");
    let arguments = [
        file.to_str().unwrap(),
        "--isa",
        "navi31@radv-null",
        "--compare",
        "dxc",
    ];
    let output = dxil_run(&arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("-T cs_6_6"), "{message}");
    // Where DXC is.
    if std::env::var_os("DXC").is_some() {
        let arguments = [&arguments[..], &["-T", "cs_6_6"]].concat();
        let table = text(&dxil_run(&arguments));
        let line = table.lines().find(|line| line.starts_with("VMEM "));
        assert!(line.is_some_and(|line| line.ends_with("3 / 3")), "{table}");
    }
}

#[test]
fn two_shaders_are_compared_side_by_side() {
    let file = shader("draw/color_ps.dxil");
    let file = file.to_str().unwrap();
    let arguments = [file, "--isa", "navi31@radv-null", "--compare", file];
    let table = text(&dxil_run(&arguments));
    let line = table
        .lines()
        .find(|line| line.starts_with("instructions"))
        .unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!((words[2], words[1]), ("/", words[3]), "{table}");
}

#[test]
fn a_whole_ray_tracing_library_is_a_pipeline() {
    let library = shader("../pipelines/rays.dxil");
    let arguments = [
        library.to_str().unwrap(),
        "--isa",
        "navi31@radv-null",
        "--json",
    ];
    let json: Value = serde_json::from_str(&text(&dxil_run(&arguments))).unwrap();
    let executables = json[0]["results"][0]["executables"].as_array().unwrap();
    assert!(executables.len() > 1, "{json:#}");
}

#[test]
fn the_disassembler_shows_machine_code_too() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/saxpy.dxil");
    let arguments = ["--isa", "navi31@radv-null", file.to_str().unwrap()];
    let table = text(&run(env!("CARGO_BIN_EXE_dxil-dis"), &arguments));
    assert!(
        table.contains("instructions") && table.contains("s_endpgm"),
        "{table}"
    );
}

#[test]
fn gpus_are_listed_with_their_drivers() {
    let list = text(&dxil_run(&["--isa", "help"]));
    let position = list.find("navi31:").unwrap();
    let lines: Vec<&str> = list[position..].lines().take(3).collect();
    assert!(lines[1].contains("@radv "), "{list}");
    assert!(
        lines[2].contains("@radv-null") && lines[2].contains("Mesa"),
        "{list}"
    );
}

#[test]
fn a_module_for_a_device_declares_only_what_the_device_has() {
    // Its flags are not known before it runs; a ray query needs the extension.
    let file = shader("rays/nearest.dxil");
    let file = file.to_str().unwrap();
    let emit = |target: &str| dxil_run(&[file, "--emit", "spvasm", "--target", target]);
    let module = text(&emit("navi31@radv-null"));
    assert!(
        module.contains("RayQueryKHR") && !module.contains("Micromap"),
        "{module}"
    );
    let refused = emit("polaris10@radv-null");
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("rayQuery"), "{message}");
    // The same from a file.
    let arguments = [file, "--isa", "navi31@radv-null", "--json"];
    let json: Value = serde_json::from_str(&text(&dxil_run(&arguments))).unwrap();
    let profile = tempfile::Builder::new().suffix(".json").tempfile().unwrap();
    std::fs::write(profile.path(), json[0]["profile"].to_string()).unwrap();
    assert_eq!(text(&emit(profile.path().to_str().unwrap())), module);
}

#[test]
fn a_gpu_that_nobody_knows_is_a_mistake_on_the_command_line() {
    let file = shader("draw/color_ps.dxil");
    let output = dxil_run(&[file.to_str().unwrap(), "--isa", "voodoo2"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("no GPU `voodoo2`"), "{message}");
}

#[test]
fn what_a_gpu_lacks_is_an_error_that_names_shader_and_gpu() {
    // GCN 4 has no mesh shaders.
    let file = shader("mesh/lines_ms.dxil");
    let output = dxil_run(&[file.to_str().unwrap(), "--isa", "polaris10@radv-null"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(message.contains("lines_ms.dxil, polaris10"), "{message}");
}

#[cfg(unix)]
#[test]
fn a_driver_that_crashes_or_hangs_is_an_error() {
    let mut settings = Settings::default();
    settings.timeout = Duration::from_millis(500);
    let mut start = |script: &str| {
        let arguments = vec!["-c".into(), script.into()];
        settings.worker = Some(("/bin/sh".into(), arguments));
        let started = Compiler::start(&"navi31@radv-null".parse().unwrap(), &settings);
        started.err().unwrap().to_string()
    };
    let crash = start("echo 'assertion failed' >&2; kill -SEGV $$");
    assert!(
        crash.contains("crashed") && crash.contains("assertion failed"),
        "{crash}"
    );
    assert!(crash.contains("signal"), "{crash}");
    let hang = start("exec sleep 100");
    assert!(hang.contains("took longer"), "{hang}");
    let chatter = start("echo this is a driver that prints; exec sleep 100");
    assert!(chatter.contains("crashed"), "{chatter}");
}

#[test]
fn a_worker_that_crashed_is_started_again() {
    let mut settings = Settings::default();
    settings.worker = Some((env!("CARGO_BIN_EXE_dxil-run").into(), Vec::new()));
    let mut compiler = Compiler::start(&"navi31@radv-null".parse().unwrap(), &settings).unwrap();
    let bytes = std::fs::read(shader("draw/color_ps.dxil")).unwrap();
    let broken = Request::new("broken.dxil", vec![b"DXBC".to_vec()]);
    assert!(compiler.compile(&broken).is_err());
    let whole = Request::new("color_ps.dxil", vec![bytes]);
    let compiled = compiler.compile(&whole).unwrap();
    assert_eq!(compiled.executables.len(), 1);
}
