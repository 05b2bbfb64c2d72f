//! Ray tracing pipelines and their shader tables.

use std::sync::Arc;

use ash::vk;
use dxil_frontend::dxil::ShaderKind;

use super::abilities::RayAbilities;
use super::conv::api;
use super::gpu::Gpu;
use super::heaps::layout::ShaderInterface;
use super::memory::{Buffer, MemoryLocation, RawPipeline};
use super::pipeline_cache::PipelineCache;
use super::shader_module::{create_module, entry_name};
use super::storage::DeviceStorage;
use super::structures::Structures;
use crate::error::{Error, Result};
use crate::job::{Job, Register, ResourceView};
use crate::program::{ShaderCode, StageCode};
use crate::ray_tracing::{
    HitGroupKind, LocalArgument, RayCount, RayTracingState, Record, ShaderGroup, ShaderTable,
    is_general,
};

/// The groups of a ray tracing pipeline.
pub(super) struct Groups {
    /// Identifiers: one for each general shader in the stages' order, then one for each hit group.
    handles: Vec<u8>,
    stages: Vec<ShaderKind>,
    hit_groups: usize,
    /// Bytes of the record that each stage reads, where its reflection says so.
    stage_record_bytes: Vec<u32>,
    /// The same of each hit group.
    hit_record_bytes: Vec<u32>,
}

fn able(gpu: &Gpu) -> Result<&RayAbilities> {
    gpu.rays.as_ref().ok_or_else(|| {
        Error::Unsupported("ray tracing pipelines (VK_KHR_ray_tracing_pipeline)".into())
    })
}

/// Makes a ray tracing pipeline.
pub(super) fn create(
    gpu: &Arc<Gpu>,
    stages: &[StageCode],
    state: &RayTracingState,
    place: &ShaderInterface<'_>,
    cache: &PipelineCache,
) -> Result<(RawPipeline, Groups)> {
    let able = able(gpu)?;
    state.check(stages)?;
    for (what, need, limit) in [
        (
            "levels of ray recursion",
            state.max_recursion,
            able.max_recursion,
        ),
        (
            "bytes of hit attributes",
            state.max_attribute_bytes,
            able.max_attribute_bytes,
        ),
    ] {
        if need > limit {
            let (need, limit) = (need.into(), limit.into());
            return Err(Error::Limit { what, need, limit });
        }
    }
    let mut modules = Vec::with_capacity(stages.len());
    let mut names = Vec::with_capacity(stages.len());
    for stage in stages {
        let ShaderCode::SpirV(words) = &stage.code else {
            return Err(Error::Unsupported(
                "WGSL code (only the wgpu backend takes it)".into(),
            ));
        };
        modules.push(create_module(gpu, words)?);
        names.push(entry_name(stage)?);
    }
    let flags = skip_flags(state, able)? | gpu.pipeline_flags();
    let mut chain = place.chain(flags);
    let infos: Vec<_> = stages
        .iter()
        .zip(modules.iter().zip(&names))
        .map(|(stage, (module, name))| {
            let mut info = vk::PipelineShaderStageCreateInfo::default()
                .stage(stage_flag(stage.kind))
                .module(module.raw)
                .name(name);
            if let Some(chain) = &chain {
                info.p_next = chain.of_stage();
            }
            info
        })
        .collect();
    // A group names its shaders by index, and `VK_SHADER_UNUSED_KHR` is not zero: the default of
    // the structure would name the first stage.
    let unused = vk::RayTracingShaderGroupCreateInfoKHR::default()
        .general_shader(vk::SHADER_UNUSED_KHR)
        .closest_hit_shader(vk::SHADER_UNUSED_KHR)
        .any_hit_shader(vk::SHADER_UNUSED_KHR)
        .intersection_shader(vk::SHADER_UNUSED_KHR);
    let shader = |index: Option<usize>| index.map_or(vk::SHADER_UNUSED_KHR, |i| i as u32);
    let general = stages.iter().enumerate();
    let general = general.filter(|(_, stage)| is_general(stage.kind));
    let mut groups: Vec<_> = general
        .map(|(index, _)| {
            unused
                .ty(vk::RayTracingShaderGroupTypeKHR::GENERAL)
                .general_shader(index as u32)
        })
        .collect();
    // General groups first, then hit groups: `Groups::index` counts on this order.
    groups.extend(state.hit_groups.iter().map(|group| {
        unused
            .ty(match group.kind {
                HitGroupKind::Triangles => vk::RayTracingShaderGroupTypeKHR::TRIANGLES_HIT_GROUP,
                HitGroupKind::Procedural => vk::RayTracingShaderGroupTypeKHR::PROCEDURAL_HIT_GROUP,
            })
            .closest_hit_shader(shader(group.closest_hit))
            .any_hit_shader(shader(group.any_hit))
            .intersection_shader(shader(group.intersection))
    }));
    let mut create = vk::RayTracingPipelineCreateInfoKHR::default()
        .flags(flags)
        .stages(&infos)
        .groups(&groups)
        .max_pipeline_ray_recursion_depth(state.max_recursion)
        .layout(place.layout);
    if let Some(chain) = &mut chain {
        create.p_next = chain.of_pipeline(create.p_next);
    }
    let create = [create];
    // SAFETY: modules, layout and cache are alive, and the groups name stages of their kinds.
    let made = unsafe {
        able.raw.create_ray_tracing_pipelines(
            vk::DeferredOperationKHR::null(),
            cache.raw(),
            &create,
            None,
        )
    };
    let pipeline = match made {
        Ok(pipelines) => pipelines
            .first()
            .map(|raw| RawPipeline::own(gpu, *raw))
            .ok_or(Error::DeviceLost)?,
        Err((_, result)) => return Err(api("vkCreateRayTracingPipelinesKHR")(result)),
    };
    let bytes = groups.len() * able.handle_bytes as usize;
    // SAFETY: the pipeline has these groups.
    let handles = unsafe {
        able.raw
            .get_ray_tracing_shader_group_handles(pipeline.raw, 0, groups.len() as u32, bytes)
    }
    .map_err(api("vkGetRayTracingShaderGroupHandlesKHR"))?;
    let read = |stage: &StageCode| {
        let interface = stage.interface.as_ref();
        interface.map_or(0, |interface| interface.shader_record_bytes)
    };
    let stage_record_bytes: Vec<u32> = stages.iter().map(read).collect();
    // A hit group has one record for all its shaders, so it must hold what the longest reader
    // wants.
    let hit_record_bytes = state.hit_groups.iter().map(|group| {
        let shaders = [group.closest_hit, group.any_hit, group.intersection];
        let bytes = shaders.into_iter().flatten().map(|i| stage_record_bytes[i]);
        bytes.max().unwrap_or(0)
    });
    let groups = Groups {
        handles,
        hit_record_bytes: hit_record_bytes.collect(),
        stage_record_bytes,
        stages: stages.iter().map(|stage| stage.kind).collect(),
        hit_groups: state.hit_groups.len(),
    };
    Ok((pipeline, groups))
}

fn skip_flags(state: &RayTracingState, able: &RayAbilities) -> Result<vk::PipelineCreateFlags> {
    use vk::PipelineCreateFlags as F;
    let mut flags = F::empty();
    if state.skip_triangles {
        flags |= F::RAY_TRACING_SKIP_TRIANGLES_KHR;
    }
    if state.skip_procedural {
        flags |= F::RAY_TRACING_SKIP_AABBS_KHR;
    }
    // VUID-VkRayTracingPipelineCreateInfoKHR-rayTraversalPrimitiveCulling-03596 and -03597.
    if !flags.is_empty() && !able.skips {
        return Err(Error::Unsupported(
            "pipelines that skip triangles or procedural primitives (rayTraversalPrimitiveCulling)"
                .into(),
        ));
    }
    // VUID-VkRayTracingPipelineCreateInfoKHR-flags-06546.
    if state.skip_triangles && state.skip_procedural {
        return Err(Error::BadJob(
            "a pipeline cannot skip triangles and procedural primitives".into(),
        ));
    }
    Ok(flags)
}

fn stage_flag(kind: ShaderKind) -> vk::ShaderStageFlags {
    use vk::ShaderStageFlags as S;
    match kind {
        ShaderKind::Miss => S::MISS_KHR,
        ShaderKind::ClosestHit => S::CLOSEST_HIT_KHR,
        ShaderKind::AnyHit => S::ANY_HIT_KHR,
        ShaderKind::Intersection => S::INTERSECTION_KHR,
        ShaderKind::Callable => S::CALLABLE_KHR,
        // Others were refused before.
        _ => S::RAYGEN_KHR,
    }
}

/// Checks that the device can send so many rays.
pub(super) fn check_count(gpu: &Gpu, count: RayCount) -> Result<()> {
    let able = able(gpu)?;
    let size = match count {
        RayCount::Direct(size) => size,
        // The counts of an indirect dispatch are in a buffer of the device: only the caller knows
        // them.
        RayCount::Indirect { .. } if able.indirect => return Ok(()),
        RayCount::Indirect { .. } => {
            return Err(Error::Unsupported(
                "indirect DispatchRays (rayTracingPipelineTraceRaysIndirect)".into(),
            ));
        }
    };
    // VUID-vkCmdTraceRaysKHR-width-03638 and the ones after it; the product is limited apart, by
    // VUID-vkCmdTraceRaysKHR-width-03641.
    let groups = gpu.limits.max_compute_work_group_count;
    let threads = gpu.limits.max_compute_work_group_size;
    for (need, (groups, threads)) in size.iter().zip(groups.iter().zip(threads)) {
        let limit = u64::from(*groups) * u64::from(threads);
        if u64::from(*need) > limit {
            return Err(Error::Limit {
                what: "rays in one direction",
                need: (*need).into(),
                limit,
            });
        }
    }
    // Three 32-bit counts can overflow 64 bits; saturated, the product still exceeds the limit.
    let need = size
        .iter()
        .fold(1u64, |all, n| all.saturating_mul((*n).into()));
    if need > able.max_rays.into() {
        return Err(Error::Limit {
            what: "rays of a dispatch",
            need,
            limit: able.max_rays.into(),
        });
    }
    Ok(())
}

/// The shader tables of a dispatch, on the device.
pub(super) struct ShaderBindingTables {
    regions: [vk::StridedDeviceAddressRegionKHR; 4],
    _buffer: Buffer,
    /// Constants that addresses in records point to.
    _buffers: Vec<Buffer>,
}

impl ShaderBindingTables {
    /// Writes the tables of a dispatch with that pipeline.
    pub(super) fn new(
        gpu: &Arc<Gpu>,
        groups: &Groups,
        table: &ShaderTable,
        job: &Job,
        storages: &[DeviceStorage],
        structures: &Structures,
    ) -> Result<Self> {
        let able = able(gpu)?;
        table.check(&groups.stages, groups.hit_groups)?;
        let mut writer = TableWriter {
            gpu,
            able,
            groups,
            job,
            storages,
            structures,
            buffers: Vec::new(),
        };
        let ray_generation = std::slice::from_ref(&table.ray_generation);
        let mut bytes = Vec::new();
        let mut places = Vec::with_capacity(4);
        for records in [
            ray_generation,
            &table.miss,
            &table.hit_groups,
            &table.callable,
        ] {
            // Every table starts at a multiple of `shaderGroupBaseAlignment`
            // (VUID-vkCmdTraceRaysKHR-pMissShaderBindingTable-03685).
            let aligned = bytes.len().next_multiple_of(able.base_alignment as usize);
            bytes.resize(aligned, 0);
            let stride = writer.write(records, &mut bytes)?;
            places.push((aligned as u64, stride, records.len() as u64 * stride));
        }
        use vk::BufferUsageFlags as U;
        let usage = U::SHADER_BINDING_TABLE_KHR | U::SHADER_DEVICE_ADDRESS;
        let alignment = u64::from(able.base_alignment);
        // A buffer's address need not be a multiple of the alignment, and is known only after it
        // was made: the buffer has room for the tables to start at the next multiple.
        let buffer = Buffer::new(
            gpu,
            bytes.len() as u64 + alignment,
            usage,
            MemoryLocation::Upload,
        )?;
        let first = buffer.address.next_multiple_of(alignment) - buffer.address;
        buffer.write(first, &bytes)?;
        // A table without records becomes one null record with a stride of zero, so that every
        // index reaches it and calls nothing.
        let region = |(place, stride, size): (u64, u64, u64)| vk::StridedDeviceAddressRegionKHR {
            device_address: buffer.address + first + place,
            stride: if size == 0 { 0 } else { stride },
            size: if size == 0 { stride } else { size },
        };
        let mut regions = [vk::StridedDeviceAddressRegionKHR::default(); 4];
        for (target, place) in regions.iter_mut().zip(places) {
            *target = region(place);
        }
        Ok(ShaderBindingTables {
            regions,
            _buffers: writer.buffers,
            _buffer: buffer,
        })
    }

    /// Records the dispatch; pipeline and sets are bound.
    pub(super) fn record(
        &self,
        gpu: &Gpu,
        commands: vk::CommandBuffer,
        count: RayCount,
        storages: &[DeviceStorage],
    ) -> Result<()> {
        let able = able(gpu)?;
        let [ray_generation, miss, hit, callable] = &self.regions;
        match count {
            RayCount::Direct([x, y, z]) => {
                // SAFETY: a ray tracing pipeline is bound, its tables live until the work is done,
                // and the size was checked.
                unsafe {
                    able.raw
                        .cmd_trace_rays(commands, ray_generation, miss, hit, callable, x, y, z);
                }
                Ok(())
            }
            RayCount::Indirect { arguments, offset } => {
                let Some(DeviceStorage::Buffer(buffer)) = storages.get(arguments.0) else {
                    return Err(Error::BadJob(
                        "indirect arguments come from a buffer".into(),
                    ));
                };
                // SAFETY: as above; the arguments lie inside of the buffer.
                unsafe {
                    able.raw.cmd_trace_rays_indirect(
                        commands,
                        ray_generation,
                        miss,
                        hit,
                        callable,
                        buffer.address + offset,
                    );
                }
                Ok(())
            }
        }
    }
}

struct TableWriter<'a> {
    gpu: &'a Arc<Gpu>,
    able: &'a RayAbilities,
    groups: &'a Groups,
    job: &'a Job,
    storages: &'a [DeviceStorage],
    structures: &'a Structures,
    buffers: Vec<Buffer>,
}

impl TableWriter<'_> {
    /// Appends a table, or a null record in the place of none, and says how far its records are
    /// apart.
    fn write(&mut self, records: &[Record], bytes: &mut Vec<u8>) -> Result<u64> {
        let arguments = records.iter().map(Record::argument_bytes).max();
        let wanted = u64::from(self.able.handle_bytes) + arguments.unwrap_or(0);
        // Local root arguments are aligned to eight bytes, since root descriptors and tables are.
        // VUID-vkCmdTraceRaysKHR-stride-03686 and VUID-vkCmdTraceRaysKHR-stride-04029.
        let stride = wanted.next_multiple_of(self.able.handle_alignment.max(8).into());
        if stride > self.able.max_stride.into() {
            return Err(Error::Limit {
                what: "bytes of a shader record",
                need: stride,
                limit: self.able.max_stride.into(),
            });
        }
        let start = bytes.len();
        bytes.resize(start + records.len().max(1) * stride as usize, 0);
        for (index, record) in records.iter().enumerate() {
            // A shader that reads beyond its record would read the next one, or memory after the
            // table.
            let need = record
                .group
                .map_or(0, |group| self.groups.record_bytes(group));
            let there = record.argument_bytes();
            if u64::from(need) > there {
                return Err(Error::BadJob(format!(
                    "the shader of record {index} reads {need} bytes of local root arguments, the record has {there}"
                )));
            }
            let content = self.record(record)?;
            let at = start + index * stride as usize;
            bytes[at..at + content.len()].copy_from_slice(&content);
        }
        Ok(stride)
    }

    fn record(&mut self, record: &Record) -> Result<Vec<u8>> {
        let size = self.able.handle_bytes as usize;
        let group = record.group.map(|group| self.groups.index(group));
        let mut bytes = match group {
            Some(index) => self.groups.handles[index * size..][..size].to_vec(),
            // A handle of zeros stands for a null shader, which does nothing when it is called.
            None => vec![0; size],
        };
        for argument in &record.arguments {
            let number = match argument {
                LocalArgument::Constants(constants) => {
                    bytes.extend_from_slice(constants);
                    continue;
                }
                LocalArgument::Address(view) => self.address(view)?,
                LocalArgument::Table(slot) => u64::from(*slot),
            };
            // Relative to the arguments' start and not the record's: the handle's size need not be
            // a multiple of eight.
            bytes.resize(size + (bytes.len() - size).next_multiple_of(8), 0);
            bytes.extend(number.to_le_bytes());
        }
        Ok(bytes)
    }

    fn address(&mut self, view: &ResourceView) -> Result<u64> {
        let bad = |what: &str| {
            Err(Error::BadJob(format!(
                "a root descriptor in a shader record cannot be {what}"
            )))
        };
        match view {
            ResourceView::Null => Ok(0),
            ResourceView::Buffer(view) => {
                let part = self.job.buffer_part(Register::srv(0), view)?;
                match self.storages.get(view.resource.0) {
                    Some(DeviceStorage::Buffer(buffer)) => Ok(buffer.address + part.start),
                    _ => bad("a texture"),
                }
            }
            ResourceView::AccelerationStructure(index) => {
                match self.structures.address(Some(*index)) {
                    Some(address) => Ok(address),
                    None => bad("an acceleration structure that does not exist"),
                }
            }
            ResourceView::Constants(constants) => {
                let mut bytes = constants.clone();
                // A constant buffer view is a multiple of 256 bytes in D3D12: the bytes after the
                // constants read as zero.
                bytes.resize(bytes.len().max(16).next_multiple_of(256), 0);
                use vk::BufferUsageFlags as U;
                let usage = U::STORAGE_BUFFER | U::SHADER_DEVICE_ADDRESS;
                let buffer = Buffer::with_bytes(self.gpu, &bytes, usage, MemoryLocation::Upload)?;
                let address = buffer.address;
                self.buffers.push(buffer);
                Ok(address)
            }
            ResourceView::Texture(_) => bad("a texture"),
            ResourceView::Sampler(_) => bad("a sampler"),
        }
    }
}

impl Groups {
    /// Returns the number of bytes of local root arguments that a group reads.
    fn record_bytes(&self, group: ShaderGroup) -> u32 {
        let found = match group {
            ShaderGroup::Shader(stage) => self.stage_record_bytes.get(stage),
            ShaderGroup::Hit(group) => self.hit_record_bytes.get(group),
        };
        found.copied().unwrap_or(0)
    }

    /// Returns the number of a group that was checked to be there.
    fn index(&self, group: ShaderGroup) -> usize {
        let before = |end: usize| {
            let stages = self.stages.iter().take(end);
            stages.filter(|kind| is_general(**kind)).count()
        };
        match group {
            ShaderGroup::Shader(stage) => before(stage),
            ShaderGroup::Hit(group) => before(self.stages.len()) + group,
        }
    }
}
