/* What dxil_jit.h says of shaders.   reflection HULL.dxil DOMAIN.dxil WAVES.dxil (few_hs,
 * few_ds, wavesize_range) */
#include "dxil_jit.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dxil_jit_translation *translate(const char *path, const dxil_jit_options *options)
{
    static uint8_t bytes[1 << 16];
    dxil_jit_translation *translation = NULL;
    dxil_jit_error error;
    FILE *file = fopen(path, "rb");
    size_t size;
    CHECK(file);
    size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    if (dxil_jit_translate(bytes, size, options, NULL, 0, NULL, &translation,
                           &error) != DXIL_JIT_CODE_OK) {
        fprintf(stderr, "%s: %s\n", path, error.message);
        exit(1);
    }
    return translation;
}

static const dxil_jit_element *find(const dxil_jit_element *elements, size_t count,
                                    const char *name)
{
    size_t i;
    for (i = 0; i < count; i++)
        if (strcmp(elements[i].name, name) == 0)
            return &elements[i];
    fprintf(stderr, "there is no %s\n", name);
    exit(1);
}

static int declares(const dxil_jit_reflection *reflection, uint32_t capability)
{
    size_t i;
    for (i = 0; i < reflection->capability_count; i++)
        if (reflection->capabilities[i] == capability)
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    dxil_jit_options options = { .features = DXIL_JIT_FEATURE_DESKTOP | DXIL_JIT_FEATURE_SUBGROUP };
    dxil_jit_translation *hull, *domain, *waves;
    const dxil_jit_reflection *h, *d, *w;
    const dxil_jit_element *element;
    enum { SHADER = 1, TESSELLATION = 3, GROUP_NON_UNIFORM = 61, POSITION = 3, INT = 4, FLOAT = 9 };

    CHECK(argc == 4);
    hull = translate(argv[1], &options);
    h = dxil_jit_translation_reflection(hull);
    CHECK(h->stage == DXIL_JIT_STAGE_HULL && h->control_points[0] == 1
          && h->control_points[1] == 3);
    CHECK(h->input_count == 2 && h->output_count == 3);
    element = find(h->inputs, h->input_count, "SV_Position");
    CHECK(element->system_value == POSITION && element->columns == 4
          && element->component_type == FLOAT);
    element = find(h->outputs, h->output_count, "B");
    CHECK(element->system_value == 0 && element->first_row == 2 && element->rows == 1
          && element->semantic_index == 0);
    element = find(h->patch_constants, h->patch_constant_count, "NUMBERS");
    CHECK(element->component_type == INT && element->columns == 4);
    /* Behind the three rows of the control points. */
    CHECK(h->patch_location == 3);
    CHECK(declares(h, SHADER) && declares(h, TESSELLATION) && !declares(h, GROUP_NON_UNIFORM));

    domain = translate(argv[2], &options);
    d = dxil_jit_translation_reflection(domain);
    CHECK(d->control_points[0] == 1 || d->control_points[0] == 3);
    CHECK(d->patch_location == 1);
    dxil_jit_translation_free(domain);
    options.has_patch_location = true;
    options.patch_location = h->patch_location;
    domain = translate(argv[2], &options);
    CHECK(dxil_jit_translation_reflection(domain)->patch_location == 3);

    options.has_patch_location = false;
    waves = translate(argv[3], &options);
    w = dxil_jit_translation_reflection(waves);
    CHECK(w->wave_lanes[0] == 4 && w->wave_lanes[1] == 64 && w->wave_lanes[2] == 32);
    CHECK(w->workgroup_size[0] == 128 && w->input_count == 0 && w->control_points[0] == 0);
    CHECK(declares(w, GROUP_NON_UNIFORM) && w->shader_flags != 0);
    CHECK(w->use_count == 3 && w->extension_count == 0);

    dxil_jit_translation_free(hull);
    dxil_jit_translation_free(domain);
    dxil_jit_translation_free(waves);
    puts("fine");
    return 0;
}
