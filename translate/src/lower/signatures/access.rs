//! Reading and writing signature elements (`loadInput`, `storeOutput` and related operations), and
//! the interpolation operations.

use dxil_frontend::dxil::{InterpolationMode, SemanticKind, ShaderKind};
use dxil_frontend::ir::{TypeId, ValueId};

use super::elements;
use crate::lower::context::{Context, Input};
use crate::lower::numbers::integers;
use crate::lower::signatures::state::{Adjust, Direction, InterfaceVariable};
use crate::lower::signatures::{
    components, inputs, output_rows, stream_output, system_inputs, tessellation_factors, views,
};
use crate::lower::stages::mesh;
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::lower::values::LoweredValue;
use crate::options::Features;
use crate::spirv::{Capability, GLOp, Id, Op};
use crate::{Error, PortableForm, Quirks, Result};

/// Lowers `loadInput`.
pub(super) fn load_input(
    cx: &mut Context<'_>,
    element: u32,
    row: ValueId,
    column: u8,
    ty: TypeId,
) -> Result<LoweredValue> {
    load_element(cx, Direction::Input, element, row, column, None, ty)
}

/// Lowers `loadInput` of a vertex or control point, `loadPatchConstant`.
pub(super) fn load_element(
    cx: &mut Context<'_>,
    direction: Direction,
    element: u32,
    row: ValueId,
    column: u8,
    vertex: Option<ValueId>,
    ty: TypeId,
) -> Result<LoweredValue> {
    // Dropped elements read as 0 instead of failing, so that the rest of the shader works.
    if ignores(&cx.input, direction, element) {
        let shape = types::shape_of_type(cx, ty)?;
        let zero = match shape.scalar {
            // The call's type may differ from the element's.
            Scalar::Float { .. } => types::const_float(cx, shape, 0.0)?,
            Scalar::Int { .. } | Scalar::Bool => types::const_int(cx, shape, 0)?,
        };
        return Ok(LoweredValue::Id(zero));
    }
    // What is read here may be among the components that still wait.
    if direction != Direction::Input {
        output_rows::store_waiting(cx)?;
    }
    let interface = elements::element_variable(cx, direction, element)?;
    let vertex = vertex
        .map(|vertex| integers::to_u32(cx, vertex))
        .transpose()?;
    let row = integers::to_u32(cx, row)?;
    let scalar_ty = elements::io_scalar_ty(&mut cx.b, interface.scalar);
    let column = u32::from(column);
    // A load of one component needs a smaller address than a load of the whole row.
    let reads_rows = vertex.is_none() || reads_several(&cx.input, direction, element);
    let at = (row, column);
    let from_row = if reads_rows {
        components::load_from_row(&mut cx.b, &cx.input, direction, interface, at, vertex)
    } else {
        None
    };
    let mut id = match from_row {
        Some(id) => id,
        None => {
            let pointer = components::component_address(cx, interface, row, column, vertex)?;
            cx.b.load(scalar_ty, pointer)
        }
    };
    let mut scalar = interface.scalar;
    match interface.adjust {
        Adjust::None => {}
        // D3D12's vertex and instance numbers leave out the start of the draw (D3D11.3 functional
        // specification, 8.16 and 8.18), Vulkan's include it.
        Adjust::Minus(base) => {
            let base = cx.b.load(scalar_ty, base);
            id = cx.b.emit(Op::ISub, scalar_ty, &[id, base]);
        }
        Adjust::ReciprocalW => {
            // D3D gives w itself, where FragCoord gives 1/w.
            if column == 3 {
                let one = cx.b.const_f32(1.0);
                id = cx.b.emit(Op::FDiv, scalar_ty, &[one, id]);
            }
        }
        Adjust::Bool => {
            let word = cx.b.u32();
            // `SV_IsFrontFace` is a word in D3D with all bits set for "true" (D3D11.3 functional
            // specification, 15.12).
            let ones = cx.b.const_u32(u32::MAX);
            let zero = cx.b.const_u32(0);
            id = cx.b.select(word, id, ones, zero);
            scalar = Scalar::U32;
        }
    }
    // The operation may ask for another width than that of the element (min precision).
    let want = types::scalar(cx, ty)?;
    Ok(LoweredValue::Id(components::io_convert(
        &mut cx.b, scalar, want, id,
    )?))
}

/// Lowers `storeOutput`.
pub(super) fn store_output(
    cx: &mut Context<'_>,
    element: u32,
    row: ValueId,
    column: u8,
    value: ValueId,
) -> Result<LoweredValue> {
    store_element(cx, Direction::Output, element, row, column, value, None)
}

/// Stores one component of an output or patch constant, and of its copies. `vertex` is the vertex
/// or primitive of a mesh shader.
pub(super) fn store_element(
    cx: &mut Context<'_>,
    direction: Direction,
    element: u32,
    row: ValueId,
    column: u8,
    value: ValueId,
    vertex: Option<ValueId>,
) -> Result<LoweredValue> {
    if ignores(&cx.input, direction, element) {
        return Ok(LoweredValue::Unset);
    }
    let interface = elements::element_variable(cx, direction, element)?;
    let vertex = vertex
        .map(|vertex| integers::to_u32(cx, vertex))
        .transpose()?;
    // Threads past the counts of SetMeshOutputCounts may still store; see [`mesh::checked_output`].
    let vertex = vertex.map(|vertex| mesh::checked_output(&mut cx.b, &cx.input, direction, vertex));
    let row = integers::to_u32(cx, row)?;
    // Copies take the value as the shader stores it, before view offset, clamp and swizzle.
    if direction == Direction::Output {
        stream_output::store_copies(cx, element, row, column, value)?;
    }
    let mut id = components::output_value(cx, value, interface.scalar)?;
    if direction == Direction::Output {
        id = views::add_view_offset(cx, interface, id)?;
    }
    // Only the tessellator's inputs are clamped, not other patch constants.
    if direction == Direction::Patch {
        id = tessellation_factors::limited_factor(
            &mut cx.b,
            &cx.input,
            element,
            interface.scalar,
            id,
        );
    }
    if direction == Direction::Output && elements::swizzle_of(&cx.input, element).is_some() {
        return store_swizzled(cx, interface, element, row, column, id);
    }
    output_rows::store(cx, interface, row, u32::from(column), vertex, id)?;
    Ok(LoweredValue::Unset)
}

/// Returns whether the shader may read more than one component of an element's rows.
fn reads_several(input: &Input<'_>, direction: Direction, element: u32) -> bool {
    let list = match direction {
        Direction::Input => &input.entry.inputs,
        Direction::Output => &input.entry.outputs,
        Direction::Patch => &input.entry.patch_constants,
    };
    let element = list.iter().find(|one| one.id == element);
    let mask = element.and_then(|one| one.usage_mask);
    mask.is_none_or(|mask| mask.count_ones() > 1)
}

/// Returns whether the options drop an element of the signature.
fn ignores(input: &Input<'_>, direction: Direction, element: u32) -> bool {
    let entry = input.entry;
    let list = match direction {
        Direction::Input => &entry.inputs,
        Direction::Output => &entry.outputs,
        Direction::Patch => &entry.patch_constants,
    };
    input.has_quirk(Quirks::NO_SHADING_RATE)
        && list
            .iter()
            .any(|e| e.id == element && e.semantic == SemanticKind::ShadingRate)
}

/// Stores a component into all components that the swizzle maps it to.
fn store_swizzled(
    cx: &mut Context<'_>,
    interface: InterfaceVariable,
    element: u32,
    row: Id,
    column: u8,
    id: Id,
) -> Result<LoweredValue> {
    let swizzle = elements::swizzle_of(&cx.input, element).unwrap_or([0, 1, 2, 3]);
    for (to, from) in (0..).zip(swizzle) {
        if from == column {
            let pointer = components::component_address(cx, interface, row, to, None)?;
            cx.b.store(pointer, id);
        }
    }
    Ok(LoweredValue::Unset)
}

/// Copies one vertex's whole value of an element to another element of the same type.
pub(in crate::lower) fn copy_element(
    cx: &mut Context<'_>,
    (from_direction, from): (Direction, u32),
    (to_direction, to): (Direction, u32),
    vertex: Id,
) -> Result<()> {
    let from = elements::element_variable(cx, from_direction, from)?;
    let to = elements::element_variable(cx, to_direction, to)?;
    // The hull shader passes control points through without code, so DXC gives both signatures the
    // same types.
    if (from.ty, from.arrayed) != (to.ty, to.arrayed) {
        return Err(Error::malformed(
            "a control point is passed through to one of another type",
        ));
    }
    let mut addresses = [from, to].map(|interface| (interface.variable, interface.class));
    if from.arrayed {
        for (variable, class) in &mut addresses {
            let pointer = cx.b.pointer(*class, from.ty);
            *variable = cx.b.access_chain(pointer, *variable, &[vertex]);
        }
    }
    let value = cx.b.load(from.ty, addresses[0].0);
    cx.b.store(addresses[1].0, value);
    Ok(())
}

/// Interpolates at another position than the declared one: `op` is the function, `at` its second
/// operand.
pub(super) fn interpolate(
    cx: &mut Context<'_>,
    op: GLOp,
    element: u32,
    row: ValueId,
    column: u8,
    at: Option<Id>,
    ty: TypeId,
) -> Result<LoweredValue> {
    let interface = elements::element_variable(cx, Direction::Input, element)?;
    let flat = cx
        .input
        .entry
        .inputs
        .iter()
        .any(|e| e.id == element && e.interpolation == InterpolationMode::Constant);
    // Values that are not interpolated are the same everywhere in the pixel; SPIR-V's functions
    // take floats only.
    if flat || !matches!(interface.scalar, Scalar::Float { .. }) {
        return load_input(cx, element, row, column, ty);
    }
    if !cx.input.consumer().interpolation_functions {
        return Err(Error::portable(
            PortableForm::Interpolation,
            "an Evaluate function",
        ));
    }
    cx.b.capability(Capability::InterpolationFunction);
    system_inputs::require_sample_rate(&cx.input, "an Evaluate function")?;
    let row = integers::to_u32(cx, row)?;
    // The functions take a pointer to the variable, not a loaded value: the driver evaluates the
    // attribute anew.
    let pointer = components::component_address(cx, interface, row, u32::from(column), None)?;
    let scalar_ty = elements::io_scalar_ty(&mut cx.b, interface.scalar);
    let id = match at {
        Some(at) => cx.b.glsl(op, scalar_ty, &[pointer, at]),
        None => cx.b.glsl(op, scalar_ty, &[pointer]),
    };
    let want = types::scalar(cx, ty)?;
    Ok(LoweredValue::Id(components::io_convert(
        &mut cx.b,
        interface.scalar,
        want,
        id,
    )?))
}

/// Returns the offset of `EvalSnapped`: sixteenths of a pixel, -8 to 7, from the pixel's centre.
pub(super) fn snapped_offset(cx: &mut Context<'_>, x: ValueId, y: ValueId) -> Result<Id> {
    let float = cx.b.f32();
    let int_shape = NumericShape::scalar(Scalar::Int { bits: 4, width: 32 });
    let mut offsets = [Id::NONE; 2];
    for (offset, value) in offsets.iter_mut().zip([x, y]) {
        let id = cx.id(value)?;
        // The low four bits are a signed fixed-point number (D3D11.3 functional specification,
        // 16.5.3).
        let id = integers::sign_extend(cx, int_shape, id)?;
        let id = cx.b.emit(Op::ConvertSToF, float, &[id]);
        let scale = cx.b.const_f32(1.0 / 16.0);
        *offset = cx.b.emit(Op::FMul, float, &[id, scale]);
    }
    let pair = cx.b.vector(float, 2);
    Ok(cx.b.construct(pair, &offsets))
}

/// Lowers `attributeAtVertex`.
pub(super) fn attribute_at_vertex(
    cx: &mut Context<'_>,
    element: u32,
    row: ValueId,
    column: u8,
    vertex: u8,
    ty: TypeId,
) -> Result<LoweredValue> {
    inputs::require(
        &cx.input,
        Features::BARYCENTRICS,
        "fragmentShaderBarycentric",
        "GetAttributeAtVertex",
    )?;
    let interface = elements::element_variable(cx, Direction::Input, element)?;
    let row = integers::to_u32(cx, row)?;
    // A constant index must be in range: there are three vertices.
    let vertex = cx.b.const_u32(u32::from(vertex.min(2)));
    let pointer =
        components::component_address(cx, interface, row, u32::from(column), Some(vertex))?;
    let scalar_ty = elements::io_scalar_ty(&mut cx.b, interface.scalar);
    let id = cx.b.load(scalar_ty, pointer);
    let want = types::scalar(cx, ty)?;
    Ok(LoweredValue::Id(components::io_convert(
        &mut cx.b,
        interface.scalar,
        want,
        id,
    )?))
}

/// Lowers `storePatchConstant`.
pub(super) fn store_patch_constant(
    cx: &mut Context<'_>,
    element: u32,
    row: ValueId,
    column: u8,
    value: ValueId,
) -> Result<LoweredValue> {
    if cx.input.entry.kind != ShaderKind::Hull {
        return Err(inputs::stage_unsupported(&cx.input, "StorePatchConstant"));
    }
    store_element(cx, Direction::Patch, element, row, column, value, None)
}
