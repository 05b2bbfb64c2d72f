//! Nodes of work graphs through the compatible ABI: what a layer links a graph by, and the modules.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first problem"
)]
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "every call is to the ABI, with handles and places that live"
)]

mod session;

use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;

use dxil_jit::compat::types::*;
use dxil_jit::compat::*;
use session::*;

const NONE: u32 = u32::MAX;

unsafe fn text(pointer: *const c_char) -> String {
    unsafe { CStr::from_ptr(pointer) }
        .to_str()
        .unwrap()
        .to_owned()
}

fn index_of(session: &Session, name: &str) -> u32 {
    let name = CString::new(name).unwrap();
    let mut index = 99;
    let code = unsafe {
        dxil_spv_parsed_blob_get_entry_index_by_name(session.blob(), name.as_ptr(), &raw mut index)
    };
    assert_eq!(code, SUCCESS);
    index
}

fn input(session: &Session, name: &str) -> NodeInputData {
    let mut data = MaybeUninit::uninit();
    unsafe {
        let code = dxil_spv_parsed_blob_get_entry_point_node_input(
            session.blob(),
            index_of(session, name),
            data.as_mut_ptr(),
        );
        assert_eq!(code, SUCCESS);
        data.assume_init()
    }
}

fn outputs(session: &Session, name: &str) -> Vec<NodeOutputData> {
    let index = index_of(session, name);
    let mut count = 99;
    unsafe {
        let code = dxil_spv_parsed_blob_get_entry_point_num_node_outputs(
            session.blob(),
            index,
            &raw mut count,
        );
        assert_eq!(code, SUCCESS);
        let mut beyond = MaybeUninit::uninit();
        let code = dxil_spv_parsed_blob_get_entry_point_node_output(
            session.blob(),
            index,
            count,
            beyond.as_mut_ptr(),
        );
        assert_eq!(code, ERROR_INVALID_ARGUMENT);
        (0..count)
            .map(|output| {
                let mut data = MaybeUninit::uninit();
                let code = dxil_spv_parsed_blob_get_entry_point_node_output(
                    session.blob(),
                    index,
                    output,
                    data.as_mut_ptr(),
                );
                assert_eq!(code, SUCCESS);
                data.assume_init()
            })
            .collect()
    }
}

#[test]
fn nodes_are_read_with_their_grids_and_links() {
    let session = Session::of("nodes/broadcast_dynamic");
    let node = input(&session, "shadeTile");
    assert_eq!(unsafe { text(node.node_id) }, "shadeTile");
    assert_eq!(unsafe { text(node.node_share_input_id) }, "");
    assert_eq!((node.launch_type, node.payload_stride), (1, 32));
    assert_eq!(
        (
            node.dispatch_grid_offset,
            node.dispatch_grid_type_bits,
            node.dispatch_grid_components
        ),
        (0, 32, 3)
    );
    assert_eq!(node.broadcast_grid, [64, 64, 1]);
    assert_eq!(node.dispatch_grid_is_upper_bound, 1);
    assert_eq!(node.thread_group_size_spec_id, [0, 1, 2]);
    assert_eq!(node.max_broadcast_grid_spec_id, [7, 8, 9]);
    assert_eq!(
        (
            node.is_entry_point_spec_id,
            node.is_indirect_bda_stride_program_entry_spec_id,
            node.dispatch_grid_is_upper_bound_spec_id,
            node.is_static_broadcast_node_spec_id
        ),
        (3, 4, 5, 6)
    );
    assert_eq!(node.local_root_arguments_table_index, NONE);

    let edge = input(&session, "edge");
    assert_eq!(
        (edge.launch_type, edge.coalesce_factor, edge.payload_stride),
        (2, 16, 24)
    );
    // Only broadcasting nodes have grids.
    assert_eq!(edge.max_broadcast_grid_spec_id, [NONE; 3]);
    assert_eq!(edge.dispatch_grid_is_upper_bound_spec_id, NONE);
    assert_eq!(edge.is_static_broadcast_node_spec_id, NONE);

    let [out] = outputs(&session, "shadeTile")[..] else {
        panic!("one output");
    };
    assert_eq!(unsafe { text(out.node_id) }, "edge");
    assert_eq!((out.max_records, out.node_index_spec_constant_id), (2, 100));
    assert_eq!((out.node_array_size, out.sparse_array), (0, 0));
    assert!(outputs(&session, "edge").is_empty());
}

#[test]
fn arrays_sharing_recursion_and_tracking_are_read() {
    let arrays = Session::of("nodes/output_arrays");
    let found: Vec<_> = outputs(&arrays, "classify")
        .iter()
        .map(|o| {
            let id = unsafe { text(o.node_id) };
            (id, o.node_array_size, o.max_records, o.sparse_array)
        })
        .collect();
    assert_eq!(
        found,
        [
            ("material".to_owned(), 3, 16, 0),
            ("extra".to_owned(), NONE, 4, 1),
            ("other".to_owned(), 8, 0, 1)
        ]
    );
    let m2 = input(&arrays, "m2");
    assert_eq!(unsafe { text(m2.node_id) }, "material");
    assert_eq!((m2.node_array_index, m2.launch_type), (2, 2));

    let shared = Session::of("nodes/share_input");
    let right = input(&shared, "right");
    assert_eq!(unsafe { text(right.node_share_input_id) }, "left");
    assert_eq!(input(&shared, "left").local_root_arguments_table_index, 2);

    let recursive = input(&Session::of("nodes/thread_nodes"), "split");
    assert_eq!((recursive.launch_type, recursive.recursion_factor), (3, 8));
    assert_eq!(recursive.is_program_entry, 1);

    // Behind the five words of the record is the counter of groups.
    let tracked = input(&Session::of("nodes/cross_group"), "total");
    assert_eq!(
        (tracked.node_track_rw_input_sharing, tracked.payload_stride),
        (1, 24)
    );

    let mixed = Session::of("nodes/mixed_library");
    let compute = input(&mixed, "clear");
    assert_eq!((compute.launch_type, compute.payload_stride), (0, 0));
    assert_eq!(unsafe { text(compute.node_id) }, "");
    assert!(outputs(&mixed, "clear").is_empty());
}

#[test]
fn a_module_has_the_push_constants_and_specialization_constants_that_were_told() {
    let mut session = Session::of("nodes/broadcast_grid");
    session.remap();
    session.set_entry("expand");
    let text = session.text();
    assert!(text.contains("OpEntryPoint GLCompute"), "{text}");
    for id in [0, 1, 2, 3, 4, 6, 7, 8, 9, 100] {
        assert!(text.contains(&format!("SpecId {id}\n")), "{id}\n{text}");
    }
    for (member, offset) in [(0, 0), (6, 48), (7, 56), (8, 60)] {
        let line = format!(" {member} Offset {offset}\n");
        assert!(text.contains(&line), "{line}\n{text}");
    }
    assert_eq!(session.entry_name(), "main");
}

/// A mesh node is a mesh shader with the push constants of a node. It has the specialization
/// constants that say where records come from, and no others.
#[test]
fn a_mesh_node_is_a_mesh_shader_with_records() {
    let mut session = Session::of("nodes/mesh_tiles");
    let name = CString::new("draw").unwrap();
    let stage =
        unsafe { dxil_spv_parsed_blob_get_shader_stage_for_entry(session.blob(), name.as_ptr()) };
    assert_eq!(stage, 14);
    let node = input(&session, "draw");
    assert_eq!((node.launch_type, node.payload_stride), (4, 24));
    assert_eq!(node.broadcast_grid, [2, 2, 1]);
    assert_eq!(node.dispatch_grid_is_upper_bound, 1);
    assert_eq!(node.max_broadcast_grid_spec_id, [NONE; 3]);
    assert_eq!(node.is_static_broadcast_node_spec_id, NONE);
    assert!(outputs(&session, "draw").is_empty());
    session.remap();
    session.set_entry("draw");
    let text = session.text();
    assert!(text.contains("OpEntryPoint MeshEXT"), "{text}");
    assert!(text.contains("BuiltIn DrawIndex\n"), "{text}");
    for id in 0..=9 {
        let is_there = text.contains(&format!("SpecId {id}\n"));
        assert_eq!(is_there, matches!(id, 3 | 4), "{id}\n{text}");
    }
    assert!(text.contains(" 8 Offset 60\n"), "{text}");
}
