//! The kinds of a module's functions: DXIL operations (`dx.op.CLASS.OVERLOAD`), LLVM intrinsics, or
//! functions of the module itself. Computed once per module, so that no later stage compares names.

use cranelift_entity::SecondaryMap;

use super::declarations::check_declaration;
use super::function_names::{PREFIX, split_once};
use super::overload::Overload;
use super::{Op, decode};
use crate::ir::{FuncId, FuncView, FunctionDecl, Inst, Module, Type, ValueDef, ValueId};
use crate::{Error, Result};

/// The meaning of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Callee {
    /// A function of the module, or an unknown declaration.
    #[default]
    Function,
    /// A DXIL operation; its opcode is the call's first argument.
    DxOp(Overload),
    /// `llvm.dbg.*`, `llvm.lifetime.*`, `llvm.donothing`, ...: no effect on the result.
    Ignored,
}

/// One [`Callee`] per function of the module.
pub type CalleeTable = SecondaryMap<FuncId, Callee>;

/// Returns the arguments of a call of a DXIL operation, the opcode first, as [`decode`] takes them;
/// `None` for any other instruction.
pub fn op_arguments<'m>(
    view: FuncView<'m>,
    callees: &CalleeTable,
    inst: &Inst,
) -> Option<&'m [ValueId]> {
    let Inst::Call { callee, args, .. } = *inst else {
        return None;
    };
    match callees.get(view.as_function(callee)?)? {
        Callee::DxOp(_) => Some(view.function.values_of(args)),
        Callee::Function | Callee::Ignored => None,
    }
}

/// Returns the DXIL operation that gives a value; `None` where anything else does, and where the
/// call is malformed.
pub fn op_giving(view: FuncView<'_>, callees: &CalleeTable, value: ValueId) -> Option<Op> {
    let ValueDef::Inst(inst) = view.value(value)?.def else {
        return None;
    };
    let inst = &view.function.insts.get(inst)?.inst;
    decode(view, op_arguments(view, callees, inst)?).ok()
}

/// Classifies each function of the module by its name.
///
/// # Errors
///
/// The declaration of an operation is not what DXIL's table says: its integers have a width that
/// DXIL does not know, or its operands or result have other types.
pub fn classify_callees(module: &Module) -> Result<CalleeTable> {
    let mut first = None;
    let table = classify_all(module, &mut |error| {
        first.get_or_insert(error);
    });
    match first {
        None => Ok(table),
        Some(error) => Err(error),
    }
}

/// Classifies each function of the module, and hands every wrong declaration to `wrong`.
pub(crate) fn classify_all(module: &Module, wrong: &mut dyn FnMut(Error)) -> CalleeTable {
    let mut table = CalleeTable::with_capacity(module.functions.len());
    for (id, decl) in &module.functions {
        // A function with a body is the module's own, whatever its name.
        if decl.body.is_none() {
            #[allow(clippy::indexing_slicing, reason = "a secondary map grows on demand")]
            {
                table[id] = classify(&decl.name);
            }
            if let (Some(operation), Some(&Callee::DxOp(overload))) =
                (decl.name.strip_prefix(PREFIX), table.get(id))
            {
                let checked = check_widths(module, decl)
                    .and_then(|()| check_declaration(module, decl.ty, operation, overload));
                if let Err(error) = checked {
                    wrong(error);
                }
            }
        }
    }
    table
}

/// Checks that the integers that an operation takes and returns have widths of DXIL (DXIL document,
/// "Primitive Types").
fn check_widths(module: &Module, decl: &FunctionDecl) -> Result<()> {
    let Type::Function { ret, params, .. } = module.types.get(decl.ty) else {
        return Ok(());
    };
    for &ty in std::iter::once(ret).chain(params) {
        if let Type::Int(width) = *module.types.get(ty)
            && !matches!(width, 1 | 8 | 16 | 32 | 64)
        {
            return Err(Error::malformed(format!(
                "{} has an operand or result of {width} bits",
                decl.name
            )));
        }
    }
    Ok(())
}

fn classify(name: &str) -> Callee {
    /// Intrinsics for optimizers and debuggers, which compute nothing.
    const IGNORED: [&str; 4] = [
        "llvm.dbg.",
        "llvm.lifetime.",
        "llvm.invariant.",
        "llvm.donothing",
    ];
    if let Some(operation) = name.strip_prefix(PREFIX) {
        // The class has no dots; the overload may have (`struct.N.T`).
        return Callee::DxOp(match split_once(operation, b'.') {
            None => Overload::Void,
            Some((_, suffix)) => Overload::of_scalar(suffix).unwrap_or(Overload::Other),
        });
    }
    if IGNORED.iter().any(|prefix| name.starts_with(prefix)) {
        return Callee::Ignored;
    }
    Callee::Function
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_operation_overload_and_intrinsic() {
        assert_eq!(classify("dx.op.barrier"), Callee::DxOp(Overload::Void));
        assert_eq!(classify("dx.op.unary.f16"), Callee::DxOp(Overload::F16));
        assert_eq!(
            classify("dx.op.traceRay.struct.N.P"),
            Callee::DxOp(Overload::Other)
        );
        assert_eq!(classify("llvm.dbg.value"), Callee::Ignored);
        assert_eq!(classify("dx.opaque"), Callee::Function);
    }
}
