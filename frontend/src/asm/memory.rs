//! Memory, addresses and atomic operations.

use super::function::FunctionReader;
use super::lexer::TokenKind;
use super::names;
use crate::error::Result;
use crate::ir::{AtomicOrdering, Inst, Type, TypeId, TypeList};

impl FunctionReader<'_, '_> {
    /// Reads an instruction that works on memory.
    pub(super) fn memory(&mut self, word: &str) -> Result<(Inst, TypeId)> {
        match word {
            "alloca" => self.alloca(),
            "load" => {
                let volatile = self.parser.take_word("volatile");
                let ty = self.ty()?;
                self.comma()?;
                let (pointer, _) = self.typed()?;
                let align = self.align()?;
                let inst = Inst::Load {
                    pointer,
                    align,
                    volatile,
                };
                Ok((inst, ty))
            }
            "store" => {
                let volatile = self.parser.take_word("volatile");
                let (value, _) = self.typed()?;
                self.comma()?;
                let (pointer, _) = self.typed()?;
                let align = self.align()?;
                let inst = Inst::Store {
                    pointer,
                    value,
                    align,
                    volatile,
                };
                Ok((inst, self.void()))
            }
            "getelementptr" => self.gep(),
            "atomicrmw" => self.atomic(),
            "cmpxchg" => self.exchange(),
            "fence" => {
                let ordering = self.ordering()?;
                Ok((Inst::Fence { ordering }, self.void()))
            }
            _ => Err(self.unknown(word)),
        }
    }

    /// Reads `, align n`, if that comes next; 0 if not.
    fn align(&mut self) -> Result<u32> {
        if !self.more() {
            return Ok(0);
        }
        self.parser.expect_word("align")?;
        self.parser.number("an alignment")
    }

    fn ordering(&mut self) -> Result<AtomicOrdering> {
        let ordering = names::ordering(self.parser.word()?);
        ordering.ok_or_else(|| self.parser.error("an unknown memory order"))
    }

    fn alloca(&mut self) -> Result<(Inst, TypeId)> {
        let allocated = self.ty()?;
        let i32_ty = self.tables.types.int(32);
        let mut count = None;
        let mut align = 0;
        while self.more() {
            if self.parser.peek() == Some(&TokenKind::Word("align".into())) {
                self.parser.at += 1;
                align = self.parser.number("an alignment")?;
            } else {
                count = Some(self.typed()?.0);
            }
        }
        let count = count.unwrap_or_else(|| self.table.int(i32_ty, 1));
        let ty = self.tables.types.pointer(allocated, 0);
        let inst = Inst::Alloca {
            allocated,
            count,
            align,
        };
        Ok((inst, ty))
    }

    fn gep(&mut self) -> Result<(Inst, TypeId)> {
        let inbounds = self.parser.take_word("inbounds");
        let pointee = self.ty()?;
        self.comma()?;
        let (base, base_ty) = self.typed()?;
        let address_space = match *self.tables.types.table.get(base_ty) {
            Type::Pointer {
                pointee: of,
                address_space,
            } if of == pointee => address_space,
            _ => return Err(self.parser.error("the address is of another type")),
        };
        let mut operands = vec![base];
        let mut ty = pointee;
        while self.more() {
            let (index, _) = self.typed()?;
            // The first index steps over whole objects.
            if operands.len() > 1 {
                let member = self.tables.types.member(ty, self.table.scalar(index));
                ty = member.ok_or_else(|| self.parser.error("an index names no member"))?;
            }
            operands.push(index);
        }
        let operands = self.list(&operands);
        let ty = self.tables.types.pointer(ty, address_space);
        Ok((Inst::Gep { inbounds, operands }, ty))
    }

    fn atomic(&mut self) -> Result<(Inst, TypeId)> {
        let volatile = self.parser.take_word("volatile");
        let op = names::atomic_op(self.parser.word()?);
        let op = op.ok_or_else(|| self.parser.error("an unknown atomic operation"))?;
        let (pointer, _) = self.typed()?;
        self.comma()?;
        let (value, ty) = self.typed()?;
        let inst = Inst::AtomicRmw {
            op,
            pointer,
            value,
            ordering: self.ordering()?,
            volatile,
        };
        Ok((inst, ty))
    }

    fn exchange(&mut self) -> Result<(Inst, TypeId)> {
        let volatile = self.parser.take_word("volatile");
        let (pointer, _) = self.typed()?;
        self.comma()?;
        let (compare, ty) = self.typed()?;
        self.comma()?;
        let (value, _) = self.typed()?;
        let ordering = self.ordering()?;
        // The IR has the order on success, which decides on the other one.
        if self.ordering()? != ordering.on_failure() {
            return Err(self
                .parser
                .unsupported("two memory orders of a compare-exchange"));
        }
        let i1 = self.tables.types.int(1);
        let pair = self.tables.types.intern(Type::Struct {
            name: None,
            fields: TypeList::from_slice(&[ty, i1]),
            packed: false,
            opaque: false,
        });
        let inst = Inst::CmpXchg {
            pointer,
            compare,
            value,
            ordering,
            volatile,
        };
        Ok((inst, pair))
    }
}
