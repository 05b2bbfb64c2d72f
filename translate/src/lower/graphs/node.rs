//! The node that an entry point is.

use dxil_frontend::dxil::{Node, Stage};

use crate::Result;
use crate::lower::context::Input;
use crate::lower::signatures::inputs;

/// Returns the node that the entry point is.
pub(super) fn current_node<'a>(input: &Input<'a>) -> Result<&'a Node> {
    match &input.entry.stage {
        Stage::Node(node) => Ok(node),
        _ => Err(inputs::stage_unsupported(input, "an operation of nodes")),
    }
}
