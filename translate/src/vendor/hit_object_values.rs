//! Calls of operations on hit objects, for vendors' operations.

use dxil_frontend::dxil::ops::{Opcode, Overload};
use dxil_frontend::ir::{TypeId, ValueId};

use super::writer::FunctionWriter;
use crate::Result;

/// The overload of an operation on a hit object.
#[derive(Debug, Clone, Copy)]
pub(crate) enum HitOverload {
    None,
    Scalar(TypeId),
    /// The type that a pointer among its operands points to; each has a function of its own.
    Pointee(TypeId),
}

impl FunctionWriter<'_, '_, '_> {
    /// Returns a call of a DXIL operation on a hit object, which comes first; it may be a word that
    /// [`super::hit_object_flow::settle`] makes one.
    pub(crate) fn of_hit_object(
        &mut self,
        opcode: Opcode,
        overload: HitOverload,
        ret: TypeId,
        hit: Option<ValueId>,
        operands: &[ValueId],
    ) -> Result<ValueId> {
        let number = self.word(opcode.number());
        let mut args = vec![number];
        let mut params = self.types_of(&args);
        if let Some(hit) = hit {
            args.push(hit);
            params.push(self.hit_object_ty());
        }
        args.extend(operands);
        params.extend(self.types_of(operands));
        let class = opcode.properties().class;
        let like = self.view.function.id;
        let tables = &mut *self.tables;
        let void = tables.void();
        let function = match overload {
            HitOverload::None => tables.operation(class, void, ret, &params, like)?,
            HitOverload::Scalar(ty) => tables.operation(class, ty, ret, &params, like)?,
            HitOverload::Pointee(ty) => {
                let name = format!("dx.op.{class}.struct.{}", ty.as_u32());
                tables.operation_named(&name, Overload::Other, ret, &params, like)
            }
        };
        self.call(function, ret, &args)
    }
}
