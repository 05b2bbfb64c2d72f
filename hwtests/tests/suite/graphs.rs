//! Random control flow on Vulkan and on the CPU executor: every thread writes which blocks it
//! visits and what it sees there, and that is what the graph says.
//!
//! The threads of the first group go different ways, so that waves diverge; those of the others go
//! one way each. `DXIL_JIT_TEST_SEED` sets the seed of one of the tests, to look at more graphs
//! than those that every run of the tests sees.

use std::fmt::Write;

use dxil_frontend::dxil::{Shader, read_shader};
use dxil_hwtests::graph::{GROUP, Steering, expected, shader_of, steer};
use dxil_hwtests::run::{Failure, job, job_on_cpu};
use dxil_runtime::job::{Job, Outcome, Register};
use dxil_translate::cfg::Cfg;
use dxil_translate::oracle::graphs::{Graph, Random, describe, mix, random_graph, with_values};

const FRAME: &[u8] = include_bytes!("../../shaders/graphs/frame.dxil");

/// Groups per dispatch.
const GROUPS: u32 = 5;

/// Runs a graph on Vulkan and on the CPU; a report if a thread does not do what the graph says.
fn check(graph: &Graph, steering: &Steering) -> Result<Result<(), String>, Failure> {
    let frame = read_shader(FRAME)?;
    let shader = shader_of(&frame, graph, steering).expect("the frame fits");
    let devices: [(&str, Run); 2] = [("Vulkan", job), ("the CPU", job_on_cpu)];
    for (name, run) in devices {
        if let Err(report) = compare(run, &shader, graph, steering)? {
            return Ok(Err(format!("on {name}: {report}")));
        }
    }
    Ok(Ok(()))
}

/// Runs a job on a device.
type Run = fn(&Shader, &Job) -> Result<Outcome, Failure>;

/// Runs the shader of a graph on a device.
fn compare(
    run: Run,
    shader: &Shader,
    graph: &Graph,
    steering: &Steering,
) -> Result<Result<(), String>, Failure> {
    let words = steering.words;
    let mut job = Job::dispatch([GROUPS, 1, 1]);
    let trace = job.bind_buffer(
        Register::uav(0),
        vec![0xcd; (GROUPS * GROUP * words * 4) as usize],
    );
    let outcome = run(shader, &job)?;
    let bytes = outcome.bytes(trace).unwrap_or_default();
    let found: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect();
    let mut wrong = String::new();
    let mut count = 0;
    for (thread, found) in found.chunks_exact(words as usize).enumerate() {
        let mut wanted = expected(graph, steering, thread as u32);
        wanted.resize(words as usize, 0xcdcd_cdcd);
        if wanted != found {
            count += 1;
            let step = wanted.iter().zip(found).take_while(|(a, b)| a == b).count();
            if count <= 3 {
                let range = step.saturating_sub(6)..wanted.len().min(step + 6);
                let _ = writeln!(
                    wrong,
                    "thread {thread} differs from word {step} on: {:x?} became {:x?}",
                    &wanted[range.clone()],
                    &found[range]
                );
            }
        }
    }
    match count {
        0 => Ok(Ok(())),
        _ => Ok(Err(format!("{count} threads are wrong\n{wrong}"))),
    }
}

fn check_random(seed: u64, wanted: u32, maximum: u64) -> Result<(), Failure> {
    let (mut index, mut checked) = (0, 0);
    let mut failures = Vec::new();
    while checked < wanted {
        let graph = random_graph(&mut Random::new(mix(seed ^ mix(index))), maximum);
        index += 1;
        let Some(steering) = steer(&graph) else {
            continue;
        };
        if graph.cfg.nodes.len() < 4 {
            continue;
        }
        checked += 1;
        if let Err(report) = check(&graph, &steering)? {
            let number = index - 1;
            failures.push(format!(
                "seed {seed}, graph {number}: {report}\n{}",
                describe(&graph.cfg)
            ));
        }
    }
    failures.sort_by_key(String::len);
    match failures.first() {
        None => Ok(()),
        Some(report) => Err(Failure::new(format!(
            "{} of {checked} graphs fail; the shortest report:\n{report}",
            failures.len()
        ))),
    }
}

#[test]
fn small_random_graphs_do_on_the_device_what_the_graph_says() -> Result<(), Failure> {
    check_random(11, 60, 9)
}

#[test]
fn larger_random_graphs_do_on_the_device_what_the_graph_says() -> Result<(), Failure> {
    check_random(12, 24, 24)
}

#[test]
fn random_graphs_of_any_seed_do_on_the_device_what_the_graph_says() -> Result<(), Failure> {
    // Seed 3 has lanes of three rounds in two loops at once.
    let seed = match std::env::var("DXIL_JIT_TEST_SEED") {
        Ok(text) => text.parse().expect("DXIL_JIT_TEST_SEED is a number"),
        Err(_) => 3,
    };
    check_random(seed, 24, 14)
}

#[test]
fn typical_shapes_do_on_the_device_what_the_graph_says() -> Result<(), Failure> {
    let folder = dxil_hwtests::data_folder().join("translate/filetests/structurize");
    let mut checked = 0;
    let paths = dxil_checkout::files(&folder, "txt");
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a shape is text");
        let (graph, _) = text.split_once("----\n").unwrap_or((&text, ""));
        let lines = graph.lines().filter(|line| !line.starts_with('#'));
        let cfg = Cfg::parse(&lines.collect::<Vec<_>>().join(";")).expect("a shape is a graph");
        let graph = with_values(cfg, &mut Random::new(5));
        let Some(steering) = steer(&graph) else {
            continue;
        };
        checked += 1;
        if let Err(report) = check(&graph, &steering)? {
            return Err(Failure::new(format!(
                "{}: {report}\n{}",
                path.display(),
                describe(&graph.cfg)
            )));
        }
    }
    assert!(checked >= 40, "only {checked} shapes");
    Ok(())
}
