//! What the IR means as DXIL: shader model, entry points, signatures, resources and the op table.

pub mod ops;
mod resources;
mod shader;
mod shader_flags;
mod signature;

pub use resources::{
    ComponentType, Resource, ResourceClass, ResourceDetail, ResourceKind, Resources,
    SamplerFeedbackKind, SamplerKind,
};
pub use shader::{
    DomainShape, EntryPoint, InputPrimitive, MeshTopology, OutputTopology, Shader, ShaderKind,
    ShaderModel, Stage, TessellatorOutput, TessellatorPartitioning, WaveSize,
};
pub use shader_flags::ShaderFlags;
pub use signature::{InterpolationMode, SemanticKind, SignatureElement};
