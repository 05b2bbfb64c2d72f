use dxil_frontend::container::rdat::{NodeIoFlags, NodeLaunch};
use dxil_frontend::dxil::{ComponentType, Node, NodeId, NodeIo, RecordGrid};

use super::check;

fn id(name: &str, index: u32) -> NodeId {
    NodeId {
        name: name.into(),
        index,
    }
}

fn io(flags: NodeIoFlags, size: u32) -> NodeIo {
    NodeIo {
        flags,
        record_size: size,
        record_alignment: None,
        grid: None,
        max_records: 1,
        shares_max_records_with: None,
        target: None,
        array_size: 0,
        allows_sparse: false,
    }
}

/// Returns a thread node that takes four bytes.
fn node(name: &str) -> Node {
    Node {
        launch: NodeLaunch::Thread,
        is_program_entry: false,
        id: id(name, 0),
        local_root_arguments_table_index: None,
        shares_input_of: None,
        dispatch_grid: None,
        max_dispatch_grid: None,
        max_recursion_depth: 0,
        inputs: vec![io(NodeIoFlags::INPUT, 4)],
        outputs: Vec::new(),
        mesh: None,
    }
}

fn to(mut from: Node, target: &str) -> Node {
    let output = io(NodeIoFlags::OUTPUT, 4);
    from.outputs.push(NodeIo {
        target: Some(id(target, 0)),
        ..output
    });
    from
}

fn run(nodes: &[Node]) -> Result<Vec<String>, String> {
    let nodes: Vec<&Node> = nodes.iter().collect();
    check(&nodes).map_err(|error| error.to_string())
}

#[track_caller]
fn refused(nodes: &[Node], why: &str) {
    let error = run(nodes).unwrap_err();
    assert!(error.contains(why), "{error}");
}

#[test]
fn chains_and_diamonds_are_graphs() {
    let nodes = [
        to(to(node("a"), "b"), "c"),
        to(node("b"), "d"),
        to(node("c"), "d"),
        node("d"),
    ];
    assert_eq!(run(&nodes), Ok(vec![]));
    assert_eq!(run(&[]), Ok(vec![]));
}

#[test]
fn names_are_unique() {
    refused(&[node("a"), node("a")], "there are two nodes a");
    let mut second = node("a");
    second.id.index = 0xff_ffff;
    refused(&[node("a"), second], "16777216 places for nodes");
}

#[test]
fn single_outputs_lead_somewhere() {
    let mut from = to(node("a"), "b");
    refused(
        std::slice::from_ref(&from),
        "a sends records to b, which is not in the graph",
    );
    from.outputs[0].allows_sparse = true;
    assert_eq!(run(&[from.clone()]), Ok(vec![]));
    // Arrays may have gaps.
    from.outputs[0].allows_sparse = false;
    from.outputs[0].array_size = 4;
    assert_eq!(run(&[from]), Ok(vec![]));
}

#[test]
fn cycles_are_refused_but_for_recursion() {
    let cycle = [
        to(node("a"), "b"),
        to(node("b"), "c"),
        to(node("c"), "a"),
        to(node("x"), "a"),
    ];
    refused(&cycle, "in a cycle: a -> b -> c -> a");
    let mut own = to(node("a"), "a");
    refused(std::slice::from_ref(&own), "[NodeMaxRecursionDepth]");
    own.max_recursion_depth = 32;
    assert_eq!(run(&[own.clone()]), Ok(vec![]));
    own.max_recursion_depth = 33;
    refused(&[own], "more than the 32 levels");
    // A node that shares the input is a follower too.
    let mut sharer = to(node("s"), "a");
    sharer.shares_input_of = Some(id("b", 0));
    refused(
        &[to(node("a"), "b"), node("b"), sharer],
        "in a cycle: a -> s -> a",
    );
}

#[test]
fn mesh_nodes_are_leaves_with_grids() {
    let mut mesh = node("m");
    mesh.launch = NodeLaunch::Mesh;
    refused(
        std::slice::from_ref(&mesh),
        "m launches meshes and has neither [NodeDispatchGrid]",
    );
    mesh.dispatch_grid = Some([2048, 2048, 1]);
    assert_eq!(run(&[to(node("a"), "m"), mesh.clone()]), Ok(vec![]));
    refused(
        &[to(mesh.clone(), "a"), node("a")],
        "m is a mesh node and sends records",
    );
    mesh.dispatch_grid = Some([2048, 2049, 1]);
    refused(&[mesh], "or 4194304 in all");
}

#[test]
fn an_array_is_no_way_to_its_own_nodes() {
    let mut first = to(node("a"), "a");
    first.max_recursion_depth = 2;
    first.outputs[0].array_size = 2;
    let mut second = node("a");
    second.id.index = 1;
    assert_eq!(run(&[first.clone()]), Ok(vec![]));
    refused(&[first, second], "another node of its own array");
}

#[test]
fn chains_end_after_32_nodes() {
    let chain = |count: usize| -> Vec<Node> {
        (0..count)
            .map(|i| {
                if i + 1 < count {
                    to(node(&format!("n{i:02}")), &format!("n{:02}", i + 1))
                } else {
                    node(&format!("n{i:02}"))
                }
            })
            .collect()
    };
    assert_eq!(run(&chain(32)), Ok(vec![]));
    refused(&chain(33), "n00");
    refused(&chain(4000), "n00");
    let mut nodes = chain(3);
    nodes[1] = to(nodes[1].clone(), "n01");
    nodes[1].max_recursion_depth = 31;
    refused(&nodes, "begins with n00 is 33 nodes long");
}

#[test]
fn records_are_what_the_taker_takes() {
    let mut taker = node("b");
    taker.inputs[0].record_size = 8;
    refused(
        &[to(node("a"), "b"), taker.clone()],
        "a sends records of 4 bytes to b, which takes records of 8 bytes",
    );
    taker.inputs.clear();
    refused(&[to(node("a"), "b"), taker], "which takes empty records");
}

#[test]
fn groups_and_threads_send_so_many_records() {
    let mut from = to(node("a"), "b");
    from.outputs[0].max_records = 8;
    assert_eq!(run(&[from.clone(), node("b")]), Ok(vec![]));
    // Who shares the record counts.
    let mut sharer = node("c");
    sharer.shares_input_of = Some(id("b", 0));
    refused(&[from.clone(), node("b"), sharer], "16 records of 64 bytes");
    from.launch = NodeLaunch::Coalescing;
    from.outputs[0].max_records = 257;
    refused(&[from.clone(), node("b")], "a group may send 256");
    from.outputs[0].flags |= NodeIoFlags::EMPTY_RECORD;
    let mut empty = node("b");
    empty.inputs.clear();
    assert_eq!(run(&[from, empty]), Ok(vec![]));
}

#[test]
fn grids_are_said_and_not_too_large() {
    let mut broad = node("a");
    broad.launch = NodeLaunch::Broadcasting;
    refused(std::slice::from_ref(&broad), "neither");
    broad.dispatch_grid = Some([65_536, 1, 1]);
    refused(std::slice::from_ref(&broad), "65535 groups along a side");
    broad.dispatch_grid = Some([4096, 4096, 1]);
    refused(std::slice::from_ref(&broad), "16777215 in all");
    broad.dispatch_grid = None;
    broad.max_dispatch_grid = Some([4, 4, 4]);
    refused(std::slice::from_ref(&broad), "no SV_DispatchGrid");
    broad.inputs[0].grid = Some(RecordGrid {
        offset: 0,
        component: ComponentType::U32,
        components: 1,
    });
    assert_eq!(run(&[broad]), Ok(vec![]));
}

#[test]
fn inputs_are_shared_by_nodes_without_another() {
    let sharer = |change: fn(&mut Node)| {
        let mut sharer = node("s");
        sharer.shares_input_of = Some(id("a", 0));
        change(&mut sharer);
        sharer
    };
    let plain = sharer(|_| {});
    assert_eq!(run(&[node("a"), plain.clone()]), Ok(vec![]));
    refused(std::slice::from_ref(&plain), "not in the graph");
    let entry = sharer(|node| node.is_program_entry = true);
    refused(&[node("a"), entry], "the first is a program entry");
    refused(
        &[node("a"), plain.clone(), to(node("x"), "s")],
        "send records to the first",
    );
    let writer = sharer(|node| node.inputs[0].flags |= NodeIoFlags::READ_WRITE);
    refused(&[node("a"), writer], "writes to its records");
    let larger = sharer(|node| node.inputs[0].record_size = 8);
    refused(&[node("a"), larger], "different sizes");
    let mut deep = to(node("a"), "a");
    deep.max_recursion_depth = 3;
    refused(&[deep, plain.clone()], "the second recurses");
    let mut entry = node("a");
    entry.is_program_entry = true;
    refused(
        &[entry, to(node("x"), "a"), plain],
        "both from the graph and from outside",
    );
}

#[test]
fn what_only_d3d12_refuses_is_a_warning() {
    let mut second = node("a");
    second.id.index = 1;
    second.launch = NodeLaunch::Coalescing;
    let warnings = run(&[node("a"), second]).unwrap();
    assert_eq!(
        warnings,
        ["a and a[1] are of one array and launch in different ways, which D3D12 refuses"]
    );
    let mut tracked = node("t");
    tracked.inputs[0].flags |= NodeIoFlags::TRACK_RW_INPUT_SHARING;
    let warnings = run(&[to(node("a"), "t"), tracked]).unwrap();
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("a sends them without"), "{warnings:?}");
}
