//! From registers to values: which definition of a register's component a read sees.
//!
//! A variable is one component of one register. Where it is written is known before conversion
//! starts, step by step ([`Variables::note_write`]). A read at a step looks at the last write in
//! front of it, in the order of the tokens:
//!
//! * In the same sequence of code, or one around it: that is the value.
//! * Inside a construct that has ended since: a phi in the block after that construct.
//! * In front of a loop whose body writes the variable somewhere: a phi at the loop's head.
//!
//! A phi is made only when its value is read, so that registers that compilers reuse for unrelated
//! values get none. A read costs the depth of nesting and a binary search; where nesting is deep,
//! the path is remembered, so that not every read walks it. Operands of phis are looked up when all
//! blocks are converted.
//!
//! A register that no code has written reads as 0; D3D leaves it undefined (D3D11.3 functional
//! specification, 7.3).

use cranelift_entity::packed_option::PackedOption;
use smallvec::SmallVec;

use super::flow::{ConstructTree, RegionKind};
use crate::ir::ValueId;
use crate::tables::HashMap;

/// A register's component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct RegisterComponent {
    /// File, and for files of files (indexable ones, streams) which one.
    pub(super) file: u32,
    /// Number.
    pub(super) index: u32,
    /// Component.
    pub(super) component: u8,
}

/// A variable: a number for a [`RegisterComponent`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct RegisterVariable(u32);

/// The value of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Def {
    /// These bits.
    Bits(u32),
    /// An `i32`.
    Int(ValueId),
    /// A `float`.
    Float(ValueId),
    /// All ones where the `i1` is true, 0 where it is false.
    Mask(ValueId),
}

#[derive(Debug, Clone, Copy)]
struct Write {
    step: u32,
    block: u32,
    def: Def,
    /// Uses of this value as float minus uses as integer, as far as they follow in the order of the
    /// tokens and no other write lies in between.
    vote: i32,
}

/// A phi that still needs its operands.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenPhi {
    pub(super) variable: RegisterVariable,
    pub(super) block: u32,
    pub(super) def: Def,
}

/// The definition that reaches a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReachingDef {
    /// From a definition.
    Def(Def),
    /// From a phi at the head of that block, which the caller has to create.
    Phi(u32),
}

/// All variables of a function.
#[derive(Debug, Default)]
pub(super) struct Variables {
    numbers: HashMap<RegisterComponent, RegisterVariable>,
    writes: Vec<Vec<Write>>,
    /// Uses as float minus uses as integer.
    votes: Vec<i32>,
    phis: HashMap<(u32, RegisterVariable), Def>,
    open: Vec<OpenPhi>,
    /// Definitions of variables in front of a construct, for constructs that are nested deeply.
    in_front: HashMap<(u32, RegisterVariable), Def>,
}

/// Levels of nesting that a read walks before it remembers the path.
const SHORT_PATH: usize = 8;

impl Variables {
    /// Notes that a step writes a register. Steps come in order.
    pub(super) fn note_write(
        &mut self,
        register: RegisterComponent,
        step: u32,
        block: u32,
        vote: i32,
    ) {
        let count = u32::try_from(self.writes.len()).unwrap_or(u32::MAX);
        let variable = *self
            .numbers
            .entry(register)
            .or_insert(RegisterVariable(count));
        if variable.0 == count {
            self.writes.push(Vec::new());
            self.votes.push(0);
        }
        self.vote(variable, vote);
        let Some(writes) = self.writes.get_mut(variable.0 as usize) else {
            return;
        };
        if writes.last().is_none_or(|last| last.step != step) {
            writes.push(Write {
                step,
                block,
                // A placeholder until the step is converted. Reads before that only look at earlier
                // steps; phis get their operands after all steps.
                def: Def::Bits(0),
                vote: 0,
            });
        }
    }

    /// Notes that a register is used as a float (positive) or an integer (negative). Uses and
    /// writes come in the order of the steps; a step uses before it writes.
    pub(super) fn note_use(&mut self, register: RegisterComponent, vote: i32) {
        let Some(variable) = self.find(register) else {
            return;
        };
        self.vote(variable, vote);
        let writes = self.writes.get_mut(variable.0 as usize);
        if let Some(write) = writes.and_then(|writes| writes.last_mut()) {
            write.vote = write.vote.saturating_add(vote);
        }
    }

    fn vote(&mut self, variable: RegisterVariable, vote: i32) {
        if let Some(votes) = self.votes.get_mut(variable.0 as usize) {
            *votes = votes.saturating_add(vote);
        }
    }

    /// Returns whether what a step writes to a register is used as a float at least as often as as
    /// an integer. Where its uses do not tell, all uses of the register count.
    pub(super) fn is_mostly_float(&self, register: RegisterComponent, step: u32) -> bool {
        let Some(variable) = self.find(register) else {
            return true;
        };
        match self.last_before(variable, step.saturating_add(1)) {
            Some(write) if write.step == step && write.vote != 0 => write.vote > 0,
            _ => self.variable_is_float(variable),
        }
    }

    /// Returns the same of a variable.
    pub(super) fn variable_is_float(&self, variable: RegisterVariable) -> bool {
        let votes = self.votes.get(variable.0 as usize);
        votes.is_none_or(|&votes| votes >= 0)
    }

    /// Returns the variable of a register; none if nothing writes it.
    pub(super) fn find(&self, register: RegisterComponent) -> Option<RegisterVariable> {
        self.numbers.get(&register).copied()
    }

    /// Gives the value that a step writes.
    pub(super) fn define(&mut self, variable: RegisterVariable, step: u32, def: Def) {
        let Some(writes) = self.writes.get_mut(variable.0 as usize) else {
            return;
        };
        let index = writes.partition_point(|write| write.step < step);
        if let Some(write) = writes.get_mut(index).filter(|write| write.step == step) {
            write.def = def;
        }
    }

    /// Returns whether any step of a range writes it.
    fn is_written_in(&self, variable: RegisterVariable, start: u32, end: u32) -> bool {
        let last = self.last_before(variable, end);
        last.is_some_and(|write| write.step >= start)
    }

    /// Returns the last write in front of a step.
    fn last_before(&self, variable: RegisterVariable, step: u32) -> Option<&Write> {
        let writes = self.writes.get(variable.0 as usize)?;
        let end = writes.partition_point(|write| write.step < step);
        writes.get(end.checked_sub(1)?)
    }

    /// Returns the definition that reaches a read in that block, in front of that step.
    pub(super) fn look_up(
        &mut self,
        flow: &ConstructTree,
        variable: RegisterVariable,
        block: u32,
        step: u32,
    ) -> ReachingDef {
        let mut path: SmallVec<[u32; SHORT_PATH]> = SmallVec::new();
        let found = self.walk_to_definition(flow, variable, (block, step), &mut path);
        if let ReachingDef::Def(def) = found {
            // Only deep parts of the path, so that the memory stays in proportion to deep nesting.
            for &construct in path.iter().skip(SHORT_PATH) {
                self.in_front.insert((construct, variable), def);
            }
        }
        found
    }

    /// Returns the same; `path` are the constructs that were left on the path to the definition.
    fn walk_to_definition(
        &mut self,
        flow: &ConstructTree,
        variable: RegisterVariable,
        (block, mut step): (u32, u32),
        path: &mut SmallVec<[u32; SHORT_PATH]>,
    ) -> ReachingDef {
        let zero = ReachingDef::Def(Def::Bits(0));
        let region_of = |block: u32| flow.blocks.get(block as usize).map(|block| block.region);
        let Some(mut sequence) = region_of(block) else {
            return zero;
        };
        // Each turn goes to an outer region, or along an edge to an earlier block.
        loop {
            let Some(region) = flow.regions.get(sequence as usize) else {
                return zero;
            };
            let here = self
                .last_before(variable, step)
                .filter(|write| write.step >= region.start);
            let next = if let Some(&write) = here {
                if region_of(write.block) == Some(sequence) {
                    return ReachingDef::Def(write.def);
                }
                // The write is in a construct that has ended since.
                let construct = flow.construct_at(sequence, write.step);
                let Some(RegionKind::Construct { merge: Some(merge) }) =
                    construct.map(|construct| construct.kind)
                else {
                    return zero;
                };
                self.through(flow, variable, merge)
            } else {
                match self.outward(flow, variable, sequence) {
                    Outward::Join(join) => self.through(flow, variable, join),
                    Outward::Around {
                        construct,
                        sequence,
                        step,
                    } => {
                        path.push(construct);
                        // Remembering short paths would cost more than walking them.
                        let is_long = path.len() > SHORT_PATH;
                        let known = self.in_front.get(&(construct, variable));
                        if let Some(&known) = known.filter(|_| is_long) {
                            return ReachingDef::Def(known);
                        }
                        Err((sequence, step))
                    }
                    Outward::End => return zero,
                }
            };
            match next {
                Ok(found) => return found,
                Err(next) => (sequence, step) = next,
            }
        }
    }

    /// Goes from the start of a sequence to the construct around it.
    fn outward(&self, flow: &ConstructTree, variable: RegisterVariable, sequence: u32) -> Outward {
        let Some(region) = flow.regions.get(sequence as usize) else {
            return Outward::End;
        };
        let construct = region.parent;
        let Some(around) = flow.regions.get(construct as usize) else {
            return Outward::End;
        };
        match region.kind {
            RegionKind::Root | RegionKind::Construct { .. } => Outward::End,
            RegionKind::LoopBody { entry }
                if self.is_written_in(variable, region.start, region.end) =>
            {
                Outward::Join(entry)
            }
            RegionKind::JoinedArm { entry }
                if self.is_written_in(variable, around.start, region.start) =>
            {
                Outward::Join(entry)
            }
            RegionKind::Arm | RegionKind::LoopBody { .. } | RegionKind::JoinedArm { .. } => {
                Outward::Around {
                    construct,
                    sequence: around.parent,
                    step: around.start,
                }
            }
        }
    }

    /// Returns the point where the search continues at a join: a join with one predecessor is
    /// passed through.
    fn through(
        &self,
        flow: &ConstructTree,
        variable: RegisterVariable,
        join: u32,
    ) -> Result<ReachingDef, (u32, u32)> {
        // Before anything else: a phi that is being completed may be its own operand.
        if let Some(&known) = self.phis.get(&(join, variable)) {
            return Ok(ReachingDef::Def(known));
        }
        let preds = flow.blocks.get(join as usize).map(|block| &block.preds[..]);
        // A predecessor that is not earlier is a back edge. Passing through it would lead around
        // the loop without end.
        if let Some(&[only]) = preds
            && let Some(pred) = flow.blocks.get(only as usize)
            && only < join
        {
            return Err((pred.region, pred.steps.end));
        }
        Ok(ReachingDef::Phi(join))
    }

    /// Notes a phi that was made.
    pub(super) fn add_phi(&mut self, variable: RegisterVariable, block: u32, def: Def) {
        self.phis.insert((block, variable), def);
        self.open.push(OpenPhi {
            variable,
            block,
            def,
        });
    }

    /// Returns a phi whose operands are to be found.
    pub(super) fn next_open(&mut self) -> Option<OpenPhi> {
        self.open.pop()
    }
}

/// The predecessor of a sequence.
enum Outward {
    /// A join that brings the variable.
    Join(u32),
    /// The sequence around the construct, in front of that step.
    Around {
        construct: u32,
        sequence: u32,
        step: u32,
    },
    /// Nothing.
    End,
}

impl Def {
    /// Returns the value, where it is one.
    pub(super) fn value(self) -> PackedOption<ValueId> {
        match self {
            Def::Bits(_) => PackedOption::default(),
            Def::Int(value) | Def::Float(value) | Def::Mask(value) => PackedOption::from(value),
        }
    }
}
