//! Device features: what the device has is asked for, everything useful is enabled, and the
//! translator's [`Target`] says what came of it.

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_char};

use ash::{ext, khr, nv, vk};
use dxil_translate::{Features, Numerics, Style, Target, VulkanVersion};

use super::conv::api;
use super::float_controls;
use super::heaps::declarations::{
    DESCRIPTOR_HEAP_NAME, DescriptorHeapFeatures, UNTYPED_POINTERS_NAME, UntypedPointersFeatures,
};
use super::long_vector::{LONG_VECTOR_NAME, LongVectorFeatures};
use crate::error::{Error, Result};

const COMPUTE_DERIVATIVES_KHR: &CStr = c"VK_KHR_compute_shader_derivatives";

/// Extensions that are enabled where the device has them.
const WANTED: &[&CStr] = &[
    ext::robustness2::NAME,
    COMPUTE_DERIVATIVES_KHR,
    khr::shader_maximal_reconvergence::NAME,
    // With this one a shader that draws points need not write `PointSize`: the size is one pixel.
    khr::maintenance5::NAME,
    khr::shader_quad_control::NAME,
    khr::fragment_shader_barycentric::NAME,
    ext::fragment_shader_interlock::NAME,
    khr::shader_clock::NAME,
    khr::cooperative_matrix::NAME,
    ext::mesh_shader::NAME,
    ext::shader_image_atomic_int64::NAME,
    ext::shader_atomic_float::NAME,
    khr::workgroup_memory_explicit_layout::NAME,
    ext::transform_feedback::NAME,
    khr::shader_float_controls2::NAME,
    ext::custom_border_color::NAME,
    ext::shader_stencil_export::NAME,
    nv::shader_subgroup_partitioned::NAME,
    khr::fragment_shading_rate::NAME,
    ext::mutable_descriptor_type::NAME,
    ext::conservative_rasterization::NAME,
    // `VK_KHR_acceleration_structure` requires it; nothing is deferred here.
    khr::deferred_host_operations::NAME,
    khr::acceleration_structure::NAME,
    khr::ray_query::NAME,
    khr::ray_tracing_pipeline::NAME,
    DESCRIPTOR_HEAP_NAME,
    UNTYPED_POINTERS_NAME,
    LONG_VECTOR_NAME,
    khr::pipeline_executable_properties::NAME,
    // `VK_EXT_graphics_pipeline_library` requires it.
    khr::pipeline_library::NAME,
    ext::graphics_pipeline_library::NAME,
];

/// Those of them that only machine code is looked at with.
const OF_CAPTURE: [&CStr; 3] = [
    khr::pipeline_executable_properties::NAME,
    khr::pipeline_library::NAME,
    ext::graphics_pipeline_library::NAME,
];

/// The feature structures of a device, linked only while they are handed to Vulkan.
pub(super) struct FeatureSet {
    extensions: BTreeSet<CString>,
    api_version: u32,
    pub(super) core: vk::PhysicalDeviceFeatures,
    pub(super) v11: vk::PhysicalDeviceVulkan11Features<'static>,
    pub(super) v12: vk::PhysicalDeviceVulkan12Features<'static>,
    pub(super) v13: vk::PhysicalDeviceVulkan13Features<'static>,
    pub(super) robustness2: vk::PhysicalDeviceRobustness2FeaturesEXT<'static>,
    pub(super) derivatives: vk::PhysicalDeviceComputeShaderDerivativesFeaturesNV<'static>,
    maintenance5: vk::PhysicalDeviceMaintenance5FeaturesKHR<'static>,
    pub(super) reconvergence: vk::PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR<'static>,
    pub(super) quad_control: vk::PhysicalDeviceShaderQuadControlFeaturesKHR<'static>,
    pub(super) barycentric: vk::PhysicalDeviceFragmentShaderBarycentricFeaturesKHR<'static>,
    pub(super) interlock: vk::PhysicalDeviceFragmentShaderInterlockFeaturesEXT<'static>,
    pub(super) clock: vk::PhysicalDeviceShaderClockFeaturesKHR<'static>,
    matrices: vk::PhysicalDeviceCooperativeMatrixFeaturesKHR<'static>,
    pub(super) mesh: vk::PhysicalDeviceMeshShaderFeaturesEXT<'static>,
    pub(super) image_atomics: vk::PhysicalDeviceShaderImageAtomicInt64FeaturesEXT<'static>,
    pub(super) float_atomics: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT<'static>,
    pub(super) workgroup_layout:
        vk::PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR<'static>,
    pub(super) transform_feedback: vk::PhysicalDeviceTransformFeedbackFeaturesEXT<'static>,
    pub(super) float_controls2: vk::PhysicalDeviceShaderFloatControls2FeaturesKHR<'static>,
    border_color: vk::PhysicalDeviceCustomBorderColorFeaturesEXT<'static>,
    pub(super) shading_rate: vk::PhysicalDeviceFragmentShadingRateFeaturesKHR<'static>,
    mutable_descriptors: vk::PhysicalDeviceMutableDescriptorTypeFeaturesEXT<'static>,
    pub(super) structures: vk::PhysicalDeviceAccelerationStructureFeaturesKHR<'static>,
    pub(super) ray_query: vk::PhysicalDeviceRayQueryFeaturesKHR<'static>,
    pub(super) ray_tracing: vk::PhysicalDeviceRayTracingPipelineFeaturesKHR<'static>,
    descriptor_heap: DescriptorHeapFeatures,
    untyped_pointers: UntypedPointersFeatures,
    long_vector: LongVectorFeatures,
    executables: vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR<'static>,
    pipeline_parts: vk::PhysicalDeviceGraphicsPipelineLibraryFeaturesEXT<'static>,
}

/// Returns an error for versions of Vulkan that are too old.
pub(super) fn check_version(api_version: u32) -> Result<()> {
    if api_version < vk::API_VERSION_1_2 {
        return Err(Error::Unsupported("a Vulkan version below 1.2".into()));
    }
    Ok(())
}

impl FeatureSet {
    /// Returns a set without features. `has` says which extensions there are.
    pub(super) fn empty(api_version: u32, has: impl Fn(&CStr) -> bool) -> Self {
        FeatureSet {
            extensions: WANTED
                .iter()
                .filter(|name| has(name))
                .map(|name| (*name).to_owned())
                .collect(),
            api_version,
            core: Default::default(),
            v11: Default::default(),
            v12: Default::default(),
            v13: Default::default(),
            robustness2: Default::default(),
            derivatives: Default::default(),
            maintenance5: Default::default(),
            reconvergence: Default::default(),
            quad_control: Default::default(),
            barycentric: Default::default(),
            interlock: Default::default(),
            clock: Default::default(),
            matrices: Default::default(),
            mesh: Default::default(),
            image_atomics: Default::default(),
            float_atomics: Default::default(),
            workgroup_layout: Default::default(),
            transform_feedback: Default::default(),
            float_controls2: Default::default(),
            border_color: Default::default(),
            shading_rate: Default::default(),
            mutable_descriptors: Default::default(),
            structures: Default::default(),
            ray_query: Default::default(),
            ray_tracing: Default::default(),
            descriptor_heap: Default::default(),
            untyped_pointers: Default::default(),
            long_vector: Default::default(),
            executables: Default::default(),
            pipeline_parts: Default::default(),
        }
    }

    /// Asks the device.
    pub(super) fn query(
        instance: &ash::Instance,
        device: vk::PhysicalDevice,
        properties: &vk::PhysicalDeviceProperties,
    ) -> Result<Self> {
        check_version(properties.api_version)?;
        // SAFETY: `device` comes from this instance.
        let there = unsafe { instance.enumerate_device_extension_properties(device) }
            .map_err(api("vkEnumerateDeviceExtensionProperties"))?;
        let there: BTreeSet<CString> = there
            .iter()
            .filter_map(|e| e.extension_name_as_c_str().ok())
            .map(CStr::to_owned)
            .collect();
        let mut set = FeatureSet::empty(properties.api_version, |name| there.contains(name));
        // The same chain asks for features and enables them, so that no structure is forgotten on
        // one of both ways.
        let core = {
            let mut head = set.linked();
            // SAFETY: the chain holds only structures of the device's version and extensions.
            unsafe { instance.get_physical_device_features2(device, &mut head) };
            head.features
        };
        set.core = core;
        set.drop_costly();
        Ok(set)
    }

    /// Turns off features that cost time and are of no use here.
    fn drop_costly(&mut self) {
        self.v11.protected_memory = vk::FALSE;
        self.v12.buffer_device_address_capture_replay = vk::FALSE;
        self.v12.buffer_device_address_multi_device = vk::FALSE;
        self.descriptor_heap.descriptor_heap_capture_replay = vk::FALSE;
        // VUID-VkPhysicalDeviceMeshShaderFeaturesEXT-primitiveFragmentShadingRateMeshShader-07033:
        // it depends on a feature of another extension, and nothing here uses it.
        self.mesh.primitive_fragment_shading_rate_mesh_shader = vk::FALSE;
        self.structures.acceleration_structure_capture_replay = vk::FALSE;
        self.structures.acceleration_structure_host_commands = vk::FALSE;
        self.ray_tracing
            .ray_tracing_pipeline_shader_group_handle_capture_replay = vk::FALSE;
        self.ray_tracing
            .ray_tracing_pipeline_shader_group_handle_capture_replay_mixed = vk::FALSE;
    }

    /// Does without robustness2, as a device that lacks it.
    pub(super) fn drop_robustness2(&mut self) {
        let dropped = ext::robustness2::NAME;
        self.extensions.retain(|name| name.as_c_str() != dropped);
        self.robustness2 = Default::default();
    }

    /// Does without what only machine code is looked at with.
    pub(super) fn drop_capture(&mut self) {
        self.extensions
            .retain(|name| !OF_CAPTURE.contains(&name.as_c_str()));
        self.executables = Default::default();
        self.pipeline_parts = Default::default();
    }

    /// Returns whether the driver shows machine code.
    pub(super) fn executables(&self) -> bool {
        self.executables.pipeline_executable_info != 0
    }

    /// Returns whether a part of a graphics pipeline can be made by itself.
    pub(super) fn pipeline_parts(&self) -> bool {
        self.pipeline_parts.graphics_pipeline_library != 0
    }

    /// Does without descriptor heaps, as a device that lacks them.
    pub(super) fn drop_descriptor_heaps(&mut self) {
        let dropped = [DESCRIPTOR_HEAP_NAME, UNTYPED_POINTERS_NAME];
        self.extensions
            .retain(|name| !dropped.contains(&name.as_c_str()));
        self.descriptor_heap = Default::default();
        self.untyped_pointers = Default::default();
    }

    /// Returns whether shaders can take descriptors from heaps.
    pub(super) fn descriptor_heaps(&self) -> bool {
        // Buffers come into a heap by address.
        self.descriptor_heap.descriptor_heap != 0
            && self.untyped_pointers.shader_untyped_pointers != 0
            && self.device_addresses()
    }

    /// Returns the structures as one chain.
    pub(super) fn linked(&mut self) -> vk::PhysicalDeviceFeatures2<'_> {
        let has = |name: &CStr| self.extensions.contains(name);
        let mut head = vk::PhysicalDeviceFeatures2::default().features(self.core);
        macro_rules! link {
            ($($condition:expr => $field:ident;)*) => {
                $(
                    // The pointer of the last chain may dangle: the structure is relinked from
                    // nothing.
                    self.$field.p_next = std::ptr::null_mut();
                    if $condition {
                        head = head.push_next(&mut self.$field);
                    }
                )*
            };
        }
        link! {
            true => v11;
            true => v12;
            // A structure that the device does not know is invalid in the chain of
            // `vkCreateDevice`.
            self.api_version >= vk::API_VERSION_1_3 => v13;
            has(ext::robustness2::NAME) => robustness2;
            has(COMPUTE_DERIVATIVES_KHR) => derivatives;
            has(khr::maintenance5::NAME) => maintenance5;
            has(khr::shader_maximal_reconvergence::NAME) => reconvergence;
            has(khr::shader_quad_control::NAME) => quad_control;
            has(khr::fragment_shader_barycentric::NAME) => barycentric;
            has(ext::fragment_shader_interlock::NAME) => interlock;
            has(khr::shader_clock::NAME) => clock;
            has(khr::cooperative_matrix::NAME) => matrices;
            has(ext::mesh_shader::NAME) => mesh;
            has(ext::shader_image_atomic_int64::NAME) => image_atomics;
            has(ext::shader_atomic_float::NAME) => float_atomics;
            has(khr::workgroup_memory_explicit_layout::NAME) => workgroup_layout;
            has(ext::transform_feedback::NAME) => transform_feedback;
            has(khr::shader_float_controls2::NAME) => float_controls2;
            has(ext::custom_border_color::NAME) => border_color;
            has(khr::fragment_shading_rate::NAME) => shading_rate;
            has(ext::mutable_descriptor_type::NAME) => mutable_descriptors;
            has(khr::acceleration_structure::NAME) => structures;
            has(khr::ray_query::NAME) => ray_query;
            has(khr::ray_tracing_pipeline::NAME) => ray_tracing;
            has(DESCRIPTOR_HEAP_NAME) => descriptor_heap;
            has(UNTYPED_POINTERS_NAME) => untyped_pointers;
            has(LONG_VECTOR_NAME) => long_vector;
            has(khr::pipeline_executable_properties::NAME) => executables;
            has(ext::graphics_pipeline_library::NAME) => pipeline_parts;
        }
        head
    }

    /// Returns the names of the extensions to enable.
    pub(super) fn extension_names(&self) -> Vec<*const c_char> {
        self.extensions.iter().map(|name| name.as_ptr()).collect()
    }

    /// Returns whether null descriptors are allowed.
    pub(super) fn null_descriptors(&self) -> bool {
        self.robustness2.null_descriptor != 0
    }

    /// Returns whether buffers have addresses.
    pub(super) fn device_addresses(&self) -> bool {
        self.v12.buffer_device_address != 0
    }

    /// Returns whether arrays may have descriptors that were never written.
    pub(super) fn partially_bound(&self) -> bool {
        self.v12.descriptor_binding_partially_bound != 0
    }

    /// Returns whether samplers may have any border colour.
    pub(super) fn border_colors(&self) -> bool {
        // Both: a sampler's views are not known when it is made, so its colour cannot have a
        // format.
        self.border_color.custom_border_colors != 0
            && self.border_color.custom_border_color_without_format != 0
    }

    /// Returns whether samplers may have a minimum or maximum reduction.
    pub(super) fn reductions(&self) -> bool {
        self.v12.sampler_filter_minmax != 0
    }

    /// Returns the features of Vulkan 1.0.
    pub(super) fn core(&self) -> vk::PhysicalDeviceFeatures {
        self.core
    }

    /// Returns whether shaders can ask if what they read has memory.
    pub(super) fn residency(&self) -> bool {
        self.core.shader_resource_residency != 0
    }

    /// Returns whether the number of indirect draws may lie in a buffer.
    pub(super) fn draw_indirect_count(&self) -> bool {
        self.v12.draw_indirect_count != 0
    }

    /// Returns whether samplers may be anisotropic.
    pub(super) fn anisotropy(&self) -> bool {
        self.core.sampler_anisotropy != 0
    }

    /// Returns whether mirrored-once addressing is there.
    pub(super) fn mirror_once(&self) -> bool {
        self.v12.sampler_mirror_clamp_to_edge != 0
    }

    /// Returns whether one descriptor may have one of several types.
    pub(super) fn mutable_descriptor_types(&self) -> bool {
        self.mutable_descriptors.mutable_descriptor_type != 0
    }

    /// Returns whether there are acceleration structures.
    pub(super) fn structures(&self) -> bool {
        // Builds take their inputs and scratch memory by address.
        self.structures.acceleration_structure != 0 && self.device_addresses()
    }

    /// Returns the limits of ray tracing pipelines, if the device has them.
    pub(super) fn ray_tracing(
        &self,
    ) -> Option<&vk::PhysicalDeviceRayTracingPipelineFeaturesKHR<'static>> {
        let there = self.structures() && self.ray_tracing.ray_tracing_pipeline != 0;
        there.then_some(&self.ray_tracing)
    }

    /// Returns whether draws need no render pass objects.
    pub(super) fn dynamic_rendering(&self) -> bool {
        self.v13.dynamic_rendering != 0
    }

    /// Returns whether vertices can be captured, on several streams.
    pub(super) fn stream_output(&self) -> bool {
        // `geometryStreams` is a feature of its own: without it only one stream can be captured.
        self.transform_feedback.transform_feedback != 0
            && self.transform_feedback.geometry_streams != 0
    }

    /// Returns whether mesh shaders may draw to several views at once.
    pub(super) fn mesh_views(&self) -> bool {
        self.mesh.multiview_mesh_shader != 0 && self.v11.multiview != 0
    }

    /// Returns whether queries count what mesh shaders do.
    pub(super) fn mesh_queries(&self) -> bool {
        self.mesh.mesh_shader_queries != 0
    }

    /// Returns whether there is what `VK_KHR_maintenance5` brings, formats among it.
    pub(super) fn maintenance5(&self) -> bool {
        self.maintenance5.maintenance5 != 0
    }

    /// Returns whether waves can multiply matrices.
    pub(super) fn matrices(&self) -> bool {
        self.matrices.cooperative_matrix != 0
    }

    /// Returns whether a pipeline may require a subgroup size.
    pub(super) fn subgroup_size_control(&self) -> bool {
        self.v13.subgroup_size_control != 0
    }

    /// Returns whether out-of-bounds accesses read zero and write nothing.
    pub(super) fn robust(&self) -> bool {
        self.robustness2.robust_buffer_access2 != 0 && self.robustness2.robust_image_access2 != 0
    }

    /// Returns the target of translations for this device.
    pub(super) fn target(&self, properties: &Properties) -> Target {
        let c = &self.core;
        let (v11, v12, v13) = (&self.v11, &self.v12, &self.v13);
        let has = |name: &CStr| self.extensions.contains(name);
        let ops = properties.subgroup_operations;
        let all = |bits: &[vk::Bool32]| bits.iter().all(|bit| *bit != 0);
        use vk::SubgroupFeatureFlags as S;
        let table = [
            (Features::FLOAT16, v12.shader_float16 != 0),
            (Features::FLOAT64, c.shader_float64 != 0),
            (Features::INT8, v12.shader_int8 != 0),
            (Features::INT16, c.shader_int16 != 0),
            (Features::INT64, c.shader_int64 != 0),
            (
                Features::STORAGE_16BIT,
                v11.storage_buffer16_bit_access != 0,
            ),
            (Features::STORAGE_8BIT, v12.storage_buffer8_bit_access != 0),
            (
                Features::UNIFORM_16BIT,
                v11.uniform_and_storage_buffer16_bit_access != 0,
            ),
            (
                Features::INPUT_OUTPUT_16BIT,
                v11.storage_input_output16 != 0,
            ),
            (
                Features::BUFFER_INT64_ATOMICS,
                v12.shader_buffer_int64_atomics != 0,
            ),
            (
                Features::SHARED_INT64_ATOMICS,
                v12.shader_shared_int64_atomics != 0,
            ),
            (
                Features::IMAGE_INT64_ATOMICS,
                self.image_atomics.shader_image_int64_atomics != 0,
            ),
            (
                Features::STORAGE_READ_WITHOUT_FORMAT,
                c.shader_storage_image_read_without_format != 0,
            ),
            (
                Features::STORAGE_WRITE_WITHOUT_FORMAT,
                c.shader_storage_image_write_without_format != 0,
            ),
            (
                Features::STORAGE_MULTISAMPLE,
                c.shader_storage_image_multisample != 0,
            ),
            (
                Features::IMAGE_GATHER_EXTENDED,
                c.shader_image_gather_extended != 0,
            ),
            (Features::MIN_LOD, c.shader_resource_min_lod != 0),
            // Only where a job has reserved resources: without, every access is to mapped memory,
            // which the plain operations say for free.
            (Features::SPARSE_RESIDENCY, false),
            (
                // All or nothing: a shader's array may be of any resource kind, and the translator
                // has one flag for all of them.
                Features::DESCRIPTOR_INDEXING,
                all(&[
                    v12.runtime_descriptor_array,
                    v12.descriptor_binding_partially_bound,
                    v12.shader_sampled_image_array_non_uniform_indexing,
                    v12.shader_storage_buffer_array_non_uniform_indexing,
                    v12.shader_storage_image_array_non_uniform_indexing,
                    v12.shader_uniform_buffer_array_non_uniform_indexing,
                    v12.shader_uniform_texel_buffer_array_non_uniform_indexing,
                    v12.shader_storage_texel_buffer_array_non_uniform_indexing,
                ]),
            ),
            (Features::DESCRIPTOR_HEAP, self.descriptor_heaps()),
            (
                Features::LONG_VECTOR,
                has(LONG_VECTOR_NAME) && self.long_vector.long_vector != 0,
            ),
            (
                Features::BUFFER_DEVICE_ADDRESS,
                v12.buffer_device_address != 0,
            ),
            (
                Features::VULKAN_MEMORY_MODEL,
                // Device scope besides, since UAVs that are `globallycoherent` are coherent across
                // workgroups.
                v12.vulkan_memory_model != 0 && v12.vulkan_memory_model_device_scope != 0,
            ),
            (
                Features::SUBGROUP,
                // Wave operations of shader model 6.0 take all of these, so a part of them is of no
                // use.
                ops.contains(S::BASIC | S::VOTE | S::ARITHMETIC | S::BALLOT | S::SHUFFLE),
            ),
            (Features::SUBGROUP_QUAD, ops.contains(S::QUAD)),
            (
                Features::SUBGROUP_EXTENDED_TYPES,
                v12.shader_subgroup_extended_types != 0,
            ),
            (
                Features::SUBGROUP_PARTITIONED,
                has(nv::shader_subgroup_partitioned::NAME) && ops.contains(S::PARTITIONED_NV),
            ),
            (Features::SUBGROUP_CLUSTERED, ops.contains(S::CLUSTERED)),
            (
                Features::MAXIMAL_RECONVERGENCE,
                self.reconvergence.shader_maximal_reconvergence != 0,
            ),
            (
                Features::QUAD_CONTROL,
                self.quad_control.shader_quad_control != 0,
            ),
            (
                Features::COMPUTE_DERIVATIVES_QUADS,
                self.derivatives.compute_derivative_group_quads != 0,
            ),
            (
                Features::COMPUTE_DERIVATIVES_KHR,
                has(COMPUTE_DERIVATIVES_KHR),
            ),
            (
                Features::COMPUTE_DERIVATIVES_LINEAR,
                self.derivatives.compute_derivative_group_linear != 0,
            ),
            (
                Features::DEMOTE_TO_HELPER,
                v13.shader_demote_to_helper_invocation != 0,
            ),
            (
                Features::INTEGER_DOT_PRODUCT,
                v13.shader_integer_dot_product != 0,
            ),
            (
                Features::BARYCENTRICS,
                self.barycentric.fragment_shader_barycentric != 0,
            ),
            (
                Features::FRAGMENT_INTERLOCK,
                self.interlock.fragment_shader_pixel_interlock != 0
                    && self.interlock.fragment_shader_sample_interlock != 0,
            ),
            (
                Features::SHADER_CLOCK,
                self.clock.shader_subgroup_clock != 0,
            ),
            (Features::DEVICE_CLOCK, self.clock.shader_device_clock != 0),
            (
                Features::MESH_SHADER,
                self.mesh.mesh_shader != 0 && self.mesh.task_shader != 0,
            ),
            (Features::MULTIVIEW, v11.multiview != 0),
            (
                Features::RAY_QUERY,
                self.structures() && self.ray_query.ray_query != 0,
            ),
            (Features::RAY_TRACING, self.ray_tracing().is_some()),
            (
                Features::RAY_PRIMITIVE_CULLING,
                self.ray_tracing()
                    .is_some_and(|f| f.ray_traversal_primitive_culling != 0),
            ),
            (
                Features::STENCIL_EXPORT,
                has(ext::shader_stencil_export::NAME),
            ),
            (
                Features::VIEWPORT_INDEX_LAYER,
                v12.shader_output_viewport_index != 0 && v12.shader_output_layer != 0,
            ),
            (
                Features::SHADING_RATE,
                self.shading_rate.primitive_fragment_shading_rate != 0,
            ),
            (
                Features::CLIP_CULL_DISTANCE,
                c.shader_clip_distance != 0 && c.shader_cull_distance != 0,
            ),
            (Features::SAMPLE_RATE_SHADING, c.sample_rate_shading != 0),
            (
                Features::FULLY_COVERED,
                has(ext::conservative_rasterization::NAME) && properties.fully_covered,
            ),
            (Features::TESSELLATION, c.tessellation_shader != 0),
            (Features::GEOMETRY, c.geometry_shader != 0),
            (Features::TRANSFORM_FEEDBACK, self.stream_output()),
            (
                Features::ROBUSTNESS2,
                self.robust() && self.null_descriptors(),
            ),
            (
                Features::BUFFER_FLOAT32_ATOMICS,
                self.float_atomics.shader_buffer_float32_atomics != 0,
            ),
            (Features::SCALAR_BLOCK_LAYOUT, v12.scalar_block_layout != 0),
            (
                Features::WORKGROUP_EXPLICIT_LAYOUT,
                self.workgroup_layout.workgroup_memory_explicit_layout != 0
                    && self
                        .workgroup_layout
                        .workgroup_memory_explicit_layout16_bit_access
                        != 0,
            ),
            (Features::IMAGE_CUBE_ARRAY, c.image_cube_array != 0),
            (Features::DRAW_PARAMETERS, v11.shader_draw_parameters != 0),
            (
                Features::FLOAT_CONTROLS2,
                self.float_controls2.shader_float_controls2 != 0,
            ),
            (Features::IMAGE_1D, true),
            (
                Features::STORES_AND_ATOMICS,
                c.fragment_stores_and_atomics != 0 && c.vertex_pipeline_stores_and_atomics != 0,
            ),
        ];
        let mut features = properties.float_controls | properties.matrix_sizes;
        for (feature, there) in table {
            features.set(feature, there);
        }
        // A newer minor version than this code knows is compatible with 1.4.
        let vulkan = match vk::api_version_minor(self.api_version) {
            0 | 1 => VulkanVersion::V1_1,
            2 => VulkanVersion::V1_2,
            3 => VulkanVersion::V1_3,
            _ => VulkanVersion::V1_4,
        };
        let mut target = Target::new(vulkan, Style::Native, features);
        target.numerics = properties.numerics;
        target
    }
}

/// The properties that decide features, limits and layouts.
pub(super) struct Properties {
    pub(super) core: vk::PhysicalDeviceProperties,
    subgroup_operations: vk::SubgroupFeatureFlags,
    float_controls: Features,
    numerics: Numerics,
    pub(super) subgroup_sizes: (u32, u32),
    pub(super) required_size_stages: vk::ShaderStageFlags,
    /// Whether a stream beyond the first can be rasterized.
    pub(super) stream_select: bool,
    /// Whether queries count what streams write.
    pub(super) stream_queries: bool,
    fully_covered: bool,
    /// Sizes of cooperative matrices; none before [`Properties::query_matrix_sizes`].
    matrix_sizes: Features,
    pub(super) structures: vk::PhysicalDeviceAccelerationStructurePropertiesKHR<'static>,
    pub(super) ray_tracing: vk::PhysicalDeviceRayTracingPipelinePropertiesKHR<'static>,
}

impl Properties {
    /// Asks which square matrices of halves a device with cooperative matrices multiplies, with
    /// sums of single precision.
    pub(super) fn query_matrix_sizes(
        &mut self,
        entry: &ash::Entry,
        instance: &ash::Instance,
        device: vk::PhysicalDevice,
    ) {
        let functions = khr::cooperative_matrix::Instance::new(entry, instance);
        // SAFETY: `device` comes from this instance and has the extension.
        let there = unsafe { functions.get_physical_device_cooperative_matrix_properties(device) };
        let there = there.unwrap_or_default();
        let has = |size: u32| {
            there.iter().any(|one| {
                [one.m_size, one.n_size, one.k_size] == [size; 3]
                    && [one.a_type, one.b_type] == [vk::ComponentTypeKHR::FLOAT16; 2]
                    && [one.c_type, one.result_type] == [vk::ComponentTypeKHR::FLOAT32; 2]
                    && one.scope == vk::ScopeKHR::SUBGROUP
            })
        };
        self.matrix_sizes.set(Features::COOPERATIVE_MATRIX, has(16));
        self.matrix_sizes
            .set(Features::COOPERATIVE_MATRIX_8, has(8));
    }

    /// Asks the device.
    pub(super) fn query(instance: &ash::Instance, device: vk::PhysicalDevice) -> Self {
        // SAFETY: `device` comes from this instance.
        let core = unsafe { instance.get_physical_device_properties(device) };
        let mut v11 = vk::PhysicalDeviceVulkan11Properties::default();
        let mut v12 = vk::PhysicalDeviceVulkan12Properties::default();
        let mut v13 = vk::PhysicalDeviceVulkan13Properties::default();
        if core.api_version >= vk::API_VERSION_1_2 {
            let mut head = vk::PhysicalDeviceProperties2::default()
                .push_next(&mut v11)
                .push_next(&mut v12);
            if core.api_version >= vk::API_VERSION_1_3 {
                head = head.push_next(&mut v13);
            }
            // SAFETY: the chain holds only structures of the device's version.
            unsafe { instance.get_physical_device_properties2(device, &mut head) };
        }
        let mut feedback = vk::PhysicalDeviceTransformFeedbackPropertiesEXT::default();
        let mut conservative = vk::PhysicalDeviceConservativeRasterizationPropertiesEXT::default();
        let mut structures = vk::PhysicalDeviceAccelerationStructurePropertiesKHR::default();
        let mut ray_tracing = vk::PhysicalDeviceRayTracingPipelinePropertiesKHR::default();
        // The device ignores structures of extensions that it lacks, and leaves them zero.
        let mut head = vk::PhysicalDeviceProperties2::default()
            .push_next(&mut feedback)
            .push_next(&mut conservative)
            .push_next(&mut structures)
            .push_next(&mut ray_tracing);
        // SAFETY: all structures live until the call returns.
        unsafe { instance.get_physical_device_properties2(device, &mut head) };
        structures.p_next = std::ptr::null_mut();
        ray_tracing.p_next = std::ptr::null_mut();
        let in_compute = v11
            .subgroup_supported_stages
            .contains(vk::ShaderStageFlags::COMPUTE);
        // Vulkan 1.1 knows one size; the range came with subgroup size control in 1.3.
        let sizes = if v13.max_subgroup_size != 0 {
            (v13.min_subgroup_size, v13.max_subgroup_size)
        } else {
            (v11.subgroup_size, v11.subgroup_size)
        };
        Properties {
            core,
            subgroup_operations: if in_compute {
                v11.subgroup_supported_operations
            } else {
                vk::SubgroupFeatureFlags::empty()
            },
            float_controls: float_controls::features(&v12),
            // Zero, which no driver has, before Vulkan 1.2.
            numerics: Numerics::of_driver(v12.driver_id.as_raw().unsigned_abs()),
            subgroup_sizes: sizes,
            required_size_stages: v13.required_subgroup_size_stages,
            stream_queries: feedback.transform_feedback_queries != 0,
            stream_select: feedback.transform_feedback_rasterization_stream_select != 0,
            matrix_sizes: Features::empty(),
            fully_covered: conservative.fully_covered_fragment_shader_input_variable != 0,
            structures,
            ray_tracing,
        }
    }
}
