//! The backends that cases run on, and their devices.

use std::sync::{Arc, OnceLock};

use dxil_runtime::{Backend, Check, Checks, CodeChoice, Device, OpenOptions, device};

use crate::shader::Failure;

/// A backend with its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Configuration {
    Vulkan,
    /// Vulkan without robustness2, so that shaders check bounds in code.
    Checked,
    /// wgpu with SPIR-V passthrough.
    Wgpu,
    /// wgpu with WGSL, or with SPIR-V through naga where WGSL cannot express the shader.
    Portable,
    /// The CPU executor.
    Cpu,
    /// The CPU executor with native code from the start.
    CpuNative,
    /// The CPU executor with all checks.
    CpuChecked,
}

impl Configuration {
    pub(super) fn backend(self) -> Backend {
        match self {
            Configuration::Vulkan | Configuration::Checked => Backend::Vulkan,
            Configuration::Wgpu | Configuration::Portable => Backend::Wgpu,
            Configuration::Cpu | Configuration::CpuNative | Configuration::CpuChecked => {
                Backend::Cpu
            }
        }
    }
}

/// Returns the index of the device to test in the list of a backend. `DXIL_JIT_TEST_DEVICE` is an
/// index into the list of Vulkan; for wgpu it is the device of the same name, since the order can
/// differ.
fn chosen_index(backend: Backend) -> Result<usize, String> {
    let Some(number) = std::env::var_os("DXIL_JIT_TEST_DEVICE") else {
        return Ok(0);
    };
    let index = number.to_str().and_then(|number| number.parse().ok());
    let index = index.ok_or("DXIL_JIT_TEST_DEVICE is not a number")?;
    let list = |backend| device::list_devices(backend).map_err(|error| error.to_string());
    match backend {
        Backend::Cpu => Ok(0),
        Backend::Vulkan => Ok(index),
        Backend::Wgpu => {
            let devices = list(Backend::Vulkan)?;
            // By name: wgpu may list the devices in another order.
            let wanted = devices.get(index).ok_or("there is no such Vulkan device")?;
            list(Backend::Wgpu)?
                .iter()
                .find(|adapter| adapter.name == wanted.name)
                .map(|adapter| adapter.index)
                .ok_or_else(|| format!("wgpu has no adapter {}", wanted.name))
        }
    }
}

/// Returns the device of a configuration. All tests of a process share it, because opening a device
/// is slow.
pub(crate) fn shared_device(configuration: Configuration) -> Result<Arc<dyn Device>, Failure> {
    static VULKAN: OnceLock<Result<Arc<dyn Device>, String>> = OnceLock::new();
    static CHECKED: OnceLock<Result<Arc<dyn Device>, String>> = OnceLock::new();
    static WGPU: OnceLock<Result<Arc<dyn Device>, String>> = OnceLock::new();
    static PORTABLE: OnceLock<Result<Arc<dyn Device>, String>> = OnceLock::new();
    static CPU: OnceLock<Result<Arc<dyn Device>, String>> = OnceLock::new();
    static CPU_NATIVE: OnceLock<Result<Arc<dyn Device>, String>> = OnceLock::new();
    static CPU_CHECKED: OnceLock<Result<Arc<dyn Device>, String>> = OnceLock::new();
    let cell = match configuration {
        Configuration::Vulkan => &VULKAN,
        Configuration::Checked => &CHECKED,
        Configuration::Wgpu => &WGPU,
        Configuration::Portable => &PORTABLE,
        Configuration::Cpu => &CPU,
        Configuration::CpuNative => &CPU_NATIVE,
        Configuration::CpuChecked => &CPU_CHECKED,
    };
    let validate = std::env::var_os("DXIL_JIT_TEST_VALIDATE").is_some();
    let open = || -> Result<Arc<dyn Device>, String> {
        let mut options = OpenOptions::new(configuration.backend());
        options.index = chosen_index(configuration.backend())?;
        options.portable = configuration == Configuration::Portable;
        if configuration == Configuration::CpuChecked {
            // Cases write the same value from many threads on purpose.
            options.checks = Checks::ALL.without(Check::SameValue);
        }
        options.cpu_code = match configuration {
            Configuration::CpuNative => CodeChoice::Native,
            _ => CodeChoice::Interpret,
        };
        let without = std::env::var_os("DXIL_JIT_TEST_NO_ROBUSTNESS2").is_some();
        options.robustness2 = configuration != Configuration::Checked && !without;
        options.descriptor_heaps = options.backend == Backend::Vulkan
            && std::env::var_os("DXIL_JIT_TEST_DESCRIPTOR_HEAPS").is_some();
        // Under the validation layer each of its messages is a failure. wgpu does not report them.
        options.validate = validate && configuration.backend() == Backend::Vulkan;
        device::open(&options).map_err(|error| error.to_string())
    };
    // GPU-assisted validation aborts at the end of a process that has not destroyed its devices,
    // and a static is never dropped: each test opens its own device then.
    let device = if validate {
        open()
    } else {
        cell.get_or_init(open).clone()
    };
    device.map_err(|error| Failure(format!("{error}\n(tools/test.sh sets up a CPU driver)")))
}
