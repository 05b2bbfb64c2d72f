//! Which instructions become code, and where code stops.
//!
//! The instructions of a block are runs: those that the executor executes, and those that become
//! code. The last run of a block is code, if only that of its end.

use crate::decode::code::{Block, FunctionCode, Inst, RegisterSlot, Terminator};
use crate::decode::lane_ops::RegisterKind;
use dxil_frontend::tables::HashSet;

use super::accesses::{Groupshared, access_of};
use super::lane_code;

/// Instructions between two that the executor executes, below which code does not pay.
const FEW: u32 = 3;
/// Most instructions of a run of code: what a run keeps in locals has a bound then.
const MAX_RUN: u32 = 512;

/// Some instructions of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) block: u32,
    pub(crate) first: u32,
    pub(crate) end: u32,
    /// The number of its code; none for the executor's.
    pub(crate) point: Option<u32>,
}

/// The runs of a function.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    pub(crate) runs: Vec<Run>,
    /// First run of each block, and one after the last.
    first_runs: Vec<u32>,
    /// The block that each edge leaves.
    pub(crate) sources: Vec<u32>,
    pub(crate) points: u32,
}

impl Plan {
    pub(super) fn new(code: &FunctionCode, constants: &Constants) -> Plan {
        let mut plan = Plan {
            sources: vec![0; code.edges.len()],
            ..Plan::default()
        };
        for (number, block) in (0..).zip(&code.blocks) {
            plan.first_runs.push(plan.runs.len() as u32);
            plan.add_block(code, number, block, constants);
            for edge in edges_of(&block.terminator) {
                plan.sources[edge as usize] = number;
            }
        }
        plan.first_runs.push(plan.runs.len() as u32);
        plan
    }

    fn add_block(
        &mut self,
        code: &FunctionCode,
        number: u32,
        block: &Block,
        constants: &Constants,
    ) {
        let first_run = self.runs.len();
        let mut at = block.first;
        while at < block.end {
            let is_code = constants.have_code(code, &code.insts[at as usize]);
            let first = at;
            let mut groupshared = Groupshared::default();
            while at < block.end
                && constants.have_code(code, &code.insts[at as usize]) == is_code
                && !(is_code && at - first == MAX_RUN)
                && (!is_code || groupshared.include(code, &code.insts[at as usize]))
            {
                at += 1;
            }
            // A few instructions between others are executed with them.
            let is_few = is_code && first > block.first && at < block.end && at - first < FEW;
            let last = self.runs[first_run..].last_mut();
            match last {
                Some(last) if last.point.is_none() && (is_few || !is_code) => last.end = at,
                _ => self.runs.push(Run {
                    block: number,
                    first,
                    end: at,
                    point: is_code.then_some(0),
                }),
            }
        }
        let ends_with_code = self.runs[first_run..]
            .last()
            .is_some_and(|run| run.point.is_some());
        if !ends_with_code {
            self.runs.push(Run {
                block: number,
                first: block.end,
                end: block.end,
                point: Some(0),
            });
        }
        for run in &mut self.runs[first_run..] {
            if let Some(point) = &mut run.point {
                *point = self.points;
                self.points += 1;
            }
        }
    }

    /// Returns the numbers of the runs of a block.
    pub(crate) fn runs_of(&self, block: u32) -> std::ops::Range<usize> {
        let block = block as usize;
        self.first_runs[block] as usize..self.first_runs[block + 1] as usize
    }

    /// Returns the run in which an instruction of a block is, or the end of the block.
    pub(crate) fn run_at(&self, block: u32, at: u32) -> usize {
        let runs = self.runs_of(block);
        let behind = self.runs[runs.clone()].partition_point(|run| run.end <= at);
        (runs.start + behind).min(runs.end - 1)
    }
}

/// Returns the edges of a terminator.
pub(super) fn edges_of(terminator: &Terminator) -> impl Iterator<Item = u32> {
    let (first, second, cases): (_, _, &[(u64, u32)]) = match terminator {
        Terminator::Jump(edge) => (Some(*edge), None, &[]),
        Terminator::Branch {
            if_true, if_false, ..
        } => (Some(*if_true), Some(*if_false), &[]),
        Terminator::Switch { cases, default, .. } => (Some(*default), None, cases),
        Terminator::Return(_) | Terminator::Unreachable => (None, None, &[]),
    };
    let cases = cases.iter().map(|(_, edge)| *edge);
    first.into_iter().chain(second).chain(cases)
}

/// The registers of a function that hold the same bits all the time.
pub(super) struct Constants {
    narrow: Vec<Option<u64>>,
    wide: Vec<Option<u64>>,
}

impl Constants {
    pub(super) fn new(code: &FunctionCode) -> Constants {
        let mut constants = Constants {
            narrow: vec![None; code.narrow_slots as usize],
            wide: vec![None; code.wide_slots as usize],
        };
        for &(slot, bits) in &code.constants {
            constants.set(slot, Some(bits));
        }
        for inst in &code.insts {
            match inst {
                Inst::Lane { dst, .. } => constants.set(*dst, None),
                Inst::Complex(index) => {
                    for &dst in &code.complex[*index as usize].dst {
                        constants.set(dst, None);
                    }
                }
            }
        }
        for &slot in &code.parameters {
            constants.set(slot, None);
        }
        constants
    }

    fn set(&mut self, slot: RegisterSlot, bits: Option<u64>) {
        if slot.is_none() {
            return;
        }
        let file = match slot.kind() {
            RegisterKind::W => &mut self.narrow,
            RegisterKind::D => &mut self.wide,
        };
        if let Some(place) = file.get_mut(slot.index()) {
            *place = bits;
        }
    }

    pub(super) fn of(&self, slot: RegisterSlot) -> Option<u64> {
        if slot.is_none() {
            return None;
        }
        let file = match slot.kind() {
            RegisterKind::W => &self.narrow,
            RegisterKind::D => &self.wide,
        };
        *file.get(slot.index())?
    }

    /// Returns whether an instruction becomes code.
    pub(super) fn have_code(&self, code: &FunctionCode, inst: &Inst) -> bool {
        match inst {
            // A result that is never read has no register, and no instruction.
            Inst::Lane { op, dst, args } => {
                dst.is_none() || lane_code::has_code(*op, args.map(|arg| self.of(arg).is_some()))
            }
            Inst::Complex(index) => access_of(&code.complex[*index as usize]).is_some(),
        }
    }
}

/// Returns the local registers that each run of code leaves to what comes after it in its block.
/// Others are stored in any case.
pub(super) fn local_results(
    code: &FunctionCode,
    plan: &Plan,
    block: u32,
) -> Vec<HashSet<RegisterSlot>> {
    let runs = plan.runs_of(block);
    let mut results: Vec<HashSet<RegisterSlot>> = vec![HashSet::default(); runs.len()];
    let mut live: HashSet<RegisterSlot> = HashSet::default();
    let read = |live: &mut HashSet<RegisterSlot>, slot: RegisterSlot| {
        if slot.is_local() && !slot.is_none() {
            live.insert(slot);
        }
    };
    match &code.blocks[block as usize].terminator {
        Terminator::Return(values) => values.iter().for_each(|&slot| read(&mut live, slot)),
        Terminator::Branch { condition, .. } => read(&mut live, *condition),
        Terminator::Switch { value, .. } => read(&mut live, *value),
        Terminator::Jump(_) | Terminator::Unreachable => {}
    }
    let first_run = runs.start;
    for number in runs.rev() {
        let run = &plan.runs[number];
        let insts = run.first..run.end;
        if run.point.is_none() {
            for at in insts {
                match &code.insts[at as usize] {
                    Inst::Lane { args, .. } => args.iter().for_each(|&s| read(&mut live, s)),
                    Inst::Complex(index) => {
                        let src = &code.complex[*index as usize].src;
                        src.iter().for_each(|&slot| read(&mut live, slot));
                    }
                }
            }
            continue;
        }
        let operands_of = |at: u32| -> (&[RegisterSlot], &[RegisterSlot]) {
            match &code.insts[at as usize] {
                Inst::Lane { dst, args, .. } => (std::slice::from_ref(dst), args),
                Inst::Complex(index) => {
                    let complex = &code.complex[*index as usize];
                    (&complex.dst, &complex.src)
                }
            }
        };
        for dst in insts.clone().flat_map(|at| operands_of(at).0) {
            if live.remove(dst) {
                results[number - first_run].insert(*dst);
            }
        }
        let mut made: HashSet<RegisterSlot> = HashSet::default();
        for at in insts {
            let (dst, src) = operands_of(at);
            for &slot in src.iter().filter(|slot| !made.contains(slot)) {
                read(&mut live, slot);
            }
            made.extend(dst);
        }
    }
    results
}
