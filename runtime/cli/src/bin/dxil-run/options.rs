//! Values of options that are words.

use clap::ValueEnum;
use dxil_runtime::Backend;
use dxil_runtime::graphics::Query;
use dxil_translate::VulkanVersion;

/// How much debug information is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DebugInfo {
    /// Source texts and line numbers (OpSource, OpLine).
    Lines,
    /// Also functions, inlined calls, types and variables (NonSemantic.Shader.DebugInfo.100).
    Full,
}

/// What --emit writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// SPIR-V words.
    Spv,
    /// SPIR-V as text.
    Spvasm,
    /// WGSL, through naga.
    Wgsl,
    /// Metal Shading Language, through naga.
    Msl,
    /// GLSL 4.60, through naga.
    Glsl,
    /// HLSL for shader model 6, through naga.
    Hlsl,
}

/// Vulkan versions by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TargetVersion {
    /// SPIR-V 1.3.
    #[value(name = "vulkan1.1")]
    V1_1,
    /// SPIR-V 1.5.
    #[value(name = "vulkan1.2")]
    V1_2,
    /// SPIR-V 1.6.
    #[value(name = "vulkan1.3")]
    V1_3,
    /// SPIR-V 1.6.
    #[value(name = "vulkan1.4")]
    V1_4,
}

impl TargetVersion {
    /// Returns the translator's value.
    pub(crate) fn version(self) -> VulkanVersion {
        match self {
            TargetVersion::V1_1 => VulkanVersion::V1_1,
            TargetVersion::V1_2 => VulkanVersion::V1_2,
            TargetVersion::V1_3 => VulkanVersion::V1_3,
            TargetVersion::V1_4 => VulkanVersion::V1_4,
        }
    }
}

/// Queries by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum QueryName {
    /// Number of samples that pass all tests.
    Occlusion,
    /// Whether any sample passes.
    AnySample,
    /// Pipeline statistics.
    Statistics,
    /// Device ticks between the start and the end.
    Timestamps,
}

impl QueryName {
    /// Returns the runtime's value.
    pub(crate) fn query(self) -> Query {
        match self {
            QueryName::Occlusion => Query::Occlusion,
            QueryName::AnySample => Query::BinaryOcclusion,
            QueryName::Timestamps => Query::Timestamps,
            QueryName::Statistics => Query::PipelineStatistics,
        }
    }
}

/// Checks by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckName {
    /// Data races in groupshared memory and UAVs.
    Races,
    /// Accesses out of bounds.
    Bounds,
    /// Reads of groupshared memory that nothing has written.
    Uninitialized,
    /// Barriers that not all threads of a group reach.
    Barriers,
}

/// What --validate looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Validation {
    /// Calls of Vulkan, by the validation layer.
    Layer,
    /// The shader, by the rules of DXIL's validator.
    Dxil,
}

/// Backends by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendName {
    /// Vulkan through ash.
    Vulkan,
    /// wgpu.
    Wgpu,
    /// The CPU; needs no driver.
    Cpu,
}

impl BackendName {
    /// Returns the runtime's value.
    pub(crate) fn backend(self) -> Backend {
        match self {
            BackendName::Vulkan => Backend::Vulkan,
            BackendName::Wgpu => Backend::Wgpu,
            BackendName::Cpu => Backend::Cpu,
        }
    }
}
