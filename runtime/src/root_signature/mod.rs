//! From a root signature and what shaders declare to places: the translator's [`BindingMap`] and
//! the device's [`Layout`].
//!
//! The two halves are pure. [`Planner::stage`] gives every declared resource a place before
//! anything is translated; [`Planner::layout`] keeps the places that the translated stages use.
//!
//! | place | what lives there |
//! |---|---|
//! | set 0 | single descriptors, in order of declaration |
//! | set 1 | arrays |
//! | set 2 | heaps that the shader indexes directly, and their counters |
//! | push constants | root constants, and the addresses of root descriptors if wished |
//!
//! Descriptors do not follow the root signature's tables: a job binds by register, so a table
//! decides only whether a register is there at all.

mod check;
mod local;
mod lookup;
mod sampler;
mod tables;
mod text;

pub use check::root_words;
pub(crate) use local::record_end;
pub use local::record_words;
pub use text::{TextError, parse_text};

use dxil_frontend::container::root_signature::{
    RootParameterKind, RootSignature, RootSignatureFlags,
};
use dxil_frontend::dxil::{
    ComponentType, Resource, ResourceClass, ResourceKind, Resources, SamplerKind, ShaderKind,
};
use dxil_translate::{
    BindingMap, BindingUse, Counter, DescriptorKind, DescriptorSlot, Interface, Location,
    ResourceKey, Style, TexelFormat,
};
use rspirv::spirv::BuiltIn;

use crate::device::Profile;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::job::{Job, Register};
use crate::program::{
    BindingSlot, DeclaredRegisters, Layout, PushConstant, PushSource, SetLayout, SlotSource,
};
use lookup::RootLocation;

const SINGLES: u32 = 0;
const ARRAYS: u32 = 1;
/// The set of the heaps.
pub(crate) const HEAPS: u32 = 2;

/// The form in which root descriptors (CBV, SRV and UAV in the root signature itself) reach the
/// shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RootDescriptors {
    /// As descriptors like any other: bounds are checked.
    #[default]
    Bindings,
    /// As device addresses in push constants, as D3D12 drivers do: no bounds are checked.
    Addresses,
}

/// A descriptor (array) that a declared resource was given.
#[derive(Debug, Clone)]
struct BoundDescriptor {
    slot: DescriptorSlot,
    source: SlotSource,
    count: u32,
    /// Places of an array from this one on, where each element has its own.
    elements: u32,
    unbounded: bool,
    shape: ResourceKind,
    component: Option<ComponentType>,
    comparison: bool,
}

/// Gives places to the resources of a program's stages.
pub struct Planner<'a> {
    root: Option<&'a RootSignature>,
    profile: &'a Profile,
    formats: &'a dyn Fn(Register) -> Option<Format>,
    root_descriptors: RootDescriptors,
    places: Vec<BoundDescriptor>,
    push_constants: Vec<PushConstant>,
    push_words: u32,
    declared: Vec<DeclaredRegisters>,
}

impl<'a> Planner<'a> {
    /// Returns a planner without stages. `formats` tells the format that a typed register will see,
    /// for devices whose code must know it.
    pub fn new(
        root: Option<&'a RootSignature>,
        profile: &'a Profile,
        formats: &'a dyn Fn(Register) -> Option<Format>,
        root_descriptors: RootDescriptors,
    ) -> Self {
        Planner {
            root,
            profile,
            formats,
            root_descriptors,
            places: Vec::new(),
            push_constants: Vec::new(),
            push_words: 0,
            declared: root.map(root_registers).unwrap_or_default(),
        }
    }

    /// Assigns locations to the resources that a stage declares.
    ///
    /// # Errors
    ///
    /// [`Error::RootSignature`] if the root signature is inconsistent or does not bind a resource.
    pub fn stage(&mut self, resources: &Resources, stage: ShaderKind) -> Result<BindingMap> {
        if let Some(root) = self.root {
            check::check(root)?;
        }
        let mut map = BindingMap::new();
        self.check_coverage(resources, stage)?;
        for resource in resources.iter() {
            let key = ResourceKey {
                class: resource.class,
                id: resource.id,
            };
            map.insert(key, self.locate(resource, stage)?);
            self.declared.push(DeclaredRegisters {
                first: first_register(resource),
                count: resource.count,
                kind: resource.kind,
                component: resource.detail.component,
                bytes: match resource.kind {
                    ResourceKind::CBuffer => resource.detail.cbuffer_size,
                    _ => 0,
                },
                shown: type_and_name(resource),
            });
        }
        if self.profile.target.style == Style::Portable {
            let limits = &self.profile.limits;
            map.unbounded_elements = limits.unbounded_descriptors;
            map.unbounded_elements_are_all = limits.unbounded_descriptors_are_all;
        }
        map.descriptor_heaps = self.profile.descriptor_heaps;
        self.heaps(&mut map);
        Ok(map)
    }

    /// Returns the registers of the stages so far, and those of the root signature.
    pub(crate) fn declared(&self) -> Vec<DeclaredRegisters> {
        self.declared.clone()
    }

    /// Refuses an incomplete root signature; the message names all missing parts.
    fn check_coverage(&self, resources: &Resources, stage: ShaderKind) -> Result<()> {
        let Some(root) = self.root else {
            return Ok(());
        };
        let missing = resources
            .iter()
            .filter(|resource| lookup::find(root, resource, stage).is_none());
        let missing: Vec<String> = missing.map(described).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let missing = missing.join(", ");
        Err(Error::RootSignature(if root.flags.denies(stage) {
            format!(
                "its flags deny {} shaders all access, and the shader declares {missing}",
                format!("{stage:?}").to_lowercase()
            )
        } else {
            no_place(&missing)
        }))
    }

    fn locate(&mut self, resource: &Resource, stage: ShaderKind) -> Result<Location> {
        let register = first_register(resource);
        let found = match self.root {
            None => RootLocation::Table { count: None },
            Some(root) => lookup::find(root, resource, stage)
                .ok_or_else(|| Error::RootSignature(no_place(&described(resource))))?,
        };
        match found {
            RootLocation::Constants { words } if self.fits_push_constants(words) => {
                let first_word = self.push(PushSource::Constants { register, words }, words);
                Ok(Location::PushConstants { first_word, words })
            }
            RootLocation::Descriptor
                if self.root_descriptors == RootDescriptors::Addresses
                    && self.profile.device_addresses
                    // A counter has a descriptor of its own, which a bare address cannot provide.
                    && !resource.detail.has_counter
                    && self.fits_push_constants(2) =>
            {
                // Addresses have 8 bytes and are aligned to 8.
                self.push_words = self.push_words.next_multiple_of(2);
                let source = match resource.kind {
                    ResourceKind::RtAccelerationStructure => PushSource::StructureAddress(register),
                    _ => PushSource::Address(register),
                };
                let first_word = self.push(source, 2);
                Ok(Location::DeviceAddress { first_word })
            }
            // Root constants that do not fit into the device's push constants live in a uniform
            // buffer.
            RootLocation::Constants { .. }
            | RootLocation::Descriptor
            | RootLocation::Table { count: None } => {
                Ok(self.descriptor(resource, SlotSource::Registers(register), resource.count))
            }
            RootLocation::Table { count } => {
                // A table's range may end before the declared array does, and the other way round:
                // the smaller one is what can be accessed.
                let count = match (resource.count, count) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
                Ok(self.descriptor(resource, SlotSource::Registers(register), count))
            }
            RootLocation::StaticSampler(sampler) => {
                let sampler = sampler::convert(&sampler)?;
                Ok(self.descriptor(resource, SlotSource::StaticSampler(sampler), resource.count))
            }
        }
    }

    fn fits_push_constants(&self, words: u32) -> bool {
        // Rounded up to two words, as if an address came next, so that both kinds use one rule.
        (self.push_words.next_multiple_of(2) + words) * 4 <= self.profile.limits.push_constant_bytes
    }

    /// Returns the push-constant words of a source, which are the same in every stage.
    fn push(&mut self, source: PushSource, words: u32) -> u32 {
        if let Some(run) = self.push_constants.iter().find(|run| run.source == source) {
            return run.first_word;
        }
        let first_word = self.push_words;
        self.push_words += words;
        self.push_constants
            .push(PushConstant { first_word, source });
        first_word
    }

    fn descriptor(
        &mut self,
        resource: &Resource,
        source: SlotSource,
        declared: Option<u32>,
    ) -> Location {
        let mut count = declared.unwrap_or(self.profile.limits.unbounded_descriptors);
        if self.profile.target.style == Style::Portable {
            // Portable code names each element that the shader declares, so the declaration counts
            // and not the range.
            count = resource.count.unwrap_or(count);
        }
        // Arrays have a set of their own: their bindings may be partially bound, and growing an
        // array then leaves the single descriptors where they are.
        let set = if resource.count == Some(1) {
            SINGLES
        } else {
            ARRAYS
        };
        let shape = resource.kind;
        let unbounded = resource.count.is_none();
        let slot = self.place(set, source, count, unbounded, shape);
        let elements = self.places.iter().find(|place| place.slot == slot);
        let end = slot.binding + elements.map_or(1, |place| place.elements);
        // Where elements have bindings of their own, each of them gets the array's properties.
        let of_array = |place: &&mut BoundDescriptor| {
            place.slot.set == slot.set && (slot.binding..end).contains(&place.slot.binding)
        };
        for place in self.places.iter_mut().filter(of_array) {
            place.component = resource.detail.component;
            place.comparison = resource.detail.sampler == Some(SamplerKind::Comparison);
        }
        let counter = resource.detail.has_counter.then(|| {
            let source = SlotSource::Counters(first_register(resource));
            Counter::Buffer(self.place(set, source, count, unbounded, ResourceKind::RawBuffer))
        });
        Location::Descriptor {
            slot,
            first_index: 0,
            counter,
            format: self.format(resource),
        }
    }

    /// Returns the place of a source. The same source that is seen in the same shape has the same
    /// place in every stage.
    fn place(
        &mut self,
        set: u32,
        source: SlotSource,
        count: u32,
        unbounded: bool,
        shape: ResourceKind,
    ) -> DescriptorSlot {
        let same = self
            .places
            .iter_mut()
            .find(|p| p.source == source && p.shape == shape && p.slot.set == set);
        // A portable array has one binding for each element. Growing it would run into the bindings
        // that come next, so a longer array gets a new place.
        let fixed = self.profile.target.style == Style::Portable
            && (!unbounded || self.profile.limits.unbounded_descriptors != 0);
        if let Some(place) = same
            && (!fixed || place.elements >= count)
        {
            place.count = place.count.max(if fixed { 1 } else { count });
            return place.slot;
        }
        let binding = self.places.iter().filter(|p| p.slot.set == set).count() as u32;
        let slot = DescriptorSlot { set, binding };
        let bindings = if fixed { count.max(1) } else { 1 };
        for element in 0..bindings {
            self.places.push(BoundDescriptor {
                slot: DescriptorSlot {
                    set,
                    binding: binding + element,
                },
                source: source.element(element),
                count: if fixed { 1 } else { count },
                elements: bindings - element,
                unbounded,
                shape,
                component: None,
                comparison: false,
            });
        }
        slot
    }

    /// Returns the format that the code has to know, if any.
    fn format(&self, resource: &Resource) -> Option<dxil_translate::TexelFormat> {
        let needed = match resource.kind {
            ResourceKind::TypedBuffer => !self.profile.texel_buffers,
            _ if resource.class == ResourceClass::Uav && resource.kind.is_texture() => {
                self.profile.storage_image_formats
            }
            _ => false,
        };
        if !needed {
            return None;
        }
        let first = first_register(resource);
        // Bounded: an unbounded array has 2^32 registers, and one view tells the format as well as
        // all.
        let registers = resource.count.unwrap_or(64).min(64);
        (0..registers)
            .find_map(|i| {
                (self.formats)(Register {
                    index: first.index.saturating_add(i),
                    ..first
                })
            })
            .and_then(TexelFormat::of)
    }

    /// Plans heaps for direct indexing, if the root signature (or its absence) allows them.
    /// [`Planner::layout`] drops those that no stage uses.
    fn heaps(&mut self, map: &mut BindingMap) {
        let root = self.root;
        let allows = |flag| root.is_none_or(|root| root.flags.contains(flag));
        let count = self.profile.limits.unbounded_descriptors;
        if allows(RootSignatureFlags::CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED) {
            let shape = ResourceKind::Invalid;
            map.resource_heap =
                Some(self.place(HEAPS, SlotSource::ResourceHeap, count, true, shape));
            let shape = ResourceKind::RawBuffer;
            let counters = self.place(HEAPS, SlotSource::HeapCounters, count, true, shape);
            map.resource_heap_counters = Some(Counter::Buffer(counters));
        }
        if allows(RootSignatureFlags::SAMPLER_HEAP_DIRECTLY_INDEXED) {
            let shape = ResourceKind::Sampler;
            map.sampler_heap = Some(self.place(HEAPS, SlotSource::SamplerHeap, count, true, shape));
        }
    }

    /// Returns whether a stage accesses a heap of VK_EXT_descriptor_heap, which has no row in its
    /// interface.
    fn has_direct_heap(&self, place: &BoundDescriptor, interfaces: &[&Interface]) -> bool {
        let built_in = match place.source {
            SlotSource::ResourceHeap => BuiltIn::ResourceHeapEXT,
            SlotSource::SamplerHeap => BuiltIn::SamplerHeapEXT,
            _ => return false,
        };
        let mut used = interfaces.iter().flat_map(|interface| &interface.built_ins);
        self.profile.descriptor_heaps.is_some() && used.any(|used| *used == built_in)
    }

    /// Returns the layout for the translated stages.
    ///
    /// # Errors
    ///
    /// A stage uses a resource in a way that the root signature does not allow, or the layout
    /// exceeds a limit of the device.
    pub fn layout(&self, interfaces: &[&Interface]) -> Result<Layout> {
        let mut sets: Vec<SetLayout> = Vec::new();
        for place in &self.places {
            let rows: Vec<&BindingUse> = interfaces
                .iter()
                .flat_map(|interface| &interface.bindings)
                .filter(|row| row.slot == place.slot)
                .collect();
            let slot = match rows.first() {
                Some(first) => used_slot(place, first, &rows),
                None if self.has_direct_heap(place, interfaces) => heap_slot(place),
                // With dense bindings an unused slot stays, since the numbers after it count on
                // it.
                None if self.profile.dense_bindings && place.slot.set != HEAPS => {
                    unused_slot(place)
                }
                None => continue,
            };
            let set = place.slot.set as usize;
            if sets.len() <= set {
                sets.resize_with(set + 1, SetLayout::default);
            }
            sets[set].slots.push(slot);
        }
        for set in &mut sets {
            set.slots.sort_by_key(|slot| slot.binding);
        }
        let limit = self.profile.limits.descriptor_sets;
        if sets.len() as u64 > u64::from(limit) {
            return Err(Error::Limit {
                what: "descriptor sets",
                need: sets.len() as u64,
                limit: u64::from(limit),
            });
        }
        let used = interfaces
            .iter()
            .map(|interface| interface.push_constant_bytes)
            .max()
            .unwrap_or(0);
        Ok(Layout {
            sets,
            declared: self.declared.clone(),
            push_constants: self
                // Push constants are a prefix: what no stage reads after the last used byte is
                // left out.
                .push_constants
                .iter()
                .filter(|run| run.first_word * 4 < used)
                .cloned()
                .collect(),
        })
    }
}

fn no_place(missing: &str) -> String {
    format!("it has no place for {missing}, which the shader declares")
}

/// Describes a declared resource in a message: registers, HLSL type, and its name if it has
/// one.
fn described(resource: &Resource) -> String {
    let register = first_register(resource);
    format!("{register} ({})", type_and_name(resource))
}

/// Describes a declared resource by its HLSL type, and its name if it has one.
fn type_and_name(resource: &Resource) -> String {
    let array = match resource.count {
        Some(1) => String::new(),
        Some(count) => format!("[{count}]"),
        None => "[]".to_owned(),
    };
    let kind = kind_name(resource.kind);
    let rw = match resource.class {
        ResourceClass::Uav if !kind.starts_with("Feedback") => "RW",
        _ => "",
    };
    let name = if resource.name.is_empty() {
        String::new()
    } else {
        format!(" {}", resource.name)
    };
    format!("{rw}{kind}{array}{name}")
}

/// Returns the registers that a root signature has a place for.
fn root_registers(root: &RootSignature) -> Vec<DeclaredRegisters> {
    let mut all = Vec::new();
    let mut add = |class, space, index, count| {
        all.push(DeclaredRegisters {
            first: Register::new(class, index).in_space(space),
            count,
            kind: ResourceKind::Invalid,
            component: None,
            bytes: 0,
            shown: String::new(),
        });
    };
    for parameter in &root.parameters {
        use ResourceClass as C;
        match &parameter.kind {
            RootParameterKind::Constants(c) => add(C::Cbv, c.space, c.register, Some(1)),
            RootParameterKind::Cbv(d) => add(C::Cbv, d.space, d.register, Some(1)),
            RootParameterKind::Srv(d) => add(C::Srv, d.space, d.register, Some(1)),
            RootParameterKind::Uav(d) => add(C::Uav, d.space, d.register, Some(1)),
            RootParameterKind::Table(ranges) => {
                for range in ranges {
                    if let Some(class) = check::class_of(range.ty) {
                        add(class, range.space, range.base_register, range.count);
                    }
                }
            }
        }
    }
    all
}

fn used_slot(place: &BoundDescriptor, first: &BindingUse, rows: &[&BindingUse]) -> BindingSlot {
    let mut other_kinds = Vec::new();
    for row in rows {
        if row.kind != first.kind && !other_kinds.contains(&row.kind) {
            other_kinds.push(row.kind);
        }
    }
    BindingSlot {
        binding: place.slot.binding,
        kind: first.kind,
        other_kinds,
        count: place.count,
        unbounded: place.unbounded,
        source: place.source.clone(),
        shape: place.shape,
        component: place.component,
        comparison: place.comparison,
        format: first.format,
        readable: rows.iter().any(|row| row.readable),
        writable: rows.iter().any(|row| row.writable),
        stride: rows.iter().map(|row| row.stride).max().unwrap_or(0),
        name: first.name.clone(),
    }
}

/// Returns a heap whose descriptors have the types that the job gives them.
fn heap_slot(place: &BoundDescriptor) -> BindingSlot {
    let kind = match place.source {
        SlotSource::SamplerHeap => DescriptorKind::Sampler,
        _ => DescriptorKind::StorageBuffer,
    };
    let binding = place.slot.binding;
    BindingSlot {
        count: place.count,
        unbounded: true,
        ..BindingSlot::new(binding, kind, place.source.clone(), place.shape)
    }
}

fn unused_slot(place: &BoundDescriptor) -> BindingSlot {
    BindingSlot::new(
        place.slot.binding,
        DescriptorKind::Sampler,
        SlotSource::Unused,
        ResourceKind::Sampler,
    )
}

/// Returns the static samplers that a root signature has for what a stage declares.
pub(crate) fn static_samplers(
    root: &RootSignature,
    resources: &Resources,
    stage: ShaderKind,
) -> Result<Vec<(Register, crate::job::Sampler)>> {
    let mut samplers = Vec::new();
    for resource in &resources.samplers {
        if let Some(RootLocation::StaticSampler(sampler)) = lookup::find(root, resource, stage) {
            samplers.push((first_register(resource), sampler::convert(&sampler)?));
        }
    }
    Ok(samplers)
}

/// Returns the register at which a declared range starts.
pub fn first_register(resource: &Resource) -> Register {
    Register {
        class: resource.class,
        space: resource.space,
        index: resource.lower_bound,
    }
}

/// Formats as a job binds them.
pub fn formats_of(job: &Job) -> impl Fn(Register) -> Option<Format> + '_ {
    |register| job.format_at(register)
}

/// Returns the HLSL type of a kind of resource.
pub fn kind_name(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::Invalid => "unknown resource",
        ResourceKind::Texture1D => "Texture1D",
        ResourceKind::Texture2D => "Texture2D",
        ResourceKind::Texture2DMS => "Texture2DMS",
        ResourceKind::Texture3D => "Texture3D",
        ResourceKind::TextureCube => "TextureCube",
        ResourceKind::Texture1DArray => "Texture1DArray",
        ResourceKind::Texture2DArray => "Texture2DArray",
        ResourceKind::Texture2DMSArray => "Texture2DMSArray",
        ResourceKind::TextureCubeArray => "TextureCubeArray",
        ResourceKind::TypedBuffer => "Buffer",
        ResourceKind::RawBuffer => "ByteAddressBuffer",
        ResourceKind::StructuredBuffer => "StructuredBuffer",
        ResourceKind::CBuffer => "cbuffer",
        ResourceKind::Sampler => "SamplerState",
        ResourceKind::TBuffer => "tbuffer",
        ResourceKind::RtAccelerationStructure => "RaytracingAccelerationStructure",
        ResourceKind::FeedbackTexture2D => "FeedbackTexture2D",
        ResourceKind::FeedbackTexture2DArray => "FeedbackTexture2DArray",
    }
}

#[cfg(test)]
mod tests;
