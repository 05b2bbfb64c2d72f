//! Sources of resources: arrays, spaces, heaps, root signatures.

use dxil_frontend::dxil::ResourceClass::{self, Srv, Uav};
use dxil_hwtests::{
    Case,
    element::{Bytes, Random, Tolerance, to_bytes},
    rows, texture,
};
use dxil_runtime::{
    Format, ResourceView, Storage,
    job::{AddressMode, BufferView, Dimension, Filter, HeapView, Sampler, Texture},
};

/// Returns a slot of the resource heap.
fn slot(class: ResourceClass, view: ResourceView) -> HeapView {
    HeapView { class, view }
}

/// Returns a 2x2 texture of four numbers in a row.
fn small(start: u32) -> Texture {
    texture::<u32>(
        Dimension::D2,
        Format::R32Uint,
        [2, 2, 1],
        1,
        &rows(4, |i| start + i as u32),
    )
}

/// Returns a 2x2 texture of four floats in a row.
fn small_float(start: f32) -> Texture {
    texture::<f32>(
        Dimension::D2,
        Format::R32Float,
        [2, 2, 1],
        1,
        &rows(4, |i| start + i as f32),
    )
}

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

gpu_case!(
    texture_arrays_with_a_uniform_index,
    "bindings/texture_array_uniform",
    |t| {
        t.groups(4, 1, 1);
        for i in 0..4 {
            t.texture(&format!("t{}", i + 3), small(i * 10));
        }
        t.expect("u0", rows(16, |i| (i / 4 * 10 + i % 4) as u32));
    }
);

gpu_case!(
    texture_arrays_with_a_nonuniform_index,
    "bindings/texture_array_nonuniform",
    |t| {
        for i in 0..4 {
            t.texture(&format!("t{i}"), small(i * 10));
        }
        t.expect("u0", rows(16, |i| (((i * 7) & 3) * 10 + (i & 3)) as u32));
    }
);

gpu_case!(arrays_of_buffers, "bindings/buffer_arrays", |t| {
    for k in 0..3u32 {
        t.input(&format!("t{k}"), &rows(4, |i| k * 100 + i as u32));
    }
    for k in 0..2u32 {
        t.input(&format!("t{}", k + 8), &[k * 1000, k * 1000 + 500]);
    }
    let mut out = [[0u32; 4]; 3];
    for i in 0..12 {
        let which = i % 3;
        let raw = (i as u32 & 1) * 1000 + if i & 4 != 0 { 500 } else { 0 };
        out[2 - which][i / 3] = which as u32 * 100 + i as u32 / 3 + raw;
    }
    for (k, expected) in out.into_iter().enumerate() {
        t.expect(&format!("u{}", k + 1), expected.to_vec());
    }
});

gpu_case!(
    unbounded_arrays_in_their_own_spaces,
    "bindings/unbounded",
    |t| {
        for i in 0..4 {
            t.texture(&format!("t{i},space1"), small_float(i as f32 * 10.0));
        }
        t.sampler("s0", point(AddressMode::Wrap));
        t.sampler("s1", point(AddressMode::Clamp));
        for k in 0..3u32 {
            t.input(
                &format!("t{},space2", k + 4),
                &rows(8, |i| k * 1000 + i as u32 * 100),
            );
        }
        t.expect(
            "u0",
            rows(8, |i| {
                let texel = (i & 3) as f32 * 10.0 + (i >> 2) as f32;
                texel + (i % 3 * 1000 + i * 100) as f32
            }),
        );
    }
);

gpu_case!(
    few_elements_of_an_array_without_an_end,
    "bindings/few_of_many",
    |t| {
        for k in 0..16u32 {
            t.input(&format!("t{k},space1"), &rows(8, |i| k * 1000 + i as u32));
        }
        t.expect(
            "u0",
            rows(8, |i| {
                let id = i as u32;
                let named = [(id & 7) + 2, id.min(5) * 3, if id > 3 { 1 } else { 12 }];
                named.iter().map(|k| k * 1000 + id).sum::<u32>()
            }),
        );
    }
);

gpu_case!(
    textures_are_chosen_by_numbers_from_memory,
    "bindings/any_of_many",
    |t| {
        let which = [0u32, 3, 1, 2, 2, 0, 3, 1];
        t.input("t0", &which);
        for k in 0..4 {
            t.texture(&format!("t{k},space1"), small_float(k as f32 * 10.0));
        }
        t.expect("u0", rows(8, |i| which[i] as f32 * 10.0 + (i & 3) as f32));
    }
);

gpu_case!(one_register_in_three_spaces, "bindings/spaces", |t| {
    let column = |k: u32| -> Vec<u32> { rows(16, |i| (i as u32 + k) % 50) };
    t.input("t0", &column(1));
    t.input("t0,space1", &column(2));
    t.input("t0,space7", &column(3));
    t.expect(
        "u0,space3",
        rows(16, |i| {
            column(1)[i] + column(2)[i] * 100 + column(3)[i] * 10_000
        }),
    );
});

gpu_case!(buffers_from_the_heap, "bindings/heap_buffers", |t| {
    t.wgpu_refuses("heap");
    let (a, b): (Vec<u32>, Vec<u32>) = (rows(16, |i| i as u32), rows(16, |i| 500 + i as u32));
    let c: Vec<u32> = rows(16, |i| 900 - i as u32);
    let ids: Vec<_> = [("a", &a), ("b", &b), ("c", &c)]
        .into_iter()
        .map(|(name, data)| t.resource(name, Storage::Buffer(to_bytes(data)), false))
        .collect();
    let out = t.resource("out", Storage::Buffer(vec![0xa5; 64]), true);
    t.job.resource_heap = vec![
        slot(Srv, ResourceView::Null),
        slot(Srv, ResourceView::buffer(ids[0])),
        slot(Srv, ResourceView::buffer(ids[1])),
        slot(Srv, ResourceView::buffer(ids[2])),
        slot(Srv, ResourceView::Null),
        slot(Uav, ResourceView::buffer(out)),
    ];
    t.constants("b0", Bytes::new().put([1u32, 5]).align(16).0);
    t.check_equal(
        "out",
        out,
        rows(16, |i| a[i] * 1000 + if i & 1 == 0 { b[i] } else { c[i] }),
    );
});

gpu_case!(
    textures_and_samplers_from_the_heaps,
    "bindings/heap_textures",
    |t| {
        t.wgpu_refuses("heap");
        let textures: Vec<_> = [10.0, 20.0]
            .into_iter()
            .map(|start| t.resource("texture", Storage::Texture(small_float(start)), false))
            .collect();
        let out = t.resource(
            "out",
            Storage::Texture(texture::<f32>(
                Dimension::D2,
                Format::R32Float,
                [4, 2, 1],
                1,
                &[0.0; 8],
            )),
            true,
        );
        t.job.resource_heap = vec![
            slot(Srv, ResourceView::texture(textures[0])),
            slot(Srv, ResourceView::texture(textures[1])),
            slot(Uav, ResourceView::texture(out)),
        ];
        t.job.sampler_heap = vec![point(AddressMode::Wrap), point(AddressMode::Clamp)];
        let value = |i: usize| 10.0 + (i & 1) as f32 * 10.0 + (i >> 1 & 1) as f32;
        t.check_equal("out", out, rows(8, |i| value(i) * 2.0));
        t.expect("u0", rows(8, value));
    }
);

gpu_case!(
    hidden_counters_of_slots_of_the_heap,
    "bindings/heap_counters",
    |t| {
        t.wgpu_refuses("heap");
        let counted = |resource, counter| {
            ResourceView::Buffer(BufferView {
                resource,
                offset: 0,
                size: None,
                format: None,
                counter: Some(counter),
            })
        };
        let buffer = |t: &mut Case, words: usize| {
            t.resource(
                "counted",
                Storage::Buffer(to_bytes(&vec![0u32; words])),
                true,
            )
        };
        let (up, odd, down) = (buffer(t, 20), buffer(t, 12), buffer(t, 20));
        t.job.resource_heap = vec![
            slot(Srv, ResourceView::Null),
            slot(Uav, counted(up, 4)),
            slot(Uav, counted(odd, 0)),
            slot(Uav, counted(down, 6)),
        ];
        // Which thread gets which place is open; that each gets one is not.
        fn same<T: Ord + std::fmt::Debug>(mut got: Vec<T>, expected: &[T]) -> Result<(), String> {
            got.sort();
            (got == expected).then_some(()).ok_or(format!("{got:?}"))
        }
        let numbers: Vec<u32> = rows(20, |i| if i < 4 { 0 } else { 96 + i as u32 });
        t.check("up", up, move |got: &[u32]| same(got.to_vec(), &numbers));
        t.check("odd", odd, |got: &[u32]| {
            same(got.to_vec(), &[0, 0, 0, 0, 1, 3, 5, 7, 9, 11, 13, 15])
        });
        t.check("down", down, |got: &[[u32; 2]]| {
            let (written, rest) = got.split_at(6);
            same(rest.to_vec(), &[[0; 2]; 4])?;
            same(written.to_vec(), &rows(6, |i| [i as u32, (i * i) as u32]))
        });
        t.heap_counter(1, 20);
        t.heap_counter(2, 8);
        t.heap_counter(3, 0);
    }
);

// wgpu cannot mirror once.
gpu_case!(
    @ static_samplers_have_every_state,
    "bindings/static_samplers",
    |t| {
        // Level 0 counts from 0, level 1 from 100, level 2 is 200; alpha is 0.5 everywhere.
        let levels = (0..16).chain(100..104).chain(200..201);
        let texels: Vec<[f32; 4]> = levels.map(|i| [i as f32, 0.0, 0.0, 0.5]).collect();
        let colors = Texture {
            mips: 3,
            ..Texture::new_2d(Format::Rgba32Float, 4, 4, to_bytes(&texels))
        };
        t.texture("t0", colors);
        let depths = to_bytes(&[0.25f32, 0.5, 0.75, 1.0]);
        // Few formats have filters of least and greatest texels.
        let line = to_bytes(&[0.0f32, 1.0, 2.0, 3.0]);
        t.texture("t2", Texture::new_2d(Format::R32Float, 4, 1, line));
        t.texture("t1", Texture::new_2d(Format::D32Float, 2, 2, depths));
        let (white, black, clear) = (11.0, 10.0, 0.0);
        let mut expected = vec![1.0f32, 2.0, 3.0, white, black, clear, 1.0, 3.0];
        expected.extend([1.5, 50.0, 100.0, 0.0, 100.0, 1.5, 1.0, 2.0, 100.5, 1.5]);
        // Not written.
        expected.extend([f32::from_bits(0xa5a5_a5a5); 2]);
        for reference in [0.0, 0.25, 0.5] {
            let depth = 0.25;
            expected.extend(
                [
                    false,
                    reference < depth,
                    reference == depth,
                    reference <= depth,
                    reference > depth,
                    reference != depth,
                    reference >= depth,
                    true,
                ]
                .map(|passes| f32::from(u8::from(passes))),
            );
        }
        t.expect_near("u0", expected, Tolerance::Absolute(0.05));
    },
    [vulkan]
);

gpu_case!(embedded_root_signature, "bindings/root_signature", |t| {
    t.constants("b0", Bytes::new().put(3u32).put(0.5f32).put([0u32; 2]).0);
    t.constants("b1", to_bytes::<u32>(&rows(16, |i| i as u32 * 1000)));
    let data: Vec<u32> = rows(16, |i| i as u32 * 2);
    t.input("t0", &data);
    t.texture("t1", small_float(100.0));
    t.typed_input("t2", Format::R32Uint, &data);
    t.expect(
        "u0",
        rows(16, |i| {
            // 1.25 wraps to the first texel, 1.75 to the second.
            let texel = 100.0 + (i & 1) as f32;
            (data[i] * 3) as f32 + 0.5 + texel + i as f32 * 1000.0
        }),
    );
    t.typed_update(
        "u1",
        Format::R32Uint,
        &[0u32; 16],
        rows(16, |i| data[i] + 3),
        Tolerance::Exact,
    );
});

gpu_case!(a_compute_shader_of_a_library, "bindings/library", |t| {
    let data = [64, 65, 66].map(|seed| Random::new(seed).many(64, 1 << 20));
    for (register, values) in ["t2", "t3", "t4"].into_iter().zip(&data) {
        t.input(register, values);
    }
    t.constants("b0", to_bytes(&[5u32, 0, 0, 0]));
    t.expect("u0", rows(64, |i| data[1][i] * 5 + data[i % 3][i]));
    t.portable_refuses("array");
});

gpu_case!(
    arrays_of_several_dimensions_in_a_library,
    "bindings/library_arrays",
    |t| {
        let data: Vec<Vec<u32>> = (0..6).map(|k| rows(24, |i| k * 100 + i as u32)).collect();
        for (k, values) in data.iter().enumerate() {
            t.input(&format!("t{}", k + 2), values);
        }
        let mut out = vec![vec![0xa5a5_a5a5_u32; 24]; 4];
        for id in 0..24 {
            let (a, b, c) = (id & 1, id / 2 % 3, id / 6 % 2);
            out[c * 2 + a][id] = data[a * 3 + b][id] + data[3 + b][0] * 1000 + data[2][1] * 100_000;
        }
        for (k, expected) in out.into_iter().enumerate() {
            t.expect(&format!("u{}", k + 1), expected);
        }
        t.portable_refuses("array");
    }
);

same_case!(
    arrays_of_several_dimensions_in_a_newer_library,
    "bindings/library_handle_arrays",
    super::arrays_of_several_dimensions_in_a_library::describe
);

same_case!(
    a_compute_shader_of_a_newer_library,
    "bindings/library_handles",
    super::a_compute_shader_of_a_library::describe
);

gpu_case!(
    trap_phi_of_handles_of_different_declarations,
    "bindings/one_of_several",
    |t| {
        let data = [61, 62].map(|seed| Random::new(seed).many(68, 1 << 30));
        t.input("t0", &data[0]);
        t.input("t1", &data[1]);
        let mut out = vec![vec![0_u32; 64]; 6];
        out[1].resize(128, 0);
        for id in 0..64 {
            let row = &data[id % 2][id..];
            let (value, next) = (row[0], row[1]);
            let dst = match id % 4 {
                1 => 2 + id % 3,
                2 => 5,
                _ => 1,
            };
            // Element 1 of every loaded row is the next word; a thread of the upper half takes what
            // the phi of structs gives, which is from the first buffer on one way and from the
            // second on another.
            let (value, next) = match id % 4 {
                1 if id > 31 => (data[0][id], data[0][id + 1]),
                2 if id > 31 => (data[1][id], data[1][id + 1]),
                _ => (value, next),
            };
            out[dst][id] = value.wrapping_add(next);
            out[0][id] = value;
            out[1][id + 64] = id as u32;
        }
        t.expect("u0", out[0].clone());
        for (register, expected) in ["u1", "u2", "u3", "u4", "u5"].into_iter().zip(&out[1..]) {
            t.update(register, &vec![0_u32; expected.len()], expected.clone());
        }
        t.portable_refuses("array");
    }
);

gpu_case!(
    buffers_may_change_places_in_a_loop,
    "bindings/handles_swapped_in_a_loop",
    |t| {
        let data = Random::new(63).many(64, 1 << 30);
        let out = rows(64, |id| {
            let mut row = [data[id], 7];
            for round in 0..=id & 7 {
                let sum = row[round & 1].wrapping_mul(3);
                row[1 - (round & 1)] = sum.wrapping_add(round as u32);
            }
            row
        });
        let [ping, pong] = [0, 1].map(|k| out.iter().map(|row| row[k]).collect());
        t.update("u0", &data, ping);
        t.update("u1", &[7_u32; 64], pong);
    }
);
