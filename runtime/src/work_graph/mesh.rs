//! Mesh nodes: the pipelines that they begin, and the draws that records become.

use dxil_frontend::dxil::{EntryPoint, Shader, ShaderKind};
use dxil_translate::{Interface, Options};

use crate::error::{Error, Result};
use crate::graphics::{Draw, DrawCall, GraphicsState, Indirect};
use crate::job::{Job, Storage, Work};
use crate::mesh_link;
use crate::program::{CompileOptions, StageCode};
use crate::root_signature::Planner;

/// The program of a mesh node (`D3D12_GENERIC_PROGRAM_DESC`): what follows its mesh shader.
#[derive(Debug, Clone)]
pub struct MeshProgram<'a> {
    /// Name of the node's entry point.
    pub node: &'a str,
    /// The pixel shader; `None` if nothing is shaded.
    pub pixel: Option<&'a Shader>,
    /// State of the pipeline.
    pub state: GraphicsState,
}

/// Returns the program of a mesh node.
///
/// # Errors
///
/// There is none for that node.
pub(super) fn program_of<'a>(
    programs: &'a [MeshProgram<'a>],
    entry: &EntryPoint,
) -> Result<&'a MeshProgram<'a>> {
    let is_it = |program: &&MeshProgram<'_>| {
        *program.node == *entry.name || program.node == entry.plain_name()
    };
    programs.iter().find(is_it).ok_or_else(|| {
        Error::BadJob(format!(
            "the mesh node {} needs a program: a pixel shader and the state of a graphics pipeline",
            entry.plain_name()
        ))
    })
}

/// Translates the pixel shader after a mesh node. `base` has the options that do not depend on the
/// stage, and `mesh` is the interface of the node's module.
pub(super) fn pixel_stage(
    planner: &mut Planner<'_>,
    (entry, mesh): (&EntryPoint, &Interface),
    pixel: &Shader,
    base: &Options,
    options: &CompileOptions,
) -> Result<StageCode> {
    let mut pixels = pixel.entry_points.iter();
    let Some(main) = pixels.find(|entry| entry.kind == ShaderKind::Pixel) else {
        return Err(Error::BadJob(format!(
            "a {} shader follows the mesh node {}, not a pixel shader",
            pixel.shader_model.kind.prefix(),
            entry.plain_name()
        )));
    };
    let mut translate_options = base.clone();
    translate_options.bindings = planner.stage(&pixel.resources, ShaderKind::Pixel)?;
    translate_options.entry = Some(main.name.to_string());
    translate_options.required_subgroup_size = 0;
    translate_options.signature = options.signature.clone();
    translate_options.signature.places.extend(mesh_link::places(
        entry,
        mesh.patch_location_offset,
        main,
    ));
    Ok(dxil_translate::translate(pixel, &translate_options)?.into())
}

/// Lets the job draw the grids of records to its targets: draw number n is that of grid n.
///
/// # Errors
///
/// The caller's job does not draw.
pub(super) fn draw(job: &mut Job, draw: Option<&Draw>, grids: &[[u32; 3]]) -> Result<()> {
    let Some(draw) = draw else {
        return Err(Error::BadJob(
            "a mesh node needs a job that draws, for its render targets".into(),
        ));
    };
    let words = grids.iter().flatten().flat_map(|side| side.to_le_bytes());
    let arguments = Storage::Buffer(words.collect());
    let arguments = job.add_resource("grids", arguments, false);
    job.work = Work::Draw(Box::new(Draw {
        call: DrawCall::Indirect(Indirect {
            arguments,
            offset: 0,
            stride: 12,
            draws: u32::try_from(grids.len()).unwrap_or(u32::MAX),
            count: None,
        }),
        queries: Vec::new(),
        ..draw.clone()
    }));
    Ok(())
}
