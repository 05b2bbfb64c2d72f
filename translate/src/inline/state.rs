//! The state of SSA construction for objects: a function whose variables of objects become values.

use dxil_frontend::dxil::Shader;
use dxil_frontend::ir::{InstData, TypeId, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::inline::draft::{DraftFunction, DraftInst};
use crate::inline::objects::Objects;

/// One object of a variable: the variable and the index.
pub(super) type Slot = (ValueId, u32);

/// Where an address leads.
pub(super) enum Pointee {
    /// A resource's own variable.
    Name,
    /// One object of a variable.
    Slot(Slot),
    /// One of several objects of a variable, by a computed index.
    Computed {
        variable: ValueId,
        first: u32,
        count: u32,
        index: ValueId,
    },
    Either {
        condition: ValueId,
        if_true: ValueId,
        if_false: ValueId,
    },
}

pub(super) struct SsaConstruction<'a, 'd> {
    pub(super) objects: &'a Objects,
    pub(super) shader: &'a Shader,
    pub(super) draft: &'d mut DraftFunction,
    /// Variables of objects, with their types.
    pub(super) variables: FxHashMap<ValueId, TypeId>,
    /// Addresses in them.
    pub(super) addresses: FxHashSet<ValueId>,
    pub(super) predecessors: Vec<Vec<usize>>,
    /// What defines a value, and in which block.
    pub(super) defined: FxHashMap<ValueId, (usize, InstData)>,
    /// What slots hold at the ends of blocks that write them.
    pub(super) at_end: FxHashMap<(Slot, usize), ValueId>,
    /// Phis that stand for a slot at the start of a block, in the order of their making.
    pub(super) at_start: FxHashMap<(Slot, usize), ValueId>,
    pub(super) started: Vec<(Slot, usize, ValueId)>,
    /// Handles of names, by the name; what is a handle already is its own.
    pub(super) handles: FxHashMap<ValueId, ValueId>,
    /// Phis and selections of handles that were written here, whose operands are names still.
    pub(super) chosen: FxHashSet<ValueId>,
    /// `createHandleForLib` of something but a resource's own variable: result and operand.
    pub(super) made: Vec<(ValueId, ValueId)>,
    /// Lines to be written behind the one that defines a value, and at the starts of blocks.
    pub(super) behind: FxHashMap<ValueId, Vec<DraftInst>>,
    pub(super) heads: Vec<Vec<DraftInst>>,
    pub(super) loads: u32,
    /// How deep phis and selections of names are nested.
    pub(super) depth: u32,
    pub(super) bool: TypeId,
}
