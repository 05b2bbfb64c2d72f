//! The interface that both backends implement, and the way to a device.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use dxil_translate::{Features, Target};

use crate::cache::Cache;
use crate::error::Result;
use crate::job::{Job, Outcome};
use crate::program::Program;

/// Which way to the device.
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

/// What a device is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Backend.
    pub backend: Backend,
    /// Number in the backend's list; [`OpenOptions::index`] takes it.
    pub index: usize,
    /// What the driver calls the device.
    pub name: String,
    /// Driver with its version.
    pub driver: String,
    /// API version, like `Vulkan 1.4.305`.
    pub api: String,
    /// Whether it is a GPU, and of which kind.
    pub kind: DeviceKind,
}

/// Limits that a layout and a job have to respect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// Levels of `TraceRay` in ray tracing pipelines; 0 where there are none.
    pub ray_recursion: u32,
    /// Descriptors that an unbounded array gets.
    pub unbounded_descriptors: u32,
}

/// What a device is to the planner of layouts: its translation target, limits and habits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// What the translator may use.
    pub target: Target,
    /// How much of everything a layout and a job may have.
    pub limits: Limits,
    /// Whether there are texel buffers. If not, typed buffers are storage buffers whose format
    /// the translated code knows.
    pub texel_buffers: bool,
    /// Whether storage images need a format in the code.
    pub storage_image_formats: bool,
    /// Whether the binding numbers of a set must be 0, 1, 2 ... without gaps.
    pub dense_bindings: bool,
    /// Whether buffers of a job have device addresses.
    pub device_addresses: bool,
    /// Least and most lanes of a subgroup.
    pub subgroup_sizes: (u32, u32),
    /// Whether out-of-bounds accesses are the device's work.
    pub robust: bool,
    /// Whether code can ask if what it read has memory.
    pub residency: bool,
    /// Whether it executes DXIL itself, so that nothing is translated.
    pub executes_dxil: bool,
}

impl Profile {
    /// The profile for programs that see reserved resources. Others need no code to ask whether
    /// what they read has memory: all of it has.
    #[must_use]
    pub fn with_reserved_resources(mut self) -> Self {
        let features = &mut self.target.features;
        features.set(Features::SPARSE_RESIDENCY, self.residency);
        self
    }
}

/// How to open a device.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// Backend.
    pub backend: Backend,
    /// Number in the backend's list.
    pub index: usize,
    /// Load the validation layer; what it reports makes a run fail.
    pub validate: bool,
    /// wgpu: go through naga even where the adapter takes SPIR-V as it is.
    pub portable: bool,
    /// Leave bounds and null descriptors to the device where it has `VK_EXT_robustness2`. Without
    /// it code checks bounds (Vulkan only; wgpu never asks the device).
    pub robustness2: bool,
    /// Longest time that one submission may take.
    pub timeout: Duration,
    /// CPU only: lanes of a wave, 4 to 128. Default: what the shader says, or else 32.
    pub wave_size: Option<u32>,
    /// Where the driver's data for pipelines is kept; default: nowhere.
    pub cache: Option<Arc<Cache>>,
}

impl OpenOptions {
    /// The first device of a backend, no validation, one minute, no cache.
    pub fn new(backend: Backend) -> Self {
        OpenOptions {
            backend,
            index: 0,
            validate: false,
            portable: false,
            robustness2: true,
            timeout: Duration::from_secs(60),
            wave_size: None,
            cache: None,
        }
    }
}

/// A device. Any number of threads may use it at once.
pub trait Device: Send + Sync {
    /// What it is called.
    fn info(&self) -> &DeviceInfo;

    /// What programs for it must respect.
    fn profile(&self) -> &Profile;

    /// Makes a pipeline; it keeps what it needs of the device alive.
    fn prepare(&self, program: &Program) -> Result<Box<dyn Pipeline>>;

    /// Prepares a program and runs a job with it once.
    fn run(&self, program: &Program, job: &Job) -> Result<Outcome> {
        self.prepare(program)?.run(job)
    }
}

/// A program that is ready to run any number of jobs.
pub trait Pipeline: Send + Sync {
    /// Creates the job's resources, runs its work, waits, and reads back what the job asks for.
    fn run(&self, job: &Job) -> Result<Outcome>;
}

/// The devices of a backend.
pub fn list_devices(backend: Backend) -> Result<Vec<DeviceInfo>> {
    match backend {
        Backend::Vulkan => crate::vulkan::list_devices(),
        Backend::Wgpu => crate::wgpu::list_devices(),
        Backend::Cpu => Ok(vec![crate::cpu::info()]),
    }
}

/// Opens a device.
pub fn open(options: &OpenOptions) -> Result<Arc<dyn Device>> {
    match options.backend {
        Backend::Vulkan => crate::vulkan::open(options),
        Backend::Wgpu => crate::wgpu::open(options),
        Backend::Cpu => crate::cpu::open(options),
    }
}
