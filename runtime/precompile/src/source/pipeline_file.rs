//! Pipelines of pipeline files (`docs/pipeline-files.md`): the state of a draw or of a ray tracing
//! pipeline, as `dxil-run --pipeline` runs it.

use std::path::{Path, PathBuf};

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_jit::exit::Exit;
use dxil_jit::pipeline_file::{Pipeline, PipelineError, PipelineKind};
use dxil_runtime::ray_tracing::{HitGroupKind, RayTracingState};

use super::libraries::with_exports;
use crate::draw_state::{DrawState, entry_of};
use crate::error::Problem;
use crate::library::{Blob, HitGroup, Shape, StateObject};

/// Names of the files with the stages of a pipeline file, after its own name.
const ENDINGS: [&str; 8] = ["", "_vs", "_hs", "_ds", "_gs", "_as", "_ms", "_ps"];

/// Returns the shaders of a pipeline file that lie beside it: `NAME.dxil`, or `NAME_vs.dxil`,
/// `NAME_ps.dxil` and so on.
pub(super) fn shaders_beside(path: &Path) -> Vec<PathBuf> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let candidates = ENDINGS.iter().map(|ending| {
        let name = format!("{stem}{ending}.dxil");
        path.with_file_name(name)
    });
    candidates.filter(|candidate| candidate.is_file()).collect()
}

fn problem(error: &PipelineError) -> Problem {
    let exit = match error {
        PipelineError::Unsupported(_) => Exit::Unsupported,
        _ => Exit::Malformed,
    };
    Problem::new(exit, error.to_string())
}

/// Returns the shape of the pipeline of a file with these shaders.
pub(super) fn shape(
    text: &str,
    root: Option<&Blob>,
    blobs: &[Blob],
    shaders: &[Shader],
) -> Result<Shape, Problem> {
    let pipeline = Pipeline::parse(text).map_err(|error| problem(&error))?;
    let stages: Vec<&Shader> = shaders.iter().collect();
    let kinds: Vec<ShaderKind> = stages.iter().map(|s| s.shader_model.kind).collect();
    pipeline
        .check_stages(&kinds)
        .map_err(|error| problem(&error))?;
    if pipeline.kind == PipelineKind::Compute {
        return Ok(Shape::Stages {
            shaders: blobs.to_vec(),
            draw: None,
        });
    }
    let root = match root {
        Some(root) => Some(RootSignature::from_file(root)?),
        None => RootSignature::of_shaders(blobs.iter().map(|bytes| &bytes[..]))?,
    };
    let planned = pipeline
        .plan(root.as_ref(), &stages)
        .map_err(|error| problem(&error))?;
    if let Some(state) = planned.ray_tracing {
        let names = pipeline
            .document
            .shaders
            .iter()
            .map(|shader| shader.entry.as_str());
        let names: Vec<&str> = names.collect();
        let object = with_exports(blobs, shaders, &names);
        return Ok(Shape::Object(with_state(object, &state, &names)));
    }
    let state = planned.graphics.unwrap_or_default();
    let vertex = entry_of(&stages, ShaderKind::Vertex);
    Ok(Shape::Stages {
        shaders: blobs.to_vec(),
        draw: Some(Box::new(DrawState::of_state(state, vertex))),
    })
}

/// Adds the state of a ray tracing pipeline, whose shaders have these names.
fn with_state(mut object: StateObject, state: &RayTracingState, names: &[&str]) -> StateObject {
    let name = |index: Option<usize>| {
        let name = names.get(index?)?;
        Some((*name).to_owned())
    };
    object.hit_groups = state
        .hit_groups
        .iter()
        .map(|group| HitGroup {
            name: group.name.clone(),
            procedural: group.kind == HitGroupKind::Procedural,
            any_hit: name(group.any_hit),
            closest_hit: name(group.closest_hit),
            intersection: name(group.intersection),
        })
        .collect();
    object.shader_config = Some((state.max_payload_bytes, state.max_attribute_bytes));
    let flags = u32::from(state.skip_triangles) << 8 | u32::from(state.skip_procedural) << 9;
    object.pipeline_config = Some((state.max_recursion, flags));
    object
}
