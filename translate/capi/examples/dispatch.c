/*
 * Translates a compute shader with dxil_jit.h and dispatches it through Vulkan.
 *
 *   cc -std=c11 -Iinclude examples/dispatch.c -ldxil_jit -lvulkan -o dispatch
 *   ./dispatch examples/squares.dxil
 *
 * The shader, squares.hlsl, writes n * n + bias to element n of u0; the bias is a root constant in
 * b0.
 */
#include "dxil_jit.h"
#include "vulkan_compute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 64, BIAS = 7 };

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;
    if (!file)
        fail("the shader cannot be opened");
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*size);
    if (!bytes || fread(bytes, 1, *size, file) != *size)
        fail("the shader cannot be read");
    fclose(file);
    return bytes;
}

/* One call: bytes and places in, SPIR-V and reflection out. */
static dxil_jit_translation *translate(const char *path, const dxil_jit_cache *cache)
{
    const dxil_jit_binding bindings[] = {
        { .register_class = DXIL_JIT_CLASS_UAV, .first_register = 0,
          .place = DXIL_JIT_PLACE_DESCRIPTOR },
        { .register_class = DXIL_JIT_CLASS_CBV, .first_register = 0,
          .place = DXIL_JIT_PLACE_PUSH_CONSTANTS },
    };
    const dxil_jit_options options = { .vulkan_version = 11 };
    dxil_jit_translation *translation = NULL;
    dxil_jit_error error;
    size_t size;
    uint8_t *bytes = read_file(path, &size);

    if (dxil_jit_translate(bytes, size, &options, bindings, 2, cache, &translation,
                           &error) != DXIL_JIT_CODE_OK) {
        fprintf(stderr, "%s: error %u in part %s, byte %llu: %s\n", path, (unsigned)error.code,
                error.part,
                (unsigned long long)error.offset, error.message);
        exit(1);
    }
    free(bytes);
    return translation;
}

/* Runs the code on the buffer; the reflection says what the shader wants where. */
static void dispatch(const vulkan_device *device, const dxil_jit_translation *translation,
                     const vulkan_buffer *results)
{
    const dxil_jit_reflection *reflection = dxil_jit_translation_reflection(translation);
    const VkDescriptorSetLayoutBinding binding = { .binding = reflection->uses[0].binding,
                                                   .descriptorType =
                                                           VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                   .descriptorCount = 1,
                                                   .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT };
    const VkDescriptorBufferInfo range = { results->buffer, 0, VK_WHOLE_SIZE };
    const uint32_t bias = BIAS;
    size_t count;
    const uint32_t *words = dxil_jit_translation_words(translation, &count);
    const vulkan_dispatch what = { .words = words,
                                   .size = count * 4,
                                   .entry = reflection->entry,
                                   .bindings = &binding,
                                   .binding_count = 1,
                                   .buffers = &range,
                                   .constants = &bias,
                                   .constant_bytes = reflection->push_constant_bytes,
                                   .groups = ELEMENTS / reflection->workgroup_size[0] };
    vulkan_dispatch_run(device, &what);
}

int main(int argc, char **argv)
{
    dxil_jit_cache *cache = dxil_jit_cache_create(1 << 20);
    dxil_jit_translation *translation, *again;
    const dxil_jit_reflection *reflection;
    vulkan_device device;
    vulkan_buffer buffer;
    uint32_t i, *results;

    if (argc != 2)
        fail("usage: dispatch SHADER.dxil");
    translation = translate(argv[1], cache);
    reflection = dxil_jit_translation_reflection(translation);
    if (reflection->stage != DXIL_JIT_STAGE_COMPUTE || reflection->use_count != 1
        || reflection->uses[0].set != 0
        || reflection->uses[0].descriptor != DXIL_JIT_DESCRIPTOR_STORAGE_BUFFER
        || reflection->push_constant_bytes != 4)
        fail("the shader binds something else than one buffer and one constant");

    /* The cache knows it now. */
    again = translate(argv[1], cache);
    if (dxil_jit_cache_statistics(cache).hits != 1
        || dxil_jit_translation_words(again, NULL) != dxil_jit_translation_words(translation, NULL))
        fail("the cache does not know the shader");
    dxil_jit_translation_free(again);

    device = vulkan_device_create(VK_API_VERSION_1_1, NULL, NULL);
    buffer = vulkan_buffer_create(&device, ELEMENTS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    results = buffer.bytes;
    memset(results, 0, ELEMENTS * 4);
    dispatch(&device, translation, &buffer);
    for (i = 0; i < ELEMENTS; i++)
        if (results[i] != i * i + BIAS) {
            fprintf(stderr, "element %u is %u\n", i, results[i]);
            return 1;
        }
    printf("%u squares, the last is %u\n", ELEMENTS, results[ELEMENTS - 1]);

    vulkan_buffer_destroy(&device, &buffer);
    vulkan_device_destroy(&device);
    dxil_jit_translation_free(translation);
    dxil_jit_cache_free(cache);
    return 0;
}
