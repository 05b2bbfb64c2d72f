//! Acceleration structures on the device: sized, made and built in the job's own command buffer.

use std::sync::Arc;

use ash::vk;

use super::abilities::StructureAbilities;
use super::commands::Commands;
use super::conv::{self, api};
use super::gpu::Gpu;
use super::memory::{Buffer, MemoryLocation};
use super::storage::DeviceStorage;
use crate::error::{Error, Result};
use crate::job::{Job, ResourceId};
use crate::scene::{BottomLevel, Boxes, Geometry, GeometryFlags, Instance, TopLevel, Triangles};

/// Bytes of `VkAccelerationStructureInstanceKHR`.
const INSTANCE_BYTES: usize = 64;

/// An acceleration structure with its memory.
struct Structure {
    gpu: Arc<Gpu>,
    raw: vk::AccelerationStructureKHR,
    address: u64,
    _buffer: Buffer,
}

impl Structure {
    fn new(
        gpu: &Arc<Gpu>,
        able: &StructureAbilities,
        ty: vk::AccelerationStructureTypeKHR,
        size: u64,
    ) -> Result<Self> {
        use vk::BufferUsageFlags as U;
        let usage = U::ACCELERATION_STRUCTURE_STORAGE_KHR | U::SHADER_DEVICE_ADDRESS;
        let buffer = Buffer::new(gpu, size, usage, MemoryLocation::Device)?;
        let info = vk::AccelerationStructureCreateInfoKHR::default()
            .buffer(buffer.raw)
            .size(size)
            .ty(ty);
        // SAFETY: the buffer has the usage and at least the size, and its start is aligned to
        // anything.
        let raw = unsafe { able.raw.create_acceleration_structure(&info, None) }
            .map_err(api("vkCreateAccelerationStructureKHR"))?;
        let info =
            vk::AccelerationStructureDeviceAddressInfoKHR::default().acceleration_structure(raw);
        // SAFETY: the structure was made just now.
        let address = unsafe { able.raw.get_acceleration_structure_device_address(&info) };
        Ok(Structure {
            gpu: Arc::clone(gpu),
            raw,
            address,
            _buffer: buffer,
        })
    }
}

impl Drop for Structure {
    fn drop(&mut self) {
        if let (false, Some(able)) = (self.gpu.is_stuck(), &self.gpu.structures) {
            // SAFETY: it belongs to the device, which does not use it any more.
            unsafe { able.raw.destroy_acceleration_structure(self.raw, None) };
        }
    }
}

/// The structures of a job.
pub(super) struct Structures {
    tops: Vec<Structure>,
    /// A structure without instances, which replaces null.
    nothing: Option<Structure>,
    _bottoms: Vec<Structure>,
    /// The inputs and the scratch memory of builds.
    _buffers: Vec<Buffer>,
}

impl Structures {
    /// Returns an empty set of structures.
    pub(super) fn none() -> Self {
        Structures {
            tops: Vec::new(),
            nothing: None,
            _bottoms: Vec::new(),
            _buffers: Vec::new(),
        }
    }

    /// Returns the top level of that index; `None` is one that no ray hits.
    pub(super) fn top(&self, index: Option<usize>) -> Option<vk::AccelerationStructureKHR> {
        self.find(index).map(|structure| structure.raw)
    }

    /// Returns its device address.
    pub(super) fn address(&self, index: Option<usize>) -> Option<u64> {
        self.find(index).map(|structure| structure.address)
    }

    fn find(&self, index: Option<usize>) -> Option<&Structure> {
        match index {
            Some(index) => self.tops.get(index),
            None => self.nothing.as_ref(),
        }
    }

    /// Makes a job's structures and records their builds. The job's buffers must be filled, and a
    /// barrier has to stand before; one stands after. The results last as long as the value.
    pub(super) fn build(
        gpu: &Arc<Gpu>,
        commands: &Commands,
        job: &Job,
        storages: &[DeviceStorage],
    ) -> Result<Self> {
        let able = gpu.structures.as_ref().ok_or_else(missing)?;
        job.scene.check(&job.resources)?;
        let mut builder = Builder {
            gpu,
            able,
            commands,
            storages,
            buffers: Vec::new(),
        };
        let mut built = Structures::none();
        let inputs = job.scene.bottom.iter().map(|bottom| builder.bottom(bottom));
        let inputs = inputs.collect::<Result<Vec<_>>>()?;
        built._bottoms = builder.build(inputs)?;
        // Top levels read the bottom levels that were built just now.
        commands.full_barrier();
        let mut inputs = Vec::with_capacity(job.scene.top.len() + 1);
        for top in &job.scene.top {
            inputs.push(builder.top(top, &built._bottoms)?);
        }
        // The last one is the empty structure that stands for null.
        inputs.push(builder.top(&TopLevel::default(), &[])?);
        built.tops = builder.build(inputs)?;
        built.nothing = built.tops.pop();
        commands.full_barrier();
        built._buffers = builder.buffers;
        Ok(built)
    }
}

/// The input of a build.
struct BuildInput {
    ty: vk::AccelerationStructureTypeKHR,
    geometries: Vec<vk::AccelerationStructureGeometryKHR<'static>>,
    primitives: Vec<u32>,
}

impl BuildInput {
    fn info(&self) -> vk::AccelerationStructureBuildGeometryInfoKHR<'_> {
        vk::AccelerationStructureBuildGeometryInfoKHR::default()
            .ty(self.ty)
            .flags(vk::BuildAccelerationStructureFlagsKHR::PREFER_FAST_TRACE)
            .mode(vk::BuildAccelerationStructureModeKHR::BUILD)
            .geometries(&self.geometries)
    }
}

struct Builder<'a> {
    gpu: &'a Arc<Gpu>,
    able: &'a StructureAbilities,
    commands: &'a Commands,
    storages: &'a [DeviceStorage],
    buffers: Vec<Buffer>,
}

impl Builder<'_> {
    fn bottom(&mut self, bottom: &BottomLevel) -> Result<BuildInput> {
        limit(
            "geometries of a bottom-level acceleration structure",
            bottom.geometries.len() as u64,
            self.able.geometries,
        )?;
        let counts = bottom.geometries.iter().map(Geometry::primitives);
        let primitives: Vec<u32> = counts.collect();
        limit(
            "primitives of a bottom-level acceleration structure",
            primitives.iter().map(|count| u64::from(*count)).sum(),
            self.able.primitives,
        )?;
        let geometries = bottom.geometries.iter().map(|geometry| match geometry {
            Geometry::Triangles(triangles) => self.triangles(triangles),
            Geometry::Boxes(boxes) => self.boxes(boxes),
        });
        Ok(BuildInput {
            ty: vk::AccelerationStructureTypeKHR::BOTTOM_LEVEL,
            geometries: geometries.collect::<Result<_>>()?,
            primitives,
        })
    }

    fn triangles(
        &mut self,
        triangles: &Triangles,
    ) -> Result<vk::AccelerationStructureGeometryKHR<'static>> {
        let format = conv::format(triangles.format);
        // SAFETY: `physical` is the device's.
        let properties = unsafe {
            self.gpu
                .instance
                .raw
                .get_physical_device_format_properties(self.gpu.physical, format)
        };
        // The list of vertex formats is open-ended in Vulkan: each device says which ones it takes.
        if !properties
            .buffer_features
            .contains(vk::FormatFeatureFlags::ACCELERATION_STRUCTURE_VERTEX_BUFFER_KHR)
        {
            return Err(Error::Unsupported(format!(
                "positions of format {} in acceleration structures",
                triangles.format
            )));
        }
        let mut data = vk::AccelerationStructureGeometryTrianglesDataKHR::default()
            .vertex_format(format)
            .vertex_data(self.address(triangles.vertices, triangles.offset)?)
            .vertex_stride(triangles.stride.into())
            .max_vertex(triangles.count.saturating_sub(1))
            .index_type(vk::IndexType::NONE_KHR);
        if let Some(indices) = &triangles.indices {
            data = data
                .index_type(if indices.wide {
                    vk::IndexType::UINT32
                } else {
                    vk::IndexType::UINT16
                })
                .index_data(self.address(indices.resource, indices.offset)?);
        }
        if let Some(transform) = &triangles.transform {
            let bytes: Vec<u8> = transform.iter().flat_map(|x| x.to_le_bytes()).collect();
            data = data.transform_data(self.input(&bytes)?);
        }
        Ok(vk::AccelerationStructureGeometryKHR::default()
            .geometry_type(vk::GeometryTypeKHR::TRIANGLES)
            .geometry(vk::AccelerationStructureGeometryDataKHR { triangles: data })
            .flags(geometry_flags(triangles.flags)))
    }

    fn boxes(&mut self, boxes: &Boxes) -> Result<vk::AccelerationStructureGeometryKHR<'static>> {
        let data = vk::AccelerationStructureGeometryAabbsDataKHR::default()
            .data(self.address(boxes.resource, boxes.offset)?)
            .stride(boxes.stride.into());
        Ok(vk::AccelerationStructureGeometryKHR::default()
            .geometry_type(vk::GeometryTypeKHR::AABBS)
            .geometry(vk::AccelerationStructureGeometryDataKHR { aabbs: data })
            .flags(geometry_flags(boxes.flags)))
    }

    fn top(&mut self, top: &TopLevel, bottoms: &[Structure]) -> Result<BuildInput> {
        limit(
            "instances of a top-level acceleration structure",
            top.instances.len() as u64,
            self.able.instances,
        )?;
        let mut bytes = Vec::with_capacity(top.instances.len() * INSTANCE_BYTES);
        for instance in &top.instances {
            // A null address makes an instance inactive, as in D3D12.
            let bottom = instance.bottom.and_then(|index| bottoms.get(index));
            write_instance(instance, bottom.map_or(0, |b| b.address), &mut bytes);
        }
        let data = vk::AccelerationStructureGeometryInstancesDataKHR::default()
            .array_of_pointers(false)
            .data(self.input(&bytes)?);
        Ok(BuildInput {
            ty: vk::AccelerationStructureTypeKHR::TOP_LEVEL,
            geometries: vec![
                vk::AccelerationStructureGeometryKHR::default()
                    .geometry_type(vk::GeometryTypeKHR::INSTANCES)
                    .geometry(vk::AccelerationStructureGeometryDataKHR { instances: data }),
            ],
            primitives: vec![top.instances.len() as u32],
        })
    }

    /// Makes the structures and records their builds, which share one buffer to work in.
    fn build(&mut self, inputs: Vec<BuildInput>) -> Result<Vec<Structure>> {
        if inputs.is_empty() {
            return Ok(Vec::new());
        }
        let mut structures = Vec::with_capacity(inputs.len());
        let mut places = Vec::with_capacity(inputs.len());
        let mut scratch_bytes = 0u64;
        for input in &inputs {
            let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
            // SAFETY: there is one count for each geometry.
            unsafe {
                self.able.raw.get_acceleration_structure_build_sizes(
                    vk::AccelerationStructureBuildTypeKHR::DEVICE,
                    &input.info(),
                    &input.primitives,
                    &mut sizes,
                );
            }
            // A structure without primitives may need no memory at all, while a buffer has a byte
            // at least.
            let size = sizes.acceleration_structure_size.max(1);
            structures.push(Structure::new(self.gpu, self.able, input.ty, size)?);
            // Builds of one command run concurrently, so no two of them share scratch memory
            // (VUID-vkCmdBuildAccelerationStructuresKHR-scratchData-03704).
            places.push(scratch_bytes);
            let aligned = self.able.scratch_alignment;
            scratch_bytes += sizes.build_scratch_size.max(1).next_multiple_of(aligned);
        }
        use vk::BufferUsageFlags as U;
        let scratch = Buffer::new(
            self.gpu,
            // Room to align the start: a buffer's address need not be a multiple of the scratch
            // alignment.
            scratch_bytes + self.able.scratch_alignment,
            U::STORAGE_BUFFER | U::SHADER_DEVICE_ADDRESS,
            MemoryLocation::Device,
        )?;
        let scratch_start = scratch
            .address
            .next_multiple_of(self.able.scratch_alignment);
        self.buffers.push(scratch);
        let ranges: Vec<Vec<_>> = inputs
            .iter()
            .map(|input| {
                let counts = input.primitives.iter();
                let range = vk::AccelerationStructureBuildRangeInfoKHR::default();
                counts.map(|count| range.primitive_count(*count)).collect()
            })
            .collect();
        let ranges: Vec<&[_]> = ranges.iter().map(Vec::as_slice).collect();
        let infos: Vec<_> = inputs
            .iter()
            .zip(&structures)
            .zip(&places)
            .map(|((input, structure), place)| {
                let scratch_data = vk::DeviceOrHostAddressKHR {
                    device_address: scratch_start + place,
                };
                input
                    .info()
                    .dst_acceleration_structure(structure.raw)
                    .scratch_data(scratch_data)
            })
            .collect();
        // SAFETY: the command buffer is being recorded; structures and scratch have the sizes asked
        // for, no two builds share a part of them, and the inputs lie inside of buffers that live
        // until the work is done.
        unsafe {
            self.able
                .raw
                .cmd_build_acceleration_structures(self.commands.raw, &infos, &ranges);
        }
        Ok(structures)
    }

    /// Returns a buffer of the builder's own that a build reads.
    fn input(&mut self, bytes: &[u8]) -> Result<vk::DeviceOrHostAddressConstKHR> {
        use vk::BufferUsageFlags as U;
        let usage = U::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR | U::SHADER_DEVICE_ADDRESS;
        // An empty list has an address all the same, so its buffer is as large as one instance.
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().max(INSTANCE_BYTES), 0);
        let buffer = Buffer::with_bytes(self.gpu, &bytes, usage, MemoryLocation::Upload)?;
        let device_address = buffer.address;
        self.buffers.push(buffer);
        Ok(vk::DeviceOrHostAddressConstKHR { device_address })
    }

    fn address(&self, id: ResourceId, offset: u64) -> Result<vk::DeviceOrHostAddressConstKHR> {
        match self.storages.get(id.0) {
            Some(DeviceStorage::Buffer(buffer)) => Ok(vk::DeviceOrHostAddressConstKHR {
                device_address: buffer.address + offset,
            }),
            _ => Err(Error::BadJob("geometry comes from a buffer".into())),
        }
    }
}

/// Returns the device has none.
pub(super) fn missing() -> Error {
    Error::Unsupported("acceleration structures (VK_KHR_acceleration_structure)".into())
}

fn limit(what: &'static str, need: u64, limit: u64) -> Result<()> {
    if need > limit {
        return Err(Error::Limit { what, need, limit });
    }
    Ok(())
}

fn geometry_flags(flags: GeometryFlags) -> vk::GeometryFlagsKHR {
    use vk::GeometryFlagsKHR as V;
    let table = [
        (GeometryFlags::OPAQUE, V::OPAQUE),
        (
            GeometryFlags::NO_DUPLICATE_ANY_HIT,
            V::NO_DUPLICATE_ANY_HIT_INVOCATION,
        ),
    ];
    let set = table.iter().filter(|(flag, _)| flags.contains(*flag));
    set.fold(V::empty(), |all, (_, flag)| all | *flag)
}

/// Writes a `VkAccelerationStructureInstanceKHR`; D3D12's has the same bytes, flags included.
fn write_instance(instance: &Instance, bottom: u64, out: &mut Vec<u8>) {
    out.extend(instance.transform.iter().flat_map(|x| x.to_le_bytes()));
    let words = [
        instance.id | u32::from(instance.mask) << 24,
        instance.hit_group_offset | u32::from(instance.flags.bits()) << 24,
    ];
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    out.extend(bottom.to_le_bytes());
}
