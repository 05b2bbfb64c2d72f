//! Files of results of several devices, and the shaders for them.

use std::path::PathBuf;

use dxil_differential::compare::{ComparisonReport, Configuration};
use dxil_differential::generate;
use dxil_differential::results::{Recorder, agreement};

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Returns a report with the digests of the optimized and the unoptimized form, and of DXC's
/// SPIR-V.
fn report([optimized, unoptimized, spirv]: [u64; 3]) -> ComparisonReport {
    ComparisonReport {
        digests: vec![
            (Configuration::Optimized, optimized),
            (Configuration::Unoptimized, unoptimized),
            (Configuration::Dxc, spirv),
        ],
        ..ComparisonReport::default()
    }
}

#[test]
fn differences_between_devices_and_between_forms_are_told_apart() {
    let folder = folder("results_agreement");
    let files = ["a", "b"].map(|name| folder.join(name));
    for (file, seeds) in files.iter().zip([
        [[1, 1, 1], [2, 2, 2], [3, 3, 4]],
        [[1, 1, 1], [2, 5, 2], [3, 3, 4]],
    ]) {
        let mut recorder = Recorder::open(file).expect("a file");
        for (seed, digests) in seeds.into_iter().enumerate() {
            recorder.begin(seed as u64).expect("a line");
            recorder.end(seed as u64, &report(digests)).expect("lines");
        }
    }
    let found = agreement(&files).expect("results");
    assert_eq!(found.complete, 3);
    let devices: Vec<(u64, &str)> = found.devices.iter().map(|(s, f, _)| (*s, *f)).collect();
    assert_eq!(devices, [(1, "-Od")]);
    assert!(found.devices[0].2.contains("a ours -Od | "), "{found}");
    let forms: Vec<(u64, &str)> = found.forms.iter().map(|(s, f)| (*s, f.as_str())).collect();
    assert_eq!(forms, [(2, "-O3, -Od | DXC")]);
}

#[test]
fn a_continued_run_skips_what_ended_the_earlier_one() {
    let file = folder("results_continued").join("device");
    let mut recorder = Recorder::open(&file).expect("a file");
    recorder.begin(7).expect("a line");
    recorder.end(7, &report([1, 1, 1])).expect("lines");
    recorder.begin(8).expect("a line");
    // Here the device ends the process.
    let recorder = Recorder::open(&file).expect("the file");
    assert!(recorder.has(7) && recorder.has(8) && !recorder.has(9));
    let found = agreement(std::slice::from_ref(&file)).expect("results");
    assert_eq!(found.complete, 1);
    assert!(found.to_string().contains("without an end: [8]"), "{found}");
}

#[test]
fn shaders_of_control_flow_compute_integers_of_32_bits() {
    let mut jumps = [0; 3];
    for seed in 0..100 {
        let text = generate::control_flow(seed).text;
        assert_eq!(text, generate::control_flow(seed).text);
        // The bits of a word stay the same on the way through a float and back.
        let text = text.replace("asfloat", "");
        for word in [
            "float", "double", "int64_t", "int16_t", "Wave", "Quad", "Texture",
        ] {
            assert!(!text.contains(word), "seed {seed}: {word}");
        }
        for (count, word) in jumps.iter_mut().zip(["break;", "continue;", "switch ("]) {
            *count += text.matches(word).count();
        }
    }
    assert!(jumps.iter().all(|count| *count > 300), "{jumps:?}");
}
