//! From a request to machine code, on an open device.

use dxil_frontend::container::{Container, InputKind, RootSignature, detect};
use dxil_frontend::dxil::{Shader, ShaderKind, read_shader};

use super::message::{Compiled, Request};
use super::module::Reflected;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::graphics::GraphicsState;
use crate::program::{CompileOptions, Layout, Program, ShaderCode, StageCode, spirv_words};
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
    let kinds: Vec<ShaderKind> = program.stages.iter().map(|stage| stage.kind).collect();
    let mut state = GraphicsState {
        samples: 1,
        ..GraphicsState::default()
    };
    let mut modules = Vec::new();
    for stage in &program.stages {
        let ShaderCode::SpirV(words) = &stage.code else {
            return Err(Error::Unsupported("code that is not SPIR-V".into()));
        };
        if is_graphics(stage.kind) {
            Reflected::read(words)?.add_state(stage.kind, &mut state);
        }
        if request.modules {
            modules.push(words.to_vec());
        }
    }
    if kinds.iter().copied().any(is_graphics) {
        program.graphics = Some(state);
    }
    Ok(Compiled {
        executables: device.machine_code(&program)?,
        modules,
    })
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
        None => {
            let mut found = None;
            for bytes in &request.shaders {
                if detect(bytes) == Some(InputKind::Container) && found.is_none() {
                    found = Container::parse(bytes)?.root_signature()?;
                }
            }
            found
        }
    };
    let mut shaders = Vec::with_capacity(request.shaders.len());
    for bytes in &request.shaders {
        shaders.push(read_shader(bytes)?);
    }
    let mut options = CompileOptions::default();
    options.entry.clone_from(&request.entry);
    options.native_min_precision = request.native_min_precision;
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
        return of_library(device, shader, bytes, root, &options);
    }
    let stages: Vec<&Shader> = shaders.iter().collect();
    let profile = device.profile();
    Program::compile_stages(&stages, root.as_ref(), profile, &|_| None, &options)
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

/// Returns the ray tracing pipeline of all shaders of a library.
fn of_library(
    device: &dyn Device,
    shader: &Shader,
    bytes: &[u8],
    root: Option<RootSignature>,
    options: &CompileOptions,
) -> Result<Program> {
    let library = LibraryState::read(bytes)?;
    let (stages, kinds): (Vec<_>, Vec<_>) = ray_shaders(shader)
        .map(|(entry, kind)| {
            let stage = RayStage {
                shader,
                entry,
                local_root: library.local_root(entry),
                source: None,
            };
            (stage, kind)
        })
        .unzip();
    let names: Vec<&str> = stages.iter().map(|stage| stage.entry).collect();
    let mut state = RayTracingState {
        hit_groups: if library.hit_groups.is_empty() {
            paired_hit_groups(&kinds)
        } else {
            hit_groups(&library.hit_groups, &names)?
        },
        ..RayTracingState::default()
    };
    let profile = device.profile();
    if let Some((payload, attributes)) = library.shader_config {
        (state.max_payload_bytes, state.max_attribute_bytes) = (payload, attributes);
    }
    let most = profile.limits.ray_recursion;
    state.max_recursion = match library.pipeline_config {
        Some((depth, _)) => depth.min(most),
        None => RECURSION.min(most),
    };
    let root = root.or(library.global_root.clone());
    let formats = |_| None;
    Program::compile_rays(&stages, state, root.as_ref(), profile, &formats, options)
}
