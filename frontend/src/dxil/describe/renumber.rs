//! Gives the values of functions their ids again after values of the module were added.

use cranelift_entity::EntityRef;

use crate::error::{Error, ErrorKind, Result};
use crate::ir::{MdNode, Module, ValueId};

/// Moves the ids from `old_first` on, which are those of functions, right after the module's
/// values. Of the metadata, only the first `old_nodes` nodes can name values of functions.
///
/// # Errors
///
/// If there are more values than ids.
pub(crate) fn renumber_locals(
    module: &mut Module,
    old_first: usize,
    old_nodes: usize,
) -> Result<()> {
    let highest = module.bodies.iter().map(|body| body.values.len()).max();
    let highest = module.values.len() + highest.unwrap_or(0);
    // As for modules that are read.
    if highest >= (u32::MAX / 2) as usize {
        return Err(Error::new(ErrorKind::Limit {
            what: "values of a module",
            value: highest as u64,
            limit: u64::from(u32::MAX / 2),
        }));
    }
    let new_first = module.values.len();
    let moved = |value: ValueId| match value.index().checked_sub(old_first) {
        Some(local) => ValueId::new(new_first + local),
        None => value,
    };
    for node in module.metadata.nodes.values_mut().take(old_nodes) {
        if let MdNode::Value(value) = node {
            *value = moved(*value);
        }
    }
    for body in &mut module.bodies {
        body.first_value = u32::try_from(new_first).unwrap_or(u32::MAX);
        body.map_values(moved);
    }
    Ok(())
}
