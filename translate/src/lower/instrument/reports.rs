// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The function that reports an instruction.

use crate::lower::Lowering;
use crate::lower::resources::variables::Leaf;
use crate::spirv::{Id, Op, StorageClass};
use crate::{InstructionCheck, InstructionChecks, Result};

/// Spreads the numbers of checks over the entries.
const CHECK_FACTOR: u32 = 97;
/// ... those of dispatches.
const DISPATCH_FACTOR: u32 = 51_329;

impl Lowering<'_> {
    /// Reports an instruction with a value if something is wrong with it.
    pub(super) fn report_if(&mut self, wrong: Id, value: Id) {
        self.instruments.instructions += 1;
        let number = self.instruments.instructions;
        let number = self.b.const_u32(number);
        let function = match self.instruments.report {
            Some(id) => id,
            None => self.b.fresh(),
        };
        self.instruments.report = Some(function);
        let void = self.b.void();
        self.b
            .emit(Op::FunctionCall, void, &[function, wrong, number, value]);
    }

    /// The function that takes whether to report, the number of the check, and a value.
    pub(super) fn write_report(&mut self, id: Id, wanted: &InstructionChecks) -> Result<()> {
        let (void, bool_ty, word) = (self.b.void(), self.b.bool(), self.b.u32());
        let control = self.instrument_buffer(wanted.control, Leaf::U32, true, "check_control");
        let payload = self.instrument_buffer(wanted.payload, Leaf::Row, true, "check_payload");
        let yes = self.b.const_bool(true);
        let flag_ty = self.b.pointer(StorageClass::Private, bool_ty);
        let silent_until = self
            .b
            .global_variable(StorageClass::Private, flag_ty, Some(yes));
        let hashes = [wanted.shader_hash as u32, (wanted.shader_hash >> 32) as u32];
        let by_dispatch = wanted.check == InstructionCheck::Synchronization;
        let parameters = [bool_ty, word, word];
        self.write_function(
            id,
            void,
            parameters,
            "report",
            |l, [wrong, check, value]| {
                let may = l.b.load(bool_ty, silent_until);
                let will = l.b.emit(Op::LogicalAnd, bool_ty, &[wrong, may]);
                let part = l.begin_if(will);
                // The first thing that is wrong is what the others come from.
                let no = l.b.const_bool(false);
                l.b.store(silent_until, no);
                let scaled = l.b.u32_mul(check, CHECK_FACTOR);
                let folded = l.b.const_u32(hashes[0] ^ hashes[1]);
                let mut hash = l.b.emit(Op::BitwiseXor, word, &[scaled, folded]);
                let mut value = value;
                if by_dispatch {
                    // Each dispatch may report for itself.
                    let length = l.instrument_length(control);
                    let two = l.b.const_u32(2);
                    let place = l.b.emit(Op::ISub, word, &[length, two]);
                    value = l.instrument_word(control, place);
                    let scaled = l.b.u32_mul(value, DISPATCH_FACTOR);
                    hash = l.b.emit(Op::BitwiseXor, word, &[hash, scaled]);
                }
                let length = l.instrument_length(payload);
                let one = l.b.const_u32(1);
                let mask = l.b.emit(Op::ISub, word, &[length, one]);
                let entry = l.b.emit(Op::BitwiseAnd, word, &[hash, mask]);
                let place = l.b.u32_shr(entry, 4);
                let bit = l.b.u32_and(entry, 15);
                let bit = l.b.emit(Op::ShiftLeftLogical, word, &[one, bit]);
                let pointer = l.instrument_element(control, word, place);
                let before = l.instrument_atomic(Op::AtomicOr, pointer, bit);
                let before = l.b.emit(Op::BitwiseAnd, word, &[before, bit]);
                let zero = l.b.const_u32(0);
                let is_free = l.b.emit(Op::IEqual, bool_ty, &[before, zero]);
                let inner = l.begin_if(is_free);
                let hashes = hashes.map(|half| l.b.const_u32(half));
                let row_ty = l.b.vector(word, 4);
                let row = l.b.construct(row_ty, &[hashes[0], hashes[1], check, value]);
                let place = l.instrument_element(payload, row_ty, entry);
                l.b.store(place, row);
                l.instrument_barrier();
                let complete = l.b.u32_shl(bit, 16);
                l.instrument_atomic(Op::AtomicOr, pointer, complete);
                l.instrument_barrier();
                l.end_if(inner);
                l.end_if(part);
                Ok(None)
            },
        )
    }
}
