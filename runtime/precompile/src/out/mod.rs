//! Where translations go: a folder, or a store of objects that machines share.

mod address;
#[cfg(feature = "object-store")]
mod bucket;
#[cfg(feature = "object-store")]
mod client;

use std::path::PathBuf;
use std::str::FromStr;

pub use address::{Address, Scheme};
#[cfg(feature = "object-store")]
pub use bucket::Bucket;

/// The argument of `--out`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Out {
    /// A folder of this machine.
    Folder(PathBuf),
    /// A store of objects.
    Store(Address),
}

impl FromStr for Out {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.contains("://") {
            text.parse().map(Out::Store)
        } else {
            Ok(Out::Folder(text.into()))
        }
    }
}

/// What a run did with a store of objects.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreCounts {
    /// The store.
    pub address: String,
    /// Entries that were read.
    pub read: u64,
    /// Their bytes.
    pub bytes_read: u64,
    /// Entries that were written.
    pub written: u64,
    /// Their bytes.
    pub bytes_written: u64,
    /// Entries that were damaged, or none of this cache.
    pub damaged: u64,
    /// Requests that were sent again.
    pub retries: u64,
    /// Entries that could not be read, after all retries.
    pub unread: u64,
    /// Entries that could not be written, after all retries.
    pub unwritten: u64,
    /// The first of these problems.
    pub problem: Option<String>,
}
