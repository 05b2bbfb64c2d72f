//! Checks that no hit object is needed after another one of its variable was made.
//!
//! A class is the values that share a variable. At each place at most one of them may be alive. Two
//! values that are alive at once would both have been made before, one after the other, and the
//! second one replaced the first. So liveness has one entry for each class and block instead of one
//! for each value and block.

use dxil_frontend::ir::{BlockId, FuncView};
use rustc_hash::FxHashMap;

use super::hit_object_uses::{Object, ProgramPoint};
use crate::budget::Budget;
use crate::{Error, Result};

/// Blocks over which hit objects may be alive, for each instruction of the function: classes times
/// blocks is not bounded by the code.
const BLOCKS_PER_INSTRUCTION: u64 = 64;

/// Checks the objects, of which each has the class with its index.
///
/// # Errors
///
/// `Unsupported` where two that are needed at once would share a variable, `TooComplex` where too
/// many are alive over too many blocks.
pub(super) fn check(view: FuncView<'_>, objects: &[Object], class: &[usize]) -> Result<()> {
    let mut members: FxHashMap<usize, u32> = FxHashMap::default();
    for &class in class {
        *members.entry(class).or_default() += 1;
    }
    // Usually every hit object has a variable of its own.
    let shares = |class: usize| members.get(&class).is_some_and(|&members| members > 1);
    if !class.iter().any(|&class| shares(class)) {
        return Ok(());
    }
    let mut lives = Lives {
        at_start: FxHashMap::default(),
        at_end: FxHashMap::default(),
        budget: Budget::for_input(view.function.insts.len(), BLOCKS_PER_INSTRUCTION),
    };
    let predecessors = predecessors(view);
    // Phis of one block are made at once. Those of a class hold the same value: on every edge, the
    // values that they take would be alive at once otherwise.
    let mut phis: FxHashMap<(BlockId, usize), usize> = FxHashMap::default();
    let mut events: Vec<Event> = Vec::new();
    for (index, (object, &class)) in objects.iter().zip(class).enumerate() {
        if !shares(class) {
            continue;
        }
        let made = object.made;
        let value = match made.at {
            0 => *phis.entry((made.block, class)).or_insert(index),
            _ => index,
        };
        let mut event = |place: ProgramPoint, is_use: bool| {
            events.push(Event {
                block: place.block,
                at: place.at,
                is_use,
                class,
                value,
            });
        };
        event(made, false);
        for &used in &object.used {
            event(used, true);
        }
        lives.add(object, class, value, &predecessors)?;
    }
    // Backwards through each block; what an instruction makes comes after what it takes.
    events.sort_unstable_by_key(|event| (event.block, std::cmp::Reverse(event.at), event.is_use));
    let mut alive: FxHashMap<usize, Option<usize>> = FxHashMap::default();
    let mut block = None;
    for event in events {
        if block != Some(event.block) {
            block = Some(event.block);
            alive.clear();
        }
        let at_end = lives.at_end.get(&(event.block, event.class)).copied();
        let alive = alive.entry(event.class).or_insert(at_end);
        if alive.is_some_and(|other| other != event.value) {
            return Err(replaced());
        }
        *alive = event.is_use.then_some(event.value);
    }
    Ok(())
}

/// A place where a hit object is made or used.
struct Event {
    block: BlockId,
    /// Number of the instruction in its block, from 1; 0 for phis.
    at: usize,
    is_use: bool,
    class: usize,
    value: usize,
}

fn replaced() -> Error {
    Error::unsupported("a hit object that is used after another one replaced it in its variable")
}

/// The value of each class that is alive where a block begins and where it ends.
struct Lives {
    at_start: FxHashMap<(BlockId, usize), usize>,
    at_end: FxHashMap<(BlockId, usize), usize>,
    budget: Budget,
}

impl Lives {
    /// Adds where a value is alive.
    fn add(
        &mut self,
        object: &Object,
        class: usize,
        value: usize,
        predecessors: &FxHashMap<BlockId, Vec<BlockId>>,
    ) -> Result<()> {
        let home = object.made.block;
        // Blocks at whose beginning it is alive, and whose predecessors are still to be visited.
        let mut pending: Vec<BlockId> = object
            .used
            .iter()
            .map(|used| used.block)
            .filter(|&block| block != home)
            .collect();
        for &block in &object.taken {
            note(&mut self.at_end, (block, class), value)?;
            if block != home {
                pending.push(block);
            }
        }
        while let Some(block) = pending.pop() {
            if !note(&mut self.at_start, (block, class), value)? {
                continue;
            }
            let predecessors = predecessors.get(&block).map_or(&[][..], Vec::as_slice);
            self.budget
                .spend(1 + predecessors.len() as u64)
                .map_err(|exhausted| exhausted.too_complex("blocks with hit objects"))?;
            for &from in predecessors {
                note(&mut self.at_end, (from, class), value)?;
                if from != home {
                    pending.push(from);
                }
            }
        }
        Ok(())
    }
}

/// Notes that a value of a class is alive at a place; returns whether that is new.
fn note(
    alive: &mut FxHashMap<(BlockId, usize), usize>,
    place: (BlockId, usize),
    value: usize,
) -> Result<bool> {
    match alive.insert(place, value) {
        None => Ok(true),
        Some(known) if known == value => Ok(false),
        Some(_) => Err(replaced()),
    }
}

/// Returns the blocks from which edges lead to each block, once per edge.
fn predecessors(view: FuncView<'_>) -> FxHashMap<BlockId, Vec<BlockId>> {
    let mut found: FxHashMap<BlockId, Vec<BlockId>> = FxHashMap::default();
    for block in view.function.blocks.keys() {
        view.function
            .for_each_successor(block, |to| found.entry(to).or_default().push(block));
    }
    found
}
