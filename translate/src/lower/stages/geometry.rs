//! Geometry shaders: vertices and strips on up to four streams, and the stage's modes.

use dxil_frontend::dxil::{InputPrimitive, OutputTopology, ShaderKind, Stage};

use crate::lower::context::{Context, Input};
use crate::lower::signatures::{inputs, output_rows, streams, views};
use crate::lower::values::LoweredValue;
use crate::options::Features;
use crate::spirv::{Builder, Capability, ExecutionMode, Id, Op};
use crate::{Error, Result};

/// Lowers `emitStream`.
pub(super) fn emit_vertex(cx: &mut Context<'_>, stream: u8) -> Result<LoweredValue> {
    // EmitVertex takes the values of all outputs, and makes them undefined after.
    output_rows::store_waiting(cx)?;
    views::write_point_size(cx);
    views::write_view_indices(cx)?;
    on_stream(
        &mut cx.b,
        &cx.input,
        stream,
        Op::EmitVertex,
        Op::EmitStreamVertex,
    )
}

/// Lowers `cutStream`.
pub(super) fn cut_strip(b: &mut Builder, input: &Input<'_>, stream: u8) -> Result<LoweredValue> {
    on_stream(b, input, stream, Op::EndPrimitive, Op::EndStreamPrimitive)
}

/// Returns the plain instruction where there is one stream, the one that names it otherwise.
fn on_stream(
    b: &mut Builder,
    input: &Input<'_>,
    stream: u8,
    plain: Op,
    named: Op,
) -> Result<LoweredValue> {
    if input.entry.kind != ShaderKind::Geometry {
        return Err(inputs::stage_unsupported(input, "a stream of vertices"));
    }
    // With one stream EmitStreamVertex would need GeometryStreams, an optional feature.
    if !streams::has_streams(input) {
        if stream != 0 {
            return Err(Error::malformed(format!("stream {stream} is not active")));
        }
        b.emit_void::<u32>(plain, &[]);
        return Ok(LoweredValue::Unset);
    }
    if stream > 3 {
        return Err(Error::malformed(format!("there is no stream {stream}")));
    }
    b.capability(Capability::GeometryStreams);
    let stream = b.const_u32(u32::from(stream));
    b.emit_void(named, &[stream]);
    Ok(LoweredValue::Unset)
}

/// Declares capability and execution modes of geometry shaders.
pub(super) fn declare_modes(b: &mut Builder, input: &Input<'_>, function: Id) -> Result<()> {
    let Stage::Geometry {
        input: primitive,
        max_vertices,
        topology,
        instances,
        ..
    } = input.entry.stage
    else {
        return Ok(());
    };
    inputs::require(
        input,
        Features::GEOMETRY,
        "geometryShader",
        "a geometry shader",
    )?;
    b.capability(Capability::Geometry);
    let primitive = match primitive {
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
    if streams::has_streams(input) {
        inputs::require(
            input,
            Features::TRANSFORM_FEEDBACK,
            "geometryStreams",
            "a stream beyond the first",
        )?;
        // Several streams are points only (D3D11.3 functional specification, 13.5.2).
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
    b.execution_mode(function, primitive, &[]);
    b.execution_mode(function, output, &[]);
    // The mode wants at least one invocation.
    b.execution_mode(function, ExecutionMode::Invocations, &[instances.max(1)]);
    b.execution_mode(function, ExecutionMode::OutputVertices, &[max_vertices]);
    Ok(())
}
