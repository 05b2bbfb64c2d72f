//! Hit objects and reordering (DirectX Raytracing, "Shader execution reordering";
//! `SPV_EXT_shader_invocation_reorder`).
//!
//! [`super::hit_object_places`] says where an object lives. Code checks for objects that hold no
//! hit, or nothing at all: D3D12 defines their properties, SPIR-V does not.

use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::dxil::ops::calls;
use dxil_frontend::ir::ValueId;

use super::hit_object_extensions::{instruction, is_of_nv};
use super::hit_object_places::{enter_function, new, place_of, set_has_record, variable_of};
use super::state::{HitObjectPlace, RecordedHit};
use super::{acceleration_structures, clusters, query, ray_stages};
use crate::lower::context::Context;
use crate::lower::memory::accesses;
use crate::lower::resources::resource_variables;
use crate::lower::resources::state::Leaf;
use crate::lower::values::{Call, LoweredValue};
use crate::lower::{blocks, types};
use crate::spirv::{Id, MemoryAccess, Op, StorageClass};
use crate::{Error, ErrorKind, Result};

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

/// Lowers the pseudo-operation that says which hit the next operation records.
pub(in crate::lower) fn record(
    cx: &mut Context<'_>,
    words: [ValueId; 6],
    has_record: bool,
    attributes: ValueId,
) -> Result<LoweredValue> {
    enter_function(cx)?;
    if !is_of_nv(&cx.input) {
        return Err(Error::internal("a hit is recorded on a target that cannot"));
    }
    let attributes = store_attributes(cx, attributes)?;
    let words = cx.ids(words)?;
    cx.module.rays.hit_objects.recorded = Some(RecordedHit {
        words,
        has_record,
        attributes,
    });
    Ok(LoweredValue::Unset)
}

/// Records a hit instead of tracing a ray.
fn record_hit(
    cx: &mut Context<'_>,
    object: Id,
    hit: RecordedHit,
    op: &calls::HitObjectTraceRay,
) -> Result<()> {
    let [instance, geometry, primitive, kind, first, second] = hit.words;
    let scene = acceleration_structures::acceleration_structure(cx, op.acceleration_structure)?;
    let mut operands = vec![object, scene, instance, primitive, geometry, kind, first];
    let op_of_hit = if hit.has_record {
        Op::HitObjectRecordHitWithIndexNV
    } else {
        operands.push(second);
        Op::HitObjectRecordHitNV
    };
    operands.extend(ray_stages::ray_description(
        cx,
        op.origin,
        op.t_min,
        op.direction,
        op.t_max,
    )?);
    operands.push(hit.attributes);
    cx.b.emit_void(op_of_hit, &operands);
    Ok(())
}

/// Lowers the number of the cluster that was hit; -1 where there is no hit.
pub(in crate::lower) fn cluster_id(cx: &mut Context<'_>, hit: ValueId) -> Result<LoweredValue> {
    if !is_of_nv(&cx.input) {
        // SPV_NV_cluster_acceleration_structure knows only the hit objects of NV's extension.
        return Err(Error::new(ErrorKind::TargetLacks {
            feature: "VK_NV_ray_tracing_invocation_reorder alone",
            user: "the cluster of a hit object".to_owned(),
        }));
    }
    clusters::declare(cx)?;
    let ty = cx.b.u32();
    let none = cx.b.const_u32(!0);
    let op = Op::HitObjectGetClusterIdNV;
    let number = query_state(cx, hit, Holds::Hit, op, ty, none)?;
    Ok(LoweredValue::Id(number))
}

/// Returns a property of the geometry that was hit; zeros where there is no hit.
pub(super) fn geometry(cx: &mut Context<'_>, hit: ValueId, op: Op, ty: Id) -> Result<Id> {
    let none = cx.b.const_null(ty);
    query_state(cx, hit, Holds::Hit, op, ty, none)
}

/// Lowers `HitObject::TraceRay`.
pub(super) fn trace_ray(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::HitObjectTraceRay,
) -> Result<LoweredValue> {
    let (place, value) = new(cx, call)?;
    let variable = place.object;
    if let Some(hit) = cx.module.rays.hit_objects.recorded.take() {
        record_hit(cx, variable, hit, op)?;
        set_has_record(cx, place, true);
        return Ok(value);
    }
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
            let op = instruction(cx, Op::HitObjectTraceRayEXT)?;
            cx.b.emit_void(op, &operands);
            Ok(())
        },
    )?;
    set_has_record(cx, place, true);
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
    let (place, value) = new(cx, call)?;
    let variable = place.object;
    let query = query::query_of(cx, query)?;
    let (attributes, kind) = match own {
        Some((kind, attributes)) => (store_attributes(cx, attributes)?, cx.id(kind)?),
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
    let op = instruction(cx, Op::HitObjectRecordEmptyEXT)?;
    cx.b.emit_void(op, &[variable]);
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
    let op = instruction(cx, Op::HitObjectRecordFromQueryEXT)?;
    cx.b.emit_void(op, &[variable, query, zero, attributes, kind]);
    blocks::end_if(cx, part);
    set_has_record(cx, place, false);
    Ok(value)
}

/// Copies attributes to the variable for their type, and returns it. They have to be in a variable
/// of this class when an instruction takes them; the shader's own copy is in another one, and may
/// be of another layout.
fn store_attributes(cx: &mut Context<'_>, attributes: ValueId) -> Result<Id> {
    let (pointer, pointee) = ray_stages::sent_data(cx, attributes)?;
    let ty = types::lower(cx, pointee)?;
    let variable = attributes_variable(cx, ty);
    let whole = accesses::load_whole(cx, pointer, pointee)?;
    cx.b.store(variable, whole);
    Ok(variable)
}

/// Returns the variable for attributes of a type.
fn attributes_variable(cx: &mut Context<'_>, ty: Id) -> Id {
    if let Some(&variable) = cx.module.rays.hit_objects.attributes.get(&ty) {
        return variable;
    }
    let class = if is_of_nv(&cx.input) {
        StorageClass::HitObjectAttributeNV
    } else {
        StorageClass::HitObjectAttributeEXT
    };
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
    let (place, value) = new(cx, call)?;
    let variable = place.object;
    let mut operands = vec![variable];
    if !is_of_nv(&cx.input) {
        operands.push(cx.id(op.ray_flags)?);
    }
    operands.push(cx.id(op.miss_index)?);
    operands.extend(ray_stages::ray_description(
        cx,
        op.origin,
        op.t_min,
        op.direction,
        op.t_max,
    )?);
    let op = instruction(cx, Op::HitObjectRecordMissEXT)?;
    cx.b.emit_void(op, &operands);
    set_has_record(cx, place, true);
    Ok(value)
}

/// Lowers `HitObject::MakeNop`.
pub(super) fn make_nop(cx: &mut Context<'_>, call: &Call) -> Result<LoweredValue> {
    let (place, value) = new(cx, call)?;
    let variable = place.object;
    let op = instruction(cx, Op::HitObjectRecordEmptyEXT)?;
    cx.b.emit_void(op, &[variable]);
    set_has_record(cx, place, true);
    Ok(value)
}

/// Lowers `HitObject::Invoke`.
pub(super) fn invoke(cx: &mut Context<'_>, op: &calls::HitObjectInvoke) -> Result<LoweredValue> {
    let HitObjectPlace { object, has_record } = place_of(cx, op.hit)?;
    // In D3D12 invoking an object without a record does nothing (DirectX Raytracing, "HitObject
    // Invoke"). SPIR-V would run the shader of record 0, which `from_query` had to name.
    let part = has_record.map(|has| {
        let bool_ty = cx.b.bool();
        let has = cx.b.load(bool_ty, has);
        blocks::begin_if(cx, has)
    });
    ray_stages::with_sent(
        cx,
        op.payload,
        StorageClass::RayPayloadKHR,
        |cx, payload| {
            let operands = [object, payload];
            let op = instruction(cx, Op::HitObjectExecuteShaderEXT)?;
            cx.b.emit_void(op, &operands);
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
    let op = instruction(cx, Op::ReorderThreadWithHitObjectEXT)?;
    cx.b.emit_void(op, &operands);
    Ok(LoweredValue::Unset)
}

/// Lowers `IsHit`, `IsMiss`, `IsNop`.
pub(super) fn test(cx: &mut Context<'_>, hit: ValueId, op: Op) -> Result<LoweredValue> {
    let variable = variable_of(cx, hit)?;
    let op = instruction(cx, op)?;
    let bool_ty = cx.b.bool();
    Ok(LoweredValue::Id(cx.b.emit(op, bool_ty, &[variable])))
}

/// Returns a property of the object, or `otherwise` where the object does not have it.
fn query_state(
    cx: &mut Context<'_>,
    hit: ValueId,
    holds: Holds,
    op: Op,
    ty: Id,
    otherwise: Id,
) -> Result<Id> {
    let variable = variable_of(cx, hit)?;
    let holds = check_state(cx, variable, holds)?;
    let part = blocks::begin_if(cx, holds);
    let op = instruction(cx, op)?;
    let answer = cx.b.emit(op, ty, &[variable]);
    Ok(blocks::end_if_with(cx, part, ty, answer, otherwise))
}

fn check_state(cx: &mut Context<'_>, variable: Id, holds: Holds) -> Result<Id> {
    let bool_ty = cx.b.bool();
    Ok(match holds {
        Holds::Hit => {
            let op = instruction(cx, Op::HitObjectIsHitEXT)?;
            cx.b.emit(op, bool_ty, &[variable])
        }
        Holds::Ray => {
            let op = instruction(cx, Op::HitObjectIsEmptyEXT)?;
            let empty = cx.b.emit(op, bool_ty, &[variable]);
            cx.b.emit(Op::LogicalNot, bool_ty, &[empty])
        }
    })
}

/// Returns a `uint` property of the object, or 0 if the object does not have it.
pub(super) fn load_word(
    cx: &mut Context<'_>,
    hit: ValueId,
    holds: Holds,
    op: Op,
) -> Result<LoweredValue> {
    let ty = cx.b.u32();
    let zero = cx.b.const_u32(0);
    let answer = query_state(cx, hit, holds, op, ty, zero)?;
    Ok(LoweredValue::Id(answer))
}

/// Returns a `float` property of the ray; 0 for a NOP object.
pub(super) fn load_float(cx: &mut Context<'_>, hit: ValueId, op: Op) -> Result<LoweredValue> {
    let ty = cx.b.f32();
    let zero = cx.b.const_null(ty);
    let answer = query_state(cx, hit, Holds::Ray, op, ty, zero)?;
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
    op: Op,
) -> Result<LoweredValue> {
    let (row, column) = (row.min(2), column.min(3));
    let float = cx.b.f32();
    let vector = cx.b.vector(float, 3);
    let matrix = cx.b.matrix(vector, 4);
    let variable = variable_of(cx, hit)?;
    let holds = check_state(cx, variable, Holds::Hit)?;
    let part = blocks::begin_if(cx, holds);
    let op = instruction(cx, op)?;
    let whole = cx.b.emit(op, matrix, &[variable]);
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
    let (place, value) = new(cx, call)?;
    let variable = place.object;
    let index = cx.id(op.index)?;
    // A NOP object ignores the index (DirectX Raytracing, "HitObject SetShaderTableIndex").
    let holds = check_state(cx, variable, Holds::Ray)?;
    let part = blocks::begin_if(cx, holds);
    let op = instruction(cx, Op::HitObjectSetShaderBindingTableRecordIndexEXT)?;
    cx.b.emit_void(op, &[variable, index]);
    blocks::end_if(cx, part);
    set_has_record(cx, place, true);
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
    let holds = check_state(cx, variable, Holds::Ray)?;
    let part = blocks::begin_if(cx, holds);
    let op = instruction(cx, Op::HitObjectGetShaderRecordBufferHandleEXT)?;
    let address = cx.b.emit(op, pair, &[variable]);
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
    let holds = check_state(cx, variable, Holds::Hit)?;
    let part = blocks::begin_if(cx, holds);
    let operands = [variable, attributes];
    let op = instruction(cx, Op::HitObjectGetAttributesEXT)?;
    cx.b.emit_void(op, &operands);
    let whole = cx.b.load(ty, attributes);
    let whole = blocks::end_if_with(cx, part, ty, whole, none);
    accesses::store_whole(cx, pointer, pointee, whole)?;
    Ok(LoweredValue::Unset)
}
