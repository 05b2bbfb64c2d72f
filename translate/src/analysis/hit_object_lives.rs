//! Lives of hit objects: which classes need several objects at once, and which objects are alive
//! after an operation that makes one.
//!
//! A class is the values that flow into each other. Two values of it that are alive at once would
//! both have been made before, one after the other, and the second one replaced the first if they
//! shared a variable. So the check has one entry for each class and block instead of one for each
//! value and block.

use dxil_frontend::ir::{BlockId, FuncView};
use dxil_frontend::tables::{HashMap, HashSet};

use super::hit_object_uses::{Object, Origin, ProgramPoint};
use crate::Result;
use crate::budget::Budget;

/// Blocks over which hit objects may be alive, for each instruction of the function: classes times
/// blocks is not bounded by the code.
const BLOCKS_PER_INSTRUCTION: u64 = 64;

/// Returns the classes of which two values are alive at once; each object has the class with its
/// index.
///
/// # Errors
///
/// `TooComplex` where too many are alive over too many blocks.
pub(super) fn conflicts(
    view: FuncView<'_>,
    objects: &[Object],
    class: &[usize],
) -> Result<HashSet<usize>> {
    let mut members: HashMap<usize, u32> = HashMap::default();
    for &class in class {
        *members.entry(class).or_default() += 1;
    }
    // Usually every hit object has a variable of its own.
    let shares = |class: usize| members.get(&class).is_some_and(|&members| members > 1);
    let mut found = HashSet::default();
    if !class.iter().any(|&class| shares(class)) {
        return Ok(found);
    }
    let mut lives = ClassLives {
        at_start: HashMap::default(),
        at_end: HashMap::default(),
        budget: budget(view),
    };
    let predecessors = predecessors(view);
    // Phis of one block are made at once. Those of a class hold the same value: on every edge, the
    // values that they take would be alive at once otherwise.
    let mut phis: HashMap<(BlockId, usize), usize> = HashMap::default();
    let mut events: Vec<Event> = Vec::new();
    for (index, (object, &class)) in objects.iter().zip(class).enumerate() {
        if !shares(class) || found.contains(&class) {
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
        if lives.add(object, class, value, &predecessors)? == Fit::Conflict {
            found.insert(class);
        }
    }
    // Backwards through each block; what an instruction makes comes after what it takes.
    events.sort_unstable_by_key(|event| (event.block, std::cmp::Reverse(event.at), event.is_use));
    let mut alive: HashMap<usize, Option<usize>> = HashMap::default();
    let mut block = None;
    for event in events {
        if block != Some(event.block) {
            block = Some(event.block);
            alive.clear();
        }
        let at_end = lives.at_end.get(&(event.block, event.class)).copied();
        let alive = alive.entry(event.class).or_insert(at_end);
        if alive.is_some_and(|other| other != event.value) {
            found.insert(event.class);
        }
        *alive = event.is_use.then_some(event.value);
    }
    Ok(found)
}

fn budget(view: FuncView<'_>) -> Budget {
    Budget::for_input(view.function.insts.len(), BLOCKS_PER_INSTRUCTION)
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

/// Whether a value can share the variable of its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    Shares,
    Conflict,
}

/// The value of each class that is alive where a block begins and where it ends.
struct ClassLives {
    at_start: HashMap<(BlockId, usize), usize>,
    at_end: HashMap<(BlockId, usize), usize>,
    budget: Budget,
}

impl ClassLives {
    /// Adds where a value is alive.
    fn add(
        &mut self,
        object: &Object,
        class: usize,
        value: usize,
        predecessors: &HashMap<BlockId, Vec<BlockId>>,
    ) -> Result<Fit> {
        let mut fit = Fit::Shares;
        let (at_start, at_end) = (&mut self.at_start, &mut self.at_end);
        walk(object, predecessors, &mut self.budget, |block, edge| {
            let alive = match edge {
                Edge::Start => &mut *at_start,
                Edge::End => &mut *at_end,
            };
            match alive.insert((block, class), value) {
                None => true,
                Some(known) => {
                    if known != value {
                        fit = Fit::Conflict;
                    }
                    false
                }
            }
        })?;
        Ok(fit)
    }
}

/// The beginning or the end of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Edge {
    Start,
    End,
}

/// Visits the beginnings and ends of blocks at which an object is alive. `note` returns whether a
/// beginning is new.
fn walk(
    object: &Object,
    predecessors: &HashMap<BlockId, Vec<BlockId>>,
    budget: &mut Budget,
    mut note: impl FnMut(BlockId, Edge) -> bool,
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
        note(block, Edge::End);
        if block != home {
            pending.push(block);
        }
    }
    while let Some(block) = pending.pop() {
        if !note(block, Edge::Start) {
            continue;
        }
        let predecessors = predecessors.get(&block).map_or(&[][..], Vec::as_slice);
        budget
            .spend(1 + predecessors.len() as u64)
            .map_err(|exhausted| exhausted.too_complex("blocks with hit objects"))?;
        for &from in predecessors {
            note(from, Edge::End);
            if from != home {
                pending.push(from);
            }
        }
    }
    Ok(())
}

/// The other objects of its class that are alive behind an object, by their index, for each object
/// that an operation makes.
pub(crate) type Lives = HashMap<usize, Vec<usize>>;

/// Returns the lives of a class, whose objects are given by their index.
///
/// # Errors
///
/// `TooComplex` where too many are alive over too many blocks.
pub(crate) fn alive_behind(
    view: FuncView<'_>,
    objects: &[Object],
    members: &[usize],
) -> Result<Lives> {
    let predecessors = predecessors(view);
    let mut budget = budget(view);
    let makers: Vec<usize> = (members.iter().copied())
        .filter(|&member| objects[member].origin != Origin::Chosen)
        .collect();
    let mut lives = Lives::default();
    for &member in members {
        let object = &objects[member];
        let mut alive: HashSet<(BlockId, Edge)> = HashSet::default();
        walk(object, &predecessors, &mut budget, |block, edge| {
            alive.insert((block, edge))
        })?;
        budget
            .spend(makers.len() as u64)
            .map_err(|exhausted| exhausted.too_complex("hit objects of one class"))?;
        for &maker in makers.iter().filter(|&&maker| maker != member) {
            let made = objects[maker].made;
            let comes_before = object.made.block != made.block || object.made.at < made.at;
            let is_alive = alive.contains(&(made.block, Edge::End))
                || (object.used.iter()).any(|used| used.block == made.block && used.at > made.at);
            if comes_before && is_alive {
                lives.entry(maker).or_default().push(member);
            }
        }
    }
    Ok(lives)
}

/// Returns the blocks from which edges lead to each block, once per edge.
fn predecessors(view: FuncView<'_>) -> HashMap<BlockId, Vec<BlockId>> {
    let mut found: HashMap<BlockId, Vec<BlockId>> = HashMap::default();
    for block in view.function.blocks.keys() {
        view.function
            .for_each_successor(block, |to| found.entry(to).or_default().push(block));
    }
    found
}
