//! C libraries of dxil-jit.
//!
//! [`compat`] is the ABI of dxil-spirv's C library at API 2.74, as D3D12-on-Vulkan layers link it:
//! the shared object can replace theirs. `include/dxil_spirv_c.h` is its header.
//!
//! [`native`] is an API of our own: one call from bytes to SPIR-V. `include/dxil_jit.h` is its
//! header.
//!
//! Nothing here aborts. The translator does not panic; should it, the boundary catches the panic.
//! Null pointers and misuse return error codes, also for handles that were freed. A handle may move
//! between threads, but only one thread may use it at a time.

mod allocator;
pub mod compat;
mod handles;
pub mod native;
#[cfg(all(windows, target_env = "gnu"))]
mod random;
