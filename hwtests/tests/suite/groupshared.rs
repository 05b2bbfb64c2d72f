//! Groupshared memory and barriers.

use dxil_hwtests::{element::Random, rows};

gpu_case!(
    lists_of_a_group_are_read_in_tiles,
    "groupshared/by_count",
    |t| {
        t.groups(5, 1, 1);
        let mut data = Random::new(77).many(320, 64);
        // Groups whose list is empty, is full of values that end the loop early, and ends in a
        // tile.
        data[64..128].fill(3);
        data[128..192].fill(63);
        data[192..201].fill(41);
        data[201..256].fill(1);
        t.input("t0", &data);
        let sum = |i: usize| {
            let group = i / 64 * 64;
            let listed = data[group..group + 64].iter().filter(|value| **value > 40);
            let sum: u32 = listed.sum();
            if sum > 1500 { 1 } else { sum }
        };
        t.expect("u0", rows(320, sum));
    }
);

gpu_case!(groups_reverse_their_elements, "groupshared/reverse", |t| {
    t.groups(4, 1, 1);
    let mut random = Random::new(50);
    let data: Vec<u32> = rows(256, |_| random.bits());
    t.input("t0", &data);
    t.expect("u0", rows(256, |i| data[(i & !63) + 63 - (i & 63)]));
});

gpu_case!(
    groupshared_memory_begins_with_initial_values_of_all_types,
    "groupshared/initial_values",
    |t| {
        t.groups(4, 1, 1);
        let data = Random::new(63).many(256, 64);
        t.input("t0", &data);
        let number = |i: u32| {
            let matrix = (i & 3) * 4 + (i >> 2 & 3) + 1;
            let vector = (i % 3 + 1) as f32;
            let words = matrix * 16 + (7 + (i & 1)) * 512 + (3 + 2 * (i & 1)) * 65536;
            vector + words as f32 - ((i & 3) + 1) as f32 * 8192.0 + (i % 3) as f32 + 0.5
        };
        t.expect("u0", rows(256, |i| number(data[i])));
    }
);

gpu_case!(
    initial_values_are_restored_for_each_group,
    "groupshared/initial_values_restored",
    |t| {
        t.groups(9, 1, 1);
        let one_and_a_half = 1.5_f32.to_bits();
        let words = |i: usize| [0, 42, i as u32 % 4 + 1, 5, one_and_a_half];
        t.expect("u0", rows(9 * 64, words).concat());
    }
);

gpu_case!(
    indices_beyond_the_end_of_groupshared_memory_load_0_and_store_nothing,
    "groupshared/out_of_bounds",
    |t| {
        // DXIL document, "Out-of-bounds behavior".
        let indices = [0, 3, 4, 7, u32::MAX, u32::MAX - 1, 1000, 70_000];
        t.input("t0", &indices);
        let mut tile = [200_u32, 201, 202, 203];
        let mut out: Vec<u32> = Vec::new();
        let at = |index: u32| usize::try_from(index).ok().filter(|&index| index < 4);
        for index in indices {
            out.push(at(index).map_or(0, |index| tile[index]));
        }
        for (i, index) in (0..).zip(indices) {
            if let Some(index) = at(index) {
                tile[index] = 1000 + i;
            }
        }
        for index in indices {
            out.push(at(index).map_or(0, |index| tile[index]));
            if let Some(index) = at(index) {
                tile[index] += 10;
            }
        }
        for index in indices {
            out.push(at(index).map_or(0, |index| tile[index]));
            if let Some(index) = at(index).filter(|&index| tile[index] == 1010) {
                tile[index] = 5;
            }
        }
        out.extend([100, 101, 102, 103]);
        out.extend(tile);
        out.extend([300, 301, 302, 303]);
        t.expect("u0", out);
    }
);

gpu_case!(barriers_in_a_loop, "groupshared/reduction", |t| {
    t.groups(4, 1, 1);
    let mut random = Random::new(51);
    let data: Vec<f32> = rows(512, |_| random.below(1000) as f32);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(4, |g| data[g * 128..(g + 1) * 128].iter().sum::<f32>()),
    );
});

gpu_case!(
    two_dimensional_tiles_of_structs,
    "groupshared/transpose",
    |t| {
        let data: Vec<[f32; 2]> = rows(64, |i| [i as f32, i as f32 * -0.5]);
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(64, |i| {
                let from = (i % 8) * 8 + i / 8;
                [data[from][0], data[from][1], from as f32]
            }),
        );
    }
);

gpu_case!(histograms_of_many_groups, "groupshared/histogram", |t| {
    t.groups(8, 1, 1);
    let mut random = Random::new(52);
    let data = random.many(512, 1000);
    t.input("t0", &data);
    let mut bins = vec![0u32; 16];
    for v in &data {
        bins[(v & 15) as usize] += 1;
    }
    t.update("u0", &[0u32; 16], bins);
});

gpu_case!(groupshared_atomics, "groupshared/atomics", |t| {
    let mut random = Random::new(53);
    let data = random.many(64, 100);
    t.input("t0", &data);
    let bit = |v: &u32| 1u32 << (v & 31);
    let signed = |v: &u32| *v as i32 - 50;
    t.expect(
        "u0",
        vec![
            *data.iter().max().unwrap(),
            *data.iter().min().unwrap(),
            data.iter().map(bit).fold(0, |a, b| a | b),
            data.iter().map(bit).fold(u32::MAX, |a, b| a & !b),
            data.iter().fold(0, |a, b| a ^ b),
            1,
            1,
            data.iter().map(signed).min().unwrap() as u32,
            data.iter().map(signed).max().unwrap() as u32,
        ],
    );
});

gpu_case!(
    scans_switch_halves_between_barriers,
    "groupshared/prefix_scan",
    |t| {
        let mut random = Random::new(54);
        let data = random.many(32, 100);
        t.input("t0", &data);
        t.expect("u0", rows(32, |i| data[..=i].iter().sum::<u32>()));
    }
);

gpu_case!(all_barrier_intrinsics, "groupshared/barriers", |t| {
    t.expect("u0", rows(32, |i| (0..32).sum::<u32>() + i as u32));
});

gpu_case!(
    exchange_hands_every_value_on_once,
    "groupshared/exchange",
    |t| {
        t.expect("u0", vec![1u32; 65]);
    }
);

gpu_case!(arrays_of_vectors, "groupshared/vectors", |t| {
    let mut random = Random::new(56);
    let data = random.many(64, 100);
    t.input("t0", &data);
    let mut vectors = vec![[7_u32, 8, 9, 10]];
    vectors.extend(data.iter().map(|x| [*x, x + 1, x + 2, x + 3]));
    let written = vectors.clone();
    for vector in &mut vectors[..64] {
        vector[2] = vector[0] + vector[1];
    }
    let own = vectors.clone();
    for lane in 0..64_u32 {
        let (component, value) = if lane % 2 == 1 { (3, 100) } else { (0, 200) };
        vectors[lane as usize / 2][component] = value + lane;
    }
    let digits = |v: [u32; 4]| v[0] + v[1] * 10 + v[2] * 100 + v[3] * 1000;
    t.expect(
        "u0",
        rows(64, |lane| {
            let other = 63 - lane;
            let from = data[other];
            let pair = from + if data[lane] % 2 == from % 2 { 0 } else { 2 };
            [
                pair * 1000 + pair + 1,
                from + from * 300 + from * 50000,
                digits(written[other]),
                digits(own[lane]),
                data[lane],
                vectors[other].iter().sum(),
                vectors[3][3],
                u32::from(vectors[lane][0] < 200),
            ]
        }),
    );
});
