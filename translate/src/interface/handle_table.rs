//! Facts about the handles of a function, by value.

use dxil_frontend::ir::ValueId;
use dxil_frontend::tables::HashMap;

use super::view::ViewId;

/// Facts about a handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HandlePlan {
    /// The view; `None` for a heap handle that is not annotated yet, and for one of several.
    pub(crate) view: Option<ViewId>,
    /// Whether the index may differ between lanes.
    pub(crate) non_uniform: bool,
}

/// Stands for no handle.
const NONE: u32 = u32::MAX;

/// The facts about a function's handles. Every operation on a resource looks one up.
#[derive(Debug, Clone)]
pub(super) struct HandleTable {
    first_value: u32,
    /// Index in `plans` of each of the function's values.
    indices: Vec<u32>,
    plans: Vec<HandlePlan>,
    /// Handles that are constants of the module.
    constants: HashMap<ValueId, HandlePlan>,
}

impl HandleTable {
    /// Returns a table for a function with `count` values of its own.
    pub(super) fn new(first_value: u32, count: usize) -> HandleTable {
        HandleTable {
            first_value,
            indices: vec![NONE; count],
            plans: Vec::new(),
            constants: HashMap::default(),
        }
    }

    /// Makes room for handles.
    pub(super) fn reserve(&mut self, handles: usize) {
        self.plans.reserve(handles);
    }

    /// Returns the facts about a handle.
    #[inline]
    pub(super) fn get(&self, handle: ValueId) -> Option<&HandlePlan> {
        let local = handle.as_u32().wrapping_sub(self.first_value) as usize;
        match self.indices.get(local) {
            Some(&index) => self.plans.get(index as usize),
            None => self.constants.get(&handle),
        }
    }

    /// Adds a handle that is not there yet.
    pub(super) fn insert(&mut self, handle: ValueId, plan: HandlePlan) {
        let local = handle.as_u32().wrapping_sub(self.first_value) as usize;
        match self.indices.get_mut(local) {
            Some(index) => {
                *index = u32::try_from(self.plans.len()).unwrap_or(NONE);
                self.plans.push(plan);
            }
            None => {
                self.constants.insert(handle, plan);
            }
        }
    }
}
