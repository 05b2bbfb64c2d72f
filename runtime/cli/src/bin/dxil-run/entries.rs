//! Entry points of the command line: whether they exist, and whether they run as it says.

use std::path::Path;

use dxil_frontend::dxil::{Shader, ShaderKind};

use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::linking;

/// Refuses an entry point that no shader has.
pub(crate) fn check_entry<'a>(
    args: &Args,
    files: impl Iterator<Item = (&'a Path, &'a Shader)> + Clone,
) -> Result<()> {
    let Some(name) = &args.entry else {
        return Ok(());
    };
    let mut shaders = files.clone().map(|(_, shader)| shader);
    if shaders.any(|shader| shader.entry_point(name).is_some()) {
        return Ok(());
    }
    let mut points = files.clone().flat_map(|(_, shader)| &shader.entry_points);
    if points.any(|point| point.function.is_some()) {
        Err(linking::no_entry(name, files))
    } else {
        // The translator reports what is wrong with a library without entry points.
        Ok(())
    }
}

/// Refuses shaders that run in another way than by a dispatch of groups.
pub(crate) fn must_be_dispatched(shader: &Shader, entry: Option<&str>) -> Result<()> {
    let kind = match entry {
        Some(name) => shader.entry_point(name).map(|entry| entry.kind),
        None => Some(shader.shader_model.kind),
    };
    use ShaderKind as K;
    match kind {
        // The translator reports a name that no entry point has, and a choice between several.
        None | Some(K::Compute | K::Library) => Ok(()),
        Some(K::Node) => Err(Failure::usage(
            "a node of a work graph runs with the whole of its graph: --graph",
        )),
        Some(
            K::RayGeneration | K::Intersection | K::AnyHit | K::ClosestHit | K::Miss | K::Callable,
        ) => Err(Failure::usage(
            "a ray tracing shader runs with the whole of its library: --rays W,H",
        )),
        Some(
            K::Vertex | K::Hull | K::Domain | K::Geometry | K::Pixel | K::Mesh | K::Amplification,
        ) => Err(Failure::usage(
            "a shader of a graphics pipeline runs in a draw, with its other stages: --draw N vs.dxil ps.dxil; on the CPU by itself: --draw N --backend cpu, or --pixels WxH",
        )),
    }
}
