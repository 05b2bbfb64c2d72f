/*
 * Uses the ABI as a layer does: parse, ask, remap, translate, from several threads; and misuses it.
 *
 *   compat SHADER.dxil OUT.spv
 *
 * The shader is tests/shaders/bindings.hlsl. Exits with 0 if everything is as it should be.
 */
#include "dxil_spirv_c.h"
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
    void *data;
    size_t size;
};

static struct bytes read_file(const char *path)
{
    struct bytes file = { NULL, 0 };
    FILE *f = fopen(path, "rb");
    CHECK(f);
    fseek(f, 0, SEEK_END);
    file.size = (size_t)ftell(f);
    rewind(f);
    file.data = malloc(file.size);
    CHECK(fread(file.data, 1, file.size, f) == file.size);
    fclose(f);
    return file;
}

/* What the callbacks were asked, in order. */
struct asked {
    char order[64];
    unsigned count;
    dxil_spv_d3d_binding last[64];
    unsigned counters;
    unsigned log_lines;
};

static void note(struct asked *asked, char letter, const dxil_spv_d3d_binding *binding)
{
    CHECK(asked->count < 63);
    asked->last[asked->count] = *binding;
    asked->order[asked->count++] = letter;
}

static dxil_spv_bool srv(void *userdata, const dxil_spv_d3d_binding *d3d,
                         dxil_spv_srv_vulkan_binding *vk)
{
    note(userdata, 't', d3d);
    vk->buffer_binding.set = 1;
    vk->buffer_binding.binding = d3d->register_index;
    if (d3d->kind == DXIL_SPV_RESOURCE_KIND_STRUCTURED_BUFFER) {
        /* A heap whose descriptors begin at multiples of 16 bytes only. */
        CHECK(d3d->alignment == 4);
        vk->buffer_binding.descriptor_type = DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_SSBO;
        vk->buffer_binding.bindless.use_heap = DXIL_SPV_TRUE;
        vk->buffer_binding.bindless.heap_root_offset = 5;
        vk->buffer_binding.root_constant_index = 4;
        vk->offset_binding.set = 6;
    }
    return DXIL_SPV_TRUE;
}

static dxil_spv_bool uav(void *userdata, const dxil_spv_uav_d3d_binding *d3d,
                         dxil_spv_uav_vulkan_binding *vk)
{
    struct asked *asked = userdata;
    note(asked, 'u', &d3d->d3d_binding);
    asked->counters += d3d->has_counter;
    vk->buffer_binding.set = 2;
    vk->buffer_binding.binding = d3d->d3d_binding.register_index;
    vk->buffer_binding.descriptor_type = DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_SSBO;
    if (d3d->has_counter) {
        vk->buffer_binding.bindless.use_heap = DXIL_SPV_TRUE;
        vk->buffer_binding.root_constant_index = 4;
        vk->counter_binding.set = 7;
        vk->counter_binding.bindless.use_heap = DXIL_SPV_TRUE;
    } else if (d3d->d3d_binding.kind == DXIL_SPV_RESOURCE_KIND_RAW_BUFFER) {
        CHECK(d3d->d3d_binding.alignment == 16);
        vk->buffer_binding.descriptor_type = DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_BUFFER_DEVICE_ADDRESS;
        vk->buffer_binding.root_constant_index = 1;
    }
    return DXIL_SPV_TRUE;
}

static dxil_spv_bool cbv(void *userdata, const dxil_spv_d3d_binding *d3d,
                         dxil_spv_cbv_vulkan_binding *vk)
{
    note(userdata, 'b', d3d);
    vk->push_constant = DXIL_SPV_TRUE;
    vk->vulkan.push_constant.offset_in_words = 0;
    return DXIL_SPV_TRUE;
}

static dxil_spv_bool sampler(void *userdata, const dxil_spv_d3d_binding *d3d,
                             dxil_spv_vulkan_binding *vk)
{
    note(userdata, 's', d3d);
    vk->set = 3;
    vk->binding = d3d->register_index;
    return DXIL_SPV_TRUE;
}

static dxil_spv_bool refuse_unbounded(
    void *userdata, const dxil_spv_d3d_binding *d3d, dxil_spv_srv_vulkan_binding *vk)
{
    note(userdata, 't', d3d);
    if (d3d->range_size == ~0u)
        return DXIL_SPV_FALSE;
    return srv(&(struct asked){ .count = 0 }, d3d, vk);
}

static dxil_spv_bool scan(void *userdata, const dxil_spv_d3d_binding *d3d,
                          dxil_spv_srv_vulkan_binding *vk)
{
    (void)vk;
    note(userdata, 't', d3d);
    return DXIL_SPV_TRUE;
}

static void on_log(void *userdata, dxil_spv_log_level level, const char *message)
{
    struct asked *asked = userdata;
    CHECK(level <= DXIL_SPV_LOG_LEVEL_ERROR);
    CHECK(message[strlen(message) - 1] == '\n');
    asked->log_lines++;
}

static void add_options(dxil_spv_converter converter)
{
    const dxil_spv_option_physical_storage_buffer addresses =
            { { DXIL_SPV_OPTION_PHYSICAL_STORAGE_BUFFER }, 1 };
    const dxil_spv_option_ssbo_alignment alignment = { { DXIL_SPV_OPTION_SSBO_ALIGNMENT }, 16 };
    const dxil_spv_option_bindless_offset_buffer_layout layout = {
        { DXIL_SPV_OPTION_BINDLESS_OFFSET_BUFFER_LAYOUT }, 0, 1, 2
    };
    CHECK(dxil_spv_converter_add_option(converter, &addresses.base) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_add_option(converter, &alignment.base) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_add_option(converter, &layout.base) == DXIL_SPV_SUCCESS);
    dxil_spv_converter_set_root_descriptor_count(converter, 2);
    dxil_spv_converter_set_root_constant_word_count(converter, 6);
}

/* Translates; the caller frees the copy. */
static struct bytes translate(struct bytes shader, struct asked *asked)
{
    dxil_spv_parsed_blob blob = NULL;
    dxil_spv_converter converter = NULL;
    dxil_spv_compiled_spirv compiled = { NULL, 0 };
    struct bytes copy;

    CHECK(dxil_spv_parse_dxil_blob(shader.data, shader.size, &blob) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_create_converter(blob, &converter) == DXIL_SPV_SUCCESS);
    add_options(converter);
    dxil_spv_converter_set_srv_remapper(converter, srv, asked);
    dxil_spv_converter_set_uav_remapper(converter, uav, asked);
    dxil_spv_converter_set_cbv_remapper(converter, cbv, asked);
    dxil_spv_converter_set_sampler_remapper(converter, sampler, asked);
    CHECK(dxil_spv_converter_get_compiled_spirv(converter, &compiled) == DXIL_SPV_ERROR_GENERIC);
    CHECK(dxil_spv_converter_run(converter) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_get_compiled_spirv(converter, &compiled) == DXIL_SPV_SUCCESS);
    CHECK(compiled.size > 20 && compiled.size % 4 == 0);
    CHECK(*(const unsigned *)compiled.data == 0x07230203);
    copy.size = compiled.size;
    copy.data = malloc(copy.size);
    memcpy(copy.data, compiled.data, copy.size);

    {
        const char *name = NULL;
        unsigned x = 0, y = 0, z = 0, least = 9, most = 9, preferred = 9;
        CHECK(dxil_spv_converter_get_compiled_entry_point(converter, &name) == DXIL_SPV_SUCCESS);
        CHECK(strcmp(name, "main") == 0);
        CHECK(dxil_spv_converter_get_compute_workgroup_dimensions(converter, &x, &y,
                                                                  &z) == DXIL_SPV_SUCCESS);
        CHECK(x == 8 && y == 2 && z == 1);
        CHECK(dxil_spv_converter_get_compute_wave_size_range(converter, &least, &most, &preferred)
              == DXIL_SPV_SUCCESS);
        CHECK(least == 0 && most == 0 && preferred == 0);
        CHECK(!dxil_spv_converter_uses_subgroup_size(converter));
        CHECK(!dxil_spv_converter_uses_shader_feature(converter,
                DXIL_SPV_SHADER_FEATURE_NATIVE_16BIT_OPERATIONS));
        CHECK(dxil_spv_converter_get_analysis_warnings(converter) == NULL);
    }
    dxil_spv_converter_free(converter);
    dxil_spv_parsed_blob_free(blob);
    return copy;
}

static void ask_the_blob(struct bytes shader)
{
    dxil_spv_parsed_blob blob = NULL, raw = NULL, reflection = NULL;
    const char *name = NULL, *text = NULL;
    const void *bitcode = NULL;
    size_t size = 0;
    unsigned count = 0, index = 7;

    CHECK(dxil_spv_parse_dxil_blob(shader.data, shader.size, &blob) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_parsed_blob_get_num_entry_points(blob, &count) == DXIL_SPV_SUCCESS
          && count == 1);
    CHECK(dxil_spv_parsed_blob_get_entry_point_name(blob, 0, &name) == DXIL_SPV_SUCCESS);
    CHECK(strcmp(name, "main") == 0);
    CHECK(dxil_spv_parsed_blob_get_entry_point_demangled_name(blob, 0, &name) == DXIL_SPV_SUCCESS);
    CHECK(strcmp(name, "main") == 0);
    CHECK(dxil_spv_parsed_blob_get_entry_point_name(blob, 1,
                                                    &name) == DXIL_SPV_ERROR_INVALID_ARGUMENT);
    CHECK(dxil_spv_parsed_blob_get_entry_index_by_name(blob, "main", &index) == DXIL_SPV_SUCCESS
          && index == 0);
    CHECK(dxil_spv_parsed_blob_get_entry_index_by_name(blob, "other",
                                                       &index) == DXIL_SPV_ERROR_GENERIC);
    CHECK(dxil_spv_parsed_blob_get_shader_stage(blob) == DXIL_SPV_STAGE_COMPUTE);
    CHECK(dxil_spv_parsed_blob_get_shader_stage_for_entry(blob, "main") == DXIL_SPV_STAGE_COMPUTE);
    CHECK(dxil_spv_parsed_blob_get_shader_stage_for_entry(blob, "other") == DXIL_SPV_STAGE_UNKNOWN);
    CHECK(dxil_spv_parsed_blob_get_num_rdat_subobjects(blob) == 0);
    CHECK(dxil_spv_parsed_blob_get_disassembled_ir(blob, &text) == DXIL_SPV_SUCCESS);
    CHECK(strstr(text, "@main"));
    CHECK(dxil_spv_parsed_blob_get_raw_ir(blob, &bitcode, &size) == DXIL_SPV_SUCCESS);
    CHECK(size > 4 && memcmp(bitcode, "BC\xc0\xde", 4) == 0);

    /* The bitcode alone is as good. */
    CHECK(dxil_spv_parse_dxil(bitcode, size, &raw) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_parsed_blob_get_shader_stage(raw) == DXIL_SPV_STAGE_COMPUTE);
    CHECK(dxil_spv_parse_reflection_dxil_blob(shader.data, shader.size,
                                              &reflection) == DXIL_SPV_SUCCESS);

    {
        struct asked asked = { .count = 0 };
        CHECK(dxil_spv_parsed_blob_scan_resources(blob, scan, NULL, cbv, NULL,
                                                  &asked) == DXIL_SPV_SUCCESS);
        CHECK(strcmp(asked.order, "tttb") == 0);
    }
    dxil_spv_parsed_blob_free(reflection);
    dxil_spv_parsed_blob_free(raw);
    dxil_spv_parsed_blob_free(blob);
}

static void accept_all_options(struct bytes shader)
{
    /* Room for the largest structure, all zero: off, none, 0. */
    union {
        dxil_spv_option_base base;
        dxil_spv_option_shader_quirk quirk;
        char room[256];
    } option;
    dxil_spv_parsed_blob blob = NULL;
    dxil_spv_converter converter = NULL;
    unsigned i;

    CHECK(dxil_spv_parse_dxil_blob(shader.data, shader.size, &blob) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_create_converter(blob, &converter) == DXIL_SPV_SUCCESS);
    for (i = 1; i <= 56; i++) {
        memset(&option, 0, sizeof(option));
        option.base.type = (dxil_spv_option)i;
        CHECK(dxil_spv_converter_supports_option((dxil_spv_option)i));
        CHECK(dxil_spv_converter_add_option(converter, &option.base) == DXIL_SPV_SUCCESS);
    }
    for (i = 0; i <= 17; i++) {
        memset(&option, 0, sizeof(option));
        option.quirk.base.type = DXIL_SPV_OPTION_SHADER_QUIRK;
        option.quirk.quirk = (dxil_spv_shader_quirk)i;
        CHECK(dxil_spv_converter_add_option(converter, &option.base) == DXIL_SPV_SUCCESS);
    }
    option.base.type = (dxil_spv_option)1000;
    CHECK(!dxil_spv_converter_supports_option(option.base.type));
    CHECK(dxil_spv_converter_add_option(converter,
                                        &option.base) == DXIL_SPV_ERROR_UNSUPPORTED_FEATURE);
    dxil_spv_converter_free(converter);
    dxil_spv_parsed_blob_free(blob);
}

/* An unbounded range is asked about again as a single register. */
static void retry_unbounded(struct bytes shader)
{
    struct asked asked = { .count = 0 }, others = { .count = 0 };
    dxil_spv_parsed_blob blob = NULL;
    dxil_spv_converter converter = NULL;
    unsigned i, again = 0;

    CHECK(dxil_spv_parse_dxil_blob(shader.data, shader.size, &blob) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_create_converter(blob, &converter) == DXIL_SPV_SUCCESS);
    add_options(converter);
    dxil_spv_converter_set_srv_remapper(converter, refuse_unbounded, &asked);
    dxil_spv_converter_set_uav_remapper(converter, uav, &others);
    dxil_spv_converter_set_cbv_remapper(converter, cbv, &others);
    dxil_spv_converter_set_sampler_remapper(converter, sampler, &others);
    CHECK(dxil_spv_converter_run(converter) == DXIL_SPV_SUCCESS);
    for (i = 1; i < asked.count; i++)
        again += asked.last[i - 1].range_size == ~0u && asked.last[i].range_size == 1
                 && asked.last[i].register_index == asked.last[i - 1].register_index;
    CHECK(again == 1);
    dxil_spv_converter_free(converter);
    dxil_spv_parsed_blob_free(blob);
}

static void misuse(struct bytes shader)
{
    struct asked asked = { .count = 0 };
    dxil_spv_parsed_blob blob = NULL;
    dxil_spv_converter converter = NULL;
    dxil_spv_compiled_spirv compiled;
    dxil_spv_rdat_subobject subobject;
    unsigned n = 0;
    size_t size;

    dxil_spv_set_thread_log_callback(on_log, &asked);
    dxil_spv_get_version(NULL, NULL, NULL);
    CHECK(dxil_spv_parse_dxil_blob(NULL, 10, &blob) == DXIL_SPV_ERROR_INVALID_ARGUMENT);
    CHECK(dxil_spv_parse_dxil_blob(shader.data, shader.size,
                                   NULL) == DXIL_SPV_ERROR_INVALID_ARGUMENT);
    CHECK(dxil_spv_parse_dxil_blob(shader.data, 0, &blob) == DXIL_SPV_ERROR_PARSER && !blob);
    CHECK(dxil_spv_parse_dxil("not bitcode, is it?", 16, &blob) == DXIL_SPV_ERROR_PARSER && !blob);
    for (size = 1; size < shader.size; size += 97)
        CHECK(dxil_spv_parse_dxil_blob(shader.data, size, &blob) != DXIL_SPV_SUCCESS && !blob);
    CHECK(asked.log_lines > 0);

    CHECK(dxil_spv_parsed_blob_get_shader_stage(NULL) == DXIL_SPV_STAGE_UNKNOWN);
    CHECK(dxil_spv_parsed_blob_get_num_entry_points(NULL, &n) == DXIL_SPV_ERROR_INVALID_ARGUMENT);
    CHECK(dxil_spv_parsed_blob_get_num_rdat_subobjects(NULL) == 0);
    dxil_spv_parsed_blob_dump_llvm_ir(NULL);
    dxil_spv_parsed_blob_free(NULL);
    CHECK(dxil_spv_create_converter(NULL, &converter) == DXIL_SPV_ERROR_INVALID_ARGUMENT
          && !converter);
    dxil_spv_converter_free(NULL);
    dxil_spv_converter_set_entry_point(NULL, "main");
    dxil_spv_converter_set_srv_remapper(NULL, srv, NULL);
    CHECK(dxil_spv_converter_run(NULL) == DXIL_SPV_ERROR_INVALID_ARGUMENT);
    CHECK(dxil_spv_converter_get_compiled_spirv(NULL,
                                                &compiled) == DXIL_SPV_ERROR_INVALID_ARGUMENT);
    CHECK(dxil_spv_converter_add_option(NULL, NULL) == DXIL_SPV_ERROR_INVALID_ARGUMENT);

    CHECK(dxil_spv_parse_dxil_blob(shader.data, shader.size, &blob) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_parsed_blob_get_num_entry_points(blob, NULL) == DXIL_SPV_ERROR_INVALID_ARGUMENT);
    CHECK(dxil_spv_parsed_blob_get_entry_index_by_name(blob, NULL,
                                                       &n) == DXIL_SPV_ERROR_INVALID_ARGUMENT);
    dxil_spv_parsed_blob_get_rdat_subobject(blob, 3, &subobject);
    CHECK(dxil_spv_create_converter(blob, NULL) == DXIL_SPV_ERROR_INVALID_ARGUMENT);
    CHECK(dxil_spv_create_converter(blob, &converter) == DXIL_SPV_SUCCESS);
    /* A converter is no blob. */
    CHECK(dxil_spv_converter_add_option(converter, NULL) == DXIL_SPV_ERROR_INVALID_ARGUMENT);
    CHECK(dxil_spv_converter_end_local_root_descriptor_table(
            converter) == DXIL_SPV_ERROR_INVALID_ARGUMENT);
    CHECK(dxil_spv_converter_begin_local_root_descriptor_table(converter) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_begin_local_root_descriptor_table(
            converter) == DXIL_SPV_ERROR_INVALID_ARGUMENT);
    dxil_spv_converter_set_entry_point(converter, "nobody");
    CHECK(dxil_spv_converter_run(converter) == DXIL_SPV_ERROR_INVALID_ARGUMENT);
    CHECK(dxil_spv_converter_get_compiled_spirv(converter, NULL) != DXIL_SPV_SUCCESS);
    dxil_spv_converter_free(converter);
    dxil_spv_parsed_blob_free(blob);
    dxil_spv_set_thread_log_callback(NULL, NULL);
}

/* What was made in a context is gone with it. */
static void contexts(struct bytes shader)
{
    unsigned i;
    dxil_spv_begin_thread_allocator_context();
    for (i = 0; i < 3; i++) {
        dxil_spv_parsed_blob blob = NULL;
        dxil_spv_converter converter = NULL;
        CHECK(dxil_spv_parse_dxil_blob(shader.data, shader.size, &blob) == DXIL_SPV_SUCCESS);
        CHECK(dxil_spv_create_converter(blob, &converter) == DXIL_SPV_SUCCESS);
        if (i == 1)
            dxil_spv_parsed_blob_free(blob);
        dxil_spv_reset_thread_allocator_context();
    }
    dxil_spv_end_thread_allocator_context();
    dxil_spv_end_thread_allocator_context();
}

struct job {
    struct bytes shader;
    struct bytes expected;
};

static void *work(void *userdata)
{
    const struct job *job = userdata;
    int i;
    for (i = 0; i < 20; i++) {
        struct asked asked = { .count = 0 };
        struct bytes words;
        dxil_spv_begin_thread_allocator_context();
        words = translate(job->shader, &asked);
        CHECK(words.size == job->expected.size
              && memcmp(words.data, job->expected.data, words.size) == 0);
        free(words.data);
        dxil_spv_end_thread_allocator_context();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct asked asked = { .count = 0 };
    struct bytes shader, words;
    unsigned major = 0, minor = 0, patch = 9;
    pthread_t threads[4];
    struct job job;
    FILE *out;
    int i;

    CHECK(argc == 3);
    dxil_spv_get_version(&major, &minor, &patch);
    CHECK(major == DXIL_SPV_API_VERSION_MAJOR && minor == DXIL_SPV_API_VERSION_MINOR
          && patch == DXIL_SPV_API_VERSION_PATCH);
    shader = read_file(argv[1]);
    ask_the_blob(shader);
    accept_all_options(shader);
    retry_unbounded(shader);
    misuse(shader);
    contexts(shader);

    words = translate(shader, &asked);
    /* SRVs, UAVs, constant buffers, samplers; each in the order of the declarations. */
    CHECK(strcmp(asked.order, "tttuuubs") == 0);
    CHECK(asked.counters == 1);
    out = fopen(argv[2], "wb");
    CHECK(out && fwrite(words.data, 1, words.size, out) == words.size);
    fclose(out);

    job.shader = shader;
    job.expected = words;
    for (i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, work, &job) == 0);
    for (i = 0; i < 4; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    free(words.data);
    free(shader.data);
    puts("fine");
    return 0;
}
