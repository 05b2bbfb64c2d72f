//! Samplers.

/// Filter of a sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Filter {
    /// Nearest texel.
    Point,
    /// Linear interpolation.
    #[default]
    Linear,
}

/// The behaviour of a sampler outside of the texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum AddressMode {
    Wrap,
    Mirror,
    #[default]
    Clamp,
    Border,
    MirrorOnce,
}

/// Comparison function.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum Comparison {
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always,
}

impl Comparison {
    /// Returns whether the comparison holds.
    pub(crate) fn holds(self, reference: f32, texel: f32) -> bool {
        match self {
            Comparison::Never => false,
            Comparison::Less => reference < texel,
            Comparison::Equal => reference == texel,
            Comparison::LessEqual => reference <= texel,
            Comparison::Greater => reference > texel,
            Comparison::NotEqual => reference != texel,
            Comparison::GreaterEqual => reference >= texel,
            Comparison::Always => true,
        }
    }
}

/// The function that combines the texels of a footprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Reduction {
    /// Weighted average.
    #[default]
    Average,
    /// Minimum.
    Minimum,
    /// Greatest.
    Maximum,
}

/// A sampler's state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampler {
    /// Filter when the texture is minified.
    pub min_filter: Filter,
    /// Filter when the texture is magnified.
    pub mag_filter: Filter,
    /// Filter between mips.
    pub mip_filter: Filter,
    /// Largest anisotropy, 2 to 16; below that the filter is not anisotropic.
    pub anisotropy: u32,
    /// Address modes of u, v and w.
    pub address: [AddressMode; 3],
    /// Added to the level of detail.
    pub lod_bias: f32,
    /// Minimum level of detail.
    pub min_lod: f32,
    /// Greatest level of detail.
    pub max_lod: f32,
    /// Comparison of a comparison sampler.
    pub comparison: Option<Comparison>,
    /// The function that combines the texels of the footprint.
    pub reduction: Reduction,
    /// Border colour.
    pub border: [f32; 4],
    /// Whether it samples integers, of which the border colour is then made.
    pub integer_border: bool,
}

impl Default for Sampler {
    /// Returns a sampler that is linear and clamped, with all mips.
    fn default() -> Self {
        Sampler {
            min_filter: Filter::Linear,
            mag_filter: Filter::Linear,
            mip_filter: Filter::Linear,
            anisotropy: 0,
            address: [AddressMode::Clamp; 3],
            lod_bias: 0.0,
            min_lod: 0.0,
            max_lod: f32::MAX,
            comparison: None,
            reduction: Reduction::Average,
            border: [0.0; 4],
            integer_border: false,
        }
    }
}
