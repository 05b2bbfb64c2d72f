/* Heaps of VK_EXT_descriptor_heap.   descriptor_heap SHADER.dxil OUT.spv (handles/descriptor_heap) */
#include "dxil_jit.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many decorations the module has whose third and fourth words are these. */
static unsigned decorations(const uint32_t *words, size_t count, uint32_t decoration,
                            uint32_t operand)
{
    enum { HEADER = 5, OP_DECORATE = 71 };
    unsigned found = 0;
    size_t at;
    for (at = HEADER; at < count; at += words[at] >> 16)
        if ((words[at] & 0xffff) == OP_DECORATE && words[at] >> 16 == 4 &&
            words[at + 2] == decoration && words[at + 3] == operand)
            found++;
    return found;
}

int main(int argc, char **argv)
{
    enum { ARRAY_STRIDE = 6, BUILT_IN = 11, SAMPLER_HEAP = 5122, RESOURCE_HEAP = 5123 };
    static uint8_t bytes[1 << 16];
    dxil_jit_options options = {
        .features = DXIL_JIT_FEATURE_DESKTOP | DXIL_JIT_FEATURE_STORAGE_WITHOUT_FORMAT,
        .descriptor_heaps = true,
        .resource_heap_stride = 64,
        .sampler_heap_stride = 32,
    };
    dxil_jit_translation *translation = NULL;
    const dxil_jit_reflection *reflection;
    dxil_jit_error error;
    const uint32_t *words;
    size_t count, size;
    FILE *file;
    CHECK(argc == 3);
    size = load_file(argv[1], bytes, sizeof(bytes));

    /* The device must have the feature. */
    CHECK(dxil_jit_translate(bytes, size, &options, NULL, 0, NULL, &translation, &error) ==
          DXIL_JIT_CODE_UNSUPPORTED);
    CHECK(strstr(error.message, "descriptorHeap"));

    options.features |= DXIL_JIT_FEATURE_DESCRIPTOR_HEAP;
    CHECK(dxil_jit_translate(bytes, size, &options, NULL, 0, NULL, &translation, &error) ==
          DXIL_JIT_CODE_OK);
    words = dxil_jit_translation_words(translation, &count);
    CHECK(decorations(words, count, BUILT_IN, RESOURCE_HEAP) == 1);
    CHECK(decorations(words, count, BUILT_IN, SAMPLER_HEAP) == 1);
    CHECK(decorations(words, count, ARRAY_STRIDE, 64) > 1);
    CHECK(decorations(words, count, ARRAY_STRIDE, 32) == 1);
    /* Only the declared buffer has a set and a binding. */
    reflection = dxil_jit_translation_reflection(translation);
    CHECK(reflection->use_count == 1);

    file = fopen(argv[2], "wb");
    CHECK(file && fwrite(words, 4, count, file) == count && fclose(file) == 0);
    dxil_jit_translation_free(translation);

    /* Large buffers are an option of their own, with features of their own. */
    options.large_buffers = true;
    CHECK(dxil_jit_translate(bytes, size, &options, NULL, 0, NULL, &translation, &error) ==
          DXIL_JIT_CODE_UNSUPPORTED);
    CHECK(strstr(error.message, "shader64BitIndexing"));
    options.features |= DXIL_JIT_FEATURE_64BIT_INDEXING | DXIL_JIT_FEATURE_INT64;
    CHECK(dxil_jit_translate(bytes, size, &options, NULL, 0, NULL, &translation, &error) ==
          DXIL_JIT_CODE_OK);
    reflection = dxil_jit_translation_reflection(translation);
    CHECK(reflection->capability_count > 0);
    dxil_jit_translation_free(translation);
    puts("fine");
    return 0;
}
