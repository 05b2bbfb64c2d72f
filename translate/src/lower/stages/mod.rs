//! Execution modes, entry points and operations of single stages.

mod amplification;
pub(super) mod entry;
mod geometry;
mod group_contents;
pub(super) mod mesh;
pub(super) mod ordered;
pub(super) mod state;
mod tessellation;

use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::dxil::ops::{MeshOp, StreamOp};
use dxil_frontend::ir::FuncId;

use crate::Result;
use crate::lower::context::{Context, Input};
use crate::lower::values::{Call, LoweredValue};
use crate::spirv::{Builder, Id};

/// Lowers the output streams of geometry shaders.
pub(super) fn lower_stream(cx: &mut Context<'_>, op: &StreamOp) -> Result<LoweredValue> {
    match op {
        StreamOp::EmitStream(op) => geometry::emit_vertex(cx, op.stream),
        StreamOp::CutStream(op) => geometry::cut_strip(&mut cx.b, &cx.input, op.stream),
        StreamOp::EmitThenCutStream(op) => {
            geometry::emit_vertex(cx, op.stream)?;
            geometry::cut_strip(&mut cx.b, &cx.input, op.stream)
        }
    }
}

/// Lowers the operations of mesh and amplification shaders.
pub(super) fn lower_mesh(cx: &mut Context<'_>, call: &Call, op: &MeshOp) -> Result<LoweredValue> {
    match op {
        MeshOp::SetMeshOutputCounts(op) => mesh::set_mesh_output_counts(cx, op),
        MeshOp::EmitIndices(op) => mesh::emit_indices(cx, op),
        MeshOp::GetMeshPayload(_) => mesh::payload_variable(cx, call),
        MeshOp::DispatchMesh(op) => amplification::dispatch_mesh(cx, op),
    }
}

/// Returns the function that the entry point names: the shader's own, or one that calls it.
pub(super) fn entry_point(cx: &mut Context<'_>, main: FuncId) -> Result<Id> {
    match cx.input.entry.kind {
        ShaderKind::Hull => tessellation::hull_entry(cx, cx.input.entry.function),
        ShaderKind::Amplification => amplification::entry_point(cx, main),
        _ if !cx.module.stage_io.rows.is_empty() || group_contents::exist(cx) => {
            entry::wrap_rows(cx, main)
        }
        _ => Ok(cx.module.functions[main].unwrap_or_default()),
    }
}

/// Declares the execution modes of geometry, hull, domain and mesh shaders.
pub(super) fn declare_modes(b: &mut Builder, input: &Input<'_>, function: Id) -> Result<()> {
    geometry::declare_modes(b, input, function)?;
    tessellation::hull_modes(b, input, function)?;
    mesh::declare_modes(b, input, function)?;
    tessellation::domain_modes(b, input, function)
}
