//! Resolves addresses of objects.

use cranelift_entity::EntityRef;
use dxil_frontend::ir::{Constant, Inst, Type, TypeId, ValueDef, ValueId};

use crate::inline::objects::MAX_DEPTH;
use crate::inline::state::{Pointee, SsaConstruction};
use crate::{Error, Result};

impl SsaConstruction<'_, '_> {
    pub(super) fn type_of(&self, value: ValueId) -> Option<TypeId> {
        let first = self.draft.function.first_value as usize;
        let data = match value.index().checked_sub(first) {
            None => self.shader.module.values.get(value.index()),
            Some(local) => self.draft.function.values.get(local),
        };
        data.map(|data| data.ty)
    }

    /// Resolves an address that an object is loaded from or stored to.
    pub(super) fn pointee(&self, pointer: ValueId) -> Result<Pointee> {
        let mut steps: Vec<Vec<ValueId>> = Vec::new();
        let mut at = pointer;
        for _ in 0..MAX_DEPTH {
            if let Some(&ty) = self.variables.get(&at) {
                return self.slot(at, ty, &steps);
            }
            match self.defined.get(&at).map(|(_, data)| data.inst) {
                Some(Inst::Gep { operands, .. }) => {
                    let operands = self.draft.function.values_of(operands);
                    let Some((&base, indices)) = operands.split_first() else {
                        break;
                    };
                    steps.push(indices.to_vec());
                    at = base;
                }
                Some(Inst::Select {
                    condition,
                    if_true,
                    if_false,
                }) if steps.is_empty() => {
                    return Ok(Pointee::Either {
                        condition,
                        if_true,
                        if_false,
                    });
                }
                Some(Inst::Cast { value, .. }) if !self.addresses.contains(&value) => at = value,
                None => return Ok(Pointee::Name),
                _ => break,
            }
        }
        Err(Error::unsupported(
            "a resource that is reached through a phi of addresses or an expression",
        ))
    }

    pub(super) fn slot(
        &self,
        variable: ValueId,
        mut ty: TypeId,
        steps: &[Vec<ValueId>],
    ) -> Result<Pointee> {
        let unknown = || Error::unsupported("an object in memory at a computed address");
        let types = &self.shader.module.types;
        let view = |value: ValueId| self.constant(value);
        let mut first = 0_u64;
        let mut computed: Option<(ValueId, u32)> = None;
        for indices in steps.iter().rev() {
            let Some((&outer, inner)) = indices.split_first() else {
                return Err(unknown());
            };
            // The first index steps over whole variables, and there is one.
            if view(outer) != Some(0) {
                return Err(unknown());
            }
            for &index in inner {
                let Type::Array { element, count } = *types.get(ty) else {
                    return Err(unknown());
                };
                let stride = self.objects.count(types, element).ok_or_else(unknown)?;
                ty = element;
                match view(index) {
                    Some(number) if number < count => first += number * stride,
                    Some(_) => return Err(unknown()),
                    // A second computed index would make the number of selections a product.
                    None if computed.is_none() && stride == 1 => {
                        computed = Some((index, u32::try_from(count).map_err(|_| unknown())?));
                    }
                    None => return Err(unknown()),
                }
            }
        }
        if !self.objects.is_object(ty) {
            return Err(unknown());
        }
        let first = u32::try_from(first).map_err(|_| unknown())?;
        Ok(match computed {
            None => Pointee::Slot((variable, first)),
            Some((index, count)) => Pointee::Computed {
                variable,
                first,
                count,
                index,
            },
        })
    }

    /// Returns a constant index.
    pub(super) fn constant(&self, value: ValueId) -> Option<u64> {
        let first = self.draft.function.first_value as usize;
        let data = match value.index().checked_sub(first) {
            None => self.shader.module.values.get(value.index()),
            Some(local) => self.draft.function.values.get(local),
        };
        match data?.def {
            ValueDef::Constant(Constant::Int(number)) => Some(number),
            ValueDef::Constant(Constant::Null) => Some(0),
            _ => None,
        }
    }
}
