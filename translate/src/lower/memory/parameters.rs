//! Pointers as parameters of functions that stay functions, and as arguments of their calls.

use dxil_frontend::ir::{Type, TypeId, ValueId};

use super::variables::Pointer;
use crate::lower::Lowering;
use crate::lower::context::Value;
use crate::spirv::{Id, StorageClass};
use crate::{Error, Result};

/// An argument that was copied for a call.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct CopyBack {
    ty: Id,
    from: Id,
    to: Id,
}

impl Lowering<'_> {
    /// SPIR-V type of a parameter: a pointer becomes one to the storage class of its variables.
    pub(in crate::lower) fn parameter_type(&mut self, ty: TypeId) -> Result<Id> {
        if self.is_record_type(ty) {
            return Ok(self.b.uint(64));
        }
        match self.parameter_pointee(ty)? {
            Some((class, pointee)) => {
                let pointee = self.ty(pointee)?;
                Ok(self.b.pointer(class, pointee))
            }
            None => self.ty(ty),
        }
    }

    /// What a parameter is in the function's body.
    pub(in crate::lower) fn parameter_value(&mut self, ty: TypeId, id: Id) -> Result<Value> {
        if self.is_record_type(ty) {
            let pointer = self.record_pointer(id, ty)?;
            return Ok(Value::Pointer(self.memory.add(pointer)));
        }
        Ok(match self.parameter_pointee(ty)? {
            Some((class, pointee)) => Value::Pointer(self.memory.add(Pointer::Typed {
                id,
                pointee,
                place: None,
                class,
            })),
            None => Value::Id(id),
        })
    }

    fn parameter_pointee(&self, ty: TypeId) -> Result<Option<(StorageClass, TypeId)>> {
        match *self.view.module.types.get(ty) {
            Type::Pointer {
                pointee,
                address_space: 0,
            } => Ok(Some((StorageClass::Function, pointee))),
            Type::Pointer {
                pointee,
                address_space: 3,
            } => Ok(Some((StorageClass::Workgroup, pointee))),
            Type::Pointer { address_space, .. } => Err(Error::unsupported(format!(
                "a parameter that points into address space {address_space}"
            ))),
            _ => Ok(None),
        }
    }

    /// An argument of a call. SPIR-V takes whole variables only, so the address of a part of one
    /// goes through a copy: gives the argument and what to copy back after the call.
    pub(in crate::lower) fn argument(&mut self, value: ValueId) -> Result<(Id, Option<CopyBack>)> {
        let ty = self.type_of(value)?;
        if self.is_record_type(ty) {
            return Ok((self.id(value)?, None));
        }
        let Some((want, _)) = self.parameter_pointee(ty)? else {
            return Ok((self.id(value)?, None));
        };
        let pointer = self.pointer(value)?;
        let Pointer::Typed {
            id,
            pointee,
            place,
            class,
        } = self.pointer_data(pointer)?
        else {
            return Err(Error::unsupported(
                "a pointer into reinterpreted memory as an argument",
            ));
        };
        if class == want && place.is_none() && self.memory.is_variable(id) {
            return Ok((id, None));
        }
        if want != StorageClass::Function {
            return Err(Error::unsupported(
                "a part of a groupshared variable as an argument",
            ));
        }
        let ty = self.ty(pointee)?;
        let copy = self.new_variable(ty, StorageClass::Function, None);
        let now = self.b.load(ty, id);
        self.b.store(copy, now);
        Ok((
            copy,
            Some(CopyBack {
                ty,
                from: copy,
                to: id,
            }),
        ))
    }

    /// Copies an argument back after a call.
    pub(in crate::lower) fn copy_back(&mut self, copy: CopyBack) {
        let value = self.b.load(copy.ty, copy.from);
        self.b.store(copy.to, value);
    }
}
