//! Mesh shaders: counts, indices, the payload they are given, and the modes of the stages with
//! thread groups that end in rasterization (SPV_EXT_mesh_shader).

use dxil_frontend::dxil::ops::calls;
use dxil_frontend::dxil::{MeshTopology, ShaderKind, Stage};

use crate::lower::Lowering;
use crate::lower::context::{Call, Value};
use crate::lower::signatures::elements::{Direction, Element, Form};
use crate::options::Features;
use crate::spirv::{BuiltIn, Capability, ExecutionMode, GLOp, Id, Op, StorageClass};
use crate::{Assumption, Error, ErrorKind, Quirks, Result};

/// Components of one row of one vertex's (or primitive's) output, gathered into one store. Lavapipe
/// loses components that are stored one by one, and other drivers have less to do.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Waiting {
    place: Element,
    row: Id,
    vertex: Id,
    /// Components that are there.
    values: [Id; 4],
}

impl Lowering<'_> {
    /// Whether the stage runs in thread groups.
    pub(in crate::lower) fn has_groups(&self) -> bool {
        matches!(
            self.entry.kind,
            ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification | ShaderKind::Node
        )
    }

    /// `setMeshOutputCounts`.
    pub(in crate::lower) fn set_mesh_output_counts(
        &mut self,
        op: &calls::SetMeshOutputCounts,
    ) -> Result<Value> {
        self.mesh_topology()?;
        let vertices = self.to_u32(op.vertex_count)?;
        let primitives = self.to_u32(op.primitive_count)?;
        let [vertices, primitives] = self.checked_counts(op, vertices, primitives)?;
        self.b
            .emit_void(Op::SetMeshOutputsEXT, &[vertices, primitives]);
        self.write_primitives_view_place(primitives)?;
        Ok(Value::Unset)
    }

    /// The counts, or none if either is more than the shader declares, where the code has to see to it.
    /// Elsewhere a constant that is more is malformed.
    fn checked_counts(
        &mut self,
        op: &calls::SetMeshOutputCounts,
        vertices: Id,
        primitives: Id,
    ) -> Result<[Id; 2]> {
        let Stage::Mesh {
            max_vertices,
            max_primitives,
            ..
        } = self.entry.stage
        else {
            return Ok([vertices, primitives]);
        };
        self.assume_at_most(vertices, max_vertices, Assumption::MeshVertices);
        self.assume_at_most(primitives, max_primitives, Assumption::MeshPrimitives);
        if !self.has_quirk(Quirks::MESH_COUNTS_CHECKED) {
            for (count, most) in [
                (op.vertex_count, max_vertices),
                (op.primitive_count, max_primitives),
            ] {
                if let Some(count) = self.view.constant_int(count)
                    && count > u64::from(most)
                {
                    return Err(Error::malformed(format!(
                        "a mesh shader of at most {most} vertices or primitives sets {count}"
                    )));
                }
            }
            return Ok([vertices, primitives]);
        }
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let fits = [(vertices, max_vertices), (primitives, max_primitives)].map(|(count, most)| {
            let most = self.b.const_u32(most);
            self.b.emit(Op::ULessThanEqual, bool_ty, &[count, most])
        });
        let fits = self.b.emit(Op::LogicalAnd, bool_ty, &fits);
        let zero = self.b.const_u32(0);
        Ok([vertices, primitives].map(|count| self.b.select(word, fits, count, zero)))
    }

    /// The index of a vertex (or, of a primitive's outputs, primitive), as [`Self::checked_index`].
    pub(in crate::lower) fn checked_output(&mut self, direction: Direction, index: Id) -> Id {
        match self.entry.stage {
            Stage::Mesh { max_vertices, .. } if direction == Direction::Output => {
                self.checked_index(index, max_vertices)
            }
            Stage::Mesh { max_primitives, .. } => self.checked_index(index, max_primitives),
            _ => index,
        }
    }

    /// The index of a vertex or primitive, within what is declared where that is checked.
    fn checked_index(&mut self, index: Id, count: u32) -> Id {
        if !self.has_quirk(Quirks::MESH_COUNTS_CHECKED) {
            return index;
        }
        let word = self.b.u32();
        let last = self.b.const_u32(count.max(1) - 1);
        self.b.glsl(GLOp::UMin, word, &[index, last])
    }

    /// Stores a component of one vertex's or primitive's output, as soon as its row is complete.
    pub(in crate::lower) fn store_arrayed(
        &mut self,
        place: Element,
        row: Id,
        column: u32,
        vertex: Id,
        value: Id,
    ) -> Result<Value> {
        if !matches!(place.shape, Form::Vector | Form::Rows { vectors: true }) {
            let pointer = self.component_address(place, row, column, Some(vertex))?;
            self.b.store(pointer, value);
            return Ok(Value::Unset);
        }
        let slot = column.min(3) as usize;
        let goes_on = self.inputs.waiting.is_some_and(|waiting| {
            (waiting.place.variable, waiting.row, waiting.vertex) == (place.variable, row, vertex)
                && waiting.values[slot].is_none()
        });
        if !goes_on {
            self.store_waiting()?;
        }
        let mut waiting = self.inputs.waiting.take().unwrap_or(Waiting {
            place,
            row,
            vertex,
            values: [Id::NONE; 4],
        });
        waiting.values[slot] = value;
        self.inputs.waiting = Some(waiting);
        if waiting.values[..place.columns as usize]
            .iter()
            .all(|value| !value.is_none())
        {
            self.store_waiting()?;
        }
        Ok(Value::Unset)
    }

    /// Stores the components that wait. No block ends without.
    pub(in crate::lower) fn store_waiting(&mut self) -> Result<()> {
        let Some(waiting) = self.inputs.waiting.take() else {
            return Ok(());
        };
        let Waiting {
            place, row, vertex, ..
        } = waiting;
        let values = &waiting.values[..place.columns as usize];
        if values.iter().all(|value| !value.is_none()) {
            let scalar = self.io_scalar_ty(place.scalar);
            let vector = self.b.vector(scalar, place.columns);
            let pointer_ty = self.b.pointer(place.class, vector);
            let mut indices = vec![vertex];
            if matches!(place.shape, Form::Rows { .. }) {
                indices.push(row);
            }
            let pointer = self.b.access_chain(pointer_ty, place.variable, &indices);
            let whole = self.b.construct(vector, values);
            self.b.store(pointer, whole);
            return Ok(());
        }
        for (column, &value) in (0_u32..).zip(values) {
            if !value.is_none() {
                let pointer = self.component_address(place, row, column, Some(vertex))?;
                self.b.store(pointer, value);
            }
        }
        Ok(())
    }

    /// `emitIndices`: the vertices of one primitive.
    pub(in crate::lower) fn emit_indices(&mut self, op: &calls::EmitIndices) -> Result<Value> {
        let Stage::Mesh { max_primitives, .. } = self.entry.stage else {
            return Err(self.stage_unsupported("EmitIndices"));
        };
        let (built_in, corners) = match self.mesh_topology()? {
            MeshTopology::Line => (BuiltIn::PrimitiveLineIndicesEXT, 2),
            MeshTopology::Triangle | MeshTopology::Undefined => {
                (BuiltIn::PrimitiveTriangleIndicesEXT, 3)
            }
        };
        let word = self.b.u32();
        let indices_ty = self.b.vector(word, corners);
        let array = self.b.array(indices_ty, max_primitives.max(1));
        let variable = self.built_in_output(built_in, array);
        let primitive = self.to_u32(op.primitive_index)?;
        let primitive = self.checked_index(primitive, max_primitives);
        let mut indices = Vec::with_capacity(3);
        for &vertex in op.vertices.iter().take(corners as usize) {
            indices.push(self.to_u32(vertex)?);
        }
        let value = self.b.construct(indices_ty, &indices);
        let pointer_ty = self.b.pointer(StorageClass::Output, indices_ty);
        let pointer = self.b.access_chain(pointer_ty, variable, &[primitive]);
        self.b.store(pointer, value);
        Ok(Value::Unset)
    }

    /// `getMeshPayload`: the address of what the amplification shader wrote.
    pub(in crate::lower) fn mesh_payload(&mut self, call: &Call) -> Result<Value> {
        if self.entry.kind != ShaderKind::Mesh {
            return Err(self.stage_unsupported("GetMeshPayload"));
        }
        if let Some(payload) = self.payload.received {
            return Ok(Value::Pointer(payload));
        }
        let types = &self.view.module.types;
        let (Some(root), Some(ty)) = (call.result, types.pointee(call.ty)) else {
            return Err(Error::malformed("GetMeshPayload gives no pointer"));
        };
        let payload = self.variable(root, ty, StorageClass::TaskPayloadWorkgroupEXT, None)?;
        self.payload.received = Some(payload);
        Ok(Value::Pointer(payload))
    }

    fn mesh_topology(&self) -> Result<MeshTopology> {
        match self.entry.stage {
            Stage::Mesh { topology, .. } => Ok(topology),
            _ => Err(self.stage_unsupported("an output of mesh shaders")),
        }
    }

    /// Capability and execution modes of mesh and amplification shaders.
    pub(in crate::lower) fn mesh_modes(&mut self, function: Id) -> Result<()> {
        let user = match self.entry.kind {
            ShaderKind::Mesh => "a mesh shader",
            ShaderKind::Amplification => "an amplification shader",
            _ => return Ok(()),
        };
        self.require(Features::MESH_SHADER, "meshShader and taskShader", user)?;
        if self.b.version() < 0x0001_0400 {
            return Err(Error::new(ErrorKind::TargetLacks {
                feature: "SPIR-V 1.4",
                user: user.to_owned(),
            }));
        }
        self.b.capability(Capability::MeshShadingEXT);
        self.b.extension("SPV_EXT_mesh_shader");
        let Stage::Mesh {
            max_vertices,
            max_primitives,
            topology,
            ..
        } = self.entry.stage
        else {
            return Ok(());
        };
        // A mesh shader that never draws may leave its topology open; SPIR-V needs one.
        let topology = match topology {
            MeshTopology::Line => ExecutionMode::OutputLinesEXT,
            MeshTopology::Triangle | MeshTopology::Undefined => ExecutionMode::OutputTrianglesEXT,
        };
        self.b.execution_mode(function, topology, &[]);
        self.b.execution_mode(
            function,
            ExecutionMode::OutputVertices,
            &[max_vertices.max(1)],
        );
        self.b.execution_mode(
            function,
            ExecutionMode::OutputPrimitivesEXT,
            &[max_primitives.max(1)],
        );
        Ok(())
    }
}
