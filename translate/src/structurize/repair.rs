//! Keeps SSA after rerouting.
//!
//! A routing block with a selector merges paths that were apart, so that a definition may no longer
//! dominate a use that control still reaches only through it. Such a use gets a phi chain, built on
//! demand from the use up the dominator tree, with phis where paths meet (the iterated dominance
//! frontier of the definition); on paths that cannot happen the operand is undefined. A value of a
//! block that was copied has several definitions. Addresses and handles have no phis; they are
//! computed again in the block that uses them ([`Crossing::Recomputed`]).
//!
//! Needs: finished blocks. Gives: every use dominated by what it names. Keeps: everything else.

use dxil_frontend::ir::{InstId, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};

use crate::budget::{Budget, Exhausted};
use crate::cfg::{Cfg, Crossing, Dominators};

use super::finish::Finished;
use super::structured_cfg::block_predecessors;
use super::{Operand, PhiResult, StructuredBlockId, StructuredPhi, SyntheticId};

struct Repair<'a> {
    dominators: Dominators,
    predecessors: &'a [Vec<u32>],
    /// Value at the end of a block.
    known: HashMap<(ValueId, u32), Operand>,
    phis: Vec<(u32, StructuredPhi)>,
    synthetics: u32,
    frontiers: Vec<Vec<u32>>,
    /// Join blocks of the most recent value.
    joins: HashSet<u32>,
    joins_of: Option<ValueId>,
    work: &'a mut Budget,
}

/// Repairs the form, and returns the number of phis that it added.
///
/// # Errors
///
/// [`Exhausted`] if values travel too far.
pub(super) fn run(
    cfg: &Cfg,
    finished: &mut Finished,
    crossing: &dyn Fn(ValueId) -> Crossing,
    work: &mut Budget,
) -> Result<u32, Exhausted> {
    let predecessors = block_predecessors(&finished.blocks);
    let dominators = Dominators::compute(finished.blocks.len(), |block| {
        &*predecessors[block as usize]
    });
    let mut repair = Repair {
        frontiers: frontiers(&dominators, &predecessors, work)?,
        joins: HashSet::default(),
        joins_of: None,
        dominators,
        predecessors: &predecessors,
        known: HashMap::default(),
        phis: Vec::new(),
        synthetics: finished.synthetics,
        work,
    };
    // Home block of each node's instructions and phis.
    let mut home = vec![u32::MAX; cfg.nodes.len()];
    let mut phi_home = vec![u32::MAX; cfg.nodes.len()];
    for (index, (node, phis_of)) in finished.nodes.iter().zip(&finished.phis_of).enumerate() {
        if let Some(node) = node {
            home[node.index()] = index as u32;
        }
        if let Some(node) = phis_of {
            phi_home[node.index()] = index as u32;
        }
    }
    let mut phi_values: HashSet<ValueId> = HashSet::default();
    let mut copies: HashMap<ValueId, Vec<(u32, Operand)>> = HashMap::default();
    for (index, node) in cfg.nodes.iter().enumerate() {
        let mut named = HashSet::default();
        for phi in &node.phis {
            match phi.result {
                PhiResult::Value(value) => {
                    phi_values.insert(value);
                }
                PhiResult::SyntheticLike(id, _) => {
                    named.insert(id);
                }
                PhiResult::SyntheticSelector(_) | PhiResult::SyntheticBool(_) => {}
            }
        }
        for &(value, name) in &node.names {
            let homes = if named.contains(&name) {
                &phi_home
            } else {
                &home
            };
            // Nodes without a block are unreachable in the structured form.
            if homes[index] != u32::MAX {
                let copy = (homes[index], Operand::Synthetic(name));
                copies.entry(value).or_default().push(copy);
            }
        }
    }
    let definitions = |value: ValueId| -> Definitions {
        let original = cfg.definition(value).and_then(|node| {
            let homes = if phi_values.contains(&value) {
                &phi_home
            } else {
                &home
            };
            homes.get(node.index()).copied()
        });
        let original = original.filter(|&block| block != u32::MAX);
        let original = original.map(|block| (block, Operand::Value(value)));
        match copies.get(&value) {
            None => Definitions {
                first: original,
                more: &[],
            },
            Some(more) => Definitions {
                first: original,
                more,
            },
        }
    };
    // Uses by instructions and terminators.
    let mut renames: Vec<(u32, ValueId, Operand)> = Vec::new();
    let mut recomputed: Vec<(u32, ValueId, InstId)> = Vec::new();
    let mut done: HashSet<(ValueId, u32)> = HashSet::default();
    let mut open = Vec::new();
    for used in &cfg.uses {
        let at = home[used.at.index()];
        if at == u32::MAX {
            continue;
        }
        open.push((used.value, None));
        while let Some((value, operands_of)) = open.pop() {
            // What the value is computed from is there.
            if let Some(inst) = operands_of {
                recomputed.push((at, value, inst));
                continue;
            }
            let defs = definitions(value);
            if defs.is_empty() || repair.reaches(defs, at) || !done.insert((value, at)) {
                continue;
            }
            if let Crossing::Recomputed(inst, operands) = crossing(value) {
                repair.work.spend(1 + operands.len() as u64)?;
                open.push((value, Some(inst)));
                open.extend(operands.into_iter().map(|operand| (operand, None)));
                continue;
            }
            let operand = repair.at_start(value, defs, at)?;
            if operand != Operand::Value(value) {
                renames.push((at, value, operand));
            }
        }
    }
    // Operands of phis: the definition has to reach the end of the predecessor `from`, not the
    // phi's own block (SPIR-V specification, 3.3.17, `OpPhi`).
    for index in 0..finished.blocks.len() {
        for phi in 0..finished.blocks[index].phis.len() {
            for slot in 0..finished.blocks[index].phis[phi].incoming.len() {
                let (operand, from) = finished.blocks[index].phis[phi].incoming[slot];
                let Operand::Value(value) = operand else {
                    continue;
                };
                let defs = definitions(value);
                if !defs.is_empty() && !repair.reaches(defs, from.0) {
                    finished.blocks[index].phis[phi].incoming[slot].0 =
                        repair.at_start(value, defs, from.0)?;
                }
            }
        }
    }
    for (at, value, operand) in renames {
        finished.blocks[at as usize].renames.push((value, operand));
    }
    // In front of what stands there already, which may use it; each in front of what uses it.
    recomputed.sort_by_key(|&(at, ..)| at);
    for here in recomputed.chunk_by(|a, b| a.0 == b.0) {
        let block = &mut finished.blocks[here[0].0 as usize];
        let lifted = here.iter().map(|&(.., inst)| (inst, true));
        block.lifted.splice(0..0, lifted);
        let memory = block.memory.get_or_insert_default();
        memory
            .recomputed
            .extend(here.iter().map(|&(_, value, _)| value));
    }
    let count = repair.phis.len() as u32;
    finished.synthetics = repair.synthetics;
    for (at, phi) in repair.phis {
        finished.blocks[at as usize].phis.push(phi);
    }
    Ok(count)
}

/// The block that defines a value, and its name there: the original, and copies.
#[derive(Clone, Copy)]
struct Definitions<'a> {
    first: Option<(u32, Operand)>,
    more: &'a [(u32, Operand)],
}

impl Definitions<'_> {
    fn is_empty(self) -> bool {
        self.first.is_none() && self.more.is_empty()
    }

    fn iter(&self) -> impl Iterator<Item = (u32, Operand)> {
        self.first.iter().chain(self.more).copied()
    }

    fn at(&self, block: u32) -> Option<Operand> {
        self.iter().find(|&(b, _)| b == block).map(|(_, name)| name)
    }
}

impl Repair<'_> {
    /// Returns whether the original definition of a value dominates a block.
    fn reaches(&self, defs: Definitions, block: u32) -> bool {
        match (defs.first, defs.more) {
            (Some((def, _)), []) => self.dominators.dominates(def, block),
            (_, _) => false,
        }
    }

    /// Finds the blocks where paths with different definitions, or with and without one, meet.
    fn joins(&mut self, value: ValueId, defs: Definitions) -> Result<(), Exhausted> {
        if self.joins_of == Some(value) {
            return Ok(());
        }
        self.joins_of = Some(value);
        self.joins.clear();
        let mut work: Vec<u32> = defs.iter().map(|(block, _)| block).collect();
        while let Some(block) = work.pop() {
            let frontier = &self.frontiers[block as usize];
            self.work.spend(1 + frontier.len() as u64)?;
            for &join in frontier {
                if self.joins.insert(join) {
                    work.push(join);
                }
            }
        }
        Ok(())
    }

    /// Returns the value that reaches a use in a block, or on an edge out of it.
    fn at_start(
        &mut self,
        value: ValueId,
        defs: Definitions,
        block: u32,
    ) -> Result<Operand, Exhausted> {
        self.joins(value, defs)?;
        // Phis whose operands are still to be found.
        let mut open = Vec::new();
        let found = self.look_up(value, defs, block, &mut open)?;
        while let Some((block, phi)) = open.pop() {
            let predecessors = self.predecessors;
            for &from in &predecessors[block as usize] {
                let operand = self.look_up(value, defs, from, &mut open)?;
                self.phis[phi]
                    .1
                    .incoming
                    .push((operand, StructuredBlockId(from)));
            }
        }
        Ok(found)
    }

    /// Walks up the dominator tree from a block to where the value is known, and makes a phi where
    /// paths meet.
    fn look_up(
        &mut self,
        value: ValueId,
        defs: Definitions,
        mut block: u32,
        open: &mut Vec<(u32, usize)>,
    ) -> Result<Operand, Exhausted> {
        if self.reaches(defs, block) {
            return Ok(Operand::Value(value));
        }
        loop {
            self.work.spend(1)?;
            if let Some(name) = defs.at(block) {
                return Ok(name);
            }
            if self.joins.contains(&block) {
                break;
            }
            if block == 0 {
                return Ok(Operand::Undef);
            }
            block = self.dominators.idom(block);
        }
        // One phi per value and block. It is entered before its operands are known, which ends the
        // search where a loop comes back to it.
        if let Some(&known) = self.known.get(&(value, block)) {
            return Ok(known);
        }
        let synthetic = SyntheticId(self.synthetics);
        self.synthetics += 1;
        let operand = Operand::Synthetic(synthetic);
        self.known.insert((value, block), operand);
        open.push((block, self.phis.len()));
        let result = PhiResult::SyntheticLike(synthetic, value);
        self.phis.push((
            block,
            StructuredPhi {
                result,
                incoming: Vec::new(),
            },
        ));
        Ok(operand)
    }
}

/// Returns the dominance frontier of each block, back edges left out: a value that came around a
/// loop from an earlier iteration is never the one that a use means, since in the graph the
/// definition dominated the use.
fn frontiers(
    dominators: &Dominators,
    predecessors: &[Vec<u32>],
    work: &mut Budget,
) -> Result<Vec<Vec<u32>>, Exhausted> {
    let mut frontiers = vec![Vec::new(); predecessors.len()];
    for (block, froms) in predecessors.iter().enumerate() {
        let block = block as u32;
        if froms.len() < 2 {
            continue;
        }
        for &from in froms.iter().filter(|&&from| from < block) {
            let mut runner = from;
            while runner != dominators.idom(block) {
                work.spend(1)?;
                let list: &mut Vec<u32> = &mut frontiers[runner as usize];
                // Another predecessor has already visited the blocks from here up.
                if list.last() == Some(&block) {
                    break;
                }
                list.push(block);
                runner = dominators.idom(runner);
            }
        }
    }
    Ok(frontiers)
}
