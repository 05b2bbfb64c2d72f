//! The bindings of a descriptor set in Vulkan's words: a pure function of a layout.

use ash::vk;

use super::conv;
use crate::program::SetLayout;

/// The bindings of a descriptor set layout.
#[derive(Debug, Clone)]
pub struct SetBindings {
    /// Bindings, visible to all stages.
    pub bindings: Vec<vk::DescriptorSetLayoutBinding<'static>>,
    /// Flags, one for each binding.
    pub flags: Vec<vk::DescriptorBindingFlags>,
    /// Types that a binding's descriptors may have, one list for each binding; those of bindings
    /// with one type are empty.
    pub types: Vec<Vec<vk::DescriptorType>>,
}

impl SetBindings {
    /// Returns the bindings of a set. `partially_bound` is the feature
    /// `descriptorBindingPartiallyBound`.
    pub fn of(set: &SetLayout, partially_bound: bool) -> Self {
        let slots = || set.slots.iter();
        let bindings = slots().map(|slot| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(slot.binding)
                .descriptor_type(if slot.other_kinds.is_empty() {
                    conv::descriptor_type(slot.kind)
                } else {
                    vk::DescriptorType::MUTABLE_EXT
                })
                .descriptor_count(slot.count)
                .stage_flags(vk::ShaderStageFlags::ALL)
        });
        let flags = slots().map(|slot| {
            // Elements of an array that the job leaves out are never written; the shader must not
            // reach them.
            if slot.count > 1 && partially_bound {
                vk::DescriptorBindingFlags::PARTIALLY_BOUND
            } else {
                vk::DescriptorBindingFlags::empty()
            }
        });
        let types = slots().map(|slot| match slot.other_kinds.as_slice() {
            [] => Vec::new(),
            others => std::iter::once(&slot.kind)
                .chain(others)
                .map(|kind| conv::descriptor_type(*kind))
                .collect(),
        });
        SetBindings {
            bindings: bindings.collect(),
            flags: flags.collect(),
            types: types.collect(),
        }
    }

    /// Returns whether a binding has descriptors of several types.
    pub fn is_mutable(&self) -> bool {
        self.types.iter().any(|types| !types.is_empty())
    }
}
