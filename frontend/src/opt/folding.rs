//! Constant folding: values, branches, and what they leave of the blocks.

use cranelift_entity::EntityRef;

use super::context::Context;
use super::edges;
use super::scalars::{self, Scalar};
use crate::dxil::ops::{Callee, Opcode};
use crate::error::Result;
use crate::ir::{
    BinaryOp, BlockId, Constant, DraftFunction, DraftInst, Inst, InstData, TypeId, ValueDef,
    ValueId,
};
use crate::tables::HashMap;

/// Rounds over a body. Each folds what the one before has made constant; code of compilers takes
/// two or three.
const MAX_ROUNDS: usize = 8;

/// Folds a body.
pub(super) fn run(cx: &Context<'_>, draft: &mut DraftFunction) -> Result<()> {
    let mut folder = Folder {
        cx,
        draft,
        constants: HashMap::default(),
    };
    for _ in 0..MAX_ROUNDS {
        let has_folded = folder.instructions();
        let has_cut = folder.terminators();
        folder.draft.apply_replacements();
        edges::remove_unreachable(folder.draft);
        edges::join(folder.draft);
        folder.draft.apply_replacements();
        edges::remove_unreachable(folder.draft);
        if !has_folded && !has_cut {
            break;
        }
    }
    Ok(())
}

struct Folder<'a, 'd> {
    cx: &'a Context<'a>,
    draft: &'d mut DraftFunction,
    /// Constants that were made, by type and bits.
    constants: HashMap<(TypeId, u64), ValueId>,
}

impl Folder<'_, '_> {
    fn scalar(&self, value: ValueId) -> Option<Scalar> {
        let data = self.cx.view(self.draft).value(value)?;
        let bits = match data.def {
            ValueDef::Constant(Constant::Null) => 0,
            ValueDef::Constant(Constant::Int(bits) | Constant::Float(bits)) => bits,
            _ => return None,
        };
        Scalar::new(self.cx.module, data.ty, bits)
    }

    fn constant(&mut self, ty: TypeId, scalar: Scalar) -> ValueId {
        let bits = scalar.bits();
        if let Some(known) = self.constants.get(&(ty, bits)) {
            return *known;
        }
        let constant = match scalar {
            _ if bits == 0 => Constant::Null,
            Scalar::Int(..) => Constant::Int(bits),
            Scalar::F32(_) | Scalar::F64(_) => Constant::Float(bits),
        };
        let value = self.draft.value(ty, ValueDef::Constant(constant));
        self.constants.insert((ty, bits), value);
        value
    }

    /// Replaces instructions whose values are known. Returns whether there were any.
    fn instructions(&mut self) -> bool {
        let mut has_folded = false;
        for block in 0..self.draft.blocks.len() {
            let Some(lines) = self.draft.blocks.get_mut(block).map(std::mem::take) else {
                continue;
            };
            let mut kept: Vec<DraftInst> = Vec::with_capacity(lines.len());
            for line in lines {
                let folded = self.value_of(&line.data);
                match (folded, line.data.result.expand()) {
                    (Some(value), Some(result)) if value != result => {
                        self.draft.replace(result, value);
                        has_folded = true;
                    }
                    _ => kept.push(line),
                }
            }
            if let Some(slot) = self.draft.blocks.get_mut(block) {
                *slot = kept;
            }
        }
        has_folded
    }

    /// Returns the value that an instruction gives, if another one is the same.
    fn value_of(&mut self, data: &InstData) -> Option<ValueId> {
        let ty = data.ty;
        let scalar = match data.inst {
            Inst::Binary { op, lhs, rhs, .. } => {
                let (lhs, rhs) = (self.draft.resolved(lhs), self.draft.resolved(rhs));
                match (self.scalar(lhs), self.scalar(rhs)) {
                    (Some(a), Some(b)) => scalars::binary(op, a, b),
                    (None, Some(b)) => return self.identity(op, lhs, b, rhs),
                    (Some(a), None) if is_commutative(op) => {
                        return self.identity(op, rhs, a, lhs);
                    }
                    _ => None,
                }
            }
            Inst::Cast { op, value } => {
                let value = self.draft.resolved(value);
                let scalar = self.scalar(value)?;
                scalars::cast(self.cx.module, op, scalar, ty)
            }
            Inst::Cmp {
                predicate,
                lhs,
                rhs,
                ..
            } => {
                let lhs = self.scalar(self.draft.resolved(lhs))?;
                let rhs = self.scalar(self.draft.resolved(rhs))?;
                let holds = scalars::compare(predicate, lhs, rhs)?;
                Scalar::new(self.cx.module, ty, u64::from(holds))
            }
            Inst::Select {
                condition,
                if_true,
                if_false,
            } => {
                let if_true = self.draft.resolved(if_true);
                let if_false = self.draft.resolved(if_false);
                if if_true == if_false {
                    return Some(if_true);
                }
                let condition = self.scalar(self.draft.resolved(condition))?;
                let holds = condition.bits() != 0;
                return Some(if holds { if_true } else { if_false });
            }
            Inst::Phi { incoming } => {
                let own = data.result.expand()?;
                let edges = self.draft.function.edges_of(incoming).iter();
                let mut values = edges
                    .map(|(value, _)| self.draft.resolved(*value))
                    .filter(|value| *value != own);
                // If all ways bring one value, its definition is in front of all of them.
                let first = values.next()?;
                return values.all(|value| value == first).then_some(first);
            }
            Inst::Call { callee, args, .. } => {
                let function = self.cx.view(self.draft).as_function(callee)?;
                if !matches!(self.cx.callees.get(function), Some(Callee::DxOp(_))) {
                    return None;
                }
                let args = self.draft.function.values_of(args).iter();
                let args: Option<smallvec::SmallVec<[Scalar; 4]>> = args
                    .map(|arg| self.scalar(self.draft.resolved(*arg)))
                    .collect();
                let args = args?;
                let (number, args) = args.split_first()?;
                let op = Opcode::from_number(number.bits()).ok()?;
                scalars::operation(op, args)
            }
            _ => None,
        };
        Some(self.constant(ty, scalar?))
    }

    /// Returns the value of an operation on integers with one constant, if it is that constant or
    /// the other operand. Floats have no such operands: `x + 0` is not `x` for a negative zero.
    fn identity(
        &self,
        op: BinaryOp,
        other: ValueId,
        constant: Scalar,
        itself: ValueId,
    ) -> Option<ValueId> {
        let Scalar::Int(width, bits) = constant else {
            return None;
        };
        let is_full = bits == u64::MAX >> (64 - width.clamp(1, 64));
        match (op, bits) {
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Or | BinaryOp::Xor, 0)
            | (BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, 0)
            | (BinaryOp::Mul | BinaryOp::UDiv | BinaryOp::SDiv, 1) => {
                // One bit is a sign, too: `sdiv i1 x, true` is a division by -1.
                (width > 1).then_some(other)
            }
            (BinaryOp::Mul | BinaryOp::And, 0) => Some(itself),
            (BinaryOp::And, _) if is_full => Some(other),
            (BinaryOp::Or, _) if is_full => Some(itself),
            _ => None,
        }
    }

    /// Makes jumps of branches whose way is known. Returns whether there were any.
    fn terminators(&mut self) -> bool {
        let mut has_cut = false;
        for block in 0..self.draft.blocks.len() {
            let last = self.draft.blocks.get(block).and_then(|lines| lines.last());
            let Some(taken) = last.and_then(|line| self.way(&line.data.inst)) else {
                continue;
            };
            let mut others = self.draft.successors(block);
            // One edge to the target stays.
            if let Some(at) = others.iter().position(|other| *other == taken) {
                others.remove(at);
            }
            for other in others {
                edges::remove_edges(self.draft, block, other.index(), 1);
            }
            let lines = self.draft.blocks.get_mut(block);
            if let Some(line) = lines.and_then(|lines| lines.last_mut()) {
                let ty = line.data.ty;
                *line = DraftInst::new(InstData {
                    inst: Inst::Br { target: taken },
                    ty,
                    result: None.into(),
                });
            }
            has_cut = true;
        }
        has_cut
    }

    /// Returns the only way that a branch goes.
    fn way(&self, inst: &Inst) -> Option<BlockId> {
        match *inst {
            Inst::CondBr {
                if_true, if_false, ..
            } if if_true == if_false => Some(if_true),
            Inst::CondBr {
                condition,
                if_true,
                if_false,
            } => {
                let condition = self.scalar(self.draft.resolved(condition))?;
                Some(if condition.bits() != 0 {
                    if_true
                } else {
                    if_false
                })
            }
            Inst::Switch {
                value,
                default,
                cases,
            } => {
                let value = self.scalar(self.draft.resolved(value))?;
                let mut cases = self.draft.function.edges_of(cases).iter();
                let case = cases.find(|(label, _)| self.scalar(*label) == Some(value));
                Some(case.map_or(default, |(_, target)| *target))
            }
            _ => None,
        }
    }
}

fn is_commutative(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor
    )
}
