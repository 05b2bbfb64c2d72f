//! Numbers of the clusters that rays hit, for NVAPI (SPV_NV_cluster_acceleration_structure).

use dxil_frontend::ir::ValueId;

use super::query;
use crate::Result;
use crate::lower::context::Context;
use crate::lower::rays::state::Intersection;
use crate::lower::signatures::inputs;
use crate::lower::values::LoweredValue;
use crate::options::Features;
use crate::spirv::{BuiltIn, Capability, Op};

/// Returns the number of the cluster that the ray of a hit shader met.
pub(in crate::lower) fn of_hit(cx: &mut Context<'_>) -> Result<LoweredValue> {
    use dxil_frontend::dxil::ShaderKind::{AnyHit, ClosestHit, Intersection};
    if !matches!(cx.input.entry.kind, AnyHit | ClosestHit | Intersection) {
        return Err(inputs::stage_unsupported(&cx.input, "cluster numbers"));
    }
    declare(cx)?;
    let number = inputs::load_u32_built_in(cx, BuiltIn::ClusterIDNV);
    Ok(LoweredValue::Id(number))
}

/// Returns the number of the cluster of a query's candidate or committed hit.
pub(in crate::lower) fn of_query(
    cx: &mut Context<'_>,
    query: ValueId,
    of: Intersection,
) -> Result<LoweredValue> {
    declare(cx)?;
    let word = cx.b.u32();
    let op = Op::RayQueryGetIntersectionClusterIdNV;
    let number = query::query_state(cx, word, query, op, Some(of))?;
    Ok(LoweredValue::Id(number))
}

pub(super) fn declare(cx: &mut Context<'_>) -> Result<()> {
    cx.input.need_feature(
        Features::CLUSTER_ACCELERATION_STRUCTURE,
        "clusterAccelerationStructure",
        || "a cluster number".to_owned(),
    )?;
    cx.b.capability(Capability::RayTracingClusterAccelerationStructureNV);
    cx.b.extension("SPV_NV_cluster_acceleration_structure");
    Ok(())
}
