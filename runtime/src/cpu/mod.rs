//! The CPU backend: executes DXIL itself, without any driver.
//!
//! Nothing is translated. A program holds the decoded shader; a run copies the job's resources,
//! executes the groups, and hands back what the copies then hold.

mod blocks;
mod chains;
mod compile;
mod draw;
mod executable;
mod fetch;
mod format;
mod inputs;
mod nodes;
mod rays;
mod reserved;
mod stages;
mod stopwatch;
mod structures;

pub(crate) use compile::compile;
pub use executable::Executable;
pub(crate) use nodes::compile_node;
pub(crate) use rays::compile_rays;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use dxil_cpu::resources::{Bindings, Storage};
use dxil_cpu::watch::{Recorded, Recorder, Watch};
use dxil_cpu::{CodeChoice, Dispatch, NodeOutcome, NodeRun};
use dxil_translate::{Features, Target};

use self::stopwatch::Stopwatch;
use crate::device::{
    Backend, Device, DeviceInfo, DeviceKind, Limits, OpenOptions, Pipeline, Profile,
};
use crate::error::{Error, Result};
use crate::graphics::{Draw, GraphicsState};
use crate::job::{Job, Outcome, Work};
use crate::job_check;
use crate::program::{Layout, Program, ShaderCode, StageCode};
use crate::ray_tracing::ShaderTable;
use crate::resource::{Resource, Storage as JobStorage};
use crate::stages::StageRun;
use draw::DrawInput;
use rays::RayPipeline;
use stages::Limited;

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
    code: CodeChoice,
    threads: Option<usize>,
    steps: Option<u64>,
    memory: Option<u64>,
}

impl RunLimits {
    /// Returns the executor's limits; it stops where the callback says so.
    fn of_run<'a>(&self, is_late: &'a (dyn Fn() -> bool + Sync)) -> dxil_cpu::Limits<'a> {
        let mut limits = dxil_cpu::Limits::default();
        limits.stop = Some(is_late);
        limits.code = self.code;
        limits.threads = self.threads.unwrap_or(limits.threads);
        limits.steps = self.steps.unwrap_or(limits.steps);
        limits.memory = self.memory.unwrap_or(limits.memory);
        limits
    }

    /// Returns the executor's limits for a user who watches, and takes as long as it takes.
    fn without_timeout(&self) -> dxil_cpu::Limits<'static> {
        let mut limits = self.of_run(&|| false);
        limits.stop = None;
        limits
    }

    /// Returns the error of a run; only the time limit stops one.
    fn error(&self, error: dxil_cpu::Error) -> Error {
        match error {
            dxil_cpu::Error::Stopped { place } => Error::CpuTimeout {
                limit: self.timeout,
                place,
            },
            error => error.into(),
        }
    }
}

/// Asks for the memory of the copies first: an allocation that fails later ends the process.
fn check_memory(job: &Job) -> Result<()> {
    let bytes = job.resources.iter().fold(0_u64, |all, resource| {
        let bytes = match &resource.storage {
            JobStorage::Buffer(bytes) => bytes.len() as u64,
            JobStorage::Texture(texture) => texture.total_bytes(),
        };
        let copies = 1 + u64::from(resource.read_back);
        all.saturating_add(bytes.saturating_mul(copies))
    });
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    Vec::<u8>::new()
        .try_reserve_exact(bytes)
        .map_err(|_| Error::OutOfMemory("host"))
}

/// Returns the job's outcome of a run.
fn outcome_of(job: &Job, storages: &[Storage], done: dxil_cpu::Outcome) -> Outcome {
    let read = job.resources.iter().zip(storages);
    let contents = |resource: &Resource, storage: &Storage| match &resource.storage {
        // No shader writes to compressed blocks.
        JobStorage::Texture(texture) if texture.format.is_compressed() => texture.data.clone(),
        JobStorage::Texture(_) | JobStorage::Buffer(_) => storage.to_bytes(),
    };
    Outcome {
        resources: read
            .map(|(resource, storage)| resource.read_back.then(|| contents(resource, storage)))
            .collect(),
        counters: done.counters,
        heap_counters: done.heap_counters,
        findings: done.findings,
        events: done.events,
        ..Outcome::default()
    }
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
            ray_recursion: rays::MAX_RECURSION,
            unbounded_descriptors_are_all: true,
            unbounded_descriptors: u32::MAX,
        },
        texel_buffers: true,
        storage_image_formats: false,
        dense_bindings: false,
        descriptor_heaps: None,
        device_addresses: false,
        subgroup_sizes: options.wave_size.map_or((4, 128), |size| (size, size)),
        robust: true,
        residency: false,
        executes_dxil: true,
        keep_denormals: options.keep_denormals,
        checks: options.checks,
    };
    Ok(Arc::new(CpuDevice {
        info: info(),
        profile,
        limits: RunLimits {
            timeout: options.timeout,
            code: options.cpu_code,
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
        if let Some(state) = &program.graphics {
            state.check()?;
        }
        let rays = program.ray_tracing.as_ref();
        let rays = rays
            .map(|state| RayPipeline::new(program, state))
            .transpose()?;
        match program.stages.first().map(|stage| &stage.code) {
            Some(ShaderCode::Dxil(executable)) => Ok(Box::new(CpuPipeline {
                executable: Arc::clone(executable),
                stages: program.stages.iter().filter_map(executable_of).collect(),
                graphics: program.graphics.clone(),
                rays,
                limits: self.limits,
                layout: program.layout.clone(),
            })),
            _ => Err(Error::BadJob(
                "the program was not compiled for the CPU backend".into(),
            )),
        }
    }
}

fn executable_of(stage: &StageCode) -> Option<Arc<Executable>> {
    match &stage.code {
        ShaderCode::Dxil(executable) => Some(Arc::clone(executable)),
        _ => None,
    }
}

struct CpuPipeline {
    /// The first stage.
    executable: Arc<Executable>,
    stages: Vec<Arc<Executable>>,
    graphics: Option<GraphicsState>,
    rays: Option<RayPipeline>,
    limits: RunLimits,
    layout: Layout,
}

impl fmt::Debug for CpuPipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CpuPipeline")
    }
}

/// The program of a run.
enum Launch<'a> {
    Groups([u32; 3]),
    Rays(&'a RayPipeline, [u32; 3], &'a ShaderTable),
    Draw(&'a GraphicsState, &'a Draw),
    Stages(&'a GraphicsState, &'a StageRun),
}

impl CpuPipeline {
    /// Returns the launch of a job's work for this pipeline.
    fn launch<'a>(&'a self, job: &'a Job) -> Result<Launch<'a>> {
        if let Some(state) = &self.graphics {
            return match &job.work {
                Work::Draw(draw) => Ok(Launch::Draw(state, draw)),
                Work::Stages(run) => Ok(Launch::Stages(state, run)),
                _ => Err(Error::BadJob(
                    "a graphics program draws, it is not dispatched".into(),
                )),
            };
        }
        let groups = match (&job.work, &self.rays) {
            (Work::DispatchRays(dispatch), Some(rays)) => {
                let size = RayPipeline::size(job, dispatch)?;
                return Ok(Launch::Rays(rays, size, &dispatch.table));
            }
            (_, Some(_)) => {
                return Err(Error::BadJob(
                    "a ray tracing program dispatches rays, and nothing else".into(),
                ));
            }
            (Work::DispatchRays(_), None) => {
                return Err(Error::BadJob("a compute program dispatches no rays".into()));
            }
            (Work::Dispatch(groups), None) => *groups,
            (Work::DispatchIndirect { arguments, offset }, None) => {
                inputs::indirect_counts(job, *arguments, *offset)?
            }
            (Work::Draw(_) | Work::Stages(_), None) => {
                return Err(Error::BadJob("a compute program is dispatched".into()));
            }
        };
        match groups.iter().find(|need| **need > MAX_GROUPS) {
            None => Ok(Launch::Groups(groups)),
            Some(need) => Err(Error::Limit {
                what: "thread groups in one direction",
                need: u64::from(*need),
                limit: u64::from(MAX_GROUPS),
            }),
        }
    }

    /// Returns the dispatch of the first stage.
    fn dispatch<'a>(
        &'a self,
        job: &Job,
        launch: &Launch<'_>,
        (bindings, storages): (&Bindings, &'a [Storage]),
    ) -> Result<Dispatch<'a>> {
        let kernel = &self.executable.kernel;
        Ok(match launch {
            Launch::Groups(_) | Launch::Draw(..) | Launch::Stages(..) => {
                Dispatch::new(kernel, bindings, storages)?
            }
            Launch::Rays(rays, _, table) => {
                let tables = rays.tables(&self.executable, job, table)?;
                Dispatch::of_rays(kernel, bindings, storages, &tables)?
            }
        })
    }

    fn run_once(
        &self,
        job: &Job,
        launch: &Launch<'_>,
        recorder: Option<&Recorder<'_>>,
    ) -> Result<(Outcome, Duration)> {
        // Each run works on copies, so that a timed run begins with the same contents as the first
        // one.
        check_memory(job)?;
        let storages = inputs::storages(job)?;
        let bindings = inputs::bindings(job, &self.executable.static_samplers)?;
        let dispatch = self.dispatch(job, launch, (&bindings, &storages))?;
        // The time of the copies does not count, as on devices.
        let start = Stopwatch::start();
        let timeout = self.limits.timeout;
        // Groups run on other threads, which ask this while they work: a shader may never end by
        // itself.
        let is_late = || start.elapsed() > timeout;
        let mut limits = self.limits.of_run(&is_late);
        limits.recorder = recorder;
        let limited = Limited {
            limits,
            error: &|error| self.limits.error(error),
        };
        let stages: Vec<&Executable> = self.stages.iter().map(Arc::as_ref).collect();
        let (mut tables, mut queries) = (Vec::new(), Vec::new());
        let done = match launch {
            Launch::Draw(state, draw) => {
                let input = DrawInput {
                    stages: &stages,
                    state,
                    job,
                    draw,
                };
                let given = draw::run(&input, &storages, &limited)?;
                queries = given.1;
                Ok(given.0)
            }
            Launch::Stages(state, run) => {
                let given = stages::run(&stages, state, job, run, (&storages, &limited))?;
                tables = given.1;
                Ok(given.0)
            }
            Launch::Groups(groups) => dispatch.run(*groups, &limits),
            Launch::Rays(_, size, _) => dispatch.run_rays(*size, &limits),
        };
        let done = done.map_err(|error| self.limits.error(error))?;
        let elapsed = start.elapsed();
        let mut outcome = outcome_of(job, &storages, done);
        outcome.queries = queries;
        if let Launch::Stages(_, run) = launch {
            for (output, resource) in &run.tables {
                let given = tables.iter().find(|(known, _)| known == output);
                if let (Some(place), Some((_, bytes))) =
                    (outcome.resources.get_mut(resource.0), given)
                {
                    *place = Some(bytes.clone());
                }
            }
        }
        Ok((outcome, elapsed))
    }
}

impl CpuPipeline {
    /// Checks that every register is bound. The kernel treats an unbound one as null; other
    /// backends report it, and so does this one.
    fn check_bound(&self, job: &Job) -> Result<()> {
        for (register, what) in self.stages.iter().flat_map(|stage| &stage.needed) {
            if job.view(*register).is_none() {
                return Err(Error::Unbound {
                    register: *register,
                    what: what.clone(),
                });
            }
        }
        Ok(())
    }
}

impl Pipeline for CpuPipeline {
    fn run_node(&self, job: &Job, run: NodeRun) -> Result<(Outcome, NodeOutcome)> {
        self.check_bound(job)?;
        let storages = inputs::storages(job)?;
        let bindings = inputs::bindings(job, &self.executable.static_samplers)?;
        let dispatch = Dispatch::new(&self.executable.kernel, &bindings, &storages)?;
        let start = Stopwatch::start();
        let is_late = || start.elapsed() > self.limits.timeout;
        let left = dispatch.run_node(run, &self.limits.of_run(&is_late));
        let mut left = left.map_err(|error| self.limits.error(error))?;
        let done = std::mem::take(&mut left.outcome);
        let mut outcome = outcome_of(job, &storages, done);
        outcome.timings.push(start.elapsed());
        Ok((outcome, left))
    }

    fn record_node(&self, job: &Job, run: &NodeRun, number: usize) -> Result<Recorded> {
        let storages = inputs::storages(job)?;
        let bindings = inputs::bindings(job, &self.executable.static_samplers)?;
        let dispatch = Dispatch::new(&self.executable.kernel, &bindings, &storages)?;
        let recorded = dispatch.record_node(run, number);
        recorded.map_err(|error| self.limits.error(error))
    }

    fn run_watched(&self, job: &Job, watch: &mut dyn Watch) -> Result<Outcome> {
        let launch = self.launch(job)?;
        if matches!(launch, Launch::Draw(..) | Launch::Stages(..)) {
            return Err(Error::Unsupported(
                "watching a whole draw; a recorded wave of it can be watched".into(),
            ));
        }
        job_check::check(&self.layout, job)?;
        self.check_bound(job)?;
        check_memory(job)?;
        let storages = inputs::storages(job)?;
        let bindings = inputs::bindings(job, &self.executable.static_samplers)?;
        let dispatch = self.dispatch(job, &launch, (&bindings, &storages))?;
        let start = Stopwatch::start();
        let limits = self.limits.without_timeout();
        let done = match launch {
            Launch::Rays(_, size, _) => dispatch.run_rays_watched(size, &limits, watch)?,
            Launch::Groups(groups) => dispatch.run_watched(groups, &limits, watch)?,
            Launch::Draw(..) | Launch::Stages(..) => dxil_cpu::Outcome::default(),
        };
        let mut outcome = outcome_of(job, &storages, done);
        outcome.timings.push(start.elapsed());
        Ok(outcome)
    }

    fn run_recorder(&self, job: &Job, recorder: &Recorder<'_>) -> Result<Outcome> {
        let launch = self.launch(job)?;
        job_check::check(&self.layout, job)?;
        self.check_bound(job)?;
        let (mut outcome, elapsed) = self.run_once(job, &launch, Some(recorder))?;
        outcome.timings.push(elapsed);
        Ok(outcome)
    }

    fn record_group(&self, job: &Job, group: [u32; 3]) -> Result<Recorded> {
        let launch = self.launch(job)?;
        let Launch::Groups(groups) = launch else {
            return Err(Error::Unsupported(
                "recording a group of other work than a dispatch".into(),
            ));
        };
        job_check::check(&self.layout, job)?;
        self.check_bound(job)?;
        check_memory(job)?;
        let storages = inputs::storages(job)?;
        let bindings = inputs::bindings(job, &self.executable.static_samplers)?;
        let dispatch = self.dispatch(job, &launch, (&bindings, &storages))?;
        let limits = self.limits.without_timeout();
        let recorded = dispatch.record_group(groups, group, &limits);
        recorded.map_err(|error| self.limits.error(error))
    }

    fn run_recorded(&self, job: &Job, recorded: &Recorded, watch: &mut dyn Watch) -> Result<()> {
        let kind = recorded.invocation().map(|own| own.stage());
        let stage = self
            .stages
            .iter()
            .find(|stage| stage.kernel.stage() == kind);
        let stage = stage
            .ok_or_else(|| Error::BadJob("the wave was recorded of another program".into()))?;
        let viewed;
        let kernel = match recorded.view {
            0 => &stage.kernel,
            view => {
                viewed = stage.kernel.with_view(view);
                &viewed
            }
        };
        check_memory(job)?;
        let storages = inputs::storages(job)?;
        let bindings = inputs::bindings(job, &stage.static_samplers)?;
        let dispatch = Dispatch::new(kernel, &bindings, &storages)?;
        dispatch.run_recorded(recorded, &self.limits.without_timeout(), watch)?;
        Ok(())
    }

    fn run(&self, job: &Job) -> Result<Outcome> {
        let launch = self.launch(job)?;
        job_check::check(&self.layout, job)?;
        self.check_bound(job)?;
        let (mut outcome, elapsed) = self.run_once(job, &launch, None)?;
        match job.timing {
            None => outcome.timings.push(elapsed),
            Some(timing) => {
                for run in 0..timing.warm_up + timing.iterations {
                    let (_, elapsed) = self.run_once(job, &launch, None)?;
                    if run >= timing.warm_up {
                        outcome.timings.push(elapsed);
                    }
                }
            }
        }
        Ok(outcome)
    }
}
