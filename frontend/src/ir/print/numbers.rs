//! Numbers of metadata nodes and attribute sets.

use cranelift_entity::SecondaryMap;

use crate::ir::{MdId, MdNode, Module};

/// LLVM's numbers of nodes: the named ones first, each followed by what it leads to; then those
/// that only instructions have. Strings and values have none.
pub(super) struct NodeNumbers {
    pub(super) numbers: SecondaryMap<MdId, Option<u32>>,
    pub(super) order: Vec<MdId>,
}

impl NodeNumbers {
    pub(super) fn new(module: &Module) -> Self {
        let mut nodes = NodeNumbers {
            numbers: SecondaryMap::with_capacity(module.metadata.nodes.len()),
            order: Vec::new(),
        };
        for named in &module.metadata.named {
            for node in module.metadata.nodes_of(named) {
                nodes.number_from(module, node);
            }
        }
        for function in &module.bodies {
            for (_, node) in &function.function_attachments {
                nodes.number_from(module, *node);
            }
            for (.., node) in &function.attachments {
                nodes.number_from(module, *node);
            }
        }
        // Source positions and arguments of calls name the rest, or nothing does.
        for id in module.metadata.nodes.keys() {
            nodes.number_from(module, id);
        }
        nodes
    }

    /// Numbers a node and what it leads to, depth first.
    #[allow(
        clippy::indexing_slicing,
        reason = "indexing a secondary map reads a default and grows"
    )]
    fn number_from(&mut self, module: &Module, root: MdId) {
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            let Some(MdNode::Tuple { .. } | MdNode::Debug { .. }) = module.metadata.nodes.get(id)
            else {
                continue;
            };
            // Nodes may refer to each other in cycles.
            if self.numbers[id].is_some() {
                continue;
            }
            self.numbers[id] = u32::try_from(self.order.len()).ok();
            self.order.push(id);
            let operands = module.metadata.tuple(id).unwrap_or_default();
            // Reversed, so that the first operand comes off the stack first and gets the lower
            // number.
            stack.extend(operands.iter().rev().flatten());
        }
    }
}

/// Numbers of the sets that functions use, in the order of the functions.
pub(super) struct SetNumbers {
    /// Per set of the module.
    pub(super) numbers: Vec<Option<usize>>,
    /// The sets by number.
    pub(super) order: Vec<u32>,
}

impl SetNumbers {
    pub(super) fn new(module: &Module) -> Self {
        let mut sets = SetNumbers {
            numbers: vec![None; module.attribute_sets.len() + 1],
            order: Vec::new(),
        };
        for decl in module.functions.values() {
            if let Some(slot) = sets.numbers.get_mut(decl.attributes as usize)
                && decl.attributes != 0
                && slot.is_none()
            {
                *slot = Some(sets.order.len());
                sets.order.push(decl.attributes);
            }
        }
        sets
    }

    /// Returns the number of a function's set; `None` for the empty set.
    pub(super) fn number(&self, set: u32) -> Option<usize> {
        self.numbers.get(set as usize).copied().flatten()
    }
}
