//! Pointers to descriptors and into them, and what indexing an array of descriptors takes.

use dxil_frontend::dxil::ResourceClass;

use super::variables::{Handle, Leaf, Variable, is_arrayed};
use crate::interface::Shape;
use crate::lower::Lowering;
use crate::options::Style;
use crate::spirv::{Capability, Decoration, Id, StorageClass};
use crate::{Location, Result};

impl<'a> Lowering<'a> {
    /// Asks for the extension that SPIR-V 1.5 took in.
    pub(in crate::lower) fn descriptor_indexing_extension(&mut self) {
        self.b
            .extension_before(0x0001_0500, "SPV_EXT_descriptor_indexing");
    }

    /// Declares what indexing a descriptor array takes.
    fn indexing_capabilities(&mut self, handle: &Handle<'a>, variable: Variable) {
        use Capability as C;
        if self.b.literal(handle.index).is_some() {
            return;
        }
        let storage = handle.view.class == ResourceClass::Uav;
        let (uniform, non_uniform) = match (variable.class, handle.view.shape, storage) {
            (StorageClass::Uniform, ..) => (
                C::UniformBufferArrayDynamicIndexing,
                C::UniformBufferArrayNonUniformIndexing,
            ),
            (StorageClass::StorageBuffer, ..) => (
                C::StorageBufferArrayDynamicIndexing,
                C::StorageBufferArrayNonUniformIndexing,
            ),
            (_, Shape::TexelBuffer, true) => (
                C::StorageTexelBufferArrayDynamicIndexing,
                C::StorageTexelBufferArrayNonUniformIndexing,
            ),
            (_, Shape::TexelBuffer, false) => (
                C::UniformTexelBufferArrayDynamicIndexing,
                C::UniformTexelBufferArrayNonUniformIndexing,
            ),
            (_, Shape::Image, true) => (
                C::StorageImageArrayDynamicIndexing,
                C::StorageImageArrayNonUniformIndexing,
            ),
            // Arrays of acceleration structures may be indexed in any way without one of their own.
            (_, Shape::AccelerationStructure, _) => {
                if handle.non_uniform {
                    self.b.capability(C::ShaderNonUniform);
                    self.descriptor_indexing_extension();
                }
                return;
            }
            _ => (
                C::SampledImageArrayDynamicIndexing,
                C::SampledImageArrayNonUniformIndexing,
            ),
        };
        if self.options.target.style == Style::Portable {
            // naga knows the buffers' capabilities and indexes the other arrays without any.
            if matches!(
                variable.class,
                StorageClass::Uniform | StorageClass::StorageBuffer
            ) {
                self.b.capability(uniform);
            }
        } else if handle.non_uniform {
            self.b.capability(C::ShaderNonUniform);
            self.b.capability(non_uniform);
            self.descriptor_indexing_extension();
        } else {
            if matches!(
                uniform,
                C::StorageTexelBufferArrayDynamicIndexing
                    | C::UniformTexelBufferArrayDynamicIndexing
            ) {
                self.descriptor_indexing_extension();
            }
            self.b.capability(uniform);
        }
    }

    /// Marks a value that depends on a divergent descriptor index.
    pub(in crate::lower) fn mark_non_uniform(&mut self, handle: &Handle<'a>, id: Id) {
        if handle.non_uniform
            && self.options.target.style == Style::Native
            && self.b.literal(handle.index).is_none()
            && is_arrayed(handle.view)
        {
            self.b.decorate(id, Decoration::NonUniform, &[]);
        }
    }

    /// Pointer to a descriptor's object, and its type.
    pub(in crate::lower) fn object_pointer(&mut self, handle: &Handle<'a>) -> Result<(Id, Id)> {
        let variable = self.resource_variable(handle, Leaf::Object)?;
        if !variable.arrayed {
            return Ok((variable.id, variable.ty));
        }
        self.indexing_capabilities(handle, variable);
        let pointer_ty = self.b.pointer(variable.class, variable.ty);
        let pointer = self
            .b
            .access_chain(pointer_ty, variable.id, &[handle.index]);
        self.mark_non_uniform(handle, pointer);
        Ok((pointer, variable.ty))
    }

    /// The image, sampler or acceleration structure itself, and its type.
    pub(in crate::lower) fn object(&mut self, handle: &Handle<'a>) -> Result<(Id, Id)> {
        let (pointer, ty) = self.object_pointer(handle)?;
        let id = self.b.load(ty, pointer);
        self.mark_non_uniform(handle, id);
        Ok((id, ty))
    }

    /// Pointer to an element of a buffer; `component` goes into a row.
    pub(in crate::lower) fn element_pointer(
        &mut self,
        handle: &Handle<'a>,
        leaf: Leaf,
        element: Id,
        component: Option<Id>,
    ) -> Result<Id> {
        let variable = self.resource_variable(handle, leaf)?;
        let element = self.placed_word(handle, leaf, element);
        let zero = self.b.const_u32(0);
        let base = match handle.view.location {
            Location::DeviceAddress { first_word } => {
                self.address_pointer(handle, first_word, variable.ty)?
            }
            _ => variable.id,
        };
        let target = match component {
            Some(_) => self.b.u32(),
            None => variable.leaf,
        };
        let pointer_ty = self.b.pointer(variable.class, target);
        let mut indices = [Id::NONE; 4];
        let mut count = 0;
        let parts = [
            variable.arrayed.then_some(handle.index),
            Some(zero),
            Some(element).filter(|_| leaf != Leaf::Counter),
            component,
        ];
        for (slot, id) in indices.iter_mut().zip(parts.into_iter().flatten()) {
            *slot = id;
            count += 1;
        }
        let pointer =
            self.b
                .access_chain(pointer_ty, base, indices.get(..count).unwrap_or(&indices));
        if variable.arrayed {
            self.indexing_capabilities(handle, variable);
            self.mark_non_uniform(handle, pointer);
        }
        Ok(pointer)
    }

    /// Pointer to one descriptor's block, for `OpArrayLength`.
    pub(in crate::lower) fn block_pointer(
        &mut self,
        handle: &Handle<'a>,
        leaf: Leaf,
    ) -> Result<Id> {
        let variable = self.resource_variable(handle, leaf)?;
        if !variable.arrayed {
            return Ok(variable.id);
        }
        self.indexing_capabilities(handle, variable);
        let pointer_ty = self.b.pointer(variable.class, variable.ty);
        let pointer = self
            .b
            .access_chain(pointer_ty, variable.id, &[handle.index]);
        self.mark_non_uniform(handle, pointer);
        Ok(pointer)
    }
}
