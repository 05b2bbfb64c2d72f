//! The CPU backend: executes DXIL itself, without any driver.
//!
//! Nothing is translated. A program holds the decoded shader; a run copies the job's resources,
//! executes the groups, and hands back what the copies then hold.

mod compile;
mod executable;
mod format;
mod inputs;
mod structures;

pub(crate) use compile::compile;
pub use executable::Executable;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use compile::no_draws;
use dxil_cpu::{Checks, Dispatch};
use dxil_translate::{Features, Target};

use crate::device::{
    Backend, Device, DeviceInfo, DeviceKind, Limits, OpenOptions, Pipeline, Profile,
};
use crate::error::{Error, Result};
use crate::job::{Job, Outcome, Work};
use crate::program::{Program, ShaderCode};

/// Maximum number of thread groups in one direction
/// (D3D12_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION).
const MAX_GROUPS: u32 = 65535;

/// Returns the description of the backend.
pub(crate) fn info() -> DeviceInfo {
    DeviceInfo {
        backend: Backend::Cpu,
        index: 0,
        name: "CPU".into(),
        driver: format!("dxil-jit {}", env!("CARGO_PKG_VERSION")),
        api: "executes DXIL itself".into(),
        kind: DeviceKind::Cpu,
    }
}

struct CpuDevice {
    info: DeviceInfo,
    profile: Profile,
    limits: RunLimits,
}

/// The caller's limits of a run.
#[derive(Debug, Clone, Copy)]
struct RunLimits {
    timeout: Duration,
    checks: Checks,
    threads: Option<usize>,
    steps: Option<u64>,
    memory: Option<u64>,
}

/// Opens the device; there is always one.
pub(crate) fn open(options: &OpenOptions) -> Result<Arc<dyn Device>> {
    if options.index > 0 {
        return Err(Error::NoSuchDevice {
            index: options.index,
            count: 1,
        });
    }
    let profile = Profile {
        target: {
            let mut target = Target::default();
            target.features = Features::all();
            target
        },
        limits: Limits {
            descriptor_sets: u32::MAX,
            push_constant_bytes: 0,
            uniform_buffer_bytes: u64::MAX,
            storage_buffer_bytes: u64::MAX,
            texel_buffer_elements: u64::MAX,
            thread_groups: [MAX_GROUPS; 3],
            ray_recursion: 0,
            unbounded_descriptors: u32::MAX,
        },
        texel_buffers: true,
        storage_image_formats: false,
        dense_bindings: false,
        device_addresses: false,
        subgroup_sizes: options.wave_size.map_or((4, 128), |size| (size, size)),
        robust: true,
        residency: false,
        executes_dxil: true,
    };
    Ok(Arc::new(CpuDevice {
        info: info(),
        profile,
        limits: RunLimits {
            timeout: options.timeout,
            checks: options.checks,
            threads: options.threads,
            steps: options.max_steps,
            memory: options.max_memory,
        },
    }))
}

impl Device for CpuDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn prepare(&self, program: &Program) -> Result<Box<dyn Pipeline>> {
        if program.graphics.is_some() {
            return Err(no_draws());
        }
        match program.stages.first().map(|stage| &stage.code) {
            Some(ShaderCode::Dxil(executable)) => Ok(Box::new(CpuPipeline {
                executable: Arc::clone(executable),
                limits: self.limits,
            })),
            _ => Err(Error::BadJob(
                "the program was not compiled for the CPU backend".into(),
            )),
        }
    }
}

struct CpuPipeline {
    executable: Arc<Executable>,
    limits: RunLimits,
}

impl fmt::Debug for CpuPipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CpuPipeline")
    }
}

impl CpuPipeline {
    fn run_once(&self, job: &Job, groups: [u32; 3]) -> Result<(Outcome, Duration)> {
        // Each run works on copies, so that a timed run begins with the same contents as the first
        // one.
        let storages = inputs::storages(job)?;
        let bindings = inputs::bindings(job, &self.executable.static_samplers)?;
        let dispatch = Dispatch::new(&self.executable.kernel, &bindings, &storages)?;
        // The time of the copies does not count, as on devices.
        let start = Instant::now();
        let timeout = self.limits.timeout;
        // Groups run on other threads, which ask this while they work: a shader may never end by
        // itself.
        let is_late = || start.elapsed() > timeout;
        let mut limits = dxil_cpu::Limits::default();
        limits.stop = Some(&is_late);
        limits.threads = self.limits.threads.unwrap_or(limits.threads);
        limits.steps = self.limits.steps.unwrap_or(limits.steps);
        limits.memory = self.limits.memory.unwrap_or(limits.memory);
        let done = dispatch.run_checked(groups, &limits, self.limits.checks);
        let done = done.map_err(|error| match error {
            dxil_cpu::Error::Stopped { place } => Error::CpuTimeout {
                limit: timeout,
                place,
            },
            error => error.into(),
        })?;
        let elapsed = start.elapsed();
        let read = job.resources.iter().zip(&storages);
        let outcome = Outcome {
            resources: read
                .map(|(resource, storage)| resource.read_back.then(|| storage.to_bytes()))
                .collect(),
            counters: done.counters,
            heap_counters: done.heap_counters,
            findings: done.findings,
            ..Outcome::default()
        };
        Ok((outcome, elapsed))
    }
}

impl Pipeline for CpuPipeline {
    fn run(&self, job: &Job) -> Result<Outcome> {
        let groups = groups_of(job)?;
        if let Some(need) = groups.iter().find(|need| **need > MAX_GROUPS) {
            return Err(Error::Limit {
                what: "thread groups in one direction",
                need: u64::from(*need),
                limit: u64::from(MAX_GROUPS),
            });
        }
        // The kernel treats an unbound register as null; other backends report it, and so does this
        // one.
        for (register, what) in &self.executable.needed {
            if job.view(*register).is_none() {
                return Err(Error::Unbound {
                    register: *register,
                    what: what.clone(),
                });
            }
        }
        let (mut outcome, elapsed) = self.run_once(job, groups)?;
        match job.timing {
            None => outcome.timings.push(elapsed),
            Some(timing) => {
                for run in 0..timing.warm_up + timing.iterations {
                    let (_, elapsed) = self.run_once(job, groups)?;
                    if run >= timing.warm_up {
                        outcome.timings.push(elapsed);
                    }
                }
            }
        }
        Ok(outcome)
    }
}

/// Returns the thread groups of a job's work.
fn groups_of(job: &Job) -> Result<[u32; 3]> {
    match &job.work {
        Work::Dispatch(groups) => Ok(*groups),
        Work::DispatchIndirect { arguments, offset } => {
            let bytes = inputs::buffer_contents(job, *arguments)
                .ok_or_else(|| Error::BadJob("the arguments are no buffer".into()))?;
            let word = |index: u64| {
                let at = usize::try_from(offset + 4 * index).ok()?;
                let bytes = bytes.get(at..at.checked_add(4)?)?;
                Some(u32::from_le_bytes(bytes.try_into().ok()?))
            };
            match (word(0), word(1), word(2)) {
                (Some(x), Some(y), Some(z)) => Ok([x, y, z]),
                _ => Err(Error::BadJob(
                    "the arguments lie beyond the end of their buffer".into(),
                )),
            }
        }
        Work::Draw(_) => Err(no_draws()),
        Work::DispatchRays(_) => Err(Error::Unsupported(
            "ray tracing pipelines on the CPU backend; the Vulkan backend has them".into(),
        )),
    }
}
