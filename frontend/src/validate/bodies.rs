//! The walk over the instructions of all functions. Every check sees each instruction once.

use super::context::{InstLocation, ValidationContext};
use super::features::{FunctionUses, Uses, UsesBuilder};
use super::operands::{GROUP, OperandFacts};
use super::outputs::Stores;
use super::{
    attachments, instructions, matrices, mesh, operations, resource_operations,
    signature_operations,
};
use crate::dxil::ops::{Op, Opcode, decode, op_arguments};
use crate::ir::{FuncId, Function, Inst};

/// The results of the walk for later checks.
pub(super) struct Bodies {
    /// The uses of each function.
    pub(super) uses: FunctionUses,
    pub(super) operands: OperandFacts,
    /// The stores of each function to signatures.
    pub(super) stores: Stores,
}

/// Checks the bodies.
pub(super) fn check(cx: &ValidationContext<'_>) -> Bodies {
    let mut counters = resource_operations::Counters::default();
    let mut names = operations::Names::default();
    let mut bodies = Bodies {
        uses: FunctionUses::new(),
        operands: OperandFacts::new(cx),
        stores: Stores::default(),
    };
    for (id, function) in cx.bodies() {
        let own = check_body(cx, id, function, (&mut counters, &mut names), &mut bodies);
        #[allow(clippy::indexing_slicing, reason = "a secondary map grows on demand")]
        {
            bodies.uses[id] = own;
        }
    }
    bodies
}

fn check_body<'a>(
    cx: &ValidationContext<'a>,
    id: FuncId,
    function: &'a Function,
    (counters, names): (&mut resource_operations::Counters, &mut operations::Names),
    bodies: &mut Bodies,
) -> Uses {
    let view = cx.view(function);
    let mut uses = UsesBuilder::new(cx, view);
    let mut attachments = attachments::AttachmentCursor::new(cx, function);
    let mut mesh = mesh::Calls::default();
    let mut coverage = signature_operations::Coverage::default();
    let mut dimensions = resource_operations::Dimensions::default();
    let kind = cx.kind_of(id);
    bodies.operands.begin(function);
    for (block, data) in &function.blocks {
        for inst in data.insts() {
            let location = InstLocation {
                function: id,
                block,
                inst,
            };
            let Some(data) = function.insts.get(inst) else {
                continue;
            };
            attachments.check(cx, location, &data.inst);
            let found = bodies.operands.look(view, data);
            if found.has(GROUP) {
                uses.require_group();
            }
            if let Inst::Call { .. } = data.inst {
                let Some(args) = op_arguments(view, &cx.shader.callees, &data.inst) else {
                    continue;
                };
                let decoded = decode(view, args);
                uses.call(data, args, decoded.as_ref().ok(), found);
                let Some(opcode) = operations::check_call(cx, view, location, data, kind, names)
                else {
                    continue;
                };
                match decoded {
                    Ok(op) => {
                        operations::check(cx, view, location, &op, found);
                        signature_operations::check(cx, view, location, &op);
                        resource_operations::check(cx, view, location, data, &op, counters);
                        matrices::check(cx, view, location, data, args, &op);
                        dimensions.note(cx, view, data, &op);
                        mesh.note(cx, location, &op);
                        coverage.note(location, &op);
                        bodies.stores.note(id, &op);
                    }
                    Err(error) => operations::report_undecoded(cx, location, opcode, &error),
                }
            } else {
                uses.instruction(data, found);
                instructions::check(cx, view, location, data, found);
                dimensions.check_use(cx, view, location, &data.inst);
            }
        }
    }
    mesh.check(cx, view, id);
    coverage.check(cx);
    attachments.check_function(cx);
    uses.finish(id)
}

/// Returns the operation that an instruction calls, by its number alone.
pub(super) fn opcode_of(
    cx: &ValidationContext<'_>,
    function: &Function,
    inst: &Inst,
) -> Option<Opcode> {
    let view = cx.view(function);
    let opcode = *op_arguments(view, &cx.shader.callees, inst)?.first()?;
    Opcode::from_number(view.constant_int(opcode)?).ok()
}

/// Returns the decoded operation of a call, if it is one.
pub(super) fn op_of(cx: &ValidationContext<'_>, function: &Function, inst: &Inst) -> Option<Op> {
    let view = crate::ir::FuncView {
        module: &cx.shader.module,
        function,
    };
    decode(view, op_arguments(view, &cx.shader.callees, inst)?).ok()
}
