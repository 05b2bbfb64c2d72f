// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Code that watches the shader and reports to a layer's buffers (see [`Instrumentation`](crate::Instrumentation)).
//!
//! What is checked where is in the files below; this one has the buffers and the functions that checks call. A function is
//! given an id when the first call of it is written, and its body at the end, when all others are done.

mod assumptions;
mod descriptors;
mod numbers;
mod reports;
mod synchronization;

use super::Lowering;
use super::resources::layer_words::LayerBinding;
use super::resources::variables::Leaf;
use crate::spirv::{Decoration, Id, MemorySemantics, Op, Scope, StorageClass};
use crate::{DescriptorKind, DescriptorSlot, Error, InstructionCheck, Result};

/// The module's checks so far.
#[derive(Debug, Default)]
pub(super) struct Instruments {
    /// Number of the last check of an instruction.
    instructions: u32,
    /// Number of the last check of a descriptor.
    descriptors: u32,
    /// The function that reports an instruction.
    report: Option<Id>,
    /// The function that checks a descriptor.
    check_descriptor: Option<Id>,
    /// What was checked in the block under construction.
    checked: descriptors::Checked,
    synchronization: synchronization::Functions,
}

impl Lowering<'_> {
    /// Refuses what cannot be.
    pub(super) fn begin_instruments(&self) -> Result<()> {
        let wanted = &self.options.instrumentation;
        if self.is_portable() && (wanted.descriptors.is_some() || wanted.instructions.is_some()) {
            return Err(Error::unsupported("instrumentation in portable SPIR-V"));
        }
        Ok(())
    }

    /// Whether instructions are watched for that.
    pub(super) fn watches(&self, check: InstructionCheck) -> bool {
        let wanted = self.options.instrumentation.instructions;
        wanted.is_some_and(|wanted| wanted.check == check)
    }

    /// Writes the functions that checks have called. Runs after all other code.
    pub(super) fn end_instruments(&mut self) -> Result<()> {
        self.write_synchronization()?;
        if let (Some(id), Some(wanted)) = (
            self.instruments.report,
            self.options.instrumentation.instructions,
        ) {
            self.write_report(id, &wanted)?;
        }
        if let (Some(id), Some(wanted)) = (
            self.instruments.check_descriptor,
            self.options.instrumentation.descriptors,
        ) {
            self.write_descriptor_check(id, &wanted)?;
        }
        Ok(())
    }

    /// A function with parameters of these types; `code` gives its result, if it has one.
    fn write_function<const N: usize>(
        &mut self,
        id: Id,
        result: Id,
        parameters: [Id; N],
        name: &str,
        code: impl FnOnce(&mut Self, [Id; N]) -> Result<Option<Id>>,
    ) -> Result<()> {
        let function_ty = self.b.function_type(result, &parameters);
        let begun = self.b.begin_function(id, result, function_ty);
        let parameters = parameters.map(|ty| self.b.parameter(ty));
        let label = self.b.fresh();
        self.b.entry_label(label);
        self.place = super::blocks::Place {
            label,
            ..Default::default()
        };
        if self.options.debug_info {
            self.b.name(id, name);
        }
        match code(self, parameters)? {
            Some(value) => self.b.emit_void(Op::ReturnValue, &[value]),
            None => self.b.emit_void::<u32>(Op::Return, &[]),
        }
        self.b.end_function(begun);
        Ok(())
    }

    /// A storage buffer of the layer.
    fn instrument_buffer(
        &mut self,
        slot: DescriptorSlot,
        leaf: Leaf,
        is_written: bool,
        name: &str,
    ) -> Id {
        let block = self.data_block(leaf, 0, is_written);
        let pointer = self.b.pointer(StorageClass::StorageBuffer, block.ty);
        let id = self
            .b
            .global_variable(StorageClass::StorageBuffer, pointer, None);
        self.b.decorate(id, Decoration::DescriptorSet, &[slot.set]);
        self.b.decorate(id, Decoration::Binding, &[slot.binding]);
        if !is_written {
            self.b.decorate(id, Decoration::NonWritable, &[]);
        }
        if self.options.debug_info {
            self.b.name(id, name);
        }
        self.resources.layer_words.bound.push(LayerBinding {
            slot,
            kind: DescriptorKind::StorageBuffer,
            bytes: 4,
        });
        id
    }

    /// Pointer to an element of such a buffer.
    fn instrument_element(&mut self, buffer: Id, ty: Id, element: Id) -> Id {
        let pointer = self.b.pointer(StorageClass::StorageBuffer, ty);
        let zero = self.b.const_u32(0);
        self.b.access_chain(pointer, buffer, &[zero, element])
    }

    fn instrument_word(&mut self, buffer: Id, element: Id) -> Id {
        let word = self.b.u32();
        let pointer = self.instrument_element(buffer, word, element);
        self.b.load(word, pointer)
    }

    /// How many elements a buffer has.
    fn instrument_length(&mut self, buffer: Id) -> Id {
        let word = self.b.u32();
        self.b.emit(Op::ArrayLength, word, &[buffer.0, 0])
    }

    /// An atomic on a word, that orders nothing.
    fn instrument_atomic(&mut self, op: Op, pointer: Id, value: Id) -> Id {
        let word = self.b.u32();
        let scope = self.b.const_u32(Scope::Device as u32);
        let relaxed = self.b.const_u32(0);
        self.b.emit(op, word, &[pointer, scope, relaxed, value])
    }

    /// What was written before is there for whoever sees what is written after.
    fn instrument_barrier(&mut self) {
        let scope = self.b.const_u32(Scope::Device as u32);
        let semantics = MemorySemantics::UNIFORM_MEMORY | MemorySemantics::ACQUIRE_RELEASE;
        let semantics = self.b.const_u32(semantics.bits());
        self.b.emit_void(Op::MemoryBarrier, &[scope, semantics]);
    }
}
