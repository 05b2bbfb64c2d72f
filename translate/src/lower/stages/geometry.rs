//! Geometry shaders: vertices and strips on up to four streams, and the stage's modes.

use dxil_frontend::dxil::{InputPrimitive, OutputTopology, ShaderKind, Stage};

use crate::lower::Lowering;
use crate::lower::context::Value;
use crate::options::Features;
use crate::spirv::{Capability, ExecutionMode, Id, Op};
use crate::{Error, Result};

impl Lowering<'_> {
    /// `emitStream`.
    pub(in crate::lower) fn emit_vertex(&mut self, stream: u8) -> Result<Value> {
        self.write_point_size();
        self.write_view_place()?;
        self.on_stream(stream, Op::EmitVertex, Op::EmitStreamVertex)
    }

    /// `cutStream`.
    pub(in crate::lower) fn cut_strip(&mut self, stream: u8) -> Result<Value> {
        self.on_stream(stream, Op::EndPrimitive, Op::EndStreamPrimitive)
    }

    /// The plain instruction where there is one stream, the one that names it otherwise.
    fn on_stream(&mut self, stream: u8, plain: Op, named: Op) -> Result<Value> {
        if self.entry.kind != ShaderKind::Geometry {
            return Err(self.stage_unsupported("a stream of vertices"));
        }
        if !self.has_streams() {
            if stream != 0 {
                return Err(Error::malformed(format!("stream {stream} is not active")));
            }
            self.b.emit_void::<u32>(plain, &[]);
            return Ok(Value::Unset);
        }
        if stream > 3 {
            return Err(Error::malformed(format!("there is no stream {stream}")));
        }
        self.b.capability(Capability::GeometryStreams);
        let stream = self.b.const_u32(u32::from(stream));
        self.b.emit_void(named, &[stream]);
        Ok(Value::Unset)
    }

    /// Capability and execution modes of geometry shaders.
    pub(in crate::lower) fn geometry_modes(&mut self, function: Id) -> Result<()> {
        let Stage::Geometry {
            input,
            max_vertices,
            topology,
            instances,
            ..
        } = self.entry.stage
        else {
            return Ok(());
        };
        self.require(Features::GEOMETRY, "geometryShader", "a geometry shader")?;
        self.b.capability(Capability::Geometry);
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
        if self.has_streams() {
            self.require(
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
        self.b.execution_mode(function, input, &[]);
        self.b.execution_mode(function, output, &[]);
        self.b
            .execution_mode(function, ExecutionMode::Invocations, &[instances.max(1)]);
        self.b
            .execution_mode(function, ExecutionMode::OutputVertices, &[max_vertices]);
        Ok(())
    }
}
