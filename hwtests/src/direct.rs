//! An oracle: runs the SPIR-V that DXC makes of the HLSL of a shader, instead of ours.
//!
//! If `DXIL_JIT_TEST_SPIRV` names a folder that `tools/compile-shaders.sh --spirv FOLDER` has
//! filled, the cases run those modules. A case that fails with them has a wrong expectation or
//! shows a bug of the runtime, of the driver or of DXC. A case that passes with them and fails with
//! our SPIR-V shows a bug of the translator.

use std::{path::PathBuf, sync::Arc};

use dxil_frontend::dxil::{Resource, ResourceClass, ResourceKind, Shader as Parsed, ShaderKind};
use dxil_runtime::{
    Layout, Program, Register, ShaderCode,
    program::{BindingSlot, SetLayout, SlotSource, StageCode},
};
use dxil_translate::DescriptorKind;

use crate::shader::{Failure, Shader};

/// Returns DXC's binding of a register: its number plus the shift of its class, as in the script.
fn shift(class: ResourceClass) -> u32 {
    match class {
        ResourceClass::Cbv => 0,
        ResourceClass::Srv => 1000,
        ResourceClass::Sampler => 2000,
        ResourceClass::Uav => 3000,
    }
}

/// Returns the words that DXC made of a shader, if the oracle is on.
pub(crate) fn words_of(shader: &Shader) -> Option<Result<Vec<u32>, Failure>> {
    let folder = PathBuf::from(std::env::var_os("DXIL_JIT_TEST_SPIRV")?);
    let path = folder.join(shader.name).with_extension("spv");
    Some(match std::fs::read(&path) {
        Ok(bytes) => Ok(bytes
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect()),
        Err(error) => Err(Failure::new(format!("{}: {error}", path.display()))),
    })
}

/// Returns a program with these words, and with the layout that follows from the declarations by
/// the binding rules of DXC.
pub fn program(parsed: &Parsed, words: &[u32]) -> Program {
    let mut sets: Vec<SetLayout> = Vec::new();
    for class in [
        ResourceClass::Cbv,
        ResourceClass::Srv,
        ResourceClass::Sampler,
        ResourceClass::Uav,
    ] {
        for resource in parsed.resources.of(class) {
            let set = resource.space as usize;
            if sets.len() <= set {
                sets.resize_with(set + 1, SetLayout::default);
            }
            sets[set].slots.push(slot(resource));
        }
    }
    for set in &mut sets {
        set.slots.sort_by_key(|slot| slot.binding);
    }
    Program {
        stages: vec![StageCode {
            kind: ShaderKind::Compute,
            code: ShaderCode::SpirV(Arc::from(words)),
            entry: "main".to_owned(),
            required_subgroup_size: wave_size(parsed),
            interface: None,
            structure: None,
            warnings: Vec::new(),
            timings: None,
        }],
        layout: Layout {
            sets,
            ..Layout::default()
        },
        graphics: None,
        ray_tracing: None,
    }
}

fn wave_size(parsed: &Parsed) -> Option<u32> {
    let size = parsed.entry_points.first()?.wave_size?;
    Some(size.min).filter(|size| *size != 0)
}

fn slot(resource: &Resource) -> BindingSlot {
    let writable = resource.class == ResourceClass::Uav;
    let kind = match (resource.kind, writable) {
        (ResourceKind::CBuffer, _) => DescriptorKind::UniformBuffer,
        (ResourceKind::Sampler, _) => DescriptorKind::Sampler,
        (ResourceKind::RtAccelerationStructure, _) => DescriptorKind::AccelerationStructure,
        (ResourceKind::TypedBuffer, false) => DescriptorKind::UniformTexelBuffer,
        (ResourceKind::TypedBuffer, true) => DescriptorKind::StorageTexelBuffer,
        (kind, false) if kind.is_texture() => DescriptorKind::SampledImage,
        (kind, true) if kind.is_texture() => DescriptorKind::StorageImage,
        _ => DescriptorKind::StorageBuffer,
    };
    BindingSlot {
        binding: resource.lower_bound + shift(resource.class),
        kind,
        count: resource.count.unwrap_or(64),
        unbounded: resource.count.is_none(),
        source: SlotSource::Registers(Register {
            class: resource.class,
            space: resource.space,
            index: resource.lower_bound,
        }),
        shape: resource.kind,
        component: None,
        comparison: false,
        format: None,
        readable: true,
        writable,
        stride: resource.detail.stride.unwrap_or(0),
        name: resource.name.to_string(),
        other_kinds: Vec::new(),
    }
}
