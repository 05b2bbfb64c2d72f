//! Loads and stores in variables of integer cells (see [`super::variables`]).

use dxil_frontend::ir::{Type, TypeId};

use crate::lower::Lowering;
use crate::lower::types::{Scalar, Shape};
use crate::spirv::{Id, Op, StorageClass};
use crate::{Error, Result};

impl Lowering<'_> {
    /// Address of one cell.
    pub(in crate::lower) fn cell_address(
        &mut self,
        variable: Id,
        index: Id,
        width: u32,
        class: StorageClass,
    ) -> Id {
        let cell = self.b.uint(width);
        let pointer = self.b.pointer(class, cell);
        self.b.access_chain(pointer, variable, &[index])
    }

    /// Loads a value of type `ty` that begins at a cell.
    pub(in crate::lower) fn load_cells(
        &mut self,
        variable: Id,
        index: Id,
        width: u32,
        class: StorageClass,
        ty: TypeId,
    ) -> Result<Id> {
        let Some(members) = self.members(ty)? else {
            return self.load_scalar_cells(variable, index, width, class, ty);
        };
        let mut ids = Vec::with_capacity(members.len());
        for (offset, member) in members {
            let at = self.cell_at(index, offset, width)?;
            ids.push(self.load_cells(variable, at, width, class, member)?);
        }
        let ty = self.ty(ty)?;
        Ok(self.b.construct(ty, &ids))
    }

    /// Stores a value of type `ty` from a cell on.
    pub(in crate::lower) fn store_cells(
        &mut self,
        variable: Id,
        index: Id,
        width: u32,
        class: StorageClass,
        ty: TypeId,
        value: Id,
    ) -> Result<()> {
        let Some(members) = self.members(ty)? else {
            return self.store_scalar_cells(variable, index, width, class, ty, value);
        };
        for (position, (offset, member)) in members.into_iter().enumerate() {
            let at = self.cell_at(index, offset, width)?;
            let member_ty = self.ty(member)?;
            let part = self.b.extract(member_ty, value, position as u32);
            self.store_cells(variable, at, width, class, member, part)?;
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

    fn cell_at(&mut self, index: Id, offset: u64, width: u32) -> Result<Id> {
        let bytes = u64::from(width / 8);
        if !offset.is_multiple_of(bytes) {
            return Err(Error::unsupported("a member between two memory cells"));
        }
        let step = self.b.const_u32((offset / bytes) as u32);
        Ok(self.b.u32_add(index, step))
    }

    fn load_scalar_cells(
        &mut self,
        variable: Id,
        index: Id,
        width: u32,
        class: StorageClass,
        ty: TypeId,
    ) -> Result<Id> {
        let scalar = self.scalar(ty)?;
        let stored = (self.memory.layout.size(&self.view.module.types, ty) * 8) as u32;
        let cell_ty = self.b.uint(width);
        let count = (stored / width).max(1);
        let mut cells = [Id::NONE; 4];
        if count > 4 {
            return Err(Error::unsupported("a value of more than four memory cells"));
        }
        for (offset, cell) in cells[..count as usize].iter_mut().enumerate() {
            let step = self.b.const_u32(offset as u32);
            let at = self.b.u32_add(index, step);
            let address = self.cell_address(variable, at, width, class);
            *cell = self.b.load(cell_ty, address);
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

    fn store_scalar_cells(
        &mut self,
        variable: Id,
        index: Id,
        width: u32,
        class: StorageClass,
        ty: TypeId,
        value: Id,
    ) -> Result<()> {
        let scalar = self.scalar(ty)?;
        let stored = (self.memory.layout.size(&self.view.module.types, ty) * 8) as u32;
        let count = (stored / width).max(1);
        if count > 4 {
            return Err(Error::unsupported("a value of more than four memory cells"));
        }
        let have = if count > 1 { stored } else { width };
        let bits = self.to_bits(scalar, value, have)?;
        let cell_ty = self.b.uint(width);
        let mut cells = [bits; 4];
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
            for (offset, cell) in cells[..count as usize].iter_mut().enumerate() {
                *cell = self.b.extract(cell_ty, all, offset as u32);
            }
        }
        for (offset, &cell) in cells[..count as usize].iter().enumerate() {
            let step = self.b.const_u32(offset as u32);
            let at = self.b.u32_add(index, step);
            let address = self.cell_address(variable, at, width, class);
            self.b.store(address, cell);
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
