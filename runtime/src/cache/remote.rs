//! Stores that several machines share.

use std::fmt;

/// A store of entries that several machines share, such as a bucket. Entries are named by what they
/// were made from and never change, so that every writer of a name writes the same contents.
///
/// What it returns is checked like a file of the folder. It reports its own problems, in a log or
/// to its maker: for the cache an entry that cannot be read is one that is not there.
pub trait Remote: Send + Sync + fmt::Debug {
    /// Returns the bytes of the entry with that name (64 hexadecimal digits), if it is there.
    fn get(&self, name: &str) -> Option<Vec<u8>>;

    /// Writes an entry unless it is there. Returns whether it is there now; if not, the folder does
    /// not keep it either, so that it is made and written again.
    fn put(&self, name: &str, bytes: &[u8]) -> bool;

    /// Is told of an entry whose bytes are damaged, so that it is written again.
    fn discard(&self, name: &str);
}
