//! Shader tables of a ray tracing pipeline (DirectX Raytracing specification, "Shader tables").

use std::ops::Range;

use super::{Register, ResourceView, Storage, Table};
use crate::decode::Kernel;
use crate::error::{Error, Result};

/// A shader of a record, with what the local root signature binds for it.
#[derive(Debug, Clone, Default)]
pub struct RecordShader {
    /// Number of the shader, as the kernel was given them.
    pub shader: usize,
    /// The views in the registers of its local root signature.
    pub registers: Vec<(Register, ResourceView)>,
}

/// A record of a shader table. One without shaders has the null identifier, and calls nothing.
#[derive(Debug, Clone, Default)]
pub struct RayRecord {
    /// A ray generation, miss or callable shader.
    pub general: Option<RecordShader>,
    /// The shaders of a hit group.
    pub closest_hit: Option<RecordShader>,
    /// Any-hit shader of the hit group.
    pub any_hit: Option<RecordShader>,
    /// Intersection shader of the hit group.
    pub intersection: Option<RecordShader>,
    /// Words of its local root arguments, after the shader identifier. Hit objects read them
    /// (`LoadLocalRootTableConstant`).
    pub arguments: Vec<u32>,
}

/// The shader tables of a dispatch of rays, and what their pipeline says.
#[derive(Debug, Clone, Default)]
pub struct RayTables {
    /// The ray generation shader.
    pub ray_generation: RayRecord,
    /// Miss shaders.
    pub miss: Vec<RayRecord>,
    /// Hit groups.
    pub hit_groups: Vec<RayRecord>,
    /// Callable shaders.
    pub callable: Vec<RayRecord>,
    /// No ray hits triangles.
    pub skip_triangles: bool,
    /// No ray hits procedural primitives.
    pub skip_procedural: bool,
    /// Maximum nesting of `TraceRay` calls; 1 allows those of the ray generation shader only.
    pub max_recursion: u32,
}

/// Local root arguments of a shader that has none.
pub(crate) const NO_LOCALS: u32 = u32::MAX;

/// A function, and the number of its local root arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShaderReference {
    pub(crate) function: u32,
    pub(crate) locals: u32,
}

/// A record whose shaders are functions of the kernel.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ResolvedRecord {
    pub(crate) general: Option<ShaderReference>,
    pub(crate) closest_hit: Option<ShaderReference>,
    pub(crate) any_hit: Option<ShaderReference>,
    pub(crate) intersection: Option<ShaderReference>,
}

/// The tables as one list of records.
#[derive(Debug)]
pub(crate) struct ResolvedTables {
    records: Vec<ResolvedRecord>,
    /// Words of the local root arguments of each record.
    arguments: Vec<Box<[u32]>>,
    pub(crate) generation: ShaderReference,
    miss: Range<usize>,
    hit_groups: Range<usize>,
    callable: Range<usize>,
    /// Ray flags that the pipeline adds.
    pub(crate) flags: u32,
    pub(crate) max_recursion: u32,
}

impl ResolvedTables {
    /// Finds the shaders, and adds what their records bind to the descriptors.
    pub(crate) fn new(
        tables: &RayTables,
        kernel: &Kernel,
        table: &mut Table,
        storages: &[Storage],
    ) -> Result<ResolvedTables> {
        let mut resolve = |shader: &Option<RecordShader>| -> Result<Option<ShaderReference>> {
            let Some(shader) = shader else {
                return Ok(None);
            };
            let function = kernel.entries.get(shader.shader).copied();
            let function = function.ok_or_else(|| {
                Error::BadInput("a record of a shader that is not in the pipeline".into())
            })?;
            let locals = if shader.registers.is_empty() {
                NO_LOCALS
            } else {
                table.add_locals(kernel, &shader.registers, storages)?
            };
            Ok(Some(ShaderReference { function, locals }))
        };
        let generation = resolve(&tables.ray_generation.general)?
            .ok_or_else(|| Error::BadInput("the ray generation record has no shader".into()))?;
        let (mut records, mut arguments) = (Vec::new(), Vec::<Box<[u32]>>::new());
        let mut add = |list: &[RayRecord]| -> Result<Range<usize>> {
            let first = records.len();
            for record in list {
                arguments.push(record.arguments.as_slice().into());
                records.push(ResolvedRecord {
                    general: resolve(&record.general)?,
                    closest_hit: resolve(&record.closest_hit)?,
                    any_hit: resolve(&record.any_hit)?,
                    intersection: resolve(&record.intersection)?,
                });
            }
            Ok(first..records.len())
        };
        let miss = add(&tables.miss)?;
        let hit_groups = add(&tables.hit_groups)?;
        let callable = add(&tables.callable)?;
        Ok(ResolvedTables {
            records,
            arguments,
            generation,
            miss,
            hit_groups,
            callable,
            // RAY_FLAG_SKIP_TRIANGLES and RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES.
            flags: u32::from(tables.skip_triangles) << 8 | u32::from(tables.skip_procedural) << 9,
            max_recursion: tables.max_recursion,
        })
    }

    /// Returns a record. One after the end of its table has no shaders.
    fn record(&self, table: &Range<usize>, index: u32) -> ResolvedRecord {
        let records = self.records.get(table.clone()).unwrap_or_default();
        records.get(index as usize).copied().unwrap_or_default()
    }

    pub(crate) fn miss(&self, index: u32) -> Option<ShaderReference> {
        self.record(&self.miss, index).general
    }

    pub(crate) fn hit_group(&self, index: u32) -> ResolvedRecord {
        self.record(&self.hit_groups, index)
    }

    /// Returns a word of the arguments of a hit group or miss shader; zero where there are none.
    pub(crate) fn local_constant(&self, is_hit: bool, index: u32, offset: u32) -> u32 {
        let table = if is_hit { &self.hit_groups } else { &self.miss };
        let records = self.arguments.get(table.clone()).unwrap_or_default();
        let arguments = records.get(index as usize);
        let word = arguments.and_then(|words| words.get((offset / 4) as usize));
        word.copied().unwrap_or(0)
    }

    pub(crate) fn callable(&self, index: u32) -> Option<ShaderReference> {
        self.record(&self.callable, index).general
    }
}
