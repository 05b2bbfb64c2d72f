//! Loads and stores in variables of integer cells (see [`super::variables`]).

use dxil_frontend::ir::{Type, TypeId};

use crate::lower::Lowering;
use crate::lower::types::{Scalar, Shape};
use crate::spirv::{Id, Op, StorageClass};
use crate::{Error, Result};

/// Cells that a scalar takes at most.
const MOST_CELLS: usize = 4;

/// A variable that is an array of unsigned integers, whatever the IR looks at it as.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct CellArray {
    /// The variable.
    pub(in crate::lower) variable: Id,
    /// Bits per cell.
    pub(in crate::lower) width: u32,
    /// Storage class.
    pub(in crate::lower) class: StorageClass,
}

/// One cell, where a value begins.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Cell {
    /// The variable that it is in.
    pub(in crate::lower) array: CellArray,
    /// Its index there.
    pub(in crate::lower) index: Id,
}

impl CellArray {
    /// The cell of that index.
    pub(in crate::lower) fn at(self, index: Id) -> Cell {
        Cell { array: self, index }
    }
}

impl Lowering<'_> {
    /// Address of one cell.
    pub(in crate::lower) fn cell_address(&mut self, cell: Cell) -> Id {
        let ty = self.b.uint(cell.array.width);
        let pointer = self.b.pointer(cell.array.class, ty);
        self.b
            .access_chain(pointer, cell.array.variable, &[cell.index])
    }

    /// The cell that lies `count` cells behind another.
    pub(in crate::lower) fn cell_behind(&mut self, cell: Cell, count: u32) -> Cell {
        let step = self.b.const_u32(count);
        cell.array.at(self.b.u32_add(cell.index, step))
    }

    /// Loads a value of type `ty` that begins at a cell.
    pub(in crate::lower) fn load_cells(&mut self, cell: Cell, ty: TypeId) -> Result<Id> {
        let Some(members) = self.members(ty)? else {
            return self.load_scalar_cells(cell, ty);
        };
        let mut ids = Vec::with_capacity(members.len());
        for (offset, member) in members {
            let at = self.member_cell(cell, offset)?;
            ids.push(self.load_cells(at, member)?);
        }
        let ty = self.ty(ty)?;
        Ok(self.b.construct(ty, &ids))
    }

    /// Stores a value of type `ty` from a cell on.
    pub(in crate::lower) fn store_cells(
        &mut self,
        cell: Cell,
        ty: TypeId,
        value: Id,
    ) -> Result<()> {
        let Some(members) = self.members(ty)? else {
            return self.store_scalar_cells(cell, ty, value);
        };
        for (position, (offset, member)) in members.into_iter().enumerate() {
            let at = self.member_cell(cell, offset)?;
            let member_ty = self.ty(member)?;
            let part = self.b.extract(member_ty, value, position as u32);
            self.store_cells(at, member, part)?;
        }
        Ok(())
    }

    /// Byte offsets and types of an aggregate's members; `None` for a scalar.
    pub(in crate::lower) fn members(&self, ty: TypeId) -> Result<Option<Vec<(u64, TypeId)>>> {
        let types = &self.view.module.types;
        let layout = &self.memory.layout;
        Ok(match types.get(ty) {
            Type::Array { element, count } => {
                let size = layout.size(types, *element);
                if *count > 256 {
                    return Err(Error::unsupported("a big array as a value"));
                }
                Some((0..*count).map(|i| (i * size, *element)).collect())
            }
            Type::Vector { element, count } => {
                let size = layout.size(types, *element);
                Some(
                    (0..u64::from(*count))
                        .map(|i| (i * size, *element))
                        .collect(),
                )
            }
            Type::Struct { fields, .. } => Some(
                fields
                    .iter()
                    .enumerate()
                    .map(|(i, &field)| (layout.field_offset(types, ty, i), field))
                    .collect(),
            ),
            _ => None,
        })
    }

    /// The cell of a member that lies so many bytes behind a cell.
    fn member_cell(&mut self, cell: Cell, offset: u64) -> Result<Cell> {
        let bytes = u64::from(cell.array.width / 8);
        if !offset.is_multiple_of(bytes) {
            return Err(Error::unsupported("a member between two memory cells"));
        }
        Ok(self.cell_behind(cell, (offset / bytes) as u32))
    }

    /// Bits that a scalar takes in memory, and how many cells hold them.
    fn scalar_cells(&self, ty: TypeId, width: u32) -> Result<(u32, u32)> {
        let stored = (self.memory.layout.size(&self.view.module.types, ty) * 8) as u32;
        let count = (stored / width).max(1);
        if count > MOST_CELLS as u32 {
            return Err(Error::unsupported("a value of more than four memory cells"));
        }
        Ok((stored, count))
    }

    fn load_scalar_cells(&mut self, cell: Cell, ty: TypeId) -> Result<Id> {
        let scalar = self.scalar(ty)?;
        let width = cell.array.width;
        let (stored, count) = self.scalar_cells(ty, width)?;
        let cell_ty = self.b.uint(width);
        let mut cells = [Id::NONE; MOST_CELLS];
        for (offset, loaded) in cells[..count as usize].iter_mut().enumerate() {
            let at = self.cell_behind(cell, offset as u32);
            let address = self.cell_address(at);
            *loaded = self.b.load(cell_ty, address);
        }
        let mut bits = cells[0];
        let mut have = width;
        if count == 2 && width == 32 {
            have = stored;
            let whole = Scalar::Int {
                bits: 64,
                width: 64,
            };
            bits = self.join_words(cells[0], cells[1], whole)?;
        } else if count > 1 {
            have = stored;
            let vector = self.b.vector(cell_ty, count);
            let all = self.b.construct(vector, &cells[..count as usize]);
            let whole = self.b.uint(stored);
            bits = self.b.bitcast(whole, all);
        }
        self.from_bits(scalar, bits, have)
    }

    fn store_scalar_cells(&mut self, cell: Cell, ty: TypeId, value: Id) -> Result<()> {
        let scalar = self.scalar(ty)?;
        let width = cell.array.width;
        let (stored, count) = self.scalar_cells(ty, width)?;
        let have = if count > 1 { stored } else { width };
        let bits = self.to_bits(scalar, value, have)?;
        let cell_ty = self.b.uint(width);
        let mut cells = [bits; MOST_CELLS];
        if count == 2 && width == 32 {
            let halves = self.split_words(
                bits,
                Scalar::Int {
                    bits: 64,
                    width: 64,
                },
            );
            cells[..2].copy_from_slice(&halves);
        } else if count > 1 {
            let vector = self.b.vector(cell_ty, count);
            let all = self.b.bitcast(vector, bits);
            for (offset, part) in cells[..count as usize].iter_mut().enumerate() {
                *part = self.b.extract(cell_ty, all, offset as u32);
            }
        }
        for (offset, &part) in cells[..count as usize].iter().enumerate() {
            let at = self.cell_behind(cell, offset as u32);
            let address = self.cell_address(at);
            self.b.store(address, part);
        }
        Ok(())
    }

    /// A scalar from an unsigned integer of `have` bits.
    pub(in crate::lower) fn from_bits(
        &mut self,
        scalar: Scalar,
        bits: Id,
        have: u32,
    ) -> Result<Id> {
        let ty = self.scalar_ty(scalar)?;
        Ok(match scalar {
            Scalar::Bool => {
                let zero = self.b.const_uint(have, 0);
                self.b.emit(Op::INotEqual, ty, &[bits, zero])
            }
            Scalar::Int { width, .. } if width == have => bits,
            Scalar::Int { .. } => self.b.emit(Op::UConvert, ty, &[bits]),
            Scalar::Float {
                bits: 16,
                width: 32,
            } => {
                let word = self.resize_uint(bits, have, 32);
                self.half_from_bits(word)?
            }
            Scalar::Float { width, .. } => {
                let bits = self.resize_uint(bits, have, width);
                self.b.bitcast(ty, bits)
            }
        })
    }

    /// A scalar as an unsigned integer of `want` bits (upper bits zero or undefined).
    pub(in crate::lower) fn to_bits(&mut self, scalar: Scalar, value: Id, want: u32) -> Result<Id> {
        Ok(match scalar {
            Scalar::Bool => {
                let ty = self.b.uint(want);
                let one = self.b.const_uint(want, 1);
                let zero = self.b.const_uint(want, 0);
                self.b.select(ty, value, one, zero)
            }
            Scalar::Int { width, .. } => self.resize_uint(value, width, want),
            Scalar::Float {
                bits: 16,
                width: 32,
            } => {
                let word = self.half_to_bits(Shape::scalar(scalar), value)?;
                self.resize_uint(word, 32, want)
            }
            Scalar::Float { width, .. } => {
                let ty = self.b.uint(width);
                let bits = self.b.bitcast(ty, value);
                self.resize_uint(bits, width, want)
            }
        })
    }

    /// An unsigned integer in another width.
    pub(in crate::lower) fn resize_uint(&mut self, value: Id, have: u32, want: u32) -> Id {
        if have == want {
            return value;
        }
        let ty = self.b.uint(want);
        self.b.emit(Op::UConvert, ty, &[value])
    }
}
