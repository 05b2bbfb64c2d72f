//! Nodes of work graphs: each is decoded by itself, and runs for the records that wait for it.

use std::sync::Arc;

use dxil_cpu::Kernel;
use dxil_frontend::container::root_signature::RootSignature;
use dxil_frontend::dxil::{EntryPoint, Shader, ShaderKind};
use dxil_translate::resource_uses;

use super::compile::layout_of;
use super::executable::Executable;
use crate::device::Profile;
use crate::error::Result;
use crate::program::{CompileOptions, Program, ShaderCode, StageCode};
use crate::root_signature::{Planner, first_register, static_samplers};

/// Decodes a node. The resources of its local root signature are bound by register, like all
/// others.
pub(crate) fn compile_node(
    shader: &Shader,
    entry: &EntryPoint,
    (root, local): (Option<&RootSignature>, Option<&RootSignature>),
    profile: &Profile,
    options: &CompileOptions,
) -> Result<Program> {
    let (minimum, maximum) = profile.subgroup_sizes;
    let mut decode = dxil_cpu::Options::default();
    decode.entry = Some(entry.name.to_string());
    decode.wave_size = (minimum == maximum).then_some(minimum);
    decode.keep_denormals = profile.keep_denormals;
    decode.preview = options.preview;
    decode.watched = options.watched;
    let kernel = Kernel::decode(shader, &decode)?;
    // The planner looks whether the root signatures have a place for everything.
    let used = resource_uses(shader, Some(&entry.name))?;
    let mut planner = Planner::new(root, profile, &|_| None, options.root_descriptors);
    planner.node_stage(&used, entry.kind, local)?;
    let mut samplers = Vec::new();
    for signature in root.into_iter().chain(local) {
        let found = static_samplers(signature, &shader.resources, ShaderKind::Node)?;
        samplers.extend(found);
    }
    let singles = used.iter().filter(|resource| resource.count == Some(1));
    let mut needed: Vec<_> = singles
        .map(|resource| (first_register(resource), resource.name.to_string()))
        .collect();
    needed.retain(|(register, _)| !samplers.iter().any(|(at, _)| at == register));
    let layout = layout_of(&[&kernel], &[shader], &samplers);
    let executable = Executable {
        kernel,
        static_samplers: samplers,
        needed,
        locals: Vec::new(),
        stage: None,
    };
    Ok(Program::of_compute(
        StageCode {
            kind: ShaderKind::Compute,
            required_subgroup_size: Some(executable.kernel.wave_size()),
            code: ShaderCode::Dxil(Arc::new(executable)),
            entry: entry.plain_name().to_owned(),
            interface: None,
            structure: None,
            warnings: Vec::new(),
            timings: None,
        },
        layout,
    ))
}
