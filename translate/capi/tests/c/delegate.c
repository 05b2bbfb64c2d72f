/*
 * A library with the ABI's names that pretends to translate DXBC: what the handles of forward.c go to.
 */
#include <stddef.h>
#include <stdlib.h>

/* The other functions are there, and nobody may call them with effect. */
#define STUB(name) int name(void) { return -7; }

STUB(dxil_spv_get_version)
STUB(dxil_spv_parse_reflection_dxil_blob)
STUB(dxil_spv_parse_dxil)
STUB(dxil_spv_parsed_blob_dump_llvm_ir)
STUB(dxil_spv_parsed_blob_get_disassembled_ir)
STUB(dxil_spv_parsed_blob_get_raw_ir)
STUB(dxil_spv_parsed_blob_get_shader_stage_for_entry)
STUB(dxil_spv_parsed_blob_get_entry_index_by_name)
STUB(dxil_spv_parsed_blob_get_num_entry_points)
STUB(dxil_spv_parsed_blob_get_entry_point_name)
STUB(dxil_spv_parsed_blob_get_entry_point_demangled_name)
STUB(dxil_spv_parsed_blob_get_entry_point_node_input)
STUB(dxil_spv_parsed_blob_get_entry_point_num_node_outputs)
STUB(dxil_spv_parsed_blob_get_entry_point_node_output)
STUB(dxil_spv_parsed_blob_scan_resources)
STUB(dxil_spv_parsed_blob_get_num_rdat_subobjects)
STUB(dxil_spv_parsed_blob_get_rdat_subobject)
STUB(dxil_spv_set_thread_log_callback)
STUB(dxil_spv_create_converter)
STUB(dxil_spv_converter_set_entry_point)
STUB(dxil_spv_converter_set_stage_input_remapper)
STUB(dxil_spv_converter_set_stage_output_remapper)
STUB(dxil_spv_converter_set_vertex_input_remapper)
STUB(dxil_spv_converter_set_stream_output_remapper)
STUB(dxil_spv_converter_set_sampler_remapper)
STUB(dxil_spv_converter_set_root_constant_word_count)
STUB(dxil_spv_converter_set_root_descriptor_count)
STUB(dxil_spv_converter_set_uav_remapper)
STUB(dxil_spv_converter_set_cbv_remapper)
STUB(dxil_spv_converter_add_local_root_constants)
STUB(dxil_spv_converter_add_local_root_descriptor)
STUB(dxil_spv_converter_add_local_root_descriptor_table)
STUB(dxil_spv_converter_begin_local_root_descriptor_table)
STUB(dxil_spv_converter_end_local_root_descriptor_table)
STUB(dxil_spv_converter_add_root_parameter_mapping)
STUB(dxil_spv_converter_add_root_descriptor_mapping)
STUB(dxil_spv_converter_add_non_semantic_debug_info)
STUB(dxil_spv_converter_set_patch_location_offset)
STUB(dxil_spv_converter_get_compiled_entry_point)
STUB(dxil_spv_converter_supports_option)
STUB(dxil_spv_converter_add_option)
STUB(dxil_spv_converter_uses_subgroup_size)
STUB(dxil_spv_converter_get_compute_workgroup_dimensions)
STUB(dxil_spv_converter_get_compute_required_wave_size)
STUB(dxil_spv_converter_get_compute_wave_size_range)
STUB(dxil_spv_converter_get_compute_heuristic_max_wave_size)
STUB(dxil_spv_converter_get_compute_heuristic_min_wave_size)
STUB(dxil_spv_converter_get_patch_vertex_count)
STUB(dxil_spv_converter_get_patch_location_offset)
STUB(dxil_spv_converter_uses_shader_feature)
STUB(dxil_spv_converter_is_multiview_compatible)
STUB(dxil_spv_converter_get_analysis_warnings)
STUB(dxil_spv_converter_set_meta_descriptor)
STUB(dxil_spv_reset_thread_allocator_context)

struct words {
    const void *data;
    size_t size;
};

static int blob, converter, contexts, remapper_set;
static const unsigned module[2] = { 0x07230203, 42 };

int dxil_spv_parse_dxil_blob(const void *data, size_t size, void **out)
{
    (void)data;
    if (contexts != 1 || size != 48)
        abort();
    *out = &blob;
    return 0;
}

int dxil_spv_parsed_blob_get_shader_stage(void *handle)
{
    return handle == &blob ? 5 : 0;
}

void dxil_spv_parsed_blob_free(void *handle)
{
    if (handle != &blob)
        abort();
}

int dxil_spv_create_converter_with_reflection(void *handle, void *reflection, void **out)
{
    if (handle != &blob || reflection)
        abort();
    *out = &converter;
    return 0;
}

void dxil_spv_converter_set_srv_remapper(void *handle, void *remapper, void *userdata)
{
    if (handle != &converter || !remapper || !userdata)
        abort();
    remapper_set = 1;
}

int dxil_spv_converter_run(void *handle)
{
    return handle == &converter && remapper_set ? 0 : -2;
}

int dxil_spv_converter_get_compiled_spirv(void *handle, struct words *out)
{
    if (handle != &converter)
        abort();
    out->data = module;
    out->size = sizeof(module);
    return 0;
}

void dxil_spv_converter_free(void *handle)
{
    if (handle != &converter)
        abort();
}

void dxil_spv_begin_thread_allocator_context(void)
{
    contexts++;
}

void dxil_spv_end_thread_allocator_context(void)
{
    contexts--;
}
