//! The cost of structuring grows with its input, whatever the shape: counted in steps, blocks and
//! operands, not in time.

use dxil_translate::Style;
use dxil_translate::oracle::families::{GRAPH_FAMILIES, GraphFamily, graph_of};
use dxil_translate::oracle::graphs::{Random, mix, random_graph};
use dxil_translate::oracle::{flatten, structurize as check};
use dxil_translate::structurize::{self, STEPS_PER_PART, StructuredCfg};

/// Steps that the smallest graph has.
const BASE: u64 = 1 << 14;

/// Returns the numbers of phis, and of their operands with loads and stores.
fn count(form: &StructuredCfg) -> (u64, u64) {
    let (mut phis, mut operands) = (0, 0);
    for block in &form.blocks {
        phis += block.phis.len();
        operands += block
            .phis
            .iter()
            .map(|phi| phi.incoming.len())
            .sum::<usize>();
        if let Some(memory) = &block.memory {
            operands += memory.loads.len() + memory.stores.len();
        }
    }
    (phis as u64, operands as u64)
}

#[test]
fn steps_blocks_and_operands_are_linear_in_every_shape() {
    for style in [Style::Native, Style::Portable] {
        for family in GRAPH_FAMILIES
            .into_iter()
            .chain((0..12).map(GraphFamily::Random))
        {
            for n in [100, 200, 400, 800] {
                let graph = graph_of(family, n);
                let (size, blocks) = (structurize::size(&graph.cfg) as u64, graph.cfg.nodes.len());
                let (form, steps) =
                    structurize::run_counted(graph.cfg, style.control_flow()).unwrap();
                let (_, operands) = count(&form);
                let message = format!(
                    "{style:?} {family:?} {n}: {size} parts, {steps} steps, {operands} operands, {} blocks of {blocks}",
                    form.blocks.len()
                );
                // Once to nest it, once to flatten it.
                assert!(steps <= 2 * (STEPS_PER_PART * size + BASE), "{message}");
                assert!(operands <= STEPS_PER_PART * size + BASE, "{message}");
                assert!(form.blocks.len() as u64 <= 3 * size + 8, "{message}");
            }
        }
    }
}

#[test]
fn twice_the_input_takes_at_most_twice_the_steps_once_the_constant_part_is_used_up() {
    for style in [Style::Native, Style::Portable] {
        for family in GRAPH_FAMILIES {
            let per_part = |n: u32| {
                let graph = graph_of(family, n);
                let size = structurize::size(&graph.cfg) as u64;
                let (_, steps) = structurize::run_counted(graph.cfg, style.control_flow()).unwrap();
                steps as f64 / (size + BASE / STEPS_PER_PART) as f64
            };
            let counted = [500, 1000, 2000].map(per_part);
            for step in counted.windows(2) {
                assert!(
                    step[1] <= 1.15 * step[0] || step[1] < 3.0,
                    "{style:?} {family:?}: steps per part grow: {counted:?}"
                );
            }
        }
    }
}

#[test]
fn values_that_many_exits_share_are_merged_once() {
    for n in [32, 256, 2048] {
        for family in [
            GraphFamily::Ladder,
            GraphFamily::LadderWithWork,
            GraphFamily::Breaks,
            GraphFamily::Returns,
        ] {
            let graph = graph_of(family, n);
            let blocks = graph.cfg.nodes.len() as u64;
            let form = structurize::run(graph.cfg).unwrap();
            let (phis, operands) = count(&form);
            let found = (form.blocks.len() as u64, phis, operands);
            assert_eq!(form.statistics.dispatchers, 0, "{family:?} {n}");
            assert!(
                found.0 <= blocks + 4 && phis <= 3 && operands <= u64::from(n) + 8,
                "{family:?} {n}: {found:?}"
            );
        }
    }
}

#[test]
fn every_shape_behaves_the_same_when_structured() {
    for family in GRAPH_FAMILIES {
        for n in [1, 2, 3, 5, 9, 20, 60] {
            let graph = graph_of(family, n);
            check(&graph, 6).unwrap_or_else(|report| panic!("{family:?} {n}: {report}"));
        }
    }
    for seed in 0..600 {
        let graph = graph_of(GraphFamily::Random(mix(seed)), 4 + seed as u32 % 150);
        check(&graph, 4).unwrap_or_else(|report| panic!("random {seed}: {report}"));
    }
}

#[test]
fn random_graphs_behave_the_same_when_flattened() {
    for index in 0..8000 {
        let graph = random_graph(&mut Random::new(mix(index)), 4 + index % 30);
        flatten(&graph, 6).unwrap_or_else(|report| panic!("graph {index}: {report}"));
    }
    for family in GRAPH_FAMILIES {
        for n in [1, 2, 7, 20] {
            let graph = graph_of(family, n);
            flatten(&graph, 6).unwrap_or_else(|report| panic!("{family:?} {n}: {report}"));
        }
    }
}

#[test]
fn large_shapes_take_little_stack() {
    let work = || {
        for family in GRAPH_FAMILIES {
            structurize::run(graph_of(family, 3000).cfg).unwrap();
        }
    };
    let thread = std::thread::Builder::new().stack_size(512 << 10);
    thread.spawn(work).unwrap().join().unwrap();
}
