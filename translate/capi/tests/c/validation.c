/* Validates and signs containers with dxil_jit.h.   validation SHADER.dxil SHADER.dxbc
 * DIVERGENT.dxil */
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

static void sign_and_check(uint8_t *bytes, size_t size)
{
    uint8_t digest[16];
    uint32_t status = 99;

    memset(bytes + 4, 0, 16);
    CHECK(dxil_jit_digest(bytes, size, digest, &status, NULL) == DXIL_JIT_CODE_OK);
    CHECK(status == DXIL_JIT_DIGEST_STATUS_UNSIGNED && memcmp(digest, bytes + 4, 16) != 0);
    CHECK(dxil_jit_sign(bytes, size, NULL) == DXIL_JIT_CODE_OK);
    CHECK(memcmp(digest, bytes + 4, 16) == 0);
    CHECK(dxil_jit_digest(bytes, size, NULL, &status, NULL) == DXIL_JIT_CODE_OK);
    CHECK(status == DXIL_JIT_DIGEST_STATUS_VALID);
    bytes[size - 1] ^= 1;
    CHECK(dxil_jit_digest(bytes, size, NULL, &status, NULL) == DXIL_JIT_CODE_OK);
    CHECK(status == DXIL_JIT_DIGEST_STATUS_MISMATCH);
    bytes[size - 1] ^= 1;
}

int main(int argc, char **argv)
{
    dxil_jit_report *report = (dxil_jit_report *)8, *freed;
    const dxil_jit_report_data *content;
    const dxil_jit_violation *violation;
    dxil_jit_error error;
    size_t size, dxbc_size, divergent_size, cut, before;
    uint8_t *shader, *dxbc, *divergent;

    CHECK(argc == 4);
    shader = read_file(argv[1], &size);
    dxbc = read_file(argv[2], &dxbc_size);
    divergent = read_file(argv[3], &divergent_size);

    /* A shader that DXC made breaks no rule. */
    CHECK(dxil_jit_validate(shader, size, -1, 0, &report, &error) == DXIL_JIT_CODE_OK);
    CHECK(error.code == DXIL_JIT_CODE_OK && report);
    content = dxil_jit_report_content(report);
    CHECK(content->is_valid && content->violation_count == 0 && content->omitted_count == 0);
    CHECK(content->validator_minor >= 4);
    dxil_jit_report_free(report);
    CHECK(dxil_jit_validate(shader, size, 0, 0, &report, NULL) == DXIL_JIT_CODE_OK);
    CHECK(dxil_jit_report_content(report)->validator_minor == 0);
    dxil_jit_report_free(report);
    CHECK(dxil_jit_validate(shader, size, -1, 0, NULL, NULL) == DXIL_JIT_CODE_OK);

    /* A container that was changed after it was signed breaks CONTAINER.DIGEST alone. */
    sign_and_check(shader, size);
    memset(shader + 4, 7, 16);
    CHECK(dxil_jit_validate(shader, size, -1, 0, &report, &error) == DXIL_JIT_CODE_MALFORMED);
    CHECK(strcmp(error.name, "breaks-rule") == 0 && strstr(error.message, "CONTAINER.DIGEST"));
    content = dxil_jit_report_content(report);
    CHECK(!content->is_valid && content->violation_count == 1);
    violation = content->violations;
    CHECK(strcmp(violation->rule, "CONTAINER.DIGEST") == 0);
    CHECK(violation->severity == DXIL_JIT_SEVERITY_ERROR && violation->detail[0]);
    CHECK(strcmp(violation->message, error.message) == 0);
    CHECK(!violation->function_name && !violation->file && violation->line == 0);
    CHECK(violation->function == UINT32_MAX && violation->block == UINT32_MAX);
    dxil_jit_report_free(report);
    CHECK(dxil_jit_sign(shader, size, &error) == DXIL_JIT_CODE_OK);
    CHECK(dxil_jit_validate(shader, size, -1, 0, NULL, NULL) == DXIL_JIT_CODE_OK);

    /* Every prefix has a report; each violation names its rule. */
    for (cut = 0; cut < size; cut += 61) {
        CHECK(dxil_jit_validate(shader, cut, -1, 0, &report, &error) == DXIL_JIT_CODE_MALFORMED);
        content = dxil_jit_report_content(report);
        CHECK(content->violation_count > 0 && strchr(content->violations->rule, '.'));
        dxil_jit_report_free(report);
    }

    /* A container of DXBC can be signed; the validator's rules are about DXIL. */
    sign_and_check(dxbc, dxbc_size);
    CHECK(dxil_jit_validate(dxbc, dxbc_size, -1, 0, NULL, &error) == DXIL_JIT_CODE_MALFORMED);
    CHECK(strstr(error.message, "CONTAINER.PARTMISSING"));

    /* Divergent control flow is a warning for those who ask. */
    CHECK(dxil_jit_validate(divergent, divergent_size, -1, 0, &report, NULL) == DXIL_JIT_CODE_OK);
    CHECK(dxil_jit_report_content(report)->violation_count == 0);
    dxil_jit_report_free(report);
    CHECK(dxil_jit_validate(divergent, divergent_size, -1, DXIL_JIT_VALIDATE_UNIFORMITY, &report,
                            NULL) == DXIL_JIT_CODE_OK);
    content = dxil_jit_report_content(report);
    CHECK(content->is_valid && content->violation_count == 1);
    violation = content->violations;
    CHECK(strcmp(violation->rule, "UNI.THREADSYNC") == 0);
    CHECK(violation->severity == DXIL_JIT_SEVERITY_WARNING);
    CHECK(strcmp(violation->function_name, "main") == 0);
    dxil_jit_report_free(report);

    /* Misuse is an error code. */
    report = (dxil_jit_report *)8;
    CHECK(dxil_jit_validate(NULL, size, -1, 0, &report, &error) == DXIL_JIT_CODE_BAD_ARGUMENT);
    CHECK(!report && error.code == DXIL_JIT_CODE_BAD_ARGUMENT && error.message[0]);
    CHECK(dxil_jit_digest(NULL, size, NULL, NULL, NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    CHECK(dxil_jit_sign(NULL, size, NULL) == DXIL_JIT_CODE_BAD_ARGUMENT);
    before = shader[4];
    CHECK(dxil_jit_sign(shader, 20, &error) == DXIL_JIT_CODE_MALFORMED && shader[4] == before);
    CHECK(dxil_jit_digest(shader, 3, NULL, NULL, &error) == DXIL_JIT_CODE_MALFORMED);
    CHECK(dxil_jit_validate(shader, size, -1, 0, &report, NULL) == DXIL_JIT_CODE_OK);
    freed = report;
    dxil_jit_report_free(report);
    dxil_jit_report_free(freed);
    CHECK(dxil_jit_report_content(freed) == NULL && dxil_jit_report_content(NULL) == NULL);
    dxil_jit_report_free(NULL);
    free(shader);
    free(dxbc);
    free(divergent);
    puts("fine");
    return 0;
}
