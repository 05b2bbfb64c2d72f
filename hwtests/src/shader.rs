//! A shader of the test suite, and the failure of a test.

use std::fmt;

/// A shader of the test suite.
#[derive(Debug, Clone, Copy)]
pub struct Shader {
    /// Group and name: the path of its file without extension.
    pub name: &'static str,
    /// The DXContainer.
    pub bytes: &'static [u8],
}

/// The failure of a test, which prints on several lines.
pub struct Failure(pub(crate) String);

impl Failure {
    /// Returns a failure with this message.
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
