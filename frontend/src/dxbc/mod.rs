//! DXBC: shaders of shader models 4.0 to 5.1, as fxc writes them.
//!
//! ```text
//! SHDR/SHEX part -> Program (instructions as records)    reader, tokens, table
//!                -> Declarations                          what it declares
//!                -> Shader                                convert: the form that DXIL is read to
//! ```
//!
//! The instruction table (`table.rs`) is the single source for opcodes, operands and their types.
//! Conversion ends in the same [`Shader`] that DXIL is read to: typed SSA with calls of DXIL
//! operations, so that no later stage distinguishes the two.

mod convert;
mod declarations;
#[cfg(any(test, feature = "oracle"))]
#[doc(hidden)]
pub mod mutate;
mod opcode;
pub mod print;
mod reader;
mod register_files;
mod signature;
mod table;
mod tokens;
mod write;

pub use declarations::{
    Declarations, Geometry, GroupShared, IndexRange, Phase, RegisterDeclaration,
    ResourceDeclaration, Tessellation,
};
pub use opcode::{InstructionSpec, Opcode, OperandRole, OperandSpec, OperandType};
pub use reader::Program;
pub use signature::Signatures;
pub use tokens::{
    Components, Dimension, Extended, File, Instruction, Modifiers, Operand, OperandIndex, Span,
};

use crate::container::Container;
use crate::dxil::Shader;
use crate::error::Result;

/// Reads the DXBC shader of a container as the [`Shader`] that DXIL would be read to.
///
/// # Errors
/// If the container has no DXBC program, if it is malformed, or if it uses what conversion does not
/// know; if it has registers or signature elements that its stage does not have.
pub fn read_shader(container: &Container<'_>) -> Result<Shader> {
    let mut program = Program::of_container(container)?;
    register_files::check(&program).map_err(|error| error.in_part(program.part))?;
    convert::merge_neighbors(&mut program);
    let declarations = Declarations::of_program(&program)?;
    let signatures = signature::read(container, program.kind, &declarations)?;
    convert::run(&program, &declarations, signatures).map_err(|error| error.in_part(program.part))
}
