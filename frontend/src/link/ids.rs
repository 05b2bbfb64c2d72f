//! Maps from the ids of the linked modules to those of the result.

use cranelift_entity::EntityRef;

use crate::error::{Error, ErrorKind, Result};
use crate::ir::{FuncId, MdId, TypeId, ValueId};
use crate::tables::HashMap;

/// The new ids of one of the modules.
pub(super) struct Ids {
    pub(super) types: Vec<TypeId>,
    /// Module-level values; `None` for those that the result does not need.
    pub(super) values: Vec<Option<ValueId>>,
    pub(super) functions: Vec<Option<FuncId>>,
    /// First id of a function's own values, in all functions of the linked module.
    pub(super) first_local: u32,
    pub(super) first_node: u32,
    /// What is added to the numbers of attribute sets.
    pub(super) first_set: u32,
    pub(super) kinds: HashMap<u32, u32>,
    /// Whether debug information is kept.
    pub(super) keeps_debug: bool,
}

impl Ids {
    pub(super) fn ty(&self, ty: TypeId) -> Result<TypeId> {
        let found = self.types.get(ty.index()).copied();
        found.ok_or_else(|| Error::malformed("a type that does not exist"))
    }

    pub(super) fn node(&self, node: MdId) -> Result<MdId> {
        let moved = node.as_u32().checked_add(self.first_node);
        moved.map(MdId::from_u32).ok_or_else(too_large)
    }

    pub(super) fn kind(&self, kind: u32) -> u32 {
        self.kinds.get(&kind).copied().unwrap_or(kind)
    }

    pub(super) fn function(&self, function: FuncId) -> Option<FuncId> {
        self.functions.get(function.index()).copied().flatten()
    }

    pub(super) fn set(&mut self, value: ValueId, now: ValueId) {
        if let Some(slot) = self.values.get_mut(value.index()) {
            *slot = Some(now);
        }
    }

    pub(super) fn set_function(
        &mut self,
        function: FuncId,
        value: ValueId,
        now: (FuncId, ValueId),
    ) {
        if let Some(slot) = self.functions.get_mut(function.index()) {
            *slot = Some(now.0);
        }
        self.set(value, now.1);
    }
}

/// Returns an index as an id's number.
pub(super) fn number(index: usize) -> Result<u32> {
    match u32::try_from(index) {
        // `u32::MAX` is what packed options reserve for `None`.
        Ok(number) if number != u32::MAX => Ok(number),
        _ => Err(too_large()),
    }
}

/// Returns the error of a linked module with more entities than ids can number.
pub(super) fn too_large() -> Error {
    Error::new(ErrorKind::Limit {
        what: "entities of linked libraries",
        value: u64::from(u32::MAX),
        limit: u64::from(u32::MAX) - 1,
    })
}
