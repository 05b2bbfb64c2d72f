//! The operands of all instructions, each of which is looked at once: what types they have, which
//! functions and variables they name, and which of them need a closer look.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;

use super::context::ValidationContext;
use super::handles::global_behind;
use crate::ir::address_space::GROUP_SHARED;
use crate::ir::{
    Constant, FuncId, FuncView, GlobalId, Inst, InstData, Type, TypeId, TypeTable, ValueDef,
};

/// What an instruction's operands, or its result, are.
pub(super) type Facts = u16;

/// `double`.
pub(super) const DOUBLE: Facts = 1 << 0;
/// `i64`.
pub(super) const LONG: Facts = 1 << 1;
/// `half` or `i16`.
pub(super) const SMALL: Facts = 1 << 2;
/// A pointer to groupshared memory.
pub(super) const GROUP: Facts = 1 << 3;
/// An integer of a width that values do not have: `i8`, or one that DXIL does not have.
pub(super) const OTHER_WIDTH: Facts = 1 << 4;
/// A pointer to groupshared memory, or to integers of such a width.
pub(super) const POINTER_TO_CHECK: Facts = 1 << 5;
/// `undef` or `null`.
pub(super) const HOLLOW: Facts = 1 << 6;
/// A constant expression.
pub(super) const EXPRESSION: Facts = 1 << 7;
/// `undef`.
pub(super) const UNDEF: Facts = 1 << 8;

/// What the operands of one instruction are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) result: Facts,
    pub(super) operands: Facts,
}

impl Found {
    /// Returns whether the result or an operand is one of these.
    pub(super) fn has(self, facts: Facts) -> bool {
        (self.result | self.operands) & facts != 0
    }
}

/// How a function of the module is used.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FunctionUse {
    pub(super) is_called: bool,
    pub(super) is_otherwise_used: bool,
}

/// What the walk over all instructions finds.
pub(super) struct Operands {
    /// Facts of each type.
    types: Vec<Facts>,
    /// How each function is used.
    pub(super) functions: Vec<FunctionUse>,
    /// The functions with a body that each function calls, without repetition.
    pub(super) callees: SecondaryMap<FuncId, Vec<FuncId>>,
    /// The variables that each function names, without repetition.
    pub(super) globals: SecondaryMap<FuncId, Vec<GlobalId>>,
    seen_functions: FxHashSet<FuncId>,
    seen_globals: FxHashSet<GlobalId>,
}

impl Operands {
    pub(super) fn new(cx: &ValidationContext<'_>) -> Self {
        let types = cx.types();
        Operands {
            types: types.types.keys().map(|ty| facts_of(types, ty)).collect(),
            functions: vec![FunctionUse::default(); cx.module().functions.len()],
            callees: SecondaryMap::new(),
            globals: SecondaryMap::new(),
            seen_functions: FxHashSet::default(),
            seen_globals: FxHashSet::default(),
        }
    }

    /// Begins with the next function.
    pub(super) fn begin(&mut self) {
        self.seen_functions.clear();
        self.seen_globals.clear();
    }

    fn of_type(&self, ty: TypeId) -> Facts {
        self.types.get(ty.as_u32() as usize).copied().unwrap_or(0)
    }

    /// Looks at the operands of an instruction.
    pub(super) fn look(&mut self, view: FuncView<'_>, data: &InstData) -> Found {
        let mut callee = match data.inst {
            Inst::Call { callee, .. } => Some(callee),
            _ => None,
        };
        let mut operands = 0;
        view.function.for_each_operand(&data.inst, |id| {
            // The callee comes first among the operands.
            let is_callee = callee.take() == Some(id);
            let Some(value) = view.value(id) else {
                return;
            };
            operands |= self.of_type(value.ty);
            match value.def {
                ValueDef::Function(function) => self.function(view, function, is_callee),
                ValueDef::Global(global) => self.global(view, global),
                ValueDef::Constant(Constant::Undef) => operands |= HOLLOW | UNDEF,
                ValueDef::Constant(Constant::Null) => operands |= HOLLOW,
                ValueDef::Constant(Constant::Expr(_)) => {
                    operands |= EXPRESSION;
                    if let Some(global) = global_behind(view, id) {
                        self.global(view, global);
                    }
                }
                _ => {}
            }
        });
        Found {
            result: self.of_type(data.ty),
            operands,
        }
    }

    #[allow(clippy::indexing_slicing, reason = "a secondary map grows on demand")]
    fn function(&mut self, view: FuncView<'_>, id: FuncId, is_callee: bool) {
        if let Some(usage) = self.functions.get_mut(id.as_u32() as usize) {
            usage.is_called |= is_callee;
            usage.is_otherwise_used |= !is_callee;
        }
        let has_body = view
            .module
            .functions
            .get(id)
            .is_some_and(|decl| decl.body.is_some());
        if is_callee && has_body && self.seen_functions.insert(id) {
            self.callees[view.function.id].push(id);
        }
    }

    #[allow(clippy::indexing_slicing, reason = "a secondary map grows on demand")]
    fn global(&mut self, view: FuncView<'_>, id: GlobalId) {
        if self.seen_globals.insert(id) {
            self.globals[view.function.id].push(id);
        }
    }

    /// Returns the functions that a function calls.
    pub(super) fn callees_of(&self, id: FuncId) -> &[FuncId] {
        self.callees.get(id).map_or(&[], |list| list)
    }

    /// Returns the variables that a function names.
    pub(super) fn globals_of(&self, id: FuncId) -> &[GlobalId] {
        self.globals.get(id).map_or(&[], |list| list)
    }
}

fn is_other_width(bits: u16) -> bool {
    !matches!(bits, 1 | 16 | 32 | 64)
}

fn facts_of(types: &TypeTable, ty: TypeId) -> Facts {
    let mut facts = match *types.get(ty) {
        Type::Double => DOUBLE,
        Type::Half => SMALL,
        Type::Int(16) => SMALL,
        Type::Int(64) => LONG,
        Type::Int(bits) if is_other_width(bits) => OTHER_WIDTH,
        Type::Pointer {
            address_space: GROUP_SHARED,
            ..
        } => GROUP | POINTER_TO_CHECK,
        _ => 0,
    };
    let mut inner = types.pointee(ty).unwrap_or(ty);
    while let Type::Array { element, .. } = *types.get(inner) {
        inner = element;
    }
    if let Type::Int(bits) = *types.get(inner)
        && is_other_width(bits)
    {
        facts |= POINTER_TO_CHECK;
    }
    facts
}
