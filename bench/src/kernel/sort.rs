//! Sorting of blocks.

use dxil_runtime::job::Job;

use super::checks::exactly;
use super::inputs::{noise, register, uints};
use super::workload::Workload;

fn sort(blocks: usize, block: usize, seed: u64) -> Workload {
    let keys: Vec<u32> = noise(blocks * block, seed).collect();
    let mut sorted = keys.clone();
    for block in sorted.chunks_mut(block) {
        block.sort_unstable();
    }
    let mut job = Job::dispatch([blocks as u32, 1, 1]);
    job.bind_buffer(register("t0"), uints(&keys));
    let out = job.bind_buffer(register("u0"), vec![0; keys.len() * 4]);
    Workload {
        job,
        bytes: keys.len() as f64 * 8.0,
        operations: 0.0,
        check: exactly(out, sorted),
    }
}

pub(super) fn radix_sort(scale: u32) -> Workload {
    sort(16 << scale, 256, 30)
}

pub(super) fn bitonic_sort(scale: u32) -> Workload {
    sort(64 << scale, 512, 31)
}
