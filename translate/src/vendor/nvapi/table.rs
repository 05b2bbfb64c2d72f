//! The operations of NVAPI: number, name, what the target needs, what is written for it. The one
//! place that has them.
//!
//! Source: `nvShaderExtnEnums.h` and `nvHLSLExtns.h` of the NVAPI SDK.

use dxil_frontend::dxil::ops::Opcode;

use self::HitObjectMeaning as Hit;
use crate::Features;

/// What is written for an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
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
    /// An operation on a hit object.
    HitObject(HitObjectMeaning),
    /// Nothing yet.
    Missing,
}

/// What an operation does with a hit object. The handle that it gives or takes stands for the
/// object. Some give a second handle, which marks the `TraceRay` or `CallShader` after them that has
/// the remaining operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HitObjectMeaning {
    TraceRay,
    MakeMiss,
    MakeNop,
    /// SPIR-V's extension cannot record a hit.
    MakeHit,
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

impl Meaning {
    /// Returns the number of results, where the element does not say it.
    pub(super) fn results(self) -> u64 {
        match self {
            Meaning::HitObject(HitObjectMeaning::RayDescription) => 8,
            _ => 1,
        }
    }
}

/// How the lane that is read follows from the operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shuffle {
    Index,
    Up,
    Down,
    Xor,
}

/// What an atomic computes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    Halves,
    Floats,
    Wide,
}

/// An operation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operation {
    pub(super) number: u8,
    pub(super) name: &'static str,
    pub(super) needs: Features,
    pub(super) meaning: Meaning,
}

const fn row(number: u8, name: &'static str, needs: Features, meaning: Meaning) -> Operation {
    Operation {
        number,
        name,
        needs,
        meaning,
    }
}

const NOTHING: Features = Features::empty();
const WAVES: Features = Features::SUBGROUP;
const REORDER: Features = Features::INVOCATION_REORDER;
const WIDE: Features = Features::INT64;

/// In the order of their numbers.
#[rustfmt::skip]
pub(super) const OPERATIONS: &[Operation] = &[
    row(1,  "SHFL",                                   WAVES,   Meaning::Shuffle(Shuffle::Index)),
    row(2,  "SHFL_UP",                                WAVES,   Meaning::Shuffle(Shuffle::Up)),
    row(3,  "SHFL_DOWN",                              WAVES,   Meaning::Shuffle(Shuffle::Down)),
    row(4,  "SHFL_XOR",                               WAVES,   Meaning::Shuffle(Shuffle::Xor)),
    row(5,  "VOTE_ALL",                               WAVES,   Meaning::VoteAll),
    row(6,  "VOTE_ANY",                               WAVES,   Meaning::VoteAny),
    row(7,  "VOTE_BALLOT",                            WAVES,   Meaning::Ballot),
    row(8,  "GET_LANE_ID",                            WAVES,   Meaning::LaneId),
    row(12, "FP16_ATOMIC",                            NOTHING, Meaning::Atomic(Numbers::Halves)),
    row(13, "FP32_ATOMIC",                            NOTHING, Meaning::Atomic(Numbers::Floats)),
    row(19, "GET_SPECIAL",                            NOTHING, Meaning::Special),
    row(20, "UINT64_ATOMIC",                          WIDE,    Meaning::Atomic(Numbers::Wide)),
    row(21, "MATCH_ANY",                              WAVES,   Meaning::MatchAny),
    row(28, "FOOTPRINT",                              NOTHING, Meaning::Missing),
    row(30, "GET_SHADING_RATE",                       NOTHING, Meaning::Missing),
    row(33, "SHFL_GENERIC",                           WAVES,   Meaning::ShuffleAndValidity),
    row(51, "VPRS_EVAL_ATTRIB_AT_SAMPLE",             NOTHING, Meaning::Missing),
    row(52, "VPRS_EVAL_ATTRIB_SNAPPED",               NOTHING, Meaning::Missing),
    row(67, "HIT_OBJECT_TRACE_RAY",                     REORDER, Meaning::HitObject(Hit::TraceRay)),
    row(68, "HIT_OBJECT_MAKE_HIT",                      REORDER, Meaning::HitObject(Hit::MakeHit)),
    row(69, "HIT_OBJECT_MAKE_HIT_WITH_RECORD_INDEX",    REORDER, Meaning::HitObject(Hit::MakeHit)),
    row(70, "HIT_OBJECT_MAKE_MISS",                     REORDER, Meaning::HitObject(Hit::MakeMiss)),
    row(71, "HIT_OBJECT_REORDER_THREAD",                REORDER, Meaning::HitObject(Hit::Reorder)),
    row(72, "HIT_OBJECT_INVOKE",                        REORDER, Meaning::HitObject(Hit::Invoke)),
    row(73, "HIT_OBJECT_IS_MISS",                       REORDER, Meaning::HitObject(Hit::Test(Opcode::HitObjectIsMiss))),
    row(74, "HIT_OBJECT_GET_INSTANCE_ID",               REORDER, Meaning::HitObject(Hit::Property(Opcode::HitObjectInstanceID))),
    row(75, "HIT_OBJECT_GET_INSTANCE_INDEX",            REORDER, Meaning::HitObject(Hit::Property(Opcode::HitObjectInstanceIndex))),
    row(76, "HIT_OBJECT_GET_PRIMITIVE_INDEX",           REORDER, Meaning::HitObject(Hit::Property(Opcode::HitObjectPrimitiveIndex))),
    row(77, "HIT_OBJECT_GET_GEOMETRY_INDEX",            REORDER, Meaning::HitObject(Hit::Property(Opcode::HitObjectGeometryIndex))),
    row(78, "HIT_OBJECT_GET_HIT_KIND",                  REORDER, Meaning::HitObject(Hit::Property(Opcode::HitObjectHitKind))),
    row(79, "HIT_OBJECT_GET_RAY_DESC",                  REORDER, Meaning::HitObject(Hit::RayDescription)),
    row(80, "HIT_OBJECT_GET_ATTRIBUTES",                REORDER, Meaning::HitObject(Hit::Attributes)),
    row(81, "HIT_OBJECT_GET_SHADER_TABLE_INDEX",        REORDER, Meaning::HitObject(Hit::Property(Opcode::HitObjectShaderTableIndex))),
    row(82, "HIT_OBJECT_LOAD_LOCAL_ROOT_TABLE_CONSTANT", REORDER, Meaning::HitObject(Hit::LocalConstant)),
    row(83, "HIT_OBJECT_IS_HIT",                        REORDER, Meaning::HitObject(Hit::Test(Opcode::HitObjectIsHit))),
    row(84, "HIT_OBJECT_IS_NOP",                        REORDER, Meaning::HitObject(Hit::Test(Opcode::HitObjectIsNop))),
    row(85, "HIT_OBJECT_MAKE_NOP",                      REORDER, Meaning::HitObject(Hit::MakeNop)),
    row(93, "RT_GET_CLUSTER_ID",                      NOTHING, Meaning::Missing),
];

/// Returns the operation with that number.
pub(super) fn operation(number: u32) -> Option<&'static Operation> {
    OPERATIONS
        .iter()
        .find(|row| u32::from(row.number) == number)
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
