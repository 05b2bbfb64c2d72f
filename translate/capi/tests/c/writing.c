/* Writes containers with dxil_jit.h.   writing SHADER.dxbc SHADER.ll */
#include "dxil_jit.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *read_file(const char *name, size_t *size)
{
    uint8_t *bytes = malloc(1 << 20);
    FILE *file = fopen(name, "rb");
    CHECK(bytes && file);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

/* The container is signed, breaks no rule, and is gone when it is freed. */
static void check_and_free(dxil_jit_container *container)
{
    uint32_t status = 99;
    size_t size = 0;
    const uint8_t *bytes = dxil_jit_container_bytes(container, &size);

    CHECK(bytes && size > 100 && memcmp(bytes, "DXBC", 4) == 0);
    CHECK(dxil_jit_digest(bytes, size, NULL, &status, NULL) == DXIL_JIT_CODE_OK);
    CHECK(status == DXIL_JIT_DIGEST_STATUS_VALID);
    CHECK(dxil_jit_validate(bytes, size, -1, 0, NULL, NULL) == DXIL_JIT_CODE_OK);
    dxil_jit_container_free(container);
    CHECK(!dxil_jit_container_bytes(container, &size) && size == 0);
    dxil_jit_container_free(container);
}

int main(int argc, char **argv)
{
    dxil_jit_container *container = (dxil_jit_container *)8;
    dxil_jit_error error;
    size_t dxbc_size, text_size;
    uint8_t *dxbc, *text;

    CHECK(argc == 3);
    dxbc = read_file(argv[1], &dxbc_size);
    text = read_file(argv[2], &text_size);

    CHECK(dxil_jit_upgrade(dxbc, dxbc_size, &container, &error) == DXIL_JIT_CODE_OK);
    check_and_free(container);
    CHECK(dxil_jit_assemble(text, text_size, &container, NULL) == DXIL_JIT_CODE_OK);
    {
        size_t size;
        const uint8_t *bytes = dxil_jit_container_bytes(container, &size);
        dxil_jit_container *other = NULL;
        const char *passes = "fold,dead-code";
        CHECK(dxil_jit_optimize(bytes, size, NULL, &other, &error) == DXIL_JIT_CODE_OK);
        check_and_free(other);
        CHECK(dxil_jit_optimize(bytes, size, passes, &other, NULL) == DXIL_JIT_CODE_OK);
        check_and_free(other);
        other = (dxil_jit_container *)8;
        CHECK(dxil_jit_optimize(bytes, size, "fast", &other, &error) ==
              DXIL_JIT_CODE_BAD_ARGUMENT);
        CHECK(!other && error.message[0]);
        CHECK(dxil_jit_rewrite(bytes, size, &other, &error) == DXIL_JIT_CODE_OK);
        check_and_free(other);
        {
            dxil_jit_container *yaml = NULL;
            size_t yaml_size;
            const uint8_t *yaml_text;
            CHECK(dxil_jit_to_yaml(bytes, size, &yaml, &error) == DXIL_JIT_CODE_OK);
            yaml_text = dxil_jit_container_bytes(yaml, &yaml_size);
            CHECK(yaml_size > 16 && !memcmp(yaml_text, "--- !dxcontainer", 16));
            CHECK(dxil_jit_from_yaml(yaml_text, yaml_size, &other, &error) == DXIL_JIT_CODE_OK);
            check_and_free(other);
            CHECK(dxil_jit_from_yaml(bytes, size, &other, &error) == DXIL_JIT_CODE_MALFORMED);
            dxil_jit_container_free(yaml);
        }
        CHECK(dxil_jit_rewrite(dxbc, dxbc_size, &other, NULL) != DXIL_JIT_CODE_OK || other);
        dxil_jit_container_free(other);
    }
    check_and_free(container);

    /* Text is no DXBC, and DXBC is no text. */
    container = (dxil_jit_container *)8;
    CHECK(dxil_jit_upgrade(text, text_size, &container, &error) == DXIL_JIT_CODE_MALFORMED);
    CHECK(!container && error.code == DXIL_JIT_CODE_MALFORMED && error.message[0]);
    container = (dxil_jit_container *)8;
    CHECK(dxil_jit_assemble(dxbc, dxbc_size, &container, &error) == DXIL_JIT_CODE_MALFORMED);
    CHECK(!container);
    CHECK(dxil_jit_upgrade(NULL, 0, &container, NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    CHECK(dxil_jit_upgrade(dxbc, dxbc_size, NULL, NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    CHECK(!dxil_jit_container_bytes(NULL, NULL));
    dxil_jit_container_free(NULL);

    free(dxbc);
    free(text);
    puts("fine");
    return 0;
}
