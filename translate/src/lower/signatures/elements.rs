//! Signatures of the graphics stages: how each element is represented in SPIR-V. [`super::access`]
//! reads and writes the elements.
//!
//! An element without system value is a variable at location = its packed row, component = its
//! packed column, so that stages link as in D3D. A system value is a built-in. Variables are made
//! on first use: an element that is never read is not declared. `SignatureOptions` can move
//! elements to other places.

use std::ops::Range;

use dxil_frontend::dxil::{
    ComponentType, InputPrimitive, InterpolationMode, SemanticKind, ShaderKind, SignatureElement,
    Stage,
};

use super::semantic_table::may_hold;
use super::system_values::{self, SystemForm, SystemValue};
use crate::lower::context::{Context, Input};
use crate::lower::signatures::state::{
    Adjust, Claim, Direction, InterfaceVariable, OutputCopy, RowVariables, VariableType,
};
use crate::lower::signatures::{inputs, streams};
use crate::lower::type_map::Scalar;
use crate::options::Features;
use crate::spirv::{Builder, Capability, Decoration, Id, StorageClass};
use crate::{Error, Result, SignatureKind, signature_options};

/// Rows of a signature (`D3D11_VS_OUTPUT_REGISTER_COUNT` of d3d11.h, and the same of other stages).
const MAX_ROWS: u32 = 32;
/// `D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT`.
const MAX_RENDER_TARGETS: u32 = 8;

/// The place of an element without system value.
struct ElementLocation {
    location: u32,
    component: u32,
    /// Index of a colour at that location, for dual-source blending.
    blend_index: Option<u32>,
    per_primitive: bool,
}

fn elements_of<'c>(input: &'c Input<'_>, direction: Direction) -> &'c [SignatureElement] {
    match direction {
        Direction::Input => &input.entry.inputs,
        Direction::Output => &input.entry.outputs,
        Direction::Patch => &input.entry.patch_constants,
    }
}

/// Returns the variable of an element; makes it on first use.
pub(super) fn element_variable(
    cx: &mut Context<'_>,
    direction: Direction,
    id: u32,
) -> Result<InterfaceVariable> {
    // Every access looks its element up, and DXIL has an access per component.
    if let Some(&interface) = cx.module.stage_io.elements.get(&(direction, id)) {
        return Ok(interface);
    }
    let entry = cx.input.entry;
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
    declare_outputs_before(cx, direction, element)?;
    let interface = match system_values::system_value(cx, direction, element)? {
        Some(value) => system_element(cx, direction, element, value)?,
        None => user_element(cx, direction, element)?,
    };
    cx.module
        .stage_io
        .elements
        .insert((direction, id), interface);
    // The copy shares the element's stores, so it has to exist before the first of them.
    if direction == Direction::Output {
        pass_on_as_data(cx, element)?;
    }
    Ok(interface)
}

/// Makes the variables of the outputs that the signature lists before an output. Drivers write
/// outputs in the order of their variables, and NVK's code keeps that order, so that a position
/// that is computed last is best written last.
fn declare_outputs_before(
    cx: &mut Context<'_>,
    direction: Direction,
    element: &SignatureElement,
) -> Result<()> {
    let entry = cx.input.entry;
    let has_order = matches!(
        entry.kind,
        ShaderKind::Vertex | ShaderKind::Domain | ShaderKind::Pixel
    );
    if direction != Direction::Output || !has_order {
        return Ok(());
    }
    for other in entry.outputs.iter() {
        if other.id == element.id {
            break;
        }
        // What is never written has no variable.
        if other.usage_mask.is_some_and(|mask| mask != 0) {
            element_variable(cx, direction, other.id)?;
        }
    }
    Ok(())
}

/// Returns the scalar of a component type in a signature.
pub(super) fn component_scalar(cx: &Context<'_>, component: ComponentType) -> Result<Scalar> {
    let io16 = cx
        .input
        .options
        .target
        .features
        .contains(Features::INPUT_OUTPUT_16BIT);
    Ok(match component {
        ComponentType::F32 | ComponentType::SNormF32 | ComponentType::UNormF32 => Scalar::F32,
        ComponentType::F16 | ComponentType::SNormF16 | ComponentType::UNormF16 => {
            // A module that emulates halves with floats has no 16-bit type to put into the
            // interface.
            if io16 && cx.module.types.native_half {
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
            if io16 && cx.module.types.native_short {
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

pub(in crate::lower) fn io_scalar_ty(b: &mut Builder, scalar: Scalar) -> Id {
    match scalar {
        Scalar::Bool => b.bool(),
        Scalar::Int { width, .. } => b.uint(width),
        Scalar::Float { width, .. } => b.float(width),
    }
}

fn class_of(input: &Input<'_>, direction: Direction) -> StorageClass {
    match direction {
        Direction::Input => StorageClass::Input,
        Direction::Output => StorageClass::Output,
        // Hull shaders write patch constants, and mesh shaders outputs per primitive; only domain
        // shaders read them.
        Direction::Patch if input.entry.kind != ShaderKind::Domain => StorageClass::Output,
        Direction::Patch => StorageClass::Input,
    }
}

/// Returns the number of vertices or control points that an element has a value for; `None` if
/// there is just one value.
fn vertices_of(input: &Input<'_>, direction: Direction) -> Option<u32> {
    match (&input.entry.stage, direction) {
        // Geometry shaders see each input once per vertex of the primitive.
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
        (stage, Direction::Output) => stage.mesh_outputs().map(|mesh| mesh.max_vertices.max(1)),
        (stage, Direction::Patch) => stage.mesh_outputs().map(|mesh| mesh.max_primitives.max(1)),
        _ => None,
    }
}

/// Returns the location of row 0 of the patch constants, or of a mesh shader's outputs per
/// primitive, which a pixel shader finds after those per vertex.
pub(in crate::lower) fn patch_base(input: &Input<'_>) -> u32 {
    input.options.signature.patch_location(input.entry)
}

/// Returns the location of row 0 of a geometry shader's stream: each stream is packed separately.
/// The rasterized one comes first, since that is where the pixel shader looks.
fn stream_base(input: &Input<'_>, stream: u32) -> u32 {
    let rasterized = input.options.signature.stream_output.rasterized_stream;
    if stream == rasterized || input.entry.kind != ShaderKind::Geometry {
        return 0;
    }
    let rows = |stream| {
        let of_stream = input
            .entry
            .outputs
            .iter()
            .filter(move |e| e.stream == stream);
        signature_options::rows_of(of_stream)
    };
    let before = (0..stream.min(4)).filter(|&other| other != rasterized);
    before.map(rows).fold(rows(rasterized), u32::saturating_add)
}

/// Returns the first location after those of all outputs.
pub(super) fn end_of_outputs(input: &Input<'_>) -> u32 {
    if input.entry.kind != ShaderKind::Geometry {
        return signature_options::rows_of(&input.entry.outputs);
    }
    (0..4)
        .map(|stream| {
            let of_stream = input.entry.outputs.iter().filter(|e| e.stream == stream);
            stream_base(input, stream).saturating_add(signature_options::rows_of(of_stream))
        })
        .max()
        .unwrap_or(0)
}

fn location_of(
    input: &Input<'_>,
    direction: Direction,
    element: &SignatureElement,
) -> Result<ElementLocation> {
    let index = element.semantic_indices.first().copied().unwrap_or(0);
    let signature = match direction {
        Direction::Input => SignatureKind::Input,
        Direction::Output => SignatureKind::Output,
        Direction::Patch => SignatureKind::PatchConstant,
    };
    let options = &input.options.signature;
    // Places that the caller chose win over the packing of the signature.
    let requested = options.places.iter().find(|place| {
        place.signature == signature
            && place.index == index
            && place.semantic.eq_ignore_ascii_case(&element.name)
    });
    if let Some(requested) = requested {
        return Ok(ElementLocation {
            location: requested.location,
            component: requested.component,
            blend_index: None,
            per_primitive: requested.per_primitive,
        });
    }
    // A pixel shader's location is the number of the render target, not its row (Vulkan, "Fragment
    // Output Interface").
    if element.semantic == SemanticKind::Target {
        if index >= MAX_RENDER_TARGETS {
            return Err(Error::malformed(format!("SV_Target{index}")));
        }
        if !options.dual_source_blending {
            return Ok(ElementLocation {
                location: index,
                component: 0,
                blend_index: None,
                per_primitive: false,
            });
        }
        // Both sources of a dual-source blend are outputs of location 0 with different indices.
        return Ok(ElementLocation {
            location: 0,
            component: 0,
            blend_index: Some(index),
            per_primitive: false,
        });
    }
    let base = match direction {
        Direction::Patch => patch_base(input),
        Direction::Output => stream_base(input, element.stream),
        Direction::Input => 0,
    };
    // Elements without a packed row keep their order: the id is the position in the signature.
    let row = element.start_row.unwrap_or(element.id);
    if row >= MAX_ROWS {
        return Err(Error::malformed(format!(
            "signature element {} is in row {row} of {MAX_ROWS}",
            element.name
        )));
    }
    Ok(ElementLocation {
        location: base.saturating_add(row),
        component: element.start_column,
        blend_index: None,
        per_primitive: false,
    })
}

/// Returns whether the output is dropped: a blend with two sources has one target.
fn is_dropped(input: &Input<'_>, direction: Direction, element: &SignatureElement) -> bool {
    let index = element.semantic_indices.first().copied().unwrap_or(0);
    direction == Direction::Output
        && input.is_pixel()
        && element.semantic == SemanticKind::Target
        && input.options.signature.dual_source_blending
        && index >= 2
}

/// Returns the representation of an element without system value.
fn user_element(
    cx: &mut Context<'_>,
    direction: Direction,
    element: &SignatureElement,
) -> Result<InterfaceVariable> {
    let scalar = component_scalar(cx, element.component)?;
    // 16-bit variables of the interface need this capability besides the types'.
    if scalar.width() == 16 {
        cx.b.capability(Capability::StorageInputOutput16);
        cx.b.extension_before(0x0001_0300, "SPV_KHR_16bit_storage");
    }
    let class = if is_dropped(&cx.input, direction, element) {
        StorageClass::Private
    } else {
        class_of(&cx.input, direction)
    };
    // A component may go anywhere.
    let swizzled = direction == Direction::Output && swizzle_of(&cx.input, element.id).is_some();
    let columns = if swizzled { 4 } else { element.columns };
    let vectors = columns > 1;
    let mut ty = io_scalar_ty(&mut cx.b, scalar);
    ty = cx.b.vector_or_scalar(ty, columns.clamp(1, 4));
    let row_ty = ty;
    // An element of several rows is an array, because DXIL indexes rows dynamically.
    let rows = element.rows > 1;
    if rows {
        ty = cx.b.array(ty, element.rows);
    }
    let value_ty = ty;
    let per_vertex = direction == Direction::Input && is_per_vertex(&cx.input, element.id);
    let mut vertices = vertices_of(&cx.input, direction);
    // `GetAttributeAtVertex` sees the values of the triangle's three vertices.
    if per_vertex {
        vertices = Some(3);
    }
    if let Some(count) = vertices {
        ty = cx.b.array(ty, count);
    }
    let form = if rows {
        VariableType::Rows { vectors }
    } else if vectors {
        VariableType::Vector
    } else {
        VariableType::Scalar
    };
    let made = |variable, class| InterfaceVariable {
        variable,
        class,
        scalar,
        ty: value_ty,
        variable_type: form,
        columns: element.columns.clamp(1, 4),
        adjust: Adjust::None,
        arrayed: vertices.is_some() && class != StorageClass::Private,
    };
    if class == StorageClass::Private {
        let variable = private_element(&mut cx.b, &cx.input, element, ty);
        return Ok(made(variable, class));
    }
    // The sign of the variable has to match that of the vertex or target format (Vulkan, "numeric
    // type").
    let is_signed = matches!(element.component, ComponentType::I32 | ComponentType::I16);
    let has_format = matches!(
        (direction, cx.input.entry.kind),
        (Direction::Input, ShaderKind::Vertex) | (Direction::Output, ShaderKind::Pixel)
    );
    let splits = !cx.input.consumer().vulkan_interfaces;
    // Elsewhere words without a sign do, because both sides are made by this compiler.
    let signed = is_signed && scalar.width() == 32 && (has_format || splits);
    if (signed || rows && splits) && vertices.is_none() {
        // A variable per row, and a private array that the shader indexes.
        let mut outer_ty = row_ty;
        if signed {
            let int = cx.b.int(32);
            outer_ty = cx.b.vector_or_scalar(int, columns.clamp(1, 4));
        }
        let mut variables = Vec::with_capacity(element.rows as usize);
        for row in 0..element.rows.max(1) {
            variables.push(user_variable(
                cx,
                direction,
                element,
                scalar,
                outer_ty,
                row..row + 1,
            )?);
        }
        let variable = private_element(&mut cx.b, &cx.input, element, ty);
        cx.module.stage_io.rows.push(RowVariables {
            direction,
            inner: variable,
            is_array: rows,
            row_ty,
            outer_ty,
            variables,
        });
        return Ok(made(variable, StorageClass::Private));
    }
    let variable = user_variable(cx, direction, element, scalar, ty, 0..element.rows)?;
    Ok(made(variable, class))
}

/// Returns a private variable that represents an element.
fn private_element(b: &mut Builder, input: &Input<'_>, element: &SignatureElement, ty: Id) -> Id {
    let class = StorageClass::Private;
    let pointer = b.pointer(class, ty);
    let variable = b.global_variable(class, pointer, None);
    name_element(b, input, variable, element);
    variable
}

/// Records that an element occupies its components. A second element in the same place is
/// malformed, because SPIR-V does not allow two variables there.
fn claim(
    cx: &mut Context<'_>,
    direction: Direction,
    location: &ElementLocation,
    rows: u32,
    element: &SignatureElement,
) -> Result<()> {
    let new = Claim {
        space: (direction, location.blend_index),
        locations: location.location..location.location.saturating_add(rows.max(1)),
        // The columns are clamped, so that a damaged signature cannot shift by more than the width.
        components: ((1 << element.columns.clamp(1, 4)) - 1) << location.component.min(4),
    };
    // Linear, but a signature has at most 32 rows of 4 components.
    let taken = cx.module.stage_io.claims.iter().any(|old| {
        old.space == new.space
            && old.components & new.components != 0
            && old.locations.start < new.locations.end
            && new.locations.start < old.locations.end
    });
    if taken {
        return Err(Error::malformed(format!(
            "signature element {} overlaps another one",
            element.name
        )));
    }
    cx.module.stage_io.claims.push(new);
    Ok(())
}

/// Returns whether the code has 16 bits for a component of an element.
fn is_narrow(cx: &Context<'_>, component: ComponentType) -> bool {
    match component {
        ComponentType::F16 | ComponentType::SNormF16 | ComponentType::UNormF16 => {
            cx.module.types.native_half
        }
        ComponentType::I16 | ComponentType::U16 => cx.module.types.native_short,
        _ => false,
    }
}

/// Returns the variable of an element without system value, or of those rows of it.
fn user_variable(
    cx: &mut Context<'_>,
    direction: Direction,
    element: &SignatureElement,
    scalar: Scalar,
    ty: Id,
    rows: Range<u32>,
) -> Result<Id> {
    let class = class_of(&cx.input, direction);
    let pointer = cx.b.pointer(class, ty);
    let variable = cx.b.global_variable(class, pointer, None);
    name_element(&mut cx.b, &cx.input, variable, element);
    let mut location = location_of(&cx.input, direction, element)?;
    location.location = location.location.saturating_add(rows.start);
    // Rows that belong to variables of their own are claimed one by one.
    claim(cx, direction, &location, rows.end - rows.start, element)?;
    if !cx.input.consumer().vulkan_interfaces {
        // What shares a row gets a location of its own, the same on both sides.
        location.location += std::mem::take(&mut location.component) * 32;
    }
    cx.b.decorate(variable, Decoration::Location, &[location.location]);
    if location.component != 0 {
        cx.b.decorate(variable, Decoration::Component, &[location.component]);
    }
    if let Some(index) = location.blend_index {
        cx.b.decorate(variable, Decoration::Index, &[index]);
    }
    // `PerPrimitiveEXT` in a fragment shader needs the capability of mesh shading.
    if location.per_primitive && cx.input.is_pixel() && direction == Direction::Input {
        inputs::require(
            &cx.input,
            Features::MESH_SHADER,
            "meshShader",
            "a per-primitive input",
        )?;
        cx.b.capability(Capability::MeshShadingEXT);
        cx.b.extension("SPV_EXT_mesh_shader");
        cx.b.decorate_once(variable, Decoration::PerPrimitiveEXT);
    }
    // RelaxedPrecision lets the driver compute in 16 bits, as `min16float` does in D3D. What has 16
    // bits in the code has no more in the interface: Turnip then exports halves as they are.
    let is_relaxed = scalar.is_relaxed() && !cx.input.options.workarounds.full_min_precision;
    if is_relaxed || scalar.width() == 32 && is_narrow(cx, element.component) {
        cx.b.decorate(variable, Decoration::RelaxedPrecision, &[]);
    }
    decorate_stage(&mut cx.b, &cx.input, direction, element, variable)?;
    // PerVertexKHR and interpolation decorations exclude each other: the shader interpolates
    // itself.
    if direction == Direction::Input && is_per_vertex(&cx.input, element.id) {
        cx.b.capability(Capability::FragmentBarycentricKHR);
        cx.b.extension("SPV_KHR_fragment_shader_barycentric");
        cx.b.decorate(variable, Decoration::PerVertexKHR, &[]);
    } else {
        decorate_interpolation(cx, direction, element, scalar, variable);
    }
    Ok(variable)
}

/// Writes the decorations that user data and built-ins of a stage share.
fn decorate_stage(
    b: &mut Builder,
    input: &Input<'_>,
    direction: Direction,
    element: &SignatureElement,
    variable: Id,
) -> Result<()> {
    use ShaderKind::{Domain, Hull};
    // Only tessellation shaders have patch constants; DXIL stores outputs per primitive of a mesh
    // shader in the same list.
    if direction == Direction::Patch && matches!(input.entry.kind, Hull | Domain) {
        b.decorate_once(variable, Decoration::Patch);
    }
    if direction == Direction::Patch && input.entry.kind == ShaderKind::Mesh {
        b.decorate_once(variable, Decoration::PerPrimitiveEXT);
    }
    if direction == Direction::Output && streams::has_streams(input) {
        streams::decorate_stream(b, variable, element.stream);
    }
    Ok(())
}

fn name_element(b: &mut Builder, input: &Input<'_>, variable: Id, element: &SignatureElement) {
    if input.options.debug_info {
        b.name(variable, &element.name);
    }
}

/// Decorates an element with its interpolation, which matters between the last vertex stage and the
/// pixel shader. Only the pixel shader's inputs carry it: outputs need not.
fn decorate_interpolation(
    cx: &mut Context<'_>,
    direction: Direction,
    element: &SignatureElement,
    scalar: Scalar,
    variable: Id,
) {
    let is_integer = !matches!(scalar, Scalar::Float { .. });
    if cx.input.entry.kind == ShaderKind::Vertex && direction == Direction::Output {
        if is_integer && !cx.input.consumer().vulkan_interfaces {
            cx.b.decorate_once(variable, Decoration::Flat);
        }
        return;
    }
    if cx.input.entry.kind != ShaderKind::Pixel || direction != Direction::Input {
        return;
    }
    use InterpolationMode as Mode;
    let mode = element.interpolation;
    // Integers cannot be interpolated (VUID-StandaloneSpirv-Flat-04744).
    if is_integer || mode == Mode::Constant {
        cx.b.decorate_once(variable, Decoration::Flat);
        return;
    }
    if system_values::is_no_perspective(mode) {
        cx.b.decorate(variable, Decoration::NoPerspective, &[]);
    }
    decorate_sampling(cx, mode, variable);
}

/// Declares where in the pixel an input is interpolated.
fn decorate_sampling(cx: &mut Context<'_>, mode: InterpolationMode, variable: Id) {
    use InterpolationMode as Mode;
    match mode {
        Mode::LinearCentroid | Mode::LinearNoPerspectiveCentroid => {
            cx.b.decorate(variable, Decoration::Centroid, &[]);
        }
        // Sample interpolation makes the shader run per sample, like D3D's modes with "sample" in
        // their name (D3D11.3 functional specification, 16.4).
        Mode::LinearSample | Mode::LinearNoPerspectiveSample => {
            cx.b.capability(Capability::SampleRateShading);
            cx.b.decorate(variable, Decoration::Sample, &[]);
            cx.module.stage_io.per_sample = true;
        }
        Mode::Undefined | Mode::Constant | Mode::Linear | Mode::LinearNoPerspective => {}
    }
}

fn system_element(
    cx: &mut Context<'_>,
    direction: Direction,
    element: &SignatureElement,
    value: SystemValue,
) -> Result<InterfaceVariable> {
    let class = class_of(&cx.input, direction);
    let scalar_ty = io_scalar_ty(&mut cx.b, value.scalar);
    let (value_ty, form) = match value.form {
        SystemForm::Scalar => (scalar_ty, VariableType::Scalar),
        SystemForm::Vector(count) => (cx.b.vector(scalar_ty, count), VariableType::Vector),
        SystemForm::Mask => (cx.b.array(scalar_ty, 1), VariableType::One),
        SystemForm::Factors(count) => {
            let form = VariableType::Rows { vectors: false };
            (cx.b.array(scalar_ty, count), form)
        }
        SystemForm::Distances => {
            let (base, total) = distances(&cx.input, direction, element)?;
            let form = VariableType::Flat {
                base,
                columns: element.columns,
            };
            (cx.b.array(scalar_ty, total), form)
        }
    };
    // Built-ins of geometry, tessellation and mesh stages are arrays over vertices like other
    // elements.
    let vertices = vertices_of(&cx.input, direction);
    let ty = match vertices {
        Some(count) => cx.b.array(value_ty, count),
        None => value_ty,
    };
    // Several elements can share a built-in (clip distances of two rows), and decorations may be
    // written only once.
    let is_new = cx.module.stage_io.variable(class, value.built_in).is_none();
    let variable = match class {
        StorageClass::Output => inputs::built_in_output(cx, value.built_in, ty),
        _ => inputs::built_in_input(cx, value.built_in, ty),
    };
    if is_new {
        if value.built_in == crate::spirv::BuiltIn::Position
            && cx.input.options.signature.invariant_position
        {
            cx.b.decorate(variable, Decoration::Invariant, &[]);
        }
        decorate_stage(&mut cx.b, &cx.input, direction, element, variable)?;
        if cx.input.is_pixel() && direction == Direction::Input {
            if matches!(value.scalar, Scalar::Int { .. }) {
                cx.b.decorate_once(variable, Decoration::Flat);
            }
            system_interpolation(cx, element, variable);
        }
    }
    Ok(InterfaceVariable {
        variable,
        class,
        scalar: value.scalar,
        ty: value_ty,
        variable_type: form,
        columns: match value.form {
            SystemForm::Vector(count) => count,
            _ => 1,
        },
        adjust: value.adjust,
        arrayed: vertices.is_some(),
    })
}

/// Declares sample shading for a position or barycentrics at each sample, which make the shader run
/// per sample. The centroid of a position is the position.
fn system_interpolation(cx: &mut Context<'_>, element: &SignatureElement, variable: Id) {
    use InterpolationMode as Mode;
    let mode = element.interpolation;
    let per_sample = matches!(mode, Mode::LinearSample | Mode::LinearNoPerspectiveSample);
    match element.semantic {
        SemanticKind::Barycentrics => decorate_sampling(cx, mode, variable),
        SemanticKind::Position if per_sample => decorate_sampling(cx, mode, variable),
        _ => {}
    }
}

/// Returns the first scalar of an element among all clip (or cull) distances of its stream, and the
/// number of these. The order is that of the semantic indices, which all stages agree on.
fn distances(
    input: &Input<'_>,
    direction: Direction,
    element: &SignatureElement,
) -> Result<(u32, u32)> {
    let order = |e: &SignatureElement| (e.semantic_indices.first().copied().unwrap_or(0), e.id);
    let (mut base, mut total) = (0_u32, 0_u32);
    for other in elements_of(input, direction) {
        if (other.semantic, other.stream) != (element.semantic, element.stream) {
            continue;
        }
        let count = other.rows.saturating_mul(other.columns);
        if order(other) < order(element) {
            base = base.saturating_add(count);
        }
        total = total.saturating_add(count);
    }
    // D3D12 allows 8 components (D3D11.3 functional specification, 15.4.3), and Vulkan guarantees
    // as many.
    if total > 8 {
        return Err(Error::malformed(format!(
            "{total} clip or cull distances; the maximum is 8"
        )));
    }
    Ok((base, total.max(1)))
}

/// Returns the permutation of a render target's components, if there is one.
pub(super) fn swizzle_of(input: &Input<'_>, element: u32) -> Option<[u8; 4]> {
    let swizzles = &input.options.signature.output_swizzles;
    if swizzles.is_empty() || !input.is_pixel() {
        return None;
    }
    let mut outputs = input.entry.outputs.iter();
    // Only render targets have formats whose components can be in another order.
    let element = outputs.find(|e| e.id == element && e.semantic == SemanticKind::Target)?;
    let target = element.semantic_indices.first().copied().unwrap_or(0);
    let swizzle = swizzles.get(target as usize).copied();
    swizzle.filter(|&swizzle| swizzle != [0, 1, 2, 3])
}

/// Returns whether an input is read by `attributeAtVertex`.
fn is_per_vertex(input: &Input<'_>, element: u32) -> bool {
    input.analyses.per_vertex_inputs.contains(&element)
}

/// Adds a variable in the packed signature to a system value of the rasterizer that a vertex or
/// domain shader writes: a stage other than the rasterizer reads it as an ordinary input.
fn pass_on_as_data(cx: &mut Context<'_>, element: &SignatureElement) -> Result<()> {
    use SemanticKind as Semantic;
    let may_be_followed = matches!(cx.input.entry.kind, ShaderKind::Vertex | ShaderKind::Domain);
    let is_read_as_data = matches!(
        element.semantic,
        Semantic::RenderTargetArrayIndex | Semantic::ViewPortArrayIndex | Semantic::ShadingRate
    );
    if !may_be_followed || !is_read_as_data {
        return Ok(());
    }
    // The element keeps its packed place, where the next stage looks for it.
    let interface = user_element(cx, Direction::Output, element)?;
    cx.module.stage_io.copies.push(OutputCopy {
        element: element.id,
        row: None,
        first_column: 0,
        columns: element.columns,
        interface,
    });
    Ok(())
}
