//! Group-shared and constant arrays of vectors, which DXIL has as arrays of scalars.
//!
//! DXC lowers `groupshared float4 tile[64]` to `[256 x float]` and every access to a component to
//! one at `i * 4 + component`, and `static const` arrays too. A variable all of whose accesses are
//! of that form can become an array of vectors again, and accesses of a block to one vector can
//! become one load or store: not every driver joins those of neighbouring words. Mesa's drivers
//! also take time quadratic in the number of elements of a constant array.

use cranelift_entity::EntityRef;
use dxil_frontend::ir::{
    BinaryOp, Constant, ConstantExpr, FuncView, Global, GlobalId, Inst, InstData, Module, Type,
    TypeId, ValueDef, ValueId, address_space,
};
use dxil_frontend::tables::HashMap;

use crate::analysis::group_indices::GroupIndices;

/// The variables that become arrays of vectors.
#[derive(Debug, Default)]
pub(crate) struct ArrayRows {
    rows: HashMap<GlobalId, VectorArray>,
}

/// An array of vectors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VectorArray {
    /// IR type of a component.
    pub(crate) element: TypeId,
    /// Components of a vector, 2 to 4.
    pub(crate) width: u32,
    /// Number of vectors.
    pub(crate) count: u32,
}

impl ArrayRows {
    /// Returns whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the array of vectors that a variable becomes, if it does.
    pub(crate) fn of(&self, variable: GlobalId) -> Option<VectorArray> {
        self.rows.get(&variable).copied()
    }
}

/// Finds the variables, constants among them on request. The functions are all that may use them.
pub(super) fn find<'a>(
    module: &Module,
    indices: &GroupIndices,
    functions: impl Iterator<Item = FuncView<'a>>,
    takes_constants: bool,
) -> ArrayRows {
    let mut candidates = candidates(module, takes_constants);
    candidates.retain(|&global, _| !indices.is_unproven(global));
    if candidates.is_empty() {
        return ArrayRows::default();
    }
    let callees = Callees::of(module);
    for view in functions {
        check_accesses(&mut candidates, view, &callees);
    }
    let rows = candidates
        .into_iter()
        .filter_map(|(global, candidate)| Some((global, candidate.rows()?)));
    ArrayRows {
        rows: rows.collect(),
    }
}

/// A variable all of whose accesses so far have the form.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    element: TypeId,
    count: u32,
    /// Whether it is a constant array. Those that a loop walks through remain as they are: Mesa
    /// unrolls loops of as many rounds as an array in them has elements.
    is_constant: bool,
    /// Greatest common divisor of the factors of indices.
    factor: u32,
    /// Minimum and maximum of the constant indices.
    constants: Option<(i32, i32)>,
    refused: bool,
}

impl Candidate {
    /// Returns the array of vectors, if the variable can be one.
    fn rows(&self) -> Option<VectorArray> {
        let fits =
            |width: &u32| self.factor.is_multiple_of(*width) && self.count.is_multiple_of(*width);
        let inside = self
            .constants
            .is_none_or(|(min, max)| min >= 0 && max.unsigned_abs() < self.count);
        if self.refused || self.factor == 0 || !inside {
            return None;
        }
        // The widest vectors: fewer loads and stores.
        let width = [4, 3, 2].into_iter().find(fits)?;
        Some(VectorArray {
            element: self.element,
            width,
            count: self.count / width,
        })
    }
}

/// Returns whether a variable has contents that an array of vectors can have: zeros or nothing in
/// memory of the group, literals in a constant.
fn has_plain_contents(module: &Module, data: &Global) -> bool {
    let value = data
        .initializer
        .and_then(|value| module.values.get(value.as_u32() as usize));
    let contents = value.map(|value| value.def);
    match data.address_space {
        address_space::GROUP_SHARED => {
            data.initializer.is_none()
                || matches!(
                    contents,
                    Some(ValueDef::Constant(Constant::Null | Constant::Undef))
                )
        }
        address_space::DEFAULT => {
            data.is_constant && matches!(contents, Some(ValueDef::Constant(Constant::Data(_))))
        }
        _ => false,
    }
}

/// Returns the arrays of 32-bit scalars. Constant ones have floats: drivers put small integers into
/// literals, as long as they are scalars.
fn candidates(module: &Module, takes_constants: bool) -> HashMap<GlobalId, Candidate> {
    let mut candidates = HashMap::default();
    for (global, data) in module.globals.iter() {
        if (takes_constants || data.address_space != address_space::DEFAULT)
            && has_plain_contents(module, data)
            && let Type::Array { element, count } = *module.types.get(data.ty)
            && match module.types.get(element) {
                Type::Float => true,
                Type::Int(32) => data.address_space == address_space::GROUP_SHARED,
                _ => false,
            }
            && let Ok(count) = u32::try_from(count)
        {
            let candidate = Candidate {
                element,
                count,
                is_constant: data.address_space == address_space::DEFAULT,
                factor: 0,
                constants: None,
                refused: false,
            };
            candidates.insert(global, candidate);
        }
    }
    candidates
}

/// The functions of a module that have a pointer among their parameters.
struct Callees {
    take_pointers: Vec<bool>,
}

impl Callees {
    fn of(module: &Module) -> Callees {
        let is_pointer = |ty: &TypeId| matches!(module.types.get(*ty), Type::Pointer { .. });
        let takes_pointers = |ty: TypeId| match module.types.get(ty) {
            Type::Function { params, vararg, .. } => *vararg || params.iter().any(is_pointer),
            _ => true,
        };
        let functions = module.functions.values();
        Callees {
            take_pointers: functions.map(|decl| takes_pointers(decl.ty)).collect(),
        }
    }

    /// Returns whether an instruction may have an operand that is an address.
    fn may_take_address(&self, view: FuncView<'_>, data: &InstData) -> bool {
        let is_pointer = |ty| matches!(view.module.types.get(ty), Type::Pointer { .. });
        match data.inst {
            Inst::Binary { .. } | Inst::ExtractValue { .. } => false,
            // Their operands, but for the condition, are of the type of the result.
            Inst::Phi { .. } | Inst::Select { .. } => is_pointer(data.ty),
            Inst::Cmp { lhs, .. } => view.type_of(lhs).is_none_or(is_pointer),
            Inst::Call { callee, .. } => {
                let callee = view.as_function(callee);
                let takes = callee.and_then(|id| self.take_pointers.get(id.index()));
                takes.copied().unwrap_or(true)
            }
            _ => true,
        }
    }
}

/// Notes the form of a function's accesses.
fn check_accesses(
    candidates: &mut HashMap<GlobalId, Candidate>,
    view: FuncView<'_>,
    callees: &Callees,
) {
    for data in view.function.insts.values() {
        // Most instructions have no address.
        if !callees.may_take_address(view, data) {
            continue;
        }
        let accessed = match data.inst {
            Inst::Load {
                pointer,
                volatile: false,
                ..
            }
            | Inst::Store {
                pointer,
                volatile: false,
                ..
            } => Some(pointer),
            _ => None,
        };
        let is_address = matches!(data.inst, Inst::Gep { .. });
        view.function.for_each_operand(&data.inst, |operand| {
            let Some(global) = view.global_of(operand) else {
                return;
            };
            let Some(candidate) = candidates.get_mut(&global) else {
                return;
            };
            let is_whole = matches!(
                view.value(operand).map(|v| v.def),
                Some(ValueDef::Global(_))
            );
            // An address is looked at where it is used; one of another address is not followed.
            if is_address && is_whole {
                return;
            }
            let index = match element(view, operand) {
                Some((_, index)) if accessed == Some(operand) => index,
                _ => {
                    candidate.refused = true;
                    return;
                }
            };
            match index.scaled {
                Some((value, _)) if candidate.is_constant && is_phi(view, value) => {
                    candidate.refused = true;
                }
                Some((_, factor)) => candidate.factor = gcd(candidate.factor, factor),
                None => {
                    let (min, max) = candidate.constants.unwrap_or((i32::MAX, i32::MIN));
                    let constant = index.constant;
                    candidate.constants = Some((min.min(constant), max.max(constant)));
                }
            }
        });
        if let Inst::Store { pointer, value, .. } = data.inst
            && pointer == value
            && let Some(global) = view.global_of(value)
            && let Some(candidate) = candidates.get_mut(&global)
        {
            candidate.refused = true;
        }
    }
}

/// An index `factor * scaled + constant`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LinearIndex {
    /// The value that is scaled, and the factor.
    pub(crate) scaled: Option<(ValueId, u32)>,
    pub(super) constant: i32,
}

impl LinearIndex {
    /// Returns the linear form of an index. Only multiplications are taken, not shifts: a product
    /// that wraps around belonged to an index outside of the array of vectors, which is undefined;
    /// a shift that drops bits may be meant.
    fn of(view: FuncView<'_>, index: ValueId) -> Option<LinearIndex> {
        let ty = view.module.types.get(view.type_of(index)?);
        if *ty != Type::Int(32) {
            return None;
        }
        let constant = |value| {
            view.constant_int(value)
                .map(|literal| literal as u32 as i32)
        };
        if let Some(constant) = constant(index) {
            return Some(LinearIndex {
                scaled: None,
                constant,
            });
        }
        let (product, offset) = match binary(view, index)? {
            (BinaryOp::Add, a, b) => match (constant(a), constant(b)) {
                (Some(offset), None) => (b, offset),
                (None, Some(offset)) => (a, offset),
                _ => return None,
            },
            _ => (index, 0),
        };
        let (BinaryOp::Mul, a, b) = binary(view, product)? else {
            return None;
        };
        let (scaled, factor) = match (constant(a), constant(b)) {
            (None, Some(factor)) => (a, factor),
            (Some(factor), None) => (b, factor),
            _ => return None,
        };
        let factor = u32::try_from(factor).ok().filter(|&factor| factor > 1)?;
        Some(LinearIndex {
            scaled: Some((scaled, factor)),
            constant: offset,
        })
    }

    /// Returns the component of the vector.
    pub(crate) fn component(self, width: u32) -> u32 {
        self.constant.rem_euclid(width as i32) as u32
    }

    /// Returns the number of vectors between the one that the scaled part names and this one.
    pub(crate) fn rows(self, width: u32) -> i32 {
        self.constant.div_euclid(width as i32)
    }
}

fn is_phi(view: FuncView<'_>, value: ValueId) -> bool {
    let Some(ValueDef::Inst(inst)) = view.value(value).map(|data| data.def) else {
        return false;
    };
    let data = view.function.insts.get(inst);
    data.is_some_and(|data| matches!(data.inst, Inst::Phi { .. }))
}

fn binary(view: FuncView<'_>, value: ValueId) -> Option<(BinaryOp, ValueId, ValueId)> {
    let ValueDef::Inst(inst) = view.value(value)?.def else {
        return None;
    };
    match view.function.insts.get(inst)?.inst {
        Inst::Binary { op, lhs, rhs, .. } => Some((op, lhs, rhs)),
        _ => None,
    }
}

/// Returns the variable and the index of an address of an element.
pub(crate) fn element(view: FuncView<'_>, pointer: ValueId) -> Option<(GlobalId, LinearIndex)> {
    let operands = match view.value(pointer)?.def {
        ValueDef::Inst(inst) => match view.function.insts.get(inst)?.inst {
            Inst::Gep { operands, .. } => view.function.values_of(operands),
            _ => return None,
        },
        ValueDef::Constant(Constant::Expr(ConstantExpr::Gep { operands, .. })) => {
            view.constant_elements(pointer, operands)
        }
        _ => return None,
    };
    element_of(view, operands)
}

/// Returns the variable and the index that the operands of a `getelementptr` name.
pub(crate) fn element_of(
    view: FuncView<'_>,
    operands: &[ValueId],
) -> Option<(GlobalId, LinearIndex)> {
    let [base, zero, index] = *operands else {
        return None;
    };
    let ValueDef::Global(global) = view.value(base)?.def else {
        return None;
    };
    if view.constant_int(zero) != Some(0) {
        return None;
    }
    Some((global, LinearIndex::of(view, index)?))
}

fn gcd(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
