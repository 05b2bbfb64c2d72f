//! The cache as users of `dxil-run` see it: what a second run finds, damage, and a full or
//! unusable folder. These tests need a Vulkan driver.

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

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for sub in std::fs::read_dir(folder.join("entries")).unwrap() {
        for file in std::fs::read_dir(sub.unwrap().path()).unwrap() {
            all.push(file.unwrap().path());
        }
    }
    all.sort();
    all
}

fn run(folder: &Path, more: &[&str]) -> Output {
    run_shader(&data("fields.dxil"), folder, more)
}

fn run_shader(shader: &Path, folder: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .arg(shader)
        .args(["--dispatch", "1", "--time", "1", "--timeout", "30"])
        .args(more)
        .env("XDG_CACHE_HOME", folder)
        .env_remove("RUST_LOG")
        .output()
        .unwrap()
}

#[track_caller]
fn stdout(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the lines that do not hold times.
fn results(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with('u') || line.starts_with("  "))
        .collect()
}

#[test]
fn a_second_run_finds_what_the_first_one_kept_and_damage_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let first = stdout(&run(folder.path(), &[]));
    assert!(first.contains("translations 0 found, 1 made"), "{first}");
    assert!(first.contains("pipelines 0 found, 1 made"), "{first}");
    let second = stdout(&run(folder.path(), &[]));
    assert!(second.contains("translations 1 found (saved"), "{second}");
    assert!(second.contains("pipelines 1 found (saved"), "{second}");
    assert_eq!(results(&first), results(&second));
    // What was found was not translated, and no time is called that of a translation.
    assert!(first.contains("translated in "), "{first}");
    assert!(!second.contains("translated in "), "{second}");
    assert!(
        second.contains("translation from the cache in "),
        "{second}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&run(folder.path(), &["--json"]))).unwrap();
    assert_eq!(json["translations_cached"], 1);

    let entries = files(&folder.path().join("dxil-jit"));
    assert_eq!(entries.len(), 2);
    for entry in &entries {
        let bytes = std::fs::read(entry).unwrap();
        std::fs::write(entry, &bytes[..bytes.len() - 3]).unwrap();
    }
    let third = run(folder.path(), &[]);
    let stderr = String::from_utf8_lossy(&third.stderr).into_owned();
    for entry in &entries {
        let name = entry.display().to_string();
        assert_eq!(stderr.matches(&name).count(), 1, "{stderr}");
    }
    let third = stdout(&third);
    assert!(third.contains("translations 0 found, 1 made"), "{third}");
    assert_eq!(results(&first), results(&third));

    let fourth = run(folder.path(), &[]);
    assert_eq!(String::from_utf8_lossy(&fourth.stderr), "");
    assert!(stdout(&fourth).contains("translations 1 found"));
}

#[test]
fn dxbc_is_kept_as_dxil_is() {
    let shader = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/kernels/saxpy.dxbc");
    let folder = tempfile::tempdir().unwrap();
    for found in [false, true] {
        let text = stdout(&run_shader(&shader, folder.path(), &[]));
        let said = if found {
            "1 found (saved"
        } else {
            "0 found, 1 made"
        };
        for kept in ["translations", "pipelines"] {
            assert!(text.contains(&format!("{kept} {said}")), "{text}");
        }
    }
    // The same HLSL as DXIL is another shader.
    let dxil = shader.with_extension("dxil");
    let text = stdout(&run_shader(&dxil, folder.path(), &[]));
    assert!(text.contains("translations 0 found, 1 made"), "{text}");
}

#[test]
fn wgpu_keeps_translations_and_pipelines_too() {
    for way in [
        &["--backend", "wgpu"][..],
        &["--backend", "wgpu", "--portable"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        let first = stdout(&run(folder.path(), way));
        assert!(first.contains("translations 0 found, 1 made"), "{first}");
        assert!(first.contains("pipelines 0 found, 1 made"), "{first}");
        let second = stdout(&run(folder.path(), way));
        assert!(second.contains("translations 1 found (saved"), "{second}");
        assert!(second.contains("pipelines 1 found (saved"), "{second}");
        assert_eq!(results(&first), results(&second));
    }
}

#[test]
fn the_cache_lies_where_the_command_line_says_or_nowhere() {
    let home = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let text = stdout(&run(home.path(), &["--no-cache"]));
    assert!(!text.contains("cache:"), "{text}");
    let place = other.path().join("a/b");
    stdout(&run(home.path(), &["--cache", place.to_str().unwrap()]));
    assert_eq!(files(&place).len(), 2);
    assert!(!home.path().join("dxil-jit").exists());

    // A file where the folder should be: an error if asked for by name, else no cache.
    let file = home.path().join("dxil-jit");
    std::fs::write(&file, b"").unwrap();
    let output = run(home.path(), &["--cache", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(9));
    assert!(!stdout(&run(home.path(), &[])).contains("cache:"));
}

#[test]
fn what_cannot_be_kept_is_said_once_and_the_work_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let first = stdout(&run(folder.path(), &[]));
    // Files where the entries' folders should be keep even root from writing there.
    let entries = files(&folder.path().join("dxil-jit"));
    assert_eq!(entries.len(), 2);
    for entry in &entries {
        let parent = entry.parent().unwrap();
        _ = std::fs::remove_dir_all(parent);
        std::fs::write(parent, b"").unwrap();
    }
    let output = run(folder.path(), &[]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(error.matches("warn: cache: ").count(), 1, "{error}");
    assert_eq!(results(&first), results(&stdout(&output)));
    // A file in the place of the cache's own folder: no cache, and no word where nobody asked for
    // one.
    let parts = folder.path().join("dxil-jit/parts");
    std::fs::remove_dir_all(&parts).unwrap();
    std::fs::write(&parts, b"").unwrap();
    let output = run(folder.path(), &[]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(results(&first), results(&stdout(&output)));
}
