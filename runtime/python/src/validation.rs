//! The rules of DXIL's validator, and digests.

use dxil_frontend::container::{Container, DigestStatus, sign as signed};
use dxil_frontend::validate::{Options, Severity, Violation, validate as violations_of};
use dxil_runtime::Error;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::ToPython;
use crate::writing::written;

/// Violations as a JSON array, and the number of those that are left out.
#[pyfunction]
pub(crate) fn validate(
    py: Python<'_>,
    bytes: Vec<u8>,
    validator_minor: Option<u8>,
    uniformity: bool,
    preview: bool,
) -> (String, usize) {
    py.detach(|| {
        let mut options = Options::default();
        options.validator_minor = validator_minor;
        options.uniformity = uniformity;
        options.preview = preview;
        let report = violations_of(&bytes, &options);
        let rows: Vec<serde_json::Value> = report.violations.iter().map(row).collect();
        (serde_json::Value::from(rows).to_string(), report.left_out)
    })
}

fn row(violation: &Violation) -> serde_json::Value {
    let location = &violation.location;
    let source = location.source.as_deref();
    serde_json::json!({
        "rule": violation.rule.name(),
        "severity": match violation.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        },
        "detail": violation.detail,
        "message": violation.to_string(),
        "function": violation.function,
        "part": location.part.map(|part| part.to_string()),
        "offset": location.offset,
        "file": source.map(|source| &source.file),
        "line": source.map(|source| source.line),
        "column": source.map(|source| source.column),
    })
}

/// Returns a container with the digest of its content.
#[pyfunction]
pub(crate) fn sign(py: Python<'_>, bytes: Vec<u8>) -> PyResult<Bound<'_, PyBytes>> {
    written(py, || signed(&bytes))
}

/// Returns the digest of a container's content, and what the stored one is.
#[pyfunction]
pub(crate) fn digest<'py>(
    py: Python<'py>,
    bytes: &[u8],
) -> PyResult<(Bound<'py, PyBytes>, &'static str)> {
    let container = Container::parse(bytes).map_err(Error::from).to_python(py)?;
    let status = match container.digest() {
        DigestStatus::Unsigned => "unsigned",
        DigestStatus::Valid => "valid",
        DigestStatus::Preview => "preview",
        DigestStatus::Bypass => "bypass",
        DigestStatus::Mismatch => "mismatch",
    };
    Ok((PyBytes::new(py, &container.compute_digest()), status))
}
