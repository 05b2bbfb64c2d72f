//! Textures in shader models 6.7 and 6.8: raw gathers, comparisons at a level, with gradients and
//! with a bias.

use dxil_hwtests::{
    Tolerance,
    element::{Bytes, Random},
    rows, texture,
};
use dxil_runtime::{
    Format,
    job::{AddressMode, Comparison, Dimension, Filter, Sampler, Texture},
};

/// Returns a sampler without filters that clamps.
fn point() -> Sampler {
    Sampler {
        min_filter: Filter::Point,
        mag_filter: Filter::Point,
        mip_filter: Filter::Point,
        address: [AddressMode::Clamp; 3],
        ..Sampler::default()
    }
}

/// Returns the same, for comparisons: whether the reference is at most the texel.
fn at_most() -> Sampler {
    Sampler {
        comparison: Some(Comparison::LessEqual),
        ..point()
    }
}

/// Returns the texels that a gather with that offset reads for the texel (x, y) of a square
/// texture: the lower left, lower right, upper right and upper left texel of four.
fn gathered<T: Copy>(texels: &[T], size: i32, [x, y]: [i32; 2], [dx, dy]: [i32; 2]) -> [T; 4] {
    [(0, 1), (1, 1), (1, 0), (0, 0)].map(|(i, j)| {
        let column = (x + dx + i).clamp(0, size - 1);
        let row = (y + dy + j).clamp(0, size - 1);
        texels[(row * size + column) as usize]
    })
}

gpu_case!(raw_gathers_of_16_bits, "newer/gather_raw16", |t| {
    t.portable_refuses("Integer textures can't be sampled");
    let mut random = Random::new(161);
    // Positive halves are in the order of their bits.
    let texels: Vec<u16> = rows(4096, |_| random.below(0x7c00) as u16);
    t.texture(
        "t0",
        texture(Dimension::D2, Format::R16Uint, [64, 64, 1], 1, &texels),
    );
    t.sampler("s0", point());
    let mut out = vec![0xa5a5u16; 32768];
    for y in 0..8 {
        for x in 0..8 {
            let four = gathered(&texels, 64, [x, y], [0, 0]);
            let at = (y * 64 + x) as usize * 4;
            out[at..at + 4].copy_from_slice(&four);
            out[16384 + at] = four.into_iter().max().unwrap();
        }
    }
    t.expect("u0", out);
});

gpu_case!(raw_gathers_of_64_bits, "newer/gather_raw64", |t| {
    t.portable_refuses("Integer textures can't be sampled");
    t.groups(1, 32, 2);
    let mut random = Random::new(164);
    let texels: Vec<[u32; 2]> = rows(2048, |_| std::array::from_fn(|_| random.below(u32::MAX)));
    t.texture(
        "t0,space1",
        texture(Dimension::D2, Format::Rg32Uint, [32, 32, 1], 2, &texels),
    );
    t.sampler("s0", point());
    let mut out = Vec::new();
    for layer in texels.chunks(1024) {
        for y in 0..32 {
            for x in 0..32 {
                let [a, b, c, d] = gathered(layer, 32, [x, y], [1, -1])
                    .map(|[low, high]| u64::from(low) | u64::from(high) << 32);
                out.push((a ^ b).wrapping_add(c << 1).wrapping_add(d >> 3));
            }
        }
    }
    t.expect("u0", out);
    t.typed_update("u1", Format::R32Uint, &[0u32], vec![0], Tolerance::Exact);
});

gpu_case!(comparisons_at_a_level, "newer/cmp_level_status", |t| {
    let mut random = Random::new(165);
    // Layer by layer, and in a layer mips of 64, 16, 4 and 1 texels.
    let texels: Vec<f32> = rows(4 * 85, |_| random.below(16) as f32 / 16.0);
    let cascades = texture(Dimension::D2, Format::D32Float, [8, 8, 1], 4, &texels);
    t.texture(
        "t0",
        Texture {
            mips: 4,
            ..cascades
        },
    );
    t.sampler("s0", at_most());
    let points: Vec<[f32; 4]> = rows(64, |i| {
        [
            (random.below(64) as f32 + 0.5) / 64.0,
            (random.below(64) as f32 + 0.5) / 64.0,
            random.below(16) as f32 / 16.0 + 1.0 / 32.0,
            i as f32 / 13.0,
        ]
    });
    t.input("t1", &points);
    let mut constants = Bytes::new();
    for _ in 0..4 {
        constants = constants.put(std::array::from_fn::<f32, 16, _>(|i| {
            f32::from(u8::from(i % 5 == 0))
        }));
    }
    t.constants("b0", constants.put([1.0f32, 2.0, 3.0, 4.0]).0);
    let first = [0, 64, 80, 84];
    t.expect(
        "u0",
        rows(64, |i| {
            let [x, y, reference, w] = points[i];
            let cascade = (1..=4).filter(|&split| w > split as f32).count().min(3);
            let size = 8 >> cascade;
            let [x, y] = [x, y].map(|at| (at * size as f32) as usize);
            let texel = texels[cascade * 85 + first[cascade] + y * size + x];
            [f32::from(u8::from(reference <= texel)), 1.0]
        }),
    );
});

gpu_case!(comparisons_with_gradients, "newer/cmp_grad", |t| {
    let mut shadow = vec![0.5f32; 64];
    // The second step looks one texel further.
    shadow[2 * 8 + 3] = 0.1;
    let plane = |layers, texels: &[f32]| {
        let size = if texels.len() as u32 == 64 * layers {
            8
        } else {
            1
        };
        texture(
            Dimension::D2,
            Format::D32Float,
            [size, size, 1],
            layers,
            texels,
        )
    };
    t.texture("t0", plane(1, &shadow));
    t.texture("t1", plane(4, &[0.9, 0.1, 0.9, 0.9]));
    t.texture("t2", plane(6, &[0.6; 6]));
    t.sampler("s0", at_most());
    let identity = std::array::from_fn::<f32, 16, _>(|i| f32::from(u8::from(i % 5 == 0)));
    let constants = Bytes::new()
        .put(identity)
        .put([0.3125f32, 0.3125, 0.3, 0.0])
        .put([0.125f32; 2])
        .put([2u32, 0]);
    t.constants("b0", constants.0);
    // 1 + 0.5 + 0.25 in the first step, 0.25 in the second.
    let fog = texture(Dimension::D2, Format::R32Float, [8, 8, 1], 1, &[0.0f32; 64]);
    t.texture_update("u0", fog, vec![1.0f32; 64], Tolerance::Absolute(1e-6));
});

gpu_case!(
    each_sample_of_a_writable_texture_is_its_own,
    "newer/samples_written",
    |t| {
        t.wgpu_refuses("shaderStorageImageMultisample");
        t.texture(
            "u0",
            Texture {
                samples: 4,
                ..texture::<u8>(Dimension::D2, Format::R32Uint, [8, 8, 1], 1, &[])
            },
        );
        // The texel (x ^ 7, y ^ 4) of thread id, sample id % 4.
        t.expect("u1", rows(64, |i| ((i ^ 7 ^ 32) * 10 + i % 4) as u32));
    }
);
