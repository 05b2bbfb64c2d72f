//! The start of a program with a library of shaders: how long it takes until all of them are
//! SPIR-V, without a cache, with an empty one, and with one that a run before has filled.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, bail};
use cpu_time::ProcessTime;
use dxil_bench::{load_folder, project_root};
use dxil_frontend::FourCc;
use dxil_frontend::container::{Container, ContainerBuilder, RootSignature, Signing};
use dxil_frontend::dxil::read_shader;
use dxil_runtime::cache::{Cache, Cached, SourceHash};
use dxil_runtime::program::CompileOptions;
use dxil_runtime::{Profile, Program};
use dxil_translate::VulkanVersion;
use serde::Serialize;

/// Bytes that the cache may take: more than any library of a measurement.
const LIMIT: u64 = 64 << 30;

/// What is measured.
pub(crate) struct Options {
    /// Folders with shaders; none is those of the tests.
    pub(crate) folders: Vec<PathBuf>,
    /// Number of distinct shaders.
    pub(crate) shaders: usize,
    pub(crate) threads: usize,
}

/// Results, as `--json` writes them.
#[derive(Serialize)]
pub(crate) struct Startup {
    /// Distinct shaders.
    shaders: usize,
    /// Shaders of the folders that they were made of.
    originals: usize,
    /// Bytes of all containers.
    bytes: usize,
    threads: usize,
    /// One after the other.
    starts: Vec<Start>,
}

/// One start of the program.
#[derive(Serialize)]
struct Start {
    /// `no cache`, `cold` or `cached`.
    start: &'static str,
    seconds: f64,
    /// Processor time of all threads.
    cpu_seconds: f64,
    /// Translations that were made.
    made: u64,
    /// Translations that the cache had.
    found: u64,
}

/// Measures the starts.
///
/// # Errors
///
/// A folder cannot be read or has no shader, a shader cannot be translated, or the cache cannot be
/// opened.
pub(crate) fn run(options: &Options) -> anyhow::Result<Startup> {
    let profile = Profile::offline(VulkanVersion::V1_3);
    let originals = originals(&options.folders, &profile)?;
    let library = library(&originals, options.shaders)?;
    let folder = tempfile::tempdir()?;
    let open = || Cache::open(&folder.path().join("cache"), LIMIT).map(Arc::new);
    let start = |name, cache: Option<Arc<Cache>>| -> anyhow::Result<Start> {
        let (wall, cpu) = (Instant::now(), ProcessTime::now());
        prepare(&library, &profile, cache.as_ref(), options.threads)?;
        let (seconds, cpu_seconds) = (wall.elapsed(), cpu.elapsed());
        let statistics = cache.map(|cache| cache.statistics()).unwrap_or_default();
        Ok(Start {
            start: name,
            seconds: seconds.as_secs_f64(),
            cpu_seconds: cpu_seconds.as_secs_f64(),
            made: statistics.translations_made,
            found: statistics.translations_found,
        })
    };
    let mut starts = vec![start("no cache", None)?];
    starts[0].made = library.len() as u64;
    starts.push(start("cold", Some(open()?))?);
    // Opened anew, as by a program that starts again.
    starts.push(start("cached", Some(open()?))?);
    Ok(Startup {
        shaders: library.len(),
        originals: originals.len(),
        bytes: library.iter().map(Vec::len).sum(),
        threads: options.threads,
        starts,
    })
}

/// Returns the shaders of the folders that can be translated by themselves.
fn originals(folders: &[PathBuf], profile: &Profile) -> anyhow::Result<Vec<Vec<u8>>> {
    let own = [project_root().join("hwtests/shaders")];
    let folders = if folders.is_empty() { &own } else { folders };
    let mut originals = Vec::new();
    for folder in folders {
        let samples = load_folder(folder).with_context(|| folder.display().to_string())?;
        let bytes = samples.into_iter().map(|sample| sample.bytes);
        originals.extend(bytes.filter(|bytes| {
            Container::parse(bytes).is_ok() && ready(bytes, profile, None).is_ok()
        }));
    }
    if originals.is_empty() {
        bail!("the folders have no shader that can be translated by itself");
    }
    Ok(originals)
}

/// Returns so many shaders: the originals in turn, each with a number in its private data, so that
/// no two are the same source.
fn library(originals: &[Vec<u8>], count: usize) -> anyhow::Result<Vec<Vec<u8>>> {
    let each = originals.iter().cycle().take(count).enumerate();
    each.map(|(number, original)| {
        let mut builder = ContainerBuilder::of(&Container::parse(original)?);
        builder.set(FourCc::PRIV, (number as u64).to_le_bytes().to_vec());
        Ok(builder.build(Signing::Digest)?)
    })
    .collect()
}

/// Makes all shaders ready, by several threads.
fn prepare(
    library: &[Vec<u8>],
    profile: &Profile,
    cache: Option<&Arc<Cache>>,
    threads: usize,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let work = || -> anyhow::Result<()> {
        while let Some(bytes) = library.get(next.fetch_add(1, Ordering::Relaxed)) {
            std::hint::black_box(ready(bytes, profile, cache)?);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for thread in started {
            match thread.join() {
                Ok(outcome) => outcome?,
                Err(_) => bail!("a thread panicked"),
            }
        }
        Ok(())
    })
}

/// Returns a shader's program, as a program of `dxil_runtime` asks for it.
fn ready(bytes: &[u8], profile: &Profile, cache: Option<&Arc<Cache>>) -> anyhow::Result<Program> {
    let shader = read_shader(bytes)?;
    let root = RootSignature::of_shaders([bytes])?;
    let mut options = CompileOptions::default();
    options.cache = cache.map(|cache| Cached {
        cache: Arc::clone(cache),
        sources: vec![SourceHash::of(bytes)],
    });
    let root = root.as_ref();
    Ok(Program::compile(
        &shader,
        root,
        profile,
        &|_| None,
        &options,
    )?)
}

impl Startup {
    /// Returns the table.
    pub(crate) fn table(&self) -> String {
        let mut text = format!(
            "{} distinct shaders of {}, {} bytes, {} threads\n\n\
             | start | seconds | processor time, s | per shader, µs | made | found |\n\
             |---|---:|---:|---:|---:|---:|\n",
            self.shaders, self.originals, self.bytes, self.threads
        );
        for start in &self.starts {
            let each = start.cpu_seconds * 1e6 / self.shaders.max(1) as f64;
            text += &format!(
                "| {} | {:.2} | {:.2} | {each:.1} | {} | {} |\n",
                start.start, start.seconds, start.cpu_seconds, start.made, start.found
            );
        }
        text
    }

    /// Writes the results as JSON.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))
    }
}
