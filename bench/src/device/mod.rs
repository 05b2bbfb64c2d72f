//! `dxil-bench device`: what a device can do, by small shaders of one kind of work each.

mod arithmetic;
mod figure;
mod interval;
mod launch;
mod measure;
mod memory;
mod page;
mod peaks;
mod phoronix;
mod results;
mod sensors;
mod table;
mod texture;

use std::path::PathBuf;

use anyhow::Context;
use clap::ValueEnum;
use dxil_commands::console;
use dxil_runtime::device::{self, Backend, DeviceKind, OpenOptions};

use crate::failure::Usage;
use crate::files::write_file;
use figure::{FAMILIES, Figure};
use results::DeviceRun;
use sensors::Sensors;
use table::DeviceReport;

/// The arguments of the command.
#[derive(Debug, clap::Args)]
pub(crate) struct DeviceArgs {
    /// Families of figures; default: all
    families: Vec<String>,
    /// Print the families with what they measure
    #[arg(long)]
    list: bool,
    /// Where the shaders run: vulkan, wgpu or cpu
    #[arg(long, value_enum, default_value_t = On::Vulkan, hide_possible_values = true)]
    backend: On,
    /// Number of the device in --list-devices
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: usize,
    /// Size of working sets and copies: small (64 MiB, a CPU's default) or large (1 GiB)
    #[arg(long, value_enum, hide_possible_values = true)]
    size: Option<Sets>,
    /// Runs of each figure; its value is their median
    #[arg(long, value_name = "N", default_value_t = 9,
        value_parser = clap::value_parser!(u32).range(i64::from(interval::MIN_RUNS)..=1000))]
    runs: u32,
    /// Show a run that --json wrote instead of measuring
    #[arg(long, value_name = "FILE", conflicts_with_all = ["families", "runs", "size", "json"])]
    show: Option<PathBuf>,
    /// Compare with another run, of this device or of another one; may be repeated
    #[arg(long, value_name = "FILE")]
    compare: Vec<PathBuf>,
    /// Write the results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write an HTML page with plots
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a result file of the Phoronix Test Suite
    #[arg(long, value_name = "FILE.xml")]
    phoronix: Option<PathBuf>,
}

/// Backends by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum On {
    Vulkan,
    Wgpu,
    Cpu,
}

/// Sizes by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sets {
    Small,
    Large,
}

/// Returns a value's word on the command line.
fn word(value: impl ValueEnum) -> String {
    let named = value.to_possible_value();
    named.map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Returns all figures for a size.
fn figures(size: Sets) -> Vec<Figure> {
    let (largest, threads, chain) = match size {
        Sets::Small => (64 << 20, 1 << 12, 1 << 20),
        Sets::Large => (1 << 30, 1 << 18, 64 << 20),
    };
    let mut all = arithmetic::figures();
    all.extend(memory::bandwidth(largest, threads));
    all.extend(memory::latency(largest));
    all.extend(memory::atomics());
    all.extend(texture::figures());
    all.extend(arithmetic::waves());
    all.extend(memory::occupancy(chain, threads / 64));
    all.extend(launch::figures());
    all.extend(launch::transfer(largest));
    all
}

/// Measures, or shows a run, and returns the tables.
///
/// # Errors
///
/// The arguments are wrong, a file cannot be read or written, there is no device, or a shader gives
/// wrong results.
pub(crate) fn run(args: &DeviceArgs) -> anyhow::Result<String> {
    if args.list {
        let line = |family: &figure::Family| format!("{:<11} {}\n", family.name, family.about);
        return Ok(FAMILIES.iter().map(line).collect());
    }
    let known = |name: &String| FAMILIES.iter().any(|family| family.name == *name);
    if let Some(unknown) = args.families.iter().find(|name| !known(name)) {
        let names = FAMILIES.map(|family| family.name).join(" ");
        let message = format!("there is no family {unknown}; there are: {names}");
        return Err(Usage(message).into());
    }
    let others = args.compare.iter().map(|path| DeviceRun::read(path));
    let others: Vec<DeviceRun> = others.collect::<anyhow::Result<_>>()?;
    // Before anything is measured, which may take minutes.
    for path in [&args.json, &args.html, &args.phoronix]
        .into_iter()
        .flatten()
    {
        write_file(path, "")?;
    }
    let run = match &args.show {
        Some(path) => DeviceRun::read(path)?,
        None => measured(args)?,
    };
    let report = DeviceReport {
        run: &run,
        others: &others,
    };
    if let Some(path) = &args.json {
        write_file(path, &run.json()?)?;
    }
    if let Some(path) = &args.html {
        write_file(path, &page::page(&report))?;
    }
    if let Some(path) = &args.phoronix {
        write_file(path, &phoronix::result_file(&run))?;
    }
    Ok(report.text())
}

fn measured(args: &DeviceArgs) -> anyhow::Result<DeviceRun> {
    let mut open = OpenOptions::new(match args.backend {
        On::Vulkan => Backend::Vulkan,
        On::Wgpu => Backend::Wgpu,
        On::Cpu => Backend::Cpu,
    });
    open.index = args.device;
    let device = device::open(&open).context("opening the device")?;
    let info = device.info();
    let is_cpu = info.kind == DeviceKind::Cpu || args.backend == On::Cpu;
    let size = args
        .size
        .unwrap_or(if is_cpu { Sets::Small } else { Sets::Large });
    let mut run = DeviceRun::new(info, word(args.backend), word(size));
    let sensors = Sensors::of(&info.name, is_cpu);
    let wanted = |figure: &Figure| {
        let name = figure.family.name;
        args.families.is_empty() || args.families.iter().any(|family| family == name)
    };
    let mut family = "";
    for figure in figures(size).iter().filter(|figure| wanted(figure)) {
        if figure.family.name != family {
            family = figure.family.name;
            console::report(&format!("{family} ..."));
            run.sensors.push(sensors.read(&info.name, family));
        }
        run.figures
            .push(measure::measure(&*device, figure, args.runs)?);
        // The next figure may end the process: a driver can crash.
        if let Some(path) = &args.json {
            write_file(path, &run.json()?)?;
        }
    }
    run.sensors.push(sensors.read(&info.name, ""));
    if let Some(peaks) = peaks::Peaks::of(&run.device) {
        peaks.add_to(&mut run);
    }
    Ok(run)
}
