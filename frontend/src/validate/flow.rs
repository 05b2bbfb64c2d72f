//! Control flow of functions, and calls among them.

use std::collections::BTreeMap;

use super::bodies::{op_of, opcode_of};
use super::context::{InstLocation, ValidationContext};
use super::operands::OperandFacts;
use super::rules::Rule;
use crate::dxil::ops::{NodeOp, Op, Opcode};
use crate::ir::dominance::{Dominators, Predecessors};
use crate::ir::{BlockId, FuncId, Function, InstId, ValueId, recursive_calls};

/// Checks all functions.
pub(super) fn check(cx: &ValidationContext<'_>, operands: &OperandFacts) {
    check_recursion(cx, operands);
    let uses_records = cx
        .module()
        .functions
        .values()
        .any(|decl| &*decl.name == "dx.op.outputComplete");
    for (id, function) in cx.bodies() {
        // Without an edge back there are no loops, and nothing is irreducible.
        let retreating = if function.blocks.len() > 1 {
            retreating_edges(function)
        } else {
            Vec::new()
        };
        if retreating.is_empty() && !uses_records {
            continue;
        }
        let predecessors = Predecessors::new(function);
        let dominators = predecessors.dominators();
        check_reducible(cx, id, &retreating, &dominators);
        check_loops(cx, id, function, &retreating, &predecessors);
        if uses_records {
            check_records(cx, id, function, &dominators);
        }
    }
}

/// Checks that the graph is reducible: each back edge of a depth-first search leads to a dominator.
fn check_reducible(
    cx: &ValidationContext<'_>,
    id: FuncId,
    retreating: &[(BlockId, BlockId)],
    dominators: &Dominators,
) {
    for &(from, to) in retreating {
        if !dominators.dominates(to.as_u32(), from.as_u32()) {
            let detail = format_args!("{from} leads back to {to}, which does not dominate it");
            cx.report_block(Rule::FlowReducible, id, from, detail);
        }
    }
}

/// Returns the edges to blocks that a depth-first walk has entered and not left.
fn retreating_edges(function: &Function) -> Vec<(BlockId, BlockId)> {
    #[derive(Clone, Copy, PartialEq)]
    enum VisitState {
        New,
        Open,
        Done,
    }
    let count = function.blocks.len();
    // Successors of block b: `edges[starts[b]..starts[b + 1]]`.
    let mut starts = Vec::with_capacity(count + 1);
    let mut edges = Vec::with_capacity(2 * count);
    for block in function.blocks.keys() {
        starts.push(edges.len());
        function.for_each_successor(block, |to| edges.push(to));
    }
    starts.push(edges.len());
    let of = |block: BlockId| {
        let start = starts.get(block.as_u32() as usize).copied().unwrap_or(0);
        let end = starts.get(block.as_u32() as usize + 1).copied();
        edges.get(start..end.unwrap_or(start)).unwrap_or_default()
    };
    let mut states = vec![VisitState::New; count];
    let mut found = Vec::new();
    let entry = BlockId::from_u32(0);
    let mut stack = vec![(entry, of(entry))];
    if let Some(state) = states.first_mut() {
        *state = VisitState::Open;
    }
    while let Some((block, rest)) = stack.last_mut() {
        let block = *block;
        match rest.split_last() {
            Some((&to, others)) => {
                *rest = others;
                match states.get_mut(to.as_u32() as usize) {
                    Some(state @ VisitState::New) => {
                        *state = VisitState::Open;
                        stack.push((to, of(to)));
                    }
                    Some(VisitState::Open) => found.push((block, to)),
                    _ => {}
                }
            }
            None => {
                if let Some(state) = states.get_mut(block.as_u32() as usize) {
                    *state = VisitState::Done;
                }
                stack.pop();
            }
        }
    }
    found
}

/// Checks that every loop has an exit: from each block a path leads to the end of the function.
fn check_loops(
    cx: &ValidationContext<'_>,
    id: FuncId,
    function: &Function,
    retreating: &[(BlockId, BlockId)],
    predecessors: &Predecessors,
) {
    if retreating.is_empty() {
        return;
    }
    let count = function.blocks.len();
    let mut ends = vec![false; count];
    let has_no_successor = |block: &BlockId| {
        let mut has_any = false;
        function.for_each_successor(*block, |_| has_any = true);
        !has_any
    };
    let mut work: Vec<BlockId> = function.blocks.keys().filter(has_no_successor).collect();
    while let Some(block) = work.pop() {
        match ends.get_mut(block.as_u32() as usize) {
            Some(slot) if !*slot => *slot = true,
            _ => continue,
        }
        work.extend(
            predecessors
                .of(block)
                .iter()
                .map(|from| BlockId::from_u32(*from)),
        );
    }
    for (_, to) in retreating {
        if !ends.get(to.as_u32() as usize).is_some_and(|ends| *ends) {
            let detail = format_args!("the loop at {to} has no exit");
            cx.report_block(Rule::FlowDeadLoop, id, *to, detail);
        }
    }
}

fn check_recursion(cx: &ValidationContext<'_>, operands: &OperandFacts) {
    let functions = cx.bodies().map(|(id, _)| id);
    for (function, callee) in recursive_calls(functions, |id| operands.callees_of(id)) {
        let detail = format_args!("the function calls {}", cx.name_of(callee));
        cx.report_function(Rule::FlowNoRecursion, function, detail);
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
                    dominators.is_reachable(block.as_u32())
                        && dominators.dominates(from.as_u32(), block.as_u32())
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
