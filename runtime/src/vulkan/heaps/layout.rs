//! The places of descriptors in the heaps, and how a pipeline learns of them.

use std::ffi::c_void;
use std::ptr;

use ash::vk;
use dxil_translate::{DescriptorHeaps, DescriptorKind};

use super::abilities::HeapAbilities;
use super::declarations::{BindingMapping, DESCRIPTOR_HEAP_PIPELINE, MappingInfo};
use crate::error::{Error, Result};
use crate::program::{BindingSlot, Layout};

/// Maximum number of descriptors of each heap that shaders index directly.
const DIRECT_DESCRIPTORS: u32 = 1024;

/// The places of a pipeline's descriptors in the heaps, in bytes.
pub(in crate::vulkan) struct HeapLayout {
    strides: DescriptorHeaps,
    /// Offset and stride of each binding, by set and binding.
    places: Vec<((u32, u32), (u64, u32))>,
    /// Maximum number of descriptors that shaders index directly, in each heap.
    pub(in crate::vulkan) direct: u32,
    pub(super) resource_bytes: u64,
    pub(super) sampler_bytes: u64,
}

impl HeapLayout {
    /// Returns the layout for a program.
    pub(in crate::vulkan) fn new(able: &HeapAbilities, layout: &Layout) -> Result<Self> {
        let (strides, direct) = (able.strides, DIRECT_DESCRIPTORS);
        let mut made = HeapLayout {
            strides,
            places: Vec::new(),
            direct,
            resource_bytes: u64::from(direct) * u64::from(strides.resource_stride),
            sampler_bytes: u64::from(direct) * u64::from(strides.sampler_stride),
        };
        for (set, number) in layout.sets.iter().zip(0u32..) {
            for slot in set.slots.iter().filter(|slot| !slot.source.is_heap()) {
                let (end, stride) = if slot.kind == DescriptorKind::Sampler {
                    (&mut made.sampler_bytes, strides.sampler_stride)
                } else {
                    (&mut made.resource_bytes, strides.resource_stride)
                };
                made.places.push(((number, slot.binding), (*end, stride)));
                *end += u64::from(slot.count) * u64::from(stride);
            }
        }
        let p = &able.properties;
        for (what, need, limit) in [
            (
                "bytes of the heap of resources",
                made.resource_bytes + p.min_resource_heap_reserved_range,
                p.max_resource_heap_size.min(u32::MAX.into()),
            ),
            (
                "bytes of the heap of samplers",
                made.sampler_bytes + p.min_sampler_heap_reserved_range,
                p.max_sampler_heap_size.min(u32::MAX.into()),
            ),
        ] {
            if need > limit {
                return Err(Error::Limit { what, need, limit });
            }
        }
        Ok(made)
    }

    /// Returns the place of a descriptor of a binding.
    pub(in crate::vulkan) fn place(&self, set: u32, slot: &BindingSlot, element: usize) -> u64 {
        let found = self
            .places
            .iter()
            .find(|(key, _)| *key == (set, slot.binding));
        found.map_or(0, |(_, (offset, stride))| {
            offset + element as u64 * u64::from(*stride)
        })
    }

    /// Returns the place of a descriptor that shaders index directly.
    pub(in crate::vulkan) fn direct_place(&self, kind: DescriptorKind, index: usize) -> u64 {
        let stride = match kind {
            DescriptorKind::Sampler => self.strides.sampler_stride,
            _ => self.strides.resource_stride,
        };
        index as u64 * u64::from(stride)
    }
}

/// Where the shaders of a pipeline find their resources.
pub(in crate::vulkan) struct ShaderInterface<'a> {
    /// Null where heaps replace the sets.
    pub(in crate::vulkan) layout: vk::PipelineLayout,
    /// The heaps, if they do.
    pub(in crate::vulkan) heaps: Option<&'a HeapLayout>,
}

impl ShaderInterface<'_> {
    /// Returns what the structures for the pipeline's creation are linked to.
    pub(in crate::vulkan) fn chain(&self, flags: vk::PipelineCreateFlags) -> Option<HeapChain> {
        self.heaps.map(|layout| HeapChain::new(layout, flags))
    }
}

/// What the structures for a pipeline's creation are linked to, so that its shaders take their
/// descriptors from heaps. It must live until the pipeline is made.
pub(in crate::vulkan) struct HeapChain {
    /// Referred to by `info`.
    _mappings: Vec<BindingMapping>,
    info: Box<MappingInfo>,
    flags: Box<vk::PipelineCreateFlags2CreateInfoKHR<'static>>,
}

impl HeapChain {
    /// Returns the structures for a layout. `flags` are those of the pipeline.
    pub(in crate::vulkan) fn new(layout: &HeapLayout, flags: vk::PipelineCreateFlags) -> Self {
        let mappings: Vec<_> = layout
            .places
            .iter()
            // The layout was checked to end below 2^32.
            .map(|&((set, binding), (offset, stride))| {
                BindingMapping::new(set, binding, offset as u32, stride)
            })
            .collect();
        let flags = DESCRIPTOR_HEAP_PIPELINE | u64::from(flags.as_raw());
        HeapChain {
            info: Box::new(MappingInfo::new(&mappings)),
            _mappings: mappings,
            flags: Box::new(
                vk::PipelineCreateFlags2CreateInfoKHR::default()
                    .flags(vk::PipelineCreateFlags2KHR::from_raw(flags)),
            ),
        }
    }

    /// Returns the link of a shader stage.
    pub(in crate::vulkan) fn of_stage(&self) -> *const c_void {
        ptr::from_ref(&*self.info).cast()
    }

    /// Returns the link of the pipeline, after which `next` follows.
    pub(in crate::vulkan) fn of_pipeline(&mut self, next: *const c_void) -> *const c_void {
        self.flags.p_next = next;
        ptr::from_ref(&*self.flags).cast()
    }
}
