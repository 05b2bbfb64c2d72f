/*
 * Many threads, each with blobs, converters, a context and a log of its own.
 *
 *   threads SHADER.dxil
 */
#include "dxil_spirv_c.h"
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 16, ROUNDS = 12 };

static unsigned char shader[1 << 16];
static size_t shader_size;
static unsigned char expected[1 << 16];
static size_t expected_size;

struct thread {
    pthread_t id;
    unsigned number;
    unsigned errors;
    unsigned asked;
};

static void on_log(void *userdata, dxil_spv_log_level level, const char *message)
{
    struct thread *own = userdata;
    CHECK(pthread_equal(pthread_self(), own->id));
    CHECK(message[0]);
    own->errors += level == DXIL_SPV_LOG_LEVEL_ERROR;
}

static dxil_spv_bool uav(void *userdata, const dxil_spv_uav_d3d_binding *d3d,
                         dxil_spv_uav_vulkan_binding *vk)
{
    struct thread *own = userdata;
    CHECK(pthread_equal(pthread_self(), own->id));
    own->asked++;
    vk->buffer_binding.set = 3;
    vk->buffer_binding.binding = own->number + d3d->d3d_binding.register_index;
    vk->buffer_binding.descriptor_type = DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_SSBO;
    return DXIL_SPV_TRUE;
}

static void translate(struct thread *own, dxil_spv_compiled_spirv *compiled)
{
    dxil_spv_parsed_blob blob = NULL;
    dxil_spv_converter converter = NULL;
    CHECK(dxil_spv_parse_dxil_blob(shader, shader_size, &blob) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_create_converter(blob, &converter) == DXIL_SPV_SUCCESS);
    dxil_spv_converter_set_uav_remapper(converter, uav, own);
    CHECK(dxil_spv_converter_run(converter) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_get_compiled_spirv(converter, compiled) == DXIL_SPV_SUCCESS);
}

static void *work(void *userdata)
{
    struct thread *own = userdata;
    int i;
    own->id = pthread_self();
    dxil_spv_set_thread_log_callback(on_log, own);
    dxil_spv_begin_thread_allocator_context();
    for (i = 0; i < ROUNDS; i++) {
        dxil_spv_compiled_spirv compiled = { NULL, 0 };
        dxil_spv_parsed_blob none = NULL;
        unsigned differences = 0;
        size_t at;
        translate(own, &compiled);
        CHECK(compiled.size == expected_size);
        /* All but the binding's number is the same. */
        for (at = 0; at < expected_size; at += 4)
            differences += memcmp((const char *)compiled.data + at, expected + at, 4) != 0;
        CHECK(differences == (own->number != 0));
        if (own->number % 2)
            CHECK(dxil_spv_parse_dxil_blob(shader, shader_size / 2, &none) != DXIL_SPV_SUCCESS);
        dxil_spv_reset_thread_allocator_context();
    }
    dxil_spv_end_thread_allocator_context();
    dxil_spv_set_thread_log_callback(NULL, NULL);
    CHECK(own->asked == ROUNDS);
    CHECK(own->errors == (own->number % 2 ? ROUNDS : 0));
    return NULL;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    static struct thread threads[THREADS];
    struct thread own = { pthread_self(), 0, 0, 0 };
    dxil_spv_compiled_spirv compiled = { NULL, 0 };
    unsigned i;

    CHECK(file);
    shader_size = fread(shader, 1, sizeof(shader), file);
    fclose(file);
    dxil_spv_begin_thread_allocator_context();
    translate(&own, &compiled);
    CHECK(compiled.size <= sizeof(expected));
    expected_size = compiled.size;
    memcpy(expected, compiled.data, expected_size);
    dxil_spv_end_thread_allocator_context();

    for (i = 0; i < THREADS; i++) {
        threads[i].number = i;
        CHECK(pthread_create(&threads[i].id, NULL, work, &threads[i]) == 0);
    }
    for (i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i].id, NULL) == 0);
    puts("fine");
    return 0;
}
