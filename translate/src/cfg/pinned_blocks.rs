//! Marks blocks that the structurizer must not copy, and that two paths of a switch must not share.
//!
//! Each copy of a cross-lane operation would see only the lanes that took its path. Values other
//! than plain scalars (pointers, handles, structs) cannot be merged by a phi, which copies would
//! require.

use dxil_frontend::dxil::ops::{OpFlags, Opcode};
use dxil_frontend::ir::{BlockId, FuncView, Function, Inst, List, ValueId};

use super::{Cfg, CfgNodeId, Exit, Node};

/// Marks such blocks in functions with cycles or switches; only these are ever copied.
pub(super) fn mark(cfg: &mut Cfg, view: FuncView<'_>) {
    let goes_back = |id: CfgNodeId| cfg.node(id).successors.iter().any(|&to| to <= id);
    let is_switch = |node: &Node| matches!(node.exit, Exit::Switch { .. });
    if !cfg.ids().any(goes_back) && !cfg.nodes.iter().any(is_switch) {
        return;
    }
    for node in &mut cfg.nodes {
        node.pinned = insts_of(node.source, view.function).any(|inst| looks_at_lanes(view, inst));
    }
    mark_ends(cfg, view);
    for index in 0..cfg.uses.len() {
        let value = cfg.uses[index].value;
        let is_scalar = view
            .type_of(value)
            .is_some_and(|ty| view.module.types.scalar_bits(ty).is_some());
        // Without variable pointers no phi gives a pointer (SPIR-V specification, 2.16.1).
        if !is_scalar && let Some(home) = cfg.definition(value) {
            cfg.nodes[home.index()].pinned = true;
        }
    }
}

/// Marks blocks with `discard`.
fn mark_ends(cfg: &mut Cfg, view: FuncView<'_>) {
    let mut functions = view.module.functions.values();
    if !functions.any(|decl| Opcode::Discard.is_called_by(&decl.name)) {
        return;
    }
    for node in &mut cfg.nodes {
        node.may_end = insts_of(node.source, view.function).any(|inst| match *inst {
            Inst::Call { callee, args, .. } => {
                operation(view, callee, args) == Some(Opcode::Discard)
            }
            _ => false,
        });
    }
}

/// Returns the instructions of the block that a node comes from, if it comes from one.
fn insts_of(source: Option<BlockId>, function: &Function) -> impl Iterator<Item = &Inst> {
    let data = source.map(|block| function.block_data(block));
    data.unwrap_or_default().iter().map(|data| &data.inst)
}

/// Returns the DXIL operation that a call is.
pub(super) fn operation(
    view: FuncView<'_>,
    callee: ValueId,
    args: List<ValueId>,
) -> Option<Opcode> {
    let callee = view.as_function(callee)?;
    let name = &*view.module.functions.get(callee)?.name;
    let number = *view.function.values_of(args).first()?;
    let opcode = Opcode::from_number(view.constant_int(number)?).ok();
    opcode.filter(|_| name.starts_with("dx.op."))
}

fn looks_at_lanes(view: FuncView<'_>, inst: &Inst) -> bool {
    match *inst {
        Inst::Call { callee, args, .. } => match operation(view, callee, args) {
            Some(opcode) => opcode.flags().intersects(OpFlags::CONVERGENT),
            // A function of the shader may contain any operation.
            None => true,
        },
        // One variable must not become two.
        Inst::Alloca { .. } => true,
        _ => false,
    }
}
