//! Extensions of files.

use std::path::Path;

/// Returns whether a file has one of these extensions, in capitals or not.
pub(super) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let own = path.extension();
    own.is_some_and(|own| {
        extensions
            .iter()
            .any(|extension| own.eq_ignore_ascii_case(extension))
    })
}
