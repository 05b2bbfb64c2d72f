//! Exit codes: one table for all commands.

use std::io;
use std::process::ExitCode;

use dxil_frontend::Category;
use dxil_runtime::Error;

/// The exit code of a command. Every command of the project uses these codes and no others.
///
/// A command that works on several files goes on after a failure and ends with the highest code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Exit {
    /// Everything was done.
    Done = 0,
    /// The results, a validator rule or a digest are not as expected; or the job is inconsistent.
    Mismatch = 1,
    /// The command line is wrong. clap ends with this code too.
    Usage = 2,
    /// The input is malformed.
    Malformed = 3,
    /// The input is valid, but this program or the device does not support it.
    Unsupported = 4,
    /// There is no Vulkan loader, no device or no validation layer.
    NoDevice = 5,
    /// The work did not end in time, memory ran out, or the device was lost.
    Stopped = 6,
    /// The validation layer reported an error.
    Validation = 7,
    /// The checks of the CPU backend found defects in the shader.
    Defects = 8,
    /// A file is missing, or cannot be read or written.
    File = 9,
    /// An internal error.
    Internal = 70,
}

impl Exit {
    /// All codes in rising order.
    pub const ALL: [Exit; 11] = [
        Exit::Done,
        Exit::Mismatch,
        Exit::Usage,
        Exit::Malformed,
        Exit::Unsupported,
        Exit::NoDevice,
        Exit::Stopped,
        Exit::Validation,
        Exit::Defects,
        Exit::File,
        Exit::Internal,
    ];

    /// Returns the number that the process ends with.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Returns the meaning of the code, as in `--help` and `docs/commands.md`.
    pub fn meaning(self) -> &'static str {
        match self {
            Exit::Done => "everything was done, and is as expected",
            Exit::Mismatch => {
                "an expectation, a validator rule or a digest does not hold, or the job is inconsistent"
            }
            Exit::Usage => "the command line is wrong",
            Exit::Malformed => "the input is malformed",
            Exit::Unsupported => {
                "the input is valid, but this program or the device does not support it"
            }
            Exit::NoDevice => "there is no Vulkan loader, device or validation layer",
            Exit::Stopped => "the work did not end in time, memory ran out, or the device was lost",
            Exit::Validation => "the Vulkan validation layer reported an error",
            Exit::Defects => "--check found defects in the shader",
            Exit::File => "a file is missing, or cannot be read or written",
            Exit::Internal => "an internal error of this program",
        }
    }
}

/// The table as the end of `--help`, without a line feed at its end. A test compares it with
/// [`Exit`].
pub const TABLE: &str = "\
Exit codes of all dxil-jit commands (of several files, the highest):
  0  everything was done, and is as expected
  1  an expectation, a validator rule or a digest does not hold, or the job is inconsistent
  2  the command line is wrong
  3  the input is malformed
  4  the input is valid, but this program or the device does not support it
  5  there is no Vulkan loader, device or validation layer
  6  the work did not end in time, memory ran out, or the device was lost
  7  the Vulkan validation layer reported an error
  8  --check found defects in the shader
  9  a file is missing, or cannot be read or written
  70 an internal error of this program";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

impl From<Category> for Exit {
    fn from(category: Category) -> Self {
        match category {
            Category::Malformed => Exit::Malformed,
            Category::Unsupported => Exit::Unsupported,
            Category::Internal => Exit::Internal,
        }
    }
}

impl From<&dxil_frontend::Error> for Exit {
    fn from(error: &dxil_frontend::Error) -> Self {
        error.category().into()
    }
}

impl From<&io::Error> for Exit {
    fn from(error: &io::Error) -> Self {
        match error.kind() {
            // The reader of a pipe has seen enough, as with `| head`.
            io::ErrorKind::BrokenPipe => Exit::Done,
            _ => Exit::File,
        }
    }
}

impl From<&Error> for Exit {
    fn from(error: &Error) -> Self {
        match error {
            Error::Stage { error, .. } => Exit::from(&**error),
            Error::Frontend(error) => error.category().into(),
            Error::Translate(error) => error.category().into(),
            // The errors of the CPU executor have no categories, only codes.
            Error::Cpu(error) => match error.code() {
                "unsupported" => Exit::Unsupported,
                "malformed" => Exit::Malformed,
                "step-limit" | "stopped" | "memory-limit" => Exit::Stopped,
                _ => Exit::Mismatch,
            },
            Error::NoLoader(_)
            | Error::NoDevice
            | Error::NoSuchDevice { .. }
            | Error::NoValidationLayer => Exit::NoDevice,
            // The nodes of a library contradict each other: the input is at fault, not the job.
            Error::WorkGraph(_) => Exit::Malformed,
            Error::NoBackend(_)
            | Error::Unsupported(_)
            | Error::Language { .. }
            | Error::Limit { .. } => Exit::Unsupported,
            Error::DeviceLost
            | Error::Compiler(_)
            | Error::Timeout(_)
            | Error::CpuTimeout { .. }
            | Error::OutOfMemory(_) => Exit::Stopped,
            Error::Validation(_) => Exit::Validation,
            // What is left are errors of the job itself.
            _ => Exit::Mismatch,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lists_every_code_once_in_rising_order() {
        let mut rows = TABLE.lines().skip(1);
        for exit in Exit::ALL {
            let row = rows.next().unwrap();
            let expected = format!("  {:<2} {}", exit.code(), exit.meaning());
            assert_eq!(row, expected);
        }
        assert_eq!(rows.next(), None);
        assert!(Exit::ALL.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn the_documentation_has_the_same_table() {
        let page = include_str!("../../../docs/commands.md");
        for exit in Exit::ALL {
            let row = format!("| {} | {} |", exit.code(), exit.meaning());
            assert!(page.contains(&row), "docs/commands.md lacks {row}");
        }
    }
}
