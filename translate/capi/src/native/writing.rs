//! Writes containers: DXBC as DXIL, assembly, passes, YAML.

use std::ffi::{CStr, c_char};

use dxil_frontend::container::{Container, Signing, sign};
use dxil_frontend::dxil::Shader;
use dxil_frontend::opt::{self, Pass};
use dxil_frontend::{Error, asm, build, parts, upgrade, yaml};

use super::{DxilJitCode, DxilJitError, bad_argument, bytes_of, caught, report};
use crate::handles::Table;

/// The containers that are alive. Callers have handles of them.
static CONTAINERS: Table<DxilJitContainer> = Table::new(6);

/// A container that was written. Read it with `dxil_jit_container_bytes`.
pub struct DxilJitContainer {
    bytes: Vec<u8>,
}

/// Does the work of a call that writes a container from bytes.
///
/// # Safety
/// `bytes` is null or points to `size` bytes; `container` and `error` are null or can be written.
pub(super) unsafe fn write(
    (bytes, size): (*const u8, usize),
    container: *mut *mut DxilJitContainer,
    error: *mut DxilJitError,
    work: impl FnOnce(&[u8]) -> Result<Vec<u8>, Error>,
) -> DxilJitCode {
    let work = || {
        // SAFETY: the caller keeps the rules above.
        let bytes = unsafe { bytes_of(bytes, size) }?;
        work(bytes).map_err(|error| Box::<DxilJitError>::from(&error.into()))
    };
    // SAFETY: as above.
    unsafe { write_with(container, error, work) }
}

/// Does the work of a call that writes a container.
///
/// # Safety
/// `container` and `error` are null or can be written.
pub(super) unsafe fn write_with(
    container: *mut *mut DxilJitContainer,
    error: *mut DxilJitError,
    work: impl FnOnce() -> Result<Vec<u8>, Box<DxilJitError>>,
) -> DxilJitCode {
    let mut handle: *mut DxilJitContainer = std::ptr::null_mut();
    let outcome = caught(|| {
        if container.is_null() {
            return Err(bad_argument("a pointer is null"));
        }
        let bytes = work()?;
        handle = CONTAINERS.insert(Box::new(DxilJitContainer { bytes }));
        if handle.is_null() {
            return Err(bad_argument("a million containers are alive"));
        }
        Ok(())
    });
    if !container.is_null() {
        // SAFETY: the caller keeps the rules above.
        unsafe { container.write(handle) };
    }
    // SAFETY: as above.
    unsafe { report(outcome, error) }
}

/// Converts a DXBC shader to DXIL of shader model 6.0, signed. Registers, signatures, the root
/// signature and private data stay.
///
/// After `DXIL_JIT_CODE_OK` `*container` is a new container, which the caller frees with
/// `dxil_jit_container_free`; after any other result it is null. `error` may be null. Nothing is
/// validated; `dxil_jit_validate` does that. May be called from many threads at once.
///
/// # Safety
/// `bytes` is null or points to `size` bytes; `container` and `error` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_upgrade(
    bytes: *const u8,
    size: usize,
    container: *mut *mut DxilJitContainer,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let work = |bytes: &[u8]| {
        let old = Container::parse(bytes)?;
        upgrade::to_dxil(&old)?.build(Signing::Digest)
    };
    // SAFETY: the caller keeps the rules above.
    unsafe { write((bytes, size), container, error, work) }
}

/// Assembles a DXIL module, as `dxil-dis --llvm` prints it, to a signed container with the parts
/// that D3D12 reads. `text` is UTF-8 of `size` bytes; it needs no zero at the end.
///
/// Results are those of `dxil_jit_upgrade`.
///
/// # Safety
/// `text` is null or points to `size` bytes; `container` and `error` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_assemble(
    text: *const u8,
    size: usize,
    container: *mut *mut DxilJitContainer,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let work = |bytes: &[u8]| {
        let shader = Shader::decode(asm::assemble(text_of(bytes)?)?)?;
        build::container(&shader)?.build(Signing::Digest)
    };
    // SAFETY: the caller keeps the rules above.
    unsafe { write((text, size), container, error, work) }
}

/// Optimizes a DXIL shader: `passes` names passes as `dxil-opt --passes` does, in their order and
/// with commas between them; null is `inline,mem2reg,fold,dead-code`. The new container is signed
/// and has the root signature, the compiler's version, subobjects and private data of the old one.
///
/// Results are those of `dxil_jit_upgrade`, and `DXIL_JIT_CODE_BAD_ARGUMENT` for a word that is no
/// pass.
///
/// # Safety
/// `bytes` is null or points to `size` bytes; `passes` is null or ends with a zero; `container` and
/// `error` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_optimize(
    bytes: *const u8,
    size: usize,
    passes: *const c_char,
    container: *mut *mut DxilJitContainer,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let names = if passes.is_null() {
        Some("")
    } else {
        // SAFETY: the caller keeps the rules above.
        unsafe { CStr::from_ptr(passes) }.to_str().ok()
    };
    let passes = names.and_then(|names| Pass::list(names).ok());
    let Some(passes) = passes else {
        if !container.is_null() {
            // SAFETY: as above.
            unsafe { container.write(std::ptr::null_mut()) };
        }
        let outcome = Err(bad_argument("no pass has this name"));
        // SAFETY: as above.
        return unsafe { report(outcome, error) };
    };
    let work = |bytes: &[u8]| {
        let old = Container::parse(bytes)?;
        let shader = opt::optimize(&Shader::read(&old)?, &passes)?;
        build::container_like(&shader, &old)?.build(Signing::Digest)
    };
    // SAFETY: as above.
    unsafe { write((bytes, size), container, error, work) }
}

/// Writes the modules of a DXIL container again (DXIL, ILDB and STAT) and HASH for them; other
/// parts stay as they are. The new container is signed.
///
/// Results are those of `dxil_jit_upgrade`.
///
/// # Safety
/// `bytes` is null or points to `size` bytes; `container` and `error` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_rewrite(
    bytes: *const u8,
    size: usize,
    container: *mut *mut DxilJitContainer,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let work = |bytes: &[u8]| {
        let old = Container::parse(bytes)?;
        parts::rewrite(&old, |_, _| Ok(()))?.build(Signing::Digest)
    };
    // SAFETY: the caller keeps the rules above.
    unsafe { write((bytes, size), container, error, work) }
}

/// Describes a container as YAML, as LLVM's `obj2yaml` does. The bytes of the result are the text,
/// in UTF-8 and without a zero at the end.
///
/// Results are those of `dxil_jit_upgrade`.
///
/// # Safety
/// `bytes` is null or points to `size` bytes; `text` and `error` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_to_yaml(
    bytes: *const u8,
    size: usize,
    text: *mut *mut DxilJitContainer,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let work = |bytes: &[u8]| {
        let text = yaml::from_container(&Container::parse(bytes)?)?;
        Ok(text.into_bytes())
    };
    // SAFETY: the caller keeps the rules above.
    unsafe { write((bytes, size), text, error, work) }
}

/// Makes the signed container that YAML describes, as `dxil_jit_to_yaml` and LLVM's `obj2yaml`
/// write it. `text` is UTF-8 of `size` bytes; it needs no zero at the end.
///
/// Results are those of `dxil_jit_upgrade`.
///
/// # Safety
/// `text` is null or points to `size` bytes; `container` and `error` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_from_yaml(
    text: *const u8,
    size: usize,
    container: *mut *mut DxilJitContainer,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let work = |bytes: &[u8]| sign(&yaml::to_container(text_of(bytes)?)?);
    // SAFETY: the caller keeps the rules above.
    unsafe { write((text, size), container, error, work) }
}

fn text_of(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|_| Error::malformed("text is no UTF-8"))
}

/// Returns the bytes of a container and writes their number. They live as long as the container.
/// Null and 0 for null, and for a container that was freed. `size` may be null.
///
/// # Safety
/// `size` is null or can be written; nobody frees the container meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_container_bytes(
    container: *const DxilJitContainer,
    size: *mut usize,
) -> *const u8 {
    // SAFETY: the table gives null or a container that is alive; nobody frees it meanwhile.
    let container = unsafe { CONTAINERS.get(container).as_ref() };
    if !size.is_null() {
        // SAFETY: the caller keeps the rules above.
        unsafe { size.write(container.map_or(0, |it| it.bytes.len())) };
    }
    container.map_or(std::ptr::null(), |it| it.bytes.as_ptr())
}

/// Frees a container. Nothing happens for null, and for a container that was freed.
///
/// # Safety
/// Nobody uses the container's bytes afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_container_free(container: *mut DxilJitContainer) {
    drop(CONTAINERS.remove(container));
}
