//! The resources that each operation works on, by class and kind (DXIL document, "Shader
//! Resources" and the sections of the operations; functional specification of D3D11.3 for what
//! these leave open).
//!
//! This is the only table of its kind: the validator reports what contradicts it, and translator
//! and executor refuse it, since SPIR-V has no form for it either.

use bitflags::bitflags;

use super::Opcode;
use crate::dxil::{ResourceClass, ResourceKind};

use ResourceKind::{
    CBuffer, FeedbackTexture2D, FeedbackTexture2DArray, RawBuffer, RtAccelerationStructure,
    StructuredBuffer, TBuffer, Texture1D, Texture1DArray, Texture2D, Texture2DArray, Texture2DMS,
    Texture2DMSArray, Texture3D, TextureCube, TextureCubeArray, TypedBuffer,
};

bitflags! {
    /// Classes of resources.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct ResourceClasses: u8 {
        /// Shader resource views.
        const SRV = 1 << ResourceClass::Srv as u8;
        /// Unordered access views.
        const UAV = 1 << ResourceClass::Uav as u8;
        /// Constant buffers.
        const CBV = 1 << ResourceClass::Cbv as u8;
        /// Samplers.
        const SAMPLER = 1 << ResourceClass::Sampler as u8;
        /// SRVs and UAVs.
        const VIEWS = Self::SRV.bits() | Self::UAV.bits();
    }
}

/// A set of kinds of resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceKinds(u32);

/// The operand of an operation that a handle is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HandleOperand {
    /// The resource that is accessed.
    Resource,
    /// The sampler.
    Sampler,
    /// The map that sampler feedback is recorded in.
    FeedbackMap,
}

/// The resources that a handle operand may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceRule {
    /// Their classes.
    pub classes: ResourceClasses,
    /// Their kinds.
    pub kinds: ResourceKinds,
}

impl ResourceClasses {
    /// Returns whether the class is in the set.
    pub fn has(self, class: ResourceClass) -> bool {
        self.bits() & (1 << class as u8) != 0
    }
}

impl ResourceKinds {
    #[allow(
        clippy::indexing_slicing,
        reason = "only in constants, where an index out of bounds does not compile"
    )]
    const fn of<const N: usize>(kinds: [ResourceKind; N]) -> Self {
        let (mut bits, mut at) = (0, 0);
        while at < N {
            bits |= 1 << kinds[at] as u32;
            at += 1;
        }
        ResourceKinds(bits)
    }

    const fn and<const N: usize>(self, kinds: [ResourceKind; N]) -> Self {
        ResourceKinds(self.0 | ResourceKinds::of(kinds).0)
    }

    const fn without<const N: usize>(self, kinds: [ResourceKind; N]) -> Self {
        ResourceKinds(self.0 & !ResourceKinds::of(kinds).0)
    }

    /// Returns whether the kind is in the set.
    pub const fn has(self, kind: ResourceKind) -> bool {
        self.0 & (1 << kind as u32) != 0
    }
}

impl ResourceRule {
    /// Returns whether a resource may be the operand.
    pub fn allows(self, class: ResourceClass, kind: ResourceKind) -> bool {
        self.classes.has(class) && self.kinds.has(kind)
    }
}

/// Textures whose texels have integer coordinates and one sample.
const TEXELS: ResourceKinds = ResourceKinds::of([
    Texture1D,
    Texture1DArray,
    Texture2D,
    Texture2DArray,
    Texture3D,
]);
/// Textures with several samples per texel.
const SAMPLES: ResourceKinds = ResourceKinds::of([Texture2DMS, Texture2DMSArray]);
/// Textures with mip levels, which samplers filter.
const FILTERED: ResourceKinds = TEXELS.and([TextureCube, TextureCubeArray]);
/// Textures whose texels are gathered.
const GATHERED: ResourceKinds =
    ResourceKinds::of([Texture2D, Texture2DArray, TextureCube, TextureCubeArray]);
/// Buffers of bytes.
const MEMORY: ResourceKinds = ResourceKinds::of([RawBuffer, StructuredBuffer]);
/// Maps of sampler feedback.
const FEEDBACK: ResourceKinds = ResourceKinds::of([FeedbackTexture2D, FeedbackTexture2DArray]);

const fn rule(classes: ResourceClasses, kinds: ResourceKinds) -> Option<ResourceRule> {
    Some(ResourceRule { classes, kinds })
}

impl Opcode {
    /// Returns the resources that an operand of the operation may be; `None` if the operation does
    /// not access the operand, or has none of that name.
    pub const fn resource_rule(self, operand: HandleOperand) -> Option<ResourceRule> {
        match operand {
            HandleOperand::Resource => self.accessed(),
            HandleOperand::Sampler => {
                if self.properties().takes(super::Role::Sampler) {
                    let kinds = ResourceKinds::of([ResourceKind::Sampler]);
                    rule(ResourceClasses::SAMPLER, kinds)
                } else {
                    None
                }
            }
            HandleOperand::FeedbackMap => {
                if self.properties().takes(super::Role::FeedbackMap) {
                    rule(ResourceClasses::UAV, FEEDBACK)
                } else {
                    None
                }
            }
        }
    }

    const fn accessed(self) -> Option<ResourceRule> {
        const SRV: ResourceClasses = ResourceClasses::SRV;
        const UAV: ResourceClasses = ResourceClasses::UAV;
        const VIEWS: ResourceClasses = ResourceClasses::VIEWS;
        match self {
            Opcode::CBufferLoad | Opcode::CBufferLoadLegacy => {
                rule(ResourceClasses::CBV, ResourceKinds::of([CBuffer]))
            }
            Opcode::BufferLoad => rule(VIEWS, MEMORY.and([TypedBuffer, TBuffer])),
            Opcode::BufferStore => rule(UAV, MEMORY.and([TypedBuffer, TBuffer])),
            Opcode::RawBufferLoad | Opcode::RawBufferVectorLoad => rule(VIEWS, MEMORY),
            Opcode::RawBufferStore | Opcode::RawBufferVectorStore => rule(UAV, MEMORY),
            Opcode::LinAlgMatrixLoadFromDescriptor => rule(VIEWS, ResourceKinds::of([RawBuffer])),
            Opcode::LinAlgMatrixStoreToDescriptor
            | Opcode::LinAlgMatrixAccumulateToDescriptor
            | Opcode::LinAlgVectorAccumulateToDescriptor => {
                rule(UAV, ResourceKinds::of([RawBuffer]))
            }
            Opcode::BufferUpdateCounter => rule(UAV, ResourceKinds::of([StructuredBuffer])),
            // The functional specification of D3D11.3 (7.14) has atomics on buffers and textures of
            // one sample.
            Opcode::AtomicBinOp | Opcode::AtomicCompareExchange => {
                rule(UAV, TEXELS.and([TypedBuffer, RawBuffer, StructuredBuffer]))
            }
            Opcode::TextureLoad => rule(VIEWS, TEXELS.and([Texture2DMS, Texture2DMSArray])),
            Opcode::TextureStore => rule(UAV, TEXELS.and([Texture2DMS, Texture2DMSArray])),
            Opcode::TextureStoreSample => rule(UAV, SAMPLES),
            Opcode::Texture2DMSGetSamplePosition => rule(VIEWS, SAMPLES),
            Opcode::GetDimensions => rule(
                VIEWS,
                FILTERED.and([
                    Texture2DMS,
                    Texture2DMSArray,
                    TypedBuffer,
                    RawBuffer,
                    StructuredBuffer,
                    TBuffer,
                ]),
            ),
            Opcode::CalculateLOD => rule(SRV, FILTERED),
            Opcode::TextureGather | Opcode::TextureGatherCmp | Opcode::TextureGatherRaw => {
                rule(SRV, GATHERED)
            }
            Opcode::Sample | Opcode::SampleBias | Opcode::SampleLevel | Opcode::SampleGrad => {
                rule(SRV, FILTERED)
            }
            // Depth has no volumes (D3D11.3 functional specification, 22.4.19 "sample_c").
            Opcode::SampleCmp
            | Opcode::SampleCmpLevelZero
            | Opcode::SampleCmpLevel
            | Opcode::SampleCmpGrad
            | Opcode::SampleCmpBias => rule(SRV, FILTERED.without([Texture3D])),
            Opcode::WriteSamplerFeedback
            | Opcode::WriteSamplerFeedbackBias
            | Opcode::WriteSamplerFeedbackLevel
            | Opcode::WriteSamplerFeedbackGrad => {
                rule(SRV, ResourceKinds::of([Texture2D, Texture2DArray]))
            }
            Opcode::TraceRay | Opcode::HitObjectTraceRay | Opcode::RayQueryTraceRayInline => {
                rule(SRV, ResourceKinds::of([RtAccelerationStructure]))
            }
            // The others access no resource; the test below holds that.
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dxil::ops::{Group, Role};

    fn all() -> impl Iterator<Item = Opcode> {
        Opcode::ALL.iter().chain(Opcode::PREVIEW).copied()
    }

    #[test]
    fn every_operation_that_accesses_a_resource_says_which() {
        for op in all() {
            let row = op.properties();
            // Those make or describe handles, or order the memory of any resource.
            let only_names = matches!(row.group, Group::Handle | Group::Barrier);
            let accesses = Role::HANDLES
                .into_iter()
                .filter(|role| !matches!(role, Role::Sampler | Role::FeedbackMap))
                .any(|role| row.takes(role));
            let has = |operand| op.resource_rule(operand).is_some();
            assert_eq!(
                has(HandleOperand::Resource),
                accesses && !only_names,
                "{op}"
            );
            assert_eq!(
                has(HandleOperand::Sampler),
                row.takes(Role::Sampler),
                "{op}"
            );
            assert_eq!(
                has(HandleOperand::FeedbackMap),
                row.takes(Role::FeedbackMap),
                "{op}"
            );
        }
    }

    #[test]
    fn what_changes_a_resource_takes_uavs_only() {
        use crate::dxil::ops::{Memory, OpFlags};
        for op in all() {
            let row = op.properties();
            let Some(rule) = op.resource_rule(HandleOperand::Resource) else {
                continue;
            };
            let changes = row.takes(Role::Data) || row.takes(Role::DataList);
            let changes = changes || row.flags.intersects(OpFlags::ATOMIC | OpFlags::COUNTER);
            if changes {
                assert_eq!(rule.classes, ResourceClasses::UAV, "{op}");
                assert_ne!(row.memory, Memory::ReadOnly, "{op}");
            } else {
                assert!(!rule.classes.intersects(ResourceClasses::SAMPLER), "{op}");
            }
        }
    }
}
