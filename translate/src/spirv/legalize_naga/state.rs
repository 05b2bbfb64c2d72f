//! The state of the pass: types and values.

use dxil_frontend::tables::{HashMap, HashSet};

use crate::PortableForm;
use crate::spirv::{Builder, Id, Op};

/// A pointer to a texel: the variable of the image, and the coordinates.
#[derive(Debug, Clone, Copy)]
pub(super) struct TexelPointer {
    pub(super) image: Id,
    pub(super) coords: Id,
}

/// The module that is rewritten, and facts about it that the rules need.
pub(super) struct Legalizer<'a> {
    pub(super) b: &'a mut Builder,
    /// Types of values.
    pub(super) types: HashMap<Id, Id>,
    /// Numeric types.
    pub(super) numeric: HashMap<Id, NumericType>,
    /// Members of structs.
    pub(super) structs: HashMap<Id, Vec<Id>>,
    /// Types that pointers point to.
    pub(super) pointees: HashMap<Id, Id>,
    /// Scalar types of the texels of images.
    pub(super) texels: HashMap<Id, Id>,
    /// Values of 64-bit integer constants.
    pub(super) constants: HashMap<Id, u64>,
    /// Words of the section of types and constants that are known.
    pub(super) globals_seen: usize,
    /// The emulation of 64-bit integers, if the target lacks them.
    pub(super) int64: Option<Int64>,
    /// The functions of casts, if casts are functions by themselves.
    pub(super) casts: Option<CastFunctions>,
    /// The components of composites of two values that rules made.
    pub(super) parts: HashMap<Id, [Id; 2]>,
    /// The phis that continue blocks get.
    pub(super) loop_phis: LoopPhis,
    /// Values of 64 bits that are the selector of a switch.
    pub(super) wide_selectors: HashSet<Id>,
    /// Whether atomics on images become stores.
    pub(super) image_atomics: bool,
    /// Pointers to texels, by their ids.
    pub(super) texel_pointers: HashMap<Id, TexelPointer>,
    /// An instruction without a form that naga takes.
    pub(super) refused: Option<Refusal>,
}

/// An instruction without a form that naga takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// On 64-bit integers, which are emulated.
    Int64(Op),
    /// An atomic on an image.
    ImageAtomic(Op),
}

impl Refusal {
    /// Returns what naga lacks.
    pub(crate) fn form(self) -> PortableForm {
        match self {
            Refusal::Int64(_) => PortableForm::Int64,
            Refusal::ImageAtomic(_) => PortableForm::TextureAtomic,
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Int64(op) => {
                write!(f, "a 64-bit Op{op:?} where 64-bit integers are emulated")
            }
            Refusal::ImageAtomic(op) => {
                write!(f, "an Op{op:?} on this texture")
            }
        }
    }
}

/// The emulation of 64-bit integers.
#[derive(Debug, Default)]
pub(super) struct Int64 {
    /// Types of 64-bit integers. The module no longer declares them.
    pub(super) types: Vec<Id>,
    /// Types that are replaced by others, and those.
    pub(super) replaced: HashMap<Id, Id>,
    /// Constants that rules made, by value.
    pub(super) constants: HashMap<u64, Id>,
    /// The function that divides, once it is called.
    pub(super) divide: Option<Id>,
}

/// A value of a back edge, which gets a phi in the continue block.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContinuePhi {
    /// The phi in the continue block.
    pub(super) phi: Id,
    pub(super) ty: Id,
    pub(super) value: Id,
}

/// The phis that continue blocks get.
#[derive(Debug, Default)]
pub(super) struct LoopPhis {
    /// The values that become phis, by continue block.
    pub(super) carried: HashMap<Id, Vec<ContinuePhi>>,
    /// The predecessors of those blocks.
    pub(super) predecessors: HashMap<Id, Vec<Id>>,
    /// The operands that header phis have instead: by the phi's result and the continue block.
    pub(super) replaced: HashMap<(Id, Id), Id>,
}

/// The functions of casts, once they are called.
#[derive(Debug, Default)]
pub(super) struct CastFunctions {
    pub(super) functions: [Option<Id>; 4],
}

/// A numeric type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NumericType {
    pub(super) is_float: bool,
    pub(super) is_signed: bool,
    pub(super) bits: u32,
    /// Components; 1 of a scalar.
    pub(super) count: u32,
}

impl NumericType {
    /// Returns whether this is a scalar float of that width.
    pub(super) fn is_float(self, bits: u32) -> bool {
        (self.is_float, self.bits, self.count) == (true, bits, 1)
    }
}
