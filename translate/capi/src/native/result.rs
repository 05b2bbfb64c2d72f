//! Finished translations.

use std::ffi::{CString, c_char};
use std::sync::Arc;

use dxil_frontend::dxil::{ResourceClass, Shader, Stage};
use dxil_translate::{BindingUse, DescriptorKind, Interface};

use super::signature::{DxilJitElement, Signature};
use crate::handles::Table;

/// The live translations, which callers hold by handles.
pub(super) static TRANSLATIONS: Table<DxilJitTranslation> = Table::new(3);

/// A finished translation: a SPIR-V module and its reflection.
pub struct DxilJitTranslation {
    done: Arc<Finished>,
    reflection: DxilJitReflection,
}

/// Stages. A hull shader is a tessellation control shader in Vulkan, a domain shader a tessellation
/// evaluation shader.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "D3D12's own names")]
pub enum DxilJitStage {
    Pixel = 0,
    Vertex = 1,
    Geometry = 2,
    Hull = 3,
    Domain = 4,
    Compute = 5,
    Mesh = 13,
    Amplification = 14,
}

/// Descriptor types.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "Vulkan's own names")]
pub enum DxilJitDescriptor {
    UniformBuffer = 0,
    StorageBuffer = 1,
    UniformTexelBuffer = 2,
    StorageTexelBuffer = 3,
    SampledImage = 4,
    StorageImage = 5,
    Sampler = 6,
    AccelerationStructure = 7,
    InputAttachment = 8,
}

/// A descriptor that the module uses.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DxilJitUse {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// A `dxil_jit_descriptor`.
    pub descriptor: u32,
    /// Number of descriptors; 0 for a runtime array.
    pub count: u32,
    /// A `dxil_jit_class`.
    pub register_class: u32,
    /// Register space of the resource; all ones if the shader does not declare it.
    pub space: u32,
    /// First register of the resource; all ones if the shader does not declare it.
    pub first_register: u32,
    /// Bytes per element of a structured buffer; size of a constant buffer in bytes.
    pub stride: u32,
    /// Whether the shader may write to it.
    pub writable: bool,
    /// Whether it is the counter of the UAV.
    pub is_counter: bool,
    /// Name in the source, or empty. Lives as long as the translation.
    pub name: *const c_char,
}

/// Reflection of a module. Pointers live as long as the translation.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DxilJitReflection {
    /// A `dxil_jit_stage`.
    pub stage: u32,
    /// Threads per group; 0 for stages without groups.
    pub workgroup_size: [u32; 3],
    /// Subgroup size that the pipeline must require; 0 for any.
    pub subgroup_size: u32,
    /// Size of the push constants in bytes, from offset 0.
    pub push_constant_bytes: u32,
    /// Name of the entry point.
    pub entry: *const c_char,
    /// Descriptors that the module uses, by set and binding.
    pub uses: *const DxilJitUse,
    /// Length of the array before.
    pub use_count: usize,
    /// Shader flags of the entry point (DXIL.rst, "Shader Flags").
    pub shader_flags: u64,
    /// Minimum, maximum and preferred number of lanes of a wave, from `[WaveSize]`; 0 where it does
    /// not say.
    pub wave_lanes: [u32; 3],
    /// Control points of an input and of an output patch (hull and domain shaders); 0 for none.
    pub control_points: [u32; 2],
    /// Location of row 0 of the patch constants (hull and domain shaders) or per-primitive outputs
    /// (mesh shaders).
    pub patch_location: u32,
    /// Input signature.
    pub inputs: *const DxilJitElement,
    /// Length of the array before.
    pub input_count: usize,
    /// Output signature.
    pub outputs: *const DxilJitElement,
    /// Length of the array before.
    pub output_count: usize,
    /// Patch constants (hull, domain) or per-primitive outputs (mesh).
    pub patch_constants: *const DxilJitElement,
    /// Length of the array before.
    pub patch_constant_count: usize,
    /// Capabilities that the module declares, by their numbers in SPIR-V. The device must have the
    /// features that they require.
    pub capabilities: *const u32,
    /// Length of the array before.
    pub capability_count: usize,
    /// SPIR-V extensions that the module declares.
    pub extensions: *const *const c_char,
    /// Length of the array before.
    pub extension_count: usize,
}

/// A translation, which several handles can share.
pub(super) struct Finished {
    words: Vec<u32>,
    entry: CString,
    names: Vec<CString>,
    uses: Vec<DxilJitUse>,
    stage: u32,
    workgroup_size: [u32; 3],
    subgroup_size: u32,
    push_constant_bytes: u32,
    shader_flags: u64,
    wave_lanes: [u32; 3],
    control_points: [u32; 2],
    patch_location: u32,
    signatures: [Signature; 3],
    capabilities: Vec<u32>,
    /// The strings that `extensions` points to.
    extension_names: Vec<CString>,
    extensions: Vec<*const c_char>,
}

// SAFETY: the pointers point into strings beside them, which never change.
unsafe impl Send for Finished {}
// SAFETY: as above.
unsafe impl Sync for Finished {}

impl Finished {
    pub(super) fn new(shader: &Shader, words: Vec<u32>, interface: &Interface) -> Finished {
        let mut entries = shader.entry_points.iter();
        let entry = entries.find(|entry| entry.plain_name() == interface.entry);
        let signature = |elements| Signature::new(elements);
        let extension_names: Vec<CString> = interface
            .extensions
            .iter()
            .map(|name| crate::compat::c_string(name))
            .collect();
        let names: Vec<CString> = interface
            .bindings
            .iter()
            .map(|row| crate::compat::c_string(&row.name))
            .collect();
        let uses = interface
            .bindings
            .iter()
            .zip(&names)
            .map(|(row, name)| used(shader, row, name.as_ptr()))
            .collect();
        Finished {
            words,
            entry: crate::compat::c_string(&interface.entry),
            names,
            uses,
            stage: interface.stage as u32,
            workgroup_size: interface.workgroup_size.unwrap_or([0; 3]),
            subgroup_size: interface.required_subgroup_size.unwrap_or(0),
            push_constant_bytes: interface.push_constant_bytes,
            shader_flags: entry.map_or(0, |entry| entry.flags.bits()),
            wave_lanes: entry
                .and_then(|entry| entry.wave_size)
                .map_or([0; 3], |size| [size.min, size.max, size.preferred]),
            control_points: match entry.map(|entry| &entry.stage) {
                Some(Stage::Hull {
                    input_control_points,
                    output_control_points,
                    ..
                }) => [*input_control_points, *output_control_points],
                Some(Stage::Domain {
                    input_control_points,
                    ..
                }) => [*input_control_points, 0],
                _ => [0; 2],
            },
            patch_location: interface.patch_location_offset,
            signatures: [
                signature(entry.map_or(&[], |entry| &*entry.inputs)),
                signature(entry.map_or(&[], |entry| &*entry.outputs)),
                signature(entry.map_or(&[], |entry| &*entry.patch_constants)),
            ],
            capabilities: interface.capabilities.iter().map(|&c| c as u32).collect(),
            extensions: extension_names.iter().map(|name| name.as_ptr()).collect(),
            extension_names,
        }
    }

    /// Returns the approximate memory use in bytes.
    pub(super) fn bytes(&self) -> usize {
        let names: usize = self.names.iter().map(|name| name.as_bytes().len()).sum();
        let signatures: usize = self.signatures.iter().map(Signature::bytes).sum();
        let extensions = self.extension_names.len() * 40;
        size_of_val(&*self.words) + size_of_val(&*self.uses) + names + signatures + extensions
    }
}

fn used(shader: &Shader, row: &BindingUse, name: *const c_char) -> DxilJitUse {
    let declared = shader.resources.find(row.resource.class, row.resource.id);
    DxilJitUse {
        set: row.slot.set,
        binding: row.slot.binding,
        descriptor: match row.kind {
            DescriptorKind::UniformBuffer => 0,
            DescriptorKind::StorageBuffer => 1,
            DescriptorKind::UniformTexelBuffer => 2,
            DescriptorKind::StorageTexelBuffer => 3,
            DescriptorKind::SampledImage => 4,
            DescriptorKind::StorageImage => 5,
            DescriptorKind::Sampler => 6,
            DescriptorKind::AccelerationStructure => 7,
            DescriptorKind::InputAttachment => 8,
        },
        count: row.count.unwrap_or(0),
        register_class: match row.resource.class {
            ResourceClass::Srv => 0,
            ResourceClass::Uav => 1,
            ResourceClass::Cbv => 2,
            ResourceClass::Sampler => 3,
        },
        space: declared.map_or(u32::MAX, |resource| resource.space),
        first_register: declared.map_or(u32::MAX, |resource| resource.lower_bound),
        stride: row.stride,
        writable: row.writable,
        is_counter: row.is_counter,
        name,
    }
}

impl DxilJitTranslation {
    pub(super) fn new(done: Arc<Finished>) -> Self {
        let [inputs, outputs, patch_constants] =
            [0, 1, 2].map(|at| done.signatures[at].elements.as_slice());
        let reflection = DxilJitReflection {
            stage: done.stage,
            workgroup_size: done.workgroup_size,
            subgroup_size: done.subgroup_size,
            push_constant_bytes: done.push_constant_bytes,
            entry: done.entry.as_ptr(),
            uses: done.uses.as_ptr(),
            use_count: done.uses.len(),
            shader_flags: done.shader_flags,
            wave_lanes: done.wave_lanes,
            control_points: done.control_points,
            patch_location: done.patch_location,
            inputs: inputs.as_ptr(),
            input_count: inputs.len(),
            outputs: outputs.as_ptr(),
            output_count: outputs.len(),
            patch_constants: patch_constants.as_ptr(),
            patch_constant_count: patch_constants.len(),
            capabilities: done.capabilities.as_ptr(),
            capability_count: done.capabilities.len(),
            extensions: done.extensions.as_ptr(),
            extension_count: done.extensions.len(),
        };
        DxilJitTranslation { done, reflection }
    }
}

/// Returns the words of the module and writes their number to `*count`. They live as long as the
/// translation. Returns null for null, and for a translation that was freed.
///
/// # Safety
/// Nobody frees the translation meanwhile; `count` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_translation_words(
    translation: *const DxilJitTranslation,
    count: *mut usize,
) -> *const u32 {
    // SAFETY: the table gives null or a translation that is alive; nobody frees it meanwhile.
    let words = unsafe { TRANSLATIONS.get(translation).as_ref() }
        .map(|translation| &*translation.done.words);
    if !count.is_null() {
        // SAFETY: as above.
        unsafe { count.write(words.map_or(0, <[u32]>::len)) };
    }
    words.map_or(std::ptr::null(), <[u32]>::as_ptr)
}

/// Returns the reflection of the module. It lives as long as the translation. Returns null for
/// null, and for a translation that was freed.
///
/// # Safety
/// Nobody frees the translation meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_translation_reflection(
    translation: *const DxilJitTranslation,
) -> *const DxilJitReflection {
    // SAFETY: the table gives null or a translation that is alive; nobody frees it meanwhile.
    let translation = unsafe { TRANSLATIONS.get(translation).as_ref() };
    translation.map_or(std::ptr::null(), |translation| {
        &raw const translation.reflection
    })
}

/// Frees a translation. Nothing happens for null, and for a translation that was freed.
///
/// # Safety
/// Nobody uses the words and the reflection afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_translation_free(translation: *mut DxilJitTranslation) {
    drop(TRANSLATIONS.remove(translation));
}
