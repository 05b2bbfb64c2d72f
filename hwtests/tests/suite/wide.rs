//! 64-bit integers and doubles.

use dxil_hwtests::{
    element::{Random, Tolerance},
    rows,
};

gpu_case!(int64_arithmetic, "wide/int64_arithmetic", |t| {
    let mut random = Random::new(100);
    const EDGES: [u64; 4] = [0, u64::MAX, 1 << 63, 0xffff_ffff];
    let data: Vec<u64> = rows(64, |i| {
        if i < 8 {
            EDGES[(i / 2) ^ (i % 2 * 3)]
        } else {
            random.bits64() >> (i % 48)
        }
    });
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(32, |i| {
            let (a, b) = (data[i * 2], data[i * 2 + 1]);
            let (sa, sb) = (a as i64, b as i64);
            let shift = (b & 63) as u32;
            [
                a.wrapping_add(b),
                a.wrapping_sub(b),
                a.wrapping_mul(b),
                a / (b | 1),
                a % (b | 1),
                (sa / ((b >> 40) | 1) as i64) as u64,
                a << shift,
                a >> shift,
                (sa >> shift) as u64,
                u64::from(a < b) + u64::from(sa < sb) * 2 + u64::from(a == b) * 4,
                a.min(b),
                sa.max(sb) as u64,
                u64::from(a.count_ones()),
                (a ^ b) | (a & !b),
            ]
        }),
    );
});

gpu_case!(int64_conversions, "wide/int64_conversions", |t| {
    let mut random = Random::new(101);
    let data: Vec<u64> = rows(32, |i| if i == 0 { 0 } else { random.bits64() });
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(32, |i| {
            let a = data[i];
            let low = (a as u32 & 0xffff) as f32;
            [
                u64::from(a as u32),
                a as i32 as i64 as u64,
                u64::from(((a & 0xff_ffff) as f32).to_bits()),
                (low * 1024.0) as u64,
                (-low * 4096.0) as i64 as u64,
                u64::from(a != 0),
            ]
        }),
    );
});

gpu_case!(double_arithmetic, "wide/double_arithmetic", |t| {
    let mut random = Random::new(102);
    let data: Vec<f64> = rows(64, |_| {
        let v = (random.bits64() >> 12) as f64 / (1u64 << 50) as f64 - 2.0;
        if v.abs() < 0.01 { 0.5 } else { v }
    });
    t.input("t0", &data);
    t.expect_near(
        "u0",
        rows(32, |i| {
            let (a, b) = (data[i * 2], data[i * 2 + 1]);
            [
                a + b,
                a - b,
                a * b,
                a / b,
                a.min(b),
                a.max(b),
                a.mul_add(b, 1.0),
                if a < b { -a } else { b.abs() },
                if a == b || a >= 2.0 { 1.0 } else { 0.5 },
            ]
        }),
        // A device may round the product of fma.
        Tolerance::Relative(1e-13),
    );
});

gpu_case!(double_conversions, "wide/double_conversions", |t| {
    let mut random = Random::new(103);
    let data: Vec<u64> = rows(32, |i| {
        let magnitude = [0.75, 3.0, 1e3, 1e6, 1e9][i % 5];
        let v = (random.below(1 << 20) as f64 / (1 << 19) as f64 - 1.0) * magnitude;
        v.to_bits()
    });
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(32, |i| {
            let d = f64::from_bits(data[i]);
            let half = f64::from(data[i] as i32) * 0.5;
            let words = |v: f64| [v.to_bits() as u32, (v.to_bits() >> 32) as u32];
            let ([a, b], [c, e]) = (words(half), words(-d));
            [
                (d as f32).to_bits(),
                d.abs() as u32,
                d as i32 as u32,
                a,
                b,
                c,
                e,
            ]
        }),
    );
});

gpu_case!(aligned_words_of_raw_buffers, "wide/raw_rows", |t| {
    let mut random = Random::new(104);
    // 46 words: of the reads at 8 i + 256 the last two are beyond the end.
    let data: Vec<u64> = rows(46, |_| random.bits64());
    t.input("t0", &data);
    let at = |word: usize| data.get(word).copied().unwrap_or(0);
    let mut out: Vec<u64> = rows(16, |i| at(i).wrapping_add(at(8 + 2 * i + 1)));
    for i in 0..16 {
        out.extend([at(8 + 2 * i) ^ at(i + 32), at(i + 32)]);
    }
    t.expect("u0", out);
});
