/*
 * Translates a compute shader with dxil_jit.h and dispatches it through Vulkan.
 *
 *   cc -std=c11 -Iinclude examples/dispatch.c -ldxil_jit -lvulkan -o dispatch
 *   ./dispatch examples/squares.dxil
 *
 * The shader, squares.hlsl, writes n * n + bias to element n of u0; the bias is a root constant in b0.
 */
#include "dxil_jit.h"

#include <vulkan/vulkan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 64, BIAS = 7 };

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void vk(VkResult result, const char *what)
{
    if (result < 0) {
        fprintf(stderr, "%s: VkResult %d\n", what, (int)result);
        exit(1);
    }
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;
    if (!file)
        fail("the shader cannot be opened");
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*size);
    if (!bytes || fread(bytes, 1, *size, file) != *size)
        fail("the shader cannot be read");
    fclose(file);
    return bytes;
}

/* One call: bytes and places in, SPIR-V and reflection out. */
static dxil_jit_translation *translate(const char *path, const dxil_jit_cache *cache)
{
    const dxil_jit_binding bindings[] = {
        { .register_class = DXIL_JIT_CLASS_UAV, .first_register = 0, .place = DXIL_JIT_PLACE_DESCRIPTOR },
        { .register_class = DXIL_JIT_CLASS_CBV, .first_register = 0, .place = DXIL_JIT_PLACE_PUSH_CONSTANTS },
    };
    const dxil_jit_options options = { .vulkan_version = 11 };
    dxil_jit_translation *translation = NULL;
    dxil_jit_error error;
    size_t size;
    uint8_t *bytes = read_file(path, &size);

    if (dxil_jit_translate(bytes, size, &options, bindings, 2, cache, &translation, &error) != DXIL_JIT_CODE_OK) {
        fprintf(stderr, "%s: error %u in part %s, byte %llu: %s\n", path, (unsigned)error.code, error.part,
                (unsigned long long)error.offset, error.message);
        exit(1);
    }
    free(bytes);
    return translation;
}

static uint32_t host_memory(VkPhysicalDevice physical, uint32_t allowed)
{
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t i;
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    for (i = 0; i < memory.memoryTypeCount; i++)
        if (allowed >> i & 1 && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    fail("there is no memory that the host sees");
    return 0;
}

int main(int argc, char **argv)
{
    dxil_jit_cache *cache = dxil_jit_cache_create(1 << 20);
    dxil_jit_translation *translation, *again;
    const dxil_jit_reflection *reflection;
    const uint32_t *words;
    size_t count;
    const float priority = 1;
    const uint32_t bias = BIAS;
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkShaderModule module;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkCommandPool commands;
    VkCommandBuffer command;
    VkMemoryRequirements needs;
    uint32_t one = 1, i;
    uint32_t *results;

    if (argc != 2)
        fail("usage: dispatch SHADER.dxil");
    translation = translate(argv[1], cache);
    reflection = dxil_jit_translation_reflection(translation);
    words = dxil_jit_translation_words(translation, &count);
    if (reflection->stage != DXIL_JIT_STAGE_COMPUTE || reflection->use_count != 1
        || reflection->uses[0].descriptor != DXIL_JIT_DESCRIPTOR_STORAGE_BUFFER
        || reflection->push_constant_bytes != 4)
        fail("the shader binds something else than one buffer and one constant");

    /* The cache knows it now. */
    again = translate(argv[1], cache);
    if (dxil_jit_cache_statistics(cache).hits != 1 || dxil_jit_translation_words(again, NULL) != words)
        fail("the cache does not know the shader");
    dxil_jit_translation_free(again);

    {
        const VkApplicationInfo application = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                                .apiVersion = VK_API_VERSION_1_1 };
        const VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                            .pApplicationInfo = &application };
        vk(vkCreateInstance(&info, NULL, &instance), "vkCreateInstance");
        vk(vkEnumeratePhysicalDevices(instance, &one, &physical), "vkEnumeratePhysicalDevices");
        if (one == 0)
            fail("there is no Vulkan device");
    }
    {
        /* Queue family 0 of every known driver can compute. */
        const VkDeviceQueueCreateInfo queues = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                                 .queueCount = 1,
                                                 .pQueuePriorities = &priority };
        const VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                          .queueCreateInfoCount = 1,
                                          .pQueueCreateInfos = &queues };
        vk(vkCreateDevice(physical, &info, NULL, &device), "vkCreateDevice");
        vkGetDeviceQueue(device, 0, 0, &queue);
    }
    {
        const VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                          .size = ELEMENTS * 4,
                                          .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT };
        VkMemoryAllocateInfo allocation = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
        vk(vkCreateBuffer(device, &info, NULL, &buffer), "vkCreateBuffer");
        vkGetBufferMemoryRequirements(device, buffer, &needs);
        allocation.allocationSize = needs.size;
        allocation.memoryTypeIndex = host_memory(physical, needs.memoryTypeBits);
        vk(vkAllocateMemory(device, &allocation, NULL, &memory), "vkAllocateMemory");
        vk(vkBindBufferMemory(device, buffer, memory, 0), "vkBindBufferMemory");
        vk(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, (void **)&results), "vkMapMemory");
        memset(results, 0, ELEMENTS * 4);
    }
    {
        /* The reflection says which descriptor the shader wants where. */
        const VkDescriptorSetLayoutBinding binding = { .binding = reflection->uses[0].binding,
                                                       .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                       .descriptorCount = 1,
                                                       .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT };
        const VkDescriptorSetLayoutCreateInfo set_info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding
        };
        const VkPushConstantRange constants = { .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                                .size = reflection->push_constant_bytes };
        VkPipelineLayoutCreateInfo info = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .setLayoutCount = 1,
                                            .pSetLayouts = &set_layout,
                                            .pushConstantRangeCount = 1,
                                            .pPushConstantRanges = &constants };
        const VkShaderModuleCreateInfo module_info = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                       .codeSize = count * 4,
                                                       .pCode = words };
        VkComputePipelineCreateInfo pipeline_info = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO };
        vk(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set_layout), "vkCreateDescriptorSetLayout");
        vk(vkCreatePipelineLayout(device, &info, NULL, &layout), "vkCreatePipelineLayout");
        vk(vkCreateShaderModule(device, &module_info, NULL, &module), "vkCreateShaderModule");
        pipeline_info.stage = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = VK_SHADER_STAGE_COMPUTE_BIT,
            .module = module,
            .pName = reflection->entry,
        };
        pipeline_info.layout = layout;
        vk(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipeline_info, NULL, &pipeline),
           "vkCreateComputePipelines");
    }
    {
        const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 };
        const VkDescriptorPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .maxSets = 1,
                                                  .poolSizeCount = 1,
                                                  .pPoolSizes = &size };
        VkDescriptorSetAllocateInfo allocation = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                   .descriptorSetCount = 1,
                                                   .pSetLayouts = &set_layout };
        const VkDescriptorBufferInfo range = { buffer, 0, VK_WHOLE_SIZE };
        VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstBinding = reflection->uses[0].binding,
                                       .descriptorCount = 1,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       .pBufferInfo = &range };
        vk(vkCreateDescriptorPool(device, &info, NULL, &pool), "vkCreateDescriptorPool");
        allocation.descriptorPool = pool;
        vk(vkAllocateDescriptorSets(device, &allocation, &set), "vkAllocateDescriptorSets");
        write.dstSet = set;
        vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
    }
    {
        const VkCommandPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
        VkCommandBufferAllocateInfo allocation = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                   .commandBufferCount = 1 };
        const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
        const VkMemoryBarrier barrier = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                          .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                          .dstAccessMask = VK_ACCESS_HOST_READ_BIT };
        VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1 };
        vk(vkCreateCommandPool(device, &info, NULL, &commands), "vkCreateCommandPool");
        allocation.commandPool = commands;
        vk(vkAllocateCommandBuffers(device, &allocation, &command), "vkAllocateCommandBuffers");
        vk(vkBeginCommandBuffer(command, &begin), "vkBeginCommandBuffer");
        vkCmdBindPipeline(command, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdBindDescriptorSets(command, VK_PIPELINE_BIND_POINT_COMPUTE, layout, reflection->uses[0].set, 1, &set, 0,
                                NULL);
        vkCmdPushConstants(command, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(bias), &bias);
        vkCmdDispatch(command, ELEMENTS / reflection->workgroup_size[0], 1, 1);
        vkCmdPipelineBarrier(command, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                             &barrier, 0, NULL, 0, NULL);
        vk(vkEndCommandBuffer(command), "vkEndCommandBuffer");
        submit.pCommandBuffers = &command;
        vk(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
        vk(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
    }

    for (i = 0; i < ELEMENTS; i++)
        if (results[i] != i * i + BIAS) {
            fprintf(stderr, "element %u is %u\n", i, results[i]);
            return 1;
        }
    printf("%u squares, the last is %u\n", ELEMENTS, results[ELEMENTS - 1]);

    vkDestroyCommandPool(device, commands, NULL);
    vkDestroyDescriptorPool(device, pool, NULL);
    vkDestroyPipeline(device, pipeline, NULL);
    vkDestroyShaderModule(device, module, NULL);
    vkDestroyPipelineLayout(device, layout, NULL);
    vkDestroyDescriptorSetLayout(device, set_layout, NULL);
    vkDestroyBuffer(device, buffer, NULL);
    vkFreeMemory(device, memory, NULL);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
    dxil_jit_translation_free(translation);
    dxil_jit_cache_free(cache);
    return 0;
}
