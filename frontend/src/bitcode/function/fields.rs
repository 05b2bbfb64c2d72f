//! The numbers of an instruction's record, read one after the other.

use crate::bitcode::codes;
use crate::bitcode::constants::value_id;
use crate::bitcode::stream::Record;
use crate::error::Result;
use crate::ir::{AtomicOrdering, ValueId};

/// The fields of a record, in order.
pub(super) struct Fields<'a, 'r> {
    pub(super) record: &'a Record<'r>,
    pub(super) at: usize,
}

impl Fields<'_, '_> {
    #[inline]
    pub(super) fn next(&mut self) -> Result<u64> {
        let value = self.record.get(self.at, "instruction record")?;
        self.at += 1;
        Ok(value)
    }

    #[inline]
    pub(super) fn u32(&mut self) -> Result<u32> {
        let value = self.record.u32(self.at, "instruction record")?;
        self.at += 1;
        Ok(value)
    }

    /// Returns an operand; `next_value` is the number of the next value.
    #[inline]
    pub(super) fn value(&mut self, next_value: u32) -> Result<ValueId> {
        let relative = self.u32()?;
        // A forward reference is a negative distance that LLVM writes as 32 bits, so the
        // subtraction must wrap.
        value_id(next_value.wrapping_sub(relative), self.record)
    }

    pub(super) fn optional(&mut self) -> Option<u64> {
        let value = self.record.ops.get(self.at).copied()?;
        self.at += 1;
        Some(value)
    }

    pub(super) fn left(&self) -> usize {
        self.record.ops.len().saturating_sub(self.at)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.left() == 0
    }

    pub(super) fn end(&self) -> Result<()> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(self.record.malformed("an instruction has too many fields"))
        }
    }

    pub(super) fn alignment(&mut self) -> Result<u32> {
        codes::alignment(self.next()?)
            .ok_or_else(|| self.record.malformed("an alignment is too large"))
    }

    pub(super) fn ordering(&mut self) -> Result<AtomicOrdering> {
        self.next().map(codes::ordering)
    }
}
