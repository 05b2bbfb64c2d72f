//! The bytes of a container bound its cost: peak memory and words, for every shape and both styles.
//! `dxil-bench bounds` measures times.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use dxil_frontend::dxil::read_shader;
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_frontend::validate;
use dxil_shapes::{DxbcFamily, Family, all_families, container};
use dxil_translate::{Options, Style, translate};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Returns the maximum number of bytes of memory for each byte of a container, in addition to 32
/// MiB, and the maximum number of words of a module, in addition to 4,096 (SECURITY.md,
/// "Guarantees"). In the portable style an access to an array of resources is written once for each
/// of up to 32 elements. A token of DXBC becomes several instructions, in lists that double when
/// they are full.
fn factors(family: Family, style: Style) -> (usize, usize) {
    match (style, family) {
        (Style::Native, Family::Dxbc(_)) => (160, 8),
        (Style::Native, _) => (64, 8),
        (Style::Portable, _) => (200, 16),
    }
}

/// Maximum number of bytes of memory for each byte of a container, in addition to 32 MiB, for
/// listing and validation.
const MEMORY_FACTOR: usize = 64;

/// Returns the peak memory of `work`, beyond the memory in use before.
fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = work();
    (MEMORY.peak_usage().saturating_sub(before), result)
}

// A single test, since the allocator counts all threads of the process.
#[test]
fn memory_and_words_are_bounded_by_the_bytes_of_the_container() {
    for family in all_families() {
        // In small containers the 32 MiB hide what each byte takes.
        let is_dense = matches!(family, Family::Dxbc(DxbcFamily::LoopsInARow));
        for n in [1, 64, 1500, 60_000] {
            if n > 1500 && !is_dense {
                continue;
            }
            let bytes = container(family, n);
            for style in [Style::Native, Style::Portable] {
                let mut options = Options::default();
                options.target.style = style;
                let (memory, words) = peak(|| {
                    let shader = read_shader(&bytes).unwrap();
                    translate(&shader, &options).map_or(0, |translation| translation.words.len())
                });
                let (memory_factor, words_factor) = factors(family, style);
                let name = format!("{} {n} {style:?}, {} bytes", family.name(), bytes.len());
                assert!(
                    memory <= memory_factor * bytes.len() + (32 << 20),
                    "{name}: {memory} bytes of memory"
                );
                assert!(
                    words <= words_factor * bytes.len() + 4096,
                    "{name}: {words} words"
                );
            }
            let (memory, _) = peak(|| module_text(&read_shader(&bytes).unwrap().module, &Plain));
            assert!(
                memory <= MEMORY_FACTOR * bytes.len() + (32 << 20),
                "listing of {} {n}: {memory} bytes of memory",
                family.name()
            );
            let (memory, _) = peak(|| validate::validate(&bytes, &validate::Options::default()));
            assert!(
                memory <= MEMORY_FACTOR * bytes.len() + (32 << 20),
                "validation of {} {n}: {memory} bytes of memory",
                family.name()
            );
        }
    }
}
