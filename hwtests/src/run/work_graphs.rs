//! Runs work graphs.

use dxil_runtime::job::Job;
use dxil_runtime::program::{CompileOptions, ShaderCode};
use dxil_runtime::ray_program::LibraryState;
use dxil_runtime::root_signature::{formats_of, parse_text};
use dxil_runtime::work_graph::{GraphInput, GraphOutcome, MeshProgram, NodeLibrary, WorkGraph};

use super::configuration::{Configuration, shared_device};
use super::validity::{rules_of, validate};
use crate::shader::{Failure, Shader};

/// Runs the nodes of a work graph library on Vulkan and on the CPU, level by level, for records
/// from the host, and compares the results. The validator checks the module of every node.
///
/// # Errors
///
/// If the translator refuses a node, a module is invalid, or the device fails.
pub fn work_graph(
    shader: &Shader,
    job: &Job,
    inputs: &[GraphInput],
) -> Result<GraphOutcome, Failure> {
    rooted_work_graph(&[*shader], GraphRoots::default(), job, inputs)
}

/// What a state object adds to the libraries of a work graph: root signatures, as HLSL text, and
/// programs.
#[derive(Debug, Clone, Copy, Default)]
pub struct GraphRoots<'a> {
    /// The global root signature.
    pub global: Option<&'a str>,
    /// The local root signature of all nodes.
    pub local: Option<&'a str>,
    /// The programs of mesh nodes.
    pub programs: &'a [MeshProgram<'a>],
}

/// Runs a work graph of several libraries with root signatures on Vulkan and on the CPU, and
/// compares the results.
///
/// # Errors
///
/// If the translator refuses a node, a module is invalid, or the device fails.
pub fn rooted_work_graph(
    shaders: &[Shader],
    roots: GraphRoots<'_>,
    job: &Job,
    inputs: &[GraphInput],
) -> Result<GraphOutcome, Failure> {
    let [on_vulkan, on_cpu] = each_work_graph(shaders, roots, job, inputs)?;
    let same = on_vulkan.results.resources == on_cpu.results.resources
        && on_vulkan.levels == on_cpu.levels
        && on_vulkan.lost == on_cpu.lost;
    if same {
        Ok(on_vulkan)
    } else {
        Err(Failure(format!(
            "{}: the CPU says {on_cpu:?}, Vulkan {on_vulkan:?}",
            shaders[0].name
        )))
    }
}

/// Runs a work graph on Vulkan and on the CPU and returns both outcomes, for graphs whose results
/// depend on the size of waves or on the order of groups.
///
/// # Errors
///
/// If the translator refuses a node, a module is invalid, or a device fails.
pub fn each_work_graph(
    shaders: &[Shader],
    roots: GraphRoots<'_>,
    job: &Job,
    inputs: &[GraphInput],
) -> Result<[GraphOutcome; 2], Failure> {
    let on_vulkan = work_graph_on(Configuration::Vulkan, shaders, roots, job, inputs)?;
    let on_cpu = work_graph_on(Configuration::Cpu, shaders, roots, job, inputs)
        .map_err(|error| Failure(format!("on the CPU: {}", error.0)))?;
    Ok([on_vulkan, on_cpu])
}

/// Runs a work graph with mesh nodes, on Vulkan.
///
/// # Errors
///
/// If the translator refuses a node or pixel shader, a module is invalid, or the device fails.
pub fn mesh_work_graph(
    shader: &Shader,
    programs: &[MeshProgram<'_>],
    job: &Job,
    inputs: &[GraphInput],
) -> Result<GraphOutcome, Failure> {
    let roots = GraphRoots {
        programs,
        ..GraphRoots::default()
    };
    work_graph_on(Configuration::Vulkan, &[*shader], roots, job, inputs)
}

fn work_graph_on(
    configuration: Configuration,
    shaders: &[Shader],
    roots: GraphRoots<'_>,
    job: &Job,
    inputs: &[GraphInput],
) -> Result<GraphOutcome, Failure> {
    let device = shared_device(configuration)?;
    let root = |text: &str| parse_text(text).map_err(|error| Failure(error.to_string()));
    let global = roots.global.map(root).transpose()?;
    let mut parsed = Vec::new();
    for shader in shaders {
        let mut state = LibraryState::read(shader.bytes)?;
        if let Some(local) = roots.local {
            state.local_roots.push((root(local)?, Vec::new()));
        }
        parsed.push((dxil_frontend::dxil::read_shader(shader.bytes)?, state));
    }
    let libraries: Vec<NodeLibrary<'_>> = parsed
        .iter()
        .map(|(shader, state)| NodeLibrary {
            state: Some(state),
            mesh_programs: roots.programs,
            ..NodeLibrary::new(shader)
        })
        .collect();
    let options = CompileOptions::default();
    let formats = formats_of(job);
    let profile = device.profile();
    let graph = WorkGraph::compile(&libraries, global.as_ref(), profile, &formats, &options)?;
    // The CPU backend has no SPIR-V.
    for (_, words) in graph.modules().filter(|(_, words)| !words.is_empty()) {
        validate(&shaders[0], words, rules_of(&profile.target))?;
    }
    // The pixel shaders after mesh nodes.
    for stage in graph.programs().flat_map(|(_, program)| &program.stages) {
        if let ShaderCode::SpirV(words) = &stage.code {
            validate(&shaders[0], words, rules_of(&profile.target))?;
        }
    }
    Ok(graph.run(&*device, job, inputs)?)
}
