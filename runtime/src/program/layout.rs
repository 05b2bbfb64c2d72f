//! The location of each register on the device.

use dxil_frontend::dxil::{ComponentType, ResourceClass, ResourceKind};
use dxil_translate::{DescriptorKind, TexelFormat};

#[cfg(feature = "vulkan")]
use crate::format::Format;
use crate::resource::{Register, Sampler};

/// The location of each register on the device.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layout {
    /// Descriptor sets; the index is the set's number.
    pub sets: Vec<SetLayout>,
    /// The contents of the push-constant words.
    pub push_constants: Vec<PushConstant>,
    /// The registers that a job may bind. Empty: not known, so that jobs are not checked against
    /// them.
    pub declared: Vec<DeclaredRegisters>,
}

/// Registers that shaders of a program declare, or that its root signature has.
#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredRegisters {
    /// The first one.
    pub first: Register,
    /// Number of registers; `None` is unbounded.
    pub count: Option<u32>,
    /// Kind of the resource; `Invalid` where only the root signature has the registers.
    pub kind: ResourceKind,
    /// Component type of textures and typed buffers.
    pub component: Option<ComponentType>,
    /// Bytes of a constant buffer, or else 0.
    pub bytes: u32,
    /// HLSL type and name, for messages.
    pub shown: String,
}

impl DeclaredRegisters {
    /// Returns whether it has a register of its class and space.
    pub(crate) fn has(&self, register: &Register) -> bool {
        let offset = register.index.checked_sub(self.first.index);
        offset.is_some_and(|offset| self.count.is_none_or(|count| offset < count.max(1)))
    }
}

/// One descriptor set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SetLayout {
    /// Its bindings, by rising number.
    pub slots: Vec<BindingSlot>,
}

/// One binding: a descriptor or an array of them.
#[derive(Debug, Clone, PartialEq)]
pub struct BindingSlot {
    /// Binding number.
    pub binding: u32,
    /// Descriptor type.
    pub kind: DescriptorKind,
    /// Further types that the same descriptors may have (heaps).
    pub other_kinds: Vec<DescriptorKind>,
    /// Number of descriptors.
    pub count: u32,
    /// Whether the shader declares a runtime array here.
    pub unbounded: bool,
    /// The source of its descriptors.
    pub source: SlotSource,
    /// Shape that the shader declares; `Invalid` where it is not known.
    pub shape: ResourceKind,
    /// Format that the code was made for.
    pub format: Option<TexelFormat>,
    /// Component type that the shader declares, of textures and typed buffers.
    pub component: Option<ComponentType>,
    /// Whether a sampler compares.
    pub comparison: bool,
    /// Whether the shader may read it.
    pub readable: bool,
    /// Whether the shader may write to it.
    pub writable: bool,
    /// Bytes of an element of a structured buffer, 0 where it does not matter.
    pub stride: u32,
    /// Name in the source, for messages.
    pub name: String,
}

/// The source of the descriptors of a [`BindingSlot`].
#[derive(Debug, Clone, PartialEq)]
pub enum SlotSource {
    /// Registers from that one upwards.
    Registers(Register),
    /// The hidden counters of the UAVs from that register upwards.
    Counters(Register),
    /// The job's CBV/SRV/UAV heap.
    ResourceHeap,
    /// The hidden counters of the heap's UAVs.
    HeapCounters,
    /// The job's sampler heap.
    SamplerHeap,
    /// A static sampler of the root signature.
    StaticSampler(Sampler),
    /// Nothing that the shader looks at; the binding only keeps the numbers dense.
    Unused,
}

impl BindingSlot {
    /// Returns one descriptor without a name, which is read, has no format of its own and no
    /// stride.
    pub fn new(
        binding: u32,
        kind: DescriptorKind,
        source: SlotSource,
        shape: ResourceKind,
    ) -> Self {
        BindingSlot {
            binding,
            kind,
            other_kinds: Vec::new(),
            count: 1,
            unbounded: false,
            source,
            shape,
            format: None,
            component: None,
            comparison: false,
            readable: true,
            writable: false,
            stride: 0,
            name: String::new(),
        }
    }

    /// Returns one descriptor for what a job binds to a register: as [`Self::new`], but UAVs are
    /// written to.
    pub fn of_register(
        binding: u32,
        kind: DescriptorKind,
        register: Register,
        shape: ResourceKind,
    ) -> Self {
        BindingSlot {
            writable: register.class == ResourceClass::Uav,
            ..BindingSlot::new(binding, kind, SlotSource::Registers(register), shape)
        }
    }

    /// Returns whether one of the descriptors is for that register.
    #[cfg(feature = "vulkan")]
    pub(crate) fn holds(&self, register: Register) -> bool {
        let SlotSource::Registers(first) = self.source else {
            return false;
        };
        let offset = register.index.checked_sub(first.index);
        register.class == first.class
            && register.space == first.space
            && offset.is_some_and(|offset| offset < self.count || self.unbounded)
    }

    /// Returns the format of a descriptor for a view of `format`. Code with atomics sees a texel as
    /// one integer, whatever the view's components are: floats are exchanged as their bits, and
    /// pairs of words are 64-bit numbers. The numeric type of the descriptor must be that of the
    /// code (VUID-vkCmdDispatch-format-07753).
    #[cfg(feature = "vulkan")]
    pub(crate) fn descriptor_format(&self, format: Format) -> Format {
        use Format as F;
        let made_for = match self.format.map(Format::from) {
            Some(made_for @ (F::R32Uint | F::R32Sint | F::R64Uint | F::R64Sint)) => made_for,
            _ => return format,
        };
        let one_word = matches!(format, F::R32Float | F::R32Uint | F::R32Sint);
        let is_same_texel = match made_for.block_bytes() {
            4 => one_word,
            bytes => format.block_bytes() == bytes,
        };
        if is_same_texel { made_for } else { format }
    }
}

impl SlotSource {
    /// Returns whether shaders index it directly, so that heaps of VK_EXT_descriptor_heap hold it
    /// without a binding.
    pub(crate) fn is_heap(&self) -> bool {
        matches!(self, SlotSource::ResourceHeap | SlotSource::SamplerHeap)
    }

    /// Returns the source of an element's descriptor, if this is an array's first one.
    pub(crate) fn element(&self, element: u32) -> SlotSource {
        let at = |first: &Register| Register {
            index: first.index.saturating_add(element),
            ..*first
        };
        match self {
            SlotSource::Registers(first) => SlotSource::Registers(at(first)),
            SlotSource::Counters(first) => SlotSource::Counters(at(first)),
            other => other.clone(),
        }
    }
}

/// A run of push-constant words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushConstant {
    /// First word.
    pub first_word: u32,
    /// Their contents.
    pub source: PushSource,
}

/// The contents of push-constant words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushSource {
    /// Root constants: the first words of what the job binds to this constant-buffer register.
    Constants {
        /// The register.
        register: Register,
        /// Number of words.
        words: u32,
    },
    /// Two words: the device address of what the job binds to this register.
    Address(Register),
    /// Two words: the device address of the acceleration structure that the job binds to this
    /// register.
    StructureAddress(Register),
}

impl Layout {
    /// Returns whether the code looks at an acceleration structure.
    pub(crate) fn sees_structures(&self) -> bool {
        let structure = DescriptorKind::AccelerationStructure;
        let mut slots = self.sets.iter().flat_map(|set| &set.slots);
        let mut pushed = self.push_constants.iter();
        slots.any(|slot| slot.kind == structure || slot.other_kinds.contains(&structure))
            || pushed.any(|run| matches!(run.source, PushSource::StructureAddress(_)))
    }

    /// Returns whether a heap has acceleration structures beside descriptors of other types. Of
    /// bindings with several types, every device takes those without acceleration structures
    /// (VK_EXT_mutable_descriptor_type); of others vkGetDescriptorSetLayoutSupport says it.
    pub fn mixes_structures(&self) -> bool {
        let structure = DescriptorKind::AccelerationStructure;
        let mut slots = self.sets.iter().flat_map(|set| &set.slots);
        slots.any(|slot| {
            let others = &slot.other_kinds;
            !others.is_empty() && (slot.kind == structure || others.contains(&structure))
        })
    }

    /// Returns the size of push constants in bytes, from 0.
    pub fn push_constant_bytes(&self) -> u32 {
        self.push_constants
            .iter()
            .map(|run| {
                let words = match run.source {
                    PushSource::Constants { words, .. } => words,
                    PushSource::Address(_) | PushSource::StructureAddress(_) => 2,
                };
                (run.first_word + words) * 4
            })
            .max()
            .unwrap_or(0)
    }
}
