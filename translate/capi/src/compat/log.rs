// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The log callback of a thread.

use std::cell::Cell;
use std::ffi::{CStr, c_uint, c_void};
use std::fmt::Arguments;
use std::io::Write as _;

use super::types::{LOG_DEBUG, LOG_ERROR, LOG_WARN, LogCallback};

thread_local! {
    static LOG: Cell<(LogCallback, *mut c_void)> = const { Cell::new((None, std::ptr::null_mut())) };
}

/// Replaces the thread's callback.
pub(super) fn set_callback(callback: LogCallback, userdata: *mut c_void) {
    LOG.set((callback, userdata));
}

/// Writes a line, if there is a callback.
fn log(level: c_uint, message: Arguments<'_>) {
    let (callback, userdata) = LOG.get();
    let Some(callback) = callback else { return };
    // Most messages fit, so that they cost one allocation: each shader that is parsed has one.
    let mut line = Vec::with_capacity(64);
    if line.write_fmt(message).is_err() {
        return;
    }
    for byte in &mut line {
        // A zero would end the message: names in a shader may have one.
        if *byte == 0 {
            *byte = b'?';
        }
    }
    line.extend_from_slice(b"\n\0");
    if let Ok(line) = CStr::from_bytes_with_nul(&line) {
        // SAFETY: the callback is the caller's own for this thread.
        unsafe { callback(userdata, level, line.as_ptr()) };
    }
}

/// Writes an error to the thread's log.
pub(super) fn log_error(message: &str) {
    log(LOG_ERROR, format_args!("{message}"));
}

/// Writes a warning to the thread's log: the result differs from the request.
pub(super) fn log_warning(message: &str) {
    log(LOG_WARN, format_args!("{message}"));
}

/// Writes a debug message to the thread's log.
pub(super) fn log_debug(message: Arguments<'_>) {
    log(LOG_DEBUG, message);
}
