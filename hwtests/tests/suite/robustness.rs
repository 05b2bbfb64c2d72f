//! D3D12's rules for accesses outside of resources and for null descriptors: reads are zero, writes
//! are dropped. Each case runs with the device's robustness and with bounds checks in code.

use dxil_hwtests::{Tolerance, element::to_bytes, rows, texture};
use dxil_runtime::{
    Format, ResourceView, Storage,
    job::{BufferView, Dimension, Texture},
};

/// Returns a texture of numbers that count up from `start`.
fn counting(
    dimension: Dimension,
    size: [u32; 3],
    layers: u32,
    format: Format,
    start: u32,
) -> Texture {
    let components = format.components() as u32;
    let count = size.iter().product::<u32>() * layers * components;
    let texels: Vec<u32> = (0..count).map(|i| start + i).collect();
    texture(dimension, format, size, layers, &texels)
}

bounds_case!(
    texels_outside_of_textures_are_zero,
    "robust/texture_loads",
    |t| {
        use Dimension::{D1, D2, D3};
        let r32 = Format::R32Uint;
        t.texture("t0", counting(D1, [4, 1, 1], 1, r32, 11));
        t.texture("t1", counting(D2, [4, 4, 1], 1, Format::Rgba32Uint, 1));
        t.texture("t2", counting(D2, [4, 4, 1], 4, r32, 100));
        t.texture("t3", counting(D3, [4, 4, 4], 1, r32, 200));
        let samples = Texture {
            samples: 4,
            ..Texture::new_2d(Format::Rgba32Float, 4, 4, Vec::new())
        };
        t.texture("t4", samples);
        t.texture("u1", counting(D2, [4, 4, 1], 1, r32, 300));
        // Layer 0 at (1, 1); layer 1 at (0, 1); slice 0 at (1, 1); slice 1 at (1, 0); row 1.
        let inside = [11, 2, 3, 4, 105, 120, 205, 217, 0, 304];
        t.expect("u0", rows(80, |i| if i < 40 { inside[i % 10] } else { 0 }));
    }
);

bounds_case!(
    writes_outside_of_textures_are_dropped,
    "robust/texture_writes",
    |t| {
        use Dimension::{D1, D2, D3};
        let zeros = |dimension, size, layers| {
            texture::<u32>(dimension, Format::R32Uint, size, layers, &[0; 8][..])
        };
        let mut update =
            |name: &str, dimension, size: [u32; 3], layers, first: &[u32], last: Vec<u32>| {
                let texture = Texture {
                    data: to_bytes(first),
                    ..zeros(dimension, size, layers)
                };
                t.texture_update(name, texture, last, Tolerance::Exact);
            };
        update("u1", D1, [2, 1, 1], 1, &[0; 2], vec![0, 100]);
        update("u2", D2, [2, 2, 1], 1, &[0; 4], vec![0, 100, 100, 7]);
        let first = [0, 0, 0, 0, 0, 0, 0, 5];
        update(
            "u3",
            D2,
            [2, 2, 1],
            2,
            &first,
            vec![0, 100, 0, 0, 100, 0, 0, 9],
        );
        update(
            "u4",
            D3,
            [2, 2, 2],
            1,
            &[0; 8],
            vec![0, 0, 100, 0, 100, 0, 0, 0],
        );
        t.typed_update(
            "u5",
            Format::R32Uint,
            &[0, 3],
            vec![0, 1000],
            Tolerance::Exact,
        );
        let old = [0, 3, 5];
        t.expect("u0", rows(24, |i| old.get(i).copied().unwrap_or(0u32)));
    }
);

bounds_case!(
    vectors_may_end_outside_of_a_buffer,
    "robust/partial_vectors",
    |t| {
        t.portable_refuses("16-bit");
        let words = [10u32, 20, 30, 40, 0x0007_0050];
        t.input("t0", &words);
        let word = |i: usize| words.get(i).copied().unwrap_or(0);
        let half = |i: usize| word(i / 2) >> (16 * (i % 2)) & 0xffff;
        t.expect(
            "u0",
            rows(4, |i| {
                let at = 2 + i;
                let wide = |k| word(2 + i * 2 + k);
                // 64 bits are two words; each is inside or not.
                let sum = wide(0) + wide(1);
                let halves = half(8 + i) + half(9 + i) * 100;
                [
                    word(at),
                    word(at + 1),
                    word(at + 2) + sum,
                    word(at + 3) + halves,
                ]
            }),
        );
        t.update("u1", &[0u32; 5], vec![0, 0, 0, 1, 2 | 5 << 16]);
    }
);

bounds_case!(
    root_descriptors_end_with_their_views,
    "robust/root_descriptors",
    |t| {
        let data: Vec<[u32; 2]> = rows(8, |i| [0, i as u32 * 100]);
        t.input("t0", &data);
        t.input("t1", &rows(8, |i| i as u32));
        t.constants("b0", to_bytes(&rows(16, |i| [i as u32 * 10_000; 4])));
        let root = |i: usize| i as u32 * 10_000 + 1;
        t.expect(
            "u0",
            rows(16, |i| root(i) + if i < 8 { i as u32 * 101 } else { 0 }),
        );
        t.update(
            "u1",
            &[0u32; 8],
            rows(8, |i| if i & 1 == 0 { i as u32 / 2 } else { 2 }),
        );
    }
);

bounds_case!(
    views_end_before_their_buffers,
    "buffers/structured_out_of_bounds",
    |t| {
        let part = |resource, size| {
            ResourceView::Buffer(BufferView {
                resource,
                offset: 256,
                size: Some(size),
                format: None,
                counter: None,
            })
        };
        let data: Vec<[u32; 2]> = rows(64, |i| [(i as u32 % 32) * 100, 7]);
        let input = t.resource("in", Storage::Buffer(to_bytes(&data)), false);
        let out = t.resource("out", Storage::Buffer(vec![0; 512]), true);
        t.view("t0", part(input, 64));
        t.view("u0", part(out, 128));
        let expected = |i: usize| {
            if i < 8 {
                [i as u32 * 100 + 1, 9]
            } else {
                [1, 2]
            }
        };
        t.check_equal(
            "out",
            out,
            rows(64, |i| {
                if (32..48).contains(&i) {
                    expected(i - 32)
                } else {
                    [0; 2]
                }
            }),
        );
    }
);

null_case!(
    constants_beyond_a_view_are_zero,
    "robust/root_descriptors",
    |t| {
        t.input("t0", &[[0u32; 2]; 16]);
        t.input("t1", &[0u32; 16]);
        let constants = to_bytes(&rows(48, |i| [i as u32; 4]));
        let buffer = t.resource("constants", Storage::Buffer(constants), false);
        t.view(
            "b0",
            ResourceView::Buffer(BufferView {
                resource: buffer,
                offset: 256,
                size: Some(128),
                format: None,
                counter: None,
            }),
        );
        t.expect("u0", rows(16, |i| if i < 8 { i as u32 + 17 } else { 1 }));
        t.input("u1", &[0u32; 16]);
    }
);

null_case!(null_descriptors_read_zero, "robust/nulls", |t| {
    for name in ["b0", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"] {
        t.view(name, ResourceView::Null);
    }
    for name in ["u1", "u2", "u3", "u4", "u5"] {
        t.view(name, ResourceView::Null);
    }
    t.sampler("s0", dxil_runtime::job::Sampler::default());
    t.expect("u0", vec![0u32; 4]);
});

null_case!(null_buffers_have_no_size, "robust/null_sizes", |t| {
    for name in ["t0", "t1", "u1", "u2"] {
        t.view(name, ResourceView::Null);
    }
    t.expect("u0", vec![0u32, 0, 16, 0, 0, 8]);
});

null_case!(
    arrays_may_have_null_descriptors,
    "robust/null_in_arrays",
    |t| {
        t.groups(4, 1, 1);
        for i in 0..4u32 {
            let (buffer, texels) = (format!("t{i}"), format!("t{}", i + 4));
            let out = format!("u{}", i + 1);
            if i & 1 == 0 {
                t.input(&buffer, &[i, i * 10 + 1]);
                t.view(&texels, ResourceView::Null);
                t.view(&out, ResourceView::Null);
            } else {
                t.view(&buffer, ResourceView::Null);
                let texels_of = counting(Dimension::D2, [2, 1, 1], 1, Format::R32Uint, i * 100);
                t.texture(&texels, texels_of);
                t.update(&out, &[0u32], vec![i + 50]);
            }
        }
        t.expect("u0", vec![1u32, 101, 21, 301]);
    }
);
