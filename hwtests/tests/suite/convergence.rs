//! Quads in divergent control flow of pixel shaders. (Waves in thread groups: `waves`.)

use dxil_hwtests::{Tolerance, texture};
use dxil_runtime::Format;
use dxil_runtime::job::{AddressMode, Dimension, Filter, Sampler, Texture};

draw_case!(
    quads_work_in_loops_branches_and_cases,
    ["raster/screen_vs", "raster/quads_in_loops_ps"],
    |t| {
        // Each level of the texture holds its number.
        let mut data: Vec<f32> = Vec::new();
        for mip in 0..7 {
            data.extend(vec![mip as f32; (64 >> mip) * (64 >> mip)]);
        }
        let levels = texture(Dimension::D2, Format::R32Float, [64, 64, 1], 1, &data);
        t.texture("t0", Texture { mips: 7, ..levels });
        t.sampler(
            "s0",
            Sampler {
                min_filter: Filter::Point,
                mag_filter: Filter::Point,
                mip_filter: Filter::Point,
                address: [AddressMode::Wrap; 3],
                ..Sampler::default()
            },
        );
        let mut wanted = Vec::new();
        for y in 0..16_u32 {
            for x in 0..16_u32 {
                let (qx, qy) = (x / 2, y / 2);
                let middle = |n: u32| n as f32 + 0.5;
                let (mut slopes, mut levels, mut across) = (0.0, 0.0, 0.0);
                for i in 0..4 {
                    slopes += (i + 1) as f32;
                    if i == (qx + qy * 3) % 5 {
                        across += 100.0 * (middle(x ^ 1) + middle(y ^ 1));
                        break;
                    }
                    if (i + qx) & 1 != 0 {
                        // A pixel is 8 texels wide here, 4 and 2 below.
                        levels += 3.0;
                        continue;
                    }
                    match (qy + i) & 3 {
                        0 => slopes += 10.0 * (4 * qy + 2) as f32,
                        1 => {
                            levels += 20.0;
                            if qx & 2 != 0 {
                                across += middle(y ^ 1);
                            } else {
                                slopes += 1.0;
                            }
                        }
                        _ => across += middle(x | 1),
                    }
                    levels += 0.125;
                }
                wanted.push([slopes, levels, across, 1.0 + middle(x ^ 1)]);
            }
        }
        let near = Tolerance::Absolute(1e-3);
        t.target(Format::Rgba32Float, [16, 16, 1], wanted, near);
    }
);
