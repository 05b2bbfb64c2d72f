/*
 * The Vulkan that a compute shader needs to run: a device, memory that the host sees, one dispatch.
 * Nothing here knows how the shader came to be. The first call that fails ends the program.
 */
#ifndef VULKAN_COMPUTE_H
#define VULKAN_COMPUTE_H

#include <vulkan/vulkan.h>

#include <stdio.h>
#include <stdlib.h>

/* The first device of the machine, with one queue of family 0, which can compute on every known
 * driver. */
typedef struct {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
} vulkan_device;

/* A buffer that stays mapped. */
typedef struct {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *bytes;
} vulkan_buffer;

/* What a dispatch runs and binds. All bindings are of set 0. */
typedef struct {
    /* SPIR-V, its size in bytes, and the entry point's name. */
    const uint32_t *words;
    size_t size;
    const char *entry;
    const VkDescriptorSetLayoutBinding *bindings;
    uint32_t binding_count;
    /* The buffers of all descriptors, those of the first binding first. */
    const VkDescriptorBufferInfo *buffers;
    /* Push constants. */
    const void *constants;
    uint32_t constant_bytes;
    /* Thread groups. */
    uint32_t groups;
} vulkan_dispatch;

enum { VULKAN_MAX_BINDINGS = 8 };

static void vk(VkResult result, const char *what)
{
    if (result < 0) {
        fprintf(stderr, "%s: VkResult %d\n", what, (int)result);
        exit(1);
    }
}

/* `more` is a chain of feature structures for the device. */
static vulkan_device vulkan_device_create(uint32_t version,
        const VkPhysicalDeviceFeatures *features, const void *more)
{
    const float priority = 1;
    const VkApplicationInfo application = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                            .apiVersion = version };
    const VkInstanceCreateInfo instance_info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                                 .pApplicationInfo = &application };
    const VkDeviceQueueCreateInfo queues = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                             .queueCount = 1,
                                             .pQueuePriorities = &priority };
    const VkDeviceCreateInfo device_info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                             .pNext = more,
                                             .queueCreateInfoCount = 1,
                                             .pQueueCreateInfos = &queues,
                                             .pEnabledFeatures = features };
    vulkan_device made;
    uint32_t one = 1;
    vk(vkCreateInstance(&instance_info, NULL, &made.instance), "vkCreateInstance");
    vk(vkEnumeratePhysicalDevices(made.instance, &one, &made.physical),
       "vkEnumeratePhysicalDevices");
    if (one == 0) {
        fprintf(stderr, "there is no Vulkan device\n");
        exit(1);
    }
    vk(vkCreateDevice(made.physical, &device_info, NULL, &made.device), "vkCreateDevice");
    vkGetDeviceQueue(made.device, 0, 0, &made.queue);
    return made;
}

static void vulkan_device_destroy(const vulkan_device *on)
{
    vkDestroyDevice(on->device, NULL);
    vkDestroyInstance(on->instance, NULL);
}

/* The memory is coherent: the host sees what a shader wrote when its queue is idle. */
static vulkan_buffer vulkan_buffer_create(const vulkan_device *on, VkDeviceSize size,
                                          VkBufferUsageFlags usage)
{
    const VkMemoryPropertyFlags wanted =
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size,
                                      .usage = usage };
    VkMemoryAllocateInfo allocation = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
    VkPhysicalDeviceMemoryProperties types;
    VkMemoryRequirements needs;
    vulkan_buffer made;
    vk(vkCreateBuffer(on->device, &info, NULL, &made.buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(on->device, made.buffer, &needs);
    vkGetPhysicalDeviceMemoryProperties(on->physical, &types);
    /* Vulkan promises a type of that kind for every buffer ("Device Memory Properties"). */
    while (!(needs.memoryTypeBits >> allocation.memoryTypeIndex & 1)
           || (types.memoryTypes[allocation.memoryTypeIndex].propertyFlags & wanted) != wanted)
        allocation.memoryTypeIndex++;
    allocation.allocationSize = needs.size;
    vk(vkAllocateMemory(on->device, &allocation, NULL, &made.memory), "vkAllocateMemory");
    vk(vkBindBufferMemory(on->device, made.buffer, made.memory, 0), "vkBindBufferMemory");
    vk(vkMapMemory(on->device, made.memory, 0, VK_WHOLE_SIZE, 0, &made.bytes), "vkMapMemory");
    return made;
}

static void vulkan_buffer_destroy(const vulkan_device *on, const vulkan_buffer *buffer)
{
    vkDestroyBuffer(on->device, buffer->buffer, NULL);
    vkFreeMemory(on->device, buffer->memory, NULL);
}

/* Dispatches once and waits for the end. */
static void vulkan_dispatch_run(const vulkan_device *on, const vulkan_dispatch *what)
{
    VkDevice device = on->device;
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = what->binding_count,
        .pBindings = what->bindings,
    };
    const VkPushConstantRange constants = { VK_SHADER_STAGE_COMPUTE_BIT, 0, what->constant_bytes };
    VkDescriptorSetLayout set_layout;
    const VkPipelineLayoutCreateInfo layout_info =
            { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                     .setLayoutCount = 1,
                                                     .pSetLayouts = &set_layout,
                                                     .pushConstantRangeCount =
                                                             what->constant_bytes != 0,
                                                     .pPushConstantRanges = &constants };
    const VkShaderModuleCreateInfo module_info =
            { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                   .codeSize = what->size,
                                                   .pCode = what->words };
    VkComputePipelineCreateInfo pipeline_info =
            { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO };
    VkDescriptorPoolSize sizes[VULKAN_MAX_BINDINGS];
    const VkDescriptorPoolCreateInfo pool_info =
            { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                   .maxSets = 1,
                                                   .poolSizeCount = what->binding_count,
                                                   .pPoolSizes = sizes };
    VkDescriptorSetAllocateInfo set_allocation =
            { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                   .descriptorSetCount = 1,
                                                   .pSetLayouts = &set_layout };
    const VkCommandPoolCreateInfo commands_info =
            { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
    VkCommandBufferAllocateInfo allocation =
            { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                               .commandBufferCount = 1 };
    const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
    const VkMemoryBarrier barrier = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                      .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                      .dstAccessMask = VK_ACCESS_HOST_READ_BIT };
    VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1 };
    VkWriteDescriptorSet writes[VULKAN_MAX_BINDINGS];
    const VkDescriptorBufferInfo *buffers = what->buffers;
    VkPipelineLayout layout;
    VkShaderModule module;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkCommandPool commands;
    VkCommandBuffer command;
    uint32_t i;

    if (what->binding_count > VULKAN_MAX_BINDINGS) {
        fprintf(stderr, "more than %d bindings\n", VULKAN_MAX_BINDINGS);
        exit(1);
    }
    vk(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set_layout),
       "vkCreateDescriptorSetLayout");
    vk(vkCreatePipelineLayout(device, &layout_info, NULL, &layout), "vkCreatePipelineLayout");
    vk(vkCreateShaderModule(device, &module_info, NULL, &module), "vkCreateShaderModule");
    pipeline_info.layout = layout;
    pipeline_info.stage = (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
        .module = module,
        .pName = what->entry,
    };
    vk(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipeline_info, NULL, &pipeline),
       "vkCreateComputePipelines");

    for (i = 0; i < what->binding_count; i++)
        sizes[i] = (VkDescriptorPoolSize){ what->bindings[i].descriptorType,
                                           what->bindings[i].descriptorCount };
    vk(vkCreateDescriptorPool(device, &pool_info, NULL, &pool), "vkCreateDescriptorPool");
    set_allocation.descriptorPool = pool;
    vk(vkAllocateDescriptorSets(device, &set_allocation, &set), "vkAllocateDescriptorSets");
    for (i = 0; i < what->binding_count; i++) {
        writes[i] = (VkWriteDescriptorSet){ .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = set,
                                            .dstBinding = what->bindings[i].binding,
                                            .descriptorCount = what->bindings[i].descriptorCount,
                                            .descriptorType = what->bindings[i].descriptorType,
                                            .pBufferInfo = buffers };
        buffers += what->bindings[i].descriptorCount;
    }
    vkUpdateDescriptorSets(device, what->binding_count, writes, 0, NULL);

    vk(vkCreateCommandPool(device, &commands_info, NULL, &commands), "vkCreateCommandPool");
    allocation.commandPool = commands;
    vk(vkAllocateCommandBuffers(device, &allocation, &command), "vkAllocateCommandBuffers");
    vk(vkBeginCommandBuffer(command, &begin), "vkBeginCommandBuffer");
    vkCmdBindPipeline(command, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(command, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    if (what->constant_bytes)
        vkCmdPushConstants(command, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, what->constant_bytes,
                           what->constants);
    vkCmdDispatch(command, what->groups, 1, 1);
    vkCmdPipelineBarrier(command, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                         0, 1, &barrier, 0,
                         NULL, 0, NULL);
    vk(vkEndCommandBuffer(command), "vkEndCommandBuffer");
    submit.pCommandBuffers = &command;
    vk(vkQueueSubmit(on->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    vk(vkQueueWaitIdle(on->queue), "vkQueueWaitIdle");

    vkDestroyCommandPool(device, commands, NULL);
    vkDestroyDescriptorPool(device, pool, NULL);
    vkDestroyPipeline(device, pipeline, NULL);
    vkDestroyShaderModule(device, module, NULL);
    vkDestroyPipelineLayout(device, layout, NULL);
    vkDestroyDescriptorSetLayout(device, set_layout, NULL);
}

#endif
