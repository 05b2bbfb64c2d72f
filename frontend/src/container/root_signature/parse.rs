//! RTS0 bytes to [`RootSignature`].

use super::types::{
    ComparisonFunction, DescriptorFlags, DescriptorRange, DescriptorRangeType, Filter,
    RootConstants, RootDescriptor, RootParameter, RootParameterKind, RootSignature,
    RootSignatureFlags, RootSignatureVersion, ShaderVisibility, StaticBorderColor, StaticSampler,
    StaticSamplerFlags, TextureAddressMode,
};
use crate::error::{Error, ErrorKind, Result};
use crate::reader::Reader;

/// Bytes of a parameter header.
const PARAMETER_BYTES: usize = 12;

pub(super) fn run(mut reader: Reader<'_>) -> Result<RootSignature> {
    const WHAT: &str = "root signature header";
    let whole = reader;
    let version_offset = reader.offset();
    let version = reader.u32(WHAT)?;
    let version = RootSignatureVersion::from_number(version).ok_or_else(|| {
        Error::new(ErrorKind::BadValue {
            what: "root signature version",
            value: u64::from(version),
            rule: "1, 2 and 3 stand for 1.0, 1.1 and 1.2",
        })
        .at_offset(version_offset)
    })?;
    let parameter_count = reader.u32(WHAT)? as usize;
    let parameters_at = reader.u32(WHAT)?;
    let sampler_count = reader.u32(WHAT)? as usize;
    let samplers_at = reader.u32(WHAT)?;
    let flags = RootSignatureFlags::from_bits_retain(reader.u32(WHAT)?);

    let mut parser = RootSignatureParser {
        whole,
        version,
        // Tables may share range bytes, but not so often that the result outgrows the file.
        ranges_left: whole.remaining() / range_bytes(version),
    };
    let parameters = parser.parameters(parameters_at, parameter_count)?;
    let static_samplers = parser.samplers(samplers_at, sampler_count)?;
    Ok(RootSignature {
        version,
        flags,
        parameters,
        static_samplers,
    })
}

fn range_bytes(version: RootSignatureVersion) -> usize {
    if version == RootSignatureVersion::V1_0 {
        20
    } else {
        24
    }
}

struct RootSignatureParser<'a> {
    whole: Reader<'a>,
    version: RootSignatureVersion,
    ranges_left: usize,
}

impl<'a> RootSignatureParser<'a> {
    /// Returns a reader over an array at an offset of the part. Empty ones are in the part, too:
    /// DXC refuses others.
    fn array(&self, at: u32, count: usize, size: usize, what: &'static str) -> Result<Reader<'a>> {
        let mut start = self.whole.at(at as usize, what)?;
        start.sub(count.saturating_mul(size), what)
    }

    fn parameters(&mut self, at: u32, count: usize) -> Result<Vec<RootParameter>> {
        let mut headers = self.array(at, count, PARAMETER_BYTES, "root parameters")?;
        // `array` has checked that the file has bytes for `count` headers.
        let mut parameters = Vec::with_capacity(count);
        while !headers.is_empty() {
            parameters.push(self.parameter(&mut headers)?);
        }
        Ok(parameters)
    }

    fn parameter(&mut self, headers: &mut Reader<'a>) -> Result<RootParameter> {
        const WHAT: &str = "root parameter";
        let ty_offset = headers.offset();
        let ty = headers.u32(WHAT)?;
        let visibility = ShaderVisibility::from_number(headers.u32(WHAT)?);
        let mut payload = self.whole.at(headers.u32(WHAT)? as usize, WHAT)?;
        let kind = match ty {
            0 => {
                let count = payload.u32("descriptor table")? as usize;
                let at = payload.u32("descriptor table")?;
                RootParameterKind::Table(self.ranges(at, count)?)
            }
            1 => RootParameterKind::Constants(RootConstants {
                register: payload.u32("root constants")?,
                space: payload.u32("root constants")?,
                count: payload.u32("root constants")?,
            }),
            2 => RootParameterKind::Cbv(self.descriptor(payload)?),
            3 => RootParameterKind::Srv(self.descriptor(payload)?),
            4 => RootParameterKind::Uav(self.descriptor(payload)?),
            other => {
                return Err(Error::new(ErrorKind::BadValue {
                    what: "type of a root parameter",
                    value: u64::from(other),
                    rule: "types are 0 to 4",
                })
                .at_offset(ty_offset));
            }
        };
        Ok(RootParameter { visibility, kind })
    }

    fn descriptor(&self, mut payload: Reader<'_>) -> Result<RootDescriptor> {
        const WHAT: &str = "root descriptor";
        Ok(RootDescriptor {
            register: payload.u32(WHAT)?,
            space: payload.u32(WHAT)?,
            flags: if self.version == RootSignatureVersion::V1_0 {
                DescriptorFlags::empty()
            } else {
                DescriptorFlags::from_bits_retain(payload.u32(WHAT)?)
            },
        })
    }

    fn ranges(&mut self, at: u32, count: usize) -> Result<Vec<DescriptorRange>> {
        let mut reader = self.array(at, count, range_bytes(self.version), "descriptor ranges")?;
        self.ranges_left = self.ranges_left.checked_sub(count).ok_or_else(|| {
            reader.err(ErrorKind::Limit {
                what: "descriptor ranges of all tables",
                value: count as u64,
                limit: self.ranges_left as u64,
            })
        })?;
        let mut ranges = Vec::with_capacity(count);
        while !reader.is_empty() {
            ranges.push(self.range(&mut reader)?);
        }
        Ok(ranges)
    }

    /// Reads a descriptor range. DXC and D3D12 write the flags before the offset (the DirectX
    /// Container document has them after it).
    fn range(&self, reader: &mut Reader<'_>) -> Result<DescriptorRange> {
        const WHAT: &str = "descriptor range";
        Ok(DescriptorRange {
            ty: DescriptorRangeType::from_number(reader.u32(WHAT)?),
            count: Some(reader.u32(WHAT)?).filter(|&count| count != u32::MAX),
            base_register: reader.u32(WHAT)?,
            space: reader.u32(WHAT)?,
            flags: if self.version == RootSignatureVersion::V1_0 {
                DescriptorFlags::empty()
            } else {
                DescriptorFlags::from_bits_retain(reader.u32(WHAT)?)
            },
            offset: Some(reader.u32(WHAT)?).filter(|&offset| offset != u32::MAX),
        })
    }

    fn samplers(&self, at: u32, count: usize) -> Result<Vec<StaticSampler>> {
        let size = if self.version == RootSignatureVersion::V1_2 {
            56
        } else {
            52
        };
        let mut reader = self.array(at, count, size, "static samplers")?;
        let mut samplers = Vec::with_capacity(count);
        while !reader.is_empty() {
            samplers.push(self.sampler(&mut reader)?);
        }
        Ok(samplers)
    }

    fn sampler(&self, reader: &mut Reader<'_>) -> Result<StaticSampler> {
        let mut word = || reader.u32("static sampler");
        Ok(StaticSampler {
            filter: Filter(word()?),
            address_u: TextureAddressMode::from_number(word()?),
            address_v: TextureAddressMode::from_number(word()?),
            address_w: TextureAddressMode::from_number(word()?),
            mip_lod_bias: f32::from_bits(word()?),
            max_anisotropy: word()?,
            comparison: ComparisonFunction::from_number(word()?),
            border_color: StaticBorderColor::from_number(word()?),
            min_lod: f32::from_bits(word()?),
            max_lod: f32::from_bits(word()?),
            register: word()?,
            space: word()?,
            visibility: ShaderVisibility::from_number(word()?),
            flags: if self.version == RootSignatureVersion::V1_2 {
                StaticSamplerFlags::from_bits_retain(word()?)
            } else {
                StaticSamplerFlags::empty()
            },
        })
    }
}
