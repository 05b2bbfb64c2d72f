/* f32tof16 as one instruction.   half_packing SHADER.dxil (arith/half_packing) */
#include "dxil_jit.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>

/* How often the module has PackHalf2x16 (58) of GLSL.std.450. */
static unsigned packings(const uint8_t *bytes, size_t size, const dxil_jit_options *options)
{
    enum { HEADER = 5, OP_EXT_INST = 12, PACK_HALF = 58 };
    dxil_jit_translation *translation = NULL;
    dxil_jit_error error;
    const uint32_t *words;
    size_t count, at;
    unsigned found = 0;
    CHECK(dxil_jit_translate(bytes, size, options, NULL, 0, NULL, &translation,
                             &error) == DXIL_JIT_CODE_OK);
    words = dxil_jit_translation_words(translation, &count);
    for (at = HEADER; at < count; at += words[at] >> 16)
        if ((words[at] & 0xffff) == OP_EXT_INST && words[at + 4] == PACK_HALF)
            found++;
    dxil_jit_translation_free(translation);
    return found;
}

int main(int argc, char **argv)
{
    static uint8_t bytes[1 << 16];
    dxil_jit_options options = { .features = DXIL_JIT_FEATURE_DESKTOP };
    size_t size;
    CHECK(argc == 2);
    size = load_file(argv[1], bytes, sizeof(bytes));
    CHECK(packings(bytes, size, &options) == 0);
    options.fast_half_packing = true;
    CHECK(packings(bytes, size, &options) > 0);
    puts("fine");
    return 0;
}
