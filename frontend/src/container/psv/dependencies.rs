//! Bit vectors of PSV0: which output components depend on the view id and on which input
//! components.
//!
//! A mask has one bit per component of the packed rows, four per row, in words of 32. A table has
//! one such mask per input component.

use super::runtime_info::RuntimeInfo;
use crate::dxil::ShaderKind;
use crate::error::Result;
use crate::reader::{Reader, Words};

/// One bit per output component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComponentMask<'a> {
    words: Words<'a>,
    vectors: u8,
}

impl<'a> ComponentMask<'a> {
    /// Returns whether the component (row times 4 plus column) is marked; false beyond the
    /// signature.
    pub fn contains(&self, component: usize) -> bool {
        component < usize::from(self.vectors) * 4
            && self
                .words
                .get(component / 32)
                .is_some_and(|word| word >> (component % 32) & 1 != 0)
    }

    /// Returns all marked components in order.
    pub fn iter(self) -> impl Iterator<Item = usize> + use<'a> {
        (0..usize::from(self.vectors) * 4).filter(move |&c| self.contains(c))
    }
}

/// For each input component the output components that depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DependencyTable<'a> {
    words: Words<'a>,
    input_vectors: u8,
    output_vectors: u8,
}

impl<'a> DependencyTable<'a> {
    /// Returns the number of input components: four per packed row.
    pub fn input_components(&self) -> usize {
        usize::from(self.input_vectors) * 4
    }

    /// Returns the outputs that depend on an input component; `None` beyond the signature.
    pub fn outputs_of(&self, input: usize) -> Option<ComponentMask<'a>> {
        let width = mask_words(self.output_vectors);
        Some(ComponentMask {
            words: self.words.slice(input.checked_mul(width)?, width)?,
            vectors: self.output_vectors,
        })
    }
}

/// All of them; each only where the stage has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dependencies<'a> {
    /// Outputs of each stream that depend on the view id.
    pub view_id_outputs: [Option<ComponentMask<'a>>; 4],
    /// Patch constants or primitive outputs that depend on the view id.
    pub view_id_patch_constants: Option<ComponentMask<'a>>,
    /// Inputs to outputs, by stream.
    pub inputs_to_outputs: [Option<DependencyTable<'a>>; 4],
    /// Hull: inputs to patch constants.
    pub inputs_to_patch_constants: Option<DependencyTable<'a>>,
    /// Domain: patch constants to outputs.
    pub patch_constants_to_outputs: Option<DependencyTable<'a>>,
}

impl Dependencies<'_> {
    /// Returns the bytes that they take in the part.
    pub(super) fn bytes(&self) -> usize {
        let masks = self
            .view_id_outputs
            .iter()
            .chain([&self.view_id_patch_constants]);
        let tables = self.inputs_to_outputs.iter().chain([
            &self.inputs_to_patch_constants,
            &self.patch_constants_to_outputs,
        ]);
        let masks: usize = masks.flatten().map(|mask| mask.words.len()).sum();
        let tables: usize = tables.flatten().map(|table| table.words.len()).sum();
        4 * (masks + tables)
    }
}

pub(super) fn parse<'a>(reader: &mut Reader<'a>, info: &RuntimeInfo) -> Result<Dependencies<'a>> {
    let mut found = Dependencies::default();
    let kind = info.kind;
    let streams = if kind == Some(ShaderKind::Geometry) {
        4
    } else {
        1
    };
    let is_mesh = kind == Some(ShaderKind::Mesh);
    // Masks and tables follow each other without any header, so their sizes must be derived in the
    // order in which they are written (DirectX Container document, "PSV0 Part").
    if info.uses_view_id {
        for (mask, &vectors) in found
            .view_id_outputs
            .iter_mut()
            .zip(&info.output_vectors)
            .take(streams)
        {
            *mask = parse_mask(reader, vectors)?;
        }
        if is_mesh || kind == Some(ShaderKind::Hull) {
            found.view_id_patch_constants = parse_mask(reader, info.patch_constant_vectors)?;
        }
    }
    // Mesh shaders have no input signature.
    if !is_mesh {
        for (table, &vectors) in found
            .inputs_to_outputs
            .iter_mut()
            .zip(&info.output_vectors)
            .take(streams)
        {
            *table = parse_table(reader, info.input_vectors, vectors)?;
        }
    }
    if kind == Some(ShaderKind::Hull) {
        found.inputs_to_patch_constants =
            parse_table(reader, info.input_vectors, info.patch_constant_vectors)?;
    }
    if let (Some(ShaderKind::Domain), [first, ..]) = (kind, info.output_vectors) {
        found.patch_constants_to_outputs = parse_table(reader, info.patch_constant_vectors, first)?;
    }
    Ok(found)
}

/// Returns the words of a mask over that many packed rows.
fn mask_words(vectors: u8) -> usize {
    // Eight rows of four components to a word.
    usize::from(vectors).div_ceil(8)
}

fn parse_mask<'a>(reader: &mut Reader<'a>, vectors: u8) -> Result<Option<ComponentMask<'a>>> {
    if vectors == 0 {
        return Ok(None);
    }
    let bytes = reader.bytes(mask_words(vectors) * 4, "view-id mask")?;
    let words = Words::new(bytes);
    Ok(Some(ComponentMask { words, vectors }))
}

fn parse_table<'a>(
    reader: &mut Reader<'a>,
    input_vectors: u8,
    output_vectors: u8,
) -> Result<Option<DependencyTable<'a>>> {
    if input_vectors == 0 || output_vectors == 0 {
        return Ok(None);
    }
    let words = mask_words(output_vectors) * usize::from(input_vectors) * 4;
    let bytes = reader.bytes(words * 4, "dependency table")?;
    Ok(Some(DependencyTable {
        words: Words::new(bytes),
        input_vectors,
        output_vectors,
    }))
}
