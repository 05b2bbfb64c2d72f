/*
 * Names, numbers and layouts of this interface are those of dxil-spirv's public header:
 * Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation
 * SPDX-License-Identifier: MIT
 * The licence stands at the end of dxil_spirv_c.h and in THIRD-PARTY.md.
 */
/*
 * Numbers, structures and callbacks of the ABI; dxil_spirv_c.h includes this.
 */
#ifndef DXIL_SPV_C_API_TYPES_H
#define DXIL_SPV_C_API_TYPES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned char dxil_spv_bool;
#define DXIL_SPV_TRUE ((dxil_spv_bool)1)
#define DXIL_SPV_FALSE ((dxil_spv_bool)0)

/* What a call came to. Everything but success is negative. */
typedef enum dxil_spv_result {
    DXIL_SPV_SUCCESS = 0,
    DXIL_SPV_ERROR_OUT_OF_MEMORY = -1,
    DXIL_SPV_ERROR_GENERIC = -2,
    DXIL_SPV_ERROR_UNSUPPORTED_FEATURE = -3,
    DXIL_SPV_ERROR_PARSER = -4,
    DXIL_SPV_ERROR_FAILED_VALIDATION = -5,
    DXIL_SPV_ERROR_INVALID_ARGUMENT = -6,
    DXIL_SPV_ERROR_NO_DATA = -7,
    DXIL_SPV_RESULT_INT_MAX = 0x7fffffff
} dxil_spv_result;

/* Stages. A library as a whole has none. */
typedef enum dxil_spv_shader_stage {
    DXIL_SPV_STAGE_UNKNOWN = 0,
    DXIL_SPV_STAGE_VERTEX = 1,
    DXIL_SPV_STAGE_HULL = 2,
    DXIL_SPV_STAGE_DOMAIN = 3,
    DXIL_SPV_STAGE_GEOMETRY = 4,
    DXIL_SPV_STAGE_PIXEL = 5,
    DXIL_SPV_STAGE_COMPUTE = 6,
    DXIL_SPV_STAGE_INTERSECTION = 7,
    DXIL_SPV_STAGE_CLOSEST_HIT = 8,
    DXIL_SPV_STAGE_MISS = 9,
    DXIL_SPV_STAGE_ANY_HIT = 10,
    DXIL_SPV_STAGE_RAY_GENERATION = 11,
    DXIL_SPV_STAGE_CALLABLE = 12,
    DXIL_SPV_STAGE_AMPLIFICATION = 13,
    DXIL_SPV_STAGE_MESH = 14,
    DXIL_SPV_STAGE_INT_MAX = 0x7fffffff
} dxil_spv_shader_stage;

/* A vertex input as the shader declares it. */
typedef struct dxil_spv_d3d_vertex_input {
    const char *semantic;
    unsigned semantic_index;
    unsigned start_row;
    unsigned rows;
} dxil_spv_d3d_vertex_input;

/* Its location. */
typedef struct dxil_spv_vulkan_vertex_input {
    unsigned location;
} dxil_spv_vulkan_vertex_input;

typedef dxil_spv_bool (*dxil_spv_vertex_input_remapper_cb)(
    void *userdata,
    const dxil_spv_d3d_vertex_input *d3d_input,
    dxil_spv_vulkan_vertex_input *vulkan_input);

/* An output that may be streamed out. */
typedef struct dxil_spv_d3d_stream_output {
    const char *semantic;
    unsigned semantic_index;
} dxil_spv_d3d_stream_output;

/* Where it is written: bytes in a vertex, bytes per vertex, buffer; or not at all. */
typedef struct dxil_spv_vulkan_stream_output {
    unsigned offset;
    unsigned stride;
    unsigned buffer_index;
    dxil_spv_bool enable;
} dxil_spv_vulkan_stream_output;

typedef dxil_spv_bool (*dxil_spv_stream_output_remapper_cb)(
    void *userdata,
    const dxil_spv_d3d_stream_output *d3d_output,
    dxil_spv_vulkan_stream_output *vulkan_output);

/* An input or output of a stage as the shader declares it. */
typedef struct dxil_spv_d3d_shader_stage_io {
    const char *semantic;
    unsigned semantic_index;
    unsigned start_row;
    unsigned rows;
} dxil_spv_d3d_shader_stage_io;

/* Flags of a stage input or output. */
enum dxil_spv_vulkan_shader_stage_io_flags {
    DXIL_SPV_SHADER_STAGE_IO_NONE = 0,
    DXIL_SPV_SHADER_STAGE_IO_PER_PRIMITIVE = 1
};

/* Its location, component and flags; the callback finds the default here and may change it. */
typedef struct dxil_spv_vulkan_shader_stage_io {
    unsigned location;
    unsigned component;
    unsigned flags;
} dxil_spv_vulkan_shader_stage_io;

typedef dxil_spv_bool (*dxil_spv_shader_stage_io_remapper_cb)(
    void *userdata,
    const dxil_spv_d3d_shader_stage_io *d3d_input,
    dxil_spv_vulkan_shader_stage_io *vulkan_variable);

/* Shapes of resources; DXIL's numbers. */
typedef enum dxil_spv_resource_kind {
    DXIL_SPV_RESOURCE_KIND_INVALID = 0,
    DXIL_SPV_RESOURCE_KIND_TEXTURE_1D = 1,
    DXIL_SPV_RESOURCE_KIND_TEXTURE_2D = 2,
    DXIL_SPV_RESOURCE_KIND_TEXTURE_2DMS = 3,
    DXIL_SPV_RESOURCE_KIND_TEXTURE_3D = 4,
    DXIL_SPV_RESOURCE_KIND_TEXTURE_CUBE = 5,
    DXIL_SPV_RESOURCE_KIND_TEXTURE_1D_ARRAY = 6,
    DXIL_SPV_RESOURCE_KIND_TEXTURE_2D_ARRAY = 7,
    DXIL_SPV_RESOURCE_KIND_TEXTURE_2D_MS_ARRAY = 8,
    DXIL_SPV_RESOURCE_KIND_TEXTURE_CUBE_ARRAY = 9,
    DXIL_SPV_RESOURCE_KIND_TYPED_BUFFER = 10,
    DXIL_SPV_RESOURCE_KIND_RAW_BUFFER = 11,
    DXIL_SPV_RESOURCE_KIND_STRUCTURED_BUFFER = 12,
    DXIL_SPV_RESOURCE_KIND_CONSTANT_BUFFER = 13,
    DXIL_SPV_RESOURCE_KIND_SAMPLER = 14,
    DXIL_SPV_RESOURCE_KIND_TBUFFER = 15,
    DXIL_SPV_RESOURCE_KIND_RT_ACCELERATION_STRUCTURE = 16,
    DXIL_SPV_RESOURCE_KIND_FEEDBACK_TEXTURE_2D = 17,
    DXIL_SPV_RESOURCE_KIND_FEEDBACK_TEXTURE_2D_ARRAY = 18,
    DXIL_SPV_RESOURCE_KIND_INT_MAX = 0x7fffffff
} dxil_spv_resource_kind;

/* Classes of resources; DXIL's numbers. */
typedef enum dxil_spv_resource_class {
    DXIL_SPV_RESOURCE_CLASS_SRV = 0,
    DXIL_SPV_RESOURCE_CLASS_UAV = 1,
    DXIL_SPV_RESOURCE_CLASS_CBV = 2,
    DXIL_SPV_RESOURCE_CLASS_SAMPLER = 3,
    DXIL_SPV_RESOURCE_CLASS_INT_MAX = 0x7fffffff
} dxil_spv_resource_class;

/* What a remapper wants a resource to be. IDENTITY is the natural choice: an image, a texel
 * buffer, a uniform buffer, a sampler. */
typedef enum dxil_spv_vulkan_descriptor_type {
    DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_IDENTITY = 0,
    DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_SSBO = 1,
    DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_TEXEL_BUFFER = 2,
    DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_BUFFER_DEVICE_ADDRESS = 3,
    DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_UBO = 4,
    DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_INPUT_ATTACHMENT = 5,
    DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_INT_MAX = 0x7fffffff
} dxil_spv_vulkan_descriptor_type;

/* Kinds of subobjects; the container's numbers. */
typedef enum dxil_spv_rdat_subobject_kind {
    DXIL_SPV_RDAT_SUBOBJECT_KIND_STATE_OBJECT_CONFIG = 0,
    DXIL_SPV_RDAT_SUBOBJECT_KIND_GLOBAL_ROOT_SIGNATURE = 1,
    DXIL_SPV_RDAT_SUBOBJECT_KIND_LOCAL_ROOT_SIGNATURE = 2,
    DXIL_SPV_RDAT_SUBOBJECT_KIND_SUBOBJECT_TO_EXPORTS_ASSOCIATION = 8,
    DXIL_SPV_RDAT_SUBOBJECT_KIND_RAYTRACING_SHADER_CONFIG = 9,
    DXIL_SPV_RDAT_SUBOBJECT_KIND_RAYTRACING_PIPELINE_CONFIG = 10,
    DXIL_SPV_RDAT_SUBOBJECT_KIND_HIT_GROUP = 11,
    DXIL_SPV_RDAT_SUBOBJECT_KIND_RAYTRACING_PIPELINE_CONFIG1 = 12,
    DXIL_SPV_RDAT_SUBOBJECT_TYPE_INT_MAX = 0x7fffffff
} dxil_spv_rdat_subobject_kind;

/* What a hit group is hit by. */
typedef enum dxil_spv_hit_group_type {
    DXIL_SPV_HIT_GROUP_TYPE_TRIANGLE = 0,
    DXIL_SPV_HIT_GROUP_TYPE_PROCEDURAL = 1,
    DXIL_SPV_HIT_GROUP_TYPE_INT_MAX = 0x7fffffff
} dxil_spv_hit_group_type;

/* Workarounds for shaders or drivers; docs/capi.md says what each does here. */
typedef enum dxil_spv_shader_quirk {
    DXIL_SPV_SHADER_QUIRK_NONE = 0,
    DXIL_SPV_SHADER_QUIRK_FORCE_DEVICE_MEMORY_BARRIERS_THREAD_GROUP_COHERENCE = 1,
    DXIL_SPV_SHADER_QUIRK_ASSUME_BROKEN_SUB_8x8_CUBE_MIPS = 2,
    DXIL_SPV_SHADER_QUIRK_ROBUST_PHYSICAL_CBV_FORWARDING = 3,
    DXIL_SPV_SHADER_QUIRK_MESH_OUTPUTS_ROBUSTNESS = 4,
    DXIL_SPV_SHADER_QUIRK_AGGRESSIVE_NONUNIFORM = 5,
    DXIL_SPV_SHADER_QUIRK_ROBUST_PHYSICAL_CBV = 6,
    DXIL_SPV_SHADER_QUIRK_PROMOTE_GROUP_TO_DEVICE_MEMORY_BARRIER = 7,
    DXIL_SPV_SHADER_QUIRK_GROUP_SHARED_AUTO_BARRIER = 8,
    DXIL_SPV_SHADER_QUIRK_FIXUP_LOOP_HEADER_UNDEF_PHIS = 9,
    DXIL_SPV_SHADER_QUIRK_FIXUP_RSQRT_INF_NAN = 10,
    DXIL_SPV_SHADER_QUIRK_IGNORE_PRIMITIVE_SHADING_RATE = 11,
    DXIL_SPV_SHADER_QUIRK_ROBUST_COMPUTE_QUAD_BROADCAST = 12,
    DXIL_SPV_SHADER_QUIRK_PRECISE_FMA = 13,
    DXIL_SPV_SHADER_QUIRK_CLAMP_WAVE_SIZE_TO_THREAD_GROUP_32 = 14,
    DXIL_SPV_SHADER_QUIRK_NON_SEMANTIC_SIGNAL_CONCURRENT_WORKGROUP = 15,
    DXIL_SPV_SHADER_QUIRK_FORCE_NONUNIFORM = 16,
    DXIL_SPV_SHADER_QUIRK_FORCE_DENORM_PRESERVE_FP16_CONVERSIONS = 17,
    DXIL_SPV_SHADER_QUIRK_INT_MAX = 0x7fffffff
} dxil_spv_shader_quirk;

/* Things that only the layer knows of. */
typedef enum dxil_spv_meta_descriptor {
    DXIL_SPV_META_DESCRIPTOR_RESOURCE_DESCRIPTOR_HEAP_SIZE = 0,
    DXIL_SPV_META_DESCRIPTOR_RAW_DESCRIPTOR_HEAP_VIEW = 1,
    DXIL_SPV_META_DESCRIPTOR_DYNAMIC_VIEW_INSTANCING_OFFSETS = 2,
    DXIL_SPV_META_DESCRIPTOR_DYNAMIC_VIEW_INSTANCING_MASK = 3,
    DXIL_SPV_META_DESCRIPTOR_INT_MAX = 0x7fffffff
} dxil_spv_meta_descriptor;

/* How such a thing is bound. */
typedef enum dxil_spv_meta_descriptor_kind {
    DXIL_SPV_META_DESCRIPTOR_KIND_INVALID = 0,
    DXIL_SPV_META_DESCRIPTOR_KIND_PUSH_CONSTANT = 1,
    DXIL_SPV_META_DESCRIPTOR_KIND_PUSH_BDA = 2,
    DXIL_SPV_META_DESCRIPTOR_KIND_UBO_CONTAINING_CONSTANT = 3,
    DXIL_SPV_META_DESCRIPTOR_KIND_UBO_CONTAINING_BDA = 4,
    DXIL_SPV_META_DESCRIPTOR_KIND_READONLY_SSBO = 5,
    DXIL_SPV_META_DESCRIPTOR_KIND_INT_MAX = 0x7fffffff
} dxil_spv_meta_descriptor_kind;

/* How a work graph node is started. */
typedef enum dxil_spv_node_launch_type {
    DXIL_SPV_NODE_LAUNCH_TYPE_INVALID = 0,
    DXIL_SPV_NODE_LAUNCH_TYPE_BROADCASTING = 1,
    DXIL_SPV_NODE_LAUNCH_TYPE_COALESCING = 2,
    DXIL_SPV_NODE_LAUNCH_TYPE_THREAD = 3,
    DXIL_SPV_NODE_LAUNCH_TYPE_INT_MAX = 0x7fffffff
} dxil_spv_node_launch_type;

/* A range of registers for which a remapper is called. Space, register and size are UINT_MAX for
 * resources that come directly from a descriptor heap. The alignment is 16 for raw buffers, the
 * largest power of two that divides the stride for structured buffers, and else 0. */
typedef struct dxil_spv_d3d_binding {
    dxil_spv_shader_stage stage;
    dxil_spv_resource_kind kind;
    unsigned resource_index;
    unsigned register_space;
    unsigned register_index;
    unsigned range_size;
    unsigned alignment;
} dxil_spv_d3d_binding;

/* Location of a range. With use_heap: set and binding of a descriptor array, whose index is the
 * word root_constant_index of the root constants (UINT_MAX: none) plus heap_root_offset. For a
 * device address, root_constant_index is the number of the root descriptor. */
typedef struct dxil_spv_vulkan_binding {
    unsigned set;
    unsigned binding;
    union {
        unsigned root_constant_index;
        unsigned input_attachment_index;
    };
    struct {
        unsigned heap_root_offset;
        dxil_spv_bool use_heap;
    } bindless;
    dxil_spv_vulkan_descriptor_type descriptor_type;
} dxil_spv_vulkan_binding;

/* A UAV; it may have a counter. */
typedef struct dxil_spv_uav_d3d_binding {
    dxil_spv_d3d_binding d3d_binding;
    dxil_spv_bool has_counter;
} dxil_spv_uav_d3d_binding;

/* Where an SRV lives. offset_binding is the table of ranges, where options ask for one. */
typedef struct dxil_spv_srv_vulkan_binding {
    dxil_spv_vulkan_binding buffer_binding;
    dxil_spv_vulkan_binding offset_binding;
} dxil_spv_srv_vulkan_binding;

/* Where a UAV and its counter live. */
typedef struct dxil_spv_uav_vulkan_binding {
    dxil_spv_vulkan_binding buffer_binding;
    dxil_spv_vulkan_binding counter_binding;
    dxil_spv_vulkan_binding offset_binding;
} dxil_spv_uav_vulkan_binding;

/* Where root constants begin, behind the root descriptors. */
typedef struct dxil_spv_push_constant_mapping {
    unsigned offset_in_words;
} dxil_spv_push_constant_mapping;

/* Where a constant buffer lives: a binding, or root constants. */
typedef struct dxil_spv_cbv_vulkan_binding {
    union {
        dxil_spv_vulkan_binding uniform_binding;
        dxil_spv_push_constant_mapping push_constant;
    } vulkan;
    dxil_spv_bool push_constant;
} dxil_spv_cbv_vulkan_binding;

/* A finished module; size is in bytes. */
typedef struct dxil_spv_compiled_spirv {
    const void *data;
    size_t size;
} dxil_spv_compiled_spirv;

typedef dxil_spv_bool (*dxil_spv_srv_remapper_cb)(
    void *userdata,
    const dxil_spv_d3d_binding *d3d_binding,
    dxil_spv_srv_vulkan_binding *vulkan_binding);

typedef dxil_spv_bool (*dxil_spv_sampler_remapper_cb)(
    void *userdata,
    const dxil_spv_d3d_binding *d3d_binding,
    dxil_spv_vulkan_binding *vulkan_binding);

typedef dxil_spv_bool (*dxil_spv_uav_remapper_cb)(
    void *userdata,
    const dxil_spv_uav_d3d_binding *d3d_uav_binding,
    dxil_spv_uav_vulkan_binding *vulkan_uav_binding);

typedef dxil_spv_bool (*dxil_spv_cbv_remapper_cb)(
    void *userdata,
    const dxil_spv_d3d_binding *d3d_uav_binding,
    dxil_spv_cbv_vulkan_binding *vulkan_uav_binding);

/* A subobject. Names and payload point into the bytes of the container. The exports of a hit group
 * are its any-hit, closest-hit and intersection shaders. The first export of an association is the
 * subobject, the others are the functions that it is associated with. */
typedef struct dxil_spv_rdat_subobject {
    dxil_spv_rdat_subobject_kind kind;
    const char *subobject_name;
    dxil_spv_hit_group_type hit_group_type;
    const char * const *exports;
    unsigned num_exports;
    unsigned args[2];
    const void *payload;
    size_t payload_size;
} dxil_spv_rdat_subobject;

/* Input of a work graph node. */
typedef struct dxil_spv_node_input_data {
    const char *node_id;
    unsigned payload_stride;
    dxil_spv_node_launch_type launch_type;
    unsigned node_array_index;
    unsigned dispatch_grid_offset;
    unsigned dispatch_grid_type_bits;
    unsigned dispatch_grid_components;
    unsigned broadcast_grid[3];
    unsigned thread_group_size_spec_id[3];
    unsigned max_broadcast_grid_spec_id[3];
    unsigned recursion_factor;
    unsigned coalesce_factor;
    const char *node_share_input_id;
    unsigned node_share_input_array_index;
    unsigned local_root_arguments_table_index;
    unsigned is_indirect_bda_stride_program_entry_spec_id;
    unsigned is_entry_point_spec_id;
    unsigned dispatch_grid_is_upper_bound_spec_id;
    unsigned is_static_broadcast_node_spec_id;
    dxil_spv_bool dispatch_grid_is_upper_bound;
    dxil_spv_bool node_track_rw_input_sharing;
    dxil_spv_bool is_program_entry;
} dxil_spv_node_input_data;

/* Output of a work graph node. */
typedef struct dxil_spv_node_output_data {
    const char *node_id;
    unsigned node_array_index;
    unsigned node_array_size;
    unsigned node_index_spec_constant_id;
    unsigned max_records;
    dxil_spv_bool sparse_array;
} dxil_spv_node_output_data;

/* Weights of log messages. */
typedef enum dxil_spv_log_level {
    DXIL_SPV_LOG_LEVEL_DEBUG = 0,
    DXIL_SPV_LOG_LEVEL_WARN = 1,
    DXIL_SPV_LOG_LEVEL_ERROR = 2,
    DXIL_SPV_LOG_LEVEL_INT_MAX = 0x7fffffff
} dxil_spv_log_level;

typedef void (*dxil_spv_log_cb)(
    void *userdata,
    dxil_spv_log_level,
    const char *);

#ifdef __cplusplus
}
#endif

#endif
