//! The fuzz targets as functions of bytes. `fuzz_targets` makes libFuzzer programs of them;
//! `src/bin/mutants.rs` is a program for a stable toolchain, which makes mutants itself.

#[cfg(feature = "commands")]
mod commands;
pub mod cpu;
pub mod mutation;
mod rays;
pub mod shader;
mod target;
mod targets;

pub use target::Target;
pub use targets::targets;

/// Makes the program of a target for libFuzzer.
#[cfg(feature = "libfuzzer")]
#[macro_export]
macro_rules! fuzz {
    ($name:literal) => {
        libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
            static TARGET: std::sync::OnceLock<dxil_fuzz::Target> = std::sync::OnceLock::new();
            let target = TARGET.get_or_init(|| dxil_fuzz::Target::named($name).unwrap());
            (target.run)(bytes);
        });
    };
}
