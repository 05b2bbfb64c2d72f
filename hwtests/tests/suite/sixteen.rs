//! Native 16-bit types.

use dxil_hwtests::{
    element::{Bytes, Random, f16, from_bytes},
    rows,
};

/// Returns the halves with few enough bits that sums and products of two are exact.
fn small_half(random: &mut Random) -> f16 {
    f16::from_f32((random.below(64) as f32 - 32.0) * 0.25)
}

gpu_case!(half_arithmetic, "sixteen/half_arithmetic", |t| {
    let mut random = Random::new(90);
    let data: Vec<[f16; 2]> = rows(64, |_| [small_half(&mut random), small_half(&mut random)]);
    t.input("t0", &data);
    let half = f16::from_f32;
    t.expect_near(
        "u0",
        rows(64, |i| {
            let [a, b] = data[i].map(f16::to_f32);
            [
                half(a + b),
                half(a * b),
                half(a - b),
                half(a.max(b)),
                half(a.min(-b)),
                half(a.abs()),
                half(if a < b { a.floor() } else { b.ceil() }),
                half(a.clamp(0.0, 1.0)),
            ]
        }),
        // Zeros of either sign.
        dxil_hwtests::Tolerance::Ulp(0),
    );
});

gpu_case!(
    integers_wrap_at_sixteen_bits,
    "sixteen/int16_arithmetic",
    |t| {
        let mut random = Random::new(91);
        let data: Vec<[u16; 2]> = rows(64, |_| [random.bits() as u16, random.bits() as u16]);
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(64, |i| {
                let [a, b] = data[i];
                let (sa, sb) = (a as i16, b as i16);
                [
                    a.wrapping_add(b),
                    a.wrapping_mul(b),
                    a.wrapping_sub(b),
                    a << (b & 15),
                    a >> (b & 15),
                    (sa >> (b & 15)) as u16,
                    a / (b | 1),
                    sa.min(sb) as u16,
                    a.max(b),
                    if sa < sb { 1 } else { 2 },
                    a ^ b,
                    sa.wrapping_abs() as u16,
                ]
            }),
        );
    }
);

gpu_case!(
    conversions_from_and_to_sixteen_bits,
    "sixteen/conversions",
    |t| {
        let mut random = Random::new(92);
        let data: Vec<u32> = rows(64, |_| random.bits());
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(64, |i| {
                let v = data[i];
                let h = (v & 0x7ff) as f32 * 0.25;
                [
                    u32::from(v as u16),
                    v as i16 as u32,
                    f32::from(v as u16).to_bits(),
                    f32::from(v as i16).to_bits(),
                    h.to_bits(),
                    h as u32,
                    u32::from(f16::from_f32(h).to_bits()),
                    f16::from_bits((v & 0x7bff) as u16).to_f32().to_bits(),
                ]
            }),
        );
    }
);

gpu_case!(members_at_odd_halves, "sixteen/buffers", |t| {
    // a, b, c, d (three halves), e: 2 + 2 + 4 + 6 + 2 bytes.
    let mut random = Random::new(93);
    let half = |v: u32| f16::from_f32(v as f32);
    let (mut input, mut expected) = (Bytes::new(), Bytes::new());
    for _ in 0..16 {
        let a = half(random.below(100));
        let b = random.bits() as u16;
        let c = random.below(1000) as f32;
        let d: [f16; 3] = std::array::from_fn(|_| half(random.below(100)));
        let e = random.below(1000) as i16;
        input = input.put(a).put(b).put(c).put(d).put(e);
        expected = expected
            .put(d[0])
            .put(b.wrapping_add(1))
            .put(c * 2.0)
            .put([d[1], d[2], a])
            .put(-e);
    }
    t.input("t0", &input.0);
    t.expect("u0", from_bytes::<u16>(&expected.0));
    let raw: Vec<u16> = rows(48, |_| half(random.below(500)).to_bits());
    t.input("t1", &raw);
    let mut out: Vec<u16> = rows(16, |i| raw[i * 3 + 1]);
    for i in 0..16 {
        out.extend([raw[i * 3 + 2], raw[i * 3 + 1], raw[i * 3]]);
    }
    t.expect("u1", out);
});

gpu_case!(halves_in_groupshared_memory, "sixteen/groupshared", |t| {
    let data: Vec<f16> = rows(32, |i| f16::from_f32(i as f32 * 1.5));
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(32, |i| {
            let at = |k: usize| data[(i * 5 + k) & 31].to_f32();
            f16::from_f32(at(i & 3) + at((i >> 2) & 3))
        }),
    );
});

gpu_case!(half_dot_products_accumulate, "sixteen/dot2add", |t| {
    let mut random = Random::new(94);
    let data: Vec<[f16; 4]> = rows(32, |_| std::array::from_fn(|_| small_half(&mut random)));
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(32, |i| {
            let v = data[i].map(f16::to_f32);
            i as f32 + v[0] * v[2] + v[1] * v[3]
        }),
    );
});

gpu_case!(waves_of_sixteen_bits, "sixteen/waves", |t| {
    t.wgpu_refuses("shaderSubgroupExtendedTypes");
    let mut random = Random::new(95);
    let data: Vec<u16> = rows(64, |_| random.below(1000) as u16);
    t.input("t0", &data);
    let wave = t.wave_size as usize;
    t.expect(
        "u0",
        rows(64, |i| {
            let first = i / wave * wave;
            let lanes = &data[first..(first + wave).min(64)];
            [
                lanes.iter().sum::<u16>(),
                data[first..i].iter().sum(),
                *lanes.iter().max().unwrap(),
                lanes[1],
            ]
        }),
    );
});

gpu_case!(vectors_of_halves_are_rows, "sixteen/rows", |t| {
    // position, uv, weight, tag, more: 8 + 4 + 4 + 4 + 4 bytes.
    let mut random = Random::new(95);
    let half = |v: u32| f16::from_f32(v as f32);
    let (mut input, mut expected) = (Bytes::new(), Bytes::new());
    for _ in 0..16 {
        let p: [f16; 4] = std::array::from_fn(|_| half(random.below(100)));
        let uv: [f16; 2] = std::array::from_fn(|_| half(random.below(100)));
        let weight = random.below(1000) as f32;
        let tag: [i16; 2] = std::array::from_fn(|_| random.below(1000) as i16);
        let more: [u16; 2] = std::array::from_fn(|_| random.bits() as u16);
        input = input.put(p).put(uv).put(weight).put(tag).put(more);
        expected = expected
            .put([p[3], p[2], p[1], p[0]])
            .put([uv[1], uv[0]])
            .put(weight * 2.0)
            .put([-tag[1], -tag[0]])
            .put([more[1].wrapping_add(1), more[0].wrapping_add(1)]);
    }
    t.input("t0", &input.0);
    t.expect("u0", from_bytes::<u16>(&expected.0));
    // 192 bytes: the last of the reads at 8 i + 72 go up to byte 199.
    let raw: Vec<f16> = rows(96, |_| half(random.below(500)));
    t.input("t1", &raw);
    let at = |byte: usize| raw.get(byte / 2).copied().unwrap_or(f16::from_f32(0.0));
    let sum = |a: f16, b: f16| f16::from_f32(a.to_f32() + b.to_f32());
    let mut out: Vec<f16> = Vec::new();
    for i in 0..16 {
        out.extend([1, 0, 3, 2].map(|k| at(i * 8 + k * 2)));
    }
    for i in 0..16 {
        out.extend([0, 1].map(|k| sum(at(i * 4 + 64 + k * 2), at(i * 8 + 72 + k * 2))));
    }
    for i in 0..16 {
        out.extend([2, 1, 0].map(|k| at(i * 6 + 24 + k * 2)));
    }
    for i in 0..16 {
        let with = [2, 2, 3, 3];
        out.extend([0, 1, 2, 3].map(|k| {
            let other = with[k];
            sum(at(i * 12 + 4 + k * 2), at(i * 8 + 72 + other * 2))
        }));
    }
    t.expect("u1", out);
});
