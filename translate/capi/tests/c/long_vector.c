/* Vectors of VK_EXT_shader_long_vector.   long_vector SHADER.dxil OUT.spv (vectors/arith) */
#include "dxil_jit.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many instructions of an opcode the module has. */
static unsigned instructions(const uint32_t *words, size_t count, uint32_t opcode)
{
    enum { HEADER = 5 };
    unsigned found = 0;
    size_t at;
    for (at = HEADER; at < count; at += words[at] >> 16)
        if ((words[at] & 0xffff) == opcode)
            found++;
    return found;
}

int main(int argc, char **argv)
{
    enum { OP_F_DIV = 136, LONG_VECTOR = 5425 };
    static uint8_t bytes[1 << 16];
    dxil_jit_options options = { .features = DXIL_JIT_FEATURE_DESKTOP };
    dxil_jit_translation *translation = NULL;
    const dxil_jit_reflection *reflection;
    dxil_jit_error error;
    const uint32_t *words;
    size_t count, size, i;
    bool declared = false;
    FILE *file;
    CHECK(argc == 3);
    size = load_file(argv[1], bytes, sizeof(bytes));

    /* Without the feature a vector of seven is seven scalars. */
    CHECK(dxil_jit_translate(bytes, size, &options, NULL, 0, NULL, &translation, &error) ==
          DXIL_JIT_CODE_OK);
    words = dxil_jit_translation_words(translation, &count);
    CHECK(instructions(words, count, OP_F_DIV) == 7);
    dxil_jit_translation_free(translation);

    options.features |= DXIL_JIT_FEATURE_LONG_VECTOR;
    CHECK(dxil_jit_translate(bytes, size, &options, NULL, 0, NULL, &translation, &error) ==
          DXIL_JIT_CODE_OK);
    words = dxil_jit_translation_words(translation, &count);
    CHECK(instructions(words, count, OP_F_DIV) == 1);
    reflection = dxil_jit_translation_reflection(translation);
    for (i = 0; i < reflection->capability_count; i++)
        declared |= reflection->capabilities[i] == LONG_VECTOR;
    CHECK(declared);

    file = fopen(argv[2], "wb");
    CHECK(file && fwrite(words, 4, count, file) == count && fclose(file) == 0);
    dxil_jit_translation_free(translation);
    puts("fine");
    return 0;
}
