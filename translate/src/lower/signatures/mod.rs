//! Inputs and outputs of a stage: signature elements, system values, copies of outputs.

pub(super) mod access;
pub(super) mod components;
pub(super) mod elements;
pub(super) mod inputs;
pub(super) mod output_rows;
mod semantic_table;
pub(super) mod state;
pub(super) mod stream_output;
pub(super) mod streams;
pub(super) mod system_inputs;
mod system_values;
mod tessellation_factors;
pub(super) mod thread_ids;
pub(super) mod views;

use dxil_frontend::dxil::ops::{SignatureOp, SystemValueOp, ThreadIdOp};

use crate::Result;
use crate::lower::context::Context;
use crate::lower::graphs::nodes;
use crate::lower::values::{Call, LoweredValue};
use crate::spirv::{BuiltIn, GLOp};

use state::Direction;

/// Lowers accesses to elements of signatures.
pub(super) fn lower_signature(
    cx: &mut Context<'_>,
    call: &Call,
    op: &SignatureOp,
) -> Result<LoweredValue> {
    match op {
        SignatureOp::LoadInput(op) => match op.vertex.expand() {
            // Without a vertex it is a plain input; the others index the array of vertices.
            None => access::load_input(cx, op.element, op.row, op.column, call.ty),
            vertex => access::load_element(
                cx,
                Direction::Input,
                op.element,
                op.row,
                op.column,
                vertex,
                call.ty,
            ),
        },
        SignatureOp::LoadPatchConstant(op) => access::load_element(
            cx,
            Direction::Patch,
            op.element,
            op.row,
            op.column,
            None,
            call.ty,
        ),
        SignatureOp::LoadOutputControlPoint(op) => access::load_element(
            cx,
            Direction::Output,
            op.element,
            op.row,
            op.column,
            Some(op.index),
            call.ty,
        ),
        SignatureOp::StorePatchConstant(op) => {
            access::store_patch_constant(cx, op.element, op.row, op.column, op.value)
        }
        SignatureOp::StoreOutput(op) => {
            access::store_output(cx, op.element, op.row, op.column, op.value)
        }
        SignatureOp::EvalCentroid(op) => access::interpolate(
            cx,
            GLOp::InterpolateAtCentroid,
            op.element,
            op.row,
            op.column,
            None,
            call.ty,
        ),
        SignatureOp::EvalSampleIndex(op) => {
            let sample = cx.id(op.sample_index)?;
            access::interpolate(
                cx,
                GLOp::InterpolateAtSample,
                op.element,
                op.row,
                op.column,
                Some(sample),
                call.ty,
            )
        }
        SignatureOp::EvalSnapped(op) => {
            let offset = access::snapped_offset(cx, op.offset_x, op.offset_y)?;
            access::interpolate(
                cx,
                GLOp::InterpolateAtOffset,
                op.element,
                op.row,
                op.column,
                Some(offset),
                call.ty,
            )
        }
        SignatureOp::AttributeAtVertex(op) => {
            access::attribute_at_vertex(cx, op.element, op.row, op.column, op.vertex, call.ty)
        }
        SignatureOp::StoreVertexOutput(op) => {
            let vertex = Some(op.vertex_index);
            access::store_element(
                cx,
                Direction::Output,
                op.element,
                op.row,
                op.column,
                op.value,
                vertex,
            )
        }
        SignatureOp::StorePrimitiveOutput(op) => {
            let primitive = Some(op.primitive_index);
            access::store_element(
                cx,
                Direction::Patch,
                op.element,
                op.row,
                op.column,
                op.value,
                primitive,
            )
        }
    }
}

/// Lowers the system values that have an operation of their own.
pub(super) fn lower_system_value(cx: &mut Context<'_>, op: &SystemValueOp) -> Result<LoweredValue> {
    match op {
        SystemValueOp::DomainLocation(op) => Ok(system_inputs::domain_location(cx, op.component)),
        SystemValueOp::OutputControlPointID(_) => {
            inputs::output_control_point_id(cx).map(LoweredValue::Id)
        }
        SystemValueOp::GSInstanceID(_) => Ok(system_inputs::geometry_instance_id(cx)),
        SystemValueOp::SampleIndex(_) => system_inputs::sample_index(cx),
        SystemValueOp::RenderTargetGetSampleCount(_) => Ok(LoweredValue::Id(
            system_inputs::raster_samples(&mut cx.b, &cx.input),
        )),
        SystemValueOp::RenderTargetGetSamplePosition(op) => {
            system_inputs::raster_sample_position(cx, op.index)
        }
        SystemValueOp::Coverage(_) => Ok(system_inputs::load_coverage(cx)),
        SystemValueOp::InnerCoverage(_) => system_inputs::load_inner_coverage(cx),
        SystemValueOp::PrimitiveID(_) => system_inputs::load_primitive_id(cx),
        SystemValueOp::ViewID(_) => views::load_view_id(cx),
        SystemValueOp::StartVertexLocation(_) => system_inputs::draw_start(cx, BuiltIn::BaseVertex),
        SystemValueOp::StartInstanceLocation(_) => {
            system_inputs::draw_start(cx, BuiltIn::BaseInstance)
        }
    }
}

/// Lowers the position of a thread in its group and dispatch.
pub(super) fn lower_thread_id(cx: &mut Context<'_>, op: &ThreadIdOp) -> Result<LoweredValue> {
    match op {
        ThreadIdOp::ThreadId(op) => {
            nodes::group_component(cx, BuiltIn::GlobalInvocationId, op.component)
        }
        ThreadIdOp::GroupId(op) => nodes::group_component(cx, BuiltIn::WorkgroupId, op.component),
        ThreadIdOp::ThreadIdInGroup(op) => {
            thread_ids::load_uvec3_component(cx, BuiltIn::LocalInvocationId, op.component)
        }
        ThreadIdOp::FlattenedThreadIdInGroup(_) => thread_ids::flattened_thread_id(cx),
    }
}
