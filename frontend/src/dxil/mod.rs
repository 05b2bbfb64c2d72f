//! The meaning of the IR as DXIL: shader model, entry points, signatures, resources and the op
//! table.

pub mod debug;
mod decode;
mod describe;
mod element;
pub(crate) mod entry_points;
mod hints;
pub(crate) mod interpretation;
mod matrices;
mod mesh_outputs;
mod metadata;
mod min_precision;
mod nodes;
pub mod ops;
mod resource_index;
mod resources;
mod shader;
mod shader_flags;
mod shader_kind;
mod signature;
mod stage_numbers;
mod type_annotations;
pub(crate) mod type_sizes;

pub use decode::{read_shader, read_shader_with_debug_info};
pub use describe::described;
pub(crate) use describe::{DATA_LAYOUT, WRITTEN_LISTS, renumber_locals};
pub use hints::{BranchHint, Hints, LoopHint};
pub use type_annotations::{
    FieldAnnotation, FunctionAnnotation, MatrixAnnotation, ParameterAnnotation, StructAnnotation,
    TypeAnnotations,
};

pub use element::{Element, ElementScalar, names_signed_element};
pub(crate) use matrices::MATRIX_PREFIX;
pub use matrices::{MatrixScope, MatrixType, MatrixUse, matrix_name, matrix_types};
pub use mesh_outputs::{MeshOutputs, MeshTopology};
pub use nodes::{Node, NodeId, NodeIo, RecordGrid, record_stride};
pub use resource_index::ResourceIndex;
pub use resources::{
    ComponentType, Resource, ResourceClass, ResourceDetail, ResourceKind, Resources,
    SamplerFeedbackKind, SamplerKind,
};
pub use shader::{
    Contradiction, DomainShape, EntryPoint, InputPrimitive, OutputTopology, Shader, ShaderModel,
    Stage, TessellatorOutput, TessellatorPartitioning, WaveSize, plain_name,
};
pub use shader_flags::ShaderFlags;
pub use shader_kind::ShaderKind;
pub use signature::{InterpolationMode, SemanticKind, SignatureElement};
