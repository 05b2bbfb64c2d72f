//! Phis against predecessors, and definitions of values against their uses.

use dxil_frontend::ir::{BlockId, ValueId};
use dxil_frontend::tables::HashMap;

use super::violation::broken;
use crate::Result;
use crate::cfg::{Cfg, Dominators};
use crate::structurize::{Operand, PhiResult, StructuredBlock, StructuredCfg, Terminator};

/// Checks that every operand of phis and code is defined on every path to its use.
pub(super) fn check(form: &StructuredCfg, cfg: &Cfg, predecessors: &[Vec<u32>]) -> Result<()> {
    DefinedValues::new(form, cfg, predecessors)?.check(cfg)
}

/// Checks that phis have one operand per predecessor.
pub(super) fn check_phis(blocks: &[StructuredBlock], predecessors: &[Vec<u32>]) -> Result<()> {
    for (at, (block, wanted)) in blocks.iter().zip(predecessors).enumerate() {
        for phi in &block.phis {
            let mut froms: Vec<u32> = phi.incoming.iter().map(|(_, from)| from.0).collect();
            froms.sort_unstable();
            if &froms != wanted {
                return broken(
                    at as u32,
                    &format!("has a phi for {froms:?}, but its predecessors are {wanted:?}"),
                );
            }
        }
    }
    Ok(())
}

/// The definitions of values, and the blocks between them and their uses.
struct DefinedValues<'a> {
    blocks: &'a [StructuredBlock],
    dominators: Dominators,
    reachable: Vec<bool>,
    /// Blocks of each source: the original first, then copies.
    sources: HashMap<BlockId, Vec<u32>>,
    phi_values: HashMap<ValueId, u32>,
    synthetics: HashMap<u32, u32>,
    /// Number of slots.
    slots: usize,
    cfg: &'a Cfg,
}

impl<'a> DefinedValues<'a> {
    fn new(form: &'a StructuredCfg, cfg: &'a Cfg, predecessors: &[Vec<u32>]) -> Result<Self> {
        let blocks = form.blocks.as_slice();
        let mut reachable = vec![false; blocks.len()];
        let mut values = DefinedValues {
            blocks,
            dominators: Dominators::compute(blocks.len(), |block| &*predecessors[block as usize]),
            reachable: Vec::new(),
            sources: HashMap::default(),
            phi_values: HashMap::default(),
            synthetics: HashMap::default(),
            slots: form.slots.len(),
            cfg,
        };
        for (at, block) in blocks.iter().enumerate() {
            let index = at as u32;
            reachable[at] = at == 0
                || predecessors[at]
                    .iter()
                    .any(|&from| from < index && reachable[from as usize]);
            if let Some(source) = block.source {
                let blocks = values.sources.entry(source).or_default();
                // Copies export their values under other names. The original has no exports, and
                // uses of the IR's names mean its values.
                if block.exports.is_empty() {
                    blocks.insert(0, index)
                } else {
                    blocks.push(index)
                }
            }
            let exports = block.exports.iter().map(|&(_, name)| name);
            for name in exports.chain(block.selects.iter().map(|select| select.result)) {
                if values.synthetics.insert(name.0, index).is_some() {
                    return broken(index, &format!("defines {name:?} again"));
                }
            }
            let memory = block.memory.iter();
            let loads = memory.flat_map(|memory| memory.loads.iter().map(|load| load.0));
            for result in block.phis.iter().map(|phi| phi.result).chain(loads) {
                let before = match result {
                    PhiResult::Value(value) => values.phi_values.insert(value, index),
                    PhiResult::SyntheticLike(id, _)
                    | PhiResult::SyntheticSelector(id)
                    | PhiResult::SyntheticBool(id) => values.synthetics.insert(id.0, index),
                };
                if before.is_some() {
                    return broken(index, &format!("defines {result:?} again"));
                }
            }
        }
        values.reachable = reachable;
        Ok(values)
    }

    /// Checks that an operand is defined when control is in `at`.
    fn require(&self, operand: Operand, at: u32) -> Result<()> {
        let home = match operand {
            Operand::Value(value) => match self.phi_values.get(&value) {
                Some(&block) => block,
                None => {
                    // Constants and parameters are defined everywhere.
                    let Some(node) = self.cfg.definition(value) else {
                        return Ok(());
                    };
                    let source = self.cfg.nodes.get(node.index()).and_then(|n| n.source);
                    let block = &self.blocks[at as usize];
                    let memory = block.memory.as_ref();
                    if block.source == source
                        || memory.is_some_and(|memory| memory.recomputed.contains(&value))
                    {
                        return Ok(());
                    }
                    match source.and_then(|source| self.sources.get(&source)?.first()) {
                        Some(&block) => block,
                        None => return broken(at, &format!("names {value}, which is gone")),
                    }
                }
            },
            Operand::Synthetic(id) => match self.synthetics.get(&id.0) {
                Some(&block) => block,
                None => return broken(at, &format!("names synthetic {}, which is gone", id.0)),
            },
            Operand::Selector(_) | Operand::Bool(_) | Operand::Undef => return Ok(()),
        };
        if self.reachable[at as usize] && !self.dominators.dominates(home, at) {
            return broken(
                at,
                &format!("names {operand:?} of block {home}, which does not dominate it"),
            );
        }
        Ok(())
    }

    fn renamed(&self, operand: Operand, at: u32) -> Operand {
        let renames = &self.blocks[at as usize].renames;
        match operand {
            Operand::Value(value) => renames
                .iter()
                .find(|&&(from, _)| from == value)
                .map_or(operand, |&(_, to)| to),
            _ => operand,
        }
    }

    fn check(&self, cfg: &Cfg) -> Result<()> {
        for (at, block) in self.blocks.iter().enumerate() {
            let at = at as u32;
            for (operand, from) in block.phis.iter().flat_map(|phi| &phi.incoming) {
                self.require(*operand, from.0)?;
            }
            for &(_, to) in &block.renames {
                self.require(to, at)?;
            }
            for &(slot, operand) in block.memory.iter().flat_map(|memory| &memory.stores) {
                if slot.0 as usize >= self.slots {
                    return broken(at, "stores to a slot that does not exist");
                }
                self.require(operand, at)?;
            }
            for select in &block.selects {
                self.require(self.renamed(select.condition, at), at)?;
            }
            let operand = match &block.terminator {
                Terminator::CondBranch { condition, .. } => Some(*condition),
                Terminator::Switch { selector, .. }
                | Terminator::SelectorBranch { selector, .. } => Some(*selector),
                Terminator::Return(value) => value.map(Operand::Value),
                Terminator::Branch(_) | Terminator::Unreachable => None,
            };
            if let Some(operand) = operand {
                self.require(self.renamed(operand, at), at)?;
            }
        }
        for used in &cfg.uses {
            let source = cfg.nodes.get(used.at.index()).and_then(|n| n.source);
            let blocks = source.and_then(|source| self.sources.get(&source));
            for &at in blocks.into_iter().flatten() {
                self.require(self.renamed(Operand::Value(used.value), at), at)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structurize::verify::tests::{IF_ELSE, after, says};
    use crate::structurize::{StructuredBlockId, StructuredPhi, SyntheticId};

    #[test]
    fn phis_fit_predecessors_and_definitions_dominate() {
        let phi = |incoming: Vec<(Operand, StructuredBlockId)>| StructuredPhi {
            result: PhiResult::SyntheticSelector(SyntheticId(9)),
            incoming,
        };
        let [one, two] = [1, 2].map(StructuredBlockId);
        says(
            after(IF_ELSE, |blocks| {
                blocks[3].phis.push(phi(vec![(Operand::Undef, one)]));
            }),
            "its predecessors are [1, 2]",
        );
        says(
            after(IF_ELSE, |blocks| {
                let late = Operand::Synthetic(SyntheticId(9));
                blocks[3]
                    .phis
                    .push(phi(vec![(late, one), (Operand::Undef, two)]));
            }),
            "does not dominate it",
        );
    }
}
