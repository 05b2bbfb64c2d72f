//! Atomics on every kind of memory.

use dxil_hwtests::{
    element::{Random, Tolerance},
    rows, texture,
};
use dxil_runtime::{Format, job::Dimension};

gpu_case!(raw_buffer_atomics, "atomics/raw", |t| {
    let mut random = Random::new(60);
    let data: Vec<u32> = rows(64, |_| random.bits());
    t.input("t0", &data);
    let signed = |v: &u32| *v as i32;
    let start = [7, u32::MAX, 0, u32::MAX, 0, 0x1234, 5, 5, 9, 40, 77];
    let minimum = data.iter().map(signed).min().unwrap().min(5);
    let maximum = data.iter().map(signed).max().unwrap().max(5);
    let expected = vec![
        data.iter().fold(7, |a: u32, v| a.wrapping_add(*v)),
        *data.iter().min().unwrap(),
        *data.iter().max().unwrap(),
        data.iter().fold(u32::MAX, |a, v| a & v),
        data.iter().fold(0, |a, v| a | v),
        data.iter().fold(0x1234, |a, v| a ^ v),
        minimum as u32,
        maximum as u32,
        1234,
        // Thread 40 makes 41 of it; only thread 41 can go on, and so on: any of 41 to 64.
        0,
        77,
    ];
    let id = t.input("u0", &start);
    t.check("u0", id, move |got: &[u32]| {
        for (index, (got, want)) in got.iter().zip(&expected).enumerate() {
            let good = if index == 9 {
                (41..=64).contains(got)
            } else {
                got == want
            };
            if !good {
                return Err(format!("[{index}] is {got:#x}, expected {want:#x}"));
            }
        }
        Ok(())
    });
});

gpu_case!(
    structured_atomics_return_each_old_value_once,
    "atomics/structured",
    |t| {
        let start: Vec<[u32; 3]> = vec![[11, 0, 0]; 4];
        t.update(
            "u0",
            &start,
            rows(4, |i| [11, 16, (-(60 + i as i32)) as u32]),
        );
        t.update("u1", &[0u32; 64], vec![1u32; 64]);
    }
);

gpu_case!(typed_buffer_atomics, "atomics/typed", |t| {
    let sums: Vec<u32> = rows(4, |i| (0..16).map(|k| k * 4 + i as u32).sum());
    t.typed_update(
        "u0",
        Format::R32Uint,
        &[0, 0, 0, 0, 0, 7, 0, 0],
        vec![sums[0], sums[1], sums[2], sums[3], u32::MAX, 8, 1, 0],
        Tolerance::Exact,
    );
    t.typed_update(
        "u1",
        Format::R32Sint,
        &[-100, 100, 3],
        vec![-7, -70, 3],
        Tolerance::Exact,
    );
});

gpu_case!(texture_atomics, "atomics/textures", |t| {
    t.texture_update(
        "u0",
        texture(Dimension::D1, Format::R32Uint, [8, 1, 1], 1, &[5u32; 8]),
        vec![13u32; 8],
        Tolerance::Exact,
    );
    let flat = |i: u32| (0..64).filter(|id| id & 15 == i).fold(0, |a, id| a ^ id);
    t.texture_update(
        "u1",
        texture(Dimension::D2, Format::R32Uint, [4, 4, 1], 1, &[0u32; 16]),
        rows(16, |i| flat(i as u32)),
        Tolerance::Exact,
    );
    t.texture_update(
        "u2",
        texture(Dimension::D3, Format::R32Sint, [2, 2, 2], 1, &[100i32; 8]),
        rows(8, |i| -(56 + i as i32)),
        Tolerance::Exact,
    );
    // Layer z, row 1, column x of 4x2x2.
    let mut layers = vec![3u32; 16];
    for x in 0..4u32 {
        for z in 0..2u32 {
            let largest = (0..64).filter(|id| id & 3 == x && (id >> 2) & 1 == z).max();
            layers[(z * 8 + 4 + x) as usize] = largest.unwrap();
        }
    }
    t.texture_update(
        "u3",
        texture(Dimension::D2, Format::R32Uint, [4, 2, 1], 2, &[3u32; 16]),
        layers,
        Tolerance::Exact,
    );
});

gpu_case!(compare_exchange_loops_end, "atomics/lock_loop", |t| {
    let data: Vec<f32> = rows(32, |i| i as f32 * 0.5);
    t.input("t0", &data);
    t.update(
        "u0",
        &[1.0f32, 9.0],
        vec![1.0 + data.iter().sum::<f32>(), 9.0],
    );
});

gpu_case!(wide_buffer_atomics, "atomics/wide", |t| {
    let mut random = Random::new(61);
    let data: Vec<u64> = rows(64, |_| random.bits64());
    t.input("t0", &data);
    t.update(
        "u0",
        &[1u64, 0, 0xff],
        vec![
            data.iter().fold(1, |a: u64, v| a.wrapping_add(*v)),
            *data.iter().max().unwrap(),
            data.iter().fold(0xff, |a, v| a ^ v),
        ],
    );
    t.update(
        "u1",
        &[u64::MAX, 0, 3],
        vec![
            *data.iter().min().unwrap(),
            data.iter().fold(0, |a, v| a | v),
            0x12_3456_7890,
        ],
    );
});

gpu_case!(wide_groupshared_atomics, "atomics/groupshared_wide", |t| {
    t.wgpu_refuses("shaderSharedInt64Atomics");
    let mut random = Random::new(62);
    let data: Vec<u64> = rows(64, |_| random.bits64());
    t.input("t0", &data);
    let low = data.iter().map(|v| *v as i64).min().unwrap().min(0);
    t.expect(
        "u0",
        vec![
            data.iter().fold(0, |a: u64, v| a.wrapping_add(*v)),
            low as u64,
        ],
    );
});

// Each of 64 floats is taken by the first thread that finds it 0: the threads of a float write
// their number minus two, minus one and themselves, each only over what they wrote before. With one
// thread for each float the last of them stays. Element 0 goes from 0 to NaN to 0.25.
fn exchanged_floats() -> Vec<f32> {
    rows(64, |i| if i == 0 { 0.25 } else { i as f32 + 2.0 })
}

gpu_case!(
    floats_of_texels_are_exchanged_as_bits,
    "atomics/float_texels",
    |t| {
        t.wgpu_refuses("a 32-bit atomic on u1");
        let zeros = [0.0f32; 64];
        t.typed_update(
            "u0",
            Format::R32Float,
            &zeros,
            exchanged_floats(),
            Tolerance::Exact,
        );
        t.texture_update(
            "u1",
            texture(Dimension::D1, Format::R32Float, [64, 1, 1], 1, &zeros),
            exchanged_floats(),
            Tolerance::Exact,
        );
        t.texture_update(
            "u2",
            texture(Dimension::D2, Format::R32Float, [8, 8, 1], 1, &zeros),
            exchanged_floats(),
            Tolerance::Exact,
        );
    }
);

// A signed view of unsigned texels is valid in D3D12, as is the reverse.
gpu_case!(atomics_see_integers_of_either_sign, "atomics/typed", |t| {
    let sums: Vec<i32> = rows(4, |i| (0..16).map(|k| k * 4 + i as i32).sum());
    t.typed_update(
        "u0",
        Format::R32Sint,
        &[0, 0, 0, 0, 0, 7, 0, 0],
        vec![sums[0], sums[1], sums[2], sums[3], -1, 8, 1, 0],
        Tolerance::Exact,
    );
    t.typed_update(
        "u1",
        Format::R32Uint,
        &[-100, 100, 3].map(i32::cast_unsigned),
        vec![-7, -70, 3]
            .into_iter()
            .map(i32::cast_unsigned)
            .collect(),
        Tolerance::Exact,
    );
});

gpu_case!(
    float_compare_exchange_compares_bits,
    "atomics/float_compare",
    |t| {
        t.update("u0", &[0.5f32.to_bits(), 0], vec![2.5f32.to_bits(), 1]);
        t.update("u1", &[1.0f32, -1.0], vec![4.25f32, 8.0]);
    }
);
