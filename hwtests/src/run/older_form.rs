//! The DXBC of a test shader.

use crate::shader::Shader;

/// Returns the shader as DXBC (shader model 5.1), if there is such a file beside its DXIL.
pub(super) fn older_form(shader: &Shader) -> Option<Vec<u8>> {
    let folder = crate::data_folder().join("hwtests/shaders");
    std::fs::read(folder.join(format!("{}.dxbc", shader.name))).ok()
}
