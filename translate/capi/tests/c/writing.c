/* Writes containers with dxil_jit.h.   writing SHADER.dxbc SHADER.ll CALLER LIBRARY */
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
    {
        dxil_jit_error error;
        if (dxil_jit_validate(bytes, size, -1, 0, NULL, &error) != DXIL_JIT_CODE_OK)
            fprintf(stderr, "%s\n", error.message);
        CHECK(error.code == DXIL_JIT_CODE_OK);
    }
    dxil_jit_container_free(container);
    CHECK(!dxil_jit_container_bytes(container, &size) && size == 0);
    dxil_jit_container_free(container);
}

static const dxil_jit_part *find(const dxil_jit_part *parts, size_t count, const char *name)
{
    size_t i;
    for (i = 0; i < count; i++)
        if (!strcmp(parts[i].name, name))
            return &parts[i];
    return NULL;
}

/* Takes a container apart, makes its parts anew, and puts some of them together. */
static void check_parts(const uint8_t *bytes, size_t size)
{
    dxil_jit_part parts[16], again[16];
    dxil_jit_part_options options;
    dxil_jit_container *made = NULL;
    dxil_jit_error error;
    size_t count = 0, other = 0, made_size, i;
    const uint8_t *content;

    CHECK(dxil_jit_parts(bytes, size, NULL, 0, &count, &error) == DXIL_JIT_CODE_OK);
    CHECK(count > 3 && count < 16);
    CHECK(dxil_jit_parts(bytes, size, parts, 16, NULL, NULL) == DXIL_JIT_CODE_OK);
    CHECK(find(parts, count, "DXIL") && find(parts, count, "PSV0"));
    CHECK(dxil_jit_parts(bytes, size, NULL, 1, NULL, NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    count = 9;
    CHECK(dxil_jit_parts(bytes, 16, parts, 16, &count, &error) == DXIL_JIT_CODE_MALFORMED);
    CHECK(count == 0);
    CHECK(dxil_jit_parts(bytes, size, parts, 16, &count, NULL) == DXIL_JIT_CODE_OK);

    /* The same parts, put together. */
    CHECK(dxil_jit_from_parts(parts, count, &made, &error) == DXIL_JIT_CODE_OK);
    content = dxil_jit_container_bytes(made, &made_size);
    CHECK(made_size == size && !memcmp(content + 20, bytes + 20, size - 20));
    check_and_free(made);
    /* Without the first one, and with a name that is none. */
    CHECK(dxil_jit_from_parts(parts + 1, count - 1, &made, NULL) == DXIL_JIT_CODE_OK);
    content = dxil_jit_container_bytes(made, &made_size);
    CHECK(dxil_jit_parts(content, made_size, again, 16, &other, NULL) == DXIL_JIT_CODE_OK);
    CHECK(other == count - 1);
    dxil_jit_container_free(made);
    strcpy(parts[0].name, "LONGER");
    CHECK(dxil_jit_from_parts(parts, 1, &made, &error) == DXIL_JIT_CODE_BAD_ARGUMENT && !made);
    strcpy(parts[0].name, "ABC");
    CHECK(dxil_jit_from_parts(parts, 1, &made, NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    CHECK(dxil_jit_from_parts(NULL, 1, &made, NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);

    /* All parts anew: as they were, and with the extras. */
    CHECK(dxil_jit_make_parts(bytes, size, NULL, &made, &error) == DXIL_JIT_CODE_OK);
    content = dxil_jit_container_bytes(made, &made_size);
    CHECK(made_size == size && !memcmp(content + 20, bytes + 20, size - 20));
    check_and_free(made);
    memset(&options, 0, sizeof(options));
    options.debug = DXIL_JIT_DEBUG_PARTS_MODULE;
    options.reflection = DXIL_JIT_REFLECTION_PART_WITH;
    options.has_version = true;
    options.version_major = 1;
    options.version_minor = 8;
    options.custom = "own";
    CHECK(dxil_jit_make_parts(bytes, size, &options, &made, &error) == DXIL_JIT_CODE_OK);
    content = dxil_jit_container_bytes(made, &made_size);
    CHECK(dxil_jit_parts(content, made_size, again, 16, &other, NULL) == DXIL_JIT_CODE_OK);
    for (i = 0; i < 4; i++) {
        static const char *const names[4] = {"ILDB", "ILDN", "STAT", "VERS"};
        CHECK(find(again, other, names[i]));
    }
    content = find(again, other, "VERS")->content;
    CHECK(content[0] == 1 && content[2] == 8 && !strcmp((const char *)content + 17, "own"));
    /* The validator takes the version in libraries only. */
    dxil_jit_container_free(made);
    options.has_version = false;
    CHECK(dxil_jit_make_parts(bytes, size, &options, &made, &error) == DXIL_JIT_CODE_OK);
    check_and_free(made);
    options.debug = 4;
    CHECK(dxil_jit_make_parts(bytes, size, &options, &made, NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    options.debug = 0;
    options.reflection = 3;
    CHECK(dxil_jit_make_parts(bytes, size, &options, &made, NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    CHECK(!made);
}

/* Text of a module gives the module again. */
static void check_text(const uint8_t *bytes, size_t size)
{
    dxil_jit_container *text = NULL, *again = NULL;
    size_t text_size, again_size;
    const uint8_t *characters, *content;

    CHECK(dxil_jit_disassemble(bytes, size, &text, NULL) == DXIL_JIT_CODE_OK);
    characters = dxil_jit_container_bytes(text, &text_size);
    CHECK(dxil_jit_assemble(characters, text_size, &again, NULL) == DXIL_JIT_CODE_OK);
    content = dxil_jit_container_bytes(again, &again_size);
    CHECK(again_size == size && !memcmp(content, bytes, size));
    check_and_free(again);
    dxil_jit_container_free(text);
    CHECK(dxil_jit_disassemble(bytes, 3, &text, NULL) == DXIL_JIT_CODE_MALFORMED && !text);
}

/* A shader gets the functions of a library. */
static void check_link(const char *shader_name, const char *library_name)
{
    dxil_jit_container *made = NULL;
    dxil_jit_error error;
    dxil_jit_bytes library;
    size_t size;
    uint8_t *shader = read_file(shader_name, &size);

    library.bytes = read_file(library_name, &library.size);
    CHECK(dxil_jit_link(shader, size, &library, 1, &made, &error) == DXIL_JIT_CODE_OK);
    check_and_free(made);
    CHECK(dxil_jit_link(shader, size, NULL, 0, &made, &error) == DXIL_JIT_CODE_MALFORMED);
    CHECK(!made && !strcmp(error.name, "unresolved-function"));
    CHECK(dxil_jit_link(shader, size, NULL, 1, &made, NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    library.size = 3;
    CHECK(dxil_jit_link(shader, size, &library, 1, &made, NULL) == DXIL_JIT_CODE_MALFORMED);
    free(shader);
    free((uint8_t *)library.bytes);
}

int main(int argc, char **argv)
{
    dxil_jit_container *container = (dxil_jit_container *)8;
    dxil_jit_error error;
    size_t dxbc_size, text_size;
    uint8_t *dxbc, *text;

    CHECK(argc == 5);
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
    {
        size_t size;
        const uint8_t *bytes = dxil_jit_container_bytes(container, &size);
        check_parts(bytes, size);
        check_text(bytes, size);
    }
    check_and_free(container);
    check_link(argv[3], argv[4]);

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
