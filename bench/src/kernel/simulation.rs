//! Simulation, finance, graphs and hashes.

use dxil_runtime::job::Job;
use sha2::{Digest, Sha256};

use super::checks::{at_all_indices, exactly, nearly};
use super::inputs::{constants, floats, fractions, noise, register, uints};
use super::workload::Workload;

pub(super) fn nbody(scale: u32) -> Workload {
    let count = 1024 << (scale / 2);
    let (softening, step) = (0.01f32, 0.001f32);
    let bodies = fractions(count * 4, 40);
    let velocities = fractions(count * 4, 41);
    let mut expected = Vec::new();
    for body in noise(64, 42).map(|word| word as usize % count) {
        let here = &bodies[body * 4..body * 4 + 3];
        let mut force = [0.0f64; 3];
        for other in bodies.chunks(4) {
            let away: Vec<f64> = (0..3).map(|i| f64::from(other[i] - here[i])).collect();
            let square: f64 = away.iter().map(|d| d * d).sum();
            let inverse = 1.0 / (square + f64::from(softening)).sqrt();
            for (force, away) in force.iter_mut().zip(&away) {
                *force += away * f64::from(other[3]) * inverse.powi(3);
            }
        }
        for i in 0..3 {
            let velocity = f64::from(velocities[body * 4 + i]) + force[i] * f64::from(step);
            let next = f64::from(here[i]) + velocity * f64::from(step);
            expected.push((body * 4 + i, next as f32));
        }
        expected.push((body * 4 + 3, bodies[body * 4 + 3]));
    }
    let mut job = Job::dispatch([count as u32 / 64, 1, 1]);
    let words = [count as u32, softening.to_bits(), step.to_bits()];
    job.bind_constants(register("b0"), constants(&words));
    job.bind_buffer(register("t0"), floats(&bodies));
    job.bind_buffer(register("t1"), floats(&velocities));
    let out = job.bind_buffer(register("u0"), vec![0; count * 16]);
    Workload {
        job,
        bytes: 0.0,
        // The convention of the field counts 20 for each pair.
        operations: (count as f64).powi(2) * 20.0,
        check: nearly(out, expected, 1e-5, 0.0),
    }
}

pub(super) fn stencil(scale: u32) -> Workload {
    let width = 64 << (scale / 2);
    let values = fractions(width * width * width, 43);
    let mut expected = values.clone();
    let (row, slice) = (width, width * width);
    for z in 1..width - 1 {
        for y in 1..width - 1 {
            for x in 1..width - 1 {
                let at = z * slice + y * row + x;
                let around = values[at - 1]
                    + values[at + 1]
                    + values[at - row]
                    + values[at + row]
                    + values[at - slice]
                    + values[at + slice];
                expected[at] = around / 6.0;
            }
        }
    }
    let width = width as u32;
    let mut job = Job::dispatch([width / 32, width / 4, width]);
    job.bind_constants(register("b0"), constants(&[width]));
    job.bind_buffer(register("t0"), floats(&values));
    let out = job.bind_buffer(register("u0"), vec![0; values.len() * 4]);
    Workload {
        job,
        bytes: values.len() as f64 * 8.0,
        operations: values.len() as f64 * 6.0,
        check: nearly(out, at_all_indices(expected), 1e-6, 0.0),
    }
}

/// Returns the standard normal distribution function: an integral of its density, by Simpson's
/// rule.
fn normal(d: f64) -> f64 {
    const STEPS: i32 = 200;
    let density = |x: f64| (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    let width = d / f64::from(STEPS);
    let sum: f64 = (0..STEPS)
        .map(|i| {
            let x = f64::from(i) * width;
            density(x) + 4.0 * density(x + width / 2.0) + density(x + width)
        })
        .sum();
    0.5 + sum * width / 6.0
}

pub(super) fn black_scholes(scale: u32) -> Workload {
    let count = 1 << (16 + scale);
    let (rate, volatility) = (0.02f32, 0.3f32);
    let contracts: Vec<f32> = fractions(count * 3, 44)
        .chunks(3)
        .flat_map(|c| [5.0 + 25.0 * c[0], 5.0 + 25.0 * c[1], 0.25 + 4.0 * c[2]])
        .collect();
    let expected = noise(1000, 45)
        .map(|word| word as usize % count)
        .map(|at| {
            let c: Vec<f64> = contracts[at * 3..at * 3 + 3]
                .iter()
                .map(|value| f64::from(*value))
                .collect();
            let (rate, volatility) = (f64::from(rate), f64::from(volatility));
            let spread = volatility * c[2].sqrt();
            let d1 = ((c[0] / c[1]).ln() + (rate + 0.5 * volatility * volatility) * c[2]) / spread;
            let price = c[0] * normal(d1) - c[1] * (-rate * c[2]).exp() * normal(d1 - spread);
            (at, price as f32)
        })
        .collect();
    let mut job = Job::dispatch([count as u32 / 64, 1, 1]);
    let words = [rate.to_bits(), volatility.to_bits()];
    job.bind_constants(register("b0"), constants(&words));
    job.bind_buffer(register("t0"), floats(&contracts));
    let out = job.bind_buffer(register("u0"), vec![0; count * 4]);
    Workload {
        job,
        bytes: count as f64 * 16.0,
        operations: count as f64 * 60.0,
        check: nearly(out, expected, 1e-4, 0.0),
    }
}

pub(super) fn bfs_step(scale: u32) -> Workload {
    const UNREACHED: u32 = u32::MAX;
    let vertices = 1 << (15 + scale);
    let degree = 8;
    let first: Vec<u32> = (0..=vertices as u32).map(|v| v * degree).collect();
    let edges: Vec<u32> = noise(vertices * degree as usize, 46)
        .map(|word| word % vertices as u32)
        .collect();
    let level = 3;
    let depth: Vec<u32> = noise(vertices, 47)
        .map(|word| match word % 8 {
            0 => 2,
            1 => level,
            _ => UNREACHED,
        })
        .collect();
    let mut next = depth.clone();
    let mut visited = 0;
    for (v, _) in depth.iter().enumerate().filter(|(_, d)| **d == level) {
        for edge in &edges[first[v] as usize..first[v + 1] as usize] {
            let reached = &mut next[*edge as usize];
            *reached = (*reached).min(level + 1);
            visited += 1;
        }
    }
    let mut job = Job::dispatch([vertices as u32 / 64, 1, 1]);
    job.bind_constants(register("b0"), constants(&[vertices as u32, level]));
    job.bind_buffer(register("t0"), uints(&first));
    job.bind_buffer(register("t1"), uints(&edges));
    job.bind_buffer(register("t2"), uints(&depth));
    let out = job.bind_buffer(register("u0"), uints(&depth));
    Workload {
        job,
        bytes: vertices as f64 * 4.0 + f64::from(visited) * 12.0,
        operations: 0.0,
        check: exactly(out, next),
    }
}

pub(super) fn sha256(scale: u32) -> Workload {
    const MESSAGE: usize = 55;
    let messages = 1 << (13 + scale);
    let mut blocks = Vec::with_capacity(messages * 16);
    let mut digests = Vec::with_capacity(messages * 8);
    for index in 0..messages {
        let message: Vec<u8> = noise(MESSAGE, 1000 + index as u64)
            .map(|word| word as u8)
            .collect();
        let digest = Sha256::digest(&message);
        let mut block = message;
        block.push(0x80);
        block.extend_from_slice(&(MESSAGE as u64 * 8).to_be_bytes());
        let words = |bytes: &[u8]| -> Vec<u32> {
            let (words, _) = bytes.as_chunks();
            words.iter().map(|word| u32::from_be_bytes(*word)).collect()
        };
        blocks.extend(words(&block));
        digests.extend(words(&digest));
    }
    let mut job = Job::dispatch([messages as u32 / 64, 1, 1]);
    job.bind_buffer(register("t0"), uints(&blocks));
    let out = job.bind_buffer(register("u0"), vec![0; digests.len() * 4]);
    Workload {
        job,
        bytes: blocks.len() as f64 * 4.0 + digests.len() as f64 * 4.0,
        operations: 0.0,
        check: exactly(out, digests),
    }
}
