// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The remappers: each declared resource is asked about once, before translation, and the answers
//! become a [`BindingMap`].

use std::ffi::{c_uint, c_void};

use dxil_frontend::dxil::ops::ResourceProperties;
use dxil_frontend::dxil::{Resource, ResourceClass, ResourceKind, Shader};
use dxil_translate::{
    BindingMap, Counter, DescriptorSlot, HeapSize, InstructionCheck, Location, RangeTable,
    ResourceKey, heap_uses, resource_uses,
};

use super::local_roots::{LocalPlace, LocalRoots};
use super::meta::{MetaDescriptors, SizeSource};
use super::options::Settings;
use super::refusal::Refusal;
use super::types::*;

/// The resource callbacks with their user data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Callbacks {
    pub(super) srv: (SrvRemapper, *mut c_void),
    pub(super) sampler: (SamplerRemapper, *mut c_void),
    pub(super) cbv: (CbvRemapper, *mut c_void),
    pub(super) uav: (UavRemapper, *mut c_void),
}

impl Default for Callbacks {
    fn default() -> Self {
        let none = std::ptr::null_mut();
        Callbacks {
            srv: (None, none),
            sampler: (None, none),
            cbv: (None, none),
            uav: (None, none),
        }
    }
}

/// A callback's answer, for any class.
#[derive(Debug, Clone, Copy, Default)]
struct Answer {
    buffer: VulkanBinding,
    counter: VulkanBinding,
    offset: VulkanBinding,
    push_constant: bool,
}

/// The register that means "straight from the heap".
const HEAP: c_uint = c_uint::MAX;

/// The resource that a callback is asked about.
struct Question {
    class: ResourceClass,
    binding: D3dBinding,
    has_counter: bool,
}

impl Question {
    /// Returns the question about a declared range.
    fn declared(resource: &Resource, stage: Stage) -> Question {
        let stride = resource.detail.stride.unwrap_or(0);
        Question {
            class: resource.class,
            binding: D3dBinding {
                stage,
                kind: resource.kind as c_uint,
                resource_index: resource.id,
                register_space: resource.space,
                register_index: resource.lower_bound,
                range_size: resource.count.unwrap_or(HEAP),
                alignment: alignment(resource.class, resource.kind, stride),
            },
            has_counter: resource.detail.has_counter,
        }
    }

    fn from_heap(properties: ResourceProperties, stage: Stage) -> Option<Question> {
        let (class, kind) = (properties.class()?, properties.kind()?);
        let stride = match kind {
            ResourceKind::StructuredBuffer => properties.stride(),
            _ => 0,
        };
        Some(Question {
            class,
            binding: D3dBinding {
                stage,
                kind: kind as c_uint,
                resource_index: 0,
                register_space: HEAP,
                register_index: HEAP,
                range_size: HEAP,
                alignment: alignment(class, kind, stride),
            },
            has_counter: class == ResourceClass::Uav && properties.is_comparison_or_has_counter(),
        })
    }

    fn describe(&self) -> String {
        let letter = self.class.letter();
        if self.binding.register_space == HEAP && self.binding.register_index == HEAP {
            return format!("{letter} resources of the descriptor heap");
        }
        format!(
            "{letter}{}, space{}",
            self.binding.register_index, self.binding.register_space
        )
    }
}

/// Returns the alignment in the ABI's sense: 16 for raw buffers, the largest power of two that
/// divides the stride for structured ones.
fn alignment(class: ResourceClass, kind: ResourceKind, stride: u32) -> c_uint {
    match (class, kind) {
        (ResourceClass::Srv | ResourceClass::Uav, ResourceKind::RawBuffer) => 16,
        (ResourceClass::Srv | ResourceClass::Uav, ResourceKind::StructuredBuffer) => {
            stride & stride.wrapping_neg()
        }
        _ => 0,
    }
}

impl Callbacks {
    /// Asks about one resource.
    fn ask(&self, question: &Question) -> Option<Answer> {
        let binding = &raw const question.binding;
        let (set, register) = (
            question.binding.register_space,
            question.binding.register_index,
        );
        let plain = VulkanBinding {
            set,
            binding: register,
            ..VulkanBinding::default()
        };
        let mut answer = Answer {
            buffer: plain,
            ..Answer::default()
        };
        // Raw and structured buffers are storage buffers unless the callback answers otherwise.
        if is_memory(question.binding.kind) {
            answer.buffer.descriptor_type = DESCRIPTOR_SSBO;
        }
        let accepted = match question.class {
            ResourceClass::Srv => {
                let (Some(callback), userdata) = self.srv else {
                    return Some(answer);
                };
                let mut place = SrvVulkanBinding::default();
                // SAFETY: the callback is the caller's for this call; all pointers outlive it.
                let accepted = unsafe { callback(userdata, binding, &raw mut place) };
                (answer.buffer, answer.offset) = (place.buffer_binding, place.offset_binding);
                accepted
            }
            ResourceClass::Uav => {
                let (Some(callback), userdata) = self.uav else {
                    answer.counter = VulkanBinding {
                        set: set.wrapping_add(1),
                        ..plain
                    };
                    return Some(answer);
                };
                let asked = D3dUavBinding {
                    d3d_binding: question.binding,
                    has_counter: Bool::from(question.has_counter),
                };
                let mut place = UavVulkanBinding::default();
                // SAFETY: as above.
                let accepted = unsafe { callback(userdata, &raw const asked, &raw mut place) };
                answer.buffer = place.buffer_binding;
                (answer.counter, answer.offset) = (place.counter_binding, place.offset_binding);
                accepted
            }
            ResourceClass::Cbv => {
                let (Some(callback), userdata) = self.cbv else {
                    return Some(answer);
                };
                let mut place = CbvVulkanBinding::default();
                // SAFETY: as above.
                let accepted = unsafe { callback(userdata, binding, &raw mut place) };
                answer.buffer = place.uniform_binding;
                answer.push_constant = place.push_constant != 0;
                accepted
            }
            ResourceClass::Sampler => {
                let (Some(callback), userdata) = self.sampler else {
                    return Some(answer);
                };
                let mut place = VulkanBinding::default();
                // SAFETY: as above.
                let accepted = unsafe { callback(userdata, binding, &raw mut place) };
                answer.buffer = place;
                accepted
            }
        };
        (accepted != 0).then_some(answer)
    }

    /// Asks about all declared resources and forgets the answers. A class ends at its first
    /// refusal.
    pub(super) fn scan(&self, shader: &Shader, stage: Stage) {
        let resources = &shader.resources;
        for class in [
            &resources.srvs,
            &resources.uavs,
            &resources.cbvs,
            &resources.samplers,
        ] {
            for resource in class {
                let mut question = Question::declared(resource, stage);
                question.binding.alignment = 0;
                // Without a callback every answer is the default.
                if self.ask(&question).is_none() {
                    break;
                }
            }
        }
    }

    /// Returns the locations of all resources that the entry point may use.
    pub(super) fn bindings(
        &self,
        shader: &Shader,
        entry: Option<&str>,
        stage: Stage,
        settings: &Settings,
        meta: &MetaDescriptors,
        local: &LocalRoots,
    ) -> Result<BindingMap, Refusal> {
        let places = &Places {
            settings,
            meta,
            local,
        };
        let mut map = BindingMap::new();
        map.root_constants = settings.root_constant_block;
        map.storage_buffer_constants = settings.storage_buffer_constants;
        let mut uses_heaps = false;
        for properties in heap_uses(shader, entry).map_err(Refusal::Shader)? {
            let Some(question) = Question::from_heap(properties, stage) else {
                continue;
            };
            let answer = self
                .ask(&question)
                .ok_or_else(|| Refusal::Unmapped(question.describe()))?;
            if answer.buffer.bindless.use_heap == 0 || answer.push_constant {
                return Err(Refusal::Bad(format!(
                    "{} must live in a heap",
                    question.describe()
                )));
            }
            if is_memory_in_texels(question.binding.kind, &answer.buffer) {
                map.make_texels(slot(&answer.buffer));
            }
            map.insert_heap(properties, places.heap_location(&question, &answer, None));
            uses_heaps = true;
        }
        map.local_tables = settings.local_tables;
        for resource in resource_uses(shader, entry).map_err(Refusal::Shader)? {
            if settings.is_of_vendor(resource) {
                continue;
            }
            uses_heaps |= self.declared(resource, stage, places, &mut map)?;
        }
        if settings.heap_robustness && uses_heaps {
            map.heap_size = Some(self.heap_size(stage, places)?);
        } else if settings.watches(InstructionCheck::Assumptions) && uses_heaps {
            // Where the size is not known, indices are not checked.
            map.heap_size = self.heap_size(stage, places).ok();
        }
        if settings.watches(InstructionCheck::Synchronization) && uses_heaps {
            map.heap_addresses = places.meta.heap_view().map(|slot| RangeTable {
                slot,
                stride: settings.address_stride,
                offset: 0,
            });
        }
        Ok(map)
    }

    /// Returns the location of the number of descriptors of the heap. If the caller gave none, a
    /// remapper names a storage buffer with an element per descriptor: the one for acceleration
    /// structures.
    fn heap_size(&self, stage: Stage, places: &Places<'_>) -> Result<HeapSize, Refusal> {
        let stride = places.settings.address_stride.saturating_mul(8);
        if let SizeSource::Known(size) = places.meta.heap_size(stride)? {
            return Ok(size);
        }
        let question = Question {
            class: ResourceClass::Srv,
            binding: D3dBinding {
                stage,
                kind: ResourceKind::RtAccelerationStructure as c_uint,
                resource_index: 0,
                register_space: HEAP,
                register_index: HEAP,
                range_size: HEAP,
                alignment: 0,
            },
            has_counter: false,
        };
        let unknown = || Refusal::Unmapped("the size of the descriptor heap".to_owned());
        let answer = self.ask(&question).ok_or_else(unknown)?;
        match answer.buffer.descriptor_type {
            DESCRIPTOR_IDENTITY | DESCRIPTOR_SSBO if self.srv.0.is_some() => {
                Ok(HeapSize::BufferLength {
                    slot: slot(&answer.buffer),
                    stride,
                })
            }
            _ => Err(unknown()),
        }
    }

    fn declared(
        &self,
        resource: &Resource,
        stage: Stage,
        places: &Places<'_>,
        map: &mut BindingMap,
    ) -> Result<bool, Refusal> {
        let key = ResourceKey {
            class: resource.class,
            id: resource.id,
        };
        let local = places.local.place(resource);
        if local.is_some() {
            map.make_local(key);
        }
        // No callback is asked about arguments in the record itself.
        let in_record = match local {
            Some(LocalPlace::Constants { first_word, words }) => {
                let words = resource.detail.cbuffer_size.div_ceil(4).min(words);
                Some(Location::PushConstants { first_word, words })
            }
            Some(LocalPlace::Address { first_word }) => {
                Some(Location::DeviceAddress { first_word })
            }
            Some(LocalPlace::Table { .. }) | None => None,
        };
        if let Some(location) = in_record {
            map.insert(key, location);
            return Ok(false);
        }
        let mut question = Question::declared(resource, stage);
        let answer = match self.ask(&question) {
            // An unbounded range may have to do with one descriptor.
            None if resource.count.is_none() => {
                question.binding.range_size = 1;
                map.make_single(key);
                self.ask(&question)
            }
            answer => answer,
        };
        let answer = answer.ok_or_else(|| Refusal::Unmapped(question.describe()))?;
        let mut location = places.location(resource, &question, &answer)?;
        if let Some(LocalPlace::Table {
            word,
            offset: in_table,
        }) = local
        {
            match &mut location {
                Location::Heap {
                    table_word, offset, ..
                }
                | Location::AddressTable {
                    table_word, offset, ..
                } => (*table_word, *offset) = (Some(word), in_table),
                _ => {
                    return Err(Refusal::Bad(format!(
                        "{} must live in a heap: it is in a table of the local root signature",
                        question.describe()
                    )));
                }
            }
        }
        if is_memory_in_texels(question.binding.kind, &answer.buffer) {
            map.make_texels(slot(&answer.buffer));
        }
        if question.class == ResourceClass::Srv
            && answer.buffer.descriptor_type == DESCRIPTOR_INPUT_ATTACHMENT
        {
            // The member of the union; the largest number is depth and stencil.
            let index = answer.buffer.root_constant_index;
            map.make_attachment(key, (index != c_uint::MAX).then_some(index));
        }
        map.insert(key, location);
        Ok(matches!(
            location,
            Location::Heap { .. } | Location::AddressTable { .. }
        ))
    }
}

fn slot(binding: &VulkanBinding) -> DescriptorSlot {
    DescriptorSlot {
        set: binding.set,
        binding: binding.binding,
    }
}

/// Returns whether a resource is a raw or structured buffer.
fn is_memory(kind: c_uint) -> bool {
    [ResourceKind::RawBuffer, ResourceKind::StructuredBuffer]
        .map(|kind| kind as c_uint)
        .contains(&kind)
}

/// Returns whether a raw or structured buffer is bound as a texel buffer: it is unless a remapper
/// names another descriptor.
fn is_memory_in_texels(kind: c_uint, binding: &VulkanBinding) -> bool {
    is_memory(kind)
        && matches!(
            binding.descriptor_type,
            DESCRIPTOR_TEXEL_BUFFER | DESCRIPTOR_IDENTITY
        )
}

/// Everything that an answer depends on.
struct Places<'a> {
    settings: &'a Settings,
    meta: &'a MetaDescriptors,
    local: &'a LocalRoots,
}

impl Places<'_> {
    fn location(
        &self,
        resource: &Resource,
        question: &Question,
        answer: &Answer,
    ) -> Result<Location, Refusal> {
        // The block of root constants begins with an address of two words per root descriptor.
        let constants = self.settings.root_descriptors.saturating_mul(2);
        let buffer = &answer.buffer;
        if answer.push_constant {
            // The first member of the union.
            let first_word = buffer.set.saturating_add(constants);
            let end = constants.saturating_add(self.settings.root_constant_words);
            let words = resource.detail.cbuffer_size.div_ceil(4);
            return Ok(Location::PushConstants {
                first_word,
                words: words.min(end.saturating_sub(first_word)),
            });
        }
        if buffer.descriptor_type == DESCRIPTOR_DEVICE_ADDRESS {
            return Ok(Location::DeviceAddress {
                first_word: buffer.root_constant_index.saturating_mul(2),
            });
        }
        if buffer.bindless.use_heap != 0 {
            return Ok(self.heap_location(question, answer, Some(constants)));
        }
        Ok(Location::Descriptor {
            slot: slot(buffer),
            first_index: 0,
            counter: question
                .has_counter
                .then(|| self.counter(&answer.counter, false)),
            format: None,
        })
    }

    /// Returns the location of a resource in the heap. `constants` is the first word of the root
    /// constants, or none for a resource that comes straight from the heap.
    fn heap_location(
        &self,
        question: &Question,
        answer: &Answer,
        constants: Option<u32>,
    ) -> Location {
        let buffer = &answer.buffer;
        let table_word = constants
            .filter(|_| buffer.root_constant_index != c_uint::MAX)
            .map(|first| buffer.root_constant_index.saturating_add(first));
        let offset = match constants {
            Some(_) => buffer.bindless.heap_root_offset,
            None => 0,
        };
        let is_structure = question.binding.kind == ResourceKind::RtAccelerationStructure as c_uint;
        // The table of addresses that hidden counters live in as well.
        if is_structure && buffer.descriptor_type == DESCRIPTOR_SSBO {
            return Location::AddressTable {
                slot: slot(buffer),
                table_word,
                offset,
                stride: self.settings.address_stride,
                first: self.settings.address_offset,
            };
        }
        Location::Heap {
            slot: slot(buffer),
            table_word,
            offset,
            counter: question
                .has_counter
                .then(|| self.counter(&answer.counter, true)),
            ranges: self.ranges(question, answer),
        }
    }

    fn counter(&self, counter: &VulkanBinding, heap: bool) -> Counter {
        let (slot, settings) = (slot(counter), self.settings);
        match counter.descriptor_type {
            DESCRIPTOR_SSBO => Counter::Buffer(slot),
            DESCRIPTOR_TEXEL_BUFFER => Counter::TexelBuffer(slot),
            _ if heap && settings.device_addresses => {
                let (stride, offset) = (settings.address_stride, settings.address_offset);
                match self.meta.counter_table() {
                    Some(slot) => Counter::AddressesBehind {
                        slot,
                        stride,
                        offset,
                    },
                    None => Counter::Addresses {
                        slot,
                        stride,
                        offset,
                    },
                }
            }
            _ => Counter::TexelBuffer(slot),
        }
    }

    /// Returns the side table with the part of a buffer that each descriptor selects, where
    /// descriptors cannot begin at every element.
    fn ranges(&self, question: &Question, answer: &Answer) -> Option<RangeTable> {
        let kind = question.binding.kind;
        let is = |other: ResourceKind| kind == other as c_uint;
        let typed = is(ResourceKind::TypedBuffer);
        if !typed && !is(ResourceKind::RawBuffer) && !is(ResourceKind::StructuredBuffer) {
            return None;
        }
        let settings = self.settings;
        let ssbo = answer.buffer.descriptor_type == DESCRIPTOR_SSBO;
        let wanted = if ssbo {
            !typed && question.binding.alignment & settings.ssbo_alignment.wrapping_sub(1) != 0
        } else {
            settings.typed_ranges
        };
        wanted.then(|| RangeTable {
            slot: slot(&answer.offset),
            stride: settings.range_stride,
            offset: if typed || is_memory_in_texels(kind, &answer.buffer) {
                settings.typed_range_offset
            } else {
                settings.untyped_range_offset
            },
        })
    }
}
