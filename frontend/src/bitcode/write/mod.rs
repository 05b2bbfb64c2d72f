//! Writes LLVM 3.7 bitcode: the reverse of [`decode_module`](super::decode_module).
//!
//! ```text
//! numbers.rs    the numbers of values and metadata nodes in the file
//! abbrevs.rs    LLVM's standard abbreviations: BLOCKINFO, and those of single blocks
//! types.rs, attributes.rs, constants.rs, metadata.rs, symtab.rs   one block each
//! function.rs   bodies; instructions.rs their records
//! ```
//!
//! Blocks, records and abbreviations come in the order in which LLVM 3.7's writer has them, so a
//! module that DXC wrote becomes the same records again. Two things differ: names are sorted by the
//! number of what they name, where LLVM has the order of a hash table, and the names of metadata
//! kinds are only written where metadata is attached to something.
//!
//! Source: "LLVM Bitcode File Format", and the records of modules that DXC wrote.

mod abbrevs;
mod attributes;
mod constants;
mod function;
mod instructions;
mod metadata;
mod numbers;
mod symtab;
mod types;

use self::abbrevs::{GLOBAL_ABBREV, bits_for};
use self::numbers::Numbers;
use super::abbrev::AbbrevOp;
use super::abbrev::ScalarEncoding::Fixed;
use super::bit_writer::{BitWriter, bytes_of};
use super::block_ids::MODULE_BLOCK;
use super::codes;
use super::module::{DATA_LAYOUT, FUNCTION, GLOBAL, TRIPLE, VERSION};
use crate::error::Result;
use crate::ir::{FunctionDecl, Global, Module};

/// Returns the module as LLVM 3.7 bitcode, magic included, a multiple of four bytes long.
///
/// Reading it gives the module again: the same types, values, instructions and metadata under the
/// same ids, if the ids of the module are in the order that bitcode has (globals, functions,
/// constants; in a function arguments, constants, results). Else they are in that order then.
///
/// # Errors
///
/// If the module has what bitcode cannot hold: a type, an alignment or an operator that LLVM 3.7
/// does not have, or an id that names nothing.
pub fn write_module(module: &Module) -> Result<Vec<u8>> {
    let numbers = Numbers::of_module(module)?;
    let mut out = BitWriter::with_magic();
    out.enter(MODULE_BLOCK, 3);
    // Version 1 has relative operand numbers.
    out.record(VERSION, [1]);
    abbrevs::write_block_info(&mut out, module);
    attributes::write(&mut out, module);
    types::write(&mut out, &module.types)?;
    write_info(&mut out, module, &numbers)?;
    constants::write_module(&mut out, module, &numbers)?;
    metadata::write_module(&mut out, module, &numbers)?;
    symtab::write_module(&mut out, module, &numbers)?;
    for decl in module.functions.values() {
        let Some(body) = decl.body else { continue };
        let body = module.bodies.get(body as usize);
        let body = body.ok_or_else(|| numbers::dangling("a body"))?;
        function::write(&mut out, module, &numbers, body)?;
    }
    out.leave();
    Ok(out.finish())
}

/// Writes triple, data layout, sections, variables and functions.
fn write_info(out: &mut BitWriter, module: &Module, numbers: &Numbers) -> Result<()> {
    // LLVM leaves both out where they are empty.
    for (code, text) in [(TRIPLE, &module.triple), (DATA_LAYOUT, &module.data_layout)] {
        if !text.is_empty() {
            out.record(code, bytes_of(text));
        }
    }
    if !module.globals.is_empty() {
        let global_abbrev = define_global_abbrev(out, module)?;
        for global in module.globals.values() {
            write_global(out, global, &global_abbrev, numbers)?;
        }
    }
    for decl in module.functions.values() {
        out.record(FUNCTION, function_record(decl));
    }
    Ok(())
}

/// Defines the abbreviation of plain variables.
fn define_global_abbrev(out: &mut BitWriter, module: &Module) -> Result<[AbbrevOp; 7]> {
    let mut highest_type = 0;
    let mut highest_align = 0;
    for global in module.globals.values() {
        highest_type = highest_type.max(u64::from(global.ty.as_u32()));
        highest_align = highest_align.max(codes::alignment_code(global.align)?);
    }
    let optional = |highest: u64| match bits_for(highest + 1) {
        0 => AbbrevOp::Literal(0),
        bits => AbbrevOp::Scalar(Fixed(bits)),
    };
    let ops = [
        AbbrevOp::Literal(GLOBAL),
        // An abbreviation has no fields without bits, so one type takes one.
        AbbrevOp::Scalar(Fixed(bits_for(highest_type + 1).max(1))),
        AbbrevOp::Vbr6,
        AbbrevOp::Vbr6,
        AbbrevOp::Scalar(Fixed(5)),
        optional(highest_align),
        // Sections, which DXIL does not have.
        AbbrevOp::Literal(0),
    ];
    out.define(&ops);
    Ok(ops)
}

fn write_global(
    out: &mut BitWriter,
    global: &Global,
    abbrev: &[AbbrevOp],
    numbers: &Numbers,
) -> Result<()> {
    /// The record names the variable's type, not that of its address.
    const EXPLICIT_TYPE: u64 = 1 << 1;
    let initializer = match global.initializer {
        Some(value) => u64::from(numbers.module_value(value)?) + 1,
        None => 0,
    };
    let flags =
        u64::from(global.address_space) << 2 | EXPLICIT_TYPE | u64::from(global.is_constant);
    let mut record = vec![
        u64::from(global.ty.as_u32()),
        flags,
        initializer,
        codes::linkage_code(global.linkage),
        codes::alignment_code(global.align)?,
        0,
    ];
    if global.unnamed_addr {
        // Visibility, thread-local mode, unnamed_addr, external initialization, storage class of
        // DLLs, comdat: DXIL has only the third.
        record.extend([0, 0, 1, 0, 0, 0]);
        out.record(GLOBAL, record);
    } else {
        out.abbreviated(GLOBAL_ABBREV, abbrev, GLOBAL, &record);
    }
    Ok(())
}

fn function_record(decl: &FunctionDecl) -> [u64; 15] {
    let mut record = [0; 15];
    // The others are alignment, section, visibility, collector, unnamed_addr, prologue, storage
    // class of DLLs, comdat, prefix and personality: DXIL has none of them.
    let [ty, convention, is_declaration, linkage, attributes, ..] = &mut record;
    *ty = u64::from(decl.ty.as_u32());
    *convention = u64::from(decl.convention);
    *is_declaration = u64::from(decl.body.is_none());
    *linkage = codes::linkage_code(decl.linkage);
    *attributes = u64::from(decl.attributes);
    record
}
