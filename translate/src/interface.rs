//! Reflection of a translated shader: what it binds and what its module declares.

mod access;
mod bindings;
mod handle_table;
mod handles;
mod heap_uses;
mod index_bounds;
mod plan;
mod resource_calls;
mod sources;
mod view;

use std::borrow::Cow;

use dxil_frontend::dxil::ShaderKind;
use rspirv::spirv;

use crate::{DescriptorSlot, ResourceKey, TexelFormat, Timings};

pub use heap_uses::{heap_uses, resource_uses};

pub(crate) use access::handles_of;
pub(crate) use bindings::{BindingTable, add_layer_rows, has_storage_constants, is_one_variable};
pub(crate) use plan::{CHOICE_SHIFT, FunctionPlan, Plan, plan};
pub(crate) use view::{DescriptorOrigin, Representation, ScalarCounts, Usage, View, ViewId};

/// A translated shader.
#[derive(Debug, Clone)]
pub struct Translation {
    /// The SPIR-V module.
    pub words: Vec<u32>,
    /// Its bindings.
    pub interface: Interface,
    /// Counts of the structurizer's rewrites.
    pub structure: crate::structurize::Statistics,
    /// A requirement of the shader that the target lacks.
    pub warnings: Vec<Warning>,
    /// The duration of each step, if [`Options::timings`](crate::Options::timings) asked for it.
    pub timings: Option<Timings>,
}

/// Treatment of 32-bit denormals that a shader asks for (function attribute `fp32-denorm-mode`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DenormalMode {
    /// They keep their values.
    Preserve,
    /// They count as zero.
    Flush,
}

impl std::fmt::Display for DenormalMode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DenormalMode::Preserve => "preserve",
            DenormalMode::Flush => "ftz",
        })
    }
}

/// Something that the translation had to drop. The module is valid, but its results may differ from
/// D3D12's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Warning {
    /// `precise` floating-point operations that the target's compiler may fuse after all.
    #[error(
        "`precise` is lost on {operations} floating-point operation(s): naga drops NoContraction, so they may be fused"
    )]
    PreciseLost {
        /// Number of operations.
        operations: u32,
    },
    /// `CalculateLevelOfDetail` in the portable style.
    #[error(
        "{operations} level(s) of detail are computed from derivatives alone: the sampler's bias, limits and anisotropy are ignored"
    )]
    LevelsEstimated {
        /// Number of operations.
        operations: u32,
    },
    /// A shader's treatment of 32-bit denormals that the target cannot be told.
    #[error(
        "the shader asks for fp32-denorm-mode {mode}, which the target does not have: the device decides"
    )]
    DenormalModeIgnored {
        /// The mode.
        mode: DenormalMode,
    },
    /// An operation of a vendor's shader extension that is not available, where
    /// [`VendorOptions::zero_missing`](crate::VendorOptions::zero_missing) asks for zero instead of
    /// an error.
    #[error(
        "{operation} gives zero: it is not implemented, or the target lacks a feature that it needs"
    )]
    VendorOperationIsZero {
        /// The operation.
        operation: crate::VendorOperation,
    },
    /// A resource whose accesses contradict its declaration; D3D leaves the results undefined.
    #[error("{contradiction}: the declaration decides what it gives")]
    ContradictoryAccess {
        /// The contradiction.
        contradiction: dxil_frontend::dxil::Contradiction,
    },
    /// Implicit levels of detail in thread groups, on a target without derivatives there.
    #[error(
        "implicit levels of detail are lost: {operations} operation(s) use the most detailed level, since the target has no derivatives in thread groups"
    )]
    LevelsLost {
        /// Number of operations.
        operations: u32,
    },
}

/// Every binding, push-constant range and built-in that a module uses.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Interface {
    /// Stage that the entry point is for.
    pub stage: ShaderKind,
    /// Name of the SPIR-V entry point.
    pub entry: String,
    /// Descriptors in use, in order of set and binding. Aliases (several variables on one
    /// descriptor) are one row.
    pub bindings: Vec<BindingUse>,
    /// Push-constant bytes in use, from 0.
    pub push_constant_bytes: u32,
    /// Bytes of the shader record in use, after the shader's identifier (ray tracing).
    pub shader_record_bytes: u32,
    /// Thread group size, as the shader has it. The module's may have other sides and as many
    /// threads, where the order of threads makes quads.
    pub workgroup_size: Option<[u32; 3]>,
    /// Subgroup size that the pipeline must require.
    pub required_subgroup_size: Option<u32>,
    /// Location of row 0 of the patch constants (hull and domain shaders; 0 elsewhere).
    pub patch_location_offset: u32,
    /// Built-ins in use.
    pub built_ins: Vec<spirv::BuiltIn>,
    /// Capabilities declared.
    pub capabilities: Vec<spirv::Capability>,
    /// Extensions declared.
    pub extensions: Vec<Cow<'static, str>>,
}

/// One descriptor in use.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BindingUse {
    /// The declared resource it serves (the first one, if several share a heap).
    pub resource: ResourceKey,
    /// Whether this is the resource's hidden UAV counter.
    pub is_counter: bool,
    /// Name in the source; may be empty.
    pub name: String,
    /// Set and binding.
    pub slot: DescriptorSlot,
    /// Descriptor type.
    pub kind: DescriptorKind,
    /// Number of descriptors; `None` is a runtime array.
    pub count: Option<u32>,
    /// Texel format the code was made for, where it matters.
    pub format: Option<TexelFormat>,
    /// Whether the shader may read it: loads, samples or atomics. Stores of values narrower than
    /// the memory they change may read as well.
    pub readable: bool,
    /// Whether the shader may write to it.
    pub writable: bool,
    /// Bytes per element of a structured buffer; bytes of a constant buffer; 4 for raw buffers.
    pub stride: u32,
}

/// Descriptor types, Vulkan's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs, reason = "Vulkan's own names")]
pub enum DescriptorKind {
    UniformBuffer,
    StorageBuffer,
    UniformTexelBuffer,
    StorageTexelBuffer,
    SampledImage,
    StorageImage,
    Sampler,
    AccelerationStructure,
    InputAttachment,
}
