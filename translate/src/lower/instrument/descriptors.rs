// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Checks of descriptors before they are used.

use dxil_frontend::dxil::ResourceClass;

use crate::interface::{Shape, View, has_storage_constants};
use crate::lower::Lowering;
use crate::lower::resources::variables::{Handle, Leaf};
use crate::spirv::{GLOp, Id, Op};
use crate::{Assumption, DescriptorChecks, InstructionCheck, Location, Result};

/// Types of descriptors. A buffer's may be one of several.
#[derive(Debug, Clone, Copy)]
pub(super) enum DescriptorTypes {
    SampledImage = 1 << 0,
    StorageImage = 1 << 1,
    UniformBuffer = 1 << 2,
    StorageBuffer = 1 << 3,
    UniformTexelBuffer = 1 << 4,
    StorageTexelBuffer = 1 << 5,
    AccelerationStructure = 1 << 6,
    /// An address beside the descriptor: of a hidden counter, or of an acceleration structure.
    Address = 1 << 8,
}

/// What is wrong with a descriptor.
enum Fault {
    OutOfRange = 1,
    WrongType = 2,
    Destroyed = 4,
    TooYoung = 8,
}

/// Words of the buffer for reports.
mod report {
    pub(super) const HASH: u32 = 0;
    pub(super) const INDEX: u32 = 2;
    pub(super) const HEAP: u32 = 3;
    pub(super) const COOKIE: u32 = 4;
    pub(super) const FAULTS: u32 = 5;
    pub(super) const CHECK: u32 = 6;
    pub(super) const WANTED: u32 = 7;
    pub(super) const FOUND: u32 = 8;
    pub(super) const FAULT: u32 = 9;
    pub(super) const SUBMISSION: u32 = 10;
    pub(super) const ALIVE: u32 = 11;
}

/// Words of the heap's buffer before those of the descriptors.
const HEAP_HEADER: u32 = 2;
/// Words per descriptor.
const HEAP_STRIDE: u32 = 3;

/// Indices that were checked in the block under construction, and what came of it.
#[derive(Debug, Default)]
pub(super) struct Checked {
    label: Id,
    known: Vec<(Id, u32, Id)>,
}

impl<'a> Lowering<'a> {
    /// The handle with an index that has been checked, where it leads into a heap.
    pub(in crate::lower) fn checked_handle(&mut self, handle: Handle<'a>) -> Handle<'a> {
        let in_heap = matches!(
            handle.view.location,
            Location::Heap { .. } | Location::AddressTable { .. }
        );
        if self.watches(InstructionCheck::Assumptions) {
            return self.handle_with_assumptions(handle, in_heap);
        }
        let is_sampler = handle.view.class == ResourceClass::Sampler;
        if !in_heap || is_sampler || self.options.instrumentation.descriptors.is_none() {
            return handle;
        }
        let wanted = self.descriptor_types(handle.view);
        let index = self.checked_descriptor(handle.index, wanted);
        Handle { index, ..handle }
    }

    /// The index of a hidden counter's address.
    pub(in crate::lower) fn checked_counter(&mut self, index: Id) -> Id {
        match self.options.instrumentation.descriptors {
            Some(_) => self.checked_descriptor(index, DescriptorTypes::Address as u32),
            None => index,
        }
    }

    /// What the descriptor of a view has to be.
    fn descriptor_types(&self, view: &View) -> u32 {
        use DescriptorTypes as T;
        let is_written = view.class == ResourceClass::Uav;
        let types = match view.shape {
            Shape::Constants if has_storage_constants(view, self.options) => T::StorageBuffer,
            Shape::Constants => T::UniformBuffer,
            Shape::AccelerationStructure => {
                let address = match view.location {
                    Location::AddressTable { .. } => T::Address as u32,
                    _ => 0,
                };
                return T::AccelerationStructure as u32 | address;
            }
            Shape::TexelBuffer if is_written => T::StorageTexelBuffer,
            Shape::TexelBuffer => T::UniformTexelBuffer,
            Shape::Image if is_written => T::StorageImage,
            Shape::Image => T::SampledImage,
            _ => T::StorageBuffer,
        };
        types as u32
    }

    fn checked_descriptor(&mut self, index: Id, wanted: u32) -> Id {
        let label = self.place.label;
        let checked = &mut self.instruments.checked;
        if checked.label != label {
            checked.label = label;
            checked.known.clear();
        }
        let mut known = checked.known.iter();
        // A checked index is one that may be used for the same again.
        if let Some(&(.., id)) = known
            .find(|&&(other, types, result)| types == wanted && (other == index || result == index))
        {
            return id;
        }
        self.instruments.descriptors += 1;
        let number = self.instruments.descriptors;
        let function = match self.instruments.check_descriptor {
            Some(id) => id,
            None => self.b.fresh(),
        };
        self.instruments.check_descriptor = Some(function);
        let word = self.b.u32();
        let numbers = [wanted, number].map(|n| self.b.const_u32(n));
        let operands = [function, index, numbers[0], numbers[1]];
        let id = self.b.emit(Op::FunctionCall, word, &operands);
        self.instruments.checked.known.push((index, wanted, id));
        id
    }

    /// The function that takes an index, the types that it has to be of, and the number of the check; it gives the index,
    /// or that of the null descriptor behind the heap.
    pub(super) fn write_descriptor_check(
        &mut self,
        id: Id,
        wanted: &DescriptorChecks,
    ) -> Result<()> {
        let word = self.b.u32();
        let reports = self.instrument_buffer(wanted.reports, Leaf::U32, true, "descriptor_reports");
        let heap = self.instrument_buffer(wanted.heap, Leaf::U32, false, "descriptor_heap");
        let hash = wanted.shader_hash;
        self.write_function(
            id,
            word,
            [word; 3],
            "check_descriptor",
            |l, [index, types, check]| {
                let bool_ty = l.b.bool();
                let zero = l.b.const_u32(0);
                let one = l.b.const_u32(1);
                let count = l.instrument_word(heap, zero);
                let in_range = l.b.emit(Op::ULessThan, bool_ty, &[index, count]);
                // The heap's buffer has room for the descriptor behind the last one too.
                let place = l.b.glsl(GLOp::UMin, word, &[index, count]);
                let [cookie, time, found] = [0, 1, 2].map(|member| {
                    let scaled = l.b.u32_mul(place, HEAP_STRIDE);
                    let member = l.b.const_u32(HEAP_HEADER + member);
                    let at = l.b.u32_add(scaled, member);
                    let value = l.instrument_word(heap, at);
                    l.b.select(word, in_range, value, zero)
                });
                let common = l.b.emit(Op::BitwiseAnd, word, &[found, types]);
                let right_type = l.b.emit(Op::IEqual, bool_ty, &[common, types]);
                let alive_word = l.b.u32_shr(cookie, 5);
                let first = l.b.const_u32(report::ALIVE);
                let alive_word = l.b.u32_add(alive_word, first);
                let alive_word = l.instrument_word(reports, alive_word);
                let bit = l.b.u32_and(cookie, 31);
                let bit = l.b.emit(Op::ShiftLeftLogical, word, &[one, bit]);
                let bit = l.b.emit(Op::BitwiseAnd, word, &[alive_word, bit]);
                let alive = l.b.emit(Op::INotEqual, bool_ty, &[bit, zero]);
                let submission = l.b.const_u32(report::SUBMISSION);
                let submission = l.instrument_word(reports, submission);
                let in_time =
                    l.b.emit(Op::UGreaterThanEqual, bool_ty, &[submission, time]);
                let mut fault = zero;
                for (fine, bit) in [
                    (in_range, Fault::OutOfRange),
                    (right_type, Fault::WrongType),
                    (alive, Fault::Destroyed),
                    (in_time, Fault::TooYoung),
                ] {
                    let bit = l.b.const_u32(bit as u32);
                    let bit = l.b.select(word, fine, zero, bit);
                    fault = l.b.emit(Op::BitwiseOr, word, &[fault, bit]);
                }
                let is_wrong = l.b.emit(Op::INotEqual, bool_ty, &[fault, zero]);
                let part = l.begin_if(is_wrong);
                let faults = l.b.const_u32(report::FAULTS);
                let faults = l.instrument_element(reports, word, faults);
                let before = l.instrument_atomic(Op::AtomicIAdd, faults, one);
                let is_first = l.b.emit(Op::IEqual, bool_ty, &[before, zero]);
                let inner = l.begin_if(is_first);
                let heap_number = l.instrument_word(heap, one);
                let hashes = [hash as u32, (hash >> 32) as u32].map(|half| l.b.const_u32(half));
                for (member, value) in [
                    (report::HASH, hashes[0]),
                    (report::HASH + 1, hashes[1]),
                    (report::INDEX, index),
                    (report::HEAP, heap_number),
                    (report::COOKIE, cookie),
                    (report::CHECK, check),
                    (report::WANTED, types),
                    (report::FOUND, found),
                ] {
                    let member = l.b.const_u32(member);
                    let pointer = l.instrument_element(reports, word, member);
                    l.b.store(pointer, value);
                }
                // Whoever sees that something is wrong sees what.
                l.instrument_barrier();
                let member = l.b.const_u32(report::FAULT);
                let pointer = l.instrument_element(reports, word, member);
                l.b.store(pointer, fault);
                l.end_if(inner);
                l.end_if(part);
                Ok(Some(l.b.select(word, is_wrong, count, index)))
            },
        )
    }

    /// The handle of a shader that is held to D3D12's rules.
    fn handle_with_assumptions(&mut self, handle: Handle<'a>, in_heap: bool) -> Handle<'a> {
        let is_one = handle.view.count == Some(1) || self.b.literal(handle.index).is_some();
        if is_one {
            return handle;
        }
        let mut handle = handle;
        if in_heap {
            let samplers = handle.view.class == ResourceClass::Sampler;
            handle.index = self.index_assumed_in_heap(handle.index, samplers);
        }
        if !handle.non_uniform {
            let equal = self.same_in_all_lanes(handle.index);
            self.assume(equal, Assumption::UniformIndex);
        }
        handle
    }
}
