//! Bitcode as a tree of blocks and records, to be changed and written again: mutants that the
//! bitstream reader accepts, so that what is behind it meets them.

use std::collections::HashMap;

use dxil_frontend::oracle::Random;

use crate::bitstream::Bitstream;

/// A block or a record.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Item {
    Block(u64, Vec<Item>),
    Record(u64, Vec<u64>),
}

/// An operand of an abbreviation ("LLVM Bitcode File Format", "Define Abbrev Encoding").
#[derive(Debug, Clone)]
enum Operand {
    Literal(u64),
    Fixed(u32),
    Vbr(u32),
    Array,
    Char6,
    Blob,
}

type Abbreviations = Vec<Vec<Operand>>;

/// The records of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Records {
    items: Vec<Item>,
}

/// Ways to change a module.
const CHANGES: usize = 12;

impl Records {
    /// Reads bitcode that starts with its magic number; `None` if it is damaged.
    pub fn read(bitcode: &[u8]) -> Option<Records> {
        let mut reader = Reader {
            bytes: bitcode,
            position: 32,
            of_blocks: HashMap::new(),
        };
        let mut items = Vec::new();
        // A file may end in bytes that fill it up.
        while reader.position + 32 <= bitcode.len() * 8 {
            if reader.fixed(2)? != 1 {
                break;
            }
            items.push(reader.block()?);
        }
        Some(Records { items })
    }

    /// Writes the records as bitcode, without abbreviations.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Bitstream::new();
        write_items(&self.items, &mut out);
        out.finish()
    }

    /// Changes one to four records or blocks.
    pub fn mutate(&mut self, random: &mut Random) {
        for _ in 0..=random.below(4) {
            change(&mut self.items, random);
        }
    }
}

fn write_items(items: &[Item], out: &mut Bitstream) {
    for item in items {
        match item {
            Item::Block(id, items) => {
                out.enter(*id);
                write_items(items, out);
                out.leave();
            }
            Item::Record(code, numbers) => out.record(*code, numbers.iter().copied()),
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
                *code = random.below(50) as u64;
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
        Item::Block(id, _) => *id,
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

struct Reader<'a> {
    bytes: &'a [u8],
    /// In bits.
    position: usize,
    /// Abbreviations that BLOCKINFO gives to all blocks of an id.
    of_blocks: HashMap<u64, Abbreviations>,
}

impl Reader<'_> {
    fn fixed(&mut self, width: u32) -> Option<u64> {
        let mut value = 0;
        for bit in 0..width {
            let byte = self.bytes.get(self.position / 8)?;
            value |= u64::from(byte >> (self.position % 8) & 1) << bit;
            self.position += 1;
        }
        Some(value)
    }

    fn vbr(&mut self, width: u32) -> Option<u64> {
        let mut value = 0;
        let mut shift = 0;
        loop {
            let piece = self.fixed(width)?;
            let more = 1 << (width - 1);
            value |= (piece & (more - 1)).checked_shl(shift)?;
            shift += width - 1;
            if piece & more == 0 {
                return Some(value);
            }
        }
    }

    fn align32(&mut self) {
        self.position = self.position.next_multiple_of(32);
    }

    /// Reads a block behind its abbreviation id.
    fn block(&mut self) -> Option<Item> {
        const BLOCKINFO: u64 = 0;
        let id = self.vbr(8)?;
        let width = self.vbr(4)? as u32;
        self.align32();
        self.fixed(32)?;
        let mut abbreviations = self.of_blocks.get(&id).cloned().unwrap_or_default();
        let mut items = Vec::new();
        let mut described = 0;
        loop {
            match self.fixed(width)? {
                0 => {
                    self.align32();
                    return Some(Item::Block(id, items));
                }
                1 => items.push(self.block()?),
                2 => {
                    let abbreviation = self.abbreviation()?;
                    if id == BLOCKINFO {
                        let list = self.of_blocks.entry(described).or_default();
                        list.push(abbreviation);
                    } else {
                        abbreviations.push(abbreviation);
                    }
                }
                3 => {
                    let code = self.vbr(6)?;
                    let count = self.vbr(6)?;
                    let numbers: Option<Vec<u64>> = (0..count).map(|_| self.vbr(6)).collect();
                    let numbers = numbers?;
                    if id == BLOCKINFO && code == 1 {
                        described = *numbers.first()?;
                    } else {
                        items.push(Item::Record(code, numbers));
                    }
                }
                number => {
                    let abbreviation = abbreviations.get(number as usize - 4)?.clone();
                    let mut numbers = self.abbreviated(&abbreviation)?;
                    if numbers.is_empty() {
                        return None;
                    }
                    let code = numbers.remove(0);
                    items.push(Item::Record(code, numbers));
                }
            }
        }
    }

    fn abbreviation(&mut self) -> Option<Vec<Operand>> {
        let count = self.vbr(5)?;
        (0..count)
            .map(|_| {
                if self.fixed(1)? == 1 {
                    return Some(Operand::Literal(self.vbr(8)?));
                }
                Some(match self.fixed(3)? {
                    1 => Operand::Fixed(self.vbr(5)? as u32),
                    2 => Operand::Vbr(self.vbr(5)? as u32),
                    3 => Operand::Array,
                    4 => Operand::Char6,
                    5 => Operand::Blob,
                    _ => return None,
                })
            })
            .collect()
    }

    fn abbreviated(&mut self, operands: &[Operand]) -> Option<Vec<u64>> {
        let mut numbers = Vec::new();
        let mut rest = operands.iter();
        while let Some(operand) = rest.next() {
            match operand {
                Operand::Array => {
                    let element = rest.next()?;
                    for _ in 0..self.vbr(6)? {
                        numbers.push(self.scalar(element)?);
                    }
                }
                Operand::Blob => {
                    let length = self.vbr(6)?;
                    self.align32();
                    for _ in 0..length {
                        numbers.push(self.fixed(8)?);
                    }
                    self.align32();
                }
                scalar => numbers.push(self.scalar(scalar)?),
            }
        }
        Some(numbers)
    }

    fn scalar(&mut self, operand: &Operand) -> Option<u64> {
        const CHARACTERS: &[u8] =
            b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
        match operand {
            Operand::Literal(value) => Some(*value),
            Operand::Fixed(0) | Operand::Vbr(0) => Some(0),
            Operand::Fixed(width) => self.fixed(*width),
            Operand::Vbr(width) => self.vbr(*width),
            Operand::Char6 => {
                let number = self.fixed(6)?;
                CHARACTERS.get(number as usize).map(|&c| u64::from(c))
            }
            Operand::Array | Operand::Blob => None,
        }
    }
}
