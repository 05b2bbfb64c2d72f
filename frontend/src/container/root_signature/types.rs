//! The elements of a root signature (D3D12, "Root Signatures";
//! `D3D12_VERSIONED_ROOT_SIGNATURE_DESC`).

use bitflags::bitflags;

use super::super::signature::numbered_enum;
use crate::dxil::ShaderKind;

/// A root signature: what a pipeline's shaders can bind, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct RootSignature {
    /// Version of the serialised form.
    pub version: RootSignatureVersion,
    /// `D3D12_ROOT_SIGNATURE_FLAGS`.
    pub flags: RootSignatureFlags,
    /// Root parameters; their order is their index in `SetComputeRoot...`.
    pub parameters: Vec<RootParameter>,
    /// Static samplers.
    pub static_samplers: Vec<StaticSampler>,
}

/// Version of a root signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RootSignatureVersion {
    /// 1.0: no flags on descriptors and ranges; all are volatile.
    V1_0,
    /// 1.1: flags on root descriptors and ranges.
    V1_1,
    /// 1.2: flags on static samplers.
    V1_2,
}

impl RootSignatureVersion {
    /// Returns the number in the file: 1, 2 or 3.
    pub fn number(self) -> u32 {
        match self {
            RootSignatureVersion::V1_0 => 1,
            RootSignatureVersion::V1_1 => 2,
            RootSignatureVersion::V1_2 => 3,
        }
    }

    /// Returns the variant with this number in the file.
    pub fn from_number(number: u32) -> Option<Self> {
        Some(match number {
            1 => RootSignatureVersion::V1_0,
            2 => RootSignatureVersion::V1_1,
            3 => RootSignatureVersion::V1_2,
            _ => return None,
        })
    }
}

bitflags! {
    /// Flags of a root signature (`D3D12_ROOT_SIGNATURE_FLAGS`). Unknown bits are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct RootSignatureFlags: u32 {
        /// Vertex buffers may be bound.
        const ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT = 1 << 0;
        /// The vertex shader sees nothing.
        const DENY_VERTEX_SHADER_ROOT_ACCESS = 1 << 1;
        /// The hull shader sees nothing.
        const DENY_HULL_SHADER_ROOT_ACCESS = 1 << 2;
        /// The domain shader sees nothing.
        const DENY_DOMAIN_SHADER_ROOT_ACCESS = 1 << 3;
        /// The geometry shader sees nothing.
        const DENY_GEOMETRY_SHADER_ROOT_ACCESS = 1 << 4;
        /// The pixel shader sees nothing.
        const DENY_PIXEL_SHADER_ROOT_ACCESS = 1 << 5;
        /// Stream output may be bound.
        const ALLOW_STREAM_OUTPUT = 1 << 6;
        /// A ray tracing local root signature.
        const LOCAL_ROOT_SIGNATURE = 1 << 7;
        /// The amplification shader sees nothing.
        const DENY_AMPLIFICATION_SHADER_ROOT_ACCESS = 1 << 8;
        /// The mesh shader sees nothing.
        const DENY_MESH_SHADER_ROOT_ACCESS = 1 << 9;
        /// `ResourceDescriptorHeap` may be indexed.
        const CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED = 1 << 10;
        /// `SamplerDescriptorHeap` may be indexed.
        const SAMPLER_HEAP_DIRECTLY_INDEXED = 1 << 11;
        /// Lowers the limit on constant buffers in the hardware.
        const ALLOW_LOW_TIER_RESERVED_HW_CB_LIMIT = 1 << 31;
    }
}

impl RootSignatureFlags {
    /// Returns whether the flags hide all parameters from a stage.
    pub fn denies(self, stage: ShaderKind) -> bool {
        self.contains(match stage {
            ShaderKind::Vertex => Self::DENY_VERTEX_SHADER_ROOT_ACCESS,
            ShaderKind::Hull => Self::DENY_HULL_SHADER_ROOT_ACCESS,
            ShaderKind::Domain => Self::DENY_DOMAIN_SHADER_ROOT_ACCESS,
            ShaderKind::Geometry => Self::DENY_GEOMETRY_SHADER_ROOT_ACCESS,
            ShaderKind::Pixel => Self::DENY_PIXEL_SHADER_ROOT_ACCESS,
            ShaderKind::Amplification => Self::DENY_AMPLIFICATION_SHADER_ROOT_ACCESS,
            ShaderKind::Mesh => Self::DENY_MESH_SHADER_ROOT_ACCESS,
            _ => return false,
        })
    }
}

bitflags! {
    /// Flags of a root descriptor or a descriptor range (version 1.1). Unknown bits are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct DescriptorFlags: u32 {
        /// Descriptors may change between recording and execution (ranges only).
        const DESCRIPTORS_VOLATILE = 1 << 0;
        /// Data may change at any time.
        const DATA_VOLATILE = 1 << 1;
        /// Data does not change while it is set.
        const DATA_STATIC_WHILE_SET_AT_EXECUTE = 1 << 2;
        /// Data never changes once set.
        const DATA_STATIC = 1 << 3;
        /// Descriptors are static, buffers still checked (ranges only).
        const DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS = 1 << 16;
    }
}

bitflags! {
    /// Flags of a static sampler (version 1.2). Unknown bits are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct StaticSamplerFlags: u32 {
        /// The border colour is an integer colour.
        const UINT_BORDER_COLOR = 1 << 0;
        /// Coordinates are in texels.
        const NON_NORMALIZED_COORDINATES = 1 << 1;
    }
}

numbered_enum! {
    /// The stages that see a parameter or sampler.
    #[allow(missing_docs, reason = "D3D12's own names")]
    ShaderVisibility: u32 {
        All = 0,
        Vertex = 1,
        Hull = 2,
        Domain = 3,
        Geometry = 4,
        Pixel = 5,
        Amplification = 6,
        Mesh = 7,
    }
}

impl ShaderVisibility {
    /// Returns whether a stage sees a parameter or sampler of this visibility.
    pub fn includes(self, stage: ShaderKind) -> bool {
        match self {
            ShaderVisibility::All => true,
            ShaderVisibility::Vertex => stage == ShaderKind::Vertex,
            ShaderVisibility::Hull => stage == ShaderKind::Hull,
            ShaderVisibility::Domain => stage == ShaderKind::Domain,
            ShaderVisibility::Geometry => stage == ShaderKind::Geometry,
            ShaderVisibility::Pixel => stage == ShaderKind::Pixel,
            ShaderVisibility::Amplification => stage == ShaderKind::Amplification,
            ShaderVisibility::Mesh => stage == ShaderKind::Mesh,
            ShaderVisibility::Other(_) => false,
        }
    }
}

/// A root parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct RootParameter {
    /// Stages that see it.
    pub visibility: ShaderVisibility,
    /// Its kind.
    pub kind: RootParameterKind,
}

/// The kind of a root parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum RootParameterKind {
    /// A pointer into a descriptor heap.
    Table(Vec<DescriptorRange>),
    /// 32-bit constants that the shader sees as a constant buffer.
    Constants(RootConstants),
    /// A constant buffer by address.
    Cbv(RootDescriptor),
    /// A raw or structured SRV by address.
    Srv(RootDescriptor),
    /// A raw or structured UAV by address.
    Uav(RootDescriptor),
}

/// Root constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RootConstants {
    /// Register `b#`.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// Number of 32-bit values.
    pub count: u32,
}

/// A root descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RootDescriptor {
    /// Register that the shader declares; the parameter's type determines the class.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// Flags; empty in version 1.0.
    pub flags: DescriptorFlags,
}

numbered_enum! {
    /// Class of the descriptors in a range.
    #[allow(missing_docs, reason = "D3D12's own names")]
    DescriptorRangeType: u32 {
        Srv = 0,
        Uav = 1,
        Cbv = 2,
        Sampler = 3,
    }
}

/// A run of descriptors in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DescriptorRange {
    /// Class.
    pub ty: DescriptorRangeType,
    /// Number of descriptors; `None` is unbounded.
    pub count: Option<u32>,
    /// First register.
    pub base_register: u32,
    /// Register space.
    pub space: u32,
    /// Flags; empty in version 1.0.
    pub flags: DescriptorFlags,
    /// Place in the table, in descriptors; `None` is right after the range before.
    pub offset: Option<u32>,
}

numbered_enum! {
    /// Treatment of coordinates outside the texture by a static sampler.
    #[allow(missing_docs, reason = "D3D12's own names")]
    TextureAddressMode: u32 {
        Wrap = 1,
        Mirror = 2,
        Clamp = 3,
        Border = 4,
        MirrorOnce = 5,
    }
}

numbered_enum! {
    /// Comparison of a static sampler.
    #[allow(missing_docs, reason = "D3D12's own names")]
    ComparisonFunction: u32 {
        None = 0,
        Never = 1,
        Less = 2,
        Equal = 3,
        LessEqual = 4,
        Greater = 5,
        NotEqual = 6,
        GreaterEqual = 7,
        Always = 8,
    }
}

numbered_enum! {
    /// Border colour of a static sampler.
    #[allow(missing_docs, reason = "D3D12's own names")]
    StaticBorderColor: u32 {
        TransparentBlack = 0,
        OpaqueBlack = 1,
        OpaqueWhite = 2,
        OpaqueBlackUint = 3,
        OpaqueWhiteUint = 4,
    }
}

/// `D3D12_FILTER`: a set of bit fields, kept as the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Filter(pub u32);

/// The function that combines the samples of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FilterReduction {
    /// Weighted average.
    Standard,
    /// Compares each with the reference first.
    Comparison,
    /// Minimum.
    Minimum,
    /// Greatest.
    Maximum,
}

impl Filter {
    /// Returns whether the filter is linear between mips.
    pub fn is_mip_linear(self) -> bool {
        self.0 & 0x01 != 0
    }

    /// Returns whether the filter is linear when magnified.
    pub fn is_mag_linear(self) -> bool {
        self.0 & 0x04 != 0
    }

    /// Returns whether the filter is linear when minified.
    pub fn is_min_linear(self) -> bool {
        self.0 & 0x10 != 0
    }

    /// Returns whether the filter is anisotropic.
    pub fn is_anisotropic(self) -> bool {
        self.0 & 0x40 != 0
    }

    /// Returns the function that combines the texels of the footprint
    /// (`D3D12_FILTER_REDUCTION_TYPE`, bits 7 and 8).
    pub fn reduction(self) -> FilterReduction {
        match self.0 >> 7 & 3 {
            0 => FilterReduction::Standard,
            1 => FilterReduction::Comparison,
            2 => FilterReduction::Minimum,
            _ => FilterReduction::Maximum,
        }
    }
}

/// A sampler that is part of the root signature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StaticSampler {
    /// `D3D12_FILTER`: filtering within a mip and between mips, and the reduction.
    pub filter: Filter,
    /// Addressing in u.
    pub address_u: TextureAddressMode,
    /// Addressing in v.
    pub address_v: TextureAddressMode,
    /// Addressing in w.
    pub address_w: TextureAddressMode,
    /// Added to the level of detail.
    pub mip_lod_bias: f32,
    /// Maximum number of samples of an anisotropic filter.
    pub max_anisotropy: u32,
    /// Function of a comparing filter; other filters ignore it.
    pub comparison: ComparisonFunction,
    /// Border colour.
    pub border_color: StaticBorderColor,
    /// Minimum level of detail.
    pub min_lod: f32,
    /// Greatest level of detail.
    pub max_lod: f32,
    /// Register `s#`.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// Stages that see it.
    pub visibility: ShaderVisibility,
    /// Flags; empty before version 1.2.
    pub flags: StaticSamplerFlags,
}
