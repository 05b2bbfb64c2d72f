//! Control flow of functions, and calls among them.

use std::collections::BTreeMap;

use super::bodies::{op_of, opcode_of};
use super::context::{InstLocation, ValidationContext};
use super::rules::Rule;
use crate::bitcode::verify::dominance::{Dominators, Graph};
use crate::dxil::ops::{NodeOp, Op, Opcode};
use crate::ir::{BlockId, FuncId, FuncView, Function, Inst, InstId, ValueId};

/// Checks all functions.
pub(super) fn check(cx: &ValidationContext<'_>) {
    check_recursion(cx);
    let uses_records = cx
        .module()
        .functions
        .values()
        .any(|decl| &*decl.name == "dx.op.outputComplete");
    for (id, function) in cx.bodies() {
        let has_flow = function.blocks.len() > 1;
        if !has_flow && !uses_records {
            continue;
        }
        let graph = Graph::new(function);
        let dominators = Dominators::compute(function, &graph);
        if has_flow {
            check_reducible(cx, id, function, &dominators);
            check_loops(cx, id, function);
        }
        if uses_records {
            check_records(cx, id, function, &dominators);
        }
    }
}

/// Checks that the graph is reducible: each back edge of a depth-first search leads to a dominator.
fn check_reducible(
    cx: &ValidationContext<'_>,
    id: FuncId,
    function: &Function,
    dominators: &Dominators,
) {
    for edge in retreating_edges(function) {
        let (from, to) = edge;
        if !dominators.dominates(to, from) {
            let detail = format_args!("{from} leads back to {to}, which does not dominate it");
            cx.report_block(Rule::FlowReducible, id, from, detail);
        }
    }
}

fn successors(function: &Function, block: BlockId) -> Vec<BlockId> {
    let mut list = Vec::new();
    function.for_each_successor(block, |to| list.push(to));
    list
}

/// Returns the edges to blocks that a depth-first walk has entered and not left.
fn retreating_edges(function: &Function) -> Vec<(BlockId, BlockId)> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; function.blocks.len()];
    let mut found = Vec::new();
    let entry = BlockId::from_u32(0);
    let mut stack = vec![(entry, successors(function, entry))];
    if let Some(state) = states.first_mut() {
        *state = State::Open;
    }
    while let Some((block, rest)) = stack.last_mut() {
        let block = *block;
        match rest.pop() {
            Some(to) => match states.get_mut(to.as_u32() as usize) {
                Some(state @ State::New) => {
                    *state = State::Open;
                    stack.push((to, successors(function, to)));
                }
                Some(State::Open) => found.push((block, to)),
                _ => {}
            },
            None => {
                if let Some(state) = states.get_mut(block.as_u32() as usize) {
                    *state = State::Done;
                }
                stack.pop();
            }
        }
    }
    found
}

/// Checks that every loop has an exit: from each block a path leads to the end of the function.
fn check_loops(cx: &ValidationContext<'_>, id: FuncId, function: &Function) {
    let count = function.blocks.len();
    let mut ends = vec![false; count];
    let graph = Graph::new(function);
    let mut work: Vec<BlockId> = function
        .blocks
        .keys()
        .filter(|block| successors(function, *block).is_empty())
        .collect();
    while let Some(block) = work.pop() {
        match ends.get_mut(block.as_u32() as usize) {
            Some(slot) if !*slot => *slot = true,
            _ => continue,
        }
        work.extend(
            graph
                .predecessors(block)
                .iter()
                .map(|from| BlockId::from_u32(*from)),
        );
    }
    for (_, to) in retreating_edges(function) {
        if !ends.get(to.as_u32() as usize).is_some_and(|ends| *ends) {
            let detail = format_args!("the loop at {to} has no exit");
            cx.report_block(Rule::FlowDeadLoop, id, to, detail);
        }
    }
}

/// Returns the functions that a function calls.
pub(super) fn callees(cx: &ValidationContext<'_>, function: &Function) -> Vec<FuncId> {
    let view = cx_view(cx, function);
    let calls = function.insts.values().filter_map(|data| match data.inst {
        Inst::Call { callee, .. } => view.as_function(callee),
        _ => None,
    });
    let mut called: Vec<FuncId> = calls
        .filter(|callee| cx.module().body(*callee).is_some())
        .collect();
    called.sort_unstable();
    called.dedup();
    called
}

fn cx_view<'a>(cx: &'a ValidationContext<'_>, function: &'a Function) -> FuncView<'a> {
    FuncView {
        module: &cx.shader.module,
        function,
    }
}

fn check_recursion(cx: &ValidationContext<'_>) {
    let mut states: BTreeMap<FuncId, bool> = BTreeMap::new();
    for (root, body) in cx.bodies() {
        if states.contains_key(&root) {
            continue;
        }
        states.insert(root, true);
        let mut stack = vec![(root, callees(cx, body))];
        while let Some((function, rest)) = stack.last_mut() {
            let function = *function;
            match rest.pop() {
                Some(callee) => match states.get(&callee) {
                    Some(true) => {
                        let detail = format_args!("the function calls {}", cx.name_of(callee));
                        cx.report_function(Rule::FlowNoRecursion, function, detail);
                    }
                    Some(false) => {}
                    None => {
                        if let Some(body) = cx.module().body(callee) {
                            states.insert(callee, true);
                            stack.push((callee, callees(cx, body)));
                        }
                    }
                },
                None => {
                    states.insert(function, false);
                    stack.pop();
                }
            }
        }
    }
}

/// Records that are used after they were handed on.
fn check_records(
    cx: &ValidationContext<'_>,
    id: FuncId,
    function: &Function,
    dominators: &Dominators,
) {
    let mut completed: BTreeMap<ValueId, (BlockId, InstId)> = BTreeMap::new();
    for (block, data) in &function.blocks {
        for inst in data.insts() {
            if let Some(data) = function.insts.get(inst)
                && opcode_of(cx, function, &data.inst) == Some(Opcode::OutputComplete)
                && let Some(Op::Node(NodeOp::OutputComplete(call))) =
                    op_of(cx, function, &data.inst)
            {
                completed.entry(call.output).or_insert((block, inst));
            }
        }
    }
    if completed.is_empty() {
        return;
    }
    for (block, data) in &function.blocks {
        for inst in data.insts() {
            let Some(data) = function.insts.get(inst) else {
                continue;
            };
            function.for_each_operand(&data.inst, |value| {
                let Some(&(from, at)) = completed.get(&value) else {
                    return;
                };
                let is_later = if from == block {
                    inst > at
                } else {
                    dominators.is_reachable(block) && dominators.dominates(from, block)
                };
                if is_later && at != inst {
                    let location = InstLocation {
                        function: id,
                        block,
                        inst,
                    };
                    let detail = format_args!("{value} was completed by {at}");
                    let rule = Rule::InstrNodeRecordHandleUseAfterComplete;
                    cx.report_at(rule, location, detail);
                }
            });
        }
    }
}
