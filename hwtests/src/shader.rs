//! A shader of the test suite, and how a test of it fails.

use std::fmt;

/// A shader of the test suite.
#[derive(Debug, Clone, Copy)]
pub struct Shader {
    /// Group and name, as its file is called.
    pub name: &'static str,
    /// The DXContainer.
    pub bytes: &'static [u8],
}

/// What went wrong in a test. Prints as written, over several lines.
pub struct Failure(pub(crate) String);

impl Failure {
    /// Returns a failure that says this.
    pub fn new(text: impl Into<String>) -> Self {
        Failure(text.into())
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<dxil_runtime::Error> for Failure {
    fn from(error: dxil_runtime::Error) -> Self {
        Failure(error.to_string())
    }
}

impl From<dxil_frontend::Error> for Failure {
    fn from(error: dxil_frontend::Error) -> Self {
        Failure(error.to_string())
    }
}

impl From<dxil_validator::ValidatorFailure> for Failure {
    fn from(error: dxil_validator::ValidatorFailure) -> Self {
        Failure(error.to_string())
    }
}
