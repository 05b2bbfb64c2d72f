//! Graphs whose control flow grows with a number: families that compilers generate when they unroll
//! and inline, and families that make a translator run out of time or memory.
//!
//! Every graph gets values as [`super::graphs`] has them, so that both forms can be run and
//! compared. A graph is made in time linear in its size.

use dxil_frontend::ir::{BlockId, ValueId};

use super::graphs::{CONSTANTS, Graph, Random, computed, phi_value};
use crate::cfg::{Cfg, CfgNodeId, CfgPhi, Exit, Node, Use};
use crate::structurize::{Operand, PhiResult};

/// A family of graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GraphFamily {
    /// `if (a) goto end; if (b) goto end; ..`, as of an unrolled loop with a break.
    Ladder,
    /// The same, with work on each way to the end.
    LadderWithWork,
    /// A loop with that many breaks, each with its own work, laid out after the loop.
    Breaks,
    /// Early returns, each with its own work.
    Returns,
    /// `if` in `if`, each with its own merge block.
    NestedIfs,
    /// Loops in loops.
    NestedLoops,
    /// Loops beside each other, each with a `break` and a `continue`.
    LoopsInARow,
    /// Loops in loops, and from the middle an edge to the end of each.
    ExitsFromNestedLoops,
    /// Back edges from every block to every header of a nest.
    SharedBackEdges,
    /// Joins that each skip one: every block goes to the next and the one after it.
    Crossings,
    /// A switch with that many targets.
    Switch,
    /// The same, each case falling through to the next.
    FallThrough,
    /// One node whose construct has that many joins after it.
    Joins,
    /// Pairs of blocks that jump to each other, entered at both.
    Irreducible,
    /// Cycles with two entries, one inside of the other.
    NestedIrreducible,
    /// Blocks that hold nothing but phis, one after the other.
    EmptyJoins,
    /// A switch in a switch, and a `continue` of the loop around them in the innermost one.
    NestedSwitches,
    /// Anything, by seed: number of targets, how far they are, how many go back or to a few blocks
    /// that all share.
    Random(u64),
}

/// All families with a name.
pub const GRAPH_FAMILIES: [GraphFamily; 17] = [
    GraphFamily::Ladder,
    GraphFamily::LadderWithWork,
    GraphFamily::Breaks,
    GraphFamily::Returns,
    GraphFamily::NestedIfs,
    GraphFamily::NestedLoops,
    GraphFamily::LoopsInARow,
    GraphFamily::ExitsFromNestedLoops,
    GraphFamily::SharedBackEdges,
    GraphFamily::Crossings,
    GraphFamily::Switch,
    GraphFamily::FallThrough,
    GraphFamily::Joins,
    GraphFamily::Irreducible,
    GraphFamily::NestedIrreducible,
    GraphFamily::EmptyJoins,
    GraphFamily::NestedSwitches,
];

/// The condition of all branches, until values are given.
const CONDITION: Operand = Operand::Bool(true);

fn jump(to: u32) -> Exit {
    Exit::Jump(CfgNodeId(to))
}

fn branch(if_true: u32, if_false: u32) -> Exit {
    Exit::Branch {
        condition: CONDITION,
        if_true: CfgNodeId(if_true),
        if_false: CfgNodeId(if_false),
    }
}

fn switch(default: u32, targets: impl IntoIterator<Item = u32>) -> Exit {
    Exit::Switch {
        selector: CONDITION,
        default: CfgNodeId(default),
        cases: (0..).zip(targets.into_iter().map(CfgNodeId)).collect(),
    }
}

/// Returns a graph of a family; it has about `4 * n` blocks at most.
pub fn graph_of(family: GraphFamily, n: u32) -> Graph {
    let mut empty = Vec::new();
    let exits: Vec<Exit> = match family {
        GraphFamily::Ladder => (0..n)
            .map(|i| branch(n, i + 1))
            .chain([Exit::Return(None)])
            .collect(),
        GraphFamily::LadderWithWork => {
            let tests = (0..n).map(|i| branch(n + i, if i + 1 < n { i + 1 } else { 2 * n }));
            let work = (0..n).map(|_| jump(2 * n));
            tests.chain(work).chain([Exit::Return(None)]).collect()
        }
        GraphFamily::Breaks => {
            // 0 entry, 1 to n the loop, then the work, then the end.
            let tests = (1..=n).map(|i| branch(n + i, if i < n { i + 1 } else { 1 }));
            let work = (1..=n).map(|_| jump(2 * n + 1));
            let all = [jump(1)].into_iter().chain(tests).chain(work);
            all.chain([Exit::Return(None)]).collect()
        }
        GraphFamily::Returns => {
            let tests = (0..n).map(|i| branch(n + i, if i + 1 < n { i + 1 } else { 2 * n }));
            let work = (0..n).map(|_| jump(2 * n));
            empty.push(2 * n);
            tests.chain(work).chain([Exit::Return(None)]).collect()
        }
        GraphFamily::NestedIfs => {
            let heads = (0..n).map(|i| branch(i + 1, 2 * n - i));
            let joins = (n..2 * n).map(|i| jump(i + 1));
            heads.chain(joins).chain([Exit::Return(None)]).collect()
        }
        GraphFamily::NestedLoops => {
            let heads = (0..=n).map(|i| jump(i + 1));
            let latches = (0..n).map(|i| branch(n - i, n + 2 + i));
            heads.chain(latches).chain([Exit::Return(None)]).collect()
        }
        GraphFamily::LoopsInARow => {
            let loops = (0..n).flat_map(|i| {
                let head = 4 * i + 1;
                [
                    branch(head + 1, head + 4),
                    branch(head + 4, head + 2),
                    branch(head + 3, head + 3),
                    jump(head),
                ]
            });
            let all = [jump(1)].into_iter().chain(loops);
            all.chain([Exit::Return(None)]).collect()
        }
        GraphFamily::ExitsFromNestedLoops => {
            // Headers 1 to n, the middle, latches, and the joins after the loops.
            let heads = (0..=n).map(|i| jump(i + 1));
            let middle = switch(n + 2, (0..n).map(|i| 2 * n + 2 + i));
            let latches = (0..n).map(|i| branch(n - i, 2 * n + 2 + i));
            let ends = (0..n).map(|i| jump(if i + 1 < n { n + 3 + i } else { 3 * n + 2 }));
            let heads = heads.take(n as usize + 1);
            let all = heads.chain([middle]).chain(latches).chain(ends);
            all.chain([Exit::Return(None)]).collect()
        }
        GraphFamily::SharedBackEdges => {
            let heads = (0..n).map(|i| branch(i + 1, n));
            let back = (0..n).map(|i| branch(i.max(1), n + 1 + i));
            heads.chain(back).chain([Exit::Return(None)]).collect()
        }
        GraphFamily::Crossings => {
            let steps = (0..n).map(|i| branch(i + 1, (i + 2).min(n)));
            steps.chain([Exit::Return(None)]).collect()
        }
        GraphFamily::Switch => {
            let cases = (0..n).map(|_| jump(n + 1));
            let all = [switch(n + 1, 1..=n)].into_iter().chain(cases);
            all.chain([Exit::Return(None)]).collect()
        }
        GraphFamily::FallThrough => {
            let cases = (1..=n).map(|i| jump(i + 1));
            let all = [switch(n + 1, 1..=n)].into_iter().chain(cases);
            all.chain([Exit::Return(None)]).collect()
        }
        GraphFamily::Joins => {
            // The first tests decide where to go, by two ways to each.
            let tests = (0..n).map(|i| branch(n + i, if i + 1 < n { i + 1 } else { n }));
            let joins = (0..n).map(|i| branch((n + i + 1).min(2 * n), (n + 2 * i).min(2 * n)));
            tests.chain(joins).chain([Exit::Return(None)]).collect()
        }
        GraphFamily::Irreducible => {
            let pairs = (0..n).flat_map(|i| {
                let at = 3 * i;
                [
                    branch(at + 1, at + 2),
                    branch(at + 2, at + 3),
                    branch(at + 1, at + 3),
                ]
            });
            pairs.chain([Exit::Return(None)]).collect()
        }
        GraphFamily::NestedIrreducible => {
            let down = (0..n).map(|i| branch(i + 1, 2 * n - i));
            let up = (0..n).map(|i| branch(n + i + 1, n - i));
            down.chain([branch(n + 1, n - 1)])
                .chain(up.skip(1))
                .chain([Exit::Return(None)])
                .collect()
        }
        GraphFamily::EmptyJoins => {
            let tests = (0..n).map(|i| branch(if i + 1 < n { i + 1 } else { n }, n + i));
            let joins = (0..n).map(|i| jump(n + i + 1));
            empty.extend(n..2 * n);
            tests.chain(joins).chain([Exit::Return(None)]).collect()
        }
        GraphFamily::NestedSwitches => {
            // 0 entry, 1 header, switches from 2 on, the innermost case, their joins, the latch,
            // the end.
            let (last, latch) = (n + 2, 2 * n + 3);
            let switches = (0..n).map(|i| switch(latch - 1 - i, [3 + i, latch - 1 - i, latch]));
            let case = branch(latch, last + 1);
            let joins = (0..n).map(|i| jump(last + 2 + i));
            let all = [jump(1), branch(2, latch + 1)]
                .into_iter()
                .chain(switches)
                .chain([case]);
            all.chain(joins)
                .chain([jump(1), Exit::Return(None)])
                .collect()
        }
        GraphFamily::Random(seed) => random_exits(&mut Random::new(seed), n.max(2)),
    };
    let mut cfg = Cfg::default();
    for (index, exit) in (0..).zip(exits) {
        let mut node = Node::routing(index, exit);
        node.size = 1;
        cfg.nodes.push(node);
    }
    for index in empty {
        cfg.nodes[index as usize].size = 0;
    }
    with_values(cfg)
}

/// Exits of a random graph: what is likely follows from the seed.
fn random_exits(random: &mut Random, n: u32) -> Vec<Exit> {
    let branches = random.below(100);
    let switches = random.below(12);
    let back = [0, 2, 10, 40][random.below(4) as usize];
    let shared = [0, 5, 30, 90][random.below(4) as usize];
    let reach = [2, 8, 64, u64::from(n)][random.below(4) as usize];
    let hubs: Vec<u32> = (0..1 + random.below(4))
        .map(|_| random.below(u64::from(n)) as u32)
        .collect();
    let mut exits = Vec::with_capacity(n as usize);
    for index in 0..n {
        let target = |random: &mut Random| {
            let to = if random.chance(shared) {
                hubs[random.below(hubs.len() as u64) as usize]
            } else if random.chance(back) {
                index.saturating_sub(random.below(reach) as u32)
            } else {
                index.saturating_add(1 + random.below(reach) as u32)
            };
            to.min(n - 1)
        };
        exits.push(if index + 1 == n {
            Exit::Return(None)
        } else if random.chance(switches) {
            let targets: Vec<u32> = (0..1 + random.below(12)).map(|_| target(random)).collect();
            switch(target(random), targets)
        } else if random.chance(branches) {
            // One edge forward, so that much of the graph is reached.
            branch(index + 1, target(random))
        } else {
            jump(if random.chance(98) {
                index + 1
            } else {
                target(random)
            })
        });
    }
    exits
}

/// Gives a graph phis, values and uses, in time linear in its size: each node uses what the one
/// that dominates it computes, and a phi has a value of each predecessor.
pub fn with_values(mut cfg: Cfg) -> Graph {
    cfg.renumber();
    let dominators = cfg.dominators();
    let constant = |number: u32| ValueId::from_u32(number % CONSTANTS);
    let of = |cfg: &Cfg, node: CfgNodeId| match cfg.node(node).size {
        0 => constant(node.0),
        _ => computed(node),
    };
    let mut looks_at = vec![Vec::new(); cfg.nodes.len()];
    let mut definitions = Vec::new();
    for id in cfg.ids() {
        let above = CfgNodeId(dominators.idom(id.0));
        let (seen, own) = (of(&cfg, above), of(&cfg, id));
        let is_join = cfg.node(id).predecessors.len() > 1 && id != CfgNodeId(0);
        let predecessors = cfg.node(id).predecessors.clone();
        let incoming = |node: fn(&Cfg, CfgNodeId) -> Operand| {
            predecessors
                .iter()
                .map(|&from| (from, node(&cfg, from)))
                .collect()
        };
        let phi = is_join.then(|| CfgPhi {
            result: PhiResult::Value(phi_value(id, 0)),
            incoming: incoming(|cfg, from| {
                Operand::Value(match cfg.node(from).size {
                    0 => ValueId::from_u32(from.0 % CONSTANTS),
                    _ => computed(from),
                })
            }),
        });
        let mut decides = own;
        let mut visible = Vec::new();
        if let Some(phi) = phi {
            visible.push(phi_value(id, 0));
            decides = phi_value(id, 0);
            cfg.nodes[id.index()].phis.push(phi);
        }
        if above != id && cfg.node(id).size > 0 {
            visible.push(seen);
            if seen.as_u32() >= CONSTANTS {
                cfg.uses.push(Use {
                    value: seen,
                    at: id,
                });
            }
        }
        looks_at[id.index()] = visible;
        let node = &mut cfg.nodes[id.index()];
        match &mut node.exit {
            Exit::Branch { condition: to, .. } | Exit::Switch { selector: to, .. } => {
                *to = Operand::Value(decides);
            }
            Exit::Return(value) if is_join && node.size > 0 => *value = Some(decides),
            _ => {}
        }
        node.source = Some(BlockId::from_u32(id.0));
        if is_join {
            definitions.push((phi_value(id, 0), id.0));
        }
        if cfg.node(id).size > 0 {
            definitions.push((computed(id), id.0));
        }
    }
    cfg.definitions = definitions.into_iter().collect();
    cfg.uses.sort_unstable_by_key(|used| (used.value, used.at));
    Graph { cfg, looks_at }
}
