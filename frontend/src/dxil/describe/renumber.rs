//! Gives the values of functions their ids again after values of the module were added.

use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::PackedOption;

use crate::error::{Error, ErrorKind, Result};
use crate::ir::{Constant, ConstantExpr, Function, MdNode, Module, ValueDef, ValueId};

/// Moves the ids from `old_first` on, which are those of functions, right after the module's
/// values. Of the metadata, only the first `old_nodes` nodes can name values of functions.
///
/// # Errors
///
/// If there are more values than ids.
pub(crate) fn renumber_locals(
    module: &mut Module,
    old_first: usize,
    old_nodes: usize,
) -> Result<()> {
    let highest = module.bodies.iter().map(|body| body.values.len()).max();
    let highest = module.values.len() + highest.unwrap_or(0);
    // As for modules that are read.
    if highest >= (u32::MAX / 2) as usize {
        return Err(Error::new(ErrorKind::Limit {
            what: "values of a module",
            value: highest as u64,
            limit: u64::from(u32::MAX / 2),
        }));
    }
    let new_first = module.values.len();
    let moved = |value: ValueId| match value.index().checked_sub(old_first) {
        Some(local) => ValueId::new(new_first + local),
        None => value,
    };
    for node in module.metadata.nodes.values_mut().take(old_nodes) {
        if let MdNode::Value(value) = node {
            *value = moved(*value);
        }
    }
    for body in &mut module.bodies {
        body.first_value = u32::try_from(new_first).unwrap_or(u32::MAX);
        move_body(body, &moved);
    }
    Ok(())
}

fn move_body(body: &mut Function, moved: &impl Fn(ValueId) -> ValueId) {
    for value in &mut body.value_pool {
        *value = moved(*value);
    }
    for (value, _) in &mut body.edge_pool {
        *value = moved(*value);
    }
    for (value, _) in &mut body.value_names {
        *value = moved(*value);
    }
    for data in &mut body.values {
        if let ValueDef::Constant(Constant::Expr(expr)) = &mut data.def {
            move_expression(expr, moved);
        }
    }
    for data in body.insts.values_mut() {
        if let Some(result) = data.result.expand() {
            data.result = PackedOption::from(moved(result));
        }
        data.inst
            .for_each_own_operand(|value| *value = moved(*value));
    }
}

fn move_expression(expr: &mut ConstantExpr, moved: &impl Fn(ValueId) -> ValueId) {
    let operands: [Option<&mut ValueId>; 3] = match expr {
        // Its operands lie in the pool.
        ConstantExpr::Gep { .. } => [None, None, None],
        ConstantExpr::Cast { value, .. } => [Some(value), None, None],
        ConstantExpr::Binary { lhs, rhs, .. } | ConstantExpr::Cmp { lhs, rhs, .. } => {
            [Some(lhs), Some(rhs), None]
        }
        ConstantExpr::Select {
            condition,
            if_true,
            if_false,
        } => [Some(condition), Some(if_true), Some(if_false)],
    };
    for value in operands.into_iter().flatten() {
        *value = moved(*value);
    }
}
