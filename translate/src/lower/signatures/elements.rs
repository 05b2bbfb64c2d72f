//! Signatures of the graphics stages: how each element lives in SPIR-V. What reads and writes them
//! is in [`super::access`].
//!
//! An element without system value is a variable at location = its packed row, component = its
//! packed column, so that stages meet where D3D's linkage lets them meet. A system value is a
//! built-in. Variables are made on first use: an element that is never read is not declared.
//! `SignatureOptions` can move elements to other places.

use std::ops::Range;

use dxil_frontend::dxil::{
    ComponentType, InputPrimitive, InterpolationMode, SemanticKind, ShaderKind, SignatureElement,
    Stage,
};

use super::semantic_table::may_hold;
use super::system_values::{Adjust, SystemForm, SystemValue};
use crate::lower::Lowering;
use crate::lower::types::Scalar;
use crate::options::Features;
use crate::spirv::{Capability, Decoration, Id, StorageClass};
use crate::{Error, Result, SignatureKind};

/// Which signature an element belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::lower) enum Direction {
    /// Inputs of the stage.
    Input,
    /// Outputs of the stage.
    Output,
    /// Patch constants, which a hull shader writes and a domain shader reads; a mesh shader's
    /// outputs per primitive.
    Patch,
}

/// How an element lives.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Element {
    pub(in crate::lower) variable: Id,
    pub(in crate::lower) class: StorageClass,
    /// Scalar of the variable.
    pub(in crate::lower) scalar: Scalar,
    /// Type of one vertex's value.
    pub(in crate::lower) ty: Id,
    pub(in crate::lower) shape: Form,
    /// Components of a row, 1 to 4.
    pub(in crate::lower) columns: u32,
    pub(in crate::lower) adjust: Adjust,
    /// There is one of it per vertex or control point.
    pub(in crate::lower) arrayed: bool,
}

/// What is around the scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Form {
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

/// The variables of an element's rows, where the whole cannot be one variable of its type.
#[derive(Debug)]
pub(in crate::lower) struct RowVariables {
    /// Which way they go.
    pub(in crate::lower) direction: Direction,
    /// What the shader's own code reads or writes.
    pub(in crate::lower) inner: Id,
    /// Whether that is an array of rows, or the only row.
    pub(in crate::lower) is_array: bool,
    /// Type of a row.
    pub(in crate::lower) row_ty: Id,
    /// Type of the variable of a row: that, or the same with a sign.
    pub(in crate::lower) outer_ty: Id,
    /// One per row.
    pub(in crate::lower) variables: Vec<Id>,
}

/// Where an element without system value lives.
struct Place {
    location: u32,
    component: u32,
    /// Index of a colour at that location, for dual-source blending.
    blend_index: Option<u32>,
    per_primitive: bool,
}

/// One past the last row that the elements take.
pub(in crate::lower) fn rows_of<'a>(
    elements: impl IntoIterator<Item = &'a SignatureElement>,
) -> u32 {
    elements
        .into_iter()
        .map(|element| {
            let first = element.start_row.unwrap_or(0);
            first.saturating_add(element.rows)
        })
        .max()
        .unwrap_or(0)
}

/// Components that a signature's element takes.
#[derive(Debug)]
pub(in crate::lower) struct Claim {
    /// Whose locations; of two sources of a blend.
    space: (Direction, Option<u32>),
    locations: std::ops::Range<u32>,
    /// Bit per component.
    components: u32,
}

impl Lowering<'_> {
    pub(in crate::lower) fn elements(&self, direction: Direction) -> &[SignatureElement] {
        match direction {
            Direction::Input => &self.entry.inputs,
            Direction::Output => &self.entry.outputs,
            Direction::Patch => &self.entry.patch_constants,
        }
    }

    /// How an element lives; makes its variable on first use.
    pub(in crate::lower) fn element(&mut self, direction: Direction, id: u32) -> Result<Element> {
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
        if !may_hold(entry.kind, direction, element.semantic) {
            return Err(Error::malformed(format!(
                "{:?} in the {direction:?} signature of a {} shader",
                element.semantic,
                entry.kind.prefix()
            )));
        }
        let place = match self.system_value(direction, element)? {
            Some(value) => self.system_element(direction, element, value)?,
            None => self.user_element(direction, element)?,
        };
        self.inputs.elements.insert((direction, id), place);
        if direction == Direction::Output {
            self.pass_on_as_data(element)?;
        }
        Ok(place)
    }

    /// Scalar of a component type in a signature.
    pub(in crate::lower) fn component_scalar(&self, component: ComponentType) -> Result<Scalar> {
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

    pub(in crate::lower) fn io_scalar_ty(&mut self, scalar: Scalar) -> Id {
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
            Direction::Patch if self.entry.kind != ShaderKind::Domain => StorageClass::Output,
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
            (
                Stage::Hull {
                    output_control_points,
                    ..
                },
                Direction::Output,
            ) => Some((*output_control_points).max(1)),
            (Stage::Mesh { max_vertices, .. }, Direction::Output) => Some((*max_vertices).max(1)),
            (Stage::Mesh { max_primitives, .. }, Direction::Patch) => {
                Some((*max_primitives).max(1))
            }
            _ => None,
        }
    }

    /// Location of row 0 of the patch constants, or of a mesh shader's outputs per primitive, which
    /// a pixel shader finds behind those per vertex.
    pub(in crate::lower) fn patch_base(&self) -> u32 {
        let control_points = match self.entry.kind {
            ShaderKind::Hull | ShaderKind::Mesh => &self.entry.outputs,
            ShaderKind::Domain => &self.entry.inputs,
            _ => return 0,
        };
        let wish = self.options.signature.patch_location_offset;
        wish.unwrap_or_else(|| rows_of(control_points))
    }

    /// Location of row 0 of a geometry shader's stream: each stream is packed for itself. The
    /// rasterized one comes first, since that is where the pixel shader looks.
    fn stream_base(&self, stream: u32) -> u32 {
        let rasterized = self.options.signature.stream_output.rasterized_stream;
        if stream == rasterized || self.entry.kind != ShaderKind::Geometry {
            return 0;
        }
        let rows = |stream| {
            let of_stream = self
                .entry
                .outputs
                .iter()
                .filter(move |e| e.stream == stream);
            rows_of(of_stream)
        };
        let before = (0..stream.min(4)).filter(|&other| other != rasterized);
        before.map(rows).fold(rows(rasterized), u32::saturating_add)
    }

    /// First location after those of all outputs.
    pub(in crate::lower) fn end_of_outputs(&self) -> u32 {
        if self.entry.kind != ShaderKind::Geometry {
            return rows_of(&self.entry.outputs);
        }
        (0..4)
            .map(|stream| {
                let of_stream = self.entry.outputs.iter().filter(|e| e.stream == stream);
                self.stream_base(stream).saturating_add(rows_of(of_stream))
            })
            .max()
            .unwrap_or(0)
    }

    fn place(&self, direction: Direction, element: &SignatureElement) -> Result<Place> {
        let index = element.semantic_indices.first().copied().unwrap_or(0);
        let signature = match direction {
            Direction::Input => SignatureKind::Input,
            Direction::Output => SignatureKind::Output,
            Direction::Patch => SignatureKind::PatchConstant,
        };
        let options = &self.options.signature;
        let wish = options.places.iter().find(|place| {
            place.signature == signature
                && place.index == index
                && place.semantic.eq_ignore_ascii_case(&element.name)
        });
        if let Some(wish) = wish {
            return Ok(Place {
                location: wish.location,
                component: wish.component,
                blend_index: None,
                per_primitive: wish.per_primitive,
            });
        }
        if element.semantic == SemanticKind::Target {
            if !options.dual_source_blending {
                return Ok(Place {
                    location: index,
                    component: 0,
                    blend_index: None,
                    per_primitive: false,
                });
            }
            return Ok(Place {
                location: 0,
                component: 0,
                blend_index: Some(index),
                per_primitive: false,
            });
        }
        let base = match direction {
            Direction::Patch => self.patch_base(),
            Direction::Output => self.stream_base(element.stream),
            Direction::Input => 0,
        };
        Ok(Place {
            location: base.saturating_add(element.start_row.unwrap_or(element.id)),
            component: element.start_column,
            blend_index: None,
            per_primitive: false,
        })
    }

    /// Whether nobody takes the output: a blend with two sources has one target.
    fn is_dropped(&self, direction: Direction, element: &SignatureElement) -> bool {
        let index = element.semantic_indices.first().copied().unwrap_or(0);
        direction == Direction::Output
            && self.is_pixel()
            && element.semantic == SemanticKind::Target
            && self.options.signature.dual_source_blending
            && index >= 2
    }

    /// An element without system value.
    pub(in crate::lower) fn user_element(
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
        let class = if self.is_dropped(direction, element) {
            StorageClass::Private
        } else {
            self.class(direction)
        };
        // A component may go anywhere.
        let swizzled = direction == Direction::Output && self.swizzle_of(element.id).is_some();
        let columns = if swizzled { 4 } else { element.columns };
        let vectors = columns > 1;
        let mut ty = self.io_scalar_ty(scalar);
        ty = self.b.vector_or_scalar(ty, columns.clamp(1, 4));
        let row_ty = ty;
        let rows = element.rows > 1;
        if rows {
            ty = self.b.array(ty, element.rows);
        }
        let value_ty = ty;
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
        let made = |variable, class| Element {
            variable,
            class,
            scalar,
            ty: value_ty,
            shape: form,
            columns: element.columns.clamp(1, 4),
            adjust: Adjust::None,
            arrayed: vertices.is_some() && class != StorageClass::Private,
        };
        if class == StorageClass::Private {
            let variable = self.private_element(element, ty);
            return Ok(made(variable, class));
        }
        // Vertex and target formats want variables of their own sign (Vulkan, "numeric type"); naga looks at it everywhere.
        let is_signed = matches!(element.component, ComponentType::I32 | ComponentType::I16);
        let has_format = matches!(
            (direction, self.entry.kind),
            (Direction::Input, ShaderKind::Vertex) | (Direction::Output, ShaderKind::Pixel)
        );
        let portable = self.is_portable();
        let signed = is_signed && scalar.width() == 32 && (has_format || portable);
        if (signed || rows && portable) && vertices.is_none() {
            // naga knows no arrays here: a variable per row, and the array is one of the shader's own.
            let mut outer_ty = row_ty;
            if signed {
                let int = self.b.int(32);
                outer_ty = self.b.vector_or_scalar(int, columns.clamp(1, 4));
            }
            let mut variables = Vec::with_capacity(element.rows as usize);
            for row in 0..element.rows.max(1) {
                variables.push(self.user_variable(
                    direction,
                    element,
                    scalar,
                    outer_ty,
                    row..row + 1,
                )?);
            }
            let variable = self.private_element(element, ty);
            self.inputs.rows.push(RowVariables {
                direction,
                inner: variable,
                is_array: rows,
                row_ty,
                outer_ty,
                variables,
            });
            return Ok(made(variable, StorageClass::Private));
        }
        let variable = self.user_variable(direction, element, scalar, ty, 0..element.rows)?;
        Ok(made(variable, class))
    }

    /// A variable of the shader's own that stands for an element.
    fn private_element(&mut self, element: &SignatureElement, ty: Id) -> Id {
        let class = StorageClass::Private;
        let pointer = self.b.pointer(class, ty);
        let variable = self.b.global_variable(class, pointer, None);
        self.name_element(variable, element);
        variable
    }

    /// Notes that an element's components are taken. Others in the same place are malformed: SPIR-V has
    /// no two variables there.
    fn claim(
        &mut self,
        direction: Direction,
        place: &Place,
        rows: u32,
        element: &SignatureElement,
    ) -> Result<()> {
        let new = Claim {
            space: (direction, place.blend_index),
            locations: place.location..place.location.saturating_add(rows.max(1)),
            components: ((1 << element.columns.clamp(1, 4)) - 1) << place.component.min(4),
        };
        let taken = self.inputs.claims.iter().any(|old| {
            old.space == new.space
                && old.components & new.components != 0
                && old.locations.start < new.locations.end
                && new.locations.start < old.locations.end
        });
        if taken {
            return Err(Error::malformed(format!(
                "signature element {} lies where another does",
                element.name
            )));
        }
        self.inputs.claims.push(new);
        Ok(())
    }

    /// The variable of an element without system value, or of those rows of it.
    fn user_variable(
        &mut self,
        direction: Direction,
        element: &SignatureElement,
        scalar: Scalar,
        ty: Id,
        rows: Range<u32>,
    ) -> Result<Id> {
        let class = self.class(direction);
        let pointer = self.b.pointer(class, ty);
        let variable = self.b.global_variable(class, pointer, None);
        self.name_element(variable, element);
        let mut place = self.place(direction, element)?;
        place.location = place.location.saturating_add(rows.start);
        self.claim(direction, &place, rows.end - rows.start, element)?;
        if self.is_portable() {
            // naga knows no components: what shares a row gets a location of its own, the same on both sides.
            place.location += std::mem::take(&mut place.component) * 32;
        }
        self.b
            .decorate(variable, Decoration::Location, &[place.location]);
        if place.component != 0 {
            self.b
                .decorate(variable, Decoration::Component, &[place.component]);
        }
        if let Some(index) = place.blend_index {
            self.b.decorate(variable, Decoration::Index, &[index]);
        }
        if place.per_primitive && self.is_pixel() && direction == Direction::Input {
            self.require(Features::MESH_SHADER, "meshShader", "a per-primitive input")?;
            self.b.capability(Capability::MeshShadingEXT);
            self.b.extension("SPV_EXT_mesh_shader");
            self.b.decorate(variable, Decoration::PerPrimitiveEXT, &[]);
        }
        if scalar.is_relaxed() && !self.options.workarounds.full_min_precision {
            self.b.decorate(variable, Decoration::RelaxedPrecision, &[]);
        }
        self.decorate_stage(direction, element, variable)?;
        if direction == Direction::Input && self.is_per_vertex(element.id) {
            self.b.capability(Capability::FragmentBarycentricKHR);
            self.b.extension("SPV_KHR_fragment_shader_barycentric");
            self.b.decorate(variable, Decoration::PerVertexKHR, &[]);
        } else {
            self.interpolation(direction, element, scalar, variable);
        }
        Ok(variable)
    }

    /// Decorations that user data and built-ins of a stage share.
    fn decorate_stage(
        &mut self,
        direction: Direction,
        element: &SignatureElement,
        variable: Id,
    ) -> Result<()> {
        use ShaderKind::{Domain, Hull};
        if direction == Direction::Patch && matches!(self.entry.kind, Hull | Domain) {
            self.b.decorate_once(variable, Decoration::Patch);
        }
        if direction == Direction::Patch && self.entry.kind == ShaderKind::Mesh {
            self.b.decorate_once(variable, Decoration::PerPrimitiveEXT);
        }
        if direction == Direction::Output && self.has_streams() {
            self.decorate_stream(variable, element.stream);
        }
        Ok(())
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
        let is_integer = !matches!(scalar, Scalar::Float { .. });
        if self.entry.kind == ShaderKind::Vertex && direction == Direction::Output {
            // Vulkan asks the pixel shader alone; naga asks for it on both sides.
            if is_integer && self.is_portable() {
                self.b.decorate(variable, Decoration::Flat, &[]);
            }
            return;
        }
        if self.entry.kind != ShaderKind::Pixel || direction != Direction::Input {
            return;
        }
        use InterpolationMode as Mode;
        let mode = element.interpolation;
        if is_integer || mode == Mode::Constant {
            self.b.decorate(variable, Decoration::Flat, &[]);
            return;
        }
        if is_no_perspective(mode) {
            self.b.decorate(variable, Decoration::NoPerspective, &[]);
        }
        self.interpolation_place(mode, variable);
    }

    /// Where in the pixel an input is interpolated.
    fn interpolation_place(&mut self, mode: InterpolationMode, variable: Id) {
        use InterpolationMode as Mode;
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
        let (value_ty, form) = match value.form {
            SystemForm::Scalar => (scalar_ty, Form::Scalar),
            SystemForm::Vector(count) => (self.b.vector(scalar_ty, count), Form::Vector),
            SystemForm::Mask => (self.b.array(scalar_ty, 1), Form::One),
            SystemForm::Factors(count) => {
                let form = Form::Rows { vectors: false };
                (self.b.array(scalar_ty, count), form)
            }
            SystemForm::Distances => {
                let (base, total) = self.distances(direction, element)?;
                let form = Form::Flat {
                    base,
                    columns: element.columns,
                };
                (self.b.array(scalar_ty, total), form)
            }
        };
        let vertices = self.vertices(direction);
        let ty = match vertices {
            Some(count) => self.b.array(value_ty, count),
            None => value_ty,
        };
        let is_new = self.inputs.variable(class, value.built_in).is_none();
        let variable = match class {
            StorageClass::Output => self.built_in_output(value.built_in, ty),
            _ => self.built_in(value.built_in, ty),
        };
        if is_new {
            if value.built_in == crate::spirv::BuiltIn::Position
                && self.options.signature.invariant_position
            {
                self.b.decorate(variable, Decoration::Invariant, &[]);
            }
            self.decorate_stage(direction, element, variable)?;
            if self.is_pixel() && direction == Direction::Input {
                if matches!(value.scalar, Scalar::Int { .. }) {
                    self.b.decorate_once(variable, Decoration::Flat);
                }
                self.system_interpolation(element, variable);
            }
        }
        Ok(Element {
            variable,
            class,
            scalar: value.scalar,
            ty: value_ty,
            shape: form,
            columns: match value.form {
                SystemForm::Vector(count) => count,
                _ => 1,
            },
            adjust: value.adjust,
            arrayed: vertices.is_some(),
        })
    }

    /// A position or barycentrics at each sample make the shader run per sample. The centroid of a
    /// position is the position.
    fn system_interpolation(&mut self, element: &SignatureElement, variable: Id) {
        use InterpolationMode as Mode;
        let mode = element.interpolation;
        let per_sample = matches!(mode, Mode::LinearSample | Mode::LinearNoPerspectiveSample);
        match element.semantic {
            SemanticKind::Barycentrics => self.interpolation_place(mode, variable),
            SemanticKind::Position if per_sample => self.interpolation_place(mode, variable),
            _ => {}
        }
    }

    /// First scalar of an element among all clip (or cull) distances of its stream, and their
    /// number. The order is that of the semantic indices, which all stages agree on.
    fn distances(&self, direction: Direction, element: &SignatureElement) -> Result<(u32, u32)> {
        let order = |e: &SignatureElement| (e.semantic_indices.first().copied().unwrap_or(0), e.id);
        let (mut base, mut total) = (0_u32, 0_u32);
        for other in self.elements(direction) {
            if (other.semantic, other.stream) != (element.semantic, element.stream) {
                continue;
            }
            let count = other.rows.saturating_mul(other.columns);
            if order(other) < order(element) {
                base = base.saturating_add(count);
            }
            total = total.saturating_add(count);
        }
        if total > 8 {
            return Err(Error::malformed(format!(
                "{total} clip or cull distances; 8 are the most"
            )));
        }
        Ok((base, total.max(1)))
    }
}

/// Whether a mode is linear in screen space.
pub(in crate::lower) fn is_no_perspective(mode: InterpolationMode) -> bool {
    matches!(
        mode,
        InterpolationMode::LinearNoPerspective
            | InterpolationMode::LinearNoPerspectiveCentroid
            | InterpolationMode::LinearNoPerspectiveSample
    )
}
