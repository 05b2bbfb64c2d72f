/*
 * What options 15, 41 and 43 write, on a device: reports in the layer's buffers, and arrays that
 * nobody leaves.
 *
 *   watched WATCHED.dxil RACES.dxil HEAP.dxil FOLDER
 *
 * The first two are tests/shaders/watched.hlsl and races.hlsl, the third
 * hwtests/shaders/bindings/heap_buffers.hlsl. The modules are written to the folder.
 */
#include "../../examples/vulkan_compute.h"
#include "dxil_spirv_c.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 16, HASH_LOW = 0x12345678, HASH_HIGH = 0x9abcdef0, DISPATCH = 77 };

/* Words of the buffer: what the shaders use, then what they report to. */
enum {
    IN = 0,
    OUT = 64,
    HEAP_WORDS = 64,
    TABLE = 1024,
    REPORTS = 1088,
    HEAP_INFO = 1152,
    PAYLOAD = 1216,
    ENTRIES = 64,
    CONTROL = PAYLOAD + ENTRIES * 4,
    /* A word for 16 entries; then the table of accesses with 1024 entries; then two words. */
    CONTROL_WORDS = ENTRIES / 16 + 2048 + 2,
    ALL = CONTROL + CONTROL_WORDS + 64
};

static const unsigned long long hash = (unsigned long long)HASH_HIGH << 32 | HASH_LOW;
static const char *folder;
static int is_heap;
static vulkan_device device;
static vulkan_buffer buffer;
static unsigned *words;

struct file {
    unsigned char bytes[1 << 16];
    size_t size;
};

static struct file watched, races, heap;

/* Bindings: t0 and u0 for themselves, or everything in the heap at binding 0. */
static void place_in(dxil_spv_vulkan_binding *place, unsigned binding, unsigned descriptor)
{
    memset(place, 0, sizeof(*place));
    place->descriptor_type = DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_SSBO;
    if (is_heap) {
        place->bindless.use_heap = DXIL_SPV_TRUE;
        place->bindless.heap_root_offset = descriptor;
        place->root_constant_index = 1;
    } else {
        place->binding = binding;
    }
}

static dxil_spv_bool srv(void *userdata, const dxil_spv_d3d_binding *d3d,
                         dxil_spv_srv_vulkan_binding *vk)
{
    (void)userdata;
    place_in(&vk->buffer_binding, 0, d3d->register_index == ~0u ? 0 : d3d->register_index);
    return DXIL_SPV_TRUE;
}

static dxil_spv_bool uav(void *userdata, const dxil_spv_uav_d3d_binding *d3d,
                         dxil_spv_uav_vulkan_binding *vk)
{
    unsigned number = d3d->d3d_binding.register_index;
    (void)userdata;
    place_in(&vk->buffer_binding, 1, number == ~0u ? 0 : 1 + number);
    return DXIL_SPV_TRUE;
}

static dxil_spv_bool cbv(void *userdata, const dxil_spv_d3d_binding *d3d,
                         dxil_spv_cbv_vulkan_binding *vk)
{
    (void)userdata;
    (void)d3d;
    vk->push_constant = DXIL_SPV_TRUE;
    return DXIL_SPV_TRUE;
}

/* What a translation is asked for. */
struct request {
    const struct file *shader;
    const char *name;
    /* -1: no instructions are watched. */
    int instructions;
    dxil_spv_bool descriptors;
    dxil_spv_bool robust;
};

static dxil_spv_converter converter;
static dxil_spv_parsed_blob blob;

static void translate(const struct request *request, dxil_spv_compiled_spirv *spirv)
{
    const dxil_spv_option_extended_robustness robust = { { DXIL_SPV_OPTION_EXTENDED_ROBUSTNESS },
                                                         request->robust,
                                                         request->robust, request->robust };
    /* The bindings are those of `bindings` below. */
    const dxil_spv_option_descriptor_qa descriptors = {
        .base = { DXIL_SPV_OPTION_DESCRIPTOR_QA },
        .enabled = request->descriptors,
        .version = DXIL_SPV_DESCRIPTOR_QA_INTERFACE_VERSION,
        .global_binding = 4,
        .heap_binding = 5,
        .shader_hash = hash,
    };
    const dxil_spv_option_instruction_instrumentation instructions = {
        .base = { DXIL_SPV_OPTION_INSTRUCTION_INSTRUMENTATION },
        .enabled = request->instructions >= 0,
        .version = DXIL_SPV_INSTRUCTION_INSTRUMENTATION_INTERFACE_VERSION,
        .control_binding = 2,
        .payload_binding = 3,
        .shader_hash = hash,
        .type = (dxil_spv_instruction_instrumentation_type)(request->instructions < 0 ? 0
                                                            : request->instructions),
    };
    char path[4096];
    FILE *file;

    is_heap = request->shader != &watched;
    CHECK(dxil_spv_parse_dxil_blob(request->shader->bytes, request->shader->size,
                                   &blob) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_create_converter(blob, &converter) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_add_option(converter, &robust.base) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_add_option(converter, &descriptors.base) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_add_option(converter, &instructions.base) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_set_meta_descriptor(converter,
                                                 DXIL_SPV_META_DESCRIPTOR_RAW_DESCRIPTOR_HEAP_VIEW,
                                                 DXIL_SPV_META_DESCRIPTOR_KIND_READONLY_SSBO, 0, 1)
          == DXIL_SPV_SUCCESS);
    dxil_spv_converter_set_srv_remapper(converter, srv, NULL);
    dxil_spv_converter_set_uav_remapper(converter, uav, NULL);
    dxil_spv_converter_set_cbv_remapper(converter, cbv, NULL);
    dxil_spv_converter_set_root_constant_word_count(converter, 4);
    CHECK(dxil_spv_converter_run(converter) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_get_compiled_spirv(converter, spirv) == DXIL_SPV_SUCCESS);
    snprintf(path, sizeof(path), "%s/%s.spv", folder, request->name);
    file = fopen(path, "wb");
    CHECK(file && fwrite(spirv->data, 1, spirv->size, file) == spirv->size);
    fclose(file);
}

/* Descriptors of a binding: so many parts of the buffer, one behind the other. */
struct place {
    unsigned count;
    unsigned first_word;
    unsigned words;
};

/* Dispatches one group with six bindings and four push constants. */
static void dispatch(const dxil_spv_compiled_spirv *spirv, const struct place *places,
                     const unsigned *constants)
{
    VkDescriptorSetLayoutBinding bindings[6];
    VkDescriptorBufferInfo buffers[16];
    const vulkan_dispatch what = { .words = spirv->data,
                                   .size = spirv->size,
                                   .entry = "main",
                                   .bindings = bindings,
                                   .binding_count = 6,
                                   .buffers = buffers,
                                   .constants = constants,
                                   .constant_bytes = 16,
                                   .groups = 1 };
    unsigned i, j, count = 0;
    for (i = 0; i < 6; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){ i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                      places[i].count,
                                                      VK_SHADER_STAGE_COMPUTE_BIT, NULL };
        for (j = 0; j < places[i].count; j++)
            buffers[count++] = (VkDescriptorBufferInfo){ buffer.buffer,
                    (places[i].first_word + j * places[i].words) * 4,
                                                         places[i].words * 4 };
    }
    vulkan_dispatch_run(&device, &what);
}

/* Translates and dispatches with empty buffers for reports. */
static void run(const struct request *request, const unsigned *constants)
{
    struct place bindings[] = {
        { 1, IN, 64 },
        { 1, OUT, THREADS * 8 },
        { 1, CONTROL, CONTROL_WORDS },
        { 1, PAYLOAD, ENTRIES * 4 },
        { 1, REPORTS, 64 },
        { 1, HEAP_INFO, 64 },
    };
    dxil_spv_compiled_spirv spirv;

    translate(request, &spirv);
    memset(words + PAYLOAD, 0, (CONTROL_WORDS + ENTRIES * 4) * 4);
    words[CONTROL + CONTROL_WORDS - 2] = DISPATCH;
    if (is_heap) {
        bindings[0] = (struct place){ 8, 0, HEAP_WORDS };
        bindings[1] = (struct place){ 1, TABLE, 64 };
    }
    dispatch(&spirv, bindings, constants);
    dxil_spv_converter_free(converter);
    dxil_spv_parsed_blob_free(blob);
}

/* The values of all reports; checks what they all have. */
static unsigned reported(unsigned *values)
{
    unsigned entry, count = 0;
    for (entry = 0; entry < ENTRIES; entry++) {
        const unsigned *report = words + PAYLOAD + entry * 4;
        unsigned bits = words[CONTROL + entry / 16] >> entry % 16;
        /* Taken and complete, or neither. */
        CHECK((bits & 1) == (bits >> 16 & 1));
        if (bits & 1) {
            CHECK(report[0] == HASH_LOW && report[1] == (unsigned)HASH_HIGH && report[2] > 0);
            values[count++] = report[3];
        } else {
            CHECK(report[2] == 0);
        }
    }
    return count;
}

static int is_nan(unsigned bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

static void floats(void)
{
    static const unsigned nowhere[4] = { 0 };
    const float negative = -1, four = 4;
    unsigned values[ENTRIES], i;
    struct request request = { &watched, "plain", -1, DXIL_SPV_FALSE, DXIL_SPV_FALSE };

    for (i = 0; i < THREADS; i++)
        memcpy(words + IN + i, i == 5 ? &negative : &four, 4);
    run(&request, nowhere);
    CHECK(reported(values) == 0 && is_nan(words[OUT + 5 * 8]));

    request.name = "full";
    request.instructions = DXIL_SPV_INSTRUCTION_INSTRUMENTATION_TYPE_FULL_NAN_INF;
    run(&request, nowhere);
    CHECK(reported(values) == 1 && is_nan(values[0]) && is_nan(words[OUT + 5 * 8]));

    request.name = "written";
    request.instructions =
            DXIL_SPV_INSTRUCTION_INSTRUMENTATION_TYPE_EXTERNALLY_VISIBLE_WRITE_NAN_INF;
    run(&request, nowhere);
    CHECK(reported(values) == 1 && is_nan(values[0]));

    request.name = "flush";
    request.instructions = DXIL_SPV_INSTRUCTION_INSTRUMENTATION_TYPE_FLUSH_NAN_TO_ZERO;
    run(&request, nowhere);
    CHECK(reported(values) == 0 && words[OUT + 5 * 8] == 0 && words[OUT + 4 * 8] == 0x40000000);
}

/* An index beyond an array in one thread each: 3 local, 4 group-shared, 6 constants. */
static void arrays(void)
{
    static const unsigned beyond[4] = { 9, 12, 7, 0 }, inside[4] = { 2, 3, 4, 0 };
    static const unsigned ends[4] = { 4, 8, 5, 0 };
    const unsigned *constants[2] = { beyond, ends };
    unsigned values[ENTRIES], seen = 0, i, pass;
    struct request request = { &watched, "robust", -1, DXIL_SPV_FALSE, DXIL_SPV_TRUE };

    for (pass = 0; pass < 2; pass++) {
        run(&request, constants[pass]);
        for (i = 0; i < THREADS; i++) {
            const unsigned *out = words + OUT + i * 8;
            /* The write to the local array went nowhere, and so did the read. */
            unsigned sum = i == 3 ? 4 : (i % 4 ? i % 4 + 1 : 100 + i) + 100 + i;
            CHECK(out[2] == sum);
            CHECK(out[3] == (i == 6 ? 0 : 11));
            CHECK(i == 4 ? out[4] == 0 : out[4] >= 7 && out[4] < 7 + THREADS - 1);
            CHECK(out[5] == (i == 4 ? 0 : 7 + THREADS - 1));
            CHECK(out[6] == (i % 8 ? 7 : 7 + THREADS - 1));
        }
    }
    /* Inside nothing changes. */
    run(&request, inside);
    CHECK(words[OUT + 3 * 8 + 2] == 4 + 103);
    CHECK(words[OUT + 4 * 8 + 4] == 7 && words[OUT + 4 * 8 + 5] == 8);
    CHECK(words[OUT + 6 * 8 + 3] == 55);

    request.name = "assumed";
    request.instructions = DXIL_SPV_INSTRUCTION_INSTRUMENTATION_TYPE_EXPECT_ASSUME;
    run(&request, inside);
    CHECK(reported(values) == 0);
    run(&request, beyond);
    CHECK(reported(values) == 3);
    for (i = 0; i < 3; i++)
        seen |= 1u << (values[i] - 1234000001u);
    /* Group-shared, constants, local. */
    CHECK(seen == (1u << 7 | 1u << 8 | 1u << 9));
}

/* Addresses are the layer's word: two buffers at one place are one. */
static void accesses(void)
{
    unsigned values[ENTRIES], constants[4] = { 0 };
    const struct request request = { &races, "synchronized",
                DXIL_SPV_INSTRUCTION_INSTRUMENTATION_TYPE_BUFFER_SYNCHRONIZATION_VALIDATION,
                                     DXIL_SPV_FALSE, DXIL_SPV_FALSE };

    memset(words, 0, 8 * HEAP_WORDS * 4);
    memset(words + TABLE, 0, 64 * 4);
    words[TABLE + 0] = 0x10000;
    words[TABLE + 2] = 0x20000;
    words[TABLE + 4] = 0x30000;
    constants[0] = 1;
    run(&request, constants);
    CHECK(reported(values) == 0);
    CHECK(words[2 * HEAP_WORDS] == THREADS);
    /* A thread may write what it has read itself... */
    words[TABLE + 2] = 0x10000;
    constants[0] = 0;
    run(&request, constants);
    CHECK(reported(values) == 0);
    /* ... but not what its neighbour reads. */
    constants[0] = 1;
    run(&request, constants);
    CHECK(reported(values) >= 1 && values[0] == DISPATCH);
    /* The counter that all threads add to is no float that they write. */
    words[TABLE + 2] = 0x30000;
    constants[0] = 0;
    run(&request, constants);
    CHECK(reported(values) >= 1);
}

enum { INDEX = 2, HEAP_NUMBER, COOKIE, FAULTS, CHECKED, WANTED, FOUND, FAULT, SUBMISSION, ALIVE,
       STORAGE_BUFFER = 8 };

/* heap[target][i] = heap[first][i] * 1000 + heap[first + 1 + i % 2][i] in a heap of 5; the sixth
 * stands for what lies beyond. */
static void descriptors(void)
{
    enum { HEAP = 5 };
    unsigned constants[4] = { 1, 0 };
    unsigned *report = words + REPORTS, *info = words + HEAP_INFO, i, fault;
    const struct request request = { &heap, "descriptors", -1, DXIL_SPV_TRUE, DXIL_SPV_FALSE };

    for (fault = 0; fault < 5; fault++) {
        for (i = 0; i < 8 * HEAP_WORDS; i++)
            words[i] = i / HEAP_WORDS * 10;
        memset(report, 0, 64 * 4);
        memset(info, 0, 64 * 4);
        info[0] = HEAP;
        info[1] = 33;
        for (i = 0; i < HEAP; i++) {
            info[2 + i * 3] = 40 + i;
            info[2 + i * 3 + 1] = 500 + i;
            info[2 + i * 3 + 2] = STORAGE_BUFFER | 0x10;
        }
        report[SUBMISSION] = 600;
        report[ALIVE + 1] = 0x1f << 8;
        constants[0] = fault == 1 ? 3 : 1;
        if (fault == 2)
            info[2 + 1 * 3 + 2] = 0x10;
        if (fault == 3)
            report[ALIVE + 1] &= ~(1u << 9);
        if (fault == 4)
            info[2 + 1 * 3 + 1] = 601;
        run(&request, constants);
        if (fault == 0) {
            CHECK(report[FAULTS] == 0 && report[FAULT] == 0);
            CHECK(words[4] == 1 * 10 * 1000 + 20 && words[5] == 10 * 1000 + 30);
            continue;
        }
        CHECK(report[0] == HASH_LOW && report[1] == (unsigned)HASH_HIGH
              && report[HEAP_NUMBER] == 33);
        CHECK(report[FAULTS] > 0 && report[CHECKED] > 0 && report[WANTED] == STORAGE_BUFFER);
        if (fault == 1) {
            CHECK(report[FAULT] & 1);
            CHECK(report[INDEX] == HEAP);
            /* What lies beyond is the descriptor behind the last. */
            CHECK(words[4] == 30 * 1000 + 40 && words[5] == 30 * 1000 + HEAP * 10);
        } else {
            CHECK(report[FAULT] == 1u << (fault - 1));
            CHECK(report[INDEX] == 1 && report[COOKIE] == 41);
            CHECK(report[FOUND] == (fault == 2 ? 0x10u : STORAGE_BUFFER | 0x10u));
            CHECK(words[4] == HEAP * 10 * 1000 + 20);
        }
    }
}

static void read_file(const char *path, struct file *to)
{
    FILE *file = fopen(path, "rb");
    CHECK(file);
    to->size = fread(to->bytes, 1, sizeof(to->bytes), file);
    fclose(file);
}

int main(int argc, char **argv)
{
    VkPhysicalDeviceDescriptorIndexingFeatures indexing = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES,
        .runtimeDescriptorArray = VK_TRUE,
        .shaderStorageBufferArrayNonUniformIndexing = VK_TRUE,
    };
    const VkPhysicalDeviceFeatures features =
            { .shaderStorageBufferArrayDynamicIndexing = VK_TRUE };

    CHECK(argc == 5);
    read_file(argv[1], &watched);
    read_file(argv[2], &races);
    read_file(argv[3], &heap);
    folder = argv[4];
    device = vulkan_device_create(VK_API_VERSION_1_2, &features, &indexing);
    buffer = vulkan_buffer_create(&device, ALL * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    words = buffer.bytes;
    floats();
    arrays();
    accesses();
    descriptors();
    vulkan_buffer_destroy(&device, &buffer);
    vulkan_device_destroy(&device);
    puts("fine");
    return 0;
}
