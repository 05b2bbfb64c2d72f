//! Other forms of a test shader: its DXBC, what becomes of it as DXIL, and its optimized form.

use dxil_frontend::build::container_with;
use dxil_frontend::container::{Container, Signing};
use dxil_frontend::dxil::{ShaderKind, read_shader};
use dxil_frontend::opt::{Pass, optimize};
use dxil_frontend::upgrade::to_dxil;
use dxil_frontend::validate::{Options, validate};

use crate::shader::{Failure, Shader};

/// Returns the shader as DXBC (shader model 5.1), if there is such a file beside its DXIL.
pub(super) fn older_form(shader: &Shader) -> Option<Vec<u8>> {
    let folder = crate::data_folder().join("hwtests/shaders");
    std::fs::read(folder.join(format!("{}.dxbc", shader.name))).ok()
}

/// Returns the shader's DXBC, converted to DXIL, if there is DXBC.
///
/// # Errors
///
/// If conversion refuses it, or the result breaks a rule of the validator.
pub(crate) fn upgraded_form(shader: &Shader) -> Result<Option<Vec<u8>>, Failure> {
    let Some(older) = older_form(shader) else {
        return Ok(None);
    };
    let newer = to_dxil(&Container::parse(&older)?)?.build(Signing::Digest)?;
    valid(newer, shader.name)
}

/// Returns the shader after all passes of the optimizer; nothing for a library and for a shader
/// that is not valid.
///
/// # Errors
///
/// If a pass fails, or the result breaks a rule of the validator.
pub(crate) fn optimized_form(shader: &Shader) -> Result<Option<Vec<u8>>, Failure> {
    let parsed = read_shader(shader.bytes)?;
    let is_valid = validate(shader.bytes, &Options::default()).is_valid();
    if parsed.shader_model.kind == ShaderKind::Library || !is_valid {
        return Ok(None);
    }
    let smaller = optimize(&parsed, Pass::DEFAULT)?;
    let bytes = container_with(&smaller, &[])?.build(Signing::Digest)?;
    valid(bytes, shader.name)
}

/// Returns a container that breaks no rule of the validator.
fn valid(bytes: Vec<u8>, name: &str) -> Result<Option<Vec<u8>>, Failure> {
    let report = validate(&bytes, &Options::default());
    match report.violations.first() {
        None => Ok(Some(bytes)),
        Some(violation) => Err(Failure(format!("{name}: {violation}"))),
    }
}
