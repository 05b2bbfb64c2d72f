//! What the builder remembers of types, values and functions.

use rustc_hash::FxHashMap;

use crate::spirv::{Id, Op};

/// The types that nearly every instruction names.
#[derive(Debug, Default)]
pub(super) struct CommonTypes {
    pub(super) void: Id,
    pub(super) bool_: Id,
    pub(super) u32_: Id,
    pub(super) f32_: Id,
}

/// What the builder knows of pairs.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// The type, once something needs it, and the vector that is written for it.
    pub(super) ty: Option<Id>,
    pub(super) vector: Id,
    /// Constants of it, by instruction and operands.
    pub(super) constants: FxHashMap<(u32, Vec<u32>), Id>,
    /// The function that divides.
    pub(super) divide: Option<Id>,
    /// An instruction that has no form for pairs.
    pub(super) refused: Option<Op>,
}

/// The functions, once something calls them.
#[derive(Debug, Default)]
pub(super) struct PseudoCasts {
    pub(super) functions: [Option<Id>; 4],
}

/// What the builder remembers of types and values for this.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// Types of values.
    pub(super) types: FxHashMap<Id, Id>,
    /// Numeric types.
    pub(super) kinds: FxHashMap<Id, NumericType>,
    /// Members of structs.
    pub(super) structs: FxHashMap<Id, Vec<Id>>,
    /// 64-bit integer constants.
    pub(super) wide: FxHashMap<Id, u64>,
    /// How 64-bit integers are made of words, where they are.
    pub(super) pairs: Option<Pairs>,
    /// How doubles are cast to their bits, where casts are marked.
    pub(super) pseudo_casts: Option<PseudoCasts>,
}

/// A numeric type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NumericType {
    pub(super) is_float: bool,
    pub(super) bits: u32,
    pub(super) count: u32,
}

impl NumericType {
    /// Whether this is that scalar.
    pub(super) fn is(self, is_float: bool, bits: u32) -> bool {
        (self.is_float, self.bits, self.count) == (is_float, bits, 1)
    }
}
