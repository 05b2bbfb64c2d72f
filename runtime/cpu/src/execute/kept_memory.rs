//! The contents of memory at some time, to go back to.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::resources::Storage;

/// Contents of storages and hidden counters.
#[derive(Debug, Clone)]
pub(super) struct KeptMemory {
    /// Words of the storages that are kept.
    storages: Vec<Option<Vec<u32>>>,
    counters: Vec<u32>,
}

impl KeptMemory {
    /// Keeps the storages whose numbers `is_kept` wants, and all counters.
    pub(super) fn of(
        storages: &[Storage],
        counters: &[AtomicU32],
        is_kept: impl Fn(usize) -> bool,
    ) -> KeptMemory {
        let words =
            |(number, storage): (usize, &Storage)| is_kept(number).then(|| storage.bytes.words());
        let counters = counters.iter();
        KeptMemory {
            storages: storages.iter().enumerate().map(words).collect(),
            counters: counters.map(|c| c.load(Ordering::Relaxed)).collect(),
        }
    }

    /// Gives storages their contents back.
    pub(super) fn restore(&self, storages: &[Storage]) {
        for (storage, words) in storages.iter().zip(&self.storages) {
            if let Some(words) = words {
                storage.bytes.set_words(words);
            }
        }
    }

    /// Gives hidden counters their values back.
    pub(super) fn restore_counters(&self, counters: &[AtomicU32]) {
        for (counter, &value) in counters.iter().zip(&self.counters) {
            counter.store(value, Ordering::Relaxed);
        }
    }
}
