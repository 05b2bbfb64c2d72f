//! Devices that an application opens itself. These tests need a Vulkan driver.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(
    unsafe_code,
    reason = "the test opens a Vulkan instance as an application does"
)]

use std::ffi::CStr;

use ash::vk;
use dxil_runtime::Error;
use dxil_runtime::interop::{EnabledFeatures, ash, vulkan_target};
use dxil_translate::{Features, Target, VulkanVersion};

/// An instance and its first device.
struct Application {
    _entry: ash::Entry,
    instance: ash::Instance,
    device: vk::PhysicalDevice,
}

impl Application {
    fn new() -> Self {
        // SAFETY: the loader is a Vulkan loader.
        let entry = unsafe { ash::Entry::load() }.unwrap();
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: the structures are valid.
        let instance = unsafe { entry.create_instance(&info, None) }.unwrap();
        // SAFETY: the instance is there.
        let devices = unsafe { instance.enumerate_physical_devices() }.unwrap();
        Application {
            _entry: entry,
            instance,
            device: devices[0],
        }
    }

    fn target(
        &self,
        api_version: u32,
        extensions: &[&CStr],
        features: &vk::PhysicalDeviceFeatures2<'_>,
    ) -> Result<Target, Error> {
        let enabled = EnabledFeatures {
            api_version,
            extensions,
            features,
        };
        // SAFETY: the device is the instance's; the tests link valid structures.
        unsafe { vulkan_target(&self.instance, self.device, &enabled) }
    }
}

impl Drop for Application {
    fn drop(&mut self) {
        // SAFETY: nothing of the instance is used any more.
        unsafe { self.instance.destroy_instance(None) };
    }
}

#[test]
fn a_target_has_only_the_features_that_the_application_enabled() {
    let application = Application::new();
    let none = vk::PhysicalDeviceFeatures2::default();
    let version = vk::API_VERSION_1_2;
    let base = application.target(version, &[], &none).unwrap();
    assert_eq!(base.vulkan, VulkanVersion::V1_2);
    let optional = Features::INT64
        | Features::FLOAT16
        | Features::DEMOTE_TO_HELPER
        | Features::GEOMETRY
        | Features::STENCIL_EXPORT
        | Features::RAY_QUERY;
    assert!(!base.features.intersects(optional), "{:?}", base.features);

    let core = vk::PhysicalDeviceFeatures::default().shader_int64(true);
    let mut half = vk::PhysicalDeviceShaderFloat16Int8Features::default().shader_float16(true);
    let some = vk::PhysicalDeviceFeatures2::default()
        .features(core)
        .push_next(&mut half);
    let names = [ash::ext::shader_stencil_export::NAME];
    let enabled = application.target(version, &names, &some).unwrap();
    let added = enabled.features - base.features;
    let expected = Features::INT64 | Features::FLOAT16 | Features::STENCIL_EXPORT;
    assert_eq!(added, expected);
    assert!(enabled.features.contains(base.features));
}

#[test]
fn versions_before_1_2_are_refused() {
    let application = Application::new();
    let none = vk::PhysicalDeviceFeatures2::default();
    let refused = application.target(vk::API_VERSION_1_1, &[], &none);
    assert!(matches!(refused, Err(Error::Unsupported(_))), "{refused:?}");
}
