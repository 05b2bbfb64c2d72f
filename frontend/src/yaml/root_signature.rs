//! RTS0.

use super::fields::{Io, Record, Scalar};
use super::names;
use super::output::Output;
use crate::container::Part;
use crate::error::{Error, Result};
use crate::reader::Reader;

/// Bytes of the header, and of an entry of the table of parameters.
const HEADER_BYTES: usize = 24;
const ENTRY_BYTES: usize = 12;
/// Types of parameters.
const TABLE: u32 = 0;
const CONSTANTS: u32 = 1;

/// A root signature.
#[derive(Debug, Default)]
pub(super) struct RootSignatureText {
    version: u32,
    parameter_count: u32,
    parameters_offset: Option<u32>,
    sampler_count: u32,
    samplers_offset: Option<u32>,
    parameters: Vec<Parameter>,
    samplers: Vec<Sampler>,
    flags: u64,
}

#[derive(Debug, Default)]
struct Parameter {
    ty: u32,
    visibility: u32,
    constants: Constants,
    descriptor: Descriptor,
    table: Table,
}

#[derive(Debug, Default)]
struct Constants {
    count: u32,
    space: u32,
    register: u32,
}

#[derive(Debug, Default)]
struct Descriptor {
    space: u32,
    register: u32,
    flags: u64,
}

#[derive(Debug, Default)]
struct Table {
    count: u32,
    offset: u32,
    ranges: Vec<Range>,
}

#[derive(Debug, Default)]
struct Range {
    ty: u32,
    count: Count,
    register: u32,
    space: u32,
    offset: u32,
    flags: u64,
}

/// How many descriptors a range has; one without end has -1.
#[derive(Debug, Clone, Copy, Default)]
struct Count(u32);

#[derive(Debug)]
struct Sampler {
    filter: u32,
    address: [u32; 3],
    lod_bias: f32,
    max_anisotropy: u32,
    comparison: u32,
    border: u32,
    lods: [f32; 2],
    register: u32,
    space: u32,
    visibility: u32,
    flags: u64,
}

/// What a field has that is left out: the defaults of D3D12's text form.
impl Default for Sampler {
    fn default() -> Self {
        Sampler {
            filter: 0x55,
            address: [1; 3],
            lod_bias: 0.0,
            max_anisotropy: 16,
            comparison: 4,
            border: 2,
            lods: [0.0, f32::MAX],
            register: 0,
            space: 0,
            visibility: 0,
            flags: 0,
        }
    }
}

impl Record for RootSignatureText {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.required("Version", &mut self.version)?;
        io.required("NumRootParameters", &mut self.parameter_count)?;
        io.optional("RootParametersOffset", &mut self.parameters_offset)?;
        io.required("NumStaticSamplers", &mut self.sampler_count)?;
        io.optional("StaticSamplersOffset", &mut self.samplers_offset)?;
        io.records("Parameters", &mut self.parameters)?;
        if io.is_reading() || !self.samplers.is_empty() {
            io.maybe_records("Samplers", &mut self.samplers)?;
        }
        io.flags(&mut self.flags, names::ROOT_FLAGS, false)
    }
}

impl Record for Parameter {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.named("ParameterType", &mut self.ty, names::PARAMETER_TYPES)?;
        io.named(
            "ShaderVisibility",
            &mut self.visibility,
            names::VISIBILITIES,
        )?;
        match self.ty {
            TABLE => io.record("Table", &mut self.table),
            CONSTANTS => io.record("Constants", &mut self.constants),
            2..=4 => io.record("Descriptor", &mut self.descriptor),
            _ => Ok(()),
        }
    }
}

impl Record for Constants {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.required("Num32BitValues", &mut self.count)?;
        io.required("RegisterSpace", &mut self.space)?;
        io.required("ShaderRegister", &mut self.register)
    }
}

impl Record for Descriptor {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.required("RegisterSpace", &mut self.space)?;
        io.required("ShaderRegister", &mut self.register)?;
        io.flags(&mut self.flags, names::DESCRIPTOR_FLAGS, false)
    }
}

impl Record for Table {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.required("NumRanges", &mut self.count)?;
        io.or_default("RangesOffset", &mut self.offset)?;
        io.records("Ranges", &mut self.ranges)
    }
}

impl Record for Range {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.named("RangeType", &mut self.ty, names::RANGE_TYPES)?;
        io.required("NumDescriptors", &mut self.count)?;
        io.required("BaseShaderRegister", &mut self.register)?;
        io.required("RegisterSpace", &mut self.space)?;
        io.required("OffsetInDescriptorsFromTableStart", &mut self.offset)?;
        io.flags(&mut self.flags, names::RANGE_FLAGS, false)
    }
}

impl Record for Sampler {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        let [u, v, w] = &mut self.address;
        let [min, max] = &mut self.lods;
        io.named_or("Filter", &mut self.filter, names::FILTERS)?;
        io.named_or("AddressU", u, names::ADDRESS_MODES)?;
        io.named_or("AddressV", v, names::ADDRESS_MODES)?;
        io.named_or("AddressW", w, names::ADDRESS_MODES)?;
        io.or_kept("MipLODBias", &mut self.lod_bias)?;
        io.or_kept("MaxAnisotropy", &mut self.max_anisotropy)?;
        io.named_or("ComparisonFunc", &mut self.comparison, names::COMPARISONS)?;
        io.named_or("BorderColor", &mut self.border, names::BORDER_COLORS)?;
        io.or_kept("MinLOD", min)?;
        io.or_kept("MaxLOD", max)?;
        io.required("ShaderRegister", &mut self.register)?;
        io.required("RegisterSpace", &mut self.space)?;
        io.named(
            "ShaderVisibility",
            &mut self.visibility,
            names::VISIBILITIES,
        )?;
        io.flags(&mut self.flags, names::SAMPLER_FLAGS, false)
    }
}

impl Scalar for Count {
    const WHAT: &'static str = "a number of up to 32 bits, or -1";

    fn put(&self, key: &str, out: &mut Output) {
        match self.0 {
            u32::MAX => out.field(key, -1),
            count => out.field(key, count),
        }
    }

    fn get(text: &str) -> Option<Self> {
        match text {
            "-1" => Some(Count(u32::MAX)),
            _ => u32::get(text).map(Count),
        }
    }
}

const WHAT: &str = "root signature";

impl RootSignatureText {
    pub(super) fn of(part: &Part<'_>) -> Result<Self> {
        let mut reader = part.reader();
        let mut header = [0; 6];
        for word in &mut header {
            *word = reader.u32(WHAT)?;
        }
        let [
            version,
            parameter_count,
            parameters_offset,
            sampler_count,
            samplers_offset,
            flags,
        ] = header;
        let mut text = RootSignatureText {
            version,
            parameter_count,
            parameters_offset: Some(parameters_offset),
            sampler_count,
            samplers_offset: Some(samplers_offset),
            flags: flags.into(),
            ..RootSignatureText::default()
        };
        let bytes = |count: u32, size: usize| (count as usize).saturating_mul(size);
        let entries = part.reader().at(parameters_offset as usize, WHAT)?;
        let mut entries = entries
            .clone()
            .sub(bytes(parameter_count, ENTRY_BYTES), WHAT)?;
        while !entries.is_empty() {
            let mut parameter = Parameter {
                ty: entries.u32(WHAT)?,
                visibility: entries.u32(WHAT)?,
                ..Parameter::default()
            };
            let body = part.reader().at(entries.u32(WHAT)? as usize, WHAT)?;
            parameter.read(body, part, version)?;
            text.parameters.push(parameter);
        }
        if sampler_count != 0 {
            let samplers = part.reader().at(samplers_offset as usize, WHAT)?;
            let size = if version > 2 { 56 } else { 52 };
            let mut samplers = samplers.clone().sub(bytes(sampler_count, size), WHAT)?;
            while !samplers.is_empty() {
                text.samplers.push(Sampler::read(&mut samplers, version)?);
            }
        }
        Ok(text)
    }

    /// Returns the part: parameters after their table, ranges after their parameter, samplers last.
    pub(super) fn write(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        for word in [
            self.version,
            word(self.parameters.len())?,
            self.parameters_offset.unwrap_or(word(HEADER_BYTES)?),
            self.sampler_count,
            0,
            u32::try_from(self.flags).unwrap_or(u32::MAX),
        ] {
            put(&mut out, word);
        }
        let mut places = Vec::with_capacity(self.parameters.len());
        for parameter in &self.parameters {
            put(&mut out, parameter.ty);
            put(&mut out, parameter.visibility);
            places.push(out.len());
            put(&mut out, 0);
        }
        for (parameter, place) in self.parameters.iter().zip(places) {
            let here = word(out.len())?;
            set(&mut out, place, here);
            parameter.write(&mut out, self.version)?;
        }
        let here = word(out.len())?;
        set(&mut out, 16, self.samplers_offset.unwrap_or(here));
        for sampler in &self.samplers {
            sampler.write(&mut out, self.version);
        }
        Ok(out)
    }
}

impl Parameter {
    fn read(&mut self, mut body: Reader<'_>, part: &Part<'_>, version: u32) -> Result<()> {
        match self.ty {
            TABLE => {
                self.table.count = body.u32(WHAT)?;
                self.table.offset = body.u32(WHAT)?;
                let ranges = part.reader().at(self.table.offset as usize, WHAT)?;
                let size = if version > 1 { 24 } else { 20 };
                let bytes = (self.table.count as usize).saturating_mul(size);
                let mut ranges = ranges.clone().sub(bytes, WHAT)?;
                while !ranges.is_empty() {
                    let mut range = Range {
                        ty: ranges.u32(WHAT)?,
                        count: Count(ranges.u32(WHAT)?),
                        register: ranges.u32(WHAT)?,
                        space: ranges.u32(WHAT)?,
                        ..Range::default()
                    };
                    if version > 1 {
                        range.flags = ranges.u32(WHAT)?.into();
                    }
                    range.offset = ranges.u32(WHAT)?;
                    self.table.ranges.push(range);
                }
            }
            CONSTANTS => {
                self.constants = Constants {
                    register: body.u32(WHAT)?,
                    space: body.u32(WHAT)?,
                    count: body.u32(WHAT)?,
                };
            }
            2..=4 => {
                self.descriptor.register = body.u32(WHAT)?;
                self.descriptor.space = body.u32(WHAT)?;
                if version > 1 {
                    self.descriptor.flags = body.u32(WHAT)?.into();
                }
            }
            other => {
                return Err(Error::malformed(format!(
                    "a root parameter has the unknown type {other}"
                )));
            }
        }
        Ok(())
    }

    fn write(&self, out: &mut Vec<u8>, version: u32) -> Result<()> {
        match self.ty {
            TABLE => {
                put(out, word(self.table.ranges.len())?);
                // The ranges stand right after.
                let here = word(out.len() + 4)?;
                put(out, here);
                for range in &self.table.ranges {
                    for word in [range.ty, range.count.0, range.register, range.space] {
                        put(out, word);
                    }
                    if version > 1 {
                        put(out, u32::try_from(range.flags).unwrap_or(u32::MAX));
                    }
                    put(out, range.offset);
                }
            }
            CONSTANTS => {
                let Constants {
                    count,
                    space,
                    register,
                } = self.constants;
                for word in [register, space, count] {
                    put(out, word);
                }
            }
            _ => {
                put(out, self.descriptor.register);
                put(out, self.descriptor.space);
                if version > 1 {
                    put(
                        out,
                        u32::try_from(self.descriptor.flags).unwrap_or(u32::MAX),
                    );
                }
            }
        }
        Ok(())
    }
}

impl Sampler {
    fn read(reader: &mut Reader<'_>, version: u32) -> Result<Self> {
        let float = |reader: &mut Reader<'_>| Ok::<_, Error>(f32::from_bits(reader.u32(WHAT)?));
        let mut sampler = Sampler {
            filter: reader.u32(WHAT)?,
            address: [reader.u32(WHAT)?, reader.u32(WHAT)?, reader.u32(WHAT)?],
            lod_bias: float(reader)?,
            max_anisotropy: reader.u32(WHAT)?,
            comparison: reader.u32(WHAT)?,
            border: reader.u32(WHAT)?,
            lods: [float(reader)?, float(reader)?],
            register: reader.u32(WHAT)?,
            space: reader.u32(WHAT)?,
            visibility: reader.u32(WHAT)?,
            flags: 0,
        };
        if version > 2 {
            sampler.flags = reader.u32(WHAT)?.into();
        }
        Ok(sampler)
    }

    fn write(&self, out: &mut Vec<u8>, version: u32) {
        let [u, v, w] = self.address;
        let [min, max] = self.lods;
        for word in [
            self.filter,
            u,
            v,
            w,
            self.lod_bias.to_bits(),
            self.max_anisotropy,
            self.comparison,
            self.border,
            min.to_bits(),
            max.to_bits(),
            self.register,
            self.space,
            self.visibility,
        ] {
            put(out, word);
        }
        if version > 2 {
            put(out, u32::try_from(self.flags).unwrap_or(u32::MAX));
        }
    }
}

fn put(out: &mut Vec<u8>, word: u32) {
    out.extend_from_slice(&word.to_le_bytes());
}

fn set(out: &mut [u8], place: usize, word: u32) {
    if let Some(bytes) = out.get_mut(place..place + 4) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
}

fn word(value: usize) -> Result<u32> {
    u32::try_from(value).map_err(|_| Error::malformed("a root signature is larger than 4 GiB"))
}
