//! Nodes of work graphs, and their records.

pub(super) mod launch;
mod node;
mod node_handles;
pub(super) mod nodes;
pub(super) mod push_constants;
pub(super) mod records;
pub(super) mod state;

use dxil_frontend::dxil::ops::NodeOp;

use crate::Result;
use crate::lower::context::Context;
use crate::lower::values::{Call, LoweredValue};

/// Lowers the operations of nodes. The metadata of the node contains the properties of its handles,
/// and records are sent when the dispatch ends.
pub(super) fn lower_node(cx: &mut Context<'_>, call: &Call, op: &NodeOp) -> Result<LoweredValue> {
    match op {
        NodeOp::AllocateNodeOutputRecords(op) => nodes::allocate_records(cx, op),
        NodeOp::GetNodeRecordPtr(op) => nodes::record_address(cx, call, op),
        NodeOp::IncrementOutputCount(op) => nodes::increment_output(cx, op),
        NodeOp::OutputComplete(_) => node::current_node(&cx.input).map(|_| LoweredValue::Unset),
        NodeOp::GetInputRecordCount(_) => nodes::input_count(cx),
        NodeOp::FinishedCrossGroupSharing(_) => nodes::finished_sharing(cx),
        NodeOp::CreateNodeOutputHandle(op) => nodes::node_output(&mut cx.b, &cx.input, op),
        NodeOp::IndexNodeHandle(op) => nodes::index_node(cx, op),
        NodeOp::AnnotateNodeHandle(op) => cx.id(op.node).map(LoweredValue::Id),
        NodeOp::CreateNodeInputRecordHandle(op) => nodes::node_input(&mut cx.b, &cx.input, op),
        NodeOp::AnnotateNodeRecordHandle(op) => cx.id(op.record).map(LoweredValue::Id),
        NodeOp::NodeOutputIsValid(op) => nodes::output_is_valid(cx, op),
        NodeOp::GetRemainingRecursionLevels(_) => nodes::recursion_left(cx),
    }
}
