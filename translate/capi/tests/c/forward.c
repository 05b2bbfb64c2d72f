/*
 * A DXBC container goes to the library that DXIL_JIT_DXBC_LIBRARY names, with everything said about it.
 *
 *   forward yes|no        whether there is such a library
 */
#include "dxil_spirv_c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);   \
            exit(1);                                                                  \
        }                                                                             \
    } while (0)

static dxil_spv_bool srv(void *userdata, const dxil_spv_d3d_binding *d3d, dxil_spv_srv_vulkan_binding *vk)
{
    (void)userdata;
    (void)d3d;
    (void)vk;
    return DXIL_SPV_TRUE;
}

static void on_log(void *userdata, dxil_spv_log_level level, const char *message)
{
    if (level == DXIL_SPV_LOG_LEVEL_ERROR && strstr(message, "DXBC"))
        *(int *)userdata += 1;
}

int main(int argc, char **argv)
{
    /* A header, one part: SHEX with a word of code. */
    unsigned container[12] = { 0x43425844, 0, 0, 0, 0, 1, 48, 1, 36, 0x58454853, 4, 0 };
    dxil_spv_parsed_blob blob = NULL;
    dxil_spv_converter converter = NULL;
    dxil_spv_compiled_spirv compiled = { NULL, 0 };
    int errors = 0, forwards = argc == 2 && strcmp(argv[1], "yes") == 0;

    dxil_spv_set_thread_log_callback(on_log, &errors);
    dxil_spv_begin_thread_allocator_context();
    if (forwards) {
        CHECK(dxil_spv_parse_dxil_blob(container, sizeof(container), &blob) == DXIL_SPV_SUCCESS);
        CHECK(dxil_spv_parsed_blob_get_shader_stage(blob) == DXIL_SPV_STAGE_PIXEL);
        CHECK(dxil_spv_create_converter(blob, &converter) == DXIL_SPV_SUCCESS);
        CHECK(dxil_spv_converter_run(converter) == DXIL_SPV_ERROR_GENERIC);
        dxil_spv_converter_set_srv_remapper(converter, srv, &errors);
        CHECK(dxil_spv_converter_run(converter) == DXIL_SPV_SUCCESS);
        CHECK(dxil_spv_converter_get_compiled_spirv(converter, &compiled) == DXIL_SPV_SUCCESS);
        CHECK(compiled.size == 8 && ((const unsigned *)compiled.data)[1] == 42);
        CHECK(errors == 0);
        dxil_spv_converter_free(converter);
        dxil_spv_parsed_blob_free(blob);
    } else {
        CHECK(dxil_spv_parse_dxil_blob(container, sizeof(container), &blob) == DXIL_SPV_ERROR_UNSUPPORTED_FEATURE);
        CHECK(!blob && errors == 1);
    }
    dxil_spv_end_thread_allocator_context();
    puts("fine");
    return 0;
}
