//! The structurizer keeps behaviour and follows SPIR-V's rules, on random graphs and on all small
//! ones.

#![allow(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod emit;
mod growth;
mod shaders;
mod shapes;

use dxil_translate::cfg::{Cfg, Exit};
use dxil_translate::structurize::{self, LoopHint, Merge, SelectionHint};
use dxil_validator::{Environment, Rules, validate_all};

use dxil_translate::oracle::graphs::{
    Graph, Random, describe, each_small_graph, mix, random_graph, with_values,
};
use dxil_translate::oracle::structurize as check;

/// Checks many graphs, on all processors; reports the smallest graph that fails.
fn check_random(seed: u64, count: u64, maximum: u64) {
    let threads = std::thread::available_parallelism().map_or(2, usize::from) as u64;
    let failures: Vec<(usize, String)> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    let mut worst: Option<(usize, String)> = None;
                    for index in (thread..count).step_by(threads as usize) {
                        let mut random = Random::new(mix(seed ^ mix(index)));
                        let graph = random_graph(&mut random, maximum);
                        let size = graph.cfg.nodes.len();
                        if worst
                            .as_ref()
                            .is_some_and(|(smallest, _)| *smallest <= size)
                        {
                            continue;
                        }
                        if let Err(report) = check(&graph, 6) {
                            worst = Some((size, format!("seed {seed}, graph {index}: {report}")));
                        }
                    }
                    worst
                })
            })
            .collect();
        running
            .into_iter()
            .filter_map(|handle| handle.join().unwrap())
            .collect()
    });
    if let Some((_, report)) = failures.into_iter().min_by_key(|(size, _)| *size) {
        panic!("{report}");
    }
}

#[test]
fn random_graphs_behave_the_same_when_structured() {
    check_random(1, 80_000, 12);
    check_random(2, 20_000, 40);
}

/// `DXIL_JIT_TEST_SEED` chooses other graphs than those that every run of the tests sees.
#[test]
fn random_graphs_of_any_seed_behave_the_same() {
    let seed = match std::env::var("DXIL_JIT_TEST_SEED") {
        Ok(text) => text.parse().expect("DXIL_JIT_TEST_SEED is a number"),
        Err(_) => 3,
    };
    check_random(seed, 20_000, 16);
}

#[test]
fn all_graphs_of_up_to_four_blocks_behave_the_same() {
    let threads = std::thread::available_parallelism().map_or(2, usize::from) as u64;
    let checked: u64 = std::thread::scope(|scope| {
        let check_share = |thread: u64| {
            let (mut number, mut checked) = (0, 0);
            for count in 1..=4 {
                each_small_graph(count, |cfg, seed| {
                    number += 1;
                    if number % threads != thread {
                        return;
                    }
                    let graph = with_values(cfg.clone(), &mut Random::new(seed));
                    if let Err(report) = check(&graph, 4) {
                        panic!("{report}");
                    }
                    checked += 1;
                });
            }
            checked
        };
        let running: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(move || check_share(thread)))
            .collect();
        running
            .into_iter()
            .map(|handle| handle.join().unwrap())
            .sum()
    });
    println!("{checked} graphs");
    assert!(checked > 10_000, "only {checked} graphs");
}

/// Returns `if (a) { if (b) { ... } }` to a depth at which SPIR-V gives up.
fn nest(depth: u32) -> String {
    let mut text = String::new();
    for index in 0..depth {
        text.push_str(&format!(
            "b{index}: b{} b{}; ",
            index + 1,
            2 * depth - index
        ));
    }
    text.push_str(&format!("b{depth}: b{}; ", depth + 1));
    for index in 1..depth {
        text.push_str(&format!("b{}: b{}; ", depth + index, depth + index + 1));
    }
    text.push_str(&format!("b{}: ret", 2 * depth));
    text
}

/// Depth of `nest` that is kept.
const DEEPEST: u32 = 256;

#[test]
fn deep_nesting_takes_little_stack() {
    // Ifs, and loops around the same.
    let loops = |depth: u32| {
        let mut text = String::new();
        for index in 0..depth {
            text.push_str(&format!("b{index}: b{}; ", index + 1));
        }
        for index in 0..depth {
            let header = depth - 1 - index;
            let next = depth + index + 1;
            text.push_str(&format!("b{}: b{header} b{next}; ", depth + index));
        }
        text.push_str(&format!("b{}: ret", 2 * depth));
        text
    };
    let work = move || {
        for text in [nest(DEEPEST), nest(1000), loops(DEEPEST), loops(1000)] {
            structurize::run(Cfg::parse(&text).unwrap()).unwrap();
        }
    };
    let thread = std::thread::Builder::new().stack_size(512 << 10);
    thread.spawn(work).unwrap().join().unwrap();
}

#[test]
fn deep_nesting_is_kept_to_a_limit_and_dispatched_beyond_it() {
    for (depth, dispatchers) in [(250, 0), (DEEPEST, 0), (DEEPEST + 10, 1), (1500, 1)] {
        let graph = with_values(Cfg::parse(&nest(depth)).unwrap(), &mut Random::new(7));
        let statistics = check(&graph, 4).unwrap_or_else(|report| panic!("{depth}: {report}"));
        assert_eq!(statistics.dispatchers, dispatchers, "depth {depth}");
    }
}

#[test]
fn small_irreducible_regions_are_split_and_large_ones_dispatched() {
    // Two blocks that jump to each other, entered at both, the second with `extra` blocks after
    // it.
    let region = |extra: u32| {
        let last = 3 + extra;
        let mut text = String::from("b0: b1 b2; b1: b2 b3; b2: ");
        text.push_str(if extra == 0 { "b1; " } else { "b4; " });
        text.push_str("b3: ret; ");
        for index in 4..=last {
            let next = if index == last { 1 } else { index + 1 };
            text.push_str(&format!("b{index}: b{next} b3; "));
        }
        text
    };
    for (extra, dispatchers, duplicated_blocks) in [(0, 0, 1), (2, 0, 1), (9, 0, 1)] {
        let graph = with_values(Cfg::parse(&region(extra)).unwrap(), &mut Random::new(5));
        let statistics = check(&graph, 20).unwrap_or_else(|report| panic!("{extra}: {report}"));
        assert_eq!(statistics.dispatchers, dispatchers, "{extra}");
        assert_eq!(statistics.duplicated_blocks, duplicated_blocks, "{extra}");
    }
    // Whatever is the header, more blocks lie after the other entry than may be copied.
    let text = "b0: b1 b6; b1: b2; b2: b3; b3: b4; b4: b5; b5: b6 b11; b6: b7; b7: b8; b8: b9; b9: b10; \
                b10: b1 b11; b11: ret";
    let graph = with_values(Cfg::parse(text).unwrap(), &mut Random::new(5));
    let statistics = check(&graph, 20).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(
        (statistics.dispatchers, statistics.duplicated_blocks),
        (1, 0)
    );
    // What must not be copied is not.
    let mut graph = with_values(Cfg::parse(&region(0)).unwrap(), &mut Random::new(5));
    for node in &mut graph.cfg.nodes {
        node.pinned = true;
    }
    let statistics = check(&graph, 20).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(
        (statistics.dispatchers, statistics.duplicated_blocks),
        (1, 0)
    );
}

#[test]
fn hints_survive() {
    for (selection, looped) in [
        (SelectionHint::Branch, LoopHint::Unroll),
        (SelectionHint::Flatten, LoopHint::DontUnroll),
    ] {
        let text = "b0: b1 b2; b1: b2; b2: b3; b3: b4 b5; b4: b3; b5: switch b8 b6 b7; b6: b8; b7: b8; b8: ret";
        let mut cfg = Cfg::parse(text).unwrap();
        cfg.renumber();
        for id in cfg.ids() {
            let goes_back = cfg.node(id).successors.iter().any(|&to| to <= id);
            let node = &mut cfg.nodes[id.index()];
            match node.exit {
                Exit::Jump(_) if goes_back => node.loop_hint = looped,
                Exit::Branch { .. } | Exit::Switch { .. } => node.selection_hint = selection,
                _ => {}
            }
        }
        let form = structurize::run(cfg).unwrap();
        let mut selections = 0;
        let mut loops = 0;
        for block in &form.blocks {
            match block.merge {
                Merge::Selection { hint, .. } => {
                    assert_eq!(hint, selection);
                    selections += 1;
                }
                Merge::Loop { hint, .. } => {
                    assert_eq!(hint, looped);
                    loops += 1;
                }
                Merge::None => {}
            }
        }
        assert_eq!((selections, loops), (2, 1));
    }
}

#[test]
fn odd_shapes_behave_the_same() {
    for text in [
        "b0: b0",
        "b0: b0 b1; b1: ret",
        "b0: unreachable",
        "b0: b1 b1; b1: ret",
        "b0: switch b1; b1: ret",
        "b0: switch b1 b1 b1; b1: ret",
        "b0: switch b3 b1 b2 b1 b2; b1: b2; b2: b3; b3: ret",
        "b0: b1; b1: switch b2 b1 b3 b4; b2: b1; b3: b4; b4: ret",
        "b0: b1; b1: b2; b2: b1 b3; b3: b1 b2",
        "b0: b1 b2; b1: b2 b3; b2: b1 b3; b3: ret",
        "b0: b1 b2; b1: b1 b2; b2: b2 b1",
        "b0: b2; b1: b0; b2: ret",
        "b0: b1; b1: b2 b3; b2: b1 b4; b3: b1 b4; b4: b0 b5; b5: ret",
    ] {
        for seed in 0..20 {
            let graph = with_values(Cfg::parse(text).unwrap(), &mut Random::new(seed));
            check(&graph, 8).unwrap_or_else(|report| panic!("{text}: {report}"));
        }
    }
}

#[test]
fn a_phi_that_misses_a_predecessor_is_malformed() {
    let mut random = Random::new(3);
    let mut graph = with_values(
        Cfg::parse("b0: b1 b2; b1: b3; b2: b3; b3: ret").unwrap(),
        &mut random,
    );
    while graph.cfg.nodes[3].phis.is_empty() {
        graph = with_values(
            Cfg::parse("b0: b1 b2; b1: b3; b2: b3; b3: ret").unwrap(),
            &mut random,
        );
    }
    graph.cfg.nodes[3].phis[0].incoming.pop();
    assert!(matches!(graph.cfg.nodes[3].exit, Exit::Return(_)));
    let error = structurize::run(graph.cfg).unwrap_err();
    assert_eq!(error.category(), dxil_translate::Category::Malformed);
}

/// Validates graphs as the functions of one module each hundred; gives a report for the smallest
/// that fails.
fn check_validity(graphs: &[Graph]) {
    let structured: Vec<_> = graphs
        .iter()
        .map(|graph| structurize::run(graph.cfg.clone()).unwrap())
        .collect();
    let targets = [(Environment::Vulkan1_1, 3), (Environment::Vulkan1_3, 6)];
    let module = |range: std::ops::Range<usize>, minor: u32| {
        let mut module = emit::Module::new();
        for index in range {
            module.add(&graphs[index], &structured[index]);
        }
        module.words(minor)
    };
    for (environment, minor) in targets {
        let rules = Rules::strict(environment);
        let starts: Vec<usize> = (0..graphs.len()).step_by(100).collect();
        let end = |start: usize| (start + 100).min(graphs.len());
        let modules: Vec<Vec<u32>> = starts
            .iter()
            .map(|&start| module(start..end(start), minor))
            .collect();
        let jobs: Vec<(&[u32], Rules)> = modules.iter().map(|m| (m.as_slice(), rules)).collect();
        for (&start, answer) in starts.iter().zip(validate_all(&jobs)) {
            let Err(all) = answer else { continue };
            // Which function was it?
            let mut indices: Vec<usize> = (start..end(start)).collect();
            indices.sort_by_key(|&index| graphs[index].cfg.nodes.len());
            for index in indices {
                let words = module(index..index + 1, minor);
                if let Err(failure) = dxil_validator::validate(&words, rules) {
                    panic!(
                        "graph {index}, {environment:?}: {failure}\n{}\n{}",
                        describe(&graphs[index].cfg),
                        dxil_validator::disassemble(&words).unwrap()
                    );
                }
            }
            panic!("{environment:?}: {all}, but not one function alone");
        }
    }
}

#[test]
fn random_graphs_become_valid_spirv() {
    let graphs: Vec<Graph> = (0..3000)
        .map(|index| random_graph(&mut Random::new(mix(index)), 6 + index % 30))
        .collect();
    check_validity(&graphs);
}

#[test]
fn small_graphs_become_valid_spirv() {
    let mut graphs = Vec::new();
    for count in 1..=4 {
        each_small_graph(count, |cfg, seed| {
            if count < 4 || seed % 16 == 0 {
                graphs.push(with_values(cfg.clone(), &mut Random::new(seed)));
            }
        });
    }
    assert!(graphs.len() > 2_000, "only {} graphs", graphs.len());
    check_validity(&graphs);
}

#[test]
fn deep_nesting_becomes_valid_spirv() {
    let graphs = [250, 400].map(|depth| {
        with_values(
            Cfg::parse(&nest(depth)).unwrap(),
            &mut Random::new(u64::from(depth)),
        )
    });
    check_validity(&graphs);
}
