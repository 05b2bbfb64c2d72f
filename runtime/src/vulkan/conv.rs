//! Our words to Vulkan's: formats, samplers, descriptor types, results.

use ash::vk;
use dxil_frontend::dxil::ShaderKind;
use dxil_translate::DescriptorKind;

use crate::error::Error;
use crate::format::Format;
use crate::graphics::{BlendFactor, BlendOp, Cull, LogicOp, StencilOp, Topology};
use crate::job::{AddressMode, Comparison, Filter, Reduction};

/// Makes an error of a failed call.
pub(super) fn api(call: &'static str) -> impl Fn(vk::Result) -> Error {
    move |result| match result {
        vk::Result::ERROR_DEVICE_LOST => Error::DeviceLost,
        vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => Error::OutOfMemory("device"),
        vk::Result::ERROR_OUT_OF_HOST_MEMORY => Error::OutOfMemory("host"),
        other => Error::Api {
            call,
            reason: format!("{other:?}"),
        },
    }
}

pub(super) fn descriptor_type(kind: DescriptorKind) -> vk::DescriptorType {
    match kind {
        DescriptorKind::UniformBuffer => vk::DescriptorType::UNIFORM_BUFFER,
        DescriptorKind::StorageBuffer => vk::DescriptorType::STORAGE_BUFFER,
        DescriptorKind::UniformTexelBuffer => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
        DescriptorKind::StorageTexelBuffer => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
        DescriptorKind::SampledImage => vk::DescriptorType::SAMPLED_IMAGE,
        DescriptorKind::StorageImage => vk::DescriptorType::STORAGE_IMAGE,
        DescriptorKind::Sampler => vk::DescriptorType::SAMPLER,
        DescriptorKind::AccelerationStructure => vk::DescriptorType::ACCELERATION_STRUCTURE_KHR,
        DescriptorKind::InputAttachment => vk::DescriptorType::INPUT_ATTACHMENT,
    }
}

pub(super) fn format(format: Format) -> vk::Format {
    use Format as F;
    use vk::Format as V;
    match format {
        F::R8Unorm => V::R8_UNORM,
        F::R8Snorm => V::R8_SNORM,
        F::R8Uint => V::R8_UINT,
        F::R8Sint => V::R8_SINT,
        F::R16Unorm => V::R16_UNORM,
        F::R16Snorm => V::R16_SNORM,
        F::R16Uint => V::R16_UINT,
        F::R16Sint => V::R16_SINT,
        F::R16Float => V::R16_SFLOAT,
        F::R32Uint => V::R32_UINT,
        F::R32Sint => V::R32_SINT,
        F::R32Float => V::R32_SFLOAT,
        F::R64Uint => V::R64_UINT,
        F::R64Sint => V::R64_SINT,
        F::Rg8Unorm => V::R8G8_UNORM,
        F::Rg8Snorm => V::R8G8_SNORM,
        F::Rg8Uint => V::R8G8_UINT,
        F::Rg8Sint => V::R8G8_SINT,
        F::Rg16Unorm => V::R16G16_UNORM,
        F::Rg16Snorm => V::R16G16_SNORM,
        F::Rg16Uint => V::R16G16_UINT,
        F::Rg16Sint => V::R16G16_SINT,
        F::Rg16Float => V::R16G16_SFLOAT,
        F::Rg32Uint => V::R32G32_UINT,
        F::Rg32Sint => V::R32G32_SINT,
        F::Rg32Float => V::R32G32_SFLOAT,
        F::Rgb32Uint => V::R32G32B32_UINT,
        F::Rgb32Sint => V::R32G32B32_SINT,
        F::Rgb32Float => V::R32G32B32_SFLOAT,
        F::Rgba8Unorm => V::R8G8B8A8_UNORM,
        F::Rgba8Srgb => V::R8G8B8A8_SRGB,
        F::A8Unorm => V::A8_UNORM_KHR,
        F::Rgba8Snorm => V::R8G8B8A8_SNORM,
        F::Rgba8Uint => V::R8G8B8A8_UINT,
        F::Rgba8Sint => V::R8G8B8A8_SINT,
        // Vulkan has no format without alpha: views and write masks hide it.
        F::Bgra8Unorm | F::Bgrx8Unorm => V::B8G8R8A8_UNORM,
        F::Bgra8Srgb | F::Bgrx8Srgb => V::B8G8R8A8_SRGB,
        // Vulkan names the channels of packed formats from the highest bit, and DXGI from the
        // lowest.
        F::Rgb10a2Unorm => V::A2B10G10R10_UNORM_PACK32,
        F::Rgb10a2Uint => V::A2B10G10R10_UINT_PACK32,
        F::Rg11b10Float => V::B10G11R11_UFLOAT_PACK32,
        F::Rgb9e5Float => V::E5B9G9R9_UFLOAT_PACK32,
        F::Rgba16Unorm => V::R16G16B16A16_UNORM,
        F::Rgba16Snorm => V::R16G16B16A16_SNORM,
        F::Rgba16Uint => V::R16G16B16A16_UINT,
        F::Rgba16Sint => V::R16G16B16A16_SINT,
        F::Rgba16Float => V::R16G16B16A16_SFLOAT,
        F::Rgba32Uint => V::R32G32B32A32_UINT,
        F::Rgba32Sint => V::R32G32B32A32_SINT,
        F::Rgba32Float => V::R32G32B32A32_SFLOAT,
        F::B5g6r5Unorm => V::R5G6B5_UNORM_PACK16,
        F::Bgr5a1Unorm => V::A1R5G5B5_UNORM_PACK16,
        F::Bgra4Unorm => V::A4R4G4B4_UNORM_PACK16,
        F::D16Unorm => V::D16_UNORM,
        F::D32Float => V::D32_SFLOAT,
        F::D24UnormS8Uint => V::D24_UNORM_S8_UINT,
        F::D32FloatS8Uint => V::D32_SFLOAT_S8_UINT,
        F::Bc1Unorm => V::BC1_RGBA_UNORM_BLOCK,
        F::Bc1Srgb => V::BC1_RGBA_SRGB_BLOCK,
        F::Bc2Unorm => V::BC2_UNORM_BLOCK,
        F::Bc2Srgb => V::BC2_SRGB_BLOCK,
        F::Bc3Unorm => V::BC3_UNORM_BLOCK,
        F::Bc3Srgb => V::BC3_SRGB_BLOCK,
        F::Bc4Unorm => V::BC4_UNORM_BLOCK,
        F::Bc4Snorm => V::BC4_SNORM_BLOCK,
        F::Bc5Unorm => V::BC5_UNORM_BLOCK,
        F::Bc5Snorm => V::BC5_SNORM_BLOCK,
        F::Bc6hUfloat => V::BC6H_UFLOAT_BLOCK,
        F::Bc6hSfloat => V::BC6H_SFLOAT_BLOCK,
        F::Bc7Unorm => V::BC7_UNORM_BLOCK,
        F::Bc7Srgb => V::BC7_SRGB_BLOCK,
    }
}

pub(super) fn filter(filter: Filter) -> vk::Filter {
    match filter {
        Filter::Point => vk::Filter::NEAREST,
        Filter::Linear => vk::Filter::LINEAR,
    }
}

pub(super) fn mipmap_mode(filter: Filter) -> vk::SamplerMipmapMode {
    match filter {
        Filter::Point => vk::SamplerMipmapMode::NEAREST,
        Filter::Linear => vk::SamplerMipmapMode::LINEAR,
    }
}

pub(super) fn address_mode(mode: AddressMode) -> vk::SamplerAddressMode {
    match mode {
        AddressMode::Wrap => vk::SamplerAddressMode::REPEAT,
        AddressMode::Mirror => vk::SamplerAddressMode::MIRRORED_REPEAT,
        AddressMode::Clamp => vk::SamplerAddressMode::CLAMP_TO_EDGE,
        AddressMode::Border => vk::SamplerAddressMode::CLAMP_TO_BORDER,
        AddressMode::MirrorOnce => vk::SamplerAddressMode::MIRROR_CLAMP_TO_EDGE,
    }
}

pub(super) fn compare_op(comparison: Comparison) -> vk::CompareOp {
    match comparison {
        Comparison::Never => vk::CompareOp::NEVER,
        Comparison::Less => vk::CompareOp::LESS,
        Comparison::Equal => vk::CompareOp::EQUAL,
        Comparison::LessEqual => vk::CompareOp::LESS_OR_EQUAL,
        Comparison::Greater => vk::CompareOp::GREATER,
        Comparison::NotEqual => vk::CompareOp::NOT_EQUAL,
        Comparison::GreaterEqual => vk::CompareOp::GREATER_OR_EQUAL,
        Comparison::Always => vk::CompareOp::ALWAYS,
    }
}

pub(super) fn reduction(reduction: Reduction) -> vk::SamplerReductionMode {
    match reduction {
        Reduction::Average => vk::SamplerReductionMode::WEIGHTED_AVERAGE,
        Reduction::Minimum => vk::SamplerReductionMode::MIN,
        Reduction::Maximum => vk::SamplerReductionMode::MAX,
    }
}

pub(super) fn topology(topology: Topology) -> vk::PrimitiveTopology {
    use vk::PrimitiveTopology as V;
    match topology {
        Topology::PointList => V::POINT_LIST,
        Topology::LineList => V::LINE_LIST,
        Topology::LineStrip => V::LINE_STRIP,
        Topology::TriangleList => V::TRIANGLE_LIST,
        Topology::TriangleStrip => V::TRIANGLE_STRIP,
        Topology::LineListAdjacency => V::LINE_LIST_WITH_ADJACENCY,
        Topology::LineStripAdjacency => V::LINE_STRIP_WITH_ADJACENCY,
        Topology::TriangleListAdjacency => V::TRIANGLE_LIST_WITH_ADJACENCY,
        Topology::TriangleStripAdjacency => V::TRIANGLE_STRIP_WITH_ADJACENCY,
        Topology::PatchList(_) => V::PATCH_LIST,
    }
}

pub(super) fn cull_mode(cull: Cull) -> vk::CullModeFlags {
    match cull {
        Cull::None => vk::CullModeFlags::NONE,
        Cull::Front => vk::CullModeFlags::FRONT,
        Cull::Back => vk::CullModeFlags::BACK,
    }
}

pub(super) fn blend_factor(factor: BlendFactor) -> vk::BlendFactor {
    use vk::BlendFactor as V;
    match factor {
        BlendFactor::Zero => V::ZERO,
        BlendFactor::One => V::ONE,
        BlendFactor::SourceColor => V::SRC_COLOR,
        BlendFactor::InverseSourceColor => V::ONE_MINUS_SRC_COLOR,
        BlendFactor::SourceAlpha => V::SRC_ALPHA,
        BlendFactor::InverseSourceAlpha => V::ONE_MINUS_SRC_ALPHA,
        BlendFactor::DestinationColor => V::DST_COLOR,
        BlendFactor::InverseDestinationColor => V::ONE_MINUS_DST_COLOR,
        BlendFactor::DestinationAlpha => V::DST_ALPHA,
        BlendFactor::InverseDestinationAlpha => V::ONE_MINUS_DST_ALPHA,
        BlendFactor::SourceAlphaSaturate => V::SRC_ALPHA_SATURATE,
        BlendFactor::Constant => V::CONSTANT_COLOR,
        BlendFactor::InverseConstant => V::ONE_MINUS_CONSTANT_COLOR,
        BlendFactor::ConstantAlpha => V::CONSTANT_ALPHA,
        BlendFactor::InverseConstantAlpha => V::ONE_MINUS_CONSTANT_ALPHA,
        BlendFactor::Source1Color => V::SRC1_COLOR,
        BlendFactor::InverseSource1Color => V::ONE_MINUS_SRC1_COLOR,
        BlendFactor::Source1Alpha => V::SRC1_ALPHA,
        BlendFactor::InverseSource1Alpha => V::ONE_MINUS_SRC1_ALPHA,
    }
}

pub(super) fn stencil_op(op: StencilOp) -> vk::StencilOp {
    match op {
        StencilOp::Keep => vk::StencilOp::KEEP,
        StencilOp::Zero => vk::StencilOp::ZERO,
        StencilOp::Replace => vk::StencilOp::REPLACE,
        StencilOp::IncrementSaturate => vk::StencilOp::INCREMENT_AND_CLAMP,
        StencilOp::DecrementSaturate => vk::StencilOp::DECREMENT_AND_CLAMP,
        StencilOp::Invert => vk::StencilOp::INVERT,
        StencilOp::Increment => vk::StencilOp::INCREMENT_AND_WRAP,
        StencilOp::Decrement => vk::StencilOp::DECREMENT_AND_WRAP,
    }
}

pub(super) fn blend_op(op: BlendOp) -> vk::BlendOp {
    match op {
        BlendOp::Add => vk::BlendOp::ADD,
        BlendOp::Subtract => vk::BlendOp::SUBTRACT,
        BlendOp::ReverseSubtract => vk::BlendOp::REVERSE_SUBTRACT,
        BlendOp::Min => vk::BlendOp::MIN,
        BlendOp::Max => vk::BlendOp::MAX,
    }
}

pub(super) fn logic_op(op: LogicOp) -> vk::LogicOp {
    match op {
        LogicOp::Clear => vk::LogicOp::CLEAR,
        LogicOp::Set => vk::LogicOp::SET,
        LogicOp::Copy => vk::LogicOp::COPY,
        LogicOp::CopyInverted => vk::LogicOp::COPY_INVERTED,
        LogicOp::Noop => vk::LogicOp::NO_OP,
        LogicOp::Invert => vk::LogicOp::INVERT,
        LogicOp::And => vk::LogicOp::AND,
        LogicOp::Nand => vk::LogicOp::NAND,
        LogicOp::Or => vk::LogicOp::OR,
        LogicOp::Nor => vk::LogicOp::NOR,
        LogicOp::Xor => vk::LogicOp::XOR,
        LogicOp::Equivalent => vk::LogicOp::EQUIVALENT,
        LogicOp::AndReverse => vk::LogicOp::AND_REVERSE,
        LogicOp::AndInverted => vk::LogicOp::AND_INVERTED,
        LogicOp::OrReverse => vk::LogicOp::OR_REVERSE,
        LogicOp::OrInverted => vk::LogicOp::OR_INVERTED,
    }
}

/// Returns the stage of a graphics pipeline, if it is one.
pub(super) fn graphics_stage(kind: ShaderKind) -> Option<vk::ShaderStageFlags> {
    Some(match kind {
        ShaderKind::Vertex => vk::ShaderStageFlags::VERTEX,
        ShaderKind::Hull => vk::ShaderStageFlags::TESSELLATION_CONTROL,
        ShaderKind::Domain => vk::ShaderStageFlags::TESSELLATION_EVALUATION,
        ShaderKind::Geometry => vk::ShaderStageFlags::GEOMETRY,
        ShaderKind::Pixel => vk::ShaderStageFlags::FRAGMENT,
        ShaderKind::Amplification => vk::ShaderStageFlags::TASK_EXT,
        ShaderKind::Mesh => vk::ShaderStageFlags::MESH_EXT,
        _ => return None,
    })
}
