//! PSV0.

use super::fields::{Hex8, Io, Record};
use super::names;
use crate::container::Part;
use crate::error::{Error, Result};
use crate::reader::{Reader, Strings};

/// Bytes of the runtime info of the versions that the schema has, 0 to 3.
const INFO_BYTES: [usize; 4] = [24, 36, 48, 52];

/// A field of the runtime info: its name, and where its bytes are.
type Place = (&'static str, std::ops::Range<usize>);

/// What each stage has in the first 16 bytes.
fn stage_fields(stage: u8) -> &'static [Place] {
    match stage {
        0 => &[("DepthOutput", 0..1), ("SampleFrequency", 1..2)],
        1 => &[("OutputPositionPresent", 0..1)],
        2 => &[
            ("InputPrimitive", 0..4),
            ("OutputTopology", 4..8),
            ("OutputStreamMask", 8..12),
            ("OutputPositionPresent", 12..13),
        ],
        HULL => &[
            ("InputControlPointCount", 0..4),
            ("OutputControlPointCount", 4..8),
            ("TessellatorDomain", 8..12),
            ("TessellatorOutputPrimitive", 12..16),
        ],
        DOMAIN => &[
            ("InputControlPointCount", 0..4),
            ("OutputPositionPresent", 4..5),
            ("TessellatorDomain", 8..12),
        ],
        13 => &[
            ("GroupSharedBytesUsed", 0..4),
            ("GroupSharedBytesDependentOnViewID", 4..8),
            ("PayloadSizeInBytes", 8..12),
            ("MaxOutputVertices", 12..14),
            ("MaxOutputPrimitives", 14..16),
        ],
        14 => &[("PayloadSizeInBytes", 0..4)],
        _ => &[],
    }
}

const HULL: u8 = 3;
const DOMAIN: u8 = 4;

const WAVES: &[Place] = &[
    ("MinimumWaveLaneCount", 16..20),
    ("MaximumWaveLaneCount", 20..24),
];

/// What each stage has in two bytes that version 1 added.
fn second_stage_fields(stage: u8) -> &'static [Place] {
    match stage {
        2 => &[("MaxVertexCount", 26..28)],
        HULL | DOMAIN => &[("SigPatchConstOrPrimVectors", 26..27)],
        13 => &[("SigPrimVectors", 26..27), ("MeshOutputTopology", 27..28)],
        _ => &[],
    }
}

const THREADS: &[Place] = &[
    ("NumThreadsX", 36..40),
    ("NumThreadsY", 40..44),
    ("NumThreadsZ", 44..48),
];

/// PSV0. What its tables repeat of the records is not kept.
#[derive(Debug, Default)]
pub(super) struct PsvText {
    version: u32,
    info: Info,
    resource_stride: u32,
    info_bytes: Option<u32>,
    strings: Vec<TableString>,
    resources: Vec<ResourceText>,
    elements: [Vec<ElementText>; 3],
    output_masks: [Vec<u32>; 4],
    patch_masks: Vec<u32>,
    input_to_output: [Vec<u32>; 4],
    input_to_patch: Vec<u32>,
    patch_to_output: Vec<u32>,
    entry_name: String,
}

/// The bytes of the runtime info.
#[derive(Debug, Clone, Copy)]
struct Info([u8; 52]);

impl Default for Info {
    fn default() -> Self {
        Info([0; 52])
    }
}

/// A string of the table, with its offset.
#[derive(Debug, Default)]
struct TableString {
    text: String,
    offset: u32,
}

#[derive(Debug, Default)]
struct ResourceText {
    ty: u32,
    space: u32,
    lower: u32,
    upper: u32,
    /// Fields of version 2.
    extra: ResourceExtra,
    has_extra: bool,
}

#[derive(Debug, Default)]
struct ResourceExtra {
    kind: u32,
    flags: ResourceFlags,
}

#[derive(Debug, Default)]
struct ResourceFlags(u64);

#[derive(Debug, Default)]
struct ElementText {
    name: String,
    indices: Vec<u32>,
    start_row: u8,
    columns: u8,
    start_column: u8,
    is_allocated: bool,
    kind: u32,
    component: u32,
    interpolation: u32,
    dynamic_mask: Hex8,
    stream: u8,
}

impl Info {
    fn byte(&self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    fn stage(&self) -> u8 {
        self.byte(24)
    }

    fn uses_view_id(&self) -> bool {
        self.byte(25) != 0
    }

    /// Packed rows: inputs, four output streams, patch constants.
    fn vectors(&self) -> (usize, [usize; 4], usize) {
        let at = |place| usize::from(self.byte(place));
        (at(31), [at(32), at(33), at(34), at(35)], at(26))
    }

    fn fields(&mut self, io: &mut Io<'_, '_>, places: &[Place]) -> Result<()> {
        for (key, place) in places {
            let Some(bytes) = self.0.get_mut(place.clone()) else {
                continue;
            };
            let mut word = [0; 4];
            for (to, from) in word.iter_mut().zip(bytes.iter()) {
                *to = *from;
            }
            let mut value = u32::from_le_bytes(word);
            io.required(key, &mut value)?;
            if bytes.len() < 4 && value >> (bytes.len() * 8) != 0 {
                return Err(Error::malformed(format!(
                    "{key} is {value}, and has {} bits",
                    bytes.len() * 8
                )));
            }
            for (to, from) in bytes.iter_mut().zip(value.to_le_bytes()) {
                *to = from;
            }
        }
        Ok(())
    }

    fn byte_field(&mut self, io: &mut Io<'_, '_>, key: &str, at: usize) -> Result<()> {
        let mut value = self.byte(at);
        io.required(key, &mut value)?;
        if let Some(byte) = self.0.get_mut(at) {
            *byte = value;
        }
        Ok(())
    }
}

impl Record for PsvText {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.required("Version", &mut self.version)?;
        self.info.byte_field(io, "ShaderStage", 24)?;
        let stage = self.info.stage();
        self.info.fields(io, stage_fields(stage))?;
        self.info.fields(io, WAVES)?;
        if self.version >= 1 {
            self.info.byte_field(io, "UsesViewID", 25)?;
            self.info.fields(io, second_stage_fields(stage))?;
            self.info.byte_field(io, "SigInputVectors", 31)?;
            let mut outputs = [32, 33, 34, 35].map(|at| self.info.byte(at));
            io.bytes("SigOutputVectors", &mut outputs, false)?;
            if let Some(bytes) = self.info.0.get_mut(32..36) {
                bytes.copy_from_slice(&outputs);
            }
        }
        if self.version >= 2 {
            self.info.fields(io, THREADS)?;
        }
        if self.version >= 3 {
            io.required("EntryName", &mut self.entry_name)?;
        }
        io.required("ResourceStride", &mut self.resource_stride)?;
        if self.version >= 1 {
            io.optional("RuntimeInfoSize", &mut self.info_bytes)?;
            if io.is_reading() || !self.strings.is_empty() {
                io.maybe_records("StringTable", &mut self.strings)?;
            }
        }
        io.records("Resources", &mut self.resources)?;
        if self.version == 0 {
            return Ok(());
        }
        let keys = [
            "SigInputElements",
            "SigOutputElements",
            "SigPatchOrPrimElements",
        ];
        for (key, elements) in keys.into_iter().zip(&mut self.elements) {
            io.records(key, elements)?;
        }
        if self.info.uses_view_id() {
            io.four_lists("OutputVectorMasks", &mut self.output_masks)?;
            if stage == HULL {
                io.numbers("PatchOrPrimMasks", &mut self.patch_masks, true)?;
            }
        }
        io.four_lists("InputOutputMap", &mut self.input_to_output)?;
        match stage {
            HULL => io.numbers("InputPatchMap", &mut self.input_to_patch, true),
            DOMAIN => io.numbers("PatchOutputMap", &mut self.patch_to_output, true),
            _ => Ok(()),
        }
    }
}

impl Record for TableString {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.required("String", &mut self.text)?;
        io.required("Offset", &mut self.offset)
    }
}

impl Record for ResourceText {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.named("Type", &mut self.ty, names::RESOURCE_TYPES)?;
        io.required("Space", &mut self.space)?;
        io.required("LowerBound", &mut self.lower)?;
        io.required("UpperBound", &mut self.upper)?;
        if io.is_reading() {
            io.named_or("Kind", &mut self.extra.kind, names::RESOURCE_KINDS)?;
            let mut flags = None;
            io.maybe("Flags", &mut flags)?;
            self.extra.flags = flags.unwrap_or_default();
        } else if self.has_extra {
            io.named("Kind", &mut self.extra.kind, names::RESOURCE_KINDS)?;
            io.record("Flags", &mut self.extra.flags)?;
        }
        Ok(())
    }
}

impl Record for ResourceFlags {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.flags(&mut self.0, names::RESOURCE_FLAGS, true)
    }
}

impl Record for ElementText {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.required("Name", &mut self.name)?;
        io.numbers("Indices", &mut self.indices, false)?;
        io.required("StartRow", &mut self.start_row)?;
        io.required("Cols", &mut self.columns)?;
        io.required("StartCol", &mut self.start_column)?;
        io.required("Allocated", &mut self.is_allocated)?;
        io.named("Kind", &mut self.kind, names::SEMANTICS)?;
        io.named("ComponentType", &mut self.component, names::COMPONENT_TYPES)?;
        io.named(
            "Interpolation",
            &mut self.interpolation,
            names::INTERPOLATIONS,
        )?;
        io.required("DynamicMask", &mut self.dynamic_mask)?;
        io.required("Stream", &mut self.stream)
    }
}

const WHAT: &str = "pipeline state";

/// Returns the words of a mask with one bit for each component of the rows.
fn mask_words(rows: usize) -> usize {
    rows.div_ceil(8)
}

fn words(reader: &mut Reader<'_>, count: usize) -> Result<Vec<u32>> {
    let mut table = reader.sub(count.saturating_mul(4), WHAT)?;
    let mut words = Vec::with_capacity(count);
    while !table.is_empty() {
        words.push(table.u32(WHAT)?);
    }
    Ok(words)
}

impl PsvText {
    /// Describes the part. `stage` is the program's, which version 0 does not state.
    pub(super) fn of(part: &Part<'_>, stage: Option<u32>) -> Result<Self> {
        let mut reader = part.reader();
        let info_bytes = reader.u32(WHAT)?;
        let info = reader.bytes(info_bytes as usize, WHAT)?;
        // A larger structure belongs to a later version, and is read as the last known one.
        let known = INFO_BYTES.iter().rposition(|bytes| info.len() >= *bytes);
        let version =
            known.ok_or_else(|| Error::malformed("the runtime info has under 24 bytes"))?;
        let mut text = PsvText {
            version: u32::try_from(version).unwrap_or(0),
            info_bytes: (version > 0).then_some(info_bytes),
            ..PsvText::default()
        };
        for (to, from) in text.info.0.iter_mut().zip(info) {
            *to = *from;
        }
        if version == 0 {
            let stage = stage.and_then(|stage| u8::try_from(stage).ok());
            let stage =
                stage.ok_or_else(|| Error::malformed("there is no program with a stage"))?;
            text.info.0 = std::array::from_fn(|at| match at {
                24 => stage,
                25.. => 0,
                _ => text.info.byte(at),
            });
        }
        let count = reader.u32(WHAT)? as usize;
        // What LLVM says where no record has a size.
        text.resource_stride = 24;
        if count != 0 {
            text.resource_stride = reader.u32(WHAT)?;
            let stride = text.resource_stride as usize;
            if stride < 16 {
                return Err(Error::malformed(
                    "the record of a resource has under 16 bytes",
                ));
            }
            let mut table = reader.sub(count.saturating_mul(stride), WHAT)?;
            while !table.is_empty() {
                let record = table.sub(stride, WHAT)?;
                text.resources.push(ResourceText::of(record, version)?);
            }
        }
        if version == 0 {
            return Ok(text);
        }
        let size = reader.u32(WHAT)? as usize;
        let base = reader.offset();
        let strings = Strings::new(reader.bytes(size, WHAT)?, base);
        text.strings = table_strings(&strings)?;
        let count = reader.u32(WHAT)? as usize;
        let indices = words(&mut reader, count)?;
        let counts = [28, 29, 30].map(|at| usize::from(text.info.byte(at)));
        if counts != [0; 3] {
            let stride = reader.u32(WHAT)? as usize;
            for (elements, count) in text.elements.iter_mut().zip(counts) {
                for _ in 0..count {
                    let record = reader.sub(stride, WHAT)?;
                    elements.push(ElementText::of(record, &strings, &indices)?);
                }
            }
        }
        text.read_dependencies(&mut reader)?;
        if version >= 3 {
            let [.., a, b, c, d] = text.info.0;
            let offset = u32::from_le_bytes([a, b, c, d]);
            text.entry_name = strings.get(offset, "entry function name")?.to_owned();
        }
        Ok(text)
    }

    fn read_dependencies(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let (inputs, outputs, patch) = self.info.vectors();
        let stage = self.info.stage();
        if self.info.uses_view_id() {
            for (masks, rows) in self.output_masks.iter_mut().zip(outputs) {
                *masks = words(reader, mask_words(rows))?;
            }
            if stage == HULL {
                self.patch_masks = words(reader, mask_words(patch))?;
            }
        }
        for (table, rows) in self.input_to_output.iter_mut().zip(outputs) {
            *table = words(reader, mask_words(rows) * inputs * 4)?;
        }
        match stage {
            HULL => self.input_to_patch = words(reader, mask_words(patch) * inputs * 4)?,
            DOMAIN => {
                let [first, ..] = outputs;
                self.patch_to_output = words(reader, mask_words(first) * patch * 4)?;
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn write(&self) -> Result<Vec<u8>> {
        let version = usize::try_from(self.version).unwrap_or(usize::MAX);
        let info_bytes = INFO_BYTES.get(version).copied().unwrap_or(52);
        let mut info = self.info;
        let (strings, offsets) = self.string_table()?;
        for (at, elements) in (28..).zip(&self.elements) {
            let count = u8::try_from(elements.len());
            let count = count.map_err(|_| Error::malformed("a signature has over 255 elements"))?;
            if let Some(byte) = info.0.get_mut(at) {
                *byte = count;
            }
        }
        if let Some(bytes) = info.0.get_mut(48..52) {
            bytes.copy_from_slice(&offsets(&self.entry_name).to_le_bytes());
        }
        let mut out = Vec::new();
        put(&mut out, word(info_bytes)?);
        out.extend(info.0.iter().take(info_bytes));
        put(&mut out, word(self.resources.len())?);
        if !self.resources.is_empty() {
            put(&mut out, if version >= 2 { 24 } else { 16 });
        }
        for resource in &self.resources {
            resource.write(&mut out, version);
        }
        if version == 0 {
            return Ok(out);
        }
        put(&mut out, word(strings.len())?);
        out.extend_from_slice(&strings);
        let mut indices: Vec<u32> = Vec::new();
        let mut records = Vec::new();
        for element in self.elements.iter().flatten() {
            let rows = element.indices.len();
            let known = if rows == 0 {
                None
            } else {
                let mut runs = indices.windows(rows);
                runs.position(|run| *run == *element.indices)
            };
            let place = known.unwrap_or_else(|| {
                indices.extend_from_slice(&element.indices);
                indices.len() - rows
            });
            element.write(&mut records, offsets(&element.name), word(place)?)?;
        }
        put(&mut out, word(indices.len())?);
        for index in &indices {
            put(&mut out, *index);
        }
        if !records.is_empty() {
            put(&mut out, 16);
            out.extend_from_slice(&records);
        }
        let outputs = self.output_masks.iter();
        let tables = outputs
            .chain(std::iter::once(&self.patch_masks))
            .chain(&self.input_to_output)
            .chain([&self.input_to_patch, &self.patch_to_output]);
        for word in tables.flatten() {
            put(&mut out, *word);
        }
        Ok(out)
    }

    /// Returns the table of names, padded, and where each is in it. As LLVM's string table builder
    /// has it, names are sorted by their ends, and a name that ends another one stands within it.
    fn string_table(&self) -> Result<(Vec<u8>, impl Fn(&str) -> u32)> {
        let names = self.elements.iter().flatten().map(|element| &element.name);
        let mut names: Vec<&str> = names.map(String::as_str).collect();
        if self.version >= 3 {
            names.push(&self.entry_name);
        }
        names.retain(|name| !name.is_empty());
        names.sort_by(|a, b| b.bytes().rev().cmp(a.bytes().rev()));
        names.dedup();
        let mut table = vec![0];
        let mut places: Vec<(String, u32)> = Vec::with_capacity(names.len());
        let mut before = "";
        for name in names {
            let offset = if before.ends_with(name) {
                // In front of the zero that ends it.
                table.len() - 1 - name.len()
            } else {
                let offset = table.len();
                table.extend_from_slice(name.as_bytes());
                table.push(0);
                before = name;
                offset
            };
            places.push((name.to_owned(), word(offset)?));
        }
        table.resize(table.len().next_multiple_of(4), 0);
        Ok((table, move |name: &str| {
            let place = places.iter().find(|(known, _)| known == name);
            place.map_or(0, |(_, offset)| *offset)
        }))
    }
}

/// Returns the strings of a table that are not empty.
fn table_strings(strings: &Strings<'_>) -> Result<Vec<TableString>> {
    let mut found = Vec::new();
    let mut at = 0;
    let bytes = strings.bytes();
    while at < bytes.len() {
        let offset = word(at)?;
        let text = strings.get(offset, "string table")?;
        if !text.is_empty() {
            let text = text.to_owned();
            found.push(TableString { text, offset });
        }
        at += found.last().map_or(0, |last| {
            if last.offset == offset {
                last.text.len()
            } else {
                0
            }
        }) + 1;
    }
    Ok(found)
}

impl ResourceText {
    fn of(mut record: Reader<'_>, version: usize) -> Result<Self> {
        let mut text = ResourceText {
            ty: record.u32(WHAT)?,
            space: record.u32(WHAT)?,
            lower: record.u32(WHAT)?,
            upper: record.u32(WHAT)?,
            ..ResourceText::default()
        };
        if version >= 2 {
            text.has_extra = true;
            text.extra.kind = record.u32(WHAT)?;
            text.extra.flags.0 = record.u32(WHAT)?.into();
        }
        Ok(text)
    }

    fn write(&self, out: &mut Vec<u8>, version: usize) {
        for word in [self.ty, self.space, self.lower, self.upper] {
            put(out, word);
        }
        if version >= 2 {
            put(out, self.extra.kind);
            put(out, u32::try_from(self.extra.flags.0).unwrap_or(u32::MAX));
        }
    }
}

impl ElementText {
    fn of(mut record: Reader<'_>, strings: &Strings<'_>, indices: &[u32]) -> Result<Self> {
        let name = strings.get(record.u32(WHAT)?, "semantic name")?.to_owned();
        let first = record.u32(WHAT)? as usize;
        let rows = usize::from(record.u8(WHAT)?);
        let own = indices.get(first..first.saturating_add(rows));
        let own =
            own.ok_or_else(|| Error::malformed("an element's indices are not in the table"))?;
        let start_row = record.u8(WHAT)?;
        let shape = record.u8(WHAT)?;
        let mut text = ElementText {
            name,
            indices: own.to_vec(),
            start_row,
            columns: shape & 0xf,
            start_column: shape >> 4 & 3,
            is_allocated: shape >> 6 & 1 != 0,
            kind: record.u8(WHAT)?.into(),
            component: record.u8(WHAT)?.into(),
            interpolation: record.u8(WHAT)?.into(),
            ..ElementText::default()
        };
        let masks = record.u8(WHAT)?;
        text.dynamic_mask = Hex8(masks & 0xf);
        text.stream = masks >> 4 & 3;
        Ok(text)
    }

    fn write(&self, out: &mut Vec<u8>, name: u32, place: u32) -> Result<()> {
        let byte = |value: u32, what: &str| {
            u8::try_from(value).map_err(|_| Error::malformed(format!("{what} {value} is no byte")))
        };
        put(out, name);
        put(out, place);
        let rows = u8::try_from(self.indices.len());
        let rows = rows.map_err(|_| Error::malformed("an element has over 255 rows"))?;
        out.extend_from_slice(&[
            rows,
            self.start_row,
            self.columns & 0xf | (self.start_column & 3) << 4 | u8::from(self.is_allocated) << 6,
            byte(self.kind, "Kind")?,
            byte(self.component, "ComponentType")?,
            byte(self.interpolation, "Interpolation")?,
            self.dynamic_mask.0 & 0xf | (self.stream & 3) << 4,
            0,
        ]);
        Ok(())
    }
}

fn put(out: &mut Vec<u8>, word: u32) {
    out.extend_from_slice(&word.to_le_bytes());
}

fn word(value: usize) -> Result<u32> {
    u32::try_from(value).map_err(|_| Error::malformed("the pipeline state is larger than 4 GiB"))
}
