//! Mesh shaders: counts, indices, the payload, and the execution modes of mesh and amplification
//! shaders (SPV_EXT_mesh_shader).

use dxil_frontend::dxil::ops::calls;
use dxil_frontend::dxil::{MeshTopology, ShaderKind};

use crate::lower::context::{Context, Input};
use crate::lower::instrument::assumptions;
use crate::lower::memory::variables;
use crate::lower::numbers::integers;
use crate::lower::signatures::state::Direction;
use crate::lower::signatures::{inputs, views};
use crate::lower::values::{Call, LoweredValue};
use crate::options::Features;
use crate::spirv::{Builder, BuiltIn, Capability, ExecutionMode, GLOp, Id, Op, StorageClass};
use crate::{Assumption, Error, Quirks, Result};

/// Lowers `setMeshOutputCounts`.
pub(super) fn set_mesh_output_counts(
    cx: &mut Context<'_>,
    op: &calls::SetMeshOutputCounts,
) -> Result<LoweredValue> {
    if cx.input.entry.stage.mesh_outputs().is_none() {
        return Err(inputs::stage_unsupported(
            &cx.input,
            "an output of mesh shaders",
        ));
    }
    let vertices = integers::to_u32(cx, op.vertex_count)?;
    let primitives = integers::to_u32(cx, op.primitive_count)?;
    let [vertices, primitives] = checked_counts(cx, op, vertices, primitives)?;
    cx.b.emit_void(Op::SetMeshOutputsEXT, &[vertices, primitives]);
    views::write_primitive_view_indices(cx, primitives)?;
    Ok(LoweredValue::Unset)
}

/// Returns the counts, or 0 if either exceeds the shader's declaration, which D3D12 leaves
/// undefined: constants are always compared, others where the code has to check them. A shader
/// without `out indices` (or `out vertices`) emits none.
fn checked_counts(
    cx: &mut Context<'_>,
    op: &calls::SetMeshOutputCounts,
    vertices: Id,
    primitives: Id,
) -> Result<[Id; 2]> {
    let Some(outputs) = cx.input.entry.stage.mesh_outputs() else {
        return Ok([vertices, primitives]);
    };
    let (max_vertices, max_primitives) = (outputs.max_vertices, outputs.max_primitives);
    assumptions::assume_at_most(cx, vertices, max_vertices, Assumption::MeshVertices);
    assumptions::assume_at_most(cx, primitives, max_primitives, Assumption::MeshPrimitives);
    let zero = cx.b.const_u32(0);
    let [vertices, primitives] = [(vertices, max_vertices), (primitives, max_primitives)]
        // SPIR-V wants at least 1 as the declared maximum, so 0 has to become a count.
        .map(|(count, max)| if max == 0 { zero } else { count });
    if !cx.input.has_quirk(Quirks::MESH_COUNTS_CHECKED) {
        for (count, max) in [
            (op.vertex_count, max_vertices),
            (op.primitive_count, max_primitives),
        ] {
            if let Some(count) = cx.function.view.constant_int(count)
                && max != 0
                && count > u64::from(max)
            {
                return Ok([zero, zero]);
            }
        }
        return Ok([vertices, primitives]);
    }
    let (word, bool_ty) = (cx.b.u32(), cx.b.bool());
    let fits = [(vertices, max_vertices), (primitives, max_primitives)].map(|(count, max)| {
        let max = cx.b.const_u32(max);
        cx.b.emit(Op::ULessThanEqual, bool_ty, &[count, max])
    });
    let fits = cx.b.emit(Op::LogicalAnd, bool_ty, &fits);
    Ok([vertices, primitives].map(|count| cx.b.select(word, fits, count, zero)))
}

/// Returns the index of a vertex (or, of a primitive's outputs, primitive), as [`checked_index`].
pub(in crate::lower) fn checked_output(
    b: &mut Builder,
    input: &Input<'_>,
    direction: Direction,
    index: Id,
) -> Id {
    match input.entry.stage.mesh_outputs() {
        Some(outputs) if direction == Direction::Output => {
            checked_index(b, input, index, outputs.max_vertices)
        }
        Some(outputs) => checked_index(b, input, index, outputs.max_primitives),
        None => index,
    }
}

/// Returns the index of a vertex or primitive, within what is declared where that is checked.
fn checked_index(b: &mut Builder, input: &Input<'_>, index: Id, count: u32) -> Id {
    if !input.has_quirk(Quirks::MESH_COUNTS_CHECKED) {
        return index;
    }
    let word = b.u32();
    // With 0 as the maximum, index 0 is the only element of the array.
    let last = b.const_u32(count.max(1) - 1);
    b.glsl(GLOp::UMin, word, &[index, last])
}

/// Lowers `emitIndices`: the vertices of one primitive.
pub(super) fn emit_indices(cx: &mut Context<'_>, op: &calls::EmitIndices) -> Result<LoweredValue> {
    let Some(outputs) = cx.input.entry.stage.mesh_outputs() else {
        return Err(inputs::stage_unsupported(&cx.input, "EmitIndices"));
    };
    let max_primitives = outputs.max_primitives;
    let (built_in, corners) = match outputs.topology {
        MeshTopology::Line => (BuiltIn::PrimitiveLineIndicesEXT, 2),
        // SPIR-V needs some topology; without primitives it does not matter.
        MeshTopology::Triangle | MeshTopology::Undefined => {
            (BuiltIn::PrimitiveTriangleIndicesEXT, 3)
        }
    };
    let word = cx.b.u32();
    let indices_ty = cx.b.vector(word, corners);
    let array = cx.b.array(indices_ty, max_primitives.max(1));
    let variable = inputs::built_in_output(cx, built_in, array);
    let primitive = integers::to_u32(cx, op.primitive_index)?;
    let primitive = checked_index(&mut cx.b, &cx.input, primitive, max_primitives);
    let mut indices = Vec::with_capacity(3);
    // A line has two vertices, and DXIL passes three operands always.
    for &vertex in op.vertices.iter().take(corners as usize) {
        indices.push(integers::to_u32(cx, vertex)?);
    }
    let value = cx.b.construct(indices_ty, &indices);
    let pointer_ty = cx.b.pointer(StorageClass::Output, indices_ty);
    let pointer = cx.b.access_chain(pointer_ty, variable, &[primitive]);
    cx.b.store(pointer, value);
    Ok(LoweredValue::Unset)
}

/// Lowers `getMeshPayload`: the address of the amplification shader's payload.
pub(super) fn payload_variable(cx: &mut Context<'_>, call: &Call) -> Result<LoweredValue> {
    if cx.input.entry.kind != ShaderKind::Mesh {
        return Err(inputs::stage_unsupported(&cx.input, "GetMeshPayload"));
    }
    // A node has a record in its place (D3D12 Work Graphs specification, "Mesh nodes").
    if cx.input.is_node() {
        return Err(Error::unsupported(
            "the payload of an amplification shader in a mesh node",
        ));
    }
    // One variable for all calls: an entry point may have one payload variable.
    if let Some(payload) = cx.module.payload.received {
        return Ok(LoweredValue::Pointer(payload));
    }
    let types = cx.input.types();
    let (Some(root), Some(ty)) = (call.result, types.pointee(call.ty)) else {
        return Err(Error::malformed("GetMeshPayload gives no pointer"));
    };
    let payload =
        variables::variable_of(cx, root, ty, StorageClass::TaskPayloadWorkgroupEXT, None)?;
    cx.module.payload.received = Some(payload);
    Ok(LoweredValue::Pointer(payload))
}

/// Declares capability and execution modes of mesh and amplification shaders.
pub(super) fn declare_modes(b: &mut Builder, input: &Input<'_>, function: Id) -> Result<()> {
    let user = match input.entry.kind {
        ShaderKind::Mesh => "a mesh shader",
        ShaderKind::Amplification => "an amplification shader",
        _ => return Ok(()),
    };
    inputs::require(
        input,
        Features::MESH_SHADER,
        "meshShader and taskShader",
        user,
    )?;
    b.capability(Capability::MeshShadingEXT);
    b.extension("SPV_EXT_mesh_shader");
    let Some(outputs) = input.entry.stage.mesh_outputs() else {
        return Ok(());
    };
    // A mesh shader without output may have no topology; SPIR-V needs one.
    let topology = match outputs.topology {
        MeshTopology::Line => ExecutionMode::OutputLinesEXT,
        MeshTopology::Triangle | MeshTopology::Undefined => ExecutionMode::OutputTrianglesEXT,
    };
    b.execution_mode(function, topology, &[]);
    b.execution_mode(
        function,
        ExecutionMode::OutputVertices,
        &[outputs.max_vertices.max(1)],
    );
    b.execution_mode(
        function,
        ExecutionMode::OutputPrimitivesEXT,
        &[outputs.max_primitives.max(1)],
    );
    Ok(())
}
