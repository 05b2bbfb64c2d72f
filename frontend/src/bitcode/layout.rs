//! What LLVM 3.7's reader, as DXC has it, asks of a bitstream beyond what decoding needs: which
//! blocks may be where, how long records are, and that nothing is left unread.
//!
//! Decoding skips what it does not know, as the format wants it ("LLVM Bitcode File Format",
//! "Bitstream Format"); DXC's validator refuses it, so that no bits of a signed shader are without
//! a meaning. Only the validator asks, so the pass is apart from the decoder.

use super::abbrev::{AbbrevOp, ScalarEncoding};
use super::bits::Bits;
use super::block_ids::{
    CONSTANTS_BLOCK, FUNCTION_BLOCK, METADATA_ATTACHMENT_BLOCK, METADATA_BLOCK, MODULE_BLOCK,
    PARAMATTR_BLOCK, PARAMATTR_GROUP_BLOCK, TYPE_BLOCK, USELIST_BLOCK, VALUE_SYMTAB_BLOCK,
};
use super::module::{FUNCTION, GLOBAL, MAGIC};
use super::stream::{Event, Record, Stream};
use super::{codes, constants, metadata, symtab, wrapper};
use crate::error::{ErrorKind, Result};
use crate::limits;
use crate::tables::HashSet;

const SECTION_NAME: u32 = 5;
const COMDAT: u32 = 12;
const COLLECTOR_NAME: u32 = 11;

/// Checks the layout of bitcode. `base_offset` is where `bytes` lie in the whole input.
///
/// # Errors
///
/// The first thing that LLVM 3.7's reader refuses, or that DXC's warns about, which its validator
/// takes for an error.
pub(crate) fn check_layout(bytes: &[u8], base_offset: u64) -> Result<()> {
    let (bytes, base) = wrapper::unwrap(bytes, base_offset)?;
    let mut stream = Stream::strict(Bits::new(bytes, base));
    stream.skip_magic(MAGIC)?;
    match stream.next()? {
        Event::Block(MODULE_BLOCK) => {}
        _ => {
            return Err(malformed(
                &stream,
                "the bitcode does not begin with a module",
            ));
        }
    }
    Layout::default().module(&mut stream)?;
    if stream.remaining_bits() != 0 {
        return Err(malformed(&stream, "something follows the module"));
    }
    Ok(())
}

#[cold]
fn malformed(stream: &Stream<'_>, message: &str) -> crate::error::Error {
    stream.err(ErrorKind::Malformed(message.into()))
}

/// What the blocks so far had.
#[derive(Default)]
struct Layout {
    has_attribute_sets: bool,
    has_attribute_groups: bool,
    /// Numbers of metadata kinds; at most [`limits::MAX_METADATA_KINDS`].
    kinds: Vec<u32>,
    /// Values of the module so far.
    values: u64,
    /// Values that have names, and their names.
    named: HashSet<u32>,
    names: HashSet<Box<[u8]>>,
    sections: u64,
    collectors: u64,
    comdats: u64,
}

impl Layout {
    /// Checks the module block of the last event.
    fn module(&mut self, stream: &mut Stream<'_>) -> Result<()> {
        stream.enter(MODULE_BLOCK)?;
        loop {
            let id = match stream.next()? {
                Event::End => return Ok(()),
                Event::Record(code) => {
                    self.module_record(code, &stream.record())?;
                    continue;
                }
                Event::Block(id) => id,
            };
            match id {
                PARAMATTR_BLOCK => {
                    if self.has_attribute_sets {
                        return Err(malformed(stream, "there are two blocks of attribute sets"));
                    }
                    flat(stream, id, |_, _| {
                        self.has_attribute_sets = true;
                        Ok(())
                    })?;
                }
                PARAMATTR_GROUP_BLOCK => {
                    if self.has_attribute_groups {
                        return Err(malformed(
                            stream,
                            "there are two blocks of attribute groups",
                        ));
                    }
                    flat(stream, id, |_, record| {
                        self.has_attribute_groups = true;
                        at_least(record, "attribute group", 3)
                    })?;
                }
                TYPE_BLOCK => flat(stream, id, |_, _| Ok(()))?,
                CONSTANTS_BLOCK => flat(stream, id, |code, _| {
                    self.values += u64::from(code != constants::SETTYPE);
                    Ok(())
                })?,
                VALUE_SYMTAB_BLOCK => self.names(stream)?,
                METADATA_BLOCK => self.metadata(stream)?,
                USELIST_BLOCK => use_lists(stream)?,
                FUNCTION_BLOCK => self.function(stream)?,
                _ => return Err(unknown_block(stream, id)),
            }
        }
    }

    /// Checks the module's symbol table: LLVM renames what is given a name that another has.
    fn names(&mut self, stream: &mut Stream<'_>) -> Result<()> {
        flat(stream, VALUE_SYMTAB_BLOCK, |code, record| {
            if code != symtab::ENTRY {
                return Ok(());
            }
            let value = record.u32(0, "name of a value")?;
            if u64::from(value) >= self.values {
                return Err(record.malformed("a name of a value that does not exist yet"));
            }
            let bytes = record.rest(1).iter();
            let name = bytes.map(|byte| (*byte & 0xff) as u8).collect();
            if !self.names.insert(name) {
                return Err(record.malformed("two values have one name"));
            }
            if !self.named.insert(value) {
                return Err(record.malformed("a value has two names"));
            }
            Ok(())
        })
    }

    fn module_record(&mut self, code: u32, record: &Record<'_>) -> Result<()> {
        // Fields that count from one; 0 is none.
        let names = |at: usize, what: &str, count: u64| match record.ops.get(at) {
            Some(number) if *number > count => {
                Err(record.malformed(&format!("there is no {what} {number}")))
            }
            _ => Ok(()),
        };
        match code {
            SECTION_NAME => self.sections += 1,
            COLLECTOR_NAME => self.collectors += 1,
            COMDAT => {
                at_least(record, "COMDAT", 2)?;
                self.comdats += 1;
            }
            GLOBAL => {
                at_least(record, "global variable", 6)?;
                self.values += 1;
                names(5, "section", self.sections)?;
                names(11, "COMDAT", self.comdats)?;
            }
            FUNCTION => {
                at_least(record, "function", 8)?;
                self.values += 1;
                // Nothing else reads it: only native code has places for functions.
                if codes::alignment(record.get(5, "function")?).is_none() {
                    return Err(record.malformed("an alignment is too large"));
                }
                names(6, "section", self.sections)?;
                names(8, "garbage collector", self.collectors)?;
                names(12, "COMDAT", self.comdats)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn function(&mut self, stream: &mut Stream<'_>) -> Result<()> {
        stream.enter(FUNCTION_BLOCK)?;
        loop {
            match stream.next()? {
                Event::End => return Ok(()),
                Event::Record(_) => {}
                Event::Block(METADATA_BLOCK) => self.metadata(stream)?,
                Event::Block(USELIST_BLOCK) => use_lists(stream)?,
                Event::Block(
                    id @ (CONSTANTS_BLOCK | VALUE_SYMTAB_BLOCK | METADATA_ATTACHMENT_BLOCK),
                ) => flat(stream, id, |_, _| Ok(()))?,
                Event::Block(id) => return Err(unknown_block(stream, id)),
            }
        }
    }

    fn metadata(&mut self, stream: &mut Stream<'_>) -> Result<()> {
        stream.enter(METADATA_BLOCK)?;
        // Where a name ended: its list must be the very next thing.
        let mut name_ends = None;
        let (mut has_kinds, mut has_nodes) = (false, false);
        loop {
            let event = stream.next()?;
            if let Event::Record(code) = event {
                has_kinds |= code == metadata::KIND;
                has_nodes |= code != metadata::KIND;
            }
            if has_kinds && has_nodes {
                // LLVM takes them, but no writer mixes them, and our reader counts on that.
                return Err(malformed(
                    stream,
                    "a metadata block has kinds and other things",
                ));
            }
            if let Some(end) = name_ends.take()
                && (event != Event::Record(metadata::NAMED_NODE) || stream.record_start() != end)
            {
                // LLVM reads both at once. A definition of an abbreviation may not come between.
                return Err(malformed(
                    stream,
                    "a METADATA_NAME is not followed by its METADATA_NAMED_NODE",
                ));
            }
            match event {
                Event::End => return Ok(()),
                Event::Block(id) => return Err(unknown_block(stream, id)),
                Event::Record(metadata::NAME) => name_ends = Some(stream.position()),
                Event::Record(metadata::STRING) => check_string(stream)?,
                Event::Record(code) => self.metadata_record(code, &stream.record())?,
            }
        }
    }

    fn metadata_record(&mut self, code: u32, record: &Record<'_>) -> Result<()> {
        if code == metadata::KIND {
            at_least(record, "metadata kind", 2)?;
            let kind = record.u32(0, "metadata kind")?;
            if self.kinds.contains(&kind) {
                return Err(record.malformed(&format!("the metadata kind {kind} has two names")));
            }
            if self.kinds.len() < limits::MAX_METADATA_KINDS {
                self.kinds.push(kind);
            }
            return Ok(());
        }
        let (least, most) = match code {
            metadata::VALUE => (2, 2),
            // DILocation to DIModule of LLVM 3.7, which have no optional fields but these.
            metadata::LOCATION => (5, 5),
            // GENERIC_DEBUG
            12 => (4, usize::MAX),
            // SUBRANGE, ENUMERATOR, FILE, SUBROUTINE_TYPE, TEMPLATE_TYPE
            13 | 14 | 16 | 19 | 25 => (3, 3),
            // BASIC_TYPE, IMPORTED_ENTITY, MODULE
            15 | 31 | 32 => (6, 6),
            // DERIVED_TYPE, COMPOSITE_TYPE
            17 => (12, 12),
            18 => (16, 16),
            // COMPILE_UNIT, SUBPROGRAM
            20 => (14, 15),
            21 => (19, 19),
            // LEXICAL_BLOCK, NAMESPACE, TEMPLATE_VALUE, LEXICAL_BLOCK_FILE
            22 | 24 | 26 => (5, 5),
            23 => (4, 4),
            // GLOBAL_VAR, LOCAL_VAR, EXPRESSION, OBJC_PROPERTY
            27 => (11, 11),
            28 => (9, 10),
            29 => (1, usize::MAX),
            30 => (8, 8),
            _ => return Ok(()),
        };
        if (least..=most).contains(&record.ops.len()) {
            return Ok(());
        }
        let len = record.ops.len();
        Err(record.malformed(&format!("a metadata record {code} has {len} fields")))
    }
}

/// Checks how the METADATA_STRING of the last event is packed. DXC (1.7 and later) reads its
/// characters from an array of bytes, variable fields or char6, or from a record without
/// abbreviation. Of any other form it reads another text and reports nothing: it drops characters
/// in separate fields, and takes eight bits for each element of an array of fixed fields.
fn check_string(stream: &mut Stream<'_>) -> Result<()> {
    let is_array = match stream.last_abbreviation()? {
        None => true,
        Some([_]) => stream.record().ops.is_empty(),
        Some([_, AbbrevOp::Array(element)]) => match element {
            ScalarEncoding::Fixed(width) => *width == 8,
            ScalarEncoding::Vbr(_) | ScalarEncoding::Char6 => true,
        },
        Some(_) => false,
    };
    if is_array {
        return Ok(());
    }
    let record = stream.record();
    Err(record.malformed(
        "DXC reads metadata strings from arrays of bytes, char6 or variable fields only",
    ))
}

/// Checks a block of records: it has no blocks inside.
fn flat(
    stream: &mut Stream<'_>,
    id: u32,
    mut check: impl FnMut(u32, &Record<'_>) -> Result<()>,
) -> Result<()> {
    stream.enter(id)?;
    loop {
        match stream.next()? {
            Event::End => return Ok(()),
            Event::Record(code) => check(code, &stream.record())?,
            Event::Block(id) => return Err(unknown_block(stream, id)),
        }
    }
}

fn use_lists(stream: &mut Stream<'_>) -> Result<()> {
    flat(stream, USELIST_BLOCK, |_, record| {
        at_least(record, "order of uses", 3)
    })
}

fn at_least(record: &Record<'_>, what: &'static str, count: usize) -> Result<()> {
    record.get(count - 1, what).map(drop)
}

#[cold]
fn unknown_block(stream: &Stream<'_>, id: u32) -> crate::error::Error {
    malformed(stream, &format!("a block {id} is not known here"))
}
