//! Resolves arguments to files: files by name, containers below folders, and patterns.

use std::path::{Path, PathBuf};

use dxil_jit::exit::Exit;

/// Maximum depth of folders below an argument.
const MAX_DEPTH: usize = 64;

/// Extensions of the files that are taken from folders.
const EXTENSIONS: [&str; 4] = ["dxil", "cso", "pdb", "bc"];

/// An argument that names no file.
pub(crate) struct Problem {
    /// The exit code.
    pub(crate) exit: Exit,
    /// The problem.
    pub(crate) message: String,
}

/// Adds the files of an argument: a file; all containers below a folder, sorted by name; or, if
/// there is no such file, the files that match a pattern with `*`, `?`, `[...]` and `**`. Patterns
/// are for shells that do not expand them.
///
/// # Errors
///
/// A pattern that is malformed or matches nothing. A file that does not exist is reported when it
/// is read.
pub(crate) fn find(path: &Path, found: &mut Vec<PathBuf>) -> Result<(), Problem> {
    let pattern = path.to_str().filter(|text| text.contains(['*', '?', '[']));
    let Some(pattern) = pattern.filter(|_| !path.exists()) else {
        descend(path, 0, found);
        return Ok(());
    };
    let matches = glob::glob(pattern).map_err(|error| Problem {
        exit: Exit::Usage,
        message: error.to_string(),
    })?;
    let before = found.len();
    // A folder that cannot be read contributes no files.
    for path in matches.flatten() {
        descend(&path, 0, found);
    }
    if found.len() == before {
        return Err(Problem {
            exit: Exit::File,
            message: "no file matches the pattern".to_owned(),
        });
    }
    Ok(())
}

fn descend(path: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if !path.is_dir() || depth > MAX_DEPTH {
        found.push(path.to_path_buf());
        return;
    }
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut inner: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    inner.sort();
    for path in inner {
        let is_container = path
            .extension()
            .is_some_and(|end| EXTENSIONS.iter().any(|own| end == *own));
        if path.is_dir() || is_container {
            descend(&path, depth + 1, found);
        }
    }
}
