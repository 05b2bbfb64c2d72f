//! Writes the lists of metadata that describe a module: the reverse of [`Shader::decode`].
//!
//! ```text
//! nodes.rs       nodes, texts and constants, each once
//! entries.rs     dx.entryPoints; signatures.rs the signatures
//! resources.rs   dx.resources, and types of variables where a resource has none
//! renumber.rs    makes room for the constants that metadata needs
//! ```
//!
//! A linked shader, one that was converted from DXBC and one that was built have other resources
//! and entry points than their metadata says, if they have any.

mod annotations;
mod entries;
mod nodes;
mod renumber;
mod resources;
mod signatures;

pub(crate) use renumber::renumber_locals;

use nodes::NodeWriter;

use super::Shader;
use crate::error::Result;
use crate::ir::{MdId, Module};

/// The data layout of DXIL modules (DXIL document, "Module-level data").
pub(crate) const DATA_LAYOUT: &str =
    "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64";

/// Lists that [`described`] writes anew (DXIL document, "Metadata").
pub(crate) const WRITTEN_LISTS: [&str; 6] = [
    "dx.version",
    "dx.valver",
    "dx.shaderModel",
    "dx.resources",
    "dx.entryPoints",
    "dx.viewIdState",
];

/// The list of annotations of structures and functions.
const ANNOTATIONS: &str = "dx.typeAnnotations";

/// Returns the shader's module with metadata that says what the shader does: versions, shader
/// model, resources, entry points and view-id state. Other lists stay as they are; annotations of
/// structures are written where the module has none.
///
/// # Errors
///
/// If the shader has nodes of work graphs, whose properties are not written, or tables are too
/// large for their ids.
pub fn described(shader: &Shader) -> Result<Module> {
    let mut out = NodeWriter::new(&shader.module);
    let (major, minor) = shader.dxil_version;
    let version = pair(&mut out, major, minor)?;
    let mut lists: Vec<(&str, Vec<MdId>)> = vec![("dx.version", vec![version])];
    if let Some((major, minor)) = shader.validator_version {
        lists.push(("dx.valver", vec![pair(&mut out, major, minor)?]));
    }
    let model = shader.shader_model;
    let model = [
        Some(out.text(model.kind.prefix())?),
        Some(out.u32(u32::from(model.major))?),
        Some(out.u32(u32::from(model.minor))?),
    ];
    lists.push(("dx.shaderModel", vec![out.tuple(&model)?]));
    let resources = resources::list(&mut out, &shader.resources)?;
    lists.extend(resources.map(|list| ("dx.resources", vec![list])));
    if !shader.view_id_state.is_empty() {
        let state = out.words(&shader.view_id_state)?;
        lists.push(("dx.viewIdState", vec![out.tuple(&[Some(state)])?]));
    }
    // Not what a module has already: its annotations of functions are not kept in the shader.
    let has_annotations = (shader.module.metadata.named(ANNOTATIONS).next()).is_some();
    let structures = &shader.type_annotations.structs;
    if !has_annotations && !structures.is_empty() {
        let list = annotations::structures(&mut out, structures)?;
        lists.push((ANNOTATIONS, vec![list]));
    }
    let entries = entries::list(&mut out, shader, resources)?;
    lists.push(("dx.entryPoints", entries));
    out.finish(&WRITTEN_LISTS, &lists)
}

/// Returns a list of two numbers.
fn pair(out: &mut NodeWriter, a: u8, b: u8) -> Result<MdId> {
    let numbers = [Some(out.u32(u32::from(a))?), Some(out.u32(u32::from(b))?)];
    out.tuple(&numbers)
}
