//! Native vectors of shader model 6.9: as values, in memory, in buffers, through operations and
//! functions.

use dxil_hwtests::{
    element::{Bytes, Random, Tolerance, f16, to_bytes},
    pixels, rows, texture,
};
use dxil_runtime::language::Language;
use dxil_runtime::{
    Format,
    graphics::Topology,
    job::{AddressMode, Dimension, Filter, Sampler},
};

/// The value of outputs before a shader writes them.
const BEFORE: u32 = 0xa5a5_a5a5;

fn floats<const N: usize>(random: &mut Random, count: usize, low: f32, high: f32) -> Vec<[f32; N]> {
    rows(count, |_| std::array::from_fn(|_| random.float(low, high)))
}

vector_case!(vectors_of_seven_floats, "vectors/arith", |t| {
    let mut random = Random::new(690);
    let mut data = vec![[0.0f32; 1]; 8192 / 4 + 32 * 7];
    for id in 0..32 {
        for i in 0..7 {
            let a = random.float(-4.0, 4.0);
            let b = random.float(-4.0, 4.0);
            data[id * 7 + i] = [a];
            // Some vectors are equal, some are nowhere less.
            data[1024 + id * 7 + i] = [match id % 4 {
                0 => a,
                1 => a - b.abs(),
                _ => b,
            }];
        }
    }
    let mut wanted = data.clone();
    for id in 0..32 {
        let a: [f32; 7] = std::array::from_fn(|i| data[id * 7 + i][0]);
        let b: [f32; 7] = std::array::from_fn(|i| data[1024 + id * 7 + i][0]);
        let less: [bool; 7] = std::array::from_fn(|i| a[i] < b[i]);
        for i in 0..7 {
            let mut c = a[i] * b[i] + (a[i] - b[i]);
            c = c.max(-b[i]) / (b[i].abs() + 1.0);
            c = c.clamp(-8.0, 8.0);
            if !less[i] {
                c *= 2.0;
            }
            if a == b {
                c = -c;
            }
            if less.contains(&true) {
                c += 1.0;
            }
            wanted[2048 + id * 7 + i] = [c];
        }
    }
    t.update_near("u0", &data, wanted, Tolerance::Absolute(1e-5));
});

vector_case!(
    raw_buffers_hold_vectors_of_any_length_at_any_word,
    "vectors/bab_sizes",
    |t| {
        let mut random = Random::new(691);
        let data: Vec<u32> = rows(8 * 128, |_| random.bits());
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(8 * 128, |i| match i % 128 {
                0..66 => data[i].rotate_left(3),
                _ => BEFORE,
            }),
        );
    }
);

// Drivers for CPUs take minutes for its 1,280 stores.
valid_case!(the_longest_vectors, "vectors/big");

vector_case!(vectors_of_booleans, "vectors/bool", |t| {
    let mut random = Random::new(693);
    let data: Vec<[u32; 10]> = rows(32, |i| {
        std::array::from_fn(|_| match i % 3 {
            // All odd, and none.
            0 => random.below(100) * 2 + 1,
            1 => random.below(100) * 2,
            _ => random.below(200),
        })
    });
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(32, |id| {
            let odd = data[id].map(|v| v & 1 != 0);
            let flags = data[31 - id].map(|v| v & 1 != 0 || v <= 100);
            let f: [bool; 10] = std::array::from_fn(|i| flags[i] && data[id][i] > 100);
            let flip = f.contains(&true) && odd.contains(&false);
            std::array::from_fn::<u32, 10, _>(|i| {
                let chosen = if odd[i] { data[id][i] } else { id as u32 };
                (u32::from(f[i]) + chosen) ^ if flip { 0x55 } else { 0 }
            })
        }),
    );
});

vector_case!(
    vectors_go_through_functions_and_come_back_changed,
    "vectors/calls",
    |t| {
        let mut random = Random::new(694);
        let mut data = vec![0.0f32; 1024 + 4];
        let mut wanted = data.clone();
        for id in 0..4 {
            let mut v: [f32; 12] = std::array::from_fn(|_| random.float(-2.0, 2.0));
            data[id * 12..id * 12 + 12].copy_from_slice(&v);
            let mut state = [0.0f32; 12];
            for i in 0..3 {
                for (v, state) in v.iter_mut().zip(&mut state) {
                    let damped = *v * (0.25 * i as f32) + 1.0;
                    *state = *state * 0.5 + damped;
                    *v = state.sin() * damped;
                }
            }
            wanted[id * 12..id * 12 + 12].copy_from_slice(&v);
            wanted[1024 + id] = state.iter().zip(1..).map(|(v, i)| v * i as f32).sum();
        }
        t.update_near("u0", &data, wanted, Tolerance::Absolute(1e-2));
    }
);

vector_case!(dense_layers, "vectors/dense", |t| {
    t.text_loses(Language::Glsl, "the time that a test has");
    t.text_loses(Language::Hlsl, "the time that a test has");
    let mut random = Random::new(695);
    let weights: Vec<f32> = rows(192, |_| random.float(-1.0, 1.0));
    let acts: Vec<[f32; 16]> = floats(&mut random, 32, -2.0, 2.0);
    t.input("t0", &weights);
    let wanted: Vec<[f32; 16]> = rows(32, |id| {
        let x = acts[id];
        let dot = |w: &[f32], v: &[f32]| w.iter().zip(v).map(|(a, b)| a * b).sum::<f32>();
        let h: [f32; 6] = std::array::from_fn(|r| dot(&weights[r * 16..][..16], &x).max(0.0));
        std::array::from_fn(|r| dot(&weights[96 + r * 6..][..6], &h).max(0.0) + x[r])
    });
    t.update_near("u0", &acts, wanted, Tolerance::Absolute(1e-4));
});

vector_case!(vectors_of_doubles, "vectors/double", |t| {
    let mut random = Random::new(696);
    let data: Vec<[f64; 5]> = rows(16, |_| {
        std::array::from_fn(|_| f64::from(random.float(0.5, 8.0)))
    });
    t.input("t0", &data);
    let wanted = data.iter().map(|row| row.map(|a| 1.0 + 1.0 / a)).collect();
    t.expect_near("u0", wanted, Tolerance::Relative(1e-13));
    t.expect_near("u1", vec![[0.0f32; 5]; 16], Tolerance::Absolute(1e-14));
});

vector_case!(group_shared_arrays_of_vectors, "vectors/groupshared", |t| {
    t.groups(3, 1, 1);
    let mut random = Random::new(697);
    let data: Vec<[f32; 8]> = rows(192, |_| std::array::from_fn(|_| random.below(16) as f32));
    t.input("t0", &data);
    let sums: Vec<[f32; 8]> = rows(3, |group| {
        let rows = &data[group * 64..][..64];
        std::array::from_fn(|i| rows.iter().map(|row| row[i]).sum::<f32>().sqrt())
    });
    t.expect_near("u0", sums, Tolerance::Ulp(4));
});

vector_case!(vectors_of_halves, "vectors/half", |t| {
    // Mesa takes a half that is unpacked from what was packed for the float that it came from.
    t.text_loses(Language::Glsl, "roundings to halves");
    let mut random = Random::new(698);
    let data: Vec<f16> = rows(1024 + 16 * 11, |_| f16::from_f32(random.float(-3.0, 3.0)));
    t.input("t0", &data);
    let near: Vec<f32> = rows(16 * 11, |i| {
        let [a, b] = [data[i], data[1024 + i]].map(f32::from);
        (a * 0.125).exp2() + b.abs().sqrt() * a.tanh()
    });
    t.expect_that("u0", 8192 + 16 * 11, move |got: &[u16]| {
        for (i, want) in near.iter().enumerate() {
            let half = f32::from(f16::from_bits(got[i]));
            if (half - want).abs() > 0.01 {
                return Err(format!("half {i} is {half}, expected about {want}"));
            }
            let scaled = half * 100.0;
            let at = 2048 + i * 2;
            let rounded = f32::from_bits(u32::from(got[at]) | u32::from(got[at + 1]) << 16);
            if rounded != scaled.round_ties_even() {
                return Err(format!("float {i} is {rounded}, expected {scaled} rounded"));
            }
            let short = got[8192 + i] as i16;
            if short != scaled as i16 {
                return Err(format!("short {i} is {short}, expected {scaled} cut"));
            }
        }
        Ok(())
    });
});

vector_case!(elements_at_computed_indices, "vectors/index", |t| {
    let mut random = Random::new(699);
    let data: Vec<[f32; 13]> = floats(&mut random, 8, -4.0, 4.0);
    let [from, to, count] = [5, 2, 17usize];
    t.constants("b0", to_bytes(&[from as u32, to as u32, count as u32, 0]));
    t.input("t0", &data);
    let wanted: Vec<[f32; 13]> = rows(8, |id| {
        let mut v = data[id];
        for i in 0..count {
            v.swap((from + i) % 13, (to + i * 3) % 13);
        }
        v[id % 13] *= 2.0;
        v.swap(0, 2);
        let mut w = v;
        w[12] = v.iter().map(|v| v * v).sum();
        w
    });
    t.expect_near("u0", wanted, Tolerance::Absolute(1e-4));
});

vector_case!(vectors_of_short_integers, "vectors/int16", |t| {
    let mut random = Random::new(700);
    let data: Vec<[i16; 6]> = rows(128, |_| std::array::from_fn(|_| random.bits() as i16));
    t.input("t0", &data);
    let low = |id: usize, i: usize| {
        let [a, b] = [data[id][i], data[id + 64][i]];
        (a, b, a.max(b).wrapping_sub(a.min(7)))
    };
    t.expect(
        "u0",
        rows(64, |id| {
            std::array::from_fn::<u16, 6, _>(|i| {
                let (a, _, m) = low(id, i);
                let u = a as u16;
                ((u >> 2) ^ ((u << 1) & !(m as u16))).wrapping_mul(3)
            })
        }),
    );
    t.expect(
        "u1",
        rows(64, |id| {
            std::array::from_fn::<i32, 6, _>(|i| {
                let (_, b, m) = low(id, i);
                i32::from(m) * i32::from(b)
            })
        }),
    );
});

vector_case!(vectors_of_long_integers, "vectors/int64", |t| {
    let mut random = Random::new(701);
    let data: Vec<u64> = rows((4096 + 8 * 32) / 8, |_| random.bits64());
    t.input("t0", &data);
    let mut wanted = vec![u64::from(BEFORE) | u64::from(BEFORE) << 32; data.len()];
    for id in 0..8 {
        let mut h: [u64; 6] = std::array::from_fn(|i| data[id * 6 + i]);
        for r in 0..3 {
            for h in &mut h {
                *h ^= *h >> 33;
                *h = h.wrapping_mul(0xff51_afd7_ed55_8ccd);
                *h = h.wrapping_add((*h << 7) | r);
            }
        }
        for i in 0..6 {
            wanted[id * 6 + i] = h[i];
            wanted[128 + id * 6 + i] = (h[i] as i64).wrapping_abs() as u64;
        }
        for (i, from) in [0, 1, 2, 5].into_iter().enumerate() {
            let at = 512 + id * 4 + i;
            wanted[at] = data[at] / ((h[from] & 15) | 1);
        }
    }
    t.expect("u0", wanted);
});

vector_case!(functions_of_each_element, "vectors/math", |t| {
    let mut random = Random::new(702);
    const EDGES: [f32; 5] = [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    let data: Vec<[f32; 5]> = rows(32, |id| match id {
        0 => EDGES,
        _ => std::array::from_fn(|_| random.float(-4.0, 4.0)),
    });
    t.input("t0", &data);
    let value = |x: f32| {
        let r = x.cos() + x.sin() * x.clamp(0.0, 1.0) + (x - x.floor()) - x.floor()
            + x.ceil()
            + x.trunc() * x.round_ties_even();
        r + (x.abs() + 1.0).log2() + 1.0 / (x.abs() + 1.0).sqrt() + x.atan() + (x * 0.01).cosh()
    };
    let finite = |x: f32| if x.is_finite() { value(x) } else { 0.0 };
    let wanted = data.iter().map(|row| row.map(finite)).collect();
    t.expect_near("u0", wanted, Tolerance::Absolute(5e-3));
    t.expect(
        "u1",
        rows(32, |id| {
            data[id].map(|x| {
                let u = x.to_bits();
                let high = u.checked_ilog2().unwrap_or(u32::MAX);
                let low = if u == 0 { u32::MAX } else { u.trailing_zeros() };
                [u.reverse_bits(), high, low, x.is_finite().into()]
                    .into_iter()
                    .fold(u.count_ones(), u32::wrapping_add)
            })
        }),
    );
});

vector_case!(
    vectors_in_structures_and_structured_buffers,
    "vectors/structured",
    |t| {
        let mut random = Random::new(703);
        let data: Vec<[f32; 9]> = floats(&mut random, 16, -4.0, 4.0);
        t.input("t0", &data);
        let scaled = |id: usize| -> [f32; 9] {
            std::array::from_fn(|i| data[id][i] * 2.0 + data[id ^ 1][i])
        };
        t.expect("u0", rows(16, scaled));
        let source: Vec<([f32; 5], u32, [i32; 6])> = rows(16, |_| {
            (
                std::array::from_fn(|_| random.float(-4.0, 4.0)),
                random.below(1000),
                std::array::from_fn(|_| random.bits() as i32 >> 8),
            )
        });
        let write = |rows: &[([f32; 5], u32, [i32; 6])]| {
            let bytes = rows.iter().fold(Bytes::new(), |bytes, &(w, tag, k)| {
                bytes.put(w).put(tag).put(k)
            });
            bytes.0
        };
        t.input("t1", &write(&source));
        let mut wanted = vec![([f32::from_bits(BEFORE); 5], BEFORE, [BEFORE as i32; 6]); 80];
        for id in 0..16 {
            let (w, tag, k) = source[id];
            let w = w.map(|w| w + scaled(id)[3]);
            let k = k.map(|k| k.wrapping_mul(3).wrapping_sub(tag as i32));
            wanted[id] = (w, id as u32, k);
            wanted[id + 64] = (
                w.map(|w| w * 0.5),
                id as u32 ^ k[5] as u32,
                k.map(i32::wrapping_neg),
            );
        }
        t.expect("u1", write(&wanted));
    }
);

vector_case!(waves_and_quads_of_vectors, "vectors/wave", |t| {
    let mut random = Random::new(704);
    let data: Vec<[f32; 6]> = rows(64, |id| {
        std::array::from_fn(|i| match i {
            // The same in all lanes.
            0 => 3.0,
            _ => (random.below(64) + (id as u32 & 1)) as f32,
        })
    });
    t.input("t0", &data);
    let wave = t.wave_size.min(64) as usize;
    let lanes = |id: usize| id / wave * wave..(id / wave + 1) * wave;
    let sum =
        |range: std::ops::Range<usize>, i: usize| -> f32 { range.map(|lane| data[lane][i]).sum() };
    t.expect(
        "u0",
        rows(64, |id| {
            std::array::from_fn::<f32, 6, _>(|i| {
                let all = lanes(id);
                let first = data[all.start][i];
                let maximum = all.clone().map(|lane| data[lane][i]).fold(0.0, f32::max);
                let mut s = sum(all.clone(), i) + sum(all.start..id, i) * 0.5;
                s += data[all.start + 1][i] - first + maximum;
                if all.clone().all(|lane| data[lane][i] == first) {
                    s
                } else {
                    s + data[id ^ 1][i]
                }
            })
        }),
    );
    t.expect(
        "u1",
        rows(64, |id| {
            std::array::from_fn::<u32, 6, _>(|i| {
                let bits = |lane: usize| data[lane][i].to_bits();
                let all = lanes(id);
                let mixed = all.clone().fold(0, |a, lane| a ^ bits(lane));
                let before = (all.start..id).filter(|lane| lane & 3 == id & 3);
                mixed ^ before.map(|lane| bits(lane) & 255).sum::<u32>()
            })
        }),
    );
});

vector_case!(
    classes_of_floats_and_halves,
    "vectors/special_floats",
    |t| {
        let singles = [
            0.0,
            -0.0,
            1.5,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::MAX,
            f32::MIN_POSITIVE,
            f32::from_bits(0x8000_0001),
            -3.0,
        ];
        let halves = [
            0x0000, 0x8000, 0x3c00, 0x7e00, 0x7c00, 0xfc00, 0x7bff, 0x0400, 0x8001, 0xc200, 0xfc01,
        ];
        let mut random = Random::new(705);
        let f: Vec<[f32; 3]> = rows(64, |_| {
            std::array::from_fn(|_| singles[random.below(10) as usize])
        });
        let h: Vec<[u16; 4]> = rows(64, |_| {
            std::array::from_fn(|_| halves[random.below(11) as usize])
        });
        t.input("t0", &f);
        t.input("t1", &h);
        let pack = |bits: &[bool]| {
            bits.iter()
                .zip(0..)
                .map(|(&b, i)| u32::from(b) << i)
                .sum::<u32>()
        };
        t.expect(
            "u0",
            rows(64, |id| {
                let x = f[id];
                let y = h[id].map(f16::from_bits);
                [
                    pack(&[x[0].is_nan(), x[1].is_nan(), x[2].is_nan(), y[0].is_nan()]),
                    pack(&y.map(f16::is_infinite)) | pack(&x.map(f32::is_infinite)) << 4,
                    pack(&y.map(f16::is_finite)) | u32::from(x[1].is_finite()) << 4,
                    pack(&y.map(f16::is_normal)) | u32::from(x[2].is_normal()) << 4,
                ]
            }),
        );
    }
);

draw_case!(
    vertices_of_a_mesh_come_as_vectors,
    ["vectors/ms", "vectors/mesh_ps"],
    |t| {
        t.meshes([1, 1, 1]);
        // Two triangles that cover the target, and six that have no area.
        let corners = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]];
        let mut vertices = vec![[0.0f32; 9]; 5 + 24];
        for (i, [x, y]) in corners.into_iter().enumerate() {
            let (u, v) = ((x + 1.0) / 2.0, (y + 1.0) / 2.0);
            vertices[5 + i] = [x, y, 0.5, 1.0, 2.0, 3.0, u / 2.0, v / 2.0, 2.0];
        }
        t.input("t0", &vertices);
        let identity: [[f32; 4]; 4] =
            std::array::from_fn(|i| std::array::from_fn(|j| f32::from(u8::from(i == j))));
        t.constants("b0", Bytes::new().put(identity).put([5u32, 0, 0, 0]).0);
        let wanted = pixels([4, 4], |x, y| {
            let (u, v) = ((x as f32 + 0.5) / 4.0, (3.5 - y as f32) / 4.0);
            [321.0, u, v, 1.0]
        });
        t.target(
            Format::Rgba32Float,
            [4, 4, 1],
            wanted,
            Tolerance::Absolute(1e-4),
        );
    }
);

draw_case!(
    pixels_apply_a_filter_kernel_of_vectors,
    ["vectors/corners_vs", "vectors/ps"],
    |t| {
        t.vertices(Topology::TriangleList, 3);
        let size = 8usize;
        let texels: Vec<[f32; 4]> = rows(size * size, |i| {
            let (x, y) = (i % size, i / size);
            [x as f32 * 0.5, (y * y) as f32 * 0.125, (x % 3) as f32, 1.0]
        });
        t.texture(
            "t0",
            texture(Dimension::D2, Format::Rgba32Float, [8, 8, 1], 1, &texels),
        );
        t.sampler(
            "s0",
            Sampler {
                min_filter: Filter::Point,
                mag_filter: Filter::Point,
                address: [AddressMode::Wrap; 3],
                ..Sampler::default()
            },
        );
        let mut kernels = vec![[0.0f32; 9]; 3];
        kernels[2] = [1.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0].map(|w| w / 16.0);
        t.input("t1", &kernels);
        let w = kernels[2];
        let luminance = |x: usize, y: usize| -> [f32; 9] {
            std::array::from_fn(|i| {
                let (dx, dy) = (i % 3, i / 3);
                let at = (y + dy + size - 1) % size * size + (x + dx + size - 1) % size;
                let [r, g, b, _] = texels[at];
                r * 0.2126 + g * 0.7152 + b * 0.0722
            })
        };
        let weighted =
            |x: usize, y: usize| -> f32 { luminance(x, y).iter().zip(w).map(|(a, b)| a * b).sum() };
        let wanted = pixels([8, 8], |x, y| {
            let (x, y) = (x as usize, y as usize);
            let (left, top) = (x & !1, y & !1);
            let here = luminance(left, top);
            let [right, below] = [luminance(left + 1, top), luminance(left, top + 1)];
            let s = weighted(x, y);
            // Derivatives are coarse: one for each quad. No term has both coordinates, so that any
            // will do.
            let d: f32 = (0..9)
                .map(|i| (right[i] - here[i]) * (below[i] - here[i]) * w[i])
                .sum();
            let quad = [(0, 0), (1, 0), (0, 1), (1, 1)];
            let any = quad.iter().any(|&(i, j)| weighted(left + i, top + j) > 1.0);
            [s, d, luminance(x, y)[4] * w[4], if any { 1.0 } else { 0.5 }]
        });
        t.target(
            Format::Rgba32Float,
            [8, 8, 1],
            wanted,
            Tolerance::Absolute(1e-4),
        );
    }
);

/// Returns the words that `vectors/odd` writes for a lane: see its text.
fn odd(id: usize, v: [u32; 6]) -> [u32; 20] {
    let long = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    let halves = |long: u64| [long as u32, (long >> 32) as u32];
    let mut words = [0; 6];
    for (k, add) in [1, 1 << 32, u64::MAX].into_iter().enumerate() {
        let sum = long(v[2 * k], v[2 * k + 1]).wrapping_add(add);
        words[2 * k..2 * k + 2].copy_from_slice(&halves(sum));
    }
    let [t0, t1] = halves(long(v[3], words[2]).wrapping_mul(7));
    let wide = |fifth: u32| [v[5], v[4], 77, v[3], v[2], fifth, v[1], v[0]];
    let (mut a, mut b) = (wide(id as u32), [0u32; 8]);
    let (mut before, mut sum) = (0, 0u32);
    for i in 0..11usize {
        let slot = i & 7;
        before = sum;
        let product = a[slot].wrapping_mul([3, 1, 4, 1, 5, 9, 2, 6][slot]);
        sum = sum.wrapping_add(product.wrapping_add([100, 200, 300][i % 3]));
        if i < 10 {
            let mut next = std::array::from_fn(|k| a[k].wrapping_add(b[k]));
            next[slot] = i as u32;
            (a, b) = (b, next);
        }
    }
    let is_odd = id % 2 == 1;
    let chosen = if is_odd { a } else { wide(99) };
    let mut five = [chosen[0], b[1], chosen[2], b[3], chosen[4]];
    five[id % 5] = 5;
    let mut out = [0; 20];
    out[..6].copy_from_slice(&words);
    out[6..15].copy_from_slice(&[
        v[0].wrapping_add(1),
        t0,
        t1,
        1,
        sum,
        chosen.iter().fold(u32::MAX, |all, word| all & word),
        chosen.iter().fold(0, |any, word| any | word),
        before,
        if is_odd { 20 } else { 2 },
    ]);
    out[15..].copy_from_slice(&five);
    out
}

vector_case!(
    bits_regrouped_and_elements_at_computed_indices,
    "vectors/odd",
    |t| {
        let mut random = Random::new(706);
        let mut data: Vec<u32> = rows(192, |_| random.bits());
        data.resize(192 + 32 * 24, BEFORE);
        let mut wanted = data.clone();
        for id in 0..32 {
            let v = std::array::from_fn(|i| data[id * 6 + i]);
            wanted[192 + id * 24..][..20].copy_from_slice(&odd(id, v));
        }
        t.update("u0", &data, wanted);
    }
);

vector_case!(
    long_vectors_in_group_shared_and_local_arrays,
    "vectors/long",
    |t| {
        // Its arrays are copied in each function, which takes drivers minutes.
        t.text_loses(Language::Glsl, "the time that a test has");
        t.text_loses(Language::Hlsl, "the time that a test has");
        let mut random = Random::new(707);
        let data: Vec<u32> = rows(2 * 32 * 48, |i| match i {
            0..1536 => random.bits(),
            _ => BEFORE,
        });
        let mut wanted = data.clone();
        for id in 0..32 {
            let [mine, theirs] = [id, 31 - id].map(|id| &data[id * 48..][..48]);
            let picked = theirs[id * 37 % 48];
            for i in 0..48 {
                let sum = mine[i].wrapping_add(theirs[i]);
                let chosen = if id % 2 == 1 { mine[i] } else { sum };
                wanted[1536 + id * 48 + i] = chosen ^ picked;
            }
        }
        t.update("u0", &data, wanted);
    }
);

vector_case!(
    short_vectors_stay_whole_in_memory_and_functions,
    "vectors/short",
    |t| {
        let mut random = Random::new(708);
        let data: Vec<[u32; 4]> = rows(64, |i| match i {
            0..32 => std::array::from_fn(|_| random.bits()),
            _ => [BEFORE; 4],
        });
        let mut wanted = data.clone();
        for id in 0..32 {
            let w = data[id ^ 5];
            let after = [1, 2, 3].map(|add| w[id % 4].wrapping_add(add));
            let turned = [w[1], after[2], w[3], w[0]];
            let sums = [turned[3], turned[0], id as u32];
            let sum: [u32; 3] = std::array::from_fn(|i| sums[i].wrapping_add(after[i]));
            wanted[32 + id] = [sum[0], sum[1], sum[2], turned[id % 4]];
        }
        t.update("u0", &data, wanted);
    }
);

/// What `vectors/carried` writes for the values of a thread.
fn carried(id: usize, v: [u32; 9]) -> Vec<u32> {
    let (mut acc, mut most) = (v, [0.0f32; 9]);
    for i in 0..5 {
        let place = (id + i) % 9;
        acc[place] = acc[place].wrapping_mul(3);
        acc.rotate_left(1);
        for (acc, v) in acc.iter_mut().zip(v) {
            let quotient = acc.checked_div(v).unwrap_or(u32::MAX);
            let shifted = *acc >> (quotient % 32);
            if shifted >= v {
                *acc = shifted;
            }
        }
        for (most, acc) in most.iter_mut().zip(acc) {
            *most = most.max((acc % 1024) as f32 * 0.5);
        }
    }
    let dot: f32 = most.iter().map(|value| value * value).sum();
    let whole = most.map(|value| value as u32);
    let is_odd = acc.map(|word| word % 2 == 1);
    let (any, all) = (is_odd.contains(&true), !is_odd.contains(&false));
    let mut second = whole;
    second[0] = (dot * 4.0) as u32;
    second[1] = u32::from(any);
    second[2] = u32::from(all);
    second[3] = acc.iter().fold(0, |bits, word| bits | word);
    let chosen = if all { whole } else { acc.map(u32::count_ones) };
    [acc, second, chosen].concat()
}

vector_case!(vectors_that_a_loop_carries, "vectors/carried", |t| {
    let mut random = Random::new(709);
    let mut data: Vec<u32> = rows(32 * 9, |i| match i % 5 {
        0 => random.bits(),
        1 => random.below(3),
        _ => random.below(1 << 16) | u32::from(i / 9 % 8 == 3),
    });
    data.resize(32 * 36, BEFORE);
    let mut wanted = data.clone();
    for id in 0..32 {
        let v = std::array::from_fn(|i| data[id * 9 + i]);
        wanted[32 * 9 + id * 27..][..27].copy_from_slice(&carried(id, v));
    }
    t.update("u0", &data, wanted);
});

vector_case!(lanes_with_equal_vectors, "vectors/match", |t| {
    t.expect("u0", rows(64, |id| [1, id as u32]));
});
