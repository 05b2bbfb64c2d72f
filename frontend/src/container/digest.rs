//! The container's digest: MD5 with the length placed differently in the last block.
//!
//! It covers everything from the version field (byte 20) to the container's end. D3D12 accepts a
//! shader only with a right digest; DXC leaves it zero if the shader was not validated. The
//! difference from RFC 1321: the last block begins with the length in bits and ends with
//! `length_in_bytes * 2 + 1`, where plain MD5 ends with the length in bits as 64-bit number.

use super::header::Container;
use crate::error::Result;

/// First byte that the digest covers.
const HASHED_FROM: usize = 20;

/// Digest that preview compilers write instead: all bytes 2.
const PREVIEW: [u8; 16] = [2; 16];

/// Digest that asks the runtime to skip the check: all bytes 1.
const BYPASS: [u8; 16] = [1; 16];

/// The result of comparing the stored digest with the computed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DigestStatus {
    /// All zero: never validated.
    Unsigned,
    /// Stored and computed digest are the same.
    Valid,
    /// The marker of a preview shader model (all bytes 2).
    Preview,
    /// The marker that asks runtimes to skip the check (all bytes 1).
    Bypass,
    /// Something else: the container changed after it was signed.
    Mismatch,
}

impl Container<'_> {
    /// Computes the digest of the content, whatever the header stores.
    pub fn compute_digest(&self) -> [u8; 16] {
        digest_of(self.bytes().get(HASHED_FROM..).unwrap_or_default())
    }

    /// Compares the stored digest with the computed one.
    pub fn digest(&self) -> DigestStatus {
        match self.stored_digest() {
            digest if digest == [0; 16] => DigestStatus::Unsigned,
            PREVIEW => DigestStatus::Preview,
            BYPASS => DigestStatus::Bypass,
            digest if digest == self.compute_digest() => DigestStatus::Valid,
            _ => DigestStatus::Mismatch,
        }
    }
}

/// Returns a container with the digest of its content; bytes after the size that the header states
/// are left out. The digest is the same for DXIL and DXBC.
///
/// # Errors
///
/// As [`Container::parse`].
pub fn sign(bytes: &[u8]) -> Result<Vec<u8>> {
    let container = Container::parse(bytes)?;
    let digest = container.compute_digest();
    let mut signed = container.bytes().to_vec();
    if let Some(field) = signed.get_mut(4..HASHED_FROM) {
        field.copy_from_slice(&digest);
    }
    Ok(signed)
}

/// Initial state of MD5 (RFC 1321, section 3.3).
const INITIAL: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// Returns the MD5 sum of `bytes` (RFC 1321).
pub(crate) fn md5(bytes: &[u8]) -> [u8; 16] {
    let mut state = INITIAL;
    let mut blocks = bytes.chunks_exact(64);
    for block in &mut blocks {
        mix(&mut state, &words_of(block));
    }
    let mut rest = blocks.remainder().to_vec();
    rest.push(0x80);
    while rest.len() % 64 != 56 {
        rest.push(0);
    }
    let bits = (bytes.len() as u64).wrapping_mul(8);
    rest.extend_from_slice(&bits.to_le_bytes());
    for block in rest.chunks_exact(64) {
        mix(&mut state, &words_of(block));
    }
    bytes_of(state)
}

/// Returns the digest of `bytes`, which begin after the digest field of a container.
pub(super) fn digest_of(bytes: &[u8]) -> [u8; 16] {
    let mut state = INITIAL;
    let mut blocks = bytes.chunks_exact(64);
    for block in &mut blocks {
        mix(&mut state, &words_of(block));
    }
    // The field is 32 bits wide: longer input wraps, as in the original.
    let [b0, b1, b2, b3, ..] = bytes.len().to_le_bytes();
    let length = u32::from_le_bytes([b0, b1, b2, b3]);
    let rest = blocks.remainder();
    let mut padded = rest.to_vec();
    padded.push(0x80);
    let mut last = [0; 16];
    // The last block needs room for the length in front, the byte 0x80 and the second length.
    if rest.len() < 56 {
        // Length, rest, padding and the second length share one block.
        padded.resize(56, 0);
        let [_, middle @ .., _] = &mut last;
        middle.copy_from_slice(words_of(&padded).first_chunk::<14>().unwrap_or(&[0; 14]));
    } else {
        padded.resize(64, 0);
        mix(&mut state, &words_of(&padded));
    }
    let [first, .., end] = &mut last;
    *first = length.wrapping_mul(8);
    *end = length.wrapping_mul(2) | 1;
    mix(&mut state, &last);
    bytes_of(state)
}

fn bytes_of(state: [u32; 4]) -> [u8; 16] {
    let mut digest = [0; 16];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    digest
}

fn words_of(block: &[u8]) -> [u32; 16] {
    let mut words = [0; 16];
    let (chunks, _) = block.as_chunks::<4>();
    for (word, bytes) in words.iter_mut().zip(chunks) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// RFC 1321's table T: the integer part of 2^32 times |sin(i)|, i from 1.
#[rustfmt::skip]
const SINES: [[u32; 16]; 4] = [
    [
        0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
        0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    ],
    [
        0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
        0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    ],
    [
        0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
        0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    ],
    [
        0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
        0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
    ],
];

/// Returns the sum of a step of a round, without the rotation of the four variables.
#[inline(always)]
fn step(mixed: u32, [a, b]: [u32; 2], word: u32, sine: u32, shift: u32) -> u32 {
    let sum = a.wrapping_add(mixed).wrapping_add(word).wrapping_add(sine);
    b.wrapping_add(sum.rotate_left(shift))
}

/// Mixes a block into the state (RFC 1321, section 3.4). All steps are spelled out, so that the
/// positions of words, constants and shifts are known to the compiler.
fn mix(state: &mut [u32; 4], words: &[u32; 16]) {
    let [mut a, mut b, mut c, mut d] = *state;
    // Four steps from the i-th one of a round on; the word of a step is `first + i * by`.
    macro_rules! steps {
        ($i:literal, $function:expr, $first:literal, $by:literal, $shifts:expr, $sines:expr) => {
            let [s0, s1, s2, s3] = $shifts;
            let word = words[($first + $i * $by) % 16];
            a = step($function(b, c, d), [a, b], word, $sines[$i], s0);
            let word = words[($first + ($i + 1) * $by) % 16];
            d = step($function(a, b, c), [d, a], word, $sines[$i + 1], s1);
            let word = words[($first + ($i + 2) * $by) % 16];
            c = step($function(d, a, b), [c, d], word, $sines[$i + 2], s2);
            let word = words[($first + ($i + 3) * $by) % 16];
            b = step($function(c, d, a), [b, c], word, $sines[$i + 3], s3);
        };
    }
    macro_rules! round {
        ($($row:tt)*) => {
            steps!(0, $($row)*);
            steps!(4, $($row)*);
            steps!(8, $($row)*);
            steps!(12, $($row)*);
        };
    }
    let [first, second, third, fourth] = &SINES;
    round!(
        |x: u32, y, z| z ^ (x & (y ^ z)),
        0,
        1,
        [7, 12, 17, 22],
        first
    );
    round!(
        |x: u32, y, z: u32| (x & z) | (y & !z),
        1,
        5,
        [5, 9, 14, 20],
        second
    );
    round!(|x: u32, y, z| x ^ y ^ z, 5, 3, [4, 11, 16, 23], third);
    round!(
        |x: u32, y, z: u32| y ^ (x | !z),
        0,
        7,
        [6, 10, 15, 21],
        fourth
    );
    for (word, add) in state.iter_mut().zip([a, b, c, d]) {
        *word = word.wrapping_add(add);
    }
}
