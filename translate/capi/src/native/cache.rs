//! A cache of translations.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use dxil_frontend::tables::HashMap;

use super::Finished;
use crate::handles::Table;

/// The live caches, which callers hold by handles.
pub(super) static CACHES: Table<DxilJitCache> = Table::new(4);

/// A cache of translations, which any number of threads can use. A translation is found again by
/// its bytes, options and bindings.
pub struct DxilJitCache {
    state: Mutex<CacheState>,
    max_bytes: usize,
}

#[derive(Default)]
struct CacheState {
    entries: HashMap<Arc<[u8]>, Arc<Finished>>,
    /// Keys, the oldest first.
    order: VecDeque<Arc<[u8]>>,
    bytes: usize,
    hits: u64,
    misses: u64,
}

impl DxilJitCache {
    fn state(&self) -> std::sync::MutexGuard<'_, CacheState> {
        // Nothing is left half done under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, key: &[u8]) -> Option<Arc<Finished>> {
        let mut state = self.state();
        let found = state.entries.get(key).cloned();
        match found {
            Some(_) => state.hits += 1,
            None => state.misses += 1,
        }
        found
    }

    pub(super) fn put(&self, key: Box<[u8]>, done: &Arc<Finished>) {
        let size = key.len() + done.bytes();
        if size > self.max_bytes {
            return;
        }
        let key: Arc<[u8]> = key.into();
        let mut state = self.state();
        if state
            .entries
            .insert(Arc::clone(&key), Arc::clone(done))
            .is_some()
        {
            return;
        }
        state.order.push_back(key);
        state.bytes += size;
        while state.bytes > self.max_bytes {
            let Some(oldest) = state.order.pop_front() else {
                break;
            };
            if let Some(done) = state.entries.remove(&oldest) {
                state.bytes = state.bytes.saturating_sub(oldest.len() + done.bytes());
            }
        }
    }
}

/// Contents and use of a cache.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct DxilJitCacheStatistics {
    /// Number of translations.
    pub entries: usize,
    /// Size of their shaders and modules in bytes.
    pub bytes: usize,
    /// Number of requests that the cache answered.
    pub hits: u64,
    /// Number of the other requests.
    pub misses: u64,
}

/// Returns a new cache for at most `max_bytes` bytes of shaders and modules; the oldest entries are
/// removed first. Returns null if a million caches are alive.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_jit_cache_create(max_bytes: usize) -> *mut DxilJitCache {
    CACHES.insert(Box::new(DxilJitCache {
        state: Mutex::default(),
        max_bytes,
    }))
}

/// Frees a cache. Translations from it stay alive. Nothing happens for null, and for a cache that
/// was freed.
///
/// # Safety
/// Nobody uses the cache meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_cache_free(cache: *mut DxilJitCache) {
    drop(CACHES.remove(cache));
}

/// Returns the contents and use of a cache; all zero for null, and for a cache that was freed.
///
/// # Safety
/// Nobody frees the cache meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_cache_statistics(
    cache: *const DxilJitCache,
) -> DxilJitCacheStatistics {
    // SAFETY: the table gives null or a cache that is alive; nobody frees it meanwhile.
    let Some(cache) = (unsafe { CACHES.get(cache).as_ref() }) else {
        return DxilJitCacheStatistics::default();
    };
    let state = cache.state();
    DxilJitCacheStatistics {
        entries: state.entries.len(),
        bytes: state.bytes,
        hits: state.hits,
        misses: state.misses,
    }
}
