//! Operations that DXIL lacks: those of vendors, and those that passes insert. In the IR each is a call of a function without a
//! body; [`crate::lower`] recognizes it by the function's name.

use dxil_frontend::dxil::ops::{AtomicOp, Op, ResourceAtomicOp, calls};
use dxil_frontend::ir::ValueId;

/// A pseudo-operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PseudoOp {
    /// `() -> i32`: the number of the draw in a multi-draw (`DrawIndex`).
    DrawIndex,
    /// `(value, i32 operation, i32 kind) -> type of the value`: a scan over the wave. The operation
    /// is DXIL's `WaveOpKind`; bit 0 of the kind says that integers are unsigned, bit 1 that the
    /// lane's own value counts.
    WaveScan,
    /// `(buffer, i32 offset, i32 stride, i32 type) -> words`: loads a matrix. Types are those of
    /// [`crate::vendor::matrix::MatrixType`], offset and stride are in bytes.
    MatrixLoad,
    /// `(buffer, i32 offset, i32 stride, i32 type, words)`: stores a matrix.
    MatrixStore,
    /// `(pointer, i32 index, i32 stride, i32 type) -> words`: loads a matrix from a groupshared
    /// array of words; index and stride are in words.
    MatrixSharedLoad,
    /// `(pointer, i32 index, i32 stride, i32 type, words)`: stores a matrix there.
    MatrixSharedStore,
    /// `(i32 low word, i32 high word, i32 offset, i32 stride, i32 type) -> words`: loads a matrix at a
    /// device address; offset and stride are in bytes.
    MatrixGlobalLoad,
    /// `(i32 low word, i32 high word, i32 offset, i32 stride, i32 type, words)`: stores a matrix
    /// there.
    MatrixGlobalStore,
    /// `(i32 opcode, i32 count, words of A, i32 count, words of B, i32 count, words of C) ->
    /// words`: `A * B + C`.
    MatrixMultiply,
    /// `(i32 type, i32 new type, i32 saturate, words) -> words`.
    MatrixConvert,
    /// `(i32 type, i32 value) -> words`: a matrix whose elements are all the same.
    MatrixFill,
    /// `(i32 type) -> i32`: how many elements a lane has; four of 8 bits count as one.
    MatrixLength,
    /// `(i32 operation, i32 type, i32 count, words of A, words of B) -> words`: arithmetic on
    /// elements at the same position. Operations are those of [`crate::vendor::matrix::ElementwiseOp`].
    MatrixElementwise,
    /// `() -> {i32, i32}`: low and high word of the device's clock.
    RealtimeClock,
    /// `(i32 mode, i32 vertex) -> i32`: the bits of a vertex's weight in the pixel. Modes are those
    /// of [`BarycentricMode`].
    Barycentric,
    /// `() -> i32`: the number of the cluster that the ray hit.
    ClusterId,
    /// `(query, i32 whether committed) -> i32`: the number of the cluster of a query's hit.
    QueryClusterId,
    /// `(buffer, i32 coordinates x 3, i32 value, i32 operation) -> i32`: an atomic on the float, or
    /// the two halves, in a word of a buffer. Operations are those of [`FloatAtomic`].
    FloatAtomic,
    /// `(i32 array, i32 slots, i32 whether objects may lack records, i32 slot) -> hit object`: the
    /// object in a slot of an array of hit objects.
    HitObjectSlot,
    /// The same operands and no result: the next operation that makes a hit object puts it there.
    HitObjectPlace,
    /// `(i32 instance, i32 geometry, i32 primitive, i32 kind of hit, i32 record or offset, i32 factor
    /// of the geometry, i32 whether it is a record, pointer to attributes)`: the next
    /// `HitObject_TraceRay` traces no ray but records this hit.
    HitObjectRecord,
    /// `(hit object) -> i32`: the number of the cluster that was hit, or -1.
    HitObjectClusterId,
    /// `(i32 property) -> words`: what the ray hit. Properties are those of [`HitGeometry`].
    HitGeometry,
    /// `(query, i32 whether committed, i32 property) -> words`: what a query's ray hit.
    QueryGeometry,
    /// `(hit object, i32 property) -> words`: what was hit; zeros where there is no hit.
    HitObjectGeometry,
    /// `(i32 low word, i32 high word, i32 offset) -> i32`: the word at a device address.
    LoadAtAddress,
    /// `(elements) -> vector`: a vector of these elements.
    Vector,
}

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

    /// Returns the number that the call is given.
    pub(crate) fn number(self) -> u32 {
        self as u32
    }

    /// Returns the property with that number.
    pub(crate) fn from_number(number: u64) -> Option<Self> {
        let index = usize::try_from(number).ok()?;
        HitGeometry::ALL.get(index).copied()
    }

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

    /// Returns the number that the call is given.
    pub(crate) fn number(self) -> u32 {
        self as u32
    }

    /// Returns the operation with that number.
    pub(crate) fn from_number(number: u64) -> Option<Self> {
        let index = usize::try_from(number).ok()?;
        FloatAtomic::ALL.get(index).copied()
    }
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
    /// Returns the mode of AGS with that number (`AmdExtD3DShaderIntrinsicsBarycentric_*`). There is
    /// none for the pull model, whose coordinates SPIR-V does not have.
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

    /// Returns the number that the call is given, which is AGS's.
    pub(crate) fn number(self) -> u32 {
        let location = match self.location {
            BarycentricLocation::Center => 1,
            BarycentricLocation::Centroid => 2,
            BarycentricLocation::Sample => 3,
        };
        location + if self.perspective { 3 } else { 0 }
    }
}

/// Names begin with this, which no HLSL function's does.
const PREFIX: &str = "pseudo.";

impl PseudoOp {
    const ALL: [PseudoOp; 27] = [
        PseudoOp::DrawIndex,
        PseudoOp::WaveScan,
        PseudoOp::MatrixLoad,
        PseudoOp::MatrixStore,
        PseudoOp::MatrixSharedLoad,
        PseudoOp::MatrixSharedStore,
        PseudoOp::MatrixGlobalLoad,
        PseudoOp::MatrixGlobalStore,
        PseudoOp::MatrixMultiply,
        PseudoOp::MatrixConvert,
        PseudoOp::MatrixFill,
        PseudoOp::MatrixLength,
        PseudoOp::MatrixElementwise,
        PseudoOp::RealtimeClock,
        PseudoOp::Barycentric,
        PseudoOp::ClusterId,
        PseudoOp::QueryClusterId,
        PseudoOp::FloatAtomic,
        PseudoOp::HitObjectSlot,
        PseudoOp::HitObjectPlace,
        PseudoOp::HitObjectRecord,
        PseudoOp::HitObjectClusterId,
        PseudoOp::HitGeometry,
        PseudoOp::QueryGeometry,
        PseudoOp::HitObjectGeometry,
        PseudoOp::LoadAtAddress,
        PseudoOp::Vector,
    ];

    /// Returns the name of its function, without the suffix for the type of its values.
    pub(crate) fn name(self) -> &'static str {
        match self {
            PseudoOp::DrawIndex => "pseudo.drawIndex",
            PseudoOp::WaveScan => "pseudo.waveScan",
            PseudoOp::MatrixLoad => "pseudo.matrixLoad",
            PseudoOp::MatrixStore => "pseudo.matrixStore",
            PseudoOp::MatrixSharedLoad => "pseudo.matrixSharedLoad",
            PseudoOp::MatrixSharedStore => "pseudo.matrixSharedStore",
            PseudoOp::MatrixGlobalLoad => "pseudo.matrixGlobalLoad",
            PseudoOp::MatrixGlobalStore => "pseudo.matrixGlobalStore",
            PseudoOp::MatrixMultiply => "pseudo.matrixMultiply",
            PseudoOp::MatrixConvert => "pseudo.matrixConvert",
            PseudoOp::MatrixFill => "pseudo.matrixFill",
            PseudoOp::MatrixLength => "pseudo.matrixLength",
            PseudoOp::MatrixElementwise => "pseudo.matrixElementwise",
            PseudoOp::RealtimeClock => "pseudo.realtimeClock",
            PseudoOp::Barycentric => "pseudo.barycentric",
            PseudoOp::ClusterId => "pseudo.clusterId",
            PseudoOp::QueryClusterId => "pseudo.queryClusterId",
            PseudoOp::FloatAtomic => "pseudo.floatAtomic",
            PseudoOp::HitObjectSlot => "pseudo.hitObjectSlot",
            PseudoOp::HitObjectPlace => "pseudo.hitObjectPlace",
            PseudoOp::HitObjectRecord => "pseudo.hitObjectRecord",
            PseudoOp::HitObjectClusterId => "pseudo.hitObjectClusterId",
            PseudoOp::HitGeometry => "pseudo.hitGeometry",
            PseudoOp::QueryGeometry => "pseudo.queryGeometry",
            PseudoOp::HitObjectGeometry => "pseudo.hitObjectGeometry",
            PseudoOp::LoadAtAddress => "pseudo.loadAtAddress",
            PseudoOp::Vector => "pseudo.vector",
        }
    }

    /// Returns the operation that a function denotes.
    pub(crate) fn named(name: &str) -> Option<PseudoOp> {
        if !name.starts_with(PREFIX) {
            return None;
        }
        let mut all = PseudoOp::ALL.into_iter();
        all.find(|op| {
            let rest = name.strip_prefix(op.name());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }

    /// Returns the DXIL operation whose access to resources is that of a call with these arguments;
    /// `None` where another operation beside the call makes the access.
    pub(crate) fn access(self, args: &[ValueId]) -> Option<Op> {
        match (self, args) {
            (PseudoOp::FloatAtomic, &[resource, x, y, z, value, _]) => Some(Op::ResourceAtomic(
                ResourceAtomicOp::AtomicBinOp(calls::AtomicBinOp {
                    resource,
                    op: AtomicOp::Add,
                    coords: [x, y, z],
                    value,
                }),
            )),
            _ => None,
        }
    }

    /// Returns whether the operation is cross-lane.
    pub(crate) fn is_of_lanes(self) -> bool {
        match self {
            PseudoOp::DrawIndex
            | PseudoOp::RealtimeClock
            | PseudoOp::Barycentric
            | PseudoOp::ClusterId
            | PseudoOp::QueryClusterId
            | PseudoOp::FloatAtomic
            | PseudoOp::HitObjectSlot
            | PseudoOp::HitObjectPlace
            | PseudoOp::HitObjectRecord
            | PseudoOp::HitObjectClusterId
            | PseudoOp::HitGeometry
            | PseudoOp::QueryGeometry
            | PseudoOp::HitObjectGeometry
            | PseudoOp::LoadAtAddress
            | PseudoOp::Vector => false,
            PseudoOp::WaveScan
            | PseudoOp::MatrixLoad
            | PseudoOp::MatrixStore
            | PseudoOp::MatrixSharedLoad
            | PseudoOp::MatrixSharedStore
            | PseudoOp::MatrixGlobalLoad
            | PseudoOp::MatrixGlobalStore
            | PseudoOp::MatrixMultiply
            | PseudoOp::MatrixConvert
            | PseudoOp::MatrixFill
            | PseudoOp::MatrixLength
            | PseudoOp::MatrixElementwise => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pseudo_operation_is_known_by_its_name_and_its_suffix_is_not_part_of_it() {
        for op in PseudoOp::ALL {
            assert_eq!(PseudoOp::named(op.name()), Some(op));
            assert_eq!(PseudoOp::named(&format!("{}.f32", op.name())), Some(op));
            assert_eq!(PseudoOp::named(&format!("{}s", op.name())), None);
        }
        assert_eq!(PseudoOp::named("drawIndex"), None);
    }
}
