//! Root arguments: words of the push constants (or of the uniform buffer that replaces them), and
//! addresses of root descriptors.

use super::resource_variables::{self, ResourceHandle};
use crate::Result;
use crate::interface::View;
use crate::lower::context::Context;
use crate::lower::rays::shader_record;
use crate::lower::resources::state::Leaf;
use crate::spirv::{Decoration, Id, Op, StorageClass};

/// Returns a word of the root arguments that a view's location names.
pub(in crate::lower) fn root_word(cx: &mut Context<'_>, view: &View, index: Id) -> Result<Id> {
    if view.local {
        shader_record::record_word(cx, view, index)
    } else {
        push_word(cx, index)
    }
}

/// Returns a word of push constants that are a struct of rows. naga's HLSL writer treats arrays in
/// push constants like arrays of a constant buffer, whose elements have 16 bytes, and WGSL has no
/// arrays there.
fn portable_push_word(cx: &mut Context<'_>, index: Id) -> Id {
    let class = StorageClass::PushConstant;
    let rows = cx.input.plan.table.push_words.div_ceil(4).max(1);
    let word = cx.b.u32();
    let block = match cx.module.resources.push_block {
        Some(block) => block,
        None => {
            let row = cx.b.vector(word, 4);
            let ty = cx.b.unique_struct(&vec![row; rows as usize]);
            cx.b.decorate(ty, Decoration::Block, &[]);
            for row in 0..rows {
                cx.b.member_decorate(ty, row, Decoration::Offset, &[row * 16]);
            }
            let pointer = cx.b.pointer(class, ty);
            let id = cx.b.global_variable(class, pointer, None);
            cx.module.resources.push_block = Some(id);
            id
        }
    };
    let pointer_ty = cx.b.pointer(class, word);
    let component = cx.b.u32_and(index, 3);
    let row = cx.b.u32_shr(index, 2);
    let load = |cx: &mut Context<'_>, number: Id| {
        let pointer = cx.b.access_chain(pointer_ty, block, &[number, component]);
        cx.b.load(word, pointer)
    };
    if cx.b.literal(row).is_some() {
        return load(cx, row);
    }
    let bool_ty = cx.b.bool();
    let zero = cx.b.const_u32(0);
    let mut found = load(cx, zero);
    for number in 1..rows {
        let number = cx.b.const_u32(number);
        let hit = cx.b.emit(Op::IEqual, bool_ty, &[row, number]);
        let value = load(cx, number);
        found = cx.b.select(word, hit, value, found);
    }
    found
}

/// Returns a word of the push constants, or of the uniform buffer that replaces them.
fn push_word(cx: &mut Context<'_>, index: Id) -> Result<Id> {
    let uniform = cx.input.options.bindings.root_constants;
    if !cx.input.consumer().push_constant_arrays && uniform.is_none() {
        return Ok(portable_push_word(cx, index));
    }
    let class = match uniform {
        Some(_) => StorageClass::Uniform,
        None => StorageClass::PushConstant,
    };
    let block = match cx.module.resources.push_block {
        Some(block) => block,
        None => {
            // A count of 0 would mean a runtime array.
            let words = cx.input.plan.table.push_words.max(1);
            // A uniform buffer's arrays have elements of 16 bytes.
            let (leaf, count) = match uniform {
                Some(_) => (Leaf::Row, words.div_ceil(4)),
                None => (Leaf::U32, words),
            };
            let block = resource_variables::data_block(cx, leaf, count, false);
            let pointer = cx.b.pointer(class, block.ty);
            let id = cx.b.global_variable(class, pointer, None);
            if let Some(slot) = uniform {
                cx.b.decorate(id, Decoration::DescriptorSet, &[slot.set]);
                cx.b.decorate(id, Decoration::Binding, &[slot.binding]);
            }
            if cx.input.options.debug_info {
                cx.b.name(id, "push_constants");
            }
            cx.module.resources.push_block = Some(id);
            id
        }
    };
    let word = cx.b.u32();
    let pointer_ty = cx.b.pointer(class, word);
    let zero = cx.b.const_u32(0);
    let pointer = if uniform.is_some() {
        let row = cx.b.u32_shr(index, 2);
        let component = cx.b.u32_and(index, 3);
        cx.b.access_chain(pointer_ty, block, &[zero, row, component])
    } else {
        cx.b.access_chain(pointer_ty, block, &[zero, index])
    };
    Ok(cx.b.load_unchanging(word, pointer))
}

/// Returns a root descriptor's address: two words, the low one first.
pub(in crate::lower) fn root_address<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    first_word: u32,
) -> Result<Id> {
    // The two words need not be aligned to 8 bytes, so they are loaded one by one.
    let low = cx.b.const_u32(first_word);
    let high = cx.b.const_u32(first_word.wrapping_add(1));
    let low = root_word(cx, handle.view, low)?;
    let high = root_word(cx, handle.view, high)?;
    let word = cx.b.u32();
    let pair_ty = cx.b.vector(word, 2);
    Ok(cx
        .b
        .emit_once(Op::CompositeConstruct, pair_ty, &[low, high]))
}

/// Returns a root descriptor's address as a pointer to that block.
pub(super) fn address_pointer<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    first_word: u32,
    block: Id,
) -> Result<Id> {
    resource_variables::physical_addresses(&mut cx.b, &cx.input)?;
    let pair = root_address(cx, handle, first_word)?;
    let pointer_ty = cx.b.pointer(StorageClass::PhysicalStorageBuffer, block);
    Ok(cx.b.emit_once(Op::Bitcast, pointer_ty, &[pair]))
}
