//! `waveMatch` of vectors: the lanes whose elements all are equal.

use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::ir::{BinaryOp, Constant, FuncId, Inst, InstData, InstId, Type, ValueId};

use crate::vectors::rewrite::state::VectorRewrite;
use crate::{Error, Result};

impl VectorRewrite<'_, '_, '_> {
    /// Rewrites `waveMatch` as the intersection of the matches of each element.
    pub(super) fn wave_match(
        &mut self,
        inst: InstId,
        data: &InstData,
        like: FuncId,
        value: ValueId,
    ) -> Result<()> {
        let word = self.tables.int(32);
        let gives_mask = match self.tables.get(data.ty) {
            Type::Struct { fields, .. } => **fields == [word; 4],
            _ => false,
        };
        let (Some((element, _)), true) = (self.vector(value), gives_mask) else {
            return Err(Error::malformed("waveMatch gives no mask of four words"));
        };
        let elements = self.elements_of(value, inst)?;
        let opcode = self.int(Opcode::WaveMatch as u32);
        let callee = self.operation(Opcode::WaveMatch, element, data.ty, &[word, element], like)?;
        let mut mask: Option<[ValueId; 4]> = None;
        for index in 0..elements.len() {
            let args = [opcode, self.element(elements, index)];
            let lanes = self.emit_call(inst, callee, &args, data.ty)?;
            let mut words = [lanes; 4];
            for (place, slot) in (0..).zip(&mut words) {
                let indices = self.indices([place]);
                let extract = Inst::ExtractValue {
                    aggregate: lanes,
                    indices,
                };
                *slot = self.emit(inst, extract, word)?;
            }
            if let Some(before) = mask {
                for (slot, before) in words.iter_mut().zip(before) {
                    *slot = self.binary(inst, BinaryOp::And, before, *slot, word)?;
                }
            }
            mask = Some(words);
        }
        let mut whole = self.constant(data.ty, Constant::Undef);
        for (place, value) in (0..).zip(mask.into_iter().flatten()) {
            let indices = self.indices([place]);
            let insert = Inst::InsertValue {
                aggregate: whole,
                value,
                indices,
            };
            whole = self.emit(inst, insert, data.ty)?;
        }
        self.replace(data.result.expand(), whole);
        Ok(())
    }
}
