//! Elements of a signature: inputs and outputs of an invocation lie in its lane's memory, four
//! words to a row.
//!
//! The caller hands words over and gets words back, whatever the precision in the shader: floats
//! have 32 bits there, and integers are extended to 32.

use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::dxil::ops::{SignatureOp, SystemValueOp};
use dxil_frontend::ir::{TypeId, ValueId};

use super::code::{ComplexOp, RegisterSlot, Space};
use super::function::Decoder;
use super::lane_ops::{LaneOp, RegisterKind};
use super::raster_code::RasterOp;
use super::scalar_type::ScalarType;
use super::signature_memory::{ElementPlace, PixelBlock, ROW_WORDS};
use super::system_values::SystemWord;
use crate::error::Result;

impl Decoder<'_, '_> {
    /// Decodes an operation on elements of signatures.
    pub(super) fn signature(&mut self, op: &SignatureOp, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        match op {
            SignatureOp::LoadInput(op) => {
                let memory = self.module.signature.clone();
                let mut base = self.word(memory.inputs_at);
                if memory.input_vertices > 1
                    && self.module.stage != Some(ShaderKind::Pixel)
                    && let Some(vertex) = op.vertex.expand()
                {
                    let count = memory.input_vertices;
                    base = self.vertex_address(base, vertex, (count, memory.input_words))?;
                }
                let element = (op.element, op.row, op.column);
                self.load_element(base, &memory.inputs, element, ty)
            }
            SignatureOp::StoreOutput(op) => {
                let memory = self.module.signature.clone();
                let base = self.word(memory.outputs_at);
                let element = (op.element, op.row, op.column);
                let signed = self.module.signed_outputs.contains(&op.element);
                self.store_element((base, &memory.outputs), element, op.value, signed)
            }
            SignatureOp::LoadOutputControlPoint(op) => {
                let memory = self.module.signature.clone();
                let base = self.word(memory.control_points_at);
                let count = memory.output_control_points;
                if count == 0 {
                    return Err(self.malformed("a control point of a shader that makes none"));
                }
                let base = self.vertex_address(base, op.index, (count, memory.output_words))?;
                let element = (op.element, op.row, op.column);
                self.load_element(base, &memory.outputs, element, ty)
            }
            SignatureOp::LoadPatchConstant(op) => {
                let memory = self.module.signature.clone();
                let base = self.word(memory.patch_constants_at);
                let element = (op.element, op.row, op.column);
                self.load_element(base, &memory.patch_constants, element, ty)
            }
            SignatureOp::StorePatchConstant(op) => {
                let memory = self.module.signature.clone();
                let base = self.word(memory.patch_constants_at);
                let element = (op.element, op.row, op.column);
                let signed = self.module.signed_patch_constants.contains(&op.element);
                self.store_element((base, &memory.patch_constants), element, op.value, signed)
            }
            SignatureOp::StoreVertexOutput(op) => {
                let places = self.module.signature.outputs.clone();
                let signed = self.module.signed_outputs.contains(&op.element);
                let element = (op.element, op.row, op.column);
                let call = RasterOp::VertexOutput;
                self.mesh_output(
                    (call, &places),
                    element,
                    (op.value, signed),
                    op.vertex_index,
                )
            }
            SignatureOp::StorePrimitiveOutput(op) => {
                let places = self.module.signature.patch_constants.clone();
                let signed = self.module.signed_patch_constants.contains(&op.element);
                let element = (op.element, op.row, op.column);
                let call = RasterOp::PrimitiveOutput;
                self.mesh_output(
                    (call, &places),
                    element,
                    (op.value, signed),
                    op.primitive_index,
                )
            }
            SignatureOp::AttributeAtVertex(op) => {
                let block = PixelBlock::Vertices as u32 + u32::from(op.vertex.min(2));
                let element = (op.element, op.row, op.column);
                self.load_pixel_block(block, element, ty)
            }
            SignatureOp::EvalCentroid(op) => {
                let element = (op.element, op.row, op.column);
                self.load_pixel_block(PixelBlock::Centroid as u32, element, ty)
            }
            SignatureOp::EvalSnapped(op) => {
                let mut offset = [RegisterSlot::NONE; 2];
                for (slot, value) in offset.iter_mut().zip([op.offset_x, op.offset_y]) {
                    let bits = self.one(value)?;
                    // The low four bits are a signed fixed-point number of sixteenths (D3D11.3,
                    // 16.5.3).
                    let shift = self.word(28);
                    let sixteenths = self.lane(LaneOp::SignExtend, &[bits, shift])?;
                    let number = self.lane(LaneOp::S32ToFloat, &[sixteenths])?;
                    let scale = self.word((1.0_f32 / 16.0).to_bits());
                    *slot = self.lane(LaneOp::FMul, &[number, scale])?;
                }
                self.evaluate((op.element, op.row, op.column), offset, ty)
            }
            SignatureOp::EvalSampleIndex(op) => {
                let sample = self.one(op.sample_index)?;
                let offset = self.sample_position(sample)?;
                self.evaluate((op.element, op.row, op.column), offset, ty)
            }
        }
    }

    /// Decodes a system value that has an operation of its own.
    pub(super) fn system_value(
        &mut self,
        op: &SystemValueOp,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let (word, part) = match op {
            SystemValueOp::StartVertexLocation(_) => (SystemWord::StartVertex, 0),
            SystemValueOp::StartInstanceLocation(_) => (SystemWord::StartInstance, 0),
            SystemValueOp::ViewID(_) => (SystemWord::View, 0),
            SystemValueOp::RenderTargetGetSampleCount(_) => (SystemWord::Samples, 0),
            SystemValueOp::SampleIndex(_) => (SystemWord::Sample, 0),
            SystemValueOp::Coverage(_) => (SystemWord::Coverage, 0),
            SystemValueOp::InnerCoverage(_) => (SystemWord::InnerCoverage, 0),
            SystemValueOp::GSInstanceID(_) => (SystemWord::Instance, 0),
            SystemValueOp::OutputControlPointID(_) => (SystemWord::ControlPoint, 0),
            SystemValueOp::PrimitiveID(_) => (SystemWord::Primitive, 0),
            SystemValueOp::DomainLocation(op) => {
                (SystemWord::Location, u32::from(op.component.min(2)))
            }
            SystemValueOp::RenderTargetGetSamplePosition(op) => {
                let sample = self.index_slot(op.index)?;
                return Ok(self.sample_position(sample)?.to_vec());
            }
        };
        if self.module.signature.inputs_at == 0 {
            return Err(self.unsupported(op.opcode().name()));
        }
        self.module.signature.reads_system_values = true;
        self.module.signature.reads_sample_index |= word == SystemWord::Sample;
        let address = self.word(self.module.signature.system_at + word as u32 + part);
        self.complex_of(ComplexOp::Load(Space::Private), ty, &[address])
    }

    /// Returns the place of a sample in the pixel, from its centre.
    fn sample_position(&mut self, sample: RegisterSlot) -> Result<[RegisterSlot; 2]> {
        if self.module.signature.inputs_at == 0 {
            return Err(self.unsupported("sample positions in this stage"));
        }
        self.module.signature.reads_system_values = true;
        let at = self.module.signature.system_at + SystemWord::Samples as u32;
        let address = self.word(at);
        let samples = self.new_slot(RegisterKind::W);
        self.complex(ComplexOp::Load(Space::Private), &[samples], &[address]);
        let place = [RegisterKind::W; 2].map(|kind| self.new_slot(kind));
        let op = ComplexOp::Raster(RasterOp::SamplePosition);
        self.complex(op, &place, &[sample, samples]);
        Ok(place)
    }

    /// Returns an input at an offset from the pixel's centre.
    fn evaluate(
        &mut self,
        element: (u32, ValueId, u8),
        offset: [RegisterSlot; 2],
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let mut value = self.pixel_block(PixelBlock::Center as u32, element)?;
        let mut denominator = self.word(1.0_f32.to_bits());
        let gradients = [
            (PixelBlock::GradientX, PixelBlock::WeightX),
            (PixelBlock::GradientY, PixelBlock::WeightY),
        ];
        for ((gradient, weight), part) in gradients.into_iter().zip(offset) {
            for (block, sum) in [(gradient, &mut value), (weight, &mut denominator)] {
                let change = self.pixel_block(block as u32, element)?;
                let change = self.lane(LaneOp::FMul, &[change, part])?;
                *sum = self.lane(LaneOp::FAdd, &[*sum, change])?;
            }
        }
        let value = self.lane(LaneOp::FDiv, &[value, denominator])?;
        Ok(vec![self.in_shader(value, ty)?])
    }

    /// Returns the word of an input in a block of a pixel shader's inputs.
    fn pixel_block(&mut self, block: u32, element: (u32, ValueId, u8)) -> Result<RegisterSlot> {
        let memory = self.module.signature.clone();
        if block >= memory.input_vertices {
            return Err(self.malformed("an operation of pixel shaders in another shader"));
        }
        self.module.signature.reads_blocks = true;
        let base = self.word(memory.inputs_at + block * memory.input_words);
        let address = self.element_address(base, &memory.inputs, element)?;
        let word = self.new_slot(RegisterKind::W);
        self.complex(ComplexOp::Load(Space::Private), &[word], &[address]);
        Ok(word)
    }

    fn load_pixel_block(
        &mut self,
        block: u32,
        element: (u32, ValueId, u8),
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let word = self.pixel_block(block, element)?;
        Ok(vec![self.in_shader(word, ty)?])
    }

    /// Returns the first word of one of several vertices. An index after the last one is
    /// undefined; it must not reach anything else.
    fn vertex_address(
        &mut self,
        base: RegisterSlot,
        vertex: ValueId,
        (count, words): (u32, u32),
    ) -> Result<RegisterSlot> {
        let vertex = self.index_slot(vertex)?;
        let last = self.word(count.saturating_sub(1));
        let vertex = self.lane(LaneOp::UMin32, &[vertex, last])?;
        let words = self.word(words);
        self.lane(LaneOp::Mad32, &[vertex, words, base])
    }

    fn load_element(
        &mut self,
        base: RegisterSlot,
        places: &[ElementPlace],
        element: (u32, ValueId, u8),
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let address = self.element_address(base, places, element)?;
        let word = self.new_slot(RegisterKind::W);
        self.complex(ComplexOp::Load(Space::Private), &[word], &[address]);
        Ok(vec![self.in_shader(word, ty)?])
    }

    fn store_element(
        &mut self,
        (base, places): (RegisterSlot, &[ElementPlace]),
        element: (u32, ValueId, u8),
        value: ValueId,
        signed: bool,
    ) -> Result<Vec<RegisterSlot>> {
        let address = self.element_address(base, places, element)?;
        let word = self.for_caller(value, signed)?;
        self.complex(ComplexOp::Store(Space::Private), &[], &[address, word]);
        Ok(Vec::new())
    }

    /// Returns an output of a mesh shader, which belongs to its group.
    fn mesh_output(
        &mut self,
        (op, places): (RasterOp, &[ElementPlace]),
        element: (u32, ValueId, u8),
        (value, signed): (ValueId, bool),
        index: ValueId,
    ) -> Result<Vec<RegisterSlot>> {
        let base = self.word(0);
        let place = self.element_address(base, places, element)?;
        let word = self.for_caller(value, signed)?;
        let index = self.index_slot(index)?;
        self.complex(ComplexOp::Raster(op), &[], &[place, word, index]);
        Ok(Vec::new())
    }

    fn element_address(
        &mut self,
        base: RegisterSlot,
        places: &[ElementPlace],
        (element, row, column): (u32, ValueId, u8),
    ) -> Result<RegisterSlot> {
        let found = places.iter().find(|place| place.id == element).copied();
        let Some(place) = found.filter(|place| place.rows > 0 && column < 4) else {
            return Err(self.malformed("an element that the signature does not have"));
        };
        let first = self.word(place.first + u32::from(column));
        let first = self.lane(LaneOp::Add32, &[base, first])?;
        let row = self.index_slot(row)?;
        // A row after the last one is undefined; it must not reach other elements.
        let last = self.word(place.rows - 1);
        let row = self.lane(LaneOp::UMin32, &[row, last])?;
        let words = self.word(ROW_WORDS);
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
    fn for_caller(&mut self, value: ValueId, is_signed: bool) -> Result<RegisterSlot> {
        let word = self.one(value)?;
        match self.scalar_of(value)? {
            ScalarType::Half => self.lane(LaneOp::HalfToFloat, &[word]),
            ScalarType::Int(16) if is_signed => self.lane(LaneOp::SignExtend16, &[word]),
            _ => Ok(word),
        }
    }
}
