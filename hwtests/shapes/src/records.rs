//! Bitcode with changed records: mutants that the bitstream reader accepts, so that they reach the
//! code after it.

use dxil_frontend::Result;
use dxil_frontend::bitcode::records::{self, Item};
use dxil_frontend::oracle::Random;

use crate::encoding::{self, Encoding};

/// The records of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Records {
    items: Vec<Item>,
}

/// Changes of a module.
const CHANGES: usize = 12;

impl Records {
    /// Returns the records of bitcode.
    ///
    /// # Errors
    ///
    /// The bitstream is malformed.
    pub fn read(bitcode: &[u8]) -> Result<Records> {
        let items = records::read(bitcode)?;
        Ok(Records { items })
    }

    /// Returns the tree of records.
    pub(crate) fn into_items(self) -> Vec<Item> {
        self.items
    }

    /// Writes the records as bitcode, without abbreviations.
    pub fn write(&self) -> Vec<u8> {
        records::write(&self.items)
    }

    /// Writes the records as bitcode in an encoding.
    pub fn write_as(&self, encoding: Encoding) -> Vec<u8> {
        encoding::write(&self.items, encoding)
    }

    /// Changes one to four records or blocks.
    pub fn mutate(&mut self, random: &mut Random) {
        for _ in 0..=random.below(4) {
            change(&mut self.items, random);
        }
    }
}

/// Changes one item of the list, or of a block in it.
fn change(items: &mut Vec<Item>, random: &mut Random) {
    if items.is_empty() {
        return;
    }
    let at = random.below(items.len());
    let other = random.below(items.len());
    if let Item::Block(_, inner) = &mut items[at]
        && random.below(CHANGES) != 0
    {
        return change(inner, random);
    }
    match random.below(CHANGES) {
        0 => {
            items.remove(at);
        }
        1 => items.insert(other, items[at].clone()),
        2 => items.swap(at, other),
        3 => {
            if let Item::Record(code, _) = &mut items[at] {
                *code = random.below(50) as u32;
            }
        }
        4 => {
            if let Item::Record(_, numbers) = &mut items[at] {
                numbers.truncate(random.below(numbers.len() + 1));
            }
        }
        5 => {
            if let Item::Record(_, numbers) = &mut items[at] {
                numbers.extend((0..=random.below(3)).map(|_| random.below(64) as u64));
            }
        }
        _ => change_number(items, (at, other), random),
    }
}

/// Changes a number of a record.
fn change_number(items: &mut [Item], (at, other): (usize, usize), random: &mut Random) {
    let pick = |numbers: &[u64], random: &mut Random| match numbers.len() {
        0 => 0,
        count => numbers[random.below(count)],
    };
    let taken = match &items[other] {
        Item::Record(_, numbers) => pick(numbers, random),
        Item::Block(id, _) => u64::from(*id),
    };
    let Item::Record(_, numbers) = &mut items[at] else {
        return;
    };
    if numbers.is_empty() {
        return;
    }
    let place = random.below(numbers.len());
    let own = pick(numbers, random);
    let number = &mut numbers[place];
    *number = match random.below(9) {
        0 => number.wrapping_add(1),
        1 => number.wrapping_sub(1),
        2 => random.below(32) as u64,
        3 => number.wrapping_add(random.below(16) as u64),
        4 => *number ^ 1 << random.below(8),
        5 => [0, 0x7fff_ffff, u64::from(u32::MAX), 1 << 32, u64::MAX][random.below(5)],
        6 => own,
        7 => number.wrapping_mul(2),
        _ => taken,
    };
}
