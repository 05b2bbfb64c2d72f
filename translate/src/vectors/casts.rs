//! Conversions of vectors. A conversion that keeps the number of elements is applied element by
//! element; a bitcast that changes it regroups the bits, the first element in the lowest bits.

use dxil_frontend::ir::{
    BinaryOp, CastOp, FastMath, Inst, InstData, InstId, Type, TypeId, ValueId,
};

use crate::vectors::rewrite::state::VectorRewrite;
use crate::{Error, Result};

impl VectorRewrite<'_, '_, '_> {
    /// Rewrites a conversion of vectors or other values.
    pub(super) fn cast(
        &mut self,
        inst: InstId,
        data: &InstData,
        op: CastOp,
        value: ValueId,
    ) -> Result<()> {
        let from = self.vector(value);
        let to = self.vector_type(data.ty);
        match (from, to) {
            (None, None) => return self.copy(inst, data),
            (Some((_, a)), Some((_, b))) if a == b => {
                return self.each(inst, data, [value], |[value]| Inst::Cast { op, value });
            }
            _ if op == CastOp::Bitcast => {}
            _ => return Err(Error::malformed("a conversion changes a vector's length")),
        }
        let pieces = match from {
            Some(_) => {
                let elements = self.elements_of(value, inst)?;
                self.all(elements)
            }
            None => vec![self.now(value)],
        };
        let (to_element, to_count) = to.unwrap_or((data.ty, 1));
        let made = self.regroup(inst, &pieces, to_element, to_count)?;
        match (to, data.result.expand()) {
            (Some(_), Some(result)) => self.define(result, &made, inst),
            (None, result) => {
                if let Some(&single) = made.first() {
                    self.replace(result, single);
                }
                Ok(())
            }
            (Some(_), None) => Ok(()),
        }
    }

    /// Returns the bits of `pieces` as scalars of another type.
    fn regroup(
        &mut self,
        origin: InstId,
        pieces: &[ValueId],
        to: TypeId,
        count: u32,
    ) -> Result<Vec<ValueId>> {
        let from = pieces.first().and_then(|&piece| self.type_of(piece));
        let from = from.ok_or_else(|| Error::malformed("a conversion of nothing"))?;
        let [have, want] = [self.tables.bits(from)?, self.tables.bits(to)?];
        if pieces.len() * usize::from(have) != count as usize * usize::from(want) {
            return Err(Error::malformed("a bitcast to a type of another size"));
        }
        // Shifts work on integers only.
        let mut words = Vec::with_capacity(pieces.len());
        for &piece in pieces {
            words.push(self.as_int(origin, piece, from, have)?);
        }
        let want_ty = self.tables.int(want);
        let have_ty = self.tables.int(have);
        let mut regrouped = Vec::with_capacity(count as usize);
        if have < want {
            for group in words.chunks(usize::from(want / have)) {
                let mut whole = None;
                for (place, &word) in (0..).zip(group) {
                    let wide = self.convert(origin, CastOp::ZExt, word, want_ty)?;
                    let shift = self.scalar_constant(want_ty, place * u64::from(have));
                    let moved = self.binary(origin, BinaryOp::Shl, wide, shift, want_ty)?;
                    whole = Some(match whole {
                        Some(lower) => self.binary(origin, BinaryOp::Or, lower, moved, want_ty)?,
                        None => wide,
                    });
                }
                regrouped.extend(whole);
            }
        } else {
            for &word in &words {
                for place in 0..u64::from(have / want) {
                    let shift = self.scalar_constant(have_ty, place * u64::from(want));
                    let moved = match place {
                        0 => word,
                        _ => self.binary(origin, BinaryOp::LShr, word, shift, have_ty)?,
                    };
                    regrouped.push(if have == want {
                        moved
                    } else {
                        self.convert(origin, CastOp::Trunc, moved, want_ty)?
                    });
                }
            }
        }
        if *self.tables.get(to) != *self.tables.get(want_ty) {
            for word in &mut regrouped {
                *word = self.convert(origin, CastOp::Bitcast, *word, to)?;
            }
        }
        Ok(regrouped)
    }

    fn as_int(&mut self, origin: InstId, value: ValueId, ty: TypeId, bits: u16) -> Result<ValueId> {
        if matches!(self.tables.get(ty), Type::Int(_)) {
            return Ok(value);
        }
        let int = self.tables.int(bits);
        self.convert(origin, CastOp::Bitcast, value, int)
    }

    fn convert(
        &mut self,
        origin: InstId,
        op: CastOp,
        value: ValueId,
        ty: TypeId,
    ) -> Result<ValueId> {
        self.emit(origin, Inst::Cast { op, value }, ty)
    }

    /// Writes an operation on scalars, and returns its result.
    pub(super) fn binary(
        &mut self,
        origin: InstId,
        op: BinaryOp,
        lhs: ValueId,
        rhs: ValueId,
        ty: TypeId,
    ) -> Result<ValueId> {
        let inst = Inst::Binary {
            op,
            fast_math: FastMath::FAST,
            lhs,
            rhs,
        };
        self.emit(origin, inst, ty)
    }
}
