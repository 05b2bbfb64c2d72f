//! Rows of constant buffers that are loaded before they are needed.
//!
//! Drivers join loads of neighbouring rows, but only within a block. A row that only later blocks
//! read is therefore loaded in the first block of a function if a neighbour is loaded there.
//! Nothing changes a constant buffer while a shader runs, and where the first block reads a
//! descriptor anyway, another read of it does no harm. The end of the memory at a root descriptor's
//! address is not known, so that only what the shader reads is read there.

use cranelift_entity::EntityRef;
use dxil_frontend::dxil::ops::{BufferOp, Op};
use dxil_frontend::ir::{Block, InstId};

use super::state::{EarlyRows, MAX_ROWS, Rows};
use crate::interface::{DescriptorOrigin, View, ViewId};
use crate::lower::context::{Context, Input};
use crate::{BufferAccess, Location};

/// Finds the rows of a function whose first block has begun.
pub(in crate::lower) fn begin_function(cx: &mut Context<'_>) {
    let view = cx.function.view;
    let blocks = &view.function.blocks;
    cx.function.early_rows = EarlyRows::in_block(cx.block.label);
    let (Some(first), Some(plan)) = (blocks.values().next(), cx.function.plan) else {
        return;
    };
    if blocks.len() == 1 || !may_load_early(&cx.input) {
        return;
    }
    let mut read = Vec::new();
    for (inst, op) in plan.operations() {
        if let Op::Buffer(BufferOp::CBufferLoadLegacy(op)) = op
            && let Some(row) = view.constant_int(op.register)
            && let Ok(row) = u32::try_from(row)
            && let Some(id) = plan.handle(op.buffer).and_then(|handle| handle.view)
            && cx.input.plan.view(id).is_ok_and(is_one_descriptor)
        {
            let is_late = !is_in(first, inst);
            read.push((id, row, is_late));
        }
    }
    read.sort_unstable();
    // Of what is read early and late the early one stays.
    read.dedup_by_key(|&mut (id, row, _)| (id, row));
    for rows in read.chunk_by(|a, b| a.0 == b.0) {
        let neighbours = neighbours(rows);
        if let (Some(&(id, ..)), false) = (rows.first(), neighbours.is_empty()) {
            cx.function.early_rows.plan(id, neighbours);
        }
    }
}

/// Returns whether the target joins loads of constants.
fn may_load_early(input: &Input<'_>) -> bool {
    input.consumer().compact_code
        // Honeykrisp loads words, and more of them take registers.
        && input.numerics().buffer_access != BufferAccess::Words
        && input.options.instrumentation.instructions.is_none()
}

/// Returns whether a view is one descriptor, which code reads in any block.
fn is_one_descriptor(view: &View) -> bool {
    let is_declared = matches!(view.origin, DescriptorOrigin::Declared(_)) && view.count == Some(1);
    is_declared
        && matches!(
            view.location,
            Location::Descriptor { .. } | Location::Heap { .. }
        )
}

fn is_in(block: &Block, inst: InstId) -> bool {
    (block.first.index()..block.end.index()).contains(&inst.index())
}

/// Returns the late rows that follow or precede an early one without a gap, the nearest ones first.
/// The rows are those of one buffer, in order.
fn neighbours(rows: &[(ViewId, u32, bool)]) -> Rows {
    let mut distances = vec![u32::MAX; rows.len()];
    let mut measure = |order: &mut dyn Iterator<Item = usize>| {
        let mut last = None;
        for index in order {
            let (_, row, is_late) = rows[index];
            let distance = match last {
                _ if !is_late => Some(0),
                Some((next, Some(distance))) if row.abs_diff(next) == 1 => Some(distance + 1),
                _ => None,
            };
            distances[index] = distances[index].min(distance.unwrap_or(u32::MAX));
            last = Some((row, distance));
        }
    };
    measure(&mut (0..rows.len()));
    measure(&mut (0..rows.len()).rev());
    let mut found: Vec<(u32, u32)> = (distances.iter().zip(rows))
        .filter(|&(&distance, _)| (1..u32::MAX).contains(&distance))
        .map(|(&distance, &(_, row, _))| (distance, row))
        .collect();
    found.sort_unstable();
    let nearest = found.into_iter().take(MAX_ROWS);
    nearest.map(|(_, row)| row).collect()
}
