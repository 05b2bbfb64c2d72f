//! Metadata of linked modules: what instructions refer to. The lists that describe a module stay
//! those of the shader that runs.

use super::ids::{Ids, number, too_large};
use crate::dxil::Shader;
use crate::error::Result;
use crate::ir::{MdNode, MetadataKind, Module};

/// Adds the nodes of all modules to the linked one, the first module's under the ids that they had.
pub(super) fn run(parts: &[&Shader], module: &mut Module, all: &mut [Ids]) -> Result<()> {
    for (part, (shader, ids)) in parts.iter().zip(all).enumerate() {
        let from = &shader.module.metadata;
        let into = &mut module.metadata;
        ids.first_node = number(into.nodes.len())?;
        let strings = number(into.strings.len())?;
        let operands = number(into.operands.len())?;
        let moved = |start: u32, by: u32| start.checked_add(by).ok_or_else(too_large);
        for node in from.nodes.values() {
            let node = match node {
                MdNode::String { start, len } => MdNode::String {
                    start: moved(*start, strings)?,
                    len: *len,
                },
                MdNode::Tuple {
                    distinct,
                    start,
                    len,
                } => MdNode::Tuple {
                    distinct: *distinct,
                    start: moved(*start, operands)?,
                    len: *len,
                },
                MdNode::Value(value) => match ids.value(*value) {
                    Ok(value) => MdNode::Value(value),
                    // The node must keep its place, since the ids of later nodes count from it.
                    Err(_) => nothing(),
                },
                MdNode::Debug { .. } if part == 0 => node.clone(),
                // Its record holds ids of the module that it was in.
                MdNode::Debug { .. } => nothing(),
            };
            into.nodes.push(node);
        }
        into.strings.extend_from_slice(&from.strings);
        for operand in &from.operands {
            let operand = match operand {
                Some(node) => Some(ids.node(*node)?),
                None => None,
            };
            into.operands.push(operand);
        }
        // `dx.entryPoints` and the other lists describe the module that runs.
        if part == 0 {
            into.named.clone_from(&from.named);
        }
        for kind in &from.kinds {
            let name = from.kind_name(kind.id).unwrap_or_default();
            let id = match into.kind(&name) {
                Some(id) => id,
                None => {
                    let free = into.kinds.iter().map(|kind| kind.id).max();
                    // Numbers of kinds are per module: the first shader keeps its own, further
                    // kinds get free ones.
                    let id = match part {
                        0 => kind.id,
                        _ => free.map_or(0, |id| id.saturating_add(1)),
                    };
                    into.kinds.push(MetadataKind {
                        id,
                        start: moved(kind.start, strings)?,
                        len: kind.len,
                    });
                    id
                }
            };
            ids.kinds.insert(kind.id, id);
        }
    }
    Ok(())
}

/// Returns an empty list.
fn nothing() -> MdNode {
    MdNode::Tuple {
        distinct: false,
        start: 0,
        len: 0,
    }
}
