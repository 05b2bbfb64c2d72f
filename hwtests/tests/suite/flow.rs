//! Control flow: every shape that structured HLSL makes.

#![allow(clippy::manual_is_multiple_of, reason = "written as the HLSL is")]

use dxil_hwtests::{element::Random, rows};

/// Returns what the outputs hold before the run: some shaders read them to keep branches from being
/// folded.
fn start(count: usize) -> Vec<u32> {
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

gpu_case!(for_while_and_do_loops, "flow/loop_kinds", |t| {
    let mut random = Random::new(30);
    let data = random.many(64, 40);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |id| {
            let n = data[id];
            let mut sum = 0u32;
            for i in 0..n {
                sum = sum.wrapping_add(data[i as usize] ^ i);
            }
            let mut m = n;
            while m > 3 {
                sum = sum.wrapping_mul(3).wrapping_add(m);
                m /= 2;
            }
            let mut steps = 0;
            loop {
                sum ^= sum << 5;
                steps += 1;
                if steps * steps >= n {
                    break;
                }
            }
            [sum, steps]
        }),
    );
});

gpu_case!(loops_that_dxc_rotates, "flow/rotated_loops", |t| {
    let mut random = Random::new(33);
    let mut data = random.many(64, 12);
    data[5] = 0;
    data[6] = 0;
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |id| {
            let (n, m) = (data[id], data[(id + 1) & 63]);
            let (mut sum, mut last) = (1u32, 77u32);
            for i in 0..n {
                last = sum;
                sum = sum
                    .wrapping_mul(3)
                    .wrapping_add(data[(id + i as usize) & 63]);
            }
            let mut r = m;
            for j in (1..=n).rev() {
                if r & 15 == 7 {
                    break;
                }
                if data[j as usize] & 1 == 0 {
                    r = r.wrapping_add(data[j as usize] ^ j);
                }
            }
            let (mut x, mut y, mut steps) = (0f32, 0f32, 0);
            while steps < n && x * x + y * y < 64.0 {
                (x, y) = (x * 0.5 - y + 1.0, y * 0.5 + x + m as f32 * 0.25);
                steps += 1;
            }
            let mut pairs = 0u32;
            for a in 0..m {
                for b in a..n {
                    pairs = pairs.wrapping_mul(5).wrapping_add(a + b);
                }
            }
            let mut s = 0i32;
            for k in (n as i32 - 8..=m as i32).step_by(3) {
                s = s.wrapping_mul(2).wrapping_add(k);
            }
            let (mut u, mut v) = (n, m);
            while v != 0 {
                (u, v) = (v, u % v);
            }
            let mut w = 0u32;
            for c in 0..n ^ m {
                w = w.wrapping_mul(3).wrapping_add(data[((n ^ m) - c) as usize]);
            }
            let last = last.wrapping_mul(64).wrapping_add(n);
            [sum, last, r, steps, pairs, s as u32, u, w]
        }),
    );
});

gpu_case!(several_breaks_and_continues, "flow/break_continue", |t| {
    let mut random = Random::new(31);
    let data = random.many(64, 12);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |id| {
            let mut sum = id as u32;
            let mut i = 0;
            while i < 40 {
                let v = data[(id + i) & 63];
                if v == 0 {
                    i += 1;
                    continue;
                }
                sum = sum.wrapping_add(v);
                if sum % 11 == 3 {
                    break;
                }
                if v & 4 != 0 {
                    sum ^= i as u32;
                    i += 1;
                    continue;
                }
                sum = sum.wrapping_mul(2).wrapping_add(1);
                if sum > 100_000 {
                    sum -= 99_999;
                    break;
                }
                i += 1;
            }
            sum.wrapping_mul(64).wrapping_add(i as u32)
        }),
    );
});

gpu_case!(three_nested_loops_with_a_flag, "flow/nested_loops", |t| {
    let mut random = Random::new(32);
    let data = random.many(64, 60);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |id| {
            let limit = data[id];
            let mut sum = 0u32;
            let mut done = false;
            let mut i = 0;
            while i < 6 && !done {
                for j in i..8 {
                    let mut k = 0;
                    loop {
                        k += j + 1;
                        if k > limit {
                            break;
                        }
                        sum += data[((i * 7 + j * 3 + k) & 63) as usize];
                        if sum > 900 {
                            done = true;
                            break;
                        }
                    }
                    if done {
                        break;
                    }
                    if k & 1 == 0 {
                        sum += 2;
                    }
                }
                i += 1;
            }
            sum
        }),
    );
});

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

gpu_case!(loops_inside_of_switch_cases, "flow/loop_in_switch", |t| {
    let mut random = Random::new(35);
    let data: Vec<u32> = rows(64, |_| random.below(250) + 1);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |id| {
            let a = data[id];
            let mut r = 0;
            match a & 3 {
                0 => {
                    for i in 0..a >> 2 {
                        r += data[i as usize];
                        if r > 500 {
                            break;
                        }
                    }
                }
                1 => {
                    let mut x = a;
                    while x != 1 && r <= 60 {
                        x = if x & 1 != 0 { x * 3 + 1 } else { x >> 1 };
                        r += 1;
                    }
                }
                2 => loop {
                    r = r * 2 + 1;
                    if r >= a {
                        break;
                    }
                },
                _ => {}
            }
            r
        }),
    );
});

gpu_case!(phis_read_before_any_is_written, "flow/swapped_phis", |t| {
    let mut random = Random::new(36);
    let data = random.many(64, 30);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |id| {
            let mut v = [1u32, 2, 3];
            for i in 0..data[id] {
                v.rotate_left(1);
                if data[(i & 63) as usize] & 1 != 0 {
                    v.swap(0, 2);
                }
            }
            v
        }),
    );
});

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

gpu_case!(trip_counts_depend_on_data, "flow/collatz", |t| {
    let data: Vec<u32> = rows(64, |i| i as u32 * 13 + 1);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |id| {
            let mut n = data[id];
            let (mut steps, mut top) = (0, n);
            while n > 1 {
                n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                top = top.max(n);
                steps += 1;
            }
            [steps, top]
        }),
    );
});

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

gpu_case!(loop_with_four_ways_out, "flow/loop_exits", |t| {
    let mut random = Random::new(42);
    let data = random.many(64, 48);
    t.input("t0", &data);
    let before = start(128);
    let mut out = before.clone();
    for id in 0..64 {
        let a = data[id];
        let (mut r, mut i) = (a, 0);
        loop {
            if i >= 20 {
                r += 1;
                break;
            }
            let v = data[((a + i) & 63) as usize];
            if v == 3 {
                r = r * 7 + data[i as usize];
                break;
            }
            r += v;
            if r & 31 == 9 {
                out[64 + id] = r;
                r ^= 0xff;
                break;
            }
            i += 1;
            if v > 45 {
                r = data[(r & 63) as usize] + 1000;
                break;
            }
        }
        out[id] = r * 32 + i;
    }
    t.update("u0", &before, out);
});

gpu_case!(
    returns_out_of_two_loops,
    "flow/return_in_nested_loops",
    |t| {
        let mut random = Random::new(43);
        let data = random.many(64, 66);
        t.input("t0", &data);
        let search = |a: u32| {
            for i in 0..8 {
                for j in 0..8 {
                    let v = data[i * 8 + j];
                    if v == a {
                        return 100 + (i * 8 + j) as u32;
                    }
                    if v > 60 {
                        break;
                    }
                }
                if data[i] == a + 1 {
                    return 200 + i as u32;
                }
            }
            99
        };
        t.expect("u0", rows(64, |id| search(id as u32)));
    }
);

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
    a_continue_out_of_two_switches_skips_what_stands_between,
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

gpu_case!(
    continue_in_a_do_loop_tests_its_condition,
    "flow/do_continue",
    |t| {
        let mut random = Random::new(45);
        let data = random.many(64, 60);
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(64, |id| {
                let (mut i, mut sum) = (data[id], 0);
                loop {
                    i += 3;
                    if i & 1 == 0 {
                        sum += data[(i & 63) as usize];
                        if sum > 200 {
                            break;
                        }
                        sum ^= 1;
                    }
                    if i >= 90 {
                        break;
                    }
                }
                sum * 128 + i
            }),
        );
    }
);

gpu_case!(
    loops_feed_the_bounds_of_loops,
    "flow/loop_after_loop",
    |t| {
        let mut random = Random::new(46);
        let data = random.many(64, 60);
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(64, |id| {
                let b: u32 = (1..=data[id] & 7)
                    .map(|a| data[(a as usize + id) & 63] & 3)
                    .sum();
                let mut c: u32 = (0..b).filter(|i| data[*i as usize] & 1 != 0).sum();
                while c > 10 {
                    c -= 7;
                }
                let d = (0..c).fold(1u32, |d, j| d * 3 + j);
                d + b * 1_000_000
            }),
        );
    }
);

gpu_case!(paths_that_do_nothing, "flow/unused_paths", |t| {
    let data: Vec<u32> = rows(64, |i| i as u32 * 3);
    t.input("t0", &data);
    t.expect("u0", rows(64, |i| data[i] + 1));
});

gpu_case!(vectors_that_go_round_loops, "flow/vector_phis", |t| {
    let mut random = Random::new(61);
    let data: Vec<i32> = random
        .many(256, 41)
        .into_iter()
        .map(|n| n as i32 - 20)
        .collect();
    t.input("t0", &data);
    let mut out = Vec::new();
    for id in 0..64 {
        let d: [f32; 4] = std::array::from_fn(|i| data[id * 4 + i] as f32);

        let (mut z, mut steps) = ([0f32; 2], 0);
        while steps < 20 && z[0] * z[0] + z[1] * z[1] < 4096.0 {
            z = [z[0] - 2.0 * z[1] + d[0], z[1] + z[0] + d[1]];
            steps += 1;
        }
        out.push(steps * 10000 + z[0] as i32);

        let (mut w, mut rounds) = ([d[2], d[3]], 0);
        loop {
            rounds += 1;
            if (rounds + id as i32) & 3 == 0 {
                w.swap(0, 1);
            } else {
                w = [w[0] + 1.0, w[1] + d[0]];
                if w[1] > 500.0 {
                    break;
                }
            }
            let goes_on =
                2.0 * w[0] + w[1] < 300.0 && w[0] * w[0] + w[1] * w[1] < 9000.0 && rounds < 50;
            if !goes_on {
                break;
            }
        }
        out.push(rounds * 10000 + (w[0] - w[1]) as i32);

        let (mut p, mut q, mut inner) = ([d[0], d[1], d[2]], d, 0);
        for _ in 0..6 {
            if p.iter().map(|c| c * c).sum::<f32>() >= 100000.0 {
                break;
            }
            for k in 0..5 {
                let square = q.iter().map(|c| c * c).sum::<f32>();
                if 2.0 * (q[0] * q[3] + q[1] * q[2]) >= 5000.0 || square >= 20000.0 {
                    break;
                }
                q = [q[1], q[2], q[3] + k as f32, q[0] - p[1]];
                inner += 1;
            }
            if q[0] > p[0] {
                p = [p[0] + q[0], p[1] + q[1], p[2] + q[2]];
            } else {
                p[1] -= 3.0;
            }
            q = q.map(|c| (c * 0.5).floor());
        }
        out.push(inner * 100000 + (p[0] + 3.0 * p[1] - 5.0 * p[2]) as i32);

        let (mut a, mut n) = ([d[3], d[2], d[1]], 0);
        while n < 12 && a[0] * a[0] + 2.0 * a[1] * a[1] + a[2] * a[2] < 2000.0 {
            a = [a[2] + 1.0, a[0] + 2.0, a[1] + d[0]];
            n += 1;
        }
        out.push(n * 10000 + (a[0] + 7.0 * a[1] + 11.0 * a[2]) as i32);
    }
    t.expect("u0", out);
});
