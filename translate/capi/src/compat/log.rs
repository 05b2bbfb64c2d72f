// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The log callback of a thread.

use std::cell::Cell;
use std::ffi::{CString, c_uint, c_void};

use super::types::{LOG_DEBUG, LOG_ERROR, LOG_WARN, LogCallback};

thread_local! {
    static LOG: Cell<(LogCallback, *mut c_void)> = const { Cell::new((None, std::ptr::null_mut())) };
}

/// Replaces the thread's callback.
pub(super) fn set_callback(callback: LogCallback, userdata: *mut c_void) {
    LOG.set((callback, userdata));
}

fn log(level: c_uint, message: &str) {
    let (callback, userdata) = LOG.get();
    let Some(callback) = callback else { return };
    let mut line = message.replace('\0', "?");
    line.push('\n');
    if let Ok(line) = CString::new(line) {
        // SAFETY: the callback is the caller's own for this thread.
        unsafe { callback(userdata, level, line.as_ptr()) };
    }
}

/// Writes an error to the thread's log.
pub(super) fn log_error(message: &str) {
    log(LOG_ERROR, message);
}

/// Writes a warning to the thread's log: the result differs from the request.
pub(super) fn log_warning(message: &str) {
    log(LOG_WARN, message);
}

/// Writes a debug message to the thread's log. The message is made only if there is a callback.
pub(super) fn log_debug(message: impl FnOnce() -> String) {
    if LOG.get().0.is_some() {
        log(LOG_DEBUG, &message());
    }
}
