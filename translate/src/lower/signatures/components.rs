//! One component of a signature element: its address, and its type in the code and in the variable.

use dxil_frontend::ir::ValueId;
use smallvec::SmallVec;

use crate::lower::context::{Context, Input};
use crate::lower::memory::cells;
use crate::lower::numbers::integers;
use crate::lower::signatures::state::{Direction, InterfaceVariable, VariableType};
use crate::lower::signatures::{elements, inputs};
use crate::lower::type_map::Scalar;
use crate::lower::types;
use crate::spirv::{Builder, Id, Op, StorageClass};
use crate::{Error, Result};

/// Returns the pointer to one component of an element. A hull shader's outputs are those of its own
/// control point unless `vertex` says otherwise.
pub(in crate::lower) fn component_address(
    cx: &mut Context<'_>,
    interface: InterfaceVariable,
    row: Id,
    column: u32,
    vertex: Option<Id>,
) -> Result<Id> {
    let ty = elements::io_scalar_ty(&mut cx.b, interface.scalar);
    let pointer = cx.b.pointer(interface.class, ty);
    let component = cx.b.const_u32(column);
    let mut indices: SmallVec<[Id; 4]> = SmallVec::new();
    if interface.arrayed {
        indices.push(match vertex {
            Some(vertex) => vertex,
            // A hull shader invocation writes its own control point only, which Vulkan asks for,
            // too.
            None if interface.class == StorageClass::Output => inputs::output_control_point_id(cx)?,
            None => cx.b.const_u32(0),
        });
    }
    match interface.variable_type {
        // A scalar that is not an array is the variable itself and needs no access chain.
        VariableType::Scalar if indices.is_empty() => return Ok(interface.variable),
        VariableType::Scalar => {}
        VariableType::Vector => indices.push(component),
        VariableType::Rows { vectors } => {
            indices.push(row);
            if vectors {
                indices.push(component);
            }
        }
        VariableType::Flat { base, columns } => {
            // Clip and cull distances are arrays of scalars in SPIR-V, where D3D packs them into
            // rows.
            let first = cx.b.u32_mul(row, columns);
            let offset = cx.b.const_u32(base.saturating_add(column));
            indices.push(cx.b.u32_add(first, offset));
        }
        // `SampleMask` is an array of words; D3D12 has at most 32 samples, which is the first word.
        VariableType::One => indices.push(cx.b.const_u32(0)),
    }
    Ok(cx.b.access_chain(pointer, interface.variable, &indices))
}

/// Returns one component of an input whose rows are vectors: the row is loaded as a whole, once for
/// all of its components. `None` where components are loaded one by one. `vertex` is the vertex or
/// control point.
pub(super) fn load_from_row(
    b: &mut Builder,
    input: &Input<'_>,
    direction: Direction,
    interface: InterfaceVariable,
    (row, column): (Id, u32),
    vertex: Option<Id>,
) -> Option<Id> {
    let never_changes = match direction {
        // A load may only be shared if no store can come between: a hull shader reads back the
        // patch constants that it writes.
        Direction::Input => true,
        Direction::Patch => interface.class == StorageClass::Input,
        Direction::Output => false,
    };
    // Indexing that leaves the row would be an invalid OpCompositeExtract.
    let is_inside = column < interface.columns && interface.arrayed == vertex.is_some();
    if !never_changes || !is_inside || !input.consumer().compact_code {
        return None;
    }
    let is_array = match interface.variable_type {
        VariableType::Vector => false,
        VariableType::Rows { vectors: true } => true,
        VariableType::Rows { vectors: false }
        | VariableType::Scalar
        | VariableType::Flat { .. }
        | VariableType::One => {
            return None;
        }
    };
    let scalar_ty = elements::io_scalar_ty(b, interface.scalar);
    let row_ty = b.vector(scalar_ty, interface.columns);
    let mut pointer = interface.variable;
    let indices: SmallVec<[Id; 2]> = vertex.into_iter().chain(is_array.then_some(row)).collect();
    if !indices.is_empty() {
        let pointer_ty = b.pointer(interface.class, row_ty);
        pointer = b.access_chain(pointer_ty, pointer, &indices);
    }
    let whole = b.load_unchanging(row_ty, pointer);
    Some(b.extract(scalar_ty, whole, column))
}

/// Converts between the scalar of a variable and the scalar of the code.
pub(super) fn io_convert(b: &mut Builder, from: Scalar, to: Scalar, id: Id) -> Result<Id> {
    // Signature and code differ in the sign only, or in float and integer: the bits stay the same,
    // as in D3D's typeless registers.
    if from.width() == to.width() && from != Scalar::Bool && to != Scalar::Bool {
        return Ok(match (from, to) {
            (Scalar::Int { .. }, Scalar::Float { .. })
            | (Scalar::Float { .. }, Scalar::Int { .. }) => {
                let ty = elements::io_scalar_ty(b, to);
                b.bitcast(ty, id)
            }
            _ => id,
        });
    }
    let ty = elements::io_scalar_ty(b, to);
    Ok(match (from, to) {
        (Scalar::Float { .. }, Scalar::Float { .. }) => b.emit(Op::FConvert, ty, &[id]),
        (Scalar::Int { .. }, Scalar::Int { .. }) => b.emit(Op::UConvert, ty, &[id]),
        (Scalar::Int { width, .. }, Scalar::Bool) => {
            let zero = b.const_uint(width, 0);
            b.emit(Op::INotEqual, ty, &[id, zero])
        }
        (Scalar::Bool, Scalar::Int { .. }) => {
            let word = integers::bool_to_u32(b, id);
            cells::resize_uint(b, word, 32, to.width())
        }
        _ => {
            return Err(Error::unsupported(
                "a signature element and its access have types of different kind and size",
            ));
        }
    })
}

/// Returns a value as the scalar of an output variable.
pub(super) fn output_value(cx: &mut Context<'_>, value: ValueId, scalar: Scalar) -> Result<Id> {
    let shape = types::shape_of(cx, value)?;
    let id = cx.id(value)?;
    if let Scalar::Int { bits: 16, width } = shape.scalar
        && scalar.width() == 32
    {
        // The next stage may read all 32 bits of what is a 16-bit value here.
        let id = integers::sign_extend(cx, shape, id)?;
        if width == 16 {
            let ty = cx.b.u32();
            return Ok(cx.b.emit(Op::SConvert, ty, &[id]));
        }
        return Ok(id);
    }
    io_convert(&mut cx.b, shape.scalar, scalar, id)
}
