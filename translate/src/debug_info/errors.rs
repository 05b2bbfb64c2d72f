//! Adds the position in the source to errors.

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::debug::DebugInfo;

use crate::Error;

/// Returns the error with the source position of its instruction, if the shader has debug
/// information.
pub(crate) fn with_source_position(shader: &Shader, mut error: Error) -> Error {
    let location = error.location_mut();
    let Some(function) = location.function else {
        return error;
    };
    let in_block = location.block.and_then(|block| {
        let block = shader.module.body(function)?.blocks.get(block)?;
        Some(block.first)
    });
    if let Some(inst) = location.inst.or(in_block)
        && let Some(info) = DebugInfo::of(&shader.module)
        && let Some(position) = info.position_near(function, inst)
    {
        location.source = Some(Box::new(position.into()));
    }
    error
}
