//! Makes a [`Job`] of a pipeline file, and buffers of an [`Outcome`].

use dxil_frontend::container::root_signature::{RootParameterKind, RootSignature};
use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::dxil::{ResourceClass, Shader};

use super::binding::{binding_of, class_of, register_of};
use super::buffer::Buffer;
use super::document::{
    self, AddressMode, CompareFunction, FilterMode, Resource, ResourceKind, RootParameter,
    SamplerKind,
};
use super::elements::ElementFormat;
use super::{Pipeline, PipelineError, PipelineKind, Result};
use dxil_runtime::Backend;
use dxil_runtime::format::Format;
use dxil_runtime::graphics::GraphicsState;
use dxil_runtime::job::{
    self, BufferView, Comparison, Dimension, Filter, HeapView, Job, Outcome, Register, ResourceId,
    ResourceView, Sampler, Storage, Texture, TextureView, Work,
};
use dxil_runtime::ray_tracing::RayTracingState;

/// A job, and the map from its results to the buffers of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedJob {
    /// The job.
    pub job: Job,
    /// State of the pipeline of a draw.
    pub graphics: Option<GraphicsState>,
    /// State of a ray tracing pipeline.
    pub ray_tracing: Option<RayTracingState>,
    /// For each buffer of the file, the resources with its contents, if it is bound.
    storage: Vec<Vec<ResourceId>>,
    /// Registers with a hidden counter, with their buffer and array element.
    counters: Vec<(Register, usize, usize)>,
    /// A reserved buffer, where the shaders ask whether what they read has memory.
    residency_of: Option<String>,
}

impl Pipeline {
    /// Returns the job. Root constants and root descriptors of the file are parameters of the root
    /// signature of the shaders, in order; they require a root signature. Vertex attributes are
    /// matched with the inputs of the vertex shader by semantic.
    ///
    /// # Errors
    ///
    /// [`PipelineError::Unsupported`] for features that DXIL or this project lacks, and
    /// [`PipelineError::Invalid`] if the file is inconsistent or contradicts the root signature or
    /// the shaders.
    pub fn plan(&self, root: Option<&RootSignature>, shaders: &[&Shader]) -> Result<PlannedJob> {
        let unsupported = |what: &str| Err(PipelineError::Unsupported(what.to_owned()));
        if !self.document.push_constants.is_empty() {
            return unsupported("PushConstants, which DXIL does not have; use root constants");
        }
        let mut declared = self.document.shaders.iter();
        if declared.any(|shader| !shader.specialization_constants.is_empty()) {
            return unsupported("SpecializationConstants, which DXIL does not have");
        }
        self.plan_with(Some(Dxil { root, shaders }))
    }

    /// Returns the job for DXIL, or with the Vulkan bindings for SPIR-V.
    pub(super) fn plan_with(&self, dxil: Option<Dxil<'_>>) -> Result<PlannedJob> {
        let mut planner = PipelinePlanner::new(self, dxil.is_none());
        let sets = &self.document.descriptor_sets;
        for (index, set) in sets.iter().enumerate() {
            for resource in &set.resources {
                planner.bind(index, resource)?;
                planner.reserve(resource, dxil.as_ref())?;
            }
        }
        planner.scene()?;
        // After the resources, since a root parameter may name a buffer that a table binds.
        if let Some(dxil) = &dxil {
            planner.bind_roots(dxil.root)?;
        }
        if let Some((state, dispatch)) = self.plan_rays()? {
            planner.planned.ray_tracing = Some(state);
            planner.planned.job.work = Work::DispatchRays(Box::new(dispatch));
        } else if self.kind != PipelineKind::Compute {
            planner.draw(dxil.map(|dxil| dxil.shaders))?;
        }
        Ok(planner.planned)
    }
}

impl PlannedJob {
    /// Checks that a backend can tell what the shaders ask.
    ///
    /// # Errors
    ///
    /// [`PipelineError::Unsupported`] on GPUs where shaders ask whether reads of a reserved buffer
    /// have memory.
    pub fn check(&self, backend: Backend) -> Result<()> {
        match &self.residency_of {
            // In Vulkan, only sparse reads of images return residency, so buffers would always
            // count as mapped.
            Some(buffer) if backend != Backend::Cpu => Err(PipelineError::Unsupported(format!(
                "CheckAccessFullyMapped beside {buffer}, since Vulkan tells of textures only; use \
                 --backend cpu"
            ))),
            _ => Ok(()),
        }
    }

    /// Returns the buffers of the file after the run.
    pub fn buffers(&self, pipeline: &Pipeline, outcome: &Outcome) -> Vec<Buffer> {
        let mut buffers = pipeline.document.buffers.clone();
        for (buffer, ids) in buffers.iter_mut().zip(&self.storage) {
            for (data, id) in buffer.data.iter_mut().zip(ids) {
                if let Some(bytes) = outcome.bytes(*id) {
                    // The device may pad the resource; the buffer of the file keeps its size.
                    let size = data.len().min(bytes.len());
                    data.clear();
                    data.extend_from_slice(&bytes[..size]);
                }
            }
        }
        for (register, buffer, element) in &self.counters {
            let found = outcome.counters.iter().find(|(r, _)| r == register);
            let count = found.map_or(0, |(_, count)| *count);
            let counters = &mut buffers[*buffer].counters;
            counters.resize(counters.len().max(element + 1), 0);
            counters[*element] = count;
        }
        buffers
    }
}

/// Properties of a pipeline that DXIL has in addition to the file.
#[derive(Clone, Copy)]
pub(super) struct Dxil<'a> {
    root: Option<&'a RootSignature>,
    shaders: &'a [&'a Shader],
}

pub(super) struct PipelinePlanner<'a> {
    pub(super) pipeline: &'a Pipeline,
    /// Whether resources are at Vulkan bindings instead of registers.
    is_spirv: bool,
    pub(super) planned: PlannedJob,
}

/// The bind point of a view.
#[derive(Clone, Copy)]
enum ViewSlot {
    Register(Register),
    ResourceSlot(ResourceClass, u32),
    SamplerSlot(u32),
}

impl ViewSlot {
    /// Returns the bind point `count` elements further.
    fn plus(self, element: u32) -> Self {
        match self {
            ViewSlot::Register(mut register) => {
                register.index = register.index.saturating_add(element);
                ViewSlot::Register(register)
            }
            ViewSlot::ResourceSlot(class, slot) => {
                ViewSlot::ResourceSlot(class, slot.saturating_add(element))
            }
            ViewSlot::SamplerSlot(slot) => ViewSlot::SamplerSlot(slot.saturating_add(element)),
        }
    }
}

/// Maximum number of slots of a descriptor heap in D3D12.
const MAX_HEAP: u32 = 1_000_000;

impl<'a> PipelinePlanner<'a> {
    pub(super) fn new(pipeline: &'a Pipeline, is_spirv: bool) -> Self {
        PipelinePlanner {
            pipeline,
            is_spirv,
            planned: PlannedJob {
                job: Job::dispatch(pipeline.groups()),
                graphics: None,
                ray_tracing: None,
                storage: vec![Vec::new(); pipeline.document.buffers.len()],
                counters: Vec::new(),
                residency_of: None,
            },
        }
    }
}

impl PipelinePlanner<'_> {
    fn bind(&mut self, set: usize, resource: &Resource) -> Result<()> {
        let (name, kind) = (&resource.name, resource.kind);
        let unsupported = |what: &str| {
            let message = format!("resource `{name}`: {what}");
            Err(PipelineError::Unsupported(message))
        };
        let class = class_of(kind);
        let place = match (resource.directx_binding, resource.heap_index) {
            _ if self.is_spirv => {
                let binding = binding_of(resource)?.binding;
                ViewSlot::Register(register_of(set, binding, class))
            }
            (Some(binding), _) => {
                let register = Register::new(class, binding.register);
                ViewSlot::Register(register.in_space(binding.space))
            }
            (None, Some(slot)) if class == ResourceClass::Sampler => ViewSlot::SamplerSlot(slot),
            (None, Some(slot)) => ViewSlot::ResourceSlot(class, slot),
            (None, None) => {
                let message = format!("resource `{name}` has neither register nor heap slot");
                return Err(PipelineError::Invalid(message));
            }
        };
        match kind {
            ResourceKind::AccelerationStructure => {
                for (element, index) in (0..).zip(self.pipeline.structures_of(name)?) {
                    let view = ResourceView::AccelerationStructure(index);
                    self.put(place.plus(element), view, name)?;
                }
                Ok(())
            }
            ResourceKind::SampledTexture2D => {
                unsupported("sampled textures, which DXIL does not have")
            }
            ResourceKind::Sampler => {
                let sampler = sampler_of(self.pipeline.require_sampler(name)?);
                self.put(place, ResourceView::Sampler(sampler), name)
            }
            ResourceKind::Texture2D | ResourceKind::RWTexture2D => {
                self.bind_elements(
                    name,
                    place,
                    |ids, _| {
                        ResourceView::Texture(TextureView {
                            resource: ids,
                            format: None,
                            first_mip: 0,
                            // A UAV has one mip.
                            mips: (class == ResourceClass::Uav).then_some(1),
                            first_layer: 0,
                            layers: None,
                        })
                    },
                    true,
                    class,
                )
            }
            ResourceKind::ConstantBuffer => {
                let buffer = self.pipeline.require_buffer(name, String::new)?;
                for (element, data) in (0..).zip(&buffer.data) {
                    self.put(
                        place.plus(element),
                        ResourceView::Constants(data.clone()),
                        name,
                    )?;
                }
                Ok(())
            }
            ResourceKind::Buffer | ResourceKind::RWBuffer => {
                let buffer = self.pipeline.require_buffer(name, String::new)?;
                let format = typed_format(buffer)?;
                self.bind_elements(
                    name,
                    place,
                    |id, _| ResourceView::typed_buffer(id, format),
                    false,
                    class,
                )
            }
            ResourceKind::StructuredBuffer
            | ResourceKind::ByteAddressBuffer
            | ResourceKind::RWStructuredBuffer
            | ResourceKind::RWByteAddressBuffer => {
                let counter = resource.has_counter.then_some(0);
                if let (ViewSlot::Register(register), Some(_)) = (place, counter) {
                    self.note_counters(name, register)?;
                }
                let view = |resource, _| {
                    ResourceView::Buffer(BufferView {
                        resource,
                        offset: 0,
                        size: None,
                        format: None,
                        counter,
                    })
                };
                self.bind_elements(name, place, view, false, class)
            }
        }
    }

    /// Makes a storage a reserved resource whose first tiles have memory.
    fn reserve(&mut self, resource: &Resource, dxil: Option<&Dxil<'_>>) -> Result<()> {
        let (name, kind) = (&resource.name, resource.kind);
        if !resource.is_reserved {
            return match resource.tiles_mapped {
                None => Ok(()),
                Some(_) => Err(PipelineError::Invalid(format!(
                    "resource `{name}`: TilesMapped is for reserved resources (IsReserved: true)"
                ))),
            };
        }
        match kind {
            ResourceKind::Texture2D | ResourceKind::RWTexture2D => {}
            ResourceKind::Buffer
            | ResourceKind::RWBuffer
            | ResourceKind::StructuredBuffer
            | ResourceKind::ByteAddressBuffer
            | ResourceKind::RWStructuredBuffer
            | ResourceKind::RWByteAddressBuffer => {
                let shaders = dxil.map_or(&[][..], |dxil| dxil.shaders);
                if shaders.iter().any(|shader| asks_for_residency(shader)) {
                    let buffer = format!("the reserved {kind:?} `{name}`");
                    self.planned.residency_of.get_or_insert(buffer);
                }
            }
            _ => {
                return Err(PipelineError::Invalid(format!(
                    "resource `{name}`: a {kind:?} is never reserved"
                )));
            }
        }
        let index = self.index_of(name)?;
        for id in &self.planned.storage[index] {
            // Without a number all tiles have memory.
            let tiles = resource.tiles_mapped.unwrap_or(u32::MAX);
            self.planned.job.resources[id.0].mapped_tiles = Some(tiles);
        }
        Ok(())
    }

    /// Binds each element of a resource array. The first use of a buffer creates its storage.
    fn bind_elements(
        &mut self,
        name: &str,
        place: ViewSlot,
        view: impl Fn(ResourceId, usize) -> ResourceView,
        texture: bool,
        class: ResourceClass,
    ) -> Result<()> {
        let index = self.index_of(name)?;
        let written = class == ResourceClass::Uav;
        self.store(name, index, texture, written)?;
        for (element, id) in self.planned.storage[index].clone().into_iter().enumerate() {
            let resource = &mut self.planned.job.resources[id.0];
            // A buffer that one resource reads and another one writes is read back for the second.
            resource.read_back |= written;
            if matches!(resource.storage, Storage::Texture(_)) != texture {
                let message = format!("`{name}` is bound as a buffer and as a texture");
                return Err(PipelineError::Invalid(message));
            }
            let offset = u32::try_from(element).unwrap_or(u32::MAX);
            self.put(place.plus(offset), view(id, element), name)?;
        }
        Ok(())
    }

    /// Returns the storage of the first element of a buffer without a register.
    pub(super) fn geometry(&mut self, name: &str) -> Result<ResourceId> {
        let index = self.index_of(name)?;
        self.store(name, index, false, false)?;
        let first = self.planned.storage[index].first().copied();
        first.ok_or_else(|| PipelineError::Invalid(format!("`{name}` has no data")))
    }

    /// Creates the storage of a buffer at its first use.
    fn store(&mut self, name: &str, index: usize, texture: bool, written: bool) -> Result<()> {
        let buffer = &self.pipeline.document.buffers[index];
        // Several resources may name one buffer. They share its storage, so that each sees the
        // writes of the others.
        if self.planned.storage[index].is_empty() {
            for (element, data) in buffer.data.iter().enumerate() {
                let storage = if texture {
                    Storage::Texture(texture_of(buffer, data)?)
                } else {
                    Storage::Buffer(data.clone())
                };
                let label = match buffer.data.len() {
                    1 => name.to_owned(),
                    _ => format!("{name}[{element}]"),
                };
                let id = self.planned.job.add_resource(&label, storage, written);
                self.planned.storage[index].push(id);
            }
        }
        Ok(())
    }

    /// Returns the draw. The buffer of its render target receives the pixels.
    fn draw(&mut self, shaders: Option<&[&Shader]>) -> Result<()> {
        let bindings = self.pipeline.document.bindings.as_ref();
        let name = bindings.and_then(|bindings| bindings.render_target.as_deref());
        let index = match name {
            Some(name) => Some(self.index_of(name)?),
            None => None,
        };
        let bound = index.and_then(|index| self.planned.storage[index].first().copied());
        let (state, target) = self
            .pipeline
            .plan_draw(&mut self.planned.job, shaders, bound)?;
        if let Some(index) = index {
            self.planned.storage[index] = vec![target];
        }
        self.planned.graphics = Some(state);
        Ok(())
    }

    fn note_counters(&mut self, name: &str, register: Register) -> Result<()> {
        let buffer = self.index_of(name)?;
        for element in 0..self.pipeline.document.buffers[buffer].data.len() {
            let mut register = register;
            let offset = u32::try_from(element).unwrap_or(u32::MAX);
            register.index = register.index.saturating_add(offset);
            self.planned.counters.push((register, buffer, element));
        }
        Ok(())
    }

    fn index_of(&self, name: &str) -> Result<usize> {
        let buffers = &self.pipeline.document.buffers;
        let found = buffers.iter().position(|buffer| buffer.name == name);
        found.ok_or_else(|| PipelineError::Unknown {
            user: format!("resource `{name}`"),
            what: "buffer",
            name: name.to_owned(),
        })
    }

    fn put(&mut self, place: ViewSlot, view: ResourceView, name: &str) -> Result<()> {
        let job = &mut self.planned.job;
        let slot = match place {
            ViewSlot::Register(register) => {
                if job.view(register).is_some() {
                    let message = format!("`{name}`: {register} is bound twice");
                    return Err(PipelineError::Invalid(message));
                }
                job.bind(register, view);
                return Ok(());
            }
            ViewSlot::ResourceSlot(_, slot) | ViewSlot::SamplerSlot(slot) => slot,
        };
        // Checked before the allocation: one line of a file could request gigabytes.
        if slot >= MAX_HEAP {
            let message = format!("`{name}`: heap index {slot} is over D3D12's limit {MAX_HEAP}");
            return Err(PipelineError::Invalid(message));
        }
        let slot = slot as usize;
        match (place, view) {
            (_, ResourceView::Sampler(sampler)) => {
                let heap = &mut job.sampler_heap;
                heap.resize(heap.len().max(slot + 1), Sampler::default());
                heap[slot] = sampler;
            }
            (ViewSlot::ResourceSlot(class, _), view) => {
                let heap = &mut job.resource_heap;
                let empty = HeapView {
                    class,
                    view: ResourceView::Null,
                };
                heap.resize(heap.len().max(slot + 1), empty);
                heap[slot] = HeapView { class, view };
            }
            _ => {}
        }
        Ok(())
    }

    /// Binds root constants and root descriptors. The n-th of the file is the n-th parameter of the
    /// root signature, which has the register.
    fn bind_roots(&mut self, root: Option<&RootSignature>) -> Result<()> {
        let roots = &self
            .pipeline
            .document
            .runtime_settings
            .directx
            .root_parameters;
        for (index, parameter) in roots.iter().enumerate() {
            let (name, kind) = match parameter {
                RootParameter::DescriptorTable {} => continue,
                RootParameter::Constant { name } => (name, None),
                RootParameter::RootDescriptor { resource } => (&resource.name, Some(resource.kind)),
            };
            let root = root.ok_or_else(|| {
                PipelineError::Invalid(
                    "RootParameters need a root signature, and the shader's container has none"
                        .to_owned(),
                )
            })?;
            let misfit = || {
                PipelineError::Invalid(format!(
                    "root parameter {index} (`{name}`) is something else in the shader's root \
                     signature"
                ))
            };
            let declared = root.parameters.get(index).ok_or_else(misfit)?;
            let register = |class, index, space| Register::new(class, index).in_space(space);
            let (class, register) = match (&declared.kind, kind) {
                (RootParameterKind::Constants(c), None) => {
                    let class = ResourceClass::Cbv;
                    (class, register(class, c.register, c.space))
                }
                (RootParameterKind::Cbv(d), Some(_)) => {
                    let class = ResourceClass::Cbv;
                    (class, register(class, d.register, d.space))
                }
                (RootParameterKind::Srv(d), Some(_)) => {
                    let class = ResourceClass::Srv;
                    (class, register(class, d.register, d.space))
                }
                (RootParameterKind::Uav(d), Some(_)) => {
                    let class = ResourceClass::Uav;
                    (class, register(class, d.register, d.space))
                }
                _ => return Err(misfit()),
            };
            if kind.is_some_and(|kind| class_of(kind) != class) {
                return Err(misfit());
            }
            let place = ViewSlot::Register(register);
            if class == ResourceClass::Cbv {
                let buffer = self.pipeline.require_buffer(name, String::new)?;
                let data = buffer.data.first().cloned().unwrap_or_default();
                self.put(place, ResourceView::Constants(data), name)?;
            } else if kind == Some(ResourceKind::AccelerationStructure) {
                let index = self.pipeline.structures_of(name)?.start;
                self.put(place, ResourceView::AccelerationStructure(index), name)?;
            } else {
                self.bind_elements(name, place, |id, _| ResourceView::buffer(id), false, class)?;
            }
        }
        Ok(())
    }
}

/// Returns whether a shader queries the residency of its reads.
fn asks_for_residency(shader: &Shader) -> bool {
    let mut functions = shader.module.functions.iter();
    functions.any(|(_, function)| Opcode::CheckAccessFullyMapped.is_called_by(&function.name))
}

/// Returns the format of a typed buffer or texture in D3D12. Bit patterns are unsigned integers.
pub(super) fn texel_format(element: ElementFormat, channels: u32) -> Option<Format> {
    use ElementFormat as E;
    use Format as F;
    match (element, channels) {
        (E::Hex8, 1) => Some(F::R8Uint),
        (E::Hex8, 2) => Some(F::Rg8Uint),
        (E::Hex8, 4) => Some(F::Rgba8Uint),
        (E::Hex16 | E::UInt16, 1) => Some(F::R16Uint),
        (E::Hex16 | E::UInt16, 2) => Some(F::Rg16Uint),
        (E::Hex16 | E::UInt16, 4) => Some(F::Rgba16Uint),
        (E::Int16, 1) => Some(F::R16Sint),
        (E::Int16, 2) => Some(F::Rg16Sint),
        (E::Int16, 4) => Some(F::Rgba16Sint),
        (E::Float16, 1) => Some(F::R16Float),
        (E::Float16, 2) => Some(F::Rg16Float),
        (E::Float16, 4) => Some(F::Rgba16Float),
        (E::Hex32 | E::UInt32 | E::Bool, 1) => Some(F::R32Uint),
        (E::Hex32 | E::UInt32 | E::Bool, 2) => Some(F::Rg32Uint),
        (E::Hex32 | E::UInt32 | E::Bool, 3) => Some(F::Rgb32Uint),
        (E::Hex32 | E::UInt32 | E::Bool, 4) => Some(F::Rgba32Uint),
        (E::Int32, 1) => Some(F::R32Sint),
        (E::Int32, 2) => Some(F::Rg32Sint),
        (E::Int32, 3) => Some(F::Rgb32Sint),
        (E::Int32, 4) => Some(F::Rgba32Sint),
        (E::Float32, 1) => Some(F::R32Float),
        (E::Float32, 2) => Some(F::Rg32Float),
        (E::Float32, 3) => Some(F::Rgb32Float),
        (E::Float32, 4) => Some(F::Rgba32Float),
        (E::Depth32, 1) => Some(F::D32Float),
        // DXIL reads 64-bit elements of typed buffers as pairs of 32 bits.
        (E::UInt64 | E::Int64 | E::Hex64 | E::Float64, 1) => Some(F::Rg32Uint),
        (E::UInt64 | E::Int64 | E::Hex64 | E::Float64, 2) => Some(F::Rgba32Uint),
        _ => None,
    }
}

fn typed_format(buffer: &Buffer) -> Result<Format> {
    texel_format(buffer.format, buffer.channels).ok_or_else(|| {
        let Buffer {
            name,
            format,
            channels,
            ..
        } = buffer;
        PipelineError::Unsupported(format!(
            "`{name}`: there is no texel format with {channels} channels of {format:?}"
        ))
    })
}

pub(super) fn texture_of(buffer: &Buffer, data: &[u8]) -> Result<Texture> {
    let shape = buffer.shape.ok_or_else(|| {
        let name = &buffer.name;
        PipelineError::Invalid(format!(
            "`{name}` is bound as a texture: it needs OutputProps"
        ))
    })?;
    Ok(Texture {
        dimension: Dimension::D2,
        format: typed_format(buffer)?,
        width: shape.width,
        height: shape.height,
        depth: 1,
        layers: 1,
        mips: shape.mip_levels,
        samples: 1,
        data: data.to_vec(),
    })
}

/// Returns the sampler of the document. Samplers of the suite never filter between mips.
fn sampler_of(sampler: &document::Sampler) -> Sampler {
    let filter = |mode| match mode {
        FilterMode::Nearest => Filter::Point,
        FilterMode::Linear => Filter::Linear,
    };
    let address = match sampler.address {
        AddressMode::Clamp => job::AddressMode::Clamp,
        AddressMode::Repeat => job::AddressMode::Wrap,
        AddressMode::Mirror => job::AddressMode::Mirror,
        AddressMode::Border => job::AddressMode::Border,
        AddressMode::MirrorOnce => job::AddressMode::MirrorOnce,
    };
    let comparison = match sampler.comparison {
        CompareFunction::Never => Comparison::Never,
        CompareFunction::Less => Comparison::Less,
        CompareFunction::Equal => Comparison::Equal,
        CompareFunction::LessEqual => Comparison::LessEqual,
        CompareFunction::Greater => Comparison::Greater,
        CompareFunction::NotEqual => Comparison::NotEqual,
        CompareFunction::GreaterEqual => Comparison::GreaterEqual,
        CompareFunction::Always => Comparison::Always,
    };
    Sampler {
        min_filter: filter(sampler.min_filter),
        mag_filter: filter(sampler.mag_filter),
        mip_filter: Filter::Point,
        address: [address; 3],
        lod_bias: sampler.mip_lod_bias,
        min_lod: sampler.min_lod,
        max_lod: sampler.max_lod,
        comparison: (sampler.kind == SamplerKind::SamplerComparison).then_some(comparison),
        ..Sampler::default()
    }
}
