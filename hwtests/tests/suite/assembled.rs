//! Operations that no HLSL compiles to: shaders written as DXIL text.

use dxil_hwtests::{
    element::{Random, f16},
    rows,
};
use dxil_runtime::language::Language;

const EDGES: [u32; 8] = [
    0,
    1,
    2,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x0001_0000,
    0xdead_beef,
];

/// Returns all pairs of edges: 64 of them.
fn edge_pairs() -> Vec<[u32; 2]> {
    rows(64, |i| [EDGES[i / 8], EDGES[i % 8]])
}

gpu_case!(
    operations_with_two_results_give_the_high_half_or_quotient_first,
    "arith/two_results",
    |t| {
        let data = edge_pairs();
        t.input("u0", &data);
        t.expect(
            "u1",
            rows(64, |i| {
                let [a, b] = data[i];
                let signed = i64::from(a as i32) * i64::from(b as i32);
                let unsigned = u64::from(a) * u64::from(b);
                let (sum, carry) = a.overflowing_add(b);
                let (difference, borrow) = a.overflowing_sub(b);
                [
                    (signed >> 32) as u32,
                    signed as u32,
                    (unsigned >> 32) as u32,
                    unsigned as u32,
                    a.checked_div(b).unwrap_or(u32::MAX),
                    a.checked_rem(b).unwrap_or(u32::MAX),
                    sum,
                    carry.into(),
                    difference,
                    borrow.into(),
                ]
            }),
        );
    }
);

/// Returns `width` bits of `value` from `offset` on, at the top of the word if the field reaches
/// beyond it.
fn field(width: u32, offset: u32, value: u32, shift: impl Fn(u32, u32) -> u32) -> u32 {
    let (width, offset) = (width & 31, offset & 31);
    match width {
        0 => 0,
        _ if width + offset < 32 => shift(value << (32 - width - offset), 32 - width),
        _ => shift(value, offset),
    }
}

gpu_case!(
    widths_and_offsets_of_bit_fields_count_modulo_32,
    "arith/bit_fields",
    |t| {
        let mut random = Random::new(77);
        let data: Vec<[u32; 4]> = rows(64, |i| {
            let limit = if i < 32 { 33 } else { 70 };
            let width = random.below(limit);
            let offset = random.below(limit);
            [width, offset, random.bits(), random.bits()]
        });
        t.input("u0", &data);
        t.expect(
            "u1",
            rows(64, |i| {
                let [a, b, c, d] = data[i];
                let (width, offset) = (a & 31, b & 31);
                let mask = ((1u32 << width) - 1) << offset;
                [
                    field(a, b, c, |v, by| ((v as i32) >> by) as u32),
                    field(a, b, c, |v, by| v >> by),
                    c << offset & mask | d & !mask,
                    d.wrapping_mul(b).wrapping_add(c),
                    c.min(d),
                    a.wrapping_mul(b).wrapping_add(c),
                ]
            }),
        );
    }
);

gpu_case!(
    legacy_conversions_of_doubles_cut_off_and_saturate,
    "arith/bit_casts",
    |t| {
        let mut random = Random::new(78);
        let mut doubles = vec![
            0.0,
            -0.0,
            1.5,
            -1.5,
            2.5,
            0.1,
            -0.999,
            1e10,
            -1e10,
            4_294_967_295.5,
            2_147_483_647.5,
            -2_147_483_648.5,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            1e300,
            f64::from(f32::MAX),
            3.0e-3,
        ];
        doubles.resize_with(64, || {
            (f64::from(random.bits()) - 2_147_483_648.0) * 0.000_244_140_625
        });
        let data: Vec<[u32; 2]> = rows(64, |i| {
            let bits = doubles[i].to_bits();
            [bits as u32, (bits >> 32) as u32]
        });
        t.input("u0", &data);
        let expected: Vec<[u32; 7]> = rows(64, |i| {
            let d = doubles[i];
            let twice = (d + d).to_bits();
            [
                data[i][0],
                f32::from_bits(data[i][0]).is_normal().into(),
                (d as f32).to_bits(),
                (d as i32) as u32,
                d as u32,
                twice as u32,
                (twice >> 32) as u32,
            ]
        });
        let id = t.input("u1", &[[0u32; 7]; 64]);
        t.check("u1", id, move |got: &[[u32; 7]]| {
            for (i, (got, want)) in got.iter().zip(&expected).enumerate() {
                let mut got = *got;
                if doubles[i].is_nan() {
                    // Which NaN is left open.
                    let is_nan =
                        f32::from_bits(got[2]).is_nan() && got[6] & 0x7ff8_0000 == 0x7ff8_0000;
                    if is_nan {
                        (got[2], got[5], got[6]) = (want[2], want[5], want[6]);
                    }
                }
                if got != *want {
                    return Err(format!(
                        "[{i}] of {} is {got:x?}, expected {want:x?}",
                        doubles[i]
                    ));
                }
            }
            Ok(())
        });
    }
);

gpu_case!(halves_are_cast_bit_by_bit, "sixteen/bit_casts", |t| {
    t.text_loses(Language::Glsl, "what NaN a half is");
    let mut random = Random::new(79);
    let data: Vec<u32> = rows(64, |i| match i {
        0 => 0x8000,
        1 => 0xfc00,
        2 => 0x83ff,
        3 => 0x8400,
        // A signalling NaN may come out quiet.
        _ => match random.bits() {
            bits if f16::from_bits(bits as u16).is_nan() => bits | 0x200,
            bits => bits,
        },
    });
    t.input("u0", &data);
    t.expect(
        "u1",
        rows(64, |i| {
            let half = f16::from_bits(data[i] as u16);
            [data[i] & 0x7fff, u32::from(half.is_normal())]
        }),
    );
});

gpu_case!(the_clock_never_goes_back, "ids/cycle_counter", |t| {
    t.wgpu_refuses("shaderSubgroupClock");
    t.input("u0", &[0u32; 4]);
    let id = t.input("u1", &[[0u32; 4]; 64]);
    t.check("u1", id, |got: &[[u32; 4]]| {
        for (i, words) in got.iter().enumerate() {
            let time = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
            if time(0) == 0 || time(2) < time(0) {
                return Err(format!("[{i}] read {} and then {}", time(0), time(2)));
            }
        }
        Ok(())
    });
});

gpu_case!(
    single_values_of_constant_buffers_by_byte_offset,
    "cbuffers/by_bytes",
    |t| {
        let mut random = Random::new(80);
        let data: Vec<u32> = rows(64, |i| {
            if i == 3 {
                (-2.5f32).to_bits()
            } else {
                random.bits()
            }
        });
        t.input("b0", &data);
        t.input("u0", &[0u32; 4]);
        t.expect(
            "u1",
            rows(64, |i| {
                let half = data[i / 2] >> (i % 2 * 16) & 0xffff;
                let pair = i % 32 * 2;
                [data[i], data[pair], data[pair + 1], half, 2.5f32.to_bits()]
            }),
        );
    }
);

gpu_case!(registers_keep_bits_across_a_loop, "arith/registers", |t| {
    let mut random = Random::new(79);
    let data: Vec<[u32; 2]> = rows(64, |_| [random.below(1 << 20), random.bits()]);
    t.input("u0", &data);
    t.expect(
        "u1",
        rows(64, |i| {
            let [a, b] = data[i];
            let rounds = (i as u32 & 7).max(1);
            [
                (a as f32).to_bits(),
                b & 0xffff,
                a.wrapping_add(b.wrapping_mul(rounds)),
                if i % 4 == 1 { b } else { 77 },
                a & 255,
                b & 0xffff,
                a & 255,
            ]
        }),
    );
});

gpu_case!(an_address_may_be_one_of_several, "flow/pointer_phis", |t| {
    t.expect(
        "u0",
        rows(64, |i| {
            let (id, low, odd) = (i as i32, i % 4, i % 2 == 1);
            // 16 threads go to each odd element of the first array, 8 to each even one of the
            // second.
            let first = if odd { 116 } else { 100 };
            let second = if odd { 0 } else { 8 };
            let local = |k: usize| {
                if odd && low == k {
                    5 + k as i32 + id
                } else {
                    5 + k as i32
                }
            };
            let one = if odd { 9 } else { 9 + id };
            let entry = if odd { -4 } else { 0 };
            let sum: i32 = [10, 20, 30, 40][..=low].iter().sum();
            let bits = [1.0f32, -0.0, 2.0, 0.5][low].to_bits() as i32;
            [first, second, local(1), local(3), one, entry, sum, bits]
        }),
    );
});

gpu_case!(
    overflow_checks_of_optimizers_are_computed,
    "arith/overflow",
    |t| {
        let data = edge_pairs();
        t.input("u0", &data);
        t.expect(
            "u1",
            rows(64, |i| {
                let [a, b] = data[i];
                let (sum, carry) = a.overflowing_add(b);
                let (difference, borrow) = a.overflowing_sub(b);
                let (product, lost) = a.overflowing_mul(b);
                let flags = u32::from(carry) | u32::from(borrow) << 1 | u32::from(lost) << 2;
                [sum, difference, product, flags]
            }),
        );
    }
);
