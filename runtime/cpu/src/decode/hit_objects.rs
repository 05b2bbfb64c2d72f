//! Hit objects (HLSL specifications, proposal 0027, "Shader Execution Reordering").

use dxil_frontend::dxil::ops::{HitObjectOp as Op, calls};
use dxil_frontend::ir::{TypeId, ValueId};

use super::code::{ComplexOp, HitObjectOp, HitValue, RayCall, RegisterSlot, Space};
use super::function::Decoder;
use super::hit_object_words::{HIT_OBJECT_WORDS, Word, state};
use super::lane_ops::LaneOp;
use super::ray_operations::element;
use super::ray_pipeline::trace_operands;
use crate::error::Result;

/// Bits of an index that count (proposal 0027, "HitObject::SetShaderTableIndex").
const HIT_INDEX: u32 = (1 << 28) - 1;
const MISS_INDEX: u32 = (1 << 16) - 1;

impl Decoder<'_, '_> {
    /// Decodes an operation on hit objects.
    pub(super) fn hit_object(&mut self, op: &Op, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        use HitValue as H;
        if !self.module.is_ray_pipeline {
            return Err(self.malformed("a hit object in a shader that calls no shaders"));
        }
        match op {
            Op::HitObjectTraceRay(op) => {
                let src = trace_operands!(self, op);
                self.complex_of(ComplexOp::RayCall(RayCall::TraceObject), ty, &src)
            }
            Op::HitObjectFromRayQuery(op) => {
                let src = [self.one(op.query)?];
                let op = ComplexOp::HitObject(HitObjectOp::FromQuery { attributes: 0 });
                self.complex_of(op, ty, &src)
            }
            Op::HitObjectFromRayQueryWithAttrs(op) => {
                let attributes = self.attribute_words(op.attributes)?;
                let src = self.ones([op.query, op.hit_kind, op.attributes])?;
                let op = ComplexOp::HitObject(HitObjectOp::FromQuery { attributes });
                self.complex_of(op, ty, &src)
            }
            Op::HitObjectMakeMiss(op) => self.make_miss(op),
            Op::HitObjectMakeNop(_) => Ok(self.empty_hit_object()),
            Op::HitObjectInvoke(op) => {
                let mut src = self.object(op.hit)?;
                src.push(self.one(op.payload)?);
                self.complex(ComplexOp::RayCall(RayCall::Invoke), &[], &src);
                Ok(Vec::new())
            }
            // Lanes are not reordered: that changes no result.
            Op::MaybeReorderThread(_) => Ok(Vec::new()),
            Op::HitObjectIsMiss(op) => self.is_in_state(op.hit, state::MISS),
            Op::HitObjectIsHit(op) => self.is_in_state(op.hit, state::HIT),
            Op::HitObjectIsNop(op) => self.is_in_state(op.hit, 0),
            Op::HitObjectRayFlags(op) => self.word_of(op.hit, Word::Flags, 0),
            Op::HitObjectRayTMin(op) => self.word_of(op.hit, Word::TMin, 0),
            Op::HitObjectRayTCurrent(op) => self.word_of(op.hit, Word::T, 0),
            Op::HitObjectWorldRayOrigin(op) => self.word_of(op.hit, Word::Origin, op.component),
            Op::HitObjectWorldRayDirection(op) => {
                self.word_of(op.hit, Word::Direction, op.component)
            }
            Op::HitObjectGeometryIndex(op) => self.word_of(op.hit, Word::Geometry, 0),
            Op::HitObjectInstanceIndex(op) => self.word_of(op.hit, Word::Instance, 0),
            Op::HitObjectPrimitiveIndex(op) => self.word_of(op.hit, Word::Primitive, 0),
            Op::HitObjectHitKind(op) => self.word_of(op.hit, Word::HitKind, 0),
            Op::HitObjectShaderTableIndex(op) => self.word_of(op.hit, Word::Record, 0),
            Op::HitObjectObjectRayOrigin(op) => {
                self.value_of(op.hit, H::ObjectOrigin(op.component.min(2) as u8), ty)
            }
            Op::HitObjectObjectRayDirection(op) => {
                let value = H::ObjectDirection(op.component.min(2) as u8);
                self.value_of(op.hit, value, ty)
            }
            Op::HitObjectObjectToWorld3x4(op) => {
                let element = element(op.row, op.column.min(3) as u8);
                self.value_of(op.hit, H::ObjectToWorld(element), ty)
            }
            Op::HitObjectWorldToObject3x4(op) => {
                let element = element(op.row, op.column.min(3) as u8);
                self.value_of(op.hit, H::WorldToObject(element), ty)
            }
            Op::HitObjectInstanceID(op) => self.value_of(op.hit, H::InstanceId, ty),
            Op::HitObjectSetShaderTableIndex(op) => self.set_record(op.hit, op.index),
            Op::HitObjectLoadLocalRootTableConstant(op) => {
                let mut src = self.object(op.hit)?;
                src.push(self.one(op.offset)?);
                self.complex_of(ComplexOp::HitObject(HitObjectOp::LocalConstant), ty, &src)
            }
            Op::HitObjectAttributes(op) => {
                let count = self.attribute_words(op.attributes)? as usize;
                let hit = self.object(op.hit)?;
                let mut src = vec![self.one(op.attributes)?];
                src.extend(hit.iter().skip(Word::Attributes as usize).take(count));
                self.complex(ComplexOp::Store(Space::Private), &[], &src);
                Ok(Vec::new())
            }
        }
    }

    /// Registers of a hit object.
    pub(super) fn object(&mut self, hit: ValueId) -> Result<Vec<RegisterSlot>> {
        let words = self.all(hit)?;
        if words.len() != HIT_OBJECT_WORDS {
            return Err(self.malformed("a value of another type for a hit object"));
        }
        Ok(words)
    }

    fn empty_hit_object(&mut self) -> Vec<RegisterSlot> {
        vec![self.word(0); HIT_OBJECT_WORDS]
    }

    fn make_miss(&mut self, op: &calls::HitObjectMakeMiss) -> Result<Vec<RegisterSlot>> {
        let mut hit = self.empty_hit_object();
        let mut put = |word: Word, slots: &[RegisterSlot]| {
            hit[word as usize..][..slots.len()].copy_from_slice(slots);
        };
        put(Word::State, &[self.word(state::MISS | state::HAS_RECORD)]);
        put(Word::Flags, &[self.one(op.ray_flags)?]);
        let bits = self.word(MISS_INDEX);
        let index = self.one(op.miss_index)?;
        put(Word::Record, &[self.lane(LaneOp::And32, &[index, bits])?]);
        put(Word::Origin, &self.ones(op.origin)?);
        put(Word::TMin, &[self.one(op.t_min)?]);
        put(Word::Direction, &self.ones(op.direction)?);
        put(Word::T, &[self.one(op.t_max)?]);
        Ok(hit)
    }

    fn is_in_state(&mut self, hit: ValueId, kind: u32) -> Result<Vec<RegisterSlot>> {
        let state = self.object(hit)?[Word::State as usize];
        Ok(vec![self.is_state(state, kind)?])
    }

    fn is_state(&mut self, state: RegisterSlot, kind: u32) -> Result<RegisterSlot> {
        let (kinds, kind) = (self.word(state::KINDS), self.word(kind));
        let state = self.lane(LaneOp::And32, &[state, kinds])?;
        self.lane(LaneOp::Eq32, &[state, kind])
    }

    fn word_of(&mut self, hit: ValueId, word: Word, component: u32) -> Result<Vec<RegisterSlot>> {
        // Clamped, since the number comes from the file.
        let index = word as usize + component.min(2) as usize;
        Ok(vec![self.object(hit)?[index]])
    }

    fn value_of(&mut self, hit: ValueId, value: HitValue, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        let src = self.object(hit)?;
        let op = ComplexOp::HitObject(HitObjectOp::Value(value));
        self.complex_of(op, ty, &src)
    }

    /// Returns the object with another index; an empty one stays as it is.
    fn set_record(&mut self, hit: ValueId, index: ValueId) -> Result<Vec<RegisterSlot>> {
        let mut hit = self.object(hit)?;
        let (old, zero) = (hit[Word::State as usize], self.word(0));
        let is_empty = self.is_state(old, 0)?;
        let is_miss = self.is_state(old, state::MISS)?;
        let (of_miss, of_hit) = (self.word(MISS_INDEX), self.word(HIT_INDEX));
        let bits = self.lane(LaneOp::SelectW, &[is_miss, of_miss, of_hit])?;
        let index = self.one(index)?;
        let index = self.lane(LaneOp::And32, &[index, bits])?;
        hit[Word::Record as usize] = self.lane(LaneOp::SelectW, &[is_empty, zero, index])?;
        let flag = self.word(state::HAS_RECORD);
        let new = self.lane(LaneOp::Or32, &[old, flag])?;
        hit[Word::State as usize] = self.lane(LaneOp::SelectW, &[is_empty, old, new])?;
        Ok(hit)
    }
}
