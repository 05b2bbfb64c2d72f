//! Errors become exceptions of the classes in `dxil_jit._errors`.

use dxil_runtime::Error;
use pyo3::prelude::*;

/// Results whose error becomes an exception.
pub(crate) trait ToPython<T> {
    /// Returns the value, or the exception.
    fn to_python(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> ToPython<T> for Result<T, Error> {
    fn to_python(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| exception(py, class_of(&error), error.code(), &error.to_string()))
    }
}

/// Returns the exception for an argument that is not a value of its parameter.
pub(crate) fn argument(py: Python<'_>, message: String) -> PyErr {
    exception(py, "JobError", "bad-argument", &message)
}

/// Returns the name of an error's class in `dxil_jit._errors`.
fn class_of(error: &Error) -> &'static str {
    let category = match error {
        Error::Frontend(error) => error.category(),
        Error::Translate(error) => match error.code() {
            "no-entry-point" | "several-entry-points" | "not-an-entry-point" => return "JobError",
            _ => error.category(),
        },
        Error::Cpu(error) => {
            return match error.code() {
                "unsupported" => "UnsupportedError",
                "malformed" => "MalformedError",
                _ => "DeviceError",
            };
        }
        Error::Unsupported(_) | Error::Language { .. } | Error::Limit { .. } => {
            return "UnsupportedError";
        }
        Error::Unbound { .. }
        | Error::BadView { .. }
        | Error::BadJob(_)
        | Error::RootSignature(_)
        | Error::StageLink { .. }
        | Error::WorkGraph(_) => return "JobError",
        _ => return "DeviceError",
    };
    match category {
        dxil_frontend::Category::Malformed => "MalformedError",
        dxil_frontend::Category::Unsupported => "UnsupportedError",
        dxil_frontend::Category::Internal => "Error",
    }
}

fn exception(py: Python<'_>, class: &str, code: &str, message: &str) -> PyErr {
    let made = py
        .import("dxil_jit._errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call1((message, code)));
    match made {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}
