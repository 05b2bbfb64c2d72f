/*
 * Allocator contexts: what a thread makes between begin and end is gone after, and nothing else is.
 *
 *   arena SHADER.dxil
 */
#include "dxil_spirv_c.h"
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

static unsigned char shader[1 << 16];
static size_t shader_size;

/* Makes a blob with its text and a converter that has run; gives the converter's words. */
static const unsigned *make(dxil_spv_parsed_blob *blob, dxil_spv_converter *converter)
{
    dxil_spv_compiled_spirv compiled = { NULL, 0 };
    const char *text = NULL;
    CHECK(dxil_spv_parse_dxil_blob(shader, shader_size, blob) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_parsed_blob_get_disassembled_ir(*blob, &text) == DXIL_SPV_SUCCESS && text[0]);
    CHECK(dxil_spv_create_converter(*blob, converter) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_run(*converter) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_get_compiled_spirv(*converter, &compiled) == DXIL_SPV_SUCCESS);
    return compiled.data;
}

/* Bytes in use; 0 where the C library's allocator is another one. */
static size_t in_use(void)
{
#ifdef __GLIBC__
    return mallinfo2().uordblks;
#else
    return 0;
#endif
}

static void *leave_open(void *unused)
{
    dxil_spv_parsed_blob blob;
    dxil_spv_converter converter;
    (void)unused;
    dxil_spv_begin_thread_allocator_context();
    make(&blob, &converter);
    return NULL;
}

static void *use_own(void *unused)
{
    dxil_spv_parsed_blob blob;
    dxil_spv_converter converter;
    (void)unused;
    /* This thread has no context: what another one ends is not ours. */
    CHECK(make(&blob, &converter)[0] == 0x07230203);
    dxil_spv_end_thread_allocator_context();
    CHECK(dxil_spv_parsed_blob_get_shader_stage(blob) == DXIL_SPV_STAGE_COMPUTE);
    dxil_spv_converter_free(converter);
    dxil_spv_parsed_blob_free(blob);
    return NULL;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    dxil_spv_parsed_blob before, blob;
    dxil_spv_converter before_converter, converter;
    pthread_t thread;
    size_t used, one;
    int i;

    CHECK(file);
    shader_size = fread(shader, 1, sizeof(shader), file);
    fclose(file);

    /* A handle from before a context, and what it gave, live through it. */
    const unsigned *words = make(&before, &before_converter);
    dxil_spv_begin_thread_allocator_context();
    make(&blob, &converter);
    dxil_spv_reset_thread_allocator_context();
    /* The context goes on: it may be filled again, */
    make(&blob, &converter);
    /* some of it may be freed by hand, */
    dxil_spv_converter_free(converter);
    /* and one that begins in it ends it. */
    dxil_spv_begin_thread_allocator_context();
    make(&blob, &converter);
    dxil_spv_parsed_blob_free(blob);
    /* A converter does not need its blob any more. */
    CHECK(dxil_spv_converter_run(converter) == DXIL_SPV_SUCCESS);
    dxil_spv_end_thread_allocator_context();
    CHECK(words[0] == 0x07230203);
    CHECK(dxil_spv_converter_run(before_converter) == DXIL_SPV_SUCCESS);

    /* Without a context things stay until they are freed. */
    dxil_spv_end_thread_allocator_context();
    dxil_spv_reset_thread_allocator_context();
    make(&blob, &converter);
    dxil_spv_reset_thread_allocator_context();
    CHECK(dxil_spv_parsed_blob_get_shader_stage(blob) == DXIL_SPV_STAGE_COMPUTE);
    dxil_spv_converter_free(converter);
    dxil_spv_parsed_blob_free(blob);

    /* The memory is there again. The first rounds pay for what the library and the C library
     * keep. */
    used = in_use();
    make(&blob, &converter);
    one = in_use() - used;
    dxil_spv_converter_free(converter);
    dxil_spv_parsed_blob_free(blob);
    for (i = 0; i < 300; i++) {
        if (i == 100)
            used = in_use();
        if (i % 10 == 0)
            dxil_spv_begin_thread_allocator_context();
        make(&blob, &converter);
        if (i % 10 == 4)
            dxil_spv_reset_thread_allocator_context();
        if (i % 10 == 9)
            dxil_spv_end_thread_allocator_context();
    }
    /* Two hundred of them would be there otherwise; the C library keeps small pieces for itself. */
    CHECK(in_use() <= used + 20 * one);

    CHECK(pthread_create(&thread, NULL, leave_open, NULL) == 0 && pthread_join(thread, NULL) == 0);
    dxil_spv_begin_thread_allocator_context();
    CHECK(pthread_create(&thread, NULL, use_own, NULL) == 0 && pthread_join(thread, NULL) == 0);
    dxil_spv_end_thread_allocator_context();

    dxil_spv_converter_free(before_converter);
    dxil_spv_parsed_blob_free(before);
    puts("fine");
    return 0;
}
