//! `--pipelines`: the Vulkan pipelines of a library, and what `dxil-run` finds afterwards. These
//! tests need a Vulkan driver.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{checkout, summary, text};

/// Returns `dxil-run`, which Cargo builds beside this package's command. If only this package was
/// built, it is built here.
fn dxil_run() -> PathBuf {
    let own = Path::new(env!("CARGO_BIN_EXE_dxil-precompile"));
    let name = format!("dxil-run{}", std::env::consts::EXE_SUFFIX);
    let program = own.with_file_name(name);
    if !program.exists() {
        let target = own.parent().unwrap().parent().unwrap();
        let built = Command::new(env!("CARGO"))
            // With this package, so that both have their dependencies in common.
            .args([
                "build",
                "--offline",
                "-p",
                "dxil-precompile",
                "-p",
                "dxil-jit",
            ])
            .args([
                "--no-default-features",
                "--features",
                "dxil-jit/vulkan",
                "--bin",
                "dxil-run",
            ])
            .arg("--target-dir")
            .arg(target)
            .current_dir(checkout(""))
            .status();
        assert!(built.unwrap().success());
    }
    program
}

/// Runs `dxil-run` with the cache, and returns its line about it.
#[track_caller]
fn cache_line(cache: &Path, arguments: &[&str]) -> String {
    let output = Command::new(dxil_run())
        .args(arguments)
        .args(["--time", "1", "--cache"])
        .arg(cache)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let text = String::from_utf8_lossy(&output.stdout) + said.as_str();
    let mut lines = text.lines();
    lines
        .find(|line| line.starts_with("cache: "))
        .unwrap()
        .to_owned()
}

#[test]
fn dxil_run_finds_translations_and_pipelines() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let library = folder.path().join("library");
    std::fs::create_dir(&library).unwrap();
    let saxpy = checkout("runtime/tests/data/saxpy.dxil");
    std::fs::copy(&saxpy, library.join("saxpy.dxil")).unwrap();
    for end in ["_vs.dxil", "_ps.dxil", ".yaml"] {
        let name = format!("quadrants{end}");
        std::fs::copy(
            checkout("hwtests/pipelines").join(&name),
            library.join(&name),
        )
        .unwrap();
    }
    let arguments = [text(&library), "--out", text(&cache), "--pipelines"];
    let (exit, first) = summary(&arguments);
    assert_eq!(exit, 0, "{first:#}");
    assert_eq!(first["driver_pipelines"]["created"], 2);
    assert_eq!(first["driver_pipelines"]["made"], 2);
    let line = cache_line(&cache, &[text(&saxpy), "--dispatch", "1"]);
    assert!(line.contains("translations 1 found"), "{line}");
    assert!(line.contains("pipelines 1 found"), "{line}");
    assert_eq!(line.matches("0 made").count(), 2, "{line}");
    // The same shader from a database.
    let database = folder.path().join("game.sodb");
    let made = common::precompile(&[text(&library), "--make", text(&database)]);
    assert!(made.status.success());
    let (exit, again) = summary(&[text(&database), "--out", text(&cache), "--pipelines"]);
    assert_eq!(exit, 0, "{again:#}");
    assert_eq!(again["translations"]["made"], 0, "{again:#}");
    assert_eq!(again["driver_pipelines"]["made"], 0, "{again:#}");
    assert_eq!(again["driver_pipelines"]["found"], 2, "{again:#}");
}

#[test]
fn a_draw_of_a_list_is_found_by_dxil_run() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let shader = |name: &str| checkout("hwtests/pipelines").join(name);
    let (vertex, pixel) = (shader("quadrants_vs.dxil"), shader("quadrants_ps.dxil"));
    let list = folder.path().join("draws.txt");
    let line = format!("{} {}\n", pixel.display(), vertex.display());
    std::fs::write(&list, line).unwrap();
    let (exit, report) = summary(&[text(&list), "--out", text(&cache), "--pipelines"]);
    assert_eq!(exit, 0, "{report:#}");
    let arguments = [text(&vertex), text(&pixel), "--draw", "3"];
    let line = cache_line(&cache, &arguments);
    assert!(line.contains("translations 2 found"), "{line}");
    assert!(line.contains("pipelines 1 found"), "{line}");
}

#[test]
fn a_driver_takes_the_pipelines_of_lone_stages() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let (mut pipelines, mut skipped, mut created) = (0, 0, 0);
    for shaders in ["raster", "tess", "streams", "mesh"] {
        let shaders = checkout("hwtests/shaders").join(shaders);
        let arguments = [text(&shaders), "--out", text(&cache)];
        let (exit, report) = summary(&[&arguments[..], &["--pipelines", "--complete"]].concat());
        assert_eq!(exit, 0, "{report:#}");
        let count = |value: &serde_json::Value| value.as_u64().unwrap();
        pipelines += count(&report["total"]["pipelines"]);
        skipped += count(&report["total"]["skipped"]);
        created += count(&report["driver_pipelines"]["created"]);
    }
    assert_eq!(created, pipelines - skipped);
    assert!(created > 100, "{created}");
}
