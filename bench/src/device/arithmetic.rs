//! Arithmetic by type, and wave operations.

use dxil_runtime::job::{Job, Outcome, ResourceId};

use super::figure::{ARITHMETIC, Case, Figure, Unit, WAVES, shader};
use crate::kernel::checks::{exactly, result_words};
use crate::kernel::inputs::{constants, register};

/// Rounds of a thread. Sums of 16-bit floats are exact up to 2048, and a round adds eight.
const ROUNDS: u32 = 250;
/// Chains of a thread, and steps of each in a round.
const STEPS: u32 = 8 * 8;
/// Threads of a group.
const THREADS: u32 = 64;

/// Returns a chain's end after its start.
type Chain = fn(u32) -> u32;

fn multiply_adds(start: u32) -> u32 {
    start + 8 * ROUNDS
}

fn dot_products(start: u32) -> u32 {
    (0..8 * ROUNDS).fold(start, |x, _| {
        x.to_le_bytes().into_iter().map(u32::from).sum::<u32>() + 1
    })
}

/// `x = 1/√x + 1` tends to a number between 1 and 2, of which the shader keeps the integer.
fn inverse_roots(_: u32) -> u32 {
    1
}

/// Returns the figures of arithmetic.
pub(super) fn figures() -> Vec<Figure> {
    let flops = Unit::Giga("GFLOP/s");
    let operations = Unit::Giga("GOP/s");
    let rows: [(&str, &'static [u8], Unit, f64, Chain); 7] = [
        ("fp32", shader!("rate_fp32"), flops, 2.0, multiply_adds),
        ("fp16", shader!("rate_fp16"), flops, 2.0, multiply_adds),
        ("fp64", shader!("rate_fp64"), flops, 2.0, multiply_adds),
        (
            "int32",
            shader!("rate_int32"),
            operations,
            2.0,
            multiply_adds,
        ),
        (
            "int64",
            shader!("rate_int64"),
            operations,
            2.0,
            multiply_adds,
        ),
        // Four products and four sums.
        ("dot4", shader!("rate_dot4"), operations, 8.0, dot_products),
        (
            "rsqrt",
            shader!("rate_rsqrt"),
            operations,
            1.0,
            inverse_roots,
        ),
    ];
    let figure = |(name, shader, unit, each, chain): (_, _, _, f64, Chain)| {
        let case = move |amount| rate(amount, each, chain);
        Figure::new(ARITHMETIC, name, unit, shader, 16, case)
    };
    let mut all: Vec<Figure> = rows.into_iter().map(figure).collect();
    all.push(
        Figure::new(
            ARITHMETIC,
            "fp16 matrix",
            flops,
            shader!("rate_matrix"),
            12,
            matrix,
        )
        .times(waves_of_matrices),
    );
    all
}

/// Multiplications of matrices in each of the two chains of a wave.
const PRODUCTS: u32 = 256;
/// Rows and columns of a matrix.
const SIDE: u32 = 16;

/// Returns products of matrices; the work is that of one wave.
fn matrix(amount: u32) -> Case {
    let groups = 1 << amount;
    let left = |row: u32, k: u32| (row + k) % 3;
    let right = |k: u32, column: u32| (2 * k + column) % 3;
    let start = |row: u32, column: u32| (row * SIDE + column) % 7;
    // 0, 1 and 2 as 16-bit floats.
    let halves = [0u16, 0x3c00, 0x4000].map(u16::to_le_bytes);
    let places = || (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)));
    let mut input: Vec<u8> = Vec::new();
    input.extend(places().flat_map(|(row, k)| halves[left(row, k) as usize]));
    input.extend(places().flat_map(|(k, column)| halves[right(k, column) as usize]));
    input.extend(places().flat_map(|(row, column)| (start(row, column) as f32).to_le_bytes()));
    // Both chains, the second of which begins with 1. The sums are exact.
    let element = |(row, column): (u32, u32)| {
        let product: u32 = (0..SIDE).map(|k| left(row, k) * right(k, column)).sum();
        ((2 * PRODUCTS * product + start(row, column) + 1) as f32).to_bits()
    };
    let sums: Vec<u32> = places().map(element).collect();
    let mut job = Job::dispatch([groups, 1, 1]);
    job.bind_constants(register("b0"), constants(&[PRODUCTS, 1]));
    job.bind_buffer(register("u1"), input);
    let out = job.bind_buffer(register("u0"), vec![0; (groups * SIDE * SIDE * 4) as usize]);
    let count = job.bind_buffer(register("u2"), vec![0; 4]);
    let elements = exactly(out, sums.repeat(groups as usize));
    let check = move |outcome: &Outcome| {
        elements(outcome)?;
        let waves = result_words(outcome, count)?.first().copied();
        match waves {
            // Groups of 128 threads have waves of 4 lanes or more.
            Some(waves) if waves % groups == 0 && (1..=32).contains(&(waves / groups)) => Ok(()),
            other => Err(format!("{other:?} waves in {groups} groups")),
        }
    };
    // Two operations for each of the products of elements, in both chains.
    let each = 2.0 * f64::from(SIDE).powi(3) * 2.0 * f64::from(PRODUCTS);
    Case {
        job,
        work: each,
        check: Box::new(check),
    }
}

/// Returns the number of waves that a run of [`matrix`] had, whose third buffer counts them.
fn waves_of_matrices(outcome: &Outcome) -> Result<f64, String> {
    let words = result_words(outcome, ResourceId(2))?;
    let waves = words.first().ok_or("nothing counts the waves")?;
    Ok(f64::from(*waves))
}

fn rate(amount: u32, each: f64, chain: Chain) -> Case {
    let groups = 1 << amount;
    let threads = groups * THREADS;
    let sums: Vec<u32> = (0..7)
        .map(|offset| (0..8).map(|start| chain(start + offset)).sum())
        .collect();
    let expected = (0..threads).map(|id| sums[id as usize % 7]).collect();
    let mut job = Job::dispatch([groups, 1, 1]);
    job.bind_constants(register("b0"), constants(&[ROUNDS, 1]));
    let out = job.bind_buffer(register("u0"), vec![0; threads as usize * 4]);
    Case {
        job,
        work: f64::from(threads) * f64::from(ROUNDS * STEPS) * each,
        check: exactly(out, expected),
    }
}

/// One step of all lanes of a wave.
type Step = fn(&[u32]) -> Vec<u32>;

fn sum(x: &[u32]) -> Vec<u32> {
    let lanes = 0..x.len() as u32;
    let sum = x.iter().zip(lanes).map(|(x, lane)| x.wrapping_add(lane));
    vec![sum.fold(0, u32::wrapping_add); x.len()]
}

fn prefix(x: &[u32]) -> Vec<u32> {
    let before = x.iter().scan(0u32, |sum, x| {
        let before = *sum;
        *sum = sum.wrapping_add(x.wrapping_add(1));
        Some(before)
    });
    before.collect()
}

fn shuffle(x: &[u32]) -> Vec<u32> {
    let next = |lane: usize| x[(lane + 1) % x.len()].wrapping_add(1);
    (0..x.len()).map(next).collect()
}

fn ballot(x: &[u32]) -> Vec<u32> {
    let lanes = 0..x.len() as u32;
    let odd = x
        .iter()
        .zip(lanes.clone())
        .filter(|(x, lane)| (*x ^ lane) & 1 != 0);
    let count = odd.count() as u32;
    lanes.map(|lane| count + lane).collect()
}

/// Returns the figures of wave operations.
pub(super) fn waves() -> Vec<Figure> {
    let rows: [(&str, &'static [u8], Step); 4] = [
        ("sum", shader!("wave_sum"), sum),
        ("prefix sum", shader!("wave_prefix"), prefix),
        ("read lane", shader!("wave_shuffle"), shuffle),
        ("ballot", shader!("wave_ballot"), ballot),
    ];
    let unit = Unit::Giga("Glane/s");
    let figure = |(name, shader, step): (_, _, Step)| {
        Figure::new(WAVES, name, unit, shader, 16, move |amount| {
            wave(amount, step)
        })
    };
    rows.into_iter().map(figure).collect()
}

fn wave(amount: u32, step: Step) -> Case {
    const ROUNDS: u32 = 64;
    // As many as the largest waves have lanes, so that all waves are full.
    const THREADS: u32 = 128;
    let groups = 1 << amount;
    let threads = groups * THREADS;
    let mut job = Job::dispatch([groups, 1, 1]);
    job.bind_constants(register("b0"), constants(&[ROUNDS]));
    let out = job.bind_buffer(register("u0"), vec![0; threads as usize * 8]);
    let check = move |outcome: &Outcome| {
        let words = result_words(outcome, out)?;
        let (found, _): (&[[u32; 2]], _) = words.as_chunks();
        // The device chooses the number of lanes, the same for all waves.
        let lanes = found.first().map_or(0, |[_, lanes]| lanes >> 16);
        if !(4..=THREADS).contains(&lanes) {
            return Err(format!("waves of {lanes} lanes"));
        }
        let start = (0..lanes).collect::<Vec<u32>>();
        let end = (0..ROUNDS * 4).fold(start, |x, _| step(&x));
        for [x, place] in found {
            let (lane, of) = (place & 0xffff, place >> 16);
            match end.get(lane as usize).filter(|_| of == lanes) {
                Some(expected) if x == expected => {}
                Some(expected) => return Err(format!("lane {lane} has {x}, not {expected}")),
                None => return Err(format!("lane {lane} of {of}, and others have {lanes}")),
            }
        }
        Ok(())
    };
    Case {
        job,
        work: f64::from(threads) * f64::from(ROUNDS * 4),
        check: Box::new(check),
    }
}
