//! DDS files ("Programming Guide for DDS", Microsoft Learn).

use ddsfile::{
    AlphaMode, Caps2, D3D10ResourceDimension, Dds, FourCC, MiscFlag, NewDxgiParams, PixelFormat,
    PixelFormatFlags,
};
use dxil_runtime::job::{Dimension, Texture};

use super::file::{TextureFile, too_short};
use super::formats;

/// Reads a file.
pub(super) fn read(file: &[u8]) -> Result<TextureFile, String> {
    let dds = Dds::read(file).map_err(|error| error.to_string())?;
    let header = &dds.header;
    let depth = header.depth.unwrap_or(1);
    let mut texture = Texture {
        width: header.width,
        height: header.height,
        mips: header.mip_map_count.unwrap_or(1).max(1),
        ..Texture::new_2d(dxil_runtime::Format::Rgba8Unorm, 1, 1, Vec::new())
    };
    let is_cube;
    if let Some(more) = &dds.header10 {
        let format = formats::of_dxgi(more.dxgi_format);
        texture.format = format.ok_or_else(|| format!("the format {:?}", more.dxgi_format))?;
        is_cube = more.misc_flag.contains(MiscFlag::TEXTURECUBE);
        let faces = if is_cube { 6 } else { 1 };
        // Pillow writes 0 for a single texture.
        let layers = more.array_size.max(1).checked_mul(faces);
        texture.layers = layers.ok_or("it has too many layers")?;
        match more.resource_dimension {
            D3D10ResourceDimension::Texture1D => {
                texture.dimension = Dimension::D1;
                texture.height = 1;
            }
            D3D10ResourceDimension::Texture3D => {
                texture.dimension = Dimension::D3;
                texture.depth = depth;
            }
            _ => {}
        }
    } else {
        let format = formats::of_legacy(&header.spf);
        texture.format = format.ok_or_else(|| format!("the pixel format {:?}", header.spf))?;
        is_cube = header.caps2.contains(Caps2::CUBEMAP);
        let faces = Caps2::CUBEMAP_POSITIVEX
            | Caps2::CUBEMAP_NEGATIVEX
            | Caps2::CUBEMAP_POSITIVEY
            | Caps2::CUBEMAP_NEGATIVEY
            | Caps2::CUBEMAP_POSITIVEZ
            | Caps2::CUBEMAP_NEGATIVEZ;
        if is_cube {
            if !header.caps2.contains(faces) {
                return Err("a cube with fewer than six faces".into());
            }
            texture.layers = 6;
        } else if header.caps2.contains(Caps2::VOLUME) {
            texture.dimension = Dimension::D3;
            texture.depth = depth;
        }
    }
    // The texels lie layer by layer, in a layer level by level: as in `Texture::data`.
    TextureFile::check(&texture)?;
    let bytes = usize::try_from(texture.total_bytes()).unwrap_or(usize::MAX);
    let data = (dds.data.get(..bytes)).ok_or_else(|| too_short(bytes, dds.data.len()))?;
    texture.data = data.to_vec();
    Ok(TextureFile { texture, is_cube })
}

/// Returns a file with the texels.
pub(super) fn write(texture: &Texture, is_cube: bool, data: &[u8]) -> Result<Vec<u8>, String> {
    let format = formats::dxgi(texture.format)
        .ok_or_else(|| format!("DDS files have no format {}", texture.format))?;
    let is_volume = texture.dimension == Dimension::D3;
    // The library counts bytes in 32 bits.
    if u32::try_from(texture.total_bytes()).is_err() {
        return Err("it is larger than 4 GiB".into());
    }
    let mut dds = Dds::new_dxgi(NewDxgiParams {
        width: texture.width,
        height: texture.height,
        depth: is_volume.then_some(texture.depth),
        format,
        mipmap_levels: (texture.mips > 1).then_some(texture.mips),
        array_layers: (texture.layers > 1).then_some(texture.layers),
        caps2: match (is_cube, is_volume) {
            (true, _) => Some(Caps2::CUBEMAP | Caps2::CUBEMAP_ALLFACES),
            (_, true) => Some(Caps2::VOLUME),
            _ => None,
        },
        is_cubemap: is_cube,
        resource_dimension: match texture.dimension {
            Dimension::D1 => D3D10ResourceDimension::Texture1D,
            Dimension::D2 => D3D10ResourceDimension::Texture2D,
            Dimension::D3 => D3D10ResourceDimension::Texture3D,
        },
        alpha_mode: AlphaMode::Unknown,
    })
    .map_err(|error| error.to_string())?;
    // The library adds the flag of uncompressed colours and their bits, which other programs look
    // at before the format in the second header.
    dds.header.spf = PixelFormat {
        flags: PixelFormatFlags::FOURCC,
        fourcc: Some(FourCC(FourCC::DX10)),
        rgb_bit_count: None,
        r_bit_mask: None,
        g_bit_mask: None,
        b_bit_mask: None,
        a_bit_mask: None,
        ..dds.header.spf
    };
    dds.data = data.to_vec();
    let mut file = Vec::new();
    dds.write(&mut file).map_err(|error| error.to_string())?;
    Ok(file)
}
