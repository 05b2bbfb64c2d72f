//! Arithmetic on floats, with the results that D3D12 defines at the edges.

use dxil_hwtests::{
    element::{Random, Tolerance, f16},
    rows,
};
use dxil_runtime::language::Language;
use dxil_translate::Numerics;

gpu_case!(float_arithmetic, "arith/float_basic", |t| {
    let mut random = Random::new(7);
    let data: Vec<[f32; 2]> = rows(64, |_| {
        let b = random.float(0.5, 9.0);
        [random.float(-20.0, 20.0), if b > 4.0 { -b } else { b }]
    });
    t.input("t0", &data);
    t.expect_near(
        "u0",
        rows(64, |i| {
            let [a, b] = data[i];
            [
                a + b,
                a - b,
                a * b,
                a / b,
                -a,
                a.abs(),
                a.min(b),
                a.max(b),
                a.clamp(0.0, 1.0),
                if a == 0.0 { 0.0 } else { a.signum() },
                a % b,
                a + (b - a) * 0.25,
                a.clamp(-2.0, 3.0),
            ]
        }),
        // fmod is a division, a truncation and a product: relative to |a|, not to the small rest.
        Tolerance::Absolute(2e-5),
    );
});

gpu_case!(rounding_is_to_even, "arith/float_round", |t| {
    let mut random = Random::new(8);
    let data: Vec<f32> = rows(64, |i| match i {
        0..32 => (i as f32 - 16.0) * 0.5,
        32 => 8_388_609.0,
        33 => -1e20,
        34 => f32::INFINITY,
        _ => random.float(-100.0, 100.0),
    });
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |i| {
            let a = data[i];
            // -0 and 0 are the same answer to a question about whole numbers.
            let fraction = if a.is_infinite() {
                f32::NAN
            } else {
                a - a.floor()
            };
            [
                a.floor(),
                a.ceil(),
                a.trunc(),
                a.round_ties_even(),
                fraction,
            ]
            .map(Zero)
        }),
    );
});

// The numbers are small and whole, so that every order of a sum has the same result.
gpu_case!(sums_begin_with_their_last_addend, "arith/float_sums", |t| {
    t.numerics = Some(Numerics::of_driver(RADV));
    let number = |i: usize, k: usize| ((i * 7 + k * 5) % 33) as f32 - 16.0;
    let points: Vec<[f32; 4]> = rows(64, |i| [0, 1, 2, 3].map(|k| number(i, k)));
    let matrix: Vec<[f32; 4]> = rows(4, |i| [0, 1, 2, 3].map(|k| number(i, k + 9)));
    t.input("t0", &points);
    t.input("t1", &matrix);
    t.expect(
        "u0",
        rows(64, |i| {
            let [x, y, z, w] = points[i];
            // A vector is transformed by the rows of the matrix.
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| {
                let row = matrix[k];
                row[0] * x + row[1] * y + row[2] * z + row[3]
            });
            let dot = |row: [f32; 4]| row[0] * x + row[1] * y + row[2] * z;
            let plane = matrix[i & 3];
            let other = dot(matrix[(i + 1) & 3]);
            let several = dot(matrix[(i + 2) & 3]);
            let both = several * (several + w);
            [
                a,
                b,
                c,
                d,
                dot(plane) + plane[3],
                other - points[several.abs() as usize & 63][3],
                w - several,
                both,
            ]
        }),
    );
});

/// MESA_RADV, whose devices have one instruction for a multiply-add (VkDriverId).
const RADV: u32 = 3;

/// A float whose zeros are all the same, and where no answer is required of NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Zero(f32);

impl dxil_hwtests::Element for Zero {
    const BYTES: usize = 4;
    fn write(self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
    fn read(bytes: &[u8]) -> Self {
        Zero(f32::read(bytes))
    }
    fn matches(self, expected: Self, _: Tolerance) -> bool {
        expected.0.is_nan() || self.0 == expected.0
    }
}

gpu_case!(trigonometric_functions, "arith/trigonometry", |t| {
    let mut random = Random::new(9);
    let data: Vec<f32> = rows(64, |_| random.float(-3.0, 3.0));
    t.input("t0", &data);
    t.expect_near(
        "u0",
        rows(64, |i| {
            let a = f64::from(data[i]);
            [
                a.sin(),
                a.cos(),
                // Near its pole the tangent has no useful absolute precision.
                if a.cos().abs() < 0.2 {
                    f64::NAN
                } else {
                    a.tan()
                },
                (a * 0.25).asin(),
                (a * 0.25).acos(),
                a.atan(),
                a.sinh(),
                a.cosh(),
                a.tanh(),
                a.atan2(1.5),
            ]
            .map(|v| Near(v as f32))
        }),
        Tolerance::Absolute(0.003),
    );
});

/// A float where no answer is required of NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Near(f32);

impl dxil_hwtests::Element for Near {
    const BYTES: usize = 4;
    fn write(self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
    fn read(bytes: &[u8]) -> Self {
        Near(f32::read(bytes))
    }
    fn matches(self, expected: Self, tolerance: Tolerance) -> bool {
        expected.0.is_nan() || self.0.matches(expected.0, tolerance)
    }
}

gpu_case!(powers_logarithms_and_roots, "arith/exponentials", |t| {
    let mut random = Random::new(10);
    let data: Vec<f32> = rows(64, |_| random.float(0.125, 9.0));
    t.input("t0", &data);
    t.expect_near(
        "u0",
        rows(64, |i| {
            let a = f64::from(data[i]);
            [
                a.exp(),
                a.exp2(),
                // Logarithms near one are compared by distance below.
                if (a - 1.0).abs() < 0.1 {
                    f64::NAN
                } else {
                    a.ln()
                },
                if (a - 1.0).abs() < 0.1 {
                    f64::NAN
                } else {
                    a.log2()
                },
                a.sqrt(),
                1.0 / a.sqrt(),
                a.powf(1.75),
            ]
            .map(|v| Near(v as f32))
        }),
        Tolerance::Relative(2e-4),
    );
});

/// Bits where one NaN is as good as another.
#[derive(Debug, Clone, Copy, PartialEq)]
struct NanOr(u32);

impl dxil_hwtests::Element for NanOr {
    const BYTES: usize = 4;
    fn write(self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
    fn read(bytes: &[u8]) -> Self {
        NanOr(u32::read(bytes))
    }
    fn matches(self, expected: Self, _: Tolerance) -> bool {
        let nan = |bits: u32| f32::from_bits(bits).is_nan();
        self == expected || (nan(self.0) && nan(expected.0))
    }
}

gpu_case!(min_and_max_ignore_nan, "arith/float_nan", |t| {
    const VALUES: [f32; 8] = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        1.0,
        -1.0,
        0.5,
        2.0,
        -3.5,
    ];
    let data: Vec<[f32; 2]> = rows(64, |i| [VALUES[i / 8], VALUES[i % 8]]);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |i| {
            let [a, b] = data[i];
            let bits: u32 = [
                a == b,
                a != b,
                a < b,
                a <= b,
                a > b,
                a >= b,
                // Written out as the shader has them: with NaN, !(a < b) is not a >= b.
                matches!(
                    a.partial_cmp(&b),
                    None | Some(std::cmp::Ordering::Greater | std::cmp::Ordering::Equal)
                ),
                matches!(a.partial_cmp(&b), None | Some(std::cmp::Ordering::Less)),
                a.is_nan(),
                a.is_infinite(),
                a.is_finite(),
            ]
            .into_iter()
            .enumerate()
            .map(|(bit, holds)| u32::from(holds) << bit)
            .sum();
            let saturated = if a.is_nan() { 0.0 } else { a.clamp(0.0, 1.0) };
            [
                NanOr(bits),
                NanOr(a.min(b).to_bits()),
                NanOr(a.max(b).to_bits()),
                NanOr(saturated.to_bits()),
            ]
        }),
    );
});

gpu_case!(float_to_integer_saturates, "arith/conversions", |t| {
    let mut random = Random::new(11);
    let floats = [
        0.0,
        -0.0,
        1.9,
        -1.9,
        4e9,
        5e9,
        -5e9,
        2_147_483_648.0,
        -2_147_483_648.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        0.999,
        123_456.7,
    ];
    let data: Vec<u32> = rows(64, |i| match i {
        0..14 => floats[i].to_bits(),
        14..40 => random.float(-3e5, 3e5).to_bits(),
        40..44 => random.bits() & 0x3ff | 0x3f80_3c00,
        _ => random.bits() & 0x7bff | 0x4000_0000,
    });
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |i| {
            let bits = data[i];
            let f = f32::from_bits(bits);
            let half = f16::from_bits(bits as u16).to_f32();
            [
                f as u32,
                f as i32 as u32,
                (bits as f32).to_bits(),
                (bits as i32 as f32).to_bits(),
                half.to_bits(),
                u32::from(f != 0.0),
            ]
            .map(NanOr)
        }),
    );
});

gpu_case!(
    bounded_floats_become_integers,
    "arith/bounded_conversions",
    |t| {
        let special = [
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            0.0,
            -0.0,
            1.0,
            -1.0,
            3e38,
            -3e38,
            4_294_967_296.0,
            2_147_483_648.0,
            -2_147_483_648.0,
            1e-40,
            -0.25,
            5.5e9,
            0.5,
        ];
        // Multiples of 1/64, so that nothing is rounded.
        let data: Vec<f32> = rows(64, |i| match special.get(i) {
            Some(&number) => number,
            None => (i as f32 - 30.0) / 64.0 * if i % 3 == 0 { 64.0 } else { 1.0 },
        });
        t.input("t0", &data);
        t.expect(
            "u0",
            rows(64, |i| {
                let x = data[i];
                // Rust's minimum, maximum and conversions treat NaN as D3D's do; `clamp` keeps it.
                let between = |x: f32, low: f32, high: f32| x.max(low).min(high);
                let saturated = between(x, 0.0, 1.0);
                let fraction = |x: f32| x - x.floor();
                let chosen = if x > 0.5 { between(x, 1.0, 5e9) } else { 3.5 };
                [
                    (saturated * 255.0 + 0.5) as u32,
                    (between(x, -1.0, 1.0) * 32767.0).round_ties_even() as i32 as u32,
                    ((i / 4) as f32 / 4.0 * saturated * 1000.0) as u32,
                    x.max(-7.5) as i32 as u32,
                    x.min(1000.0) as u32,
                    (fraction(between(x, -1000.0, 1000.0)) * 64.0) as u32,
                    (saturated - 0.75) as u32,
                    chosen as u32,
                ]
            }),
        );
    }
);

gpu_case!(halves_pack_and_unpack, "arith/half_packing", |t| {
    let mut random = Random::new(12);
    let data: Vec<f32> = rows(64, |i| match i {
        0 => 0.0,
        1 => -0.0,
        2 => 65504.0,
        3 => f32::INFINITY,
        4 => -1.0,
        _ => (random.below(2048) as f32 - 1024.0) * 0.125,
    });
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |i| {
            let half = f16::from_f32(data[i]);
            [u32::from(half.to_bits()), half.to_f32().to_bits()]
        }),
    );
});

/// Returns the half that D3D makes of a float: rounded toward zero, infinite only if the float was.
fn half_toward_zero(value: f32) -> u16 {
    let nearest = f16::from_f32(value);
    let too_far = nearest.to_f32().abs() > value.abs();
    nearest.to_bits() - u16::from(too_far)
}

/// Bits of a half, and of the float that is made of it; one NaN is as good as another.
#[derive(Debug, Clone, Copy, PartialEq)]
struct HalfAndFloat([u32; 2]);

impl dxil_hwtests::Element for HalfAndFloat {
    const BYTES: usize = 8;
    fn write(self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
    fn read(bytes: &[u8]) -> Self {
        HalfAndFloat(<[u32; 2]>::read(bytes))
    }
    fn matches(self, expected: Self, _: Tolerance) -> bool {
        let nan = |[half, float]: [u32; 2]| {
            half >> 16 == 0
                && f16::from_bits(half as u16).is_nan()
                && f32::from_bits(float).is_nan()
        };
        self == expected || (nan(self.0) && nan(expected.0))
    }
}

gpu_case!(floats_become_halves_toward_zero, "numbers/f32tof16", |t| {
    let mut random = Random::new(80);
    let mut data = vec![
        0.0,
        65504.0,
        65505.0,
        65519.996,
        65520.0,
        65536.0,
        100_000.0,
        1e30,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
        // Half way, and around it.
        1024.5,
        1025.5,
        1025.75,
        2049.75,
        1.0 + 2.0_f32.powi(-11),
        1.0 + 3.0 * 2.0_f32.powi(-11),
        // Denormals of 16 bits, and what is less than the least of them.
        2.0_f32.powi(-14),
        2.0_f32.powi(-14) - 2.0_f32.powi(-30),
        1.75 * 2.0_f32.powi(-24),
        1.5 * 2.0_f32.powi(-24),
        2.0_f32.powi(-24),
        0.75 * 2.0_f32.powi(-24),
        2.0_f32.powi(-25),
        2.0_f32.powi(-26),
        // Denormals of 32 bits.
        1e-40,
        f32::from_bits(1),
    ];
    data.extend(data.clone().iter().map(|x| -x));
    data.push(f32::from_bits(0x7f80_0001));
    data.push(f32::from_bits(0x7fff_ffff));
    data.resize_with(512, || {
        // Exponents of halves, and some around them.
        let exponent = 127 - 28 + random.below(48);
        f32::from_bits(random.bits() & 0x807f_ffff | exponent << 23)
    });
    t.groups(8, 1, 1);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(512, |i| {
            let half = half_toward_zero(data[i]);
            let back = f16::from_bits(half).to_f32();
            HalfAndFloat([half.into(), back.to_bits()])
        }),
    );
});

gpu_case!(dot_products, "arith/dot_products", |t| {
    let mut random = Random::new(13);
    let data: Vec<[f32; 4]> = rows(64, |_| std::array::from_fn(|_| random.float(-4.0, 4.0)));
    t.input("t0", &data);
    t.expect_near(
        "u0",
        rows(32, |i| {
            let (a, b) = (data[i * 2], data[i * 2 + 1]);
            let dot = |n: usize| (0..n).map(|k| a[k] * b[k]).sum::<f32>();
            [
                dot(2),
                dot(3),
                dot(4),
                a[1] * b[2] - a[2] * b[1],
                a[2] * b[0] - a[0] * b[2],
                a[0] * b[1] - a[1] * b[0],
                (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt(),
                ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt(),
                -a[1],
            ]
        }),
        Tolerance::Absolute(2e-5),
    );
});

gpu_case!(matrix_products, "arith/matrices", |t| {
    let mut random = Random::new(15);
    // Small whole numbers: every order of the additions gives the same sum.
    let data: Vec<[f32; 4]> = rows(40, |_| {
        std::array::from_fn(|_| random.below(9) as f32 - 4.0)
    });
    t.input("t0", &data);
    let mut expected = Vec::new();
    for i in 0..8 {
        let m = &data[i * 5..i * 5 + 4];
        let v = data[i * 5 + 4];
        let dot = |a: [f32; 4], b: [f32; 4]| (0..4).map(|k| a[k] * b[k]).sum::<f32>();
        let column = |k: usize| [m[0][k], m[1][k], m[2][k], m[3][k]];
        expected.push(std::array::from_fn(|r| dot(m[r], v)));
        expected.push(std::array::from_fn(|c| dot(column(c), v)));
        for row in m {
            expected.push(std::array::from_fn(|c| dot(*row, m[c])));
        }
        let two = |a: usize, b: usize, c: usize, d: usize| m[a][c] * m[b][d] - m[a][d] * m[b][c];
        let three =
            m[0][0] * two(1, 2, 1, 2) - m[0][1] * two(1, 2, 0, 2) + m[0][2] * two(1, 2, 0, 1);
        expected.push([three, two(0, 1, 0, 1), m[1][2], m[3][0]]);
    }
    t.expect_near("u0", expected, Tolerance::Absolute(0.0));
});

gpu_case!(fractions_and_exponents, "arith/fraction_exponent", |t| {
    let mut random = Random::new(16);
    let data: Vec<f32> = rows(64, |_| random.float(-5.0, 5.0));
    t.input("t0", &data);
    t.expect_near(
        "u0",
        rows(64, |i| {
            let a = data[i];
            let x = (a / 4.0).clamp(0.0, 1.0);
            [
                a - a.trunc(),
                a.trunc(),
                a * 8.0,
                if a >= 1.0 { 1.0 } else { 0.0 },
                x * x * (3.0 - 2.0 * x),
                a.to_degrees(),
            ]
        }),
        Tolerance::Absolute(1e-4),
    );
});

gpu_case!(precise_rounds_products_before_sums, "arith/precise", |t| {
    t.text_loses(Language::Hlsl, "precise");
    t.text_loses(Language::Glsl, "precise");
    let mut random = Random::new(17);
    let data: Vec<f32> = rows(128, |_| f32::from_bits(0x3f80_0000 | random.bits() >> 9));
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |i| {
            let (a, b) = (data[i * 2], data[i * 2 + 1]);
            a * a - a * b
        }),
    );
});
