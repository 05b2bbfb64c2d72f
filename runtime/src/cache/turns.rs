//! Work that one thread does for several: of those that ask for the same key, the first one goes on
//! and the others wait until it is done.

use dxil_frontend::tables::HashSet;

use parking_lot::{Condvar, Mutex};

use super::store::Key;

/// The keys that threads are working on.
#[derive(Debug, Default)]
pub(super) struct Turns {
    busy: Mutex<HashSet<Key>>,
    done: Condvar,
}

/// The right to work on a key, until it is dropped.
pub(super) struct Turn<'a> {
    turns: &'a Turns,
    key: Key,
    /// Whether another thread has worked on the key in the meantime.
    pub(super) has_waited: bool,
}

impl Turns {
    /// Waits until no other thread works on the key.
    pub(super) fn take(&self, key: Key) -> Turn<'_> {
        let mut busy = self.busy.lock();
        let mut has_waited = false;
        while !busy.insert(key) {
            self.done.wait(&mut busy);
            has_waited = true;
        }
        Turn {
            turns: self,
            key,
            has_waited,
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.turns.busy.lock().remove(&self.key);
        self.turns.done.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn one_thread_at_a_time_works_on_a_key() {
        let turns = Turns::default();
        let key = |n: u8| Key::of(blake3::Hasher::new().update(&[n]));
        let (inside, first) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let turn = turns.take(key(1));
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    // Another key is free: only this thread asks for it now.
                    assert!(!turns.take(key(2)).has_waited);
                    first.fetch_add(u32::from(!turn.has_waited), Ordering::SeqCst);
                    std::thread::yield_now();
                    inside.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert!(first.load(Ordering::SeqCst) >= 1);
        assert!(turns.busy.lock().is_empty());
    }
}
