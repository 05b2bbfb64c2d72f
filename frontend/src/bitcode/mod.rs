//! LLVM 3.7 bitcode, the form in which DXIL is stored.
//!
//! ```text
//! wrapper.rs a header that some tools put in front
//! bits.rs    a cursor over bits: fixed and variable-width fields, 57 bits per load
//! abbrev.rs  abbreviations: how a record's fields are packed
//! stream.rs  blocks and records: one event at a time into one reusable buffer
//! account.rs what records, blocks and edges count for, however few bits they take
//! ----------------------------------------------------------------- syntax above, LLVM below
//! module.rs  the module block
//! types.rs, attributes.rs, constants.rs, metadata.rs, symtab.rs, function/  one block each
//! layout.rs  what DXC's reader asks of a bitstream besides, for the validator
//! verify/    the rules that later stages rely on: ids resolve, blocks end once, types agree
//! write/     the way back: a module as bitcode
//! ```
//!
//! The format is described in LLVM's "LLVM Bitcode File Format"; the record layouts are those of
//! LLVM 3.7. No length in the file is trusted with memory that its bytes have not paid for, and
//! the work is linear in the number of bytes.

mod abbrev;
mod account;
mod attributes;
#[doc(hidden)]
pub mod bit_writer;
mod bits;
mod block_ids;
pub(crate) mod codes;
mod constants;
mod function;
mod layout;
mod metadata;
mod module;
mod positions;
#[cfg(any(test, feature = "oracle"))]
#[doc(hidden)]
pub mod records;
mod stream;
mod symtab;
mod types;
pub(crate) mod verify;
mod wrapper;
mod write;
#[cfg(test)]
mod writer;

pub(crate) use layout::check_layout;
pub use module::decode_module;
pub use positions::instruction_offsets;
pub use write::write_module;
