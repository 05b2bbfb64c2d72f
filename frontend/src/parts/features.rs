//! SFI0: the features that a module's flags require.

use crate::container::FeatureFlags;
use crate::dxil::{Shader, ShaderFlags, ShaderKind};

/// Returns the content of SFI0: the features that the module requires.
pub fn features(shader: &Shader) -> [u8; 8] {
    features_of(module_flags(shader)).bits().to_le_bytes()
}

/// Returns the flags of the only entry point, or of a library's module-wide one.
pub fn module_flags(shader: &Shader) -> ShaderFlags {
    let is_library = shader.shader_model.kind == ShaderKind::Library;
    let mut entries = shader.entry_points.iter();
    let entry = if is_library {
        entries.find(|entry| entry.function.is_none())
    } else {
        entries.next()
    };
    entry.map_or(ShaderFlags::empty(), |entry| entry.flags)
}

/// Returns the features that the flags of a module require, in the numbering of SFI0.
pub fn features_of(flags: ShaderFlags) -> FeatureFlags {
    use {FeatureFlags as F, ShaderFlags as S};
    let low = flags.contains(S::LOW_PRECISION_PRESENT);
    let native = flags.contains(S::USE_NATIVE_LOW_PRECISION);
    let mut features = F::empty();
    features.set(F::MINIMUM_PRECISION, low && !native);
    features.set(F::NATIVE_LOW_PRECISION, low && native);
    for (flag, feature) in [
        (S::ENABLE_DOUBLE_PRECISION, F::DOUBLES),
        (S::ENABLE_DOUBLE_EXTENSIONS, F::DOUBLE_EXTENSIONS_11_1),
        (S::WAVE_OPS, F::WAVE_OPS),
        (S::INT64_OPS, F::INT64_OPS),
        (S::RASTERIZER_ORDERED_VIEWS, F::ROVS),
        (
            S::VIEWPORT_AND_RT_ARRAY_INDEX,
            F::VIEWPORT_AND_ARRAY_INDEX_FROM_ANY_STAGE,
        ),
        (S::INNER_COVERAGE, F::INNER_COVERAGE),
        (S::STENCIL_REF, F::STENCIL_REF),
        (S::TILED_RESOURCES, F::TILED_RESOURCES),
        (S::ENABLE_MSAD, F::SHADER_EXTENSIONS_11_1),
        (S::CS_4X_RAW_STRUCTURED, F::COMPUTE_AND_RAW_BUFFERS_ON_4X),
        (S::UAVS_AT_EVERY_STAGE, F::UAVS_AT_EVERY_STAGE),
        (S::UAV_COUNT_OVER_64, F::UAVS_64),
        (
            S::LEVEL_9_COMPARISON_FILTERING,
            F::LEVEL9_COMPARISON_FILTERING,
        ),
        (
            S::UAV_LOAD_ADDITIONAL_FORMATS,
            F::TYPED_UAV_LOAD_ADDITIONAL_FORMATS,
        ),
        (S::VIEW_ID, F::VIEW_ID),
        (S::BARYCENTRICS, F::BARYCENTRICS),
        (S::SHADING_RATE, F::SHADING_RATE),
        (S::RAYTRACING_TIER_1_1, F::RAYTRACING_TIER_1_1),
        (S::SAMPLER_FEEDBACK, F::SAMPLER_FEEDBACK),
        (
            S::ATOMIC_INT64_ON_TYPED_RESOURCE,
            F::ATOMIC_INT64_ON_TYPED_RESOURCE,
        ),
        (
            S::ATOMIC_INT64_ON_GROUP_SHARED,
            F::ATOMIC_INT64_ON_GROUP_SHARED,
        ),
        (
            S::DERIVATIVES_IN_MESH_AND_AMPLIFICATION,
            F::DERIVATIVES_IN_MESH_AND_AMPLIFICATION,
        ),
        (
            S::RESOURCE_DESCRIPTOR_HEAP_INDEXING,
            F::RESOURCE_DESCRIPTOR_HEAP_INDEXING,
        ),
        (
            S::SAMPLER_DESCRIPTOR_HEAP_INDEXING,
            F::SAMPLER_DESCRIPTOR_HEAP_INDEXING,
        ),
        (
            S::ATOMIC_INT64_ON_HEAP_RESOURCE,
            F::ATOMIC_INT64_ON_HEAP_RESOURCE,
        ),
        (S::ADVANCED_TEXTURE_OPS, F::ADVANCED_TEXTURE_OPS),
        (S::WRITEABLE_MSAA_TEXTURES, F::WRITEABLE_MSAA_TEXTURES),
        (
            S::SAMPLE_CMP_GRADIENT_OR_BIAS,
            F::SAMPLE_CMP_GRADIENT_OR_BIAS,
        ),
        (S::EXTENDED_COMMAND_INFO, F::EXTENDED_COMMAND_INFO),
    ] {
        features.set(feature, flags.contains(flag));
    }
    features
}
