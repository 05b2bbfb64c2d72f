//! The features that an application enabled on a Vulkan device of its own.

use std::ffi::CStr;

use ash::{ext, vk};

use super::features::FeatureSet;

impl FeatureSet {
    /// Returns the features of a chain that was given to `vkCreateDevice`, with the extensions that
    /// were enabled beside them.
    ///
    /// # Safety
    ///
    /// Each structure of the chain is valid and has the type that its `sType` names.
    pub(super) unsafe fn of_chain(
        features: &vk::PhysicalDeviceFeatures2<'_>,
        extensions: &[&CStr],
        api_version: u32,
    ) -> FeatureSet {
        let mut set = FeatureSet::empty(api_version, |name| extensions.contains(&name));
        set.core = features.features;
        if extensions.contains(&ext::shader_viewport_index_layer::NAME) {
            // The extension has no structure: Vulkan 1.2 has two features for what it brings.
            set.v12.shader_output_viewport_index = vk::TRUE;
            set.v12.shader_output_layer = vk::TRUE;
        }
        let mut next = features
            .p_next
            .cast_const()
            .cast::<vk::BaseInStructure<'_>>();
        // SAFETY: the caller vouches for the chain.
        while let Some(structure) = unsafe { next.as_ref() } {
            // SAFETY: as above; the type of `next` is that of `s_type`.
            unsafe { set.take(structure.s_type, next) };
            next = structure.p_next;
        }
        set
    }

    /// Takes what a structure of the chain enables.
    ///
    /// # Safety
    ///
    /// `structure` is valid and has the type that `s_type` names.
    unsafe fn take(
        &mut self,
        s_type: vk::StructureType,
        structure: *const vk::BaseInStructure<'_>,
    ) {
        macro_rules! whole {
            ($($field:ident: $ty:ident;)*) => {
                $(
                    if s_type == <vk::$ty as vk::TaggedStructure>::STRUCTURE_TYPE {
                        // SAFETY: the type was compared; the copy drops the link.
                        self.$field = unsafe { *structure.cast::<vk::$ty<'static>>() };
                        self.$field.p_next = std::ptr::null_mut();
                    }
                )*
            };
        }
        whole! {
            v11: PhysicalDeviceVulkan11Features;
            v12: PhysicalDeviceVulkan12Features;
            v13: PhysicalDeviceVulkan13Features;
            robustness2: PhysicalDeviceRobustness2FeaturesEXT;
            derivatives: PhysicalDeviceComputeShaderDerivativesFeaturesNV;
            reconvergence: PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR;
            quad_control: PhysicalDeviceShaderQuadControlFeaturesKHR;
            barycentric: PhysicalDeviceFragmentShaderBarycentricFeaturesKHR;
            interlock: PhysicalDeviceFragmentShaderInterlockFeaturesEXT;
            clock: PhysicalDeviceShaderClockFeaturesKHR;
            mesh: PhysicalDeviceMeshShaderFeaturesEXT;
            image_atomics: PhysicalDeviceShaderImageAtomicInt64FeaturesEXT;
            float_atomics: PhysicalDeviceShaderAtomicFloatFeaturesEXT;
            workgroup_layout: PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR;
            transform_feedback: PhysicalDeviceTransformFeedbackFeaturesEXT;
            float_controls2: PhysicalDeviceShaderFloatControls2FeaturesKHR;
            shading_rate: PhysicalDeviceFragmentShadingRateFeaturesKHR;
            structures: PhysicalDeviceAccelerationStructureFeaturesKHR;
            ray_query: PhysicalDeviceRayQueryFeaturesKHR;
            ray_tracing: PhysicalDeviceRayTracingPipelineFeaturesKHR;
        }
        // The structures of extensions that Vulkan 1.1, 1.2 and 1.3 took up. A chain has either
        // these or the structure of the version (VUID-VkDeviceCreateInfo-pNext-02829 and on).
        macro_rules! members {
            ($($ty:ident => $set:ident { $($member:ident),* })*) => {
                $(
                    if s_type == <vk::$ty as vk::TaggedStructure>::STRUCTURE_TYPE {
                        // SAFETY: the type was compared.
                        let from = unsafe { &*structure.cast::<vk::$ty<'_>>() };
                        $(self.$set.$member = from.$member;)*
                    }
                )*
            };
        }
        members! {
            PhysicalDevice16BitStorageFeatures => v11 {
                storage_buffer16_bit_access, uniform_and_storage_buffer16_bit_access,
                storage_push_constant16, storage_input_output16
            }
            PhysicalDeviceMultiviewFeatures => v11 { multiview }
            PhysicalDeviceShaderDrawParametersFeatures => v11 { shader_draw_parameters }
            PhysicalDevice8BitStorageFeatures => v12 {
                storage_buffer8_bit_access, uniform_and_storage_buffer8_bit_access
            }
            PhysicalDeviceShaderFloat16Int8Features => v12 { shader_float16, shader_int8 }
            PhysicalDeviceShaderAtomicInt64Features => v12 {
                shader_buffer_int64_atomics, shader_shared_int64_atomics
            }
            PhysicalDeviceDescriptorIndexingFeatures => v12 {
                runtime_descriptor_array, descriptor_binding_partially_bound,
                shader_sampled_image_array_non_uniform_indexing,
                shader_storage_buffer_array_non_uniform_indexing,
                shader_storage_image_array_non_uniform_indexing,
                shader_uniform_buffer_array_non_uniform_indexing,
                shader_uniform_texel_buffer_array_non_uniform_indexing,
                shader_storage_texel_buffer_array_non_uniform_indexing
            }
            PhysicalDeviceBufferDeviceAddressFeatures => v12 { buffer_device_address }
            PhysicalDeviceVulkanMemoryModelFeatures => v12 {
                vulkan_memory_model, vulkan_memory_model_device_scope
            }
            PhysicalDeviceShaderSubgroupExtendedTypesFeatures => v12 {
                shader_subgroup_extended_types
            }
            PhysicalDeviceScalarBlockLayoutFeatures => v12 { scalar_block_layout }
            PhysicalDeviceShaderDemoteToHelperInvocationFeatures => v13 {
                shader_demote_to_helper_invocation
            }
            PhysicalDeviceShaderIntegerDotProductFeatures => v13 { shader_integer_dot_product }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the set of a chain, with no extension.
    fn set(head: &vk::PhysicalDeviceFeatures2<'_>) -> FeatureSet {
        // SAFETY: the tests link only structures that live as long as the head.
        unsafe { FeatureSet::of_chain(head, &[], vk::API_VERSION_1_3) }
    }

    #[test]
    fn structures_of_versions_and_of_extensions_enable_the_same() {
        let mut v11 = vk::PhysicalDeviceVulkan11Features::default()
            .storage_buffer16_bit_access(true)
            .multiview(true);
        let mut v12 = vk::PhysicalDeviceVulkan12Features::default()
            .shader_float16(true)
            .scalar_block_layout(true);
        let versions = vk::PhysicalDeviceFeatures2::default()
            .push_next(&mut v11)
            .push_next(&mut v12);
        let versions = set(&versions);
        let mut storage =
            vk::PhysicalDevice16BitStorageFeatures::default().storage_buffer16_bit_access(true);
        let mut multiview = vk::PhysicalDeviceMultiviewFeatures::default().multiview(true);
        let mut half = vk::PhysicalDeviceShaderFloat16Int8Features::default().shader_float16(true);
        let mut scalar =
            vk::PhysicalDeviceScalarBlockLayoutFeatures::default().scalar_block_layout(true);
        let extensions = vk::PhysicalDeviceFeatures2::default()
            .push_next(&mut storage)
            .push_next(&mut multiview)
            .push_next(&mut half)
            .push_next(&mut scalar);
        let extensions = set(&extensions);
        for set in [&versions, &extensions] {
            assert_eq!(set.v11.storage_buffer16_bit_access, vk::TRUE);
            assert_eq!(set.v11.multiview, vk::TRUE);
            assert_eq!(set.v11.shader_draw_parameters, vk::FALSE);
            assert_eq!(set.v12.shader_float16, vk::TRUE);
            assert_eq!(set.v12.shader_int8, vk::FALSE);
            assert_eq!(set.v12.scalar_block_layout, vk::TRUE);
            assert!(set.v11.p_next.is_null() && set.v12.p_next.is_null());
        }
    }

    #[test]
    fn viewport_indices_come_with_an_extension_that_has_no_structure() {
        let head = vk::PhysicalDeviceFeatures2::default();
        let names = [ext::shader_viewport_index_layer::NAME];
        // SAFETY: the chain is its head.
        let set = unsafe { FeatureSet::of_chain(&head, &names, vk::API_VERSION_1_2) };
        assert_eq!(set.v12.shader_output_layer, vk::TRUE);
        assert_eq!(self::set(&head).v12.shader_output_layer, vk::FALSE);
    }
}
