//! Our words to wgpu's.

use dxil_frontend::dxil::{ComponentType, ResourceKind};
use wgpu::TextureFormat as W;

use crate::error::{Error, Result};
use crate::format::Format;
use crate::graphics::{Blend, BlendFactor, BlendOp, StencilOp};
use crate::job::{AddressMode, Comparison, Dimension, Filter, Reduction, Sampler};

/// Returns wgpu's format; an error if it has none.
pub(super) fn format(format: Format) -> Result<W> {
    use Format as F;
    Ok(match format {
        F::R8Unorm => W::R8Unorm,
        F::R8Snorm => W::R8Snorm,
        F::R8Uint => W::R8Uint,
        F::R8Sint => W::R8Sint,
        F::R16Unorm => W::R16Unorm,
        F::R16Snorm => W::R16Snorm,
        F::R16Uint => W::R16Uint,
        F::R16Sint => W::R16Sint,
        F::R16Float => W::R16Float,
        F::R32Uint => W::R32Uint,
        F::R32Sint => W::R32Sint,
        F::R32Float => W::R32Float,
        F::R64Uint => W::R64Uint,
        F::Rg8Unorm => W::Rg8Unorm,
        F::Rg8Snorm => W::Rg8Snorm,
        F::Rg8Uint => W::Rg8Uint,
        F::Rg8Sint => W::Rg8Sint,
        F::Rg16Unorm => W::Rg16Unorm,
        F::Rg16Snorm => W::Rg16Snorm,
        F::Rg16Uint => W::Rg16Uint,
        F::Rg16Sint => W::Rg16Sint,
        F::Rg16Float => W::Rg16Float,
        F::Rg32Uint => W::Rg32Uint,
        F::Rg32Sint => W::Rg32Sint,
        F::Rg32Float => W::Rg32Float,
        F::Rgba8Unorm => W::Rgba8Unorm,
        F::Rgba8Srgb => W::Rgba8UnormSrgb,
        F::Rgba8Snorm => W::Rgba8Snorm,
        F::Rgba8Uint => W::Rgba8Uint,
        F::Rgba8Sint => W::Rgba8Sint,
        F::Bgra8Unorm => W::Bgra8Unorm,
        F::Bgra8Srgb => W::Bgra8UnormSrgb,
        F::Rgb10a2Unorm => W::Rgb10a2Unorm,
        F::Rgb10a2Uint => W::Rgb10a2Uint,
        F::Rg11b10Float => W::Rg11b10Ufloat,
        F::Rgb9e5Float => W::Rgb9e5Ufloat,
        F::Rgba16Unorm => W::Rgba16Unorm,
        F::Rgba16Snorm => W::Rgba16Snorm,
        F::Rgba16Uint => W::Rgba16Uint,
        F::Rgba16Sint => W::Rgba16Sint,
        F::Rgba16Float => W::Rgba16Float,
        F::Rgba32Uint => W::Rgba32Uint,
        F::Rgba32Sint => W::Rgba32Sint,
        F::Rgba32Float => W::Rgba32Float,
        F::D16Unorm => W::Depth16Unorm,
        F::D32Float => W::Depth32Float,
        F::D32FloatS8Uint => W::Depth32FloatStencil8,
        F::Bc1Unorm => W::Bc1RgbaUnorm,
        F::Bc1Srgb => W::Bc1RgbaUnormSrgb,
        F::Bc2Unorm => W::Bc2RgbaUnorm,
        F::Bc2Srgb => W::Bc2RgbaUnormSrgb,
        F::Bc3Unorm => W::Bc3RgbaUnorm,
        F::Bc3Srgb => W::Bc3RgbaUnormSrgb,
        F::Bc4Unorm => W::Bc4RUnorm,
        F::Bc4Snorm => W::Bc4RSnorm,
        F::Bc5Unorm => W::Bc5RgUnorm,
        F::Bc5Snorm => W::Bc5RgSnorm,
        F::Bc6hUfloat => W::Bc6hRgbUfloat,
        F::Bc6hSfloat => W::Bc6hRgbFloat,
        F::Bc7Unorm => W::Bc7RgbaUnorm,
        F::Bc7Srgb => W::Bc7RgbaUnormSrgb,
        F::R64Sint
        | F::A8Unorm
        | F::Bgrx8Unorm
        | F::Bgrx8Srgb
        | F::Bgra4Unorm
        | F::Rgb32Uint
        | F::Rgb32Sint
        | F::Rgb32Float
        | F::B5g6r5Unorm
        | F::Bgr5a1Unorm
        | F::D24UnormS8Uint => {
            return Err(Error::Unsupported(format!(
                "textures of format {format} (wgpu has none)"
            )));
        }
    })
}

pub(super) fn dimension(dimension: Dimension) -> wgpu::TextureDimension {
    match dimension {
        Dimension::D1 => wgpu::TextureDimension::D1,
        Dimension::D2 => wgpu::TextureDimension::D2,
        Dimension::D3 => wgpu::TextureDimension::D3,
    }
}

/// Returns the view dimension of a declared texture; an error for what wgpu lacks.
pub(super) fn view_dimension(shape: ResourceKind) -> Result<wgpu::TextureViewDimension> {
    use ResourceKind as K;
    use wgpu::TextureViewDimension as V;
    Ok(match shape {
        K::Texture1D => V::D1,
        K::Texture2D | K::Texture2DMS | K::FeedbackTexture2D => V::D2,
        K::Texture2DArray | K::Texture2DMSArray | K::FeedbackTexture2DArray => V::D2Array,
        K::Texture3D => V::D3,
        K::TextureCube => V::Cube,
        K::TextureCubeArray => V::CubeArray,
        other => {
            return Err(Error::Unsupported(format!(
                "{} (wgpu has none)",
                crate::root_signature::kind_name(other)
            )));
        }
    })
}

/// Returns the sample type of a declared texture. Code that is passed through filters as it likes;
/// code that goes through naga is checked against the layout, so it gets the filterable type.
pub(super) fn sample_type(
    component: Option<ComponentType>,
    passthrough: bool,
    multisampled: bool,
) -> wgpu::TextureSampleType {
    use ComponentType as C;
    match component {
        Some(C::U16 | C::U32 | C::U64 | C::I1 | C::PackedU8x32) => wgpu::TextureSampleType::Uint,
        Some(C::I16 | C::I32 | C::I64 | C::PackedS8x32) => wgpu::TextureSampleType::Sint,
        _ => wgpu::TextureSampleType::Float {
            // wgpu has no filterable multisampled textures.
            filterable: !passthrough && !multisampled,
        },
    }
}

/// Returns a sampler's descriptor; an error for what wgpu lacks.
pub(super) fn sampler(sampler: &Sampler) -> Result<wgpu::SamplerDescriptor<'static>> {
    if sampler.reduction != Reduction::Average {
        return Err(Error::Unsupported(
            "minimum and maximum filters (wgpu has none)".into(),
        ));
    }
    if sampler.lod_bias != 0.0 {
        return Err(Error::Unsupported(
            "a sampler's level-of-detail bias (wgpu has none)".into(),
        ));
    }
    let address = |mode| {
        Ok(match mode {
            AddressMode::Wrap => wgpu::AddressMode::Repeat,
            AddressMode::Mirror => wgpu::AddressMode::MirrorRepeat,
            AddressMode::Clamp => wgpu::AddressMode::ClampToEdge,
            AddressMode::Border => wgpu::AddressMode::ClampToBorder,
            AddressMode::MirrorOnce => {
                return Err(Error::Unsupported(
                    "mirror-once addressing (wgpu has none)".into(),
                ));
            }
        })
    };
    let filter = |filter| match filter {
        Filter::Point => wgpu::FilterMode::Nearest,
        Filter::Linear => wgpu::FilterMode::Linear,
    };
    let uses_border = sampler.address.contains(&AddressMode::Border);
    let border_color = match sampler.border {
        _ if !uses_border => None,
        [0.0, 0.0, 0.0, 0.0] => Some(wgpu::SamplerBorderColor::TransparentBlack),
        [0.0, 0.0, 0.0, 1.0] => Some(wgpu::SamplerBorderColor::OpaqueBlack),
        [1.0, 1.0, 1.0, 1.0] => Some(wgpu::SamplerBorderColor::OpaqueWhite),
        other => {
            return Err(Error::Unsupported(format!(
                "the border colour {other:?} (wgpu has three)"
            )));
        }
    };
    // wgpu refuses negative levels, and a maximum below the minimum.
    let min_lod = sampler.min_lod.max(0.0);
    Ok(wgpu::SamplerDescriptor {
        label: None,
        address_mode_u: address(sampler.address[0])?,
        address_mode_v: address(sampler.address[1])?,
        address_mode_w: address(sampler.address[2])?,
        mag_filter: filter(sampler.mag_filter),
        min_filter: filter(sampler.min_filter),
        mipmap_filter: match sampler.mip_filter {
            Filter::Point => wgpu::MipmapFilterMode::Nearest,
            Filter::Linear => wgpu::MipmapFilterMode::Linear,
        },
        lod_min_clamp: min_lod,
        lod_max_clamp: sampler.max_lod.max(min_lod),
        compare: sampler.comparison.map(compare),
        // For wgpu an anisotropy of 1 is none.
        anisotropy_clamp: sampler.anisotropy.clamp(1, 16) as u16,
        border_color,
    })
}

/// Returns a comparison.
pub(super) fn compare(comparison: Comparison) -> wgpu::CompareFunction {
    match comparison {
        Comparison::Never => wgpu::CompareFunction::Never,
        Comparison::Less => wgpu::CompareFunction::Less,
        Comparison::Equal => wgpu::CompareFunction::Equal,
        Comparison::LessEqual => wgpu::CompareFunction::LessEqual,
        Comparison::Greater => wgpu::CompareFunction::Greater,
        Comparison::NotEqual => wgpu::CompareFunction::NotEqual,
        Comparison::GreaterEqual => wgpu::CompareFunction::GreaterEqual,
        Comparison::Always => wgpu::CompareFunction::Always,
    }
}

/// Returns a blend; an error for what wgpu lacks.
pub(super) fn blend(blend: &Blend) -> Result<wgpu::BlendState> {
    Ok(wgpu::BlendState {
        color: component(blend.color, blend.color_op, blend_factor)?,
        // wgpu's constant is the whole colour, and of that alpha is blended with alpha.
        alpha: component(blend.alpha, blend.alpha_op, |factor| match factor {
            BlendFactor::ConstantAlpha => Ok(wgpu::BlendFactor::Constant),
            BlendFactor::InverseConstantAlpha => Ok(wgpu::BlendFactor::OneMinusConstant),
            other => blend_factor(other),
        })?,
    })
}

fn component(
    factors: (BlendFactor, BlendFactor),
    op: BlendOp,
    convert: impl Fn(BlendFactor) -> Result<wgpu::BlendFactor>,
) -> Result<wgpu::BlendComponent> {
    let (source, destination) = factors_for(factors, op);
    Ok(wgpu::BlendComponent {
        src_factor: convert(source)?,
        dst_factor: convert(destination)?,
        operation: match op {
            BlendOp::Add => wgpu::BlendOperation::Add,
            BlendOp::Subtract => wgpu::BlendOperation::Subtract,
            BlendOp::ReverseSubtract => wgpu::BlendOperation::ReverseSubtract,
            BlendOp::Min => wgpu::BlendOperation::Min,
            BlendOp::Max => wgpu::BlendOperation::Max,
        },
    })
}

/// Returns the factors that wgpu requires: one for minimum and maximum, in which D3D ignores them.
fn factors_for(factors: (BlendFactor, BlendFactor), op: BlendOp) -> (BlendFactor, BlendFactor) {
    match op {
        BlendOp::Min | BlendOp::Max => (BlendFactor::One, BlendFactor::One),
        BlendOp::Add | BlendOp::Subtract | BlendOp::ReverseSubtract => factors,
    }
}

fn blend_factor(factor: BlendFactor) -> Result<wgpu::BlendFactor> {
    use BlendFactor as F;
    use wgpu::BlendFactor as W;
    Ok(match factor {
        F::Zero => W::Zero,
        F::One => W::One,
        F::SourceColor => W::Src,
        F::InverseSourceColor => W::OneMinusSrc,
        F::SourceAlpha => W::SrcAlpha,
        F::InverseSourceAlpha => W::OneMinusSrcAlpha,
        F::DestinationColor => W::Dst,
        F::InverseDestinationColor => W::OneMinusDst,
        F::DestinationAlpha => W::DstAlpha,
        F::InverseDestinationAlpha => W::OneMinusDstAlpha,
        F::SourceAlphaSaturate => W::SrcAlphaSaturated,
        F::Constant => W::Constant,
        F::InverseConstant => W::OneMinusConstant,
        F::Source1Color => W::Src1,
        F::InverseSource1Color => W::OneMinusSrc1,
        F::Source1Alpha => W::Src1Alpha,
        F::InverseSource1Alpha => W::OneMinusSrc1Alpha,
        F::ConstantAlpha | F::InverseConstantAlpha => {
            return Err(Error::Unsupported(
                "the alpha of the blend constants as a factor of colour (wgpu has none)".into(),
            ));
        }
    })
}

/// Returns the operation on a stencil value.
pub(super) fn stencil_op(op: StencilOp) -> wgpu::StencilOperation {
    use wgpu::StencilOperation as W;
    match op {
        StencilOp::Keep => W::Keep,
        StencilOp::Zero => W::Zero,
        StencilOp::Replace => W::Replace,
        StencilOp::IncrementSaturate => W::IncrementClamp,
        StencilOp::DecrementSaturate => W::DecrementClamp,
        StencilOp::Invert => W::Invert,
        StencilOp::Increment => W::IncrementWrap,
        StencilOp::Decrement => W::DecrementWrap,
    }
}
