//! The origins of handles of nodes and of records: through phis, selects and calls.
//!
//! The value of a handle is a number that phis and selects may choose (`nodes.rs`); what is not in
//! it, such as the size of the records, is the same for all handles that it may be (D3D12 Work
//! Graphs specification, "Handle value classifications"). Null handles and undefined ones are
//! ignored.

use dxil_frontend::dxil::NodeIo;
use dxil_frontend::dxil::ops::{self, Callee, NodeOp, Op as DxOp};
use dxil_frontend::ir::{Constant, FuncId, FuncView, Inst, ValueDef, ValueId};
use dxil_frontend::tables::HashSet;

use crate::lower::context::{Context, Input};
use crate::lower::graphs::node;
use crate::{Error, Result};

/// The kind of a node handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Output {
    /// Number of the output in the node's metadata.
    pub(super) number: usize,
    /// Index into an array of outputs.
    pub(super) index: Option<OutputIndex>,
}

/// Index into an array of outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputIndex {
    Constant(u32),
    /// A value that is available wherever the handle is.
    Value(ValueId),
    /// A value of another function, or of one of several paths to the handle.
    Elsewhere,
}

/// The kind of a handle of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Records {
    /// The input.
    Input,
    /// Records of outputs, with their distance in bytes.
    Output { stride: u32 },
}

/// A value in a function.
#[derive(Clone, Copy)]
struct At<'a> {
    function: FuncId,
    view: FuncView<'a>,
    value: ValueId,
}

impl<'a> At<'a> {
    /// Returns a reference to another value of the same function.
    fn with(self, value: ValueId) -> Self {
        At { value, ..self }
    }
}

/// The operations that a handle comes from.
struct Origins<'a> {
    all: Vec<(At<'a>, DxOp)>,
    /// Whether there is only one, in the same function, on every path to the handle.
    direct: bool,
}

fn function_of(view: FuncView<'_>) -> Option<FuncId> {
    let functions = view.module.functions.keys();
    let mut found = functions.filter(|id| {
        let body = view.module.body(*id);
        body.is_some_and(|body| std::ptr::eq(body, view.function))
    });
    found.next()
}

fn find_origins<'a>(cx: &Context<'a>, handle: ValueId) -> Result<Origins<'a>> {
    let function = function_of(cx.function.view)
        .ok_or_else(|| Error::internal("a function that is not in its module"))?;
    let start = At {
        function,
        view: cx.function.view,
        value: handle,
    };
    origins_at(cx, start)
}

fn origins_at<'a>(cx: &Context<'a>, start: At<'a>) -> Result<Origins<'a>> {
    let mut all = Vec::new();
    let mut direct = true;
    let mut seen = HashSet::default();
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        // Phis can form cycles.
        if !seen.insert((at.function, at.value)) {
            continue;
        }
        let data = at
            .view
            .value(at.value)
            .ok_or_else(|| Error::malformed("a handle that does not exist"))?;
        let inst = match data.def {
            ValueDef::Inst(inst) => at.view.function.insts.get(inst),
            ValueDef::Argument(number) => {
                direct = false;
                let given = cx
                    .input
                    .analyses
                    .node_records
                    .arguments
                    .get(&(at.function, number));
                for &(function, value) in given.into_iter().flatten() {
                    let Some(body) = at.view.module.body(function) else {
                        continue;
                    };
                    let view = FuncView {
                        function: body,
                        ..at.view
                    };
                    open.push(At {
                        function,
                        view,
                        value,
                    });
                }
                continue;
            }
            // Shaders may not use the records of these.
            ValueDef::Constant(Constant::Null | Constant::Undef) => continue,
            ValueDef::Constant(_)
            | ValueDef::Global(_)
            | ValueDef::Function(_)
            | ValueDef::Metadata(_) => None,
        };
        let Some(inst) = inst else {
            return Err(Error::unsupported("a handle of nodes that is a constant"));
        };
        match &inst.inst {
            Inst::Phi { incoming } => {
                direct = false;
                let edges = at.view.function.edges_of(*incoming);
                open.extend(edges.iter().map(|&(value, _)| at.with(value)));
            }
            Inst::Select {
                if_true, if_false, ..
            } => {
                direct = false;
                open.extend([*if_true, *if_false].map(|value| at.with(value)));
            }
            Inst::Call { callee, args, .. } => {
                let callee = at.view.as_function(*callee);
                let args = at.view.function.values_of(*args);
                match callee.map(|callee| &cx.input.shader.callees[callee]) {
                    Some(Callee::DxOp(_)) => match ops::decode(at.view, args)? {
                        DxOp::Node(NodeOp::AnnotateNodeHandle(op)) => open.push(at.with(op.node)),
                        DxOp::Node(NodeOp::AnnotateNodeRecordHandle(op)) => {
                            open.push(at.with(op.record))
                        }
                        op => all.push((at, op)),
                    },
                    _ => {
                        return Err(Error::unsupported(
                            "a handle of nodes that a function returns",
                        ));
                    }
                }
            }
            _ => {
                return Err(Error::unsupported(
                    "a handle of nodes that is neither an operation's, chosen nor handed over",
                ));
            }
        }
    }
    Ok(Origins { all, direct })
}

/// Returns the outputs that a node handle may denote.
pub(super) fn outputs_of(cx: &Context<'_>, handle: ValueId) -> Result<Vec<Output>> {
    let origins = find_origins(cx, handle)?;
    find_outputs(cx, origins, None, handle)
}

fn find_outputs<'a>(
    cx: &Context<'a>,
    origins: Origins<'a>,
    index: Option<OutputIndex>,
    handle: ValueId,
) -> Result<Vec<Output>> {
    let mut outputs = Vec::new();
    for (at, op) in origins.all {
        match op {
            DxOp::Node(NodeOp::CreateNodeOutputHandle(op)) => outputs.push(Output {
                number: op.metadata_index as usize,
                index,
            }),
            DxOp::Node(NodeOp::IndexNodeHandle(op)) if index.is_none() => {
                // An index of the same function, on the only path to the handle, dominates it.
                let index = match at.view.constant_int(op.index) {
                    Some(index) => OutputIndex::Constant(index as u32),
                    None if origins.direct => OutputIndex::Value(op.index),
                    None => OutputIndex::Elsewhere,
                };
                let arrays = origins_at(cx, at.with(op.node))?;
                let of_arrays = find_outputs(cx, arrays, Some(index), handle)?;
                outputs.extend(of_arrays);
            }
            op => {
                return Err(Error::malformed(format!(
                    "a node handle {handle} that {:?} gives",
                    op.opcode()
                )));
            }
        }
    }
    outputs.dedup();
    if outputs.is_empty() {
        Err(Error::unsupported("a node handle that is always null"))
    } else {
        Ok(outputs)
    }
}

/// Returns the metadata of an output.
pub(super) fn single_output<'a>(input: &Input<'a>, output: Output) -> Result<&'a NodeIo> {
    let outputs = &node::current_node(input)?.outputs;
    outputs
        .get(output.number)
        .ok_or_else(|| Error::malformed(format!("output {} of a node", output.number)))
}

/// Returns the number of bytes from record to record of outputs.
pub(super) fn stride_of(input: &Input<'_>, outputs: &[Output]) -> Result<u32> {
    let mut stride = None;
    for output in outputs {
        let own = single_output(input, *output)?.stride();
        if stride.is_some_and(|stride| stride != own) {
            return Err(Error::unsupported(
                "a node handle that may be of outputs with records of different sizes",
            ));
        }
        stride = Some(own);
    }
    Ok(stride.unwrap_or(0))
}

/// Returns the records that a handle denotes.
pub(super) fn records_of(cx: &Context<'_>, handle: ValueId) -> Result<Records> {
    let mut records = None;
    for (at, op) in find_origins(cx, handle)?.all {
        let own = match op {
            DxOp::Node(NodeOp::CreateNodeInputRecordHandle(_)) => Records::Input,
            DxOp::Node(NodeOp::AllocateNodeOutputRecords(op)) => {
                let nodes = origins_at(cx, at.with(op.output))?;
                let outputs = find_outputs(cx, nodes, None, handle)?;
                let stride = stride_of(&cx.input, &outputs)?;
                Records::Output { stride }
            }
            op => {
                return Err(Error::malformed(format!(
                    "a handle of records {handle} that {:?} gives",
                    op.opcode()
                )));
            }
        };
        if records.is_some_and(|records| records != own) {
            return Err(Error::unsupported(
                "a handle that may be of different kinds of records",
            ));
        }
        records = Some(own);
    }
    records.ok_or_else(|| Error::unsupported("a handle of records that is always null"))
}
