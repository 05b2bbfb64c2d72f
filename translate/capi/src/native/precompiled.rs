//! Translations that `dxil-precompile` made, found without translating.

use std::ffi::{CStr, c_char};
use std::path::Path;
use std::sync::Arc;

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::{Shader, read_shader};
use dxil_runtime::cache::{Cache, Cached, DEFAULT_LIMIT, SourceHash};
use dxil_runtime::device::Profile;
use dxil_runtime::program::{CompileOptions, ShaderCode, StageCode};
use dxil_runtime::{Error, Program};
use dxil_translate::{RasterSamples, VulkanVersion};

use super::{
    DxilJitCode, DxilJitError, DxilJitTranslation, Finished, TRANSLATIONS, bad_argument, bytes_of,
    caught, copy, report,
};
use crate::handles::Table;

/// The live folders, which callers hold by handles.
static FOLDERS: Table<DxilJitPrecompiled> = Table::new(5);

/// Most stages that a call takes: no pipeline has more.
const MAX_STAGES: usize = 8;

/// The folder of a cache that `dxil-precompile` filled, open to be read. Any number of threads can
/// use it.
pub struct DxilJitPrecompiled {
    cache: Arc<Cache>,
    profile: Profile,
}

/// The bytes of a shader: a DXContainer or bare bitcode.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DxilJitShader {
    /// First byte.
    pub bytes: *const u8,
    /// Number of bytes.
    pub size: usize,
}

/// Returns an error of the runtime as callers see it.
fn from_runtime(error: &Error) -> Box<DxilJitError> {
    let code = match error {
        Error::Stage { error, .. } => return from_runtime(error),
        Error::Translate(error) => return error.into(),
        Error::Frontend(error) => return (&dxil_translate::Error::from(error.clone())).into(),
        Error::NotCached => DxilJitCode::NotFound,
        Error::Unsupported(_) | Error::Limit { .. } => DxilJitCode::Unsupported,
        Error::RootSignature(_) | Error::StageLink { .. } => DxilJitCode::Malformed,
        _ => DxilJitCode::BadArgument,
    };
    let mut own = DxilJitError::new(code, &error.to_string());
    copy(&mut own.name, error.code().as_bytes());
    own
}

/// Opens the folder of a cache that `dxil-precompile` filled (`--out`, or `--local` with a store)
/// for a target: `vulkan_version` is 11, 12, 13 or 14, as in `--target vulkan1.3`, and 0 means 13.
///
/// On success `*precompiled` is the folder, which the caller frees with
/// `dxil_jit_precompiled_free`; otherwise it is null. `error` may be null. A folder that others may
/// write to is refused: what is in it goes to the driver.
///
/// # Safety
/// `folder` is null or a string; `precompiled` and `error` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_precompiled_open(
    folder: *const c_char,
    vulkan_version: u32,
    precompiled: *mut *mut DxilJitPrecompiled,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let work = || {
        if folder.is_null() || precompiled.is_null() {
            return Err(bad_argument("a pointer is null"));
        }
        // SAFETY: the caller keeps the rules above.
        let folder = unsafe { CStr::from_ptr(folder) };
        let folder = folder
            .to_str()
            .map_err(|_| bad_argument("the folder is no UTF-8"))?;
        let vulkan = match vulkan_version {
            11 => VulkanVersion::V1_1,
            12 => VulkanVersion::V1_2,
            0 | 13 => VulkanVersion::V1_3,
            14 => VulkanVersion::V1_4,
            _ => {
                return Err(bad_argument(
                    "the Vulkan version is none of 0, 11, 12, 13, 14",
                ));
            }
        };
        let folder = Path::new(folder);
        // Opening would make it.
        if !folder.is_dir() {
            return Err(bad_argument("there is no such folder"));
        }
        let cache =
            Cache::open(folder, DEFAULT_LIMIT).map_err(|error| bad_argument(&error.to_string()))?;
        let handle = FOLDERS.insert::<DxilJitPrecompiled>(Box::new(DxilJitPrecompiled {
            cache: Arc::new(cache),
            profile: Profile::offline(vulkan),
        }));
        if handle.is_null() {
            return Err(bad_argument("a million folders are open"));
        }
        Ok(handle)
    };
    let outcome = caught(work);
    if !precompiled.is_null() {
        let handle = *outcome.as_ref().unwrap_or(&std::ptr::null_mut());
        // SAFETY: the caller keeps the rules above.
        unsafe { precompiled.write(handle) };
    }
    // SAFETY: as above.
    unsafe { report(outcome.map(|_| ()), error) }
}

/// Frees a folder. Translations from it stay alive. Nothing happens for null, and for a folder that
/// was freed.
///
/// # Safety
/// Nobody uses the folder meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_precompiled_free(precompiled: *mut DxilJitPrecompiled) {
    drop(FOLDERS.remove(precompiled));
}

/// Finds the translations of a pipeline's stages, and makes none.
///
/// The stages are those of a compute pipeline or of a draw, in the pipeline's order, and a shader
/// that is a pipeline's only one in the library is found alone. `root_signature` is a container
/// with an RTS0 part, or the bytes of one; null takes that of the first stage that has one.
/// `samples` is the number of samples of the render targets; 0 means 1. Pipelines with stream
/// output, ray tracing pipelines and work graphs are not found.
///
/// If all are there, `translations` has `stage_count` new ones, each of which the caller frees with
/// `dxil_jit_translation_free`. Their reflection says where each resource is bound. Otherwise all
/// are null, and the code is `DXIL_JIT_CODE_NOT_FOUND` where one is not in the folder or is
/// damaged there: the caller translates. `error` may be null.
///
/// # Safety
/// `stages` is null or points to `stage_count` rows whose `bytes` are null or `size` bytes;
/// `root_signature` is null or points to `root_signature_size` bytes; `translations` is null or has
/// room for `stage_count` pointers; `error` is null or can be written. Nobody frees the folder
/// meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_precompiled_find(
    precompiled: *const DxilJitPrecompiled,
    stages: *const DxilJitShader,
    stage_count: usize,
    root_signature: *const u8,
    root_signature_size: usize,
    samples: u32,
    translations: *mut *mut DxilJitTranslation,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let work = || {
        if stages.is_null() || translations.is_null() {
            return Err(bad_argument("a pointer is null"));
        }
        if stage_count == 0 || stage_count > MAX_STAGES {
            return Err(bad_argument("a pipeline has one to eight stages"));
        }
        // SAFETY: the caller keeps the rules above: nobody frees the folder meanwhile.
        let Some(folder) = (unsafe { FOLDERS.get(precompiled).as_ref() }) else {
            return Err(bad_argument("the folder does not exist, or was freed"));
        };
        // SAFETY: the caller keeps the rules above.
        let rows = unsafe { std::slice::from_raw_parts(stages, stage_count) };
        let mut blobs = Vec::with_capacity(stage_count);
        for row in rows {
            // SAFETY: as above.
            blobs.push(unsafe { bytes_of(row.bytes, row.size) }?);
        }
        let root = if root_signature.is_null() {
            None
        } else {
            // SAFETY: as above.
            Some(unsafe { bytes_of(root_signature, root_signature_size) }?)
        };
        find(folder, &blobs, root, samples)
    };
    let outcome = caught(work);
    if !translations.is_null() && stage_count <= MAX_STAGES {
        for index in 0..stage_count {
            let handle = match &outcome {
                Ok(handles) => handles[index],
                Err(_) => std::ptr::null_mut(),
            };
            // SAFETY: the caller keeps the rules above.
            unsafe { translations.add(index).write(handle) };
        }
    }
    // SAFETY: as above.
    unsafe { report(outcome.map(|_| ()), error) }
}

fn find(
    folder: &DxilJitPrecompiled,
    blobs: &[&[u8]],
    root: Option<&[u8]>,
    samples: u32,
) -> Result<Vec<*mut DxilJitTranslation>, Box<DxilJitError>> {
    let from_frontend = |error: dxil_frontend::Error| from_runtime(&Error::Frontend(error));
    let mut shaders = Vec::with_capacity(blobs.len());
    for bytes in blobs {
        shaders.push(read_shader(bytes).map_err(from_frontend)?);
    }
    let root = root_of(root, blobs).map_err(from_frontend)?;
    let mut options = CompileOptions::default();
    options.only_cached = true;
    options.cache = Some(Cached {
        cache: Arc::clone(&folder.cache),
        sources: blobs.iter().map(|bytes| SourceHash::of(bytes)).collect(),
    });
    // As dxil-precompile translates: this is part of what translations are found by.
    options.signature.raster_samples = RasterSamples::Constant(samples.max(1));
    let stages: Vec<&Shader> = shaders.iter().collect();
    let program =
        Program::compile_stages(&stages, root.as_ref(), &folder.profile, &|_| None, &options)
            .map_err(|error| from_runtime(&error))?;
    let mut handles: Vec<*mut DxilJitTranslation> = Vec::with_capacity(blobs.len());
    for (shader, stage) in shaders.iter().zip(program.stages) {
        let handle: *mut DxilJitTranslation = finished(shader, stage)
            .map(|done| Box::new(DxilJitTranslation::new(Arc::new(done))))
            .map_or(std::ptr::null_mut(), |done| {
                TRANSLATIONS.insert::<DxilJitTranslation>(done)
            });
        if handle.is_null() {
            for handle in handles {
                drop(TRANSLATIONS.remove(handle));
            }
            return Err(bad_argument("a million translations are alive"));
        }
        handles.push(handle);
    }
    Ok(handles)
}

fn finished(shader: &Shader, stage: StageCode) -> Option<Finished> {
    match (stage.code, stage.interface) {
        (ShaderCode::SpirV(words), Some(interface)) => {
            Some(Finished::new(shader, words.to_vec(), &interface))
        }
        _ => None,
    }
}

/// Returns the root signature that was given, or else the first that a container holds.
fn root_of(
    given: Option<&[u8]>,
    blobs: &[&[u8]],
) -> Result<Option<RootSignature>, dxil_frontend::Error> {
    if let Some(given) = given {
        return RootSignature::from_file(given).map(Some);
    }
    RootSignature::of_shaders(blobs.iter().copied())
}
