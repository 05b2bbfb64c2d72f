//! `mutants TARGET [OPTION]... FOLDER...`: runs a fuzz target on mutants of all files below
//! folders.
//!
//! Mutants are numbered, and each can be made again alone. They run in a process of their own,
//! which is started again after a mutant that ended it. A mutant is a finding if it panics, ends
//! the process, takes more than 2 s of processor time, or takes more memory than SECURITY.md
//! promises.
//!
//! | option | |
//! |---|---|
//! | `--first N`, `--count N` | numbers of the mutants (default: 10,000 from 0 on) |
//! | `--keep DIR` | writes the findings there |
//! | `--validate N` | of the modules of targets `shader` and `grammar`, each Nth goes through `spirv-val` |
//! | `--accepted DIR`, `--maximum N` | writes N mutants that become compute modules there |
//! | `--extensions a,b` | only files with these extensions |

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::FileExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cpu_time::{ProcessTime, ThreadTime};
use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::oracle::Random;
use dxil_fuzz::Target;
use dxil_fuzz::shader::{self, Outcome};
use dxil_translate::{Style, VulkanVersion};
use dxil_validator::{Environment, Rules};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Most processor time of a mutant.
const LONGEST: Duration = Duration::from_secs(2);
/// A process that takes more processor time for one mutant is ended.
const HANGS: Duration = Duration::from_secs(60);
/// Most bytes of memory for each byte of a mutant (SECURITY.md, "Bounds of a container").
const MEMORY_FACTOR: usize = 320;

#[derive(Default)]
struct Arguments {
    target: String,
    first: u64,
    count: u64,
    keep: Option<PathBuf>,
    validate: u64,
    accepted: Option<PathBuf>,
    maximum: u64,
    extensions: Vec<String>,
    folders: Vec<PathBuf>,
    /// File that the process with the mutants writes the number of the present one to.
    progress: Option<PathBuf>,
}

impl Arguments {
    fn parse() -> Option<Arguments> {
        let mut arguments = Arguments {
            count: 10_000,
            maximum: u64::MAX,
            ..Arguments::default()
        };
        let mut words = std::env::args().skip(1);
        arguments.target = words.next()?;
        while let Some(word) = words.next() {
            let mut number = || words.next()?.parse().ok();
            match word.as_str() {
                "--first" => arguments.first = number()?,
                "--count" => arguments.count = number()?,
                "--validate" => arguments.validate = number()?,
                "--maximum" => arguments.maximum = number()?,
                "--keep" => arguments.keep = Some(words.next()?.into()),
                "--accepted" => arguments.accepted = Some(words.next()?.into()),
                "--progress" => arguments.progress = Some(words.next()?.into()),
                "--extensions" => {
                    arguments.extensions = words.next()?.split(',').map(str::to_owned).collect();
                }
                _ => arguments.folders.push(word.into()),
            }
        }
        (!arguments.folders.is_empty()).then_some(arguments)
    }

    /// Writes a finding.
    fn keep(&self, number: u64, bytes: &[u8]) {
        if let Some(folder) = &self.keep {
            std::fs::create_dir_all(folder).unwrap();
            let name = format!("{}-{number}", self.target);
            std::fs::write(folder.join(name), bytes).unwrap();
        }
    }
}

fn main() -> ExitCode {
    let Some(arguments) = Arguments::parse() else {
        eprintln!("mutants TARGET [--first N] [--count N] ... FOLDER...");
        return ExitCode::from(2);
    };
    let Some(target) = Target::named(&arguments.target) else {
        eprintln!("there is no target {}", arguments.target);
        return ExitCode::from(2);
    };
    match &arguments.progress {
        Some(progress) => run_mutants(&arguments, target, progress),
        None => supervise(&arguments, target),
    }
}

/// Starts the process with the mutants, again after each mutant that ends it; adds up what it
/// tells.
fn supervise(arguments: &Arguments, target: Target) -> ExitCode {
    let progress = std::env::temp_dir().join(format!("mutants-{}", std::process::id()));
    let program = std::env::current_exe().unwrap();
    let end = arguments.first + arguments.count;
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let begun = Instant::now();
    let mut first = arguments.first;
    while first < end {
        std::fs::write(&progress, first.to_le_bytes()).unwrap();
        let mut command = Command::new(&program);
        command.args(std::env::args().skip(1));
        command.arg("--progress").arg(&progress);
        command.args(["--first", &first.to_string()]);
        command.args(["--count", &(end - first).to_string()]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        for line in output.lines() {
            let line = line.unwrap();
            // Counts since the line before.
            if let Some(pairs) = line.strip_prefix("counts") {
                for pair in pairs.split_whitespace() {
                    let (name, count) = pair.split_once('=').unwrap();
                    *counts.entry(name.to_owned()).or_default() += count.parse::<u64>().unwrap();
                }
            } else {
                println!("{line}");
            }
        }
        if child.wait().unwrap().success() {
            break;
        }
        let number = std::fs::read(&progress).unwrap();
        let number = u64::from_le_bytes(number[..8].try_into().unwrap());
        let seeds = Seeds::read(arguments);
        let (path, bytes) = seeds.mutant(number, target);
        println!(
            "finding: mutant {number} of {} ends the process",
            path.display()
        );
        arguments.keep(number, &bytes);
        *counts.entry("finding".into()).or_default() += 1;
        first = number + 1;
    }
    let _ = std::fs::remove_file(&progress);
    println!(
        "{}: {} mutants from {} on, {:.0} s: {counts:?}",
        arguments.target,
        arguments.count,
        arguments.first,
        begun.elapsed().as_secs_f64()
    );
    match counts.get("finding") {
        None => ExitCode::SUCCESS,
        Some(_) => ExitCode::FAILURE,
    }
}

fn collect(folder: &Path, extensions: &[String], seeds: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.unwrap().path();
        let is_wanted = |extension: &std::ffi::OsStr| extensions.iter().any(|e| extension == &**e);
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "target") {
                collect(&path, extensions, seeds);
            }
        } else if extensions.is_empty() || path.extension().is_some_and(is_wanted) {
            seeds.push(path);
        }
    }
}

/// The files that mutants are made of.
struct Seeds {
    paths: Vec<PathBuf>,
    contents: Vec<Vec<u8>>,
}

impl Seeds {
    fn read(arguments: &Arguments) -> Seeds {
        let mut paths = Vec::new();
        for folder in &arguments.folders {
            collect(folder, &arguments.extensions, &mut paths);
        }
        paths.sort();
        assert!(!paths.is_empty(), "no seeds");
        let contents = paths.iter().map(|path| std::fs::read(path).unwrap());
        Seeds {
            contents: contents.collect(),
            paths,
        }
    }

    /// Returns a mutant and the file that it is made of.
    fn mutant(&self, number: u64, target: Target) -> (&Path, Vec<u8>) {
        let mut random = Random::new(number.wrapping_mul(0x9e37_79b9));
        // The smaller one of two, as a mutant of a large seed takes longer and tells no more.
        let [one, two] = [(); 2].map(|()| random.below(self.paths.len()));
        let which = match self.contents[one].len() <= self.contents[two].len() {
            _ if random.below(16) == 0 => one,
            true => one,
            false => two,
        };
        // Also a smaller one, which says no less. Its numbers are others, so that mutants of one
        // seed are those of before.
        let mut of_other = Random::new(!number);
        let other = [(); 2].map(|()| of_other.below(self.paths.len()));
        let other = other.into_iter().min_by_key(|at| self.contents[*at].len());
        let other = &self.contents[other.unwrap_or(which)];
        let seed = &self.contents[which];
        let mutant = target.mutation.mutant(seed, other, &mut random);
        (&self.paths[which], mutant)
    }
}

/// The second of the process's time in which the present mutant began, for the thread that looks
/// for mutants that never end.
static BEGUN: AtomicU64 = AtomicU64::new(0);

fn run_mutants(arguments: &Arguments, target: Target, progress: &Path) -> ExitCode {
    let seeds = Seeds::read(arguments);
    let progress = File::options().write(true).open(progress).unwrap();
    // Not the clock: a mutant is not slower where other programs run.
    let start = ProcessTime::now();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(5));
            let begun = Duration::from_secs(BEGUN.load(Ordering::Relaxed));
            if start.elapsed() > begun + HANGS {
                std::process::abort();
            }
        }
    });
    let mut run = Run {
        arguments,
        seeds: &seeds,
        target,
        counts: BTreeMap::new(),
        accepted: 0,
        made: 0,
        modules: Vec::new(),
        message: String::new(),
    };
    std::panic::set_hook(Box::new(|_| {}));
    for number in arguments.first..arguments.first + arguments.count {
        BEGUN.store(start.elapsed().as_secs(), Ordering::Relaxed);
        progress.write_all_at(&number.to_le_bytes(), 0).unwrap();
        let (path, bytes) = seeds.mutant(number, target);
        run.mutant(number, path, &bytes);
        if run.counts.get("mutants") == Some(&1000) {
            run.tell();
        }
    }
    run.validate();
    run.tell();
    ExitCode::SUCCESS
}

struct Run<'a> {
    arguments: &'a Arguments,
    seeds: &'a Seeds,
    target: Target,
    counts: BTreeMap<&'static str, u64>,
    accepted: u64,
    /// Number of modules so far; `counts` begin anew each time they are told.
    made: u64,
    /// Modules for the validator, with their mutants' numbers.
    modules: Vec<(u64, Vec<u32>, Rules)>,
    message: String,
}

impl Run<'_> {
    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn mutant(&mut self, number: u64, path: &Path, bytes: &[u8]) {
        self.count("mutants");
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let clock = ThreadTime::now();
        let mut what = None;
        let outcome = catch_unwind(AssertUnwindSafe(|| match self.target.name {
            "shader" | "grammar" => Some(shader::run(bytes)),
            "cpu" => {
                what = Some(dxil_fuzz::cpu::run(bytes).name());
                None
            }
            _ => {
                (self.target.run)(bytes);
                None
            }
        }));
        let time = clock.elapsed();
        let memory = MEMORY.peak_usage().saturating_sub(before);
        if let Some(what) = what {
            self.count(what);
        }
        self.message.clear();
        match outcome {
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or(panic.downcast_ref::<&str>().copied());
                self.message = text.unwrap_or("panic").to_owned();
            }
            _ if time > LONGEST => self.message = format!("{time:?} for {} bytes", bytes.len()),
            _ if memory > MEMORY_FACTOR * bytes.len() + self.target.memory => {
                self.message = format!("{memory} bytes of memory for {} bytes", bytes.len());
            }
            Ok(Some(outcome)) => self.take(number, bytes, outcome),
            Ok(None) => {}
        }
        if !self.message.is_empty() {
            self.count("finding");
            println!(
                "finding: mutant {number} of {}: {}",
                path.display(),
                self.message
            );
            self.arguments.keep(number, bytes);
        }
    }

    fn take(&mut self, number: u64, bytes: &[u8], outcome: Outcome) {
        let (kind, words, options) = match outcome {
            Outcome::Refused(category) => {
                return self.count(match category {
                    dxil_translate::Category::Malformed => "malformed",
                    dxil_translate::Category::Unsupported => "unsupported",
                    dxil_translate::Category::Internal => "internal",
                });
            }
            Outcome::Module {
                kind,
                words,
                options,
            } => (kind, words, options),
        };
        self.count("modules");
        self.made += 1;
        let environment = match options.target.vulkan {
            VulkanVersion::V1_1 => Environment::Vulkan1_1,
            VulkanVersion::V1_2 => Environment::Vulkan1_2,
            VulkanVersion::V1_3 => Environment::Vulkan1_3,
            VulkanVersion::V1_4 => Environment::Vulkan1_4,
        };
        if options.target.style == Style::Portable {
            self.count("portable");
        }
        if let Some(folder) = &self.arguments.accepted
            // What `dxil-run --dispatch` takes.
            && matches!(kind, ShaderKind::Compute | ShaderKind::Node)
            && self.accepted < self.arguments.maximum
        {
            self.accepted += 1;
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join(number.to_string()), bytes).unwrap();
        }
        let every = self.arguments.validate;
        if every != 0 && self.made.is_multiple_of(every) {
            let rules = Rules::relaxed(environment.of_module(&words));
            self.modules.push((number, words, rules));
            if self.modules.len() == 64 {
                self.validate();
            }
        }
    }

    fn validate(&mut self) {
        let modules = std::mem::take(&mut self.modules);
        let inputs: Vec<(&[u32], Rules)> = modules
            .iter()
            .map(|(_, words, rules)| (&words[..], *rules))
            .collect();
        for ((number, ..), result) in modules.iter().zip(dxil_validator::validate_all(&inputs)) {
            self.count("validated");
            if let Err(error) = result {
                self.count("finding");
                let (path, bytes) = self.seeds.mutant(*number, self.target);
                println!("finding: mutant {number} of {}: {error}", path.display());
                self.arguments.keep(*number, &bytes);
            }
        }
    }

    /// Writes the counts since the last time.
    fn tell(&mut self) {
        let pairs = std::mem::take(&mut self.counts).into_iter();
        let pairs: Vec<String> = pairs
            .map(|(name, count)| format!("{name}={count}"))
            .collect();
        println!("counts {}", pairs.join(" "));
        std::io::stdout().flush().unwrap();
    }
}
