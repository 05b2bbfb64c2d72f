//! A container of a hostile shape, with a few of its bytes changed: translating it in every style,
//! listing and validating it return.

#![no_main]

use dxil_shapes::{Family, GraphFamily, all_families, container};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((&[family, low, high], changes)) = bytes.split_first_chunk::<3>() else {
        return;
    };
    let n = u32::from(u16::from_le_bytes([low, high])) % 2000;
    let family = all_families()
        .nth(usize::from(family))
        .unwrap_or(Family::Graph(GraphFamily::Random(u64::from(family))));
    let mut shader = container(family, n);
    let length = shader.len();
    // Each change is a place, as a fraction of the container, and a byte.
    for change in changes.chunks_exact(4).take(8) {
        let place = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize;
        shader[place * length >> 24] ^= change[3];
    }
    let _ = dxil_frontend::oracle::container(&shader);
    let _ = dxil_frontend::validate::validate(&shader, &Default::default());
    let _ = dxil_translate::oracle::translate(&shader);
});
