/*
 * Says which library it runs with, and translates a shader if that library can.
 *
 *   layer SHADER.dxil
 */
#include <dxil_spirv_c.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static unsigned char shader[1 << 16];
    dxil_spv_parsed_blob blob = NULL;
    dxil_spv_converter converter = NULL;
    dxil_spv_compiled_spirv compiled = { NULL, 0 };
    unsigned count = 0;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    size_t size;

    if (!file)
        return 2;
    size = fread(shader, 1, sizeof(shader), file);
    fclose(file);
    /* tests/c/other_library.c answers this with a number of its own. */
    if (dxil_spv_converter_get_patch_vertex_count(NULL,
                                                  &count) != DXIL_SPV_ERROR_INVALID_ARGUMENT) {
        puts("another library");
        return 0;
    }
    if (dxil_spv_parse_dxil_blob(shader, size, &blob) != DXIL_SPV_SUCCESS
        || dxil_spv_create_converter(blob, &converter) != DXIL_SPV_SUCCESS
        || dxil_spv_converter_run(converter) != DXIL_SPV_SUCCESS
        || dxil_spv_converter_get_compiled_spirv(converter, &compiled) != DXIL_SPV_SUCCESS)
        return 1;
    printf("SPIR-V %08x\n", *(const unsigned *)compiled.data);
    dxil_spv_converter_free(converter);
    dxil_spv_parsed_blob_free(blob);
    return 0;
}
