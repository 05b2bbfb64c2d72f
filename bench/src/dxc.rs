//! Programs of the SPIR-V that DXC's own back end made of the same source.

use std::sync::Arc;

use anyhow::ensure;
use dxil_frontend::dxil::{Resource, ResourceClass, ResourceKind, Shader, ShaderKind};
use dxil_runtime::program::{SetLayout, Slot, SlotSource, StageCode};
use dxil_runtime::{Code, Layout, Program, Register};
use dxil_translate::{BindingMap, DescriptorKind, Location};

/// A program of DXC's module. Its bindings follow from the command line of
/// `tools/compile-kernels.sh`, which is the rule of [`BindingMap::default_location`].
pub(crate) fn program(shader: &Shader, module: &[u8]) -> anyhow::Result<Program> {
    let (words, rest) = module.as_chunks();
    ensure!(rest.is_empty(), "DXC's module is no whole number of words");
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let mut slots = Vec::new();
    for class in [
        ResourceClass::Cbv,
        ResourceClass::Srv,
        ResourceClass::Sampler,
        ResourceClass::Uav,
    ] {
        slots.extend(shader.resources.of(class).iter().filter_map(slot));
    }
    Ok(Program {
        stages: vec![StageCode {
            warnings: Vec::new(),
            kind: ShaderKind::Compute,
            code: Code::SpirV(Arc::from(words)),
            entry: "main".to_owned(),
            required_subgroup_size: None,
            interface: None,
            structure: None,
        }],
        layout: Layout {
            sets: vec![SetLayout { slots }],
            push_constants: Vec::new(),
        },
        graphics: None,
        ray_tracing: None,
    })
}

fn slot(resource: &Resource) -> Option<Slot> {
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
    Some(Slot {
        binding: slot.binding,
        kind,
        other_kinds: Vec::new(),
        count: 1,
        unbounded: false,
        source: SlotSource::Registers(Register {
            class: resource.class,
            space: resource.space,
            index: resource.lower_bound,
        }),
        shape: resource.kind,
        format: None,
        component: None,
        comparison: false,
        writable,
        stride: resource.detail.stride.unwrap_or(0),
        name: resource.name.to_string(),
    })
}
