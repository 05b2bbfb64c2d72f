//! Stores of bytes and of 16 bits to raw buffers.
//!
//! ```text
//! a = phase 0(address, value)
//! uav.Store(address, a)         a store that says which buffer it is
//! phase 1(0, 0)
//! ```
//!
//! Threads may store to the same word, so its bits are cleared and set by two atomics.

use dxil_frontend::dxil::ops::{AtomicOp, Opcode};
use dxil_frontend::ir::{BinaryOp, ValueId};

use crate::Result;
use crate::vendor::store::Store;
use crate::vendor::writer::FunctionWriter;

/// A store whose phases have begun.
pub(super) struct PendingStore {
    pub(super) address: ValueId,
    pub(super) value: ValueId,
    /// The buffer that the store named.
    pub(super) buffer: Option<ValueId>,
}

impl PendingStore {
    /// Takes the store that names the buffer, and returns whether it is that store.
    pub(super) fn takes_store(&mut self, store: &Store<'_>) -> bool {
        let is_it = self.buffer.is_none() && store.is_buffer && store.at() == self.address;
        if is_it {
            self.buffer = Some(store.resource);
        }
        is_it
    }

    /// Writes the store of that many bits; returns whether a buffer was named.
    pub(super) fn write(&self, w: &mut FunctionWriter<'_, '_, '_>, bits: u32) -> Result<bool> {
        let Some(buffer) = self.buffer else {
            return Ok(false);
        };
        let ty = w.int_ty(32);
        let in_word = w.word(4 - bits / 8);
        let place = w.binary(BinaryOp::And, 32, self.address, in_word)?;
        let eight = w.word(3);
        let shift = w.binary(BinaryOp::Shl, 32, place, eight)?;
        let all = w.word((1 << bits) - 1);
        let mask = w.binary(BinaryOp::Shl, 32, all, shift)?;
        let ones = w.word(!0);
        let others = w.binary(BinaryOp::Xor, 32, mask, ones)?;
        let value = w.binary(BinaryOp::And, 32, self.value, all)?;
        let value = w.binary(BinaryOp::Shl, 32, value, shift)?;
        let words = w.word(!3);
        let address = w.binary(BinaryOp::And, 32, self.address, words)?;
        let undef = w.undef_word();
        for (op, operand) in [(AtomicOp::And, others), (AtomicOp::Or, value)] {
            let op = w.word(op as u32);
            let args = [buffer, op, address, undef, undef, operand];
            w.operation(Opcode::AtomicBinOp, Some(ty), ty, &args)?;
        }
        Ok(true)
    }
}
