/*
 * Translates a DXBC container as a layer does.
 *
 *   dxbc SHADER.dxbc OUT.spv
 *
 * The shader is hwtests/shaders/bindings/spaces.hlsl as shader model 5.1. Exits with 0 if
 * everything is as it should be.
 */
#include "dxil_spirv_c.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dxil_spv_bool srv(void *userdata, const dxil_spv_d3d_binding *d3d,
                         dxil_spv_srv_vulkan_binding *vk)
{
    static const unsigned spaces[3] = { 0, 1, 7 };
    unsigned *asked = userdata;
    CHECK(*asked < 3 && d3d->register_space == spaces[*asked]);
    CHECK(d3d->register_index == 0 && d3d->range_size == 1 && d3d->resource_index == *asked);
    CHECK(d3d->stage == DXIL_SPV_STAGE_COMPUTE && d3d->alignment == 4);
    CHECK(d3d->kind == DXIL_SPV_RESOURCE_KIND_STRUCTURED_BUFFER);
    vk->buffer_binding.descriptor_type = DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_SSBO;
    vk->buffer_binding.set = 0;
    vk->buffer_binding.binding = (*asked)++;
    return DXIL_SPV_TRUE;
}

static dxil_spv_bool uav(void *userdata, const dxil_spv_uav_d3d_binding *d3d,
                         dxil_spv_uav_vulkan_binding *vk)
{
    CHECK(*(unsigned *)userdata == 3);
    CHECK(d3d->d3d_binding.register_space == 3 && !d3d->has_counter);
    vk->buffer_binding.descriptor_type = DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_SSBO;
    vk->buffer_binding.set = 1;
    vk->buffer_binding.binding = 0;
    return DXIL_SPV_TRUE;
}

int main(int argc, char **argv)
{
    static unsigned char shader[1 << 16];
    dxil_spv_parsed_blob blob = NULL, reflection = NULL;
    dxil_spv_converter converter = NULL;
    dxil_spv_compiled_spirv compiled = { NULL, 0 };
    unsigned asked = 0, x = 0, y = 0, z = 0;
    size_t size;
    FILE *file;

    CHECK(argc == 3);
    size = load_file(argv[1], shader, sizeof(shader));
    CHECK(dxil_spv_parse_reflection_dxil_blob(shader, size, &reflection) == DXIL_SPV_ERROR_NO_DATA);
    CHECK(dxil_spv_parse_dxil_blob(shader, size, &blob) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_parsed_blob_get_shader_stage(blob) == DXIL_SPV_STAGE_COMPUTE);
    CHECK(dxil_spv_create_converter_with_reflection(blob, NULL, &converter) == DXIL_SPV_SUCCESS);
    dxil_spv_parsed_blob_free(blob);
    dxil_spv_converter_set_srv_remapper(converter, srv, &asked);
    dxil_spv_converter_set_uav_remapper(converter, uav, &asked);
    CHECK(dxil_spv_converter_run(converter) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_get_compiled_spirv(converter, &compiled) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_get_compute_workgroup_dimensions(converter, &x, &y,
                                                              &z) == DXIL_SPV_SUCCESS);
    CHECK(x == 16 && y == 1 && z == 1);
    file = fopen(argv[2], "wb");
    CHECK(file && fwrite(compiled.data, 1, compiled.size, file) == compiled.size);
    fclose(file);
    dxil_spv_converter_free(converter);
    puts("fine");
    return 0;
}
