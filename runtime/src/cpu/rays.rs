//! Ray tracing pipelines: the decoded shaders of all stages, and shader tables as the executor has
//! them.

use std::sync::Arc;

use dxil_cpu::resources::{RayRecord, RayTables, RecordShader};
use dxil_cpu::{Kernel, RayShader};
use dxil_frontend::container::root_signature::RootSignature;
use dxil_frontend::dxil::{ShaderKind, plain_name};
use dxil_translate::resource_uses;

use super::compile::layout_of;
use super::executable::{Executable, LocalRoot};
use super::inputs;
use crate::device::Profile;
use crate::error::{Error, Result};
use crate::job::Job;
use crate::program::{CompileOptions, Program, ShaderCode, StageCode};
use crate::ray_stage::RayStage;
use crate::ray_tracing::{
    LocalArgument, RayCount, RayDispatch, RayTracingState, Record, ShaderGroup, ShaderTable,
};
use crate::root_signature::{Planner, first_register, record_end, static_samplers};

/// Maximum number of bytes from record to record
/// (D3D12_RAYTRACING_MAX_SHADER_RECORD_STRIDE), and of a shader identifier.
const MAX_RECORD_STRIDE: u64 = 4096;
const IDENTIFIER_BYTES: u64 = 32;
/// D3D12_RAYTRACING_MAX_DECLARABLE_TRACE_RECURSION_DEPTH.
pub(super) const MAX_RECURSION: u32 = 31;
/// D3D12_RAYTRACING_MAX_ATTRIBUTE_SIZE_IN_BYTES.
const MAX_ATTRIBUTE_BYTES: u32 = 32;

/// Decodes the shaders of a ray tracing pipeline.
pub(crate) fn compile_rays(
    stages: &[RayStage<'_>],
    state: RayTracingState,
    root: Option<&RootSignature>,
    profile: &Profile,
    options: &CompileOptions,
) -> Result<Program> {
    let mut decode = dxil_cpu::Options::default();
    let (minimum, maximum) = profile.subgroup_sizes;
    decode.wave_size = (minimum == maximum).then_some(minimum);
    decode.keep_denormals = profile.keep_denormals;
    decode.preview = options.preview;
    decode.checks = profile.checks;
    decode.watched = options.watched;
    let shaders: Vec<RayShader<'_>> = stages
        .iter()
        .map(|stage| RayShader {
            shader: stage.shader,
            entry: stage.entry,
        })
        .collect();
    let kernel = Kernel::decode_rays(&shaders, &decode)?;
    let mut planner = Planner::new(root, profile, &|_| None, options.root_descriptors);
    let mut samplers = Vec::new();
    let mut needed = Vec::new();
    let mut locals = Vec::new();
    let mut kinds = Vec::new();
    for (index, stage) in stages.iter().enumerate() {
        let kind = stage.entry_point()?.kind;
        let used = resource_uses(stage.shader, Some(stage.entry))?;
        // The planner looks whether the root signatures have a place for everything.
        let planned = planner.ray_stage(&used, kind, stage.local_root);
        planned.map_err(|error| error.in_stage(index, stages.len()))?;
        for signature in root.into_iter().chain(stage.local_root) {
            samplers.extend(static_samplers(signature, &stage.shader.resources, kind)?);
        }
        let mut bytes = 0;
        for resource in used {
            let end = stage.local_root.and_then(|r| record_end(r, resource, kind));
            bytes = bytes.max(end.unwrap_or(0));
            let register = first_register(resource);
            let is_single = end.is_none() && resource.count == Some(1);
            if is_single && !needed.iter().any(|(known, _)| *known == register) {
                needed.push((register, resource.name.to_string()));
            }
        }
        locals.push(LocalRoot {
            signature: stage.local_root.cloned(),
            bytes,
        });
        kinds.push(kind);
    }
    needed.retain(|(register, _)| !samplers.iter().any(|(at, _)| at == register));
    let all: Vec<_> = stages.iter().map(|stage| stage.shader).collect();
    let layout = layout_of(&[&kernel], &all, &samplers);
    let executable = Arc::new(Executable {
        kernel,
        static_samplers: samplers,
        needed,
        locals,
        stage: None,
    });
    let stages = stages.iter().zip(kinds).map(|(stage, kind)| StageCode {
        kind,
        required_subgroup_size: Some(executable.kernel.wave_size()),
        code: ShaderCode::Dxil(Arc::clone(&executable)),
        entry: plain_name(stage.entry).to_owned(),
        interface: None,
        structure: None,
        warnings: Vec::new(),
        timings: None,
    });
    Ok(Program {
        stages: stages.collect(),
        layout,
        graphics: None,
        ray_tracing: Some(state),
    })
}

/// A pipeline's state, checked, and the kinds of its shaders.
#[derive(Debug)]
pub(super) struct RayPipeline {
    state: RayTracingState,
    stages: Vec<ShaderKind>,
}

impl RayPipeline {
    pub(super) fn new(program: &Program, state: &RayTracingState) -> Result<RayPipeline> {
        state.check(&program.stages)?;
        for (what, need, limit) in [
            (
                "levels of ray recursion",
                state.max_recursion,
                MAX_RECURSION,
            ),
            (
                "bytes of hit attributes",
                state.max_attribute_bytes,
                MAX_ATTRIBUTE_BYTES,
            ),
        ] {
            if need > limit {
                let (need, limit) = (need.into(), limit.into());
                return Err(Error::Limit { what, need, limit });
            }
        }
        Ok(RayPipeline {
            state: state.clone(),
            stages: program.stages.iter().map(|stage| stage.kind).collect(),
        })
    }

    /// Returns the number of rays of a dispatch in each dimension.
    pub(super) fn size(job: &Job, dispatch: &RayDispatch) -> Result<[u32; 3]> {
        let size = match dispatch.count {
            RayCount::Direct(size) => size,
            RayCount::Indirect { arguments, offset } => {
                inputs::indirect_counts(job, arguments, offset)?
            }
        };
        let need = size
            .iter()
            .fold(1_u64, |all, &n| all.saturating_mul(u64::from(n)));
        let limit = 1 << 30;
        if need > limit {
            return Err(Error::Limit {
                what: "rays of a dispatch",
                need,
                limit,
            });
        }
        Ok(size)
    }

    /// Returns the shader tables of a dispatch.
    pub(super) fn tables(
        &self,
        executable: &Executable,
        job: &Job,
        table: &ShaderTable,
    ) -> Result<RayTables> {
        table.check(&self.stages, self.state.hit_groups.len())?;
        let all = |records: &[Record]| -> Result<Vec<RayRecord>> {
            let records = records.iter().enumerate();
            records
                .map(|(index, record)| self.record(executable, job, index, record))
                .collect()
        };
        Ok(RayTables {
            ray_generation: self.record(executable, job, 0, &table.ray_generation)?,
            miss: all(&table.miss)?,
            hit_groups: all(&table.hit_groups)?,
            callable: all(&table.callable)?,
            skip_triangles: self.state.skip_triangles,
            skip_procedural: self.state.skip_procedural,
            max_recursion: self.state.max_recursion,
        })
    }

    fn record(
        &self,
        executable: &Executable,
        job: &Job,
        index: usize,
        record: &Record,
    ) -> Result<RayRecord> {
        let there = record.argument_bytes();
        if there + IDENTIFIER_BYTES > MAX_RECORD_STRIDE {
            return Err(Error::Limit {
                what: "bytes of a shader record",
                need: there + IDENTIFIER_BYTES,
                limit: MAX_RECORD_STRIDE,
            });
        }
        let shader = |shader: Option<usize>| -> Result<Option<RecordShader>> {
            let Some(shader) = shader else {
                return Ok(None);
            };
            let mut registers = Vec::new();
            if let Some(local) = executable.locals.get(shader) {
                if u64::from(local.bytes) > there {
                    return Err(Error::BadJob(format!(
                        "the shader of record {index} reads {} bytes of local root arguments, the record has {there}",
                        local.bytes
                    )));
                }
                if let Some(signature) = &local.signature {
                    for (at, view) in job.record_views(signature, &record.arguments)? {
                        registers.push((at, inputs::view(job, at, &view)?));
                    }
                }
            }
            Ok(Some(RecordShader { shader, registers }))
        };
        let empty = RayRecord {
            arguments: argument_words(&record.arguments),
            ..RayRecord::default()
        };
        Ok(match record.group {
            None => empty,
            Some(ShaderGroup::Shader(index)) => RayRecord {
                general: shader(Some(index))?,
                ..empty
            },
            Some(ShaderGroup::Hit(group)) => match self.state.hit_groups.get(group) {
                Some(group) => RayRecord {
                    closest_hit: shader(group.closest_hit)?,
                    any_hit: shader(group.any_hit)?,
                    intersection: shader(group.intersection)?,
                    ..empty
                },
                None => empty,
            },
        })
    }
}

/// Returns local root arguments as words; addresses and handles, which are none here, are zero.
fn argument_words(arguments: &[LocalArgument]) -> Vec<u32> {
    let mut bytes = Vec::new();
    for argument in arguments {
        match argument {
            LocalArgument::Constants(constants) => bytes.extend_from_slice(constants),
            LocalArgument::Address(_) | LocalArgument::Table(_) => {
                bytes.resize(bytes.len().next_multiple_of(8) + 8, 0);
            }
        }
    }
    let words = bytes.chunks(4).map(|word| {
        let mut padded = [0; 4];
        padded[..word.len()].copy_from_slice(word);
        u32::from_le_bytes(padded)
    });
    words.collect()
}
