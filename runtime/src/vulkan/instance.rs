//! Loader and instance, with the debug messenger when validation is asked for.

use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;

use ash::{ext, vk};
use parking_lot::Mutex;

use super::conv::api;
use crate::device::{Backend, DeviceInfo, DeviceKind};
use crate::error::{Error, Result};

const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// An instance; destroyed with its last owner.
pub(super) struct VulkanInstance {
    // The loader must outlive everything made through it.
    pub(super) entry: ash::Entry,
    pub(super) raw: ash::Instance,
    messenger: Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    // Boxed, since the messenger keeps its address.
    messages: Box<Messages>,
}

/// Returns the Vulkan loader.
pub(crate) fn loader() -> Result<ash::Entry> {
    // SAFETY: the loader is a well-behaved shared library; it is kept loaded by what is returned.
    unsafe { ash::Entry::load() }.map_err(|error| Error::NoLoader(error.to_string()))
}

/// The messages of the validation layer.
#[derive(Default)]
struct Messages(Mutex<Vec<String>>);

impl VulkanInstance {
    /// Loads the Vulkan loader and makes an instance.
    pub(super) fn new(validate: bool) -> Result<Arc<Self>> {
        let entry = loader()?;
        // SAFETY: `entry` holds a loaded loader.
        let version = unsafe { entry.try_enumerate_instance_version() }
            .map_err(api("vkEnumerateInstanceVersion"))?
            .unwrap_or(vk::API_VERSION_1_0);
        if version < vk::API_VERSION_1_1 {
            // 1.1 is the least that the device queries need: `vkGetPhysicalDeviceProperties2` and
            // `vkGetPhysicalDeviceFeatures2` are core functions from there on.
            return Err(Error::Unsupported(
                "the Vulkan loader is older than Vulkan 1.1".into(),
            ));
        }
        let mut layers: Vec<*const c_char> = Vec::new();
        let mut extensions: Vec<*const c_char> = Vec::new();
        if validate {
            // SAFETY: `entry` holds a loaded loader.
            let there = unsafe { entry.enumerate_instance_layer_properties() }
                .map_err(api("vkEnumerateInstanceLayerProperties"))?
                .iter()
                .any(|layer| layer.layer_name_as_c_str() == Ok(VALIDATION_LAYER));
            // Creating an instance with a layer that does not exist fails with an error code that
            // says less.
            if !there {
                return Err(Error::NoValidationLayer);
            }
            layers.push(VALIDATION_LAYER.as_ptr());
            extensions.push(ext::debug_utils::NAME.as_ptr());
        }
        // A driver may take any version that an application asks for, but SwiftShader takes none
        // above its own.
        let mut raw = Err(vk::Result::ERROR_INCOMPATIBLE_DRIVER);
        for minor in [4, 3, 1] {
            let application = vk::ApplicationInfo::default()
                .application_name(c"dxil-jit")
                .engine_name(c"dxil-jit")
                .api_version(vk::make_api_version(0, 1, minor, 0));
            let info = vk::InstanceCreateInfo::default()
                .application_info(&application)
                .enabled_layer_names(&layers)
                .enabled_extension_names(&extensions);
            // SAFETY: all pointers in `info` live until the call returns.
            raw = unsafe { entry.create_instance(&info, None) };
            if !matches!(raw, Err(vk::Result::ERROR_INCOMPATIBLE_DRIVER)) {
                break;
            }
        }
        let raw = raw.map_err(|result| match result {
            vk::Result::ERROR_INCOMPATIBLE_DRIVER => Error::NoDevice,
            other => api("vkCreateInstance")(other),
        })?;
        let mut instance = VulkanInstance {
            entry,
            raw,
            messenger: None,
            messages: Box::default(),
        };
        if validate {
            instance.listen()?;
        }
        Ok(Arc::new(instance))
    }

    fn listen(&mut self) -> Result<()> {
        let debug = ext::debug_utils::Instance::new(&self.entry, &self.raw);
        let user_data: *const Messages = &*self.messages;
        let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
            // Warnings and information of the layer are advice; only errors are violations of a
            // rule.
            .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR)
            .message_type(
                vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION
                    | vk::DebugUtilsMessageTypeFlagsEXT::GENERAL,
            )
            .pfn_user_callback(Some(on_message))
            .user_data(user_data.cast_mut().cast());
        // SAFETY: the callback matches its prototype, and `user_data` points into a box that
        // `self` keeps until after the messenger is destroyed.
        let messenger = unsafe { debug.create_debug_utils_messenger(&info, None) }
            .map_err(api("vkCreateDebugUtilsMessengerEXT"))?;
        self.messenger = Some((debug, messenger));
        Ok(())
    }

    /// Takes what the validation layer said since the last call; an error if it said anything.
    pub(super) fn check_messages(&self) -> Result<()> {
        // The messages are taken, so that one violation fails one call and not every later one.
        let messages = std::mem::take(&mut *self.messages.0.lock());
        if messages.is_empty() {
            Ok(())
        } else {
            Err(Error::Validation(messages))
        }
    }

    /// Returns the physical devices with their descriptions.
    pub(super) fn devices(&self) -> Result<Vec<(vk::PhysicalDevice, DeviceInfo)>> {
        // SAFETY: the instance is alive.
        let devices = unsafe { self.raw.enumerate_physical_devices() }
            .map_err(api("vkEnumeratePhysicalDevices"))?;
        if devices.is_empty() {
            return Err(Error::NoDevice);
        }
        Ok(devices
            .into_iter()
            .enumerate()
            .map(|(index, device)| (device, self.describe(device, index)))
            .collect())
    }

    fn describe(&self, device: vk::PhysicalDevice, index: usize) -> DeviceInfo {
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        // SAFETY: `device` comes from this instance.
        let core = unsafe { self.raw.get_physical_device_properties(device) };
        // `VkPhysicalDeviceDriverProperties` is core from Vulkan 1.2 on. An older device stays
        // listed, without the name of its driver, so that opening it can say what is wrong with it.
        if core.api_version >= vk::API_VERSION_1_2 {
            let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
            // SAFETY: the chain holds only structures of Vulkan 1.2, which the device has.
            unsafe {
                self.raw
                    .get_physical_device_properties2(device, &mut properties);
            }
        }
        let text = |c: Result<&CStr, _>| {
            c.map(|c: &CStr| c.to_string_lossy().into_owned())
                .unwrap_or_default()
        };
        DeviceInfo {
            backend: Backend::Vulkan,
            index,
            name: text(core.device_name_as_c_str().map_err(drop)),
            driver: format!(
                "{} {}",
                text(driver.driver_name_as_c_str().map_err(drop)),
                text(driver.driver_info_as_c_str().map_err(drop))
            )
            .trim()
            .to_owned(),
            api: format!(
                "Vulkan {}.{}.{}",
                vk::api_version_major(core.api_version),
                vk::api_version_minor(core.api_version),
                vk::api_version_patch(core.api_version)
            ),
            kind: match core.device_type {
                vk::PhysicalDeviceType::DISCRETE_GPU => DeviceKind::Discrete,
                vk::PhysicalDeviceType::INTEGRATED_GPU => DeviceKind::Integrated,
                vk::PhysicalDeviceType::VIRTUAL_GPU => DeviceKind::Virtual,
                vk::PhysicalDeviceType::CPU => DeviceKind::Cpu,
                _ => DeviceKind::Other,
            },
        }
    }
}

impl Drop for VulkanInstance {
    fn drop(&mut self) {
        // SAFETY: owners of children hold an `Arc` of the instance, so there are none left.
        unsafe {
            if let Some((debug, messenger)) = self.messenger.take() {
                debug.destroy_debug_utils_messenger(messenger, None);
            }
            self.raw.destroy_instance(None);
        }
    }
}

/// Keeps an error message of the validation layer.
unsafe extern "system" fn on_message(
    _severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user_data: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: Vulkan passes valid callback data, and the `Messages` that `listen` gave it.
    let (data, messages) = unsafe { (&*data, &*user_data.cast::<Messages>()) };
    // SAFETY: the message is null or a C string that lives during the call.
    let text = unsafe { data.message_as_c_str() };
    let text = text.map_or_else(String::new, |text| text.to_string_lossy().into_owned());
    log::error!("{text}");
    messages.0.lock().push(text);
    // TRUE would make the call that caused the message fail, which only layer tests may ask for
    // (`PFN_vkDebugUtilsMessengerCallbackEXT`).
    vk::FALSE
}
