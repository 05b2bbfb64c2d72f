//! Places the nodes of a planned graph into constructs: the step from a graph to structured blocks.
//!
//! Nodes are placed in dominator order. A stack holds the open constructs; each owns follow
//! nodes, which stand behind it. An edge is one of two things:
//!
//! * to a node that simply follows: placed right there;
//! * to a follow node or continue target of an open construct: a branch, if SPIR-V allows it from
//!   here (own merge block, merge block of the innermost switch, merge block or continue target of the
//!   innermost loop). If it does not, the edge goes to the merge block of the outermost construct
//!   that it may leave, which becomes a **routing block** and sends it on from there.
//!
//! A routing block that serves one target needs nothing but phis. One that serves several carries a
//! selector and tests it: `if (selector == first) { first ... }`, then the others behind.
//!
//! ```text
//!   if (a) { if (b) goto J; }  K;  J;          merge:  s = phi(J from inner, K else)
//!                                              if (s == K) { K }
//!                                              J
//! ```

use crate::budget::Budget;
use crate::cfg::{Cfg, Exit, NodeId};
use crate::{Error, Result, Style};

use super::plan::Plan;
use super::{LoopHint, Merge, Operand, SelectionHint, Statistics, StructuredBlockId};

/// Where the value of a target's phi comes from on an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// From the edge that the graph has from this node.
    Edge(NodeId),
    /// From a routing block's phis.
    Route(StructuredBlockId),
}

/// An edge into a block.
#[derive(Debug, Clone)]
pub(super) struct IncomingEdge {
    pub(super) from: StructuredBlockId,
    /// Where this edge is bound for: one node, or several between routing blocks.
    pub(super) targets: Vec<NodeId>,
    pub(super) origin: Origin,
}

/// Terminator in the making.
#[derive(Debug, Clone)]
pub(super) enum DraftExit {
    Open,
    Branch(StructuredBlockId),
    CondBranch(Operand, StructuredBlockId, StructuredBlockId),
    Switch(Operand, StructuredBlockId, Vec<(u64, StructuredBlockId)>),
    /// Whether the routing block's selector names the node.
    Selected(NodeId, StructuredBlockId, StructuredBlockId),
    Node,
    Unreachable,
}

/// A block in the making.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    /// Node whose instructions stand here.
    pub(super) node: Option<NodeId>,
    /// Node whose phis stand here.
    pub(super) phis_of: Option<NodeId>,
    /// Targets of a routing block.
    pub(super) route: Vec<NodeId>,
    pub(super) incoming: Vec<IncomingEdge>,
    pub(super) merge: Merge,
    pub(super) exit: DraftExit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConstructKind {
    If,
    Switch,
    Loop,
}

struct OpenConstruct {
    merge: StructuredBlockId,
    /// Loop only: the continue target.
    continue_target: StructuredBlockId,
    follows: Vec<NodeId>,
    /// Distinct targets that are reached through the merge block.
    targets_beyond: Vec<NodeId>,
    /// Index of the innermost loop in the stack, this construct included.
    innermost_loop: Option<usize>,
    /// Index of the innermost switch within that loop.
    innermost_switch: Option<usize>,
    /// Number of switches within that loop.
    switches: u32,
}

/// How to reach a node that an open construct owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct JumpTarget {
    construct: u32,
    is_continue: bool,
    /// The block, of a case that another one falls through to.
    case: Option<StructuredBlockId>,
}

/// First step of an edge that leaves constructs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ExitEdge {
    construct: usize,
    is_continue: bool,
    /// The case that the edge falls through to.
    case: Option<StructuredBlockId>,
    /// Whether a conditional branch may take it without opening a construct.
    is_break: bool,
}

enum Next {
    Node(StructuredBlockId, NodeId),
    Merge(StructuredBlockId, Vec<NodeId>, Vec<NodeId>),
    End,
}

/// What a conditional branch needs.
enum BranchForm {
    /// No construct: one side at least leaves by a break or continue.
    NoConstruct,
    /// Both sides leave by the same way: no branch, the routing block there decides.
    SameExit,
    /// A selection with these follow nodes.
    Selection(Vec<NodeId>),
}

/// Deepest nesting of constructs that is placed. Deeper graphs are flattened. SPIR-V would allow
/// 1023 (universal limits, 2.17), but placing recurses per level and must do with the stack of a
/// small thread; source nests a dozen deep.
pub(super) const MAX_DEPTH: usize = 256;

/// Most blocks of an arm that never comes back which stand inside of a construct, where the other
/// arm, which does not either, has fewer.
const MAX_NESTED_ARM: u32 = 32;

/// Most switches of a loop that a `continue` leaves at once. SPIR-V has no limit. Mesa (25.0 and
/// 26.1, `vtn_structured_cfg.c`) makes a loop of each case that is left early, and after the inner
/// one of two it does not ask whether to continue: the code between the two merge blocks runs, for
/// lanes that left.
pub(super) const MAX_SWITCHES_CONTINUED: u32 = 1;

/// Result: blocks and the order to emit them in.
pub(super) struct Placed {
    pub(super) drafts: Vec<Draft>,
    pub(super) order: Vec<StructuredBlockId>,
    pub(super) statistics: Statistics,
}

struct Placer<'a> {
    cfg: &'a Cfg,
    plan: &'a Plan,
    drafts: Vec<Draft>,
    order: Vec<StructuredBlockId>,
    open: Vec<OpenConstruct>,
    jump_targets: Vec<Option<JumpTarget>>,
    statistics: Statistics,
    work: &'a mut Budget,
    too_deep: bool,
}

/// Places all nodes. `None`: constructs would nest deeper than [`MAX_DEPTH`], or edges have too
/// many targets.
pub(super) fn run(cfg: &Cfg, plan: &Plan, work: &mut Budget) -> Result<Option<Placed>> {
    let mut placer = Placer {
        cfg,
        plan,
        drafts: Vec::with_capacity(cfg.nodes.len() + 8),
        order: Vec::with_capacity(cfg.nodes.len() + 8),
        open: Vec::new(),
        jump_targets: vec![None; cfg.nodes.len()],
        statistics: Statistics::default(),
        work,
        too_deep: false,
    };
    let mut first = placer.draft();
    if plan.loops.headed_by(NodeId(0)).is_some() {
        // SPIR-V's entry block has no predecessors.
        let entry = first;
        placer.order.push(entry);
        first = placer.draft();
        placer.add_edge(first, entry, &[NodeId(0)], Origin::Edge(NodeId(0)));
        placer.set_exit(entry, DraftExit::Branch(first));
    }
    placer.sequence(Next::Node(first, NodeId(0)))?;
    if placer.too_deep || placer.work.is_exhausted() {
        return Ok(None);
    }
    Ok(Some(Placed {
        drafts: placer.drafts,
        order: placer.order,
        statistics: placer.statistics,
    }))
}

impl Placer<'_> {
    fn draft(&mut self) -> StructuredBlockId {
        let id = StructuredBlockId(self.drafts.len() as u32);
        self.drafts.push(Draft {
            node: None,
            phis_of: None,
            route: Vec::new(),
            incoming: Vec::new(),
            merge: Merge::None,
            exit: DraftExit::Open,
        });
        id
    }

    fn at(&mut self, id: StructuredBlockId) -> &mut Draft {
        &mut self.drafts[id.0 as usize]
    }

    /// Counts steps. What is over the budget ends the placing of nodes.
    fn spend(&mut self, steps: usize) {
        self.too_deep |= self.work.spend(steps as u64).is_err();
    }

    fn set_exit(&mut self, id: StructuredBlockId, exit: DraftExit) {
        self.at(id).exit = exit;
    }

    fn add_edge(
        &mut self,
        to: StructuredBlockId,
        from: StructuredBlockId,
        targets: &[NodeId],
        origin: Origin,
    ) {
        self.spend(targets.len());
        self.at(to).incoming.push(IncomingEdge {
            from,
            targets: targets.to_vec(),
            origin,
        });
    }

    /// Opens a construct with these follow nodes.
    fn open_construct(&mut self, kind: ConstructKind, follows: Vec<NodeId>) -> StructuredBlockId {
        let merge = self.draft();
        self.open_construct_at(kind, follows, merge);
        merge
    }

    fn open_construct_at(
        &mut self,
        kind: ConstructKind,
        follows: Vec<NodeId>,
        merge: StructuredBlockId,
    ) {
        let index = self.open.len();
        if index >= MAX_DEPTH {
            self.too_deep = true;
        }
        let (mut innermost_loop, mut innermost_switch, mut switches) =
            self.open.last().map_or((None, None, 0), |f| {
                (f.innermost_loop, f.innermost_switch, f.switches)
            });
        match kind {
            ConstructKind::If => {}
            ConstructKind::Switch => {
                innermost_switch = Some(index);
                switches += 1;
            }
            ConstructKind::Loop => {
                innermost_loop = Some(index);
                innermost_switch = None;
                switches = 0;
            }
        }
        for &follow in &follows {
            self.jump_targets[follow.index()] = Some(JumpTarget {
                construct: index as u32,
                is_continue: false,
                case: None,
            });
        }
        self.open.push(OpenConstruct {
            merge,
            continue_target: merge,
            follows,
            targets_beyond: Vec::new(),
            innermost_loop,
            innermost_switch,
            switches,
        });
    }

    /// Closes the innermost construct; what comes next is its merge block.
    fn close(&mut self) -> Result<Next> {
        let construct = self
            .open
            .pop()
            .ok_or_else(|| Error::internal("no construct to close"))?;
        for &follow in &construct.follows {
            self.jump_targets[follow.index()] = None;
        }
        Ok(Next::Merge(
            construct.merge,
            construct.follows,
            construct.targets_beyond,
        ))
    }

    fn exit_edge(&self, target: NodeId) -> Result<ExitEdge> {
        let jump = self.jump_targets[target.index()].ok_or_else(|| {
            Error::internal(format!(
                "an edge to node {} that no construct owns",
                target.0
            ))
        })?;
        let owner = jump.construct as usize;
        let top = self.open.len() - 1;
        let OpenConstruct {
            innermost_loop,
            innermost_switch,
            switches,
            ..
        } = self.open[top];
        let breaks = |construct: usize| ExitEdge {
            construct,
            is_continue: false,
            case: None,
            is_break: true,
        };
        if jump.case.is_some() {
            return Ok(match (innermost_loop, innermost_switch) {
                // Only the case itself falls through, not a construct in it.
                _ if owner == top => ExitEdge {
                    case: jump.case,
                    ..breaks(top)
                },
                (Some(inner), _) if inner > owner => breaks(inner),
                (_, Some(inner)) if inner > owner => breaks(inner),
                _ => ExitEdge {
                    is_break: false,
                    ..breaks(top)
                },
            });
        }
        if let Some(inner) = innermost_loop
            && owner <= inner
        {
            let continues = owner == inner && jump.is_continue;
            // Where `break` leaves the innermost loop or switch, there is no way out of a loop
            // from inside of a switch.
            if let Some(switch) = innermost_switch
                && (match continues {
                    true => switches > MAX_SWITCHES_CONTINUED,
                    false => self.plan.style == Style::Portable,
                })
            {
                return Ok(breaks(switch));
            }
            return Ok(match owner == inner {
                true => ExitEdge {
                    is_continue: jump.is_continue,
                    ..breaks(owner)
                },
                false => breaks(inner),
            });
        }
        Ok(match innermost_switch {
            Some(switch) if switch >= owner => breaks(switch),
            _ => ExitEdge {
                is_break: false,
                ..breaks(top)
            },
        })
    }

    /// Makes an edge out of `from`; gives the block to branch to.
    fn edge(
        &mut self,
        from: StructuredBlockId,
        target: NodeId,
        origin: Origin,
    ) -> Result<StructuredBlockId> {
        self.edges(from, &[target], origin)
    }

    /// Makes one edge for several targets that share their exit edge.
    fn edges(
        &mut self,
        from: StructuredBlockId,
        targets: &[NodeId],
        origin: Origin,
    ) -> Result<StructuredBlockId> {
        let Some(&first) = targets.first() else {
            return Err(Error::internal("an edge without target"));
        };
        let exit = self.exit_edge(first)?;
        self.spend(targets.len() * self.open[exit.construct].targets_beyond.len());
        let construct = &mut self.open[exit.construct];
        let to = if let Some(case) = exit.case {
            case
        } else if exit.is_continue {
            construct.continue_target
        } else {
            for &target in targets {
                if !construct.targets_beyond.contains(&target) {
                    construct.targets_beyond.push(target);
                }
            }
            construct.merge
        };
        if !self.has_edge_from(to, from) {
            self.add_edge(to, from, targets, origin);
            return Ok(to);
        }
        // A phi cannot tell two edges from one block apart.
        let between = self.draft();
        self.order.push(between);
        self.set_exit(between, DraftExit::Branch(to));
        self.at(between).incoming.push(IncomingEdge {
            from,
            targets: Vec::new(),
            origin,
        });
        self.add_edge(to, between, targets, origin);
        Ok(between)
    }

    /// Whether `to` has an edge from `from`. A block makes all its edges in one go, so that the
    /// last arrival tells: it comes from the block itself or from one put between.
    fn has_edge_from(&self, to: StructuredBlockId, from: StructuredBlockId) -> bool {
        let Some(last) = self.drafts[to.0 as usize].incoming.last() else {
            return false;
        };
        let between = &self.drafts[last.from.0 as usize];
        let is_between = between.node.is_none()
            && between
                .incoming
                .first()
                .is_some_and(|a| a.from == from && a.targets.is_empty());
        last.from == from || is_between
    }

    /// The block that a simple successor will be placed in.
    fn inline_successor(
        &mut self,
        from: StructuredBlockId,
        target: NodeId,
        origin: Origin,
    ) -> StructuredBlockId {
        let to = self.draft();
        self.add_edge(to, from, &[target], origin);
        to
    }

    fn sequence(&mut self, mut next: Next) -> Result<()> {
        loop {
            if self.too_deep {
                return Ok(());
            }
            next = match next {
                Next::Node(block, node) if self.plan.loops.headed_by(node).is_some() => {
                    self.place_loop(block, node)?
                }
                Next::Node(block, node) => {
                    self.at(block).phis_of = Some(node);
                    match self.plan.needs_single_case_switch(node) {
                        true => self.place_in_single_case_switch(block, node)?,
                        false => self.place_node(block, node)?,
                    }
                }
                Next::Merge(block, follows, targets_beyond) => {
                    self.merge(block, follows, targets_beyond)?
                }
                Next::End => return Ok(()),
            };
        }
    }

    fn place_loop(&mut self, header: StructuredBlockId, node: NodeId) -> Result<Next> {
        let id = self
            .plan
            .loops
            .headed_by(node)
            .ok_or_else(|| Error::internal("not a loop header"))?;
        self.statistics.loops += 1;
        let merge = self.open_construct(
            ConstructKind::Loop,
            self.plan.loop_follows[id.0 as usize].clone(),
        );
        let index = self.open.len() - 1;
        let latch = self.plan.continues[id.0 as usize];
        let continue_target = if latch == Some(node) {
            header
        } else {
            self.draft()
        };
        self.open[index].continue_target = continue_target;
        let jump = Some(JumpTarget {
            construct: index as u32,
            is_continue: true,
            case: None,
        });
        self.jump_targets[node.index()] = jump;
        if let Some(latch) = latch {
            self.jump_targets[latch.index()] = jump;
        }
        let hint = self.loop_hint(id);
        self.at(header).phis_of = Some(node);
        self.at(header).merge = Merge::Loop {
            merge,
            continue_target,
            hint,
        };
        let next = match self.branch_form(node)? {
            BranchForm::NoConstruct | BranchForm::SameExit
                if !self.plan.needs_single_case_switch(node) =>
            {
                self.place_node(header, node)?
            }
            _ => {
                // One block cannot head a loop and a selection.
                self.order.push(header);
                let body = self.draft();
                self.at(body).incoming.push(IncomingEdge {
                    from: header,
                    targets: Vec::new(),
                    origin: Origin::Edge(node),
                });
                self.set_exit(header, DraftExit::Branch(body));
                match self.plan.needs_single_case_switch(node) {
                    true => self.place_in_single_case_switch(body, node)?,
                    false => self.place_node(body, node)?,
                }
            }
        };
        self.sequence(next)?;
        if self.too_deep {
            return Ok(Next::End);
        }
        match latch {
            Some(latch) if latch == node => {}
            Some(latch) => {
                // The header and what follows the loop are the only targets from here.
                self.jump_targets[node.index()] = None;
                self.order.push(continue_target);
                self.at(continue_target).node = Some(latch);
                self.at(continue_target).phis_of = Some(latch);
                let mut to = Vec::with_capacity(2);
                for &target in &self.cfg.node(latch).successors {
                    to.push(if target == node {
                        self.add_edge(header, continue_target, &[node], Origin::Edge(latch));
                        header
                    } else {
                        self.edge(continue_target, target, Origin::Edge(latch))?
                    });
                }
                let exit = match (&self.cfg.node(latch).exit, to.as_slice()) {
                    (Exit::Branch { condition, .. }, &[a, b]) => {
                        DraftExit::CondBranch(*condition, a, b)
                    }
                    (_, &[only]) => DraftExit::Branch(only),
                    _ => return Err(Error::internal("a latch that is no continue target")),
                };
                self.set_exit(continue_target, exit);
                self.jump_targets[latch.index()] = None;
            }
            None => {
                self.order.push(continue_target);
                self.at(continue_target).route = vec![node];
                self.add_edge(
                    header,
                    continue_target,
                    &[node],
                    Origin::Route(continue_target),
                );
                self.set_exit(continue_target, DraftExit::Branch(header));
            }
        }
        self.jump_targets[node.index()] = None;
        self.close()
    }

    fn loop_hint(&self, id: crate::cfg::LoopId) -> LoopHint {
        let latches = &self.plan.loops.get(id).latches;
        let hints = latches.iter().map(|&latch| self.cfg.node(latch).loop_hint);
        hints
            .into_iter()
            .find(|&hint| hint != LoopHint::None)
            .unwrap_or_default()
    }

    /// Places a node in a switch of one case: its follow nodes are reached from many levels.
    fn place_in_single_case_switch(
        &mut self,
        block: StructuredBlockId,
        node: NodeId,
    ) -> Result<Next> {
        self.order.push(block);
        let follows = self.plan.follows(node).to_vec();
        self.begin_selection(ConstructKind::Switch, block, follows, SelectionHint::None);
        let body = self.draft();
        self.at(body).incoming.push(IncomingEdge {
            from: block,
            targets: Vec::new(),
            origin: Origin::Edge(node),
        });
        let selector = Operand::Selector(0);
        self.set_exit(block, DraftExit::Switch(selector, body, Vec::new()));
        let next = self.place_node(body, node)?;
        self.sequence(next)?;
        self.close_unless_deep()
    }

    /// The form of the node's exit, given the constructs that are open.
    fn branch_form(&self, node: NodeId) -> Result<BranchForm> {
        // Those of a wide construct belong to the switch around it.
        let follows = match self.plan.needs_single_case_switch(node) {
            true => &[],
            false => self.plan.follows(node),
        };
        let (a, b) = match self.cfg.node(node).exit {
            Exit::Branch {
                if_true, if_false, ..
            } if if_true != if_false => (if_true, if_false),
            Exit::Switch { .. } => return Ok(BranchForm::Selection(follows.to_vec())),
            _ => return Ok(BranchForm::NoConstruct),
        };
        if !follows.is_empty() {
            return Ok(BranchForm::Selection(follows.to_vec()));
        }
        let leaves = |target: NodeId| -> Result<Option<ExitEdge>> {
            match self.jump_targets[target.index()] {
                Some(_) => self.exit_edge(target).map(Some),
                None => Ok(None),
            }
        };
        Ok(match (leaves(a)?, leaves(b)?) {
            (Some(a), Some(b)) if a != b => BranchForm::NoConstruct,
            (Some(_), Some(_)) => BranchForm::SameExit,
            (Some(exit), None) | (None, Some(exit)) if exit.is_break => BranchForm::NoConstruct,
            (Some(_), None) | (None, Some(_)) => BranchForm::Selection(Vec::new()),
            (None, None) => {
                // An arm that never comes back leaves the other one to be what follows.
                let gone = |arm: NodeId| -> Result<bool> {
                    let exits = self.plan.exits[arm.index()];
                    let mut gone = !exits.many;
                    for &target in exits.targets() {
                        let jump = self.jump_targets[target.index()];
                        gone &= jump.is_some_and(|jump| jump.case.is_none())
                            && self.exit_edge(target)?.is_break;
                    }
                    Ok(gone)
                };
                let layout = |n: NodeId| self.cfg.node(n).layout;
                let (early, late) = if layout(a) <= layout(b) {
                    (a, b)
                } else {
                    (b, a)
                };
                // Of two that never come back, a long one is not what stands inside: the next like
                // it would stand in that.
                let dominated = |arm: NodeId| self.plan.dominated[arm.index()];
                let is_long = dominated(early) > MAX_NESTED_ARM.max(dominated(late));
                if gone(early)? && !(is_long && gone(late)?) {
                    BranchForm::Selection(vec![late])
                } else if gone(late)? {
                    BranchForm::Selection(vec![early])
                } else {
                    BranchForm::Selection(Vec::new())
                }
            }
        })
    }

    /// Places a node's instructions and what its exit leads to.
    fn place_node(&mut self, block: StructuredBlockId, node: NodeId) -> Result<Next> {
        self.order.push(block);
        self.at(block).node = Some(node);
        let origin = Origin::Edge(node);
        let form = self.branch_form(node)?;
        let cfg = self.cfg;
        match (&cfg.node(node).exit, form) {
            (Exit::Return(_), _) => {
                self.set_exit(block, DraftExit::Node);
                Ok(Next::End)
            }
            (Exit::Unreachable, _) => {
                self.set_exit(block, DraftExit::Unreachable);
                Ok(Next::End)
            }
            (&Exit::Jump(target), _)
            | (
                &Exit::Branch {
                    if_true: target, ..
                },
                BranchForm::NoConstruct,
            ) if cfg.node(node).successors.len() == 1 => {
                let (to, next) = self.go(block, target, origin)?;
                self.set_exit(block, DraftExit::Branch(to));
                Ok(next)
            }
            (
                &Exit::Branch {
                    condition,
                    if_true,
                    if_false,
                },
                BranchForm::NoConstruct,
            ) => {
                let (a, next_a) = self.go(block, if_true, origin)?;
                let (b, next_b) = self.go(block, if_false, origin)?;
                self.set_exit(block, DraftExit::CondBranch(condition, a, b));
                Ok(if matches!(next_a, Next::End) {
                    next_b
                } else {
                    next_a
                })
            }
            (
                &Exit::Branch {
                    if_true, if_false, ..
                },
                BranchForm::SameExit,
            ) => {
                let to = self.edges(block, &[if_true, if_false], origin)?;
                self.set_exit(block, DraftExit::Branch(to));
                Ok(Next::End)
            }
            (
                &Exit::Branch {
                    condition,
                    if_true,
                    if_false,
                },
                BranchForm::Selection(follows),
            ) => {
                let hint = cfg.node(node).selection_hint;
                self.begin_selection(ConstructKind::If, block, follows, hint);
                let (a, next_a) = self.go(block, if_true, origin)?;
                let (b, next_b) = self.go(block, if_false, origin)?;
                self.set_exit(block, DraftExit::CondBranch(condition, a, b));
                self.sequence(next_a)?;
                self.sequence(next_b)?;
                self.close_unless_deep()
            }
            (
                Exit::Switch {
                    selector,
                    default,
                    cases,
                },
                BranchForm::Selection(follows),
            ) => {
                self.begin_selection(
                    ConstructKind::Switch,
                    block,
                    follows,
                    cfg.node(node).selection_hint,
                );
                let order = super::fallthrough::in_order(cfg, node, &self.plan.fallthroughs);
                self.begin_cases(&order);
                let mut arms = rustc_hash::FxHashMap::default();
                let mut inside = Vec::new();
                for (rank, &(target, _)) in order.iter().enumerate() {
                    let (to, next) = self.case(block, target, origin)?;
                    arms.insert(target, (to, rank));
                    inside.push(next);
                }
                let mut ranked: Vec<_> = cases
                    .iter()
                    .map(|&(literal, target)| (literal, arms[&target]))
                    .collect();
                if order.iter().any(|&(_, is_fallen_into)| is_fallen_into) {
                    ranked.sort_by_key(|&(_, (_, rank))| rank);
                }
                let cases = ranked.iter().map(|&(l, (to, _))| (l, to)).collect();
                self.set_exit(block, DraftExit::Switch(*selector, arms[default].0, cases));
                for (next, (target, is_fallen_into)) in inside.into_iter().zip(order) {
                    match is_fallen_into {
                        true => {
                            self.jump_targets[target.index()] = None;
                            self.sequence(Next::Node(arms[&target].0, target))?;
                        }
                        false => self.sequence(next)?,
                    }
                }
                self.close_unless_deep()
            }
            _ => Err(Error::internal("an exit without shape")),
        }
    }

    fn close_unless_deep(&mut self) -> Result<Next> {
        if self.too_deep {
            Ok(Next::End)
        } else {
            self.close()
        }
    }

    fn begin_selection(
        &mut self,
        kind: ConstructKind,
        block: StructuredBlockId,
        follows: Vec<NodeId>,
        hint: SelectionHint,
    ) {
        self.statistics.selections += 1;
        let merge = self.open_construct(kind, follows);
        self.at(block).merge = Merge::Selection { merge, hint };
    }

    /// An edge that leaves, or a node to be placed next.
    fn go(
        &mut self,
        from: StructuredBlockId,
        target: NodeId,
        origin: Origin,
    ) -> Result<(StructuredBlockId, Next)> {
        if self.jump_targets[target.index()].is_some() {
            Ok((self.edge(from, target, origin)?, Next::End))
        } else {
            let to = self.inline_successor(from, target, origin);
            Ok((to, Next::Node(to, target)))
        }
    }

    /// Gives cases that others fall through to their blocks.
    fn begin_cases(&mut self, order: &[(NodeId, bool)]) {
        let construct = self.open.len() as u32 - 1;
        for (case, _) in order.iter().filter(|(_, is_fallen_into)| *is_fallen_into) {
            let block = self.draft();
            self.jump_targets[case.index()] = Some(JumpTarget {
                construct,
                is_continue: false,
                case: Some(block),
            });
        }
    }

    /// Like [`Self::go`] for a case of a switch, whose targets are its own blocks or its merge
    /// block only.
    fn case(
        &mut self,
        from: StructuredBlockId,
        target: NodeId,
        origin: Origin,
    ) -> Result<(StructuredBlockId, Next)> {
        let top = self.open.len() - 1;
        let leaves =
            self.jump_targets[target.index()].is_some() && self.exit_edge(target)?.construct != top;
        if !leaves {
            return self.go(from, target, origin);
        }
        let between = self.draft();
        self.order.push(between);
        self.at(between).incoming.push(IncomingEdge {
            from,
            targets: Vec::new(),
            origin,
        });
        let to = self.edge(between, target, origin)?;
        self.set_exit(between, DraftExit::Branch(to));
        Ok((between, Next::End))
    }

    /// Places the merge block of a construct: a follow node, or a routing block.
    fn merge(
        &mut self,
        block: StructuredBlockId,
        follows: Vec<NodeId>,
        mut targets_beyond: Vec<NodeId>,
    ) -> Result<Next> {
        targets_beyond.sort_unstable();
        self.spend(targets_beyond.len() + follows.len());
        if let (&[only], &[follow]) = (targets_beyond.as_slice(), follows.as_slice())
            && only == follow
        {
            return Ok(Next::Node(block, follow));
        }
        self.order.push(block);
        if targets_beyond.is_empty() {
            if !follows.is_empty() {
                return Err(Error::internal("a follow node that nothing reaches"));
            }
            self.set_exit(block, DraftExit::Unreachable);
            return Ok(Next::End);
        }
        let origin = Origin::Route(block);
        self.at(block).route = targets_beyond.clone();
        if targets_beyond.len() > 1 {
            self.statistics.routing_blocks += 1;
            self.statistics.selectors += 1;
        }
        match follows.split_first() {
            None => {
                self.route(block, targets_beyond)?;
                Ok(Next::End)
            }
            Some((&first, rest)) => {
                if !targets_beyond.contains(&first) {
                    return Err(Error::internal("a follow node that nothing reaches"));
                }
                let others: Vec<NodeId> = targets_beyond
                    .iter()
                    .copied()
                    .filter(|&t| t != first)
                    .collect();
                if others.is_empty() {
                    return Err(Error::internal(
                        "follow nodes behind one that nothing else reaches",
                    ));
                }
                self.begin_selection(ConstructKind::If, block, rest.to_vec(), SelectionHint::None);
                let to = self.inline_successor(block, first, origin);
                let top = self.open.len() - 1;
                let merge = self.open[top].merge;
                self.open[top].targets_beyond = others.clone();
                self.add_edge(merge, block, &others, origin);
                self.set_exit(block, DraftExit::Selected(first, to, merge));
                self.sequence(Next::Node(to, first))?;
                self.close_unless_deep()
            }
        }
    }

    /// Ends a routing block whose targets all lie in constructs further out.
    fn route(&mut self, mut block: StructuredBlockId, targets: Vec<NodeId>) -> Result<()> {
        let mut exits: Vec<(ExitEdge, NodeId)> = Vec::with_capacity(targets.len());
        for target in targets {
            exits.push((self.exit_edge(target)?, target));
        }
        self.spend(exits.len());
        // What cannot be taken by a bare conditional branch comes last.
        exits.sort_by_key(|&(exit, _)| {
            (!exit.is_break, exit.construct, exit.is_continue, exit.case)
        });
        let Some(&(last, _)) = exits.last() else {
            return Err(Error::internal("a routing block without target"));
        };
        let tested = exits.iter().take_while(|(exit, _)| *exit != last).count();
        for index in 0..tested {
            let target = exits[index].1;
            let taken = self.edge(block, target, Origin::Route(block))?;
            self.spend(exits.len() - index);
            let left: Vec<NodeId> = exits[index + 1..]
                .iter()
                .map(|&(_, target)| target)
                .collect();
            if index + 1 == tested {
                let to = self.edges(block, &left, Origin::Route(block))?;
                self.set_exit(block, DraftExit::Selected(target, taken, to));
                return Ok(());
            }
            let next = self.draft();
            self.add_edge(next, block, &left, Origin::Route(block));
            self.set_exit(block, DraftExit::Selected(target, taken, next));
            self.order.push(next);
            self.at(next).route = left;
            block = next;
        }
        let left: Vec<NodeId> = exits.iter().map(|&(_, target)| target).collect();
        let to = self.edges(block, &left, Origin::Route(block))?;
        self.set_exit(block, DraftExit::Branch(to));
        Ok(())
    }
}
