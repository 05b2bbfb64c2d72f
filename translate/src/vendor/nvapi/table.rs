//! The operations of NVAPI: number, name, what the target needs, what is written for it. The one
//! place that has them.
//!
//! Source: `nvShaderExtnEnums.h` and `nvHLSLExtns.h` of the NVAPI SDK.

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
    /// Nothing yet.
    Missing,
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
const WIDE: Features = Features::INT64.union(Features::BUFFER_INT64_ATOMICS);

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
    row(67, "HIT_OBJECT_TRACE_RAY",                   NOTHING, Meaning::Missing),
    row(68, "HIT_OBJECT_MAKE_HIT",                    NOTHING, Meaning::Missing),
    row(69, "HIT_OBJECT_MAKE_HIT_WITH_RECORD_INDEX",  NOTHING, Meaning::Missing),
    row(70, "HIT_OBJECT_MAKE_MISS",                   NOTHING, Meaning::Missing),
    row(71, "HIT_OBJECT_REORDER_THREAD",              NOTHING, Meaning::Missing),
    row(72, "HIT_OBJECT_INVOKE",                      NOTHING, Meaning::Missing),
    row(73, "HIT_OBJECT_IS_MISS",                     NOTHING, Meaning::Missing),
    row(83, "HIT_OBJECT_IS_HIT",                      NOTHING, Meaning::Missing),
    row(84, "HIT_OBJECT_IS_NOP",                      NOTHING, Meaning::Missing),
    row(85, "HIT_OBJECT_MAKE_NOP",                    NOTHING, Meaning::Missing),
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
