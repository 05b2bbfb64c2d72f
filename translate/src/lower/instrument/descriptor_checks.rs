// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Checks of descriptors before they are used.

use dxil_frontend::dxil::ResourceClass;

use crate::interface::{Representation, View, has_storage_constants};
use crate::lower::blocks;
use crate::lower::context::{Context, Input};
use crate::lower::instrument::{assumptions, report_buffers};
use crate::lower::resources::heap_indices;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::resources::state::Leaf;
use crate::spirv::{GLOp, Id, Op};
use crate::{Assumption, DescriptorChecks, InstructionCheck, Location, Result};

/// Types of descriptors. A buffer's may be one of several.
#[derive(Debug, Clone, Copy)]
enum DescriptorTypes {
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

/// The problem of a descriptor.
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

/// Returns the handle with an index that has been checked, where it leads into a heap.
pub(in crate::lower) fn checked_handle<'a>(
    cx: &mut Context<'a>,
    handle: ResourceHandle<'a>,
) -> ResourceHandle<'a> {
    // Only heaps have descriptors that the layer does not know when it compiles the shader.
    let in_heap = matches!(
        handle.view.location,
        Location::Heap { .. } | Location::AddressTable { .. }
    );
    if report_buffers::watches(&cx.input, InstructionCheck::Assumptions) {
        return handle_with_assumptions(cx, handle, in_heap);
    }
    // The layer's buffer describes the heap of resources, not that of samplers.
    let is_sampler = handle.view.class == ResourceClass::Sampler;
    if !in_heap || is_sampler || cx.input.options.instrumentation.descriptors.is_none() {
        return handle;
    }
    let wanted = descriptor_types(&cx.input, handle.view);
    let index = checked_descriptor(cx, handle.index, wanted);
    ResourceHandle { index, ..handle }
}

/// Returns the index of a hidden counter's address.
pub(in crate::lower) fn checked_counter(cx: &mut Context<'_>, index: Id) -> Id {
    match cx.input.options.instrumentation.descriptors {
        Some(_) => checked_descriptor(cx, index, DescriptorTypes::Address as u32),
        None => index,
    }
}

/// Returns the types that the descriptor of a view must have, a bit for each.
fn descriptor_types(input: &Input<'_>, view: &View) -> u32 {
    use DescriptorTypes as T;
    let is_written = view.class == ResourceClass::Uav;
    let types = match view.representation {
        Representation::Constants if has_storage_constants(view, input.options) => T::StorageBuffer,
        Representation::Constants => T::UniformBuffer,
        Representation::AccelerationStructure => {
            let address = match view.location {
                Location::AddressTable { .. } => T::Address as u32,
                _ => 0,
            };
            return T::AccelerationStructure as u32 | address;
        }
        Representation::TexelBuffer if is_written => T::StorageTexelBuffer,
        Representation::TexelBuffer => T::UniformTexelBuffer,
        Representation::Image if is_written => T::StorageImage,
        Representation::Image => T::SampledImage,
        _ => T::StorageBuffer,
    };
    types as u32
}

fn checked_descriptor(cx: &mut Context<'_>, index: Id, wanted: u32) -> Id {
    let label = cx.block.label;
    let checked = &mut cx.module.instruments.checked;
    // A result in another block need not dominate this one.
    if checked.label != label {
        checked.label = label;
        checked.known.clear();
    }
    if let Some(&id) = checked.known.get(&(index, wanted)) {
        return id;
    }
    cx.module.instruments.descriptors += 1;
    let number = cx.module.instruments.descriptors;
    // The id is given out now and the function is written at the end (see [`super`]).
    let function = match cx.module.instruments.check_descriptor {
        Some(id) => id,
        None => cx.b.fresh(),
    };
    cx.module.instruments.check_descriptor = Some(function);
    let word = cx.b.u32();
    let numbers = [wanted, number].map(|n| cx.b.const_u32(n));
    let operands = [function, index, numbers[0], numbers[1]];
    let id = cx.b.emit(Op::FunctionCall, word, &operands);
    // A checked index is one that may be used for the same again.
    let known = &mut cx.module.instruments.checked.known;
    known.extend([((index, wanted), id), ((id, wanted), id)]);
    id
}

/// Writes the function that checks a descriptor. It takes an index, the types that the descriptor
/// must have, and the number of the check; it returns the index, or that of the null descriptor
/// after the heap.
pub(super) fn write_descriptor_check(
    cx: &mut Context<'_>,
    id: Id,
    wanted: &DescriptorChecks,
) -> Result<()> {
    let word = cx.b.u32();
    let reports =
        report_buffers::buffer_of(cx, wanted.reports, Leaf::U32, true, "descriptor_reports");
    let heap = report_buffers::buffer_of(cx, wanted.heap, Leaf::U32, false, "descriptor_heap");
    let hash = wanted.shader_hash;
    report_buffers::write_function(
        cx,
        id,
        word,
        [word; 3],
        "check_descriptor",
        |cx, [index, types, check]| {
            let bool_ty = cx.b.bool();
            let zero = cx.b.const_u32(0);
            let one = cx.b.const_u32(1);
            // The first word of the buffer is the number of descriptors.
            let count = report_buffers::word_of(&mut cx.b, heap, zero);
            let in_range = cx.b.emit(Op::ULessThan, bool_ty, &[index, count]);
            // The heap's buffer has room for the descriptor after the last one too.
            let clamped = cx.b.glsl(GLOp::UMin, word, &[index, count]);
            let [cookie, time, found] = [0, 1, 2].map(|member| {
                let scaled = cx.b.u32_mul(clamped, HEAP_STRIDE);
                let member = cx.b.const_u32(HEAP_HEADER + member);
                // The load may have come from beyond the heap, hence the select.
                let at = cx.b.u32_add(scaled, member);
                let value = report_buffers::word_of(&mut cx.b, heap, at);
                cx.b.select(word, in_range, value, zero)
            });
            let common = cx.b.emit(Op::BitwiseAnd, word, &[found, types]);
            // A buffer has several types at once, so that all wanted bits have to be there.
            let right_type = cx.b.emit(Op::IEqual, bool_ty, &[common, types]);
            // The bits of living resources begin behind the fixed words, one per cookie.
            let alive_word = cx.b.u32_shr(cookie, 5);
            let first = cx.b.const_u32(report::ALIVE);
            let alive_word = cx.b.u32_add(alive_word, first);
            let alive_word = report_buffers::word_of(&mut cx.b, reports, alive_word);
            let bit = cx.b.u32_and(cookie, 31);
            let bit = cx.b.emit(Op::ShiftLeftLogical, word, &[one, bit]);
            let bit = cx.b.emit(Op::BitwiseAnd, word, &[alive_word, bit]);
            let alive = cx.b.emit(Op::INotEqual, bool_ty, &[bit, zero]);
            let submission = cx.b.const_u32(report::SUBMISSION);
            let submission = report_buffers::word_of(&mut cx.b, reports, submission);
            let in_time =
                cx.b.emit(Op::UGreaterThanEqual, bool_ty, &[submission, time]);
            let mut fault = zero;
            for (fine, bit) in [
                (in_range, Fault::OutOfRange),
                (right_type, Fault::WrongType),
                (alive, Fault::Destroyed),
                (in_time, Fault::TooYoung),
            ] {
                let bit = cx.b.const_u32(bit as u32);
                let bit = cx.b.select(word, fine, zero, bit);
                fault = cx.b.emit(Op::BitwiseOr, word, &[fault, bit]);
            }
            let is_wrong = cx.b.emit(Op::INotEqual, bool_ty, &[fault, zero]);
            let part = blocks::begin_if(cx, is_wrong);
            let faults = cx.b.const_u32(report::FAULTS);
            // Only the first fault is reported; the counter decides without a lock which it is.
            let faults = report_buffers::element_of(&mut cx.b, reports, word, faults);
            let before = report_buffers::atomic(&mut cx.b, Op::AtomicIAdd, faults, one);
            let is_first = cx.b.emit(Op::IEqual, bool_ty, &[before, zero]);
            let inner = blocks::begin_if(cx, is_first);
            let heap_number = report_buffers::word_of(&mut cx.b, heap, one);
            let hashes = [hash as u32, (hash >> 32) as u32].map(|half| cx.b.const_u32(half));
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
                let member = cx.b.const_u32(member);
                let pointer = report_buffers::element_of(&mut cx.b, reports, word, member);
                cx.b.store(pointer, value);
            }
            // The fault is written last, after a barrier: a reader that sees it sees the other
            // words, too.
            report_buffers::barrier(&mut cx.b);
            let member = cx.b.const_u32(report::FAULT);
            let pointer = report_buffers::element_of(&mut cx.b, reports, word, member);
            cx.b.store(pointer, fault);
            blocks::end_if(cx, inner);
            blocks::end_if(cx, part);
            // A wrong descriptor is replaced by the null descriptor after the heap, so that the
            // device survives.
            Ok(Some(cx.b.select(word, is_wrong, count, index)))
        },
    )
}

/// Returns the handle of a shader that is held to D3D12's rules.
fn handle_with_assumptions<'a>(
    cx: &mut Context<'a>,
    handle: ResourceHandle<'a>,
    in_heap: bool,
) -> ResourceHandle<'a> {
    // A single descriptor cannot be out of range, nor differ between lanes.
    let is_one = handle.view.count == Some(1) || cx.b.literal(handle.index).is_some();
    if is_one {
        return handle;
    }
    let mut handle = handle;
    if in_heap {
        let samplers = handle.view.class == ResourceClass::Sampler;
        handle.index = heap_indices::index_assumed_in_heap(cx, handle.index, samplers);
    }
    if !handle.non_uniform {
        let equal = assumptions::same_in_all_lanes(cx, handle.index);
        assumptions::assume(cx, equal, Assumption::UniformIndex);
    }
    handle
}
