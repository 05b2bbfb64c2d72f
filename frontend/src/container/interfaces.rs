//! IFCE: the classes and interfaces of a DXBC shader that is linked by class
//! (`ID3D11ClassLinkage`). Microsoft documents what D3D11 does with it ("Storing Variables and
//! Types for Shaders to Share"), not its layout, which is the one that fxc writes; offsets count
//! from the start of the part.
//!
//! ```text
//! header      9 words: instances, types, interfaces, slots; offsets of the three tables
//!             that come first; two that nothing reads
//! interface   slots, candidates; offsets of their types (u16) and of their function tables (u32)
//! type        name; number, registers of constants, textures, samplers of an instance (u16)
//! instance    name; type, 1, constant buffer, first register in it, texture, sampler (u16)
//! ```

use super::header::Part;
use crate::error::{Error, ErrorKind, Result};
use crate::limits::MAX_NAME_BYTES;
use crate::reader::Reader;

/// Maximum number of records of the part: types, instances, interfaces and candidates together.
const MAX_RECORDS: u32 = 1 << 16;

/// Content of the IFCE part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interfaces<'a> {
    /// Classes that implement an interface of the shader, by the number that the others name.
    pub types: Vec<ClassType<'a>>,
    /// Variables of these classes, which the shader's author declared.
    pub instances: Vec<ClassInstanceDefinition<'a>>,
    /// Interfaces, in the order of their slots.
    pub interfaces: Vec<InterfaceCandidates>,
}

/// A class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassType<'a> {
    /// Name.
    pub name: &'a str,
    /// Registers of 16 bytes that an instance takes of a constant buffer.
    pub registers: u16,
    /// Textures of an instance.
    pub textures: u16,
    /// Samplers of an instance.
    pub samplers: u16,
}

/// A variable of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassInstanceDefinition<'a> {
    /// Name.
    pub name: &'a str,
    /// Number of its class.
    pub ty: u16,
    /// Slot of the constant buffer with its data; `None` for a class without.
    pub constant_buffer: Option<u16>,
    /// First register of 16 bytes of its data.
    pub constant_offset: u16,
    /// Slot of its first texture; `None` for a class without.
    pub texture: Option<u16>,
    /// Slot of its first sampler; `None` for a class without.
    pub sampler: Option<u16>,
}

/// An interface variable of a shader, or an array of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterfaceCandidates {
    /// Number of its first slot.
    pub first_slot: u32,
    /// Number of its slots: the length of the array.
    pub slots: u32,
    /// The classes that may be bound, each with the function table that it stands for.
    pub candidates: Vec<(u16, u32)>,
}

impl<'a> Interfaces<'a> {
    /// Reads the part.
    ///
    /// # Errors
    /// If an offset leads out of the part, or there is more than any shader has.
    pub fn parse(part: Part<'a>) -> Result<Self> {
        let mut parser = InterfaceParser {
            part: part.reader(),
            left: MAX_RECORDS,
        };
        parser.run().map_err(|error| error.in_part(part.name))
    }

    /// Returns the number of the class of that name.
    pub fn find_type(&self, name: &str) -> Option<u16> {
        let place = self.types.iter().position(|ty| ty.name == name)?;
        u16::try_from(place).ok()
    }

    /// Returns the instance of that name.
    pub fn find_instance(&self, name: &str) -> Option<&ClassInstanceDefinition<'a>> {
        self.instances.iter().find(|instance| instance.name == name)
    }

    /// Returns the interface that a slot belongs to.
    pub fn at_slot(&self, slot: u32) -> Option<&InterfaceCandidates> {
        let mut all = self.interfaces.iter();
        all.find(|found| {
            slot.checked_sub(found.first_slot)
                .is_some_and(|index| index < found.slots)
        })
    }
}

struct InterfaceParser<'a> {
    part: Reader<'a>,
    /// Records that may still be read.
    left: u32,
}

impl<'a> InterfaceParser<'a> {
    fn run(&mut self) -> Result<Interfaces<'a>> {
        let mut header = self.part;
        let mut word = || header.u32("interfaces");
        let (instances, types, interfaces, _slots) = (word()?, word()?, word()?, word()?);
        let (instances_at, types_at, interfaces_at) = (word()?, word()?, word()?);
        let mut first_slot = 0_u32;
        Ok(Interfaces {
            types: self.records(types, types_at, 12, |this, record| {
                let name = record.u32("class")?;
                let _number = record.u16("class")?;
                Ok(ClassType {
                    name: this.text(name)?,
                    registers: record.u16("class")?,
                    textures: record.u16("class")?,
                    samplers: record.u16("class")?,
                })
            })?,
            instances: self.records(instances, instances_at, 16, |this, record| {
                let name = record.u32("class instance")?;
                let mut half = || record.u16("class instance");
                let (ty, _one) = (half()?, half()?);
                let (buffer, offset, texture, sampler) = (half()?, half()?, half()?, half()?);
                let slot = |slot| Some(slot).filter(|&slot| slot != u16::MAX);
                Ok(ClassInstanceDefinition {
                    name: this.text(name)?,
                    ty,
                    constant_buffer: slot(buffer),
                    constant_offset: offset,
                    texture: slot(texture),
                    sampler: slot(sampler),
                })
            })?,
            interfaces: self.records(interfaces, interfaces_at, 16, |this, record| {
                let mut word = || record.u32("interface");
                let (slots, count) = (word()?, word()?);
                let (types_at, tables_at) = (word()?, word()?);
                let types = this.records(count, types_at, 2, |_, it| it.u16("class"))?;
                let tables = this.records(count, tables_at, 4, |_, it| it.u32("table"))?;
                let first = first_slot;
                first_slot = first_slot.saturating_add(slots);
                Ok(InterfaceCandidates {
                    first_slot: first,
                    slots,
                    candidates: types.into_iter().zip(tables).collect(),
                })
            })?,
        })
    }

    /// Returns the records of that size from an offset on.
    fn records<T>(
        &mut self,
        count: u32,
        at: u32,
        bytes: usize,
        mut read: impl FnMut(&mut Self, &mut Reader<'a>) -> Result<T>,
    ) -> Result<Vec<T>> {
        // One budget for the whole part: interfaces may share their lists of candidates.
        self.left = self.left.checked_sub(count).ok_or_else(|| {
            Error::new(ErrorKind::Limit {
                what: "records of the interfaces",
                value: u64::from(count),
                limit: u64::from(MAX_RECORDS),
            })
        })?;
        if count == 0 {
            return Ok(Vec::new());
        }
        let mut records = self.part.at(at as usize, "interfaces")?;
        let mut found = Vec::new();
        for _ in 0..count {
            let mut record = records.sub(bytes, "interfaces")?;
            found.push(read(self, &mut record)?);
        }
        Ok(found)
    }

    /// Returns the text at an offset, up to its zero.
    fn text(&self, at: u32) -> Result<&'a str> {
        let bytes = self.part.at(at as usize, "name of a class")?.rest();
        // Many records may name one long text, each of which is read again.
        let bytes = bytes.get(..MAX_NAME_BYTES).unwrap_or(bytes);
        let Some(end) = bytes.iter().position(|&byte| byte == 0) else {
            return Err(Error::malformed("the name of a class has no end"));
        };
        let text = bytes.get(..end).unwrap_or_default();
        std::str::from_utf8(text).map_err(|_| Error::malformed("a name is not UTF-8"))
    }
}
