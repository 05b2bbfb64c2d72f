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

#[cfg(feature = "wgpu")]
#[test]
fn textures_that_are_only_written_need_no_feature_of_wgpu() {
    use dxil_frontend::dxil::read_shader;
    use dxil_runtime::Program;
    use dxil_runtime::interop::{layout_entries, passthrough_profile, wgpu};
    use dxil_runtime::program::CompileOptions;
    use wgpu::{BindingType, StorageTextureAccess as Access};

    let descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    let instance = wgpu::Instance::new(descriptor);
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).unwrap();
    let (device, _queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        required_features: wgpu::Features::PASSTHROUGH_SHADERS,
        ..Default::default()
    }))
    .unwrap();
    let profile = passthrough_profile(&adapter, &device);
    let access_of = |name: &str| {
        let path = format!(
            "{}/../hwtests/shaders/textures/{name}.dxil",
            env!("CARGO_MANIFEST_DIR")
        );
        let shader = read_shader(&std::fs::read(path).unwrap()).unwrap();
        let options = CompileOptions::default();
        let program = Program::compile(&shader, None, &profile, &|_| None, &options).unwrap();
        let set = &program.layout.sets[0];
        let entries = layout_entries(&adapter, &device, set, wgpu::ShaderStages::COMPUTE)?;
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        _ = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &entries,
        });
        let error = pollster::block_on(scope.pop());
        assert!(error.is_none(), "{name}: {error:?}");
        let textures = entries.iter().filter_map(|entry| match entry.ty {
            BindingType::StorageTexture { access, .. } => Some(access),
            _ => None,
        });
        Ok(textures.collect::<Vec<_>>())
    };
    let stored: Result<_, Error> = access_of("store_1d_2d_3d");
    assert_eq!(stored.unwrap(), [Access::WriteOnly; 4]);
    // WebGPU reads and writes textures of one component of 32 bits only.
    let both = access_of("read_modify_write");
    assert!(matches!(both, Err(Error::Unsupported(_))), "{both:?}");
}
