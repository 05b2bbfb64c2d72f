//! `dxil-differ`: compares random shaders of a range of seeds, or shaders from files.
//!
//! ```text
//! dxil-differ [--seed N] [--count N] [--keep DIR] [--portable] [--cpu-only] [--check] [--dxc FILE]
//! dxil-differ [--portable] [--cpu-only] [--check] [--dxc FILE] FILE.hlsl ...
//! dxil-differ --print N
//! dxil-differ --record FILE.hlsl ...
//! ```
//!
//! `--cpu-only` needs no device: optimized and unoptimized DXIL run on the CPU executor. `--check`
//! turns on its standard checks; each finding is an error.
//!
//! `--print` writes the shader of a seed. `--record` writes the compiled forms of files beside
//! them, for the test `corpus`.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "this is a program")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dxil_differential::compare::{ComparisonReport, Configuration, Devices, Forms, compare};
use dxil_differential::compile::Dxc;
use dxil_differential::generate;
use dxil_runtime::{Backend, Checks, OpenOptions, device};

#[derive(Debug)]
struct Arguments {
    seed: u64,
    count: u64,
    keep: Option<PathBuf>,
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
        keep: None,
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
    if let Some(seed) = arguments.print {
        print!("{}", generate::shader(seed).text);
        return Ok(true);
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
        for seed in arguments.seed..arguments.seed + arguments.count {
            let path = folder.join("shader.hlsl");
            std::fs::write(&path, generate::shader(seed).text).map_err(|e| e.to_string())?;
            let wrong = summary.shader(&dxc, &devices, &path, &format!("seed {seed}"));
            if let (true, Some(keep)) = (wrong, &arguments.keep) {
                std::fs::create_dir_all(keep)
                    .and_then(|()| std::fs::copy(&path, keep.join(format!("{seed}.hlsl"))))
                    .map_err(|error| format!("{}: {error}", keep.display()))?;
            }
        }
    } else {
        for path in &arguments.files {
            summary.shader(&dxc, &devices, path, &path.display().to_string());
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
    /// Compares one shader, and returns whether there is a defect.
    fn shader(&mut self, dxc: &Dxc, devices: &Devices, path: &Path, name: &str) -> bool {
        self.shaders += 1;
        let forms = match Forms::compile(dxc, path) {
            Ok(forms) => forms,
            Err(error) => {
                self.rejected += 1;
                println!("{name}: {}", first_line(&error));
                return false;
            }
        };
        let report = compare(devices, &forms);
        for (index, configuration) in Configuration::ALL.into_iter().enumerate() {
            self.ran[index] += u32::from(report.ran.contains(&configuration));
        }
        print(name, &report);
        self.wrong += u32::from(!report.is_clean());
        !report.is_clean()
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
