//! `dxil-bench isa --crashes`: every shader of some folders compiles with the drivers of GPUs, or
//! is refused with an error. `bench/isa/crashes.txt` lists the shaders that are left out, and why.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use dxil_bench::project_root;
use dxil_runtime::isa::{Compiler, Request, Selection, Settings};

use crate::failure::WrongResult;

/// Longest time for one shader. Unoptimized drivers on busy machines take seconds for the largest.
const LONGEST: Duration = Duration::from_secs(30);

/// What is left out: GPU or driver, and the file's name.
type Known = BTreeSet<(String, String)>;

/// Returns what came of all shaders, and says so as an error if a driver crashed.
pub(crate) fn run(folders: &[PathBuf], gpus: &[String]) -> anyhow::Result<String> {
    let root = project_root();
    let mut files = Vec::new();
    if folders.is_empty() {
        gather(&root.join("hwtests/shaders"), &mut files)?;
    }
    for folder in folders {
        gather(folder, &mut files)?;
    }
    files.sort();
    let known = known(&root.join("bench/isa/crashes.txt"))?;
    let mut settings = Settings::default();
    settings.timeout = LONGEST;
    let (mut text, mut problems) = (String::new(), Vec::new());
    for gpu in gpus {
        let selection: Selection = gpu.parse()?;
        let mut compiler = Compiler::start(&selection, &settings)?;
        let driver = match selection {
            Selection::Absent(_, driver) => driver.name,
            Selection::Present(_) => "device",
        };
        let (mut compiled, mut refused, mut crashed, mut left_out) = (0, 0, 0, 0);
        for file in &files {
            let name = file
                .strip_prefix(&root)
                .unwrap_or(file)
                .display()
                .to_string();
            let is_known = |who: &str| known.contains(&(who.to_owned(), name.clone()));
            if is_known(gpu) || is_known(driver) {
                left_out += 1;
                continue;
            }
            let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
            let Err(error) = compiler.compile(&Request::new(&name, vec![bytes])) else {
                compiled += 1;
                continue;
            };
            let error = error.to_string();
            if error.contains("the driver crashed") || error.contains("the driver took") {
                crashed += 1;
                problems.push(error);
            } else {
                refused += 1;
            }
        }
        let driver = compiler.driver();
        let _ = writeln!(
            text,
            "{gpu} ({driver}): {compiled} shaders compile, {refused} are refused, {crashed} crash the \
             driver, {left_out} are left out"
        );
    }
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
