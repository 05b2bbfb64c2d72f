//! Property tests: whatever bitcode comes in, the decoder returns, and soon; what it accepts keeps
//! the promises of the IR.
//!
//! The generator is deterministic: a failing case has the same number in every run.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::time::{Duration, Instant};

use dxil_frontend::container::open_program;
use dxil_frontend::oracle::{self, Random};

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        if bytes.len() < 8 {
            return;
        }
        let at = random.below(bytes.len());
        match random.below(12) {
            // Records lie at bits, so most mutations are of bits.
            0..=6 => bytes[at] ^= 1 << random.below(8),
            7 => bytes[at] = (random.next() & 0xff) as u8,
            8 => bytes.truncate(at),
            9 => {
                let at = at / 4 * 4;
                let word = [0, 1, 0x7fff_ffff, u32::MAX, 0x100][random.below(5)];
                if let Some(slot) = bytes.get_mut(at..at + 4) {
                    slot.copy_from_slice(&word.to_le_bytes());
                }
            }
            10 => {
                // A piece again, somewhere else.
                let len = 4 * random.below(64).min((bytes.len() - at) / 4);
                let piece = bytes[at..at + len].to_vec();
                let to = random.below(bytes.len()) / 4 * 4;
                bytes.splice(to..to, piece);
            }
            _ => {
                let end = (at + 4 * random.below(16)).min(bytes.len());
                bytes.drain(at..end);
            }
        }
    }
}

#[test]
fn no_mutant_makes_the_decoder_panic_or_stall() {
    let corpus: &[&[u8]] = &[
        include_bytes!("data/modules/mixed_cs.dxil"),
        include_bytes!("data/modules/hull.dxil"),
        include_bytes!("data/modules/vec_groupshared_cs.dxil"),
        include_bytes!("data/modules/payload_access.dxil"),
        include_bytes!("data/modules/queue_nodes.dxil"),
        include_bytes!("data/modules/od_loops_cs.dxil"),
        include_bytes!("data/modules/templates_cs.dxil"),
    ];
    let (mut accepted, mut refused) = (0, 0);
    for (number, file) in corpus.iter().enumerate() {
        let program = open_program(file).unwrap();
        oracle::bitcode(program.bitcode).unwrap();
        for case in 0..500 {
            let mut random = Random::new((number as u64) << 32 | case);
            let mut bytes = program.bitcode.to_vec();
            mutate(&mut bytes, &mut random);
            let start = Instant::now();
            match oracle::bitcode(&bytes) {
                Ok(()) => accepted += 1,
                Err(_) => refused += 1,
            }
            // Far above what it takes, far below what a stall would.
            assert!(
                start.elapsed() < Duration::from_secs(2),
                "case {case} of file {number}"
            );
        }
    }
    // Both ways are taken: the mutations are neither harmless nor always fatal.
    assert!(accepted > 20, "{accepted} accepted");
    assert!(refused > 1000, "{refused} refused");
}

#[test]
fn no_prefix_of_a_module_is_a_module() {
    let file = include_bytes!("data/modules/mixed_cs.dxil");
    let bitcode = open_program(file).unwrap().bitcode;
    for len in (0..bitcode.len() - 8).step_by(7) {
        assert!(oracle::bitcode(&bitcode[..len]).is_err(), "{len} bytes");
    }
}
