//! Undoes the compiler's loop rotation: the test moves from the end of the loop to its head.
//!
//! LLVM makes `if (a) do { .. } while (b);` of `while (a) { .. }`, where b is what a is for the
//! next round. DXC's own SPIR-V keeps the source's form, and drivers that run loops under lane
//! masks have less work with it: one mask instead of two, and the test shares what it computes with
//! the body.
//!
//! ```text
//!   G: if g P J                         G: -> H
//!   P: -> L                             H: x = phi(x0 from G, x1 from T); if c(x) L J
//!   L: x = phi(x0 from P, x1 from T)    L: ..
//!   T: if c(x1) L X             =>      T: -> H
//!   X: -> J                             J: (phis of values from G and T become phis of H)
//!   J: ..
//! ```
//!
//! It is done where the condition is cheap and free of effects, needs nothing of a round but what
//! goes into the next one, and where it is proven (`condition`) that with the values of the first
//! round it says what the guard says. In a loop that counts (`counted`) the guard's condition is
//! the test, since the one at the end may be simpler. No code is executed that was not before: the
//! condition is evaluated as often as guard and latch were.
//!
//! Needs: a graph fresh from its function. Gives: one in reverse postorder. Keeps: every block that
//! holds code, and where threads meet again: those that skip the loop waited for the others at J
//! before, too.

use cranelift_entity::EntityRef;
use dxil_frontend::ir::{FuncView, InstId, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};

use super::{Cfg, CfgNodeId, CfgPhi, Exit, Node, Use};
use crate::cfg::{Operand, PhiResult};

mod condition;
mod counted;
mod rotated;
mod rounds;
#[cfg(test)]
mod tests;

use rotated::{Rotated, Test};

/// Maximum number of blocks of a loop: each loop is walked once, and so is every loop around it.
const MAX_BLOCKS: usize = 64;
/// Maximum number of instructions of the condition that have other uses, and are therefore computed
/// twice.
const MAX_COPIES: usize = 4;

/// Turns loops back that the compiler rotated: the test goes from the end of the loop to its head.
/// The graph is one that [`Cfg::build`] has just made of the function.
pub fn run(cfg: &mut Cfg, view: FuncView<'_>) {
    let goes_back = |id: CfgNodeId| cfg.node(id).predecessors.iter().any(|&from| from >= id);
    if !cfg.ids().any(goes_back) {
        return;
    }
    let mut found: Vec<(Rotated, Test)> = Vec::new();
    for id in cfg.ids() {
        if let Some(rotated) = find(cfg, id)
            && let Some(test) = condition::plan(cfg, view, &rotated)
        {
            found.push((rotated, test));
        }
    }
    if found.is_empty() {
        return;
    }
    // Only now, since most functions have no rotated loop and the count visits every instruction.
    let uses = view.function.count_uses();
    let mut turned = HashSet::default();
    for (rotated, test) in &found {
        let ends = [rotated.guard, rotated.latch];
        // A block may be the latch of a loop and the guard of the next one: then the first of them
        // is turned back.
        if ends.iter().any(|end| turned.contains(end)) {
            continue;
        }
        if let Some(lifted) = lift(view, test, &uses) {
            turn(cfg, rotated, test, lifted);
            turned.extend(ends);
        }
    }
    if !turned.is_empty() {
        finish(cfg);
    }
}

/// Numbers the nodes and sorts the uses again.
fn finish(cfg: &mut Cfg) {
    cfg.renumber();
    // Long runs are in order still, which the stable sort makes use of.
    cfg.uses.sort_by_key(|used| (used.value, used.at));
    cfg.uses.dedup();
}

/// Returns the rotated loop that begins with a node, if there is one.
fn find(cfg: &Cfg, first: CfgNodeId) -> Option<Rotated> {
    let &[a, b] = cfg.node(first).predecessors.as_slice() else {
        return None;
    };
    let (before, latch) = match (a < first, b < first) {
        (true, false) => (a, b),
        (false, true) => (b, a),
        _ => return None,
    };
    // The entry has a way in that is not an edge.
    let is_empty = |id: CfgNodeId| {
        let node = cfg.node(id);
        id != CfgNodeId(0) && node.size == 0 && node.predecessors.len() == 1
    };
    let branch = |node: CfgNodeId, to: CfgNodeId| match cfg.node(node).exit {
        Exit::Branch {
            condition: Operand::Value(condition),
            if_true,
            if_false,
        } if if_true != if_false => {
            let other = if if_true == to { if_false } else { if_true };
            Some(((condition, if_true == to), other))
        }
        _ => None,
    };
    let guard = match cfg.node(before) {
        node @ Node {
            exit: Exit::Jump(_),
            ..
        } if is_empty(before) && node.phis.is_empty() => *node.predecessors.first()?,
        _ => before,
    };
    let entry = if guard == before { first } else { before };
    let (enters, after) = branch(guard, entry)?;
    let (again, left) = branch(latch, first)?;
    let out = match cfg.node(left) {
        Node {
            exit: Exit::Jump(to),
            ..
        } if *to == after && left != after && is_empty(left) => left,
        _ => latch,
    };
    if out == latch && left != after {
        return None;
    }
    let mut inside: HashSet<CfgNodeId> = HashSet::default();
    inside.insert(first);
    let mut work = vec![latch];
    while let Some(node) = work.pop() {
        if !inside.insert(node) {
            continue;
        }
        // A way in past the head leads to a block in front of it.
        if node < first || inside.len() > MAX_BLOCKS {
            return None;
        }
        work.extend(cfg.node(node).predecessors.iter().copied());
    }
    let fits = !inside.contains(&after) && !inside.contains(&guard);
    fits.then_some(Rotated {
        guard,
        before,
        first,
        latch,
        out,
        after,
        inside,
        enters,
        again,
    })
}

/// The code for the header of a loop.
#[derive(Default)]
struct Lifted {
    /// Instructions, and whether they also stay where they were.
    insts: Vec<(InstId, bool)>,
    /// Results of those that do not.
    moved: Vec<ValueId>,
}

/// Returns the instructions of a condition, if few of them are needed elsewhere.
fn lift(view: FuncView<'_>, test: &Test, uses: &[u32]) -> Option<Lifted> {
    let function = view.function;
    let index = |value: ValueId| value.index().wrapping_sub(function.first_value as usize);
    let mut inner: HashMap<ValueId, u32> = HashMap::default();
    inner.insert(test.condition, 1);
    let mut lifted = Lifted::default();
    // Users come after what they use: backwards, whether all users go is known.
    for &inst in test.insts.iter().rev() {
        let data = function.insts.get(inst)?;
        let result = data.result.expand()?;
        let stays = uses.get(index(result)) != inner.get(&result);
        if stays && result == test.condition {
            return None;
        }
        if !stays {
            function.for_each_operand(&data.inst, |value| {
                *inner.entry(value).or_default() += 1;
            });
            lifted.moved.push(result);
        }
        lifted.insts.push((inst, stays));
    }
    let copies = lifted.insts.len() - lifted.moved.len();
    lifted.insts.reverse();
    (copies <= MAX_COPIES).then_some(lifted)
}

/// Puts the new head in front of a loop.
fn turn(cfg: &mut Cfg, rotated: &Rotated, test: &Test, lifted: Lifted) {
    let &Rotated {
        guard,
        before,
        first,
        latch,
        out,
        after,
        ..
    } = rotated;
    let head = CfgNodeId(cfg.nodes.len() as u32);
    let mut phis = std::mem::take(&mut cfg.nodes[first.index()].phis);
    for (from, _) in phis.iter_mut().flat_map(|phi| &mut phi.incoming) {
        if *from == before {
            *from = guard;
        }
    }
    let through = if out == latch {
        Vec::new()
    } else {
        std::mem::take(&mut cfg.nodes[out.index()].phis)
    };
    // A phi of the way out, by its result.
    let inner_of: HashMap<ValueId, Operand> = through
        .iter()
        .rev()
        .filter_map(|inner| match inner.result {
            PhiResult::Value(value) => {
                let operand = inner.incoming.first().map_or(Operand::Undef, |&(_, v)| v);
                Some((value, operand))
            }
            _ => None,
        })
        .collect();
    let mut merges = Merges::of(&phis, guard, latch);
    let mut results = std::mem::take(&mut cfg.nodes[after.index()].phis);
    for phi in &mut results {
        let mut take = |from: CfgNodeId| {
            let position = phi.incoming.iter().position(|&(block, _)| block == from);
            position.map_or(Operand::Undef, |at| phi.incoming.swap_remove(at).1)
        };
        let (skipped, left) = (take(guard), take(out));
        let left = match left {
            Operand::Value(value) => inner_of.get(&value).copied().unwrap_or(left),
            _ => left,
        };
        let operand = merges.merged(cfg, &mut phis, skipped, left, phi.result);
        phi.incoming.push((head, operand));
    }
    cfg.nodes[after.index()].phis = results;
    let (if_true, if_false) = if test.again {
        (first, after)
    } else {
        (after, first)
    };
    let exit = Exit::Branch {
        condition: Operand::Value(test.condition),
        if_true,
        if_false,
    };
    note_values(cfg, (head, first), &phis, test, &lifted.moved);
    cfg.nodes.push(Node {
        size: lifted.insts.len() as u32,
        pinned: true,
        phis,
        renames: test.renames.clone(),
        lifted: lifted.insts,
        ..Node::routing(cfg.node(first).layout, exit)
    });
    for end in [guard, latch] {
        cfg.nodes[end.index()].exit = Exit::Jump(head);
    }
}

/// The phis of a new head, by what comes from the guard and from the latch.
struct Merges {
    guard: CfgNodeId,
    latch: CfgNodeId,
    known: HashMap<(Operand, Operand), PhiResult>,
}

impl Merges {
    fn of(phis: &[CfgPhi], guard: CfgNodeId, latch: CfgNodeId) -> Self {
        let mut known = HashMap::default();
        for phi in phis {
            let from = |node: CfgNodeId| {
                let way = phi.incoming.iter().find(|(from, _)| *from == node);
                way.map(|&(_, operand)| operand)
            };
            if let (Some(skipped), Some(left)) = (from(guard), from(latch)) {
                known.entry((skipped, left)).or_insert(phi.result);
            }
        }
        Merges {
            guard,
            latch,
            known,
        }
    }

    /// Returns the merged value of those from the guard and from the latch: a phi of the new head,
    /// an existing one if possible.
    fn merged(
        &mut self,
        cfg: &mut Cfg,
        phis: &mut Vec<CfgPhi>,
        skipped: Operand,
        left: Operand,
        like: PhiResult,
    ) -> Operand {
        if skipped == left {
            return skipped;
        }
        if let Some(known) = self.known.get(&(skipped, left)) {
            return match *known {
                PhiResult::Value(value) => Operand::Value(value),
                PhiResult::SyntheticLike(id, _)
                | PhiResult::SyntheticSelector(id)
                | PhiResult::SyntheticBool(id) => Operand::Synthetic(id),
            };
        }
        let id = cfg.fresh_synthetic();
        let result = match like {
            PhiResult::Value(value) | PhiResult::SyntheticLike(_, value) => {
                PhiResult::SyntheticLike(id, value)
            }
            PhiResult::SyntheticSelector(_) => PhiResult::SyntheticSelector(id),
            PhiResult::SyntheticBool(_) => PhiResult::SyntheticBool(id),
        };
        self.known.insert((skipped, left), result);
        let incoming = vec![(self.guard, skipped), (self.latch, left)];
        phis.push(CfgPhi { result, incoming });
        Operand::Synthetic(id)
    }
}

/// Records where values are defined and used now.
fn note_values(
    cfg: &mut Cfg,
    (head, first): (CfgNodeId, CfgNodeId),
    phis: &[CfgPhi],
    test: &Test,
    moved: &[ValueId],
) {
    let define = |cfg: &mut Cfg, value: ValueId| {
        if cfg.definition(value).is_some() {
            cfg.definitions.set(value, head.0);
        }
    };
    for &value in moved {
        define(cfg, value);
    }
    for phi in phis {
        if let PhiResult::Value(value) = phi.result {
            define(cfg, value);
            cfg.uses.push(Use { value, at: first });
        }
    }
    let outer = test.outer.iter().copied();
    cfg.uses.extend(outer.map(|value| Use { value, at: head }));
}
