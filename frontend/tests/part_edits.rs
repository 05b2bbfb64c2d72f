//! Edits of one bit in the parts of containers, against the verdicts of DXC's validator.
//!
//! `data/validate/part_edits.txt` has the verdicts of DXC 1.7 about some shaders.
//! `list_disagreements` compares with those of any others:
//!
//! `DXIL_JIT_VERDICTS=FILE cargo test -p dxil-frontend --test part_edits -- --ignored --nocapture`

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
    let start = usize::try_from(part.offset).unwrap();
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

impl Disagreement {
    /// Returns why the validators differ here, where they are meant to (docs/validator.md).
    fn reason(self) -> Option<&'static str> {
        match (self.part, self.bit, self.dxc_accepts) {
            // The kind and version of the shader in the program header.
            (FourCc::DXIL, 0..32, true) => Some("SM.PROGRAMVERSION is newer than DXC 1.7"),
            // Four bytes less are another program to the hash beside it.
            (FourCc::DXIL, 162, true) => Some("CONTAINER.SHADERHASH is not Microsoft's rule"),
            (FourCc::RTS0, 0, false) => {
                Some("version 1.2 of root signatures is newer than DXC 1.7")
            }
            // Bit 7 of the flags.
            (FourCc::RTS0, 167, true) => {
                Some("D3D12 makes no pipeline with a local root signature")
            }
            _ => None,
        }
    }
}

/// DXC's verdict is the expectation (`Disagreement::reason` has the exceptions).
#[test]
fn edits_of_parts_are_refused_as_dxc_does() {
    let list = root().join("frontend/tests/data/validate/part_edits.txt");
    let (mut edits, mut refused, mut explained) = (0, 0, 0);
    for verdicts in read(&list) {
        let bytes = std::fs::read(&verdicts.file).unwrap();
        let report = validate(&bytes, &Options::default());
        assert!(report.is_valid(), "{}", verdicts.file.display());
        let (found, count) = compare(&bytes, &verdicts);
        edits += count;
        let accepted = verdicts.accepted.iter().map(|(from, to)| to - from);
        refused += count - accepted.sum::<usize>();
        for one in found {
            assert!(
                one.reason().is_some(),
                "{}: {one:?}",
                verdicts.file.display()
            );
            explained += 1;
        }
    }
    assert!(edits > 15_000 && refused > 12_000, "{edits} {refused}");
    assert!(explained < 50, "{explained}");
}

/// `DXIL_JIT_VERDICTS` names a file of verdicts.
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
        let report = validate(&bytes, &Options::default());
        for violation in &report.violations {
            println!("{}: {violation}", verdicts.file.display());
        }
        let (found, count) = compare(&bytes, &verdicts);
        edits += count;
        for one in found {
            *sums.entry((one.part, one.dxc_accepts)).or_default() += 1;
            println!(
                "{} {} byte {} bit {} DXC {}: {}",
                verdicts.file.display(),
                one.part,
                one.bit / 8,
                one.bit % 8,
                if one.dxc_accepts { "takes" } else { "refuses" },
                one.reason().unwrap_or("not explained")
            );
        }
    }
    println!("{edits} edits; {sums:?}");
}
