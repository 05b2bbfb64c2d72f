//! Acceleration structures of a pipeline file: checks, and conversion for a job.

use std::ops::Range;

use serde::Deserialize;

use super::document::{
    AccelerationStructures, Document, IndexFormat, InstanceFlag, TopLevel, VertexFormat,
};
use super::plan::PipelinePlanner;
use super::{Buffer, Pipeline, PipelineError, PipelineKind, Result, lenient};
use dxil_runtime::format::Format;
use dxil_runtime::job::Job;
use dxil_runtime::scene::{
    Boxes, Geometry, GeometryFlags, IDENTITY, Instance, InstanceFlags, TriangleIndices, Triangles,
};

impl Pipeline {
    /// Checks that every buffer and bottom level that a structure names exists.
    pub(super) fn check_scene(&self) -> Result<()> {
        let Some(structures) = &self.document.acceleration_structures else {
            return Ok(());
        };
        for bottom in &structures.bottom {
            let user = || format!("BLAS `{}`", bottom.name);
            for triangles in &bottom.triangles {
                self.require_buffer(&triangles.vertex_buffer, user)?;
                match &triangles.index_buffer {
                    Some(indices) => drop(self.require_buffer(indices, user)?),
                    None if triangles.index_count != 0 => {
                        return Err(PipelineError::Invalid(format!(
                            "{}: IndexCount needs an IndexBuffer",
                            user()
                        )));
                    }
                    None => {}
                }
            }
            for boxes in &bottom.boxes {
                self.require_buffer(&boxes.buffer, user)?;
            }
        }
        for top in &structures.top {
            let lists = top.instances.0.len();
            let wanted = top.array_size.unwrap_or(1) as usize;
            if lists != wanted {
                return Err(PipelineError::Invalid(format!(
                    "TLAS `{}`: ArraySize is {wanted}, and there are {lists} lists of instances",
                    top.name
                )));
            }
            for instance in top.instances.0.iter().flatten() {
                self.bottom_level(&instance.bottom, &top.name)?;
            }
        }
        Ok(())
    }

    /// Returns the index of a bottom level.
    fn bottom_level(&self, name: &str, top: &str) -> Result<usize> {
        let structures = self.document.acceleration_structures.iter();
        let mut bottoms = structures.flat_map(|s| &s.bottom);
        let found = bottoms.position(|bottom| bottom.name == name);
        found.ok_or_else(|| PipelineError::Unknown {
            user: format!("TLAS `{top}`"),
            what: "BLAS",
            name: name.to_owned(),
        })
    }

    /// Returns the top level with this name, as in the file.
    pub(super) fn require_structure(&self, name: &str) -> Result<&TopLevel> {
        self.top_levels()
            .find(|(top, _)| top.name == name)
            .map(|(top, _)| top)
            .ok_or_else(|| PipelineError::Unknown {
                user: format!("resource `{name}`"),
                what: "acceleration structure",
                name: name.to_owned(),
            })
    }

    /// Returns the range of the elements of a top level in the list of the job.
    pub(super) fn structures_of(&self, name: &str) -> Result<Range<usize>> {
        self.require_structure(name)?;
        let found = self.top_levels().find(|(top, _)| top.name == name);
        Ok(found.map_or(0..0, |(_, range)| range))
    }

    fn top_levels(&self) -> impl Iterator<Item = (&TopLevel, Range<usize>)> {
        let structures = self.document.acceleration_structures.iter();
        structures.flat_map(|s| &s.top).scan(0, |first, top| {
            let range = *first..*first + top.instances.0.len();
            *first = range.end;
            Some((top, range))
        })
    }
}

impl PipelinePlanner<'_> {
    /// Adds the acceleration structures of the file to the job.
    pub(super) fn scene(&mut self) -> Result<()> {
        let pipeline = self.pipeline;
        let Some(structures) = &pipeline.document.acceleration_structures else {
            return Ok(());
        };
        // The job may have structures already (`add_scene`), so indices of the file are offset.
        let before = self.planned.job.scene.bottom.len();
        for bottom in &structures.bottom {
            let mut geometries = Vec::new();
            for t in &bottom.triangles {
                let indices = match &t.index_buffer {
                    Some(name) => Some(TriangleIndices {
                        resource: self.geometry(name)?,
                        offset: 0,
                        count: t.index_count,
                        wide: t.index_format == IndexFormat::Uint32,
                    }),
                    None => None,
                };
                geometries.push(Geometry::Triangles(Triangles {
                    vertices: self.geometry(&t.vertex_buffer)?,
                    offset: 0,
                    format: match t.vertex_format {
                        VertexFormat::RG32Float => Format::Rg32Float,
                        VertexFormat::RGB32Float => Format::Rgb32Float,
                        VertexFormat::RGBA32Float => Format::Rgba32Float,
                    },
                    stride: t.vertex_stride,
                    count: t.vertex_count,
                    indices,
                    transform: t.transform,
                    flags: flags(t.opaque),
                }));
            }
            for b in &bottom.boxes {
                geometries.push(Geometry::Boxes(Boxes {
                    resource: self.geometry(&b.buffer)?,
                    offset: 0,
                    stride: b.stride,
                    count: b.count,
                    flags: flags(b.opaque),
                }));
            }
            let scene = &mut self.planned.job.scene;
            scene.add_bottom(&bottom.name, geometries);
        }
        for top in &structures.top {
            for list in &top.instances.0 {
                let instances = list.iter().map(|instance| {
                    Ok(Instance {
                        bottom: Some(before + pipeline.bottom_level(&instance.bottom, &top.name)?),
                        transform: instance.transform.unwrap_or(IDENTITY),
                        id: instance.id,
                        mask: instance.mask.unwrap_or(0xff),
                        hit_group_offset: instance.hit_group_offset,
                        flags: instance.flags.iter().copied().map(flag).collect(),
                    })
                });
                let instances = instances.collect::<Result<_>>()?;
                self.planned.job.scene.add_top(&top.name, instances);
            }
        }
        Ok(())
    }
}

/// The keys of a pipeline file that describe a scene. All others are ignored.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct SceneFile {
    #[serde(default)]
    buffers: Vec<Buffer>,
    acceleration_structures: AccelerationStructures,
}

/// Adds the acceleration structures of a YAML file (`Buffers` and `AccelerationStructures`, as
/// pipeline files have them) to a job. Returns the index of the first top level.
///
/// # Errors
///
/// [`PipelineError`] if the text is not such a file, has no top level, or is inconsistent.
pub fn add_scene(job: &mut Job, text: &str) -> Result<usize> {
    super::buffer::begin_file();
    let file: SceneFile = serde_saphyr::from_str(&lenient::as_llvm_reads(text))
        .map_err(|error| PipelineError::Yaml(error.to_string()))?;
    if file.acceleration_structures.top.is_empty() {
        return Err(PipelineError::Invalid("there is no TLAS".to_owned()));
    }
    let pipeline = Pipeline {
        kind: PipelineKind::Compute,
        document: Document {
            buffers: file.buffers,
            acceleration_structures: Some(file.acceleration_structures),
            ..Document::default()
        },
    };
    pipeline.check_scene()?;
    let first = job.scene.top.len();
    let mut planner = PipelinePlanner::new(&pipeline, false);
    // The planner owns its job, so the job of the caller is moved there for the duration of the
    // call, and moved back even if that fails.
    std::mem::swap(&mut planner.planned.job, job);
    let done = planner.scene();
    std::mem::swap(&mut planner.planned.job, job);
    done.map(|()| first)
}

fn flags(opaque: bool) -> GeometryFlags {
    if opaque {
        GeometryFlags::OPAQUE
    } else {
        GeometryFlags::empty()
    }
}

fn flag(flag: InstanceFlag) -> InstanceFlags {
    match flag {
        InstanceFlag::TriangleCullDisable => InstanceFlags::TRIANGLE_CULL_DISABLE,
        InstanceFlag::TriangleFrontCounterclockwise => {
            InstanceFlags::TRIANGLE_FRONT_COUNTERCLOCKWISE
        }
        InstanceFlag::ForceOpaque => InstanceFlags::FORCE_OPAQUE,
        InstanceFlag::ForceNonOpaque => InstanceFlags::FORCE_NON_OPAQUE,
    }
}
