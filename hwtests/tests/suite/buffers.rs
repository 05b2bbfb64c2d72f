//! Raw, structured and typed buffers.

use dxil_hwtests::{
    element::{Bytes, Random, Tolerance, f16, from_bytes},
    rows,
};
use dxil_runtime::{Format, ResourceView};

gpu_case!(
    raw_loads_and_stores_of_one_to_four_words,
    "buffers/raw_load_store",
    |t| {
        let mut random = Random::new(70);
        let data: Vec<[u32; 10]> = rows(16, |_| std::array::from_fn(|_| random.bits()));
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(16, |i| {
                let d = data[i];
                [d[0], d[2], d[1], d[5], d[3], d[4], d[9], d[8], d[7], d[6]]
            }),
        );
    }
);

gpu_case!(raw_templates_move_structs, "buffers/raw_templates", |t| {
    let mut random = Random::new(71);
    let mut input = Bytes::new();
    let mut expected = Bytes::new();
    for _ in 0..16 {
        let position: [f32; 3] = std::array::from_fn(|_| random.float(-9.0, 9.0));
        let uv: [f32; 4] = std::array::from_fn(|_| random.below(100) as f32);
        let flags = random.bits();
        input = input.put(position).put(flags).put(uv);
        expected = expected
            .put(position.map(|p| p * 2.0))
            .put(flags ^ 0xff)
            .put([uv[2], uv[3], uv[0] + 1.0, uv[1] + 1.0]);
    }
    t.input("t0", &input.0);
    t.expect("u0", from_bytes::<u32>(&expected.0));
});

bounds_case!(
    raw_accesses_beyond_the_end_are_harmless,
    "buffers/raw_out_of_bounds",
    |t| {
        let data: Vec<u32> = rows(8, |i| i as u32 * 100);
        t.input("t0", &data);
        t.expect("u0", rows(16, |i| if i < 8 { data[i] + 1 } else { 1 }));
    }
);

gpu_case!(
    structured_stride_4_round_trips,
    "buffers/structured_stride_4",
    |t| {
        let mut random = Random::new(72);
        let data: Vec<u32> = rows(64, |_| random.bits());
        t.input("t0", &data);
        t.expect("u0", rows(64, |i| data[63 - i]));
    }
);

gpu_case!(
    structured_stride_12_round_trips,
    "buffers/structured_stride_12",
    |t| {
        let mut random = Random::new(73);
        let data: Vec<[f32; 3]> = rows(64, |_| std::array::from_fn(|_| random.below(100) as f32));
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(64, |i| [data[i][2], data[i][1] + i as f32, data[i][0]]),
        );
    }
);

gpu_case!(
    structured_members_lie_where_d3d_puts_them,
    "buffers/structured_nested",
    |t| {
        // tag, inner[2] of (p, k[3]), m: 1 + 2 * 5 + 6 words.
        let mut random = Random::new(74);
        let data: Vec<[u32; 17]> = rows(16, |_| {
            std::array::from_fn(|_| (random.below(1000) as f32).to_bits())
        });
        let mut input = data.clone();
        for (i, element) in input.iter_mut().enumerate() {
            element[0] = i as u32 * 5 + 2;
        }
        t.input("t0", &input);
        let before = vec![[0xa5u32; 17]; 16];
        t.update(
            "u0",
            &before,
            rows(16, |i| {
                let source = input[i];
                let tag = source[0];
                let mut out = before[i];
                out[0] = tag + 1;
                let which = (tag & 1) as usize;
                let (here, there) = (1 + which * 5, 1 + (1 - which) * 5);
                out[here] = source[there + 1];
                out[here + 1] = source[there];
                out[here + 2 + (tag % 3) as usize] = source[here + 2 + ((tag + 1) % 3) as usize];
                for c in 0..3 {
                    let sum = f32::from_bits(source[11 + c]) + f32::from_bits(source[14 + c]);
                    out[14 + c] = sum.to_bits();
                }
                out
            }),
        );
    }
);

gpu_case!(
    partial_stores_keep_the_other_components,
    "buffers/structured_partial_store",
    |t| {
        let mut random = Random::new(75);
        let data: Vec<u32> = rows(64, |_| random.bits());
        t.input("t0", &data);
        let before = vec![[1u32, 2, 3, 4]; 64];
        t.update(
            "u0",
            &before,
            rows(64, |i| {
                let id = i as u32;
                match i % 4 {
                    0 => [data[i], 2, 3, 4],
                    1 => [1, data[i], id, 4],
                    2 => [1, 2, 3, data[i]],
                    _ => [id, 2, 3, data[i]],
                }
            }),
        );
    }
);

gpu_case!(
    elements_of_whole_rows_keep_their_members,
    "buffers/structured_rows",
    |t| {
        let mut random = Random::new(76);
        let data: Vec<[u32; 16]> = rows(16, |i| {
            let mut words = std::array::from_fn(|_| (random.below(1000) as f32).to_bits());
            let double = (i as f64 + 0.25).to_bits();
            (words[8], words[9]) = (double as u32, (double >> 32) as u32);
            words
        });
        let narrow: Vec<[u32; 6]> = rows(16, |_| std::array::from_fn(|_| random.below(1 << 20)));
        t.input("t0", &data);
        t.input("t1", &narrow);
        let before = vec![[0xa5_u32; 16]; 16];
        t.update(
            "u0",
            &before,
            rows(16, |i| {
                let e = data[i];
                let double = (2.0 * (i as f64 + 0.25)).to_bits();
                [
                    e[0] + 1,
                    e[4],
                    e[3],
                    e[2],
                    e[1],
                    e[6],
                    0xa5,
                    e[5],
                    double as u32,
                    (double >> 32) as u32,
                    e[11],
                    e[10],
                    e[14],
                    e[15],
                    e[12],
                    e[13],
                ]
            }),
        );
        let before = vec![[7_u32; 6]; 16];
        t.update(
            "u1",
            &before,
            rows(16, |i| {
                let n = narrow[i];
                [n[5], n[2], n[1], n[4] + n[0], n[3] + n[0], 7]
            }),
        );
        t.expect("u2", vec![[16_u32, 64], [16, 24]]);
    }
);

bounds_case!(
    elements_beyond_the_end_are_zero,
    "buffers/structured_out_of_bounds",
    |t| {
        let data: Vec<[u32; 2]> = rows(8, |i| [i as u32 * 100, 7]);
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(16, |i| if i < 8 { [data[i][0] + 1, 9] } else { [1, 2] }),
        );
    }
);

gpu_case!(typed_loads_convert_from_unorm, "buffers/typed_float", |t| {
    let mut random = Random::new(76);
    let data: Vec<[u8; 4]> = rows(64, |_| std::array::from_fn(|_| random.below(256) as u8));
    t.typed_input("t0", Format::Rgba8Unorm, &data);
    t.typed_update(
        "u0",
        Format::Rgba32Float,
        &[[0.0f32; 4]; 64],
        rows(64, |i| {
            let mut texel = data[i].map(|c| f32::from(c) / 255.0);
            texel.reverse();
            texel
        }),
        Tolerance::Ulp(2),
    );
});

gpu_case!(
    typed_stores_clamp_and_round_to_unorm,
    "buffers/typed_to_unorm",
    |t| {
        let data: Vec<[f32; 4]> = rows(64, |i| [i as f32 / 63.0, -1.0, 2.0, 1.0 - i as f32 / 63.0]);
        t.input("t0", &data);
        let unorm = |v: f32| (v.clamp(0.0, 1.0) * 255.0).round() as u8;
        t.typed_update(
            "u0",
            Format::Rgba8Unorm,
            &[[9u8; 4]; 64],
            rows(64, |i| data[i].map(unorm)),
            Tolerance::Absolute(1.0),
        );
    }
);

gpu_case!(typed_halves, "buffers/typed_half", |t| {
    let data: Vec<[f16; 2]> = rows(64, |i| {
        [f16::from_f32(i as f32 * 0.5), f16::from_f32(-(i as f32))]
    });
    t.typed_input("t0", Format::Rg16Float, &data);
    let double = |v: f16| f16::from_f32(v.to_f32() * 2.0);
    t.typed_update(
        "u0",
        Format::Rg16Float,
        &[[f16::ONE; 2]; 64],
        rows(64, |i| [double(data[63 - i][1]), double(data[63 - i][0])]),
        Tolerance::Exact,
    );
});

gpu_case!(
    typed_integers_read_modify_write,
    "buffers/typed_uint",
    |t| {
        let mut random = Random::new(77);
        let data: Vec<[u16; 4]> = rows(64, |_| std::array::from_fn(|_| random.below(1000) as u16));
        t.typed_input("t0", Format::Rgba16Uint, &data);
        let before: Vec<u32> = rows(64, |i| i as u32);
        t.typed_update(
            "u0",
            Format::R32Uint,
            &before,
            rows(64, |i| {
                let v = data[i].map(u32::from);
                before[i] + v[0] + v[1] * 3 + v[2] * 5 + v[3] * 7
            }),
            Tolerance::Exact,
        );
        t.typed_update(
            "u1",
            Format::R32Sint,
            &rows(64, |i| i as i32),
            rows(64, |i| i32::from(data[i][3]) - i as i32),
            Tolerance::Exact,
        );
    }
);

bounds_case!(
    texels_beyond_the_end_are_zero,
    "buffers/typed_out_of_bounds",
    |t| {
        let data: Vec<[u32; 4]> = rows(8, |i| [i as u32, 10, 100, 1000]);
        t.typed_input("t0", Format::Rgba32Uint, &data);
        t.typed_update(
            "u0",
            Format::R32Uint,
            &[1u32; 16],
            rows(16, |i| if i < 8 { i as u32 + 115 } else { 5 }),
            Tolerance::Exact,
        );
    }
);

gpu_case!(buffers_know_their_size, "buffers/dimensions", |t| {
    t.input("t0", &[0u8; 36]);
    t.input("t1", &[[0.0f32; 3]; 5]);
    t.typed_input("t2", Format::R32Uint, &[0u32; 7]);
    t.input("u1", &[[0u32; 2]; 9]);
    t.typed_input("u2", Format::R32Uint, &[0u32; 11]);
    t.expect("u0", vec![36u32, 5, 12, 7, 32, 9, 8, 11]);
});

gpu_case!(hidden_counters_count_up_and_down, "buffers/counter", |t| {
    t.counted("u0", &[0u32; 70], (3, 67), |got: &[u32]| {
        let right = (0..70).all(|i| got[i] == u32::from((3..67).contains(&i)));
        right.then_some(()).ok_or_else(|| format!("{got:?}"))
    });
    t.counted("u1", &[0u32; 70], (66, 2), |got: &[u32]| {
        let right = (0..70).all(|i| got[i] == if (2..66).contains(&i) { 2 } else { 0 });
        right.then_some(()).ok_or_else(|| format!("{got:?}"))
    });
});

gpu_case!(
    consumed_elements_are_appended,
    "buffers/append_consume",
    |t| {
        let mut random = Random::new(78);
        let data: Vec<[u32; 2]> = rows(64, |i| [random.below(100), i as u32]);
        let mut expected: Vec<[u32; 2]> = data
            .iter()
            .filter(|v| v[0] & 1 != 0)
            .map(|v| [v[0], v[1] * 2])
            .collect();
        expected.sort_unstable();
        let count = expected.len();
        t.counted("u0", &data, (64, 0), |_: &[[u32; 2]]| Ok(()));
        t.counted(
            "u1",
            &[[0u32; 2]; 64],
            (0, count as u32),
            move |got: &[[u32; 2]]| {
                let mut sorted = got[..count].to_vec();
                sorted.sort_unstable();
                (sorted == expected)
                    .then_some(())
                    .ok_or_else(|| format!("{sorted:?}\nexpected {expected:?}"))
            },
        );
    }
);

gpu_case!(
    the_last_group_sees_what_all_groups_wrote,
    "buffers/coherent",
    |t| {
        t.groups(8, 1, 1);
        t.update(
            "u0",
            &[0u32; 8],
            rows(8, |i| (i as u32 + 1) * (i as u32 + 1)),
        );
        t.update("u1", &[0u32, 0], vec![8u32, 204]);
    }
);

gpu_case!(
    present_memory_is_fully_mapped,
    "buffers/access_status",
    |t| {
        let data: Vec<u32> = rows(32, |i| i as u32 * 3);
        t.input("t0", &data);
        t.input("t1", &data);
        t.expect("u0", rows(32, |i| data[i] * 2 + 3000));
    }
);

gpu_case!(
    two_registers_share_one_buffer,
    "buffers/aliased_views",
    |t| {
        let mut random = Random::new(79);
        let data: Vec<[u32; 3]> = rows(16, |_| std::array::from_fn(|_| random.below(1 << 20)));
        let id = t.input("t0", &data);
        t.view("t1", ResourceView::buffer(id));
        t.expect(
            "u0",
            rows(16, |i| {
                [data[i].into_iter().sum::<u32>(), data[i][0] ^ data[i][2]]
            }),
        );
    }
);

gpu_case!(
    vectors_behind_unknown_and_constant_offsets,
    "buffers/raw_rows",
    |t| {
        const STRIDE: usize = 28;
        let mut random = Random::new(80);
        let data: Vec<u32> = rows(60, |_| random.bits());
        t.input("t0", &data);
        t.constants("b0", Bytes::new().put(STRIDE as u32).0);
        t.expect(
            "u0",
            rows(8, |i| {
                let at = |byte: usize| data.get(byte / 4).copied().unwrap_or(0);
                let first = i * STRIDE;
                let near: [u32; 4] = std::array::from_fn(|k| at(first + 4 * k));
                let [x, y, z, w] = std::array::from_fn(|k| at(32 + i * 16 + 4 * k));
                [
                    near[0],
                    near[1],
                    near[2],
                    near[3],
                    at(first + 20),
                    at(first + 16),
                    near[3],
                    near[0],
                    w,
                    z,
                    y,
                    x,
                ]
            }),
        );
    }
);
