//! The CPU executor on shaders that are accepted, with resources that a hash of the bytes chooses.

use dxil_cpu::resources::{
    AccelerationStructure, Bindings, Comparison, Component, Dimension, TexelLayout, Geometry, Instance,
    Packing, Primitives, Register, ResourceView, Sampler, Storage, Texture,
};
use dxil_cpu::{Checks, Dispatch, Error, Invocations, Kernel, Limits, Options};
use dxil_frontend::dxil::{Resource, ResourceClass, ResourceKind, Shader, ShaderKind, read_shader};
use dxil_frontend::oracle::Random;

use crate::rays::RayLibrary;
use crate::shader::hash;

/// Blocks that waves may enter.
const STEPS: u64 = 4_000;
/// Most bytes of a run.
const MEMORY: u64 = 8 << 20;

/// The outcome for a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The reader or the decoder refused it.
    Refused,
    /// It ran to its end.
    Ran,
    /// It reached a limit or was refused as it began.
    Stopped,
}

impl Outcome {
    /// Returns the name that it is counted under.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Refused => "refused",
            Outcome::Ran => "ran",
            Outcome::Stopped => "stopped",
        }
    }
}

/// Runs a shader twice: as it is on one thread, then with checks or on several threads.
///
/// # Panics
///
/// The runs do not leave the same bytes.
pub fn run(bytes: &[u8]) -> Outcome {
    let Ok(shader) = read_shader(bytes) else {
        return Outcome::Refused;
    };
    let mut random = Random::new(hash(bytes));
    let mut options = Options::default();
    let chosen = random.below(shader.entry_points.len());
    let chosen = shader.entry_points.get(chosen);
    options.entry = chosen.map(|entry| entry.name.to_string());
    options.wave_size = match random.below(4) {
        0 => None,
        _ => Some(4 << random.below(6)),
    };
    let groups = [2, 1 + random.below(2) as u32, 1];
    let seed = random.next();
    let Some(first) = attempt(&shader, &options, groups, 1, seed) else {
        return Outcome::Refused;
    };
    options.checks = match random.below(4) {
        0 => Checks::standard(),
        1 => Checks::ALL,
        _ => Checks::NONE,
    };
    let threads = if options.checks.is_empty() { 3 } else { 1 };
    let second = attempt(&shader, &options, groups, threads, seed);
    match (first, second) {
        (Ok(first), Some(Ok(second))) => {
            assert!(first == second, "{threads} threads, {:?}", options.checks);
            Outcome::Ran
        }
        // Checks take memory of their own; only the sum of the steps of threads is limited.
        (Ok(_), Some(Err(Error::Memory { .. } | Error::Steps { .. }))) => Outcome::Ran,
        (Ok(_), second) => panic!("only the first run ends: {second:?}"),
        (Err(_), _) => Outcome::Stopped,
    }
}

/// Returns the bytes of the storages after a run; none if the shader is not decoded.
fn attempt(
    shader: &Shader,
    options: &Options,
    groups: [u32; 3],
    threads: usize,
    seed: u64,
) -> Option<Result<Vec<Vec<u8>>, Error>> {
    let chosen = options.entry.as_deref();
    let rays = chosen.and_then(|entry| RayLibrary::new(shader, entry));
    let kernel = match &rays {
        Some(rays) => Kernel::decode_rays(&rays.shaders, options),
        None => Kernel::decode(shader, options),
    };
    let kernel = kernel.ok()?;
    let mut random = Random::new(seed);
    let storages = storages(&mut random);
    let bindings = bindings(&mut random, shader);
    let run = || {
        let mut limits = Limits::default();
        (limits.steps, limits.memory, limits.threads) = (STEPS, MEMORY, threads);
        if let Some(rays) = &rays {
            let dispatch = Dispatch::of_rays(&kernel, &bindings, &storages, &rays.tables)?;
            dispatch.run_rays([20, groups[1], 1], &limits)?;
            return Ok(storages.iter().map(Storage::to_bytes).collect());
        }
        let dispatch = Dispatch::new(&kernel, &bindings, &storages)?;
        let outputs = run_stage(&kernel, &dispatch, groups, &limits)?;
        let mut all: Vec<_> = storages.iter().map(Storage::to_bytes).collect();
        all.push(outputs);
        Ok(all)
    };
    Some(run())
}

/// Runs a shader in the way of its stage; returns the bytes of its outputs.
fn run_stage(
    kernel: &Kernel,
    dispatch: &Dispatch<'_>,
    groups: [u32; 3],
    limits: &Limits<'_>,
) -> Result<Vec<u8>, Error> {
    let mut outputs = Outputs::default();
    match kernel.stage() {
        Some(ShaderKind::Mesh) => {
            let (groups, _) = dispatch.run_mesh(groups, &[], limits)?;
            outputs.bytes.extend(format!("{groups:?}").into_bytes());
        }
        Some(ShaderKind::Amplification) => {
            let (dispatches, _) = dispatch.run_amplification(groups, limits)?;
            outputs.bytes.extend(format!("{dispatches:?}").into_bytes());
        }
        Some(ShaderKind::Compute | ShaderKind::Node) | None => {
            dispatch.run(groups, limits)?;
        }
        Some(kind) => {
            dispatch.run_invocations(INVOCATIONS, &mut outputs, limits)?;
            if kind == ShaderKind::Hull {
                dispatch.run_patch_constants(INVOCATIONS, &mut outputs, limits)?;
            }
        }
    }
    Ok(outputs.bytes)
}

/// Invocations of a stage of a draw.
const INVOCATIONS: u64 = 40;

/// Gives inputs of small numbers and keeps outputs.
#[derive(Default)]
struct Outputs {
    bytes: Vec<u8>,
}

impl Outputs {
    fn keep(&mut self, words: &[u32]) {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        self.bytes.extend(bytes);
    }
}

impl Invocations for Outputs {
    fn inputs(&mut self, number: u64, words: &mut [u32]) {
        for (word, at) in words.iter_mut().zip(0_u32..) {
            *word = match at % 3 {
                0 => 1.0_f32.to_bits(),
                _ => at ^ number as u32,
            };
        }
    }

    fn is_helper(&mut self, number: u64) -> bool {
        number % 5 == 3
    }

    fn outputs(&mut self, _number: u64, words: &[u32]) {
        self.keep(words);
    }

    fn emit(&mut self, number: u64, stream: u32, vertex: Option<&[u32]>) {
        self.keep(&[number as u32, stream]);
        self.keep(vertex.unwrap_or_default());
    }
}

/// Numbers of the storages.
const BUFFER: usize = 0;
const FLAT: usize = 4;
const LINE: usize = 5;
const SOLID: usize = 6;
const SAMPLES: usize = 7;

fn format(component: Component, bits: u32, count: u32) -> TexelLayout {
    TexelLayout {
        component,
        packing: Packing::Plain { bits, count },
    }
}

fn storages(random: &mut Random) -> Vec<Storage> {
    let mut bytes = |count: usize| -> Vec<u8> {
        // Small numbers too: as indices they stay inside.
        let word = |random: &mut Random| match random.below(3) {
            0 => random.next() as u32,
            1 => random.below(64) as u32,
            _ => (random.below(16) as f32 / 4.0).to_bits(),
        };
        let words = (0..count / 4).flat_map(|_| word(random).to_le_bytes());
        words.collect()
    };
    let texture = |dimension, size, layers, mips, samples| Texture {
        dimension,
        format: format(Component::Float, 32, 4),
        size,
        layers,
        mips,
        samples,
    };
    let mut all: Vec<Storage> = [4096, 1024, 256, 100]
        .into_iter()
        .map(|count| Storage::buffer(&bytes(count)))
        .collect();
    for texture in [
        texture(Dimension::D2, [8, 8, 1], 6, 3, 1),
        texture(Dimension::D1, [16, 1, 1], 2, 2, 1),
        texture(Dimension::D3, [4, 4, 4], 1, 2, 1),
        texture(Dimension::D2, [4, 4, 1], 2, 1, 4),
    ] {
        let size = texture.total_bytes() as usize;
        all.push(Storage::texture(texture, &bytes(size)));
    }
    all
}

fn bindings(random: &mut Random, shader: &Shader) -> Bindings {
    let mut bindings = Bindings::default();
    for resource in shader.resources.iter() {
        let count = resource.count.unwrap_or(4).min(4);
        for index in 0..count {
            let register = Register {
                class: resource.class,
                space: resource.space,
                index: resource.lower_bound.saturating_add(index),
            };
            let view = view(random, resource);
            bindings.registers.push((register, view));
        }
        // Heaps hold the same kinds of things.
        match resource.class {
            ResourceClass::Sampler => bindings.sampler_heap.push(sampler(random)),
            class => bindings.resource_heap.push((class, view(random, resource))),
        }
    }
    let corners = [[-1.0, -1.0, 1.0], [1.0, -1.0, 1.0], [0.0, 1.0, 1.0]];
    let geometry = |primitives| Geometry {
        is_opaque: false,
        primitives,
    };
    let instance = Instance {
        geometries: [
            geometry(Primitives::Triangles(vec![corners])),
            geometry(Primitives::Boxes(vec![[[-2.0; 3], [2.0; 3]]])),
        ]
        .into(),
        object_to_world: [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        id: 7,
        mask: 0xff,
        hit_group_offset: 0,
        flags: 0,
    };
    let structure = AccelerationStructure {
        instances: vec![instance],
    };
    bindings.structures.push(structure.into());
    bindings
}

fn view(random: &mut Random, resource: &Resource) -> ResourceView {
    use ResourceKind as K;
    let component = [
        Component::Float,
        Component::Uint,
        Component::Sint,
        Component::Unorm,
    ][random.below(4)];
    let texture = |storage, random: &mut Random| ResourceView::Texture {
        storage,
        format: match component {
            Component::Unorm => format(Component::Float, 32, 4),
            component => format(component, 32, 4),
        },
        first_mip: random.below(2) as u32,
        mips: 4,
        first_layer: random.below(2) as u32,
        layers: 6,
    };
    let kind = match random.below(16) {
        0 => return ResourceView::Null,
        // A view of another kind.
        1 => [K::Texture2D, K::RawBuffer, K::Texture3D, K::Sampler][random.below(4)],
        _ => resource.kind,
    };
    match kind {
        K::Texture1D | K::Texture1DArray => texture(LINE, random),
        K::Texture3D => texture(SOLID, random),
        K::Texture2DMS | K::Texture2DMSArray => texture(SAMPLES, random),
        K::Texture2D
        | K::Texture2DArray
        | K::TextureCube
        | K::TextureCubeArray
        | K::FeedbackTexture2D
        | K::FeedbackTexture2DArray => texture(FLAT, random),
        K::Sampler => ResourceView::Sampler(sampler(random)),
        K::RtAccelerationStructure => ResourceView::AccelerationStructure(0),
        kind => ResourceView::Buffer {
            storage: BUFFER + random.below(4),
            offset: 4 * random.below(8) as u64,
            size: 1 << random.below(13),
            format: (kind == K::TypedBuffer).then(|| {
                let bits = [8, 16, 32][random.below(3)];
                let bits = match component {
                    Component::Float => bits.max(16),
                    Component::Unorm => bits.min(16),
                    _ => bits,
                };
                format(component, bits, 1 << random.below(3))
            }),
            counter: random.below(8) as u32,
        },
    }
}

fn sampler(random: &mut Random) -> Sampler {
    Sampler {
        anisotropy: [1, 4, 16][random.below(3)],
        comparison: (random.below(2) == 0).then_some(Comparison::Less),
        lod_bias: random.below(4) as f32 - 2.0,
        ..Sampler::default()
    }
}
