//! Capabilities of the device beyond those of the translator's target.

use ash::{khr, vk};

use crate::device::Capture;

/// Capabilities of the device beyond those of the translator's target.
pub(super) struct Abilities {
    pub(super) null_descriptors: bool,
    pub(super) device_addresses: bool,
    pub(super) partially_bound: bool,
    pub(super) border_colors: bool,
    pub(super) reductions: bool,
    pub(super) anisotropy: bool,
    /// Multisampled images may be storage images.
    pub(super) stores_samples: bool,
    pub(super) mirror_once: bool,
    pub(super) subgroup_size_control: bool,
    pub(super) mutable_descriptors: bool,
    pub(super) dynamic_rendering: bool,
    pub(super) mesh_shaders: bool,
    /// Mesh shaders may draw to several views at once.
    pub(super) mesh_views: bool,
    /// Queries count what mesh shaders do.
    pub(super) mesh_queries: bool,
    /// There are textures of nothing but alpha.
    pub(super) alpha_alone: bool,
    pub(super) stream_output: bool,
    pub(super) stream_select: bool,
    pub(super) stream_queries: bool,
    pub(super) draw_indirect_count: bool,
    /// The queue binds memory to sparse resources.
    pub(super) sparse_binding: bool,
    /// Reads without memory give zero.
    pub(super) strict_residency: bool,
    /// Features of Vulkan 1.0.
    pub(super) core: vk::PhysicalDeviceFeatures,
}

/// The device's entry points and limits for acceleration structures.
pub(super) struct StructureAbilities {
    pub(super) raw: khr::acceleration_structure::Device,
    /// Maximum number of geometries of a bottom level.
    pub(super) geometries: u64,
    /// Maximum number of instances of a top level.
    pub(super) instances: u64,
    /// Maximum number of primitives of a bottom level.
    pub(super) primitives: u64,
    /// Alignment of scratch addresses in bytes.
    pub(super) scratch_alignment: u64,
}

impl StructureAbilities {
    /// Returns the abilities of a device with the extension and its feature.
    pub(super) fn new(
        instance: &ash::Instance,
        device: &ash::Device,
        properties: &vk::PhysicalDeviceAccelerationStructurePropertiesKHR<'_>,
    ) -> Self {
        StructureAbilities {
            raw: khr::acceleration_structure::Device::new(instance, device),
            geometries: properties.max_geometry_count,
            instances: properties.max_instance_count,
            primitives: properties.max_primitive_count,
            scratch_alignment: properties
                .min_acceleration_structure_scratch_offset_alignment
                .max(1)
                .into(),
        }
    }
}

/// The device's entry points and limits for ray tracing pipelines.
pub(super) struct RayAbilities {
    pub(super) raw: khr::ray_tracing_pipeline::Device,
    pub(super) max_recursion: u32,
    pub(super) max_attribute_bytes: u32,
    pub(super) max_rays: u32,
    pub(super) max_stride: u32,
    pub(super) handle_bytes: u32,
    pub(super) handle_alignment: u32,
    pub(super) base_alignment: u32,
    pub(super) indirect: bool,
    pub(super) skips: bool,
}

/// Returns the maximum depth of recursion; 0 without the extension.
pub(super) fn max_recursion(able: Option<&RayAbilities>) -> u32 {
    able.map_or(0, |able| able.max_recursion)
}

impl RayAbilities {
    /// Returns the abilities of a device with the extension and its feature.
    pub(super) fn new(
        instance: &ash::Instance,
        device: &ash::Device,
        properties: &vk::PhysicalDeviceRayTracingPipelinePropertiesKHR<'_>,
        features: &vk::PhysicalDeviceRayTracingPipelineFeaturesKHR<'_>,
    ) -> Self {
        RayAbilities {
            raw: khr::ray_tracing_pipeline::Device::new(instance, device),
            max_recursion: properties.max_ray_recursion_depth,
            max_attribute_bytes: properties.max_ray_hit_attribute_size,
            max_rays: properties.max_ray_dispatch_invocation_count,
            max_stride: properties.max_shader_group_stride,
            handle_bytes: properties.shader_group_handle_size,
            handle_alignment: properties.shader_group_handle_alignment.max(1),
            base_alignment: properties.shader_group_base_alignment.max(1),
            indirect: features.ray_tracing_pipeline_trace_rays_indirect != 0,
            skips: features.ray_traversal_primitive_culling != 0,
        }
    }
}

/// The device's entry points for machine code, and what pipelines keep of it.
pub(super) struct CaptureAbilities {
    pub(super) raw: khr::pipeline_executable_properties::Device,
    /// Flags for the creation of pipelines.
    pub(super) flags: vk::PipelineCreateFlags,
    /// Whether a part of a graphics pipeline can be made by itself.
    pub(super) parts: bool,
}

impl CaptureAbilities {
    /// Returns the abilities of a device with the extension, if something is to be captured.
    pub(super) fn new(
        capture: Capture,
        parts: bool,
        instance: &ash::Instance,
        device: &ash::Device,
    ) -> Option<Self> {
        use vk::PipelineCreateFlags as F;
        let flags = match capture {
            Capture::Nothing => return None,
            Capture::Statistics => F::CAPTURE_STATISTICS_KHR,
            Capture::Texts => F::CAPTURE_STATISTICS_KHR | F::CAPTURE_INTERNAL_REPRESENTATIONS_KHR,
        };
        Some(CaptureAbilities {
            raw: khr::pipeline_executable_properties::Device::new(instance, device),
            flags,
            parts,
        })
    }
}
