//! Textures: loads, stores, sampling, gathering, comparison, dimensions.

use dxil_hwtests::{
    element::{Random, Tolerance, f16},
    rows, texture,
};
use dxil_runtime::{
    Format,
    job::{AddressMode, Comparison, Dimension, Filter, Sampler, Texture},
};

/// Returns a sampler without filters.
fn point(address: AddressMode) -> Sampler {
    Sampler {
        min_filter: Filter::Point,
        mag_filter: Filter::Point,
        mip_filter: Filter::Point,
        address: [address; 3],
        ..Sampler::default()
    }
}

/// Returns the texels of a 4x4 texture.
fn texels4(seed: u64) -> Vec<[f32; 4]> {
    let mut random = Random::new(seed);
    rows(16, |_| std::array::from_fn(|_| random.below(100) as f32))
}

gpu_case!(loads_from_1d_2d_and_3d, "textures/load_1d_2d_3d", |t| {
    let a: Vec<f32> = rows(8, |i| i as f32 * 1.5);
    let b = texels4(130);
    let c: Vec<[u8; 4]> = rows(8, |i| [i as u8, 2, 3 * i as u8, 255]);
    t.texture(
        "t0",
        texture(Dimension::D1, Format::R32Float, [8, 1, 1], 1, &a),
    );
    t.texture(
        "t1",
        texture(Dimension::D2, Format::Rgba32Float, [4, 4, 1], 1, &b),
    );
    t.texture(
        "t2",
        texture(Dimension::D3, Format::Rgba8Uint, [2, 2, 2], 1, &c),
    );
    let mut expected: Vec<[f32; 4]> = Vec::new();
    for i in 0..8 {
        expected.push([a[i]; 4]);
        expected.push(b[i]);
        expected.push(b[8 + (i & 3)]);
        expected.push(c[i].map(f32::from));
    }
    t.expect("u0", expected);
});

gpu_case!(loads_from_every_layer, "textures/load_arrays", |t| {
    t.wgpu_refuses("Texture1DArray");
    let a: Vec<u32> = rows(16, |i| i as u32 * 7);
    let b: Vec<[i16; 2]> = rows(16, |i| [i as i16 - 8, i as i16 * 2]);
    t.texture(
        "t0",
        texture(Dimension::D1, Format::R32Uint, [4, 1, 1], 4, &a),
    );
    t.texture(
        "t1",
        texture(Dimension::D2, Format::Rg16Sint, [2, 2, 1], 4, &b),
    );
    t.expect(
        "u0",
        rows(16, |i| {
            [a[i] as i32, i32::from(b[i][0]) * 1000 + i32::from(b[i][1])]
        }),
    );
});

gpu_case!(array_layers_are_loaded, "textures/load_layers", |t| {
    let data: Vec<u32> = rows(8, |i| i as u32 + 3);
    t.texture(
        "t0",
        texture(Dimension::D2, Format::R32Uint, [2, 2, 1], 2, &data),
    );
    t.expect("u0", data);
});

gpu_case!(
    loads_from_mips_and_from_outside,
    "textures/load_mips",
    |t| {
        let data: Vec<u32> = rows(21, |i| i as u32 + 50);
        t.texture(
            "t0",
            Texture {
                mips: 3,
                ..texture(Dimension::D2, Format::R32Uint, [4, 4, 1], 1, &data)
            },
        );
        t.expect(
            "u0",
            rows(32, |i| match i {
                0..21 => data[i],
                21..24 => 9,
                24..26 => 10,
                _ => 11,
            }),
        );
    }
);

gpu_case!(stores_to_every_dimension, "textures/store_1d_2d_3d", |t| {
    let exact = Tolerance::Exact;
    t.texture_update(
        "u0",
        texture(Dimension::D1, Format::R32Float, [8, 1, 1], 1, &[9.0f32; 8]),
        rows(8, |i| i as f32 * 0.5),
        exact,
    );
    t.texture_update(
        "u1",
        texture(
            Dimension::D2,
            Format::Rgba32Float,
            [4, 4, 1],
            1,
            &[[9.0f32; 4]; 16],
        ),
        rows(16, |i| [i as f32, i as f32 * 2.0, -(i as f32), 1.0]),
        exact,
    );
    t.texture_update(
        "u2",
        texture(Dimension::D3, Format::R32Uint, [2, 2, 2], 1, &[9u32; 8]),
        rows(8, |i| (i * i) as u32),
        exact,
    );
    t.texture_update(
        "u3",
        texture(
            Dimension::D2,
            Format::Rg32Float,
            [2, 2, 1],
            3,
            &[[9.0f32; 2]; 12],
        ),
        rows(12, |i| [i as f32, 100.0 - i as f32]),
        exact,
    );
});

gpu_case!(
    texels_are_read_and_written,
    "textures/read_modify_write",
    |t| {
        let a: Vec<u32> = rows(16, |i| i as u32 * 3);
        let b = texels4(131);
        t.texture_update(
            "u0",
            texture(Dimension::D2, Format::R32Uint, [4, 4, 1], 1, &a),
            rows(16, |i| a[i] * 2 + i as u32 % 4),
            Tolerance::Exact,
        );
        t.texture_update(
            "u1",
            texture(Dimension::D2, Format::Rgba32Float, [4, 4, 1], 1, &b),
            rows(16, |i| {
                let mut texel = b[i % 4 * 4 + i / 4];
                texel.reverse();
                texel.map(|c| c + 1.0)
            }),
            Tolerance::Exact,
        );
    }
);

gpu_case!(
    stores_convert_to_the_format,
    "textures/store_formats",
    |t| {
        let v = |i: usize| i as f32 * 0.25 - 0.5;
        let unorm = |v: f32| (v.clamp(0.0, 1.0) * 255.0).round() as u8;
        let snorm = |v: f32| (v.clamp(-1.0, 1.0) * 127.0).round() as i8;
        t.texture_update(
            "u0",
            texture(
                Dimension::D2,
                Format::Rgba8Unorm,
                [8, 1, 1],
                1,
                &[[9u8; 4]; 8],
            ),
            rows(8, |i| [v(i), 1.0 - v(i), 0.2, 1.0].map(unorm)),
            Tolerance::Absolute(1.0),
        );
        t.texture_update(
            "u1",
            texture(
                Dimension::D2,
                Format::Rgba8Snorm,
                [8, 1, 1],
                1,
                &[[9i8; 4]; 8],
            ),
            rows(8, |i| [v(i), -v(i), -1.0, 2.0].map(snorm)),
            Tolerance::Absolute(1.0),
        );
        t.texture_update(
            "u2",
            texture(
                Dimension::D2,
                Format::Rg16Float,
                [8, 1, 1],
                1,
                &[[f16::ONE; 2]; 8],
            ),
            rows(8, |i| [v(i) * 100.0, v(i) + 0.125].map(f16::from_f32)),
            Tolerance::Ulp(0),
        );
    }
);

gpu_case!(address_modes, "textures/sample_point", |t| {
    let data = texels4(132);
    t.texture(
        "t0",
        texture(Dimension::D2, Format::Rgba32Float, [4, 4, 1], 1, &data),
    );
    t.sampler("s0", point(AddressMode::Wrap));
    t.sampler("s1", point(AddressMode::Mirror));
    t.sampler("s2", point(AddressMode::Clamp));
    t.sampler(
        "s3",
        Sampler {
            border: [1.0; 4],
            ..point(AddressMode::Border)
        },
    );
    let mut expected = Vec::new();
    for i in 0..16 {
        let x = i - 6i32;
        let at = |x: i32| data[4 + x as usize];
        let mirrored = x.rem_euclid(8);
        expected.push(at(x.rem_euclid(4)));
        expected.push(at(mirrored.min(7 - mirrored)));
        expected.push(at(x.clamp(0, 3)));
        expected.push(if (0..4).contains(&x) { at(x) } else { [1.0; 4] });
    }
    t.expect("u0", expected);
});

gpu_case!(linear_filters_and_levels, "textures/sample_linear", |t| {
    let mut random = Random::new(133);
    let data: Vec<f32> = rows(21, |_| random.below(64) as f32);
    t.texture(
        "t0",
        Texture {
            mips: 3,
            ..texture(Dimension::D2, Format::R32Float, [4, 4, 1], 1, &data)
        },
    );
    t.sampler("s0", Sampler::default());
    let mean = |x: usize, y: usize| {
        let at = |x: usize, y: usize| data[y * 4 + x];
        (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)) / 4.0
    };
    t.expect_near(
        "u0",
        rows(3, |i| {
            let level = i as f32 * 0.5;
            let small = data[16..20].iter().sum::<f32>() / 4.0;
            [
                mean(i, i),
                data[2],
                mean(0, 0) * (1.0 - level) + data[16] * level,
                if i < 2 { mean(1, 1) } else { small },
            ]
        }),
        Tolerance::Absolute(0.05),
    );
});

gpu_case!(
    every_texture_dimension_is_sampled,
    "textures/sample_shapes",
    |t| {
        t.wgpu_refuses("Texture1DArray");
        let numbers = |count: usize, start: f32| -> Vec<f32> { rows(count, |i| i as f32 + start) };
        let (a, b, d, f) = (
            numbers(8, 1.0),
            numbers(8, 20.0),
            numbers(24, 30.0),
            numbers(6, 60.0),
        );
        // Each face has one value.
        let faces =
            |count: usize, start: f32| -> Vec<f32> { rows(count * 4, |i| (i / 4) as f32 + start) };
        let shape = |dimension, size, layers, data: &[f32]| {
            texture(dimension, Format::R32Float, size, layers, data)
        };
        t.texture("t0", shape(Dimension::D1, [8, 1, 1], 1, &a));
        t.texture("t1", shape(Dimension::D3, [2, 2, 2], 1, &b));
        t.texture("t2", shape(Dimension::D2, [2, 2, 1], 6, &faces(6, 100.0)));
        t.texture("t3", shape(Dimension::D2, [2, 2, 1], 6, &d));
        t.texture("t4", shape(Dimension::D2, [2, 2, 1], 12, &faces(12, 200.0)));
        t.texture("t5", shape(Dimension::D1, [2, 1, 1], 3, &f));
        t.sampler("s0", point(AddressMode::Clamp));
        t.expect(
            "u0",
            rows(6, |i| {
                [
                    a[i],
                    b[if i < 3 { 2 } else { 6 }],
                    100.0 + i as f32,
                    d[i * 4],
                    206.0 + i as f32,
                    f[i % 3 * 2 + 1],
                ]
            }),
        );
    }
);

gpu_case!(
    gather_returns_texels_counterclockwise,
    "textures/gather",
    |t| {
        let data = texels4(134);
        t.texture(
            "t0",
            texture(Dimension::D2, Format::Rgba32Float, [4, 4, 1], 1, &data),
        );
        t.sampler("s0", point(AddressMode::Clamp));
        let mut expected: Vec<[f32; 4]> = Vec::new();
        for i in 0..9i32 {
            let gather = |x: i32, y: i32, component: usize| {
                let at =
                    |x: i32, y: i32| data[(y.clamp(0, 3) * 4 + x.clamp(0, 3)) as usize][component];
                [at(x, y + 1), at(x + 1, y + 1), at(x + 1, y), at(x, y)]
            };
            let (x, y) = (i % 3, i / 3);
            expected.extend((0..4).map(|component| gather(x, y, component)));
            expected.push(gather(x - 1, y + 1, 0));
        }
        t.expect("u0", expected);
    }
);

gpu_case!(gather_with_four_offsets, "textures/gather_offsets", |t| {
    t.portable_refuses("Integer textures can't be sampled");
    let data: Vec<u32> = rows(16, |i| i as u32 * 11);
    t.texture(
        "t0",
        texture(Dimension::D2, Format::R32Uint, [4, 4, 1], 1, &data),
    );
    t.sampler("s0", point(AddressMode::Clamp));
    t.expect(
        "u0",
        rows(4, |i| {
            let (x, y) = (1 + i as i32 % 2, 1 + i as i32 / 2);
            let at = |x: i32, y: i32| data[(y.clamp(0, 3) * 4 + x.clamp(0, 3)) as usize];
            // Each offset moves the texel that its component stands for.
            [
                at(x, y + 1),
                at(x + 1 + 1, y + 1),
                at(x + 1 - 1, y + 2),
                at(x + 2, y - 1),
            ]
        }),
    );
});

// "The 6 least significant bits of each offset value is honored as a signed value, yielding
// [-32..31] range" (D3D11.3 functional specification, 22.4.4).
gpu_case!(@
    gathers_count_six_bits_of_an_offset,
    "textures/gather_any_offset",
    |t| {
        let size = 128;
        let data: Vec<u32> = rows((size * size) as usize, |i| i as u32 + 7);
        t.texture(
            "t0",
            texture(Dimension::D2, Format::R32Uint, [128, 128, 1], 1, &data),
        );
        t.sampler("s0", point(AddressMode::Clamp));
        let bits = [
            0,
            1,
            7,
            8,
            31,
            32,
            33,
            -32,
            -33,
            63,
            64,
            -64,
            100,
            -100,
            i32::MAX,
            i32::MIN,
        ];
        let offsets: Vec<[i32; 2]> = (0..16).map(|i| [bits[i], bits[15 - i]]).collect();
        t.input("t1", &offsets);
        t.expect(
            "u0",
            rows(16, |i| {
                // Between the texels 63 and 64.
                let wrapped = |offset: i32| ((i64::from(offset) + 32).rem_euclid(64) - 32) as i32;
                let [x, y] = offsets[i].map(|offset| 63 + wrapped(offset));
                let at = |x: i32, y: i32| data[(y * size + x) as usize];
                [at(x, y + 1), at(x + 1, y + 1), at(x + 1, y), at(x, y)]
            }),
        );
    },
    [vulkan]
);

gpu_case!(
    comparisons_are_reference_against_texel,
    "textures/compare",
    |t| {
        let data: Vec<f32> = rows(16, |i| (i * 5 % 16) as f32 / 16.0);
        t.texture(
            "t0",
            texture(Dimension::D2, Format::D32Float, [4, 4, 1], 1, &data),
        );
        t.sampler(
            "s0",
            Sampler {
                comparison: Some(Comparison::LessEqual),
                ..point(AddressMode::Clamp)
            },
        );
        t.expect(
            "u0",
            rows(8, |i| {
                let reference = i as f32 * 0.125 + 0.0625;
                let holds = |x: usize, y: usize| f32::from(u8::from(reference <= data[y * 4 + x]));
                let gathered =
                    holds(1, 2) + holds(2, 2) * 2.0 + holds(2, 1) * 4.0 + holds(1, 1) * 8.0;
                [holds(0, 0), holds(3, 2), gathered, reference]
            }),
        );
    }
);

/// Returns a texture without contents.
fn empty(dimension: Dimension, size: [u32; 3], layers: u32, mips: u32) -> Texture {
    Texture {
        mips,
        data: Vec::new(),
        ..texture::<f32>(dimension, Format::R32Float, size, layers, &[])
    }
}

gpu_case!(textures_know_their_size, "textures/dimensions", |t| {
    t.wgpu_refuses("Texture1DArray");
    t.texture("t0", empty(Dimension::D1, [16, 1, 1], 1, 1));
    t.texture("t1", empty(Dimension::D2, [12, 8, 1], 1, 3));
    t.texture("t2", empty(Dimension::D3, [4, 5, 6], 1, 2));
    t.texture("t3", empty(Dimension::D2, [8, 8, 1], 6, 2));
    t.texture("t4", empty(Dimension::D2, [5, 6, 1], 7, 1));
    t.texture("t5", empty(Dimension::D1, [9, 1, 1], 4, 1));
    t.texture("u1", empty(Dimension::D2, [10, 11, 1], 1, 1));
    t.texture("u2", empty(Dimension::D3, [3, 4, 5], 1, 1));
    t.expect(
        "u0",
        vec![
            1601u32, 60_403, 4_050_602, 80_802, 5_060_701, 90_401, 1011, 30_405,
        ],
    );
});

gpu_case!(
    a_mip_that_does_not_exist_has_no_size,
    "textures/missing_mips",
    |t| {
        t.texture("t0", empty(Dimension::D1, [16, 1, 1], 1, 1));
        t.texture("t1", empty(Dimension::D2, [12, 8, 1], 1, 3));
        t.texture("t2", empty(Dimension::D3, [4, 5, 6], 1, 2));
        t.texture("t3", empty(Dimension::D2, [8, 8, 1], 6, 2));
        t.texture("t4", empty(Dimension::D2, [5, 6, 1], 7, 2));
        // The level is the same for all threads of a group: lavapipe takes that of the first one.
        t.groups(4, 1, 1);
        t.expect(
            "u0",
            [
                [1601u32, 120_803, 4_050_602, 80_802, 5_060_702, 2],
                [1, 60_403, 2_020_302, 40_402, 2_030_702, 2],
                [1, 30_203, 2, 2, 2, 2],
                [1, 3, 2, 2, 2, 2],
            ]
            .concat(),
        );
    }
);

gpu_case!(multisampled_textures, "textures/multisampled", |t| {
    t.texture(
        "t0",
        Texture {
            samples: 4,
            data: Vec::new(),
            ..texture::<u8>(Dimension::D2, Format::Rgba8Unorm, [3, 2, 1], 1, &[])
        },
    );
    t.expect("u0", vec![10_030_204u32; 4]);
});

quad_case!(derivatives_in_compute, "textures/level_of_detail", |t| {
    let mut data: Vec<f32> = Vec::new();
    for mip in 0..5 {
        data.extend(vec![mip as f32 + 1.0; (16 >> mip) * (16 >> mip)]);
    }
    t.texture(
        "t0",
        Texture {
            mips: 5,
            ..texture(Dimension::D2, Format::R32Float, [16, 16, 1], 1, &data)
        },
    );
    t.sampler("s0", Sampler::default());
    t.expect_near(
        "u0",
        vec![[0.75f32, 1.25, 2.0, 2.0]; 64],
        Tolerance::Absolute(0.05),
    );
});

// 16 texels times 0.19 are 2^1.6, and times 0.16 they are 2^1.36. D3D12 leaves the level undefined
// where the sampler does not filter between levels; Vulkan gives the one that is accessed
// (OpImageQueryLod), and so does DXC's execution test of compute shaders. What is computed from
// derivatives alone does not know the sampler.
gpu_case!(
    @ the_level_of_detail_is_the_one_that_is_sampled,
    "textures/nearest_level",
    |t| {
        let mut data: Vec<f32> = Vec::new();
        for mip in 0..5 {
            data.extend(vec![mip as f32 + 1.0; (16 >> mip) * (16 >> mip)]);
        }
        t.texture(
            "t0",
            Texture {
                mips: 5,
                ..texture(Dimension::D2, Format::R32Float, [16, 16, 1], 1, &data)
            },
        );
        let sampler = Sampler {
            mip_filter: Filter::Point,
            address: [AddressMode::Wrap; 3],
            ..Sampler::default()
        };
        t.sampler("s0", sampler);
        t.expect_near(
            "u0",
            vec![[2.0f32, 3.0, 1.0, 2.0]; 64],
            Tolerance::Absolute(1e-5),
        );
    },
    [vulkan linear_quads]
);

/// Returns a picture of that many components, with no two equal rows or columns.
fn picture<const N: usize>() -> Vec<[f32; N]> {
    let texel = |i: usize| std::array::from_fn(|c| ((i * 7 + c * 3) % 32) as f32 / 32.0);
    (0..256).map(texel).collect()
}

/// Returns the texel beside another one, or the last one of the row or column.
fn clamped(i: usize, x: i32, y: i32) -> usize {
    let side = |at: usize, by: i32| (at as i32 + by).clamp(0, 15) as usize;
    side(i / 16, y) * 16 + side(i % 16, x)
}

gpu_case!(
    a_blur_is_clamped_at_the_edge,
    "../../bench/kernels/gaussian_blur",
    |t| {
        let data = picture::<4>();
        t.texture(
            "t0",
            texture(Dimension::D2, Format::Rgba32Float, [16, 16, 1], 1, &data),
        );
        let weights = [1.0f32, 4.0, 6.0, 4.0, 1.0].map(|weight| weight / 16.0);
        let blurred = |i: usize| {
            let mut sum = [0.0f32; 4];
            for (y, wy) in (-2..).zip(weights) {
                for (x, wx) in (-2..).zip(weights) {
                    let there = data[clamped(i, x, y)];
                    sum = std::array::from_fn(|c| sum[c] + there[c] * (wx * wy));
                }
            }
            sum
        };
        let expected: Vec<[f32; 4]> = (0..256).map(blurred).collect();
        t.texture_update(
            "u0",
            texture(
                Dimension::D2,
                Format::Rgba32Float,
                [16, 16, 1],
                1,
                &[[9.0f32; 4]; 256],
            ),
            expected,
            Tolerance::Absolute(1e-5),
        );
    }
);

gpu_case!(
    a_bilateral_filter_weighs_distance_and_brightness,
    "../../bench/kernels/bilateral",
    |t| {
        let data: Vec<f32> = picture::<1>().into_iter().map(|[value]| value).collect();
        let falloff = [0.1f32, 4.0];
        t.constants("b0", falloff.iter().flat_map(|f| f.to_le_bytes()).collect());
        t.texture(
            "t0",
            texture(Dimension::D2, Format::R32Float, [16, 16, 1], 1, &data),
        );
        let filtered = |i: usize| {
            let (mut sum, mut total) = (0.0f32, 0.0f32);
            for y in -3..=3 {
                for x in -3..=3 {
                    let there = data[clamped(i, x, y)];
                    let contrast = there - data[i];
                    let distance = (x * x + y * y) as f32;
                    let weight = (-distance * falloff[0] - contrast * contrast * falloff[1]).exp();
                    sum += there * weight;
                    total += weight;
                }
            }
            sum / total
        };
        let expected: Vec<f32> = (0..256).map(filtered).collect();
        t.texture_update(
            "u0",
            texture(
                Dimension::D2,
                Format::R32Float,
                [16, 16, 1],
                1,
                &[9.0f32; 256],
            ),
            expected,
            Tolerance::Absolute(1e-4),
        );
    }
);

gpu_case!(
    implicit_levels_in_compute,
    "textures/sample_implicit",
    |t| {
        let mut data: Vec<f32> = Vec::new();
        for mip in 0..5 {
            data.extend(vec![mip as f32 + 1.0; (16 >> mip) * (16 >> mip)]);
        }
        t.texture(
            "t0",
            Texture {
                mips: 5,
                ..texture(Dimension::D2, Format::R32Float, [16, 16, 1], 1, &data)
            },
        );
        t.texture(
            "t1",
            texture(
                Dimension::D2,
                Format::D32Float,
                [16, 16, 1],
                1,
                &[0.75f32; 256],
            ),
        );
        t.sampler("s0", Sampler::default());
        t.sampler(
            "s1",
            Sampler {
                comparison: Some(Comparison::LessEqual),
                ..point(AddressMode::Clamp)
            },
        );
        // Shader model 6.6 has derivatives in thread groups on every device.
        let expected = [3.0f32, 2.0, 1.0, 1.0];
        t.expect_near("u0", vec![expected; 64], Tolerance::Absolute(0.05));
    }
);

gpu_case!(
    samples_lie_in_the_standard_pattern,
    "textures/sample_positions",
    |t| {
        t.texture(
            "t0",
            Texture {
                samples: 4,
                data: Vec::new(),
                ..texture::<f32>(Dimension::D2, Format::R32Float, [2, 2, 1], 1, &[])
            },
        );
        t.expect(
            "u0",
            vec![
                [-0.125f32, -0.375],
                [0.375, -0.125],
                [-0.375, 0.125],
                [0.125, 0.375],
            ],
        );
    }
);

gpu_case!(
    derivatives_are_zero_without_whole_quads,
    "textures/partial_quads",
    |t| {
        let levels = [(64, 1.0f32), (16, 2.0), (4, 3.0), (1, 4.0)];
        let data: Vec<f32> = levels
            .into_iter()
            .flat_map(|(count, value)| vec![value; count])
            .collect();
        t.texture(
            "t0",
            Texture {
                mips: 4,
                ..texture(Dimension::D2, Format::R32Float, [8, 8, 1], 1, &data)
            },
        );
        t.sampler("s0", Sampler::default());
        t.expect("u0", vec![[1.0f32, 0.0, 0.0, 2.0]; 3]);
    }
);
