//! Thread ids.

gpu_case!(ids_in_three_dimensions, "ids/three_dimensions", |t| {
    t.groups(2, 3, 2);
    let mut expected = Vec::new();
    let word = |v: [u32; 3]| v[0] | v[1] << 8 | v[2] << 16;
    for z in 0..4 {
        for y in 0..9 {
            for x in 0..8 {
                let in_group = [x % 4, y % 3, z % 2];
                expected.push([
                    word([x, y, z]),
                    word([x / 4, y / 3, z / 2]),
                    word(in_group),
                    (in_group[2] * 3 + in_group[1]) * 4 + in_group[0],
                ]);
            }
        }
    }
    t.expect("u0", expected);
});
