//! Stores of outputs: components of one row are gathered into one store.
//!
//! DXIL stores component by component. One store of a row takes fewer words, lavapipe loses
//! components of a mesh shader's vertices that are stored one by one, and other drivers have less
//! to do.

use crate::Result;
use crate::lower::context::Context;
use crate::lower::signatures::state::{InterfaceVariable, VariableType, Waiting};
use crate::lower::signatures::{components, elements, inputs};
use crate::spirv::{Id, StorageClass};

/// Stores a component of an output, at the latest at the end of the block. `vertex` is the vertex
/// or primitive of a mesh shader.
pub(super) fn store(
    cx: &mut Context<'_>,
    interface: InterfaceVariable,
    row: Id,
    column: u32,
    vertex: Option<Id>,
    value: Id,
) -> Result<()> {
    let has_rows = matches!(
        interface.variable_type,
        VariableType::Vector | VariableType::Rows { vectors: true }
    );
    let is_inside = column < interface.columns;
    let joins = vertex.is_some() || cx.input.consumer().compact_code;
    if !has_rows || !is_inside || !joins {
        let pointer = components::component_address(cx, interface, row, column, vertex)?;
        cx.b.store(pointer, value);
        return Ok(());
    }
    let slot = column as usize;
    // A component that is stored twice ends the wait: both stores may be observed in order.
    let goes_on = cx.module.stage_io.waiting.is_some_and(|waiting| {
        (waiting.interface.variable, waiting.row, waiting.vertex)
            == (interface.variable, row, vertex)
            && waiting
                .values
                .get(slot)
                .is_some_and(|value| value.is_none())
    });
    if !goes_on {
        store_waiting(cx)?;
    }
    let mut waiting = cx.module.stage_io.waiting.take().unwrap_or(Waiting {
        interface,
        row,
        vertex,
        values: [Id::NONE; 4],
    });
    if let Some(waits) = waiting.values.get_mut(slot) {
        *waits = value;
    }
    cx.module.stage_io.waiting = Some(waiting);
    let mut values = waiting.values.iter().take(interface.columns as usize);
    // A complete row needs no more waiting, which also keeps its store close to the code.
    if values.all(|value| !value.is_none()) {
        store_waiting(cx)?;
    }
    Ok(())
}

/// Stores the components that wait, at the end of a block. A block that ended early has discarded
/// its outputs.
pub(in crate::lower) fn end_block(cx: &mut Context<'_>) -> Result<()> {
    // The block ended with a discard or the like; nobody reads its outputs, and a store after the
    // terminator would be invalid.
    if cx.block.has_ended {
        cx.module.stage_io.waiting = None;
        return Ok(());
    }
    store_waiting(cx)
}

/// Stores the components that wait: before the end of the block, and before what reads or emits the
/// outputs.
pub(in crate::lower) fn store_waiting(cx: &mut Context<'_>) -> Result<()> {
    let Some(waiting) = cx.module.stage_io.waiting.take() else {
        return Ok(());
    };
    let Waiting {
        interface,
        row,
        vertex,
        ..
    } = waiting;
    let values = waiting
        .values
        .get(..interface.columns as usize)
        .unwrap_or(&waiting.values);
    if values.iter().all(|value| !value.is_none()) {
        let scalar = elements::io_scalar_ty(&mut cx.b, interface.scalar);
        let vector = cx.b.vector(scalar, interface.columns);
        let whole = cx.b.construct(vector, values);
        let pointer = row_address(cx, interface, row, vertex, vector)?;
        cx.b.store(pointer, whole);
        return Ok(());
    }
    // Only some components were stored. A store of the whole row would overwrite the others.
    for (column, &value) in (0_u32..).zip(values) {
        if !value.is_none() {
            let pointer = components::component_address(cx, interface, row, column, vertex)?;
            cx.b.store(pointer, value);
        }
    }
    Ok(())
}

/// Returns the pointer to a row of type `vector`.
fn row_address(
    cx: &mut Context<'_>,
    interface: InterfaceVariable,
    row: Id,
    vertex: Option<Id>,
    vector: Id,
) -> Result<Id> {
    let mut indices = Vec::new();
    if interface.arrayed {
        indices.push(match vertex {
            Some(vertex) => vertex,
            // A hull shader writes its own control point.
            None if interface.class == StorageClass::Output => inputs::output_control_point_id(cx)?,
            None => cx.b.const_u32(0),
        });
    }
    if matches!(interface.variable_type, VariableType::Rows { .. }) {
        indices.push(row);
    }
    if indices.is_empty() {
        return Ok(interface.variable);
    }
    let pointer_ty = cx.b.pointer(interface.class, vector);
    Ok(cx.b.access_chain(pointer_ty, interface.variable, &indices))
}
