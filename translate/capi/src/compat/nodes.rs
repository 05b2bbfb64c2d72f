// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Descriptions of work graph nodes, from which a layer links a graph: ids, strides, grids, and the
//! numbers of the specialization constants that a node's module has.

use std::ffi::{CString, c_uint};

use dxil_frontend::container::rdat::{NodeIoFlags, NodeLaunch};
use dxil_frontend::dxil::{ComponentType, Node};
use dxil_translate::node_protocol::spec_id;

use super::memory::c_string;
use super::types::{NodeInputData, NodeOutputData};

/// "Not there" among the numbers.
const NONE: c_uint = c_uint::MAX;

/// A node, with its names as C strings.
#[derive(Debug)]
pub(super) struct NodeData {
    node: Node,
    id: CString,
    shares_input_of: CString,
    targets: Vec<CString>,
}

impl NodeData {
    pub(super) fn new(node: &Node) -> Self {
        let shared = node.shares_input_of.as_ref();
        let target = |id: Option<&str>| c_string(id.unwrap_or_default());
        NodeData {
            id: c_string(&node.id.name),
            shares_input_of: target(shared.map(|id| &*id.name)),
            targets: node
                .outputs
                .iter()
                .map(|output| target(output.target.as_ref().map(|id| &*id.name)))
                .collect(),
            node: node.clone(),
        }
    }

    /// Returns the number of outputs.
    pub(super) fn outputs(&self) -> usize {
        self.node.outputs.len()
    }

    /// Returns the node and its input. Pointers are to strings in `self`.
    pub(super) fn input(&self) -> NodeInputData {
        let node = &self.node;
        let input = node.input();
        let grid = input.and_then(|input| input.grid);
        let maximum = input.map_or(0, |input| input.max_records);
        let broadcasts = node.launch == NodeLaunch::Broadcasting;
        let has_grid = broadcasts || node.launch == NodeLaunch::Mesh;
        let of_broadcast = |id: c_uint| if broadcasts { id } else { NONE };
        let three = |first: c_uint| [0, 1, 2].map(|axis| first + axis);
        let static_grid = node.max_dispatch_grid.or(node.dispatch_grid);
        let shared = node.shares_input_of.as_ref();
        NodeInputData {
            node_id: self.id.as_ptr(),
            payload_stride: node.input_stride(),
            launch_type: match node.launch {
                NodeLaunch::Broadcasting
                | NodeLaunch::Coalescing
                | NodeLaunch::Thread
                | NodeLaunch::Mesh => node.launch.number(),
                _ => 0,
            },
            node_array_index: node.id.index,
            dispatch_grid_offset: grid.map_or(0, |grid| grid.offset),
            dispatch_grid_type_bits: match grid.map(|grid| grid.component) {
                Some(ComponentType::U32) => 32,
                _ => 16,
            },
            dispatch_grid_components: grid.map_or(0, |grid| grid.components),
            broadcast_grid: static_grid.filter(|_| has_grid).unwrap_or_default(),
            thread_group_size_spec_id: three(spec_id::THREADS),
            max_broadcast_grid_spec_id: three(spec_id::GRID).map(of_broadcast),
            recursion_factor: node.max_recursion_depth,
            coalesce_factor: match node.launch {
                NodeLaunch::Coalescing => maximum.max(1),
                _ => maximum,
            },
            node_share_input_id: self.shares_input_of.as_ptr(),
            node_share_input_array_index: shared.map_or(0, |id| id.index),
            local_root_arguments_table_index: node.local_root_arguments_table_index.unwrap_or(NONE),
            is_indirect_bda_stride_program_entry_spec_id: spec_id::IS_INDIRECT,
            is_entry_point_spec_id: spec_id::IS_PROGRAM_ENTRY,
            dispatch_grid_is_upper_bound_spec_id: of_broadcast(spec_id::GRID_IS_IN_RECORD),
            is_static_broadcast_node_spec_id: of_broadcast(spec_id::DISPATCH_IS_GRID),
            dispatch_grid_is_upper_bound: (has_grid && node.max_dispatch_grid.is_some()).into(),
            node_track_rw_input_sharing: input
                .is_some_and(|io| io.flags.contains(NodeIoFlags::TRACK_RW_INPUT_SHARING))
                .into(),
            is_program_entry: node.is_program_entry.into(),
        }
    }

    /// Returns an output.
    pub(super) fn output(&self, index: usize) -> Option<NodeOutputData> {
        let output = self.node.outputs.get(index)?;
        let number = c_uint::try_from(index).ok()?;
        Some(NodeOutputData {
            node_id: self.targets.get(index)?.as_ptr(),
            node_array_index: output.target.as_ref().map_or(0, |id| id.index),
            node_array_size: output.array_size,
            node_index_spec_constant_id: spec_id::FIRST_OUTPUT + number,
            max_records: output.max_records,
            sparse_array: output.allows_sparse.into(),
        })
    }
}

/// Returns the data of an entry point that is no node.
pub(super) fn no_node() -> NodeInputData {
    NodeInputData {
        node_id: c"".as_ptr(),
        payload_stride: 0,
        launch_type: 0,
        node_array_index: 0,
        dispatch_grid_offset: 0,
        dispatch_grid_type_bits: 0,
        dispatch_grid_components: 0,
        broadcast_grid: [0; 3],
        thread_group_size_spec_id: [0; 3],
        max_broadcast_grid_spec_id: [0; 3],
        recursion_factor: 0,
        coalesce_factor: 0,
        node_share_input_id: c"".as_ptr(),
        node_share_input_array_index: 0,
        local_root_arguments_table_index: 0,
        is_indirect_bda_stride_program_entry_spec_id: 0,
        is_entry_point_spec_id: 0,
        dispatch_grid_is_upper_bound_spec_id: 0,
        is_static_broadcast_node_spec_id: 0,
        dispatch_grid_is_upper_bound: 0,
        node_track_rw_input_sharing: 0,
        is_program_entry: 0,
    }
}
