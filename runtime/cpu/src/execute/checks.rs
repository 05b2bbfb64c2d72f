//! Hands accesses to the checks of a dispatch, where it has any.

use super::wave::{Context, lanes_of};
use crate::check::{Access, AccessKind, Site, Subject};
use crate::schedule::stack::Mask;

impl Context<'_> {
    /// Whether there are checks.
    #[inline]
    pub(super) fn is_checked(&self) -> bool {
        self.group.checker.is_some()
    }

    fn subject(&self) -> Subject<'_> {
        Subject {
            kernel: self.shared.kernel,
            table: self.shared.table,
        }
    }

    fn access(&self, lane: usize, kind: AccessKind, bytes: u8, value: u32) -> Access {
        Access {
            kind,
            thread: self.first_thread + lane as u32,
            site: self.site.get(),
            bytes,
            value,
        }
    }

    /// An access to words of groupshared memory; `value` is what they hold after a write.
    pub(super) fn check_groupshared(
        &self,
        lane: usize,
        kind: AccessKind,
        address: u32,
        words: u32,
        value: u64,
    ) {
        let Some(checker) = &self.group.checker else {
            return;
        };
        for word in 0..words {
            let value = (value >> (32 * word)) as u32;
            let access = self.access(lane, kind, 0b1111, value);
            checker
                .borrow_mut()
                .groupshared(self.subject(), address.wrapping_add(word), access);
        }
    }

    /// An access to bytes of a storage, after it was made.
    pub(super) fn check_memory(
        &self,
        lane: usize,
        kind: AccessKind,
        (handle, storage): (u32, usize),
        at: usize,
        bytes: u32,
    ) {
        let Some(checker) = &self.group.checker else {
            return;
        };
        let end = at + bytes as usize;
        let mut start = at;
        while start < end {
            let word = start & !3;
            let stop = end.min(word + 4);
            let mask = (start..stop).fold(0, |mask, byte| mask | 1 << (byte & 3));
            // After a write this is the new value: writes of the same value do not race.
            let value = self.shared.storage(storage).bytes.word(word);
            let access = self.access(lane, kind, mask, value);
            let memory = (handle, storage);
            checker
                .borrow_mut()
                .memory(self.subject(), memory, start, access);
            start = stop;
        }
    }

    /// An access out of the bounds of a view.
    pub(super) fn check_out_of_bounds(
        &self,
        lane: usize,
        kind: AccessKind,
        handle: u32,
        byte: u64,
    ) {
        if let Some(checker) = &self.group.checker {
            let access = self.access(lane, kind, 0, 0);
            checker
                .borrow_mut()
                .out_of_bounds(self.subject(), handle, byte, access);
        }
    }

    /// Lanes wait at a barrier; `all` began the group.
    pub(super) fn note_barrier(&self, site: Site, all: Mask) {
        let Some(checker) = &self.group.checker else {
            return;
        };
        // Lanes that began the group are missing: the barrier is in divergent control flow.
        if let Some(lane) = lanes_of(self.mask).next().filter(|_| self.mask != all) {
            self.site.set(site);
            let access = self.access(lane, AccessKind::Wait, 0, 0);
            checker
                .borrow_mut()
                .divergent_barrier(self.subject(), access);
        }
    }
}
