//! One kernel in all ways: verify, then measure them in turns.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use dxil_bench::best_of;
use dxil_frontend::dxil::{Shader, read_shader};
use dxil_runtime::job::Timing;
use dxil_runtime::program::CompileOptions;
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Device, Pipeline, Program};
use serde::Serialize;

use crate::dxc;
use crate::kernel::{Case, Kernel};

/// Runs that one turn of a way is meant to take, in time.
const TURN: Duration = Duration::from_millis(20);
/// Least number of turns of each way.
const MIN_TURNS: u32 = 8;

/// The devices and how long to measure.
pub(crate) struct Bench<'a> {
    pub(crate) vulkan: &'a dyn Device,
    pub(crate) naga: Option<&'a dyn Device>,
    pub(crate) seconds: f64,
    /// Binary logarithm of how many times more elements than in the small size.
    pub(crate) scale: u32,
    /// Folder of modules to take instead of DXC's.
    pub(crate) against: Option<&'a Path>,
}

/// What one way took.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Measurement {
    /// `ours`, `dxc` or `naga`.
    pub(crate) name: &'static str,
    /// Container to SPIR-V, best of many; none for code that was there already.
    pub(crate) translate_us: Option<f64>,
    /// Making the pipeline, best of three.
    pub(crate) create_us: Option<f64>,
    /// Time of one dispatch by the device's timestamps: the best.
    pub(crate) best_us: Option<f64>,
    /// The median.
    pub(crate) median_us: Option<f64>,
    /// Dispatches that were measured.
    pub(crate) runs: usize,
    /// Why there is no result.
    pub(crate) problem: Option<String>,
}

impl Measurement {
    /// A way that did not work.
    fn without(name: &'static str, error: &anyhow::Error) -> Self {
        Measurement {
            name,
            translate_us: None,
            create_us: None,
            best_us: None,
            median_us: None,
            runs: 0,
            problem: Some(format!("{error:#}")),
        }
    }
}

/// Whether the device lacks something, as opposed to doing it wrong.
fn is_lack(error: &anyhow::Error) -> bool {
    use dxil_runtime::Error as E;
    match error.downcast_ref() {
        Some(E::Unsupported(_) | E::Limit { .. }) => true,
        Some(E::Translate(error)) => error.category() == dxil_translate::Category::Unsupported,
        _ => false,
    }
}

/// A kernel's results.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    pub(crate) kernel: &'static str,
    pub(crate) about: &'static str,
    /// Bytes that a dispatch has to move at least.
    pub(crate) bytes: f64,
    /// Floating-point operations of a dispatch.
    pub(crate) operations: f64,
    pub(crate) ways: Vec<Measurement>,
    /// Best time of ours by best time of DXC's.
    pub(crate) ratio: Option<f64>,
    /// How far the best of every other turn is from the best of the turns between, for the same
    /// code: the part of the ratio that says nothing.
    pub(crate) noise: Option<f64>,
}

impl Row {
    pub(crate) fn best_us(&self, way: &str) -> Option<f64> {
        self.ways.iter().find(|w| w.name == way)?.best_us
    }

    /// GB/s of a way.
    pub(crate) fn bandwidth(&self, way: &str) -> Option<f64> {
        (self.bytes > 0.0).then(|| Some(self.bytes / self.best_us(way)? / 1e3))?
    }

    /// GFLOP/s of a way.
    pub(crate) fn throughput(&self, way: &str) -> Option<f64> {
        (self.operations > 0.0).then(|| Some(self.operations / self.best_us(way)? / 1e3))?
    }
}

struct Ready {
    way: Measurement,
    pipeline: Box<dyn Pipeline>,
    times: Vec<f64>,
    /// Best of the even turns, and of the odd ones.
    halves: [f64; 2],
}

impl Ready {
    fn noise(&self) -> Option<f64> {
        let [a, b] = self.halves;
        (a.is_finite() && b.is_finite()).then(|| a.max(b) / a.min(b) - 1.0)
    }
}

impl Bench<'_> {
    /// Measures a kernel. Ours must work, unless the device lacks what the kernel needs; what fails
    /// in another way is noted.
    pub(crate) fn measure(&self, kernel: &Kernel) -> anyhow::Result<Row> {
        let shader = read_shader(kernel.dxil)?;
        let mut case = (kernel.case)(self.scale);
        let mut row = Row {
            kernel: kernel.name,
            about: kernel.about,
            bytes: case.bytes,
            operations: case.operations,
            ways: Vec::new(),
            ratio: None,
            noise: None,
        };
        let mut ready = Vec::new();
        let mut failed = Vec::new();
        match self.ours("ours", self.vulkan, kernel, &shader, &case) {
            Ok(way) => ready.push(way),
            Err(error) if is_lack(&error) => failed.push(Measurement::without("ours", &error)),
            Err(error) => return Err(error.context("our SPIR-V")),
        }
        let other = self
            .against
            .map(|folder| folder.join(kernel.name).with_extension("spv"))
            .filter(|path| path.exists())
            .map(std::fs::read)
            .transpose()?;
        let dxc = other.as_deref().unwrap_or(kernel.spirv);
        let others = [
            (
                "dxc",
                dxc::program(&shader, dxc)
                    .and_then(|program| prepare("dxc", self.vulkan, &program, &case)),
            ),
            match self.naga {
                Some(device) => ("naga", self.ours("naga", device, kernel, &shader, &case)),
                None => ("naga", Err(anyhow!("left out"))),
            },
        ];
        for (name, way) in others {
            match way {
                Ok(way) => ready.push(way),
                Err(error) => failed.push(Measurement::without(name, &error)),
            }
        }

        // In turns, so that whatever else the machine does hits all alike.
        let begin = Instant::now();
        let mut turn = 0;
        while !ready.is_empty()
            && (turn < MIN_TURNS || begin.elapsed().as_secs_f64() < self.seconds)
        {
            let half = turn as usize % 2;
            // Each way comes first as often as last.
            let mut order: Vec<&mut Ready> = ready.iter_mut().collect();
            if half == 1 {
                order.reverse();
            }
            for ready in order {
                let known = ready.times.iter().copied().fold(f64::INFINITY, f64::min);
                let iterations = (TURN.as_secs_f64() * 1e6 / known).clamp(1.0, 50.0) as u32;
                case.job.timing = Some(Timing {
                    warm_up: 1,
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
        let compared = ready.iter().filter(|ready| ready.way.name != "naga");
        row.noise = compared.filter_map(Ready::noise).reduce(f64::max);
        for mut ready in ready {
            ready.times.sort_by(f64::total_cmp);
            ready.way.best_us = ready.times.first().copied();
            ready.way.median_us = ready.times.get(ready.times.len() / 2).copied();
            ready.way.runs = ready.times.len();
            row.ways.push(ready.way);
        }
        row.ways.extend(failed);
        row.ratio = row
            .best_us("ours")
            .zip(row.best_us("dxc"))
            .map(|(ours, dxc)| ours / dxc);
        Ok(row)
    }

    fn ours(
        &self,
        name: &'static str,
        device: &dyn Device,
        kernel: &Kernel,
        shader: &Shader,
        case: &Case,
    ) -> anyhow::Result<Ready> {
        let formats = formats_of(&case.job);
        let compile = |shader: &Shader| {
            let options = CompileOptions::default();
            Program::compile(shader, None, device.profile(), &formats, &options)
        };
        let program = compile(shader)?;
        let mut ready = prepare(name, device, &program, case)?;
        let time = best_of(20, || {
            read_shader(kernel.dxil).is_ok_and(|shader| compile(&shader).is_ok())
        });
        ready.way.translate_us = Some(time.as_secs_f64() * 1e6);
        Ok(ready)
    }
}

/// Makes the pipeline, runs the work once, and compares the results with the CPU's.
fn prepare(
    name: &'static str,
    device: &dyn Device,
    program: &Program,
    case: &Case,
) -> anyhow::Result<Ready> {
    let mut create = Duration::MAX;
    let mut made = None;
    for _ in 0..3 {
        let begin = Instant::now();
        made = Some(device.prepare(program)?);
        create = create.min(begin.elapsed());
    }
    let pipeline = made.context("no pipeline")?;
    let outcome = pipeline.run(&case.job)?;
    (case.check)(&outcome).map_err(|problem| anyhow!("wrong result: {problem}"))?;
    Ok(Ready {
        way: Measurement {
            name,
            translate_us: None,
            create_us: Some(create.as_secs_f64() * 1e6),
            best_us: None,
            median_us: None,
            runs: 0,
            problem: None,
        },
        pipeline,
        times: Vec::new(),
        halves: [f64::INFINITY; 2],
    })
}
