//! Ray queries.

use dxil_frontend::dxil::ops::RayQueryOp;
use dxil_frontend::ir::{TypeId, ValueId};

use super::code::{ComplexOp, HitValue, QueryOp, QueryValue, RegisterSlot};
use super::function::Decoder;
use crate::error::Result;

impl Decoder<'_, '_> {
    /// Decodes an operation on ray queries.
    pub(super) fn ray_query(&mut self, op: &RayQueryOp, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        use HitValue as H;
        use QueryValue as V;
        use RayQueryOp as R;
        match op {
            R::AllocateRayQuery(op) => self.allocate_query(op.ray_flags, ty),
            // There are no opacity micromaps here, so the flags for them change nothing.
            R::AllocateRayQuery2(op) => self.allocate_query(op.ray_flags, ty),
            R::RayQueryTraceRayInline(op) => {
                let mut src = self
                    .ones([
                        op.query,
                        op.acceleration_structure,
                        op.ray_flags,
                        op.instance_mask,
                    ])?
                    .to_vec();
                src.extend(self.ones(op.origin)?);
                src.extend(self.ones(op.direction)?);
                src.extend(self.ones([op.t_min, op.t_max])?);
                self.complex(ComplexOp::RayQuery(QueryOp::Trace), &[], &src);
                Ok(Vec::new())
            }
            R::RayQueryProceed(op) => {
                let query = self.one(op.query)?;
                self.complex_of(ComplexOp::RayQuery(QueryOp::Proceed), ty, &[query])
            }
            R::RayQueryAbort(op) => self.change_query(QueryOp::Abort, &[op.query]),
            R::RayQueryCommitNonOpaqueTriangleHit(op) => {
                self.change_query(QueryOp::CommitTriangle, &[op.query])
            }
            R::RayQueryCommitProceduralPrimitiveHit(op) => {
                self.change_query(QueryOp::CommitProcedural, &[op.query, op.t])
            }
            R::RayQueryCommittedStatus(op) => self.query_value(op.query, V::CommittedStatus, ty),
            R::RayQueryCandidateType(op) => self.query_value(op.query, V::CandidateType, ty),
            R::RayQueryCandidateObjectToWorld3x4(op) => {
                let value = H::ObjectToWorld(element(op.row, op.column));
                self.query_value(op.query, V::Candidate(value), ty)
            }
            R::RayQueryCandidateWorldToObject3x4(op) => {
                let value = H::WorldToObject(element(op.row, op.column));
                self.query_value(op.query, V::Candidate(value), ty)
            }
            R::RayQueryCommittedObjectToWorld3x4(op) => {
                let value = H::ObjectToWorld(element(op.row, op.column));
                self.query_value(op.query, V::Committed(value), ty)
            }
            R::RayQueryCommittedWorldToObject3x4(op) => {
                let value = H::WorldToObject(element(op.row, op.column));
                self.query_value(op.query, V::Committed(value), ty)
            }
            R::RayQueryCandidateProceduralPrimitiveNonOpaque(op) => {
                self.query_value(op.query, V::Candidate(H::IsNonOpaque), ty)
            }
            R::RayQueryCandidateTriangleFrontFace(op) => {
                self.query_value(op.query, V::Candidate(H::FrontFace), ty)
            }
            R::RayQueryCommittedTriangleFrontFace(op) => {
                self.query_value(op.query, V::Committed(H::FrontFace), ty)
            }
            R::RayQueryCandidateTriangleBarycentrics(op) => {
                let value = H::Barycentric(op.component);
                self.query_value(op.query, V::Candidate(value), ty)
            }
            R::RayQueryCommittedTriangleBarycentrics(op) => {
                let value = H::Barycentric(op.component);
                self.query_value(op.query, V::Committed(value), ty)
            }
            R::RayQueryRayFlags(op) => self.query_value(op.query, V::RayFlags, ty),
            R::RayQueryWorldRayOrigin(op) => {
                self.query_value(op.query, V::WorldOrigin(op.component), ty)
            }
            R::RayQueryWorldRayDirection(op) => {
                self.query_value(op.query, V::WorldDirection(op.component), ty)
            }
            R::RayQueryRayTMin(op) => self.query_value(op.query, V::TMin, ty),
            R::RayQueryCandidateTriangleRayT(op) => {
                self.query_value(op.query, V::Candidate(H::RayT), ty)
            }
            R::RayQueryCommittedRayT(op) => self.query_value(op.query, V::CommittedT, ty),
            R::RayQueryCandidateInstanceIndex(op) => {
                self.query_value(op.query, V::Candidate(H::InstanceIndex), ty)
            }
            R::RayQueryCandidateInstanceID(op) => {
                self.query_value(op.query, V::Candidate(H::InstanceId), ty)
            }
            R::RayQueryCandidateGeometryIndex(op) => {
                self.query_value(op.query, V::Candidate(H::GeometryIndex), ty)
            }
            R::RayQueryCandidatePrimitiveIndex(op) => {
                self.query_value(op.query, V::Candidate(H::PrimitiveIndex), ty)
            }
            R::RayQueryCandidateObjectRayOrigin(op) => {
                let value = H::ObjectOrigin(op.component);
                self.query_value(op.query, V::Candidate(value), ty)
            }
            R::RayQueryCandidateObjectRayDirection(op) => {
                let value = H::ObjectDirection(op.component);
                self.query_value(op.query, V::Candidate(value), ty)
            }
            R::RayQueryCommittedInstanceIndex(op) => {
                self.query_value(op.query, V::Committed(H::InstanceIndex), ty)
            }
            R::RayQueryCommittedInstanceID(op) => {
                self.query_value(op.query, V::Committed(H::InstanceId), ty)
            }
            R::RayQueryCommittedGeometryIndex(op) => {
                self.query_value(op.query, V::Committed(H::GeometryIndex), ty)
            }
            R::RayQueryCommittedPrimitiveIndex(op) => {
                self.query_value(op.query, V::Committed(H::PrimitiveIndex), ty)
            }
            R::RayQueryCommittedObjectRayOrigin(op) => {
                let value = H::ObjectOrigin(op.component);
                self.query_value(op.query, V::Committed(value), ty)
            }
            R::RayQueryCommittedObjectRayDirection(op) => {
                let value = H::ObjectDirection(op.component);
                self.query_value(op.query, V::Committed(value), ty)
            }
            R::RayQueryCandidateInstanceContributionToHitGroupIndex(op) => {
                self.query_value(op.query, V::Candidate(H::HitGroupOffset), ty)
            }
            R::RayQueryCommittedInstanceContributionToHitGroupIndex(op) => {
                self.query_value(op.query, V::Committed(H::HitGroupOffset), ty)
            }
        }
    }

    /// Allocates a ray query: each place in the code that does so has one for each lane.
    fn allocate_query(&mut self, flags: u32, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        let number = self.module.ray_queries;
        self.module.ray_queries += 1;
        let op = QueryOp::Allocate { number, flags };
        self.complex_of(ComplexOp::RayQuery(op), ty, &[])
    }

    fn change_query(&mut self, op: QueryOp, operands: &[ValueId]) -> Result<Vec<RegisterSlot>> {
        let mut src = Vec::with_capacity(operands.len());
        for &operand in operands {
            src.push(self.one(operand)?);
        }
        self.complex(ComplexOp::RayQuery(op), &[], &src);
        Ok(Vec::new())
    }

    fn query_value(
        &mut self,
        query: ValueId,
        value: QueryValue,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let query = self.one(query)?;
        let op = ComplexOp::RayQuery(QueryOp::Value(value));
        self.complex_of(op, ty, &[query])
    }
}

/// Returns the index of an element of a matrix of three rows and four columns.
pub(super) fn element(row: u32, column: u8) -> u8 {
    // Clamped, since the numbers come from the file.
    (row.min(2) as u8) * 4 + column.min(3)
}
