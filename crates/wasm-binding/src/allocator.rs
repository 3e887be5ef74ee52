//! The allocator of the browser module: a list of free blocks for each size.
//!
//! The standard library's own (dlmalloc) joins free neighbours and costs every page six kilobytes of code. Here a block
//! keeps its size for good, and is given out again to the next text or table of about that size, of which the kernel
//! always wants another. So memory is what the kernel had at most of each size, and that does not grow with time.
#![expect(unsafe_code, reason = "the one place where memory has no type yet")]

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ptr::null_mut;

/// What every block is aligned to, the most that a type of ours asks for, and the smallest block.
const ALIGNMENT: usize = 8;

/// How many sizes there are: eight up to 64 bytes, and from there on four to each doubling.
const CLASSES: usize = 8 + 4 * 25;

/// How many bytes are asked of the host at least.
const PAGE: usize = 1 << 16;

/// A size of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Class {
    index: usize,
    /// In bytes.
    size: usize,
}

impl Class {
    /// The smallest class that holds `size` bytes.
    fn of(size: usize) -> Self {
        let last = size.max(1) - 1;
        // Four steps to each doubling, eight bytes long at least.
        let shift = (last | 32).ilog2() - 2;
        let steps = (last >> shift) + 1;
        Self { index: (shift as usize - 3) * 4 + steps - 1, size: steps << shift }
    }
}

/// The blocks that are free, and the memory that has not been cut into blocks yet.
struct Heap {
    /// The first free block of each class; its first word is the address of the next one.
    free: [*mut u8; CLASSES],
    rest: usize,
    end: usize,
}

impl Heap {
    const fn new() -> Self {
        Self { free: [null_mut(); CLASSES], rest: 0, end: 0 }
    }

    /// A block of a class. `grow` gets more memory, so many bytes at least: from where to where.
    ///
    /// # Safety
    /// `grow` returns memory that nobody else uses, and blocks that were given back are no longer used.
    unsafe fn take(&mut self, class: Class, grow: impl FnOnce(usize) -> Option<(usize, usize)>) -> *mut u8 {
        let Some(free) = self.free.get_mut(class.index) else { return null_mut() };
        if !free.is_null() {
            let block = *free;
            // SAFETY: a free block begins with the address of the next.
            *free = unsafe { block.cast::<*mut u8>().read() };
            return block;
        }
        if self.end - self.rest < class.size {
            let Some((from, to)) = grow(class.size) else { return null_mut() };
            // What is left of the last piece goes on where they adjoin, and is lost where somebody else had the next.
            if from != self.end {
                self.rest = from;
            }
            self.end = to;
        }
        let block = self.rest as *mut u8;
        self.rest += class.size;
        block
    }

    /// Takes a block back.
    ///
    /// # Safety
    /// The block is of this class, and nobody uses it any more.
    unsafe fn give_back(&mut self, block: *mut u8, class: Class) {
        // SAFETY: the block is the heap's own, and long enough for an address.
        unsafe { block.cast::<*mut u8>().write(self.free[class.index]) };
        self.free[class.index] = block;
    }
}

/// The heap of a module with one thread.
struct Allocator(UnsafeCell<Heap>);

// SAFETY: the module has one thread.
unsafe impl Sync for Allocator {}

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: Allocator = Allocator(UnsafeCell::new(Heap::new()));

// SAFETY: a block is given to one owner until that gives it back, is as large as its class and aligned to eight bytes.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() > ALIGNMENT {
            return null_mut();
        }
        // SAFETY: nothing here calls the allocator again, so the heap is borrowed once.
        unsafe { (*self.0.get()).take(Class::of(layout.size()), grow) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as in `alloc`, and a block that is given back comes with the layout it was taken for.
        unsafe { (*self.0.get()).give_back(block, Class::of(layout.size())) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let (old, new) = (Class::of(layout.size()), Class::of(size));
        if old == new {
            return block;
        }
        // SAFETY: as in `alloc` and `dealloc`; the new block is another one, and both have these bytes.
        unsafe {
            let heap = self.0.get();
            let moved = (*heap).take(new, grow);
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(size));
                (*heap).give_back(block, old);
            }
            moved
        }
    }
}

/// More memory of the host: so many bytes at least, from where to where.
#[cfg(target_arch = "wasm32")]
fn grow(size: usize) -> Option<(usize, usize)> {
    let pages = size.div_ceil(PAGE);
    let from = core::arch::wasm32::memory_grow::<0>(pages);
    (from != usize::MAX).then(|| (from * PAGE, (from + pages) * PAGE))
}
/// The same in a test, from memory that is never given back.
#[cfg(not(target_arch = "wasm32"))]
fn grow(size: usize) -> Option<(usize, usize)> {
    let words = vec![0_u64; size.div_ceil(PAGE) * PAGE / ALIGNMENT].leak().as_ptr_range();
    Some((words.start as usize, words.end as usize))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::slice;

    use super::*;

    fn allocator() -> Allocator {
        Allocator(UnsafeCell::new(Heap::new()))
    }

    fn layout(size: usize) -> Layout {
        Layout::from_size_align(size, 8).unwrap()
    }

    #[test]
    fn a_class_is_the_smallest_that_holds_its_size() {
        let mut sizes = HashSet::new();
        for size in 1..100_000 {
            let class = Class::of(size);
            assert!(class.size >= size && class.size.is_multiple_of(ALIGNMENT) && class.index < CLASSES);
            assert_eq!(Class::of(class.size), class);
            assert!(class.size - size < ALIGNMENT.max(class.size / 4), "{size} in {}", class.size);
            sizes.insert((class.index, class.size));
        }
        assert_eq!(
            sizes.len(),
            Class::of(100_000).index + 1,
            "no size has two classes and no class is left out"
        );
        assert!(Class::of(i32::MAX as usize).index < CLASSES);
    }

    #[test]
    fn a_block_that_was_given_back_is_given_out_again() {
        let allocator = allocator();
        // SAFETY: each block is given back once, with its layout.
        unsafe {
            let (a, b) = (allocator.alloc(layout(100)), allocator.alloc(layout(100)));
            assert_ne!(a, b);
            allocator.dealloc(a, layout(100));
            allocator.dealloc(b, layout(100));
            assert_eq!([allocator.alloc(layout(97)), allocator.alloc(layout(112))], [b, a]);
            assert_ne!(allocator.alloc(layout(100)), a);
        }
    }

    #[test]
    fn blocks_do_not_overlap() {
        let allocator = allocator();
        let sizes = || (1..4000).map(|number| number * 37 % 5000 + 1);
        // SAFETY: the blocks are as large as they were asked for.
        unsafe {
            let blocks: Vec<_> = sizes().map(|size| (allocator.alloc(layout(size)), size)).collect();
            for (number, (block, size)) in blocks.iter().enumerate() {
                block.write_bytes(number as u8, *size);
            }
            for (number, (block, size)) in blocks.iter().enumerate() {
                assert!(slice::from_raw_parts(*block, *size).iter().all(|byte| *byte == number as u8));
            }
        }
    }

    #[test]
    fn a_block_that_grows_keeps_its_bytes_and_stays_where_it_has_room() {
        let allocator = allocator();
        // SAFETY: the block is used with the layout that it has at the time.
        unsafe {
            let block = allocator.alloc(layout(65));
            block.write_bytes(7, 65);
            assert_eq!(allocator.realloc(block, layout(65), 80), block);
            let moved = allocator.realloc(block, layout(80), 200_000);
            assert_ne!(moved, block);
            assert_eq!(slice::from_raw_parts(moved, 65), [7; 65]);
            assert_eq!(allocator.alloc(layout(80)), block, "its old place is free");
        }
    }
}
