//! Loads and stores of words of groupshared and private memory, a chunk of lanes at a time.
//! Accesses that checks look at, and those of 64 bits, are left to `memory`.

use std::cell::Cell;

use super::context::Context;
use super::lanes::{WIDTH, by_lane};
use crate::decode::code::{CONSTANT_BIT, Complex, RegisterSlot, Space};
use crate::decode::lane_ops::RegisterKind;

/// Memory of the lanes, by words.
enum Words<'a> {
    Shared(&'a [Cell<u32>]),
    /// Words of one address lie side by side, one for each lane.
    Private {
        words: &'a [Cell<u32>],
        lanes: usize,
    },
}

impl<'a> Context<'a> {
    fn words(&self, space: Space, pointer: RegisterSlot) -> Option<Words<'a>> {
        if self.group.checker.is_some() {
            return None;
        }
        match space {
            Space::Shared => Some(Words::Shared(self.groupshared)),
            Space::Private => {
                // An address of constants in any lane is left to the general case.
                let mut bits = 0;
                for (chunk, mask) in self.on_words.iter().enumerate() {
                    let addresses = self.chunk(pointer, chunk);
                    bits = (0..WIDTH).fold(bits, |bits, i| bits | addresses[i] & mask[i]);
                }
                let words = self.private;
                let lanes = self.lanes;
                (bits & CONSTANT_BIT == 0).then_some(Words::Private { words, lanes })
            }
            Space::Record => None,
        }
    }

    /// Loads scalars of 32 bits; whether it is done.
    pub(super) fn load_chunks(&self, space: Space, complex: &Complex) -> bool {
        let Some(&pointer) = complex.src.first() else {
            return false;
        };
        if complex.dst.iter().any(|dst| dst.kind() != RegisterKind::W) {
            return false;
        }
        let Some(words) = self.words(space, pointer) else {
            return false;
        };
        for chunk in 0..self.registers.chunks {
            let addresses = self.chunk(pointer, chunk);
            for (&dst, number) in complex.dst.iter().zip(0_u32..) {
                if !dst.is_none() {
                    let loaded = by_lane(|i| {
                        words.get(addresses[i].wrapping_add(number), chunk * WIDTH + i)
                    });
                    self.set_chunk(dst, chunk, loaded);
                }
            }
        }
        true
    }

    /// Stores scalars of 32 bits; whether it is done.
    pub(super) fn store_chunks(
        &self,
        space: Space,
        pointer: RegisterSlot,
        values: &[RegisterSlot],
    ) -> bool {
        // With one value the order of the lanes is that of a loop over them.
        let [value] = values else {
            return false;
        };
        if value.kind() != RegisterKind::W {
            return false;
        }
        let Some(words) = self.words(space, pointer) else {
            return false;
        };
        for (chunk, mask) in self.on_words.iter().enumerate() {
            let (addresses, values) = (self.chunk(pointer, chunk), self.chunk(*value, chunk));
            for i in 0..WIDTH {
                if mask[i] != 0
                    && let Some(cell) = words.cell(addresses[i], chunk * WIDTH + i)
                {
                    cell.set(values[i]);
                }
            }
        }
        true
    }
}

impl<'a> Words<'a> {
    /// Returns a word, if it is there.
    #[inline]
    fn cell(&self, address: u32, lane: usize) -> Option<&'a Cell<u32>> {
        match *self {
            Words::Shared(words) => words.get(address as usize),
            Words::Private { words, lanes } => {
                words.get((address as usize).checked_mul(lanes)?.checked_add(lane)?)
            }
        }
    }

    #[inline]
    fn get(&self, address: u32, lane: usize) -> u32 {
        self.cell(address, lane).map_or(0, Cell::get)
    }
}
