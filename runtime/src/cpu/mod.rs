//! The CPU backend: executes DXIL itself, without any driver.
//!
//! Nothing is translated. A program holds the decoded shader; a run copies the job's resources,
//! executes the groups, and hands back what the copies then hold.

mod format;
mod inputs;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dxil_cpu::{Dispatch, Kernel};
use dxil_frontend::container::root_signature::RootSignature;
use dxil_frontend::dxil::{ResourceClass, ResourceKind, Shader, ShaderKind};
use dxil_translate::{DescriptorKind, Features, Target};

use crate::device::{
    Backend, Device, DeviceInfo, DeviceKind, Limits, OpenOptions, Pipeline, Profile,
};
use crate::error::{Error, Result};
use crate::job::{Job, Outcome, Register, Sampler, Work};
use crate::program::{
    Code, CompileOptions, Layout, Program, SetLayout, Slot, SlotSource, StageCode,
};
use crate::root_signature::{Planner, static_samplers};

/// Most thread groups in one direction (D3D12_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION).
const MOST_GROUPS: u32 = 65535;

/// A decoded shader with what its root signature says.
#[derive(Debug)]
pub struct Executable {
    kernel: Kernel,
    static_samplers: Vec<(Register, Sampler)>,
    /// Registers that are looked at and are no arrays, with what the shader declares there.
    needed: Vec<(Register, String)>,
}

/// What the backend is called.
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
    timeout: Duration,
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
        target: Target {
            features: Features::all(),
            ..Target::default()
        },
        limits: Limits {
            descriptor_sets: u32::MAX,
            push_constant_bytes: 0,
            uniform_buffer_bytes: u64::MAX,
            storage_buffer_bytes: u64::MAX,
            texel_buffer_elements: u64::MAX,
            thread_groups: [MOST_GROUPS; 3],
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
        timeout: options.timeout,
    }))
}

/// Decodes a shader for the device.
pub(crate) fn compile(
    shaders: &[&Shader],
    root: Option<&RootSignature>,
    profile: &Profile,
    options: &CompileOptions,
) -> Result<Program> {
    let [shader] = shaders else {
        return Err(no_draws());
    };
    let (least, most) = profile.subgroup_sizes;
    let decode = dxil_cpu::Options {
        entry: options.entry.clone(),
        wave_size: (least == most).then_some(least),
    };
    let kernel = Kernel::decode(shader, &decode)?;
    let stage = ShaderKind::Compute;
    // The planner looks whether the root signature has a place for everything.
    Planner::new(root, profile, &|_| None, options.root_descriptors)
        .stage(&shader.resources, stage)?;
    let static_samplers = match root {
        Some(root) => static_samplers(root, &shader.resources, stage)?,
        None => Vec::new(),
    };
    let layout = layout_of(&kernel, shader, &static_samplers);
    let singles = layout.sets.iter().flat_map(|set| &set.slots);
    let needed = singles
        .filter(|slot| slot.count == 1 && !slot.unbounded)
        .filter_map(|slot| match slot.source {
            SlotSource::Registers(register) => Some((register, slot.name.clone())),
            _ => None,
        });
    let executable = Executable {
        needed: needed.collect(),
        kernel,
        static_samplers,
    };
    let entry = options.entry.clone();
    let entry = entry.or_else(|| Some(shader.entry_points.first()?.plain_name().to_owned()));
    Ok(Program::of_compute(
        StageCode {
            kind: stage,
            required_subgroup_size: Some(executable.kernel.wave_size()),
            code: Code::Dxil(Arc::new(executable)),
            entry: entry.unwrap_or_default(),
            interface: None,
            structure: None,
            warnings: Vec::new(),
            timings: None,
        },
        layout,
    ))
}

/// The registers that a kernel looks at: one set, whose numbers mean nothing.
fn layout_of(kernel: &Kernel, shader: &Shader, samplers: &[(Register, Sampler)]) -> Layout {
    let mut slots: Vec<Slot> = Vec::new();
    for range in kernel.used_ranges() {
        let register = Register {
            class: range.first.class,
            space: range.first.space,
            index: range.first.index,
        };
        let found = shader
            .resources
            .at_register(register.class, register.space, register.index);
        let Some(resource) = found else {
            continue;
        };
        let source = samplers.iter().find(|(at, _)| *at == register);
        let source = match source {
            Some((_, sampler)) => SlotSource::StaticSampler(*sampler),
            None => SlotSource::Registers(register),
        };
        let binding = slots.len() as u32;
        let kind = descriptor_kind(resource.class, resource.kind);
        slots.push(Slot {
            count: range.count.unwrap_or(u32::MAX),
            unbounded: range.count.is_none(),
            component: resource.detail.component,
            writable: resource.class == ResourceClass::Uav,
            stride: resource.detail.stride.unwrap_or(0),
            name: resource.name.to_string(),
            ..Slot::new(binding, kind, source, resource.kind)
        });
    }
    for (is_used, source, shape) in [
        (
            kernel.uses_resource_heap(),
            SlotSource::ResourceHeap,
            ResourceKind::Invalid,
        ),
        (
            kernel.uses_sampler_heap(),
            SlotSource::SamplerHeap,
            ResourceKind::Sampler,
        ),
    ] {
        if is_used {
            let binding = slots.len() as u32;
            let kind = DescriptorKind::StorageBuffer;
            slots.push(Slot {
                unbounded: true,
                ..Slot::new(binding, kind, source, shape)
            });
        }
    }
    Layout {
        sets: vec![SetLayout { slots }],
        push_constants: Vec::new(),
    }
}

fn descriptor_kind(class: ResourceClass, kind: ResourceKind) -> DescriptorKind {
    let is_uav = class == ResourceClass::Uav;
    match kind {
        ResourceKind::Sampler => DescriptorKind::Sampler,
        ResourceKind::CBuffer => DescriptorKind::UniformBuffer,
        ResourceKind::RtAccelerationStructure => DescriptorKind::AccelerationStructure,
        ResourceKind::TypedBuffer if is_uav => DescriptorKind::StorageTexelBuffer,
        ResourceKind::TypedBuffer => DescriptorKind::UniformTexelBuffer,
        kind if kind.is_texture() && is_uav => DescriptorKind::StorageImage,
        kind if kind.is_texture() => DescriptorKind::SampledImage,
        _ => DescriptorKind::StorageBuffer,
    }
}

fn no_draws() -> Error {
    Error::Unsupported(
        "draws on the cpu backend, which executes compute shaders only; use --backend vulkan"
            .into(),
    )
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
            Some(Code::Dxil(executable)) => Ok(Box::new(CpuPipeline {
                executable: Arc::clone(executable),
                timeout: self.timeout,
            })),
            _ => Err(Error::BadJob(
                "the program was not made for the cpu backend".into(),
            )),
        }
    }
}

struct CpuPipeline {
    executable: Arc<Executable>,
    timeout: Duration,
}

impl fmt::Debug for CpuPipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CpuPipeline")
    }
}

impl CpuPipeline {
    fn run_once(&self, job: &Job, groups: [u32; 3]) -> Result<(Outcome, Duration)> {
        let storages = inputs::storages(job)?;
        let bindings = inputs::bindings(job, &self.executable.static_samplers)?;
        let dispatch = Dispatch::new(&self.executable.kernel, &bindings, &storages)?;
        let start = Instant::now();
        let late = || start.elapsed() > self.timeout;
        let limits = dxil_cpu::Limits {
            stop: Some(&late),
            ..dxil_cpu::Limits::default()
        };
        let done = dispatch.run(groups, &limits).map_err(|error| match error {
            dxil_cpu::Error::Stopped { .. } => Error::Timeout(self.timeout),
            error => error.into(),
        })?;
        let elapsed = start.elapsed();
        let register = |register: dxil_cpu::resources::Register| Register {
            class: register.class,
            space: register.space,
            index: register.index,
        };
        let counters = done.counters.into_iter();
        let read = job.resources.iter().zip(&storages);
        let outcome = Outcome {
            resources: read
                .map(|(resource, storage)| resource.read_back.then(|| storage.to_bytes()))
                .collect(),
            counters: counters.map(|(at, value)| (register(at), value)).collect(),
            heap_counters: done.heap_counters,
            ..Outcome::default()
        };
        Ok((outcome, elapsed))
    }
}

impl Pipeline for CpuPipeline {
    fn run(&self, job: &Job) -> Result<Outcome> {
        let groups = groups_of(job)?;
        if let Some(need) = groups.iter().find(|need| **need > MOST_GROUPS) {
            return Err(Error::Limit {
                what: "thread groups in one direction",
                need: u64::from(*need),
                limit: u64::from(MOST_GROUPS),
            });
        }
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

/// The thread groups of a job's work.
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
            "ray tracing pipelines on the cpu backend; use --backend vulkan".into(),
        )),
    }
}
