//! Accesses of private and groupshared memory, and constants: the words of four lanes.
//!
//! Addresses are checked for each lane: a read out of bounds gives 0, and a write there is dropped
//! (`execute::memory`).

use wasm_encoder::{BlockType, ValType};

use super::body::{Body, at};
use super::layout::{MemoryLayout, PRIVATE_WORDS, SCRATCH};
use crate::decode::code::Space;

/// The bytes of the words of four lanes side by side.
const SIDE_BY_SIDE: i128 = 4 << 32 | 8 << 64 | 12 << 96;

/// The memory of an access, and what its code knows.
pub(super) struct Memory<'a> {
    pub(super) space: Space,
    pub(super) lanes: u32,
    pub(super) layout: &'a MemoryLayout,
    /// Locals: where private memory begins, the bytes of a row of words before the chunk, and the
    /// mask of the lanes that run.
    pub(super) private: u32,
    pub(super) chunk: u32,
    pub(super) mask: u32,
}

impl Memory<'_> {
    /// Returns locals of the word that each lane accesses, and of whether there is such a word.
    fn addresses(&self, body: &mut Body, pointer: u32, number: u32) -> (u32, u32) {
        body.get(pointer);
        if number != 0 {
            body.splat(number);
            body.sink().i32x4_add();
        }
        let words = body.keep();
        body.get(words);
        if self.space == Space::Shared {
            body.splat(self.layout.groupshared_words as u32);
        } else {
            body.sink()
                .i32_const(0)
                .i32_load(at(PRIVATE_WORDS, 2))
                .i32x4_splat();
        }
        body.sink().i32x4_lt_u();
        let inside = body.keep();
        (words, inside)
    }

    /// Returns the local of the byte of each lane's word, without the base. Lanes that are not
    /// `inside` have that of word 0.
    fn bytes(&self, body: &mut Body, words: u32, inside: u32) -> u32 {
        body.get(words);
        body.get(inside);
        body.sink().v128_and();
        if self.space == Space::Shared {
            body.sink().i32_const(2).i32x4_shl();
        } else {
            // Words of one address lie side by side, one for each lane.
            let shift = self.lanes.trailing_zeros() as i32 + 2;
            body.sink()
                .i32_const(shift)
                .i32x4_shl()
                .local_get(self.private)
                .local_get(self.chunk)
                .i32_add()
                .i32x4_splat()
                .v128_const(SIDE_BY_SIDE)
                .i32x4_add()
                .i32x4_add();
        }
        body.keep()
    }

    /// Returns the bytes before the memory that addresses do not have.
    fn base(&self) -> u32 {
        match self.space {
            Space::Shared => self.layout.groupshared as u32,
            Space::Private | Space::Record => 0,
        }
    }

    /// Loads a word of each lane; returns its local.
    pub(super) fn load(&self, body: &mut Body, pointer: u32, number: u32) -> u32 {
        let (words, inside) = self.addresses(body, pointer, number);
        let bytes = self.bytes(body, words, inside);
        let base = self.base();
        are_side_by_side(body, bytes, inside);
        body.sink().if_(BlockType::Result(ValType::V128));
        body.get(bytes);
        body.sink()
            .i32x4_extract_lane(0)
            .v128_load(at(base, 2))
            .else_();
        gather(body, bytes, base);
        body.get(inside);
        body.sink().v128_and().end();
        let loaded = body.keep();
        if self.space == Space::Private && self.layout.constant_words != 0 {
            return self.load_constants(body, words, loaded);
        }
        loaded
    }

    /// Takes the words of lanes whose address has the bit of constants from there.
    fn load_constants(&self, body: &mut Body, words: u32, loaded: u32) -> u32 {
        body.get(words);
        body.sink().i32_const(31).i32x4_shr_s();
        let is_constant = body.keep();
        body.get(is_constant);
        body.sink()
            .v128_any_true()
            .if_(BlockType::Result(ValType::V128));
        body.get(words);
        body.splat(0x7fff_ffff);
        body.sink().v128_and();
        let index = body.keep();
        body.get(index);
        body.splat(self.layout.constant_words as u32);
        body.sink().i32x4_lt_u();
        let inside = body.keep();
        body.get(index);
        body.get(inside);
        body.sink().v128_and().i32_const(2).i32x4_shl();
        let bytes = body.keep();
        gather(body, bytes, self.layout.constants as u32);
        body.get(inside);
        body.sink().v128_and();
        body.get(loaded);
        body.get(is_constant);
        body.sink().v128_bitselect().else_();
        body.get(loaded);
        body.sink().end();
        body.keep()
    }

    /// Stores words of each lane that runs: all of one lane, then those of the next.
    pub(super) fn store(&self, body: &mut Body, pointer: u32, values: &[u32]) {
        let base = self.base();
        let mut places = Vec::with_capacity(values.len());
        for number in 0..values.len() as u32 {
            let (words, inside) = self.addresses(body, pointer, number);
            body.get(inside);
            body.get(self.mask);
            body.sink().v128_and();
            let stored = body.keep();
            let bytes = self.bytes(body, words, stored);
            places.push((bytes, stored));
        }
        if let ([value], [(bytes, stored)]) = (values, places.as_slice()) {
            are_side_by_side(body, *bytes, *stored);
            body.sink().if_(BlockType::Empty);
            body.get(*bytes);
            body.sink().i32x4_extract_lane(0);
            body.get(*value);
            body.sink().v128_store(at(base, 2)).else_();
            scatter(body, values, &places, base);
            body.sink().end();
            return;
        }
        scatter(body, values, &places, base);
    }
}

/// Puts on the stack whether the words of all lanes lie side by side, from the first lane's.
fn are_side_by_side(body: &mut Body, bytes: u32, inside: u32) {
    body.get(bytes);
    body.get(bytes);
    body.sink()
        .i32x4_extract_lane(0)
        .i32x4_splat()
        .v128_const(SIDE_BY_SIDE)
        .i32x4_add()
        .i32x4_eq();
    body.get(inside);
    body.sink().v128_and().i32x4_all_true();
}

/// Puts the words at bytes of each lane on the stack.
fn gather(body: &mut Body, bytes: u32, base: u32) {
    for lane in 0..4 {
        body.get(bytes);
        let mut sink = body.sink();
        sink.i32x4_extract_lane(lane);
        if lane == 0 {
            sink.v128_load32_zero(at(base, 2));
        } else {
            sink.i32_load(at(base, 2)).i32x4_replace_lane(lane);
        }
    }
}

/// Stores words of one lane after the other.
fn scatter(body: &mut Body, values: &[u32], places: &[(u32, u32)], base: u32) {
    // What is not stored goes to a place that nobody reads; bytes have the base from here on.
    let mut targets = Vec::with_capacity(places.len());
    for (bytes, stored) in places {
        body.get(*bytes);
        if base != 0 {
            body.splat(base);
            body.sink().i32x4_add();
        }
        body.splat(SCRATCH);
        body.get(*stored);
        body.sink().v128_bitselect();
        targets.push(body.keep());
    }
    for lane in 0..4 {
        for (target, value) in targets.iter().zip(values) {
            body.get(*target);
            body.sink().i32x4_extract_lane(lane);
            body.get(*value);
            body.sink().i32x4_extract_lane(lane).i32_store(at(0, 2));
        }
    }
}
