// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The boundary itself: nothing unwinds across it, and every handle is checked before it is used.

use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::log::log_error;
use crate::handles::Table;

/// An object that handles refer to.
pub trait Tagged: Sized + 'static {
    /// Returns the objects of this kind.
    #[doc(hidden)]
    fn objects() -> &'static Objects<Self>;
}

/// The objects of a kind that are alive.
pub struct Objects<T>(Table<T>);

macro_rules! tagged {
    ($ty:ty, $kind:literal) => {
        impl Tagged for $ty {
            fn objects() -> &'static Objects<Self> {
                static OBJECTS: Objects<$ty> = Objects(Table::new($kind));
                &OBJECTS
            }
        }
    };
}

tagged!(super::Blob, 1);
tagged!(super::Converter, 2);

/// The type that handles point to in the ABI. They are numbers; there is no memory behind them.
#[repr(C)]
pub struct Object<T> {
    _nothing: [u8; 0],
    _of: PhantomData<T>,
}

impl<T: Tagged> Object<T> {
    /// Returns a handle of a new object; null if there are a million of them already.
    pub(super) fn into_handle(object: T) -> *mut Object<T> {
        T::objects().0.insert(Box::new(object))
    }

    /// Returns the object, unless the handle is null, was freed, or is that of another kind of
    /// object.
    ///
    /// # Safety
    /// Nobody else uses the object during `'a`.
    pub(super) unsafe fn from_handle<'a>(handle: *mut Object<T>) -> Option<&'a mut T> {
        // SAFETY: the table gives null or an object that is alive, which the caller alone uses.
        unsafe { T::objects().0.get(handle).as_mut() }
    }

    /// Takes the object back from its handle.
    ///
    /// # Safety
    /// As for `from_handle`.
    pub(super) unsafe fn take(handle: *mut Object<T>) -> Option<T> {
        T::objects().0.remove(handle).map(|object| *object)
    }
}

/// Runs the body of a function of the ABI. The library does not panic by design; if it does, the
/// panic stops here.
pub(super) fn guard<R>(failed: R, body: impl FnOnce() -> R) -> R {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(result) => result,
        Err(_) => {
            log_error("internal error: a panic was stopped at the library's boundary");
            failed
        }
    }
}

/// Writes to a place that a caller gave; false for null.
///
/// # Safety
/// The pointer is null or valid for writing.
pub(super) unsafe fn put<T>(place: *mut T, value: T) -> bool {
    if place.is_null() {
        return false;
    }
    // SAFETY: the caller vouches for it.
    unsafe { place.write(value) };
    true
}

/// Functions whose first argument is a handle. Each is exported under its name; a handle that is
/// null, freed or another kind of object's gives the value for failure.
macro_rules! handle_functions {
    ($object:ty; $(
        $(#[$attribute:meta])*
        fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?, $failed:expr => |$object_name:ident| $body:expr;
    )*) => {
        $(
            $(#[$attribute])*
            /// # Safety
            /// Handles and pointers are null or what the header says they are.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(
                handle: *mut crate::compat::boundary::Object<$object> $(, $arg: $ty)*
            ) $(-> $ret)? {
                crate::compat::boundary::guard($failed, || {
                    // SAFETY: the caller keeps the header's rules.
                    match unsafe { crate::compat::boundary::Object::from_handle(handle) } {
                        None => $failed,
                        Some($object_name) => $body,
                    }
                })
            }
        )*
    };
}
pub(super) use handle_functions;
