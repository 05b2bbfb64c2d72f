//! Side tables of a descriptor heap: the range of a buffer that a descriptor selects, and the
//! address of the hidden counter of a UAV. Both are storage buffers of pairs of words, indexed like
//! the heap.

use super::resource_variables::{self, ResourceHandle};
use crate::lower::context::Context;
use crate::lower::resources::layer_words;
use crate::lower::resources::state::Leaf;
use crate::spirv::{Builder, Decoration, Id, MemoryAccess, Op, StorageClass};
use crate::{DescriptorSlot, Location, Result};

/// An element past the end of every buffer, whatever its element size: four times this number still
/// fits into 32 bits.
const NO_WORD: u32 = 0x3fff_fffc;
/// A texel past the end of every buffer.
const NO_TEXEL: u32 = u32::MAX;

/// Returns the element of the bound buffer for an element of the resource: the first element of the
/// descriptor's range plus the index, or an element past the end of every buffer if the range ends
/// before it.
pub(super) fn placed_word<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    leaf: Leaf,
    element: Id,
) -> Id {
    // Counts in the table are bytes; elements are words of a leaf.
    let log2 = match leaf {
        Leaf::U16 => 1,
        Leaf::U32 => 2,
        Leaf::U64 => 3,
        // Rows and objects never have a range table, see `leaves::rows_of`.
        Leaf::Row
        | Leaf::Triple
        | Leaf::Pair
        | Leaf::Row16
        | Leaf::Triple16
        | Leaf::Pair16
        | Leaf::Counter
        | Leaf::Object => return element,
    };
    placed(cx, handle, element, log2, NO_WORD)
}

/// Returns the same for a texel of a typed buffer.
pub(in crate::lower) fn placed_texel<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    element: Id,
) -> Id {
    placed(cx, handle, element, 0, NO_TEXEL)
}

fn placed<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    element: Id,
    log2: u32,
    outside: u32,
) -> Id {
    let Some([first, count]) = range_of(cx, handle) else {
        return element;
    };
    let word = cx.b.u32();
    let bool_ty = cx.b.bool();
    let first = cx.b.u32_shr(first, log2);
    let count = cx.b.u32_shr(count, log2);
    // An element outside of the range is moved beyond the whole buffer, so that the device's own
    // bounds check answers.
    let inside = cx.b.emit(Op::ULessThan, bool_ty, &[element, count]);
    let absolute = cx.b.u32_add(element, first);
    let outside = cx.b.const_u32(outside);
    cx.b.select(word, inside, absolute, outside)
}

/// Returns the number of bytes or texels of a descriptor with a range table.
pub(in crate::lower) fn range_length<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
) -> Option<Id> {
    range_of(cx, handle).map(|[_, count]| count)
}

/// Returns first element and count of the descriptor's range, from the table.
fn range_of<'a>(cx: &mut Context<'a>, handle: &ResourceHandle<'a>) -> Option<[Id; 2]> {
    let Location::Heap {
        ranges: Some(table),
        ..
    } = handle.view.location
    else {
        return None;
    };
    let word = cx.b.u32();
    let label = cx.block.label;
    let tables = &mut cx.module.resources.heap_tables;
    // A load of an earlier block need not dominate this one.
    if tables.loaded_in != label {
        tables.loaded.clear();
        tables.loaded_in = label;
    }
    let known = tables.loaded.get(&(table, handle.index)).copied();
    let pair = match known {
        Some(pair) => pair,
        None => {
            let pair = load_pair(cx, table.slot, handle.index, table.stride, table.offset);
            let loaded = &mut cx.module.resources.heap_tables.loaded;
            loaded.insert((table, handle.index), pair);
            pair
        }
    };
    Some([0, 1].map(|i| cx.b.extract(word, pair, i)))
}

/// Returns the pair of words at `index * stride + offset` of a table.
pub(in crate::lower) fn load_pair(
    cx: &mut Context<'_>,
    slot: DescriptorSlot,
    index: Id,
    stride: u32,
    offset: u32,
) -> Id {
    let table = table_variable(cx, slot);
    let entry = table_entry(&mut cx.b, index, stride, offset);
    let pair_ty = pair_type(&mut cx.b);
    let pointer_ty = cx.b.pointer(StorageClass::StorageBuffer, pair_ty);
    let zero = cx.b.const_u32(0);
    let pointer = cx.b.access_chain(pointer_ty, table, &[zero, entry]);
    cx.b.load(pair_ty, pointer)
}

fn table_entry(b: &mut Builder, index: Id, stride: u32, offset: u32) -> Id {
    let scaled = b.u32_mul(index, stride);
    let offset = b.const_u32(offset);
    b.u32_add(scaled, offset)
}

/// Returns the same where the table lies at an address that a uniform buffer holds.
pub(super) fn load_pair_behind(
    cx: &mut Context<'_>,
    slot: DescriptorSlot,
    index: Id,
    stride: u32,
    offset: u32,
) -> Result<Id> {
    resource_variables::physical_addresses(&mut cx.b, &cx.input)?;
    let address = layer_words::uniform_pair(cx, slot);
    let entry = table_entry(&mut cx.b, index, stride, offset);
    let block = table_block(cx);
    let class = StorageClass::PhysicalStorageBuffer;
    let block_ty = cx.b.pointer(class, block);
    let table = cx.b.bitcast(block_ty, address);
    let pair_ty = pair_type(&mut cx.b);
    let pointer_ty = cx.b.pointer(class, pair_ty);
    let zero = cx.b.const_u32(0);
    let pointer = cx.b.access_chain(pointer_ty, table, &[zero, entry]);
    let access = MemoryAccess::ALIGNED.bits();
    Ok(cx.b.emit(Op::Load, pair_ty, &[pointer.0, access, 8]))
}

/// Returns a block of pairs.
fn table_block(cx: &mut Context<'_>) -> Id {
    if let Some(block) = cx.module.resources.heap_tables.block {
        return block;
    }
    let b = &mut cx.b;
    let pair_ty = pair_type(b);
    // The array's stride and the block's decorations belong to the type, so it must be one of its
    // own.
    let array = b.strided_array(pair_ty, 0, 8);
    let block = b.unique_struct(&[array]);
    b.decorate(block, Decoration::Block, &[]);
    b.member_decorate(block, 0, Decoration::Offset, &[0]);
    b.member_decorate(block, 0, Decoration::NonWritable, &[]);
    cx.module.resources.heap_tables.block = Some(block);
    block
}

fn table_variable(cx: &mut Context<'_>, slot: DescriptorSlot) -> Id {
    let tables = &cx.module.resources.heap_tables;
    if let Some(&(_, id)) = tables.variables.iter().find(|(other, _)| *other == slot) {
        return id;
    }
    let block = table_block(cx);
    let b = &mut cx.b;
    let pointer = b.pointer(StorageClass::StorageBuffer, block);
    let id = b.global_variable(StorageClass::StorageBuffer, pointer, None);
    b.decorate(id, Decoration::DescriptorSet, &[slot.set]);
    b.decorate(id, Decoration::Binding, &[slot.binding]);
    if cx.input.options.debug_info {
        cx.b.name(id, "heap_table");
    }
    cx.module.resources.heap_tables.variables.push((slot, id));
    id
}

fn pair_type(b: &mut Builder) -> Id {
    let word = b.u32();
    b.vector(word, 2)
}
