//! Resolves arguments to files: files by name, containers below folders, and patterns.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use dxil_frontend::tables::HashSet;
use walkdir::WalkDir;

use crate::exit::Exit;
use crate::files;

/// Extensions of files with shaders, which are taken from folders.
pub const SHADERS: [&str; 4] = ["dxil", "cso", "pdb", "bc"];

/// An argument that names no file.
pub struct Problem {
    /// The exit code.
    pub exit: Exit,
    /// The problem.
    pub message: String,
}

/// A file of an argument.
#[derive(Debug, Clone)]
pub struct InputFile {
    /// Its path.
    pub path: PathBuf,
    /// Its path below the folder of the argument, or below the folder before the first wildcard of
    /// a pattern; its name alone if the argument is the file.
    pub below: PathBuf,
    /// Whether the user has named it; it may be a pipe then.
    is_named: bool,
}

impl InputFile {
    /// Returns its bytes.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is longer than [`files::MAX_INPUT`].
    pub fn read(&self) -> io::Result<Vec<u8>> {
        if self.is_named {
            files::read(&self.path)
        } else {
            files::read_found(&self.path)
        }
    }
}

/// Returns whether an argument stands for the files below a folder, or for those that match a
/// pattern.
pub fn is_folder_or_pattern(path: &Path) -> bool {
    path.is_dir() || pattern(path).is_some()
}

/// Returns the text of a path with a wildcard, unless there is such a file.
fn pattern(path: &Path) -> Option<&str> {
    let text = path
        .to_str()
        .filter(|text| text.contains(['*', '?', '[']))?;
    (!path.exists()).then_some(text)
}

/// Returns the folders of a pattern before its first wildcard.
fn fixed_folders(pattern: &str) -> PathBuf {
    let end = pattern.find(['*', '?', '[']).unwrap_or(pattern.len());
    let folders = pattern.get(..end).unwrap_or_default();
    PathBuf::from(folders.rsplit_once('/').map_or("", |(folders, _)| folders))
}

/// The files of all arguments.
pub struct Found {
    /// The files, in the order of the arguments.
    pub files: Vec<InputFile>,
    /// Extensions of the files that are taken from folders.
    extensions: &'static [&'static str],
    /// Device and number of the files that walks have found: a link and its target are one.
    seen: HashSet<(u64, u64)>,
}

impl Found {
    /// Returns no files yet. Folders will give those with one of the extensions.
    pub fn new(extensions: &'static [&'static str]) -> Self {
        Found {
            files: Vec::new(),
            extensions,
            seen: HashSet::default(),
        }
    }

    /// Adds the files of an argument: a file; all containers below a folder, sorted by name; or, if
    /// there is no such file, the files that match a pattern with `*`, `?`, `[...]` and `**`.
    /// Patterns are for shells that do not expand them. Walks do not follow links to folders, and
    /// find each regular file once.
    ///
    /// # Errors
    ///
    /// A pattern that is malformed, and a pattern or folder without such files. A file that does
    /// not exist is reported when it is read.
    pub fn add(&mut self, path: &Path) -> Result<(), Problem> {
        if let Some(pattern) = pattern(path) {
            return self.matching(pattern);
        }
        if !path.is_dir() {
            self.files.push(InputFile {
                path: path.to_path_buf(),
                below: path.file_name().unwrap_or_default().into(),
                is_named: true,
            });
            return Ok(());
        }
        self.below(path, path)
    }

    fn matching(&mut self, pattern: &str) -> Result<(), Problem> {
        let matches = glob::glob(pattern).map_err(|error| Problem {
            exit: Exit::Usage,
            message: error.to_string(),
        })?;
        let root = fixed_folders(pattern);
        let mut problem = Some(Problem {
            exit: Exit::File,
            message: "no file matches the pattern".to_owned(),
        });
        // A folder that cannot be read contributes no files.
        for path in matches.flatten() {
            match fs::metadata(&path) {
                Ok(there) if there.is_dir() => match self.below(&path, &root) {
                    Ok(()) => problem = None,
                    Err(empty) => problem = problem.map(|_| empty),
                },
                Ok(there) => {
                    self.file(&path, &root, &there);
                    problem = None;
                }
                Err(_) => {}
            }
        }
        problem.map_or(Ok(()), Err)
    }

    fn below(&mut self, folder: &Path, root: &Path) -> Result<(), Problem> {
        if self.descend(folder, root) > 0 {
            return Ok(());
        }
        Err(Problem {
            exit: Exit::File,
            message: format!("no file below ends in .{}", self.extensions.join(", .")),
        })
    }

    /// Returns the files of arguments, and gives each problem with the argument.
    pub fn of(
        arguments: &[PathBuf],
        extensions: &'static [&'static str],
        mut report: impl FnMut(&Path, Problem),
    ) -> Vec<InputFile> {
        let mut found = Found::new(extensions);
        for path in arguments {
            if let Err(problem) = found.add(path) {
                report(path, problem);
            }
        }
        found.files
    }

    /// Adds the files below a folder; returns how many there are, with those that were found
    /// before.
    fn descend(&mut self, folder: &Path, root: &Path) -> usize {
        let mut count = 0;
        let entries = WalkDir::new(folder).sort_by_file_name();
        // A folder that cannot be read contributes no files.
        for entry in entries.into_iter().flatten() {
            let is_container = (entry.path().extension())
                .is_some_and(|end| self.extensions.iter().any(|own| end == *own));
            // A link to a file counts as that file; the walk does not enter links to folders.
            if let (true, Ok(there)) = (is_container, fs::metadata(entry.path())) {
                count += usize::from(there.is_file());
                self.file(entry.path(), root, &there);
            }
        }
        count
    }

    /// Adds a file that was found, if it is a regular one and new.
    fn file(&mut self, path: &Path, root: &Path, there: &Metadata) {
        if there.is_file() && identity(there).is_none_or(|id| self.seen.insert(id)) {
            self.files.push(InputFile {
                path: path.to_path_buf(),
                below: path.strip_prefix(root).unwrap_or(path).to_path_buf(),
                is_named: false,
            });
        }
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
fn identity(file: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity(_file: &Metadata) -> Option<(u64, u64)> {
    None
}
