//! Memory of lanes and groups: loads, stores and atomics through pointers.

use std::cell::Cell;

use dxil_frontend::dxil::ops::AtomicOp;

use super::context::Context;
use crate::check::AccessKind;
use crate::decode::code::{CONSTANT_BIT, Complex, RegisterSlot, Space};
use crate::decode::lane_ops::RegisterKind;

/// Returns the new value of an atomic operation on an old value of that many bits.
pub(crate) fn combined(op: AtomicOp, wide: bool, old: u64, value: u64) -> u64 {
    let signed = |value: u64| {
        if wide {
            value as i64
        } else {
            i64::from(value as u32 as i32)
        }
    };
    let result = match op {
        AtomicOp::Add => old.wrapping_add(value),
        AtomicOp::And => old & value,
        AtomicOp::Or => old | value,
        AtomicOp::Xor => old ^ value,
        AtomicOp::IMin if signed(value) < signed(old) => value,
        AtomicOp::IMax if signed(value) > signed(old) => value,
        AtomicOp::IMin | AtomicOp::IMax => old,
        AtomicOp::UMin => old.min(value),
        AtomicOp::UMax => old.max(value),
        AtomicOp::Exchange => value,
    };
    if wide { result } else { result & 0xffff_ffff }
}

impl Context<'_> {
    /// Returns the cell of a word, if it can be written.
    #[inline]
    fn cell(&self, space: Space, address: u32, lane: usize) -> Option<&Cell<u32>> {
        match space {
            Space::Shared => self.groupshared.get(address as usize),
            // Records have loads and stores of their own.
            Space::Record => None,
            Space::Private => (address as usize)
                .checked_mul(self.lanes)
                .and_then(|first| self.private.get(first + lane)),
        }
    }

    #[inline]
    fn read(&self, space: Space, address: u32, lane: usize) -> u32 {
        // One address space in DXIL covers constants and private variables; the top bit tells them
        // apart.
        if space == Space::Private && address & CONSTANT_BIT != 0 {
            let index = (address & !CONSTANT_BIT) as usize;
            let words = &self.shared.kernel.constants;
            return words.get(index).copied().unwrap_or(0);
        }
        // An address out of bounds reads zero, and a write to it is dropped, so that no shader can
        // reach other memory.
        self.cell(space, address, lane).map_or(0, Cell::get)
    }

    #[inline]
    fn write(&self, space: Space, address: u32, lane: usize, word: u32) {
        if let Some(cell) = self.cell(space, address, lane) {
            cell.set(word);
        }
    }

    pub(super) fn read_value(
        &self,
        space: Space,
        address: u32,
        lane: usize,
        kind: RegisterKind,
    ) -> u64 {
        let low = u64::from(self.read(space, address, lane));
        match kind {
            RegisterKind::W => low,
            RegisterKind::D => {
                low | u64::from(self.read(space, address.wrapping_add(1), lane)) << 32
            }
        }
    }

    pub(super) fn write_value(
        &self,
        space: Space,
        address: u32,
        lane: usize,
        kind: RegisterKind,
        value: u64,
    ) {
        self.write(space, address, lane, value as u32);
        if kind == RegisterKind::D {
            let high = (value >> 32) as u32;
            self.write(space, address.wrapping_add(1), lane, high);
        }
    }

    pub(super) fn load(&self, space: Space, complex: &Complex) {
        if self.load_chunks(space, complex) {
            return;
        }
        let r = &self.registers;
        for lane in self.on() {
            let mut address = r.word(complex.src[0], lane);
            for &dst in &complex.dst {
                if !dst.is_none() {
                    if space == Space::Shared && self.group.checker.is_some() {
                        let count = words(dst.kind());
                        self.check_groupshared(lane, AccessKind::Read, address, count, 0);
                    }
                    let value = self.read_value(space, address, lane, dst.kind());
                    r.set(dst, lane, value);
                }
                address = address.wrapping_add(words(dst.kind()));
            }
        }
    }

    pub(super) fn store(&self, space: Space, complex: &Complex) {
        let r = &self.registers;
        let Some((&pointer, values)) = complex.src.split_first() else {
            return;
        };
        if self.store_chunks(space, pointer, values) {
            return;
        }
        for lane in self.on() {
            let mut address = r.word(pointer, lane);
            for &value in values {
                let (kind, bits) = (value.kind(), r.get(value, lane));
                if space == Space::Shared && self.group.checker.is_some() {
                    self.check_groupshared(lane, AccessKind::Write, address, words(kind), bits);
                }
                self.write_value(space, address, lane, kind, bits);
                address = address.wrapping_add(words(value.kind()));
            }
        }
    }

    pub(super) fn atomic(&self, space: Space, op: AtomicOp, complex: &Complex) {
        let [pointer, operand] = pair(&complex.src);
        let wide = operand.kind() == RegisterKind::D;
        for lane in self.on() {
            let value = self.registers.get(operand, lane);
            self.change(space, pointer, lane, operand.kind(), complex, |old| {
                combined(op, wide, old, value)
            });
        }
    }

    pub(super) fn compare_exchange(&self, space: Space, complex: &Complex) {
        let [pointer, compare] = pair(&complex.src);
        let value = complex.src.get(2).copied().unwrap_or(RegisterSlot::NONE);
        for lane in self.on() {
            let compare = self.registers.get(compare, lane);
            let new = self.registers.get(value, lane);
            self.change(space, pointer, lane, value.kind(), complex, |old| {
                if old == compare { new } else { old }
            });
        }
    }

    fn change(
        &self,
        space: Space,
        pointer: RegisterSlot,
        lane: usize,
        kind: RegisterKind,
        complex: &Complex,
        change: impl Fn(u64) -> u64,
    ) {
        let address = self.registers.word(pointer, lane);
        if space == Space::Shared && self.group.checker.is_some() {
            self.check_groupshared(lane, AccessKind::Atomic, address, words(kind), 0);
        }
        // Not atomic: waves of a group run on one thread.
        let old = if space == Space::Record {
            let old = self.record_value(address, words(kind) * 4);
            self.set_record_value(address, words(kind) * 4, change(old));
            old
        } else {
            let old = self.read_value(space, address, lane, kind);
            self.write_value(space, address, lane, kind, change(old));
            old
        };
        if let Some(&dst) = complex.dst.first() {
            self.registers.set(dst, lane, old);
        }
    }
}

fn words(kind: RegisterKind) -> u32 {
    match kind {
        RegisterKind::W => 1,
        RegisterKind::D => 2,
    }
}

fn pair(slots: &[RegisterSlot]) -> [RegisterSlot; 2] {
    [0, 1].map(|index| slots.get(index).copied().unwrap_or(RegisterSlot::NONE))
}
