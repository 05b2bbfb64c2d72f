//! The libraries' allocator: each thread keeps what it frees for its next translation.
//!
//! A translation makes hundreds of short-lived allocations, and the next one on the same thread
//! makes nearly the same again. The C library's allocator returns the memory to the system in
//! between. Here, a freed block goes to a list of its size class and is taken from there again. The
//! blocks are those of [`System`], each on its own, so that any thread may free any block and every
//! block can go back at any time: all of them when a thread ends, and all of them when more than
//! [`MAX_BYTES`] came together. What is larger than [`LARGEST`] is the system's alone.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;

#[global_allocator]
static ALLOCATOR: ThreadCache = ThreadCache;

/// Maximum number of bytes that a thread keeps.
const MAX_BYTES: usize = 1 << 20;

/// The largest block that is kept, in bytes.
const LARGEST: usize = 256 << 10;

/// Alignment of all kept blocks: what [`System`] guarantees without a header of its own.
const ALIGNMENT: usize = 2 * size_of::<usize>();

/// Classes up to this size are `STEP` bytes apart; above, four classes share each power of two.
const SMALL: usize = 1024;
const STEP: usize = 16;
const SMALL_CLASSES: usize = SMALL / STEP;
const CLASSES: usize = SMALL_CLASSES + 4 * (LARGEST / SMALL).ilog2() as usize;

/// Returns the class that serves `size` bytes, 1 to [`LARGEST`], and the size of its blocks.
#[inline(always)]
fn class_of(size: usize) -> (usize, usize) {
    let last = size.wrapping_sub(1);
    if size <= SMALL {
        let class = last / STEP;
        return (class, (class + 1) * STEP);
    }
    let power = last.ilog2();
    let quarter = power - 2;
    // 4 to 7: which quarter of the power of two the last byte lies in.
    let part = last >> quarter;
    let class = SMALL_CLASSES + 4 * (power - SMALL.ilog2()) as usize + (part - 4);
    (class, (part + 1) << quarter)
}

/// The header of a free block.
struct Free {
    next: *mut Free,
}

/// The free blocks of a thread.
struct Lists {
    /// The first block of each class.
    first: [Cell<*mut Free>; CLASSES],
    /// Bytes of all blocks.
    bytes: Cell<usize>,
}

thread_local! {
    static LISTS: Lists = const {
        Lists {
            first: [const { Cell::new(null_mut()) }; CLASSES],
            bytes: Cell::new(0),
        }
    };
}

impl Lists {
    /// Takes a block of a class, if there is one.
    #[inline(always)]
    fn take(&self, class: usize, size: usize) -> Option<*mut u8> {
        let first = self.first.get(class)?;
        let block = first.get();
        if block.is_null() {
            return None;
        }
        // SAFETY: blocks in a list are free and begin with the link that `keep` wrote.
        first.set(unsafe { (*block).next });
        self.bytes.set(self.bytes.get().wrapping_sub(size));
        Some(block.cast())
    }

    /// Puts a block into the list of its class.
    ///
    /// # Safety
    /// The block came from [`System`] with the class's layout, and nobody uses it.
    #[inline(always)]
    unsafe fn keep(&self, block: *mut u8, class: usize, size: usize) {
        let Some(first) = self.first.get(class) else {
            return;
        };
        let block: *mut Free = block.cast();
        // SAFETY: a block has room for a link and its alignment.
        unsafe { block.write(Free { next: first.get() }) };
        first.set(block);
        let bytes = self.bytes.get().wrapping_add(size);
        self.bytes.set(bytes);
        if bytes > MAX_BYTES {
            self.give_back();
        }
    }

    /// Gives all blocks back to the system.
    #[cold]
    #[inline(never)]
    fn give_back(&self) {
        self.bytes.set(0);
        for (class, first) in self.first.iter().enumerate() {
            let mut block = first.replace(null_mut());
            while !block.is_null() {
                // SAFETY: as in `take`; the block came from the system with this layout.
                unsafe {
                    let next = (*block).next;
                    System.dealloc(block.cast(), layout_of(class));
                    block = next;
                }
            }
        }
    }
}

impl Drop for Lists {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// Returns the layout of a class's blocks.
fn layout_of(class: usize) -> Layout {
    let size = match class.checked_sub(SMALL_CLASSES) {
        None => (class + 1) * STEP,
        Some(above) => (above % 4 + 5) << (above / 4 + SMALL.ilog2() as usize - 2),
    };
    class_layout(size)
}

fn class_layout(size: usize) -> Layout {
    Layout::from_size_align(size, ALIGNMENT).unwrap_or(Layout::new::<usize>())
}

/// The allocator; see the module.
struct ThreadCache;

/// Returns whether a thread keeps blocks of that layout.
#[inline(always)]
fn is_kept(layout: Layout) -> bool {
    layout.size() <= LARGEST && layout.align() <= ALIGNMENT
}

/// Takes a new block from the system. Not inlined, so that the usual path saves no registers for
/// it.
///
/// # Safety
/// As [`GlobalAlloc::alloc`].
#[cold]
#[inline(never)]
unsafe fn take_from_system(layout: Layout) -> *mut u8 {
    let layout = if is_kept(layout) {
        class_layout(class_of(layout.size()).1)
    } else {
        layout
    };
    // SAFETY: passed on; a class is not empty.
    unsafe { System.alloc(layout) }
}

/// Gives a block back to the system.
///
/// # Safety
/// As [`GlobalAlloc::dealloc`].
#[cold]
#[inline(never)]
unsafe fn give_to_system(block: *mut u8, layout: Layout) {
    let layout = if is_kept(layout) {
        class_layout(class_of(layout.size()).1)
    } else {
        layout
    };
    // SAFETY: `alloc` took the block from the system with this layout.
    unsafe { System.dealloc(block, layout) }
}

// SAFETY: blocks come from the system's allocator with the layout of their class, which holds what
// was asked for, and go back with that layout; a block is in a list or in use, never both. Nothing
// here unwinds: the lists are const-initialized, and `try_with` says when their thread is over.
unsafe impl GlobalAlloc for ThreadCache {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // All in the closure: then only the size outlives the look-up of the thread's lists.
        let kept = LISTS.try_with(|lists| {
            if !is_kept(layout) {
                return None;
            }
            let (class, size) = class_of(layout.size());
            lists.take(class, size)
        });
        match kept {
            Ok(Some(block)) => block,
            // SAFETY: passed on.
            _ => unsafe { take_from_system(layout) },
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let kept = LISTS.try_with(|lists| {
            if !is_kept(layout) {
                return false;
            }
            let (class, size) = class_of(layout.size());
            // SAFETY: the caller gives up the block, which has its class's layout.
            unsafe { lists.keep(block, class, size) };
            true
        });
        if kept != Ok(true) {
            // SAFETY: passed on.
            unsafe { give_to_system(block, layout) };
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !is_kept(layout) {
            // SAFETY: passed on.
            return unsafe { System.alloc_zeroed(layout) };
        }
        // SAFETY: passed on; the block has that many bytes.
        unsafe {
            let block = self.alloc(layout);
            if !block.is_null() {
                block.write_bytes(0, layout.size());
            }
            block
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller vouches for the size.
        let new = unsafe { Layout::from_size_align_unchecked(new_size, layout.align()) };
        match (is_kept(layout), is_kept(new)) {
            // SAFETY: passed on.
            (false, false) => return unsafe { System.realloc(block, layout, new_size) },
            (true, true) => {
                let (old_class, old_size) = class_of(layout.size());
                let (class, size) = class_of(new_size);
                if class == old_class {
                    return block;
                }
                let Ok(Some(moved)) = LISTS.try_with(|lists| lists.take(class, size)) else {
                    // The system may grow the block where it is.
                    // SAFETY: the block has its class's layout.
                    return unsafe { System.realloc(block, class_layout(old_size), size) };
                };
                // SAFETY: both blocks have the bytes that are copied, and are different; the caller
                // gives up the old one.
                unsafe {
                    moved.copy_from_nonoverlapping(block, layout.size().min(new_size));
                    self.dealloc(block, layout);
                }
                return moved;
            }
            _ => {}
        }
        // SAFETY: both blocks have the bytes that are copied, and are different.
        unsafe {
            let moved = self.alloc(new);
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(new_size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_holds_what_it_serves_and_little_more() {
        // Miri would take minutes for all of them.
        let maximum = if cfg!(miri) { 8 * SMALL } else { LARGEST };
        let mut last = 0;
        for size in 1..=maximum {
            let (class, bytes) = class_of(size);
            assert!(class < CLASSES, "{size}");
            assert!(class == last || class == last + 1, "{size}");
            last = class;
            assert!(
                bytes >= size && bytes - size <= (size / 4).max(STEP - 1),
                "{size}"
            );
            assert_eq!(layout_of(class), class_layout(bytes), "{size}");
        }
        assert_eq!(class_of(LARGEST), (CLASSES - 1, LARGEST));
    }

    #[test]
    fn a_freed_block_serves_again() {
        let layout = Layout::from_size_align(3000, 8).unwrap();
        // SAFETY: the layout is not empty, and the block is freed once.
        let (first, second) = unsafe {
            let first = ThreadCache.alloc(layout);
            ThreadCache.dealloc(first, layout);
            let second = ThreadCache.alloc(layout);
            ThreadCache.dealloc(second, layout);
            (first, second)
        };
        assert_eq!(first, second);
    }

    #[test]
    fn a_thread_keeps_no_more_than_the_limit() {
        let blocks: Vec<Vec<u8>> = (0..64).map(|_| vec![1; 100 << 10]).collect();
        drop(blocks);
        LISTS.with(|lists| assert!(lists.bytes.get() <= MAX_BYTES));
    }

    #[test]
    fn bytes_survive_growing_and_shrinking_through_all_classes() {
        let mut bytes: Vec<u8> = Vec::new();
        for size in (0..24).map(|power| 1_usize << power) {
            bytes.resize(size, (size.ilog2() + 1) as u8);
            bytes.shrink_to_fit();
        }
        for (at, &byte) in bytes.iter().enumerate() {
            let expected = if at == 0 { 0 } else { at.ilog2() + 1 };
            assert_eq!(u32::from(byte), expected + 1, "{at}");
        }
        bytes.truncate(300);
        bytes.shrink_to_fit();
        assert_eq!(bytes.last(), Some(&10));
    }

    #[test]
    fn zeroed_memory_is_zero_though_it_served_before() {
        for size in [8_usize, 24, 900, 5000, LARGEST, LARGEST + 1] {
            drop(vec![0xff_u8; size]);
            assert!(vec![0_u8; size].iter().all(|&byte| byte == 0), "{size}");
        }
    }

    #[test]
    fn a_block_may_be_freed_by_another_thread() {
        for _ in 0..8 {
            let made =
                std::thread::spawn(|| (0..1000).map(|n| vec![n; n]).collect::<Vec<Vec<usize>>>());
            let made = made.join().unwrap();
            assert!(made.iter().enumerate().all(|(n, list)| *list == vec![n; n]));
        }
    }

    #[test]
    fn strict_alignments_are_kept() {
        #[repr(align(128))]
        struct Wide([u8; 200]);
        for _ in 0..4 {
            let wide = Box::new(Wide([7; 200]));
            assert!(std::ptr::from_ref(&*wide).addr().is_multiple_of(128));
            assert_eq!(wide.0[199], 7);
        }
    }
}
