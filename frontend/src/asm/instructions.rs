//! Arithmetic, members, vectors and control flow.

use cranelift_entity::packed_option::PackedOption;

use super::function::FunctionReader;
use super::names;
use crate::bitcode::codes::flags_of;
use crate::error::Result;
use crate::ir::{CastOp, FastMath, Inst, List, Type, TypeId};

impl FunctionReader<'_, '_> {
    /// Reads an instruction without its result. Returns it with the type of its result.
    pub(super) fn operation(&mut self) -> Result<(Inst, TypeId)> {
        let word = self.parser.word()?;
        if let Some(op) = names::binary_op(word) {
            let fast_math = self.flags(flags_of(op))?;
            let (lhs, ty) = self.typed()?;
            self.comma()?;
            let rhs = self.value(ty)?;
            let inst = Inst::Binary {
                op,
                fast_math,
                lhs,
                rhs,
            };
            return Ok((inst, ty));
        }
        if let Some(op) = names::cast_op(word) {
            return self.cast(op);
        }
        match word {
            "icmp" | "fcmp" => self.compare(word),
            "select" => self.select(),
            "phi" => self.phi(),
            "ret" => self.ret_instruction(),
            "br" => self.branch(),
            "switch" => self.switch(),
            "unreachable" => Ok((Inst::Unreachable, self.void())),
            "extractvalue" | "insertvalue" => self.member_access(word == "insertvalue"),
            "extractelement" | "insertelement" | "shufflevector" => self.vector(word),
            "call" => self.call(),
            "tail" | "musttail" => {
                self.parser.expect_word("call")?;
                self.call()
            }
            _ => self.memory(word),
        }
    }

    /// Reads flags, of those that the instruction can have.
    fn flags(&mut self, allowed: FastMath) -> Result<FastMath> {
        let mut flags = FastMath::empty();
        while let Some(flag) = self.parser.peek_word().and_then(names::flag) {
            if !allowed.contains(flag) {
                return Err(self.parser.error("a flag that the instruction cannot have"));
            }
            flags |= flag;
            self.parser.at += 1;
        }
        Ok(flags)
    }

    fn cast(&mut self, op: CastOp) -> Result<(Inst, TypeId)> {
        let (value, _) = self.typed()?;
        self.parser.expect_word("to")?;
        let ty = self.ty()?;
        Ok((Inst::Cast { op, value }, ty))
    }

    fn compare(&mut self, instruction: &str) -> Result<(Inst, TypeId)> {
        let allowed = match instruction {
            "fcmp" => FastMath::FLOATING_POINT,
            _ => FastMath::empty(),
        };
        let fast_math = self.flags(allowed)?;
        let word = self.parser.word()?;
        let predicate = names::predicate(instruction, word);
        let predicate = predicate.ok_or_else(|| self.parser.error("an unknown comparison"))?;
        let (lhs, ty) = self.typed()?;
        self.comma()?;
        let rhs = self.value(ty)?;
        let i1 = self.tables.types.int(1);
        let result = match *self.tables.types.table.get(ty) {
            Type::Vector { count, .. } => self
                .tables
                .types
                .intern(Type::Vector { element: i1, count }),
            _ => i1,
        };
        let inst = Inst::Cmp {
            predicate,
            fast_math,
            lhs,
            rhs,
        };
        Ok((inst, result))
    }

    fn select(&mut self) -> Result<(Inst, TypeId)> {
        let (condition, _) = self.typed()?;
        self.comma()?;
        let (if_true, ty) = self.typed()?;
        self.comma()?;
        let (if_false, _) = self.typed()?;
        let inst = Inst::Select {
            condition,
            if_true,
            if_false,
        };
        Ok((inst, ty))
    }

    fn phi(&mut self) -> Result<(Inst, TypeId)> {
        let ty = self.ty()?;
        let mut edges = Vec::new();
        loop {
            self.parser.expect(b'[')?;
            let value = self.value(ty)?;
            self.comma()?;
            let block = self.block_name()?;
            self.parser.expect(b']')?;
            edges.push((value, block));
            if !self.more() {
                break;
            }
        }
        let incoming = self.edges(&edges);
        Ok((Inst::Phi { incoming }, ty))
    }

    fn ret_instruction(&mut self) -> Result<(Inst, TypeId)> {
        let ty = self.ty()?;
        if ty != self.ret() {
            return Err(self.parser.error("the function returns another type"));
        }
        let value = if ty == self.void() {
            None
        } else {
            Some(self.value(ty)?)
        };
        let value = PackedOption::from(value);
        Ok((Inst::Ret { value }, self.void()))
    }

    fn branch(&mut self) -> Result<(Inst, TypeId)> {
        if self.parser.peek_word() == Some("label") {
            let target = self.label()?;
            return Ok((Inst::Br { target }, self.void()));
        }
        let (condition, _) = self.typed()?;
        self.comma()?;
        let if_true = self.label()?;
        self.comma()?;
        let if_false = self.label()?;
        let inst = Inst::CondBr {
            condition,
            if_true,
            if_false,
        };
        Ok((inst, self.void()))
    }

    fn switch(&mut self) -> Result<(Inst, TypeId)> {
        let (value, _) = self.typed()?;
        self.comma()?;
        let default = self.label()?;
        self.parser.expect(b'[')?;
        let mut edges = Vec::new();
        while !self.parser.take(b']') {
            let (case, _) = self.typed()?;
            self.comma()?;
            edges.push((case, self.label()?));
        }
        let cases = self.edges(&edges);
        let inst = Inst::Switch {
            value,
            default,
            cases,
        };
        Ok((inst, self.void()))
    }

    fn member_access(&mut self, is_insert: bool) -> Result<(Inst, TypeId)> {
        let (aggregate, ty) = self.typed()?;
        let value = if is_insert {
            self.comma()?;
            Some(self.typed()?.0)
        } else {
            None
        };
        let start = self.table.number_pool.len();
        let mut member = ty;
        while self.more() {
            let index: u32 = self.parser.number("a member's index")?;
            let inner = self.tables.types.member(member, Some(u64::from(index)));
            member = inner.ok_or_else(|| self.parser.error("an index names no member"))?;
            self.table.number_pool.push(u64::from(index));
        }
        let indices = List::from_range(start..self.table.number_pool.len());
        Ok(match value {
            Some(value) => {
                let inst = Inst::InsertValue {
                    aggregate,
                    value,
                    indices,
                };
                (inst, ty)
            }
            None => (Inst::ExtractValue { aggregate, indices }, member),
        })
    }

    fn vector(&mut self, word: &str) -> Result<(Inst, TypeId)> {
        let (first, ty) = self.typed()?;
        let Type::Vector { element, .. } = *self.tables.types.table.get(ty) else {
            return Err(self.parser.error("a value is not a vector"));
        };
        self.comma()?;
        let (second, _) = self.typed()?;
        if word == "extractelement" {
            let inst = Inst::ExtractElement {
                vector: first,
                index: second,
            };
            return Ok((inst, element));
        }
        self.comma()?;
        let (third, third_ty) = self.typed()?;
        if word == "insertelement" {
            let inst = Inst::InsertElement {
                vector: first,
                value: second,
                index: third,
            };
            return Ok((inst, ty));
        }
        let Type::Vector { count, .. } = *self.tables.types.table.get(third_ty) else {
            return Err(self.parser.error("a shuffle's mask is not a vector"));
        };
        let inst = Inst::ShuffleVector {
            a: first,
            b: second,
            mask: third,
        };
        let result = self.tables.types.intern(Type::Vector { element, count });
        Ok((inst, result))
    }
}
