//! Operations that vendors have and DXIL lacks. In the IR each is a call of a function without a
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
    /// [`super::matrix::MatrixType`], offset and stride are in bytes.
    MatrixLoad,
    /// `(buffer, i32 offset, i32 stride, i32 type, words)`: stores a matrix.
    MatrixStore,
    /// `(pointer, i32 index, i32 stride, i32 type) -> words`: loads a matrix from a groupshared
    /// array of words; index and stride are in words.
    MatrixSharedLoad,
    /// `(pointer, i32 index, i32 stride, i32 type, words)`: stores a matrix there.
    MatrixSharedStore,
    /// `(i32 opcode, i32 count, words of A, i32 count, words of B, i32 count, words of C) ->
    /// words`: `A * B + C`.
    MatrixMultiply,
    /// `(i32 type, i32 new type, i32 saturate, words) -> words`.
    MatrixConvert,
    /// `(i32 type, i32 value) -> words`: a matrix whose elements are all the same.
    MatrixFill,
    /// `(i32 type) -> i32`: how many elements a lane has; four of 8 bits count as one.
    MatrixLength,
    /// `(buffer, i32 coordinates x 3, i32 value, i32 operation) -> i32`: an atomic on the float, or
    /// the two halves, in a word of a buffer. Operations are those of [`FloatAtomic`].
    FloatAtomic,
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

/// Names begin with this, which no HLSL function's does.
const PREFIX: &str = "vendor.";

impl PseudoOp {
    const ALL: [PseudoOp; 11] = [
        PseudoOp::DrawIndex,
        PseudoOp::WaveScan,
        PseudoOp::MatrixLoad,
        PseudoOp::MatrixStore,
        PseudoOp::MatrixSharedLoad,
        PseudoOp::MatrixSharedStore,
        PseudoOp::MatrixMultiply,
        PseudoOp::MatrixConvert,
        PseudoOp::MatrixFill,
        PseudoOp::MatrixLength,
        PseudoOp::FloatAtomic,
    ];

    /// Returns the name of its function, without the suffix for the type of its values.
    pub(crate) fn name(self) -> &'static str {
        match self {
            PseudoOp::DrawIndex => "vendor.drawIndex",
            PseudoOp::WaveScan => "vendor.waveScan",
            PseudoOp::MatrixLoad => "vendor.matrixLoad",
            PseudoOp::MatrixStore => "vendor.matrixStore",
            PseudoOp::MatrixSharedLoad => "vendor.matrixSharedLoad",
            PseudoOp::MatrixSharedStore => "vendor.matrixSharedStore",
            PseudoOp::MatrixMultiply => "vendor.matrixMultiply",
            PseudoOp::MatrixConvert => "vendor.matrixConvert",
            PseudoOp::MatrixFill => "vendor.matrixFill",
            PseudoOp::MatrixLength => "vendor.matrixLength",
            PseudoOp::FloatAtomic => "vendor.floatAtomic",
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
            PseudoOp::DrawIndex | PseudoOp::FloatAtomic => false,
            PseudoOp::WaveScan
            | PseudoOp::MatrixLoad
            | PseudoOp::MatrixStore
            | PseudoOp::MatrixSharedLoad
            | PseudoOp::MatrixSharedStore
            | PseudoOp::MatrixMultiply
            | PseudoOp::MatrixConvert
            | PseudoOp::MatrixFill
            | PseudoOp::MatrixLength => true,
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
