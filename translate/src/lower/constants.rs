//! Constants of the IR, made on first use.
//!
//! Constant expressions need code, and may share operands: those that compute values are lowered
//! once, in the function's first block, which dominates every use.

use dxil_frontend::ir::{Constant, ConstantExpr, List, Type, TypeId, ValueDef, ValueId};
use dxil_frontend::tables::HashSet;
use smallvec::{SmallVec, smallvec};

use super::types;
use crate::analysis::constant_expressions::is_computed;
use crate::lower::context::{Context, FunctionState};
use crate::lower::llvm;
use crate::lower::memory::{addresses, variable_groups, variables};
use crate::lower::numbers::{binary, convert};
use crate::lower::type_map::Scalar;
use crate::lower::values::LoweredValue;
use crate::spirv::Id;
use crate::{Error, PortableForm, Result};

/// Lowers a value that no instruction defines: a constant.
pub(super) fn lower(cx: &mut Context<'_>, value: ValueId) -> Result<Id> {
    let data = cx
        .function
        .view
        .value(value)
        .ok_or_else(|| Error::malformed(format!("{value} is not defined")))?;
    let constant = match data.def {
        ValueDef::Constant(constant) => constant,
        // Such a result has no id: naga's atomics on textures return nothing.
        ValueDef::Inst(_) if cx.module.resources.without_result.contains(&value) => {
            return Err(Error::portable(
                PortableForm::AtomicResult,
                "the result of an atomic on a texture",
            ));
        }
        // The reader and the validator take it for a structure like any other.
        ValueDef::Inst(_) if cx.function.names_resource(value) => {
            return Err(Error::unsupported("a resource as a value"));
        }
        ValueDef::Inst(_) | ValueDef::Argument(_) => {
            return Err(Error::malformed(format!(
                "{value} is used where it is not defined yet"
            )));
        }
        ValueDef::Global(_) => {
            let pointer = addresses::lower_pointer(cx, value)?;
            return variables::pointer_id(cx, pointer);
        }
        ValueDef::Function(_) => {
            return Err(Error::unsupported("a function as a value"));
        }
        ValueDef::Metadata(_) => return Err(Error::malformed("metadata as a value")),
    };
    let id = match constant {
        // The remaining ones are addresses, whose code is written where they are used.
        Constant::Expr(expr) => return constant_expr(cx, value, data.ty, expr),
        Constant::Null => null_constant(cx, data.ty)?,
        Constant::Undef => {
            let ty = types::lower(cx, data.ty)?;
            cx.b.undef(ty)
        }
        Constant::Int(bits) | Constant::Float(bits) => scalar_constant(cx, data.ty, bits)?,
        Constant::Aggregate(list) => aggregate_constant(cx, value, data.ty, list)?,
        Constant::Data(list) => data_constant(cx, value, data.ty, list)?,
    };
    cx.function.values.set(value, LoweredValue::Id(id));
    Ok(id)
}

/// Returns zero of a type. Scalars become ordinary constants, so that folding sees them.
fn null_constant(cx: &mut Context<'_>, ty: TypeId) -> Result<Id> {
    if matches!(
        cx.input.types().get(ty),
        Type::Int(_) | Type::Half | Type::Float | Type::Double
    ) {
        return scalar_constant(cx, ty, 0);
    }
    let ty = types::lower(cx, ty)?;
    Ok(cx.b.const_null(ty))
}

/// Returns a scalar from its bits in the IR.
fn scalar_constant(cx: &mut Context<'_>, ty: TypeId, bits: u64) -> Result<Id> {
    let scalar = constant_scalar(cx, ty)?;
    Ok(types::constant_of(cx, scalar, bits))
}

/// Returns the scalar of a type, which the target must have.
fn constant_scalar(cx: &mut Context<'_>, ty: TypeId) -> Result<Scalar> {
    let scalar = types::scalar(cx, ty)?;
    // The type also checks that the target has such scalars.
    types::scalar_ty(cx, scalar)?;
    Ok(scalar)
}

/// Lowers the constant expressions that the current function computes with, operands first, and the
/// aggregates that they are members of. Called when its first block is open.
pub(super) fn constant_expressions(cx: &mut Context<'_>) -> Result<()> {
    let function = cx.function.view.function;
    let constants = function.values.iter().skip(function.arg_count as usize);
    let mut own = constants.take_while(|value| matches!(value.def, ValueDef::Constant(_)));
    let types = cx.input.types();
    // Most functions have none, and the walk below looks at every operand.
    if !cx.input.analyses.computes_constants && !own.any(|value| is_computed(types, value)) {
        return Ok(());
    }
    let mut seen: HashSet<ValueId> = HashSet::default();
    // A value that is ready has all of its operands lowered.
    // A stack instead of recursion: constants nest as deep as a hostile file likes.
    let mut stack: Vec<(ValueId, bool)> = Vec::new();
    for data in function.insts.values() {
        function.for_each_operand(&data.inst, |operand| stack.push((operand, false)));
        while let Some((value, is_ready)) = stack.pop() {
            let operands = match cx.function.view.constant(value) {
                Some(constant) => constant_operands(&cx.function, value, constant),
                None => continue,
            };
            if is_ready {
                computed_constant(cx, value, &operands)?;
            } else if !operands.is_empty() && seen.insert(value) {
                // Each constant is visited once: they share operands, and their trees can be
                // exponentially large.
                stack.push((value, true));
                stack.extend(operands.iter().map(|&operand| (operand, false)));
            }
        }
    }
    Ok(())
}

/// Lowers a constant whose operands are lowered, if code has to compute it.
fn computed_constant(cx: &mut Context<'_>, value: ValueId, operands: &[ValueId]) -> Result<()> {
    let Some(&data) = cx.function.view.value(value) else {
        return Ok(());
    };
    let id = match data.def {
        ValueDef::Constant(Constant::Expr(expr)) if is_computed(cx.input.types(), &data) => {
            constant_expr(cx, value, data.ty, expr)?
        }
        ValueDef::Constant(Constant::Aggregate(_))
            if operands
                .iter()
                .any(|&part| cx.function.values.is_computed(part)) =>
        {
            let parts = operands.iter().map(|&operand| cx.id(operand));
            let parts = parts.collect::<Result<Vec<Id>>>()?;
            let ty = types::lower(cx, data.ty)?;
            cx.b.construct(ty, &parts)
        }
        _ => return Ok(()),
    };
    // The first block dominates all others, so these results may be used everywhere in the
    // function.
    cx.function.values.set_computed(value, id);
    Ok(())
}

/// Returns the operands of a constant.
fn constant_operands(
    function: &FunctionState<'_>,
    value: ValueId,
    constant: Constant,
) -> SmallVec<[ValueId; 4]> {
    match constant {
        Constant::Aggregate(list) | Constant::Expr(ConstantExpr::Gep { operands: list, .. }) => {
            SmallVec::from_slice(function.view.constant_elements(value, list))
        }
        Constant::Expr(ConstantExpr::Cast { value, .. }) => smallvec![value],
        Constant::Expr(
            ConstantExpr::Binary { lhs, rhs, .. } | ConstantExpr::Cmp { lhs, rhs, .. },
        ) => smallvec![lhs, rhs],
        Constant::Expr(ConstantExpr::Select {
            condition,
            if_true,
            if_false,
        }) => smallvec![condition, if_true, if_false],
        Constant::Null
        | Constant::Undef
        | Constant::Int(_)
        | Constant::Float(_)
        | Constant::Data(_) => SmallVec::new(),
    }
}

fn aggregate_constant(
    cx: &mut Context<'_>,
    owner: ValueId,
    ty: TypeId,
    list: List<ValueId>,
) -> Result<Id> {
    let elements = cx.function.view.constant_elements(owner, list);
    let mut ids = Vec::with_capacity(elements.len());
    for &element in elements {
        // OpConstantComposite takes constants only.
        variable_groups::check_initializer(cx, element)?;
        ids.push(cx.id(element)?);
    }
    let ty = types::lower(cx, ty)?;
    Ok(cx.b.const_composite(ty, &ids))
}

fn data_constant(cx: &mut Context<'_>, owner: ValueId, ty: TypeId, list: List<u64>) -> Result<Id> {
    let element = match *cx.input.types().get(ty) {
        Type::Array { element, .. } | Type::Vector { element, .. } => element,
        ref other => return Err(Error::malformed(format!("constant data of type {other:?}"))),
    };
    let data = cx.function.view.constant_data(owner, list);
    let mut ids = Vec::with_capacity(data.len());
    if !data.is_empty() {
        let scalar = constant_scalar(cx, element)?;
        ids.extend(
            data.iter()
                .map(|&bits| types::constant_of(cx, scalar, bits)),
        );
    }
    let ty = types::lower(cx, ty)?;
    Ok(cx.b.const_composite(ty, &ids))
}

fn constant_expr(
    cx: &mut Context<'_>,
    value: ValueId,
    ty: TypeId,
    expr: ConstantExpr,
) -> Result<Id> {
    match expr {
        ConstantExpr::Gep { .. } => {
            let pointer = addresses::lower_pointer(cx, value)?;
            variables::pointer_id(cx, pointer)
        }
        ConstantExpr::Cast { op, value: operand } => {
            if matches!(cx.input.types().get(ty), Type::Pointer { .. }) {
                let pointer = addresses::lower_pointer(cx, value)?;
                return variables::pointer_id(cx, pointer);
            }
            convert::cast(cx, op, operand, ty)
        }
        ConstantExpr::Binary { op, lhs, rhs } => {
            binary::lower(cx, op, Default::default(), lhs, rhs)
        }
        ConstantExpr::Cmp {
            predicate,
            lhs,
            rhs,
        } => llvm::compare(cx, predicate, lhs, rhs),
        ConstantExpr::Select {
            condition,
            if_true,
            if_false,
        } => {
            // Its operands may be such choices again, so they are not examined.
            if matches!(cx.input.types().get(ty), Type::Pointer { .. }) {
                return Err(Error::unsupported("a constant choice between addresses"));
            }
            llvm::select_value(cx, condition, if_true, if_false)
        }
    }
}
