//! `--root-signature`.

use std::path::Path;

use dxil_frontend::container::RootSignature;
use dxil_jit::files;
use dxil_runtime::root_signature::parse_text;

use crate::args::Args;
use crate::failure::{Context, Failure, Result};
use crate::source::ShaderFile;

/// Returns the root signature of the command line, or else that of the file.
pub(crate) fn root_signature(
    args: &Args,
    path: &Path,
    shader: &ShaderFile<'_>,
) -> Result<Option<RootSignature>> {
    match &args.root_signature {
        Some(file) => read_root_signature(file).map(Some),
        None => shader.root_signature().context(path),
    }
}

/// Reads a container, an RTS0 part, a text in HLSL from a file, or that text itself.
fn read_root_signature(file: &Path) -> Result<RootSignature> {
    let parse = |text: &str| {
        parse_text(text).map_err(|error| {
            Failure::malformed(format!("the root signature {}: {error}", file.display()))
        })
    };
    let direct = file
        .to_str()
        .filter(|text| text.contains('(') && !file.exists());
    if let Some(text) = direct {
        return parse(text);
    }
    let bytes = files::read(file).map_err(|error| Failure::file(file, &error))?;
    match std::str::from_utf8(&bytes) {
        // The binary form starts with its version, whose other bytes are zero.
        Ok(text) if !text.contains('\0') => parse(text),
        _ => RootSignature::from_file(&bytes).context(file),
    }
}
