//! Which node defines a value.

use cranelift_entity::EntityRef;
use dxil_frontend::ir::ValueId;

/// Stands for no node.
const NONE: u32 = u32::MAX;

/// The node that defines each value of a function, by the value's number: values are numbered
/// densely.
#[derive(Debug, Clone, Default)]
pub struct Definitions {
    /// Number of the first value.
    first: u32,
    /// Numbers of nodes; [`NONE`] for what no reachable instruction defines.
    nodes: Vec<u32>,
}

impl Definitions {
    /// Returns a table for `count` values, the first of which has the number `first`.
    pub(super) fn with_values(first: u32, count: usize) -> Definitions {
        Definitions {
            first,
            nodes: vec![NONE; count],
        }
    }

    #[inline]
    fn index(&self, value: ValueId) -> usize {
        value.index().wrapping_sub(self.first as usize)
    }

    /// Returns the number of the node that defines a value; `None` for constants, arguments and
    /// unreachable code.
    #[inline]
    pub(super) fn get(&self, value: ValueId) -> Option<u32> {
        let node = self.nodes.get(self.index(value)).copied();
        node.filter(|&node| node != NONE)
    }

    /// Returns whether a node of a lower number defines a value.
    #[inline]
    pub(super) fn is_before(&self, value: ValueId, node: u32) -> bool {
        // [`NONE`] is the highest number.
        self.nodes
            .get(self.index(value))
            .is_some_and(|&home| home < node)
    }

    /// Sets the node of a value that the table has room for.
    #[inline]
    pub(super) fn set(&mut self, value: ValueId, node: u32) {
        let index = self.index(value);
        if let Some(slot) = self.nodes.get_mut(index) {
            *slot = node;
        }
    }

    /// Returns the values that a node defines.
    pub(crate) fn of(&self, node: u32) -> impl Iterator<Item = ValueId> {
        let numbers = (self.first..).zip(&self.nodes);
        numbers
            .filter(move |&(_, &home)| home == node)
            .map(|(number, _)| ValueId::from_u32(number))
    }

    /// Gives every node its new number; `u32::MAX` for one that is gone.
    pub(super) fn renumber(&mut self, number: &[u32]) {
        for node in &mut self.nodes {
            if let Some(&new) = number.get(*node as usize) {
                *node = new;
            }
        }
    }
}

/// From pairs of a value and the number of its node.
impl FromIterator<(ValueId, u32)> for Definitions {
    fn from_iter<I: IntoIterator<Item = (ValueId, u32)>>(pairs: I) -> Definitions {
        let pairs: Vec<(ValueId, u32)> = pairs.into_iter().collect();
        let numbers = || pairs.iter().map(|(value, _)| value.as_u32());
        let (Some(first), Some(last)) = (numbers().min(), numbers().max()) else {
            return Definitions::default();
        };
        let mut definitions = Definitions::with_values(first, (last - first) as usize + 1);
        for (value, node) in pairs {
            definitions.set(value, node);
        }
        definitions
    }
}
