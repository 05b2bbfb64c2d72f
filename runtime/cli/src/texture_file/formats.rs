//! Numbers of texel formats in DDS files (`DXGI_FORMAT`) and KTX 2.0 files (`VkFormat`).

use ddsfile::{D3DFormat, DxgiFormat as D, FourCC, PixelFormat};
use dxil_runtime::Format as F;
use ktx2::Format as V;

/// The formats that files can have. A row lacks what an interface has no format for.
const FORMATS: [(F, Option<D>, Option<V>); 70] = [
    (F::R8Unorm, Some(D::R8_UNorm), Some(V::R8_UNORM)),
    (F::R8Snorm, Some(D::R8_SNorm), Some(V::R8_SNORM)),
    (F::R8Uint, Some(D::R8_UInt), Some(V::R8_UINT)),
    (F::R8Sint, Some(D::R8_SInt), Some(V::R8_SINT)),
    (F::R16Unorm, Some(D::R16_UNorm), Some(V::R16_UNORM)),
    (F::R16Snorm, Some(D::R16_SNorm), Some(V::R16_SNORM)),
    (F::R16Uint, Some(D::R16_UInt), Some(V::R16_UINT)),
    (F::R16Sint, Some(D::R16_SInt), Some(V::R16_SINT)),
    (F::R16Float, Some(D::R16_Float), Some(V::R16_SFLOAT)),
    (F::R32Uint, Some(D::R32_UInt), Some(V::R32_UINT)),
    (F::R32Sint, Some(D::R32_SInt), Some(V::R32_SINT)),
    (F::R32Float, Some(D::R32_Float), Some(V::R32_SFLOAT)),
    (F::R64Uint, None, Some(V::R64_UINT)),
    (F::R64Sint, None, Some(V::R64_SINT)),
    (F::Rg8Unorm, Some(D::R8G8_UNorm), Some(V::R8G8_UNORM)),
    (F::Rg8Snorm, Some(D::R8G8_SNorm), Some(V::R8G8_SNORM)),
    (F::Rg8Uint, Some(D::R8G8_UInt), Some(V::R8G8_UINT)),
    (F::Rg8Sint, Some(D::R8G8_SInt), Some(V::R8G8_SINT)),
    (F::Rg16Unorm, Some(D::R16G16_UNorm), Some(V::R16G16_UNORM)),
    (F::Rg16Snorm, Some(D::R16G16_SNorm), Some(V::R16G16_SNORM)),
    (F::Rg16Uint, Some(D::R16G16_UInt), Some(V::R16G16_UINT)),
    (F::Rg16Sint, Some(D::R16G16_SInt), Some(V::R16G16_SINT)),
    (F::Rg16Float, Some(D::R16G16_Float), Some(V::R16G16_SFLOAT)),
    (F::Rg32Uint, Some(D::R32G32_UInt), Some(V::R32G32_UINT)),
    (F::Rg32Sint, Some(D::R32G32_SInt), Some(V::R32G32_SINT)),
    (F::Rg32Float, Some(D::R32G32_Float), Some(V::R32G32_SFLOAT)),
    (
        F::Rgb32Uint,
        Some(D::R32G32B32_UInt),
        Some(V::R32G32B32_UINT),
    ),
    (
        F::Rgb32Sint,
        Some(D::R32G32B32_SInt),
        Some(V::R32G32B32_SINT),
    ),
    (
        F::Rgb32Float,
        Some(D::R32G32B32_Float),
        Some(V::R32G32B32_SFLOAT),
    ),
    (
        F::Rgba8Unorm,
        Some(D::R8G8B8A8_UNorm),
        Some(V::R8G8B8A8_UNORM),
    ),
    (
        F::Rgba8Srgb,
        Some(D::R8G8B8A8_UNorm_sRGB),
        Some(V::R8G8B8A8_SRGB),
    ),
    (F::A8Unorm, Some(D::A8_UNorm), Some(V::A8_UNORM)),
    (
        F::Rgba8Snorm,
        Some(D::R8G8B8A8_SNorm),
        Some(V::R8G8B8A8_SNORM),
    ),
    (F::Rgba8Uint, Some(D::R8G8B8A8_UInt), Some(V::R8G8B8A8_UINT)),
    (F::Rgba8Sint, Some(D::R8G8B8A8_SInt), Some(V::R8G8B8A8_SINT)),
    (
        F::Bgra8Unorm,
        Some(D::B8G8R8A8_UNorm),
        Some(V::B8G8R8A8_UNORM),
    ),
    (
        F::Bgra8Srgb,
        Some(D::B8G8R8A8_UNorm_sRGB),
        Some(V::B8G8R8A8_SRGB),
    ),
    // Vulkan has no formats with a byte that means nothing.
    (F::Bgrx8Unorm, Some(D::B8G8R8X8_UNorm), None),
    (F::Bgrx8Srgb, Some(D::B8G8R8X8_UNorm_sRGB), None),
    // Vulkan names the channels of packed formats from the highest bit, and DXGI from the lowest.
    (
        F::Rgb10a2Unorm,
        Some(D::R10G10B10A2_UNorm),
        Some(V::A2B10G10R10_UNORM_PACK32),
    ),
    (
        F::Rgb10a2Uint,
        Some(D::R10G10B10A2_UInt),
        Some(V::A2B10G10R10_UINT_PACK32),
    ),
    (
        F::Rg11b10Float,
        Some(D::R11G11B10_Float),
        Some(V::B10G11R11_UFLOAT_PACK32),
    ),
    (
        F::Rgb9e5Float,
        Some(D::R9G9B9E5_SharedExp),
        Some(V::E5B9G9R9_UFLOAT_PACK32),
    ),
    (
        F::Rgba16Unorm,
        Some(D::R16G16B16A16_UNorm),
        Some(V::R16G16B16A16_UNORM),
    ),
    (
        F::Rgba16Snorm,
        Some(D::R16G16B16A16_SNorm),
        Some(V::R16G16B16A16_SNORM),
    ),
    (
        F::Rgba16Uint,
        Some(D::R16G16B16A16_UInt),
        Some(V::R16G16B16A16_UINT),
    ),
    (
        F::Rgba16Sint,
        Some(D::R16G16B16A16_SInt),
        Some(V::R16G16B16A16_SINT),
    ),
    (
        F::Rgba16Float,
        Some(D::R16G16B16A16_Float),
        Some(V::R16G16B16A16_SFLOAT),
    ),
    (
        F::Rgba32Uint,
        Some(D::R32G32B32A32_UInt),
        Some(V::R32G32B32A32_UINT),
    ),
    (
        F::Rgba32Sint,
        Some(D::R32G32B32A32_SInt),
        Some(V::R32G32B32A32_SINT),
    ),
    (
        F::Rgba32Float,
        Some(D::R32G32B32A32_Float),
        Some(V::R32G32B32A32_SFLOAT),
    ),
    (
        F::B5g6r5Unorm,
        Some(D::B5G6R5_UNorm),
        Some(V::R5G6B5_UNORM_PACK16),
    ),
    (
        F::Bgr5a1Unorm,
        Some(D::B5G5R5A1_UNorm),
        Some(V::A1R5G5B5_UNORM_PACK16),
    ),
    (
        F::Bgra4Unorm,
        Some(D::B4G4R4A4_UNorm),
        Some(V::A4R4G4B4_UNORM_PACK16),
    ),
    (F::D16Unorm, Some(D::D16_UNorm), Some(V::D16_UNORM)),
    (F::D32Float, Some(D::D32_Float), Some(V::D32_SFLOAT)),
    (
        F::Bc1Unorm,
        Some(D::BC1_UNorm),
        Some(V::BC1_RGBA_UNORM_BLOCK),
    ),
    (
        F::Bc1Srgb,
        Some(D::BC1_UNorm_sRGB),
        Some(V::BC1_RGBA_SRGB_BLOCK),
    ),
    (F::Bc2Unorm, Some(D::BC2_UNorm), Some(V::BC2_UNORM_BLOCK)),
    (F::Bc2Srgb, Some(D::BC2_UNorm_sRGB), Some(V::BC2_SRGB_BLOCK)),
    (F::Bc3Unorm, Some(D::BC3_UNorm), Some(V::BC3_UNORM_BLOCK)),
    (F::Bc3Srgb, Some(D::BC3_UNorm_sRGB), Some(V::BC3_SRGB_BLOCK)),
    (F::Bc4Unorm, Some(D::BC4_UNorm), Some(V::BC4_UNORM_BLOCK)),
    (F::Bc4Snorm, Some(D::BC4_SNorm), Some(V::BC4_SNORM_BLOCK)),
    (F::Bc5Unorm, Some(D::BC5_UNorm), Some(V::BC5_UNORM_BLOCK)),
    (F::Bc5Snorm, Some(D::BC5_SNorm), Some(V::BC5_SNORM_BLOCK)),
    (
        F::Bc6hUfloat,
        Some(D::BC6H_UF16),
        Some(V::BC6H_UFLOAT_BLOCK),
    ),
    (
        F::Bc6hSfloat,
        Some(D::BC6H_SF16),
        Some(V::BC6H_SFLOAT_BLOCK),
    ),
    (F::Bc7Unorm, Some(D::BC7_UNorm), Some(V::BC7_UNORM_BLOCK)),
    (F::Bc7Srgb, Some(D::BC7_UNorm_sRGB), Some(V::BC7_SRGB_BLOCK)),
];

/// Returns the format of a number of DXGI.
///
/// Without a type, texels are what views of DXGI's family most often are: normalised, or floats
/// where they have 16 or 32 bits and no other kind of float.
pub(super) fn of_dxgi(number: D) -> Option<F> {
    let number = match number {
        D::R32G32B32A32_Typeless => D::R32G32B32A32_Float,
        D::R32G32B32_Typeless => D::R32G32B32_Float,
        D::R32G32_Typeless => D::R32G32_Float,
        D::R32_Typeless => D::R32_Float,
        D::R16G16B16A16_Typeless => D::R16G16B16A16_Float,
        D::R16G16_Typeless => D::R16G16_Float,
        D::R16_Typeless => D::R16_Float,
        D::R10G10B10A2_Typeless => D::R10G10B10A2_UNorm,
        D::R8G8B8A8_Typeless => D::R8G8B8A8_UNorm,
        D::B8G8R8A8_Typeless => D::B8G8R8A8_UNorm,
        D::B8G8R8X8_Typeless => D::B8G8R8X8_UNorm,
        D::R8G8_Typeless => D::R8G8_UNorm,
        D::R8_Typeless => D::R8_UNorm,
        D::BC1_Typeless => D::BC1_UNorm,
        D::BC2_Typeless => D::BC2_UNorm,
        D::BC3_Typeless => D::BC3_UNorm,
        D::BC4_Typeless => D::BC4_UNorm,
        D::BC5_Typeless => D::BC5_UNorm,
        D::BC6H_Typeless => D::BC6H_UF16,
        D::BC7_Typeless => D::BC7_UNorm,
        other => other,
    };
    let row = FORMATS.iter().find(|(_, dxgi, _)| *dxgi == Some(number));
    row.map(|(format, ..)| *format)
}

/// Returns the format of a number of Vulkan. BC1 without alpha is decoded like BC1.
pub(super) fn of_vulkan(number: V) -> Option<F> {
    let number = match number {
        V::BC1_RGB_UNORM_BLOCK => V::BC1_RGBA_UNORM_BLOCK,
        V::BC1_RGB_SRGB_BLOCK => V::BC1_RGBA_SRGB_BLOCK,
        other => other,
    };
    let row = FORMATS.iter().find(|(.., vulkan)| *vulkan == Some(number));
    row.map(|(format, ..)| *format)
}

/// Returns DXGI's number of a format.
pub(super) fn dxgi(format: F) -> Option<D> {
    let row = FORMATS.iter().find(|(candidate, ..)| *candidate == format);
    row.and_then(|(_, dxgi, _)| *dxgi)
}

/// Returns Vulkan's number of a format.
pub(super) fn vulkan(format: F) -> Option<V> {
    let row = FORMATS.iter().find(|(candidate, ..)| *candidate == format);
    row.and_then(|(.., vulkan)| *vulkan)
}

/// Returns the format of a DDS file from before Direct3D 10, by its `DDS_PIXELFORMAT` ("Programming
/// Guide for DDS", Common DDS File Resource Formats): colours are not on the sRGB curve.
pub(super) fn of_legacy(pixel: &PixelFormat) -> Option<F> {
    if let Some(FourCC(code)) = pixel.fourcc
        && let Some(format) = match &code.to_le_bytes() {
            b"DXT1" => Some(F::Bc1Unorm),
            // DXT2 and DXT4 have colours that are multiplied by alpha.
            b"DXT2" | b"DXT3" => Some(F::Bc2Unorm),
            b"DXT4" | b"DXT5" => Some(F::Bc3Unorm),
            b"ATI1" | b"BC4U" => Some(F::Bc4Unorm),
            b"BC4S" => Some(F::Bc4Snorm),
            b"ATI2" | b"BC5U" => Some(F::Bc5Unorm),
            b"BC5S" => Some(F::Bc5Snorm),
            _ => None,
        }
    {
        return Some(format);
    }
    use D3DFormat as Old;
    Some(match Old::try_from_pixel_format(pixel)? {
        Old::A8B8G8R8 => F::Rgba8Unorm,
        Old::A8R8G8B8 => F::Bgra8Unorm,
        Old::X8R8G8B8 => F::Bgrx8Unorm,
        Old::G16R16 => F::Rg16Unorm,
        // The masks of Direct3D 9's name are those of DXGI's R10G10B10A2.
        Old::A2B10G10R10 => F::Rgb10a2Unorm,
        Old::A1R5G5B5 => F::Bgr5a1Unorm,
        Old::R5G6B5 => F::B5g6r5Unorm,
        Old::A4R4G4B4 => F::Bgra4Unorm,
        Old::A8 => F::A8Unorm,
        Old::L8 => F::R8Unorm,
        Old::L16 => F::R16Unorm,
        Old::A8L8 => F::Rg8Unorm,
        Old::A16B16G16R16 => F::Rgba16Unorm,
        Old::Q16W16V16U16 => F::Rgba16Snorm,
        Old::R16F => F::R16Float,
        Old::G16R16F => F::Rg16Float,
        Old::A16B16G16R16F => F::Rgba16Float,
        Old::R32F => F::R32Float,
        Old::G32R32F => F::Rg32Float,
        Old::A32B32G32R32F => F::Rgba32Float,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// DXGI's names in the two lists differ in case alone, and bits of a texel are those of the
    /// crates' own tables.
    #[test]
    fn rows_agree_with_the_names_and_sizes_of_the_libraries() {
        for (format, dxgi, vulkan) in FORMATS {
            if let Some(dxgi) = dxgi {
                let name = format!("{dxgi:?}").to_ascii_uppercase();
                assert_eq!(name, format.dxgi_name());
            }
            if let Some(vulkan) = vulkan
                // The crate describes what the registry of Khronos has as depth otherwise.
                && !format.is_depth()
            {
                let (basic, _) = ktx2::dfd::Basic::from_format(vulkan).unwrap();
                let bytes = u32::from(basic.bytes_planes[0]);
                assert_eq!(bytes, format.block_bytes(), "{format}");
            }
        }
    }

    #[test]
    fn formats_without_a_file_are_few() {
        let missing: Vec<F> = (F::ALL.iter().copied())
            .filter(|format| !FORMATS.iter().any(|(row, ..)| row == format))
            .collect();
        // Their bytes in files are not those of a copy of a texture.
        assert_eq!(missing, [F::D24UnormS8Uint, F::D32FloatS8Uint]);
    }
}
