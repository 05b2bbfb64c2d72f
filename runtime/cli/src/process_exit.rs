//! Ends a process while a driver is still working.

use std::io::Write;

/// Ends the process immediately, without running exit handlers. A driver's threads may still be
/// executing a shader that does not end, and the destructors of its libraries would free what they
/// use.
pub fn exit_now(code: u8) -> ! {
    // Output that is buffered must be seen; a failure to write it can no longer be reported.
    drop(std::io::stdout().flush());
    drop(std::io::stderr().flush());
    exit_process(code.into())
}

#[cfg(unix)]
#[allow(
    unsafe_code,
    reason = "the standard library has no call that leaves exit handlers out"
)]
fn exit_process(code: i32) -> ! {
    unsafe extern "C" {
        fn _exit(status: std::ffi::c_int) -> !;
    }
    // SAFETY: POSIX's `_exit` takes any number and does not return.
    unsafe { _exit(code) }
}

#[cfg(not(unix))]
fn exit_process(code: i32) -> ! {
    std::process::exit(code)
}
