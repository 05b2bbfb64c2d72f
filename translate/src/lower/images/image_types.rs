//! Types of images and texel buffers: dimensionality, scalar of the texels, format.

use dxil_frontend::dxil::{ResourceClass, ResourceKind, ShaderKind};

use crate::interface::{Representation, Usage, View};
use crate::lower::context::Input;
use crate::options::Features;
use crate::spirv::{Builder, Capability, Dim, Id, ImageFormat, ImageType};
use crate::{Error, PortableForm, Result};

/// Returns the type of an image or texel buffer, and declares its capabilities.
pub(in crate::lower) fn image_type(b: &mut Builder, input: &Input<'_>, view: &View) -> Result<Id> {
    let storage = view.class == ResourceClass::Uav;
    let (dim, arrayed, multisampled) = dimensions(view.kind)
        .ok_or_else(|| Error::internal(format!("{} is no image", view.describe())))?;
    let sampled = sampled_type(b, input, view)?;
    if let Representation::Attachment(_) = view.representation {
        if input.entry.kind != ShaderKind::Pixel {
            return Err(Error::unsupported(format!(
                "{} as an input attachment in a stage other than the pixel shader",
                view.describe()
            )));
        }
        b.capability(Capability::InputAttachment);
        return Ok(b.image(ImageType {
            sampled,
            dim: Dim::DimSubpassData,
            arrayed,
            multisampled,
            storage: true,
            format: ImageFormat::Unknown,
        }));
    }
    // A sampled image needs no format: the descriptor has it.
    let mut format = ImageFormat::Unknown;
    // Stores and loads of storage images need a format in the type, or a feature that replaces it.
    if storage {
        if let Some(texel) = view.format {
            format = texel.image_format().ok_or_else(|| {
                Error::unsupported(format!("{texel:?} as format of a storage image"))
            })?;
            if !texel.is_basic_storage_format() {
                b.capability(if texel_scalar(view).bits == 64 {
                    Capability::Int64ImageEXT
                } else {
                    Capability::StorageImageExtendedFormats
                });
            }
        } else {
            if view.usage.contains(Usage::READ) {
                b.capability(Capability::StorageImageReadWithoutFormat);
            }
            if view.usage.contains(Usage::WRITE) {
                b.capability(Capability::StorageImageWriteWithoutFormat);
            }
        }
    }
    image_capabilities(b, dim, arrayed, multisampled, storage);
    if storage && multisampled {
        if arrayed && !input.consumer().multisampled_storage_arrays {
            return Err(Error::portable(
                PortableForm::MultisampledArray,
                "an array of writable multisampled textures",
            ));
        }
        input.need_feature(
            Features::STORAGE_MULTISAMPLE,
            "shaderStorageImageMultisample",
            || view.describe(),
        )?;
    }
    Ok(b.image(ImageType {
        sampled,
        dim,
        arrayed,
        multisampled,
        storage,
        format,
    }))
}

/// Returns the scalar type of an image's texels.
fn sampled_type(b: &mut Builder, input: &Input<'_>, view: &View) -> Result<Id> {
    let texels = texel_scalar(view);
    // D3D has 64-bit texels for atomics only.
    if texels.bits == 64 {
        input.need_feature(
            Features::INT64 | Features::IMAGE_INT64_ATOMICS,
            "shaderImageInt64Atomics",
            || view.describe(),
        )?;
        b.capability(Capability::Int64ImageEXT);
        b.extension("SPV_EXT_shader_image_int64");
    }
    Ok(match texels.class {
        TexelClass::Float => b.f32(),
        TexelClass::Uint => b.uint(texels.bits),
        TexelClass::Sint => b.int(texels.bits),
    })
}

/// Numeric class of a texel's components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum TexelClass {
    /// Floats, the normalised ones included.
    Float,
    /// Unsigned integers.
    Uint,
    /// Signed integers.
    Sint,
}

/// Scalar of an image type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) struct TexelScalar {
    /// Numeric class.
    pub(in crate::lower) class: TexelClass,
    /// 32 or 64.
    pub(in crate::lower) bits: u32,
}

/// Returns the scalar that an image's texels are read as. It follows the component type, except
/// where atomics force an integer format on a float resource.
pub(in crate::lower) fn texel_scalar(view: &View) -> TexelScalar {
    use crate::Numeric;
    // DXC declares the resources of 64-bit atomics with pairs of 32-bit components.
    let wide = view.is_64_bit() || view.usage.contains(Usage::ATOMIC_64);
    let bits = if wide { 64 } else { 32 };
    let storage = view.class == ResourceClass::Uav;
    // A sampled image's class is that of the declaration; a storage image's follows its format.
    let class = match view.format.filter(|_| storage).map(|f| f.numeric()) {
        Some(Numeric::Uint) => TexelClass::Uint,
        Some(Numeric::Sint) => TexelClass::Sint,
        Some(Numeric::Float | Numeric::Unorm | Numeric::Snorm) => TexelClass::Float,
        None if view.is_signed() => TexelClass::Sint,
        None if view.is_integer() => TexelClass::Uint,
        None => TexelClass::Float,
    };
    TexelScalar { class, bits }
}

/// Returns the dimensionality, layers and samples of a resource kind.
pub(in crate::lower) fn dimensions(kind: ResourceKind) -> Option<(Dim, bool, bool)> {
    Some(match kind {
        ResourceKind::Texture1D => (Dim::Dim1D, false, false),
        ResourceKind::Texture2D | ResourceKind::FeedbackTexture2D => (Dim::Dim2D, false, false),
        ResourceKind::Texture2DMS => (Dim::Dim2D, false, true),
        ResourceKind::Texture3D => (Dim::Dim3D, false, false),
        ResourceKind::TextureCube => (Dim::DimCube, false, false),
        ResourceKind::Texture1DArray => (Dim::Dim1D, true, false),
        ResourceKind::Texture2DArray | ResourceKind::FeedbackTexture2DArray => {
            (Dim::Dim2D, true, false)
        }
        ResourceKind::Texture2DMSArray => (Dim::Dim2D, true, true),
        ResourceKind::TextureCubeArray => (Dim::DimCube, true, false),
        ResourceKind::TypedBuffer => (Dim::DimBuffer, false, false),
        _ => return None,
    })
}

/// Declares the capabilities of an image's dimensionality.
fn image_capabilities(b: &mut Builder, dim: Dim, arrayed: bool, multisampled: bool, storage: bool) {
    match (dim, storage) {
        (Dim::Dim1D, true) => b.capability(Capability::Image1D),
        (Dim::Dim1D, false) => b.capability(Capability::Sampled1D),
        (Dim::DimBuffer, true) => b.capability(Capability::ImageBuffer),
        (Dim::DimBuffer, false) => b.capability(Capability::SampledBuffer),
        (Dim::DimCube, true) if arrayed => b.capability(Capability::ImageCubeArray),
        (Dim::DimCube, false) if arrayed => b.capability(Capability::SampledCubeArray),
        _ => {}
    }
    if multisampled && storage {
        b.capability(Capability::StorageImageMultisample);
        if arrayed {
            b.capability(Capability::ImageMSArray);
        }
    }
}
