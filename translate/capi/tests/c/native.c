/* Uses and misuses dxil_jit.h.   native SHADER.dxil */
#include "dxil_jit.h"
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *shader;
static size_t size;
static dxil_jit_cache *cache;
static const dxil_jit_options all = {
    .vulkan_version = 13,
    .features = DXIL_JIT_FEATURE_DESCRIPTOR_INDEXING | DXIL_JIT_FEATURE_DESKTOP,
};

static void *work(void *unused)
{
    int i;
    (void)unused;
    for (i = 0; i < 50; i++) {
        dxil_jit_translation *one = NULL;
        CHECK(dxil_jit_translate(shader, size, &all, NULL, 0, i % 2 ? cache : NULL, &one,
                                 NULL) == DXIL_JIT_CODE_OK);
        CHECK(dxil_jit_translation_words(one, NULL)[0] == 0x07230203);
        dxil_jit_translation_free(one);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    dxil_jit_translation *one = (dxil_jit_translation *)8;
    const dxil_jit_reflection *reflection;
    dxil_jit_binding binding = { .place = 9 };
    dxil_jit_options wrong = { .vulkan_version = 20 };
    dxil_jit_error error;
    pthread_t threads[4];
    FILE *file;
    size_t count = 5, i, counters = 0, cut;

    CHECK(argc == 2);
    file = fopen(argv[1], "rb");
    CHECK(file);
    shader = malloc(1 << 20);
    size = fread(shader, 1, 1 << 20, file);
    fclose(file);
    CHECK(strlen(dxil_jit_version()) >= 5);

    CHECK(dxil_jit_translate(NULL, 4, NULL, NULL, 0, NULL, &one,
                             &error) == DXIL_JIT_CODE_BAD_ARGUMENT && !one);
    CHECK(error.code == DXIL_JIT_CODE_BAD_ARGUMENT && error.message[0]);
    CHECK(dxil_jit_translate(shader, size, NULL, NULL, 0, NULL, NULL,
                             NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    CHECK(dxil_jit_translate(shader, size, &all, NULL, 3, NULL, &one,
                             NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    CHECK(dxil_jit_translate(shader, size, &all, &binding, 1, NULL, &one,
                             NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    CHECK(dxil_jit_translate(shader, size, &wrong, NULL, 0, NULL, &one,
                             NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    for (cut = 0; cut < size; cut += 61) {
        CHECK(dxil_jit_translate(shader, cut, &all, NULL, 0, NULL, &one,
                                 &error) == DXIL_JIT_CODE_MALFORMED);
        CHECK(!one && error.offset != UINT64_MAX && error.message[0]);
    }
    /* Bindings that collide are refused, and the message names both. */
    {
        const dxil_jit_binding t0 = { .register_class = DXIL_JIT_CLASS_SRV, .set = 1,
                                      .binding = 5 };
        dxil_jit_binding pair[2];
        pair[0] = t0;
        pair[1] = t0;
        CHECK(dxil_jit_translate(shader, size, &all, pair, 2, NULL, &one,
                                 &error) == DXIL_JIT_CODE_BAD_ARGUMENT);
        CHECK(strstr(error.message, "t0 in space 0 has two bindings"));
        pair[1].register_class = DXIL_JIT_CLASS_UAV;
        pair[1].first_register = 1;
        CHECK(dxil_jit_translate(shader, size, &all, pair, 2, NULL, &one,
                                 &error) == DXIL_JIT_CODE_BAD_ARGUMENT);
        CHECK(strstr(error.message, "t0 and u1 are both at set 1, binding 5"));
        /* u0 is at set 0, binding 3000, if nothing else is said, and its counter at 4000. */
        pair[1].set = 0;
        pair[1].binding = 4000;
        CHECK(dxil_jit_translate(shader, size, &all, pair, 2, NULL, &one,
                                 &error) == DXIL_JIT_CODE_BAD_ARGUMENT);
        CHECK(strstr(error.message, "the counter of u0 and u1 are both at set 0, binding 4000"));
        /* One heap has many resources. */
        pair[0].place = DXIL_JIT_PLACE_HEAP;
        pair[1] = t0;
        pair[1].register_class = DXIL_JIT_CLASS_UAV;
        pair[1].first_register = 1;
        pair[1].place = DXIL_JIT_PLACE_HEAP;
        CHECK(dxil_jit_translate(shader, size, &all, pair, 2, NULL, &one,
                                 &error) == DXIL_JIT_CODE_OK);
        dxil_jit_translation_free(one);
        /* Root constants of four words, and an address in the last of them. */
        pair[0].register_class = DXIL_JIT_CLASS_CBV;
        pair[0].place = DXIL_JIT_PLACE_PUSH_CONSTANTS;
        pair[1].place = DXIL_JIT_PLACE_DEVICE_ADDRESS;
        pair[1].word = 3;
        CHECK(dxil_jit_translate(shader, size, &all, pair, 2, NULL, &one,
                                 &error) == DXIL_JIT_CODE_BAD_ARGUMENT);
        CHECK(strstr(error.message, "b0 and u1 are both in word 3 of the push constants"));
    }
    /* The unbounded array of textures needs a feature. */
    CHECK(dxil_jit_translate(shader, size, NULL, NULL, 0, NULL, &one,
                             &error) == DXIL_JIT_CODE_UNSUPPORTED);
    CHECK(strstr(error.message, "runtimeDescriptorArray"));
    CHECK(strcmp(error.name, "target-lacks-feature") == 0);
    CHECK(dxil_jit_translation_words(NULL, &count) == NULL && count == 0);
    CHECK(dxil_jit_translation_reflection(NULL) == NULL);
    dxil_jit_translation_free(NULL);
    dxil_jit_cache_free(NULL);

    CHECK(dxil_jit_translate(shader, size, &all, NULL, 0, NULL, &one, &error) == DXIL_JIT_CODE_OK);
    CHECK(error.code == DXIL_JIT_CODE_OK);
    reflection = dxil_jit_translation_reflection(one);
    CHECK(strcmp(reflection->entry, "main") == 0 && reflection->workgroup_size[0] == 8);
    for (i = 0; i < reflection->use_count; i++)
        counters += reflection->uses[i].is_counter;
    CHECK(reflection->use_count == 9 && counters == 1);
    dxil_jit_translation_free(one);
    /* What was freed is nothing. */
    dxil_jit_translation_free(one);
    CHECK(dxil_jit_translation_words(one, &count) == NULL && count == 0);
    CHECK(dxil_jit_translation_reflection(one) == NULL);

    cache = dxil_jit_cache_create(1 << 20);
    for (i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
    for (i = 0; i < 4; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(dxil_jit_cache_statistics(cache).entries == 1);
    CHECK(dxil_jit_cache_statistics(cache).hits + dxil_jit_cache_statistics(cache).misses == 100);
    dxil_jit_cache_free(cache);
    dxil_jit_cache_free(cache);
    CHECK(dxil_jit_cache_statistics(cache).entries == 0);
    CHECK(dxil_jit_translate(shader, size, &all, NULL, 0, cache, &one,
                             &error) == DXIL_JIT_CODE_BAD_ARGUMENT);
    free(shader);
    puts("fine");
    return 0;
}
