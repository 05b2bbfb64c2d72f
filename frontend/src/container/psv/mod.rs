//! PSV0: what the runtime checks when it makes a pipeline ("Pipeline State Validation").
//!
//! Layout, each section only where the one before it says so:
//!
//! ```text
//! size | runtime info | resource count | record size | bindings | strings | semantic indices
//!      | record size | input, output, patch-constant elements | view-id masks | dependency tables
//! ```
//!
//! The version is not written anywhere: the size of the runtime info determines it (24, 36, 48, 52,
//! 56 bytes are versions 0 to 4). Records longer than known are stepped over by their stride.

mod dependencies;
mod elements;
mod resources;
mod runtime_info;

pub use dependencies::{ComponentMask, Dependencies, DependencyTable};
pub use elements::PsvElement;
pub use resources::{PsvResource, PsvResourceFlags, PsvResourceKindInfo, PsvResourceType};
pub use runtime_info::{PsvStage, RuntimeInfo};

use super::header::{Container, Part};
use crate::container::fourcc::FourCc;
use crate::dxil::ShaderKind;
use crate::error::{Error, ErrorKind, Result};
use crate::reader::{Reader, Strings, Words};

/// Content of the PSV0 part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Psv<'a> {
    /// Version, 0 to 4, inferred from the size of the runtime info.
    pub version: u8,
    /// The fixed-size part.
    pub info: RuntimeInfo,
    /// Resources that the shader uses.
    pub resources: Vec<PsvResource>,
    /// Input elements (version 1 and above).
    pub inputs: Vec<PsvElement<'a>>,
    /// Output elements (version 1 and above).
    pub outputs: Vec<PsvElement<'a>>,
    /// Patch constants (hull, domain) or primitive outputs (mesh) (version 1 and above).
    pub patch_constants: Vec<PsvElement<'a>>,
    /// Tables of the outputs that depend on each input and on the view id (version 1 and above).
    pub dependencies: Dependencies<'a>,
    /// Name of the entry function (version 3 and above).
    pub entry_name: Option<&'a str>,
    /// The string table.
    pub strings: Strings<'a>,
    /// The semantic index table.
    pub semantic_indices: Words<'a>,
}

impl<'a> Container<'a> {
    /// Reads PSV0, where there is one. Version 0 does not tell its own stage: the program header
    /// does.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn psv(&self) -> Result<Option<Psv<'a>>> {
        let Some(part) = self.part(FourCc::PSV0) else {
            return Ok(None);
        };
        let header = self.program().ok().and_then(|p| p.header);
        Psv::parse(part, header.map(|h| h.kind)).map(Some)
    }
}

impl<'a> Psv<'a> {
    /// Reads the part. `stage` is needed for version 0 only; where it is unknown, the stage's
    /// fields are left out.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn parse(part: Part<'a>, stage: Option<ShaderKind>) -> Result<Self> {
        parse_psv(part, stage).map_err(|e| e.in_part(part.name))
    }
}

impl Psv<'_> {
    /// Returns the bytes of the masks and tables of dependencies, at the end of the part.
    pub fn dependency_bytes(&self) -> usize {
        self.dependencies.bytes()
    }
}

fn parse_psv(part: Part<'_>, stage: Option<ShaderKind>) -> Result<Psv<'_>> {
    let mut reader = part.reader();
    let size = reader.u32("size of the runtime info")? as usize;
    let (version, info) = runtime_info::parse(reader.sub(size, "runtime info")?, stage)?;
    let resources = parse_resources(&mut reader)?;
    let mut psv = Psv {
        version,
        info,
        resources,
        inputs: Vec::new(),
        outputs: Vec::new(),
        patch_constants: Vec::new(),
        dependencies: Dependencies::default(),
        entry_name: None,
        strings: Strings::default(),
        semantic_indices: Words::default(),
    };
    if version >= 1 {
        parse_tables(&mut reader, &mut psv)?;
    }
    Ok(psv)
}

fn parse_resources(reader: &mut Reader<'_>) -> Result<Vec<PsvResource>> {
    let count = reader.u32("resource count")?;
    // Without resources there is no record size (DirectX Container document, "PSV0 Part").
    if count == 0 {
        return Ok(Vec::new());
    }
    let stride = record_stride(reader, resources::MIN_BYTES, "resource record")?;
    let table = reader.sub((count as usize).saturating_mul(stride), "resource records")?;
    records(table, stride, "resource record")
        .map(|record| resources::parse(record?))
        .collect()
}

/// Reads what version 1 added.
fn parse_tables<'a>(reader: &mut Reader<'a>, psv: &mut Psv<'a>) -> Result<()> {
    let size_offset = reader.offset();
    let size = reader.u32("size of the string table")?;
    if size % 4 != 0 {
        return Err(Error::new(ErrorKind::BadValue {
            what: "size of the string table",
            value: u64::from(size),
            rule: "it is a multiple of 4",
        })
        .at_offset(size_offset));
    }
    let base = reader.offset();
    psv.strings = Strings::new(reader.bytes(size as usize, "string table")?, base);
    let count = reader.u32("size of the semantic index table")? as usize;
    let indices = reader.bytes(count.saturating_mul(4), "semantic index table")?;
    psv.semantic_indices = Words::new(indices);

    let counts = psv.info.element_counts;
    // As with resources: the record size is there only if there are records.
    if counts.iter().any(|&count| count != 0) {
        let stride = record_stride(reader, elements::MIN_BYTES, "signature element")?;
        let [inputs, outputs, patch_constants] = counts;
        let tables = (psv.strings, psv.semantic_indices);
        psv.inputs = parse_elements(reader, inputs, stride, tables)?;
        psv.outputs = parse_elements(reader, outputs, stride, tables)?;
        psv.patch_constants = parse_elements(reader, patch_constants, stride, tables)?;
    }
    psv.dependencies = dependencies::parse(reader, &psv.info)?;
    if let Some(offset) = psv.info.entry_name_offset {
        psv.entry_name = Some(psv.strings.get(offset, "entry function name")?);
    }
    Ok(())
}

fn parse_elements<'a>(
    reader: &mut Reader<'a>,
    count: u8,
    stride: usize,
    (strings, indices): (Strings<'a>, Words<'a>),
) -> Result<Vec<PsvElement<'a>>> {
    let size = usize::from(count).saturating_mul(stride);
    let table = reader.sub(size, "signature elements")?;
    records(table, stride, "signature element")
        .map(|record| elements::parse(record?, strings, indices))
        .collect()
}

/// Reads a record size as the file states it: at least what is known, and whole words.
fn record_stride(reader: &mut Reader<'_>, minimum: usize, what: &'static str) -> Result<usize> {
    let offset = reader.offset();
    let stride = reader.u32(what)?;
    // A larger record belongs to a later version, whose new fields come last (DirectX Container
    // document, "PSV0 Part").
    if (stride as usize) < minimum || stride % 4 != 0 {
        return Err(Error::new(ErrorKind::BadValue {
            what,
            value: u64::from(stride),
            rule: "its size holds the first version's fields and is a multiple of 4",
        })
        .at_offset(offset));
    }
    Ok(stride as usize)
}

/// Returns the records of a table, one reader each. `stride` is not 0.
fn records<'a>(
    mut table: Reader<'a>,
    stride: usize,
    what: &'static str,
) -> impl Iterator<Item = Result<Reader<'a>>> {
    std::iter::from_fn(move || (!table.is_empty()).then(|| table.sub(stride, what)))
}
