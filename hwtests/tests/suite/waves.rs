//! Wave and quad operations, in straight and in divergent code.
//!
//! Expectations follow the device's wave size; lanes of a one-dimensional group are numbered in
//! order.

use std::ops::Range;

use dxil_hwtests::{Case, element::Random, rows};

/// Threads of every shader here.
const COUNT: usize = 64;

/// Returns the wave of a thread, as a range of threads.
fn wave_of(thread: usize, size: u32) -> Range<usize> {
    let size = size as usize;
    let first = thread / size * size;
    first..(first + size).min(COUNT)
}

/// Returns the input of the divergent cases.
fn values(seed: u64, limit: u32) -> Vec<u32> {
    Random::new(seed).many(COUNT, limit)
}

gpu_case!(lanes_are_numbered, "waves/lanes", |t| {
    let size = t.wave_size;
    t.expect(
        "u0",
        rows(COUNT, |i| {
            let lane = i as u32 % size;
            [
                lane,
                size,
                u32::from(lane == 0),
                wave_of(i, size).len() as u32,
            ]
        }),
    );
});

gpu_case!(reductions, "waves/reductions", |t| {
    let data = values(110, 200);
    t.input("t0", &data);
    let size = t.wave_size;
    t.expect(
        "u0",
        rows(COUNT, |i| {
            let lanes = &data[wave_of(i, size)];
            let signed = || lanes.iter().map(|v| *v as i32 - 100);
            let sum: u32 = lanes.iter().sum();
            [
                sum,
                lanes.iter().fold(1, |a: u32, v| a.wrapping_mul(v | 1)),
                *lanes.iter().min().unwrap(),
                *lanes.iter().max().unwrap(),
                signed().min().unwrap() as u32,
                signed().max().unwrap() as u32,
                lanes.iter().fold(u32::MAX, |a, v| a & (v | 3)),
                lanes.iter().fold(0, |a, v| a | v),
                lanes.iter().fold(0, |a, v| a ^ v),
                (sum as f32).to_bits(),
                (-(*lanes.iter().min().unwrap() as f32)).to_bits(),
            ]
        }),
    );
});

gpu_case!(prefixes_leave_the_lane_itself_out, "waves/prefixes", |t| {
    let data = values(111, 200);
    t.input("t0", &data);
    let size = t.wave_size;
    t.expect(
        "u0",
        rows(COUNT, |i| {
            let before = &data[wave_of(i, size).start..i];
            let sum: u32 = before.iter().sum();
            [
                sum,
                before.iter().fold(1, |a: u32, v| a.wrapping_mul(v | 1)),
                before.iter().filter(|v| *v & 1 != 0).count() as u32,
                (sum as f32).to_bits(),
            ]
        }),
    );
});

gpu_case!(votes_and_ballots, "waves/votes", |t| {
    let mut data = values(112, 256);
    // One half without large values, with equal high bits.
    for v in &mut data[..32] {
        *v &= 127;
    }
    t.input("t0", &data);
    let size = t.wave_size;
    t.expect(
        "u0",
        rows(COUNT, |i| {
            let lanes = &data[wave_of(i, size)];
            let ballot = lanes
                .iter()
                .enumerate()
                .fold(0u64, |a, (lane, v)| a | u64::from(v & 1) << lane);
            let flags = u32::from(lanes.iter().any(|v| *v > 200))
                | u32::from(lanes.iter().all(|v| *v < 250)) << 1
                | u32::from(lanes.iter().all(|v| v >> 7 == lanes[0] >> 7)) << 2
                | 8;
            [
                ballot as u32,
                (ballot >> 32) as u32,
                flags,
                lanes.iter().filter(|v| *v & 2 != 0).count() as u32,
            ]
        }),
    );
});

gpu_case!(reads_from_other_lanes, "waves/reads", |t| {
    let data = values(113, 1 << 30);
    t.input("t0", &data);
    let size = t.wave_size as usize;
    t.expect(
        "u0",
        rows(COUNT, |i| {
            let lanes = wave_of(i, size as u32);
            let lane = i - lanes.start;
            [
                data[lanes.start],
                data[lanes.start + 2],
                data[lanes.start + (lane + 1) % size],
                ((size - 1 - lane) as f32).to_bits(),
            ]
        }),
    );
});

gpu_case!(quads_exchange, "waves/quads", |t| {
    let data = values(114, 1 << 30);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(COUNT, |i| {
            [data[i ^ 1], data[i ^ 2], data[i ^ 3], data[(i & !3) + 2]]
        }),
    );
});

gpu_case!(lanes_of_the_quad_are_read, "waves/lanes_of_quads", |t| {
    // Numbers that are exact as floats.
    let data = values(116, 1 << 20);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(COUNT, |i| {
            [0, 1, 2, 3].map(|number| data[(i & !3) + number])
        }),
    );
});

gpu_case!(lanes_with_equal_values_match, "waves/match", |t| {
    let data = values(115, 1 << 16);
    t.input("t0", &data);
    let size = t.wave_size;
    t.expect(
        "u0",
        rows(COUNT, |i| {
            let lanes = wave_of(i, size);
            let same = |k: &usize| data[*k] & 3 == data[i] & 3;
            let mask = lanes
                .clone()
                .filter(same)
                .fold(0u64, |a, k| a | 1 << (k - lanes.start));
            let before: Vec<u32> = (lanes.start..i).filter(same).map(|k| data[k]).collect();
            [
                mask as u32,
                before.iter().sum(),
                before.iter().fold(1, |a: u32, v| a.wrapping_mul(v | 1)),
                before.iter().filter(|v| *v & 4 != 0).count() as u32,
                before.iter().fold(u32::MAX, |a, v| a & v),
                before.iter().fold(0, |a, v| a | v),
                before.iter().fold(0, |a, v| a ^ v),
                (mask >> 32) as u32,
            ]
        }),
    );
});

/// Counts, in a group of 8 by 8 threads, how often each lane number and each thread occurs.
fn expect_lanes_and_threads(t: &mut Case) {
    let size = t.wave_size as usize;
    let lanes = (0..128).map(|lane| {
        if lane < size {
            (COUNT / size) as u32
        } else {
            0
        }
    });
    let threads = [1; COUNT];
    let expected: Vec<u32> = lanes.chain(threads).collect();
    t.update("u0", &[0_u32; 128 + COUNT], expected);
}

gpu_case!(
    multi_prefix_sums_number_the_lanes_of_groups_with_rows,
    "waves/multi_prefix_sum_of_rows",
    |t| {
        expect_lanes_and_threads(t);
    }
);

gpu_case!(
    multi_prefix_counts_number_the_lanes_of_groups_with_rows,
    "waves/multi_prefix_count_of_rows",
    |t| {
        expect_lanes_and_threads(t);
    }
);

gpu_case!(
    lanes_that_skip_a_loop_reconverge_after_it,
    "waves/rotated_loop",
    |t| {
        let mut data = values(26, 9);
        data[3] = 0;
        t.input("t0", &data);
        let size = t.wave_size;
        t.expect(
            "u0",
            rows(COUNT, |i| {
                let lanes = &data[wave_of(i, size)];
                let mut here = 0u32;
                for round in 0..data[i] {
                    let active = lanes.iter().filter(|&&n| n > round).count();
                    here = here.wrapping_mul(8).wrapping_add(active as u32);
                }
                [here, lanes.iter().sum::<u32>() * 256 + lanes.len() as u32]
            }),
        );
    }
);

gpu_case!(only_lanes_in_the_branch_count, "waves/divergent_if", |t| {
    let data = values(116, 256);
    t.input("t0", &data);
    let size = t.wave_size;
    t.expect(
        "u0",
        rows(COUNT, |i| {
            let lanes = wave_of(i, size);
            let all: Vec<u32> = data[lanes.clone()].to_vec();
            let here: Vec<u32> = all
                .iter()
                .copied()
                .filter(|v| v & 1 == data[i] & 1)
                .collect();
            let (x, y) = if data[i] & 1 != 0 {
                let inner = here.iter().filter(|v| *v & 2 == data[i] & 2).count() as u32;
                (
                    here.iter().sum(),
                    if data[i] & 2 != 0 { inner } else { 100 + inner },
                )
            } else {
                let before = (lanes.start..i).filter(|k| data[*k] & 1 == 0).count() as u32;
                (*here.iter().max().unwrap(), before)
            };
            [x, y, all.iter().sum(), all.len() as u32]
        }),
    );
});

gpu_case!(
    each_iteration_counts_the_lanes_in_the_loop,
    "waves/divergent_loop",
    |t| {
        let data = values(117, 256);
        t.input("t0", &data);
        let size = t.wave_size;
        t.expect(
            "u0",
            rows(COUNT, |i| {
                let rounds: Vec<u32> = data[wave_of(i, size)].iter().map(|v| v & 7).collect();
                let active = |round: u32| rounds.iter().filter(|n| **n > round).count() as u32;
                let sum = (0..data[i] & 7).fold(0u32, |sum, round| {
                    sum.wrapping_mul(3).wrapping_add(active(round))
                });
                [sum, rounds.iter().sum()]
            }),
        );
    }
);

gpu_case!(
    exit_work_belongs_to_lanes_that_leave_together,
    "waves/exit_work",
    |t| {
        let data = values(118, 256);
        t.input("t0", &data);
        let size = t.wave_size;
        t.expect(
            "u0",
            rows(COUNT, |i| {
                let lanes: Vec<u32> = data[wave_of(i, size)].iter().map(|v| v & 7).collect();
                // Values leave in the order in which they appear first.
                let mut order: Vec<u32> = Vec::new();
                for v in &lanes {
                    if !order.contains(v) {
                        order.push(*v);
                    }
                }
                let mine = data[i] & 7;
                let count = lanes.iter().filter(|v| **v == mine).count() as u32;
                let round = order.iter().position(|v| *v == mine).unwrap() as u32 + 1;
                [count * 100 + count * mine, round]
            }),
        );
    }
);

gpu_case!(
    lanes_that_continue_are_active_in_the_next_iteration,
    "waves/continue_in_loop",
    |t| {
        let data = values(119, 16);
        t.input("t0", &data);
        let size = t.wave_size;
        let before: Vec<[u32; 2]> = rows(COUNT, |i| [i as u32 * 1000, 0]);
        t.update(
            "u0",
            &before,
            rows(COUNT, |i| {
                let lanes = wave_of(i, size);
                let (mut a, mut b) = (0u32, 0u32);
                for round in 0..4 {
                    a = a.wrapping_mul(17).wrapping_add(lanes.len() as u32);
                    if data[i] >> round & 1 != 0 {
                        a = a.wrapping_add(i as u32 * 1000);
                        continue;
                    }
                    let stay = lanes.clone().filter(|k| data[*k] >> round & 1 == 0).count();
                    b = b.wrapping_mul(17).wrapping_add(stay as u32);
                }
                [a, b]
            }),
        );
    }
);

gpu_case!(
    switch_cases_and_early_returns,
    "waves/switch_and_return",
    |t| {
        let data = values(120, 256);
        t.input("t0", &data);
        let size = t.wave_size;
        let before = vec![[0u32; 4]; COUNT];
        t.update(
            "u0",
            &before,
            rows(COUNT, |i| {
                let lanes = wave_of(i, size);
                let v = data[i];
                let same = |k: &usize| data[*k] & 3 == v & 3;
                let here: Vec<u32> = lanes.clone().filter(same).map(|k| data[k]).collect();
                let x = match v & 3 {
                    0 => here.iter().sum(),
                    1 => here.len() as u32,
                    2 => 2 * (lanes.start..i).filter(same).count() as u32,
                    _ => 1000 + here.iter().min().unwrap(),
                };
                let all = lanes.len() as u32;
                if v > 180 {
                    return [x + 1, 1, all + 1, 1];
                }
                let rest = data[lanes].iter().filter(|v| **v <= 180).count() as u32;
                [x, 0, all, rest]
            }),
        );
    }
);

gpu_case!(shaders_can_demand_a_wave_size, "waves/wave_size", |t| {
    // A device has this size or not.
    if t.wave_size != 8 && t.backend() != dxil_runtime::Backend::Cpu {
        t.must_be_refused("wants waves of 8 to 8 lanes");
    } else {
        t.wgpu_refuses("a required wave size");
    }
    t.expect("u0", vec![[8u32, 8]; 32]);
});

gpu_case!(waves_of_sixty_four_bits, "waves/sixty_four_bit", |t| {
    t.wgpu_refuses("shaderSubgroupExtendedTypes");
    let mut random = Random::new(121);
    let data: Vec<u64> = rows(COUNT, |_| random.bits64() >> 8);
    t.input("t0", &data);
    let size = t.wave_size;
    t.expect(
        "u0",
        rows(COUNT, |i| {
            let lanes = wave_of(i, size);
            [
                data[lanes.clone()].iter().sum(),
                *data[lanes.clone()].iter().max().unwrap(),
                data[lanes.start..i].iter().sum(),
                data[lanes.start],
            ]
        }),
    );
});

gpu_case!(all_lanes_are_active_after_loops, "waves/after_loops", |t| {
    let data = values(122, 256);
    t.input("t0", &data);
    let size = t.wave_size;
    t.expect(
        "u0",
        rows(COUNT, |i| {
            let lanes = wave_of(i, size);
            let all = lanes.len() as u32;
            let mut inside = 0u32;
            for outer in 0..3 {
                // The rounds in which a lane reaches the wave operation.
                let reached = |k: usize| -> Vec<u32> {
                    let v = data[k];
                    (1..=8)
                        .take_while(|j| ((v >> outer) + j) & 1 != 0 || *j <= v & 7)
                        .filter(|j| ((v >> outer) + j) & 1 == 0)
                        .collect()
                };
                for round in reached(i) {
                    let with = lanes.clone().filter(|k| reached(*k).contains(&round));
                    inside += with.count() as u32;
                }
            }
            [(all * 33 + all) * 33 + all, inside]
        }),
    );
});

gpu_case!(switch_cases_inside_of_a_loop, "waves/switch_in_loop", |t| {
    let data = values(123, 1 << 12);
    t.input("t0", &data);
    let size = t.wave_size;
    let mut r = vec![0u32; COUNT];
    let mut alive = vec![true; COUNT];
    for round in 0..6 {
        let case = |k: usize| (data[k] >> (round * 2)) & 3;
        let before = alive.clone();
        for i in 0..COUNT {
            let in_case = |c: u32, k: &usize| before[*k] && case(*k) == c;
            let count = |c: u32| wave_of(i, size).filter(|k| in_case(c, k)).count() as u32;
            if !before[i] {
                continue;
            }
            r[i] = match case(i) {
                0 => r[i].wrapping_mul(5).wrapping_add(count(0)),
                1 => {
                    let lower = (wave_of(i, size).start..i).filter(|k| in_case(1, k));
                    r[i].wrapping_mul(5).wrapping_add(lower.count() as u32)
                }
                2 => {
                    alive[i] = false;
                    r[i].wrapping_add(10_000)
                }
                _ => {
                    r[i] ^= count(3) << 8;
                    continue;
                }
            };
            let rest = count(0) + count(1) + count(2);
            r[i] = r[i].wrapping_mul(7).wrapping_add(rest);
        }
    }
    t.expect(
        "u0",
        rows(COUNT, |i| {
            r[i].wrapping_add(1_000_000 * wave_of(i, size).len() as u32)
        }),
    );
});

gpu_case!(waves_hand_out_slots, "waves/ray_march", |t| {
    let data = values(124, 4);
    t.input("t0", &data);
    let size = t.wave_size as usize;
    let before = vec![u32::MAX; 4 * COUNT];
    let mut out = before.clone();
    for wave in 0..COUNT / size {
        for round in 0..3 {
            let wanting = (wave * size..(wave + 1) * size).filter(|k| data[*k] > round);
            for (rank, lane) in wanting.enumerate() {
                out[wave * size * 4 + round as usize * size + rank] = lane as u32;
            }
        }
    }
    t.update("u0", &before, out);
});

gpu_case!(a_group_of_32_adds_up_by_waves, "waves/sum_of_32", |t| {
    let size = t.wave_size as usize;
    t.expect(
        "u0",
        rows(32, |i| {
            let first = i / size * size;
            let lanes = first..(first + size).min(32);
            lanes.map(|id| (id * id + 1) as u32).sum::<u32>()
        }),
    );
});

gpu_case!(
    lanes_below_32_read_from_each_other,
    "waves/lane_of_32",
    |t| {
        // Lanes whose lowest bits differ: both are in the same wave.
        let mut data = values(140, 1000);
        data.truncate(32);
        data[0] = 1;
        t.input("t0", &data);
        t.expect("u0", rows(32, |i| data[i ^ 1]));
    }
);

gpu_case!(the_lowest_word_of_a_ballot, "waves/low_ballot", |t| {
    let data = values(141, 200);
    t.input("t0", &data);
    let size = t.wave_size;
    t.expect(
        "u0",
        rows(COUNT, |i| {
            let lanes = data[wave_of(i, size)].iter().take(32);
            let bits = lanes.enumerate().map(|(lane, value)| (value & 1) << lane);
            bits.sum::<u32>()
        }),
    );
});
