//! The state of SSA construction for objects: a function whose variables of objects become values.

use dxil_frontend::dxil::Shader;
use dxil_frontend::ir::{InstData, TypeId, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};

use crate::inline::objects::Objects;
use crate::inline::{DraftFunction, DraftInst};

/// One object of a variable: the variable and the index.
pub(super) type VariableElement = (ValueId, u32);

/// The object that an address refers to.
pub(super) enum Pointee {
    /// A resource's own variable.
    Name,
    /// One object of a variable.
    Slot(VariableElement),
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
    pub(super) variables: HashMap<ValueId, TypeId>,
    /// Addresses into them.
    pub(super) addresses: HashSet<ValueId>,
    pub(super) predecessors: Vec<Vec<usize>>,
    /// The definition of a value, and its block.
    pub(super) defined: HashMap<ValueId, (usize, InstData)>,
    /// Values of slots at the ends of blocks that write them.
    pub(super) at_end: HashMap<(VariableElement, usize), ValueId>,
    /// Phis for a slot at the start of a block, in order of creation.
    pub(super) at_start: HashMap<(VariableElement, usize), ValueId>,
    pub(super) started: Vec<(VariableElement, usize, ValueId)>,
    /// Handles by name; a value that is a handle already maps to itself.
    pub(super) handles: HashMap<ValueId, ValueId>,
    /// Phis and selections of handles that this pass wrote, whose operands are still names.
    pub(super) chosen: HashSet<ValueId>,
    /// `createHandleForLib` of something other than a resource's own variable: result and operand.
    pub(super) made: Vec<(ValueId, ValueId)>,
    /// Instructions to insert after the definition of a value, and at the starts of blocks.
    pub(super) behind: HashMap<ValueId, Vec<DraftInst>>,
    pub(super) heads: Vec<Vec<DraftInst>>,
    pub(super) loads: u32,
    /// Current nesting depth of phis and selections of names.
    pub(super) depth: u32,
    pub(super) bool: TypeId,
}
