//! Translation of a container's bytes, and source positions of its errors.

use dxil_frontend::dxil::{read_shader, read_shader_with_debug_info};

use crate::{Error, Options, Result, SourceDebugInfo, Translation, translate};

/// Translates one entry point of a DXContainer or of bare bitcode. If the container also has the
/// program with debug information, errors have their position in the source.
///
/// # Errors
///
/// Errors of the frontend, and those of [`translate`].
pub fn translate_bytes(bytes: &[u8], options: &Options) -> Result<Translation> {
    let shader = match options.source {
        SourceDebugInfo::None => read_shader(bytes)?,
        SourceDebugInfo::Lines | SourceDebugInfo::Full => read_shader_with_debug_info(bytes)?,
    };
    translate(&shader, options).map_err(|error| in_source(bytes, options, error))
}

/// Returns an error of the translation of these bytes, with its position in the source, if debug
/// information in the bytes shows it. Costs another translation, of the program with debug
/// information.
pub fn in_source(bytes: &[u8], options: &Options, error: Error) -> Error {
    let location = error.location();
    if location.source.is_some() || location.function.is_none() {
        return error;
    }
    let Ok(shader) = read_shader_with_debug_info(bytes) else {
        return error;
    };
    match translate(&shader, options) {
        Err(found) if found.kind() == error.kind() && found.location().source.is_some() => found,
        _ => error,
    }
}
