//! Constants that code has to compute.

use dxil_frontend::ir::{Constant, Module, Type, TypeTable, ValueData, ValueDef};

/// Returns whether constants of the module, apart from those of its functions, are computed by
/// code.
pub(super) fn in_module(module: &Module) -> bool {
    let mut values = module.values.iter();
    values.any(|value| is_computed(&module.types, value))
}

/// Returns whether a value is a constant expression that computes something other than an address.
pub(crate) fn is_computed(types: &TypeTable, value: &ValueData) -> bool {
    matches!(value.def, ValueDef::Constant(Constant::Expr(_)))
        && !matches!(types.get(value.ty), Type::Pointer { .. })
}
