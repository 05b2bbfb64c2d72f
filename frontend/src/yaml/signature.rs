//! ISG1, OSG1 and PSG1.

use super::fields::{Io, Record};
use super::names;
use crate::container::Part;
use crate::error::{Error, Result};
use crate::reader::Strings;

/// Bytes of the header, and of a parameter.
const HEADER_BYTES: usize = 8;
const PARAMETER_BYTES: usize = 32;

/// A signature.
#[derive(Debug, Default)]
pub(super) struct SignatureText {
    parameters: Vec<Parameter>,
}

#[derive(Debug, Default)]
struct Parameter {
    stream: u32,
    name: String,
    index: u32,
    system_value: u32,
    component: u32,
    register: u32,
    mask: u8,
    exclusive_mask: u8,
    min_precision: u32,
}

impl Record for SignatureText {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.records("Parameters", &mut self.parameters)
    }
}

impl Record for Parameter {
    fn fields(&mut self, io: &mut Io<'_, '_>) -> Result<()> {
        io.required("Stream", &mut self.stream)?;
        io.required("Name", &mut self.name)?;
        io.required("Index", &mut self.index)?;
        io.named("SystemValue", &mut self.system_value, names::SYSTEM_VALUES)?;
        io.named("CompType", &mut self.component, names::COMPONENT_TYPES)?;
        io.required("Register", &mut self.register)?;
        io.required("Mask", &mut self.mask)?;
        io.required("ExclusiveMask", &mut self.exclusive_mask)?;
        io.named(
            "MinPrecision",
            &mut self.min_precision,
            names::MIN_PRECISIONS,
        )
    }
}

impl SignatureText {
    pub(super) fn of(part: &Part<'_>) -> Result<Self> {
        const WHAT: &str = "signature parameter";
        let mut reader = part.reader();
        let (count, first) = (reader.u32("signature")?, reader.u32("signature")?);
        let strings = Strings::new(part.data, part.offset);
        let table = part.reader().at(first as usize, "signature")?;
        let size = (count as usize).saturating_mul(PARAMETER_BYTES);
        let mut table = table.clone().sub(size, "signature parameters")?;
        let mut parameters = Vec::with_capacity(count as usize);
        while !table.is_empty() {
            let stream = table.u32(WHAT)?;
            let name = strings.get(table.u32(WHAT)?, "semantic name")?;
            let mut parameter = Parameter {
                stream,
                name: name.to_owned(),
                index: table.u32(WHAT)?,
                system_value: table.u32(WHAT)?,
                component: table.u32(WHAT)?,
                register: table.u32(WHAT)?,
                mask: table.u8(WHAT)?,
                exclusive_mask: table.u8(WHAT)?,
                min_precision: 0,
            };
            table.u16(WHAT)?;
            parameter.min_precision = table.u32(WHAT)?;
            parameters.push(parameter);
        }
        Ok(SignatureText { parameters })
    }

    /// Returns the part. As LLVM has it, parameters are sorted by stream, register and name, and
    /// equal names stand there once.
    pub(super) fn write(&self) -> Result<Vec<u8>> {
        let start = HEADER_BYTES + self.parameters.len() * PARAMETER_BYTES;
        let mut strings: Vec<u8> = Vec::new();
        let mut places: Vec<(&str, u32)> = Vec::new();
        let mut parameters = Vec::with_capacity(self.parameters.len());
        for parameter in &self.parameters {
            let name = parameter.name.as_str();
            let known = places.iter().find(|(known, _)| *known == name);
            let offset = match known {
                Some((_, offset)) => *offset,
                None => {
                    let offset = word(start + strings.len())?;
                    places.push((name, offset));
                    strings.extend_from_slice(name.as_bytes());
                    strings.push(0);
                    offset
                }
            };
            parameters.push((parameter, offset));
        }
        parameters.sort_by_key(|(parameter, name)| (parameter.stream, parameter.register, *name));
        let mut out = Vec::with_capacity(start + strings.len());
        let mut put = |word: u32| out.extend_from_slice(&word.to_le_bytes());
        put(word(self.parameters.len())?);
        put(word(HEADER_BYTES)?);
        for (parameter, name) in parameters {
            for word in [
                parameter.stream,
                name,
                parameter.index,
                parameter.system_value,
                parameter.component,
                parameter.register,
                u32::from(parameter.mask) | u32::from(parameter.exclusive_mask) << 8,
                parameter.min_precision,
            ] {
                put(word);
            }
        }
        out.extend_from_slice(&strings);
        Ok(out)
    }
}

fn word(value: usize) -> Result<u32> {
    u32::try_from(value).map_err(|_| Error::malformed("a signature is larger than 4 GiB"))
}
