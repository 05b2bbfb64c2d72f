//! Wave operations. The results do not depend on the number of lanes of a wave.

use dxil_runtime::job::{Job, Outcome};

use super::checks::{exactly, result_words};
use super::inputs::{noise, register, uints};
use super::workload::Workload;

fn values(count: usize, seed: u64) -> Vec<u32> {
    noise(count, seed).map(|word| word % 1000).collect()
}

pub(super) fn wave_reduce(scale: u32) -> Workload {
    let count = 1 << (17 + scale);
    let values = values(count, 60);
    let sums: Vec<u32> = values.chunks(256).map(|block| block.iter().sum()).collect();
    let mut job = Job::dispatch([count as u32 / 256, 1, 1]);
    job.bind_buffer(register("t0"), uints(&values));
    let out = job.bind_buffer(register("u0"), vec![0; sums.len() * 4]);
    Workload {
        job,
        bytes: count as f64 * 4.0,
        operations: 0.0,
        check: exactly(out, sums),
    }
}

pub(super) fn wave_scan(scale: u32) -> Workload {
    let count = 1 << (17 + scale);
    let values = values(count, 61);
    let mut prefix = Vec::with_capacity(count);
    for block in values.chunks(256) {
        prefix.extend(block.iter().scan(0, |sum, value| {
            *sum += value;
            Some(*sum)
        }));
    }
    let mut job = Job::dispatch([count as u32 / 256, 1, 1]);
    job.bind_buffer(register("t0"), uints(&values));
    let out = job.bind_buffer(register("u0"), vec![0; count * 4]);
    Workload {
        job,
        bytes: count as f64 * 8.0,
        operations: 0.0,
        check: exactly(out, prefix),
    }
}

pub(super) fn wave_compact(scale: u32) -> Workload {
    let count = 1 << (17 + scale);
    let values = values(count, 62);
    let kept: Vec<Vec<u32>> = values
        .chunks(64)
        .map(|block| {
            block
                .iter()
                .copied()
                .filter(|value| value % 2 == 1)
                .collect()
        })
        .collect();
    let mut job = Job::dispatch([count as u32 / 64, 1, 1]);
    job.bind_buffer(register("t0"), uints(&values));
    let out = job.bind_buffer(register("u0"), vec![0; count * 4]);
    let counts = job.bind_buffer(register("u1"), vec![0; kept.len() * 4]);
    let check = move |outcome: &Outcome| {
        let found = result_words(outcome, out)?;
        let counts = result_words(outcome, counts)?;
        for (block, kept) in kept.iter().enumerate() {
            if counts[block] as usize != kept.len() {
                let (found, wanted) = (counts[block], kept.len());
                return Err(format!("block {block} keeps {found}, not {wanted}"));
            }
            if !found[block * 64..].starts_with(kept) {
                return Err(format!("block {block} keeps other values"));
            }
        }
        Ok(())
    };
    Workload {
        job,
        bytes: count as f64 * 6.0,
        operations: 0.0,
        check: Box::new(check),
    }
}

pub(super) fn wave_shuffle(scale: u32) -> Workload {
    let count = 1 << (15 + scale);
    let values = values(count, 63);
    let mut expected = values.clone();
    for quad in expected.chunks_mut(4) {
        for round in 0..16u32 {
            let before: Vec<u32> = quad.to_vec();
            for (lane, value) in quad.iter_mut().enumerate() {
                *value = value.wrapping_add(before[lane ^ 1]);
            }
            let before: Vec<u32> = quad.to_vec();
            for (lane, value) in quad.iter_mut().enumerate() {
                let other = before[lane ^ 2].wrapping_mul(3).wrapping_add(round);
                *value = value.wrapping_add(other);
            }
        }
    }
    let mut job = Job::dispatch([count as u32 / 64, 1, 1]);
    job.bind_buffer(register("t0"), uints(&values));
    let out = job.bind_buffer(register("u0"), vec![0; count * 4]);
    Workload {
        job,
        bytes: count as f64 * 8.0,
        operations: 0.0,
        check: exactly(out, expected),
    }
}
