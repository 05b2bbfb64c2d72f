//! Elements of a signature: inputs and outputs of an invocation lie in its lane's memory, four words
//! to a row.
//!
//! The caller hands words over and gets words back, whatever the precision in the shader: floats
//! have 32 bits there, and integers are extended to 32.

use dxil_frontend::dxil::ops::{SignatureOp, SystemValueOp};
use dxil_frontend::ir::{TypeId, ValueId};

use super::code::{ComplexOp, RegisterSlot, Space};
use super::function::Decoder;
use super::lane_ops::{LaneOp, RegisterKind};
use super::layout::ScalarType;
use super::signature_memory::{ElementPlace, ROW_WORDS, SystemWord};
use crate::error::Result;

impl Decoder<'_, '_> {
    /// Decodes an operation on elements of signatures.
    pub(super) fn signature(&mut self, op: &SignatureOp, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        match op {
            SignatureOp::LoadInput(op) => {
                let memory = self.module.signature.clone();
                let places = (memory.inputs_at, &memory.inputs[..]);
                let address = self.element_address(places, (op.element, op.row, op.column))?;
                let word = self.new_slot(RegisterKind::W);
                self.complex(ComplexOp::Load(Space::Private), &[word], &[address]);
                Ok(vec![self.in_shader(word, ty)?])
            }
            SignatureOp::StoreOutput(op) => {
                let memory = self.module.signature.clone();
                let places = (memory.outputs_at, &memory.outputs[..]);
                let address = self.element_address(places, (op.element, op.row, op.column))?;
                let word = self.for_caller(op.element, op.value)?;
                self.complex(ComplexOp::Store(Space::Private), &[], &[address, word]);
                Ok(Vec::new())
            }
            SignatureOp::EvalSnapped(_)
            | SignatureOp::EvalSampleIndex(_)
            | SignatureOp::EvalCentroid(_)
            | SignatureOp::LoadOutputControlPoint(_)
            | SignatureOp::LoadPatchConstant(_)
            | SignatureOp::StorePatchConstant(_)
            | SignatureOp::AttributeAtVertex(_)
            | SignatureOp::StoreVertexOutput(_)
            | SignatureOp::StorePrimitiveOutput(_) => Err(self.unsupported(op.opcode().name())),
        }
    }

    /// Decodes a system value that has an operation of its own.
    pub(super) fn system_value(
        &mut self,
        op: &SystemValueOp,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let word = match op {
            SystemValueOp::StartVertexLocation(_) => SystemWord::StartVertex,
            SystemValueOp::StartInstanceLocation(_) => SystemWord::StartInstance,
            SystemValueOp::ViewID(_) => SystemWord::View,
            SystemValueOp::RenderTargetGetSamplePosition(_)
            | SystemValueOp::RenderTargetGetSampleCount(_)
            | SystemValueOp::SampleIndex(_)
            | SystemValueOp::Coverage(_)
            | SystemValueOp::InnerCoverage(_)
            | SystemValueOp::GSInstanceID(_)
            | SystemValueOp::DomainLocation(_)
            | SystemValueOp::OutputControlPointID(_)
            | SystemValueOp::PrimitiveID(_) => return Err(self.unsupported(op.opcode().name())),
        };
        let address = self.word(self.module.signature.system_at + word as u32);
        self.complex_of(ComplexOp::Load(Space::Private), ty, &[address])
    }

    fn element_address(
        &mut self,
        (base, places): (u32, &[ElementPlace]),
        (element, row, column): (u32, ValueId, u8),
    ) -> Result<RegisterSlot> {
        let found = places.iter().find(|place| place.id == element).copied();
        let Some(place) = found.filter(|place| place.rows > 0 && column < 4) else {
            return Err(self.malformed("an element that the signature does not have"));
        };
        let first = base + place.first + u32::from(column);
        let row = self.index_slot(row)?;
        // A row behind the last one is undefined; it must not reach other elements.
        let last = self.word(place.rows - 1);
        let row = self.lane(LaneOp::UMin32, &[row, last])?;
        let (words, first) = (self.word(ROW_WORDS), self.word(first));
        self.lane(LaneOp::Mad32, &[row, words, first])
    }

    /// Returns a word of the caller's in the type that the shader reads.
    fn in_shader(&mut self, word: RegisterSlot, ty: TypeId) -> Result<RegisterSlot> {
        match self.scalar_type(ty)? {
            ScalarType::Half => self.lane(LaneOp::FloatToHalf, &[word]),
            ScalarType::Int(16) => {
                let low = self.word(0xffff);
                self.lane(LaneOp::And32, &[word, low])
            }
            _ => Ok(word),
        }
    }

    /// Returns a value that the shader writes as a word of the caller's.
    fn for_caller(&mut self, element: u32, value: ValueId) -> Result<RegisterSlot> {
        let word = self.one(value)?;
        let is_signed = self.module.signed_outputs.contains(&element);
        match self.scalar_of(value)? {
            ScalarType::Half => self.lane(LaneOp::HalfToFloat, &[word]),
            ScalarType::Int(16) if is_signed => self.lane(LaneOp::SignExtend16, &[word]),
            _ => Ok(word),
        }
    }
}
