//! Runs a graph and its structured form with the same outcomes of branches, and compares what they
//! do.

use crate::cfg::{Cfg, CfgNodeId, Exit, Node, exit_targets};
use crate::structurize::{Operand, PhiResult, StructuredBlock, StructuredCfg, Terminator};
use dxil_frontend::ir::ValueId;
use dxil_frontend::tables::HashMap;

use super::graphs::{CONSTANTS, Graph, computed, mix};

/// Maximum number of source blocks that a run visits: many graphs have loops without an end.
const VISITS: u64 = 48;

/// A value at run time; `None` is undefined.
type RuntimeValue = Option<u64>;

/// The trace of a run, word by word: each visited block, then the values that its code reads.
type Trace = Vec<u64>;

fn outcome(seed: u64, visit: u64) -> u64 {
    mix(seed ^ mix(visit)) >> 8
}

/// Returns the value that a block computes on a visit.
fn result_of(visit: u64, node: CfgNodeId) -> u64 {
    mix(visit << 32 | u64::from(node.0))
}

fn constant(value: ValueId) -> RuntimeValue {
    (value.as_u32() < CONSTANTS).then(|| u64::from(value.as_u32()))
}

/// Returns the literal that a switch sees: one of its cases or none of them.
fn literal(cases: &[(u64, CfgNodeId)], outcome: u64) -> u64 {
    let index = outcome % (cases.len() as u64 + 1);
    cases
        .get(index as usize)
        .map_or(u64::MAX, |&(literal, _)| literal)
}

/// Returns the successor of a node without instructions. Such nodes may be dropped, so that visits
/// of them do not count; every cycle has a node that does.
fn passes_on(cfg: &Cfg, at: CfgNodeId) -> Option<CfgNodeId> {
    match cfg.node(at) {
        Node {
            size: 0,
            exit: Exit::Jump(to),
            ..
        } if *to > at => Some(*to),
        _ => None,
    }
}

/// Runs the graph itself.
///
/// # Errors
///
/// A report of what the graph leaves undefined.
pub fn run_graph(graph: &Graph, seed: u64) -> Result<Trace, String> {
    let cfg = &graph.cfg;
    let mut values: HashMap<ValueId, u64> = HashMap::default();
    let mut trace = Vec::new();
    let mut at = CfgNodeId(0);
    let mut from = None;
    let mut visit = 0;
    while visit < VISITS {
        let node = cfg.node(at);
        let read = |values: &HashMap<ValueId, u64>, value: ValueId| {
            constant(value)
                .or_else(|| values.get(&value).copied())
                .ok_or_else(|| format!("the graph uses {value} before it is defined"))
        };
        // A phi has the value that its operand had at the end of the predecessor (SPIR-V
        // specification, 3.3.17, `OpPhi`): all phis of a block are read before any is written.
        let mut new = Vec::new();
        for phi in &node.phis {
            let operand = phi.incoming.iter().find(|(block, _)| Some(*block) == from);
            if let (Some((_, Operand::Value(operand))), PhiResult::Value(result)) =
                (operand, phi.result)
            {
                new.push((result, read(&values, *operand)?));
            }
        }
        values.extend(new);
        if let Some(to) = passes_on(cfg, at) {
            from = Some(at);
            at = to;
            continue;
        }
        trace.push(u64::from(at.0));
        for &value in &graph.looks_at[at.index()] {
            trace.push(read(&values, value)?);
        }
        if node.size > 0 {
            values.insert(computed(at), result_of(visit, at));
        }
        let outcome = outcome(seed, visit);
        visit += 1;
        let next = match &node.exit {
            Exit::Return(value) => {
                if let Some(value) = value {
                    trace.push(read(&values, *value)?);
                }
                break;
            }
            Exit::Unreachable => break,
            Exit::Jump(to) => *to,
            Exit::Branch {
                if_true, if_false, ..
            } if if_true == if_false => *if_true,
            Exit::Branch {
                condition,
                if_true,
                if_false,
            } => {
                if let Operand::Value(value) = condition {
                    trace.push(read(&values, *value)?);
                }
                if outcome & 1 == 1 {
                    *if_true
                } else {
                    *if_false
                }
            }
            Exit::Switch {
                selector,
                default,
                cases,
            } => {
                if let Operand::Value(value) = selector {
                    trace.push(read(&values, *value)?);
                }
                let literal = literal(cases, outcome);
                cases
                    .iter()
                    .find(|&&(case, _)| case == literal)
                    .map_or(*default, |&(_, to)| to)
            }
        };
        from = Some(at);
        at = next;
    }
    Ok(trace)
}

struct Machine {
    values: HashMap<ValueId, RuntimeValue>,
    synthetics: HashMap<u32, RuntimeValue>,
    slots: Vec<RuntimeValue>,
}

impl Machine {
    fn read(&self, operand: Operand) -> Result<RuntimeValue, String> {
        match operand {
            Operand::Value(value) => match constant(value) {
                Some(word) => Ok(Some(word)),
                None => self
                    .values
                    .get(&value)
                    .copied()
                    .ok_or_else(|| format!("{value} is used before it is defined")),
            },
            Operand::Synthetic(id) => self
                .synthetics
                .get(&id.0)
                .copied()
                .ok_or_else(|| format!("synthetic {} is used before it is defined", id.0)),
            Operand::Selector(word) => Ok(Some(u64::from(word))),
            Operand::Bool(word) => Ok(Some(u64::from(word))),
            Operand::Undef => Ok(None),
        }
    }

    /// Returns the value of an operand in a block.
    fn look(&self, block: &StructuredBlock, operand: Operand) -> Result<u64, String> {
        let renamed = block
            .renames
            .iter()
            .find(|(value, _)| Operand::Value(*value) == operand);
        let operand = renamed.map_or(operand, |&(_, to)| to);
        self.read(operand)?
            .ok_or_else(|| format!("{operand:?} is looked at but undefined"))
    }
}

impl Machine {
    fn define(&mut self, result: PhiResult, word: RuntimeValue) {
        match result {
            PhiResult::Value(value) => {
                self.values.insert(value, word);
            }
            PhiResult::SyntheticLike(id, _)
            | PhiResult::SyntheticSelector(id)
            | PhiResult::SyntheticBool(id) => {
                self.synthetics.insert(id.0, word);
            }
        }
    }

    fn load(&mut self, block: &StructuredBlock) {
        for &(result, slot) in block.memory.iter().flat_map(|memory| &memory.loads) {
            self.define(result, self.slots[slot.0 as usize]);
        }
    }

    fn store(&mut self, block: &StructuredBlock) -> Result<(), String> {
        for &(slot, operand) in block.memory.iter().flat_map(|memory| &memory.stores) {
            self.slots[slot.0 as usize] = self.read(operand)?;
        }
        Ok(())
    }

    /// Makes a block's selectors.
    fn select(
        &mut self,
        block: &StructuredBlock,
        condition: impl Fn(usize) -> bool,
    ) -> Result<(), String> {
        for (index, select) in block.selects.iter().enumerate() {
            let chosen = if condition(index) {
                select.if_true
            } else {
                select.if_false
            };
            let word = self.read(chosen)?;
            self.synthetics.insert(select.result.0, word);
        }
        Ok(())
    }
}

/// Runs the structured form.
///
/// # Errors
///
/// A report of what the form leaves undefined.
pub fn run_structured(graph: &Graph, form: &StructuredCfg, seed: u64) -> Result<Trace, String> {
    let mut machine = Machine {
        values: HashMap::default(),
        synthetics: HashMap::default(),
        slots: vec![None; form.slots.len()],
    };
    let mut trace = Vec::new();
    let mut at = 0_u32;
    let mut from = None;
    let mut visit = 0;
    let mut idle = 0;
    while visit < VISITS {
        let block = form
            .blocks
            .get(at as usize)
            .ok_or_else(|| format!("there is no block {at}"))?;
        let mut new = Vec::with_capacity(block.phis.len());
        for phi in &block.phis {
            let (operand, _) = phi
                .incoming
                .iter()
                .find(|(_, block)| Some(block.0) == from)
                .ok_or_else(|| format!("a phi of block {at} lacks an operand for {from:?}"))?;
            new.push((phi.result, machine.read(*operand)?));
        }
        for (result, word) in new {
            machine.define(result, word);
        }
        machine.load(block);
        let mut decision = None;
        let mut hidden = None;
        let mut original: Option<&Exit> = None;
        let visited = block.source.map(|source| CfgNodeId(source.as_u32()));
        if let Some(node) = visited.filter(|&node| passes_on(&graph.cfg, node).is_none()) {
            trace.push(u64::from(node.0));
            for &value in &graph.looks_at[node.index()] {
                trace.push(machine.look(block, Operand::Value(value))?);
            }
            if graph.cfg.node(node).size > 0 {
                let value = computed(node);
                let word = Some(result_of(visit, node));
                let before = machine.values.insert(value, word);
                if let Some((_, name)) = block.exports.iter().find(|(v, _)| *v == value) {
                    machine.synthetics.insert(name.0, word);
                    hidden = Some((value, before));
                }
            }
            // Outcomes are counted by visits of source blocks, so that routing blocks, which only
            // the structured form has, use none up.
            decision = Some(outcome(seed, visit));
            original = Some(&graph.cfg.node(node).exit);
            visit += 1;
            idle = 0;
        } else {
            idle += 1;
            // A cycle of routing blocks alone would never end: each loop of the graph has a block
            // that counts.
            if idle > 8 * form.blocks.len() {
                return Err("routing blocks go in cycles".to_owned());
            }
        }
        if decision.is_none() {
            let conditions: Vec<u64> = block
                .selects
                .iter()
                .map(|select| machine.look(block, select.condition))
                .collect::<Result<_, _>>()?;
            machine.select(block, |index| conditions[index] != 0)?;
        }
        let next = match &block.terminator {
            Terminator::Return(value) => {
                if let Some(value) = value {
                    trace.push(machine.look(block, Operand::Value(*value))?);
                }
                break;
            }
            Terminator::Unreachable => {
                if original != Some(&Exit::Unreachable) {
                    return Err(format!("block {at} is not unreachable"));
                }
                break;
            }
            Terminator::Branch(to) => {
                if let (Some(outcome), Some(select)) = (decision, block.selects.first()) {
                    trace.push(machine.look(block, select.condition)?);
                    machine.select(block, |_| outcome & 1 == 1)?;
                } else if original.is_some_and(|exit| exit_targets(exit).len() > 1) {
                    return Err(format!("block {at} does not decide what the graph does"));
                }
                *to
            }
            Terminator::CondBranch {
                condition,
                if_true,
                if_false,
            } => {
                let word = machine.look(block, *condition)?;
                let taken = match decision {
                    Some(outcome) => {
                        trace.push(word);
                        outcome & 1 == 1
                    }
                    None => word != 0,
                };
                if taken { *if_true } else { *if_false }
            }
            Terminator::Switch {
                selector,
                default,
                cases,
            } => {
                let word = machine.look(block, *selector)?;
                let literal = match (decision, original) {
                    (Some(outcome), Some(Exit::Switch { cases, .. })) => {
                        trace.push(word);
                        literal(cases, outcome)
                    }
                    (Some(_), _) => return Err("a switch where the graph has none".to_owned()),
                    (None, _) => word,
                };
                cases
                    .iter()
                    .find(|&&(case, _)| case == literal)
                    .map_or(*default, |&(_, to)| to)
            }
            Terminator::SelectorBranch {
                selector,
                value,
                if_equal,
                if_not,
            } => {
                if machine.look(block, *selector)? == u64::from(*value) {
                    *if_equal
                } else {
                    *if_not
                }
            }
        };
        // At the end of the block, as `BlockMemory::stores` says.
        machine.store(block)?;
        match hidden {
            Some((value, Some(before))) => {
                machine.values.insert(value, before);
            }
            Some((value, None)) => {
                machine.values.remove(&value);
            }
            None => {}
        }
        from = Some(at);
        at = next.0;
    }
    Ok(trace)
}

/// Compares both forms on `runs` sequences of outcomes.
///
/// # Errors
///
/// A report of the first difference.
pub fn compare(graph: &Graph, form: &StructuredCfg, runs: u64) -> Result<(), String> {
    for seed in 0..runs {
        let wanted = run_graph(graph, seed)?;
        let found = run_structured(graph, form, seed)?;
        if wanted != found {
            let step = wanted
                .iter()
                .zip(&found)
                .take_while(|(a, b)| a == b)
                .count();
            return Err(format!(
                "run {seed} differs from word {step} on: {:x?} became {:x?}",
                &wanted[step.saturating_sub(4)..wanted.len().min(step + 4)],
                &found[step.saturating_sub(4).min(found.len())..found.len().min(step + 4)]
            ));
        }
    }
    Ok(())
}
