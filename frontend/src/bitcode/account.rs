//! What the parts of a module count for, however few bits they take.
//!
//! An abbreviation of literals makes a record of three bits, and a block of one such record. What
//! later stages do costs time and memory for each record, number, block and edge. So each of these
//! has a nominal size, that of its plain form, and a module must be about as long as its parts
//! together: what they count for beyond their bits is at most what [`crate::limits`] allows. Memory
//! and time that are proportional to the parts are then proportional to the bytes, whatever the
//! encoding.

use crate::error::ErrorKind;
use crate::limits::{FREE_NOMINAL_BYTES, FREE_RECORD_BYTES, NOMINAL_BYTES_PER_BYTE};

/// Nominal bits of a record: the id of an abbreviation, its code and the number of its numbers.
const RECORD_BITS: usize = 16;
/// Nominal bits of each number of a record: one chunk.
const NUMBER_BITS: usize = 6;
/// Nominal bits of a block of a function, in addition to its records.
const BLOCK_BITS: u64 = 128;
/// Nominal bits of an edge: an operand of a phi or a case of a switch, in addition to its numbers.
const EDGE_BITS: u64 = 16;

/// Counts what parts lack of their nominal size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Account {
    /// Bits that records count for and do not have.
    records: u64,
    /// Bits that blocks and edges count for.
    graphs: u64,
    /// Maximum of all of these, without the free ones.
    limit: u64,
}

impl Account {
    /// Returns the account of a stream of that many bits.
    pub(super) fn of(bits: usize) -> Self {
        Account {
            records: 0,
            graphs: 0,
            limit: (bits as u64).saturating_mul(NOMINAL_BYTES_PER_BYTE - 1),
        }
    }

    /// Charges a record with that many numbers that took that many bits. Returns whether the
    /// account has room for it.
    #[inline(always)]
    pub(super) fn charge_record(&mut self, numbers: usize, bits: usize) -> bool {
        let nominal = RECORD_BITS + NUMBER_BITS * numbers;
        self.records += nominal.saturating_sub(bits) as u64;
        self.records <= self.limit + 8 * FREE_RECORD_BYTES
    }

    /// Charges blocks and edges of a function.
    ///
    /// # Errors
    ///
    /// The kind of error of a module whose parts count for more than its bytes allow.
    pub(super) fn charge_graph(&mut self, blocks: usize, edges: usize) -> Result<(), ErrorKind> {
        let blocks = (blocks as u64).saturating_mul(BLOCK_BITS);
        let edges = (edges as u64).saturating_mul(EDGE_BITS);
        self.graphs = self.graphs.saturating_add(blocks).saturating_add(edges);
        let all = self.records.saturating_add(self.graphs);
        let limit = self.limit.saturating_add(8 * FREE_NOMINAL_BYTES);
        if all <= limit {
            return Ok(());
        }
        Err(ErrorKind::Limit {
            what: "bytes that records, blocks and edges count for beyond their own",
            value: all / 8,
            limit: limit / 8,
        })
    }

    /// Returns the kind of error of a module with too many records.
    #[cold]
    pub(super) fn too_many_records(&self) -> ErrorKind {
        ErrorKind::Limit {
            what: "bytes that records count for beyond their own",
            value: self.records.div_ceil(8),
            limit: self.limit / 8 + FREE_RECORD_BYTES,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_their_nominal_size_are_free() {
        let mut account = Account::of(0);
        // Three numbers: id and code and count, and a chunk for each.
        assert!((0..1_000_000).all(|_| account.charge_record(3, 16 + 18)));
    }

    #[test]
    fn records_of_three_bits_end_where_they_count_for_more_than_the_bytes_allow() {
        let bytes = 1 << 20;
        let mut account = Account::of(8 * bytes);
        let mut records = 0_usize;
        while account.charge_record(0, 3) {
            records += 1;
        }
        // Each lacks 13 of 16 bits.
        let free = usize::try_from(FREE_RECORD_BYTES).unwrap();
        assert_eq!(records, 8 * (bytes + free) / 13);
    }

    #[test]
    fn every_block_counts_for_sixteen_bytes_and_every_edge_for_two() {
        let bytes = 1 << 20;
        let free = usize::try_from(FREE_NOMINAL_BYTES).unwrap();
        let blocks = (bytes + free) / 16;
        assert_eq!(Account::of(8 * bytes).charge_graph(blocks, 0), Ok(()));
        assert!(Account::of(8 * bytes).charge_graph(blocks + 1, 0).is_err());
        assert_eq!(Account::of(8 * bytes).charge_graph(0, 8 * blocks), Ok(()));
        assert!(Account::of(8 * bytes).charge_graph(1, 8 * blocks).is_err());
        // Over several functions, too.
        let mut account = Account::of(8 * bytes);
        assert_eq!(account.charge_graph(blocks, 0), Ok(()));
        assert!(account.charge_graph(0, 1).is_err());
    }
}
