//! A cache of freed memory in front of the system's allocator.
//!
//! A translation makes a hundred to a thousand blocks and frees them together at its end: more of a size than system
//! allocators keep at hand, so that most calls take their slow ways. Here each thread keeps what it freed, in a list
//! per size class, and the next translation finds it there. What is kept is bounded, and goes back to the system when the
//! thread ends. Blocks may be freed by other threads than those that made them: each is one of the system's own.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;

/// Larger blocks are the system's alone.
const LARGEST: usize = 32 << 10;
/// Eight classes up to 128 bytes, then four for each doubling.
const CLASSES: usize = 40;
/// Bytes of each class's blocks. The table is longer than there are classes, so that its masked index is within it.
const SIZES: [usize; LISTS] = {
    let mut sizes = [0; LISTS];
    let mut class = 0;
    while class < CLASSES {
        sizes[class] = match class {
            0..8 => (class + 1) * 16,
            _ => (class % 4 + 5) << (class / 4 + 3),
        };
        class += 1;
    }
    sizes
};
const LISTS: usize = 64;
/// Alignment of all blocks; larger ones are the system's alone.
const ALIGN: usize = 16;
/// Most bytes that a thread keeps: what a small shader takes.
const KEPT: usize = 128 << 10;

/// The allocator.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ThreadCache;

/// A free block; the next one of its class is written into it.
#[derive(Clone, Copy)]
struct Free {
    next: *mut Free,
}

/// What a thread keeps.
struct Kept {
    lists: [Cell<*mut Free>; LISTS],
    bytes: Cell<usize>,
}

thread_local! {
    static KEPT_HERE: Kept = const {
        Kept {
            lists: [const { Cell::new(ptr::null_mut()) }; LISTS],
            bytes: Cell::new(0),
        }
    };
}

impl Drop for Kept {
    fn drop(&mut self) {
        for (class, list) in self.lists.iter().enumerate() {
            let mut next = list.replace(ptr::null_mut());
            while !next.is_null() {
                let block = next;
                // SAFETY: what is in a list is a free block of its class, made by the system with that layout.
                unsafe {
                    next = (*block).next;
                    System.dealloc(block.cast(), layout_of(class));
                }
            }
        }
        self.bytes.set(0);
    }
}

/// The class of a layout; `None` where the block is the system's alone.
#[inline]
fn class_of(layout: Layout) -> Option<usize> {
    let size = layout.size();
    if size > LARGEST || layout.align() > ALIGN {
        None
    } else if size <= 128 {
        Some(size.saturating_sub(1) / 16)
    } else {
        // The top three bits of the last byte's offset: 1xx.
        let last = size - 1;
        let top = last.ilog2() as usize;
        Some(8 + (top - 7) * 4 + (last >> (top - 2) & 3))
    }
}

/// Bytes of a class's blocks.
#[inline]
const fn size_of(class: usize) -> usize {
    SIZES[class % LISTS]
}

/// What the system is asked for.
#[inline]
const fn layout_of(class: usize) -> Layout {
    match Layout::from_size_align(size_of(class), ALIGN) {
        Ok(layout) => layout,
        Err(_) => Layout::new::<u128>(),
    }
}

/// A kept block of the class.
#[inline]
fn take(class: usize) -> Option<*mut u8> {
    let taken = KEPT_HERE.try_with(|kept| {
        let list = &kept.lists[class % LISTS];
        let block = list.get();
        if block.is_null() {
            return None;
        }
        // SAFETY: a block in a list is free and says what the next one is.
        list.set(unsafe { (*block).next });
        kept.bytes.set(kept.bytes.get() - size_of(class));
        Some(block.cast())
    });
    taken.ok().flatten()
}

/// Keeps a block of the class; false where it is too much, or the thread ends.
#[inline]
fn keep(class: usize, block: *mut u8) -> bool {
    let kept = KEPT_HERE.try_with(|kept| {
        let bytes = kept.bytes.get() + size_of(class);
        if bytes > KEPT {
            return false;
        }
        let list = &kept.lists[class % LISTS];
        let block: *mut Free = block.cast();
        // SAFETY: the block is free now, and every class has room for a pointer and its alignment.
        unsafe { block.write(Free { next: list.get() }) };
        list.set(block);
        kept.bytes.set(bytes);
        true
    });
    kept.unwrap_or(false)
}

// SAFETY: blocks come from the system with at least the size and alignment that were asked for, and go back with the
// layout that they were made with: a layout's class depends on the layout alone. While a block is in a list, nobody else
// has it. A thread's lists are only touched by that thread, and nothing in here allocates by way of itself.
unsafe impl GlobalAlloc for ThreadCache {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match class_of(layout) {
            Some(class) => match take(class) {
                Some(block) => block,
                // SAFETY: no class has size 0.
                None => unsafe { System.alloc(layout_of(class)) },
            },
            // SAFETY: passed on.
            None => unsafe { System.alloc(layout) },
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match class_of(layout) {
            Some(class) if keep(class, block) => {}
            // SAFETY: blocks of a class were made with its layout.
            Some(class) => unsafe { System.dealloc(block, layout_of(class)) },
            // SAFETY: passed on.
            None => unsafe { System.dealloc(block, layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if class_of(layout).is_none() {
            // SAFETY: passed on.
            return unsafe { System.alloc_zeroed(layout) };
        }
        // SAFETY: passed on.
        let block = unsafe { self.alloc(layout) };
        if !block.is_null() {
            // SAFETY: the block has at least that many bytes.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller vouches that the size, rounded up to the alignment, does not overflow.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (class_of(layout), class_of(wanted)) {
            (Some(old), Some(new)) if old == new => return block,
            // SAFETY: passed on.
            (None, None) => return unsafe { System.realloc(block, layout, size) },
            _ => {}
        }
        // SAFETY: passed on.
        let moved = unsafe { self.alloc(wanted) };
        if !moved.is_null() {
            // SAFETY: both have that many bytes and are different blocks; the old one is no longer used.
            unsafe {
                ptr::copy_nonoverlapping(block, moved, layout.size().min(size));
                self.dealloc(block, layout);
            }
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(size: usize, align: usize) -> Layout {
        Layout::from_size_align(size, align).unwrap()
    }

    #[test]
    fn a_class_is_the_smallest_that_fits() {
        let mut last = 0;
        for size in 1..=LARGEST {
            let class = class_of(layout(size, 8)).unwrap();
            assert!(size_of(class) >= size, "{size}");
            assert!(class == 0 || size_of(class - 1) < size, "{size}");
            assert!(class == last || class == last + 1);
            last = class;
        }
        assert_eq!(last, CLASSES - 1);
        assert_eq!(class_of(layout(LARGEST + 1, 8)), None);
        assert_eq!(class_of(layout(64, 32)), None);
    }

    #[test]
    fn a_freed_block_is_the_next_of_its_class() {
        let [small, other] = [layout(100, 8), layout(112, 1)];
        // SAFETY: blocks are freed once, with their layouts.
        unsafe {
            let block = ThreadCache.alloc(small);
            ThreadCache.dealloc(block, small);
            let again = ThreadCache.alloc_zeroed(other);
            assert_eq!(block, again);
            assert!(
                std::slice::from_raw_parts(again, 112)
                    .iter()
                    .all(|&byte| byte == 0)
            );
            ThreadCache.dealloc(again, other);
        }
    }

    #[test]
    fn content_survives_growing_and_shrinking() {
        let sizes = [1, 16, 17, 500, 40_000, 100_000, 32_768, 200, 3];
        // SAFETY: the block is grown and freed with the layout it has.
        unsafe {
            let mut now = layout(sizes[0], 4);
            let mut block = ThreadCache.alloc(now);
            block.write(7);
            for size in sizes {
                block = ThreadCache.realloc(block, now, size);
                now = layout(size, 4);
                assert_eq!(block.read(), 7);
                block.add(size - 1).write(if size == 1 { 7 } else { 1 });
            }
            ThreadCache.dealloc(block, now);
        }
    }

    #[test]
    fn a_thread_keeps_no_more_than_the_bound() {
        let one = layout(LARGEST, 8);
        // SAFETY: blocks are freed once, with their layouts.
        unsafe {
            let blocks: Vec<_> = (0..64).map(|_| ThreadCache.alloc(one)).collect();
            for block in blocks {
                ThreadCache.dealloc(block, one);
            }
        }
        assert!(KEPT_HERE.with(|kept| kept.bytes.get()) <= KEPT);
    }

    #[test]
    fn blocks_may_be_freed_by_another_thread() {
        let one = layout(48, 8);
        // SAFETY: blocks are freed once, with their layouts.
        let blocks: Vec<usize> = (0..100)
            .map(|_| unsafe { ThreadCache.alloc(one) } as usize)
            .collect();
        let freed = std::thread::spawn(move || {
            for block in blocks {
                // SAFETY: the other thread made it and does not use it.
                unsafe { ThreadCache.dealloc(block as *mut u8, one) };
            }
            KEPT_HERE.with(|kept| kept.bytes.get())
        });
        // More where this is the allocator of the test itself.
        assert!(freed.join().unwrap() >= 4800);
    }
}
