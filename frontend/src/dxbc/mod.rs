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

mod class_binding;
mod convert;
mod declarations;
mod declared_interfaces;
mod interface_calls;
mod linkage;
#[cfg(any(test, feature = "oracle"))]
#[doc(hidden)]
pub mod mutate;
mod opcode;
mod operations;
pub mod print;
mod reader;
mod register_files;
mod signature;
mod table;
mod tokens;
mod write;

pub use class_binding::ClassBinding;
pub use declarations::{
    Declarations, Geometry, GroupShared, IndexRange, Phase, RegisterDeclaration,
    ResourceDeclaration, Tessellation,
};
pub use declared_interfaces::MAX_INTERFACE_SLOTS;
pub use linkage::{ClassInstance, ClassLinkage, Implementation, ReflectedInterface};
pub use opcode::{InstructionSpec, Opcode, OperandRole, OperandSpec, OperandType};
pub use reader::Program;
pub use signature::Signatures;
pub use tokens::{
    Components, Dimension, Extended, File, Instruction, Modifiers, Operand, OperandIndex, Span,
};

use self::operations::Operations;
use crate::container::Container;
use crate::dxil::Shader;
use crate::error::{Error, Result};

/// Reads the DXBC shader of a container as the [`Shader`] that DXIL would be read to.
///
/// A shader with interfaces reads from a constant buffer which classes they stand for, as
/// Microsoft's `dxilconv` has it: `b14` has a row for each interface slot with the number of its
/// function table, and after these a row for each with its `this` register (constant buffer, first
/// register of 16 bytes, texture, sampler). Resources that such a register names are arrays:
/// constant buffers `b0` to `b13` of space 1, samplers `s0` to `s15` of space 1, or 2 for those
/// that compare, and textures `t0` to `t127`, each type of them in a space of its own from 1 on.
/// Where the classes are known before, [`read_linked_shader`] makes a shader without all that.
///
/// # Errors
/// If the container has no DXBC program, if it is malformed, or if it uses what conversion does not
/// know; if it has registers or signature elements that its stage does not have.
pub fn read_shader(container: &Container<'_>) -> Result<Shader> {
    read(container, None, Operations::Any)
}

/// Reads the DXBC shader of a container as [`read_shader`] does, with no operation that came after
/// shader model 6.0.
pub(crate) fn read_shader_of_first_model(container: &Container<'_>) -> Result<Shader> {
    read(container, None, Operations::OfFirstModel)
}

/// Reads the DXBC shader of a container whose interfaces stand for known class instances. Calls
/// through them become direct, and the data of an instance lies in the registers that the instance
/// names.
///
/// # Errors
/// As [`read_shader`]; if the shader has no such interface slot, if a class cannot be bound to a
/// slot, or if the shader calls a slot that has no instance.
pub fn read_linked_shader(container: &Container<'_>, linkage: &ClassLinkage) -> Result<Shader> {
    read(container, Some(linkage), Operations::Any)
}

fn read(
    container: &Container<'_>,
    linkage: Option<&ClassLinkage>,
    operations: Operations,
) -> Result<Shader> {
    let mut program = Program::of_container(container)?;
    let in_part = |error: Error| error.in_part(program.part);
    register_files::check(&program).map_err(in_part)?;
    let interfaces =
        declared_interfaces::DeclaredInterfaces::of_program(&program).map_err(in_part)?;
    let linked = linkage::Linked::new(container, &interfaces, linkage)?;
    let part = program.part;
    interface_calls::expand(&mut program, &interfaces, linked.as_ref())
        .map_err(|error| error.in_part(part))?;
    convert::merge_neighbors(&mut program);
    let declarations = Declarations::of_program(&program)?;
    let signatures = signature::read(container, program.kind, &declarations)?;
    convert::run(
        &program,
        &declarations,
        signatures,
        linked.as_ref(),
        operations,
    )
    .map_err(|error| error.in_part(program.part))
}
