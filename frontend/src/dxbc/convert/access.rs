//! Arguments and results that operations on textures and on buffers share.

use super::context::FunctionConverter;
use super::operands::InstructionOperands;
use super::ssa::Def;
use crate::dxbc::operations::Operations;
use crate::dxbc::tokens::{Components, Operand};
use crate::dxil::ops::Opcode as Op;
use crate::error::Result;
use crate::ir::{TypeId, ValueId};

/// Arguments of a call; `SampleGrad` has the most.
pub(super) type CallArguments = smallvec::SmallVec<[ValueId; 20]>;

/// Returns a source component as a 32-bit float or integer.
pub(super) fn source(
    c: &mut FunctionConverter<'_, '_>,
    operand: &Operand,
    component: u8,
    is_float: bool,
) -> Result<ValueId> {
    if is_float {
        c.float_source(operand, component)
    } else {
        c.int_source(operand, component)
    }
}

/// Appends the first `count` components of an operand, and `undef` up to `all`.
pub(super) fn push_components(
    c: &mut FunctionConverter<'_, '_>,
    args: &mut CallArguments,
    operand: &Operand,
    is_float: bool,
    (count, all): (u8, u8),
) -> Result<()> {
    let ty = c.scalar(is_float);
    for component in 0..all {
        args.push(if component < count {
            source(c, operand, component, is_float)?
        } else {
            c.undef(ty)
        });
    }
    Ok(())
}

/// Calls an operation that returns four components and a status.
pub(super) fn load_call(
    c: &mut FunctionConverter<'_, '_>,
    op: Op,
    ty: TypeId,
    args: &[ValueId],
) -> Result<ValueId> {
    let ret = c.shared.module.load_result(ty);
    c.call(op, Some(ty), ret, args)
}

/// Reads the first `words` words at an address of a raw or structured buffer.
pub(super) fn raw_load(
    c: &mut FunctionConverter<'_, '_>,
    handle: ValueId,
    [index, offset]: [ValueId; 2],
    ty: TypeId,
    words: u8,
) -> Result<ValueId> {
    if c.shared.operations == Operations::OfFirstModel {
        return load_call(c, Op::BufferLoad, ty, &[handle, index, offset]);
    }
    // D3D11.3 functional specification, 7.13: addresses are aligned to four bytes.
    let args = [handle, index, offset, c.byte((1 << words) - 1), c.int(4)];
    load_call(c, Op::RawBufferLoad, ty, &args)
}

/// Writes the words whose bits are set to an address of a raw or structured buffer.
pub(super) fn raw_store(
    c: &mut FunctionConverter<'_, '_>,
    handle: ValueId,
    [index, offset]: [ValueId; 2],
    ty: TypeId,
    words: [ValueId; 4],
    mask: u8,
) -> Result<()> {
    let [x, y, z, w] = words;
    let args = [handle, index, offset, x, y, z, w, c.byte(mask), c.int(4)];
    let void = c.shared.module.types.void;
    // `bufferStore` has the same arguments without the last, the alignment.
    match (c.shared.operations, args.split_last()) {
        (Operations::OfFirstModel, Some((_, args))) => {
            c.call(Op::BufferStore, Some(ty), void, args)?;
        }
        _ => {
            c.call(Op::RawBufferStore, Some(ty), void, &args)?;
        }
    }
    Ok(())
}

/// Writes the result of a load: its members as the resource operand swizzles them, and the status.
/// The load returned components from `first` on.
pub(super) fn write_loaded(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    result: ValueId,
    is_float: bool,
    swizzle: Components,
    first: u8,
) -> Result<()> {
    let ty = c.scalar(is_float);
    let destination = o.at(0)?;
    let mut values = [None; 4];
    for (component, value) in (0..).zip(&mut values) {
        if destination.components.mask() >> component & 1 != 0 {
            // Cannot underflow: callers pass the least component of the swizzle as `first`, or 0.
            let member = swizzle.source(component) - first;
            let member = c.member(result, u32::from(member), ty)?;
            *value = Some(c.def(member, is_float));
        }
    }
    c.write(o.instruction, destination, &values)?;
    write_status(c, o, result)
}

/// Writes the status of a load if the instruction has a destination for it.
pub(super) fn write_status(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    result: ValueId,
) -> Result<()> {
    if !o.has_status() {
        return Ok(());
    }
    let destination = o.at(1)?;
    let int = c.i32();
    let status = Def::Int(c.member(result, 4, int)?);
    c.write(o.instruction, destination, &[Some(status); 4])
}

/// Writes four known components as the resource operand swizzles them.
pub(super) fn write_components(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    components: &[Def; 4],
    swizzle: Components,
) -> Result<()> {
    let mut values = [None; 4];
    for (component, value) in (0..).zip(&mut values) {
        let source = usize::from(swizzle.source(component));
        *value = components.get(source).copied();
    }
    c.write(o.instruction, o.at(0)?, &values)
}
