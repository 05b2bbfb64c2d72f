//! Conversions and divisions at the edges of their types, where D3D12 has an answer and SPIR-V has
//! none.

use dxil_hwtests::Case;
use dxil_hwtests::element::{Bytes, Random, Tolerance, f16};
use dxil_hwtests::rows;
use dxil_hwtests::special::Number;

/// Returns floats around the limits of all integer types, special values, and random ones.
fn floats<T: Number>() -> Vec<T> {
    let mut values = vec![f64::NAN, f64::INFINITY, 0.0, 0.5, 0.999, 1.0, 1.999, 1e-40];
    for bits in [15, 16, 31, 32, 63, 64] {
        let limit = 2.0_f64.powi(bits);
        // The neighbours in each type of float, one away, and far beyond.
        for below in [11, 24, 53] {
            values.push(limit - 2.0_f64.powi(bits - below));
        }
        values.extend([limit - 1.0, limit, limit + 1.0, limit * 1.5, limit * 1024.0]);
    }
    values.extend(values.clone().into_iter().map(|value| -value));
    let mut random = Random::new(110);
    values.resize_with(192, || {
        f64::from(random.float(-1.0, 1.0)) * 2.0_f64.powi(random.below(70) as i32 - 3)
    });
    values.into_iter().map(T::of).collect()
}

/// Expects D3D's conversion, which is `as` of Rust: toward zero, clamped to the range, zero for NaN
/// (D3D11.3 functional specification, 22.13.3 and 22.13.4).
fn to_integers<T: Number>(t: &mut Case) {
    let data = floats::<T>();
    t.groups(3, 1, 1);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(data.len(), |i| {
            let x = data[i].value();
            [
                u64::from(x as u16),
                i64::from(x as i16) as u64,
                u64::from(x as u32),
                i64::from(x as i32) as u64,
                x as u64,
                x as i64 as u64,
            ]
        }),
    );
}

gpu_case!(@ floats_as_integers, "numbers/to_integers", |t| {
    to_integers::<f32>(t);
}, [vulkan]);

gpu_case!(@ halves_as_integers, "numbers/to_integers_half", |t| {
    to_integers::<f16>(t);
}, [vulkan]);

gpu_case!(@ doubles_as_integers, "numbers/to_integers_double", |t| {
    to_integers::<f64>(t);
}, [vulkan]);

gpu_case!(@ integers_as_floats, "numbers/from_integers", |t| {
    let mut random = Random::new(111);
    let data: Vec<u64> = rows(64, |i| match i {
        0..32 => random.bits64() >> (i * 2),
        32..48 => u64::MAX - (random.bits64() >> (i * 2 - 48)),
        // Half way between two floats, and beside it: rounded to even.
        _ => (0x0100_0001 + i as u64) | (1 << 40),
    });
    t.input("t0", &data);
    let ints = |i: usize| (data[i] as u32, data[i] as i32, data[i], data[i] as i64);
    // "Round to nearest even is strongly recommended but not required" (22.13.5): one unit is
    // allowed.
    t.expect_near(
        "u0",
        rows(64, |i| {
            let (a, b, c, d) = ints(i);
            [a as f32, b as f32, c as f32, d as f32]
        }),
        Tolerance::Ulp(1),
    );
    t.expect_near(
        "u1",
        rows(64, |i| {
            let (a, b, c, d) = ints(i);
            [f64::from(a), f64::from(b), c as f64, d as f64]
        }),
        Tolerance::Ulp(1),
    );
    t.expect_near(
        "u2",
        rows(64, |i| {
            let word = data[i] as u16;
            let half = |value: f32| f16::from_f32(value);
            [half(word.into()), half((word as i16).into())]
        }),
        Tolerance::Ulp(1),
    );
}, [vulkan]);

macro_rules! divisions {
    ($t:ident, $unsigned:ty, $signed:ty) => {{
        const EDGES: [$unsigned; 8] = [
            0,
            1,
            2,
            7,
            <$signed>::MAX as $unsigned,
            <$signed>::MIN as $unsigned,
            <$unsigned>::MAX,
            <$unsigned>::MAX - 1,
        ];
        let mut random = Random::new(112);
        let mut data: Vec<[$unsigned; 2]> = rows(64, |i| [EDGES[i / 8], EDGES[i % 8]]);
        // Amounts up to twice the width, and any divisor.
        data.extend(rows(64, |i| {
            let b = random.bits64() as $unsigned;
            let amount = b % (2 * <$unsigned>::BITS) as $unsigned;
            [
                random.bits64() as $unsigned,
                if i % 2 == 0 { b } else { amount },
            ]
        }));
        $t.groups(2, 1, 1);
        $t.input("t0", &data);
        $t.expect(
            "u0",
            rows(data.len(), |i| {
                let [a, b] = data[i];
                let (sa, sb) = (a as $signed, b as $signed);
                let signed = |x: $signed| {
                    if b == 0 {
                        <$unsigned>::MAX
                    } else {
                        x as $unsigned
                    }
                };
                [
                    // D3D11.3 functional specification, 22.12.9: all ones for both.
                    a.checked_div(b).unwrap_or(<$unsigned>::MAX),
                    a.checked_rem(b).unwrap_or(<$unsigned>::MAX),
                    // DXIL takes over LLVM's undefined results; ours are these.
                    signed(sa.wrapping_div(if sb == 0 { 1 } else { sb })),
                    signed(sa.wrapping_rem(if sb == 0 { 1 } else { sb })),
                    // 22.11.7, 22.11.8, 22.11.12: only the low bits of an amount count.
                    a.wrapping_shl(b as u32),
                    a.wrapping_shr(b as u32),
                    sa.wrapping_shr(b as u32) as $unsigned,
                ]
            }),
        );
    }};
}

gpu_case!(divisions_and_shifts_of_words, "numbers/divisions", |t| {
    divisions!(t, u32, i32);
});

gpu_case!(@ divisions_and_shifts_of_16_bits, "numbers/divisions_16", |t| {
    divisions!(t, u16, i16);
}, [vulkan]);

gpu_case!(@ divisions_and_shifts_of_64_bits, "numbers/divisions_64", |t| {
    divisions!(t, u64, i64);
}, [vulkan]);

/// Runs `numbers/min_precision`. Expected values are whole numbers: a half of them is exact in
/// every precision.
fn min_precision(t: &mut Case) {
    let mut random = Random::new(113);
    let data: Vec<i32> = rows(64, |_| random.below(201) as i32 - 100);
    let (bias, mask) = ([7_i32, -11], 0x5a_u32);
    // `min16` members take four bytes each in a constant buffer.
    let constants = Bytes::new().put(0.5_f32).put(bias).put(mask);
    t.constants("b0", constants.0);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |i| {
            let v = data[i];
            let left = data[(i + 1) & 63] as f32 * 0.5;
            let word = (data[(i + 63) & 63] & 0xff) as u32 ^ mask;
            let bent = if left < 0.0 {
                -left * 2.0
            } else {
                left + bias[0] as f32
            };
            let local = |k: u32| v * k as i32 + bias[(k & 1) as usize];
            let differ = (v < bias[0]) != (left >= v as f32);
            [
                (bent * 4.0) as i32,
                local(word & 3),
                (word >> 2) as i32,
                v >> 1,
                v.min(bias[1]),
                (v as f32).max(left) as i32,
                (left * 0.5).floor() as i32,
                (left.clamp(0.0, 1.0) * 8.0) as i32,
                if differ { word / 3 } else { word % 5 } as i32,
                v.abs() + i32::from(v == bias[1]),
            ]
        }),
    );
}

gpu_case!(
    min_precision_in_relaxed_32_bits,
    "numbers/min_precision",
    |t| {
        min_precision(t);
    }
);

gpu_case!(@ min_precision_in_native_16_bits, "numbers/min_precision", |t| {
    t.native_min_precision = true;
    min_precision(t);
}, [vulkan wgpu]);

gpu_case!(@ native_min_precision_of_other_cases, "arith/minprec", |t| {
    t.native_min_precision = true;
    crate::arith::min_precision_holds_what_sixteen_bits_hold::describe(t);
}, [vulkan wgpu]);

fn rounds_each_step(t: &mut Case) {
    let mut random = Random::new(114);
    let data: Vec<[f32; 3]> = rows(64, |i| {
        let mut any = |exponent: i32| {
            let mantissa = f32::from_bits(0x3f80_0000 | random.bits() >> 9);
            mantissa * 2.0_f32.powi(exponent) * if random.below(2) == 0 { 1.0 } else { -1.0 }
        };
        match i {
            0 => [f32::INFINITY, 1.0, 2.0],
            1 => [-1.0, 1.0, 1e-8],
            // Products near the third number, where a fused operation shows.
            _ if i % 2 == 0 => {
                let (a, b) = (any(0), any(0));
                [a, b, -a * b]
            }
            _ => [any(0), any(-13), any(-20)],
        }
    });
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |i| {
            let [a, b, c] = data[i];
            let sum = a + b;
            let b_seen = sum - a;
            let a_seen = sum - b_seen;
            [
                sum,
                (a - a_seen) + (b - b_seen),
                a * b + c,
                a * b + c,
                c - a * b,
                (a + b) + c,
                a + (b + c),
                a * 0.0,
            ]
        }),
    );
}

gpu_case!(@ precise_rounds_each_step_in_order, "numbers/precise", |t| {
    rounds_each_step(t);
}, [vulkan wgpu]);

gpu_case!(@ strict_shaders_round_each_step_in_order, "numbers/strict", |t| {
    rounds_each_step(t);
}, [vulkan wgpu]);

/// Returns the bits of a half as a float's.
fn as_float(bits: u32) -> u32 {
    f16::from_bits(bits as u16).to_f32().to_bits()
}

gpu_case!(all_halves_as_floats_and_back, "numbers/all_halves", |t| {
    t.groups(1024, 1, 1);
    t.expect_that("u0", 2 << 16, |got: &[u32]| {
        let nan = |bits: u32| f16::from_bits(bits as u16).is_nan() && bits >> 16 == 0;
        let wrong: Vec<String> = (0..1_u32 << 16)
            .zip(got.chunks_exact(2))
            .filter(|&(bits, pair)| {
                let float_is_right =
                    pair[0] == as_float(bits) || (nan(bits) && f32::from_bits(pair[0]).is_nan());
                let half_is_right = pair[1] == bits || (nan(bits) && nan(pair[1]));
                !(float_is_right && half_is_right)
            })
            .map(|(bits, pair)| format!("{bits:#06x} gives {:#010x} and {:#06x}", pair[0], pair[1]))
            .collect();
        if wrong.is_empty() {
            return Ok(());
        }
        Err(format!(
            "{} halves are wrong: {:?}",
            wrong.len(),
            &wrong[..wrong.len().min(12)]
        ))
    });
});

gpu_case!(@ native_halves_are_next_to_their_numbers, "numbers/native_halves", |t| {
    let mut random = Random::new(115);
    let mut data = vec![0.0, 1.0, 65504.0, 65519.0, 65520.0, 1e6, f32::INFINITY, f32::NAN, 1e-40];
    data.extend([6e-8, 3e-8, 2e-8, 6.1e-5, 1024.5, 1025.5]);
    data.extend(data.clone().iter().map(|x| -x));
    data.resize_with(128, || {
        let exponent = 127 - 28 + random.below(48);
        f32::from_bits(random.bits() & 0x807f_ffff | exponent << 23)
    });
    t.groups(2, 1, 1);
    t.input("t0", &data);
    t.expect_that("u0", 512, move |got: &[u32]| {
        let mut wrong = Vec::new();
        for (&x, row) in data.iter().zip(got.chunks_exact(4)) {
            // D3D12's drivers round to the nearest or cut off; what is too large is infinite or the
            // largest.
            let nearest = f16::from_f32(x);
            let too_far = nearest.to_f32().abs() > x.abs();
            let cut = f16::from_bits(nearest.to_bits() - u16::from(too_far));
            for &bits in &row[..2] {
                let half = f16::from_bits(bits as u16);
                let same = |want: f16| half.to_bits() == want.to_bits();
                let right = same(nearest) || same(cut) || (half.is_nan() && x.is_nan());
                if bits >> 16 != 0 || !right {
                    wrong.push(format!("{x:?} gives {bits:#06x}, allowed: {nearest:?} {cut:?}"));
                }
            }
            // The way up is exact.
            let half = f16::from_bits(row[0] as u16);
            for (bits, want) in [(row[2], half.to_f32()), (row[3], half.to_f32() * 0.5)] {
                let float = f32::from_bits(bits);
                if bits != want.to_bits() && !(float.is_nan() && want.is_nan()) {
                    wrong.push(format!("{half:?} gives {float:?}, not {want:?}"));
                }
            }
        }
        if wrong.is_empty() {
            return Ok(());
        }
        Err(wrong.join("\n  "))
    });
}, [vulkan wgpu]);
