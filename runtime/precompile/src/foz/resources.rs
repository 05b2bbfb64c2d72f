//! The JSON of Fossilize's resources: the structures of Vulkan member by member, with handles as
//! hashes of 16 digits and enumerations as numbers. What each object needs is what
//! `fossilize.cpp` of ValveSoftware/Fossilize reads.

use ash::vk;
use dxil_runtime::interop::{FixedState, SetBindings};
use dxil_runtime::program::StageCode;
use dxil_runtime::ray_tracing::{HitGroupKind, RayTracingState, is_general};
use serde_json::{Value, json};

/// Returns a handle: the hash of the resource, 0 for none.
pub(super) fn handle(hash: u64) -> Value {
    Value::String(format!("{hash:016x}"))
}

/// Returns a descriptor set layout.
pub(super) fn set_layout(set: &SetBindings) -> Value {
    let bindings: Vec<Value> = set
        .bindings
        .iter()
        .map(|binding| {
            json!({
                "descriptorType": binding.descriptor_type.as_raw(),
                "descriptorCount": binding.descriptor_count,
                "stageFlags": binding.stage_flags.as_raw(),
                "binding": binding.binding,
            })
        })
        .collect();
    let flags: Vec<u32> = set.flags.iter().map(|flags| flags.as_raw()).collect();
    let mut next = vec![json!({
        "sType": vk::StructureType::DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO.as_raw(),
        "bindingFlags": flags,
    })];
    if set.is_mutable() {
        let lists: Vec<Vec<i32>> = set
            .types
            .iter()
            .map(|types| types.iter().map(|ty| ty.as_raw()).collect())
            .collect();
        next.push(json!({
            "sType": vk::StructureType::MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT.as_raw(),
            "mutableDescriptorTypeLists": lists,
        }));
    }
    if set.bindings.is_empty() {
        next.clear();
    }
    with_next(json!({ "flags": 0, "bindings": bindings }), next)
}

/// Returns a pipeline layout.
pub(super) fn pipeline_layout(sets: &[u64], push_constant_bytes: u32) -> Value {
    let mut ranges = Vec::new();
    if push_constant_bytes > 0 {
        ranges.push(json!({
            "stageFlags": vk::ShaderStageFlags::ALL.as_raw(),
            "size": push_constant_bytes,
            "offset": 0,
        }));
    }
    let sets: Vec<Value> = sets.iter().map(|hash| handle(*hash)).collect();
    json!({ "flags": 0, "pushConstantRanges": ranges, "setLayouts": sets })
}

/// Returns a stage of a pipeline, with its module.
fn stage(stage: &StageCode, flag: vk::ShaderStageFlags, module: u64) -> Value {
    let value = json!({
        "flags": 0,
        "name": stage.entry,
        "module": handle(module),
        "stage": flag.as_raw(),
    });
    let size = stage.required_subgroup_size.filter(|size| *size != 0);
    let ty = vk::StructureType::PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
    let next = size.map(|size| json!({ "sType": ty.as_raw(), "requiredSubgroupSize": size }));
    with_next(value, next.into_iter().collect())
}

/// A stage with its flag and the hash of its module.
pub(super) type PlacedStage<'a> = (&'a StageCode, vk::ShaderStageFlags, u64);

/// Returns a compute pipeline.
pub(super) fn compute(layout: u64, (code, flag, module): PlacedStage<'_>) -> Value {
    json!({
        "flags": 0,
        "layout": handle(layout),
        "basePipelineHandle": handle(0),
        "basePipelineIndex": -1,
        "stage": stage(code, flag, module),
    })
}

/// Returns a graphics pipeline for dynamic rendering.
pub(super) fn graphics(
    layout: u64,
    stages: &[PlacedStage<'_>],
    state: &FixedState,
    rasterized_stream: u32,
) -> Value {
    let stages_json: Vec<Value> = stages
        .iter()
        .map(|(code, flag, module)| {
            // Only compute pipelines of the runtime ask for a size.
            let mut value = stage(code, *flag, *module);
            if let Some(members) = value.as_object_mut() {
                members.remove("pNext");
            }
            value
        })
        .collect();
    let dynamic: Vec<i32> = FixedState::DYNAMIC.iter().map(|s| s.as_raw()).collect();
    let mut value = json!({
        "flags": 0,
        "basePipelineHandle": handle(0),
        "basePipelineIndex": -1,
        "layout": handle(layout),
        "renderPass": handle(0),
        "subpass": 0,
        "dynamicState": { "flags": 0, "dynamicState": dynamic },
        "multisampleState": multisample(state),
        "rasterizationState": rasterization(state, rasterized_stream),
        "colorBlendState": color_blend(state),
        "viewportState": {
            "flags": 0,
            "viewportCount": state.viewports,
            "scissorCount": state.viewports,
        },
        "depthStencilState": depth_stencil(&state.depth_stencil),
        "stages": stages_json,
        "pNext": [rendering(state)],
    });
    let is_mesh = stages
        .iter()
        .any(|(_, flag, _)| *flag == vk::ShaderStageFlags::MESH_EXT);
    if let Some(members) = value.as_object_mut() {
        if !is_mesh {
            members.insert("vertexInputState".into(), vertex_input(state));
            let assembly = &state.input_assembly;
            let assembly = json!({
                "flags": 0,
                "topology": assembly.topology.as_raw(),
                "primitiveRestartEnable": assembly.primitive_restart_enable,
            });
            members.insert("inputAssemblyState".into(), assembly);
        }
        if state.control_points > 0 {
            let tessellation = json!({ "flags": 0, "patchControlPoints": state.control_points });
            members.insert("tessellationState".into(), tessellation);
        }
    }
    value
}

fn multisample(state: &FixedState) -> Value {
    let multisample = &state.multisample;
    let mut value = json!({
        "flags": 0,
        "rasterizationSamples": multisample.rasterization_samples.as_raw(),
        "sampleShadingEnable": multisample.sample_shading_enable,
        "minSampleShading": multisample.min_sample_shading,
        "alphaToOneEnable": multisample.alpha_to_one_enable,
        "alphaToCoverageEnable": multisample.alpha_to_coverage_enable,
    });
    if let (Some(mask), Some(members)) = (&state.sample_mask, value.as_object_mut()) {
        // One word for each 32 samples.
        members.insert("sampleMask".into(), json!(mask));
    }
    value
}

fn vertex_input(state: &FixedState) -> Value {
    let attributes: Vec<Value> = state
        .vertex_attributes
        .iter()
        .map(|attribute| {
            json!({
                "location": attribute.location,
                "binding": attribute.binding,
                "offset": attribute.offset,
                "format": attribute.format.as_raw(),
            })
        })
        .collect();
    let bindings: Vec<Value> = state
        .vertex_bindings
        .iter()
        .map(|binding| {
            json!({
                "binding": binding.binding,
                "stride": binding.stride,
                "inputRate": binding.input_rate.as_raw(),
            })
        })
        .collect();
    json!({ "flags": 0, "attributes": attributes, "bindings": bindings })
}

fn rasterization(state: &FixedState, rasterized_stream: u32) -> Value {
    let raster = &state.rasterization;
    let value = json!({
        "flags": 0,
        "depthBiasConstantFactor": raster.depth_bias_constant_factor,
        "depthBiasSlopeFactor": raster.depth_bias_slope_factor,
        "depthBiasClamp": raster.depth_bias_clamp,
        "depthBiasEnable": raster.depth_bias_enable,
        "depthClampEnable": raster.depth_clamp_enable,
        "polygonMode": raster.polygon_mode.as_raw(),
        "rasterizerDiscardEnable": raster.rasterizer_discard_enable,
        "frontFace": raster.front_face.as_raw(),
        "lineWidth": raster.line_width,
        "cullMode": raster.cull_mode.as_raw(),
    });
    let ty = vk::StructureType::PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT;
    let stream = json!({
        "sType": ty.as_raw(),
        "flags": 0,
        "rasterizationStream": rasterized_stream,
    });
    let next = if rasterized_stream == 0 {
        Vec::new()
    } else {
        vec![stream]
    };
    with_next(value, next)
}

fn color_blend(state: &FixedState) -> Value {
    let attachments: Vec<Value> = state
        .blend_attachments
        .iter()
        .map(|target| {
            json!({
                "dstAlphaBlendFactor": target.dst_alpha_blend_factor.as_raw(),
                "srcAlphaBlendFactor": target.src_alpha_blend_factor.as_raw(),
                "dstColorBlendFactor": target.dst_color_blend_factor.as_raw(),
                "srcColorBlendFactor": target.src_color_blend_factor.as_raw(),
                "colorWriteMask": target.color_write_mask.as_raw(),
                "alphaBlendOp": target.alpha_blend_op.as_raw(),
                "colorBlendOp": target.color_blend_op.as_raw(),
                "blendEnable": target.blend_enable,
            })
        })
        .collect();
    json!({
        "flags": 0,
        "logicOp": state.color_blend.logic_op.as_raw(),
        "logicOpEnable": state.color_blend.logic_op_enable,
        "blendConstants": [0.0, 0.0, 0.0, 0.0],
        "attachments": attachments,
    })
}

fn depth_stencil(state: &vk::PipelineDepthStencilStateCreateInfo<'_>) -> Value {
    let face = |face: &vk::StencilOpState| {
        json!({
            "compareOp": face.compare_op.as_raw(),
            "writeMask": face.write_mask,
            "reference": face.reference,
            "compareMask": face.compare_mask,
            "passOp": face.pass_op.as_raw(),
            "failOp": face.fail_op.as_raw(),
            "depthFailOp": face.depth_fail_op.as_raw(),
        })
    };
    json!({
        "flags": 0,
        "stencilTestEnable": state.stencil_test_enable,
        "maxDepthBounds": state.max_depth_bounds,
        "minDepthBounds": state.min_depth_bounds,
        "depthBoundsTestEnable": state.depth_bounds_test_enable,
        "depthWriteEnable": state.depth_write_enable,
        "depthTestEnable": state.depth_test_enable,
        "depthCompareOp": state.depth_compare_op.as_raw(),
        "front": face(&state.front),
        "back": face(&state.back),
    })
}

fn rendering(state: &FixedState) -> Value {
    let formats: Vec<i32> = state.color_formats.iter().map(|f| f.as_raw()).collect();
    let mut value = json!({
        "sType": vk::StructureType::PIPELINE_RENDERING_CREATE_INFO.as_raw(),
        "depthAttachmentFormat": state.depth_format.as_raw(),
        "stencilAttachmentFormat": state.stencil_format.as_raw(),
        "viewMask": state.view_mask,
    });
    if let (false, Some(members)) = (formats.is_empty(), value.as_object_mut()) {
        members.insert("colorAttachmentFormats".into(), json!(formats));
    }
    value
}

/// Returns a ray tracing pipeline. Groups come in the order of the runtime: general shaders first,
/// then hit groups.
pub(super) fn ray_tracing(
    layout: u64,
    stages: &[PlacedStage<'_>],
    state: &RayTracingState,
) -> Value {
    use vk::RayTracingShaderGroupTypeKHR as T;
    let group = |ty: T, [general, closest, any, intersection]: [Option<usize>; 4]| {
        let shader = |index: Option<usize>| index.map_or(vk::SHADER_UNUSED_KHR, |i| i as u32);
        json!({
            "anyHitShader": shader(any),
            "intersectionShader": shader(intersection),
            "generalShader": shader(general),
            "closestHitShader": shader(closest),
            "type": ty.as_raw(),
        })
    };
    let general = stages.iter().enumerate();
    let general = general.filter(|(_, (stage, ..))| is_general(stage.kind));
    let mut groups: Vec<Value> = general
        .map(|(index, _)| group(T::GENERAL, [Some(index), None, None, None]))
        .collect();
    groups.extend(state.hit_groups.iter().map(|hit| {
        let ty = match hit.kind {
            HitGroupKind::Triangles => T::TRIANGLES_HIT_GROUP,
            HitGroupKind::Procedural => T::PROCEDURAL_HIT_GROUP,
        };
        group(ty, [None, hit.closest_hit, hit.any_hit, hit.intersection])
    }));
    let mut flags = vk::PipelineCreateFlags::empty();
    if state.skip_triangles {
        flags |= vk::PipelineCreateFlags::RAY_TRACING_SKIP_TRIANGLES_KHR;
    }
    if state.skip_procedural {
        flags |= vk::PipelineCreateFlags::RAY_TRACING_SKIP_AABBS_KHR;
    }
    let stages: Vec<Value> = stages
        .iter()
        .map(|(code, flag, module)| stage(code, *flag, *module))
        .collect();
    json!({
        "flags": flags.as_raw(),
        "layout": handle(layout),
        "basePipelineHandle": handle(0),
        "basePipelineIndex": -1,
        "maxPipelineRayRecursionDepth": state.max_recursion,
        "stages": stages,
        "groups": groups,
    })
}

/// Returns what the application is and which features pipelines need of the device.
pub(super) fn application(api_version: u32, robust: bool) -> (Value, Value) {
    let flag = u32::from(robust);
    let application = json!({
        "applicationName": "dxil-precompile",
        "engineName": "dxil-jit",
        "applicationVersion": 0,
        "engineVersion": 0,
        "apiVersion": api_version,
    });
    let features = json!({
        "robustBufferAccess": flag,
        "pNext": [{
            "sType": vk::StructureType::PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT.as_raw(),
            "robustBufferAccess2": flag,
            "robustImageAccess2": flag,
            "nullDescriptor": flag,
        }, {
            // Without it Fossilize enables no mesh shaders, even where the device has them.
            "sType": vk::StructureType::PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT.as_raw(),
            "taskShader": 1,
            "meshShader": 1,
            "multiviewMeshShader": 1,
            "primitiveFragmentShadingRateMeshShader": 0,
            "meshShaderQueries": 0,
        }],
    });
    (application, features)
}

/// Adds a chain of structures, if there are any.
fn with_next(mut value: Value, next: Vec<Value>) -> Value {
    if let (false, Some(members)) = (next.is_empty(), value.as_object_mut()) {
        members.insert("pNext".into(), Value::Array(next));
    }
    value
}
