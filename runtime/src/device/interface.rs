//! The interface that every backend implements.

use std::sync::Arc;
use std::time::Duration;

use dxil_cpu::watch::{Recorded, Recorder, Watch};
use dxil_cpu::{Checks, CodeChoice, NodeOutcome, NodeRun};

use super::info::{Backend, DeviceInfo};
use super::profile::Profile;
use crate::cache::Cache;
use crate::error::{Error, Result};
use crate::executable::Executable;
use crate::job::{Job, Outcome};
use crate::program::Program;

/// What is kept of a pipeline's machine code, to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Capture {
    /// Nothing.
    #[default]
    Nothing,
    /// What the driver counts.
    Statistics,
    /// That, intermediate forms and assembly.
    Texts,
}

/// Options for opening a device. [`OpenOptions::new`] has the defaults.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct OpenOptions {
    /// Backend.
    pub backend: Backend,
    /// Number in the backend's list.
    pub index: usize,
    /// Load the validation layer. Its reports are errors.
    pub validate: bool,
    /// wgpu only: translate through naga even where the adapter accepts SPIR-V.
    pub portable: bool,
    /// Leave bounds and null descriptors to the device where it has `VK_EXT_robustness2`. Without
    /// it code checks bounds (Vulkan only; wgpu never asks the device).
    pub robustness2: bool,
    /// Take descriptors from heaps (VK_EXT_descriptor_heap) instead of descriptor sets; shaders
    /// that index `ResourceDescriptorHeap` then use SPV_EXT_descriptor_heap (Vulkan only).
    pub descriptor_heaps: bool,
    /// Keep what [`Device::machine_code`] returns (Vulkan only, with
    /// VK_KHR_pipeline_executable_properties).
    pub capture: Capture,
    /// Time limit of a submission.
    pub timeout: Duration,
    /// CPU only: lanes of a wave, a power of two from 4 to 128. Default: as the shader requires, or
    /// 32.
    pub wave_size: Option<u32>,
    /// CPU only: whether single-precision denormals keep their value in shaders that leave that to
    /// the device (`-denorm any`). Default: they count as zero, as on D3D12 devices.
    pub keep_denormals: bool,
    /// CPU only: defects to look for: [`Outcome::findings`].
    pub checks: Checks,
    /// CPU only: whether arithmetic is interpreted or native code. Results do not depend on it, and
    /// only builds with the feature `native` have native code. Default: native code where it pays.
    pub cpu_code: CodeChoice,
    /// CPU only: maximum number of threads. Results do not depend on it. Default: as many as the
    /// machine runs at once.
    pub threads: Option<usize>,
    /// CPU only: maximum number of steps of a dispatch, each of which is a basic block that a wave
    /// executes. Default: 2^40.
    pub max_steps: Option<u64>,
    /// CPU only: maximum number of bytes of registers and private and groupshared memory. Default:
    /// 1 GiB.
    pub max_memory: Option<u64>,
    /// Cache for the driver's pipeline data. Default: none.
    pub cache: Option<Arc<Cache>>,
}

impl OpenOptions {
    /// Returns options for the first device of a backend: no validation, a time limit of one minute
    /// and no cache.
    pub fn new(backend: Backend) -> Self {
        OpenOptions {
            backend,
            index: 0,
            validate: false,
            portable: false,
            robustness2: true,
            descriptor_heaps: false,
            capture: Capture::Nothing,
            timeout: Duration::from_secs(60),
            wave_size: None,
            keep_denormals: false,
            checks: Checks::default(),
            cpu_code: CodeChoice::Auto,
            threads: None,
            max_steps: None,
            max_memory: None,
            cache: None,
        }
    }
}

/// A device. Any number of threads may use it at once.
pub trait Device: Send + Sync {
    /// Returns the names of the device, its driver and its API.
    fn info(&self) -> &DeviceInfo;

    /// Returns the target and the limits that programs for it must respect.
    fn profile(&self) -> &Profile;

    /// Creates a pipeline, which keeps alive what it needs of the device.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`](crate::Error::Unsupported) and [`Error::Limit`](crate::Error::Limit)
    /// where the device lacks something, and the errors of its driver.
    fn prepare(&self, program: &Program) -> Result<Box<dyn Pipeline>>;

    /// Creates a pipeline, and returns what the driver says about its machine code. A pixel shader
    /// alone, or the stages before one, become that part of a graphics pipeline.
    ///
    /// # Errors
    ///
    /// As [`Device::prepare`], and [`Error::Unsupported`](crate::Error::Unsupported) where the
    /// device was not opened with [`OpenOptions::capture`] or the backend is another one.
    fn machine_code(&self, program: &Program) -> Result<Vec<Executable>> {
        let _ = program;
        Err(Error::Unsupported(
            "machine code (only the Vulkan backend shows it)".into(),
        ))
    }

    /// Creates a pipeline and runs a job with it once.
    ///
    /// # Errors
    ///
    /// Those of [`Device::prepare`] and [`Pipeline::run`].
    fn run(&self, program: &Program, job: &Job) -> Result<Outcome> {
        self.prepare(program)?.run(job)
    }
}

/// A program that is ready to run any number of jobs.
pub trait Pipeline: Send + Sync {
    /// Creates the job's resources, runs its work, waits, and reads back what the job asks for.
    ///
    /// # Errors
    ///
    /// [`Error::Unbound`](crate::Error::Unbound), [`Error::BadView`](crate::Error::BadView) and
    /// [`Error::BadJob`](crate::Error::BadJob) for jobs that do not match the program, and the
    /// errors of the device while it works.
    fn run(&self, job: &Job) -> Result<Outcome>;

    /// Runs a dispatch of which a wave is watched, with [`CompileOptions::watched`]. No time limit
    /// holds, since the watcher may take its time.
    ///
    /// # Errors
    ///
    /// Those of [`Pipeline::run`]; [`Error::Unsupported`](crate::Error::Unsupported) but on the CPU
    /// backend, and for other work than dispatches.
    ///
    /// [`CompileOptions::watched`]: crate::program::CompileOptions::watched
    fn run_watched(&self, job: &Job, watch: &mut dyn Watch) -> Result<Outcome> {
        let _ = (job, watch);
        Err(Error::Unsupported(
            "watching a shader on a device: a debugger runs it on the CPU".into(),
        ))
    }

    /// Runs a draw once, and records the wave of an invocation of one of its stages.
    ///
    /// # Errors
    ///
    /// Those of [`Pipeline::run`]; [`Error::Unsupported`](crate::Error::Unsupported) but on the CPU
    /// backend.
    fn run_recorder(&self, job: &Job, recorder: &Recorder<'_>) -> Result<Outcome> {
        let _ = (job, recorder);
        Err(Error::Unsupported(
            "recording a wave on a device: a debugger runs it on the CPU".into(),
        ))
    }

    /// Runs the groups of a dispatch before one of them, and records that one, for
    /// [`Pipeline::run_recorded`].
    ///
    /// # Errors
    ///
    /// Those of [`Pipeline::run_recorder`], and those of a dispatch without the group.
    fn record_group(&self, job: &Job, group: [u32; 3]) -> Result<Recorded> {
        let _ = (job, group);
        Err(Error::Unsupported(
            "recording a group on a device: a debugger runs it on the CPU".into(),
        ))
    }

    /// Runs a recorded wave of a draw, or a recorded group, again, and shows it before each
    /// instruction.
    ///
    /// # Errors
    ///
    /// Those of [`Pipeline::run_watched`].
    fn run_recorded(&self, job: &Job, recorded: &Recorded, watch: &mut dyn Watch) -> Result<()> {
        let _ = (job, recorded, watch);
        Err(Error::Unsupported(
            "watching a shader on a device: a debugger runs it on the CPU".into(),
        ))
    }

    /// Records a group of a node's run, for [`Pipeline::run_recorded`].
    ///
    /// # Errors
    ///
    /// Those of [`Pipeline::run_recorder`], and those of a run without the group.
    #[doc(hidden)]
    fn record_node(&self, job: &Job, run: &NodeRun, number: usize) -> Result<Recorded> {
        let _ = (job, run, number);
        Err(Error::Unsupported(
            "recording a node on a device: a debugger runs it on the CPU".into(),
        ))
    }

    /// Runs a node of a work graph for records. Only the CPU backend has nodes as such: on others
    /// they are compute shaders.
    ///
    /// # Errors
    ///
    /// Those of [`Pipeline::run`].
    #[doc(hidden)]
    fn run_node(&self, job: &Job, run: NodeRun) -> Result<(Outcome, NodeOutcome)> {
        let _ = (job, run);
        Err(Error::Unsupported(
            "nodes of work graphs that are not compute shaders".into(),
        ))
    }
}
