//! Corner cases: handles from control flow, large registers, switches on 64 bits, bit searches of
//! other widths than 32, helper lanes.

use dxil_frontend::dxil::ResourceClass::{Srv, Uav};
use dxil_hwtests::{
    Tolerance,
    element::{Bytes, Random, to_bytes},
    rows, texture,
};
use dxil_runtime::{
    Format, ResourceView, Storage,
    graphics::Topology,
    job::{AddressMode, Dimension, Filter, HeapView, Sampler, Texture},
};

/// Returns a sampler without filters.
fn point(address: AddressMode) -> Sampler {
    Sampler {
        min_filter: Filter::Point,
        mag_filter: Filter::Point,
        mip_filter: Filter::Point,
        address: [address; 3],
        ..Sampler::default()
    }
}

/// Returns a texture of two by two texels that count up from `start`.
fn small(start: f32) -> Texture {
    let texels: Vec<f32> = rows(4, |i| start + i as f32);
    texture(Dimension::D2, Format::R32Float, [2, 2, 1], 1, &texels)
}

gpu_case!(
    handles_come_along_different_edges,
    "corners/handle_phis",
    |t| {
        for k in 0..4u32 {
            t.input(&format!("t{k}"), &rows(16, |i| k * 100 + i as u32));
        }
        for k in 0..3 {
            t.texture(&format!("t{}", k + 8), small(k as f32 * 10.0));
        }
        t.sampler("s0", point(AddressMode::Wrap));
        t.sampler("s1", point(AddressMode::Clamp));
        let mut out = [[0xa5a5_a5a5u32; 16]; 2];
        let mut texels = [f32::from_bits(0xa5a5_a5a5); 32];
        for id in 0..16usize {
            let taken = id & 2 != 0;
            let buffer = if taken { 2 + (id & 1) } else { id & 1 };
            // The loop's last turn is turn (id & 3) - 1.
            let target = if id & 3 == 2 { 1 } else { 0 };
            out[target][id] = (buffer * 100 + id) as u32;
            let start = if taken {
                10.0 + (id >> 3) as f32 * 10.0
            } else {
                0.0
            };
            let clamped = taken && id & 4 != 0;
            texels[id] = start + if clamped { 1.0 } else { 0.0 };
            if taken {
                texels[16 + id] = id as f32;
            }
        }
        t.expect("u0", out[0].to_vec());
        t.expect("u1", out[1].to_vec());
        t.update(
            "u4",
            &[0xa5a5_a5a5u32; 32],
            rows(32, |i| texels[i].to_bits()),
        );
    }
);

gpu_case!(local_arrays_of_resources, "corners/handle_arrays", |t| {
    for k in 0..6u32 {
        t.input(&format!("t{k}"), &rows(8, |i| k + i as u32));
    }
    t.expect(
        "u0",
        rows(8, |i| {
            let i = i as u32;
            let at = |k: u32| k + i;
            let sum = |a, b, c| at(a) * 10_000 + at(b) * 100 + at(c);
            if i & 1 == 1 {
                sum(1, 3, 5)
            } else {
                sum(0, 2, 4) + 7
            }
        }),
    );
});

gpu_case!(
    handles_from_the_heaps_along_edges,
    "corners/heap_phis",
    |t| {
        t.wgpu_refuses("heap");
        let textures: Vec<_> = [10.0, 20.0]
            .into_iter()
            .map(|start| t.resource("texture", Storage::Texture(small(start)), false))
            .collect();
        let outs: Vec<_> = ["even", "odd"]
            .into_iter()
            .map(|name| t.resource(name, Storage::Buffer(vec![0; 64]), true))
            .collect();
        let slot = |class, view| HeapView { class, view };
        t.job.resource_heap = vec![
            slot(Srv, ResourceView::Null),
            slot(Srv, ResourceView::texture(textures[0])),
            slot(Srv, ResourceView::texture(textures[1])),
            slot(Uav, ResourceView::buffer(outs[0])),
            slot(Uav, ResourceView::buffer(outs[1])),
        ];
        t.job.sampler_heap = vec![point(AddressMode::Wrap), point(AddressMode::Clamp)];
        t.constants("b0", Bytes::new().put(1u32).align(16).0);
        t.groups(2, 1, 1);
        for (group, &out) in outs.iter().enumerate() {
            t.check_equal(
                "stores",
                out,
                rows(16, |lane| (group * 16 + lane + 1) as u32),
            );
        }
        let mut out = vec![0.0f32; 48];
        for id in 0..16 {
            // 1.25 wraps to the first texel and clamps to the second.
            out[id] = 10.0;
            out[16 + id] = 21.0;
            out[32 + id] = (16 + id) as f32;
        }
        t.update("u0", &[0.0f32; 48], out);
    }
);

gpu_case!(
    registers_beyond_two_billion,
    "corners/large_registers",
    |t| {
        t.input(
            "t4294967290,space4000000000",
            &rows(12, |i| i as u32 * 1000),
        );
        for k in 0..3u32 {
            let name = format!("t{},space2147483653", 3_000_000_000 + k);
            t.input(&name, &rows(12, |i| k * 100 + i as u32));
        }
        t.expect(
            "u2147483648,space2147483649",
            rows(12, |i| (i * 1000 + i % 3 * 100 + i) as u32),
        );
    }
);

gpu_case!(switches_compare_all_64_bits, "corners/wide_switch", |t| {
    let keys = [
        0u64,
        1,
        0x1_0000_0000,
        0x2_0000_0000,
        0x3_0000_0000,
        u64::MAX,
        0xffff_ffff,
        0x1_0000_0001,
    ];
    let key = |i: usize| keys[i * 3 % 8];
    t.input("t0", &rows(16, |i| [key(i) as u32, (key(i) >> 32) as u32]));
    let mut out: Vec<u32> = rows(16, |i| {
        let id = i as u32;
        match key(i) {
            0x1_0000_0000 => id + 1000,
            0x2_0000_0000 => id * 3,
            0 => id ^ 0xff,
            u64::MAX => 77,
            0xffff_ffff => id.wrapping_sub(1),
            _ => 1,
        }
    });
    out.push(5);
    t.expect("u0", out);
});

gpu_case!(bits_of_16_and_64, "corners/narrow_bits", |t| {
    let mut random = Random::new(77);
    let mut wide = vec![
        0u64,
        u64::MAX,
        1,
        1 << 63,
        1 << 32,
        0xffff_ffff,
        1 << 31,
        !1,
    ];
    wide.extend((0..8).map(|i| {
        let word = |random: &mut Random| u64::from(random.below(1 << 30)) << 2;
        (word(&mut random) << 32 | word(&mut random)) >> (i * 7)
    }));
    let narrow: Vec<u16> = rows(16, |i| match i {
        0 => 0,
        1 => u16::MAX,
        2 => 1,
        3 => 0x8000,
        4 => 0x7fff,
        _ => (wide[i] >> 3) as u16,
    });
    let high = |bits: u32, zeros: u32| {
        if zeros == bits {
            u32::MAX
        } else {
            bits - 1 - zeros
        }
    };
    let low = |bits: u32, zeros: u32| if zeros == bits { u32::MAX } else { zeros };
    let mut out = Vec::new();
    for (&n, &w) in narrow.iter().zip(&wide) {
        // The highest bit that differs from the sign.
        let (ns, ws) = (n ^ ((n as i16) >> 15) as u16, w ^ ((w as i64) >> 63) as u64);
        out.push([
            n.count_ones(),
            high(16, n.leading_zeros()),
            high(16, ns.leading_zeros()),
            w.count_ones(),
        ]);
        out.push([
            high(64, w.leading_zeros()),
            high(64, ws.leading_zeros()),
            0,
            0,
        ]);
    }
    t.input("t0", &narrow);
    t.input("t1", &wide);
    t.expect("u0", out);
    t.expect(
        "u1",
        rows(16, |i| {
            [
                low(16, narrow[i].trailing_zeros()),
                low(64, wide[i].trailing_zeros()),
            ]
        }),
    );
    t.expect("u2", rows(16, |i| narrow[i].reverse_bits()));
    t.expect("u3", rows(16, |i| wide[i].reverse_bits()));
});

gpu_case!(compute_has_no_helpers, "corners/helper_lane_cs", |t| {
    t.expect("u0", rows(16, |i| i as u32));
});

draw_case!(
    uncovered_lanes_are_helpers,
    ["corners/points_vs", "corners/helper_lane_ps"],
    |t| {
        t.vertices(Topology::PointList, 3);
        let covered = [0usize, 2, 3];
        let wanted: Vec<[f32; 4]> = rows(8, |i| {
            if covered.contains(&i) {
                [0.0, 1.0, 1.0, 1.0]
            } else {
                [0.0; 4]
            }
        });
        t.target(Format::Rgba32Float, [4, 2, 1], wanted, Tolerance::Exact);
    }
);

draw_case!(
    a_discarded_lane_is_a_helper,
    ["raster/screen_vs", "corners/helper_discard_ps"],
    |t| {
        let wanted: Vec<[f32; 4]> = rows(16, |i| {
            if i & 1 == 0 {
                [0.0, 1.0, 0.0, 1.0]
            } else {
                [0.0; 4]
            }
        });
        t.target(Format::Rgba32Float, [4, 4, 1], wanted, Tolerance::Exact);
    }
);

draw_case!(
    helpers_take_no_part_in_wave_operations,
    ["raster/screen_vs", "corners/helper_waves_ps"],
    |t| {
        let wanted: Vec<u32> = rows(4, |i| if i & 1 == 1 { (1 << 23) - 1 } else { 0 });
        t.target(Format::R32Uint, [2, 2, 1], wanted, Tolerance::Exact);
    }
);

draw_case!(
    a_draw_knows_where_it_starts,
    ["newer/start_location_vs", "corners/start_ps"],
    |t| {
        // Vertices 3 to 5 make the triangle over the target, instance 2 has the material.
        t.range(3, 3, 2, 1);
        let far = [[9.0f32, 9.0, 9.0]; 3];
        let screen = [[-1.0, -1.0, 0.0], [-1.0, 3.0, 0.0], [3.0, -1.0, 0.0]];
        t.input("t1", &[far, screen].concat());
        let mut draws = Bytes::new();
        for material in [1u32, 2, 42] {
            draws = draws.put(material).put([0.0f32; 3]);
        }
        t.input("t0", &draws.0);
        let identity: Vec<f32> = rows(16, |i| f32::from(u8::from(i % 5 == 0)));
        t.constants("b0", to_bytes(&identity));
        t.target(Format::R32Uint, [2, 2, 1], vec![42u32; 4], Tolerance::Exact);
    }
);
