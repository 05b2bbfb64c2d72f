//! Runs a compute shader on the CPU: binds a buffer, dispatches a group, reads the buffer back.
//!
//! The exit code says whether the result is right. `tools/test-wasm.sh` runs this example as
//! WebAssembly.

#![allow(clippy::print_stdout, reason = "an example shows what it computed")]

use std::process::ExitCode;

use dxil_cpu::resources::{Bindings, Register, ResourceView, Storage};
use dxil_cpu::{Dispatch, Kernel, Limits, Options};
use dxil_frontend::dxil::{ResourceClass, read_shader};

/// Writes for each of 64 numbers the steps of its Collatz sequence and the largest value in it.
const SHADER: &[u8] = include_bytes!("../../../hwtests/shaders/flow/collatz.dxil");

fn main() -> ExitCode {
    match run() {
        Ok(rows) => {
            for (start, row) in rows.iter().enumerate().take(8) {
                println!("{start}: {} steps, largest value {}", row[0], row[1]);
            }
            // 7 22 11 34 17 52 26 13 40 20 10 5 16 8 4 2 1
            ExitCode::from(u8::from(rows.get(7) != Some(&[16, 52])))
        }
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<Vec<[u32; 2]>, Box<dyn std::error::Error>> {
    let shader = read_shader(SHADER)?;
    let kernel = Kernel::decode(&shader, &Options::default())?;

    let numbers: Vec<u8> = (0..64_u32).flat_map(u32::to_le_bytes).collect();
    let storages = [Storage::buffer(&numbers), Storage::buffer(&[0; 64 * 8])];
    let view = |storage: usize, size| ResourceView::Buffer {
        storage,
        offset: 0,
        size,
        format: None,
        counter: 0,
    };
    let bindings = Bindings {
        registers: vec![
            (Register::new(ResourceClass::Srv, 0), view(0, 64 * 4)),
            (Register::new(ResourceClass::Uav, 0), view(1, 64 * 8)),
        ],
        ..Bindings::default()
    };
    Dispatch::new(&kernel, &bindings, &storages)?.run([1, 1, 1], &Limits::default())?;

    let bytes = storages[1].to_bytes();
    let words = bytes.as_chunks::<4>().0.iter();
    let words: Vec<u32> = words.map(|word| u32::from_le_bytes(*word)).collect();
    Ok(words.as_chunks::<2>().0.to_vec())
}

/// Random numbers of the host of a WebAssembly module: the seed of hash tables. A program for the
/// web takes them from the browser by getrandom's feature `wasm_js` and needs no function of its
/// own.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[allow(unsafe_code, reason = "the host writes into the module's memory")]
mod host {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Writes random bytes.
        fn random_bytes(to: *mut u8, length: usize);
    }

    /// The function that getrandom calls (`getrandom_backend="custom"`).
    #[unsafe(no_mangle)]
    unsafe extern "Rust" fn __getrandom_v03_custom(
        to: *mut u8,
        length: usize,
    ) -> Result<(), getrandom::Error> {
        // SAFETY: getrandom gives as many bytes to write to.
        unsafe { random_bytes(to, length) };
        Ok(())
    }
}
