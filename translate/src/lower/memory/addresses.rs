//! Address arithmetic: `getelementptr` and casts of pointers, in variables that keep their type and in cells.

use dxil_frontend::ir::{Type, TypeId, ValueId};

use super::bounds::Bounds;
use super::variables::{Pointer, PointerId, first_member_depth};
use crate::lower::Lowering;
use crate::spirv::{Id, StorageClass};
use crate::{Error, Result};

impl Lowering<'_> {
    /// `getelementptr`: base pointer, then indices.
    pub(in crate::lower) fn gep(&mut self, operands: &[ValueId]) -> Result<PointerId> {
        if let Some(component) = self.shared_component(operands)? {
            return Ok(self.memory.add(component));
        }
        let Some((&base, indices)) = operands.split_first() else {
            return Err(Error::malformed("getelementptr without operands"));
        };
        let root = base;
        let base = self.pointer(base)?;
        let data = self.pointer_data(base)?;
        let mut own = self.bounds_of(root, base, data.class());
        let bounds = &mut own;
        let pointer = match data {
            Pointer::Typed {
                id,
                pointee,
                place,
                class,
            } => self.typed_gep(id, pointee, place, class, indices, bounds)?,
            Pointer::Cells { cell, pointee } => {
                let width = cell.array.width;
                let (index, pointee) =
                    self.cell_gep(cell.index, width, pointee, indices, bounds)?;
                let cell = cell.array.at(index);
                Pointer::Cells { cell, pointee }
            }
            Pointer::Address { address, pointee } => {
                let (address, pointee) = self.address_gep(address, pointee, indices)?;
                Pointer::Address { address, pointee }
            }
        };
        let pointer = self.memory.add(pointer);
        self.memory.guard(pointer, own.inside);
        Ok(pointer)
    }

    fn typed_gep(
        &mut self,
        mut id: Id,
        mut pointee: TypeId,
        mut place: Option<(Id, Id)>,
        class: StorageClass,
        indices: &[ValueId],
        bounds: &mut Bounds,
    ) -> Result<Pointer> {
        let Some((&first, rest)) = indices.split_first() else {
            return Err(Error::malformed("getelementptr without indices"));
        };
        let mut past_the_end = None;
        if self.constant_int(first) != Some(0) {
            if let Some((array, at)) = place {
                let step = self.index(first)?;
                let at = self.b.u32_add(at, step);
                let ty = self.ty(pointee)?;
                let pointer_ty = self.b.pointer(class, ty);
                id = self.b.access_chain(pointer_ty, array, &[at]);
                place = Some((array, at));
            } else if rest.is_empty() {
                return Err(Error::unsupported("pointer arithmetic outside of an array"));
            } else {
                past_the_end = Some(self.last_element(pointee)?);
            }
        }
        if rest.is_empty() {
            return Ok(Pointer::Typed {
                id,
                pointee,
                place,
                class,
            });
        }
        // All but the last index go into the address of the innermost aggregate, so that pointer
        // arithmetic on the last one stays possible; it costs nothing where there is just one.
        let mut chain = Vec::with_capacity(rest.len());
        for &index in rest {
            let (element, index) = self.step(pointee, index, bounds)?;
            pointee = element;
            chain.push(past_the_end.take().unwrap_or(index));
        }
        let ty = self.ty(pointee)?;
        let pointer_ty = self.b.pointer(class, ty);
        let address = self.b.access_chain(pointer_ty, id, &chain);
        let place = match chain.as_slice() {
            [only] => Some((id, *only)),
            _ => None,
        };
        Ok(Pointer::Typed {
            id: address,
            pointee,
            place,
            class,
        })
    }

    /// Index of the last element of a variable whose address is left by the first index of a
    /// `getelementptr`. Compilers make such addresses of constant indices that are too large, in
    /// code that rarely runs. What they access is undefined in D3D12; here they stay inside.
    fn last_element(&mut self, variable: TypeId) -> Result<Id> {
        let Type::Array { count, .. } = self.view.module.types.get(variable) else {
            return Err(Error::unsupported("pointer arithmetic outside of an array"));
        };
        let last = u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
        Ok(self.b.const_u32(last))
    }

    /// Type and SPIR-V index of a member.
    fn step(&mut self, ty: TypeId, index: ValueId, bounds: &mut Bounds) -> Result<(TypeId, Id)> {
        let (element, count) = match self.view.module.types.get(ty) {
            Type::Array { element, count } => (*element, *count),
            Type::Vector { element, count } => (*element, u64::from(*count)),
            Type::Struct { fields, .. } => {
                let member = self.constant_int(index).unwrap_or(u64::MAX);
                let field = usize::try_from(member).ok().and_then(|m| fields.get(m));
                let Some(&field) = field else {
                    return Err(Error::malformed(
                        "getelementptr to a field that is not there",
                    ));
                };
                return Ok((field, self.b.const_u32(member as u32)));
            }
            other => return Err(Error::malformed(format!("getelementptr into {other:?}"))),
        };
        let index = self.index(index)?;
        Ok((element, self.bounded(index, count, bounds)))
    }

    /// An index as a 32-bit integer.
    pub(in crate::lower) fn index(&mut self, value: ValueId) -> Result<Id> {
        if let Some(literal) = self.constant_int(value) {
            return Ok(self.b.const_u32(literal as u32));
        }
        self.to_u32(value)
    }

    /// Cell index and type after `getelementptr`.
    fn cell_gep(
        &mut self,
        mut cell: Id,
        width: u32,
        mut pointee: TypeId,
        indices: &[ValueId],
        bounds: &mut Bounds,
    ) -> Result<(Id, TypeId)> {
        let bytes = u64::from(width / 8);
        for (position, &index) in indices.iter().enumerate() {
            let mut count = None;
            if position > 0 {
                if let Type::Struct { fields, .. } = self.view.module.types.get(pointee) {
                    let member = self.constant_int(index).unwrap_or(u64::MAX) as usize;
                    let Some(&field) = fields.get(member) else {
                        return Err(Error::malformed(
                            "getelementptr to a field that is not there",
                        ));
                    };
                    let offset =
                        self.memory
                            .layout
                            .field_offset(&self.view.module.types, pointee, member);
                    if !offset.is_multiple_of(bytes) {
                        return Err(Error::unsupported("a field between two memory cells"));
                    }
                    let step = self.b.const_u32((offset / bytes) as u32);
                    cell = self.b.u32_add(cell, step);
                    pointee = field;
                    continue;
                }
                pointee = match self.view.module.types.get(pointee) {
                    Type::Array {
                        element,
                        count: all,
                    } => {
                        count = Some(*all);
                        *element
                    }
                    Type::Vector { element, .. } => *element,
                    other => {
                        return Err(Error::malformed(format!("getelementptr into {other:?}")));
                    }
                };
            }
            let size = self.memory.layout.size(&self.view.module.types, pointee);
            let mut at = self.index(index)?;
            if let Some(count) = count {
                at = self.bounded(at, count, bounds);
            }
            let step = if size.is_multiple_of(bytes) {
                self.b.u32_mul(at, (size / bytes) as u32)
            } else if bytes.is_multiple_of(size.max(1)) {
                // Byte arithmetic in wider cells: the whole offset is a multiple of a cell.
                self.b.u32_shr(at, (bytes / size.max(1)).trailing_zeros())
            } else {
                return Err(Error::unsupported("an element between two memory cells"));
            };
            cell = self.b.u32_add(cell, step);
        }
        Ok((cell, pointee))
    }

    /// A pointer as a pointer to another type.
    pub(in crate::lower) fn cast_pointer(
        &mut self,
        value: ValueId,
        to: TypeId,
    ) -> Result<PointerId> {
        let Some(target) = self.view.module.types.pointee(to) else {
            return Err(Error::unsupported("a pointer as a number"));
        };
        let pointer = self.pointer(value)?;
        let guard = self.memory.guard_of(pointer);
        let new = match self.pointer_data(pointer)? {
            Pointer::Cells { cell, .. } => Pointer::Cells {
                cell,
                pointee: target,
            },
            Pointer::Address { address, .. } => Pointer::Address {
                address,
                pointee: target,
            },
            Pointer::Typed {
                id,
                pointee,
                place,
                class,
            } => match first_member_depth(self.view, pointee, target) {
                Some(0) => Pointer::Typed {
                    id,
                    pointee: target,
                    place,
                    class,
                },
                Some(depth) => {
                    let zero = self.b.const_u32(0);
                    let mut base = id;
                    let mut inner = pointee;
                    for _ in 1..depth {
                        inner = self.first_member(inner)?;
                    }
                    if depth > 1 {
                        let ty = self.ty(inner)?;
                        let pointer_ty = self.b.pointer(class, ty);
                        base = self.b.access_chain(pointer_ty, id, &vec![zero; depth - 1]);
                    }
                    let ty = self.ty(target)?;
                    let pointer_ty = self.b.pointer(class, ty);
                    Pointer::Typed {
                        id: self.b.access_chain(pointer_ty, base, &[zero]),
                        pointee: target,
                        place: Some((base, zero)),
                        class,
                    }
                }
                // Only ignored calls (lifetimes) look at such a pointer, or it would be in cells;
                // a load through it is refused where it happens.
                None => Pointer::Typed {
                    id,
                    pointee,
                    place: None,
                    class,
                },
            },
        };
        let new = self.memory.add(new);
        self.memory.guard(new, guard);
        Ok(new)
    }

    fn first_member(&self, ty: TypeId) -> Result<TypeId> {
        match self.view.module.types.get(ty) {
            Type::Array { element, .. } | Type::Vector { element, .. } => Ok(*element),
            Type::Struct { fields, .. } => fields
                .first()
                .copied()
                .ok_or_else(|| Error::malformed("the first field of an empty struct")),
            other => Err(Error::malformed(format!("the first member of {other:?}"))),
        }
    }
}
