//! Operands of instructions as SPIR-V values: constants are made on first use, structs of parts are
//! constructed.

use dxil_frontend::ir::{TypeId, ValueId};

use crate::lower::context::Context;
use crate::lower::memory::variables;
use crate::lower::values::{LoweredValue, Parts, StructMember};
use crate::lower::{constants, types};
use crate::spirv::Id;
use crate::{Error, Result};

impl Context<'_> {
    /// Returns the SPIR-V value of an IR value: constants are made on first use, structs of parts
    /// are constructed.
    #[inline]
    pub(super) fn id(&mut self, value: ValueId) -> Result<Id> {
        match self.function.values.get(value) {
            // Nearly all operands.
            LoweredValue::Id(id) => Ok(id),
            _ => self.make_id(value),
        }
    }

    /// Returns the SPIR-V value of an IR value that is made where it is used.
    #[inline(never)]
    fn make_id(&mut self, value: ValueId) -> Result<Id> {
        match self.function.values.get(value) {
            LoweredValue::Id(id) => Ok(id),
            LoweredValue::Parts(parts) => self.assemble_parts(value, parts),
            LoweredValue::Unset => constants::lower(self, value),
            LoweredValue::Pointer(pointer) => variables::pointer_id(self, pointer),
        }
    }

    /// Returns the SPIR-V values of several IR values.
    pub(super) fn ids<const N: usize>(&mut self, values: [ValueId; N]) -> Result<[Id; N]> {
        let mut ids = [Id::NONE; N];
        for (id, value) in ids.iter_mut().zip(values) {
            *id = self.id(value)?;
        }
        Ok(ids)
    }

    /// Returns a member of a struct of parts; extracts it if necessary.
    pub(super) fn part(&mut self, parts: Parts, index: u32, ty: TypeId) -> Result<Id> {
        match self.function.values.part(parts, index) {
            Some(StructMember::Id(id)) => Ok(id),
            Some(StructMember::Member { composite, index }) => {
                let ty = types::lower(self, ty)?;
                Ok(self.b.extract(ty, composite, index))
            }
            None => Err(Error::malformed(format!("a struct has no member {index}"))),
        }
    }

    fn assemble_parts(&mut self, value: ValueId, parts: Parts) -> Result<Id> {
        let ty = self.function.type_of(value)?;
        let fields = types::fields(&self.input, ty)?;
        let mut ids = Vec::with_capacity(fields.len());
        for (index, &field) in fields.iter().enumerate() {
            ids.push(self.part(parts, index as u32, field)?);
        }
        let ty = types::lower(self, ty)?;
        Ok(self.b.construct(ty, &ids))
    }
}
