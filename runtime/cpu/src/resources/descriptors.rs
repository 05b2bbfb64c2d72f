//! Descriptors: what handles stand for.

use std::sync::Arc;

use dxil_frontend::dxil::{ResourceClass, ResourceKind};
use dxil_frontend::tables::HashMap;

use super::{
    AccelerationStructure, Bindings, Register, ResourceView, Sampler, Storage, TexelLayout, Texture,
};
use crate::decode::code::ResourceShape;
use crate::decode::{DeclaredRange, Kernel};
use crate::error::{Error, Result};

/// Maximum number of descriptors of a dispatch.
const MAX_DESCRIPTORS: usize = 1 << 21;

/// Part of a buffer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BufferDescriptor {
    /// Number of the storage; those of constants come after the caller's.
    pub(crate) storage: usize,
    pub(crate) offset: usize,
    pub(crate) size: usize,
    pub(crate) format: Option<TexelLayout>,
    /// Number of its counter.
    pub(crate) counter: Option<u32>,
}

/// Mips and layers of a texture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextureDescriptor {
    pub(crate) storage: usize,
    pub(crate) texture: Texture,
    pub(crate) format: TexelLayout,
    pub(crate) first_mip: u32,
    pub(crate) mips: u32,
    pub(crate) first_layer: u32,
    pub(crate) layers: u32,
}

/// The object of a handle.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Descriptor {
    Null,
    Buffer(BufferDescriptor),
    Texture(TextureDescriptor),
    Sampler(Sampler),
    /// Number of the acceleration structure.
    AccelerationStructure(usize),
}

/// A counter, and whose it is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CounterOf {
    Register(Register),
    HeapSlot(u32),
}

fn too_many_descriptors() -> Error {
    Error::BadInput("more than 2^21 descriptors".into())
}

/// First descriptor and number of them, for each range of the kernel that a record binds.
pub(crate) type LocalRanges = Box<[Option<(u32, u32)>]>;

/// All descriptors of a dispatch. A handle is an index; 0 is the null descriptor.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) descriptors: Vec<Descriptor>,
    /// The declaration of each in the shader.
    pub(crate) shapes: Vec<ResourceShape>,
    /// First descriptor and number of them, for each range of the kernel.
    pub(crate) ranges: Vec<(u32, u32)>,
    /// The same of the records of shader tables, for the ranges that they bind.
    pub(crate) locals: Vec<LocalRanges>,
    /// First slot of each heap and the number of slots.
    pub(crate) resource_heap: (u32, u32),
    pub(crate) sampler_heap: (u32, u32),
    /// Memory of constants that only the bindings hold.
    pub(crate) constants: Vec<Storage>,
    pub(crate) structures: Vec<Arc<AccelerationStructure>>,
    /// Counters with their first values.
    pub(crate) counters: Vec<(CounterOf, u32)>,
    /// Storages that UAVs see, and storages that other views see.
    written: Vec<bool>,
    read: Vec<bool>,
}

const NO_SHAPE: ResourceShape = ResourceShape {
    class: ResourceClass::Srv,
    kind: ResourceKind::Invalid,
    stride: 0,
    feedback: None,
};

impl Table {
    pub(crate) fn new(kernel: &Kernel, bindings: &Bindings, storages: &[Storage]) -> Result<Table> {
        let mut table = Table {
            descriptors: vec![Descriptor::Null],
            shapes: vec![NO_SHAPE],
            ranges: Vec::new(),
            locals: Vec::new(),
            resource_heap: (0, 0),
            sampler_heap: (0, 0),
            constants: Vec::new(),
            structures: bindings.structures.clone(),
            counters: Vec::new(),
            written: vec![false; storages.len()],
            read: vec![false; storages.len()],
        };
        for range in table.bind(kernel, &bindings.registers, storages)? {
            table.ranges.push(range.unwrap_or((0, 0)));
        }
        let first = table.descriptors.len() as u32;
        for (slot, (class, view)) in (0..).zip(&bindings.resource_heap) {
            let counter = kernel.uses_counters && *class == ResourceClass::Uav;
            let counter = counter.then_some(CounterOf::HeapSlot(slot));
            let descriptor = table.resolve(view, storages, counter)?;
            table.push(descriptor, NO_SHAPE, *class)?;
        }
        table.resource_heap = (first, bindings.resource_heap.len() as u32);
        let first = table.descriptors.len() as u32;
        for sampler in &bindings.sampler_heap {
            table.push(
                Descriptor::Sampler(*sampler),
                NO_SHAPE,
                ResourceClass::Sampler,
            )?;
        }
        table.sampler_heap = (first, bindings.sampler_heap.len() as u32);
        Ok(table)
    }

    /// Adds what a record of a shader table binds; returns its number.
    pub(crate) fn add_locals(
        &mut self,
        kernel: &Kernel,
        registers: &[(Register, ResourceView)],
        storages: &[Storage],
    ) -> Result<u32> {
        let ranges = self.bind(kernel, registers, storages)?;
        self.locals.push(ranges.into());
        Ok(self.locals.len() as u32 - 1)
    }

    /// Adds the descriptors of registers; returns the first one and their number for each range
    /// of the kernel that has any.
    fn bind(
        &mut self,
        kernel: &Kernel,
        registers: &[(Register, ResourceView)],
        storages: &[Storage],
    ) -> Result<Vec<Option<(u32, u32)>>> {
        let by_register: HashMap<Register, &ResourceView> = registers
            .iter()
            .map(|(register, view)| (*register, view))
            .collect();
        let mut found = Vec::with_capacity(kernel.ranges.len());
        for range in &kernel.ranges {
            let of_range = |register: &&(Register, ResourceView)| {
                let (register, _) = register;
                (register.class, register.space) == (range.class, range.space)
                    && register.index >= range.first
                    && range
                        .count
                        .is_none_or(|count| register.index - range.first < count)
            };
            let bound = registers.iter().filter(of_range);
            // Registers after the last one that is bound are null. The table ends there: an
            // unbounded range has 2^32 registers, which is one more than the count can be.
            let bound = bound.map(|(register, _)| (register.index - range.first).saturating_add(1));
            let Some(count) = bound.max() else {
                found.push(None);
                continue;
            };
            if self.descriptors.len() + count as usize > MAX_DESCRIPTORS {
                return Err(too_many_descriptors());
            }
            let first = self.descriptors.len() as u32;
            for index in 0..count {
                let register = Register {
                    class: range.class,
                    space: range.space,
                    index: range.first + index,
                };
                let descriptor = match by_register.get(&register) {
                    Some(view) => {
                        let counter = range.has_counter.then_some(CounterOf::Register(register));
                        self.resolve(view, storages, counter)?
                    }
                    None => Descriptor::Null,
                };
                self.push(descriptor, range.shape, range.class)?;
            }
            found.push(Some((first, count)));
        }
        Ok(found)
    }

    /// Returns the range that a handle belongs to, and its number in it.
    fn range_of<'a>(&self, kernel: &'a Kernel, handle: u32) -> Option<(&'a DeclaredRange, u32)> {
        let ranges = self.ranges.iter().zip(&kernel.ranges);
        let mut ranges = ranges.filter_map(|(&(first, count), range)| {
            let index = handle.checked_sub(first)?;
            (index < count).then_some((range, index))
        });
        ranges.next()
    }

    /// Returns whether a handle is of a `globallycoherent` resource.
    pub(crate) fn is_coherent(&self, kernel: &Kernel, handle: u32) -> bool {
        let range = self.range_of(kernel, handle);
        range.is_some_and(|(range, _)| range.is_coherent)
    }

    /// Returns the name of a resource in HLSL, or else its register or its slot of the heap.
    pub(crate) fn name_of(&self, kernel: &Kernel, handle: u32) -> String {
        match self.range_of(kernel, handle) {
            Some((range, index)) => {
                let register = Register {
                    class: range.class,
                    space: range.space,
                    index: range.first.saturating_add(index),
                };
                match (range.name.is_empty(), range.count) {
                    (true, _) => register.to_string(),
                    (false, Some(1)) => range.name.to_string(),
                    (false, _) => format!("{}[{index}]", range.name),
                }
            }
            None => format!("heap slot {}", handle.saturating_sub(self.resource_heap.0)),
        }
    }

    /// Returns whether the shader may write to a storage.
    pub(crate) fn is_written(&self, storage: usize) -> bool {
        self.written.get(storage).copied().unwrap_or(false)
    }

    /// Returns whether a storage that the shader may write to is also seen by anything but UAVs.
    pub(crate) fn has_aliases(&self) -> bool {
        let mut both = self.written.iter().zip(&self.read);
        both.any(|(written, read)| *written && *read)
    }

    fn push(
        &mut self,
        descriptor: Descriptor,
        shape: ResourceShape,
        class: ResourceClass,
    ) -> Result<()> {
        let storage = match &descriptor {
            Descriptor::Buffer(buffer) => Some(buffer.storage),
            Descriptor::Texture(texture) => Some(texture.storage),
            Descriptor::Null | Descriptor::Sampler(_) | Descriptor::AccelerationStructure(_) => {
                None
            }
        };
        let seen = match class {
            ResourceClass::Uav => &mut self.written,
            _ => &mut self.read,
        };
        if let Some(seen) = storage.and_then(|storage| seen.get_mut(storage)) {
            *seen = true;
        }
        if self.descriptors.len() >= MAX_DESCRIPTORS {
            return Err(too_many_descriptors());
        }
        self.descriptors.push(descriptor);
        self.shapes.push(shape);
        Ok(())
    }

    fn resolve(
        &mut self,
        view: &ResourceView,
        storages: &[Storage],
        counter_of: Option<CounterOf>,
    ) -> Result<Descriptor> {
        let missing = || Error::BadInput("a view of a storage that does not exist".into());
        Ok(match *view {
            ResourceView::Null => Descriptor::Null,
            ResourceView::Buffer {
                storage,
                offset,
                size,
                format,
                counter,
            } => {
                let bytes = storages.get(storage).ok_or_else(missing)?.bytes.len() as u64;
                let offset = offset.min(bytes);
                let counter = counter_of.map(|of| {
                    self.counters.push((of, counter));
                    self.counters.len() as u32 - 1
                });
                Descriptor::Buffer(BufferDescriptor {
                    storage,
                    offset: offset as usize,
                    size: size.min(bytes - offset) as usize,
                    format,
                    counter,
                })
            }
            ResourceView::Texture {
                storage,
                format,
                first_mip,
                mips,
                first_layer,
                layers,
            } => {
                let texture = storages.get(storage).and_then(|storage| storage.texture);
                let texture = texture.ok_or_else(missing)?;
                // A view reads the same bytes as another format, so the texels must have the same
                // size.
                if format.bytes() != texture.format.bytes() {
                    return Err(Error::BadInput(
                        "a view whose format has texels of another size".into(),
                    ));
                }
                let first_mip = first_mip.min(texture.mips.saturating_sub(1));
                let first_layer = first_layer.min(texture.layers.saturating_sub(1));
                Descriptor::Texture(TextureDescriptor {
                    storage,
                    texture,
                    format,
                    first_mip,
                    mips: mips.clamp(1, (texture.mips - first_mip).max(1)),
                    first_layer,
                    layers: layers.clamp(1, (texture.layers - first_layer).max(1)),
                })
            }
            ResourceView::Sampler(sampler) => Descriptor::Sampler(sampler),
            ResourceView::AccelerationStructure(number) if number < self.structures.len() => {
                Descriptor::AccelerationStructure(number)
            }
            ResourceView::AccelerationStructure(_) => {
                return Err(Error::BadInput(
                    "a view of an acceleration structure that does not exist".into(),
                ));
            }
            ResourceView::Constants(ref bytes) => {
                self.constants.push(Storage::buffer(bytes));
                Descriptor::Buffer(BufferDescriptor {
                    storage: storages.len() + self.constants.len() - 1,
                    offset: 0,
                    size: bytes.len(),
                    format: None,
                    counter: None,
                })
            }
        })
    }
}
