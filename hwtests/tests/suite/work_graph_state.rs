//! Work graphs: what nodes see (root signatures, heaps, hidden counters), where records come from,
//! and what is refused.

use dxil_frontend::dxil::ResourceClass;
use dxil_hwtests::element::to_bytes;
use dxil_hwtests::rows;
use dxil_hwtests::run::{Failure, GraphRoots, each_work_graph, rooted_work_graph, work_graph};
use dxil_runtime::Register;
use dxil_runtime::job::{BufferView, HeapView, Job, ResourceView, Storage};
use dxil_runtime::work_graph::{GraphInput, GraphOutcome};

use super::work_graphs::{expect, input, levels, library, with_uav, words};

macro_rules! nodes {
    ($name:literal) => {
        library(
            concat!("nodes/", $name),
            include_bytes!(concat!("../../shaders/nodes/", $name, ".dxil")),
        )
    };
}

/// Returns a buffer with a hidden counter at 2 in `u0`, 10 in `b0`.
fn counting_job() -> Job {
    let mut job = Job::dispatch([1, 1, 1]);
    let id = job.add_resource("u0", Storage::Buffer(to_bytes(&[7u32; 20])), true);
    let ResourceView::Buffer(view) = ResourceView::buffer(id) else {
        return job;
    };
    let counter = Some(2);
    job.bind(
        Register::uav(0),
        ResourceView::Buffer(BufferView { counter, ..view }),
    );
    job.bind_constants(Register::new(ResourceClass::Cbv, 0), to_bytes(&[10u32]));
    job
}

/// Checks that each level appends after the one before: ten times the number, and the levels that
/// are left.
fn check_counting(outcome: &GraphOutcome) -> Result<(), Failure> {
    let mut want = vec![7, 7, 43, 32, 32];
    want.extend([21; 4]);
    want.extend([10; 8]);
    want.extend([7; 3]);
    expect("what was appended", &words(outcome, 0), &want)?;
    let want = levels(&[
        &[("spread", 1)],
        &[("spread", 2)],
        &[("spread", 4)],
        &[("spread", 8)],
    ]);
    expect("levels", &outcome.levels, &want)
}

#[test]
fn hidden_counters_go_on_from_node_to_node() -> Result<(), Failure> {
    let shader = nodes!("counting");
    let outcome = work_graph(&shader, &counting_job(), &[input("spread", &[9], 1)])?;
    expect(
        "the counter",
        &outcome.results.counters,
        &vec![(Register::uav(0), 17)],
    )?;
    let first = &words(&outcome, 0)[2..5];
    expect("nine", &first.to_vec(), &vec![93, 82, 82])?;
    let outcome = work_graph(&shader, &counting_job(), &[input("spread", &[4], 1)])?;
    check_counting(&outcome)
}

/// Constants and tables in the global root signature, and in the record of the local root
/// arguments.
#[test]
fn nodes_have_root_signatures() -> Result<(), Failure> {
    let shader = nodes!("counting");
    for (global, local) in [
        (
            Some("RootConstants(num32BitConstants = 1, b0), DescriptorTable(UAV(u0))"),
            None,
        ),
        (
            Some("DescriptorTable(UAV(u0))"),
            Some("RootConstants(num32BitConstants = 1, b0)"),
        ),
        (Some("DescriptorTable(UAV(u0))"), Some("CBV(b0)")),
        (
            None,
            Some("RootConstants(num32BitConstants = 1, b0), DescriptorTable(UAV(u0))"),
        ),
    ] {
        let roots = GraphRoots {
            global,
            local,
            ..GraphRoots::default()
        };
        let inputs = [input("spread", &[4], 1)];
        let outcome = rooted_work_graph(&[shader], roots, &counting_job(), &inputs)?;
        check_counting(&outcome)?;
        let results = &outcome.results;
        let counters: Vec<u32> = match global {
            Some(_) => results.counters.iter().map(|c| c.1).collect(),
            // The table's descriptors lie in the heap.
            None => results.heap_counters.iter().map(|c| c.1).collect(),
        };
        expect("the counter", &counters, &vec![17])?;
    }
    let lacks = GraphRoots {
        global: Some("CBV(b0)"),
        ..GraphRoots::default()
    };
    let error = rooted_work_graph(&[shader], lacks, &counting_job(), &[]).unwrap_err();
    expect("u0", &format!("{error:?}").contains("u0"), &true)
}

/// A node finds its buffer in the heap, and hands on what it read there; functions get handles of
/// records.
#[test]
fn nodes_index_the_heap() -> Result<(), Failure> {
    let shader = nodes!("mixed_library");
    let work = |a: u32| {
        (0..(a & 7)).fold(a, |x, _| {
            x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)
        })
    };
    let mut job = with_uav(vec![0; 1024]);
    let id = job.add_resource("heap", Storage::Buffer(to_bytes(&[0u32; 32])), true);
    let null = HeapView {
        class: ResourceClass::Srv,
        view: ResourceView::Null,
    };
    job.resource_heap = vec![null; 4];
    job.resource_heap[3] = HeapView {
        class: ResourceClass::Uav,
        view: ResourceView::buffer(id),
    };
    let at = 1000u32;
    let inputs = [input("head", &[at, 3], 1)];
    for outcome in each_work_graph(&[shader], GraphRoots::default(), &job, &inputs)? {
        check_heap(&outcome, at, &work)?;
    }
    Ok(())
}

fn check_heap(outcome: &GraphOutcome, at: u32, work: &dyn Fn(u32) -> u32) -> Result<(), Failure> {
    let heap = words(outcome, 1);
    for (t, value) in (0u32..).zip(&heap) {
        // The first thread changes the record; later waves may read it so.
        let possible = [work(at + t), work((at ^ 5) + t)];
        if !possible[..if t < 4 { 1 } else { 2 }].contains(value) {
            return Err(Failure::new(format!(
                "heap[{t}] is {value}, not {possible:?}"
            )));
        }
    }
    let want = levels(&[&[("head", 1)], &[("tail", 32)]]);
    expect("levels", &outcome.levels, &want)?;
    // Each sends the number of its wave's last thread.
    let got = words(outcome, 0);
    let fits = |wave: usize| {
        let mut want = vec![vec![]; 1024];
        for t in 0..32 {
            let last = (t / wave + 1) * wave - 1;
            want[heap[t] as usize & 1023].push(work(last.min(31) as u32));
        }
        want.iter().zip(&got).all(|(possible, got)| {
            if possible.is_empty() {
                *got == 0
            } else {
                possible.contains(got)
            }
        })
    };
    expect(
        "some wave size",
        &[4, 8, 16, 32].into_iter().any(fits),
        &true,
    )
}

/// Two libraries are one graph; each of its entries gets records.
#[test]
fn several_entries_of_several_libraries() -> Result<(), Failure> {
    let shaders = [nodes!("thread_nodes"), nodes!("output_arrays")];
    let mut record = vec![0u32];
    record.extend([1.0f32, 2.0, 3.0, 4.0].map(f32::to_bits));
    let inputs = [
        input("split", &[64, 67], 1),
        input("classify", &record, 1),
        input("split", &[70, 71], 1),
    ];
    let job = with_uav(vec![7; 80]);
    let outcome = rooted_work_graph(&shaders, GraphRoots::default(), &job, &inputs)?;
    let want = levels(&[
        &[("split", 2), ("classify", 1)],
        &[("leaf", 4), ("m0", 6), ("m1", 5), ("m2", 5)],
    ]);
    expect("levels", &outcome.levels, &want)?;
    let got = words(&outcome, 0);
    expect("leaves", &got[64..67].to_vec(), &vec![192, 195, 198])?;
    expect("a leaf", &got[70], &210)?;
    expect(
        "a material",
        &got[12..16].to_vec(),
        &record[1..]
            .iter()
            .map(|w| (f32::from_bits(*w) * 3.0).to_bits())
            .collect(),
    )
}

/// Records may be apart, or one record may be sent several times.
#[test]
fn records_of_the_host_have_a_stride() -> Result<(), Failure> {
    let shader = nodes!("thread_nodes");
    let strided = GraphInput {
        stride: Some(12),
        ..input("split", &[0, 3, 99, 10, 12, 99, 20, 21], 3)
    };
    let want = rows(32, |i| match i {
        0..3 | 10..12 | 20 => i as u32 * 3,
        _ => 7,
    });
    let outcome = work_graph(&shader, &with_uav(vec![7; 32]), &[strided])?;
    expect("apart", &words(&outcome, 0), &want)?;
    let repeated = GraphInput {
        stride: Some(0),
        ..input("split", &[5, 6], 4)
    };
    let outcome = work_graph(&shader, &with_uav(vec![7; 32]), &[repeated])?;
    let want = levels(&[&[("split", 4)], &[("leaf", 4)]]);
    expect("repeated", &outcome.levels, &want)?;
    let job = with_uav(vec![7; 32]);
    for (stride, text) in [(4, "a stride of 4 bytes"), (10, "a stride of 10 bytes")] {
        let input = GraphInput {
            stride: Some(stride),
            ..input("split", &[0, 0, 0, 0], 2)
        };
        let error = work_graph(&shader, &job, &[input]).unwrap_err();
        expect(text, &format!("{error:?}").contains(text), &true)?;
    }
    Ok(())
}

/// Handles of nodes and records are chosen by phis and selects, and handed to functions.
#[test]
fn handles_are_chosen_and_handed_over() -> Result<(), Failure> {
    let shader = nodes!("handles");
    let records: Vec<u32> = (0..16).flat_map(|which| [which, which * 16]).collect();
    let outcome = work_graph(
        &shader,
        &with_uav(vec![7; 256]),
        &[input("pick", &records, 16)],
    )?;
    let want: Vec<u32> = (0..16u32)
        .flat_map(|which| {
            let (high, left, absent, end) =
                (which & 1, which >> 1 & 1, which >> 2 & 1, which >> 3 & 1);
            let add = if left == 0 || high == 1 { 2000 } else { 1000 };
            let mut row = [7; 16];
            for (thread, word) in (0..4).zip(&mut row) {
                *word = thread + add;
            }
            row[8] = (1 - absent) | end << 1;
            row
        })
        .collect();
    expect("words", &words(&outcome, 0), &want)?;
    let want = levels(&[&[("pick", 16)], &[("high", 48), ("low", 16)]]);
    expect("levels", &outcome.levels, &want)
}

/// The grid of a record is no larger than the node says.
#[test]
fn grids_are_within_their_limits() -> Result<(), Failure> {
    let shader = nodes!("cross_group");
    let mut job = with_uav(vec![0; 4]);
    job.bind_buffer(Register::srv(0), to_bytes(&[1u32; 64]));
    let error = work_graph(&shader, &job, &[input("total", &[33, 1, 1, 0, 0], 1)]).unwrap_err();
    let text = "record 0 for total asks for 33x1x1 groups; [NodeMaxDispatchGrid] says 32x1x1";
    expect(text, &format!("{error:?}").contains(text), &true)
}

#[test]
fn what_is_no_graph_is_refused() -> Result<(), Failure> {
    let shader = nodes!("thread_nodes");
    let twice = [shader, shader];
    let job = with_uav(vec![0; 4]);
    let error = rooted_work_graph(&twice, GraphRoots::default(), &job, &[]).unwrap_err();
    let text = "work graph: there are two nodes";
    expect(text, &format!("{error:?}").contains(text), &true)
}

/// Sorted by their words, records come in the same order each time, whichever thread was first.
#[test]
fn coalesced_records_come_in_order() -> Result<(), Failure> {
    let shader = nodes!("broadcast_dynamic");
    let mut job = Job::dispatch([1, 1, 1]);
    let texels = vec![0f32; 64 * 4];
    let image = dxil_hwtests::texture(
        dxil_runtime::job::Dimension::D2,
        dxil_runtime::Format::Rgba32Float,
        [8, 8, 1],
        1,
        &texels,
    );
    job.bind_texture(Register::uav(0), image);
    let record: Vec<u32> = vec![1, 1, 1, 0x3f80_0000, 0, 0, 0, 1];
    let runs: Vec<Vec<u32>> = (0..3)
        .map(|_| work_graph(&shader, &job, &[input("shadeTile", &record, 1)]))
        .map(|outcome| outcome.map(|outcome| words(&outcome, 0)))
        .collect::<Result<_, _>>()?;
    expect("runs", &(runs[0] == runs[1] && runs[1] == runs[2]), &true)
}
