//! Geometry shaders: vertices and strips on up to four streams, and the stage's modes.

use dxil_frontend::dxil::{InputPrimitive, OutputTopology, ShaderKind, Stage};

use crate::lower::context::Context;
use crate::lower::signatures::{inputs, output_rows, streams, views};
use crate::lower::values::Value;
use crate::options::Features;
use crate::spirv::{Capability, ExecutionMode, Id, Op};
use crate::{Error, Result};

/// Lowers `emitStream`.
pub(super) fn emit_vertex(cx: &mut Context<'_>, stream: u8) -> Result<Value> {
    output_rows::store_waiting(cx)?;
    views::write_point_size(cx);
    views::write_view_place(cx)?;
    on_stream(cx, stream, Op::EmitVertex, Op::EmitStreamVertex)
}

/// Lowers `cutStream`.
pub(super) fn cut_strip(cx: &mut Context<'_>, stream: u8) -> Result<Value> {
    on_stream(cx, stream, Op::EndPrimitive, Op::EndStreamPrimitive)
}

/// Returns the plain instruction where there is one stream, the one that names it otherwise.
fn on_stream(cx: &mut Context<'_>, stream: u8, plain: Op, named: Op) -> Result<Value> {
    if cx.input.entry.kind != ShaderKind::Geometry {
        return Err(inputs::stage_unsupported(&cx.input, "a stream of vertices"));
    }
    if !streams::has_streams(&cx.input) {
        if stream != 0 {
            return Err(Error::malformed(format!("stream {stream} is not active")));
        }
        cx.b.emit_void::<u32>(plain, &[]);
        return Ok(Value::Unset);
    }
    if stream > 3 {
        return Err(Error::malformed(format!("there is no stream {stream}")));
    }
    cx.b.capability(Capability::GeometryStreams);
    let stream = cx.b.const_u32(u32::from(stream));
    cx.b.emit_void(named, &[stream]);
    Ok(Value::Unset)
}

/// Capability and execution modes of geometry shaders.
pub(super) fn declare_modes(cx: &mut Context<'_>, function: Id) -> Result<()> {
    let Stage::Geometry {
        input,
        max_vertices,
        topology,
        instances,
        ..
    } = cx.input.entry.stage
    else {
        return Ok(());
    };
    inputs::require(
        &cx.input,
        Features::GEOMETRY,
        "geometryShader",
        "a geometry shader",
    )?;
    cx.b.capability(Capability::Geometry);
    let input = match input {
        InputPrimitive::Point => ExecutionMode::InputPoints,
        InputPrimitive::Line => ExecutionMode::InputLines,
        InputPrimitive::Triangle => ExecutionMode::Triangles,
        InputPrimitive::LineAdjacency => ExecutionMode::InputLinesAdjacency,
        InputPrimitive::TriangleAdjacency => ExecutionMode::InputTrianglesAdjacency,
        InputPrimitive::Undefined => {
            return Err(Error::unsupported(
                "a geometry shader without input primitive",
            ));
        }
        InputPrimitive::Patch(_) => {
            return Err(Error::unsupported(
                "a geometry shader of patches, which Vulkan has no topology for",
            ));
        }
    };
    if streams::has_streams(&cx.input) {
        inputs::require(
            &cx.input,
            Features::TRANSFORM_FEEDBACK,
            "geometryStreams",
            "a stream beyond the first",
        )?;
        if topology != OutputTopology::PointList {
            return Err(Error::malformed("several streams of anything but points"));
        }
    }
    let output = match topology {
        OutputTopology::PointList => ExecutionMode::OutputPoints,
        OutputTopology::LineList | OutputTopology::LineStrip => ExecutionMode::OutputLineStrip,
        OutputTopology::Undefined
        | OutputTopology::TriangleList
        | OutputTopology::TriangleStrip => ExecutionMode::OutputTriangleStrip,
    };
    cx.b.execution_mode(function, input, &[]);
    cx.b.execution_mode(function, output, &[]);
    cx.b.execution_mode(function, ExecutionMode::Invocations, &[instances.max(1)]);
    cx.b.execution_mode(function, ExecutionMode::OutputVertices, &[max_vertices]);
    Ok(())
}
