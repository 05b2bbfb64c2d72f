//! Loops: their kinds, exits and nesting, and values that go round.

#![allow(clippy::manual_is_multiple_of, reason = "written as the HLSL is")]

use dxil_hwtests::element::{Bytes, Random};
use dxil_hwtests::{Case, rows};

use super::flow::start;

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

gpu_case!(loops_that_count, "flow/counted_loops", |t| {
    let mut random = Random::new(34);
    // Below 16, so that the counter of the last loop does not wrap around.
    let mut data = random.many(64, 16);
    (data[5], data[6]) = (9, 9);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |id| {
            let (from, to) = (data[id], data[(id + 1) & 63]);
            let (mut up, mut last) = (7u32, 99u32);
            for i in from..to {
                last = up;
                up = up.wrapping_mul(3).wrapping_add(data[i as usize]);
            }
            let falling = || (to + 1..=from).rev();
            let down = falling().fold(1u32, |x, j| x.wrapping_mul(5).wrapping_add(j));
            let (mut sum, mut fall) = (0i32, 0i32);
            for k in (from..to).map(|k| k as i32 - 20).filter(|k| k & 1 == 0) {
                sum = sum.wrapping_mul(2).wrapping_add(k);
            }
            for m in falling().map(|m| m as i32 - 20) {
                if fall > 1000 {
                    break;
                }
                fall = fall.wrapping_mul(2).wrapping_sub(m);
            }
            let rounds = (from..to).fold(0u32, |x, q| x.wrapping_mul(3).wrapping_add(q & 7));
            [up, last, down, sum as u32, fall as u32, rounds]
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

gpu_case!(loop_carried_vectors, "flow/vector_phis", |t| {
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

/// Runs an unrolled loop of that many steps, which lanes leave at different steps and ways.
fn unrolled_exits(t: &mut Case, steps: usize) {
    const LIMIT: [f32; 4] = [19.5, 5.5, 600.0, 0.0];
    const COUNT: usize = 20;
    let mut random = Random::new(48);
    let mut value = |below| random.many(1, below)[0] as f32;
    let data: Vec<[f32; 4]> = (0..64 + steps)
        .map(|_| [value(21), value(7), value(4), value(4)])
        .collect();
    t.input("t0", data.as_flattened());
    t.constants("b0", Bytes::new().put(LIMIT).put([COUNT as u32, 0, 0, 0]).0);
    let each = |a: [f32; 4], b: [f32; 4], f: fn(f32, f32) -> f32| {
        std::array::from_fn::<f32, 4, _>(|k| f(a[k], b[k]))
    };
    // All numbers are integers below 2^24, so that the order of operations does not matter.
    let row = |id: usize| {
        let mut a = data[id];
        let mut b = [a[1], a[2], a[3], a[0]];
        let mut c = [0.0; 4];
        let (mut hits, mut last, mut best) = (0, 0, 16.0_f32);
        for i in 0..steps {
            let v = data[id + i];
            if v[0] > LIMIT[0] {
                c = each(c, v, |c, v| c + v);
                last = i;
                break;
            }
            if v[1] > LIMIT[1] {
                hits += 2;
                best = best.min(v[1]);
                continue;
            }
            if each(v, a, |v, a| v * a).iter().sum::<f32>() > LIMIT[2] {
                b = each(b, v, |b, v| b * v);
                best = v[2];
                last = i + 1;
                break;
            }
            a = each(a, v, |a, v| a + v);
            b = each(b, a, |b, a| b - a);
            hits += 1;
            if i >= COUNT {
                break;
            }
        }
        let first = std::array::from_fn::<f32, 4, _>(|k| a[k] + b[k] * best);
        let second = each(c, [hits as f32, last as f32, best, 0.0], |c, v| c + v);
        [first, second].concat()
    };
    t.expect("u0", (0..64).flat_map(row).collect());
}

gpu_case!(
    unrolled_loops_with_several_exits,
    "flow/unrolled_exits_8",
    |t| { unrolled_exits(t, 8) }
);

gpu_case!(
    long_unrolled_loops_with_several_exits,
    "flow/unrolled_exits_24",
    |t| { unrolled_exits(t, 24) }
);
