//! Types of wave matrices, as AGS encodes them and as pseudo-operations carry them.
//!
//! A matrix has 16 rows and 16 columns whose elements are spread over the lanes of a wave; which
//! lane has which element is the device's choice. In the IR a matrix is the words that a lane holds
//! of it, so that phis, selections and memory need no special case.

use super::operands::Immediate;

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

    fn number(self) -> u32 {
        match self {
            Format::I8 => 2,
            Format::U8 => 3,
            Format::F16 => 4,
            Format::Bf16 => 5,
            Format::F32 => 6,
            Format::I32 => 7,
            Format::U32 => 8,
            Format::Bf8 => 9,
            Format::Fp8 => 10,
        }
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

/// Formats of a multiplication: A, B, and the accumulator and result.
pub(crate) type ProductFormats = [Format; 3];

/// The multiplications (`WaveMatrixOpcode`). Four-bit integers and sparse matrices are not among
/// them.
const PRODUCTS: [(u32, ProductFormats); 12] = {
    use Format::{Bf8, Bf16, F16, F32, Fp8, I8, I32, U8};
    [
        (0x0, [Bf16, Bf16, Bf16]),
        (0x1, [F16, F16, F16]),
        (0x2, [Bf16, Bf16, F32]),
        (0x3, [Bf8, Bf8, F32]),
        (0x4, [Bf8, Fp8, F32]),
        (0x5, [F16, F16, F32]),
        (0x6, [Fp8, Bf8, F32]),
        (0x7, [Fp8, Fp8, F32]),
        (0xc, [I8, I8, I32]),
        (0xd, [U8, U8, I32]),
        (0xe, [I8, U8, I32]),
        (0xf, [U8, I8, I32]),
    ]
};

/// The multiplication of halves that adds up floats.
pub(crate) const HALVES_TO_FLOATS: ProductFormats = [Format::F16, Format::F16, Format::F32];

/// Returns the formats of the multiplication with that number in AGS.
pub(crate) fn formats_of(opcode: u32) -> Option<ProductFormats> {
    let row = PRODUCTS.iter().find(|(number, _)| *number == opcode);
    row.map(|&(_, formats)| formats)
}

/// Numbers are AGS's.
impl Immediate for ProductFormats {
    fn number(self) -> u32 {
        let row = PRODUCTS.iter().find(|(_, formats)| *formats == self);
        // Formats come from `formats_of`; no multiplication has this number.
        row.map_or(u32::MAX, |&(number, _)| number)
    }
    fn from_number(number: u64) -> Option<Self> {
        formats_of(u32::try_from(number).ok()?)
    }
}

/// Numbers are AGS's.
impl Immediate for ElementwiseOp {
    fn number(self) -> u32 {
        match self {
            ElementwiseOp::Add => 1,
            ElementwiseOp::Subtract => 2,
            ElementwiseOp::Multiply => 3,
            ElementwiseOp::Divide => 4,
        }
    }
    fn from_number(number: u64) -> Option<Self> {
        ElementwiseOp::of(u32::try_from(number).ok()?)
    }
}

/// Numbers are AGS's modifiers.
impl Immediate for MatrixType {
    fn number(self) -> u32 {
        let role = match self.role {
            Role::A => 0,
            Role::B => 1,
            Role::Accumulator => 2,
        };
        self.format.number() | role << 4 | u32::from(self.column_major) << 7
    }
    fn from_number(number: u64) -> Option<Self> {
        MatrixType::of(u32::try_from(number).ok()?)
    }
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

    #[test]
    fn numbers_and_what_they_stand_for_correspond() {
        let formats = (0..16).filter_map(formats_of);
        assert_eq!(formats.clone().count(), 12);
        for formats in formats {
            let number = u64::from(formats.number());
            assert_eq!(ProductFormats::from_number(number), Some(formats));
        }
        let types = (0..1 << 12).filter_map(MatrixType::of);
        // Nine formats, three roles, two layouts.
        assert_eq!(types.clone().count(), 9 * 3 * 2);
        for ty in types {
            assert_eq!(MatrixType::of(ty.number()), Some(ty));
        }
        // AGS has two names for a product of elements.
        let operations = [1, 2, 3, 4, 5].map(|number| ElementwiseOp::of(number).unwrap());
        assert_eq!(operations.map(Immediate::number), [1, 2, 3, 4, 3]);
    }
}
