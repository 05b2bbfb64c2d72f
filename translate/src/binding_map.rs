//! Where each declared resource lives: plain data, decided by the caller before translation.
//!
//! The runtime makes one from a root signature; a D3D12-on-Vulkan layer makes one from its own
//! descriptor scheme.

use dxil_frontend::dxil::{Resource, ResourceClass};
use rustc_hash::FxHashMap;

use crate::TexelFormat;

/// Names a declared resource: its class and range id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceKey {
    /// Class.
    pub class: ResourceClass,
    /// Range id within the class.
    pub id: u32,
}

/// A descriptor: set and binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DescriptorSlot {
    /// Descriptor set.
    pub set: u32,
    /// Binding number.
    pub binding: u32,
}

/// Where a resource lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// A descriptor of its own, or an array of as many as are declared.
    Descriptor {
        /// The descriptor (array).
        slot: DescriptorSlot,
        /// Index that the range's first register has in the descriptor array; 0 where the array
        /// belongs to this resource alone.
        first_index: u32,
        /// The hidden UAV counter: a storage buffer of one `u32` (per array element).
        counter: Option<DescriptorSlot>,
        /// Texel format, where the caller knows it: typed buffers that are bound as storage
        /// buffers, and storage images for targets that need a format.
        format: Option<TexelFormat>,
    },
    /// A heap that many resources share: index = `offset` (plus push-constant word) + register * `stride`.
    Heap {
        /// The heap's descriptor array.
        slot: DescriptorSlot,
        /// Push-constant word that holds the table's first index, if any.
        table_word: Option<u32>,
        /// Constant offset of the range in the heap or table, in descriptors.
        offset: u32,
        /// The hidden UAV counters' heap.
        counter: Option<DescriptorSlot>,
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

/// The answers, one per resource.
#[derive(Debug, Clone, Default)]
pub struct BindingMap {
    locations: FxHashMap<ResourceKey, Location>,
    /// Heap that `ResourceDescriptorHeap[]` indexes, where there is one.
    pub resource_heap: Option<DescriptorSlot>,
    /// Heap that `SamplerDescriptorHeap[]` indexes, where there is one.
    pub sampler_heap: Option<DescriptorSlot>,
}

impl BindingMap {
    /// A map without answers.
    pub fn new() -> Self {
        BindingMap::default()
    }

    /// Says where a resource lives; the last word counts.
    pub fn insert(&mut self, key: ResourceKey, location: Location) {
        self.locations.insert(key, location);
    }

    /// Where a resource lives, if the caller has said.
    pub fn get(&self, key: ResourceKey) -> Option<&Location> {
        self.locations.get(&key)
    }

    /// Where a resource lives if nobody said: set = register space; binding = register, shifted by
    /// class so that classes do not meet (`b` 0, `t` 1000, `s` 2000, `u` 3000), as DXC users shift
    /// with `-fvk-t-shift`. A UAV's counter lies 1000 above the UAV.
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
            counter: resource.detail.has_counter.then_some(DescriptorSlot {
                set: resource.space,
                binding: binding.saturating_add(1000),
            }),
            format: None,
        }
    }
}
