//! What the driver says about the machine code of a pipeline
//! (VK_KHR_pipeline_executable_properties).

use std::ffi::{CStr, c_char};
use std::sync::Arc;

use ash::vk;
use dxil_frontend::dxil::ShaderKind;

use super::abilities::CaptureAbilities;
use super::conv::{api, graphics_stage};
use super::gpu::Gpu;
use super::pipeline::VulkanPipeline;
use crate::error::{Error, Result};
use crate::executable::{Executable, Statistic, Text, Value};
use crate::program::Program;

/// Makes the pipeline of a program, and returns its executables.
pub(super) fn of_program(gpu: &Arc<Gpu>, program: &Program) -> Result<Vec<Executable>> {
    let able = gpu.capture.as_ref().ok_or_else(|| {
        Error::Unsupported("machine code, for which the device was not opened".into())
    })?;
    let pipeline = VulkanPipeline::new(gpu, program)?;
    let info = vk::PipelineInfoKHR::default().pipeline(pipeline.pipeline.raw);
    // SAFETY: the pipeline is alive.
    let all = unsafe { able.raw.get_pipeline_executable_properties(&info) }
        .map_err(api("vkGetPipelineExecutablePropertiesKHR"))?;
    (0..)
        .zip(&all)
        .map(|(index, properties)| {
            let info = vk::PipelineExecutableInfoKHR::default()
                .pipeline(pipeline.pipeline.raw)
                .executable_index(index);
            // SAFETY: the pipeline is alive and has this executable.
            let statistics = unsafe { able.raw.get_pipeline_executable_statistics(&info) }
                .map_err(api("vkGetPipelineExecutableStatisticsKHR"))?;
            Ok(Executable {
                name: text_of(&properties.name),
                description: text_of(&properties.description),
                stages: prefixes(properties.stages),
                subgroup_size: properties.subgroup_size,
                statistics: statistics.iter().map(statistic).collect(),
                texts: if able
                    .flags
                    .contains(vk::PipelineCreateFlags::CAPTURE_INTERNAL_REPRESENTATIONS_KHR)
                {
                    texts(able, &info)?
                } else {
                    Vec::new()
                },
            })
        })
        .collect()
}

/// Returns a text that Vulkan bounds by its array.
fn text_of(chars: &[c_char]) -> String {
    let bytes: Vec<u8> = chars.iter().map(|c| c.cast_unsigned()).collect();
    match CStr::from_bytes_until_nul(&bytes) {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(_) => String::from_utf8_lossy(&bytes).into_owned(),
    }
}

fn prefixes(stages: vk::ShaderStageFlags) -> Vec<String> {
    use ShaderKind as K;
    let rays = vk::ShaderStageFlags::RAYGEN_KHR
        | vk::ShaderStageFlags::ANY_HIT_KHR
        | vk::ShaderStageFlags::CLOSEST_HIT_KHR
        | vk::ShaderStageFlags::MISS_KHR
        | vk::ShaderStageFlags::INTERSECTION_KHR
        | vk::ShaderStageFlags::CALLABLE_KHR;
    let graphics = [
        K::Vertex,
        K::Hull,
        K::Domain,
        K::Geometry,
        K::Pixel,
        K::Amplification,
        K::Mesh,
    ];
    let mut found: Vec<String> = graphics
        .into_iter()
        .filter(|kind| graphics_stage(*kind).is_some_and(|flag| stages.contains(flag)))
        .map(|kind| kind.prefix().to_owned())
        .collect();
    if stages.contains(vk::ShaderStageFlags::COMPUTE) {
        found.push(K::Compute.prefix().to_owned());
    }
    if stages.intersects(rays) {
        found.push(K::Library.prefix().to_owned());
    }
    found
}

fn statistic(statistic: &vk::PipelineExecutableStatisticKHR<'_>) -> Statistic {
    use vk::PipelineExecutableStatisticFormatKHR as F;
    let value = statistic.value;
    Statistic {
        name: text_of(&statistic.name),
        description: text_of(&statistic.description),
        // SAFETY: the format says which member the driver wrote; all bits of a number are valid,
        // and `VkBool32` is one.
        value: unsafe {
            match statistic.format {
                F::BOOL32 => Value::Bool(value.b32 != vk::FALSE),
                F::INT64 => Value::Signed(value.i64),
                F::FLOAT64 => Value::Float(value.f64),
                _ => Value::Unsigned(value.u64),
            }
        },
    }
}

/// Returns the intermediate forms and the assembly of an executable.
fn texts(able: &CaptureAbilities, info: &vk::PipelineExecutableInfoKHR<'_>) -> Result<Vec<Text>> {
    const CALL: &str = "vkGetPipelineExecutableInternalRepresentationsKHR";
    // SAFETY: the caller's pipeline is alive and keeps its representations.
    let mut all = unsafe {
        able.raw
            .get_pipeline_executable_internal_representations(info)
    }
    .map_err(api(CALL))?;
    // The first call says how long the texts are, the second one writes them.
    let mut buffers: Vec<Vec<u8>> = all.iter().map(|one| vec![0; one.data_size]).collect();
    for (one, buffer) in all.iter_mut().zip(&mut buffers) {
        one.p_data = buffer.as_mut_ptr().cast();
    }
    let mut count = all.len() as u32;
    let get = able
        .raw
        .fp()
        .get_pipeline_executable_internal_representations_khr;
    // SAFETY: the array has `count` elements, each of which points to a buffer of its size; all of
    // them live until the call returns.
    unsafe { get(able.raw.device(), info, &raw mut count, all.as_mut_ptr()) }
        .result()
        .map_err(api(CALL))?;
    let texts = all.iter().zip(&buffers).take(count as usize);
    Ok(texts
        .filter(|(one, _)| one.is_text != vk::FALSE)
        .map(|(one, buffer)| {
            let end = buffer.iter().position(|byte| *byte == 0);
            let bytes = &buffer[..end.unwrap_or(buffer.len())];
            Text {
                name: text_of(&one.name),
                description: text_of(&one.description),
                text: String::from_utf8_lossy(bytes).into_owned(),
            }
        })
        .collect())
}
