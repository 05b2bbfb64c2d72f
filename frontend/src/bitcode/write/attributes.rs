//! PARAMATTR_GROUP and PARAMATTR blocks.

use crate::bitcode::attributes::{GROUP_ENTRY, SET_ENTRY};
use crate::bitcode::bit_writer::{BitWriter, bytes_of};
use crate::bitcode::block_ids::{PARAMATTR_BLOCK, PARAMATTR_GROUP_BLOCK};
use crate::ir::{Attribute, AttributeGroup, Module};

/// Writes groups and sets, each if there are any.
pub(super) fn write(out: &mut BitWriter, module: &Module) {
    if !module.attribute_groups.is_empty() {
        out.enter(PARAMATTR_GROUP_BLOCK, 3);
        // Numbers of groups begin with 1.
        for (number, group) in (1..).zip(&module.attribute_groups) {
            out.record(GROUP_ENTRY, group_record(number, group));
        }
        out.leave();
    }
    if !module.attribute_sets.is_empty() {
        out.enter(PARAMATTR_BLOCK, 3);
        for set in &module.attribute_sets {
            let groups: Vec<u64> = set.iter().map(|index| u64::from(*index) + 1).collect();
            out.record(SET_ENTRY, groups);
        }
        out.leave();
    }
}

fn group_record(number: u64, group: &AttributeGroup) -> Vec<u64> {
    let mut record = vec![number, u64::from(group.slot)];
    let terminated = |record: &mut Vec<u64>, text: &str| {
        record.extend(bytes_of(text));
        record.push(0);
    };
    for attribute in &group.attributes {
        match attribute {
            Attribute::Enum(key) => record.extend([0, *key]),
            Attribute::Int(key, value) => record.extend([1, *key, *value]),
            Attribute::String(key, value) => {
                record.push(if value.is_some() { 4 } else { 3 });
                terminated(&mut record, key);
                if let Some(value) = value {
                    terminated(&mut record, value);
                }
            }
        }
    }
    record
}
