//! The library that gets shaders of shader model 5 (DXBC), handle by handle. The environment variable
//! `DXIL_JIT_DXBC_LIBRARY` names it: the path of a shared object with the same ABI.

use std::ffi::c_void;
use std::sync::OnceLock;

use libloading::Library;

use super::blob::BlobTable;
use super::converter::ConverterTable;
use super::thread_state::log_error;
use super::types::{LogCallback, ResultCode};

/// Name of the environment variable.
pub(super) const VARIABLE: &str = "DXIL_JIT_DXBC_LIBRARY";

type Parse = unsafe extern "C" fn(*const c_void, usize, *mut *mut c_void) -> ResultCode;
type CreateConverter =
    unsafe extern "C" fn(*mut c_void, *mut c_void, *mut *mut c_void) -> ResultCode;

/// Another library with the same ABI. It stays loaded as long as the process lives.
pub(super) struct Delegate {
    pub(super) parse_blob: Parse,
    pub(super) parse_reflection_blob: Parse,
    pub(super) create_converter: CreateConverter,
    pub(super) free_blob: unsafe extern "C" fn(*mut c_void),
    pub(super) free_converter: unsafe extern "C" fn(*mut c_void),
    pub(super) set_log: unsafe extern "C" fn(LogCallback, *mut c_void),
    pub(super) begin_context: unsafe extern "C" fn(),
    pub(super) end_context: unsafe extern "C" fn(),
    pub(super) reset_context: unsafe extern "C" fn(),
    blob_functions: BlobTable,
    converter_functions: ConverterTable,
    _library: Library,
}

#[allow(non_snake_case, reason = "named after the tables, for the macro")]
impl Delegate {
    pub(super) fn BlobTable(&self) -> &BlobTable {
        &self.blob_functions
    }

    pub(super) fn ConverterTable(&self) -> &ConverterTable {
        &self.converter_functions
    }

    fn load(path: &std::ffi::OsStr) -> Result<Delegate, libloading::Error> {
        let library = open(path)?;
        // SAFETY: whoever names a library there vouches for its ABI.
        unsafe {
            Ok(Delegate {
                parse_blob: *library.get(b"dxil_spv_parse_dxil_blob\0")?,
                parse_reflection_blob: *library.get(b"dxil_spv_parse_reflection_dxil_blob\0")?,
                create_converter: *library.get(b"dxil_spv_create_converter_with_reflection\0")?,
                free_blob: *library.get(b"dxil_spv_parsed_blob_free\0")?,
                free_converter: *library.get(b"dxil_spv_converter_free\0")?,
                set_log: *library.get(b"dxil_spv_set_thread_log_callback\0")?,
                begin_context: *library.get(b"dxil_spv_begin_thread_allocator_context\0")?,
                end_context: *library.get(b"dxil_spv_end_thread_allocator_context\0")?,
                reset_context: *library.get(b"dxil_spv_reset_thread_allocator_context\0")?,
                blob_functions: BlobTable::load(&library)?,
                converter_functions: ConverterTable::load(&library)?,
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

/// The library, if the environment names one. It is loaded on first use.
pub(super) fn delegate() -> Option<&'static Delegate> {
    static LIBRARY: OnceLock<Option<Delegate>> = OnceLock::new();
    LIBRARY
        .get_or_init(|| {
            let path = std::env::var_os(VARIABLE).filter(|path| !path.is_empty())?;
            match Delegate::load(&path) {
                Ok(delegate) if delegate.is_other() => Some(delegate),
                Ok(_) => {
                    log_error("the library for DXBC shaders is this library itself");
                    None
                }
                Err(error) => {
                    log_error(&format!(
                        "the library for DXBC shaders, {}, cannot be loaded: {error}",
                        path.display()
                    ));
                    None
                }
            }
        })
        .as_ref()
}

impl Delegate {
    /// Whether it is another library than this one.
    fn is_other(&self) -> bool {
        let theirs = self.set_log as usize;
        theirs != super::thread_state::dxil_spv_set_thread_log_callback as *const () as usize
    }
}
