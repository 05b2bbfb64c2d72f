//! `dxil-bench`: times of kernels on the device, and tables of translation speed.

mod bounds;
mod dxc;
mod failure;
mod kernel;
mod measure;
mod memory;
mod peer;
mod peer_library;
mod plot;
mod report;
mod translation;

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use dxil_commands::console;
use dxil_commands::exit::TABLE;
use dxil_commands::pages::PageArgs;
use dxil_runtime::device::{self, Backend, Device, DeviceInfo, DeviceKind, OpenOptions};

use failure::{Usage, exit_of};
use kernel::Kernel;
use measure::{Bench, Row};
use report::Report;

/// Run kernels on the device with our SPIR-V, with DXC's and through naga, and compare.
#[derive(Debug, Parser)]
#[command(
    name = "dxil-bench",
    version,
    args_conflicts_with_subcommands = true,
    after_long_help = TABLE
)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    kernels: KernelArgs,
}

#[derive(Debug, clap::Args)]
struct KernelArgs {
    /// Kernels to run; default: all.
    kernels: Vec<String>,
    /// Print the names of the kernels, one a line.
    #[arg(long)]
    list: bool,
    /// Size of the work. Default: small on a CPU, large on a GPU.
    #[arg(long, value_enum)]
    size: Option<Size>,
    /// Number of the Vulkan device in --list-devices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: usize,
    /// Print the Vulkan devices with their numbers.
    #[arg(long)]
    list_devices: bool,
    /// Seconds of measuring for each kernel; each variant gets at least eight turns
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = parse_seconds)]
    seconds: f64,
    /// Do not measure the variant through naga and wgpu
    #[arg(long)]
    no_naga: bool,
    /// Use NAME.spv of this folder, if it exists, instead of DXC's module. Its bindings are the
    /// registers, shifted as in tools/compile-kernels.sh.
    #[arg(long, value_name = "FOLDER")]
    against: Option<PathBuf>,
    /// Write the results as JSON (bench/RESULTS.md describes the fields).
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write an HTML page with plots.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    pages: PageArgs,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds from 0 to 86400".into()),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Size {
    /// Milliseconds on a CPU.
    Small,
    /// Four times that many elements.
    Medium,
    /// Sixteen times that many.
    Large,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Count what the structurizer does to all functions of the `.dxil` files of some folders.
    Structure {
        /// Folders to take `.dxil` files from.
        folders: Vec<PathBuf>,
        /// List each function that gets selectors, dispatchers or repaired phis.
        #[arg(long)]
        list: bool,
    },
    /// Time and memory on shapes whose control flow grows with n; the last column is the growth
    /// when n doubles.
    Scaling,
    /// Time and memory on hostile shapes (`hwtests/shapes`) of up to a million parts.
    Bounds {
        /// Size of the largest member of each family.
        #[arg(long, default_value_t = 1_000_000)]
        largest: u32,
        /// Only families whose name contains this.
        #[arg(default_value = "")]
        filter: String,
    },
    /// Time per shader over all `.dxil` files of some folders (default: the checked-in test
    /// shaders).
    Corpus {
        /// Folders to take `.dxil` files from.
        folders: Vec<PathBuf>,
        /// Runs per shader; the best counts.
        #[arg(long, default_value_t = 20)]
        runs: u32,
        /// List each shader, slowest first.
        #[arg(long)]
        list: bool,
    },
    /// Compare our C library with another library that has dxil-spirv's ABI, on the same containers.
    Peer {
        /// The other library, a shared object.
        library: PathBuf,
        /// Folders to take `.dxil` files from (default: the checked-in test shaders).
        folders: Vec<PathBuf>,
        /// Our library.
        #[arg(long, default_value = "target/release/libdxil_jit.so")]
        ours: PathBuf,
        /// Runs per shader; the best counts.
        #[arg(long, default_value_t = 20)]
        runs: u32,
    },
    /// Measure one library, for `peer`.
    #[command(hide = true)]
    PeerOne {
        library: PathBuf,
        files: Vec<PathBuf>,
        #[arg(long)]
        threads: usize,
        #[arg(long)]
        runs: u32,
    },
}

fn main() -> ExitCode {
    let args = Args::parse();
    let outcome = match args.kernels.pages.print(Args::command()) {
        Ok(true) => Ok(()),
        Ok(false) => run(args),
        Err(error) => Err(error.into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let exit = exit_of(&error);
            console::report(&format!("dxil-bench: {error:#}"));
            exit.into()
        }
    }
}

fn run(args: Args) -> anyhow::Result<()> {
    let text = match args.command {
        Some(Command::Scaling) => translation::scaling()?,
        Some(Command::Bounds { largest, filter }) => bounds::table(largest, &filter),
        Some(Command::Structure { folders, list }) => translation::structure(folders, list)?,
        Some(Command::Corpus {
            folders,
            runs,
            list,
        }) => translation::corpus(folders, runs, list)?,
        Some(Command::Peer {
            library,
            mut folders,
            ours,
            runs,
        }) => {
            if folders.is_empty() {
                folders = vec![dxil_bench::project_root().join("hwtests/shaders")];
            }
            for library in [&library, &ours] {
                let found = std::fs::metadata(library);
                found.with_context(|| library.display().to_string())?;
            }
            peer::compare(&ours, &library, &folders, runs)?
        }
        Some(Command::PeerOne {
            library,
            files,
            threads,
            runs,
        }) => peer::measure_one(&library, &files, threads, runs)?,
        None => return run_kernels(&args.kernels),
    };
    Ok(console::write(text.as_bytes())?)
}

fn run_kernels(args: &KernelArgs) -> anyhow::Result<()> {
    if args.list {
        let names = kernel::all().into_iter().map(|kernel| kernel.name);
        let names: String = names.flat_map(|name| [name, "\n"]).collect();
        return Ok(console::write(names.as_bytes())?);
    }
    if args.list_devices {
        let mut text = String::new();
        for device in device::list_devices(Backend::Vulkan)? {
            let (name, driver, api) = (device.name, device.driver, device.api);
            text.push_str(&format!("{} {name} ({driver}, {api})\n", device.index));
        }
        return Ok(console::write(text.as_bytes())?);
    }
    let all = kernel::all();
    if let Some(unknown) = args
        .kernels
        .iter()
        .find(|name| all.iter().all(|kernel| kernel.name != **name))
    {
        let names: Vec<&str> = all.iter().map(|kernel| kernel.name).collect();
        let message = format!(
            "there is no kernel {unknown}; there are: {}",
            names.join(" ")
        );
        return Err(Usage(message).into());
    }
    let wanted = |kernel: &Kernel| {
        args.kernels.is_empty() || args.kernels.iter().any(|name| name == kernel.name)
    };
    // Before anything is measured, which may take minutes.
    let mut json = create(args.json.as_deref())?;
    let mut html = create(args.html.as_deref())?;
    let mut open = OpenOptions::new(Backend::Vulkan);
    open.index = args.device;
    let vulkan = device::open(&open).context("opening the Vulkan device")?;
    let naga = if args.no_naga {
        None
    } else {
        Some(
            same_device(vulkan.info())
                .context("opening the wgpu device; --no-naga leaves it out")?,
        )
    };
    let size = args.size.unwrap_or(match vulkan.info().kind {
        DeviceKind::Cpu => Size::Small,
        _ => Size::Large,
    });
    let scale = match size {
        Size::Small => 0,
        Size::Medium => 2,
        Size::Large => 4,
    };
    let bench = Bench {
        vulkan: &*vulkan,
        naga: naga.as_deref(),
        seconds: args.seconds,
        scale,
        against: args.against.as_deref(),
    };
    let mut rows: Vec<Row> = Vec::new();
    let mut peaks = report::Peaks::default();
    for kernel in &all {
        let is_peak = kernel::PEAKS.contains(&kernel.name);
        if !wanted(kernel) && !is_peak {
            continue;
        }
        console::report(&format!("{} ...", kernel.name));
        let row = bench
            .measure(kernel)
            .with_context(|| format!("kernel {}", kernel.name))?;
        if is_peak {
            peaks.include(&row);
        }
        if wanted(kernel) {
            rows.push(row);
        }
    }
    let report = Report {
        device: vulkan.info(),
        size: format!("{size:?}").to_lowercase(),
        peaks,
        rows: &rows,
    };
    console::write(report.table().as_bytes())?;
    if let Some(file) = &mut json {
        file.write_all(report.json()?.as_bytes())?;
    }
    if let Some(file) = &mut html {
        file.write_all(plot::page(&report)?.as_bytes())?;
    }
    Ok(())
}

fn create(path: Option<&Path>) -> anyhow::Result<Option<File>> {
    let create =
        |path: &Path| File::create(path).with_context(|| format!("writing {}", path.display()));
    path.map(create).transpose()
}

/// Returns the device through wgpu, which may count devices differently.
fn same_device(vulkan: &DeviceInfo) -> anyhow::Result<Arc<dyn Device>> {
    let mut open = OpenOptions::new(Backend::Wgpu);
    let adapters = device::list_devices(Backend::Wgpu)?;
    let same = |adapter: &&DeviceInfo| adapter.name == vulkan.name;
    let mut fitting = adapters.iter().filter(same);
    let adapter = match adapters.get(vulkan.index).filter(same) {
        Some(adapter) => adapter,
        None => fitting
            .next()
            .with_context(|| format!("wgpu has no adapter {}", vulkan.name))?,
    };
    open.index = adapter.index;
    open.portable = true;
    Ok(device::open(&open)?)
}
