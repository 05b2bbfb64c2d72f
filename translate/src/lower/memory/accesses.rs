//! Loads and stores through pointers.

use dxil_frontend::ir::{Type, TypeId, ValueId};

use crate::lower::context::{Context, Input};
use crate::lower::graphs::records;
use crate::lower::memory::state::{Pointer, PointerId};
use crate::lower::memory::{addresses, cells, variables};
use crate::lower::{blocks, types};
use crate::spirv::Id;
use crate::{Error, Result};

/// Returns whether a pointer is in bounds, if that is checked.
pub(super) fn guard_of_value(cx: &mut Context<'_>, value: ValueId) -> Result<Option<Id>> {
    let pointer = addresses::lower_pointer(cx, value)?;
    Ok(cx.module.memory.guard_of(pointer))
}

/// Lowers `load`.
pub(super) fn load(cx: &mut Context<'_>, pointer: ValueId, ty: TypeId) -> Result<Id> {
    let pointer = addresses::lower_pointer(cx, pointer)?;
    // SPIR-V has no loads of another type than the pointer's. Variables that are accessed as
    // several types are cells, see [`super::variables`].
    if let Pointer::Typed { pointee, .. } = variables::pointer_data(cx, pointer)? {
        same_type(&cx.input, pointee, ty)?;
    }
    load_whole(cx, pointer, ty)
}

/// Lowers `store`.
pub(super) fn store(cx: &mut Context<'_>, pointer: ValueId, value: ValueId) -> Result<()> {
    let ty = cx.function.type_of(value)?;
    let value = cx.id(value)?;
    let pointer = addresses::lower_pointer(cx, pointer)?;
    if let Pointer::Typed { pointee, .. } = variables::pointer_data(cx, pointer)? {
        same_type(&cx.input, pointee, ty)?;
    }
    store_whole(cx, pointer, ty, value)
}

/// Loads the whole value that a pointer points to.
pub(in crate::lower) fn load_whole(
    cx: &mut Context<'_>,
    pointer: PointerId,
    ty: TypeId,
) -> Result<Id> {
    let Some(inside) = cx.module.memory.guard_of(pointer) else {
        return load_unguarded(cx, pointer, ty);
    };
    // The address of a variable of its own type was clamped, so that the load does no harm outside.
    // A branch would cost more, and drivers join no loads across it.
    if matches!(variables::pointer_data(cx, pointer)?, Pointer::Typed { .. })
        && types::scalar(cx, ty).is_ok()
    {
        let value = load_unguarded(cx, pointer, ty)?;
        let ty = types::lower(cx, ty)?;
        let zero = cx.b.const_null(ty);
        return Ok(cx.b.select(ty, inside, value, zero));
    }
    // Elsewhere the load stays behind the test: an address outside may not be touched even if the
    // result is dropped.
    let part = blocks::begin_if(cx, inside);
    let value = load_unguarded(cx, pointer, ty)?;
    let ty = types::lower(cx, ty)?;
    let zero = cx.b.const_null(ty);
    Ok(blocks::end_if_with(cx, part, ty, value, zero))
}

fn load_unguarded(cx: &mut Context<'_>, pointer: PointerId, ty: TypeId) -> Result<Id> {
    match variables::pointer_data(cx, pointer)? {
        Pointer::Typed { id, .. } => {
            let ty = types::lower(cx, ty)?;
            Ok(cx.b.load(ty, id))
        }
        Pointer::Cells { cell, .. } => cells::load_cells(cx, cell, ty),
        Pointer::Address { address, .. } => records::load_record(cx, address, ty),
    }
}

/// Stores the whole value that a pointer points to.
pub(in crate::lower) fn store_whole(
    cx: &mut Context<'_>,
    pointer: PointerId,
    ty: TypeId,
    whole: Id,
) -> Result<()> {
    let Some(inside) = cx.module.memory.guard_of(pointer) else {
        return store_unguarded(cx, pointer, ty, whole);
    };
    let part = blocks::begin_if(cx, inside);
    store_unguarded(cx, pointer, ty, whole)?;
    blocks::end_if(cx, part);
    Ok(())
}

fn store_unguarded(cx: &mut Context<'_>, pointer: PointerId, ty: TypeId, whole: Id) -> Result<()> {
    match variables::pointer_data(cx, pointer)? {
        Pointer::Typed { id, .. } => {
            cx.b.store(id, whole);
            Ok(())
        }
        Pointer::Cells { cell, .. } => cells::store_cells(cx, cell, ty, whole),
        Pointer::Address { address, .. } => records::store_record(cx, address, ty, whole),
    }
}

/// Loads the float at an offset from a pointer to one, in floats.
pub(super) fn load_float_behind(cx: &mut Context<'_>, pointer: ValueId, offset: Id) -> Result<Id> {
    let ty = cx.b.f32();
    let (address, is_cell) = element_address(cx, pointer, offset)?;
    if !is_cell {
        return Ok(cx.b.load(ty, address));
    }
    let word = cx.b.u32();
    let bits = cx.b.load(word, address);
    Ok(cx.b.bitcast(ty, bits))
}

/// Stores a float at an offset from a pointer to one, in floats.
pub(super) fn store_float_behind(
    cx: &mut Context<'_>,
    pointer: ValueId,
    offset: Id,
    value: Id,
) -> Result<()> {
    let (address, is_cell) = element_address(cx, pointer, offset)?;
    let value = if is_cell {
        let word = cx.b.u32();
        cx.b.bitcast(word, value)
    } else {
        value
    };
    cx.b.store(address, value);
    Ok(())
}

/// Returns the address of a word of an array of 32-bit elements.
///
/// # Errors
///
/// `Unsupported` for memory of other elements.
pub(in crate::lower) fn word_address(
    cx: &mut Context<'_>,
    array: ValueId,
    index: Id,
) -> Result<Id> {
    let pointer = addresses::lower_pointer(cx, array)?;
    match variables::pointer_data(cx, pointer)? {
        Pointer::Typed {
            id, pointee, class, ..
        } => {
            if let Type::Array { element, .. } = *cx.input.types().get(pointee)
                && types::scalar(cx, element)?.width() == 32
            {
                let ty = types::lower(cx, element)?;
                let pointer_ty = cx.b.pointer(class, ty);
                return Ok(cx.b.access_chain(pointer_ty, id, &[index]));
            }
        }
        Pointer::Cells { cell, .. } if cell.array.width == 32 => {
            let index = cx.b.u32_add(cell.index, index);
            return Ok(cells::cell_address(&mut cx.b, cell.array.at(index)));
        }
        Pointer::Cells { .. } | Pointer::Address { .. } => {}
    }
    Err(Error::unsupported(
        "a word of memory that is no array of 32-bit elements",
    ))
}

/// Returns the address of a word after a pointer to an array of 32-bit elements, or to one of them.
///
/// # Errors
///
/// `Unsupported` for memory of other elements.
pub(in crate::lower) fn word_after(
    cx: &mut Context<'_>,
    pointer: ValueId,
    offset: Id,
) -> Result<Id> {
    let lowered = addresses::lower_pointer(cx, pointer)?;
    if let Pointer::Typed {
        pointee,
        array_element: Some((array, at, _)),
        class,
        ..
    } = variables::pointer_data(cx, lowered)?
        && !matches!(cx.input.types().get(pointee), Type::Array { .. })
        && types::scalar(cx, pointee)?.width() == 32
    {
        let at = cx.b.u32_add(at, offset);
        let ty = types::lower(cx, pointee)?;
        let pointer_ty = cx.b.pointer(class, ty);
        return Ok(cx.b.access_chain(pointer_ty, array, &[at]));
    }
    word_address(cx, pointer, offset)
}

/// Returns the address, and whether it is one of a 32-bit cell.
fn element_address(cx: &mut Context<'_>, pointer: ValueId, offset: Id) -> Result<(Id, bool)> {
    let pointer = addresses::lower_pointer(cx, pointer)?;
    // An element's address alone does not lead to its neighbours; the address of the array around
    // it does.
    match variables::pointer_data(cx, pointer)? {
        Pointer::Typed {
            pointee,
            array_element: Some((array, at, _)),
            class,
            ..
        } if *cx.input.types().get(pointee) == Type::Float => {
            let at = cx.b.u32_add(at, offset);
            let ty = cx.b.f32();
            let pointer_ty = cx.b.pointer(class, ty);
            Ok((cx.b.access_chain(pointer_ty, array, &[at]), false))
        }
        Pointer::Cells { cell, .. } if cell.array.width == 32 => {
            let at = cell.array.at(cx.b.u32_add(cell.index, offset));
            Ok((cells::cell_address(&mut cx.b, at), true))
        }
        _ => Err(Error::unsupported(
            "an indexable register that is not in an array of floats",
        )),
    }
}

pub(in crate::lower) fn same_type(
    input: &Input<'_>,
    pointee: TypeId,
    accessed: TypeId,
) -> Result<()> {
    let types = input.types();
    // Two entries of the type table may hold the same type.
    if pointee == accessed || types.get(pointee) == types.get(accessed) {
        Ok(())
    } else {
        Err(Error::unsupported(format!(
            "access of {:?} as {:?}",
            types.get(pointee),
            types.get(accessed)
        )))
    }
}
