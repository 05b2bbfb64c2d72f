//! From a request to machine code, on an open device.

use dxil_frontend::container::{Container, RootSignature};
use dxil_frontend::dxbc::{ClassBinding, ClassLinkage};
use dxil_frontend::dxil::{Shader, ShaderKind, read_shader, read_shader_with_debug_info};
use dxil_translate::SourceDebugInfo;

use super::lines::{self, Sources};
use super::message::{Compiled, Request};
use super::module::Reflected;
use super::partner;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::graphics::GraphicsState;
use crate::program::{CompileOptions, Layout, Program, StageCode, spirv_words};
use crate::ray_program::{LibraryState, RayStage, hit_groups, ray_shaders};
use crate::ray_tracing::{RayTracingState, paired_hit_groups};
use crate::root_signature::RootDescriptors;

/// Deepest recursion of ray tracing pipelines whose library does not say one.
const RECURSION: u32 = 8;

/// Compiles for a device that was opened with
/// [`OpenOptions::capture`](crate::OpenOptions::capture), in this process: a driver that crashes
/// ends it. [`Compiler`](super::Compiler) does it elsewhere.
///
/// # Errors
///
/// A shader cannot be read or translated, the device lacks something, or its driver fails.
pub fn compile(device: &dyn Device, request: &Request) -> Result<Compiled> {
    let mut program = program(device, request)?;
    let mut modules = Vec::new();
    let mut sources = Sources::default();
    for stage in &program.stages {
        let words = stage.spirv()?;
        if request.source_lines {
            lines::add_sources(words, &mut sources)?;
        }
        if request.modules {
            modules.push(words.to_vec());
        }
    }
    let asked: Vec<ShaderKind> = program.stages.iter().map(|stage| stage.kind).collect();
    if asked.iter().copied().any(is_graphics) {
        partner::complete(&mut program.stages)?;
        program.graphics = Some(match &request.graphics {
            Some(state) => state.clone(),
            None => declared_state(&program.stages)?,
        });
    }
    let mut executables = device.machine_code(&program)?;
    // Drivers merge stages, so a given one may be in the code of a stage that was made.
    if asked.len() < program.stages.len() {
        executables.retain(|executable| {
            let is_asked = |stage: &String| asked.iter().any(|kind| kind.prefix() == stage);
            executable.stages.is_empty() || executable.stages.iter().any(is_asked)
        });
    }
    if request.source_lines {
        lines::annotate(&mut executables, &sources);
    }
    Ok(Compiled {
        executables,
        modules,
    })
}

/// Makes a whole pipeline of some stages of a draw, as [`compile`] does: other stages fill what
/// they read and read what they write, and the state takes and gives what they declare. A pixel
/// shader alone gets a vertex shader too. Programs of other kinds, and those with a state, stay as
/// they are.
///
/// # Errors
///
/// A stage is missing between two that are given, or the code is not SPIR-V.
pub fn complete(program: &mut Program) -> Result<()> {
    let mut kinds = program.stages.iter().map(|stage| stage.kind);
    if program.graphics.is_some() || !kinds.any(is_graphics) {
        return Ok(());
    }
    partner::complete(&mut program.stages)?;
    partner::complete_pixel(&mut program.stages)?;
    program.graphics = Some(declared_state(&program.stages)?);
    Ok(())
}

/// Returns a state that takes and gives what the stages declare.
fn declared_state(stages: &[StageCode]) -> Result<GraphicsState> {
    let mut state = GraphicsState {
        samples: 1,
        ..GraphicsState::default()
    };
    for stage in stages {
        Reflected::read(stage.spirv()?)?.add_state(stage.kind, &mut state);
    }
    // A geometry shader after a hull shader takes what the tessellator makes.
    if let Some(hull) = stages.iter().find(|stage| stage.kind == ShaderKind::Hull) {
        Reflected::read(hull.spirv()?)?.add_state(hull.kind, &mut state);
    }
    Ok(state)
}

fn is_graphics(kind: ShaderKind) -> bool {
    use ShaderKind as K;
    matches!(
        kind,
        K::Vertex | K::Hull | K::Domain | K::Geometry | K::Pixel | K::Mesh | K::Amplification
    )
}

fn program(device: &dyn Device, request: &Request) -> Result<Program> {
    let words = request.shaders.iter().map(|bytes| spirv_words(bytes));
    let words: Vec<_> = words.collect();
    if words.iter().all(Option::is_some) {
        let modules: Vec<Vec<u32>> = words.into_iter().flatten().collect();
        return of_modules(device, request, &modules);
    }
    if words.iter().any(Option::is_some) {
        return Err(Error::BadJob(
            "the stages are SPIR-V or DXIL, but not some of each".into(),
        ));
    }
    let root = match &request.root_signature {
        Some(bytes) => Some(RootSignature::from_file(bytes)?),
        None => RootSignature::of_shaders(request.shaders.iter().map(Vec::as_slice))?,
    };
    let mut shaders = Vec::with_capacity(request.shaders.len());
    let mut instances = request.class_instances.iter();
    for bytes in &request.shaders {
        let instances = instances.next().map_or(&[][..], Vec::as_slice);
        shaders.push(match linked(bytes, instances)? {
            Some(shader) => shader,
            None if request.source_lines => read_shader_with_debug_info(bytes)?,
            None => read_shader(bytes)?,
        });
    }
    let mut options = CompileOptions::default();
    options.entry.clone_from(&request.entry);
    options.native_min_precision = request.native_min_precision;
    if request.source_lines {
        options.source = SourceDebugInfo::Lines;
    }
    options.unchecked_group_memory = request.unchecked_group_memory;
    options.root_descriptors = if request.root_addresses {
        RootDescriptors::Addresses
    } else {
        RootDescriptors::Bindings
    };
    if let ([shader], [bytes]) = (&shaders[..], &request.shaders[..])
        && request.entry.is_none()
        && ray_shaders(shader).next().is_some()
    {
        return of_library(device, request, shader, bytes, root, &options);
    }
    let stages: Vec<&Shader> = shaders.iter().collect();
    let profile = device.profile();
    Program::compile_stages(&stages, root.as_ref(), profile, &|_| None, &options)
}

/// Returns a shader whose interfaces stand for these class instances; `None` if there are none, or
/// if the shader has no interfaces.
fn linked(bytes: &[u8], instances: &[String]) -> Result<Option<Shader>> {
    if instances.is_empty() {
        return Ok(None);
    }
    let instances = instances.iter().map(|text| text.parse());
    let instances: std::result::Result<Vec<ClassBinding>, String> = instances.collect();
    let instances = instances.map_err(|error| Error::BadJob(format!("class instance: {error}")))?;
    let container = Container::parse(bytes)?;
    let linkage = ClassLinkage::of_bindings(&container, &instances)?;
    let shader = linkage.map(|linkage| Shader::read_linked(&container, &linkage));
    Ok(shader.transpose()?)
}

/// Returns the program of SPIR-V modules.
fn of_modules(device: &dyn Device, request: &Request, modules: &[Vec<u32>]) -> Result<Program> {
    let mut layout = Layout::default();
    let mut stages = Vec::with_capacity(modules.len());
    for words in modules {
        let module = Reflected::read(words)?;
        let (kind, entry) = module.entry(request.entry.as_deref())?;
        module.add_to(&mut layout, device.profile().limits.unbounded_descriptors)?;
        stages.push(StageCode::of_spirv(kind, words.as_slice(), &entry));
    }
    Ok(Program {
        stages,
        layout,
        graphics: None,
        ray_tracing: None,
    })
}

/// Returns the ray tracing pipeline of a library's shaders: those of the request, or all.
fn of_library(
    device: &dyn Device,
    request: &Request,
    shader: &Shader,
    bytes: &[u8],
    root: Option<RootSignature>,
    options: &CompileOptions,
) -> Result<Program> {
    let library = LibraryState::read(bytes)?;
    let stage = |entry| RayStage {
        shader,
        entry,
        local_root: library.local_root(entry),
        source: None,
    };
    let profile = device.profile();
    let (stages, mut state) = if let Some((names, state)) = &request.ray_tracing {
        (
            names.iter().map(|name| stage(name)).collect(),
            state.clone(),
        )
    } else {
        let (stages, kinds): (Vec<_>, Vec<_>) = ray_shaders(shader)
            .map(|(entry, kind)| (stage(entry), kind))
            .unzip();
        let state = library_state(&library, &stages, &kinds)?;
        (stages, state)
    };
    state.max_recursion = state.max_recursion.min(profile.limits.ray_recursion);
    let root = root.or(library.global_root.clone());
    let formats = |_| None;
    Program::compile_rays(&stages, state, root.as_ref(), profile, &formats, options)
}

/// Returns the state that a library's subobjects say.
fn library_state(
    library: &LibraryState,
    stages: &[RayStage<'_>],
    kinds: &[ShaderKind],
) -> Result<RayTracingState> {
    let names: Vec<&str> = stages.iter().map(|stage| stage.entry).collect();
    let mut state = RayTracingState {
        hit_groups: if library.hit_groups.is_empty() {
            paired_hit_groups(kinds)
        } else {
            hit_groups(&library.hit_groups, &names)?
        },
        ..RayTracingState::default()
    };
    if let Some((payload, attributes)) = library.shader_config {
        (state.max_payload_bytes, state.max_attribute_bytes) = (payload, attributes);
    }
    state.max_recursion = library
        .pipeline_config
        .map_or(RECURSION, |(depth, _)| depth);
    Ok(state)
}
