//! The resources of a dispatch: memory, the views through which a shader sees it, and samplers.

mod bytes;
mod descriptors;
mod ray_tables;
mod register;
mod sampler;
mod scene;
mod storage;
mod texture;

use std::sync::Arc;

use dxil_frontend::dxil::ResourceClass;

pub(crate) use bytes::Bytes;
pub(crate) use descriptors::{BufferDescriptor, CounterOf, Descriptor, Table, TextureDescriptor};
pub(crate) use dxil_texel::Texel;
pub use dxil_texel::{Component, Packing, TexelLayout};
pub(crate) use ray_tables::{NO_LOCALS, ResolvedRecord, ResolvedTables, ShaderReference};
pub use ray_tables::{RayRecord, RayTables, RecordShader};
pub use register::{BadRegister, Register};
pub use sampler::{AddressMode, Comparison, Filter, Reduction, Sampler};
pub use scene::{AccelerationStructure, Geometry, Instance, Primitives};
pub(crate) use scene::{cross, dot, inverse, transformed};
pub use storage::Storage;
pub use texture::{Dimension, Texture};

/// The view of a resource in a register or a slot of a heap. Storages have the numbers of the
/// dispatch's list.
#[derive(Debug, Clone)]
pub enum ResourceView {
    /// A null descriptor: reads give zero, writes are dropped.
    Null,
    /// Part of a buffer.
    Buffer {
        /// Number of the storage.
        storage: usize,
        /// First byte.
        offset: u64,
        /// Bytes.
        size: u64,
        /// Element format of a typed buffer.
        format: Option<TexelLayout>,
        /// First value of the hidden counter.
        counter: u32,
    },
    /// Some mips and layers of a texture.
    Texture {
        /// Number of the storage.
        storage: usize,
        /// TexelLayout to see it as.
        format: TexelLayout,
        /// First mip.
        first_mip: u32,
        /// Mips.
        mips: u32,
        /// First layer.
        first_layer: u32,
        /// Layers.
        layers: u32,
    },
    /// A sampler.
    Sampler(Sampler),
    /// Bytes of a constant buffer or of root constants.
    Constants(Vec<u8>),
    /// An acceleration structure: index into [`Bindings::structures`].
    AccelerationStructure(usize),
}

/// The bindings of a shader.
#[derive(Debug, Clone, Default)]
pub struct Bindings {
    /// The view in each register. Registers that are not listed have null descriptors.
    pub registers: Vec<(Register, ResourceView)>,
    /// Slots of the CBV/SRV/UAV heap.
    pub resource_heap: Vec<(ResourceClass, ResourceView)>,
    /// Slots of the sampler heap.
    pub sampler_heap: Vec<Sampler>,
    /// Acceleration structures that views refer to.
    pub structures: Vec<Arc<AccelerationStructure>>,
}
