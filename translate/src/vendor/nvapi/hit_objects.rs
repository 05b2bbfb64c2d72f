//! Hit objects of NVAPI as those of shader model 6.9.
//!
//! An object is a word, its handle. The handle becomes the object; so do the phis, selections and
//! variables that it goes through. Operations whose operands do not fit into an element give a
//! second handle, and a `TraceRay` or `CallShader` that has it in the place of the miss shader (or
//! of the shader) belongs to them:
//!
//! ```text
//! h, t = HIT_OBJECT_TRACE_RAY miss          TraceRay(scene, flags, .., t, ray, payload)
//! h, t = HIT_OBJECT_MAKE_HIT ..             CallShader(t, attributes)
//!                                           TraceRay(scene, 0, .., t, ray, nothing)
//!     t = HIT_OBJECT_INVOKE h               TraceRay(scene, 0, .., t, 0, payload)
//!     t = HIT_OBJECT_GET_ATTRIBUTES h       CallShader(t, attributes)
//! ```

use dxil_frontend::dxil::ops::{Opcode, RayTracingOp, calls};
use dxil_frontend::ir::{CastOp, Type, TypeId, ValueId};
use dxil_frontend::tables::HashMap;

use super::state::{
    MadeHit, NvapiHitObjects, NvapiRewrite, OPERAND_0, OPERAND_1, OPERAND_2, PendingCall,
};
use super::table::{HitObjectMeaning, NvapiOperation};
use crate::pseudo::PseudoCall;
use crate::vendor::hit_object_flow;
use crate::vendor::hit_object_values::HitOverload;
use crate::vendor::writer::FunctionWriter;
use crate::{Error, Result};

impl NvapiHitObjects {
    /// Gives what handles go through the type of objects.
    pub(super) fn settle(&self, w: &mut FunctionWriter<'_, '_, '_>) -> Result<()> {
        let is_finished = |(handle, call): (&ValueId, &PendingCall)| {
            matches!(call, PendingCall::Missing) || self.finished.contains(handle)
        };
        #[expect(clippy::disallowed_methods, reason = "whether it is all of them")]
        let all_finished = self.pending.iter().all(is_finished);
        if !all_finished {
            return Err(out_of_order());
        }
        hit_object_flow::settle(w, &self.made, &self.used)
    }

    fn used(&mut self, hit: ValueId) -> Option<ValueId> {
        self.used.push(hit);
        Some(hit)
    }
}

impl NvapiRewrite<'_, '_, '_, '_> {
    /// Writes an operation on hit objects; `None` if nothing does it.
    pub(super) fn hit_object(
        &mut self,
        meaning: HitObjectMeaning,
        words: &HashMap<u32, ValueId>,
        index: u64,
        result: Option<ValueId>,
    ) -> Result<Option<ValueId>> {
        let operand = |offset: u32| words.get(&offset).copied();
        let w = &mut self.writer;
        let objects = &mut self.hit_objects;
        let [bit, word] = [1, 32].map(|bits| w.int_ty(bits));
        let first = operand(OPERAND_0);
        let value = match (meaning, first) {
            (HitObjectMeaning::TraceRay, Some(miss)) => {
                match (index, result, objects.handle.take()) {
                    (0, handle, _) => objects.handle = handle,
                    (_, Some(call), Some(handle)) => {
                        objects
                            .pending
                            .insert(call, PendingCall::TraceRay { handle, miss });
                    }
                    _ => return Err(out_of_order()),
                }
                // The object is there once the ray was traced.
                return Ok(result);
            }
            (HitObjectMeaning::MakeHit { with_record }, Some(instance)) => {
                match (index, result, objects.handle.take()) {
                    (0, handle, _) => objects.handle = handle,
                    (_, Some(call), Some(handle)) => {
                        let [geometry, primitive, kind] =
                            [4, 8, 12].map(|at| operand(OPERAND_0 + at));
                        let record = operand(OPERAND_1);
                        let (Some(geometry), Some(primitive), Some(kind), Some(record)) =
                            (geometry, primitive, kind, record)
                        else {
                            return Ok(None);
                        };
                        let factor = operand(OPERAND_1 + 4).unwrap_or_else(|| w.word(0));
                        let hit = MadeHit {
                            instance,
                            geometry,
                            primitive,
                            kind,
                            index: record,
                            factor,
                            is_record: with_record,
                        };
                        let pending = PendingCall::MakeHit {
                            handle,
                            hit,
                            attributes: None,
                        };
                        objects.pending.insert(call, pending);
                    }
                    _ => return Err(out_of_order()),
                }
                return Ok(result);
            }
            (HitObjectMeaning::ClusterId, Some(hit)) => {
                objects.used(hit);
                w.pseudo(&PseudoCall::HitObjectClusterId { hit }, word)?
            }
            (HitObjectMeaning::Geometry(property), Some(hit)) => {
                if let Some(words) = self.words.filter(|_| index > 0) {
                    return w.member(words, index as u32).map(Some);
                }
                objects.used(hit);
                let call = PseudoCall::HitObjectGeometry { hit, property };
                let words = super::geometry(w, &call, property)?;
                super::first_word(w, &mut self.words, words, property)?
            }
            (HitObjectMeaning::Invoke, Some(hit)) => {
                objects.used(hit);
                let call = result.ok_or_else(out_of_order)?;
                objects.pending.insert(call, PendingCall::Invoke { hit });
                return Ok(result);
            }
            (HitObjectMeaning::Attributes, Some(hit)) => {
                objects.used(hit);
                let call = result.ok_or_else(out_of_order)?;
                objects
                    .pending
                    .insert(call, PendingCall::Attributes { hit });
                return Ok(result);
            }
            (HitObjectMeaning::MakeMiss, Some(miss)) => {
                let mut args = vec![w.word(0), miss];
                let float = w.float_ty();
                let near = OPERAND_0 + 4;
                let origin = [0, 4, 8].map(|at| OPERAND_1 + at);
                let direction = [0, 4, 8].map(|at| OPERAND_2 + at);
                let far = OPERAND_0 + 8;
                for offset in origin
                    .into_iter()
                    .chain([near])
                    .chain(direction)
                    .chain([far])
                {
                    let Some(bits) = operand(offset) else {
                        return Ok(None);
                    };
                    args.push(w.cast(CastOp::Bitcast, bits, float)?);
                }
                let ty = w.hit_object_ty();
                let opcode = Opcode::HitObjectMakeMiss;
                let made = w.of_hit_object(opcode, HitOverload::None, ty, None, &args)?;
                objects.made.push(made);
                made
            }
            (HitObjectMeaning::MakeNop, _) => {
                let made = empty(w)?;
                objects.made.push(made);
                made
            }
            (HitObjectMeaning::Reorder, Some(has_hit)) => {
                let [hit, hint, bits] = [4, 8, 12].map(|at| operand(OPERAND_0 + at));
                let (Some(hit), Some(hint), Some(bits)) = (hit, hint, bits) else {
                    return Ok(None);
                };
                let hit = match self.view.constant_int(has_hit) {
                    Some(0) => {
                        let made = empty(w)?;
                        objects.made.push(made);
                        Some(made)
                    }
                    Some(_) => objects.used(hit),
                    None => return Ok(None),
                };
                let void = w.void_ty();
                let opcode = Opcode::MaybeReorderThread;
                w.of_hit_object(opcode, HitOverload::None, void, hit, &[hint, bits])?;
                w.word(0)
            }
            (HitObjectMeaning::Test(opcode), Some(hit)) => {
                let hit = objects.used(hit);
                let holds = w.of_hit_object(opcode, HitOverload::Scalar(bit), bit, hit, &[])?;
                let [one, zero] = [1, 0].map(|number| w.word(number));
                w.select(holds, one, zero)?
            }
            (HitObjectMeaning::Property(opcode), Some(hit)) => {
                let hit = objects.used(hit);
                w.of_hit_object(opcode, HitOverload::Scalar(word), word, hit, &[])?
            }
            (HitObjectMeaning::RayDescription, Some(hit)) => {
                let hit = objects.used(hit);
                let (opcode, component) = match index {
                    0 => (Opcode::HitObjectRayTMin, None),
                    1 => (Opcode::HitObjectRayTCurrent, None),
                    2..=4 => (Opcode::HitObjectWorldRayOrigin, Some(index - 2)),
                    5..=7 => (Opcode::HitObjectWorldRayDirection, Some(index - 5)),
                    _ => return Ok(None),
                };
                let component = component.map(|component| w.word(component as u32));
                let float = w.float_ty();
                let operands = component.as_slice();
                let overload = HitOverload::Scalar(float);
                let number = w.of_hit_object(opcode, overload, float, hit, operands)?;
                w.cast(CastOp::Bitcast, number, word)?
            }
            (HitObjectMeaning::LocalConstant, Some(hit)) => {
                let Some(offset) = operand(OPERAND_0 + 4) else {
                    return Ok(None);
                };
                let hit = objects.used(hit);
                let opcode = Opcode::HitObjectLoadLocalRootTableConstant;
                w.of_hit_object(opcode, HitOverload::None, word, hit, &[offset])?
            }
            (_, None) => return Ok(None),
        };
        Ok(Some(value))
    }

    /// Returns the replacement for the result of an operation that is not available: an empty
    /// object for one that is made, or 0. A call that has the result does nothing.
    pub(super) fn missing_hit_object(
        &mut self,
        known: Option<&NvapiOperation>,
        result: Option<ValueId>,
    ) -> Result<ValueId> {
        if let Some(result) = result {
            self.hit_objects
                .pending
                .insert(result, PendingCall::Missing);
        }
        // Without the feature nothing asks for an object.
        if known.is_none() {
            return Ok(self.writer.word(0));
        }
        let made = empty(&mut self.writer)?;
        self.hit_objects.made.push(made);
        Ok(made)
    }

    /// Takes an ordinary call if it has the remaining operands of an operation; whether it does.
    pub(super) fn finishes_hit_object(&mut self, op: &RayTracingOp) -> Result<bool> {
        let by = match op {
            RayTracingOp::TraceRay(op) => op.miss_index,
            RayTracingOp::CallShader(op) => op.shader_index,
            _ => return Ok(false),
        };
        let Some(&pending) = self.hit_objects.pending.get(&by) else {
            return Ok(false);
        };
        match (pending, op) {
            (PendingCall::Missing, _) => {}
            (PendingCall::TraceRay { handle, miss }, RayTracingOp::TraceRay(op)) => {
                self.trace_ray(op, handle, miss)?;
            }
            (PendingCall::MakeHit { handle, hit, .. }, RayTracingOp::CallShader(op)) => {
                // The attributes come first.
                let attributes = Some(op.parameter);
                let pending = PendingCall::MakeHit {
                    handle,
                    hit,
                    attributes,
                };
                self.hit_objects.pending.insert(by, pending);
                return Ok(true);
            }
            (
                PendingCall::MakeHit {
                    handle,
                    hit,
                    attributes: Some(attributes),
                },
                RayTracingOp::TraceRay(op),
            ) => {
                self.record_hit(hit, attributes)?;
                let miss = self.writer.word(0);
                self.trace_ray(op, handle, miss)?;
            }
            (PendingCall::Invoke { hit }, RayTracingOp::TraceRay(op)) => {
                self.send(Opcode::HitObjectInvoke, hit, op.payload)?;
            }
            (PendingCall::Attributes { hit }, RayTracingOp::CallShader(op)) => {
                self.send(Opcode::HitObjectAttributes, hit, op.parameter)?;
            }
            _ => return Err(out_of_order()),
        }
        self.hit_objects.finished.insert(by);
        Ok(true)
    }

    /// Writes the operation that traces a ray and makes the object of a handle.
    fn trace_ray(&mut self, op: &calls::TraceRay, handle: ValueId, miss: ValueId) -> Result<()> {
        let pointee = self.pointee(op.payload)?;
        let w = &mut self.writer;
        let mut args = vec![
            op.acceleration_structure,
            op.ray_flags,
            op.instance_mask,
            op.ray_contribution,
            op.geometry_multiplier,
            miss,
        ];
        args.extend(op.origin);
        args.push(op.t_min);
        args.extend(op.direction);
        args.extend([op.t_max, op.payload]);
        let ty = w.hit_object_ty();
        let opcode = Opcode::HitObjectTraceRay;
        let made = w.of_hit_object(opcode, HitOverload::Pointee(pointee), ty, None, &args)?;
        w.replace(handle, made);
        self.hit_objects.made.push(made);
        Ok(())
    }

    /// Writes the pseudo-operation that makes a hit of the next traced ray.
    fn record_hit(&mut self, hit: MadeHit, attributes: ValueId) -> Result<()> {
        // The attributes have to be a pointer.
        self.pointee(attributes)?;
        let w = &mut self.writer;
        let void = w.void_ty();
        let MadeHit {
            instance,
            geometry,
            primitive,
            kind,
            index,
            factor,
            is_record,
        } = hit;
        let call = PseudoCall::HitObjectRecord {
            instance,
            geometry,
            primitive,
            kind,
            index,
            factor,
            is_record,
            attributes,
        };
        w.pseudo(&call, void)?;
        Ok(())
    }

    /// Writes an operation that takes an object and a pointer.
    fn send(&mut self, opcode: Opcode, hit: ValueId, data: ValueId) -> Result<()> {
        let pointee = HitOverload::Pointee(self.pointee(data)?);
        let w = &mut self.writer;
        let void = w.void_ty();
        w.of_hit_object(opcode, pointee, void, Some(hit), &[data])?;
        Ok(())
    }

    /// Returns the type that a payload's or attributes' pointer points to.
    fn pointee(&self, pointer: ValueId) -> Result<TypeId> {
        let ty = self.view.type_of(pointer);
        match ty.map(|ty| self.view.module.types.get(ty)) {
            Some(&Type::Pointer { pointee, .. }) => Ok(pointee),
            _ => Err(Error::malformed("a payload that is no pointer")),
        }
    }
}

/// Writes an empty hit object.
fn empty(w: &mut FunctionWriter<'_, '_, '_>) -> Result<ValueId> {
    let ty = w.hit_object_ty();
    w.of_hit_object(Opcode::HitObjectMakeNop, HitOverload::None, ty, None, &[])
}

fn out_of_order() -> Error {
    Error::unsupported("steps of an operation on hit objects of NVAPI in that order")
}
