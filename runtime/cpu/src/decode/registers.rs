//! Gives the registers of a decoded function their places.
//!
//! Values that are read in one block only share registers within that block, in the order of the
//! code; each other value has a register of its own. A frame then fits a cache where one register
//! per value would not.

use dxil_frontend::tables::HashSet;

use super::code::{Block, ComplexOp, FunctionCode, Inst, RegisterSlot, Terminator};
use super::lane_ops::RegisterKind;

/// Numbers of blocks with a special meaning.
const NOWHERE: u32 = u32::MAX;
const SEVERAL: u32 = u32::MAX - 1;

/// Facts about a register.
#[derive(Debug, Clone, Copy)]
struct Life {
    /// The one block that writes and reads it.
    block: u32,
    /// Its last use, as a number of an instruction.
    last: u32,
    reads: u32,
    place: Option<u32>,
}

const UNUSED: Life = Life {
    block: NOWHERE,
    last: 0,
    reads: 0,
    place: None,
};

struct Lives {
    narrow: Vec<Life>,
    wide: Vec<Life>,
}

impl Lives {
    fn of(&mut self, slot: RegisterSlot) -> Option<&mut Life> {
        if slot.is_none() {
            return None;
        }
        match slot.kind() {
            RegisterKind::W => self.narrow.get_mut(slot.index()),
            RegisterKind::D => self.wide.get_mut(slot.index()),
        }
    }

    fn touch(&mut self, slot: RegisterSlot, block: u32, at: u32, reads: bool) {
        if let Some(life) = self.of(slot) {
            life.block = match life.block {
                NOWHERE => block,
                known if known == block => block,
                _ => SEVERAL,
            };
            life.last = life.last.max(at);
            life.reads += u32::from(reads);
        }
    }
}

/// Slots that are free, and the number of all slots.
#[derive(Default)]
struct FreeSlots {
    free: Vec<u32>,
    count: u32,
}

impl FreeSlots {
    fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        })
    }
}

/// Renumbers all registers of a function and counts them.
pub(super) fn allocate(code: &mut FunctionCode) {
    let mut lives = Lives {
        narrow: vec![UNUSED; code.narrow_slots as usize],
        wide: vec![UNUSED; code.wide_slots as usize],
    };
    let spans = spans(code);
    for (block, &(first, end, _)) in spans.iter().enumerate() {
        for at in first..end {
            each_slot(code, at, |slot, reads| {
                lives.touch(slot, block as u32, at, reads);
            });
        }
    }
    // A terminator and the moves of its edges run after the block's own instructions, so what they
    // read must keep its place until then.
    for (number, block) in code.blocks.iter().enumerate() {
        each_in_terminator(block, |slot| {
            lives.touch(slot, number as u32, u32::MAX, true);
        });
    }
    for edge in &code.edges {
        for at in edge.first..edge.end {
            if let Some(Inst::Lane { dst, args, .. }) = code.insts.get(at as usize) {
                for slot in args.iter().chain([dst]) {
                    // The edge's moves write registers of another block: those are never local.
                    lives.touch(*slot, SEVERAL, u32::MAX, true);
                }
            }
        }
    }
    // Constants and parameters are filled when a call begins, before any block runs.
    let constants = code.constants.iter().map(|(slot, _)| slot);
    let statics = code.statics.iter().map(|(slot, _)| slot);
    for slot in constants.chain(statics).chain(&code.parameters) {
        if let Some(life) = lives.of(*slot) {
            life.block = SEVERAL;
        }
    }

    let mut narrow = FreeSlots::default();
    let mut wide = FreeSlots::default();
    for (lives, places) in [
        (&mut lives.narrow, &mut narrow),
        (&mut lives.wide, &mut wide),
    ] {
        for life in lives.iter_mut().filter(|life| life.block == SEVERAL) {
            life.place = Some(places.take());
        }
    }
    let (narrow_fixed, wide_fixed) = (narrow.count, wide.count);
    let mut ending: Vec<RegisterSlot> = Vec::new();
    for &(first, end, _) in &spans {
        // Local places are free again at the start of each block: nothing lives across its border.
        narrow.free = (narrow_fixed..narrow.count).rev().collect();
        wide.free = (wide_fixed..wide.count).rev().collect();
        for at in first..end {
            ending.clear();
            let is_complex = matches!(code.insts.get(at as usize), Some(Inst::Complex(_)));
            each_slot(code, at, |slot, reads| {
                if let Some(life) = lives.of(slot)
                    && reads
                    && life.last == at
                    && life.block != SEVERAL
                    && !ending.contains(&slot)
                {
                    ending.push(slot);
                }
            });
            let mut release = |lives: &mut Lives, narrow: &mut FreeSlots, wide: &mut FreeSlots| {
                for slot in ending.drain(..) {
                    if let Some(place) = lives.of(slot).and_then(|life| life.place) {
                        match slot.kind() {
                            RegisterKind::W => narrow.free.push(place),
                            RegisterKind::D => wide.free.push(place),
                        }
                    }
                }
            };
            // An operation on lanes reads a chunk before it writes it, so that the result may take
            // the place of an operand. A complex instruction may write a result before it has read
            // all operands of other lanes.
            if !is_complex {
                release(&mut lives, &mut narrow, &mut wide);
            }
            each_slot(code, at, |slot, reads| {
                if let Some(life) = lives.of(slot)
                    && !reads
                    && life.place.is_none()
                    && life.reads > 0
                {
                    life.place = Some(match slot.kind() {
                        RegisterKind::W => narrow.take(),
                        RegisterKind::D => wide.take(),
                    });
                }
            });
            if is_complex {
                release(&mut lives, &mut narrow, &mut wide);
            }
        }
    }
    rename(code, &mut lives, &mut narrow, &mut wide);
    code.narrow_slots = narrow.count;
    code.wide_slots = wide.count;
}

/// Drops the components of loads that no instruction reads, of code whose values else keep
/// registers of their own: a load must not access memory that the shader does not ask for.
pub(super) fn drop_unread_components(code: &mut FunctionCode) {
    let mut read: HashSet<RegisterSlot> = HashSet::default();
    for at in 0..code.insts.len() as u32 {
        each_slot(code, at, |slot, reads| {
            if reads {
                read.insert(slot);
            }
        });
    }
    for block in &code.blocks {
        each_in_terminator(block, |slot| {
            read.insert(slot);
        });
    }
    for complex in &mut code.complex {
        let is_load = matches!(complex.op, ComplexOp::BufferLoad { .. });
        if is_load && complex.dst.iter().any(|slot| read.contains(slot)) {
            for slot in complex.dst.iter_mut().filter(|slot| !read.contains(*slot)) {
                *slot = RegisterSlot::unread(slot.kind());
            }
        }
    }
}

/// Returns the first and last instruction of each block, and its number.
fn spans(code: &FunctionCode) -> Vec<(u32, u32, u32)> {
    let blocks = code.blocks.iter().enumerate();
    blocks
        .map(|(number, block)| (block.first, block.end, number as u32))
        .collect()
}

fn each_slot(code: &FunctionCode, at: u32, mut each: impl FnMut(RegisterSlot, bool)) {
    match code.insts.get(at as usize) {
        Some(Inst::Lane { dst, args, .. }) => {
            for &slot in args {
                each(slot, true);
            }
            each(*dst, false);
        }
        Some(Inst::Complex(index)) => {
            if let Some(complex) = code.complex.get(*index as usize) {
                for &slot in &complex.src {
                    each(slot, true);
                }
                for &slot in &complex.dst {
                    each(slot, false);
                }
            }
        }
        None => {}
    }
}

fn each_in_terminator(block: &Block, mut each: impl FnMut(RegisterSlot)) {
    match &block.terminator {
        Terminator::Return(values) => values.iter().for_each(|slot| each(*slot)),
        Terminator::Branch { condition, .. } => each(*condition),
        Terminator::Switch { value, .. } => each(*value),
        Terminator::Jump(_) | Terminator::Unreachable => {}
    }
}

/// Puts the places in.
fn rename(
    code: &mut FunctionCode,
    lives: &mut Lives,
    narrow: &mut FreeSlots,
    wide: &mut FreeSlots,
) {
    // Registers that are read and never written, which only unreachable code has, share one place.
    let mut unread = [None, None];
    let mut place = |slot: &mut RegisterSlot, is_result: bool| {
        if slot.is_none() {
            return;
        }
        let kind = slot.kind();
        let Some(life) = lives.of(*slot) else {
            return;
        };
        *slot = match life.place {
            Some(place) if life.block == SEVERAL => RegisterSlot::new(kind, place),
            Some(place) => RegisterSlot::new(kind, place).local(),
            None if is_result => RegisterSlot::unread(kind),
            // Read and never written: unreachable code only.
            None => {
                let (index, places) = match kind {
                    RegisterKind::W => (0, &mut *narrow),
                    RegisterKind::D => (1, &mut *wide),
                };
                let place = *unread[index].get_or_insert_with(|| {
                    places.count += 1;
                    places.count - 1
                });
                RegisterSlot::new(kind, place)
            }
        };
    };
    for inst in &mut code.insts {
        if let Inst::Lane { dst, args, .. } = inst {
            place(dst, true);
            args.iter_mut().for_each(|slot| place(slot, false));
        }
    }
    for complex in &mut code.complex {
        complex.dst.iter_mut().for_each(|slot| place(slot, true));
        complex.src.iter_mut().for_each(|slot| place(slot, false));
    }
    for block in &mut code.blocks {
        match &mut block.terminator {
            Terminator::Return(values) => values.iter_mut().for_each(|slot| place(slot, false)),
            Terminator::Branch { condition, .. } => place(condition, false),
            Terminator::Switch { value, .. } => place(value, false),
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
    }
    for (slot, _) in &mut code.constants {
        place(slot, false);
    }
    for (slot, _) in &mut code.statics {
        place(slot, false);
    }
    for slot in &mut code.parameters {
        place(slot, false);
    }
}
