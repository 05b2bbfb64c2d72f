//! SFI0: optional device features that the shader needs.

use bitflags::bitflags;

use super::header::Part;
use crate::error::Result;

bitflags! {
    /// Feature flags, DXC's bit numbers. RDAT uses the same bits per function. Unknown bits are
    /// kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct FeatureFlags: u64 {
        /// Double precision.
        const DOUBLES = 1 << 0;
        /// Compute with raw and structured buffers on 10.x hardware.
        const COMPUTE_AND_RAW_BUFFERS_ON_4X = 1 << 1;
        /// UAVs in every stage.
        const UAVS_AT_EVERY_STAGE = 1 << 2;
        /// 64 UAV slots.
        const UAVS_64 = 1 << 3;
        /// Minimum-precision types.
        const MINIMUM_PRECISION = 1 << 4;
        /// Double division and fused multiply-add.
        const DOUBLE_EXTENSIONS_11_1 = 1 << 5;
        /// Masked sum of absolute differences.
        const SHADER_EXTENSIONS_11_1 = 1 << 6;
        /// Comparison filtering of feature level 9.
        const LEVEL9_COMPARISON_FILTERING = 1 << 7;
        /// Tiled resources.
        const TILED_RESOURCES = 1 << 8;
        /// Stencil reference written by the pixel shader.
        const STENCIL_REF = 1 << 9;
        /// Inner coverage.
        const INNER_COVERAGE = 1 << 10;
        /// Typed UAV loads beyond the three always-loadable formats.
        const TYPED_UAV_LOAD_ADDITIONAL_FORMATS = 1 << 11;
        /// Rasterizer-ordered views.
        const ROVS = 1 << 12;
        /// Viewport or array index from any stage before the rasterizer.
        const VIEWPORT_AND_ARRAY_INDEX_FROM_ANY_STAGE = 1 << 13;
        /// Wave operations.
        const WAVE_OPS = 1 << 14;
        /// 64-bit integers.
        const INT64_OPS = 1 << 15;
        /// `SV_ViewID`.
        const VIEW_ID = 1 << 16;
        /// Barycentrics.
        const BARYCENTRICS = 1 << 17;
        /// Native 16-bit types.
        const NATIVE_LOW_PRECISION = 1 << 18;
        /// Variable-rate shading.
        const SHADING_RATE = 1 << 19;
        /// Ray tracing tier 1.1.
        const RAYTRACING_TIER_1_1 = 1 << 20;
        /// Sampler feedback.
        const SAMPLER_FEEDBACK = 1 << 21;
        /// 64-bit atomics on typed resources.
        const ATOMIC_INT64_ON_TYPED_RESOURCE = 1 << 22;
        /// 64-bit atomics on groupshared memory.
        const ATOMIC_INT64_ON_GROUP_SHARED = 1 << 23;
        /// Derivatives in mesh and amplification shaders.
        const DERIVATIVES_IN_MESH_AND_AMPLIFICATION = 1 << 24;
        /// `ResourceDescriptorHeap`.
        const RESOURCE_DESCRIPTOR_HEAP_INDEXING = 1 << 25;
        /// `SamplerDescriptorHeap`.
        const SAMPLER_DESCRIPTOR_HEAP_INDEXING = 1 << 26;
        /// Reserved.
        const RESERVED_27 = 1 << 27;
        /// 64-bit atomics on resources from the heap.
        const ATOMIC_INT64_ON_HEAP_RESOURCE = 1 << 28;
        /// Texture operations of shader model 6.7.
        const ADVANCED_TEXTURE_OPS = 1 << 29;
        /// Writable multisampled textures.
        const WRITEABLE_MSAA_TEXTURES = 1 << 30;
        /// `SampleCmpGrad` and `SampleCmpBias`.
        const SAMPLE_CMP_GRADIENT_OR_BIAS = 1 << 31;
        /// `SV_StartVertexLocation`, `SV_StartInstanceLocation`.
        const EXTENDED_COMMAND_INFO = 1 << 32;
        /// RDAT only: uses derivatives.
        const OPT_USES_DERIVATIVES = 1 << 40;
        /// RDAT only: needs a thread group.
        const OPT_REQUIRES_GROUP = 1 << 41;
    }
}

impl FeatureFlags {
    /// Reads the SFI0 part.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn parse(part: Part<'_>) -> Result<Self> {
        let bits = part
            .reader()
            .u64("feature flags")
            .map_err(|e| e.in_part(part.name))?;
        Ok(FeatureFlags::from_bits_retain(bits))
    }
}
