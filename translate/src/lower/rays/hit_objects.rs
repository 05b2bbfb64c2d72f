//! Hit objects and reordering (DirectX Raytracing, "Shader execution reordering";
//! `SPV_EXT_shader_invocation_reorder`).
//!
//! A DXIL value is the number of the variable that it lives in (see
//! [`crate::analysis::hit_objects`]). Code checks for objects that hold no hit, or nothing at all:
//! D3D12 defines their properties, SPIR-V does not.

use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::dxil::ops::calls;
use dxil_frontend::ir::ValueId;

use crate::analysis::hit_objects;
use crate::lower::context::{Context, Input};
use crate::lower::memory::accesses;
use crate::lower::rays::{acceleration_structures, query, ray_stages};
use crate::lower::resources::resource_variables;
use crate::lower::resources::state::Leaf;
use crate::lower::values::{Call, LoweredValue};
use crate::lower::{blocks, types};
use crate::options::Features;
use crate::spirv::{Builder, Capability, Id, MemoryAccess, Op, StorageClass};
use crate::{Error, Result};

/// The committed intersection, as an operand of ray query instructions (`RayQueryIntersection`).
const COMMITTED: u32 = 1;

/// The state of the object in which a property is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// A hit.
    Hit,
    /// A hit or a miss.
    Ray,
}

/// Returns the number of the variable of a hit object.
fn number_of(cx: &mut Context<'_>, value: ValueId) -> Result<usize> {
    let function = cx.function.view.function.id;
    // Functions are lowered one after the other, so the numbering of the last function is enough.
    if cx.module.rays.hit_objects.function != Some(function) {
        let assigned = hit_objects::assign(cx.input.shader, cx.function.view)?;
        let state = &mut cx.module.rays.hit_objects;
        state.variables = vec![(None, None); assigned.variables.len()];
        (state.function, state.assigned) = (Some(function), assigned);
    }
    let number = cx.module.rays.hit_objects.assigned.of.get(&value).copied();
    number.ok_or_else(|| Error::malformed(format!("{value} is not a hit object")))
}

/// Returns the variable of a hit object.
fn variable_of(cx: &mut Context<'_>, value: ValueId) -> Result<Id> {
    use ShaderKind::{ClosestHit, Miss, RayGeneration};
    // These are the stages that may call `TraceRay` (DirectX Raytracing, "HitObject").
    ray_stages::only_in(
        &cx.input,
        &[RayGeneration, ClosestHit, Miss],
        "a hit object",
    )?;
    need_reordering(&mut cx.b, &cx.input)?;
    let number = number_of(cx, value)?;
    if let Some(&(Some(variable), _)) = cx.module.rays.hit_objects.variables.get(number) {
        return Ok(variable);
    }
    // The extension allows hit objects in the classes Private and Function only, and OpLoad,
    // OpStore and OpCopyMemory may not touch them.
    let ty = cx.b.hit_object();
    let pointer = cx.b.pointer(StorageClass::Function, ty);
    let variable = cx.b.local_variable(pointer, None);
    if let Some(slot) = cx.module.rays.hit_objects.variables.get_mut(number) {
        slot.0 = Some(variable);
    }
    Ok(variable)
}

fn need_reordering(b: &mut Builder, input: &Input<'_>) -> Result<()> {
    input.need_feature(
        Features::INVOCATION_REORDER,
        "rayTracingInvocationReorder",
        || "a hit object".to_owned(),
    )?;
    b.capability(Capability::ShaderInvocationReorderEXT);
    b.extension("SPV_EXT_shader_invocation_reorder");
    // SPV_EXT_shader_invocation_reorder requires physical storage buffers, which are a part of
    // SPIR-V 1.5.
    b.extension_before(0x0001_0500, "SPV_KHR_physical_storage_buffer");
    Ok(())
}

/// Stores whether the object has a record in a shader table, if an object in the same variable may
/// have none.
fn set_has_record(cx: &mut Context<'_>, value: ValueId, has: bool) -> Result<()> {
    let number = number_of(cx, value)?;
    // Only objects made from ray queries can lack a record, so the flag costs nothing elsewhere.
    let shared = cx.module.rays.hit_objects.assigned.variables.get(number);
    if !shared.is_some_and(|shared| shared.from_query) {
        return Ok(());
    }
    let variable = has_record(cx, number);
    let has = cx.b.const_bool(has);
    cx.b.store(variable, has);
    Ok(())
}

fn has_record(cx: &mut Context<'_>, number: usize) -> Id {
    if let Some(&(_, Some(variable))) = cx.module.rays.hit_objects.variables.get(number) {
        return variable;
    }
    let ty = cx.b.bool();
    let pointer = cx.b.pointer(StorageClass::Function, ty);
    let variable = cx.b.local_variable(pointer, None);
    if let Some(slot) = cx.module.rays.hit_objects.variables.get_mut(number) {
        slot.1 = Some(variable);
    }
    variable
}

/// Returns the variable in which the call makes an object, the call's result, and the value of that
/// result.
fn new(cx: &mut Context<'_>, call: &Call) -> Result<(Id, ValueId, LoweredValue)> {
    let Some(result) = call.result else {
        return Err(Error::malformed("a hit object that is no value"));
    };
    let variable = variable_of(cx, result)?;
    let number = number_of(cx, result)?;
    let value = LoweredValue::Id(cx.b.const_u32(number as u32));
    Ok((variable, result, value))
}

/// Lowers `HitObject::TraceRay`.
pub(super) fn trace_ray(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::HitObjectTraceRay,
) -> Result<LoweredValue> {
    let (variable, result, value) = new(cx, call)?;
    let words = [
        op.ray_flags,
        op.instance_mask,
        op.ray_contribution,
        op.geometry_multiplier,
        op.miss_index,
    ];
    let mut operands = vec![
        variable,
        acceleration_structures::acceleration_structure(cx, op.acceleration_structure)?,
    ];
    operands.extend(ray_stages::ray_words(cx, words)?);
    operands.extend(ray_stages::ray_description(
        cx,
        op.origin,
        op.t_min,
        op.direction,
        op.t_max,
    )?);
    ray_stages::with_sent(
        cx,
        op.payload,
        StorageClass::RayPayloadKHR,
        |cx, payload| {
            operands.push(payload);
            cx.b.emit_void(Op::HitObjectTraceRayEXT, &operands);
            Ok(())
        },
    )?;
    set_has_record(cx, result, true)?;
    Ok(value)
}

/// Lowers `HitObject::FromRayQuery`: the committed hit, or a NOP object if there is none. The
/// object has no record in a shader table until `SetShaderTableIndex` gives it one.
pub(super) fn from_query(
    cx: &mut Context<'_>,
    call: &Call,
    query: ValueId,
    own: Option<(ValueId, ValueId)>,
) -> Result<LoweredValue> {
    let (variable, result, value) = new(cx, call)?;
    let query = query::query_of(cx, query)?;
    let (attributes, kind) = match own {
        // The attributes have to be in a variable of this class when the instruction runs; the
        // shader's own copy is in another one, and may be of another layout.
        Some((kind, attributes)) => {
            let (pointer, pointee) = ray_stages::sent_data(cx, attributes)?;
            let ty = types::lower(cx, pointee)?;
            let variable = attributes_variable(cx, ty);
            let whole = accesses::load_whole(cx, pointer, pointee)?;
            cx.b.store(variable, whole);
            (variable, cx.id(kind)?)
        }
        // For triangles the instruction ignores both operands, but it has to have a variable.
        None => {
            let float = cx.b.f32();
            let vector = cx.b.vector(float, 2);
            let ty = cx.b.struct_type(&[vector]);
            (attributes_variable(cx, ty), cx.b.const_u32(0))
        }
    };
    // Without a committed hit D3D12 returns a NOP object, where SPIR-V has undefined behaviour:
    // make the object empty first, and record into it only after the test.
    cx.b.emit_void(Op::HitObjectRecordEmptyEXT, &[variable]);
    let word = cx.b.u32();
    let bool_ty = cx.b.bool();
    let committed = cx.b.const_u32(COMMITTED);
    let status = cx.b.emit(
        Op::RayQueryGetIntersectionTypeKHR,
        word,
        &[query, committed],
    );
    let zero = cx.b.const_u32(0);
    let is_hit = cx.b.emit(Op::INotEqual, bool_ty, &[status, zero]);
    let part = blocks::begin_if(cx, is_hit);
    cx.b.emit_void(
        Op::HitObjectRecordFromQueryEXT,
        &[variable, query, zero, attributes, kind],
    );
    blocks::end_if(cx, part);
    set_has_record(cx, result, false)?;
    Ok(value)
}

/// Returns the variable for attributes of a type.
fn attributes_variable(cx: &mut Context<'_>, ty: Id) -> Id {
    if let Some(&variable) = cx.module.rays.hit_objects.attributes.get(&ty) {
        return variable;
    }
    let class = StorageClass::HitObjectAttributeEXT;
    // One variable per type is enough: every use stores or receives the whole value next to the
    // instruction that passes it.
    let pointer = cx.b.pointer(class, ty);
    let variable = cx.b.global_variable(class, pointer, None);
    cx.module.rays.hit_objects.attributes.insert(ty, variable);
    variable
}

/// Lowers `HitObject::MakeMiss`.
pub(super) fn make_miss(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::HitObjectMakeMiss,
) -> Result<LoweredValue> {
    let (variable, result, value) = new(cx, call)?;
    let mut operands = vec![variable];
    operands.extend(cx.ids([op.ray_flags, op.miss_index])?);
    operands.extend(ray_stages::ray_description(
        cx,
        op.origin,
        op.t_min,
        op.direction,
        op.t_max,
    )?);
    cx.b.emit_void(Op::HitObjectRecordMissEXT, &operands);
    set_has_record(cx, result, true)?;
    Ok(value)
}

/// Lowers `HitObject::MakeNop`.
pub(super) fn make_nop(cx: &mut Context<'_>, call: &Call) -> Result<LoweredValue> {
    let (variable, result, value) = new(cx, call)?;
    cx.b.emit_void(Op::HitObjectRecordEmptyEXT, &[variable]);
    set_has_record(cx, result, true)?;
    Ok(value)
}

/// Lowers `HitObject::Invoke`.
pub(super) fn invoke(cx: &mut Context<'_>, op: &calls::HitObjectInvoke) -> Result<LoweredValue> {
    let variable = variable_of(cx, op.hit)?;
    let number = number_of(cx, op.hit)?;
    let shared = cx.module.rays.hit_objects.assigned.variables.get(number);
    // In D3D12 invoking an object without a record does nothing (DirectX Raytracing, "HitObject
    // Invoke"). SPIR-V would run the shader of record 0, which `from_query` had to name.
    let part = if shared.is_some_and(|shared| shared.from_query) {
        let has = has_record(cx, number);
        let bool_ty = cx.b.bool();
        let has = cx.b.load(bool_ty, has);
        Some(blocks::begin_if(cx, has))
    } else {
        None
    };
    ray_stages::with_sent(
        cx,
        op.payload,
        StorageClass::RayPayloadKHR,
        |cx, payload| {
            let operands = [variable, payload];
            cx.b.emit_void(Op::HitObjectExecuteShaderEXT, &operands);
            Ok(())
        },
    )?;
    if let Some(part) = part {
        blocks::end_if(cx, part);
    }
    Ok(LoweredValue::Unset)
}

/// Lowers `MaybeReorderThread`.
pub(super) fn maybe_reorder_thread(
    cx: &mut Context<'_>,
    op: &calls::MaybeReorderThread,
) -> Result<LoweredValue> {
    ray_stages::only_in(
        &cx.input,
        &[ShaderKind::RayGeneration],
        "MaybeReorderThread",
    )?;
    cx.module.rays.hit_objects.reorders = true;
    let mut operands = vec![variable_of(cx, op.hit)?];
    // The DXIL operation always carries a hint. A width of 0 bits means that there is none, and the
    // operands of the SPIR-V instruction are optional.
    if cx.function.constant_int(op.hint_bits) != Some(0) {
        operands.extend(cx.ids([op.coherence_hint, op.hint_bits])?);
    }
    cx.b.emit_void(Op::ReorderThreadWithHitObjectEXT, &operands);
    Ok(LoweredValue::Unset)
}

/// Lowers `IsHit`, `IsMiss`, `IsNop`.
pub(super) fn test(cx: &mut Context<'_>, hit: ValueId, instruction: Op) -> Result<LoweredValue> {
    let variable = variable_of(cx, hit)?;
    let bool_ty = cx.b.bool();
    Ok(LoweredValue::Id(cx.b.emit(
        instruction,
        bool_ty,
        &[variable],
    )))
}

/// Returns a property of the object, or `otherwise` where the object does not have it.
fn query_state(
    cx: &mut Context<'_>,
    hit: ValueId,
    holds: Holds,
    instruction: Op,
    ty: Id,
    otherwise: Id,
) -> Result<Id> {
    let variable = variable_of(cx, hit)?;
    let holds = check_state(&mut cx.b, variable, holds);
    let part = blocks::begin_if(cx, holds);
    let answer = cx.b.emit(instruction, ty, &[variable]);
    Ok(blocks::end_if_with(cx, part, ty, answer, otherwise))
}

fn check_state(b: &mut Builder, variable: Id, holds: Holds) -> Id {
    let bool_ty = b.bool();
    match holds {
        Holds::Hit => b.emit(Op::HitObjectIsHitEXT, bool_ty, &[variable]),
        Holds::Ray => {
            let empty = b.emit(Op::HitObjectIsEmptyEXT, bool_ty, &[variable]);
            b.emit(Op::LogicalNot, bool_ty, &[empty])
        }
    }
}

/// Returns a `uint` property of the object, or 0 if the object does not have it.
pub(super) fn load_word(
    cx: &mut Context<'_>,
    hit: ValueId,
    holds: Holds,
    instruction: Op,
) -> Result<LoweredValue> {
    let ty = cx.b.u32();
    let zero = cx.b.const_u32(0);
    let answer = query_state(cx, hit, holds, instruction, ty, zero)?;
    Ok(LoweredValue::Id(answer))
}

/// Returns a `float` property of the ray; 0 for a NOP object.
pub(super) fn load_float(
    cx: &mut Context<'_>,
    hit: ValueId,
    instruction: Op,
) -> Result<LoweredValue> {
    let ty = cx.b.f32();
    let zero = cx.b.const_null(ty);
    let answer = query_state(cx, hit, Holds::Ray, instruction, ty, zero)?;
    Ok(LoweredValue::Id(answer))
}

/// Returns a component of a `float3` property of the ray. In object space, a miss has the value of
/// world space.
pub(super) fn load_vector(
    cx: &mut Context<'_>,
    hit: ValueId,
    component: u32,
    world: Op,
    object: Option<Op>,
) -> Result<LoweredValue> {
    let float = cx.b.f32();
    let vector = cx.b.vector(float, 3);
    let zero = cx.b.const_null(vector);
    // D3D12 defines zeros for a NOP object, and the ray in world space for a miss (DirectX
    // Raytracing, "HitObject GetObjectRayOrigin").
    let mut answer = query_state(cx, hit, Holds::Ray, world, vector, zero)?;
    if let Some(object) = object {
        answer = query_state(cx, hit, Holds::Hit, object, vector, answer)?;
    }
    // The operand is a constant of the module: the clamp keeps a damaged file from making an
    // invalid OpCompositeExtract.
    Ok(LoweredValue::Id(cx.b.extract(
        float,
        answer,
        component.min(2),
    )))
}

/// Returns an element of a `float3x4` property, which SPIR-V has as four columns of three; an
/// element of the identity if there is no hit.
pub(super) fn load_matrix(
    cx: &mut Context<'_>,
    hit: ValueId,
    [row, column]: [u32; 2],
    instruction: Op,
) -> Result<LoweredValue> {
    let (row, column) = (row.min(2), column.min(3));
    let float = cx.b.f32();
    let vector = cx.b.vector(float, 3);
    let matrix = cx.b.matrix(vector, 4);
    let variable = variable_of(cx, hit)?;
    let holds = check_state(&mut cx.b, variable, Holds::Hit);
    let part = blocks::begin_if(cx, holds);
    let whole = cx.b.emit(instruction, matrix, &[variable]);
    let words = [whole.0, column, row];
    let element = cx.b.emit(Op::CompositeExtract, float, &words);
    // D3D12 defines an identity matrix for objects without a hit ("HitObject GetObjectToWorld3x4").
    let diagonal = if row == column { 1.0 } else { 0.0 };
    let otherwise = cx.b.const_float(32, diagonal);
    Ok(LoweredValue::Id(blocks::end_if_with(
        cx, part, float, element, otherwise,
    )))
}

/// Lowers `SetShaderTableIndex`: the same object with another record. A NOP object stays one.
pub(super) fn set_table_index(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::HitObjectSetShaderTableIndex,
) -> Result<LoweredValue> {
    let (variable, result, value) = new(cx, call)?;
    let index = cx.id(op.index)?;
    // A NOP object ignores the index (DirectX Raytracing, "HitObject SetShaderTableIndex").
    let holds = check_state(&mut cx.b, variable, Holds::Ray);
    let part = blocks::begin_if(cx, holds);
    cx.b.emit_void(
        Op::HitObjectSetShaderBindingTableRecordIndexEXT,
        &[variable, index],
    );
    blocks::end_if(cx, part);
    set_has_record(cx, result, true)?;
    Ok(value)
}

/// Lowers `LoadLocalRootTableConstant`: a word of the shader record.
pub(super) fn root_constant(
    cx: &mut Context<'_>,
    op: &calls::HitObjectLoadLocalRootTableConstant,
) -> Result<LoweredValue> {
    resource_variables::physical_addresses(&mut cx.b, &cx.input)?;
    let variable = variable_of(cx, op.hit)?;
    let offset = cx.id(op.offset)?;
    let word = cx.b.u32();
    let pair = cx.b.vector(word, 2);
    let zero = cx.b.const_u32(0);
    let holds = check_state(&mut cx.b, variable, Holds::Ray);
    let part = blocks::begin_if(cx, holds);
    let address = cx.b.emit(
        Op::HitObjectGetShaderRecordBufferHandleEXT,
        pair,
        &[variable],
    );
    let class = StorageClass::PhysicalStorageBuffer;
    let block = resource_variables::data_block(cx, Leaf::U32, 0, false);
    let block_ty = cx.b.pointer(class, block.ty);
    // The address comes as two words, which a bitcast turns into a pointer without Int64.
    let record = cx.b.bitcast(block_ty, address);
    let index = cx.b.u32_shr(offset, 2);
    let pointer_ty = cx.b.pointer(class, word);
    let pointer = cx.b.access_chain(pointer_ty, record, &[zero, index]);
    // Accesses through physical pointers must state an alignment
    // (VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708). Records hold root arguments, which are
    // words.
    let access = MemoryAccess::ALIGNED.bits();
    let loaded = cx.b.emit(Op::Load, word, &[pointer.0, access, 4]);
    Ok(LoweredValue::Id(blocks::end_if_with(
        cx, part, word, loaded, zero,
    )))
}

/// Lowers `GetAttributes`; zeros where there is no hit.
pub(super) fn get_attributes(
    cx: &mut Context<'_>,
    op: &calls::HitObjectAttributes,
) -> Result<LoweredValue> {
    let variable = variable_of(cx, op.hit)?;
    let (pointer, pointee) = ray_stages::sent_data(cx, op.attributes)?;
    let ty = types::lower(cx, pointee)?;
    let attributes = attributes_variable(cx, ty);
    // Objects without a hit give zeros ("HitObject GetAttributes").
    let none = cx.b.const_null(ty);
    let holds = check_state(&mut cx.b, variable, Holds::Hit);
    let part = blocks::begin_if(cx, holds);
    let operands = [variable, attributes];
    cx.b.emit_void(Op::HitObjectGetAttributesEXT, &operands);
    let whole = cx.b.load(ty, attributes);
    let whole = blocks::end_if_with(cx, part, ty, whole, none);
    accesses::store_whole(cx, pointer, pointee, whole)?;
    Ok(LoweredValue::Unset)
}
