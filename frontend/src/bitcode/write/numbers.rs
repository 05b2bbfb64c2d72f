//! The numbers of values and metadata nodes in the file.

use cranelift_entity::EntityRef;

use crate::error::{Error, ErrorKind, Result};
use crate::ir::{Function, MdId, MdNode, Module, ValueDef, ValueId};

/// Stands for what has no number.
const NONE: u32 = u32::MAX;

/// Returns the error for an id that names nothing.
pub(super) fn dangling(what: &'static str) -> Error {
    Error::malformed(format!("the module refers to {what} that it does not have"))
}

/// Numbers of the module's values and metadata nodes.
pub(super) struct Numbers {
    /// Per value of the module.
    values: Vec<u32>,
    /// Number of values that have one.
    pub(super) value_count: u32,
    /// Per node; nodes of functions have none here.
    nodes: Vec<u32>,
    /// Number of nodes of the module itself.
    pub(super) node_count: u32,
}

/// Numbers in one function.
pub(super) struct LocalNumbers<'a> {
    module: &'a Numbers,
    first_value: usize,
    /// Per own value of the function.
    values: Vec<u32>,
    /// Number of the first result.
    pub(super) first_result: u32,
    /// Nodes for values of the function, in order.
    pub(super) nodes: Vec<MdId>,
}

/// Returns the next number, and counts it.
fn take(next: &mut u32) -> Result<u32> {
    let number = *next;
    *next = number
        .checked_add(1)
        .filter(|next| *next != NONE)
        .ok_or_else(|| {
            Error::new(ErrorKind::Limit {
                what: "values of a module",
                value: u64::from(number) + 1,
                limit: u64::from(NONE),
            })
        })?;
    Ok(number)
}

fn known(number: Option<&u32>, what: &'static str) -> Result<u32> {
    number
        .copied()
        .filter(|number| *number != NONE)
        .ok_or_else(|| dangling(what))
}

impl Numbers {
    /// Numbers globals, functions and constants, in this order, and the nodes.
    pub(super) fn of_module(module: &Module) -> Result<Self> {
        let mut values = vec![NONE; module.values.len()];
        let mut next = 0;
        let globals = module.globals.values().map(|global| global.value);
        let functions = module.functions.values().map(|decl| decl.value);
        for value in globals.chain(functions) {
            let number = values.get_mut(value.index());
            *number.ok_or_else(|| dangling("a value"))? = take(&mut next)?;
        }
        for (number, data) in values.iter_mut().zip(&module.values) {
            if matches!(data.def, ValueDef::Constant(_)) {
                *number = take(&mut next)?;
            }
        }
        let mut nodes = vec![NONE; module.metadata.nodes.len()];
        let mut next_node = 0;
        for (number, node) in nodes.iter_mut().zip(module.metadata.nodes.values()) {
            if !is_local(module, node) {
                *number = take(&mut next_node)?;
            }
        }
        Ok(Numbers {
            values,
            value_count: next,
            nodes,
            node_count: next_node,
        })
    }

    /// Returns the number of a value of the module.
    pub(super) fn module_value(&self, value: ValueId) -> Result<u32> {
        known(self.values.get(value.index()), "a value")
    }

    /// Returns the number of a node of the module.
    pub(super) fn node(&self, node: MdId) -> Result<u32> {
        known(self.nodes.get(node.index()), "a metadata node")
    }

    /// Returns the number plus one of a node of the module; 0 for none.
    pub(super) fn optional_node(&self, node: Option<MdId>) -> Result<u64> {
        match node {
            Some(node) => Ok(u64::from(self.node(node)?) + 1),
            None => Ok(0),
        }
    }

    /// Numbers a function's arguments, constants and results, in this order.
    pub(super) fn of_function<'a>(
        &'a self,
        module: &Module,
        function: &Function,
    ) -> Result<LocalNumbers<'a>> {
        let mut values = vec![NONE; function.values.len()];
        let mut next = self.value_count;
        let kinds: [fn(&ValueDef) -> bool; 2] = [
            |def| matches!(def, ValueDef::Argument(_)),
            |def| matches!(def, ValueDef::Constant(_)),
        ];
        for kind in kinds {
            for (number, data) in values.iter_mut().zip(&function.values) {
                if kind(&data.def) {
                    *number = take(&mut next)?;
                }
            }
        }
        let first_result = next;
        let first_value = function.first_value as usize;
        for block in function.blocks.keys() {
            for data in function.block_data(block) {
                if let Some(result) = data.result.expand() {
                    let index = result.index().checked_sub(first_value);
                    let number = index.and_then(|index| values.get_mut(index));
                    *number.ok_or_else(|| dangling("a value"))? = take(&mut next)?;
                }
            }
        }
        let mut nodes: Vec<MdId> = function
            .values
            .iter()
            .filter_map(|data| match data.def {
                ValueDef::Metadata(node) => Some(node),
                _ => None,
            })
            .filter(|node| {
                let node = module.metadata.nodes.get(*node);
                node.is_some_and(|node| is_local(module, node))
            })
            .collect();
        nodes.sort_unstable();
        nodes.dedup();
        Ok(LocalNumbers {
            module: self,
            first_value,
            values,
            first_result,
            nodes,
        })
    }
}

/// Returns whether a node stands for a value of a function. LLVM has no other nodes of functions:
/// they are only arguments of calls, so the function that uses one owns it.
fn is_local(module: &Module, node: &MdNode) -> bool {
    matches!(node, MdNode::Value(value) if value.index() >= module.values.len())
}

impl LocalNumbers<'_> {
    /// Returns the number of a value.
    pub(super) fn value(&self, value: ValueId) -> Result<u32> {
        match value.index().checked_sub(self.first_value) {
            None => self.module.module_value(value),
            Some(index) => known(self.values.get(index), "a value"),
        }
    }

    /// Returns the number of a node.
    pub(super) fn node(&self, node: MdId) -> Result<u32> {
        match self.nodes.binary_search(&node) {
            Ok(index) => {
                let index = u32::try_from(index).unwrap_or(NONE);
                Ok(self.module.node_count.saturating_add(index))
            }
            Err(_) => self.module.node(node),
        }
    }

    /// Returns the number plus one of a node of the module; 0 for none.
    pub(super) fn optional_node(&self, node: Option<MdId>) -> Result<u64> {
        self.module.optional_node(node)
    }
}
