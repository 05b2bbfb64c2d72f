//! Places the nodes of a planned graph into constructs: the step from a graph to structured blocks.
//!
//! Nodes are placed in dominator order. A stack of [`Frame`]s holds the open constructs; each owns
//! labels, the nodes that stand behind it. An edge is one of two things:
//!
//! * to a node that simply follows: placed right there;
//! * to a label or continue target of an open frame: a branch, if SPIR-V allows it from here (own
//!   merge block, merge block of the innermost switch, merge block or continue target of the
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
use crate::{Error, Result};

use super::plan::Plan;
use super::{Dialect, LoopHint, Merge, Operand, SelectionHint, Statistics, StructuredBlockId};

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
pub(super) struct Arrival {
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
    pub(super) arrivals: Vec<Arrival>,
    pub(super) merge: Merge,
    pub(super) exit: DraftExit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    If,
    Switch,
    Loop,
}

struct Frame {
    merge: StructuredBlockId,
    /// Loop only: the continue target.
    continue_target: StructuredBlockId,
    labels: Vec<NodeId>,
    /// Distinct targets that go through the merge block.
    arrived: Vec<NodeId>,
    /// Index of the innermost loop frame at or below this one.
    innermost_loop: Option<usize>,
    /// Index of the innermost switch frame above that loop.
    innermost_switch: Option<usize>,
    /// Number of switch frames above that loop.
    switches: u32,
}

/// A place in an open frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Home {
    frame: u32,
    is_continue: bool,
    /// The block, of a case that another one falls through to.
    case: Option<StructuredBlockId>,
}

/// First step of an edge on its way out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hop {
    frame: usize,
    is_continue: bool,
    /// Falls through to that case.
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
enum Shape {
    /// No construct: one side at least leaves by a break or continue.
    Bare,
    /// Both sides leave by the same way: no branch, the routing block there decides.
    Joint,
    /// A selection with these labels.
    Selection(Vec<NodeId>),
}

/// Deepest nesting of constructs that is placed. Deeper graphs are flattened. SPIR-V would allow
/// 1023 (universal limits, 2.17), but placing recurses per level and must do with the stack of a
/// small thread; source nests a dozen deep.
pub(super) const MAX_DEPTH: usize = 256;

/// Most blocks of an arm that never comes back which stand inside of a construct, where the other
/// arm, which does not either, has fewer.
const MOST_INSIDE: u32 = 32;

/// Most switches of a loop that a `continue` leaves at once. SPIR-V has no limit. Mesa (25.0 and
/// 26.1, `vtn_structured_cfg.c`) makes a loop of each case that is left early, and after the inner
/// one of two it does not ask whether to continue: the code between the two merge blocks runs, for
/// lanes that left.
pub(super) const MOST_SWITCHES_CONTINUED: u32 = 1;

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
    frames: Vec<Frame>,
    homes: Vec<Option<Home>>,
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
        frames: Vec::new(),
        homes: vec![None; cfg.nodes.len()],
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
        placer.arrive(first, entry, &[NodeId(0)], Origin::Edge(NodeId(0)));
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
            arrivals: Vec::new(),
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

    fn arrive(
        &mut self,
        to: StructuredBlockId,
        from: StructuredBlockId,
        targets: &[NodeId],
        origin: Origin,
    ) {
        self.spend(targets.len());
        self.at(to).arrivals.push(Arrival {
            from,
            targets: targets.to_vec(),
            origin,
        });
    }

    /// Opens a construct that owns `labels`.
    fn open(&mut self, kind: FrameKind, labels: Vec<NodeId>) -> StructuredBlockId {
        let merge = self.draft();
        self.open_at(kind, labels, merge);
        merge
    }

    fn open_at(&mut self, kind: FrameKind, labels: Vec<NodeId>, merge: StructuredBlockId) {
        let index = self.frames.len();
        if index >= MAX_DEPTH {
            self.too_deep = true;
        }
        let (mut innermost_loop, mut innermost_switch, mut switches) =
            self.frames.last().map_or((None, None, 0), |f| {
                (f.innermost_loop, f.innermost_switch, f.switches)
            });
        match kind {
            FrameKind::If => {}
            FrameKind::Switch => {
                innermost_switch = Some(index);
                switches += 1;
            }
            FrameKind::Loop => {
                innermost_loop = Some(index);
                innermost_switch = None;
                switches = 0;
            }
        }
        for &label in &labels {
            self.homes[label.index()] = Some(Home {
                frame: index as u32,
                is_continue: false,
                case: None,
            });
        }
        self.frames.push(Frame {
            merge,
            continue_target: merge,
            labels,
            arrived: Vec::new(),
            innermost_loop,
            innermost_switch,
            switches,
        });
    }

    /// Closes the innermost construct; what comes next is its merge block.
    fn close(&mut self) -> Result<Next> {
        let frame = self
            .frames
            .pop()
            .ok_or_else(|| Error::internal("no construct to close"))?;
        for &label in &frame.labels {
            self.homes[label.index()] = None;
        }
        Ok(Next::Merge(frame.merge, frame.labels, frame.arrived))
    }

    fn hop(&self, target: NodeId) -> Result<Hop> {
        let home = self.homes[target.index()].ok_or_else(|| {
            Error::internal(format!(
                "an edge to node {} that no construct owns",
                target.0
            ))
        })?;
        let owner = home.frame as usize;
        let top = self.frames.len() - 1;
        let Frame {
            innermost_loop,
            innermost_switch,
            switches,
            ..
        } = self.frames[top];
        let breaks = |frame: usize| Hop {
            frame,
            is_continue: false,
            case: None,
            is_break: true,
        };
        if home.case.is_some() {
            return Ok(match (innermost_loop, innermost_switch) {
                // Only the case itself falls through, not a construct in it.
                _ if owner == top => Hop {
                    case: home.case,
                    ..breaks(top)
                },
                (Some(inner), _) if inner > owner => breaks(inner),
                (_, Some(inner)) if inner > owner => breaks(inner),
                _ => Hop {
                    is_break: false,
                    ..breaks(top)
                },
            });
        }
        if let Some(inner) = innermost_loop
            && owner <= inner
        {
            let continues = owner == inner && home.is_continue;
            // The plain dialect takes a break out of the loop from inside of a switch for the
            // switch's own.
            if let Some(switch) = innermost_switch
                && (match continues {
                    true => switches > MOST_SWITCHES_CONTINUED,
                    false => self.plan.dialect == Dialect::Plain,
                })
            {
                return Ok(breaks(switch));
            }
            return Ok(match owner == inner {
                true => Hop {
                    is_continue: home.is_continue,
                    ..breaks(owner)
                },
                false => breaks(inner),
            });
        }
        Ok(match innermost_switch {
            Some(switch) if switch >= owner => breaks(switch),
            _ => Hop {
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

    /// Makes one edge for several targets that share their first hop.
    fn edges(
        &mut self,
        from: StructuredBlockId,
        targets: &[NodeId],
        origin: Origin,
    ) -> Result<StructuredBlockId> {
        let Some(&first) = targets.first() else {
            return Err(Error::internal("an edge without target"));
        };
        let hop = self.hop(first)?;
        self.spend(targets.len() * self.frames[hop.frame].arrived.len());
        let frame = &mut self.frames[hop.frame];
        let to = if let Some(case) = hop.case {
            case
        } else if hop.is_continue {
            frame.continue_target
        } else {
            for &target in targets {
                if !frame.arrived.contains(&target) {
                    frame.arrived.push(target);
                }
            }
            frame.merge
        };
        if !self.comes_already(to, from) {
            self.arrive(to, from, targets, origin);
            return Ok(to);
        }
        // A phi cannot tell two edges from one block apart.
        let between = self.draft();
        self.order.push(between);
        self.set_exit(between, DraftExit::Branch(to));
        self.at(between).arrivals.push(Arrival {
            from,
            targets: Vec::new(),
            origin,
        });
        self.arrive(to, between, targets, origin);
        Ok(between)
    }

    /// Whether `to` has an edge from `from`. A block makes all its edges in one go, so that the
    /// last arrival tells: it comes from the block itself or from one put between.
    fn comes_already(&self, to: StructuredBlockId, from: StructuredBlockId) -> bool {
        let Some(last) = self.drafts[to.0 as usize].arrivals.last() else {
            return false;
        };
        let between = &self.drafts[last.from.0 as usize];
        let is_between = between.node.is_none()
            && between
                .arrivals
                .first()
                .is_some_and(|a| a.from == from && a.targets.is_empty());
        last.from == from || is_between
    }

    /// The block that a simple successor will be placed in.
    fn follow(
        &mut self,
        from: StructuredBlockId,
        target: NodeId,
        origin: Origin,
    ) -> StructuredBlockId {
        let to = self.draft();
        self.arrive(to, from, &[target], origin);
        to
    }

    fn sequence(&mut self, mut next: Next) -> Result<()> {
        loop {
            if self.too_deep {
                return Ok(());
            }
            next = match next {
                Next::Node(block, node) if self.plan.loops.headed_by(node).is_some() => {
                    self.looped(block, node)?
                }
                Next::Node(block, node) => {
                    self.at(block).phis_of = Some(node);
                    match self.plan.is_wide(node) {
                        true => self.wide(block, node)?,
                        false => self.node(block, node)?,
                    }
                }
                Next::Merge(block, labels, arrived) => self.merge(block, labels, arrived)?,
                Next::End => return Ok(()),
            };
        }
    }

    fn looped(&mut self, header: StructuredBlockId, node: NodeId) -> Result<Next> {
        let id = self
            .plan
            .loops
            .headed_by(node)
            .ok_or_else(|| Error::internal("not a loop header"))?;
        self.statistics.loops += 1;
        let merge = self.open(
            FrameKind::Loop,
            self.plan.loop_labels[id.0 as usize].clone(),
        );
        let index = self.frames.len() - 1;
        let latch = self.plan.continues[id.0 as usize];
        let continue_target = if latch == Some(node) {
            header
        } else {
            self.draft()
        };
        self.frames[index].continue_target = continue_target;
        let home = Some(Home {
            frame: index as u32,
            is_continue: true,
            case: None,
        });
        self.homes[node.index()] = home;
        if let Some(latch) = latch {
            self.homes[latch.index()] = home;
        }
        let hint = self.loop_hint(id);
        self.at(header).phis_of = Some(node);
        self.at(header).merge = Merge::Loop {
            merge,
            continue_target,
            hint,
        };
        let next = match self.shape(node)? {
            Shape::Bare | Shape::Joint if !self.plan.is_wide(node) => self.node(header, node)?,
            _ => {
                // One block cannot head a loop and a selection.
                self.order.push(header);
                let body = self.draft();
                self.at(body).arrivals.push(Arrival {
                    from: header,
                    targets: Vec::new(),
                    origin: Origin::Edge(node),
                });
                self.set_exit(header, DraftExit::Branch(body));
                match self.plan.is_wide(node) {
                    true => self.wide(body, node)?,
                    false => self.node(body, node)?,
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
                // The header and what follows the loop are the only ways on from here.
                self.homes[node.index()] = None;
                self.order.push(continue_target);
                self.at(continue_target).node = Some(latch);
                self.at(continue_target).phis_of = Some(latch);
                let mut to = Vec::with_capacity(2);
                for &target in &self.cfg.node(latch).successors {
                    to.push(if target == node {
                        self.arrive(header, continue_target, &[node], Origin::Edge(latch));
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
                self.homes[latch.index()] = None;
            }
            None => {
                self.order.push(continue_target);
                self.at(continue_target).route = vec![node];
                self.arrive(
                    header,
                    continue_target,
                    &[node],
                    Origin::Route(continue_target),
                );
                self.set_exit(continue_target, DraftExit::Branch(header));
            }
        }
        self.homes[node.index()] = None;
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

    /// Places a node whose labels are reached from many levels, in a switch of one case.
    fn wide(&mut self, block: StructuredBlockId, node: NodeId) -> Result<Next> {
        self.order.push(block);
        let labels = self.plan.labels(node).to_vec();
        self.begin_selection(FrameKind::Switch, block, labels, SelectionHint::None);
        let body = self.draft();
        self.at(body).arrivals.push(Arrival {
            from: block,
            targets: Vec::new(),
            origin: Origin::Edge(node),
        });
        let selector = Operand::Selector(0);
        self.set_exit(block, DraftExit::Switch(selector, body, Vec::new()));
        let next = self.node(body, node)?;
        self.sequence(next)?;
        self.close_unless_deep()
    }

    /// What the node's exit needs, with the frames as they are now.
    fn shape(&self, node: NodeId) -> Result<Shape> {
        // Those of a wide construct belong to the switch around it.
        let labels = match self.plan.is_wide(node) {
            true => &[],
            false => self.plan.labels(node),
        };
        let (a, b) = match self.cfg.node(node).exit {
            Exit::Branch {
                if_true, if_false, ..
            } if if_true != if_false => (if_true, if_false),
            Exit::Switch { .. } => return Ok(Shape::Selection(labels.to_vec())),
            _ => return Ok(Shape::Bare),
        };
        if !labels.is_empty() {
            return Ok(Shape::Selection(labels.to_vec()));
        }
        let leaves = |target: NodeId| -> Result<Option<Hop>> {
            match self.homes[target.index()] {
                Some(_) => self.hop(target).map(Some),
                None => Ok(None),
            }
        };
        Ok(match (leaves(a)?, leaves(b)?) {
            (Some(a), Some(b)) if a != b => Shape::Bare,
            (Some(_), Some(_)) => Shape::Joint,
            (Some(hop), None) | (None, Some(hop)) if hop.is_break => Shape::Bare,
            (Some(_), None) | (None, Some(_)) => Shape::Selection(Vec::new()),
            (None, None) => {
                // An arm that never comes back leaves the other one to be what follows.
                let gone = |arm: NodeId| -> Result<bool> {
                    let exits = self.plan.exits[arm.index()];
                    let mut gone = !exits.many;
                    for &target in exits.targets() {
                        let home = self.homes[target.index()];
                        gone &= home.is_some_and(|home| home.case.is_none())
                            && self.hop(target)?.is_break;
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
                let is_long = dominated(early) > MOST_INSIDE.max(dominated(late));
                if gone(early)? && !(is_long && gone(late)?) {
                    Shape::Selection(vec![late])
                } else if gone(late)? {
                    Shape::Selection(vec![early])
                } else {
                    Shape::Selection(Vec::new())
                }
            }
        })
    }

    /// Places a node's instructions and what its exit leads to.
    fn node(&mut self, block: StructuredBlockId, node: NodeId) -> Result<Next> {
        self.order.push(block);
        self.at(block).node = Some(node);
        let origin = Origin::Edge(node);
        let shape = self.shape(node)?;
        let cfg = self.cfg;
        match (&cfg.node(node).exit, shape) {
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
                Shape::Bare,
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
                Shape::Bare,
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
                Shape::Joint,
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
                Shape::Selection(labels),
            ) => {
                let hint = cfg.node(node).selection_hint;
                self.begin_selection(FrameKind::If, block, labels, hint);
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
                Shape::Selection(labels),
            ) => {
                self.begin_selection(
                    FrameKind::Switch,
                    block,
                    labels,
                    cfg.node(node).selection_hint,
                );
                let order = super::fall::in_order(cfg, node, &self.plan.falls);
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
                            self.homes[target.index()] = None;
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
        kind: FrameKind,
        block: StructuredBlockId,
        labels: Vec<NodeId>,
        hint: SelectionHint,
    ) {
        self.statistics.selections += 1;
        let merge = self.open(kind, labels);
        self.at(block).merge = Merge::Selection { merge, hint };
    }

    /// An edge that leaves, or a node to be placed next.
    fn go(
        &mut self,
        from: StructuredBlockId,
        target: NodeId,
        origin: Origin,
    ) -> Result<(StructuredBlockId, Next)> {
        if self.homes[target.index()].is_some() {
            Ok((self.edge(from, target, origin)?, Next::End))
        } else {
            let to = self.follow(from, target, origin);
            Ok((to, Next::Node(to, target)))
        }
    }

    /// Gives cases that others fall through to their blocks.
    fn begin_cases(&mut self, order: &[(NodeId, bool)]) {
        let frame = self.frames.len() as u32 - 1;
        for (case, _) in order.iter().filter(|(_, is_fallen_into)| *is_fallen_into) {
            let block = self.draft();
            self.homes[case.index()] = Some(Home {
                frame,
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
        let top = self.frames.len() - 1;
        let leaves = self.homes[target.index()].is_some() && self.hop(target)?.frame != top;
        if !leaves {
            return self.go(from, target, origin);
        }
        let between = self.draft();
        self.order.push(between);
        self.at(between).arrivals.push(Arrival {
            from,
            targets: Vec::new(),
            origin,
        });
        let to = self.edge(between, target, origin)?;
        self.set_exit(between, DraftExit::Branch(to));
        Ok((between, Next::End))
    }

    /// What stands behind a construct: a label, or a routing block.
    fn merge(
        &mut self,
        block: StructuredBlockId,
        labels: Vec<NodeId>,
        mut arrived: Vec<NodeId>,
    ) -> Result<Next> {
        arrived.sort_unstable();
        self.spend(arrived.len() + labels.len());
        if let (&[only], &[label]) = (arrived.as_slice(), labels.as_slice())
            && only == label
        {
            return Ok(Next::Node(block, label));
        }
        self.order.push(block);
        if arrived.is_empty() {
            if !labels.is_empty() {
                return Err(Error::internal("a label that nothing reaches"));
            }
            self.set_exit(block, DraftExit::Unreachable);
            return Ok(Next::End);
        }
        let origin = Origin::Route(block);
        self.at(block).route = arrived.clone();
        if arrived.len() > 1 {
            self.statistics.ladders += 1;
            self.statistics.selectors += 1;
        }
        match labels.split_first() {
            None => {
                self.route(block, arrived)?;
                Ok(Next::End)
            }
            Some((&first, rest)) => {
                if !arrived.contains(&first) {
                    return Err(Error::internal("a label that nothing reaches"));
                }
                let others: Vec<NodeId> = arrived.iter().copied().filter(|&t| t != first).collect();
                if others.is_empty() {
                    return Err(Error::internal(
                        "labels behind a label that nothing else reaches",
                    ));
                }
                self.begin_selection(FrameKind::If, block, rest.to_vec(), SelectionHint::None);
                let to = self.follow(block, first, origin);
                let top = self.frames.len() - 1;
                let merge = self.frames[top].merge;
                self.frames[top].arrived = others.clone();
                self.arrive(merge, block, &others, origin);
                self.set_exit(block, DraftExit::Selected(first, to, merge));
                self.sequence(Next::Node(to, first))?;
                self.close_unless_deep()
            }
        }
    }

    /// Sends targets that all lie further out on their ways.
    fn route(&mut self, mut block: StructuredBlockId, targets: Vec<NodeId>) -> Result<()> {
        let mut ways: Vec<(Hop, NodeId)> = Vec::with_capacity(targets.len());
        for target in targets {
            ways.push((self.hop(target)?, target));
        }
        self.spend(ways.len());
        // What cannot be taken by a bare conditional branch comes last.
        ways.sort_by_key(|&(hop, _)| (!hop.is_break, hop.frame, hop.is_continue, hop.case));
        let Some(&(last, _)) = ways.last() else {
            return Err(Error::internal("a routing block without target"));
        };
        let tested = ways.iter().take_while(|(hop, _)| *hop != last).count();
        for index in 0..tested {
            let target = ways[index].1;
            let taken = self.edge(block, target, Origin::Route(block))?;
            self.spend(ways.len() - index);
            let left: Vec<NodeId> = ways[index + 1..]
                .iter()
                .map(|&(_, target)| target)
                .collect();
            if index + 1 == tested {
                let to = self.edges(block, &left, Origin::Route(block))?;
                self.set_exit(block, DraftExit::Selected(target, taken, to));
                return Ok(());
            }
            let next = self.draft();
            self.arrive(next, block, &left, Origin::Route(block));
            self.set_exit(block, DraftExit::Selected(target, taken, next));
            self.order.push(next);
            self.at(next).route = left;
            block = next;
        }
        let left: Vec<NodeId> = ways.iter().map(|&(_, target)| target).collect();
        let to = self.edges(block, &left, Origin::Route(block))?;
        self.set_exit(block, DraftExit::Branch(to));
        Ok(())
    }
}
