//! C libraries of dxil-jit.
//!
//! [`compat`] is the ABI of dxil-spirv's C library at API 2.72, as D3D12-on-Vulkan layers link it:
//! the shared object can be put in the place of theirs. `include/dxil_spirv_c.h` is its header.
//!
//! [`native`] is an API of our own: one call from bytes to SPIR-V. `include/dxil_jit.h` is its
//! header.
//!
//! Nothing here aborts: the translator has no panics, what might be one all the same stops at the
//! boundary, null pointers and misuse are error codes, also of handles that were freed. Handles may
//! go from thread to thread; one handle is for one thread at a time.

pub mod compat;
mod handles;
pub mod native;
#[cfg(all(windows, target_env = "gnu"))]
mod random;
