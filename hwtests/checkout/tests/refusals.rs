//! The lists of cases that cannot run contain existing cases, and each line once. The cases
//! themselves check whether their lines are true.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use dxil_checkout::root;

fn suite() -> PathBuf {
    root().join("hwtests/tests/suite")
}

/// Returns the cases of a file under their names in the lists: `suite::group::case`.
fn cases(file: &Path) -> Vec<String> {
    let group = file.file_stem().unwrap().to_str().unwrap();
    let text = fs::read_to_string(file).unwrap();
    let calls = text.split("_case!(").skip(1);
    let names = calls.filter_map(|call| call.trim_start_matches('@').split_once(','));
    names
        .map(|(name, _)| format!("suite::{group}::{}", name.trim()))
        .collect()
}

fn all_cases() -> BTreeSet<String> {
    let files = fs::read_dir(suite()).unwrap();
    let files = files.map(|entry| entry.unwrap().path());
    files
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
        .flat_map(|file| cases(&file))
        .collect()
}

#[test]
fn the_lists_of_refusals_name_cases_that_exist() {
    let cases = all_cases();
    assert!(cases.len() > 300, "{}", cases.len());
    for (list, ways) in [
        ("cpu_refusals.txt", &[""][..]),
        ("text_refusals.txt", &["portable", "hlsl", "glsl"]),
        ("wgpu_refusals.txt", &["wgpu", "portable"]),
    ] {
        let text = fs::read_to_string(suite().join(list)).unwrap();
        let mut seen = BTreeSet::new();
        for line in text.lines() {
            let (name, reason) = line.split_once(": ").unwrap();
            assert!(!reason.is_empty() && seen.insert(line), "{list}: {line}");
            if name == "*" {
                continue;
            }
            let (case, way) = name.split_once(' ').unwrap_or((name, ""));
            assert!(cases.contains(case), "{list}: there is no case {case}");
            assert!(ways.contains(&way), "{list}: {line}");
        }
    }
}
