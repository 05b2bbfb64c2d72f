//! Hashes the sources of the front end and the translator into `DXIL_TRANSLATOR_SOURCES`, so that a
//! translation from a cache is never one of another state of this code.

#![allow(clippy::print_stdout, reason = "this is how a build script speaks")]

use std::io;
use std::path::{Path, PathBuf};

/// Returns FNV-1a: this needs no security, and a build script should need no crates.
fn hash(state: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(state, |state, byte| {
        (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let mut files = Vec::new();
    for folder in ["src", "../frontend/src"] {
        let folder = Path::new(folder);
        // A published crate stands alone; there the version of the front end is pinned.
        if folder.is_dir() {
            println!("cargo::rerun-if-changed={}", folder.display());
            collect(folder, &mut files)?;
        }
    }
    files.sort();
    let mut state = 0xcbf2_9ce4_8422_2325;
    for file in files {
        state = hash(state, file.to_string_lossy().as_bytes());
        state = hash(state, &std::fs::read(file)?);
    }
    println!("cargo::rustc-env=DXIL_TRANSLATOR_SOURCES={state:016x}");
    Ok(())
}
