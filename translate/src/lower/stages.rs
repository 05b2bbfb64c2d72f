//! Geometry and domain shaders: what they emit and read beyond their signatures, and their modes.

use dxil_frontend::dxil::{DomainShape, InputPrimitive, OutputTopology, Stage};

use super::Lowering;
use super::context::Value;
use crate::spirv::{BuiltIn, Capability, ExecutionMode, Id, Op, StorageClass};
use crate::{Error, Result};

impl Lowering<'_> {
    /// `emitStream` and `cutStream`.
    pub(super) fn emit_vertex(&mut self, stream: u8, op: Op) -> Result<Value> {
        if stream != 0 {
            return Err(Error::unsupported("geometry streams beyond the first"));
        }
        self.b.emit_void::<u32>(op, &[]);
        Ok(Value::Unset)
    }

    /// `domainLocation`.
    pub(super) fn domain_location(&mut self, component: u8) -> Value {
        let float = self.b.f32();
        let vector = self.b.vector(float, 3);
        let variable = self.built_in(BuiltIn::TessCoord, vector);
        let pointer = self.b.pointer(StorageClass::Input, float);
        let index = self.b.const_u32(u32::from(component.min(2)));
        let address = self.b.access_chain(pointer, variable, &[index]);
        Value::Id(self.b.load(float, address))
    }

    /// Capability and execution modes of geometry shaders.
    pub(super) fn geometry_modes(&mut self, function: Id) -> Result<()> {
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
        self.b.capability(Capability::Geometry);
        let input = match input {
            InputPrimitive::Point => ExecutionMode::InputPoints,
            InputPrimitive::Line => ExecutionMode::InputLines,
            InputPrimitive::Triangle => ExecutionMode::Triangles,
            InputPrimitive::LineAdjacency => ExecutionMode::InputLinesAdjacency,
            InputPrimitive::TriangleAdjacency => ExecutionMode::InputTrianglesAdjacency,
            InputPrimitive::Undefined | InputPrimitive::Patch(_) => {
                return Err(Error::unsupported("patches as input of a geometry shader"));
            }
        };
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

    /// Capability and execution modes of domain shaders. Spacing and winding are the hull shader's
    /// in D3D; SPIR-V lets it say them, too.
    pub(super) fn domain_modes(&mut self, function: Id) {
        let Stage::Domain { domain, .. } = self.entry.stage else {
            return;
        };
        self.b.capability(Capability::Tessellation);
        let mode = match domain {
            DomainShape::IsoLine => ExecutionMode::Isolines,
            DomainShape::Tri => ExecutionMode::Triangles,
            DomainShape::Undefined | DomainShape::Quad => ExecutionMode::Quads,
        };
        self.b.execution_mode(function, mode, &[]);
    }
}
