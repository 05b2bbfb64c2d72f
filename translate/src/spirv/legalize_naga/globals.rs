//! Types and constants of a module whose 64-bit integers are emulated.

use super::emit::numeric_type;
use super::state::{Legalizer, Refusal};
use crate::spirv::reader::{ResultForm, instructions};
use crate::spirv::{Capability, Id, Op};

/// Returns the operands of a type that are types.
fn type_operands(op: Op, operands: &mut [u32]) -> &mut [u32] {
    match op {
        Op::TypeStruct | Op::TypeFunction => operands,
        Op::TypeArray | Op::TypeRuntimeArray => operands.get_mut(..1).unwrap_or_default(),
        Op::TypeVector | Op::TypeMatrix => operands.get_mut(..1).unwrap_or_default(),
        Op::TypePointer => operands.get_mut(1..).unwrap_or_default(),
        Op::TypeImage | Op::TypeSampledImage => operands.get_mut(..1).unwrap_or_default(),
        _ => &mut [],
    }
}

/// Returns whether a module may declare a type only once: all types but aggregates and pointers
/// (SPIR-V specification, 2.8 "Types and Variables").
fn is_unique(op: Op) -> bool {
    !matches!(
        op,
        Op::TypeStruct | Op::TypeArray | Op::TypeRuntimeArray | Op::TypePointer
    )
}

impl Legalizer<'_> {
    /// Declares vectors of two words in place of 64-bit integers, in types and constants.
    ///
    /// # Errors
    ///
    /// A type that has no form of this kind.
    pub(super) fn rewrite_globals(&mut self) -> Result<(), Refusal> {
        self.b.remove_capability(Capability::Int64);
        let globals = self.b.take_globals();
        for (op, words) in instructions(&globals) {
            match (ResultForm::of(op), words) {
                (ResultForm::Type, &[_, id, ref operands @ ..]) => {
                    self.rewrite_type(op, Id(id), operands)?
                }
                (ResultForm::Value, &[_, ty, id, ref operands @ ..]) => {
                    self.rewrite_constant(op, Id(ty), Id(id), operands);
                }
                _ => self.b.globals.extend_from_slice(words),
            }
        }
        Ok(())
    }

    fn rewrite_type(&mut self, op: Op, id: Id, operands: &[u32]) -> Result<(), Refusal> {
        let numeric = numeric_type(op, operands, &self.numeric);
        // A vector of 64-bit integers has no form of words.
        if let Some(numeric) = numeric.filter(|numeric| !numeric.is_float && numeric.bits == 64) {
            if op != Op::TypeInt {
                return Err(Refusal::Int64(op));
            }
            self.declare_int64(id, numeric.is_signed);
            return Ok(());
        }
        let mut operands = operands.to_vec();
        for word in type_operands(op, &mut operands) {
            *word = self.written(Id(*word)).0;
        }
        let known = if is_unique(op) {
            self.b.find_global(op, Id::NONE, &operands)
        } else {
            None
        };
        match (known, &mut self.int64) {
            (Some(known), Some(int64)) => {
                int64.replaced.insert(id, known);
            }
            _ => self.b.global_as(op, Id::NONE, id, &operands),
        }
        Ok(())
    }

    fn rewrite_constant(&mut self, op: Op, ty: Id, id: Id, operands: &[u32]) {
        if !self.is_int64(ty) {
            let written = self.written(ty);
            self.b.global_as(op, written, id, operands);
            self.types.insert(id, ty);
            return;
        }
        let written = self.written(ty);
        self.types.insert(id, ty);
        match (op, operands) {
            (Op::Constant, &[low, high]) => {
                let halves = [low, high].map(|word| self.b.const_u32(word).0);
                self.b
                    .global_as(Op::ConstantComposite, written, id, &halves);
                let value = u64::from(high) << 32 | u64::from(low);
                self.constants.insert(id, value);
            }
            (Op::ConstantNull | Op::Undef, _) => self.b.global_as(op, written, id, operands),
            (other, _) => {
                self.refused.get_or_insert(Refusal::Int64(other));
                self.b.global_as(Op::Undef, written, id, &[]);
            }
        }
    }
}
