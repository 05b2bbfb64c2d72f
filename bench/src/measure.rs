//! Measures the variants of a kernel: our SPIR-V, DXC's, ours through naga, and the DXIL on the CPU
//! executor, as native code and interpreted. All are verified first and then measured in turns.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use dxil_bench::best_of;
use dxil_frontend::dxil::{Shader, read_shader};
use dxil_runtime::job::Timing;
use dxil_runtime::program::CompileOptions;
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Device, Pipeline, Program};

use crate::dxc;
use crate::failure::WrongResult;
use crate::kernel::{Kernel, Workload};
use crate::results::{KernelRow, Measurement};

/// Intended duration of a turn of a variant.
const TURN: Duration = Duration::from_millis(20);
/// Minimum number of turns of each variant.
const MIN_TURNS: u32 = 8;

/// The devices, and the duration of measurements.
pub(crate) struct Bench<'a> {
    pub(crate) vulkan: &'a dyn Device,
    pub(crate) naga: Option<&'a dyn Device>,
    /// The CPU executor with native code, and interpreting.
    pub(crate) cpu: Option<&'a dyn Device>,
    pub(crate) interpreter: Option<&'a dyn Device>,
    pub(crate) seconds: f64,
    /// Binary logarithm of how many times more elements than in the small size.
    pub(crate) scale: u32,
    /// Folder of DXBC containers and of modules to take instead of DXC's.
    pub(crate) against: Option<&'a Path>,
}

/// Returns whether the device lacks a feature or exceeds a limit.
pub(crate) fn is_unsupported(error: &anyhow::Error) -> bool {
    use dxil_runtime::Error as E;
    match error.downcast_ref() {
        Some(E::Unsupported(_) | E::Limit { .. }) => true,
        Some(E::Translate(error)) => error.category() == dxil_translate::Category::Unsupported,
        _ => false,
    }
}

/// A variant that was verified.
struct Verified {
    measurement: Measurement,
    pipeline: Box<dyn Pipeline>,
    times: Vec<f64>,
    /// Best times of even and of odd turns in microseconds.
    halves: [f64; 2],
}

impl Verified {
    fn noise(&self) -> Option<f64> {
        let [a, b] = self.halves;
        (a.is_finite() && b.is_finite()).then(|| a.max(b) / a.min(b) - 1.0)
    }
}

impl Bench<'_> {
    /// Measures a kernel. Failures of the other variants are recorded in the row.
    ///
    /// # Errors
    ///
    /// Our SPIR-V fails, unless the device lacks a feature that the kernel needs.
    pub(crate) fn measure(&self, kernel: &Kernel) -> anyhow::Result<KernelRow> {
        let shader = read_shader(kernel.dxil)?;
        let mut case = (kernel.case)(self.scale);
        let mut row = KernelRow {
            kernel: kernel.name.to_owned(),
            about: kernel.about.to_owned(),
            bytes: case.bytes,
            operations: case.operations,
            variants: Vec::new(),
            ratio: None,
            machine_code: Vec::new(),
            noise: None,
        };
        let mut ready = Vec::new();
        let mut failed = Vec::new();
        match self.ours("ours", self.vulkan, kernel.dxil, &case) {
            Ok(verified) => ready.push(verified),
            Err(error) if is_unsupported(&error) => {
                failed.push(Measurement::failed("ours", &error));
            }
            Err(error) => return Err(error.context("our SPIR-V")),
        }
        let on = |name, device: Option<&dyn Device>| match device {
            Some(device) => (name, self.ours(name, device, kernel.dxil, &case)),
            None => (name, Err(anyhow!("left out"))),
        };
        let others = [
            ("dxc", self.other(kernel, &shader, &case)),
            on("naga", self.naga),
            on("cpu", self.cpu),
            on("interpreted", self.interpreter),
        ];
        for (name, result) in others {
            match result {
                Ok(verified) => ready.push(verified),
                Err(error) => failed.push(Measurement::failed(name, &error)),
            }
        }

        // In turns, so that other load of the machine affects all variants alike.
        let begin = Instant::now();
        let mut turn = 0;
        while !ready.is_empty()
            && (turn < MIN_TURNS || begin.elapsed().as_secs_f64() < self.seconds)
        {
            let half = turn as usize % 2;
            // Each variant is first as often as last.
            let mut order: Vec<&mut Verified> = ready.iter_mut().collect();
            if half == 1 {
                order.reverse();
            }
            for ready in order {
                let known = ready.times.iter().copied().fold(f64::INFINITY, f64::min);
                let iterations = (TURN.as_secs_f64() * 1e6 / known).clamp(1.0, 50.0) as u32;
                // Nothing is warmed up on the executor: the first run of a turn is not timed
                // anyway.
                let warm_up =
                    u32::from(!["cpu", "interpreted"].contains(&&*ready.measurement.name));
                case.job.timing = Some(Timing {
                    warm_up,
                    iterations,
                });
                let outcome = ready.pipeline.run(&case.job)?;
                let times = outcome.timings.iter().map(|time| time.as_secs_f64() * 1e6);
                for time in times.filter(|time| *time > 0.0) {
                    ready.halves[half] = ready.halves[half].min(time);
                    ready.times.push(time);
                }
            }
            turn += 1;
        }
        let compared = ready
            .iter()
            .filter(|ready| ["ours", "dxc"].contains(&ready.measurement.name.as_str()));
        row.noise = compared.filter_map(Verified::noise).reduce(f64::max);
        for mut ready in ready {
            ready.times.sort_by(f64::total_cmp);
            ready.measurement.best_us = ready.times.first().copied();
            ready.measurement.median_us = ready.times.get(ready.times.len() / 2).copied();
            ready.measurement.quartiles_us = quartiles(&ready.times);
            ready.measurement.runs = ready.times.len();
            row.variants.push(ready.measurement);
        }
        row.variants.extend(failed);
        row.ratio = row
            .best_us("ours")
            .zip(row.best_us("dxc"))
            .map(|(ours, dxc)| ours / dxc);
        Ok(row)
    }

    /// Prepares what our SPIR-V is compared with: DXC's, or what the folder has.
    fn other(&self, kernel: &Kernel, shader: &Shader, case: &Workload) -> anyhow::Result<Verified> {
        let file = |extension| {
            let folder = self.against?;
            let path = folder.join(kernel.name).with_extension(extension);
            path.exists().then(|| std::fs::read(path))
        };
        if let Some(container) = file("dxbc").transpose()? {
            return self.ours("dxc", self.vulkan, &container, case);
        }
        let module = file("spv").transpose()?;
        let program = dxc::program(shader, module.as_deref().unwrap_or(kernel.spirv))?;
        prepare("dxc", self.vulkan, &program, case)
    }

    fn ours(
        &self,
        name: &'static str,
        device: &dyn Device,
        container: &[u8],
        case: &Workload,
    ) -> anyhow::Result<Verified> {
        let shader = read_shader(container)?;
        let formats = formats_of(&case.job);
        let compile = |shader: &Shader| {
            let options = CompileOptions::default();
            Program::compile(shader, None, device.profile(), &formats, &options)
        };
        let program = compile(&shader)?;
        let mut ready = prepare(name, device, &program, case)?;
        let time = best_of(20, || {
            read_shader(container).is_ok_and(|shader| compile(&shader).is_ok())
        });
        ready.measurement.translate_us = Some(time.as_secs_f64() * 1e6);
        Ok(ready)
    }
}

/// Returns the times that a quarter and three quarters of sorted times are below.
fn quartiles(times: &[f64]) -> Option<[f64; 2]> {
    let at = |numerator: usize| times.get(times.len() * numerator / 4).copied();
    Some([at(1)?, at(3)?])
}

/// Creates the pipeline, runs the dispatch once, and compares the results with the CPU's.
fn prepare(
    name: &'static str,
    device: &dyn Device,
    program: &Program,
    case: &Workload,
) -> anyhow::Result<Verified> {
    let mut create = Duration::MAX;
    let mut made = None;
    for _ in 0..3 {
        let begin = Instant::now();
        made = Some(device.prepare(program)?);
        create = create.min(begin.elapsed());
    }
    let pipeline = made.context("no pipeline")?;
    let outcome = pipeline.run(&case.job)?;
    (case.check)(&outcome).map_err(WrongResult)?;
    Ok(Verified {
        measurement: Measurement {
            name: name.to_owned(),
            translate_us: None,
            create_us: Some(create.as_secs_f64() * 1e6),
            best_us: None,
            median_us: None,
            quartiles_us: None,
            runs: 0,
            problem: None,
        },
        pipeline,
        times: Vec::new(),
        halves: [f64::INFINITY; 2],
    })
}
