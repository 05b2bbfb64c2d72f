//! Operations that only stages of a draw have: groups of mesh and amplification shaders, streams of
//! geometry shaders, helper lanes of pixel shaders.

use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::dxil::ops::{MeshOp, StreamOp};
use dxil_frontend::ir::{TypeId, ValueId};

use super::code::{ComplexOp, Fence, RegisterSlot, Space};
use super::function::Decoder;
use super::lane_ops::RegisterKind;
use super::raster_code::RasterOp;
use super::record_layout::RecordScalar;
use crate::error::Result;

impl Decoder<'_, '_> {
    /// Decodes an operation of a mesh or amplification shader.
    pub(super) fn mesh(&mut self, op: &MeshOp, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        match op {
            MeshOp::SetMeshOutputCounts(op) => {
                self.in_stage(ShaderKind::Mesh)?;
                let src = self.ones([op.vertex_count, op.primitive_count])?;
                self.raster(RasterOp::MeshCounts, &src)
            }
            MeshOp::EmitIndices(op) => {
                self.in_stage(ShaderKind::Mesh)?;
                let mut src = vec![self.one(op.primitive_index)?];
                src.extend(self.ones(op.vertices)?);
                self.raster(RasterOp::MeshIndices, &src)
            }
            MeshOp::GetMeshPayload(_) => {
                self.in_stage(ShaderKind::Mesh)?;
                let scalars = self.payload_scalars(ty)?;
                // In a lane's memory a scalar of up to 32 bits takes a word, a wider one two.
                let words: usize = scalars.iter().map(|s| s.bytes.div_ceil(4) as usize).sum();
                let statics = &mut self.module.globals.statics;
                let at = statics.len();
                statics.resize(at + words, 0);
                let address = self.new_slot(RegisterKind::W);
                let op = RasterOp::Payload {
                    at: at as u32,
                    scalars,
                };
                self.complex(ComplexOp::Raster(op), &[address], &[]);
                Ok(vec![address])
            }
            MeshOp::DispatchMesh(op) => {
                self.in_stage(ShaderKind::Amplification)?;
                let scalars = self.payload_scalars(self.ty(op.payload)?)?;
                let is_groupshared = match self.space_of(op.payload)? {
                    Space::Shared => true,
                    Space::Private => false,
                    Space::Record => return Err(self.malformed("a payload in a record")),
                };
                let mut src = self.ones(op.group_count)?.to_vec();
                src.push(self.one(op.payload)?);
                // It waits for the whole group, which fills the payload (mesh shader specification,
                // "DispatchMesh intrinsic").
                let fence = Fence {
                    groupshared: true,
                    uavs: false,
                };
                self.complex(ComplexOp::GroupSync(fence), &[], &[]);
                let op = RasterOp::DispatchMesh {
                    is_groupshared,
                    scalars,
                };
                self.raster(op, &src)
            }
        }
    }

    /// Decodes an operation on a stream of a geometry shader.
    pub(super) fn stream(&mut self, op: &StreamOp) -> Result<Vec<RegisterSlot>> {
        self.in_stage(ShaderKind::Geometry)?;
        match op {
            StreamOp::EmitStream(op) => self.raster(RasterOp::Emit(op.stream), &[]),
            StreamOp::CutStream(op) => self.raster(RasterOp::Cut(op.stream), &[]),
            StreamOp::EmitThenCutStream(op) => {
                self.raster(RasterOp::Emit(op.stream), &[])?;
                self.raster(RasterOp::Cut(op.stream), &[])
            }
        }
    }

    /// Decodes `discard`.
    pub(super) fn discard(&mut self, condition: ValueId) -> Result<Vec<RegisterSlot>> {
        self.in_stage(ShaderKind::Pixel)?;
        self.module.signature.discards = true;
        let condition = self.one(condition)?;
        self.raster(RasterOp::Discard, &[condition])
    }

    /// Decodes `isHelperLane`: only pixel shaders have helper lanes.
    pub(super) fn is_helper(&mut self, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        if self.module.stage != Some(ShaderKind::Pixel) {
            return Ok(vec![self.word(0)]);
        }
        self.complex_of(ComplexOp::Raster(RasterOp::IsHelper), ty, &[])
    }

    fn raster(&mut self, op: RasterOp, src: &[RegisterSlot]) -> Result<Vec<RegisterSlot>> {
        self.complex(ComplexOp::Raster(op), &[], src);
        Ok(Vec::new())
    }

    fn in_stage(&self, stage: ShaderKind) -> Result<()> {
        if self.module.stage == Some(stage) {
            return Ok(());
        }
        let shader = stage.prefix();
        Err(self.malformed(format!(
            "an operation of {shader} shaders in another shader"
        )))
    }

    /// Places of the scalars of the payload that a pointer points to.
    fn payload_scalars(&self, pointer: TypeId) -> Result<Box<[RecordScalar]>> {
        let pointee = self.layout.types().pointee(pointer);
        let scalars = pointee.and_then(|ty| self.module.records.scalars(ty));
        let scalars = scalars.ok_or_else(|| self.unsupported("a payload of this type"))?;
        Ok(scalars.into())
    }
}
