//! Operations of the preview shader model 6.10.
//!
//! Vulkan has what they ask for in other extensions. A break of the shader is none there, so it
//! does nothing, and no debugger is reported. Matrices are in `waves/linalg`.

use dxil_frontend::dxil::ops::{LinAlgOp, Opcode, PreviewOp};

use super::rays::hit_geometry::{Source, vertices};
use super::rays::state::Intersection::{Candidate, Committed};
use super::rays::{clusters, hit_objects};
use super::signatures::inputs;
use super::waves::linalg;
use crate::lower::context::Context;
use crate::lower::values::{Call, LoweredValue};
use crate::spirv::BuiltIn;
use crate::{Error, Result};

/// Lowers an operation of the preview.
pub(super) fn lower_preview(
    cx: &mut Context<'_>,
    call: &Call,
    op: &PreviewOp,
) -> Result<LoweredValue> {
    require(cx, op.opcode())?;
    match op {
        PreviewOp::ExperimentalNop(_) | PreviewOp::DebugBreak(_) => Ok(LoweredValue::Unset),
        PreviewOp::IsDebuggingEnabled(_) => Ok(LoweredValue::Id(cx.b.const_bool(false))),
        PreviewOp::GetGroupWaveIndex(_) => {
            let index = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupId);
            Ok(LoweredValue::Id(index))
        }
        PreviewOp::GetGroupWaveCount(_) => {
            let count = inputs::load_subgroup_built_in(cx, BuiltIn::NumSubgroups);
            Ok(LoweredValue::Id(count))
        }
        PreviewOp::ClusterID(_) => clusters::of_hit(cx),
        PreviewOp::RayQueryCandidateClusterID(op) => clusters::of_query(cx, op.query, Candidate),
        PreviewOp::RayQueryCommittedClusterID(op) => clusters::of_query(cx, op.query, Committed),
        PreviewOp::HitObjectClusterID(op) => hit_objects::cluster_id(cx, op.hit),
        PreviewOp::TriangleObjectPosition(_) => vertices(cx, call.ty, Source::Shader),
        PreviewOp::RayQueryCandidateTriangleObjectPosition(op) => {
            vertices(cx, call.ty, Source::Query(op.query, Candidate))
        }
        PreviewOp::RayQueryCommittedTriangleObjectPosition(op) => {
            vertices(cx, call.ty, Source::Query(op.query, Committed))
        }
        PreviewOp::HitObjectTriangleObjectPosition(op) => {
            vertices(cx, call.ty, Source::Object(op.hit))
        }
    }
}

/// Lowers an operation on matrices.
pub(super) fn lower_matrix(
    cx: &mut Context<'_>,
    call: &Call,
    op: &LinAlgOp,
) -> Result<LoweredValue> {
    require(cx, op.opcode())?;
    linalg::lower(cx, call, op)
}

fn require(cx: &Context<'_>, operation: Opcode) -> Result<()> {
    if cx.input.options.preview {
        return Ok(());
    }
    Err(Error::unsupported(operation.preview_refusal()))
}
