// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Parsed shaders.

use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::sync::Arc;

use dxil_frontend::container::{Container, ProgramBitcode};
use dxil_frontend::dxil::{Shader, ShaderKind, read_shader};
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_frontend::{Category, FourCc};

use super::bindings::Callbacks;
use super::boundary::{Object, guard, handle_functions, put};
use super::log::{log_debug, log_error};
use super::memory::{bytes, c_string};
use super::nodes::{NodeData, no_node};
use super::subobjects::{self, OwnedSubobject};
use super::thread_state::{freed, made};
use super::types::*;

/// A parsed shader or library.
pub struct Blob {
    pub(super) shader: Arc<Shader>,
    /// The container, if it has the program with debug information, too.
    pub(super) debug: Option<Arc<[u8]>>,
    bitcode: Vec<u8>,
    entries: Vec<Entry>,
    subobjects: Vec<OwnedSubobject>,
    text: Option<CString>,
}

/// Names of an entry point.
struct Entry {
    name: CString,
    demangled: CString,
    kind: ShaderKind,
    node: Option<NodeData>,
}

/// Returns the ABI's number of a stage.
pub(super) fn stage_number(kind: ShaderKind) -> Stage {
    match kind {
        ShaderKind::Vertex => 1,
        ShaderKind::Hull => 2,
        ShaderKind::Domain => 3,
        ShaderKind::Geometry => 4,
        ShaderKind::Pixel => 5,
        ShaderKind::Compute | ShaderKind::Node => 6,
        ShaderKind::Intersection => 7,
        ShaderKind::ClosestHit => 8,
        ShaderKind::Miss => 9,
        ShaderKind::AnyHit => 10,
        ShaderKind::RayGeneration => 11,
        ShaderKind::Callable => 12,
        ShaderKind::Amplification => 13,
        ShaderKind::Mesh => 14,
        ShaderKind::Library => STAGE_UNKNOWN,
    }
}

impl Blob {
    fn new(shader: Shader, bitcode: &[u8], subobjects: Vec<OwnedSubobject>) -> Blob {
        let entries = shader
            .entry_points
            .iter()
            .filter(|entry| entry.has_code())
            .map(|entry| Entry {
                name: c_string(&entry.name),
                demangled: c_string(entry.plain_name()),
                kind: entry.kind,
                node: match &entry.stage {
                    dxil_frontend::dxil::Stage::Node(node) => Some(NodeData::new(node)),
                    _ => None,
                },
            })
            .collect();
        Blob {
            shader: Arc::new(shader),
            debug: None,
            bitcode: bitcode.to_vec(),
            entries,
            subobjects,
            text: None,
        }
    }

    fn entry(&self, index: c_uint) -> Option<&Entry> {
        self.entries.get(index as usize)
    }

    /// Returns the entry point with that name, mangled or not.
    fn find(&self, name: &CStr) -> Option<usize> {
        self.entries
            .iter()
            .position(|entry| *entry.demangled == *name || *entry.name == *name)
    }

    fn text(&mut self) -> &CStr {
        let shader = &self.shader;
        self.text
            .get_or_insert_with(|| c_string(&module_text(&shader.module, &Plain)))
    }
}

fn failed(error: &dxil_frontend::Error) -> ResultCode {
    log_error(&format!("the shader cannot be parsed: {error}"));
    match error.category() {
        Category::Unsupported => ERROR_UNSUPPORTED_FEATURE,
        Category::Malformed => ERROR_PARSER,
        Category::Internal => ERROR_GENERIC,
    }
}

fn parse(data: &[u8], what: Input) -> dxil_frontend::Result<Option<Blob>> {
    if let Input::Bitcode = what {
        return Ok(Some(Blob::new(read_shader(data)?, data, Vec::new())));
    }
    let container = Container::parse(data)?;
    if container.has_dxbc_program() {
        // A STAT part of fxc's holds counts of instructions, no module.
        return match what {
            Input::Reflection => Ok(None),
            _ => Ok(Some(Blob::new(Shader::read(&container)?, &[], Vec::new()))),
        };
    }
    let program: ProgramBitcode<'_> = match what {
        Input::Reflection => match container.reflection_program()? {
            Some(program) => program,
            None => return Ok(None),
        },
        _ => container.program()?,
    };
    let subobjects = match what {
        Input::Reflection => Vec::new(),
        _ => subobjects::read(&container, data)?,
    };
    let module = dxil_frontend::bitcode::decode_module(program.bitcode, program.bitcode_offset)?;
    let mut blob = Blob::new(Shader::decode(module)?, program.bitcode, subobjects);
    // Shaders as games ship them have none.
    let has_debug =
        container.part(FourCc::DXIL).is_some() && container.part(FourCc::ILDB).is_some();
    if let (Input::Container, true) = (what, has_debug) {
        blob.debug = Some(container.bytes().into());
    }
    Ok(Some(blob))
}

/// The code that is parsed.
#[derive(Clone, Copy)]
enum Input {
    Container,
    Reflection,
    Bitcode,
}

/// # Safety
/// `data` is null or has `size` bytes; `out` is null or valid for writing.
unsafe fn parse_into(
    data: *const c_void,
    size: usize,
    out: *mut *mut Object<Blob>,
    what: Input,
) -> ResultCode {
    guard(ERROR_GENERIC, || {
        // SAFETY: passed on.
        if unsafe { !put(out, std::ptr::null_mut()) } {
            return ERROR_INVALID_ARGUMENT;
        }
        // SAFETY: passed on.
        let Some(input) = (unsafe { bytes(data, size) }) else {
            return ERROR_INVALID_ARGUMENT;
        };
        let blob = match parse(input, what) {
            Ok(Some(blob)) => blob,
            Ok(None) => return ERROR_NO_DATA,
            Err(error) => return failed(&error),
        };
        log_debug(format_args!("parsed {size} bytes"));
        let handle = Object::into_handle(blob);
        if handle.is_null() {
            return ERROR_OUT_OF_MEMORY;
        }
        made(handle);
        // SAFETY: passed on.
        unsafe { put(out, handle) };
        SUCCESS
    })
}

/// Parses a container of DXIL, or of the DXBC of shader models 4.0 to 5.1.
///
/// # Safety
/// `data` is null or has `size` bytes that stay as long as subobjects of the blob are used; `blob`
/// is null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parse_dxil_blob(
    data: *const c_void,
    size: usize,
    blob: *mut *mut Object<Blob>,
) -> ResultCode {
    // SAFETY: passed on.
    unsafe { parse_into(data, size, blob, Input::Container) }
}

/// Parses the reflection module (STAT) of a container; DXBC has none.
///
/// # Safety
/// As for `dxil_spv_parse_dxil_blob`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parse_reflection_dxil_blob(
    data: *const c_void,
    size: usize,
    blob: *mut *mut Object<Blob>,
) -> ResultCode {
    // SAFETY: passed on.
    unsafe { parse_into(data, size, blob, Input::Reflection) }
}

/// Parses bare bitcode.
///
/// # Safety
/// As for `dxil_spv_parse_dxil_blob`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parse_dxil(
    data: *const c_void,
    size: usize,
    blob: *mut *mut Object<Blob>,
) -> ResultCode {
    // SAFETY: passed on.
    unsafe { parse_into(data, size, blob, Input::Bitcode) }
}

/// Frees a blob; null is fine.
///
/// # Safety
/// The handle is null or a blob's, and not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_free(blob: *mut Object<Blob>) {
    guard((), || {
        freed(blob);
        // SAFETY: passed on.
        drop(unsafe { Object::take(blob) });
    });
}

fn code(done: bool, otherwise: ResultCode) -> ResultCode {
    if done { SUCCESS } else { otherwise }
}

handle_functions! { crate::compat::Blob;
    /// Writes the module's text to stderr.
    fn dxil_spv_parsed_blob_dump_llvm_ir(), () => |blob| {
        use std::io::Write;
        let text = blob.text().to_bytes();
        // There is no way to report that stderr is closed.
        let _ = std::io::stderr().write_all(text);
    };

    /// Returns the module as text. It lives as long as the blob.
    fn dxil_spv_parsed_blob_get_disassembled_ir(text: *mut *const c_char) -> ResultCode,
        ERROR_INVALID_ARGUMENT => |blob| {
        // SAFETY: the caller keeps the header's rules.
        code(unsafe { put(text, blob.text().as_ptr()) }, ERROR_INVALID_ARGUMENT)
    };

    /// Returns the bitcode. It lives as long as the blob. Shaders of DXBC have none.
    fn dxil_spv_parsed_blob_get_raw_ir(data: *mut *const c_void, size: *mut usize) -> ResultCode,
        ERROR_INVALID_ARGUMENT => |blob| {
        if blob.bitcode.is_empty() {
            return ERROR_GENERIC;
        }
        // SAFETY: the caller keeps the header's rules.
        let done = unsafe { put(data, blob.bitcode.as_ptr().cast()) && put(size, blob.bitcode.len()) };
        code(done, ERROR_INVALID_ARGUMENT)
    };

    /// Returns the stage of the first entry point.
    fn dxil_spv_parsed_blob_get_shader_stage() -> Stage, STAGE_UNKNOWN => |blob| {
        blob.entry(0).map_or(STAGE_UNKNOWN, |entry| stage_number(entry.kind))
    };

    /// Returns the stage of the entry point with that name.
    fn dxil_spv_parsed_blob_get_shader_stage_for_entry(name: *const c_char) -> Stage,
        STAGE_UNKNOWN => |blob| {
        if name.is_null() {
            return blob.entry(0).map_or(STAGE_UNKNOWN, |entry| stage_number(entry.kind));
        }
        // SAFETY: the caller keeps the header's rules.
        let name = unsafe { CStr::from_ptr(name) };
        let entry = blob.find(name).and_then(|index| blob.entries.get(index));
        entry.map_or(STAGE_UNKNOWN, |entry| stage_number(entry.kind))
    };

    /// Returns the number of the entry point with that name, mangled or not.
    fn dxil_spv_parsed_blob_get_entry_index_by_name(name: *const c_char, index: *mut c_uint)
        -> ResultCode, ERROR_INVALID_ARGUMENT => |blob| {
        if name.is_null() {
            return ERROR_INVALID_ARGUMENT;
        }
        // SAFETY: the caller keeps the header's rules.
        let name = unsafe { CStr::from_ptr(name) };
        match blob.find(name) {
            // SAFETY: the caller keeps the header's rules.
            Some(found) => code(unsafe { put(index, found as c_uint) }, ERROR_INVALID_ARGUMENT),
            None => ERROR_GENERIC,
        }
    };

    /// Returns the number of entry points.
    fn dxil_spv_parsed_blob_get_num_entry_points(count: *mut c_uint) -> ResultCode,
        ERROR_INVALID_ARGUMENT => |blob| {
        // SAFETY: the caller keeps the header's rules.
        code(unsafe { put(count, blob.entries.len() as c_uint) }, ERROR_INVALID_ARGUMENT)
    };

    /// Returns the name of an entry point as the module has it.
    fn dxil_spv_parsed_blob_get_entry_point_name(index: c_uint, name: *mut *const c_char)
        -> ResultCode, ERROR_INVALID_ARGUMENT => |blob| {
        match blob.entry(index) {
            // SAFETY: the caller keeps the header's rules.
            Some(entry) => code(unsafe { put(name, entry.name.as_ptr()) }, ERROR_INVALID_ARGUMENT),
            None => ERROR_INVALID_ARGUMENT,
        }
    };

    /// Returns the name of an entry point in the source.
    fn dxil_spv_parsed_blob_get_entry_point_demangled_name(index: c_uint, name: *mut *const c_char)
        -> ResultCode, ERROR_INVALID_ARGUMENT => |blob| {
        match blob.entry(index) {
            // SAFETY: the caller keeps the header's rules.
            Some(entry) => code(unsafe { put(name, entry.demangled.as_ptr()) }, ERROR_INVALID_ARGUMENT),
            None => ERROR_INVALID_ARGUMENT,
        }
    };

    /// Returns the input of a work graph node: nothing for other entry points.
    fn dxil_spv_parsed_blob_get_entry_point_node_input(index: c_uint, data: *mut NodeInputData)
        -> ResultCode, ERROR_INVALID_ARGUMENT => |blob| {
        match blob.entry(index) {
            None => ERROR_INVALID_ARGUMENT,
            Some(entry) => {
                let input = entry.node.as_ref().map_or_else(no_node, NodeData::input);
                // SAFETY: the caller keeps the header's rules.
                code(unsafe { put(data, input) }, ERROR_INVALID_ARGUMENT)
            }
        }
    };

    /// Returns the number of outputs of a work graph node.
    fn dxil_spv_parsed_blob_get_entry_point_num_node_outputs(index: c_uint, count: *mut c_uint)
        -> ResultCode, ERROR_INVALID_ARGUMENT => |blob| {
        match blob.entry(index) {
            None => ERROR_INVALID_ARGUMENT,
            Some(entry) => {
                let outputs = entry.node.as_ref().map_or(0, NodeData::outputs);
                // SAFETY: the caller keeps the header's rules.
                code(unsafe { put(count, outputs as c_uint) }, ERROR_INVALID_ARGUMENT)
            }
        }
    };

    /// Returns an output of a work graph node.
    fn dxil_spv_parsed_blob_get_entry_point_node_output(
        index: c_uint, output: c_uint, data: *mut NodeOutputData)
        -> ResultCode, ERROR_INVALID_ARGUMENT => |blob| {
        let node = blob.entry(index).and_then(|entry| entry.node.as_ref());
        match node.and_then(|node| node.output(output as usize)) {
            // SAFETY: the caller keeps the header's rules.
            Some(output) => code(unsafe { put(data, output) }, ERROR_INVALID_ARGUMENT),
            None => ERROR_INVALID_ARGUMENT,
        }
    };

    /// Calls the remappers for all declared resources. What they answer is not used.
    fn dxil_spv_parsed_blob_scan_resources(
        srv: SrvRemapper, sampler: SamplerRemapper, cbv: CbvRemapper, uav: UavRemapper,
        userdata: *mut c_void) -> ResultCode, ERROR_INVALID_ARGUMENT => |blob| {
        let callbacks = Callbacks {
            srv: (srv, userdata),
            sampler: (sampler, userdata),
            cbv: (cbv, userdata),
            uav: (uav, userdata),
        };
        callbacks.scan(&blob.shader, blob.entry(0).map_or(STAGE_UNKNOWN, |e| stage_number(e.kind)));
        SUCCESS
    };

    /// Returns the number of subobjects.
    fn dxil_spv_parsed_blob_get_num_rdat_subobjects() -> c_uint, 0 => |blob| {
        blob.subobjects.len() as c_uint
    };

    /// Returns a subobject; nothing is written if there is none of that number.
    fn dxil_spv_parsed_blob_get_rdat_subobject(index: c_uint, subobject: *mut RdatSubobject), ()
        => |blob| {
        if let Some(own) = blob.subobjects.get(index as usize) {
            // SAFETY: the caller keeps the header's rules.
            unsafe { put(subobject, own.as_abi()) };
        }
    };
}
