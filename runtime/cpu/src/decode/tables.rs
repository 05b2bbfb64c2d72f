//! The state that all functions of a module share while they are decoded.

use dxil_frontend::dxil::{ResourceClass, ResourceIndex, Shader, ShaderKind};
use dxil_frontend::ir::{CallGraph, FuncId, ValueId};
use dxil_frontend::tables::HashMap;

use super::code::ResourceShape;
use super::constants::Globals;
use super::layout::Matrices;
use super::origins::Origin;
use super::record_layout::RecordLayout;
use super::signature_memory::SignatureMemory;
use crate::check::Checks;

/// A range of registers that a shader declares.
#[derive(Debug, Clone)]
pub(crate) struct DeclaredRange {
    pub(crate) class: ResourceClass,
    pub(crate) space: u32,
    pub(crate) first: u32,
    /// `None` is unbounded.
    pub(crate) count: Option<u32>,
    pub(crate) shape: ResourceShape,
    pub(crate) has_counter: bool,
    /// Name in HLSL; may be empty.
    pub(crate) name: Box<str>,
    /// `globallycoherent`.
    pub(crate) is_coherent: bool,
    /// Whether the code makes handles of it.
    pub(crate) is_used: bool,
}

/// The state that all functions of a module share while they are decoded.
pub(crate) struct ModuleTables<'a> {
    pub(crate) shader: &'a Shader,
    pub(crate) matrices: &'a Matrices,
    /// Whether 16-bit values have 16 bits in the memory of buffers.
    pub(crate) packed_halves: bool,
    pub(crate) resources: ResourceIndex<'a>,
    pub(crate) ranges: Vec<DeclaredRange>,
    /// The range that a resource's variable represents.
    pub(crate) variables: HashMap<ValueId, u32>,
    pub(crate) globals: Globals,
    /// Number of the module's first function, and of its first range, in the kernel.
    pub(crate) first_function: u32,
    pub(crate) first_range: u32,
    /// Address of the module's first variable outside of functions.
    pub(crate) first_static: u32,
    /// Whether the shaders are those of a ray tracing pipeline.
    pub(crate) is_ray_pipeline: bool,
    /// [`Options::preview`](super::Options::preview).
    pub(crate) preview: bool,
    /// Whether the shader is a node of a work graph, and how records lie in memory.
    pub(crate) is_node: bool,
    pub(crate) records: RecordLayout<'a>,
    /// Stage of the entry point.
    pub(crate) stage: Option<ShaderKind>,
    /// Inputs and outputs of an invocation.
    pub(crate) signature: SignatureMemory,
    pub(crate) signed_outputs: Vec<u32>,
    pub(crate) signed_patch_constants: Vec<u32>,
    /// Functions to be decoded, in the order of [`Kernel::functions`].
    pub(crate) queue: Vec<FuncId>,
    /// The calls between them.
    pub(crate) calls: CallGraph,
    /// Whether single-precision denormals count as zero.
    pub(crate) flush_denormals: bool,
    /// Words of private memory of the temporary registers, by whether they have 16 bits and by
    /// number.
    pub(crate) temporary_registers: HashMap<(bool, u64), u32>,
    /// Ray queries that the code allocates.
    pub(crate) ray_queries: u32,
    /// The checks that code is decoded with.
    pub(crate) checks: Checks,
    /// Whether values have shadows.
    pub(crate) follows_values: bool,
    /// Whether the code can be watched.
    pub(crate) is_watched: bool,
    /// The instructions that make values undefined; shadows are numbers of them, from 1.
    pub(crate) origins: Vec<Origin>,
    pub(crate) uses_counters: bool,
    /// Whether lanes of a quad look at each other.
    pub(crate) uses_quads: bool,
    pub(crate) uses_resource_heap: bool,
    pub(crate) uses_sampler_heap: bool,
}
