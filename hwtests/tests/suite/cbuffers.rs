//! Constant buffers: packing, dynamic rows, matrices, 16-bit and 64-bit members, arrays of buffers.

use dxil_hwtests::{
    element::{Bytes, f16},
    rows,
};

gpu_case!(members_pack_into_rows, "cbuffers/members", |t| {
    let bytes = Bytes::new()
        .put(1.5f32) // a
        .put([2.0f32, 3.0]) // b
        .put(-4i32) // c
        .put([5.0f32, 6.0, 7.0]) // d
        .put(8u32) // e
        .put([9.0f32, 11.0]) // f, and g does not fit behind it
        .align(16)
        .put([1.0f32, 2.0, 3.0]) // g
        .put(1u32); // h
    t.constants("b0", bytes.0);
    t.expect(
        "u0",
        vec![1.5f32, 2.0, 3.0, -4.0, 765.0, 8.0, -2.0, 321.0, 1.0],
    );
});

gpu_case!(rows_take_dynamic_indices, "cbuffers/dynamic_rows", |t| {
    let mut bytes = Bytes::new();
    for i in 0..8 {
        bytes = bytes.align(16).put(i as f32 + 0.5);
    }
    for i in 0..16u32 {
        bytes = bytes.align(16).put([i, i * 2, i * 3, i * 4]);
    }
    for i in 0..4 {
        bytes = bytes.align(16).put([0.0f32, 0.0, i as f32 * 100.0]);
    }
    t.constants("b0", bytes.align(16).0);
    t.expect(
        "u0",
        rows(64, |i| {
            let scale = (i & 7) as f32 + 0.5;
            let table = ((i >> 2) * ((i & 3) + 1)) as f32;
            scale * table + (i & 3) as f32 * 100.0
        }),
    );
});

gpu_case!(copies_in_local_arrays, "cbuffers/copied_arrays", |t| {
    let row = |i: usize| std::array::from_fn::<f32, 4, _>(|c| (i * 10 + c) as f32);
    let mut bytes = Bytes::new();
    for i in 0..6 {
        bytes = bytes.put(row(i));
    }
    for i in 0..4u32 {
        bytes = bytes.put([i, i + 1, i * 100, i + 3]);
    }
    // By columns, as HLSL has it: row 1 of a matrix is component 1 of each of its rows in memory.
    let column = |m: usize, c: usize| std::array::from_fn::<f32, 4, _>(|r| (m * 16 + c * r) as f32);
    for m in 0..3 {
        for c in 0..4 {
            bytes = bytes.put(column(m, c));
        }
    }
    t.constants("b0", bytes.0);
    t.expect(
        "u0",
        rows(64, |i| {
            let weights = [1.0, 2.0, 4.0, 8.0];
            let product: f32 = (0..4).map(|c| column(i % 3, c)[1] * weights[c]).sum();
            let mut sum = row(i % 6)[1] + (i & 3) as f32 * 100.0 + product;
            if i & 1 == 1 {
                let changed = (i >> 1) % 6;
                let added = if changed == i % 5 { 1000.0 } else { 0.0 };
                sum += row(changed)[0] + added + row(5 - i % 6)[3];
            }
            sum
        }),
    );
});

gpu_case!(matrices_by_rows_and_by_columns, "cbuffers/matrices", |t| {
    let entry = |m: usize, r: usize, c: usize| (m * 31 + r * 7 + c * 3) as f32 % 11.0;
    let mut bytes = Bytes::new();
    for r in 0..4 {
        bytes = bytes.put(std::array::from_fn::<f32, 4, _>(|c| entry(0, r, c)));
    }
    for c in 0..4 {
        bytes = bytes.put(std::array::from_fn::<f32, 4, _>(|r| entry(1, r, c)));
    }
    for n in 0..3 {
        // float3x4 by columns: four rows of three; float2x3 by rows: two rows of three.
        for c in 0..4 {
            bytes = bytes
                .align(16)
                .put(std::array::from_fn::<f32, 3, _>(|r| entry(2 + n, r, c)));
        }
        for r in 0..2 {
            bytes = bytes
                .align(16)
                .put(std::array::from_fn::<f32, 3, _>(|c| entry(5 + n, r, c)));
        }
        bytes = bytes.put(n as u32 * 10 + 1);
    }
    t.constants("b0", bytes.align(16).0);
    let v = [1.0f32, 2.0, 3.0, 4.0];
    let product = |m: usize, r: usize, columns: usize| -> f32 {
        (0..columns).map(|c| entry(m, r, c) * v[c]).sum()
    };
    let mut expected: Vec<[f32; 4]> = Vec::new();
    for id in 0..3 {
        expected.push(std::array::from_fn(|r| product(0, r, 4)));
        expected.push(std::array::from_fn(|r| product(1, r, 4)));
        expected.push(std::array::from_fn(|r| {
            if r < 3 {
                product(2 + id, r, 4)
            } else {
                id as f32 * 10.0 + 1.0
            }
        }));
        expected.push([
            product(5 + id, 0, 3),
            product(5 + id, 1, 3),
            entry(5 + id, 1, id),
            entry(0, id, 3),
        ]);
    }
    t.expect("u0", expected);
});

gpu_case!(
    constant_buffer_objects_in_two_spaces,
    "cbuffers/structs",
    |t| {
        let light = |colour: [f32; 3], power: f32, cells: [[i32; 2]; 2]| {
            Bytes::new()
                .put(colour)
                .put(power)
                .put(cells[0])
                .align(16)
                .put(cells[1])
                .align(16)
                .0
        };
        t.constants("b1", light([1.0, 2.0, 3.0], 2.0, [[10, 20], [30, 40]]));
        t.constants(
            "b0,space2",
            light([4.0, 5.0, 6.0], 7.0, [[100, 0], [200, 0]]),
        );
        t.expect(
            "u0",
            vec![
                [2.0f32, 4.0, 6.0, 20.0],
                [206.0, 205.0, 204.0, 207.0],
                [2.0, 4.0, 6.0, 40.0],
                [106.0, 105.0, 104.0, 107.0],
            ],
        );
    }
);

gpu_case!(double_members, "cbuffers/doubles", |t| {
    let bytes = Bytes::new()
        .put(1.25f64)
        .align(16)
        .put([2.5f64, -3.75])
        .put(4.0f32)
        .align(16)
        .put(0.1f64)
        .align(16)
        .put(-7.0f64)
        .align(16);
    t.constants("b0", bytes.0);
    t.expect("u0", vec![3.75f64, -15.0, 0.1, 3.75, -15.0, -7.0]);
});

gpu_case!(sixteen_bit_members, "cbuffers/half_members", |t| {
    let half = f16::from_f32;
    let bytes = Bytes::new()
        .put(half(1.5))
        .put([half(2.0), half(-3.0), half(4.25)])
        .put(500u16)
        .align(16)
        .put(-6i16)
        .align(16)
        .put(7i16)
        .put([half(8.0), half(0.125)])
        .align(16);
    t.constants("b0", bytes.0);
    let row = |d: f32| [1.5f32, 2.0, -3.0, 4.25, 500.0, d, 8.0, 0.125];
    t.expect("u0", vec![row(-6.0), row(7.0)]);
});

gpu_case!(
    texture_buffers_hold_constants,
    "cbuffers/texture_buffer",
    |t| {
        let bytes = Bytes::new()
            .put([1.0f32, 2.0, 3.0, 4.0])
            .put(5u32)
            .align(16)
            .put([6.0f32, 7.5])
            .align(16)
            .put([8.0f32, 10.5])
            .align(16);
        t.input("t0", &bytes.0);
        t.expect("u0", vec![5.0f32, 5.0, -1.5, 6.0, 5.0, -2.5]);
    }
);

gpu_case!(
    arrays_of_constant_buffers,
    "cbuffers/array_of_buffers",
    |t| {
        t.wgpu_refuses("an array of constant buffers");
        t.groups(4, 1, 1);
        for i in 0..4u32 {
            let bytes =
                Bytes::new()
                    .put([i as f32, 0.5, 1.0, 2.0])
                    .put([i, i * 10, i * 100, i * 1000]);
            t.constants(&format!("b{}", i + 2), bytes.0);
        }
        t.expect(
            "u0",
            rows(16, |i| {
                let (group, lane) = (i as u32 / 4, i as u32 % 4);
                let sum: u32 = (0..=group).map(|k| k * 10u32.pow(lane)).sum();
                [group as f32, 0.5, 1.0, 2.0].map(|c| c + sum as f32)
            }),
        );
    }
);
