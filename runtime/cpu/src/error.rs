//! Errors of decoding and execution, each with its place.

use std::fmt;

use dxil_frontend::SourcePosition;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A place in the code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodeLocation {
    /// Name of the function.
    pub function: Box<str>,
    /// Number of the block.
    pub block: u32,
    /// Line in the source, where debug information has it.
    pub source: Option<Box<SourcePosition>>,
}

impl fmt::Display for CodeLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(source) = &self.source {
            write!(f, "{source}: ")?;
        }
        write!(f, "{}, block b{}", self.function, self.block)
    }
}

/// The cause of the error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Good input that the executor does not run.
    #[error("{place}: not supported on the CPU: {what}")]
    Unsupported {
        /// The unsupported feature; an operation by its DXIL name.
        what: String,
        /// The location in the code.
        place: Box<CodeLocation>,
    },
    /// Bad input that decoding the module let through.
    #[error("{place}: {what}")]
    Malformed {
        /// The problem.
        what: String,
        /// The location in the code.
        place: Box<CodeLocation>,
    },
    /// The input of the caller does not fit the shader.
    #[error("{0}")]
    BadInput(String),
    /// The dispatch ran too many steps.
    #[error("{place}: the dispatch has not ended after {steps} steps; is this an infinite loop?")]
    Steps {
        /// Steps that were allowed: blocks that waves entered.
        steps: u64,
        /// The location of the wave.
        place: Box<CodeLocation>,
    },
    /// The caller's callback asked to stop.
    #[error("{place}: stopped before the dispatch ended")]
    Stopped {
        /// The location of the wave.
        place: Box<CodeLocation>,
    },
    /// Memory beyond the caller's limit.
    #[error("{what} needs {need} bytes, over the limit of {limit}")]
    Memory {
        /// The object that needs it.
        what: &'static str,
        /// Bytes.
        need: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Functions call each other without end.
    #[error("{place}: calls nest deeper than {limit} levels")]
    CallDepth {
        /// Levels that are allowed.
        limit: usize,
        /// The location of the innermost call.
        place: Box<CodeLocation>,
    },
}

impl Error {
    /// Returns a stable name of the kind of error, for callers that match on it.
    ///
    /// | code | kind |
    /// |---|---|
    /// | `unsupported` | [`Error::Unsupported`] |
    /// | `malformed` | [`Error::Malformed`] |
    /// | `bad-input` | [`Error::BadInput`] |
    /// | `step-limit` | [`Error::Steps`] |
    /// | `stopped` | [`Error::Stopped`] |
    /// | `memory-limit` | [`Error::Memory`] |
    /// | `call-depth` | [`Error::CallDepth`] |
    pub fn code(&self) -> &'static str {
        match self {
            Error::Unsupported { .. } => "unsupported",
            Error::Malformed { .. } => "malformed",
            Error::BadInput(_) => "bad-input",
            Error::Steps { .. } => "step-limit",
            Error::Stopped { .. } => "stopped",
            Error::Memory { .. } => "memory-limit",
            Error::CallDepth { .. } => "call-depth",
        }
    }

    /// Returns whether the input is valid and the executor does not support it.
    pub fn is_unsupported(&self) -> bool {
        matches!(self, Error::Unsupported { .. })
    }
}
