//! What every backend implements.

use std::sync::Arc;
use std::time::Duration;

use super::info::{Backend, DeviceInfo};
use super::profile::Profile;
use crate::cache::Cache;
use crate::error::Result;
use crate::job::{Job, Outcome};
use crate::program::Program;

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
