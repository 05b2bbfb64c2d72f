//! Errors with their exit codes.

use std::backtrace::Backtrace;
use std::fmt::Display;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use dxil_frontend::Category;
use dxil_frontend::shown::message;
use dxil_runtime::Error;
use parking_lot::Mutex;

/// Shorthand for results of this program.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why the program ends early.
#[derive(Debug)]
pub(crate) struct Failure {
    code: u8,
    message: String,
    /// Whether it is about an instruction whose source position is not known yet.
    wants_source: bool,
    /// Whether there is no Vulkan loader or no device.
    is_no_device: bool,
}

impl Failure {
    /// Wrong command line.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure {
            code: 2,
            message: format!("{}\nSee dxil-run --help.", message.into()),
            wants_source: false,
            is_no_device: false,
        }
    }

    /// Something about the job is wrong.
    pub(crate) fn job(message: impl Into<String>) -> Self {
        Failure {
            code: 1,
            message: message.into(),
            wants_source: false,
            is_no_device: false,
        }
    }

    /// Checks have found something.
    pub(crate) fn defects(message: impl Into<String>) -> Self {
        Failure {
            code: 8,
            ..Failure::job(message)
        }
    }

    /// Malformed input.
    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Failure {
            code: 3,
            message: message.into(),
            wants_source: false,
            is_no_device: false,
        }
    }

    /// Good input that this program does not support.
    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Failure {
            code: 4,
            message: message.into(),
            wants_source: false,
            is_no_device: false,
        }
    }

    /// Whether it is about an instruction whose place in the source is not known yet.
    pub(crate) fn wants_source(&self) -> bool {
        self.wants_source
    }

    /// Whether there is no Vulkan loader or no device.
    pub(crate) fn is_no_device(&self) -> bool {
        self.is_no_device
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        self.code
    }

    /// Prints the message to standard error, in colour on a terminal.
    pub(crate) fn print(&self) {
        let style = crate::style::Style::for_stderr();
        // A reader that has gone away is no reason to panic.
        let message = format!("{} {}\n", style.error("error:"), message(&self.message));
        drop(std::io::stderr().write_all(message.as_bytes()));
    }
}

/// Runs the program. A panic on the way is a bug, and ends it like any other failure; one that the
/// library caught is for the log.
pub(crate) fn guarded(run: impl FnOnce() -> Result<()>) -> Result<()> {
    static LAST: Mutex<String> = Mutex::new(String::new());
    std::panic::set_hook(Box::new(|info| {
        let trace = Backtrace::capture();
        log::debug!("{info}\n{trace}");
        *LAST.lock() = info.to_string();
    }));
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        Err(Failure {
            code: code_of(Category::Internal),
            message: format!("internal error: {}", LAST.lock()),
            wants_source: false,
            is_no_device: false,
        })
    })
}

fn code_of(category: Category) -> u8 {
    match category {
        Category::Malformed => 3,
        Category::Unsupported => 4,
        Category::Internal => 70,
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match &error {
            Error::Frontend(error) => code_of(error.category()),
            Error::Translate(error) => code_of(error.category()),
            Error::Cpu(error) => match error.code() {
                "unsupported" => code_of(Category::Unsupported),
                "malformed" => code_of(Category::Malformed),
                "step-limit" | "stopped" | "memory-limit" => 6,
                _ => 1,
            },
            Error::NoLoader(_) | Error::NoDevice | Error::NoSuchDevice { .. } => 5,
            Error::NoValidationLayer => 5,
            Error::WorkGraph(_) => code_of(Category::Malformed),
            Error::Unsupported(_) | Error::Language { .. } | Error::Limit { .. } => 4,
            Error::DeviceLost | Error::Timeout(_) | Error::CpuTimeout { .. } => 6,
            Error::OutOfMemory(_) => 6,
            Error::Validation(_) => 7,
            _ => 1,
        };
        let wants_source = match &error {
            Error::Translate(error) => {
                let location = error.location();
                location.function.is_some() && location.source.is_none()
            }
            _ => false,
        };
        Failure {
            code,
            message: format!("{error}{}", hint(&error)),
            wants_source,
            is_no_device: matches!(error, Error::NoLoader(_) | Error::NoDevice),
        }
    }
}

/// Returns the option that solves a problem, as the end of its message.
fn hint(error: &Error) -> String {
    match error {
        Error::NoSuchDevice { .. } => "; --list-devices prints them".into(),
        Error::Unbound { register, .. } => format!("; bind it with --bind {register}=..."),
        Error::Timeout(_) | Error::CpuTimeout { .. } => {
            "; --timeout SECONDS changes the limit".into()
        }
        _ => String::new(),
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
                message: with_file(file.display(), &failure.message),
                ..failure
            }
        })
    }
}

impl Failure {
    /// Names the file below the message, for messages that speak of many lines of it.
    pub(crate) fn in_file(mut self, file: &Path) -> Self {
        self.message = format!("{}\n  in {}", self.message, file.display());
        self
    }
}

fn with_file(file: impl Display, message: &str) -> String {
    format!("{file}: {message}")
}
