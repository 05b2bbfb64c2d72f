//! A whole container for a module.

use crate::FourCc;
use crate::bitcode::write_module;
use crate::container::{Alignment, Container, ContainerBuilder};
use crate::dxil::{Shader, ShaderKind};
use crate::error::Result;
use crate::parts::{self, PsvWriter, RdatWriter, SubobjectText};
use crate::validate::function_needs;

/// Returns a container with the parts that D3D12's runtime reads, in DXC's order: SFI0, the
/// signatures, PSV0, HASH and DXIL; for a library SFI0, RDAT, HASH and DXIL. RTS0 is the caller's
/// to add.
///
/// # Errors
///
/// If the module cannot be written.
pub fn container(shader: &Shader) -> Result<ContainerBuilder<'static>> {
    container_with(shader, &[])
}

/// Returns a container as [`container`] does, with the subobjects of a library, which its module
/// does not have.
///
/// # Errors
///
/// If the module cannot be written.
pub fn container_with(
    shader: &Shader,
    subobjects: &[SubobjectText<'_>],
) -> Result<ContainerBuilder<'static>> {
    let mut builder = ContainerBuilder::new();
    if parts::validator_minor(shader) < 7 {
        builder.align(Alignment::Bytes);
    }
    builder.set(FourCc::SFI0, parts::features(shader).to_vec());
    // Patch constants and primitives; the other stages do not have the part.
    let has_third = matches!(
        shader.shader_model.kind,
        ShaderKind::Hull | ShaderKind::Domain | ShaderKind::Mesh
    );
    let third = has_third.then_some(FourCc::PSG1);
    for part in [FourCc::ISG1, FourCc::OSG1].into_iter().chain(third) {
        if let Some(content) = parts::signature(shader, part)? {
            builder.set(part, content);
        }
    }
    if let Some(writer) = PsvWriter::new(shader) {
        builder.set(FourCc::PSV0, writer.write(&writer.tables()?)?);
    }
    if let Some(writer) = RdatWriter::new(shader) {
        let content = writer.write(&function_needs(shader), subobjects)?;
        builder.set(FourCc::RDAT, content);
    }
    let bitcode = write_module(&shader.module)?;
    builder.set(FourCc::HASH, parts::hash(&bitcode).to_vec());
    builder.set(FourCc::DXIL, parts::header(shader).with_bitcode(&bitcode)?);
    Ok(builder)
}

/// Returns a container of a shader that was changed, with what the old one has beside its program:
/// the subobjects of a library, VERS, RTS0 and private data.
///
/// # Errors
///
/// If the module cannot be written, or the old container's RDAT cannot be read.
pub fn container_like(shader: &Shader, old: &Container<'_>) -> Result<ContainerBuilder<'static>> {
    let rdat = old.rdat()?;
    let subobjects = rdat.as_ref().map(parts::subobjects_of).transpose()?;
    let mut builder = container_with(shader, &subobjects.unwrap_or_default())?;
    for name in [FourCc::VERS, FourCc::RTS0, FourCc::PRIV] {
        if let Some(part) = old.part(name) {
            builder.set(name, part.data.to_vec());
        }
    }
    Ok(builder)
}
