//! Random graphs with all rotated loops unrotated, compared with the original graphs.

use super::*;
use crate::oracle::graphs::{Graph, Random, computed, mix, random_graph};
use crate::{Style, structurize};

/// Decisions of a run.
const DECISIONS: u64 = 24;

/// Has guard and latch decide with the same sign about a value that is known everywhere, so that
/// the same sequence of decisions leads both graphs the same way.
fn prepare(cfg: &mut Cfg, rotated: &Rotated) {
    let known = ValueId::from_u32(0);
    for (node, first) in [
        (
            rotated.guard,
            [rotated.before, rotated.first][usize::from(rotated.before == rotated.guard)],
        ),
        (rotated.latch, rotated.first),
    ] {
        let exit = &mut cfg.nodes[node.index()].exit;
        if let Exit::Branch {
            condition,
            if_true,
            if_false,
        } = exit
        {
            *condition = Operand::Value(known);
            if *if_true != first {
                std::mem::swap(if_true, if_false);
            }
        }
    }
}

/// Returns the trace of a run: the blocks with code that it passes, with the values that they read.
fn run(cfg: &Cfg, graph: &Graph, seed: u64) -> Vec<u64> {
    let mut values: HashMap<Operand, u64> = HashMap::default();
    let mut trace = Vec::new();
    let (mut at, mut from) = (CfgNodeId(0), CfgNodeId(0));
    let (mut decisions, mut visits) = (0, 0);
    let read = |values: &HashMap<Operand, u64>, operand: Operand| match operand {
        Operand::Value(value) if value.as_u32() < 8 => u64::from(value.as_u32()),
        operand => values.get(&operand).copied().unwrap_or(u64::MAX),
    };
    while decisions < DECISIONS && visits < 200 {
        visits += 1;
        let node = cfg.node(at);
        let mut new = Vec::new();
        for phi in &node.phis {
            let edge = phi.incoming.iter().find(|(block, _)| *block == from);
            let word = edge.map_or(u64::MAX, |&(_, operand)| read(&values, operand));
            let result = match phi.result {
                PhiResult::Value(value) => Operand::Value(value),
                PhiResult::SyntheticLike(id, _)
                | PhiResult::SyntheticSelector(id)
                | PhiResult::SyntheticBool(id) => Operand::Synthetic(id),
            };
            new.push((result, word));
        }
        values.extend(new);
        if let Some(source) = node.source.filter(|_| node.size > 0) {
            trace.push(u64::from(source.as_u32()));
            for &value in &graph.looks_at[source.index()] {
                trace.push(read(&values, Operand::Value(value)));
            }
            let result = mix(trace.len() as u64);
            values.insert(Operand::Value(computed(CfgNodeId(source.as_u32()))), result);
        }
        let mut decide = || {
            decisions += 1;
            mix(seed ^ mix(decisions))
        };
        from = at;
        at = match &node.exit {
            Exit::Return(value) => {
                let seen = value.map(|value| read(&values, Operand::Value(value)));
                trace.extend(seen);
                return trace;
            }
            Exit::Unreachable => return trace,
            Exit::Jump(to) => *to,
            Exit::Branch {
                if_true, if_false, ..
            } => {
                if decide() & 1 == 1 {
                    *if_true
                } else {
                    *if_false
                }
            }
            Exit::Switch { default, cases, .. } => {
                let choice = decide() % (cases.len() as u64 + 1);
                cases.get(choice as usize).map_or(*default, |&(_, to)| to)
            }
        };
    }
    trace
}

/// Turns back what has the form in one graph, checks the rules of structured control flow, and
/// compares.
fn check(seed: u64, max_nodes: u64) -> usize {
    let graph = random_graph(&mut Random::new(seed), max_nodes);
    let mut before = graph.cfg.clone();
    let mut found: Vec<Rotated> = Vec::new();
    let mut ends = HashSet::default();
    for id in before.ids() {
        if let Some(rotated) = find(&before, id)
            && !ends.contains(&rotated.guard)
            && !ends.contains(&rotated.latch)
        {
            ends.extend([rotated.guard, rotated.latch]);
            found.push(rotated);
        }
    }
    for rotated in &mut found {
        prepare(&mut before, rotated);
        rotated.again = (ValueId::from_u32(0), true);
    }
    before.connect();
    let mut after = before.clone();
    for rotated in &found {
        let test = Test {
            condition: rotated.again.0,
            again: rotated.again.1,
            insts: Vec::new(),
            renames: Vec::new(),
            outer: Vec::new(),
        };
        turn(&mut after, rotated, &test, Lifted::default());
    }
    if found.is_empty() {
        return 0;
    }
    finish(&mut after);
    for style in [Style::Native, Style::Portable] {
        let form =
            structurize::run_with(after.clone(), style.control_flow()).unwrap_or_else(|error| {
                use crate::oracle::graphs::describe;
                panic!(
                    "seed {seed}: {error}\n{}\n{}",
                    describe(&before),
                    describe(&after)
                )
            });
        structurize::verify_for(&form, &after, style.control_flow())
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
    for outcomes in 0..32 {
        let (wanted, given) = (
            run(&before, &graph, outcomes),
            run(&after, &graph, outcomes),
        );
        let common = wanted.len().min(given.len());
        // The number of visited blocks differs, so that one trace may be cut off earlier.
        assert_eq!(wanted[..common], given[..common], "seed {seed}");
        assert!(common > 0 || wanted == given, "seed {seed}");
    }
    found.len()
}

#[test]
fn graphs_with_loops_turned_back_do_the_same() {
    let turned: usize = (0..60_000).map(|seed| check(seed, 12)).sum();
    assert!(turned > 300, "only {turned} loops had the form");
}

#[test]
fn loops_turned_back_in_large_graphs_do_the_same() {
    let turned: usize = (0..2000).map(|seed| check(seed, 120)).sum();
    assert!(turned > 30, "only {turned} loops had the form");
}
