// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The ABI from its other side: the functions of a library that has it, looked up by name. The one
//! place where their names and types are written down for callers; the tables come from where they
//! are defined.

use std::ffi::c_void;

use libloading::Library;

use super::blob::BlobTable;
use super::converter::ConverterTable;
use super::types::{LogCallback, ResultCode};

type Parse = unsafe extern "C" fn(*const c_void, usize, *mut *mut c_void) -> ResultCode;
type CreateConverter =
    unsafe extern "C" fn(*mut c_void, *mut c_void, *mut *mut c_void) -> ResultCode;

/// The functions of a library with this ABI, by name. It stays loaded as long as this lives.
#[allow(
    missing_docs,
    reason = "named after the functions; the header says what they do"
)]
pub struct Functions {
    pub parse_blob: Parse,
    pub parse_reflection_blob: Parse,
    pub create_converter: CreateConverter,
    pub free_blob: unsafe extern "C" fn(*mut c_void),
    pub free_converter: unsafe extern "C" fn(*mut c_void),
    pub set_log: unsafe extern "C" fn(LogCallback, *mut c_void),
    pub begin_context: unsafe extern "C" fn(),
    pub end_context: unsafe extern "C" fn(),
    pub reset_context: unsafe extern "C" fn(),
    pub blobs: BlobTable,
    pub converters: ConverterTable,
    _library: Library,
}

#[allow(non_snake_case, reason = "named after the tables, for the macro")]
impl Functions {
    pub(super) fn BlobTable(&self) -> &BlobTable {
        &self.blobs
    }

    pub(super) fn ConverterTable(&self) -> &ConverterTable {
        &self.converters
    }

    /// Opens a library and looks all of its functions up.
    ///
    /// # Safety
    /// The library's functions have the types of the ABI, and its initialisers may run.
    pub unsafe fn open(path: &std::ffi::OsStr) -> Result<Functions, libloading::Error> {
        let library = open(path)?;
        // SAFETY: the caller vouches for its ABI.
        unsafe {
            Ok(Functions {
                parse_blob: *library.get(b"dxil_spv_parse_dxil_blob\0")?,
                parse_reflection_blob: *library.get(b"dxil_spv_parse_reflection_dxil_blob\0")?,
                create_converter: *library.get(b"dxil_spv_create_converter_with_reflection\0")?,
                free_blob: *library.get(b"dxil_spv_parsed_blob_free\0")?,
                free_converter: *library.get(b"dxil_spv_converter_free\0")?,
                set_log: *library.get(b"dxil_spv_set_thread_log_callback\0")?,
                begin_context: *library.get(b"dxil_spv_begin_thread_allocator_context\0")?,
                end_context: *library.get(b"dxil_spv_end_thread_allocator_context\0")?,
                reset_context: *library.get(b"dxil_spv_reset_thread_allocator_context\0")?,
                blobs: BlobTable::load(&library)?,
                converters: ConverterTable::load(&library)?,
                _library: library,
            })
        }
    }
}

/// Opens the library so that it finds its own functions first, not ours of the same names.
#[cfg(target_os = "linux")]
fn open(path: &std::ffi::OsStr) -> Result<Library, libloading::Error> {
    use libloading::os::unix::{Library as Unix, RTLD_LOCAL, RTLD_NOW};
    const RTLD_DEEPBIND: std::ffi::c_int = 8;
    // SAFETY: the library's initialisers are its author's affair.
    unsafe { Unix::open(Some(path), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) }.map(Library::from)
}

#[cfg(not(target_os = "linux"))]
fn open(path: &std::ffi::OsStr) -> Result<Library, libloading::Error> {
    // SAFETY: the library's initialisers are its author's affair.
    unsafe { Library::new(path) }
}
