//! Property tests: whatever bytes come in, the container's readers return, and soon.
//!
//! The generator is deterministic: a failing case has the same number in every run.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::time::{Duration, Instant};

use dxil_checkout::files_of;
use dxil_frontend::container::{Container, Signing, open_program, write_container};
use dxil_frontend::oracle::Random;
use dxil_frontend::{FourCc, oracle};

/// Numbers that size and offset fields handle badly.
const NASTY: [u32; 12] = [
    0,
    1,
    3,
    4,
    7,
    0x7f,
    0x100,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fffc,
    0xffff_ffff,
];

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = u8::try_from(random.below(256)).unwrap(),
            2 => bytes.truncate(at),
            3 | 4 => {
                let at = at & !3;
                let word = match random.below(3) {
                    0 => u32::try_from(random.below(bytes.len() * 2)).unwrap(),
                    _ => NASTY[random.below(NASTY.len())],
                };
                if let Some(field) = bytes.get_mut(at..at + 4) {
                    field.copy_from_slice(&word.to_le_bytes());
                }
            }
            _ => {
                let from = random.below(bytes.len());
                let len = random.below(64).min(bytes.len() - from.max(at));
                bytes.copy_within(from..from + len, at);
            }
        }
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let paths = files_of(&["frontend/tests/data/container"], "dxil");
    assert!(paths.len() > 15, "test data is missing");
    paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

/// Small containers take microseconds; this leaves room for a slow machine.
const PATIENCE: Duration = Duration::from_secs(2);

fn check(bytes: &[u8], case: impl std::fmt::Display) {
    let start = Instant::now();
    // Only that it returns is asked; whether it is an error is the input's affair.
    let _ = oracle::container(bytes);
    let _ = open_program(bytes);
    assert!(start.elapsed() < PATIENCE, "case {case} is slow");
}

#[test]
fn mutated_containers_never_panic() {
    let seeds = seeds();
    let mut random = Random::new(1);
    for case in 0..20_000 {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        mutate(&mut bytes, &mut random);
        check(&bytes, case);
    }
}

/// Most mutations of a whole file hit the bitcode; here each small part is a file of its own.
#[test]
fn mutated_parts_never_panic() {
    let mut parts = Vec::new();
    for seed in seeds() {
        let container = Container::parse(&seed).unwrap();
        for part in container.parts() {
            if part.data.len() > 4 && part.name != FourCc::STAT && part.name != FourCc::ILDB {
                let data = &part.data[..part.data.len().min(4096)];
                parts.push((part.name, data.to_vec()));
            }
        }
    }
    let mut random = Random::new(2);
    for case in 0..60_000 {
        let (name, mut data) = parts[random.below(parts.len())].clone();
        mutate(&mut data, &mut random);
        let bytes = write_container(&[(name, &data)], Signing::None).unwrap();
        check(&bytes, format!("{case} ({name})"));
    }
}

#[test]
fn every_truncation_of_a_container_is_an_error() {
    for seed in seeds() {
        let step = (seed.len() / 300).max(1);
        for len in (0..seed.len()).step_by(step) {
            assert!(Container::parse(&seed[..len]).is_err(), "{len} bytes");
        }
    }
}

#[test]
fn counts_cost_nothing_that_the_bytes_do_not_pay_for() {
    // Four billion parts, elements, records: refused before anything is allocated.
    let huge = u32::MAX.to_le_bytes();
    let mut parts = write_container(&[], Signing::None).unwrap();
    parts[28..32].copy_from_slice(&huge);
    assert!(Container::parse(&parts).is_err());
    for name in [FourCc::ISG1, FourCc::RDAT, FourCc::PSV0, FourCc::RTS0] {
        let bytes = write_container(&[(name, &[0xff; 64])], Signing::None).unwrap();
        assert!(oracle::container(&bytes).is_err(), "{name}");
    }
}

/// A library whose million references all name one long string must not cost a million times it.
#[test]
fn shared_strings_do_not_multiply() {
    let mut rdat = Vec::new();
    let mut word = |value: usize| rdat.extend(u32::try_from(value).unwrap().to_le_bytes());
    let (strings, records) = (1 << 20, 20_000);
    for value in [0x10, 2, 16, 16 + 8 + strings, 1, strings] {
        word(value);
    }
    rdat.resize(rdat.len() + strings, b'a');
    let mut word = |value: usize| rdat.extend(u32::try_from(value).unwrap().to_le_bytes());
    for value in [7, 8 + records * 8, records, 8] {
        word(value);
    }
    for row in 0..records {
        word(row);
        word(0);
    }
    let bytes = write_container(&[(FourCc::RDAT, &rdat)], Signing::None).unwrap();
    let start = Instant::now();
    let container = Container::parse(&bytes).unwrap();
    let rdat = container.rdat().unwrap().unwrap();
    let ids = rdat.iter::<dxil_frontend::container::rdat::NodeIdRecord>();
    assert_eq!(ids.filter(|id| id.is_ok()).count(), records);
    assert!(start.elapsed() < PATIENCE);
}
