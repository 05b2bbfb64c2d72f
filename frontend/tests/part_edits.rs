//! One-bit edits of the parts of containers, against the verdicts of DXC's validator.
//!
//! `data/validate/part_edits.txt` has the verdicts of DXC 1.7: a line for each part of each shader,
//! with the bits that may be changed. `tools/dxc_edits.cpp` makes such lines.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dxil_frontend::FourCc;
use dxil_frontend::container::Container;
use dxil_frontend::validate::{Options, validate};

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The verdicts about one part.
struct Verdicts {
    file: PathBuf,
    part: FourCc,
    bits: usize,
    /// The bits that DXC lets change, as ranges without their end.
    accepted: Vec<(usize, usize)>,
}

/// Reads lines of file, part, number of bits, and ranges (`3`, `8..12`) of accepted ones.
fn read(list: &Path) -> Vec<Verdicts> {
    let text = std::fs::read_to_string(list).unwrap();
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let mut word = || words.next().unwrap();
        let file = root().join(word());
        let part = FourCc(word().as_bytes().try_into().unwrap());
        let bits = word().parse().unwrap();
        let accepted = words.map(|range| match range.split_once("..") {
            Some((from, to)) => (from.parse().unwrap(), to.parse().unwrap()),
            None => {
                let only: usize = range.parse().unwrap();
                (only, only + 1)
            }
        });
        Verdicts {
            file,
            part,
            bits,
            accepted: accepted.collect(),
        }
    };
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(line)
        .collect()
}

/// An edit about which the validators disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Disagreement {
    part: FourCc,
    bit: usize,
    dxc_accepts: bool,
}

/// Returns the disagreements about a part, and how many edits there were.
fn compare(bytes: &[u8], verdicts: &Verdicts) -> (Vec<Disagreement>, usize) {
    let mut bytes = bytes.to_vec();
    // The digest would be another.
    bytes[4..20].fill(0);
    let container = Container::parse(&bytes).unwrap();
    let part = container.require(verdicts.part).unwrap();
    let start = part.offset as usize;
    let mut found = Vec::new();
    let mut accepted = verdicts.accepted.iter().peekable();
    for bit in 0..verdicts.bits {
        while accepted.next_if(|(_, to)| *to <= bit).is_some() {}
        let dxc_accepts = accepted.peek().is_some_and(|(from, _)| *from <= bit);
        bytes[start + bit / 8] ^= 1 << (bit % 8);
        let valid = validate(&bytes, &Options::default()).is_valid();
        bytes[start + bit / 8] ^= 1 << (bit % 8);
        if valid != dxc_accepts {
            found.push(Disagreement {
                part: verdicts.part,
                bit,
                dxc_accepts,
            });
        }
    }
    (found, verdicts.bits)
}

/// The measurement by hand: `DXIL_JIT_VERDICTS` names a file of verdicts.
#[test]
#[ignore = "by hand, with a file of verdicts"]
fn list_disagreements() {
    let Some(list) = std::env::var_os("DXIL_JIT_VERDICTS") else {
        return;
    };
    let mut edits = 0;
    let mut sums: BTreeMap<(FourCc, bool), usize> = BTreeMap::new();
    for verdicts in read(Path::new(&list)) {
        let bytes = std::fs::read(&verdicts.file).unwrap();
        let (found, count) = compare(&bytes, &verdicts);
        edits += count;
        for one in found {
            *sums.entry((one.part, one.dxc_accepts)).or_default() += 1;
            println!(
                "{} {} byte {} bit {} DXC {}",
                verdicts.file.display(),
                one.part,
                one.bit / 8,
                one.bit % 8,
                if one.dxc_accepts { "takes" } else { "refuses" }
            );
        }
    }
    println!("{edits} edits; {sums:?}");
}
