//! FUNCTION_BLOCK.

use super::abbrevs::{InstAbbrevs, type_bits};
use super::instructions::InstWriter;
use super::numbers::Numbers;
use super::{constants, metadata, symtab};
use crate::bitcode::bit_writer::BitWriter;
use crate::bitcode::block_ids::FUNCTION_BLOCK;
use crate::bitcode::function::code;
use crate::error::Result;
use crate::ir::{DebugLoc, FuncView, Function, InstId, Module};

/// Writes a body.
pub(super) fn write(
    out: &mut BitWriter,
    module: &Module,
    numbers: &Numbers,
    function: &Function,
) -> Result<()> {
    let view = FuncView { module, function };
    let numbers = numbers.of_function(module, function)?;
    out.enter(FUNCTION_BLOCK, 4);
    out.record(code::DECLARE_BLOCKS, [function.blocks.len() as u64]);
    constants::write_function(out, module, function, &numbers)?;
    metadata::write_function(out, view, &numbers)?;
    let abbrevs = InstAbbrevs::new(type_bits(module));
    let mut writer = InstWriter::new(view, &numbers, &abbrevs);
    let mut last_loc = None;
    for block in function.blocks.keys() {
        for inst in function.block_insts(block) {
            writer
                .write(out, inst)
                .map_err(|error| error.in_function(function.id).at_inst(inst))?;
            if let Some(loc) = location(function, inst) {
                if last_loc == Some(loc) {
                    out.record(code::DEBUG_LOC_AGAIN, []);
                } else {
                    let record = [
                        u64::from(loc.line),
                        u64::from(loc.column),
                        numbers.optional_node(loc.scope)?,
                        numbers.optional_node(loc.inlined_at)?,
                    ];
                    out.record(code::DEBUG_LOC, record);
                    last_loc = Some(loc);
                }
            }
        }
    }
    symtab::write_function(out, function, &numbers)?;
    metadata::write_attachments(out, function, &numbers)?;
    out.leave();
    Ok(())
}

fn location(function: &Function, inst: InstId) -> Option<DebugLoc> {
    function.debug_locs.get(inst).copied().flatten()
}
