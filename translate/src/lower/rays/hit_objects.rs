//! Hit objects and reordering (DirectX Raytracing, "Shader execution reordering";
//! `SPV_EXT_shader_invocation_reorder`).
//!
//! A DXIL value is the number of the variable that it lives in (see [`super::hit_object_variables`]). What D3D12 says of
//! objects that hold no hit, or nothing at all, is asked for in code: SPIR-V leaves it open.

use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::dxil::ops::calls;
use dxil_frontend::ir::{FuncId, ValueId};

use super::hit_object_variables::Assignment;
use crate::lower::Lowering;
use crate::lower::context::{Call, Value};
use crate::lower::resources::variables::Leaf;
use crate::options::Features;
use crate::spirv::{Capability, Id, MemoryAccess, Op, StorageClass};
use crate::{Error, Result};

/// `RayQueryIntersection` operand: the committed one.
const COMMITTED: u32 = 1;

/// Hit objects of the module under construction.
#[derive(Debug, Default)]
pub(in crate::lower) struct HitObjects {
    /// The function that `assigned` is of.
    function: Option<FuncId>,
    assigned: Assignment,
    /// Variables of that function: the object, and whether it has a record in a shader table.
    variables: Vec<(Option<Id>, Option<Id>)>,
    /// Variables for attributes, by type.
    attributes: Vec<(Id, Id)>,
    /// Some operation lets the device regroup invocations.
    pub(in crate::lower) reorders: bool,
}

/// What an answer presupposes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Holds {
    /// A hit.
    Hit,
    /// A hit or a miss.
    Ray,
}

impl Lowering<'_> {
    /// Number of the variable of a hit object.
    fn hit_object_number(&mut self, value: ValueId) -> Result<usize> {
        let function = self.view.function.id;
        if self.hit_objects.function != Some(function) {
            let assigned = self.assign_hit_objects()?;
            let state = &mut self.hit_objects;
            state.variables = vec![(None, None); assigned.variables.len()];
            (state.function, state.assigned) = (Some(function), assigned);
        }
        let number = self.hit_objects.assigned.of.get(&value).copied();
        number.ok_or_else(|| Error::malformed(format!("{value} is not a hit object")))
    }

    /// The variable of a hit object.
    fn hit_object(&mut self, value: ValueId) -> Result<Id> {
        use ShaderKind::{ClosestHit, Miss, RayGeneration};
        self.only_in(&[RayGeneration, ClosestHit, Miss], "a hit object")?;
        self.need_reordering()?;
        let number = self.hit_object_number(value)?;
        if let Some(&(Some(variable), _)) = self.hit_objects.variables.get(number) {
            return Ok(variable);
        }
        let ty = self.b.hit_object();
        let pointer = self.b.pointer(StorageClass::Function, ty);
        let variable = self.b.local_variable(pointer, None);
        if let Some(slot) = self.hit_objects.variables.get_mut(number) {
            slot.0 = Some(variable);
        }
        Ok(variable)
    }

    fn need_reordering(&mut self) -> Result<()> {
        self.need_feature(
            Features::INVOCATION_REORDER,
            "rayTracingInvocationReorder",
            || "a hit object".to_owned(),
        )?;
        self.b.capability(Capability::ShaderInvocationReorderEXT);
        self.b.extension("SPV_EXT_shader_invocation_reorder");
        self.b
            .extension_before(0x0001_0500, "SPV_KHR_physical_storage_buffer");
        Ok(())
    }

    /// Notes whether the object has a record in a shader table; it matters where one may have none.
    fn set_has_record(&mut self, value: ValueId, has: bool) -> Result<()> {
        let number = self.hit_object_number(value)?;
        let shared = self.hit_objects.assigned.variables.get(number);
        if !shared.is_some_and(|shared| shared.from_query) {
            return Ok(());
        }
        let variable = self.has_record(number);
        let has = self.b.const_bool(has);
        self.b.store(variable, has);
        Ok(())
    }

    fn has_record(&mut self, number: usize) -> Id {
        if let Some(&(_, Some(variable))) = self.hit_objects.variables.get(number) {
            return variable;
        }
        let ty = self.b.bool();
        let pointer = self.b.pointer(StorageClass::Function, ty);
        let variable = self.b.local_variable(pointer, None);
        if let Some(slot) = self.hit_objects.variables.get_mut(number) {
            slot.1 = Some(variable);
        }
        variable
    }

    /// The variable that the call makes an object in, and what the call's value is.
    fn new_hit_object(&mut self, call: &Call) -> Result<(Id, ValueId, Value)> {
        let Some(result) = call.result else {
            return Err(Error::malformed("a hit object that is no value"));
        };
        let variable = self.hit_object(result)?;
        let number = self.hit_object_number(result)?;
        let value = Value::Id(self.b.const_u32(number as u32));
        Ok((variable, result, value))
    }

    /// `HitObject::TraceRay`.
    pub(in crate::lower) fn hit_object_trace_ray(
        &mut self,
        call: &Call,
        op: &calls::HitObjectTraceRay,
    ) -> Result<Value> {
        let (variable, result, value) = self.new_hit_object(call)?;
        let words = [
            op.ray_flags,
            op.instance_mask,
            op.ray_contribution,
            op.geometry_multiplier,
            op.miss_index,
        ];
        let mut operands = vec![
            variable,
            self.acceleration_structure(op.acceleration_structure)?,
        ];
        operands.extend(self.ray_words(words)?);
        operands.extend(self.ray_description(op.origin, op.t_min, op.direction, op.t_max)?);
        self.with_sent(op.payload, StorageClass::RayPayloadKHR, |l, payload| {
            operands.push(payload);
            l.b.emit_void(Op::HitObjectTraceRayEXT, &operands);
            Ok(())
        })?;
        self.set_has_record(result, true)?;
        Ok(value)
    }

    /// `HitObject::FromRayQuery`: what is committed, or nothing. It has no record in a shader table yet.
    pub(in crate::lower) fn hit_object_from_query(
        &mut self,
        call: &Call,
        query: ValueId,
        own: Option<(ValueId, ValueId)>,
    ) -> Result<Value> {
        let (variable, result, value) = self.new_hit_object(call)?;
        let query = self.ray_query(query)?;
        let (attributes, kind) = match own {
            Some((kind, attributes)) => {
                let (pointer, pointee) = self.sent_data(attributes)?;
                let ty = self.ty(pointee)?;
                let variable = self.hit_object_attributes(ty);
                let whole = self.load_whole(pointer, pointee)?;
                self.b.store(variable, whole);
                (variable, self.id(kind)?)
            }
            None => {
                let float = self.b.f32();
                let vector = self.b.vector(float, 2);
                let ty = self.b.struct_type(&[vector]);
                (self.hit_object_attributes(ty), self.b.const_u32(0))
            }
        };
        self.b.emit_void(Op::HitObjectRecordEmptyEXT, &[variable]);
        let word = self.b.u32();
        let bool_ty = self.b.bool();
        let committed = self.b.const_u32(COMMITTED);
        let status = self.b.emit(
            Op::RayQueryGetIntersectionTypeKHR,
            word,
            &[query, committed],
        );
        let zero = self.b.const_u32(0);
        let is_hit = self.b.emit(Op::INotEqual, bool_ty, &[status, zero]);
        let part = self.begin_if(is_hit);
        self.b.emit_void(
            Op::HitObjectRecordFromQueryEXT,
            &[variable, query, zero, attributes, kind],
        );
        self.end_if(part);
        self.set_has_record(result, false)?;
        Ok(value)
    }

    /// The variable through which attributes of a type go.
    fn hit_object_attributes(&mut self, ty: Id) -> Id {
        let mut known = self.hit_objects.attributes.iter();
        if let Some(&(_, variable)) = known.find(|&&(other, _)| other == ty) {
            return variable;
        }
        let class = StorageClass::HitObjectAttributeEXT;
        let pointer = self.b.pointer(class, ty);
        let variable = self.b.global_variable(class, pointer, None);
        self.hit_objects.attributes.push((ty, variable));
        variable
    }

    /// `HitObject::MakeMiss`.
    pub(in crate::lower) fn hit_object_make_miss(
        &mut self,
        call: &Call,
        op: &calls::HitObjectMakeMiss,
    ) -> Result<Value> {
        let (variable, result, value) = self.new_hit_object(call)?;
        let mut operands = vec![variable];
        operands.extend(self.ids([op.ray_flags, op.miss_index])?);
        operands.extend(self.ray_description(op.origin, op.t_min, op.direction, op.t_max)?);
        self.b.emit_void(Op::HitObjectRecordMissEXT, &operands);
        self.set_has_record(result, true)?;
        Ok(value)
    }

    /// `HitObject::MakeNop`.
    pub(in crate::lower) fn hit_object_make_nop(&mut self, call: &Call) -> Result<Value> {
        let (variable, result, value) = self.new_hit_object(call)?;
        self.b.emit_void(Op::HitObjectRecordEmptyEXT, &[variable]);
        self.set_has_record(result, true)?;
        Ok(value)
    }

    /// `HitObject::Invoke`.
    pub(in crate::lower) fn hit_object_invoke(
        &mut self,
        op: &calls::HitObjectInvoke,
    ) -> Result<Value> {
        let variable = self.hit_object(op.hit)?;
        let number = self.hit_object_number(op.hit)?;
        let shared = self.hit_objects.assigned.variables.get(number);
        let part = match shared.is_some_and(|shared| shared.from_query) {
            true => {
                let has = self.has_record(number);
                let bool_ty = self.b.bool();
                let has = self.b.load(bool_ty, has);
                Some(self.begin_if(has))
            }
            false => None,
        };
        self.with_sent(op.payload, StorageClass::RayPayloadKHR, |l, payload| {
            let operands = [variable, payload];
            l.b.emit_void(Op::HitObjectExecuteShaderEXT, &operands);
            Ok(())
        })?;
        if let Some(part) = part {
            self.end_if(part);
        }
        Ok(Value::Unset)
    }

    /// `MaybeReorderThread`.
    pub(in crate::lower) fn maybe_reorder_thread(
        &mut self,
        op: &calls::MaybeReorderThread,
    ) -> Result<Value> {
        self.only_in(&[ShaderKind::RayGeneration], "MaybeReorderThread")?;
        self.hit_objects.reorders = true;
        let mut operands = vec![self.hit_object(op.hit)?];
        if self.constant_int(op.hint_bits) != Some(0) {
            operands.extend(self.ids([op.coherence_hint, op.hint_bits])?);
        }
        self.b
            .emit_void(Op::ReorderThreadWithHitObjectEXT, &operands);
        Ok(Value::Unset)
    }

    /// `IsHit`, `IsMiss`, `IsNop`.
    pub(in crate::lower) fn hit_object_is(
        &mut self,
        hit: ValueId,
        instruction: Op,
    ) -> Result<Value> {
        let variable = self.hit_object(hit)?;
        let bool_ty = self.b.bool();
        Ok(Value::Id(self.b.emit(instruction, bool_ty, &[variable])))
    }

    /// An answer of the object, or `otherwise` where it does not hold what is asked for.
    fn hit_object_answer(
        &mut self,
        hit: ValueId,
        holds: Holds,
        instruction: Op,
        ty: Id,
        otherwise: Id,
    ) -> Result<Id> {
        let variable = self.hit_object(hit)?;
        let holds = self.hit_object_holds(variable, holds);
        let part = self.begin_if(holds);
        let answer = self.b.emit(instruction, ty, &[variable]);
        Ok(self.end_if_with(part, ty, answer, otherwise))
    }

    fn hit_object_holds(&mut self, variable: Id, holds: Holds) -> Id {
        let bool_ty = self.b.bool();
        match holds {
            Holds::Hit => self.b.emit(Op::HitObjectIsHitEXT, bool_ty, &[variable]),
            Holds::Ray => {
                let empty = self.b.emit(Op::HitObjectIsEmptyEXT, bool_ty, &[variable]);
                self.b.emit(Op::LogicalNot, bool_ty, &[empty])
            }
        }
    }

    /// A `uint` of the object; 0 where it does not hold that.
    pub(in crate::lower) fn hit_object_word(
        &mut self,
        hit: ValueId,
        holds: Holds,
        instruction: Op,
    ) -> Result<Value> {
        let ty = self.b.u32();
        let zero = self.b.const_u32(0);
        let answer = self.hit_object_answer(hit, holds, instruction, ty, zero)?;
        Ok(Value::Id(answer))
    }

    /// A `float` of the ray.
    pub(in crate::lower) fn hit_object_float(
        &mut self,
        hit: ValueId,
        instruction: Op,
    ) -> Result<Value> {
        let ty = self.b.f32();
        let zero = self.b.const_null(ty);
        let answer = self.hit_object_answer(hit, Holds::Ray, instruction, ty, zero)?;
        Ok(Value::Id(answer))
    }

    /// A component of a `float3` of the ray. In object space a miss has what it has in the world.
    pub(in crate::lower) fn hit_object_vector(
        &mut self,
        hit: ValueId,
        component: u32,
        world: Op,
        object: Option<Op>,
    ) -> Result<Value> {
        let float = self.b.f32();
        let vector = self.b.vector(float, 3);
        let zero = self.b.const_null(vector);
        let mut answer = self.hit_object_answer(hit, Holds::Ray, world, vector, zero)?;
        if let Some(object) = object {
            answer = self.hit_object_answer(hit, Holds::Hit, object, vector, answer)?;
        }
        Ok(Value::Id(self.b.extract(float, answer, component.min(2))))
    }

    /// An element of a `float3x4`, which SPIR-V has as four columns of three; of the identity where there is no hit.
    pub(in crate::lower) fn hit_object_matrix(
        &mut self,
        hit: ValueId,
        [row, column]: [u32; 2],
        instruction: Op,
    ) -> Result<Value> {
        let (row, column) = (row.min(2), column.min(3));
        let float = self.b.f32();
        let vector = self.b.vector(float, 3);
        let matrix = self.b.matrix(vector, 4);
        let variable = self.hit_object(hit)?;
        let holds = self.hit_object_holds(variable, Holds::Hit);
        let part = self.begin_if(holds);
        let whole = self.b.emit(instruction, matrix, &[variable]);
        let words = [whole.0, column, row];
        let element = self.b.emit(Op::CompositeExtract, float, &words);
        let diagonal = if row == column { 1.0 } else { 0.0 };
        let otherwise = self.b.const_float(32, diagonal);
        Ok(Value::Id(self.end_if_with(part, float, element, otherwise)))
    }

    /// `SetShaderTableIndex`: the same object with another record. Nothing stays nothing.
    pub(in crate::lower) fn hit_object_set_table_index(
        &mut self,
        call: &Call,
        op: &calls::HitObjectSetShaderTableIndex,
    ) -> Result<Value> {
        let (variable, result, value) = self.new_hit_object(call)?;
        let index = self.id(op.index)?;
        let holds = self.hit_object_holds(variable, Holds::Ray);
        let part = self.begin_if(holds);
        self.b.emit_void(
            Op::HitObjectSetShaderBindingTableRecordIndexEXT,
            &[variable, index],
        );
        self.end_if(part);
        self.set_has_record(result, true)?;
        Ok(value)
    }

    /// `LoadLocalRootTableConstant`: a word of the shader record.
    pub(in crate::lower) fn hit_object_root_constant(
        &mut self,
        op: &calls::HitObjectLoadLocalRootTableConstant,
    ) -> Result<Value> {
        self.physical_addresses()?;
        let variable = self.hit_object(op.hit)?;
        let offset = self.id(op.offset)?;
        let word = self.b.u32();
        let pair = self.b.vector(word, 2);
        let zero = self.b.const_u32(0);
        let holds = self.hit_object_holds(variable, Holds::Ray);
        let part = self.begin_if(holds);
        let address = self.b.emit(
            Op::HitObjectGetShaderRecordBufferHandleEXT,
            pair,
            &[variable],
        );
        let class = StorageClass::PhysicalStorageBuffer;
        let block = self.data_block(Leaf::U32, 0, false);
        let block_ty = self.b.pointer(class, block.ty);
        let record = self.b.bitcast(block_ty, address);
        let index = self.b.u32_shr(offset, 2);
        let pointer_ty = self.b.pointer(class, word);
        let pointer = self.b.access_chain(pointer_ty, record, &[zero, index]);
        let access = MemoryAccess::ALIGNED.bits();
        let loaded = self.b.emit(Op::Load, word, &[pointer.0, access, 4]);
        Ok(Value::Id(self.end_if_with(part, word, loaded, zero)))
    }

    /// `GetAttributes`; zeros where there is no hit.
    pub(in crate::lower) fn hit_object_get_attributes(
        &mut self,
        op: &calls::HitObjectAttributes,
    ) -> Result<Value> {
        let variable = self.hit_object(op.hit)?;
        let (pointer, pointee) = self.sent_data(op.attributes)?;
        let ty = self.ty(pointee)?;
        let attributes = self.hit_object_attributes(ty);
        let none = self.b.const_null(ty);
        let holds = self.hit_object_holds(variable, Holds::Hit);
        let part = self.begin_if(holds);
        let operands = [variable, attributes];
        self.b.emit_void(Op::HitObjectGetAttributesEXT, &operands);
        let whole = self.b.load(ty, attributes);
        let whole = self.end_if_with(part, ty, whole, none);
        self.store_whole(pointer, pointee, whole)?;
        Ok(Value::Unset)
    }
}
