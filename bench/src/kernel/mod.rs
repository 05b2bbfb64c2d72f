//! The kernels: their code, their inputs, and what they must compute.

mod image;
mod linear;
mod memory;
mod simulation;
mod sort;
mod wave;

use dxil_runtime::job::{Job, Outcome, Register, ResourceId};

/// A kernel in DXIL and in DXC's SPIR-V.
pub(crate) struct Kernel {
    pub(crate) name: &'static str,
    /// One line of what it is.
    pub(crate) about: &'static str,
    pub(crate) dxil: &'static [u8],
    pub(crate) spirv: &'static [u8],
    /// The work at a scale: the binary logarithm of how many times more elements than in the small
    /// size.
    pub(crate) case: fn(u32) -> Case,
}

/// Work with its inputs.
pub(crate) struct Case {
    pub(crate) job: Job,
    /// Bytes that have to move at least; 0 where that says nothing.
    pub(crate) bytes: f64,
    /// Floating-point operations; 0 where there are none.
    pub(crate) operations: f64,
    pub(crate) check: Check,
}

/// Compares the results with the CPU's.
pub(crate) type Check = Box<dyn Fn(&Outcome) -> Result<(), String>>;

/// The kernels that the device's peaks are taken from.
pub(crate) const PEAKS: [&str; 2] = ["copy", "fma_peak"];

macro_rules! kernels {
    ($($module:ident::$name:ident $about:literal;)*) => {
        /// All kernels.
        pub(crate) fn all() -> Vec<Kernel> {
            vec![$(Kernel {
                name: stringify!($name),
                about: $about,
                dxil: include_bytes!(concat!("../../kernels/", stringify!($name), ".dxil")),
                spirv: include_bytes!(concat!("../../kernels/", stringify!($name), ".spv")),
                case: $module::$name,
            }),*]
        }
    };
}

kernels! {
    memory::copy "16 bytes per thread";
    linear::fma_peak "chains of multiply-adds";
    linear::saxpy "a * x + y";
    memory::reduction "sums of blocks by halving";
    memory::scan "prefix sums of blocks, a balanced tree";
    memory::histogram "256 bins with groupshared atomics";
    sort::radix_sort "blocks of 256 keys, a bit at a time";
    sort::bitonic_sort "blocks of 512 keys, a bitonic network";
    memory::transpose "a matrix through tiles of 16 by 16";
    linear::matmul_f32 "a matrix product in tiles of 16 by 16";
    linear::matmul_f16 "the same with half floats";
    linear::spmv "a sparse matrix times a vector";
    linear::fft "Fourier transforms of 512 points";
    simulation::nbody "gravity of all pairs";
    simulation::stencil "a seven-point Jacobi step";
    simulation::black_scholes "prices of call options";
    simulation::bfs_step "one level of a breadth-first search";
    simulation::sha256 "a hash per thread";
    image::mandelbrot "escape times";
    image::ray_march "sphere tracing with a shadow";
    image::gaussian_blur "5 by 5 texels of a picture";
    image::bilateral "7 by 7 texels, weighted by contrast";
    wave::wave_reduce "sums by a wave operation";
    wave::wave_scan "prefix sums by wave operations";
    wave::wave_compact "ballots and bit counts";
    wave::wave_shuffle "reading neighbours' registers";
}

/// A register by its name, which is one.
fn register(name: &str) -> Register {
    name.parse().expect("kernels name registers correctly")
}

/// 32-bit values as bytes.
fn bytes<T: Copy>(values: &[T], word: impl Fn(T) -> u32) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| word(*value).to_le_bytes())
        .collect()
}

fn floats(values: &[f32]) -> Vec<u8> {
    bytes(values, f32::to_bits)
}

fn uints(values: &[u32]) -> Vec<u8> {
    bytes(values, |value| value)
}

/// A constant buffer of these words.
fn constants(words: &[u32]) -> Vec<u8> {
    let mut bytes = uints(words);
    bytes.resize(bytes.len().next_multiple_of(16), 0);
    bytes
}

/// Noise, the same each time: SplitMix64.
fn noise(count: usize, seed: u64) -> impl Iterator<Item = u32> {
    (0..count as u64).map(move |i| {
        let mut z = (i + (seed << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z >> 32) as u32
    })
}

/// Noise from 0 to 1.
fn fractions(count: usize, seed: u64) -> Vec<f32> {
    noise(count, seed)
        .map(|word| (word >> 8) as f32 / (1 << 24) as f32)
        .collect()
}

fn result_words(outcome: &Outcome, id: ResourceId) -> Result<Vec<u32>, String> {
    let bytes = outcome.bytes(id).ok_or("the result was not read back")?;
    let (words, _) = bytes.as_chunks();
    Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
}

/// All words are the expected ones.
fn exactly(id: ResourceId, expected: Vec<u32>) -> Check {
    Box::new(move |outcome| {
        let found = result_words(outcome, id)?;
        if found.len() != expected.len() {
            return Err(format!("{} words, not {}", found.len(), expected.len()));
        }
        match found.iter().zip(&expected).position(|(a, b)| a != b) {
            None => Ok(()),
            Some(at) => Err(format!("word {at} is {}, not {}", found[at], expected[at])),
        }
    })
}

/// The floats at some places are the expected ones up to a relative error (or absolute below 1);
/// a share of them may be farther off: rays that pass an edge, points that escape a step later.
fn nearly(id: ResourceId, expected: Vec<(usize, f32)>, tolerance: f32, outliers: f64) -> Check {
    Box::new(move |outcome| {
        let found = result_words(outcome, id)?;
        let mut bad = 0;
        let mut first = None;
        for (at, expected) in &expected {
            let found = found
                .get(*at)
                .map(|word| f32::from_bits(*word))
                .ok_or_else(|| format!("there is no element {at}"))?;
            let error = (found - expected).abs() / expected.abs().max(1.0);
            if error.is_nan() || error > tolerance {
                bad += 1;
                first.get_or_insert((*at, found, *expected));
            }
        }
        match first {
            Some((at, found, wanted)) if bad as f64 > outliers * expected.len() as f64 => Err(
                format!("{bad} values are off; element {at} is {found}, not {wanted}"),
            ),
            _ => Ok(()),
        }
    })
}

/// All elements with their places.
fn at_all_places(values: Vec<f32>) -> Vec<(usize, f32)> {
    values.into_iter().enumerate().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dxil_frontend::dxil::read_shader;
    use dxil_runtime::Program;
    use dxil_runtime::device::{self, Backend, OpenOptions};
    use dxil_runtime::program::CompileOptions;
    use dxil_runtime::root_signature::formats_of;

    #[test]
    fn names_are_distinct_and_there_are_more_than_twenty() {
        let mut names: Vec<_> = all().iter().map(|kernel| kernel.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all().len());
        assert!(names.len() > 20);
        assert!(PEAKS.iter().all(|peak| names.contains(peak)));
    }

    #[test]
    fn every_kernel_computes_what_the_cpu_computes_in_our_spirv_and_in_dxcs() {
        let device = device::open(&OpenOptions::new(Backend::Vulkan)).unwrap();
        for kernel in all() {
            let shader = read_shader(kernel.dxil).unwrap();
            let case = (kernel.case)(0);
            let formats = formats_of(&case.job);
            let options = CompileOptions::default();
            let ours = Program::compile(&shader, None, device.profile(), &formats, &options)
                .unwrap_or_else(|error| panic!("{}: {error}", kernel.name));
            let dxc = crate::dxc::program(&shader, kernel.spirv).unwrap();
            for (who, program) in [("ours", ours), ("DXC's", dxc)] {
                let outcome = device.run(&program, &case.job).unwrap();
                if let Err(problem) = (case.check)(&outcome) {
                    panic!("{} ({who}): {problem}", kernel.name);
                }
            }
        }
    }

    #[test]
    fn checks_notice_wrong_values() {
        let mut job = Job::dispatch([1, 1, 1]);
        let id = job.bind_buffer(register("u0"), vec![0; 8]);
        let outcome = |values: [f32; 2]| Outcome {
            resources: vec![Some(floats(&values))],
            ..Outcome::default()
        };
        let near = nearly(id, vec![(0, 1.0), (1, 100.0)], 0.01, 0.0);
        assert!(near(&outcome([1.005, 100.9])).is_ok());
        assert!(near(&outcome([1.02, 100.0])).is_err());
        assert!(near(&outcome([1.0, f32::NAN])).is_err());
        let half = nearly(id, vec![(0, 1.0), (1, 100.0)], 0.01, 0.5);
        assert!(half(&outcome([7.0, 100.0])).is_ok());
        assert!(half(&outcome([7.0, 7.0])).is_err());
        let exact = exactly(id, vec![1.0f32.to_bits(), 2.0f32.to_bits()]);
        assert!(exact(&outcome([1.0, 2.0])).is_ok());
        assert!(exact(&outcome([1.0, 2.5])).is_err());
    }
}
