//! Takes containers apart, puts them together, and makes their parts anew.

use std::ffi::{CStr, c_char};

use dxil_frontend::build::{self, DebugParts, Remake};
use dxil_frontend::container::{CompilerVersion, Container, ContainerBuilder, Signing};
use dxil_frontend::dxil::{Shader, read_shader};
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_frontend::{Error, FourCc};

use super::writing::{DxilJitContainer, write, write_with};
use super::{DxilJitCode, DxilJitError, bad_argument, bytes_of, caught, copy, report};

/// A part of a container.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DxilJitPart {
    /// Name of four characters, as `PSV0`, and zeros.
    pub name: [c_char; 8],
    /// Content.
    pub content: *const u8,
    /// Its number of bytes.
    pub size: usize,
}

/// A file in memory.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DxilJitBytes {
    /// First byte.
    pub bytes: *const u8,
    /// Number of bytes.
    pub size: usize,
}

/// Which debug information a container gets.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DxilJitDebugParts {
    /// What the old container has: a module, a name, or what is in the program.
    AsBefore = 0,
    /// What is in the program.
    Keep = 1,
    /// The name of a PDB file (ILDN); the program has no debug information.
    Name = 2,
    /// The name, and the module with debug information (ILDB); the program has none.
    Module = 3,
}

/// Whether a container gets a module for reflection.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DxilJitReflectionPart {
    /// As the old container has one. Where names are in that module alone, it stays as it is.
    AsBefore = 0,
    /// A module with names (STAT); the program has none.
    With = 1,
    /// None.
    Without = 2,
}

/// What `dxil_jit_make_parts` makes. Zeros: what the old container has.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DxilJitPartOptions {
    /// A `dxil_jit_debug_parts`.
    pub debug: u32,
    /// A `dxil_jit_reflection_part`.
    pub reflection: u32,
    /// Write the compiler's version (VERS) that the fields below have, instead of the old one. The
    /// validator takes the part in libraries only.
    pub has_version: bool,
    /// Major version.
    pub version_major: u16,
    /// Minor version.
    pub version_minor: u16,
    /// Number of commits.
    pub commit_count: u32,
    /// Commit, in UTF-8; null is empty.
    pub commit: *const c_char,
    /// Any text, in UTF-8; null is empty.
    pub custom: *const c_char,
}

/// Returns the caller's array.
///
/// # Safety
/// `first` is null or points to `count` elements that nobody writes during `'a`.
unsafe fn slice_of<'a, T>(first: *const T, count: usize) -> Result<&'a [T], Box<DxilJitError>> {
    if count == 0 {
        return Ok(&[]);
    }
    if first.is_null() || count > isize::MAX as usize / size_of::<T>() {
        return Err(bad_argument("a pointer is null"));
    }
    // SAFETY: the caller keeps the rule above.
    Ok(unsafe { std::slice::from_raw_parts(first, count) })
}

/// Returns the caller's text; null is empty.
///
/// # Safety
/// `text` is null or ends with a zero, and nobody writes it during `'a`.
unsafe fn text_of<'a>(text: *const c_char) -> Result<&'a str, Box<DxilJitError>> {
    if text.is_null() {
        return Ok("");
    }
    // SAFETY: the caller keeps the rule above.
    let text = unsafe { CStr::from_ptr(text) }.to_str();
    text.map_err(|_| bad_argument("a text is no UTF-8"))
}

/// Reads what is to be made.
///
/// # Safety
/// `options` is null or can be read during `'a`, and its texts are null or end with a zero.
unsafe fn wanted<'a>(options: *const DxilJitPartOptions) -> Result<Remake<'a>, Box<DxilJitError>> {
    let mut wanted = Remake::default();
    // SAFETY: the caller keeps the rules above.
    let Some(options) = (unsafe { options.as_ref() }) else {
        return Ok(wanted);
    };
    wanted.debug = match options.debug {
        0 => None,
        1 => Some(DebugParts::Keep),
        2 => Some(DebugParts::Name),
        3 => Some(DebugParts::Module),
        _ => return Err(bad_argument("`debug` is no dxil_jit_debug_parts")),
    };
    wanted.reflection = match options.reflection {
        0 => None,
        1 => Some(true),
        2 => Some(false),
        _ => return Err(bad_argument("`reflection` is no dxil_jit_reflection_part")),
    };
    if options.has_version {
        // SAFETY: as above.
        let (commit, custom) = unsafe { (text_of(options.commit)?, text_of(options.custom)?) };
        wanted.version = Some(CompilerVersion {
            major: options.version_major,
            minor: options.version_minor,
            flags: 0,
            commit_count: options.commit_count,
            commit,
            custom,
        });
    }
    Ok(wanted)
}

/// Makes all parts of a DXIL container anew from its module, or a container with all parts from
/// bare bitcode: signatures, PSV0 or RDAT, SFI0, HASH, and as `options` say the debug information,
/// STAT and VERS. What no module tells stays: root signature, sources, private data, subobjects.
///
/// `options` may be null, which is zeros. Results are those of `dxil_jit_upgrade`, and
/// `DXIL_JIT_CODE_BAD_ARGUMENT` for numbers without a meaning.
///
/// # Safety
/// `bytes` is null or points to `size` bytes; `options` is null or can be read, and its texts are
/// null or end with a zero; `container` and `error` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_make_parts(
    bytes: *const u8,
    size: usize,
    options: *const DxilJitPartOptions,
    container: *mut *mut DxilJitContainer,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let work = || {
        // SAFETY: the caller keeps the rules above.
        let (bytes, wanted) = unsafe { (bytes_of(bytes, size)?, wanted(options)?) };
        let made = build::remake(bytes, &wanted).and_then(|made| made.build(Signing::Digest));
        made.map_err(own)
    };
    // SAFETY: as above.
    unsafe { write_with(container, error, work) }
}

/// Adds the functions that libraries define and a DXIL shader calls. All parts are made anew. A
/// library keeps its subobjects; those of `libraries` are left out.
///
/// Results are those of `dxil_jit_upgrade`; the names of errors are those of the reader, as
/// `unresolved-function`.
///
/// # Safety
/// `bytes` is null or points to `size` bytes, `libraries` to `library_count` elements, each null or
/// as many bytes as it says; `container` and `error` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_link(
    bytes: *const u8,
    size: usize,
    libraries: *const DxilJitBytes,
    library_count: usize,
    container: *mut *mut DxilJitContainer,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let work = || {
        // SAFETY: the caller keeps the rules above.
        let bytes = unsafe { bytes_of(bytes, size) }?;
        let mut shaders = Vec::new();
        // SAFETY: as above.
        for library in unsafe { slice_of(libraries, library_count) }? {
            // SAFETY: as above.
            let library = unsafe { bytes_of(library.bytes, library.size) }?;
            shaders.push(read_shader(library).map_err(own)?);
        }
        let shaders: Vec<&Shader> = shaders.iter().collect();
        let linked = build::linked(bytes, &shaders);
        linked
            .and_then(|linked| linked.build(Signing::Digest))
            .map_err(own)
    };
    // SAFETY: as above.
    unsafe { write_with(container, error, work) }
}

/// Returns the parts of a container in their order: their number, and the first `capacity` of them.
/// `parts` may be null if `capacity` is 0. Contents point into `bytes`. Returns
/// `DXIL_JIT_CODE_MALFORMED` for bytes that are no container, whose number is 0.
///
/// # Safety
/// `bytes` is null or points to `size` bytes, `parts` to `capacity` parts that can be written;
/// `count` and `error` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_parts(
    bytes: *const u8,
    size: usize,
    parts: *mut DxilJitPart,
    capacity: usize,
    count: *mut usize,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let mut number = 0;
    let outcome = caught(|| {
        if parts.is_null() && capacity > 0 {
            return Err(bad_argument("a pointer is null"));
        }
        // SAFETY: the caller keeps the rules above.
        let container = Container::parse(unsafe { bytes_of(bytes, size) }?).map_err(own)?;
        for (place, part) in container.parts().iter().enumerate().take(capacity) {
            let mut name = [0; 8];
            copy(&mut name, &part.name.0);
            let own = DxilJitPart {
                name,
                content: part.data.as_ptr(),
                size: part.data.len(),
            };
            // SAFETY: as above; the place is below the capacity.
            unsafe { parts.add(place).write(own) };
        }
        number = container.parts().len();
        Ok(())
    });
    if !count.is_null() {
        // SAFETY: as above.
        unsafe { count.write(number) };
    }
    // SAFETY: as above.
    unsafe { report(outcome, error) }
}

/// Puts parts together to a signed container, in their order. To strip, extract, replace or sort
/// parts, change what `dxil_jit_parts` returned. A root signature is the part `RTS0`, also alone.
///
/// Results are those of `dxil_jit_upgrade`, and `DXIL_JIT_CODE_BAD_ARGUMENT` for a name that has
/// not four characters.
///
/// # Safety
/// `parts` is null or points to `count` parts, whose contents are null or as many bytes as they
/// say; `container` and `error` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_from_parts(
    parts: *const DxilJitPart,
    count: usize,
    container: *mut *mut DxilJitContainer,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let work = || {
        let mut builder = ContainerBuilder::new();
        // SAFETY: the caller keeps the rules above.
        for part in unsafe { slice_of(parts, count) }? {
            let [a, b, c, d, 0, ..] = part.name.map(|letter| letter as u8) else {
                return Err(bad_argument("names of parts have four characters"));
            };
            if [a, b, c, d].contains(&0) {
                return Err(bad_argument("names of parts have four characters"));
            }
            // SAFETY: as above.
            let content = unsafe { slice_of(part.content, part.size) }?;
            builder.push(FourCc([a, b, c, d]), content);
        }
        builder.build(Signing::Digest).map_err(own)
    };
    // SAFETY: as above.
    unsafe { write_with(container, error, work) }
}

/// Prints the module of a shader as text that `dxil_jit_assemble` reads, as `dxil-dis --llvm` does;
/// that of DXBC as the DXIL that it is converted to. The bytes of the result are the text, in UTF-8
/// and without a zero at the end.
///
/// Results are those of `dxil_jit_upgrade`.
///
/// # Safety
/// `bytes` is null or points to `size` bytes; `text` and `error` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_disassemble(
    bytes: *const u8,
    size: usize,
    text: *mut *mut DxilJitContainer,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let work = |bytes: &[u8]| {
        let shader = read_shader(bytes)?;
        Ok(module_text(&shader.module, &Plain).into_bytes())
    };
    // SAFETY: the caller keeps the rules above.
    unsafe { write((bytes, size), text, error, work) }
}

fn own(error: Error) -> Box<DxilJitError> {
    Box::from(&error.into())
}
