//! Chooses the vectors that stay whole: those for which that takes fewer words of SPIR-V.
//!
//! Vectors that meet in an operation form a web, whose members stay whole together or not at all.
//! An operation is one instruction then instead of one per element. In return a web has to be put
//! together where its elements are computed one by one, and taken apart where they are used one by
//! one. The costs are estimates: how a buffer is laid out is not known yet.

use dxil_frontend::dxil::ops::{Callee, Group, Opcode, decode_opcode};
use dxil_frontend::ir::{Inst, InstData, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};

use crate::vectors::rewrite::state::VectorRewrite;
use crate::vectors::rules::MAX_SELECTED;

/// Words of an instruction with a result and one or two operands.
const INSTRUCTION: u32 = 5;
/// Words of `OpCompositeConstruct` besides the elements.
const CONSTRUCT: u32 = 3;

/// The webs of a function.
#[derive(Default)]
struct Webs {
    /// The number of each vector.
    numbers: HashMap<ValueId, usize>,
    /// A vector of the same web for each, itself for one of them.
    parents: Vec<usize>,
    /// Words with wholes less those with elements, of the vectors that stand for their webs.
    balance: Vec<i64>,
    /// Vectors whose elements are known one by one.
    apart: HashSet<ValueId>,
    /// Those of them that are put together.
    put_together: HashSet<ValueId>,
}

impl Webs {
    fn number(&mut self, vector: ValueId) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(vector).or_insert(next);
        if number == next {
            self.parents.push(next);
            self.balance.push(0);
        }
        number
    }

    fn root(&mut self, mut number: usize) -> usize {
        while let Some(&parent) = self.parents.get(number)
            && parent != number
        {
            let above = self.parents.get(parent).copied().unwrap_or(parent);
            if let Some(slot) = self.parents.get_mut(number) {
                *slot = above;
            }
            number = above;
        }
        number
    }

    fn unite(&mut self, a: ValueId, b: ValueId) {
        let [a, b] = [self.number(a), self.number(b)];
        let [a, b] = [self.root(a), self.root(b)];
        if a != b {
            let moved = self.balance.get(b).copied().unwrap_or(0);
            if let Some(slot) = self.balance.get_mut(a) {
                *slot += moved;
            }
            if let Some(slot) = self.parents.get_mut(b) {
                *slot = a;
            }
        }
    }

    /// Counts the words of code for a vector, as a whole and by its elements.
    fn count(&mut self, vector: ValueId, whole: u32, elements: u32) {
        let number = self.number(vector);
        let root = self.root(number);
        if let Some(slot) = self.balance.get_mut(root) {
            *slot += i64::from(whole) - i64::from(elements);
        }
    }

    /// Counts a use of a whole vector of that size.
    fn whole_use(&mut self, vector: ValueId, size: u32) {
        if self.apart.contains(&vector) && self.put_together.insert(vector) {
            self.count(vector, CONSTRUCT + size, 0);
        } else {
            self.number(vector);
        }
    }

    /// Counts a use of all elements of a vector of that size.
    fn element_use(&mut self, vector: ValueId, size: u32) {
        if !self.apart.contains(&vector) {
            self.count(vector, INSTRUCTION * size, 0);
        }
    }
}

impl VectorRewrite<'_, '_, '_> {
    /// Returns the vectors that stay whole.
    pub(super) fn choose_wholes(&self) -> HashSet<ValueId> {
        let mut webs = Webs::default();
        let function = self.old.function;
        for index in 0..function.arg_count {
            let argument = ValueId::from_u32(function.first_value + index);
            if let Some(size) = self.size_of(argument) {
                webs.count(argument, 0, INSTRUCTION * size);
            }
        }
        for data in function.insts.values() {
            self.weigh(data, &mut webs);
        }
        let numbered: Vec<(ValueId, usize)> = webs.numbers.clone().into_iter().collect();
        let mut kept = HashSet::default();
        for (vector, number) in numbered {
            let root = webs.root(number);
            if webs.balance.get(root).is_some_and(|&balance| balance <= 0) {
                kept.insert(vector);
            }
        }
        kept
    }

    /// Returns the number of elements of a vector that may stay whole and that code computes.
    fn size_of(&self, value: ValueId) -> Option<u32> {
        let (_, count) = self.vector(value)?;
        let may_stay = self.whole.keep(count) && self.old.constant(value).is_none();
        may_stay.then_some(count)
    }

    fn weigh(&self, data: &InstData, webs: &mut Webs) {
        let function = self.old.function;
        let result = data.result.expand();
        let own = result.and_then(|result| Some((result, self.size_of(result)?)));
        match data.inst {
            Inst::ExtractElement { vector, index } => {
                let Some(size) = self.size_of(vector) else {
                    return;
                };
                if self.old.constant_int(index).is_some() {
                    if !webs.apart.contains(&vector) {
                        webs.count(vector, INSTRUCTION, 0);
                    }
                    return;
                }
                webs.whole_use(vector, size);
                let elements = if size > MAX_SELECTED {
                    2 * INSTRUCTION * size
                } else {
                    2 * INSTRUCTION * (size - 1)
                };
                webs.count(vector, INSTRUCTION, elements);
            }
            Inst::InsertElement { vector, index, .. } => {
                let Some((result, size)) = own else {
                    return;
                };
                let base = self.size_of(vector).map(|_| vector);
                let is_constant = self.old.constant_int(index).is_some();
                if is_constant && base.is_none_or(|base| webs.apart.contains(&base)) {
                    webs.apart.insert(result);
                    return;
                }
                if let Some(base) = base {
                    webs.whole_use(base, size);
                    webs.unite(base, result);
                }
                let elements = if is_constant {
                    0
                } else {
                    2 * INSTRUCTION * size
                };
                webs.count(result, INSTRUCTION + 1, elements);
            }
            Inst::ShuffleVector { a, b, .. } => {
                let sources = [a, b].map(|vector| Some((vector, self.size_of(vector)?)));
                let whole = |webs: &Webs| {
                    let mut known = sources.iter().flatten();
                    known.any(|(vector, _)| !webs.apart.contains(vector))
                };
                let Some((result, size)) = own else {
                    for (vector, size) in sources.into_iter().flatten() {
                        webs.element_use(vector, size);
                    }
                    return;
                };
                if !whole(webs) {
                    webs.apart.insert(result);
                    return;
                }
                for (vector, size) in sources.into_iter().flatten() {
                    webs.whole_use(vector, size);
                    webs.unite(vector, result);
                }
                webs.count(result, INSTRUCTION + size, 0);
            }
            Inst::Call { args, .. } => self.weigh_call(data, function.values_of(args), own, webs),
            Inst::Load { .. } | Inst::ExtractValue { .. } => {
                if let Some((result, size)) = own {
                    webs.count(result, 0, INSTRUCTION * size);
                }
            }
            Inst::Store { value, .. } | Inst::InsertValue { value, .. } => {
                self.weigh_stored(value, webs);
            }
            Inst::Ret { value } => {
                if let Some(value) = value.expand() {
                    self.weigh_stored(value, webs);
                }
            }
            Inst::Cast { value, .. } if self.size_of(value) != own.map(|(_, size)| size) => {
                if let Some(size) = self.size_of(value) {
                    webs.element_use(value, size);
                }
                webs.apart.extend(own.map(|(result, _)| result));
            }
            _ => {
                let mut operands = 0;
                function.for_each_operand(&data.inst, |value| {
                    operands += 1;
                    if let (Some(size), Some((result, _))) = (self.size_of(value), own) {
                        webs.whole_use(value, size);
                        webs.unite(value, result);
                    }
                });
                if let Some((result, size)) = own {
                    let words = INSTRUCTION + operands;
                    webs.count(result, words, words * size);
                }
            }
        }
    }

    /// Weighs a vector that goes into memory, an aggregate or a function.
    fn weigh_stored(&self, value: ValueId, webs: &mut Webs) {
        if let Some(size) = self.size_of(value) {
            webs.whole_use(value, size);
            webs.count(value, 0, CONSTRUCT + size);
        }
    }

    fn weigh_call(
        &self,
        data: &InstData,
        args: &[ValueId],
        own: Option<(ValueId, u32)>,
        webs: &mut Webs,
    ) {
        let Inst::Call { callee, .. } = data.inst else {
            return;
        };
        let vectors = args
            .iter()
            .filter_map(|&arg| Some((arg, self.size_of(arg)?)));
        let function = self.old.as_function(callee);
        if !matches!(
            function.map(|it| self.shader.callees[it]),
            Some(Callee::DxOp(_))
        ) {
            for (vector, _) in vectors {
                self.weigh_stored(vector, webs);
            }
            if let Some((result, size)) = own {
                webs.count(result, 0, INSTRUCTION * size);
            }
            return;
        }
        let opcode = decode_opcode(self.old, args).ok();
        let Some(opcode) = opcode.filter(|&opcode| self.has_whole_form(opcode, data, args)) else {
            for (vector, size) in vectors {
                webs.element_use(vector, size);
            }
            webs.apart.extend(own.map(|(result, _)| result));
            return;
        };
        let mut first = own.map(|(result, _)| result);
        let mut size = own.map_or(0, |(_, size)| size);
        for (vector, count) in vectors {
            webs.whole_use(vector, count);
            if let Some(first) = first {
                webs.unite(first, vector);
            }
            first.get_or_insert(vector);
            size = count;
        }
        let Some(first) = first else {
            return;
        };
        let (whole, elements) = match opcode {
            // Rows of a buffer take and give vectors, single words do not.
            Opcode::RawBufferVectorStore => (3 * size, 0),
            Opcode::FDot => (INSTRUCTION, 2 * INSTRUCTION * size),
            _ if opcode.properties().group == Group::Vector => (INSTRUCTION, INSTRUCTION * size),
            _ => (INSTRUCTION + 1, (INSTRUCTION + 1) * size),
        };
        webs.count(first, whole, elements);
    }
}
