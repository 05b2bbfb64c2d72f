// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! What belongs to a thread: the log callback and the allocator context.

use std::cell::{Cell, RefCell};
use std::ffi::{CString, c_uint, c_void};

use super::blob::Blob;
use super::boundary::{Object, guard};
use super::converter::Converter;
use super::types::{LOG_DEBUG, LOG_ERROR, LOG_WARN, LogCallback, VERSION};

thread_local! {
    static LOG: Cell<(LogCallback, *mut c_void)> = const { Cell::new((None, std::ptr::null_mut())) };
    static CONTEXT: RefCell<Context> = const { RefCell::new(Context(None)) };
}

/// What the thread has made since its allocator context began, if it is in one. A context that is
/// still open when its thread ends, ends with it.
struct Context(Option<Vec<Handle>>);

impl Drop for Context {
    fn drop(&mut self) {
        // Converters hold what they need of their blobs, so any order will do.
        for handle in self.0.take().into_iter().flatten() {
            match handle {
                // SAFETY: a handle is in the list from its making to its freeing.
                Handle::Blob(blob) => drop(unsafe { Object::take(blob) }),
                // SAFETY: as above.
                Handle::Converter(converter) => drop(unsafe { Object::take(converter) }),
            }
        }
    }
}

/// A handle that was made in an allocator context.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Handle {
    Blob(*mut Object<Blob>),
    Converter(*mut Object<Converter>),
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

/// Tells the thread's log about an error.
pub(super) fn log_error(message: &str) {
    log(LOG_ERROR, message);
}

/// Tells the thread's log about something that is done differently than asked.
pub(super) fn log_warning(message: &str) {
    log(LOG_WARN, message);
}

/// Tells the thread's log what goes on. The message is made only if somebody listens.
pub(super) fn log_debug(message: impl FnOnce() -> String) {
    if LOG.get().0.is_some() {
        log(LOG_DEBUG, &message());
    }
}

/// Remembers a handle, if the thread is in an allocator context.
pub(super) fn made(handle: Handle) {
    let _ = CONTEXT.try_with(|context| {
        if let Some(handles) = context.borrow_mut().0.as_mut() {
            handles.push(handle);
        }
    });
}

/// Forgets a handle that its owner frees.
pub(super) fn freed(handle: Handle) {
    let _ = CONTEXT.try_with(|context| {
        if let Some(handles) = context.borrow_mut().0.as_mut()
            && let Some(place) = handles.iter().rposition(|&other| other == handle)
        {
            handles.swap_remove(place);
        }
    });
}

/// Frees what was made in the context and not freed since.
fn clear(next: Option<Vec<Handle>>) {
    let old = CONTEXT.with(|context| std::mem::replace(&mut *context.borrow_mut(), Context(next)));
    drop(old);
}

/// Says which version of the API the library has. Null places are left out.
///
/// # Safety
/// The pointers are null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_get_version(
    major: *mut c_uint,
    minor: *mut c_uint,
    patch: *mut c_uint,
) {
    for (place, value) in [major, minor, patch].into_iter().zip(VERSION) {
        // SAFETY: the caller vouches for the places.
        unsafe { super::boundary::put(place, value) };
    }
}

/// Sets the calling thread's log callback; null is none. Messages end with a newline.
///
/// # Safety
/// The callback may be called with `userdata` on this thread until it is replaced.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_set_thread_log_callback(
    callback: LogCallback,
    userdata: *mut c_void,
) {
    guard((), || LOG.set((callback, userdata)));
}

/// Begins an allocator context: what this thread makes from here on is gone when it ends.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_begin_thread_allocator_context() {
    guard((), || clear(Some(Vec::new())));
}

/// Ends the thread's allocator context, and with it what was made in it.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_end_thread_allocator_context() {
    guard((), || clear(None));
}

/// Ends the thread's allocator context and begins another.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_reset_thread_allocator_context() {
    guard((), || {
        let inside = CONTEXT.with(|context| context.borrow().0.is_some());
        clear(inside.then(Vec::new));
    });
}
