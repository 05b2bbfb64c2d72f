//! Errors with their exit codes.

use std::backtrace::Backtrace;
use std::fmt::Display;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use dxil_frontend::escape::message;
use dxil_jit::exit::Exit;
use dxil_jit::input::{InputError, name_of};
use dxil_runtime::Error;
use parking_lot::Mutex;

/// Shorthand for results of this program.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// The reason for an early end of the program.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    message: String,
    /// Whether it is about an instruction whose source position is not known yet.
    wants_source: bool,
    /// Whether there is no Vulkan loader or no device.
    is_no_device: bool,
    /// The index of the stage in question, if there are several.
    stage: Option<usize>,
}

impl Failure {
    /// Returns a failure with that exit code.
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Failure {
            exit,
            message: message.into(),
            wants_source: false,
            is_no_device: false,
            stage: None,
        }
    }

    /// Returns the failure of a wrong command line.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure::new(
            Exit::Usage,
            format!("{}\nSee dxil-run --help.", message.into()),
        )
    }

    /// Returns the failure of a file that cannot be read or written.
    pub(crate) fn file(file: &Path, error: &io::Error) -> Self {
        let message = format!("{}: {error}", name_of(file));
        Failure::new(Exit::from(error), message)
    }

    /// Returns the failure of a wrong job or result.
    pub(crate) fn job(message: impl Into<String>) -> Self {
        Failure::new(Exit::Mismatch, message)
    }

    /// Checks have findings.
    pub(crate) fn defects(message: impl Into<String>) -> Self {
        Failure::new(Exit::Defects, message)
    }

    /// Returns the failure of malformed input.
    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Failure::new(Exit::Malformed, message)
    }

    /// Returns the failure of valid input that this program does not support.
    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Failure::new(Exit::Unsupported, message)
    }

    /// Returns whether it is about an instruction whose place in the source is not known yet.
    pub(crate) fn wants_source(&self) -> bool {
        self.wants_source
    }

    /// Returns whether there is no Vulkan loader or no device.
    pub(crate) fn is_no_device(&self) -> bool {
        self.is_no_device
    }

    /// Returns the message.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Returns the exit code.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// Returns the failure with the name of the file that it is about, unless the message begins
    /// with it.
    pub(crate) fn of_file(&self, path: &Path) -> Failure {
        let name = name_of(path);
        let message = if self.message.starts_with(&name) {
            self.message.clone()
        } else {
            format!("{name}: {}", self.message)
        };
        Failure::new(self.exit, message)
    }

    /// Prints the message to standard error, in colour on a terminal.
    pub(crate) fn print(&self) {
        let style = crate::style::Style::for_stderr();
        // A reader that has gone away is not a reason to panic.
        let message = format!("{} {}\n", style.error("error:"), message(&self.message));
        drop(std::io::stderr().write_all(message.as_bytes()));
    }
}

/// Runs the program. A panic is a bug, and ends it like any other failure; one that the library
/// caught goes to the log.
pub(crate) fn guarded(run: impl FnOnce() -> Result<()>) -> Result<()> {
    static LAST: Mutex<String> = Mutex::new(String::new());
    std::panic::set_hook(Box::new(|info| {
        let trace = Backtrace::capture();
        log::debug!("{info}\n{trace}");
        *LAST.lock() = info.to_string();
    }));
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let message = format!("internal error: {}", LAST.lock());
        Err(Failure::new(Exit::Internal, message))
    })
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let error = match error {
            Error::Stage { index, error } => {
                return Failure {
                    stage: Some(index),
                    ..Failure::from(*error)
                };
            }
            error => error,
        };
        let wants_source = match &error {
            Error::Translate(error) => {
                let location = error.location();
                location.function.is_some() && location.source.is_none()
            }
            _ => false,
        };
        Failure {
            exit: Exit::from(&error),
            message: format!("{error}{}", hint(&error)),
            wants_source,
            is_no_device: matches!(error, Error::NoLoader(_) | Error::NoDevice),
            stage: None,
        }
    }
}

/// Returns the option that solves a problem, as the end of its message.
fn hint(error: &Error) -> String {
    match error {
        Error::NoSuchDevice { .. } => "; --list-devices prints them".into(),
        Error::NoLoader(_) | Error::NoDevice => "; --backend cpu needs none".into(),
        Error::Unbound { register, .. } => format!("; bind it with --bind {register}=..."),
        Error::Timeout(_) | Error::CpuTimeout { .. } => {
            "; --timeout SECONDS changes the limit".into()
        }
        _ => String::new(),
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Failure::new(error.exit, error.message)
    }
}

impl From<dxil_frontend::Error> for Failure {
    fn from(error: dxil_frontend::Error) -> Self {
        Error::from(error).into()
    }
}

/// Names the file that an error is about.
pub(crate) trait Context<T> {
    /// Puts the file's name in front of the message.
    fn context(self, file: &Path) -> Result<T>;
}

impl<T, E: Into<Failure>> Context<T> for std::result::Result<T, E> {
    fn context(self, file: &Path) -> Result<T> {
        self.map_err(|error| {
            let failure: Failure = error.into();
            Failure {
                message: with_file(name_of(file), &failure.message),
                ..failure
            }
        })
    }
}

impl Failure {
    /// Names the file of the stage that the error is about. `files` has one file for each stage. An
    /// error about no stage in particular keeps its message.
    pub(crate) fn in_stage_of(self, files: &[PathBuf]) -> Self {
        let file = match (self.stage, files) {
            (None, [only]) => Some(only),
            (None, _) => None,
            (Some(stage), files) => files.get(stage),
        };
        match file {
            Some(file) => Failure {
                message: with_file(name_of(file), &self.message),
                ..self
            },
            None => self,
        }
    }

    /// Names the file below the message, for messages about many lines of it.
    pub(crate) fn in_file(mut self, file: &Path) -> Self {
        self.message = format!("{}\n  in {}", self.message, file.display());
        self
    }
}

fn with_file(file: impl Display, message: &str) -> String {
    format!("{file}: {message}")
}
