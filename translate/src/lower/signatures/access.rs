//! Reading and writing signature elements: `loadInput`, `storeOutput` and their relatives, and the
//! interpolation operations.

use dxil_frontend::dxil::ops::{Opcode, decode_opcode, op_arguments};
use dxil_frontend::dxil::{InterpolationMode, SemanticKind};
use dxil_frontend::ir::{TypeId, ValueId};
use smallvec::SmallVec;

use super::elements::{Direction, Element, Form};
use super::system_values::Adjust;
use crate::lower::Lowering;
use crate::lower::context::Value;
use crate::lower::types::{Scalar, Shape};
use crate::options::Features;
use crate::spirv::{Capability, GLOp, Id, Op, StorageClass};
use crate::{Error, Quirks, Result};

impl Lowering<'_> {
    /// Pointer to one component of an element. A hull shader's outputs are those of its own control
    /// point unless `vertex` says otherwise.
    pub(in crate::lower) fn component_address(
        &mut self,
        place: Element,
        row: Id,
        column: u32,
        vertex: Option<Id>,
    ) -> Result<Id> {
        let ty = self.io_scalar_ty(place.scalar);
        let pointer = self.b.pointer(place.class, ty);
        let component = self.b.const_u32(column);
        let mut indices: SmallVec<[Id; 4]> = SmallVec::new();
        if place.arrayed {
            indices.push(match vertex {
                Some(vertex) => vertex,
                None if place.class == StorageClass::Output => self.output_control_point_id()?,
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
                let offset = self.b.const_u32(base.saturating_add(column));
                indices.push(self.b.u32_add(first, offset));
            }
            Form::One => indices.push(self.b.const_u32(0)),
        }
        Ok(self.b.access_chain(pointer, place.variable, &indices))
    }

    /// `loadInput`.
    pub(in crate::lower) fn load_input(
        &mut self,
        element: u32,
        row: ValueId,
        column: u8,
        ty: TypeId,
    ) -> Result<Value> {
        self.load_element(Direction::Input, element, row, column, None, ty)
    }

    /// `loadInput` of a vertex or control point, `loadPatchConstant`.
    pub(in crate::lower) fn load_element(
        &mut self,
        direction: Direction,
        element: u32,
        row: ValueId,
        column: u8,
        vertex: Option<ValueId>,
        ty: TypeId,
    ) -> Result<Value> {
        if self.ignores(direction, element) {
            let shape = self.shape(ty)?;
            return Ok(Value::Id(self.const_int(shape, 0)?));
        }
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
    pub(in crate::lower) fn store_output(
        &mut self,
        element: u32,
        row: ValueId,
        column: u8,
        value: ValueId,
    ) -> Result<Value> {
        self.store_element(Direction::Output, element, row, column, value, None)
    }

    /// Stores one component of an output or patch constant, and of whatever copies it has. A mesh
    /// shader says which vertex or primitive it is of.
    pub(in crate::lower) fn store_element(
        &mut self,
        direction: Direction,
        element: u32,
        row: ValueId,
        column: u8,
        value: ValueId,
        vertex: Option<ValueId>,
    ) -> Result<Value> {
        if self.ignores(direction, element) {
            return Ok(Value::Unset);
        }
        let place = self.element(direction, element)?;
        let vertex = vertex.map(|vertex| self.to_u32(vertex)).transpose()?;
        let vertex = vertex.map(|vertex| self.checked_output(direction, vertex));
        let row = self.to_u32(row)?;
        if direction == Direction::Output {
            self.store_copies(element, row, column, value)?;
        }
        let mut id = self.output_value(value, place.scalar)?;
        if direction == Direction::Output {
            id = self.add_view_offset(place, id)?;
        }
        if direction == Direction::Patch {
            id = self.limited_factor(element, place.scalar, id);
        }
        if direction == Direction::Output && self.swizzle_of(element).is_some() {
            return self.store_swizzled(place, element, row, column, id);
        }
        if let Some(vertex) = vertex {
            return self.store_arrayed(place, row, u32::from(column), vertex, id);
        }
        let pointer = self.component_address(place, row, u32::from(column), None)?;
        self.b.store(pointer, id);
        Ok(Value::Unset)
    }

    /// Whether the caller has an element of the signature left out.
    fn ignores(&self, direction: Direction, element: u32) -> bool {
        let entry = self.entry;
        let list = match direction {
            Direction::Input => &entry.inputs,
            Direction::Output => &entry.outputs,
            Direction::Patch => &entry.patch_constants,
        };
        self.has_quirk(Quirks::NO_SHADING_RATE)
            && list
                .iter()
                .any(|e| e.id == element && e.semantic == SemanticKind::ShadingRate)
    }

    /// How the components of a render target are permuted, if they are.
    pub(in crate::lower) fn swizzle_of(&self, element: u32) -> Option<[u8; 4]> {
        let swizzles = &self.options.signature.output_swizzles;
        if swizzles.is_empty() || !self.is_pixel() {
            return None;
        }
        let mut outputs = self.entry.outputs.iter();
        let element = outputs.find(|e| e.id == element && e.semantic == SemanticKind::Target)?;
        let target = element.semantic_indices.first().copied().unwrap_or(0);
        let swizzle = swizzles.get(target as usize).copied();
        swizzle.filter(|&swizzle| swizzle != [0, 1, 2, 3])
    }

    /// Stores a component wherever the swizzle takes it.
    fn store_swizzled(
        &mut self,
        place: Element,
        element: u32,
        row: Id,
        column: u8,
        id: Id,
    ) -> Result<Value> {
        let swizzle = self.swizzle_of(element).unwrap_or([0, 1, 2, 3]);
        for (to, from) in (0..).zip(swizzle) {
            if from == column {
                let pointer = self.component_address(place, row, to, None)?;
                self.b.store(pointer, id);
            }
        }
        Ok(Value::Unset)
    }

    /// A value as the scalar of an output variable.
    pub(in crate::lower) fn output_value(&mut self, value: ValueId, scalar: Scalar) -> Result<Id> {
        let shape = self.shape_of(value)?;
        let id = self.id(value)?;
        if let Scalar::Int { bits: 16, width } = shape.scalar
            && scalar.width() == 32
        {
            // Whoever reads it may look at all 32 bits.
            let id = self.sign_extend(shape, id)?;
            if width == 16 {
                let ty = self.b.u32();
                return Ok(self.b.emit(Op::SConvert, ty, &[id]));
            }
            return Ok(id);
        }
        self.io_convert(shape.scalar, scalar, id)
    }

    /// Copies one vertex's whole value of an element to another element of the same type.
    pub(in crate::lower) fn copy_element(
        &mut self,
        (from_direction, from): (Direction, u32),
        (to_direction, to): (Direction, u32),
        vertex: Id,
    ) -> Result<()> {
        let from = self.element(from_direction, from)?;
        let to = self.element(to_direction, to)?;
        if (from.ty, from.arrayed) != (to.ty, to.arrayed) {
            return Err(Error::malformed(
                "a control point is passed through to one of another type",
            ));
        }
        let mut addresses = [from, to].map(|place| (place.variable, place.class));
        if from.arrayed {
            for (variable, class) in &mut addresses {
                let pointer = self.b.pointer(*class, from.ty);
                *variable = self.b.access_chain(pointer, *variable, &[vertex]);
            }
        }
        let value = self.b.load(from.ty, addresses[0].0);
        self.b.store(addresses[1].0, value);
        Ok(())
    }

    /// Interpolation at another place than the declared one: the function and its extra operand.
    pub(in crate::lower) fn interpolate(
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
        if self.is_portable() {
            return Err(Error::unsupported(
                "an Evaluate function in portable SPIR-V",
            ));
        }
        self.b.capability(Capability::InterpolationFunction);
        self.require_sample_rate("an Evaluate function")?;
        let row = self.to_u32(row)?;
        let pointer = self.component_address(place, row, u32::from(column), None)?;
        let scalar_ty = self.io_scalar_ty(place.scalar);
        let id = match at {
            Some(at) => self.b.glsl(op, scalar_ty, &[pointer, at]),
            None => self.b.glsl(op, scalar_ty, &[pointer]),
        };
        let want = self.scalar(ty)?;
        Ok(Value::Id(self.io_convert(place.scalar, want, id)?))
    }

    /// Offset of `EvalSnapped`: sixteenths of a pixel, -8 to 7, from the pixel's centre.
    pub(in crate::lower) fn snapped_offset(&mut self, x: ValueId, y: ValueId) -> Result<Id> {
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
    pub(in crate::lower) fn attribute_at_vertex(
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
    pub(in crate::lower) fn find_per_vertex_inputs(&mut self) {
        if !self.is_pixel() || self.shader.shader_model.minor == 0 {
            return;
        }
        let function = self.view.function;
        for data in function.insts.values() {
            if let Some(args) = op_arguments(self.view, &self.shader.callees, &data.inst)
                && let (Ok(Opcode::AttributeAtVertex), Some(&element)) =
                    (decode_opcode(self.view, args), args.get(1))
                && let Some(element) = self.constant_int(element)
            {
                self.inputs.per_vertex.push(element as u32);
            }
        }
    }

    /// Whether an input is read by `attributeAtVertex`.
    pub(in crate::lower) fn is_per_vertex(&self, element: u32) -> bool {
        self.inputs.per_vertex.contains(&element)
    }
}
