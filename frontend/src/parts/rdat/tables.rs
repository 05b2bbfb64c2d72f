//! The layout of RDAT: strings, lists, raw bytes and tables of records.

use super::super::{pad, put, word};
use crate::error::Result;
use crate::tables::HashMap;

/// The version of the format.
const VERSION: u32 = 0x10;
/// "Nothing", in a reference.
pub(super) const NULL: u32 = u32::MAX;
/// The sub-parts that are no tables, by number.
const STRINGS: u32 = 1;
const LISTS: u32 = 2;
const RAW_BYTES: u32 = 5;

/// A table of records that have one size.
#[derive(Debug)]
pub(super) struct RecordTable {
    number: u32,
    words: usize,
    /// Records that are alike are one record; not so in the tables of functions and resources.
    known: Option<HashMap<Box<[u32]>, u32>>,
    content: Vec<u32>,
}

impl RecordTable {
    /// Returns a table whose records are all kept.
    pub(super) fn new(number: u32, words: usize) -> Self {
        RecordTable {
            number,
            words,
            known: None,
            content: Vec::new(),
        }
    }

    /// Returns a table in which no record occurs twice.
    pub(super) fn without_repetition(number: u32, words: usize) -> Self {
        RecordTable {
            known: Some(HashMap::default()),
            ..RecordTable::new(number, words)
        }
    }

    /// Adds a record, whose missing words are 0, and returns its row.
    pub(super) fn add(&mut self, record: &[u32]) -> Result<u32> {
        let row = word(self.content.len() / self.words, "runtime data table")?;
        if let Some(known) = &mut self.known {
            if let Some(row) = known.get(record) {
                return Ok(*row);
            }
            known.insert(record.into(), row);
        }
        let end = self.content.len() + self.words;
        self.content.extend_from_slice(record);
        self.content.resize(end, 0);
        Ok(row)
    }

    fn bytes(&self) -> Result<Vec<u8>> {
        let mut out = Vec::with_capacity(8 + 4 * self.content.len());
        if self.content.is_empty() {
            return Ok(out);
        }
        let rows = self.content.len() / self.words;
        put(&mut out, word(rows, "runtime data table")?);
        put(&mut out, word(4 * self.words, "runtime data record")?);
        for word in &self.content {
            put(&mut out, *word);
        }
        Ok(out)
    }
}

/// What records point to. No string and no list is in it twice.
#[derive(Debug)]
pub(super) struct Pool {
    strings: Vec<u8>,
    known_strings: HashMap<Box<str>, u32>,
    lists: Vec<u32>,
    known_lists: HashMap<Box<[u32]>, u32>,
    raw: Vec<u8>,
}

impl Pool {
    /// Returns a pool that holds the empty string.
    pub(super) fn new() -> Self {
        Pool {
            strings: vec![0],
            known_strings: HashMap::from_iter([("".into(), 0)]),
            lists: Vec::new(),
            known_lists: HashMap::default(),
            raw: Vec::new(),
        }
    }

    /// Returns the reference of a string.
    pub(super) fn string(&mut self, text: &str) -> Result<u32> {
        if let Some(at) = self.known_strings.get(text) {
            return Ok(*at);
        }
        let at = word(self.strings.len(), "runtime data strings")?;
        self.strings.extend_from_slice(text.as_bytes());
        self.strings.push(0);
        self.known_strings.insert(text.into(), at);
        Ok(at)
    }

    /// Returns the reference of a list of numbers.
    pub(super) fn list(&mut self, numbers: &[u32]) -> Result<u32> {
        if let Some(at) = self.known_lists.get(numbers) {
            return Ok(*at);
        }
        let at = word(self.lists.len(), "runtime data lists")?;
        self.lists.push(word(numbers.len(), "runtime data list")?);
        self.lists.extend_from_slice(numbers);
        self.known_lists.insert(numbers.into(), at);
        Ok(at)
    }

    /// Returns the reference of a list; one without numbers is none at all.
    pub(super) fn list_or_null(&mut self, numbers: &[u32]) -> Result<u32> {
        if numbers.is_empty() {
            return Ok(NULL);
        }
        self.list(numbers)
    }

    /// Returns offset and size of raw bytes, which are kept as often as they occur.
    pub(super) fn raw_bytes(&mut self, bytes: &[u8]) -> Result<[u32; 2]> {
        let size = word(bytes.len(), "runtime data bytes")?;
        let at = word(self.raw.len(), "runtime data bytes")?;
        self.raw.extend_from_slice(bytes);
        Ok([at, size])
    }
}

/// Returns the part: strings, the tables in front of the lists, lists, raw bytes, and the tables
/// after. What is empty is left out.
pub(super) fn write(
    mut pool: Pool,
    front: &[RecordTable],
    behind: &[RecordTable],
) -> Result<Vec<u8>> {
    pad(&mut pool.strings);
    pad(&mut pool.raw);
    if pool.known_strings.len() == 1 {
        pool.strings.clear();
    }
    let lists: Vec<u8> = pool
        .lists
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let mut sub_parts = vec![(STRINGS, pool.strings)];
    for table in front {
        sub_parts.push((table.number, table.bytes()?));
    }
    sub_parts.extend([(LISTS, lists), (RAW_BYTES, pool.raw)]);
    for table in behind {
        sub_parts.push((table.number, table.bytes()?));
    }
    sub_parts.retain(|(_, content)| !content.is_empty());
    let mut out = Vec::new();
    put(&mut out, VERSION);
    put(&mut out, word(sub_parts.len(), "runtime data sub-parts")?);
    let mut at = 8 + 4 * sub_parts.len();
    for (_, content) in &sub_parts {
        put(&mut out, word(at, "runtime data")?);
        at += 8 + content.len();
    }
    for (number, content) in &sub_parts {
        put(&mut out, *number);
        put(&mut out, word(content.len(), "runtime data sub-part")?);
        out.extend_from_slice(content);
    }
    Ok(out)
}
