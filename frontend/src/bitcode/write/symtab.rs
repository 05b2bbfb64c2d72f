//! VALUE_SYMTAB blocks.

use super::abbrevs::{ANY_NAME, SEVEN_BIT_NAME, SIX_BIT_BLOCK_NAME, SIX_BIT_NAME};
use super::numbers::{LocalNumbers, Numbers};
use crate::bitcode::bit_writer::{BitWriter, char6};
use crate::bitcode::block_ids::VALUE_SYMTAB_BLOCK;
use crate::bitcode::symtab::{BLOCK_ENTRY, ENTRY};
use crate::error::Result;
use crate::ir::{Function, Module};

/// Writes the names of globals and functions.
pub(super) fn write_module(out: &mut BitWriter, module: &Module, numbers: &Numbers) -> Result<()> {
    let globals = module
        .globals
        .values()
        .map(|global| (global.value, &global.name));
    let functions = module
        .functions
        .values()
        .map(|decl| (decl.value, &decl.name));
    let mut entries = Vec::new();
    for (value, name) in globals
        .chain(functions)
        .filter(|(_, name)| !name.is_empty())
    {
        entries.push((ENTRY, numbers.module_value(value)?, &**name));
    }
    write(out, &entries);
    Ok(())
}

/// Writes the names of a function's values and blocks.
pub(super) fn write_function(
    out: &mut BitWriter,
    function: &Function,
    numbers: &LocalNumbers<'_>,
) -> Result<()> {
    let mut entries = Vec::new();
    for (value, name) in &function.value_names {
        entries.push((ENTRY, numbers.value(*value)?, &**name));
    }
    for (block, name) in &function.block_names {
        entries.push((BLOCK_ENTRY, block.as_u32(), &**name));
    }
    write(out, &entries);
    Ok(())
}

/// Writes a block of code, number and name of each entry; none for no entries.
fn write(out: &mut BitWriter, entries: &[(u32, u32, &str)]) {
    if entries.is_empty() {
        return;
    }
    out.enter(VALUE_SYMTAB_BLOCK, 4);
    let mut record = Vec::new();
    for (code, number, name) in entries {
        record.clear();
        record.push(u64::from(*number));
        record.extend(name.bytes().map(u64::from));
        let is_char6 = name.bytes().all(|byte| char6(u64::from(byte)).is_some());
        let (id, ops) = match (*code, is_char6) {
            (BLOCK_ENTRY, true) => SIX_BIT_BLOCK_NAME,
            (BLOCK_ENTRY, false) => ANY_NAME,
            (_, true) => SIX_BIT_NAME,
            (_, false) if name.is_ascii() => SEVEN_BIT_NAME,
            (_, false) => ANY_NAME,
        };
        out.abbreviated(id, ops, *code, &record);
    }
    out.leave();
}
