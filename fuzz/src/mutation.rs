//! Mutants of inputs.

use dxil_frontend::dxbc::mutate::mutate as mutate_dxbc;
use dxil_frontend::oracle::{Random, changed};

/// How a target's inputs are changed.
#[derive(Debug, Clone, Copy)]
pub enum Mutation {
    /// Bytes and pieces of text.
    Bytes,
    /// Containers: records of their bitcode, instructions of DXBC, or bytes.
    Shader,
    /// Bytes, with the checksums of a PNG file's chunks made right again.
    Picture,
    /// As many bytes at random, then a container as [`Mutation::Shader`] has it.
    Tail(usize),
}

impl Mutation {
    /// Returns a mutant.
    pub fn mutant(self, seed: &[u8], random: &mut Random) -> Vec<u8> {
        match self {
            Mutation::Bytes => changed(random, seed),
            Mutation::Shader => shader(seed, random),
            Mutation::Picture => {
                let mut mutant = changed(random, seed);
                if random.below(8) != 0 {
                    sign_chunks(&mut mutant);
                }
                mutant
            }
            Mutation::Tail(head) => {
                let mut mutant: Vec<u8> = (0..head).map(|_| random.next() as u8).collect();
                let seed = seed.get(head..).unwrap_or_default();
                mutant.extend(match random.below(2) {
                    0 => seed.to_vec(),
                    _ => shader(seed, random),
                });
                mutant
            }
        }
    }
}

fn shader(seed: &[u8], random: &mut Random) -> Vec<u8> {
    match random.below(8) {
        0 => damaged(seed, random),
        1 => changed(random, seed),
        _ => dxil_shapes::mutant(seed, random)
            .or_else(|| mutate_dxbc(seed, random))
            .unwrap_or_else(|| damaged(seed, random)),
    }
}

/// Returns a container with one to eight bytes changed and without digest.
fn damaged(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(8) {
        let at = random.below(bytes.len());
        let value = match random.below(3) {
            0 => 1 << random.below(8),
            1 => 0xff,
            _ => random.below(256) as u8,
        };
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= value;
        }
    }
    if let Some(digest) = bytes.get_mut(4..20) {
        digest.fill(0);
    }
    bytes
}

/// Writes the checksums of a PNG file's chunks (PNG specification, "Chunk layout").
fn sign_chunks(file: &mut [u8]) {
    const SIGNATURE: usize = 8;
    let mut at = SIGNATURE;
    while let Some(&[a, b, c, d]) = file.get(at..).and_then(|rest| rest.first_chunk()) {
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        let Some(end) = at.checked_add(8 + length) else {
            return;
        };
        let Some(checked) = file.get(at + 4..end) else {
            return;
        };
        let checksum = crc32(checked).to_be_bytes();
        if let Some(place) = file.get_mut(end..end + 4) {
            place.copy_from_slice(&checksum);
        }
        at = end + 4;
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
    let byte = |crc: u32, byte: &u8| (0..8).fold(crc ^ u32::from(*byte), step);
    !bytes.iter().fold(!0, byte)
}
