//! Dead code elimination: removes the computation of unused elements.

use cranelift_entity::EntityRef;
use dxil_frontend::dxil::ops::{CalleeTable, Memory, decode_opcode, op_arguments};
use dxil_frontend::ir::{FuncView, Inst, InstData, ValueId};

use crate::pseudo::PseudoOp;
use crate::vectors::rules::Written;

/// Removes instructions without effect whose result is unused. A cycle of phis keeps itself alive.
/// `blocks` has the instructions of the function, `view` the rest.
pub(super) fn run(view: FuncView<'_>, callees: &CalleeTable, blocks: &mut [Vec<Written>]) {
    let first = view.function.first_value as usize;
    let count = view.function.values.len();
    let mut uses = vec![0_u32; count];
    let mut definitions = vec![None; count];
    let mut code: Vec<Option<Written>> = Vec::new();
    for &written in blocks.iter().flatten() {
        for_each_local(view, &written.data.inst, |at| {
            if let Some(uses) = uses.get_mut(at) {
                *uses += 1;
            }
        });
        if let Some(at) = result_of(&written.data, first)
            && let Some(definition) = definitions.get_mut(at)
        {
            *definition = Some(code.len());
        }
        code.push(Some(written));
    }
    // Every instruction is looked at once, and again when its last use is removed: linear time.
    let mut unused: Vec<usize> = (0..code.len()).rev().collect();
    while let Some(place) = unused.pop() {
        let Some(Some(written)) = code.get(place).copied() else {
            continue;
        };
        let used = result_of(&written.data, first).and_then(|at| uses.get(at).copied());
        if used != Some(0) || !may_go(view, callees, &written.data.inst) {
            continue;
        }
        if let Some(slot) = code.get_mut(place) {
            *slot = None;
        }
        for_each_local(view, &written.data.inst, |at| {
            if let Some(uses) = uses.get_mut(at) {
                *uses -= 1;
                if *uses == 0
                    && let Some(&Some(definition)) = definitions.get(at)
                {
                    unused.push(definition);
                }
            }
        });
    }
    let mut kept = code.into_iter();
    for block in blocks {
        let count = block.len();
        block.clear();
        block.extend(kept.by_ref().take(count).flatten());
    }
}

fn result_of(data: &InstData, first: usize) -> Option<usize> {
    data.result.expand()?.index().checked_sub(first)
}

fn for_each_local(view: FuncView<'_>, inst: &Inst, mut each: impl FnMut(usize)) {
    let first = view.function.first_value as usize;
    view.function.for_each_operand(inst, |value| {
        if let Some(at) = value.index().checked_sub(first) {
            each(at);
        }
    });
}

/// Returns whether an instruction has no effect but its result.
fn may_go(view: FuncView<'_>, callees: &CalleeTable, inst: &Inst) -> bool {
    match *inst {
        Inst::Binary { .. }
        | Inst::Cast { .. }
        | Inst::Cmp { .. }
        | Inst::Select { .. }
        | Inst::Phi { .. }
        | Inst::Gep { .. }
        | Inst::ExtractValue { .. }
        | Inst::InsertValue { .. }
        | Inst::ExtractElement { .. }
        | Inst::InsertElement { .. }
        | Inst::ShuffleVector { .. } => true,
        Inst::Load { volatile, .. } => !volatile,
        Inst::Call { callee, .. } if is_vector(view, callee) => true,
        _ => op_arguments(view, callees, inst).is_some_and(|args| {
            decode_opcode(view, args).is_ok_and(|opcode| {
                matches!(
                    opcode.properties().memory,
                    Memory::ReadNone | Memory::ReadOnly
                )
            })
        }),
    }
}

/// Returns whether a function puts a vector together.
fn is_vector(view: FuncView<'_>, callee: ValueId) -> bool {
    let function = view.as_function(callee);
    let decl = function.and_then(|function| view.module.functions.get(function));
    decl.is_some_and(|decl| PseudoOp::named(&decl.name) == Some(PseudoOp::Vector))
}
