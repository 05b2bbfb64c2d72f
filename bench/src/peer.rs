//! Two libraries with the ABI of dxil-spirv's C library on the same containers: ours and a peer.
//!
//! Each is measured in its own process, so that they share neither memory nor symbols.
//! A shader goes through the ABI as layers send it: an allocator context around parsing,
//! translating and copying the words out. Without remappers dxil-spirv makes texel buffers of raw
//! and structured buffers, so that the words of such shaders do not compare.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, bail};
use dxil_bench::{Sample, median};

use crate::peer_library::{CompiledSpirv, PeerLibrary};

const SUCCESS: i32 = 0;

/// Options that layers set on every device: number and first truth value.
const OPTIONS: [[u32; 2]; 4] = [
    // demote to helper, typed UAV reads without format, physical storage buffers, barycentrics
    [1, 1],
    [10, 1],
    [7, 1],
    [21, 1],
];

#[allow(
    unsafe_code,
    reason = "another library's C functions are called through its ABI"
)]
fn open(path: &Path) -> anyhow::Result<PeerLibrary> {
    // SAFETY: the user names a library with this ABI.
    Ok(unsafe { PeerLibrary::open(path.as_os_str()) }?)
}

/// Translates one container and returns the bytes of the module; none if that fails.
#[allow(
    unsafe_code,
    reason = "another library's C functions are called through its ABI"
)]
fn translate(abi: &PeerLibrary, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut blob = std::ptr::null_mut();
    let mut converter = std::ptr::null_mut();
    let mut module = None;
    // SAFETY: handles are used between their making and their freeing; the words are copied while
    // their converter lives.
    unsafe {
        (abi.begin_context)();
        if (abi.parse_dxil_blob)(bytes.as_ptr().cast(), bytes.len(), &raw mut blob) == SUCCESS {
            if (abi.create_converter)(blob, &raw mut converter) == SUCCESS {
                for option in &OPTIONS {
                    (abi.add_option)(converter, option.as_ptr().cast());
                }
                let mut words = CompiledSpirv {
                    data: std::ptr::null(),
                    size: 0,
                };
                if (abi.run)(converter) == SUCCESS
                    && (abi.get_compiled_spirv)(converter, &raw mut words) == SUCCESS
                    && !words.data.is_null()
                {
                    let slice = std::slice::from_raw_parts(words.data.cast(), words.size);
                    module = Some(slice.to_vec());
                }
                (abi.free_converter)(converter);
            }
            (abi.free_blob)(blob);
        }
        (abi.end_context)();
    }
    module
}

/// Measures one library in this process. Returns a line per shader with its name, its size in
/// bytes, the best time in nanoseconds (0 if it is not translated) and the words of the module, and
/// a line with the peak of resident memory in KiB.
///
/// # Errors
///
/// The library or a file cannot be opened.
pub(crate) fn measure_one(
    library: &Path,
    paths: &[PathBuf],
    threads: usize,
    runs: u32,
) -> anyhow::Result<String> {
    let abi = open(library).with_context(|| library.display().to_string())?;
    let mut samples = Vec::new();
    for path in paths {
        samples.push(Sample {
            name: path.display().to_string(),
            bytes: std::fs::read(path)?,
        });
    }
    let one_thread = || -> Vec<(u128, usize)> {
        let mut measured = Vec::with_capacity(samples.len());
        for sample in &samples {
            let mut best = u128::MAX;
            let mut words = None;
            for _ in 0..runs.max(1) {
                let begin = Instant::now();
                let module = std::hint::black_box(translate(&abi, &sample.bytes));
                best = best.min(begin.elapsed().as_nanos());
                words = module.map(|bytes| bytes.len() / 4);
                if words.is_none() {
                    break;
                }
            }
            measured.push(words.map_or((0, 0), |words| (best, words)));
        }
        measured
    };
    // Each thread translates all shaders; the result is the mean of their best times.
    let all: Vec<Vec<(u128, usize)>> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..threads.max(1))
            .map(|_| scope.spawn(one_thread))
            .collect();
        started
            .into_iter()
            .filter_map(|thread| thread.join().ok())
            .collect()
    });
    let mut text = String::new();
    for (index, sample) in samples.iter().enumerate() {
        let measured = all.iter().filter_map(|thread| thread.get(index).copied());
        let (times, words): (Vec<u128>, Vec<usize>) = measured.unzip();
        let words = words.first().copied().unwrap_or(0);
        let sum: u128 = times.iter().sum();
        let mean = sum / (times.len() as u128).max(1);
        let mean = if times.contains(&0) { 0 } else { mean };
        let bytes = sample.bytes.len();
        writeln!(text, "{}\t{bytes}\t{mean}\t{words}", sample.name)?;
    }
    writeln!(text, "peak\t0\t{}\t0", peak_memory())?;
    Ok(text)
}

/// Returns the peak of resident memory in KiB on Linux, 0 elsewhere.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

/// Results of the process that measures a library.
struct Measured {
    /// Name, bytes, nanoseconds and words of each shader.
    shaders: Vec<(String, f64, f64, f64)>,
    peak_kib: u64,
}

fn measure_in_process(
    library: &Path,
    paths: &[PathBuf],
    threads: usize,
    runs: u32,
) -> anyhow::Result<Measured> {
    let output = Command::new(std::env::current_exe()?)
        .arg("peer-one")
        .arg(library)
        .args(paths)
        .args([
            "--threads",
            &threads.to_string(),
            "--runs",
            &runs.to_string(),
        ])
        .output()?;
    if !output.status.success() {
        bail!(
            "{}: {} {}",
            library.display(),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let mut measured = Measured {
        shaders: Vec::new(),
        peak_kib: 0,
    };
    for line in String::from_utf8(output.stdout)?.lines() {
        let mut fields = line.split('\t');
        let (Some(name), Some(bytes), Some(value), Some(words)) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        if name == "peak" && bytes == "0" {
            measured.peak_kib = value.parse()?;
        } else {
            measured.shaders.push((
                name.to_owned(),
                bytes.parse()?,
                value.parse()?,
                words.parse()?,
            ));
        }
    }
    Ok(measured)
}

/// Adds all `.dxil` files below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "dxil") {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns the table of both libraries, with one thread and with two.
///
/// # Errors
///
/// A library cannot be opened or crashes.
pub(crate) fn compare(
    ours: &Path,
    peer: &Path,
    folders: &[PathBuf],
    runs: u32,
) -> anyhow::Result<String> {
    let mut files = Vec::new();
    for folder in folders {
        collect(folder, &mut files)?;
    }
    files.sort();
    // Only containers that both translate are compared; a library may crash on the others.
    let all = files.len();
    files.retain(|file| {
        [ours, peer].iter().all(|library| {
            let measured = measure_in_process(library, std::slice::from_ref(file), 1, 1);
            measured.is_ok_and(|m| m.shaders.iter().all(|shader| shader.2 > 0.0))
        })
    });
    let mut table = format!(
        "{} of {all} containers are translated by both.\n\n",
        files.len()
    );
    table += "| library | threads | shaders | median, µs | mean, µs | worst, µs | worst, ms per 64 KiB | peak memory, MiB |\n\
         |---|---|---|---|---|---|---|---|\n";
    let mut ratio = 1.0;
    for threads in [1, 2] {
        let both = [
            ("ours", measure_in_process(ours, &files, threads, runs)?),
            ("peer", measure_in_process(peer, &files, threads, runs)?),
        ];
        let count = both[0].1.shaders.len().min(both[1].1.shaders.len());
        let common: Vec<usize> = (0..count)
            .filter(|&i| {
                both.iter()
                    .all(|(_, m)| m.shaders.get(i).is_some_and(|s| s.2 > 0.0))
            })
            .collect();
        for (name, measured) in &both {
            let rows: Vec<&(String, f64, f64, f64)> = common
                .iter()
                .filter_map(|&i| measured.shaders.get(i))
                .collect();
            let mut micros: Vec<f64> = rows.iter().map(|row| row.2 / 1e3).collect();
            let mean = micros.iter().sum::<f64>() / (micros.len() as f64).max(1.0);
            let worst = micros.iter().copied().fold(0.0, f64::max);
            let per_size = rows
                .iter()
                .map(|row| row.2 / 1e6 / row.1 * 65536.0)
                .fold(0.0, f64::max);
            writeln!(
                table,
                "| {name} | {threads} | {} | {:.1} | {mean:.1} | {worst:.1} | {per_size:.2} | {:.1} |",
                micros.len(),
                median(&mut micros),
                measured.peak_kib as f64 / 1024.0
            )?;
        }
        if threads == 1 {
            let words = |m: &Measured, i: usize| m.shaders.get(i).map_or(1.0, |shader| shader.3);
            let ratios = common
                .iter()
                .map(|&i| words(&both[0].1, i) / words(&both[1].1, i));
            let mean = ratios.map(f64::ln).sum::<f64>() / (common.len() as f64).max(1.0);
            ratio = mean.exp();
        }
    }
    writeln!(table, "\nWords, ours / peer: geometric mean {ratio:.3}")?;
    Ok(table)
}
