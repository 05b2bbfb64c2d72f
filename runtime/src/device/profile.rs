//! The properties of a device that the planner of layouts and the translator need.

use dxil_cpu::Checks;
use dxil_translate::{DescriptorHeaps, Features, Style, Target, VulkanVersion};
use serde::{Deserialize, Serialize};

/// Limits that a layout and a job have to respect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Descriptor sets of a pipeline.
    pub descriptor_sets: u32,
    /// Bytes of push constants.
    pub push_constant_bytes: u32,
    /// Bytes of a uniform buffer.
    pub uniform_buffer_bytes: u64,
    /// Bytes of a storage buffer.
    pub storage_buffer_bytes: u64,
    /// Texels of a texel buffer.
    pub texel_buffer_elements: u64,
    /// Thread groups of a dispatch.
    pub thread_groups: [u32; 3],
    /// Levels of `TraceRay` in ray tracing pipelines; 0 if there are none.
    pub ray_recursion: u32,
    /// Descriptors that an unbounded array gets.
    pub unbounded_descriptors: u32,
    /// Languages: whether unbounded arrays and heaps have no more descriptors than these. Otherwise
    /// a shader that may name others is refused where the language cannot have them all.
    pub unbounded_descriptors_are_all: bool,
}

/// Those of [`Profile::offline`].
impl Default for Limits {
    fn default() -> Self {
        Profile::offline(VulkanVersion::V1_3).limits
    }
}

impl Limits {
    /// Returns limits that most devices exceed, for translations without a device.
    pub(crate) fn without_device(unbounded_descriptors: u32) -> Limits {
        Limits {
            descriptor_sets: 4,
            push_constant_bytes: 128,
            uniform_buffer_bytes: 65536,
            storage_buffer_bytes: 1 << 30,
            texel_buffer_elements: 1 << 27,
            thread_groups: [65535; 3],
            ray_recursion: 0,
            unbounded_descriptors,
            unbounded_descriptors_are_all: false,
        }
    }
}

/// A device for the planner of layouts: its translation target, limits and requirements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// Target of translations for this device.
    pub target: Target,
    /// Limits of a layout and of a job.
    pub limits: Limits,
    /// Whether there are texel buffers. If not, typed buffers are storage buffers whose format
    /// the translated code knows.
    pub texel_buffers: bool,
    /// Whether storage images need a format in the code.
    pub storage_image_formats: bool,
    /// Whether the binding numbers of a set must be 0, 1, 2 ... without gaps.
    pub dense_bindings: bool,
    /// Strides of the heaps of VK_EXT_descriptor_heap, where these replace descriptor sets.
    pub descriptor_heaps: Option<DescriptorHeaps>,
    /// Whether buffers of a job have device addresses.
    pub device_addresses: bool,
    /// Minimum and maximum number of lanes of a subgroup.
    pub subgroup_sizes: (u32, u32),
    /// Whether out-of-bounds accesses are the device's work.
    pub robust: bool,
    /// Whether code can ask if what it read has memory.
    pub residency: bool,
    /// Whether it executes DXIL itself, so that nothing is translated.
    pub executes_dxil: bool,
    /// CPU only: whether denormals keep their value in shaders that leave that to the device.
    pub keep_denormals: bool,
    /// CPU only: what code looks for while it runs.
    pub checks: Checks,
}

impl Profile {
    /// Returns the profile of a device that has the features of the translator, for translations
    /// without a device. Exact `fma` is left out: few drivers have VK_KHR_shader_fma, and code
    /// without it means the same on those that fuse. So are long vectors, which few drivers have.
    pub fn offline(vulkan: VulkanVersion) -> Self {
        let mut target = Target::default();
        target.vulkan = vulkan;
        target.style = Style::Native;
        let fma = Features::FMA_F16 | Features::FMA_F32 | Features::FMA_F64;
        target.features = Features::all() - (fma | Features::LONG_VECTOR);
        Profile {
            target,
            limits: Limits::without_device(16),
            texel_buffers: true,
            storage_image_formats: false,
            dense_bindings: false,
            descriptor_heaps: None,
            device_addresses: true,
            subgroup_sizes: (4, 128),
            robust: true,
            residency: false,
            executes_dxil: false,
            keep_denormals: false,
            checks: Checks::NONE,
        }
    }

    /// Returns the profile for programs whose unbounded arrays and heaps have so many descriptors
    /// and no others. Languages without arrays of a kind of descriptor have a binding for each.
    #[must_use]
    pub fn with_elements(mut self, elements: u32) -> Self {
        self.limits.unbounded_descriptors = elements;
        self.limits.unbounded_descriptors_are_all = true;
        self
    }

    /// Returns the profile for programs that see reserved resources. Others need no code to ask
    /// whether what they read has memory: all of it has.
    #[must_use]
    pub fn with_reserved_resources(mut self) -> Self {
        let features = &mut self.target.features;
        features.set(Features::SPARSE_RESIDENCY, self.residency);
        self
    }
}
