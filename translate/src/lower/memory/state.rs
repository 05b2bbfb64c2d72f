//! Variables, pointers and registers of a translation: the data, without the code that works on it.

use dxil_frontend::ir::TypeId;
use dxil_frontend::tables::HashMap;

use crate::spirv::{Id, StorageClass};

/// A variable that is an array of unsigned integers, whatever its IR type.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct CellArray {
    /// The variable.
    pub(in crate::lower) variable: Id,
    /// Bits per cell.
    pub(in crate::lower) width: u32,
    /// Storage class.
    pub(in crate::lower) class: StorageClass,
    /// Number of cells.
    pub(in crate::lower) count: u32,
    /// Whether the pointer looks at wider elements as narrower ones, whose places in them are not
    /// known: compilers other than DXC count bytes there, and the data layout gives small scalars
    /// whole words.
    pub(in crate::lower) is_narrower_view: bool,
}

/// One cell, where a value begins.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Cell {
    /// The variable that it is in.
    pub(in crate::lower) array: CellArray,
    /// Its index there.
    pub(super) index: Id,
}

/// The last access to groupshared memory since the lanes were synchronized (see
/// [`super::group_order`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::lower) enum GroupAccess {
    /// There was none.
    #[default]
    None,
    /// Some access, on one of the paths to here.
    Some,
    /// A load.
    Load,
    /// A store.
    Store,
    /// An atomic.
    Atomic,
}

/// The files of temporary registers in use: variable and its length, for 16 bits and for 32.
#[derive(Debug, Default)]
pub(in crate::lower) struct Registers {
    pub(super) files: [Option<(Id, u32)>; 2],
}

/// Index into the table of pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::lower) struct PointerId(pub(super) u32);

/// The array that the variables of a group lie in.
#[derive(Debug)]
pub(super) struct GroupArray {
    pub(super) array: CellArray,
    /// First cell of each variable of the group.
    pub(super) first_cells: Vec<u32>,
}

/// Variables and pointers of the module that is being built.
#[derive(Debug, Default)]
pub(in crate::lower) struct Memory {
    pub(super) globals: Vec<Option<PointerId>>,
    pub(super) pointers: Vec<Pointer>,
    /// The arrays of the groups of variables that one pointer may lead to, once they are made.
    pub(super) group_arrays: HashMap<usize, GroupArray>,
    /// Common loads of vectors of the current function, once they are written.
    pub(super) loaded_rows: Vec<Id>,
    /// Ids of whole variables, in order.
    pub(super) variables: Vec<Id>,
    /// Variables of the thread group that have an initializer, and their first contents.
    pub(super) group_contents: Vec<(Id, Id)>,
    /// Whether there are variables of the thread group.
    pub(super) has_group_memory: bool,
    /// Conditions under which pointers are in bounds.
    pub(super) guards: HashMap<PointerId, Id>,
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
        /// Address of the array around it, index there and number of elements, from which pointer
        /// arithmetic can continue.
        array_element: Option<(Id, Id, u64)>,
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
