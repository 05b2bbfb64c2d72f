//! Linear algebra and transforms.

use dxil_runtime::job::{Job, Outcome};
use half::f16;

use super::checks::{at_all_indices, nearly};
use super::inputs::{constants, floats, fractions, noise, register, uints};
use super::workload::Workload;

pub(super) fn fma_peak(scale: u32) -> Workload {
    let threads = 1 << (12 + scale);
    let rounds = 512;
    let mut job = Job::dispatch([threads as u32 / 64, 1, 1]);
    let half = 0.5f32.to_bits();
    job.bind_constants(register("b0"), constants(&[half, half, rounds]));
    let out = job.bind_buffer(register("u0"), vec![0; threads * 4]);
    // x / 2 + 1 / 2 goes to 1 from anywhere, and there are eight of them.
    Workload {
        job,
        bytes: 0.0,
        operations: threads as f64 * f64::from(rounds) * 16.0,
        check: nearly(out, at_all_indices(vec![8.0; threads]), 1e-5, 0.0),
    }
}

pub(super) fn saxpy(scale: u32) -> Workload {
    let count = 1 << (18 + scale);
    let (x, y) = (fractions(count, 10), fractions(count, 11));
    let expected = x.iter().zip(&y).map(|(x, y)| 2.5 * x + y).collect();
    let mut job = Job::dispatch([count as u32 / 256, 1, 1]);
    let words = [2.5f32.to_bits(), count as u32];
    job.bind_constants(register("b0"), constants(&words));
    job.bind_buffer(register("t0"), floats(&x));
    job.bind_buffer(register("t1"), floats(&y));
    let out = job.bind_buffer(register("u0"), vec![0; count * 4]);
    Workload {
        job,
        bytes: count as f64 * 12.0,
        operations: count as f64 * 2.0,
        check: nearly(out, at_all_indices(expected), 1e-6, 0.0),
    }
}

/// Returns some elements of a matrix, from all over it.
fn some_places(count: usize) -> impl Iterator<Item = usize> {
    noise(4096, 12).map(move |word| word as usize % count)
}

pub(super) fn matmul_f32(scale: u32) -> Workload {
    let width = 128 << (scale / 2);
    let (a, b) = (fractions(width * width, 13), fractions(width * width, 14));
    let expected = some_places(width * width)
        .map(|at| {
            let (y, x) = (at / width, at % width);
            let sum: f64 = (0..width)
                .map(|k| f64::from(a[y * width + k]) * f64::from(b[k * width + x]))
                .sum();
            (at, sum as f32)
        })
        .collect();
    let tiles = width as u32 / 16;
    let mut job = Job::dispatch([tiles, tiles, 1]);
    job.bind_constants(register("b0"), constants(&[width as u32]));
    job.bind_buffer(register("t0"), floats(&a));
    job.bind_buffer(register("t1"), floats(&b));
    let out = job.bind_buffer(register("u0"), vec![0; width * width * 4]);
    Workload {
        job,
        bytes: 0.0,
        operations: 2.0 * (width as f64).powi(3),
        check: nearly(out, expected, 1e-4, 0.0),
    }
}

pub(super) fn matmul_f16(scale: u32) -> Workload {
    let width = 128 << (scale / 2);
    // 0, 1 and 2: the sums within a tile are exact in half floats.
    let matrix = |seed| -> Vec<f32> {
        noise(width * width, seed)
            .map(|word| (word % 3) as f32)
            .collect()
    };
    let (a, b) = (matrix(15), matrix(16));
    let halves = |values: &[f32]| -> Vec<u8> {
        values
            .iter()
            .flat_map(|value| f16::from_f32(*value).to_le_bytes())
            .collect()
    };
    let expected: Vec<(usize, f32)> = some_places(width * width)
        .map(|at| {
            let (y, x) = (at / width, at % width);
            let sum = (0..width)
                .map(|k| a[y * width + k] * b[k * width + x])
                .sum();
            (at, sum)
        })
        .collect();
    let tiles = width as u32 / 16;
    let mut job = Job::dispatch([tiles, tiles, 1]);
    job.bind_constants(register("b0"), constants(&[width as u32]));
    job.bind_buffer(register("t0"), halves(&a));
    job.bind_buffer(register("t1"), halves(&b));
    let out = job.bind_buffer(register("u0"), vec![0; width * width * 2]);
    let check = move |outcome: &Outcome| {
        let bytes = outcome.bytes(out).ok_or("the result was not read back")?;
        let (found, _) = bytes.as_chunks::<2>();
        for (at, expected) in &expected {
            let found = f16::from_le_bytes(found[*at]).to_f32();
            // Above 2048 the result itself is rounded to half floats.
            if (found - expected).abs() > expected / 1000.0 {
                return Err(format!("element {at} is {found}, not {expected}"));
            }
        }
        Ok(())
    };
    Workload {
        job,
        bytes: 0.0,
        operations: 2.0 * (width as f64).powi(3),
        check: Box::new(check),
    }
}

pub(super) fn spmv(scale: u32) -> Workload {
    let rows = 1 << (14 + scale);
    let mut first = vec![0u32];
    for length in noise(rows, 17) {
        let last = first.last().copied().unwrap_or(0);
        first.push(last + 4 + length % 24);
    }
    let entries = first.last().copied().unwrap_or(0) as usize;
    let column: Vec<u32> = noise(entries, 18).map(|word| word % rows as u32).collect();
    let (value, x) = (fractions(entries, 19), fractions(rows, 20));
    let expected = first
        .windows(2)
        .map(|ends| {
            (ends[0] as usize..ends[1] as usize)
                .map(|i| value[i] * x[column[i] as usize])
                .sum()
        })
        .collect();
    let mut job = Job::dispatch([rows as u32 / 64, 1, 1]);
    job.bind_constants(register("b0"), constants(&[rows as u32]));
    job.bind_buffer(register("t0"), uints(&first));
    job.bind_buffer(register("t1"), uints(&column));
    job.bind_buffer(register("t2"), floats(&value));
    job.bind_buffer(register("t3"), floats(&x));
    let out = job.bind_buffer(register("u0"), vec![0; rows * 4]);
    Workload {
        job,
        bytes: entries as f64 * 12.0 + rows as f64 * 8.0,
        operations: entries as f64 * 2.0,
        check: nearly(out, at_all_indices(expected), 1e-5, 0.0),
    }
}

pub(super) fn fft(scale: u32) -> Workload {
    const POINTS: usize = 512;
    let lines = 64 << scale;
    let signal = fractions(lines * POINTS * 2, 21);
    // The transform by its definition, of three lines.
    let mut expected = Vec::new();
    for line in [0, lines / 2, lines - 1] {
        for k in 0..POINTS {
            let (mut real, mut imaginary) = (0.0, 0.0);
            for n in 0..POINTS {
                let at = (line * POINTS + n) * 2;
                let (re, im) = (f64::from(signal[at]), f64::from(signal[at + 1]));
                let turn = -std::f64::consts::TAU * ((k * n) % POINTS) as f64 / POINTS as f64;
                let (sine, cosine) = turn.sin_cos();
                real += re * cosine - im * sine;
                imaginary += re * sine + im * cosine;
            }
            let at = (line * POINTS + k) * 2;
            expected.push((at, real as f32));
            expected.push((at + 1, imaginary as f32));
        }
    }
    let mut job = Job::dispatch([lines as u32, 1, 1]);
    job.bind_buffer(register("t0"), floats(&signal));
    let out = job.bind_buffer(register("u0"), vec![0; signal.len() * 4]);
    Workload {
        job,
        bytes: signal.len() as f64 * 8.0,
        operations: lines as f64 * 5.0 * POINTS as f64 * 9.0,
        check: nearly(out, expected, 1e-3, 0.0),
    }
}
