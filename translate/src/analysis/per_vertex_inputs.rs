//! The inputs of a pixel shader that are read vertex by vertex.

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{Opcode, decode_opcode, op_arguments};
use dxil_frontend::ir::FuncView;

/// Adds the signature elements that a function reads with `attributeAtVertex`. They are declared
/// per vertex (`SPV_KHR_fragment_shader_barycentric`, `PerVertexKHR`).
pub(super) fn add(elements: &mut Vec<u32>, shader: &Shader, view: FuncView<'_>) {
    for data in view.function.insts.values() {
        if let Some(args) = op_arguments(view, &shader.callees, &data.inst)
            && let (Ok(Opcode::AttributeAtVertex), Some(&element)) =
                (decode_opcode(view, args), args.get(1))
            && let Some(element) = view.constant_int(element)
        {
            elements.push(element as u32);
        }
    }
}
