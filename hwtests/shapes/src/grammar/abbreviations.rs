//! Abbreviations that hold a record, chosen at random.

use dxil_frontend::bitcode::bit_writer::BitWriter;
use dxil_frontend::oracle::Random;

/// Most operations of an abbreviation that the reader takes.
const MAX_OPS: usize = 32;
/// Most bits of a chunk of a variable field that the reader takes.
const MAX_CHUNK: usize = 32;

/// How one number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Literal(u64),
    Fixed(u32),
    Vbr(u32),
    Char6,
}

/// How the numbers after the fields are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    None,
    Array(Field),
    Blob,
}

/// An abbreviation: the first field is the record's code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Abbreviation {
    fields: Vec<Field>,
    tail: Tail,
}

/// Returns a letter's number among those of six bits.
fn char6(number: u64) -> Option<u64> {
    let letter = u8::try_from(number).ok()?;
    Some(u64::from(match letter {
        b'a'..=b'z' => letter - b'a',
        b'A'..=b'Z' => letter - b'A' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'.' => 62,
        b'_' => 63,
        _ => return None,
    }))
}

fn bits_of(number: u64) -> u32 {
    (u64::BITS - number.leading_zeros()).max(1)
}

impl Field {
    /// Returns a field that holds these numbers, all of them.
    fn of(numbers: &[u64], may_be_literal: bool, random: &mut Random) -> Field {
        let highest = numbers.iter().copied().max().unwrap_or(0);
        let first = numbers.first().copied().unwrap_or(0);
        let is_one = numbers.iter().all(|number| *number == first);
        loop {
            match random.below(5) {
                // The reader keeps literals in 32 bits.
                0 | 1 if may_be_literal && is_one && first >> 32 == 0 => {
                    return Field::Literal(first);
                }
                2 => {
                    let least = bits_of(highest);
                    let more = random.below(3) as u32;
                    return Field::Fixed((least + more).min(64));
                }
                3 => {
                    let is_wide = random.below(4) == 0;
                    let widths = if is_wide { MAX_CHUNK - 1 } else { 8 };
                    return Field::Vbr(2 + random.below(widths) as u32);
                }
                4 if numbers.iter().all(|number| char6(*number).is_some()) => return Field::Char6,
                _ => {}
            }
        }
    }

    fn holds(self, number: u64) -> bool {
        match self {
            Field::Literal(literal) => literal == number,
            Field::Fixed(width) => bits_of(number) <= width,
            Field::Vbr(_) => true,
            Field::Char6 => char6(number).is_some(),
        }
    }

    fn write(self, number: u64, out: &mut BitWriter) {
        match self {
            Field::Literal(_) => {}
            Field::Fixed(width) => out.fixed(number, width),
            Field::Vbr(width) => out.vbr(number, width),
            Field::Char6 => out.fixed(char6(number).unwrap_or(0), 6),
        }
    }

    fn define(self, out: &mut BitWriter) {
        if let Field::Literal(value) = self {
            out.fixed(1, 1);
            out.vbr(value, 8);
            return;
        }
        out.fixed(0, 1);
        match self {
            Field::Literal(_) | Field::Char6 => out.fixed(4, 3),
            Field::Fixed(width) => {
                out.fixed(1, 3);
                out.vbr(u64::from(width), 5);
            }
            Field::Vbr(width) => {
                out.fixed(2, 3);
                out.vbr(u64::from(width), 5);
            }
        }
    }
}

impl Abbreviation {
    /// Returns an abbreviation that holds a record, and likely others like it.
    pub(super) fn of(code: u32, numbers: &[u64], random: &mut Random) -> Abbreviation {
        let mut fields = vec![Field::of(&[u64::from(code)], true, random)];
        // Room for an array, which is two operations.
        let most = numbers.len().min(MAX_OPS - 3);
        let mut own = random.below(most + 1);
        if numbers.len() <= most && random.below(2) == 0 {
            own = numbers.len();
        }
        let (head, rest) = numbers.split_at(own);
        for number in head {
            fields.push(Field::of(&[*number], true, random));
        }
        let are_bytes = rest.iter().all(|number| *number < 256);
        let tail = if rest.is_empty() && random.below(4) != 0 {
            Tail::None
        } else if are_bytes && random.below(6) == 0 {
            Tail::Blob
        } else {
            // An array of literals is not allowed.
            Tail::Array(Field::of(rest, false, random))
        };
        Abbreviation { fields, tail }
    }

    /// Returns whether it can hold a record.
    pub(super) fn holds(&self, code: u32, numbers: &[u64]) -> bool {
        let own = self.fields.len() - 1;
        if numbers.len() < own || !self.fields[0].holds(u64::from(code)) {
            return false;
        }
        let (head, rest) = numbers.split_at(own);
        let fits = self.fields[1..]
            .iter()
            .zip(head)
            .all(|(field, number)| field.holds(*number));
        fits && match self.tail {
            Tail::None => rest.is_empty(),
            Tail::Array(field) => rest.iter().all(|number| field.holds(*number)),
            Tail::Blob => rest.iter().all(|number| *number < 256),
        }
    }

    /// Writes what follows DEFINE_ABBREV.
    pub(super) fn define(&self, out: &mut BitWriter) {
        let tail = match self.tail {
            Tail::None => 0,
            Tail::Array(_) => 2,
            Tail::Blob => 1,
        };
        out.vbr((self.fields.len() + tail) as u64, 5);
        for field in &self.fields {
            field.define(out);
        }
        match self.tail {
            Tail::None => {}
            Tail::Array(element) => {
                out.fixed(0, 1);
                out.fixed(3, 3);
                element.define(out);
            }
            Tail::Blob => {
                out.fixed(0, 1);
                out.fixed(5, 3);
            }
        }
    }

    /// Writes the fields of a record that it holds. `lie` is added to the count of an array or
    /// blob.
    pub(super) fn write(&self, code: u32, numbers: &[u64], lie: u64, out: &mut BitWriter) {
        let (head, rest) = numbers.split_at(self.fields.len() - 1);
        self.fields[0].write(u64::from(code), out);
        for (field, number) in self.fields[1..].iter().zip(head) {
            field.write(*number, out);
        }
        let count = (rest.len() as u64).wrapping_add(lie);
        match self.tail {
            Tail::None => {}
            Tail::Array(element) => {
                out.vbr(count, 6);
                for number in rest {
                    element.write(*number, out);
                }
            }
            Tail::Blob => {
                out.vbr(count, 6);
                out.align32();
                for number in rest {
                    out.fixed(*number, 8);
                }
                out.align32();
            }
        }
    }
}
