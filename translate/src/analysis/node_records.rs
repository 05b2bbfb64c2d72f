//! Records and handles of work graph nodes: whether threads pass records to each other, and which
//! handles functions pass to others.

use dxil_frontend::container::rdat::NodeIoFlags;
use dxil_frontend::dxil::ops::{self, BarrierOp, Callee, MemoryTypes, Op as DxOp};
use dxil_frontend::dxil::{Node, Shader};
use dxil_frontend::ir::{FuncId, FuncView, Inst, Type, TypeId, ValueId};
use dxil_frontend::tables::HashMap;

/// The arguments that callers pass for a function's n-th parameter, by function and n; each with
/// the caller.
pub(crate) type HandleArguments = HashMap<(FuncId, u32), Vec<(FuncId, ValueId)>>;

/// Records and handles of a node.
#[derive(Debug, Default)]
pub(crate) struct NodeRecords {
    /// Whether records are passed from thread to thread, so that accesses have to be coherent.
    pub(crate) coherent: bool,
    /// Arguments of calls that are handles of nodes and records.
    pub(crate) arguments: HandleArguments,
}

impl NodeRecords {
    /// Returns the records of a node as it declares them.
    pub(super) fn of(node: &Node) -> Self {
        let mut inputs = node.inputs.iter();
        NodeRecords {
            coherent: inputs.any(|input| input.flags.contains(NodeIoFlags::GLOBALLY_COHERENT)),
            arguments: HandleArguments::default(),
        }
    }

    /// Adds what a function of the node does.
    pub(super) fn add(&mut self, shader: &Shader, function: FuncId, view: FuncView<'_>) {
        self.add_arguments(shader, function, view);
        for data in view.function.insts.values() {
            let Some(args) = ops::op_arguments(view, &shader.callees, &data.inst) else {
                continue;
            };
            let is_barrier = ops::decode_opcode(view, args)
                .is_ok_and(|opcode| opcode.properties().group == ops::Group::Barrier);
            if is_barrier && let Ok(DxOp::Barrier(op)) = ops::decode(view, args) {
                self.coherent |= match op {
                    BarrierOp::BarrierByNodeRecordHandle(_) => true,
                    BarrierOp::BarrierByMemoryType(op) => op
                        .memory
                        .intersects(MemoryTypes::NODE_INPUT | MemoryTypes::NODE_OUTPUT),
                    BarrierOp::Barrier(_) | BarrierOp::BarrierByMemoryHandle(_) => false,
                };
            }
        }
    }

    /// Adds the handles that a function passes to others.
    fn add_arguments(&mut self, shader: &Shader, caller: FuncId, view: FuncView<'_>) {
        for data in view.function.insts.values() {
            let Inst::Call { callee, args, .. } = data.inst else {
                continue;
            };
            let Some(callee) = view.as_function(callee) else {
                continue;
            };
            if !matches!(shader.callees[callee], Callee::Function) {
                continue;
            }
            for (number, &value) in (0..).zip(view.function.values_of(args)) {
                if view
                    .type_of(value)
                    .is_some_and(|ty| is_node_handle(view, ty))
                {
                    let arguments = &mut self.arguments;
                    let given = arguments.entry((callee, number)).or_default();
                    given.push((caller, value));
                }
            }
        }
    }
}

/// Returns whether a type is that of node or record handles.
fn is_node_handle(view: FuncView<'_>, ty: TypeId) -> bool {
    matches!(
        view.module.types.get(ty),
        Type::Struct { name: Some(name), .. }
            if matches!(&**name, "dx.types.NodeHandle" | "dx.types.NodeRecordHandle")
    )
}
