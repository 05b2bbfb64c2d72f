// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The functions and buffers that checks report with.

use crate::lower::block_state::BlockState;
use crate::lower::context::{Context, Input};
use crate::lower::resources::resource_variables;
use crate::lower::resources::state::{LayerBinding, Leaf};
use crate::spirv::{Builder, Decoration, Id, MemorySemantics, Op, Scope, StorageClass};
use crate::{DescriptorKind, DescriptorSlot, InstructionCheck, Result};

/// Returns whether the module makes that check.
pub(super) fn watches(input: &Input<'_>, check: InstructionCheck) -> bool {
    let wanted = input.options.instrumentation.instructions;
    wanted.is_some_and(|wanted| wanted.check == check)
}

/// Writes a function with parameters of these types; `code` returns its result, if it has one.
pub(super) fn write_function<const N: usize>(
    cx: &mut Context<'_>,
    id: Id,
    result: Id,
    parameters: [Id; N],
    name: &str,
    code: impl FnOnce(&mut Context<'_>, [Id; N]) -> Result<Option<Id>>,
) -> Result<()> {
    let function_ty = cx.b.function_type(result, &parameters);
    let begun = cx.b.begin_function(id, result, function_ty);
    let parameters = parameters.map(|ty| cx.b.parameter(ty));
    let label = cx.b.fresh();
    cx.b.entry_label(label);
    // What is known about the block of the shader's code does not hold in this function.
    cx.block = BlockState {
        label,
        ..Default::default()
    };
    if cx.input.options.debug_info {
        cx.b.name(id, name);
    }
    match code(cx, parameters)? {
        Some(value) => cx.b.emit_void(Op::ReturnValue, &[value]),
        None => cx.b.emit_void::<u32>(Op::Return, &[]),
    }
    cx.b.end_function(begun);
    Ok(())
}

/// Returns a storage buffer of the layer.
pub(super) fn buffer_of(
    cx: &mut Context<'_>,
    slot: DescriptorSlot,
    leaf: Leaf,
    is_written: bool,
    name: &str,
) -> Id {
    // A count of 0 is a runtime array, since the layer chooses the size.
    let block = resource_variables::data_block(cx, leaf, 0, is_written);
    let pointer = cx.b.pointer(StorageClass::StorageBuffer, block.ty);
    let id =
        cx.b.global_variable(StorageClass::StorageBuffer, pointer, None);
    cx.b.decorate(id, Decoration::DescriptorSet, &[slot.set]);
    cx.b.decorate(id, Decoration::Binding, &[slot.binding]);
    if !is_written {
        cx.b.decorate(id, Decoration::NonWritable, &[]);
    }
    if cx.input.options.debug_info {
        cx.b.name(id, name);
    }
    cx.module.resources.layer_words.bound.push(LayerBinding {
        slot,
        kind: DescriptorKind::StorageBuffer,
        bytes: 4,
    });
    id
}

/// Returns the pointer to an element of such a buffer.
pub(super) fn element_of(b: &mut Builder, buffer: Id, ty: Id, element: Id) -> Id {
    let pointer = b.pointer(StorageClass::StorageBuffer, ty);
    let zero = b.const_u32(0);
    b.access_chain(pointer, buffer, &[zero, element])
}

pub(super) fn word_of(b: &mut Builder, buffer: Id, element: Id) -> Id {
    let word = b.u32();
    let pointer = element_of(b, buffer, word, element);
    b.load(word, pointer)
}

/// Returns the number of elements of a buffer.
pub(super) fn length_of(b: &mut Builder, buffer: Id) -> Id {
    let word = b.u32();
    b.emit(Op::ArrayLength, word, &[buffer.0, 0])
}

/// Returns the result of a relaxed atomic on a word.
pub(super) fn atomic(b: &mut Builder, op: Op, pointer: Id, value: Id) -> Id {
    let word = b.u32();
    let scope = b.const_u32(Scope::Device as u32);
    let relaxed = b.const_u32(0);
    b.emit(op, word, &[pointer, scope, relaxed, value])
}

/// Orders memory: an invocation that sees a later write sees the earlier ones too.
pub(super) fn barrier(b: &mut Builder) {
    let scope = b.const_u32(Scope::Device as u32);
    let semantics = MemorySemantics::UNIFORM_MEMORY | MemorySemantics::ACQUIRE_RELEASE;
    let semantics = b.const_u32(semantics.bits());
    b.emit_void(Op::MemoryBarrier, &[scope, semantics]);
}
