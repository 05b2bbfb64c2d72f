//! Builds the graph of a function: reachable blocks, their edges and phis, and the values that
//! cross between them.

use cranelift_entity::EntityRef;
use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::dxil::{BranchHint, Hints, LoopHint as IrLoopHint};
use dxil_frontend::ir::{BlockId, FuncView, Inst};
use dxil_frontend::tables::HashSet;

use super::definitions::Definitions;
use super::graph::{Cfg, CfgNodeId, CfgPhi, Exit, Node, Use};
use super::hints::{LoopHint, SelectionHint};
use super::numbering::{Successors, reverse_postorder};
use super::operand::{Operand, PhiResult};
use super::{pinned_blocks, switches};
use crate::{Error, Result};

impl Cfg {
    /// Builds the graph of a function.
    ///
    /// # Errors
    ///
    /// `Malformed` for what the frontend does not verify: a function without blocks, and switch
    /// cases that are not constant integers.
    pub fn build(view: FuncView<'_>) -> Result<Cfg> {
        let function = view.function;
        let count = function.blocks.len();
        if count == 0 {
            return Err(Error::malformed("the function has no blocks"));
        }
        // Before blocks are numbered: code after such an operation, and blocks that only it leads
        // to, are unreachable.
        let ended = ended_blocks(view);
        let has_ended = |block: BlockId| ended.contains(&block);
        let order = reverse_postorder(&Successors::collect(count, |block, targets| {
            let block = BlockId::new(block);
            if !has_ended(block) {
                ir_successors(view, block, targets);
            }
        }));
        let mut number = vec![u32::MAX; count];
        for (new, &old) in order.iter().enumerate() {
            number[old as usize] = new as u32;
        }
        let node_of = |block: BlockId| CfgNodeId(number.get(block.index()).copied().unwrap_or(0));
        let mut cfg = Cfg {
            nodes: Vec::with_capacity(order.len()),
            ..Cfg::default()
        };
        let hints = Hints::new(view.module);
        for &block in &order {
            cfg.nodes.push(build_node(
                view,
                BlockId::from_u32(block),
                &node_of,
                &|from| {
                    let is_there = number.get(from.index()).is_some_and(|&n| n != u32::MAX);
                    is_there && !has_ended(from)
                },
                &hints,
            )?);
        }
        cfg.connect();
        // A function of one block has no values that cross, nothing to copy and no switch.
        if cfg.nodes.len() > 1 {
            cfg.collect_uses(view, &order);
            pinned_blocks::mark(&mut cfg, view);
            switches::split(&mut cfg);
        }
        Ok(cfg)
    }

    /// Collects uses of values. `order` has the block of each node.
    fn collect_uses(&mut self, view: FuncView<'_>, order: &[u32]) {
        let function = view.function;
        let count = function.values.len();
        let mut definitions = Definitions::with_values(function.first_value, count);
        // Each once, in the order of the nodes that use them.
        let mut uses: Vec<Use> = Vec::with_capacity(order.len() * 4);
        let mut last_use = vec![u32::MAX; count];
        let mut ends = vec![0u32; count];
        // A definition dominates its uses, so in this order it comes first.
        for (node, &block) in (0..).zip(order) {
            for data in function.block_data(BlockId::from_u32(block)) {
                // A phi uses its operands at the end of the predecessors; the node has them with
                // the phi. No node comes before the entry.
                if node > 0 && !matches!(data.inst, Inst::Phi { .. }) {
                    function.for_each_operand(&data.inst, |value| {
                        // Later nodes have not defined anything yet.
                        if !definitions.is_before(value, node) {
                            return;
                        }
                        let index = value.index() - function.first_value as usize;
                        if last_use[index] != node {
                            last_use[index] = node;
                            ends[index] += 1;
                            uses.push(Use {
                                value,
                                at: CfgNodeId(node),
                            });
                        }
                    });
                }
                if let Some(result) = data.result.expand() {
                    definitions.set(result, node);
                }
            }
        }
        // By value, and for each value in the same order: a counting sort, since values are dense.
        let mut end = 0;
        for count in &mut ends {
            end += *count;
            *count = end;
        }
        self.uses = uses.clone();
        for used in uses.iter().rev() {
            let index = used.value.index() - function.first_value as usize;
            ends[index] -= 1;
            self.uses[ends[index] as usize] = *used;
        }
        self.definitions = definitions;
    }
}

/// Returns the blocks in which an operation ends the invocation. Control never leaves them. The
/// operations are SPIR-V's terminators.
fn ended_blocks(view: FuncView<'_>) -> HashSet<BlockId> {
    let functions = &view.module.functions;
    let ends = |name: &str| {
        name.starts_with("dx.op.") && Opcode::NO_RETURN.iter().any(|op| op.is_called_by(name))
    };
    let mut found = HashSet::default();
    // Most modules declare few functions and none of these. A function that is smaller than the
    // list of declarations is looked through at once: a module may have thousands of both.
    if functions.len() < view.function.insts.len()
        && !functions.values().any(|decl| ends(&decl.name))
    {
        return found;
    }
    for block in view.function.blocks.keys() {
        let is_end = |inst| match view.function.insts.get(inst).map(|data| data.inst) {
            Some(Inst::Call { callee, .. }) => view
                .as_function(callee)
                .and_then(|id| functions.get(id))
                .is_some_and(|decl| decl.body.is_none() && ends(&decl.name)),
            _ => false,
        };
        if view.function.block_insts(block).any(is_end) {
            found.insert(block);
        }
    }
    found
}

/// Appends the successors of a block.
fn ir_successors(view: FuncView<'_>, block: BlockId, targets: &mut Vec<u32>) {
    match *view.function.terminator(block) {
        Inst::Br { target } => targets.push(target.as_u32()),
        Inst::CondBr {
            if_true, if_false, ..
        } => targets.extend([if_true.as_u32(), if_false.as_u32()]),
        Inst::Switch { default, cases, .. } => {
            let cases = view.function.edges_of(cases);
            // In the order of `exit_targets`, so that numbering here and `Cfg::renumber` agree.
            targets.extend(cases.iter().map(|(_, target)| target.as_u32()));
            targets.push(default.as_u32());
        }
        _ => {}
    }
}

fn build_node(
    view: FuncView<'_>,
    block: BlockId,
    node_of: &impl Fn(BlockId) -> CfgNodeId,
    goes_on: &impl Fn(BlockId) -> bool,
    hints: &Hints,
) -> Result<Node> {
    let function = view.function;
    let mut phis = Vec::new();
    let mut insts = function.block_insts(block);
    // Phis are at the head, and the terminator is the only one.
    let mut size = (insts.len() as u32).saturating_sub(1);
    while let Some(data) = insts.next().and_then(|inst| function.insts.get(inst))
        && let Inst::Phi { incoming } = data.inst
    {
        size = size.saturating_sub(1);
        let Some(result) = data.result.expand() else {
            continue;
        };
        let edges = function.edges_of(incoming);
        let mut pairs: Vec<(CfgNodeId, Operand)> = Vec::with_capacity(edges.len());
        for &(value, from) in edges {
            // Control does not come from there: the edge is gone, and its operand with it.
            if !goes_on(from) {
                continue;
            }
            pairs.push((node_of(from), Operand::Value(value)));
        }
        // A switch may come from one block several times; the operands are equal then.
        pairs.sort_by_key(|&(from, _)| from);
        pairs.dedup_by_key(|(from, _)| *from);
        phis.push(CfgPhi {
            result: PhiResult::Value(result),
            incoming: pairs,
        });
    }
    let exit = match *function.terminator(block) {
        _ if !goes_on(block) => Exit::Unreachable,
        Inst::Br { target } => Exit::Jump(node_of(target)),
        Inst::CondBr {
            if_true, if_false, ..
        } if if_true == if_false => Exit::Jump(node_of(if_true)),
        Inst::CondBr {
            condition,
            if_true,
            if_false,
        } => Exit::Branch {
            condition: Operand::Value(condition),
            if_true: node_of(if_true),
            if_false: node_of(if_false),
        },
        Inst::Switch {
            value,
            default,
            cases,
        } => {
            let default = node_of(default);
            let mut literals = Vec::new();
            for &(literal, target) in function.edges_of(cases) {
                let literal = view
                    .constant_int(literal)
                    .ok_or_else(|| Error::malformed("a switch case is not a constant integer"))?;
                literals.push((literal, node_of(target)));
            }
            // A switch without cases branches unconditionally; as a jump it needs no construct.
            if literals.is_empty() {
                Exit::Jump(default)
            } else {
                Exit::Switch {
                    selector: Operand::Value(value),
                    default,
                    cases: literals,
                }
            }
        }
        Inst::Ret { value } => Exit::Return(value.expand()),
        _ => Exit::Unreachable,
    };
    let (selection_hint, loop_hint) = read_hints(view, hints, block);
    Ok(Node {
        source: Some(block),
        size,
        phis,
        selection_hint,
        loop_hint,
        ..Node::routing(block.as_u32(), exit)
    })
}

fn read_hints(view: FuncView<'_>, hints: &Hints, block: BlockId) -> (SelectionHint, LoopHint) {
    let Some(inst) = view.function.block_insts(block).next_back() else {
        return Default::default();
    };
    let selection = match hints.branch(view.module, view.function, inst) {
        // SPIR-V has two hints only: to flatten, and not to (3.2.21 "Selection Control").
        Some(BranchHint::Branch | BranchHint::ForceCase | BranchHint::Call) => {
            SelectionHint::Branch
        }
        Some(BranchHint::Flatten) => SelectionHint::Flatten,
        Some(BranchHint::FastOpt | BranchHint::AllowUavCondition) | None => SelectionHint::None,
    };
    let looped = match hints.loop_hint(view.module, view.function, inst) {
        Some(IrLoopHint::DontUnroll) => LoopHint::DontUnroll,
        Some(IrLoopHint::Unroll | IrLoopHint::UnrollCount(_)) => LoopHint::Unroll,
        None => LoopHint::None,
    };
    (selection, looped)
}
