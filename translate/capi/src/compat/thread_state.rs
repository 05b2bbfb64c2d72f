// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! State of a thread: the log callback and the allocator context.

use std::cell::RefCell;
use std::ffi::{c_uint, c_void};

use super::boundary::{Object, Tagged, guard, put};
use super::log::set_callback;
use super::types::{LogCallback, VERSION};

thread_local! {
    static CONTEXT: RefCell<Context> = const { RefCell::new(Context(None)) };
}

/// The objects that the thread has created since its allocator context began, if it is in one. A
/// context that is still open when its thread ends, ends with it.
struct Context(Option<Vec<Handle>>);

impl Drop for Context {
    fn drop(&mut self) {
        // Converters hold what they need of their blobs, so the order does not matter.
        for handle in self.0.take().into_iter().flatten() {
            (handle.free)(handle.object);
        }
    }
}

/// A handle that was made in an allocator context, and how its object is freed.
struct Handle {
    object: *mut c_void,
    free: fn(*mut c_void),
}

fn free<T: Tagged>(object: *mut c_void) {
    // SAFETY: a handle is in the list from its making to its freeing.
    drop(unsafe { Object::take(object.cast::<Object<T>>()) });
}

/// Remembers a handle, if the thread is in an allocator context.
pub(super) fn made<T: Tagged>(handle: *mut Object<T>) {
    let _ = CONTEXT.try_with(|context| {
        if let Some(handles) = context.borrow_mut().0.as_mut() {
            handles.push(Handle {
                object: handle.cast(),
                free: free::<T>,
            });
        }
    });
}

/// Forgets a handle that its owner frees. Handles of one kind are none of another, so the address
/// tells which it is.
pub(super) fn freed<T: Tagged>(handle: *mut Object<T>) {
    let _ = CONTEXT.try_with(|context| {
        if let Some(handles) = context.borrow_mut().0.as_mut()
            && let Some(place) = handles
                .iter()
                .rposition(|other| other.object == handle.cast())
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

/// Writes the version of the library's API. Null pointers are skipped.
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
        unsafe { put(place, value) };
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
    guard((), || set_callback(callback, userdata));
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
