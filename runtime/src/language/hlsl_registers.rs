//! The registers of HLSL that keeps those of the source.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dxil_frontend::dxil::ResourceClass;
use naga::back::hlsl::{BindTarget, BindingMap};
use naga::{AddressSpace, Module, ResourceBinding, StorageAccess};

use crate::program::{Layout, PushSource, SlotSource};
use crate::resource::Register;
use crate::root_signature::HEAPS;

/// Register space of root constants in HLSL, after those of descriptor sets: they are `b0` there.
pub const IMMEDIATES_SPACE: u8 = 8;

/// Register space of the hidden counters of UAVs in HLSL that keeps the registers of the source.
pub const COUNTERS_SPACE: u8 = 9;

/// Register and space of each group and binding. What has none gets its binding and group.
#[derive(Debug, Default)]
pub(super) struct HlslRegisters {
    /// Registers by group and binding.
    bindings: BTreeMap<(u32, u32), RegisterTarget>,
    /// The constant buffer of the root constants.
    constants: Option<RegisterTarget>,
    /// The group of the heaps, if the heaps of HLSL take their place.
    heaps: Option<u32>,
}

/// A register of naga, whose register spaces have eight bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RegisterTarget {
    index: u32,
    space: u8,
    is_sampler: bool,
    is_uav: bool,
}

impl HlslRegisters {
    /// Returns the registers of a layout, or none if naga cannot express one of them.
    pub(super) fn of(layout: &Layout) -> Self {
        Self::all_of(layout).unwrap_or_default()
    }

    fn all_of(layout: &Layout) -> Option<Self> {
        let mut bindings = BTreeMap::new();
        for (group, set) in (0..).zip(&layout.sets) {
            for slot in &set.slots {
                let target = match &slot.source {
                    SlotSource::Registers(register) => RegisterTarget::of(register)?,
                    SlotSource::Counters(_) => RegisterTarget {
                        index: slot.binding,
                        space: COUNTERS_SPACE,
                        is_sampler: false,
                        is_uav: true,
                    },
                    SlotSource::ResourceHeap
                    | SlotSource::HeapCounters
                    | SlotSource::SamplerHeap
                    | SlotSource::StaticSampler(_)
                    | SlotSource::Unused => continue,
                };
                bindings.insert((group, slot.binding), target);
            }
        }
        // naga has one block of push constants. Several runs of words share it and have no register
        // of their own.
        let constants = match layout.push_constants.as_slice() {
            [run] => match &run.source {
                PushSource::Constants { register, .. } if run.first_word == 0 => {
                    Some(RegisterTarget::of(register)?)
                }
                _ => None,
            },
            _ => None,
        };
        Some(HlslRegisters {
            bindings,
            constants,
            heaps: Some(HEAPS),
        })
    }

    /// Returns naga's map. Samplers are not in it: their entries are indices into a buffer of
    /// wgpu's.
    pub(super) fn binding_map(&self) -> BindingMap {
        let bindings = self
            .bindings
            .iter()
            .filter(|(_, target)| !target.is_sampler);
        bindings
            .map(|((group, binding), target)| {
                let (group, binding) = (*group, *binding);
                (ResourceBinding { group, binding }, target.for_naga())
            })
            .collect()
    }

    /// Returns the module with all buffers of `u` registers writable: naga writes those that are
    /// only read as `ByteAddressBuffer`, which has a `t` register.
    pub(super) fn with_uavs<'a>(&self, module: &'a Module) -> Cow<'a, Module> {
        let is_uav = |binding: Option<ResourceBinding>| {
            let place = binding.map(|it| (it.group, it.binding));
            let target = place.and_then(|place| self.bindings.get(&place));
            target.is_some_and(|target| target.is_uav)
        };
        let mut module = Cow::Borrowed(module);
        let variables = module.global_variables.iter();
        let read_only: Vec<_> = variables
            .filter(|(_, variable)| match variable.space {
                AddressSpace::Storage { access } => {
                    !access.contains(StorageAccess::STORE) && is_uav(variable.binding)
                }
                _ => false,
            })
            .map(|(handle, _)| handle)
            .collect();
        for handle in read_only {
            let variable = module.to_mut().global_variables.get_mut(handle);
            variable.space = AddressSpace::Storage {
                access: StorageAccess::LOAD | StorageAccess::STORE,
            };
        }
        module
    }

    /// Returns the register of the root constants.
    pub(super) fn immediates(&self) -> BindTarget {
        let default = RegisterTarget {
            index: 0,
            space: IMMEDIATES_SPACE,
            is_sampler: false,
            is_uav: false,
        };
        self.constants.unwrap_or(default).for_naga()
    }

    /// Returns the group whose arrays are heaps.
    pub(super) fn heap_group(&self) -> Option<u32> {
        self.heaps
    }

    /// Returns register and space of a sampler.
    pub(super) fn sampler(&self, group: u32, binding: u32) -> (u32, u32) {
        match self.bindings.get(&(group, binding)) {
            Some(target) => (target.index, target.space.into()),
            None => (binding, group),
        }
    }
}

impl RegisterTarget {
    fn of(register: &Register) -> Option<Self> {
        Some(RegisterTarget {
            index: register.index,
            space: u8::try_from(register.space).ok()?,
            is_sampler: register.class == ResourceClass::Sampler,
            is_uav: register.class == ResourceClass::Uav,
        })
    }

    fn for_naga(self) -> BindTarget {
        BindTarget {
            space: self.space,
            register: self.index,
            ..BindTarget::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{BindingSlot, SetLayout};
    use dxil_frontend::dxil::ResourceKind;
    use dxil_translate::DescriptorKind;

    fn layout(register: Register) -> Layout {
        let slot = BindingSlot::of_register(
            4,
            DescriptorKind::StorageBuffer,
            register,
            ResourceKind::RawBuffer,
        );
        Layout {
            sets: vec![SetLayout { slots: vec![slot] }],
            ..Layout::default()
        }
    }

    #[test]
    fn registers_and_spaces_are_those_of_the_layout() {
        let registers = HlslRegisters::of(&layout(Register::uav(2).in_space(3)));
        let target = registers.binding_map()[&ResourceBinding {
            group: 0,
            binding: 4,
        }];
        assert_eq!((target.register, target.space), (2, 3));
        assert_eq!(registers.sampler(1, 7), (7, 1));
        assert_eq!(registers.immediates().space, IMMEDIATES_SPACE);
    }

    #[test]
    fn a_space_that_naga_cannot_express_leaves_all_registers_as_bindings() {
        let registers = HlslRegisters::of(&layout(Register::uav(2).in_space(256)));
        assert!(registers.binding_map().is_empty());
    }
}
