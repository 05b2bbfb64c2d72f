//! Indices into groupshared arrays that cannot lie beyond their ends, so that no code has to check
//! them.
//!
//! An index is proven by what computes it (masks, remainders, the thread's number in its group), by
//! conditions of branches that dominate the address, and by the bounds of loops.

use dxil_frontend::dxil::ops::{IntegerOp, Op, ThreadIdOp, decode, op_arguments};
use dxil_frontend::dxil::{EntryPoint, Shader};
use dxil_frontend::ir::dominance::Predecessors;
use dxil_frontend::ir::{
    BinaryOp, BlockId, CastOp, CmpPredicate, FuncId, FuncView, GlobalId, Inst, Type, TypeId,
    ValueDef, ValueId, address_space,
};
use dxil_frontend::tables::{HashMap, HashSet};
use smallvec::SmallVec;

use crate::cfg::Dominators;

/// Values that are looked at for one index.
const MAX_STEPS: u32 = 256;
/// Dominating blocks whose conditions are looked at for one index.
const MAX_DOMINATORS: u32 = 24;
/// Deepest nesting of operations that are looked at.
const MAX_DEPTH: u32 = 24;

/// What is known of indices into groupshared arrays.
#[derive(Debug, Default)]
pub(crate) struct GroupIndices {
    /// Indices that are below a number wherever the function makes an address of them, with the
    /// number.
    inside: HashSet<(FuncId, ValueId, u64)>,
    /// Variables with an index that is not proven.
    unproven: HashSet<GlobalId>,
}

impl GroupIndices {
    /// Returns whether an index is below the number of elements.
    pub(crate) fn is_inside(&self, function: FuncId, index: ValueId, count: u64) -> bool {
        self.inside.contains(&(function, index, count))
    }

    /// Returns whether a variable has an index that is not proven to be inside.
    pub(super) fn is_unproven(&self, variable: GlobalId) -> bool {
        self.unproven.contains(&variable)
    }

    /// Adds the indices of a function.
    pub(super) fn add(&mut self, shader: &Shader, entry: &EntryPoint, view: FuncView<'_>) {
        let function = view.function;
        let mut ranges: Option<Ranges<'_>> = None;
        // Whether all addresses with that index and count are inside.
        let mut proven: HashMap<(ValueId, u64), bool> = HashMap::default();
        for (block, data) in function.blocks.iter() {
            for inst in data.insts() {
                let Some(Inst::Gep { operands, .. }) = function.insts.get(inst).map(|it| it.inst)
                else {
                    continue;
                };
                let operands = function.values_of(operands);
                if !is_group_shared(view, operands) {
                    continue;
                }
                // The first index goes to another variable than the one of the pointer.
                let first = operands.get(1).and_then(|&first| view.constant_int(first));
                let mut all = first == Some(0);
                for (index, count) in indices_of(view, operands) {
                    if let Some(number) = view.constant_int(index) {
                        all &= number < count;
                        continue;
                    }
                    let ranges = ranges.get_or_insert_with(|| Ranges::new(shader, entry, view));
                    let is_inside = ranges.is_below(index, block, count);
                    *proven.entry((index, count)).or_insert(true) &= is_inside;
                    all &= is_inside;
                }
                if !all && let Some(ValueDef::Global(global)) = def_of(view, operands.first()) {
                    self.unproven.insert(global);
                }
            }
        }
        let inside = proven.into_iter().filter(|&(_, is_inside)| is_inside);
        let id = function.id;
        self.inside
            .extend(inside.map(|((index, count), _)| (id, index, count)));
    }
}

fn def_of(view: FuncView<'_>, value: Option<&ValueId>) -> Option<ValueDef> {
    view.value(*value?).map(|data| data.def)
}

/// Returns whether a `getelementptr` makes an address of groupshared memory.
fn is_group_shared(view: FuncView<'_>, operands: &[ValueId]) -> bool {
    let ty = operands.first().and_then(|&base| view.type_of(base));
    ty.is_some_and(|ty| {
        matches!(
            view.module.types.get(ty),
            Type::Pointer {
                address_space: address_space::GROUP_SHARED,
                ..
            }
        )
    })
}

/// Returns the indices of a `getelementptr` into arrays, with the numbers of elements.
fn indices_of(view: FuncView<'_>, operands: &[ValueId]) -> SmallVec<[(ValueId, u64); 4]> {
    let mut found = SmallVec::new();
    let types = &view.module.types;
    let Some((&base, indices)) = operands.split_first() else {
        return found;
    };
    let mut ty: Option<TypeId> = view.type_of(base).and_then(|ty| types.pointee(ty));
    for &index in indices.iter().skip(1) {
        ty = match ty.map(|ty| types.get(ty)) {
            Some(&Type::Array { element, count }) => {
                found.push((index, count));
                Some(element)
            }
            Some(&Type::Vector { element, count }) => {
                found.push((index, u64::from(count)));
                Some(element)
            }
            Some(Type::Struct { fields, .. }) => {
                let field = view.constant_int(index).map_or(usize::MAX, |n| n as usize);
                fields.get(field).copied()
            }
            _ => None,
        };
    }
    found
}

/// A condition that holds.
#[derive(Debug, Clone, Copy)]
struct Fact {
    predicate: CmpPredicate,
    lhs: ValueId,
    rhs: ValueId,
}

type Facts = SmallVec<[Fact; 8]>;

/// Finds the largest values of a function's integers, as unsigned numbers.
struct Ranges<'a> {
    shader: &'a Shader,
    view: FuncView<'a>,
    threads: [u64; 3],
    predecessors: Predecessors,
    dominators: Dominators,
    /// Steps left for the present index.
    steps: u32,
    /// Phis that are looked at.
    open: Vec<ValueId>,
}

impl<'a> Ranges<'a> {
    fn new(shader: &'a Shader, entry: &EntryPoint, view: FuncView<'a>) -> Self {
        let predecessors = Predecessors::new(view.function);
        let dominators = predecessors.dominators();
        // The threads of a node may be chosen when the pipeline is made, within its limits.
        let threads = entry.num_threads.filter(|_| !entry.is_node());
        Ranges {
            shader,
            view,
            threads: threads.unwrap_or([1024; 3]).map(u64::from),
            predecessors,
            dominators,
            steps: 0,
            open: Vec::new(),
        }
    }

    /// Returns whether a value is less than a number wherever the block runs.
    fn is_below(&mut self, value: ValueId, block: BlockId, count: u64) -> bool {
        self.steps = MAX_STEPS;
        self.open.clear();
        let facts = self.facts_in(block);
        let max = self.max(value, &facts, 0);
        // Narrow indices are extended with their sign.
        max < count && self.is_positive(value, max)
    }

    /// Returns the conditions of branches that hold in a block.
    fn facts_in(&self, mut block: BlockId) -> Facts {
        let mut facts = Facts::new();
        for _ in 0..MAX_DOMINATORS {
            if let &[before] = self.predecessors.of_node(block.as_u32()) {
                self.facts_of_edge(BlockId::from_u32(before), block, &mut facts);
            }
            let dominator = self.dominators.idom(block.as_u32());
            // The entry is its own, and code that nothing reaches has none.
            if dominator == block.as_u32() || dominator == u32::MAX {
                break;
            }
            block = BlockId::from_u32(dominator);
        }
        facts
    }

    fn facts_of_edge(&self, from: BlockId, to: BlockId, facts: &mut Facts) {
        if let Inst::CondBr {
            condition,
            if_true,
            if_false,
        } = *self.view.function.terminator(from)
            && if_true != if_false
        {
            self.add_condition(condition, if_true == to, facts, 0);
        }
    }

    fn add_condition(&self, condition: ValueId, holds: bool, facts: &mut Facts, depth: u32) {
        if depth > 3 || facts.len() >= 32 {
            return;
        }
        match self.inst(condition) {
            Some(Inst::Cmp {
                predicate,
                lhs,
                rhs,
                ..
            }) if !predicate.is_float() => {
                let predicate = if holds {
                    predicate
                } else {
                    predicate.negated()
                };
                facts.push(Fact {
                    predicate,
                    lhs,
                    rhs,
                });
            }
            // Both hold, or neither.
            Some(Inst::Binary { op, lhs, rhs, .. })
                if op == BinaryOp::And && holds || op == BinaryOp::Or && !holds =>
            {
                self.add_condition(lhs, holds, facts, depth + 1);
                self.add_condition(rhs, holds, facts, depth + 1);
            }
            Some(Inst::Binary {
                op: BinaryOp::Xor,
                lhs,
                rhs,
                ..
            }) if self.view.constant_int(rhs) == Some(1) => {
                self.add_condition(lhs, !holds, facts, depth + 1);
            }
            _ => {}
        }
    }

    fn inst(&self, value: ValueId) -> Option<Inst> {
        match self.view.value(value)?.def {
            ValueDef::Inst(inst) => self.view.function.insts.get(inst).map(|data| data.inst),
            _ => None,
        }
    }

    /// Returns the largest number of a value's type.
    fn type_max(&self, value: ValueId) -> u64 {
        let types = &self.view.module.types;
        let bits = self
            .view
            .type_of(value)
            .and_then(|ty| types.scalar_bits(ty));
        match bits {
            Some(bits @ 1..64) => (1 << bits) - 1,
            _ => u64::MAX,
        }
    }

    /// Returns whether a number is not negative as a signed one of a value's type.
    fn is_positive(&self, value: ValueId, number: u64) -> bool {
        number <= self.type_max(value) / 2
    }

    /// Returns the largest number that a value can be where the facts hold.
    fn max(&mut self, value: ValueId, facts: &Facts, depth: u32) -> u64 {
        let whole = self.type_max(value);
        if self.steps == 0 || depth > MAX_DEPTH {
            return whole;
        }
        self.steps -= 1;
        let mut max = self
            .computed(value, facts, depth)
            .unwrap_or(whole)
            .min(whole);
        for fact in facts {
            let (predicate, other) = if fact.lhs == value {
                (fact.predicate, fact.rhs)
            } else if fact.rhs == value {
                (fact.predicate.swapped(), fact.lhs)
            } else if let Some(less) = self.taken_from(value, fact.lhs)
                && fact.predicate == CmpPredicate::IUlt
            {
                // A range in one comparison: `value - less` would wrap below the range.
                let bound = self.max(fact.rhs, facts, depth + 8);
                max = max.min(bound.saturating_sub(1).saturating_add(less));
                continue;
            } else {
                continue;
            };
            let bound = match predicate {
                CmpPredicate::IEq | CmpPredicate::IUle | CmpPredicate::IUlt => {
                    self.max(other, facts, depth + 8)
                }
                // A signed comparison bounds numbers that are not negative.
                CmpPredicate::ISle | CmpPredicate::ISlt if self.is_positive(value, max) => {
                    let bound = self.max(other, facts, depth + 8);
                    // A negative bound would exclude the value altogether.
                    if !self.is_positive(value, bound) {
                        continue;
                    }
                    bound
                }
                _ => continue,
            };
            let is_less = matches!(predicate, CmpPredicate::IUlt | CmpPredicate::ISlt);
            max = max.min(bound.saturating_sub(u64::from(is_less)));
        }
        max
    }

    /// Returns what is subtracted from a value to get another one.
    fn taken_from(&self, value: ValueId, other: ValueId) -> Option<u64> {
        let Inst::Binary { op, lhs, rhs, .. } = self.inst(other)? else {
            return None;
        };
        let number = self.view.constant_int(rhs).filter(|_| lhs == value)?;
        let negative = self.type_max(value).wrapping_sub(number).wrapping_add(1);
        match op {
            BinaryOp::Add if !self.is_positive(value, number) => Some(negative),
            BinaryOp::Sub if self.is_positive(value, number) => Some(number),
            _ => None,
        }
    }

    fn computed(&mut self, value: ValueId, facts: &Facts, depth: u32) -> Option<u64> {
        if let Some(number) = self.view.constant_int(value) {
            return Some(number);
        }
        let depth = depth + 1;
        match self.view.value(value)?.def {
            ValueDef::Inst(_) => match self.inst(value)? {
                Inst::Binary { op, lhs, rhs, .. } => self.binary(value, op, lhs, rhs, facts, depth),
                Inst::Cast { op, value: inner } => self.cast(value, op, inner, facts, depth),
                Inst::Select {
                    condition,
                    if_true,
                    if_false,
                } => {
                    let mut with = facts.clone();
                    self.add_condition(condition, true, &mut with, 0);
                    let first = self.max(if_true, &with, depth);
                    let mut with = facts.clone();
                    self.add_condition(condition, false, &mut with, 0);
                    Some(first.max(self.max(if_false, &with, depth)))
                }
                Inst::Phi { incoming } => {
                    let edges = self.view.function.edges_of(incoming);
                    self.phi(value, edges, depth)
                }
                call @ Inst::Call { .. } => self.operation(&call, facts, depth),
                _ => None,
            },
            _ => None,
        }
    }

    fn binary(
        &mut self,
        value: ValueId,
        op: BinaryOp,
        lhs: ValueId,
        rhs: ValueId,
        facts: &Facts,
        depth: u32,
    ) -> Option<u64> {
        let whole = self.type_max(value);
        let fits = |number: Option<u64>| number.filter(|&number| number <= whole);
        let known = self.view.constant_int(rhs);
        let a = self.max(lhs, facts, depth);
        match op {
            BinaryOp::And => Some(a.min(self.max(rhs, facts, depth))),
            BinaryOp::Or | BinaryOp::Xor => {
                let all = a | self.max(rhs, facts, depth);
                Some(u64::MAX.checked_shr(all.leading_zeros()).unwrap_or(0))
            }
            BinaryOp::Add => match known {
                // The constant is negative: no more than the other, if that is large enough.
                Some(number) if !self.is_positive(value, number) => {
                    let less = whole.wrapping_sub(number).wrapping_add(1);
                    self.is_at_least_number(lhs, less, facts).then_some(a)
                }
                _ => fits(a.checked_add(self.max(rhs, facts, depth))),
            },
            BinaryOp::Sub => {
                let from = self.view.constant_int(lhs);
                let b = self.max(rhs, facts, depth);
                if from.is_some_and(|from| b <= from) || is_at_least(lhs, rhs, facts) {
                    return Some(a);
                }
                let less = known.filter(|&number| self.is_positive(value, number))?;
                self.is_at_least_number(lhs, less, facts).then_some(a)
            }
            BinaryOp::Mul => fits(a.checked_mul(self.max(rhs, facts, depth))),
            BinaryOp::Shl => {
                let by = known.filter(|&by| by < 32)?;
                fits(a.checked_mul(1 << by))
            }
            // Amounts beyond the width are taken modulo the width.
            BinaryOp::LShr => Some(a >> known.filter(|&by| by < 32).unwrap_or(0)),
            BinaryOp::AShr if self.is_positive(value, a) => {
                Some(a >> known.filter(|&by| by < 32).unwrap_or(0))
            }
            // D3D12 defines the results of a division by 0: all bits.
            BinaryOp::UDiv => known.filter(|&number| number > 0).map(|number| a / number),
            BinaryOp::URem => {
                let number = known.filter(|&number| number > 0)?;
                Some(a.min(number - 1))
            }
            BinaryOp::SDiv | BinaryOp::SRem if self.is_positive(value, a) => match known {
                Some(number) if number > 0 && self.is_positive(value, number) => Some(match op {
                    BinaryOp::SDiv => a / number,
                    _ => a.min(number - 1),
                }),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns whether a fact says that a value is not less than a number.
    fn is_at_least_number(&self, value: ValueId, number: u64, facts: &Facts) -> bool {
        facts.iter().any(|fact| {
            let (predicate, other) = if fact.lhs == value {
                (fact.predicate, fact.rhs)
            } else if fact.rhs == value {
                (fact.predicate.swapped(), fact.lhs)
            } else {
                return false;
            };
            let Some(other) = self.view.constant_int(other) else {
                return false;
            };
            match predicate {
                CmpPredicate::IUge | CmpPredicate::IEq => other >= number,
                CmpPredicate::IUgt => other >= number.saturating_sub(1),
                CmpPredicate::INe => other == 0 && number <= 1,
                _ => false,
            }
        })
    }

    fn cast(
        &mut self,
        value: ValueId,
        op: CastOp,
        inner: ValueId,
        facts: &Facts,
        depth: u32,
    ) -> Option<u64> {
        let max = self.max(inner, facts, depth);
        match op {
            CastOp::ZExt => Some(max),
            CastOp::SExt if self.is_positive(inner, max) => Some(max),
            CastOp::Trunc if max <= self.type_max(value) => Some(max),
            _ => None,
        }
    }

    /// Bounds a phi by the values that come in, those of loops by the conditions of the back edge.
    fn phi(&mut self, phi: ValueId, edges: &[(ValueId, BlockId)], depth: u32) -> Option<u64> {
        if self.open.contains(&phi) || edges.len() > 16 {
            return None;
        }
        let to = self.block_of(phi)?;
        self.open.push(phi);
        let mut max = Some(0);
        // First what does not come from the phi itself, which induction starts from.
        let (again, first): (Vec<_>, Vec<_>) = edges
            .iter()
            .copied()
            .partition(|&(value, _)| self.step_of(phi, value).is_some());
        for (value, from) in first {
            let mut facts = self.facts_in(from);
            self.facts_of_edge(from, to, &mut facts);
            let incoming = self.max(value, &facts, depth);
            max = max.map(|max| max.max(incoming));
        }
        let is_up = |&(value, _): &(ValueId, BlockId)| {
            matches!(self.step_of(phi, value), Some(Step::Up(_)))
        };
        if again.iter().filter(|edge| is_up(edge)).count() > 1 {
            self.open.pop();
            return None;
        }
        for (value, from) in again {
            let start = max?;
            let bound = match self.step_of(phi, value)? {
                Step::Down => start,
                Step::Up(step) => {
                    let mut facts = self.facts_in(from);
                    self.facts_of_edge(from, to, &mut facts);
                    let first = edges.iter().map(|&(value, _)| value);
                    let first = first
                        .filter(|&it| it != value)
                        .collect::<SmallVec<[_; 4]>>();
                    let bound = self.induction(phi, value, step, start, &first, &facts, depth);
                    let Some(bound) = bound else {
                        self.open.pop();
                        return None;
                    };
                    bound
                }
            };
            max = max.map(|max| max.max(bound));
        }
        self.open.pop();
        max
    }

    /// Bounds the next value of a phi that a loop counts up, on the back edge.
    #[allow(clippy::too_many_arguments, reason = "one value each")]
    fn induction(
        &mut self,
        phi: ValueId,
        next: ValueId,
        step: u64,
        start: u64,
        first: &[ValueId],
        facts: &Facts,
        depth: u32,
    ) -> Option<u64> {
        for fact in facts {
            let (predicate, of, other) = if fact.lhs == phi || fact.lhs == next {
                (fact.predicate, fact.lhs, fact.rhs)
            } else if fact.rhs == phi || fact.rhs == next {
                (fact.predicate.swapped(), fact.rhs, fact.lhs)
            } else {
                continue;
            };
            let end = self.max(other, facts, depth + 8);
            // Numbers stay small, so that neither the sum nor the sign overflows.
            if !self.is_positive(phi, end.saturating_add(step)) || !self.is_positive(phi, start) {
                continue;
            }
            let last = match predicate {
                CmpPredicate::IUlt => end.checked_sub(1)?,
                CmpPredicate::IUle => end,
                // By induction: what came before is between 0 and the end, so the next is positive.
                CmpPredicate::ISlt if start < end => end - 1,
                CmpPredicate::ISle if start <= end => end,
                // Counting by steps from below meets the end exactly.
                CmpPredicate::INe => {
                    let end = self.view.constant_int(other)?;
                    let [first] = first else {
                        continue;
                    };
                    let is_met = match self.view.constant_int(*first) {
                        Some(first) => first < end && (end - first).is_multiple_of(step),
                        None => step == 1 && start < end,
                    };
                    if !is_met {
                        continue;
                    }
                    // The value before the last step, if that is what is compared.
                    end - step.min(end)
                }
                _ => continue,
            };
            return Some(if of == phi {
                last.checked_add(step)?
            } else {
                last
            });
        }
        None
    }

    /// Returns how a value follows from a phi; `None` if it does not.
    fn step_of(&self, phi: ValueId, value: ValueId) -> Option<Step> {
        if value == phi {
            return Some(Step::Down);
        }
        let Inst::Binary { op, lhs, rhs, .. } = self.inst(value)? else {
            return None;
        };
        let number = self.view.constant_int(rhs);
        match op {
            BinaryOp::Add if lhs == phi => {
                let step = number.filter(|&step| step > 0 && self.is_positive(phi, step))?;
                Some(Step::Up(step))
            }
            BinaryOp::LShr if lhs == phi => Some(Step::Down),
            BinaryOp::UDiv | BinaryOp::URem if lhs == phi && number.is_some_and(|it| it > 0) => {
                Some(Step::Down)
            }
            BinaryOp::And if lhs == phi || rhs == phi => Some(Step::Down),
            _ => None,
        }
    }

    fn block_of(&self, phi: ValueId) -> Option<BlockId> {
        let ValueDef::Inst(inst) = self.view.value(phi)?.def else {
            return None;
        };
        // Instructions of a block are contiguous and blocks in order, so a search finds it.
        let blocks = &self.view.function.blocks;
        let (mut low, mut high) = (0, blocks.len() as u32);
        while low < high {
            let middle = low + (high - low) / 2;
            let mut insts = blocks.get(BlockId::from_u32(middle))?.insts();
            let last = insts.next_back()?;
            if last < inst {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Some(BlockId::from_u32(low))
    }

    fn operation(&mut self, call: &Inst, facts: &Facts, depth: u32) -> Option<u64> {
        let arguments = op_arguments(self.view, &self.shader.callees, call)?;
        let [x, y, z] = self.threads;
        match decode(self.view, arguments).ok()? {
            Op::ThreadId(ThreadIdOp::FlattenedThreadIdInGroup(_)) => (x * y * z).checked_sub(1),
            Op::ThreadId(ThreadIdOp::ThreadIdInGroup(op)) => {
                self.threads.get(op.component as usize)?.checked_sub(1)
            }
            Op::Integer(IntegerOp::UMin(op)) => {
                let a = self.max(op.a, facts, depth);
                Some(a.min(self.max(op.b, facts, depth)))
            }
            Op::Integer(IntegerOp::UMax(op)) => {
                let a = self.max(op.a, facts, depth);
                Some(a.max(self.max(op.b, facts, depth)))
            }
            Op::Integer(IntegerOp::IMin(op)) => {
                let a = self.max(op.a, facts, depth);
                let b = self.max(op.b, facts, depth);
                let positive = self.is_positive(op.a, a) && self.is_positive(op.b, b);
                positive.then_some(a.min(b))
            }
            Op::Integer(IntegerOp::IMax(op)) => {
                let a = self.max(op.a, facts, depth);
                let b = self.max(op.b, facts, depth);
                let (is_a, is_b) = (self.is_positive(op.a, a), self.is_positive(op.b, b));
                match (is_a, is_b) {
                    (true, true) => Some(a.max(b)),
                    (false, false) => None,
                    // One is not negative, so the larger one is not.
                    _ => Some(self.type_max(op.a) / 2),
                }
            }
            Op::Integer(IntegerOp::IMad(op)) => self.multiply_add(op.a, op.b, op.c, facts, depth),
            Op::Integer(IntegerOp::UMad(op)) => self.multiply_add(op.a, op.b, op.c, facts, depth),
            _ => None,
        }
    }

    fn multiply_add(
        &mut self,
        a: ValueId,
        b: ValueId,
        c: ValueId,
        facts: &Facts,
        depth: u32,
    ) -> Option<u64> {
        let whole = self.type_max(a);
        let [a, b, c] = [a, b, c].map(|value| self.max(value, facts, depth));
        a.checked_mul(b)?.checked_add(c).filter(|&max| max <= whole)
    }
}

/// How a phi goes on in a loop.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// It does not grow.
    Down,
    /// It grows by a constant.
    Up(u64),
}

/// Returns whether a fact says that one value is not less than another.
fn is_at_least(a: ValueId, b: ValueId, facts: &Facts) -> bool {
    facts.iter().any(|fact| {
        let predicate = if (fact.lhs, fact.rhs) == (a, b) {
            fact.predicate
        } else if (fact.lhs, fact.rhs) == (b, a) {
            fact.predicate.swapped()
        } else {
            return false;
        };
        matches!(
            predicate,
            CmpPredicate::IUge | CmpPredicate::IUgt | CmpPredicate::IEq
        )
    })
}
