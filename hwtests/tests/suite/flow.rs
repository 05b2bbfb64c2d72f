//! Control flow: selections, switches and returns, also inside of loops. The kinds of loops are in
//! `loops`.

#![allow(clippy::manual_is_multiple_of, reason = "written as the HLSL is")]

use dxil_hwtests::{element::Random, rows};

/// Returns the contents of the outputs before the run: some shaders read them to keep branches from
/// being folded.
pub(super) fn start(count: usize) -> Vec<u32> {
    rows(count, |i| i as u32 % 7)
}

gpu_case!(nested_ifs, "flow/nested_ifs", |t| {
    let data: Vec<u32> = rows(64, |i| i as u32);
    t.input("t0", &data);
    let before = start(256);
    let mut out = before.clone();
    for i in 0..64 {
        let a = data[i];
        let mut r = 1u32;
        if a & 1 != 0 {
            r = r * 3 + out[i + 64];
            if a & 2 != 0 {
                r ^= out[i + 128];
                if a & 4 != 0 {
                    out[i + 64] = r;
                    r += 100;
                }
            } else {
                out[i + 128] = r;
                if a & 8 != 0 {
                    r = r * 5 + before[(i ^ 1) + 192];
                } else {
                    r = r.wrapping_sub(1);
                }
            }
            r = r.wrapping_add(7);
        } else if a & 16 != 0 {
            r = out[i + 192];
        }
        out[i] = r.wrapping_add(a);
    }
    t.update("u0", &before, out);
});

gpu_case!(
    switch_with_shared_labels_and_a_default_inside,
    "flow/switch_cases",
    |t| {
        const VALUES: [i32; 8] = [0, 1, 2, -5, 1000, 7, 3, -6];
        let data: Vec<i32> = rows(64, |i| VALUES[i * 5 % 8]);
        t.input("t0", &data);
        let before: Vec<i32> = rows(128, |i| i as i32 % 7);
        let mut out = before.clone();
        for i in 0..64 {
            out[i] = match data[i] {
                0 => before[i] + 10,
                1 | 2 if i & 1 != 0 => 20,
                1 | 2 => 20 + before[i],
                -5 => -50,
                1000 | 7 if before[i] > 3 => before[i] * 2,
                1000 | 7 => 71,
                a => {
                    out[i + 64] = a * 3;
                    a * 3
                }
            };
        }
        t.update("u0", &before, out);
    }
);

gpu_case!(returns_from_ifs_and_loops, "flow/early_return", |t| {
    let mut random = Random::new(33);
    let data = random.many(64, 30);
    t.input("t0", &data);
    let before = start(128);
    let mut out = before.clone();
    for id in 0..64 {
        let a = data[id];
        out[id] = 1;
        if a < 10 {
            continue;
        }
        out[id] = a;
        for i in 0..a {
            match data[(id + i as usize) & 63] {
                13 => {
                    out[id] = 3000 + i;
                    break;
                }
                14 => {
                    out[id + 64] = i;
                    if i > 2 {
                        out[id] = 2;
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    t.update("u0", &before, out);
});

gpu_case!(
    switch_inside_a_loop_breaks_and_continues_it,
    "flow/switch_in_loop",
    |t| {
        let mut random = Random::new(34);
        let code: Vec<u32> = rows(32, |_| random.below(8) | random.below(32) << 3);
        t.input("t0", &code);
        let before = start(128);
        let mut out = before.clone();
        for id in 0..64 {
            let (mut acc, mut pc, mut steps) = (id as u32, id as u32 & 7, 0);
            let mut returned = false;
            while steps < 100 {
                steps += 1;
                let word = code[(pc & 31) as usize];
                pc += 1;
                match word & 7 {
                    0 => acc = acc.wrapping_add(word >> 3),
                    1 => {
                        acc = acc.wrapping_mul(3);
                        continue;
                    }
                    2 => {
                        if acc & 1 != 0 {
                            pc += word >> 3;
                        }
                    }
                    3 => out[64 + id] = acc,
                    4 => {
                        if acc > 50_000 {
                            out[id] = acc ^ 0x5555_5555;
                            returned = true;
                            break;
                        }
                        continue;
                    }
                    5 => pc = word >> 3,
                    _ => acc ^= word,
                }
                acc = acc.rotate_left(1);
            }
            if !returned {
                out[id] = acc.wrapping_add(steps);
            }
        }
        t.update("u0", &before, out);
    }
);

gpu_case!(
    short_circuits_evaluate_what_hlsl_says,
    "flow/short_circuit",
    |t| {
        // HLSL before 2021 evaluates both sides of && and ||.
        fn check(v: u32, trace: &mut u32) -> bool {
            *trace = trace.wrapping_mul(4).wrapping_add(1);
            if v == 0 {
                return false;
            }
            *trace = trace.wrapping_mul(4).wrapping_add(2);
            if v > 40 {
                if v & 1 != 0 {
                    return true;
                }
                *trace = trace.wrapping_add(1);
            }
            v % 3 == 0
        }
        let mut random = Random::new(37);
        let data = random.many(64, 80);
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(64, |id| {
                let (mut trace, mut r) = (0, 0);
                for i in 0..3 {
                    if check(data[(id + i) & 63], &mut trace) {
                        let first = check(data[(id + i + 5) & 63] >> 1, &mut trace);
                        let second = check(id as u32, &mut trace);
                        if first | second {
                            r += 1 << i;
                        }
                    } else if !check(i as u32, &mut trace) {
                        r += 16 << i;
                    }
                }
                [r, trace]
            }),
        );
    }
);

gpu_case!(
    unoptimised_returns_inside_of_switches,
    "flow/od_returns",
    |t| {
        fn classify(mut v: u32) -> u32 {
            match v & 3 {
                0 => return v,
                1 => {
                    for i in 0..10 {
                        if v > 200 {
                            return i;
                        }
                        if v % 7 == 0 {
                            break;
                        }
                        v += 13;
                    }
                    return v * 2;
                }
                2 if v > 32 => return 5,
                2 => {}
                _ => loop {
                    v = v.wrapping_sub(1);
                    if v % 5 != 0 {
                        v = v.wrapping_sub(v % 3);
                    }
                    if !(v > 20 && v < 1000) {
                        break;
                    }
                },
            }
            v.wrapping_add(1000)
        }
        let mut random = Random::new(38);
        let data = random.many(64, 400);
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(64, |id| {
                let a = classify(data[id]);
                if a > 900 {
                    a
                } else {
                    classify(a).wrapping_add(1)
                }
            }),
        );
    }
);

gpu_case!(
    local_arrays_take_dynamic_indices,
    "flow/local_arrays",
    |t| {
        const PRIMES: [u32; 8] = [2, 3, 5, 7, 11, 13, 17, 19];
        let mut random = Random::new(39);
        let data = random.many(128, 1000);
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(16, |id| {
                let mut v: [u32; 8] = std::array::from_fn(|i| data[id * 8 + i]);
                v.sort_unstable();
                let mut row = [0; 9];
                row[..8].copy_from_slice(&v);
                row[8] = (0..8).map(|k| v[k] * PRIMES[(v[k] as usize + k) & 7]).sum();
                row
            }),
        );
    }
);

gpu_case!(
    constant_vectors_take_dynamic_indices,
    "flow/constant_vectors",
    |t| {
        // The arrays of the shader, by their formulas.
        let pair = |i: u32| [(i + 1) as f32, (i + 1) as f32 * 10.0];
        let triple = |i: u32| [0, 1, 2].map(|c| (i * 3 + c) as f32 + 0.5);
        let row = |i: u32| [0, 1, 2, 3].map(|c| ((i + 1) * 100 + c) as f32);
        const TAPS: [[u32; 2]; 4] = [[1, 2], [3, 5], [7, 11], [13, 17]];
        let mut random = Random::new(41);
        let data = random.many(16, 1000);
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(16, |id| {
                let i = data[id];
                let (two, three, four) = (pair(i % 6), triple(i & 3), row((i & 3) + 1));
                let walked = &TAPS[..=(i & 3) as usize];
                [
                    two[0] + two[1] * 0.5,
                    three[0] * 4.0 + three[1] * 2.0 + three[2],
                    four[0] + four[1] * 2.0 + four[2] * 4.0 + four[3] * 8.0,
                    row(i & 3)[2],
                    triple(3 - (i & 3))[1] + pair(5)[0],
                    walked.iter().map(|tap| (tap[0] * tap[1]) as f32).sum(),
                ]
            }),
        );
    }
);

gpu_case!(hints_change_nothing, "flow/hints", |t| {
    let mut random = Random::new(40);
    let data = random.many(64, 50);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |id| {
            let a = data[id];
            let mut r = if a > 20 { a * 2 } else { a + 1 };
            if r & 2 != 0 {
                r += data[(r & 63) as usize];
            }
            for i in 0..4 {
                r = r.wrapping_mul(3).wrapping_add(data[(id + i) & 63]);
            }
            for _ in 0..a & 3 {
                r ^= r >> 3;
            }
            r.wrapping_add(if a & 1 == 0 { 5 } else { 9 })
        }),
    );
});

gpu_case!(ifs_six_deep, "flow/deep_ifs", |t| {
    let mut random = Random::new(41);
    let data = random.many(64, 40);
    t.input("t0", &data);
    let at = |i: u32| data[(i & 63) as usize];
    t.expect(
        "u0",
        rows(64, |id| {
            let a = data[id];
            let mut r = 0;
            if a <= 5 {
                return r;
            }
            r += at(r);
            if a <= 10 {
                return r ^ at(r + 4);
            }
            r += at(r);
            if a > 15 {
                r += at(r);
                if a <= 20 {
                    r ^= 2;
                } else {
                    r += at(r);
                    if a > 25 {
                        r += at(r);
                        r = if a > 30 { r * 2 + at(r) } else { r ^ 1 };
                    }
                }
            }
            r + 3
        }),
    );
});

gpu_case!(switches_inside_of_switches, "flow/nested_switches", |t| {
    let mut random = Random::new(44);
    let data = random.many(64, 64);
    t.input("t0", &data);
    let before = start(136);
    let mut out = before.clone();
    for id in 0..64 {
        let mut r = id as u32;
        for i in 0..10 {
            let v = data[(id + i * 5) & 63];
            match v & 3 {
                0 => {
                    match (v >> 2) & 3 {
                        0 => r = r.wrapping_add(before[128 + (i & 7)]),
                        1 => continue,
                        2 => r ^= v,
                        _ => out[64 + id] = r,
                    }
                    r = r.wrapping_add(1);
                }
                1 => {
                    if r > 5000 {
                        break;
                    }
                    r *= 3;
                }
                3 if v & 16 == 0 => {
                    r = r.wrapping_add(100);
                    continue;
                }
                _ => {}
            }
            r = (r ^ (r >> 3)).wrapping_add(v);
            out[id] = r;
        }
    }
    t.update("u0", &before, out);
});

gpu_case!(
    a_continue_out_of_two_switches_skips_the_code_between,
    "flow/continue_out_of_switches",
    |t| {
        let mut random = Random::new(46);
        let data = random.many(64, u32::MAX);
        t.input("t0", &data);
        let before = start(128);
        let mut out = before.clone();
        for id in 0..64 {
            let (mut h, mut n) = (data[id], 0_u32);
            let load = |n: u32, mask: u32| data[(n & mask) as usize];
            for i in 0..6 {
                h = h.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let fold =
                    |n: u32, factor: u32, more: u32| n.wrapping_mul(factor).wrapping_add(more);
                match h >> 8 & 3 {
                    1 => {
                        n = n.wrapping_add(1);
                        if h >> 12 & 3 != 1 {
                            n = fold(n, 3, load(n, 63));
                            match h >> 16 & 7 {
                                2 | 7 => {
                                    n = fold(n, 3, 5);
                                    if h >> 20 & 3 != 1 {
                                        n = fold(n, 5, load(n, 63));
                                        if h >> 24 & 1 == 1 {
                                            continue;
                                        }
                                        n = fold(n, 7, load(n, 31));
                                    }
                                }
                                3 => n = fold(n, n, load(n, 15)),
                                4 => n = fold(n ^ 0x5555, 9, load(n, 7)),
                                5 => n = fold(n, 1, load(n, 3)),
                                _ => {}
                            }
                            n = fold(n, 13, 7);
                            out[64 + id] = out[64 + id].wrapping_add(1);
                        }
                    }
                    2 => n = fold(n, n, load(n, 15)),
                    3 => n = fold(n ^ 0x5555, 9, load(n, 7)),
                    _ => n = fold(n, 17, 9),
                }
                n = n ^ (n << 3) ^ i;
            }
            out[id] = n;
        }
        t.update("u0", &before, out);
    }
);

gpu_case!(
    unoptimised_switches_that_are_left_early_continue_or_fall_through,
    "flow/od_continue_out_of_switches",
    |t| {
        fn program([v0, v1, v2, mut v3]: [u32; 4]) -> u32 {
            let mut h = 2_166_136_261_u32;
            for _ in 0..2 {
                v3 = (v3 ^ (h >> 10)).wrapping_mul(45).wrapping_add(v1);
                if v2 >> 4 & 1 == 1 {
                    h = (h ^ 0x3fcd_1ce4).wrapping_mul(16_777_619);
                    if v3 >> 1 & 3 != 0 {
                        if (v2 >> 10) < (v3 >> 10) {
                            continue;
                        }
                        let is_less = (v1 >> 10) < (v0 >> 10);
                        let goes_on = v0 & 1 == 0 || is_less || v0 >> 16 & 3 == 1;
                        if goes_on && v0 >> 14 & 1 == 1 {
                            continue;
                        }
                    }
                    return h;
                }
            }
            h
        }
        let mut random = Random::new(47);
        let data = random.many(256, u32::MAX);
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(64, |id| {
                let vector = &data[4 * id..4 * id + 4];
                [program([vector[0], vector[1], vector[2], vector[3]])]
            }),
        );
    }
);

gpu_case!(paths_that_do_nothing, "flow/unused_paths", |t| {
    let data: Vec<u32> = rows(64, |i| i as u32 * 3);
    t.input("t0", &data);
    t.expect("u0", rows(64, |i| data[i] + 1));
});
