//! Shaders that a newer DXC compiled: shader models 6.7 and 6.8, and unusual builds.

use dxil_hwtests::{
    element::{Bytes, Random, Tolerance},
    rows, texture,
};
use dxil_runtime::{
    Format,
    job::{AddressMode, Dimension, Filter, Sampler, Texture},
};

quad_case!(quads_vote, "newer/quad_vote", |t| {
    let mut random = Random::new(140);
    let data: Vec<f32> = rows(512, |_| random.below(1000) as f32 / 1000.0);
    t.input("t0", &data);
    let before = vec![[0xa5u32; 4]; 512];
    let mut out = before.clone();
    let mut other = vec![0xa5u32; 512];
    for y in 0..8usize {
        for x in 0..8usize {
            let at = |x: usize, y: usize| data[y * 64 + x];
            let quad =
                [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| at((x & !1) + i, (y & !1) + j));
            let any = quad.iter().any(|v| *v > 0.5);
            let all = quad.iter().all(|v| *v > 0.25);
            let [left, right] = [at(x & !1, y), at(x | 1, y)];
            let fine = right - left;
            // A coarse derivative may come from any column of the quad.
            let own = at(x, y | 1) - at(x, y & !1);
            let first = quad[2] - quad[0];
            other[y * 64 + x] = (fine * 4.0 + own).to_bits();
            out[y * 64 + x] = [
                u32::from(any) | u32::from(all) << 1,
                (at(x ^ 1, y) + at(x, y ^ 1)).to_bits(),
                (at(x ^ 1, y ^ 1) - quad[2]).to_bits(),
                (fine * 4.0 + first).to_bits(),
            ];
        }
    }
    let id = t.input("u0", &before);
    t.check("u0", id, move |got: &[[u32; 4]]| {
        for (i, (got, want)) in got.iter().zip(&out).enumerate() {
            let with_own = [want[0], want[1], want[2], other[i]];
            if got != want && *got != with_own {
                return Err(format!(
                    "[{i}] is {got:?}, expected {want:?} or {with_own:?}"
                ));
            }
        }
        Ok(())
    });
});

gpu_case!(barriers_by_memory_type, "newer/barrier_flags", |t| {
    t.groups(16, 1, 1);
    let group = |g: u32| (0..256).fold(0, |a, i| a ^ (g * 256 + i).wrapping_mul(2_654_435_761));
    let mut counters = vec![16u32];
    counters.extend((0..16).map(group));
    t.update("u0", &[0u32; 17], counters);
    t.expect("u1", rows(16, |g| group(g as u32)));
});

gpu_case!(
    older_barriers_equal_new_ones,
    "newer/classic_barriers",
    |t| {
        let before: Vec<u32> = rows(64, |i| i as u32 * i as u32);
        let turned = |i: usize| before[63 - i];
        let sum = |i: usize| before[i] + turned(i ^ 1);
        t.update("u0", &before, rows(64, |i| turned(i) + sum(i ^ 2)));
    }
);

gpu_case!(unoptimised_loops_with_fallthrough, "newer/od_loops", |t| {
    fn score(mut x: i32) -> i32 {
        match x & 7 {
            0 | 1 => 3,
            2 => 12,
            3 => 7,
            6 => -x,
            _ => {
                let mut r = 0;
                while x > 10 {
                    x -= 3;
                    if x == 20 {
                        continue;
                    }
                    r += 1;
                    if r > 50 {
                        break;
                    }
                }
                r
            }
        }
    }
    let mut random = Random::new(141);
    let data: Vec<i32> = rows(256, |i| match i % 8 {
        // Every round must get on: a case with a positive score, or a negative one.
        k if k % 2 == 0 => [0, 1, 2, 3][random.below(4) as usize] + 8 * random.below(2) as i32,
        _ => 6 + 8 * random.below(5) as i32,
    });
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(32, |id| {
            let local = &data[id * 8..id * 8 + 8];
            let mut best = 0i32;
            loop {
                let s = score(local[(best & 7) as usize]);
                best += if s < 0 { 1 } else { s };
                if best >= 40 {
                    break;
                }
            }
            let wanted = best & 15;
            let found = local
                .iter()
                .position(|v| *v == wanted)
                .map_or(-1, |i| i as i32);
            found * 100 + best
        }),
    );
});

gpu_case!(strict_floats_keep_their_nans, "newer/strict", |t| {
    const VALUES: [f32; 8] = [
        0.0,
        1.5,
        -2.0,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        3.0,
        -0.5,
    ];
    let data: Vec<[f32; 2]> = rows(64, |i| [VALUES[i / 8], VALUES[i % 8]]);
    t.input("t0", &data);
    let expected: Vec<[f32; 4]> = rows(64, |i| {
        let [x, y] = data[i];
        let quotient = x / y;
        let bits = u32::from(x.is_nan())
            | u32::from(!matches!(x.partial_cmp(&y), Some(std::cmp::Ordering::Less))) << 1
            | u32::from(quotient.is_infinite()) << 2
            | u32::from(x == y) << 3;
        [
            x * y + x,
            x.min(y) + x.max(0.0),
            quotient,
            f32::from_bits(bits),
        ]
    });
    let before = vec![[9.0f32; 4]; 64];
    let id = t.input("u0", &before);
    t.check("u0", id, move |got: &[[f32; 4]]| {
        for (i, (got, want)) in got.iter().zip(&expected).enumerate() {
            let same = |a: f32, b: f32| a == b || (a.is_nan() && b.is_nan());
            let numbers = (0..3).all(|k| same(got[k], want[k]));
            if !numbers || got[3].to_bits() != want[3].to_bits() {
                return Err(format!(
                    "[{i}] of {:?} is {got:?}, expected {want:?}",
                    data[i]
                ));
            }
        }
        Ok(())
    });
});

gpu_case!(
    containers_with_optional_parts_stripped,
    "newer/stripped",
    |t| {
        let size = t.wave_size;
        t.expect(
            "u0",
            rows(32, |i| {
                let lane = i as u32 % size;
                let first = i as u32 - lane;
                let odd_before = (first..i as u32).filter(|k| k & 1 != 0).count() as u32;
                lane + odd_before * 256
            }),
        );
    }
);

gpu_case!(containers_without_a_digest, "newer/unsigned_vd", |t| {
    t.expect(
        "u0",
        rows(64, |i| {
            let id = i as u32;
            id.reverse_bits() ^ (id + 1).ilog2()
        }),
    );
});

gpu_case!(templates_and_bit_fields, "newer/templates", |t| {
    t.groups(1, 1, 1);
    let mut random = Random::new(142);
    let data: Vec<u32> = rows(32, |_| random.bits());
    t.input("t0", &data);
    t.constants("b0", Bytes::new().put(4u32).put(10u32).align(16).0);
    let before: Vec<[f32; 4]> = rows(96, |i| [(i % 3) as f32 - 1.0, 0.0, 0.0, 0.0]);
    let mut out = before.clone();
    for id in 0..32 {
        let low = data[id] & 31;
        let middle = (low * 7 + 1) & 0x7ff;
        // A signed field of 16 bits wraps.
        let high = ((data[id] as i32 >> 16) - 3) as i16;
        let b = f32::from(high);
        let (a0, a1) = (low as f32, middle as f32);
        // (a + b) of the sum of (a, b, b) and (1, id).
        let mut s = [a0 + 1.0 + (b + id as f32), a1 + 1.0 + (b + id as f32)];
        s.swap(0, 1);
        let c = [1.0, s[0], s[1], 0.25f32];
        let k = [[0.0, 1.0], s, [s[1], s[0]]];
        if out[id][0] > 0.0 {
            s = [s[0] * 2.0, s[1] * 2.0];
        }
        for v in &mut out[id] {
            *v += 1.0;
        }
        let both = if id < 10 {
            true
        } else {
            let positive = out[id + 64][0] > 0.0;
            for v in &mut out[id + 64] {
                *v += 1.0;
            }
            positive
        };
        let cubic = ((c[3] * 0.5 + c[2]) * 0.5 + c[1]) * 0.5 + c[0];
        let square = |n: usize| (k[2][n] * s[n] + k[1][n]) * s[n] + k[0][n];
        out[id] = [cubic, square(0), square(1), if both { 1.0 } else { -1.0 }];
    }
    let id = t.input("u0", &before);
    t.check("u0", id, move |got: &[[f32; 4]]| {
        use dxil_hwtests::Element;
        for (i, (got, want)) in got.iter().zip(&out).enumerate() {
            if !got.matches(*want, Tolerance::Relative(1e-5)) {
                return Err(format!("[{i}] is {got:?}, expected {want:?}"));
            }
        }
        Ok(())
    });
});

valid_case!(writable_multisampled_textures, "newer/rw_msaa");
valid_case!(offsets_that_are_no_constants, "newer/dyn_offset_load");
gpu_case!(@ borders_may_be_integers, "newer/int_sample_level", |t| {
    // Everything is zero but what lies in front of the volume: there is the border.
    let zeros = |dimension, format, size: [u32; 3], layers, mips| Texture {
        mips,
        data: Vec::new(),
        ..texture::<u8>(dimension, format, size, layers, &[])
    };
    t.texture("t0", zeros(Dimension::D2, Format::Rg32Sint, [16, 16, 1], 4, 1));
    t.texture("t1", zeros(Dimension::D3, Format::R32Uint, [16, 16, 16], 1, 2));
    t.texture("t2", zeros(Dimension::D1, Format::Rgba32Uint, [16, 1, 1], 1, 1));
    t.sampler("s0", Sampler {
        min_filter: Filter::Point,
        mag_filter: Filter::Point,
        mip_filter: Filter::Point,
        address: [AddressMode::Border; 3],
        border: [1.0; 4],
        integer_border: true,
        ..Sampler::default()
    });
    let out = t.input("u0", &[[7u32; 4]; 1024]);
    t.check("u0", out, |got: &[[u32; 4]]| {
        let wrong = (0..1024).find(|at| {
            let (x, y, z) = (at & 15, at >> 4 & 15, at >> 8);
            let is_written = x < 4 && y < 4;
            // Half a texel of level 1 per step, one texel back: the first two steps are in front.
            let expected = [0, u32::from(z < 2), 0];
            if is_written { got[*at][..3] != expected } else { got[*at] != [7; 4] }
        });
        wrong.map_or(Ok(()), |at| Err(format!("[{at}] is {:?}", got[at])))
    });
}, [vulkan]);
valid_case!(wave_size_of_its_own, "newer/wavesize_one");
valid_case!(wave_size_pair, "newer/wavesize_pair");
valid_case!(barriers_on_objects, "newer/barrier_object");
valid_case!(wide_atomics_everywhere, "newer/atomic64");
valid_case!(separable_blur, "newer/blur");
valid_case!(root_signature_1_1, "newer/rootsig_1_1");
valid_case!(counters_of_many_kinds, "newer/counters");
valid_case!(flushed_denormals, "newer/ftz_flat");
valid_case!(rarely_used_operations, "newer/leftover_ops");
valid_case!(min_precision_everywhere, "newer/minprec");
valid_case!(native_sixteen_bit_everywhere, "newer/native16");

gpu_case!(
    wave_sizes_are_chosen_from_a_range,
    "newer/wavesize_range",
    |t| {
        t.wgpu_refuses("a required wave size");
        let mut random = Random::new(143);
        let data: Vec<f32> = rows(128, |_| random.below(100) as f32);
        t.input("t0", &data);
        let size = t.wave_size as usize;
        let sum = |from: usize, to: usize| data[from..to].iter().fold(0.0, |a, v| a + v);
        let mut sums = vec![-1.0f32; 4096 + 128];
        let mut info = vec![9u32; 64];
        let before = (sums.clone(), info.clone());
        for wave in 0..128 / size {
            sums[wave] = sum(wave * size, (wave + 1) * size);
            info[wave] = size as u32;
        }
        for i in 0..128 {
            sums[4096 + i] = sum(i / size * size, i);
        }
        t.update("u0", &before.0, sums);
        t.update("u1", &before.1, info);
    }
);

gpu_case!(
    a_barrier_on_an_object_orders_its_memory,
    "newer/barrier_on_object",
    |t| {
        t.update("u0", &[0_u32; 64], rows(64, |i| (i as u32 ^ 63) * 7 + 1000));
        t.expect(
            "u1",
            rows(64, |i| [(i as u32 ^ 63) * 7, i as u32 * 7 + 1000]),
        );
    }
);
