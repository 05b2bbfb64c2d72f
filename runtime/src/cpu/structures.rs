//! Converts a job's acceleration structures to the executor's.

use std::sync::Arc;

use dxil_cpu::resources as cpu;

use crate::error::{Error, Result};
use crate::format::{ComponentValue, Format};
use crate::job::Job;
use crate::resource::{ResourceId, Storage};
use crate::scene::{
    BottomLevel, Boxes, Geometry, GeometryFlags, IDENTITY, TriangleIndices, Triangles,
};

/// Returns the top levels of a job, built from what its buffers hold before the work.
pub(super) fn structures(job: &Job) -> Result<Vec<Arc<cpu::AccelerationStructure>>> {
    job.scene.check(&job.resources)?;
    let bottoms = job
        .scene
        .bottom
        .iter()
        .map(|bottom| geometries(job, bottom));
    let bottoms = bottoms.collect::<Result<Vec<_>>>()?;
    let tops = job.scene.top.iter().map(|top| {
        let instances = top.instances.iter().map(|instance| cpu::Instance {
            // A null instance has no geometries.
            geometries: instance
                .bottom
                .and_then(|bottom| bottoms.get(bottom).cloned())
                .unwrap_or_default(),
            object_to_world: instance.transform,
            id: instance.id,
            mask: instance.mask,
            hit_group_offset: instance.hit_group_offset,
            flags: instance.flags.bits(),
        });
        Arc::new(cpu::AccelerationStructure {
            instances: instances.collect(),
        })
    });
    Ok(tops.collect())
}

fn geometries(job: &Job, bottom: &BottomLevel) -> Result<Arc<[cpu::Geometry]>> {
    let each = bottom.geometries.iter().map(|geometry| {
        let (flags, primitives) = match geometry {
            Geometry::Triangles(triangles) => (
                triangles.flags,
                cpu::Primitives::Triangles(corners(job, triangles)?),
            ),
            Geometry::Boxes(boxes) => (boxes.flags, cpu::Primitives::Boxes(bounds(job, boxes))),
        };
        Ok(cpu::Geometry {
            is_opaque: flags.contains(GeometryFlags::OPAQUE),
            primitives,
        })
    });
    each.collect()
}

/// Returns the bytes of a buffer from an offset on; the scene was checked before.
fn bytes(job: &Job, id: ResourceId, offset: u64) -> &[u8] {
    let storage = job.resources.get(id.0).map(|resource| &resource.storage);
    let Some(Storage::Buffer(bytes)) = storage else {
        return &[];
    };
    let start = usize::try_from(offset).unwrap_or(usize::MAX);
    bytes.get(start..).unwrap_or_default()
}

fn corners(job: &Job, triangles: &Triangles) -> Result<Vec<[[f32; 3]; 3]>> {
    // The transform is applied once, before the executor sees the geometry.
    let matrix = triangles.transform.unwrap_or(IDENTITY);
    let data = bytes(job, triangles.vertices, triangles.offset);
    let mut vertices = Vec::with_capacity(triangles.count as usize);
    for number in 0..triangles.count as usize {
        let start = number * triangles.stride as usize;
        let [x, y, z] = position(triangles.format, data.get(start..).unwrap_or_default())?;
        let row = |row: usize| {
            let m = &matrix[4 * row..4 * row + 4];
            m[0] * x + m[1] * y + m[2] * z + m[3]
        };
        vertices.push([row(0), row(1), row(2)]);
    }
    let order: Vec<usize> = match triangles.indices {
        Some(indices) => indices_of(job, indices),
        None => (0..vertices.len()).collect(),
    };
    // A corner whose index is out of range lies at the origin.
    let vertex = |index: usize| vertices.get(index).copied().unwrap_or_default();
    // An incomplete last triangle is left out.
    let whole = order.as_chunks::<3>().0.iter();
    Ok(whole.map(|corners| corners.map(vertex)).collect())
}

fn indices_of(job: &Job, indices: TriangleIndices) -> Vec<usize> {
    let data = bytes(job, indices.resource, indices.offset);
    let count = indices.count as usize;
    if indices.wide {
        let all = data.as_chunks::<4>().0.iter().take(count);
        all.map(|bytes| u32::from_le_bytes(*bytes) as usize)
            .collect()
    } else {
        let all = data.as_chunks::<2>().0.iter().take(count);
        all.map(|bytes| usize::from(u16::from_le_bytes(*bytes)))
            .collect()
    }
}

/// Returns a position; formats of two components have z = 0.
fn position(format: Format, texel: &[u8]) -> Result<[f32; 3]> {
    let components = format.decode(texel);
    if components.is_empty()
        || components
            .iter()
            .any(|c| !matches!(c, ComponentValue::Float(_)))
    {
        return Err(Error::Unsupported(format!(
            "positions of format {format} in acceleration structures"
        )));
    }
    let component = |index: usize| components.get(index).map_or(0.0, |c| c.to_f64() as f32);
    Ok([component(0), component(1), component(2)])
}

fn bounds(job: &Job, boxes: &Boxes) -> Vec<[[f32; 3]; 2]> {
    let data = bytes(job, boxes.resource, boxes.offset);
    let each = (0..boxes.count as usize).map(|number| {
        let start = number * boxes.stride as usize;
        let words = data.get(start..).unwrap_or_default().as_chunks::<4>().0;
        let float = |index: usize| {
            words
                .get(index)
                .map_or(0.0, |word| f32::from_le_bytes(*word))
        };
        [
            [float(0), float(1), float(2)],
            [float(3), float(4), float(5)],
        ]
    });
    each.collect()
}
