//! Which lanes run the block that is being written: facts for operations that read other lanes; and
//! the matrices of a wave whose words are known.

use dxil_frontend::dxil::MatrixType;
use dxil_frontend::ir::{TypeId, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};
use smallvec::SmallVec;

use crate::pseudo::matrix::Format;
use crate::spirv::Id;
use crate::structurize::{Merge, StructuredBlock, StructuredBlockId, Terminator};

/// The constructs around the block that is being written.
#[derive(Debug, Default)]
pub(in crate::lower) struct LaneFlow {
    /// Merge blocks of the open constructs, the innermost last.
    open: SmallVec<[StructuredBlockId; 8]>,
    /// Open constructs in the code of one operation.
    parts: u32,
    /// Whether lanes can have left the function inside of a construct.
    left: bool,
    /// Whether lanes can have taken different paths before.
    branched: bool,
    /// Whether the function is called, possibly from inside of a construct.
    called: bool,
}

impl LaneFlow {
    /// Begins a function.
    pub(in crate::lower) fn begin(&mut self, is_entry: bool) {
        *self = LaneFlow {
            open: SmallVec::new(),
            parts: 0,
            left: false,
            branched: self.branched || !is_entry,
            called: !is_entry,
        };
    }

    /// Begins a block.
    pub(in crate::lower) fn enter(&mut self, index: usize, block: &StructuredBlock) {
        let merges = |&merge: &StructuredBlockId| merge.0 as usize == index;
        if let Some(place) = self.open.iter().position(merges) {
            self.open.truncate(place);
        }
        // Each iteration of a loop runs the header again.
        if let Merge::Loop { merge, .. } = block.merge {
            self.open(merge);
        }
    }

    /// Ends a block.
    pub(in crate::lower) fn leave(&mut self, block: &StructuredBlock) {
        let ends = matches!(
            block.terminator,
            Terminator::Return(_) | Terminator::Unreachable
        );
        self.left |= ends && !self.open.is_empty();
        if let Merge::Selection { merge, .. } = block.merge {
            self.open(merge);
        }
    }

    fn open(&mut self, merge: StructuredBlockId) {
        self.open.push(merge);
        self.branched = true;
    }

    /// Begins a construct in the code of one operation.
    pub(in crate::lower) fn begin_part(&mut self) {
        self.parts += 1;
        self.branched = true;
    }

    /// Ends it.
    pub(in crate::lower) fn end_part(&mut self) {
        self.parts = self.parts.saturating_sub(1);
    }

    /// Notes that lanes end inside of the code of one operation.
    pub(in crate::lower) fn lose_lanes(&mut self) {
        self.left = true;
    }

    /// Returns whether all lanes of the draw or dispatch run the block. Such blocks are in uniform
    /// control flow: what the lanes did in constructs before makes no difference (SPIR-V
    /// specification, "Uniform Control Flow").
    pub(in crate::lower) fn has_all_lanes(&self) -> bool {
        self.open.is_empty() && self.parts == 0 && !self.left && !self.called
    }

    /// Returns whether lanes can have taken different paths up to here. Core SPIR-V says where
    /// thread groups and the lanes of a primitive meet again, but not where those of a subgroup do.
    pub(in crate::lower) fn has_branched(&self) -> bool {
        self.branched
    }
}

/// The matrices that words were taken out of. Words that come back together are that matrix: taking
/// each element out and putting it in again would take an access per element. And what is known of
/// the types of shader model 6.10.
#[derive(Debug, Default)]
pub(in crate::lower) struct KnownMatrices {
    /// The matrix types of shader model 6.10, once one was asked for.
    pub(in crate::lower) described: Option<HashMap<TypeId, MatrixType>>,
    /// Number of words, and the variable, of the memory through which matrices go to other lanes.
    pub(in crate::lower) scratch: Option<(u32, Id)>,
    /// Functions that convert matrices of 8-bit floats, and have been called.
    pub(in crate::lower) conversions: Vec<Conversion>,
    /// By the first word: all words, the type of a tile, and the tiles.
    by_word: HashMap<Id, (Vec<Id>, Id, Vec<Id>)>,
}

/// The type of a matrix of which a function converts the elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) struct ConvertedType {
    pub(in crate::lower) format: Format,
    /// The type of the matrix.
    pub(in crate::lower) tile: Id,
    pub(in crate::lower) component: Id,
}

/// A function that converts a matrix.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Conversion {
    pub(in crate::lower) from: ConvertedType,
    pub(in crate::lower) to: ConvertedType,
    pub(in crate::lower) saturates: bool,
    pub(in crate::lower) function: Id,
}

/// The results of calls in a function that stay whole matrices.
#[derive(Debug, Default)]
pub(in crate::lower) struct WholeMatrices {
    /// `None` until somebody asks, which most shaders never do.
    pub(in crate::lower) known: Option<HashSet<ValueId>>,
}

impl WholeMatrices {
    /// Begins a function. Where values of other blocks are in variables, words are needed.
    pub(in crate::lower) fn begin_function(&mut self, has_variables: bool) {
        self.known = has_variables.then(HashSet::default);
    }
}

impl KnownMatrices {
    /// Remembers the words of a matrix.
    pub(in crate::lower) fn remember(&mut self, words: Vec<Id>, tile_ty: Id, tiles: &[Id]) {
        if let Some(&first) = words.first() {
            self.by_word.insert(first, (words, tile_ty, tiles.to_vec()));
        }
    }

    /// Returns the tiles that words were taken out of, if all of them were, in that order.
    pub(in crate::lower) fn tiles_of(&self, words: &[Id], tile_ty: Id) -> Option<Vec<Id>> {
        let (known, ty, tiles) = self.by_word.get(words.first()?)?;
        (known == words && *ty == tile_ty).then(|| tiles.clone())
    }
}
