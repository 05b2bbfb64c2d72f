//! Addresses: which variable one leads to, and whether a cast on the way changes how its memory is
//! read.

use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::ReservedValue;
use dxil_frontend::ir::{
    CastOp, Constant, ConstantExpr, FuncId, FuncView, Inst, Type, TypeId, TypeTable, ValueDef,
    ValueId, address_space,
};

/// Names a variable across functions: the function of an alloca (none for other variables), and the
/// value that denotes the variable.
pub(crate) type RootKey = (Option<FuncId>, ValueId);

/// Returns the key of the variable that `root` denotes. A global variable is one for all functions,
/// and so is the payload, however many calls give its address; an alloca is its function's own.
pub(crate) fn root_key(view: FuncView<'_>, root: ValueId) -> RootKey {
    if let Some(ValueDef::Inst(inst)) = view.value(root).map(|data| data.def)
        && let Some(data) = view.function.insts.get(inst)
        && matches!(data.inst, Inst::Call { .. })
    {
        return (None, ValueId::reserved_value());
    }
    let is_global = root.index() < view.function.first_value as usize;
    ((!is_global).then_some(view.function.id), root)
}

/// Returns the variable that a pointer leads to: a global, a parameter, an alloca, or the call that
/// gave its address.
pub(crate) fn root_of(view: FuncView<'_>, pointer: ValueId) -> Option<ValueId> {
    trace(view, pointer).map(|(root, _)| root)
}

/// Follows a pointer to its variable. Returns the variable, and whether a cast on the way changes
/// how memory is read.
pub(super) fn trace(view: FuncView<'_>, mut pointer: ValueId) -> Option<(ValueId, bool)> {
    let mut cast = false;
    // Definitions precede uses, so this ends; the cap is against malformed input.
    for _ in 0..1024 {
        let data = view.value(pointer)?;
        let next = match data.def {
            // A parameter may be the address of a ray's payload.
            ValueDef::Global(_) | ValueDef::Argument(_) => return Some((pointer, cast)),
            ValueDef::Inst(inst) => match view.function.insts.get(inst)?.inst {
                // A call gives the address of a mesh shader's payload.
                Inst::Alloca { .. } | Inst::Call { .. } => return Some((pointer, cast)),
                Inst::Gep { operands, .. } => *view.function.values_of(operands).first()?,
                Inst::Cast { op, value } => {
                    cast |= changes_view(view, op, value, data.ty);
                    value
                }
                _ => return None,
            },
            ValueDef::Constant(Constant::Expr(ConstantExpr::Gep { operands, .. })) => {
                *view.constant_elements(pointer, operands).first()?
            }
            ValueDef::Constant(Constant::Expr(ConstantExpr::Cast { op, value })) => {
                cast |= changes_view(view, op, value, data.ty);
                value
            }
            _ => return None,
        };
        pointer = next;
    }
    None
}

/// Returns whether a pointer cast reads memory as something other than its first member.
fn changes_view(view: FuncView<'_>, op: CastOp, value: ValueId, to: TypeId) -> bool {
    let types = &view.module.types;
    if op == CastOp::AddrSpaceCast {
        return false;
    }
    let (Some(from), Some(to)) = (
        view.type_of(value).and_then(|ty| types.pointee(ty)),
        types.pointee(to),
    ) else {
        return true;
    };
    first_member_depth(view, from, to).is_none()
}

/// Returns the number of first members between a type and its prefix; `None` if it is not one.
pub(crate) fn first_member_depth(
    view: FuncView<'_>,
    mut from: TypeId,
    to: TypeId,
) -> Option<usize> {
    for depth in 0..64 {
        if from == to || view.module.types.get(from) == view.module.types.get(to) {
            return Some(depth);
        }
        from = match view.module.types.get(from) {
            Type::Array { element, .. } | Type::Vector { element, .. } => *element,
            Type::Struct { fields, .. } => *fields.first()?,
            _ => return None,
        };
    }
    None
}

/// Returns the type of a variable.
pub(super) fn root_type(view: FuncView<'_>, root: ValueId) -> Option<TypeId> {
    match view.value(root)?.def {
        ValueDef::Global(global) => Some(view.module.globals.get(global)?.ty),
        ValueDef::Inst(inst) => match view.function.insts.get(inst)?.inst {
            Inst::Alloca { allocated, .. } => Some(allocated),
            Inst::Call { .. } => view.module.types.pointee(view.type_of(root)?),
            _ => None,
        },
        ValueDef::Argument(_) => view.module.types.pointee(view.type_of(root)?),
        _ => None,
    }
}

/// Returns the variable behind constant address arithmetic, or the value itself.
pub(crate) fn behind_constants(view: FuncView<'_>, mut pointer: ValueId) -> ValueId {
    // Constants refer to others of a bounded depth.
    for _ in 0..64 {
        pointer = match view.constant(pointer) {
            Some(Constant::Expr(ConstantExpr::Gep { operands, .. })) => {
                match view.constant_elements(pointer, operands).first() {
                    Some(&base) => base,
                    None => break,
                }
            }
            Some(Constant::Expr(ConstantExpr::Cast { value, .. })) => value,
            _ => break,
        };
    }
    pointer
}

/// Returns whether a type is a pointer to a node's record or into one.
pub(crate) fn is_record_type(types: &TypeTable, ty: TypeId) -> bool {
    matches!(
        *types.get(ty),
        Type::Pointer {
            address_space: address_space::NODE_RECORD,
            ..
        }
    )
}

/// Returns whether a value is a pointer to a node's record or into one.
pub(crate) fn is_record_pointer(view: FuncView<'_>, value: ValueId) -> bool {
    let ty = view.type_of(value);
    ty.is_some_and(|ty| is_record_type(&view.module.types, ty))
}
