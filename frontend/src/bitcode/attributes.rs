//! PARAMATTR and PARAMATTR_GROUP blocks.

use super::stream::{Record, Stream, text};
use crate::error::Result;
use crate::ir::{Attribute, AttributeGroup};

pub(super) const GROUP_ENTRY: u32 = 3;
pub(super) const SET_ENTRY: u32 = 2;

/// Decodes PARAMATTR_GROUP. Returns the groups with their numbers.
pub(super) fn decode_groups(
    stream: &mut Stream<'_>,
    groups: &mut Vec<(u32, AttributeGroup)>,
) -> Result<()> {
    while let Some(code) = stream.next_record()? {
        if code == GROUP_ENTRY {
            let record = stream.record();
            let id = record.u32(0, "attribute group")?;
            let slot = record.u32(1, "attribute group")?;
            let attributes = decode_attributes(&record)?;
            groups.push((id, AttributeGroup { slot, attributes }));
        }
    }
    // Sets look groups up by number.
    groups.sort_by_key(|(id, _)| *id);
    Ok(())
}

fn decode_attributes(record: &Record<'_>) -> Result<Vec<Attribute>> {
    let mut attributes = Vec::new();
    let mut at = 2;
    while at < record.ops.len() {
        let kind = record.get(at, "attribute")?;
        at += 1;
        attributes.push(match kind {
            0 | 1 => {
                let key = record.get(at, "attribute")?;
                at += 1;
                if kind == 0 {
                    Attribute::Enum(key)
                } else {
                    let value = record.get(at, "attribute")?;
                    at += 1;
                    Attribute::Int(key, value)
                }
            }
            3 | 4 => {
                let key = terminated(record, &mut at)?;
                let value = if kind == 4 {
                    Some(terminated(record, &mut at)?)
                } else {
                    None
                };
                Attribute::String(key, value)
            }
            _ => return Err(record.unsupported("an attribute kind that LLVM 3.7 does not have")),
        });
    }
    Ok(attributes)
}

/// Returns a zero-terminated string of the record.
fn terminated(record: &Record<'_>, at: &mut usize) -> Result<Box<str>> {
    let rest = record.rest(*at);
    let len = rest
        .iter()
        .position(|byte| *byte == 0)
        .ok_or_else(|| record.malformed("an attribute's text has no end"))?;
    *at += len + 1;
    Ok(text(rest.get(..len).unwrap_or_default()))
}

/// Decodes PARAMATTR: each set is a list of indices into `groups`.
pub(super) fn decode_sets(
    stream: &mut Stream<'_>,
    groups: &[(u32, AttributeGroup)],
    sets: &mut Vec<Box<[u32]>>,
) -> Result<()> {
    while let Some(code) = stream.next_record()? {
        let record = stream.record();
        if code != SET_ENTRY {
            return Err(record.unsupported("attributes in the form of before LLVM 3.3"));
        }
        let mut set = Vec::with_capacity(record.ops.len());
        for number in record.ops {
            let index = groups
                // LLVM numbers groups densely, but a hostile file need not, so no table is indexed
                // by them.
                .binary_search_by_key(number, |(id, _)| u64::from(*id))
                .map_err(|_| {
                    record.malformed("an attribute set names a group that does not exist")
                })?;
            set.push(u32::try_from(index).unwrap_or(u32::MAX));
        }
        sets.push(set.into_boxed_slice());
    }
    Ok(())
}
