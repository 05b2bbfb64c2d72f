//! The files for schedulers: parsed, and their commands run with a scheduler's variables.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use common::{checkout, summary, text};
use serde_json::Value;

fn fleet(name: &str) -> std::path::PathBuf {
    checkout("runtime/precompile/fleet").join(name)
}

#[track_caller]
fn parsed(output: &Output) -> Value {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// All parts together have done everything, and no part all of it.
#[track_caller]
fn complete(parts: &[Value], library: &Path, cache: &Path) {
    for part in parts {
        assert!(part["of_other_shards"].as_u64().unwrap() > 0, "{part:#}");
    }
    let (exit, whole) = summary(&[text(library), "--out", text(cache)]);
    assert_eq!(exit, 0);
    assert_eq!(whole["translations"]["made"], 0);
    let sum: u64 = parts
        .iter()
        .map(|part| part["total"]["pipelines"].as_u64().unwrap())
        .sum();
    assert_eq!(whole["total"]["pipelines"], sum);
}

#[test]
fn the_job_for_kubernetes_is_one_and_its_pods_do_the_library() {
    let yaml = std::fs::read_to_string(fleet("kubernetes.yaml")).unwrap();
    let job: Value = serde_saphyr::from_str(&yaml).unwrap();
    assert_eq!(job["apiVersion"], "batch/v1");
    assert_eq!(job["kind"], "Job");
    let spec = &job["spec"];
    assert_eq!(spec["completionMode"], "Indexed");
    let pod = &spec["template"]["spec"];
    // The only policies of jobs are Never and OnFailure; backoffLimitPerIndex takes the first.
    assert_eq!(pod["restartPolicy"], "Never");
    let container = &pod["containers"][0];
    let mut variables: BTreeMap<String, String> = container["env"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap().to_owned();
            (text("name"), text("value"))
        })
        .collect();
    assert_eq!(
        variables["JOB_COMPLETIONS"],
        spec["completions"].as_u64().unwrap().to_string()
    );
    let volumes: Vec<&Value> = pod["volumes"].as_array().unwrap().iter().collect();
    for mount in container["volumeMounts"].as_array().unwrap() {
        assert!(volumes.iter().any(|volume| volume["name"] == mount["name"]));
    }
    assert_eq!(container["command"][0], "dxil-precompile");
    // Three pods instead of eight, with a folder as the store.
    let folder = tempfile::tempdir().unwrap();
    let (library, cache) = (
        checkout("hwtests/shaders/arith"),
        folder.path().join("cache"),
    );
    let mut set = |name: &str, value: &str| variables.insert(name.into(), value.into());
    set("JOB_COMPLETIONS", "3");
    set("LIBRARY", text(&library));
    set("CACHE", text(&cache));
    let arguments: Vec<String> = container["args"]
        .as_array()
        .unwrap()
        .iter()
        .map(|argument| {
            let argument = argument.as_str().unwrap();
            let name = argument
                .strip_prefix("$(")
                .and_then(|rest| rest.strip_suffix(')'));
            name.map_or(argument.to_owned(), |name| variables[name].clone())
        })
        // A folder has no other one in front of it.
        .filter(|argument| argument != "--local" && *argument != variables["LOCAL"])
        .collect();
    let parts: Vec<Value> = (0..3)
        .map(|index| {
            let output = Command::new(env!("CARGO_BIN_EXE_dxil-precompile"))
                .args(&arguments)
                .envs(&variables)
                .env("JOB_COMPLETION_INDEX", index.to_string())
                .output()
                .unwrap();
            parsed(&output)
        })
        .collect();
    complete(&parts, &library, &cache);
}

#[cfg(unix)]
#[test]
fn the_array_for_slurm_does_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let (library, cache) = (
        checkout("hwtests/shaders/arith"),
        folder.path().join("cache"),
    );
    let program = Path::new(env!("CARGO_BIN_EXE_dxil-precompile"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    // Arrays may begin at any number.
    let parts: Vec<Value> = (4..7)
        .map(|task| {
            let output = Command::new("bash")
                .arg(fleet("slurm.sbatch"))
                .env("PATH", &path)
                .env("LIBRARY", &library)
                .env("CACHE", &cache)
                .env("SLURM_ARRAY_TASK_ID", task.to_string())
                .env("SLURM_ARRAY_TASK_COUNT", "3")
                .env("SLURM_ARRAY_TASK_MIN", "4")
                .output()
                .unwrap();
            parsed(&output)
        })
        .collect();
    complete(&parts, &library, &cache);
}
