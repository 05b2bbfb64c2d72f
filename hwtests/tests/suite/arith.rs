//! Arithmetic on integers and packed numbers, with the results that D3D12 defines at the edges; and
//! selections.

use dxil_hwtests::{element::Random, rows};

/// Numbers where integer arithmetic has its edges.
const EDGES: [u32; 8] = [
    0,
    1,
    2,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0xffff_fffe,
    0x0001_0000,
];

/// Returns all pairs of edges: 64 of them.
fn edge_pairs() -> Vec<[u32; 2]> {
    rows(64, |i| [EDGES[i / 8], EDGES[i % 8]])
}

/// Returns pairs of random bits.
fn random_pairs(seed: u64) -> Vec<[u32; 2]> {
    let mut random = Random::new(seed);
    rows(64, |_| [random.bits(), random.bits()])
}

/// Returns pairs of edges and random numbers, half and half.
fn mixed_pairs(seed: u64) -> Vec<[u32; 2]> {
    let mut pairs = edge_pairs();
    for (index, pair) in random_pairs(seed).into_iter().enumerate() {
        if index % 2 == 0 {
            pairs[index] = pair;
        }
    }
    pairs
}

gpu_case!(integer_arithmetic_wraps, "arith/int_basic", |t| {
    let data = mixed_pairs(1);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |i| {
            let [a, b] = data[i];
            [
                a.wrapping_add(b),
                a.wrapping_sub(b),
                a.wrapping_mul(b),
                a & b,
                a | b,
                a ^ b,
                !a,
                a.wrapping_neg(),
                a.wrapping_shl(b),
                a.wrapping_shr(b),
                (a as i32).wrapping_shr(b) as u32,
                a.wrapping_mul(5).wrapping_add(b << 3),
            ]
        }),
    );
});

gpu_case!(
    unsigned_division_by_zero_gives_all_ones,
    "arith/int_divide",
    |t| {
        let data = mixed_pairs(2);
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(64, |i| {
                let [a, b] = data[i];
                let sa = a as i32;
                let sb = match (b | 1) as i32 >> 3 {
                    0 => 7,
                    other => other,
                };
                [
                    a.checked_div(b).unwrap_or(u32::MAX),
                    a.checked_rem(b).unwrap_or(u32::MAX),
                    sa.wrapping_div(sb) as u32,
                    sa.wrapping_rem(sb) as u32,
                    a / 10,
                    (sa % 16) as u32,
                ]
            }),
        );
    }
);

gpu_case!(integer_comparisons, "arith/int_compare", |t| {
    let data = edge_pairs();
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |i| {
            let [a, b] = data[i];
            let (sa, sb) = (a as i32, b as i32);
            [
                a == b,
                a != b,
                a < b,
                a <= b,
                a > b,
                a >= b,
                sa < sb,
                sa <= sb,
                sa > sb,
                sa >= sb,
            ]
            .into_iter()
            .enumerate()
            .map(|(bit, holds)| u32::from(holds) << bit)
            .sum::<u32>()
        }),
    );
});

gpu_case!(
    bit_searches_answer_minus_one_for_none,
    "arith/int_bits",
    |t| {
        let mut random = Random::new(3);
        let data: Vec<u32> = rows(64, |i| match i {
            0..8 => EDGES[i],
            8..40 => 1 << (i - 8),
            _ => random.bits() >> (i % 32),
        });
        t.input("t0", &data);
        let high = |v: u32| v.checked_ilog2().unwrap_or(u32::MAX);
        let low = |v: u32| if v == 0 { u32::MAX } else { v.trailing_zeros() };
        t.expect(
            "u0",
            rows(64, |i| {
                let v = data[i];
                let signed = if (v as i32) < 0 { !v } else { v };
                [
                    v.count_ones(),
                    v.reverse_bits(),
                    high(v),
                    high(signed),
                    low(v),
                    low(v & 0xffff_0000),
                ]
            }),
        );
    }
);

gpu_case!(integer_extremes_and_multiply_add, "arith/int_minmax", |t| {
    let data = mixed_pairs(4);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |i| {
            let [a, b] = data[i];
            let (sa, sb) = (a as i32, b as i32);
            [
                a.min(b),
                a.max(b),
                sa.min(sb) as u32,
                sa.max(sb) as u32,
                sa.clamp(-100, 100) as u32,
                a.wrapping_mul(b).wrapping_add(17),
                a.wrapping_mul(b).wrapping_sub(17),
                sa.wrapping_abs() as u32,
                sa.signum() as u32,
            ]
        }),
    );
});

gpu_case!(additions_carry_into_the_high_word, "arith/carry_add", |t| {
    let data: Vec<[u32; 4]> = mixed_pairs(5)
        .into_iter()
        .zip(edge_pairs())
        .map(|(a, b)| [a[0], a[1], b[0], b[1]])
        .collect();
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |i| {
            let wide = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
            let [a, b, c, d] = data[i];
            let sum = wide(a, b).wrapping_add(wide(c, d));
            [sum as u32, (sum >> 32) as u32]
        }),
    );
});

gpu_case!(
    masked_sums_skip_zero_bytes_of_the_reference,
    "arith/msad",
    |t| {
        let mut random = Random::new(6);
        let data: Vec<[u32; 4]> = rows(64, |i| {
            let mask = if i % 3 == 0 { 0xff00_ffff } else { u32::MAX };
            [
                random.bits() & mask,
                random.bits(),
                random.bits(),
                random.below(1000),
            ]
        });
        t.input("t0", &data);
        let msad = |reference: u32, source: u32, sum: u32| {
            reference
                .to_le_bytes()
                .into_iter()
                .zip(source.to_le_bytes())
                .filter(|(r, _)| *r != 0)
                .map(|(r, s)| u32::from(r.abs_diff(s)))
                .sum::<u32>()
                .wrapping_add(sum)
        };
        t.expect(
            "u0",
            rows(64, |i| {
                let [reference, low, high, start] = data[i];
                let source = u64::from(high) << 32 | u64::from(low);
                let sums = [start, 1, 2, 3];
                std::array::from_fn::<u32, 4, _>(|k| {
                    msad(reference, (source >> (8 * k)) as u32, sums[k])
                })
            }),
        );
    }
);

gpu_case!(selects_and_boolean_logic, "arith/select", |t| {
    let mut random = Random::new(14);
    let data: Vec<[i32; 4]> = rows(64, |i| {
        std::array::from_fn(|_| {
            let v = random.below(200) as i32 - 100;
            if i % 5 == 0 { -v.abs() - 1 } else { v }
        })
    });
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |i| {
            let v = data[i];
            let negative = v.map(|c| c < 0);
            let odd = v.map(|c| c & 1 != 0);
            let mut r: [i32; 4] = std::array::from_fn(|k| {
                let base = if negative[k] { -v[k] } else { v[k] * 2 };
                if negative[k] && odd[k] {
                    base + 1000
                } else {
                    base
                }
            });
            r[0] += if odd.contains(&true) { 7 } else { 0 };
            r[1] += if negative.contains(&false) { 13 } else { 11 };
            r[2] += i32::from(negative[0] || odd[1]);
            r[3] += i32::from(!odd[2]) * 2 + i32::from(negative[2] != odd[3]) * 4;
            r
        }),
    );
});

gpu_case!(
    bytes_pack_truncating_and_clamping,
    "arith/pack_unpack",
    |t| {
        let mut random = Random::new(18);
        let data: Vec<[i32; 4]> = rows(64, |_| {
            std::array::from_fn(|k| {
                if k == 0 {
                    random.bits() as i32
                } else {
                    random.below(1000) as i32 - 500
                }
            })
        });
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(64, |i| {
                let v = data[i];
                let pack = |f: &dyn Fn(i32) -> u8| u32::from_le_bytes(v.map(f));
                let truncated = pack(&|c| c as u8);
                let b = v[0].to_le_bytes();
                let mut row = [0; 12];
                row[..4].copy_from_slice(&[
                    truncated,
                    truncated,
                    pack(&|c| c.clamp(0, 255) as u8),
                    pack(&|c| c.clamp(-128, 127) as u8),
                ]);
                for k in 0..4 {
                    row[4 + k] = u32::from(b[k]);
                    row[8 + k] = b[k] as i8 as i32 as u32;
                }
                row
            }),
        );
    }
);

gpu_case!(packed_dot_products_accumulate, "arith/dot4add", |t| {
    let mut random = Random::new(19);
    let data: Vec<[u32; 3]> = rows(64, |_| std::array::from_fn(|_| random.bits()));
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |i| {
            let [a, b, sum] = data[i];
            let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
            let unsigned: u32 = (0..4).map(|k| u32::from(a[k]) * u32::from(b[k])).sum();
            let signed: i32 = (0..4)
                .map(|k| i32::from(a[k] as i8) * i32::from(b[k] as i8))
                .sum();
            [sum.wrapping_add(unsigned), sum.wrapping_add(signed as u32)]
        }),
    );
});

gpu_case!(
    min_precision_holds_what_sixteen_bits_hold,
    "arith/minprec",
    |t| {
        let data: Vec<i32> = rows(64, |i| i as i32 - 20);
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(64, |i| {
                let v = data[i];
                let (f, n, u) = (v * 2 + 1, v * 3 - 5, ((v & 0xff) << 2) + 3);
                let last = if f > 20 && n < 60 { n.max(7) } else { u / 3 };
                [f, n, u, last]
            }),
        );
    }
);

gpu_case!(
    unoptimised_code_works_in_memory,
    "arith/od_unoptimised",
    |t| {
        let mut random = Random::new(20);
        let data = random.many(64, 1 << 20);
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(64, |i| {
                let (mut x, mut y, mut b) = (i as u32, 3u32, 16.0f32);
                let mut sum = 0u32;
                for value in [data[i], data[i] >> 8, 5, i as u32] {
                    x = x.wrapping_add(value);
                    y ^= x;
                    b = b * 0.5 + (value & 7) as f32;
                    sum = sum.wrapping_add(y).wrapping_add(b as u32);
                }
                sum
            }),
        );
    }
);

gpu_case!(functions_that_stay_functions, "odd/noinline", |t| {
    let mut random = Random::new(21);
    let data: Vec<i32> = rows(32, |_| random.below(2000) as i32 - 1000);
    t.input("t0", &data);
    let twist = |a: i32, b: i32| if a > b { a * 3 - b } else { b ^ a };
    t.expect(
        "u0",
        rows(32, |i| {
            let (quotient, rest) = (data[i] / 7, 100 + data[i] % 7);
            let odd = rest & 1 != 0;
            [twist(quotient, rest), if odd { twist(rest, 5) } else { -1 }]
        }),
    );
});

gpu_case!(
    infinities_and_nan_are_constants,
    "arith/non_finite_constants",
    |t| {
        let data = [3.0, -2.0, 7.0, f32::INFINITY, 0.5, -9.0, 1.0, 8.0];
        t.input("t0", &data);
        t.expect_that("u0", 8 * 4, move |words: &[u32]| {
            for (at, row) in words.as_chunks::<4>().0.iter().enumerate() {
                let before = &data[..at];
                let most = before.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let least = before.iter().copied().fold(f32::INFINITY, f32::min);
                let table = [f32::INFINITY, 1.5, f32::NEG_INFINITY, f32::NAN][at & 3];
                let own = if data[at].is_finite() {
                    data[at]
                } else {
                    f32::NAN
                };
                let expected = [most, least, table, own];
                let same = |(&got, want): (&u32, &f32)| {
                    let got = f32::from_bits(got);
                    got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan()
                };
                if !row.iter().zip(&expected).all(same) {
                    let got = row.map(f32::from_bits);
                    return Err(format!("[{at}] is {got:?}, expected {expected:?}"));
                }
            }
            Ok(())
        });
    }
);
