// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Bytes and text that cross the boundary.

use std::ffi::{CString, c_void};

/// Returns the text up to its first zero.
pub(crate) fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(text.get(..end).unwrap_or_default()).unwrap_or_default()
}

/// Returns the bytes that a caller hands over.
///
/// # Safety
/// `data` is null or has `size` bytes during `'a`.
pub(super) unsafe fn bytes<'a>(data: *const c_void, size: usize) -> Option<&'a [u8]> {
    if data.is_null() || size > isize::MAX as usize {
        return None;
    }
    // SAFETY: passed on.
    Some(unsafe { std::slice::from_raw_parts(data.cast(), size) })
}
