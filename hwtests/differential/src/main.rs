//! `dxil-differ`: compares random shaders of a range of seeds, or shaders from files.
//!
//! ```text
//! dxil-differ [--seed N] [--count N] [--flow] [--keep DIR] [--portable] [--cpu-only] [--check] [--dxc FILE]
//!             [--forms DIR] [--results FILE]
//! dxil-differ [--portable] [--cpu-only] [--check] [--dxc FILE] FILE.hlsl ...
//! dxil-differ --agree FILE ...
//! dxil-differ [--flow] --print N
//! dxil-differ --record FILE.hlsl ...
//! ```
//!
//! `--cpu-only` needs no device: optimized and unoptimized DXIL run on the CPU executor. `--check`
//! turns on its standard checks; each finding is an error.
//!
//! `--flow` generates shaders that consist of control flow and need nothing that some Vulkan device
//! lacks. `--forms` keeps the shaders and their compiled forms in a folder, and takes them from
//! there the next time. `--results` adds a digest of each result to a file and skips the seeds that
//! the file has, so that a run can be continued after a crash. `--agree` compares such files of
//! several devices.
//!
//! `--print` writes the shader of a seed. `--record` writes the compiled forms of files beside
//! them, for the test `corpus`.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "this is a program")]

use std::path::PathBuf;
use std::process::ExitCode;

use dxil_differential::compare::{ComparisonReport, Configuration, Devices, Forms, compare};
use dxil_differential::compile::Dxc;
use dxil_differential::results::{Recorder, agreement};
use dxil_differential::{generate, saved};
use dxil_runtime::{Backend, Checks, OpenOptions, device};

#[derive(Debug)]
struct Arguments {
    seed: u64,
    count: u64,
    flow: bool,
    keep: Option<PathBuf>,
    forms: Option<PathBuf>,
    results: Option<PathBuf>,
    agree: bool,
    portable: bool,
    cpu_only: bool,
    check: bool,
    dxc: Option<PathBuf>,
    print: Option<u64>,
    record: bool,
    files: Vec<PathBuf>,
}

fn arguments() -> Result<Arguments, String> {
    let mut arguments = Arguments {
        seed: 1,
        count: 100,
        flow: false,
        keep: None,
        forms: None,
        results: None,
        agree: false,
        portable: false,
        cpu_only: false,
        check: false,
        dxc: None,
        print: None,
        record: false,
        files: Vec::new(),
    };
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let mut value = || given.next().ok_or(format!("{argument} wants a value"));
        let number = |text: String| {
            text.parse::<u64>()
                .map_err(|_| format!("`{text}` is no number"))
        };
        match argument.as_str() {
            "--seed" => arguments.seed = number(value()?)?,
            "--count" => arguments.count = number(value()?)?,
            "--print" => arguments.print = Some(number(value()?)?),
            "--keep" => arguments.keep = Some(value()?.into()),
            "--forms" => arguments.forms = Some(value()?.into()),
            "--results" => arguments.results = Some(value()?.into()),
            "--flow" => arguments.flow = true,
            "--agree" => arguments.agree = true,
            "--dxc" => arguments.dxc = Some(value()?.into()),
            "--portable" => arguments.portable = true,
            "--cpu-only" => arguments.cpu_only = true,
            "--check" => arguments.check = true,
            "--record" => arguments.record = true,
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            file => arguments.files.push(file.into()),
        }
    }
    Ok(arguments)
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| start(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("dxil-differ: {error}");
            ExitCode::from(2)
        }
    }
}

/// Returns whether all forms of all shaders agree.
fn start(arguments: &Arguments) -> Result<bool, String> {
    let shader = |seed| {
        let source = if arguments.flow {
            generate::control_flow(seed)
        } else {
            generate::shader(seed)
        };
        source.text
    };
    if let Some(seed) = arguments.print {
        print!("{}", shader(seed));
        return Ok(true);
    }
    if arguments.agree {
        let agreement = agreement(&arguments.files)?;
        println!("{agreement}");
        return Ok(agreement.devices.is_empty() && agreement.forms.is_empty());
    }
    let folder = std::env::temp_dir().join(format!("dxil-differ-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let dxc = Dxc::new(arguments.dxc.clone(), folder.clone());
    if arguments.record {
        for path in &arguments.files {
            Forms::compile(&dxc, path)?.record(path)?;
        }
        return Ok(true);
    }
    let open = |options: &OpenOptions| device::open(options).map_err(|error| error.to_string());
    let native = if arguments.cpu_only {
        None
    } else {
        Some(open(&OpenOptions::new(Backend::Vulkan))?)
    };
    let portable = if arguments.portable {
        let mut options = OpenOptions::new(Backend::Wgpu);
        options.portable = true;
        Some(open(&options)?)
    } else {
        None
    };
    let mut options = OpenOptions::new(Backend::Cpu);
    options.wave_size = native
        .as_ref()
        .map(|device| device.profile().subgroup_sizes.1);
    if arguments.check {
        options.checks = Checks::standard();
    }
    let devices = Devices {
        native,
        portable,
        cpu: Some(open(&options)?),
    };
    let mut summary = Summary::default();
    if arguments.files.is_empty() {
        let mut recorder = arguments
            .results
            .as_deref()
            .map(Recorder::open)
            .transpose()?;
        for seed in arguments.seed..arguments.seed + arguments.count {
            if let Some(recorder) = &mut recorder {
                if recorder.has(seed) {
                    continue;
                }
                recorder.begin(seed)?;
            }
            let text = shader(seed);
            let kept = arguments.forms.as_deref().unwrap_or(&folder);
            let forms = saved::forms(&dxc, kept, &seed.to_string(), &text);
            let report = summary.shader(&devices, forms, &format!("seed {seed}"));
            if let Some(recorder) = &mut recorder {
                recorder.end(seed, &report)?;
            }
            if let (false, Some(keep)) = (report.is_clean(), &arguments.keep) {
                std::fs::create_dir_all(keep)
                    .and_then(|()| std::fs::write(keep.join(format!("{seed}.hlsl")), text))
                    .map_err(|error| format!("{}: {error}", keep.display()))?;
            }
        }
    } else {
        for path in &arguments.files {
            let forms = Forms::compile(&dxc, path);
            summary.shader(&devices, forms, &path.display().to_string());
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{summary}");
    Ok(summary.wrong == 0)
}

/// The results so far.
#[derive(Debug, Default)]
struct Summary {
    shaders: u32,
    wrong: u32,
    rejected: u32,
    ran: [u32; Configuration::ALL.len()],
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} shaders, {} not compiled by DXC, {} with differences or faults;",
            self.shaders, self.rejected, self.wrong
        )?;
        for (configuration, count) in Configuration::ALL.into_iter().zip(self.ran) {
            write!(f, " {configuration}: {count}")?;
        }
        Ok(())
    }
}

impl Summary {
    /// Compares the forms of a shader.
    fn shader(
        &mut self,
        devices: &Devices,
        forms: Result<Forms, String>,
        name: &str,
    ) -> ComparisonReport {
        self.shaders += 1;
        let forms = match forms {
            Ok(forms) => forms,
            Err(error) => {
                self.rejected += 1;
                println!("{name}: {}", first_line(&error));
                return ComparisonReport::default();
            }
        };
        let report = compare(devices, &forms);
        for (index, configuration) in Configuration::ALL.into_iter().enumerate() {
            self.ran[index] += u32::from(report.ran.contains(&configuration));
        }
        print(name, &report);
        self.wrong += u32::from(!report.is_clean());
        report
    }
}

fn first_line(text: &str) -> String {
    let mut lines = text.lines().filter(|line| line.contains("error"));
    lines
        .next()
        .or_else(|| text.lines().next())
        .unwrap_or("")
        .to_owned()
}

fn print(name: &str, report: &ComparisonReport) {
    for (configuration, why) in &report.not_run {
        println!("{name}: {configuration} not run: {}", first_line(why));
    }
    for (configuration, fault) in &report.faults {
        println!("{name}: FAULT {configuration}: {fault}");
    }
    for (configuration, difference) in &report.differences {
        println!(
            "{name}: DIFFERENT {configuration} from {}:\n{difference}",
            report.ran[0]
        );
    }
}
