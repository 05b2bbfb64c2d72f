//! A whole container for a module.

use super::{PsvWriter, features, hash, program, signature};
use crate::FourCc;
use crate::bitcode::write_module;
use crate::container::ContainerBuilder;
use crate::dxil::{Shader, ShaderKind};
use crate::error::{Error, Result};

/// Returns a container with the parts that D3D12's runtime reads, in DXC's order: SFI0, the
/// signatures, PSV0, HASH and DXIL. RTS0 is the caller's to add.
///
/// # Errors
///
/// If the module cannot be written, or is a library: RDAT is not written.
pub fn container(shader: &Shader) -> Result<ContainerBuilder<'static>> {
    if shader.shader_model.kind == ShaderKind::Library {
        return Err(Error::unsupported("writing RDAT, which libraries need"));
    }
    let mut builder = ContainerBuilder::new();
    builder.set(FourCc::SFI0, features(shader).to_vec());
    // Patch constants and primitives; the other stages do not have the part.
    let has_third = matches!(
        shader.shader_model.kind,
        ShaderKind::Hull | ShaderKind::Domain | ShaderKind::Mesh
    );
    let third = has_third.then_some(FourCc::PSG1);
    for part in [FourCc::ISG1, FourCc::OSG1].into_iter().chain(third) {
        if let Some(content) = signature(shader, part)? {
            builder.set(part, content);
        }
    }
    if let Some(writer) = PsvWriter::new(shader) {
        builder.set(FourCc::PSV0, writer.write(&writer.tables()?)?);
    }
    let bitcode = write_module(&shader.module)?;
    builder.set(FourCc::HASH, hash(&bitcode).to_vec());
    builder.set(
        FourCc::DXIL,
        program::header(shader).with_bitcode(&bitcode)?,
    );
    Ok(builder)
}
