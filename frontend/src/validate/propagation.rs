//! Propagation of a property of values through a function: to the values computed from them, to the
//! blocks that a branch on them chooses, and to the memory and phis that these write.

use cranelift_entity::EntityRef;

use super::bodies::opcode_of;
use super::context::ValidationContext;
use crate::dxil::ops::Opcode;
use crate::ir::dominance::{Predecessors, immediate_post_dominators};
use crate::ir::{BlockId, Function, Inst, InstId, ValueDef, ValueId};

/// The effect of an operation on the property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Its result has it.
    Source,
    /// Its result has it if an operand has.
    Passes,
    /// Its result does not have it.
    Stops,
}

/// Several successors of a branch lead to the block.
const MANY: u32 = u32::MAX - 1;
const NONE: u32 = u32::MAX;

/// Maximum number of block visits for each block of the function; propagation stops there.
const STEPS_PER_BLOCK: usize = 64;

/// The values and blocks of a function that have the property.
pub(super) struct Propagation {
    first: usize,
    values: Vec<bool>,
    blocks: Vec<bool>,
}

/// Predecessors and successors of the blocks of a function.
pub(super) struct FunctionFlow {
    predecessors: Predecessors,
    /// Per block: where all paths from it to the function's end meet.
    meeting_points: Vec<Option<u32>>,
}

impl FunctionFlow {
    pub(super) fn new(function: &Function) -> FunctionFlow {
        FunctionFlow {
            predecessors: Predecessors::new(function),
            meeting_points: immediate_post_dominators(function),
        }
    }
}

struct Work<'a> {
    function: &'a Function,
    flow: &'a FunctionFlow,
    reached: Propagation,
    stack: Vec<ValueId>,
    /// Instructions with a value of the function among their operands:
    /// `users[starts[v]..starts[v + 1]]`.
    starts: Vec<u32>,
    users: Vec<InstId>,
    block_of: Vec<u32>,
    /// The successor of the current branch that leads to a block.
    reached_by: Vec<u32>,
    steps: usize,
}

fn slot<T: Copy>(list: &[T], index: usize, other: T) -> T {
    list.get(index).copied().unwrap_or(other)
}

impl Propagation {
    /// Follows the property from the results of the operations that are its sources.
    pub(super) fn of(
        cx: &ValidationContext<'_>,
        function: &Function,
        flow: &FunctionFlow,
        effect: fn(Opcode) -> Effect,
    ) -> Propagation {
        let count = function.blocks.len();
        let (starts, users) = users_of(function);
        let mut block_of = vec![0; function.insts.len()];
        for (block, data) in &function.blocks {
            for inst in data.insts() {
                if let Some(slot) = block_of.get_mut(inst.index()) {
                    *slot = block.as_u32();
                }
            }
        }
        let mut work = Work {
            function,
            flow,
            reached: Propagation {
                first: function.first_value as usize,
                values: vec![false; function.values.len()],
                blocks: vec![false; count],
            },
            stack: Vec::new(),
            starts,
            users,
            block_of,
            reached_by: vec![NONE; count],
            steps: STEPS_PER_BLOCK.saturating_mul(count),
        };
        let mut effects = Vec::with_capacity(function.insts.len());
        for data in function.insts.values() {
            let own = match data.inst {
                Inst::Call { .. } => match opcode_of(cx, function, &data.inst) {
                    Some(opcode) => effect(opcode),
                    None => Effect::Passes,
                },
                Inst::AtomicRmw { .. } | Inst::CmpXchg { .. } => effect(Opcode::AtomicBinOp),
                _ => Effect::Passes,
            };
            effects.push(own);
            if own == Effect::Source
                && let Some(result) = data.result.expand()
            {
                work.value(result);
            }
        }
        while let Some(value) = work.stack.pop() {
            work.follow(value, &effects);
        }
        work.reached
    }

    /// Returns whether lanes reach the block by a branch on such a value.
    pub(super) fn has_block(&self, block: BlockId) -> bool {
        slot(&self.blocks, block.index(), false)
    }

    /// Returns whether an operand of the instruction has the property.
    pub(super) fn has_operand(&self, function: &Function, inst: InstId) -> bool {
        let mut found = false;
        if let Some(data) = function.insts.get(inst) {
            function.for_each_operand(&data.inst, |value| found |= self.has_value(value));
        }
        found
    }

    fn has_value(&self, value: ValueId) -> bool {
        let own = value.index().checked_sub(self.first);
        own.is_some_and(|own| slot(&self.values, own, false))
    }
}

impl Work<'_> {
    fn value(&mut self, value: ValueId) {
        let own = value.index().checked_sub(self.reached.first);
        if let Some(has) = own.and_then(|own| self.reached.values.get_mut(own))
            && !*has
        {
            *has = true;
            self.stack.push(value);
        }
    }

    fn follow(&mut self, value: ValueId, effects: &[Effect]) {
        let Some(own) = value.index().checked_sub(self.reached.first) else {
            return;
        };
        let start = slot(&self.starts, own, 0) as usize;
        let end = slot(&self.starts, own + 1, 0) as usize;
        for at in start..end {
            let Some(&user) = self.users.get(at) else {
                continue;
            };
            let Some(data) = self.function.insts.get(user) else {
                continue;
            };
            match data.inst {
                Inst::Store { pointer, .. } => self.stored(pointer),
                Inst::CondBr { .. } | Inst::Switch { .. } => {
                    self.branch(slot(&self.block_of, user.index(), 0));
                }
                _ => {
                    let effect = slot(effects, user.index(), Effect::Passes);
                    if effect == Effect::Passes
                        && let Some(result) = data.result.expand()
                    {
                        self.value(result);
                    }
                }
            }
        }
    }

    /// Gives the property to what is loaded from the local variable that a pointer leads into.
    fn stored(&mut self, mut pointer: ValueId) {
        // As deep as addresses nest in practice.
        for _ in 0..16 {
            let own = pointer.index().checked_sub(self.reached.first);
            let def = own.and_then(|own| self.function.values.get(own));
            let Some(ValueDef::Inst(inst)) = def.map(|data| data.def) else {
                return;
            };
            pointer = match self.function.insts.get(inst).map(|data| data.inst) {
                Some(Inst::Alloca { .. }) => {
                    self.value(pointer);
                    return;
                }
                Some(Inst::Gep { operands, .. }) => {
                    match self.function.values_of(operands).first() {
                        Some(&base) => base,
                        None => return,
                    }
                }
                Some(Inst::Cast { value, .. }) => value,
                _ => return,
            };
        }
    }

    /// Gives the property to the blocks between a branch and where its paths meet, and to the phis
    /// where they do.
    fn branch(&mut self, from: u32) {
        let meet = slot(&self.flow.meeting_points, from as usize, None);
        let mut stack = Vec::new();
        let mut side = 0;
        self.function
            .for_each_successor(BlockId::from_u32(from), |to| {
                stack.push((to.as_u32(), side));
                side += 1;
            });
        let mut seen = Vec::new();
        let mut joined = Vec::new();
        while let Some((block, side)) = stack.pop() {
            if Some(block) == meet || self.steps == 0 {
                continue;
            }
            self.steps -= 1;
            let Some(known) = self.reached_by.get_mut(block as usize) else {
                continue;
            };
            let side = match *known {
                NONE => {
                    seen.push(block);
                    side
                }
                other if other == side || other == MANY => continue,
                _ => {
                    joined.push(block);
                    MANY
                }
            };
            *known = side;
            self.function
                .for_each_successor(BlockId::from_u32(block), |to| {
                    stack.push((to.as_u32(), side));
                });
        }
        for &block in &seen {
            if let Some(slot) = self.reached_by.get_mut(block as usize) {
                *slot = NONE;
            }
            let has = self.reached.blocks.get_mut(block as usize);
            if let Some(has) = has.filter(|has| !**has) {
                *has = true;
                self.stores_of(block);
            }
        }
        for block in joined.into_iter().chain(meet) {
            self.phis_of(block);
        }
    }

    fn stores_of(&mut self, block: u32) {
        let function = self.function;
        for inst in function.block_insts(BlockId::from_u32(block)) {
            if let Some(Inst::Store { pointer, .. }) = function.insts.get(inst).map(|d| d.inst) {
                self.stored(pointer);
            }
        }
    }

    fn phis_of(&mut self, block: u32) {
        let function = self.function;
        if self.flow.predecessors.of(BlockId::from_u32(block)).len() < 2 {
            return;
        }
        for inst in function.block_insts(BlockId::from_u32(block)) {
            let Some(data) = function.insts.get(inst) else {
                continue;
            };
            let Inst::Phi { incoming } = data.inst else {
                break;
            };
            let mut values = function.edges_of(incoming).iter().map(|(value, _)| *value);
            let first = values.next();
            if values.any(|value| Some(value) != first)
                && let Some(result) = data.result.expand()
            {
                self.value(result);
            }
        }
    }
}

/// Returns the instructions that use each value of the function, in one list.
fn users_of(function: &Function) -> (Vec<u32>, Vec<InstId>) {
    let first = function.first_value as usize;
    let mut starts = vec![0u32; function.values.len() + 1];
    for data in function.insts.values() {
        function.for_each_operand(&data.inst, |value| {
            let own = value.index().checked_sub(first);
            if let Some(count) = own.and_then(|own| starts.get_mut(own + 1)) {
                *count += 1;
            }
        });
    }
    let mut total = 0;
    for start in &mut starts {
        total += *start;
        *start = total;
    }
    let mut next = starts.clone();
    let mut users = vec![InstId::from_u32(0); total as usize];
    for (inst, data) in &function.insts {
        function.for_each_operand(&data.inst, |value| {
            let own = value.index().checked_sub(first);
            if let Some(at) = own.and_then(|own| next.get_mut(own)) {
                if let Some(slot) = users.get_mut(*at as usize) {
                    *slot = inst;
                }
                *at += 1;
            }
        });
    }
    (starts, users)
}
