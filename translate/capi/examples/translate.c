/*
 * Translates shaders as a D3D12-on-Vulkan layer does: an allocator context for each, callbacks that
 * map registers to sets and bindings, the options of a common device.
 *
 *   cc -std=c11 -Iinclude examples/translate.c -ldxil-spirv-c-shared -o translate
 *   ./translate SHADER...
 *
 * Prints how many were translated, and how many words the modules have. Exits with 1 if a file
 * cannot be read.
 */
#include "dxil_spirv_c.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAP_SET = 10, COUNTER_SET = 11, SETS = 8 };

/* Resources from the descriptor heaps have no register, and so the maximum as space. */
static void place(const dxil_spv_d3d_binding *d3d, unsigned register_class,
                  dxil_spv_vulkan_binding *vk)
{
    if (d3d->register_space == ~0u) {
        vk->set = HEAP_SET;
        vk->binding = register_class;
        vk->bindless.use_heap = DXIL_SPV_TRUE;
        vk->root_constant_index = ~0u;
    } else {
        vk->set = d3d->register_space % SETS;
        vk->binding = d3d->register_index * 4 + register_class;
    }
    if (d3d->kind == DXIL_SPV_RESOURCE_KIND_RAW_BUFFER
        || d3d->kind == DXIL_SPV_RESOURCE_KIND_STRUCTURED_BUFFER)
        vk->descriptor_type = DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_SSBO;
}

static dxil_spv_bool srv(void *userdata, const dxil_spv_d3d_binding *d3d,
                         dxil_spv_srv_vulkan_binding *vk)
{
    (void)userdata;
    place(d3d, 0, &vk->buffer_binding);
    return DXIL_SPV_TRUE;
}

static dxil_spv_bool uav(void *userdata, const dxil_spv_uav_d3d_binding *d3d,
                         dxil_spv_uav_vulkan_binding *vk)
{
    (void)userdata;
    place(&d3d->d3d_binding, 1, &vk->buffer_binding);
    vk->counter_binding = vk->buffer_binding;
    vk->counter_binding.set = COUNTER_SET;
    vk->counter_binding.descriptor_type = DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_SSBO;
    return DXIL_SPV_TRUE;
}

static dxil_spv_bool cbv(void *userdata, const dxil_spv_d3d_binding *d3d,
                         dxil_spv_cbv_vulkan_binding *vk)
{
    (void)userdata;
    place(d3d, 2, &vk->vulkan.uniform_binding);
    return DXIL_SPV_TRUE;
}

static dxil_spv_bool sampler(void *userdata, const dxil_spv_d3d_binding *d3d,
                             dxil_spv_vulkan_binding *vk)
{
    (void)userdata;
    place(d3d, 3, vk);
    return DXIL_SPV_TRUE;
}

static void ignore(void *userdata, dxil_spv_log_level level, const char *message)
{
    (void)userdata;
    (void)level;
    (void)message;
}

static void set_options(dxil_spv_converter converter)
{
    const dxil_spv_option_shader_demote_to_helper demote = {
        { DXIL_SPV_OPTION_SHADER_DEMOTE_TO_HELPER }, DXIL_SPV_TRUE
    };
    const dxil_spv_option_typed_uav_read_without_format typed_loads = {
        { DXIL_SPV_OPTION_TYPED_UAV_READ_WITHOUT_FORMAT }, DXIL_SPV_TRUE
    };
    const dxil_spv_option_physical_storage_buffer addresses = {
        { DXIL_SPV_OPTION_PHYSICAL_STORAGE_BUFFER }, DXIL_SPV_TRUE
    };
    const dxil_spv_option_barycentric_khr barycentrics = {
        { DXIL_SPV_OPTION_BARYCENTRIC_KHR }, DXIL_SPV_TRUE
    };
    const dxil_spv_option_base *options[] = {
        &demote.base, &typed_loads.base, &addresses.base, &barycentrics.base
    };
    size_t i;
    for (i = 0; i < sizeof options / sizeof *options; i++)
        dxil_spv_converter_add_option(converter, options[i]);
}

/* Returns the number of words, or 0 if the shader is refused. */
static size_t translate(const void *bytes, size_t size, dxil_spv_bool maps_registers)
{
    dxil_spv_parsed_blob blob;
    dxil_spv_converter converter;
    dxil_spv_compiled_spirv module;
    size_t words = 0;

    dxil_spv_begin_thread_allocator_context();
    if (dxil_spv_parse_dxil_blob(bytes, size, &blob) == DXIL_SPV_SUCCESS) {
        if (dxil_spv_create_converter(blob, &converter) == DXIL_SPV_SUCCESS) {
            set_options(converter);
            if (maps_registers) {
                dxil_spv_converter_set_srv_remapper(converter, srv, NULL);
                dxil_spv_converter_set_uav_remapper(converter, uav, NULL);
                dxil_spv_converter_set_cbv_remapper(converter, cbv, NULL);
                dxil_spv_converter_set_sampler_remapper(converter, sampler, NULL);
            }
            if (dxil_spv_converter_run(converter) == DXIL_SPV_SUCCESS
                && dxil_spv_converter_get_compiled_spirv(converter, &module) == DXIL_SPV_SUCCESS)
                words = module.size / sizeof(uint32_t);
            dxil_spv_converter_free(converter);
        }
        dxil_spv_parsed_blob_free(blob);
    }
    dxil_spv_end_thread_allocator_context();
    return words;
}

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    void *bytes = NULL;
    long end;

    if (file && !fseek(file, 0, SEEK_END) && (end = ftell(file)) > 0) {
        *size = (size_t)end;
        rewind(file);
        bytes = malloc(*size);
        if (bytes && fread(bytes, 1, *size, file) != *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (file)
        fclose(file);
    return bytes;
}

int main(int count, char **paths)
{
    size_t words = 0;
    int translated = 0;
    int i;

    dxil_spv_set_thread_log_callback(ignore, NULL);
    for (i = 1; i < count; i++) {
        size_t size, mapped, unmapped;
        void *bytes = read_file(paths[i], &size);
        if (!bytes) {
            fprintf(stderr, "%s cannot be read\n", paths[i]);
            return 1;
        }
        mapped = translate(bytes, size, DXIL_SPV_TRUE);
        /* Without callbacks, registers become bindings. */
        unmapped = translate(bytes, size, DXIL_SPV_FALSE);
        translated += mapped && unmapped;
        words += mapped + unmapped;
        free(bytes);
    }
    printf("%d of %d shaders, %lu words\n", translated, count - 1, (unsigned long)words);
    return 0;
}
