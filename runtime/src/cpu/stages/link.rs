//! From the outputs of a stage to the inputs of the next one: by semantic. Through a stage without
//! code: by semantic or place.

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

    /// Links the control points of a hull shader that has no code for them: each output has the
    /// input of its semantic, or else the one in its registers. Compilers of DXBC leave the phase
    /// out where registers keep their values, whatever their names.
    pub(in crate::cpu) fn through(
        (inputs, from): (&[SignatureElement], &[ElementPlace]),
        (outputs, to): (&[SignatureElement], &[ElementPlace]),
    ) -> Link {
        let mut parts = Vec::new();
        for output in outputs {
            let same_shape = |input: &&SignatureElement| {
                (input.rows, input.columns) == (output.rows, output.columns)
            };
            let same_name = |input: &&SignatureElement| {
                input.name.eq_ignore_ascii_case(&output.name)
                    && input.semantic_indices == output.semantic_indices
            };
            let same_place = |input: &&SignatureElement| {
                input.start_row.is_some()
                    && (input.start_row, input.start_column)
                        == (output.start_row, output.start_column)
            };
            let all = || inputs.iter().filter(same_shape);
            let Some(input) = all().find(same_name).or_else(|| all().find(same_place)) else {
                continue;
            };
            let places = (place_of(from, input.id), place_of(to, output.id));
            if let (Some(from), Some(to)) = places {
                let rows = 0..output.rows as usize;
                parts.extend(rows.map(|row| {
                    let at = 4 * row;
                    (from + at, to + at, output.columns as usize)
                }));
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use dxil_cpu::ElementPlace;
    use dxil_frontend::dxil::read_shader;

    use super::Link;

    /// A public shader passes POSITION on as WORLDPOS.
    #[test]
    fn control_points_without_code_keep_their_registers_whatever_their_names() {
        let file = "../hwtests/shaders/tess/quad_hs.dxil";
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let shader = read_shader(&std::fs::read(path).unwrap()).unwrap();
        // UV has two columns of one row.
        let inputs = &shader.entry_points.first().unwrap().inputs;
        let given = inputs.iter().find(|input| &*input.name == "UV").unwrap();
        let place = |id, first| ElementPlace { id, first, rows: 1 };
        let words: [u32; 12] = std::array::from_fn(|word| word as u32);
        let copied = |inputs: &[_], outputs: &[_]| {
            let places = [place(0, 0), place(1, 4), place(2, 8)];
            let mut out = [0; 12];
            Link::through((inputs, &places), (outputs, &places)).copy(&words, &mut out);
            out
        };
        let mut input = given.clone();
        let mut output = given.clone();
        (input.id, output.id) = (1, 2);
        output.name = "WORLDPOS".into();
        assert_eq!(
            copied(&[input.clone()], &[output.clone()])[8..],
            [4, 5, 0, 0]
        );
        // The semantic counts for more than the place.
        let mut named = output.clone();
        (named.id, named.start_row) = (0, Some(7));
        assert_eq!(copied(&[input, named], &[output])[8..], [0, 1, 0, 0]);
    }
}
