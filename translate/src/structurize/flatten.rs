//! Flattens a function to one loop around a switch, where nested constructs would be too many.
//!
//! ```text
//!   before: A -> B C, B -> C, C -> A D, D      entry: A; select next
//!                                              loop -> end, continue back:
//!                                                next = phi(from entry, from last)
//!                                                switch next, then last: 1 -> B, 2 -> C, 3 -> D
//!                                                B: loads, code, stores, next' = C
//!                                                C: ...
//!                                                last: next' = phi(from B, C ..)
//!                                              back: again
//! ```
//!
//! Every block becomes a case, so that nothing nests. A value that another block uses lies in a
//! variable: the block that defines it stores it at its end, each one that uses it loads it at its
//! head. A phi has a variable, into which each predecessor stores, whether control goes to the phi
//! or not: no other block reads it, and the predecessor that control comes from stores last. So the
//! output has a block, a load and a store for each part of the graph at most, where phis would have
//! an operand for each value and block.
//!
//! Values of the first block are named as they are: it dominates all. Addresses and handles have no
//! variables; what computes them is done again where they are used.
//!
//! Needs: any graph, reducible or not. Gives: structured blocks, and the types of the variables.

use dxil_frontend::ir::{InstId, ValueId};
use dxil_frontend::tables::HashMap;

use crate::budget::Budget;
use crate::cfg::{Cfg, CfgNodeId, Crossing, Exit, Node};
use crate::{Error, Result};

use super::{
    BlockMemory, LoopHint, Merge, Operand, PhiResult, Select, SelectionHint, SlotId, SlotType,
    StructuredBlock, StructuredBlockId, StructuredPhi, SyntheticId, Terminator,
};

/// A value that may be in a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum SlotKey {
    Value(ValueId),
    Synthetic(SyntheticId),
}

/// Loads, stores and names of a node's block, besides its code.
#[derive(Default)]
struct Around {
    renames: Vec<(ValueId, Operand)>,
    lifted: Vec<InstId>,
    memory: BlockMemory,
    /// Names that values of other nodes have in the block.
    known: HashMap<SlotKey, Operand>,
}

struct Flattener<'a> {
    cfg: &'a Cfg,
    crossing: &'a dyn Fn(ValueId) -> Crossing,
    work: &'a mut Budget,
    /// The first node has no predecessors: its block comes before the loop.
    has_entry: bool,
    slots: Vec<SlotType>,
    slot_of: HashMap<SlotKey, SlotId>,
    /// Slot of each node's first phi; the others follow.
    phi_slots: Vec<u32>,
    /// Names that copies of a node give to values.
    copies: HashMap<ValueId, Vec<(CfgNodeId, SyntheticId)>>,
    /// Node that defines each synthetic value, and the value's type.
    homes: HashMap<SyntheticId, (CfgNodeId, SlotType)>,
    around: Vec<Around>,
    synthetics: u32,
    blocks: Vec<StructuredBlock>,
}

/// Flattens a graph.
///
/// # Errors
///
/// `Unsupported` for values that no variable can hold, `TooComplex` for addresses that are computed
/// from each other across too many blocks, `Malformed` for phis that do not fit the graph.
pub(super) fn run(
    cfg: &Cfg,
    crossing: &dyn Fn(ValueId) -> Crossing,
    work: &mut Budget,
) -> Result<(Vec<StructuredBlock>, Vec<SlotType>)> {
    let mut flattener = Flattener {
        cfg,
        crossing,
        work,
        has_entry: cfg.node(CfgNodeId(0)).predecessors.is_empty(),
        slots: Vec::new(),
        slot_of: HashMap::default(),
        phi_slots: Vec::with_capacity(cfg.nodes.len()),
        copies: HashMap::default(),
        homes: HashMap::default(),
        around: Vec::with_capacity(cfg.nodes.len()),
        synthetics: cfg.synthetics,
        blocks: Vec::with_capacity(cfg.nodes.len() + 8),
    };
    flattener.find_definitions();
    flattener.plan_nodes()?;
    flattener.write()?;
    Ok((flattener.blocks, flattener.slots))
}

/// Returns the type of what a phi defines.
fn type_of(result: PhiResult) -> SlotType {
    match result {
        PhiResult::Value(value) | PhiResult::SyntheticLike(_, value) => SlotType::Like(value),
        PhiResult::SyntheticSelector(_) => SlotType::Selector,
        PhiResult::SyntheticBool(_) => SlotType::Bool,
    }
}

/// Returns a new value of a type.
fn defined(synthetic: SyntheticId, ty: SlotType) -> PhiResult {
    match ty {
        SlotType::Like(value) => PhiResult::SyntheticLike(synthetic, value),
        SlotType::Selector => PhiResult::SyntheticSelector(synthetic),
        SlotType::Bool => PhiResult::SyntheticBool(synthetic),
    }
}

/// Returns a block without code that only branches.
fn routing(terminator: Terminator) -> StructuredBlock {
    StructuredBlock {
        source: None,
        lifted: Vec::new(),
        phis: Vec::new(),
        renames: Vec::new(),
        selects: Vec::new(),
        exports: Vec::new(),
        memory: None,
        merge: Merge::None,
        terminator,
    }
}

fn phi_of_selectors(id: SyntheticId, incoming: Vec<(Operand, StructuredBlockId)>) -> StructuredPhi {
    let result = PhiResult::SyntheticSelector(id);
    StructuredPhi { result, incoming }
}

impl Flattener<'_> {
    fn fresh(&mut self) -> SyntheticId {
        self.synthetics += 1;
        SyntheticId(self.synthetics - 1)
    }

    fn slot(&mut self, ty: SlotType) -> SlotId {
        self.slots.push(ty);
        SlotId(self.slots.len() as u32 - 1)
    }

    /// Returns whether a node has a case in the loop.
    fn is_case(&self, node: CfgNodeId) -> bool {
        !self.has_entry || node != CfgNodeId(0)
    }

    fn find_definitions(&mut self) {
        for id in self.cfg.ids() {
            let node = self.cfg.node(id);
            self.phi_slots.push(self.slots.len() as u32);
            for phi in &node.phis {
                let ty = type_of(phi.result);
                self.slots.push(ty);
                if let PhiResult::SyntheticLike(synthetic, _)
                | PhiResult::SyntheticSelector(synthetic)
                | PhiResult::SyntheticBool(synthetic) = phi.result
                {
                    self.homes.insert(synthetic, (id, ty));
                }
            }
            for &(value, name) in &node.names {
                self.homes.insert(name, (id, SlotType::Like(value)));
                self.copies.entry(value).or_default().push((id, name));
            }
            self.around.push(Around::default());
        }
    }

    /// Decides what each node loads and stores.
    fn plan_nodes(&mut self) -> Result<()> {
        let cfg = self.cfg;
        for id in cfg.ids() {
            let node = cfg.node(id);
            for (index, phi) in (0..).zip(&node.phis) {
                let slot = SlotId(self.phi_slots[id.index()] + index);
                let around = &mut self.around[id.index()];
                around.memory.loads.push((phi.result, slot));
                // A copy's phi has its own name.
                if let PhiResult::SyntheticLike(name, value) = phi.result
                    && node.names.contains(&(value, name))
                {
                    around.renames.push((value, Operand::Synthetic(name)));
                }
            }
            for &(value, operand) in &node.renames {
                let operand = self.at_hand(id, operand)?;
                self.around[id.index()].renames.push((value, operand));
            }
        }
        for used in &cfg.uses {
            let is_renamed = |&(value, _): &(ValueId, Operand)| value == used.value;
            if !cfg.node(used.at).renames.iter().any(is_renamed) {
                self.at_hand(used.at, Operand::Value(used.value))?;
            }
        }
        for id in cfg.ids() {
            // Values that a node decides by are among the uses.
            if let Exit::Branch {
                condition: decides @ Operand::Synthetic(_),
                ..
            }
            | Exit::Switch {
                selector: decides @ Operand::Synthetic(_),
                ..
            } = cfg.node(id).exit
            {
                self.at_hand(id, decides)?;
            }
            for &to in &cfg.node(id).successors {
                for (index, phi) in (0..).zip(&cfg.node(to).phis) {
                    // `Cfg::renumber` keeps the operands of a phi sorted by predecessor. A missing
                    // one is an error of the input: the frontend does not compare phis with edges.
                    let position = phi.incoming.binary_search_by_key(&id, |&(from, _)| from);
                    let position = position.map_err(|_| {
                        Error::malformed("a phi has no value for one of the block's predecessors")
                    })?;
                    let operand = self.at_hand(id, phi.incoming[position].1)?;
                    let slot = SlotId(self.phi_slots[to.index()] + index);
                    let stores = &mut self.around[id.index()].memory.stores;
                    // Without a store the variable has its last value or none, and either is as
                    // good as an undefined one.
                    if operand != Operand::Undef {
                        stores.push((slot, operand));
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the name of an operand in a node's block; loads or computes it there if necessary.
    fn at_hand(&mut self, at: CfgNodeId, operand: Operand) -> Result<Operand> {
        let key = match operand {
            Operand::Value(value) => SlotKey::Value(value),
            Operand::Synthetic(synthetic) => SlotKey::Synthetic(synthetic),
            Operand::Selector(_) | Operand::Bool(_) | Operand::Undef => return Ok(operand),
        };
        // Values that have to be there before others can be computed. A stack instead of recursion:
        // a chain of addresses can be as long as the function.
        let mut open = vec![(key, false)];
        while let Some((key, is_ready)) = open.pop() {
            let too_much = "addresses that are computed across blocks";
            let spent = self.work.spend(1);
            spent.map_err(|exhausted| exhausted.too_complex(too_much))?;
            if self.around[at.index()].known.contains_key(&key) {
                continue;
            }
            let known = match key {
                SlotKey::Synthetic(id) => match self.homes.get(&id).copied() {
                    Some((home, ty)) if home != at && self.is_case(home) => {
                        let slot = self.slot_for(key, ty);
                        Some(self.load(at, slot, ty))
                    }
                    _ => Some(Operand::Synthetic(id)),
                },
                SlotKey::Value(value) => self.value_at_hand(at, value, is_ready, &mut open)?,
            };
            if let Some(operand) = known {
                self.around[at.index()].known.insert(key, operand);
            }
        }
        let known = self.around[at.index()].known.get(&key).copied();
        Ok(known.unwrap_or(operand))
    }

    /// Returns the name of a value in a node's block; `None` if other operands have to be available
    /// first.
    fn value_at_hand(
        &mut self,
        at: CfgNodeId,
        value: ValueId,
        is_ready: bool,
        open: &mut Vec<(SlotKey, bool)>,
    ) -> Result<Option<Operand>> {
        let itself = Operand::Value(value);
        if let Some(&(_, name)) = self.cfg.node(at).names.iter().find(|(v, _)| *v == value) {
            return Ok(Some(Operand::Synthetic(name)));
        }
        let Some(home) = self.cfg.definition(value) else {
            return Ok(Some(itself));
        };
        if home == at || !self.is_case(home) {
            return Ok(Some(itself));
        }
        match (self.crossing)(value) {
            Crossing::Everywhere => Ok(Some(itself)),
            // The input is valid, but without variable pointers no variable holds a pointer (SPIR-V
            // specification, 2.16.1).
            Crossing::Impossible => Err(Error::unsupported(
                "an object that blocks share in control flow that nests too deep",
            )),
            Crossing::Recomputed(inst, _) if is_ready => {
                let around = &mut self.around[at.index()];
                around.lifted.push(inst);
                around.memory.recomputed.push(value);
                Ok(Some(itself))
            }
            Crossing::Recomputed(_, operands) => {
                open.push((SlotKey::Value(value), true));
                open.extend(
                    operands
                        .into_iter()
                        .map(|operand| (SlotKey::Value(operand), false)),
                );
                Ok(None)
            }
            Crossing::Stored => {
                let ty = SlotType::Like(value);
                let slot = self.slot_for(SlotKey::Value(value), ty);
                let loaded = self.load(at, slot, ty);
                self.around[at.index()].renames.push((value, loaded));
                Ok(Some(loaded))
            }
        }
    }

    /// Returns the slot of a value, into which the nodes that define it store it.
    fn slot_for(&mut self, key: SlotKey, ty: SlotType) -> SlotId {
        if let Some(&slot) = self.slot_of.get(&key) {
            return slot;
        }
        let slot = self.slot(ty);
        self.slot_of.insert(key, slot);
        let mut store = |node: CfgNodeId, operand: Operand| {
            let stores = &mut self.around[node.index()].memory.stores;
            stores.push((slot, operand));
        };
        match key {
            SlotKey::Value(value) => {
                if let Some(home) = self.cfg.definition(value) {
                    store(home, Operand::Value(value));
                }
                for &(copy, name) in self.copies.get(&value).into_iter().flatten() {
                    store(copy, Operand::Synthetic(name));
                }
            }
            SlotKey::Synthetic(id) => {
                if let Some(&(home, _)) = self.homes.get(&id) {
                    store(home, Operand::Synthetic(id));
                }
            }
        }
        slot
    }

    fn load(&mut self, at: CfgNodeId, slot: SlotId, ty: SlotType) -> Operand {
        let synthetic = self.fresh();
        let loads = &mut self.around[at.index()].memory.loads;
        loads.push((defined(synthetic, ty), slot));
        Operand::Synthetic(synthetic)
    }

    fn next_block(&self) -> StructuredBlockId {
        StructuredBlockId(self.blocks.len() as u32)
    }

    /// Writes all blocks.
    fn write(&mut self) -> Result<()> {
        let cfg = self.cfg;
        let blocks_of = |id: CfgNodeId| match &cfg.node(id).exit {
            Exit::Switch { .. } => 2 + cfg.node(id).successors.len() as u32,
            _ => 1,
        };
        let first = CfgNodeId(0);
        // Branches go forward to blocks that are not written yet, so that all blocks are numbered
        // first.
        let header = StructuredBlockId(if self.has_entry { blocks_of(first) } else { 1 });
        let selects = StructuredBlockId(header.0 + 1);
        let mut cases = Vec::with_capacity(cfg.nodes.len());
        let mut next = selects.0 + 1;
        for id in cfg.ids().skip(usize::from(self.has_entry)) {
            cases.push((u64::from(id.0), StructuredBlockId(next)));
            next += blocks_of(id);
        }
        let last = StructuredBlockId(next);
        let [back, end] = [1, 2].map(|more| StructuredBlockId(next + more));
        let Some(&(_, default)) = cases.last() else {
            return Err(Error::internal("a single block that is to be flattened"));
        };
        let start = if self.has_entry {
            self.node(first, header)?
        } else {
            self.blocks.push(routing(Terminator::Branch(header)));
            Some((Operand::Selector(0), StructuredBlockId(0)))
        };
        let selector = self.fresh();
        let come_back = self.fresh();
        let header_at = self.blocks.len();
        self.blocks.push(StructuredBlock {
            merge: Merge::Loop {
                merge: end,
                continue_target: back,
                // Each unrolled iteration would be a copy of the whole function.
                hint: LoopHint::DontUnroll,
            },
            ..routing(Terminator::Branch(selects))
        });
        // The selector is always the number of a node, so that the last one can be the default,
        // which `OpSwitch` must have.
        cases.pop();
        self.blocks.push(StructuredBlock {
            merge: Merge::Selection {
                merge: last,
                hint: SelectionHint::None,
            },
            ..routing(Terminator::Switch {
                selector: Operand::Synthetic(selector),
                default,
                cases,
            })
        });
        let mut selectors = Vec::new();
        for id in cfg.ids().skip(usize::from(self.has_entry)) {
            selectors.extend(self.node(id, last)?);
        }
        let comes_back = !selectors.is_empty();
        self.blocks.push(if comes_back {
            StructuredBlock {
                phis: vec![phi_of_selectors(come_back, selectors)],
                ..routing(Terminator::Branch(back))
            }
        } else {
            // Every node ends the function. The loop has its back edge nevertheless: a header needs
            // exactly one (2.11.1).
            routing(Terminator::Unreachable)
        });
        self.blocks.push(routing(Terminator::Branch(header)));
        // The merge block: every return leaves from inside of the loop.
        self.blocks.push(routing(Terminator::Unreachable));
        let again = if comes_back {
            Operand::Synthetic(come_back)
        } else {
            Operand::Undef
        };
        let mut selectors: Vec<_> = start.into_iter().collect();
        selectors.push((again, back));
        self.blocks[header_at]
            .phis
            .push(phi_of_selectors(selector, selectors));
        Ok(())
    }

    /// Writes the blocks of a node. They go on to `to`: with which selector, and from where.
    fn node(
        &mut self,
        id: CfgNodeId,
        to: StructuredBlockId,
    ) -> Result<Option<(Operand, StructuredBlockId)>> {
        let node = self.cfg.node(id);
        let own = self.next_block();
        let selector = |target: CfgNodeId| Operand::Selector(target.0);
        let mut merge = Merge::None;
        let mut selects = Vec::new();
        // Blocks after it, one per target of a switch, that select the next case.
        let mut behind = Vec::new();
        let (terminator, selector_and_block) = match &node.exit {
            &Exit::Return(value) => (Terminator::Return(value), None),
            Exit::Unreachable => (Terminator::Unreachable, None),
            &Exit::Jump(target) => (Terminator::Branch(to), Some((selector(target), own))),
            &Exit::Branch {
                if_true, if_false, ..
            } if if_true == if_false => (Terminator::Branch(to), Some((selector(if_true), own))),
            &Exit::Branch {
                condition,
                if_true,
                if_false,
            } => {
                let result = self.fresh();
                selects.push(Select {
                    result,
                    condition: self.deciding(id, condition)?,
                    if_true: selector(if_true),
                    if_false: selector(if_false),
                });
                let selector_and_block = (Operand::Synthetic(result), own);
                (Terminator::Branch(to), Some(selector_and_block))
            }
            Exit::Switch {
                selector: value,
                default,
                cases,
            } => {
                let count = node.successors.len() as u32;
                let joined = StructuredBlockId(own.0 + 1 + count);
                merge = Merge::Selection {
                    merge: joined,
                    hint: SelectionHint::None,
                };
                // A select decides between two targets only. A phi decides between many, and needs
                // a block for each of them.
                let mut arms = HashMap::default();
                let mut selectors = Vec::with_capacity(node.successors.len());
                for (index, &target) in (1..).zip(&node.successors) {
                    let arm = StructuredBlockId(own.0 + index);
                    arms.insert(target, arm);
                    selectors.push((selector(target), arm));
                    behind.push(routing(Terminator::Branch(joined)));
                }
                let result = self.fresh();
                behind.push(StructuredBlock {
                    phis: vec![phi_of_selectors(result, selectors)],
                    ..routing(Terminator::Branch(to))
                });
                let terminator = Terminator::Switch {
                    selector: self.deciding(id, *value)?,
                    default: arms[default],
                    cases: cases.iter().map(|(l, target)| (*l, arms[target])).collect(),
                };
                (terminator, Some((Operand::Synthetic(result), joined)))
            }
        };
        let around = std::mem::take(&mut self.around[id.index()]);
        let has_memory = !around.memory.loads.is_empty()
            || !around.memory.stores.is_empty()
            || !around.memory.recomputed.is_empty();
        let mut lifted: Vec<(InstId, bool)> =
            around.lifted.into_iter().map(|inst| (inst, true)).collect();
        lifted.extend(&node.lifted);
        self.blocks.push(StructuredBlock {
            source: node.source,
            lifted,
            renames: around.renames,
            selects,
            exports: computed_names(node),
            memory: has_memory.then(|| Box::new(around.memory)),
            merge,
            ..routing(terminator)
        });
        self.blocks.append(&mut behind);
        Ok(selector_and_block)
    }

    /// Returns the operand that a node branches on. Values keep their original names here, for
    /// which the block has its own.
    fn deciding(&mut self, at: CfgNodeId, operand: Operand) -> Result<Operand> {
        match operand {
            Operand::Synthetic(_) => self.at_hand(at, operand),
            operand => Ok(operand),
        }
    }
}

/// Returns the names of a copy's results that are not phis.
fn computed_names(node: &Node) -> Vec<(ValueId, SyntheticId)> {
    let is_phi = |name: SyntheticId| {
        let mut results = node.phis.iter().map(|phi| phi.result);
        results.any(|result| matches!(result, PhiResult::SyntheticLike(id, _) if id == name))
    };
    let names = node.names.iter().copied();
    names.filter(|&(_, name)| !is_phi(name)).collect()
}
