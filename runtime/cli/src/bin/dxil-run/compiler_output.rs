//! What compilers of source languages say.

use std::path::Path;
use std::process::Output;

use crate::failure::{Failure, Result};
use crate::messages::report_text;

/// Reports what a compiler says.
///
/// # Errors
///
/// Fails where it has refused the source.
pub(crate) fn said(path: &Path, compiler: &str, output: &Output) -> Result<()> {
    let given = [output.stdout.as_slice(), &output.stderr].concat();
    let given = String::from_utf8_lossy(&given);
    if output.status.success() {
        report_text(&given);
        return Ok(());
    }
    let (path, given) = (path.display(), given.trim_end());
    // A signal, which leaves no code.
    if output.status.code().is_none() {
        let status = output.status;
        let message = format!("{path}: {compiler} crashed ({status}):\n{given}");
        return Err(Failure::unsupported(message));
    }
    let message = format!("{path}: {compiler} refuses it:\n{given}");
    Err(Failure::malformed(message))
}
