//! Libraries that call functions of other libraries.

use dxil_hwtests::{
    element::{Random, to_bytes},
    rows,
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
