//! A function's body in the linked module's ids.

use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::PackedOption;

use super::ids::Ids;
use crate::error::{Error, Result};
use crate::ir::{
    Constant, ConstantExpr, FuncId, Function, Inst, InstData, ValueData, ValueDef, ValueId,
};

/// Writes a body again, as the body of `id`.
pub(super) fn run(old: &Function, id: FuncId, ids: &Ids) -> Result<Function> {
    let mut function = old.clone();
    function.id = id;
    function.first_value = ids.first_local;
    let values = |values: &mut ValueId| -> Result<()> {
        *values = ids.value(*values)?;
        Ok(())
    };
    function.value_pool.iter_mut().try_for_each(values)?;
    function
        .edge_pool
        .iter_mut()
        .try_for_each(|(value, _)| values(value))?;
    for data in &mut function.values {
        *data = ValueData {
            ty: ids.ty(data.ty)?,
            def: match data.def {
                ValueDef::Constant(constant) => ValueDef::Constant(expression(constant, ids)?),
                ValueDef::Metadata(node) => ValueDef::Metadata(ids.node(node)?),
                ValueDef::Global(_) | ValueDef::Function(_) => {
                    return Err(Error::malformed("a variable inside of a function"));
                }
                ValueDef::Argument(_) | ValueDef::Inst(_) => data.def,
            },
        };
    }
    for data in function.insts.values_mut() {
        instruction(data, ids)?;
    }
    for (_, site) in &mut function.call_sites {
        // Zero is none.
        if site.attributes != 0 {
            site.attributes = site.attributes.saturating_add(ids.first_set);
        }
    }
    for (_, kind, node) in &mut function.attachments {
        *kind = ids.kind(*kind);
        *node = ids.node(*node)?;
    }
    for (kind, node) in &mut function.function_attachments {
        *kind = ids.kind(*kind);
        *node = ids.node(*node)?;
    }
    for (value, _) in &mut function.value_names {
        *value = ids.value(*value)?;
    }
    if !ids.keeps_debug {
        // They name scopes of a module whose debug nodes are dropped.
        function.debug_locs.clear();
    }
    Ok(function)
}

/// Returns a constant, whose lists have been written again where they are.
pub(super) fn expression(constant: Constant, ids: &Ids) -> Result<Constant> {
    let Constant::Expr(expression) = constant else {
        return Ok(constant);
    };
    Ok(Constant::Expr(match expression {
        // Its operands lie in the value pool, which the caller rewrites as a whole.
        ConstantExpr::Gep { .. } => expression,
        ConstantExpr::Cast { op, value } => ConstantExpr::Cast {
            op,
            value: ids.value(value)?,
        },
        ConstantExpr::Binary { op, lhs, rhs } => ConstantExpr::Binary {
            op,
            lhs: ids.value(lhs)?,
            rhs: ids.value(rhs)?,
        },
        ConstantExpr::Cmp {
            predicate,
            lhs,
            rhs,
        } => ConstantExpr::Cmp {
            predicate,
            lhs: ids.value(lhs)?,
            rhs: ids.value(rhs)?,
        },
        ConstantExpr::Select {
            condition,
            if_true,
            if_false,
        } => ConstantExpr::Select {
            condition: ids.value(condition)?,
            if_true: ids.value(if_true)?,
            if_false: ids.value(if_false)?,
        },
    }))
}

fn instruction(data: &mut InstData, ids: &Ids) -> Result<()> {
    data.ty = ids.ty(data.ty)?;
    if let Some(result) = data.result.expand() {
        data.result = PackedOption::from(ids.value(result)?);
    }
    if let Inst::Alloca { allocated, .. } = &mut data.inst {
        *allocated = ids.ty(*allocated)?;
    }
    // The visitor cannot return early, so the error is kept until it is through.
    let mut done = Ok(());
    data.inst
        .for_each_own_operand(|value| match ids.value(*value) {
            Ok(now) => *value = now,
            Err(error) => done = Err(error),
        });
    done
}

impl Ids {
    /// Returns a value of the function or of its module.
    pub(super) fn value(&self, value: ValueId) -> Result<ValueId> {
        let unneeded = || Error::new(crate::ErrorKind::Internal("a value that was not needed"));
        match value.index().checked_sub(self.values.len()) {
            None => self
                .values
                .get(value.index())
                .copied()
                .flatten()
                .ok_or_else(unneeded),
            Some(local) => u32::try_from(local)
                .ok()
                .and_then(|local| self.first_local.checked_add(local))
                .map(ValueId::from_u32)
                .ok_or_else(unneeded),
        }
    }
}
