//! Denormals of single precision where they count as zero: they are flushed on input and output of
//! arithmetic (D3D11.3 functional specification, 3.1.3.2).
//!
//! Results of arithmetic are flushed where they are made, so that an operand costs an instruction
//! only where it may come from memory, an argument or a bit cast. Such a value is flushed once,
//! after the instruction that makes it.

use dxil_frontend::dxil::ops::{CalleeTable, Op, VectorOp, decode, op_arguments};
use dxil_frontend::ir::{
    BinaryOp, CastOp, Constant, FuncView, Inst, Type, TypeId, ValueDef, ValueId,
};

/// It may be a denormal.
pub(super) const UNFLUSHED: u8 = 1;
/// Arithmetic reads it.
pub(super) const READ: u8 = 2;
/// Arithmetic reads its first member; the next bits stand for the members after that.
pub(super) const FIRST_MEMBER: u8 = 4;
pub(super) const MAX_MEMBERS: u64 = 4;

/// Whether a number of single precision, as its bits, is a denormal.
pub(super) fn is_denormal(bits: u32) -> bool {
    bits & 0x7f80_0000 == 0 && bits & 0x007f_ffff != 0
}

/// Facts about the values of a function.
#[derive(Debug, Default)]
pub(super) struct Denormals {
    first_value: u32,
    facts: Vec<u8>,
}

impl Denormals {
    pub(super) fn new(view: FuncView<'_>, callees: &CalleeTable) -> Denormals {
        let mut finder = Finder {
            view,
            facts: Denormals {
                first_value: view.function.first_value,
                facts: Vec::new(),
            },
            copies: Vec::new(),
            extracts: Vec::new(),
            queue: Vec::new(),
        };
        for argument in 0..view.function.arg_count {
            finder.unflushed(argument);
        }
        for (_, data) in &view.function.insts {
            if let Some(result) = data.result.expand() {
                finder.result(&data.inst, data.ty, result, callees);
            }
        }
        finder.spread();
        for (aggregate, member, extract) in finder.extracts {
            if finder.facts.of(extract) & READ != 0
                && let Some(number) = aggregate.as_u32().checked_sub(finder.facts.first_value)
            {
                finder.facts.add(number, FIRST_MEMBER << member);
            }
        }
        finder.facts
    }

    pub(super) fn of(&self, value: ValueId) -> u8 {
        let number = value.as_u32().checked_sub(self.first_value);
        number.map_or(UNFLUSHED, |number| {
            self.facts.get(number as usize).copied().unwrap_or(0)
        })
    }

    fn add(&mut self, number: u32, fact: u8) {
        let number = number as usize;
        if self.facts.len() <= number {
            self.facts.resize(number + 1, 0);
        }
        self.facts[number] |= fact;
    }
}

struct Finder<'a> {
    view: FuncView<'a>,
    facts: Denormals,
    /// Pairs of values of the function, by their numbers: the second may be the first.
    copies: Vec<(u32, u32)>,
    /// Members that are taken out of aggregates.
    extracts: Vec<(ValueId, u64, ValueId)>,
    /// Values that may be denormals, whose copies are still to be found.
    queue: Vec<u32>,
}

impl Finder<'_> {
    fn unflushed(&mut self, number: u32) {
        let known = self.facts.facts.get(number as usize).copied().unwrap_or(0);
        if known & UNFLUSHED == 0 {
            self.facts.add(number, UNFLUSHED);
            self.queue.push(number);
        }
    }

    fn number(&self, value: ValueId) -> Option<u32> {
        value.as_u32().checked_sub(self.facts.first_value)
    }

    fn read(&mut self, value: ValueId) {
        if let Some(number) = self.number(value) {
            self.facts.add(number, READ);
        }
    }

    fn copy(&mut self, from: ValueId, to: u32) {
        if let Some(from) = self.number(from) {
            let is_constant = self
                .view
                .value(ValueId::from_u32(from + self.facts.first_value));
            if !is_constant.is_some_and(|value| matches!(value.def, ValueDef::Constant(_))) {
                self.copies.push((from, to));
                return;
            }
        }
        let is_flushed = self.view.value(from).is_some_and(|value| match value.def {
            ValueDef::Constant(Constant::Float(bits)) => !is_denormal(bits as u32),
            ValueDef::Constant(Constant::Null | Constant::Undef) => true,
            _ => false,
        });
        if !is_flushed {
            self.unflushed(to);
        }
    }

    fn result(&mut self, inst: &Inst, ty: TypeId, result: ValueId, callees: &CalleeTable) {
        let Some(to) = self.number(result) else {
            return;
        };
        let function = self.view.function;
        match *inst {
            Inst::Binary { op, lhs, rhs, .. } => match op {
                // A negation.
                BinaryOp::FSub if is_minus_zero(self.view, lhs) => self.copy(rhs, to),
                BinaryOp::FAdd
                | BinaryOp::FSub
                | BinaryOp::FMul
                | BinaryOp::FDiv
                | BinaryOp::FRem => {
                    self.read(lhs);
                    self.read(rhs);
                }
                _ => self.unflushed(to),
            },
            Inst::Cmp {
                predicate,
                lhs,
                rhs,
                ..
            } => {
                if predicate.is_float() {
                    self.read(lhs);
                    self.read(rhs);
                }
                self.unflushed(to);
            }
            Inst::Cast { op, value } => match op {
                CastOp::UiToFp | CastOp::SiToFp | CastOp::FpTrunc => {}
                // Denormals of half precision are no denormals of single precision.
                CastOp::FpExt => self.read(value),
                _ => self.unflushed(to),
            },
            Inst::Select {
                if_true, if_false, ..
            } => {
                self.copy(if_true, to);
                self.copy(if_false, to);
            }
            Inst::Phi { incoming } => {
                for &(value, _) in function.edges_of(incoming) {
                    self.copy(value, to);
                }
            }
            Inst::ExtractValue { aggregate, indices } => {
                self.copy(aggregate, to);
                if let [index @ 0..MAX_MEMBERS] = *function.indices_of(indices) {
                    self.extracts.push((aggregate, index, result));
                }
            }
            Inst::ExtractElement { vector, .. } => self.copy(vector, to),
            Inst::InsertValue {
                aggregate, value, ..
            } => {
                self.copy(aggregate, to);
                self.copy(value, to);
            }
            Inst::InsertElement { vector, value, .. } => {
                self.copy(vector, to);
                self.copy(value, to);
            }
            Inst::ShuffleVector { a, b, .. } => {
                self.copy(a, to);
                self.copy(b, to);
            }
            Inst::Call { .. } => {
                let types = &self.view.module.types;
                let is_number = matches!(
                    types.get(types.scalar_of(ty)),
                    Type::Float | Type::Half | Type::Double | Type::Int(1)
                );
                let args = op_arguments(self.view, callees, inst).filter(|_| is_number);
                let op = args.and_then(|args| decode(self.view, args).ok());
                match (op, args) {
                    (Some(Op::Float(_) | Op::Vector(VectorOp::FDot(_))), Some(args)) => {
                        args.iter().for_each(|&arg| self.read(arg));
                    }
                    _ => self.unflushed(to),
                }
            }
            _ => self.unflushed(to),
        }
    }

    /// Follows values that may be denormals to their copies.
    fn spread(&mut self) {
        self.copies.sort_unstable();
        while let Some(from) = self.queue.pop() {
            let first = self.copies.partition_point(|copy| copy.0 < from);
            let mut at = first;
            while let Some(&(_, to)) = self.copies.get(at).filter(|copy| copy.0 == from) {
                self.unflushed(to);
                at += 1;
            }
        }
    }
}

fn is_minus_zero(view: FuncView<'_>, value: ValueId) -> bool {
    let Some(data) = view.value(value) else {
        return false;
    };
    let sign = match view.module.types.get(data.ty) {
        Type::Half => 1 << 15,
        Type::Double => 1 << 63,
        _ => 1 << 31,
    };
    data.def == ValueDef::Constant(Constant::Float(sign))
}
