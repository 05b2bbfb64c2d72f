//! [`RootSignature`] to RTS0 bytes.
//!
//! DXC's order: header, parameter headers, then each parameter's payload (a table's ranges right
//! after it), then the static samplers. Reading a part and writing it gives the same bytes.

use super::types::{
    DescriptorFlags, DescriptorRange, RootDescriptor, RootParameterKind, RootSignature,
    RootSignatureVersion, StaticSampler,
};
use crate::error::{Error, ErrorKind, Result};

/// Words of the header and of a parameter header.
const HEADER_WORDS: usize = 6;
const PARAMETER_WORDS: usize = 3;

pub(super) fn run(root: &RootSignature) -> Result<Vec<u8>> {
    let mut writer = Writer {
        version: root.version,
        parameters: Vec::new(),
        payloads: Vec::new(),
        payloads_at: HEADER_WORDS + root.parameters.len() * PARAMETER_WORDS,
    };
    for parameter in &root.parameters {
        // Taken before the payload is written: a parameter's header points at its first word.
        let at = writer.next_offset()?;
        let ty = writer.payload(&parameter.kind)?;
        let visibility = parameter.visibility.number();
        writer.parameters.extend([ty, visibility, at]);
    }
    let samplers_at = writer.next_offset()?;
    for sampler in &root.static_samplers {
        writer.sampler(sampler)?;
    }
    let header = [
        root.version.number(),
        word(root.parameters.len())?,
        word(HEADER_WORDS * 4)?,
        word(root.static_samplers.len())?,
        samplers_at,
        root.flags.bits(),
    ];
    let words = header
        .iter()
        .chain(&writer.parameters)
        .chain(&writer.payloads);
    Ok(words.flat_map(|word| word.to_le_bytes()).collect())
}

fn word(value: usize) -> Result<u32> {
    u32::try_from(value).map_err(|_| {
        Error::new(ErrorKind::Limit {
            what: "size of the root signature",
            value: value as u64,
            limit: u64::from(u32::MAX),
        })
    })
}

struct Writer {
    version: RootSignatureVersion,
    parameters: Vec<u32>,
    payloads: Vec<u32>,
    payloads_at: usize,
}

impl Writer {
    /// Returns the byte offset of the next payload word.
    fn next_offset(&self) -> Result<u32> {
        word((self.payloads_at + self.payloads.len()) * 4)
    }

    /// Writes the payload. Returns the type's number.
    fn payload(&mut self, kind: &RootParameterKind) -> Result<u32> {
        Ok(match kind {
            RootParameterKind::Table(ranges) => {
                self.payloads.push(word(ranges.len())?);
                // The ranges follow the word with their offset.
                let at = self.next_offset()?.saturating_add(4);
                self.payloads.push(at);
                for range in ranges {
                    self.range(range)?;
                }
                0
            }
            RootParameterKind::Constants(c) => {
                self.payloads.extend([c.register, c.space, c.count]);
                1
            }
            RootParameterKind::Cbv(descriptor) => self.descriptor(descriptor, 2)?,
            RootParameterKind::Srv(descriptor) => self.descriptor(descriptor, 3)?,
            RootParameterKind::Uav(descriptor) => self.descriptor(descriptor, 4)?,
        })
    }

    fn descriptor(&mut self, descriptor: &RootDescriptor, ty: u32) -> Result<u32> {
        self.payloads
            .extend([descriptor.register, descriptor.space]);
        self.flags(descriptor.flags)?;
        Ok(ty)
    }

    fn range(&mut self, range: &DescriptorRange) -> Result<()> {
        self.payloads.extend([
            range.ty.number(),
            range.count.unwrap_or(u32::MAX),
            range.base_register,
            range.space,
        ]);
        self.flags(range.flags)?;
        self.payloads.push(range.offset.unwrap_or(u32::MAX));
        Ok(())
    }

    fn flags(&mut self, flags: DescriptorFlags) -> Result<()> {
        if self.version > RootSignatureVersion::V1_0 {
            self.payloads.push(flags.bits());
        } else if !flags.is_empty() {
            return Err(Error::new(ErrorKind::BadValue {
                what: "descriptor flags",
                value: u64::from(flags.bits()),
                rule: "root signature 1.0 has no place for them",
            }));
        }
        Ok(())
    }

    fn sampler(&mut self, sampler: &StaticSampler) -> Result<()> {
        self.payloads.extend([
            sampler.filter.0,
            sampler.address_u.number(),
            sampler.address_v.number(),
            sampler.address_w.number(),
            sampler.mip_lod_bias.to_bits(),
            sampler.max_anisotropy,
            sampler.comparison.number(),
            sampler.border_color.number(),
            sampler.min_lod.to_bits(),
            sampler.max_lod.to_bits(),
            sampler.register,
            sampler.space,
            sampler.visibility.number(),
        ]);
        if self.version >= RootSignatureVersion::V1_2 {
            self.payloads.push(sampler.flags.bits());
        } else if !sampler.flags.is_empty() {
            return Err(Error::new(ErrorKind::BadValue {
                what: "static sampler flags",
                value: u64::from(sampler.flags.bits()),
                rule: "only root signature 1.2 has a place for them",
            }));
        }
        Ok(())
    }
}
