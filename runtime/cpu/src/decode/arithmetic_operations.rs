//! DXIL operations that compute: what their arms in `operations` share.

use dxil_frontend::ir::ValueId;

use super::code::RegisterSlot;
use super::function::Decoder;
use super::lane_ops::LaneOp as L;
use super::scalar_type::ScalarType;
use crate::error::Result;

/// Operations on the bits of an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bits {
    Reverse,
    Count,
    FirstLow,
    FirstHigh,
    FirstSignedHigh,
}

impl Decoder<'_, '_> {
    pub(super) fn unary_lane(&mut self, op: L, value: ValueId) -> Result<Vec<RegisterSlot>> {
        let slots = self.all(value)?;
        slots
            .into_iter()
            .map(|slot| self.lane(op, &[slot]))
            .collect()
    }

    pub(super) fn unary(
        &mut self,
        value: ValueId,
        single: L,
        double: Option<L>,
    ) -> Result<Vec<RegisterSlot>> {
        let ty = self.scalar_of(value)?;
        let slots = self.all(value)?;
        let each = slots.into_iter();
        each.map(|slot| self.float(ty, single, double, &[slot]))
            .collect()
    }

    /// Returns the fraction of each component.
    pub(super) fn fraction(&mut self, value: ValueId) -> Result<Vec<RegisterSlot>> {
        // That of a half is below 1 as a half, not only in single precision.
        match self.scalar_of(value)? {
            ScalarType::Half => self.unary_lane(L::FrcHalf, value),
            _ => self.unary(value, L::Frc, None),
        }
    }

    /// Returns the magnitude of each component.
    pub(super) fn sign_op(&mut self, value: ValueId) -> Result<Vec<RegisterSlot>> {
        let ty = self.scalar_of(value)?;
        let slots = self.all(value)?;
        let mut result = Vec::with_capacity(slots.len());
        for slot in slots {
            result.push(match ty {
                ScalarType::Double => self.lane(L::DAbs, &[slot])?,
                ScalarType::Half => {
                    let mask = self.word(0x7fff);
                    self.lane(L::And32, &[slot, mask])?
                }
                _ => self.float_lane(L::FAbs, &[slot])?,
            });
        }
        Ok(result)
    }

    pub(super) fn classify(&mut self, value: ValueId, single: L) -> Result<Vec<RegisterSlot>> {
        let ty = self.scalar_of(value)?;
        let slots = self.all(value)?;
        let mut result = Vec::with_capacity(slots.len());
        for slot in slots {
            result.push(match (ty, single) {
                (ScalarType::Half, L::IsNormal) => self.lane(L::IsNormalHalf, &[slot])?,
                (ScalarType::Half, _) => {
                    let wide = self.widened(&[slot])?;
                    self.lane(single, &wide)?
                }
                _ => self.lane(single, &[slot])?,
            });
        }
        Ok(result)
    }

    pub(super) fn binary_float(
        &mut self,
        a: ValueId,
        b: ValueId,
        single: L,
        double: L,
    ) -> Result<Vec<RegisterSlot>> {
        self.each2(a, b, |decoder, ty, a, b| {
            decoder.float(ty, single, Some(double), &[a, b])
        })
    }

    pub(super) fn binary_int(
        &mut self,
        a: ValueId,
        b: ValueId,
        narrow: L,
        wide: L,
        signed: bool,
    ) -> Result<Vec<RegisterSlot>> {
        self.each2(a, b, |decoder, ty, a, b| {
            let ScalarType::Int(bits) = ty else {
                return Err(decoder.malformed("integer arithmetic on floats"));
            };
            if bits == 64 {
                return decoder.lane(wide, &[a, b]);
            }
            if !signed {
                return decoder.lane(narrow, &[a, b]);
            }
            let (a, b) = (decoder.signed(bits, a)?, decoder.signed(bits, b)?);
            let result = decoder.lane(narrow, &[a, b])?;
            decoder.narrow(bits, result)
        })
    }

    pub(super) fn two_results(
        &mut self,
        a: ValueId,
        b: ValueId,
        first: L,
        second: L,
    ) -> Result<Vec<RegisterSlot>> {
        let operands = self.ones([a, b])?;
        Ok(vec![
            self.lane(first, &operands)?,
            self.lane(second, &operands)?,
        ])
    }

    pub(super) fn ternary(&mut self, op: L, operands: [ValueId; 3]) -> Result<Vec<RegisterSlot>> {
        let operands = self.ones(operands)?;
        Ok(vec![self.lane(op, &operands)?])
    }

    pub(super) fn mad_float(
        &mut self,
        a: ValueId,
        b: ValueId,
        c: ValueId,
    ) -> Result<Vec<RegisterSlot>> {
        let ty = self.scalar_of(a)?;
        let (a, b, c) = (self.all(a)?, self.all(b)?, self.all(c)?);
        let mut result = Vec::with_capacity(a.len());
        for ((a, b), c) in a.into_iter().zip(b).zip(c) {
            // Single precision is not wide enough for a product and a sum of halves that are
            // rounded once, so that each of them is rounded, as in the other precisions.
            result.push(if ty == ScalarType::Half {
                let product = self.float(ty, L::FMul, None, &[a, b])?;
                self.float(ty, L::FAdd, None, &[product, c])?
            } else {
                self.float(ty, L::FMad, Some(L::DMad), &[a, b, c])?
            });
        }
        Ok(result)
    }

    pub(super) fn mad_int(
        &mut self,
        a: ValueId,
        b: ValueId,
        c: ValueId,
    ) -> Result<Vec<RegisterSlot>> {
        let ty = self.scalar_of(a)?;
        let (a, b, c) = (self.all(a)?, self.all(b)?, self.all(c)?);
        let mut result = Vec::with_capacity(a.len());
        for ((a, b), c) in a.into_iter().zip(b).zip(c) {
            result.push(match ty {
                ScalarType::Int(64) => {
                    let product = self.lane(L::Mul64, &[a, b])?;
                    self.lane(L::Add64, &[product, c])?
                }
                ScalarType::Int(bits) => {
                    let sum = self.lane(L::Mad32, &[a, b, c])?;
                    self.narrow(bits, sum)?
                }
                _ => return Err(self.malformed("integer arithmetic on floats")),
            });
        }
        Ok(result)
    }

    pub(super) fn bits(&mut self, value: ValueId, what: Bits) -> Result<Vec<RegisterSlot>> {
        let ScalarType::Int(bits) = self.scalar_of(value)? else {
            return Err(self.malformed("bits of a float"));
        };
        let slots = self.all(value)?;
        let mut result = Vec::with_capacity(slots.len());
        for slot in slots {
            let op = match (what, bits == 64) {
                (Bits::Reverse, false) => L::Reverse32,
                (Bits::Reverse, true) => L::Reverse64,
                (Bits::Count, false) => L::Count32,
                (Bits::Count, true) => L::Count64,
                (Bits::FirstLow, false) => L::FirstLow32,
                (Bits::FirstLow, true) => L::FirstLow64,
                (Bits::FirstHigh, false) => L::FirstHigh32,
                (Bits::FirstHigh, true) => L::FirstHigh64,
                (Bits::FirstSignedHigh, false) => L::FirstSignedHigh32,
                (Bits::FirstSignedHigh, true) => L::FirstSignedHigh64,
            };
            let slot = match what {
                Bits::FirstSignedHigh => self.signed(bits, slot)?,
                _ => slot,
            };
            let found = self.lane(op, &[slot])?;
            result.push(match what {
                // The reversal of 32 bits leaves a narrow value in the top bits.
                Bits::Reverse if bits < 32 => {
                    let shift = self.word(32 - bits);
                    self.lane(L::LShr32, &[found, shift])?
                }
                // The count is from the top of 32 bits; all ones, which mean that there is no such
                // bit, stay.
                Bits::FirstHigh | Bits::FirstSignedHigh if bits < 32 => {
                    let (none, shift) = (self.word(u32::MAX), self.word(32 - bits));
                    let missing = self.lane(L::Eq32, &[found, none])?;
                    let place = self.lane(L::Sub32, &[found, shift])?;
                    self.select_one(missing, none, place)?
                }
                _ => found,
            });
        }
        Ok(result)
    }

    pub(super) fn dot(&mut self, a: &[ValueId], b: &[ValueId]) -> Result<Vec<RegisterSlot>> {
        let first = *a
            .first()
            .ok_or_else(|| self.malformed("a dot product of nothing"))?;
        let ty = self.scalar_of(first)?;
        let mut slots = [Vec::new(), Vec::new()];
        for (slots, values) in slots.iter_mut().zip([a, b]) {
            for &value in values {
                slots.push(self.one(value)?);
            }
        }
        self.dot_of(ty, &slots[0], &slots[1])
    }

    pub(super) fn dot_of(
        &mut self,
        ty: ScalarType,
        a: &[RegisterSlot],
        b: &[RegisterSlot],
    ) -> Result<Vec<RegisterSlot>> {
        // From left to right, each step rounded: any serial order is accurate enough (D3D11.3
        // functional specification, 3.1.3.2, on fused operations).
        let mut sum = None;
        for (&a, &b) in a.iter().zip(b) {
            let product = self.float(ty, L::FMul, None, &[a, b])?;
            sum = Some(match sum {
                None => product,
                Some(sum) => self.float(ty, L::FAdd, None, &[sum, product])?,
            });
        }
        let sum = sum.ok_or_else(|| self.malformed("a dot product of nothing"))?;
        Ok(vec![sum])
    }

    pub(super) fn fold(&mut self, value: ValueId, narrow: L, wide: L) -> Result<Vec<RegisterSlot>> {
        let ty = self.scalar_of(value)?;
        let op = match ty {
            ScalarType::Int(64) => wide,
            _ => narrow,
        };
        let slots = self.all(value)?;
        let (&first, rest) = slots
            .split_first()
            .ok_or_else(|| self.malformed("an empty vector"))?;
        let mut all = first;
        for &slot in rest {
            all = self.lane(op, &[all, slot])?;
        }
        Ok(vec![all])
    }
}
