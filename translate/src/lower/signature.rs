//! Signatures of the graphics stages: how each element lives in SPIR-V, and `loadInput`,
//! `storeOutput` and the interpolation operations on top of that.
//!
//! An element without system value is a variable at location = its packed row, component = its
//! packed column, so that stages meet where D3D's linkage lets them meet. A system value is a
//! built-in. Variables are made on first use: an element that is never read is not declared.

use dxil_frontend::dxil::ops::{Callee, Opcode, decode_opcode};
use dxil_frontend::dxil::{
    ComponentType, InputPrimitive, InterpolationMode, SemanticKind, ShaderKind, SignatureElement,
    Stage,
};
use dxil_frontend::ir::{Inst, TypeId, ValueId};

use super::Lowering;
use super::context::Value;
use super::system_values::{Adjust, SystemForm, SystemValue};
use super::types::{Scalar, Shape};
use crate::options::Features;
use crate::spirv::{BuiltIn, Capability, Decoration, GLOp, Id, Op, StorageClass};
use crate::{Error, Result};

/// Which signature an element belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Direction {
    /// Inputs of the stage.
    Input,
    /// Outputs of the stage.
    Output,
    /// Patch constants, which a hull shader writes and a domain shader reads.
    Patch,
}

/// How an element lives.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    variable: Id,
    class: StorageClass,
    /// Scalar of the variable.
    scalar: Scalar,
    shape: Form,
    adjust: Adjust,
    /// There is one of it per vertex or control point.
    arrayed: bool,
}

/// What is around the scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A scalar.
    Scalar,
    /// A vector.
    Vector,
    /// An array of scalars or vectors, one per row.
    Rows {
        /// Each row is a vector.
        vectors: bool,
    },
    /// An array of scalars: row after row, from `base` on (clip and cull distances).
    Flat {
        /// First scalar.
        base: u32,
        /// Scalars per row.
        columns: u32,
    },
    /// An array of one scalar (sample mask).
    One,
}

impl Lowering<'_> {
    fn elements(&self, direction: Direction) -> &[SignatureElement] {
        match direction {
            Direction::Input => &self.entry.inputs,
            Direction::Output => &self.entry.outputs,
            Direction::Patch => &self.entry.patch_constants,
        }
    }

    /// How an element lives; makes its variable on first use.
    fn element(&mut self, direction: Direction, id: u32) -> Result<Element> {
        if let Some(&place) = self.inputs.elements.get(&(direction, id)) {
            return Ok(place);
        }
        let entry = self.entry;
        let list = match direction {
            Direction::Input => &entry.inputs,
            Direction::Output => &entry.outputs,
            Direction::Patch => &entry.patch_constants,
        };
        let element = list
            .iter()
            .find(|element| element.id == id)
            .ok_or_else(|| Error::malformed(format!("no signature element {id}")))?;
        let place = match self.system_value(direction, element)? {
            Some(value) => self.system_element(direction, element, value)?,
            None => self.user_element(direction, element)?,
        };
        self.inputs.elements.insert((direction, id), place);
        Ok(place)
    }

    /// Scalar of a component type in a signature.
    fn component_scalar(&self, component: ComponentType) -> Result<Scalar> {
        let io16 = self
            .options
            .target
            .features
            .contains(Features::INPUT_OUTPUT_16BIT);
        Ok(match component {
            ComponentType::F32 | ComponentType::SNormF32 | ComponentType::UNormF32 => Scalar::F32,
            ComponentType::F16 | ComponentType::SNormF16 | ComponentType::UNormF16 => {
                if io16 && self.types.native_half {
                    Scalar::Float {
                        bits: 16,
                        width: 16,
                    }
                } else {
                    Scalar::Float {
                        bits: 16,
                        width: 32,
                    }
                }
            }
            ComponentType::I16 | ComponentType::U16 => {
                if io16 && self.types.native_short {
                    Scalar::Int {
                        bits: 16,
                        width: 16,
                    }
                } else {
                    Scalar::U32
                }
            }
            ComponentType::I1 | ComponentType::I32 | ComponentType::U32 => Scalar::U32,
            other => {
                return Err(Error::unsupported(format!(
                    "a signature element of type {other:?}"
                )));
            }
        })
    }

    fn io_scalar_ty(&mut self, scalar: Scalar) -> Id {
        match scalar {
            Scalar::Bool => self.b.bool(),
            Scalar::Int { width, .. } => self.b.uint(width),
            Scalar::Float { width, .. } => self.b.float(width),
        }
    }

    fn class(&self, direction: Direction) -> StorageClass {
        match direction {
            Direction::Input => StorageClass::Input,
            Direction::Output => StorageClass::Output,
            Direction::Patch if self.entry.kind == ShaderKind::Hull => StorageClass::Output,
            Direction::Patch => StorageClass::Input,
        }
    }

    /// Number of vertices or control points that an element has a value for; `None` if there is
    /// just one value.
    fn vertices(&self, direction: Direction) -> Option<u32> {
        match (&self.entry.stage, direction) {
            (Stage::Geometry { input, .. }, Direction::Input) => Some(match input {
                InputPrimitive::Undefined | InputPrimitive::Point => 1,
                InputPrimitive::Line => 2,
                InputPrimitive::Triangle => 3,
                InputPrimitive::LineAdjacency => 4,
                InputPrimitive::TriangleAdjacency => 6,
                InputPrimitive::Patch(points) => u32::from(*points),
            }),
            (
                Stage::Domain {
                    input_control_points,
                    ..
                }
                | Stage::Hull {
                    input_control_points,
                    ..
                },
                Direction::Input,
            ) => Some((*input_control_points).max(1)),
            _ => None,
        }
    }

    /// Location that patch constants begin at: after the control points' own.
    fn patch_base(&self) -> u32 {
        let list = match self.entry.kind {
            ShaderKind::Hull => &self.entry.outputs,
            _ => &self.entry.inputs,
        };
        list.iter()
            .map(|element| element.start_row.unwrap_or(0) + element.rows)
            .max()
            .unwrap_or(0)
    }

    /// An element without system value.
    fn user_element(
        &mut self,
        direction: Direction,
        element: &SignatureElement,
    ) -> Result<Element> {
        let scalar = self.component_scalar(element.component)?;
        if scalar.width() == 16 {
            self.b.capability(Capability::StorageInputOutput16);
            self.b
                .extension_before(0x0001_0300, "SPV_KHR_16bit_storage");
        }
        let class = self.class(direction);
        let vectors = element.columns > 1;
        let mut ty = self.io_scalar_ty(scalar);
        ty = self.b.vector_or_scalar(ty, element.columns.clamp(1, 4));
        let rows = element.rows > 1;
        if rows {
            ty = self.b.array(ty, element.rows);
        }
        let per_vertex = direction == Direction::Input && self.is_per_vertex(element.id);
        let mut vertices = self.vertices(direction);
        if per_vertex {
            vertices = Some(3);
        }
        if let Some(count) = vertices {
            ty = self.b.array(ty, count);
        }
        let form = if rows {
            Form::Rows { vectors }
        } else if vectors {
            Form::Vector
        } else {
            Form::Scalar
        };
        let pointer = self.b.pointer(class, ty);
        let variable = self.b.global_variable(class, pointer, None);
        self.name_element(variable, element);
        let is_target = element.semantic == SemanticKind::Target;
        let location = if is_target {
            element.semantic_indices.first().copied().unwrap_or(0)
        } else {
            let base = if direction == Direction::Patch {
                self.patch_base()
            } else {
                0
            };
            base + element.start_row.unwrap_or(element.id)
        };
        self.b.decorate(variable, Decoration::Location, &[location]);
        if element.start_column != 0 && !is_target {
            self.b
                .decorate(variable, Decoration::Component, &[element.start_column]);
        }
        if scalar.is_relaxed() {
            self.b.decorate(variable, Decoration::RelaxedPrecision, &[]);
        }
        if per_vertex {
            self.b.capability(Capability::FragmentBarycentricKHR);
            self.b.extension("SPV_KHR_fragment_shader_barycentric");
            self.b.decorate(variable, Decoration::PerVertexKHR, &[]);
        } else {
            self.interpolation(direction, element, scalar, variable);
        }
        Ok(Element {
            variable,
            class,
            scalar,
            shape: form,
            adjust: Adjust::None,
            arrayed: vertices.is_some(),
        })
    }

    fn name_element(&mut self, variable: Id, element: &SignatureElement) {
        if self.options.debug_info {
            self.b.name(variable, &element.name);
        }
    }

    /// Interpolation matters between the last vertex stage and the pixel shader. Only the pixel
    /// shader's inputs carry it: outputs need not.
    fn interpolation(
        &mut self,
        direction: Direction,
        element: &SignatureElement,
        scalar: Scalar,
        variable: Id,
    ) {
        if self.entry.kind != ShaderKind::Pixel || direction != Direction::Input {
            return;
        }
        use InterpolationMode as Mode;
        let mode = element.interpolation;
        if !matches!(scalar, Scalar::Float { .. }) || mode == Mode::Constant {
            self.b.decorate(variable, Decoration::Flat, &[]);
            return;
        }
        if matches!(
            mode,
            Mode::LinearNoPerspective
                | Mode::LinearNoPerspectiveCentroid
                | Mode::LinearNoPerspectiveSample
        ) {
            self.b.decorate(variable, Decoration::NoPerspective, &[]);
        }
        match mode {
            Mode::LinearCentroid | Mode::LinearNoPerspectiveCentroid => {
                self.b.decorate(variable, Decoration::Centroid, &[]);
            }
            Mode::LinearSample | Mode::LinearNoPerspectiveSample => {
                self.b.capability(Capability::SampleRateShading);
                self.b.decorate(variable, Decoration::Sample, &[]);
            }
            Mode::Undefined | Mode::Constant | Mode::Linear | Mode::LinearNoPerspective => {}
        }
    }

    fn system_element(
        &mut self,
        direction: Direction,
        element: &SignatureElement,
        value: SystemValue,
    ) -> Result<Element> {
        let class = self.class(direction);
        let scalar_ty = self.io_scalar_ty(value.scalar);
        let (ty, form) = match value.form {
            SystemForm::Scalar => (scalar_ty, Form::Scalar),
            SystemForm::Vector(count) => (self.b.vector(scalar_ty, count), Form::Vector),
            SystemForm::Mask => (self.b.array(scalar_ty, 1), Form::One),
            SystemForm::Factors(count) => {
                let form = Form::Rows { vectors: false };
                (self.b.array(scalar_ty, count), form)
            }
            SystemForm::Distances => {
                let (base, total) = self.distances(direction, element);
                let form = Form::Flat {
                    base,
                    columns: element.columns,
                };
                (self.b.array(scalar_ty, total), form)
            }
        };
        let vertices = self.vertices(direction);
        let ty = match vertices {
            Some(count) => self.b.array(ty, count),
            None => ty,
        };
        let variable = match class {
            StorageClass::Output => self.built_in_output(value.built_in, ty),
            _ => self.built_in(value.built_in, ty),
        };
        if direction == Direction::Patch {
            self.b.decorate_once(variable, Decoration::Patch);
        }
        let integer = matches!(value.scalar, Scalar::Int { .. });
        if self.is_pixel() && direction == Direction::Input && integer {
            self.b.decorate_once(variable, Decoration::Flat);
        }
        Ok(Element {
            variable,
            class,
            scalar: value.scalar,
            shape: form,
            adjust: value.adjust,
            arrayed: vertices.is_some(),
        })
    }

    /// First scalar of an element among all clip (or cull) distances, and their number.
    fn distances(&self, direction: Direction, element: &SignatureElement) -> (u32, u32) {
        let mut base = 0;
        let mut total = 0;
        for other in self.elements(direction) {
            if other.semantic == element.semantic {
                if other.id == element.id {
                    base = total;
                }
                total += other.rows * other.columns;
            }
        }
        (base, total.max(1))
    }

    /// Pointer to one component of an element.
    fn component_pointer(&mut self, place: Element, row: ValueId, column: u8) -> Result<Id> {
        let row = self.to_u32(row)?;
        self.component_address(place, row, u32::from(column), None)
    }

    fn component_address(
        &mut self,
        place: Element,
        row: Id,
        column: u32,
        vertex: Option<Id>,
    ) -> Result<Id> {
        let ty = self.io_scalar_ty(place.scalar);
        let pointer = self.b.pointer(place.class, ty);
        let component = self.b.const_u32(column);
        let mut indices = Vec::with_capacity(3);
        if place.arrayed {
            indices.push(match vertex {
                Some(vertex) => vertex,
                None => self.b.const_u32(0),
            });
        }
        match place.shape {
            Form::Scalar if indices.is_empty() => return Ok(place.variable),
            Form::Scalar => {}
            Form::Vector => indices.push(component),
            Form::Rows { vectors } => {
                indices.push(row);
                if vectors {
                    indices.push(component);
                }
            }
            Form::Flat { base, columns } => {
                let first = self.b.u32_mul(row, columns);
                let offset = self.b.const_u32(base + column);
                indices.push(self.b.u32_add(first, offset));
            }
            Form::One => indices.push(self.b.const_u32(0)),
        }
        Ok(self.b.access_chain(pointer, place.variable, &indices))
    }

    /// `loadInput`.
    pub(super) fn load_input(
        &mut self,
        element: u32,
        row: ValueId,
        column: u8,
        ty: TypeId,
    ) -> Result<Value> {
        self.load_element(Direction::Input, element, row, column, None, ty)
    }

    /// `loadInput` of a vertex or control point, `loadPatchConstant`.
    pub(super) fn load_element(
        &mut self,
        direction: Direction,
        element: u32,
        row: ValueId,
        column: u8,
        vertex: Option<ValueId>,
        ty: TypeId,
    ) -> Result<Value> {
        let place = self.element(direction, element)?;
        let vertex = vertex.map(|vertex| self.to_u32(vertex)).transpose()?;
        let row = self.to_u32(row)?;
        let pointer = self.component_address(place, row, u32::from(column), vertex)?;
        let scalar_ty = self.io_scalar_ty(place.scalar);
        let mut id = self.b.load(scalar_ty, pointer);
        let mut scalar = place.scalar;
        match place.adjust {
            Adjust::None => {}
            Adjust::Minus(base) => {
                let base = self.b.load(scalar_ty, base);
                id = self.b.emit(Op::ISub, scalar_ty, &[id, base]);
            }
            Adjust::ReciprocalW => {
                if column == 3 {
                    let one = self.b.const_f32(1.0);
                    id = self.b.emit(Op::FDiv, scalar_ty, &[one, id]);
                }
            }
            Adjust::Bool => {
                let word = self.b.u32();
                let ones = self.b.const_u32(u32::MAX);
                let zero = self.b.const_u32(0);
                id = self.b.select(word, id, ones, zero);
                scalar = Scalar::U32;
            }
        }
        let want = self.scalar(ty)?;
        Ok(Value::Id(self.io_convert(scalar, want, id)?))
    }

    /// Between the scalar of a variable and the scalar that the code works with.
    fn io_convert(&mut self, from: Scalar, to: Scalar, id: Id) -> Result<Id> {
        if from.width() == to.width() && from != Scalar::Bool && to != Scalar::Bool {
            return Ok(match (from, to) {
                (Scalar::Int { .. }, Scalar::Float { .. })
                | (Scalar::Float { .. }, Scalar::Int { .. }) => {
                    let ty = self.io_scalar_ty(to);
                    self.b.bitcast(ty, id)
                }
                _ => id,
            });
        }
        let ty = self.io_scalar_ty(to);
        Ok(match (from, to) {
            (Scalar::Float { .. }, Scalar::Float { .. }) => self.b.emit(Op::FConvert, ty, &[id]),
            (Scalar::Int { .. }, Scalar::Int { .. }) => self.b.emit(Op::UConvert, ty, &[id]),
            (Scalar::Int { width, .. }, Scalar::Bool) => {
                let zero = self.b.const_uint(width, 0);
                self.b.emit(Op::INotEqual, ty, &[id, zero])
            }
            (Scalar::Bool, Scalar::Int { .. }) => {
                let word = self.bool_to_u32(id);
                self.resize_uint(word, 32, to.width())
            }
            _ => {
                return Err(Error::malformed(
                    "a signature element and its access have different types",
                ));
            }
        })
    }

    /// `storeOutput`.
    pub(super) fn store_output(
        &mut self,
        element: u32,
        row: ValueId,
        column: u8,
        value: ValueId,
    ) -> Result<Value> {
        let place = self.element(Direction::Output, element)?;
        let shape = self.shape_of(value)?;
        let mut id = self.id(value)?;
        if let Scalar::Int { bits: 16, width } = shape.scalar
            && place.scalar.width() == 32
        {
            // Whoever reads it may look at all 32 bits.
            id = self.sign_extend(shape, id)?;
            if width == 16 {
                let ty = self.b.u32();
                id = self.b.emit(Op::SConvert, ty, &[id]);
            }
        } else {
            id = self.io_convert(shape.scalar, place.scalar, id)?;
        }
        let pointer = self.component_pointer(place, row, column)?;
        self.b.store(pointer, id);
        Ok(Value::Unset)
    }

    /// Interpolation at another place than the declared one: the function and its extra operand.
    pub(super) fn interpolate(
        &mut self,
        op: GLOp,
        element: u32,
        row: ValueId,
        column: u8,
        at: Option<Id>,
        ty: TypeId,
    ) -> Result<Value> {
        let place = self.element(Direction::Input, element)?;
        let flat = self
            .entry
            .inputs
            .iter()
            .any(|e| e.id == element && e.interpolation == InterpolationMode::Constant);
        if flat || !matches!(place.scalar, Scalar::Float { .. }) {
            return self.load_input(element, row, column, ty);
        }
        self.b.capability(Capability::InterpolationFunction);
        let pointer = self.component_pointer(place, row, column)?;
        let scalar_ty = self.io_scalar_ty(place.scalar);
        let id = match at {
            Some(at) => self.b.glsl(op, scalar_ty, &[pointer, at]),
            None => self.b.glsl(op, scalar_ty, &[pointer]),
        };
        let want = self.scalar(ty)?;
        Ok(Value::Id(self.io_convert(place.scalar, want, id)?))
    }

    /// Offset of `EvalSnapped`: sixteenths of a pixel, -8 to 7, from the pixel's centre.
    pub(super) fn snapped_offset(&mut self, x: ValueId, y: ValueId) -> Result<Id> {
        let float = self.b.f32();
        let int_shape = Shape::scalar(Scalar::Int { bits: 4, width: 32 });
        let mut offsets = [Id::NONE; 2];
        for (offset, value) in offsets.iter_mut().zip([x, y]) {
            let id = self.id(value)?;
            // Four bits, signed.
            let id = self.sign_extend(int_shape, id)?;
            let id = self.b.emit(Op::ConvertSToF, float, &[id]);
            let scale = self.b.const_f32(1.0 / 16.0);
            *offset = self.b.emit(Op::FMul, float, &[id, scale]);
        }
        let pair = self.b.vector(float, 2);
        Ok(self.b.construct(pair, &offsets))
    }

    /// `attributeAtVertex`.
    pub(super) fn attribute_at_vertex(
        &mut self,
        element: u32,
        row: ValueId,
        column: u8,
        vertex: u8,
        ty: TypeId,
    ) -> Result<Value> {
        self.require(
            Features::BARYCENTRICS,
            "fragmentShaderBarycentric",
            "GetAttributeAtVertex",
        )?;
        let place = self.element(Direction::Input, element)?;
        let row = self.to_u32(row)?;
        let vertex = self.b.const_u32(u32::from(vertex.min(2)));
        let pointer = self.component_address(place, row, u32::from(column), Some(vertex))?;
        let scalar_ty = self.io_scalar_ty(place.scalar);
        let id = self.b.load(scalar_ty, pointer);
        let want = self.scalar(ty)?;
        Ok(Value::Id(self.io_convert(place.scalar, want, id)?))
    }

    /// Finds the inputs that are read by `attributeAtVertex`: they are declared per vertex. Runs
    /// over all functions before the first is lowered.
    pub(super) fn find_per_vertex_inputs(&mut self) {
        if !self.is_pixel() || self.shader.shader_model.minor == 0 {
            return;
        }
        let function = self.view.function;
        for data in function.insts.values() {
            let Inst::Call { callee, args, .. } = data.inst else {
                continue;
            };
            let is_op = self
                .view
                .as_function(callee)
                .is_some_and(|id| matches!(self.shader.callees[id], Callee::DxOp(_)));
            let args = function.values_of(args);
            if is_op
                && let (Ok(Opcode::AttributeAtVertex), Some(&element)) =
                    (decode_opcode(self.view, args), args.get(1))
                && let Some(element) = self.constant_int(element)
            {
                self.inputs.per_vertex.push(element as u32);
            }
        }
    }

    /// Whether an input is read by `attributeAtVertex`.
    fn is_per_vertex(&self, element: u32) -> bool {
        self.inputs.per_vertex.contains(&element)
    }

    /// A `uint` system value that an operation of its own reads.
    pub(super) fn system_input(&mut self, built_in: BuiltIn, capability: Capability) -> Value {
        self.b.capability(capability);
        let ty = self.b.u32();
        let variable = self.built_in(built_in, ty);
        if self.is_pixel() {
            self.b.decorate_once(variable, Decoration::Flat);
        }
        Value::Id(self.b.load(ty, variable))
    }

    /// Samples that this pixel covers.
    pub(super) fn coverage(&mut self) -> Value {
        let word = self.b.u32();
        let ty = self.b.array(word, 1);
        let variable = self.built_in(BuiltIn::SampleMask, ty);
        self.b.decorate_once(variable, Decoration::Flat);
        let pointer = self.b.pointer(StorageClass::Input, word);
        let zero = self.b.const_u32(0);
        let address = self.b.access_chain(pointer, variable, &[zero]);
        Value::Id(self.b.load(word, address))
    }

    /// Whether the pixel is covered completely: 1 or 0.
    pub(super) fn inner_coverage(&mut self) -> Value {
        self.b.capability(Capability::FragmentFullyCoveredEXT);
        self.b.extension("SPV_EXT_fragment_fully_covered");
        let ty = self.b.bool();
        let variable = self.built_in(BuiltIn::FullyCoveredEXT, ty);
        let covered = self.b.load(ty, variable);
        Value::Id(self.bool_to_u32(covered))
    }
}
