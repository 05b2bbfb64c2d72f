//! A texture as files have it.

use dxil_runtime::job::{Dimension, Texture};

/// A texture as a file has it.
#[derive(Debug, Clone)]
pub struct TextureFile {
    /// The texture with its texels.
    pub texture: Texture,
    /// Whether its layers are faces of cubes.
    pub is_cube: bool,
}

impl TextureFile {
    /// Refuses sizes that no texture has.
    pub(super) fn check(texture: &Texture) -> Result<(), String> {
        let [width, height, depth] = [texture.width, texture.height, texture.depth];
        let largest = width.max(height).max(depth);
        if width == 0 || height == 0 || depth == 0 || texture.layers == 0 {
            return Err("it has no texels".into());
        }
        if texture.mips > largest.ilog2() + 1 {
            return Err(format!(
                "it has {} levels; {width}x{height}x{depth} texels have {}",
                texture.mips,
                largest.ilog2() + 1
            ));
        }
        Ok(())
    }

    /// Returns what the file holds, in words.
    pub fn summary(&self) -> String {
        let Texture {
            width,
            height,
            depth,
            ..
        } = self.texture;
        let layers = self.texture.layers;
        let dimension = match self.texture.dimension {
            Dimension::D1 => "1D",
            Dimension::D2 if self.is_cube => "cube",
            Dimension::D2 => "2D",
            Dimension::D3 => "3D",
        };
        format!("a {dimension} texture of {width}x{height}x{depth} texels, {layers} layer(s)")
    }
}

/// Returns the message about a file that ends too early.
pub(super) fn too_short(needed: usize, there: usize) -> String {
    format!("its header says {needed} bytes of texels, {there} are there")
}
