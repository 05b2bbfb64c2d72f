//! The corpus of the benchmarks, and the measurement of times.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dxil_frontend::dxil::read_shader;
use dxil_translate::{Features, Options, translate};

/// A shader file of the corpus.
#[derive(Debug, Clone)]
pub struct Sample {
    /// File name without extension.
    pub name: String,
    /// The container.
    pub bytes: Vec<u8>,
}

/// Returns the folder of the checkout.
pub fn project_root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Returns all `.dxil` files below a folder, sorted by path.
///
/// # Errors
///
/// The folder or a file cannot be read.
pub fn load_folder(folder: &Path) -> std::io::Result<Vec<Sample>> {
    let mut samples = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "dxil")
            {
                let name = path
                    .file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                samples.push((
                    path.clone(),
                    Sample {
                        name,
                        bytes: std::fs::read(path)?,
                    },
                ));
            }
        }
    }
    samples.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(samples.into_iter().map(|(_, sample)| sample).collect())
}

/// Returns the shortest time of at least `runs` runs of `work`, which together take at least 50 ms.
/// Longer times are noise of the machine.
pub fn best_of<T>(runs: u32, mut work: impl FnMut() -> T) -> Duration {
    let started = Instant::now();
    let mut best = Duration::MAX;
    let mut run = 0;
    while run < runs || started.elapsed() < Duration::from_millis(50) {
        let begin = Instant::now();
        std::hint::black_box(work());
        best = best.min(begin.elapsed());
        run += 1;
    }
    best
}

/// Returns the median of the values, the upper one if their number is even, or zero if there are
/// none.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Translates a container and returns the number of SPIR-V words.
///
/// # Errors
///
/// The container cannot be read or translated.
pub fn translate_bytes(bytes: &[u8], options: &Options) -> anyhow::Result<usize> {
    let shader = read_shader(bytes)?;
    Ok(translate(&shader, options)?.words.len())
}

/// Returns a target with all features, so that no shader is refused for lack of one; without long
/// vectors, which few devices have and no shader needs.
pub fn full_target() -> dxil_translate::Target {
    let mut target = dxil_translate::Target::default();
    target.features = Features::all() - Features::LONG_VECTOR;
    target
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_takes_the_middle_of_unsorted_values() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut []), 0.0);
    }

    #[test]
    fn shapes_are_checked_in_at_three_sizes_each() {
        let shapes = load_folder(&project_root().join("bench/shapes")).unwrap();
        assert_eq!(shapes.len(), 21);
        assert!(shapes.iter().any(|sample| sample.name == "returns_00512"));
    }
}
