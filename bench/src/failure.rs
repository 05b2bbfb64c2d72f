//! Errors with an exit code of their own, and the exit codes of all errors.

use dxil_commands::exit::Exit;

/// A command line with a name that does not exist.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);

/// A kernel whose result differs from its CPU reference.
#[derive(Debug, thiserror::Error)]
#[error("wrong result: {0}")]
pub(crate) struct WrongResult(pub(crate) String);

/// A file with malformed contents.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Malformed(pub(crate) String);

/// Returns the exit code of an error: that of the first cause that has one.
pub(crate) fn exit_of(error: &anyhow::Error) -> Exit {
    for cause in error.chain() {
        if cause.is::<Usage>() {
            return Exit::Usage;
        }
        if cause.is::<WrongResult>() {
            return Exit::Mismatch;
        }
        if let Some(error) = cause.downcast_ref::<dxil_runtime::Error>() {
            return error.into();
        }
        if let Some(error) = cause.downcast_ref::<dxil_frontend::Error>() {
            return error.into();
        }
        if let Some(error) = cause.downcast_ref::<dxil_translate::Error>() {
            return error.category().into();
        }
        if let Some(error) = cause.downcast_ref::<std::io::Error>() {
            return error.into();
        }
        if cause.is::<serde_json::Error>() || cause.is::<Malformed>() {
            return Exit::Malformed;
        }
        if cause.is::<libloading::Error>() {
            return Exit::File;
        }
    }
    Exit::Mismatch
}
