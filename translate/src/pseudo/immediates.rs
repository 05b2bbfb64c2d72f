//! What the constant operands of pseudo-operations stand for.

use super::operands::Immediate;

/// A property of the geometry that a ray hit, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HitGeometry {
    /// The vertices of the triangle, in object space.
    TrianglePositions,
    /// Position and radius of a sphere.
    Sphere,
    /// Both positions of a linear swept sphere, each with its radius.
    SweptSphere,
    /// Whether it is a sphere.
    IsSphere,
    /// Whether it is a linear swept sphere.
    IsSweptSphere,
    /// The place of the hit along a linear swept sphere; of queries alone.
    Parameter,
    /// The distance of a candidate along the ray; of queries alone.
    Distance,
}

impl HitGeometry {
    const ALL: [HitGeometry; 7] = [
        HitGeometry::TrianglePositions,
        HitGeometry::Sphere,
        HitGeometry::SweptSphere,
        HitGeometry::IsSphere,
        HitGeometry::IsSweptSphere,
        HitGeometry::Parameter,
        HitGeometry::Distance,
    ];

    /// Returns the number of words.
    pub(crate) fn words(self) -> u32 {
        match self {
            HitGeometry::TrianglePositions => 9,
            HitGeometry::Sphere => 4,
            HitGeometry::SweptSphere => 8,
            HitGeometry::IsSphere
            | HitGeometry::IsSweptSphere
            | HitGeometry::Parameter
            | HitGeometry::Distance => 1,
        }
    }
}

/// An atomic on floats that DXIL does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FloatAtomic {
    /// The sum of floats.
    Add,
    /// The sums of two halves each.
    AddHalves,
    /// The lesser of two halves each.
    MinHalves,
    /// The greater of two halves each.
    MaxHalves,
}

impl FloatAtomic {
    const ALL: [FloatAtomic; 4] = [
        FloatAtomic::Add,
        FloatAtomic::AddHalves,
        FloatAtomic::MinHalves,
        FloatAtomic::MaxHalves,
    ];
}

/// Which barycentrics of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BarycentricMode {
    /// Whether they are linear in clip space instead of on the screen.
    pub(crate) perspective: bool,
    pub(crate) location: BarycentricLocation,
}

/// The point of a pixel at which barycentrics are evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BarycentricLocation {
    Center,
    Centroid,
    Sample,
}

impl BarycentricMode {
    /// Returns the mode of AGS with that number (`AmdExtD3DShaderIntrinsicsBarycentric_*`). There
    /// is none for the pull model, whose coordinates SPIR-V does not have.
    pub(crate) fn of_ags(number: u32) -> Option<Self> {
        use BarycentricLocation::{Center, Centroid, Sample};
        let location = match number {
            1 | 4 => Center,
            2 | 5 => Centroid,
            3 | 6 => Sample,
            _ => return None,
        };
        Some(BarycentricMode {
            perspective: number > 3,
            location,
        })
    }
}

impl Immediate for HitGeometry {
    fn number(self) -> u32 {
        self as u32
    }
    fn from_number(number: u64) -> Option<Self> {
        let index = usize::try_from(number).ok()?;
        HitGeometry::ALL.get(index).copied()
    }
}

impl Immediate for FloatAtomic {
    fn number(self) -> u32 {
        self as u32
    }
    fn from_number(number: u64) -> Option<Self> {
        let index = usize::try_from(number).ok()?;
        FloatAtomic::ALL.get(index).copied()
    }
}

/// Numbers are AGS's.
impl Immediate for BarycentricMode {
    fn number(self) -> u32 {
        let location = match self.location {
            BarycentricLocation::Center => 1,
            BarycentricLocation::Centroid => 2,
            BarycentricLocation::Sample => 3,
        };
        location + if self.perspective { 3 } else { 0 }
    }
    fn from_number(number: u64) -> Option<Self> {
        BarycentricMode::of_ags(u32::try_from(number).ok()?)
    }
}
