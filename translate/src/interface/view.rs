//! Views: a resource as the shader uses it, before anything is emitted.

use bitflags::bitflags;
use dxil_frontend::dxil::ops::ResourceProperties;
use dxil_frontend::dxil::{
    ComponentType, Resource, ResourceClass, ResourceKind, SamplerFeedbackKind,
};
use dxil_frontend::ir::TypeTable;

use crate::texel_format::element_count;
use crate::{DescriptorSlot, Error, Features, Location, ResourceKey, Result, TexelFormat};

/// Index into [`super::Plan::views`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ViewId(pub(crate) u32);

/// The origin of a view's descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum DescriptorOrigin {
    /// A declared range.
    Declared(ResourceKey),
    /// `ResourceDescriptorHeap[]`.
    ResourceHeap,
    /// `SamplerDescriptorHeap[]`.
    SamplerHeap,
}

/// The SPIR-V representation of a view's bytes or texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Representation {
    /// Rows of 16 bytes in a uniform buffer (or root constants, or behind an address).
    Constants,
    /// Words of a storage buffer (or behind an address): raw and structured buffers, tbuffers.
    Words,
    /// A buffer with a texel format, native.
    TexelBuffer,
    /// A buffer with a texel format, bound as a storage buffer; the code converts.
    ConvertedTexels(TexelFormat),
    /// A sampled or storage image.
    Image,
    /// An input attachment, with its index.
    Attachment(Option<u32>),
    /// A sampler.
    Sampler,
    /// A ray tracing acceleration structure.
    AccelerationStructure,
}

bitflags! {
    /// The uses of a view in the shader.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub(crate) struct Usage: u32 {
        /// Loads or samples.
        const READ = 1 << 0;
        /// Stores.
        const WRITE = 1 << 1;
        /// 32-bit atomics.
        const ATOMIC_32 = 1 << 2;
        /// 64-bit atomics.
        const ATOMIC_64 = 1 << 3;
        /// 16-bit memory accesses.
        const WIDTH_16 = 1 << 4;
        /// 32-bit memory accesses.
        const WIDTH_32 = 1 << 5;
        /// 64-bit memory accesses.
        const WIDTH_64 = 1 << 6;
        /// Filtered without comparison.
        const SAMPLED = 1 << 7;
        /// Filtered with comparison.
        const COMPARED = 1 << 8;
        /// Size, level, sample or level-of-detail queries.
        const QUERIED = 1 << 9;
        /// The hidden counter.
        const COUNTER = 1 << 10;
        /// An index that is not constant.
        const DYNAMIC_INDEX = 1 << 11;
        /// An index that differs between lanes.
        const NON_UNIFORM = 1 << 12;
        /// The residency status is used.
        const RESIDENCY = 1 << 13;
        /// Structured buffers: an offset in the element that is not constant.
        const DYNAMIC_OFFSET = 1 << 14;
        /// 64-bit memory accesses that are aligned to less than 8 bytes.
        const MISALIGNED_64 = 1 << 15;
        /// Raw buffers: accesses to several words that lie in rows.
        const VECTORS = 1 << 16;
        /// 16-bit accesses to several values at once.
        const VECTORS_16 = 1 << 17;
    }
}

impl Usage {
    /// Any atomic.
    pub(crate) const ATOMIC: Usage = Usage::ATOMIC_32.union(Usage::ATOMIC_64);
    /// The uses of a sampler.
    pub(crate) const FILTERED: Usage = Usage::SAMPLED.union(Usage::COMPARED);
    /// Anything that changes memory.
    pub(crate) const CHANGES: Usage = Usage::WRITE.union(Usage::ATOMIC);
}

/// Number of accesses to a buffer by the type of the value that is read or written. A buffer that
/// is accessed mostly as floats is declared with float elements, which saves bitcasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ScalarCounts {
    /// Accesses to 32-bit floats.
    pub(crate) floats: u32,
    /// Accesses to integers, and to values of other widths.
    pub(crate) others: u32,
}

/// A resource as the shader uses it.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub(crate) origin: DescriptorOrigin,
    pub(crate) class: ResourceClass,
    pub(crate) kind: ResourceKind,
    pub(crate) representation: Representation,
    pub(crate) name: Box<str>,
    /// Component type of typed buffers and textures.
    pub(crate) component: Option<ComponentType>,
    /// Components of typed buffers and textures, 1 to 4.
    pub(crate) component_count: u32,
    /// Texel format of a storage image or a storage texel buffer, where the code names one.
    pub(crate) format: Option<TexelFormat>,
    /// Structured buffers: bytes per element; tbuffers 16; else 0.
    pub(crate) stride: u32,
    /// The kind that the shader declares, if a raw or structured buffer is bound as a texel buffer.
    pub(crate) words_of: Option<ResourceKind>,
    /// Constant buffers: bytes.
    pub(crate) cbuffer_size: u32,
    pub(crate) coherent: bool,
    pub(crate) rasterizer_ordered: bool,
    pub(crate) feedback: Option<SamplerFeedbackKind>,
    /// First register of the range.
    pub(crate) lower_bound: u32,
    /// Registers of the range; `None` is unbounded.
    pub(crate) count: Option<u32>,
    /// A number that the elements that the code names do not exceed, counted from the first one;
    /// known in the portable style.
    pub(crate) last: u32,
    pub(crate) location: Location,
    /// The words of the location are the shader record's.
    pub(crate) local: bool,
    /// Stride of the heap of VK_EXT_descriptor_heap that holds the descriptor, if one does.
    pub(crate) heap_stride: Option<u32>,
    pub(crate) usage: Usage,
    /// Constant buffers, raw and structured buffers: what is accessed.
    pub(crate) scalars: ScalarCounts,
}

impl View {
    /// Returns the descriptors that the view is among, if it is among descriptors.
    pub(crate) fn slot(&self) -> Option<DescriptorSlot> {
        match self.location {
            Location::Heap { .. } if self.heap_stride.is_some() => None,
            Location::Descriptor { slot, .. }
            | Location::Heap { slot, .. }
            | Location::AddressTable { slot, .. } => Some(slot),
            Location::PushConstants { .. } | Location::DeviceAddress { .. } => None,
        }
    }

    /// Returns whether the code only stores to it: nothing reads it, and no store reads the memory
    /// around it.
    pub(crate) fn is_only_stored_to(&self, features: Features) -> bool {
        let stored_directly = match self.representation {
            Representation::Words => {
                !self.usage.contains(Usage::WIDTH_16) || features.contains(Features::STORAGE_16BIT)
            }
            Representation::TexelBuffer | Representation::Image => !matches!(
                self.kind,
                ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray
            ),
            _ => false,
        };
        stored_directly
            && self.usage.contains(Usage::WRITE)
            && !self.usage.intersects(Usage::READ | Usage::ATOMIC)
    }

    /// Returns a declared range.
    pub(crate) fn declared(resource: &Resource, location: Location, types: &TypeTable) -> View {
        View {
            origin: DescriptorOrigin::Declared(ResourceKey {
                class: resource.class,
                id: resource.id,
            }),
            class: resource.class,
            kind: resource.kind,
            representation: Representation::Words,
            name: resource.name.clone(),
            component: resource.detail.component,
            component_count: resource.ty.map_or(4, |ty| element_count(types, ty)),
            format: None,
            stride: resource.detail.stride.unwrap_or(0),
            words_of: None,
            cbuffer_size: resource.detail.cbuffer_size,
            // What the interlock orders has to be coherent to be seen.
            coherent: resource.detail.globally_coherent || resource.detail.rasterizer_ordered,
            rasterizer_ordered: resource.detail.rasterizer_ordered,
            feedback: resource.detail.feedback,
            lower_bound: resource.lower_bound,
            count: resource.count,
            last: 0,
            location,
            local: false,
            heap_stride: None,
            usage: Usage::empty(),
            scalars: ScalarCounts::default(),
        }
    }

    /// Returns a resource that comes straight from a heap.
    pub(crate) fn from_heap(
        origin: DescriptorOrigin,
        properties: ResourceProperties,
        location: Location,
    ) -> Result<View> {
        let kind = properties
            .kind()
            .filter(|&kind| kind != ResourceKind::Invalid);
        let (Some(kind), Some(class)) = (kind, properties.class()) else {
            return Err(Error::malformed(format!(
                "resource kind {} is unknown",
                properties.basic & 0xff
            )));
        };
        let typed = kind.is_texture() || kind == ResourceKind::TypedBuffer;
        let is = |other: ResourceKind| kind == other;
        let only = |condition: bool, value: u32| if condition { value } else { 0 };
        let feedback = match kind {
            ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray => {
                Some(match properties.extended {
                    0 => SamplerFeedbackKind::MinMip,
                    _ => SamplerFeedbackKind::MipRegionUsed,
                })
            }
            _ => None,
        };
        Ok(View {
            origin,
            class,
            kind,
            representation: Representation::Words,
            name: "".into(),
            component: typed
                .then(|| ComponentType::from_number(u64::from(properties.component_type())))
                .flatten(),
            component_count: match properties.component_count() {
                0 => 4,
                n => n.min(4),
            },
            format: None,
            stride: only(is(ResourceKind::StructuredBuffer), properties.stride()),
            words_of: None,
            cbuffer_size: only(is(ResourceKind::CBuffer), properties.cbuffer_size()),
            coherent: properties.is_globally_coherent() || properties.is_rasterizer_ordered(),
            rasterizer_ordered: properties.is_rasterizer_ordered(),
            feedback,
            lower_bound: 0,
            count: None,
            last: 0,
            location,
            local: false,
            heap_stride: None,
            usage: Usage::empty(),
            scalars: ScalarCounts::default(),
        })
    }

    /// Returns the kind that the shader declares.
    pub(crate) fn declared_kind(&self) -> ResourceKind {
        self.words_of.unwrap_or(self.kind)
    }

    /// Returns whether it is memory for the shader: a raw or structured buffer, or a tbuffer.
    pub(crate) fn is_memory(&self) -> bool {
        self.representation == Representation::Words || self.words_of.is_some()
    }

    /// Makes a raw or structured buffer a texel buffer of words.
    pub(super) fn make_texels(&mut self) {
        self.words_of = Some(self.kind);
        self.kind = ResourceKind::TypedBuffer;
        self.component = Some(ComponentType::U32);
        self.component_count = 1;
    }

    /// Returns the name in the source's form: `t3, space1`.
    pub(crate) fn describe(&self) -> String {
        match self.origin {
            DescriptorOrigin::Declared(_) => {
                let letter = self.class.letter();
                format!(
                    "{letter}{} of {:?} {:?}",
                    self.lower_bound,
                    self.declared_kind(),
                    self.name
                )
            }
            DescriptorOrigin::ResourceHeap => {
                format!("ResourceDescriptorHeap as {:?}", self.declared_kind())
            }
            DescriptorOrigin::SamplerHeap => "SamplerDescriptorHeap".into(),
        }
    }

    /// Returns whether the texels are integers.
    pub(crate) fn is_integer(&self) -> bool {
        use ComponentType::*;
        matches!(
            self.component,
            Some(I1 | I16 | U16 | I32 | U32 | I64 | U64 | PackedS8x32 | PackedU8x32)
        )
    }

    /// Returns whether a texel is one word for the sake of its atomics, where the shader declares
    /// two floats: only NVAPI has such atomics, and they are on halves.
    pub(crate) fn is_pair_of_halves(&self) -> bool {
        self.class == ResourceClass::Uav
            && self.kind.is_texture()
            && self.usage.contains(Usage::ATOMIC_32)
            && self.component_count == 2
            && !self.is_integer()
    }

    /// Returns whether the texels' integers are signed.
    pub(crate) fn is_signed(&self) -> bool {
        use ComponentType::*;
        matches!(self.component, Some(I16 | I32 | I64 | PackedS8x32))
    }

    /// Returns whether the texels' components have 64 bits.
    pub(crate) fn is_64_bit(&self) -> bool {
        matches!(
            self.component,
            Some(ComponentType::I64 | ComponentType::U64)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heap_view_takes_its_shape_from_the_annotation() {
        let location = Location::PushConstants {
            first_word: 0,
            words: 0,
        };
        let view = |basic, extended| {
            let properties = ResourceProperties { basic, extended };
            View::from_heap(DescriptorOrigin::ResourceHeap, properties, location)
        };
        let structured = view(12 | 1 << 12 | 1 << 14, 48).unwrap();
        assert_eq!(structured.class, ResourceClass::Uav);
        assert_eq!((structured.stride, structured.component), (48, None));
        assert!(structured.coherent);
        let texture = view(3, 9 | 2 << 8 | 8 << 16).unwrap();
        assert_eq!(texture.component, Some(ComponentType::F32));
        assert_eq!((texture.component_count, texture.stride), (2, 0));
        assert!(view(77, 0).is_err());
    }
}
