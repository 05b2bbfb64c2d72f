//! The operations of AGS: number, name, what the target needs, what is written for it. The one
//! place that has them.
//!
//! Source: `ags_shader_intrinsics_dx12.hlsl` of the AGS SDK 6.x.

use dxil_frontend::dxil::ShaderKind;

use crate::Features;

/// What is written for an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    ReadFirstLane,
    /// The lane is the immediate.
    ReadLane,
    /// The lane is the second operand.
    ReadLaneAt,
    LaneId,
    WaveSize,
    Swizzle,
    Ballot,
    /// Number of set bits of a mask of 64 lanes that lie below this lane.
    MaskedBitCount,
    Min3(Sign),
    Med3(Sign),
    Max3(Sign),
    WaveReduce,
    WaveScan,
    DrawIndex,
    BaseVertex,
    BaseInstance,
    Atomic64,
    ShaderClock,
    FloatToHalf,
    /// A phase of an operation on matrices.
    Matrix,
    /// Nothing yet.
    Missing,
}

impl Meaning {
    /// Returns whether a stage has it.
    pub(super) fn is_of(self, kind: ShaderKind) -> bool {
        use ShaderKind::{Amplification, Mesh, Vertex};
        match self {
            Meaning::DrawIndex => matches!(kind, Vertex | Mesh | Amplification),
            Meaning::BaseVertex | Meaning::BaseInstance => kind == Vertex,
            Meaning::Matrix => kind == ShaderKind::Compute,
            _ => true,
        }
    }
}

/// How words are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Float,
    Unsigned,
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
const WIDE: Features = Features::INT64;
const MATRIX: Features = Features::COOPERATIVE_MATRIX.union(Features::VULKAN_MEMORY_MODEL);

/// In the order of their numbers.
#[rustfmt::skip]
pub(super) const OPERATIONS: &[Operation] = &[
    row(0x01, "Readfirstlane",               WAVES,                     Meaning::ReadFirstLane),
    row(0x02, "Readlane",                    WAVES,                     Meaning::ReadLane),
    row(0x03, "LaneId",                      WAVES,                     Meaning::LaneId),
    row(0x04, "Swizzle",                     WAVES,                     Meaning::Swizzle),
    row(0x05, "Ballot",                      WAVES,                     Meaning::Ballot),
    row(0x06, "MBCnt",                       WAVES,                     Meaning::MaskedBitCount),
    row(0x07, "Min3U",                       NOTHING,                   Meaning::Min3(Sign::Unsigned)),
    row(0x08, "Min3F",                       NOTHING,                   Meaning::Min3(Sign::Float)),
    row(0x09, "Med3U",                       NOTHING,                   Meaning::Med3(Sign::Unsigned)),
    row(0x0a, "Med3F",                       NOTHING,                   Meaning::Med3(Sign::Float)),
    row(0x0b, "Max3U",                       NOTHING,                   Meaning::Max3(Sign::Unsigned)),
    row(0x0c, "Max3F",                       NOTHING,                   Meaning::Max3(Sign::Float)),
    row(0x0d, "BaryCoord",                   NOTHING,                   Meaning::Missing),
    row(0x0e, "VtxParam",                    NOTHING,                   Meaning::Missing),
    row(0x12, "WaveReduce",                  WAVES,                     Meaning::WaveReduce),
    row(0x13, "WaveScan",                    WAVES,                     Meaning::WaveScan),
    row(0x14, "LoadDwAtAddr",                NOTHING,                   Meaning::Missing),
    row(0x17, "DrawIndex",                   Features::DRAW_PARAMETERS, Meaning::DrawIndex),
    row(0x18, "AtomicU64",                   WIDE,                      Meaning::Atomic64),
    row(0x19, "GetWaveSize",                 WAVES,                     Meaning::WaveSize),
    row(0x1a, "BaseInstance",                Features::DRAW_PARAMETERS, Meaning::BaseInstance),
    row(0x1b, "BaseVertex",                  Features::DRAW_PARAMETERS, Meaning::BaseVertex),
    row(0x1c, "FloatConversion",             NOTHING,                   Meaning::FloatToHalf),
    row(0x1d, "ReadlaneAt",                  WAVES,                     Meaning::ReadLaneAt),
    row(0x1f, "ShaderClock",                 Features::SHADER_CLOCK,    Meaning::ShaderClock),
    row(0x20, "ShaderRealtimeClock",         NOTHING,                   Meaning::Missing),
    row(0x21, "Halt",                        NOTHING,                   Meaning::Missing),
    row(0x22, "IntersectBvhNode",            NOTHING,                   Meaning::Missing),
    row(0x23, "BufferStoreByte",             NOTHING,                   Meaning::Missing),
    row(0x24, "BufferStoreShort",            NOTHING,                   Meaning::Missing),
    row(0x25, "ShaderMarker",                NOTHING,                   Meaning::Missing),
    row(0x26, "FloatOpWithRoundMode",        NOTHING,                   Meaning::Missing),
    row(0x28, "WaveMatrixMulAcc",            MATRIX,                    Meaning::Matrix),
    row(0x29, "WaveMatrixUavLoad",           MATRIX,                    Meaning::Matrix),
    row(0x2a, "WaveMatrixUavStore",          MATRIX,                    Meaning::Matrix),
    row(0x2b, "WaveMatrixGlobalLoad",        NOTHING,                   Meaning::Missing),
    row(0x2c, "WaveMatrixGlobalStore",       NOTHING,                   Meaning::Missing),
    row(0x2d, "WaveMatrixLdsLoad",           MATRIX,                    Meaning::Matrix),
    row(0x2e, "WaveMatrixLdsStore",          MATRIX,                    Meaning::Matrix),
    row(0x2f, "WaveMatrixElementFill",       MATRIX,                    Meaning::Matrix),
    row(0x30, "WaveMatrixElementExtract",    MATRIX,                    Meaning::Matrix),
    row(0x31, "WaveMatrixLength",            MATRIX,                    Meaning::Matrix),
    row(0x32, "WaveMatrixCopy",              MATRIX,                    Meaning::Matrix),
    row(0x33, "WaveMatrixFill",              MATRIX,                    Meaning::Matrix),
    row(0x34, "MatrixSparsityIndexLoad",     NOTHING,                   Meaning::Missing),
    row(0x35, "MatrixElementWiseArithmetic", NOTHING,                   Meaning::Missing),
    row(0x36, "Float8Conversion",            NOTHING,                   Meaning::Missing),
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
