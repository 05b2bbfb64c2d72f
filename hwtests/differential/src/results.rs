//! Files of results: one for each device, each written by a process of its own, since a device may
//! end the process and drivers of different releases need different libraries.
//!
//! A line is a seed, a configuration and the digest of its outputs, with tabs between them. Before
//! a seed runs, a line says `begun`; after its results a line says `ended`. A run that continues an
//! earlier one skips what the earlier one began.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::compare::{ComparisonReport, Configuration};

const BEGUN: &str = "begun";
const ENDED: &str = "ended";
const FAULT: &str = "fault";

/// A file of results that grows.
#[derive(Debug)]
pub struct Recorder {
    file: std::fs::File,
    path: PathBuf,
    begun: BTreeSet<u64>,
}

impl Recorder {
    /// Opens a file, which need not exist, and reads which seeds it has.
    ///
    /// # Errors
    ///
    /// If the file can't be read or written.
    pub fn open(path: &Path) -> Result<Recorder, String> {
        let begun = match std::fs::read_to_string(path) {
            Ok(text) => Results::parse(&text)?.seeds.into_keys().collect(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => BTreeSet::new(),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        let file = std::fs::File::options()
            .create(true)
            .append(true)
            .open(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Recorder {
            file,
            path: path.to_owned(),
            begun,
        })
    }

    /// Returns whether the file has this seed.
    pub fn has(&self, seed: u64) -> bool {
        self.begun.contains(&seed)
    }

    /// Notes that a seed is about to run.
    ///
    /// # Errors
    ///
    /// If the file can't be written.
    pub fn begin(&mut self, seed: u64) -> Result<(), String> {
        self.write(&format!("{seed}\t{BEGUN}\n"))
    }

    /// Writes the results of a seed.
    ///
    /// # Errors
    ///
    /// If the file can't be written.
    pub fn end(&mut self, seed: u64, report: &ComparisonReport) -> Result<(), String> {
        let mut text = String::new();
        for (configuration, digest) in &report.digests {
            text.push_str(&format!("{seed}\t{configuration}\t{digest:016x}\n"));
        }
        for (configuration, _) in &report.faults {
            text.push_str(&format!("{seed}\t{configuration}\t{FAULT}\n"));
        }
        text.push_str(&format!("{seed}\t{ENDED}\n"));
        self.write(&text)
    }

    fn write(&mut self, text: &str) -> Result<(), String> {
        self.file
            .write_all(text.as_bytes())
            .map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

/// What a file says of a seed.
#[derive(Debug, Default)]
struct SeedResults {
    ended: bool,
    /// The digest of each configuration, or `fault`.
    outputs: BTreeMap<String, String>,
}

/// The results on a device.
#[derive(Debug, Default)]
struct Results {
    seeds: BTreeMap<u64, SeedResults>,
}

impl Results {
    fn parse(text: &str) -> Result<Results, String> {
        let mut results = Results::default();
        for line in text.lines() {
            let mut fields = line.split('\t');
            let seed = fields
                .next()
                .and_then(|seed| seed.parse().ok())
                .ok_or_else(|| format!("`{line}` does not begin with a seed"))?;
            let seed = results.seeds.entry(seed).or_default();
            match (fields.next(), fields.next()) {
                (Some(BEGUN), None) => {}
                (Some(ENDED), None) => seed.ended = true,
                (Some(configuration), Some(digest)) => {
                    let previous = seed
                        .outputs
                        .insert(configuration.to_owned(), digest.to_owned());
                    if previous.is_some_and(|previous| previous != digest) {
                        seed.outputs
                            .insert(configuration.to_owned(), FAULT.to_owned());
                    }
                }
                _ => return Err(format!("`{line}` is no result")),
            }
        }
        Ok(results)
    }
}

/// What a file holds.
#[derive(Debug, Default)]
struct FileSummary {
    name: String,
    seeds: usize,
    /// Seeds that began and did not end.
    unfinished: Vec<u64>,
    /// The number of results and of faults of each configuration.
    counts: BTreeMap<String, [usize; 2]>,
}

/// The comparison of files of results.
#[derive(Debug, Default)]
pub struct Agreement {
    files: Vec<FileSummary>,
    /// Seeds and forms whose results depend on the device, with the results.
    pub devices: Vec<(u64, &'static str, String)>,
    /// Seeds whose forms differ although all devices agree on each form.
    pub forms: Vec<(u64, String)>,
    /// Seeds that all files have results of, for all forms.
    pub complete: usize,
}

/// The forms of DXC's output, and the configurations that execute each.
const FORMS: [(&str, &[Configuration]); 3] = [
    (
        "-O3",
        &[
            Configuration::Optimized,
            Configuration::Portable,
            Configuration::Cpu,
        ],
    ),
    (
        "-Od",
        &[Configuration::Unoptimized, Configuration::CpuUnoptimized],
    ),
    ("DXC", &[Configuration::Dxc]),
];

/// Compares files of results. All configurations that execute a form have to agree, on every
/// device.
///
/// # Errors
///
/// If a file can't be read.
pub fn agreement(paths: &[PathBuf]) -> Result<Agreement, String> {
    let mut agreement = Agreement::default();
    let mut files = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        files.push((path.display().to_string(), Results::parse(&text)?));
    }
    for (name, results) in &files {
        let mut file = FileSummary {
            name: name.clone(),
            seeds: results.seeds.len(),
            ..FileSummary::default()
        };
        for (number, seed) in &results.seeds {
            if !seed.ended {
                file.unfinished.push(*number);
            }
            for (configuration, digest) in &seed.outputs {
                let counts = file.counts.entry(configuration.clone()).or_default();
                counts[usize::from(digest == FAULT)] += 1;
            }
        }
        agreement.files.push(file);
    }
    let seeds: BTreeSet<u64> = files
        .iter()
        .flat_map(|(_, r)| r.seeds.keys().copied())
        .collect();
    for seed in seeds {
        agreement.seed(seed, &files);
    }
    Ok(agreement)
}

impl Agreement {
    fn seed(&mut self, seed: u64, files: &[(String, Results)]) {
        let mut all = BTreeMap::new();
        let mut complete = true;
        let mut devices_agree = true;
        for (form, configurations) in FORMS {
            let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
            for (file, results) in files {
                let outputs = results.seeds.get(&seed).map(|seed| &seed.outputs);
                let mut ran = false;
                for configuration in configurations {
                    let digest =
                        outputs.and_then(|outputs| outputs.get(&configuration.to_string()));
                    if let Some(digest) = digest.filter(|digest| *digest != FAULT) {
                        found
                            .entry(digest)
                            .or_default()
                            .push(format!("{file} {configuration}"));
                        ran = true;
                    }
                }
                complete &= ran;
            }
            if found.len() > 1 {
                devices_agree = false;
                self.devices.push((seed, form, listed(&found)));
            }
            for (digest, _) in found {
                all.entry(digest)
                    .or_insert_with(Vec::new)
                    .push(form.to_owned());
            }
        }
        self.complete += usize::from(complete);
        if devices_agree && all.len() > 1 {
            self.forms.push((seed, listed(&all)));
        }
    }
}

fn listed(found: &BTreeMap<&str, Vec<String>>) -> String {
    let each: Vec<String> = found.values().map(|names| names.join(", ")).collect();
    each.join(" | ")
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for file in &self.files {
            writeln!(
                f,
                "{}: {} seeds, without an end: {:?}",
                file.name, file.seeds, file.unfinished
            )?;
            for (configuration, [results, faults]) in &file.counts {
                writeln!(f, "  {configuration}: {results} results, {faults} faults")?;
            }
        }
        for (seed, form, found) in &self.devices {
            writeln!(f, "seed {seed}: devices differ on {form}: {found}")?;
        }
        for (seed, found) in &self.forms {
            writeln!(f, "seed {seed}: forms differ: {found}")?;
        }
        write!(
            f,
            "{} seeds with results of every form in every file; {} forms depend on the device; {} \
             seeds whose forms differ",
            self.complete,
            self.devices.len(),
            self.forms.len()
        )
    }
}
