//! Stream output as transform feedback, and other copies of output elements.
//!
//! SPIR-V captures whole variables. An entry that takes a whole one-row element decorates that
//! element's variable; any other entry (some components, one row of several, a second capture, one
//! of the clip distances) gets a separate variable after the stage's last location, to which every
//! store is copied.

use dxil_frontend::dxil::{ShaderKind, SignatureElement};
use dxil_frontend::ir::ValueId;

use super::elements;
use crate::lower::context::{Context, Input};
use crate::lower::signatures::state::{
    Adjust, Direction, InterfaceVariable, OutputCopy, VariableType,
};
use crate::lower::signatures::{components, inputs, streams};
use crate::lower::type_map::Scalar;
use crate::options::Features;
use crate::spirv::{Builder, Capability, Decoration, ExecutionMode, Id, Op, StorageClass};
use crate::{Error, Result, StreamOutputEntry};

/// Returns whether the stage has stream output.
fn is_used(input: &Input<'_>) -> bool {
    matches!(
        input.entry.kind,
        ShaderKind::Vertex | ShaderKind::Domain | ShaderKind::Geometry
    ) && !input.options.signature.stream_output.entries.is_empty()
}

/// Makes the variables that are captured. Runs before the first function is lowered.
pub(in crate::lower) fn plan(cx: &mut Context<'_>) -> Result<()> {
    if !is_used(&cx.input) {
        return Ok(());
    }
    inputs::require(
        &cx.input,
        Features::TRANSFORM_FEEDBACK,
        "transformFeedback",
        "stream output",
    )?;
    cx.b.capability(Capability::TransformFeedback);
    let options = cx.input.options;
    let mut captured: Vec<u32> = Vec::new();
    // The captured variables exist even if the shader never stores them: Vulkan captures what is
    // decorated.
    for entry in &options.signature.stream_output.entries {
        let variable = captured_variable(cx, entry, &mut captured)?;
        let decorations = [
            (Decoration::XfbBuffer, entry.buffer),
            (Decoration::XfbStride, entry.stride),
            (Decoration::Offset, entry.offset),
        ];
        for (decoration, value) in decorations {
            cx.b.decorate(variable, decoration, &[value]);
        }
    }
    Ok(())
}

/// Declares the execution mode of stages that stream out.
pub(in crate::lower) fn declare_mode(b: &mut Builder, input: &Input<'_>, function: Id) {
    if is_used(input) {
        b.execution_mode(function, ExecutionMode::Xfb, &[]);
    }
}

fn captured_variable(
    cx: &mut Context<'_>,
    entry: &StreamOutputEntry,
    captured: &mut Vec<u32>,
) -> Result<Id> {
    let name = || format!("stream output of {}{}", entry.semantic, entry.index);
    let elements = &cx.input.entry.outputs;
    let found = elements.iter().find_map(|element| {
        let same =
            element.stream == entry.stream && element.name.eq_ignore_ascii_case(&entry.semantic);
        let row = element
            .semantic_indices
            .iter()
            .position(|&index| index == entry.index);
        Some((element, row.filter(|_| same)? as u32))
    });
    let Some((element, row)) = found else {
        return Err(Error::malformed(format!("{}: no such output", name())));
    };
    // A first component past the element gives `None`, 0 components ask for all that are left.
    let left = element.columns.checked_sub(entry.first_component);
    let columns = match (left, entry.components) {
        (Some(left @ 1..), 0) => left,
        (Some(left), requested) if requested <= left && requested > 0 => requested,
        _ => {
            return Err(Error::malformed(format!("{}: no such components", name())));
        }
    };
    // Vulkan captures values at multiples of their size of 4 bytes, and D3D12 has 4 buffers.
    let aligned = entry.offset.is_multiple_of(4) && entry.stride.is_multiple_of(4);
    let end = entry.offset.checked_add(columns * 4);
    if !aligned || entry.buffer > 3 || end.is_none_or(|end| end > entry.stride) {
        return Err(Error::malformed(format!(
            "{}: it does not fit a vertex of {} bytes in buffer {}",
            name(),
            entry.stride,
            entry.buffer
        )));
    }
    let interface = elements::element_variable(cx, Direction::Output, element.id)?;
    // Xfb decorations belong to the whole variable, and one variable can be captured once.
    let is_whole = columns == element.columns
        && matches!(
            interface.variable_type,
            VariableType::Scalar | VariableType::Vector
        )
        && interface.scalar.width() == 32
        && !captured.contains(&element.id);
    if is_whole {
        captured.push(element.id);
        return Ok(interface.variable);
    }
    copy_of(cx, element, row, entry.first_component, columns)
}

/// Returns a new output variable that copies some columns of a row.
fn copy_of(
    cx: &mut Context<'_>,
    element: &SignatureElement,
    row: u32,
    first_column: u32,
    columns: u32,
) -> Result<Id> {
    // Captured values have components of 32 or 64 bits (VUID-StandaloneSpirv-Offset-04692), so
    // min-precision outputs are captured as 32 bits.
    let scalar = match elements::component_scalar(cx, element.component)? {
        Scalar::Float { .. } => Scalar::F32,
        Scalar::Int { .. } | Scalar::Bool => Scalar::U32,
    };
    let class = StorageClass::Output;
    let scalar_ty = elements::io_scalar_ty(&mut cx.b, scalar);
    let ty = cx.b.vector_or_scalar(scalar_ty, columns);
    let pointer = cx.b.pointer(class, ty);
    let variable = cx.b.global_variable(class, pointer, None);
    // Locations are given out from the end, since no stage reads the copies.
    let location = match cx.module.stage_io.next_output {
        Some(next) => next,
        None => elements::end_of_outputs(&cx.input),
    };
    cx.module.stage_io.next_output = Some(location.saturating_add(1));
    cx.b.decorate(variable, Decoration::Location, &[location]);
    if streams::has_streams(&cx.input) {
        streams::decorate_stream(&mut cx.b, variable, element.stream);
    }
    cx.module.stage_io.copies.push(OutputCopy {
        element: element.id,
        row: (element.rows > 1).then_some(row),
        first_column,
        columns,
        interface: InterfaceVariable {
            variable,
            class,
            scalar,
            ty,
            variable_type: if columns > 1 {
                VariableType::Vector
            } else {
                VariableType::Scalar
            },
            columns,
            adjust: Adjust::None,
            arrayed: false,
        },
    });
    Ok(variable)
}

/// Writes the copies of one component of an output element.
pub(super) fn store_copies(
    cx: &mut Context<'_>,
    element: u32,
    row: Id,
    column: u8,
    value: ValueId,
) -> Result<()> {
    // By index, because the loop body changes the context.
    for index in 0..cx.module.stage_io.copies.len() {
        let copy = cx.module.stage_io.copies[index];
        // Columns before the first wrap to large numbers and fail the test below.
        let column = u32::from(column).wrapping_sub(copy.first_column);
        if copy.element != element || column >= copy.columns {
            continue;
        }
        let mut id = components::output_value(cx, value, copy.interface.scalar)?;
        let pointer = components::component_address(cx, copy.interface, row, column, None)?;
        match (copy.row, cx.b.literal(row)) {
            (Some(wanted), Some(row)) if wanted != row => continue,
            // Whether this is the row is only known at run time; otherwise keep the old value.
            (Some(wanted), None) => {
                let wanted = cx.b.const_u32(wanted);
                let bool_ty = cx.b.bool();
                let same = cx.b.emit(Op::IEqual, bool_ty, &[row, wanted]);
                let ty = elements::io_scalar_ty(&mut cx.b, copy.interface.scalar);
                let old = cx.b.load(ty, pointer);
                id = cx.b.select(ty, same, id, old);
            }
            _ => {}
        }
        cx.b.store(pointer, id);
    }
    Ok(())
}
