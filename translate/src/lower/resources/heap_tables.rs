//! Tables beside a descriptor heap: which part of a buffer a descriptor means, and where the hidden
//! counter of a UAV lies. Both are storage buffers of pairs of words, indexed like the heap.

use super::variables::{Handle, Leaf};
use crate::lower::Lowering;
use crate::spirv::{Builder, Capability, Decoration, Id, MemoryAccess, Op, StorageClass};
use crate::{Counter, DescriptorSlot, Error, ErrorKind, Location, RangeTable, Result};

/// An element that no buffer has, whatever the size of an element: times 4 it still fits 32 bits.
const NO_WORD: u32 = 0x3fff_fffc;
/// A texel that no buffer has.
const NO_TEXEL: u32 = u32::MAX;

/// The tables of the module under construction.
#[derive(Debug, Default)]
pub(in crate::lower) struct HeapTables {
    /// The type of a table.
    block: Option<Id>,
    /// Variables by slot: a few at most.
    variables: Vec<(DescriptorSlot, Id)>,
    /// Pairs that were loaded in the block under construction: label, table, index, pair.
    loaded: Vec<(Id, RangeTable, Id, Id)>,
}

impl<'a> Lowering<'a> {
    /// The element of the bound buffer that an element of the resource is: moved by the first one
    /// of the descriptor's part, or outside of every buffer where the part ends before it.
    pub(in crate::lower) fn placed_word(
        &mut self,
        handle: &Handle<'a>,
        leaf: Leaf,
        element: Id,
    ) -> Id {
        let log2 = match leaf {
            Leaf::U16 => 1,
            Leaf::U32 => 2,
            Leaf::U64 => 3,
            Leaf::Row | Leaf::Triple | Leaf::Pair | Leaf::Counter | Leaf::Object => return element,
        };
        self.placed(handle, element, log2, NO_WORD)
    }

    /// The same for a texel of a typed buffer.
    pub(in crate::lower) fn placed_texel(&mut self, handle: &Handle<'a>, element: Id) -> Id {
        self.placed(handle, element, 0, NO_TEXEL)
    }

    fn placed(&mut self, handle: &Handle<'a>, element: Id, log2: u32, outside: u32) -> Id {
        let Some([first, count]) = self.range_of(handle) else {
            return element;
        };
        let word = self.b.u32();
        let bool_ty = self.b.bool();
        let first = self.b.u32_shr(first, log2);
        let count = self.b.u32_shr(count, log2);
        let inside = self.b.emit(Op::ULessThan, bool_ty, &[element, count]);
        let place = self.b.u32_add(element, first);
        let outside = self.b.const_u32(outside);
        self.b.select(word, inside, place, outside)
    }

    /// Bytes or texels that a descriptor with a range table has.
    pub(in crate::lower) fn range_length(&mut self, handle: &Handle<'a>) -> Option<Id> {
        self.range_of(handle).map(|[_, count]| count)
    }

    /// First and count of the descriptor's part, as the table has them.
    fn range_of(&mut self, handle: &Handle<'a>) -> Option<[Id; 2]> {
        let Location::Heap {
            ranges: Some(table),
            ..
        } = handle.view.location
        else {
            return None;
        };
        let word = self.b.u32();
        let label = self.place.label;
        let tables = &mut self.resources.heap_tables;
        // What an earlier block loaded may not dominate this one.
        tables.loaded.retain(|&(block, ..)| block == label);
        let known = tables
            .loaded
            .iter()
            .find(|&&(_, other, index, _)| other == table && index == handle.index)
            .map(|&(.., pair)| pair);
        let pair = match known {
            Some(pair) => pair,
            None => {
                let pair = self.load_pair(table.slot, handle.index, table.stride, table.offset);
                self.resources
                    .heap_tables
                    .loaded
                    .push((label, table, handle.index, pair));
                pair
            }
        };
        Some([0, 1].map(|i| self.b.extract(word, pair, i)))
    }

    /// The pair of words at `index * stride + offset` of a table.
    pub(in crate::lower) fn load_pair(
        &mut self,
        slot: DescriptorSlot,
        index: Id,
        stride: u32,
        offset: u32,
    ) -> Id {
        let table = self.table_variable(slot);
        let place = self.table_place(index, stride, offset);
        let pair_ty = pair_type(&mut self.b);
        let pointer_ty = self.b.pointer(StorageClass::StorageBuffer, pair_ty);
        let zero = self.b.const_u32(0);
        let pointer = self.b.access_chain(pointer_ty, table, &[zero, place]);
        self.b.load(pair_ty, pointer)
    }

    fn table_place(&mut self, index: Id, stride: u32, offset: u32) -> Id {
        let scaled = self.b.u32_mul(index, stride);
        let offset = self.b.const_u32(offset);
        self.b.u32_add(scaled, offset)
    }

    /// The same where the table lies at an address that a uniform buffer holds.
    fn load_pair_behind(
        &mut self,
        slot: DescriptorSlot,
        index: Id,
        stride: u32,
        offset: u32,
    ) -> Result<Id> {
        self.physical_addresses()?;
        let address = self.uniform_pair(slot);
        let place = self.table_place(index, stride, offset);
        let block = self.table_block();
        let class = StorageClass::PhysicalStorageBuffer;
        let block_ty = self.b.pointer(class, block);
        let table = self.b.bitcast(block_ty, address);
        let pair_ty = pair_type(&mut self.b);
        let pointer_ty = self.b.pointer(class, pair_ty);
        let zero = self.b.const_u32(0);
        let pointer = self.b.access_chain(pointer_ty, table, &[zero, place]);
        let access = MemoryAccess::ALIGNED.bits();
        Ok(self.b.emit(Op::Load, pair_ty, &[pointer.0, access, 8]))
    }

    /// A block of pairs.
    fn table_block(&mut self) -> Id {
        if let Some(block) = self.resources.heap_tables.block {
            return block;
        }
        let b = &mut self.b;
        let pair_ty = pair_type(b);
        let array = b.strided_array(pair_ty, 0, 8);
        let block = b.unique_struct(&[array]);
        b.decorate(block, Decoration::Block, &[]);
        b.member_decorate(block, 0, Decoration::Offset, &[0]);
        b.member_decorate(block, 0, Decoration::NonWritable, &[]);
        self.resources.heap_tables.block = Some(block);
        block
    }

    fn table_variable(&mut self, slot: DescriptorSlot) -> Id {
        let tables = &self.resources.heap_tables;
        if let Some(&(_, id)) = tables.variables.iter().find(|(other, _)| *other == slot) {
            return id;
        }
        let block = self.table_block();
        let b = &mut self.b;
        let pointer = b.pointer(StorageClass::StorageBuffer, block);
        let id = b.global_variable(StorageClass::StorageBuffer, pointer, None);
        b.decorate(id, Decoration::DescriptorSet, &[slot.set]);
        b.decorate(id, Decoration::Binding, &[slot.binding]);
        if self.options.debug_info {
            self.b.name(id, "heap_table");
        }
        self.resources.heap_tables.variables.push((slot, id));
        id
    }

    /// Counts the hidden counter: up gives its old value, down the new one; without one both give 0.
    pub(in crate::lower) fn count(&mut self, handle: &Handle<'a>, up: bool) -> Result<Id> {
        let counter = match handle.view.location {
            Location::Descriptor { counter, .. } | Location::Heap { counter, .. } => counter,
            Location::PushConstants { .. }
            | Location::DeviceAddress { .. }
            | Location::AddressTable { .. } => None,
        };
        let counter = counter.ok_or_else(|| {
            Error::new(ErrorKind::Unbound(format!(
                "the counter of {}",
                handle.view.describe()
            )))
        })?;
        match counter {
            Counter::Buffer(_) => {
                let zero = self.b.const_u32(0);
                let pointer = self.element_pointer(handle, Leaf::Counter, zero, None)?;
                Ok(self.step_counter(up, pointer))
            }
            Counter::TexelBuffer(slot) => {
                let pointer = self.counter_texel(handle, slot)?;
                Ok(self.step_counter(up, pointer))
            }
            Counter::Addresses {
                slot,
                stride,
                offset,
            } => {
                let index = self.checked_counter(handle.index);
                let address = self.load_pair(slot, index, stride, offset);
                self.counter_behind_address(up, address)
            }
            Counter::AddressesBehind {
                slot,
                stride,
                offset,
            } => {
                let index = self.checked_counter(handle.index);
                let address = self.load_pair_behind(slot, index, stride, offset)?;
                self.counter_behind_address(up, address)
            }
        }
    }

    fn step_counter(&mut self, up: bool, pointer: Id) -> Id {
        let instruction = if up { Op::AtomicIAdd } else { Op::AtomicISub };
        let word = self.b.u32();
        let scope = self.b.const_u32(crate::spirv::Scope::Device as u32);
        let relaxed = self.b.const_u32(0);
        let one = self.b.const_u32(1);
        let old = self
            .b
            .emit(instruction, word, &[pointer, scope, relaxed, one]);
        if up {
            old
        } else {
            self.b.emit(Op::ISub, word, &[old, one])
        }
    }

    /// An address of 0 is no counter.
    fn counter_behind_address(&mut self, up: bool, address: Id) -> Result<Id> {
        self.physical_addresses()?;
        let word = self.b.u32();
        let bool_ty = self.b.bool();
        let halves = [0, 1].map(|i| self.b.extract(word, address, i));
        let any = self.b.emit(Op::BitwiseOr, word, &halves);
        let zero = self.b.const_u32(0);
        let there = self.b.emit(Op::INotEqual, bool_ty, &[any, zero]);
        let guard = self.begin_if(there);
        let block = self.data_block(Leaf::Counter, 0, false);
        let block_ty = self
            .b
            .pointer(StorageClass::PhysicalStorageBuffer, block.ty);
        let base = self.b.bitcast(block_ty, address);
        let pointer_ty = self.b.pointer(StorageClass::PhysicalStorageBuffer, word);
        let pointer = self.b.access_chain(pointer_ty, base, &[zero]);
        let counted = self.step_counter(up, pointer);
        Ok(self.end_if_with(guard, word, counted, zero))
    }

    /// A texel pointer to a counter in a texel buffer.
    fn counter_texel(&mut self, handle: &Handle<'a>, slot: DescriptorSlot) -> Result<Id> {
        let (variable, image_ty) = self.counter_image(handle.view, slot);
        let word = self.b.u32();
        let zero = self.b.const_u32(0);
        let mut image = variable;
        if super::variables::is_arrayed(handle.view) {
            self.b.capability(if handle.non_uniform {
                Capability::StorageTexelBufferArrayNonUniformIndexing
            } else {
                Capability::StorageTexelBufferArrayDynamicIndexing
            });
            self.descriptor_indexing_extension();
            let pointer_ty = self.b.pointer(StorageClass::UniformConstant, image_ty);
            image = self.b.access_chain(pointer_ty, variable, &[handle.index]);
            if handle.non_uniform {
                self.b.capability(Capability::ShaderNonUniform);
            }
            self.mark_non_uniform(handle, image);
        }
        let pointer_ty = self.b.pointer(StorageClass::Image, word);
        let pointer = self
            .b
            .emit(Op::ImageTexelPointer, pointer_ty, &[image, zero, zero]);
        self.mark_non_uniform(handle, pointer);
        Ok(pointer)
    }
}

fn pair_type(b: &mut Builder) -> Id {
    let word = b.u32();
    b.vector(word, 2)
}
