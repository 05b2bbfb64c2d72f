//! The contents of memory at some time, to go back to.

use std::sync::atomic::{AtomicU32, Ordering};

use super::shared::Shared;
use crate::resources::Storage;

/// Contents of storages and hidden counters.
#[derive(Debug, Clone)]
pub(super) struct KeptMemory {
    /// Words of the storages that are kept.
    storages: Vec<Option<Vec<u32>>>,
    counters: Vec<u32>,
}

impl KeptMemory {
    /// Keeps the storages that the shader may write to.
    pub(super) fn of_written(shared: &Shared<'_>) -> KeptMemory {
        Self::of(shared, |number| shared.table.is_written(number))
    }

    /// Keeps all storages.
    pub(super) fn of_all(shared: &Shared<'_>) -> KeptMemory {
        Self::of(shared, |_| true)
    }

    fn of(shared: &Shared<'_>, is_kept: impl Fn(usize) -> bool) -> KeptMemory {
        let storages = shared.storages.iter().enumerate();
        let words =
            |(number, storage): (usize, &Storage)| is_kept(number).then(|| storage.bytes.words());
        let counters = shared.counters.iter();
        KeptMemory {
            storages: storages.map(words).collect(),
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
