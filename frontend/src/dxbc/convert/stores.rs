//! Stores of neighboring words become one store.
//!
//! Some compilers store a vector word by word, each with an instruction of its own. One access is
//! faster than four. A store changes no register, so that instructions in a row may be taken
//! together.

use crate::dxbc::opcode::Opcode;
use crate::dxbc::reader::Program;
use crate::dxbc::tokens::{Components, File, Instruction, Operand};

/// Replaces stores in a row that write neighboring words of an element by one store.
pub(in crate::dxbc) fn merge_neighbors(program: &mut Program) {
    let mut instructions = std::mem::take(&mut program.instructions);
    instructions.dedup_by(|second, first| {
        let Some([target, value]) = merged(program, first, second) else {
            return false;
        };
        let start = first.operands.start as usize;
        if let Some([memory, _, _, stored]) = program.operands.get_mut(start..start + 4) {
            (*memory, *stored) = (target, value);
        }
        true
    });
    program.instructions = instructions;
}

/// Returns the memory and the value of a store that does what both do; none if there is no such
/// store.
fn merged(program: &Program, first: &Instruction, second: &Instruction) -> Option<[Operand; 2]> {
    let is_alike = first.opcode == Opcode::StoreStructured
        && (first.opcode, first.token, first.extended)
            == (second.opcode, second.token, second.extended);
    if !is_alike {
        return None;
    }
    let [target, index, offset, value] = program.operands_of(first) else {
        return None;
    };
    let [next_target, next_index, next_offset, next_value] = program.operands_of(second) else {
        return None;
    };
    let (count, added) = (words(target)?, words(next_target)?);
    let all = [
        target,
        index,
        offset,
        value,
        next_target,
        next_index,
        next_offset,
        next_value,
    ];
    let is_relative = |operand: &&Operand| operand.indices().iter().any(|i| i.relative.is_some());
    let is_at_end = offset.file == File::Immediate32
        && next_offset.file == File::Immediate32
        && offset.words[0].checked_add(4 * u32::from(count)) == Some(next_offset.words[0]);
    if count + added > 4
        || target.file != File::UnorderedAccessView
        || target.with(next_target.components) != *next_target
        || index != next_index
        || !is_at_end
        || value.is_immediate()
        || value.with(next_value.components) != *next_value
        || all.iter().any(is_relative)
    {
        return None;
    }
    let mut swizzle = [0; 4];
    for (place, component) in swizzle.iter_mut().zip(0..count + added) {
        *place = if component < count {
            value.components.source(component)
        } else {
            next_value.components.source(component - count)
        };
    }
    Some([
        target.with(Components::Mask((1 << (count + added)) - 1)),
        value.with(Components::Swizzle(swizzle)),
    ])
}

/// Returns the number of words that a store writes; none if they do not begin with the first.
fn words(target: &Operand) -> Option<u8> {
    match target.components {
        Components::Mask(0b1) => Some(1),
        Components::Mask(0b11) => Some(2),
        Components::Mask(0b111) => Some(3),
        _ => None,
    }
}
