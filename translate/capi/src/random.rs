//! Random bytes on Windows.
//!
//! Rust's standard library takes the keys of its hash maps from `ProcessPrng`, which it imports
//! from bcryptprimitives.dll. Wine has that DLL since version 9 only, and a program that imports
//! from a DLL that does not exist does not start. Here is the function under the same name: a
//! linker that has a definition does not look for an import. It is assembly, since what Rust code
//! defines under a name of C would be exported by the DLL.

use std::ffi::c_void;

#[link(name = "advapi32")]
unsafe extern "system" {
    /// `RtlGenRandom`, whose name in the DLL this is.
    fn SystemFunction036(buffer: *mut c_void, length: u32) -> u8;
}

/// Fills the buffer with random bytes; returns 0 if it cannot.
unsafe extern "system" fn fill(buffer: *mut c_void, length: usize) -> i32 {
    let Ok(length) = u32::try_from(length) else {
        return 0;
    };
    // SAFETY: the caller gives a buffer of that many bytes.
    i32::from(unsafe { SystemFunction036(buffer, length) } != 0)
}

#[cfg(target_arch = "x86_64")]
std::arch::global_asm!(
    ".globl ProcessPrng",
    "ProcessPrng:",
    "jmp {fill}",
    fill = sym fill,
);

// On this architecture the standard library calls through the pointer that an import would fill.
#[cfg(target_arch = "x86")]
std::arch::global_asm!(
    ".section .rdata",
    ".balign 4",
    ".globl __imp_ProcessPrng",
    "__imp_ProcessPrng:",
    ".long {fill}",
    ".text",
    fill = sym fill,
);
