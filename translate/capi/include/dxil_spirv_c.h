/*
 * Names, numbers and layouts of this interface are those of dxil-spirv's public header:
 * Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation
 * SPDX-License-Identifier: MIT
 * The licence stands at the end of dxil_spirv_c.h and in THIRD-PARTY.md.
 */
/*
 * The C ABI of dxil-spirv at API version 2.74, as dxil-jit implements it (MIT OR Apache-2.0).
 *
 * Names, numbers and layouts are those of the interface, so that a program built against either
 * header works with either library. docs/capi.md describes what differs.
 *
 * Include this one: the types and the options are in two headers beside it.
 *
 * Handles and pointers may be null: the call then fails with DXIL_SPV_ERROR_INVALID_ARGUMENT or
 * does nothing. Use a handle from one thread at a time; different handles are independent.
 */
#ifndef DXIL_SPV_C_API_H
#define DXIL_SPV_C_API_H

#include <stddef.h>

#include "dxil_spirv_c_options.h"
#include "dxil_spirv_c_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DXIL_SPV_API_VERSION_MAJOR 2
#define DXIL_SPV_API_VERSION_MINOR 74
#define DXIL_SPV_API_VERSION_PATCH 0

#define DXIL_SPV_DESCRIPTOR_QA_INTERFACE_VERSION 2
#define DXIL_SPV_INSTRUCTION_INSTRUMENTATION_INTERFACE_VERSION 2

#ifndef DXIL_SPV_PUBLIC_API
#define DXIL_SPV_PUBLIC_API
#endif

/* Version of the API that the library has. */
DXIL_SPV_PUBLIC_API void dxil_spv_get_version(unsigned *major, unsigned *minor, unsigned *patch);

typedef struct dxil_spv_parsed_blob_s *dxil_spv_parsed_blob;

/* Parses a container. Subobjects point into data. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_parse_dxil_blob(
    const void *data,
    size_t size,
    dxil_spv_parsed_blob *blob);

/* Parses the reflection module of a container; DXIL_SPV_ERROR_NO_DATA where there is none. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_parse_reflection_dxil_blob(
    const void *data,
    size_t size,
    dxil_spv_parsed_blob *blob);

/* Parses bare bitcode. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_parse_dxil(
    const void *data,
    size_t size,
    dxil_spv_parsed_blob *blob);

/* Prints the module to stderr. */
DXIL_SPV_PUBLIC_API void dxil_spv_parsed_blob_dump_llvm_ir(dxil_spv_parsed_blob blob);

/* The module as text; it lives as long as the blob. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_parsed_blob_get_disassembled_ir(
    dxil_spv_parsed_blob blob,
    const char **str);

/* The bitcode; it lives as long as the blob. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_parsed_blob_get_raw_ir(
    dxil_spv_parsed_blob blob,
    const void **data,
    size_t *size);

/* Stage of the first entry point. */
DXIL_SPV_PUBLIC_API dxil_spv_shader_stage dxil_spv_parsed_blob_get_shader_stage(
    dxil_spv_parsed_blob blob);

/* Stage of an entry point by either of its names. */
DXIL_SPV_PUBLIC_API dxil_spv_shader_stage dxil_spv_parsed_blob_get_shader_stage_for_entry(
    dxil_spv_parsed_blob blob,
    const char *entry);

/* Number of an entry point by either of its names. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_parsed_blob_get_entry_index_by_name(
    dxil_spv_parsed_blob blob,
    const char *entry,
    unsigned *index);

/* Number of entry points. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_parsed_blob_get_num_entry_points(
    dxil_spv_parsed_blob blob,
    unsigned *count);

/* Name of an entry point as the module has it. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_parsed_blob_get_entry_point_name(
    dxil_spv_parsed_blob blob,
    unsigned index,
    const char **mangled_entry);

/* Name of an entry point as the source has it. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_parsed_blob_get_entry_point_demangled_name(
    dxil_spv_parsed_blob blob,
    unsigned index,
    const char **demangled_entry);

/* Input of an entry point that is a work graph node. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_parsed_blob_get_entry_point_node_input(
    dxil_spv_parsed_blob blob,
    unsigned index,
    dxil_spv_node_input_data *data);

/* Number of its outputs. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_parsed_blob_get_entry_point_num_node_outputs(
    dxil_spv_parsed_blob blob,
    unsigned index,
    unsigned *num_outputs);

/* One of its outputs. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_parsed_blob_get_entry_point_node_output(
    dxil_spv_parsed_blob blob,
    unsigned index,
    unsigned output_index,
    dxil_spv_node_output_data *data);

/* Shows the remappers every declared resource. Answers are thrown away. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_parsed_blob_scan_resources(
    dxil_spv_parsed_blob blob,
    dxil_spv_srv_remapper_cb srv_remapper,
    dxil_spv_sampler_remapper_cb sampler_remapper,
    dxil_spv_cbv_remapper_cb cbv_remapper,
    dxil_spv_uav_remapper_cb uav_remapper,
    void *userdata);

/* Number of subobjects in the container. */
DXIL_SPV_PUBLIC_API unsigned dxil_spv_parsed_blob_get_num_rdat_subobjects(
    dxil_spv_parsed_blob blob);

/* One of them. */
DXIL_SPV_PUBLIC_API void dxil_spv_parsed_blob_get_rdat_subobject(
    dxil_spv_parsed_blob blob,
    unsigned index,
    dxil_spv_rdat_subobject *subobject);

/* Frees a blob; null is fine. */
DXIL_SPV_PUBLIC_API void dxil_spv_parsed_blob_free(dxil_spv_parsed_blob blob);

/* Sets the calling thread's log callback. Messages end with a newline. */
DXIL_SPV_PUBLIC_API void dxil_spv_set_thread_log_callback(dxil_spv_log_cb callback, void *userdata);

typedef struct dxil_spv_converter_s *dxil_spv_converter;

/* Makes a converter for a blob. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_create_converter(
    dxil_spv_parsed_blob blob,
    dxil_spv_converter *converter);

/* The same, with a reflection module; null is none. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_create_converter_with_reflection(
    dxil_spv_parsed_blob blob,
    dxil_spv_parsed_blob reflection_blob,
    dxil_spv_converter *converter);

/* Frees a converter; null is fine. */
DXIL_SPV_PUBLIC_API void dxil_spv_converter_free(dxil_spv_converter converter);

/* Chooses the entry point by either of its names; null is the first. */
DXIL_SPV_PUBLIC_API void dxil_spv_converter_set_entry_point(
    dxil_spv_converter converter,
    const char *entry_point);

DXIL_SPV_PUBLIC_API void dxil_spv_converter_set_stage_input_remapper(
    dxil_spv_converter converter,
    dxil_spv_shader_stage_io_remapper_cb remapper,
    void *userdata);

DXIL_SPV_PUBLIC_API void dxil_spv_converter_set_stage_output_remapper(
    dxil_spv_converter converter,
    dxil_spv_shader_stage_io_remapper_cb remapper,
    void *userdata);

DXIL_SPV_PUBLIC_API void dxil_spv_converter_set_vertex_input_remapper(
    dxil_spv_converter converter,
    dxil_spv_vertex_input_remapper_cb remapper,
    void *userdata);

DXIL_SPV_PUBLIC_API void dxil_spv_converter_set_stream_output_remapper(
    dxil_spv_converter converter,
    dxil_spv_stream_output_remapper_cb remapper,
    void *userdata);

DXIL_SPV_PUBLIC_API void dxil_spv_converter_set_srv_remapper(
    dxil_spv_converter converter,
    dxil_spv_srv_remapper_cb remapper,
    void *userdata);

DXIL_SPV_PUBLIC_API void dxil_spv_converter_set_sampler_remapper(
    dxil_spv_converter converter,
    dxil_spv_sampler_remapper_cb remapper,
    void *userdata);

/* Words of root constants and table indices behind the root descriptors. */
DXIL_SPV_PUBLIC_API void dxil_spv_converter_set_root_constant_word_count(
    dxil_spv_converter converter,
    unsigned num_words);

/* Root descriptors: two words each, in front of the root constants. */
DXIL_SPV_PUBLIC_API void dxil_spv_converter_set_root_descriptor_count(
    dxil_spv_converter converter,
    unsigned count);

DXIL_SPV_PUBLIC_API void dxil_spv_converter_set_uav_remapper(
    dxil_spv_converter converter,
    dxil_spv_uav_remapper_cb remapper,
    void *userdata);

DXIL_SPV_PUBLIC_API void dxil_spv_converter_set_cbv_remapper(
    dxil_spv_converter converter,
    dxil_spv_cbv_remapper_cb remapper,
    void *userdata);

DXIL_SPV_PUBLIC_API void dxil_spv_converter_add_local_root_constants(
    dxil_spv_converter converter,
    unsigned register_space,
    unsigned register_index,
    unsigned num_words);

DXIL_SPV_PUBLIC_API void dxil_spv_converter_add_local_root_descriptor(
    dxil_spv_converter converter,
    dxil_spv_resource_class resource_class,
    unsigned register_space,
    unsigned register_index);

DXIL_SPV_PUBLIC_API void dxil_spv_converter_add_local_root_descriptor_table(
    dxil_spv_converter converter,
    dxil_spv_resource_class resource_class,
    unsigned register_space,
    unsigned register_index,
    unsigned num_descriptors_in_range,
    unsigned offset_in_heap);

/* Begins a table of a local root signature; ranges are added to it until it ends. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_converter_begin_local_root_descriptor_table(
    dxil_spv_converter converter);

DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_converter_end_local_root_descriptor_table(
    dxil_spv_converter converter);

/* Says where a root parameter lies, for debug information. */
DXIL_SPV_PUBLIC_API void dxil_spv_converter_add_root_parameter_mapping(
    dxil_spv_converter converter,
    unsigned root_parameter_index,
    unsigned offset);

/* Says which descriptor a root parameter is, for debug information. */
DXIL_SPV_PUBLIC_API void dxil_spv_converter_add_root_descriptor_mapping(
    dxil_spv_converter converter,
    unsigned root_parameter_index,
    unsigned desc_set,
    unsigned binding);

/* Adds bytes to the debug information. They are read when the converter runs. */
DXIL_SPV_PUBLIC_API void dxil_spv_converter_add_non_semantic_debug_info(
    dxil_spv_converter converter,
    const char *tag,
    const void *data,
    size_t size);

/* Location of a domain shader's first patch constant, as its hull shader has it. */
DXIL_SPV_PUBLIC_API void dxil_spv_converter_set_patch_location_offset(
    dxil_spv_converter converter,
    unsigned offset);

/* Translates. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_converter_run(dxil_spv_converter converter);

/* The module; it lives as long as the converter. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_converter_get_compiled_spirv(
    dxil_spv_converter converter,
    dxil_spv_compiled_spirv *compiled);

/* Name of the module's entry point. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_converter_get_compiled_entry_point(
    dxil_spv_converter converter,
    const char **entry_point);

/* Whether the library knows an option. */
DXIL_SPV_PUBLIC_API dxil_spv_bool dxil_spv_converter_supports_option(dxil_spv_option option);

/* Adds an option. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_converter_add_option(
    dxil_spv_converter converter,
    const dxil_spv_option_base *option);

/* After a run: whether the module reads the subgroup's size. */
DXIL_SPV_PUBLIC_API dxil_spv_bool dxil_spv_converter_uses_subgroup_size(
    dxil_spv_converter converter);

/* After a run: threads per group. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_converter_get_compute_workgroup_dimensions(
    dxil_spv_converter converter,
    unsigned *x,
    unsigned *y,
    unsigned *z);

/* After a run: the only subgroup size that will do; 0 is any. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_converter_get_compute_required_wave_size(
    dxil_spv_converter converter,
    unsigned *wave_size);

/* After a run: least, most and preferred lanes; 0 is unsaid. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_converter_get_compute_wave_size_range(
    dxil_spv_converter converter,
    unsigned *wave_size,
    unsigned *wave_size_max,
    unsigned *wave_size_preferred);

/* After a run: most lanes that make sense; 0 is unsaid. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_converter_get_compute_heuristic_max_wave_size(
    dxil_spv_converter converter,
    unsigned *wave_size);

/* After a run: least lanes that make sense; 0 is unsaid. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_converter_get_compute_heuristic_min_wave_size(
    dxil_spv_converter converter,
    unsigned *wave_size);

/* After a run: control points per input patch of a hull shader. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_converter_get_patch_vertex_count(
    dxil_spv_converter converter,
    unsigned *patch_vertices);

/* After a run: location of a hull shader's first patch constant. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_converter_get_patch_location_offset(
    dxil_spv_converter converter,
    unsigned *patch_location_offset);

/* After a run: whether the module uses a feature. */
DXIL_SPV_PUBLIC_API dxil_spv_bool dxil_spv_converter_uses_shader_feature(
    dxil_spv_converter converter,
    dxil_spv_shader_feature feature);

/* After a run: whether the module can be used with multiview as it is. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_converter_is_multiview_compatible(
    dxil_spv_converter converter,
    dxil_spv_bool *result);

/* After a run: lint findings for the shader, or null. */
DXIL_SPV_PUBLIC_API const char *dxil_spv_converter_get_analysis_warnings(
    dxil_spv_converter converter);

/* Says where something lives that only the layer knows of. */
DXIL_SPV_PUBLIC_API dxil_spv_result dxil_spv_converter_set_meta_descriptor(
    dxil_spv_converter converter,
    dxil_spv_meta_descriptor meta,
    dxil_spv_meta_descriptor_kind kind,
    unsigned desc_set,
    unsigned binding_or_push_index);

/* What the thread makes from here on is gone when the context ends. */
DXIL_SPV_PUBLIC_API void dxil_spv_begin_thread_allocator_context(void);

/* Ends the context. */
DXIL_SPV_PUBLIC_API void dxil_spv_end_thread_allocator_context(void);

/* Ends the context and begins another. */
DXIL_SPV_PUBLIC_API void dxil_spv_reset_thread_allocator_context(void);

#ifdef __cplusplus
}
#endif

#endif

/*
 * The licence of dxil-spirv, whose interface this is:
 *
 * Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation
 *
 * Permission is hereby granted, free of charge, to any person obtaining
 * a copy of this software and associated documentation files (the
 * "Software"), to deal in the Software without restriction, including
 * without limitation the rights to use, copy, modify, merge, publish,
 * distribute, sublicense, and/or sell copies of the Software, and to
 * permit persons to whom the Software is furnished to do so, subject to
 * the following conditions:
 *
 * The above copyright notice and this permission notice shall be
 * included in all copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND,
 * EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
 * MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.
 * IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
 * CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT,
 * TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
 * SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
