//! Our own C API, `include/dxil_jit.h`: a single call takes bytes, options and bindings and returns
//! SPIR-V and its reflection. Other calls validate containers and sign them.

mod cache;
mod class_instances;
mod collisions;
mod parts;
#[cfg(feature = "precompiled")]
mod precompiled;
mod request;
mod result;
mod signature;
mod validation;
mod writing;

pub use cache::*;
pub use class_instances::*;
pub use parts::*;
#[cfg(feature = "precompiled")]
pub use precompiled::*;
pub use request::*;
pub use result::*;
pub use signature::DxilJitElement;
pub use validation::*;
pub use writing::*;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use dxil_frontend::Location;
use dxil_translate::{Category, in_source, translate};

/// Result of a call.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DxilJitCode {
    /// Success.
    Ok = 0,
    /// A pointer is null that must not be, or a number has no meaning.
    BadArgument = 1,
    /// The bytes are no shader, or a malformed one.
    Malformed = 2,
    /// The shader uses a feature that is not translated, or that the target lacks.
    Unsupported = 3,
    /// A bug in this library.
    Internal = 4,
    /// There is no translation of the shader in a folder of `dxil-precompile`.
    NotFound = 5,
}

/// An error and its position. Numbers that are not known are all ones.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DxilJitError {
    /// Category of the error.
    pub code: DxilJitCode,
    /// Function of the module.
    pub function: u32,
    /// Block of the function.
    pub block: u32,
    /// Instruction of the function.
    pub instruction: u32,
    /// Byte offset in the input.
    pub offset: u64,
    /// Part of the container, as a string; empty if not known.
    pub part: [std::ffi::c_char; 8],
    /// Message in English, truncated to this length.
    pub message: [std::ffi::c_char; 456],
    /// Name of the error, as `target-lacks-feature`. Unlike messages, names never change. Empty if
    /// there is nothing to add to the code. docs/capi.md lists the names.
    pub name: [std::ffi::c_char; 32],
}

impl DxilJitError {
    fn new(code: DxilJitCode, message: &str) -> Box<Self> {
        let mut error = Box::new(DxilJitError {
            code,
            function: u32::MAX,
            block: u32::MAX,
            instruction: u32::MAX,
            offset: u64::MAX,
            part: [0; 8],
            message: [0; 456],
            name: [0; 32],
        });
        copy(&mut error.message, message.as_bytes());
        error
    }

    fn set_location(&mut self, location: &Location) {
        self.offset = location.offset.unwrap_or(u64::MAX);
        self.function = location.function.map_or(u32::MAX, |id| id.as_u32());
        self.block = location.block.map_or(u32::MAX, |id| id.as_u32());
        self.instruction = location.inst.map_or(u32::MAX, |id| id.as_u32());
        if let Some(part) = location.part {
            copy(&mut self.part, &part.0);
        }
    }
}

/// Copies what fits; the last element stays zero.
fn copy(to: &mut [std::ffi::c_char], from: &[u8]) {
    let max = to.len().saturating_sub(1);
    for (to, &from) in to.iter_mut().take(max).zip(from) {
        *to = from as std::ffi::c_char;
    }
}

impl From<&dxil_translate::Error> for Box<DxilJitError> {
    fn from(error: &dxil_translate::Error) -> Self {
        let code = match error.category() {
            Category::Malformed => DxilJitCode::Malformed,
            Category::Unsupported => DxilJitCode::Unsupported,
            Category::Internal => DxilJitCode::Internal,
        };
        let mut own = DxilJitError::new(code, &error.to_string());
        copy(&mut own.name, error.code().as_bytes());
        own.set_location(error.location());
        own
    }
}

/// Translates a shader: a DXContainer or bare bitcode.
///
/// `options`, `bindings`, `cache` and `error` may be null. A resource without a binding gets the
/// descriptor set of its register space and the binding register + 0 (b), 1000 (t), 2000 (s) or
/// 3000 (u), and a counter the binding of its UAV + 1000. Bindings that give two resources of the
/// shader one descriptor, or the same push-constant words, are refused; heaps and tables may be
/// shared. On success `*translation` is a new translation, which the caller frees with
/// `dxil_jit_translation_free`; otherwise it is null. May be called from many threads at once, also
/// with the same cache.
///
/// # Safety
/// `bytes` is null or points to `size` bytes, `bindings` to `binding_count` bindings; `options` is
/// null or can be read, `translation` and `error` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_translate(
    bytes: *const u8,
    size: usize,
    options: *const DxilJitOptions,
    bindings: *const DxilJitBinding,
    binding_count: usize,
    cache: *const DxilJitCache,
    translation: *mut *mut DxilJitTranslation,
    error: *mut DxilJitError,
) -> DxilJitCode {
    // SAFETY: the caller keeps the rules above.
    unsafe {
        run(
            (bytes, size),
            (options, bindings, binding_count),
            (std::ptr::null(), 0),
            (cache, translation, error),
        )
    }
}

/// Translates a DXBC shader whose interfaces stand for known class instances, as D3D11's class
/// linkage has it; otherwise like `dxil_jit_translate`, which makes a shader that reads its
/// instances from a constant buffer.
///
/// # Safety
/// As for `dxil_jit_translate`; `instances` is null or points to `instance_count` instances, whose
/// names are null or end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_translate_linked(
    bytes: *const u8,
    size: usize,
    options: *const DxilJitOptions,
    bindings: *const DxilJitBinding,
    binding_count: usize,
    instances: *const DxilJitClassInstance,
    instance_count: usize,
    cache: *const DxilJitCache,
    translation: *mut *mut DxilJitTranslation,
    error: *mut DxilJitError,
) -> DxilJitCode {
    // SAFETY: the caller keeps the rules above.
    unsafe {
        run(
            (bytes, size),
            (options, bindings, binding_count),
            (instances, instance_count),
            (cache, translation, error),
        )
    }
}

/// Translates for both functions.
///
/// # Safety
/// As for `dxil_jit_translate_linked`.
unsafe fn run(
    (bytes, size): (*const u8, usize),
    (options, bindings, binding_count): (*const DxilJitOptions, *const DxilJitBinding, usize),
    (instances, instance_count): (*const DxilJitClassInstance, usize),
    (cache, translation, error): (
        *const DxilJitCache,
        *mut *mut DxilJitTranslation,
        *mut DxilJitError,
    ),
) -> DxilJitCode {
    let work = || {
        if translation.is_null() {
            return Err(bad_argument("a pointer is null"));
        }
        // SAFETY: the caller keeps the rules above.
        let bytes = unsafe { bytes_of(bytes, size) }?;
        // SAFETY: as above.
        let request = unsafe {
            Request::read(
                (options, bindings, binding_count),
                (instances, instance_count),
            )
        }?;
        // SAFETY: as above: nobody frees the cache meanwhile.
        let known = unsafe { CACHES.get(cache).as_ref() };
        if known.is_none() && !cache.is_null() {
            return Err(bad_argument("the cache does not exist, or was freed"));
        }
        let cache = known;
        let key = cache.map(|_| request.key(bytes));
        if let (Some(cache), Some(key)) = (cache, &key)
            && let Some(known) = cache.get(key)
        {
            return Ok(known);
        }
        let shader = request.shader(bytes)?;
        let options = request.options(&shader)?;
        let done = translate(&shader, &options)
            .map_err(|e| Box::<DxilJitError>::from(&in_source(bytes, &options, e)))?;
        let done = Arc::new(Finished::new(&shader, done.words, &done.interface));
        if let (Some(cache), Some(key)) = (cache, key) {
            cache.put(key, &done);
        }
        Ok(done)
    };
    let outcome = caught(work).and_then(|done| {
        let handle =
            TRANSLATIONS.insert::<DxilJitTranslation>(Box::new(DxilJitTranslation::new(done)));
        if handle.is_null() {
            return Err(bad_argument("a million translations are alive"));
        }
        Ok(handle)
    });
    if !translation.is_null() {
        let handle = *outcome.as_ref().unwrap_or(&std::ptr::null_mut());
        // SAFETY: the caller keeps the rules above.
        unsafe { translation.write(handle) };
    }
    // SAFETY: as above.
    unsafe { report(outcome.map(|_| ()), error) }
}

fn bad_argument(message: &str) -> Box<DxilJitError> {
    DxilJitError::new(DxilJitCode::BadArgument, message)
}

/// Does the work of a call. A panic is `Internal`.
fn caught<T>(work: impl FnOnce() -> Result<T, Box<DxilJitError>>) -> Result<T, Box<DxilJitError>> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(DxilJitError::new(DxilJitCode::Internal, "a panic")))
}

/// Writes the error of a call, if the caller wants it, and returns its code.
///
/// # Safety
/// `error` is null or can be written.
unsafe fn report(outcome: Result<(), Box<DxilJitError>>, error: *mut DxilJitError) -> DxilJitCode {
    let result = match outcome {
        Ok(()) => DxilJitError::new(DxilJitCode::Ok, ""),
        Err(error) => error,
    };
    let code = result.code;
    if !error.is_null() {
        // SAFETY: the caller keeps the rule above.
        unsafe { error.write(*result) };
    }
    code
}

/// Returns the caller's bytes.
///
/// # Safety
/// `bytes` is null or points to `size` bytes that nobody writes during `'a`.
unsafe fn bytes_of<'a>(bytes: *const u8, size: usize) -> Result<&'a [u8], Box<DxilJitError>> {
    if bytes.is_null() || size > isize::MAX as usize {
        return Err(bad_argument("a pointer is null"));
    }
    // SAFETY: the caller keeps the rule above.
    Ok(unsafe { std::slice::from_raw_parts(bytes, size) })
}

/// Returns the version of the library as a string.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_jit_version() -> *const std::ffi::c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
