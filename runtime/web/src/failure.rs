//! What went wrong, as the commands say it.

use dxil_frontend::Category;
use dxil_frontend::escape;
use dxil_inspect::input::NoShader;
use serde_json::{Value, json};

/// An error with its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    kind: &'static str,
    message: String,
}

/// The result of answering.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// Returns the failure of a question that makes no sense.
    pub(crate) fn job(message: impl Into<String>) -> Self {
        Failure {
            kind: "job",
            message: message.into(),
        }
    }

    /// Returns the failure for what the page does not do.
    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Failure {
            kind: "unsupported",
            message: message.into(),
        }
    }

    fn of(category: Category, message: String) -> Self {
        let kind = match category {
            Category::Malformed => "malformed",
            Category::Unsupported => "unsupported",
            Category::Internal => "internal",
        };
        Failure { kind, message }
    }

    /// Returns the error as JSON. Hidden characters of names in it are escaped.
    pub(crate) fn json(&self) -> Value {
        json!({ "kind": self.kind, "message": escape::message(&self.message).to_string() })
    }
}

impl From<dxil_frontend::Error> for Failure {
    fn from(error: dxil_frontend::Error) -> Self {
        Failure::of(error.category(), error.to_string())
    }
}

impl From<dxil_translate::Error> for Failure {
    fn from(error: dxil_translate::Error) -> Self {
        let kind = match error.category() {
            dxil_translate::Category::Malformed => Category::Malformed,
            dxil_translate::Category::Unsupported => Category::Unsupported,
            dxil_translate::Category::Internal => Category::Internal,
        };
        Failure::of(kind, error.to_string())
    }
}

impl From<dxil_runtime::Error> for Failure {
    fn from(error: dxil_runtime::Error) -> Self {
        use dxil_runtime::Error;
        match error {
            Error::Frontend(error) => error.into(),
            Error::Translate(error) => error.into(),
            Error::Unsupported(_) | Error::Language { .. } | Error::Limit { .. } => {
                Failure::unsupported(error.to_string())
            }
            other => match other.code() {
                // The executor's own refusals.
                "unsupported" => Failure::unsupported(other.to_string()),
                "malformed" => Failure::of(Category::Malformed, other.to_string()),
                _ => Failure::job(other.to_string()),
            },
        }
    }
}

impl From<NoShader> for Failure {
    fn from(error: NoShader) -> Self {
        Failure::of(error.category, error.message)
    }
}
