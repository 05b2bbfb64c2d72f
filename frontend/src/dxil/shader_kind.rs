//! [`ShaderKind`]: the stage of a shader.

/// Kind of a shader: its stage. DXIL's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs, reason = "DXIL's own names")]
#[repr(u8)]
pub enum ShaderKind {
    Pixel = 0,
    Vertex = 1,
    Geometry = 2,
    Hull = 3,
    Domain = 4,
    Compute = 5,
    Library = 6,
    RayGeneration = 7,
    Intersection = 8,
    AnyHit = 9,
    ClosestHit = 10,
    Miss = 11,
    Callable = 12,
    Mesh = 13,
    Amplification = 14,
    Node = 15,
}

impl ShaderKind {
    /// Returns the maximum size of a thread group in each direction and the maximum number of its
    /// threads (D3D11.3 functional specification, 22.3.40; DirectX-Specs, "Mesh Shader",
    /// "numthreads"); `None` for kinds without thread groups.
    pub const fn max_threads(self) -> Option<([u32; 3], u32)> {
        match self {
            ShaderKind::Compute | ShaderKind::Node => Some(([1024, 1024, 64], 1024)),
            ShaderKind::Mesh | ShaderKind::Amplification => Some(([128, 128, 128], 128)),
            _ => None,
        }
    }

    /// Returns the first shader model (major, minor) with shaders of that kind: that of HLSL's
    /// profiles for libraries, ray tracing (DirectX Raytracing), mesh and amplification shaders
    /// (Mesh Shader), and nodes (Work Graphs); 6.0 for those that Direct3D 11 has.
    pub const fn min_shader_model(self) -> (u8, u8) {
        match self {
            ShaderKind::Pixel
            | ShaderKind::Vertex
            | ShaderKind::Geometry
            | ShaderKind::Hull
            | ShaderKind::Domain
            | ShaderKind::Compute => (6, 0),
            ShaderKind::Library => (6, 1),
            ShaderKind::RayGeneration
            | ShaderKind::Intersection
            | ShaderKind::AnyHit
            | ShaderKind::ClosestHit
            | ShaderKind::Miss
            | ShaderKind::Callable => (6, 3),
            ShaderKind::Mesh | ShaderKind::Amplification => (6, 5),
            ShaderKind::Node => (6, 8),
        }
    }

    /// All kinds, by number.
    pub const ALL: [ShaderKind; 16] = {
        use ShaderKind::*;
        [
            Pixel,
            Vertex,
            Geometry,
            Hull,
            Domain,
            Compute,
            Library,
            RayGeneration,
            Intersection,
            AnyHit,
            ClosestHit,
            Miss,
            Callable,
            Mesh,
            Amplification,
            Node,
        ]
    };

    /// Returns the variant with this number in DXIL.
    pub fn from_number(number: u64) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// Returns its number in DXIL.
    pub fn number(self) -> u32 {
        self as u32
    }

    /// Returns the profile prefix: `cs`, `ps`, `lib` ...
    pub fn prefix(self) -> &'static str {
        match self {
            ShaderKind::Pixel => "ps",
            ShaderKind::Vertex => "vs",
            ShaderKind::Geometry => "gs",
            ShaderKind::Hull => "hs",
            ShaderKind::Domain => "ds",
            ShaderKind::Compute => "cs",
            ShaderKind::Library => "lib",
            ShaderKind::RayGeneration => "raygeneration",
            ShaderKind::Intersection => "intersection",
            ShaderKind::AnyHit => "anyhit",
            ShaderKind::ClosestHit => "closesthit",
            ShaderKind::Miss => "miss",
            ShaderKind::Callable => "callable",
            ShaderKind::Mesh => "ms",
            ShaderKind::Amplification => "as",
            ShaderKind::Node => "node",
        }
    }
}
