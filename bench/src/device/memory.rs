//! Bandwidth and latency against the working set, atomics and occupancy.

use dxil_runtime::Format;
use dxil_runtime::job::{Job, Texture};

use super::figure::{ATOMICS, BANDWIDTH, Case, Figure, LATENCY, OCCUPANCY, Unit, shader};
use crate::kernel::checks::exactly;
use crate::kernel::inputs::{constants, noise, register, uints};

/// Where the bytes that are read lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Buffer,
    Constant,
    Texture,
    Groupshared,
}

impl Place {
    const ALL: [(Place, &'static str); 4] = [
        (Place::Buffer, "buffer"),
        (Place::Constant, "constant"),
        (Place::Texture, "texture"),
        (Place::Groupshared, "groupshared"),
    ];

    /// Returns the working sets that are measured, in bytes.
    fn sets(self, largest: u64) -> Vec<u64> {
        let most = match self {
            Place::Buffer => largest,
            // A texture of 4,096 by 4,096 texels of 16 bytes.
            Place::Texture => largest.min(256 << 20),
            // D3D12's limit: 4,096 rows.
            Place::Constant => 64 << 10,
            // What the shader declares; it is copied there first.
            Place::Groupshared => return vec![16 << 10],
        };
        let all = (0..).map(|step| 4096u64 << (2 * step));
        all.take_while(|bytes| *bytes <= most).collect()
    }

    /// Binds data in words. Texels have as many words as the format says.
    fn bind(self, job: &mut Job, words: &[u32], format: Format, width_log2: u32) {
        let bytes = uints(words);
        match self {
            Place::Buffer | Place::Groupshared => _ = job.bind_buffer(register("t0"), bytes),
            Place::Constant => {
                let mut bytes = bytes;
                // The shader declares all rows.
                bytes.resize(64 << 10, 0);
                job.bind_constants(register("b1"), bytes);
            }
            Place::Texture => {
                let width = 1 << width_log2;
                let texels = bytes.len() as u32 / format.block_bytes();
                let texture = Texture::new_2d(format, width, texels / width, bytes);
                job.bind_texture(register("t0"), texture);
            }
        }
    }
}

/// Returns the binary logarithm of the width of a texture with this many texels, about a square.
fn width_log2(texels: u64) -> u32 {
    texels.ilog2().div_ceil(2)
}

/// Returns the figures of bandwidth. `largest` is the maximum working set in bytes, `threads` their
/// number at a time.
pub(super) fn bandwidth(largest: u64, threads: u32) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (place, name) in Place::ALL {
        let shader = match place {
            Place::Buffer => shader!("bandwidth_buffer"),
            Place::Constant => shader!("bandwidth_constant"),
            Place::Texture => shader!("bandwidth_texture"),
            Place::Groupshared => shader!("bandwidth_groupshared"),
        };
        for bytes in place.sets(largest) {
            let case = move |amount| go_round(place, bytes, threads, amount);
            let unit = Unit::Giga("GB/s");
            figures.push(Figure::new(BANDWIDTH, name, unit, shader, 14, case).of(bytes));
        }
    }
    figures
}

fn go_round(place: Place, bytes: u64, threads: u32, amount: u32) -> Case {
    let rows = (bytes / 16) as u32;
    // Each dispatch reads all rows once at least.
    let least = rows.div_ceil(threads * 4).max(1);
    let rounds = least.saturating_mul(1 << amount);
    let width = width_log2(rows.into());
    let mut job = Job::dispatch([threads / 256, 1, 1]);
    let parameters = [rounds, rows - 1, threads, width];
    job.bind_constants(register("b0"), constants(&parameters));
    let ones = vec![1; rows as usize * 4];
    place.bind(&mut job, &ones, Format::Rgba32Uint, width);
    let out = job.bind_buffer(register("u0"), vec![0; threads as usize * 4]);
    Case {
        job,
        work: f64::from(threads) * f64::from(rounds) * 64.0,
        // Four reads a round of four words, all of them 1.
        check: exactly(out, vec![rounds.wrapping_mul(16); threads as usize]),
    }
}

/// Returns one cycle through elements `stride` apart, in random order: each element has the number
/// of the next, and those between are zero.
fn chain(elements: usize, stride: usize, seed: u64) -> Vec<u32> {
    let count = elements / stride;
    let mut order: Vec<u32> = (0..count as u32).collect();
    // Sattolo's algorithm gives a permutation of one cycle.
    for (at, word) in (1..count).rev().zip(noise(count, seed)) {
        order.swap(at, word as usize % at);
    }
    let mut chain = vec![0; elements];
    for (at, next) in order.iter().enumerate() {
        chain[at * stride] = next * stride as u32;
    }
    chain
}

/// Returns the element that a chain leads to from an element.
fn follow(chain: &[u32], from: u32, steps: u32) -> u32 {
    (0..steps).fold(from, |at, _| chain[at as usize])
}

/// Returns the figures of latency.
pub(super) fn latency(largest: u64) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (place, name) in Place::ALL {
        let shader = match place {
            Place::Buffer => shader!("latency_buffer"),
            Place::Constant => shader!("latency_constant"),
            Place::Texture => shader!("latency_texture"),
            Place::Groupshared => shader!("latency_groupshared"),
        };
        for bytes in place.sets(largest.min(256 << 20)) {
            let case = move |amount| chase(place, bytes, amount);
            let unit = Unit::Nanoseconds;
            figures.push(Figure::new(LATENCY, name, unit, shader, 12, case).of(bytes));
        }
    }
    figures
}

fn chase(place: Place, bytes: u64, amount: u32) -> Case {
    let steps = 1024 << amount;
    let words = (bytes / 4) as usize;
    let width = width_log2(words as u64);
    // Every line of 64 bytes once; all words where there are no lines.
    let (links, data) = match place {
        Place::Buffer | Place::Texture => {
            let chain = chain(words, 16, 7);
            (chain.clone(), chain)
        }
        Place::Groupshared => {
            let chain = chain(words, 1, 7);
            (chain.clone(), chain)
        }
        Place::Constant => {
            let links = chain(words / 4, 1, 7);
            let rows = links.iter().flat_map(|next| [*next, 0, 0, 0]).collect();
            (links, rows)
        }
    };
    let mut job = Job::dispatch([1, 1, 1]);
    job.bind_constants(register("b0"), constants(&[steps, width]));
    place.bind(&mut job, &data, Format::R32Uint, width);
    let out = job.bind_buffer(register("u0"), vec![0; 4]);
    Case {
        job,
        work: f64::from(steps),
        check: exactly(out, vec![follow(&links, 0, steps)]),
    }
}

/// Returns the figures of atomic operations.
pub(super) fn atomics() -> Vec<Figure> {
    let buffer = shader!("atomic_buffer");
    let groupshared = shader!("atomic_groupshared");
    let rows = [
        ("buffer, one address", buffer, true, false),
        ("buffer, each its own", buffer, false, false),
        ("groupshared, one address", groupshared, true, true),
        ("groupshared, each its own", groupshared, false, true),
    ];
    let unit = Unit::Giga("Gatomic/s");
    let figure = |(name, shader, one, in_group)| {
        let case = move |amount| add(amount, one, in_group);
        Figure::new(ATOMICS, name, unit, shader, 14, case)
    };
    rows.into_iter().map(figure).collect()
}

fn add(amount: u32, one: bool, in_group: bool) -> Case {
    const ROUNDS: u32 = 64;
    const GROUP: u32 = 64;
    let groups = 1 << amount;
    let threads = groups * GROUP;
    let mask = match (one, in_group) {
        (true, _) => 0,
        (false, true) => GROUP - 1,
        (false, false) => threads - 1,
    };
    let expected = |id: u32| match (one, in_group) {
        (false, _) => ROUNDS,
        (true, true) if id.is_multiple_of(GROUP) => ROUNDS * GROUP,
        (true, false) if id == 0 => ROUNDS.wrapping_mul(threads),
        (true, _) => 0,
    };
    let mut job = Job::dispatch([groups, 1, 1]);
    job.bind_constants(register("b0"), constants(&[ROUNDS, mask]));
    let out = job.bind_buffer(register("u0"), vec![0; threads as usize * 4]);
    let expected: Vec<u32> = (0..threads).map(expected).collect();
    // The counters of further dispatches go on from there: those of the first are checked.
    Case {
        job,
        work: f64::from(threads) * f64::from(ROUNDS),
        check: exactly(out, expected),
    }
}

/// Returns the figures of occupancy. The chain has `bytes` bytes.
pub(super) fn occupancy(bytes: u64, groups: u32) -> Vec<Figure> {
    let rows = [
        (1024, shader!("occupancy_1k")),
        (4096, shader!("occupancy_4k")),
        (8192, shader!("occupancy_8k")),
        (16_384, shader!("occupancy_16k")),
        (32_768, shader!("occupancy_32k")),
    ];
    let unit = Unit::Giga("Gread/s");
    let figure = |(reserved, shader)| {
        let case = move |amount| hide(bytes, groups, amount);
        Figure::new(OCCUPANCY, "reads", unit, shader, 10, case).of(reserved)
    };
    rows.into_iter().map(figure).collect()
}

fn hide(bytes: u64, groups: u32, amount: u32) -> Case {
    let steps = 16 << amount;
    let words = (bytes / 4) as usize;
    let links = chain(words, 1, 9);
    let threads = groups * 64;
    let mask = words as u32 - 1;
    let start = |id: u32| id.wrapping_mul(97) & mask;
    // On a cycle the element after some steps is that many places further.
    let mut places = vec![0; words];
    let mut cycle = Vec::with_capacity(words);
    let mut at = 0;
    for place in 0..words {
        places[at as usize] = place;
        cycle.push(at);
        at = links[at as usize];
    }
    let expected = (0..threads).map(|id| {
        let place = places[start(id) as usize] + steps as usize;
        cycle[place % words]
    });
    let expected = expected.collect();
    let mut job = Job::dispatch([groups, 1, 1]);
    job.bind_constants(register("b0"), constants(&[steps, mask]));
    job.bind_buffer(register("t0"), uints(&links));
    let out = job.bind_buffer(register("u0"), vec![0; threads as usize * 4]);
    Case {
        job,
        work: f64::from(threads) * f64::from(steps),
        check: exactly(out, expected),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_one_cycle_through_every_line() {
        for (elements, stride) in [(16, 16), (4096, 16), (1000, 1)] {
            let chain = chain(elements, stride, 3);
            let mut at = 0;
            let mut seen = 0;
            loop {
                assert_eq!(at as usize % stride, 0);
                at = chain[at as usize];
                seen += 1;
                if at == 0 {
                    break;
                }
            }
            assert_eq!(seen, elements / stride);
        }
    }

    #[test]
    fn working_sets_grow_by_four_up_to_the_limits() {
        assert_eq!(Place::Constant.sets(1 << 30), [4096, 16_384, 65_536]);
        assert_eq!(
            Place::Buffer.sets(1 << 20),
            [4096, 16_384, 65_536, 262_144, 1 << 20]
        );
    }
}
