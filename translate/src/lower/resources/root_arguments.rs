//! Root arguments: words of the push constants (or of what stands for them), and addresses of root descriptors.

use super::variables::{Handle, Leaf};
use crate::Result;
use crate::interface::View;
use crate::lower::Lowering;
use crate::options::Features;
use crate::spirv::{Capability, Decoration, Id, Op, StorageClass};

impl<'a> Lowering<'a> {
    /// A word of the root arguments that a view's location names.
    pub(in crate::lower) fn root_word(&mut self, view: &View, index: Id) -> Result<Id> {
        match view.local {
            true => self.record_word(view, index),
            false => self.push_word(index),
        }
    }

    /// A word of push constants that are a struct of rows: naga's HLSL writer takes their arrays for arrays of a
    /// constant buffer, whose elements have 16 bytes, and WGSL has no arrays there.
    fn portable_push_word(&mut self, index: Id) -> Id {
        let class = StorageClass::PushConstant;
        let rows = self.resources.plan.table.push_words.div_ceil(4).max(1);
        let word = self.b.u32();
        let block = match self.resources.push_block {
            Some(block) => block,
            None => {
                let row = self.b.vector(word, 4);
                let ty = self.b.unique_struct(&vec![row; rows as usize]);
                self.b.decorate(ty, Decoration::Block, &[]);
                for row in 0..rows {
                    self.b
                        .member_decorate(ty, row, Decoration::Offset, &[row * 16]);
                }
                let pointer = self.b.pointer(class, ty);
                let id = self.b.global_variable(class, pointer, None);
                self.resources.push_block = Some(id);
                id
            }
        };
        let pointer_ty = self.b.pointer(class, word);
        let component = self.b.u32_and(index, 3);
        let row = self.b.u32_shr(index, 2);
        let load = |l: &mut Self, number: Id| {
            let pointer = l.b.access_chain(pointer_ty, block, &[number, component]);
            l.b.load(word, pointer)
        };
        if self.b.literal(row).is_some() {
            return load(self, row);
        }
        let bool_ty = self.b.bool();
        let zero = self.b.const_u32(0);
        let mut found = load(self, zero);
        for number in 1..rows {
            let number = self.b.const_u32(number);
            let hit = self.b.emit(Op::IEqual, bool_ty, &[row, number]);
            let value = load(self, number);
            found = self.b.select(word, hit, value, found);
        }
        found
    }

    /// A word of the push constants, or of the uniform buffer that stands for them.
    fn push_word(&mut self, index: Id) -> Result<Id> {
        let uniform = self.options.bindings.root_constants;
        if self.is_portable() && uniform.is_none() {
            return Ok(self.portable_push_word(index));
        }
        let class = match uniform {
            Some(_) => StorageClass::Uniform,
            None => StorageClass::PushConstant,
        };
        let block = match self.resources.push_block {
            Some(block) => block,
            None => {
                let words = self.resources.plan.table.push_words.max(1);
                // A uniform buffer's arrays have elements of 16 bytes.
                let (leaf, count) = match uniform {
                    Some(_) => (Leaf::Row, words.div_ceil(4)),
                    None => (Leaf::U32, words),
                };
                let block = self.data_block(leaf, count, false);
                let pointer = self.b.pointer(class, block.ty);
                let id = self.b.global_variable(class, pointer, None);
                if let Some(slot) = uniform {
                    self.b.decorate(id, Decoration::DescriptorSet, &[slot.set]);
                    self.b.decorate(id, Decoration::Binding, &[slot.binding]);
                }
                if self.options.debug_info {
                    self.b.name(id, "push_constants");
                }
                self.resources.push_block = Some(id);
                id
            }
        };
        let word = self.b.u32();
        let pointer_ty = self.b.pointer(class, word);
        let zero = self.b.const_u32(0);
        let pointer = if uniform.is_some() {
            let row = self.b.u32_shr(index, 2);
            let component = self.b.u32_and(index, 3);
            self.b
                .access_chain(pointer_ty, block, &[zero, row, component])
        } else {
            self.b.access_chain(pointer_ty, block, &[zero, index])
        };
        Ok(self.b.load(word, pointer))
    }

    /// A root descriptor's address: two words, the low one first.
    pub(in crate::lower) fn root_address(
        &mut self,
        handle: &Handle<'a>,
        first_word: u32,
    ) -> Result<Id> {
        let low = self.b.const_u32(first_word);
        let high = self.b.const_u32(first_word.wrapping_add(1));
        let low = self.root_word(handle.view, low)?;
        let high = self.root_word(handle.view, high)?;
        let word = self.b.u32();
        let pair_ty = self.b.vector(word, 2);
        Ok(self.b.construct(pair_ty, &[low, high]))
    }

    /// A root descriptor's address as a pointer to that block.
    pub(super) fn address_pointer(
        &mut self,
        handle: &Handle<'a>,
        first_word: u32,
        block: Id,
    ) -> Result<Id> {
        self.physical_addresses()?;
        let pair = self.root_address(handle, first_word)?;
        let pointer_ty = self.b.pointer(StorageClass::PhysicalStorageBuffer, block);
        Ok(self.b.bitcast(pointer_ty, pair))
    }

    /// Declares what pointers into physical memory take.
    pub(in crate::lower) fn physical_addresses(&mut self) -> Result<()> {
        self.need_feature(
            Features::BUFFER_DEVICE_ADDRESS,
            "bufferDeviceAddress",
            || "a device address".to_owned(),
        )?;
        self.b
            .capability(Capability::PhysicalStorageBufferAddresses);
        self.b
            .extension_before(0x0001_0500, "SPV_KHR_physical_storage_buffer");
        let [_, memory] = self.b.current_memory_model();
        self.b.memory_model(
            rspirv::spirv::AddressingModel::PhysicalStorageBuffer64 as u32,
            memory,
        );
        Ok(())
    }
}
