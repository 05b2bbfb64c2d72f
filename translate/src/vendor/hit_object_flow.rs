//! The flow of NVAPI's hit objects through a function.
//!
//! Their handles are words. Phis, selections and local variables that they go through get the type
//! of hit objects, so that later passes treat them as those of shader model 6.9.

use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::ir::{BlockId, Inst, InstData, Type, TypeId, ValueDef, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};

use super::hit_object_values::HitOverload;
use super::writer::FunctionWriter;
use crate::inline::DraftInst;
use crate::pseudo::PseudoOp;
use crate::{Error, Result};

/// Maximum nesting depth of arrays of handles.
const MAX_DEPTH: u32 = 16;

fn not_an_object() -> Error {
    Error::unsupported("hit objects of NVAPI in shared memory, in arithmetic and as arguments")
}

/// Gives what hit objects go through their type: `made` are the objects, `used` what operations
/// take for objects. Where a word comes in that is none, an empty object does.
///
/// # Errors
///
/// `Unsupported` if an object goes through a call, an operation on words, or memory that is no
/// local variable.
pub(super) fn settle(
    w: &mut FunctionWriter<'_, '_, '_>,
    made: &[ValueId],
    used: &[ValueId],
) -> Result<()> {
    if made.is_empty() && used.is_empty() {
        return Ok(());
    }
    let reached = reached(w, made);
    if !used
        .iter()
        .all(|&value| reached.contains(&w.draft.resolved(value)))
    {
        return Err(not_an_object());
    }
    // Before new instructions are added.
    check(w, &reached)?;
    let ty = w.hit_object_ty();
    // Empty objects for edges of phis stand at the ends of other blocks.
    let mut at_end: Vec<(usize, DraftInst)> = Vec::new();
    for block in 0..w.blocks() {
        for mut line in w.take_block(block) {
            let own = line.data.result.expand();
            let own = own.filter(|result| reached.contains(result));
            if let Some(own) = own {
                retype(w, &mut line.data, own)?;
            }
            match (line.data.inst, own) {
                (Inst::Phi { incoming }, Some(_)) => {
                    for edge in incoming.range() {
                        let Some(&(value, from)) = w.draft.function.edge_pool.get(edge) else {
                            continue;
                        };
                        if reached.contains(&w.draft.resolved(value)) {
                            continue;
                        }
                        let empty = aside(w, ty, from, &mut at_end)?;
                        if let Some(edge) = w.draft.function.edge_pool.get_mut(edge) {
                            edge.0 = empty;
                        }
                    }
                }
                (
                    Inst::Select {
                        condition,
                        if_true,
                        if_false,
                    },
                    Some(_),
                ) => {
                    line.data.inst = Inst::Select {
                        condition,
                        if_true: object_or_empty(w, ty, &reached, if_true)?,
                        if_false: object_or_empty(w, ty, &reached, if_false)?,
                    };
                }
                (
                    Inst::Store {
                        pointer,
                        value,
                        align,
                        volatile,
                    },
                    _,
                ) if reached.contains(&pointer) => {
                    line.data.inst = Inst::Store {
                        pointer,
                        value: object_or_empty(w, ty, &reached, value)?,
                        align,
                        volatile,
                    };
                }
                _ => {}
            }
            w.keep(line);
        }
        w.end_block(block);
    }
    for (block, line) in at_end {
        if let Some(lines) = w.draft.blocks.get_mut(block) {
            // Before the terminator.
            lines.insert(lines.len().saturating_sub(1), line);
        }
    }
    Ok(())
}

/// Returns everything that an object reaches: the results of phis, selections and loads, and the
/// addresses that it is stored to.
fn reached(w: &FunctionWriter<'_, '_, '_>, made: &[ValueId]) -> HashSet<ValueId> {
    let mut next: HashMap<ValueId, Vec<ValueId>> = HashMap::default();
    let mut flows = |from: ValueId, to: ValueId| {
        next.entry(w.draft.resolved(from)).or_default().push(to);
    };
    for line in w.draft.blocks.iter().flatten() {
        match (line.data.inst, line.data.result.expand()) {
            (Inst::Phi { incoming }, Some(result)) => {
                for &(value, _) in w.draft.function.edges_of(incoming) {
                    flows(value, result);
                }
            }
            (
                Inst::Select {
                    if_true, if_false, ..
                },
                Some(result),
            ) => {
                flows(if_true, result);
                flows(if_false, result);
            }
            (Inst::Store { pointer, value, .. }, _) => flows(value, pointer),
            (Inst::Load { pointer, .. }, Some(result)) => flows(pointer, result),
            (Inst::Gep { operands, .. }, Some(result)) => {
                if let Some(&base) = w.draft.function.values_of(operands).first() {
                    // An array holds objects if one of its elements does.
                    flows(base, result);
                    flows(result, base);
                }
            }
            _ => {}
        }
    }
    let mut reached: HashSet<ValueId> = made.iter().copied().collect();
    let mut work = made.to_vec();
    while let Some(object) = work.pop() {
        let to = next.remove(&object).unwrap_or_default();
        work.extend(to.into_iter().filter(|&to| reached.insert(to)));
    }
    reached
}

/// Refuses uses of objects, and of memory with objects, that cannot be followed.
fn check(w: &FunctionWriter<'_, '_, '_>, reached: &HashSet<ValueId>) -> Result<()> {
    let mut addresses: HashSet<ValueId> = HashSet::default();
    for line in w.draft.blocks.iter().flatten() {
        let (inst, result) = (line.data.inst, line.data.result.expand());
        if let (Inst::Alloca { .. } | Inst::Gep { .. }, Some(result)) = (inst, result) {
            addresses.insert(result);
        }
    }
    for line in w.draft.blocks.iter().flatten() {
        let is_followed = match line.data.inst {
            Inst::Phi { .. } | Inst::Select { .. } | Inst::Gep { .. } | Inst::Alloca { .. } => true,
            Inst::Load { pointer, .. } | Inst::Store { pointer, .. } => {
                !reached.contains(&pointer) || addresses.contains(&pointer)
            }
            Inst::Call { callee, .. } => is_operation(w, callee),
            // Only the lifetime of a variable.
            Inst::Cast { .. } => w.is_pointer_to_bytes(line.data.ty),
            _ => false,
        };
        let mut uses = false;
        let function = &w.draft.function;
        function.for_each_operand(&line.data.inst, |value| {
            uses |= reached.contains(&w.draft.resolved(value));
        });
        if uses && !is_followed {
            return Err(not_an_object());
        }
    }
    Ok(())
}

/// Gives a result the type of hit objects, or of the address of some.
fn retype(w: &mut FunctionWriter<'_, '_, '_>, data: &mut InstData, own: ValueId) -> Result<()> {
    match &mut data.inst {
        Inst::Phi { .. } | Inst::Select { .. } | Inst::Load { .. } => {
            data.ty = w.hit_object_ty();
        }
        Inst::Alloca { allocated, .. } => {
            *allocated = of_objects(w, *allocated, 0)?;
            data.ty = of_objects(w, data.ty, 0)?;
        }
        Inst::Gep { .. } => data.ty = of_objects(w, data.ty, 0)?,
        // The operations that make objects.
        _ => return Ok(()),
    }
    w.set_type(own, data.ty);
    Ok(())
}

/// Returns a type of words, arrays of them, or pointers to them, with hit objects in their place.
fn of_objects(w: &mut FunctionWriter<'_, '_, '_>, ty: TypeId, depth: u32) -> Result<TypeId> {
    let object = w.hit_object_ty();
    if ty == object || depth > MAX_DEPTH {
        return Ok(object);
    }
    let new = match w.tables.get(ty).clone() {
        Type::Int(32) => return Ok(object),
        Type::Array { element, count } => Type::Array {
            element: of_objects(w, element, depth + 1)?,
            count,
        },
        Type::Pointer {
            pointee,
            address_space,
        } => Type::Pointer {
            pointee: of_objects(w, pointee, depth + 1)?,
            address_space,
        },
        _ => return Err(not_an_object()),
    };
    Ok(w.tables.ty(new))
}

/// Returns the value if it is an object, an empty object otherwise.
fn object_or_empty(
    w: &mut FunctionWriter<'_, '_, '_>,
    ty: TypeId,
    reached: &HashSet<ValueId>,
    value: ValueId,
) -> Result<ValueId> {
    if reached.contains(&w.draft.resolved(value)) {
        return Ok(value);
    }
    w.of_hit_object(Opcode::HitObjectMakeNop, HitOverload::None, ty, None, &[])
}

/// Writes an empty object for the end of another block.
fn aside(
    w: &mut FunctionWriter<'_, '_, '_>,
    ty: TypeId,
    block: BlockId,
    at_end: &mut Vec<(usize, DraftInst)>,
) -> Result<ValueId> {
    let code = std::mem::take(&mut w.code);
    let empty = w.of_hit_object(Opcode::HitObjectMakeNop, HitOverload::None, ty, None, &[])?;
    let written = std::mem::replace(&mut w.code, code);
    let block = block.as_u32() as usize;
    at_end.extend(written.into_iter().map(|line| (block, line)));
    Ok(empty)
}

fn is_operation(w: &FunctionWriter<'_, '_, '_>, callee: ValueId) -> bool {
    let first = w.draft.function.first_value;
    let own = callee.as_u32().checked_sub(first);
    let own = own.and_then(|at| w.draft.function.values.get(at as usize));
    let function = match own.map(|data| data.def) {
        Some(ValueDef::Function(function)) => Some(function),
        _ => w.view.as_function(callee),
    };
    function.is_some_and(|function| {
        w.tables.is_operation(function) || PseudoOp::named(w.tables.name(function)).is_some()
    })
}
