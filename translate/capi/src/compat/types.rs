// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Structures and numbers of the ABI. They are facts of the interface, checked against the header
//! by a C program among the tests; enumerations are plain integers, since a caller may pass any
//! number.

#![allow(
    missing_docs,
    reason = "the names are the interface's own; include/dxil_spirv_c.h says what they mean"
)]

use std::ffi::{c_char, c_uchar, c_uint, c_void};

/// Version of the API that this library has.
pub const VERSION: [c_uint; 3] = [2, 74, 0];

/// Result of a call.
pub type ResultCode = i32;
pub const SUCCESS: ResultCode = 0;
pub const ERROR_OUT_OF_MEMORY: ResultCode = -1;
pub const ERROR_GENERIC: ResultCode = -2;
pub const ERROR_UNSUPPORTED_FEATURE: ResultCode = -3;
pub const ERROR_PARSER: ResultCode = -4;
pub const ERROR_FAILED_VALIDATION: ResultCode = -5;
pub const ERROR_INVALID_ARGUMENT: ResultCode = -6;
pub const ERROR_NO_DATA: ResultCode = -7;

/// A truth value: 0 or 1.
pub type Bool = c_uchar;

/// Stage numbers.
pub type Stage = c_uint;
pub const STAGE_UNKNOWN: Stage = 0;

/// Log levels.
pub const LOG_DEBUG: c_uint = 0;
pub const LOG_WARN: c_uint = 1;
pub const LOG_ERROR: c_uint = 2;

/// Descriptor types that a remapper may ask for.
pub const DESCRIPTOR_IDENTITY: c_uint = 0;
pub const DESCRIPTOR_SSBO: c_uint = 1;
pub const DESCRIPTOR_TEXEL_BUFFER: c_uint = 2;
pub const DESCRIPTOR_DEVICE_ADDRESS: c_uint = 3;
pub const DESCRIPTOR_UBO: c_uint = 4;
pub const DESCRIPTOR_INPUT_ATTACHMENT: c_uint = 5;

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct D3dVertexInput {
    pub semantic: *const c_char,
    pub semantic_index: c_uint,
    pub start_row: c_uint,
    pub rows: c_uint,
}

#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct VulkanVertexInput {
    pub location: c_uint,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct D3dStreamOutput {
    pub semantic: *const c_char,
    pub semantic_index: c_uint,
}

#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct VulkanStreamOutput {
    pub offset: c_uint,
    pub stride: c_uint,
    pub buffer_index: c_uint,
    pub enable: Bool,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct D3dStageIo {
    pub semantic: *const c_char,
    pub semantic_index: c_uint,
    pub start_row: c_uint,
    pub rows: c_uint,
}

/// The variable is one per primitive.
pub const STAGE_IO_PER_PRIMITIVE: c_uint = 1;

#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct VulkanStageIo {
    pub location: c_uint,
    pub component: c_uint,
    pub flags: c_uint,
}

#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct D3dBinding {
    pub stage: Stage,
    pub kind: c_uint,
    pub resource_index: c_uint,
    pub register_space: c_uint,
    pub register_index: c_uint,
    pub range_size: c_uint,
    pub alignment: c_uint,
}

#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct Bindless {
    pub heap_root_offset: c_uint,
    pub use_heap: Bool,
}

#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct VulkanBinding {
    pub set: c_uint,
    pub binding: c_uint,
    /// Or the index of an input attachment.
    pub root_constant_index: c_uint,
    pub bindless: Bindless,
    pub descriptor_type: c_uint,
}

#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct D3dUavBinding {
    pub d3d_binding: D3dBinding,
    pub has_counter: Bool,
}

#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct SrvVulkanBinding {
    pub buffer_binding: VulkanBinding,
    pub offset_binding: VulkanBinding,
}

#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct UavVulkanBinding {
    pub buffer_binding: VulkanBinding,
    pub counter_binding: VulkanBinding,
    pub offset_binding: VulkanBinding,
}

/// The first member of the union is the offset in words where `push_constant` is set.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct CbvVulkanBinding {
    pub uniform_binding: VulkanBinding,
    pub push_constant: Bool,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CompiledSpirv {
    pub data: *const c_void,
    pub size: usize,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct RdatSubobject {
    pub kind: c_uint,
    pub subobject_name: *const c_char,
    pub hit_group_type: c_uint,
    pub exports: *const *const c_char,
    pub num_exports: c_uint,
    pub args: [c_uint; 2],
    pub payload: *const c_void,
    pub payload_size: usize,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct NodeInputData {
    pub node_id: *const c_char,
    pub payload_stride: c_uint,
    pub launch_type: c_uint,
    pub node_array_index: c_uint,
    pub dispatch_grid_offset: c_uint,
    pub dispatch_grid_type_bits: c_uint,
    pub dispatch_grid_components: c_uint,
    pub broadcast_grid: [c_uint; 3],
    pub thread_group_size_spec_id: [c_uint; 3],
    pub max_broadcast_grid_spec_id: [c_uint; 3],
    pub recursion_factor: c_uint,
    pub coalesce_factor: c_uint,
    pub node_share_input_id: *const c_char,
    pub node_share_input_array_index: c_uint,
    pub local_root_arguments_table_index: c_uint,
    pub is_indirect_bda_stride_program_entry_spec_id: c_uint,
    pub is_entry_point_spec_id: c_uint,
    pub dispatch_grid_is_upper_bound_spec_id: c_uint,
    pub is_static_broadcast_node_spec_id: c_uint,
    pub dispatch_grid_is_upper_bound: Bool,
    pub node_track_rw_input_sharing: Bool,
    pub is_program_entry: Bool,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct NodeOutputData {
    pub node_id: *const c_char,
    pub node_array_index: c_uint,
    pub node_array_size: c_uint,
    pub node_index_spec_constant_id: c_uint,
    pub max_records: c_uint,
    pub sparse_array: Bool,
}

pub type VertexInputRemapper = Option<
    unsafe extern "C" fn(*mut c_void, *const D3dVertexInput, *mut VulkanVertexInput) -> Bool,
>;
pub type StreamOutputRemapper = Option<
    unsafe extern "C" fn(*mut c_void, *const D3dStreamOutput, *mut VulkanStreamOutput) -> Bool,
>;
pub type StageIoRemapper =
    Option<unsafe extern "C" fn(*mut c_void, *const D3dStageIo, *mut VulkanStageIo) -> Bool>;
pub type SrvRemapper =
    Option<unsafe extern "C" fn(*mut c_void, *const D3dBinding, *mut SrvVulkanBinding) -> Bool>;
pub type SamplerRemapper =
    Option<unsafe extern "C" fn(*mut c_void, *const D3dBinding, *mut VulkanBinding) -> Bool>;
pub type UavRemapper =
    Option<unsafe extern "C" fn(*mut c_void, *const D3dUavBinding, *mut UavVulkanBinding) -> Bool>;
pub type CbvRemapper =
    Option<unsafe extern "C" fn(*mut c_void, *const D3dBinding, *mut CbvVulkanBinding) -> Bool>;
pub type LogCallback = Option<unsafe extern "C" fn(*mut c_void, c_uint, *const c_char)>;
