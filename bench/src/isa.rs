//! `dxil-bench isa`: what GPUs' compilers count in our modules, divided by what they count in DXC's
//! of the same source. Counts are exact: a test holds them below the bounds of
//! `bench/isa/bounds.txt`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use dxil_bench::project_root;
use dxil_commands::isa::value;
use dxil_runtime::isa::{Compiled, Compiler, Request, Selection, Settings};

use crate::failure::{Malformed, WrongResult};
use crate::results::MachineCode;

/// What is counted, with its names in the drivers' statistics. One that a driver does not have is
/// left out.
const COUNTS: [(&str, &[&str]); 5] = [
    ("instructions", &["instructions"]),
    ("registers", &["registers"]),
    ("vector operations", &["VALU", "ALU"]),
    ("vector memory", &["VMEM"]),
    ("scalar memory", &["SMEM"]),
];

/// By how much a ratio may exceed its bound: another version of the driver schedules differently.
const SLACK: f64 = 1.02;

/// A shader's counts by name, in the order of [`COUNTS`].
type Counts = BTreeMap<&'static str, f64>;

/// A row of the table: a shader on a GPU.
struct Row {
    gpu: String,
    shader: String,
    ours: Counts,
    theirs: Counts,
}

impl Row {
    fn ratio(&self, count: &str) -> Option<f64> {
        let (ours, theirs) = (self.ours.get(count)?, self.theirs.get(count)?);
        // Operations that only one side has count as one more on both.
        Some(match (*ours, *theirs) {
            (0.0, 0.0) => return None,
            (ours, theirs) if ours == 0.0 || theirs == 0.0 => (ours + 1.0) / (theirs + 1.0),
            (ours, theirs) => ours / theirs,
        })
    }
}

/// How to check.
pub(crate) struct Options {
    /// Folders with `NAME.dxil` and `NAME.spv`.
    pub(crate) folders: Vec<PathBuf>,
    /// The GPUs.
    pub(crate) gpus: Vec<String>,
    /// Whether the ratios are compared with the bounds.
    pub(crate) check: bool,
    /// Whether the bounds become the ratios.
    pub(crate) bless: bool,
}

/// Returns the table, and says so as an error if a ratio exceeds its bound.
pub(crate) fn run(options: &Options) -> anyhow::Result<String> {
    let mut folders = options.folders.clone();
    if folders.is_empty() {
        folders = ["bench/kernels", "bench/isa"]
            .map(|name| project_root().join(name))
            .to_vec();
    }
    let shaders = shaders(&folders)?;
    let mut rows = Vec::new();
    let mut text = String::new();
    for gpu in &options.gpus {
        let selection: Selection = gpu.parse()?;
        let mut compiler = Compiler::start(&selection, &Settings::default())?;
        let _ = writeln!(text, "\n{gpu}: {}", compiler.driver());
        let mut of_gpu = Vec::new();
        for path in &shaders {
            match row(&mut compiler, gpu, path) {
                Ok(row) => of_gpu.push(row),
                Err(error) => {
                    let _ = writeln!(text, "left out: {error:#}");
                }
            }
        }
        table(&mut text, &of_gpu);
        rows.append(&mut of_gpu);
    }
    let file = project_root().join("bench/isa/bounds.txt");
    if options.bless {
        let text = bounds_of(&rows) + &other_bounds(&file, &options.gpus)?;
        std::fs::write(&file, text).with_context(|| file.display().to_string())?;
    } else if options.check {
        let bounds = read_bounds(&file)?;
        let expected = expected(&bounds, &options.gpus);
        check(&rows, &bounds, expected)?;
    }
    Ok(text)
}

/// The compilers of the GPUs that a benchmark's page has columns for.
pub(crate) struct Columns(Vec<(String, Compiler)>);

impl Columns {
    /// Starts the compilers.
    pub(crate) fn start(gpus: &[String]) -> anyhow::Result<Columns> {
        let compilers = gpus.iter().map(|gpu| {
            let compiler = Compiler::start(&gpu.parse()?, &Settings::default())?;
            Ok((gpu.clone(), compiler))
        });
        Ok(Columns(compilers.collect::<anyhow::Result<_>>()?))
    }

    /// Compiles a kernel for each of them.
    pub(crate) fn of_kernel(&mut self, name: &str) -> Vec<MachineCode> {
        let path = project_root()
            .join("bench/kernels")
            .join(name)
            .with_extension("spv");
        let each = self.0.iter_mut().map(|(gpu, compiler)| {
            let counted = row(compiler, gpu, &path);
            let both = |row: &Row| {
                let count = |counts: &Counts| counts.get("instructions").copied();
                Some([count(&row.ours)?, count(&row.theirs)?])
            };
            MachineCode {
                gpu: gpu.clone(),
                instructions: counted.as_ref().ok().and_then(both),
                problem: counted.err().map(|error| format!("{error:#}")),
            }
        });
        each.collect()
    }
}

/// Returns the paths of modules that lie beside their DXIL.
fn shaders(folders: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|e| e == "spv") && path.with_extension("dxil").exists()
            {
                found.push(path);
            }
        }
    }
    found.sort_by(|a, b| a.file_name().cmp(&b.file_name()));
    Ok(found)
}

fn row(compiler: &mut Compiler, gpu: &str, path: &Path) -> anyhow::Result<Row> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut counts = |path: &Path| -> anyhow::Result<Counts> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let mut request = Request::new(&file, vec![bytes]);
        // DXC's modules check no index into groupshared memory, nor do those of D3D12 layers.
        request.unchecked_group_memory = true;
        let compiled = compiler.compile(&request)?;
        Ok(counts(&compiled))
    };
    Ok(Row {
        gpu: gpu.to_owned(),
        ours: counts(&path.with_extension("dxil"))?,
        theirs: counts(path)?,
        shader: name.into_owned(),
    })
}

/// Returns the counts of all executables together.
fn counts(compiled: &Compiled) -> Counts {
    let mut all = Counts::new();
    for (count, names) in COUNTS {
        let executables = compiled.executables.iter();
        let each = executables.filter_map(|e| names.iter().find_map(|name| value(e, name)));
        if let Some(sum) = each.reduce(|a, b| a + b) {
            all.insert(count, sum);
        }
    }
    all
}

fn table(text: &mut String, rows: &[Row]) {
    let there = |count: &str| rows.iter().any(|row| row.ratio(count).is_some());
    let names = COUNTS.map(|(count, _)| count);
    let names: Vec<&str> = names.into_iter().filter(|count| there(count)).collect();
    let _ = writeln!(text, "\n| shader | {} |", names.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(names.len()));
    for row in rows {
        let cells = names.iter().map(|count| {
            match (row.ratio(count), row.ours.get(count), row.theirs.get(count)) {
                (Some(ratio), Some(ours), Some(theirs)) => format!("{ours}/{theirs} {ratio:.3}"),
                _ => String::new(),
            }
        });
        let cells: Vec<String> = cells.collect();
        let _ = writeln!(text, "| {} | {} |", row.shader, cells.join(" | "));
    }
    let means = names.iter().map(|count| {
        let ratios: Vec<f64> = rows.iter().filter_map(|row| row.ratio(count)).collect();
        let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        format!("{:.3}", (logarithms / ratios.len().max(1) as f64).exp())
    });
    let means: Vec<String> = means.collect();
    let _ = writeln!(text, "| geometric mean | {} |", means.join(" | "));
}

/// Returns the file of bounds: GPU, shader, count, ratio.
fn bounds_of(rows: &[Row]) -> String {
    let mut text = String::from(
        "# Ours divided by DXC's: GPU, shader, count, ratio. `BLESS=1 cargo test -p dxil-bench --test isa`\n\
         # writes this file; a ratio that grows needs a reason.\n",
    );
    for row in rows {
        for (count, _) in COUNTS {
            if let Some(ratio) = row.ratio(count) {
                let _ = writeln!(text, "{}, {}, {count}, {ratio:.3}", row.gpu, row.shader);
            }
        }
    }
    text
}

/// Returns the lines about other GPUs: their drivers may not be here.
fn other_bounds(file: &Path, gpus: &[String]) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let others = text.lines().filter(|line| {
        let gpu = line.split(", ").next().unwrap_or_default();
        !line.starts_with('#') && gpus.iter().all(|one| one != gpu)
    });
    Ok(others.flat_map(|line| [line, "\n"]).collect())
}

type Bounds = BTreeMap<(String, String, String), f64>;

fn read_bounds(file: &Path) -> anyhow::Result<Bounds> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let words: Vec<&str> = line.split(", ").collect();
            match words.as_slice() {
                [gpu, shader, count, ratio] => {
                    let key = ((*gpu).to_owned(), (*shader).to_owned(), (*count).to_owned());
                    Ok((key, ratio.parse().map_err(|_| Malformed(line.to_owned()))?))
                }
                _ => Err(Malformed(line.to_owned()).into()),
            }
        })
        .collect()
}

/// Returns how many shaders have bounds on these GPUs. A GPU may lack what a shader needs, such as
/// doubles: it has none there.
fn expected(bounds: &Bounds, gpus: &[String]) -> usize {
    let known = bounds.keys().filter(|(gpu, ..)| gpus.contains(gpu));
    let shaders: BTreeSet<_> = known.map(|(gpu, shader, _)| (gpu, shader)).collect();
    shaders.len()
}

/// Compares ratios with their bounds. Every shader must have been compiled: `expected` of them.
fn check(rows: &[Row], bounds: &Bounds, expected: usize) -> anyhow::Result<()> {
    let mut problems = Vec::new();
    if rows.len() != expected {
        problems.push(format!("{} of {expected} shaders compile", rows.len()));
    }
    for row in rows {
        for (count, _) in COUNTS {
            let Some(ratio) = row.ratio(count) else {
                continue;
            };
            let key = (row.gpu.clone(), row.shader.clone(), count.to_owned());
            match bounds.get(&key) {
                Some(bound) if ratio <= bound * SLACK => {}
                Some(bound) => problems.push(format!(
                    "{}, {}: {count} are {ratio:.3} of DXC's, the bound is {bound:.3}",
                    row.gpu, row.shader
                )),
                None => problems.push(format!(
                    "{}, {}: {count} have no bound",
                    row.gpu, row.shader
                )),
            }
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(WrongResult(problems.join("\n")).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ours: f64, theirs: f64) -> Row {
        Row {
            gpu: "g".to_owned(),
            shader: "s".to_owned(),
            ours: Counts::from([("instructions", ours)]),
            theirs: Counts::from([("instructions", theirs)]),
        }
    }

    #[test]
    fn more_than_the_bound_is_a_problem_and_less_is_none() {
        let key = ("g".to_owned(), "s".to_owned(), "instructions".to_owned());
        let bounds = Bounds::from([(key, 1.1)]);
        assert!(check(&[row(110.0, 100.0)], &bounds, 1).is_ok());
        assert!(check(&[row(90.0, 100.0)], &bounds, 1).is_ok());
        let error = check(&[row(120.0, 100.0)], &bounds, 1).unwrap_err();
        assert!(error.to_string().contains("1.200 of DXC's"), "{error}");
        // One that does not compile, one without a bound, and one of another GPU.
        assert_eq!(expected(&bounds, &["g".to_owned()]), 1);
        assert_eq!(expected(&bounds, &["h".to_owned()]), 0);
        assert!(check(&[row(90.0, 100.0)], &bounds, 2).is_err());
        assert!(check(&[row(90.0, 100.0)], &Bounds::new(), 1).is_err());
    }

    #[test]
    fn operations_that_one_side_lacks_have_a_ratio() {
        assert_eq!(row(0.0, 0.0).ratio("instructions"), None);
        assert_eq!(row(1.0, 0.0).ratio("instructions"), Some(2.0));
        assert_eq!(row(0.0, 1.0).ratio("instructions"), Some(0.5));
    }
}
