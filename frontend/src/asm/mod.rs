//! Reads LLVM 3.7 assembly, as [`module_text`](crate::ir::print::module_text) and DXC print it.
//!
//! ```text
//! lexer.rs      text to tokens
//! parser.rs     the position among the tokens, errors with line numbers
//! tables.rs     types.rs, constants.rs, attributes.rs, metadata.rs: each entry once
//! module.rs     variables, functions, and the order in which all else is read
//! function.rs   blocks and names; instructions.rs, memory.rs, calls.rs  the instructions
//! ```
//!
//! The module is written as bitcode and read again, so it keeps all promises of a module from a
//! container: definitions dominate uses, operands have the types that instructions ask for.
//!
//! Not part of the syntax, but accepted: a name with a colon before an argument of a call
//! (`i32 57` as `opcode: i32 57`). Debug information (`!DILocation(...)` and its like) is not read.
//!
//! Source: LLVM 3.7's language reference.

mod attributes;
mod calls;
mod constants;
mod function;
mod instructions;
mod lexer;
mod memory;
mod metadata;
mod module;
mod names;
mod parser;
mod tables;
mod types;

use crate::bitcode::{decode_module, write_module};
use crate::error::{Error, ErrorKind, Result};
use crate::ir::Module;

/// Largest text, in bytes: what a module of the largest size prints as.
const MAX_TEXT: usize = 1 << 30;

/// Returns the module that a text describes.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let module = dxil_frontend::asm::assemble(
///     "define i32 @double(i32 %x) {
///        %y = shl nuw i32 %x, 1
///        ret i32 %y
///      }",
/// )?;
/// assert_eq!(module.bodies.len(), 1);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// If the text is malformed, which the error says with its line; if it uses what this reader or
/// DXIL does not have; or if the module breaks a rule of the IR.
pub fn assemble(text: &str) -> Result<Module> {
    if text.len() > MAX_TEXT {
        return Err(Error::new(ErrorKind::Limit {
            what: "bytes of assembly",
            value: text.len() as u64,
            limit: MAX_TEXT as u64,
        }));
    }
    let tokens = lexer::tokens(text)?;
    let module = module::parse(&tokens)?;
    decode_module(&write_module(&module)?, 0)
}
