//! The error type of this crate; positions are the frontend's [`Location`].

use std::fmt;

pub use dxil_frontend::Category;
use dxil_frontend::{Location, write_message};

/// Result with this crate's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The kind of an error, without a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The frontend refused the input.
    #[error(transparent)]
    Frontend(#[from] dxil_frontend::Error),
    /// The input breaks a rule of DXIL that only the translation checks.
    #[error("{0}")]
    Malformed(String),
    /// Valid input that this translator does not support.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// The shader needs a feature that the target lacks and that has no fallback.
    #[error("the target lacks {feature}, which {user} needs")]
    TargetLacks {
        /// The missing feature, in Vulkan's words.
        feature: &'static str,
        /// The object that needs it.
        user: String,
    },
    /// The shader needs a form of code that portable SPIR-V lacks: naga, which reads it, has none.
    #[error("not supported: {what} in portable SPIR-V")]
    PortableLacks {
        /// The form.
        form: PortableForm,
        /// The part of the shader that needs it.
        what: String,
    },
    /// The binding map has no location for a resource that the shader uses.
    #[error("the binding map has no location for {0}")]
    Unbound(String),
    /// The requested entry point does not exist.
    #[error("no entry point named {0:?}")]
    NoEntryPoint(String),
    /// There are several entry points, and the caller named none.
    #[error("there are several entry points, and one of them has to be named: {0}")]
    SeveralEntryPoints(String),
    /// The library has a function of that name, which is not an entry point.
    #[error("the function {0:?} is not an entry point")]
    NotAnEntryPoint(String),
    /// Translation would take more than a fixed number of steps for each part of the input; this
    /// names the limit.
    #[error("too complex: {0}")]
    TooComplex(&'static str),
    /// A broken invariant of this crate.
    #[error("internal error: {0}")]
    Internal(String),
}

/// A form of code that portable SPIR-V lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PortableForm {
    /// A comparison with a texture at another level of detail than 0.
    ComparisonLevel,
    /// An implicit level of detail in a thread group with derivatives.
    GroupLevel,
    /// An implicit level of detail of an element of an array, chosen per lane.
    ElementLevel,
    /// An array of descriptors without an end, or a long one.
    DescriptorArray,
    /// An array of descriptors without an end, of which the code may name more elements than it
    /// gets ([`BindingMap::unbounded_elements_are_all`](crate::BindingMap)).
    UnknownElements,
    /// An array of writable multisampled textures.
    MultisampledArray,
    /// The result of an atomic on a texture.
    AtomicResult,
    /// An atomic on a texture that exchanges or compares, or is on 64 bits.
    TextureAtomic,
    /// The order of fragments of rasterizer-ordered views.
    OrderedViews,
    /// A coherent texture (`globallycoherent`).
    CoherentTexture,
    /// Interpolation at another place of the pixel.
    Interpolation,
    /// Operations on 64-bit integers where these are emulated.
    Int64,
    /// Reports for layers.
    Instrumentation,
}

/// An error with its position; one pointer wide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<(ErrorKind, Location)>);

impl Error {
    /// Returns an error without a position.
    pub fn new(kind: ErrorKind) -> Self {
        Error(Box::new((kind, Location::default())))
    }

    /// Returns an [`ErrorKind::Unsupported`] error.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Unsupported(message.into()))
    }

    /// Returns an [`ErrorKind::PortableLacks`] error.
    pub(crate) fn portable(form: PortableForm, what: impl Into<String>) -> Self {
        let what = what.into();
        Error::new(ErrorKind::PortableLacks { form, what })
    }

    /// Returns an [`ErrorKind::Malformed`] error.
    pub fn malformed(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Malformed(message.into()))
    }

    /// Returns an [`ErrorKind::Internal`] error.
    pub fn internal(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Internal(message.into()))
    }

    /// Returns the kind of error.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.0
    }

    /// Returns the position of the error.
    pub fn location(&self) -> &Location {
        match &self.0.0 {
            // An error of the lowering already has a location.
            ErrorKind::Frontend(error) if self.0.1 == Location::default() => error.location(),
            _ => &self.0.1,
        }
    }

    /// Returns the position, which callers complete while the error propagates.
    pub fn location_mut(&mut self) -> &mut Location {
        &mut self.0.1
    }

    /// Returns a code for the kind of error, which stays the same between versions while messages
    /// may change: one of this list, or one of [`dxil_frontend::Error::code`] where the frontend
    /// refused the input.
    ///
    /// | code | kind |
    /// |---|---|
    /// | `malformed` | [`ErrorKind::Malformed`] |
    /// | `unsupported` | [`ErrorKind::Unsupported`], [`ErrorKind::PortableLacks`] |
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
            ErrorKind::Unsupported(_) | ErrorKind::PortableLacks { .. } => "unsupported",
            ErrorKind::TargetLacks { .. } => "target-lacks-feature",
            ErrorKind::Unbound(_) => "unbound-resource",
            ErrorKind::NoEntryPoint(_) => "no-entry-point",
            ErrorKind::SeveralEntryPoints(_) => "several-entry-points",
            ErrorKind::NotAnEntryPoint(_) => "not-an-entry-point",
            ErrorKind::TooComplex(_) => "too-complex",
            ErrorKind::Internal(_) => "internal",
        }
    }

    /// Returns whether the input, the target or the translator is at fault.
    pub fn category(&self) -> Category {
        match &self.0.0 {
            ErrorKind::Frontend(error) => error.category(),
            ErrorKind::Malformed(_)
            | ErrorKind::Unbound(_)
            | ErrorKind::NoEntryPoint(_)
            | ErrorKind::SeveralEntryPoints(_)
            | ErrorKind::NotAnEntryPoint(_) => Category::Malformed,
            ErrorKind::Unsupported(_)
            | ErrorKind::PortableLacks { .. }
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
