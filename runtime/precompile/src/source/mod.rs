//! Where pipelines come from: databases, containers in folders, pipeline files and lists.
//!
//! | argument | pipelines |
//! |---|---|
//! | a database (`.sodb`) | those that it lists |
//! | a container | its shader; a library is a state object |
//! | a pipeline file (`.yaml`) | one, of the shaders beside it |
//! | a list (`.txt`) | one per line: shaders, perhaps a pipeline file and a root signature |
//! | a folder or a pattern | all of those below it but lists |

mod extension;
mod file_pipeline;
mod libraries;
mod list;
mod pipeline_file;

use dxil_frontend::tables::HashSet;
use std::path::{Path, PathBuf};

use dxil_jit::files;
use dxil_jit::paths::Found;

use crate::error::Problem;
use crate::library::{Blob, Pipeline};
use crate::sodb::{Database, is_database};
use extension::has_extension;
pub use file_pipeline::FilePipeline;

/// Extensions of the files that are taken from folders.
const EXTENSIONS: [&str; 8] = ["dxil", "dxbc", "cso", "pdb", "bc", "yaml", "yml", "sodb"];

/// One pipeline, or the problem of one with its name.
pub type Item = Result<Pipeline, (String, Problem)>;

/// All sources of a run.
pub struct Sources {
    parts: Vec<Part>,
    /// Root signature for pipelines of files, which have none of their own otherwise.
    root: Option<Blob>,
}

enum Part {
    Database(Box<Database>, PathBuf),
    Files(FilePipeline),
}

impl Sources {
    /// Finds the pipelines of the arguments. `root` is a root signature for those from files.
    ///
    /// # Errors
    ///
    /// An argument that names nothing, a list that cannot be read, and a database that
    /// [`Database::open`] refuses.
    pub fn open(arguments: &[PathBuf], root: Option<&Path>) -> Result<Self, Problem> {
        let root = match root {
            Some(path) => {
                let bytes = files::read(path).map_err(|error| Problem::file(path, &error))?;
                Some(file_pipeline::root_signature(&bytes).map_err(|p| p.at(path.display()))?)
            }
            None => None,
        };
        let mut sources = Sources {
            parts: Vec::new(),
            root,
        };
        for argument in arguments {
            sources.add(argument)?;
        }
        Ok(sources)
    }

    fn add(&mut self, argument: &Path) -> Result<(), Problem> {
        let is_list = has_extension(argument, &["txt", "list"]);
        if is_list && argument.is_file() {
            let lines = list::read(argument)?;
            self.parts.extend(lines.into_iter().map(Part::Files));
            return Ok(());
        }
        let mut found = Found::new(&EXTENSIONS);
        found.add(argument).map_err(|problem| {
            Problem::new(problem.exit, &problem.message).at(argument.display())
        })?;
        let paths: Vec<PathBuf> = found.files.into_iter().map(|file| file.path).collect();
        // Shaders of pipeline files are no pipelines by themselves.
        let mut taken = HashSet::default();
        let mut parts = Vec::with_capacity(paths.len());
        for path in &paths {
            if has_extension(path, &["yaml", "yml"]) {
                let shaders = pipeline_file::shaders_beside(path);
                taken.extend(shaders.iter().cloned());
                // A folder may have other YAML; a file that was named has to be one.
                if shaders.is_empty() && path != argument {
                    continue;
                }
                let mut files = shaders;
                files.push(path.clone());
                parts.push(Part::Files(FilePipeline::of(files)));
            } else if is_database_file(path) {
                let database = Database::open(path)?;
                parts.push(Part::Database(Box::new(database), path.clone()));
            } else {
                parts.push(Part::Files(FilePipeline::of(vec![path.clone()])));
            }
        }
        parts.retain(|part| match part {
            Part::Files(pipeline) => !matches!(&pipeline.files[..], [one] if taken.contains(one)),
            Part::Database(..) => true,
        });
        self.parts.extend(parts);
        Ok(())
    }

    /// Returns the number of pipelines.
    ///
    /// # Errors
    ///
    /// A database cannot be read.
    pub fn count(&self) -> Result<u64, Problem> {
        let mut count = 0;
        for part in &self.parts {
            count += match part {
                Part::Database(database, _) => database.count()?,
                Part::Files(_) => 1,
            };
        }
        Ok(count)
    }

    /// Calls `take` with each pipeline until it returns `false`. Files are read one after the
    /// other.
    ///
    /// # Errors
    ///
    /// The list of pipelines of a database cannot be read.
    pub fn each(&self, mut take: impl FnMut(Item) -> bool) -> Result<(), Problem> {
        let several = self.parts.len() > 1;
        let mut goes_on = true;
        for part in &self.parts {
            match part {
                Part::Database(database, path) => {
                    // Keys are unique within a database only.
                    let place = |name: String| {
                        if several {
                            format!("{}:{name}", path.display())
                        } else {
                            name
                        }
                    };
                    database
                        .each(|item| {
                            goes_on = take(match item {
                                Ok(mut pipeline) => {
                                    pipeline.name = place(pipeline.name);
                                    Ok(pipeline)
                                }
                                Err((name, problem)) => Err((place(name), problem)),
                            });
                            goes_on
                        })
                        .map_err(|problem| problem.at(path.display()))?;
                }
                Part::Files(files) => {
                    let read = files.read(self.root.as_ref());
                    goes_on = take(read.map_err(|problem| (files.name(), problem)));
                }
            }
            if !goes_on {
                break;
            }
        }
        Ok(())
    }
}

/// Returns whether a file is an SQLite database, whatever its name.
fn is_database_file(path: &Path) -> bool {
    use std::io::Read as _;
    let mut start = Vec::new();
    // A pipe is no database, and its bytes can be read only once.
    let file = files::open_found(path);
    let read = file.and_then(|file| file.take(16).read_to_end(&mut start));
    read.is_ok() && is_database(&start)
}
