//! The SPIR-V version of a module: the target's, or 1.4 where the shader needs an extension of
//! SPIR-V 1.4.
//!
//! SPV_EXT_mesh_shader, SPV_KHR_ray_tracing and the opacity micromap extensions require SPIR-V 1.4
//! ("Dependencies" in each). The Vulkan extensions that offer them depend on VK_KHR_spirv_1_4, so a
//! device that has the feature accepts such a module even if its Vulkan version is 1.1.

use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::dxil::{SemanticKind, ShaderKind};

use super::context::Input;
use super::rays::micromaps;
use super::signatures::system_inputs;
use crate::SignatureKind;
use crate::options::Features;
use crate::pseudo::PseudoOp;
use crate::spirv::{Builder, Capability};

/// Version word of SPIR-V 1.4.
const SPIRV_1_4: u32 = 0x0001_0400;

/// Raises the module's version to what the entry point needs. Nothing that depends on the version
/// has been emitted yet.
pub(super) fn raise(b: &mut Builder, input: &Input<'_>) {
    if needs_spirv_1_4(input) {
        b.raise_version(SPIRV_1_4);
    }
}

fn needs_spirv_1_4(input: &Input<'_>) -> bool {
    let by_stage = match input.entry.kind {
        ShaderKind::Mesh | ShaderKind::Amplification => input.has(Features::MESH_SHADER),
        // Pixel shaders need the extension only for inputs that mesh shaders write.
        ShaderKind::Pixel => input.has(Features::MESH_SHADER) && pixel_declares_mesh_shading(input),
        _ => input.is_ray_stage() && input.has(Features::RAY_TRACING),
    };
    by_stage
        || input.analyses.ray_queries.exist()
            && (micromaps::met_by_queries(input) || reads_clusters(input))
}

/// Returns whether queries are asked for clusters. SPV_NV_cluster_acceleration_structure comes with
/// VK_KHR_acceleration_structure, whose devices have SPIR-V 1.4.
fn reads_clusters(input: &Input<'_>) -> bool {
    let mut callees = input.shader.module.functions.values();
    callees.any(|callee| match PseudoOp::named(&callee.name) {
        Some(PseudoOp::QueryClusterId) => input.has(Features::CLUSTER_ACCELERATION_STRUCTURE),
        op => op == Some(PseudoOp::QueryGeometry),
    })
}

/// Returns whether a pixel shader has inputs that come with mesh shading.
fn pixel_declares_mesh_shading(input: &Input<'_>) -> bool {
    let mut places = input.options.signature.places.iter();
    let mut inputs = input.entry.inputs.iter();
    let mut callees = input.shader.module.functions.values();
    places.any(|place| place.per_primitive && place.signature == SignatureKind::Input)
        || (inputs.any(|input| input.semantic == SemanticKind::PrimitiveId)
            || callees.any(|callee| Opcode::PrimitiveID.is_called_by(&callee.name)))
            && matches!(
                system_inputs::primitive_id_capability(input),
                Ok(Capability::MeshShadingEXT)
            )
}
