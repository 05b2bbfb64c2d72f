//! Variables, pointers and registers of a translation: the data, without the code that works on it.

use dxil_frontend::ir::{FuncId, GlobalId, InstId, TypeId, ValueId};
use rustc_hash::FxHashMap;

use crate::spirv::{Id, StorageClass};

/// A variable that is an array of unsigned integers, whatever the IR looks at it as.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct CellArray {
    /// The variable.
    pub(in crate::lower) variable: Id,
    /// Bits per cell.
    pub(in crate::lower) width: u32,
    /// Storage class.
    pub(in crate::lower) class: StorageClass,
}

/// One cell, where a value begins.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Cell {
    /// The variable that it is in.
    pub(in crate::lower) array: CellArray,
    /// Its index there.
    pub(in crate::lower) index: Id,
}

/// The last access to group-shared memory since all lanes have met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::lower) enum GroupAccess {
    /// There was none.
    #[default]
    None,
    /// Some, on one of the ways that lead here.
    Some,
    /// A load.
    Load,
    /// A store.
    Store,
    /// An atomic.
    Atomic,
}

/// Sizes of all types. Alignments differ between modules: without native 16-bit types, small
/// scalars take a whole 32-bit word.
#[derive(Debug)]
pub(in crate::lower) struct Layout {
    pub(super) small_scalars_are_words: bool,
    /// By type. Structures share members, so each type is measured once.
    pub(super) measures: Vec<Option<Measure>>,
}

/// How much memory a type takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measure {
    /// Bytes.
    pub(super) size: u64,
    /// Bytes.
    pub(super) align: u64,
    /// Bits of the smallest scalar.
    pub(super) smallest: u32,
}

/// A variable: the function of an alloca, and the value that stands for it.
pub(in crate::lower) type RootKey = (Option<FuncId>, ValueId);

/// Variables that lie in one array.
#[derive(Debug)]
pub(in crate::lower) struct Group {
    pub(super) roots: Vec<Root>,
    /// Bits of the smallest access so far.
    pub(super) width: u32,
    pub(super) made: Option<CellArray>,
}

/// A variable of a group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Root {
    pub(super) key: RootKey,
    pub(super) ty: TypeId,
    pub(super) class: StorageClass,
    pub(super) initializer: Option<ValueId>,
    /// First cell, once the array is made.
    pub(super) first: u32,
}

/// The files of temporary registers in use: variable and its length, for 16 bits and for 32.
#[derive(Debug, Default)]
pub(in crate::lower) struct Registers {
    pub(super) files: [Option<(Id, u32)>; 2],
}

/// The variables, and what is planned for the accesses of the current function.
#[derive(Debug, Default)]
pub(in crate::lower) struct SharedRows {
    /// What is known of the variables that may qualify.
    pub(super) candidates: FxHashMap<GlobalId, Candidate>,
    /// Loads that share one with others: number of the common load, and whether it is the first.
    pub(super) loads: FxHashMap<InstId, (usize, bool)>,
    /// The common loads, once they are written.
    pub(super) loaded: Vec<Id>,
    /// Stores that share one with others, which stands at the last of them: the values by component
    /// there, nothing elsewhere.
    pub(super) stores: FxHashMap<InstId, Vec<ValueId>>,
}

/// A variable all of whose accesses so far have the form.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) element: TypeId,
    pub(super) count: u32,
    /// Greatest common divisor of the factors of indices.
    pub(super) factor: u32,
    /// Least and greatest constant index.
    pub(super) constants: Option<(i32, i32)>,
    pub(super) refused: bool,
}

/// Index into the table of pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::lower) struct PointerId(pub(super) u32);

/// Variables and pointers of the module under construction.
#[derive(Debug, Default)]
pub(in crate::lower) struct Memory {
    /// How memory is laid out in the IR.
    pub(in crate::lower) layout: Layout,
    pub(super) globals: Vec<Option<PointerId>>,
    pub(super) pointers: Vec<Pointer>,
    /// Width of the cells of variables that are looked at through several types.
    pub(in crate::lower) cells: FxHashMap<RootKey, u32>,
    /// Variables that one pointer may lead to, together.
    pub(in crate::lower) groups: Vec<Group>,
    /// The group that a phi or select of addresses leads into.
    pub(super) merged: FxHashMap<RootKey, usize>,
    /// The group of a variable.
    pub(super) group_of: FxHashMap<RootKey, usize>,
    /// Group-shared arrays of vectors.
    pub(in crate::lower) rows: crate::lower::memory::state::SharedRows,
    /// Ids of whole variables, in order.
    pub(super) variables: Vec<Id>,
    /// Conditions for pointers to lead where they say.
    pub(super) guards: FxHashMap<PointerId, Id>,
}

/// An address.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) enum Pointer {
    /// Into a variable that keeps its type.
    Typed {
        /// The SPIR-V pointer.
        id: Id,
        /// IR type that it points to.
        pointee: TypeId,
        /// Where it lies in the array around it: address of the array and index, so that pointer
        /// arithmetic can go on from here.
        place: Option<(Id, Id)>,
        /// Storage class.
        class: StorageClass,
    },
    /// Into a variable of cells.
    Cells {
        /// The first cell.
        cell: Cell,
        /// IR type that it points to now.
        pointee: TypeId,
    },
    /// Into a node's record.
    Address {
        /// The device address.
        address: Id,
        /// IR type that it points to now.
        pointee: TypeId,
    },
}
