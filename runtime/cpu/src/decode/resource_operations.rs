//! DXIL operations on buffers and textures: what their arms in `operations` share.

use dxil_frontend::dxil::ResourceKind;
use dxil_frontend::dxil::ops::{FeedbackOp, SamplingOp};
use dxil_frontend::ir::{TypeId, ValueId};

use super::code::{
    ComplexOp, FeedbackWrite, GatherOp, Level, MemoryScalar, RegisterSlot, SampleOp,
};
use super::function::Decoder;
use super::scalar_type::ScalarType;
use crate::error::Result;

/// The operands that all samples and gathers have.
macro_rules! operands {
    ($op:expr) => {
        ($op.texture, $op.sampler, $op.coords, $op.offsets)
    };
}
pub(super) use operands;

impl Decoder<'_, '_> {
    pub(super) fn sampling(&mut self, op: &SamplingOp, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        match op {
            SamplingOp::Sample(op) => {
                let head = operands!(op);
                let clamp = op.clamp.expand();
                self.sample(head, (Level::Implicit, &[]), clamp, None, ty)
            }
            SamplingOp::SampleBias(op) => {
                let head = operands!(op);
                let clamp = op.clamp.expand();
                self.sample(head, (Level::Bias, &[op.bias]), clamp, None, ty)
            }
            SamplingOp::SampleLevel(op) => {
                let head = operands!(op);
                self.sample(head, (Level::Explicit, &[op.lod]), None, None, ty)
            }
            SamplingOp::SampleGrad(op) => {
                let head = operands!(op);
                let gradients = [op.ddx, op.ddy].concat();
                let clamp = op.clamp.expand();
                self.sample(head, (Level::Gradient, &gradients), clamp, None, ty)
            }
            SamplingOp::SampleCmp(op) => {
                let head = operands!(op);
                let clamp = op.clamp.expand();
                let reference = Some(op.reference);
                self.sample(head, (Level::Implicit, &[]), clamp, reference, ty)
            }
            SamplingOp::SampleCmpLevelZero(op) => {
                let head = operands!(op);
                self.sample(head, (Level::Zero, &[]), None, Some(op.reference), ty)
            }
            SamplingOp::SampleCmpLevel(op) => {
                let head = operands!(op);
                let reference = Some(op.reference);
                self.sample(head, (Level::Explicit, &[op.lod]), None, reference, ty)
            }
            SamplingOp::SampleCmpGrad(op) => {
                let head = operands!(op);
                let gradients = [op.ddx, op.ddy].concat();
                let (clamp, reference) = (op.clamp.expand(), Some(op.reference));
                self.sample(head, (Level::Gradient, &gradients), clamp, reference, ty)
            }
            SamplingOp::SampleCmpBias(op) => {
                let head = operands!(op);
                let (clamp, reference) = (op.clamp.expand(), Some(op.reference));
                self.sample(head, (Level::Bias, &[op.bias]), clamp, reference, ty)
            }
        }
    }

    /// Returns the scalar that a load gives: that of its first member.
    pub(super) fn memory_scalar(&self, ty: TypeId) -> Result<MemoryScalar> {
        let first = self.scalars(ty)?.first().copied();
        self.memory_scalar_of(first)
    }

    fn memory_scalar_of(&self, ty: Option<ScalarType>) -> Result<MemoryScalar> {
        Ok(match ty {
            Some(ScalarType::Half) => MemoryScalar::F16,
            Some(ScalarType::Float) => MemoryScalar::F32,
            Some(ScalarType::Double) => MemoryScalar::F64,
            Some(ScalarType::Int(8)) => MemoryScalar::I8,
            Some(ScalarType::Int(16)) => MemoryScalar::I16,
            Some(ScalarType::Int(1 | 32)) => MemoryScalar::I32,
            Some(ScalarType::Int(64)) => MemoryScalar::I64,
            _ => return Err(self.unsupported("a resource access of this type")),
        })
    }

    pub(super) fn buffer_load(
        &mut self,
        buffer: ValueId,
        index: ValueId,
        offset: Option<ValueId>,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let mut src = vec![self.one(buffer)?, self.index_slot(index)?];
        src.push(self.optional(offset)?);
        let op = ComplexOp::BufferLoad {
            shape: self.shape(buffer),
            scalar: self.in_buffer(buffer, self.memory_scalar(ty)?, None),
        };
        self.complex_of(op, ty, &src)
    }

    /// Returns the scalar that a value is in the memory of a buffer. A stored one has a sign.
    fn in_buffer(
        &self,
        buffer: ValueId,
        scalar: MemoryScalar,
        stored: Option<ValueId>,
    ) -> MemoryScalar {
        let is_typed = self
            .shape(buffer)
            .is_some_and(|shape| shape.kind == ResourceKind::TypedBuffer);
        if self.module.packed_halves || is_typed {
            return scalar;
        }
        match scalar {
            MemoryScalar::F16 => MemoryScalar::MinFloat,
            MemoryScalar::I16 => {
                let declared = self.resource_of(buffer);
                let shader = self.module.shader;
                let is_signed =
                    stored.is_some_and(|it| shader.is_stored_signed(self.view, declared, it));
                if is_signed {
                    MemoryScalar::MinInt
                } else {
                    MemoryScalar::MinUint
                }
            }
            _ => scalar,
        }
    }

    pub(super) fn buffer_store(
        &mut self,
        buffer: ValueId,
        index: ValueId,
        offset: Option<ValueId>,
        values: &[ValueId],
        mask: u32,
    ) -> Result<Vec<RegisterSlot>> {
        let mut src = vec![self.one(buffer)?, self.index_slot(index)?];
        src.push(self.optional(offset)?);
        let mut scalar = None;
        for &value in values {
            scalar = scalar.or(Some(self.scalar_of(value)?));
            src.extend(self.all(value)?);
        }
        let op = ComplexOp::BufferStore {
            shape: self.shape(buffer),
            scalar: self.in_buffer(
                buffer,
                self.memory_scalar_of(scalar)?,
                values.first().copied(),
            ),
            mask,
        };
        self.complex(op, &[], &src);
        Ok(Vec::new())
    }

    /// Returns coordinates as far as there are any: the others are undefined, which reads as 0.
    pub(super) fn coordinates(&mut self, values: &[ValueId]) -> Result<Vec<RegisterSlot>> {
        values.iter().map(|&value| self.one(value)).collect()
    }

    pub(super) fn texture_store(
        &mut self,
        texture: ValueId,
        coords: &[ValueId],
        values: &[ValueId],
        mask: u8,
        sample: Option<ValueId>,
    ) -> Result<Vec<RegisterSlot>> {
        let mut src = vec![self.one(texture)?];
        src.extend(self.coordinates(coords)?);
        src.extend(self.coordinates(values)?);
        src.push(self.optional(sample)?);
        let first = match values.first() {
            Some(&value) => Some(self.scalar_of(value)?),
            None => None,
        };
        let op = ComplexOp::TextureStore {
            shape: self.shape(texture),
            scalar: self.memory_scalar_of(first)?,
            mask: u32::from(mask),
        };
        self.complex(op, &[], &src);
        Ok(Vec::new())
    }

    fn sample(
        &mut self,
        (texture, sampler, coords, offsets): (
            ValueId,
            ValueId,
            [ValueId; 4],
            [impl Into<Option<ValueId>>; 3],
        ),
        (level, how): (Level, &[ValueId]),
        clamp: Option<ValueId>,
        reference: Option<ValueId>,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let mut src = self.ones([texture, sampler])?.to_vec();
        src.extend(self.coordinates(&coords)?);
        for offset in offsets {
            src.push(self.optional(offset)?);
        }
        for &value in how {
            src.push(self.one(value)?);
        }
        src.push(self.optional(clamp)?);
        src.push(self.optional(reference)?);
        let op = SampleOp {
            texture: self.shape(texture),
            level,
            compare: reference.is_some(),
            scalar: self.memory_scalar(ty)?,
        };
        self.complex_of(ComplexOp::Sample(op), ty, &src)
    }

    /// Decodes a write of sampler feedback.
    pub(super) fn feedback(&mut self, op: &FeedbackOp) -> Result<Vec<RegisterSlot>> {
        macro_rules! head {
            ($op:ident) => {
                ([$op.feedback, $op.texture, $op.sampler], $op.coords)
            };
        }
        let (head, level, how, clamp) = match op {
            FeedbackOp::WriteSamplerFeedback(op) => {
                (head!(op), Level::Implicit, Vec::new(), op.clamp.expand())
            }
            FeedbackOp::WriteSamplerFeedbackBias(op) => {
                (head!(op), Level::Bias, vec![op.bias], op.clamp.expand())
            }
            FeedbackOp::WriteSamplerFeedbackLevel(op) => {
                (head!(op), Level::Explicit, vec![op.lod], None)
            }
            FeedbackOp::WriteSamplerFeedbackGrad(op) => {
                let gradients = [op.ddx, op.ddy].concat();
                (head!(op), Level::Gradient, gradients, op.clamp.expand())
            }
        };
        let (handles, coords) = head;
        let mut src = self.ones(handles)?.to_vec();
        src.extend(self.coordinates(&coords)?);
        for value in how {
            src.push(self.one(value)?);
        }
        src.push(self.optional(clamp)?);
        let op = FeedbackWrite {
            map: self.shape(handles[0]),
            texture: self.shape(handles[1]),
            level,
        };
        self.complex(ComplexOp::WriteFeedback(op), &[], &src);
        Ok(Vec::new())
    }

    pub(super) fn gather(
        &mut self,
        (texture, sampler, coords, offsets): (
            ValueId,
            ValueId,
            [ValueId; 4],
            [impl Into<Option<ValueId>>; 2],
        ),
        channel: u32,
        reference: Option<ValueId>,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let mut src = self.ones([texture, sampler])?.to_vec();
        src.extend(self.coordinates(&coords)?);
        for offset in offsets {
            src.push(self.optional(offset)?);
        }
        src.push(self.optional(reference)?);
        let op = GatherOp {
            texture: self.shape(texture),
            channel,
            compare: reference.is_some(),
            scalar: self.memory_scalar(ty)?,
        };
        self.complex_of(ComplexOp::Gather(op), ty, &src)
    }
}
