//! `dxil-bench isa --crashes`: every shader of some folders compiles with the drivers of GPUs, or
//! is refused with an error. `bench/isa/crashes.txt` lists the shaders that are left out, and why.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use dxil_bench::project_root;
use dxil_frontend::container::Container;
use dxil_frontend::dxbc;
use dxil_frontend::dxil::read_shader;
use dxil_frontend::oracle::Random;
use dxil_runtime::isa::{Compiler, Request, Selection, Settings};

use crate::failure::WrongResult;

/// Longest time for one shader. Unoptimized drivers on busy machines take seconds for the largest.
const LONGEST: Duration = Duration::from_secs(30);

/// Larger shaders take drivers long, and their mutants tell no more.
const LARGEST_SEED: usize = 24 << 10;

/// What is left out: GPU or driver, and the file's name.
type Known = BTreeSet<(String, String)>;

/// What came of the shaders on a GPU.
#[derive(Debug, Default)]
struct Counts {
    compiled: u64,
    refused: u64,
    left_out: u64,
    /// Messages of drivers that crashed or hung.
    crashes: Vec<String>,
}

impl Counts {
    /// Compiles a shader; returns whether the driver crashed.
    fn compile(&mut self, compiler: &mut Compiler, name: &str, bytes: Vec<u8>) -> bool {
        let Err(error) = compiler.compile(&Request::new(name, vec![bytes])) else {
            self.compiled += 1;
            return false;
        };
        let error = error.to_string();
        let crashed = error.contains("the driver crashed") || error.contains("the driver took");
        if crashed {
            self.crashes.push(error);
        } else {
            self.refused += 1;
        }
        crashed
    }

    fn line(&self, gpu: &str, driver: &str) -> String {
        format!(
            "{gpu} ({driver}): {} shaders compile, {} are refused, {} crash the driver, {} are left \
             out\n",
            self.compiled,
            self.refused,
            self.crashes.len(),
            self.left_out
        )
    }
}

/// Returns the containers of some folders, or of the tests.
fn containers(folders: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if folders.is_empty() {
        gather(&project_root().join("hwtests/shaders"), &mut files)?;
    }
    for folder in folders {
        gather(folder, &mut files)?;
    }
    files.sort();
    Ok(files)
}

/// Returns what came of all shaders, and says so as an error if a driver crashed.
pub(crate) fn run(folders: &[PathBuf], gpus: &[String]) -> anyhow::Result<String> {
    let root = project_root();
    let files = containers(folders)?;
    let known = known(&root.join("bench/isa/crashes.txt"))?;
    let (mut text, mut problems) = (String::new(), Vec::new());
    for gpu in gpus {
        let selection: Selection = gpu.parse()?;
        let mut compiler = Compiler::start(&selection, &settings())?;
        let driver = match selection {
            Selection::Absent(_, driver) => driver.name,
            Selection::Present(_) => "device",
        };
        let mut counts = Counts::default();
        for file in &files {
            let name = file
                .strip_prefix(&root)
                .unwrap_or(file)
                .display()
                .to_string();
            let is_known = |who: &str| known.contains(&(who.to_owned(), name.clone()));
            if is_known(gpu) || is_known(driver) {
                counts.left_out += 1;
                continue;
            }
            let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
            counts.compile(&mut compiler, &name, bytes);
        }
        text.push_str(&counts.line(gpu, compiler.driver()));
        problems.append(&mut counts.crashes);
    }
    outcome(text, &problems)
}

/// Returns what came of mutants of the shaders, as [`run`]. A mutant is made again from its number,
/// as long as the shaders are the same. `keep` is a folder for those on which a driver crashes.
pub(crate) fn mutants(
    folders: &[PathBuf],
    gpus: &[String],
    first: u64,
    count: u64,
    keep: Option<&Path>,
) -> anyhow::Result<String> {
    let mut seeds = Vec::new();
    for file in containers(folders)? {
        let bytes = std::fs::read(&file).with_context(|| file.display().to_string())?;
        if bytes.len() <= LARGEST_SEED {
            seeds.push(bytes);
        }
    }
    let mut compilers = Vec::new();
    for gpu in gpus {
        let compiler = Compiler::start(&gpu.parse()?, &settings())?;
        compilers.push((gpu, compiler, Counts::default()));
    }
    let mut unread: u64 = 0;
    for number in first..first.saturating_add(count) {
        let mut random = Random::new(number);
        let Some(mutant) = mutant_of(&seeds, &mut random) else {
            unread += 1;
            continue;
        };
        // What the translator refuses, no driver sees.
        if read_shader(&mutant).is_err() {
            unread += 1;
            continue;
        }
        for (_, compiler, counts) in &mut compilers {
            let crashed = counts.compile(compiler, &format!("mutant {number}"), mutant.clone());
            if let (true, Some(folder)) = (crashed, keep) {
                let path = folder.join(format!("{number}.dxil"));
                std::fs::write(&path, &mutant).with_context(|| path.display().to_string())?;
            }
        }
    }
    let mut text = format!("{count} mutants from {first} on, of which {unread} cannot be read\n");
    let mut problems = Vec::new();
    for (gpu, compiler, counts) in &mut compilers {
        text.push_str(&counts.line(gpu, compiler.driver()));
        problems.append(&mut counts.crashes);
    }
    outcome(text, &problems)
}

fn mutant_of(seeds: &[Vec<u8>], random: &mut Random) -> Option<Vec<u8>> {
    let seed = seeds.get(random.below(seeds.len()))?;
    if Container::parse(seed).is_ok_and(|container| container.has_dxbc_program()) {
        return dxbc::mutate::mutate(seed, random);
    }
    dxil_shapes::mutant(seed, random)
}

fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.timeout = LONGEST;
    settings
}

fn outcome(text: String, problems: &[String]) -> anyhow::Result<String> {
    if problems.is_empty() {
        return Ok(text);
    }
    Err(WrongResult(format!("{text}{}", problems.join("\n"))).into())
}

/// Adds the shaders of a folder and of those in it.
fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "dxil" || e == "dxbc") {
            files.push(path);
        }
    }
    Ok(())
}

/// Reads lines like `turnip hwtests/shaders/a.dxil reason`.
fn known(file: &Path) -> anyhow::Result<Known> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let words = lines.filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_owned(), words.next()?.to_owned()))
    });
    Ok(words.collect())
}
