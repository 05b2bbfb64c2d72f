//! Kernels that move data: copy, reduction, scan, histogram, transpose.

use dxil_runtime::job::Job;

use super::checks::{at_all_indices, exactly, nearly};
use super::inputs::{constants, floats, fractions, noise, register, uints};
use super::workload::Workload;

pub(super) fn copy(scale: u32) -> Workload {
    let threads = 1 << (17 + scale);
    let values: Vec<u32> = noise(threads * 4, 1).collect();
    let mut job = Job::dispatch([threads as u32 / 256, 1, 1]);
    job.bind_buffer(register("t0"), uints(&values));
    let out = job.bind_buffer(register("u0"), vec![0; threads * 16]);
    Workload {
        job,
        bytes: threads as f64 * 32.0,
        operations: 0.0,
        check: exactly(out, values),
    }
}

pub(super) fn reduction(scale: u32) -> Workload {
    let count = 1 << (18 + scale);
    // Small whole numbers: sums are exact in any order.
    let values: Vec<f32> = noise(count, 2).map(|word| (word % 16) as f32).collect();
    let sums: Vec<f32> = values
        .chunks(1024)
        .map(|block| block.iter().sum())
        .collect();
    let mut job = Job::dispatch([count as u32 / 1024, 1, 1]);
    job.bind_buffer(register("t0"), floats(&values));
    let out = job.bind_buffer(register("u0"), vec![0; sums.len() * 4]);
    Workload {
        job,
        bytes: count as f64 * 4.0,
        operations: count as f64,
        check: nearly(out, at_all_indices(sums), 0.0, 0.0),
    }
}

pub(super) fn scan(scale: u32) -> Workload {
    let count = 1 << (17 + scale);
    let values: Vec<u32> = noise(count, 3).map(|word| word % 100).collect();
    let mut prefix = Vec::with_capacity(count);
    for block in values.chunks(512) {
        prefix.extend(block.iter().scan(0, |sum, value| {
            let before = *sum;
            *sum += value;
            Some(before)
        }));
    }
    let mut job = Job::dispatch([count as u32 / 512, 1, 1]);
    job.bind_buffer(register("t0"), uints(&values));
    let out = job.bind_buffer(register("u0"), vec![0; count * 4]);
    Workload {
        job,
        bytes: count as f64 * 8.0,
        operations: 0.0,
        check: exactly(out, prefix),
    }
}

pub(super) fn histogram(scale: u32) -> Workload {
    let groups = 1 << (5 + scale);
    let words: Vec<u32> = noise(groups * 2048, 4).collect();
    let mut counts = vec![0; groups * 256];
    for (group, words) in words.chunks(2048).enumerate() {
        for byte in words.iter().flat_map(|word| word.to_le_bytes()) {
            counts[group * 256 + usize::from(byte)] += 1;
        }
    }
    let mut job = Job::dispatch([groups as u32, 1, 1]);
    job.bind_buffer(register("t0"), uints(&words));
    let out = job.bind_buffer(register("u0"), vec![0; counts.len() * 4]);
    Workload {
        job,
        bytes: words.len() as f64 * 4.0,
        operations: 0.0,
        check: exactly(out, counts),
    }
}

pub(super) fn transpose(scale: u32) -> Workload {
    let width = 512 << (scale / 2);
    let values = fractions(width * width, 5);
    let mut turned = vec![0; width * width];
    for y in 0..width {
        for x in 0..width {
            turned[x * width + y] = values[y * width + x].to_bits();
        }
    }
    let tiles = width as u32 / 16;
    let mut job = Job::dispatch([tiles, tiles, 1]);
    job.bind_constants(register("b0"), constants(&[width as u32]));
    job.bind_buffer(register("t0"), floats(&values));
    let out = job.bind_buffer(register("u0"), vec![0; turned.len() * 4]);
    Workload {
        job,
        bytes: turned.len() as f64 * 8.0,
        operations: 0.0,
        check: exactly(out, turned),
    }
}
