//! Local root signatures: where the shader record has what a ray tracing shader declares.
//!
//! Arguments lie in a record in the parameters' order, addresses and handles of tables at multiples
//! of 8 bytes (DXR specification, "Shader record").

use dxil_frontend::container::root_signature::{DescriptorRange, RootParameterKind, RootSignature};
use dxil_frontend::dxil::{Resource, ResourceClass, ResourceKind, ShaderKind};
use dxil_translate::{BindingMap, Counter, Location, ResourceKey};

use super::check::{check, class_of, table_offsets};
use super::lookup::{self, RootLocation};
use super::{HEAPS, Planner, first_register, sampler};
use crate::error::{Error, Result};
use crate::job::{HeapView, Job, Register, ResourceView, Sampler};
use crate::program::SlotSource;
use crate::ray_tracing::LocalArgument;

/// Maximum number of descriptors of all local tables: a heap of D3D12 has 1,000,000 on every device
/// (Resource Binding specification, "Levels of Hardware Support").
const MAX_LOCAL_DESCRIPTORS: usize = 1_000_000;

/// Returns the first word of each parameter's argument in a record, and how many words there are.
pub fn record_words(local: &RootSignature) -> (Vec<u32>, u32) {
    let mut next = 0u32;
    let mut firsts = Vec::with_capacity(local.parameters.len());
    for parameter in &local.parameters {
        let words = match &parameter.kind {
            RootParameterKind::Constants(constants) => constants.count,
            _ => {
                // Handles and addresses have eight bytes and are aligned to them; constants are
                // words without padding (DXR specification, "Shader table memory initialization").
                next = next.next_multiple_of(2);
                2
            }
        };
        firsts.push(next);
        next = next.saturating_add(words);
    }
    (firsts, next)
}

impl Planner<'_> {
    /// Assigns locations to the resources of a ray tracing shader: in its local root signature, or
    /// else in the global one.
    ///
    /// # Errors
    ///
    /// [`Error::RootSignature`] if a root signature is inconsistent or does not bind a resource.
    pub fn ray_stage(
        &mut self,
        resources: &[&Resource],
        stage: ShaderKind,
        local: Option<&RootSignature>,
    ) -> Result<BindingMap> {
        self.library_stage(resources, stage, local, false)
    }

    /// Gives locations to the resources of a work graph node. Root descriptors of its local root
    /// signature are bound like others: the host that executes the graph knows no addresses.
    pub(crate) fn node_stage(
        &mut self,
        resources: &[&Resource],
        stage: ShaderKind,
        local: Option<&RootSignature>,
    ) -> Result<BindingMap> {
        self.library_stage(resources, stage, local, true)
    }

    fn library_stage(
        &mut self,
        resources: &[&Resource],
        stage: ShaderKind,
        local: Option<&RootSignature>,
        binds_addresses: bool,
    ) -> Result<BindingMap> {
        for root in self.root.into_iter().chain(local) {
            check(root)?;
        }
        let mut map = BindingMap::new();
        for resource in resources {
            let key = ResourceKey {
                class: resource.class,
                id: resource.id,
            };
            let found = match local {
                Some(local) => self.locate_local(local, resource, stage)?,
                None => None,
            };
            let location = match found {
                Some((Location::DeviceAddress { .. }, _)) if binds_addresses => {
                    let source = SlotSource::Registers(first_register(resource));
                    self.descriptor(resource, source, resource.count)
                }
                Some((location, in_record)) => {
                    if in_record {
                        map.make_local(key);
                    }
                    location
                }
                // The local signature is asked first. The two cannot overlap for one shader (DXR
                // specification, "Local root signatures vs global root signatures"), so the order
                // decides nothing.
                None => self.locate(resource, stage)?,
            };
            map.insert(key, location);
        }
        self.heaps(&mut map);
        Ok(map)
    }

    /// Returns the place of a resource in a local root signature, and whether the record is asked
    /// for it.
    fn locate_local(
        &mut self,
        local: &RootSignature,
        resource: &Resource,
        stage: ShaderKind,
    ) -> Result<Option<(Location, bool)>> {
        let (firsts, _) = record_words(local);
        for (parameter, first_word) in local.parameters.iter().zip(firsts) {
            // Each parameter is looked up by itself, since the result has to tell which argument of
            // the record it is.
            let alone = RootSignature {
                parameters: vec![parameter.clone()],
                static_samplers: Vec::new(),
                ..local.clone()
            };
            let location = match lookup::find(&alone, resource, stage) {
                None => continue,
                Some(RootLocation::Constants { words }) => {
                    Location::PushConstants { first_word, words }
                }
                Some(RootLocation::Descriptor) if resource.detail.has_counter => {
                    return Err(Error::RootSignature(
                        "a root descriptor has no hidden counter".into(),
                    ));
                }
                Some(RootLocation::Descriptor) => Location::DeviceAddress { first_word },
                Some(RootLocation::Table { .. } | RootLocation::StaticSampler(_)) => {
                    let RootParameterKind::Table(ranges) = &parameter.kind else {
                        continue;
                    };
                    let offset = table_place(ranges, resource)?;
                    self.in_heap(resource, first_word, offset)
                }
            };
            return Ok(Some((location, true)));
        }
        match lookup::find(local, resource, stage) {
            Some(RootLocation::StaticSampler(state)) => {
                let source = SlotSource::StaticSampler(sampler::convert(&state)?);
                Ok(Some((
                    self.descriptor(resource, source, resource.count),
                    false,
                )))
            }
            _ => Ok(None),
        }
    }

    /// Returns the view of the record's handle in the job's heap.
    fn in_heap(&mut self, resource: &Resource, table_word: u32, offset: u32) -> Location {
        let count = self.profile.limits.unbounded_descriptors;
        let (source, shape) = match resource.class {
            ResourceClass::Sampler => (SlotSource::SamplerHeap, ResourceKind::Sampler),
            _ => (SlotSource::ResourceHeap, ResourceKind::Invalid),
        };
        let slot = self.place(HEAPS, source, count, true, shape);
        let counter = resource.detail.has_counter.then(|| {
            let shape = ResourceKind::RawBuffer;
            let counters = SlotSource::HeapCounters;
            Counter::Buffer(self.place(HEAPS, counters, count, true, shape))
        });
        Location::Heap {
            slot,
            table_word: Some(table_word),
            offset,
            counter,
            ranges: None,
        }
    }
}

/// Returns the number of bytes of local root arguments that a resource ends at in a record; `None`
/// where the local root signature has no parameter for it.
pub(crate) fn record_end(
    local: &RootSignature,
    resource: &Resource,
    stage: ShaderKind,
) -> Option<u32> {
    let (firsts, _) = record_words(local);
    let mut parameters = local.parameters.iter().zip(firsts);
    parameters.find_map(|(parameter, first)| {
        let alone = RootSignature {
            parameters: vec![parameter.clone()],
            static_samplers: Vec::new(),
            ..local.clone()
        };
        let words = match lookup::find(&alone, resource, stage)? {
            RootLocation::Constants { words } => words,
            _ => 2,
        };
        Some((first + words) * 4)
    })
}

impl Job {
    /// Returns the views in the registers of a local root signature for the arguments of a record.
    ///
    /// # Errors
    ///
    /// [`Error::RootSignature`] if a table is inconsistent.
    pub(crate) fn record_views(
        &self,
        local: &RootSignature,
        arguments: &[LocalArgument],
    ) -> Result<Vec<(Register, ResourceView)>> {
        // Arguments are found by their place in the record: constants of several parameters may be
        // given as one.
        let mut bytes = Vec::new();
        let mut addresses = Vec::new();
        for argument in arguments {
            let number = match argument {
                LocalArgument::Constants(constants) => {
                    bytes.extend_from_slice(constants);
                    continue;
                }
                LocalArgument::Address(_) => 0,
                LocalArgument::Table(slot) => u64::from(*slot),
            };
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            if let LocalArgument::Address(view) = argument {
                addresses.push((bytes.len(), view));
            }
            bytes.extend(number.to_le_bytes());
        }
        let at = |class, register, space| Register::new(class, register).in_space(space);
        let (firsts, words) = record_words(local);
        bytes.resize(bytes.len().max(words as usize * 4), 0);
        let mut views = Vec::new();
        for (parameter, first) in local.parameters.iter().zip(firsts) {
            let start = first as usize * 4;
            let (class, descriptor) = match &parameter.kind {
                RootParameterKind::Constants(c) => {
                    let part = bytes.get(start..start + c.count as usize * 4);
                    let part = part.unwrap_or_default().to_vec();
                    let register = at(ResourceClass::Cbv, c.register, c.space);
                    views.push((register, ResourceView::Constants(part)));
                    continue;
                }
                RootParameterKind::Table(ranges) => {
                    let word = bytes.get(start..).and_then(|rest| rest.first_chunk());
                    let slot = word.map_or(0, |word| u32::from_le_bytes(*word));
                    self.table_views(ranges, slot as usize, &mut views)?;
                    continue;
                }
                RootParameterKind::Cbv(d) => (ResourceClass::Cbv, d),
                RootParameterKind::Srv(d) => (ResourceClass::Srv, d),
                RootParameterKind::Uav(d) => (ResourceClass::Uav, d),
            };
            let view = addresses.iter().find(|(place, _)| *place == start);
            let view = view.map_or(ResourceView::Null, |(_, view)| (*view).clone());
            views.push((at(class, descriptor.register, descriptor.space), view));
        }
        Ok(views)
    }

    /// Adds what a table's registers see from a slot of the heap on.
    fn table_views(
        &self,
        ranges: &[DescriptorRange],
        start: usize,
        views: &mut Vec<(Register, ResourceView)>,
    ) -> Result<()> {
        let offsets = table_offsets(ranges).ok_or_else(|| {
            Error::RootSignature("a table continues behind an unbounded range".into())
        })?;
        for (range, offset) in ranges.iter().zip(offsets) {
            let Some(class) = class_of(range.ty) else {
                continue;
            };
            let first = start.saturating_add(offset as usize);
            let count = range.count.map_or(usize::MAX, |count| count as usize);
            let register = |index: usize| {
                let index = range.base_register.saturating_add(index as u32);
                Register::new(class, index).in_space(range.space)
            };
            if class == ResourceClass::Sampler {
                let heap = self.sampler_heap.get(first..).unwrap_or_default();
                let samplers = heap.iter().take(count).enumerate();
                views.extend(samplers.map(|(i, s)| (register(i), ResourceView::Sampler(*s))));
            } else {
                let heap = self.resource_heap.get(first..).unwrap_or_default();
                let slots = heap.iter().take(count).enumerate();
                views.extend(slots.map(|(i, slot)| (register(i), slot.view.clone())));
            }
        }
        Ok(())
    }

    /// Returns the arguments of a local root signature for the bindings of the job. The descriptors
    /// of tables are appended to the job's heaps. Constants without a binding are zero, descriptors
    /// without one are null.
    ///
    /// # Errors
    ///
    /// [`Error::RootSignature`] if a table is inconsistent, or [`Error::BadJob`] if a binding does
    /// not fit its parameter.
    pub fn local_arguments(&mut self, local: &RootSignature) -> Result<Vec<LocalArgument>> {
        let at = |class, register, space| Register::new(class, register).in_space(space);
        let mut arguments = Vec::with_capacity(local.parameters.len());
        for parameter in &local.parameters {
            let (class, descriptor) = match &parameter.kind {
                RootParameterKind::Constants(c) => {
                    let view = self.view(at(ResourceClass::Cbv, c.register, c.space));
                    let mut bytes = match view {
                        Some(ResourceView::Constants(bytes)) => bytes.clone(),
                        _ => Vec::new(),
                    };
                    bytes.resize(c.count as usize * 4, 0);
                    arguments.push(LocalArgument::Constants(bytes));
                    continue;
                }
                RootParameterKind::Table(ranges) => {
                    arguments.push(LocalArgument::Table(self.local_table(ranges)?));
                    continue;
                }
                RootParameterKind::Cbv(d) => (ResourceClass::Cbv, d),
                RootParameterKind::Srv(d) => (ResourceClass::Srv, d),
                RootParameterKind::Uav(d) => (ResourceClass::Uav, d),
            };
            let view = self.view(at(class, descriptor.register, descriptor.space));
            arguments.push(LocalArgument::Address(
                view.cloned().unwrap_or(ResourceView::Null),
            ));
        }
        Ok(arguments)
    }

    /// Puts what a table's registers see after the end of a heap, and says where it begins.
    fn local_table(&mut self, ranges: &[DescriptorRange]) -> Result<u32> {
        let offsets = table_offsets(ranges).ok_or_else(|| {
            Error::RootSignature("a table continues behind an unbounded range".into())
        })?;
        let of_samplers =
            |range: &DescriptorRange| class_of(range.ty) == Some(ResourceClass::Sampler);
        let start = if ranges.first().is_some_and(of_samplers) {
            self.sampler_heap.len()
        } else {
            self.resource_heap.len()
        };
        for (range, offset) in ranges.iter().zip(offsets) {
            let Some(class) = class_of(range.ty) else {
                continue;
            };
            // Of a range without an end the heap has what is bound.
            let bound = self
                .bindings
                .iter()
                .map(|binding| binding.register)
                .filter(|r| {
                    r.class == class && r.space == range.space && r.index >= range.base_register
                });
            let bound = bound.map(|r| r.index - range.base_register + 1).max();
            let count = range.count.unwrap_or(u32::MAX).min(bound.unwrap_or(0));
            for index in 0..count {
                let register = Register::new(class, range.base_register + index);
                let view = self.view(register.in_space(range.space)).cloned();
                // A range may begin anywhere in its table.
                let slot = start + offset as usize + index as usize;
                if slot >= MAX_LOCAL_DESCRIPTORS {
                    return Err(Error::RootSignature(format!(
                        "local tables take {slot} descriptors; {MAX_LOCAL_DESCRIPTORS} is the maximum"
                    )));
                }
                if let Some(ResourceView::Sampler(sampler)) = view {
                    let heap = &mut self.sampler_heap;
                    heap.resize(heap.len().max(slot + 1), Sampler::default());
                    heap[slot] = sampler;
                } else {
                    let empty = HeapView {
                        class: ResourceClass::Srv,
                        view: ResourceView::Null,
                    };
                    let heap = &mut self.resource_heap;
                    heap.resize(heap.len().max(slot + 1), empty);
                    let view = view.unwrap_or(ResourceView::Null);
                    heap[slot] = HeapView { class, view };
                }
            }
        }
        Ok(start as u32)
    }
}

/// Returns the distance of a resource's first descriptor from the table's first one.
fn table_place(ranges: &[DescriptorRange], resource: &Resource) -> Result<u32> {
    let offsets = table_offsets(ranges).ok_or_else(|| {
        Error::RootSignature("a table continues behind an unbounded range".into())
    })?;
    for (range, offset) in ranges.iter().zip(offsets) {
        let skipped = resource.lower_bound.checked_sub(range.base_register);
        let (Some(skipped), true) = (skipped, range.space == resource.space) else {
            continue;
        };
        let inside = range.count.is_none_or(|count| skipped < count);
        if inside && class_of(range.ty) == Some(resource.class) {
            return Ok(offset.saturating_add(skipped));
        }
    }
    Err(Error::RootSignature(
        "a table lost one of its ranges".into(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root_signature::parse_text;

    #[test]
    fn arguments_follow_each_other_and_handles_are_aligned() {
        let local = parse_text(
            "RootConstants(num32BitConstants = 3, b0), CBV(b1), RootConstants(num32BitConstants = 1, b2), \
             DescriptorTable(SRV(t0)), UAV(u0)",
        );
        assert_eq!(record_words(&local.unwrap()), (vec![0, 4, 6, 8, 10], 12));
    }
}
