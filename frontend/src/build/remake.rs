//! All parts of a container made anew from its module.

use super::container::{DebugParts, Extras, container_of, container_with, keep_signature_forms};
use crate::container::{CompilerVersion, Container, ContainerBuilder, InputKind, detect};
use crate::dxil::{Shader, described, read_shader, read_shader_with_debug_info};
use crate::error::{ErrorKind, Result};
use crate::{FourCc, link, parts};

/// What of a container is made anew beside the parts that D3D12's runtime reads. By default the new
/// container has what the old one has.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Remake<'a> {
    /// Which debug information there is; `None`: a module (ILDB), a name (ILDN), or what the
    /// program has, as before.
    pub debug: Option<DebugParts>,
    /// Whether there is a module for reflection (STAT); `None`: as before. Where names are in the
    /// old STAT alone, that part stays as it is.
    pub reflection: Option<bool>,
    /// The compiler's version (VERS); `None`: as before. The validator takes it in libraries only.
    pub version: Option<CompilerVersion<'a>>,
}

/// Returns a container with all parts made anew from a module: of a container, whose ILDB counts
/// for more than its DXIL where debug information or reflection is asked for; or of bare bitcode.
/// Parts that no module tells stay: the root signature, sources, private data, and subobjects of
/// RDAT.
///
/// # Errors
///
/// If the module cannot be read or written, or the container has no DXIL.
pub fn remake<'a>(bytes: &'a [u8], wanted: &Remake<'_>) -> Result<ContainerBuilder<'a>> {
    if detect(bytes) != Some(InputKind::Container) {
        let shader = read_shader_with_debug_info(bytes)?;
        let extras = Extras {
            debug: wanted.debug.unwrap_or_default(),
            reflection: wanted.reflection.unwrap_or(false),
            version: wanted.version,
            ..Extras::default()
        };
        return container_of(&shader, &extras);
    }
    let old = Container::parse(bytes)?;
    if old.has_dxbc_program() {
        let part = FourCc::DXIL;
        return Err(ErrorKind::MissingPart { part }.into());
    }
    let has = |part| old.part(part).is_some();
    let has_names = has(FourCc::ILDB);
    let debug = wanted.debug.unwrap_or(match has(FourCc::ILDN) {
        _ if has_names => DebugParts::Module,
        true => DebugParts::Name,
        false => DebugParts::Keep,
    });
    let reflection = match wanted.reflection {
        // Names that are in STAT alone would be lost.
        None => has(FourCc::STAT) && has_names,
        Some(reflection) => reflection,
    };
    let shader = if debug == DebugParts::Module || reflection {
        Shader::read_with_debug_info(&old)?
    } else {
        Shader::read(&old)?
    };
    let rdat = old.rdat()?;
    let subobjects = rdat.as_ref().map(parts::subobjects_of).transpose()?;
    let extras = Extras {
        subobjects: &subobjects.unwrap_or_default(),
        debug,
        reflection,
        version: wanted.version.or(old.compiler_version()?),
    };
    let mut builder = container_of(&shader, &extras)?;
    keep_signature_forms(&mut builder, &shader, &old)?;
    for name in [FourCc::RTS0, FourCc::SRCI, FourCc::PRIV] {
        if let Some(part) = old.part(name) {
            builder.set(name, part.data);
        }
    }
    if let Some(part) = old.part(FourCc::STAT)
        && wanted.reflection.is_none()
        && !reflection
    {
        builder.set(FourCc::STAT, part.data);
    }
    let has_third = shader
        .entry_points
        .iter()
        .any(|entry| !entry.patch_constants.is_empty());
    // Not all compilers write these.
    for (name, is_needed) in [
        (FourCc::HASH, debug != DebugParts::Keep),
        (FourCc::PSG1, has_third),
    ] {
        if !has(name) && !is_needed {
            builder.remove(name);
        }
    }
    sort_like(&mut builder, &old);
    Ok(builder)
}

/// Sorts parts as those of a container. New ones stand in front of the program.
fn sort_like(builder: &mut ContainerBuilder<'_>, old: &Container<'_>) {
    let mut order: Vec<FourCc> = old.parts().iter().map(|part| part.name).collect();
    let program = order.iter().position(|name| *name == FourCc::DXIL);
    let new = builder.parts().map(|(name, _)| name);
    let new: Vec<FourCc> = new.filter(|name| old.part(*name).is_none()).collect();
    let program = program.unwrap_or(order.len());
    order.splice(program..program, new);
    builder.reorder(&order);
}

/// Returns the container of a shader with the functions that libraries define and it calls. A
/// library keeps its subobjects; those of the others are left out.
///
/// # Errors
///
/// If the bytes are no shader, or as [`link::link`] and [`container_with`].
pub fn linked(bytes: &[u8], libraries: &[&Shader]) -> Result<ContainerBuilder<'static>> {
    let shader = read_shader(bytes)?;
    let linked = link::link(&shader, libraries)?;
    // Its metadata is still that of the shader alone.
    let linked = Shader::decode(described(&linked)?)?;
    let rdat = match detect(bytes) {
        Some(InputKind::Container) => Container::parse(bytes)?.rdat()?,
        _ => None,
    };
    let subobjects = rdat.as_ref().map(parts::subobjects_of).transpose()?;
    container_with(&linked, &subobjects.unwrap_or_default())
}
