//! Mutants of inputs.

use dxil_frontend::dxbc::mutate::mutate as mutate_dxbc;
use dxil_frontend::oracle::{Random, changed};

/// The kind of mutation of a target's inputs.
#[derive(Debug, Clone, Copy)]
pub enum Mutation {
    /// Bytes and pieces of text.
    Bytes,
    /// Containers: records of their bitcode, instructions of DXBC, or bytes.
    Shader,
    /// As many bytes at random, then a container as [`Mutation::Shader`] has it.
    Tail(usize),
    /// Containers: their bitstream in another form or against its grammar, records and parts of
    /// another container.
    Grammar,
}

impl Mutation {
    /// Returns a mutant. It may take something of another seed.
    pub fn mutant(self, seed: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
        match self {
            Mutation::Bytes => changed(random, seed),
            Mutation::Shader => shader(seed, random),
            Mutation::Grammar => dxil_shapes::grammar_mutant(seed, other, random)
                .unwrap_or_else(|| damaged(seed, random)),
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
