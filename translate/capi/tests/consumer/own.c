/*
 * Translates a shader with the library's own API.
 *
 *   own SHADER.dxil
 */
#include <dxil_jit.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    static unsigned char shader[1 << 16];
    dxil_jit_translation *translation = NULL;
    dxil_jit_error error;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    size_t size;

    if (!file)
        return 2;
    size = fread(shader, 1, sizeof(shader), file);
    fclose(file);
    if (dxil_jit_translate(shader, size, NULL, NULL, 0, NULL, &translation,
                           &error) != DXIL_JIT_CODE_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("SPIR-V %08x\n", dxil_jit_translation_words(translation, NULL)[0]);
    dxil_jit_translation_free(translation);
    return 0;
}
