//! `dx.viewIdState`: which outputs depend on the view id and on which inputs, as the module has it
//! and as PSV0 has it.
//!
//! The module's list, for each output stream (and then the patch constants):
//!
//! ```text
//! input scalars | output scalars | mask of those that depend on the view id | a mask per input
//! ```
//!
//! PSV0 has all masks of the view id first, then the tables, and rounds scalars up to vectors.

use crate::dxil::ShaderKind;

/// The masks and tables of PSV0.
#[derive(Debug, Default)]
pub(super) struct ViewIdState {
    /// Outputs of each stream, then patch constants or primitives.
    pub(super) masks: [Vec<u32>; 5],
    /// Inputs to outputs of each stream, inputs to patch constants, patch constants to outputs.
    pub(super) tables: [Vec<u32>; 6],
}

/// The places of the tables from inputs to patch constants, and from there to outputs.
const TO_PATCH: usize = 4;
const FROM_PATCH: usize = 5;

/// Packed rows of the signatures.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vectors {
    pub(super) inputs: u8,
    pub(super) outputs: [u8; 4],
    pub(super) patch_constants: u8,
}

/// Returns the masks and tables of these sizes, filled from the module's list. `None` if the list
/// is not one of such a shader. An empty list stands for no dependencies.
pub(super) fn read(
    list: &[u32],
    kind: ShaderKind,
    uses_view_id: bool,
    vectors: Vectors,
) -> Option<ViewIdState> {
    let mut state = empty(kind, uses_view_id, vectors);
    if list.is_empty() {
        return Some(state);
    }
    let mut list = Words(list);
    let inputs = list.count(vectors.inputs)?;
    let streams = if kind == ShaderKind::Geometry { 4 } else { 1 };
    let ViewIdState { masks, tables } = &mut state;
    let mut first_outputs = 0;
    for (stream, (mask, table)) in masks
        .iter_mut()
        .zip(tables.iter_mut())
        .enumerate()
        .take(streams)
    {
        let outputs = list.count(*vectors.outputs.get(stream)?)?;
        if stream == 0 {
            first_outputs = outputs;
        }
        list.copy(
            mask,
            if uses_view_id {
                outputs.div_ceil(32)
            } else {
                0
            },
        )?;
        list.copy(table, inputs * outputs.div_ceil(32))?;
    }
    match kind {
        ShaderKind::Hull | ShaderKind::Mesh => {
            let outputs = list.count(vectors.patch_constants)?;
            let [.., mask] = masks;
            list.copy(
                mask,
                if uses_view_id {
                    outputs.div_ceil(32)
                } else {
                    0
                },
            )?;
            list.copy(tables.get_mut(TO_PATCH)?, inputs * outputs.div_ceil(32))?;
        }
        ShaderKind::Domain => {
            let patch_constants = list.count(vectors.patch_constants)?;
            let count = patch_constants * first_outputs.div_ceil(32);
            list.copy(tables.get_mut(FROM_PATCH)?, count)?;
        }
        _ => {}
    }
    list.0.is_empty().then_some(state)
}

/// Returns masks and tables of the right sizes, all zero.
fn empty(kind: ShaderKind, uses_view_id: bool, vectors: Vectors) -> ViewIdState {
    let words = |vectors: u8| usize::from(vectors).div_ceil(8);
    let table = |inputs: u8, outputs: u8| vec![0; usize::from(inputs) * 4 * words(outputs)];
    let mut state = ViewIdState::default();
    let Vectors {
        inputs,
        outputs,
        patch_constants,
    } = vectors;
    if uses_view_id {
        let [first, second, third, fourth, last] = &mut state.masks;
        for (mask, vectors) in [first, second, third, fourth].into_iter().zip(outputs) {
            *mask = vec![0; words(vectors)];
        }
        if matches!(kind, ShaderKind::Hull | ShaderKind::Mesh) {
            *last = vec![0; words(patch_constants)];
        }
    }
    let [first, second, third, fourth, to_patch, from_patch] = &mut state.tables;
    for (own, vectors) in [first, second, third, fourth].into_iter().zip(outputs) {
        *own = table(inputs, vectors);
    }
    let [first_outputs, ..] = outputs;
    match kind {
        ShaderKind::Hull => *to_patch = table(inputs, patch_constants),
        ShaderKind::Domain => *from_patch = table(patch_constants, first_outputs),
        _ => {}
    }
    state
}

/// The numbers of the list that are left.
struct Words<'a>(&'a [u32]);

impl Words<'_> {
    /// Returns the next number, a count of scalars that fill exactly these vectors.
    fn count(&mut self, vectors: u8) -> Option<usize> {
        let (&count, rest) = self.0.split_first()?;
        self.0 = rest;
        let scalars = count as usize;
        (scalars.div_ceil(4) == usize::from(vectors)).then_some(scalars)
    }

    /// Copies the next `count` numbers to the start of `target`.
    fn copy(&mut self, target: &mut [u32], count: usize) -> Option<()> {
        let (numbers, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        target.get_mut(..count)?.copy_from_slice(numbers);
        Some(())
    }
}
