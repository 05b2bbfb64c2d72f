//! A finished translation.

use std::ffi::{CString, c_char};
use std::sync::Arc;

use dxil_frontend::dxil::{ResourceClass, Shader};
use dxil_translate::{BindingUse, DescriptorKind, Translation};

/// A finished translation: a SPIR-V module and what it binds.
pub struct DxilJitTranslation {
    done: Arc<Finished>,
    reflection: DxilJitReflection,
}

/// Stages. A hull shader is Vulkan's tessellation control shader, a domain shader its evaluation shader.
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
    /// Number of descriptors; 0 is a runtime array.
    pub count: u32,
    /// A `dxil_jit_class`.
    pub register_class: u32,
    /// Register space of the resource; all ones for what is no declared resource.
    pub space: u32,
    /// First register of the resource.
    pub first_register: u32,
    /// Bytes per element of a structured buffer, bytes of a constant buffer.
    pub stride: u32,
    /// The shader may write to it.
    pub writable: bool,
    /// It is the counter of the UAV.
    pub is_counter: bool,
    /// Name in the source; may be empty. Lives as long as the translation.
    pub name: *const c_char,
}

/// What a module is and binds. Pointers live as long as the translation.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DxilJitReflection {
    /// A `dxil_jit_stage`.
    pub stage: u32,
    /// Threads per group; 0 for stages without groups.
    pub workgroup_size: [u32; 3],
    /// Subgroup size that the pipeline must require; 0 is any.
    pub subgroup_size: u32,
    /// Bytes of push constants, from 0.
    pub push_constant_bytes: u32,
    /// Name of the entry point.
    pub entry: *const c_char,
    /// Descriptors in use, in order of set and binding.
    pub uses: *const DxilJitUse,
    /// Number of them.
    pub use_count: usize,
}

/// A translation that many handles may share.
pub(super) struct Finished {
    words: Vec<u32>,
    entry: CString,
    names: Vec<CString>,
    uses: Vec<DxilJitUse>,
    stage: u32,
    workgroup_size: [u32; 3],
    subgroup_size: u32,
    push_constant_bytes: u32,
}

// SAFETY: the pointers in `uses` point into `names`, which never changes.
unsafe impl Send for Finished {}
// SAFETY: as above.
unsafe impl Sync for Finished {}

impl Finished {
    pub(super) fn new(shader: &Shader, translation: Translation) -> Finished {
        let interface = translation.interface;
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
            words: translation.words,
            entry: crate::compat::c_string(&interface.entry),
            names,
            uses,
            stage: interface.stage as u32,
            workgroup_size: interface.workgroup_size.unwrap_or([0; 3]),
            subgroup_size: interface.required_subgroup_size.unwrap_or(0),
            push_constant_bytes: interface.push_constant_bytes,
        }
    }

    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        let names: usize = self.names.iter().map(|name| name.as_bytes().len()).sum();
        size_of_val(&*self.words) + size_of_val(&*self.uses) + names
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
        let reflection = DxilJitReflection {
            stage: done.stage,
            workgroup_size: done.workgroup_size,
            subgroup_size: done.subgroup_size,
            push_constant_bytes: done.push_constant_bytes,
            entry: done.entry.as_ptr(),
            uses: done.uses.as_ptr(),
            use_count: done.uses.len(),
        };
        DxilJitTranslation { done, reflection }
    }
}

/// The module's words; `*count` is their number. They live as long as the translation. Null for null.
///
/// # Safety
/// The translation is null or alive; `count` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_translation_words(
    translation: *const DxilJitTranslation,
    count: *mut usize,
) -> *const u32 {
    // SAFETY: the caller keeps the rules above.
    let words = unsafe { translation.as_ref() }.map(|translation| &*translation.done.words);
    if !count.is_null() {
        // SAFETY: as above.
        unsafe { count.write(words.map_or(0, <[u32]>::len)) };
    }
    words.map_or(std::ptr::null(), <[u32]>::as_ptr)
}

/// What the module is and binds. It lives as long as the translation. Null for null.
///
/// # Safety
/// The translation is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_translation_reflection(
    translation: *const DxilJitTranslation,
) -> *const DxilJitReflection {
    // SAFETY: the caller keeps the rules above.
    let translation = unsafe { translation.as_ref() };
    translation.map_or(std::ptr::null(), |translation| {
        &raw const translation.reflection
    })
}

/// Frees a translation; null is fine.
///
/// # Safety
/// The translation is null or alive, and not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_translation_free(translation: *mut DxilJitTranslation) {
    if !translation.is_null() {
        // SAFETY: the caller keeps the rules above.
        drop(unsafe { Box::from_raw(translation) });
    }
}
