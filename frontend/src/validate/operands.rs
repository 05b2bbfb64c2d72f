//! The operands of all instructions, each of which is looked at once: what types they have, which
//! functions and variables they name, and which of them need a closer look.

use cranelift_entity::{EntityRef, SecondaryMap};

use super::context::ValidationContext;
use crate::ir::address_space::GROUP_SHARED;
use crate::ir::{
    Constant, FuncId, FuncView, Function, GlobalId, Inst, InstData, Type, TypeId, TypeTable,
    ValueData, ValueDef, ValueId,
};
use crate::tables::HashSet;

/// Classes of the operands or the result of an instruction.
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
/// `undef` or `null` of a structure type: handles are structures.
pub(super) const EMPTY_STRUCTURE: Facts = 1 << 6;
/// A constant expression.
pub(super) const EXPRESSION: Facts = 1 << 7;
/// `undef`.
pub(super) const UNDEF: Facts = 1 << 8;
/// A function, a variable, or a constant expression on one.
const NAMES: Facts = 1 << 9;
/// A structure.
const STRUCTURE: Facts = 1 << 10;
/// A function that the current one calls; its use has been taken down.
const CALLED: Facts = 1 << 11;

/// Classes of the operands of one instruction.
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

/// The uses of a function of the module.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FunctionUse {
    pub(super) is_called: bool,
    pub(super) is_otherwise_used: bool,
}

/// The results of the walk over all instructions.
pub(super) struct OperandFacts {
    /// Facts of each type.
    types: Vec<Facts>,
    /// Facts of each value that the module has, followed by those of the current function: values
    /// are used more often than they are defined.
    values: Vec<Facts>,
    /// The uses of each function.
    pub(super) functions: Vec<FunctionUse>,
    /// The functions with a body that each function calls, without repetition.
    callees: SecondaryMap<FuncId, Vec<FuncId>>,
    /// The variables that each function names, without repetition.
    globals: SecondaryMap<FuncId, Vec<GlobalId>>,
    /// The values that are marked as called.
    called: Vec<ValueId>,
    seen_globals: HashSet<GlobalId>,
}

impl OperandFacts {
    pub(super) fn new(cx: &ValidationContext<'_>) -> Self {
        let types = cx.types();
        let types: Vec<Facts> = types.types.keys().map(|ty| facts_of(types, ty)).collect();
        let values = &cx.module().values;
        OperandFacts {
            values: values.iter().map(|value| of_value(&types, value)).collect(),
            types,
            functions: vec![FunctionUse::default(); cx.module().functions.len()],
            callees: SecondaryMap::new(),
            globals: SecondaryMap::new(),
            called: Vec::new(),
            seen_globals: HashSet::default(),
        }
    }

    /// Begins with the next function.
    pub(super) fn begin(&mut self, function: &Function) {
        for id in self.called.drain(..) {
            if let Some(facts) = self.values.get_mut(id.index()) {
                *facts &= !CALLED;
            }
        }
        self.values.truncate(function.first_value as usize);
        let types = &self.types;
        let own = function.values.iter().map(|value| of_value(types, value));
        self.values.extend(own);
        self.seen_globals.clear();
    }

    /// Looks at the operands of an instruction.
    pub(super) fn look(&mut self, view: FuncView<'_>, data: &InstData) -> Found {
        let mut operands = 0;
        let mut look = |id: ValueId| {
            let facts = self.values.get(id.index()).copied().unwrap_or(0);
            operands |= facts;
            if facts & NAMES != 0 {
                self.name(view, id, false);
            }
        };
        match data.inst {
            // Most operands are arguments, which are one slice.
            Inst::Call { callee, args, .. } => {
                for value in view.function.values_of(args) {
                    look(*value);
                }
                operands |= self.look_at_callee(view, callee);
            }
            _ => view.function.for_each_operand(&data.inst, look),
        }
        Found {
            result: of_type(&self.types, data.ty),
            operands,
        }
    }

    fn look_at_callee(&mut self, view: FuncView<'_>, id: ValueId) -> Facts {
        let facts = self.values.get(id.index()).copied().unwrap_or(0);
        // A shader calls the same few functions over and over.
        if facts & CALLED == 0 {
            self.name(view, id, true);
            if let Some(facts) = self.values.get_mut(id.index()) {
                *facts |= CALLED;
                self.called.push(id);
            }
        }
        facts
    }

    /// Takes down the function or the variable that an operand names.
    fn name(&mut self, view: FuncView<'_>, id: ValueId, is_callee: bool) {
        match view.value(id).map(|value| value.def) {
            Some(ValueDef::Function(function)) => self.function(view, function, is_callee),
            Some(ValueDef::Global(global)) => self.global(view, global),
            _ => {
                if let Some(global) = view.global_of(id) {
                    self.global(view, global);
                }
            }
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
        if is_callee && has_body {
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

fn of_type(types: &[Facts], ty: TypeId) -> Facts {
    types.get(ty.index()).copied().unwrap_or(0)
}

fn of_value(types: &[Facts], value: &ValueData) -> Facts {
    let ty = of_type(types, value.ty);
    let is_structure = ty & STRUCTURE != 0;
    let own = match value.def {
        ValueDef::Function(_) | ValueDef::Global(_) => NAMES,
        ValueDef::Constant(Constant::Expr(_)) => EXPRESSION | NAMES,
        ValueDef::Constant(Constant::Undef) if is_structure => EMPTY_STRUCTURE | UNDEF,
        ValueDef::Constant(Constant::Undef) => UNDEF,
        ValueDef::Constant(Constant::Null) if is_structure => EMPTY_STRUCTURE,
        _ => 0,
    };
    own | ty
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
        Type::Struct { .. } => STRUCTURE,
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
