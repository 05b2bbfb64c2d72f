//! Acceleration structures for ray queries: wgpu's own, built in the job's command encoder.
//!
//! wgpu's instances have a transform, a number of 24 bits and a mask. Hit group offsets and flags
//! are errors.

use super::gpu::Gpu;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::job::{Job, ResourceId, Storage};
use crate::scene::{
    BottomLevel, Boxes, Geometry, GeometryFlags, IDENTITY, Instance, InstanceFlags, TopLevel,
    Triangles,
};

/// The top levels of a job.
pub(super) struct Structures {
    tops: Vec<wgpu::Tlas>,
    /// A structure without instances, which replaces null.
    nothing: Option<wgpu::Tlas>,
}

impl Structures {
    /// Returns the top level of that index; `None` is one that no ray hits.
    pub(super) fn top(&self, index: Option<usize>) -> Option<&wgpu::Tlas> {
        match index {
            Some(index) => self.tops.get(index),
            None => self.nothing.as_ref(),
        }
    }

    /// Makes a job's structures, if it or the program needs some, and records their builds.
    pub(super) fn build(
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        job: &Job,
        needed: bool,
    ) -> Result<Self> {
        if !needed {
            return Ok(Structures {
                tops: Vec::new(),
                nothing: None,
            });
        }
        if !gpu.has(wgpu::Features::EXPERIMENTAL_RAY_QUERY) {
            return Err(Error::Unsupported(
                "acceleration structures (wgpu's EXPERIMENTAL_RAY_QUERY)".into(),
            ));
        }
        job.scene.check(&job.resources)?;
        let shapes = job
            .scene
            .bottom
            .iter()
            .map(|bottom| shape(gpu, job, bottom));
        let shapes = shapes.collect::<Result<Vec<_>>>()?;
        let entries: Vec<_> = shapes
            .iter()
            .flatten()
            .map(BottomLevelBuild::entry)
            .collect();
        let mut tops = Vec::with_capacity(job.scene.top.len() + 1);
        for top in &job.scene.top {
            tops.push(instances(gpu, top, &shapes)?);
        }
        tops.push(instances(gpu, &TopLevel::default(), &shapes)?);
        encoder.build_acceleration_structures(&entries, &tops);
        let nothing = tops.pop();
        Ok(Structures { tops, nothing })
    }
}

/// A bottom level with what its build reads. One without primitives has none.
struct BottomLevelBuild {
    blas: wgpu::Blas,
    parts: GeometryParts,
}

enum GeometryParts {
    Triangles(Vec<TrianglePart>),
    Boxes(Vec<BoxPart>),
}

struct TrianglePart {
    size: wgpu::BlasTriangleGeometrySizeDescriptor,
    stride: u64,
    vertices: wgpu::Buffer,
    indices: Option<wgpu::Buffer>,
    transform: wgpu::Buffer,
}

struct BoxPart {
    size: wgpu::BlasAABBGeometrySizeDescriptor,
    stride: u64,
    buffer: wgpu::Buffer,
}

impl BottomLevelBuild {
    fn entry(&self) -> wgpu::BlasBuildEntry<'_> {
        let geometry = match &self.parts {
            GeometryParts::Triangles(parts) => {
                let parts = parts.iter().map(|part| wgpu::BlasTriangleGeometry {
                    size: &part.size,
                    vertex_buffer: &part.vertices,
                    first_vertex: 0,
                    vertex_stride: part.stride,
                    index_buffer: part.indices.as_ref(),
                    first_index: part.indices.as_ref().map(|_| 0),
                    transform_buffer: Some(&part.transform),
                    transform_buffer_offset: Some(0),
                });
                wgpu::BlasGeometries::TriangleGeometries(parts.collect())
            }
            GeometryParts::Boxes(parts) => {
                let parts = parts.iter().map(|part| wgpu::BlasAabbGeometry {
                    size: &part.size,
                    stride: part.stride,
                    aabb_buffer: &part.buffer,
                    primitive_offset: 0,
                });
                wgpu::BlasGeometries::AabbGeometries(parts.collect())
            }
        };
        wgpu::BlasBuildEntry {
            blas: &self.blas,
            geometry,
        }
    }
}

fn shape(gpu: &Gpu, job: &Job, bottom: &BottomLevel) -> Result<Option<BottomLevelBuild>> {
    if bottom
        .geometries
        .iter()
        .all(|geometry| geometry.primitives() == 0)
    {
        return Ok(None);
    }
    let (mut triangles, mut boxes) = (Vec::new(), Vec::new());
    for geometry in &bottom.geometries {
        match geometry {
            Geometry::Triangles(part) => triangles.push(triangle_part(gpu, job, part)?),
            Geometry::Boxes(part) => boxes.push(box_part(gpu, job, part)),
        }
    }
    let is_procedural = bottom.is_procedural();
    let mut flags = wgpu::AccelerationStructureFlags::PREFER_FAST_TRACE;
    let sizes = if is_procedural {
        wgpu::BlasGeometrySizeDescriptors::AABBs {
            descriptors: boxes.iter().map(|part| part.size.clone()).collect(),
        }
    } else {
        flags |= wgpu::AccelerationStructureFlags::USE_TRANSFORM;
        wgpu::BlasGeometrySizeDescriptors::Triangles {
            descriptors: triangles.iter().map(|part| part.size.clone()).collect(),
        }
    };
    let descriptor = wgpu::CreateBlasDescriptor {
        label: None,
        flags,
        update_mode: wgpu::AccelerationStructureUpdateMode::Build,
    };
    Ok(Some(BottomLevelBuild {
        blas: gpu.device.create_blas(&descriptor, sizes),
        parts: if is_procedural {
            GeometryParts::Boxes(boxes)
        } else {
            GeometryParts::Triangles(triangles)
        },
    }))
}

fn triangle_part(gpu: &Gpu, job: &Job, triangles: &Triangles) -> Result<TrianglePart> {
    use wgpu::VertexFormat as V;
    let vertex_format = match triangles.format {
        Format::Rgb32Float => Some(V::Float32x3),
        _ if !gpu.has(wgpu::Features::EXTENDED_ACCELERATION_STRUCTURE_VERTEX_FORMATS) => None,
        Format::Rg32Float => Some(V::Float32x2),
        Format::Rg16Float => Some(V::Float16x2),
        Format::Rgba16Float => Some(V::Float16x4),
        Format::Rg16Snorm => Some(V::Snorm16x2),
        Format::Rgba16Snorm => Some(V::Snorm16x4),
        _ => None,
    };
    let vertex_format = vertex_format.ok_or_else(|| {
        Error::Unsupported(format!(
            "positions of format {} in acceleration structures",
            triangles.format
        ))
    })?;
    let transform = triangles.transform.unwrap_or(IDENTITY);
    let transform: Vec<u8> = transform.iter().flat_map(|x| x.to_le_bytes()).collect();
    let indices = triangles.indices.as_ref();
    Ok(TrianglePart {
        size: wgpu::BlasTriangleGeometrySizeDescriptor {
            vertex_format,
            vertex_count: triangles.count,
            index_format: indices.map(|indices| {
                if indices.wide {
                    wgpu::IndexFormat::Uint32
                } else {
                    wgpu::IndexFormat::Uint16
                }
            }),
            index_count: indices.map(|indices| indices.count),
            flags: geometry_flags(triangles.flags),
        },
        stride: triangles.stride.into(),
        vertices: input(gpu, tail(job, triangles.vertices, triangles.offset)),
        indices: indices.map(|i| input(gpu, tail(job, i.resource, i.offset))),
        transform: input(gpu, &transform),
    })
}

fn box_part(gpu: &Gpu, job: &Job, boxes: &Boxes) -> BoxPart {
    BoxPart {
        size: wgpu::BlasAABBGeometrySizeDescriptor {
            primitive_count: boxes.count,
            flags: geometry_flags(boxes.flags),
        },
        stride: boxes.stride.into(),
        buffer: input(gpu, tail(job, boxes.resource, boxes.offset)),
    }
}

/// Returns the bytes of a buffer from an offset on; that they are there was checked.
fn tail(job: &Job, id: ResourceId, offset: u64) -> &[u8] {
    match job.resources.get(id.0).map(|resource| &resource.storage) {
        Some(Storage::Buffer(bytes)) => bytes.get(offset as usize..).unwrap_or_default(),
        _ => &[],
    }
}

/// Returns a buffer that a build reads. wgpu wants room for whole strides, also after the last
/// element; the padding covers it.
fn input(gpu: &Gpu, bytes: &[u8]) -> wgpu::Buffer {
    let mut padded = bytes.to_vec();
    padded.resize((bytes.len() + 256).next_multiple_of(4), 0);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: padded.len() as u64,
        usage: wgpu::BufferUsages::BLAS_INPUT | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.queue.write_buffer(&buffer, 0, &padded);
    buffer
}

fn geometry_flags(flags: GeometryFlags) -> wgpu::AccelerationStructureGeometryFlags {
    // The bits are those of D3D12.
    wgpu::AccelerationStructureGeometryFlags::from_bits_truncate(flags.bits() as u8)
}

fn instances(gpu: &Gpu, top: &TopLevel, shapes: &[Option<BottomLevelBuild>]) -> Result<wgpu::Tlas> {
    let limit = gpu.device.limits().max_tlas_instance_count;
    if top.instances.len() as u64 > u64::from(limit) {
        return Err(Error::Limit {
            what: "instances of a top-level acceleration structure",
            need: top.instances.len() as u64,
            limit: limit.into(),
        });
    }
    let mut tlas = gpu.device.create_tlas(&wgpu::CreateTlasDescriptor {
        label: None,
        // One place at least: wgpu makes none of nothing.
        max_instances: (top.instances.len() as u32).max(1),
        flags: wgpu::AccelerationStructureFlags::PREFER_FAST_TRACE,
        update_mode: wgpu::AccelerationStructureUpdateMode::Build,
    });
    let any = shapes.iter().flatten().next();
    for (place, instance) in top.instances.iter().enumerate() {
        check(instance)?;
        let there = instance
            .bottom
            .and_then(|bottom| shapes.get(bottom)?.as_ref());
        // `InstanceIndex()` counts inactive instances too (DXR specification, "Inactive primitives
        // and instances"), so an instance without a bottom level keeps its place: another bottom
        // level stands in, with a mask that no ray matches.
        let (shape, mask) = match (there, any) {
            (Some(shape), _) => (shape, instance.mask),
            (None, Some(any)) => (any, 0),
            (None, None) => continue,
        };
        tlas[place] = Some(wgpu::TlasInstance::new(
            &shape.blas,
            instance.transform,
            instance.id,
            mask,
        ));
    }
    Ok(tlas)
}

fn check(instance: &Instance) -> Result<()> {
    let what = if instance.flags != InstanceFlags::empty() {
        "flags"
    } else if instance.hit_group_offset != 0 {
        "hit group offsets"
    } else {
        return Ok(());
    };
    Err(Error::Unsupported(format!(
        "instances with {what} (wgpu's have none)"
    )))
}
