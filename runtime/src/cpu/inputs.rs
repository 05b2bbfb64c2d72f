//! Converts a job's resources and views to the executor's.

use dxil_cpu::resources as cpu;

use super::{blocks, format, reserved, structures};
use crate::error::{Error, Result};
use crate::job::Job;
use crate::resource::{Register, ResourceId, ResourceView, Sampler, Storage};

/// Returns the first contents of a buffer.
fn buffer_contents(job: &Job, id: ResourceId) -> Option<&[u8]> {
    match &job.resources.get(id.0)?.storage {
        Storage::Buffer(bytes) => Some(bytes),
        Storage::Texture(_) => None,
    }
}

/// Returns the three counts that a buffer has for an indirect dispatch.
pub(super) fn indirect_counts(job: &Job, arguments: ResourceId, offset: u64) -> Result<[u32; 3]> {
    let bytes = buffer_contents(job, arguments)
        .ok_or_else(|| Error::BadJob("the arguments are no buffer".into()))?;
    let word = |index: u64| {
        let at = usize::try_from(offset.checked_add(4 * index)?).ok()?;
        let bytes = bytes.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    };
    match (word(0), word(1), word(2)) {
        (Some(x), Some(y), Some(z)) => Ok([x, y, z]),
        _ => Err(Error::BadJob(
            "the arguments lie beyond the end of their buffer".into(),
        )),
    }
}

/// Copies of the job's resources.
pub(super) fn storages(job: &Job) -> Result<Vec<cpu::Storage>> {
    let each = job
        .resources
        .iter()
        .map(|resource| match &resource.storage {
            Storage::Buffer(bytes) => Ok(match resource.mapped_tiles {
                Some(tiles) => cpu::Storage::reserved_buffer(bytes, tiles),
                None => cpu::Storage::buffer(bytes),
            }),
            Storage::Texture(texture) => {
                let shape = cpu::Texture {
                    dimension: texture.dimension,
                    format: format::convert(texture.format)?,
                    size: [texture.width, texture.height, texture.depth],
                    layers: texture.layers,
                    mips: texture.mips,
                    samples: texture.samples.max(1),
                };
                let decoded = texture.format.is_compressed();
                let decoded = decoded.then(|| blocks::decoded_texels(texture, shape.format));
                let texels = decoded.as_deref().unwrap_or(&texture.data);
                match resource.mapped_tiles {
                    Some(tiles) => reserved::storage(texture, tiles, shape, texels),
                    None => Ok(cpu::Storage::texture(shape, texels)),
                }
            }
        });
    each.collect()
}

/// Returns the bindings of the shader.
pub(super) fn bindings(job: &Job, samplers: &[(Register, Sampler)]) -> Result<cpu::Bindings> {
    let mut bindings = cpu::Bindings {
        structures: structures::structures(job)?,
        ..cpu::Bindings::default()
    };
    for binding in &job.bindings {
        let view = view(job, binding.register, &binding.view)?;
        bindings.registers.push((binding.register, view));
    }
    for (at, state) in samplers {
        bindings
            .registers
            .push((*at, cpu::ResourceView::Sampler(*state)));
    }
    for (slot, heap_view) in (0..).zip(&job.resource_heap) {
        let at = Register::new(heap_view.class, slot);
        let view = view(job, at, &heap_view.view)?;
        bindings.resource_heap.push((heap_view.class, view));
    }
    bindings.sampler_heap = job.sampler_heap.clone();
    Ok(bindings)
}

pub(super) fn view(job: &Job, at: Register, view: &ResourceView) -> Result<cpu::ResourceView> {
    Ok(match view {
        ResourceView::Null => cpu::ResourceView::Null,
        ResourceView::Buffer(view) => {
            let part = job.buffer_part(at, view)?;
            cpu::ResourceView::Buffer {
                storage: view.resource.0,
                offset: part.start,
                size: part.end - part.start,
                format: view.format.map(format::convert).transpose()?,
                counter: view.counter.unwrap_or(0),
            }
        }
        ResourceView::Texture(view) => {
            let part = job.texture_part(at, view)?;
            let stored = job.resources.get(view.resource.0).map(|r| &r.storage);
            if let Some(Storage::Texture(texture)) = stored
                && texture.format.is_compressed() != part.format.is_compressed()
            {
                return Err(Error::Unsupported(
                    "views of compressed blocks as texels on the CPU backend".into(),
                ));
            }
            cpu::ResourceView::Texture {
                storage: view.resource.0,
                format: format::convert(part.format)?,
                first_mip: view.first_mip,
                mips: part.mips,
                first_layer: view.first_layer,
                layers: part.layers,
            }
        }
        ResourceView::Sampler(state) => cpu::ResourceView::Sampler(*state),
        ResourceView::Constants(bytes) => cpu::ResourceView::Constants(bytes.clone()),
        ResourceView::AccelerationStructure(top) => cpu::ResourceView::AccelerationStructure(*top),
    })
}
