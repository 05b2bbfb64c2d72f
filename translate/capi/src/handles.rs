//! Handles that callers of the C libraries hold: numbers that look like pointers.
//!
//! A handle names a slot of a table and the generation of the object in it. So a handle that was
//! freed, invalid, or belongs to another kind of object is recognized without touching the memory
//! of the object. A lookup takes two loads and no lock; creating and freeing take a lock.
//!
//! ```text
//!         64 bits                 32 bits
//! 32..63  generation       21..31 generation
//! 12..31  slot              5..20 slot
//!      4  1                     4 1            no handle is null
//!  1..3   kind              1..3  kind         a table for each kind of object
//! ```

use std::collections::VecDeque;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

const VALID: usize = 1 << 4;
/// The index of the word that holds the kind.
const KIND: u32 = 1;
#[cfg(target_pointer_width = "64")]
const SLOT: u32 = 12;
#[cfg(target_pointer_width = "64")]
const GENERATION: u32 = 32;
#[cfg(not(target_pointer_width = "64"))]
const SLOT: u32 = 5;
#[cfg(not(target_pointer_width = "64"))]
const GENERATION: u32 = 21;

/// Maximum number of objects of a kind at once.
const MAX_SLOTS: usize = 1 << (GENERATION - SLOT);
const CHUNK: usize = 1024;
const CHUNKS: usize = MAX_SLOTS / CHUNK;

/// The objects of a kind.
pub(crate) struct Table<T> {
    /// Slots never move, so that they are found without a lock.
    chunks: [OnceLock<Box<[Slot<T>]>>; CHUNKS],
    unused: Mutex<Unused>,
    kind: usize,
}

struct Slot<T> {
    /// The handle that is alive in it, or 0.
    live: AtomicUsize,
    object: AtomicPtr<T>,
}

/// Slots without an object.
struct Unused {
    /// Those that had one, and their next generation. The one that has waited longest is used next,
    /// so that generations repeat as late as possible.
    freed: VecDeque<(usize, usize)>,
    /// The first that never had one.
    next: usize,
}

impl<T> Table<T> {
    /// Returns a table without objects. `kind` is 1 to 7, and no other table's: handles of one
    /// table are none of another.
    pub(crate) const fn new(kind: usize) -> Self {
        assert!(kind > 0 && kind < 8);
        Table {
            kind,
            chunks: [const { OnceLock::new() }; CHUNKS],
            unused: Mutex::new(Unused {
                freed: VecDeque::new(),
                next: 0,
            }),
        }
    }

    fn slot(&self, index: usize) -> Option<&Slot<T>> {
        self.chunks.get(index / CHUNK)?.get()?.get(index % CHUNK)
    }

    /// Returns the slot of a handle, if the handle is alive.
    fn live(&self, handle: usize) -> Option<&Slot<T>> {
        let index = (handle >> SLOT) & (MAX_SLOTS - 1);
        let slot = self.slot(index)?;
        // Acquire: what the object's maker wrote is seen.
        (handle & VALID != 0 && slot.live.load(Ordering::Acquire) == handle).then_some(slot)
    }

    /// Stores an object and returns its handle; null if there are too many.
    pub(crate) fn insert<H>(&self, object: Box<T>) -> *mut H {
        let (index, generation) = {
            let mut unused = self.unused.lock().unwrap_or_else(PoisonError::into_inner);
            // A few slots stay in the queue, for the generations.
            match unused.freed.len() {
                0..64 if unused.next < MAX_SLOTS => {
                    unused.next += 1;
                    (unused.next - 1, 0)
                }
                _ => match unused.freed.pop_front() {
                    Some(slot) => slot,
                    None => return ptr::null_mut(),
                },
            }
        };
        let Some(chunk) = self.chunks.get(index / CHUNK) else {
            return ptr::null_mut();
        };
        let new_slots = || {
            let slots = (0..CHUNK).map(|_| Slot {
                live: AtomicUsize::new(0),
                object: AtomicPtr::new(ptr::null_mut()),
            });
            slots.collect()
        };
        let Some(slot) = chunk.get_or_init(new_slots).get(index % CHUNK) else {
            return ptr::null_mut();
        };
        let handle = generation << GENERATION | index << SLOT | VALID | self.kind << KIND;
        slot.object.store(Box::into_raw(object), Ordering::Relaxed);
        slot.live.store(handle, Ordering::Release);
        ptr::without_provenance_mut(handle)
    }

    /// Returns the object of a handle; null if the handle is not alive in this table.
    pub(crate) fn get<H>(&self, handle: *const H) -> *mut T {
        self.live(handle.addr())
            .map_or(ptr::null_mut(), |slot| slot.object.load(Ordering::Relaxed))
    }

    /// Removes and returns the object of a handle; `None` if the handle is not alive in this table.
    /// Of several threads that free a handle at once, one gets the object.
    pub(crate) fn remove<H>(&self, handle: *const H) -> Option<Box<T>> {
        let handle = handle.addr();
        let slot = self.live(handle)?;
        slot.live
            .compare_exchange(handle, 0, Ordering::AcqRel, Ordering::Relaxed)
            .ok()?;
        let object = slot.object.swap(ptr::null_mut(), Ordering::Relaxed);
        let index = (handle >> SLOT) & (MAX_SLOTS - 1);
        let generation = (handle >> GENERATION).wrapping_add(1) & (usize::MAX >> GENERATION);
        let mut unused = self.unused.lock().unwrap_or_else(PoisonError::into_inner);
        unused.freed.push_back((index, generation));
        drop(unused);
        // SAFETY: `insert` made it of a box, and only the thread that sets `live` to 0 takes it.
        (!object.is_null()).then(|| unsafe { Box::from_raw(object) })
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::c_void;

    use super::*;

    fn insert(table: &Table<u32>, value: u32) -> *mut c_void {
        table.insert(Box::new(value))
    }

    fn value(table: &Table<u32>, handle: *mut c_void) -> Option<u32> {
        let object = table.get(handle);
        // SAFETY: the tests free nothing meanwhile.
        (!object.is_null()).then(|| unsafe { *object })
    }

    #[test]
    fn a_handle_is_alive_from_its_making_to_its_freeing() {
        let table = Table::new(1);
        let (one, two) = (insert(&table, 1), insert(&table, 2));
        assert_ne!(one, two);
        assert_eq!((value(&table, one), value(&table, two)), (Some(1), Some(2)));
        assert_eq!(table.remove(one).as_deref(), Some(&1));
        assert_eq!(table.remove(one), None);
        assert_eq!((value(&table, one), value(&table, two)), (None, Some(2)));
        assert_eq!(table.remove(two).as_deref(), Some(&2));
    }

    #[test]
    fn a_slot_that_is_used_again_has_another_handle() {
        let table = Table::new(1);
        let mut old = Vec::new();
        for round in 0..1000 {
            let handle = insert(&table, round);
            assert!(!old.contains(&handle));
            assert_eq!(value(&table, handle), Some(round));
            assert_eq!(table.remove(handle).as_deref(), Some(&round));
            old.push(handle);
        }
        assert!(old.iter().all(|&handle| value(&table, handle).is_none()));
        assert!(table.slot(CHUNK).is_none(), "slots are used again");
    }

    #[test]
    fn what_is_no_handle_is_nothing() {
        let table = Table::new(1);
        let handle = insert(&table, 1);
        for bit in 0..usize::BITS {
            let other: *mut c_void = ptr::without_provenance_mut(handle.addr() ^ 1 << bit);
            assert_eq!(value(&table, other), None, "bit {bit}");
            assert_eq!(table.remove(other), None, "bit {bit}");
        }
        assert_eq!(value(&table, ptr::null_mut()), None);
        assert_eq!(value(&table, (&raw const table).cast_mut().cast()), None);
        assert_eq!(table.remove(handle).as_deref(), Some(&1));
    }

    #[test]
    fn a_handle_of_another_kind_is_nothing() {
        let (one, two) = (Table::new(1), Table::new(2));
        let (first, second) = (insert(&one, 1), insert(&two, 2));
        assert_eq!((value(&one, second), value(&two, first)), (None, None));
        assert_eq!((one.remove(second), two.remove(first)), (None, None));
        assert_eq!(
            (value(&one, first), value(&two, second)),
            (Some(1), Some(2))
        );
        assert!(one.remove(first).is_some() && two.remove(second).is_some());
    }

    #[test]
    fn one_of_several_threads_frees_a_handle() {
        let table = Table::new(1);
        for round in 0..200 {
            let handle = insert(&table, round).addr();
            let free = || {
                table
                    .remove(ptr::without_provenance::<c_void>(handle))
                    .is_some()
            };
            let freed = std::thread::scope(|scope| {
                let threads = [(); 4].map(|()| scope.spawn(free));
                threads.map(|thread| thread.join().unwrap())
            });
            assert_eq!(freed.iter().filter(|freed| **freed).count(), 1);
        }
    }
}
