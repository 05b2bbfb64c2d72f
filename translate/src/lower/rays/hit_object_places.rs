//! The memory of hit objects: the variable that [`crate::analysis::hit_objects`] assigns to an
//! object, or a slot of an array ([`crate::hit_objects`]).

use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::ir::ValueId;

use super::hit_object_extensions::{instruction, need_reordering};
use super::ray_stages;
use super::state::HitObjectPlace;
use crate::analysis::hit_objects;
use crate::lower::context::Context;
use crate::lower::values::{Call, LoweredValue};
use crate::spirv::{Builder, Id, Op, StorageClass};
use crate::{Error, Result};

/// Begins the hit objects of the current function, if it is another one than before.
pub(super) fn enter_function(cx: &mut Context<'_>) -> Result<()> {
    use ShaderKind::{ClosestHit, Miss, RayGeneration};
    // These are the stages that may call `TraceRay` (DirectX Raytracing, "HitObject").
    ray_stages::only_in(
        &cx.input,
        &[RayGeneration, ClosestHit, Miss],
        "a hit object",
    )?;
    need_reordering(&mut cx.b, &cx.input)?;
    let function = cx.function.view.function.id;
    // Functions are lowered one after the other, so the numbering of the last function is enough.
    if cx.module.rays.hit_objects.function != Some(function) {
        let assigned = hit_objects::assign(cx.input.shader, cx.function.view)?;
        let state = &mut cx.module.rays.hit_objects;
        state.variables = vec![None; assigned.variables.len()];
        (state.function, state.assigned) = (Some(function), assigned);
        state.arrays.clear();
        state.slots.clear();
        state.next = None;
    }
    Ok(())
}

/// Returns where a hit object lives.
pub(super) fn place_of(cx: &mut Context<'_>, value: ValueId) -> Result<HitObjectPlace> {
    enter_function(cx)?;
    let state = &cx.module.rays.hit_objects;
    if let Some(&slot) = state.slots.get(&value) {
        return Ok(slot);
    }
    let Some(&number) = state.assigned.of.get(&value) else {
        return Err(Error::malformed(format!("{value} is not a hit object")));
    };
    if let Some(&Some(place)) = state.variables.get(number) {
        return Ok(place);
    }
    let shared = state.assigned.variables.get(number);
    // Only objects made from ray queries can lack a record, so the flag costs nothing elsewhere.
    let may_lack_record = shared.is_some_and(|shared| shared.from_query);
    let place = new_place(cx, None, may_lack_record)?;
    if let Some(slot) = cx.module.rays.hit_objects.variables.get_mut(number) {
        *slot = Some(place);
    }
    Ok(place)
}

/// Returns a new variable of an object, or of an array of them.
fn new_place(
    cx: &mut Context<'_>,
    slots: Option<u32>,
    may_lack_record: bool,
) -> Result<HitObjectPlace> {
    let ty = instruction(cx, Op::TypeHitObjectEXT)?;
    let b = &mut cx.b;
    // The extension allows hit objects in the classes Private and Function only, and OpLoad,
    // OpStore and OpCopyMemory may not touch them.
    let variable = |b: &mut Builder, one: Id| {
        let ty = slots.map_or(one, |slots| b.array(one, slots));
        let pointer = b.pointer(StorageClass::Function, ty);
        b.local_variable(pointer, None)
    };
    let (object, flag) = (b.hit_object(ty), b.bool());
    Ok(HitObjectPlace {
        object: variable(b, object),
        has_record: may_lack_record.then(|| variable(b, flag)),
    })
}

/// A slot of an array of hit objects.
pub(in crate::lower) struct Slot {
    /// The array's number, and how many slots it has.
    pub(in crate::lower) array: u32,
    pub(in crate::lower) slots: u32,
    pub(in crate::lower) may_lack_record: bool,
    pub(in crate::lower) slot: ValueId,
}

/// Returns the object in a slot of an array.
fn slot_of(cx: &mut Context<'_>, slot: Slot) -> Result<HitObjectPlace> {
    enter_function(cx)?;
    let Slot {
        array: number,
        slots,
        may_lack_record,
        slot,
    } = slot;
    let slot = cx.id(slot)?;
    let array = match cx.module.rays.hit_objects.arrays.get(&number) {
        Some(&array) => array,
        None => {
            let array = new_place(cx, Some(slots), may_lack_record)?;
            cx.module.rays.hit_objects.arrays.insert(number, array);
            array
        }
    };
    let element = |b: &mut Builder, array: Id, ty: Id| {
        let pointer = b.pointer(StorageClass::Function, ty);
        b.access_chain(pointer, array, &[slot])
    };
    let ty = instruction(cx, Op::TypeHitObjectEXT)?;
    let b = &mut cx.b;
    let (object, flag) = (b.hit_object(ty), b.bool());
    Ok(HitObjectPlace {
        object: element(b, array.object, object),
        has_record: array.has_record.map(|flags| element(b, flags, flag)),
    })
}

/// Lowers the pseudo-operation that names the object in a slot.
pub(in crate::lower) fn slot(
    cx: &mut Context<'_>,
    result: Option<ValueId>,
    slot: Slot,
) -> Result<LoweredValue> {
    let slot = slot_of(cx, slot)?;
    if let Some(result) = result {
        cx.module.rays.hit_objects.slots.insert(result, slot);
    }
    // The lowering takes the place of the object, not its value.
    Ok(LoweredValue::Id(cx.b.const_u32(0)))
}

/// Lowers the pseudo-operation that says where the next object is made.
pub(in crate::lower) fn place(cx: &mut Context<'_>, slot: Slot) -> Result<LoweredValue> {
    let slot = slot_of(cx, slot)?;
    cx.module.rays.hit_objects.next = Some(slot);
    Ok(LoweredValue::Unset)
}

/// Returns the variable of a hit object.
pub(super) fn variable_of(cx: &mut Context<'_>, value: ValueId) -> Result<Id> {
    Ok(place_of(cx, value)?.object)
}

/// Stores whether the object has a record in a shader table, if it may have none.
pub(super) fn set_has_record(cx: &mut Context<'_>, place: HitObjectPlace, has: bool) {
    if let Some(variable) = place.has_record {
        let has = cx.b.const_bool(has);
        cx.b.store(variable, has);
    }
}

/// Returns the place in which the call makes an object, and the value of its result.
pub(super) fn new(cx: &mut Context<'_>, call: &Call) -> Result<(HitObjectPlace, LoweredValue)> {
    let Some(result) = call.result else {
        return Err(Error::malformed("a hit object that is no value"));
    };
    let place = match cx.module.rays.hit_objects.next.take() {
        Some(slot) => slot,
        None => place_of(cx, result)?,
    };
    // The lowering takes the place of the object, not its value.
    Ok((place, LoweredValue::Id(cx.b.const_u32(0))))
}
