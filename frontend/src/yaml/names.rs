//! Names that LLVM gives to the numbers of a container
//! (`llvm/BinaryFormat/DXContainerConstants.def`).

use super::fields::Names;

/// Bits of SFI0.
pub(super) const FEATURES: &[(u64, &str)] = &[
    (1 << 0, "Doubles"),
    (1 << 1, "ComputeShadersPlusRawAndStructuredBuffers"),
    (1 << 2, "UAVsAtEveryStage"),
    (1 << 3, "Max64UAVs"),
    (1 << 4, "MinimumPrecision"),
    (1 << 5, "DX11_1_DoubleExtensions"),
    (1 << 6, "DX11_1_ShaderExtensions"),
    (1 << 7, "LEVEL9ComparisonFiltering"),
    (1 << 8, "TiledResources"),
    (1 << 9, "StencilRef"),
    (1 << 10, "InnerCoverage"),
    (1 << 11, "TypedUAVLoadAdditionalFormats"),
    (1 << 12, "ROVs"),
    (
        1 << 13,
        "ViewportAndRTArrayIndexFromAnyShaderFeedingRasterizer",
    ),
    (1 << 14, "WaveOps"),
    (1 << 15, "Int64Ops"),
    (1 << 16, "ViewID"),
    (1 << 17, "Barycentrics"),
    (1 << 18, "NativeLowPrecision"),
    (1 << 19, "ShadingRate"),
    (1 << 20, "Raytracing_Tier_1_1"),
    (1 << 21, "SamplerFeedback"),
    (1 << 22, "AtomicInt64OnTypedResource"),
    (1 << 23, "AtomicInt64OnGroupShared"),
    (1 << 24, "DerivativesInMeshAndAmpShaders"),
    (1 << 25, "ResourceDescriptorHeapIndexing"),
    (1 << 26, "SamplerDescriptorHeapIndexing"),
    (1 << 27, "RESERVED"),
    (1 << 28, "AtomicInt64OnHeapResource"),
    (1 << 29, "AdvancedTextureOps"),
    (1 << 30, "WriteableMSAATextures"),
    (1 << 31, "SampleCmpWithGradientOrBias"),
    (1 << 32, "ExtendedCommandInfo"),
    (1 << 33, "NextUnusedBit"),
];

/// Bits of a root signature.
pub(super) const ROOT_FLAGS: &[(u64, &str)] = &[
    (0x1, "AllowInputAssemblerInputLayout"),
    (0x2, "DenyVertexShaderRootAccess"),
    (0x4, "DenyHullShaderRootAccess"),
    (0x8, "DenyDomainShaderRootAccess"),
    (0x10, "DenyGeometryShaderRootAccess"),
    (0x20, "DenyPixelShaderRootAccess"),
    (0x40, "AllowStreamOutput"),
    (0x80, "LocalRootSignature"),
    (0x100, "DenyAmplificationShaderRootAccess"),
    (0x200, "DenyMeshShaderRootAccess"),
    (0x400, "CBVSRVUAVHeapDirectlyIndexed"),
    (0x800, "SamplerHeapDirectlyIndexed"),
];

/// Bits of a root descriptor.
pub(super) const DESCRIPTOR_FLAGS: &[(u64, &str)] = &[
    (0x2, "DATA_VOLATILE"),
    (0x4, "DATA_STATIC_WHILE_SET_AT_EXECUTE"),
    (0x8, "DATA_STATIC"),
];

/// Bits of a range of a descriptor table.
pub(super) const RANGE_FLAGS: &[(u64, &str)] = &[
    (0x1, "DESCRIPTORS_VOLATILE"),
    (0x2, "DATA_VOLATILE"),
    (0x4, "DATA_STATIC_WHILE_SET_AT_EXECUTE"),
    (0x8, "DATA_STATIC"),
    (0x1_0000, "DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS"),
];

/// Bits of a static sampler.
pub(super) const SAMPLER_FLAGS: &[(u64, &str)] = &[
    (0x1, "SAMPLER_FLAG_UINT_BORDER_COLOR"),
    (0x2, "SAMPLER_FLAG_NON_NORMALIZED_COORDINATES"),
];

pub(super) const PARAMETER_TYPES: Names = &[
    (0, "DescriptorTable"),
    (1, "Constants32Bit"),
    (2, "CBV"),
    (3, "SRV"),
    (4, "UAV"),
];

pub(super) const VISIBILITIES: Names = &[
    (0, "All"),
    (1, "Vertex"),
    (2, "Hull"),
    (3, "Domain"),
    (4, "Geometry"),
    (5, "Pixel"),
    (6, "Amplification"),
    (7, "Mesh"),
];

pub(super) const RANGE_TYPES: Names = &[(0, "SRV"), (1, "UAV"), (2, "CBuffer"), (3, "Sampler")];

pub(super) const FILTERS: Names = &[
    (0x0, "MinMagMipPoint"),
    (0x1, "MinMagPointMipLinear"),
    (0x4, "MinPointMagLinearMipPoint"),
    (0x5, "MinPointMagMipLinear"),
    (0x10, "MinLinearMagMipPoint"),
    (0x11, "MinLinearMagPointMipLinear"),
    (0x14, "MinMagLinearMipPoint"),
    (0x15, "MinMagMipLinear"),
    (0x55, "Anisotropic"),
    (0x80, "ComparisonMinMagMipPoint"),
    (0x81, "ComparisonMinMagPointMipLinear"),
    (0x84, "ComparisonMinPointMagLinearMipPoint"),
    (0x85, "ComparisonMinPointMagMipLinear"),
    (0x90, "ComparisonMinLinearMagMipPoint"),
    (0x91, "ComparisonMinLinearMagPointMipLinear"),
    (0x94, "ComparisonMinMagLinearMipPoint"),
    (0x95, "ComparisonMinMagMipLinear"),
    (0xd5, "ComparisonAnisotropic"),
    (0x100, "MinimumMinMagMipPoint"),
    (0x101, "MinimumMinMagPointMipLinear"),
    (0x104, "MinimumMinPointMagLinearMipPoint"),
    (0x105, "MinimumMinPointMagMipLinear"),
    (0x110, "MinimumMinLinearMagMipPoint"),
    (0x111, "MinimumMinLinearMagPointMipLinear"),
    (0x114, "MinimumMinMagLinearMipPoint"),
    (0x115, "MinimumMinMagMipLinear"),
    (0x155, "MinimumAnisotropic"),
    (0x180, "MaximumMinMagMipPoint"),
    (0x181, "MaximumMinMagPointMipLinear"),
    (0x184, "MaximumMinPointMagLinearMipPoint"),
    (0x185, "MaximumMinPointMagMipLinear"),
    (0x190, "MaximumMinLinearMagMipPoint"),
    (0x191, "MaximumMinLinearMagPointMipLinear"),
    (0x194, "MaximumMinMagLinearMipPoint"),
    (0x195, "MaximumMinMagMipLinear"),
    (0x1d5, "MaximumAnisotropic"),
];

pub(super) const ADDRESS_MODES: Names = &[
    (1, "Wrap"),
    (2, "Mirror"),
    (3, "Clamp"),
    (4, "Border"),
    (5, "MirrorOnce"),
];

pub(super) const COMPARISONS: Names = &[
    (1, "Never"),
    (2, "Less"),
    (3, "Equal"),
    (4, "LessEqual"),
    (5, "Greater"),
    (6, "NotEqual"),
    (7, "GreaterEqual"),
    (8, "Always"),
];

pub(super) const BORDER_COLORS: Names = &[
    (0, "TransparentBlack"),
    (1, "OpaqueBlack"),
    (2, "OpaqueWhite"),
    (3, "OpaqueBlackUint"),
    (4, "OpaqueWhiteUint"),
];

pub(super) const SEMANTICS: Names = &[
    (0, "Arbitrary"),
    (1, "VertexID"),
    (2, "InstanceID"),
    (3, "Position"),
    (4, "RenderTargetArrayIndex"),
    (5, "ViewPortArrayIndex"),
    (6, "ClipDistance"),
    (7, "CullDistance"),
    (8, "OutputControlPointID"),
    (9, "DomainLocation"),
    (10, "PrimitiveID"),
    (11, "GSInstanceID"),
    (12, "SampleIndex"),
    (13, "IsFrontFace"),
    (14, "Coverage"),
    (15, "InnerCoverage"),
    (16, "Target"),
    (17, "Depth"),
    (18, "DepthLessEqual"),
    (19, "DepthGreaterEqual"),
    (20, "StencilRef"),
    (21, "DispatchThreadID"),
    (22, "GroupID"),
    (23, "GroupIndex"),
    (24, "GroupThreadID"),
    (25, "TessFactor"),
    (26, "InsideTessFactor"),
    (27, "ViewID"),
    (28, "Barycentrics"),
    (29, "ShadingRate"),
    (30, "CullPrimitive"),
    (30, "Invalid"),
];

pub(super) const COMPONENT_TYPES: Names = &[
    (0, "Unknown"),
    (1, "UInt32"),
    (2, "SInt32"),
    (3, "Float32"),
    (4, "UInt16"),
    (5, "SInt16"),
    (6, "Float16"),
    (7, "UInt64"),
    (8, "SInt64"),
    (9, "Float64"),
];

pub(super) const MIN_PRECISIONS: Names = &[
    (0, "Default"),
    (1, "Float16"),
    (2, "Float2_8"),
    (3, "Reserved"),
    (4, "SInt16"),
    (5, "UInt16"),
    (0xf0, "Any16"),
    (0xf1, "Any10"),
];

pub(super) const INTERPOLATIONS: Names = &[
    (0, "Undefined"),
    (1, "Constant"),
    (2, "Linear"),
    (3, "LinearCentroid"),
    (4, "LinearNoperspective"),
    (5, "LinearNoperspectiveCentroid"),
    (6, "LinearSample"),
    (7, "LinearNoperspectiveSample"),
    (8, "Invalid"),
];

pub(super) const RESOURCE_TYPES: Names = &[
    (0, "Invalid"),
    (1, "Sampler"),
    (2, "CBV"),
    (3, "SRVTyped"),
    (4, "SRVRaw"),
    (5, "SRVStructured"),
    (6, "UAVTyped"),
    (7, "UAVRaw"),
    (8, "UAVStructured"),
    (9, "UAVStructuredWithCounter"),
];

pub(super) const RESOURCE_KINDS: Names = &[
    (0, "Invalid"),
    (1, "Texture1D"),
    (2, "Texture2D"),
    (3, "Texture2DMS"),
    (4, "Texture3D"),
    (5, "TextureCube"),
    (6, "Texture1DArray"),
    (7, "Texture2DArray"),
    (8, "Texture2DMSArray"),
    (9, "TextureCubeArray"),
    (10, "TypedBuffer"),
    (11, "RawBuffer"),
    (12, "StructuredBuffer"),
    (13, "CBuffer"),
    (14, "Sampler"),
    (15, "TBuffer"),
    (16, "RTAccelerationStructure"),
    (17, "FeedbackTexture2D"),
    (18, "FeedbackTexture2DArray"),
];

/// The only bit of a resource's flags in PSV0.
pub(super) const RESOURCE_FLAGS: &[(u64, &str)] = &[(1, "UsedByAtomic64")];

pub(super) const SYSTEM_VALUES: Names = &[
    (0, "Undefined"),
    (1, "Position"),
    (2, "ClipDistance"),
    (3, "CullDistance"),
    (4, "RenderTargetArrayIndex"),
    (5, "ViewPortArrayIndex"),
    (6, "VertexID"),
    (7, "PrimitiveID"),
    (8, "InstanceID"),
    (9, "IsFrontFace"),
    (10, "SampleIndex"),
    (11, "FinalQuadEdgeTessfactor"),
    (12, "FinalQuadInsideTessfactor"),
    (13, "FinalTriEdgeTessfactor"),
    (14, "FinalTriInsideTessfactor"),
    (15, "FinalLineDetailTessfactor"),
    (16, "FinalLineDensityTessfactor"),
    (23, "Barycentrics"),
    (24, "ShadingRate"),
    (25, "CullPrimitive"),
    (64, "Target"),
    (65, "Depth"),
    (66, "Coverage"),
    (67, "DepthGE"),
    (68, "DepthLE"),
    (69, "StencilRef"),
    (70, "InnerCoverage"),
];
