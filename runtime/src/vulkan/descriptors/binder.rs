//! Inputs and results of writing descriptor sets.

use std::sync::Arc;

use ash::vk;
use dxil_frontend::tables::HashMap;
use dxil_translate::DescriptorKind;

use crate::error::Result;
use crate::job::{Job, Outcome, Register, ResourceView, Sampler};
use crate::program::BindingSlot;
use crate::vulkan::gpu::Gpu;
use crate::vulkan::heaps::layout::HeapLayout;
use crate::vulkan::heaps::memory::{BoundHeaps, HeapContents};
use crate::vulkan::memory::{Buffer, DescriptorPool, ImageView, SamplerState, TexelView};
use crate::vulkan::storage::DeviceStorage;
use crate::vulkan::structures::Structures;

/// The owner of a hidden counter.
#[derive(Clone, Copy)]
pub(super) enum CounterOf {
    /// Of the UAV at a register.
    Register(Register),
    /// Of the UAV in a slot of the heap.
    Slot(u32),
}

/// Written descriptor sets with everything they point to besides the job's resources.
pub(in crate::vulkan) struct BoundSets {
    /// The sets, by number.
    pub(in crate::vulkan) sets: Vec<vk::DescriptorSet>,
    /// Push-constant bytes.
    pub(in crate::vulkan) push_constants: Vec<u8>,
    pub(super) counters: Vec<(CounterOf, u64, usize)>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) _views: Vec<ImageView>,
    pub(super) _texel_views: Vec<TexelView>,
    pub(super) _samplers: Vec<SamplerState>,
    pub(super) _pool: Option<DescriptorPool>,
    /// The heaps that replace the sets, if any do.
    pub(in crate::vulkan) heaps: Option<BoundHeaps>,
}

impl BoundSets {
    /// Notes the hidden UAV counters as they are now.
    pub(in crate::vulkan) fn read_counters(&self, outcome: &mut Outcome) -> Result<()> {
        for &(of, offset, buffer) in &self.counters {
            let bytes = self.buffers[buffer].read(offset + 4)?;
            let word = bytes
                .get(offset as usize..)
                .and_then(|b| b.first_chunk::<4>())
                .map_or(0, |b| u32::from_le_bytes(*b));
            match of {
                CounterOf::Register(register) => outcome.counters.push((register, word)),
                CounterOf::Slot(slot) => outcome.heap_counters.push((slot, word)),
            }
        }
        Ok(())
    }
}

/// A descriptor with the type under which it is written.
pub(super) type Placed = (DescriptorKind, Descriptor);

/// A descriptor ready to be written.
#[derive(Clone, Copy)]
pub(super) enum Descriptor {
    Buffer(vk::DescriptorBufferInfo),
    Texel(TexelRange),
    Image(ImagePart),
    Sampler(vk::Sampler, Sampler),
    Structure(vk::AccelerationStructureKHR),
}

/// A part of a buffer with a texel format.
#[derive(Clone, Copy, Default)]
pub(super) struct TexelRange {
    pub(super) view: vk::BufferView,
    pub(super) format: vk::Format,
    pub(super) part: vk::DescriptorBufferInfo,
}

/// A part of an image, seen in one way.
#[derive(Clone, Copy, Default)]
pub(super) struct ImagePart {
    pub(super) view: vk::ImageView,
    pub(super) image: vk::Image,
    pub(super) ty: vk::ImageViewType,
    pub(super) format: vk::Format,
    pub(super) components: vk::ComponentMapping,
    pub(super) range: vk::ImageSubresourceRange,
    pub(super) usage: vk::ImageUsageFlags,
}

impl ImagePart {
    /// Calls `make` with the description of a view of the part.
    pub(super) fn with_info<R>(&self, make: impl FnOnce(&vk::ImageViewCreateInfo<'_>) -> R) -> R {
        // The view's format may lack uses of the image's, such as storage of an sRGB format, so the
        // view asks for the one use that it has.
        let mut usage = vk::ImageViewUsageCreateInfo::default().usage(self.usage);
        let info = vk::ImageViewCreateInfo::default()
            .image(self.image)
            .view_type(self.ty)
            .format(self.format)
            .components(self.components)
            .subresource_range(self.range)
            .push_next(&mut usage);
        make(&info)
    }
}

pub(super) struct Binder<'a> {
    pub(super) gpu: &'a Arc<Gpu>,
    pub(super) job: &'a Job,
    pub(super) storages: &'a [DeviceStorage],
    pub(super) structures: &'a Structures,
    pub(super) by_register: HashMap<Register, &'a ResourceView>,
    pub(super) bound: BoundSets,
    /// The heaps that replace the sets, if any do.
    pub(super) heaps: Option<(&'a HeapLayout, HeapContents)>,
}

pub(super) fn describe(slot: &BindingSlot) -> String {
    let what = match slot.kind {
        DescriptorKind::UniformBuffer => "a constant buffer",
        DescriptorKind::StorageBuffer => "a raw or structured buffer",
        DescriptorKind::UniformTexelBuffer | DescriptorKind::StorageTexelBuffer => "a typed buffer",
        DescriptorKind::SampledImage => "a texture",
        DescriptorKind::StorageImage => "a read-write texture",
        DescriptorKind::Sampler => "a sampler",
        DescriptorKind::AccelerationStructure => "an acceleration structure",
        DescriptorKind::InputAttachment => "an input attachment",
    };
    if slot.name.is_empty() {
        what.to_owned()
    } else {
        format!("{what} named {}", slot.name)
    }
}

pub(super) fn describe_view(view: &ResourceView) -> &'static str {
    match view {
        ResourceView::Null => "nothing",
        ResourceView::Buffer(_) => "a buffer",
        ResourceView::Texture(_) => "a texture",
        ResourceView::Sampler(_) => "a sampler",
        ResourceView::Constants(_) => "constants",
        ResourceView::AccelerationStructure(_) => "an acceleration structure",
    }
}
