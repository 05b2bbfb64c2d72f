//! Sampler feedback, and what else the emulation knows of textures and targets without Vulkan's
//! help.

use dxil_hwtests::{Tolerance, rows, texture};
use dxil_runtime::{
    Format,
    job::{Dimension, Sampler, Texture},
};

/// Returns an empty texture with all its mips.
fn sampled(size: u32, layers: u32) -> Texture {
    let empty = texture::<f32>(
        Dimension::D2,
        Format::Rgba8Unorm,
        [size, size, 1],
        layers,
        &[],
    );
    Texture {
        mips: size.ilog2() + 1,
        ..empty
    }
}

/// Both kinds of feedback map, as the specification has them, for square textures.
struct Maps {
    size: f32,
    last_level: f32,
    side: usize,
    minimum: Vec<u32>,
    used: Vec<u32>,
}

impl Maps {
    fn new(size: u32, side: usize, layers: usize) -> Maps {
        Maps {
            size: size as f32,
            last_level: size.ilog2() as f32,
            side,
            minimum: vec![255; side * side * layers],
            used: vec![0; side * side * layers],
        }
    }

    /// Records a sample of a bilinear footprint at that level.
    fn sample(&mut self, uv: [f32; 2], layer: usize, level: f32) {
        let region = self.size / self.side as f32;
        let level = level.clamp(0.0, self.last_level);
        let uv = uv.map(|x| {
            if (0.0..=1.0).contains(&x) {
                x
            } else {
                x - x.floor()
            }
        });
        let side = self.side;
        let corners = move |size: f32, extent: f32| {
            let regions = move |x: f32| {
                [-extent, extent].map(|step| {
                    let texel = (x * size + step).clamp(0.0, size - 1.0);
                    ((texel / region) as usize).min(side - 1)
                })
            };
            let (xs, ys) = (regions(uv[0]), regions(uv[1]));
            ys.map(|y| xs.map(|x| layer * side * side + y * side + x))
                .concat()
        };
        let fine = level.floor();
        let extent = (0.5 * fine.exp2()).min(0.5 * region);
        for place in corners(self.size, extent) {
            self.minimum[place] = self.minimum[place].min(fine as u32);
        }
        let mut marks = Vec::new();
        for mip in [fine, level.ceil()] {
            let size = (self.size / mip.exp2()).max(1.0);
            marks.extend(corners(size, 0.5).into_iter().map(|place| (place, mip)));
        }
        for (place, mip) in marks {
            self.used[place] |= 1 << mip as u32;
        }
    }
}

fn map(side: usize, layers: u32, clear: u32) -> Texture {
    let data = vec![clear; side * side * layers as usize];
    let side = side as u32;
    texture(
        Dimension::D2,
        Format::R32Uint,
        [side, side, 1],
        layers,
        &data,
    )
}

gpu_case!(levels_are_recorded_by_region, "feedback/levels", |t| {
    let places = [
        [0.1_f32, 0.1, 0.0],
        [0.5, 0.5, 1.0],
        [0.9, 0.3, 2.5],
        [0.3, 0.9, 1.25],
        [0.97, 0.97, 20.0],
        [1.0, 0.0, -3.0],
        [2.6, -0.2, 3.0],
        [0.24, 0.7, 0.75],
    ];
    let mut maps = Maps::new(64, 4, 1);
    for [u, v, level] in places {
        maps.sample([u, v], 0, level);
    }
    assert!(maps.minimum.contains(&255) && maps.minimum.contains(&0));
    t.texture("t0", sampled(64, 1));
    t.input("t1", &places);
    t.sampler("s0", Sampler::default());
    t.texture_update("u0", map(4, 1, 255), maps.minimum, Tolerance::Exact);
    t.texture_update("u1", map(4, 1, 0), maps.used, Tolerance::Exact);
});

gpu_case!(gradients_are_recorded_by_layer, "feedback/gradients", |t| {
    // u, v, layer, least level; the longer slope counts.
    let places = [
        ([0.2_f32, 0.2, 0.0, 0.0], [1.0_f32 / 32.0, 0.0, 0.0, 0.0]),
        ([0.7, 0.2, 1.4, 0.0], [0.0, 1.0 / 64.0, 1.0 / 8.0, 0.0]),
        ([0.4, 0.6, 1.6, 2.5], [1.0 / 64.0, 0.0, 0.0, 1.0 / 64.0]),
        ([0.9, 0.9, 7.0, 0.0], [0.0; 4]),
        ([0.1, 0.9, -2.0, 0.0], [0.3, 0.4, 0.0, 0.0]),
        ([0.5, 0.1, 2.0, 1.0], [1.0 / 16.0, 0.0, 0.0, 0.0]),
        ([0.6, 0.8, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0]),
        ([0.3, 0.5, 0.2, 0.0], [1.0 / 128.0, 0.0, 0.0, 0.0]),
    ];
    let mut maps = Maps::new(64, 8, 3);
    for ([u, v, layer, minimum], [dxu, dxv, dyu, dyv]) in places {
        let longer = dxu.hypot(dxv).max(dyu.hypot(dyv)) * 64.0;
        let layer = layer.round().clamp(0.0, 2.0) as usize;
        maps.sample([u, v], layer, longer.log2().max(minimum));
    }
    t.texture("t0", sampled(64, 3));
    t.input("t1", &rows(8, |i| places[i].0));
    t.input("t2", &rows(8, |i| places[i].1));
    t.sampler("s0", Sampler::default());
    t.texture_update("u0", map(8, 3, 255), maps.minimum, Tolerance::Exact);
    t.texture_update("u1", map(8, 3, 0), maps.used, Tolerance::Exact);
});

draw_case!(
    pixels_record_their_own_level,
    ["raster/screen_vs", "feedback/screen_ps"],
    |t| {
        // 16 pixels across 64 texels: level 2.
        let (mut plain, mut biased, mut clamped) = (
            Maps::new(64, 4, 1),
            Maps::new(64, 4, 1),
            Maps::new(64, 4, 1),
        );
        let mut colors = Vec::new();
        for i in 0..256 {
            let uv = [i % 16, i / 16].map(|x| (x as f32 + 0.5) / 16.0);
            plain.sample(uv, 0, 2.0);
            biased.sample(uv, 0, 3.0);
            clamped.sample(uv, 0, 4.0);
            colors.push([uv[0], uv[1], 0.0, 1.0]);
        }
        let near = Tolerance::Absolute(1e-4);
        t.target(Format::Rgba32Float, [16, 16, 1], colors, near);
        t.texture("t0", sampled(64, 1));
        t.sampler("s0", Sampler::default());
        t.texture_update("u0", map(4, 1, 255), plain.minimum, Tolerance::Exact);
        t.texture_update("u1", map(4, 1, 255), biased.minimum, Tolerance::Exact);
        t.texture_update("u2", map(4, 1, 0), clamped.used, Tolerance::Exact);
    }
);

draw_case!(
    targets_have_standard_sample_positions,
    ["raster/screen_vs", "raster/sample_positions_ps"],
    |t| {
        t.viewport(1, 1);
        t.state.samples = 4;
        t.expect(
            "u0",
            vec![
                [-0.125_f32, -0.375, 4.0],
                [0.375, -0.125, 4.0],
                [-0.375, 0.125, 4.0],
                [0.125, 0.375, 4.0],
            ],
        );
    }
);
