//! Work graphs: nodes are translated one by one, and the runtime executes the graph.

use std::collections::BTreeMap;

use dxil_hwtests::element::{from_bytes, to_bytes};
use dxil_hwtests::run::{Failure, work_graph};
use dxil_hwtests::{Shader, rows, texture};
use dxil_runtime::job::{Dimension, Job};
use dxil_runtime::work_graph::{GraphInput, GraphOutcome};
use dxil_runtime::{Format, Register};

pub(super) fn library(name: &'static str, bytes: &'static [u8]) -> Shader {
    Shader { name, bytes }
}

/// Returns a job with one buffer at `u0`.
pub(super) fn with_uav(words: Vec<u32>) -> Job {
    let mut job = Job::dispatch([1, 1, 1]);
    job.bind_buffer(Register::uav(0), to_bytes(&words));
    job
}

pub(super) fn input(node: &str, words: &[u32], count: u32) -> GraphInput {
    GraphInput {
        node: node.to_owned(),
        index: 0,
        records: to_bytes(words),
        count,
        stride: None,
    }
}

pub(super) fn words(outcome: &GraphOutcome, resource: usize) -> Vec<u32> {
    from_bytes(
        outcome.results.resources[resource]
            .as_deref()
            .unwrap_or_default(),
    )
}

/// Records that nodes got, level by level.
pub(super) fn levels(of: &[&[(&str, u32)]]) -> Vec<BTreeMap<String, u32>> {
    let level = |nodes: &[(&str, u32)]| {
        let named = nodes.iter().map(|&(name, count)| (name.to_owned(), count));
        named.collect()
    };
    of.iter().map(|nodes| level(nodes)).collect()
}

pub(super) fn expect<T: PartialEq + std::fmt::Debug>(
    what: &str,
    got: &T,
    want: &T,
) -> Result<(), Failure> {
    if got == want {
        Ok(())
    } else {
        Err(Failure::new(format!("{what}: {got:?}, not {want:?}")))
    }
}

/// Thread launch: a range is halved until it has four elements, which go to the leaves.
#[test]
fn a_thread_node_recurses() -> Result<(), Failure> {
    let shader = library(
        "nodes/thread_nodes",
        include_bytes!("../../shaders/nodes/thread_nodes.dxil"),
    );
    let outcome = work_graph(
        &shader,
        &with_uav(vec![7; 80]),
        &[input("split", &[0, 64, 70, 73], 2)],
    )?;
    let want = rows(80, |i| match i {
        0..64 | 70..73 => i as u32 * 3,
        _ => 7,
    });
    expect("leaves", &words(&outcome, 0), &want)?;
    let want = levels(&[
        &[("split", 2)],
        &[("split", 2), ("leaf", 3)],
        &[("split", 4)],
        &[("split", 8)],
        &[("split", 16)],
        &[("leaf", 64)],
    ]);
    expect("levels", &outcome.levels, &want)
}

/// With eight levels of recursion a range of 4096 is halved to pieces of 16, of which four elements
/// are kept.
#[test]
fn recursion_ends_at_its_depth() -> Result<(), Failure> {
    let shader = library(
        "nodes/thread_nodes",
        include_bytes!("../../shaders/nodes/thread_nodes.dxil"),
    );
    let outcome = work_graph(
        &shader,
        &with_uav(vec![0; 4096]),
        &[input("split", &[0, 4096], 1)],
    )?;
    let want = rows(4096, |i| match i % 16 {
        0..4 => i as u32 * 3,
        _ => 0,
    });
    expect("leaves", &words(&outcome, 0), &want)?;
    let depth = outcome.levels.len();
    expect("levels", &depth, &10)
}

/// Broadcasting launch with a fixed grid: threads that are on send a record each.
#[test]
fn a_broadcasting_node_sends_records_per_thread() -> Result<(), Failure> {
    let shader = library(
        "nodes/broadcast_grid",
        include_bytes!("../../shaders/nodes/broadcast_grid.dxil"),
    );
    // Two jobs whose ranges do not meet.
    let outcome = work_graph(
        &shader,
        &with_uav(vec![0; 256]),
        &[input("expand", &[0, 100, 128, 128], 2)],
    )?;
    let want = levels(&[&[("expand", 2)], &[("consume", 2 * (100 + 128))]]);
    expect("levels", &outcome.levels, &want)?;
    // Both rows of the grid send to the same element, and thread nodes add without atomics: it has
    // one of the weights or their sum.
    for (index, weight) in
        from_bytes::<f32>(outcome.results.resources[0].as_deref().unwrap_or_default())
            .into_iter()
            .enumerate()
    {
        let is_on = (0..100).contains(&index) || (128..256).contains(&index);
        let possible: &[f32] = if is_on { &[0.5, 1.0, 1.5] } else { &[0.0] };
        if !possible.contains(&weight) {
            return Err(Failure::new(format!("element {index} is {weight}")));
        }
    }
    Ok(())
}

/// The initializer of groupshared memory holds for every group, also where one group on the device
/// runs several groups of the grid.
#[test]
fn groups_of_a_node_begin_with_the_initial_values_of_groupshared_memory() -> Result<(), Failure> {
    let shader = library(
        "nodes/initial_values",
        include_bytes!("../../shaders/nodes/initial_values.dxil"),
    );
    let outcome = work_graph(
        &shader,
        &with_uav(vec![0; 24]),
        &[input("spread", &[0, 1], 2)],
    )?;
    let want = rows(24, |i| {
        let (thread, group) = (i as u32 % 4, i as u32 / 4 % 3);
        (4 - thread) * 10 + group
    });
    expect("weights", &words(&outcome, 0), &want)
}

/// Coalescing launch: group-shared memory, records that the group changes, barriers on records.
#[test]
fn a_coalescing_node_shares_its_records() -> Result<(), Failure> {
    let shader = library(
        "nodes/coalesce_sort",
        include_bytes!("../../shaders/nodes/coalesce_sort.dxil"),
    );
    let count = 150u32;
    let keys = rows(count as usize, |i| [i as u32 * 7, 1000 + i as u32]).concat();
    let outcome = work_graph(
        &shader,
        &with_uav(vec![0; 32]),
        &[input("bin", &keys, count)],
    )?;
    let mut want = vec![0; 32];
    for (i, key) in (0u32..).zip(keys.chunks(2)) {
        let bin = (key[0] & 15) as usize;
        // Its number in the group of 64 was added.
        want[bin * 2] += key[1] + i % 64;
        want[bin * 2 + 1] += 1;
    }
    expect("bins", &words(&outcome, 0), &want)
}

/// A dispatch grid in the record, groups that add to it, and the last of them.
#[test]
fn the_last_group_of_a_shared_record_sees_all() -> Result<(), Failure> {
    let shader = library(
        "nodes/cross_group",
        include_bytes!("../../shaders/nodes/cross_group.dxil"),
    );
    let mut job = with_uav(vec![0; 4]);
    let source = rows(32 * 64, |i| i as u32 * 3 + 1);
    job.bind_buffer(Register::srv(0), to_bytes(&source));
    for groups in [1, 2, 7, 32] {
        let outcome = work_graph(&shader, &job, &[input("total", &[groups, 1, 1, 0, 0], 1)])?;
        let want: u32 = source[..groups as usize * 64].iter().sum();
        expect("the sum", &words(&outcome, 0)[0], &want)?;
    }
    // A grid without groups launches nothing.
    let outcome = work_graph(&shader, &job, &[input("total", &[0, 1, 1, 0, 0], 1)])?;
    expect("nothing", &words(&outcome, 0)[0], &0)
}

/// Empty records are counted, by group and by thread; some go to nodes that the library does not
/// have.
#[test]
fn empty_records_are_counted() -> Result<(), Failure> {
    let shader = library(
        "nodes/empty_records",
        include_bytes!("../../shaders/nodes/empty_records.dxil"),
    );
    let outcome = work_graph(&shader, &with_uav(vec![0; 2]), &[input("start", &[], 1)])?;
    // Half of 8 * 32 threads; 0 + 1 + ... + 7 of the groups.
    expect("counts", &words(&outcome, 0), &vec![128, 28])?;
    let want = levels(&[&[("start", 1)], &[("ping", 128), ("pong", 28)]]);
    expect("levels", &outcome.levels, &want)?;
    let lost = (0..4).map(|i| (("fan".to_owned(), i), 2)).collect();
    expect("records for nodes elsewhere", &outcome.lost, &lost)
}

/// Threads of a wave choose nodes of an array; missing nodes are not valid.
#[test]
fn output_arrays_are_indexed_by_thread() -> Result<(), Failure> {
    let shader = library(
        "nodes/output_arrays",
        include_bytes!("../../shaders/nodes/output_arrays.dxil"),
    );
    let kind = 1u32;
    let data = [1.0f32, 2.0, 3.0, 4.0];
    let mut record = vec![kind];
    record.extend(data.map(f32::to_bits));
    let outcome = work_graph(
        &shader,
        &with_uav(vec![0; 64]),
        &[input("classify", &record, 1)],
    )?;
    let want: Vec<f32> = (0..16)
        .flat_map(|t| {
            let own = data.map(|x| x * t as f32);
            match (kind + t) % 3 {
                0 => own,
                1 => own.map(|x| -x),
                _ => [own[3], own[2], own[1], own[0]],
            }
        })
        .collect();
    let got: Vec<f32> = from_bytes(outcome.results.resources[0].as_deref().unwrap_or_default());
    expect("materials", &got, &want)?;
    let want = levels(&[&[("classify", 1)], &[("m0", 5), ("m1", 6), ("m2", 5)]]);
    expect("levels", &outcome.levels, &want)
}

/// Two nodes get the same records.
#[test]
fn nodes_share_an_input() -> Result<(), Failure> {
    let shader = library(
        "nodes/share_input",
        include_bytes!("../../shaders/nodes/share_input.dxil"),
    );
    // float3 p[2], a 64-bit key, and four rows of a float4x3.
    let mut record = vec![0u32; 6];
    record.extend([123, 8]);
    record.extend([0; 12]);
    let outcome = work_graph(
        &shader,
        &with_uav(vec![u32::MAX; 128]),
        &[input("left", &record, 1)],
    )?;
    expect("the key", &words(&outcome, 0)[..8].to_vec(), &vec![123; 8])?;
    let want = levels(&[&[("left", 1), ("right", 1)], &[("sinkNode", 8)]]);
    expect("levels", &outcome.levels, &want)
}

/// A two-dimensional grid in the record, textures, and a coalescing node after it.
#[test]
fn a_record_says_how_many_tiles() -> Result<(), Failure> {
    let shader = library(
        "nodes/broadcast_dynamic",
        include_bytes!("../../shaders/nodes/broadcast_dynamic.dxil"),
    );
    let (wide, high) = (3u32, 2u32);
    let size = [wide * 8, high * 8];
    let mut job = Job::dispatch([1, 1, 1]);
    let texels = vec![0f32; (size[0] * size[1] * 4) as usize];
    let image = texture(
        Dimension::D2,
        Format::Rgba32Float,
        [size[0], size[1], 1],
        1,
        &texels,
    );
    job.bind_texture(Register::uav(0), image);
    let color = [1.0f32, 0.5, 0.25, 0.0];
    let target = 2u32;
    let mut record = vec![wide, high, 1];
    record.extend(color.map(f32::to_bits));
    record.push(target);
    let outcome = work_graph(&shader, &job, &[input("shadeTile", &record, 1)])?;
    let shade = |x: u32, y: u32| color.map(|c| c * (x ^ y) as f32 / 255.0);
    let got: Vec<f32> = from_bytes(outcome.results.resources[0].as_deref().unwrap_or_default());
    for y in 0..size[1] {
        for x in 0..size[0] {
            let mut want = shade(x, y);
            // The corners that the two first threads of a group sent on.
            let (column, row) = (x % 8, y % 8);
            if column == row && (column == 0 || column == 7) {
                let from = shade(x - column + column / 7, y - row);
                want = [0, 1, 2, 3].map(|i| (want[i] + from[i] + target as f32) * 0.5);
            }
            let at = ((y * size[0] + x) * 4) as usize;
            let close = got[at..at + 4]
                .iter()
                .zip(want)
                .all(|(got, want)| (got - want).abs() < 1e-5);
            if !close {
                let got = &got[at..at + 4];
                return Err(Failure::new(format!("({x}, {y}) is {got:?}, not {want:?}")));
            }
        }
    }
    let groups = wide * high;
    let want = levels(&[&[("shadeTile", 1)], &[("edge", 2 * groups)]]);
    expect("levels", &outcome.levels, &want)
}

/// Inputs of the wrong form are refused.
#[test]
fn inputs_are_checked() {
    let shader = library(
        "nodes/thread_nodes",
        include_bytes!("../../shaders/nodes/thread_nodes.dxil"),
    );
    let job = with_uav(vec![0; 4]);
    for (input, text) in [
        (input("nobody", &[], 0), "has no node nobody"),
        (input("leaf", &[1], 1), "no program entry"),
        (input("split", &[1], 1), "records of 8 bytes"),
    ] {
        let error = work_graph(&shader, &job, &[input]).unwrap_err();
        assert!(format!("{error:?}").contains(text), "{error:?}");
    }
}
