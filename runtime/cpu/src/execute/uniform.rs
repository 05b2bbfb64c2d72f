//! Registers of all running lanes at once: the value that they share, and writes by chunk.

use super::context::Context;
use super::lanes::{WIDTH, by_lane};
use crate::decode::code::RegisterSlot;
use crate::decode::lane_ops::RegisterKind;
use crate::resources::Storage;

impl Context<'_> {
    /// Notes whether bytes that the current lane reads have memory.
    #[inline]
    pub(super) fn note_residency(&self, storage: &Storage, place: usize, bytes: u32) {
        if storage.residency.is_some() && !storage.has_memory(place, bytes) {
            self.is_unmapped.set(true);
        }
    }

    /// Returns the status of the current lane's read, which begins anew: 0 if it was of a tile
    /// without memory.
    #[inline]
    pub(super) fn take_status(&self) -> u64 {
        u64::from(!self.is_unmapped.take())
    }

    /// Returns the value that all running lanes have in a 32-bit register, if they share one.
    #[inline]
    pub(super) fn uniform(&self, slot: RegisterSlot) -> Option<u32> {
        if slot.is_none() {
            return Some(0);
        }
        let first = self.mask.trailing_zeros() as usize;
        let value = self.registers.word(slot, first);
        let mut differs = [0; WIDTH];
        for (chunk, mask) in self.registers.narrow_chunks(slot).iter().zip(self.on_words) {
            let chunk = chunk.get();
            // Without branches, so that vector instructions come of it.
            differs = by_lane(|i| differs[i] | (chunk[i] ^ value) & mask[i]);
        }
        (differs == [0; WIDTH]).then_some(value)
    }

    /// Writes a chunk of a 32-bit register in the lanes that run.
    #[inline]
    pub(super) fn set_chunk(&self, slot: RegisterSlot, chunk: usize, values: [u32; WIDTH]) {
        if slot.is_none() {
            return;
        }
        let cell = &self.registers.narrow_chunks(slot)[chunk];
        if self.is_full || slot.is_local() {
            cell.set(values);
            return;
        }
        let (old, mask) = (cell.get(), &self.on_words[chunk]);
        cell.set(by_lane(|i| (values[i] & mask[i]) | (old[i] & !mask[i])));
    }

    /// Writes a value to all lanes that run.
    #[inline]
    pub(super) fn set_all(&self, slot: RegisterSlot, value: u64) {
        if slot.is_none() {
            return;
        }
        match slot.kind() {
            RegisterKind::W => {
                for chunk in 0..self.registers.chunks {
                    self.set_chunk(slot, chunk, [value as u32; WIDTH]);
                }
            }
            RegisterKind::D => {
                for lane in self.on() {
                    self.registers.set(slot, lane, value);
                }
            }
        }
    }

    /// Returns a chunk of a 32-bit register; zeros for none.
    #[inline]
    pub(super) fn chunk(&self, slot: RegisterSlot, chunk: usize) -> [u32; WIDTH] {
        if slot.is_none() {
            return [0; WIDTH];
        }
        self.registers.narrow_chunks(slot)[chunk].get()
    }
}
