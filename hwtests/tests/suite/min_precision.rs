//! Min-precision values in the memory of buffers, on numbers where every allowed precision gives
//! the same answer.

use dxil_hwtests::Case;
use dxil_hwtests::element::{Bytes, Random, from_bytes};
use dxil_hwtests::rows;

/// Each value is a 32-bit value in memory (DXIL document, "Memory access granularity"): floats are
/// whole ones, integers are extended by their sign.
fn describe_buffers(t: &mut Case) {
    let mut random = Random::new(131);
    let mut small = |limit: u32| random.below(limit) as i32 - limit as i32 / 2;
    let (mut items, mut raw) = (Bytes::new(), Bytes::new());
    let (mut changed, mut raw_changed) = (Bytes::new(), Bytes::new());
    let (mut signs, mut highs, mut floats, mut own) = (vec![], vec![], vec![], vec![]);
    let a: Vec<f32> = rows(16, |_| small(64) as f32 * 0.5);
    let b: Vec<i32> = rows(16, |_| small(2000));
    for i in 0..16 {
        let c = (small(4000) + 2000) as u32;
        let v: [f32; 3] = std::array::from_fn(|_| small(64) as f32);
        let w: [i32; 2] = std::array::from_fn(|_| small(200));
        let m: [u32; 4] = std::array::from_fn(|_| (small(200) + 100) as u32);
        items = items.put(a[i]).put(b[i]).put(c).put(v).put(w).put(m);
        changed = changed.put(a[i] * 2.0 + 1.0).put(b[15 - i] - 100);
        changed = changed.put(c * 3).put([v[2], v[0], v[1]]);
        changed = changed.put([w[1], -7]).put(m.map(|x| x + 1));
        signs.push([-w[0], -w[1], i as i32 - 2]);
        // Above what a signed value of 16 bits holds.
        highs.push(c + 40_000);
        floats.push([v[0], v[1], v[2], a[i]].map(|x| x * 0.5));
        let (x, y): (f32, [i32; 3]) = (small(64) as f32, std::array::from_fn(|_| small(2000)));
        raw = raw.put(x).put(y);
        raw_changed = raw_changed.put(x + 0.25).put(y.map(|y| -y));
        own.push(small(2000));
    }
    t.input("t0", &items.0);
    t.input("t1", &raw.0);
    t.expect("u0", from_bytes::<u32>(&changed.0));
    t.expect("u1", signs);
    t.expect("u2", highs);
    t.expect("u3", floats);
    t.expect("u4", from_bytes::<u32>(&raw_changed.0));
    let halved = own.iter().map(|x| x >> 1).collect();
    t.update("u5", &own, halved);
}

gpu_case!(
    @ values_take_32_bits_in_buffers,
    "buffers/min_precision",
    |t| {
        describe_buffers(t);
    },
    [vulkan checked wgpu],
    [portable hlsl glsl]
);

gpu_case!(
    @ native_values_take_32_bits_in_buffers,
    "buffers/min_precision",
    |t| {
        t.native_min_precision = true;
        describe_buffers(t);
    },
    [vulkan checked wgpu]
);
