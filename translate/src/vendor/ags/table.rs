//! The operations of AGS: number, name, what the target needs, what is written for it. The one
//! place that has them.
//!
//! Source: `ags_shader_intrinsics_dx12.hlsl` of the AGS SDK 6.x.

use dxil_frontend::dxil::ShaderKind;

use crate::Features;

/// The replacement of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AgsMeaning {
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
    /// The clock of the device.
    RealtimeClock,
    FloatToHalf,
    Float8,
    /// A word at a device address.
    LoadAtAddress,
    /// Weights of the triangle's second and third vertex in the pixel; the immediate is the mode of
    /// interpolation.
    Barycentrics,
    /// A sum, difference or product with a rounding mode.
    Rounded,
    /// A store of that many bits.
    NarrowStore(u32),
    /// A marker for tools: nothing.
    Marker,
    /// A phase of an operation on matrices.
    Matrix,
    /// Not translated, for this reason.
    Missing(&'static str),
}

impl AgsMeaning {
    /// Returns whether a stage has it.
    pub(super) fn is_of(self, kind: ShaderKind) -> bool {
        use ShaderKind::{Amplification, Mesh, Vertex};
        match self {
            AgsMeaning::DrawIndex => matches!(kind, Vertex | Mesh | Amplification),
            AgsMeaning::BaseVertex | AgsMeaning::BaseInstance => kind == Vertex,
            AgsMeaning::Matrix => kind == ShaderKind::Compute,
            AgsMeaning::Barycentrics => kind == ShaderKind::Pixel,
            _ => true,
        }
    }
}

/// Signedness of a comparison of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Float,
    Unsigned,
}

/// An operation.
#[derive(Debug, Clone, Copy)]
pub(super) struct AgsOperation {
    pub(super) number: u8,
    pub(super) name: &'static str,
    pub(super) needs: Features,
    pub(super) meaning: AgsMeaning,
}

const fn row(number: u8, name: &'static str, needs: Features, meaning: AgsMeaning) -> AgsOperation {
    AgsOperation {
        number,
        name,
        needs,
        meaning,
    }
}

const NOTHING: Features = Features::empty();
const WAVES: Features = Features::SUBGROUP;
const WIDE: Features = Features::INT64;
const ADDRESSES: Features = Features::BUFFER_DEVICE_ADDRESS;
/// Besides cooperative matrices of one size or another.
const MATRIX: Features = Features::VULKAN_MEMORY_MODEL;

/// In the order of their numbers.
#[rustfmt::skip]
pub(super) const OPERATIONS: &[AgsOperation] = &[
    row(0x01, "Readfirstlane",               WAVES,                     AgsMeaning::ReadFirstLane),
    row(0x02, "Readlane",                    WAVES,                     AgsMeaning::ReadLane),
    row(0x03, "LaneId",                      WAVES,                     AgsMeaning::LaneId),
    row(0x04, "Swizzle",                     WAVES,                     AgsMeaning::Swizzle),
    row(0x05, "Ballot",                      WAVES,                     AgsMeaning::Ballot),
    row(0x06, "MBCnt",                       WAVES,                     AgsMeaning::MaskedBitCount),
    row(0x07, "Min3U",                       NOTHING,                   AgsMeaning::Min3(Sign::Unsigned)),
    row(0x08, "Min3F",                       NOTHING,                   AgsMeaning::Min3(Sign::Float)),
    row(0x09, "Med3U",                       NOTHING,                   AgsMeaning::Med3(Sign::Unsigned)),
    row(0x0a, "Med3F",                       NOTHING,                   AgsMeaning::Med3(Sign::Float)),
    row(0x0b, "Max3U",                       NOTHING,                   AgsMeaning::Max3(Sign::Unsigned)),
    row(0x0c, "Max3F",                       NOTHING,                   AgsMeaning::Max3(Sign::Float)),
    row(0x0d, "BaryCoord",                   Features::BARYCENTRICS,    AgsMeaning::Barycentrics),
    row(0x0e, "VtxParam",                    NOTHING,                   AgsMeaning::Missing("its parameters are numbers of the hardware's, which DXIL does not have")),
    row(0x12, "WaveReduce",                  WAVES,                     AgsMeaning::WaveReduce),
    row(0x13, "WaveScan",                    WAVES,                     AgsMeaning::WaveScan),
    row(0x14, "LoadDwAtAddr",                ADDRESSES,                 AgsMeaning::LoadAtAddress),
    row(0x17, "DrawIndex",                   Features::DRAW_PARAMETERS, AgsMeaning::DrawIndex),
    row(0x18, "AtomicU64",                   WIDE,                      AgsMeaning::Atomic64),
    row(0x19, "GetWaveSize",                 WAVES,                     AgsMeaning::WaveSize),
    row(0x1a, "BaseInstance",                Features::DRAW_PARAMETERS, AgsMeaning::BaseInstance),
    row(0x1b, "BaseVertex",                  Features::DRAW_PARAMETERS, AgsMeaning::BaseVertex),
    row(0x1c, "FloatConversion",             NOTHING,                   AgsMeaning::FloatToHalf),
    row(0x1d, "ReadlaneAt",                  WAVES,                     AgsMeaning::ReadLaneAt),
    row(0x1f, "ShaderClock",                 Features::SHADER_CLOCK,    AgsMeaning::ShaderClock),
    row(0x20, "ShaderRealtimeClock",         Features::DEVICE_CLOCK,    AgsMeaning::RealtimeClock),
    row(0x21, "Halt",                        NOTHING,                   AgsMeaning::Missing("SPIR-V stops no wave for a debugger")),
    row(0x22, "IntersectBvhNode",            NOTHING,                   AgsMeaning::Missing("SPIR-V has no nodes of acceleration structures")),
    row(0x23, "BufferStoreByte",             NOTHING,                   AgsMeaning::NarrowStore(8)),
    row(0x24, "BufferStoreShort",            NOTHING,                   AgsMeaning::NarrowStore(16)),
    row(0x25, "ShaderMarker",                NOTHING,                   AgsMeaning::Marker),
    row(0x26, "FloatOpWithRoundMode",        NOTHING,                   AgsMeaning::Rounded),
    row(0x28, "WaveMatrixMulAcc",            MATRIX,                    AgsMeaning::Matrix),
    row(0x29, "WaveMatrixUavLoad",           MATRIX,                    AgsMeaning::Matrix),
    row(0x2a, "WaveMatrixUavStore",          MATRIX,                    AgsMeaning::Matrix),
    row(0x2b, "WaveMatrixGlobalLoad",        MATRIX.union(ADDRESSES),   AgsMeaning::Matrix),
    row(0x2c, "WaveMatrixGlobalStore",       MATRIX.union(ADDRESSES),   AgsMeaning::Matrix),
    row(0x2d, "WaveMatrixLdsLoad",           MATRIX,                    AgsMeaning::Matrix),
    row(0x2e, "WaveMatrixLdsStore",          MATRIX,                    AgsMeaning::Matrix),
    row(0x2f, "WaveMatrixElementFill",       MATRIX,                    AgsMeaning::Matrix),
    row(0x30, "WaveMatrixElementExtract",    MATRIX,                    AgsMeaning::Matrix),
    row(0x31, "WaveMatrixLength",            MATRIX,                    AgsMeaning::Matrix),
    row(0x32, "WaveMatrixCopy",              MATRIX,                    AgsMeaning::Matrix),
    row(0x33, "WaveMatrixFill",              MATRIX,                    AgsMeaning::Matrix),
    row(0x34, "MatrixSparsityIndexLoad",     NOTHING,                   AgsMeaning::Missing("SPIR-V has no sparse matrices")),
    row(0x35, "MatrixElementWiseArithmetic", MATRIX,                    AgsMeaning::Matrix),
    row(0x36, "Float8Conversion",            NOTHING,                   AgsMeaning::Float8),
];

/// Returns the operation with that number.
pub(super) fn operation(number: u32) -> Option<&'static AgsOperation> {
    OPERATIONS
        .iter()
        .find(|row| u32::from(row.number) == number)
}

/// Returns why an operation is not translated, if it is not.
pub(in crate::vendor) fn reason_of(number: u32) -> Option<&'static str> {
    match operation(number)?.meaning {
        AgsMeaning::Missing(reason) => Some(reason),
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
