// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The function that reports an instruction.

use crate::lower::blocks;
use crate::lower::context::Context;
use crate::lower::instrument::report_buffers;
use crate::lower::resources::state::Leaf;
use crate::spirv::{Id, Op, StorageClass};
use crate::{InstructionCheck, InstructionChecks, Result};

/// Spreads the numbers of checks over the entries.
const CHECK_FACTOR: u32 = 97;
/// Spreads the numbers of dispatches over the entries.
const DISPATCH_FACTOR: u32 = 51_329;

/// Writes a report of an instruction, with a value, for the case that its check fails.
pub(super) fn report_if(cx: &mut Context<'_>, wrong: Id, value: Id) {
    cx.module.instruments.instructions += 1;
    let number = cx.module.instruments.instructions;
    let number = cx.b.const_u32(number);
    let function = match cx.module.instruments.report {
        Some(id) => id,
        None => cx.b.fresh(),
    };
    cx.module.instruments.report = Some(function);
    let void = cx.b.void();
    cx.b.emit(Op::FunctionCall, void, &[function, wrong, number, value]);
}

/// Writes the function that reports: it takes whether to report, the number of the check, and a
/// value.
pub(super) fn write_report(cx: &mut Context<'_>, id: Id, wanted: &InstructionChecks) -> Result<()> {
    let (void, bool_ty, word) = (cx.b.void(), cx.b.bool(), cx.b.u32());
    let control = report_buffers::buffer_of(cx, wanted.control, Leaf::U32, true, "check_control");
    let payload = report_buffers::buffer_of(cx, wanted.payload, Leaf::Row, true, "check_payload");
    // One report per invocation: the flag is private and starts as "may report".
    let yes = cx.b.const_bool(true);
    let flag_ty = cx.b.pointer(StorageClass::Private, bool_ty);
    let silent_until =
        cx.b.global_variable(StorageClass::Private, flag_ty, Some(yes));
    let hashes = [wanted.shader_hash as u32, (wanted.shader_hash >> 32) as u32];
    let by_dispatch = wanted.check == InstructionCheck::Synchronization;
    let parameters = [bool_ty, word, word];
    report_buffers::write_function(
        cx,
        id,
        void,
        parameters,
        "report",
        |cx, [wrong, check, value]| {
            let may = cx.b.load(bool_ty, silent_until);
            let will = cx.b.emit(Op::LogicalAnd, bool_ty, &[wrong, may]);
            let part = blocks::begin_if(cx, will);
            // What is wrong first is the cause of the rest, so that an invocation reports once.
            let no = cx.b.const_bool(false);
            cx.b.store(silent_until, no);
            let scaled = cx.b.u32_mul(check, CHECK_FACTOR);
            let folded = cx.b.const_u32(hashes[0] ^ hashes[1]);
            let mut hash = cx.b.emit(Op::BitwiseXor, word, &[scaled, folded]);
            let mut value = value;
            if by_dispatch {
                // Each dispatch may report for itself.
                let length = report_buffers::length_of(&mut cx.b, control);
                let two = cx.b.const_u32(2);
                let index = cx.b.emit(Op::ISub, word, &[length, two]);
                value = report_buffers::word_of(&mut cx.b, control, index);
                let scaled = cx.b.u32_mul(value, DISPATCH_FACTOR);
                hash = cx.b.emit(Op::BitwiseXor, word, &[hash, scaled]);
            }
            // The number of entries is a power of two, so the mask replaces a modulo.
            let length = report_buffers::length_of(&mut cx.b, payload);
            let one = cx.b.const_u32(1);
            let mask = cx.b.emit(Op::ISub, word, &[length, one]);
            let entry = cx.b.emit(Op::BitwiseAnd, word, &[hash, mask]);
            // Each word of the control buffer has 16 entries: a bit "taken" and a bit "complete"
            // for each.
            let index = cx.b.u32_shr(entry, 4);
            let bit = cx.b.u32_and(entry, 15);
            let bit = cx.b.emit(Op::ShiftLeftLogical, word, &[one, bit]);
            let pointer = report_buffers::element_of(&mut cx.b, control, word, index);
            // The atomic takes the entry; only the invocation that finds it free writes to it.
            let before = report_buffers::atomic(&mut cx.b, Op::AtomicOr, pointer, bit);
            let before = cx.b.emit(Op::BitwiseAnd, word, &[before, bit]);
            let zero = cx.b.const_u32(0);
            let is_free = cx.b.emit(Op::IEqual, bool_ty, &[before, zero]);
            let inner = blocks::begin_if(cx, is_free);
            let hashes = hashes.map(|half| cx.b.const_u32(half));
            let row_ty = cx.b.vector(word, 4);
            let row =
                cx.b.construct(row_ty, &[hashes[0], hashes[1], check, value]);
            let row_pointer = report_buffers::element_of(&mut cx.b, payload, row_ty, entry);
            cx.b.store(row_pointer, row);
            // The row has to be visible before the bit that says that it is complete.
            report_buffers::barrier(&mut cx.b);
            let complete = cx.b.u32_shl(bit, 16);
            report_buffers::atomic(&mut cx.b, Op::AtomicOr, pointer, complete);
            report_buffers::barrier(&mut cx.b);
            blocks::end_if(cx, inner);
            blocks::end_if(cx, part);
            Ok(None)
        },
    )
}
