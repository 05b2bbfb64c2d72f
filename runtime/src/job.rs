//! Jobs: resources, the views through which a program sees them, and the work itself.
//!
//! A job is plain data in terms of D3D12, and the same for all backends. Storage (bytes) and views
//! (how registers see them) are separate, so that several registers can share a buffer.

use std::time::Duration;

use dxil_cpu::{Events, Finding};
use dxil_frontend::dxil::ResourceClass;
use dxil_frontend::tables::HashMap;

use crate::format::Format;
use crate::graphics::{Draw, QueryResult};
use crate::ray_tracing::RayDispatch;
use crate::scene::Scene;
use crate::stages::StageRun;

pub use crate::resource::{
    AddressMode, BadRegister, BufferView, Comparison, Dimension, Filter, Reduction, Register,
    Resource, ResourceId, ResourceView, Sampler, Storage, Texture, TextureView,
};

/// A register and what it sees.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// Register of the shader.
    pub register: Register,
    /// The view of it.
    pub view: ResourceView,
}

/// The view in a slot of the CBV/SRV/UAV heap.
#[derive(Debug, Clone, PartialEq)]
pub struct HeapView {
    /// Whether it is a CBV, an SRV or a UAV.
    pub class: ResourceClass,
    /// The view of it.
    pub view: ResourceView,
}

/// The work for the device.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Work {
    /// A dispatch of that many thread groups.
    Dispatch([u32; 3]),
    /// A dispatch of as many thread groups as three words in a buffer say.
    DispatchIndirect {
        /// The buffer.
        arguments: ResourceId,
        /// Their first byte.
        offset: u64,
    },
    /// A draw.
    Draw(Box<Draw>),
    /// A dispatch of rays.
    DispatchRays(Box<RayDispatch>),
    /// Stages of a draw by themselves (CPU backend).
    Stages(Box<StageRun>),
}

/// The number of further runs for timing. With neither, the run itself is timed (Vulkan only).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// Runs that are not measured.
    pub warm_up: u32,
    /// Runs that are.
    pub iterations: u32,
}

/// Everything one run needs besides the program.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Buffers and textures.
    pub resources: Vec<Resource>,
    /// The view in each register. Registers of an array that are not listed have null descriptors.
    pub bindings: Vec<Binding>,
    /// Slots of the CBV/SRV/UAV heap, for shaders that index it directly.
    pub resource_heap: Vec<HeapView>,
    /// Slots of the sampler heap.
    pub sampler_heap: Vec<Sampler>,
    /// Acceleration structures, which are built before the work.
    pub scene: Scene,
    /// The dispatch, draw or ray dispatch.
    pub work: Work,
    /// Run it again to time it; the results are those of the first run.
    pub timing: Option<Timing>,
}

impl Job {
    /// Returns a dispatch with nothing bound.
    pub fn dispatch(groups: [u32; 3]) -> Self {
        Job {
            resources: Vec::new(),
            bindings: Vec::new(),
            resource_heap: Vec::new(),
            sampler_heap: Vec::new(),
            scene: Scene::default(),
            work: Work::Dispatch(groups),
            timing: None,
        }
    }

    /// Returns the views of all bound registers.
    pub(crate) fn by_register(&self) -> HashMap<Register, &ResourceView> {
        let bindings = self.bindings.iter();
        bindings
            .map(|binding| (binding.register, &binding.view))
            .collect()
    }

    /// Returns whether some of its resources are reserved ones.
    pub fn has_reserved_resources(&self) -> bool {
        self.resources.iter().any(|r| r.mapped_tiles.is_some())
    }

    /// Adds a resource.
    pub fn add_resource(&mut self, name: &str, storage: Storage, read_back: bool) -> ResourceId {
        self.resources.push(Resource {
            name: name.to_owned(),
            storage,
            read_back,
            mapped_tiles: None,
        });
        ResourceId(self.resources.len() - 1)
    }

    /// Adds a buffer and binds all of it (raw, structured or constant) to a register; a UAV is
    /// read back.
    pub fn bind_buffer(&mut self, register: Register, bytes: Vec<u8>) -> ResourceId {
        let id = self.add_resource(
            &register.to_string(),
            Storage::Buffer(bytes),
            register.class == ResourceClass::Uav,
        );
        self.bind(register, ResourceView::buffer(id));
        id
    }

    /// Adds a typed buffer and binds all of it to a register; a UAV is read back.
    pub fn bind_typed_buffer(
        &mut self,
        register: Register,
        format: Format,
        bytes: Vec<u8>,
    ) -> ResourceId {
        let id = self.add_resource(
            &register.to_string(),
            Storage::Buffer(bytes),
            register.class == ResourceClass::Uav,
        );
        self.bind(register, ResourceView::typed_buffer(id, format));
        id
    }

    /// Adds a texture and binds all of it to a register; a UAV is read back.
    pub fn bind_texture(&mut self, register: Register, texture: Texture) -> ResourceId {
        // Multisampled images cannot be copied to a buffer, so their samples cannot be read back.
        let read_back = register.class == ResourceClass::Uav && texture.samples <= 1;
        let name = register.to_string();
        let id = self.add_resource(&name, Storage::Texture(texture), read_back);
        self.bind(register, ResourceView::texture(id));
        id
    }

    /// Binds a sampler.
    pub fn bind_sampler(&mut self, register: Register, sampler: Sampler) {
        self.bind(register, ResourceView::Sampler(sampler));
    }

    /// Binds the bytes of a constant buffer or of root constants.
    pub fn bind_constants(&mut self, register: Register, bytes: Vec<u8>) {
        self.bind(register, ResourceView::Constants(bytes));
    }

    /// Binds a view; the last word about a register counts.
    pub fn bind(&mut self, register: Register, view: ResourceView) {
        match self.bindings.iter_mut().find(|b| b.register == register) {
            Some(binding) => binding.view = view,
            None => self.bindings.push(Binding { register, view }),
        }
    }

    /// Returns the view of a register, if the job binds it.
    pub fn view(&self, register: Register) -> Option<&ResourceView> {
        self.bindings
            .iter()
            .find(|b| b.register == register)
            .map(|b| &b.view)
    }

    /// Returns the format that a register sees, where its view or texture has one.
    pub fn format_at(&self, register: Register) -> Option<Format> {
        match self.view(register)? {
            ResourceView::Buffer(view) => view.format,
            ResourceView::Texture(view) => {
                view.format
                    .or_else(|| match &self.resources.get(view.resource.0)?.storage {
                        Storage::Texture(texture) => Some(texture.format),
                        Storage::Buffer(_) => None,
                    })
            }
            ResourceView::Null
            | ResourceView::Sampler(_)
            | ResourceView::Constants(_)
            | ResourceView::AccelerationStructure(_) => None,
        }
    }
}

/// The results of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// Bytes of each resource after the work, in the order of [`Job::resources`]; `None` where it
    /// was not asked for.
    pub resources: Vec<Option<Vec<u8>>>,
    /// Hidden UAV counters after the work.
    pub counters: Vec<(Register, u32)>,
    /// Hidden counters of the UAVs in the heap after the work, by slot, if a shader that indexes
    /// the heap directly uses any.
    pub heap_counters: Vec<(u32, u32)>,
    /// Time of each timed run on the device.
    pub timings: Vec<Duration>,
    /// The results of the queries of the draw.
    pub queries: Vec<QueryResult>,
    /// Defects that the checks of the CPU backend have found.
    pub findings: Vec<Finding>,
    /// Counts of the CPU backend in every run.
    pub events: Events,
}

impl Outcome {
    /// Returns the bytes of a resource that was read back.
    pub fn bytes(&self, id: ResourceId) -> Option<&[u8]> {
        self.resources.get(id.0)?.as_deref()
    }
}
