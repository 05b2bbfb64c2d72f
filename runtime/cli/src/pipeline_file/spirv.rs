//! Pipeline files with shaders in SPIR-V: bindings, push constants and specialization constants
//! come from the file, and nothing is translated.

use dxil_frontend::dxil::{ResourceClass, ResourceKind as TextureShape, ShaderKind};
use dxil_translate::DescriptorKind;

use super::binding::{binding_of, class_of, register_of};
use super::document::{Resource, ResourceKind, Stage};
use super::plan::PlannedJob;
use super::specialize::specialize;
use super::{Pipeline, PipelineError, PipelineKind, Result, rays};
use dxil_runtime::job::{Register, ResourceView};
use dxil_runtime::program::{
    BindingSlot, Layout, Program, PushConstant, PushSource, SetLayout, SlotSource, StageCode,
};

/// Returns the register of the push constants, in a space that no descriptor set has.
fn push_register() -> Register {
    Register::new(ResourceClass::Cbv, 0).in_space(u32::MAX)
}

impl Pipeline {
    /// Returns job and program of SPIR-V modules, one for each shader of the file, in order.
    ///
    /// # Errors
    ///
    /// [`PipelineError::Invalid`] if there are not as many modules as shaders, and the errors of
    /// [`Pipeline::plan`].
    pub fn plan_spirv(&self, modules: &[Vec<u32>]) -> Result<(PlannedJob, Program)> {
        let shaders = &self.document.shaders;
        // The module of a library has all entry points, so one module may serve all shaders.
        let is_library = self.kind == PipelineKind::RayTracing && modules.len() == 1;
        if modules.len() != shaders.len() && !is_library {
            return Err(PipelineError::Invalid(format!(
                "the file has {} shaders, the command line {} SPIR-V modules",
                shaders.len(),
                modules.len()
            )));
        }
        self.refuse_class_instances("SPIR-V")?;
        let mut planned = self.plan_with(None)?;
        let mut layout = Layout {
            sets: self.set_layouts()?,
            ..Layout::default()
        };
        let bytes = self.push_constant_bytes()?;
        if !bytes.is_empty() {
            layout.push_constants.push(PushConstant {
                first_word: 0,
                source: PushSource::Constants {
                    register: push_register(),
                    words: bytes.len() as u32 / 4,
                },
            });
            planned
                .job
                .bind(push_register(), ResourceView::Constants(bytes));
        }
        let mut stages = Vec::with_capacity(shaders.len());
        for (shader, words) in shaders.iter().zip(modules.iter().cycle()) {
            let mut words = words.clone();
            specialize(&mut words, &shader.specialization_constants)?;
            stages.push(StageCode::of_spirv(
                kind_of(shader.stage)?,
                words,
                &shader.entry,
            ));
        }
        let program = Program {
            stages,
            layout,
            graphics: planned.graphics.clone(),
            ray_tracing: planned.ray_tracing.clone(),
        };
        Ok((planned, program))
    }

    fn set_layouts(&self) -> Result<Vec<SetLayout>> {
        let sets = self.document.descriptor_sets.iter().enumerate();
        sets.map(|(index, set)| {
            let mut slots = Vec::new();
            for resource in &set.resources {
                self.add_slots(index, resource, &mut slots)?;
            }
            slots.sort_by_key(|slot| slot.binding);
            // After sorting by binding, equal ones are adjacent.
            if let Some(twice) = slots.windows(2).find(|w| w[0].binding == w[1].binding) {
                return Err(PipelineError::Invalid(format!(
                    "`{}` and `{}` have the same VulkanBinding {}",
                    twice[0].name, twice[1].name, twice[0].binding
                )));
            }
            Ok(SetLayout { slots })
        })
        .collect()
    }

    fn add_slots(
        &self,
        set: usize,
        resource: &Resource,
        slots: &mut Vec<BindingSlot>,
    ) -> Result<()> {
        let name = &resource.name;
        let place = binding_of(resource)?;
        let class = class_of(resource.kind);
        let register = register_of(set, place.binding, class);
        let buffer = self.buffer(name);
        let count = match resource.kind {
            ResourceKind::AccelerationStructure => self.structures_of(name)?.len(),
            _ => buffer.map_or(1, |buffer| buffer.data.len().max(1)),
        };
        let slot = |binding, kind, source| BindingSlot {
            count: u32::try_from(count).unwrap_or(u32::MAX),
            writable: class == ResourceClass::Uav,
            name: name.clone(),
            ..BindingSlot::new(binding, kind, source, shape_of(resource.kind))
        };
        let source = SlotSource::Registers(register);
        slots.push(slot(place.binding, descriptor_of(resource.kind)?, source));
        if resource.has_counter {
            let binding = place.counter_binding.ok_or_else(|| {
                PipelineError::Invalid(format!(
                    "No CounterBinding provided for resource '{name}' with a counter"
                ))
            })?;
            let source = SlotSource::Counters(register);
            slots.push(slot(binding, DescriptorKind::StorageBuffer, source));
        }
        Ok(())
    }

    /// Returns the push constants of all stages in one block.
    fn push_constant_bytes(&self) -> Result<Vec<u8>> {
        let mut bytes: Vec<Option<u8>> = Vec::new();
        let blocks = &self.document.push_constants;
        // All stages share the block, so blocks of several stages may overlap where they agree.
        for value in blocks.iter().flat_map(|block| &block.values) {
            let mut encoded = Vec::new();
            for text in &value.data {
                value.format.encode(text, &mut encoded).map_err(|error| {
                    PipelineError::Invalid(format!("push constants at {}: {error}", value.offset))
                })?;
            }
            let first = value.offset as usize;
            // Checked before the allocation, since the offset comes from the file.
            if first + encoded.len() > 1 << 16 {
                return Err(PipelineError::Unsupported(
                    "push constants behind 64 KiB".to_owned(),
                ));
            }
            bytes.resize(bytes.len().max(first + encoded.len()), None);
            for (place, byte) in bytes[first..].iter_mut().zip(encoded) {
                if place.is_some_and(|other| other != byte) {
                    return Err(PipelineError::Unsupported(format!(
                        "two values for the push constants at {first}"
                    )));
                }
                *place = Some(byte);
            }
        }
        bytes.resize(bytes.len().next_multiple_of(4), None);
        Ok(bytes.into_iter().map(Option::unwrap_or_default).collect())
    }
}

fn descriptor_of(kind: ResourceKind) -> Result<DescriptorKind> {
    use DescriptorKind as D;
    Ok(match kind {
        ResourceKind::Buffer => D::UniformTexelBuffer,
        ResourceKind::RWBuffer => D::StorageTexelBuffer,
        ResourceKind::StructuredBuffer
        | ResourceKind::ByteAddressBuffer
        | ResourceKind::RWStructuredBuffer
        | ResourceKind::RWByteAddressBuffer => D::StorageBuffer,
        ResourceKind::Texture2D => D::SampledImage,
        ResourceKind::RWTexture2D => D::StorageImage,
        ResourceKind::ConstantBuffer => D::UniformBuffer,
        ResourceKind::Sampler => D::Sampler,
        ResourceKind::AccelerationStructure => D::AccelerationStructure,
        ResourceKind::SampledTexture2D => {
            return Err(PipelineError::Unsupported(format!("{kind:?} in SPIR-V")));
        }
    })
}

fn shape_of(kind: ResourceKind) -> TextureShape {
    match kind {
        ResourceKind::Buffer | ResourceKind::RWBuffer => TextureShape::TypedBuffer,
        ResourceKind::StructuredBuffer | ResourceKind::RWStructuredBuffer => {
            TextureShape::StructuredBuffer
        }
        ResourceKind::ByteAddressBuffer | ResourceKind::RWByteAddressBuffer => {
            TextureShape::RawBuffer
        }
        ResourceKind::Texture2D | ResourceKind::RWTexture2D | ResourceKind::SampledTexture2D => {
            TextureShape::Texture2D
        }
        ResourceKind::ConstantBuffer => TextureShape::CBuffer,
        ResourceKind::Sampler => TextureShape::Sampler,
        ResourceKind::AccelerationStructure => TextureShape::RtAccelerationStructure,
    }
}

fn kind_of(stage: Stage) -> Result<ShaderKind> {
    Ok(match stage {
        Stage::Compute => ShaderKind::Compute,
        Stage::Vertex => ShaderKind::Vertex,
        Stage::Hull => ShaderKind::Hull,
        Stage::Domain => ShaderKind::Domain,
        Stage::Geometry => ShaderKind::Geometry,
        Stage::Pixel => ShaderKind::Pixel,
        Stage::Amplification => ShaderKind::Amplification,
        Stage::Mesh => ShaderKind::Mesh,
        other => {
            return rays::kind_of(other)
                .ok_or_else(|| PipelineError::Unsupported(format!("{other:?} shaders")));
        }
    })
}
