//! Calls.

use super::attributes::{Attributes, Slots, convention, slot};
use super::function::FunctionReader;
use super::lexer::TokenKind;
use crate::error::Result;
use crate::ir::{CallSite, FastMath, Inst, Type, TypeId};

impl FunctionReader<'_, '_> {
    /// Reads a call behind its first word.
    pub(super) fn call(&mut self) -> Result<(Inst, TypeId)> {
        // LLVM 3.7 has no flags on calls.
        let convention = convention(&mut self.parser);
        let mut slots: Slots = vec![(0, Attributes::beside(&mut self.parser)?)];
        // The type of the result, or of the whole function.
        let named_ty = self.ty()?;
        let name = self.parser.global()?;
        let known = self.tables.globals.get(name).copied();
        let (callee, callee_ty) = known.ok_or_else(|| {
            self.parser.at -= 1;
            self.parser.error("this function is not declared")
        })?;
        let function = self.tables.types.pointee(callee_ty)?;
        let Type::Function { ret, .. } = *self.tables.types.table.get(function) else {
            return Err(self
                .parser
                .error("a call of something other than a function"));
        };
        if named_ty != ret && named_ty != function {
            return Err(self.parser.error("the function is of another type"));
        }
        let mut args = Vec::new();
        self.parser.expect(b'(')?;
        while !self.parser.take(b')') {
            if !args.is_empty() {
                self.comma()?;
            }
            // The name of an operand, which listings show.
            if let Some(TokenKind::Label(_)) = self.parser.peek() {
                self.parser.at += 1;
            }
            let ty = self.ty()?;
            slots.push((slot(args.len()), Attributes::beside(&mut self.parser)?));
            args.push(match self.tables.types.table.get(ty) {
                Type::Metadata => self.metadata(ty)?,
                _ => self.value(ty)?,
            });
        }
        self.tables
            .attributes
            .of_function(&mut self.parser, &mut slots)?;
        let site = CallSite {
            attributes: self.tables.attributes.set(slots),
            convention,
        };
        if site != CallSite::default() {
            let call = self.insts.next_key();
            self.call_sites.push((call, site));
        }
        let args = self.list(&args);
        let inst = Inst::Call {
            callee,
            args,
            fast_math: FastMath::empty(),
        };
        Ok((inst, ret))
    }
}
