//! Raw and structured memory, and atomic operations on anything.

use super::access::{CallArguments, push_components, raw_load, raw_store, write_loaded};
use super::context::FunctionConverter;
use super::memory;
use super::operands::InstructionOperands;
use super::registers::components;
use super::resource_table::Known;
use super::resources;
use super::ssa::Def;
use crate::dxbc::opcode::{Opcode as O, OperandRole};
use crate::dxbc::tokens::{Dimension, File, Operand};
use crate::dxil::ops::Opcode as Op;
use crate::dxil::{ResourceClass, ResourceKind};
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{AtomicRmwOp, BinaryOp, ValueId};

/// Converts an instruction on raw or structured memory, or an atomic one; `false` if it is none.
pub(super) fn convert(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
) -> Result<bool> {
    match o.instruction.opcode {
        O::LdRaw | O::LdRawS | O::LdStructured | O::LdStructuredS => load(c, o)?,
        O::StoreRaw | O::StoreStructured => store(c, o)?,
        O::ImmAtomicAlloc => count(c, o, 1)?,
        O::ImmAtomicConsume => count(c, o, -1)?,
        opcode => match atomic(opcode) {
            Some(kind) => change(c, o, kind)?,
            None => return Ok(false),
        },
    }
    Ok(true)
}

/// An address in words: an index, and in structured memory a byte offset.
struct Address {
    index: Def,
    offset: Option<Def>,
}

fn address(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>) -> Result<Address> {
    let index = c.int_def(o.by_role(OperandRole::One, 0)?, 0)?;
    let is_structured = matches!(
        o.instruction.opcode,
        O::LdStructured | O::LdStructuredS | O::StoreStructured
    );
    let offset = if is_structured {
        Some(c.int_def(o.by_role(OperandRole::One, 1)?, 0)?)
    } else {
        None
    };
    Ok(Address { index, offset })
}

/// Returns the address in the form that the resource's declaration asks for. Where an instruction
/// takes a raw buffer for a structured one, its own stride counts; where it takes a structured
/// buffer for a raw one, bytes are counted from the first element.
fn adapted(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    class: ResourceClass,
    resource: &Known,
    at: Address,
) -> Result<Address> {
    let adapted = match (resource.kind, at.offset) {
        (ResourceKind::StructuredBuffer, Some(_)) | (ResourceKind::RawBuffer, None) => {
            return Ok(at);
        }
        (ResourceKind::RawBuffer, Some(offset)) => {
            let stride = match o.instruction.extended.dimension {
                Some((Dimension::StructuredBuffer, stride)) => stride,
                _ => 4,
            };
            let stride = Def::Bits(stride);
            let element = super::arithmetic::int_binary(c, BinaryOp::Mul, at.index, stride);
            Address {
                index: super::arithmetic::int_binary(c, BinaryOp::Add, element, offset),
                offset: None,
            }
        }
        (ResourceKind::StructuredBuffer, None) => Address {
            index: Def::Bits(0),
            offset: Some(at.index),
        },
        _ => {
            return Err(Error::unsupported(
                "raw or structured access to a texture or a typed buffer",
            ));
        }
    };
    c.shared.resources.contradict(class, resource.id);
    Ok(adapted)
}

/// Returns the arguments index and offset of the word `bytes` bytes behind an address, in a buffer
/// of that kind.
fn arguments(
    c: &mut FunctionConverter<'_, '_>,
    resource: &Known,
    at: &Address,
    bytes: u32,
) -> Result<[ValueId; 2]> {
    let add = |c: &mut FunctionConverter<'_, '_>, def| {
        super::arithmetic::int_binary(c, BinaryOp::Add, def, Def::Bits(bytes))
    };
    let int = c.i32();
    match (resource.kind, at.offset) {
        (ResourceKind::StructuredBuffer, Some(offset)) => {
            let offset = if bytes == 0 { offset } else { add(c, offset) };
            Ok([c.as_int(at.index), c.as_int(offset)])
        }
        (ResourceKind::RawBuffer, None) => {
            let index = if bytes == 0 {
                at.index
            } else {
                add(c, at.index)
            };
            // DXIL's raw loads take whole words.
            Ok([c.as_int(index), c.undef(int)])
        }
        _ => Err(Error::new(ErrorKind::Internal(
            "an address of another kind than its buffer",
        ))),
    }
}

fn load(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>) -> Result<()> {
    let operand = o.by_role(OperandRole::Memory, 0)?;
    let at = address(c, o)?;
    let destination = o.at(0)?;
    let mask = destination.components.mask();
    if operand.file == File::GroupShared {
        let mut values = [None; 4];
        let array = memory::group_array(c, operand)?;
        let first = memory::group_word(c, array, at.index, at.offset);
        for (component, value) in (0..).zip(&mut values) {
            if mask >> component & 1 != 0 {
                let word = u32::from(operand.components.source(component));
                let pointer = memory::group_address(c, array, first, word)?;
                *value = Some(memory::load_group(c, pointer));
            }
        }
        return c.write(o.instruction, destination, &values);
    }
    let class = resources::class_of(operand)?;
    let (resource, handle) = resources::handle(c, class, operand)?;
    let at = adapted(c, o, class, &resource, at)?;
    // The words that are needed, from the first to the last.
    let words = || components(mask).map(|component| operand.components.source(component));
    let first = words().min().unwrap_or(0);
    let count = words().max().unwrap_or(0) - first + 1;
    let floats = c.prefers_float(destination);
    let ty = c.scalar(floats);
    let address = arguments(c, &resource, &at, u32::from(first) * 4)?;
    let result = raw_load(c, handle, address, ty, count)?;
    write_loaded(c, o, result, floats, operand.components, first)
}

fn store(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>) -> Result<()> {
    let operand = o.by_role(OperandRole::Store, 0)?;
    let at = address(c, o)?;
    let source = o.by_role(OperandRole::Vec4, 0)?;
    let mask = operand.components.mask();
    let mut values: [Option<Def>; 4] = [None; 4];
    for (component, value) in (0..).zip(&mut values) {
        if mask >> component & 1 != 0 {
            *value = Some(c.any_def(source, component, true)?);
        }
    }
    if operand.file == File::GroupShared {
        let array = memory::group_array(c, operand)?;
        let first = memory::group_word(c, array, at.index, at.offset);
        for (word, value) in (0..).zip(values) {
            if let Some(value) = value {
                let pointer = memory::group_address(c, array, first, word)?;
                memory::store_group(c, pointer, value);
            }
        }
        return Ok(());
    }
    let (resource, handle) = resources::handle(c, ResourceClass::Uav, operand)?;
    let at = adapted(c, o, ResourceClass::Uav, &resource, at)?;
    // As floats only if all of them are.
    let floats = values
        .iter()
        .flatten()
        .all(|value| matches!(value, Def::Float(_)));
    let ty = c.scalar(floats);
    let address = arguments(c, &resource, &at, 0)?;
    let words = values.map(|value| match value {
        Some(value) => c.as_scalar(value, floats),
        None => c.undef(ty),
    });
    raw_store(c, handle, address, ty, words, mask)
}

fn count(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>, by: i8) -> Result<()> {
    let (resource, handle) =
        resources::handle(c, ResourceClass::Uav, o.by_role(OperandRole::Atomic, 0)?)?;
    // D3D11.3 functional specification, 22.17.17: only structured buffers have a counter.
    if resource.kind != ResourceKind::StructuredBuffer {
        return Err(Error::malformed("a counter of a buffer that has none"));
    }
    c.shared.resources.use_counter(resource.id);
    let int = c.i32();
    let by = c.byte(by.cast_unsigned());
    // D3D11.3 functional specification, 22.17.17 and 22.17.18: `alloc` returns the old value and
    // `consume` the new one. So does the DXIL operation, by the sign of its operand.
    let value = c.call(Op::BufferUpdateCounter, None, int, &[handle, by])?;
    c.write(o.instruction, o.at(0)?, &[Some(Def::Int(value)); 4])
}

/// An atomic operation.
#[derive(Clone, Copy)]
struct Atomic {
    /// The number of the operation in `AtomicBinOp`; `None` for a compare-and-exchange.
    number: Option<u32>,
    /// The operation on groupshared memory.
    group: AtomicRmwOp,
}

fn atomic(opcode: O) -> Option<Atomic> {
    use AtomicRmwOp as R;
    let (number, group) = match opcode {
        O::AtomicIadd | O::ImmAtomicIadd => (Some(0), R::Add),
        O::AtomicAnd | O::ImmAtomicAnd => (Some(1), R::And),
        O::AtomicOr | O::ImmAtomicOr => (Some(2), R::Or),
        O::AtomicXor | O::ImmAtomicXor => (Some(3), R::Xor),
        O::AtomicImin | O::ImmAtomicImin => (Some(4), R::Min),
        O::AtomicImax | O::ImmAtomicImax => (Some(5), R::Max),
        O::AtomicUmin | O::ImmAtomicUmin => (Some(6), R::UMin),
        O::AtomicUmax | O::ImmAtomicUmax => (Some(7), R::UMax),
        O::ImmAtomicExch => (Some(8), R::Xchg),
        // The second operation is not used: `number` selects compare-and-exchange.
        O::AtomicCmpStore | O::ImmAtomicCmpExch => (None, R::Xchg),
        _ => return None,
    };
    Some(Atomic { number, group })
}

/// Returns whether an atomic instruction returns the old value: those whose names begin with
/// `imm_`.
fn returns_old_value(opcode: O) -> bool {
    let operands = opcode.row().operands;
    operands
        .first()
        .is_some_and(|operand| operand.role == OperandRole::Dst)
}

fn change(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    kind: Atomic,
) -> Result<()> {
    let operand = o.by_role(OperandRole::Atomic, 0)?;
    let coordinates = o.by_role(OperandRole::Coords, 0)?;
    let first = c.int_source(o.by_role(OperandRole::One, 0)?, 0)?;
    let second = match kind.number {
        Some(_) => None,
        None => Some(c.int_source(o.by_role(OperandRole::One, 1)?, 0)?),
    };
    let old = match operand.file {
        File::GroupShared => change_group(c, operand, coordinates, kind, (first, second))?,
        _ => change_buffer(c, operand, coordinates, kind, (first, second))?,
    };
    if returns_old_value(o.instruction.opcode) {
        c.write(o.instruction, o.at(0)?, &[Some(Def::Int(old)); 4])?;
    }
    Ok(())
}

fn change_group(
    c: &mut FunctionConverter<'_, '_>,
    operand: &Operand,
    coordinates: &Operand,
    kind: Atomic,
    (first, second): (ValueId, Option<ValueId>),
) -> Result<ValueId> {
    let array = memory::group_array(c, operand)?;
    let index = c.int_def(coordinates, 0)?;
    let offset = match array.stride {
        Some(_) => Some(c.int_def(coordinates, 1)?),
        None => None,
    };
    let word = memory::group_word(c, array, index, offset);
    let pointer = memory::group_address(c, array, word, 0)?;
    match second {
        Some(value) => memory::compare_exchange_group(c, pointer, first, value),
        None => Ok(memory::atomic_group(c, kind.group, pointer, first)),
    }
}

fn change_buffer(
    c: &mut FunctionConverter<'_, '_>,
    operand: &Operand,
    coordinates: &Operand,
    kind: Atomic,
    (first, second): (ValueId, Option<ValueId>),
) -> Result<ValueId> {
    let (resource, handle) = resources::handle(c, ResourceClass::Uav, operand)?;
    let int = c.i32();
    let used = match resource.kind {
        // D3D11.3 functional specification, 7.13: a structured address is an index and a byte
        // offset.
        ResourceKind::StructuredBuffer => 2,
        _ => resource.coordinates(),
    };
    let mut args: CallArguments = smallvec::smallvec![handle];
    if let Some(number) = kind.number {
        args.push(c.int(number));
    }
    push_components(c, &mut args, coordinates, false, (used, 3))?;
    args.push(first);
    args.extend(second);
    let op = match kind.number {
        Some(_) => Op::AtomicBinOp,
        None => Op::AtomicCompareExchange,
    };
    c.call(op, Some(int), int, &args)
}
