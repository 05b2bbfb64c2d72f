//! Loads and stores in variables of integer cells (see [`super::variables`]).

use dxil_frontend::ir::{Type, TypeId};

use crate::lower::context::{Context, Input};
use crate::lower::memory::state::{Cell, CellArray};
use crate::lower::numbers::half;
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::spirv::{Builder, Id, Op};
use crate::{Error, Result};

/// Maximum number of cells of a scalar.
const MAX_CELLS: usize = 4;

impl CellArray {
    /// Returns the cell of that index.
    pub(super) fn at(self, index: Id) -> Cell {
        Cell { array: self, index }
    }
}

/// Refuses a view of narrower elements.
pub(super) fn check_view(cell: Cell) -> Result<()> {
    if cell.array.is_narrower_view {
        return Err(Error::unsupported(
            "memory of wider elements as an array of narrower ones",
        ));
    }
    Ok(())
}

/// Returns the address of one cell.
pub(super) fn cell_address(b: &mut Builder, cell: Cell) -> Id {
    let ty = b.uint(cell.array.width);
    let pointer = b.pointer(cell.array.class, ty);
    b.access_chain(pointer, cell.array.variable, &[cell.index])
}

/// Returns the cell that lies `count` cells after another.
fn cell_behind(b: &mut Builder, cell: Cell, count: u32) -> Cell {
    let step = b.const_u32(count);
    cell.array.at(b.u32_add(cell.index, step))
}

/// Loads a value of type `ty` that begins at a cell.
pub(super) fn load_cells(cx: &mut Context<'_>, cell: Cell, ty: TypeId) -> Result<Id> {
    check_view(cell)?;
    let Some(members) = members_of(cx, ty)? else {
        return load_scalar_cells(cx, cell, ty);
    };
    let mut ids = Vec::with_capacity(members.len());
    for (offset, member) in members {
        let at = member_cell(&mut cx.b, cell, offset)?;
        ids.push(load_cells(cx, at, member)?);
    }
    let ty = types::lower(cx, ty)?;
    Ok(cx.b.construct(ty, &ids))
}

/// Stores a value of type `ty` from a cell on.
pub(super) fn store_cells(cx: &mut Context<'_>, cell: Cell, ty: TypeId, value: Id) -> Result<()> {
    check_view(cell)?;
    let Some(members) = members_of(cx, ty)? else {
        return store_scalar_cells(cx, cell, ty, value);
    };
    for (position, (offset, member)) in members.into_iter().enumerate() {
        let at = member_cell(&mut cx.b, cell, offset)?;
        let member_ty = types::lower(cx, member)?;
        let part = cx.b.extract(member_ty, value, position as u32);
        store_cells(cx, at, member, part)?;
    }
    Ok(())
}

/// Returns the byte offsets and types of an aggregate's members; `None` for a scalar.
pub(in crate::lower) fn members_of(
    cx: &Context<'_>,
    ty: TypeId,
) -> Result<Option<Vec<(u64, TypeId)>>> {
    cx.check_growth()?;
    let types = cx.input.types();
    let layout = &cx.input.analyses.layout;
    Ok(match types.get(ty) {
        Type::Array { element, count } => {
            let size = layout.size(types, *element);
            // Aggregates are taken apart member by member, which would be slow and large for big
            // arrays.
            if *count > 256 {
                return Err(Error::unsupported("a big array as a value"));
            }
            let offsets = (0..*count).map(|i| (i.saturating_mul(size), *element));
            Some(offsets.collect())
        }
        Type::Vector { element, count } => {
            let size = layout.size(types, *element);
            let offsets = (0..u64::from(*count)).map(|i| (i.saturating_mul(size), *element));
            Some(offsets.collect())
        }
        Type::Struct { fields, .. } => {
            let offsets = layout.field_offsets(types, ty);
            Some(offsets.into_iter().zip(fields.iter().copied()).collect())
        }
        _ => None,
    })
}

/// Returns the cell of a member at a byte offset from a cell.
fn member_cell(b: &mut Builder, cell: Cell, offset: u64) -> Result<Cell> {
    let bytes = u64::from(cell.array.width / 8);
    if !offset.is_multiple_of(bytes) {
        return Err(Error::unsupported("a member between two memory cells"));
    }
    let Ok(count) = u32::try_from(offset / bytes) else {
        return Err(Error::unsupported("a value of more than 4 GiB"));
    };
    Ok(cell_behind(b, cell, count))
}

/// Returns the size of a scalar in memory in bits, and the number of its cells.
fn scalar_cells(input: &Input<'_>, ty: TypeId, width: u32) -> Result<(u32, u32)> {
    let stored = (input.analyses.layout.size(input.types(), ty) * 8) as u32;
    let count = (stored / width).max(1);
    // 64 bits in cells of 16 are four; cells of 8 bits hold no doubles.
    if count > MAX_CELLS as u32 {
        return Err(Error::unsupported("a value of more than four memory cells"));
    }
    Ok((stored, count))
}

fn load_scalar_cells(cx: &mut Context<'_>, cell: Cell, ty: TypeId) -> Result<Id> {
    // A scalar wider than a cell is put together, a narrower one lies in the cell's low bits.
    let scalar = types::scalar(cx, ty)?;
    let width = cell.array.width;
    let (stored, count) = scalar_cells(&cx.input, ty, width)?;
    let cell_ty = cx.b.uint(width);
    let mut cells = [Id::NONE; MAX_CELLS];
    for (offset, loaded) in cells[..count as usize].iter_mut().enumerate() {
        let at = cell_behind(&mut cx.b, cell, offset as u32);
        let address = cell_address(&mut cx.b, at);
        *loaded = cx.b.load(cell_ty, address);
    }
    let mut bits = cells[0];
    let mut have = width;
    if count > 1 {
        have = stored;
        let vector = cx.b.vector(cell_ty, count);
        let all = cx.b.construct(vector, &cells[..count as usize]);
        let whole = cx.b.uint(stored);
        bits = cx.b.bitcast(whole, all);
    }
    from_bits(cx, scalar, bits, have)
}

fn store_scalar_cells(cx: &mut Context<'_>, cell: Cell, ty: TypeId, value: Id) -> Result<()> {
    let scalar = types::scalar(cx, ty)?;
    let width = cell.array.width;
    let (stored, count) = scalar_cells(&cx.input, ty, width)?;
    // Narrow values fill the whole cell: their upper bits are never read.
    let have = if count > 1 { stored } else { width };
    let bits = to_bits(&mut cx.b, scalar, value, have)?;
    let cell_ty = cx.b.uint(width);
    let mut cells = [bits; MAX_CELLS];
    if count > 1 {
        let vector = cx.b.vector(cell_ty, count);
        let all = cx.b.bitcast(vector, bits);
        for (offset, part) in cells[..count as usize].iter_mut().enumerate() {
            *part = cx.b.extract(cell_ty, all, offset as u32);
        }
    }
    for (offset, &part) in cells[..count as usize].iter().enumerate() {
        let at = cell_behind(&mut cx.b, cell, offset as u32);
        let address = cell_address(&mut cx.b, at);
        cx.b.store(address, part);
    }
    Ok(())
}

/// Returns a scalar from an unsigned integer of `have` bits.
pub(in crate::lower) fn from_bits(
    cx: &mut Context<'_>,
    scalar: Scalar,
    bits: Id,
    have: u32,
) -> Result<Id> {
    let ty = types::scalar_ty(cx, scalar)?;
    Ok(match scalar {
        Scalar::Bool => {
            let zero = cx.b.const_uint(have, 0);
            cx.b.emit(Op::INotEqual, ty, &[bits, zero])
        }
        Scalar::Int { width, .. } if width == have => bits,
        Scalar::Int { .. } => cx.b.emit(Op::UConvert, ty, &[bits]),
        Scalar::Float {
            bits: 16,
            width: 32,
        } => {
            // A half that lives in a float has to be packed and unpacked; a bit cast would give the
            // float's bits.
            let word = resize_uint(&mut cx.b, bits, have, 32);
            half::half_from_bits(&mut cx.b, word)?
        }
        Scalar::Float { width, .. } => {
            let bits = resize_uint(&mut cx.b, bits, have, width);
            cx.b.bitcast(ty, bits)
        }
    })
}

/// Returns a scalar as an unsigned integer of `want` bits (upper bits zero or undefined).
pub(in crate::lower) fn to_bits(
    b: &mut Builder,
    scalar: Scalar,
    value: Id,
    want: u32,
) -> Result<Id> {
    Ok(match scalar {
        Scalar::Bool => {
            let ty = b.uint(want);
            let one = b.const_uint(want, 1);
            let zero = b.const_uint(want, 0);
            b.select(ty, value, one, zero)
        }
        Scalar::Int { width, .. } => resize_uint(b, value, width, want),
        Scalar::Float {
            bits: 16,
            width: 32,
        } => {
            let word = half::half_to_bits(b, NumericShape::scalar(scalar), value)?;
            resize_uint(b, word, 32, want)
        }
        Scalar::Float { width, .. } => {
            let ty = b.uint(width);
            let bits = b.bitcast(ty, value);
            resize_uint(b, bits, width, want)
        }
    })
}

/// Returns an unsigned integer in another width.
pub(in crate::lower) fn resize_uint(b: &mut Builder, value: Id, have: u32, want: u32) -> Id {
    if have == want {
        return value;
    }
    let ty = b.uint(want);
    b.emit(Op::UConvert, ty, &[value])
}
