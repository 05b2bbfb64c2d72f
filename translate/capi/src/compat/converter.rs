// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Translations.

use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::sync::Arc;

use dxil_frontend::dxil::{EntryPoint, Shader, ShaderKind, read_shader_with_debug_info};
use dxil_translate::{
    Category, Features, ResourceKey, SourceDebugInfo, Translation, VulkanVersion, Warning,
    in_source, translate,
};

use super::bindings::Callbacks;
use super::blob::{Blob, stage_number};
use super::boundary::{Object, guard, handle_functions, put};
use super::local_roots::{LocalRoots, Range};
use super::log::{log_error, log_warning};
use super::memory::c_string;
use super::meta::{MetaDescriptors, chooses_layer};
use super::option_shapes::OptionBase;
use super::options::{Settings, is_known};
use super::refusal::Refusal;
use super::signature_notes::SignatureNotes;
use super::signatures::{SignatureCallbacks, patch_vertices};
use super::thread_state::{freed, made};
use super::types::*;
use super::wave_hints::WaveHints;

/// A shader to be translated, the caller's settings, and the result.
pub struct Converter {
    shader: Arc<Shader>,
    /// The container, if it has the program with debug information, too.
    debug: Option<Arc<[u8]>>,
    entry: Option<CString>,
    callbacks: Callbacks,
    settings: Settings,
    signatures: SignatureCallbacks,
    patch_location_offset: Option<u32>,
    local_roots: LocalRoots,
    meta: MetaDescriptors,
    notes: SignatureNotes,
    warnings: Option<CString>,
    done: Option<Done>,
}

/// A finished translation.
struct Done {
    words: Vec<u32>,
    entry: CString,
    workgroup: [u32; 3],
    waves: [u32; 3],
    hints: WaveHints,
    uses_subgroup_size: bool,
    uses_native_16bit: bool,
    patch_vertices: u32,
    patch_location_offset: u32,
    is_multiview_compatible: bool,
}

impl Converter {
    fn new(shader: Arc<Shader>, debug: Option<Arc<[u8]>>) -> Converter {
        Converter {
            shader,
            debug,
            entry: None,
            callbacks: Callbacks::default(),
            settings: Settings::default(),
            signatures: SignatureCallbacks::default(),
            patch_location_offset: None,
            local_roots: LocalRoots::default(),
            meta: MetaDescriptors::default(),
            notes: SignatureNotes::default(),
            warnings: None,
            done: None,
        }
    }

    /// Returns the entry point that was chosen, by either of its names, or the first one.
    fn chosen(&self) -> Option<&EntryPoint> {
        let mut entries = self
            .shader
            .entry_points
            .iter()
            .filter(|entry| entry.has_code());
        let Some(name) = self.entry.as_deref().and_then(|name| name.to_str().ok()) else {
            return entries.next();
        };
        entries.find(|entry| *entry.name == *name || entry.plain_name() == name)
    }

    fn run(&mut self) -> ResultCode {
        self.done = None;
        match self.translated() {
            Ok(done) => {
                self.done = Some(done);
                SUCCESS
            }
            Err((code, message)) => {
                log_error(&format!("the shader cannot be translated: {message}"));
                code
            }
        }
    }

    fn translated(&self) -> Result<Done, (ResultCode, String)> {
        let shader = Arc::clone(&self.shader);
        let Some(entry) = self.chosen() else {
            return Err((
                ERROR_INVALID_ARGUMENT,
                "there is no such entry point".into(),
            ));
        };
        let mut options = self.settings.options(Some(&entry.name));
        use ShaderKind::{
            Amplification, AnyHit, Callable, ClosestHit, Intersection, Mesh, Miss, RayGeneration,
        };
        let queries_meet_micromaps = self.settings.queries_meet_micromaps(&shader);
        if queries_meet_micromaps {
            options.target.vulkan = VulkanVersion::V1_2;
        }
        match entry.kind {
            // Mesh shading and ray tracing are extensions of SPIR-V 1.4, which Vulkan 1.2 accepts
            // without an extension.
            Mesh | Amplification => options.target.vulkan = VulkanVersion::V1_2,
            RayGeneration | Intersection | AnyHit | ClosestHit | Miss | Callable => {
                options.target.vulkan = VulkanVersion::V1_2;
                // Ray queries have it, pipelines need not.
                if !self.settings.pipelines_cull_primitives {
                    options.target.features -= Features::RAY_PRIMITIVE_CULLING;
                }
                if !self.settings.pipelines_meet_micromaps && !queries_meet_micromaps {
                    options.target.features -= Features::OPACITY_MICROMAP_KHR;
                }
            }
            _ => {}
        }
        // A node's records are addresses, whatever the layer says of other memory.
        if entry.is_node() {
            options.target.features |= Features::BUFFER_DEVICE_ADDRESS;
        }
        options.bindings = self
            .callbacks
            .bindings(
                &shader,
                Some(&entry.name),
                stage_number(entry.kind),
                &self.settings,
                &self.meta,
                &self.local_roots,
            )
            .map_err(refused)?;
        options.signature.views = self
            .meta
            .views(self.settings.views, entry)
            .map_err(refused)?;
        if self.settings.notes {
            // Names are for the same readers.
            options.debug_info = true;
            let declared = shader.resources.iter().filter_map(|resource| {
                let key = ResourceKey {
                    class: resource.class,
                    id: resource.id,
                };
                // The notes are of the global root signature.
                if options.bindings.is_local(key) {
                    return None;
                }
                Some((resource, *options.bindings.get(key)?))
            });
            let descriptors = self.settings.root_descriptors;
            // SAFETY: who said that there are bytes keeps them until the converter has run.
            options.notes = unsafe { self.notes.written(declared, descriptors) };
        }
        options.signature.patch_location_offset = self.patch_location_offset;
        self.signatures
            .ask(entry, &mut options.signature)
            .map_err(refused)?;
        let debug = self.debug.as_deref();
        // Lines are for the readers of notes, and need no feature of the device.
        let with_source = debug
            .filter(|_| self.settings.notes)
            .and_then(|bytes| read_shader_with_debug_info(bytes).ok());
        if with_source.is_some() {
            options.source = SourceDebugInfo::Lines;
        }
        let translation = translate(with_source.as_ref().unwrap_or(&shader), &options)
            .map_err(|error| match debug {
                Some(bytes) => in_source(bytes, &options, error),
                None => error,
            })
            .map_err(failed)?;
        for warning in &translation.warnings {
            if matches!(
                warning,
                Warning::VendorOperationIsZero { .. } | Warning::ContradictoryAccess { .. }
            ) {
                log_warning(&warning.to_string());
            }
        }
        Ok(self.finish(entry, translation))
    }

    fn lints(&self) -> Option<CString> {
        self.done.as_ref()?;
        let found = dxil_translate::lint(&self.shader, Some(&self.chosen()?.name)).ok()?;
        let lines: Vec<String> = found.iter().map(|one| format!("- {one}\n")).collect();
        (!lines.is_empty()).then(|| c_string(&lines.concat()))
    }

    fn finish(&self, entry: &EntryPoint, translation: Translation) -> Done {
        use spirv::{BuiltIn, Capability};
        let interface = &translation.interface;
        let waves = match entry.wave_size {
            Some(size) if size.min == size.max => [size.min, 0, 0],
            Some(size) => [size.min, size.max, size.preferred],
            None => [interface.required_subgroup_size.unwrap_or(0), 0, 0],
        };
        let compute = matches!(
            entry.kind,
            ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification
        );
        let workgroup = interface.workgroup_size.unwrap_or([0; 3]);
        let declares = |some: &[Capability]| {
            let declared = &interface.capabilities;
            some.iter().any(|capability| declared.contains(capability))
        };
        // A size that is named leaves nothing to guess.
        let is_open = waves[0] == 0 && self.settings.forced_subgroup_size == 0;
        let hints = if is_open && declares(&[Capability::GroupNonUniform]) {
            let shuffles = declares(&[Capability::GroupNonUniformShuffle]);
            WaveHints::of(&self.shader, entry.kind, workgroup, shuffles)
        } else {
            WaveHints::default()
        };
        Done {
            entry: c_string(&interface.entry),
            workgroup,
            waves: if compute { waves } else { [0; 3] },
            hints,
            uses_subgroup_size: interface.built_ins.contains(&BuiltIn::SubgroupSize),
            uses_native_16bit: declares(&[Capability::Float16, Capability::Int16]),
            patch_vertices: patch_vertices(entry),
            patch_location_offset: interface.patch_location_offset,
            is_multiview_compatible: self
                .settings
                .views
                .is_some_and(|views| views.index_constant.is_some() && !chooses_layer(entry)),
            words: translation.words,
        }
    }
}

fn refused(refusal: Refusal) -> (ResultCode, String) {
    match refusal {
        Refusal::Unmapped(what) => (
            ERROR_GENERIC,
            format!("the remapper has no place for {what}"),
        ),
        Refusal::Bad(what) => (ERROR_INVALID_ARGUMENT, what),
        Refusal::Shader(error) => failed(error),
    }
}

fn failed(error: dxil_translate::Error) -> (ResultCode, String) {
    let code = match error.category() {
        Category::Malformed => ERROR_FAILED_VALIDATION,
        Category::Unsupported => ERROR_UNSUPPORTED_FEATURE,
        Category::Internal => ERROR_GENERIC,
    };
    (code, error.to_string())
}

fn code(done: bool, otherwise: ResultCode) -> ResultCode {
    if done { SUCCESS } else { otherwise }
}

/// Makes a converter for a blob.
///
/// # Safety
/// `blob` is null or a blob's handle; `converter` is null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_create_converter(
    blob: *mut Object<Blob>,
    converter: *mut *mut Object<Converter>,
) -> ResultCode {
    // SAFETY: passed on.
    unsafe { create(blob, converter) }
}

/// Makes a converter for a blob. Its reflection module is accepted and not needed: names are those
/// that the module itself has.
///
/// # Safety
/// The blobs are null or handles of blobs; `converter` is null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_create_converter_with_reflection(
    blob: *mut Object<Blob>,
    _reflection: *mut Object<Blob>,
    converter: *mut *mut Object<Converter>,
) -> ResultCode {
    // SAFETY: passed on.
    unsafe { create(blob, converter) }
}

/// # Safety
/// As for `dxil_spv_create_converter_with_reflection`.
unsafe fn create(blob: *mut Object<Blob>, out: *mut *mut Object<Converter>) -> ResultCode {
    guard(ERROR_GENERIC, || {
        // SAFETY: passed on.
        if unsafe { !put(out, std::ptr::null_mut()) } {
            return ERROR_INVALID_ARGUMENT;
        }
        // SAFETY: passed on.
        let Some(blob) = (unsafe { Object::from_handle(blob) }) else {
            return ERROR_INVALID_ARGUMENT;
        };
        let converter = Converter::new(Arc::clone(&blob.shader), blob.debug.clone());
        let handle = Object::into_handle(converter);
        if handle.is_null() {
            return ERROR_OUT_OF_MEMORY;
        }
        made(handle);
        // SAFETY: passed on.
        unsafe { put(out, handle) };
        SUCCESS
    })
}

/// Frees a converter; null is fine.
///
/// # Safety
/// The handle is null or a converter's, and not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_converter_free(converter: *mut Object<Converter>) {
    guard((), || {
        freed(converter);
        // SAFETY: passed on.
        drop(unsafe { Object::take(converter) });
    });
}

/// Returns whether the library knows an option.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_supports_option(option: c_uint) -> Bool {
    Bool::from(is_known(option))
}

handle_functions! { crate::compat::Converter;
    /// Chooses the entry point, by its mangled name or its name in the source; null is the first
    /// one.
    fn dxil_spv_converter_set_entry_point(name: *const c_char), () => |c| {
        // SAFETY: the caller keeps the header's rules.
        c.entry = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_owned());
        c.entry = c.entry.take().filter(|name| !name.is_empty());
    };

    /// Sets the callback that places stage inputs.
    fn dxil_spv_converter_set_stage_input_remapper(remapper: StageIoRemapper, userdata: *mut c_void),
        () => |c| c.signatures.stage_inputs = (remapper, userdata);

    /// Sets the callback that places stage outputs.
    fn dxil_spv_converter_set_stage_output_remapper(remapper: StageIoRemapper, userdata: *mut c_void),
        () => |c| c.signatures.stage_outputs = (remapper, userdata);

    /// Sets the callback that places vertex inputs.
    fn dxil_spv_converter_set_vertex_input_remapper(
        remapper: VertexInputRemapper, userdata: *mut c_void), () => |c|
        c.signatures.vertex_inputs = (remapper, userdata);

    /// Sets the callback that places stream outputs.
    fn dxil_spv_converter_set_stream_output_remapper(
        remapper: StreamOutputRemapper, userdata: *mut c_void), () => |c|
        c.signatures.stream_outputs = (remapper, userdata);

    /// Sets the callback that places SRVs.
    fn dxil_spv_converter_set_srv_remapper(remapper: SrvRemapper, userdata: *mut c_void), () => |c|
        c.callbacks.srv = (remapper, userdata);

    /// Sets the callback that places samplers.
    fn dxil_spv_converter_set_sampler_remapper(remapper: SamplerRemapper, userdata: *mut c_void),
        () => |c| c.callbacks.sampler = (remapper, userdata);

    /// Sets the callback that places UAVs.
    fn dxil_spv_converter_set_uav_remapper(remapper: UavRemapper, userdata: *mut c_void), () => |c|
        c.callbacks.uav = (remapper, userdata);

    /// Sets the callback that places constant buffers.
    fn dxil_spv_converter_set_cbv_remapper(remapper: CbvRemapper, userdata: *mut c_void), () => |c|
        c.callbacks.cbv = (remapper, userdata);

    /// Sets the number of words of root constants and table indices behind the root descriptors.
    fn dxil_spv_converter_set_root_constant_word_count(words: c_uint), () => |c|
        c.settings.root_constant_words = words;

    /// Sets the number of root descriptors: two words each, at the beginning of the root constants.
    fn dxil_spv_converter_set_root_descriptor_count(count: c_uint), () => |c|
        c.settings.root_descriptors = count;

    /// Adds root constants of a local root signature, after the parameters before.
    fn dxil_spv_converter_add_local_root_constants(
        space: c_uint, register: c_uint, words: c_uint), () => |c|
        c.local_roots.add_constants(space, register, words);

    /// Adds a root descriptor of a local root signature.
    fn dxil_spv_converter_add_local_root_descriptor(
        class: c_uint, space: c_uint, register: c_uint), () => |c|
        c.local_roots.add_descriptor(class, space, register);

    /// Adds a descriptor range of a local root signature: of the table that has been begun, or a
    /// table by itself.
    fn dxil_spv_converter_add_local_root_descriptor_table(
        class: c_uint, space: c_uint, register: c_uint, count: c_uint, offset: c_uint),
        () => |c| c.local_roots.add_range(Range { class, space, register, count, offset });

    /// Begins a descriptor table of a local root signature.
    fn dxil_spv_converter_begin_local_root_descriptor_table() -> ResultCode,
        ERROR_INVALID_ARGUMENT => |c| code(c.local_roots.begin_table(), ERROR_INVALID_ARGUMENT);

    /// Ends a descriptor table of a local root signature; it has at least one range.
    fn dxil_spv_converter_end_local_root_descriptor_table() -> ResultCode,
        ERROR_INVALID_ARGUMENT => |c| code(c.local_roots.end_table(), ERROR_INVALID_ARGUMENT);

    /// Sets the offset of a root parameter, for debug information.
    fn dxil_spv_converter_add_root_parameter_mapping(parameter: c_uint, offset: c_uint),
        () => |c| c.notes.parameter(parameter, offset);

    /// Sets the descriptor of a root parameter, for debug information.
    fn dxil_spv_converter_add_root_descriptor_mapping(
        parameter: c_uint, set: c_uint, binding: c_uint), () => |c|
        c.notes.descriptor(parameter, set, binding);

    /// Adds bytes to the debug information.
    fn dxil_spv_converter_add_non_semantic_debug_info(
        tag: *const c_char, data: *const c_void, size: usize), () => |c|
        // SAFETY: the caller keeps the header's rules.
        unsafe { c.notes.blob(tag, data, size) };

    /// Sets the location of a domain shader's first patch constant: those of the hull shader's
    /// control points end before it.
    fn dxil_spv_converter_set_patch_location_offset(offset: c_uint), () => |c|
        c.patch_location_offset = (offset != c_uint::MAX).then_some(offset);

    /// Translates.
    fn dxil_spv_converter_run() -> ResultCode, ERROR_INVALID_ARGUMENT => |c| c.run();

    /// Returns the module. It lives as long as the converter.
    fn dxil_spv_converter_get_compiled_spirv(compiled: *mut CompiledSpirv) -> ResultCode,
        ERROR_INVALID_ARGUMENT => |c| {
        let Some(done) = &c.done else { return ERROR_GENERIC };
        let module = CompiledSpirv {
            data: done.words.as_ptr().cast(),
            size: done.words.len() * size_of::<u32>(),
        };
        // SAFETY: the caller keeps the header's rules.
        code(unsafe { put(compiled, module) }, ERROR_INVALID_ARGUMENT)
    };

    /// Returns the name of the module's entry point.
    fn dxil_spv_converter_get_compiled_entry_point(name: *mut *const c_char) -> ResultCode,
        ERROR_INVALID_ARGUMENT => |c| {
        let Some(done) = &c.done else { return ERROR_GENERIC };
        // SAFETY: the caller keeps the header's rules.
        code(unsafe { put(name, done.entry.as_ptr()) }, ERROR_INVALID_ARGUMENT)
    };

    /// Adds an option.
    fn dxil_spv_converter_add_option(option: *const OptionBase) -> ResultCode,
        ERROR_INVALID_ARGUMENT => |c| {
        // SAFETY: the caller keeps the header's rules.
        let code = unsafe { c.settings.add(option) };
        if code != SUCCESS {
            log_warning("an option is not known");
        }
        code
    };

    /// Returns whether the module reads the subgroup's size.
    fn dxil_spv_converter_uses_subgroup_size() -> Bool, 0 => |c| {
        Bool::from(c.done.as_ref().is_some_and(|done| done.uses_subgroup_size))
    };

    /// Returns the number of threads per group.
    fn dxil_spv_converter_get_compute_workgroup_dimensions(
        x: *mut c_uint, y: *mut c_uint, z: *mut c_uint) -> ResultCode, ERROR_INVALID_ARGUMENT => |c| {
        let size = c.done.as_ref().map_or([0; 3], |done| done.workgroup);
        for (place, value) in [x, y, z].into_iter().zip(size) {
            // SAFETY: the caller keeps the header's rules.
            if unsafe { !put(place, value) } {
                return ERROR_INVALID_ARGUMENT;
            }
        }
        SUCCESS
    };

    /// Returns the only subgroup size that will do; 0 is any, a range of sizes is an error.
    fn dxil_spv_converter_get_compute_required_wave_size(size: *mut c_uint) -> ResultCode,
        ERROR_INVALID_ARGUMENT => |c| {
        let [min, max, _] = c.done.as_ref().map_or([0; 3], |done| done.waves);
        if max != 0 && max != min {
            return ERROR_GENERIC;
        }
        // SAFETY: the caller keeps the header's rules.
        code(unsafe { put(size, min) }, ERROR_INVALID_ARGUMENT)
    };

    /// Returns the minimum, maximum and preferred number of lanes; 0 is unspecified.
    fn dxil_spv_converter_get_compute_wave_size_range(
        min: *mut c_uint, max: *mut c_uint, preferred: *mut c_uint) -> ResultCode,
        ERROR_INVALID_ARGUMENT => |c| {
        let waves = c.done.as_ref().map_or([0; 3], |done| done.waves);
        for (place, value) in [min, max, preferred].into_iter().zip(waves) {
            // SAFETY: the caller keeps the header's rules.
            if unsafe { !put(place, value) } {
                return ERROR_INVALID_ARGUMENT;
            }
        }
        SUCCESS
    };

    /// Returns the maximum number of lanes that is useful; 0 is unspecified.
    fn dxil_spv_converter_get_compute_heuristic_max_wave_size(size: *mut c_uint) -> ResultCode,
        ERROR_INVALID_ARGUMENT => |c| {
        let maximum = c.done.as_ref().map_or(0, |done| done.hints.most);
        // SAFETY: the caller keeps the header's rules.
        code(unsafe { put(size, maximum) }, ERROR_INVALID_ARGUMENT)
    };

    /// Returns the minimum number of lanes that is useful; 0 is unspecified.
    fn dxil_spv_converter_get_compute_heuristic_min_wave_size(size: *mut c_uint) -> ResultCode,
        ERROR_INVALID_ARGUMENT => |c| {
        let minimum = c.done.as_ref().map_or(0, |done| done.hints.least);
        // SAFETY: the caller keeps the header's rules.
        code(unsafe { put(size, minimum) }, ERROR_INVALID_ARGUMENT)
    };

    /// Returns the number of control points per input patch of a hull shader.
    fn dxil_spv_converter_get_patch_vertex_count(count: *mut c_uint) -> ResultCode,
        ERROR_INVALID_ARGUMENT => |c| {
        let vertices = c.done.as_ref().map_or(0, |done| done.patch_vertices);
        // SAFETY: the caller keeps the header's rules.
        code(unsafe { put(count, vertices) }, ERROR_INVALID_ARGUMENT)
    };

    /// Returns the location of a hull shader's first patch constant.
    fn dxil_spv_converter_get_patch_location_offset(offset: *mut c_uint) -> ResultCode,
        ERROR_INVALID_ARGUMENT => |c| {
        let first = c.done.as_ref().map_or(c_uint::MAX, |done| done.patch_location_offset);
        // SAFETY: the caller keeps the header's rules.
        code(unsafe { put(offset, first) }, ERROR_INVALID_ARGUMENT)
    };

    /// Returns whether the module uses a feature: 0 is native 16-bit arithmetic.
    fn dxil_spv_converter_uses_shader_feature(feature: c_uint) -> Bool, 0 => |c| {
        let native = c.done.as_ref().is_some_and(|done| done.uses_native_16bit);
        Bool::from(feature == 0 && native)
    };

    /// Returns whether the module can be used with multiview as it is.
    fn dxil_spv_converter_is_multiview_compatible(compatible: *mut Bool) -> ResultCode,
        ERROR_INVALID_ARGUMENT => |c| {
        let yes = c.done.as_ref().is_some_and(|done| done.is_multiview_compatible);
        // SAFETY: the caller keeps the header's rules.
        code(unsafe { put(compatible, Bool::from(yes)) }, ERROR_INVALID_ARGUMENT)
    };

    /// Returns the lint findings for the translated shader, a line for each; null if there are
    /// none. The text lives until the converter runs again.
    fn dxil_spv_converter_get_analysis_warnings() -> *const c_char, std::ptr::null() => |c| {
        c.warnings = c.lints();
        c.warnings.as_ref().map_or(std::ptr::null(), |text| text.as_ptr())
    };

    /// Sets the location of a resource that only the layer knows.
    fn dxil_spv_converter_set_meta_descriptor(
        meta: c_uint, kind: c_uint, set: c_uint, binding: c_uint) -> ResultCode,
        ERROR_INVALID_ARGUMENT => |c| c.meta.set(meta, kind, set, binding);
}
