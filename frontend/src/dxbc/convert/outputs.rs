//! Outputs: they are registers until the shader ends or a vertex is emitted.

use super::context::{FunctionConverter, FunctionPart};
use super::inputs::is_float;
use super::memory;
use super::registers::file_number;
use super::ssa::{Def, RegisterComponent};
use crate::dxbc::tokens::File;
use crate::dxil::ops::Opcode as Op;
use crate::dxil::{SemanticKind, ShaderKind, SignatureElement};
use crate::error::{Error, Result};

/// Stores what the function has in its output registers, at its end.
pub(super) fn store_all(c: &mut FunctionConverter<'_, '_>) -> Result<()> {
    match (c.part, c.program.kind) {
        // D3D11.3 functional specification, 13.4: `emit` reads the output registers, so vertices
        // are stored there.
        (FunctionPart::Main, ShaderKind::Geometry) => Ok(()),
        (FunctionPart::PatchConstant, _) => {
            let elements = &c.signatures.patch_constants;
            elements.iter().try_for_each(|element| store(c, element))
        }
        (FunctionPart::PassThrough, _) => {
            let elements = &c.signatures.outputs;
            elements.iter().try_for_each(|element| pass(c, element))
        }
        _ => {
            let elements = &c.signatures.outputs;
            elements.iter().try_for_each(|element| store(c, element))
        }
    }
}

/// Stores what an element of the control points has in the input of the same semantic, or else in
/// the one at the same place: compilers leave the phase out where registers keep their values,
/// whatever their names.
fn pass(c: &mut FunctionConverter<'_, '_>, output: &SignatureElement) -> Result<()> {
    let has_same_shape =
        |input: &&SignatureElement| (input.rows, input.columns) == (output.rows, output.columns);
    let same_name = |input: &&SignatureElement| {
        input.name.eq_ignore_ascii_case(&output.name)
            && input.semantic_indices == output.semantic_indices
    };
    let same_place = |input: &&SignatureElement| {
        input.start_row.is_some()
            && (input.start_row, input.start_column) == (output.start_row, output.start_column)
    };
    let inputs = || c.signatures.inputs.iter().filter(has_same_shape);
    let input = inputs()
        .find(same_name)
        .or_else(|| inputs().find(same_place));
    let input = input.ok_or_else(|| {
        Error::malformed(format!(
            "no input to pass through as the control points' {}",
            output.name
        ))
    })?;
    let (int, void) = (c.i32(), c.shared.module.types.void);
    let point = c.call(Op::OutputControlPointID, Some(int), int, &[])?;
    let (from, to) = (is_float(input), is_float(output));
    let (from_type, to_type) = (c.scalar(from), c.scalar(to));
    for row in 0..output.rows {
        for column in 0..output.columns {
            let (row, column) = (c.int(row), c.byte(u8::try_from(column).unwrap_or(0)));
            let args = [c.int(input.id), row, column, point];
            let value = c.call(Op::LoadInput, Some(from_type), from_type, &args)?;
            let value = c.def(value, from);
            let value = c.as_scalar(value, to);
            let args = [c.int(output.id), row, column, value];
            c.call(Op::StoreOutput, Some(to_type), void, &args)?;
        }
    }
    Ok(())
}

/// Stores a vertex of a stream.
pub(super) fn store_vertex(c: &mut FunctionConverter<'_, '_>, stream: u32) -> Result<()> {
    let elements = &c.signatures.outputs;
    // D3D11.3 functional specification, 22.8.4: a vertex consists of the outputs of its stream.
    let mut elements = elements.iter().filter(|element| element.stream == stream);
    elements.try_for_each(|element| store(c, element))
}

fn store(c: &mut FunctionConverter<'_, '_>, element: &SignatureElement) -> Result<()> {
    for row in 0..element.rows {
        for column in 0..element.columns {
            let Some(def) = output(c, element, row, column)? else {
                continue;
            };
            let floats = is_float(element);
            let value = c.as_scalar(def, floats);
            let ty = c.scalar(floats);
            let void = c.shared.module.types.void;
            let column = u8::try_from(column).unwrap_or(0);
            let args = [c.int(element.id), c.int(row), c.byte(column), value];
            let op = match c.part {
                FunctionPart::PatchConstant => Op::StorePatchConstant,
                FunctionPart::Main | FunctionPart::ControlPoint | FunctionPart::PassThrough => {
                    Op::StoreOutput
                }
            };
            c.call(op, Some(ty), void, &args)?;
        }
    }
    Ok(())
}

/// Returns the value of an element's component in its register; nothing if no code writes it.
fn output(
    c: &mut FunctionConverter<'_, '_>,
    element: &SignatureElement,
    row: u32,
    column: u32,
) -> Result<Option<Def>> {
    let component = u8::try_from(element.start_column + column).unwrap_or(0);
    let (file, index) = match element.start_row {
        Some(start) => (File::Output, start.saturating_add(row)),
        None => match element.semantic {
            SemanticKind::Coverage => (File::OutputCoverageMask, 0),
            SemanticKind::StencilRef => (File::OutputStencilRef, 0),
            // The three forms of depth are one register file (see `locate`).
            _ => (File::OutputDepth, 0),
        },
    };
    let is_memory = file == File::Output && c.declarations.is_indexed_output(index);
    if is_memory {
        return memory::load_output(c, index, component).map(Some);
    }
    let register = RegisterComponent {
        file: file_number(file, 0),
        index,
        component,
    };
    match c.variables.find(register) {
        Some(_) => Ok(Some(c.read(register))),
        // An output that no code writes is undefined, so nothing is stored.
        None => Ok(None),
    }
}
