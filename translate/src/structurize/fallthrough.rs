//! Finds switch cases that fall through: SPIR-V has that, from one case into the next.
//!
//! ```text
//!   switch (s) { case 0: X;          S: switch, merge M: 0 -> X, 1 -> Y
//!                case 1: Y; }        X: -> Y        (X stands right before Y in the list of targets)
//!   M                                Y: -> M
//! ```
//!
//! A join that is a target of the switch is fallen into if all its other predecessors lie in one
//! case, and that case falls into no other one. SPIR-V leaves open where lanes that fell in and
//! lanes that came from the switch meet again, so that a case with operations that look at other
//! lanes stays a join, after the switch.

use dxil_frontend::tables::{HashMap, HashSet};

use crate::cfg::{Cfg, CfgNodeId, Dominators, Exit};

/// The case that a case of a switch falls through to, by switch and case.
pub(super) type Fallthroughs = HashMap<(CfgNodeId, CfgNodeId), CfgNodeId>;

/// Steps up the dominator tree that are taken to find the case of a block. For blocks further away
/// a selector is used.
const MAX_STEPS: u32 = 32;

/// Takes the joins of a switch that one of its cases falls into out of `joins`, and notes them by
/// that case. `pinned` returns whether a node dominates pinned ones, `is_owned` whether it belongs
/// to a loop around the switch.
pub(super) fn find(
    cfg: &Cfg,
    dominators: &Dominators,
    switch: CfgNodeId,
    pinned: &[bool],
    is_owned: impl Fn(CfgNodeId) -> bool,
    joins: &mut Vec<CfgNodeId>,
    fallthroughs: &mut Fallthroughs,
) {
    if !matches!(cfg.node(switch).exit, Exit::Switch { .. }) || joins.len() < 2 {
        return;
    }
    let targets: HashSet<CfgNodeId> = cfg.node(switch).successors.iter().copied().collect();
    let into = |to: CfgNodeId| -> Option<CfgNodeId> {
        let node = cfg.node(to);
        if pinned[to.index()] || !targets.contains(&to) {
            return None;
        }
        let mut case = None;
        for &from in node.predecessors.iter().filter(|&&from| from != switch) {
            // A back edge makes it a loop.
            let this = (from < to).then(|| case_of(dominators, switch, from))??;
            if case.is_some_and(|other| other != this) {
                return None;
            }
            case = Some(this);
        }
        case.filter(|case| targets.contains(case))
    };
    // What comes last is what follows the switch.
    let last = joins.iter().copied().max();
    let mut kept = HashSet::default();
    // In reverse postorder: what falls comes before what it falls to.
    joins.retain(|&to| {
        let case = if Some(to) == last { None } else { into(to) };
        match case {
            // A case branches to at most one other case, and at most one branches to it (SPIR-V
            // specification, 2.11.3). A case that stays a join stands after the switch, and one
            // that belongs to a loop outside of it: nothing in the switch falls from there.
            Some(case)
                if !fallthroughs.contains_key(&(switch, case))
                    && !kept.contains(&case)
                    && !is_owned(case) =>
            {
                fallthroughs.insert((switch, case), to);
                false
            }
            _ => {
                kept.insert(to);
                true
            }
        }
    });
}

/// Returns the child of the switch in the dominator tree that dominates a node.
fn case_of(dominators: &Dominators, switch: CfgNodeId, mut node: CfgNodeId) -> Option<CfgNodeId> {
    for _ in 0..MAX_STEPS {
        let above = CfgNodeId(dominators.idom(node.0));
        if above == switch {
            return Some(node);
        }
        node = above;
    }
    None
}

/// Returns the targets of a switch, each case that another falls into right after that one, and
/// whether there is such a case.
pub(super) fn in_order(
    cfg: &Cfg,
    switch: CfgNodeId,
    fallthroughs: &Fallthroughs,
) -> Vec<(CfgNodeId, bool)> {
    let targets = &cfg.node(switch).successors;
    if fallthroughs.is_empty() {
        return targets.iter().map(|&target| (target, false)).collect();
    }
    let next = |case: CfgNodeId| fallthroughs.get(&(switch, case)).copied();
    let fallen: HashSet<CfgNodeId> = targets.iter().filter_map(|&case| next(case)).collect();
    // A case has to stand right before the one that it falls through to (SPIR-V specification,
    // 2.11.3).
    let mut order = Vec::with_capacity(targets.len());
    for &target in targets.iter().filter(|target| !fallen.contains(target)) {
        let chain = std::iter::successors(Some(target), |&at| next(at));
        order.extend(chain.map(|case| (case, fallen.contains(&case))));
    }
    order
}
