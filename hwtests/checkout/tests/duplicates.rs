//! Shaders that several tests share exist once. Others are symbolic links to the one copy, or
//! include it, if only their comments differ.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;

use dxil_checkout::{files, root};
use dxil_frontend::tables::HashMap;

#[test]
fn identical_shaders_exist_once() {
    let mut copies: HashMap<Vec<u8>, PathBuf> = HashMap::default();
    let mut twice = Vec::new();
    for folder in ["bench", "frontend", "hwtests", "runtime", "translate"] {
        for extension in ["dxil", "hlsl", "hlsli", "ll"] {
            for path in files(&root().join(folder), extension) {
                if std::fs::symlink_metadata(&path).unwrap().is_symlink() {
                    continue;
                }
                if let Some(other) = copies.insert(std::fs::read(&path).unwrap(), path.clone()) {
                    twice.push(format!("{} is {}", path.display(), other.display()));
                }
            }
        }
    }
    assert!(!copies.is_empty(), "no shaders were found");
    assert!(
        twice.is_empty(),
        "link these (ln -sr), or change one of them:\n{}",
        twice.join("\n")
    );
}

/// Returns HLSL without comments and blanks.
fn code_of(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap());
    lines.flat_map(str::split_whitespace).collect()
}

#[test]
fn hlsl_that_differs_only_in_comments_is_included() {
    let mut copies: HashMap<String, PathBuf> = HashMap::default();
    let mut twice = Vec::new();
    for folder in ["frontend", "hwtests", "runtime", "translate"] {
        for path in files(&root().join(folder), "hlsl") {
            // Debug information contains the whole source, so these have no includes.
            let inside = path.strip_prefix(root()).unwrap();
            let is_debug = inside.components().any(|part| part.as_os_str() == "debug");
            if is_debug || std::fs::symlink_metadata(&path).unwrap().is_symlink() {
                continue;
            }
            let code = code_of(&std::fs::read_to_string(&path).unwrap());
            let included = code.strip_prefix("#include\"");
            let included = included.and_then(|rest| rest.strip_suffix('"'));
            if let Some(included) = included.filter(|name| !name.contains('"')) {
                let target = path.parent().unwrap().join(included);
                assert!(target.is_file(), "{}: no {included}", path.display());
            } else if let Some(other) = copies.insert(code, path.clone()) {
                twice.push(format!("{} is {}", path.display(), other.display()));
            }
        }
    }
    assert!(copies.len() > 100, "no shaders were found");
    assert!(
        twice.is_empty(),
        "include one of these in the other:\n{}",
        twice.join("\n")
    );
}
