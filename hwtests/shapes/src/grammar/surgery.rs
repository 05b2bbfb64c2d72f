//! Changes the parts of a container: which there are, where they lie, and single words of them.

use dxil_frontend::container::fourcc::FourCc;
use dxil_frontend::container::{Container, Signing, write_container};
use dxil_frontend::oracle::Random;

/// Bytes in front of the offsets of parts ("DirectX Container", "File Header").
const HEADER: usize = 32;

/// Returns the container with changed parts, some of them of another one.
pub(super) fn operate(container: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let Ok(parsed) = Container::parse(container) else {
        return container.to_vec();
    };
    let mut parts: Vec<(FourCc, Vec<u8>)> = own(&parsed);
    let others = Container::parse(other).map_or_else(|_| Vec::new(), |other| own(&other));
    for _ in 0..=random.below(3) {
        change(&mut parts, &others, random);
    }
    let parts: Vec<(FourCc, &[u8])> = parts
        .iter()
        .map(|(name, data)| (*name, &data[..]))
        .collect();
    let Ok(mut bytes) = write_container(&parts, Signing::None) else {
        return container.to_vec();
    };
    if random.below(6) == 0 {
        displace(&mut bytes, parts.len(), random);
    }
    bytes
}

fn own(container: &Container<'_>) -> Vec<(FourCc, Vec<u8>)> {
    let parts = container.parts().iter();
    parts.map(|part| (part.name, part.data.to_vec())).collect()
}

fn change(parts: &mut Vec<(FourCc, Vec<u8>)>, others: &[(FourCc, Vec<u8>)], random: &mut Random) {
    if parts.is_empty() {
        return;
    }
    let at = random.below(parts.len());
    let to = random.below(parts.len());
    match random.below(10) {
        0 => {
            parts.remove(at);
        }
        1 => {
            let copy = parts[at].clone();
            parts.insert(to, copy);
        }
        2 => parts.swap(at, to),
        3 => parts[at].0 = parts[to].0,
        4 => {
            if !others.is_empty() {
                let taken = others[random.below(others.len())].clone();
                match parts.iter_mut().find(|(name, _)| *name == taken.0) {
                    Some(part) => *part = taken,
                    None => parts.push(taken),
                }
            }
        }
        5 => {
            let data = &mut parts[at].1;
            data.truncate(random.below(data.len() + 1));
        }
        6 => {
            let data = &mut parts[at].1;
            let word = random.next() >> random.below(64);
            data.extend(&word.to_le_bytes()[..random.below(9)]);
        }
        // The middle is left out, or repeated.
        7 => {
            let data = &mut parts[at].1;
            let from = random.below(data.len() + 1) & !3;
            let end = (from + 4 * (1 + random.below(8))).min(data.len());
            if random.below(2) == 0 {
                data.drain(from.min(end)..end);
            } else if from < end {
                data.extend_from_within(from..end);
            }
        }
        _ => word(&mut parts[at].1, random),
    }
}

/// Changes a word, which in most parts is a count, an offset or a size.
fn word(data: &mut [u8], random: &mut Random) {
    let words = data.len() / 4;
    if words == 0 {
        return;
    }
    let place = |random: &mut Random| match random.below(2) {
        // Heads are in front.
        0 => random.below(words.min(16)),
        _ => random.below(words),
    };
    let from = place(random);
    let taken: [u8; 4] = data[4 * from..4 * from + 4].try_into().unwrap_or_default();
    let own = place(random);
    let Some(chunk) = data.get_mut(4 * own..4 * own + 4) else {
        return;
    };
    let old = u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
    let new = match random.below(8) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old ^ 1 << random.below(32),
        3 => [0, 1, 4, 0x7fff_ffff, 0x8000_0000, 0x4000_0000, u32::MAX][random.below(7)],
        4 => words as u32 * 4,
        5 => old.wrapping_mul(2),
        6 => random.below(256) as u32,
        _ => u32::from_le_bytes(taken),
    };
    chunk.copy_from_slice(&new.to_le_bytes());
}

/// Changes the container's own header: offsets of parts, their number and sizes.
fn displace(bytes: &mut [u8], parts: usize, random: &mut Random) {
    let value = match random.below(5) {
        0 => 0,
        1 => u32::MAX,
        2 => bytes.len() as u32 - random.below(16) as u32,
        3 => 4 * random.below(bytes.len() / 4) as u32,
        _ => random.next() as u32 >> random.below(32),
    };
    let at = match random.below(4) {
        // Size and number.
        0 => 24 + 4 * random.below(2),
        // The size of a part.
        1 => {
            let offset = HEADER + 4 * random.below(parts.max(1));
            let place = bytes.get(offset..offset + 4);
            let place = place.map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            place as usize + 4
        }
        _ => HEADER + 4 * random.below(parts.max(1)),
    };
    if let Some(word) = bytes.get_mut(at..at + 4) {
        word.copy_from_slice(&value.to_le_bytes());
    }
}
