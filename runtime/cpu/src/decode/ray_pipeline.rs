//! Operations of ray tracing pipelines.

use dxil_frontend::dxil::ops::RayTracingOp;
use dxil_frontend::ir::{TypeId, ValueId};

use super::code::{ComplexOp, HitValue, MAX_ATTRIBUTE_WORDS, RayCall, RayValue, RegisterSlot};
use super::function::Decoder;
use super::ray_operations::element;
use crate::error::Result;

/// The operands of `TraceRay`, which two operations have under the same names.
macro_rules! trace_operands {
    ($decoder:ident, $op:ident) => {{
        let head = $decoder.ones([
            $op.acceleration_structure,
            $op.ray_flags,
            $op.instance_mask,
            $op.ray_contribution,
            $op.geometry_multiplier,
            $op.miss_index,
        ])?;
        let mut src = head.to_vec();
        src.extend($decoder.ones($op.origin)?);
        src.push($decoder.one($op.t_min)?);
        src.extend($decoder.ones($op.direction)?);
        src.extend($decoder.ones([$op.t_max, $op.payload])?);
        src
    }};
}
pub(super) use trace_operands;

impl Decoder<'_, '_> {
    /// Decodes an operation of a ray tracing pipeline.
    pub(super) fn ray_pipeline(
        &mut self,
        op: &RayTracingOp,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        use HitValue as H;
        use RayTracingOp as R;
        use RayValue as V;
        if !self.module.is_ray_pipeline {
            return Err(self.malformed("an operation of ray tracing pipelines in another shader"));
        }
        let value = match op {
            R::TraceRay(op) => {
                let src = trace_operands!(self, op);
                self.complex(ComplexOp::RayCall(RayCall::Trace), &[], &src);
                return Ok(Vec::new());
            }
            R::ReportHit(op) => {
                let words = self.attribute_words(op.attributes)?;
                let src = self.ones([op.t_hit, op.hit_kind, op.attributes])?;
                let op = ComplexOp::RayCall(RayCall::Report(words));
                return self.complex_of(op, ty, &src);
            }
            R::CallShader(op) => {
                let src = self.ones([op.shader_index, op.parameter])?;
                self.complex(ComplexOp::RayCall(RayCall::Shader), &[], &src);
                return Ok(Vec::new());
            }
            R::IgnoreHit(_) => {
                self.complex(ComplexOp::EndHit { accepts: false }, &[], &[]);
                return Ok(Vec::new());
            }
            R::AcceptHitAndEndSearch(_) => {
                self.complex(ComplexOp::EndHit { accepts: true }, &[], &[]);
                return Ok(Vec::new());
            }
            R::DispatchRaysIndex(op) => V::Index(op.component),
            R::DispatchRaysDimensions(op) => V::Dimensions(op.component),
            R::RayFlags(_) => V::Flags,
            R::WorldRayOrigin(op) => V::Origin(op.component),
            R::WorldRayDirection(op) => V::Direction(op.component),
            R::RayTMin(_) => V::TMin,
            R::RayTCurrent(_) => V::TCurrent,
            R::HitKind(_) => V::HitKind,
            R::InstanceID(_) => V::Hit(H::InstanceId),
            R::InstanceIndex(_) => V::Hit(H::InstanceIndex),
            R::PrimitiveIndex(_) => V::Hit(H::PrimitiveIndex),
            R::GeometryIndex(_) => V::Hit(H::GeometryIndex),
            R::ObjectRayOrigin(op) => V::Hit(H::ObjectOrigin(op.component)),
            R::ObjectRayDirection(op) => V::Hit(H::ObjectDirection(op.component)),
            R::ObjectToWorld(op) => V::Hit(H::ObjectToWorld(element(op.row, op.column))),
            R::WorldToObject(op) => V::Hit(H::WorldToObject(element(op.row, op.column))),
        };
        self.complex_of(ComplexOp::RayValue(value), ty, &[])
    }

    /// Returns the words of attributes in the memory of a lane.
    pub(super) fn attribute_words(&mut self, attributes: ValueId) -> Result<u32> {
        let pointee = self.layout.types().pointee(self.ty(attributes)?);
        let words = pointee.map_or(0, |ty| self.layout.words(ty));
        if words > u64::from(MAX_ATTRIBUTE_WORDS) {
            return Err(self.unsupported("attributes of more than 32 bytes"));
        }
        Ok(words as u32)
    }
}
