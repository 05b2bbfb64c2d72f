//! The walk over the instructions of all functions: each is shown to every check once.

use super::context::{InstLocation, ValidationContext};
use super::features::{FunctionUses, Uses, UsesBuilder};
use super::{
    attachments, instructions, mesh, operations, resource_operations, signature_operations,
};
use crate::dxil::ops::{Op, Opcode, decode, op_arguments};
use crate::ir::{FuncId, Function, Inst};

/// Checks the bodies. Returns what each function uses.
pub(super) fn check(cx: &ValidationContext<'_>) -> FunctionUses {
    let mut counters = resource_operations::Counters::default();
    let mut uses = FunctionUses::new();
    for (id, function) in cx.bodies() {
        let own = check_body(cx, id, function, &mut counters);
        #[allow(clippy::indexing_slicing, reason = "a secondary map grows on demand")]
        {
            uses[id] = own;
        }
    }
    uses
}

fn check_body<'a>(
    cx: &ValidationContext<'a>,
    id: FuncId,
    function: &'a Function,
    counters: &mut resource_operations::Counters,
) -> Uses {
    let view = cx.view(function);
    let mut uses = UsesBuilder::new(cx, view);
    let kinds = attachments::Kinds::new(cx);
    let mut mesh = mesh::Calls::default();
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
            if !function.attachments.is_empty() {
                kinds.check(cx, function, location, &data.inst);
            }
            if let Inst::Call { .. } = data.inst {
                let Some(args) = op_arguments(view, &cx.shader.callees, &data.inst) else {
                    continue;
                };
                let decoded = decode(view, args);
                uses.call(data, args, decoded.as_ref().ok());
                let Some(opcode) = operations::check_call(cx, view, location, data, args) else {
                    continue;
                };
                match decoded {
                    Ok(op) => {
                        operations::check(cx, view, location, &op);
                        signature_operations::check(cx, view, location, &op);
                        resource_operations::check(cx, view, location, data, &op, counters);
                        mesh.note(cx, location, &op);
                    }
                    Err(error) => operations::report_undecoded(cx, location, opcode, &error),
                }
            } else {
                uses.instruction(data);
                instructions::check(cx, view, location, data);
            }
        }
    }
    mesh.check(cx, view, id);
    kinds.check_function(cx, function);
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
