//! Decides, before anything is placed: where each loop ends, where it continues, and which
//! construct each join belongs to.
//!
//! * A **root** of a loop is a node outside it whose immediate dominator lies inside. One of the
//!   roots is where the program goes on after the loop. Compilers write that block after the
//!   loop's own blocks, and the bodies of `break`s and early returns before them, so the first root
//!   in program order that is written after the loop is taken; if there is none, the only target
//!   of all exits, or else the last root where several edges meet. Little code that belongs to only
//!   one of several exits is skipped. Roots before it are bodies that belong inside the loop; roots
//!   after it are joins that the loop's construct hands on. After a loop with more than
//!   [`MAX_LOOP_FOLLOWS`] of them stand only those where several edges meet, from the last on:
//!   every follow node is handed on by each merge block before it; a body inside of the loop needs
//!   no such block.
//! * A **continue node** is the latch itself where it can be the continue target as it stands.
//! * Any other node with several forward predecessors is a **follow node** of its immediate
//!   dominator: the join after that node's `if` or `switch`; or a case that another one falls
//!   through to (`fallthrough`).
//! * A follow node that conditions lead to from more than [`MAX_NESTED`] levels of its node's
//!   construct puts that construct into a switch of one case: each of them is a `break` out of it.

use dxil_frontend::tables::{HashMap, HashSet};

use crate::budget::{Budget, Exhausted};
use crate::cfg::{Cfg, CfgNodeId, Dominators, Exit, LoopForest, LoopId, Node};
use crate::consumer::ControlFlowSupport;

/// The construct through which a node is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// It follows its only predecessor.
    Inline,
    /// Join of the construct that its immediate dominator heads.
    Selection,
    /// The node after that loop.
    Loop(LoopId),
    /// Continue target of that loop.
    Continue(LoopId),
}

/// The targets of the edges that leave a dominator subtree, if they are few.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Exits {
    targets: [CfgNodeId; 3],
    len: u8,
    pub(super) many: bool,
}

impl Exits {
    fn add(&mut self, target: CfgNodeId) {
        if self.many || self.targets().contains(&target) {
            return;
        }
        match self.targets.get_mut(usize::from(self.len)) {
            Some(slot) => {
                *slot = target;
                self.len += 1;
            }
            None => self.many = true,
        }
    }

    pub(super) fn targets(&self) -> &[CfgNodeId] {
        &self.targets[..usize::from(self.len)]
    }
}

/// The targets of the edges out of a loop, without bare returns.
#[derive(Debug, Clone, Copy, Default)]
struct LoopExits {
    any: bool,
    /// The target, if they all have the same.
    only: Option<CfgNodeId>,
}

/// The decisions.
pub(super) struct ConstructPlan {
    pub(super) loops: LoopForest,
    pub(super) owners: Vec<Owner>,
    /// Follow nodes of each loop, in program order; the first is where the program continues.
    pub(super) loop_follows: Vec<Vec<CfgNodeId>>,
    /// Continue node of each loop, where the latch serves.
    pub(super) continues: Vec<Option<CfgNodeId>>,
    pub(super) exits: Vec<Exits>,
    /// Nodes that each node dominates.
    pub(super) dominated: Vec<u32>,
    /// Case that a case of the same switch falls through to.
    pub(super) fallthroughs: super::fallthrough::Fallthroughs,
    pub(super) support: ControlFlowSupport,
    /// Nodes whose construct is a switch of one case.
    single_case_switches: HashSet<CfgNodeId>,
    follow_start: Vec<u32>,
    follows: Vec<CfgNodeId>,
}

/// Maximum number of instructions of a loop's exit that go inside the loop where that avoids a
/// selector.
const MAX_EXIT_WORK: u32 = 8;

/// Maximum number of follow nodes after a loop if some of them are the work of a single way out.
const MAX_LOOP_FOLLOWS: usize = 8;

/// Maximum nesting depth of conditions that lead to one join and have their own constructs.
const MAX_NESTED: u32 = 16;

/// Returns the block where all exits of a loop meet, if only little code of one exit comes before
/// it. That code then goes inside the loop, as the code of the other exits does.
fn skip_exit_work(cfg: &Cfg, roots: &[CfgNodeId], mut after: CfgNodeId) -> CfgNodeId {
    // Each step goes forward.
    loop {
        let node = cfg.node(after);
        match node.exit {
            Exit::Jump(join)
                if node.predecessors.len() == 1
                    && node.size <= MAX_EXIT_WORK
                    && !node.pinned
                    && join > after
                    && roots.binary_search(&join).is_ok() =>
            {
                after = join;
            }
            _ => return after,
        }
    }
}

/// Returns whether a node has no code and returns.
fn is_bare_return(cfg: &Cfg, node: CfgNodeId) -> bool {
    matches!(
        cfg.node(node),
        Node {
            size: 0,
            exit: Exit::Return(_),
            ..
        }
    )
}

impl ConstructPlan {
    /// Plans a reducible graph whose nodes are numbered in reverse postorder.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if edges leave too many loops at once.
    pub(super) fn new(
        cfg: &Cfg,
        dominators: &Dominators,
        loops: LoopForest,
        support: ControlFlowSupport,
        work: &mut Budget,
    ) -> Result<ConstructPlan, Exhausted> {
        work.spend(cfg.nodes.len() as u64)?;
        let count = cfg.nodes.len();
        let mut plan = ConstructPlan {
            owners: vec![Owner::Inline; count],
            loop_follows: vec![Vec::new(); loops.loops.len()],
            continues: vec![None; loops.loops.len()],
            exits: vec![Exits::default(); count],
            dominated: vec![1; count],
            fallthroughs: Default::default(),
            support,
            single_case_switches: HashSet::default(),
            follow_start: vec![0; count + 1],
            follows: Vec::new(),
            loops,
        };
        plan.plan_loops(cfg, dominators, work)?;
        plan.plan_follows(cfg, dominators, work)?;
        plan.find_single_case_switches(cfg, dominators);
        plan.collect_exits(cfg, dominators);
        Ok(plan)
    }

    /// Returns whether the construct that a node heads is a switch of one case.
    pub(super) fn needs_single_case_switch(&self, node: CfgNodeId) -> bool {
        self.single_case_switches.contains(&node)
    }

    /// Finds follow nodes to which conditions of many levels lead.
    fn find_single_case_switches(&mut self, cfg: &Cfg, dominators: &Dominators) {
        let is_candidate =
            |follow: &CfgNodeId| cfg.node(*follow).predecessors.len() > MAX_NESTED as usize;
        if !self.follows.iter().any(is_candidate) {
            return;
        }
        let branches = |node: CfgNodeId| u32::from(cfg.node(node).successors.len() > 1);
        // Nodes that branch on the way to each node, itself included.
        let mut levels = vec![0; cfg.nodes.len()];
        for node in cfg.ids() {
            let above = CfgNodeId(dominators.idom(node.0));
            let before = if above == node {
                0
            } else {
                levels[above.index()]
            };
            levels[node.index()] = before + branches(node);
        }
        for node in cfg.ids() {
            // A `break` leaves a switch from any depth already (2.11.3).
            if !matches!(cfg.node(node).exit, Exit::Branch { .. }) {
                continue;
            }
            let is_deep = |follow: &CfgNodeId| {
                let froms = cfg.node(*follow).predecessors.iter();
                let deepest = froms
                    .filter(|from| *from < follow)
                    .map(|from| levels[from.index()]);
                deepest.max().unwrap_or(0) > levels[node.index()] + MAX_NESTED
            };
            let mut follows = self.follows(node).iter();
            if follows.any(|follow| is_candidate(follow) && is_deep(follow)) {
                self.single_case_switches.insert(node);
            }
        }
    }

    /// Joins of the selection that the node heads, in program order.
    pub(super) fn follows(&self, node: CfgNodeId) -> &[CfgNodeId] {
        let range =
            self.follow_start[node.index()] as usize..self.follow_start[node.index() + 1] as usize;
        &self.follows[range]
    }

    fn plan_loops(
        &mut self,
        cfg: &Cfg,
        dominators: &Dominators,
        work: &mut Budget,
    ) -> Result<(), Exhausted> {
        // The entry has no dominator, so that it is not a root.
        let mut roots: Vec<Vec<CfgNodeId>> = vec![Vec::new(); self.loops.loops.len()];
        for node in cfg.ids().skip(1) {
            let above = CfgNodeId(dominators.idom(node.0));
            for id in self.loops.ancestors(self.loops.innermost(above)) {
                if self.loops.contains(id, node) {
                    break;
                }
                work.spend(1)?;
                roots[id.0 as usize].push(node);
            }
        }
        let exits = self.loop_exits(cfg, work)?;
        for index in 0..roots.len() {
            let id = LoopId(index as u32);
            // Outer loops come before inner ones (`LoopForest`): a node that is a root of several
            // loops belongs to the outermost one, and the inner ones hand it on.
            let candidates: Vec<CfgNodeId> = roots[index]
                .iter()
                .copied()
                .filter(|n| self.owners[n.index()] == Owner::Inline)
                .collect();
            let last_layout = self.loops.get(id).last_layout;
            let behind = candidates
                .iter()
                .find(|&&n| cfg.node(n).layout > last_layout);
            let sole = candidates.iter().find(|&&n| exits[index].only == Some(n));
            let join = candidates
                .iter()
                .rev()
                .find(|&&n| cfg.node(n).predecessors.len() >= 2);
            let count = |after: CfgNodeId| candidates.iter().filter(|&&node| node >= after).count();
            let mut after = behind.or(sole).or(join).copied();
            let mut only_joins = false;
            if after.is_some_and(|after| count(after) > MAX_LOOP_FOLLOWS) {
                after = sole.or(join).copied();
                only_joins = true;
            }
            if let Some(after) = after {
                let after = skip_exit_work(cfg, &candidates, after);
                let follows = |node: CfgNodeId| {
                    let meets = cfg.node(node).predecessors.len() > 1;
                    node == after || (node > after && (meets || !only_joins))
                };
                for &node in candidates.iter().filter(|&&node| follows(node)) {
                    self.owners[node.index()] = Owner::Loop(id);
                    self.loop_follows[index].push(node);
                }
            }
            if self.support.code_in_continue_blocks
                && let Some(latch) = self.continue_node(cfg, id, exits[index], &roots[index])
                && !self.is_join(cfg, dominators, id, latch, work)?
            {
                self.continues[index] = Some(latch);
                if latch != self.loops.get(id).header {
                    self.owners[latch.index()] = Owner::Continue(id);
                }
            }
        }
        Ok(())
    }

    /// Returns the targets of the edges out of each loop.
    fn loop_exits(&self, cfg: &Cfg, work: &mut Budget) -> Result<Vec<LoopExits>, Exhausted> {
        let mut exits = vec![LoopExits::default(); self.loops.loops.len()];
        for from in cfg.ids() {
            let Some(inside) = self.loops.innermost(from) else {
                continue;
            };
            for &target in &cfg.node(from).successors {
                // SPIR-V restricts branches out of a construct, not returns (2.11.3): the block
                // that returns stands inside the loop.
                if is_bare_return(cfg, target) || self.loops.contains(inside, target) {
                    continue;
                }
                for id in self.loops.ancestors(Some(inside)) {
                    if self.loops.contains(id, target) {
                        break;
                    }
                    work.spend(1)?;
                    let exits = &mut exits[id.0 as usize];
                    exits.only = (!exits.any || exits.only == Some(target)).then_some(target);
                    exits.any = true;
                }
            }
        }
        Ok(exits)
    }

    /// Returns the latch of a loop if it can be the continue target. `roots` are the nodes outside
    /// that the loop's nodes dominate immediately.
    fn continue_node(
        &self,
        cfg: &Cfg,
        id: LoopId,
        exits: LoopExits,
        roots: &[CfgNodeId],
    ) -> Option<CfgNodeId> {
        let this = self.loops.get(id);
        // A header has exactly one back edge (2.11.1): several latches share a continue block that
        // is made for them.
        let &[latch] = this.latches.as_slice() else {
            return None;
        };
        let header = this.header;
        // The back-edge block structurally post-dominates the continue construct (SPIR-V
        // specification, 2.11.1), so no block of the construct may end the function.
        if cfg.node(latch).may_end {
            return None;
        }
        // Constructs nest (2.11.3), so that a latch in an inner loop cannot begin the continue
        // construct of the outer one.
        if self.loops.innermost(latch) != Some(id) || self.owners[latch.index()] != Owner::Inline {
            return None;
        }
        let fits = match cfg.node(latch).exit {
            Exit::Jump(_) => latch != header,
            Exit::Branch {
                if_true, if_false, ..
            } => {
                // Apart from the back edge, only a branch to the loop's merge block may leave a
                // continue construct (2.11.3). The merge block leads on to a join that belongs to a
                // construct further out; code of this exit alone would have no place. Where another
                // exit has code, drivers then leave the loop as it is, and would peel it otherwise.
                // Where none has, they make fewer instructions of a test in the body.
                let other = if if_true == header { if_false } else { if_true };
                let is_beyond = || {
                    exits.only.is_none()
                        && !self.loops.contains(id, other)
                        && !roots.contains(&other)
                        && !is_bare_return(cfg, other)
                };
                other != header && (self.owners[other.index()] == Owner::Loop(id) || is_beyond())
            }
            _ => false,
        };
        fits.then_some(latch)
    }

    /// Returns whether a latch is the join of one `if` or `switch` and needs no selector: all paths
    /// to it leave constructs that have no other merge block. The source has that form too, and one
    /// merge block costs drivers less than several edges to a continue target.
    fn is_join(
        &self,
        cfg: &Cfg,
        dominators: &Dominators,
        id: LoopId,
        latch: CfgNodeId,
        work: &mut Budget,
    ) -> Result<bool, Exhausted> {
        let forward = |node: CfgNodeId| {
            let froms = cfg.node(node).predecessors.iter().copied();
            froms.filter(move |&from| from < node)
        };
        if latch == self.loops.get(id).header || forward(latch).count() < 2 {
            return Ok(false);
        }
        // Other joins after a node's construct: the only one, if there is any.
        let joins = |node: CfgNodeId| -> std::result::Result<Option<CfgNodeId>, ()> {
            let children = dominators.children(node.0).iter().copied().map(CfgNodeId);
            let mut joins = children.filter(|&child| {
                let is_follow = self.owners[child.index()] == Owner::Inline;
                child != latch && is_follow && forward(child).count() >= 2
            });
            let only = joins.next();
            joins.next().map_or(Ok(only), |_| Err(()))
        };
        let head = CfgNodeId(dominators.idom(latch.0));
        work.spend(dominators.children(head.0).len() as u64)?;
        if joins(head) != Ok(None) {
            return Ok(false);
        }
        // Each node lies directly in one loop, and is walked over once for it.
        let mut walked: HashMap<CfgNodeId, Option<CfgNodeId>> = HashMap::default();
        for from in forward(latch) {
            let (mut node, mut below) = (from, None);
            while node != head {
                if let Some(&join) = walked.get(&node) {
                    if join.is_some() && join != below {
                        return Ok(false);
                    }
                    break;
                }
                work.spend(dominators.children(node.0).len() as u64)?;
                match joins(node) {
                    Ok(join)
                        if self.loops.innermost(node) == Some(id)
                            && (join.is_none() || join == below) =>
                    {
                        walked.insert(node, join);
                    }
                    _ => return Ok(false),
                }
                below = Some(node);
                node = CfgNodeId(dominators.idom(node.0));
            }
        }
        Ok(true)
    }

    fn plan_follows(
        &mut self,
        cfg: &Cfg,
        dominators: &Dominators,
        work: &mut Budget,
    ) -> Result<(), Exhausted> {
        let is_follow = |owners: &[Owner], node: CfgNodeId| {
            let forward = cfg
                .node(node)
                .predecessors
                .iter()
                .filter(|&&from| from < node)
                .count();
            owners[node.index()] == Owner::Inline && forward >= 2
        };
        // Whether a node dominates pinned ones. A node comes after its dominator in reverse
        // postorder, so that one pass backwards is enough.
        let mut pinned: Vec<bool> = cfg.nodes.iter().map(|node| node.pinned).collect();
        for node in cfg.ids().rev() {
            let above = dominators.idom(node.0) as usize;
            pinned[above] |= pinned[node.index()];
        }
        let mut joins = Vec::new();
        for node in cfg.ids() {
            let children = dominators.children(node.0).iter().copied().map(CfgNodeId);
            joins.extend(children.filter(|&child| is_follow(&self.owners, child)));
            let is_owned = |case: CfgNodeId| self.owners[case.index()] != Owner::Inline;
            if self.support.fallthrough {
                let fallthroughs = &mut self.fallthroughs;
                work.spend(joins.len() as u64)?;
                super::fallthrough::find(
                    cfg,
                    dominators,
                    node,
                    &pinned,
                    is_owned,
                    &mut joins,
                    fallthroughs,
                );
            }
            self.follows.append(&mut joins);
            self.follow_start[node.index() + 1] = self.follows.len() as u32;
        }
        for node in cfg.ids() {
            let range = self.follow_start[node.index()] as usize
                ..self.follow_start[node.index() + 1] as usize;
            for &follow in &self.follows[range] {
                self.owners[follow.index()] = Owner::Selection;
            }
        }
        Ok(())
    }

    fn collect_exits(&mut self, cfg: &Cfg, dominators: &Dominators) {
        // Backwards, as the exits of a subtree are those of the nodes below it. `Exits` has a fixed
        // size, so that this is linear: it only has to say whether an arm leaves by few ways.
        for node in cfg.ids().rev() {
            let mut exits = Exits::default();
            let mut add = |target: CfgNodeId| {
                if !dominators.dominates(node.0, target.0) {
                    exits.add(target);
                }
            };
            cfg.node(node)
                .successors
                .iter()
                .for_each(|&target| add(target));
            let mut many = false;
            for &child in dominators.children(node.0) {
                let inner = self.exits[child as usize];
                many |= inner.many;
                inner.targets().iter().for_each(|&target| add(target));
            }
            exits.many |= many;
            self.exits[node.index()] = exits;
            if node != CfgNodeId(0) {
                let count = self.dominated[node.index()];
                self.dominated[dominators.idom(node.0) as usize] += count;
            }
        }
    }
}
