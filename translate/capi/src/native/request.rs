//! Options and bindings of a translation.

use std::ffi::{CStr, c_char};

use dxil_frontend::dxil::{ResourceClass, Shader, read_shader, read_shader_with_debug_info};
use dxil_translate::{
    BindingMap, Counter, DescriptorHeaps, DescriptorSlot, Features, Location, Options, ResourceKey,
    SourceDebugInfo, Style, Target, VulkanVersion,
};

use super::class_instances::{self, DxilJitClassInstance, NamedInstance};
use super::{DxilJitError, bad_argument, collisions};

/// Register classes.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DxilJitClass {
    /// `t`
    Srv = 0,
    /// `u`
    Uav = 1,
    /// `b`
    Cbv = 2,
    /// `s`
    Sampler = 3,
}

/// The place of the resources of a binding.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DxilJitPlace {
    /// Descriptor (array) `set`, `binding`; `counter_set`, `counter_binding` for a counter.
    Descriptor = 0,
    /// Heap `set`, `binding`: index = register - first register + `offset` + the push-constant word
    /// `word`, unless that is all ones.
    Heap = 1,
    /// Root constants: the push-constant words from `word` on.
    PushConstants = 2,
    /// Root descriptor: the device address is in the push-constant words `word` and `word` + 1.
    DeviceAddress = 3,
    /// Acceleration structures: a storage buffer `set`, `binding` of device addresses, 8 bytes
    /// each; the index is that of `DXIL_JIT_PLACE_HEAP`.
    AddressTable = 4,
}

/// A declared range of registers, and where its resources are.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DxilJitBinding {
    /// A `dxil_jit_class`.
    pub register_class: u32,
    /// Register space.
    pub space: u32,
    /// First register of the declared range.
    pub first_register: u32,
    /// A `dxil_jit_place`.
    pub place: u32,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Offset in a heap.
    pub offset: u32,
    /// Push-constant word.
    pub word: u32,
    /// Descriptor set of the counter of a UAV.
    pub counter_set: u32,
    /// Binding of the counter: a storage buffer of one word.
    pub counter_binding: u32,
}

/// Options of a translation. If all are zero, the target is Vulkan 1.3 without optional features.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DxilJitOptions {
    /// Vulkan version: 11, 12, 13 or 14; 0 means 13.
    pub vulkan_version: u32,
    /// Subgroup size to declare if the shader declares none; 0 for none.
    pub subgroup_size: u32,
    /// Optional features that the device has: `DXIL_JIT_FEATURE_` bits.
    pub features: u64,
    /// Name of the entry point; null selects the first one.
    pub entry: *const c_char,
    /// Write only SPIR-V that naga reads.
    pub portable: bool,
    /// Check the bounds of buffers in code.
    pub bounds_checks: bool,
    /// Write names.
    pub debug_info: bool,
    /// Min-precision values have 16 bits instead of 32.
    pub native_min_precision: bool,
    /// Set of `ResourceDescriptorHeap` (binding 0) and `SamplerDescriptorHeap` (binding 1), if
    /// `has_heaps`.
    pub heap_set: u32,
    /// Whether there are descriptor heaps.
    pub has_heaps: bool,
    /// Whether `patch_location` is set.
    pub has_patch_location: bool,
    /// Write `f32tof16` as one instruction, which rounds as the driver does.
    pub fast_half_packing: bool,
    /// Debug information to write, if the container has any: 0 for none, 1 for source texts and
    /// lines, 2 also for scopes, types and variables (NonSemantic.Shader.DebugInfo.100).
    pub source_debug_info: u8,
    /// Location of the first patch constant of a domain shader: `patch_location` of the hull
    /// shader's reflection.
    pub patch_location: u32,
    /// With `descriptor_heaps`: bytes from a descriptor of the heap of resources to the next one,
    /// or 0 for the size of the descriptor's type (`OpConstantSizeOfEXT`).
    pub resource_heap_stride: u32,
    /// The same for the heap of samplers.
    pub sampler_heap_stride: u32,
    /// Heaps are those of VK_EXT_descriptor_heap, by SPV_EXT_descriptor_heap: in
    /// `DXIL_JIT_PLACE_HEAP`, `set` and `binding` are not used, and `has_heaps` is not needed.
    /// Needs `DXIL_JIT_FEATURE_DESCRIPTOR_HEAP`; not for portable modules.
    pub descriptor_heaps: bool,
    /// Reach what lies beyond the first 4 GiB of storage buffers (SPV_EXT_shader_64bit_indexing).
    /// Needs `DXIL_JIT_FEATURE_64BIT_INDEXING` and `DXIL_JIT_FEATURE_INT64`. Experimental.
    pub large_buffers: bool,
    /// Translate operations of the preview shader model 6.10, which still change.
    pub preview: bool,
}

/// shaderFloat16
pub const DXIL_JIT_FEATURE_FLOAT16: u64 = 1 << 0;
/// shaderFloat64
pub const DXIL_JIT_FEATURE_FLOAT64: u64 = 1 << 1;
/// shaderInt16
pub const DXIL_JIT_FEATURE_INT16: u64 = 1 << 2;
/// shaderInt64
pub const DXIL_JIT_FEATURE_INT64: u64 = 1 << 3;
/// storageBuffer16BitAccess
pub const DXIL_JIT_FEATURE_STORAGE_16BIT: u64 = 1 << 4;
/// 64-bit atomics on buffers and groupshared memory
pub const DXIL_JIT_FEATURE_INT64_ATOMICS: u64 = 1 << 5;
/// storage images without format, read and written
pub const DXIL_JIT_FEATURE_STORAGE_WITHOUT_FORMAT: u64 = 1 << 6;
/// runtimeDescriptorArray and non-uniform indexing
pub const DXIL_JIT_FEATURE_DESCRIPTOR_INDEXING: u64 = 1 << 7;
/// bufferDeviceAddress
pub const DXIL_JIT_FEATURE_DEVICE_ADDRESS: u64 = 1 << 8;
/// subgroup operations with their extended types, quads included
pub const DXIL_JIT_FEATURE_SUBGROUP: u64 = 1 << 9;
/// robustBufferAccess2 with null descriptors
pub const DXIL_JIT_FEATURE_ROBUSTNESS2: u64 = 1 << 10;
/// shaderDemoteToHelperInvocation
pub const DXIL_JIT_FEATURE_DEMOTE: u64 = 1 << 11;
/// what Vulkan's core asks of desktop devices: geometry and tessellation, clip and cull distances,
/// cube arrays, 1D images, sample rate shading, draw parameters, extended gathers
pub const DXIL_JIT_FEATURE_DESKTOP: u64 = 1 << 12;
/// rayQuery and rayTraversalPrimitiveCulling
pub const DXIL_JIT_FEATURE_RAY_QUERY: u64 = 1 << 13;
/// micromap
pub const DXIL_JIT_FEATURE_OPACITY_MICROMAP: u64 = 1 << 14;
/// descriptorHeap and shaderUntypedPointers
pub const DXIL_JIT_FEATURE_DESCRIPTOR_HEAP: u64 = 1 << 15;
/// shader64BitIndexing
pub const DXIL_JIT_FEATURE_64BIT_INDEXING: u64 = 1 << 16;
/// longVector: vectors of shader model 6.9 stay whole
pub const DXIL_JIT_FEATURE_LONG_VECTOR: u64 = 1 << 17;

fn features(bits: u64) -> Features {
    let mut all = Features::empty();
    for (bit, features) in [
        (DXIL_JIT_FEATURE_FLOAT16, Features::FLOAT16),
        (DXIL_JIT_FEATURE_FLOAT64, Features::FLOAT64),
        (DXIL_JIT_FEATURE_INT16, Features::INT16),
        (DXIL_JIT_FEATURE_INT64, Features::INT64),
        (DXIL_JIT_FEATURE_STORAGE_16BIT, Features::STORAGE_16BIT),
        (
            DXIL_JIT_FEATURE_INT64_ATOMICS,
            Features::BUFFER_INT64_ATOMICS | Features::SHARED_INT64_ATOMICS,
        ),
        (
            DXIL_JIT_FEATURE_STORAGE_WITHOUT_FORMAT,
            Features::STORAGE_READ_WITHOUT_FORMAT | Features::STORAGE_WRITE_WITHOUT_FORMAT,
        ),
        (
            DXIL_JIT_FEATURE_DESCRIPTOR_INDEXING,
            Features::DESCRIPTOR_INDEXING,
        ),
        (
            DXIL_JIT_FEATURE_DEVICE_ADDRESS,
            Features::BUFFER_DEVICE_ADDRESS,
        ),
        (
            DXIL_JIT_FEATURE_SUBGROUP,
            Features::SUBGROUP
                | Features::SUBGROUP_QUAD
                | Features::SUBGROUP_EXTENDED_TYPES
                | Features::SUBGROUP_CLUSTERED,
        ),
        (DXIL_JIT_FEATURE_ROBUSTNESS2, Features::ROBUSTNESS2),
        (DXIL_JIT_FEATURE_DEMOTE, Features::DEMOTE_TO_HELPER),
        (
            DXIL_JIT_FEATURE_DESKTOP,
            Features::GEOMETRY
                | Features::TESSELLATION
                | Features::CLIP_CULL_DISTANCE
                | Features::IMAGE_CUBE_ARRAY
                | Features::IMAGE_1D
                | Features::SAMPLE_RATE_SHADING
                | Features::DRAW_PARAMETERS
                | Features::IMAGE_GATHER_EXTENDED
                | Features::STORES_AND_ATOMICS,
        ),
        (
            DXIL_JIT_FEATURE_RAY_QUERY,
            Features::RAY_QUERY | Features::RAY_PRIMITIVE_CULLING,
        ),
        (
            DXIL_JIT_FEATURE_OPACITY_MICROMAP,
            Features::OPACITY_MICROMAP,
        ),
        (DXIL_JIT_FEATURE_DESCRIPTOR_HEAP, Features::DESCRIPTOR_HEAP),
        (
            DXIL_JIT_FEATURE_64BIT_INDEXING,
            Features::SHADER_64BIT_INDEXING,
        ),
        (DXIL_JIT_FEATURE_LONG_VECTOR, Features::LONG_VECTOR),
    ] {
        if bits & bit != 0 {
            all |= features;
        }
    }
    all
}

/// A copy of the options and bindings in the caller's memory.
pub(super) struct Request {
    options: DxilJitOptions,
    entry: Option<String>,
    bindings: Vec<DxilJitBinding>,
    /// Class instances of the shader's interfaces, if they are known.
    instances: Option<Vec<NamedInstance>>,
}

impl Request {
    /// # Safety
    /// Pointers are null or what they say.
    pub(super) unsafe fn read(
        (options, bindings, count): (*const DxilJitOptions, *const DxilJitBinding, usize),
        (instances, instance_count): (*const DxilJitClassInstance, usize),
    ) -> Result<Request, Box<DxilJitError>> {
        // SAFETY: passed on.
        let options = unsafe { options.as_ref() }
            .copied()
            .unwrap_or(DEFAULT_OPTIONS);
        let entry = if options.entry.is_null() {
            None
        } else {
            // SAFETY: passed on.
            let name = unsafe { CStr::from_ptr(options.entry) };
            let name = name
                .to_str()
                .map_err(|_| bad_argument("the entry is no UTF-8"))?;
            Some(name.to_owned())
        };
        if bindings.is_null() && count != 0 {
            return Err(bad_argument("the bindings are null"));
        }
        let bindings = if count == 0 {
            Vec::new()
        } else {
            // SAFETY: passed on.
            unsafe { std::slice::from_raw_parts(bindings, count) }.to_vec()
        };
        // SAFETY: passed on.
        let instances = unsafe { class_instances::read(instances, instance_count) };
        let instances = instances.map_err(bad_argument)?;
        Ok(Request {
            options,
            entry,
            bindings,
            instances,
        })
    }

    /// Returns the debug information to write.
    ///
    /// # Errors
    ///
    /// `source_debug_info` is greater than 2.
    pub(super) fn source(&self) -> Result<SourceDebugInfo, Box<DxilJitError>> {
        match self.options.source_debug_info {
            0 => Ok(SourceDebugInfo::None),
            1 => Ok(SourceDebugInfo::Lines),
            2 => Ok(SourceDebugInfo::Full),
            _ => Err(bad_argument("source_debug_info is none of 0, 1, 2")),
        }
    }

    /// Reads the shader.
    pub(super) fn shader(&self, bytes: &[u8]) -> Result<Shader, Box<DxilJitError>> {
        let shader = match (&self.instances, self.source()?) {
            (Some(instances), _) => class_instances::read_shader(bytes, instances),
            (None, SourceDebugInfo::None) => read_shader(bytes),
            (None, SourceDebugInfo::Lines | SourceDebugInfo::Full) => {
                read_shader_with_debug_info(bytes)
            }
        };
        shader.map_err(|error| Box::<DxilJitError>::from(&error.into()))
    }

    /// Returns bytes that are equal for equal requests: everything that the result depends on.
    pub(super) fn key(&self, shader: &[u8]) -> Box<[u8]> {
        use std::fmt::Write;
        let mut text = String::new();
        let options = DxilJitOptions {
            entry: std::ptr::null(),
            ..self.options
        };
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "{options:?}{:?}{:?}{:?}",
            self.entry, self.bindings, self.instances
        );
        let mut key = text.into_bytes();
        key.push(0);
        key.extend_from_slice(shader);
        key.into_boxed_slice()
    }

    pub(super) fn options(&self, shader: &Shader) -> Result<Options, Box<DxilJitError>> {
        let own = &self.options;
        let vulkan = match own.vulkan_version {
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
        let mut bindings = BindingMap::new();
        for binding in &self.bindings {
            place(binding, shader, &mut bindings)?;
        }
        if !self.bindings.is_empty()
            && let Some(problem) = collisions::find(shader, &bindings)
        {
            return Err(bad_argument(&problem));
        }
        if own.has_heaps {
            let slot = |binding| DescriptorSlot {
                set: own.heap_set,
                binding,
            };
            bindings.resource_heap = Some(slot(0));
            bindings.sampler_heap = Some(slot(1));
        }
        bindings.descriptor_heaps = own.descriptor_heaps.then_some(DescriptorHeaps {
            resource_stride: own.resource_heap_stride,
            sampler_stride: own.sampler_heap_stride,
        });
        let style = if own.portable {
            Style::Portable
        } else {
            Style::Native
        };
        let mut options = Options::default();
        options.target = Target::new(vulkan, style, features(own.features));
        options.bindings = bindings;
        options.entry = self.entry.clone();
        options.bounds_checks = own.bounds_checks;
        options.large_buffers = own.large_buffers;
        options.debug_info = own.debug_info;
        options.source = self.source()?;
        options.native_min_precision = own.native_min_precision;
        options.fast_half_packing = own.fast_half_packing;
        options.preview = own.preview;
        options.required_subgroup_size = own.subgroup_size;
        options.signature.patch_location_offset =
            own.has_patch_location.then_some(own.patch_location);
        Ok(options)
    }
}

/// Options of a caller that passes null.
const DEFAULT_OPTIONS: DxilJitOptions = DxilJitOptions {
    vulkan_version: 0,
    subgroup_size: 0,
    features: 0,
    entry: std::ptr::null(),
    portable: false,
    bounds_checks: false,
    debug_info: false,
    native_min_precision: false,
    heap_set: 0,
    has_heaps: false,
    has_patch_location: false,
    fast_half_packing: false,
    source_debug_info: 0,
    patch_location: 0,
    resource_heap_stride: 0,
    sampler_heap_stride: 0,
    descriptor_heaps: false,
    large_buffers: false,
    preview: false,
};

/// Adds the location of the range that the binding is for; a range that the shader does not declare
/// is ignored.
fn place(
    binding: &DxilJitBinding,
    shader: &Shader,
    map: &mut BindingMap,
) -> Result<(), Box<DxilJitError>> {
    let class = ResourceClass::from_number(u64::from(binding.register_class))
        .ok_or_else(|| bad_argument("a binding's class is none of 0 to 3"))?;
    let declared = shader.resources.of(class).iter().find(|resource| {
        resource.space == binding.space && resource.lower_bound == binding.first_register
    });
    let slot = DescriptorSlot {
        set: binding.set,
        binding: binding.binding,
    };
    let counter = Some(Counter::Buffer(DescriptorSlot {
        set: binding.counter_set,
        binding: binding.counter_binding,
    }));
    let words = declared.map_or(0, |resource| resource.detail.cbuffer_size.div_ceil(4));
    let location = match binding.place {
        0 => Location::Descriptor {
            slot,
            first_index: 0,
            counter,
            format: None,
        },
        1 => Location::Heap {
            slot,
            table_word: (binding.word != u32::MAX).then_some(binding.word),
            offset: binding.offset,
            counter,
            ranges: None,
        },
        2 => Location::PushConstants {
            first_word: binding.word,
            words,
        },
        3 => Location::DeviceAddress {
            first_word: binding.word,
        },
        4 => Location::AddressTable {
            slot,
            table_word: (binding.word != u32::MAX).then_some(binding.word),
            offset: binding.offset,
            stride: 1,
            first: 0,
        },
        _ => return Err(bad_argument("a binding's place is none of 0 to 4")),
    };
    if let Some(resource) = declared {
        let key = ResourceKey {
            class,
            id: resource.id,
        };
        if map.get(key).is_some() {
            let (letter, first) = (class.letter(), binding.first_register);
            let space = binding.space;
            let message = format!("{letter}{first} in space {space} has two bindings");
            return Err(bad_argument(&message));
        }
        map.insert(key, location);
    }
    Ok(())
}
