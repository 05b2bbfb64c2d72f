//! The ray tracing pipeline of a file: its state, its shader table and its dispatch.

use dxil_frontend::dxil::ShaderKind;

use super::document::{self, HitGroupType, ShaderRecord, Stage};
use super::elements::ElementFormat;
use super::{Pipeline, PipelineError, PipelineKind, Result};
use dxil_runtime::ray_tracing::{
    HitGroup, HitGroupKind, LocalArgument, RayCount, RayDispatch, RayTracingState, Record,
    ShaderGroup, ShaderTable,
};

/// Flags of `D3D12_RAYTRACING_PIPELINE_FLAGS`.
const SKIP_TRIANGLES: u32 = 0x100;
const SKIP_PROCEDURAL: u32 = 0x200;

impl Pipeline {
    /// Returns state and dispatch of a ray tracing pipeline, or `None` for other pipelines.
    pub(super) fn plan_rays(&self) -> Result<Option<(RayTracingState, RayDispatch)>> {
        if self.kind != PipelineKind::RayTracing {
            return Ok(None);
        }
        let dispatch = RayDispatch {
            table: self.table()?,
            count: RayCount::Direct(self.groups()),
        };
        Ok(Some((self.ray_state()?, dispatch)))
    }

    fn ray_state(&self) -> Result<RayTracingState> {
        let config = self.document.ray_tracing_pipeline_config.as_ref();
        let flags = config.and_then(|config| config.pipeline_flags).unwrap_or(0);
        if flags & !(SKIP_TRIANGLES | SKIP_PROCEDURAL) != 0 {
            return Err(PipelineError::Unsupported(format!(
                "PipelineFlags {flags:#x}"
            )));
        }
        let hit_groups = self.document.hit_groups.iter();
        Ok(RayTracingState {
            hit_groups: hit_groups
                .map(|group| self.hit_group(group))
                .collect::<Result<_>>()?,
            max_recursion: config
                .and_then(|config| config.max_trace_recursion_depth)
                // By default only the ray generation shader may trace rays.
                .unwrap_or(1),
            max_payload_bytes: config
                .and_then(|config| config.max_payload_size_in_bytes)
                .unwrap_or(0),
            max_attribute_bytes: config
                .and_then(|config| config.max_attribute_size_in_bytes)
                // Two floats: the attributes of a triangle
                // (`BuiltInTriangleIntersectionAttributes`).
                .unwrap_or(8),
            skip_triangles: flags & SKIP_TRIANGLES != 0,
            skip_procedural: flags & SKIP_PROCEDURAL != 0,
        })
    }

    fn hit_group(&self, group: &document::HitGroup) -> Result<HitGroup> {
        let shader = |name: &Option<String>, stage| match name {
            Some(name) => {
                let user = || format!("hit group `{}`", group.name);
                self.shader_of(name, stage, user).map(Some)
            }
            None => Ok(None),
        };
        Ok(HitGroup {
            name: group.name.clone(),
            kind: match group.ty {
                HitGroupType::Triangles => HitGroupKind::Triangles,
                HitGroupType::Procedural => HitGroupKind::Procedural,
            },
            closest_hit: shader(&group.closest_hit, Stage::ClosestHit)?,
            any_hit: shader(&group.any_hit, Stage::AnyHit)?,
            intersection: shader(&group.intersection, Stage::Intersection)?,
        })
    }

    /// Returns the index of the shader of a stage with an entry point.
    fn shader_of(&self, name: &str, stage: Stage, user: impl Fn() -> String) -> Result<usize> {
        let mut shaders = self.document.shaders.iter();
        let found = shaders.position(|shader| shader.stage == stage && shader.entry == name);
        found.ok_or_else(|| PipelineError::Unknown {
            user: user(),
            what: stage_name(stage),
            name: name.to_owned(),
        })
    }

    /// Returns the shader table of the file. By default, the tables contain all shaders and hit
    /// groups, in the order of the file.
    fn table(&self) -> Result<ShaderTable> {
        let user = || "ShaderBindingTable".to_owned();
        let Some(table) = &self.document.shader_binding_table else {
            let of = |stage| {
                let shaders = self.document.shaders.iter().enumerate();
                let those = shaders.filter(move |(_, shader)| shader.stage == stage);
                those.map(|(index, _)| Record::new(ShaderGroup::Shader(index)))
            };
            let hit_groups = 0..self.document.hit_groups.len();
            return Ok(ShaderTable {
                ray_generation: of(Stage::RayGeneration).next().unwrap_or_default(),
                miss: of(Stage::Miss).collect(),
                hit_groups: hit_groups
                    .map(|i| Record::new(ShaderGroup::Hit(i)))
                    .collect(),
                callable: of(Stage::Callable).collect(),
            });
        };
        let record = |record: &ShaderRecord, stage| {
            let shader = self.shader_of(&record.shader_name, stage, user)?;
            with_data(Record::new(ShaderGroup::Shader(shader)), record)
        };
        let hit = |record: &ShaderRecord| {
            let name = &record.shader_name;
            let mut groups = self.document.hit_groups.iter();
            let found = groups.position(|group| group.name == *name);
            let index = found.ok_or_else(|| PipelineError::Unknown {
                user: user(),
                what: "hit group",
                name: name.clone(),
            })?;
            with_data(Record::new(ShaderGroup::Hit(index)), record)
        };
        let all = |records: &[ShaderRecord], stage| {
            let records = records.iter().map(|r| record(r, stage));
            records.collect::<Result<Vec<_>>>()
        };
        Ok(ShaderTable {
            ray_generation: record(&table.ray_gen, Stage::RayGeneration)?,
            miss: all(&table.miss, Stage::Miss)?,
            hit_groups: table.hit_group.iter().map(hit).collect::<Result<_>>()?,
            callable: all(&table.callable, Stage::Callable)?,
        })
    }
}

/// Returns the record with the bytes of the file after the identifier.
fn with_data(record: Record, file: &ShaderRecord) -> Result<Record> {
    if file.local_root_data.is_empty() {
        return Ok(record);
    }
    let mut bytes = Vec::with_capacity(file.local_root_data.len());
    for text in &file.local_root_data {
        ElementFormat::Hex8
            .encode(text, &mut bytes)
            .map_err(|error| {
                let name = &file.shader_name;
                PipelineError::Invalid(format!("LocalRootData of `{name}`: {error}"))
            })?;
    }
    Ok(record.with(LocalArgument::Constants(bytes)))
}

fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Miss => "Miss shader",
        Stage::ClosestHit => "ClosestHit shader",
        Stage::AnyHit => "AnyHit shader",
        Stage::Intersection => "Intersection shader",
        Stage::Callable => "Callable shader",
        _ => "RayGeneration shader",
    }
}

/// Returns the stage of a shader of a ray tracing pipeline.
pub(super) fn kind_of(stage: Stage) -> Option<ShaderKind> {
    Some(match stage {
        Stage::RayGeneration => ShaderKind::RayGeneration,
        Stage::Miss => ShaderKind::Miss,
        Stage::ClosestHit => ShaderKind::ClosestHit,
        Stage::AnyHit => ShaderKind::AnyHit,
        Stage::Intersection => ShaderKind::Intersection,
        Stage::Callable => ShaderKind::Callable,
        _ => return None,
    })
}
