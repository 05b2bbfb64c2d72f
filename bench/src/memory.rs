//! The allocator, which counts bytes in use.

use peak_alloc::PeakAlloc;

/// The allocator of this program.
#[global_allocator]
pub(crate) static MEMORY: PeakAlloc = PeakAlloc;
