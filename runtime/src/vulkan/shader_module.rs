//! Shader modules and the names of their entry points.

use std::ffi::CString;
use std::sync::Arc;

use ash::vk;

use super::conv::api;
use super::gpu::Gpu;
use super::memory::ShaderModule;
use crate::error::{Error, Result};
use crate::program::StageCode;

/// Makes a shader module.
pub(super) fn create_module(gpu: &Arc<Gpu>, words: &[u32]) -> Result<ShaderModule> {
    let info = vk::ShaderModuleCreateInfo::default().code(words);
    // SAFETY: the words are a SPIR-V module made for this device.
    let module = unsafe { gpu.raw.create_shader_module(&info, None) }
        .map_err(api("vkCreateShaderModule"))?;
    Ok(ShaderModule::own(gpu, module))
}

/// Returns the entry point's name as Vulkan takes it.
pub(super) fn entry_name(stage: &StageCode) -> Result<CString> {
    CString::new(stage.entry.as_str())
        .map_err(|_| Error::BadJob("an entry point's name holds a zero byte".into()))
}
