//! Writes records with abbreviations chosen at random, and with faults.

use std::collections::BTreeMap;

use dxil_frontend::bitcode::bit_writer::BitWriter;
use dxil_frontend::bitcode::records::Item;
use dxil_frontend::oracle::Random;

use super::abbreviations::Abbreviation;

/// Ids below are built in.
const FIRST_ABBREVIATION: usize = 4;
const DEFINE_ABBREV: u64 = 2;
const BLOCKINFO: u32 = 0;
const SET_BLOCK: u32 = 1;
const METADATA: u32 = 15;
const METADATA_NAME: u32 = 4;
/// Most abbreviations of a block, those of BLOCKINFO among them.
const MAX_ABBREVIATIONS: usize = 40;

/// Writes bitcode. With `faults`, about as many things are written that the grammar forbids.
pub(super) fn write(items: &[Item], random: &mut Random, faults: Option<usize>) -> Vec<u8> {
    let count: usize = items.iter().map(count).sum();
    let mut writer = Writer {
        out: BitWriter::with_magic(),
        shared: BTreeMap::new(),
        // How often abbreviations are used: never, seldom, often.
        eagerness: random.below(9),
        fault_in: faults.map(|faults| (count / faults).max(1)),
        random,
    };
    writer.items(None, items, &mut Vec::new(), 2, 0);
    let mut bytes = writer.out.finish();
    if faults.is_some() && random.below(8) == 0 {
        bytes.truncate(random.below(bytes.len()) & !3);
    }
    bytes
}

fn count(item: &Item) -> usize {
    match item {
        Item::Block(_, items) => 1 + items.iter().map(count).sum::<usize>(),
        Item::Record(..) => 1,
    }
}

struct Writer<'r> {
    out: BitWriter,
    /// Abbreviations that BLOCKINFO gave to kinds of blocks.
    shared: BTreeMap<u32, Vec<Abbreviation>>,
    eagerness: usize,
    /// One of so many items is a fault.
    fault_in: Option<usize>,
    random: &'r mut Random,
}

impl Writer<'_> {
    fn chance(&mut self, one_in: usize) -> bool {
        self.random.below(one_in) == 0
    }

    /// Writes the items of a block of a kind (`None` for the stream) whose ids have `width` bits.
    fn items(
        &mut self,
        block: Option<u32>,
        items: &[Item],
        abbreviations: &mut Vec<Abbreviation>,
        width: u32,
        depth: u32,
    ) {
        // BLOCKINFO stands in the module's block in front of what it is about.
        if depth == 1 && self.chance(3) {
            self.block_info(items);
        }
        let most = (1usize << width.min(6)).min(MAX_ABBREVIATIONS + FIRST_ABBREVIATION);
        // LLVM reads a name and the list it belongs to at once: nothing may come between.
        let mut after_name = false;
        for item in items {
            if !after_name && self.fault_in.is_some_and(|rarity| self.chance(rarity)) {
                self.fault(depth);
            }
            match item {
                Item::Block(BLOCKINFO, _) => {}
                Item::Block(block, items) => {
                    let mut own = self.shared.get(block).cloned().unwrap_or_default();
                    let least = usize::BITS - (own.len() + FIRST_ABBREVIATION).leading_zeros();
                    let width = (2 + self.random.below(7) as u32).max(least);
                    self.out.enter(*block, width);
                    self.items(Some(*block), items, &mut own, width, depth + 1);
                    self.out.leave();
                }
                Item::Record(code, numbers) => {
                    let most = if after_name { 0 } else { most };
                    self.record(*code, numbers, abbreviations, most);
                }
            }
            after_name = block == Some(METADATA)
                && matches!(item, Item::Record(code, _) if *code == METADATA_NAME);
        }
    }

    fn record(
        &mut self,
        code: u32,
        numbers: &[u64],
        abbreviations: &mut Vec<Abbreviation>,
        most: usize,
    ) {
        if self.random.below(8) >= self.eagerness {
            return self.out.record(code, numbers);
        }
        let fitting = abbreviations
            .iter()
            .rposition(|one| one.holds(code, numbers));
        let is_frugal = !self.chance(6);
        let place = match fitting {
            Some(place) if is_frugal => place,
            _ if abbreviations.len() + FIRST_ABBREVIATION < most => {
                let own = Abbreviation::of(code, numbers, self.random);
                self.out.id(DEFINE_ABBREV);
                own.define(&mut self.out);
                abbreviations.push(own);
                abbreviations.len() - 1
            }
            Some(place) => place,
            None => return self.out.record(code, numbers),
        };
        let lies = self.fault_in.is_some_and(|rarity| self.chance(rarity));
        let lie = if lies {
            [1, u64::MAX, 0x7fff_ffff, u64::from(u32::MAX)][self.random.below(4)]
        } else {
            0
        };
        self.out.id((place + FIRST_ABBREVIATION) as u64);
        abbreviations[place].write(code, numbers, lie, &mut self.out);
    }

    /// Writes BLOCKINFO with abbreviations for records of some blocks in the list.
    fn block_info(&mut self, items: &[Item]) {
        let width = 2 + self.random.below(5) as u32;
        self.out.enter(BLOCKINFO, width);
        for item in items {
            let Item::Block(block, inner) = item else {
                continue;
            };
            let records: Vec<(u32, &Vec<u64>)> = inner
                .iter()
                .filter_map(|item| match item {
                    Item::Record(code, numbers) => Some((*code, numbers)),
                    Item::Block(..) => None,
                })
                .collect();
            if *block == BLOCKINFO || records.is_empty() || !self.chance(2) {
                continue;
            }
            self.out.record(SET_BLOCK, [u64::from(*block)]);
            for _ in 0..=self.random.below(3) {
                let (code, numbers) = records[self.random.below(records.len())];
                let own = Abbreviation::of(code, numbers, self.random);
                self.out.id(DEFINE_ABBREV);
                own.define(&mut self.out);
                self.shared.entry(*block).or_default().push(own);
            }
        }
        self.out.leave();
    }

    /// Writes something that does not belong here.
    fn fault(&mut self, depth: u32) {
        let random = &mut *self.random;
        let out = &mut self.out;
        match random.below(12) {
            // An id that nothing has defined, or the end of a block.
            0 => out.id(random.next()),
            1 => out.id(0),
            // Definitions: no operation, too many, widths that there are not, a literal of any
            // size, arrays that are not last, of arrays, of blobs.
            2 => {
                out.id(DEFINE_ABBREV);
                out.vbr([0, 1, 33, 1 << 20, u64::MAX][random.below(5)], 5);
            }
            3 => {
                out.id(DEFINE_ABBREV);
                let count = 1 + random.below(6);
                out.vbr(count as u64, 5);
                for _ in 0..count {
                    let is_literal = random.below(4) == 0;
                    out.fixed(u64::from(is_literal), 1);
                    if is_literal {
                        out.vbr(random.next() >> random.below(64), 8);
                        continue;
                    }
                    let encoding = random.below(8) as u64;
                    out.fixed(encoding, 3);
                    if let 1 | 2 = encoding {
                        let widths = [0, 1, 2, 32, 33, 64, 65, 1 << 32];
                        out.vbr(widths[random.below(widths.len())], 5);
                    }
                }
            }
            // An unabbreviated record of any length.
            4 => {
                out.id(3);
                out.vbr(random.below(64) as u64, 6);
                out.vbr(random.next() >> random.below(64), 6);
            }
            // A block of any kind, and deep ones.
            5 => {
                out.enter(random.next() as u32 >> random.below(32), 2);
                out.leave();
            }
            6 if depth < 4 => {
                let levels = random.below(80);
                for _ in 0..levels {
                    out.enter(random.below(24) as u32, 2);
                }
                for _ in 0..levels {
                    out.leave();
                }
            }
            // A block without head: any id, width and length.
            7 => {
                out.id(1);
                out.vbr(random.below(32) as u64, 8);
                out.vbr([0, 1, 31, 33, 64][random.below(5)], 4);
                out.align32();
                out.fixed(random.next() >> random.below(64), 32);
            }
            // BLOCKINFO where it does not belong, without SETBID, or for itself.
            8 => {
                out.enter(BLOCKINFO, 2);
                if random.below(2) == 0 {
                    out.record(SET_BLOCK, [random.next() >> random.below(64)]);
                }
                out.id(DEFINE_ABBREV);
                Abbreviation::of(random.below(40) as u32, &[1, 2], random).define(out);
                out.leave();
            }
            // A number whose chunks never end, and zeros that are not the shortest form.
            9 => {
                out.id(3);
                for _ in 0..random.below(24) {
                    out.fixed(0x20, 6);
                }
                out.fixed(0, 6);
                out.fixed(0, 6);
            }
            10 => out.align32(),
            _ => out.fixed(random.next(), random.below(64) as u32),
        }
    }
}
