/*
 * Descriptor indices beyond a heap, on a device: with option 35 they mean the descriptor behind its
 * last one.
 *
 *   heap SHADER.dxil          hwtests/shaders/bindings/heap_buffers.dxil
 *
 * The shader writes heap[first][id] * 1000 + heap[first + 1 + id % 2][id] to heap[target][id];
 * first and target are root constants.
 */
#include "../../examples/vulkan_compute.h"
#include "dxil_spirv_c.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The heap has descriptors 0 to 4; 5 stands for what lies beyond, 6 and 7 are somebody else's. */
enum { THREADS = 16, HEAP = 5, DESCRIPTORS = 8, WORDS = 64, CONSTANT = DESCRIPTORS };

static const dxil_spv_vulkan_binding heap = {
    .bindless = { .heap_root_offset = 0, .use_heap = DXIL_SPV_TRUE },
    .descriptor_type = DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_SSBO,
};

static dxil_spv_bool srv(void *userdata, const dxil_spv_d3d_binding *d3d,
                         dxil_spv_srv_vulkan_binding *vk)
{
    (void)userdata;
    CHECK(d3d->register_index == ~0u);
    vk->buffer_binding = heap;
    return DXIL_SPV_TRUE;
}

static dxil_spv_bool uav(void *userdata, const dxil_spv_uav_d3d_binding *d3d,
                         dxil_spv_uav_vulkan_binding *vk)
{
    (void)userdata;
    CHECK(d3d->d3d_binding.register_index == ~0u);
    vk->buffer_binding = heap;
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

/* Binding 0 is the heap with some more, binding 1 holds the heap's size. */
static void dispatch(const vulkan_device *device, VkBuffer buffer,
                     const dxil_spv_compiled_spirv *spirv)
{
    const unsigned constants[2] = { HEAP - 1, 0 };
    const VkDescriptorSetLayoutBinding bindings[2] = {
        { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, DESCRIPTORS, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
        { 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
    };
    VkDescriptorBufferInfo buffers[DESCRIPTORS + 1];
    const vulkan_dispatch what = { .words = spirv->data,
                                   .size = spirv->size,
                                   .entry = "main",
                                   .bindings = bindings,
                                   .binding_count = 2,
                                   .buffers = buffers,
                                   .constants = constants,
                                   .constant_bytes = sizeof(constants),
                                   .groups = 1 };
    unsigned i;
    for (i = 0; i <= DESCRIPTORS; i++)
        buffers[i] = (VkDescriptorBufferInfo){ buffer, i * WORDS * 4, WORDS * 4 };
    vulkan_dispatch_run(device, &what);
}

/* Translates with the heap's bounds or without, runs it, and checks what the odd threads have
 * read. */
static void run(const vulkan_device *device, const vulkan_buffer *buffer, const void *shader,
                size_t size,
                dxil_spv_bool bounded)
{
    const dxil_spv_option_descriptor_heap_robustness robust =
            { { DXIL_SPV_OPTION_DESCRIPTOR_HEAP_ROBUSTNESS }, bounded };
    dxil_spv_parsed_blob blob;
    dxil_spv_converter converter;
    dxil_spv_compiled_spirv spirv;
    /* WORDS words for each descriptor, then the uniform buffer. */
    unsigned *words = buffer->bytes;
    unsigned i;

    CHECK(dxil_spv_parse_dxil_blob(shader, size, &blob) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_create_converter(blob, &converter) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_add_option(converter, &robust.base) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_set_meta_descriptor(converter,
            DXIL_SPV_META_DESCRIPTOR_RESOURCE_DESCRIPTOR_HEAP_SIZE,
                DXIL_SPV_META_DESCRIPTOR_KIND_UBO_CONTAINING_CONSTANT, 0, 1)
          == DXIL_SPV_SUCCESS);
    dxil_spv_converter_set_srv_remapper(converter, srv, NULL);
    dxil_spv_converter_set_uav_remapper(converter, uav, NULL);
    dxil_spv_converter_set_cbv_remapper(converter, cbv, NULL);
    dxil_spv_converter_set_root_constant_word_count(converter, 2);
    CHECK(dxil_spv_converter_run(converter) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_get_compiled_spirv(converter, &spirv) == DXIL_SPV_SUCCESS);

    /* Descriptor n shows 10 * n everywhere; the last words are the uniform buffer. */
    for (i = 0; i < DESCRIPTORS * WORDS; i++)
        words[i] = i / WORDS * 10;
    words[CONSTANT * WORDS] = HEAP;
    dispatch(device, buffer->buffer, &spirv);
    for (i = 0; i < THREADS; i++) {
        unsigned behind = i % 2 && !bounded ? HEAP + 1 : HEAP;
        CHECK(words[i] == (HEAP - 1) * 10 * 1000 + behind * 10);
    }
    dxil_spv_converter_free(converter);
    dxil_spv_parsed_blob_free(blob);
}

int main(int argc, char **argv)
{
    static unsigned char shader[1 << 16];
    const VkPhysicalDeviceDescriptorIndexingFeatures indexing = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES,
        .runtimeDescriptorArray = VK_TRUE,
        .shaderStorageBufferArrayNonUniformIndexing = VK_TRUE,
    };
    const VkPhysicalDeviceFeatures features =
            { .shaderStorageBufferArrayDynamicIndexing = VK_TRUE };
    vulkan_device device;
    vulkan_buffer buffer;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    size_t size;
    CHECK(file);
    size = fread(shader, 1, sizeof(shader), file);
    fclose(file);
    device = vulkan_device_create(VK_API_VERSION_1_2, &features, &indexing);
    buffer = vulkan_buffer_create(&device, (DESCRIPTORS + 1) * WORDS * 4,
                VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    run(&device, &buffer, shader, size, DXIL_SPV_FALSE);
    run(&device, &buffer, shader, size, DXIL_SPV_TRUE);
    vulkan_buffer_destroy(&device, &buffer);
    vulkan_device_destroy(&device);
    puts("fine");
    return 0;
}
