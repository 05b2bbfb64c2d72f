//! Vendors' shader extensions, against what their documents say.

use std::ops::Range;

use dxil_hwtests::{
    element::{Random, Tolerance},
    rows, texture,
};
use dxil_runtime::{Format, job::Dimension};

/// Threads of the shader about lanes.
const LANES: usize = 16;

/// Returns the wave of a thread, as a range of threads.
fn wave_of(thread: usize, size: u32) -> Range<usize> {
    let size = size as usize;
    let first = thread / size * size;
    first..(first + size).min(LANES)
}

gpu_case!(@ lanes_of_ags, "vendor/ags_lanes", |t| {
    let data = Random::new(301).many(LANES, 1000);
    t.input("t0", &data);
    let size = t.wave_size;
    t.expect(
        "u0",
        rows(LANES, |i| {
            let wave = wave_of(i, size);
            let first = wave.start;
            let lanes = &data[wave];
            let lane = i - first;
            let odd = |lane: &usize| lanes[*lane] & 1 == 1;
            let ballot = (0..lanes.len()).filter(odd).fold(0_u32, |a, n| a | 1 << n);
            let quad = lane & !3;
            [
                lanes[0],
                lanes[2],
                lane as u32,
                size,
                ballot,
                0,
                (ballot & ((1 << lane) - 1)).count_ones(),
                lanes[i & 3],
                lanes[lane ^ 1],
                lanes[lane ^ 3],
                lanes[lane & 0x1e | 1],
                lanes[quad | (lane + 1) & 3],
                lanes.iter().sum(),
                lanes.iter().fold(0, |a, v| a ^ v),
                lanes[..=lane].iter().sum(),
                // The neutral element of an unsigned maximum.
                lanes[..lane].iter().copied().max().unwrap_or(0),
            ]
        }),
    );
}, [vulkan]);

/// Returns the bits of a float as a half.
fn half(bits: u32, mode: Rounding) -> u32 {
    let value = f64::from(f32::from_bits(bits));
    let negative = bits >> 31 == 1;
    let magnitude = value.abs();
    let sign = if negative { 0x8000 } else { 0 };
    if magnitude.is_infinite() {
        return sign | 0x7c00;
    }
    // Magnitudes in order; after the last comes where infinity begins.
    let of_half = |bits: u32| match (bits >> 10, bits & 0x3ff) {
        (0, fraction) => f64::from(fraction) * 2_f64.powi(-24),
        (exponent, fraction) => {
            (1.0 + f64::from(fraction) / 1024.0) * 2_f64.powi(exponent as i32 - 15)
        }
    };
    let mut low = (0..0x7c00)
        .rev()
        .find(|&bits| of_half(bits) <= magnitude)
        .expect("zero is not above the magnitude");
    let (below, above) = (of_half(low), of_half(low + 1));
    let away = match mode {
        Rounding::Down => negative && magnitude > below,
        Rounding::Up => !negative && magnitude > below,
        Rounding::Nearest => {
            let (to_low, to_high) = (magnitude - below, above - magnitude);
            to_high < to_low || to_high == to_low && low & 1 == 1
        }
    };
    low += u32::from(away);
    sign | low.min(0x7c00)
}

#[derive(Clone, Copy)]
enum Rounding {
    Nearest,
    Down,
    Up,
}

gpu_case!(@ numbers_of_ags, "vendor/ags_numbers", |t| {
    let mut random = Random::new(302);
    // Halves' whole range and some beyond it, ties among them; no denormal floats, which devices
    // may flush.
    let edges = [
        0.0_f32,
        -0.0,
        1.0,
        -1.0,
        65504.0,
        65519.0,
        65520.0,
        -65520.0,
        65536.0,
        1e30,
        -1e30,
        f32::INFINITY,
        f32::NEG_INFINITY,
        1.000_488_3,
        1.001_464_8,
        -1.000_488_3,
        5.9e-8,
        2.9e-8,
        2.980_232_2e-8,
        8.940_697e-8,
        6.1e-5,
        -6.1e-5,
        1e-20,
        -1e-20,
    ];
    let data: Vec<[u32; 3]> = rows(64, |i| {
        let mut float = || {
            let exponent = 100 + random.below(60);
            random.below(2) << 31 | exponent << 23 | random.below(1 << 23)
        };
        let first = edges.get(i).map_or_else(&mut float, |edge| edge.to_bits());
        [first, float(), float()]
    });
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(64, |i| {
            let mut words = data[i];
            words.sort_unstable();
            let mut floats = data[i].map(f32::from_bits);
            floats.sort_by(f32::total_cmp);
            let floats = floats.map(f32::to_bits);
            [
                words[0],
                floats[0],
                words[1],
                floats[1],
                words[2],
                floats[2],
                half(data[i][0], Rounding::Nearest),
                half(data[i][0], Rounding::Down),
                half(data[i][0], Rounding::Up),
            ]
        }),
    );
}, [vulkan]);

/// Returns the bits of a sum, difference or product with a rounding mode of AGS: nearest, up, down,
/// to zero.
fn rounded(operation: u32, mode: u32, [a, b]: [u32; 2]) -> u32 {
    let [a, b] = [a, b].map(f32::from_bits);
    let [wide_a, wide_b] = [a, b].map(f64::from);
    let (nearest, exact) = match operation {
        0 => (a + b, wide_a + wide_b),
        1 => (a - b, wide_a - wide_b),
        _ => (a * b, wide_a * wide_b),
    };
    // What the sum of doubles lost.
    let wide_b = if operation == 1 { -wide_b } else { wide_b };
    let second = exact - wide_a;
    let lost = match operation {
        2 => 0.0,
        _ => (wide_a - (exact - second)) + (wide_b - second),
    };
    let (above, below) = match exact - f64::from(nearest) {
        0.0 => (lost > 0.0, lost < 0.0),
        difference => (difference > 0.0, difference < 0.0),
    };
    let value = match mode {
        1 if above => nearest.next_up(),
        2 if below => nearest.next_down(),
        3 if nearest > 0.0 && below => nearest.next_down(),
        3 if nearest < 0.0 && above => nearest.next_up(),
        _ => nearest,
    };
    value.to_bits()
}

gpu_case!(@ rounding_of_ags, "vendor/ags_rounding", |t| {
    let mut random = Random::new(303);
    let edges = [
        [1.0_f32, 1e-20],
        [1.0, -1e-20],
        [-1.0, 1e-20],
        [-1.0, -1e-20],
        [33_554_432.0, -0.1],
        [f32::MAX, f32::MAX],
        [-f32::MAX, f32::MAX],
        [f32::MAX, -3e38],
        [f32::INFINITY, 1.0],
        [f32::NEG_INFINITY, 2.0],
        [0.1, 0.2],
        [0.5, 0.25],
        [1e30, 1e10],
        [-1e30, 1e10],
        [3.0, 3.0],
        [0.0, 1.5],
    ];
    let data: Vec<[u32; 2]> = rows(64, |i| {
        let mut float = || {
            let exponent = 110 + random.below(30);
            random.below(2) << 31 | exponent << 23 | random.below(1 << 23)
        };
        match edges.get(i) {
            Some(edge) => edge.map(f32::to_bits),
            None => [float(), float()],
        }
    });
    t.input("t0", &data);
    t.expect(
        "u0",
        data.iter()
            .flat_map(|&pair| (0..12).map(move |i| rounded(i / 4, i % 4, pair)))
            .collect(),
    );
}, [vulkan]);

gpu_case!(@ narrow_stores_of_ags, "vendor/ags_narrow_stores", |t| {
    let first = vec![0xdead_beef_u32; 40];
    let mut bytes = dxil_hwtests::element::to_bytes(&first);
    for id in 0..32_usize {
        bytes[id + 1] = (id * 5) as u8;
        let value = ((id + 32) * 1001) as u16;
        bytes[64 + id * 2..66 + id * 2].copy_from_slice(&value.to_le_bytes());
    }
    t.update("u0", &first, dxil_hwtests::element::from_bytes::<u32>(&bytes));
}, [vulkan]);

gpu_case!(@ atomics_of_ags, "vendor/ags_atomics", |t| {
    let mut expected = vec![
        (0..64_u64)
            .map(|i| i << 32 | 0xc000_0000)
            .fold(0, u64::wrapping_add),
        (0..64_u64).map(|i| (100 - i) << 32 | i).min().unwrap(),
        (0..64_u64).map(|i| i << 32 | (100 - i)).max().unwrap(),
        (0..64_u64).fold(0, |a, i| a ^ (i << 32 | 1 << (i & 31))),
    ];
    expected.extend((0..8_u64).map(|i| 9 << 32 | (20 + i)));
    let mut first = vec![0, u64::MAX, 0, 0];
    first.extend([77_u64; 8]);
    t.update("u0", &first, expected);
    let old = (0..8_u64).flat_map(|i| [77, 7 << 32 | i, 9 << 32 | (20 + i)]);
    t.expect("u1", old.collect());
}, [vulkan]);

gpu_case!(@ lanes_of_nvapi, "vendor/nvapi_lanes", |t| {
    t.vendor.nvapi_uav = Some((127, 1));
    let data = Random::new(303).many(LANES, 1000);
    t.input("t0", &data);
    let size = t.wave_size;
    t.expect(
        "u0",
        rows(LANES, |i| {
            let wave = wave_of(i, size);
            let lane = i - wave.start;
            let lanes = &data[wave];
            let mask = |holds: &dyn Fn(u32) -> bool| {
                (0..lanes.len())
                    .filter(|&lane| holds(lanes[lane]))
                    .fold(0_u32, |a, lane| a | 1 << lane)
            };
            let odd = mask(&|x| x & 1 == 1);
            let four = lane & !3;
            [
                lanes[3],
                lanes[four | 5 & 3],
                if lane == four {
                    lanes[lane]
                } else {
                    lanes[lane - 1]
                },
                if lane == four + 3 {
                    lanes[lane]
                } else {
                    lanes[lane + 1]
                },
                lanes[lane ^ 2],
                u32::from(odd.count_ones() as usize == lanes.len()),
                u32::from(odd != 0),
                odd,
                lane as u32,
                mask(&|x| x & 3 == data[i] & 3),
                (1 << lane) - 1,
                data[i],
                u32::from(i & 3 != 3),
                if i & 3 == 3 { data[i] } else { lanes[four | i & 3] },
                1,
            ]
        }),
    );
}, [vulkan]);

gpu_case!(@ atomics_of_nvapi, "vendor/nvapi_atomics", |t| {
    t.vendor.nvapi_uav = Some((127, 1));
    let half = |value: f32| u64::from(half::f16::from_f32(value).to_bits());
    let halves = |low: f32, high: f32| half(high) << 16 | half(low);
    let float = |value: f32| u64::from(value.to_bits());
    let ids = || 0..64_u64;
    let total = (0..64).sum::<u32>() as f32;
    let mut expected = vec![
        halves(total, -0.5 * total) << 32 | float(0.5 * total),
        halves(63.0, -0.0) << 32 | halves(0.0, -31.5),
        ids().map(|i| i << 32 | 0xc000_0000).fold(0, u64::wrapping_add),
        ids().map(|i| (100 - i) << 32 | i).min().unwrap(),
        ids().map(|i| i << 32 | (100 - i)).max().unwrap(),
        ids().fold(0, |a, i| a ^ (i << 32 | 1 << (i & 31))),
        u64::MAX,
        u64::MAX << 8,
    ];
    // The maximum of zeros of both signs may be either (IEEE 754-2008, 5.3.1): there are none.
    let zeros = halves(0.0, -0.0) << 32;
    let mut first = vec![0, zeros, 0, u64::MAX, 0, 0, 0, u64::MAX];
    let (before, largest) = (halves(-3.0, 1.0) << 32 | float(0.25), halves(-1.0, 2.0));
    for i in 0..8 {
        first.extend([77, before]);
        expected.extend([9 << 32 | (20 + i), largest << 32 | float(1.75)]);
    }
    t.update("u0", &first, expected);
    let old = (0..8_u64).flat_map(|i| {
        [
            77,
            7 << 32 | i,
            9 << 32 | (20 + i),
            1 << 32 | float(0.25),
            2 << 32 | halves(-3.0, 1.0),
        ]
    });
    t.expect("u1", old.collect());
}, [vulkan]);

gpu_case!(@ texture_atomics_of_nvapi, "vendor/nvapi_texture_atomics", |t| {
    t.vendor.nvapi_uav = Some((127, 1));
    let sums = (0..16_u32).map(|at| {
        let of_texel = (0..64_u32).filter(|id| id & 15 == at);
        (100.0 + of_texel.map(|id| 0.25 * id as f32).sum::<f32>()).to_bits()
    });
    // Textures with such atomics are bound with a format of one word.
    let before = [100.0_f32.to_bits(); 16];
    let shape = texture(Dimension::D2, Format::R32Uint, [4, 4, 1], 1, &before);
    t.texture_update("u0", shape, sums.collect(), Tolerance::Exact);
    let halves = |low: f32, high: f32| {
        let half = |value: f32| u32::from(half::f16::from_f32(value).to_bits());
        half(high) << 16 | half(low)
    };
    let new = |id: u32| ((id as f32 + 1.0).min(40.0), 2.0 - 0.5 * id as f32);
    let mut expected: Vec<u32> = (0..64).map(|id| halves(new(id).0, new(id).1)).collect();
    // The first texel after those of the threads: the largest of both halves.
    expected.push(halves(63.0, -1.0));
    let before = vec![halves(-1.0, -100.0); 65];
    let shape = texture(Dimension::D1, Format::R32Uint, [65, 1, 1], 1, &before);
    t.texture_update("u1", shape, expected, Tolerance::Exact);
    t.expect(
        "u2",
        rows(64, |i| [i as f32, -0.5 * i as f32, new(i as u32).0, new(i as u32).1]),
    );
}, [vulkan]);

gpu_case!(@ matrices_of_ags, "vendor/ags_matrices", |t| {
    const SIZE: usize = 16;
    // What the device cannot do gives zeros and stores nothing: the buffer stays as it was.
    t.vendor.zero_missing = true;
    use dxil_translate::Features;
    let sizes = Features::COOPERATIVE_MATRIX | Features::COOPERATIVE_MATRIX_8;
    let has_matrices = t.features.intersects(sizes);
    let mut random = Random::new(304);
    let mut values = |range: u32| -> Vec<i32> {
        let half = (range / 2) as i32;
        (0..SIZE * SIZE).map(|_| random.below(range) as i32 - half).collect()
    };
    let (a, b, c) = (values(5), values(5), values(33));
    let halves = |values: &[i32]| -> Vec<u32> {
        let bits = |value: i32| half((value as f32).to_bits(), Rounding::Nearest);
        values.chunks(2).map(|pair| bits(pair[0]) | bits(pair[1]) << 16).collect()
    };
    let floats = |values: &[i32]| -> Vec<u32> {
        values.iter().map(|&value| (value as f32).to_bits()).collect()
    };
    let product = |left: &dyn Fn(usize, usize) -> i32, sum: &[i32]| -> Vec<i32> {
        (0..SIZE * SIZE)
            .map(|at| {
                let (row, column) = (at / SIZE, at % SIZE);
                sum[at] + (0..SIZE).map(|k| left(row, k) * b[k * SIZE + column]).sum::<i32>()
            })
            .collect()
    };
    let plain = product(&|row, k| a[row * SIZE + k], &c);
    let transposed = product(&|row, k| a[k * SIZE + row], &c);
    // Three times in a loop, and 2 to begin with.
    let again = product(&|row, k| 3 * plain[row * SIZE + k], &[2; SIZE * SIZE]);
    let columns: Vec<i32> = (0..SIZE * SIZE)
        .map(|at| transposed[at % SIZE * SIZE + at / SIZE])
        .collect();
    let next: Vec<i32> = c.iter().map(|value| value + 1).collect();
    let mut input = halves(&a);
    input.extend(halves(&b));
    input.extend(floats(&c));
    input.push(3);
    t.update("u1", &input.clone(), input);
    let mut expected = floats(&plain);
    expected.extend(floats(&columns));
    expected.extend(halves(&plain));
    expected.extend(floats(&again));
    expected.extend(floats(&next));
    let elementwise = |operation: fn(f32, f32) -> f32| -> Vec<u32> {
        let pairs = plain.iter().zip(&c);
        pairs.map(|(&a, &b)| operation(a as f32, b as f32).to_bits()).collect()
    };
    expected.extend(elementwise(|a, b| a - b));
    expected.extend(elementwise(|a, b| a * b));
    if !has_matrices {
        expected.fill(0xa5a5_a5a5);
    }
    t.expect("u0", expected);
}, [vulkan]);

/// Of the four matrices that the shader loads, three only go into products, and so does the one
/// that changes its role, which a fifth load is for. The loop changes elements of the fourth, `c`,
/// so that it alone is in memory, where elements have addresses.
#[test]
fn matrices_that_only_products_take_are_not_in_memory() {
    use rspirv::dr::Operand;
    use rspirv::spirv::Op;
    let bytes = include_bytes!("../../shaders/vendor/ags_matrices.dxil");
    let shader = dxil_frontend::dxil::read_shader(bytes).unwrap();
    let mut options = dxil_translate::Options::default();
    options.target.features = dxil_translate::Features::all();
    let translation = dxil_translate::translate(&shader, &options).unwrap();
    let module = rspirv::dr::load_words(&translation.words).unwrap();
    let code: Vec<_> = module.all_inst_iter().collect();
    let loads: Vec<u32> = code
        .iter()
        .filter(|inst| inst.class.opcode == Op::CooperativeMatrixLoadKHR)
        .filter_map(|inst| inst.result_id)
        .collect();
    let stored = loads.iter().filter(|&&matrix| {
        code.iter().any(|inst| {
            inst.class.opcode == Op::Store && inst.operands.get(1) == Some(&Operand::IdRef(matrix))
        })
    });
    assert_eq!((loads.len(), stored.count()), (5, 1));
}

/// A format of OFP8: bits of the mantissa, bias, largest finite number, what lies beyond it.
struct Float8 {
    mantissa: i32,
    bias: i32,
    largest: u32,
    beyond: u32,
}

const E4M3: Float8 = Float8 {
    mantissa: 3,
    bias: 7,
    largest: 0x7e,
    beyond: 0x7f,
};
const E5M2: Float8 = Float8 {
    mantissa: 2,
    bias: 15,
    largest: 0x7b,
    beyond: 0x7c,
};

impl Float8 {
    /// Returns a finite magnitude.
    fn magnitude(&self, bits: u32) -> f64 {
        let fraction = f64::from(bits & ((1 << self.mantissa) - 1)) * 0.5_f64.powi(self.mantissa);
        match (bits >> self.mantissa) as i32 {
            0 => fraction * 2_f64.powi(1 - self.bias),
            exponent => (1.0 + fraction) * 2_f64.powi(exponent - self.bias),
        }
    }

    /// Returns the bits as those of a float; NaN is the quiet one.
    fn widened(&self, bits: u32) -> u32 {
        let (sign, magnitude) = (bits >> 7 & 1, bits & 0x7f);
        let value = if magnitude <= self.largest {
            (self.magnitude(magnitude) as f32).to_bits()
        } else if magnitude == self.beyond && self.beyond != 0x7f {
            f32::INFINITY.to_bits()
        } else {
            f32::NAN.to_bits()
        };
        value | sign << 31
    }

    /// Returns the nearest number, the even one of two.
    fn narrowed(&self, bits: u32, saturates: bool) -> u32 {
        let value = f64::from(f32::from_bits(bits).abs());
        let sign = bits >> 31 << 7;
        if value.is_nan() {
            return 0x7f | sign;
        }
        let beyond = if saturates { self.largest } else { self.beyond };
        if value > self.magnitude(self.largest + 1) {
            return beyond | sign;
        }
        // As if there were one more number after the largest.
        let nearest = (0..=self.largest + 1).min_by(|&a, &b| {
            let distance = |bits| (self.magnitude(bits) - value).abs();
            let by_distance = distance(a).total_cmp(&distance(b));
            by_distance.then((a & 1).cmp(&(b & 1)))
        });
        match nearest {
            Some(nearest) if nearest <= self.largest => nearest | sign,
            _ => beyond | sign,
        }
    }
}

gpu_case!(@ float8_of_ags, "vendor/ags_float8", |t| {
    let mut random = Random::new(303);
    // The middles between numbers, their neighbors, and what lies beyond the largest.
    let mut floats: Vec<f32> = vec![
        f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 448.0, 464.0, 465.0, -480.0, 57344.0, 61440.0,
        -61441.0, 1e30, 0.0, -0.0, 1e-20,
    ];
    for bits in 0..50 {
        let number = E4M3.magnitude(bits % 0x7e);
        floats.push((0.5 * (number + E4M3.magnitude(bits % 0x7e + 1))) as f32);
        floats.push((0.5 * (E5M2.magnitude(bits) + E5M2.magnitude(bits + 1))) as f32);
        floats.push(f32::from_bits((number as f32).to_bits() + 1));
    }
    let data: Vec<u32> = (0..256)
        .map(|i| match floats.get(i) {
            Some(float) => float.to_bits(),
            None => random.below(2) << 31 | (100 + random.below(50)) << 23 | random.below(1 << 23),
        })
        .collect();
    t.groups(4, 1, 1);
    t.input("t0", &data);
    t.expect(
        "u0",
        rows(256, |i| {
            [
                E4M3.widened(i as u32),
                E5M2.widened(i as u32),
                E4M3.narrowed(data[i], false),
                E5M2.narrowed(data[i], false),
                E4M3.narrowed(data[i], true),
                E5M2.narrowed(data[i], true),
            ]
        }),
    );
}, [vulkan]);

gpu_case!(@ float8_matrices_of_ags, "vendor/ags_float8_matrices", |t| {
    const SIZE: usize = 16;
    // What the device cannot do gives zeros and stores nothing: the buffer stays as it was.
    t.vendor.zero_missing = true;
    use dxil_translate::Features;
    let sizes = Features::COOPERATIVE_MATRIX | Features::COOPERATIVE_MATRIX_8;
    let has_matrices = t.features.intersects(sizes);
    let mut random = Random::new(306);
    // Numbers whose products and sums are exact as floats.
    let mut numbers = |least: u32, mantissa: u32| -> Vec<u8> {
        (0..SIZE * SIZE)
            .map(|_| {
                let exponent = least + random.below(5);
                let fraction = random.below(1 << mantissa);
                (random.below(2) << 7 | exponent << mantissa | fraction) as u8
            })
            .collect()
    };
    let (a, b, b5) = (numbers(5, 3), numbers(5, 3), numbers(13, 2));
    let c: Vec<f32> = (0..SIZE * SIZE)
        .map(|i| match i % 3 {
            0 => random.below(1 << 20) as f32 / 1024.0 - 512.0,
            1 => random.below(1 << 12) as f32 / 1024.0 - 2.0,
            _ => (random.below(32) as f32 - 16.0) * 32.0,
        })
        .collect();
    let number = |format: &Float8, bits: u8| f32::from_bits(format.widened(u32::from(bits)));
    let product = |right: &dyn Fn(usize, usize) -> f32| -> Vec<u32> {
        (0..SIZE * SIZE)
            .map(|at| {
                let (row, column) = (at / SIZE, at % SIZE);
                let left = |k: usize| number(&E4M3, a[row * SIZE + k]);
                let sum: f32 = (0..SIZE).map(|k| left(k) * right(k, column)).sum();
                (c[at] + sum).to_bits()
            })
            .collect()
    };
    let packed = |bytes: &[u8]| -> Vec<u32> {
        let words = bytes.chunks(4).map(|four| four.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b)));
        words.collect()
    };
    let floats: Vec<u32> = c.iter().map(|value| value.to_bits()).collect();
    let mut input: Vec<u32> = [&a, &b, &b5].into_iter().flat_map(|bytes| packed(bytes)).collect();
    input.extend(&floats);
    t.update("u1", &input.clone(), input);
    let mut expected = product(&|k, column| number(&E4M3, b[column * SIZE + k]));
    expected.extend(product(&|k, column| number(&E5M2, b5[k * SIZE + column])));
    let wide: Vec<u32> = a.iter().map(|&bits| E4M3.widened(u32::from(bits))).collect();
    let bits = |&value: &u32| half(value, Rounding::Nearest);
    expected.extend(wide.chunks(2).map(|pair| bits(&pair[0]) | bits(&pair[1]) << 16));
    expected.extend(&wide);
    let narrowed = |format: &Float8, of: &[u32], saturates: bool| -> Vec<u32> {
        let bytes = of.iter().map(|&bits| format.narrowed(bits, saturates) as u8);
        packed(&bytes.collect::<Vec<u8>>())
    };
    expected.extend(narrowed(&E4M3, &floats, false));
    expected.extend(narrowed(&E5M2, &floats, true));
    expected.extend(narrowed(&E5M2, &wide, false));
    expected.extend(packed(&a.iter().map(|bits| bits ^ 0x80).collect::<Vec<u8>>()));
    if !has_matrices {
        expected.fill(0xa5a5_a5a5);
    }
    t.expect("u0", expected);
}, [vulkan]);

gpu_case!(@ clocks_go_forward, "vendor/clocks", |t| {
    t.vendor.nvapi_uav = Some((127, 1));
    // A device without a clock gives zeros: in order, and no time passes.
    t.vendor.zero_missing = true;
    let has = |feature| u32::from(t.features.contains(feature));
    let of_wave = has(dxil_translate::Features::SHADER_CLOCK);
    let of_device = has(dxil_translate::Features::DEVICE_CLOCK);
    t.update("u1", &[0u32], vec![499_500_u32]);
    t.expect("u0", vec![1, 1, of_wave, of_wave | of_device, 1, of_device]);
}, [vulkan]);
