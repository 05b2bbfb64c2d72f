//! Operations of the preview shader model 6.10 (HLSL proposals 0043 to 0046), but for matrices.

use dxil_frontend::dxil::ops::{Opcode, PreviewOp as Op};
use dxil_frontend::ir::{TypeId, ValueId};

use super::code::{
    ComplexOp, HitObjectOp, HitValue, QueryOp, QueryValue, RayValue, RegisterSlot, ThreadInput,
};
use super::function::Decoder;
use super::lane_ops::RegisterKind;
use crate::error::Result;

/// The number of no cluster: no geometry here is made of them.
const NO_CLUSTER: u32 = u32::MAX;

/// Scalars of the vertices of a triangle.
const VERTEX_SCALARS: u8 = 9;

impl Decoder<'_, '_> {
    /// Decodes an operation of the preview.
    pub(super) fn preview(&mut self, op: &Op, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        self.require_preview(op.opcode())?;
        match op {
            Op::ExperimentalNop(_) => Ok(Vec::new()),
            Op::DebugBreak(_) => {
                if self.module.is_watched {
                    // A debugger sees instructions, of which this is none otherwise.
                    let (to, zero) = (self.new_slot(RegisterKind::W), self.word(0));
                    self.push_move(to, zero, self.inst);
                }
                Ok(Vec::new())
            }
            Op::IsDebuggingEnabled(_) => {
                let is_watched = u32::from(self.module.is_watched);
                Ok(vec![self.word(is_watched)])
            }
            Op::GetGroupWaveIndex(_) => self.input(ThreadInput::WaveIndex, ty),
            Op::GetGroupWaveCount(_) => self.input(ThreadInput::WaveCount, ty),
            Op::ClusterID(_)
            | Op::RayQueryCandidateClusterID(_)
            | Op::RayQueryCommittedClusterID(_)
            | Op::HitObjectClusterID(_) => Ok(vec![self.word(NO_CLUSTER)]),
            Op::TriangleObjectPosition(_) => {
                if !self.module.is_ray_pipeline {
                    let what = "an operation of ray tracing pipelines in another shader";
                    return Err(self.malformed(what));
                }
                self.vertices(ty, &[], |value| ComplexOp::RayValue(RayValue::Hit(value)))
            }
            Op::RayQueryCandidateTriangleObjectPosition(op) => {
                self.query_vertices(op.query, ty, QueryValue::Candidate)
            }
            Op::RayQueryCommittedTriangleObjectPosition(op) => {
                self.query_vertices(op.query, ty, QueryValue::Committed)
            }
            Op::HitObjectTriangleObjectPosition(op) => {
                let hit = self.object(op.hit)?;
                self.vertices(ty, &hit, |value| {
                    ComplexOp::HitObject(HitObjectOp::Value(value))
                })
            }
        }
    }

    /// Refuses an operation of the preview that the caller has not asked for.
    pub(super) fn require_preview(&self, operation: Opcode) -> Result<()> {
        if self.module.preview {
            return Ok(());
        }
        Err(self.unsupported(operation.preview_refusal()))
    }

    fn query_vertices(
        &mut self,
        query: ValueId,
        ty: TypeId,
        of: fn(HitValue) -> QueryValue,
    ) -> Result<Vec<RegisterSlot>> {
        let query = self.one(query)?;
        self.vertices(ty, &[query], |value| {
            ComplexOp::RayQuery(QueryOp::Value(of(value)))
        })
    }

    /// Returns the vertices of a triangle, scalar by scalar.
    fn vertices(
        &mut self,
        ty: TypeId,
        src: &[RegisterSlot],
        op: impl Fn(HitValue) -> ComplexOp,
    ) -> Result<Vec<RegisterSlot>> {
        let dst = self.fresh(ty)?;
        if dst.len() != usize::from(VERTEX_SCALARS) {
            return Err(self.malformed("vertices of another number of scalars"));
        }
        for (slot, scalar) in dst.iter().zip(0..) {
            self.complex(op(HitValue::TriangleVertex(scalar)), &[*slot], src);
        }
        Ok(dst)
    }
}
