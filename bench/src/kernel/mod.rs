//! The kernels: their code, their inputs, and their expected results.

pub(crate) mod checks;
mod image;
pub(crate) mod inputs;
mod linear;
mod memory;
#[cfg(test)]
mod mutants;
mod simulation;
mod sort;
mod wave;
mod workload;

pub(crate) use workload::Workload;

/// A kernel in DXIL and in DXC's SPIR-V.
pub(crate) struct Kernel {
    pub(crate) name: &'static str,
    /// A description in one line.
    pub(crate) about: &'static str,
    pub(crate) dxil: &'static [u8],
    pub(crate) spirv: &'static [u8],
    /// Returns the dispatch at a scale: the binary logarithm of the number of elements, relative
    /// to the small size.
    pub(crate) case: fn(u32) -> Workload,
}

/// The kernels that measure the device's peak bandwidth and throughput.
pub(crate) const PEAKS: [&str; 2] = ["copy", "fma_peak"];

macro_rules! kernels {
    ($($module:ident::$name:ident $about:literal;)*) => {
        /// Returns all kernels.
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

#[cfg(test)]
mod tests {
    use super::checks::{exactly, nearly};
    use super::inputs::{floats, register};
    use super::*;
    use dxil_frontend::dxil::{Shader, read_shader};
    #[cfg(feature = "native")]
    use dxil_runtime::CodeChoice;
    use dxil_runtime::Program;
    use dxil_runtime::device::{self, Backend, Device, OpenOptions};
    use dxil_runtime::job::{Job, Outcome};
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

    /// Compiles a kernel's shader for a device and the formats of a job.
    fn compiled(kernel: &Kernel, shader: &Shader, job: &Job, device: &dyn Device) -> Program {
        let formats = formats_of(job);
        let options = CompileOptions::default();
        Program::compile(shader, None, device.profile(), &formats, &options)
            .unwrap_or_else(|error| panic!("{}: {error}", kernel.name))
    }

    #[test]
    fn every_kernel_computes_what_the_cpu_computes_in_our_spirv_and_in_dxcs() {
        let device = device::open(&OpenOptions::new(Backend::Vulkan)).unwrap();
        for kernel in all() {
            let shader = read_shader(kernel.dxil).unwrap();
            let case = (kernel.case)(0);
            let ours = compiled(&kernel, &shader, &case.job, &*device);
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
    fn kernels_as_dxbc_compute_what_the_cpu_computes() {
        let device = device::open(&OpenOptions::new(Backend::Vulkan)).unwrap();
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels");
        let mut count = 0;
        for kernel in all() {
            let path = folder.join(kernel.name).with_extension("dxbc");
            // Waves and 16-bit types came with shader model 6.
            if !path.exists() {
                continue;
            }
            let shader = read_shader(&std::fs::read(path).unwrap()).unwrap();
            let case = (kernel.case)(0);
            let program = compiled(&kernel, &shader, &case.job, &*device);
            let outcome = device.run(&program, &case.job).unwrap();
            if let Err(problem) = (case.check)(&outcome) {
                panic!("{} (DXBC): {problem}", kernel.name);
            }
            count += 1;
        }
        assert!(count >= 21, "{count} kernels have a DXBC form");
    }

    #[test]
    fn all_checks_of_the_cpu_executor_find_nothing() {
        let mut options = OpenOptions::new(Backend::Cpu);
        // All threads of `bfs_step` store the same value.
        let checks = dxil_runtime::Checks::ALL;
        options.checks = checks.without(dxil_runtime::Check::SameValue);
        let device = device::open(&options).unwrap();
        let mut problems = Vec::new();
        for kernel in all() {
            let shader = read_shader(kernel.dxil).unwrap();
            let case = (kernel.case)(0);
            let program = compiled(&kernel, &shader, &case.job, &*device);
            let outcome = device.run(&program, &case.job).unwrap();
            for finding in &outcome.findings {
                problems.push(format!("{}: {finding}", kernel.name));
            }
            if let Err(problem) = (case.check)(&outcome) {
                problems.push(format!("{}: {problem}", kernel.name));
            }
        }
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }

    #[test]
    #[cfg(feature = "native")]
    fn native_code_gives_the_bytes_of_the_interpreter() {
        let open = |code| {
            let mut options = OpenOptions::new(Backend::Cpu);
            options.cpu_code = code;
            device::open(&options).unwrap()
        };
        let devices = [CodeChoice::Native, CodeChoice::Interpret].map(open);
        for kernel in all() {
            let shader = read_shader(kernel.dxil).unwrap();
            let case = (kernel.case)(0);
            let [native, interpreted] = devices.each_ref().map(|device| {
                let program = compiled(&kernel, &shader, &case.job, &**device);
                device.run(&program, &case.job).unwrap()
            });
            assert!(native.resources == interpreted.resources, "{}", kernel.name);
            if let Err(problem) = (case.check)(&native) {
                panic!("{}: {problem}", kernel.name);
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
