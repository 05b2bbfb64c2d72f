// Names and types of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! A library with the ABI of dxil-spirv's C library, opened at run time: the functions that a
//! measurement calls, looked up by name.

use std::ffi::{OsStr, c_uint, c_void};

use libloading::Library;

/// Result of a call; 0 is success.
pub(crate) type ResultCode = i32;

/// A finished module; the size is in bytes.
#[repr(C)]
pub(crate) struct CompiledSpirv {
    pub(crate) data: *const c_void,
    pub(crate) size: usize,
}

/// What all options begin with.
#[repr(C)]
pub(crate) struct OptionBase {
    number: c_uint,
}

type ParseBlob = unsafe extern "C" fn(*const c_void, usize, *mut *mut c_void) -> ResultCode;
type CreateConverter = unsafe extern "C" fn(*mut c_void, *mut *mut c_void) -> ResultCode;
type AddOption = unsafe extern "C" fn(*mut c_void, *const OptionBase) -> ResultCode;
type GetSpirv = unsafe extern "C" fn(*mut c_void, *mut CompiledSpirv) -> ResultCode;

/// The functions, under their names in the ABI without `dxil_spv_`. The library stays loaded as
/// long as this lives.
pub(crate) struct PeerLibrary {
    pub(crate) parse_dxil_blob: ParseBlob,
    pub(crate) create_converter: CreateConverter,
    pub(crate) add_option: AddOption,
    pub(crate) run: unsafe extern "C" fn(*mut c_void) -> ResultCode,
    pub(crate) get_compiled_spirv: GetSpirv,
    pub(crate) free_converter: unsafe extern "C" fn(*mut c_void),
    pub(crate) free_blob: unsafe extern "C" fn(*mut c_void),
    pub(crate) begin_context: unsafe extern "C" fn(),
    pub(crate) end_context: unsafe extern "C" fn(),
    _library: Library,
}

#[allow(
    unsafe_code,
    reason = "another library's C functions are looked up by name"
)]
impl PeerLibrary {
    /// Opens a library and looks the functions up.
    ///
    /// # Safety
    /// The library's functions have the types of the ABI, and its initializers may run.
    ///
    /// # Errors
    /// If the library cannot be opened or lacks a function.
    pub(crate) unsafe fn open(path: &OsStr) -> Result<PeerLibrary, libloading::Error> {
        // SAFETY: the caller vouches for the initializers.
        let library = unsafe { open(path) }?;
        // SAFETY: the caller vouches for the types.
        unsafe {
            Ok(PeerLibrary {
                parse_dxil_blob: *library.get(b"dxil_spv_parse_dxil_blob\0")?,
                create_converter: *library.get(b"dxil_spv_create_converter\0")?,
                add_option: *library.get(b"dxil_spv_converter_add_option\0")?,
                run: *library.get(b"dxil_spv_converter_run\0")?,
                get_compiled_spirv: *library.get(b"dxil_spv_converter_get_compiled_spirv\0")?,
                free_converter: *library.get(b"dxil_spv_converter_free\0")?,
                free_blob: *library.get(b"dxil_spv_parsed_blob_free\0")?,
                begin_context: *library.get(b"dxil_spv_begin_thread_allocator_context\0")?,
                end_context: *library.get(b"dxil_spv_end_thread_allocator_context\0")?,
                _library: library,
            })
        }
    }
}

/// Opens the library so that it finds its own functions before this program's of the same names.
///
/// # Safety
/// The library's initializers may run.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "a library's initializers run when it is opened")]
unsafe fn open(path: &OsStr) -> Result<Library, libloading::Error> {
    use libloading::os::unix::{Library as Unix, RTLD_LOCAL, RTLD_NOW};
    const RTLD_DEEPBIND: std::ffi::c_int = 8;
    // SAFETY: the caller vouches for the initializers.
    unsafe { Unix::open(Some(path), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) }.map(Library::from)
}

/// Opens the library.
///
/// # Safety
/// The library's initializers may run.
#[cfg(not(target_os = "linux"))]
#[allow(unsafe_code, reason = "a library's initializers run when it is opened")]
unsafe fn open(path: &OsStr) -> Result<Library, libloading::Error> {
    // SAFETY: the caller vouches for the initializers.
    unsafe { Library::new(path) }
}
