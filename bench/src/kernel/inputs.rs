//! Inputs of kernels: registers, pseudo-random numbers, and values as bytes.

use dxil_runtime::job::Register;

/// Returns the register with this name, such as `t0`.
pub(crate) fn register(name: &str) -> Register {
    name.parse().expect("kernels name registers correctly")
}

/// Returns 32-bit values as bytes, little-endian.
pub(crate) fn bytes<T: Copy>(values: &[T], word: impl Fn(T) -> u32) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| word(*value).to_le_bytes())
        .collect()
}

/// Returns floats as bytes.
pub(crate) fn floats(values: &[f32]) -> Vec<u8> {
    bytes(values, f32::to_bits)
}

/// Returns integers as bytes.
pub(crate) fn uints(values: &[u32]) -> Vec<u8> {
    bytes(values, |value| value)
}

/// Returns the bytes of a constant buffer with these words, padded to a row of 16 bytes.
pub(crate) fn constants(words: &[u32]) -> Vec<u8> {
    let mut bytes = uints(words);
    bytes.resize(bytes.len().next_multiple_of(16), 0);
    bytes
}

/// Returns `count` pseudo-random words (SplitMix64), the same for the same seed.
pub(crate) fn noise(count: usize, seed: u64) -> impl Iterator<Item = u32> {
    (0..count as u64).map(move |i| {
        let mut z = (i + (seed << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z >> 32) as u32
    })
}

/// Returns `count` pseudo-random numbers from 0 up to but not including 1.
pub(crate) fn fractions(count: usize, seed: u64) -> Vec<f32> {
    noise(count, seed)
        .map(|word| (word >> 8) as f32 / (1 << 24) as f32)
        .collect()
}
