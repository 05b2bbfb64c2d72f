//! The same records in every encoding that bitstreams have ("LLVM Bitcode File Format",
//! "Abbreviations"), so that bounds hold for the smallest one.

use dxil_frontend::tables::HashMap;

use dxil_frontend::bitcode::bit_writer::BitWriter;
use dxil_frontend::bitcode::records::Item;

/// How the records of each block are written. A record that an encoding cannot hold is written
/// without abbreviation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Without abbreviations: six bits for each number at least.
    Plain,
    /// The commonest records as literals alone, which take three bits each.
    Literals,
    /// Numbers in chunks of six bits, the code and the count as literals.
    Vbr6,
    /// Each number in the width that the largest one at its place needs, and equal ones as
    /// literals.
    Narrow,
    /// All numbers of a record in an array of the width that the largest one needs.
    Arrays,
    /// Numbers that are letters in arrays of six bits.
    Char6,
    /// Numbers that are bytes in blobs.
    Blobs,
}

/// All encodings.
pub const ENCODINGS: [Encoding; 7] = [
    Encoding::Plain,
    Encoding::Literals,
    Encoding::Vbr6,
    Encoding::Narrow,
    Encoding::Arrays,
    Encoding::Char6,
    Encoding::Blobs,
];

/// Number of abbreviations of a block: with the four built-in ids, they take three bits.
const ABBREVIATIONS: usize = 4;
/// Width of ids.
const WIDTH: u32 = 3;
const DEFINE_ABBREV: u64 = 2;
/// Most operations of an abbreviation that readers of ours take.
const MAX_OPS: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Literal(u64),
    Fixed(u32),
    Vbr6,
    Array(u32),
    Char6Array,
    Blob,
}

/// An abbreviation: which records it holds, and how.
struct Abbreviation {
    /// The code, and the numbers themselves or how many there are.
    records: Group,
    fields: Vec<Field>,
}

/// Records that share an abbreviation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Group {
    Exact(u32, Vec<u64>),
    OfLength(u32, usize),
    OfCode(u32),
}

impl Encoding {
    /// Returns the group of a record; `None` if the encoding cannot hold it.
    fn group(self, code: u32, numbers: &[u64]) -> Option<Group> {
        let fits = numbers.len() < MAX_OPS;
        match self {
            Encoding::Plain => None,
            Encoding::Literals => {
                let is_small = numbers.iter().all(|&number| u32::try_from(number).is_ok());
                (fits && is_small).then(|| Group::Exact(code, numbers.to_vec()))
            }
            Encoding::Vbr6 | Encoding::Narrow => {
                fits.then_some(Group::OfLength(code, numbers.len()))
            }
            Encoding::Arrays => {
                let is_small = numbers.iter().all(|&number| u32::try_from(number).is_ok());
                is_small.then_some(Group::OfCode(code))
            }
            Encoding::Char6 => {
                let are_letters = numbers.iter().all(|&number| char6(number).is_some());
                are_letters.then_some(Group::OfCode(code))
            }
            Encoding::Blobs => {
                let are_bytes = numbers.iter().all(|&number| number < 256);
                are_bytes.then_some(Group::OfCode(code))
            }
        }
    }

    /// Returns the fields after the code for the records of a group.
    fn fields(self, records: &[&[u64]]) -> Vec<Field> {
        let length = records.first().map_or(0, |numbers| numbers.len());
        let widest = |numbers: &mut dyn Iterator<Item = u64>| {
            let highest = numbers.max().unwrap_or(0);
            (u64::BITS - highest.leading_zeros()).max(1)
        };
        match self {
            Encoding::Plain => Vec::new(),
            Encoding::Vbr6 => vec![Field::Vbr6; length],
            Encoding::Literals | Encoding::Narrow => (0..length)
                .map(|place| {
                    let first = records[0][place];
                    if records.iter().all(|numbers| numbers[place] == first) && first >> 32 == 0 {
                        return Field::Literal(first);
                    }
                    Field::Fixed(widest(&mut records.iter().map(|numbers| numbers[place])))
                })
                .collect(),
            Encoding::Arrays => {
                let mut all = records.iter().flat_map(|numbers| numbers.iter().copied());
                vec![Field::Array(widest(&mut all))]
            }
            Encoding::Char6 => vec![Field::Char6Array],
            Encoding::Blobs => vec![Field::Blob],
        }
    }

    /// Returns the abbreviations of a block: those for most records.
    fn abbreviations(self, items: &[Item]) -> Vec<Abbreviation> {
        let mut groups: Vec<(Group, Vec<&[u64]>)> = Vec::new();
        let mut places = HashMap::default();
        for item in items {
            let Item::Record(code, numbers) = item else {
                continue;
            };
            let Some(group) = self.group(*code, numbers) else {
                continue;
            };
            let place = *places.entry(group.clone()).or_insert_with(|| {
                groups.push((group, Vec::new()));
                groups.len() - 1
            });
            groups[place].1.push(numbers);
        }
        // Stable, so that the bytes are the same on every machine.
        groups.sort_by_key(|(_, records)| usize::MAX - records.len());
        groups.truncate(ABBREVIATIONS);
        groups.retain(|(_, records)| records.len() > 1);
        let abbreviation = |(group, records): (Group, Vec<&[u64]>)| Abbreviation {
            records: group,
            fields: self.fields(&records),
        };
        groups.into_iter().map(abbreviation).collect()
    }
}

/// Returns a letter's number in arrays of char6.
fn char6(number: u64) -> Option<u64> {
    const ALPHABET: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    let place = ALPHABET
        .iter()
        .position(|&letter| u64::from(letter) == number)?;
    Some(place as u64)
}

/// Writes bitcode in an encoding.
pub(crate) fn write(items: &[Item], encoding: Encoding) -> Vec<u8> {
    let mut out = BitWriter::with_magic();
    write_items(items, encoding, &[], &mut out);
    out.finish()
}

fn write_items(
    items: &[Item],
    encoding: Encoding,
    abbreviations: &[Abbreviation],
    out: &mut BitWriter,
) {
    let ids: HashMap<&Group, u64> = abbreviations
        .iter()
        .zip(4..)
        .map(|(abbreviation, id)| (&abbreviation.records, id))
        .collect();
    for item in items {
        match item {
            Item::Block(block, items) => {
                let own = encoding.abbreviations(items);
                out.enter(*block, WIDTH);
                for abbreviation in &own {
                    define(abbreviation, out);
                }
                write_items(items, encoding, &own, out);
                out.leave();
            }
            Item::Record(code, numbers) => {
                let group = encoding.group(*code, numbers);
                match group.and_then(|group| ids.get(&group)) {
                    Some(&id) => {
                        out.id(id);
                        let abbreviation = &abbreviations[id as usize - 4];
                        write_fields(&abbreviation.fields, numbers, out);
                    }
                    None => out.record(*code, numbers),
                }
            }
        }
    }
}

/// Writes the numbers of an abbreviated record.
fn write_fields(fields: &[Field], numbers: &[u64], out: &mut BitWriter) {
    for (place, field) in fields.iter().enumerate() {
        let rest = &numbers[place..];
        match *field {
            Field::Literal(_) => {}
            Field::Fixed(width) => out.fixed(rest[0], width),
            Field::Vbr6 => out.vbr(rest[0], 6),
            Field::Array(width) => {
                out.vbr(rest.len() as u64, 6);
                for &number in rest {
                    out.fixed(number, width);
                }
            }
            Field::Char6Array => {
                out.vbr(rest.len() as u64, 6);
                for &number in rest {
                    out.fixed(char6(number).unwrap_or(0), 6);
                }
            }
            Field::Blob => {
                out.vbr(rest.len() as u64, 6);
                out.align32();
                for &number in rest {
                    out.fixed(number, 8);
                }
                out.align32();
            }
        }
    }
}

/// Writes DEFINE_ABBREV.
fn define(abbreviation: &Abbreviation, out: &mut BitWriter) {
    let code = match abbreviation.records {
        Group::Exact(code, _) | Group::OfLength(code, _) | Group::OfCode(code) => code,
    };
    let is_array = |field: &Field| matches!(field, Field::Array(_) | Field::Char6Array);
    let elements = abbreviation.fields.iter().filter(|field| is_array(field));
    let count = 1 + abbreviation.fields.len() + elements.count();
    out.id(DEFINE_ABBREV);
    out.vbr(count as u64, 5);
    let literal = |value: u64, out: &mut BitWriter| {
        out.fixed(1, 1);
        out.vbr(value, 8);
    };
    let encoded = |encoding: u64, width: Option<u32>, out: &mut BitWriter| {
        out.fixed(0, 1);
        out.fixed(encoding, 3);
        if let Some(width) = width {
            out.vbr(u64::from(width), 5);
        }
    };
    literal(u64::from(code), out);
    for field in &abbreviation.fields {
        match *field {
            Field::Literal(value) => literal(value, out),
            Field::Fixed(width) => encoded(1, Some(width), out),
            Field::Vbr6 => encoded(2, Some(6), out),
            Field::Array(width) => {
                encoded(3, None, out);
                encoded(1, Some(width), out);
            }
            Field::Char6Array => {
                encoded(3, None, out);
                encoded(4, None, out);
            }
            Field::Blob => encoded(5, None, out),
        }
    }
}
