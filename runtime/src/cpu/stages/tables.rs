//! The tables that stages give.

use dxil_cpu::ElementPlace;
use dxil_frontend::dxil::SignatureElement;

use super::super::fetch::place_of;
use crate::stages::StageOutput;

/// A table with its rows of words, as bytes.
pub(in crate::cpu) type Table = (StageOutput, Vec<u8>);

/// The tables so far: rows of words, as bytes.
#[derive(Debug, Default)]
pub(in crate::cpu) struct OutputTables {
    all: Vec<Table>,
}

impl OutputTables {
    /// Adds a row to a table.
    pub(in crate::cpu) fn row(
        &mut self,
        output: StageOutput,
        words: impl IntoIterator<Item = u32>,
    ) {
        let table = self.table(output);
        for word in words {
            table.extend_from_slice(&word.to_le_bytes());
        }
    }

    /// Returns a table; there is one from then on.
    pub(in crate::cpu) fn table(&mut self, output: StageOutput) -> &mut Vec<u8> {
        let found = self.all.iter().position(|(known, _)| *known == output);
        let at = found.unwrap_or_else(|| {
            self.all.push((output, Vec::new()));
            self.all.len() - 1
        });
        &mut self.all[at].1
    }

    pub(in crate::cpu) fn finish(self) -> Vec<Table> {
        self.all
    }
}

/// The words of some elements, in the order of a table's columns.
pub(in crate::cpu) struct Columns {
    places: Vec<usize>,
}

impl Columns {
    pub(in crate::cpu) fn new<'a>(
        elements: impl Iterator<Item = &'a SignatureElement>,
        places: &[ElementPlace],
    ) -> Columns {
        let mut all = Vec::new();
        for element in elements {
            let Some(first) = place_of(places, element.id) else {
                continue;
            };
            for row in 0..element.semantic_indices.len() {
                let columns = (element.columns as usize).min(4);
                all.extend((0..columns).map(|column| first + 4 * row + column));
            }
        }
        Columns { places: all }
    }

    /// Returns the words of a row.
    pub(in crate::cpu) fn of<'a>(&'a self, words: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        let places = self.places.iter();
        places.map(|place| words.get(*place).copied().unwrap_or(0))
    }
}
