//! Problems with a source or with one of its pipelines.

use dxil_frontend::escape::bounded;
use dxil_jit::exit::Exit;
use dxil_translate::ErrorKind;

/// Maximum number of bytes of a message.
const MAX_MESSAGE: usize = 4000;

/// A problem: the message, and the exit code that it stands for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// The exit code.
    pub exit: Exit,
    /// The message.
    pub message: String,
    /// What the target lacks, if that is the whole problem: the same pipeline is good on others,
    /// and this one is skipped. Pipelines that lack the same have the same words here, without the
    /// place in the shader.
    pub lacks: Option<String>,
}

impl Problem {
    /// Returns a problem with that exit code.
    pub fn new(exit: Exit, message: impl AsRef<str>) -> Self {
        Problem {
            exit,
            message: bounded(message.as_ref(), MAX_MESSAGE),
            lacks: None,
        }
    }

    /// Returns the reason why a pipeline is skipped: the fault is elsewhere.
    pub fn skipped(reason: &str) -> Self {
        let problem = Problem::unsupported(reason);
        Problem {
            lacks: Some(problem.message.clone()),
            ..problem
        }
    }

    /// Returns a problem of malformed input.
    pub fn malformed(message: impl AsRef<str>) -> Self {
        Problem::new(Exit::Malformed, message)
    }

    /// Returns a problem of input that is not supported.
    pub fn unsupported(message: impl AsRef<str>) -> Self {
        Problem::new(Exit::Unsupported, message)
    }

    /// Returns a problem of parts that contradict each other.
    pub fn mismatch(message: impl AsRef<str>) -> Self {
        Problem::new(Exit::Mismatch, message)
    }

    /// Returns a problem of a file.
    pub fn file(path: &std::path::Path, error: &std::io::Error) -> Self {
        Problem::new(Exit::File, format!("{}: {error}", path.display()))
    }

    /// Returns the same problem with the place before its message.
    #[must_use]
    pub fn at(self, place: impl std::fmt::Display) -> Self {
        Problem {
            lacks: self.lacks,
            ..Problem::new(self.exit, format!("{place}: {}", self.message))
        }
    }
}

impl From<dxil_runtime::Error> for Problem {
    fn from(error: dxil_runtime::Error) -> Self {
        Problem {
            lacks: lacks(&error),
            ..Problem::new(Exit::from(&error), error.to_string())
        }
    }
}

/// Returns what the target lacks, if the error is about nothing else.
fn lacks(error: &dxil_runtime::Error) -> Option<String> {
    use dxil_runtime::Error as E;
    match error {
        E::Stage { error, .. } => lacks(error),
        E::Translate(error) => match error.kind() {
            ErrorKind::TargetLacks { feature, .. } => Some(format!("the target lacks {feature}")),
            _ => None,
        },
        E::Unsupported(_) => Some(bounded(&error.to_string(), MAX_MESSAGE)),
        E::Limit { what, limit, .. } => Some(format!("more {what} than the limit of {limit}")),
        _ => None,
    }
}

impl From<dxil_frontend::Error> for Problem {
    fn from(error: dxil_frontend::Error) -> Self {
        Problem::new(Exit::from(&error), error.to_string())
    }
}
