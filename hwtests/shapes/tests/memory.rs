//! The bytes of a container bound its cost: peak memory and words, for every shape, every encoding
//! and both styles. `dxil-bench bounds` measures times.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use dxil_cpu::Kernel;
use dxil_frontend::dxil::read_shader;
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_frontend::validate;
use dxil_shapes::{
    DxbcFamily, ENCODINGS, Encoding, Family, GraphFamily, all_families, container, encoded,
};
use dxil_translate::{Options, Style, translate};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Memory that every container may take, in bytes.
const BASE: usize = 32 << 20;
/// Words that every module may have.
const BASE_WORDS: usize = 1 << 20;
/// Maximum number of bytes of memory for each byte of a container, in addition to [`BASE`], for
/// listing and validation (SECURITY.md, "Guarantees").
const READ_FACTOR: usize = 96;
/// The same for decoding for the CPU.
const DECODE_FACTOR: usize = 160;

/// Returns the maximum number of bytes of memory for each byte of a container, in addition to
/// [`BASE`], and of words of a module, in addition to [`BASE_WORDS`] (SECURITY.md, "Guarantees").
/// In the portable style an access to an array of resources is written once for each of up to 32
/// elements. A token of DXBC becomes several instructions, in lists that double when they are full.
fn factors(family: Family, style: Style) -> (usize, usize) {
    match (style, family) {
        (Style::Native, Family::Dxbc(_)) => (160, 8),
        (Style::Native, _) => (128, 8),
        (Style::Portable, _) => (320, 12),
    }
}

/// Returns the peak memory of `work`, beyond the memory in use before.
fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = work();
    (MEMORY.peak_usage().saturating_sub(before), result)
}

/// Checks memory and words of all that is done with a container. Returns whether it was read.
fn check(family: Family, name: &str, bytes: &[u8]) -> bool {
    for style in [Style::Native, Style::Portable] {
        let mut options = Options::default();
        options.target.style = style;
        let (memory, words) = peak(|| {
            let Ok(shader) = read_shader(bytes) else {
                return 0;
            };
            translate(&shader, &options).map_or(0, |translation| translation.words.len())
        });
        let (memory_factor, words_factor) = factors(family, style);
        let name = format!("{name} {style:?}, {} bytes", bytes.len());
        assert!(
            memory <= memory_factor * bytes.len() + BASE,
            "{name}: {memory} bytes of memory"
        );
        // Types, constants and declarations are not counted.
        assert!(
            words <= words_factor * bytes.len() + 2 * BASE_WORDS,
            "{name}: {words} words"
        );
    }
    type Work = fn(&[u8]);
    let steps: [(&str, usize, Work); 3] = [
        ("listing", READ_FACTOR, |bytes| {
            drop(read_shader(bytes).map(|shader| module_text(&shader.module, &Plain)));
        }),
        ("validation", READ_FACTOR, |bytes| {
            drop(validate::validate(bytes, &validate::Options::default()));
        }),
        ("decoding", DECODE_FACTOR, |bytes| {
            let decode = |shader| Kernel::decode(&shader, &dxil_cpu::Options::default());
            drop(read_shader(bytes).map(decode));
        }),
    ];
    for (step, factor, work) in steps {
        let (memory, ()) = peak(|| work(bytes));
        assert!(
            memory <= factor * bytes.len() + BASE,
            "{step} of {name}, {} bytes: {memory} bytes of memory",
            bytes.len()
        );
    }
    match read_shader(bytes) {
        Ok(_) => true,
        Err(error) => {
            assert_eq!(error.code(), "limit", "{name}: {error}");
            false
        }
    }
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
            let name = format!("{} {n}", family.name());
            assert!(check(family, &name, &container(family, n)), "{name}");
        }
    }
    // The parts that cost most for each byte, in sizes beside which the 32 MiB are small.
    let mut refused = 0;
    for (family, n) in [
        (Family::Bare(GraphFamily::Ladder), 20_000),
        (Family::Bare(GraphFamily::Breaks), 10_000),
        (Family::Bare(GraphFamily::Crossings), 20_000),
        (Family::Bare(GraphFamily::NestedIrreducible), 10_000),
        (Family::WidePhis, 100_000),
        (Family::Divisions, 100_000),
        (Family::CallsOfOne, 100_000),
        (Family::DeadCode, 200_000),
    ] {
        let plain = container(family, n);
        for encoding in ENCODINGS {
            let bytes = encoded(&plain, encoding).unwrap();
            let name = format!("{} {n} {encoding:?}", family.name());
            refused += usize::from(!check(family, &name, &bytes));
        }
    }
    assert!(
        refused > 4,
        "{refused} of the smallest encodings are refused"
    );
}

#[test]
fn every_encoding_is_the_same_module() {
    for family in all_families() {
        let plain = container(family, 20);
        let Ok(module) = read_shader(&plain).map(|shader| shader.module) else {
            continue;
        };
        let text = module_text(&module, &Plain);
        for encoding in ENCODINGS {
            // DXBC has no bitstream.
            let Some(bytes) = encoded(&plain, encoding) else {
                continue;
            };
            let module = read_shader(&bytes).unwrap().module;
            let name = family.name();
            assert_eq!(module_text(&module, &Plain), text, "{name} {encoding:?}");
            let is_larger = matches!(encoding, Encoding::Blobs);
            assert!(
                is_larger || bytes.len() <= plain.len() + 256,
                "{name} {encoding:?}"
            );
        }
    }
}
