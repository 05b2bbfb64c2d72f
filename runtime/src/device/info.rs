//! The devices that are present, and their names.

use std::fmt;

/// The API through which a device is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Backend {
    /// Vulkan through ash.
    Vulkan,
    /// wgpu.
    Wgpu,
    /// The CPU, without any driver.
    Cpu,
}

impl Backend {
    /// All of them.
    pub const ALL: [Backend; 3] = [Backend::Vulkan, Backend::Wgpu, Backend::Cpu];
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Backend::Vulkan => "vulkan",
            Backend::Wgpu => "wgpu",
            Backend::Cpu => "cpu",
        })
    }
}

/// Kind of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum DeviceKind {
    Discrete,
    Integrated,
    Virtual,
    Cpu,
    Other,
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DeviceKind::Discrete => "discrete GPU",
            DeviceKind::Integrated => "integrated GPU",
            DeviceKind::Virtual => "virtual GPU",
            DeviceKind::Cpu => "CPU",
            DeviceKind::Other => "other",
        })
    }
}

/// The name of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Backend.
    pub backend: Backend,
    /// Number in the backend's list; [`OpenOptions::index`](super::OpenOptions::index) takes it.
    pub index: usize,
    /// The name of the device in the driver.
    pub name: String,
    /// Driver with its version.
    pub driver: String,
    /// API version, like `Vulkan 1.4.305`.
    pub api: String,
    /// Whether it is a GPU, and of which kind.
    pub kind: DeviceKind,
}
