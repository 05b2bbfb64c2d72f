//! Graphs for tests and fuzzing: random ones, and all small ones.
//!
//! Every graph gets values: each node of size 1 computes one, nodes have phis, and nodes use values
//! of the nodes that dominate them, so that a structurizer which loses or mixes up values is
//! caught.

use crate::cfg::{Cfg, CfgNodeId, CfgPhi, Exit, Node, Use};
use crate::structurize::{Operand, PhiResult};
use dxil_frontend::ir::{BlockId, ValueId};

/// A random generator with which a seed means the same everywhere.
#[derive(Debug, Clone)]
pub struct Random {
    numbers: fastrand::Rng,
    /// A fuzzer's choices, one byte each, in reverse order. They come before random ones.
    script: Vec<u8>,
}

impl Random {
    /// Returns the generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random {
            numbers: fastrand::Rng::with_seed(seed),
            script: Vec::new(),
        }
    }

    /// Returns a generator of the choices that these bytes encode, and of fixed ones when they are
    /// used up.
    pub fn scripted(bytes: &[u8]) -> Random {
        Random {
            numbers: fastrand::Rng::with_seed(0),
            script: bytes.iter().rev().copied().collect(),
        }
    }

    /// Returns a random number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        match self.script.pop() {
            Some(byte) => u64::from(byte) % bound.max(1),
            None => self.numbers.u64(..bound.max(1)),
        }
    }

    /// Returns true with a probability of `percent` in 100.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// Scrambles a number.
pub fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Returns the value that a node of size 1 computes.
pub fn computed(node: CfgNodeId) -> ValueId {
    ValueId::from_u32(1000 + node.0 * 8)
}

/// Returns the result of a node's phi.
pub fn phi_value(node: CfgNodeId, index: u64) -> ValueId {
    ValueId::from_u32(1001 + node.0 * 8 + index as u32)
}

/// Number of values that are constants: the first ones, which have no definition.
pub const CONSTANTS: u32 = 4;

/// A graph and what its nodes use.
#[derive(Debug, Clone)]
pub struct Graph {
    /// The graph; the source of node n is block n.
    pub cfg: Cfg,
    /// Per node: values that its code looks at.
    pub looks_at: Vec<Vec<ValueId>>,
}

fn node(layout: u32, size: u32, exit: Exit) -> Node {
    Node {
        source: Some(BlockId::from_u32(layout)),
        size,
        ..Node::routing(layout, exit)
    }
}

fn constant(random: &mut Random) -> Operand {
    Operand::Value(ValueId::from_u32(random.below(u64::from(CONSTANTS)) as u32))
}

/// Returns a random graph of up to `max_nodes` blocks.
pub fn random_graph(random: &mut Random, max_nodes: u64) -> Graph {
    let count = 1 + random.below(max_nodes);
    let condition = Operand::Value(ValueId::from_u32(0));
    // Percentage of targets that may be any block.
    let wild = *[0, 5, 20, 100]
        .get(random.below(4) as usize)
        .unwrap_or(&100);
    let returns = 4 + random.below(20);
    let mut cfg = Cfg::default();
    for index in 0..count {
        let target = |random: &mut Random| {
            let to = if random.chance(wild) {
                random.below(count)
            } else if random.chance(12) {
                // Backwards, but not far.
                index.saturating_sub(random.below(5))
            } else {
                (index + 1 + random.below(4)).min(count - 1)
            };
            CfgNodeId(to as u32)
        };
        let exit = if index + 1 == count || random.chance(returns) {
            match random.below(8) {
                0 => Exit::Unreachable,
                1 => Exit::Jump(target(random)),
                _ => Exit::Return(None),
            }
        } else {
            match random.below(10) {
                0..=3 => Exit::Jump(target(random)),
                4..=8 => Exit::Branch {
                    condition,
                    if_true: target(random),
                    if_false: target(random),
                },
                _ => Exit::Switch {
                    selector: condition,
                    default: target(random),
                    cases: (0..random.below(6))
                        .map(|literal| (literal, target(random)))
                        .collect(),
                },
            }
        };
        let size = u32::from(random.chance(70));
        cfg.nodes.push(node(index as u32, size, exit));
    }
    if random.chance(20) {
        // As if the compiler had laid the blocks out in some other order.
        for index in 1..cfg.nodes.len() {
            let other = 1 + random.below(index as u64) as usize;
            let layout = cfg.nodes[index].layout;
            cfg.nodes[index].layout = cfg.nodes[other].layout;
            cfg.nodes[other].layout = layout;
        }
    }
    with_values(cfg, random)
}

/// Returns the dominators of each node as bit sets, by the simplest iterative method.
pub fn dominator_sets(cfg: &Cfg) -> Vec<Vec<bool>> {
    let count = cfg.nodes.len();
    let mut sets = vec![vec![true; count]; count];
    sets[0] = vec![false; count];
    sets[0][0] = true;
    let mut changed = true;
    while changed {
        changed = false;
        for index in 1..count {
            let mut set = vec![true; count];
            for from in &cfg.nodes[index].predecessors {
                for (mine, theirs) in set.iter_mut().zip(&sets[from.index()]) {
                    *mine &= *theirs;
                }
            }
            set[index] = true;
            if set != sets[index] {
                sets[index] = set;
                changed = true;
            }
        }
    }
    sets
}

/// Gives a graph phis, values and uses.
pub fn with_values(mut cfg: Cfg, random: &mut Random) -> Graph {
    cfg.renumber();
    let count = cfg.nodes.len();
    for node in &mut cfg.nodes {
        if matches!(node.exit, Exit::Return(None)) && random.chance(20) {
            node.exit = Exit::Return(Some(ValueId::from_u32(0)));
        }
    }
    // Not by `Dominators`: a fault there must not hide itself in the graphs that test it.
    let sets = dominator_sets(&cfg);
    // Which nodes have phis; a node's values are those it computes and those of its phis.
    let phi_count: Vec<u64> = (0..count)
        .map(|index| match (index, cfg.nodes[index].predecessors.len()) {
            (0, _) | (_, 0) => 0,
            (_, 1) => u64::from(random.chance(10)),
            _ => random.below(3),
        })
        .collect();
    let values_of = |cfg: &Cfg, node: CfgNodeId| {
        let mut values: Vec<ValueId> = (0..phi_count[node.index()])
            .map(|index| phi_value(node, index))
            .collect();
        if cfg.node(node).size > 0 {
            values.push(computed(node));
        }
        values
    };
    let pick = |cfg: &Cfg, at: CfgNodeId, strictly: bool, random: &mut Random| -> Option<ValueId> {
        let above: Vec<usize> = (0..count)
            .filter(|&n| sets[at.index()][n] && !(strictly && n == at.index()))
            .collect();
        let node = *above.get(random.below(above.len() as u64) as usize)?;
        let values = values_of(cfg, CfgNodeId(node as u32));
        values
            .get(random.below(values.len() as u64) as usize)
            .copied()
    };
    let mut uses = Vec::new();
    let mut looks_at = vec![Vec::new(); count];
    for index in 0..count {
        let at = CfgNodeId(index as u32);
        let mut phis = Vec::new();
        for phi in 0..phi_count[index] {
            let incoming = cfg.nodes[index]
                .predecessors
                .iter()
                .map(|&from| {
                    let operand = match pick(&cfg, from, false, random) {
                        Some(value) => Operand::Value(value),
                        None => constant(random),
                    };
                    (from, operand)
                })
                .collect();
            phis.push(CfgPhi {
                result: PhiResult::Value(phi_value(at, phi)),
                incoming,
            });
        }
        let mut wanted = Vec::new();
        if cfg.nodes[index].size > 0 {
            for _ in 0..random.below(3) {
                wanted.extend(pick(&cfg, at, true, random));
            }
        }
        let decision = pick(&cfg, at, false, random);
        let node = &mut cfg.nodes[index];
        match (&mut node.exit, decision) {
            (
                Exit::Branch { condition: to, .. } | Exit::Switch { selector: to, .. },
                Some(value),
            ) => *to = Operand::Value(value),
            (Exit::Return(Some(to)), Some(value)) => *to = value,
            (_, _) => {}
        }
        let own = values_of(&cfg, at);
        let terminator = match cfg.nodes[index].exit {
            Exit::Branch {
                condition: Operand::Value(value),
                ..
            }
            | Exit::Switch {
                selector: Operand::Value(value),
                ..
            }
            | Exit::Return(Some(value)) => Some(value),
            _ => None,
        };
        for value in wanted.iter().copied().chain(terminator) {
            if value.as_u32() >= CONSTANTS && !own.contains(&value) {
                uses.push(Use { value, at });
            }
        }
        looks_at[index] = wanted;
        // A node sees its own phis too.
        looks_at[index].extend((0..phi_count[index]).map(|phi| phi_value(at, phi)));
        cfg.nodes[index].phis = phis;
    }
    uses.sort_unstable_by_key(|used| (used.value, used.at));
    uses.dedup();
    let mut definitions = Vec::new();
    for id in cfg.ids() {
        definitions.extend(values_of(&cfg, id).into_iter().map(|value| (value, id.0)));
    }
    cfg.uses = uses;
    cfg.definitions = definitions.into_iter().collect();
    // From here on blocks are identified by their number.
    for (index, node) in cfg.nodes.iter_mut().enumerate() {
        node.source = Some(BlockId::from_u32(index as u32));
    }
    Graph { cfg, looks_at }
}

/// Visits every graph of exactly `count` blocks, up to renaming: each block returns, jumps,
/// branches to two blocks, or switches over any set of two or more.
pub fn each_small_graph(count: u32, mut visit: impl FnMut(&Cfg, u64)) {
    let condition = Operand::Value(ValueId::from_u32(0));
    let mut exits = vec![Exit::Return(None)];
    for a in 0..count {
        exits.push(Exit::Jump(CfgNodeId(a)));
        for b in (0..count).filter(|&b| b != a) {
            exits.push(Exit::Branch {
                condition,
                if_true: CfgNodeId(a),
                if_false: CfgNodeId(b),
            });
        }
    }
    for set in (0_u32..1 << count).filter(|set| set.count_ones() >= 2) {
        let members: Vec<CfgNodeId> = (0..count)
            .filter(|n| set >> n & 1 == 1)
            .map(CfgNodeId)
            .collect();
        let (default, rest) = match members.split_last() {
            Some((&default, rest)) => (default, rest),
            None => continue,
        };
        exits.push(Exit::Switch {
            selector: condition,
            default,
            cases: rest
                .iter()
                .enumerate()
                .map(|(literal, &to)| (literal as u64, to))
                .collect(),
        });
    }
    let choices = exits.len() as u64;
    for code in 0..choices.pow(count) {
        let mut left = code;
        let picked: Vec<&Exit> = (0..count)
            .map(|_| {
                let exit = &exits[(left % choices) as usize];
                left /= choices;
                exit
            })
            .collect();
        if is_canonical(&picked) {
            let mut cfg = Cfg::default();
            // Some layout, a different one for each graph.
            let turn = mix(code);
            for (index, exit) in picked.iter().enumerate() {
                let layout = match index as u64 {
                    0 => 0,
                    index => mix(turn ^ index) as u32 >> 8 | 1,
                };
                let size = (turn >> index & 3).min(1) as u32;
                let mut node = node(index as u32, size, (*exit).clone());
                node.layout = layout;
                cfg.nodes.push(node);
            }
            visit(&cfg, turn);
        }
    }
}

/// Returns whether every block is reached, and first met (breadth first) in the order of its
/// number.
fn is_canonical(exits: &[&Exit]) -> bool {
    let mut met = 1;
    let mut index = 0;
    while index < met {
        let mut meet = |to: CfgNodeId| {
            let is_new = to.index() == met;
            met += usize::from(is_new);
            to.index() < met
        };
        let in_order = match exits[index] {
            Exit::Jump(to) => meet(*to),
            Exit::Branch {
                if_true, if_false, ..
            } => meet(*if_true) && meet(*if_false),
            Exit::Switch { default, cases, .. } => {
                cases.iter().all(|&(_, to)| meet(to)) && meet(*default)
            }
            Exit::Return(_) | Exit::Unreachable => true,
        };
        if !in_order {
            return false;
        }
        index += 1;
    }
    met == exits.len()
}

/// Returns the graph as text that `Cfg::parse` reads, for messages.
pub fn describe(cfg: &Cfg) -> String {
    let mut text = String::new();
    for (index, node) in cfg.nodes.iter().enumerate() {
        let exit = match &node.exit {
            Exit::Return(None) => "ret".to_owned(),
            Exit::Return(Some(value)) => format!("ret {value}"),
            Exit::Unreachable => "unreachable".to_owned(),
            Exit::Jump(to) => format!("b{}", to.0),
            Exit::Branch {
                condition,
                if_true,
                if_false,
            } => format!("b{} b{} ({condition:?})", if_true.0, if_false.0),
            Exit::Switch {
                selector,
                default,
                cases,
            } => {
                let cases: Vec<String> = cases
                    .iter()
                    .map(|(literal, to)| format!("{literal}->b{}", to.0))
                    .collect();
                format!("switch b{} {} ({selector:?})", default.0, cases.join(" "))
            }
        };
        text.push_str(&format!(
            "b{index}: {exit}; layout {} size {}",
            node.layout, node.size
        ));
        for phi in &node.phis {
            text.push_str(&format!("\n    {:?} <- {:?}", phi.result, phi.incoming));
        }
        text.push('\n');
    }
    for used in &cfg.uses {
        text.push_str(&format!("use of {} in b{}\n", used.value, used.at.0));
    }
    text
}
