//! What a shader sees of a texel.

/// Red, green, blue and alpha of a texel: floats or integers, by the format.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Texel {
    /// Floats, and normalised values.
    Float([f32; 4]),
    /// Integers; signed ones as their bits.
    Int([u32; 4]),
}

impl Texel {
    /// Returns the components of a float, and of integers zeros.
    pub fn floats(self) -> [f32; 4] {
        match self {
            Texel::Float(values) => values,
            Texel::Int(_) => [0.0; 4],
        }
    }

    /// Returns the bits of the components.
    pub fn bits(self) -> [u32; 4] {
        match self {
            Texel::Float(values) => values.map(f32::to_bits),
            Texel::Int(values) => values,
        }
    }
}
