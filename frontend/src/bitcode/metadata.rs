//! METADATA blocks: strings, nodes, values, names, kinds, and debug information kept raw.

use cranelift_entity::EntityRef;

use super::constants::value_id;
use super::stream::{Record, Stream};
use super::types::TypeDecoder;
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{MdId, MdNode, Metadata, MetadataKind, NamedMetadata};
use crate::limits;

pub(super) const STRING: u32 = 1;
pub(super) const VALUE: u32 = 2;
pub(super) const NODE: u32 = 3;
pub(super) const NAME: u32 = 4;
pub(super) const DISTINCT_NODE: u32 = 5;
pub(super) const KIND: u32 = 6;
/// `DILocation`.
pub(super) const LOCATION: u32 = 7;
pub(super) const OLD_NODE: u32 = 8;
pub(super) const OLD_FN_NODE: u32 = 9;
pub(super) const NAMED_NODE: u32 = 10;
pub(super) const ATTACHMENT: u32 = 11;

/// Numbers of metadata nodes, as the records of a block count them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbering {
    /// Nodes of the module, which every function sees.
    pub(super) module: usize,
    /// The index in [`Metadata::nodes`] of the function's first own node; equal to `module` while
    /// the module's own blocks are read.
    pub(super) local: usize,
}

impl Numbering {
    /// Returns the node with that number.
    #[inline]
    pub(super) fn resolve(self, number: u64, record: &Record<'_>) -> Result<MdId> {
        // Numbers may lie ahead; the range is checked when the tables are complete.
        match u32::try_from(self.index(number)) {
            Ok(index) if index != u32::MAX => Ok(MdId::from_u32(index)),
            _ => Err(out_of_range(record)),
        }
    }

    /// Appends the nodes of a record of numbers plus one; 0 is `null`. Looks at the range once for
    /// all, so that an operand is not a result that goes through memory.
    #[inline]
    fn resolve_list(self, record: &Record<'_>, operands: &mut Vec<Option<MdId>>) -> Result<()> {
        let mut highest = 0;
        operands.extend(record.ops.iter().map(|number| {
            let index = self.index(number.checked_sub(1)?);
            highest = highest.max(index);
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            Some(MdId::from_u32(index.min(u32::MAX - 1)))
        }));
        if highest >= u32::MAX as usize {
            return Err(out_of_range(record));
        }
        Ok(())
    }

    /// Returns the index in [`Metadata::nodes`] that a number means.
    #[inline]
    fn index(self, number: u64) -> usize {
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        if index < self.module {
            index
        } else {
            // Every function numbers its nodes from where the module's end, but all functions share
            // one table.
            (index - self.module).saturating_add(self.local)
        }
    }

    /// Returns the node whose number plus one is given; 0 is `null`.
    #[inline]
    pub(super) fn resolve_optional(self, number: u64, record: &Record<'_>) -> Result<Option<MdId>> {
        match number.checked_sub(1) {
            Some(number) => self.resolve(number, record).map(Some),
            None => Ok(None),
        }
    }
}

#[cold]
fn out_of_range(record: &Record<'_>) -> Error {
    record.malformed("a metadata number is out of range")
}

/// The contents of a block of metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Nodes, which are decoded.
    Nodes,
    /// Names of kinds. The block was skipped: names matter only for attached metadata, which is
    /// rare; see [`decode_kinds`].
    Kinds,
}

/// Decodes the block that was just entered, unless it holds kinds. LLVM writes these into a block
/// of their own.
pub(super) fn decode(
    stream: &mut Stream<'_>,
    types: &TypeDecoder,
    numbering: Numbering,
    metadata: &mut Metadata,
) -> Result<Content> {
    let mut name = None;
    let mut code = stream.next_record()?;
    if code == Some(KIND) {
        stream.close()?;
        return Ok(Content::Kinds);
    }
    // What a block of this size typically holds.
    let bits = stream.remaining_bits();
    metadata.nodes.reserve(bits / 48);
    metadata.operands.reserve(bits / 32);
    metadata.strings.reserve(bits / 12);
    while let Some(present) = code {
        let record = stream.record();
        match present {
            STRING => {
                let (start, len) = keep_bytes(metadata, record.ops, &record)?;
                metadata.nodes.push(MdNode::String { start, len });
            }
            VALUE => {
                // Only its range is checked: the value itself has a type.
                types.by_number(record.get(0, "metadata value")?, &record)?;
                let value = record.u32(1, "metadata value")?;
                metadata
                    .nodes
                    .push(MdNode::Value(value_id(value, &record)?));
            }
            NODE | DISTINCT_NODE => {
                let start = size(metadata.operands.len(), &record)?;
                numbering.resolve_list(&record, &mut metadata.operands)?;
                metadata.nodes.push(MdNode::Tuple {
                    distinct: present == DISTINCT_NODE,
                    start,
                    len: size(record.ops.len(), &record)?,
                });
            }
            NAME => name = Some(keep_bytes(metadata, record.ops, &record)?),
            NAMED_NODE => {
                // LLVM writes NAME right before the NAMED_NODE it belongs to.
                let Some((name_start, name_len)) = name.take() else {
                    return Err(record.malformed("named metadata has no name"));
                };
                let start = size(metadata.operands.len(), &record)?;
                for number in record.ops {
                    let node = numbering.resolve(*number, &record)?;
                    metadata.operands.push(Some(node));
                }
                metadata.named.push(NamedMetadata {
                    name_start,
                    name_len,
                    start,
                    len: size(record.ops.len(), &record)?,
                });
            }
            KIND => decode_kind(&record, metadata)?,
            OLD_NODE | OLD_FN_NODE => {
                return Err(record.unsupported("metadata in the form of before LLVM 3.6"));
            }
            // DILocation and the other debug nodes of LLVM 3.7.
            LOCATION | 12..=32 => {
                metadata.nodes.push(MdNode::Debug {
                    code: present,
                    // Debug nodes stay raw: most users never look at them, and `dxil::debug`
                    // decodes them on demand.
                    record: record.ops.into(),
                });
            }
            _ => {
                return Err(record.err(ErrorKind::Unsupported(format!(
                    "metadata record {present}, which LLVM 3.7 does not write"
                ))));
            }
        }
        code = stream.next_record()?;
    }
    Ok(Content::Nodes)
}

/// Decodes the block of kinds that was just entered.
pub(super) fn decode_kinds(stream: &mut Stream<'_>, metadata: &mut Metadata) -> Result<()> {
    while let Some(code) = stream.next_record()? {
        let record = stream.record();
        if code != KIND {
            return Err(record.malformed("a metadata block has kinds and other things"));
        }
        decode_kind(&record, metadata)?;
    }
    Ok(())
}

fn decode_kind(record: &Record<'_>, metadata: &mut Metadata) -> Result<()> {
    if metadata.kinds.len() >= limits::MAX_METADATA_KINDS {
        return Err(record.err(ErrorKind::Limit {
            what: "kinds of metadata",
            value: metadata.kinds.len() as u64 + 1,
            limit: limits::MAX_METADATA_KINDS as u64,
        }));
    }
    let id = record.u32(0, "metadata kind")?;
    let (start, len) = keep_bytes(metadata, record.rest(1), record)?;
    metadata.kinds.push(MetadataKind { id, start, len });
    Ok(())
}

/// Puts a record's bytes into the pool. Returns first byte and number.
fn keep_bytes(metadata: &mut Metadata, bytes: &[u64], record: &Record<'_>) -> Result<(u32, u32)> {
    let start = size(metadata.strings.len(), record)?;
    let bytes_of = bytes.iter().map(|byte| (*byte & 0xff) as u8);
    metadata.strings.extend(bytes_of);
    Ok((start, size(bytes.len(), record)?))
}

fn size(value: usize, record: &Record<'_>) -> Result<u32> {
    u32::try_from(value).map_err(|_| {
        record.err(ErrorKind::Limit {
            what: "size of a metadata pool",
            value: value as u64,
            limit: u64::from(u32::MAX),
        })
    })
}

/// Checks that every reference to a node resolves, now that all nodes are known.
pub(super) fn check_references(metadata: &Metadata) -> Result<()> {
    let count = metadata.nodes.len();
    let mut operands = metadata.operands.iter().flatten();
    match operands.find(|id| id.index() >= count) {
        Some(id) => Err(Error::malformed(format!(
            "metadata refers to node {id}, which does not exist"
        ))),
        None => Ok(()),
    }
}

/// Decodes a METADATA_ATTACHMENT block that was just entered. `sink` gets (instruction or `None`
/// for the function, kind, node).
pub(super) fn decode_attachments(
    stream: &mut Stream<'_>,
    numbering: Numbering,
    mut sink: impl FnMut(&Record<'_>, Option<u32>, u32, MdId) -> Result<()>,
) -> Result<()> {
    while let Some(code) = stream.next_record()? {
        if code != ATTACHMENT {
            continue;
        }
        let record = stream.record();
        // Pairs of kind and node; only the odd field tells that an instruction's number comes
        // first.
        let on_instruction = record.ops.len() % 2 == 1;
        let (instruction, mut at) = if on_instruction {
            (Some(record.u32(0, "metadata attachment")?), 1)
        } else {
            (None, 0)
        };
        while at < record.ops.len() {
            let kind = record.u32(at, "metadata attachment")?;
            let number = record.get(at + 1, "metadata attachment")?;
            let node = numbering.resolve(number, &record)?;
            sink(&record, instruction, kind, node)?;
            at += 2;
        }
    }
    Ok(())
}
