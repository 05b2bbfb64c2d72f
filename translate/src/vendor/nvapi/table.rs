//! The operations of NVAPI: number, name, what the target needs, what is written for it. The one
//! place that has them.
//!
//! Source: `nvShaderExtnEnums.h` and `nvHLSLExtns.h` of the NVAPI SDK.

use dxil_frontend::dxil::ops::Opcode;

use self::HitObjectMeaning as Hit;
use self::QueryHit::{Candidate, Committed};
use crate::Features;
use crate::pseudo::HitGeometry;

/// The replacement of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NvapiMeaning {
    Shuffle(Shuffle),
    VoteAll,
    VoteAny,
    Ballot,
    LaneId,
    /// A register that the first operand names.
    Special,
    MatchAny,
    /// A shuffle by index with a second result: whether the lane was there.
    ShuffleAndValidity,
    /// An atomic on a resource that a store before it names.
    Atomic(Numbers),
    /// The number of the cluster that the ray of this shader hit.
    ClusterId,
    /// The number of the cluster of a query's hit. The query's flags name the query.
    QueryClusterId(QueryHit),
    /// What the ray of this shader hit.
    Geometry(HitGeometry),
    /// What a query's ray hit.
    QueryGeometry(QueryHit, HitGeometry),
    /// Whether the back of a triangle was hit.
    BackFacing,
    /// The candidate of a query, which is no triangle, becomes its hit.
    Commit,
    /// An operation on a hit object.
    HitObject(HitObjectMeaning),
    /// Not translated, for this reason.
    Missing(&'static str),
}

/// The effect of an operation on a hit object. The handle that it returns or takes denotes the
/// object. Some return a second handle, which marks the `TraceRay` or `CallShader` after them that
/// has the remaining operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HitObjectMeaning {
    TraceRay,
    MakeMiss,
    MakeNop,
    /// A hit with a record, or with the numbers that a record follows from.
    MakeHit {
        with_record: bool,
    },
    /// The number of the cluster that was hit.
    ClusterId,
    /// What was hit.
    Geometry(HitGeometry),
    Reorder,
    Invoke,
    /// `IsMiss` and its like.
    Test(Opcode),
    /// A word of the hit.
    Property(Opcode),
    RayDescription,
    Attributes,
    LocalConstant,
}

impl HitObjectMeaning {
    /// Returns whether SPV_NV_shader_invocation_reorder has it.
    pub(super) fn is_of_nv(self) -> bool {
        self != HitObjectMeaning::Geometry(HitGeometry::TrianglePositions)
    }
}

impl NvapiMeaning {
    /// Returns the number of results, where the element does not say it.
    pub(super) fn results(self) -> u64 {
        match self {
            NvapiMeaning::HitObject(HitObjectMeaning::RayDescription) => 8,
            NvapiMeaning::Geometry(property)
            | NvapiMeaning::QueryGeometry(_, property)
            | NvapiMeaning::HitObject(HitObjectMeaning::Geometry(property)) => {
                u64::from(property.words())
            }
            _ => 1,
        }
    }
}

/// A hit of a ray query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QueryHit {
    Candidate,
    Committed,
}

/// The derivation of the lane that is read from the operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shuffle {
    Index,
    Up,
    Down,
    Xor,
}

/// The operand type of an atomic operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    Halves,
    Floats,
    Wide,
}

/// An operation.
#[derive(Debug, Clone, Copy)]
pub(super) struct NvapiOperation {
    pub(super) number: u8,
    pub(super) name: &'static str,
    pub(super) needs: Features,
    pub(super) meaning: NvapiMeaning,
}

const fn row(
    number: u8,
    name: &'static str,
    needs: Features,
    meaning: NvapiMeaning,
) -> NvapiOperation {
    NvapiOperation {
        number,
        name,
        needs,
        meaning,
    }
}

const NOTHING: Features = Features::empty();
const WAVES: Features = Features::SUBGROUP;
const REORDER: Features = Features::INVOCATION_REORDER;
const RECORD: Features = Features::INVOCATION_REORDER_NV;
const CLUSTER: Features = Features::CLUSTER_ACCELERATION_STRUCTURE;
const WIDE: Features = Features::INT64;
const POSITIONS: Features = Features::RAY_TRACING_POSITION_FETCH;
const SPHERES: Features = Features::LINEAR_SWEPT_SPHERES;

/// In the order of their numbers.
#[rustfmt::skip]
pub(super) const OPERATIONS: &[NvapiOperation] = &[
    row(1,  "SHFL",                                   WAVES,   NvapiMeaning::Shuffle(Shuffle::Index)),
    row(2,  "SHFL_UP",                                WAVES,   NvapiMeaning::Shuffle(Shuffle::Up)),
    row(3,  "SHFL_DOWN",                              WAVES,   NvapiMeaning::Shuffle(Shuffle::Down)),
    row(4,  "SHFL_XOR",                               WAVES,   NvapiMeaning::Shuffle(Shuffle::Xor)),
    row(5,  "VOTE_ALL",                               WAVES,   NvapiMeaning::VoteAll),
    row(6,  "VOTE_ANY",                               WAVES,   NvapiMeaning::VoteAny),
    row(7,  "VOTE_BALLOT",                            WAVES,   NvapiMeaning::Ballot),
    row(8,  "GET_LANE_ID",                            WAVES,   NvapiMeaning::LaneId),
    row(12, "FP16_ATOMIC",                            NOTHING, NvapiMeaning::Atomic(Numbers::Halves)),
    row(13, "FP32_ATOMIC",                            NOTHING, NvapiMeaning::Atomic(Numbers::Floats)),
    row(19, "GET_SPECIAL",                            NOTHING, NvapiMeaning::Special),
    row(20, "UINT64_ATOMIC",                          WIDE,    NvapiMeaning::Atomic(Numbers::Wide)),
    row(21, "MATCH_ANY",                              WAVES,   NvapiMeaning::MatchAny),
    row(28, "FOOTPRINT",                              NOTHING, NvapiMeaning::Missing("SPV_NV_shader_image_footprint, which has footprints, is not used")),
    row(29, "FOOTPRINT_BIAS",                         NOTHING, NvapiMeaning::Missing("SPV_NV_shader_image_footprint, which has footprints, is not used")),
    row(30, "GET_SHADING_RATE",                       NOTHING, NvapiMeaning::Missing("the rate of variable pixel rate shading is not translated")),
    row(31, "FOOTPRINT_LEVEL",                        NOTHING, NvapiMeaning::Missing("SPV_NV_shader_image_footprint, which has footprints, is not used")),
    row(32, "FOOTPRINT_GRAD",                         NOTHING, NvapiMeaning::Missing("SPV_NV_shader_image_footprint, which has footprints, is not used")),
    row(33, "SHFL_GENERIC",                           WAVES,   NvapiMeaning::ShuffleAndValidity),
    row(51, "VPRS_EVAL_ATTRIB_AT_SAMPLE",             NOTHING, NvapiMeaning::Missing("SPIR-V evaluates no attribute in another pixel")),
    row(52, "VPRS_EVAL_ATTRIB_SNAPPED",               NOTHING, NvapiMeaning::Missing("SPIR-V evaluates no attribute in another pixel")),
    row(67, "HIT_OBJECT_TRACE_RAY",                     REORDER, NvapiMeaning::HitObject(Hit::TraceRay)),
    row(68, "HIT_OBJECT_MAKE_HIT",                      RECORD,  NvapiMeaning::HitObject(Hit::MakeHit { with_record: false })),
    row(69, "HIT_OBJECT_MAKE_HIT_WITH_RECORD_INDEX",    RECORD,  NvapiMeaning::HitObject(Hit::MakeHit { with_record: true })),
    row(70, "HIT_OBJECT_MAKE_MISS",                     REORDER, NvapiMeaning::HitObject(Hit::MakeMiss)),
    row(71, "HIT_OBJECT_REORDER_THREAD",                REORDER, NvapiMeaning::HitObject(Hit::Reorder)),
    row(72, "HIT_OBJECT_INVOKE",                        REORDER, NvapiMeaning::HitObject(Hit::Invoke)),
    row(73, "HIT_OBJECT_IS_MISS",                       REORDER, NvapiMeaning::HitObject(Hit::Test(Opcode::HitObjectIsMiss))),
    row(74, "HIT_OBJECT_GET_INSTANCE_ID",               REORDER, NvapiMeaning::HitObject(Hit::Property(Opcode::HitObjectInstanceID))),
    row(75, "HIT_OBJECT_GET_INSTANCE_INDEX",            REORDER, NvapiMeaning::HitObject(Hit::Property(Opcode::HitObjectInstanceIndex))),
    row(76, "HIT_OBJECT_GET_PRIMITIVE_INDEX",           REORDER, NvapiMeaning::HitObject(Hit::Property(Opcode::HitObjectPrimitiveIndex))),
    row(77, "HIT_OBJECT_GET_GEOMETRY_INDEX",            REORDER, NvapiMeaning::HitObject(Hit::Property(Opcode::HitObjectGeometryIndex))),
    row(78, "HIT_OBJECT_GET_HIT_KIND",                  REORDER, NvapiMeaning::HitObject(Hit::Property(Opcode::HitObjectHitKind))),
    row(79, "HIT_OBJECT_GET_RAY_DESC",                  REORDER, NvapiMeaning::HitObject(Hit::RayDescription)),
    row(80, "HIT_OBJECT_GET_ATTRIBUTES",                REORDER, NvapiMeaning::HitObject(Hit::Attributes)),
    row(81, "HIT_OBJECT_GET_SHADER_TABLE_INDEX",        REORDER, NvapiMeaning::HitObject(Hit::Property(Opcode::HitObjectShaderTableIndex))),
    row(82, "HIT_OBJECT_LOAD_LOCAL_ROOT_TABLE_CONSTANT", REORDER, NvapiMeaning::HitObject(Hit::LocalConstant)),
    row(83, "HIT_OBJECT_IS_HIT",                        REORDER, NvapiMeaning::HitObject(Hit::Test(Opcode::HitObjectIsHit))),
    row(84, "HIT_OBJECT_IS_NOP",                        REORDER, NvapiMeaning::HitObject(Hit::Test(Opcode::HitObjectIsNop))),
    row(85, "HIT_OBJECT_MAKE_NOP",                      REORDER, NvapiMeaning::HitObject(Hit::MakeNop)),
    row(86, "RT_TRIANGLE_OBJECT_POSITIONS",             POSITIONS, NvapiMeaning::Geometry(HitGeometry::TrianglePositions)),
    row(87, "RT_MICRO_TRIANGLE_OBJECT_POSITIONS",       NOTHING, NvapiMeaning::Missing("SPV_NV_displacement_micromap, which has micro-triangles, was withdrawn")),
    row(88, "RT_MICRO_TRIANGLE_BARYCENTRICS",           NOTHING, NvapiMeaning::Missing("SPV_NV_displacement_micromap, which has micro-triangles, was withdrawn")),
    row(89, "RT_IS_MICRO_TRIANGLE_HIT",                 NOTHING, NvapiMeaning::Missing("SPV_NV_displacement_micromap, which has micro-triangles, was withdrawn")),
    row(90, "RT_IS_BACK_FACING",                        NOTHING, NvapiMeaning::BackFacing),
    row(91, "RT_MICRO_VERTEX_OBJECT_POSITION",          NOTHING, NvapiMeaning::Missing("SPV_NV_displacement_micromap, which has micro-triangles, was withdrawn")),
    row(92, "RT_MICRO_VERTEX_BARYCENTRICS",             NOTHING, NvapiMeaning::Missing("SPV_NV_displacement_micromap, which has micro-triangles, was withdrawn")),
    row(93, "RT_GET_CLUSTER_ID",                        CLUSTER, NvapiMeaning::ClusterId),
    row(94, "RT_GET_CANDIDATE_CLUSTER_ID",              CLUSTER, NvapiMeaning::QueryClusterId(QueryHit::Candidate)),
    row(95, "RT_GET_COMMITTED_CLUSTER_ID",              CLUSTER, NvapiMeaning::QueryClusterId(QueryHit::Committed)),
    row(96, "HIT_OBJECT_GET_CLUSTER_ID",                RECORD.union(CLUSTER), NvapiMeaning::HitObject(Hit::ClusterId)),
    row(97, "RT_CANDIDATE_TRIANGLE_OBJECT_POSITIONS",   POSITIONS, NvapiMeaning::QueryGeometry(Candidate, HitGeometry::TrianglePositions)),
    row(98, "RT_COMMITTED_TRIANGLE_OBJECT_POSITIONS",   POSITIONS, NvapiMeaning::QueryGeometry(Committed, HitGeometry::TrianglePositions)),
    row(99, "HIT_OBJECT_GET_TRIANGLE_OBJECT_POSITIONS", REORDER.union(POSITIONS), NvapiMeaning::HitObject(Hit::Geometry(HitGeometry::TrianglePositions))),
    row(100, "RT_SPHERE_OBJECT_POSITION_AND_RADIUS",             SPHERES, NvapiMeaning::Geometry(HitGeometry::Sphere)),
    row(101, "RT_CANDIDATE_SPHERE_OBJECT_POSITION_AND_RADIUS",   SPHERES, NvapiMeaning::QueryGeometry(Candidate, HitGeometry::Sphere)),
    row(102, "RT_COMMITTED_SPHERE_OBJECT_POSITION_AND_RADIUS",   SPHERES, NvapiMeaning::QueryGeometry(Committed, HitGeometry::Sphere)),
    row(103, "HIT_OBJECT_GET_SPHERE_OBJECT_POSITION_AND_RADIUS", RECORD.union(SPHERES), NvapiMeaning::HitObject(Hit::Geometry(HitGeometry::Sphere))),
    row(104, "RT_LSS_OBJECT_POSITIONS_AND_RADII",                SPHERES, NvapiMeaning::Geometry(HitGeometry::SweptSphere)),
    row(105, "RT_CANDIDATE_LSS_OBJECT_POSITIONS_AND_RADII",      SPHERES, NvapiMeaning::QueryGeometry(Candidate, HitGeometry::SweptSphere)),
    row(106, "RT_COMMITTED_LSS_OBJECT_POSITIONS_AND_RADII",      SPHERES, NvapiMeaning::QueryGeometry(Committed, HitGeometry::SweptSphere)),
    row(107, "HIT_OBJECT_GET_LSS_OBJECT_POSITIONS_AND_RADII",    RECORD.union(SPHERES), NvapiMeaning::HitObject(Hit::Geometry(HitGeometry::SweptSphere))),
    row(108, "RT_IS_SPHERE_HIT",                                 SPHERES, NvapiMeaning::Geometry(HitGeometry::IsSphere)),
    row(109, "RT_CANDIDATE_IS_NONOPAQUE_SPHERE",                 SPHERES, NvapiMeaning::QueryGeometry(Candidate, HitGeometry::IsSphere)),
    row(110, "RT_COMMITTED_IS_SPHERE",                           SPHERES, NvapiMeaning::QueryGeometry(Committed, HitGeometry::IsSphere)),
    row(111, "HIT_OBJECT_IS_SPHERE_HIT",                         RECORD.union(SPHERES), NvapiMeaning::HitObject(Hit::Geometry(HitGeometry::IsSphere))),
    row(112, "RT_IS_LSS_HIT",                                    SPHERES, NvapiMeaning::Geometry(HitGeometry::IsSweptSphere)),
    row(113, "RT_CANDIDATE_IS_NONOPAQUE_LSS",                    SPHERES, NvapiMeaning::QueryGeometry(Candidate, HitGeometry::IsSweptSphere)),
    row(114, "RT_COMMITTED_IS_LSS",                              SPHERES, NvapiMeaning::QueryGeometry(Committed, HitGeometry::IsSweptSphere)),
    row(115, "HIT_OBJECT_IS_LSS_HIT",                            RECORD.union(SPHERES), NvapiMeaning::HitObject(Hit::Geometry(HitGeometry::IsSweptSphere))),
    row(116, "RT_CANDIDATE_LSS_HIT_PARAMETER",                   SPHERES, NvapiMeaning::QueryGeometry(Candidate, HitGeometry::Parameter)),
    row(117, "RT_COMMITTED_LSS_HIT_PARAMETER",                   SPHERES, NvapiMeaning::QueryGeometry(Committed, HitGeometry::Parameter)),
    row(118, "RT_CANDIDATE_BUILTIN_PRIMITIVE_RAY_T",             SPHERES, NvapiMeaning::QueryGeometry(Candidate, HitGeometry::Distance)),
    row(119, "RT_COMMIT_NONOPAQUE_BUILTIN_PRIMITIVE_HIT",        SPHERES, NvapiMeaning::Commit),
];

/// Returns the operation with that number.
pub(super) fn operation(number: u32) -> Option<&'static NvapiOperation> {
    OPERATIONS
        .iter()
        .find(|row| u32::from(row.number) == number)
}

/// Returns why an operation is not translated, if it is not.
pub(in crate::vendor) fn reason_of(number: u32) -> Option<&'static str> {
    match operation(number)?.meaning {
        NvapiMeaning::Missing(reason) => Some(reason),
        _ => None,
    }
}

/// Returns the name of an operation.
pub(in crate::vendor) fn name_of(number: u32) -> &'static str {
    operation(number).map_or("operation", |row| row.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_in_the_order_of_their_numbers() {
        assert!(OPERATIONS.is_sorted_by(|a, b| a.number < b.number));
    }
}
