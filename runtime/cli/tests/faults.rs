//! `dxil-run` when memory runs out, the device is lost, or a shader never ends: a clear message, an
//! exit code of its own, and nothing hangs. A small Vulkan layer (`runtime/fault-layer`) makes the
//! calls fail.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/data")
        .join(name)
}

/// Returns a folder with the layer's manifest. Cargo puts the library beside the tests.
fn layers() -> tempfile::TempDir {
    let exe = std::env::current_exe().unwrap();
    let prefix = std::env::consts::DLL_PREFIX;
    let suffix = std::env::consts::DLL_SUFFIX;
    let library = exe
        .parent()
        .unwrap()
        .join(format!("{prefix}dxil_fault_layer{suffix}"));
    assert!(library.exists(), "{} is not there", library.display());
    let folder = tempfile::tempdir().unwrap();
    let manifest = serde_json::json!({
        "file_format_version": "1.2.0",
        "layer": {
            "name": "VK_LAYER_DXIL_JIT_fault",
            "type": "GLOBAL",
            "library_path": library,
            "api_version": "1.3.0",
            "implementation_version": "1",
            "description": "makes calls fail",
        },
    });
    std::fs::write(folder.path().join("fault.json"), manifest.to_string()).unwrap();
    folder
}

fn run_with(fault: &str, arguments: &[&str]) -> Output {
    run_shader_with(fault, "saxpy.dxil", &["--dispatch", "1"], arguments)
}

fn run_shader_with(fault: &str, shader: &str, work: &[&str], arguments: &[&str]) -> Output {
    let layers = layers();
    Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .arg(data(shader))
        .args(work)
        .args(["--timeout", "30", "--no-cache"])
        .args(arguments)
        .env("VK_LAYER_PATH", layers.path())
        .env("VK_INSTANCE_LAYERS", "VK_LAYER_DXIL_JIT_fault")
        .env("DXIL_JIT_FAULT", fault)
        .output()
        .unwrap()
}

#[track_caller]
fn fails(output: &Output, code: i32, message: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(stderr.contains(message), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

#[test]
fn sizes_beyond_all_memory_are_told_and_not_fatal() {
    for (shader, size) in [
        ("fields.dxil", "u0=4000000000"),
        ("tex.dxil", "t0=4000000x1000000"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
            .arg(data(shader))
            .args(["--dispatch", "1", "--size", size])
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(6), "{error}");
        assert!(error.contains("out of host memory"), "{error}");
    }
}

#[test]
fn without_a_fault_the_layer_changes_nothing() {
    let output = run_with("", &[]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
}

#[test]
fn a_lost_device_has_an_exit_code_of_its_own() {
    for fault in ["vkQueueSubmit:lost", "vkWaitForFences:lost"] {
        fails(&run_with(fault, &[]), 6, "the device was lost");
    }
    // The second submission is the first timed one.
    let output = run_with("vkQueueSubmit:lost@2", &["--time", "3"]);
    fails(&output, 6, "the device was lost");
}

#[test]
fn memory_that_runs_out_is_named() {
    // Each of the first allocations of a run: buffers, staging, read-back.
    for call in 1..=5 {
        let fault = format!("vkAllocateMemory:memory@{call}");
        fails(&run_with(&fault, &[]), 6, "out of device memory");
    }
    let output = run_with("vkCreateComputePipelines:host", &[]);
    fails(&output, 6, "out of host memory");
}

#[test]
fn ray_tracing_that_fails_half_way_is_told() {
    // One ray into nowhere: the generated ones would call records that do not exist.
    let rays = ["--rays", "1", "--bind", "t1=zeros:48"];
    let run = |fault: &str| run_shader_with(fault, "rays.dxil", &rays, &[]);
    // Every allocation of a run in turn: geometry, structures, scratch, shader tables.
    let mut calls = 0;
    loop {
        let output = run(&format!("vkAllocateMemory:memory@{}", calls + 1));
        if output.status.success() {
            break;
        }
        fails(&output, 6, "out of device memory");
        calls += 1;
    }
    assert!(calls > 10, "only {calls} allocations");
    fails(
        &run("vkCreateRayTracingPipelinesKHR:host"),
        6,
        "out of host memory",
    );
    for call in 1..=3 {
        let fault = format!("vkCreateAccelerationStructureKHR:memory@{call}");
        fails(&run(&fault), 6, "out of device memory");
    }
}

#[test]
fn wgpu_tells_a_lost_device_and_memory_that_runs_out() {
    for way in [
        &["--backend", "wgpu"][..],
        &["--backend", "wgpu", "--portable"],
    ] {
        fails(
            &run_with("vkQueueSubmit:lost", way),
            6,
            "the device was lost",
        );
        let output = run_with("vkAllocateMemory:memory@1", way);
        fails(&output, 6, "out of device memory");
        // While it works.
        for fault in ["vkWaitSemaphores:lost", "vkWaitForFences:lost"] {
            let output = run_with(fault, way);
            // wgpu waits by one kind of object or by the other.
            if !output.status.success() {
                let error = String::from_utf8_lossy(&output.stderr);
                assert_eq!(output.status.code(), Some(6), "{fault}: {error}");
            }
        }
    }
}

#[test]
fn wgpu_that_panics_while_it_opens_a_device_is_an_error() {
    let output = run_with("vkCreateComputePipelines:host", &["--backend", "wgpu"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(1 | 6)), "{error}");
    assert!(error.contains("error: "), "{error}");
    assert!(!error.contains("panicked at"), "{error}");
}

#[test]
fn a_buffer_larger_than_a_binding_is_refused_on_both_backends() {
    for backend in ["vulkan", "wgpu"] {
        let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
            .arg(data("saxpy.dxil"))
            .args(["--dispatch", "1", "--no-cache", "--backend", backend])
            .args(["--bind", "u0=zeros:200000000"])
            .output()
            .unwrap();
        // A device that takes as much is a better one than most.
        if !output.status.success() {
            fails(&output, 4, "bytes of a buffer: 200000000 is more than");
        }
    }
}

#[test]
fn a_buffer_that_no_memory_holds_is_refused_in_words() {
    let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .arg(data("saxpy.dxil"))
        .args(["--dispatch", "1", "--timeout", "30", "--no-cache"])
        .args(["--bind", "u0=zeros:4000000000000000000"])
        .output()
        .unwrap();
    fails(&output, 6, "out of host memory");
}

#[test]
fn a_shader_that_never_ends_is_given_up_after_the_timeout() {
    for way in [
        &["--backend", "vulkan"][..],
        &["--backend", "wgpu"],
        &["--backend", "wgpu", "--portable"],
    ] {
        let begin = std::time::Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
            .arg(data("infinite_loop.dxil"))
            .args(["--dispatch", "1", "--timeout", "0.3", "--no-cache"])
            .args(way)
            .output()
            .unwrap();
        fails(&output, 6, "did not end within 300ms");
        // Far from the default of a minute, on however busy a machine.
        assert!(begin.elapsed().as_secs() < 50);
    }
}
