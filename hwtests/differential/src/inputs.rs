//! Inputs of shaders, which are the same for all forms.

use std::collections::BTreeSet;

use dxil_frontend::dxil::{
    ComponentType, Resource, ResourceClass, ResourceKind, SamplerKind, Shader,
};
use dxil_runtime::job::{Comparison, Filter, Job, Register, ResourceId, Sampler, Texture};
use dxil_runtime::{Format, ResourceView, Storage};

use crate::random::Random;

/// Bytes of each buffer.
const BYTES: usize = 1 << 16;

/// Texels along a side of a texture.
const SIDE: u32 = 16;

/// Returns a job that binds all declarations of the forms of a shader, and the names and resources
/// to compare. Writable resources are initially zero.
pub fn job(
    shaders: &[&Shader],
    source: &str,
    groups: [u32; 3],
) -> (Job, Vec<(String, ResourceId)>) {
    let mut job = Job::dispatch(groups);
    let mut outputs = Vec::new();
    let mut seen = BTreeSet::new();
    for resource in shaders.iter().flat_map(|shader| shader.resources.iter()) {
        for element in 0..resource.count.unwrap_or(4) {
            let register = Register {
                class: resource.class,
                space: resource.space,
                index: resource.lower_bound + element,
            };
            if seen.insert(register) {
                let written = bind(&mut job, resource, register, source);
                outputs.extend(written.map(|id| (register.to_string(), id)));
            }
        }
    }
    (job, outputs)
}

/// Returns the number of thread groups in the second line.
pub fn groups(source: &str) -> [u32; 3] {
    let numbers: Vec<u32> = source
        .lines()
        .nth(1)
        .and_then(|line| line.strip_prefix("// groups: "))
        .map(|line| {
            line.split([' ', ';'])
                .map_while(|word| word.parse().ok())
                .collect()
        })
        .unwrap_or_default();
    match numbers[..] {
        [x, y, z, ..] => [x, y, z],
        _ => [1, 1, 1],
    }
}

fn bind(
    job: &mut Job,
    resource: &Resource,
    register: Register,
    source: &str,
) -> Option<ResourceId> {
    let writable = register.class == ResourceClass::Uav;
    let mut random = Random::new((u64::from(register.index) << 8) | register.class as u64);
    let bytes = if writable {
        vec![0; BYTES]
    } else {
        (0..BYTES / 8)
            .flat_map(|_| random.word().to_le_bytes())
            .collect()
    };
    match resource.kind {
        ResourceKind::Sampler => {
            job.bind_sampler(register, sampler(resource, register));
            None
        }
        ResourceKind::CBuffer => {
            job.bind_constants(register, bytes);
            None
        }
        ResourceKind::TypedBuffer => {
            let format = format(resource, register, source);
            let id = job.bind_typed_buffer(register, format, bytes);
            writable.then_some(id)
        }
        kind if kind.is_texture() => {
            let format = format(resource, register, source);
            let mut texture = Texture::new_2d(format, SIDE, SIDE, Vec::new());
            if kind == ResourceKind::Texture2DArray {
                texture.layers = 4;
            }
            let size = texture.total_bytes() as usize;
            if !writable {
                texture.data = match resource.detail.component {
                    Some(ComponentType::F32) => (0..size / 4)
                        .flat_map(|_| (random.below(4096) as f32 / 8.0 - 256.0).to_le_bytes())
                        .collect(),
                    _ => bytes[..size].to_vec(),
                };
            }
            let id = job.add_resource(&register.to_string(), Storage::Texture(texture), writable);
            job.bind(register, ResourceView::texture(id));
            writable.then_some(id)
        }
        _ => {
            let id = job.bind_buffer(register, bytes);
            writable.then_some(id)
        }
    }
}

/// Returns a texel format for a declaration in the source. DXIL does not have the number of
/// components, and the SPIR-V of DXC has the format of stores.
fn format(resource: &Resource, register: Register, source: &str) -> Format {
    let at = format!("register({})", register);
    let declared = source
        .lines()
        .find(|line| line.contains(&at))
        .and_then(|line| line.split_once('<'))
        .and_then(|(_, rest)| rest.split_once('>'))
        .map_or("", |(declared, _)| declared);
    let width = declared
        .chars()
        .last()
        .and_then(|c| c.to_digit(10))
        .unwrap_or(1);
    match (resource.detail.component, width) {
        (Some(ComponentType::I32), 1) => Format::R32Sint,
        (Some(ComponentType::I32), 2) => Format::Rg32Sint,
        (Some(ComponentType::I32), _) => Format::Rgba32Sint,
        (Some(ComponentType::U32), 1) => Format::R32Uint,
        (Some(ComponentType::U32), 2) => Format::Rg32Uint,
        (Some(ComponentType::U32), _) => Format::Rgba32Uint,
        (_, 1) => Format::R32Float,
        (_, 2) => Format::Rg32Float,
        (_, _) => Format::Rgba32Float,
    }
}

fn sampler(resource: &Resource, register: Register) -> Sampler {
    let mut sampler = Sampler::default();
    if register.index == 0 {
        (sampler.min_filter, sampler.mag_filter) = (Filter::Point, Filter::Point);
    }
    sampler.mip_filter = Filter::Point;
    if resource.detail.sampler == Some(SamplerKind::Comparison) {
        sampler.comparison = Some(Comparison::LessEqual);
    }
    sampler
}
