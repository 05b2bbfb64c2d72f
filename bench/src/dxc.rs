//! Programs of the SPIR-V that DXC's own back end made of the same source.

use anyhow::Context;
use dxil_frontend::dxil::{Resource, ResourceClass, ResourceKind, Shader, ShaderKind};
use dxil_runtime::program::spirv_words;
use dxil_runtime::program::{BindingSlot, SetLayout, StageCode};
use dxil_runtime::root_signature::first_register;
use dxil_runtime::{Layout, Program};
use dxil_translate::{BindingMap, DescriptorKind, Location};

/// Returns a program of DXC's module. Its bindings follow from the command line of
/// `tools/compile-kernels.sh`, which is the rule of [`BindingMap::default_location`].
pub(crate) fn program(shader: &Shader, module: &[u8]) -> anyhow::Result<Program> {
    let words = spirv_words(module).context("what DXC made is no SPIR-V module")?;
    let mut slots = Vec::new();
    for class in [
        ResourceClass::Cbv,
        ResourceClass::Srv,
        ResourceClass::Sampler,
        ResourceClass::Uav,
    ] {
        slots.extend(shader.resources.of(class).iter().filter_map(slot));
    }
    let layout = Layout {
        sets: vec![SetLayout { slots }],
        ..Layout::default()
    };
    let stage = StageCode::of_spirv(ShaderKind::Compute, words, "main");
    Ok(Program::of_compute(stage, layout))
}

fn slot(resource: &Resource) -> Option<BindingSlot> {
    let Location::Descriptor { slot, .. } = BindingMap::default_location(resource) else {
        return None;
    };
    let writable = resource.class == ResourceClass::Uav;
    let kind = match (resource.kind, writable) {
        (ResourceKind::CBuffer, _) => DescriptorKind::UniformBuffer,
        (ResourceKind::Sampler, _) => DescriptorKind::Sampler,
        (kind, false) if kind.is_texture() => DescriptorKind::SampledImage,
        (kind, true) if kind.is_texture() => DescriptorKind::StorageImage,
        _ => DescriptorKind::StorageBuffer,
    };
    Some(BindingSlot {
        stride: resource.detail.stride.unwrap_or(0),
        name: resource.name.to_string(),
        ..BindingSlot::of_register(slot.binding, kind, first_register(resource), resource.kind)
    })
}
