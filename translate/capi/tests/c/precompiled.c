/* Finds what dxil-precompile translated.   precompiled FOLDER SHADER OTHER VERTEX PIXEL
 *
 * FOLDER is a cache with the compute shader SHADER and the draw of VERTEX and PIXEL, and without the
 * compute shader OTHER. */
#define DXIL_JIT_PRECOMPILED
#include "dxil_jit.h"
#include "check.h"

#include <string.h>

enum { ROOM = 1 << 20 };

static dxil_jit_shader load(const char *path)
{
    dxil_jit_shader shader;
    uint8_t *bytes = malloc(ROOM);
    CHECK(bytes);
    shader.size = load_file(path, bytes, ROOM);
    shader.bytes = bytes;
    return shader;
}

static void is_module(const dxil_jit_translation *translation, dxil_jit_stage stage)
{
    size_t count;
    const uint32_t *words = dxil_jit_translation_words(translation, &count);
    CHECK(count > 5 && words[0] == 0x07230203);
    CHECK(dxil_jit_translation_reflection(translation)->stage == (uint32_t)stage);
}

int main(int argc, char **argv)
{
    dxil_jit_error error;
    dxil_jit_precompiled *folder, *older = NULL;
    dxil_jit_translation *one = NULL, *two[2];
    dxil_jit_shader shader, other, draw[2];

    CHECK(argc == 6);
    shader = load(argv[2]);
    other = load(argv[3]);
    draw[0] = load(argv[4]);
    draw[1] = load(argv[5]);
    CHECK(dxil_jit_precompiled_open(argv[1], 0, &folder, &error) == DXIL_JIT_CODE_OK);

    CHECK(dxil_jit_precompiled_find(folder, &shader, 1, NULL, 0, 0, &one,
                                    &error) == DXIL_JIT_CODE_OK);
    is_module(one, DXIL_JIT_STAGE_COMPUTE);
    CHECK(dxil_jit_translation_reflection(one)->use_count > 0);
    dxil_jit_translation_free(one);
    CHECK(dxil_jit_precompiled_find(folder, draw, 2, NULL, 0, 1, two, NULL) == DXIL_JIT_CODE_OK);

    /* What is not there, is not there for that target, or for these samples. */
    CHECK(dxil_jit_precompiled_find(folder, &other, 1, NULL, 0, 0, &one,
                                    &error) == DXIL_JIT_CODE_NOT_FOUND);
    CHECK(one == NULL && strcmp(error.name, "not-cached") == 0);
    CHECK(dxil_jit_precompiled_find(folder, &shader, 1, NULL, 0, 4, &one,
                                    NULL) == DXIL_JIT_CODE_NOT_FOUND);
    CHECK(dxil_jit_precompiled_open(argv[1], 11, &older, &error) == DXIL_JIT_CODE_OK);
    CHECK(dxil_jit_precompiled_find(older, &shader, 1, NULL, 0, 0, &one,
                                    &error) == DXIL_JIT_CODE_NOT_FOUND);
    dxil_jit_precompiled_free(older);

    /* Misuse. */
    CHECK(dxil_jit_precompiled_open("/nowhere/at/all", 0, &older,
                                    &error) == DXIL_JIT_CODE_BAD_ARGUMENT && !older);
    CHECK(dxil_jit_precompiled_open(argv[1], 99, &older, NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    CHECK(dxil_jit_precompiled_open(NULL, 0, &older, NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    CHECK(dxil_jit_precompiled_open(argv[1], 0, NULL, NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    CHECK(dxil_jit_precompiled_find(folder, NULL, 1, NULL, 0, 0, &one,
                                    NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    CHECK(dxil_jit_precompiled_find(folder, &shader, 9, NULL, 0, 0, &one,
                                    NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    shader.size = 40;
    CHECK(dxil_jit_precompiled_find(folder, &shader, 1, NULL, 0, 0, &one,
                                    NULL) == DXIL_JIT_CODE_MALFORMED && !one);
    dxil_jit_precompiled_free(folder);
    dxil_jit_precompiled_free(folder);
    dxil_jit_precompiled_free(NULL);
    CHECK(dxil_jit_precompiled_find(folder, &other, 1, NULL, 0, 0, &one,
                                    NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);

    /* Translations outlive the folder. */
    is_module(two[0], DXIL_JIT_STAGE_VERTEX);
    is_module(two[1], DXIL_JIT_STAGE_PIXEL);
    dxil_jit_translation_free(two[0]);
    dxil_jit_translation_free(two[1]);
    puts("fine");
    return 0;
}
