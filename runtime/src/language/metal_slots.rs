//! The slots of Metal: the places of buffers, textures and samplers in a stage's argument tables.
//!
//! Metal numbers each kind by itself (Metal Shading Language 3.1, 5.2.1 "Locating Buffer, Texture,
//! and Sampler Arguments"). Resources get numbers in the order of set and binding. Root constants
//! are the buffer after the resources, and the sizes of buffers the one after that.

use std::collections::BTreeMap;

use naga::back::msl;
use naga::valid::FunctionInfo;
use naga::{AddressSpace, GlobalVariable, Handle, Module, ResourceBinding, TypeInner};

/// Buffers, textures and samplers in a stage's argument tables (Metal Feature Set Tables, "GPU
/// Implementation Limits by Family"; the least of the families with D3D12's features).
const TABLES: [(&str, u8); 3] = [("buffers", 31), ("textures", 128), ("samplers", 16)];

/// A place in the argument tables of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MetalSlot {
    /// `[[buffer(n)]]`.
    Buffer(u8),
    /// `[[texture(n)]]`.
    Texture(u8),
    /// `[[sampler(n)]]`.
    Sampler(u8),
    /// `[[buffer(n)]]`: an array of descriptors, each of [`METAL_ENTRY_BYTES`].
    ///
    /// [`METAL_ENTRY_BYTES`]: super::METAL_ENTRY_BYTES
    ArgumentBuffer(u8),
}

/// The places of an entry point's arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MetalSlots {
    /// Resources, by set and binding. What the entry point does not use has no place.
    pub resources: BTreeMap<(u32, u32), MetalSlot>,
    /// Number of the buffer with the root constants, if the entry point reads them.
    pub root_constants: Option<u8>,
    /// The buffer with sizes of buffers, if the entry point needs it.
    pub sizes: Option<MetalSizes>,
    /// Bytes of each argument in threadgroup memory, multiples of 16. Their places are 0, 1, ... in
    /// this order, and the host sets the lengths.
    pub threadgroup: Vec<u32>,
}

/// The buffer of an entry point that tells it how long other buffers are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetalSizes {
    /// Number of the buffer.
    pub buffer: u8,
    /// Set and binding of the buffers whose sizes it holds, in bytes, as 32-bit words in this
    /// order. Those that the entry point does not use have any size.
    pub of: Vec<(u32, u32)>,
}

/// Counts the places that are taken.
#[derive(Default)]
struct Tables([u8; 3]);

impl Tables {
    fn take(&mut self, table: usize) -> Result<u8, String> {
        let (name, most) = TABLES[table];
        let number = self.0[table];
        if number >= most {
            return Err(format!(
                "Metal has {most} {name} in a stage, and this shader more (elements of arrays that \
                 are no argument buffers count one by one)"
            ));
        }
        self.0[table] += 1;
        Ok(number)
    }
}

const BUFFERS: usize = 0;
const TEXTURES: usize = 1;
const SAMPLERS: usize = 2;

impl MetalSlots {
    /// Returns the slots of an entry point.
    ///
    /// # Errors
    ///
    /// A table that has too few places.
    pub(super) fn of(module: &Module, info: &FunctionInfo) -> Result<Self, String> {
        let mut tables = Tables::default();
        let mut slots = MetalSlots::default();
        let used = |handle: Handle<GlobalVariable>| !info[handle].is_empty();
        let mut bound: Vec<_> = module
            .global_variables
            .iter()
            .filter(|&(handle, _)| used(handle))
            .filter_map(|(_, variable)| Some((variable.binding?, variable.ty)))
            .map(|(at, ty)| ((at.group, at.binding), ty))
            .collect();
        bound.sort_by_key(|(at, _)| *at);
        for (at, ty) in bound {
            if slots.resources.contains_key(&at) {
                continue;
            }
            let slot = match module.types[ty].inner {
                TypeInner::Image { .. } => MetalSlot::Texture(tables.take(TEXTURES)?),
                TypeInner::Sampler { .. } => MetalSlot::Sampler(tables.take(SAMPLERS)?),
                TypeInner::BindingArray { .. } => MetalSlot::ArgumentBuffer(tables.take(BUFFERS)?),
                _ => MetalSlot::Buffer(tables.take(BUFFERS)?),
            };
            slots.resources.insert(at, slot);
        }
        let mut all = module.global_variables.iter();
        if all.any(|(handle, variable)| variable.space == AddressSpace::Immediate && used(handle)) {
            slots.root_constants = Some(tables.take(BUFFERS)?);
        }
        // The struct has a member for each buffer of the module but those in arrays, which have
        // their sizes in their entries.
        let sized: Vec<_> = module
            .global_variables
            .iter()
            .filter(|(_, variable)| {
                let inner = &module.types[variable.ty].inner;
                let is_array = matches!(inner, TypeInner::BindingArray { .. });
                !is_array && inner.needs_host_buffer_byte_size(&module.types)
            })
            .collect();
        if sized.iter().any(|&(handle, _)| used(handle)) {
            let places = sized.iter().filter_map(|(_, variable)| variable.binding);
            slots.sizes = Some(MetalSizes {
                buffer: tables.take(BUFFERS)?,
                of: places.map(|at| (at.group, at.binding)).collect(),
            });
        }
        let in_groups = module
            .global_variables
            .iter()
            .filter(|&(handle, variable)| {
                variable.space == AddressSpace::WorkGroup && used(handle)
            });
        slots.threadgroup = in_groups
            .map(|(_, variable)| {
                let bytes = module.types[variable.ty].inner.try_size(module.to_ctx());
                bytes.unwrap_or(u32::MAX).div_ceil(16).saturating_mul(16)
            })
            .collect();
        Ok(slots)
    }

    /// Returns the slots as naga's writer takes them.
    pub(super) fn for_naga(&self) -> msl::EntryPointResources {
        let resources = self.resources.iter().map(|(&(group, binding), slot)| {
            let mut target = msl::BindTarget {
                // Only what the shader writes is declared as `device` without `const`.
                mutable: true,
                ..Default::default()
            };
            match *slot {
                MetalSlot::Buffer(number) | MetalSlot::ArgumentBuffer(number) => {
                    target.buffer = Some(number);
                }
                MetalSlot::Texture(number) => target.texture = Some(number),
                MetalSlot::Sampler(number) => {
                    target.sampler = Some(msl::BindSamplerTarget::Resource(number));
                }
            }
            (ResourceBinding { group, binding }, target)
        });
        msl::EntryPointResources {
            resources: resources.collect(),
            immediates_buffer: self.root_constants,
            // naga asks for one also where `metal_arrays` leaves no length in it.
            sizes_buffer: Some(self.sizes.as_ref().map_or(0, |sizes| sizes.buffer)),
        }
    }
}
