//! Libraries that call functions of other libraries.

use dxil_hwtests::{
    element::{Random, to_bytes},
    rows, texture,
};
use dxil_runtime::{
    Format,
    job::{Dimension, Sampler},
};

linked_case!(
    structures_matrices_and_resources_of_two_libraries,
    ["linking/caller", "linking/callee"],
    |t| {
        let source: Vec<f32> = rows(64, |id| (id * 7 % 64) as f32);
        let counts = Random::new(5).many(64, 9);
        t.input("t0", &source);
        t.input("t1", &counts);
        let mut shared = to_bytes(&[3_u32]);
        shared.extend(to_bytes(&[0.25_f32]));
        shared.resize(16, 0);
        t.constants("b0", shared);
        let mut expected = Vec::new();
        for id in 0..64_usize {
            let x = id as f32;
            let step = [0.5, 1.0, 2.0, 4.0][id & 3] * source[(id + 1) & 63];
            let position = [x, x * 2.0, source[id]].map(|p| p + step);
            let mut weights = [x, x + 1.0, x + 2.0];
            weights[id % 3] *= 2.0;
            let n: u32 = (0..counts[id]).sum();
            expected.extend([
                position[1],
                position[0] * 2.0,
                position[2] * 3.0,
                x * 4.0,
                x + 1.0,
                weights[0] + weights[1] * 100.0 + weights[2] * 10000.0,
                (n * 1000 + n * 2) as f32,
                0.5 + x + 3.0,
            ]);
        }
        t.expect("u0", expected);
    }
);

linked_case!(
    resources_as_arguments_results_and_members_of_arrays,
    ["linking/objects", "linking/object_functions"],
    |t| {
        for number in 1..4_usize {
            let texels: Vec<f32> = rows(64, |i| (number * 100 + i / 4) as f32);
            let picture = texture::<f32>(Dimension::D2, Format::Rgba32Float, [4, 4, 1], 1, &texels);
            t.texture(&format!("t{number}"), picture);
        }
        t.sampler("s0", Sampler::default());
        let first = Random::new(8).many(64, 1000);
        let second = Random::new(9).many(64, 1000);
        t.input("t4", &first);
        t.input("t5", &second);
        let mut expected = Vec::new();
        let mut other = Vec::new();
        for id in 0..64_usize {
            let (a, b) = match id % 4 % 2 {
                0 => (first[id], second[id]),
                _ => (second[id], first[id]),
            };
            expected.extend([
                200 + (id % 16) as u32,
                match id % 3 {
                    0 => first[id],
                    _ => second[id],
                },
                first[id] + second[id] * 2,
                a * 2 + b,
            ]);
            other.push(match (id & 1, id / 2 % 2) {
                (1, _) => id as u32,
                (_, 0) => first[id],
                _ => second[id],
            });
        }
        t.expect("u0", expected);
        t.expect("u1", other);
    }
);

linked_case!(
    matrices_as_parameters,
    ["linking/matrices", "linking/matrix_functions"],
    |t| {
        let mut expected = Vec::new();
        for id in 0..16_u32 {
            let entry = |i: u32| match id % 2 {
                0 => i + id,
                _ => i * id,
            };
            let first = id / 2 % 4 * 3;
            expected.push((entry(first) + entry(first + 1) * 2 + entry(first + 2) * 3) as f32);
            expected.push((id + (1 + id) * 10 + 2 * id * 100 + 3000) as f32);
        }
        t.expect("u0", expected);
    }
);

gpu_case!(
    resources_chosen_within_a_library,
    "linking/chosen_objects",
    |t| {
        const ROUNDS: u32 = 20;
        let first = Random::new(10).many(64, 1000);
        let second = Random::new(11).many(64, 1000);
        t.input("t0", &first);
        t.input("t1", &second);
        t.constants("b0", to_bytes(&[ROUNDS; 4]));
        t.expect(
            "u0",
            rows(64, |id| {
                let chosen = |which: bool| if which { &first } else { &second };
                let mut from = chosen(id & 2 != 0);
                let mut sum = 0_u32;
                for i in 0..ROUNDS as usize {
                    sum = sum.wrapping_mul(3).wrapping_add(from[(id + i) & 63]);
                    if sum & 1 == 1 {
                        from = chosen(sum & 2 != 0);
                    }
                }
                [
                    chosen(id >= ROUNDS as usize)[id],
                    sum,
                    chosen(id % 3 == 1)[id],
                ]
            }),
        );
    }
);
