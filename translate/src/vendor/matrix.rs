//! Types of wave matrices, as AGS encodes them and as pseudo-operations carry them.
//!
//! A matrix has 16 rows and 16 columns whose elements are spread over the lanes of a wave; which
//! lane has which element is the device's choice. In the IR a matrix is the words that a lane holds
//! of it, so that phis, selections and memory need no special case.

/// The format of elements (`WaveMatrixOpDataFormat`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Format {
    I8,
    U8,
    F16,
    Bf16,
    F32,
    I32,
    U32,
    /// Five bits of exponent.
    Bf8,
    /// Four bits of exponent.
    Fp8,
}

impl Format {
    fn of(number: u32) -> Option<Format> {
        Some(match number {
            2 => Format::I8,
            3 => Format::U8,
            4 => Format::F16,
            5 => Format::Bf16,
            6 => Format::F32,
            7 => Format::I32,
            8 => Format::U32,
            9 => Format::Bf8,
            10 => Format::Fp8,
            // SPIR-V has no matrices of four-bit elements.
            _ => return None,
        })
    }

    /// Returns the number of bits of an element.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Format::I8 | Format::U8 | Format::Bf8 | Format::Fp8 => 8,
            Format::F16 | Format::Bf16 => 16,
            Format::F32 | Format::I32 | Format::U32 => 32,
        }
    }

    /// Returns whether elements are floats.
    pub(crate) fn is_float(self) -> bool {
        !matches!(self, Format::I8 | Format::U8 | Format::I32 | Format::U32)
    }

    /// Returns whether elements are signed integers.
    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Format::I8 | Format::I32)
    }
}

/// Arithmetic on the elements of two matrices (`MatrixElementWiseOp`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ElementwiseOp {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl ElementwiseOp {
    /// Returns the operation with that number in AGS.
    pub(crate) fn of(number: u32) -> Option<ElementwiseOp> {
        Some(match number {
            1 => ElementwiseOp::Add,
            2 => ElementwiseOp::Subtract,
            // `Mul` and `Times`.
            3 | 5 => ElementwiseOp::Multiply,
            4 => ElementwiseOp::Divide,
            _ => return None,
        })
    }

    /// Returns whether matrices of that format have it: SPIR-V has no arithmetic on matrices of
    /// 8-bit floats and bfloat16, and integers would need a rule for division by zero.
    pub(crate) fn takes(self, format: Format) -> bool {
        match format {
            Format::F16 | Format::F32 => true,
            Format::I8 | Format::U8 | Format::I32 | Format::U32 => self != ElementwiseOp::Divide,
            Format::Bf16 | Format::Bf8 | Format::Fp8 => false,
        }
    }
}

/// The role of a matrix in a multiplication (`WaveMatrixOpMatrixType`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    A,
    B,
    Accumulator,
}

/// The type of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct MatrixType {
    pub(crate) format: Format,
    pub(crate) role: Role,
    /// Layout in memory; without meaning elsewhere.
    pub(crate) column_major: bool,
}

impl MatrixType {
    /// Returns the type that a modifier names: bits 0 to 3 are the format, 4 to 6 the role, 7 the
    /// layout, 8 to 10 the shape (0: 16 by 16), 11 the tile.
    pub(crate) fn of(modifier: u32) -> Option<MatrixType> {
        if modifier >> 8 != 0 {
            return None;
        }
        Some(MatrixType {
            format: Format::of(modifier & 0xf)?,
            role: match modifier >> 4 & 7 {
                0 => Role::A,
                1 => Role::B,
                2 => Role::Accumulator,
                _ => return None,
            },
            column_major: modifier >> 7 & 1 == 1,
        })
    }
}

/// Formats of a multiplication (`WaveMatrixOpcode`): A, B, accumulator and result.
pub(crate) fn formats_of(opcode: u32) -> Option<[Format; 3]> {
    use Format::{Bf8, Bf16, F16, F32, Fp8, I8, I32, U8};
    Some(match opcode {
        0x0 => [Bf16, Bf16, Bf16],
        0x1 => [F16, F16, F16],
        0x2 => [Bf16, Bf16, F32],
        0x3 => [Bf8, Bf8, F32],
        0x4 => [Bf8, Fp8, F32],
        0x5 => [F16, F16, F32],
        0x6 => [Fp8, Bf8, F32],
        0x7 => [Fp8, Fp8, F32],
        0xc => [I8, I8, I32],
        0xd => [U8, U8, I32],
        0xe => [I8, U8, I32],
        0xf => [U8, I8, I32],
        // Four-bit integers and sparse matrices.
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_modifier_names_format_role_and_layout_of_16_by_16_elements() {
        let ty = MatrixType::of(4 | 1 << 4 | 1 << 7).unwrap();
        assert_eq!(ty.format, Format::F16);
        assert_eq!(ty.role, Role::B);
        assert!(ty.column_major);
        assert_eq!(MatrixType::of(4 | 1 << 8), None, "32 by 16");
        assert_eq!(MatrixType::of(0), None, "four-bit integers");
    }
}
