//! Stores that several machines share.

use std::fmt;

/// A store of entries that several machines share, such as a bucket. Entries are named by what they
/// were made from and never change, so that every writer of a name writes equivalent contents.
///
/// What it returns is checked like a file of the folder. It reports its own problems, in a log or
/// to its maker: for the cache an entry that cannot be read is one that is not there.
pub trait Remote: Send + Sync + fmt::Debug {
    /// Returns the bytes of the entry with that name (64 hexadecimal digits), if it is there.
    fn get(&self, name: &str) -> Option<Vec<u8>>;

    /// Returns whether an entry is there, or will be because it is being written. The cache asks
    /// for entries that its folder has, and writes those that the store lacks.
    fn has(&self, name: &str) -> bool;

    /// Writes an entry unless it is there, now or later.
    fn put(&self, name: &str, bytes: Vec<u8>);

    /// Is told of an entry whose bytes are damaged, so that the next [`Self::put`] replaces it.
    fn discard(&self, name: &str);
}
