//! Quads of thread groups: two by two threads, or four in a row (HLSL, "Derivative Operations in
//! Compute, Mesh and Amplification Shaders").

use dxil_hwtests::Case;
use dxil_hwtests::element::{Random, Tolerance};
use dxil_hwtests::{rows, texture};
use dxil_runtime::{
    Format,
    job::{Comparison, Dimension, Sampler, Texture},
};

/// Returns a texture whose texels are the number of their level, times `scale`. Six layers are a
/// cube.
fn levels(layers: u32, side: u32, scale: f32) -> Texture {
    let mut data: Vec<f32> = Vec::new();
    let mips = side.ilog2() + 1;
    for _ in 0..layers {
        for mip in 0..mips {
            let texels = (side >> mip) * (side >> mip);
            data.extend(vec![mip as f32 * scale; texels as usize]);
        }
    }
    Texture {
        mips,
        ..texture(
            Dimension::D2,
            Format::R32Float,
            [side, side, 1],
            layers,
            &data,
        )
    }
}

/// Returns random numbers and binds them.
fn random(t: &mut Case, name: &str, count: usize) -> Vec<f32> {
    let mut random = Random::new(77);
    let data = rows(count, |_| random.below(4096) as f32 / 64.0);
    t.input(name, &data);
    data
}

quad_case!(quads_in_groups, "textures/quads_in_groups", |t| {
    t.groups(1, 2, 1);
    let data = random(t, "t1", 128);
    t.texture("t0", levels(1, 64, 1.0));
    t.texture("t2", levels(6, 16, 1.0));
    t.sampler("s0", Sampler::default());
    t.expect_that("u0", 128 * 16, move |words: &[u32]| {
        for place in 0..128 {
            let (x, y, z) = (place % 8, place / 8 % 8, place / 64);
            let at = |x: usize, y: usize| data[(z * 8 + y) * 8 + x];
            let (left, top) = (x & !1, y & !1);
            let row: &[u32; 16] = words[place * 16..].first_chunk().ok_or("no row")?;
            let floats = row.map(f32::from_bits);
            // A coarse derivative may come from either row or column of the quad.
            let coarse_x = [top, top + 1].map(|y| at(left + 1, y) - at(left, y));
            let coarse_y = [left, left + 1].map(|x| at(x, top + 1) - at(x, top));
            let fine = [at(left + 1, y) - at(left, y), at(x, top + 1) - at(x, top)];
            if !coarse_x.contains(&floats[0])
                || !coarse_y.contains(&floats[1])
                || floats[2..4] != fine
            {
                return Err(format!(
                    "({x}, {y}, {z}): derivatives {:?}, expected one of {coarse_x:?}, one of \
                     {coarse_y:?}, {fine:?}",
                    &floats[..4]
                ));
            }
            // The longer derivative is 4 texels of 64: level 2. Times 1024 it is beyond the last
            // level, and divided by 64 it is -4.
            let expected = [2.0, 3.0, 2.0, 0.5, 6.0, -4.0, 1.0, 1.0];
            let near = |(got, want): (&f32, &f32)| (got - want).abs() < 0.05;
            if !floats[4..12].iter().zip(&expected).all(near) {
                return Err(format!(
                    "({x}, {y}, {z}): levels {:?}, expected {expected:?}",
                    &floats[4..12]
                ));
            }
            let row_of_group = y % 4;
            let thread = [x, row_of_group, z, (z * 4 + row_of_group) * 8 + x];
            if row[12..] != thread.map(|id| id as u32) {
                return Err(format!(
                    "({x}, {y}, {z}): thread {:?}, expected {thread:?}",
                    &row[12..]
                ));
            }
        }
        Ok(())
    });
});

quad_case!(quads_in_a_row, "textures/quads_in_a_row", |t| {
    let data = random(t, "t1", 16);
    t.texture("t0", levels(1, 64, 1.0));
    t.sampler("s0", Sampler::default());
    t.expect_that("u0", 16 * 4, move |words: &[f32]| {
        for at in 0..16 {
            let quad = at & !3;
            let d = |a: usize, b: usize| data[quad + b] - data[quad + a];
            let fine = [d(at & 2, at & 2 | 1), d(at & 1, at & 1 | 2)];
            let coarse: Vec<f32> = [d(0, 1), d(2, 3)]
                .iter()
                .flat_map(|x| [d(0, 2), d(1, 3)].map(|y| x + 8.0 * y))
                .collect();
            let got = &words[at * 4..][..4];
            let is_level = (got[3] - 2.0).abs() < 0.05;
            if got[..2] != fine || !coarse.contains(&got[2]) || !is_level {
                return Err(format!(
                    "[{at}] is {got:?}, expected {fine:?}, one of {coarse:?}, 2"
                ));
            }
        }
        Ok(())
    });
});

quad_case!(
    comparisons_in_groups,
    "textures/comparisons_in_groups",
    |t| {
        t.texture(
            "t0",
            Texture {
                // Comparisons take depth formats.
                format: Format::D32Float,
                ..levels(1, 64, 0.125)
            },
        );
        t.sampler(
            "s0",
            Sampler {
                comparison: Some(Comparison::Less),
                ..Sampler::default()
            },
        );
        // Level 2 holds 0.25: the first reference is less, the second is not.
        t.expect_near("u0", vec![[1.0f32, 0.0]; 16], Tolerance::Exact);
    }
);
