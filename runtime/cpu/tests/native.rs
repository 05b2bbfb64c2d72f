//! Native code gives what the interpreter gives: the compute shaders of the checkout, with any
//! contents of their resources.
#![cfg(feature = "native")]

use dxil_checkout::files_of;
use dxil_cpu::resources::{Bindings, Register, ResourceView, Storage};
use dxil_cpu::{CodeChoice, Dispatch, Error, Kernel, Limits, Options, Outcome};
use dxil_frontend::dxil::{ResourceClass, ShaderKind, read_shader};

/// Bytes of each buffer.
const BYTES: u32 = 1 << 13;

/// Returns words of which most are small numbers or usual floats.
fn contents(seed: u64) -> Vec<u8> {
    let mut numbers = fastrand::Rng::with_seed(seed);
    let mut bytes = Vec::new();
    for _ in 0..BYTES / 4 {
        let random = numbers.u32(..);
        let word = match random % 8 {
            0..3 => random >> 27,
            3..6 => ((random >> 8) as f32 / 65536.0 - 100.0).to_bits(),
            6 => (random >> 16) * 0x0001_0001,
            _ => random,
        };
        bytes.extend(word.to_le_bytes());
    }
    bytes
}

type Result<T> = std::result::Result<T, Error>;

/// Runs a kernel; returns the outcome and what the buffers hold.
fn run(
    kernel: &Kernel,
    seed: u64,
    code: CodeChoice,
    steps: u64,
) -> (Result<Outcome>, Vec<Vec<u8>>) {
    let mut storages = Vec::new();
    let mut bindings = Bindings::default();
    for range in kernel.used_ranges() {
        for index in 0..range.count.unwrap_or(2).min(4) {
            let register = Register {
                index: range.first.index + index,
                ..range.first
            };
            let bytes = contents(seed + storages.len() as u64);
            let view = match register.class {
                ResourceClass::Cbv => ResourceView::Constants(bytes),
                ResourceClass::Sampler => continue,
                _ => {
                    storages.push(Storage::buffer(&bytes));
                    ResourceView::Buffer {
                        storage: storages.len() - 1,
                        offset: 0,
                        size: u64::from(BYTES),
                        format: None,
                        counter: 0,
                    }
                }
            };
            bindings.registers.push((register, view));
        }
    }
    let dispatch = Dispatch::new(kernel, &bindings, &storages).expect("views fit");
    let mut limits = Limits::default();
    (limits.code, limits.threads, limits.steps) = (code, 1, steps);
    let outcome = dispatch.run([2, 2, 1], &limits);
    (outcome, storages.iter().map(Storage::to_bytes).collect())
}

#[test]
fn shaders_of_the_checkout_give_the_same() {
    let folders = [
        "hwtests/shaders",
        "bench/kernels",
        "runtime/cpu/tests/check",
    ];
    let paths = files_of(&folders, "dxil");
    let (mut compared, mut stopped, mut with_code) = (0, 0, 0);
    let mut wrong = Vec::new();
    for path in &paths {
        let bytes = std::fs::read(path).expect("it can be read");
        let Ok(shader) = read_shader(&bytes) else {
            continue;
        };
        for wave_size in [None, Some(4), Some(64)] {
            let mut options = Options::default();
            options.wave_size = wave_size;
            let kernel = match Kernel::decode(&shader, &options) {
                Ok(kernel) if kernel.stage() == Some(ShaderKind::Compute) => kernel,
                _ => continue,
            };
            let seed = compared as u64;
            let interpreted = run(&kernel, seed, CodeChoice::Interpret, 20_000);
            let native = run(&kernel, seed, CodeChoice::Native, 20_000);
            let (expected, found) = (format!("{:?}", interpreted.0), format!("{:?}", native.0));
            if expected != found {
                wrong.push(format!("{path:?} {wave_size:?}: {found}, not {expected}"));
            } else if interpreted.1 != native.1 {
                wrong.push(format!("{path:?} {wave_size:?}: other bytes"));
            }
            compared += 1;
            with_code += usize::from(kernel.has_native_code());
            if interpreted.0.is_err() {
                stopped += 1;
                continue;
            }
            // A limit within the run is reached at the same step, with the same bytes.
            let steps = interpreted.0.map_or(0, |outcome| outcome.steps) * 2 / 3;
            let interpreted = run(&kernel, seed, CodeChoice::Interpret, steps);
            let native = run(&kernel, seed, CodeChoice::Native, steps);
            let (expected, found) = (format!("{:?}", interpreted.0), format!("{:?}", native.0));
            if expected != found || interpreted.1 != native.1 {
                wrong.push(format!(
                    "{path:?} {wave_size:?}, stopped: {found}, not {expected}"
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {compared}: {wrong:#?}",
        wrong.len()
    );
    assert!(
        compared > 800,
        "{compared} shaders ran, {stopped} of them to the limit"
    );
    assert!(
        with_code * 100 > compared * 97,
        "{with_code} of {compared} have code"
    );
}
