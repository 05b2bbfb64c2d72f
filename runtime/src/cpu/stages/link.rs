//! From the outputs of a stage to the inputs of the next one: by semantic.

use dxil_cpu::ElementPlace;
use dxil_frontend::dxil::SignatureElement;

use super::super::fetch::place_of;

/// The words of an output that are words of an input.
pub(in crate::cpu) struct Link {
    /// From, to, and their number.
    parts: Vec<(usize, usize, usize)>,
}

impl Link {
    /// Links elements with the same semantic name and index.
    pub(in crate::cpu) fn new(
        (outputs, from): (&[SignatureElement], &[ElementPlace]),
        (inputs, to): (&[SignatureElement], &[ElementPlace]),
    ) -> Link {
        let mut parts = Vec::new();
        for input in inputs {
            for (row, index) in input.semantic_indices.iter().enumerate() {
                let found = outputs.iter().find_map(|output| {
                    let is_it = output.name.eq_ignore_ascii_case(&input.name);
                    let mut indices = output.semantic_indices.iter().filter(|_| is_it);
                    let row = indices.position(|other| other == index)?;
                    Some((output, row))
                });
                let Some((output, from_row)) = found else {
                    continue;
                };
                let places = (place_of(from, output.id), place_of(to, input.id));
                if let (Some(from), Some(to)) = places {
                    let columns = input.columns.min(output.columns) as usize;
                    parts.push((from + 4 * from_row, to + 4 * row, columns));
                }
            }
        }
        Link { parts }
    }

    /// Copies the words of a vertex.
    pub(in crate::cpu) fn copy(&self, from: &[u32], to: &mut [u32]) {
        for &(first, at, count) in &self.parts {
            let source = from.get(first..first + count);
            if let (Some(source), Some(place)) = (source, to.get_mut(at..at + count)) {
                place.copy_from_slice(source);
            }
        }
    }
}
