//! Hands accesses to the checks of a dispatch, where it has any.

use super::context::{Context, lanes_of};
use crate::check::{AccessKind, FindingKind, Missing, Report, Site, Subject, WordAccess};
use crate::decode::code::Fence;
use crate::resources::Descriptor;
use crate::schedule::stack::Mask;

/// Marks a handle whose index lies outside of its range; the other bits are the range's number.
const OUT_OF_RANGE: u32 = 1 << 31;
/// Marks a handle of a register to which nothing is bound.
const UNBOUND: u32 = 1 << 30;
/// Stands for the heaps in place of a range's number.
const HEAP: u32 = UNBOUND - 1;

impl Context<'_> {
    pub(super) fn subject(&self) -> Subject<'_> {
        Subject {
            kernel: self.shared.kernel,
            table: self.shared.table,
        }
    }

    pub(super) fn access(
        &self,
        lane: usize,
        kind: AccessKind,
        bytes: u8,
        value: u32,
    ) -> WordAccess {
        WordAccess {
            kind,
            thread: self.first_thread + lane as u32,
            site: self.site.get(),
            bytes,
            value,
        }
    }

    /// Reports a defect at the current instruction.
    #[cold]
    pub(super) fn report(&self, lane: usize, kind: FindingKind, access: AccessKind, what: Report) {
        if let Some(checker) = &self.group.checker {
            let access = self.access(lane, access, 0, 0);
            checker
                .borrow_mut()
                .report(self.subject(), kind, what, access);
        }
    }

    /// Notes a read without a value, whose result is followed.
    #[cold]
    pub(super) fn defer(&self, lane: usize, what: Missing, access: AccessKind) {
        if let Some(checker) = &self.group.checker {
            let access = self.access(lane, access, 0, 0);
            checker.borrow_mut().defer(what, access);
            self.missing.set(self.missing.get() | 1 << lane);
        }
    }

    /// Ends a read; returns the lanes that have found nothing.
    pub(super) fn end_read(&self, origin: u32) -> Mask {
        let missing = self.missing.take();
        if let Some(checker) = self.group.checker.as_ref().filter(|_| missing != 0) {
            checker.borrow_mut().end_read(origin);
        }
        missing
    }

    /// Notes that a lane uses the result of a read without a value.
    #[cold]
    pub(super) fn use_read(&self, lane: usize, origin: u32) {
        if let Some(checker) = &self.group.checker {
            let thread = self.access(lane, AccessKind::Use, 0, 0).thread;
            checker
                .borrow_mut()
                .use_read(self.subject(), origin, thread);
        }
    }

    /// Reports an access to missing memory; a read only if its value is used.
    fn report_missing(&self, lane: usize, kind: FindingKind, access: AccessKind, what: Report) {
        if access == AccessKind::Read && self.shared.kernel.is_followed_read(self.site.get()) {
            self.defer(lane, Missing::Outside(kind, what), access);
        } else {
            self.report(lane, kind, access, what);
        }
    }

    /// Checks an access to words of groupshared memory; `value` is what they hold after a write.
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
        let is_followed = kind == AccessKind::Read && self.shared.kernel.follows_values;
        // It lies outside of its variable, and would count for another one.
        if is_followed && self.missing.get() >> lane & 1 != 0 {
            return;
        }
        for word in 0..words {
            let value = (value >> (32 * word)) as u32;
            let access = self.access(lane, kind, 0b1111, value);
            let (subject, address) = (self.subject(), address.wrapping_add(word));
            let missing = checker
                .borrow_mut()
                .groupshared(subject, address, access, is_followed);
            if let Some(what) = missing {
                self.defer(lane, what, kind);
            }
        }
    }

    /// Notes that the lanes pass a fence without group sync.
    pub(super) fn pass_fence(&self, fence: Fence) {
        if let Some(checker) = &self.group.checker {
            for lane in self.on() {
                let thread = self.first_thread + lane as u32;
                checker.borrow_mut().pass_fence(thread, fence);
            }
        }
    }

    /// Checks an access to bytes of a storage, after it was made.
    #[inline]
    pub(super) fn check_memory(
        &self,
        lane: usize,
        kind: AccessKind,
        memory: (u32, usize),
        at: usize,
        bytes: u32,
    ) {
        if self.group.checker.is_some() {
            self.note_memory(lane, kind, memory, (at, bytes), None);
        }
    }

    /// Checks an access to a texel, after it was made.
    #[inline]
    pub(super) fn check_texel(
        &self,
        lane: usize,
        kind: AccessKind,
        memory: (u32, usize),
        bytes: (usize, u32),
        texel: [i64; 3],
    ) {
        if self.group.checker.is_some() {
            self.note_memory(lane, kind, memory, bytes, Some(texel));
        }
    }

    #[cold]
    fn note_memory(
        &self,
        lane: usize,
        kind: AccessKind,
        (handle, storage): (u32, usize),
        (at, bytes): (usize, u32),
        texel: Option<[i64; 3]>,
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
                .memory(self.subject(), memory, start, texel, access);
            start = stop;
        }
    }

    /// Checks an access outside of a view.
    #[cold]
    pub(super) fn check_out_of_bounds(
        &self,
        lane: usize,
        kind: AccessKind,
        handle: u32,
        byte: u64,
    ) {
        self.outside(lane, kind, handle, Some(byte), None);
    }

    /// Checks an access outside of a view of a texture.
    #[cold]
    pub(super) fn check_texel_out_of_bounds(
        &self,
        lane: usize,
        kind: AccessKind,
        handle: u32,
        texel: [i64; 3],
    ) {
        self.outside(lane, kind, handle, None, Some(texel));
    }

    fn outside(
        &self,
        lane: usize,
        kind: AccessKind,
        handle: u32,
        byte: Option<u64>,
        texel: Option<[i64; 3]>,
    ) {
        self.group.notice(|events| events.out_of_bounds += 1);
        if self.group.checker.is_some() {
            let report = Report {
                resource: self.shared.table.name_of(self.shared.kernel, handle),
                byte,
                texel,
                ..Report::default()
            };
            self.report_missing(lane, FindingKind::OutOfBounds, kind, report);
        }
    }

    /// Returns the handle of an index that has no descriptor.
    #[cold]
    pub(super) fn missing_descriptor(&self, range: Option<u32>, index: u32) -> u32 {
        // All of these are null; the bits are for the report only.
        if self.group.checker.is_none() {
            return 0;
        }
        let Some(range) = range else {
            return OUT_OF_RANGE | HEAP;
        };
        let declared = self.shared.kernel.ranges.get(range as usize);
        let count = declared.and_then(|declared| declared.count);
        if count.is_some_and(|count| index >= count) {
            OUT_OF_RANGE | range
        } else {
            UNBOUND | range
        }
    }

    /// Checks an access through a handle that has no descriptor, or one of another kind.
    #[cold]
    pub(super) fn check_no_view(&self, lane: usize, kind: AccessKind, handle: u32) {
        // A descriptor of another kind is reported by the probe of types.
        if !matches!(self.shared.descriptor(handle), Descriptor::Null) {
            return;
        }
        let is_out_of_range = handle & OUT_OF_RANGE != 0;
        self.group.notice(|events| {
            *(if is_out_of_range {
                &mut events.out_of_bounds
            } else {
                &mut events.null_descriptors
            }) += 1;
        });
        if self.group.checker.is_none() {
            return;
        }
        let resource = if handle & (OUT_OF_RANGE | UNBOUND) == 0 {
            self.shared.table.name_of(self.shared.kernel, handle)
        } else {
            let range = (handle & !(OUT_OF_RANGE | UNBOUND)) as usize;
            let declared = self.shared.kernel.ranges.get(range);
            declared.map_or_else(|| "the heap".into(), |declared| declared.name.to_string())
        };
        let finding = if is_out_of_range {
            FindingKind::DescriptorOutOfRange
        } else {
            FindingKind::NullDescriptor
        };
        let report = Report {
            resource,
            ..Report::default()
        };
        self.report_missing(lane, finding, kind, report);
    }

    /// Notes that lanes wait at a barrier; `all` began the group.
    pub(super) fn note_barrier(&self, site: Site, all: Mask) {
        // Lanes that began the group are missing: the barrier is in divergent control flow.
        if self.mask == all {
            return;
        }
        self.group.notice(|events| events.divergent_barriers += 1);
        let Some(checker) = &self.group.checker else {
            return;
        };
        if let Some(lane) = lanes_of(self.mask).next() {
            self.site.set(site);
            let access = self.access(lane, AccessKind::Wait, 0, 0);
            checker
                .borrow_mut()
                .divergent_barrier(self.subject(), access);
        }
    }
}
