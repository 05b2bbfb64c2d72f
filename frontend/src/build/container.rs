//! A whole container for a module.

use std::borrow::Cow;

use crate::FourCc;
use crate::bitcode::write_module;
use crate::container::{Alignment, CompilerVersion, Container, ContainerBuilder, DebugName};
use crate::dxil::{Shader, ShaderKind};
use crate::error::Result;
use crate::opt;
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
    let extras = Extras {
        subobjects,
        ..Extras::default()
    };
    container_of(shader, &extras)
}

/// What a container has beside the parts that D3D12's runtime reads.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Extras<'a> {
    /// The subobjects of a library.
    pub subobjects: &'a [SubobjectText<'a>],
    /// Which debug information there is. Without it the module goes into DXIL as it is.
    pub debug: DebugParts,
    /// Put names that reflection reads into STAT, and leave them out of DXIL.
    pub reflection: bool,
    /// The compiler's version (VERS).
    pub version: Option<CompilerVersion<'a>>,
}

/// The parts with debug information.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DebugParts {
    /// None, and the program keeps what it has.
    #[default]
    Keep,
    /// The name of the PDB file (ILDN); the program has none.
    Name,
    /// The name, and the module with its debug information (ILDB); the program has none.
    Module,
}

/// Returns a container as [`container`] does, with the extras of DXC's: ILDB, STAT and ILDN in
/// front of HASH, VERS in front of RDAT.
///
/// # Errors
///
/// If the module cannot be written, or is one of work graph nodes and something is to be left out
/// of it.
pub fn container_of(shader: &Shader, extras: &Extras<'_>) -> Result<ContainerBuilder<'static>> {
    let mut program = Cow::Borrowed(shader);
    if extras.debug != DebugParts::Keep {
        program = Cow::Owned(opt::without_debug_info(&program)?);
    }
    if extras.reflection {
        program = Cow::Owned(opt::without_names(&program)?);
    }
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
        // DXC of the module's validator version compares the part with its own form.
        let writer = writer.with_last_stream_only().unwrap_or(writer);
        builder.set(FourCc::PSV0, writer.write(&writer.tables()?)?);
    }
    if let Some(version) = &extras.version {
        builder.set(FourCc::VERS, version.write()?);
    }
    if let Some(writer) = RdatWriter::new(shader) {
        let content = writer.write(&function_needs(shader), extras.subobjects)?;
        builder.set(FourCc::RDAT, content);
    }
    if extras.debug == DebugParts::Module {
        builder.set(FourCc::ILDB, parts::program(shader)?);
    }
    if extras.reflection {
        builder.set(FourCc::STAT, parts::reflection(shader)?);
    }
    let bitcode = write_module(&program.module)?;
    let hash = parts::hash(&bitcode);
    if extras.debug != DebugParts::Keep {
        let [_, _, _, _, digest @ ..] = &hash;
        let name = parts::pdb_name(digest);
        let part = DebugName {
            flags: 0,
            name: &name,
        };
        builder.set(FourCc::ILDN, part.write()?);
    }
    builder.set(FourCc::HASH, hash.to_vec());
    builder.set(FourCc::DXIL, parts::header(shader).with_bitcode(&bitcode)?);
    Ok(builder)
}

/// Returns a container of a shader that was changed, with what the old one has beside its program:
/// the subobjects of a library, VERS, RTS0 and private data.
///
/// # Errors
///
/// If the module cannot be written, or the old container's RDAT cannot be read.
pub fn container_like<'a>(shader: &Shader, old: &Container<'a>) -> Result<ContainerBuilder<'a>> {
    let rdat = old.rdat()?;
    let subobjects = rdat.as_ref().map(parts::subobjects_of).transpose()?;
    let mut builder = container_with(shader, &subobjects.unwrap_or_default())?;
    keep_signature_forms(&mut builder, shader, old)?;
    for name in [FourCc::VERS, FourCc::RTS0, FourCc::PRIV] {
        if let Some(part) = old.part(name) {
            builder.set(name, part.data);
        }
    }
    Ok(builder)
}

/// Keeps signatures as they are where they say the same as the module: early builds of DXC 1.7
/// write another form than later ones, and each takes only its own.
pub(super) fn keep_signature_forms<'a>(
    builder: &mut ContainerBuilder<'a>,
    shader: &Shader,
    old: &Container<'a>,
) -> Result<()> {
    for name in [FourCc::ISG1, FourCc::OSG1, FourCc::PSG1] {
        if let Some(part) = old.part(name)
            && parts::signature_forms(shader, name)?
                .iter()
                .any(|form| form == part.data)
        {
            builder.set(name, part.data);
        }
    }
    Ok(())
}
