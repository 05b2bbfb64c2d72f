//! Shaders that several tests share exist once; the others are symbolic links to the one copy.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;
use std::path::PathBuf;

use dxil_checkout::{files, root};

#[test]
fn identical_shaders_exist_once() {
    let mut copies: HashMap<Vec<u8>, PathBuf> = HashMap::new();
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
