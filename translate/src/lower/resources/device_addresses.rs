//! Loads from device addresses that the shader computes, for vendors' shader extensions.

use dxil_frontend::ir::ValueId;

use super::resource_variables;
use super::state::Leaf;
use crate::Result;
use crate::lower::context::Context;
use crate::lower::values::LoweredValue;
use crate::spirv::{Id, MemoryAccess, Op, StorageClass};

/// Returns the word at an address, whose words are given low one first, plus an offset in bytes.
pub(in crate::lower) fn load_word(
    cx: &mut Context<'_>,
    address: [ValueId; 2],
    offset: ValueId,
) -> Result<LoweredValue> {
    resource_variables::physical_addresses(&mut cx.b, &cx.input)?;
    let [low, high] = cx.ids(address)?;
    let offset = cx.id(offset)?;
    let class = StorageClass::PhysicalStorageBuffer;
    let block = resource_variables::data_block(cx, Leaf::U32, 0, false);
    let b = &mut cx.b;
    let (word, bool_ty) = (b.u32(), b.bool());
    let [zero, one] = [0, 1].map(|number| b.const_u32(number));
    // A sum of words that is less than one of them has a carry; this takes no Int64.
    let sum = b.emit(Op::IAdd, word, &[low, offset]);
    let carries = b.emit(Op::ULessThan, bool_ty, &[sum, low]);
    let carry = b.select(word, carries, one, zero);
    let high = b.emit(Op::IAdd, word, &[high, carry]);
    let pair = b.vector(word, 2);
    let address = b.construct(pair, &[sum, high]);
    let block_ty = b.pointer(class, block.ty);
    let memory = b.bitcast(block_ty, address);
    let pointer_ty = b.pointer(class, word);
    let pointer = b.access_chain(pointer_ty, memory, &[zero, zero]);
    // Accesses through physical pointers must state an alignment
    // (VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708).
    let access = MemoryAccess::ALIGNED.bits();
    let loaded = b.emit(Op::Load, word, &[pointer.0, access, 4]);
    Ok(LoweredValue::Id(loaded))
}

/// Returns the pointer to a word behind an address, whose words are given low one first.
pub(in crate::lower) fn word_pointer(
    cx: &mut Context<'_>,
    address: [ValueId; 2],
    word: Id,
) -> Result<Id> {
    resource_variables::physical_addresses(&mut cx.b, &cx.input)?;
    let address = cx.ids(address)?;
    let class = StorageClass::PhysicalStorageBuffer;
    let block = resource_variables::data_block(cx, Leaf::U32, 0, false);
    let b = &mut cx.b;
    let (word_ty, zero) = (b.u32(), b.const_u32(0));
    let pair = b.vector(word_ty, 2);
    let address = b.construct(pair, &address);
    let block_ty = b.pointer(class, block.ty);
    let memory = b.bitcast(block_ty, address);
    let pointer_ty = b.pointer(class, word_ty);
    Ok(b.access_chain(pointer_ty, memory, &[zero, word]))
}
