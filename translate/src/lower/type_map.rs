//! Scalars, numeric shapes, and the SPIR-V types of IR types.

use crate::spirv::Id;

/// IR type to SPIR-V type, and the representation of 16-bit scalars.
#[derive(Debug)]
pub(super) struct TypeMap {
    pub(super) ids: Vec<Id>,
    /// `half` is a 16-bit float.
    pub(super) native_half: bool,
    /// `i16` is a 16-bit integer.
    pub(super) native_short: bool,
    /// 16-bit types are native in the program, not min-precision ones.
    pub(super) strict_16bit: bool,
    /// `half` is a 32-bit float whose values are rounded to those of a half: for portable targets
    /// without 16-bit floats.
    pub(super) rounded_half: bool,
    /// Packing a half can round toward zero, by a mode of the module that changes nothing else.
    pub(super) packing_can_round_toward_zero: bool,
    /// ... and has to.
    pub(super) packing_rounds_toward_zero: bool,
}

/// A scalar type: its meaning (`bits`) and its representation (`width`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Scalar {
    /// `i1`.
    Bool,
    /// An integer.
    Int {
        /// Significant bits.
        bits: u32,
        /// Bits of the SPIR-V type.
        width: u32,
    },
    /// A float.
    Float {
        /// Bits in the IR.
        bits: u32,
        /// Bits of the SPIR-V type.
        width: u32,
    },
}

impl Scalar {
    /// 32-bit integer.
    pub(super) const U32: Scalar = Scalar::Int {
        bits: 32,
        width: 32,
    };
    /// 32-bit float.
    pub(super) const F32: Scalar = Scalar::Float {
        bits: 32,
        width: 32,
    };
    /// 64-bit float.
    pub(super) const F64: Scalar = Scalar::Float {
        bits: 64,
        width: 64,
    };

    /// Returns the width of the SPIR-V type; 1 for a boolean.
    pub(super) fn width(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int { width, .. } | Scalar::Float { width, .. } => width,
        }
    }

    /// Returns the number of bits in the IR.
    pub(super) fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int { bits, .. } | Scalar::Float { bits, .. } => bits,
        }
    }

    /// Returns whether it is a min-precision float in a 32-bit one.
    pub(super) fn is_relaxed(self) -> bool {
        matches!(
            self,
            Scalar::Float {
                bits: 16,
                width: 32
            }
        )
    }

    /// Returns whether the upper bits of its representation are undefined.
    pub(super) fn is_widened(self) -> bool {
        matches!(self, Scalar::Int { bits, width } if bits < width)
    }
}

impl NumericShape {
    /// Returns the scalar.
    pub(super) const fn scalar(scalar: Scalar) -> Self {
        NumericShape { scalar, count: 1 }
    }

    /// Returns the shape with another scalar.
    pub(super) const fn with(self, scalar: Scalar) -> Self {
        NumericShape {
            scalar,
            count: self.count,
        }
    }

    /// Returns the shape with 32-bit integers.
    pub(super) const fn u32(self) -> Self {
        self.with(Scalar::U32)
    }

    /// Returns the shape with booleans.
    pub(super) const fn bool(self) -> Self {
        self.with(Scalar::Bool)
    }
}

/// A [`NumericShape`] in one number, which a call returns in a register: a shape that is written to
/// memory in parts and read as a whole costs a store-forwarding stall.
#[derive(Debug, Clone, Copy)]
pub(super) struct PackedShape(u64);

impl PackedShape {
    /// Packs a shape. Widths have eight bits at most.
    pub(super) const fn new(shape: NumericShape) -> Self {
        let (kind, bits, width) = match shape.scalar {
            Scalar::Bool => (0, 0, 0),
            Scalar::Int { bits, width } => (1, bits, width),
            Scalar::Float { bits, width } => (2, bits, width),
        };
        PackedShape(kind | (bits as u64) << 8 | (width as u64) << 16 | (shape.count as u64) << 32)
    }

    /// Returns the shape.
    #[inline]
    pub(super) const fn unpack(self) -> NumericShape {
        let (bits, width) = ((self.0 >> 8 & 0xff) as u32, (self.0 >> 16 & 0xff) as u32);
        NumericShape {
            scalar: match self.0 & 0xff {
                0 => Scalar::Bool,
                1 => Scalar::Int { bits, width },
                _ => Scalar::Float { bits, width },
            },
            count: (self.0 >> 32) as u32,
        }
    }
}

/// A scalar or a vector of 2 to 4 scalars; of more where the target has long vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NumericShape {
    /// The scalar.
    pub(super) scalar: Scalar,
    /// Number of elements; 1 is a scalar.
    pub(super) count: u32,
}
