//! `dxil-bench`: times of kernels on the device, and tables of translation speed.

mod bounds;
mod change;
mod crashes;
mod device;
mod dxc;
mod failure;
mod files;
mod history;
mod isa;
mod kernel;
mod measure;
mod memory;
mod page;
mod peer;
mod peer_library;
mod report;
mod results;
mod startup;
mod translation;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use dxil_commands::console;
use dxil_commands::exit::TABLE;
use dxil_commands::man_pages::PageArgs;
use dxil_runtime::CodeChoice;
use dxil_runtime::device::{
    Backend, Device, DeviceInfo, DeviceKind, OpenOptions, list_devices, open as open_device,
};

use failure::{Usage, exit_of};
use files::write_file;
use history::Journal;
use kernel::Kernel;
use measure::Bench;
use report::BenchmarkReport;
use results::Run;

/// Run kernels with our SPIR-V, with DXC's, through naga and on the CPU executor, and compare.
#[derive(Debug, Parser)]
#[command(
    name = "dxil-bench",
    version,
    args_conflicts_with_subcommands = true,
    after_help = SHORT,
    after_long_help = TABLE
)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    kernels: KernelArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What to measure")]
struct KernelArgs {
    /// Kernels to run; default: all
    #[arg(help_heading = "What to measure")]
    kernels: Vec<String>,
    /// Print the names of the kernels, one a line
    #[arg(long)]
    list: bool,
    /// Print the Vulkan devices with their numbers
    #[arg(long)]
    list_devices: bool,
    /// Number of the Vulkan device in --list-devices
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: usize,
    /// Size of the work: small (a CPU's default), medium, large (a GPU's)
    #[arg(long, value_enum, hide_possible_values = true)]
    size: Option<Size>,
    /// Seconds for each kernel; at least eight turns a variant
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = parse_seconds)]
    seconds: f64,
    /// GPUs that need not be there: a column each for their machine code
    ///
    /// It has the number of instructions.
    #[arg(long, value_name = "GPU,...", value_delimiter = ',')]
    isa: Vec<String>,
    /// Do not measure the variant through naga and wgpu
    #[arg(long)]
    no_naga: bool,
    /// Do not measure the CPU executor
    #[arg(long)]
    no_cpu: bool,
    /// Threads of the CPU executor; default: as many as the machine has
    ///
    /// LP_NUM_THREADS says the same to lavapipe.
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "no_cpu",
        hide_short_help = true
    )]
    cpu_threads: Option<NonZeroUsize>,
    /// Use NAME.dxbc or NAME.spv of this folder instead of DXC's module
    ///
    /// DXBC is translated by us: the ratio is then ours from DXIL to ours from DXBC. The checked-in
    /// kernels have both forms (bench/kernels). The bindings of the modules are the registers,
    /// shifted as in tools/compile-kernels.sh.
    #[arg(long, value_name = "FOLDER")]
    against: Option<PathBuf>,
    /// Go on after a kernel that fails, and end with its exit code
    #[arg(long, hide_short_help = true)]
    keep_going: bool,
    #[command(flatten)]
    results: ResultArgs,
    #[command(flatten)]
    pages: PageArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Results")]
struct ResultArgs {
    /// Write the results as JSON; the file is complete after each kernel
    ///
    /// bench/RESULTS.md describes the fields.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write an HTML page with plots; the file is complete after each kernel
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Compare with an earlier run that --json wrote; may be repeated
    ///
    /// Of several runs, ordered by date, the last is the baseline, and all are the history on the
    /// page.
    #[arg(long, value_name = "FILE")]
    baseline: Vec<PathBuf>,
    /// Compare with the runs of this file, and append this run to it
    ///
    /// The file has one run on each line, as JSON. Runs on the same device and of the same size are
    /// compared: the last one is the baseline, and the page shows the trend over all of them.
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
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
    /// Count what the structurizer does to all functions of `.dxil` files
    Structure {
        /// Folders to take `.dxil` files from.
        folders: Vec<PathBuf>,
        /// List each function that gets selectors, dispatchers or repaired phis.
        #[arg(long)]
        list: bool,
    },
    /// Time and memory on shapes whose control flow grows with n
    ///
    /// The last column is the growth when n doubles.
    Scaling,
    /// Time and memory on hostile shapes (`hwtests/shapes`) of up to a million parts
    Bounds {
        /// Size of the largest member of each family.
        #[arg(long, default_value_t = 1_000_000)]
        largest: u32,
        /// Only families whose name contains this.
        #[arg(default_value = "")]
        filter: String,
    },
    /// Translation time per shader over all `.dxil` files of some folders
    Corpus {
        /// Folders to take `.dxil` files from (default: the checked-in test shaders).
        folders: Vec<PathBuf>,
        /// Runs per shader; the best counts.
        #[arg(long, default_value_t = 20)]
        runs: u32,
        /// List each shader, slowest first.
        #[arg(long)]
        list: bool,
    },
    /// Compare our C library with another one that has dxil-spirv's ABI
    ///
    /// Both translate the same containers.
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
    /// Compare what GPUs' compilers count in our modules with what they count in DXC's
    ///
    /// The GPUs need not be there (docs/isa.md).
    Isa {
        /// Folders with NAME.dxil and DXC's NAME.spv (default: the checked-in ones).
        folders: Vec<PathBuf>,
        /// GPUs; `dxil-run --isa help` lists them.
        #[arg(long, value_delimiter = ',', default_value = "navi31@radv-null")]
        gpu: Vec<String>,
        /// Fail if a ratio exceeds its bound in bench/isa/bounds.txt.
        #[arg(long)]
        check: bool,
        /// Make the ratios the bounds.
        #[arg(long, conflicts_with = "check")]
        bless: bool,
        /// Compile all shaders of the folders (default: hwtests/shaders); fail if a driver crashes
        #[arg(long, conflicts_with_all = ["check", "bless"])]
        crashes: bool,
        /// With --crashes: as many mutants of the shaders instead, from this number on
        #[arg(long, value_names = ["FIRST", "COUNT"], num_args = 2, requires = "crashes")]
        mutants: Vec<u64>,
        /// With --mutants: folder that keeps those on which a driver crashes
        #[arg(long, value_name = "DIR", requires = "mutants")]
        keep: Option<PathBuf>,
    },
    /// Measure the start of a program with many shaders: no cache, cold, cached
    Startup {
        /// Folders to take `.dxil` files from (default: the checked-in test shaders).
        folders: Vec<PathBuf>,
        /// Number of distinct shaders, made of those of the folders.
        #[arg(long, value_name = "N", default_value_t = 10_000)]
        shaders: usize,
        /// Threads; default: as many as the machine runs at once.
        #[arg(long, value_name = "N")]
        threads: Option<NonZeroUsize>,
        /// Write the results as JSON.
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Measure the device itself: arithmetic, memory, textures, waves, launches, copies
    Device(device::DeviceArgs),
    /// Print the table of a saved run and write its page; measures nothing
    Show {
        /// A file of --json, or one of --history, whose last run is shown with those before it.
        run: PathBuf,
        /// Compare with an earlier run; may be repeated.
        #[arg(long, value_name = "FILE")]
        baseline: Vec<PathBuf>,
        /// Write an HTML page with plots.
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
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

/// The end of `-h`.
const SHORT: &str = "\
Examples:
  dxil-bench                                     run all kernels and print a table
  dxil-bench copy reduction --html page.html     two kernels, with a page of plots
  dxil-bench --history runs.jsonl --html p.html  keep this run, and show the trend

--help has the exit codes.";

fn main() -> ExitCode {
    dxil_runtime::isa::serve_if_worker();
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
        Some(Command::Isa {
            folders,
            gpu,
            crashes: true,
            mutants,
            keep,
            ..
        }) => match mutants.as_slice() {
            [first, count] => crashes::mutants(&folders, &gpu, *first, *count, keep.as_deref())?,
            _ => crashes::run(&folders, &gpu)?,
        },
        Some(Command::Isa {
            folders,
            gpu,
            check,
            bless,
            ..
        }) => isa::run(&isa::Options {
            folders,
            gpus: gpu,
            check,
            bless,
        })?,
        Some(Command::Startup {
            folders,
            shaders,
            threads,
            json,
        }) => {
            let all = std::thread::available_parallelism();
            let threads = threads.or(all.ok()).map_or(1, NonZeroUsize::get);
            let measured = startup::run(&startup::Options {
                folders,
                shaders,
                threads,
            })?;
            if let Some(path) = &json {
                measured.write(path)?;
            }
            measured.table()
        }
        Some(Command::Device(args)) => device::run(&args)?,
        Some(Command::Show {
            run,
            baseline,
            html,
        }) => {
            let (run, history) = shown(&run, &baseline)?;
            let report = BenchmarkReport {
                run: &run,
                history: &history,
            };
            if let Some(path) = &html {
                write_file(path, &page::page(&report))?;
            }
            report.table()
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
        for device in list_devices(Backend::Vulkan)? {
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
    let results = &args.results;
    let mut history = baselines(&results.baseline)?;
    let mut journal = results.history.as_deref().map(Journal::open).transpose()?;
    for path in [&results.json, &results.html].into_iter().flatten() {
        write_file(path, "")?;
    }
    let mut open = OpenOptions::new(Backend::Vulkan);
    open.index = args.device;
    let vulkan = open_device(&open).context("opening the Vulkan device")?;
    let naga = if args.no_naga {
        None
    } else {
        Some(
            same_device(vulkan.info())
                .context("opening the wgpu device; --no-naga leaves it out")?,
        )
    };
    let has_native = cfg!(feature = "native");
    let executor = |code| {
        let mut open = OpenOptions::new(Backend::Cpu);
        open.threads = args.cpu_threads.map(NonZeroUsize::get);
        open.cpu_code = code;
        (!args.no_cpu).then(|| open_device(&open)).transpose()
    };
    let cpu = executor(CodeChoice::Native)?;
    // Without native code both would be the same.
    let interpreter = executor(CodeChoice::Interpret)?.filter(|_| has_native);
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
        cpu: cpu.as_deref(),
        interpreter: interpreter.as_deref(),
        seconds: args.seconds,
        scale,
        against: args.against.as_deref(),
    };
    let size = format!("{size:?}").to_lowercase();
    let mut run = Run::new(vulkan.info(), size);
    if let Some(journal) = &mut journal {
        let earlier = std::mem::take(&mut journal.runs);
        history.extend(history::comparable(&run, earlier));
        history::sort(&mut history);
    }
    let mut columns = isa::Columns::start(&args.isa)?;
    let mut first_failure = None;
    for kernel in &all {
        if !wanted(kernel) && !kernel::PEAKS.contains(&kernel.name) {
            continue;
        }
        console::report(&format!("{} ...", kernel.name));
        let mut measured = bench
            .measure(kernel)
            .with_context(|| format!("kernel {}", kernel.name));
        if let Ok(row) = &mut measured
            && wanted(kernel)
        {
            row.machine_code = columns.of_kernel(kernel.name);
        }
        if let Some(error) = run.include(kernel, measured, wanted(kernel)) {
            if !args.keep_going {
                return Err(error);
            }
            console::report(&format!("dxil-bench: {error:#}"));
            first_failure.get_or_insert(error);
        }
        // The next kernel may end the process: a driver can crash.
        if let Some(path) = &results.json {
            write_file(path, &run.json()?)?;
        }
        if let Some(path) = &results.html {
            let report = BenchmarkReport {
                run: &run,
                history: &history,
            };
            write_file(path, &page::page(&report))?;
        }
    }
    let report = BenchmarkReport {
        run: &run,
        history: &history,
    };
    console::write(report.table().as_bytes())?;
    if let Some(journal) = &mut journal {
        journal.append(&run)?;
    }
    first_failure.map_or(Ok(()), Err)
}

/// Reads earlier runs, the oldest first.
fn baselines(files: &[PathBuf]) -> anyhow::Result<Vec<Run>> {
    let mut runs = Vec::new();
    for file in files {
        runs.extend(history::read(file)?);
    }
    history::sort(&mut runs);
    Ok(runs)
}

/// Reads the last run of a file, and the runs that it is compared with.
fn shown(file: &Path, baseline: &[PathBuf]) -> anyhow::Result<(Run, Vec<Run>)> {
    let mut before = history::read(file)?;
    let run = before.pop().context("no run")?;
    let mut all = history::comparable(&run, before);
    all.extend(baselines(baseline)?);
    history::sort(&mut all);
    Ok((run, all))
}

/// Returns the device through wgpu, which may count devices differently.
fn same_device(vulkan: &DeviceInfo) -> anyhow::Result<Arc<dyn Device>> {
    let mut open = OpenOptions::new(Backend::Wgpu);
    let adapters = list_devices(Backend::Wgpu)?;
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
    Ok(open_device(&open)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::KernelRow;
    use serde_json::Value;

    #[test]
    fn a_kernel_that_fails_is_a_row_with_its_error_and_loses_no_other() {
        let kernels = kernel::all();
        let [copy, peak, saxpy, ..] = kernels.as_slice() else {
            unreachable!("there are more kernels");
        };
        let row = |kernel: &Kernel| {
            let mut row = KernelRow::failed(kernel, &anyhow::anyhow!("not this one"));
            row.bytes = 1e6;
            row.variants[0].problem = None;
            row.variants[0].best_us = Some(10.0);
            row
        };
        let mut run = Run::for_test("small");
        assert!(run.include(copy, Ok(row(copy)), true).is_none());
        let failure = run.include(saxpy, Err(anyhow::anyhow!("device lost")), true);
        assert_eq!(
            failure.map(|error| error.to_string()).unwrap(),
            "device lost"
        );
        assert!(run.include(peak, Ok(row(peak)), false).is_none());
        let report = BenchmarkReport {
            run: &run,
            history: &[],
        };
        let json: Value = serde_json::from_str(&run.json().unwrap()).unwrap();
        // 1 MB in 10 µs.
        assert_eq!(json["peak_gb_per_s"], 100.0);
        let rows = json["kernels"].as_array().unwrap();
        let names: Vec<_> = rows.iter().map(|row| row["kernel"].clone()).collect();
        assert_eq!(names, ["copy", "saxpy"]);
        assert_eq!(rows[1]["variants"][0]["problem"], "device lost");
        assert!(report.table().contains("saxpy (ours): device lost"));
        assert!(page::page(&report).contains("device lost"));
    }
}
