//! Variables that carry values from block to block in functions that were flattened
//! (`structurize/flatten.rs`).

use dxil_frontend::ir::{Type, ValueId};

use super::context::Context;
use super::memory::merged_pointers;
use super::values::LoweredValue;
use super::{source, types};
use crate::Result;
use crate::lower::flow_values;
use crate::spirv::{Id, Op, StorageClass};
use crate::structurize::{Operand, PhiResult, SlotType, StructuredBlock, StructuredCfg};

/// A variable, and the type of what it holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlotVariable {
    variable: Id,
    ty: Id,
}

/// Makes the variables of a function.
pub(super) fn declare(cx: &mut Context<'_>, cfg: &StructuredCfg) -> Result<Vec<SlotVariable>> {
    let mut slots = Vec::with_capacity(cfg.slots.len());
    for &slot in &cfg.slots {
        let ty = match slot {
            SlotType::Like(value) => type_between_blocks(cx, value)?,
            SlotType::Selector => cx.b.u32(),
            SlotType::Bool => cx.b.bool(),
        };
        let pointer = cx.b.pointer(StorageClass::Function, ty);
        let variable = cx.b.local_variable(pointer, None);
        slots.push(SlotVariable { variable, ty });
    }
    Ok(slots)
}

/// Loads what a block needs.
pub(super) fn load(
    cx: &mut Context<'_>,
    block: &StructuredBlock,
    slots: &[SlotVariable],
) -> Result<()> {
    for &(result, slot) in block.memory.iter().flat_map(|memory| &memory.loads) {
        let SlotVariable { variable, ty } = slots[slot.0 as usize];
        // Loads are never shared: the variable changes from block to block.
        let id = cx.b.emit(Op::Load, ty, &[variable]);
        define(cx, result, id)?;
    }
    Ok(())
}

/// Stores what other blocks need.
pub(super) fn store(
    cx: &mut Context<'_>,
    block: &StructuredBlock,
    slots: &[SlotVariable],
) -> Result<()> {
    for &(slot, operand) in block.memory.iter().flat_map(|memory| &memory.stores) {
        let id = flow_values::operand_id(cx, operand)?;
        let variable = slots[slot.0 as usize].variable;
        cx.b.emit_void(Op::Store, &[variable, id]);
    }
    Ok(())
}

/// Returns the structs that are stored: they are constructed where they are defined.
pub(super) fn stored_structs(cx: &Context<'_>, cfg: &StructuredCfg) -> Result<Vec<ValueId>> {
    let mut found = Vec::new();
    let memory = cfg.blocks.iter().flat_map(|block| &block.memory);
    // A struct has to be a value when it is stored, as for a phi.
    for &(slot, operand) in memory.flat_map(|memory| &memory.stores) {
        if let (SlotType::Like(like), Operand::Value(value)) = (cfg.slots[slot.0 as usize], operand)
            && let ty = cx.function.type_of(like)?
            && matches!(cx.input.types().get(ty), Type::Struct { .. })
        {
            found.push(value);
        }
    }
    Ok(found)
}

/// Returns the type in which a value goes from block to block.
pub(super) fn type_between_blocks(cx: &mut Context<'_>, value: ValueId) -> Result<Id> {
    if merged_pointers::is_pointer(cx, value) {
        return Ok(merged_pointers::pointer_word(cx, value));
    }
    let ty = cx.function.type_of(value)?;
    types::lower(cx, ty)
}

/// Records the id of a phi, or of a load that replaces one.
pub(super) fn define(cx: &mut Context<'_>, result: PhiResult, id: Id) -> Result<()> {
    match result {
        PhiResult::Value(value) if merged_pointers::is_pointer(cx, value) => {
            let pointer = merged_pointers::merged_pointer(cx, value, id)?;
            cx.function
                .values
                .set(value, LoweredValue::Pointer(pointer));
        }
        PhiResult::Value(value) => {
            cx.function.values.set(value, LoweredValue::Id(id));
            source::define(cx, value);
        }
        PhiResult::SyntheticLike(synthetic, _)
        | PhiResult::SyntheticSelector(synthetic)
        | PhiResult::SyntheticBool(synthetic) => {
            flow_values::set_synthetic(&mut cx.function, synthetic, id)
        }
    }
    Ok(())
}
