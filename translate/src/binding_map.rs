//! The location of each declared resource: plain data, decided by the caller before translation.
//!
//! The runtime makes one from a root signature; a D3D12-on-Vulkan layer makes one from its own
//! descriptor scheme.

use std::hash::{Hash, Hasher};

use dxil_frontend::dxil::ops::ResourceProperties;
use dxil_frontend::dxil::{Resource, ResourceClass};
use dxil_frontend::tables::{HashMap, HashSet};

use crate::TexelFormat;

/// Names a declared resource: its class and range id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ResourceKey {
    /// SRV, UAV, constant buffer or sampler: what `id` counts in.
    pub class: ResourceClass,
    /// Range id within the class.
    pub id: u32,
}

/// A descriptor: set and binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DescriptorSlot {
    /// Descriptor set.
    pub set: u32,
    /// Binding number.
    pub binding: u32,
}

/// The location of the hidden counter of a UAV.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counter {
    /// A storage buffer of one `u32`; an array of them where the UAV is an array.
    Buffer(DescriptorSlot),
    /// A storage texel buffer of one `u32`; an array of them where the UAV is an array.
    TexelBuffer(DescriptorSlot),
    /// A storage buffer of device addresses, one per descriptor of the heap that the UAV lives in:
    /// descriptor `i` has its counter at the address in element `i * stride + offset`, counted in
    /// 8 bytes. Address 0 is not a counter: it reads as 0 and cannot be changed.
    Addresses {
        /// The storage buffer.
        slot: DescriptorSlot,
        /// Elements per descriptor.
        stride: u32,
        /// First element.
        offset: u32,
    },
    /// The same, where the table itself lies at a device address: the first eight bytes of a
    /// uniform buffer.
    AddressesBehind {
        /// The uniform buffer.
        slot: DescriptorSlot,
        /// Elements per descriptor.
        stride: u32,
        /// First element.
        offset: u32,
    },
}

/// The location of the number of descriptors of the resource heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeapSize {
    /// In the first word of a uniform buffer.
    UniformWord(DescriptorSlot),
    /// A storage buffer has that many elements.
    BufferLength {
        /// The storage buffer.
        slot: DescriptorSlot,
        /// Bytes per element, a multiple of 4.
        stride: u32,
    },
}

/// A side table with the range of the bound buffer that each descriptor of a heap selects, for
/// devices whose descriptors cannot begin at every element: a storage buffer of pairs (first,
/// count) of words, in bytes for raw and structured buffers and in texels for texel buffers.
/// Descriptor `i` has its pair at element `i * stride + offset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RangeTable {
    /// The storage buffer.
    pub slot: DescriptorSlot,
    /// Pairs per descriptor.
    pub stride: u32,
    /// First pair.
    pub offset: u32,
}

/// The layout of the heaps of VK_EXT_descriptor_heap. A stride is the distance between two
/// descriptors in bytes, and a multiple of the alignments of the heap's descriptors; 0 stands for
/// the size of the descriptor's type, which the device inserts (`OpConstantSizeOfEXT`) and which
/// may differ between images and buffers. Descriptor 0 is at the beginning of the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DescriptorHeaps {
    /// Stride of the heap of resources.
    pub resource_stride: u32,
    /// Stride of the heap of samplers.
    pub sampler_stride: u32,
}

/// The location of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// A descriptor for this resource alone, or an array with the declared number of descriptors.
    Descriptor {
        /// The descriptor (array).
        slot: DescriptorSlot,
        /// Index that the range's first register has in the descriptor array; 0 where the array
        /// belongs to this resource alone.
        first_index: u32,
        /// The hidden UAV counter.
        counter: Option<Counter>,
        /// Texel format, where the caller knows it: typed buffers that are bound as storage
        /// buffers, and storage images for targets that need a format.
        format: Option<TexelFormat>,
    },
    /// A heap that many resources share: index = `offset` (plus push-constant word) + register *
    /// `stride`.
    Heap {
        /// The heap's descriptor array.
        slot: DescriptorSlot,
        /// Push-constant word that holds the table's first index, if any.
        table_word: Option<u32>,
        /// Constant offset of the range in the heap or table, in descriptors.
        offset: u32,
        /// The hidden UAV counters.
        counter: Option<Counter>,
        /// The range of the buffer that a descriptor selects, where the descriptor itself does not
        /// hold it.
        ranges: Option<RangeTable>,
    },
    /// A table of device addresses, for acceleration structures: a storage buffer with eight bytes
    /// (low word first) per element. Descriptors are counted as in [`Location::Heap`]; descriptor
    /// `i` has its address in element `i * stride + first`.
    AddressTable {
        /// The storage buffer.
        slot: DescriptorSlot,
        /// Push-constant word that holds the table's first index, if any.
        table_word: Option<u32>,
        /// Constant offset of the range in the heap or table, in descriptors.
        offset: u32,
        /// Elements per descriptor.
        stride: u32,
        /// Element of descriptor 0.
        first: u32,
    },
    /// Root constants of a constant buffer: push-constant words `first_word..first_word + words`.
    PushConstants {
        /// First word.
        first_word: u32,
        /// Number of words.
        words: u32,
    },
    /// A root descriptor as a device address in two push-constant words (low word first).
    DeviceAddress {
        /// First of the two words.
        first_word: u32,
    },
}

/// Locations of resources, and the choices that concern all of them.
#[derive(Debug, Clone, Default)]
pub struct BindingMap {
    locations: HashMap<ResourceKey, Location>,
    /// Heap that `ResourceDescriptorHeap[]` indexes, where there is one.
    pub resource_heap: Option<DescriptorSlot>,
    /// The heaps of VK_EXT_descriptor_heap, where these replace the descriptor arrays of
    /// [`Location::Heap`], whose slots are then not used. `ResourceDescriptorHeap[]` and
    /// `SamplerDescriptorHeap[]` need no heap of their own beside it. The module uses
    /// SPV_EXT_descriptor_heap and needs [`Features::DESCRIPTOR_HEAP`](crate::Features). Other
    /// locations keep their sets and bindings, which the pipeline maps. Not for the portable style.
    pub descriptor_heaps: Option<DescriptorHeaps>,
    /// The hidden counters of UAVs in that heap.
    pub resource_heap_counters: Option<Counter>,
    /// Heap that `SamplerDescriptorHeap[]` indexes, where there is one.
    pub sampler_heap: Option<DescriptorSlot>,
    /// Uniform buffer that replaces the push constants: root constants, first indices of tables,
    /// device addresses. Word numbers count from its beginning.
    pub root_constants: Option<DescriptorSlot>,
    /// Whether constant buffers in heaps are bound as storage buffers.
    pub storage_buffer_constants: bool,
    /// Number of descriptors in heaps of resources. If it is given, an index past the end selects
    /// the descriptor after the last one, which the caller keeps null; in sampler heaps it selects
    /// the 2048th.
    pub heap_size: Option<HeapSize>,
    /// Table of the addresses of the buffers in the heap of resources: pairs of words, the low one
    /// first; the bits above 48 hold the size of a texel in bytes.
    /// `InstructionCheck::Synchronization` identifies buffers by them.
    pub heap_addresses: Option<RangeTable>,
    /// Portable style: number of elements of unbounded arrays and heaps, each of which takes a
    /// binding; 0 refuses them. Views of a heap with different types take consecutive bindings of
    /// the heap's set.
    pub unbounded_elements: u32,
    /// Portable style: whether there are no other elements than these. Otherwise a shader that may
    /// name others is refused, since their results would be wrong.
    pub unbounded_elements_are_all: bool,
    /// The conversion of the handles of descriptor tables in shader records to indices.
    pub local_tables: LocalTables,
    heaps: HashMap<ResourceProperties, Location>,
    singles: HashSet<ResourceKey>,
    local: HashSet<ResourceKey>,
    texel_words: HashSet<DescriptorSlot>,
    attachments: HashMap<ResourceKey, Option<u32>>,
}

/// A shader record holds a GPU descriptor handle for each descriptor table. Its lower word, shifted
/// right by these numbers of bits, is the index of the table's first descriptor in its heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct LocalTables {
    /// For heaps of resources.
    pub resource_shift: u32,
    /// For heaps of samplers.
    pub sampler_shift: u32,
}

/// Equal maps have equal hashes, whatever the order in which their locations were set.
impl Hash for BindingMap {
    #[expect(clippy::disallowed_methods, reason = "all are sorted")]
    fn hash<H: Hasher>(&self, state: &mut H) {
        // All fields by name: a new one must not be forgotten here.
        let BindingMap {
            locations,
            resource_heap,
            descriptor_heaps,
            resource_heap_counters,
            sampler_heap,
            root_constants,
            storage_buffer_constants,
            heap_size,
            heap_addresses,
            unbounded_elements,
            unbounded_elements_are_all,
            local_tables,
            heaps,
            singles,
            local,
            texel_words,
            attachments,
        } = self;
        let mut locations: Vec<_> = locations.iter().collect();
        locations.sort_by_key(|(key, _)| **key);
        locations.hash(state);
        let mut heaps: Vec<_> = heaps.iter().collect();
        heaps.sort_by_key(|(properties, _)| **properties);
        heaps.hash(state);
        for keys in [singles, local] {
            let mut keys: Vec<_> = keys.iter().collect();
            keys.sort();
            keys.hash(state);
        }
        let mut slots: Vec<_> = texel_words.iter().collect();
        slots.sort();
        slots.hash(state);
        let mut attachments: Vec<_> = attachments.iter().collect();
        attachments.sort();
        attachments.hash(state);
        local_tables.hash(state);
        (resource_heap, resource_heap_counters, sampler_heap).hash(state);
        (unbounded_elements, unbounded_elements_are_all).hash(state);
        (root_constants, storage_buffer_constants, heap_size).hash(state);
        heap_addresses.hash(state);
        descriptor_heaps.hash(state);
    }
}

impl BindingMap {
    /// Returns an empty map.
    pub fn new() -> Self {
        BindingMap::default()
    }

    /// Sets where a resource lives; a later call replaces the location.
    pub fn insert(&mut self, key: ResourceKey, location: Location) {
        self.locations.insert(key, location);
    }

    /// Returns the location of a resource, if it was set.
    pub fn get(&self, key: ResourceKey) -> Option<&Location> {
        self.locations.get(&key)
    }

    /// Sets where the resources with these properties live that a shader indexes directly in a heap
    /// (`ResourceDescriptorHeap[]`, `SamplerDescriptorHeap[]`). It takes precedence over
    /// `resource_heap` and `sampler_heap`.
    pub fn insert_heap(&mut self, properties: ResourceProperties, location: Location) {
        self.heaps.insert(properties, location);
    }

    /// Returns the location of resources with these properties that a shader indexes directly in a
    /// heap.
    pub(crate) fn heap(&self, properties: ResourceProperties) -> Option<Location> {
        self.heaps.get(&properties).copied()
    }

    /// Makes an unbounded range one descriptor: its first register.
    pub fn make_single(&mut self, key: ResourceKey) {
        self.singles.insert(key);
    }

    /// Makes a resource part of the local root signature of a ray tracing shader: the words of its
    /// location are words of the shader record, after the shader identifier, instead of push
    /// constants.
    pub fn make_local(&mut self, key: ResourceKey) {
        self.local.insert(key);
    }

    /// Returns whether the words of a location are the shader record's.
    pub fn is_local(&self, key: ResourceKey) -> bool {
        self.local.contains(&key)
    }

    /// Makes the raw and structured buffers that live in a descriptor (array) or heap texel buffers
    /// of the format `R32Uint`, for devices whose storage buffers need a larger alignment than
    /// D3D12's views have.
    pub fn make_texels(&mut self, slot: DescriptorSlot) {
        self.texel_words.insert(slot);
    }

    /// Returns whether a raw or structured buffer that lives there is a texel buffer.
    pub(crate) fn is_texels(&self, location: &Location) -> bool {
        match location {
            Location::Descriptor { slot, .. } | Location::Heap { slot, .. } => {
                self.texel_words.contains(slot)
            }
            _ => false,
        }
    }

    /// Makes a 2D texture, or one of several samples, an input attachment of a pixel shader with
    /// that index; without an index it is that of depth or stencil. `Load` reads the pixel's own
    /// texel, whatever its coordinates are; other operations are errors.
    pub fn make_attachment(&mut self, key: ResourceKey, index: Option<u32>) {
        self.attachments.insert(key, index);
    }

    /// Returns the index of a resource that is an input attachment, if it has one.
    pub(crate) fn attachment(&self, key: ResourceKey) -> Option<Option<u32>> {
        self.attachments.get(&key).copied()
    }

    /// Returns whether an unbounded range is one descriptor.
    pub(crate) fn is_single(&self, key: ResourceKey) -> bool {
        self.singles.contains(&key)
    }

    /// Returns the default location of a resource: set = register space; binding = register plus an
    /// offset per class that keeps the classes apart (`b` 0, `t` 1000, `s` 2000, `u` 3000), like
    /// DXC's `-fvk-t-shift`. The binding of a UAV's counter is the UAV's plus 1000.
    pub fn default_location(resource: &Resource) -> Location {
        let shift = match resource.class {
            ResourceClass::Cbv => 0,
            ResourceClass::Srv => 1000,
            ResourceClass::Sampler => 2000,
            ResourceClass::Uav => 3000,
        };
        let binding = resource.lower_bound.saturating_add(shift);
        Location::Descriptor {
            slot: DescriptorSlot {
                set: resource.space,
                binding,
            },
            first_index: 0,
            counter: resource
                .detail
                .has_counter
                .then_some(Counter::Buffer(DescriptorSlot {
                    set: resource.space,
                    binding: binding.saturating_add(1000),
                })),
            format: None,
        }
    }
}
