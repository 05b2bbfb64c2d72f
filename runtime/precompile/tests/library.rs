//! Libraries of files through the command: each shader once, errors that do not end the run, runs
//! that go on, parts.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use std::fs;

use common::{checkout, precompile, summary, text};
use serde_json::Value;

fn translations(summary: &Value) -> (u64, u64) {
    let of = |name: &str| summary["translations"][name].as_u64().unwrap();
    (of("made"), of("found"))
}

#[test]
fn a_folder_is_translated_once_and_what_is_there_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (library, cache) = (folder.path().join("library"), folder.path().join("cache"));
    fs::create_dir(&library).unwrap();
    let saxpy = checkout("runtime/tests/data/saxpy.dxil");
    for name in ["a.dxil", "b.dxil"] {
        fs::copy(&saxpy, library.join(name)).unwrap();
    }
    fs::copy(
        checkout("hwtests/pipelines/square.dxil"),
        library.join("c.dxil"),
    )
    .unwrap();
    fs::write(library.join("readme.md"), "no shader").unwrap();
    let arguments = [text(&library), "--out", text(&cache)];
    let (exit, first) = summary(&arguments);
    assert_eq!(exit, 0, "{first:#}");
    assert_eq!(first["total"]["pipelines"], 2);
    assert_eq!(first["kinds"]["compute"]["modules"], 2);
    assert_eq!(first["duplicates"], 1);
    assert_eq!(translations(&first), (2, 0));
    let (_, second) = summary(&arguments);
    assert_eq!(translations(&second), (0, 2));
    // Of a run that was killed after some of the work, the rest is done.
    let entries = cache.join("entries");
    let mut files: Vec<_> = fs::read_dir(entries)
        .unwrap()
        .flat_map(|folder| fs::read_dir(folder.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .collect();
    assert_eq!(files.len(), 2);
    files.sort();
    fs::remove_file(&files[0]).unwrap();
    let (_, third) = summary(&arguments);
    assert_eq!(translations(&third), (1, 1));
    // Another target is another module.
    let (_, other) = summary(&[&arguments[..], &["--target", "vulkan1.1"]].concat());
    assert_eq!(translations(&other), (2, 0));
}

#[test]
fn errors_are_listed_by_pipeline_and_the_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (library, cache) = (folder.path().join("library"), folder.path().join("cache"));
    fs::create_dir(&library).unwrap();
    let saxpy = fs::read(checkout("runtime/tests/data/saxpy.dxil")).unwrap();
    fs::write(library.join("good.dxil"), &saxpy).unwrap();
    fs::write(library.join("short.dxil"), &saxpy[..saxpy.len() / 2]).unwrap();
    fs::write(
        library.join("text.dxil"),
        "[numthreads(1, 1, 1)] void main() {}",
    )
    .unwrap();
    let (exit, report) = summary(&[text(&library), "--out", text(&cache)]);
    assert_eq!(exit, 3, "malformed: {report:#}");
    assert_eq!(report["exit_code"], 3);
    assert_eq!(report["total"]["pipelines"], 3);
    assert_eq!(report["total"]["failed"], 2);
    assert_eq!(report["total"]["modules"], 1);
    let errors = report["errors"].as_array().unwrap();
    let of = |name: &str| {
        let mut found = errors.iter();
        let is_it = |error: &&Value| error["pipeline"].as_str().unwrap().ends_with(name);
        found.find(is_it).unwrap()["message"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(errors.len(), 2);
    assert!(of("text.dxil").contains("HLSL source"));
    assert!(!of("short.dxil").is_empty());
    // The table names them too.
    let output = precompile(&[text(&library), "--out", text(&cache)]);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(
        table.contains("error: ") && table.contains("short.dxil"),
        "{table}"
    );
}

#[test]
fn what_the_target_lacks_is_skipped_by_reason_and_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let (library, cache) = (folder.path().join("library"), folder.path().join("cache"));
    fs::create_dir(&library).unwrap();
    for shader in [
        "runtime/tests/data/saxpy.dxil",
        "hwtests/shaders/wide/double_arithmetic.dxil",
        "hwtests/shaders/wide/double_conversions.dxil",
        "translate/filetests/pixel/ordered_per_pixel.dxil",
    ] {
        let name = shader.rsplit('/').next().unwrap();
        fs::copy(checkout(shader), library.join(name)).unwrap();
    }
    // A device of Vulkan 1.2 without any feature that is optional: `shaderFloat64` of
    // VkPhysicalDeviceFeatures, `fragmentShaderPixelInterlock` of VK_EXT_fragment_shader_interlock.
    let profile = folder.path().join("profile.json");
    fs::write(&profile, "{\"vulkan\": \"1.2\", \"features\": []}").unwrap();
    let target = ["--target", text(&profile)];
    let arguments = [&[text(&library), "--out", text(&cache)][..], &target].concat();
    let (exit, report) = summary(&arguments);
    assert_eq!(exit, 0, "{report:#}");
    assert_eq!(report["exit_code"], 0);
    assert_eq!(report["total"]["pipelines"], 4);
    assert_eq!(report["total"]["failed"], 0);
    assert_eq!(report["total"]["skipped"], 3);
    assert_eq!(report["total"]["modules"], 1);
    assert_eq!(report["kinds"]["lone stages"]["skipped"], 1);
    let reasons = report["skipped_by_reason"].as_object().unwrap();
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert_eq!(reasons["the target lacks shaderFloat64"], 2);
    let ordered = "the target lacks fragmentShaderPixelInterlock";
    assert_eq!(reasons[ordered], 1);
    let skipped = report["skipped"].as_array().unwrap();
    assert_eq!(skipped.len(), 3);
    let of_ordered = |one: &&Value| one["reason"] == ordered;
    let pipeline = skipped.iter().find(of_ordered).unwrap()["pipeline"].as_str();
    assert!(pipeline.unwrap().ends_with("ordered_per_pixel.dxil"));
    assert_eq!(report["errors"].as_array().unwrap().len(), 0);
    let output = precompile(&arguments);
    let table = String::from_utf8(output.stdout).unwrap();
    let line = "skipped: 2 pipelines: the target lacks shaderFloat64\n";
    assert!(table.contains(line), "{table}");
    // An error counts all the same.
    fs::write(library.join("bad.dxil"), "DXBC").unwrap();
    let (exit, report) = summary(&arguments);
    assert_eq!(exit, 3, "{report:#}");
    assert_eq!(report["total"]["skipped"], 3);
    assert_eq!(report["total"]["failed"], 1);
}

#[test]
fn shards_share_the_library_out() {
    let folder = tempfile::tempdir().unwrap();
    let shaders = checkout("hwtests/shaders/arith");
    let whole = folder.path().join("whole");
    let (_, all) = summary(&[text(&shaders), "--out", text(&whole)]);
    let cache = folder.path().join("parts");
    let (mut pipelines, mut made, mut modules) = (0, 0, 0);
    for index in 0..3 {
        let shard = format!("{index}/3");
        let (_, part) = summary(&[text(&shaders), "--out", text(&cache), "--shard", &shard]);
        pipelines += part["total"]["pipelines"].as_u64().unwrap();
        modules += part["total"]["modules"].as_u64().unwrap();
        made += translations(&part).0;
        let elsewhere = part["of_other_shards"].as_u64().unwrap();
        assert!(elsewhere > 0, "{part:#}");
    }
    assert_eq!(pipelines, all["total"]["pipelines"]);
    assert_eq!(modules, all["total"]["modules"]);
    assert_eq!(made, translations(&all).0);
    // Together they have done everything.
    let (_, again) = summary(&[text(&shaders), "--out", text(&cache)]);
    assert_eq!(translations(&again).0, 0);
    let auto = std::process::Command::new(env!("CARGO_BIN_EXE_dxil-precompile"))
        .args([
            text(&shaders),
            "--out",
            text(&cache),
            "--json",
            "--shard",
            "auto",
        ])
        .env("JOB_COMPLETION_INDEX", "1")
        .env("JOB_COMPLETIONS", "3")
        .output()
        .unwrap();
    let auto: Value = serde_json::from_slice(&auto.stdout).unwrap();
    assert!(auto["of_other_shards"].as_u64().unwrap() > 0);
}

#[test]
fn a_list_has_a_pipeline_on_each_line() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["quadrants_vs.dxil", "quadrants_ps.dxil", "square.dxil"] {
        fs::copy(
            checkout("hwtests/pipelines").join(name),
            folder.path().join(name),
        )
        .unwrap();
    }
    let list = folder.path().join("game.txt");
    fs::write(
        &list,
        "quadrants_vs.dxil quadrants_ps.dxil\nsquare.dxil\nnone.dxil\n",
    )
    .unwrap();
    let cache = folder.path().join("cache");
    let (exit, report) = summary(&[text(&list), "--out", text(&cache)]);
    assert_eq!(exit, 9, "one file is missing: {report:#}");
    assert_eq!(report["kinds"]["graphics"]["modules"], 2);
    assert_eq!(report["kinds"]["compute"]["modules"], 1);
    assert_eq!(report["errors"].as_array().unwrap().len(), 1);
}

#[test]
fn the_rules_of_the_validator_are_checked_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let saxpy = checkout("runtime/tests/data/saxpy.dxil");
    let cache = folder.path().join("cache");
    let arguments = [text(&saxpy), "--out", text(&cache), "--validate=dxil"];
    let (exit, report) = summary(&arguments);
    assert_eq!(exit, 0, "{report:#}");
    // A handle chosen between two, which DXC's validator calls HANDLENOTFROMCREATEHANDLE; the
    // translator takes it all the same.
    let chosen = checkout("translate/filetests/handles/one_of_several.dxil");
    let arguments = [text(&chosen), "--out", text(&cache)];
    assert_eq!(summary(&arguments).0, 0);
    let (exit, report) = summary(&[&arguments[..], &["--validate=dxil"]].concat());
    assert_eq!(exit, 1, "{report:#}");
    assert_eq!(report["total"]["failed"], 1);
    let message = report["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("HANDLENOTFROMCREATEHANDLE"), "{message}");
}

#[test]
fn a_file_that_is_no_profile_and_a_part_that_is_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let profile = folder.path().join("profile.json");
    fs::write(&profile, "{\"vulkan\": \"9.9\"}").unwrap();
    let saxpy = checkout("runtime/tests/data/saxpy.dxil");
    let cache = folder.path().join("cache");
    let arguments = [text(&saxpy), "--out", text(&cache)];
    let with = |more: &[&str]| precompile(&[&arguments[..], more].concat()).status.code();
    assert_eq!(with(&["--target", text(&profile)]), Some(1));
    assert_eq!(with(&["--shard", "3/3"]), Some(2));
    assert_eq!(with(&["--shard", "auto"]), Some(2));
    assert_eq!(with(&["--target", "navi31", "--pipelines"]), Some(2));
    fs::write(&profile, "{\"vulkan\": \"1.2\", \"features\": []}").unwrap();
    assert_eq!(with(&["--target", text(&profile)]), Some(0));
}
