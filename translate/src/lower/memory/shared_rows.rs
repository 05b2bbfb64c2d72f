//! Group-shared arrays of vectors, which DXIL has as arrays of scalars: made arrays of vectors
//! again.
//!
//! DXC lowers `groupshared float4 tile[64]` to `[256 x float]` and every access to a component to
//! one at `i * 4 + component`. Where all accesses to a variable are of that form, it becomes an
//! array of vectors, and accesses of a block to the same vector become one load or store: not every
//! driver joins those of neighbouring words.

use dxil_frontend::dxil::ops::{self, Callee, Memory};
use dxil_frontend::ir::{
    BinaryOp, Constant, ConstantExpr, FuncView, GlobalId, Inst, InstId, Type, TypeId, ValueDef,
    ValueId, address_space,
};
use rustc_hash::FxHashMap;

use super::variables;
use crate::lower::context::Context;
use crate::lower::instrument::assumptions;
use crate::lower::memory::addresses;
use crate::lower::memory::state::{Candidate, Pointer};
use crate::lower::types;
use crate::options::Style;
use crate::spirv::{Id, StorageClass};
use crate::{Quirks, Result};

impl Candidate {
    /// Components of the vectors, if it is an array of them.
    fn width(&self) -> Option<u32> {
        let fits =
            |width: &u32| self.factor.is_multiple_of(*width) && self.count.is_multiple_of(*width);
        let inside = self
            .constants
            .is_none_or(|(least, most)| least >= 0 && most.unsigned_abs() < self.count);
        if self.refused || self.factor == 0 || !inside {
            return None;
        }
        [4, 3, 2].into_iter().find(fits)
    }
}

/// An index `factor * scaled + constant`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Index {
    scaled: Option<(ValueId, u32)>,
    constant: i32,
}

impl Index {
    /// Only multiplications are taken, not shifts: a product that wraps around belonged to an index
    /// outside of the array of vectors, which is undefined; a shift that drops bits may be meant.
    fn of(view: FuncView<'_>, index: ValueId) -> Option<Index> {
        let ty = view.module.types.get(view.type_of(index)?);
        if *ty != Type::Int(32) {
            return None;
        }
        let constant = |value| {
            view.constant_int(value)
                .map(|literal| literal as u32 as i32)
        };
        if let Some(constant) = constant(index) {
            return Some(Index {
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
        Some(Index {
            scaled: Some((scaled, factor)),
            constant: offset,
        })
    }

    fn component(self, width: u32) -> u32 {
        self.constant.rem_euclid(width as i32) as u32
    }

    /// Vectors behind the one that the scaled part says.
    fn rows(self, width: u32) -> i32 {
        self.constant.div_euclid(width as i32)
    }
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

/// The global variable that an address lies in or is.
fn global_behind(view: FuncView<'_>, mut pointer: ValueId) -> Option<GlobalId> {
    // Definitions precede uses, so this ends; the cap is against malformed input.
    for _ in 0..64 {
        pointer = match view.value(pointer)?.def {
            ValueDef::Global(global) => return Some(global),
            ValueDef::Inst(inst) => match view.function.insts.get(inst)?.inst {
                Inst::Gep { operands, .. } => *view.function.values_of(operands).first()?,
                Inst::Cast { value, .. } => value,
                _ => return None,
            },
            ValueDef::Constant(Constant::Expr(ConstantExpr::Gep { operands, .. })) => {
                *view.constant_elements(pointer, operands).first()?
            }
            ValueDef::Constant(Constant::Expr(ConstantExpr::Cast { value, .. })) => value,
            _ => return None,
        };
    }
    None
}

/// The variable and the index of an address of an element.
fn element(view: FuncView<'_>, pointer: ValueId) -> Option<(GlobalId, Index)> {
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

fn element_of(view: FuncView<'_>, operands: &[ValueId]) -> Option<(GlobalId, Index)> {
    let [base, zero, index] = *operands else {
        return None;
    };
    let ValueDef::Global(global) = view.value(base)?.def else {
        return None;
    };
    if view.constant_int(zero) != Some(0) {
        return None;
    }
    Some((global, Index::of(view, index)?))
}

fn gcd(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Accesses of a block to one vector.
struct Together {
    global: GlobalId,
    /// The scaled part, by what stands for its value, and the constant rows.
    row: (Option<(ValueId, u32)>, i32),
    members: Vec<(InstId, u32, ValueId)>,
}

/// Finds the group-shared arrays of scalars of the module.
pub(in crate::lower) fn begin(cx: &mut Context<'_>) {
    if cx.input.options.target.style != Style::Native
        || cx.input.has_quirk(Quirks::LOCKSTEP_GROUP_MEMORY)
        || cx.input.has_quirk(Quirks::ROBUST_GROUP_ARRAYS)
        || assumptions::watches(&cx.input)
    {
        return;
    }
    let module = cx.function.view.module;
    for (global, data) in module.globals.iter() {
        if data.address_space == address_space::GROUP_SHARED
            && let Type::Array { element, count } = *module.types.get(data.ty)
            && matches!(module.types.get(element), Type::Float | Type::Int(32))
            && let Ok(count) = u32::try_from(count)
        {
            let candidate = Candidate {
                element,
                count,
                factor: 0,
                constants: None,
                refused: false,
            };
            cx.module.memory.rows.candidates.insert(global, candidate);
        }
    }
}

/// Looks at what the current function does with them. Runs over all functions before the first is
/// lowered.
pub(in crate::lower) fn find(cx: &mut Context<'_>) {
    if cx.module.memory.rows.candidates.is_empty() {
        return;
    }
    let view = cx.function.view;
    let candidates = &mut cx.module.memory.rows.candidates;
    for data in view.function.insts.values() {
        // Most instructions, and none of them has an address.
        if matches!(data.inst, Inst::Binary { .. } | Inst::ExtractValue { .. }) {
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
            let Some(global) = global_behind(view, operand) else {
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
                Some((_, factor)) => candidate.factor = gcd(candidate.factor, factor),
                None => {
                    let (least, most) = candidate.constants.unwrap_or((i32::MAX, i32::MIN));
                    let constant = index.constant;
                    candidate.constants = Some((least.min(constant), most.max(constant)));
                }
            }
        });
        if let Inst::Store { pointer, value, .. } = data.inst
            && pointer == value
            && let Some(global) = global_behind(view, value)
            && let Some(candidate) = candidates.get_mut(&global)
        {
            candidate.refused = true;
        }
    }
}

/// Element type and components of the vectors that a variable is an array of.
fn shared_row(cx: &Context<'_>, global: GlobalId) -> Option<(TypeId, u32)> {
    let candidate = cx.module.memory.rows.candidates.get(&global)?;
    Some((candidate.element, candidate.width()?))
}

/// SPIR-V type of a group-shared variable, if it is an array of vectors.
pub(super) fn shared_rows_type(cx: &mut Context<'_>, variable: ValueId) -> Result<Option<Id>> {
    let Some(ValueDef::Global(global)) = cx.function.view.value(variable).map(|data| data.def)
    else {
        return Ok(None);
    };
    let Some((element, width)) = shared_row(cx, global) else {
        return Ok(None);
    };
    let rows = cx.module.memory.rows.candidates.get(&global);
    let rows = rows.map_or(0, |candidate| candidate.count / width);
    let element = types::lower(cx, element)?;
    let vector = cx.b.vector(element, width);
    Ok(Some(cx.b.array(vector, rows)))
}

/// Whether the operands of a `getelementptr` say a component of a vector, whose address is written
/// where it is used.
pub(in crate::lower) fn is_shared_component(cx: &Context<'_>, operands: &[ValueId]) -> bool {
    !cx.module.memory.rows.candidates.is_empty()
        && element_of(cx.function.view, operands)
            .is_some_and(|(global, _)| shared_row(cx, global).is_some())
}

/// Address of a component, if the operands of a `getelementptr` say one.
pub(super) fn shared_component(
    cx: &mut Context<'_>,
    operands: &[ValueId],
) -> Result<Option<Pointer>> {
    if cx.module.memory.rows.candidates.is_empty() {
        return Ok(None);
    }
    let Some((global, index)) = element_of(cx.function.view, operands) else {
        return Ok(None);
    };
    let Some((element, width)) = shared_row(cx, global) else {
        return Ok(None);
    };
    let row = shared_row_number(cx, index, width)?;
    let component = cx.b.const_u32(index.component(width));
    let ty = types::lower(cx, element)?;
    Ok(Some(Pointer::Typed {
        id: shared_address(cx, global, ty, &[row, component])?,
        pointee: element,
        place: None,
        class: StorageClass::Workgroup,
    }))
}

fn shared_row_number(cx: &mut Context<'_>, index: Index, width: u32) -> Result<Id> {
    let rows = cx.b.const_u32(index.rows(width) as u32);
    let Some((scaled, factor)) = index.scaled else {
        return Ok(rows);
    };
    let scaled = addresses::index_of(cx, scaled)?;
    let first = cx.b.u32_mul(scaled, factor / width);
    Ok(cx.b.u32_add(first, rows))
}

fn shared_address(cx: &mut Context<'_>, global: GlobalId, ty: Id, chain: &[Id]) -> Result<Id> {
    let variable = variables::global_pointer(cx, global)?;
    let variable = variables::pointer_id(cx, variable)?;
    let pointer_ty = cx.b.pointer(StorageClass::Workgroup, ty);
    Ok(cx.b.access_chain(pointer_ty, variable, chain))
}

/// The load of a component as a part of a load of the vector, if that is planned.
pub(in crate::lower) fn load(
    cx: &mut Context<'_>,
    inst: InstId,
    pointer: ValueId,
) -> Result<Option<Id>> {
    let Some(&(number, is_first)) = cx.module.memory.rows.loads.get(&inst) else {
        return Ok(None);
    };
    let Some((global, index)) = element(cx.function.view, pointer) else {
        return Ok(None);
    };
    let Some((element, width)) = shared_row(cx, global) else {
        return Ok(None);
    };
    let element = types::lower(cx, element)?;
    let mut vector = cx.module.memory.rows.loaded.get(number).copied();
    if is_first || vector.is_none_or(Id::is_none) {
        let row = shared_row_number(cx, index, width)?;
        let ty = cx.b.vector(element, width);
        let address = shared_address(cx, global, ty, &[row])?;
        let loaded = cx.b.load(ty, address);
        if let Some(slot) = cx.module.memory.rows.loaded.get_mut(number) {
            *slot = loaded;
        }
        vector = Some(loaded);
    }
    let vector = vector.unwrap_or_default();
    Ok(Some(cx.b.extract(element, vector, index.component(width))))
}

/// Writes the store of a component as a part of a store of the vector, if that is planned.
pub(in crate::lower) fn store(
    cx: &mut Context<'_>,
    inst: InstId,
    pointer: ValueId,
) -> Result<bool> {
    let Some(values) = cx.module.memory.rows.stores.get(&inst).cloned() else {
        return Ok(false);
    };
    let Some((global, index)) = element(cx.function.view, pointer) else {
        return Ok(false);
    };
    let Some((element, width)) = shared_row(cx, global) else {
        return Ok(false);
    };
    if values.is_empty() {
        return Ok(true);
    }
    let mut parts = Vec::with_capacity(values.len());
    for value in values {
        parts.push(cx.id(value)?);
    }
    let element = types::lower(cx, element)?;
    let ty = cx.b.vector(element, width);
    let vector = cx.b.construct(ty, &parts);
    let row = shared_row_number(cx, index, width)?;
    let address = shared_address(cx, global, ty, &[row])?;
    cx.b.store(address, vector);
    Ok(true)
}

/// Plans which accesses of the current function go together.
pub(in crate::lower) fn plan(cx: &mut Context<'_>) {
    let rows = &mut cx.module.memory.rows;
    rows.loads.clear();
    rows.loaded.clear();
    rows.stores.clear();
    if rows.candidates.values().all(|c| c.width().is_none()) {
        return;
    }
    let view = cx.function.view;
    let mut same = SameValues::default();
    for block in view.function.blocks.values() {
        let mut loads: Vec<Together> = Vec::new();
        let mut stores: Option<Together> = None;
        for inst in block.insts() {
            let Some(data) = view.function.insts.get(inst) else {
                continue;
            };
            same.note(view, data.result.expand(), &data.inst);
            match data.inst {
                Inst::Load { pointer, .. } => {
                    let Some((global, width, index)) = shared_access(cx, pointer, data.ty) else {
                        continue;
                    };
                    if stores.as_ref().is_some_and(|open| open.global == global) {
                        stores = None;
                    }
                    let row = same.row(index, width);
                    let member = (inst, index.component(width), pointer);
                    match loads
                        .iter_mut()
                        .find(|t| t.global == global && t.row == row)
                    {
                        Some(together) => together.members.push(member),
                        None => loads.push(Together {
                            global,
                            row,
                            members: vec![member],
                        }),
                    }
                }
                Inst::Store { pointer, value, .. } => {
                    let Some((global, width, index)) = view
                        .type_of(value)
                        .and_then(|ty| shared_access(cx, pointer, ty))
                    else {
                        continue;
                    };
                    plan_loads(cx, &mut loads, Some(global));
                    let row = same.row(index, width);
                    let member = (inst, index.component(width), value);
                    match &mut stores {
                        Some(open)
                            if open.global == global
                                && open.row == row
                                && open.members.iter().all(|m| m.1 != member.1) =>
                        {
                            open.members.push(member);
                        }
                        _ => {
                            stores = Some(Together {
                                global,
                                row,
                                members: vec![member],
                            });
                        }
                    }
                    if let Some(open) = stores.take_if(|o| o.members.len() == width as usize) {
                        plan_store(cx, open);
                    }
                }
                Inst::AtomicRmw { .. } | Inst::CmpXchg { .. } | Inst::Fence { .. } => {
                    plan_loads(cx, &mut loads, None);
                    stores = None;
                }
                Inst::Call { callee, args, .. }
                    if !leaves_memory(cx, callee, view.function.values_of(args)) =>
                {
                    plan_loads(cx, &mut loads, None);
                    stores = None;
                }
                _ => {}
            }
        }
        plan_loads(cx, &mut loads, None);
    }
}

fn shared_access(cx: &Context<'_>, pointer: ValueId, ty: TypeId) -> Option<(GlobalId, u32, Index)> {
    let (global, index) = element(cx.function.view, pointer)?;
    let (element, width) = shared_row(cx, global)?;
    let types = cx.input.types();
    (types.get(element) == types.get(ty)).then_some((global, width, index))
}

/// Plans the common loads of a variable, or of all, and forgets them.
fn plan_loads(cx: &mut Context<'_>, open: &mut Vec<Together>, of: Option<GlobalId>) {
    open.retain(|together| {
        if of.is_some_and(|global| global != together.global) {
            return true;
        }
        let width = shared_row(cx, together.global).map_or(0, |row| row.1);
        let parts = together.members.iter().fold(0_u32, |m, e| m | 1 << e.1);
        // Half of a vector of four is not worth the other half.
        if parts.count_ones() * 2 > width {
            let rows = &mut cx.module.memory.rows;
            let number = rows.loaded.len();
            rows.loaded.push(Id::NONE);
            for (place, &(inst, ..)) in together.members.iter().enumerate() {
                rows.loads.insert(inst, (number, place == 0));
            }
        }
        false
    });
}

/// Plans the store of a whole vector, which stands where the last component was stored.
fn plan_store(cx: &mut Context<'_>, mut together: Together) {
    let last = together.members.last().map(|member| member.0);
    together.members.sort_unstable_by_key(|member| member.1);
    for &(inst, ..) in &together.members {
        let values = match last == Some(inst) {
            true => together.members.iter().map(|member| member.2).collect(),
            false => Vec::new(),
        };
        cx.module.memory.rows.stores.insert(inst, values);
    }
}

/// Whether a call neither writes memory nor waits for those who do.
fn leaves_memory(cx: &Context<'_>, callee: ValueId, args: &[ValueId]) -> bool {
    let Some(ValueDef::Function(function)) = cx.function.view.value(callee).map(|data| data.def)
    else {
        return false;
    };
    match cx.input.shader.callees[function] {
        Callee::Ignored => true,
        Callee::DxOp(_) => ops::decode(cx.function.view, args).is_ok_and(|op| {
            let memory = op.opcode().properties().memory;
            matches!(memory, Memory::ReadNone | Memory::ReadOnly)
        }),
        Callee::Function => false,
    }
}

/// Integer values of a function that are computed alike: DXC computes the index of each component
/// anew.
#[derive(Default)]
struct SameValues {
    first: FxHashMap<(BinaryOp, ValueId, ValueId), ValueId>,
    /// The first value that is the same.
    same: FxHashMap<ValueId, ValueId>,
}

impl SameValues {
    fn of(&self, value: ValueId) -> ValueId {
        self.same.get(&value).copied().unwrap_or(value)
    }

    fn note(&mut self, view: FuncView<'_>, result: Option<ValueId>, inst: &Inst) {
        if let Inst::Binary { op, lhs, rhs, .. } = *inst
            && let Some(result) = result
            && view.type_of(result).map(|ty| view.module.types.get(ty)) == Some(&Type::Int(32))
        {
            let key = (op, self.of(lhs), self.of(rhs));
            let first = *self.first.entry(key).or_insert(result);
            self.same.insert(result, first);
        }
    }

    fn row(&self, index: Index, width: u32) -> (Option<(ValueId, u32)>, i32) {
        let scaled = index.scaled.map(|(value, factor)| (self.of(value), factor));
        (scaled, index.rows(width))
    }
}
