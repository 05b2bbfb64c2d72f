//! The one error type of this crate; positions are the frontend's [`Location`].

use std::fmt;

pub use dxil_frontend::Category;
use dxil_frontend::{Location, write_message};

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What is wrong. No position here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The frontend refused the input.
    #[error(transparent)]
    Frontend(#[from] dxil_frontend::Error),
    /// The input contradicts itself in a way that only translation sees.
    #[error("{0}")]
    Malformed(String),
    /// Good input that this translator does not take yet.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// The shader needs a feature that the target lacks and that has no fallback.
    #[error("the target lacks {feature}, which {user} needs")]
    TargetLacks {
        /// The missing feature, in Vulkan's words.
        feature: &'static str,
        /// What needs it.
        user: String,
    },
    /// The binding map has no place for a resource that the shader uses.
    #[error("the binding map has no place for {0}")]
    Unbound(String),
    /// The wished entry point does not exist.
    #[error("no entry point named {0:?}")]
    NoEntryPoint(String),
    /// There are several entry points, and none was named.
    #[error("there are several entry points, and one of them has to be named: {0}")]
    SeveralEntryPoints(String),
    /// The library has a function of that name, which no API can start.
    #[error("the function {0:?} is not an entry point")]
    NotAnEntryPoint(String),
    /// Translation would take more than a fixed number of steps for each part of the input; this
    /// names the limit.
    #[error("too complex: {0}")]
    TooComplex(&'static str),
    /// A state that this crate's own logic rules out.
    #[error("internal error: {0}")]
    Internal(String),
}

/// An error with its position; one pointer wide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<(ErrorKind, Location)>);

impl Error {
    /// Returns an error whose place is not known yet.
    pub fn new(kind: ErrorKind) -> Self {
        Error(Box::new((kind, Location::default())))
    }

    /// Returns an unsupported-input error with a free message.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Unsupported(message.into()))
    }

    /// Returns a malformed-input error with a free message.
    pub fn malformed(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Malformed(message.into()))
    }

    /// Returns a broken invariant of ours.
    pub fn internal(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Internal(message.into()))
    }

    /// Returns what is wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.0
    }

    /// Returns where it is wrong.
    pub fn location(&self) -> &Location {
        match &self.0.0 {
            // What was found while lowering has a place of its own.
            ErrorKind::Frontend(error) if self.0.1 == Location::default() => error.location(),
            _ => &self.0.1,
        }
    }

    /// Returns the position, to be filled in on the way up.
    pub fn location_mut(&mut self) -> &mut Location {
        &mut self.0.1
    }

    /// Returns what is wrong, as a name that stays the same from version to version while sentences
    /// may change: a name of this list, or one of [`dxil_frontend::Error::code`] where the frontend
    /// refused the input.
    ///
    /// | code | kind |
    /// |---|---|
    /// | `malformed` | [`ErrorKind::Malformed`] |
    /// | `unsupported` | [`ErrorKind::Unsupported`] |
    /// | `target-lacks-feature` | [`ErrorKind::TargetLacks`] |
    /// | `unbound-resource` | [`ErrorKind::Unbound`] |
    /// | `no-entry-point` | [`ErrorKind::NoEntryPoint`] |
    /// | `several-entry-points` | [`ErrorKind::SeveralEntryPoints`] |
    /// | `not-an-entry-point` | [`ErrorKind::NotAnEntryPoint`] |
    /// | `too-complex` | [`ErrorKind::TooComplex`] |
    /// | `internal` | [`ErrorKind::Internal`] |
    pub fn code(&self) -> &'static str {
        match &self.0.0 {
            ErrorKind::Frontend(error) => error.code(),
            ErrorKind::Malformed(_) => "malformed",
            ErrorKind::Unsupported(_) => "unsupported",
            ErrorKind::TargetLacks { .. } => "target-lacks-feature",
            ErrorKind::Unbound(_) => "unbound-resource",
            ErrorKind::NoEntryPoint(_) => "no-entry-point",
            ErrorKind::SeveralEntryPoints(_) => "several-entry-points",
            ErrorKind::NotAnEntryPoint(_) => "not-an-entry-point",
            ErrorKind::TooComplex(_) => "too-complex",
            ErrorKind::Internal(_) => "internal",
        }
    }

    /// Whose fault it is.
    pub fn category(&self) -> Category {
        match &self.0.0 {
            ErrorKind::Frontend(error) => error.category(),
            ErrorKind::Malformed(_)
            | ErrorKind::Unbound(_)
            | ErrorKind::NoEntryPoint(_)
            | ErrorKind::SeveralEntryPoints(_)
            | ErrorKind::NotAnEntryPoint(_) => Category::Malformed,
            ErrorKind::Unsupported(_)
            | ErrorKind::TargetLacks { .. }
            | ErrorKind::TooComplex(_) => Category::Unsupported,
            ErrorKind::Internal(_) => Category::Internal,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, location) = &*self.0;
        write_message(f, format_args!("{location}{kind}"))
    }
}

impl std::error::Error for Error {}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error::new(kind)
    }
}

impl From<dxil_frontend::Error> for Error {
    fn from(error: dxil_frontend::Error) -> Self {
        Error::new(ErrorKind::Frontend(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_tells_the_kind_and_says_what_the_frontend_says() {
        let lacks = Error::new(ErrorKind::TargetLacks {
            feature: "shaderFloat64",
            user: "FAbs".to_owned(),
        });
        assert_eq!(lacks.code(), "target-lacks-feature");
        assert_eq!(lacks.category(), Category::Unsupported);
        let refused = dxil_frontend::dxil::read_shader(b"neither").map(|_| ());
        let refused = refused.map_err(Error::from);
        assert_eq!(refused.map_err(|error| error.code()), Err("malformed"));
    }
}
