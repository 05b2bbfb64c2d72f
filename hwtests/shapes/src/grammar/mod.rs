//! A second kind of mutants, by the grammar of bitstreams ("LLVM Bitcode File Format", "Bitstream
//! Format"): [`mutant`](crate::mutant) changes what records say, these change how they are
//! written, and mix two shaders.
//!
//! - [`reencoded`]: the same records in other bits. Abbreviations, widths and BLOCKINFO are chosen
//!   at random, so the module must stay the same.
//! - Faults: the same, with something that the grammar forbids.
//! - Crossover: blocks and records of another shader.
//! - Surgery: parts of another shader, or parts that are repeated, cut, moved and renamed, and
//!   offsets and sizes that overlap.

mod abbreviations;
mod crossover;
mod surgery;
mod writer;

use dxil_frontend::oracle::Random;

use crate::container::Parts;

/// Returns a container with the same records in other bits; `None` if it has no readable program.
pub fn reencoded(container: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let parts = Parts::of(container)?;
    let items = parts.records()?.into_items();
    parts.with_bitcode(&writer::write(&items, random, None))
}

/// Returns a mutant of a container, which may take something of another one; `None` if it has no
/// readable program.
pub fn grammar_mutant(container: &[u8], other: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let mut parts = Parts::of(container)?;
    let mut items = parts.records()?.into_items();
    let kind = random.below(8);
    if let 0..=2 = kind
        && let Some(other) = Parts::of(other).and_then(|parts| parts.records())
    {
        let other = other.into_items();
        for _ in 0..=random.below(3) {
            crossover::cross(&mut items, &other, random);
        }
    }
    if kind == 3
        && let Some(other) = Parts::of(other)
    {
        parts.exchange(&other, random);
    }
    let faults = match kind {
        4 | 5 => Some(1 + random.below(3)),
        _ => None,
    };
    let bitcode = if random.below(4) == 0 && faults.is_none() {
        dxil_frontend::bitcode::records::write(&items)
    } else {
        writer::write(&items, random, faults)
    };
    let mutant = parts.with_bitcode(&bitcode)?;
    Some(match kind {
        6 | 7 => surgery::operate(&mutant, other, random),
        _ => mutant,
    })
}
