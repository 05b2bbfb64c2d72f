//! Commands that make one file of each input: files, folders and patterns in, a file or a folder
//! out, with a line or a JSON object for each.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;
use dxil_frontend::escape;
use dxil_frontend::tables::HashSet;
use serde_json::{Map, Value, json};

use crate::command::Command;
use crate::exit::Exit;
use crate::input::name_of;
use crate::paths::{Found, InputFile, is_folder_or_pattern};
use crate::{console, files, json};

/// What such commands print.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct ReportArgs {
    /// Print problems alone
    #[arg(short, long)]
    pub quiet: bool,

    /// Print a JSON array with an object for each file: what was read, written and wrong
    #[arg(long)]
    pub json: bool,
}

/// The reason why nothing was made of a file.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// Lines for people, each with the name of a file.
    pub messages: Vec<String>,
}

impl Failure {
    /// Returns a failure with one message.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        let messages = vec![message.into()];
        Failure { exit, messages }
    }

    /// Returns a failure about a file or stream.
    pub fn of<'e, E: Display>(name: &str, error: &'e E) -> Self
    where
        Exit: From<&'e E>,
    {
        Failure::new(Exit::from(error), format!("{name}: {error}"))
    }
}

/// An input.
pub struct Input<'a> {
    /// Its name for messages.
    pub name: String,
    /// Its path; `-` is standard input.
    pub path: &'a Path,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// What was made of an input.
#[derive(Debug, Default)]
pub struct Made {
    /// The bytes to write, unless the command only looks.
    pub bytes: Option<Vec<u8>>,
    /// What to print, unless --json is given.
    pub text: String,
    /// Further values for --json.
    pub facts: Map<String, Value>,
    /// An exit code other than [`Exit::Done`] where the file is not as expected.
    pub exit: Option<Exit>,
}

/// The work of a command on its files.
pub struct Batch<'a> {
    /// The command, for messages.
    pub command: Command,
    /// Extensions of the files that are taken from folders.
    pub extensions: &'static [&'static str],
    /// The file or folder to write to.
    pub output: Option<&'a Path>,
    /// The extension of what is written below a folder; that of the input by default.
    pub new_extension: Option<&'a str>,
    /// What to print.
    pub report: ReportArgs,
}

impl Batch<'_> {
    /// Does the work for each file. Goes on after a failure, and returns the highest exit code.
    pub fn run(
        &self,
        arguments: &[PathBuf],
        mut make: impl FnMut(&Input<'_>) -> Result<Made, Failure>,
    ) -> Exit {
        let mut exit = Exit::Done;
        let mut rows = Vec::new();
        let found = Found::of(arguments, self.extensions, |path, problem| {
            let name = name_of(path);
            let failure = Failure::new(problem.exit, format!("{name}: {}", problem.message));
            exit = exit.max(problem.exit);
            rows.push(self.failed(&name, &failure));
        });
        let is_alone = matches!(arguments, [one] if !is_folder_or_pattern(one));
        let targets = match self.targets(&found, is_alone) {
            Ok(targets) => targets,
            Err(failure) => {
                self.say(&failure);
                return exit.max(failure.exit);
            }
        };
        for (file, target) in found.iter().zip(targets) {
            let name = name_of(&file.path);
            match self.one(file, &name, target.as_deref(), &mut make) {
                Ok(made) => {
                    exit = exit.max(made.exit.unwrap_or(Exit::Done));
                    let mut text = made.text;
                    if let (false, Some(target)) = (is_alone || self.report.quiet, &target) {
                        let line = format!("{name}: {}", target.display());
                        text.push_str(&format!("{}\n", escape::message(&line)));
                    }
                    if !self.report.json
                        && let Err(error) = console::write(text.as_bytes())
                    {
                        return exit.max(self.command.fail("standard output", &error));
                    }
                    let mut row = Map::new();
                    row.insert("file".into(), json!(name));
                    if let Some(target) = &target {
                        row.insert("output".into(), json!(target.display().to_string()));
                    }
                    row.extend(made.facts);
                    rows.push(Value::Object(row));
                }
                Err(failure) => {
                    exit = exit.max(failure.exit);
                    rows.push(self.failed(&name, &failure));
                }
            }
        }
        if self.report.json
            && let Err(error) = console::write(json::document(&Value::Array(rows)).as_bytes())
        {
            return exit.max(self.command.fail("standard output", &error));
        }
        exit
    }

    fn one(
        &self,
        file: &InputFile,
        name: &str,
        target: Option<&Path>,
        make: &mut impl FnMut(&Input<'_>) -> Result<Made, Failure>,
    ) -> Result<Made, Failure> {
        let bytes = file.read().map_err(|error| Failure::of(name, &error))?;
        let made = make(&Input {
            name: name.to_owned(),
            path: &file.path,
            bytes,
        })?;
        if let (Some(target), Some(bytes)) = (target, &made.bytes) {
            let failed = |error: std::io::Error| Failure::of(&target.display().to_string(), &error);
            if let Some(folder) = target.parent().filter(|_| self.makes_folders(target)) {
                std::fs::create_dir_all(folder).map_err(failed)?;
            }
            files::write(target, bytes).map_err(failed)?;
        }
        Ok(made)
    }

    /// Returns whether a file lies below the folder of `-o`, whose folders are made.
    fn makes_folders(&self, target: &Path) -> bool {
        self.output.is_some_and(|output| output != target)
    }

    /// Returns where each file goes. Problems are found before anything is made.
    fn targets(
        &self,
        found: &[InputFile],
        is_alone: bool,
    ) -> Result<Vec<Option<PathBuf>>, Failure> {
        let Some(output) = self.output else {
            return Ok(found.iter().map(|_| None).collect());
        };
        let is_folder = output.is_dir() || ends_in_separator(output);
        if is_alone && !is_folder {
            let folder = output.parent().filter(|folder| *folder != Path::new(""));
            if let Some(Err(error)) = folder.map(std::fs::metadata) {
                return Err(Failure::of(&output.display().to_string(), &error));
            }
            return Ok(vec![Some(output.to_path_buf())]);
        }
        if !is_folder && output.exists() {
            let output = output.display();
            let message = format!("{output}: this is a file; several are written to a folder");
            return Err(Failure::new(Exit::Usage, message));
        }
        let mut taken: HashSet<PathBuf> = HashSet::default();
        let mut targets = Vec::new();
        for file in found {
            if file.path == Path::new("-") {
                let message = "standard input has no name for a file in a folder";
                return Err(Failure::new(Exit::Usage, message));
            }
            let mut below = file.below.clone();
            if let Some(extension) = self.new_extension {
                below.set_extension(extension);
            }
            let target = output.join(below);
            if !taken.insert(target.clone()) {
                let message = format!(
                    "{}: two of the files would be written there",
                    target.display()
                );
                return Err(Failure::new(Exit::Usage, message));
            }
            targets.push(Some(target));
        }
        Ok(targets)
    }

    /// Reports a failure; returns its row for --json.
    fn failed(&self, name: &str, failure: &Failure) -> Value {
        self.say(failure);
        json!({
            "file": name,
            "exit": failure.exit.code(),
            "errors": failure.messages,
        })
    }

    fn say(&self, failure: &Failure) {
        for message in &failure.messages {
            self.command.report(message);
        }
    }
}

fn ends_in_separator(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator)
}
