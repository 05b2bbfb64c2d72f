//! Shader flags (DXIL document, "Shader Flags"; bits as DXC numbers them in the metadata).

#![allow(missing_docs, reason = "the flags are DXC's own names")]

use bitflags::bitflags;

bitflags! {
    /// Flags of an entry point: what it uses.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct ShaderFlags: u64 {
        const DISABLE_OPTIMIZATIONS = 1 << 0;
        const DISABLE_MATH_REFACTORING = 1 << 1;
        const ENABLE_DOUBLE_PRECISION = 1 << 2;
        const FORCE_EARLY_DEPTH_STENCIL = 1 << 3;
        const ENABLE_RAW_AND_STRUCTURED_BUFFERS = 1 << 4;
        const LOW_PRECISION_PRESENT = 1 << 5;
        const ENABLE_DOUBLE_EXTENSIONS = 1 << 6;
        const ENABLE_MSAD = 1 << 7;
        const ALL_RESOURCES_BOUND = 1 << 8;
        const VIEWPORT_AND_RT_ARRAY_INDEX = 1 << 9;
        const INNER_COVERAGE = 1 << 10;
        const STENCIL_REF = 1 << 11;
        const TILED_RESOURCES = 1 << 12;
        const UAV_LOAD_ADDITIONAL_FORMATS = 1 << 13;
        const LEVEL_9_COMPARISON_FILTERING = 1 << 14;
        const UAV_COUNT_OVER_64 = 1 << 15;
        const UAVS_AT_EVERY_STAGE = 1 << 16;
        const CS_4X_RAW_STRUCTURED = 1 << 17;
        const RASTERIZER_ORDERED_VIEWS = 1 << 18;
        const WAVE_OPS = 1 << 19;
        const INT64_OPS = 1 << 20;
        const VIEW_ID = 1 << 21;
        const BARYCENTRICS = 1 << 22;
        const USE_NATIVE_LOW_PRECISION = 1 << 23;
        const SHADING_RATE = 1 << 24;
        const RAYTRACING_TIER_1_1 = 1 << 25;
        const SAMPLER_FEEDBACK = 1 << 26;
        const ATOMIC_INT64_ON_TYPED_RESOURCE = 1 << 27;
        const ATOMIC_INT64_ON_GROUP_SHARED = 1 << 28;
        const DERIVATIVES_IN_MESH_AND_AMPLIFICATION = 1 << 29;
        const RESOURCE_DESCRIPTOR_HEAP_INDEXING = 1 << 30;
        const SAMPLER_DESCRIPTOR_HEAP_INDEXING = 1 << 31;
        const ATOMIC_INT64_ON_HEAP_RESOURCE = 1 << 32;
        const RES_MAY_NOT_ALIAS = 1 << 33;
        const ADVANCED_TEXTURE_OPS = 1 << 34;
        const WRITEABLE_MSAA_TEXTURES = 1 << 35;
        // Bit 36 is reserved.
        const SAMPLE_CMP_GRADIENT_OR_BIAS = 1 << 37;
        const EXTENDED_COMMAND_INFO = 1 << 38;
        const USES_DERIVATIVES = 1 << 39;
        const REQUIRES_GROUP = 1 << 40;
    }
}
