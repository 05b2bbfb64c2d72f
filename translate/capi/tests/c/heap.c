/*
 * Descriptor indices beyond a heap, on a device: with option 35 they mean the descriptor behind its last one.
 *
 *   heap SHADER.dxil          hwtests/shaders/bindings/heap_buffers.dxil
 *
 * The shader writes heap[first][id] * 1000 + heap[first + 1 + id % 2][id] to heap[target][id]; first and target are root
 * constants.
 */
#include "dxil_spirv_c.h"

#include <vulkan/vulkan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);   \
            exit(1);                                                                  \
        }                                                                             \
    } while (0)

/* The heap has descriptors 0 to 4; 5 stands for what lies beyond, 6 and 7 are somebody else's. */
enum { THREADS = 16, HEAP = 5, DESCRIPTORS = 8, WORDS = 64, CONSTANT = DESCRIPTORS };

static VkInstance instance;
static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static VkBuffer buffer;
static VkDeviceMemory memory;
/* WORDS words for each descriptor, then the uniform buffer. */
static unsigned *words;

static const dxil_spv_vulkan_binding heap = {
    .bindless = { .heap_root_offset = 0, .use_heap = DXIL_SPV_TRUE },
    .descriptor_type = DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_SSBO,
};

static dxil_spv_bool srv(void *userdata, const dxil_spv_d3d_binding *d3d, dxil_spv_srv_vulkan_binding *vk)
{
    (void)userdata;
    CHECK(d3d->register_index == ~0u);
    vk->buffer_binding = heap;
    return DXIL_SPV_TRUE;
}

static dxil_spv_bool uav(void *userdata, const dxil_spv_uav_d3d_binding *d3d, dxil_spv_uav_vulkan_binding *vk)
{
    (void)userdata;
    CHECK(d3d->d3d_binding.register_index == ~0u);
    vk->buffer_binding = heap;
    return DXIL_SPV_TRUE;
}

static dxil_spv_bool cbv(void *userdata, const dxil_spv_d3d_binding *d3d, dxil_spv_cbv_vulkan_binding *vk)
{
    (void)userdata;
    (void)d3d;
    vk->push_constant = DXIL_SPV_TRUE;
    return DXIL_SPV_TRUE;
}

static void make_device(void)
{
    const float priority = 1;
    uint32_t one = 1;
    const VkApplicationInfo application = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                            .apiVersion = VK_API_VERSION_1_2 };
    const VkInstanceCreateInfo instance_info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                                 .pApplicationInfo = &application };
    VkPhysicalDeviceDescriptorIndexingFeatures indexing = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES,
        .runtimeDescriptorArray = VK_TRUE,
        .shaderStorageBufferArrayNonUniformIndexing = VK_TRUE,
    };
    const VkPhysicalDeviceFeatures features = { .shaderStorageBufferArrayDynamicIndexing = VK_TRUE };
    const VkDeviceQueueCreateInfo queues = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                             .queueCount = 1,
                                             .pQueuePriorities = &priority };
    const VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .pNext = &indexing,
                                      .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = &queues,
                                      .pEnabledFeatures = &features };
    CHECK(vkCreateInstance(&instance_info, NULL, &instance) == VK_SUCCESS);
    CHECK(vkEnumeratePhysicalDevices(instance, &one, &physical) >= 0 && one == 1);
    CHECK(vkCreateDevice(physical, &info, NULL, &device) == VK_SUCCESS);
    vkGetDeviceQueue(device, 0, 0, &queue);
}

static void make_memory(void)
{
    const VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .size = (DESCRIPTORS + 1) * WORDS * 4,
                                      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
                                               | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT };
    VkMemoryAllocateInfo allocation = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties types;
    VkMemoryRequirements needs;
    CHECK(vkCreateBuffer(device, &info, NULL, &buffer) == VK_SUCCESS);
    vkGetBufferMemoryRequirements(device, buffer, &needs);
    vkGetPhysicalDeviceMemoryProperties(physical, &types);
    while (!(needs.memoryTypeBits >> allocation.memoryTypeIndex & 1)
           || (types.memoryTypes[allocation.memoryTypeIndex].propertyFlags & wanted) != wanted)
        CHECK(++allocation.memoryTypeIndex < types.memoryTypeCount);
    allocation.allocationSize = needs.size;
    CHECK(vkAllocateMemory(device, &allocation, NULL, &memory) == VK_SUCCESS);
    CHECK(vkBindBufferMemory(device, buffer, memory, 0) == VK_SUCCESS);
    CHECK(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, (void **)&words) == VK_SUCCESS);
}

/* Dispatches the module: binding 0 is the heap with some more, binding 1 holds the heap's size. */
static void dispatch(const dxil_spv_compiled_spirv *spirv)
{
    const unsigned constants[2] = { HEAP - 1, 0 };
    const VkDescriptorSetLayoutBinding bindings[2] = {
        { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, DESCRIPTORS, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
        { 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
    };
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 2, .pBindings = bindings
    };
    const VkPushConstantRange range = { VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(constants) };
    VkDescriptorSetLayout set_layout;
    VkPipelineLayoutCreateInfo layout_info = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range };
    const VkShaderModuleCreateInfo module_info = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                   .codeSize = spirv->size,
                                                   .pCode = spirv->data };
    VkComputePipelineCreateInfo pipeline_info = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO };
    const VkDescriptorPoolSize sizes[2] = { { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, DESCRIPTORS },
                                            { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1 } };
    const VkDescriptorPoolCreateInfo pool_info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                   .maxSets = 1,
                                                   .poolSizeCount = 2,
                                                   .pPoolSizes = sizes };
    VkDescriptorSetAllocateInfo set_allocation = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                   .descriptorSetCount = 1,
                                                   .pSetLayouts = &set_layout };
    const VkCommandPoolCreateInfo commands_info = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
    VkCommandBufferAllocateInfo allocation = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                               .commandBufferCount = 1 };
    const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
    const VkMemoryBarrier barrier = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                      .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                      .dstAccessMask = VK_ACCESS_HOST_READ_BIT };
    VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1 };
    VkDescriptorBufferInfo ranges[DESCRIPTORS + 1];
    VkWriteDescriptorSet writes[2];
    VkPipelineLayout layout;
    VkShaderModule module;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkCommandPool commands;
    VkCommandBuffer command;
    unsigned i;

    CHECK(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set_layout) == VK_SUCCESS);
    CHECK(vkCreatePipelineLayout(device, &layout_info, NULL, &layout) == VK_SUCCESS);
    CHECK(vkCreateShaderModule(device, &module_info, NULL, &module) == VK_SUCCESS);
    pipeline_info.layout = layout;
    pipeline_info.stage = (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
        .module = module,
        .pName = "main",
    };
    CHECK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipeline_info, NULL, &pipeline) == VK_SUCCESS);
    CHECK(vkCreateDescriptorPool(device, &pool_info, NULL, &pool) == VK_SUCCESS);
    set_allocation.descriptorPool = pool;
    CHECK(vkAllocateDescriptorSets(device, &set_allocation, &set) == VK_SUCCESS);
    for (i = 0; i <= DESCRIPTORS; i++)
        ranges[i] = (VkDescriptorBufferInfo){ buffer, i * WORDS * 4, WORDS * 4 };
    for (i = 0; i < 2; i++)
        writes[i] = (VkWriteDescriptorSet){ .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = set,
                                            .dstBinding = i,
                                            .descriptorCount = bindings[i].descriptorCount,
                                            .descriptorType = bindings[i].descriptorType,
                                            .pBufferInfo = &ranges[i ? CONSTANT : 0] };
    vkUpdateDescriptorSets(device, 2, writes, 0, NULL);
    CHECK(vkCreateCommandPool(device, &commands_info, NULL, &commands) == VK_SUCCESS);
    allocation.commandPool = commands;
    CHECK(vkAllocateCommandBuffers(device, &allocation, &command) == VK_SUCCESS);
    CHECK(vkBeginCommandBuffer(command, &begin) == VK_SUCCESS);
    vkCmdBindPipeline(command, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(command, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdPushConstants(command, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(constants), constants);
    vkCmdDispatch(command, 1, 1, 1);
    vkCmdPipelineBarrier(command, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                         NULL, 0, NULL);
    CHECK(vkEndCommandBuffer(command) == VK_SUCCESS);
    submit.pCommandBuffers = &command;
    CHECK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE) == VK_SUCCESS && vkQueueWaitIdle(queue) == VK_SUCCESS);

    vkDestroyCommandPool(device, commands, NULL);
    vkDestroyDescriptorPool(device, pool, NULL);
    vkDestroyPipeline(device, pipeline, NULL);
    vkDestroyShaderModule(device, module, NULL);
    vkDestroyPipelineLayout(device, layout, NULL);
    vkDestroyDescriptorSetLayout(device, set_layout, NULL);
}

/* Translates with the heap's bounds or without, runs it, and checks what the odd threads have read. */
static void run(const void *shader, size_t size, dxil_spv_bool bounded)
{
    const dxil_spv_option_descriptor_heap_robustness robust = { { DXIL_SPV_OPTION_DESCRIPTOR_HEAP_ROBUSTNESS }, bounded };
    dxil_spv_parsed_blob blob;
    dxil_spv_converter converter;
    dxil_spv_compiled_spirv spirv;
    unsigned i;

    CHECK(dxil_spv_parse_dxil_blob(shader, size, &blob) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_create_converter(blob, &converter) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_add_option(converter, &robust.base) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_set_meta_descriptor(converter, DXIL_SPV_META_DESCRIPTOR_RESOURCE_DESCRIPTOR_HEAP_SIZE,
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
    dispatch(&spirv);
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
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    size_t size;
    CHECK(file);
    size = fread(shader, 1, sizeof(shader), file);
    fclose(file);
    make_device();
    make_memory();
    run(shader, size, DXIL_SPV_FALSE);
    run(shader, size, DXIL_SPV_TRUE);
    vkDestroyBuffer(device, buffer, NULL);
    vkFreeMemory(device, memory, NULL);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
    puts("fine");
    return 0;
}
