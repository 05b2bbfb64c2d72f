//! Descriptors: what handles stand for.

use dxil_frontend::dxil::{ResourceClass, ResourceKind};
use rustc_hash::FxHashMap;

use super::{Bindings, Format, Register, Sampler, Storage, Texture, View};
use crate::decode::Kernel;
use crate::decode::code::Shape;
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
    pub(crate) format: Option<Format>,
    /// Number of its counter.
    pub(crate) counter: Option<u32>,
}

/// Mips and layers of a texture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextureDescriptor {
    pub(crate) storage: usize,
    pub(crate) texture: Texture,
    pub(crate) format: Format,
    pub(crate) first_mip: u32,
    pub(crate) mips: u32,
    pub(crate) first_layer: u32,
    pub(crate) layers: u32,
}

/// What a handle stands for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Descriptor {
    Null,
    Buffer(BufferDescriptor),
    Texture(TextureDescriptor),
    Sampler(Sampler),
}

/// A counter, and whose it is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CounterOf {
    Register(Register),
    HeapSlot(u32),
}

/// All descriptors of a dispatch. A handle is an index; 0 is the null descriptor.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) descriptors: Vec<Descriptor>,
    /// What the shader declares of each.
    pub(crate) shapes: Vec<Shape>,
    /// First descriptor and number of them, for each range of the kernel.
    pub(crate) ranges: Vec<(u32, u32)>,
    /// First slot of each heap and the number of slots.
    pub(crate) resource_heap: (u32, u32),
    pub(crate) sampler_heap: (u32, u32),
    /// Memory of constants that only the bindings hold.
    pub(crate) constants: Vec<Storage>,
    /// Counters with their first values.
    pub(crate) counters: Vec<(CounterOf, u32)>,
}

const NO_SHAPE: Shape = Shape {
    class: ResourceClass::Srv,
    kind: ResourceKind::Invalid,
    stride: 0,
};

impl Table {
    pub(crate) fn new(kernel: &Kernel, bindings: &Bindings, storages: &[Storage]) -> Result<Table> {
        let mut table = Table {
            descriptors: vec![Descriptor::Null],
            shapes: vec![NO_SHAPE],
            ranges: Vec::new(),
            resource_heap: (0, 0),
            sampler_heap: (0, 0),
            constants: Vec::new(),
            counters: Vec::new(),
        };
        let by_register: FxHashMap<Register, &View> = bindings
            .registers
            .iter()
            .map(|(register, view)| (*register, view))
            .collect();
        for range in &kernel.ranges {
            let of_range = |register: &&(Register, View)| {
                let (register, _) = register;
                (register.class, register.space) == (range.class, range.space)
                    && register.index >= range.first
            };
            let bound = bindings.registers.iter().filter(of_range);
            let bound = bound.map(|(register, _)| register.index - range.first + 1);
            let bound = bound.max().unwrap_or(0);
            // Descriptors behind the last one that is bound are null, and so is what lies outside.
            let count = range.count.map_or(bound, |count| count.min(bound));
            let first = table.descriptors.len() as u32;
            for index in 0..count {
                let register = Register {
                    class: range.class,
                    space: range.space,
                    index: range.first + index,
                };
                let descriptor = match by_register.get(&register) {
                    Some(view) => {
                        let counter = range.has_counter.then_some(CounterOf::Register(register));
                        table.resolve(view, storages, counter)?
                    }
                    None => Descriptor::Null,
                };
                table.push(descriptor, range.shape)?;
            }
            table.ranges.push((first, count));
        }
        let first = table.descriptors.len() as u32;
        for (slot, (class, view)) in (0..).zip(&bindings.resource_heap) {
            let counter = kernel.uses_counters && *class == ResourceClass::Uav;
            let counter = counter.then_some(CounterOf::HeapSlot(slot));
            let descriptor = table.resolve(view, storages, counter)?;
            table.push(descriptor, NO_SHAPE)?;
        }
        table.resource_heap = (first, bindings.resource_heap.len() as u32);
        let first = table.descriptors.len() as u32;
        for sampler in &bindings.sampler_heap {
            table.push(Descriptor::Sampler(*sampler), NO_SHAPE)?;
        }
        table.sampler_heap = (first, bindings.sampler_heap.len() as u32);
        Ok(table)
    }

    fn push(&mut self, descriptor: Descriptor, shape: Shape) -> Result<()> {
        if self.descriptors.len() >= MAX_DESCRIPTORS {
            return Err(Error::BadInput("more than 2^21 descriptors".into()));
        }
        self.descriptors.push(descriptor);
        self.shapes.push(shape);
        Ok(())
    }

    fn resolve(
        &mut self,
        view: &View,
        storages: &[Storage],
        counter_of: Option<CounterOf>,
    ) -> Result<Descriptor> {
        let missing = || Error::BadInput("a view of a storage that is not there".into());
        Ok(match *view {
            View::Null => Descriptor::Null,
            View::Buffer {
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
            View::Texture {
                storage,
                format,
                first_mip,
                mips,
                first_layer,
                layers,
            } => {
                let texture = storages.get(storage).and_then(|storage| storage.texture);
                let texture = texture.ok_or_else(missing)?;
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
            View::Sampler(sampler) => Descriptor::Sampler(sampler),
            View::Constants(ref bytes) => {
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
