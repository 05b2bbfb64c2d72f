//! The languages that naga writes.

/// A language that naga writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// WebGPU Shading Language.
    Wgsl,
    /// Metal Shading Language 3.1; 4.0 if a pixel shader has per-vertex inputs.
    Msl,
    /// Desktop GLSL 4.60.
    Glsl,
    /// HLSL for shader model 6.7.
    Hlsl,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 4] = [
        Language::Wgsl,
        Language::Msl,
        Language::Glsl,
        Language::Hlsl,
    ];

    /// Returns the name of the language, as `WGSL`.
    pub fn name(self) -> &'static str {
        match self {
            Language::Wgsl => "WGSL",
            Language::Msl => "MSL",
            Language::Glsl => "GLSL",
            Language::Hlsl => "HLSL",
        }
    }
}
