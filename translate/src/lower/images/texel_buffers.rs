//! Typed buffers, and words of raw and structured ones, as SPIR-V's texel buffers: images whose
//! dimension is `Buffer`.

use dxil_frontend::dxil::ResourceClass;
use dxil_frontend::ir::ValueId;

use super::texel_bounds::{self, Texel};
use super::texels;
use crate::Result;
use crate::lower::blocks;
use crate::lower::context::Context;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::resources::{heap_tables, pointers};
use crate::lower::values::{Call, LoweredValue};
use crate::spirv::{Id, Op};

/// Returns the texel at an index; zero beyond the buffer.
pub(in crate::lower) fn load<'a>(
    cx: &mut Context<'a>,
    call: &Call,
    handle: &ResourceHandle<'a>,
    index: ValueId,
) -> Result<LoweredValue> {
    let index = cx.id(index)?;
    let texel = load_texel(cx, handle, index)?;
    let resident = cx.b.const_u32(1);
    texels::texel_result(cx, call, handle, texel, resident)
}

/// Returns a word of a raw or structured buffer; zero beyond it.
pub(in crate::lower) fn load_word<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    index: Id,
) -> Result<Id> {
    let texel = load_texel(cx, handle, index)?;
    let word = cx.b.u32();
    Ok(cx.b.extract(word, texel, 0))
}

fn load_texel<'a>(cx: &mut Context<'a>, handle: &ResourceHandle<'a>, index: Id) -> Result<Id> {
    let index = heap_tables::placed_texel(cx, handle, index);
    let (image, _) = pointers::load_object(cx, handle)?;
    let storage = handle.view.class == ResourceClass::Uav;
    let instruction = if storage {
        Op::ImageRead
    } else {
        Op::ImageFetch
    };
    let ty = texels::texel_vector_ty(&mut cx.b, handle);
    let mut at = Texel::at(image, index);
    let inside = texel_bounds::is_inside(&mut cx.b, &cx.input, handle, &at)?;
    if let Some(inside) = inside {
        at = texel_bounds::or_first_texel(&mut cx.b, handle, at, inside)?;
    }
    let mut texel = cx.b.emit(instruction, ty, &[image, at.coords]);
    if let Some(inside) = inside {
        texel = texel_bounds::or_zero_texel(&mut cx.b, ty, inside, texel);
    }
    Ok(texel)
}

/// Writes a texel; a write beyond the buffer has no effect.
pub(in crate::lower) fn store<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    index: ValueId,
    values: [ValueId; 4],
) -> Result<()> {
    let index = cx.id(index)?;
    let texel = texels::texel_operand(cx, handle, values)?;
    store_texel(cx, handle, index, texel)
}

/// Writes a word of a raw or structured buffer; a write beyond it has no effect.
pub(in crate::lower) fn store_word<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    index: Id,
    word: Id,
) -> Result<()> {
    let ty = texels::texel_vector_ty(&mut cx.b, handle);
    let zero = cx.b.const_u32(0);
    let texel = cx.b.construct(ty, &[word, zero, zero, zero]);
    store_texel(cx, handle, index, texel)
}

fn store_texel<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    index: Id,
    texel: Id,
) -> Result<()> {
    let index = heap_tables::placed_texel(cx, handle, index);
    let (image, _) = pointers::load_object(cx, handle)?;
    // A write has no harmless place to go, so it is skipped.
    let inside = texel_bounds::is_inside(&mut cx.b, &cx.input, handle, &Texel::at(image, index))?;
    let guard = inside.map(|inside| blocks::begin_if(cx, inside));
    cx.b.emit_void(Op::ImageWrite, &[image, index, texel]);
    if let Some(guard) = guard {
        blocks::end_if(cx, guard);
    }
    Ok(())
}
