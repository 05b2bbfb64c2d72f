//! Numbers of metadata nodes and attribute sets.

use cranelift_entity::SecondaryMap;

use crate::ir::{AttributeGroup, MdId, MdNode, Module};
use crate::tables::HashMap;

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

/// Numbers of the attributes that functions and then calls have, in the order of their first use.
/// Sets that differ only in attributes of parameters share a number.
pub(super) struct SetNumbers {
    /// Per set of the module, from 1 on.
    numbers: Vec<Option<usize>>,
    /// A set for each number.
    pub(super) order: Vec<u32>,
}

impl SetNumbers {
    pub(super) fn new(module: &Module) -> Self {
        let mut sets = SetNumbers {
            numbers: vec![None; module.attribute_sets.len() + 1],
            order: Vec::new(),
        };
        let mut known: HashMap<Vec<u32>, usize> = HashMap::default();
        // Bodies first, as they are printed.
        let defined = |wanted: bool| {
            let functions = module.functions.values();
            let functions = functions.filter(move |decl| decl.body.is_some() == wanted);
            functions.map(|decl| decl.attributes)
        };
        let functions = defined(true).chain(defined(false));
        let calls = module.bodies.iter().flat_map(|body| &body.call_sites);
        for set in functions.chain(calls.map(|(_, site)| site.attributes)) {
            let groups = set.checked_sub(1);
            let groups = groups.and_then(|index| module.attribute_sets.get(index as usize));
            let Some(groups) = groups else { continue };
            let is_own = |index: &&u32| {
                let group = module.attribute_groups.get(**index as usize);
                group.is_some_and(|group| group.slot == AttributeGroup::FUNCTION)
            };
            let own: Vec<u32> = groups.iter().filter(is_own).copied().collect();
            if own.is_empty() {
                continue;
            }
            let next = sets.order.len();
            let number = *known.entry(own).or_insert(next);
            if number == next {
                sets.order.push(set);
            }
            if let Some(slot) = sets.numbers.get_mut(set as usize) {
                *slot = Some(number);
            }
        }
        sets
    }

    /// Returns the number of a set's attributes of the function itself; `None` for none.
    pub(super) fn number(&self, set: u32) -> Option<usize> {
        self.numbers.get(set as usize).copied().flatten()
    }
}
